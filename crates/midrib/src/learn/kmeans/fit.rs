//! The loop of k-means. Gorban2009, Basic k-means algorithm.
#![allow(non_snake_case)]

use super::plan::{centers, check_points};
use super::settings::KMeans;
use crate::assign::{Lloyd, Sums, nearest_nodes};
use crate::error::{Error, Result};
use crate::graph::PrincipalGraph;
use crate::learn::descent::Descent;
use crate::learn::given::Given;
use crate::learn::method::{Method, to_value};
use crate::learn::result::{End, Fit};
use crate::math::Matrix;
use crate::object::Object;
use crate::observe::Observer;
use crate::points::{Blocks, Cloud};

/// Learns the centers from several starts and keeps the best.
pub(super) fn fit(
    settings: &KMeans,
    points: &dyn Blocks,
    given: Given<'_>,
    watch: &mut dyn Observer,
) -> Result<Fit> {
    let cloud = Cloud::new(points)?;
    check_points(settings, &cloud)?;
    let starts = if given.start.is_some() { 1 } else { settings.n_init };
    let mut best: Option<Rounds> = None;
    let mut interrupted = false;
    for start in 0..starts as u64 {
        let centers = centers(settings, &cloud, given.start, start)?;
        let rounds = rounds(settings, &cloud, centers, watch)?;
        interrupted = rounds.end == End::Interrupted;
        if best.as_ref().is_none_or(|best| rounds.K.cost < best.K.cost) {
            best = Some(rounds);
        }
        if interrupted {
            break;
        }
    }
    let best = best.ok_or_else(|| Error::setting("n_init", 0, "must be at least 1"))?;
    let unit = cloud.square_unit();
    let (found, wanted) = (best.centers.n_rows(), settings.n_clusters);
    let note = format!("{found} centers instead of {wanted}: too few points differ");
    let centers = PrincipalGraph::new(cloud.to_data(best.centers), &[], best.K.mass)?;
    Ok(Fit {
        method: KMeans::NAME,
        object: Object::Centers(centers),
        iterations: best.descent.iterations,
        trace: best.descent.trace.iter().map(|cost| cost * unit).collect(),
        end: if interrupted { End::Interrupted } else { best.end },
        settings: to_value(settings),
        choices: Vec::new(),
        tuning: None,
        notes: (found < wanted).then_some(note).into_iter().collect(),
    })
}

/// Where the rounds of one start stopped, in working units.
struct Rounds {
    centers: Matrix,
    K: Sums,
    descent: Descent,
    end: End,
}

/// Lloyd's rounds.
fn rounds(
    settings: &KMeans,
    cloud: &Cloud<'_>,
    mut centers: Matrix,
    watch: &mut dyn Observer,
) -> Result<Rounds> {
    let mut lloyd = Lloyd::new(cloud, centers.clone())?;
    let (_, mut K) = lloyd.assign()?;
    let mut descent = Descent::new("moving the centers", K.cost, cloud.spread(), settings.limits());
    let mut end = descent.ask(watch);
    while end.is_none() {
        let moved = means(cloud, &centers, &K)?; // step 3
        lloyd.move_to(moved.clone());
        let (_, next) = lloyd.assign()?; // step 2
        let is_fixed = moved.as_slice() == centers.as_slice();
        end = descent.push(next.cost, watch); // step 4
        if end != Some(End::Stalled) {
            (centers, K) = (moved, next);
        }
        if is_fixed && end.is_none() {
            end = Some(End::Converged);
        }
    }
    Ok(Rounds { centers, K, descent, end: end.unwrap_or(End::MaxIter) })
}

/// The mean of the points of each center; one without points moves to the farthest point.
fn means(cloud: &Cloud<'_>, centers: &Matrix, sums: &Sums) -> Result<Matrix> {
    let mut moved = sums.means(centers);
    let empty: Vec<usize> = (0..sums.mass.len()).filter(|&k| sums.mass[k] <= 0.0).collect();
    if empty.is_empty() {
        return Ok(moved);
    }
    let nearest = nearest_nodes(cloud, centers)?;
    let mut farthest: Vec<usize> = (0..cloud.len()).filter(|&i| cloud.weight(i) > 0.0).collect();
    farthest.sort_by(|&a, &b| nearest[b].squared.total_cmp(&nearest[a].squared).then(a.cmp(&b)));
    for (k, i) in empty.into_iter().zip(farthest) {
        if nearest[i].squared > 0.0 {
            cloud.copy_row(i, moved.row_mut(k))?;
        }
    }
    Ok(moved)
}
