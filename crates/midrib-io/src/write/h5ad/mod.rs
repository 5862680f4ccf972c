//! AnnData's files: a copy with what was learned, under the keys that begin with `midrib`.

mod elements;

use std::path::Path;

use hdf5_pure::{AttrValue, File, Group};
use midrib::assign::Responsibilities;
use midrib::graph::{MilestoneNetwork, Milestones};
use midrib::math::Matrix;
use midrib::{Points, is_missing, measures};
use serde_json::json;

use super::graph_with_points::GraphWithPoints;
use crate::error::{Error, Result};
use crate::model::Model;
use crate::read::{Labels, ProjectedPoints};
use elements::{Element, Stage, frame};

/// The first word of every key.
const KEY: &str = "midrib";

/// Writes a new `.h5ad` file of a table: its values are `X`, its ids and labels `obs`.
///
/// [`annotate_h5ad`] then adds what was learned.
pub fn write_h5ad(
    path: &Path,
    points: &Points<'_>,
    features: &[String],
    labels: &[Labels],
) -> Result<()> {
    let mut values = vec![0.0; points.len() * points.dims()];
    for (i, row) in values.chunks_exact_mut(points.dims()).enumerate() {
        points.copy_row(i, row);
    }
    let ids: Vec<String> = (0..points.len()).map(|i| points.id(i).into_owned()).collect();
    let columns = labels.iter().map(|label| (label.name.clone(), described(&label.values)));
    let create = || -> std::result::Result<(), hdf5_pure::Error> {
        let (file, stage) = (File::create(path)?, Stage::new()?);
        let root = file.root();
        root.set_attr("encoding-type", AttrValue::VarLenString("anndata".into()))?;
        root.set_attr("encoding-version", AttrValue::VarLenString("0.1.0".into()))?;
        stage.put(&root, "X", &Element::Matrix(values, points.dims()))?;
        stage.put(&root, "obs", &frame(&ids, columns.collect()))?;
        stage.put(&root, "var", &frame(features, Vec::new()))?;
        for dict in ["layers", "obsm", "obsp", "uns", "varm", "varp"] {
            stage.put(&root, dict, &Element::Dict(Vec::new()))?;
        }
        file.commit()?;
        file.close()
    };
    create().map_err(|error| failed(path, &error))
}

/// Copies a `.h5ad` file, to add to the copy what was learned.
pub fn copy_h5ad(source: &Path, path: &Path) -> Result<()> {
    let mut from = std::fs::File::open(source).map_err(|error| Error::reading(source, &error))?;
    let failed = |error: std::io::Error| Error::writing(path, &error);
    let mut to = std::fs::File::create(path).map_err(failed)?;
    std::io::copy(&mut from, &mut to).map_err(failed)?;
    Ok(())
}

/// What only the cells' own values show; the rows are those of the file.
#[derive(Clone, Debug)]
pub struct CellValues {
    /// The share of each cell in each node.
    pub responsibilities: Responsibilities,
    /// The coordinates on a map, where the object is one.
    pub inner: Option<Matrix>,
}

