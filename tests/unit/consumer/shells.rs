use crate::consumer::processes::{Runs, of_arguments};

#[test]
fn a_script_is_told_from_a_command_line() {
    let line = "bash -c x; -bash; bash -lc x; sh -euo pipefail -c x; bash --rcfile f -c x; busybox sh -c x; \
                /bin/zsh -f -c x; fish --no-config -c x; fish --command=x; bash -s; bash +o posix -c x";
    let script = "bash s.sh; sh -e ./s; bash -o pipefail s.sh -c; busybox sh s; zsh -- s; bash --norc s -c";
    for (texts, is_line) in [(line, true), (script, false)] {
        for text in texts.split("; ") {
            let arguments = text.replace(' ', "\0");
            let runs = of_arguments(arguments.as_bytes()).unwrap();
            assert_eq!(!matches!(runs, Runs::Script(_)), is_line, "{text}");
        }
    }
    for (text, runs) in
        [("bash\0-l\0-s", Runs::Input), ("sh\0--rcfile\0f", Runs::Input), ("sh\0-ec\0x\0s", Runs::Line)]
    {
        assert_eq!(of_arguments(text.as_bytes()), Some(runs), "{text}");
    }
    assert_eq!(of_arguments(b""), None);
}
