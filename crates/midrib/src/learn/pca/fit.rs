//! From the covariance to the axes.

use std::ops::ControlFlow;

use super::settings::Pca;
use crate::error::{Error, Result};
use crate::learn::choices::ComponentCount;
use crate::learn::method::{Method, to_value};
use crate::learn::result::{Choice, End, Fit};
use crate::math::Matrix;
use crate::object::{Flat, Flats, Object};
use crate::observe::{Observer, Progress};
use crate::points::{Blocks, Cloud};
use crate::prepare::{self, Components};

/// Finds the axes.
pub(super) fn fit(settings: &Pca, points: &dyn Blocks, watch: &mut dyn Observer) -> Result<Fit> {
    let cloud = Cloud::new(points)?;
    cloud.require_spread()?;
    let progress = Progress { stage: "finding the axes", done: 0, of: 1, objective: None };
    let end = match watch.progress(progress) {
        ControlFlow::Continue(()) => End::Converged,
        ControlFlow::Break(()) => End::Interrupted,
    };
    let most = points.dims().min(points.len().saturating_sub(1)).max(1);
    let wanted = match settings.n_components {
        ComponentCount::Exactly(count) if count > most => {
            let shape = format!("{} points in {} columns", points.len(), points.dims());
            let reason = format!("{shape} have 1 to {most} components");
            return Err(Error::setting("n_components", count, reason));
        }
        ComponentCount::Exactly(count) => Components::Count(count),
        ComponentCount::Share(share) => Components::Share(share),
        ComponentCount::Auto => Components::Count(most.min(2)),
    };
    // In working coordinates no square overflows.
    let prepare::Pca { mean, axes, shares } = prepare::Pca::fit(wanted, &cloud)?;
    let center = cloud.to_data(Matrix::from_rows(&[mean])?).row(0).to_vec();
    let variance = cloud.spread() / points.total_weight() * cloud.square_unit();
    let found = axes.n_rows();
    let flat = Flat {
        center,
        axes,
        variances: shares.iter().map(|share| share * variance).collect(),
        mass: points.total_weight(),
    };
    let held: f64 = shares.iter().sum();
    Ok(Fit {
        method: Pca::NAME,
        object: Object::Flats(Flats::new(vec![flat])?),
        trace: Vec::new(),
        iterations: 1,
        end,
        settings: to_value(settings),
        choices: Choice::of_components(settings.n_components, found).into_iter().collect(),
        tuning: None,
        notes: vec![format!("{:.1} % of the variance lies along the components", 100.0 * held)],
    })
}
