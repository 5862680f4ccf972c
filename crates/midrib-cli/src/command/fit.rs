//! `midrib fit`: a table in, a directory with the learned object out.

use std::process::ExitCode;

use midrib::learn::{End, Entry};
use midrib_tasks::{REPORT, TableFit, check_fit, fit_distance_table, fit_table};
use serde_json::{Map, Value};

use super::root::print_roots;
use super::summary_text::print_summary;
use crate::args::FitArgs;
use crate::console::Console;
use crate::default_output::default_output;
use crate::exit::{INTERRUPTED, NOT_CONVERGED, OK, Outcome};
use crate::threads::set_threads;
use crate::typed_command::typed_command;

pub fn run(args: FitArgs, entry: &Entry, settings: Map<String, Value>) -> Outcome<ExitCode> {
    let console = Console::new(&args.console);
    set_threads(args.threads.threads)?;
    let method = entry.parse(&Value::Object(settings))?;
    let of_distances = args.distances.is_some();
    let given = args.given();
    // One of them is there, or the arguments would have been refused.
    let input = args.distances.or(args.input).unwrap_or_default();
    let request = TableFit {
        options: args.table.options(),
        preparation: args.prepare.preparation()?,
        max_memory: args.prepare.max_memory,
        entry,
        method: &*method,
        given,
        output: args.output.unwrap_or_else(|| default_output(&input, "midrib")),
        input,
        root: args.root,
        force: args.force,
        command: typed_command(),
    };
    let output = request.output.display();
    let fitted = match (of_distances, args.dry_run) {
        (true, dry_run) => fit_distance_table(&request, dry_run, &mut console.listener())?,
        (false, false) => Some(fit_table(&request, &mut console.listener())?),
        (false, true) => {
            check_fit(&request, &mut console.listener())?;
            None
        }
    };
    let Some(fitted) = fitted else {
        console.note(format!("dry run: would learn with {} and write {output}", entry.name));
        return Ok(ExitCode::SUCCESS);
    };
    print_summary(&fitted.model, &fitted.summary, &fitted.choices, &console)?;
    if let (Some(roots), false) = (&fitted.roots, console.json()) {
        print_roots(roots, &console)?;
    }
    console.note(format!(
        "written to {output} in {:.1} s; open {} in a browser",
        fitted.seconds,
        request.output.join(REPORT).display()
    ));
    if let Some(refused) = fitted.refused_root {
        console.note(format!("without a root: give one with midrib root {output} --root"));
        return Err(refused.into());
    }
    Ok(exit_code(fitted.end, args.strict))
}

/// The exit code of a fit that ended like this.
pub fn exit_code(end: End, strict: bool) -> ExitCode {
    ExitCode::from(match end {
        End::Interrupted => INTERRUPTED,
        End::MaxIter | End::Stalled if strict => NOT_CONVERGED,
        _ => OK,
    })
}
