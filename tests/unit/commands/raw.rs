use crate::commands::raw::*;
use std::ffi::OsString;

fn passes(line: &str) -> bool {
    let mut words = line.split(' ');
    let tool = words.next().unwrap();
    pattern_of(tool, &words.map(OsString::from).collect::<Vec<_>>(), &[]).is_some()
}

#[test]
fn what_follows_or_talks_is_passed_on_and_what_ends_by_itself_is_not() {
    let passed_on = "kubectl logs -f pod; kubectl -n kube-system logs pod --follow; kubectl exec -it pod -- sh; \
                     kubectl get pods -w; kubectl get pods --watch=true; docker run --rm -ti alpine; \
                     aws sso login --profile x; aws --region us-east-1 eks get-token --cluster-name c; \
                     npm run dev; cargo run --release; git rebase -i HEAD~3; psql; psql -h db -U viewer corp; kubectl get pods --watch-only; \
                     kubectl events -w; kubectl get pods -wowide; kubectl get pods -nprod -w; \
                     docker exec -uroot -it c sh; docker compose -f x.yml logs -f; journalctl -lf; \
                     journalctl -efu nginx; tail -fn5 log; psql -hcorp.example; mysql -uroot -psecret; sqlite3 x.db; sqlite3 -json x.db; sqlite3 -cmd .tables x.db; \
                     git restore --patch";
    let captured = "kubectl logs pod; kubectl get pods --watch=false; kubectl exec pod -- tail -f log; \
                    docker run --rm alpine ls; aws ec2 describe-instances; aws logs filter-log-events; \
                    git status; npm run build; cargo test; kubectl get pods -owide; \
                    kubectl get pods -nworkflows; docker exec -uroot c id; docker compose -f x.yml logs; \
                    gradle build -Dtest.single=x; git log --follow file; cargo nextest run; \
                    cargo --locked nextest run --no-fail-fast; psql -c select; psql -hdb -XAtc select; psql corp --file=x.sql; \
                    psql --command=select; mysql -uroot -e select; sqlite3 x.db select; sqlite3 -json -cmd .tables x.db select";
    for (lines, expected) in [(passed_on, true), (captured, false)] {
        for line in lines.split("; ") {
            assert_eq!(passes(line), expected, "{line}");
        }
    }
}

#[test]
fn the_user_can_add_to_the_table() {
    let args = ["serve".into()];
    assert_eq!(pattern_of("mytool", &args, &[]), None);
    assert_eq!(pattern_of("mytool", &args, &["serve".into()]).as_deref(), Some("serve"));
}
