//! Changes to the user's files, each reported in one line; in a dry run they are only reported.

use std::io;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use fs_err as fs;

use crate::edits;
pub use crate::edits::read;

#[derive(Debug, Default)]
pub struct Changes {
    pub dry: bool,
    /// The reports, one line per change, in order.
    pub lines: Vec<String>,
}

impl Changes {
    /// No changes yet; with `dry` no file will be touched.
    pub fn new(dry: bool) -> Self {
        Self { dry, lines: Vec::new() }
    }

    pub fn text(&self) -> String {
        self.lines.iter().map(|line| format!("{line}\n")).collect()
    }

    /// Reports a change that the caller makes itself. `done` is the verb for a change that was made; `would` is the
    /// verb that follows "would" in a dry run.
    pub fn note(&mut self, done: &str, would: &str, what: impl std::fmt::Display) {
        let verb = if self.dry { format!("would {would}") } else { done.to_string() };
        self.lines.push(format!("{verb} {what}"));
    }

    pub fn write(&mut self, path: &Path, text: &[u8]) -> io::Result<()> {
        let old = read(path)?;
        if old.as_deref() == Some(text) {
            return Ok(());
        }
        if !self.dry {
            edits::write(path, text)?;
        }
        match old {
            Some(_) => self.note("changed", "change", path.display()),
            None => self.note("wrote", "write", path.display()),
        }
        Ok(())
    }

    /// Makes `to` an executable copy of `from`. The file is replaced as a whole, since the program may be running.
    pub fn copy_program(&mut self, from: &Path, to: &Path) -> io::Result<()> {
        let program = fs::read(from)?;
        let is_executable = rustix::fs::access(to, rustix::fs::Access::EXEC_OK).is_ok();
        if is_executable && read(to)?.is_some_and(|old| old == program) {
            return Ok(());
        }
        if !self.dry {
            let directory = to.parent().unwrap_or(Path::new("/"));
            fs::create_dir_all(directory)?;
            let file = tempfile::NamedTempFile::new_in(directory)?;
            fs::write(file.path(), &program)?;
            fs::set_permissions(file.path(), std::fs::Permissions::from_mode(0o755))?;
            file.persist(to)?;
        }
        self.note("installed", "install", to.display());
        Ok(())
    }

    /// Removes the file if it is there; of a link, the link and not its target.
    pub fn remove(&mut self, path: &Path) -> io::Result<()> {
        self.remove_by(|path| fs::remove_file(path), path)
    }

    /// Removes what is there, by the function for it.
    pub fn remove_by(&mut self, remove: fn(&Path) -> io::Result<()>, path: &Path) -> io::Result<()> {
        if path.symlink_metadata().is_ok() {
            if !self.dry {
                remove(path)?;
            }
            self.note("removed", "remove", path.display());
        }
        Ok(())
    }

    /// Removes a directory if it is empty; anybody else who needs it will make it again.
    pub fn remove_if_empty(&mut self, path: &Path) {
        if !self.dry && std::fs::remove_dir(path).is_ok() {
            self.note("removed", "remove", path.display());
        }
    }
}
