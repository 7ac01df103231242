"""What holds for every manifest of the chart, rendered by Helm's own engine in each mode.

`cargo xtask test deploy` runs this; by hand: python -m unittest helm/tests/test_chart.py, with the
packages of helm/tests/requirements.txt.
"""

import base64
import copy
import ipaddress
import json
import re
import subprocess
import tempfile
import tomllib
import unittest
from functools import cache
from pathlib import Path

import helm_python
import kubernetes_validate
import yaml

ROOT = Path(__file__).resolve().parents[2]
CHART = ROOT / "helm/cityguide"
KUBERNETES = "1.32"
MODES = ("single", "distributed")
# Kinds whose schemas belong to the Prometheus operator and are not bundled.
CUSTOM = {"ServiceMonitor", "PrometheusRule"}
# Values of a bucket for pictures.
BUCKET = {
    "bucket": "guide-pictures",
    "endpoint": "https://s3.example",
    "region": "eu-central-1",
    "accessKeyId": "AKIDEXAMPLE",
    "secret": {"name": "guide-blobs", "key": "secret_access_key"},
}
# Memory of the process that runs identity, without hashing, in MiB; values.yaml has the derivation.
BASE = {"single": 256, "distributed": 128}
PORTS = {"http": 8080, "internal": 8081, "grpc": 8082}


def example(mode):
    return yaml.safe_load((CHART / f"ci/{mode}.yaml").read_text())


def render(values):
    with helm_python.Chart.load(str(CHART)) as chart:
        return chart.render(values, name="city", namespace="guide")


def documents(rendered):
    found = []
    for name, text in rendered.items():
        if name.endswith(".yaml"):
            found += [document for document in yaml.safe_load_all(text) if document]
    return found


def reaching(made, number):
    """The components whose network policies allow connections to this port."""
    return {
        policy["spec"]["podSelector"]["matchLabels"].get("app.kubernetes.io/component")
        for policy in made
        if policy["kind"] == "NetworkPolicy"
        for rule in policy["spec"].get("egress", [])
        if any(port["port"] == number for port in rule.get("ports", []))
    }


@cache
def _manifests(mode):
    return documents(render(example(mode)))


def manifests(mode, *kinds):
    every = copy.deepcopy(_manifests(mode))
    return [each for each in every if not kinds or each["kind"] in kinds]


def named(mode, kind, name):
    (found,) = [each for each in manifests(mode, kind) if each["metadata"]["name"] == name]
    return found


def title(manifest):
    return f"{manifest['kind']} {manifest['metadata']['name']}"


def pod_of(workload):
    return workload["spec"]["template"]


def workloads(mode):
    return manifests(mode, "Deployment", "Job")


def environment(workload):
    (container,) = pod_of(workload)["spec"]["containers"]
    return {each["name"]: each["value"] for each in container["env"]}


def component(manifest):
    return manifest["metadata"]["labels"]["app.kubernetes.io/component"]


def selects(selector, labels):
    return selector.items() <= labels.items()


def mebibytes(quantity):
    number, unit = re.fullmatch(r"(\d+)([MG])i", quantity).groups()
    return int(number) * (1024 if unit == "G" else 1)


def targets():
    """The program's table of targets, by name; the chart is made of it."""
    return {each["name"]: each for each in json.loads((CHART / "targets.json").read_text())}


