"""The image's recipe takes all it needs, and agrees with the chart about what is where."""

import json
import re
import subprocess
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
        others = ["Cargo.toml", "Cargo.lock", ".cargo", "web", "deploy/sites", "deploy/docker/without-development.mjs"]
        for wanted in [*members, *others]:
            for places, what in ((copied, "the recipe"), (taken, "the ignore file")):
                found = any(Path(wanted).is_relative_to(each) or each.is_relative_to(wanted) for each in places)
                self.assertTrue(found, f"{what} leaves {wanted} out")

    def test_bases_are_arguments_that_take_digests(self):
        defaults = dict(re.findall(r"^ARG (\w+_BASE)=(\S+)$", RECIPE, re.MULTILINE))
        # The image is the argument alone, so that it may be any reference.
        bases = [base for base in re.findall(r"^FROM (.+) AS \w+$", RECIPE, re.MULTILINE) if base != "scratch"]
        self.assertEqual(bases, [f"${{{name}}}" for name in defaults])
        self.assertEqual(set(defaults), {"NODE_BASE", "RUST_BASE", "RUNTIME_BASE"})
        documented = dict(re.findall(r"--build-arg (\w+_BASE)=(\S+)@sha256:", (ROOT / "docs/DEPLOYING.md").read_text()))
        self.assertEqual(documented, defaults)

    def test_it_lists_the_components_of_the_program_and_of_the_web_application(self):
        (folder,) = re.findall(r'org\.cityguide\.sbom="/usr(\S+)"', RUNTIME)
        stages = re.split(r"^FROM ", RECIPE, flags=re.MULTILINE)
        for stage, file in (("program", "program.cdx.json"), ("web", "web.cdx.json")):
            (build,) = [each for each in stages if each.split("\n", 1)[0].endswith(f" AS {stage}")]
            self.assertIn(f"/out/sbom/{file}", build)
            self.assertIn(f"COPY --from={stage} /out/sbom {folder}\n", RECIPE)

    def test_the_list_of_the_web_application_has_the_packages_that_it_needs_and_no_others(self):
        (arguments,) = re.findall(r"npm (sbom .+?) >", RECIPE)
        (script,) = re.findall(r"node /src/(\S+) <", RECIPE)
        every = subprocess.run(["npm", *arguments.split(), "--package-lock-only"], cwd=ROOT / "web", check=True, capture_output=True)
        needed = subprocess.run(["node", ROOT / "deploy/docker" / script], input=every.stdout, check=True, capture_output=True)
        sbom = json.loads(needed.stdout)
        self.assertEqual((sbom["bomFormat"], sbom["specVersion"]), ("CycloneDX", "1.5"))
        listed = {f"node_modules/{each['name']}" for each in sbom["components"]}
        locked = json.loads((ROOT / "web/package-lock.json").read_text())["packages"]
        # npm marks packages that only development or an optional package needs.
        marks = {"dev", "devOptional", "optional", "peer"}
        installed = {path for path, each in locked.items() if path and not marks & set(each)}
        self.assertLessEqual({path for path in installed if path.count("node_modules") == 1}, listed)
        self.assertFalse({path for path, each in locked.items() if each.get("dev")} & listed - installed)
        package = json.loads((ROOT / "web/package.json").read_text())
        self.assertLessEqual({f"node_modules/{name}" for name in package["dependencies"]}, listed)
        refs = {sbom["metadata"]["component"]["bom-ref"], *(each["bom-ref"] for each in sbom["components"])}
        for each in sbom["dependencies"]:
            self.assertLessEqual({each["ref"], *each["dependsOn"]}, refs)

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
