//! How a table was read, so that it can be read again.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

/// How a table was read, and what it held.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Reading {
    /// The column that names the points.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// Columns that describe the points.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub labels: Vec<String>,
    /// The columns that could become features; all if empty.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub columns: Vec<String>,
    /// Columns that were not read.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub exclude: Vec<String>,
    /// A table with more labels.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub label_file: Option<PathBuf>,
    /// The column that holds the points' weights.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub weights: Option<String>,
    /// Whether the first row of a text file is a point.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub no_header: bool,
    /// Which representation of a `.h5ad` file was read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub use_rep: Option<String>,
    /// Whether points without any value were left out.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub ignore_empty: bool,
    /// The CRC-32 of all values; unknown in models of older versions.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub checksum: Option<u32>,
    /// What was noticed in the values, in sentences.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}