class EveryMode(unittest.TestCase):
    looking_at = ""

    def each(self, mode, found):
        """Each manifest in turn; a failure names the one that was looked at."""
        self.assertTrue(found, f"nothing to look at in mode {mode}")
        for manifest in found:
            self.looking_at = f"mode {mode}, {title(manifest)}"
            yield manifest

    def _formatMessage(self, msg, standardMsg):
        return super()._formatMessage(msg or self.looking_at, standardMsg)

    def test_helm_finds_nothing_to_say(self):
        for mode in MODES:
            findings = helm_python.lint(str(CHART), values=example(mode))
            # 1 is a remark, such as a missing icon; 2 a warning, 3 an error.
            worse = [each for each in findings["messages"] if each["severity"] > 1]
            self.assertEqual(worse, [], mode)

    def test_manifests_are_strictly_valid(self):
        for mode in MODES:
            for manifest in self.each(mode, manifests(mode)):
                if manifest["kind"] not in CUSTOM:
                    try:
                        kubernetes_validate.validate(manifest, KUBERNETES, strict=True)
                    except kubernetes_validate.ValidationError as error:
                        self.fail(f"{self.looking_at}: {error.message}")

    def test_manifests_are_told_apart(self):
        for mode in MODES:
            titles = [title(each) for each in manifests(mode)]
            self.assertEqual(len(titles), len(set(titles)))
            for manifest in self.each(mode, manifests(mode)):
                self.assertLessEqual(len(manifest["metadata"]["name"]), 63)
                self.assertEqual(manifest["metadata"]["labels"]["app.kubernetes.io/instance"], "city")

    def test_pods_have_no_privilege(self):
        for mode in MODES:
            for workload in self.each(mode, workloads(mode)):
                pod = pod_of(workload)["spec"]
                self.assertIs(pod["automountServiceAccountToken"], False)
                self.assertIs(pod["securityContext"]["runAsNonRoot"], True)
                self.assertGreater(pod["securityContext"]["runAsUser"], 0)
                self.assertEqual(pod["securityContext"]["seccompProfile"], {"type": "RuntimeDefault"})
                self.assertNotEqual(pod["serviceAccountName"], "default")
                for field in ("hostNetwork", "hostPID", "hostIPC"):
                    self.assertNotIn(field, pod)
                for volume in pod["volumes"]:
                    self.assertNotIn("hostPath", volume)
                for container in pod["containers"]:
                    context = container["securityContext"]
                    self.assertIs(context["readOnlyRootFilesystem"], True)
                    self.assertIs(context["allowPrivilegeEscalation"], False)
                    self.assertEqual(context["capabilities"], {"drop": ["ALL"]})

    def test_accounts_exist_and_carry_no_token(self):
        for mode in MODES:
            accounts = {each["metadata"]["name"]: each for each in manifests(mode, "ServiceAccount")}
            used = {pod_of(each)["spec"]["serviceAccountName"] for each in workloads(mode)}
            self.assertEqual(used, set(accounts))
            for account in self.each(mode, list(accounts.values())):
                self.assertIs(account["automountServiceAccountToken"], False)

    def test_resources_are_set(self):
        for mode in MODES:
            for workload in self.each(mode, workloads(mode)):
                for container in pod_of(workload)["spec"]["containers"]:
                    self.assertLessEqual({"cpu", "memory"}, set(container["resources"]["requests"]))
                    self.assertIn("memory", container["resources"]["limits"])

    def test_passwords_hashed_on_all_cores_fit_into_the_memory(self):
        # A stored hash in identity's own test begins with the memory that hashing takes.
        source = (ROOT / "services/identity/src/domain/password.rs").read_text()
        (kibibytes,) = re.findall(r"\$argon2id\$v=19\$m=(\d+),", source)
        one = int(kibibytes) / 1024
        for mode in MODES:
            (workload,) = [each for each in manifests(mode, "Deployment") if component(each) in ("all", "identity")]
            (container,) = pod_of(workload)["spec"]["containers"]
            resources = container["resources"]
            memory = {key: mebibytes(resources[key]["memory"]) for key in ("requests", "limits")}
            # As many passwords are hashed concurrently as there are whole cores.
            cores = int(resources["limits"]["cpu"])
            self.assertGreaterEqual(memory["limits"], 1.5 * (BASE[mode] + cores * one), mode)
            self.assertGreaterEqual(memory["requests"], BASE[mode] + 2 * one, mode)

    def test_probes_are_on_the_internal_port(self):
        paths = {
            "startupProbe": "/health/live",
            "livenessProbe": "/health/live",
            "readinessProbe": "/health/ready",
        }
        for mode in MODES:
            for workload in self.each(mode, manifests(mode, "Deployment")):
                (container,) = pod_of(workload)["spec"]["containers"]
                for probe, path in paths.items():
                    self.assertEqual(container[probe]["httpGet"], {"path": path, "port": "internal"})
                for port in container["ports"]:
                    self.assertEqual(port["containerPort"], PORTS[port["name"]])
                listens = environment(workload)["CITYGUIDE__HTTP__INTERNAL_LISTEN"]
                self.assertEqual(listens, f"0.0.0.0:{PORTS['internal']}")

    def test_secrets_come_as_files_from_secrets_that_exist(self):
        for mode in MODES:
            # The only Secret that the chart makes is for the pods' own certificate.
            made = [each["metadata"]["name"] for each in manifests(mode, "Secret")]
            self.assertEqual(made, ["city-cityguide-rpc"] if mode == "distributed" else [])
            for workload in self.each(mode, workloads(mode)):
                (container,) = pod_of(workload)["spec"]["containers"]
                self.assertNotIn("envFrom", container)
                mounted = {
                    f"/run/secrets/cityguide/{item['path']}"
                    for volume in pod_of(workload)["spec"]["volumes"]
                    if volume["name"] == "secrets"
                    for source in volume["projected"]["sources"]
                    for item in source["secret"]["items"]
                }
                named_in_environment = set()
                for variable in container["env"]:
                    self.assertNotIn("valueFrom", variable)
                    name, value = variable["name"], variable["value"]
                    self.assertNotRegex(name, r"(KEY|PASSWORD|TOKEN|(DATABASE|BUS|CACHE)__URL)$")
                    self.assertNotRegex(value, r"://[^/]*@")
                    if name.endswith("_FILE") and value.startswith("/run/secrets/"):
                        named_in_environment.add(value)
                self.assertEqual(mounted, named_in_environment)
                self.assertTrue(mounted)

    def test_the_program_knows_every_setting(self):
        defaults = tomllib.loads((ROOT / "deploy/server/defaults.toml").read_text())
        for mode in MODES:
            for workload in self.each(mode, workloads(mode)):
                for name in environment(workload):
                    section, key = name.removeprefix("CITYGUIDE__").lower().split("__", 1)
                    if section == "services":
                        self.assertIn(key.removesuffix("__url"), targets())
                    else:
                        *tables, key = key.split("__")
                        keys = defaults[section]
                        for table in tables:
                            keys = keys[table]
                        self.assertTrue(key in keys or key.removesuffix("_file") in keys, name)

    def test_who_answers_the_public_knows_the_proxies_before_it(self):
        for mode in MODES:
            networks = {}
            for workload in self.each(mode, manifests(mode, "Deployment")):
                listed = environment(workload).get("CITYGUIDE__HTTP__TRUSTED_PROXIES")
                if listed is not None:
                    networks[component(workload)] = json.loads(listed)
            self.assertEqual(list(networks), ["all" if mode == "single" else "gateway"])
            for network in next(iter(networks.values())):
                ipaddress.ip_network(network)

    def test_what_is_written_to_is_a_volume(self):
        for mode in MODES:
            for workload in self.each(mode, workloads(mode)):
                pod = pod_of(workload)["spec"]
                (container,) = pod["containers"]
                mounts = {each["name"]: each["mountPath"] for each in container["volumeMounts"]}
                self.assertEqual(set(mounts), {each["name"] for each in pod["volumes"]})
                self.assertEqual(mounts["tmp"], "/tmp")
                folder = environment(workload).get("CITYGUIDE__BLOBS__FOLDER")
                if folder:
                    self.assertTrue(folder.startswith(mounts["blobs"] + "/"))
                    claims = [each["persistentVolumeClaim"] for each in pod["volumes"] if each["name"] == "blobs"]
                    self.assertEqual(claims, [{"claimName": "city-cityguide-blobs"}])

    def test_pictures_in_a_bucket_need_no_volume(self):
        mail = {"host": "smtp.example", "from": "City Guide <post@guide.example>", "contactTo": "editor@guide.example"}
        keys = tomllib.loads((ROOT / "deploy/server/defaults.toml").read_text())["blobs"]["s3"]
        for mode in MODES:
            values = example(mode)
            values["blobs"] = values.get("blobs", {}) | {"s3": BUCKET}
            values["mail"] = values.get("mail", {}) | mail
            values["content"] = {"existingClaim": "guide-content", "path": "demo"}
            values["networkPolicy"] = values.get("networkPolicy", {}) | {"blobs": {"port": 9443, "to": [{"namespaceSelector": {}}]}}
            made = documents(render(values))
            self.assertEqual([title(each) for each in made if each["kind"] == "PersistentVolumeClaim"], [])
            keeping = set()
            for workload in [each for each in made if each["kind"] in ("Deployment", "Job")]:
                told = environment(workload)
                self.assertNotIn("CITYGUIDE__BLOBS__FOLDER", told)
                self.assertNotIn("blobs", [volume["name"] for volume in pod_of(workload)["spec"]["volumes"]])
                names = {name for name in told if name.startswith("CITYGUIDE__BLOBS__S3__")}
                if not names:
                    continue
                keeping.add(component(workload))
                self.assertEqual({name.split("__")[-1].lower().removesuffix("_file") for name in names}, set(keys))
                self.assertEqual(told["CITYGUIDE__BLOBS__S3__BUCKET"], "guide-pictures")
                (volume,) = [each for each in pod_of(workload)["spec"]["volumes"] if each["name"] == "secrets"]
                mounted = {
                    "/run/secrets/cityguide/" + item["path"]: (source["secret"]["name"], item["key"])
                    for source in volume["projected"]["sources"]
                    for item in source["secret"]["items"]
                }
                file = told["CITYGUIDE__BLOBS__S3__SECRET_ACCESS_KEY_FILE"]
                self.assertEqual(mounted[file], ("guide-blobs", "secret_access_key"))
            self.assertEqual(keeping, {"content"} | ({"all"} if mode == "single" else {"gateway", "photos"}))
            self.assertEqual(reaching(made, 9443), keeping)

    def test_backups_have_their_own_job_and_secrets(self):
        store = BUCKET | {"bucket": "guide-backups", "secret": {"name": "guide-backups", "key": "secret_access_key"}}
        recipient = "age1ql3z7hjy54pw3hyww5ayyfg7zqgvc7w3j2elw8zmrj2kg5sfn9aqmcac8p"
        for mode in MODES:
            self.assertEqual(manifests(mode, "CronJob"), [])
            values = example(mode)
            values["internal"] = {"secret": {"name": "guide-internal"}}
            values["backup"] = {"enabled": True, "recipients": [recipient], "s3": store}
            values["erasures"] = {"s3": store}
            values["networkPolicy"] = values.get("networkPolicy", {}) | {"backup": {"port": 9443, "to": [{"namespaceSelector": {}}]}}
            made = documents(render(values))
            (job,) = [each for each in made if each["kind"] == "CronJob"]
            kubernetes_validate.validate(job, KUBERNETES, strict=True)
            job = job["spec"]["jobTemplate"]
            (container,) = pod_of(job)["spec"]["containers"]
            self.assertEqual(container["args"], ["backup"])
            self.assertIs(container["securityContext"]["readOnlyRootFilesystem"], True)
            told = environment(job)
            self.assertEqual(json.loads(told["CITYGUIDE__BACKUP__RECIPIENTS"]), [recipient])
            self.assertEqual(told["CITYGUIDE__BACKUP__S3__BUCKET"], "guide-backups")
            self.assertIn("CITYGUIDE__INTERNAL__KEY_FILE", told)
            defaults = tomllib.loads((ROOT / "deploy/server/defaults.toml").read_text())
            for section in ("BACKUP", "ERASURES"):
                names = {name.split("__")[-1].lower().removesuffix("_file") for name in told if name.startswith(f"CITYGUIDE__{section}__S3__")}
                self.assertEqual(names, set(defaults[section.lower()]["s3"]))
            mounts = {each["name"] for each in container["volumeMounts"]}
            self.assertEqual(mounts, {each["name"] for each in pod_of(job)["spec"]["volumes"]})
            # Of the Deployments, only identity's writes to the register, and none has the store of backups.
            writing = {
                component(each): {name.split("__")[1] for name in environment(each) if "__S3__" in name}
                for each in made
                if each["kind"] == "Deployment"
            }
            identity = "all" if mode == "single" else "identity"
            self.assertEqual({name: found for name, found in writing.items() if found}, {identity: {"ERASURES"}})
            self.assertEqual(reaching(made, 9443), {"backup", identity})
            values["backup"] |= {"s3": {}, "existingClaim": "backups", "database": False}
            (job,) = [each for each in documents(render(values)) if each["kind"] == "CronJob"]
            kubernetes_validate.validate(job, KUBERNETES, strict=True)
            (container,) = pod_of(job["spec"]["jobTemplate"])["spec"]["containers"]
            self.assertEqual(container["args"], ["backup", "--without-database"])
            self.assertIn({"name": "backups", "mountPath": "/backups"}, container["volumeMounts"])
            for missing in ({"recipients": []}, {"existingClaim": ""}):
                with self.assertRaises(Exception):
                    render(values | {"backup": values["backup"] | missing})
            with self.assertRaises(Exception):
                render(values | {"internal": {"secret": {"name": ""}}})

    def test_mail_without_a_server_keeps_the_volume(self):
        values = example("single")
        values["blobs"] = values.get("blobs", {}) | {"s3": BUCKET}
        made = documents(render(values))
        claims = [each["metadata"]["name"] for each in made if each["kind"] == "PersistentVolumeClaim"]
        self.assertEqual(claims, ["city-cityguide-blobs"])

    def test_pods_get_longer_to_end_than_the_program_takes(self):
        for mode in MODES:
            for workload in self.each(mode, manifests(mode, "Deployment")):
                shutdown = environment(workload)
                grace = int(shutdown["CITYGUIDE__SHUTDOWN__DELAY_SECONDS"])
                grace += int(shutdown["CITYGUIDE__SHUTDOWN__GRACE_SECONDS"])
                self.assertGreater(pod_of(workload)["spec"]["terminationGracePeriodSeconds"], grace)

    def test_selectors_find_pods(self):
        for mode in MODES:
            pods = [pod_of(each)["metadata"]["labels"] for each in workloads(mode)]
            for workload in self.each(mode, manifests(mode, "Deployment")):
                labels = pod_of(workload)["metadata"]["labels"]
                self.assertTrue(selects(workload["spec"]["selector"]["matchLabels"], labels))
                for spread in pod_of(workload)["spec"]["topologySpreadConstraints"]:
                    self.assertTrue(selects(spread["labelSelector"]["matchLabels"], labels))
            for service in self.each(mode, manifests(mode, "Service")):
                found = [each for each in workloads(mode) if selects(service["spec"]["selector"], pod_of(each)["metadata"]["labels"])]
                self.assertEqual([component(each) for each in found], [component(service)])
                (container,) = pod_of(found[0])["spec"]["containers"]
                open_ports = {each["name"] for each in container["ports"]}
                self.assertEqual({each["targetPort"] for each in service["spec"]["ports"]}, open_ports)
            for policy in self.each(mode, manifests(mode, "NetworkPolicy")):
                selector = policy["spec"]["podSelector"]["matchLabels"]
                self.assertTrue(any(selects(selector, labels) for labels in pods))

    def test_disruption_budgets_are_for_more_than_one_pod(self):
        for mode in MODES:
            scalers = {component(each): each for each in manifests(mode, "HorizontalPodAutoscaler")}
            budgets = {component(each) for each in manifests(mode, "PodDisruptionBudget")}
            above_one = set()
            for workload in self.each(mode, manifests(mode, "Deployment")):
                scaler = scalers.get(component(workload))
                self.assertEqual("replicas" in workload["spec"], scaler is None)
                fewest = scaler["spec"]["minReplicas"] if scaler else workload["spec"]["replicas"]
                if fewest > 1:
                    above_one.add(component(workload))
            self.assertEqual(budgets, above_one)

    def test_jobs_are_hooks_with_all_they_need_before_them(self):
        after = "post-install,post-upgrade"
        hooks = {"migrate": "pre-install,pre-upgrade", "content": after, "campaigns": after}
        for mode in MODES:
            for job in self.each(mode, manifests(mode, "Job")):
                self.assertEqual(job["metadata"]["annotations"]["helm.sh/hook"], hooks[component(job)])
                for kind in ("ServiceAccount", "NetworkPolicy"):
                    needed = named(mode, kind, job["metadata"]["name"])["metadata"]["annotations"]
                    self.assertEqual(needed["helm.sh/hook"], hooks[component(job)])
                    weight = int(job["metadata"]["annotations"]["helm.sh/hook-weight"])
                    self.assertLess(int(needed["helm.sh/hook-weight"]), weight)
            (migrate,) = [each for each in manifests(mode, "Job") if component(each) == "migrate"]
            self.assertEqual(pod_of(migrate)["spec"]["containers"][0]["args"], ["migrate"])


