//! Texts of any size, each of one shape: what tools print, and what is hard to say in fewer words.

use super::shapes::{Noise, Shape, joined};
use std::fmt::Write as _;

/// What the table lists.
pub const TEXTS: [Shape; 11] = [
    ("log of four forms", log),
    ("table of pods", table),
    ("matches in files", matches),
    ("paths", paths),
    ("records", records),
    ("a tree", tree),
    ("equal blocks", blocks),
    ("unlike lines", unlike),
    ("a template a line", templates),
    ("one line", one_line),
    ("lines of a megabyte", long_lines),
];

fn log(size: usize) -> String {
    joined(size, "", "\n", "\n", |out, noise, at| {
        let _ =
            write!(out, "2026-11-21T10:{:02}:{:02}.{:03}Z ", at / 6000 % 60, at / 100 % 60, noise.next(1000));
        let _ = match noise.next(4) {
            0 => write!(
                out,
                "INFO  http: GET /api/orders/{} 200 in {} ms",
                noise.next(99_999),
                noise.next(900)
            ),
            1 => write!(out, "DEBUG cache: {} entries, {} evicted", noise.next(5000), noise.next(90)),
            2 => write!(
                out,
                "INFO  queue: message {:08x} taken by worker-{}",
                noise.next(1 << 31),
                noise.next(12)
            ),
            _ => write!(out, "TRACE pool: connection {} is idle since {} s", noise.next(64), noise.next(300)),
        };
    })
}

fn table(size: usize) -> String {
    let head = "NAMESPACE   NAME                           READY   STATUS      RESTARTS   AGE    IP            NODE\n";
    joined(size, head, "\n", "\n", |out, noise, _| {
        let pod = format!("service-{}-{:x}", noise.next(40), (1 << 30) + noise.next(1 << 28));
        let ip = format!("10.0.{}.{}", noise.next(90), noise.next(250));
        let _ = write!(
            out,
            "{:<11} {pod:<30} 1/1     {:<11} {:<10} {:<6} {ip:<13} ip-10-0-{}-{}.ec2.internal",
            ["shop", "core", "monitoring"][noise.next(3) as usize],
            if noise.next(9) == 0 { "Completed" } else { "Running" },
            noise.next(4),
            format!("{}h", noise.next(90)),
            noise.next(90),
            noise.next(30)
        );
    })
}

fn matches(size: usize) -> String {
    joined(size, "", "\n", "\n", |out, noise, at| {
        let file = at / 9;
        let _ = write!(
            out,
            "src/module_{}/file_{file}.rs:{}:        let value_{} = compute(&input, {});",
            file / 12,
            at % 9 * 31 + 7,
            noise.next(50),
            noise.next(1000)
        );
    })
}

fn paths(size: usize) -> String {
    joined(size, "", "\n", "\n", |out, noise, at| {
        let names = ["index", "types", "utils", "client", "errors", "README", "package"];
        let name = names[noise.next(7) as usize];
        let _ =
            write!(out, "./node_modules/@scope/package-{}/dist/lib/{name}.{}.js", at / 14, noise.next(99));
    })
}

fn records(size: usize) -> String {
    joined(size, "", "\n", "\n", |out, noise, at| {
        let _ = write!(
            out,
            "-[ RECORD {} ]-----------------\nid         | {}\ncustomer   | cust{}\ntotal      | {}.{:02}\nstatus     | {}",
            at + 1,
            at + 1,
            noise.next(9000),
            noise.next(900),
            noise.next(100),
            ["paid", "shipped", "cancelled"][noise.next(3) as usize]
        );
    })
}

fn tree(size: usize) -> String {
    joined(size, ".\n", "\n", "\n└── end\n", |out, noise, at| {
        let _ = if at % 8 == 0 {
            write!(out, "├── directory-{}", at / 8)
        } else {
            let stroke = if at % 8 == 7 { "└──" } else { "├──" };
            write!(out, "│   {stroke} file-{}.txt", noise.next(100_000))
        };
    })
}

fn blocks(size: usize) -> String {
    joined(size, "", "\n\n", "\n", |out, noise, at| {
        let _ = writeln!(out, "task {at} of host-{}:", noise.next(5000));
        for line in [
            "loading the inventory",
            "resolving names",
            "opening a session",
            "copying the archive",
            "unpacking it",
            "starting the service",
        ] {
            let _ = writeln!(out, "  step: {line} with the default settings of the role");
        }
        out.push_str("  done");
    })
}

/// A word of letters that follow no rule.
fn word(out: &mut String, noise: &mut Noise) {
    for _ in 0..2 + noise.next(8) {
        out.push((b'a' + noise.next(26) as u8) as char);
    }
}

fn unlike(size: usize) -> String {
    joined(size, "", "\n", "\n", |out, noise, _| {
        for at in 0..3 + noise.next(12) {
            if at > 0 {
                out.push(' ');
            }
            word(out, noise);
        }
    })
}

/// Three lines of each form, and no two forms alike.
fn templates(size: usize) -> String {
    joined(size, "", "\n", "\n", |out, noise, _| {
        let mut form = String::new();
        word(&mut form, noise);
        let words = 2 + noise.next(6);
        for row in 0..3 {
            if row > 0 {
                out.push('\n');
            }
            for at in 0..words {
                let _ = write!(out, "{form}{at}={} ", noise.next(1000));
            }
        }
    })
}

fn one_line(size: usize) -> String {
    joined(size, "", " ", "\n", |out, noise, _| word(out, noise))
}

fn long_lines(size: usize) -> String {
    joined(size, "", "\n", "\n", |out, noise, _| {
        let end = out.len() + 1_000_000.min(size / 4);
        while out.len() < end {
            let _ = write!(out, "{} ", noise.next(1000));
        }
    })
}
