//! The k-NN fused Lasso graph: similar neighbors get similar weights. Zhou2013, section 4.

use super::point_graph::PointGraph;
use super::rebuild_points::{Task, rebuild_points};
use super::similarities::Similarities;
use crate::error::{Error, Result};
use crate::observe::Observer;

/// The numbers of neighbors, and the strength of the fusion of their weights.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FusedLasso {
    /// The number of neighbors that a point may be rebuilt from.
    pub k1: usize,
    /// The number of nearest neighbors whose weights are fused in pairs; at most `k1`.
    pub k2: usize,
    /// The strength of the fusion: γ of eq. (12). The paper's graph has 1.
    pub fusion_weight: f64,
}

impl FusedLasso {
    fn check(&self) -> Result<()> {
        if self.k2 > self.k1 {
            return Err(Error::setting(
                "k2",
                self.k2,
                format!("must be at most k1, {}: the k2 nearest of the k1 neighbors", self.k1),
            ));
        }
        if !(self.fusion_weight >= 0.0 && self.fusion_weight.is_finite()) {
            return Err(Error::setting(
                "fusion_weight",
                self.fusion_weight,
                "must be 0 or positive",
            ));
        }
        Ok(())
    }
}

/// Rebuilds each point from its `k1` neighbors. The weights of the `k2` nearest neighbors are fused,
/// more strongly the more similar they are: the `x` that minimizes
///
/// ```text
/// ‖x‖₁ + ‖K x − Kᵢ‖₁ + γ Σ_{j<l≤k2} K_jl |x_j − x_l|        (12), (20)
/// ```
///
/// # Departures from the paper
/// - The weight of point i and its j-th neighbor is in the column of that neighbor; step (3) of the
///   paper says column j.
/// - γ, which the paper drops, is a setting.
///
/// ```
/// use midrib::connect::{FusedLasso, Similarities, fused_lasso};
/// use midrib::{Points, Silent};
/// let points = Points::from_f64(vec![0.0, 0.0, 0.1, 0.1, 0.2, 0.2], 1)?;
/// let similarities = Similarities::new(&points, "gaussian:1".parse()?)?;
/// let settings = FusedLasso { k1: 5, k2: 3, fusion_weight: 1.0 };
/// // Equal points are connected to points other than their copies.
/// let graph = fused_lasso(&similarities, settings, &mut Silent)?;
/// assert_eq!(graph.components().len(), 1);
/// # Ok::<(), midrib::Error>(())
/// ```
pub fn fused_lasso(
    similarities: &Similarities,
    settings: FusedLasso,
    watch: &mut dyn Observer,
) -> Result<PointGraph> {
    settings.check()?;
    let FusedLasso { k1, k2, fusion_weight } = settings;
    let neighbors = similarities.neighbors(k1)?;
    rebuild_points(similarities.len(), watch, |i| {
        neighbor_task(similarities, i, &neighbors[i], k2, fusion_weight)
    })
}

