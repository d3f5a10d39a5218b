"""The objects of a Kubernetes cluster, always the same, and the answers to questions about them: kube.py serves them."""
import datetime
import random

RANDOM = random.Random(7)
START = datetime.datetime(2026, 11, 22, 9, 0, tzinfo=datetime.timezone.utc)
NAMES = {
    "shop": "cart catalog checkout search wishlist reviews pricing session",
    "pay": "settlement invoices fraud ledger-api payouts fx disputes",
    "data": "indexer exporter etl-orders etl-stock snapshots",
    "web": "storefront assets mobile-api partner-api gateway landing",
    "ops": "reports mailer audit flags scheduler notify",
    "kube-system": "coredns metrics-server",
}
STATEFUL = {("data", "postgres"), ("data", "kafka"), ("pay", "vault"), ("shop", "redis")}
DAEMONS = {("kube-system", "kube-proxy"), ("ops", "log-agent"), ("ops", "node-exporter")}
IMAGES = {
    "landing": "nginx:1.27", "assets": "nginx:1.25-alpine", "postgres": "postgres:16.4", "redis": "redis:7.2",
    "kafka": "quay.io/strimzi/kafka:0.43.0", "vault": "hashicorp/vault:1.17", "coredns": "registry.k8s.io/coredns/coredns:v1.11.3",
    "metrics-server": "registry.k8s.io/metrics-server/metrics-server:v0.7.2", "kube-proxy": "registry.k8s.io/kube-proxy:v1.32.1",
    "log-agent": "docker.io/fluent/fluent-bit:3.1", "node-exporter": "quay.io/prometheus/node-exporter:v1.8.2",
}
PROXIES = ["1.27.3", "1.28.1", "1.29.0", "1.30.2", "1.31.0"]
LIMITS = ["256Mi", "512Mi", "768Mi", "1Gi", "2Gi", None]
NODES = [f"ip-10-0-{RANDOM.randrange(8, 90)}-{20 + number}.ec2.internal" for number in range(9)]
HANGS = ("pay", "settlement")
SETTINGS = """http.port=8080
http.timeout.seconds=20
fx.currencies=EUR,USD,GBP,CHF,PLN
fx.rates.ur{}=https://rates.int.corp.example/v2/daily
retry.budget=
retry.backoff.millis=250
batch.size=500
batch.window.minutes=15
ledger.url=https://ledger-api.pay.svc.cluster.local:8443
"""
FATAL = "FATAL config: fx.rates.url is not set, exit 78"


def at(seconds):
    return (START + datetime.timedelta(seconds=seconds)).strftime("%Y-%m-%dT%H:%M:%SZ")


def identity(length, letters="bcdfghjklmnpqrstvwxz2456789"):
    return "".join(RANDOM.choice(letters) for _ in range(length))


def uid():
    return "-".join(identity(length, "0123456789abcdef") for length in (8, 4, 4, 4, 12))


def meta(namespace, name, created, labels=None, owner=None, **more):
    made = {"name": name, "namespace": namespace, "uid": uid(), "resourceVersion": str(RANDOM.randrange(10**6, 10**7)),
            "creationTimestamp": at(created), "labels": labels or {}, **more}
    if owner:
        made["ownerReferences"] = [{"apiVersion": owner["apiVersion"], "kind": owner["kind"], "name": owner["metadata"]["name"],
                                    "uid": owner["metadata"]["uid"], "controller": True, "blockOwnerDeletion": True}]
    return {key: value for key, value in made.items() if value}


def container(name, image, memory, port):
    limits = {"memory": memory} if memory else {}
    probe = {"httpGet": {"path": "/ready", "port": port, "scheme": "HTTP"}, "periodSeconds": 5, "timeoutSeconds": 1,
             "successThreshold": 1, "failureThreshold": 3}
    return {"name": name, "image": image, "imagePullPolicy": "IfNotPresent", "ports": [{"containerPort": port, "protocol": "TCP"}],
            "env": [{"name": "LOG_LEVEL", "value": "info"}, {"name": "OTEL_SERVICE_NAME", "value": name}], "readinessProbe": probe,
            "resources": {"limits": limits, "requests": {"cpu": RANDOM.choice(["50m", "100m", "250m"]), **limits}} if limits else {},
            "terminationMessagePath": "/dev/termination-log", "terminationMessagePolicy": "File",
            "volumeMounts": [{"name": "settings", "mountPath": f"/etc/{name}", "readOnly": True}]}


