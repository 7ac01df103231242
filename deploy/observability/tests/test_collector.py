"""The collector's pipelines are whole, and everyone reaches everyone: processes the collector, the
collector Tempo, Grafana Tempo, and Prometheus what it watches.

`cargo xtask test deploy` runs this.
"""

import re
import unittest
from pathlib import Path

import yaml

ROOT = Path(__file__).resolve().parents[3]
HERE = ROOT / "deploy/observability"
COLLECTOR = yaml.safe_load((HERE / "collector/collector.yaml").read_text())
TEMPO = yaml.safe_load((HERE / "tempo/tempo.yaml").read_text())
PROMETHEUS = yaml.safe_load((HERE / "prometheus/prometheus.yaml").read_text())
COMPOSE = yaml.safe_load((ROOT / "deploy/compose/compose.distributed.yaml").read_text())
# Components of the image's distribution (opentelemetry-collector-releases, distributions/otelcol) that the
# configuration may use.
CORE = {
    "receivers": {"otlp"},
    "processors": {"memory_limiter", "batch"},
    "exporters": {"otlp", "prometheus"},
    "extensions": {"health_check"},
}


def port(address):
    return int(re.sub(r"^\$\{env:\w+:-(.*)\}$", r"\1", address).rsplit(":", 1)[1])


def watched():
    """The addresses that Prometheus names, by job."""
    return {
        job["job_name"]: {target for group in job.get("static_configs", []) for target in group["targets"]}
        for job in PROMETHEUS["scrape_configs"]
    }


class Collector(unittest.TestCase):
    def test_pipelines_are_made_of_what_is_declared_and_all_of_it(self):
        used = {"extensions": set(COLLECTOR["service"]["extensions"])}
        for name, pipeline in COLLECTOR["service"]["pipelines"].items():
            self.assertIn(name.split("/")[0], {"traces", "metrics"})
            for kind, parts in pipeline.items():
                self.assertTrue(parts, f"{name}: {kind}")
                used.setdefault(kind, set()).update(parts)
        for kind, parts in used.items():
            self.assertEqual(parts, set(COLLECTOR[kind]), kind)
            self.assertLessEqual({part.split("/")[0] for part in parts}, CORE[kind])
        self.assertEqual(set(COLLECTOR), {"service", *CORE})

    def test_memory_is_bounded_before_anything_is_kept(self):
        for pipeline in COLLECTOR["service"]["pipelines"].values():
            self.assertEqual(pipeline["processors"][0], "memory_limiter")
            self.assertEqual(pipeline["processors"][-1], "batch")
        limiter = COLLECTOR["processors"]["memory_limiter"]
        self.assertLess(limiter["spike_limit_mib"], limiter["limit_mib"])
        self.assertTrue(limiter["check_interval"])

    def test_processes_send_where_the_collector_listens(self):
        listens = port(COLLECTOR["receivers"]["otlp"]["protocols"]["grpc"]["endpoint"])
        told = {
            name: service["environment"]["CITYGUIDE__OTLP__URL"]
            for name, service in COMPOSE["services"].items()
            if service.get("command", [""])[0] == "serve"
        }
        self.assertTrue(told)
        self.assertEqual(set(told.values()), {f"http://collector:{listens}"})

    def test_spans_come_to_tempo_and_grafana_finds_them(self):
        listens = port(TEMPO["distributor"]["receivers"]["otlp"]["protocols"]["grpc"]["endpoint"])
        sent = COLLECTOR["exporters"]["otlp/traces"]["endpoint"]
        self.assertRegex(sent, r"^\$\{env:TRACES_ENDPOINT:-tempo:\d+\}$")
        self.assertEqual(port(sent), listens)
        (source,) = yaml.safe_load((HERE / "grafana/provisioning/datasources/tempo.yaml").read_text())["datasources"]
        self.assertEqual(source["url"], f"http://tempo:{TEMPO['server']['http_listen_port']}")

    def test_what_tempo_writes_is_no_part_of_its_image(self):
        storage = TEMPO["storage"]["trace"]
        (folder,) = COMPOSE["services"]["tempo"]["tmpfs"]
        for path in (storage["wal"]["path"], storage["local"]["path"]):
            self.assertTrue(path.startswith(folder + "/"), path)

    def test_prometheus_watches_what_has_no_check_of_its_own(self):
        jobs = watched()
        (reader,) = COLLECTOR["service"]["telemetry"]["metrics"]["readers"]
        own = reader["pull"]["exporter"]["prometheus"]["port"]
        self.assertEqual(jobs["collector"], {f"collector:{own}"})
        self.assertEqual(jobs["tempo"], {f"tempo:{TEMPO['server']['http_listen_port']}"})
        unchecked = {name for name, each in COMPOSE["services"].items() if each.get("healthcheck", {}).get("disable")}
        self.assertEqual(unchecked - {"migrate", "publish"}, {"collector", "tempo"})

    def test_metrics_are_counted_once(self):
        pushed = port(COLLECTOR["exporters"]["prometheus"]["endpoint"])
        self.assertEqual(watched()["cityguide-otlp"], {f"collector:{pushed}"})
        for name, service in COMPOSE["services"].items():
            if service.get("command", [""])[0] == "serve":
                # Prometheus scrapes the processes themselves by default.
                self.assertEqual(service["environment"]["CITYGUIDE__OTLP__METRICS"], "${OTLP_METRICS:-false}", name)


if __name__ == "__main__":
    unittest.main()
