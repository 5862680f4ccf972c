//! Points to points: what happens before the first sweep.

mod landmarks;
mod sample;
mod transform;

pub use landmarks::landmarks;
pub use sample::sample;
pub use transform::{Components, Pca, Preparation, Scale, Transform, deviations};
