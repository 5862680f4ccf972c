//! Layouts: drawings of a graph in the plane.

mod crossings;
mod dendrogram;
mod draw;
mod map;
mod metro;
mod order;
mod product;
mod ring;
mod search;
mod spread;
mod stars;

pub use dendrogram::Dendrogram;
pub use map::MetroMap;
