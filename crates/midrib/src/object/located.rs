//! Where points are on an object.

use std::borrow::Cow;

use super::Object;
use super::surface::{InnerProjection, Surface};
use crate::error::{Error, Result};
use crate::graph::Projection;
use crate::math::Matrix;
use crate::points::Blocks;

/// Where points are on an object, with one distance per point: that from the object.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Located {
    /// The nearest node, edge and position on it, or the nearest affine piece; none where the
    /// object has neither, as an embedding without a graph. `distance` is the distance from the
    /// object: from the cells of a net and from the flats where there are such, else from the edges.
    pub projection: Option<Projection>,
    /// Inner coordinates of each point (N×d): steps of the grid on a net, scores on axes; none
    /// where the object has only nodes and edges.
    pub inner: Option<Matrix>,
    /// The distances from the edges of a net with cells.
    from_edges: Option<Vec<f64>>,
}

impl Located {
    /// The projection onto nodes and edges, with the distances from the edges.
    pub fn onto_edges(&self) -> Option<Cow<'_, Projection>> {
        let projection = self.projection.as_ref()?;
        Some(match &self.from_edges {
            Some(distance) => {
                Cow::Owned(Projection { distance: distance.clone(), ..projection.clone() })
            }
            None => Cow::Borrowed(projection),
        })
    }

    /// The mean of the squared distances from the object, weighted as the points are; none where
    /// the object has no distances.
    pub fn mean_squared_distance(&self, points: &dyn Blocks) -> Result<Option<f64>> {
        self.projection.as_ref().map(|found| found.mean_squared_distance(points)).transpose()
    }
}

impl Object {
    /// Where points are on the object: on its nodes and edges, and in its inner coordinates.
    ///
    /// ```
    /// use midrib::Points;
    /// use midrib::connect::{Net, NetShape};
    /// use midrib::graph::PrincipalGraph;
    /// use midrib::math::Matrix;
    /// use midrib::object::{NetForm, NetObject, Object, Surface};
    /// let net = Net::new(NetShape::Rectangle, &[2, 2])?;
    /// let nodes = Matrix::from_rows(&[[0.0, 0.0, 0.0], [0.0, 2.0, 0.0], [2.0, 0.0, 0.0], [2.0, 2.0, 0.0]])?;
    /// let edges: Vec<_> = net.edges.iter().map(|&(a, b, _)| (a, b, 1.0)).collect();
    /// let graph = PrincipalGraph::new(nodes.clone(), &edges, vec![1.0; 4])?;
    /// let form = NetForm::Surface(Box::new(Surface::new(net, &nodes, 0)?));
    /// let map = Object::Net(NetObject { graph, form, springs: None, mixture: None });
    /// let points = Points::from_f64(vec![1.0, 1.0, 0.5], 3)?;
    /// let located = map.locate(&points)?;
    /// assert_eq!(located.inner.as_ref().map(|z| z.row(0)), Some(&[0.5, 0.5][..]));
    /// assert_eq!(map.project(&points)?.distance, [0.5]);
    /// let from_edges = located.onto_edges().map(|edges| edges.distance[0]);
    /// assert_eq!(from_edges, Some(1.25_f64.sqrt()));
    /// # Ok::<(), midrib::Error>(())
    /// ```
    pub fn locate(&self, points: &dyn Blocks) -> Result<Located> {
        if let Self::Flats(flats) = self {
            let (projection, inner) = flats.locate(points)?;
            return Ok(Located {
                projection: Some(projection),
                inner: Some(inner),
                from_edges: None,
            });
        }
        let mut projection = self.graph().map(|graph| graph.project(points)).transpose()?;
        let (mut inner, mut from_edges) = (None, None);
        if let (Some(projection), Some(surface)) = (&mut projection, self.surface()) {
            let InnerProjection { coordinates, distance } = self.on_net(surface, points)?;
            from_edges = Some(std::mem::replace(&mut projection.distance, distance));
            inner = Some(coordinates);
        }
        Ok(Located { projection, inner, from_edges })
    }

    /// Where points are on the cells of a net, or among the nodes of a mixture.
    pub(super) fn on_net(&self, surface: &Surface, points: &dyn Blocks) -> Result<InnerProjection> {
        match self.mixture() {
            Some(mixture) => surface.locate(mixture, points),
            None => surface.project(points),
        }
    }

    /// The projections of the points, as [`Object::locate`] finds them; refused where the object
    /// has nothing that points are projected onto.
    pub fn project(&self, points: &dyn Blocks) -> Result<Projection> {
        self.locate(points)?.projection.ok_or_else(|| self.no_projection())
    }

    /// The mean squared distance of the points from the object.
    pub fn mean_squared_distance(&self, points: &dyn Blocks) -> Result<f64> {
        let found = self.locate(points)?.mean_squared_distance(points)?;
        found.ok_or_else(|| self.no_projection())
    }

    /// Says that there is nothing that points could be projected onto, as in an embedding without a
    /// graph.
    pub fn no_projection(&self) -> Error {
        let what = self.kind().description();
        Error::data(format!(
            "points have no projections onto {what} without a graph, and no distances from it; \
             learn a graph from its coordinates"
        ))
    }
}
