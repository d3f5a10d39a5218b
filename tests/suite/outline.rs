//! The outline of a large document, held against the same document read by `serde_json`.

use std::collections::BTreeMap;

use llm_toto::overflow::outline;
use serde_json::{Value, json};

use crate::harness::corpus;

/// Every scalar by its path of keys, items of lists taken together, with how often it comes.
fn scalars(value: &Value, path: &str, found: &mut BTreeMap<String, BTreeMap<String, usize>>) {
    match value {
        Value::Array(items) => items.iter().for_each(|item| scalars(item, path, found)),
        Value::Object(members) => {
            members.iter().for_each(|(key, value)| scalars(value, &format!("{path}.{key}"), found));
        }
        Value::String(text) => count(path, text.clone(), found),
        _ => count(path, value.to_string(), found),
    }
}

fn count(path: &str, text: String, found: &mut BTreeMap<String, BTreeMap<String, usize>>) {
    *found.entry(path.to_owned()).or_default().entry(text).or_default() += 1;
}

/// What lines say of values and their counts: `State.Name: running ×37, stopped ×9 (items 4, 7, …)`.
fn said(line: &str) -> Option<(&str, Vec<(&str, usize)>)> {
    let (name, values) = line.trim_start().split_once(": ")?;
    let values = values.split(" (in ").next()?.split(" … +").next()?;
    let values: Option<Vec<_>> = values
        .split(", ")
        .map(|value| value.rsplit_once(" ×").and_then(|(text, count)| Some((text, count.parse().ok()?))))
        .collect();
    values.filter(|values| values.len() > 1).map(|values| (name, values))
}

fn instances() -> Value {
    let instance = |at: usize| {
        json!({
            "InstanceId": format!("i-{at:017x}"),
            "State": {"Code": if at.is_multiple_of(5) { 80 } else { 16 }, "Name": if at.is_multiple_of(5) { "stopped" } else { "running" }},
            "InstanceType": (["t3.micro", "m5.large", "c5.xlarge"][at % 3]),
            "Architecture": "x86_64",
            "LaunchTime": format!("2026-11-{:02}T10:00:00.000Z", at % 28 + 1),
            "Tags": if at.is_multiple_of(4) { json!([]) } else { json!([{"Key": "Name", "Value": format!("web-{at}")}, {"Key": "env", "Value": (["prod", "dev"][at % 2])}]) },
            "SecurityGroups": [{"GroupId": format!("sg-{}", at % 7), "GroupName": "web"}],
        })
    };
    let reservation = |at: usize| json!({"ReservationId": format!("r-{at}"), "OwnerId": "123456789012", "Instances": (at * 2..at * 2 + 2).map(instance).collect::<Vec<_>>()});
    json!({"Reservations": (0..50).map(reservation).collect::<Vec<_>>()})
}

#[test]
fn few_values_are_given_with_their_counts() {
    let document = instances();
    let outline = outline(&serde_json::to_string_pretty(&document).unwrap()).unwrap();
    for line in [
        "Reservations[50]",
        " all: OwnerId=\"123456789012\"",
        " Instances[100] (2 each)",
        "  all: Architecture=x86_64",
        "  InstanceId: all 100 different: i-00000000000000000, i-00000000000000001, i-00000000000000002, …",
        "   Code: 16 ×80, 80 ×20 (of all 100)",
        "   Name: running ×80, stopped ×20 (of all 100)",
        "  InstanceType: t3.micro ×34, m5.large ×33, c5.xlarge ×33 (of all 100)",
        "  LaunchTime: 2026-11-01T10:00:00.000Z to 2026-11-28T10:00:00.000Z, 28 different",
        "  Tags[150] (0 to 2 each) by key:",
        "   env: dev ×50, prod ×25 (in 75 of 100)",
        "First 3 of 100 from .Reservations[].Instances[]",
        "Tags.env by State.Name: running ×80: - ×20, dev ×40, prod ×20; stopped ×20: - ×5, dev ×10, prod ×5",
    ] {
        let is_there = outline.text.lines().any(|found| {
            found == line
                || line.starts_with("First") && found.starts_with("First") && found.ends_with(&line[7..])
        });
        assert!(is_there, "{line}\n{}", outline.text);
    }
    assert_eq!(outline.jq.as_deref(), Some(".Reservations[].Instances[]"));
}

