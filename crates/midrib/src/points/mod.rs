//! The input of every method: rows that are points, in memory or read chunk by chunk.

mod all_rows;
mod blocks;
mod chunk;
mod chunking;
mod cloud;
mod faults;
mod passes;
#[allow(clippy::module_inception)]
mod points;
mod reweighted;
mod spatial_order;
mod storage;
mod survey;
mod working;
mod working_chunk;

pub(crate) use all_rows::all_rows;
pub use blocks::Blocks;
pub(crate) use chunk::{Chunk, for_each_chunk, update_chunks};
pub use chunking::CHUNK_ROWS;
pub(crate) use chunking::blocks_of;
pub use cloud::Cloud;
pub use points::Points;
pub(crate) use reweighted::Reweighted;
pub use storage::Storage;
pub use survey::{Survey, SurveyPart};
pub use working::WorkingFrame;
pub(crate) use working_chunk::WorkingChunk;
