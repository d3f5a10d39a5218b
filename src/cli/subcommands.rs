//! Subcommands are declared in one place: a row has the variant, its arguments, and what runs it with these.

macro_rules! subcommands {
    ($($(#[$about:meta])* $name:ident($args:ty) => $run:path $(, $more:expr)?;)+) => {
        #[derive(Subcommand)]
        enum Command { $($(#[$about])* $name($args),)+ }

        impl Command {
            fn run(&self) -> anyhow::Result<i32> {
                match self { $(Self::$name(args) => $run(args $(, $more)?),)+ }
            }
        }
    };
}
pub(crate) use subcommands;
