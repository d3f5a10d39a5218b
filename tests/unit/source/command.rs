use super::super::command::{Lines, Numbers, Request, word};

fn read(line: &str) -> Option<(Vec<String>, Lines, Numbers, String)> {
    let words = crate::words::split(line.as_bytes()).unwrap();
    let words: Vec<&str> = words.iter().map(|word| std::str::from_utf8(word).unwrap()).collect();
    let asked = Request::read(words[0], &words[1..])?;
    let files = asked.files.into_iter().map(String::from).collect();
    Some((files, asked.lines, asked.numbers, asked.command))
}

#[test]
fn commands_that_print_lines_of_files() {
    for (line, lines, numbers) in [
        ("cat f", Lines::ALL, Numbers::None),
        ("cat -n f", Lines::ALL, Numbers::All),
        ("bat -p --paging=never f", Lines::ALL, Numbers::None),
        ("bat -r 5: f", Lines::Range(5, u64::MAX), Numbers::None),
        ("batcat --line-range=5:9 f", Lines::Range(5, 9), Numbers::None),
        ("nl f", Lines::ALL, Numbers::Filled),
        ("nl -ba f", Lines::ALL, Numbers::All),
        ("head f", Lines::Range(1, 10), Numbers::None),
        ("head -2000 f", Lines::Range(1, 2000), Numbers::None),
        ("head -n 2000 f", Lines::Range(1, 2000), Numbers::None),
        ("tail -n +30 f", Lines::Range(30, u64::MAX), Numbers::None),
        ("tail -300 f", Lines::Last(300), Numbers::None),
        ("sed -n 3,900p f", Lines::Range(3, 900), Numbers::None),
        ("sed -n '3,$p' f", Lines::Range(3, u64::MAX), Numbers::None),
        ("sed -n -e '3,+7 p' f", Lines::Range(3, 10), Numbers::None),
        ("sed -ne 7,3p f", Lines::Range(7, 7), Numbers::None),
        ("awk 'NR>=3 && NR<=900' f", Lines::Range(3, 900), Numbers::None),
        ("awk 'NR>=3 {print}' f", Lines::Range(3, u64::MAX), Numbers::None),
        ("awk 'NR==3,NR==9{print $0}' f", Lines::Range(3, 9), Numbers::None),
    ] {
        let (files, read_lines, read_numbers, _) = read(line).unwrap_or_else(|| panic!("{line}"));
        assert_eq!((read_lines, read_numbers), (lines, numbers), "{line}");
        assert_eq!(files, ["f"], "{line}");
    }
    assert_eq!(read("cat -- -x 'a b'").unwrap().0, ["-x", "a b"]);
    assert_eq!((word("-x"), word("a b")), ("./-x".into(), "'a b'".into()));
    assert_eq!(read("bat -p -- f g").unwrap().3, "bat -p");
}

#[test]
fn a_file_of_a_revision() {
    let read = |line: &str| {
        let words: Vec<String> = line.split(' ').map(String::from).collect();
        Request::of_revision(&words).map(|asked| (asked.command, asked.files[0].to_owned()))
    };
    let file = "HEAD:src/lib.rs".to_owned();
    assert_eq!(read("git show HEAD:src/lib.rs").unwrap(), ("git show".into(), file.clone()));
    assert_eq!(
        read("git -C a --no-pager show HEAD:src/lib.rs").unwrap(),
        ("git -C a --no-pager show".into(), file)
    );
    for line in [
        "git show HEAD",
        "git show HEAD: x",
        "git show --stat HEAD:a",
        "git log HEAD:a",
        "git show a:b c:d",
        "show a:b",
    ] {
        assert_eq!(read(line), None, "{line}");
    }
}

#[test]
fn what_is_not_known_for_sure_is_the_tools_own_business() {
    let lines = "cat|cat -|cat f -|cat -A f|cat -s f|cat -n f g|cat --help|bat -A f|bat --style=full f|\
                 nl -s : f|nl f g|head -c 9 f|head -n -5 f|head -q f g|head -n 5 f g|tail -f f|tail -F f|\
                 tail -c 9 f|tail -n 0 f|tail +5 f g|sed -n p|sed -n 1,9p|sed 1,9p f|sed -n s/a/b/p f|\
                 sed -n -i 1,9p f|sed -n '1,9p;12p' f|sed -n /a/,/b/p f|sed -n 1,9p f g|sed -nE 1,9p f|\
                 sed -n 0,9p f|awk NR==3 f|awk '{print $1}' f|awk -F: 'NR>=3' f|awk 'NR>=9&&NR<=3' f|\
                 awk 'NR>3' f|awk 'NR>=3' f g|less f|cat ''|cat 'a\u{1b}b'";
    for line in lines.split('|') {
        assert_eq!(read(line), None, "{line}");
    }
}
