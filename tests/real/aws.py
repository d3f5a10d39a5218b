#!/usr/bin/env python3
"""The real aws command line (and kubectl) through real shims, against a moto server on loopback.

    tests/real/aws.py target/*/release/toto

Needs: python3 with awscli, boto3 and moto[server] (pip), jq, and kubectl for the credential-plugin case.
This script is the agent: it hands its commands the mark TOTO_AGENT=1 and reads their pipes. It prints a
line a check and exits 1 when one of them fails. No network but loopback; nothing outside a temporary directory.
"""
import base64
import http.server
import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import textwrap
import threading
import time
import urllib.request

ROOT = tempfile.mkdtemp(prefix="toto-aws-")
FARM = os.path.join(ROOT, "home/.toto/bin")
FAILED = []


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


def check(name, ok, detail=""):
    print(("ok    " if ok else "WRONG ") + name + (f"  ({detail})" if detail else ""))
    if not ok:
        FAILED.append(name)


def environment(shims, agent, endpoint):
    path = os.environ["PATH"]
    env = {
        "PATH": f"{FARM}:{path}" if shims else path,
        "HOME": os.path.join(ROOT, "home"),
        "LANG": "C.UTF-8",
        "AWS_ENDPOINT_URL": endpoint,
        "AWS_ACCESS_KEY_ID": "testing",
        "AWS_SECRET_ACCESS_KEY": "testing",
        "AWS_DEFAULT_REGION": "us-east-1",
        "AWS_PAGER": "",
        "AWS_EC2_METADATA_DISABLED": "true",
        "KUBECONFIG": os.path.join(ROOT, "kubeconfig"),
    }
    for name in ("PYENV_ROOT", "PYENV_VERSION"):
        if name in os.environ:
            env[name] = os.environ[name]
    if "PYENV_ROOT" not in env and os.path.isdir(os.path.expanduser("~/.pyenv")):
        env["PYENV_ROOT"] = os.path.expanduser("~/.pyenv")
    if agent:
        env["TOTO_AGENT"] = "1"
    return env


def run(command, endpoint, shims=True, agent=True, cwd=ROOT):
    """What an agent does: a shell, pipes of its own, both streams apart."""
    return subprocess.run(
        ["bash", "-c", command], env=environment(shims, agent, endpoint), cwd=cwd,
        stdin=subprocess.DEVNULL, capture_output=True, timeout=120)


def start_moto():
    port = free_port()
    server = subprocess.Popen(
        [shutil.which("moto_server"), "-H", "127.0.0.1", "-p", str(port)],
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    endpoint = f"http://127.0.0.1:{port}"
    for _ in range(240):
        try:
            urllib.request.urlopen(endpoint + "/moto-api/", timeout=1)
            return server, endpoint
        except OSError:
            time.sleep(0.25)
    sys.exit("moto_server does not answer")


def create_resources(endpoint):
    import boto3

    keys = dict(region_name="us-east-1", endpoint_url=endpoint, aws_access_key_id="testing",
                aws_secret_access_key="testing")
    ec2 = boto3.client("ec2", **keys)
    image = ec2.describe_images()["Images"][0]["ImageId"]
    tags = [{"ResourceType": "instance", "Tags": [{"Key": "Name", "Value": "api"}, {"Key": "Team", "Value": "core"}]}]
    ec2.run_instances(ImageId=image, MinCount=6, MaxCount=6, InstanceType="m5.large", TagSpecifications=tags)


def compressed_for_the_agent(endpoint):
    bare = run("aws ec2 describe-instances", endpoint, shims=False)
    seen = run("aws ec2 describe-instances", endpoint)
    check("an agent sees it compressed", seen.returncode == 0 and len(seen.stdout) < len(bare.stdout) * 0.6,
          f"{len(bare.stdout)} bytes became {len(seen.stdout)}")
    check("with a receipt on stderr", seen.stderr.startswith(b"[toto] Original: "), seen.stderr.decode().strip())
    merged = run("aws ec2 describe-instances 2>&1", endpoint)
    check("both streams in one pipe: compressed, the receipt behind it",
          b"[toto] Original: " in merged.stdout and len(merged.stdout) < len(bare.stdout) * 0.6)
    person = run("aws ec2 describe-instances", endpoint, agent=False)
    check("without an agent: the tool's own bytes", person.stdout == bare.stdout and person.stderr == bare.stderr)
    return bare.stdout


def raw_for_programs(endpoint, bare):
    count = len(json.loads(bare)["Reservations"][0]["Instances"])
    cases = [
        ("| jq", "aws ec2 describe-instances | jq '.Reservations[0].Instances | length'", f"{count}\n"),
        ("| head -3", "aws ec2 describe-instances | head -3", "\n".join(bare.decode().split("\n")[:3]) + "\n"),
        ("$(…)", "X=$(aws ec2 describe-instances); printf '%s\\n' \"$X\"", bare.decode()),
        ("> file", "aws ec2 describe-instances > out.json; cat out.json", bare.decode()),
        ("a Python script", "python3 -c 'import subprocess, json; print(len(json.loads(subprocess.run("
         "[\"aws\", \"ec2\", \"describe-instances\"], capture_output=True).stdout)[\"Reservations\"]))'", "1\n"),
        ("--output text", "for id in $(aws ec2 describe-instances --query 'Reservations[].Instances[].InstanceId' "
         "--output text); do echo x; done", "x\n" * count),
    ]
    for name, command, expected in cases:
        got = run(command, endpoint)
        check(f"raw: {name}", got.stdout.decode() == expected, got.stderr.decode().strip()[-200:])
    for query in ("--query 'Reservations[0].OwnerId' --output text",
                  "--query 'length(Reservations[0].Instances)'"):
        command = f"aws ec2 describe-instances {query}"
        check(f"raw: {query}", run(command, endpoint).stdout == run(command, endpoint, shims=False).stdout)


def a_failure_is_kept(endpoint):
    command = "aws ec2 describe-instances --instance-ids i-0123456789abcdef0"
    bare, seen = run(command, endpoint, shims=False), run(command, endpoint)
    check("a failure: the same status, the same words",
          seen.returncode == bare.returncode != 0 and bare.stderr.strip() in seen.stderr, str(seen.returncode))


def boto3_with_a_credential_process(endpoint):
    config = os.path.join(ROOT, "home/.aws/config")
    os.makedirs(os.path.dirname(config), exist_ok=True)
    with open(config, "w") as f:
        f.write("[profile through]\ncredential_process = aws sts assume-role --role-session-name session "
                "--role-arn arn:aws:iam::123456789012:role/r --query '{Version: `1`, AccessKeyId: "
                "Credentials.AccessKeyId, SecretAccessKey: Credentials.SecretAccessKey, "
                "SessionToken: Credentials.SessionToken}'\n")
    script = os.path.join(ROOT, "script.py")
    with open(script, "w") as f:
        f.write("import boto3\nsession = boto3.Session(profile_name='through')\n"
                "print(session.get_credentials().access_key[:4], "
                "len(session.client('ec2').describe_instances()['Reservations']))\n")
    got = run("python3 script.py", endpoint)
    check("raw: boto3 in a script, its credentials from `aws`", got.stdout == b"ASIA 1\n",
          got.stderr.decode().strip()[-300:])


class KubeApi(http.server.BaseHTTPRequestHandler):
    """Answers any list with an empty one, and keeps the token it was shown."""
    tokens = []

    def do_GET(self):
        self.tokens.append(self.headers.get("Authorization", ""))
        answers = {
            "/api": {"kind": "APIVersions", "versions": ["v1"]},
            "/apis": {"kind": "APIGroupList", "apiVersion": "v1", "groups": []},
            "/api/v1": {"kind": "APIResourceList", "groupVersion": "v1", "resources": [
                {"name": "pods", "namespaced": True, "kind": "Pod", "verbs": ["list"], "shortNames": ["po"]}]},
        }
        pods = {"kind": "PodList", "apiVersion": "v1", "metadata": {}, "items": []}
        data = json.dumps(answers.get(self.path.split("?")[0], pods)).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *args):
        pass


