//! The regularised principal graph: its tree is that of SimplePPT.

use serde_json::json;

use super::l1;
use super::settings::{Rpg, Structure};
use crate::error::Result;
use crate::learn::fitted::{Choice, Fitted};
use crate::learn::given::Given;
use crate::learn::registry::{Method, to_value};
use crate::observe::Observer;
use crate::points::Points;

/// Learns the structure that the settings ask for.
pub(super) fn fit(
    settings: &Rpg,
    points: &Points<'_>,
    given: Given<'_>,
    watch: &mut dyn Observer,
) -> Result<Fitted> {
    settings.check()?;
    match settings.structure {
        Structure::Tree => fit_tree(settings, points, given, watch),
        Structure::L1 => l1::fit(settings, points, given, watch),
    }
}

/// Learns the tree and reports in the paper's scale: λ = 2/γ and J = γ · J of SimplePPT.
fn fit_tree(
    settings: &Rpg,
    points: &Points<'_>,
    given: Given<'_>,
    watch: &mut dyn Observer,
) -> Result<Fitted> {
    let mut fitted = settings.as_tree().fit(points, given, watch)?;
    fitted.method = Rpg::NAME;
    fitted.settings = to_value(settings);
    let mut data_weight = settings.data_weight.or(f64::NAN);
    for choice in &mut fitted.choices {
        if let (Choice { setting: "length_penalty", .. }, Some(penalty)) =
            (&choice, choice.value.as_f64())
        {
            data_weight = 2.0 / penalty;
            choice.setting = "data_weight";
            choice.value = json!(data_weight);
        }
    }
    fitted.tuning = fitted.tuning.map(|tuning| tuning.over("data_weight", |penalty| 2.0 / penalty));
    for objective in &mut fitted.trace {
        *objective *= data_weight;
    }
    Ok(fitted)
}
