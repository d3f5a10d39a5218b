//! Lays data out as static tables before the crate is compiled.

#[path = "src/agents/codegen.rs"]
mod agents;

fn main() {
    agents::build();
}
