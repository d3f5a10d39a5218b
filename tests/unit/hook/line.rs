use crate::hook::line::*;

#[test]
fn a_command_knows_its_parts() {
    let stages = pipeline("A=1 B='x y'  aws 'e'c2 $x 2>&1 # z").unwrap();
    assert_eq!(stages[0].text(), "aws 'e'c2 $x");
    assert_eq!(stages[0].values(), ["aws", "ec2", "$x"]);
    assert_eq!(stages[0].assigned().collect::<Vec<_>>(), ["A", "B"]);
    assert!(stages[0].merge.is_some());
}
