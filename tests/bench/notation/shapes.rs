//! Documents of any size, each of one shape: what tools print, and what is hard to render.

use std::fmt::Write as _;

/// A shape: its name, and what writes about so many bytes of it.
pub type Shape = (&'static str, fn(usize) -> String);

/// What the table lists.
pub const SHAPES: [Shape; 11] = [
    ("pods, pretty", pods),
    ("instances, pretty", instances),
    ("dense rows", dense_rows),
    ("log lines (NDJSON)", log_lines),
    ("webhooks, URLs", webhooks),
    ("one object, distinct keys", distinct_keys),
    ("sparse rows", sparse_rows),
    ("a distinct key a row", key_a_row),
    ("one string", one_string),
    ("integers", integers),
    ("unlike items", unlike_items),
];

/// Numbers without a pattern that a notation could use.
pub struct Noise(u64);

impl Noise {
    /// Below that.
    pub fn next(&mut self, below: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % below
    }
}

/// Joins parts until they have `size` bytes.
pub fn joined(
    size: usize,
    open: &str,
    between: &str,
    close: &str,
    mut part: impl FnMut(&mut String, &mut Noise, usize),
) -> String {
    let mut text = open.to_owned();
    let mut noise = Noise(1);
    for at in 0.. {
        if text.len() >= size {
            break;
        }
        if at > 0 {
            text += between;
        }
        part(&mut text, &mut noise, at);
    }
    text + close
}

fn pods(size: usize) -> String {
    joined(
        size,
        "{\n    \"apiVersion\": \"v1\",\n    \"items\": [\n",
        ",\n",
        "\n    ],\n    \"kind\": \"List\"\n}\n",
        pod,
    )
}

fn pod(out: &mut String, noise: &mut Noise, at: usize) {
    let (app, hash, minute) = (noise.next(40), noise.next(1 << 30), noise.next(60));
    let _ = write!(
        out,
        r#"        {{
            "apiVersion": "v1",
            "kind": "Pod",
            "metadata": {{
                "creationTimestamp": "2026-11-21T10:{minute:02}:{:02}Z",
                "labels": {{
                    "app": "service-{app}",
                    "pod-template-hash": "{hash:x}"
                }},
                "name": "service-{app}-{hash:x}-{at}",
                "namespace": "shop",
                "ownerReferences": [
                    {{
                        "apiVersion": "apps/v1",
                        "kind": "ReplicaSet",
                        "name": "service-{app}-{hash:x}",
                        "uid": "{:08x}-9f1c-4b7e-8f6e-{:012x}"
                    }}
                ]
            }},
            "spec": {{
                "containers": [
                    {{
                        "image": "registry.example.com/shop/service-{app}:1.{}.0",
                        "name": "service",
                        "ports": [
                            {{
                                "containerPort": 8080,
                                "protocol": "TCP"
                            }}
                        ],
                        "resources": {{}}
                    }}
                ],
                "nodeName": "node-{}",
                "tolerations": [
                    {{
                        "effect": "NoExecute",
                        "key": "node.kubernetes.io/not-ready",
                        "tolerationSeconds": 300
                    }}
                ]
            }},
            "status": {{
                "hostIP": "10.0.{}.{}",
                "phase": "{}",
                "restartCount": {}
            }}
        }}"#,
        noise.next(60),
        noise.next(1 << 31),
        noise.next(1 << 31),
        noise.next(30),
        noise.next(50),
        noise.next(250),
        noise.next(250),
        if noise.next(20) == 0 { "Pending" } else { "Running" },
        noise.next(4)
    );
}

