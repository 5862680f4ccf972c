//! From the covariance to the axes.

use std::ops::ControlFlow;

use super::gaps::observed;
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
    let cloud = Cloud::with_missing(points)?;
    cloud.require_spread()?;
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
    let Axes { center, axes, variances, held, trace, iterations, end } =
        match cloud.missing_values() {
            0 => complete(wanted, &cloud, watch)?,
            _ => with_missing(settings, wanted, most, &cloud, watch)?,
        };
    let unit = cloud.square_unit();
    let found = axes.n_rows();
    let flat = Flat {
        center: cloud.to_data(Matrix::from_rows(&[center])?).row(0).to_vec(),
        axes,
        variances: variances.iter().map(|variance| variance * unit).collect(),
        mass: points.total_weight(),
    };
    let what = if trace.is_empty() { "variance" } else { "variance of the known values" };
    Ok(Fit {
        method: Pca::NAME,
        object: Object::Flats(Flats::new(vec![flat])?),
        trace: trace.iter().map(|error| error * unit).collect(),
        iterations,
        end,
        settings: to_value(settings),
        choices: Choice::of_components(settings.n_components, found).into_iter().collect(),
        tuning: None,
        notes: vec![format!("{:.1} % of the {what} lies along the components", 100.0 * held)],
    })
}

/// Axes in working coordinates.
struct Axes {
    center: Vec<f64>,
    axes: Matrix,
    variances: Vec<f64>,
    /// The share of the variance that they hold.
    held: f64,
    trace: Vec<f64>,
    iterations: usize,
    end: End,
}

/// By an eigendecomposition. In working coordinates no square overflows.
fn complete(wanted: Components, cloud: &Cloud<'_>, watch: &mut dyn Observer) -> Result<Axes> {
    let progress = Progress { stage: "finding the axes", done: 0, of: 1, objective: None };
    let end = match watch.progress(progress) {
        ControlFlow::Continue(()) => End::Converged,
        ControlFlow::Break(()) => End::Interrupted,
    };
    let prepare::Pca { mean, axes, shares } = prepare::Pca::fit(wanted, cloud)?;
    let variance = cloud.spread() / cloud.total_weight();
    Ok(Axes {
        center: mean,
        axes,
        variances: shares.iter().map(|share| share * variance).collect(),
        held: shares.iter().sum(),
        trace: Vec::new(),
        iterations: 1,
        end,
    })
}

/// By alternating least squares; for a share of the variance with one axis more each time.
fn with_missing(
    settings: &Pca,
    wanted: Components,
    most: usize,
    cloud: &Cloud<'_>,
    watch: &mut dyn Observer,
) -> Result<Axes> {
    let (mut count, share) = match wanted {
        Components::Count(count) => (count, 0.0),
        Components::Share(share) => (1, share),
    };
    loop {
        let found = observed(cloud, count, settings.limits(), watch)?;
        let error = found.descent.trace.last().copied().unwrap_or_default();
        let held = (1.0 - error / cloud.spread()).max(0.0);
        if held >= share || count >= most || found.end == End::Interrupted {
            return Ok(Axes {
                center: found.center,
                axes: found.axes,
                variances: found.variances,
                held,
                iterations: found.descent.iterations,
                trace: found.descent.trace,
                end: found.end,
            });
        }
        count += 1;
    }
}
