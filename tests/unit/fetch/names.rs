use super::names;

#[test]
fn a_call_is_named_by_what_sets_it_apart() {
    for (calls, expected) in [
        (&["aws x --region us-east-1", "aws x --region eu-west-1"][..], &["us-east-1", "eu-west-1"][..]),
        (&["kubectl get pods -n a", "kubectl get svc -n b"], &["pods a", "svc b"]),
        (&["git log", "git status -s"], &["log", "status -s"]),
        (&["git", "git status"], &["git", "git status"]),
        (&["git log -1", "git log -1 a"], &["-1", "-1 a"]),
        (&["ls /a"], &["ls /a"]),
        (&["ls", "ls", "ls"], &["ls", "ls (2)", "ls (3)"]),
        (&["e a", "e a", "e b"], &["a", "a (2)", "b"]),
        (&["e x (2)", "e x y", "e x y"], &["(2)", "y", "y (2)"]),
        (&["e a", "e a (2)", "e a", "e a"], &["a", "a (2)", "a (3)", "a (4)"]),
        (&["e b\nc", "e d"], &["b c", "d"]),
    ] {
        let calls: Vec<Vec<String>> =
            calls.iter().map(|line| line.split(' ').map(str::to_owned).collect()).collect();
        assert_eq!(names(&calls), expected);
    }
}
