//! Sources that are not in memory give the same bytes as points that are.
#![allow(clippy::unwrap_used, clippy::panic)]

use std::borrow::Cow;
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};

use midrib::learn::{
    Acceleration, AutoOr, ElasticTree, Fit, Given, KMeans, METHODS, Method, PptSteps, Rpg,
    SimplePpt, Tips, method,
};
use midrib::math::Matrix;
use midrib::prepare::{landmarks, sample};
use midrib::{Blocks, CHUNK_ROWS, Cloud, Error, Points, Result, Silent, Survey};
use proptest::prelude::*;
use serde_json::json;

/// Two chunk borders.
const ROWS: usize = 140_000;

/// Rows that are only handed out through `read`, which checks what is asked of it.
struct ReadOnly {
    values: Vec<f64>,
    weights: Option<Vec<f64>>,
    dims: usize,
    reads: AtomicUsize,
    /// The read that fails.
    fails_at: usize,
    max_memory: Option<u64>,
}

impl ReadOnly {
    fn new(values: Vec<f64>, dims: usize, weights: Option<Vec<f64>>) -> Self {
        let reads = AtomicUsize::new(0);
        Self { values, weights, dims, reads, fails_at: usize::MAX, max_memory: None }
    }

    fn points(&self) -> Points<'_> {
        let points = Points::from_f64(self.values.as_slice(), self.dims).unwrap();
        match &self.weights {
            Some(weights) => points.with_weights(weights.as_slice()).unwrap(),
            None => points,
        }
    }
}

impl Blocks for ReadOnly {
    fn len(&self) -> usize {
        self.values.len() / self.dims
    }

    fn dims(&self) -> usize {
        self.dims
    }

    fn read(&self, rows: Range<usize>, into: &mut [f64]) -> Result<()> {
        assert!(!rows.is_empty() && rows.end <= self.len());
        assert_eq!(rows.start / CHUNK_ROWS, (rows.end - 1) / CHUNK_ROWS, "{rows:?}");
        assert_eq!(into.len(), rows.len() * self.dims);
        if self.reads.fetch_add(1, Ordering::Relaxed) == self.fails_at {
            return Err(Error::read(self.name(), "connection reset"));
        }
        into.copy_from_slice(&self.values[rows.start * self.dims..rows.end * self.dims]);
        Ok(())
    }

    fn name(&self) -> Cow<'_, str> {
        "remote.bin".into()
    }

    fn weights(&self) -> Option<&[f64]> {
        self.weights.as_deref()
    }

    fn max_memory(&self) -> Option<u64> {
        self.max_memory
    }
}

fn noise(i: usize) -> f64 {
    (1.7 * i as f64 + (i * i % 31) as f64).sin()
}

/// Points around a cross, some of them of weight 0.
fn cross(n: usize) -> ReadOnly {
    let row = |i: usize| {
        let along = 2.0 * (i as f64 * 0.618_033_988_75).fract() - 1.0;
        let aside = 0.03 * noise(i);
        if i.is_multiple_of(2) { [along + 5.0, aside] } else { [5.0 + aside, along] }
    };
    let weights = (0..n).map(|i| (i % 4) as f64).collect();
    ReadOnly::new((0..n).flat_map(row).collect(), 2, Some(weights))
}

/// Fits both forms and compares the bytes; returns how often the source was read.
fn same_bytes<M: Method>(settings: &M, source: &ReadOnly) -> usize {
    let held = settings.fit(&source.points(), Given::default(), &mut Silent).unwrap();
    source.reads.store(0, Ordering::Relaxed);
    let read = settings.fit(source, Given::default(), &mut Silent).unwrap();
    let graph = |fit: &Fit| fit.object.require_graph("a test").unwrap().clone();
    let (one, other) = (graph(&held), graph(&read));
    assert_eq!(one.nodes(), other.nodes());
    assert_eq!(one.edges(), other.edges());
    assert_eq!(one.mass(), other.mass());
    assert_eq!(held.trace, read.trace);
    assert_eq!(held.choices, read.choices);
    assert_eq!(held.notes, read.notes);
    source.reads.load(Ordering::Relaxed)
}

