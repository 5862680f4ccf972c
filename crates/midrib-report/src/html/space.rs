//! The spaces that points and graph are drawn in: at most three coordinates each.

use midrib::Points;
use midrib::graph::{PrincipalGraph, Projection};
use midrib::learn::Latent;
use midrib::math::Matrix;
use midrib::prepare::{Components, Preparation, Transform};

/// Rows that principal components are found from at most.
const MOST_ROWS: usize = 20_000;
/// Numbers that are copied for them at most.
const MOST_VALUES: usize = 20_000_000;
/// Rows that are brought into the space at a time.
const BLOCK: usize = 4096;

/// Places of drawn points and of nodes.
pub struct Space {
    pub name: String,
    pub axes: Vec<String>,
    pub points: Matrix,
    pub nodes: Matrix,
}

/// The places that a method learnt for points and nodes.
pub fn latent(latent: &Latent, rows: &[usize]) -> Option<Space> {
    let dims = latent.embedding.n_cols().min(3);
    let rows_known = rows.last().is_none_or(|&last| last < latent.embedding.n_rows());
    (dims > 0 && rows_known).then(|| Space {
        name: "latent space".into(),
        axes: (1..=dims).map(|axis| format!("z{axis}")).collect(),
        points: first_columns(rows.iter().map(|&row| latent.embedding.row(row)), dims),
        nodes: first_columns(latent.nodes.rows(), dims),
    })
}

/// The columns of up to three dimensions, else the principal components, with their shares of the
/// variance of the table, of which the points hold a share.
pub fn of_points(
    points: &Points<'_>,
    names: &[String],
    held: f64,
    graph: &PrincipalGraph,
    rows: &[usize],
) -> Space {
    if points.dims() > 3
        && points.gaps() == 0
        && let Some(space) = principal(points, held, graph.nodes(), rows)
    {
        return space;
    }
    let dims = points.dims().min(3);
    let mut places = Matrix::zeros(rows.len(), dims);
    let mut whole = vec![0.0; points.dims()];
    for (i, &row) in rows.iter().enumerate() {
        points.copy_row(row, &mut whole);
        places.row_mut(i).copy_from_slice(&whole[..dims]);
    }
    Space {
        name: "columns".into(),
        axes: (0..dims).map(|axis| names.get(axis).cloned().unwrap_or_default()).collect(),
        points: places,
        nodes: first_columns(graph.nodes().rows(), dims),
    }
}

/// The plane of the nodes, with the points at their places on the graph.
pub fn of_graph(graph: &PrincipalGraph, projection: Option<&Projection>, rows: &[usize]) -> Space {
    let dims = graph.nodes().n_cols();
    let mut places = Vec::with_capacity(rows.len() * dims);
    if let Some(projection) = projection {
        for &row in rows {
            places.extend(projection.place(graph, row));
        }
    }
    let all: Vec<usize> = (0..places.len() / dims.max(1)).collect();
    let names: Vec<String> = (1..=dims).map(|axis| format!("x{axis}")).collect();
    // Where there are no points, the nodes take their place.
    let known = if places.is_empty() { graph.nodes().as_slice().to_vec() } else { places };
    let name = "plane of the graph".to_owned();
    match Points::from_f64(known, dims.max(1)) {
        Ok(points) => Space { name, ..of_points(&points, &names, 1.0, graph, &all) },
        Err(_) => Space {
            name,
            axes: names.into_iter().take(3).collect(),
            points: Matrix::zeros(all.len(), dims.min(3)),
            nodes: first_columns(graph.nodes().rows(), dims.min(3)),
        },
    }
}

/// None where the points have no principal components: too few or all equal.
fn principal(points: &Points<'_>, held: f64, nodes: &Matrix, rows: &[usize]) -> Option<Space> {
    // Without points the nodes are their own.
    let own: Vec<usize>;
    let known = if rows.is_empty() {
        own = (0..points.len()).collect();
        &own
    } else {
        rows
    };
    let dims = points.dims();
    let most = MOST_ROWS.min(MOST_VALUES / dims).max(2);
    let step = known.len().div_ceil(most).max(1);
    let few: Vec<usize> = known.iter().copied().step_by(step).collect();
    let count = few.len().saturating_sub(1).min(3);
    if count == 0 {
        return None;
    }
    let pca = Some(Components::Count(count));
    let transform =
        Transform::fit(Preparation { pca, ..Preparation::default() }, &picked(points, &few).ok()?)
            .ok()?;
    let shares = &transform.pca.as_ref()?.shares;
    let axis = |(i, share): (usize, &f64)| format!("PC {} ({:.0} %)", i + 1, 100.0 * held * share);
    let mut places = Matrix::zeros(rows.len(), count);
    for (block, few) in rows.chunks(BLOCK).enumerate() {
        let scores = transform.apply(&picked(points, few).ok()?).ok()?;
        for i in 0..few.len() {
            scores.copy_row(i, places.row_mut(block * BLOCK + i));
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
        points: places,
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