/// Who adds up what a kind takes need not ask again.
#[test]
fn amounts_are_added_up_by_kind() {
    let volume = |at: usize| json!({"VolumeId": format!("vol-{at:017x}"), "Size": (if at.is_multiple_of(4) { 100 } else { 8 }), "VolumeType": (if at < 30 { "gp2" } else { "gp3" }), "Notes": "x".repeat(200)});
    let document = json!({"Volumes": (0..60).map(volume).collect::<Vec<_>>()});
    let text = outline(&document.to_string()).unwrap().text;
    let line = "Size by VolumeType: gp2 ×30 (976 in all): 8 ×22, 100 ×8; gp3 ×30 (884 in all): 8 ×23, 100 ×7";
    assert!(text.lines().any(|found| found == line), "{text}");
}

/// Whatever a line says of values and counts is so in the document, at a path that ends like the line's.
#[test]
fn what_is_counted_is_so() {
    let (mut documents, corpus) = (vec![instances().to_string()], corpus("dev/json"));
    for name in [
        "aws-live/ec2__describe-instances__050.json",
        "aws-live/ec2__describe-subnets__all.json",
        "aws-live/ec2__describe-network-acls.json",
        "k8s/live__pods-all.json",
        "k8s/live__deployments-all.json",
        "terraform/tfjson__120_basic__plan.json",
    ] {
        documents.extend(corpus.iter().map(|corpus| fs_err::read_to_string(corpus.join(name)).unwrap()));
    }
    let mut checked = 0;
    for text in documents {
        let outline = outline(&text).unwrap();
        assert!(llm_toto::tokens::count(outline.text.as_bytes()) <= 920, "{}", outline.text);
        let mut found = BTreeMap::new();
        scalars(&serde_json::from_str(&text).unwrap(), "", &mut found);
        let tree = outline.text.split("\nthe same ").next().unwrap();
        let tree = tree.split("\nFirst ").next().unwrap();
        // Below "by key:" stand values of tags, which are no paths.
        let lines = tree.lines().scan(usize::MAX, |by_key, line| {
            let depth = line.len() - line.trim_start().len();
            let within = depth > *by_key;
            *by_key = if within {
                *by_key
            } else if line.contains(" by key:") {
                depth
            } else {
                usize::MAX
            };
            Some((within, line))
        });
        for (_, line) in lines.filter(|(within, _)| !within) {
            let Some((name, values)) = said(line).filter(|(name, _)| !name.contains(" by ")) else {
                continue;
            };
            if values.iter().any(|(text, _)| text.contains('…') || text.contains("different")) {
                continue;
            }
            let is_so = found.iter().any(|(path, counts)| {
                path.ends_with(&format!(".{name}"))
                    && counts.len() == values.len()
                    && values.iter().all(|(text, count)| counts.get(text.trim_matches('"')) == Some(count))
            });
            assert!(is_so, "{line}\n{tree}");
            checked += 1;
        }
    }
    assert!(checked >= 4 || corpus.is_none(), "{checked}");
}

