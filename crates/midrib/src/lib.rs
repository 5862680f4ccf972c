//! Principal graphs: explicit curves, trees and graphs through the middle of a point cloud.

pub mod assign;
mod cloud;
pub mod connect;
pub mod error;
pub mod graph;
pub mod learn;
pub mod math;
mod observe;
mod points;
pub mod prepare;
pub mod synth;

pub use cloud::Cloud;
pub use error::{Error, Result};
pub use observe::{Observer, Progress, Silent};
pub use points::Points;
