//! Learning an embedding from a table of distances instead of points.

use std::time::Instant;

use midrib::learn::{Configured, Given, METHODS};
use midrib::object::Located;
use midrib::{Distances, Observer, Points};
use midrib_io::{Input, Model, Run, check_directory, read_distances};

use crate::error::{Error, Result};
use crate::fit::FitResult;
use crate::fit_table::{FittedTable, TableFit};
use crate::listener::Listener;
use crate::report::ResultPoints;
use crate::save::{SaveRequest, save};
use crate::summary::summarize;
use crate::table::refuse_results;
use crate::text::{count, shown};

/// An embedding of distances, and its coordinates as points.
#[derive(Clone, Debug)]
pub struct DistanceFit {
    /// What was learned.
    pub fit: FitResult,
    /// The coordinates, whose columns are called z1, z2 and so on.
    pub points: Points<'static>,
}

/// Learns an embedding from distances that come from `file`.
///
/// ```
/// use midrib::{Distances, Silent, learn};
/// let method = learn::method("mds")?.parse(&serde_json::json!({"n_components": 1}))?;
/// let distances = Distances::from_condensed(&[1.0, 3.0, 2.0])?;
/// let learned = midrib_tasks::fit_distances(&*method, &distances, "d.csv", &mut Silent)?;
/// assert_eq!(learned.fit.model.input.features, ["z1"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn fit_distances(
    method: &dyn Configured,
    distances: &Distances,
    file: &str,
    watch: &mut dyn Observer,
) -> Result<DistanceFit> {
    let mut fit = method.fit_distances(distances, Given::default(), watch)?;
    let Some(embedding) = fit.object.embedding() else {
        return Err(midrib::Error::data("distances give no embedding with this method").into());
    };
    let z = &embedding.coordinates;
    let (rows, columns) = (z.n_rows(), z.n_cols());
    let points = Points::from_f64(z.as_slice().to_vec(), columns)?;
    let input = Input {
        file: file.into(),
        rows,
        columns,
        features: (1..=columns).map(|axis| format!("z{axis}")).collect(),
        prepare: None,
    };
    let (choices, end) = (std::mem::take(&mut fit.choices), fit.end);
    let mut model = Model::new(fit, &choices, input);
    model.notes.push(format!(
        "learned from the distances of {}: there are no coordinates for new points",
        count(rows, "point", "points")
    ));
    let located = Located::default();
    let fit = FitResult { model, located, choices, end };
    Ok(DistanceFit { fit, points })
}

/// Learns from a table of distances, which is the request's input, and writes a directory of results.
/// With `dry_run` nothing is learned or written.
pub fn fit_distance_table(
    request: &TableFit<'_>,
    dry_run: bool,
    listener: &mut dyn Listener,
) -> Result<Option<FittedTable>> {
    let started = Instant::now();
    check(request, listener)?;
    let table = read_distances(&request.input)?;
    let n = table.distances.len();
    let file = shown(&request.input);
    listener.note(&format!("{file}: the distances of {}", count(n, "point", "points")));
    if dry_run {
        return Ok(None);
    }
    listener.begin();
    let name = request.input.display().to_string();
    let learned = fit_distances(request.method, &table.distances, &name, listener);
    listener.finish();
    let learned = learned.map_err(|error| error.of_table(&request.input))?;
    let DistanceFit { fit: FitResult { mut model, located, choices, end }, mut points } = learned;
    if let Some(ids) = table.ids {
        points = points.with_ids(ids)?;
    }
    let seconds = started.elapsed().as_secs_f64();
    model.run = Some(Run::new(request.command.clone(), Some(seconds)));
    let summary = summarize(&model)?;
    save(&SaveRequest {
        directory: &request.output,
        force: request.force,
        model: &model,
        summary: &summary,
        points: Some(ResultPoints::new(&points, &located, &[])),
        wording: listener.wording(),
    })?;
    let seconds = started.elapsed().as_secs_f64();
    let (roots, refused_root) = (None, None);
    Ok(Some(FittedTable { model, summary, choices, end, roots, refused_root, seconds }))
}

/// Refuses what distances cannot be used for, before any file is read.
fn check(request: &TableFit<'_>, listener: &dyn Listener) -> Result<()> {
    let flag = (listener.wording().setting)("distances");
    if !request.entry.distances {
        let takes = METHODS.iter().filter(|entry| entry.distances);
        let names: Vec<&str> = takes.map(|entry| entry.name).collect();
        return Err(Error::usage(format!(
            "{flag}: {} needs points, not their distances; use {}",
            request.entry.name,
            names.join(", ")
        )));
    }
    if !request.preparation.is_nothing() {
        return Err(Error::usage(format!(
            "{flag}: distances are used as they are; leave out what prepares the columns of points"
        )));
    }
    refuse_results(&request.input)?;
    Ok(check_directory(&request.output, request.force)?)
}
