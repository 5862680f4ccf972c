//! Products of two trees, whose nodes are pairs: at each station of the one tree lies a map of the
//! other. Gorban2009, "Principal cubic complexes".

use std::f64::consts::PI;

use super::metro::MetroMap;
use crate::error::Result;
use crate::graph::PrincipalGraph;
use crate::math::Matrix;

/// The width of the maps at the stations, in usual distances of stations.
const STATION: f64 = 0.6;
/// Directions that are tried, so that no line of the one map lies along one of the other.
const DIRECTIONS: usize = 180;

/// Two trees whose product a graph is: node (a, b) has the number a·|second| + b.
struct Product {
    /// Each tree in as many columns as all its copies have, such that its edges are as long as
    /// those of the copies are in the root mean square.
    trees: [PrincipalGraph; 2],
}

/// The map of a graph that is the product of two trees; none of any other graph.
pub(super) fn product_map(graph: &PrincipalGraph) -> Result<Option<MetroMap>> {
    let Some(Product { trees }) = Product::of(graph)? else { return Ok(None) };
    let maps = [trees[0].metro_map()?, trees[1].metro_map()?];
    // The one that branches more is the map, of two alike the longer; the other lies at its
    // stations.
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
        let width = width(&maps[inner].nodes);
        if width > 0.0 { STATION * lengths[lengths.len() / 2] / width } else { 1.0 }
    };
    let turn =
        apart(&directions(&trees[outer], &maps[outer]), &directions(&trees[inner], &maps[inner]));
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
    /// The two trees, if there are such.
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
                    let place = graph.nodes().row(number(at, copy)).iter();
                    let to = flat.row_mut(at)[copy * dims..][..dims].iter_mut();
                    to.zip(place).for_each(|(to, x)| *to = share * x);
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

/// Whether every edge lies in a copy of one of the trees, and every copy has all its edges.
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

fn width(nodes: &Matrix) -> f64 {
    let span = |axis: usize| {
        let values = || nodes.rows().map(move |row| row[axis]);
        values().fold(f64::NEG_INFINITY, f64::max) - values().fold(f64::INFINITY, f64::min)
    };
    span(0).hypot(span(1))
}

/// The directions of a map's lines, without a sense.
fn directions(tree: &PrincipalGraph, map: &MetroMap) -> Vec<f64> {
    let of_edge = |edge: &crate::graph::Edge| {
        let (a, b) = (map.nodes.row(edge.a), map.nodes.row(edge.b));
        (b[1] - a[1]).atan2(b[0] - a[0]).rem_euclid(PI)
    };
    tree.edges().iter().map(of_edge).collect()
}

/// The angle by which the one map is turned so that its lines lie along those of the other least.
fn apart(outer: &[f64], inner: &[f64]) -> f64 {
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

    /// The product of two trees in space: the first in the plane, the second above each node.
    fn product(first: &[[f64; 2]], edges: &[(usize, usize)], second: &[f64]) -> PrincipalGraph {
        let m = second.len();
        let places = first.iter().flat_map(|[x, y]| second.iter().map(|z| [*x, *y, *z]));
        let nodes = Matrix::from_rows(&places.collect::<Vec<_>>()).unwrap();
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
    fn two_paths_are_a_grid_with_true_lengths() {
        let path = [[0.0, 0.0], [2.0, 0.0], [5.0, 0.0], [6.0, 0.0]];
        let graph = product(&path, &[(0, 1), (1, 2), (2, 3)], &[0.0, 1.0, 3.0]);
        let map = graph.metro_map().unwrap();
        assert_eq!((map.product, map.closing.len()), (Some([4, 3]), 0));
        for edge in graph.edges() {
            assert!((drawn(&map, edge.a, edge.b) - edge.length).abs() < 1e-9);
        }
        // Lines at right angles: so are the diagonals.
        assert!((drawn(&map, 0, 11) - 6.0_f64.hypot(3.0)).abs() < 1e-9);
    }

    #[test]
    fn a_tree_has_a_small_path_at_each_station() {
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
        let station = drawn(&map, 0, 2);
        assert!((station - STATION * 3.0).abs() < 0.01, "{station}");
        // No two nodes are drawn on top of one another.
        for a in 0..12 {
            for b in 0..a {
                assert!(drawn(&map, a, b) > 0.3, "{a} {b}");
            }
        }
    }

    #[test]
    fn other_graphs_are_no_products() {
        let ring: Vec<[f64; 2]> =
            (0..6).map(|i| [f64::from(i).cos(), f64::from(i).sin()]).collect();
        let edges: Vec<_> = (0..6).map(|i| (i, (i + 1) % 6, 1.0)).collect();
        let nodes = Matrix::from_rows(&ring).unwrap();
        let graph = PrincipalGraph::new(nodes, &edges, vec![1.0; 6]).unwrap();
        assert_eq!(graph.metro_map().unwrap().product, None);
    }
}
