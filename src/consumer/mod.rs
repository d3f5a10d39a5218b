//! Stand-in.
#![allow(missing_docs)]
use std::os::fd::BorrowedFd;
pub enum Plan {
    Exec,
    Capture { stderr: StderrPlan },
}
#[derive(Clone, Copy)]
pub enum StderrPlan {
    Inherit,
    Separate,
    Merged,
}
pub struct Agent {
    pub session_variable: Option<&'static str>,
}
pub struct Decision {
    pub plan: Plan,
    pub agent: Option<&'static Agent>,
}
pub struct Trace;
impl Trace {
    pub fn off() -> Self {
        Trace
    }
}
pub fn decide(_t: &mut Trace) -> Decision {
    let on = std::env::var_os("TOTO").is_some_and(|v| v == "on");
    let same = {
        let a = rustix::fs::fstat(rustix::stdio::stdout());
        let b = rustix::fs::fstat(rustix::stdio::stderr());
        matches!((a,b), (Ok(a),Ok(b)) if a.st_ino==b.st_ino && a.st_dev==b.st_dev)
    };
    Decision {
        plan: if on {
            Plan::Capture { stderr: if same { StderrPlan::Merged } else { StderrPlan::Separate } }
        } else {
            Plan::Exec
        },
        agent: None,
    }
}
impl Decision {
    pub fn still_read_by_agent(&self, _f: BorrowedFd<'_>) -> bool {
        true
    }
    pub fn parses_output(&self) -> bool {
        false
    }
}
