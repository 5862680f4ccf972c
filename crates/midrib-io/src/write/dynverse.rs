//! The tables of dynverse: a trajectory as dynwrap's `add_trajectory` takes it.

use std::path::Path;

use midrib::graph::Milestones;

use super::graph_with_points::GraphWithPoints;
use super::table::TableWriter;
use crate::error::Result;

/// The file that marks a directory of these tables.
pub const DYNVERSE: &str = "milestone_network.csv";

/// Writes `milestone_network.csv`, `progressions.csv`, `milestone_percentages.csv` and
/// `divergence_regions.csv` into a directory.
///
/// A loop or parallel branches get milestones of their own in between, since dynwrap has at most
/// one link between two milestones. Links lead away from the roots; without a root they have no
/// direction. A milestone that stands alone has a link of length 0 to itself, as dynwrap has it.
/// There are no divergence regions: no point lies between more than two milestones.
///
/// ```
/// # use midrib::{Points, graph::PrincipalGraph, math::Matrix};
/// # use midrib_io::{ProjectedPoints, GraphWithPoints};
/// let nodes = Matrix::from_rows(&[[0.0], [2.0]])?;
/// let graph = PrincipalGraph::new(nodes, &[(0, 1, 1.0)], vec![1.0; 2])?;
/// let projection = Some(graph.project(&Points::from_f64(vec![0.5], 1)?)?);
/// let points = ProjectedPoints { ids: vec!["a".into()], projection, pseudotime_sd: None, labels: vec![] };
/// # let directory = tempfile::tempdir()?;
/// # let path = directory.path();
/// midrib_io::write_dynverse(path, &GraphWithPoints { graph: &graph, points: &points, roots: &[1] })?;
/// let network = std::fs::read_to_string(path.join("milestone_network.csv"))?;
/// assert_eq!(network, "from,to,length,directed\nM1,M0,2,TRUE\n");
/// let progressions = std::fs::read_to_string(path.join("progressions.csv"))?;
/// assert_eq!(progressions, "cell_id,from,to,percentage\na,M1,M0,0.75\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn write_dynverse(directory: &Path, with_points: &GraphWithPoints<'_>) -> Result<()> {
    let network = with_points.network()?;
    let ids = &with_points.points.ids;

    let path = directory.join(DYNVERSE);
    let mut table = TableWriter::create(&path, &["from", "to", "length", "directed"])?;
    for link in network.links() {
        table.text(&Milestones::name(link.from))?;
        table.text(&Milestones::name(link.to))?;
        table.number(link.length)?;
        table.text(if link.directed { "TRUE" } else { "FALSE" })?;
        table.end_row()?;
    }
    table.finish()?;

    let path = directory.join("progressions.csv");
    let mut table = TableWriter::create(&path, &["cell_id", "from", "to", "percentage"])?;
    for (i, id) in ids.iter().enumerate() {
        let (link, share) = network.progression(i);
        let link = network.links()[link];
        table.text(id)?;
        table.text(&Milestones::name(link.from))?;
        table.text(&Milestones::name(link.to))?;
        table.number(share)?;
        table.end_row()?;
    }
    table.finish()?;

    let path = directory.join("milestone_percentages.csv");
    let mut table = TableWriter::create(&path, &["cell_id", "milestone_id", "percentage"])?;
    for (i, id) in ids.iter().enumerate() {
        for (milestone, share) in network.percentages(i) {
            table.text(id)?;
            table.text(&Milestones::name(milestone))?;
            table.number(share)?;
            table.end_row()?;
        }
    }
    table.finish()?;

    let path = directory.join("divergence_regions.csv");
    TableWriter::create(&path, &["divergence_id", "milestone_id", "is_start"])?.finish()
}