#[test]
fn ppt_learns_the_same_tree() {
    let settings = SimplePpt { max_iter: 5, ..SimplePpt::default() };
    let reads = same_bytes(&settings, &cross(ROWS));
    // Each sweep reads three chunks, and no pass reads a chunk twice.
    assert!(reads < 3 * 30, "{reads}");
}

/// The last chunk is as long as the others, one row longer than they are, or missing one row; with
/// and without weights.
#[test]
fn chunk_borders_do_not_show() {
    for rows in [CHUNK_ROWS - 1, CHUNK_ROWS, CHUNK_ROWS + 1] {
        let weighted = cross(rows);
        let plain = ReadOnly::new(weighted.values.clone(), 2, None);
        let ppt = SimplePpt { max_iter: 2, tips: Tips::Keep, ..SimplePpt::default() };
        let rpg = Rpg { max_iter: 2, tips: Tips::Keep, ..Rpg::default() };
        let k_means = json!({"n_clusters": 3, "n_init": 1, "max_iter": 2});
        let k_means: KMeans = serde_json::from_value(k_means).unwrap();
        for source in [&weighted, &plain] {
            same_bytes(&ppt, source);
            same_bytes(&rpg, source);
            same_bytes(&k_means, source);
        }
        let elastic: ElasticTree = serde_json::from_value(json!({"n_nodes": 5})).unwrap();
        same_bytes(&elastic, &plain);
    }
}

/// A driver that holds one chunk at a time gets the bytes of a fit that sees all points.
#[test]
fn steps_by_hand_over_whole_chunks_are_the_sweeps_of_a_fit() {
    let source = cross(ROWS);
    let start = Matrix::from_rows(&[[4.2, 0.0], [5.0, 0.8], [5.8, 0.0], [5.0, -0.8]]).unwrap();
    let settings = SimplePpt {
        bandwidth: AutoOr::Fixed(0.01),
        length_penalty: AutoOr::Fixed(500.0),
        max_iter: 3,
        tol: 0.0,
        acceleration: Acceleration::None,
        tips: Tips::Keep,
        ..SimplePpt::default()
    };
    let given = Given { start: Some(&start), ..Given::default() };
    let fit = settings.fit(&source, given, &mut Silent).unwrap();
    let chunks: Vec<Points<'_>> = (0..ROWS.div_ceil(CHUNK_ROWS))
        .map(|chunk| {
            let rows = chunk * CHUNK_ROWS..((chunk + 1) * CHUNK_ROWS).min(ROWS);
            let weights = &source.weights.as_ref().unwrap()[rows.clone()];
            let points = Points::from_f64(&source.values[2 * rows.start..2 * rows.end], 2);
            points.unwrap().with_weights(weights).unwrap()
        })
        .collect();
    let mut survey = Survey::new(2);
    while !survey.is_done() {
        let parts = chunks.iter().map(|chunk| survey.look(chunk).unwrap());
        let sum = parts.reduce(|sum, part| sum.plus(&part).unwrap()).unwrap();
        survey = survey.take(&sum).unwrap();
    }
    let steps = PptSteps::new(&settings, survey.frame().clone()).unwrap();
    let (mut nodes, mut trace) = (steps.enter(&start).unwrap(), Vec::new());
    for sweep in 0..=3 {
        let parts = chunks.iter().map(|chunk| steps.estep(chunk, &nodes).unwrap());
        let sums = parts.reduce(|sum, part| sum.plus(&part).unwrap()).unwrap();
        let step = steps.mstep(&sums, &nodes).unwrap();
        trace.push(step.objective);
        if sweep < 3 {
            nodes = step.nodes;
        }
    }
    assert_eq!(trace, fit.trace);
    let graph = fit.object.require_graph("a test").unwrap();
    assert_eq!(&steps.leave(nodes), graph.nodes());
}