class Network(unittest.TestCase):
    def ways(self, mode, labels, direction):
        """What policies let a pod do, as (port, peers) pairs."""
        key = {"Ingress": "from", "Egress": "to"}[direction]
        found = []
        for policy in manifests(mode, "NetworkPolicy"):
            if selects(policy["spec"]["podSelector"]["matchLabels"], labels):
                for rule in policy["spec"].get(direction.lower(), []):
                    self.assertTrue(rule["ports"])
                    found += [(each["port"], rule.get(key)) for each in rule["ports"]]
        return found

    def test_everything_is_denied_first(self):
        for mode in MODES:
            deny = named(mode, "NetworkPolicy", "city-cityguide-default-deny")["spec"]
            self.assertEqual(set(deny), {"podSelector", "policyTypes"})
            self.assertEqual(set(deny["policyTypes"]), {"Ingress", "Egress"})
            for workload in workloads(mode):
                labels = pod_of(workload)["metadata"]["labels"]
                self.assertTrue(selects(deny["podSelector"]["matchLabels"], labels))

    def test_the_internal_port_is_for_monitoring_alone_and_the_public_one_for_the_ingress(self):
        for mode in MODES:
            for workload in manifests(mode, "Deployment"):
                for port, peers in self.ways(mode, pod_of(workload)["metadata"]["labels"], "Ingress"):
                    self.assertTrue(peers, "a way in names who may come")
                    spaces = [each["namespaceSelector"]["matchLabels"]["kubernetes.io/metadata.name"] for each in peers if "namespaceSelector" in each]
                    expected = {"internal": ["monitoring"], "http": ["ingress-nginx"], "grpc": []}
                    self.assertEqual(spaces, expected[port], title(workload))

    def test_services_answer_who_calls_them_and_nobody_else(self):
        callers, callees = {}, {}
        for workload in manifests("distributed", "Deployment"):
            labels, name = pod_of(workload)["metadata"]["labels"], component(workload)
            for found, direction in ((callers, "Ingress"), (callees, "Egress")):
                found[name] = {
                    each["podSelector"]["matchLabels"]["app.kubernetes.io/component"]
                    for port, peers in self.ways("distributed", labels, direction)
                    if port in ("grpc", PORTS["grpc"])
                    for each in peers
                }
            wired = re.findall(r"SERVICES__(\w+?)__URL", " ".join(environment(workload)))
            self.assertEqual(callees[name], {each.lower() for each in wired}, name)
        expected = {name: {other["name"] for other in targets().values() if name in other["calls"]} for name in targets()}
        self.assertEqual(callers, expected)
        self.assertEqual(expected["places"], {"gateway", "bookmarks", "editorial", "identity", "newsletters", "photos"})

    def test_the_ways_out_are_those_to_what_a_pod_stands_on(self):
        ports = {"DATABASE": 5432, "BUS": 5672, "CACHE": 6379}
        for mode in MODES:
            for workload in workloads(mode):
                expected = {53} | {ports[each] for each in ports if f"CITYGUIDE__{each}__URL_FILE" in environment(workload)}
                if mode == "distributed" and workload["kind"] == "Deployment":
                    expected.add(4317)
                ways = {port for port, _ in self.ways(mode, pod_of(workload)["metadata"]["labels"], "Egress")}
                self.assertEqual(ways - {PORTS["grpc"]}, expected, title(workload))

    def test_policies_can_be_left_out(self):
        values = example("distributed") | {"networkPolicy": {"enabled": False}}
        self.assertNotIn("kind: NetworkPolicy", "".join(render(values).values()))


