//! `midrib prune`: a learned graph without its weak branches.

use std::process::ExitCode;

use midrib::graph::TipRule;
use midrib_io::{Edit, Model, check_directory};

use super::rewrite::{rewrite, table};
use crate::args::PruneArgs;
use crate::exit::{Failure, Outcome};
use crate::talk::{Talk, count};

pub fn run(args: &PruneArgs) -> Outcome<ExitCode> {
    let talk = Talk::new(&args.rewrite.talk);
    let (min_share, min_length, min_support) = (args.min_share, args.min_length, args.min_support);
    let rule = TipRule { min_share, min_length, min_support, support: None };
    rule.check()?;
    let model = Model::read(&args.rewrite.model)?;
    model.require_lines("midrib prune")?;
    if min_support > 0.0 && model.support.is_none() {
        let results = args.rewrite.model.display();
        return Err(Failure::usage(format!(
            "--min-support {min_support}: the support of the branches is not known; find it with \
             `midrib bootstrap {results}`"
        )));
    }
    check_directory(&args.rewrite.output, args.rewrite.force)?;
    let points = table(&args.rewrite, &model)?;
    let graph = model.graph()?;
    let rule = TipRule { support: model.edge_support(), ..rule };
    let pruned = graph.prune(&rule, &points.points)?;
    talk.note(format!("{} removed", count(pruned.removed, "branch", "branches")));
    if pruned.empty > 0 {
        let empty = count(pruned.empty, "branch", "branches");
        talk.note(format!("{empty} without points removed or contracted"));
    }
    let edit = Edit::Prune { min_length, min_share, min_support };
    rewrite(&args.rewrite, model, (pruned.graph, &pruned.kept[..]), edit, Some(points), &talk)?;
    Ok(ExitCode::SUCCESS)
}