def kubectl_with_eks_get_token(endpoint):
    if not shutil.which("kubectl"):
        print("left   kubectl is not installed")
        return
    import ssl
    key, cert = os.path.join(ROOT, "key.pem"), os.path.join(ROOT, "cert.pem")
    subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", key, "-out", cert,
                    "-days", "1", "-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1"],
                   check=True, capture_output=True)
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), KubeApi)
    tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    tls.load_cert_chain(cert, key)
    server.socket = tls.wrap_socket(server.socket, server_side=True)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    authority = base64.b64encode(open(cert, "rb").read()).decode()
    with open(os.path.join(ROOT, "kubeconfig"), "w") as f:
        f.write(textwrap.dedent(f"""\
            apiVersion: v1
            kind: Config
            clusters: [{{name: c, cluster: {{server: "https://127.0.0.1:{server.server_port}", certificate-authority-data: {authority}}}}}]
            contexts: [{{name: c, context: {{cluster: c, user: u}}}}]
            current-context: c
            users: [{{name: u, user: {{exec: {{apiVersion: client.authentication.k8s.io/v1beta1, command: aws,
              args: [eks, get-token, --cluster-name, c], interactiveMode: Never}}}}}}]
            """))
    got = run("kubectl get pods -o json", endpoint)
    tokens = [token for token in KubeApi.tokens if token]
    check("raw: aws eks get-token under kubectl",
          got.returncode == 0 and bool(tokens) and all(t.startswith("Bearer k8s-aws-v1.") for t in tokens),
          f"{len(tokens)} requests with the token; {got.stderr.decode().strip()[-200:]}")
    token = run("aws eks get-token --cluster-name c", endpoint)
    check("raw: aws eks get-token itself", json.loads(token.stdout)["kind"] == "ExecCredential")
    server.shutdown()


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    toto = os.path.abspath(sys.argv[1])
    os.makedirs(FARM)
    for name in ("aws", "kubectl"):
        os.symlink(toto, os.path.join(FARM, name))
    moto, endpoint = start_moto()
    try:
        create_resources(endpoint)
        bare = compressed_for_the_agent(endpoint)
        raw_for_programs(endpoint, bare)
        a_failure_is_kept(endpoint)
        boto3_with_a_credential_process(endpoint)
        kubectl_with_eks_get_token(endpoint)
    finally:
        moto.terminate()
        moto.wait()
        shutil.rmtree(ROOT, ignore_errors=True)
    print(f"{len(FAILED)} wrong")
    sys.exit(1 if FAILED else 0)


main()
