//! Normalized spectral clustering. Zhou2013, section 6.2; Shi2000.

use std::str::FromStr;

use crate::assign::{lloyd, nearest_nodes};
use crate::connect::PointGraph;
use crate::error::{Error, Result};
use crate::math::{LeadingEigen, Matrix, SparseRows, leading_eigen};
use crate::points::{Cloud, Points};
use crate::prepare::landmarks;

/// The largest number of clusters that is chosen automatically.
const MAX_AUTO: usize = 20;
/// The maximum number of k-means iterations.
const MAX_ITER: usize = 300;
/// Eigenvectors with a larger residual get a note.
const ACCURATE: f64 = 1e-6;

/// The number of clusters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ClusterCount {
    /// The number of eigenvalues, from 2 to 20, before the largest gap between two of them.
    #[default]
    Auto,
    /// This many.
    Exactly(usize),
}

/// How the rows of the leading eigenvectors, which k-means clusters, are scaled.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RowScale {
    /// Not scaled (the paper).
    #[default]
    Plain,
    /// Each scaled to length 1, so that points with few and weak edges count as much as others.
    Unit,
    /// Each divided by the square root of the point's degree: the eigenvectors of the random walk on
    /// the graph, as in scikit-learn.
    Degree,
}

impl FromStr for RowScale {
    type Err = Error;

    fn from_str(name: &str) -> Result<Self> {
        match name {
            "plain" => Ok(Self::Plain),
            "unit" => Ok(Self::Unit),
            "degree" => Ok(Self::Degree),
            _ => Err(Error::setting("rows", name, "unknown; use plain, unit or degree")),
        }
    }
}

/// Settings of spectral clustering.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Spectral {
    /// The number of clusters.
    pub n_clusters: ClusterCount,
    /// The scaling of the rows for k-means.
    pub rows: RowScale,
    /// The number of k-means runs; the best result is kept.
    pub restarts: usize,
    /// The seed of the k-means runs.
    pub seed: u64,
}

impl Default for Spectral {
    fn default() -> Self {
        Self { n_clusters: ClusterCount::Auto, rows: RowScale::Plain, restarts: 10, seed: 0 }
    }
}

/// Clusters of the points of a graph.
#[derive(Clone, Debug, PartialEq)]
pub struct SpectralClusters {
    /// The cluster of each point, numbered in order of their first points; `None` for a point
    /// without edges.
    pub labels: Vec<Option<usize>>,
    /// The number of clusters.
    pub n_clusters: usize,
    /// The largest eigenvalues of D^{−1/2} W D^{−1/2} in descending order, starting at 1: one more
    /// than the number of clusters, or up to 21 if that was automatic.
    pub eigenvalues: Vec<f64>,
    /// The number of connected components of the graph, not counting points without edges.
    pub n_components: usize,
    /// Notes for the user about this result.
    pub notes: Vec<String>,
}

/// Finds clusters of points that are connected more strongly to each other than to the rest: k-means
/// on the rows of the eigenvectors of D^{−1/2} W D^{−1/2} with the largest eigenvalues, where W are
/// the weights and D the degrees.
///
/// Points without edges belong to no cluster. The same graph and seed give the same clusters for any
/// number of threads.
///
/// ```
/// use midrib::cluster::{Spectral, spectral};
/// use midrib::connect::{Similarities, knn};
/// use midrib::Points;
/// let values: Vec<f64> = (0..30).map(|i| f64::from(i) + f64::from(i / 10) * 20.0).collect();
/// let points = Points::from_f64(values, 1)?;
/// let graph = knn(&Similarities::new(&points, "gaussian:900".parse()?)?, 9)?;
/// let found = spectral(&graph, &Spectral::default())?;
/// assert_eq!(found.n_clusters, 3);
/// assert_eq!((found.labels[9], found.labels[10]), (Some(0), Some(1)));
/// # Ok::<(), midrib::Error>(())
/// ```
pub fn spectral(graph: &PointGraph, settings: &Spectral) -> Result<SpectralClusters> {
    let isolated = graph.isolated();
    let joined: Vec<usize> =
        (0..graph.n_points).filter(|i| isolated.binary_search(i).is_err()).collect();
    check(graph, settings, joined.len())?;
    let mut notes = Vec::new();
    let n_components = graph.components().iter().filter(|points| points.len() > 1).count();
    let degrees = graph.degrees();
    let matrix = normalized(graph, &joined, &degrees);
    let wanted = match settings.n_clusters {
        ClusterCount::Exactly(count) => count,
        ClusterCount::Auto => MAX_AUTO,
    };
    let LeadingEigen { values, vectors, residual } =
        leading_eigen(&matrix, (wanted + 1).min(joined.len()))?;
    if residual > ACCURATE {
        notes.push(format!(
            "the eigenvectors have a residual of {residual:.1e}: some eigenvalues are nearly equal"
        ));
    }
    let count = match settings.n_clusters {
        ClusterCount::Exactly(count) => count,
        ClusterCount::Auto => widest_gap(&values),
    };
    if n_components > count {
        notes.push(format!(
            "the graph has {n_components} components, more than the {count} clusters, so which of \
             them share a cluster is arbitrary; use more neighbors, or {n_components} clusters"
        ));
    }
    let rows = rows(&vectors, count, settings.rows, joined.iter().map(|&i| degrees[i]));
    let groups = k_means(rows, count, settings)?;
    let mut labels = vec![None; graph.n_points];
    let mut numbers: Vec<Option<usize>> = vec![None; count];
    let mut n_clusters = 0;
    for (&i, &group) in joined.iter().zip(&groups) {
        let number = *numbers[group].get_or_insert_with(|| {
            n_clusters += 1;
            n_clusters - 1
        });
        labels[i] = Some(number);
    }
    if n_clusters < count {
        notes.push(format!(
            "found only {n_clusters} of {count} clusters: the eigenvectors do not separate more"
        ));
    }
    if !isolated.is_empty() {
        notes.push(format!(
            "points without an edge, not in any cluster: {} (the first in row {})",
            isolated.len(),
            isolated[0] + 1
        ));
    }
    Ok(SpectralClusters { labels, n_clusters, eigenvalues: values, n_components, notes })
}

