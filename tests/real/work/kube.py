#!/usr/bin/env python3
"""The API server of the cluster of cluster.py, to be read by the real kubectl:  kube.py [PORT (5599)]

It answers `get` in each of its forms, `describe`, `logs` and `rollout status` and `history`, as they ask a server: objects,
tables, labels and fields that select. Whoever would change something is told that he may not.
"""
import datetime
import http.server
import json
import re
import sys
import time
import urllib.parse

import cluster

FOUND, LOGS = (made := cluster.Cluster()).found, made.logs
# resource: kind, short names, the columns of its table (a star: of -o wide alone)
APPS = {"deployments", "replicasets", "statefulsets", "daemonsets"}
RESOURCES = {
    "pods": ("Pod", ["po"], "Name Ready Status Restarts Age *IP *Node *Nominated_Node *Readiness_Gates"),
    "deployments": ("Deployment", ["deploy"], "Name Ready Up-to-date Available Age *Containers *Images *Selector"),
    "replicasets": ("ReplicaSet", ["rs"], "Name Desired Current Ready Age *Containers *Images *Selector"),
    "statefulsets": ("StatefulSet", ["sts"], "Name Ready Age *Containers *Images"),
    "daemonsets": ("DaemonSet", ["ds"], "Name Desired Current Ready Up-to-date Available Node_Selector Age *Containers *Images *Selector"),
    "configmaps": ("ConfigMap", ["cm"], "Name Data Age"),
    "events": ("Event", ["ev"], "Last_Seen Type Reason Object Message *Source *Count *Name"),
    "services": ("Service", ["svc"], "Name Type Cluster-IP External-IP Port(s) Age *Selector"),
    "nodes": ("Node", ["no"], "Name Status Roles Age Version *Internal-IP *External-IP *OS-Image *Kernel-Version *Container-Runtime"),
    "namespaces": ("Namespace", ["ns"], "Name Status Age"),
}
GLOBAL = {"nodes", "namespaces"}
ALL = APPS | {"pods", "services"}


def age(stamp):
    then = datetime.datetime.fromisoformat(stamp.replace("Z", "+00:00"))
    seconds = max(int((datetime.datetime.now(datetime.timezone.utc) - then).total_seconds()), 0)
    days, hours, minutes = seconds // 86_400, seconds // 3_600, seconds // 60
    if minutes < 10:
        return f"{minutes}m{seconds % 60}s" if seconds > 120 else f"{seconds}s"
    if hours < 8:
        return f"{hours}h{minutes % 60}m" if hours > 2 else f"{minutes}m"
    if days < 8:
        return f"{days}d{hours % 24}h" if days > 1 else f"{hours}h"
    return f"{days}d"


def cells(resource, one):
    """What stands in the columns of RESOURCES, in order."""
    about, spec, status = one["metadata"], one.get("spec", {}), one.get("status", {})
    old = age(about["creationTimestamp"])
    held = spec.get("template", {}).get("spec", {}).get("containers", [])
    selector = spec.get("selector", {}).get("matchLabels", spec.get("selector", {})) or {}
    wide = [",".join(each["name"] for each in held), ",".join(each["image"] for each in held), ",".join(f"{key}={value}" for key, value in selector.items())]
    if resource == "pods":
        states = status.get("containerStatuses", [])
        reason = next((each["state"]["waiting"]["reason"] for each in states if "waiting" in each["state"]), status["phase"])
        ready, again = sum(each["ready"] for each in states), sum(each["restartCount"] for each in states)
        ended = max((each["lastState"]["terminated"]["finishedAt"] for each in states if each["lastState"]), default=None)
        return [f"{ready}/{len(spec['containers'])}", reason, f"{again} ({age(ended)} ago)" if ended else again, old,
                status.get("podIP", "<none>"), spec.get("nodeName", "<none>"), "<none>", "<none>"]
    if resource == "deployments":
        return [f"{status['readyReplicas']}/{spec['replicas']}", status["updatedReplicas"], status["availableReplicas"], old, *wide]
    if resource == "replicasets":
        return [spec["replicas"], status["replicas"], status["readyReplicas"], old, *wide]
    if resource == "statefulsets":
        return [f"{status['readyReplicas']}/{spec['replicas']}", old, *wide[:2]]
    if resource == "daemonsets":
        names = ("desiredNumberScheduled", "currentNumberScheduled", "numberReady", "updatedNumberScheduled", "numberAvailable")
        return [*(status[name] for name in names), "<none>", old, *wide]
    if resource == "events":
        what = one["involvedObject"]
        return [age(one["lastTimestamp"]), one["type"], one["reason"], f"{what['kind'].lower()}/{what['name']}", one["message"],
                one["source"]["component"], one["count"], about["name"]]
    if resource == "services":
        ports = ",".join(f"{each['port']}/{each['protocol']}" for each in spec["ports"])
        return [spec["type"], spec["clusterIP"], "<none>", ports, old, wide[2]]
    if resource == "nodes":
        info = status["nodeInfo"]
        return ["Ready", "<none>", old, info["kubeletVersion"], status["addresses"][0]["address"], "<none>",
                info["osImage"], info["kernelVersion"], info["containerRuntimeVersion"]]
    return [len(one["data"]), old] if resource == "configmaps" else [status["phase"], old]