def template(namespace, name, image, settings):
    containers = [container(name, image, RANDOM.choice(LIMITS), 8080)]
    if namespace != "kube-system" and RANDOM.random() < 0.55:
        proxy = f"ghcr.io/corp/proxy:{RANDOM.choice(PROXIES)}"
        containers.append(container("proxy", proxy, RANDOM.choice(["64Mi", "128Mi", "128Mi", None]), 15001))
    if (namespace, name) == ("data", "snapshots"):
        containers[0]["resources"]["limits"] = {"memory": "6Gi"}
    starts = [container("migrate", f"ghcr.io/corp/migrate:{RANDOM.randrange(2, 5)}.0", "4Gi", 8080)] if RANDOM.random() < 0.2 else []
    for each in starts:
        del each["readinessProbe"], each["ports"]
    spec = {"containers": containers, "serviceAccountName": name, "restartPolicy": "Always", "dnsPolicy": "ClusterFirst",
            "terminationGracePeriodSeconds": 30, "schedulerName": "default-scheduler", "securityContext": {},
            "volumes": [{"name": "settings", "configMap": {"name": settings, "defaultMode": 420}}]}
    labels = {"app.kubernetes.io/name": name, "app.kubernetes.io/part-of": namespace, "app.kubernetes.io/managed-by": "Helm"}
    return {"metadata": {"labels": labels}, "spec": spec | ({"initContainers": starts} if starts else {})}


def status_of(each, state, created):
    running = state == "running"
    now = {"running": {"startedAt": at(created + 3)}} if running else {"waiting": {
        "reason": "CrashLoopBackOff", "message": f"back-off 5m0s restarting failed container={each['name']}"}}
    ended = {"reason": "OOMKilled", "exitCode": 137} if state == "killed" else {"reason": "Error", "exitCode": 78}
    last = {} if running else {"terminated": ended | {"startedAt": at(created + 86_000), "finishedAt": at(created + 86_004)}}
    return {"name": each["name"], "image": each["image"], "imageID": f"{each['image'].split(':')[0]}@sha256:{identity(64, '0123456789abcdef')}",
            "containerID": f"containerd://{identity(64, '0123456789abcdef')}", "ready": running, "started": running,
            "restartCount": 0 if running else 288, "state": now, "lastState": last}