#[test]
fn the_rpg_tree_is_the_same() {
    same_bytes(&Rpg { max_iter: 3, ..Rpg::default() }, &cross(ROWS));
}

#[test]
fn an_elastic_tree_is_placed_the_same() {
    let settings: ElasticTree = serde_json::from_value(json!({"n_nodes": 12})).unwrap();
    same_bytes(&settings, &cross(ROWS));
    let trimmed = json!({"n_nodes": 10, "trimming_radius": "auto"});
    let settings: ElasticTree = serde_json::from_value(trimmed).unwrap();
    same_bytes(&settings, &cross(ROWS));
}

#[test]
fn k_means_finds_the_same_centers() {
    let settings: KMeans = serde_json::from_value(json!({"n_clusters": 6, "n_init": 2})).unwrap();
    same_bytes(&settings, &cross(ROWS));
}

#[test]
fn samples_and_seeds_of_k_means_are_the_same() {
    let source = cross(ROWS);
    let points = source.points();
    let (held, read) = (Cloud::new(&points).unwrap(), Cloud::new(&source).unwrap());
    assert_eq!(landmarks(&held, 5, 1).unwrap(), landmarks(&read, 5, 1).unwrap());
    let rows = |points: &Points<'_>| {
        let mut rows = Matrix::zeros(points.len(), points.dims());
        (0..points.len()).for_each(|i| points.copy_row(i, rows.row_mut(i)));
        (rows, points.weights().map(<[f64]>::to_vec))
    };
    let held = sample(&held, 1000).unwrap();
    assert_eq!(rows(&held), rows(&sample(&read, 1000).unwrap()));
}

#[test]
fn projections_are_the_same() {
    let source = cross(ROWS);
    let nodes = Matrix::from_rows(&[[4.0, 0.0], [5.0, 0.0], [6.0, 0.0], [5.0, 1.0]]).unwrap();
    let edges = [(0, 1, 1.0), (1, 2, 1.0), (1, 3, 1.0)];
    let graph = midrib::graph::PrincipalGraph::new(nodes, &edges, vec![1.0; 4]).unwrap();
    let projection = graph.project(&source).unwrap();
    assert_eq!(projection, graph.project(&source.points()).unwrap());
    let extended = graph.extend_tips(&source, &projection).unwrap();
    let held = graph.extend_tips(&source.points(), &projection).unwrap();
    assert_eq!(extended.nodes(), held.nodes());
    let away = projection.mean_squared_distance(&source).unwrap();
    assert_eq!(away, projection.mean_squared_distance(&source.points()).unwrap());
}

#[test]
fn a_source_that_fails_ends_the_fit_by_its_name() {
    let settings = SimplePpt { max_iter: 5, ..SimplePpt::default() };
    for fails_at in [0, 7, 40] {
        let source = ReadOnly { fails_at, ..cross(ROWS) };
        let error = settings.fit(&source, Given::default(), &mut Silent).unwrap_err();
        assert_eq!(error.to_string(), "remote.bin: connection reset", "{fails_at}");
    }
}

#[test]
fn values_that_cannot_be_used_are_named() {
    let with = |value: f64| {
        let mut source = cross(70_000);
        source.values[2 * 65_999 + 1] = value;
        source
    };
    let message = Cloud::new(&with(f64::INFINITY)).unwrap_err().to_string();
    assert_eq!(message, "remote.bin, row 66000, column 2: infinite values cannot be used");
    let message = Cloud::new(&with(f64::NAN)).unwrap_err().to_string();
    assert!(message.contains("missing (NaN): row 66000, column 2"), "{message}");
    let empty = ReadOnly::new(Vec::new(), 2, None);
    assert_eq!(Cloud::new(&empty).unwrap_err().to_string(), "remote.bin: there are no points");
}

