//! `… | toto`: standard input through the pipeline to standard output.

use std::io::Read;

use super::options::OptionArgs;
use crate::deliver::Delivery;
use crate::filter::Notices;

/// Reads all of standard input and writes it compressed.
///
/// # Errors
/// When standard input cannot be read, standard output cannot be written, or a setting cannot be used.
pub fn run(options: &OptionArgs) -> anyhow::Result<i32> {
    let settings = options.settings()?;
    let mut input = Vec::new();
    std::io::stdin().lock().read_to_end(&mut input)?;
    let delivery = Delivery {
        settings: &settings,
        tool: "pipe",
        command: &[],
        session: options.session(),
        machine_reader: false,
        still_read: &|_| true,
        receipt: true,
        timing: options.timing,
        host_limit: None,
        notices: Notices::default(),
    };
    delivery.bytes(&input)?;
    Ok(0)
}
