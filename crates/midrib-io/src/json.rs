//! A result as JSON.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

use serde::Serialize;

use crate::error::{Error, Result};

/// Writes anything that has a form in JSON, in one line.
///
/// ```
/// # let directory = tempfile::tempdir()?;
/// # let path = directory.path().join("a.json");
/// midrib_io::write_json(&path, &serde_json::json!({"clusters": 3}))?;
/// assert_eq!(std::fs::read_to_string(&path)?, "{\"clusters\":3}\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn write_json(path: &Path, value: &impl Serialize) -> Result<()> {
    let failed = |error: std::io::Error| Error::writing(path, &error);
    let mut file = BufWriter::new(File::create(path).map_err(failed)?);
    serde_json::to_writer(&mut file, value).map_err(|error| failed(error.into()))?;
    file.write_all(b"\n").map_err(failed)?;
    file.flush().map_err(failed)
}
