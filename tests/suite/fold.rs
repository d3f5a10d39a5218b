//! Folding the spool into the database: every run counts once, whatever happens meanwhile.

use std::fs;
use std::thread;
use std::time::Duration;

use crate::harness::{run, spawn};
use crate::ledger::{database, gain, lines, put, runs_of, sandbox};

#[test]
fn a_fold_that_is_killed_loses_nothing_and_counts_nothing_twice() {
    let kills: u32 = std::env::var("TOTO_TEST_KILLS").ok().and_then(|text| text.parse().ok()).unwrap_or(12);
    let sandbox = sandbox();
    let mut text = lines(0..3000);
    let path = put(&sandbox, &text);
    for kill in 0..kills {
        // Others write, and fold, meanwhile.
        let more = lines(3000 + kill * 50..3050 + kill * 50);
        text.extend_from_slice(&more);
        let mut child = spawn(sandbox.toto(["gain"]).stdout(std::process::Stdio::null()));
        let mut other =
            (kill % 4 == 0).then(|| spawn(sandbox.toto(["gain"]).stdout(std::process::Stdio::null())));
        let mut file = fs::File::options().append(true).open(&path).unwrap();
        std::io::Write::write_all(&mut file, &more).unwrap();
        // From before its first page to after its last.
        thread::sleep(Duration::from_micros(u64::from(kill * 7919 % 200) * 150));
        child.kill().unwrap();
        child.wait().unwrap();
        if let Some(other) = &mut other {
            other.kill().unwrap();
            other.wait().unwrap();
        }
    }
    let (told, outcome) = gain(&sandbox);
    let expected = u64::from(3000 + kills * 50);
    assert_eq!(told["total"]["runs"], expected);
    assert_eq!(told["total"]["tokens"], expected * 1000);
    assert_eq!(
        told["days"].as_array().unwrap().iter().map(|day| day["runs"].as_u64().unwrap()).sum::<u64>(),
        expected
    );
    assert_eq!(outcome.err(), "");
    assert_eq!(runs_of(&sandbox), expected);
}

#[test]
fn two_folds_at_once_count_once() {
    let sandbox = sandbox();
    put(&sandbox, &lines(0..2000));
    let totals = thread::scope(|scope| {
        let asks: Vec<_> = (0..6).map(|_| scope.spawn(|| runs_of(&sandbox))).collect();
        asks.into_iter().map(|ask| ask.join().unwrap()).collect::<Vec<_>>()
    });
    assert_eq!(totals, [2000; 6]);
}

#[test]
fn a_line_that_is_not_complete_is_read_when_it_is() {
    let sandbox = sandbox();
    let text = lines(0..3);
    let path = put(&sandbox, &text[..text.len() - 10]);
    assert_eq!(runs_of(&sandbox), 2);
    fs::write(&path, &text).unwrap();
    assert_eq!(runs_of(&sandbox), 3);
    // Another file of the same name.
    fs::remove_file(&path).unwrap();
    put(&sandbox, &lines(3..5));
    assert_eq!(runs_of(&sandbox), 5);
}

#[test]
fn a_day_that_is_over_is_folded_and_removed() {
    let sandbox = sandbox();
    let old = sandbox.home_file(".local/share/toto/spool/2026-01-05.jsonl", lines(0..4));
    let other = sandbox.home_file(".local/share/toto/spool/of-a-container.jsonl", lines(2..6));
    let current = put(&sandbox, &lines(6..8));
    assert_eq!(runs_of(&sandbox), 8);
    assert_eq!((old.exists(), other.exists(), current.exists()), (false, true, true));
    assert_eq!(runs_of(&sandbox), 8);
}

