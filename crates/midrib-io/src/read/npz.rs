//! Numpy's zip files of arrays.

use std::fs::File;
use std::io::BufReader;
use std::path::Path;

use zip::ZipArchive;
use zip::result::ZipError;

use super::npy::{self, ArrayHeader};
use super::source::Source;
use super::{ReadOptions, Table};
use crate::error::{Error, Result};

/// Arrays that may name the columns.
const NAMES: [&str; 5] = ["cols", "columns", "features", "feature_names", "var_names"];

pub(super) fn read(source: Source, options: &ReadOptions) -> Result<Table> {
    let path = source.path().to_owned();
    let mut archive = ZipArchive::new(BufReader::new(source.into_file()?))
        .map_err(|error| damaged(&path, error))?;
    let arrays = headers(&path, &mut archive)?;
    let (name, array) = points_array(&path, &arrays)?;

    let mut file =
        archive.by_name(&format!("{name}.npy")).map_err(|error| damaged(&path, error))?;
    ArrayHeader::read(&path, &mut file)?;
    let values = array.matrix(&path, &mut file)?;
    drop(file);

    let columns = array.shape[1];
    let names = column_names(&path, &mut archive, &arrays, columns)?;
    npy::table(&path, columns, values, names, options)
}

type Archive = ZipArchive<BufReader<File>>;

/// The arrays of the archive, by name.
fn headers(path: &Path, archive: &mut Archive) -> Result<Vec<(String, ArrayHeader)>> {
    let mut arrays = Vec::new();
    for i in 0..archive.len() {
        let mut file = archive.by_index(i).map_err(|error| damaged(path, error))?;
        let name = file.name().map_err(|error| damaged(path, error))?.into_owned();
        if let Some(name) = name.strip_suffix(".npy")
            && let Ok(header) = ArrayHeader::read(path, &mut file)
        {
            arrays.push((name.to_owned(), header));
        }
    }
    Ok(arrays)
}

/// The array `X`, or the only matrix.
fn points_array<'a>(
    path: &Path,
    arrays: &'a [(String, ArrayHeader)],
) -> Result<&'a (String, ArrayHeader)> {
    if let Some(array) = arrays.iter().find(|(name, _)| name == "X") {
        return Ok(array);
    }
    if arrays.iter().any(|(name, _)| name == "indptr") {
        return Err(Error::data(path, "holds a sparse matrix; save X.toarray() with numpy.save"));
    }
    let matrices: Vec<_> = arrays.iter().filter(|(_, array)| array.is_matrix()).collect();
    if let [matrix] = matrices[..] {
        return Ok(matrix);
    }
    let found: Vec<String> =
        arrays.iter().map(|(name, array)| format!("{name} {:?}", array.shape)).collect();
    Err(Error::data(
        path,
        format!(
            "holds no array X and {} matrices of numbers ({}); save the points as X",
            matrices.len(),
            if found.is_empty() { "no array at all".into() } else { found.join(", ") }
        ),
    ))
}

fn column_names(
    path: &Path,
    archive: &mut Archive,
    arrays: &[(String, ArrayHeader)],
    columns: usize,
) -> Result<Option<Vec<String>>> {
    for (name, array) in arrays {
        if !NAMES.contains(&name.as_str()) || array.shape != [columns] {
            continue;
        }
        let mut file =
            archive.by_name(&format!("{name}.npy")).map_err(|error| damaged(path, error))?;
        ArrayHeader::read(path, &mut file)?;
        if let Some(names) = array.strings(path, &mut file)? {
            return Ok(Some(names));
        }
    }
    Ok(None)
}

fn damaged(path: &Path, error: ZipError) -> Error {
    match error {
        ZipError::Io(error) => Error::reading(path, &error),
        other => Error::data(path, format!("is damaged ({other}); is the file complete?")),
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::npy::tests::npy;
    use super::*;
    use crate::read::read;

    fn read_arrays(arrays: &[(&str, Vec<u8>)]) -> Result<Table> {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("x.npz");
        let mut archive = zip::ZipWriter::new(File::create(&path).unwrap());
        for (name, bytes) in arrays {
            archive
                .start_file(format!("{name}.npy"), zip::write::SimpleFileOptions::default())
                .unwrap();
            archive.write_all(bytes).unwrap();
        }
        archive.finish().unwrap();
        read(&path, &ReadOptions::default())
    }

    fn bytes(shape: &str, values: &[u8]) -> Vec<u8> {
        npy("|u1", false, shape, values)
    }

    #[test]
    fn the_array_x_is_read_with_its_names() {
        let names: Vec<u8> = "ab".chars().flat_map(|c| u32::from(c).to_le_bytes()).collect();
        let table = read_arrays(&[
            ("Y", bytes("(1, 1)", &[9])),
            ("X", bytes("(2, 2)", &[1, 2, 3, 4])),
            ("cols", npy("<U1", false, "(2,)", &names)),
        ])
        .unwrap();
        assert_eq!(table.features, ["a", "b"]);
        assert_eq!(table.points.len(), 2);
    }

    #[test]
    fn the_only_matrix_is_read_whatever_its_name() {
        let table = read_arrays(&[
            ("labels", bytes("(2,)", &[1, 2])),
            ("data", bytes("(2, 2)", &[1, 2, 3, 4])),
        ])
        .unwrap();
        assert_eq!(table.features, ["x0", "x1"]);
    }

    #[test]
    fn unclear_archives_say_what_they_hold() {
        let message = |arrays: &[(&str, Vec<u8>)]| read_arrays(arrays).unwrap_err().to_string();
        let two = message(&[("a", bytes("(1, 1)", &[1])), ("b", bytes("(1, 1)", &[1]))]);
        assert!(
            two.contains("2 matrices of numbers (a [1, 1], b [1, 1]); save the points as X"),
            "{two}"
        );
        let none = message(&[]);
        assert!(none.contains("no"), "{none}");
        let sparse = message(&[("indptr", bytes("(1,)", &[1]))]);
        assert!(sparse.contains("sparse") && sparse.contains("toarray"), "{sparse}");
    }

    #[test]
    fn a_cut_archive_is_called_damaged() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("x.npz");
        std::fs::write(&path, b"PK\x03\x04 and no more").unwrap();
        let message = read(&path, &ReadOptions::default()).unwrap_err().to_string();
        assert!(message.contains("is the file complete?"), "{message}");
    }
}