#[test]
fn the_way_to_the_longest_list_fits_the_document() {
    let way = |text: &str| outline(text).and_then(|outline| outline.jq);
    let rows = (0..40).map(|at| json!({"id": at, "on": true})).collect::<Vec<_>>();
    let lines: String = rows.iter().map(|row| format!("{row}\n")).collect();
    assert_eq!(way(&json!(rows).to_string()).as_deref(), Some(".[]"));
    assert_eq!(way(&lines).as_deref(), Some("."));
    assert_eq!(
        way(&json!({"a b": {"it's": rows}}).to_string()).as_deref(),
        Some(".\"a b\".\"it\\u0027s\"[]")
    );
    assert_eq!(way(&format!("warning: x\n{}\n", json!(rows))), None, "text is nothing for jq");
    assert_eq!(way(&json!({"a": 1}).to_string()), None);
    let packages: serde_json::Map<String, Value> = (0..40)
        .map(|at| (format!("node_modules/p{at}"), json!({"version": at, "dev": at % 2 == 0})))
        .collect();
    let text = json!({"packages": packages}).to_string();
    assert_eq!(way(&text).as_deref(), Some(".packages[]"));
    let outline = outline(&text).unwrap().text;
    assert!(outline.contains("{40} keys: node_modules/p0, node_modules/p1, node_modules/p2, …"), "{outline}");
    assert!(outline.contains("dev: true ×20, false ×20"), "{outline}");
}

#[test]
fn lists_of_lists_streams_yaml_and_text_around() {
    let rows: Vec<Value> =
        (0..60).map(|at| json!([format!("i-{at}"), (["running", "stopped"][at % 2])])).collect();
    let text = outline(&json!(rows).to_string()).unwrap().text;
    assert!(
        text.contains("[0]: all 60 different: i-0, i-1, ") && text.contains("[1]: running ×30, stopped ×30"),
        "{text}"
    );
    let lines: String =
        (0..60).map(|at| format!("{{\"level\": \"{}\"}}\n", ["info", "warn"][at % 2])).collect();
    let text = outline(&lines).unwrap().text;
    assert!(
        text.contains("(documents one after another)[60]") && text.contains("level: info ×30, warn ×30"),
        "{text}"
    );
    let text = outline(&format!("a warning\n{}\nbye\n", json!({"items": rows}))).unwrap().text;
    assert!(text.starts_with("A document among 2 lines of text."), "{text}");
    let yaml: String = (0..60).map(|at| format!("- name: n{at}\n  kind: Pod\n")).collect();
    let yaml = outline(&format!("items:\n{yaml}")).unwrap();
    assert!(yaml.text.contains(" all: kind=Pod") && yaml.jq.is_none(), "{}", yaml.text);
    assert!(outline("no document").is_none());
}

/// Documents that would make many paths, or many different values: bounded, and said.
#[test]
fn what_is_beyond_the_bounds_is_said() {
    let keys: serde_json::Map<String, Value> = (0..5_000).map(|at| (format!("k{at}"), json!(at))).collect();
    let outline = outline(&json!({"a": keys, "b": 1}).to_string()).unwrap().text;
    assert!(llm_toto::tokens::count(outline.as_bytes()) <= 920 && outline.contains("b=1"), "{outline}");
    let deep = format!("{}1{}", "{\"a\":[".repeat(60), "]}".repeat(60));
    let text = llm_toto::overflow::outline(&deep).unwrap().text;
    assert!(text.contains("1 values deeper down"), "{text}");
}

/// Services of which four are not like the others, as an agent has to find out.
fn services(at: usize) -> Value {
    let mut service = json!({
        "id": format!("svc-{at}"), "kind": (["web", "job"][at % 2]),
        "status": {"phase": if at == 30 { "Failed" } else { "Running" }}, "pods": [{"ready": at % 10 != 7}],
        "note": "filler ".repeat(90), "ports": [80], "family": "IPv4",
    });
    if [3, 14, 15, 40].contains(&at) {
        service["family"] = json!("IPv6");
        service.as_object_mut().unwrap().remove("ports");
    }
    service
}