class Single(unittest.TestCase):
    def test_one_pod_runs_every_target_with_bus_and_cache_of_its_own(self):
        (deployment,) = manifests("single", "Deployment")
        self.assertEqual(deployment["spec"]["replicas"], 1)
        self.assertEqual(deployment["spec"]["strategy"], {"type": "Recreate"})
        self.assertEqual(pod_of(deployment)["spec"]["containers"][0]["args"], ["serve"])
        names = set(environment(deployment))
        self.assertIn("CITYGUIDE__DATABASE__URL_FILE", names)
        self.assertFalse([each for each in names if re.search("BUS|CACHE|SERVICES|RPC|INTERNAL__KEY", each)])
        self.assertEqual(environment(deployment)["CITYGUIDE__SITE__FILE"], "/usr/share/cityguide/sites/guide.toml")

    def test_pictures_have_a_volume_that_outlives_the_release(self):
        (claim,) = manifests("single", "PersistentVolumeClaim")
        self.assertEqual(claim["spec"]["accessModes"], ["ReadWriteOnce"])
        self.assertEqual(claim["metadata"]["annotations"]["helm.sh/resource-policy"], "keep")

    def test_content_runs_beside_the_volume_of_one_node(self):
        jobs = yaml.safe_load_all(render(example("single") | {"content": {"existingClaim": "city"}})["cityguide/templates/jobs.yaml"])
        (content,) = [each for each in jobs if each and each["kind"] == "Job" and component(each) == "content"]
        self.assertEqual(pod_of(content)["spec"]["containers"][0]["args"], ["content", "apply", "/content"])
        (term,) = pod_of(content)["spec"]["affinity"]["podAffinity"]["requiredDuringSchedulingIgnoredDuringExecution"]
        (deployment,) = manifests("single", "Deployment")
        self.assertTrue(selects(term["labelSelector"]["matchLabels"], pod_of(deployment)["metadata"]["labels"]))


