//! Reference points in JSON: as many as the table has rows, so packed instead of spelt out.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::math::Matrix;

/// The values row after row as doubles, smallest byte first, in base64.
#[derive(Serialize, Deserialize)]
struct Packed {
    rows: usize,
    columns: usize,
    values: String,
}

const BYTES: usize = size_of::<f64>();

pub(super) fn serialize<S: Serializer>(matrix: &Matrix, serializer: S) -> Result<S::Ok, S::Error> {
    let bytes: Vec<u8> = matrix.as_slice().iter().flat_map(|x| x.to_le_bytes()).collect();
    let (rows, columns) = (matrix.n_rows(), matrix.n_cols());
    Packed { rows, columns, values: STANDARD.encode(bytes) }.serialize(serializer)
}

pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Matrix, D::Error> {
    let Packed { rows, columns, values } = Packed::deserialize(deserializer)?;
    let bytes = STANDARD
        .decode(values)
        .map_err(|error| D::Error::custom(format!("kernel.reference.values: {error}")))?;
    let expected = rows.checked_mul(columns).and_then(|values| values.checked_mul(BYTES));
    let (chunks, []) = bytes.as_chunks::<BYTES>() else {
        return Err(D::Error::custom("kernel.reference.values is cut off"));
    };
    if expected != Some(bytes.len()) {
        return Err(D::Error::custom(format!(
            "kernel.reference.values: expected {rows} x {columns} values, found {}",
            chunks.len()
        )));
    }
    let values = chunks.iter().map(|&bytes| f64::from_le_bytes(bytes)).collect();
    Matrix::new(rows, columns, values).map_err(D::Error::custom)
}
