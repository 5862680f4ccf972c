//! Points to points: what happens before the first sweep.

mod gaps;
mod kernel;
mod landmarks;
mod moments;
mod pca;
mod sample;
mod scale;
mod transform;
mod trimming;

pub use gaps::{Filled, fill_gaps};
pub use kernel::{Kernel, KernelColumns, KernelFunction, KernelMap, KernelWidth, Similarity};
pub(crate) use landmarks::greedy_landmarks;
pub use landmarks::landmarks;
pub use moments::deviations;
pub(crate) use pca::point_forward;
pub use pca::{Components, Pca};
pub use sample::sample;
pub use scale::Scale;
pub use transform::{EmbedMap, Preparation, Transform};
pub(crate) use trimming::Balls;
pub use trimming::trimming_radius;
