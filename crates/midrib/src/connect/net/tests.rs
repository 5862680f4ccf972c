//! Nets of every shape.

use super::*;
use std::collections::{BTreeMap, BTreeSet};

fn nets() -> Vec<Net> {
    [
        (NetShape::Chain, vec![5]),
        (NetShape::Ring, vec![5]),
        (NetShape::Rectangle, vec![3, 5]),
        (NetShape::Triangular, vec![4, 5]),
        (NetShape::Hexagonal, vec![3, 4]),
        (NetShape::Cylinder, vec![3, 4]),
        (NetShape::Torus, vec![3, 5]),
        (NetShape::Sphere, vec![3, 5]),
        (NetShape::Box, vec![2, 3, 4]),
    ]
    .map(|(shape, sides)| Net::new(shape, &sides).unwrap())
    .to_vec()
}

/// Vertices − edges + faces: 1 for a disk, 0 for a ring, tube or torus, 2 for a sphere.
#[test]
fn cells_cover_the_whole_shape() {
    let expected = [1, 0, 1, 1, 1, 0, 0, 2, 1];
    for (net, expected) in nets().iter().zip(expected) {
        let mut faces: BTreeSet<Vec<usize>> = BTreeSet::new();
        for cell in &net.cells {
            let mut nodes = cell.nodes.clone();
            nodes.sort_unstable();
            for subset in 1..1_usize << nodes.len() {
                let of = |i: &usize| subset >> *i & 1 == 1;
                faces.insert((0..nodes.len()).filter(of).map(|i| nodes[i]).collect());
            }
        }
        let euler: i64 = faces.iter().map(|f| if f.len() % 2 == 1 { 1 } else { -1 }).sum();
        assert_eq!(euler, expected, "{:?}", net.shape);
        assert_eq!(faces.iter().filter(|face| face.len() == 1).count(), net.len());
        for &(a, b, _) in &net.edges {
            assert!(a < b && faces.contains(&vec![a, b]), "{:?} {a}-{b}", net.shape);
        }
    }
}

#[test]
fn no_edge_is_repeated() {
    for net in nets() {
        let edges: BTreeSet<_> = net.edges.iter().map(|&(a, b, _)| (a, b)).collect();
        assert_eq!(edges.len(), net.edges.len(), "{:?}", net.shape);
    }
}

/// The ends of a rib are neighbors of its center, and on a flat sheet the center is their mean.
#[test]
fn ribs_are_straight() {
    for net in nets() {
        let mut near: BTreeMap<usize, BTreeSet<usize>> = BTreeMap::new();
        for &(a, b, _) in &net.edges {
            near.entry(a).or_default().insert(b);
            near.entry(b).or_default().insert(a);
        }
        let flat = !net.shape.closed().contains(&true);
        for (center, leaves) in &net.ribs {
            assert!(leaves.iter().all(|leaf| near[center].contains(leaf)), "{:?}", net.shape);
            for axis in 0..net.shape.dims() {
                let mean = leaves.iter().map(|&leaf| net.inner.row(leaf)[axis]).sum::<f64>()
                    / leaves.len() as f64;
                let off = (mean - net.inner.row(*center)[axis]).abs();
                assert!(!flat || off < 1e-12, "{:?}", net.shape);
            }
        }
    }
}

#[test]
fn ribs_run_in_each_direction() {
    let count = |shape, sides: &[usize]| Net::new(shape, sides).unwrap().ribs.len();
    assert_eq!(count(NetShape::Chain, &[5]), 3);
    assert_eq!(count(NetShape::Ring, &[5]), 5);
    assert_eq!(count(NetShape::Rectangle, &[8, 8]), 96);
    assert_eq!(count(NetShape::Torus, &[4, 6]), 48);
    assert_eq!(count(NetShape::Cylinder, &[4, 6]), 24 + 12);
    assert_eq!(count(NetShape::Box, &[3, 3, 3]), 27);
    assert_eq!(count(NetShape::Sphere, &[3, 5]), 15 + 15 + 2);
}

/// One step along each edge of a flat or rolled grid; no two nodes of a sphere are farther apart
/// than its poles.
#[test]
fn steps_are_counted_on_the_net() {
    for net in nets() {
        let far = net.squared_steps(0, net.len() - 1);
        for &(a, b, _) in &net.edges {
            let squared = net.squared_steps(a, b);
            assert_eq!(squared, net.squared_steps(b, a));
            match net.shape {
                NetShape::Sphere => assert!(squared > 0.0 && squared < far),
                _ => assert!((squared - 1.0).abs() < 1e-12, "{:?} {a}-{b}", net.shape),
            }
        }
    }
    let sphere = Net::new(NetShape::Sphere, &[3, 4]).unwrap();
    assert!((sphere.squared_steps(0, 13) - 16.0).abs() < 1e-12);
    // Opposite nodes of the equator.
    assert!((sphere.squared_steps(5, 7) - 16.0).abs() < 1e-12);
}

#[test]
fn invalid_sides_are_errors() {
    let message =
        |shape: NetShape, sides: &[usize]| Net::new(shape, sides).unwrap_err().to_string();
    assert_eq!(
        message(NetShape::Rectangle, &[1, 8]),
        "sides = 1x8: side 1 is open and needs at least 2 nodes"
    );
    assert_eq!(
        message(NetShape::Torus, &[5, 2]),
        "sides = 5x2: side 2 is closed and needs at least 3 nodes"
    );
    assert_eq!(message(NetShape::Box, &[4, 4]), "sides = 4x4: a box net has 3 sides");
    assert_eq!(message(NetShape::Ring, &[4, 4]), "sides = 4x4: a ring net has 1 side");
}
