//! The format of a file, by its first bytes rather than its name.

use std::path::Path;

use crate::error::{Error, Result};

/// The formats that can be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Text with commas, tabs or semicolons, plain or packed with gzip.
    Csv,
    /// One numpy array.
    Npy,
    /// A zip file of numpy arrays; `X` is read, or the only one with two dimensions.
    Npz,
    /// Apache Parquet.
    Parquet,
    /// AnnData's HDF5.
    H5ad,
}

pub(super) fn detect(path: &Path, start: &[u8]) -> Result<Format> {
    const MAGIC: [(&[u8], Format); 4] = [
        (b"\x93NUMPY", Format::Npy),
        (b"PAR1", Format::Parquet),
        (b"PK\x03\x04", Format::Npz),
        (b"\x89HDF\r\n\x1a\n", Format::H5ad),
    ];
    let extension = path
        .extension()
        .map(|extension| extension.to_string_lossy().to_ascii_lowercase())
        .unwrap_or_default();
    if matches!(extension.as_str(), "xlsx" | "xls" | "ods") {
        return Err(Error::data(path, "is a spreadsheet; export it as CSV"));
    }
    if let Some((_, format)) = MAGIC.iter().find(|(magic, _)| start.starts_with(magic)) {
        return Ok(*format);
    }
    match extension.as_str() {
        "npy" | "npz" | "parquet" | "h5ad" | "h5" | "hdf5" => Err(Error::data(
            path,
            format!("does not start like a {extension} file; is it complete?"),
        )),
        _ if start.starts_with(&[0xff, 0xfe]) || start.starts_with(&[0xfe, 0xff]) => {
            Err(Error::data(path, "is UTF-16 text; save it as UTF-8"))
        }
        _ if start.contains(&0) => Err(Error::data(
            path,
            "is neither text nor NPY, NPZ, Parquet or h5ad; export it as one of these",
        )),
        _ => Ok(Format::Csv),
    }
}
