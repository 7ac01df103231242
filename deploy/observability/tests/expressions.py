"""What dashboards and rules ask Prometheus, and whether it has an answer.

`cargo xtask test deploy` runs both: `lint` on the files alone, `answered URL` against a Prometheus
that scrapes a site under load.
"""

import json
import re
import subprocess
import sys
import tempfile
import time
import urllib.parse
import urllib.request
from pathlib import Path

import yaml

ROOT = Path(__file__).resolve().parents[3]
HERE = ROOT / "deploy/observability"
RULES = HERE / "prometheus/rules.yaml"
# Metrics of Prometheus itself.
BUILT_IN = {"up"}
# Metrics of polled sources and of backups, which the site under load does not have.
ABSENT = ("source_", "backup_")
# The values that Grafana substitutes for its variables.
VARIABLES = {"$__rate_interval": "1m", "$job": ".*", "$service": ".*"}
PATIENCE = 30
METRIC = re.compile(r"\b(?:(?:ad|backup|bus|cache|gateway|http|jobs?|newsletter|outbox|page|postgres|rpc|source|task)_\w+|(?:route|service|service_kind):[\w:]+|up)\b(?=[{\[) ]|$)")


def panels():
    """Each expression of the dashboards, with where it stands."""
    for file in sorted((HERE / "grafana/dashboards").glob("*.json")):
        for panel in json.loads(file.read_text())["panels"]:
            for target in panel["targets"]:
                expression = target["expr"]
                for variable, value in VARIABLES.items():
                    expression = expression.replace(variable, value)
                yield f"{file.stem}: {panel['title']}", expression


def rules():
    for group in yaml.safe_load(RULES.read_text())["groups"]:
        yield from group["rules"]


def known_metrics():
    """What the program measures, by its sources, and what the rules record."""
    known = set(BUILT_IN)
    for folder in ("services", "gateway", "deploy/server"):
        for file in (ROOT / folder).glob("**/src/**/*.rs"):
            for kind, name in re.findall(r"metrics::(\w+)!\(\s*\"(\w+)\"", file.read_text()):
                suffixes = ("_count", "_sum", "_bucket") if kind == "histogram" else ("",)
                known |= {name + suffix for suffix in suffixes}
    return known | {rule["record"] for rule in rules() if "record" in rule}


def lint():
    """Expressions parse, and ask only for what is measured."""
    asked = [*panels(), *((rule.get("record") or rule["alert"], rule["expr"]) for rule in rules())]
    known, mistakes = known_metrics(), []
    for where, expression in asked:
        if "$" in expression:
            mistakes.append(f"{where}: a variable without a value: {expression}")
        metrics = set(METRIC.findall(expression))
        if not metrics:
            mistakes.append(f"{where}: asks for no metric: {expression}")
        mistakes += [f"{where}: nothing measures {metric}" for metric in sorted(metrics - known)]
    with tempfile.NamedTemporaryFile("w", suffix=".yaml") as file:
        checked = [{"record": f"panel:{number}", "expr": expression} for number, (_, expression) in enumerate(panels())]
        yaml.safe_dump({"groups": [{"name": "panels", "rules": checked}]}, file)
        file.flush()
        promtool = subprocess.run(["promtool", "check", "rules", file.name], capture_output=True, text=True, check=False)
    if promtool.returncode:
        mistakes.append(promtool.stderr)
    return mistakes


def has_answer(prometheus, expression):
    query = urllib.parse.urlencode({"query": expression})
    with urllib.request.urlopen(f"{prometheus}/api/v1/query?{query}", timeout=5) as answer:
        return bool(json.load(answer)["data"]["result"])


def answered(prometheus):
    """Every panel and recording rule has data, and every metric that an alert looks at."""
    asked = dict(panels())
    for rule in rules():
        if "record" in rule:
            asked[rule["record"]] = rule["record"]
        else:
            for metric in METRIC.findall(rule["expr"]):
                if not metric.startswith(ABSENT):
                    asked[f"{rule['alert']}: {metric}"] = metric
    silent, until = asked, time.monotonic() + PATIENCE
    while silent and time.monotonic() < until:
        silent = {where: each for where, each in silent.items() if not has_answer(prometheus, each)}
        if silent:
            time.sleep(0.5)
    print(f"{len(asked) - len(silent)} of {len(asked)} expressions have data")
    return [f"{where}: no data: {expression}" for where, expression in silent.items()]


if __name__ == "__main__":
    found = answered(sys.argv[2]) if sys.argv[1] == "answered" else lint()
    for mistake in found:
        print(mistake, file=sys.stderr)
    sys.exit(bool(found))
