//! Which features change along a graph, differ beyond a fork or between conditions.

use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};

use midrib::Observer;
use midrib::graph::Projection;
use midrib::trend::{
    Along, Association, Conditions, Covariate, FeatureTable, ForkTest, Noise, Region,
    first_fraction,
};
use midrib_io::{
    Features, Model, ReadOptions, h5ad_ids, read_features, table_file, write_file, write_table,
};

use crate::error::{Error, Result};
use crate::listener::Listener;
use crate::location::Location;
use crate::open::{Results, open_results};
use crate::text::{count, first_names, grouped, shown};
use crate::trend_table::TrendTable;

/// At most this many points or columns are named in a message.
const NAMED: usize = 5;
/// Permutations of samples at most.
const PERMUTATIONS: usize = 999;

/// What features are tested for.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum TrendTest {
    /// Change along the whole graph.
    #[default]
    Whole,
    /// Change along the path between two locations.
    Path(Location, Location),
    /// Change along a branch.
    Branch(usize),
    /// Differences between the branches beyond a branch point.
    Fork(Location),
}

/// How features are tested.
#[derive(Clone, Debug, Default)]
pub struct TrendSettings {
    /// For what.
    pub test: TrendTest,
    /// Whether they are counts; otherwise their noise is taken as the same everywhere.
    pub counts: bool,
    /// Labels and columns to adjust for.
    pub covariates: Vec<String>,
    /// The labels that name the condition and the sample of each point, to compare conditions.
    pub conditions: Option<(String, String)>,
    /// The curves of this many features are kept.
    pub n_curves: usize,
    /// The seed of the permutations.
    pub seed: u64,
}

/// Features to test along results.
#[derive(Clone, Debug)]
pub struct TrendsRequest<'a> {
    /// The results: the directory or its `model.json`.
    pub results: &'a Path,
    /// The table of features; the table that the graph was learned from if none.
    pub features: Option<&'a Path>,
    /// How it is read.
    pub options: ReadOptions,
    /// How they are tested.
    pub settings: TrendSettings,
}

/// Features that were tested.
#[derive(Clone, Debug)]
pub struct TrendsResult {
    /// One row per feature.
    pub table: TrendTable,
    /// The file of the features.
    pub features: PathBuf,
}

/// Tests features along results.
pub fn trends(request: &TrendsRequest<'_>, listener: &mut dyn Listener) -> Result<TrendsResult> {
    let results = open_results(request.results)?;
    results.model.require_lines("midrib trends")?;
    let settings = &request.settings;
    let path = match request.features {
        Some(path) => path.to_owned(),
        None => table_file(request.results, &results.model)?,
    };
    let features = read_features(&path, &options_of(request, &results.model)?)?;
    note_features(&features, listener);
    let rows = match_rows(&features, &results.points.ids, listener)?;
    let ask = Ask { results: &results, rows: &rows };
    let table = features.table()?;
    let points = PointsOfTrends {
        model: &results.model,
        projection: &ask.projection()?,
        keep: Some(&rows.iter().map(Option::is_some).collect::<Vec<_>>()),
        covariates: &settings
            .covariates
            .iter()
            .map(|name| ask.covariate(name))
            .collect::<Result<Vec<_>>>()?,
        conditions: match &settings.conditions {
            Some((condition, sample)) => {
                Some((ask.label("condition", condition)?, ask.label("sample", sample)?))
            }
            None => None,
        },
    };
    let place = Place::of(&settings.test, |location, setting| {
        Ok(results.nodes(std::slice::from_ref(location), setting, listener)?[0])
    })?;
    note_double_use(&results.model, &features, listener);
    listener.begin();
    let found = test_features(&points, &place, (&table, &features.names), settings, listener);
    listener.finish();
    let table = found.map_err(|error| error.of_table(&path))?;
    table.notes().iter().for_each(|note| listener.note(note));
    Ok(TrendsResult { table, features: path })
}

/// How the features are read; what is left open is as for the fit, but of a `.h5ad` file X is read.
fn options_of(request: &TrendsRequest<'_>, model: &Model) -> Result<ReadOptions> {
    let (reading, options) = (&model.reading, &request.options);
    let id = match (&options.id, request.features) {
        (Some(id), _) => Some(id.clone()),
        // The cells of another .h5ad file have their own names.
        (None, Some(path)) if h5ad_ids(path)?.is_some() => None,
        (None, _) => reading.id.clone(),
    };
    let labels = match (&options.labels[..], request.features) {
        ([], None) => reading.labels.clone(),
        (labels, _) => labels.to_vec(),
    };
    Ok(ReadOptions { id, labels, ..options.clone() })
}

