//! Drawings of principal graphs: from a graph, its points and their colors to SVG, PNG or an
//! interactive HTML page.
//!
//! | view | what it shows |
//! |---|---|
//! | [`graph_view`] | the graph over its points in a plane |
//! | [`map_view`] | a net as a map, with its points at their inner coordinates |
//! | [`metro_view`] | the metro map: true lengths, pies of classes at the nodes |
//! | [`dendrogram_view`] | a rooted graph with pseudotime upward |
//! | [`adjacency_view`] | the adjacency matrix, in the order of the classes |
//! | [`convergence_view`] | the objective after each sweep |
//! | [`tuning_view`] | how the graph changes with a setting |
//! | [`html`] | the report: all of these, linked, in one file |
//! | [`comparison_page`] | several methods side by side, with their figures |
//!
//! Colors are distinguishable with every kind of color vision: up to 20 classes use the colors of
//! Okabe and Ito and others that are equally far apart; further classes share a gray. Numbers use
//! viridis.
//!
//! Nothing that comes from data is ever interpreted as markup.

mod coloring;
mod comparison;
mod html;
mod labels;
mod legend;
mod name_order;
mod palette;
mod plot_area;
mod png;
mod svg;
mod view;

pub use coloring::Coloring;
pub use comparison::{ComparisonFigure, ComparisonPage, ComparisonPanel, comparison_page};
pub use html::{
    Description, DrawnTable, Report, ReportPoints, SettingDescription, drawn_rows, html, with_root,
};
pub use png::{PngError, png};
pub use view::{
    GraphLayout, MapLayout, Scene, adjacency_view, convergence_view, dendrogram_view, graph_view,
    map_view, metro_view, tuning_view,
};