/// Adds to a `.h5ad` file what was learned of its cells: `rows` are those of their projections, as
/// [`match_cells`] finds them.
///
/// | where | what |
/// |---|---|
/// | `obs` | `midrib_branch_id`, `midrib_milestone`, `midrib_node_id`, `midrib_edge_id` (−1 on a node that stands alone), `midrib_edge_loc`, `midrib_edge_dist`, `midrib_component`, with a root `midrib_pseudotime`, after resampling `midrib_pseudotime_sd` |
/// | `obsm` | `X_midrib`, the projections onto the graph, the latent coordinates or those on the map; `midrib_R`, the share of each cell in each node (sparse); `X_midrib_metro`; with a root `X_midrib_dendro`, `midrib_lineage_pseudotime` and `midrib_lineage_weights` |
/// | `uns/midrib` | `node_pos`, `edge`, `edge_len`, `edge_support` after resampling, `conn`, `params`, `milestone_network`, `divergence_regions`, `root_milestone_id`, `objective_history`, `schema_version`, `provenance` (the `model.json`) |
///
/// The Python package writes the same, and reads it. Without `values` there is no `midrib_R`, nor
/// coordinates on a map. Keys of these names are replaced; all else stays as it is.
pub fn annotate_h5ad(
    path: &Path,
    model: &Model,
    with_points: &GraphWithPoints<'_>,
    rows: &[usize],
    values: Option<CellValues>,
) -> Result<()> {
    let network = with_points.network()?;
    let obs = observations(model, with_points, &network, rows)?;
    let obsm = representations(model, with_points, rows, values)?;
    let uns = unstructured(model, with_points, &network);
    let edit = || -> std::result::Result<(), hdf5_pure::Error> {
        let (file, stage) = (File::open_rw(path)?, Stage::new()?);
        let root = file.root();
        let groups = root.groups()?;
        for dict in ["obsm", "uns"].iter().filter(|dict| !groups.contains(&(**dict).to_owned())) {
            stage.put(&root, dict, &Element::Dict(Vec::new()))?;
        }
        file.commit()?;
        let (at_obs, at_obsm, at_uns) =
            (file.group("obs")?, file.group("obsm")?, file.group("uns")?);
        let mut columns = columns_of(&at_obs)?;
        columns.retain(|name| !name.starts_with(&format!("{KEY}_")));
        for group in [&at_obs, &at_obsm, &at_uns] {
            for old in [group.datasets()?, group.groups()?].concat() {
                let ours = old.starts_with(&format!("{KEY}_"));
                if ours || old == KEY || old.starts_with(&format!("X_{KEY}")) {
                    group.delete(&old)?;
                }
            }
        }
        file.commit()?;
        for (name, column) in obs {
            stage.put(&at_obs, &name, &column)?;
            columns.push(name);
        }
        at_obs.set_attr("column-order", AttrValue::VarLenStringArray(columns))?;
        for (name, matrix) in obsm {
            stage.put(&at_obsm, &name, &matrix)?;
        }
        stage.put(&at_uns, KEY, &uns)?;
        file.commit()?;
        file.close()
    };
    edit().map_err(|error| failed(path, &error))
}

/// For each cell of a file, which are called `ids`, the row of its place: by name, or in order
/// where the points have no names but their numbers.
///
/// ```
/// use midrib::{Points, graph::PrincipalGraph, math::Matrix};
/// let graph = PrincipalGraph::new(Matrix::from_rows(&[[0.0]])?, &[], vec![1.0])?;
/// let projection = graph.project(&Points::from_f64(vec![1.0, 2.0], 1)?)?;
/// let (ids, projection) = (["a", "b"].map(String::from).to_vec(), Some(projection));
/// let points = midrib_io::ProjectedPoints { ids, projection, pseudotime_sd: None, labels: vec![] };
/// let cells = ["b", "a"].map(String::from);
/// assert_eq!(midrib_io::match_cells("cells.h5ad".as_ref(), &points, &cells)?, [1, 0]);
/// # Ok::<(), midrib_io::Error>(())
/// ```
pub fn match_cells(path: &Path, points: &ProjectedPoints, ids: &[String]) -> Result<Vec<usize>> {
    const SHOWN: usize = 5;
    if ids == points.ids {
        return Ok((0..ids.len()).collect());
    }
    let is_number = |(i, id): (usize, &String)| id.parse() == Ok(i);
    if points.ids.len() == ids.len() && points.ids.iter().enumerate().all(is_number) {
        return Ok((0..ids.len()).collect());
    }
    let rows: std::collections::HashMap<&str, usize> =
        points.ids.iter().enumerate().map(|(row, id)| (id.as_str(), row)).collect();
    let unknown: Vec<&str> =
        ids.iter().map(String::as_str).filter(|id| !rows.contains_key(id)).collect();
    if unknown.is_empty() {
        return Ok(ids.iter().filter_map(|id| rows.get(id.as_str()).copied()).collect());
    }
    let mut shown = unknown[..unknown.len().min(SHOWN)].join(", ");
    if unknown.len() > SHOWN {
        shown += ", …";
    }
    Err(Error::data(
        path,
        format!(
            "{} of its {} cells are not among the {} points that the graph was learned from: \
             {shown}; name the file that was learned from with --points",
            unknown.len(),
            ids.len(),
            points.ids.len()
        ),
    ))
}

type Named = Vec<(String, Element)>;