class Distributed(unittest.TestCase):
    def test_there_is_one_deployment_for_each_target_of_the_program(self):
        deployments = {component(each): each for each in manifests("distributed", "Deployment")}
        self.assertEqual(set(deployments), set(targets()))
        self.assertLess({"identity", "places", "gateway"}, set(deployments))
        for name, deployment in deployments.items():
            args = pod_of(deployment)["spec"]["containers"][0]["args"]
            self.assertEqual(args, ["serve", "--target", name])

    def test_values_differ_by_target_and_a_target_that_is_not_there_is_refused(self):
        values = example("distributed") | {"services": {"bookmarks": {"replicas": 5}}}
        replicas = {component(each): each["spec"].get("replicas") for each in documents(render(values)) if each["kind"] == "Deployment"}
        self.assertEqual((replicas["bookmarks"], replicas["places"]), (5, 2))
        with self.assertRaisesRegex(Exception, "services.shop: there is no such target; there are ads, bookmarks, "):
            render(example("distributed") | {"services": {"shop": {"replicas": 1}}})

    def test_addresses_lead_to_services_that_answer(self):
        services = {each["metadata"]["name"]: each for each in manifests("distributed", "Service")}
        for deployment in manifests("distributed", "Deployment"):
            called = set()
            for name, value in environment(deployment).items():
                wired = re.fullmatch(r"CITYGUIDE__SERVICES__(\w+)__URL", name)
                if wired:
                    host, port = re.fullmatch(r"https://([^:]+):(\d+)", value).groups()
                    self.assertEqual(component(services[host]), wired[1].lower())
                    self.assertIn(int(port), [each["port"] for each in services[host]["spec"]["ports"]])
                    called.add(wired[1].lower())
            self.assertEqual(called, set(targets()[component(deployment)]["calls"]))

    def test_processes_share_bus_cache_and_key(self):
        for deployment in manifests("distributed", "Deployment"):
            names = set(environment(deployment))
            for name in ("BUS__URL_FILE", "CACHE__URL_FILE", "INTERNAL__KEY_FILE"):
                self.assertIn(f"CITYGUIDE__{name}", names)
            # The gateway has no tables, so it holds no key to them.
            self.assertEqual("CITYGUIDE__DATABASE__URL_FILE" in names, component(deployment) != "gateway")

    def test_pods_know_the_authorities_of_the_servers_that_they_use(self):
        values = example("distributed")
        for server in ("database", "bus", "cache"):
            values[server] = values[server] | {"ca": {"name": f"{server}-ca", "key": "root.pem"}}
        for workload in [each for each in documents(render(values)) if each["kind"] in ("Deployment", "Job")]:
            (volume,) = [each for each in pod_of(workload)["spec"]["volumes"] if each["name"] == "secrets"]
            mounted = {
                item["path"]: (source["secret"]["name"], item["key"])
                for source in volume["projected"]["sources"]
                for item in source["secret"]["items"]
            }
            files = environment(workload)
            for server in ("database", "bus", "cache"):
                has_url = f"{server}-url" in mounted
                self.assertEqual(mounted.get(f"{server}-ca"), (f"{server}-ca", "root.pem") if has_url else None)
                variable = f"CITYGUIDE__{server.upper()}__CA_FILE"
                expected = f"/run/secrets/cityguide/{server}-ca" if has_url else None
                self.assertEqual(files.get(variable), expected)
        # Without a configured authority, pods get no file.
        for deployment in manifests("distributed", "Deployment"):
            for server in ("DATABASE", "BUS", "CACHE", "OTLP"):
                self.assertNotIn(f"CITYGUIDE__{server}__CA_FILE", environment(deployment))

    def test_pods_know_the_authority_of_a_collector_over_tls(self):
        otlp = {"url": "https://collector.monitoring:4317", "ca": {"name": "collector", "key": "root.pem"}}
        for mode in MODES:
            for deployment in [each for each in documents(render(example(mode) | {"otlp": otlp})) if each["kind"] == "Deployment"]:
                files = environment(deployment)
                self.assertEqual(files["CITYGUIDE__OTLP__URL"], otlp["url"])
                self.assertEqual(files["CITYGUIDE__OTLP__CA_FILE"], "/run/secrets/cityguide/otlp-ca")

    def test_jobs_know_no_third_party(self):
        google = {"clientId": "guide.apps.example", "secret": {"name": "guide-google", "key": "client-secret"}}
        facebook = {"appId": "4207849484", "secret": {"name": "guide-facebook", "key": "app-secret"}}
        content = {"existingClaim": "city", "path": "toronto"}
        values = {"calendars": {"google": google}, "facebook": facebook, "content": content}
        for mode in MODES:
            jobs = [each for each in documents(render(example(mode) | values)) if each["kind"] == "Job"]
            self.assertGreater(len(jobs), 1)
            for job in jobs:
                # The program refuses a client without its secret, which jobs do not get.
                self.assertNotRegex(" ".join(environment(job)), "CALENDAR|FACEBOOK")

    def test_each_service_may_have_a_database_role_of_its_own(self):
        own = {name: {"name": f"{name}-database", "key": "dsn"} for name in ("identity", "places")}
        values = example("distributed")
        values["database"] = values["database"] | {"migrationSecret": {"name": "owner-database", "key": "url"}}
        values["services"] = values["services"] | {name: {"databaseSecret": secret} for name, secret in own.items()}
        shared = {"name": "cityguide-database", "key": "url"}
        used = {}
        for workload in [each for each in documents(render(values)) if each["kind"] in ("Deployment", "Job")]:
            (volume,) = [each for each in pod_of(workload)["spec"]["volumes"] if each["name"] == "secrets"]
            for source in volume["projected"]["sources"]:
                for item in source["secret"]["items"]:
                    if item["path"] == "database-url":
                        used[component(workload)] = {"name": source["secret"]["name"], "key": item["key"]}
        keeping = ("ads", "bookmarks", "editorial", "newsletters", "photos", "content")
        expected = own | {name: shared for name in keeping}
        self.assertEqual(used, expected | {"migrate": values["database"]["migrationSecret"]})
        # The documentation creates roles for the services with tables.
        (services,) = re.findall(r"ARRAY\['(.+)'\] LOOP", (ROOT / "docs/DEPLOYING.md").read_text())
        self.assertEqual(services.split("', '"), [name for name, each in targets().items() if "database" in each["stores"]])
        values["services"]["gateway"] = {"databaseSecret": shared}
        with self.assertRaisesRegex(Exception, "services.gateway.databaseSecret: this target has no tables"):
            render(values)

    def test_those_that_write_mail_alone_reach_the_server_that_is_named(self):
        mail = {
            "from": "City Guide <post@guide.example>",
            "contactTo": "editor@guide.example",
            "host": "smtp.example",
            "port": 465,
            "security": "tls",
            "user": "city",
            "secret": {"name": "guide-mail", "key": "password"},
        }
        keys = tomllib.loads((ROOT / "deploy/server/defaults.toml").read_text())["mail"]
        for mode, mailing in (("single", ["all"]), ("distributed", ["editorial", "identity", "newsletters"])):
            for values in (example(mode), example(mode) | {"mail": mail}):
                has_server = "mail" in values
                made = documents(render(values))
                for deployment in [each for each in made if each["kind"] == "Deployment"]:
                    told = environment(deployment)
                    names = {name for name in told if name.startswith("CITYGUIDE__MAIL__")}
                    is_mailing = component(deployment) in mailing
                    self.assertEqual(bool(names), is_mailing)
                    for name in names:
                        self.assertIn(name.split("__")[-1].lower().removesuffix("_file"), keys)
                    self.assertEqual("CITYGUIDE__MAIL__PASSWORD_FILE" in names, is_mailing and has_server)
                    self.assertEqual(told.get("CITYGUIDE__MAIL__HOST"), "smtp.example" if is_mailing and has_server else None)
                egress = [each for each in made if each["kind"] == "NetworkPolicy" and each["metadata"]["name"].endswith("-egress")]
                reaching = sorted(
                    policy["metadata"]["name"]
                    for policy in egress
                    if any(port["port"] == 465 for rule in policy["spec"].get("egress", []) for port in rule.get("ports", []))
                )
                self.assertEqual(reaching, [f"city-cityguide-{name}-egress" for name in mailing] if has_server else [])

    def test_those_that_write_mail_sign_it(self):
        dkim = {"domain": "guide.example", "selector": "city", "secret": {"name": "guide-dkim", "key": "dkim.pem"}}
        values = example("distributed") | {"mail": {"dkim": dkim}, "newsletters": {"postalAddress": "1 Queen Street, Toronto"}}
        mailing = ["editorial", "identity", "newsletters"]
        for deployment in [each for each in documents(render(values)) if each["kind"] == "Deployment"]:
            told, is_mailing = environment(deployment), component(deployment) in mailing
            signs = {
                "CITYGUIDE__MAIL__DKIM__DOMAIN": "guide.example",
                "CITYGUIDE__MAIL__DKIM__SELECTOR": "city",
                "CITYGUIDE__MAIL__DKIM__KEY_FILE": "/run/secrets/cityguide/mail-dkim-key",
                "CITYGUIDE__NEWSLETTERS__POSTAL_ADDRESS": "1 Queen Street, Toronto",
            }
            for name, value in signs.items():
                self.assertEqual(told.get(name), value if is_mailing else None)
        nameless = {"mail": {"dkim": dkim | {"domain": ""}}}
        with self.assertRaises(Exception):
            render(example("distributed") | nameless)

    def test_newsletters_alone_reaches_amazon_to_verify_its_reports(self):
        topic = "arn:aws:sns:ca-central-1:123456789012:bounces"
        for mode, reporting in (("single", "all"), ("distributed", "newsletters")):
            for values in ({"newsletters": {"sesTopic": topic}}, {}):
                made = documents(render(example(mode) | values))
                told = [environment(each).get("CITYGUIDE__NEWSLETTERS__WEBHOOKS__SES") for each in made if each["kind"] == "Deployment"]
                self.assertEqual(set(told) - {None}, {topic} if values else set())
                reaching = [
                    policy["metadata"]["name"]
                    for policy in made
                    if policy["kind"] == "NetworkPolicy" and policy["metadata"]["name"].endswith("-egress")
                    and any(port["port"] == 443 for rule in policy["spec"].get("egress", []) for port in rule.get("ports", []))
                ]
                self.assertEqual(reaching, [f"city-cityguide-{reporting}-egress"] if values else [])
        with self.assertRaises(Exception):
            render(example("distributed") | {"newsletters": {"sesTopic": "bounces"}})

    def test_editorial_alone_reaches_the_web_to_poll_sources(self):
        sources = '[[sources]]\nname = "desk"\nkind = "articles"\nurl = "https://desk.example/feed"\nevery_minutes = 30\n'
        toml = (ROOT / "deploy/sites/guide.toml").read_text()
        for mode, polling in (("single", "all"), ("distributed", "editorial")):
            for text in (toml, toml + sources):
                made = documents(render(example(mode) | {"site": example(mode)["site"] | {"toml": text}}))
                reaching = {
                    policy["metadata"]["name"]: port["port"]
                    for policy in made
                    if policy["kind"] == "NetworkPolicy" and policy["metadata"]["name"].endswith("-egress")
                    for rule in policy["spec"].get("egress", [])
                    for port in rule.get("ports", [])
                    if port["port"] == 80
                }
                self.assertEqual(list(reaching), [f"city-cityguide-{polling}-egress"] if sources in text else [])

    def test_identity_alone_has_the_secrets_of_third_parties_and_reaches_them(self):
        google = {"clientId": "guide.apps.example", "secret": {"name": "guide-google", "key": "client-secret"}}
        facebook = {"appId": "4207849484", "secret": {"name": "guide-facebook", "key": "app-secret"}}
        clients = {
            "CITYGUIDE__CALENDAR__GOOGLE__CLIENT_": ({"calendars": {"google": google}}, "ID", google["clientId"]),
            "CITYGUIDE__FACEBOOK__APP_": ({"facebook": facebook}, "ID", facebook["appId"]),
        }
        for mode, calling in (("single", ["all"]), ("distributed", ["identity"])):
            for prefix, (values, name, client) in clients.items():
                for used in (values, {}):
                    made = documents(render(example(mode) | used))
                    for deployment in [each for each in made if each["kind"] == "Deployment"]:
                        told = environment(deployment)
                        self.assertEqual(told.get(prefix + name), client if used else None)
                        has_secret = bool(used) and component(deployment) in calling
                        self.assertEqual(prefix + "SECRET_FILE" in told, has_secret)
                    reaching = {
                        policy["metadata"]["name"]
                        for policy in made
                        if policy["kind"] == "NetworkPolicy" and policy["metadata"]["name"].endswith("-egress")
                        and any(port["port"] == 443 for rule in policy["spec"].get("egress", []) for port in rule.get("ports", []))
                    }
                    callers = {f"city-cityguide-{one}-egress" for one in calling}
                    self.assertEqual(bool(callers & reaching), bool(used))

    def test_pods_speak_tls_where_a_certificate_is_named(self):
        tls = {"existingSecret": "guide-rpc", "serverName": "cityguide.internal"}
        made = documents(render(example("distributed") | {"internalTls": tls}))
        keys = tomllib.loads((ROOT / "deploy/server/defaults.toml").read_text())["rpc"]["tls"]
        for deployment in [each for each in made if each["kind"] == "Deployment"]:
            told = environment(deployment)
            addresses = [value for name, value in told.items() if name.startswith("CITYGUIDE__SERVICES__")]
            for address in addresses:
                self.assertRegex(address, r"^https://city-cityguide-[a-z]+:8082$")
            self.assertEqual(told["CITYGUIDE__RPC__TLS__SERVER_NAME"], "cityguide.internal")
            (volume,) = [each for each in pod_of(deployment)["spec"]["volumes"] if each["name"] == "secrets"]
            mounted = {
                "/run/secrets/cityguide/" + item["path"]: item["key"]
                for source in volume["projected"]["sources"]
                if source["secret"]["name"] == "guide-rpc"
                for item in source["secret"]["items"]
            }
            files = {name: value for name, value in told.items() if re.fullmatch(r"CITYGUIDE__RPC__TLS__\w+_FILE", name)}
            found = {name.split("__")[-1].lower(): mounted.pop(path) for name, path in files.items()}
            self.assertEqual(found, {"ca_file": "ca.crt", "certificate_file": "tls.crt", "key_file": "tls.key"})
            self.assertEqual(mounted, {})
            for key in found:
                self.assertIn(key.removesuffix("_file"), keys)
            kubernetes_validate.validate(deployment, KUBERNETES, strict=True)
        for service in [each for each in made if each["kind"] == "Service"]:
            self.assertNotIn("kubernetes.io/h2c", [port.get("appProtocol") for port in service["spec"]["ports"]])
        # Neither Jobs nor a single process call other processes.
        for job in [each for each in made if each["kind"] == "Job"]:
            self.assertNotIn("RPC__TLS", " ".join(environment(job)))
        self.assertNotIn("RPC__TLS", "".join(render(example("single") | {"internalTls": tls}).values()))

    def test_pods_speak_tls_with_a_certificate_of_the_chart_by_default(self):
        (secret,) = [each for each in manifests("distributed", "Secret")]
        self.assertEqual(secret["metadata"]["annotations"]["helm.sh/resource-policy"], "keep")
        with tempfile.TemporaryDirectory() as folder:
            for name, text in secret["data"].items():
                Path(folder, name).write_bytes(base64.b64decode(text))

            def openssl(*arguments):
                made = subprocess.run(["openssl", *arguments], cwd=folder, capture_output=True, text=True, check=True)
                return made.stdout

            for purpose in ("sslserver", "sslclient"):
                name = ("-verify_hostname", "city-cityguide")
                openssl("verify", "-purpose", purpose, *name, "-CAfile", "ca.crt", "tls.crt")
            public = openssl("x509", "-in", "tls.crt", "-pubkey", "-noout")
            self.assertEqual(openssl("pkey", "-in", "tls.key", "-pubout"), public)
        for deployment in manifests("distributed", "Deployment"):
            told = environment(deployment)
            self.assertEqual(told["CITYGUIDE__RPC__TLS__SERVER_NAME"], "city-cityguide")
            (volume,) = [each for each in pod_of(deployment)["spec"]["volumes"] if each["name"] == "secrets"]
            names = [source["secret"]["name"] for source in volume["projected"]["sources"]]
            self.assertIn(secret["metadata"]["name"], names)
        self.assertEqual(manifests("single", "Secret", "Certificate"), [])

    def test_cert_manager_issues_the_certificate_of_pods(self):
        issuer = {"name": "internal", "kind": "ClusterIssuer"}
        made = documents(render(example("distributed") | {"internalTls": {"issuer": issuer}}))
        self.assertEqual([title(each) for each in made if each["kind"] == "Secret"], [])
        (certificate,) = [each for each in made if each["kind"] == "Certificate"]
        spec = certificate["spec"]
        self.assertEqual(spec["issuerRef"], issuer | {"group": "cert-manager.io"})
        self.assertEqual(spec["usages"], ["server auth", "client auth"])
        for deployment in [each for each in made if each["kind"] == "Deployment"]:
            self.assertEqual(spec["dnsNames"], [environment(deployment)["CITYGUIDE__RPC__TLS__SERVER_NAME"]])

    def test_pods_speak_clear_text_only_if_asked_to(self):
        made = documents(render(example("distributed") | {"internalTls": {"enabled": False}}))
        self.assertEqual([title(each) for each in made if each["kind"] in ("Secret", "Certificate")], [])
        for deployment in [each for each in made if each["kind"] == "Deployment"]:
            self.assertNotIn("RPC__TLS", " ".join(environment(deployment)))

    def test_pods_reach_only_the_cluster_unless_told_otherwise(self):
        for mode in MODES:
            for policy in manifests(mode, "NetworkPolicy"):
                for rule in policy["spec"].get("egress", []):
                    peers = rule["to"]
                    self.assertTrue(peers)
                    self.assertEqual([peer for peer in peers if "ipBlock" in peer], [])

    def test_only_the_gateway_faces_the_public(self):
        public = [component(each) for each in manifests("distributed", "Service") if "http" in [port["name"] for port in each["spec"]["ports"]]]
        self.assertEqual(public, ["gateway"])
        (ingress,) = manifests("distributed", "Ingress")
        (rule,) = ingress["spec"]["rules"]
        self.assertEqual(rule["host"], "guide.example")
        backend = rule["http"]["paths"][0]["backend"]["service"]
        self.assertEqual(backend, {"name": "city-cityguide-gateway", "port": {"name": "http"}})

    def test_no_pod_is_missed_while_new_ones_come(self):
        for deployment in manifests("distributed", "Deployment"):
            self.assertEqual(deployment["spec"]["strategy"]["rollingUpdate"], {"maxSurge": 1, "maxUnavailable": 0})

    def test_the_sites_settings_are_files_of_the_pods(self):
        (site,) = manifests("distributed", "ConfigMap")
        self.assertIn('city = "Toronto"', site["data"]["site.toml"])
        self.assertEqual(list(site["binaryData"]), ["logo.svg"])

    def test_those_that_read_the_sites_settings_have_them_and_change_with_them(self):
        # The site's file sets pages, mails, sources and, for newsletters and ads, the time zone.
        reading = {"gateway", "identity", "editorial", "newsletters", "ads"}
        other = example("distributed")
        other["site"] = other["site"] | {"toml": other["site"]["toml"] + "# changed"}
        changed = {title(each): each for each in documents(render(other))}
        for deployment in manifests("distributed", "Deployment"):
            with self.subTest(component(deployment)):
                reads = component(deployment) in reading
                file = "/etc/cityguide/site.toml" if reads else None
                self.assertEqual(environment(deployment).get("CITYGUIDE__SITE__FILE"), file)
                pod = pod_of(deployment)
                mount = {"name": "site", "mountPath": "/etc/cityguide", "readOnly": True}
                self.assertEqual(mount in pod["spec"]["containers"][0]["volumeMounts"], reads)
                volume = {"name": "site", "configMap": {"name": "city-cityguide-site"}}
                self.assertEqual(volume in pod["spec"]["volumes"], reads)
                after = pod_of(changed[title(deployment)])["metadata"]["annotations"]
                self.assertEqual(after != pod["metadata"]["annotations"], reads)

    def test_content_is_published_for_the_site_that_the_gateway_serves(self):
        gateway = named("distributed", "Deployment", "city-cityguide-gateway")
        content = named("distributed", "Job", "city-cityguide-content")
        told = [environment(each)["CITYGUIDE__SITE__FILE"] for each in (gateway, content)]
        self.assertEqual(told, ["/etc/cityguide/site.toml"] * 2)
        for workload in (gateway, content):
            (volume,) = [each for each in pod_of(workload)["spec"]["volumes"] if each["name"] == "site"]
            self.assertEqual(volume["configMap"], {"name": "city-cityguide-site"})
            mounts = pod_of(workload)["spec"]["containers"][0]["volumeMounts"]
            self.assertIn({"name": "site", "mountPath": "/etc/cityguide", "readOnly": True}, mounts)
        values = example("single") | {"content": {"existingClaim": "city"}}
        values["site"] = values["site"] | {"preset": "news"}
        made = {title(each): each for each in documents(render(values))}
        for workload in (made["Deployment city-cityguide-all"], made["Job city-cityguide-content"]):
            self.assertEqual(environment(workload)["CITYGUIDE__SITE__FILE"], "/usr/share/cityguide/sites/news.toml")
            self.assertNotIn("site", [each["name"] for each in pod_of(workload)["spec"]["volumes"]])

    def test_campaigns_are_applied_from_the_volume_of_the_content(self):
        for mode in MODES:
            values = example(mode) | {"content": {"existingClaim": "city", "path": "guide", "ads": "guide-ads/"}}
            jobs = {component(each): each for each in documents(render(values)) if each["kind"] == "Job"}
            campaigns, content = pod_of(jobs["campaigns"])["spec"], pod_of(jobs["content"])["spec"]
            (container,) = campaigns["containers"]
            self.assertEqual(container["args"], ["ads", "apply", "/content/guide-ads"])
            self.assertEqual(container["env"], content["containers"][0]["env"])
            self.assertEqual(container["volumeMounts"], content["containers"][0]["volumeMounts"])
            self.assertEqual(campaigns["volumes"], content["volumes"])
        with self.assertRaisesRegex(Exception, "content.ads: name the volume"):
            render(example("single") | {"content": {"ads": "guide-ads"}})

    def test_monitoring_keeps_the_programs_own_labels(self):
        (monitor,) = manifests("distributed", "ServiceMonitor")
        (endpoint,) = monitor["spec"]["endpoints"]
        self.assertEqual((endpoint["port"], endpoint["path"]), ("internal", "/metrics"))
        self.assertIs(endpoint["honorLabels"], True)
        for service in manifests("distributed", "Service"):
            self.assertTrue(selects(monitor["spec"]["selector"]["matchLabels"], service["metadata"]["labels"]))
            self.assertEqual(service["metadata"]["labels"][monitor["spec"]["jobLabel"]], "cityguide")


    def test_alerts_are_those_that_promtool_has_tested(self):
        (rule,) = manifests("distributed", "PrometheusRule")
        tested = yaml.safe_load((ROOT / "deploy/observability/prometheus/rules.yaml").read_text())
        self.assertEqual(rule["spec"], tested)
        # Templates of alerts are Prometheus's, not Helm's.
        self.assertIn("{{ $labels.service }}", str(rule["spec"]))
        self.assertEqual(rule["metadata"]["labels"]["release"], "prometheus")
        self.assertEqual(manifests("single", "ServiceMonitor", "PrometheusRule"), [])