fn check(graph: &PointGraph, settings: &Spectral, n_joined: usize) -> Result<()> {
    if settings.restarts == 0 {
        return Err(Error::setting("restarts", 0, "must be at least 1"));
    }
    if n_joined == 0 {
        return Err(Error::data(
            "the graph has no edges, so there are no clusters: rescale the points, or use another \
             graph",
        ));
    }
    if let ClusterCount::Exactly(count) = settings.n_clusters {
        let refused = |remedy: String| Err(Error::setting("clusters", count, remedy));
        if count == 0 {
            return refused("must be at least 1".into());
        }
        if count > graph.n_points {
            return refused(format!("must be at most the number of points, {}", graph.n_points));
        }
        if count > n_joined {
            return refused(format!("only {n_joined} points have an edge; use fewer clusters"));
        }
    }
    Ok(())
}

/// D^{−1/2} W D^{−1/2} of the joined points.
fn normalized(graph: &PointGraph, joined: &[usize], degrees: &[f64]) -> SparseRows {
    let mut index = vec![0_u32; graph.n_points];
    joined.iter().enumerate().for_each(|(at, &i)| index[i] = at as u32);
    let mut starts = vec![0; joined.len() + 1];
    for &(a, b, _) in &graph.edges {
        starts[index[a] as usize + 1] += 1;
        starts[index[b] as usize + 1] += 1;
    }
    for at in 0..joined.len() {
        starts[at + 1] += starts[at];
    }
    let mut fill = starts.clone();
    let (mut columns, mut values) =
        (vec![0; 2 * graph.edges.len()], vec![0.0; 2 * graph.edges.len()]);
    for &(a, b, weight) in &graph.edges {
        // Divide by the roots one by one: their product could overflow or underflow.
        let value = weight / degrees[a].sqrt() / degrees[b].sqrt();
        for (from, to) in [(a, b), (b, a)] {
            let entry = &mut fill[index[from] as usize];
            columns[*entry] = index[to];
            values[*entry] = value;
            *entry += 1;
        }
    }
    SparseRows::new(starts, columns, values, joined.len())
}

/// The number of eigenvalues, at least 2, before the largest gap; ties go to the first.
fn widest_gap(values: &[f64]) -> usize {
    let gap = |count: usize| values[count - 1] - values[count];
    let wider = |best: usize, count: usize| if gap(count) > gap(best) { count } else { best };
    (2..values.len()).reduce(wider).unwrap_or(values.len().min(2))
}

/// The rows that k-means clusters.
fn rows(
    vectors: &Matrix,
    count: usize,
    scale: RowScale,
    degrees: impl Iterator<Item = f64>,
) -> Matrix {
    let mut rows = Matrix::zeros(vectors.n_rows(), count);
    for (i, degree) in degrees.enumerate() {
        let row = rows.row_mut(i);
        row.copy_from_slice(&vectors.row(i)[..count]);
        let length = match scale {
            RowScale::Plain => 1.0,
            RowScale::Unit => row.iter().map(|x| x * x).sum::<f64>().sqrt(),
            RowScale::Degree => degree.sqrt(),
        };
        if length > 0.0 {
            row.iter_mut().for_each(|x| *x /= length);
        }
    }
    rows
}

