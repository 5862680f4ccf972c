//! `midrib fates`: the probability of every tip for every point.

use std::process::ExitCode;

use midrib_tasks::{FatesRequest, count, fates, short, write_fates};

use crate::args::FatesArgs;
use crate::console::Console;
use crate::exit::Outcome;

pub fn run(args: &FatesArgs) -> Outcome<ExitCode> {
    let console = Console::unless(args.quiet);
    let request = FatesRequest { results: &args.model, root: &args.root };
    let found = fates(&request, &mut console.listener())?;
    let known: Vec<f64> = found.fates.entropy.iter().copied().filter(|x| x.is_finite()).collect();
    let tips: Vec<String> = found.fates.tips.iter().map(usize::to_string).collect();
    console.note(format!(
        "{}: tips {}; mean entropy {} bits over {}",
        count(tips.len(), "fate", "fates"),
        tips.join(", "),
        short(known.iter().sum::<f64>() / known.len().max(1) as f64),
        count(known.len(), "point", "points")
    ));
    if found.root.is_empty() {
        console.note("no root: all tips are fates; --root names where the graph begins");
    }
    write_fates(&found, &args.output, args.force)?;
    Ok(ExitCode::SUCCESS)
}