class Refused(unittest.TestCase):
    def refused(self, mode, path, value):
        values = example(mode)
        *folders, last = path.split("/")
        inner = values
        for folder in folders:
            inner = inner.setdefault(folder, {})
        inner[last] = value
        with self.subTest(path=path, value=value):
            with self.assertRaises(helm_python.HelmError) as refusal:
                render(values)
            self.assertIn("schema", str(refusal.exception).lower())

    def test_an_ingress_without_trusted_proxies_is_refused(self):
        with self.assertRaises(helm_python.HelmError) as refusal:
            render(example("distributed") | {"trustedProxies": []})
        self.assertIn("trustedProxies: name the networks", str(refusal.exception))

    def test_examples_are_accepted(self):
        for mode in MODES:
            render(example(mode))

    def test_nothing_at_all_is_not_enough(self):
        with self.assertRaises(helm_python.HelmError):
            render({})

    def test_bad_values(self):
        for path, value in [
            ("mode", "both"),
            ("mail/host", "smtp.example"),
            ("blobs/s3/bucket", "guide-pictures"),
            ("blobs/s3/endpoint", "s3.example"),
            ("mail/security", "maybe"),
            ("settings", {"CITYGUIDE__MAIL__PASSWORD": "secret"}),
            ("replicas", 3),
            ("site/url", "guide.example"),
            ("site/url", "https://guide.example/path"),
            ("site/preset", "magazine"),
            ("database/secret/name", ""),
            ("database/url", "postgres://user:password@host/database"),
            ("image/digest", "latest"),
            ("single/replicas", 2),
            ("single/resources", {"limits": None}),
            ("pod/user", 0),
            ("settings", {"CITYGUIDE__DATABASE__URL": "postgres://user:password@host/database"}),
            ("settings", {"CITYGUIDE__INTERNAL__KEY": "0123456789abcdef0123456789abcdef"}),
            ("settings", {"PATH": "/"}),
            ("otlp/url", "http://user:password@collector:4317"),
            ("otlp/traceRatio", 2),
            ("otlp/metrics", "no"),
            ("trustedProxies", ["localhost"]),
            ("settings", {"CITYGUIDE__HTTP__TRUSTED_PROXIES": "[]"}),
            ("networkPolicy/monitoring/from", []),
            ("networkPolicy/database/port", 70000),
            ("networkPolicy/database/to", []),
            ("networkPolicy/dns/to", []),
            ("shutdown/graceSeconds", "soon"),
            ("content/path", "../secrets"),
            ("content/ads", "/etc"),
            ("ingress/enabled", "yes"),
            ("prometheusRule/enabled", "yes"),
        ]:
            self.refused("single", path, value)
        for path, value in [
            ("bus/secret/name", ""),
            ("cache/secret/name", ""),
            ("cache/ca", {"pem": "-----BEGIN CERTIFICATE-----"}),
            ("internal/secret/name", ""),
            ("internalTls", {"existingSecret": "guide-rpc", "caKey": "a/b"}),
            ("internalTls/issuer/kind", "Secret"),
            ("settings", {"CITYGUIDE__RPC__TLS__KEY": "-----BEGIN PRIVATE KEY-----"}),
            ("settings", {"CITYGUIDE__BUS__CA_FILE": "/etc/ssl/bus-ca.pem"}),
            ("services/places/replicas", -1),
            ("services/places/databaseSecret", {"name": "", "key": "url"}),
            ("services/places/databaseSecret", {"url": "postgres://user:password@host/database"}),
            ("services/places/autoscaling/targetCPUPercent", 0),
        ]:
            self.refused("distributed", path, value)


if __name__ == "__main__":
    unittest.main()