class Cluster:
    """Objects by their resource, and logs by namespace, pod and container."""

    def __init__(self):
        RANDOM.seed(8)
        self.found = {name: [] for name in ("pods deployments replicasets statefulsets daemonsets configmaps events "
                                            "services nodes namespaces").split()}
        self.logs = {}
        self.nodes()
        for namespace, names in NAMES.items():
            self.found["namespaces"].append({"apiVersion": "v1", "kind": "Namespace", "metadata": meta(None, namespace, -9_000_000),
                                             "spec": {"finalizers": ["kubernetes"]}, "status": {"phase": "Active"}})
            for name in names.split():
                self.deployment(namespace, name)
        for kind, which in (("StatefulSet", STATEFUL), ("DaemonSet", DAEMONS)):
            for namespace, name in sorted(which):
                self.set(kind, namespace, name)
        for objects in self.found.values():
            objects.sort(key=lambda each: (each["metadata"].get("namespace", ""), each["metadata"]["name"]))

    def nodes(self):
        for number, name in enumerate(NODES):
            labels = {"kubernetes.io/hostname": name, "kubernetes.io/os": "linux", "kubernetes.io/arch": "amd64",
                      "node.kubernetes.io/instance-type": "m6i.2xlarge", "topology.kubernetes.io/zone": "us-east-1" + "abc"[number % 3]}
            room = {"cpu": "8", "memory": "32132884Ki", "pods": "58", "ephemeral-storage": "83873772Ki"}
            info = {"kubeletVersion": "v1.32.1", "osImage": "Amazon Linux 2023", "kernelVersion": "6.1.119-129.amzn2023.x86_64",
                    "containerRuntimeVersion": "containerd://1.7.23", "operatingSystem": "linux", "architecture": "amd64"}
            ready = {"type": "Ready", "status": "True", "reason": "KubeletReady", "message": "kubelet is posting ready status",
                     "lastHeartbeatTime": at(86_000), "lastTransitionTime": at(-900_000)}
            self.found["nodes"].append({
                "apiVersion": "v1", "kind": "Node", "metadata": meta(None, name, -900_000, labels), "spec": {},
                "status": {"capacity": room, "allocatable": room, "nodeInfo": info, "conditions": [ready],
                           "addresses": [{"type": "InternalIP", "address": name[3:].split(".")[0].replace("-", ".")}]}})

    def settings(self, namespace, name, text, created):
        self.found["configmaps"].append({"apiVersion": "v1", "kind": "ConfigMap", "metadata": meta(namespace, name, created),
                                         "data": {"settings.properties": text}})

    def event(self, of, kind, reason, message, source, first, last, count):
        about = {"kind": of["kind"], "namespace": of["metadata"]["namespace"], "name": of["metadata"]["name"],
                 "uid": of["metadata"]["uid"], "apiVersion": of["apiVersion"]}
        name = f"{of['metadata']['name']}.{identity(16, '0123456789abcdef')}"
        self.found["events"].append({
            "apiVersion": "v1", "kind": "Event", "metadata": meta(about["namespace"], name, first), "involvedObject": about,
            "type": kind, "reason": reason, "message": message, "source": {"component": source}, "count": count,
            "firstTimestamp": at(first), "lastTimestamp": at(last), "reportingComponent": source})

    def pod(self, owner, made, name, labels, created, state):
        spec = made["spec"] | {"nodeName": RANDOM.choice(NODES)}
        waits = state == "waiting"
        if waits:
            del spec["nodeName"]
        statuses = [] if waits else [status_of(each, state if not number else "running", created)
                                     for number, each in enumerate(spec["containers"])]
        ready = "True" if state == "running" else "False"
        conditions = [{"type": "PodScheduled", "status": "False" if waits else "True", "lastTransitionTime": at(created)}]
        if waits:
            conditions[0] |= {"reason": "Unschedulable", "message": "0/9 nodes are available: 9 Insufficient memory."}
        else:
            conditions += [{"type": kind, "status": ready, "lastTransitionTime": at(created + 4)} for kind in ("Ready", "ContainersReady")]
        status = {"phase": "Pending" if waits else "Running", "conditions": conditions, "qosClass": "Burstable"}
        if not waits:
            address = f"10.0.{RANDOM.randrange(8, 90)}.{RANDOM.randrange(2, 250)}"
            status |= {"containerStatuses": statuses, "podIP": address, "podIPs": [{"ip": address}], "startTime": at(created),
                       "hostIP": spec["nodeName"][3:].split(".")[0].replace("-", ".")}
        namespace = owner["metadata"]["namespace"]
        pod = {"apiVersion": "v1", "kind": "Pod", "metadata": meta(namespace, name, created, labels, owner),
               "spec": spec, "status": status}
        self.found["pods"].append(pod)
        if waits:
            self.event(pod, "Warning", "FailedScheduling", conditions[0]["message"], "default-scheduler", created, 86_000, 310)
        elif state != "running":
            message = f"Back-off restarting failed container {spec['containers'][0]['name']} in pod {name}_{namespace}({pod['metadata']['uid']})"
            self.event(pod, "Warning", "BackOff", message, "kubelet", created + 9, 86_000, 6_412)
        for each in spec["containers"]:
            self.logs[namespace, name, each["name"]] = said(each, state if each is spec["containers"][0] else "running", created)

    def deployment(self, namespace, name):
        hangs, replicas = (namespace, name) == HANGS, RANDOM.randrange(2, 5)
        minor, settings = RANDOM.randrange(4, 30), f"{name}-settings"
        image = IMAGES.get(name, f"ghcr.io/corp/{name}:4.{minor}.{RANDOM.randrange(4)}")
        former = image.replace(f":4.{minor}.", f":4.{minor - 1}.")
        made = template(namespace, name, image, settings)
        revision, created = RANDOM.randrange(3, 15), -RANDOM.randrange(90_000, 4_000_000)
        if hangs:
            replicas, created = 4, 832
            made["spec"]["volumes"][0]["configMap"]["name"] = settings + "-41"
            for suffix, last, when in (("-40", "l", -400_000), ("-41", "i", 790)):
                self.settings(namespace, settings + suffix, SETTINGS.format(last), when)
        else:
            self.settings(namespace, settings, f"http.port=8080\nhttp.timeout.seconds={RANDOM.randrange(5, 60)}\nowner={namespace}\n", created)
        labels, paused = made["metadata"]["labels"], (namespace, name) == ("ops", "reports")
        note = {"deployment.kubernetes.io/revision": str(revision), "meta.helm.sh/release-name": name}
        failing = {("shop", "search"): "killed", ("data", "exporter"): "waiting"}.get((namespace, name))
        up = 3 if hangs else replicas - bool(failing)
        conditions = [{"type": "Available", "status": "True", "reason": "MinimumReplicasAvailable", "lastTransitionTime": at(-4_000_000),
                       "lastUpdateTime": at(-4_000_000), "message": "Deployment has minimum availability."}]
        selector = {"matchLabels": {"app.kubernetes.io/name": name}}
        deployment = {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": meta(namespace, name, -5_000_000, labels, annotations=note),
                      "spec": {"replicas": replicas, "selector": selector, "template": made, "progressDeadlineSeconds": 600,
                               "revisionHistoryLimit": 10, "paused": paused, "strategy": {
                                   "type": "RollingUpdate", "rollingUpdate": {"maxSurge": "25%", "maxUnavailable": "25%"}}},
                      "status": {"observedGeneration": revision, "replicas": 5 if hangs else replicas, "readyReplicas": up, "availableReplicas": up,
                                 "updatedReplicas": 2 if hangs else replicas, "unavailableReplicas": 2 if hangs else int(bool(failing)),
                                 "conditions": conditions}}
        deployment["metadata"]["generation"] = revision
        self.found["deployments"].append(deployment)
        newest = self.replicas(deployment, made, revision, created, 2 if hangs else replicas, 0 if hangs else up)
        told = {"type": "Progressing", "status": "True", "reason": "NewReplicaSetAvailable", "lastTransitionTime": at(created),
                "lastUpdateTime": at(created + 30), "message": f'ReplicaSet "{newest}" has successfully progressed.'}
        if hangs:
            told |= {"status": "False", "reason": "ProgressDeadlineExceeded", "message": f'ReplicaSet "{newest}" has timed out progressing.',
                     "lastTransitionTime": at(created + 602), "lastUpdateTime": at(created + 602)}
            self.event(deployment, "Normal", "ScalingReplicaSet", f"Scaled up replica set {newest} to 2 from 1", "deployment-controller", created + 1, created + 1, 1)
        if paused:
            told |= {"status": "Unknown", "reason": "DeploymentPaused", "message": "Deployment is paused"}
        conditions.append(told)
        earlier = {**made, "spec": {**made["spec"], "containers": [made["spec"]["containers"][0] | {"image": former}] + made["spec"]["containers"][1:]}}
        if hangs:
            earlier["spec"]["volumes"] = [{"name": "settings", "configMap": {"name": settings + "-40", "defaultMode": 420}}]
        self.replicas(deployment, earlier, revision - 1, created - 700_000, 3 if hangs else 0, 3 if hangs else 0)
        if name not in ("coredns", "metrics-server") and revision > 6:
            self.replicas(deployment, earlier, revision - 2, created - 900_000, 0, 0)
        self.found["services"].append({
            "apiVersion": "v1", "kind": "Service", "metadata": meta(namespace, name, -5_000_000, labels), "status": {"loadBalancer": {}},
            "spec": {"type": "ClusterIP", "clusterIP": f"172.20.{RANDOM.randrange(255)}.{RANDOM.randrange(2, 250)}",
                     "ports": [{"name": "http", "port": 80, "targetPort": 8080, "protocol": "TCP"}], "selector": selector["matchLabels"]}})

    def replicas(self, deployment, made, revision, created, wanted, up):
        """A ReplicaSet of a deployment and its pods, of which so many are up; returns its name."""
        stem, owner = identity(10), deployment["metadata"]
        name, labels = f"{owner['name']}-{stem}", made["metadata"]["labels"] | {"pod-template-hash": stem}
        note = {"deployment.kubernetes.io/revision": str(revision), "deployment.kubernetes.io/desired-replicas": str(deployment["spec"]["replicas"])}
        made = {**made, "metadata": {"labels": labels}}
        holder = {"apiVersion": "apps/v1", "kind": "ReplicaSet",
                  "metadata": meta(owner["namespace"], name, created, labels, deployment, annotations=note),
                  "spec": {"replicas": wanted, "selector": {"matchLabels": {"app.kubernetes.io/name": owner["name"], "pod-template-hash": stem}}, "template": made},
                  "status": {"replicas": wanted, "fullyLabeledReplicas": wanted, "readyReplicas": up, "availableReplicas": up, "observedGeneration": 2}}
        self.found["replicasets"].append(holder)
        fault = {"search": "killed", "exporter": "waiting"}.get(owner["name"], "failed")
        for number in range(wanted):
            self.pod(holder, made, f"{name}-{identity(5)}", labels, created + 2 + number, "running" if number < up else fault)
        return name

    def set(self, kind, namespace, name):
        made, daemon = template(namespace, name, IMAGES[name], f"{name}-settings"), kind == "DaemonSet"
        self.settings(namespace, f"{name}-settings", f"owner={namespace}\n", -3_000_000)
        count, labels = len(NODES) if daemon else 3, made["metadata"]["labels"]
        status = {"desiredNumberScheduled": count, "currentNumberScheduled": count, "numberReady": count, "updatedNumberScheduled": count,
                  "numberAvailable": count, "numberMisscheduled": 0} if daemon else {
                      "replicas": count, "readyReplicas": count, "currentReplicas": count, "updatedReplicas": count, "availableReplicas": count}
        spec = {"selector": {"matchLabels": {"app.kubernetes.io/name": name}}, "template": made, "updateStrategy": {"type": "RollingUpdate"}}
        holder = {"apiVersion": "apps/v1", "kind": kind, "metadata": meta(namespace, name, -5_000_000, labels),
                  "spec": spec if daemon else spec | {"replicas": count, "serviceName": name}, "status": status}
        self.found[kind.lower() + "s"].append(holder)
        for number in range(count):
            self.pod(holder, made, f"{name}-{identity(5) if daemon else number}", labels, -2_000_000 + number, "running")
            if daemon:
                self.found["pods"][-1]["spec"]["nodeName"] = NODES[number]


