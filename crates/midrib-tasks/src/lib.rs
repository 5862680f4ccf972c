//! What a user does with midrib, shared by the command line and Python: both call the same
//! operations and differ only in how they name settings and show results.
//!
//! Each task is one file: a request with public fields, a result, one function. Nothing prints; what
//! the user should hear goes to a [`Listener`].
//!
//! | task | what it does | calls |
//! |---|---|---|
//! | [`open_table`] | reads a table and notes what it holds | |
//! | [`open_results`], [`open_training_table`] | read results, and the table that they were learned from | `prepare`, `locate` |
//! | [`prepare`](prepare()) | scales columns, builds kernels, keeps components | |
//! | [`fit`](fit()) | learns an object from prepared points in memory | |
//! | [`fit_table`](fit_table()) | table in, directory of results out | `table`, `prepare`, `given`, `fit`, `locate`, `root`, `save` |
//! | [`project`](project()) | projects new points | `prepare` |
//! | [`summarize`] | the figures of a model | `drawn_object` |
//! | [`describe`](describe()) | the sentences of a report | `summary`, `settings`, `phrases` |
//! | [`root`](root()) | adds pseudotime to results | `open`, `report`, `save` |
//! | [`path`](path()) | the path between two locations | `open` |
//! | [`trends`](trends()), [`test_features`] | features along a graph: tests, curves, forks, conditions | `open`, `trend_table` |
//! | [`fates`](fates()) | the probability of every tip | `open` |
//! | [`prune`](prune()), [`simplify`](simplify()) | change a graph; `…_results` write it | `open`, `rewrite` |
//! | [`bootstrap`](bootstrap()) | learns a graph again from resamples; `…_results` writes it | `open`, `report`, `save` |
//! | [`measure_truth`], [`measure_labels`] | compare with a truth, or with labels | `summary` |
//! | [`measure_criteria`] | how well results represent points, by four criteria | `open` |
//! | [`compare`](compare()), [`compare_points`] | fits several methods to the same points and measures them | `contender`, `prepare` |
//! | [`cluster`](cluster()), [`cluster_points`] | clusters the points of a table, or points in memory | `table`, `prepare` |
//! | [`export`](export()) | writes results for other programs | `open`, `project` |
//! | [`draw`](draw()) | a picture; `…_points` and `…_results` find its points | `drawn_object`, `plane`, `open` |
//! | [`report`](report()) | the HTML page; `…_of_results` finds its points | `drawn_object`, `describe`, `open` |
//! | [`save`](save()) | writes a directory of results | `report` |
//! | [`generate`], [`synth`](synth()), [`demo`] | generated data, and a fit to it | `fit`, `save` |
//!
//! Below the tasks: [`Error`] and its [`Kind`], [`Listener`] and [`Wording`], [`Location`] and
//! [`PointsOnGraph`] (a location as users name it, and the node that it means), [`settings_of`] (the
//! settings of a method from its schema), [`Memory`], and numbers in sentences ([`count`],
//! [`short`]).
//!
//! ```
//! use std::fmt::Write;
//! use midrib::{Silent, learn::method, prepare::Preparation};
//! use midrib_io::ReadOptions;
//! use midrib_tasks::{GivenFiles, Memory, RootRequest, TableFit, fit_table, root};
//!
//! let directory = tempfile::tempdir()?;
//! let mut table = String::from("x,y\n");
//! for i in 0..40 {
//!     writeln!(table, "{},{}", f64::from(i) / 40.0, f64::from(i % 3) / 100.0)?;
//! }
//! let input = directory.path().join("cells.csv");
//! std::fs::write(&input, table)?;
//!
//! let output = directory.path().join("cells.midrib");
//! let ppt = method("ppt")?;
//! let fitted = fit_table(
//!     &TableFit {
//!         input,
//!         options: ReadOptions::default(),
//!         preparation: Preparation::default(),
//!         max_memory: Memory(1 << 30),
//!         entry: ppt,
//!         method: &*ppt.parse(&serde_json::json!({"n_nodes": 10}))?,
//!         given: GivenFiles::default(),
//!         root: vec![],
//!         output: output.clone(),
//!         force: false,
//!         command: String::new(),
//!     },
//!     &mut Silent,
//! )?;
//! assert_eq!(fitted.summary.tips, 2);
//! assert!(output.join("report.html").is_file());
//!
//! let request = RootRequest { results: &output, root: &["x:min".parse()?] };
//! let rooted = root(&request, &mut Silent)?;
//! assert_eq!(rooted.summary.lineages.len(), 1);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod bootstrap;
mod cluster;
mod cluster_files;
mod cluster_summary;
mod columns;
mod compare;
mod compare_table;
mod compare_view;
mod contender;
mod describe;
mod describe_criteria;
mod draw;
mod drawn_object;
mod error;
mod export;
mod fates;
mod fit;
mod fit_distances;
mod fit_table;
mod given;
mod listener;
mod locate;
mod location;
mod look;
mod measure;
mod measure_criteria;
mod memory;
mod open;
mod path;
mod peak_memory;
mod phrases;
mod plane;
mod prepare;
mod project;
mod prune;
mod report;
mod rewrite;
mod root;
mod row_numbers;
mod save;
mod scale_advice;
mod settings;
mod shortcuts;
mod simplify;
mod summary;
mod synth;
mod table;
mod text;
mod trend_curves;
mod trend_table;
mod trends;