/// The cluster of each row in the best of several runs.
fn k_means(rows: Matrix, count: usize, settings: &Spectral) -> Result<Vec<usize>> {
    let points = Points::from_f64(rows.as_slice(), count)?;
    let cloud = Cloud::new(&points)?;
    let mut best = (f64::INFINITY, Vec::new());
    for start in 0..settings.restarts as u64 {
        let centers = landmarks(&cloud, count, settings.seed.wrapping_add(start))?;
        let centers = lloyd(&cloud, centers, MAX_ITER)?;
        let nearest = nearest_nodes(&cloud, &centers)?;
        let spread: f64 = nearest.iter().map(|nearest| nearest.squared).sum();
        if spread < best.0 {
            best = (spread, nearest.iter().map(|nearest| nearest.node as usize).collect());
        }
    }
    Ok(best.1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::connect::{Similarities, knn};

    /// Well separated groups of 12 points each, with a step of 1, in mixed order.
    fn groups(count: usize) -> (Vec<usize>, PointGraph) {
        let truth: Vec<usize> = (0..12 * count).map(|i| (i * 5) % count).collect();
        let values: Vec<f64> =
            truth.iter().enumerate().map(|(i, &g)| g as f64 * 60.0 + (i / count) as f64).collect();
        let points = Points::from_f64(values, 1).unwrap();
        let similarities = Similarities::new(&points, "gaussian:900".parse().unwrap()).unwrap();
        (truth, knn(&similarities, 14).unwrap())
    }

    fn same_groups(labels: &[Option<usize>], truth: &[usize]) -> bool {
        (0..truth.len()).all(|i| (0..i).all(|j| (labels[i] == labels[j]) == (truth[i] == truth[j])))
    }

    #[test]
    fn clusters_are_found_with_every_scale_and_by_the_gap() {
        let (truth, graph) = groups(7);
        for rows in [RowScale::Plain, RowScale::Unit, RowScale::Degree] {
            for n_clusters in [ClusterCount::Auto, ClusterCount::Exactly(7)] {
                let settings = Spectral { n_clusters, rows, ..Spectral::default() };
                let found = spectral(&graph, &settings).unwrap();
                assert_eq!((found.n_clusters, found.n_components), (7, 1));
                assert!(same_groups(&found.labels, &truth), "{settings:?}");
                assert!((found.eigenvalues[0] - 1.0).abs() < 1e-12);
                assert_eq!(found.labels[0], Some(0));
                assert!(found.notes.is_empty(), "{:?}", found.notes);
            }
        }
    }

    #[test]
    fn isolated_points_and_many_components_get_notes() {
        let edges = vec![(0, 1, 1.0), (2, 3, 1.0), (5, 6, 2.0)];
        let graph = PointGraph { n_points: 8, edges, rebuilt: None };
        let two = Spectral { n_clusters: ClusterCount::Exactly(2), ..Spectral::default() };
        let found = spectral(&graph, &two).unwrap();
        assert_eq!((found.labels[4], found.labels[7]), (None, None));
        assert_eq!(found.n_components, 3);
        assert!(found.notes[0].contains("3 components, more than the 2 clusters"));
        assert!(found.notes[1].contains("not in any cluster: 2 (the first in row 5)"));
        let three = Spectral { n_clusters: ClusterCount::Exactly(3), ..two };
        let labels = spectral(&graph, &three).unwrap().labels;
        assert_eq!(labels, [Some(0), Some(0), Some(1), Some(1), None, Some(2), Some(2), None]);
    }

    #[test]
    fn invalid_numbers_of_clusters_are_errors() {
        let (_, graph) = groups(2);
        let message = |count: usize| {
            let n_clusters = ClusterCount::Exactly(count);
            let settings = Spectral { n_clusters, ..Spectral::default() };
            spectral(&graph, &settings).unwrap_err().to_string()
        };
        assert_eq!(message(0), "clusters = 0: must be at least 1");
        assert_eq!(message(25), "clusters = 25: must be at most the number of points, 24");
        let none = PointGraph { n_points: 3, edges: Vec::new(), rebuilt: None };
        let error = spectral(&none, &Spectral::default()).unwrap_err();
        assert!(error.to_string().contains("the graph has no edges"), "{error}");
    }

    #[test]
    fn results_do_not_depend_on_the_number_of_threads() {
        let values: Vec<f64> = (0..1800).map(|i| (f64::from(i) * 0.37).sin() * 9.0).collect();
        let points = Points::from_f64(values, 3).unwrap();
        let similarities = Similarities::new(&points, "gaussian".parse().unwrap()).unwrap();
        let graph = knn(&similarities, 8).unwrap();
        let on = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| spectral(&graph, &Spectral::default()).unwrap())
        };
        assert_eq!(on(1), on(3));
    }
}
