//! The keys of `model.json` that tell of fewer dimensions.

use midrib::learn::Latent;
use midrib::math::Matrix;
use serde::{Deserialize, Serialize};

use crate::error::Result;

/// What a method learnt in fewer dimensions, as keys of a model: all of them or none.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct LatentKeys {
    /// Subtracted from a point before it is projected.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub center: Option<Vec<f64>>,
    /// The directions projected on, one a column.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub basis: Option<Matrix>,
    /// The learnt places of the points, one a row.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub embedding: Option<Matrix>,
    /// The places of the nodes, one a row.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub latent_nodes: Option<Matrix>,
}

impl From<Option<Latent>> for LatentKeys {
    fn from(latent: Option<Latent>) -> Self {
        latent.map_or_else(Self::default, |Latent { center, basis, embedding, nodes }| Self {
            center: Some(center),
            basis: Some(basis),
            embedding: Some(embedding),
            latent_nodes: Some(nodes),
        })
    }
}

impl LatentKeys {
    /// What they hold, for a model with these nodes.
    pub(super) fn get(&self, nodes: &Matrix) -> Result<Option<Latent>> {
        let Self { center, basis, embedding, latent_nodes } = self;
        let (Some(center), Some(basis), Some(embedding), Some(latent_nodes)) =
            (center, basis, embedding, latent_nodes)
        else {
            if *self == Self::default() {
                return Ok(None);
            }
            return Err(midrib::Error::data(
                "center, basis, embedding and latent_nodes belong together, and one is missing",
            )
            .into());
        };
        let d = basis.n_cols();
        for (name, unit, expected, found) in [
            ("center", "", nodes.n_cols(), center.len()),
            ("basis", " rows", nodes.n_cols(), basis.n_rows()),
            ("embedding", " columns", d, embedding.n_cols()),
            ("latent_nodes", " columns", d, latent_nodes.n_cols()),
            ("latent_nodes", " rows", nodes.n_rows(), latent_nodes.n_rows()),
        ] {
            if expected != found {
                return Err(midrib::Error::shape(name, format!("{expected}{unit}"), found).into());
            }
        }
        Ok(Some(Latent {
            center: center.clone(),
            basis: basis.clone(),
            embedding: embedding.clone(),
            nodes: latent_nodes.clone(),
        }))
    }

    /// The key that holds a number that is not finite.
    pub(super) fn not_finite(&self) -> Option<&'static str> {
        let matrices = [
            ("basis", &self.basis),
            ("embedding", &self.embedding),
            ("latent_nodes", &self.latent_nodes),
        ];
        let matrices = matrices.iter().filter_map(|(key, rows)| Some((*key, rows.as_ref()?)));
        let values = matrices.map(|(key, rows)| (key, rows.as_slice()));
        let center = self.center.iter().map(|center| ("center", center.as_slice()));
        let mut all = values.chain(center);
        all.find(|(_, values)| values.iter().any(|x| !x.is_finite())).map(|(key, _)| key)
    }
}