def table(resource, objects):
    titles = RESOURCES[resource][2].split()
    columns = [{"name": title.strip("*").replace("_", " "), "type": "string", "format": "name" if title == "Name" else "",
                "description": "", "priority": int(title.startswith("*"))} for title in titles]
    rows = [{"cells": ([one["metadata"]["name"]] if titles[0] == "Name" else []) + cells(resource, one), "object": {
        "kind": "PartialObjectMetadata", "apiVersion": "meta.k8s.io/v1", "metadata": one["metadata"]}} for one in objects]
    return {"kind": "Table", "apiVersion": "meta.k8s.io/v1", "metadata": {"resourceVersion": "9281734"}, "columnDefinitions": columns, "rows": rows}


def is_selected(labels, selector):
    for part in re.split(r",(?![^(]*\))", selector):
        inside = re.fullmatch(r"\s*([^\s!=]+)\s+(in|notin)\s+\((.*)\)\s*", part)
        equal = re.fullmatch(r"\s*([^!=\s]+)\s*(==|=|!=)\s*(\S*)\s*", part)
        if inside:
            kept = (labels.get(inside[1]) in [each.strip() for each in inside[3].split(",")]) == (inside[2] == "in")
        elif equal:
            kept = (labels.get(equal[1]) == equal[3]) == (equal[2] != "!=")
        else:
            kept = (part.strip("! ") in labels) != part.strip().startswith("!")
        if not kept:
            return False
    return True


def is_at(one, selector):
    """Does an object have these fields? `spec.nodeName=x,status.phase!=Failed`"""
    for part in selector.split(","):
        name, differs, value = re.fullmatch(r"([^!=]+)(!?)==?(.*)", part).groups()
        found = one
        for step in name.split("."):
            found = found.get(step, "") if isinstance(found, dict) else ""
        if (found == value) == bool(differs):
            return False
    return True


def listed(group):
    return {"kind": "APIResourceList", "apiVersion": "v1", "groupVersion": group, "resources": [
        {"name": name, "singularName": kind.lower(), "namespaced": name not in GLOBAL, "kind": kind, "verbs": ["get", "list", "watch"],
         "shortNames": short, "categories": ["all"] if name in ALL else []}
        for name, (kind, short, _) in RESOURCES.items() if (name in APPS) == (group == "apps/v1")]}


DISCOVERY = {
    "/version": {"major": "1", "minor": "32", "gitVersion": "v1.32.1", "platform": "linux/amd64"},
    "/api": {"kind": "APIVersions", "versions": ["v1"]},
    "/apis": {"kind": "APIGroupList", "apiVersion": "v1", "groups": [{"name": "apps", "versions": [
        {"groupVersion": "apps/v1", "version": "v1"}], "preferredVersion": {"groupVersion": "apps/v1", "version": "v1"}}]},
    "/api/v1": listed("v1"),
    "/apis/apps/v1": listed("apps/v1"),
}


