use super::*;

#[test]
fn a_call_is_named_in_words_that_are_public() {
    for (line, expected) in [
        ("aws ec2 describe-instances --instance-ids i-1", "aws ec2 describe-instances"),
        ("aws --profile prod s3api list-objects-v2 --bucket b", "aws s3api list-objects-v2"),
        ("aws s3 cp secret.txt s3://b", "aws s3 cp"),
        ("git -C /home/me/project status -s", "git status"),
        ("git stash pop stash@{1}", "git stash pop"),
        ("kubectl -n prod get pods web-1 -o json", "kubectl get pods"),
        ("kubectl get widgets.example.com", "kubectl get"),
        ("cargo +nightly test parser::tests", "cargo test"),
        ("npx jest src/secret", "jest"),
        ("gcloud compute instances list --project p", "gcloud compute instances list"),
        ("terraform state show aws_db.password", "terraform state show"),
        ("sudo python3 -m pytest tests", "pytest"),
        // What no table knows.
        ("psql hunter2", "psql"),
        ("aws hunter2 describe-instances", "aws"),
        ("aws ec2 get-hunter2x9", "aws"),
        ("aws ec2 hunter2", "aws"),
        ("git hunter2 status", "git"),
        ("git checkout hunter2", "git checkout"),
        ("npm run hunter2", "npm run"),
        ("npx hunter2", "npx"),
        ("sudo hunter2 status", "sudo"),
        ("curl https://user:hunter2@host/", "curl"),
        ("kubectl --token get hunter2", "kubectl"),
        ("make hunter2", "make"),
    ] {
        let tool = line.split(' ').next().unwrap();
        assert_eq!(name_of(tool, &library::words(line)), expected, "{line}");
    }
}

#[test]
fn a_tools_name_is_made_safe() {
    assert_eq!(file_name("a b\n\"c\"/é"), "a_b__c__é");
    assert_eq!(file_name(&"x".repeat(99)).len(), LONGEST_NAME);
}
