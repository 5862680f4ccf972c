//! The tables of tradeSeq: pseudotime and weights of the points on each lineage.

use std::path::Path;

use midrib::graph::Milestones;

use super::graph_with_points::GraphWithPoints;
use super::table::TableWriter;
use crate::error::Result;

/// The file that marks a directory of these tables.
pub const TRADESEQ: &str = "cell_weights.csv";

/// Writes `pseudotime.csv` and `cell_weights.csv` into a directory, for the arguments
/// `pseudotime` and `cellWeights` of tradeSeq's `fitGAM`: a row for each point and a column for
/// each lineage, called after the node where it ends.
///
/// There are no gaps: a point beside a lineage has the weight 0 there, and the pseudotime of the
/// place where its own way leaves the lineage, or 0 if the two have nothing in common. Points that
/// no root reaches are left out; the answer says how many these are.
pub fn write_tradeseq(directory: &Path, with_points: &GraphWithPoints<'_>) -> Result<usize> {
    let GraphWithPoints { graph, points, roots } = with_points;
    let rooted = graph.root(roots)?;
    let lineages = rooted.lineages();
    let projection = points.onto_graph()?;
    let time = rooted.pseudotime(projection)?;
    let on_lineages = lineages
        .iter()
        .map(|lineage| rooted.on_lineage(lineage, projection))
        .collect::<midrib::Result<Vec<_>>>()?;
    let mut header = vec!["cell_id".to_owned()];
    let ends = lineages.iter().filter_map(|lineage| lineage.nodes.last());
    header.extend(ends.map(|&node| Milestones::name(node)));

    let times_file = directory.join("pseudotime.csv");
    let weights_file = directory.join(TRADESEQ);
    let mut times = TableWriter::create(&times_file, &header)?;
    let mut weights = TableWriter::create(&weights_file, &header)?;
    let mut left_out = 0;
    for (i, id) in points.ids.iter().enumerate() {
        if time[i].is_nan() {
            left_out += 1;
            continue;
        }
        times.text(id)?;
        weights.text(id)?;
        for on in &on_lineages {
            let time = on.pseudotime[i];
            times.number(if time.is_nan() { 0.0 } else { time })?;
            weights.number(on.weight[i])?;
        }
        times.end_row()?;
        weights.end_row()?;
    }
    times.finish()?;
    weights.finish()?;
    Ok(left_out)
}
