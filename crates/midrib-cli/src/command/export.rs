//! `midrib export`: a learnt graph for other programs.

use std::path::Path;
use std::process::ExitCode;

use midrib::Points;
use midrib::prepare::Transform;
use midrib_io::{
    DYNVERSE, Error, LearntGraph, Model, NodeColumns, PlacedGraph, ReadOptions, TRADESEQ,
    annotate_h5ad, copy_h5ad, gexf, graphml, h5ad_ids, match_cells, match_columns, newick,
    node_link, read, write_directory_of, write_dynverse, write_file, write_h5ad, write_text,
    write_tradeseq,
};

use super::results::Results;
use crate::args::{ExportArgs, ExportFormat};
use crate::exit::{Failure, Outcome};
use crate::talk::{Talk, count};

pub fn run(args: &ExportArgs) -> Outcome<ExitCode> {
    let talk = Talk::unless(args.quiet);
    if args.format.is_graph() {
        write_graph(args)?;
    } else {
        write_placed(args, &talk)?;
    }
    if args.output != Path::new("-") {
        talk.note(format!("written to {}", args.output.display()));
    }
    Ok(ExitCode::SUCCESS)
}

/// The graph alone, whatever its root.
fn write_graph(args: &ExportArgs) -> Outcome<()> {
    if !args.root.is_empty() {
        let reason = format!("--root: {} tells of no root; leave it out", args.format.name());
        return Err(Failure::usage(reason));
    }
    let model = Model::read(&args.model)?;
    let graph = model.graph()?;
    let transform = model.transform(&args.model)?;
    let columns = NodeColumns::of_table(&graph, transform.as_ref(), &model.input.features)?;
    let text = match args.format {
        ExportFormat::Gexf => gexf(&graph, &columns)?,
        ExportFormat::Json => node_link(&graph, &columns)?,
        _ => graphml(&graph, &columns)?,
    };
    put(args, &text)
}

/// The graph with its points, or with its root.
fn write_placed(args: &ExportArgs, talk: &Talk) -> Outcome<()> {
    let results = Results::read(&args.model)?;
    let Results { model, graph, places, .. } = &results;
    let roots = match &args.root[..] {
        [] => model.root.clone(),
        spots => results.find(spots, "--root", talk)?,
    };
    let placed = PlacedGraph { graph, places, roots: &roots };
    let left_out = match args.format {
        ExportFormat::Newick => {
            need_root(args, &placed)?;
            let trees = newick(graph, &roots)?;
            put(args, &trees)?;
            let left_out = graph.components().count - trees.lines().count();
            count(left_out, "tree without a root", "trees without a root")
        }
        ExportFormat::Tradeseq => {
            need_root(args, &placed)?;
            let mut left_out = 0;
            write_directory_of(&args.output, args.force, &[TRADESEQ], |directory| {
                left_out = write_tradeseq(directory, &placed)?;
                Ok(())
            })?;
            count(left_out, "point that no root reaches", "points that no root reaches")
        }
        ExportFormat::H5ad => return write_annotated(args, model, &placed, talk),
        _ => {
            return Ok(write_directory_of(&args.output, args.force, &[DYNVERSE], |directory| {
                write_dynverse(directory, &placed)
            })?);
        }
    };
    if !left_out.starts_with("0 ") {
        talk.note(format!("left out: {left_out}; --root may be given several times"));
    }
    Ok(())
}

/// A text goes to a file or to stdout.
fn put(args: &ExportArgs, text: &str) -> Outcome<()> {
    Ok(write_file(&args.output, args.force, |path| write_text(path, text))?)
}

/// Some formats tell of a beginning.
fn need_root(args: &ExportArgs, placed: &PlacedGraph<'_>) -> Outcome<()> {
    const SHOWN: usize = 20;
    if !placed.roots.is_empty() {
        return Ok(());
    }
    let tips = placed.graph.tips();
    let shown: Vec<String> = tips.iter().take(SHOWN).map(ToString::to_string).collect();
    Err(Failure::usage(format!(
        "--format {} needs a root: pass --root, or choose one with `midrib root`; the tips are {}{}",
        args.format.name(),
        shown.join(", "),
        if tips.len() > SHOWN { ", …" } else { "" }
    )))
}

/// A copy of the file that was learnt from, or a new one of its table.
fn write_annotated(
    args: &ExportArgs,
    model: &Model,
    placed: &PlacedGraph<'_>,
    talk: &Talk,
) -> Outcome<()> {
    let places = placed.places;
    let source = args.points.as_deref().unwrap_or(Path::new(&model.input.file));
    if source == Path::new("-") {
        return Err(Failure::usage(
            "the graph was learnt from standard input: name the table with --points",
        ));
    }
    let learnt_from = |error: Error| match args.points {
        Some(_) => Failure::from(error),
        None => Failure::from(error).within("the file that was learnt from (--points names it)"),
    };
    let learnt = LearntGraph::of(model.clone(), &args.model)?;
    if let Some(ids) = h5ad_ids(source).map_err(learnt_from)? {
        let rows = match_cells(source, places, &ids)?;
        let points = match table(source, model) {
            Ok(points) => prepared(&learnt, points)?,
            // Other cells of the graph, without what it was learnt from.
            Err(failure) => {
                talk.note(format!("midrib_R is left out: {}", failure.message()));
                None
            }
        };
        write_file(&args.output, args.force, |staged| {
            copy_h5ad(source, staged)?;
            annotate_h5ad(staged, &learnt, placed, &rows, points.as_ref())
        })?;
        return Ok(());
    }
    let points = table(source, model)?;
    if points.len() != places.ids.len() {
        let reason = format!(
            "has {} rows, but the graph was learnt from {} points",
            points.len(),
            places.ids.len()
        );
        return Err(Failure::bad_data(reason).within(source.display()));
    }
    let points = points.with_ids(places.ids.clone())?;
    let rows: Vec<usize> = (0..points.len()).collect();
    write_file(&args.output, args.force, |staged| {
        write_h5ad(staged, &points, &model.input.features, &places.labels)?;
        let points = prepared(&learnt, points.clone())?;
        annotate_h5ad(staged, &learnt, placed, &rows, points.as_ref())
    })?;
    Ok(())
}

/// The points as the graph knows them. Kernels are not computed again: they may be larger than
/// memory.
fn prepared<'a>(learnt: &LearntGraph, points: Points<'a>) -> midrib_io::Result<Option<Points<'a>>> {
    match &learnt.transform {
        Some(Transform { kernel: Some(_), pca: None, .. }) => Ok(None),
        _ => learnt.prepared(points).map(Some),
    }
}

/// The table that was learnt from. Columns that were not may have gaps.
fn table(source: &Path, model: &Model) -> Outcome<Points<'static>> {
    let default_rep = model.representation().map(Into::into);
    let options = ReadOptions { gaps: true, default_rep, ..ReadOptions::default() };
    Ok(match_columns(source, read(source, &options)?, &model.input.features)?.points)
}
