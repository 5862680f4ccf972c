//! The k-NN fused Lasso graph: neighbours alike get weights alike. Zhou2013, section 4.

use super::point_graph::PointGraph;
use super::rebuild_points::{Task, rebuild_points};
use super::similarities::Similarities;
use crate::error::{Error, Result};
use crate::observe::Observer;

/// The numbers of neighbours, and how strongly their weights are drawn together.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FusedLasso {
    /// Neighbours that a point may be rebuilt from.
    pub k1: usize,
    /// The nearest of them, whose weights are drawn together in pairs; at most `k1`.
    pub k2: usize,
    /// How strongly: γ of eq. (12). The paper's graph has 1.
    pub fusion_weight: f64,
}

impl FusedLasso {
    fn check(&self) -> Result<()> {
        if self.k2 > self.k1 {
            return Err(Error::setting(
                "k2",
                self.k2,
                format!("must be at most k1, {}: the nearest of those neighbours", self.k1),
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

/// Rebuilds each point from its `k1` neighbours, with weights drawn together among the `k2`
/// nearest of these the more, the more they are alike: the `x` that minimises
///
/// ```text
/// ‖x‖₁ + ‖K x − Kᵢ‖₁ + γ Σ_{j<l≤k2} K_jl |x_j − x_l|        (12), (20)
/// ```
///
/// # Departures from the paper
/// - The weight of point i and its j-th neighbour stands in the column of that neighbour, where
///   the paper's step (3) writes the column j.
/// - γ, which the paper drops, stays a setting.
///
/// ```
/// use midrib::connect::{FusedLasso, Similarities, fused_lasso};
/// use midrib::{Points, Silent};
/// let points = Points::from_f64(vec![0.0, 0.0, 0.1, 0.1, 0.2, 0.2], 1)?;
/// let alike = Similarities::new(&points, "gaussian:1".parse()?)?;
/// let settings = FusedLasso { k1: 5, k2: 3, fusion_weight: 1.0 };
/// // Equal points are joined to others than their copies.
/// let graph = fused_lasso(&alike, settings, &mut Silent)?;
/// assert_eq!(graph.components().len(), 1);
/// # Ok::<(), midrib::Error>(())
/// ```
pub fn fused_lasso(
    alike: &Similarities,
    settings: FusedLasso,
    watch: &mut dyn Observer,
) -> Result<PointGraph> {
    settings.check()?;
    let FusedLasso { k1, k2, fusion_weight } = settings;
    let neighbors = alike.neighbors(k1)?;
    rebuild_points(alike.len(), watch, |i| {
        neighbor_task(alike, i, &neighbors[i], k2, fusion_weight)
    })
}

/// The program of one point and its neighbours, eqs. (9), (13)–(18).
pub(super) fn neighbor_task(
    alike: &Similarities,
    i: usize,
    neighbors: &[u32],
    k2: usize,
    fusion_weight: f64,
) -> Task {
    let from: Vec<usize> = neighbors.iter().map(|&j| j as usize).collect();
    let (matrix, target) = alike.among(&from, i);
    let pairs = (0..k2).flat_map(|j| (j + 1..k2).map(move |l| (j, l)));
    // Points that are unlike each other, as linear kernels tell, are not drawn together.
    let alike_by = |j: usize, l: usize| matrix.row(j)[l].max(0.0);
    let differences = pairs.map(|(j, l)| (j, l, fusion_weight * alike_by(j, l))).collect();
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

    fn alike(points: &Points<'_>) -> Similarities {
        Similarities::new(points, "gaussian".parse().unwrap()).unwrap()
    }

    #[test]
    fn without_fusion_it_is_the_l1_graph() {
        let alike = alike(&wave(60));
        let l1 = kernel_knn_l1(&alike, 12, &mut Silent).unwrap();
        for (k2, fusion_weight) in [(12, 0.0), (1, 1.0), (0, 1.0)] {
            let settings = FusedLasso { k1: 12, k2, fusion_weight };
            let fused = fused_lasso(&alike, settings, &mut Silent).unwrap();
            let costs = |graph: &PointGraph| graph.rebuilt.clone().unwrap().costs;
            for (a, b) in costs(&l1).iter().zip(costs(&fused)) {
                assert!((a - b).abs() < 1e-8, "{a} {b}");
            }
        }
    }

    #[test]
    fn strong_fusion_gives_the_nearest_equal_weights() {
        let alike = alike(&wave(60));
        let neighbors = alike.neighbors(8).unwrap();
        let settings = FusedLasso { k1: 8, k2: 3, fusion_weight: 1e6 };
        for (i, near) in neighbors.iter().enumerate() {
            let Task { matrix, target, differences, .. } =
                neighbor_task(&alike, i, near, settings.k2, settings.fusion_weight);
            let mut programs = crate::math::SmallProgram::default();
            let x = programs.solve(&matrix, &target, &differences).unwrap().weights;
            assert!((x[0] - x[1]).abs() < 1e-6 && (x[1] - x[2]).abs() < 1e-6, "{x:?}");
        }
    }

    #[test]
    fn copies_are_joined_to_others_only_by_fusion() {
        let points = wave(40);
        let mut values = vec![0.0; 120];
        values.chunks_exact_mut(3).enumerate().for_each(|(i, row)| points.copy_row(i, row));
        let twice = Points::from_f64(values.repeat(2), 3).unwrap();
        let copies: Vec<(usize, usize)> = (0..40).map(|i| (i, 40 + i)).collect();
        let alike = alike(&twice);
        assert_eq!(kernel_knn_l1(&alike, 12, &mut Silent).unwrap().pairs(), copies);
        let settings = FusedLasso { k1: 12, k2: 5, fusion_weight: 1.0 };
        let fused = fused_lasso(&alike, settings, &mut Silent).unwrap();
        assert!(fused.components().len() < 5, "{}", fused.components().len());
    }

    #[test]
    fn graphs_do_not_depend_on_the_number_of_threads() {
        let points = wave(300);
        let alike = alike(&points);
        let settings = FusedLasso { k1: 15, k2: 5, fusion_weight: 1.0 };
        let all = || {
            [
                knn(&alike, 9).unwrap(),
                kernel_knn_l1(&alike, 15, &mut Silent).unwrap(),
                fused_lasso(&alike, settings, &mut Silent).unwrap(),
                sparse_l1(&points, &mut Silent).unwrap(),
            ]
        };
        let on = |threads: usize| {
            rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap().install(all)
        };
        assert_eq!(on(1), on(3));
    }

    #[test]
    fn bad_settings_and_interruptions_are_named() {
        let alike = alike(&wave(300));
        let message = |settings: FusedLasso| {
            fused_lasso(&alike, settings, &mut Silent).unwrap_err().to_string()
        };
        let settings = FusedLasso { k1: 5, k2: 6, fusion_weight: 1.0 };
        assert_eq!(
            message(settings),
            "k2 = 6: must be at most k1, 5: the nearest of those neighbours"
        );
        assert!(message(FusedLasso { k2: 5, fusion_weight: -1.0, ..settings }).contains("or pos"));
        assert!(message(FusedLasso { k1: 300, ..settings }).starts_with("k1 = 300: must be"));
        struct Stop;
        impl Observer for Stop {
            fn progress(&mut self, _: Progress<'_>) -> ControlFlow<()> {
                ControlFlow::Break(())
            }
        }
        let error = fused_lasso(&alike, FusedLasso { k2: 2, ..settings }, &mut Stop).unwrap_err();
        assert!(error.to_string().contains("stopped after 256 of 300 points"), "{error}");
    }
}
