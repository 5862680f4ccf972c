//! `midrib path`: the path between two locations, and the points along it in order.

use std::process::ExitCode;

use midrib_tasks::{PathRequest, count, path, short, write_path};
use serde_json::json;

use crate::args::PathArgs;
use crate::console::Console;
use crate::exit::Outcome;

pub fn run(args: &PathArgs) -> Outcome<ExitCode> {
    let console = Console::new(&args.console);
    let ends = args.from.as_ref().zip(args.to.as_ref());
    let found = path(&PathRequest { results: &args.model, ends }, &mut console.listener())?;
    let nodes = &found.path.nodes;
    if console.json() {
        let summary =
            json!({"nodes": nodes, "length": found.path.length, "points": found.along.len()});
        console.answer(&format!("{summary:#}\n"))?;
        if args.output.as_os_str() == "-" {
            return Ok(ExitCode::SUCCESS);
        }
    } else {
        let nodes: Vec<String> = nodes.iter().map(usize::to_string).collect();
        console.note(format!(
            "{} along {}, length {}: nodes {}",
            count(found.along.len(), "point", "points"),
            count(found.path.edges.len(), "edge", "edges"),
            short(found.path.length),
            nodes.join(" ")
        ));
    }
    write_path(&found, &args.output, args.force)?;
    Ok(ExitCode::SUCCESS)
}