def said(each, state, created):
    if state == "waiting":
        return ""
    version = each["image"].rsplit(":")[-1]
    if state == "failed":
        begin = created + 86_000
        lines = [f"INFO {each['name']} {version} starting", f"INFO config read from /etc/{each['name']}/settings.properties (9 settings)",
                 "WARN config: retry.budget has no value, default 3", "INFO ledger: https://ledger-api.pay.svc.cluster.local:8443 answers", FATAL]
        return "".join(f"{at(begin + number)} {line}\n" for number, line in enumerate(lines))
    lines, when = [f"{at(created + 3)} INFO {each['name']} {version} starting"], max(created, 0) + 4
    for _ in range(RANDOM.randrange(40, 160)):
        when += RANDOM.randrange(1, 240)
        lines.append(f"{at(when)} INFO request path=/v1/{RANDOM.choice(['items', 'orders', 'health', 'rates'])} "
                     f"status={RANDOM.choice([200, 200, 200, 204, 404])} took={RANDOM.randrange(2, 300)}ms")
    return "\n".join(lines) + "\n"


def mebibytes(quantity):
    return int(quantity[:-2]) * {"Mi": 1, "Gi": 1024}[quantity[-2:]]


def registry(image):
    first = image.split("/")[0]
    return first if "/" in image and "." in first else "docker.io"