/// Where features are tested, with its nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// The whole graph.
    Whole,
    /// The shortest path between two nodes.
    Path(usize, usize),
    /// A branch.
    Branch(usize),
    /// Beyond a branch point.
    Fork(usize),
}

impl Place {
    /// Finds the nodes that locations mean.
    pub fn of(
        test: &TrendTest,
        mut node: impl FnMut(&Location, &'static str) -> Result<usize>,
    ) -> Result<Self> {
        Ok(match test {
            TrendTest::Whole => Self::Whole,
            TrendTest::Path(from, to) => Self::Path(node(from, "path")?, node(to, "path")?),
            TrendTest::Branch(branch) => Self::Branch(*branch),
            TrendTest::Fork(fork) => Self::Fork(node(fork, "fork")?),
        })
    }
}

/// The points that features are measured at.
#[derive(Clone, Debug)]
pub struct PointsOfTrends<'a> {
    /// What was learned; its roots are where pseudotime begins.
    pub model: &'a Model,
    /// The projections of the points, one per row of the features.
    pub projection: &'a Projection,
    /// The points that count; all if none.
    pub keep: Option<&'a [bool]>,
    /// What to adjust for.
    pub covariates: &'a [Covariate],
    /// The condition and the sample of each point, to compare conditions.
    pub conditions: Option<(Vec<String>, Vec<String>)>,
}

/// Tests features in memory.
pub fn test_features(
    points: &PointsOfTrends<'_>,
    place: &Place,
    (features, names): (&FeatureTable<'_>, &[String]),
    settings: &TrendSettings,
    watch: &mut dyn Observer,
) -> Result<TrendTable> {
    let along = Along {
        graph: points.model.graph()?,
        projection: points.projection,
        roots: &points.model.root,
        keep: points.keep,
        covariates: points.covariates,
    };
    if settings.counts && (points.conditions.is_some() || matches!(place, Place::Fork(_))) {
        return Err(Error::usage(
            "noise = counts is for change along the graph, a path or a branch; forks and conditions \
             take numbers, such as logarithms of normalized counts",
        ));
    }
    if points.conditions.is_some() && matches!(place, Place::Fork(_)) {
        return Err(Error::usage(
            "conditions are compared along the graph, a path or a branch, not beyond a fork",
        ));
    }
    match (place, &points.conditions) {
        (Place::Fork(node), _) => {
            let test = ForkTest { node: *node, n_curves: settings.n_curves };
            Ok(TrendTable::of_fork(names, test.test(&along, features, watch)?))
        }
        (_, Some((conditions, samples))) => {
            let test = Conditions {
                region: region(&along, place)?,
                conditions: conditions.clone(),
                samples: samples.clone(),
                permutations: PERMUTATIONS,
                seed: settings.seed,
            };
            Ok(TrendTable::of_conditions(names, test.test(&along, features, watch)?))
        }
        (_, None) => {
            let noise = if settings.counts { counts(features, names)? } else { Noise::Gaussian };
            let region = region(&along, place)?;
            let test = Association { region, noise, n_curves: settings.n_curves };
            Ok(TrendTable::of_trends(names, test.test(&along, features, watch)?))
        }
    }
}

/// Writes a table of features, those with the smallest p-values first; `-` is stdout.
pub fn write_trends(table: &TrendTable, output: &Path, force: bool) -> Result<()> {
    let header: Vec<&str> = table.columns.iter().map(|column| column.name.as_str()).collect();
    let rows = table.sorted().into_iter().map(|row| table.fields(row));
    Ok(write_file(output, force, |path| write_table(path, &header, rows))?)
}

fn region(along: &Along<'_>, place: &Place) -> Result<Region> {
    Ok(match place {
        Place::Branch(branch) => Region::Branch(*branch),
        Place::Path(from, to) => {
            let path = along.graph.path(*from, *to)?.ok_or_else(|| {
                Error::usage(format!(
                    "no path leads from node {from} to node {to}: they are in different components"
                ))
            })?;
            Region::Path(path)
        }
        Place::Whole | Place::Fork(_) => Region::Whole,
    })
}

/// The noise of counts, relative to the total count of each point.
fn counts(features: &FeatureTable<'_>, names: &[String]) -> Result<Noise> {
    if let Some((row, column, value)) = first_fraction(features)? {
        return Err(Error::data(format!(
            "feature {} is {value} at row {row}, which is not a count: counts are whole numbers of \
             at least 0; give raw counts, or use the Gaussian model",
            names[column]
        )));
    }
    Ok(Noise::Counts { sizes: features.row_sums() })
}

fn note_features(features: &Features, listener: &mut dyn Listener) {
    let matrix =
        features.representation.as_ref().map_or(String::new(), |name| format!(" of {name}"));
    listener.note(&format!(
        "{}: {}{matrix} at {}",
        shown(&features.path),
        count(features.names.len(), "feature", "features"),
        count(features.rows, "point", "points")
    ));
}

/// Says where p-values are too small because the graph follows the features.
fn note_double_use(model: &Model, features: &Features, listener: &mut dyn Listener) {
    let used: BTreeSet<&String> = model.input.features.iter().collect();
    let shared = features.names.iter().filter(|name| used.contains(name)).count();
    let same_file = Path::new(&model.input.file).file_name() == features.path.file_name();
    if shared > 0 || same_file {
        let which = match shared {
            0 => "the graph was learned from the same file".to_owned(),
            n if n == features.names.len() => "the graph was learned from these features".into(),
            n => format!("the graph was learned from {n} of these features"),
        };
        listener.note(&format!(
            "null = given: {which}, so the order of the points follows them and p-values are too \
             small; read them as a ranking, or test features that the graph was not learned from"
        ));
    }
}

/// For each row of the features the point that it is, by id or else by order.
fn match_rows(
    features: &Features,
    ids: &[String],
    listener: &mut dyn Listener,
) -> Result<Vec<Option<usize>>> {
    let path = shown(&features.path);
    let Some(own) = &features.ids else {
        if features.rows != ids.len() {
            return Err(Error::data(format!(
                "{path}: has {} rows and no ids, the results have {} points: give a table with the \
                 same rows, or name its column of ids (id = COL)",
                grouped(features.rows),
                grouped(ids.len())
            )));
        }
        return Ok((0..ids.len()).map(Some).collect());
    };
    let mut point_of: HashMap<&str, usize> = HashMap::with_capacity(ids.len());
    for (point, id) in ids.iter().enumerate() {
        point_of.entry(id).or_insert(point);
    }
    let rows: Vec<Option<usize>> =
        own.iter().map(|id| point_of.get(id.as_str()).copied()).collect();
    let other: Vec<String> =
        own.iter().zip(&rows).filter(|(_, row)| row.is_none()).map(|(id, _)| id.clone()).collect();
    let matched = rows.len() - other.len();
    if matched == 0 {
        return Err(Error::data(format!(
            "{path}: none of its {} ids is among those of the results ({}, but the results have {}): \
             name its column of ids (id = COL), or give the features of the same points",
            grouped(own.len()),
            first_names(own, NAMED, ""),
            first_names(ids, NAMED, "")
        )));
    }
    if !other.is_empty() {
        listener.note(&format!(
            "{path}: {} of {} ids are not among those of the results and left out: {}",
            grouped(other.len()),
            grouped(own.len()),
            first_names(&other, NAMED, "")
        ));
    }
    if matched < ids.len() {
        listener.note(&format!(
            "{} of the {} points of the results have no features in {path}",
            grouped(ids.len() - matched),
            grouped(ids.len())
        ));
    }
    Ok(rows)
}

/// What the results know about the rows of a table.
struct Ask<'a> {
    results: &'a Results,
    rows: &'a [Option<usize>],
}

