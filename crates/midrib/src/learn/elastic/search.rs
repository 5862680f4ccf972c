//! How the best change of a growing graph is found.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How the best change of a growing graph is found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Search {
    /// Grows on a sample; reassigns only points whose nearest node may have changed.
    #[default]
    Fast,
    /// Grows on all points and reassigns all of them in each sweep.
    Exact,
}