def answers(found):
    workloads = [(f"{each['metadata']['namespace']}/{each['metadata']['name']}", each["spec"]["template"]["spec"]["containers"])
                 for kind in ("deployments", "statefulsets", "daemonsets") for each in found[kind]]
    limit = lambda each: each["resources"].get("limits", {}).get("memory")
    largest = max((mebibytes(limit(each) or "0Mi"), name) for name, containers in workloads for each in containers)
    hosts = [registry(each["image"]) for _, containers in workloads for each in containers]
    old = [name for name, containers in workloads for each in containers
           if each["image"].startswith("ghcr.io/corp/proxy:") and each["image"].rsplit(":")[-1] < "1.29"]
    shop = [limit(each) for pod in found["pods"] if pod["metadata"]["namespace"] == "shop" for each in pod["spec"]["containers"]]
    images = {"old_proxies": sorted(old), "unlimited": sorted({name for name, each in workloads if not all(map(limit, each))}),
              "largest": largest[1], "registries": {host: hosts.count(host) for host in sorted(set(hosts))},
              "shop_mib": sum(mebibytes(memory) for memory in shop if memory)}
    of = lambda kind: [each for each in found[kind] if each["metadata"]["labels"].get("app.kubernetes.io/name") == HANGS[1]]
    new, before = sorted((each for each in of("replicasets") if each["spec"]["replicas"]), key=lambda each: each["spec"]["replicas"])
    image = lambda each: each["spec"]["template"]["spec"]["containers"][0]["image"]
    pods = [pod["metadata"]["name"] for pod in of("pods") if pod["metadata"]["ownerReferences"][0]["name"] == new["metadata"]["name"]]
    rollout = {"deployment": "/".join(HANGS), "image": image(new), "former": image(before), "begun": new["metadata"]["creationTimestamp"],
               "revision": int(new["metadata"]["annotations"]["deployment.kubernetes.io/revision"]), "pods": sorted(pods),
               "config": "settlement-settings-41", "key": "fx.rates.url", "value": "https://rates.int.corp.example/v2/daily"}
    return {"images": images, "rollout": rollout}
