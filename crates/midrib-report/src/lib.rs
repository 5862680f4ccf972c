//! Drawings of principal graphs: a graph, its points and their colours in, SVG, PNG or a page to
//! explore out.
//!
//! | view | what it shows |
//! |---|---|
//! | [`graph_view`] | the graph over its points in a plane |
//! | [`metro_view`] | the metro map: true lengths, pies of classes at the nodes |
//! | [`dendrogram_view`] | a rooted graph, pseudotime upwards |
//! | [`adjacency_view`] | which nodes are joined, in the order of their classes |
//! | [`convergence_view`] | the objective after each sweep |
//! | [`tuning_view`] | how the graph changes with a setting |
//! | [`html`] | the report: all of these, linked, in one file |
//!
//! Colours are told apart with every kind of colour vision: up to 20 classes take those of Okabe
//! and Ito and colours as far from these and each other, more classes share a gray; numbers take
//! viridis. Nothing that comes from data is ever read as markup.

mod coloring;
mod frame;
mod html;
mod labels;
mod legend;
mod name_order;
mod palette;
mod png;
mod svg;
mod view;

pub use coloring::Coloring;
pub use html::{
    DrawnTable, Report, ReportPoints, SettingWords, Words, drawn_rows, html, run_of, with_root,
};
pub use png::{Failed, png};
pub use view::{
    Scene, adjacency_view, convergence_view, dendrogram_view, graph_view, metro_view, tuning_view,
};