/// The program of one point and its neighbors, eqs. (9), (13)–(18).
pub(super) fn neighbor_task(
    similarities: &Similarities,
    i: usize,
    neighbors: &[u32],
    k2: usize,
    fusion_weight: f64,
) -> Task {
    let from: Vec<usize> = neighbors.iter().map(|&j| j as usize).collect();
    let (matrix, target) = similarities.among(&from, i);
    let pairs = (0..k2).flat_map(|j| (j + 1..k2).map(move |l| (j, l)));
    // Weights of points with negative similarity, as with linear kernels, are not fused.
    let similarity = |j: usize, l: usize| matrix.row(j)[l].max(0.0);
    let differences = pairs.map(|(j, l)| (j, l, fusion_weight * similarity(j, l))).collect();
    Task { from, target, differences, matrix }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::connect::{kernel_knn_l1, knn, sparse_l1};
    use crate::observe::{Progress, Silent};
    use crate::points::Points;
    use std::ops::ControlFlow;

    fn wave(n: usize) -> Points<'static> {
        let value = |i: usize| (0.7 * i as f64 + (i * i % 13) as f64).sin();
        Points::from_f64((0..3 * n).map(value).collect::<Vec<_>>(), 3).unwrap()
    }

    fn similarities(points: &Points<'_>) -> Similarities {
        Similarities::new(points, "gaussian".parse().unwrap()).unwrap()
    }

    #[test]
    fn without_fusion_it_equals_the_l1_graph() {
        let similarities = similarities(&wave(60));
        let l1 = kernel_knn_l1(&similarities, 12, &mut Silent).unwrap();
        for (k2, fusion_weight) in [(12, 0.0), (1, 1.0), (0, 1.0)] {
            let settings = FusedLasso { k1: 12, k2, fusion_weight };
            let fused = fused_lasso(&similarities, settings, &mut Silent).unwrap();
            let costs = |graph: &PointGraph| graph.rebuilt.clone().unwrap().costs;
            for (a, b) in costs(&l1).iter().zip(costs(&fused)) {
                assert!((a - b).abs() < 1e-8, "{a} {b}");
            }
        }
    }

    #[test]
    fn strong_fusion_gives_the_nearest_neighbors_equal_weights() {
        let similarities = similarities(&wave(60));
        let neighbors = similarities.neighbors(8).unwrap();
        let settings = FusedLasso { k1: 8, k2: 3, fusion_weight: 1e6 };
        for (i, near) in neighbors.iter().enumerate() {
            let Task { matrix, target, differences, .. } =
                neighbor_task(&similarities, i, near, settings.k2, settings.fusion_weight);
            let mut programs = crate::math::SmallProgram::default();
            let x = programs.solve(&matrix, &target, &differences).unwrap().weights;
            assert!((x[0] - x[1]).abs() < 1e-6 && (x[1] - x[2]).abs() < 1e-6, "{x:?}");
        }
    }

    #[test]
    fn copies_are_connected_to_others_only_by_fusion() {
        let points = wave(40);
        let mut values = vec![0.0; 120];
        values.chunks_exact_mut(3).enumerate().for_each(|(i, row)| points.copy_row(i, row));
        let twice = Points::from_f64(values.repeat(2), 3).unwrap();
        let copies: Vec<(usize, usize)> = (0..40).map(|i| (i, 40 + i)).collect();
        let similarities = similarities(&twice);
        assert_eq!(kernel_knn_l1(&similarities, 12, &mut Silent).unwrap().pairs(), copies);
        let settings = FusedLasso { k1: 12, k2: 5, fusion_weight: 1.0 };
        let fused = fused_lasso(&similarities, settings, &mut Silent).unwrap();
        assert!(fused.components().len() < 5, "{}", fused.components().len());
    }

    #[test]
    fn graphs_do_not_depend_on_the_number_of_threads() {
        let points = wave(300);
        let similarities = similarities(&points);
        let settings = FusedLasso { k1: 15, k2: 5, fusion_weight: 1.0 };
        let all = || {
            [
                knn(&similarities, 9).unwrap(),
                kernel_knn_l1(&similarities, 15, &mut Silent).unwrap(),
                fused_lasso(&similarities, settings, &mut Silent).unwrap(),
                sparse_l1(&points, &mut Silent).unwrap(),
            ]
        };
        let on = |threads: usize| {
            rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap().install(all)
        };
        assert_eq!(on(1), on(3));
    }

    #[test]
    fn invalid_settings_and_interruptions_are_errors() {
        let similarities = similarities(&wave(300));
        let message = |settings: FusedLasso| {
            fused_lasso(&similarities, settings, &mut Silent).unwrap_err().to_string()
        };
        let settings = FusedLasso { k1: 5, k2: 6, fusion_weight: 1.0 };
        assert_eq!(
            message(settings),
            "k2 = 6: must be at most k1, 5: the k2 nearest of the k1 neighbors"
        );
        assert!(message(FusedLasso { k2: 5, fusion_weight: -1.0, ..settings }).contains("or pos"));
        assert!(message(FusedLasso { k1: 300, ..settings }).starts_with("k1 = 300: must be"));
        struct Stop;
        impl Observer for Stop {
            fn progress(&mut self, _: Progress<'_>) -> ControlFlow<()> {
                ControlFlow::Break(())
            }
        }
        let error =
            fused_lasso(&similarities, FusedLasso { k2: 2, ..settings }, &mut Stop).unwrap_err();
        assert!(error.to_string().contains("stopped after 256 of 300 points"), "{error}");
    }
}
