//! `midrib simplify`: the skeleton of a learned graph.

use std::process::ExitCode;

use midrib::graph::{Length, Simplify};
use midrib_io::{Edit, Model, check_directory};

use super::rewrite::{rewrite, table};
use super::summary::short;
use crate::args::SimplifyArgs;
use crate::exit::Outcome;
use crate::talk::Talk;

pub fn run(args: &SimplifyArgs) -> Outcome<ExitCode> {
    let talk = Talk::new(&args.rewrite.talk);
    let length = |given: Option<f64>| given.map_or(Length::Auto, Length::Fixed);
    let settings = Simplify {
        drop_below: args.drop_below,
        min_loop: length(args.min_loop),
        min_tip: length(args.min_tip),
        merge_chains: args.merge_chains,
    };
    settings.check()?;
    let model = Model::read(&args.rewrite.model)?;
    model.require_lines("midrib simplify")?;
    check_directory(&args.rewrite.output, args.rewrite.force)?;
    let simplified = model.graph()?.simplify(&settings)?;
    let edit = Edit::Simplify {
        drop_below: settings.drop_below,
        min_loop: simplified.min_loop,
        min_tip: simplified.min_tip,
        merge_chains: settings.merge_chains,
    };
    let points = match (table(&args.rewrite, &model), &args.rewrite.points) {
        (Ok(points), _) => Some(points),
        (Err(failure), Some(_)) => return Err(failure),
        (Err(failure), None) => {
            talk.note(format!(
                "points.csv is left out ({}); --points names the table",
                failure.message()
            ));
            None
        }
    };
    let used = [("--min-loop", simplified.min_loop), ("--min-tip", simplified.min_tip)];
    for (flag, value) in used {
        talk.detail(format!("  {flag:<17} {}", short(value)));
    }
    let changed = (simplified.graph, &simplified.kept[..]);
    rewrite(&args.rewrite, model, changed, edit, points, &talk)?;
    Ok(ExitCode::SUCCESS)
}