#[test]
fn methods_that_need_all_rows_read_them_or_refuse_with_the_size() {
    let source = cross(300);
    for entry in METHODS.iter().filter(|entry| entry.weights) {
        let method = entry.parse(&entry.defaults()).unwrap();
        let held = method.fit(&source.points(), Given::default(), &mut Silent);
        let read = method.fit(&source, Given::default(), &mut Silent);
        let (held, read) = (held.unwrap(), read.unwrap());
        assert_eq!(held.trace, read.trace, "{}", entry.name);
        let located = |fit: &Fit| fit.object.locate(&source.points()).unwrap();
        assert_eq!(located(&held), located(&read), "{}", entry.name);
        assert_eq!(held.object.embedding(), read.object.embedding(), "{}", entry.name);
    }
    let small = ReadOnly { max_memory: Some(10_000_000), weights: None, ..cross(ROWS) };
    for name in ["drtree", "ddrtree", "spl"] {
        let method = method(name).unwrap().parse(&json!({})).unwrap();
        assert!(method.needs_all_rows());
        let fitted = method.fit(&small, Given::default(), &mut Silent);
        let message = fitted.unwrap_err().to_string();
        let start = format!("remote.bin: {name} needs all 140000 rows of 2 columns in memory, ");
        assert!(message.starts_with(&start), "{message}");
        assert!(message.ends_with("10.0 MB is the limit"), "{message}");
    }
    let l1 = Rpg { structure: midrib::learn::rpg::Structure::L1, ..Rpg::default() };
    assert!(l1.needs_all_rows() && !Rpg::default().needs_all_rows());
}

/// A source that may not be held is refused by the methods that say so, and by no other.
#[test]
fn a_source_that_may_not_be_held_is_refused_where_it_is_declared() {
    let source = ReadOnly { max_memory: Some(1), weights: None, ..cross(300) };
    let l1 = ("rpg", json!({"structure": "l1"}));
    let all_nodes = ("ppt", json!({"n_nodes": "all"}));
    let exact = ("elastic-tree", json!({"search": "exact", "n_nodes": 6}));
    let defaults = METHODS.iter().map(|entry| (entry.name, entry.defaults()));
    for (name, settings) in defaults.chain([l1, all_nodes, exact]) {
        let method = method(name).unwrap().parse(&settings).unwrap();
        let fitted = method.fit(&source, Given::default(), &mut Silent);
        let is_refused = match fitted {
            Ok(_) => false,
            Err(Error::Memory(reason)) => {
                assert!(reason.contains("300 rows of 2 columns in memory"), "{name}: {reason}");
                assert!(reason.contains("1 bytes is the limit"), "{name}: {reason}");
                true
            }
            Err(error) => panic!("{name}: {error}"),
        };
        assert_eq!(is_refused, method.needs_all_rows(), "{name} {settings}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]
    #[test]
    fn surveys_do_not_depend_on_where_the_rows_are(
        border in 1_usize..3,
        offset in -3_isize..4,
        dims in 1_usize..3,
        weighted in proptest::bool::ANY,
    ) {
        let n = (border * CHUNK_ROWS).checked_add_signed(offset).unwrap();
        let values: Vec<f64> = (0..n * dims).map(|i| 1e3 + noise(i)).collect();
        let weights = weighted.then(|| (0..n).map(|i| (i % 3) as f64).collect());
        let source = ReadOnly::new(values, dims, weights);
        let mut survey = Survey::new(dims);
        while !survey.is_done() {
            let part = survey.look(&source).unwrap();
            prop_assert_eq!(&part, &survey.look(&source.points()).unwrap());
            survey = survey.take(&part).unwrap();
        }
        let mean: f64 = survey.frame().origin.iter().sum::<f64>() / dims as f64;
        prop_assert!((mean - 1e3).abs() < 1e-1);
    }
}
