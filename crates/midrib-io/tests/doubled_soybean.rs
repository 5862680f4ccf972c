//! Zhou2013, Fig. 1 and the doubled row of Table 2, on the soybean set where it is at hand.
#![allow(clippy::unwrap_used)]

use std::path::PathBuf;

use midrib::cluster::{ClusterCount, Spectral, spectral};
use midrib::connect::{
    FusedLasso, PointGraph, Similarities, fused_lasso, kernel_knn_l1, sparse_l1,
};
use midrib::measure::{Normalization, ari, nmi};
use midrib::{Points, Silent};
use midrib_io::{ReadOptions, read};

/// The folder of data sets: `$MIDRIB_DATA`, or `../shared/data` beside the repository.
fn data() -> PathBuf {
    let beside = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/data");
    std::env::var_os("MIDRIB_DATA").map_or_else(|| beside.into(), PathBuf::from)
}

fn clusters(graph: &PointGraph) -> Vec<String> {
    let settings = Spectral { n_clusters: ClusterCount::Exactly(4), ..Spectral::default() };
    let labels = spectral(graph, &settings).unwrap().labels;
    labels.iter().map(|label| format!("{label:?}")).collect()
}

fn agreement(graph: &PointGraph, classes: &[String]) -> f64 {
    nmi(&clusters(graph), classes, Normalization::Max).unwrap()
}

fn shuffled(classes: &[String], seed: u64) -> Vec<String> {
    let mut state = seed;
    let mut dealt = classes.to_vec();
    // A step of Knuth's generator for each swap; its high bits are the random ones.
    for last in (1..dealt.len()).rev() {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        dealt.swap(last, (state >> 33) as usize % (last + 1));
    }
    dealt
}

#[test]
fn l1_graphs_join_only_copies_and_the_fused_one_keeps_its_nmi() {
    let folder = data().join("soybean_small");
    if !folder.exists() {
        println!("skipped: there is no {}; set MIDRIB_DATA", folder.display());
        return;
    }
    let once = read(&folder.join("data.csv.gz"), &ReadOptions::default()).unwrap().points;
    let classes: Vec<String> = std::fs::read_to_string(folder.join("labels.csv"))
        .unwrap()
        .lines()
        .skip(1)
        .map(Into::into)
        .collect();
    let (n, dims) = (once.len(), once.dims());
    let mut values = vec![0.0; n * dims];
    values.chunks_exact_mut(dims).enumerate().for_each(|(i, row)| once.copy_row(i, row));
    let twice = Points::from_f64(values.repeat(2), dims).unwrap();
    let alike =
        |points: &Points<'_>| Similarities::new(points, "gaussian".parse().unwrap()).unwrap();

    let copies: Vec<(usize, usize)> = (0..n).map(|i| (i, n + i)).collect();
    let doubled = [classes.clone(), classes.clone()].concat();
    let settings = FusedLasso { k1: 20, k2: 5, fusion_weight: 1.0 };
    let fused = |points: &Points<'_>| fused_lasso(&alike(points), settings, &mut Silent).unwrap();
    let (single, both) = (agreement(&fused(&once), &classes), agreement(&fused(&twice), &doubled));
    assert!(both > single - 1e-9 && both > 0.8, "{single} {both}");
    for graph in [
        sparse_l1(&twice, &mut Silent).unwrap(),
        kernel_knn_l1(&alike(&twice), 20, &mut Silent).unwrap(),
    ] {
        assert_eq!(graph.pairs(), copies);
        assert!(graph.edges.iter().all(|edge| (edge.2 - 1.0).abs() < 1e-6));
        // All 47 pairs have eigenvalue 0: which of them stand out is left to rounding. Classes
        // dealt out again to the pairs agree as well at times.
        let labels = clusters(&graph);
        let found = ari(&labels, &doubled).unwrap();
        let by_chance = (0..1000).map(|seed| {
            let dealt = shuffled(&classes, seed);
            ari(&labels, &[dealt.clone(), dealt].concat()).unwrap()
        });
        let most = by_chance.fold(f64::MIN, f64::max);
        assert!(found < most, "{found} {most}");
    }
}