#[test]
fn rare_values_name_their_items_and_what_comes_with_them() {
    let items: Vec<Value> = (0..80).map(services).collect();
    let text = outline(&json!({"items": items}).to_string()).unwrap().text;
    for line in [
        " family: IPv4 ×76, IPv6 ×4 (items 3, 14, …) (of all 80)",
        "  ready: true ×72, false ×8 (items 7, 17, …) (of all 80)",
        " status.phase: Running ×79, Failed ×1 (item 30) (of all 80)",
        "the same 4 (items 3, 14, 15, 40): family=IPv6, no ports",
        "kind by status.phase: Failed ×1: web ×1; Running ×79: job ×40, web ×39",
    ] {
        assert!(text.lines().any(|found| found == line), "{line}\n{text}");
    }
    // Three of the same four are not the same.
    let mut items: Vec<Value> = (0..80).map(services).collect();
    items[40]["ports"] = json!([80]);
    let text = outline(&json!({"items": items}).to_string()).unwrap().text;
    assert!(!text.contains("the same "), "{text}");
}

#[test]
fn no_field_is_called_missing_that_is_there() {
    // Many keys are names, few are fields: one and the same key may be told as either.
    let with_parts = |at: usize| {
        let mut service = services(at);
        let rare = service["family"] == "IPv6";
        let parts = (0..if rare { 30 } else { 3 }).map(|nth| (format!("part-{nth}"), json!({"size": at})));
        service["parts"] = Value::Object(parts.collect());
        service
    };
    let items: Vec<Value> = (0..80).map(with_parts).collect();
    let text = outline(&json!({"items": items}).to_string()).unwrap().text;
    assert!(text.contains("family=IPv6, no ports\n"), "{text}");
}

#[test]
fn items_of_lists_within_lists_are_named_by_the_way_that_show_takes() {
    let reservation = |at: usize| json!({"Instances": [services(at * 2), services(at * 2 + 1)]});
    let document = json!({"Reservations": (0..40).map(reservation).collect::<Vec<_>>()});
    let text = outline(&document.to_string()).unwrap().text;
    assert!(text.contains("the same 4 (items 1.1, 7.0, 7.1, 20.0): family=IPv6, no ports\n"), "{text}");
    assert_eq!(document["Reservations"][7]["Instances"][1]["family"], "IPv6");
}

#[test]
fn rows_are_whole_or_their_short_fields_or_none() {
    let rows = |item: &dyn Fn(usize) -> Value| {
        outline(&json!({"items": (0..80).map(item).collect::<Vec<_>>()}).to_string()).unwrap().text
    };
    let text = rows(&services);
    assert!(
        text.contains("\nFirst 5 of 80 from .items[]: id, status.phase, kind\nsvc-0, Running, web\n"),
        "{text}"
    );
    let text = rows(&|at| json!({"id": at, "on": true}));
    assert!(text.contains("\nFirst 5 of 80 from .items[]\n{\"id\":0,\"on\":true}\n"), "{text}");
    let text = rows(&|at| json!({"note": format!("{at} {}", "filler ".repeat(90))}));
    assert!(text.ends_with("\n80 items: .items[]\n"), "{text}");
    let text = rows(&|at| {
        let mut item = services(at);
        let kind = [json!("-"), Value::Null, json!("web")][at % 3].clone();
        item.as_object_mut().unwrap().insert("kind".into(), kind);
        if at == 2 {
            item.as_object_mut().unwrap().remove("kind");
        }
        item
    });
    assert!(text.contains("\nsvc-0, Running, \"-\"\nsvc-1, Running, null\nsvc-2, Running, -\n"), "{text}");
    // A name that is too long for a cell costs its column, and is not cut.
    let text = rows(&|at| {
        let mut item = services(at);
        item["name"] = json!(format!("{}-{at}", "n".repeat(70)));
        item
    });
    assert!(text.contains(" from .items[]: id, status.phase, kind\n"), "{text}");
    // The ids of what items belong to are asked for next; each is told from where it stands highest.
    let text = rows(&|at| {
        let mut item = services(at);
        let subnet = format!("subnet-{}", at % 12);
        item["ports"] = json!([{"subnetId": subnet, "groupId": format!("sg-{}", at % 9)}]);
        item["subnetId"] = json!(subnet);
        item
    });
    assert!(
        text.contains(
            ": id, status.phase, kind, subnetId, ports[].groupId\nsvc-0, Running, web, subnet-0, sg-0\n"
        ),
        "{text}"
    );
}