fn observations(
    model: &Model,
    with_points: &GraphWithPoints<'_>,
    network: &MilestoneNetwork,
    order: &[usize],
) -> Result<Named> {
    let graph = with_points.graph;
    let projection = with_points.points.onto_graph()?;
    let branch_names = graph.milestones().branch_names();
    let (branch, component) = (projection.branch(graph), projection.component(graph));
    let branches: Vec<String> = order.iter().map(|&i| branch_names[branch[i]].clone()).collect();
    let milestones: Vec<String> =
        order.iter().map(|&i| Milestones::name(network.nearest(i))).collect();
    let integers =
        |of: &dyn Fn(usize) -> i64| Element::Integers(order.iter().map(|&i| of(i)).collect());
    let numbers = |values: &[f64]| Element::Numbers(order.iter().map(|&i| values[i]).collect());
    let whole = |number: usize| i64::try_from(number).unwrap_or(i64::MAX);
    let mut columns = vec![
        ("branch_id", categorical(&branches)),
        ("milestone", categorical(&milestones)),
        ("node_id", integers(&|i| whole(projection.node[i]))),
        ("edge_id", integers(&|i| projection.edge[i].map_or(-1, whole))),
        ("edge_loc", numbers(&projection.edge_pos)),
        ("edge_dist", numbers(&projection.distance)),
        ("component", integers(&|i| whole(component[i]))),
    ];
    if let Some(rooted) = with_points.rooted()? {
        columns.push(("pseudotime", numbers(&rooted.pseudotime(projection)?)));
        // It was counted from the model's own roots.
        if let (Some(spread), true) =
            (&with_points.points.pseudotime_sd, with_points.roots == model.root)
        {
            columns.push(("pseudotime_sd", numbers(spread)));
        }
    }
    Ok(columns.into_iter().map(|(name, column)| (format!("{KEY}_{name}"), column)).collect())
}

fn representations(
    model: &Model,
    with_points: &GraphWithPoints<'_>,
    order: &[usize],
    values: Option<CellValues>,
) -> Result<Named> {
    let projection = with_points.points.onto_graph()?;
    let ordered = |points: &Matrix| {
        let rows = order.iter().flat_map(|&i| points.row(i).iter().copied());
        Element::Matrix(rows.collect(), points.n_cols())
    };
    let mut found = Vec::new();
    let (responsibilities, on_map) =
        values.map(|values| (values.responsibilities, values.inner)).unzip();
    let coordinates = match (model.object.embedding(), on_map.flatten()) {
        (Some(embedding), _) => Some(ordered(&embedding.coordinates)),
        (None, Some(inner)) => Some(Element::Matrix(inner.as_slice().to_vec(), inner.n_cols())),
        (None, None) if model.object.surface().is_some() => None,
        (None, None) => {
            let rows = order.iter().flat_map(|&i| projection.place(with_points.graph, i));
            Some(Element::Matrix(rows.collect(), with_points.graph.nodes().n_cols()))
        }
    };
    found.extend(coordinates.map(|coordinates| (format!("X_{KEY}"), coordinates)));
    if let Some(shares) = responsibilities {
        let n_nodes = with_points.graph.nodes().n_rows();
        found.push((format!("{KEY}_R"), elements::shares(shares, n_nodes)));
    }
    let metro = with_points.graph.metro_map()?.points(with_points.graph, projection)?;
    found.push((format!("X_{KEY}_metro"), ordered(&metro)));
    if let Some(rooted) = with_points.rooted()? {
        let dendrogram = rooted.dendrogram().points(&rooted, projection)?;
        found.push((format!("X_{KEY}_dendro"), ordered(&dendrogram)));
        let lineages = rooted.lineages();
        let on = lineages
            .iter()
            .map(|lineage| rooted.on_lineage(lineage, projection))
            .collect::<midrib::Result<Vec<_>>>()?;
        let matrix = |value: &dyn Fn(&midrib::graph::OnLineage, usize) -> f64| {
            let rows = order.iter().flat_map(|&i| on.iter().map(move |on| value(on, i)));
            Element::Matrix(rows.collect(), lineages.len())
        };
        let time = matrix(&|on, i| on.pseudotime[i]);
        found.push((format!("{KEY}_lineage_pseudotime"), time));
        found.push((format!("{KEY}_lineage_weights"), matrix(&|on, i| on.weight[i])));
    }
    Ok(found)
}