fn instances(size: usize) -> String {
    joined(size, "{\n    \"Reservations\": [\n", ",\n", "\n    ]\n}\n", |out, noise, at| {
        let _ = write!(
            out,
            r#"        {{
            "ReservationId": "r-{:016x}",
            "OwnerId": "123456789012",
            "Instances": [
                {{
                    "InstanceId": "i-{:016x}",
                    "ImageId": "ami-0abcdef1234567890",
                    "State": {{
                        "Code": 16,
                        "Name": "running"
                    }},
                    "PrivateIpAddress": "10.1.{}.{}",
                    "SubnetId": "subnet-{:016x}",
                    "LaunchTime": "2026-10-{:02}T08:{:02}:11.000Z",
                    "EbsOptimized": false,
                    "Tags": [
                        {{
                            "Key": "Name",
                            "Value": "web {at}"
                        }},
                        {{
                            "Key": "Team",
                            "Value": "team-{}"
                        }}
                    ],
                    "IamInstanceProfile": {{
                        "Arn": "arn:aws:iam::123456789012:instance-profile/role-{}",
                        "Id": "AIPA{:016X}"
                    }}
                }}
            ]
        }}"#,
            noise.next(1 << 31),
            noise.next(1 << 31),
            noise.next(250),
            noise.next(250),
            noise.next(6),
            1 + noise.next(28),
            noise.next(60),
            noise.next(9),
            noise.next(5),
            noise.next(1 << 31)
        );
    })
}

fn dense_rows(size: usize) -> String {
    joined(size, "[", ",", "]\n", |out, noise, at| {
        let _ = write!(
            out,
            r#"{{"id":{at},"name":"Person {}","email":"person{}@example.com","active":{},"score":{}.{}}}"#,
            noise.next(5000),
            noise.next(5000),
            noise.next(2) == 0,
            noise.next(100),
            noise.next(10)
        );
    })
}

fn log_lines(size: usize) -> String {
    joined(size, "", "\n", "\n", |out, noise, at| {
        let _ = write!(
            out,
            r#"{{"time":"2026-11-21T10:{:02}:{:02}.{:03}Z","level":"{}","msg":"request {at} done","path":"/api/v1/orders/{}","ms":{}}}"#,
            at / 6000 % 60,
            at / 100 % 60,
            noise.next(1000),
            ["info", "warn"][noise.next(2) as usize],
            noise.next(99999),
            noise.next(900)
        );
    })
}

fn webhooks(size: usize) -> String {
    joined(size, "[", ",\n", "]\n", |out, noise, at| {
        let (user, repo) = (noise.next(300), noise.next(500));
        let user = format!("https://api.github.com/users/user-{user}");
        let repo = format!("https://api.github.com/repos/org/repository-{repo}");
        let _ = write!(
            out,
            r#"{{"id":{at},"event":{{"kind":"push","repo":{{"url":"{repo}","issues_url":"{repo}/issues{{/number}}","keys_url":"{repo}/keys"}}}},"actor":{{"url":"{user}","followers_url":"{user}/followers","gists_url":"{user}/gists"}},"labels":["l{}","l{}"]}}"#,
            noise.next(9),
            noise.next(9)
        );
    })
}

fn distinct_keys(size: usize) -> String {
    joined(size, "{", ",", "}\n", |out, noise, at| {
        let _ = write!(out, r#""key{at}":{}"#, noise.next(100));
    })
}

fn sparse_rows(size: usize) -> String {
    joined(size, "[", ",", "]\n", |out, noise, at| {
        let _ = write!(out, r#"{{"id":{at}"#);
        for key in 0..40 {
            if noise.next(20) == 0 {
                let _ = write!(out, r#","field{key}":{}"#, noise.next(1000));
            }
        }
        out.push('}');
    })
}

fn key_a_row(size: usize) -> String {
    joined(size, "[", ",", "]\n", |out, noise, at| {
        let _ = write!(out, r#"{{"k{at}":{}}}"#, noise.next(10));
    })
}

fn one_string(size: usize) -> String {
    joined(size, "{\"log\":\"", "", "\"}\n", |out, noise, at| {
        let _ =
            write!(out, "line {at} of a build: unit {} took {} ms\\n", noise.next(100_000), noise.next(900));
    })
}

fn integers(size: usize) -> String {
    joined(size, "{\"values\":[", ",", "]}\n", |out, noise, _| {
        let _ = write!(out, "{}", noise.next(100_000));
    })
}

fn unlike_items(size: usize) -> String {
    joined(size, "[", ",", "]\n", |out, noise, at| {
        let _ = match at % 4 {
            0 => write!(
                out,
                r#"{{"a{}":[{},"x y",{{"deep":{{"er":{}}}}}]}}"#,
                noise.next(9),
                at,
                noise.next(99)
            ),
            1 => write!(out, "[{},[{}],null]", noise.next(99), at),
            2 => write!(out, "\"text {}\"", noise.next(999)),
            _ => write!(out, "{at}"),
        };
    })
}
