//! Principal graphs: explicit curves, trees and graphs through the middle of a point cloud.
//!
//! Every method alternates three moves until its objective stops falling:
//!
//! ```text
//!   Points ── prepare ──▶ starting nodes
//!     │                        │
//!     │        ┌───────────────▼───────────────┐
//!     │        │ connect   nodes  -> edges     │◀─────────┐
//!     │        └───────────────┬───────────────┘          │
//!     │        ┌───────────────▼───────────────┐          │ nodes
//!     └───────▶│ assign    points -> nodes     │          │
//!              └───────────────┬───────────────┘          │
//!                              │ Sums: mass, weighted sum, cost
//!              ┌───────────────▼───────────────┐          │
//!              │ place     sums   -> nodes     │──────────┘
//!              └───────────────┬───────────────┘
//!                              ▼ when the objective stops falling
//!        Fit { object, trace, iterations, end, settings, choices, tuning, notes }
//! ```
//!
//! *assign* alone touches all points; its sums add up over blocks and threads. *connect* and
//! *place* see the nodes only.
//!
//! | module | what it holds |
//! |---|---|
//! | [`embed`] | points or distances to few dimensions |
//! | [`prepare`] | points to points, and the starting nodes |
//! | [`assign`] | points to nodes: soft, hard |
//! | [`connect`] | nodes to edges: the spanning tree, the l1 graph and its candidate pairs, nets; graphs of points |
//! | [`math`] | *place* (`tree_solve`), acceleration, matrices, search |
//! | [`cluster`] | points to groups: by the spectrum of a graph, branches, components |
//! | [`learn`] | the methods, each a short loop over these steps, and their registry |
//! | [`measure`] | how good a result is: 1-NN accuracy, agreement of groups, against the truth, energies and complexity |
//! | [`tune`] | how far a learned graph can be relied on: its support by resampling |
//! | [`trend`] | features along a learned graph: which change, and how |
//! | [`trend`] | features along a learned graph: which change, and how |
//! | [`graph`] | the learned graph and the operations on it |
//! | [`synth`] | data whose true graph is known |
//!
//! # Papers
//!
//! The page of each method in [`learn`] names its paper, the objective, the symbols and where it departs
//! from the paper. [`METHODS`](learn::METHODS) lists all methods with the name on the command line, the
//! Python class and the citation, whose key is one of `papers.bib`. Graphs of points are in [`connect`]
//! and [`cluster`].
//!
//! # Quick start
//!
//! ```
//! use midrib::Silent;
//! use midrib::learn::{Given, Method, SimplePpt};
//! use midrib::synth::{Shape, Synth};
//!
//! let shape = Shape::Tree { branch_points: 1 };
//! let data = Synth { shape, n: 600, dims: 3, noise: 0.05, seed: 1 }.generate()?;
//!
//! let fitted = SimplePpt::default().fit(&data.points, Given::default(), &mut Silent)?;
//! assert_eq!(fitted.graph()?.tips().len(), 3);
//! assert_eq!(fitted.graph()?.branch_points().len(), 1);
//!
//! // The nearest positions on the graph, for these or any other points.
//! let projection = fitted.graph()?.project(&data.points)?;
//! assert!(projection.mean_squared_distance(&data.points)? < 0.01);
//! # Ok::<(), midrib::Error>(())
//! ```

pub mod assign;
pub mod cluster;
pub mod connect;
mod distances;
pub mod embed;
pub mod error;
mod fields;
pub mod graph;
pub mod learn;
pub mod math;
pub mod measure;
mod neighbors;
pub mod object;
mod observe;
pub mod place;
mod points;
pub mod prepare;
mod suggest;
pub mod synth;
pub mod trend;
pub mod tune;

pub use distances::Distances;
pub use error::{Error, Extra, Result};
pub use fields::{is_missing, measures};
pub use observe::{Observer, Progress, Silent};
pub use points::{Blocks, CHUNK_ROWS, Cloud, Points, Storage, Survey, SurveyPart, WorkingFrame};
pub use suggest::nearest_word;
