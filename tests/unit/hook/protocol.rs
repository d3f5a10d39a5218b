use crate::agents::AGENTS;
use crate::hook::protocol::*;
use serde_json::Map;
use serde_json::Value;

fn answered(id: &str, input: &str, command: &str) -> String {
    let hook = AGENTS.iter().find(|agent| agent.id == id).unwrap().hook.as_ref().unwrap();
    answer(hook, &question(hook, input.as_bytes()).unwrap(), command).unwrap()
}

#[test]
fn a_long_number_came_out_as_its_neighbour() {
    let number = "5.0006666666666667e+76";
    let input = format!(r#"{{"tool_name":"Bash","tool_input":{{"command":"x","timeout":{number}}}}}"#);
    let answer = answered("claude", &input, "y");
    let (_, timeout) = answer.split_once("\"timeout\":").unwrap();
    assert_eq!(timeout.trim_end_matches('}').parse(), number.parse::<f64>(), "{answer}");
}

#[test]
fn arguments_may_be_json_in_a_text() {
    let input = r#"{"toolName":"bash","toolArgs":"{\"command\":\"aws\",\"mode\":\"sync\"}"}"#;
    assert_eq!(answered("copilot", input, "t"), r#"{"modifiedArgs":{"command":"t","mode":"sync"}}"#);
}

#[test]
fn what_a_command_says_is_no_part_of_the_answers_form() {
    let input = r#"{"tool_name":"bash","tool_input":{"command":"x"}}"#;
    assert_eq!(answered("opencode", input, "@INPUT@"), r#"{"command":"@INPUT@"}"#);
}

#[test]
fn every_agents_answer_is_json_and_only_codex_says_allow() {
    for (agent, hook) in AGENTS.iter().filter_map(|agent| Some((agent.id, agent.hook.as_ref()?))) {
        let arguments: Map<String, Value> = [("command".into(), "x".into())].into_iter().collect();
        let question = Question { message: Value::Null, arguments };
        let answer = answer(hook, &question, "toto x").unwrap_or_else(|| panic!("{agent}"));
        assert!(answer.contains(r#""command":"toto x""#), "{agent}: {answer}");
        assert_eq!(answer.contains("allow"), agent == "codex", "{agent}: {answer}");
    }
}