#[test]
fn torn_lines_are_passed_over_and_told_of() {
    let sandbox = sandbox();
    let whole = lines(0..3);
    let later = b"{\"v\":9,\"of\":\"another time\"}\n";
    let text = [&whole[..100], &whole, b"\xff\xfe\n{}\n\n", later, &vec![b'x'; 200_000], b"\n", &whole[..50]]
        .concat();
    put(&sandbox, &text);
    let (told, outcome) = gain(&sandbox);
    assert_eq!(told["total"]["runs"], 3);
    let said = outcome.err();
    assert!(said.contains("lines (no whole records)"), "{said}");
    assert!(said.contains("not counted: 1 run (written down by a later toto"), "{said}");
}

#[test]
fn a_damaged_database_is_kept_and_what_can_be_read_of_it_counts() {
    let sandbox = sandbox();
    let old = sandbox.home_file(".local/share/toto/spool/2026-01-05.jsonl", lines(0..5000));
    put(&sandbox, &lines(5000..5010));
    assert_eq!(runs_of(&sandbox), 5010);
    assert!(!old.exists());
    let mut bytes = fs::read(database(&sandbox)).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle..middle + 20_000].fill(0xa5);
    fs::write(database(&sandbox), &bytes).unwrap();
    let outcome = run(&mut sandbox.toto(["gain", "--since", "12h", "--json"])).ok();
    assert!(
        outcome.err().contains("the ledger was damaged (database disk image is malformed)"),
        "{}",
        outcome.err()
    );
    let (told, outcome) = gain(&sandbox);
    let runs = told["total"]["runs"].as_u64().unwrap();
    assert!((2000..5010).contains(&runs), "{runs}");
    assert_eq!(told["total"]["tokens"], runs * 1000);
    assert_eq!(outcome.err(), "");
    let aside = fs::read_dir(database(&sandbox).parent().unwrap()).unwrap();
    assert_eq!(
        aside
            .filter(|file| file.as_ref().unwrap().file_name().to_string_lossy().contains("damaged-"))
            .count(),
        1
    );
}

#[test]
fn a_database_that_is_none_is_made_anew_from_the_spool() {
    let sandbox = sandbox();
    sandbox.home_file(
        ".local/share/toto/ledger.db",
        "this is not a database, whatever its name may say of it\n".repeat(99),
    );
    put(&sandbox, &lines(0..7));
    let (told, outcome) = gain(&sandbox);
    assert_eq!(told["total"]["runs"], 7);
    assert!(outcome.err().contains("file is not a database"), "{}", outcome.err());
    assert_eq!(gain(&sandbox).1.err(), "");
}

#[test]
fn a_ledger_that_cannot_be_written_is_read_all_the_same() {
    let sandbox = sandbox();
    put(&sandbox, &lines(0..5));
    assert_eq!(runs_of(&sandbox), 5);
    put(&sandbox, &lines(0..9));
    fs::rename(database(&sandbox), sandbox.root().join("kept.db")).unwrap();
    fs::create_dir(database(&sandbox)).unwrap();
    let (told, outcome) = gain(&sandbox);
    assert_eq!(told["total"]["runs"], 9);
    assert!(
        outcome.err().contains("cannot be written") && outcome.err().contains("all runs that were recorded"),
        "{}",
        outcome.err()
    );
}

/// Folding once moved on past what a later version had written, which that version then never read.
#[test]
fn records_of_a_later_toto_wait_for_it() {
    let sandbox = sandbox();
    let [start, of_later] = ["{\"v\":1,", "{\"v\":9,"];
    let all = String::from_utf8(lines(0..5)).unwrap();
    let mixed: String = all
        .split_inclusive('\n')
        .enumerate()
        .map(|(number, line)| match number {
            2 => line.replacen(start, of_later, 1),
            _ => line.to_owned(),
        })
        .collect();
    assert_ne!(mixed, all);
    let old = sandbox.home_file(".local/share/toto/spool/2026-01-05.jsonl", &mixed);
    for _ in 0..2 {
        assert_eq!(runs_of(&sandbox), 4);
    }
    // To a toto that knows the form it is a record as any other.
    fs::write(&old, all).unwrap();
    assert_eq!(runs_of(&sandbox), 5);
    assert!(!old.exists());
}
