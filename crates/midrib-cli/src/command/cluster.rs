//! `midrib cluster`: a table in, groups of its points and the graph that tells them out.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use midrib::Points;
use midrib::cluster::{ClusterCount, Spectral, spectral};
use midrib::connect::{
    FusedLasso, PointGraph, PointGraphKind, Similarities, fused_lasso, kernel_knn_l1, knn,
    sparse_l1,
};
use midrib::math::Matrix;
use midrib::prepare::KernelFunction;
use midrib_io::{ReadOptions, check_directory, read};
use serde_json::{Map, Value, json};

use super::cluster_results::{Results, write};
use super::fit::{
    advise_scaling, default_output, read_options, refuse_results, say_what_was_read, set_threads,
};
use super::learn::prepare;
use crate::args::ClusterArgs;
use crate::exit::{Failure, Outcome};
use crate::talk::Talk;

/// Neighbors that a point may be joined to, where that is left open.
const K1: usize = 20;
/// Neighbors whose weights are drawn together, where that is left open.
const K2: usize = 5;

pub fn run(args: &ClusterArgs) -> Outcome<ExitCode> {
    let talk = Talk::new(&args.talk);
    set_threads(args.threads.threads)?;
    let kind = PointGraphKind::named(&args.graph)?;
    refuse_unused(args, kind)?;
    refuse_ignored(args)?;
    let kernel: KernelFunction = args.kernel.as_deref().unwrap_or("gaussian").parse()?;
    refuse_results(&args.input)?;
    let output: PathBuf =
        args.output.clone().unwrap_or_else(|| default_output(&args.input, "clusters"));
    check_directory(&output, args.force)?;

    let started = Instant::now();
    let table = read(&args.input, &read_options(&args.table))?;
    say_what_was_read(&table, &args.input, &talk);
    let of_table = |failure: Failure| failure.of_table(&args.input);
    let of_engine = |error: midrib::Error| Failure::from(error).of_table(&args.input);
    let preparation = args.columns.preparation();
    if args.kernel_matrix.is_none() {
        advise_scaling(&preparation, &table.points, &table.features, &talk);
    }
    let prepared = prepare(preparation, table.points, &table.features).map_err(of_table)?;
    let points = &prepared.points;
    refuse_early(args, points.len())?;
    let (graph, settings) = build(args, kind, kernel, points, &talk)?;
    talk.detail(format!("graph built in {:.1} s", started.elapsed().as_secs_f64()));
    let how = Spectral {
        n_clusters: args.clusters,
        rows: args.rows.into(),
        restarts: args.restarts,
        seed: args.seed,
    };
    let clusters = spectral(&graph, &how).map_err(of_engine)?;
    let results = Results {
        input: &args.input,
        points,
        labels: &table.labels,
        set_aside: &table.set_aside,
        graph_name: &args.graph,
        settings,
        graph: &graph,
        clusters: &clusters,
    };
    let summary = results.summary()?;
    write(&output, args.force, &results, &summary)?;
    if talk.json() {
        talk.answer(&format!("{summary:#}\n"))?;
    } else {
        talk.answer(&results.text(&summary))?;
    }
    talk.note(format!(
        "written to {} in {:.1} s",
        output.display(),
        started.elapsed().as_secs_f64()
    ));
    Ok(ExitCode::SUCCESS)
}

/// Settings that the graph has no use for are mistakes.
fn refuse_unused(args: &ClusterArgs, kind: PointGraphKind) -> Outcome<()> {
    let is_l1 = kind == PointGraphKind::L1;
    let unused = [
        ("--k1", args.k1.is_some() && is_l1),
        ("--kernel", args.kernel.is_some() && is_l1),
        ("--kernel-matrix", args.kernel_matrix.is_some() && is_l1),
        ("--k2", args.k2.is_some() && kind != PointGraphKind::FusedLasso),
        ("--fusion-weight", args.fusion_weight.is_some() && kind != PointGraphKind::FusedLasso),
    ];
    match unused.iter().find(|(_, unused)| *unused) {
        Some((flag, _)) => Err(Failure::usage(format!(
            "{flag}: has no meaning for --graph {}; leave it out, or choose fused-lasso",
            args.graph
        ))),
        None => Ok(()),
    }
}

