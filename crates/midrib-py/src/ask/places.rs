//! Questions about places on a graph.

use midrib::graph::{PrincipalGraph, Projection};
use midrib::math::Matrix;
use serde::Deserialize;

use crate::answer::Answer;
use midrib_io::Labels;
use midrib_io::Model;
use midrib_tasks::{Error, Result};
use midrib_tasks::{Location, PointsOnGraph, rooted_graph};

/// What may be asked of places on a graph.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum PlacesQuestion {
    /// The places themselves with the `branch` and the `component` of each.
    Places,
    /// Their coordinates.
    Coordinates,
    /// Their distance from the roots; NaN where no root leads.
    Pseudotime,
    /// For each lineage the `pseudotime` and the `weight` of the places on it.
    OnLineages,
    /// The links between milestones, roots among them: `start`, `end`, `length`, `directed`; and
    /// the link `of_point`, the `share` of it behind the point and the `nearest` milestone.
    Network,
    /// The milestones about each place: `point`, `milestone` and `share`.
    Percentages,
    /// The metro map: places of the `nodes`, `closing` edges, places of the `points`.
    MetroMap,
    /// The dendrogram: places of the `nodes`, `bars`, places of the `points`.
    Dendrogram,
    /// The number of the node that words mean, see [`Location`].
    Find {
        /// The words.
        spot: String,
        /// The names of the points, where these are asked for.
        #[serde(default)]
        ids: Option<Vec<String>>,
        /// What the column that is asked for says of each point, where it holds words.
        #[serde(default)]
        words: Option<Vec<String>>,
        /// The columns that there are.
        #[serde(default)]
        names: Vec<String>,
    },
}

impl PlacesQuestion {
    /// The answer. `numbers` are what the column that [`Find`](Self::Find) asks for says of each
    /// point, where it holds numbers.
    pub fn answer(
        &self,
        learned: &Model,
        places: &Projection,
        numbers: Option<&[f64]>,
    ) -> Result<Answer> {
        let graph = learned.graph()?;
        graph.check_places(places)?;
        Ok(match self {
            Self::Places => Answer::places(Some(graph), places.clone()),
            Self::Coordinates => coordinates(graph, places).into(),
            Self::Pseudotime => rooted_graph(learned)?.pseudotime(places)?.into(),
            Self::OnLineages => on_lineages(learned, places)?,
            Self::Network => network(learned, places)?,
            Self::Percentages => percentages(learned, places)?,
            Self::MetroMap => metro_map(learned, Some(places))?,
            Self::Dendrogram => dendrogram(learned, Some(places))?,
            Self::Find { spot, ids, words, names } => {
                let spot = Location::read(spot, "")?;
                let column = spot.column().unwrap_or_default();
                let labels = words.iter().map(|values| {
                    let (name, values) = (column.to_owned(), values.clone());
                    Labels { name, values }
                });
                let values = |column: &str| {
                    let (spot, reason) = (column.to_owned(), "no numbers were given".to_owned());
                    numbers.map(<[f64]>::to_vec).ok_or(Error::Location {
                        setting: "",
                        location: spot,
                        reason,
                    })
                };
                let points = PointsOnGraph {
                    graph,
                    projection: places,
                    ids: ids.as_deref(),
                    labels: &labels.collect::<Vec<_>>(),
                    feature_names: names,
                    features: &values,
                };
                points.locate(&spot)?.node.into()
            }
        })
    }
}

fn coordinates(graph: &PrincipalGraph, places: &Projection) -> Matrix {
    let mut found = Matrix::zeros(places.node.len(), graph.nodes().n_cols());
    for i in 0..places.node.len() {
        found.row_mut(i).copy_from_slice(&places.place(graph, i));
    }
    found
}

fn on_lineages(learned: &Model, places: &Projection) -> Result<Answer> {
    let rooted = rooted_graph(learned)?;
    let seen = rooted.lineages().into_iter().map(|lineage| {
        let seen = rooted.on_lineage(&lineage, places)?;
        Ok(Answer::record([("pseudotime", seen.pseudotime.into()), ("weight", seen.weight.into())]))
    });
    Ok(Answer::List(seen.collect::<Result<_>>()?))
}

fn network(learned: &Model, places: &Projection) -> Result<Answer> {
    let network = learned.graph()?.milestone_network(&learned.root, places)?;
    let links = network.links();
    let (of_point, share): (Vec<usize>, Vec<f64>) =
        (0..places.node.len()).map(|i| network.progression(i)).unzip();
    let nearest: Vec<usize> = (0..places.node.len()).map(|i| network.nearest(i)).collect();
    Ok(Answer::record([
        ("start", links.iter().map(|link| link.from).collect::<Vec<_>>().into()),
        ("end", links.iter().map(|link| link.to).collect::<Vec<_>>().into()),
        ("length", links.iter().map(|link| link.length).collect::<Vec<_>>().into()),
        ("directed", links.iter().map(|link| link.directed).collect::<Vec<_>>().into()),
        ("of_point", of_point.into()),
        ("share", share.into()),
        ("nearest", nearest.into()),
    ]))
}

fn percentages(learned: &Model, places: &Projection) -> Result<Answer> {
    let network = learned.graph()?.milestone_network(&learned.root, places)?;
    let about = |i: usize| network.percentages(i).into_iter().map(move |(m, s)| (i, (m, s)));
    let (point, (milestone, share)): (Vec<usize>, (Vec<usize>, Vec<f64>)) =
        (0..places.node.len()).flat_map(about).unzip();
    Ok(Answer::record([
        ("point", point.into()),
        ("milestone", milestone.into()),
        ("share", share.into()),
    ]))
}

/// The metro map, with the places of points where there are some.
pub(super) fn metro_map(learned: &Model, places: Option<&Projection>) -> Result<Answer> {
    let map = learned.graph()?.metro_map()?;
    let graph = learned.graph()?;
    let points = places.map(|places| map.points(graph, places)).transpose()?;
    Ok(Answer::record([
        ("nodes", map.nodes.into()),
        ("closing", map.closing.into()),
        ("points", points.into()),
    ]))
}

/// The dendrogram, with the places of points where there are some.
pub(super) fn dendrogram(learned: &Model, places: Option<&Projection>) -> Result<Answer> {
    let rooted = rooted_graph(learned)?;
    let drawing = rooted.dendrogram();
    let points = places.map(|places| drawing.points(&rooted, places)).transpose()?;
    let bars = Matrix::new(drawing.bars.len(), 3, drawing.bars.concat())?;
    Ok(Answer::record([
        ("nodes", drawing.nodes.into()),
        ("bars", bars.into()),
        ("points", points.into()),
    ]))
}
