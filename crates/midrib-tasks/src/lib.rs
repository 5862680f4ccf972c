//! What a user does with midrib, once for all doors: the command line and Python call the same
//! operations and differ only in how they name settings and show results.

mod bootstrap;
mod cluster;
mod cluster_files;
mod cluster_summary;
mod columns;
mod describe;
mod draw;
mod error;
mod export;
mod fit;
mod fit_table;
mod given;
mod listener;
mod locate;
mod location;
mod measure;
mod memory;
mod open;
mod path;
mod picture;
mod plane;
mod prepare;
mod project;
mod prune;
mod report;
mod rewrite;
mod root;
mod save;
mod sentences;
mod settings;
mod simplify;
mod summary;
mod synth;
mod table;
mod text;

pub use bootstrap::{
    BootstrapRequest, BootstrapResult, BootstrapSummary, Tally, bootstrap, bootstrap_results,
};
pub use cluster::{ClusterRequest, Clustered, PointGraphRequest, cluster};
pub use cluster_summary::{ClusterAgreement, ClusterSummary, RebuiltSummary};
pub use describe::describe;
pub use draw::{
    DrawRequest, DrawResults, PictureSettings, View, draw, draw_points, draw_results, is_png,
    write_picture,
};
pub use error::{Error, Kind, Result};
pub use export::{ExportFormat, ExportRequest, export};
pub use fit::{FitRequest, FitResult, fit};
pub use fit_table::{FittedTable, TableFit, check_fit, fit_table};
pub use given::GivenFiles;
pub use listener::{Listener, Wording};
pub use locate::{Features, LocatedNode, PointsOnGraph, locate};
pub use location::Location;
pub use measure::{LabelAgreement, TruthAgreement, measure_labels, measure_truth};
pub use memory::Memory;
pub use open::{
    Results, TrainingRequest, TrainingTable, directory_of, open_results, open_training_table,
};
pub use path::{PathRequest, PathResult, path, write_path};
pub use prepare::{PrepareRequest, Prepared, prepare, prepare_like};
pub use project::{ProjectRequest, Projected, project, responsibilities, write_projected};
pub use prune::{Pruned, prune, prune_results};
pub use report::{
    REPORT, ReportOfResults, ReportRequest, ResultPoints, report, report_of_results, write_report,
};
pub use rewrite::{RewriteRequest, Rewritten};
pub use root::{
    LineageSummary, RootRequest, RootSummary, RootedResults, root, rooted_graph, summarize_roots,
};
pub use save::{SaveRequest, save};
pub use sentences::{little_explained, lone_note, step, steps, variance, variance_held};
pub use settings::{Setting, settings_of};
pub use simplify::{Simplified, simplify, simplify_results};
pub use summary::{
    BranchSupport, InputSummary, NetSummary, RawSummary, Summary, SupportSummary, net_shape,
    summarize,
};
pub use synth::{DemoRequest, DemoResult, SynthRequest, demo, synth};
pub use table::{OpenTable, open_table};
pub use text::{count, first_names, grouped, percent, short, shortened, shown};
