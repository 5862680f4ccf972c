//! The plane in which a graph and its points are drawn.

use midrib::Points;
use midrib::graph::PrincipalGraph;
use midrib::math::Matrix;
use midrib::object::Embedding;
use midrib::prepare::{Components, Preparation, Transform};
use midrib_io::Model;

use crate::columns::{on_a_line, rows_of, two_columns};
use crate::drawn_object::drawn_embedding;
use crate::error::{Error, Result};
use crate::listener::Wording;
use crate::phrases::share_of_table;

/// Points and nodes in a plane.
pub struct Plane {
    /// The points.
    pub points: Matrix,
    /// The nodes.
    pub nodes: Matrix,
    /// What the axes show.
    pub axes: [String; 2],
}

impl Plane {
    /// The first two latent dimensions, or the only one of an embedding without nodes.
    pub fn latent(embedding: &Embedding) -> Option<Self> {
        let Embedding { coordinates, nodes, .. } = embedding;
        let none = Matrix::zeros(0, 2);
        match (embedding.dims(), nodes) {
            (2.., nodes) => Some(Self {
                points: two_columns(coordinates.rows(), [0, 1]),
                nodes: nodes.as_ref().map_or(none, |nodes| two_columns(nodes.rows(), [0, 1])),
                axes: ["z1".into(), "z2".into()],
            }),
            (1, None) => {
                let axes = ["z1".into(), String::new()];
                Some(Self { points: on_a_line(coordinates), nodes: none, axes })
            }
            _ => None,
        }
    }

    /// The plane of two columns that are named.
    pub fn of_columns(
        model: &Model,
        graph: &PrincipalGraph,
        points: &Points<'_>,
        named: &[String; 2],
        wording: Wording,
    ) -> Result<Self> {
        let names = model.feature_names();
        let column = |name: &String| {
            names.iter().position(|other| other == name).ok_or_else(|| {
                Error::usage(format!(
                    "{}: there is no such column; there are {}",
                    (wording.value)("axes", name),
                    names[..names.len().min(12)].join(", ")
                ))
            })
        };
        let columns = [column(&named[0])?, column(&named[1])?];
        Ok(Self {
            points: two_columns(rows_of(points).rows(), columns),
            nodes: two_columns(graph.nodes().rows(), columns),
            axes: named.clone(),
        })
    }

    /// The latent plane, the columns of planar points, or the points' principal plane: the first
    /// that there is.
    pub fn of_points(
        model: &Model,
        graph: &PrincipalGraph,
        points: &Points<'_>,
        wording: Wording,
    ) -> Result<Self> {
        let scores = drawn_embedding(&model.object, Some(points))?;
        if let Some(plane) = scores.as_deref().and_then(Self::latent) {
            return Ok(plane);
        }
        let names = model.feature_names();
        let (rows, nodes) = (rows_of(points), graph.nodes());
        match points.dims() {
            1 => Ok(Self {
                points: on_a_line(&rows),
                nodes: on_a_line(nodes),
                axes: [names[0].clone(), String::new()],
            }),
            2 => Ok(Self {
                points: rows,
                nodes: nodes.clone(),
                axes: [names[0].clone(), names[1].clone()],
            }),
            _ => Self::principal(model.input.prepare.as_ref(), points, nodes, wording),
        }
    }

    /// `prepare` is what the points were prepared by: shares of the variance are those of the table.
    fn principal(
        prepare: Option<&Transform>,
        points: &Points<'_>,
        nodes: &Matrix,
        wording: Wording,
    ) -> Result<Self> {
        if points.missing_values() > 0 {
            return Err(Error::usage(format!(
                "the points have missing values, so they have no principal plane; {} names two \
                 columns to draw",
                (wording.value)("axes", "X,Y")
            )));
        }
        let count = points.len().saturating_sub(1).clamp(1, 2);
        let pca = Some(Components::Count(count));
        let transform = Transform::fit(Preparation { pca, ..Preparation::default() }, points)?;
        let shares = transform.pca.as_ref().map_or(&[][..], |pca| &pca.shares);
        let (held, variance) = share_of_table(prepare);
        let axis = |i: usize| match shares.get(i) {
            Some(share) => {
                format!("PC {} ({:.0} % of the {variance})", i + 1, 100.0 * held * share)
            }
            None => String::new(),
        };
        let scores = |points: &Points<'_>| -> Result<Matrix> {
            let scores = rows_of(&transform.apply(points)?);
            Ok(if count == 1 { on_a_line(&scores) } else { scores })
        };
        Ok(Self {
            points: scores(points)?,
            nodes: scores(&Points::from_f64(nodes.as_slice(), nodes.n_cols())?)?,
            axes: [axis(0), axis(1)],
        })
    }
}
