//! `midrib trends`: which features change along a graph, differ beyond a fork or between conditions.

use std::process::ExitCode;

use midrib_io::ReadOptions;
use midrib_tasks::{
    TrendSettings, TrendTest, TrendsRequest, count, trends, write_curves, write_trends,
};
use serde_json::json;

use crate::args::{Ends, NoiseArg, TrendsArgs};
use crate::console::Console;
use crate::exit::Outcome;
use crate::threads::set_threads;

pub fn run(args: &TrendsArgs) -> Outcome<ExitCode> {
    let console = Console::new(&args.console);
    set_threads(args.threads.threads)?;
    let test = match (&args.path, args.branch, &args.fork) {
        (Some(Ends(from, to)), ..) => TrendTest::Path(from.clone(), to.clone()),
        (_, Some(branch), _) => TrendTest::Branch(branch),
        (.., Some(fork)) => TrendTest::Fork(fork.clone()),
        _ => TrendTest::Whole,
    };
    let request = TrendsRequest {
        results: &args.model,
        features: args.features.as_deref(),
        options: ReadOptions {
            id: args.id.clone(),
            labels: args.label.clone(),
            use_rep: args.use_rep.clone(),
            gaps: true,
            ..ReadOptions::default()
        },
        settings: TrendSettings {
            test,
            counts: args.noise == NoiseArg::Counts,
            covariates: args.covariate.clone(),
            conditions: args.condition.clone().zip(args.sample.clone()),
            n_curves: if args.curves.is_some() { args.n_curves } else { 0 },
            seed: args.seed,
        },
    };
    let found = trends(&request, &mut console.listener())?;
    if let Some(path) = &args.curves {
        write_curves(&found.table, args.n_modules, args.seed, path, args.force)?;
    }
    let (tested, untested, discoveries) = found.table.counts();
    if console.json() {
        let summary = json!({
            "features": found.table.len(), "tested": tested, "discoveries": discoveries,
            "null": "given",
        });
        console.answer(&format!("{summary:#}\n"))?;
        if args.output.as_os_str() == "-" {
            return Ok(ExitCode::SUCCESS);
        }
    } else {
        console.note(format!(
            "{} of {} tested ({untested} not): q below 0.05, null = given",
            discoveries,
            count(tested, "feature", "features")
        ));
    }
    write_trends(&found.table, &args.output, args.force)?;
    Ok(ExitCode::SUCCESS)
}
