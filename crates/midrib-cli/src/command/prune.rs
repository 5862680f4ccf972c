//! `midrib prune`: a learnt graph without its weak branches.

use std::process::ExitCode;

use midrib::graph::TipRule;
use midrib_io::{Model, check_directory};
use serde_json::json;

use super::rewrite::{rewrite, table};
use crate::args::PruneArgs;
use crate::exit::Outcome;
use crate::talk::{Talk, count};

pub fn run(args: &PruneArgs) -> Outcome<ExitCode> {
    let talk = Talk::new(&args.rewrite.talk);
    let rule = TipRule { min_share: args.min_share, min_length: args.min_length };
    rule.check()?;
    let model = Model::read(&args.rewrite.model)?;
    check_directory(&args.rewrite.output, args.rewrite.force)?;
    let points = table(&args.rewrite, &model)?;
    let graph = model.graph()?;
    let pruned = graph.prune_tips(&rule, &points.points, &graph.project(&points.points)?)?;
    let how = json!({"min_length": rule.min_length, "min_share": rule.min_share});
    talk.note(format!("{} removed", count(pruned.removed, "branch", "branches")));
    let edit = (Model::PRUNED, how);
    rewrite(&args.rewrite, model, &pruned.graph, edit, Some(points), &talk)?;
    Ok(ExitCode::SUCCESS)
}