impl Ask<'_> {
    /// The projections of the rows; of those without a point that of the first, which does not count.
    fn projection(&self) -> Result<Projection> {
        let all = self.results.points.onto_graph()?;
        let rows = || self.rows.iter().map(|row| row.unwrap_or_default());
        Ok(Projection {
            node: rows().map(|i| all.node[i]).collect(),
            edge: rows().map(|i| all.edge[i]).collect(),
            edge_pos: rows().map(|i| all.edge_pos[i]).collect(),
            distance: rows().map(|i| all.distance[i]).collect(),
        })
    }

    fn of_rows<T: Clone>(&self, values: &[T]) -> Vec<T> {
        self.rows.iter().map(|row| values[row.unwrap_or_default()].clone()).collect()
    }

    /// A label of the points.
    fn label(&self, setting: &str, name: &str) -> Result<Vec<String>> {
        let labels = &self.results.points.labels;
        let found = labels.iter().find(|labels| labels.name == name).ok_or_else(|| {
            let names: Vec<String> = labels.iter().map(|labels| labels.name.clone()).collect();
            let known = match &names[..] {
                [] => "they have none".to_owned(),
                names => format!("they have {}", first_names(names, 2 * NAMED, "")),
            };
            Error::usage(format!(
                "{setting} = {name}: the points of the results have no such label; {known}. A fit \
                 keeps the columns that label names"
            ))
        })?;
        Ok(self.of_rows(&found.values))
    }

    /// A label as groups, or a column as numbers.
    fn covariate(&self, name: &str) -> Result<Covariate> {
        if let Some(found) = self.results.points.labels.iter().find(|labels| labels.name == name) {
            return Ok(Covariate::from_labels(&self.of_rows(&found.values)));
        }
        Ok(Covariate::Numbers(self.of_rows(&self.results.values(name)?)))
    }
}
