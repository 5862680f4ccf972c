//! A learned graph for other programs.

use std::path::{Path, PathBuf};

use midrib::Points;
use midrib::prepare::Transform;
use midrib_io::{
    CellValues, DYNVERSE, GraphWithPoints, LAYOUT, Model, NodeColumns, ReadOptions, TRADESEQ,
    Table, annotate_h5ad, copy_h5ad, gexf, graphml, h5ad_ids, match_cells, newick, node_link,
    read_again, table_file, write_directory_of, write_dynverse, write_file, write_h5ad,
    write_layout, write_text, write_tradeseq,
};

use crate::error::{Error, Result};
use crate::listener::{Listener, Wording};
use crate::location::Location;
use crate::open::{Results, open_results};
use crate::prepare::prepare_like;
use crate::project::responsibilities;
use crate::text::count;

/// The formats that other programs read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExportFormat {
    /// GraphML: networkx, igraph, Cytoscape, Gephi.
    Graphml,
    /// GEXF: Gephi.
    Gexf,
    /// Node-link JSON: networkx, d3.
    Json,
    /// Newick, one rooted tree of milestones per line.
    Newick,
    /// dynverse's tables.
    Dynverse,
    /// tradeSeq's tables.
    Tradeseq,
    /// Tables of drawings.
    Layout,
    /// AnnData.
    H5ad,
}

impl ExportFormat {
    /// The name of the format.
    pub fn name(self) -> &'static str {
        match self {
            Self::Graphml => "graphml",
            Self::Gexf => "gexf",
            Self::Json => "json",
            Self::Newick => "newick",
            Self::Dynverse => "dynverse",
            Self::Tradeseq => "tradeseq",
            Self::Layout => "layout",
            Self::H5ad => "h5ad",
        }
    }

    /// Whether it holds the graph without points and root.
    pub fn is_graph(self) -> bool {
        matches!(self, Self::Graphml | Self::Gexf | Self::Json)
    }
}

/// Results to export.
#[derive(Clone, Debug)]
pub struct ExportRequest<'a> {
    /// The results: the directory or its `model.json`.
    pub results: &'a Path,
    /// The format.
    pub format: ExportFormat,
    /// The file or directory to write; `-` is stdout.
    pub output: PathBuf,
    /// Whether what is already there is replaced.
    pub force: bool,
    /// Where the graph begins, if not where the results say.
    pub root: &'a [Location],
    /// The table that was learned from, where it is not the file that the model names.
    pub table: Option<&'a Path>,
}

/// Writes results for another program.
pub fn export(request: &ExportRequest<'_>, listener: &mut dyn Listener) -> Result<()> {
    let format = request.format;
    let writes_text = format.is_graph() || format == ExportFormat::Newick;
    if !writes_text && request.output == Path::new("-") {
        return Err(Error::usage(format!(
            "-o -: {} is not text and cannot go to stdout; name a path",
            format.name()
        )));
    }
    if format.is_graph() {
        return export_graph(request, listener.wording());
    }
    let results = open_results(request.results)?;
    let graph = results.model.object.require_graph("an export")?;
    let roots = match request.root {
        [] => results.model.root.clone(),
        locations => results.roots(locations, listener)?,
    };
    let with_points = GraphWithPoints { graph, points: &results.points, roots: &roots };
    if format == ExportFormat::H5ad {
        return export_h5ad(request, &results, &with_points, listener);
    }
    if let (n @ 1.., one, many) =
        export_tables(request, &results, &with_points, listener.wording())?
    {
        listener.note(&format!(
            "left out: {}; {} may be given several times",
            count(n, one, many),
            (listener.wording().setting)("root")
        ));
    }
    Ok(())
}

/// The graph alone, whatever its root.
fn export_graph(request: &ExportRequest<'_>, wording: Wording) -> Result<()> {
    if !request.root.is_empty() {
        return Err(Error::usage(format!(
            "{}: {} has no field for a root; leave it out",
            (wording.setting)("root"),
            request.format.name()
        )));
    }
    let model = Model::read(request.results)?;
    let graph = model.object.require_graph("a graph file")?;
    let columns = NodeColumns::of_model(&model)?;
    let text = match request.format {
        ExportFormat::Gexf => gexf(graph, &columns)?,
        ExportFormat::Json => node_link(graph, &columns)?,
        _ => graphml(graph, &columns, model.edge_support())?,
    };
    put(request, &text)
}

/// A text goes to a file or to stdout.
fn put(request: &ExportRequest<'_>, text: &str) -> Result<()> {
    Ok(write_file(&request.output, request.force, |path| write_text(path, text))?)
}

/// What was left out of an export: how many, and what they are.
type LeftOut = (usize, &'static str, &'static str);

