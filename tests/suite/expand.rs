//! `toto expand` as a command.
