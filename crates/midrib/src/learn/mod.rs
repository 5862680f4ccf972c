//! One folder per method, each with its own short loop over the shared steps, and the registry of all
//! methods.
//!
//! | file | what several methods share |
//! |---|---|
//! | `method`, `entry`, `registry` | the trait, a method as data, the table of all methods |
//! | `result`, `papers` | what a fit returns, the papers |
//! | `given`, `start` | links, pairs and starting nodes |
//! | `choices`, `checks`, `proportion` | settings as types, and their checks |
//! | `plan`, `pilot`, `scan`, `tuning` | open settings of trees by soft assignment |
//! | `tree`, `acceleration`, `descent` | the steps of a sweep, and when to stop |
//! | `tips`, `noise`, `trimming`, `voids` | tips, scatter, outliers and empty edges |
//! | `principal_axes`, `flat_net` | where elastic objects start |
//! | `latent` | basis and embedding of trees in fewer dimensions |

mod acceleration;
mod all_rows;
mod checks;
mod choices;
pub mod cubic;
pub mod ddrtree;
mod descent;
pub mod drtree;
pub mod elastic;
pub mod elastic_map;
mod entry;
mod flat_net;
mod given;
pub mod kmeans;
mod latent;
pub mod local_pca;
mod method;
mod noise;
mod papers;
pub mod pca;
mod pilot;
mod plan;
pub mod ppt;
mod principal_axes;
mod proportion;
mod registry;
mod result;
pub mod rpg;
mod scan;
pub mod spl;
mod start;
mod tips;
mod tree;
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
pub use elastic_map::{ElasticMap, Epochs, ModulusOf, Sides};
pub use entry::{Configured, Entry};
pub use given::{Given, LinkKind, PointLink, StartGraph};
pub use kmeans::KMeans;
pub use local_pca::LocalPca;
pub use method::{Method, Promises};
pub use papers::Paper;
pub use pca::Pca;
pub use ppt::{PptStep, PptSteps, SimplePpt};
pub use registry::{METHODS, method, require_lines};
pub use result::{Choice, End, Fit};
pub use rpg::Rpg;
pub use spl::Spl;
pub use tuning::{PilotRound, Scale, Tuning, TuningPoint};
