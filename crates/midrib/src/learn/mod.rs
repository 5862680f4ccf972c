//! One folder per method, each with its own short loop over the shared steps, and the
//! registry of them all.

mod choices;
pub mod cubic;
pub mod ddrtree;
mod descent;
pub mod drtree;
pub mod elastic;
pub mod elastic_map;
mod fitted;
mod given;
mod latent;
mod lloyd;
mod papers;
pub mod ppt;
mod registry;
pub mod rpg;
pub mod spl;
mod sweep;
mod trimming;
mod tuning;
mod voids;

pub use choices::{
    Acceleration, Assignment, AutoOr, Bandwidth, ComponentCount, InfOr, NodeCount, Tips,
    TrimmingRadius,
};
pub use cubic::Cubic;
pub use ddrtree::DdrTree;
pub use drtree::DrTree;
pub use elastic::{ElasticCurve, ElasticGraph, ElasticRing, ElasticTree, Program};
pub use elastic_map::{ElasticMap, Epochs, ModulusOf, Sides, Surface, SurfacePlaces};
pub use fitted::{Choice, End, Fitted, Latent};
pub use given::{Given, LinkKind, PointLink, StartGraph};
pub(crate) use lloyd::lloyd;
pub use papers::Paper;
pub use ppt::{PptStep, PptSteps, SimplePpt};
pub use registry::{Entry, METHODS, Method, Promises, method};
pub use rpg::Rpg;
pub use spl::Spl;
pub use tuning::{PilotRound, Scale, Tuning, TuningPoint};
