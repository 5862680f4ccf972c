//! One folder per method, each with its own short loop over the shared steps, and the registry of all
//! methods.
//!
//! | file | what several methods share |
//! |---|---|
//! | `method`, `entry`, `registry` | the trait, a method as data, the table of all methods |
//! | `result`, `papers` | what a fit returns, the papers |
//! | `given`, `start` | links, pairs and starting nodes |
//! | `choices`, `lists`, `checks`, `proportion` | settings as types, and their checks |
//! | `plan`, `pilot`, `scan`, `tuning` | open settings of trees by soft assignment |
//! | `tree`, `acceleration`, `descent` | the steps of a sweep, and when to stop |
//! | `tips`, `noise`, `trimming`, `voids` | tips, scatter, outliers and empty edges |
//! | `principal_axes`, `flat_net`, `laid_net` | where elastic objects and maps start |
//! | `embedded`, `equal_weights` | embeddings without a graph, points without weights |
//! | `pieces` | flats and segments, and sums over the points nearest to each |
//! | `rounds`, `weighted_rows`, `settled`, `ridge` | objectives that may rise, points held in memory or rounded, ridges of their density |
//! | `latent` | basis and embedding of trees in fewer dimensions |

mod acceleration;
pub mod auto;
mod checks;
mod choices;
pub mod cubic;
pub mod curve;
pub mod ddrtree;
mod descent;
pub mod drtree;
pub mod eigenmap;
pub mod elastic;
pub mod elastic_map;
mod embedded;
mod entry;
mod equal_weights;
mod flat_net;
mod given;
pub mod gtm;
pub mod isomap;
pub mod k_segments;
pub mod kernel_pca;
pub mod kmeans;
mod laid_net;
mod latent;
mod lists;
pub mod lle;
pub mod local_pca;
pub mod lpc;
pub mod mds;
mod method;
mod noise;
mod papers;
pub mod pca;
mod pieces;
mod pilot;
mod plan;
pub mod polyline;
pub mod ppt;
mod principal_axes;
mod proportion;
mod registry;
mod result;
mod ridge;
mod rounds;
pub mod rpg;
mod scan;
pub mod scms;
mod settled;
pub mod som;
pub mod spl;
mod start;
mod tips;
mod tree;
mod trimming;
mod tuning;
mod voids;
mod weighted_rows;

pub use auto::AutoGraph;
pub use choices::{
    Acceleration, Assignment, AutoOr, Bandwidth, ComponentCount, InfOr, NodeCount, Start, Tips,
    TrimmingRadius,
};
pub use cubic::Cubic;
pub use curve::PrincipalCurve;
pub use ddrtree::DdrTree;
pub use drtree::DrTree;
pub use eigenmap::Eigenmap;
pub use elastic::{ElasticCurve, ElasticGraph, ElasticRing, ElasticTree, Program};
pub use elastic_map::{ElasticMap, ModulusOf};
pub use entry::{Configured, Entry};
pub use given::{Given, LinkKind, PointLink, StartGraph};
pub use gtm::Gtm;
pub use isomap::Isomap;
pub use k_segments::KSegments;
pub use kernel_pca::KernelPca;
pub use kmeans::KMeans;
pub use lists::{Epochs, Sides};
pub use lle::Lle;
pub use local_pca::LocalPca;
pub use lpc::Lpc;
pub use mds::Mds;
pub use method::{Method, Promises};
pub use papers::Paper;
pub use pca::Pca;
pub use polyline::Polyline;
pub use ppt::{PptStep, PptSteps, SimplePpt};
pub use registry::{METHODS, method, require_lines, with_remedy};
pub use result::{Choice, End, Fit};
pub use rpg::Rpg;
pub use scms::Scms;
pub use som::{Som, Training};
pub use spl::Spl;
pub use tuning::{PilotRound, Scale, Tuning, TuningPoint};
