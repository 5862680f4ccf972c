//! Principal graphs: explicit curves, trees and graphs through the middle of a point cloud.

pub mod error;
pub mod graph;
pub mod math;
mod observe;
mod points;

pub use error::{Error, Result};
pub use observe::{Observer, Progress, Silent};
pub use points::Points;
