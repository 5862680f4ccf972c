//! One folder per method, each with its own short loop over the shared steps, and the
//! registry of them all.

mod choices;
mod descent;
mod fitted;
mod given;
mod lloyd;
mod papers;
pub mod ppt;
mod registry;
pub mod rpg;
mod sweep;

pub use choices::{Acceleration, AutoOr, Bandwidth, NodeCount, Tips};
pub use fitted::{Choice, End, Fitted, Latent};
pub use given::{Given, LinkKind, PointLink};
pub use papers::Paper;
pub use ppt::SimplePpt;
pub use registry::{Entry, METHODS, Method, Promises, method};
pub use rpg::Rpg;
