//! Products of two trees, whose nodes are pairs: a map of one tree is drawn at each node of the
//! other. Gorban2009, "Principal cubic complexes".

use std::f64::consts::PI;

use super::draw::draw_components;
use super::map::{MetroMap, diagonal};
use crate::error::Result;
use crate::graph::PrincipalGraph;
use crate::math::Matrix;

/// The size of the inner maps, in median edge lengths of the outer tree.
const INNER_SIZE: f64 = 0.6;
/// The number of rotations that are tried so that no line of one map is parallel to one of the
/// other.
const DIRECTIONS: usize = 180;

/// Two trees whose product a graph is: node (a, b) has the index a·|second| + b.
struct Product {
    /// Each tree with the columns of all its copies side by side, scaled so that the length of an
    /// edge is the root mean square over the copies.
    trees: [PrincipalGraph; 2],
}

/// The map of a graph that is the product of two trees; `None` for any other graph.
pub(super) fn product_map(graph: &PrincipalGraph) -> Result<Option<MetroMap>> {
    let Some(Product { trees }) = Product::of(graph)? else { return Ok(None) };
    let maps = [draw_components(&trees[0])?, draw_components(&trees[1])?];
    // The tree with more tips (if equal, the longer one) is the outer map; the other is drawn at
    // each of its nodes.
    let tips = |tree: usize| trees[tree].tips().len();
    let longer = trees[1].length() > trees[0].length();
    let outer = usize::from(tips(1) > tips(0) || tips(1) == tips(0) && longer);
    let inner = 1 - outer;
    let grid = trees.iter().all(|tree| tree.tips().len() == 2);
    let scale = if grid {
        1.0
    } else {
        let mut lengths: Vec<f64> = trees[outer].edges().iter().map(|edge| edge.length).collect();
        lengths.sort_by(f64::total_cmp);
        let size = diagonal(&maps[inner].nodes);
        if size > 0.0 { INNER_SIZE * lengths[lengths.len() / 2] / size } else { 1.0 }
    };
    let turn = best_rotation(
        &directions(&trees[outer], &maps[outer]),
        &directions(&trees[inner], &maps[inner]),
    );
    let (sin, cos) = turn.sin_cos();
    let n = trees[1].nodes().n_rows();
    let mut nodes = Matrix::zeros(graph.nodes().n_rows(), 2);
    for node in 0..nodes.n_rows() {
        let at = [node / n, node % n];
        let (far, near) = (maps[outer].nodes.row(at[outer]), maps[inner].nodes.row(at[inner]));
        let [x, y] = [scale * near[0], scale * near[1]];
        nodes
            .row_mut(node)
            .copy_from_slice(&[far[0] + cos * x - sin * y, far[1] + sin * x + cos * y]);
    }
    let product = Some([trees[0].nodes().n_rows(), n]);
    let crossings = maps[0].crossings + maps[1].crossings;
    Ok(Some(MetroMap { nodes, closing: Vec::new(), crossings, product }))
}

impl Product {
    /// The two trees, if the graph is their product.
    fn of(graph: &PrincipalGraph) -> Result<Option<Self>> {
        let n = graph.nodes().n_rows();
        // A product of trees of m and n/m nodes has (m − 1)·n/m + (n/m − 1)·m edges.
        let second = (2..=n / 2).find(|&m| {
            n.is_multiple_of(m) && graph.edges().len() + n / m + m == 2 * n && is_product(graph, m)
        });
        let Some(m) = second else { return Ok(None) };
        let edges = || graph.edges().iter().map(|edge| (edge.a, edge.b));
        let firsts = edges().filter(|(a, b)| a % m == 0 && b % m == 0);
        let firsts: Vec<_> = firsts.map(|(a, b)| (a / m, b / m, 1.0)).collect();
        let seconds: Vec<_> =
            edges().filter(|&(a, b)| a < m && b < m).map(|(a, b)| (a, b, 1.0)).collect();
        let dims = graph.nodes().n_cols();
        let side_by_side = |rows: usize, copies: usize, number: &dyn Fn(usize, usize) -> usize| {
            let share = 1.0 / (copies as f64).sqrt();
            let mut flat = Matrix::zeros(rows, copies * dims);
            for at in 0..rows {
                for copy in 0..copies {
                    let position = graph.nodes().row(number(at, copy)).iter();
                    let to = flat.row_mut(at)[copy * dims..][..dims].iter_mut();
                    to.zip(position).for_each(|(to, x)| *to = share * x);
                }
            }
            flat
        };
        let tree = |nodes: Matrix, edges: &[(usize, usize, f64)]| {
            let mass = vec![1.0; nodes.n_rows()];
            PrincipalGraph::new(nodes, edges, mass)
        };
        let first = tree(side_by_side(n / m, m, &|at, copy| at * m + copy), &firsts)?;
        let second = tree(side_by_side(m, n / m, &|at, copy| copy * m + at), &seconds)?;
        let are_trees = [&first, &second].iter().all(|tree| {
            tree.components().count == 1 && tree.edges().len() + 1 == tree.nodes().n_rows()
        });
        Ok(are_trees.then_some(Self { trees: [first, second] }))
    }
}

