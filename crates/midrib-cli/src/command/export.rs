//! `midrib export`: a learned graph for other programs.

use std::path::Path;
use std::process::ExitCode;

use midrib::Points;
use midrib::prepare::Transform;
use midrib_io::{
    CellValues, DYNVERSE, Error, LAYOUT, Model, NodeColumns, PlacedGraph, ReadOptions, TRADESEQ,
    Table, annotate_h5ad, copy_h5ad, gexf, graphml, h5ad_ids, match_cells, newick, node_link,
    read_again, table_file, write_directory_of, write_dynverse, write_file, write_h5ad,
    write_layout, write_text, write_tradeseq,
};

use midrib_tasks::{prepare_like, responsibilities};

use super::results::Results;
use crate::args::{ExportArgs, ExportFormat};
use crate::exit::{Failure, Outcome};
use crate::talk::{Talk, count};

pub fn run(args: &ExportArgs) -> Outcome<ExitCode> {
    let talk = Talk::unless(args.quiet);
    let writes_text = args.format.is_graph() || matches!(args.format, ExportFormat::Newick);
    if !writes_text && args.output == Path::new("-") {
        let reason = format!("-o -: {} is no text for stdout; name a path", args.format.name());
        return Err(Failure::usage(reason));
    }
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
        let reason =
            format!("--root: {} has no field for a root; leave it out", args.format.name());
        return Err(Failure::usage(reason));
    }
    let model = Model::read(&args.model)?;
    let graph = model.object.require_graph("a graph file")?;
    let columns = NodeColumns::of_model(&model)?;
    let text = match args.format {
        ExportFormat::Gexf => gexf(graph, &columns)?,
        ExportFormat::Json => node_link(graph, &columns)?,
        _ => graphml(graph, &columns, model.edge_support())?,
    };
    put(args, &text)
}

/// The graph with its points, or with its root.
fn write_placed(args: &ExportArgs, talk: &Talk) -> Outcome<()> {
    let results = Results::read(&args.model)?;
    let Results { model, places, .. } = &results;
    let graph = model.object.require_graph("an export")?;
    let roots = match &args.root[..] {
        [] => model.root.clone(),
        spots => results.roots(spots, talk)?,
    };
    let placed = PlacedGraph { graph, places, roots: &roots };
    let left_out = match args.format {
        ExportFormat::Newick => {
            model.require_lines("Newick")?;
            need_root(args, &placed)?;
            let trees = newick(graph, &roots)?;
            put(args, &trees)?;
            let left_out = graph.components().count - trees.lines().count();
            (left_out, "tree without a root", "trees without a root")
        }
        ExportFormat::Tradeseq => {
            model.require_lines("tradeSeq")?;
            need_root(args, &placed)?;
            let mut left_out = 0;
            write_directory_of(&args.output, args.force, &[TRADESEQ], |directory| {
                left_out = write_tradeseq(directory, &placed)?;
                Ok(())
            })?;
            (left_out, "point that no root reaches", "points that no root reaches")
        }
        ExportFormat::H5ad => return write_annotated(args, model, &placed, talk),
        ExportFormat::Layout => {
            return Ok(write_directory_of(&args.output, args.force, &[LAYOUT], |directory| {
                write_layout(directory, &placed)
            })?);
        }
        _ => {
            return Ok(write_directory_of(&args.output, args.force, &[DYNVERSE], |directory| {
                write_dynverse(directory, &placed)
            })?);
        }
    };
    if let (n @ 1.., one, many) = left_out {
        let what = count(n, one, many);
        talk.note(format!("left out: {what}; --root may be given several times"));
    }
    Ok(())
}

/// A text goes to a file or to stdout.
fn put(args: &ExportArgs, text: &str) -> Outcome<()> {
    Ok(write_file(&args.output, args.force, |path| write_text(path, text))?)
}

/// Some formats include a root.
fn need_root(args: &ExportArgs, placed: &PlacedGraph<'_>) -> Outcome<()> {
    const SHOWN: usize = 20;
    if !placed.roots.is_empty() {
        return Ok(());
    }
    let tips = placed.graph.tips();
    let shown: Vec<String> = tips.iter().take(SHOWN).map(ToString::to_string).collect();
    let choice = match tips.len() {
        0 => "there are no tips, so any node will do".into(),
        n if n > SHOWN => format!("the tips are {}, …", shown.join(", ")),
        _ => format!("the tips are {}", shown.join(", ")),
    };
    Err(Failure::usage(format!(
        "--format {} needs a root: pass --root, or choose one with `midrib root`; {choice}",
        args.format.name(),
    )))
}

/// A copy of the file that was learned from, or a new one of its table.
fn write_annotated(
    args: &ExportArgs,
    model: &Model,
    placed: &PlacedGraph<'_>,
    talk: &Talk,
) -> Outcome<()> {
    let places = placed.places;
    let learned_from = |error: Error| match args.points {
        Some(_) => Failure::from(error),
        None => Failure::from(error).within("the file that was learned from (--points names it)"),
    };
    let source = match &args.points {
        Some(path) => path.clone(),
        None => table_file(&args.model, model)?,
    };
    let again = || read_again(&args.model, model, Some(&source), &ReadOptions::default());
    if let Some(ids) = h5ad_ids(&source).map_err(learned_from)? {
        let rows = match_cells(&source, places, &ids)?;
        let points = match again() {
            Ok((_, Table { points, .. })) => prepared(model, points)?,
            // Other cells of the graph, without what it was learned from.
            Err(error) => {
                talk.note(format!("midrib_R is left out: {}", Failure::from(error).message()));
                None
            }
        };
        let values = values(model, points.as_ref())?;
        write_file(&args.output, args.force, |staged| {
            copy_h5ad(&source, staged)?;
            annotate_h5ad(staged, model, placed, &rows, values)
        })?;
        return Ok(());
    }
    let (_, Table { points, .. }) =
        read_again(&args.model, model, args.points.as_deref(), &ReadOptions::default())?;
    let (rows, expected) = (points.len(), places.ids.len());
    if rows != expected {
        let reason = format!("has {rows} rows, but the graph was learned from {expected} points");
        return Err(Failure::bad_data(reason).within(source.display()));
    }
    // With the names of points.csv.
    let points = points.with_ids(places.ids.clone())?;
    let rows: Vec<usize> = (0..points.len()).collect();
    let values = values(model, prepared(model, points.clone())?.as_ref())?;
    write_file(&args.output, args.force, |staged| {
        write_h5ad(staged, &points, &model.input.features, &places.labels)?;
        annotate_h5ad(staged, model, placed, &rows, values)
    })?;
    Ok(())
}

/// The points as the graph knows them. Kernels are not computed again: they may be larger than
/// memory.
fn prepared<'a>(model: &Model, points: Points<'a>) -> midrib_tasks::Result<Option<Points<'a>>> {
    match &model.input.prepare {
        Some(Transform { kernel: Some(_), pca: None, .. }) => Ok(None),
        _ => prepare_like(model, points).map(Some),
    }
}

/// What the points themselves show of their cells.
fn values(model: &Model, points: Option<&Points<'_>>) -> Outcome<Option<CellValues>> {
    let Some(points) = points else { return Ok(None) };
    let responsibilities = responsibilities(model, points)?;
    let inner = model.object.inner(points)?.map(|inner| inner.coordinates);
    Ok(Some(CellValues { responsibilities, inner }))
}
