"""The image's recipe takes all it needs, and agrees with the chart about what is where."""

import re
import tomllib
import unittest
from pathlib import Path

import yaml

ROOT = Path(__file__).resolve().parents[2]
RECIPE = (ROOT / "deploy/docker/Dockerfile").read_text()
IGNORED = (ROOT / "deploy/docker/Dockerfile.dockerignore").read_text().splitlines()
VALUES = yaml.safe_load((ROOT / "helm/cityguide/values.yaml").read_text())
RUNTIME = RECIPE[RECIPE.index("AS runtime") :]


class Image(unittest.TestCase):
    def test_every_member_of_the_workspace_is_taken(self):
        copied = [Path(each) for line in re.findall(r"^COPY (?!--from)(.+)$", RECIPE, re.MULTILINE) for each in line.split()[:-1]]
        taken = [Path(line.removeprefix("!")) for line in IGNORED if line.startswith("!")]
        workspace = tomllib.loads((ROOT / "Cargo.toml").read_text())["workspace"]
        members = [str(path.relative_to(ROOT)) for pattern in workspace["members"] for path in ROOT.glob(pattern)]
        self.assertIn("services/identity", members)
        for wanted in [*members, "Cargo.toml", "Cargo.lock", ".cargo", "web", "deploy/sites"]:
            for places, what in ((copied, "the recipe"), (taken, "the ignore file")):
                found = any(Path(wanted).is_relative_to(each) or each.is_relative_to(wanted) for each in places)
                self.assertTrue(found, f"{what} leaves {wanted} out")

    def test_the_compiler_is_new_enough(self):
        wanted = tomllib.loads((ROOT / "Cargo.toml").read_text())["workspace"]["package"]["rust-version"]
        self.assertIn(f"/rust:{wanted}-", RECIPE)

    def test_it_runs_as_the_account_that_the_chart_names(self):
        self.assertIn(f"USER {VALUES['pod']['user']}:{VALUES['pod']['user']}", RUNTIME)

    def test_files_are_where_the_chart_looks_for_them(self):
        templates = "".join(each.read_text() for each in (ROOT / "helm/cityguide/templates").iterdir())
        for key in ("WEB__ROOT", "BLOBS__FOLDER", "MAIL__FOLDER"):
            (path,) = re.findall(rf"CITYGUIDE__{key}=(\S+)", RUNTIME)
            self.assertIn(f"value: {path}\n", templates)
        self.assertIn("/usr/share/cityguide/sites/{{ $.Values.site.preset }}.toml", templates)
        for preset in ("guide", "news"):
            self.assertTrue((ROOT / f"deploy/sites/{preset}.toml").is_file())

    def test_the_version_is_the_charts(self):
        chart = yaml.safe_load((ROOT / "helm/cityguide/Chart.yaml").read_text())
        workspace = tomllib.loads((ROOT / "Cargo.toml").read_text())["workspace"]["package"]
        self.assertEqual(chart["appVersion"], workspace["version"])
        self.assertIn(f"ARG VERSION={workspace['version']}", RUNTIME)


if __name__ == "__main__":
    unittest.main()