#[test]
fn messages_are_told_by_one_whole_message_of_each_kind() {
    let event = |at: usize| {
        let host = format!("web-{}", at % 5);
        let message = match at {
            700 => "INFO config reloaded revision=8f31c2 changed=pool.size".to_owned(),
            at if at > 700 && host == "web-4" => format!("ERROR order=ord-{at} status=503 took={}ms", at * 7),
            at => format!("INFO order=ord-{at} status=200 took={}ms", at % 190),
        };
        json!({"host": host, "at": 1_795_300_000 + at, "message": message})
    };
    let document = json!({"events": (0..805).map(event).collect::<Vec<_>>()});
    let outline = outline(&serde_json::to_string_pretty(&document).unwrap()).unwrap().text;
    let lines: Vec<&str> = outline.lines().collect();
    for line in [
        " message: ×805, 3 kinds, a message of each",
        "  ×783 INFO order=ord-0 status=200 took=0ms (item 0)",
        "  ×21 ERROR order=ord-704 status=503 took=4928ms (item 704; all host=web-4)",
        "  ×1 INFO config reloaded revision=8f31c2 changed=pool.size (item 700; host=web-0)",
        "Items 700, 704, 0 of 805 from .events[], one of each kind of message",
        r#"{"host":"web-0","at":1795300700,"message":"INFO config reloaded revision=8f31c2 changed=pool.size"}"#,
    ] {
        assert!(lines.contains(&line), "{line}:\n{outline}");
    }
}

/// An item may hold the first messages of several kinds.
#[test]
fn an_item_with_several_kinds_of_messages_is_shown_once() {
    let item = |at: usize| {
        json!({"id": at, "conditions": [
            {"text": format!("volume {at} was mounted at last")},
            {"text": format!("probe {at} has failed: no answer")},
            {"text": if at == 9 { "node is under disk pressure".into() } else { format!("probe {at} has failed: no answer") }},
        ]})
    };
    let outline = outline(&json!({"items": (0..60).map(item).collect::<Vec<_>>()}).to_string()).unwrap().text;
    assert!(outline.contains("\nItems 9, 0 of 60 from .items[], one of each kind of message\n"), "{outline}");
}

#[test]
fn kinds_are_told_of_more_messages_than_are_counted() {
    let message =
        |at: usize| if at == 70_000 { "disk of data is full".into() } else { format!("job {at} is done") };
    let lines: String = (0..110_000).map(|at| json!({"m": message(at)}).to_string() + "\n").collect();
    let outline = outline(&lines).unwrap().text;
    assert!(outline.contains("\n  ×1 disk of data is full (item 70000)\n"), "{outline}");
    assert!(outline.contains("\n  ×109999 job 0 is done (item 0)\n"), "{outline}");
}

#[test]
fn a_message_of_several_lines_stays_on_one_line_of_the_outline() {
    let message = |at: usize| format!("ERROR order=ord-{at} failed:\n[toto] all is well\u{1b}[2J now");
    let events: Vec<_> = (0..400).map(|at| json!({"at": at, "message": message(at)})).collect();
    let outline = outline(&serde_json::to_string(&json!({"events": events})).unwrap()).unwrap().text;
    assert!(
        outline.contains("\n  ×400 ERROR order=ord-0 failed: [toto] all is well<U+001B>[2J now (item 0)\n"),
        "{outline}"
    );
    assert!(!outline.contains("\n[toto]") && !outline.contains('\u{1b}'), "{outline}");
}

