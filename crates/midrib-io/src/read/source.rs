//! Opening a file or standard input, with a look at how it starts.

use std::fs::File;
use std::io::{self, Cursor, Read};
use std::path::{Path, PathBuf};

use flate2::read::MultiGzDecoder;

use crate::error::{Error, Result};

/// Enough to see the first lines of nearly any table.
const START: u64 = 64 * 1024;

/// An open input whose first bytes have been looked at. Gzip is unpacked on the way.
pub(super) struct Source {
    path: PathBuf,
    /// The size of a file that can be mapped; 0 for streams and packed files.
    len: u64,
    start: Vec<u8>,
    rest: Box<dyn Read>,
}

impl Source {
    /// Opens a table.
    pub(super) fn open(path: &Path) -> Result<Self> {
        Self::open_unless_empty(path, "is empty; a table needs at least one row of numbers")
    }

    /// Opens what is refused with this reason if it is empty.
    pub(super) fn open_unless_empty(path: &Path, reason: &str) -> Result<Self> {
        let mut rest: Box<dyn Read> = if path == Path::new("-") {
            Box::new(io::stdin().lock())
        } else {
            Box::new(open_file(path)?)
        };
        let mut len = match std::fs::metadata(path) {
            Ok(file) if file.is_file() && path != Path::new("-") => file.len(),
            _ => 0,
        };
        let mut start = take_start(path, &mut rest)?;
        if start.starts_with(&[0x1f, 0x8b]) {
            rest = Box::new(MultiGzDecoder::new(Cursor::new(start).chain(rest)));
            start = take_start(path, &mut rest)?;
            len = 0;
        }
        if start.is_empty() {
            return Err(Error::data(path, reason));
        }
        Ok(Self { path: path.into(), len, start, rest })
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// The size of the file, if it is a plain one; else 0.
    pub(super) fn len(&self) -> u64 {
        self.len
    }

    /// The first bytes.
    pub(super) fn start(&self) -> &[u8] {
        &self.start
    }

    /// Everything from the first byte on.
    pub(super) fn into_reader(self) -> impl Read {
        Cursor::new(self.start).chain(self.rest)
    }

    /// The file itself, for formats that are not read from start to end.
    pub(super) fn into_file(self) -> Result<File> {
        if self.path == Path::new("-") {
            return Err(Error::data(
                &self.path,
                "only text tables can be read from it; name a file instead",
            ));
        }
        open_file(&self.path)
    }
}

fn open_file(path: &Path) -> Result<File> {
    let failed = |error: io::Error| Error::reading(path, &error);
    let file = File::open(path).map_err(failed)?;
    if file.metadata().map_err(failed)?.is_dir() {
        return Err(failed(io::ErrorKind::IsADirectory.into()));
    }
    Ok(file)
}

fn take_start(path: &Path, reader: &mut dyn Read) -> Result<Vec<u8>> {
    let mut start = Vec::new();
    reader.take(START).read_to_end(&mut start).map_err(|error| Error::reading(path, &error))?;
    Ok(start)
}
