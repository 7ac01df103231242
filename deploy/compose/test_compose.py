"""The compose files name what exists, and give containers no more than the chart does."""

import json
import re
import shutil
import subprocess
import tempfile
import tomllib
import unittest
from pathlib import Path

import yaml

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
FILES = ("compose.single.yaml", "compose.distributed.yaml")
# The program's table of targets, by name.
TARGETS = {each["name"]: each for each in json.loads((ROOT / "helm/cityguide/targets.json").read_text())}
# Services that run one command and end.
COMMANDS = {"migrate", "publish", "backup"}


def read(file):
    return yaml.safe_load((HERE / file).read_text())


def ours(composition):
    return {name: service for name, service in composition["services"].items() if "build" in service}


def names_of_secrets(service):
    return {each if isinstance(each, str) else each["source"] for each in service.get("secrets", [])}


class Compositions(unittest.TestCase):
    def test_containers_have_no_privilege(self):
        for file in FILES:
            for name, service in ours(read(file)).items():
                with self.subTest(file=file, service=name):
                    self.assertIs(service["read_only"], True)
                    self.assertEqual(service["cap_drop"], ["ALL"])
                    self.assertEqual(service["security_opt"], ["no-new-privileges:true"])
                    self.assertEqual(service["tmpfs"], ["/tmp"])
                    self.assertNotIn("user", service)

    def test_the_program_knows_every_setting(self):
        defaults = tomllib.loads((ROOT / "deploy/server/defaults.toml").read_text())
        for file in FILES:
            for name, service in ours(read(file)).items():
                for variable in service["environment"]:
                    section, key = variable.removeprefix("CITYGUIDE__").lower().split("__", 1)
                    if section != "services":
                        keys = defaults[section]
                        self.assertTrue(key in keys or key.removesuffix("_file") in keys, f"{file}: {name}: {variable}")

    def test_secrets_are_files(self):
        for file in FILES:
            composition = read(file)
            for name, service in composition["services"].items():
                with self.subTest(file=file, service=name):
                    self.assertLessEqual(names_of_secrets(service), set(composition["secrets"]))
                    if name in ours(composition):
                        named = {Path(value).name for key, value in service["environment"].items() if key.endswith("_FILE") and value.startswith("/run/secrets/")}
                        self.assertEqual(named, names_of_secrets(service))
                    for key, value in service.get("environment", {}).items():
                        self.assertNotRegex(key, r"(KEY|PASSWORD|(DATABASE|BUS|CACHE)__URL)$")
                        self.assertNotRegex(value, r"://[^/]*@")

    def test_secrets_are_made_once(self):
        with tempfile.TemporaryDirectory() as folder:
            script = shutil.copy(HERE / "make-secrets.sh", folder)
            made = Path(folder) / "secrets"
            contents = []
            for _ in range(2):
                subprocess.run([script], check=True)
                contents.append({each.name: each.read_text().rstrip("\n") for each in made.iterdir()})
            first, second = contents
            self.assertEqual(first, second)
            declared = {Path(secret["file"]).name for file in FILES for secret in read(file)["secrets"].values()}
            self.assertEqual(set(first), declared)
            self.assertGreaterEqual(len(first["internal-key"]), 32)
            self.assertIn(first["database-password"], first["database-url"])
            for config, url, key in (("rabbitmq.conf", "bus-url", "default_pass = "), ("redis.conf", "cache-url", "requirepass ")):
                (password,) = [line.removeprefix(key) for line in first[config].splitlines() if line.startswith(key)]
                self.assertIn(f":{password}@", first[url])

    def test_what_keeps_running_tells_whether_it_is_well(self):
        for file in FILES:
            for name, service in read(file)["services"].items():
                # Containers without a shell for a health check are scraped by Prometheus, which the
                # collector's tests ensure.
                if name not in COMMANDS | {"collector", "tempo"}:
                    self.assertIn("test", service.get("healthcheck", {}), f"{file}: {name}")

    def test_ports_are_open_to_this_machine_alone(self):
        for file in FILES:
            for service in read(file)["services"].values():
                for port in service.get("ports", []):
                    self.assertTrue(port.startswith("127.0.0.1:"), port)

    def test_mounted_files_are_there(self):
        for file in FILES:
            composition = read(file)
            for service in composition["services"].values():
                for volume in service.get("volumes", []):
                    source = re.sub(r"\$\{\w+:-(.*?)\}", r"\1", volume).split(":")[0]
                    if source.startswith("."):
                        self.assertTrue((HERE / source).exists(), volume)
                    else:
                        self.assertIn(source, composition["volumes"])


class Distributed(unittest.TestCase):
    def test_every_target_of_the_program_runs(self):
        commands = [service["command"] for service in ours(read("compose.distributed.yaml")).values()]
        run = [command[2] for command in commands if command[:2] == ["serve", "--target"]]
        self.assertEqual(set(run), set(TARGETS))
        self.assertEqual(run.count("gateway"), 2)

    def test_addresses_lead_to_the_targets_they_name(self):
        services = read("compose.distributed.yaml")["services"]
        for name, service in services.items():
            if service.get("command", [""])[0] != "serve":
                continue
            called = set()
            for key, value in service["environment"].items():
                if wired := re.fullmatch(r"CITYGUIDE__SERVICES__(\w+)__URL", key):
                    self.assertEqual(value, f"http://{wired[1].lower()}:8082")
                    self.assertIn(wired[1].lower(), services)
                    called.add(wired[1].lower())
            self.assertEqual(called, set(TARGETS[service["command"][2]]["calls"]), name)

    def test_those_that_read_the_sites_file_have_that_of_this_site(self):
        services = read("compose.distributed.yaml")["services"]
        for name, service in services.items():
            if service.get("command", [""])[0] == "serve":
                reads = TARGETS[service["command"][2]]["reads_site_file"]
                file = "/usr/share/cityguide/sites/${SITE:-guide}.toml" if reads else None
                self.assertEqual(service["environment"].get("CITYGUIDE__SITE__FILE"), file, name)

    def test_prometheus_watches_every_process(self):
        services = read("compose.distributed.yaml")["services"]
        config = yaml.safe_load((ROOT / "deploy/observability/prometheus/prometheus.yaml").read_text())
        (scrape,) = [each for each in config["scrape_configs"] if each["job_name"] == "cityguide"]
        watched = set(scrape["dns_sd_configs"][0]["names"])
        self.assertEqual(watched, {name for name, each in services.items() if each.get("command", [""])[0] == "serve"})


if __name__ == "__main__":
    unittest.main()
