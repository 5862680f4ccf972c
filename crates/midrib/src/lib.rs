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
//!        Fitted { graph: PrincipalGraph, trace, end, settings, choices, latent }
//! ```
//!
//! *assign* alone touches all points; its sums add up over blocks and threads. *connect* and
//! *place* see the nodes only.
//!
//! | module | what it holds |
//! |---|---|
//! | [`prepare`] | points to points, and the starting nodes |
//! | [`assign`] | points to nodes: soft, hard |
//! | [`connect`] | nodes to edges: the spanning tree, the l1 graph and its candidate pairs, nets; graphs of points |
//! | [`math`] | *place* (`tree_solve`), acceleration, matrices, search |
//! | [`cluster`] | points to groups: by the spectrum of a graph, branches, components |
//! | [`learn`] | the methods, each a short loop over these steps, and their registry |
//! | [`measure`] | how good a result is: 1-NN accuracy, agreement of groups, against the truth, energies and complexity |
//! | [`tune`] | how far a learnt graph can be relied on: its support by resampling |
//! | [`graph`] | the learnt graph and what one asks of it |
//! | [`synth`] | data whose true graph is known |
//!
//! # Papers
//!
//! Keys are those of `papers.bib`.
//!
//! | paper | module | command | Python |
//! |---|---|---|---|
//! | Mao2015, SimplePPT | [`learn::ppt`] | `midrib fit --method ppt` | `SimplePPT` |
//! | Mao2017, regularised principal graph | [`learn::rpg`] | `midrib fit --method rpg --structure tree\|l1` | `PrincipalGraph` |
//! | Wang2016, DRTree | [`learn::drtree`] | `midrib fit --method drtree` | `DRTree` |
//! | Wang2016, DDRTree | [`learn::ddrtree`] | `midrib fit --method ddrtree` | `DDRTree` |
//! | Wang2016, structured projection learning | [`learn::spl`] | `midrib fit --method spl` | `SPL` |
//! | Gorban2009, elastic curves, rings, trees and graphs | [`learn::elastic`] | `midrib fit --method elastic-curve\|elastic-ring\|elastic-tree\|elastic-graph` | `ElasticPrincipalCurve`, `…Ring`, `…Tree`, `…Graph` |
//! | Gorban2009, elastic maps | [`learn::elastic_map`] | `midrib fit --method elastic-map` | `ElasticMap` |
//! | Gorban2009, cubic complexes | [`learn::cubic`] | `midrib fit --method cubic` | `CubicComplex` |
//! | Zhou2013, L1-graphs and k-NN fused Lasso graph | [`connect`], [`cluster`] | `midrib cluster` | |
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
//! assert_eq!(fitted.graph.tips().len(), 3);
//! assert_eq!(fitted.graph.branch_points().len(), 1);
//!
//! // The nearest place on the graph, for these or any other points.
//! let places = fitted.graph.project(&data.points)?;
//! assert!(places.mean_squared_distance(&data.points)? < 0.01);
//! # Ok::<(), midrib::Error>(())
//! ```

pub mod assign;
mod cloud;
pub mod cluster;
pub mod connect;
pub mod error;
pub mod graph;
pub mod learn;
pub mod math;
pub mod measure;
mod observe;
pub mod place;
mod points;
pub mod prepare;
pub mod synth;
pub mod tune;
mod words;

pub use cloud::{CHUNK_ROWS, Cloud, Frame, Survey, SurveyPart};
pub use error::{Error, Result};
pub use observe::{Observer, Progress, Silent};
pub use points::Points;
pub use words::{is_missing, measures, nearest_word};