pub use bootstrap::{
    BootstrapRequest, BootstrapResult, BootstrapSummary, Tally, bootstrap, bootstrap_results,
};
pub use cluster::{
    ClusterPoints, ClusterRequest, Clustered, ClusteredPoints, PointGraphRequest, cluster,
    cluster_points,
};
pub use cluster_summary::{ClusterAgreement, ClusterSummary, RebuiltSummary};
pub use columns::rows_of;
pub use compare::{ComparePoints, ComparedMethod, Status, compare_points, require_results};
pub use compare_table::{COMPARISON, CompareRequest, Comparison, compare};
pub use compare_view::{CRITERIA_NAMES, ComparisonView, comparison_html, comparison_values};
pub use contender::Contender;
pub use describe::describe;
pub use draw::{DrawRequest, DrawResults, draw, draw_points, draw_results, is_png, write_picture};
pub use error::{Error, Kind, Result};
pub use export::{ExportFormat, ExportRequest, export};
pub use fates::{FatesRequest, FatesResult, fates, write_fates};
pub use fit::{FitRequest, FitResult, fit};
pub use fit_distances::{DistanceFit, fit_distance_table, fit_distances};
pub use fit_table::{FittedTable, TableFit, check_fit, fit_table};
pub use given::GivenFiles;
pub use listener::{Listener, Wording};
pub use locate::{Features, LocatedNode, PointsOnGraph, locate};
pub use location::Location;
pub use look::{Background, PictureSettings, View};
pub use measure::{LabelAgreement, TruthAgreement, measure_labels, measure_truth};
pub use measure_criteria::{MeasuredResults, measure_criteria};
pub use memory::Memory;
pub use open::{
    Results, TrainingRequest, TrainingTable, directory_of, open_results, open_training_table,
};
pub use path::{PathRequest, PathResult, path, write_path};
pub use phrases::{
    Ending, lacking, little_explained, lone_note, step, steps, variance, variance_held,
};
pub use prepare::{PrepareRequest, Prepared, prepare, prepare_like};
pub use project::{
    ProjectRequest, Projected, project, responsibilities, write_imputed, write_projected,
};
pub use prune::{Pruned, prune, prune_results};
pub use report::{
    REPORT, ReportOfResults, ReportRequest, ResultPoints, nodes_in_table, report,
    report_of_results, write_report,
};
pub use rewrite::{RewriteRequest, Rewritten};
pub use root::{
    LineageSummary, RootRequest, RootSummary, RootedResults, Tie, root, rooted_graph,
    summarize_roots,
};
pub use save::{SaveRequest, save};
pub use settings::{Setting, settings_of};
pub use simplify::{Simplified, simplify, simplify_results};
pub use summary::{
    BranchSupport, InputSummary, NetSummary, RawSummary, Summary, SupportSummary, net_shape,
    summarize,
};
pub use synth::{
    DemoRequest, DemoResult, GenerateRequest, Generated, SynthRequest, SynthResult, demo, generate,
    synth,
};
pub use table::{OpenTable, open_table};
pub use text::{count, duration, first_names, grouped, percent, short, shortened, shown};
pub use trend_curves::write_curves;
pub use trend_table::{TrendColumn, TrendTable, TrendValues};
pub use trends::{
    Place, PointsOfTrends, TrendSettings, TrendTest, TrendsRequest, TrendsResult, test_features,
    trends, write_trends,
};
