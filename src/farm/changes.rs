//! Changes to the user's files, each told in one line; or, in a dry run, only told.

use std::io;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use fs_err as fs;

use crate::foreign;
pub use crate::foreign::read;

/// What was done, or would be.
#[derive(Debug, Default)]
pub struct Changes {
    dry: bool,
    lines: Vec<String>,
}

impl Changes {
    /// `dry`: nothing is to be touched.
    pub fn new(dry: bool) -> Self {
        Self { dry, lines: Vec::new() }
    }

    /// Whether nothing is to be touched.
    pub fn is_dry(&self) -> bool {
        self.dry
    }

    /// One line a change, in order.
    pub fn lines(&self) -> &[String] {
        &self.lines
    }

    /// Notes a change that the caller makes by itself.
    pub fn note(&mut self, done: &str, would: &str, what: impl std::fmt::Display) {
        let verb = if self.dry { format!("would {would}") } else { done.to_string() };
        self.lines.push(format!("{verb} {what}"));
    }

    /// Sees to it that the file has this text.
    ///
    /// # Errors
    /// The file system's, with the path.
    pub fn write(&mut self, path: &Path, text: &[u8]) -> io::Result<()> {
        let old = read(path)?;
        if old.as_deref() == Some(text) {
            return Ok(());
        }
        if !self.dry {
            foreign::write(path, text)?;
        }
        match old {
            Some(_) => self.note("changed", "change", path.display()),
            None => self.note("wrote", "write", path.display()),
        }
        Ok(())
    }

    /// Sees to it that `to` is an executable copy of `from`, replaced as a whole: it may be running.
    ///
    /// # Errors
    /// The file system's, with the path.
    pub fn copy_program(&mut self, from: &Path, to: &Path) -> io::Result<()> {
        let program = fs::read(from)?;
        if read(to)?.is_some_and(|old| old == program) {
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

    /// Sees to it that there is no such file; links are removed, not what they lead to.
    ///
    /// # Errors
    /// The file system's, with the path.
    pub fn remove(&mut self, path: &Path) -> io::Result<()> {
        if path.symlink_metadata().is_ok() {
            if !self.dry {
                fs::remove_file(path)?;
            }
            self.note("removed", "remove", path.display());
        }
        Ok(())
    }

    /// Sees to it that there is no such directory, nor anything in it.
    ///
    /// # Errors
    /// The file system's, with the path.
    pub fn remove_tree(&mut self, path: &Path) -> io::Result<()> {
        if path.symlink_metadata().is_ok() {
            if !self.dry {
                fs::remove_dir_all(path)?;
            }
            self.note("removed", "remove", path.display());
        }
        Ok(())
    }

    /// Removes a directory if nothing is in it; whoever else made it will make it again.
    pub fn remove_if_empty(&mut self, path: &Path) {
        if !self.dry && std::fs::remove_dir(path).is_ok() {
            self.note("removed", "remove", path.display());
        }
    }
}
