//! Projections by matrix products against those by search trees.

use super::*;
use crate::points::Points;
use proptest::prelude::*;

proptest! {
    #[test]
    fn the_sieve_keeps_what_a_search_finds(
        dims in 13_usize..40,
        n_nodes in 1_usize..60,
        n_edges in 0_usize..80,
        grid in 1_u32..50,
        shift in 0_i32..10,
    ) {
        let value = |i: usize| f64::from((i as u32 * 7919 + i as u32 * i as u32 % 131) % grid);
        let offset = 10_f64.powi(shift);
        let rows = (0..n_nodes * dims).map(|i| value(i) + offset).collect();
        let nodes = Matrix::new(n_nodes, dims, rows).unwrap();
        let pairs = (0..n_edges).map(|e| (e * 5 % n_nodes, e * e % n_nodes));
        let edges: std::collections::BTreeSet<_> =
            pairs.filter(|(a, b)| a != b).map(|(a, b)| (a.min(b), a.max(b))).collect();
        let edges: Vec<_> = edges.into_iter().map(|(a, b)| (a, b, 1.0)).collect();
        let graph = PrincipalGraph::new(nodes, &edges, vec![1.0; n_nodes]).unwrap();
        let n = 100;
        let mut values: Vec<f64> =
            (0..n * dims).map(|i| 0.5 * value(i + 3) + offset + 0.1 * (i as f64).sin()).collect();
        // Points on nodes, and far away.
        values[..dims].copy_from_slice(graph.nodes().row(0));
        values[dims..2 * dims].fill(1e200);
        let projector = Projector::new(&graph);
        let mut scratch = projector.scratch();
        let mut tile = TileScratch::default();
        projector.enter_all(&values, &mut tile.rows);
        let together = projector.project_all(projector.sieve.as_ref(), &mut tile);
        let points = Points::from_f64(values.clone(), dims).unwrap();
        let projection = graph.project(&points).unwrap();
        for (i, (x, together)) in values.chunks(dims).zip(together).enumerate() {
            let alone = projector.nearest(x, &mut scratch, |_| true).unwrap();
            let node = projector.nearest_node(&scratch, &alone);
            prop_assert_eq!(together, Some((alone, node)));
            prop_assert_eq!((projection.edge[i], projection.node[i]), (alone.edge, node));
        }
    }
}
