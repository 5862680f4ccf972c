//! The input of every method: rows that are points, in memory or read chunk by chunk.

mod blocks;
mod chunk;
mod cloud;
mod memory;
#[allow(clippy::module_inception)]
mod points;
mod reweighted;
mod spatial_order;
mod survey;
mod working;

pub(crate) use blocks::blocks_of;
pub use blocks::{Blocks, CHUNK_ROWS};
pub(crate) use chunk::{Chunk, WorkingChunk, for_each_chunk, update_chunks};
pub use cloud::Cloud;
pub(crate) use memory::in_memory;
pub use points::Points;
pub(crate) use reweighted::Reweighted;
pub use survey::{Survey, SurveyPart};
pub use working::WorkingFrame;
