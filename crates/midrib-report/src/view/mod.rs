//! One file per view.

mod adjacency;
mod convergence;
mod dendrogram;
mod graph;
mod map;
mod metro;
mod stations;
mod tuning;

use midrib::graph::{PrincipalGraph, Projection};

use crate::coloring::Coloring;
use crate::labels::{shortened, wrapped};
use crate::legend::legend;
use crate::plot_area::Area;
use crate::svg::{Anchor, Svg};

pub use adjacency::adjacency_view;
pub use convergence::convergence_view;
pub use dendrogram::dendrogram_view;
pub use graph::{GraphLayout, graph_view};
pub use map::{MapLayout, map_view};
pub use metro::metro_view;
pub use tuning::tuning_view;
pub(crate) use tuning::{setting_name, tuning_caption};

const WIDTH: f64 = 900.0;
const HEIGHT: f64 = 620.0;
/// The left border of the legend.
const LEGEND: f64 = 725.0;
/// The approximate width of a letter of the caption.
const CAPTION_LETTER: f64 = 5.5;
/// The maximum number of points that are drawn.
const MAX_POINTS: usize = 20_000;

/// What to draw.
#[derive(Clone, Copy, Debug)]
pub struct Scene<'a> {
    /// The graph.
    pub graph: &'a PrincipalGraph,
    /// The projections of the points.
    pub projection: Option<&'a Projection>,
    /// How the points are colored.
    pub coloring: &'a Coloring,
    /// The title; may be empty.
    pub title: &'a str,
}

impl Scene<'_> {
    /// A page with title, legend and caption, and the area for the drawing; `axes` reserves space
    /// for axes.
    fn page(&self, caption: &str, axes: bool) -> (Svg, Area) {
        let plain = *self.coloring == Coloring::Plain;
        let width = if plain { LEGEND } else { WIDTH };
        let mut svg = Svg::new(width, HEIGHT, self.title);
        svg.text([24.0, 28.0], Anchor::Start, &shortened(self.title, 90), "font-size=\"15\"");
        let lines = wrapped(caption, ((width - 48.0) / CAPTION_LETTER) as usize);
        for (line, text) in lines.iter().rev().enumerate() {
            let position = [24.0, HEIGHT - 10.0 - 14.0 * line as f64];
            svg.text(position, Anchor::Start, text, "font-size=\"10.5\" fill=\"#777777\"");
        }
        legend(&mut svg, [LEGEND, 62.0], self.coloring);
        let area = Area {
            left: if axes { 76.0 } else { 36.0 },
            top: 52.0,
            right: LEGEND - 30.0,
            bottom: if axes { HEIGHT - 76.0 } else { HEIGHT - 46.0 },
        };
        (svg, area)
    }

    /// The points to draw, and a note if these are not all.
    fn sample(&self, n: usize) -> (Vec<usize>, String) {
        if n <= MAX_POINTS {
            return ((0..n).collect(), String::new());
        }
        // Evenly spaced rows of the table.
        let rows = (0..MAX_POINTS).map(|i| (i as u128 * n as u128 / MAX_POINTS as u128) as usize);
        (rows.collect(), format!("{MAX_POINTS} of {n} points are drawn. "))
    }

    /// The number of points of each class at each node; empty without classes.
    fn class_counts(&self) -> Vec<Vec<usize>> {
        let (Some(projection), Coloring::Classes { names, of_point, .. }) =
            (self.projection, self.coloring)
        else {
            return vec![];
        };
        let mut counts = vec![vec![0; names.len()]; self.graph.nodes().n_rows()];
        for (&node, class) in projection.node.iter().zip(of_point) {
            if let (Some(class), Some(counts)) = (class, counts.get_mut(node)) {
                counts[*class] += 1;
            }
        }
        counts
    }
}

/// The radius of a point; smaller if there are many.
fn point_radius(n: usize) -> f64 {
    (90.0 / (n.max(1) as f64).sqrt()).clamp(1.2, 3.2)
}