fn unstructured(
    model: &Model,
    with_points: &GraphWithPoints<'_>,
    network: &MilestoneNetwork,
) -> Element {
    let graph = with_points.graph;
    let whole = |number: usize| i64::try_from(number).unwrap_or(i64::MAX);
    let name = |node: usize| Milestones::name(node);
    let ends = graph.edges().iter().flat_map(|edge| [whole(edge.a), whole(edge.b)]);
    let links = network.links();
    let rows: Vec<String> = (0..links.len()).map(|i| i.to_string()).collect();
    let milestone_network = frame(
        &rows,
        vec![
            ("from".into(), Element::Texts(links.iter().map(|link| name(link.from)).collect())),
            ("to".into(), Element::Texts(links.iter().map(|link| name(link.to)).collect())),
            ("length".into(), Element::Numbers(links.iter().map(|link| link.length).collect())),
            ("directed".into(), Element::Booleans(links.iter().map(|l| l.directed).collect())),
        ],
    );
    let divergence_regions = frame(
        &[],
        vec![
            ("divergence_id".into(), Element::Texts(Vec::new())),
            ("milestone_id".into(), Element::Texts(Vec::new())),
            ("is_start".into(), Element::Booleans(Vec::new())),
        ],
    );
    let (method, whole_model) = (json!(model.method), model.clone());
    let provenance = json!(Model { root: with_points.roots.to_vec(), ..whole_model });
    let (kind, representation) = match model.reading.use_rep.as_deref() {
        Some(rep) if rep.starts_with("layers/") => ("layer", rep["layers/".len()..].to_owned()),
        rep => ("use_rep", rep.unwrap_or("X").to_owned()),
    };
    let representation = json!(representation);
    let about = [("method", &method), (kind, &representation)].into_iter();
    let set = model.settings.as_object().into_iter().flatten();
    let params = elements::settings(about.chain(set.map(|(name, value)| (name.as_str(), value))));
    let roots = with_points.roots.iter().map(|&root| name(root)).collect();
    let support = model.support.iter();
    let support = support.map(|support| ("edge_support", Element::Numbers(support.edges.clone())));
    let entries = [
        ("node_pos", Element::Matrix(graph.nodes().as_slice().to_vec(), graph.nodes().n_cols())),
        ("edge", Element::IntegerMatrix(ends.collect(), 2)),
        ("edge_len", Element::Numbers(graph.edges().iter().map(|edge| edge.length).collect())),
        ("conn", elements::connections(graph)),
        ("params", params),
        ("milestone_network", milestone_network),
        ("divergence_regions", divergence_regions),
        ("root_milestone_id", Element::Texts(roots)),
        ("objective_history", Element::Numbers(model.trace.clone())),
        ("schema_version", Element::Integer(i64::from(Model::SCHEMA))),
        ("provenance", Element::Text(provenance.to_string())),
    ];
    let entries = entries.into_iter().chain(support);
    Element::Dict(entries.map(|(name, element)| (name.to_owned(), element)).collect())
}

/// Numbers where the words measure something, else categories.
fn described(values: &[String]) -> Element {
    match measures(values.iter().map(String::as_str)) {
        Some(numbers) => Element::Numbers(numbers),
        None => categorical(values),
    }
}

/// Values as categories; missing ones have none.
fn categorical(values: &[String]) -> Element {
    let mut categories: Vec<&String> = values.iter().filter(|value| !is_missing(value)).collect();
    categories.sort();
    categories.dedup();
    let code = |value: &String| match categories.binary_search(&value) {
        Ok(code) => i32::try_from(code).unwrap_or(i32::MAX),
        Err(_) => -1,
    };
    let codes = values.iter().map(code).collect();
    Element::Categorical { codes, categories: categories.into_iter().cloned().collect() }
}

fn columns_of(obs: &Group) -> std::result::Result<Vec<String>, hdf5_pure::Error> {
    Ok(match obs.attrs()?.remove("column-order") {
        Some(AttrValue::VarLenStringArray(names) | AttrValue::StringArray(names)) => names,
        _ => Vec::new(),
    })
}

fn failed(path: &Path, error: &hdf5_pure::Error) -> Error {
    match error {
        hdf5_pure::Error::Io(error) => Error::writing(path, error),
        _ => Error::File {
            path: path.into(),
            reason: format!(
                "cannot be written as HDF5: {error}; open and save the file with anndata, or use \
                 the Python package"
            ),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_measures_or_classes() {
        let mut ages: Vec<String> = (0..13).map(|i| format!("{i}.5")).collect();
        ages.extend([String::new(), "NA".into()]);
        let Element::Numbers(numbers) = described(&ages) else { panic!("not numbers") };
        assert_eq!((numbers[0], numbers[12]), (0.5, 12.5));
        assert!(numbers[13].is_nan() && numbers[14].is_nan());
        for words in [["1", "b", "1", "NA"], ["2", "0", "2", ""], ["late", "early", "late", "?"]] {
            let Element::Categorical { codes, .. } = described(&words.map(Into::into)) else {
                panic!("{words:?} are not classes")
            };
            assert!(codes[0] == codes[2] && codes[0] != codes[1] && codes[3] == -1, "{words:?}");
        }
    }
}