/// What no graph of points goes by.
fn refuse_ignored(args: &ClusterArgs) -> Outcome<()> {
    if args.table.weights.is_some() {
        return Err(Failure::usage(
            "--weights: clusters know of no weights; name the column with --label to set it aside",
        ));
    }
    if args.kernel_matrix.is_some() && !args.columns.preparation().is_nothing() {
        return Err(Failure::usage(
            "--center, --scale and --pca change columns, but --kernel-matrix tells how alike the \
             points are: leave one of them out",
        ));
    }
    Ok(())
}

/// What can be known to fail is said before the graph is built.
fn refuse_early(args: &ClusterArgs, n: usize) -> Outcome<()> {
    let ClusterCount::Exactly(count) = args.clusters else { return Ok(()) };
    if count < 2 {
        return Err(Failure::usage(format!(
            "--clusters {count}: must be at least 2: one cluster is all points"
        )));
    }
    if count > n {
        return Err(Failure::usage(format!(
            "--clusters {count}: must be at most the number of points, {n}"
        )));
    }
    Ok(())
}

/// The graph, and the settings that made it.
fn build(
    args: &ClusterArgs,
    kind: PointGraphKind,
    kernel: KernelFunction,
    points: &Points<'_>,
    talk: &Talk,
) -> Outcome<(PointGraph, Map<String, Value>)> {
    let of_table = |error: midrib::Error| Failure::from(error).of_table(&args.input);
    let mut watch = talk.watch();
    let mut settings = Map::new();
    if kind == PointGraphKind::L1 {
        let graph = sparse_l1(points, &mut watch);
        watch.finish();
        return Ok((graph.map_err(of_table)?, settings));
    }
    let alike = match &args.kernel_matrix {
        Some(path) => {
            settings.insert("kernel_matrix".into(), json!(path.display().to_string()));
            kernel_matrix(path, points.len())?
        }
        None => {
            let alike = Similarities::new(points, kernel).map_err(of_table)?;
            let function = alike.beta().map_or("linear".into(), |beta| format!("gaussian:{beta}"));
            settings.insert("kernel".into(), json!(function));
            alike
        }
    };
    let k1 = args.k1.unwrap_or(K1.min(points.len().saturating_sub(1)));
    settings.insert("k1".into(), json!(k1));
    let graph = match kind {
        PointGraphKind::Knn => knn(&alike, k1),
        PointGraphKind::KnnL1 => kernel_knn_l1(&alike, k1, &mut watch),
        PointGraphKind::FusedLasso | PointGraphKind::L1 => {
            let k2 = args.k2.unwrap_or(K2.min(k1));
            let fusion_weight = args.fusion_weight.unwrap_or(1.0);
            settings.insert("k2".into(), json!(k2));
            settings.insert("fusion_weight".into(), json!(fusion_weight));
            fused_lasso(&alike, FusedLasso { k1, k2, fusion_weight }, &mut watch)
        }
    };
    watch.finish();
    Ok((graph.map_err(of_table)?, settings))
}

/// A square table of so many points.
fn kernel_matrix(path: &Path, n: usize) -> Outcome<Similarities> {
    let points = read(path, &ReadOptions { gaps: true, ..ReadOptions::default() })?.points;
    let mut matrix = Matrix::zeros(points.len(), points.dims());
    for i in 0..points.len() {
        points.copy_row(i, matrix.row_mut(i));
    }
    let alike = Similarities::precomputed(matrix)
        .map_err(|error| Failure::from(error).within(path.display()))?;
    if alike.len() != n {
        return Err(Failure::bad_data(format!(
            "is a kernel matrix of {} points, and the table has {n}",
            alike.len()
        ))
        .within(path.display()));
    }
    Ok(alike)
}
