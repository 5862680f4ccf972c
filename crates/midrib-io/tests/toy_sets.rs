//! The toy sets of Mao2017, Table 1, where they are at hand.
#![allow(clippy::unwrap_used)]

use std::path::PathBuf;

use midrib::connect::{Candidates, L1Graph, Links, NeighborRule};
use midrib::math::Matrix;
use midrib_io::{ReadOptions, read};

/// The folder of data sets: `$MIDRIB_DATA`, or `../shared/data` beside the repository.
fn data() -> PathBuf {
    let beside = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/data");
    std::env::var_os("MIDRIB_DATA").map_or_else(|| beside.into(), PathBuf::from)
}

/// Two independent programs agree on these values: raw data, the paper's parameters.
#[test]
fn the_linear_program_has_the_known_value() {
    for (name, reconstruction_weight, k, expected) in [
        ("toy_circle", 1.0, 10, 4.376772),
        ("toy_two_moon", 0.1, 5, 0.437402),
        ("toy_tree_300", 1.0, 5, 1.545713),
        ("toy_spiral", 1.0, 10, 1.395702),
        ("toy_three_clusters", 0.1, 5, 0.501061),
        ("toy_distorted_s", 1.0, 5, 0.406134),
    ] {
        let path = data().join(name).join("data.csv.gz");
        if !path.exists() {
            println!("skipped: there is no {}; set MIDRIB_DATA", path.display());
            continue;
        }
        let points = read(&path, &ReadOptions::default()).unwrap().points;
        let mut nodes = Matrix::zeros(points.len(), points.dims());
        for i in 0..points.len() {
            points.copy_row(i, nodes.row_mut(i));
        }
        let candidates = Candidates::Nearest { k, rule: NeighborRule::Union };
        let mut graph =
            L1Graph::new(&nodes, &candidates, &Links::default(), reconstruction_weight).unwrap();
        let found = graph.connect(&nodes).unwrap();
        assert!(found.relative_gap < 1e-8, "{name}: {}", found.relative_gap);
        let error = (found.value - expected).abs();
        assert!(error < 0.5e-6 + 1e-8 * expected, "{name}: {} is not {expected}", found.value);
    }
}
