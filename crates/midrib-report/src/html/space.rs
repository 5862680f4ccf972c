//! The spaces that points and graph are drawn in, with at most three coordinates each.

use midrib::Points;
use midrib::graph::{PrincipalGraph, Projection};
use midrib::math::Matrix;
use midrib::object::Embedding;
use midrib::prepare::{Components, Preparation, Transform};

/// The maximum number of rows that principal components are computed from.
const MAX_ROWS: usize = 20_000;
/// The maximum number of values that are copied for them.
const MAX_VALUES: usize = 20_000_000;
/// The number of rows that are transformed at a time.
const BLOCK: usize = 4096;

/// The coordinates of the drawn points and of the nodes.
pub struct Space {
    pub name: String,
    pub axes: Vec<String>,
    pub points: Matrix,
    pub nodes: Matrix,
}

/// The coordinates of points and nodes on a map or in a latent space.
pub fn latent((name, latent): (&str, &Embedding), rows: &[usize]) -> Option<Space> {
    let dims = latent.dims().min(3);
    let nodes = latent.nodes.as_ref()?;
    let has_rows = rows.last().is_none_or(|&last| last < latent.coordinates.n_rows());
    (dims > 0 && has_rows).then(|| Space {
        name: name.into(),
        axes: (1..=dims).map(|axis| format!("z{axis}")).collect(),
        points: first_columns(rows.iter().map(|&row| latent.coordinates.row(row)), dims),
        nodes: first_columns(nodes.rows(), dims),
    })
}

/// Up to three columns as they are, otherwise principal components, with their shares of the variance
/// of the table, of which the points have a share.
pub fn of_points(
    points: &Points<'_>,
    names: &[String],
    variance_share: f64,
    graph: &PrincipalGraph,
    rows: &[usize],
) -> Space {
    if points.dims() > 3
        && points.missing_values() == 0
        && let Some(space) = principal(points, variance_share, graph.nodes(), rows)
    {
        return space;
    }
    let dims = points.dims().min(3);
    let mut positions = Matrix::zeros(rows.len(), dims);
    let mut whole = vec![0.0; points.dims()];
    for (i, &row) in rows.iter().enumerate() {
        points.copy_row(row, &mut whole);
        positions.row_mut(i).copy_from_slice(&whole[..dims]);
    }
    Space {
        name: "columns".into(),
        axes: (0..dims).map(|axis| names.get(axis).cloned().unwrap_or_default()).collect(),
        points: positions,
        nodes: first_columns(graph.nodes().rows(), dims),
    }
}

/// The plane of the nodes, with the points at their projections onto the graph.
pub fn of_graph(graph: &PrincipalGraph, projection: Option<&Projection>, rows: &[usize]) -> Space {
    let dims = graph.nodes().n_cols();
    let mut positions = Vec::with_capacity(rows.len() * dims);
    if let Some(projection) = projection {
        for &row in rows {
            positions.extend(projection.coordinates(graph, row));
        }
    }
    let all: Vec<usize> = (0..positions.len() / dims.max(1)).collect();
    let names: Vec<String> = (1..=dims).map(|axis| format!("x{axis}")).collect();
    // Without points, use the nodes.
    let shown = if positions.is_empty() { graph.nodes().as_slice().to_vec() } else { positions };
    let name = "plane of the graph".to_owned();
    match Points::from_f64(shown, dims.max(1)) {
        Ok(points) => Space { name, ..of_points(&points, &names, 1.0, graph, &all) },
        Err(_) => Space {
            name,
            axes: names.into_iter().take(3).collect(),
            points: Matrix::zeros(all.len(), dims.min(3)),
            nodes: first_columns(graph.nodes().rows(), dims.min(3)),
        },
    }
}

/// Principal components; `None` if there are too few points or all are equal.
fn principal(
    points: &Points<'_>,
    variance_share: f64,
    nodes: &Matrix,
    rows: &[usize],
) -> Option<Space> {
    let all: Vec<usize>;
    let used = if rows.is_empty() {
        all = (0..points.len()).collect();
        &all
    } else {
        rows
    };
    let dims = points.dims();
    let most = MAX_ROWS.min(MAX_VALUES / dims).max(2);
    let step = used.len().div_ceil(most).max(1);
    let few: Vec<usize> = used.iter().copied().step_by(step).collect();
    let count = few.len().saturating_sub(1).min(3);
    if count == 0 {
        return None;
    }
    let pca = Some(Components::Count(count));
    let transform =
        Transform::fit(Preparation { pca, ..Preparation::default() }, &picked(points, &few).ok()?)
            .ok()?;
    let shares = &transform.pca.as_ref()?.shares;
    let axis = |(i, share): (usize, &f64)| {
        format!("PC {} ({:.0} %)", i + 1, 100.0 * variance_share * share)
    };
    let mut positions = Matrix::zeros(rows.len(), count);
    for (block, few) in rows.chunks(BLOCK).enumerate() {
        let scores = transform.apply(&picked(points, few).ok()?).ok()?;
        for i in 0..few.len() {
            scores.copy_row(i, positions.row_mut(block * BLOCK + i));
        }
    }
    let at = transform.apply(&Points::from_f64(nodes.as_slice(), dims).ok()?).ok()?;
    let mut of_nodes = Matrix::zeros(nodes.n_rows(), count);
    for k in 0..nodes.n_rows() {
        at.copy_row(k, of_nodes.row_mut(k));
    }
    Some(Space {
        name: "principal components".into(),
        axes: shares.iter().enumerate().map(axis).collect(),
        points: positions,
        nodes: of_nodes,
    })
}

fn picked(points: &Points<'_>, rows: &[usize]) -> midrib::Result<Points<'static>> {
    let dims = points.dims();
    let mut values = vec![0.0; rows.len() * dims];
    for (&row, to) in rows.iter().zip(values.chunks_mut(dims)) {
        points.copy_row(row, to);
    }
    Points::from_f64(values, dims)
}

fn first_columns<'r>(rows: impl ExactSizeIterator<Item = &'r [f64]>, dims: usize) -> Matrix {
    let mut picked = Matrix::zeros(rows.len(), dims);
    for (i, row) in rows.enumerate() {
        picked.row_mut(i).copy_from_slice(&row[..dims]);
    }
    picked
}
