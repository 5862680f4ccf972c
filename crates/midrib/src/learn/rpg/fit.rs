//! The tree of the regularised principal graph, by the sweeps of SimplePPT.

use serde_json::json;

use super::settings::Rpg;
use crate::error::Result;
use crate::learn::choices::AutoOr;
use crate::learn::fitted::{Choice, Fitted};
use crate::learn::registry::{Method, to_value};
use crate::math::Matrix;
use crate::observe::Observer;
use crate::points::Points;

/// Learns the tree and reports in the paper's scale: λ = 2/γ and J = γ · J of SimplePPT.
pub(super) fn fit(
    settings: &Rpg,
    points: &Points<'_>,
    start: Option<&Matrix>,
    watch: &mut dyn Observer,
) -> Result<Fitted> {
    settings.check()?;
    let mut fitted = settings.as_tree().fit(points, start, watch)?;
    fitted.method = Rpg::NAME;
    fitted.settings = to_value(settings);
    let mut data_weight = match settings.data_weight {
        AutoOr::Fixed(weight) => weight,
        AutoOr::Auto => f64::NAN,
    };
    for choice in &mut fitted.choices {
        if let (Choice { setting: "length_penalty", .. }, Some(penalty)) =
            (&choice, choice.value.as_f64())
        {
            data_weight = 2.0 / penalty;
            choice.setting = "data_weight";
            choice.value = json!(data_weight);
        }
    }
    for objective in &mut fitted.trace {
        *objective *= data_weight;
    }
    Ok(fitted)
}
