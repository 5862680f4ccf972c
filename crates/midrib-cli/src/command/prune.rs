//! `midrib prune`: a learnt graph without its weak branches.

use std::process::ExitCode;

use midrib::graph::TipRule;
use midrib_io::{Model, check_directory};
use serde_json::{Value, json};

use super::rewrite::{rewrite, table};
use super::summary::Summary;
use crate::args::PruneArgs;
use crate::exit::Outcome;
use crate::talk::{Talk, count};

pub fn run(args: &PruneArgs) -> Outcome<ExitCode> {
    let talk = Talk::new(&args.rewrite.talk);
    let rule = TipRule { min_share: args.min_share, min_length: args.min_length };
    rule.check()?;
    let mut model = Model::read(&args.rewrite.model)?;
    check_directory(&args.rewrite.output, args.rewrite.force)?;
    let points = table(&args.rewrite, &model)?;
    let graph = model.graph()?;
    let pruned = graph.prune_tips(&rule, &points.points, &graph.project(&points.points)?)?;
    if let Value::Object(of_fit) = &mut model.settings {
        let done = json!({"min_length": rule.min_length, "min_share": rule.min_share});
        of_fit.insert(Summary::PRUNED.into(), done);
    }
    talk.note(format!("{} removed", count(pruned.removed, "branch", "branches")));
    rewrite(&args.rewrite, model, &pruned.graph, Some(points), &talk)?;
    Ok(ExitCode::SUCCESS)
}