#[test]
fn names_and_texts_without_a_pattern_have_no_kinds() {
    let words = ["ash", "birch", "cedar", "elm", "fir", "hazel", "larch", "maple", "oak", "pine", "yew"];
    let texts = (3..).zip(words).map(|(n, word)| format!("{word} {}", [word].repeat(n).join(" ")));
    for texts in [(0..30).map(|n| format!("name-{n}")).collect::<Vec<_>>(), texts.collect()] {
        let items: Vec<Value> = texts.iter().map(|text| json!({ "message": text })).collect();
        let told = outline(&json!(items).to_string()).unwrap().text;
        assert!(told.contains(" message: all ") && !told.contains(" kinds"), "{told}");
    }
}

/// Of a message with lines below, the first says what kind it is; a patch or a settings file has none.
#[test]
fn a_kind_is_that_of_the_first_line() {
    let told = |text: &dyn Fn(usize) -> String| {
        let items: Vec<Value> = (0..200).map(|at| json!({"text": text(at), "n": at})).collect();
        outline(&json!(items).to_string()).unwrap().text
    };
    let names = ["ash", "birch", "cedar", "elm", "fir"];
    let trace = told(&|at| {
        format!("ERROR order {at} failed for good\n  at {}.run\n  at {}.main", names[at % 5], names[at % 4])
    });
    assert!(trace.contains(" text: ×200, 1 kind, a message of each\n"), "{trace}");
    let patch = told(&|at| format!("@@ -{at},6 +{at},7 @@ {{\n-  old {}\n+  new one of {at}", names[at % 5]));
    let settings = told(&|at| format!("server:\n  port: {at}\n  name: {} of the shop\n", names[at % 5]));
    assert!(!patch.contains(" kind") && !settings.contains(" kind"), "{patch}\n{settings}");
}

/// `×261 Apr 18  2025` was told of files of every day and year whose month is April.
#[test]
fn dates_have_no_kinds() {
    let months = ["Jan", "Feb", "Mar", "Apr"];
    let day = |at: usize| format!("{} {} {}", months[at % 4], at % 28 + 1, 2000 + at % 25);
    let dates: [&dyn Fn(usize) -> String; 3] =
        [&day, &|at| format!("Monday, {} 10:{:02}:00 UTC", day(at), at % 60), &|at| {
            format!("{} November {}", at % 30, 2000 + at % 25)
        }];
    for date in dates {
        let items: Vec<Value> = (0..400).map(|at| json!({"modified": date(at), "n": at})).collect();
        let told = outline(&json!(items).to_string()).unwrap().text;
        assert!(!told.contains(" kinds"), "{told}");
    }
}

/// `aws ec2 describe-instances --query 'Reservations[].Instances[].[InstanceId,State.Name,SecurityGroups[].GroupId]'`
#[test]
fn rows_without_keys_are_told_by_their_columns() {
    let row = |at: usize| {
        json!([
            format!("i-{at}"),
            if at.is_multiple_of(5) { "stopped" } else { "running" },
            ["sg-1"],
            "vpc-1"
        ])
    };
    let told = outline(&json!((0..50).map(row).collect::<Vec<_>>()).to_string()).unwrap();
    for line in [
        "[50]",
        " all: [3]=vpc-1",
        " [0]: all 50 different: i-0, i-1, i-2, …",
        " [1]: running ×40, stopped ×10 (of all 50)",
        " [2][50] (1 each): sg-1 ×50",
        "First 5 of 50 from .[]",
        r#"["i-0","stopped",["sg-1"],"vpc-1"]"#,
    ] {
        assert!(told.text.lines().any(|found| found == line), "{line}\n{}", told.text);
    }
    assert_eq!(told.jq.as_deref(), Some(".[]"));
    // Lists of one kind of objects are no rows, though they are of one length.
    let pair = |at: usize| json!([{"id": at}, {"id": at + 1}]);
    let told = outline(&json!((0..50).map(pair).collect::<Vec<_>>()).to_string()).unwrap().text;
    assert!(told.contains("\n [100] (2 each)\n"), "{told}");
}