class Refused(Exception):
    def __init__(self, code, reason, message):
        super().__init__(message)
        self.code, self.reason = code, reason


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def send(self, body, code=200):
        text = isinstance(body, str)
        data = body.encode() if text else json.dumps(body).encode()
        self.send_response(code)
        self.send_header("Content-Type", "text/plain" if text and body else "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def refuse(self, error):
        self.send({"kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Failure", "message": str(error),
                   "reason": error.reason, "code": error.code}, error.code)

    def do_GET(self):
        url = urllib.parse.urlsplit(self.path)
        asked = dict(urllib.parse.parse_qsl(url.query))
        try:
            self.send(DISCOVERY[url.path] if url.path in DISCOVERY else self.answer(url.path, asked))
        except Refused as error:
            self.refuse(error)

    def answer(self, path, asked):
        parts = re.fullmatch(r"/api(?:s/apps)?/v1(?:/namespaces/([^/]+)(?=/))?/([^/]+)(?:/([^/]+))?(?:/(log|status))?", path)
        if not parts or parts[2] not in RESOURCES or path.startswith("/apis") != (parts[2] in APPS):
            raise Refused(404, "NotFound", "the server could not find the requested resource")
        namespace, resource, name, part = parts.groups()
        if part == "log":
            return log(namespace, name, asked)
        objects = [one for one in FOUND[resource] if namespace in (None, one["metadata"].get("namespace"))
                   and name in (None, one["metadata"]["name"])
                   and ("labelSelector" not in asked or is_selected(one["metadata"].get("labels", {}), asked["labelSelector"]))
                   and ("fieldSelector" not in asked or is_at(one, asked["fieldSelector"]))]
        if name and not objects:
            whole = f"{resource}.apps" if resource in APPS else resource
            raise Refused(404, "NotFound", f'{whole} "{name}" not found')
        if asked.get("watch") in ("1", "true"):
            time.sleep(20)
            return ""
        if "as=Table" in self.headers.get("Accept", ""):
            return table(resource, objects)
        if name:
            return objects[0]
        group = "apps/v1" if resource in APPS else "v1"
        return {"kind": RESOURCES[resource][0] + "List", "apiVersion": group, "metadata": {"resourceVersion": "9281734"}, "items": objects}

    def do_POST(self):
        self.rfile.read(int(self.headers.get("Content-Length", 0)))
        self.refuse(Refused(403, "Forbidden", f'{self.path.split("?")[0]} is forbidden: User "viewer" may only read'))

    do_PUT = do_PATCH = do_DELETE = do_POST


def log(namespace, name, asked):
    pod = next((one for one in FOUND["pods"] if (one["metadata"]["namespace"], one["metadata"]["name"]) == (namespace, name)), None)
    if not pod:
        raise Refused(404, "NotFound", f'pods "{name}" not found')
    names = [each["name"] for each in pod["spec"]["containers"]]
    which = asked.get("container", names[0])
    if which not in names:
        raise Refused(400, "BadRequest", f"container {which} is not valid for pod {name}")
    state = next((each for each in pod["status"].get("containerStatuses", []) if each["name"] == which), None)
    if not state:
        raise Refused(400, "BadRequest", f'container "{which}" in pod "{name}" is waiting to start: ContainerCreating')
    if asked.get("previous") == "true" and not state["lastState"]:
        raise Refused(400, "BadRequest", f'previous terminated container "{which}" in pod "{name}" not found')
    lines = LOGS[namespace, name, which].splitlines(keepends=True)
    if "sinceTime" in asked or "sinceSeconds" in asked:
        ago = datetime.datetime.now(datetime.timezone.utc) - datetime.timedelta(seconds=int(asked.get("sinceSeconds", 0)))
        lines = [line for line in lines if line >= asked.get("sinceTime", ago.strftime("%Y-%m-%dT%H:%M:%SZ"))]
    if "tailLines" in asked:
        lines = lines[len(lines) - min(int(asked["tailLines"]), len(lines)):]
    stamped = asked.get("timestamps") == "true"
    return "".join(f"{line[:20]} {line}" if stamped else line for line in lines)


if __name__ == "__main__":
    http.server.ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1]) if len(sys.argv) > 1 else 5599), Handler).serve_forever()
