//! Large matrices in JSON, as those of reference points: packed instead of spelt out.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::matrix::Matrix;

/// The values row after row as doubles, smallest byte first, in base64.
#[derive(Serialize, Deserialize)]
struct Packed {
    rows: usize,
    columns: usize,
    values: String,
}

const BYTES: usize = size_of::<f64>();

pub(crate) fn serialize<S: Serializer>(matrix: &Matrix, serializer: S) -> Result<S::Ok, S::Error> {
    let bytes: Vec<u8> = matrix.as_slice().iter().flat_map(|x| x.to_le_bytes()).collect();
    let (rows, columns) = (matrix.n_rows(), matrix.n_cols());
    Packed { rows, columns, values: STANDARD.encode(bytes) }.serialize(serializer)
}

pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Matrix, D::Error> {
    let Packed { rows, columns, values } = Packed::deserialize(deserializer)?;
    let bytes = STANDARD
        .decode(values)
        .map_err(|error| D::Error::custom(format!("the values of a packed matrix: {error}")))?;
    let expected = rows.checked_mul(columns).and_then(|values| values.checked_mul(BYTES));
    let (chunks, []) = bytes.as_chunks::<BYTES>() else {
        return Err(D::Error::custom("the values of a packed matrix are cut off"));
    };
    if expected != Some(bytes.len()) {
        return Err(D::Error::custom(format!(
            "the values of a packed matrix: expected {rows} x {columns}, found {}",
            chunks.len()
        )));
    }
    let values = chunks.iter().map(|&bytes| f64::from_le_bytes(bytes)).collect();
    Matrix::new(rows, columns, values).map_err(D::Error::custom)
}
