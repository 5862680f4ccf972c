//! What the user should know about the similarities.

use super::objective::Model;
use super::settings::{Scaling, Spl};
use crate::error::Error;
use crate::learn::result::four_digits;
use crate::math::Sets;

/// The certificate of the maximum.
pub(super) fn certificate(residual: f64, near: f64) -> String {
    format!(
        "the conditions of the maximum hold up to {residual:.1e} (KKT residual), {:.1e} of the mean \
         squared distance of neighbors",
        residual / near
    )
}

/// Components of the neighbors, if there are several.
pub(super) fn components(model: &Model, are_given: bool) -> Option<String> {
    let n = model.X.n_rows();
    let mut sets = Sets::new(n);
    let joined = model.pairs.iter().filter(|&&(a, b)| sets.join(a, b)).count();
    let components = n - joined;
    if components == 1 {
        return None;
    }
    let apart = if model.gamma > 0.0 {
        "their relative positions come from the points alone".into()
    } else {
        let used = model.d.min(components - 1);
        format!(
            "{used} of the {} latent dimensions only separate them, since the noise weight is 0",
            model.d
        )
    };
    let more = if are_given { "pairs" } else { "neighbors" };
    Some(format!("the neighbors form {components} components: {apart}; more {more} connect them"))
}

/// About the largest squared distance of similar pairs.
fn reach(settings: &Spl, model: &Model) -> f64 {
    four_digits(2.0 * model.d as f64 / (1.0 + settings.noise_weight))
}

/// Points without similar points, if they are the majority.
pub(super) fn lonely(
    settings: &Spl,
    model: &Model,
    edges: &[(usize, usize, f64)],
) -> Option<String> {
    let n = model.X.n_rows();
    let mut has_similar = vec![false; n];
    edges.iter().for_each(|&(a, b, _)| (has_similar[a], has_similar[b]) = (true, true));
    let lonely = has_similar.iter().filter(|has| !**has).count();
    let remedy = match settings.scaling {
        Scaling::None => "scaling = auto",
        Scaling::Auto => "a smaller noise weight",
    };
    (2 * lonely > n).then(|| {
        format!(
            "{lonely} of {n} points are similar to no other: the embedding has a prior of variance 1, \
             so that only pairs within a squared distance of about {} can be similar; {remedy} \
             brings them closer",
            reach(settings, model)
        )
    })
}

/// Refuses settings with which no two points are similar.
pub(super) fn none_similar(settings: &Spl, model: &Model) -> Error {
    let nearest = four_digits(model.phi.iter().copied().fold(f64::INFINITY, f64::min));
    let reach = reach(settings, model);
    let reason = format!(
        "no two points are similar: the embedding has a prior of variance 1, so that only pairs \
         within a squared distance of about {reach} can be similar, and the nearest are {nearest} \
         apart"
    );
    match settings.scaling {
        Scaling::None => Error::setting("scaling", "none", reason + "; leave it at auto"),
        Scaling::Auto => {
            Error::setting("noise_weight", settings.noise_weight, reason + "; give a smaller one")
        }
    }
}
