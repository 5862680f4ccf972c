//! Measures of the quality of a result.

mod against_truth;
mod ari;
mod complexity;
mod contingency;
mod criteria;
mod explained;
mod nmi;
mod one_nn;
mod purity;
mod trajectory;

pub use against_truth::{Agreement, Mapping, against_truth};
pub use ari::ari;
pub use complexity::{Complexity, complexity};
pub use criteria::{
    CRITERIA_NEIGHBORS, CRITERIA_SAMPLE, Coordinates, Criteria, criteria, criteria_at,
};
pub use explained::explained;
pub use nmi::{Normalization, nmi};
pub use one_nn::{OneNn, one_nn};
pub use purity::purity;
pub use trajectory::{Distances, Link, Share, Trajectory};
