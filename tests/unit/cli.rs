#[path = "cli/filter.rs"]
mod filter;
#[path = "cli/gain.rs"]
mod gain;
#[path = "cli/lines.rs"]
mod lines;
#[path = "cli/list.rs"]
mod list;

use super::*;

#[test]
fn the_definition_is_sound() {
    Cli::command().debug_assert();
}