/// Whether every edge is in a copy of one of the trees, and every copy has all its edges.
fn is_product(graph: &PrincipalGraph, m: usize) -> bool {
    let copies = graph.nodes().n_rows() / m;
    let mut edges: Vec<(usize, usize)> = graph.edges().iter().map(|e| (e.a, e.b)).collect();
    edges.sort_unstable();
    let has = |a: usize, b: usize| edges.binary_search(&(a.min(b), a.max(b))).is_ok();
    edges.iter().all(|&(a, b)| {
        if a / m == b / m {
            (0..copies).all(|copy| has(copy * m + a % m, copy * m + b % m))
        } else if a % m == b % m {
            (0..m).all(|copy| has(a / m * m + copy, b / m * m + copy))
        } else {
            false
        }
    })
}

/// The angles of a map's lines, modulo π.
fn directions(tree: &PrincipalGraph, map: &MetroMap) -> Vec<f64> {
    let of_edge = |edge: &crate::graph::Edge| {
        let (a, b) = (map.nodes.row(edge.a), map.nodes.row(edge.b));
        (b[1] - a[1]).atan2(b[0] - a[0]).rem_euclid(PI)
    };
    tree.edges().iter().map(of_edge).collect()
}

/// The rotation of the inner map that maximizes the smallest angle between the lines of the two.
fn best_rotation(outer: &[f64], inner: &[f64]) -> f64 {
    let angle = |a: f64, b: f64| {
        let apart = (a - b).rem_euclid(PI);
        apart.min(PI - apart)
    };
    let least = |turn: f64| {
        let pairs = outer.iter().flat_map(|a| inner.iter().map(move |b| angle(*a, b + turn)));
        pairs.fold(f64::INFINITY, f64::min)
    };
    let turns = (0..DIRECTIONS).map(|i| PI * i as f64 / DIRECTIONS as f64);
    let rounded = |turn: f64| (1e6 * least(turn)).round();
    turns
        .fold((0.0, f64::NEG_INFINITY), |best, turn| {
            let least = rounded(turn);
            if least > best.1 { (turn, least) } else { best }
        })
        .0
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The product of two trees in space: the first in the xy plane, the second along z.
    fn product(first: &[[f64; 2]], edges: &[(usize, usize)], second: &[f64]) -> PrincipalGraph {
        let m = second.len();
        let positions = first.iter().flat_map(|[x, y]| second.iter().map(|z| [*x, *y, *z]));
        let nodes = Matrix::from_rows(&positions.collect::<Vec<_>>()).unwrap();
        let mut all: Vec<(usize, usize, f64)> = Vec::new();
        for copy in 0..m {
            all.extend(edges.iter().map(|&(a, b)| (a * m + copy, b * m + copy, 1.0)));
        }
        for copy in 0..first.len() {
            all.extend((1..m).map(|b| (copy * m + b - 1, copy * m + b, 1.0)));
        }
        let mass = vec![1.0; nodes.n_rows()];
        PrincipalGraph::new(nodes, &all, mass).unwrap()
    }

    fn drawn(map: &MetroMap, a: usize, b: usize) -> f64 {
        let (a, b) = (map.nodes.row(a), map.nodes.row(b));
        (a[0] - b[0]).hypot(a[1] - b[1])
    }

    #[test]
    fn two_paths_form_a_grid_with_true_lengths() {
        let path = [[0.0, 0.0], [2.0, 0.0], [5.0, 0.0], [6.0, 0.0]];
        let graph = product(&path, &[(0, 1), (1, 2), (2, 3)], &[0.0, 1.0, 3.0]);
        let map = graph.metro_map().unwrap();
        assert_eq!((map.product, map.closing.len()), (Some([4, 3]), 0));
        for edge in graph.edges() {
            assert!((drawn(&map, edge.a, edge.b) - edge.length).abs() < 1e-9);
        }
        // The lines are at right angles, so the diagonal has its true length too.
        assert!((drawn(&map, 0, 11) - 6.0_f64.hypot(3.0)).abs() < 1e-9);
    }

    #[test]
    fn a_star_has_a_small_path_at_each_node() {
        let star = [[0.0, 0.0], [3.0, 0.0], [-1.5, 2.6], [-1.5, -2.6]];
        let graph = product(&star, &[(0, 1), (0, 2), (0, 3)], &[0.0, 1.0, 2.0]);
        let map = graph.metro_map().unwrap();
        assert_eq!((map.product, map.closing.len()), (Some([4, 3]), 0));
        for copy in 0..3 {
            for tip in 1..4 {
                let edge = drawn(&map, copy, 3 * tip + copy);
                assert!((edge - 3.0).abs() < 0.01, "{edge}");
            }
        }
        let inner = drawn(&map, 0, 2);
        assert!((inner - INNER_SIZE * 3.0).abs() < 0.01, "{inner}");
        // No two nodes overlap.
        for a in 0..12 {
            for b in 0..a {
                assert!(drawn(&map, a, b) > 0.3, "{a} {b}");
            }
        }
    }

    #[test]
    fn other_graphs_are_not_products() {
        let ring: Vec<[f64; 2]> =
            (0..6).map(|i| [f64::from(i).cos(), f64::from(i).sin()]).collect();
        let edges: Vec<_> = (0..6).map(|i| (i, (i + 1) % 6, 1.0)).collect();
        let nodes = Matrix::from_rows(&ring).unwrap();
        let graph = PrincipalGraph::new(nodes, &edges, vec![1.0; 6]).unwrap();
        assert_eq!(graph.metro_map().unwrap().product, None);
    }
}
