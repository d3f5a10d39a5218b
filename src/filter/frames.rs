//! Stack traces: of a run of library frames the first and the last stay, the others become a count. Message, cause
//! chain and the user's own frames are no library frames and stay.

use super::lines::{Cut, Lines};

/// Fewer consecutive library frames stay as they are.
const FEWEST: usize = 5;

/// Parts of a place that belong to no project of the user's.
const LIBRARY_PATHS: &[&str] = &[
    "/site-packages/",
    "/dist-packages/",
    "/lib/python3",
    "<frozen ",
    "/node_modules/",
    "(node:",
    "at node:",
    "/rustc/",
    "/.cargo/registry/",
    "/.rustup/",
    "/usr/local/go/src/",
    "/usr/lib/go",
    "/pkg/mod/",
    "/usr/lib/ruby/",
    "/gems/",
    "/vendor/bundle/",
    "/vendor/github.com/",
    "/vendor/golang.org/",
    "/vendor/google.golang.org/",
    "/vendor/gopkg.in/",
    "/vendor/go.uber.org/",
    "/vendor/go.etcd.io/",
    "/usr/share/dotnet/",
];
/// How the functions of libraries are named, behind `at ` (Java, .NET).
const LIBRARY_NAMES: &[&str] = &[
    "java.",
    "javax.",
    "jdk.",
    "sun.",
    "com.sun.",
    "org.junit.",
    "org.apache.maven.",
    "org.gradle.",
    "org.springframework.",
    "org.testng.",
    "org.hibernate.",
    "kotlin.",
    "kotlinx.",
    "scala.",
    "io.netty.",
    "System.",
    "Microsoft.",
    "Xunit.",
    "NUnit.",
];
/// How the functions of libraries are named in a Rust backtrace.
const RUST_NAMES: &[&str] = &[
    "core::",
    "std::",
    "alloc::",
    "<core::",
    "<std::",
    "<alloc::",
    "rust_begin_unwind",
    "__rust_",
    "_start",
    "__libc_",
];

/// Folds the library frames of every stack trace in `lines`.
pub fn fold(lines: &mut Lines<'_>) {
    let mut cuts = Vec::new();
    let mut at = 0;
    while at < lines.len() {
        let mut frames = Vec::new();
        while let Some(length) = library_frame(lines, at) {
            frames.push(at);
            at += length;
        }
        if frames.len() >= FEWEST {
            let (start, end) = (frames[1], frames[frames.len() - 1]);
            cuts.push(Cut::counted(start, end, frames.len() - 2, "library frames"));
            lines.leave_out(end - start);
        }
        at += usize::from(frames.is_empty());
    }
    lines.cut(cuts);
}

/// The lines of the library frame that begins at `at`.
fn library_frame(lines: &Lines<'_>, at: usize) -> Option<usize> {
    if at >= lines.len() {
        return None;
    }
    let line = lines.get(at);
    let body = line.trim_ascii_start();
    if body.len() == line.len() {
        return go_frame(lines, at);
    }
    if let Some(place) = body.strip_prefix(b"at ") {
        let name = place.rsplit(|byte| *byte == b'/').next().unwrap_or(place);
        let named = LIBRARY_NAMES.iter().any(|prefix| {
            place.starts_with(prefix.as_bytes())
                || name.starts_with(prefix.as_bytes()) && place.contains(&b'(')
        });
        return (named || is_library_path(body)).then_some(1);
    }
    if body.starts_with(b"File \"") {
        // Its source line, and the line that points into it.
        let indent = line.len() - body.len();
        let source =
            (at + 1..lines.len()).take(2).take_while(|next| indentation(lines.get(*next)) > indent).count();
        return is_library_path(body).then_some(1 + source);
    }
    rust_frame(lines, at, body)
}

/// `  12: core::ops::function::FnOnce::call_once`, then `             at /rustc/…/function.rs:250:5`.
fn rust_frame(lines: &Lines<'_>, at: usize, body: &[u8]) -> Option<usize> {
    let digits = body.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let name = body[digits..].strip_prefix(b": ").filter(|_| digits > 0)?;
    let place = (at + 1 < lines.len())
        .then(|| lines.get(at + 1).trim_ascii_start())
        .filter(|next| next.starts_with(b"at "));
    let library = match place {
        Some(place) => is_library_path(place),
        None => RUST_NAMES.iter().any(|prefix| name.starts_with(prefix.as_bytes())),
    };
    library.then_some(1 + usize::from(place.is_some()))
}

/// `net/http.(*conn).serve(0xc0001)`, then a tab, the file, its line and the offset.
fn go_frame(lines: &Lines<'_>, at: usize) -> Option<usize> {
    let (name, place) = (lines.get(at), (at + 1 < lines.len()).then(|| lines.get(at + 1))?);
    let called = name.ends_with(b")") || name.starts_with(b"created by ");
    (called && place.starts_with(b"\t/") && is_library_path(place)).then_some(2)
}

fn indentation(line: &[u8]) -> usize {
    line.len() - line.trim_ascii_start().len()
}

fn is_library_path(line: &[u8]) -> bool {
    LIBRARY_PATHS.iter().any(|part| memchr::memmem::find(line, part.as_bytes()).is_some())
}

#[cfg(test)]
#[expect(clippy::format_collect, reason = "a test's text")]
mod tests {
    use super::*;

    fn folded(text: &str) -> String {
        let mut lines = Lines::new(text.as_bytes());
        fold(&mut lines);
        lines.finish(text.as_bytes()).map_or(text.into(), |f| String::from_utf8(f.text).unwrap())
    }

    #[test]
    fn library_frames_of_every_language_become_a_count() {
        let java: String = (0..9).map(|n| format!("\tat org.junit.Run.f{n}(Run.java:{n})\n")).collect();
        let text = format!("java.lang.X: why\n\tat my.App.main(App.java:3)\n{java}Caused by: y\n");
        assert_eq!(
            folded(&text),
            "java.lang.X: why\n\tat my.App.main(App.java:3)\n\tat org.junit.Run.f0(Run.java:0)\n… 7 library frames\n\
             \tat org.junit.Run.f8(Run.java:8)\nCaused by: y\n"
        );
        let python: String = (0..6)
            .map(|n| format!("  File \"/x/site-packages/a.py\", line {n}, in f\n    call({n})\n"))
            .collect();
        let out = folded(&format!(
            "Traceback:\n{python}  File \"my.py\", line 1, in g\n    h()\nValueError: why\n"
        ));
        assert!(
            out.contains("… 4 library frames\n")
                && out.contains("\"my.py\", line 1")
                && out.contains("call(5)"),
            "{out}"
        );
        let go: String = (0..6)
            .map(|n| format!("runtime.f{n}()\n\t/usr/lib/go-1.19/src/runtime/x.go:{n} +0x1\n"))
            .collect();
        assert!(folded(&go).contains("… 4 library frames\n"), "{}", folded(&go));
        let rust: String =
            (0..6).map(|n| format!("  {n}: core::f\n             at /rustc/1/x.rs:{n}:1\n")).collect();
        assert!(folded(&rust).contains("… 4 library frames\n"));
    }

    #[test]
    fn the_users_own_frames_stay() {
        let text: String = (0..20).map(|n| format!("    at f{n} (/home/me/app/a.js:{n}:1)\n")).collect();
        assert_eq!(folded(&text), text);
    }
}
