use super::to_json;

#[test]
fn what_kubectl_prints_becomes_json() {
    let yaml = "apiVersion: v1\nitems:\n- metadata:\n    name: a\n    labels: {}\n  data: |\n    # a script\n    x: 1\n  \
                port: 0o17\n  n: 1.10\n  s: \"1.10\"\n  e:\n  t: true\n  m: a long text\n    goes on\nkind: List\n";
    assert_eq!(
        to_json(yaml).unwrap(),
        "{\"apiVersion\":\"v1\",\"items\":[{\"metadata\":{\"name\":\"a\",\"labels\":{}},\"data\":\"# a script\\nx: 1\\n\",\
         \"port\":\"0o17\",\"n\":1.10,\"s\":\"1.10\",\"e\":null,\"t\":true,\"m\":\"a long text goes on\"}],\"kind\":\"List\"}\n"
    );
    assert_eq!(to_json("---\na:\n  b: 1\n---\n- c: 2\n").unwrap(), "{\"a\":{\"b\":1}}\n[{\"c\":2}]\n");
}

#[test]
fn what_json_cannot_say_is_left_alone() {
    for yaml in [
        "a: 1\nb: 2\n",
        "Name:       web\nPorts:\n  http:   80\n",
        "a:\n  b: 1 # why\n",
        "# head\na:\n  b: 1\n",
        "a: &x\n  b: 1\nc: *x\n",
        "a: !!binary\n  b: 1\n",
        "a:\n  ? [1]\n  : 2\n",
        "error: the server doesn't have a resource type\n",
        "a:\n  b: [1\n",
        "just text\n",
    ] {
        assert_eq!(to_json(yaml), None, "{yaml}");
    }
}
