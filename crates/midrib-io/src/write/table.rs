//! A CSV file, row by row. Every number reads back as the same number.

use std::fmt::Write as _;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use super::number::Exact;
use crate::error::{Error, Result};

/// Writes a table of text fields.
///
/// ```
/// # let directory = tempfile::tempdir()?;
/// # let path = directory.path().join("t.csv");
/// midrib_io::write_table(&path, &["name", "size"], [["a, b", "1"], ["c", "2"]])?;
/// assert_eq!(std::fs::read_to_string(&path)?, "name,size\n\"a, b\",1\nc,2\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn write_table<R, F>(
    path: &Path,
    header: &[impl AsRef<str>],
    rows: impl IntoIterator<Item = R>,
) -> Result<()>
where
    R: IntoIterator<Item = F>,
    F: AsRef<str>,
{
    let mut table = TableWriter::create(path, header)?;
    for row in rows {
        for field in row {
            table.text(field.as_ref())?;
        }
        table.end_row()?;
    }
    table.finish()
}

/// A CSV file on its way to the disk.
pub(super) struct TableWriter<'a> {
    path: &'a Path,
    writer: csv::Writer<BufWriter<Box<dyn Write>>>,
    /// Holds one number while it is written.
    text: String,
}

impl<'a> TableWriter<'a> {
    pub(super) fn create(path: &'a Path, header: &[impl AsRef<str>]) -> Result<Self> {
        let sink: Box<dyn Write> = if path.as_os_str() == "-" {
            Box::new(io::stdout())
        } else {
            Box::new(File::create(path).map_err(|error| Error::writing(path, &error))?)
        };
        let mut table = Self {
            path,
            writer: csv::Writer::from_writer(BufWriter::with_capacity(1 << 18, sink)),
            text: String::new(),
        };
        for name in header {
            table.text(name.as_ref())?;
        }
        table.end_row()?;
        Ok(table)
    }

    pub(super) fn text(&mut self, text: &str) -> Result<()> {
        self.writer.write_field(text).map_err(|error| failed(self.path, error))
    }

    pub(super) fn integer(&mut self, number: usize) -> Result<()> {
        self.shown(number)
    }

    /// Writes a number; nothing where it is not finite.
    pub(super) fn number(&mut self, number: f64) -> Result<()> {
        if number.is_finite() { self.shown(Exact(number)) } else { self.text("") }
    }

    fn shown(&mut self, value: impl std::fmt::Display) -> Result<()> {
        self.text.clear();
        // Writing into a string cannot fail.
        let _ = write!(self.text, "{value}");
        self.writer.write_field(&self.text).map_err(|error| failed(self.path, error))
    }

    pub(super) fn end_row(&mut self) -> Result<()> {
        self.writer.write_record(None::<&[u8]>).map_err(|error| failed(self.path, error))
    }

    pub(super) fn finish(mut self) -> Result<()> {
        let failed = |error: io::Error| Error::writing(self.path, &error);
        self.writer.flush().map_err(failed)
    }
}

fn failed(path: &Path, error: csv::Error) -> Error {
    match error.into_kind() {
        csv::ErrorKind::Io(error) => Error::writing(path, &error),
        other => Error::File { path: path.into(), reason: format!("cannot be written: {other:?}") },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(target_os = "linux")]
    fn a_full_disk_is_named() {
        let error = write_table(Path::new("/dev/full"), &["a"], [["1"]]).unwrap_err();
        let message = error.to_string();
        assert!(message.starts_with("/dev/full: cannot be written: No space left"), "{message}");
        assert!(message.contains("free some space"), "{message}");
        assert!(!error.is_bad_data());
    }
}
