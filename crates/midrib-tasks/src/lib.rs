//! What a user does with midrib, once for all doors: the command line and Python call the same
//! operations and differ only in how they name settings and show results.

mod bootstrap;
mod error;
mod fit;
mod listener;
mod locate;
mod location;
mod prepare;
mod project;
mod prune;
mod root;
mod simplify;
mod text;

pub use bootstrap::{BootstrapResult, bootstrap};
pub use error::{Error, Kind, Result};
pub use fit::{FitRequest, FitResult, fit};
pub use listener::{Listener, Wording};
pub use locate::{Features, LocatedNode, PointsOnGraph, locate};
pub use location::Location;
pub use prepare::prepare_like;
pub use project::responsibilities;
pub use prune::{Pruned, prune};
pub use root::rooted_graph;
pub use simplify::{Simplified, simplify};
pub use text::{count, first_names, grouped, percent, short, shortened, shown};
