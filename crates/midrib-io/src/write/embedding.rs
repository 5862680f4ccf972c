//! `embedding.csv`.

use std::path::Path;

use midrib::Points;
use midrib::math::Matrix;

use super::names;
use super::table::TableWriter;
use crate::error::Result;
use crate::read::Labels;

/// Writes `embedding.csv`: id, the latent coordinates z1, z2, …, then the labels.
///
/// ```
/// # let directory = tempfile::tempdir()?;
/// # let path = directory.path().join("embedding.csv");
/// use midrib::{Points, math::Matrix};
/// let points = Points::from_f64(vec![0.5, 2.0], 1)?;
/// midrib_io::write_embedding(&path, &points, &Matrix::from_rows(&[[1.0, 0.0], [0.5, 3.0]])?, &[])?;
/// assert_eq!(std::fs::read_to_string(&path)?, "id,z1,z2\n0,1,0\n1,0.5,3\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn write_embedding(
    path: &Path,
    points: &Points,
    embedding: &Matrix,
    labels: &[Labels],
) -> Result<()> {
    let mut lengths = vec![("embedding", embedding.n_rows())];
    lengths.extend(labels.iter().map(|label| (label.name.as_str(), label.values.len())));
    for (name, len) in lengths {
        if len != points.len() {
            return Err(midrib::Error::shape(name, points.len(), len).into());
        }
    }
    let mut header = vec!["id".to_owned()];
    header.extend(names::latent_names(embedding.n_cols()));
    let taken: Vec<&str> = header.iter().map(String::as_str).collect();
    let label_names: Vec<String> = labels.iter().map(|label| label.name.clone()).collect();
    let label_names = names::beside(&taken, &label_names, "label_");
    header.extend(label_names);
    let mut table = TableWriter::create(path, &header)?;
    for (i, z) in embedding.rows().enumerate() {
        match points.ids() {
            Some(ids) => table.text(&ids[i])?,
            None => table.integer(i)?,
        }
        for &z in z {
            table.number(z)?;
        }
        for label in labels {
            table.text(&label.values[i])?;
        }
        table.end_row()?;
    }
    table.finish()
}