/// The graph with its points, or with its root.
fn export_tables(
    request: &ExportRequest<'_>,
    results: &Results,
    with_points: &GraphWithPoints<'_>,
    wording: Wording,
) -> Result<LeftOut> {
    let GraphWithPoints { graph, roots, .. } = *with_points;
    let (output, force) = (&request.output, request.force);
    let mut left_out = (0, "", "");
    match request.format {
        ExportFormat::Newick => {
            results.model.require_lines("Newick")?;
            need_root(request, with_points, wording)?;
            let trees = newick(graph, roots)?;
            put(request, &trees)?;
            let missing = graph.components().count - trees.lines().count();
            left_out = (missing, "tree without a root", "trees without a root");
        }
        ExportFormat::Tradeseq => {
            results.model.require_lines("tradeSeq")?;
            need_root(request, with_points, wording)?;
            let mut missing = 0;
            write_directory_of(output, force, &[TRADESEQ], |directory| {
                missing = write_tradeseq(directory, with_points)?;
                Ok(())
            })?;
            left_out = (missing, "point that no root reaches", "points that no root reaches");
        }
        ExportFormat::Layout => write_directory_of(output, force, &[LAYOUT], |directory| {
            write_layout(directory, with_points)
        })?,
        _ => write_directory_of(output, force, &[DYNVERSE], |directory| {
            write_dynverse(directory, with_points)
        })?,
    }
    Ok(left_out)
}

/// Some formats include a root.
fn need_root(
    request: &ExportRequest<'_>,
    with_points: &GraphWithPoints<'_>,
    wording: Wording,
) -> Result<()> {
    const SHOWN: usize = 20;
    if !with_points.roots.is_empty() {
        return Ok(());
    }
    let tips = with_points.graph.tips();
    let shown: Vec<String> = tips.iter().take(SHOWN).map(ToString::to_string).collect();
    let choice = match tips.len() {
        0 => "there are no tips, so any node will do".into(),
        n if n > SHOWN => format!("the tips are {}, …", shown.join(", ")),
        _ => format!("the tips are {}", shown.join(", ")),
    };
    Err(Error::usage(format!(
        "{} needs a root: pass {}, or choose one with `midrib root`; {choice}",
        (wording.value)("format", request.format.name()),
        (wording.setting)("root"),
    )))
}

/// A copy of the file that was learned from, or a new one of its table.
fn export_h5ad(
    request: &ExportRequest<'_>,
    results: &Results,
    with_points: &GraphWithPoints<'_>,
    listener: &mut dyn Listener,
) -> Result<()> {
    let (model, projected) = (&results.model, &results.points);
    let source = match request.table {
        Some(path) => path.to_owned(),
        None => table_file(request.results, model)?,
    };
    let learned_from = |error: midrib_io::Error| match request.table {
        Some(_) => Error::from(error),
        None => {
            let points = (listener.wording().setting)("points");
            Error::from(error)
                .within(&format!("the file that was learned from ({points} names it)"))
        }
    };
    if let Some(ids) = h5ad_ids(&source).map_err(learned_from)? {
        let rows = match_cells(&source, projected, &ids)?;
        let options = ReadOptions::default();
        let values = match read_again(request.results, model, Some(&source), &options) {
            Ok((_, Table { points, .. })) => cell_values(model, points)?,
            // Other cells of the graph, without what it was learned from.
            Err(error) => {
                listener.note(&format!("midrib_R is left out: {error}"));
                None
            }
        };
        write_file(&request.output, request.force, |staged| {
            copy_h5ad(&source, staged)?;
            annotate_h5ad(staged, model, with_points, &rows, values)
        })?;
        return Ok(());
    }
    let (_, Table { points, .. }) =
        read_again(request.results, model, request.table, &ReadOptions::default())?;
    let (rows, expected) = (points.len(), projected.ids.len());
    if rows != expected {
        return Err(Error::data(format!(
            "{}: has {rows} rows, but the graph was learned from {expected} points",
            source.display()
        )));
    }
    // With the names of points.csv.
    let points = points.with_ids(projected.ids.clone())?;
    let rows: Vec<usize> = (0..points.len()).collect();
    let values = cell_values(model, points.clone())?;
    write_file(&request.output, request.force, |staged| {
        write_h5ad(staged, &points, &model.input.features, &projected.labels)?;
        annotate_h5ad(staged, model, with_points, &rows, values)
    })?;
    Ok(())
}

/// What the cells' own values show. Kernels are not computed again: they may be larger than memory.
fn cell_values(model: &Model, points: Points<'_>) -> Result<Option<CellValues>> {
    if let Some(Transform { kernel: Some(_), pca: None, .. }) = &model.input.prepare {
        return Ok(None);
    }
    let points = &prepare_like(model, points)?;
    let responsibilities = responsibilities(model, points)?;
    let inner = model.object.locate(points)?.inner;
    Ok(Some(CellValues { responsibilities, inner }))
}
