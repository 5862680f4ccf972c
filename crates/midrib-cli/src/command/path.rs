//! `midrib path`: the way between two places, and the points along it in order.

use std::process::ExitCode;

use midrib_io::{write_file, write_table};
use serde_json::json;

use super::results::Results;
use super::summary::short;
use crate::args::PathArgs;
use crate::exit::{Failure, Outcome};
use crate::talk::{Talk, count};

pub fn run(args: &PathArgs) -> Outcome<ExitCode> {
    let talk = Talk::new(&args.talk);
    let results = Results::read(&args.model)?;
    results.hint(&talk)?;
    results.model.require_lines("midrib path")?;
    let graph = results.model.graph()?;
    let path = match (&args.from, &args.to) {
        (Some(from), Some(to)) => {
            let ends = [(from, "from"), (to, "to")]
                .map(|(at, setting)| results.find(std::slice::from_ref(at), setting, &talk));
            let [from, to] = ends;
            let (from, to) = (from?[0], to?[0]);
            if from == to {
                talk.note(format!("--from, --to: both are node {from}, so the path has no length"));
            }
            graph.path(from, to)?.ok_or_else(|| {
                let of_node = graph.components().of_node;
                Failure::usage(format!(
                    "--from, --to: node {from} is in component {}, node {to} in component {}: no \
                     path leads from one to the other",
                    of_node[from], of_node[to]
                ))
            })?
        }
        _ => graph.longest_path()?.ok_or_else(|| Failure::bad_data("the graph has no nodes"))?,
    };
    let along = graph.points_along(&path, &results.places.projection)?;
    let nodes: Vec<String> = path.nodes.iter().map(usize::to_string).collect();
    if talk.json() {
        let found = json!({"nodes": path.nodes, "length": path.length, "points": along.len()});
        talk.answer(&format!("{found:#}\n"))?;
    } else {
        talk.note(format!(
            "{} along {}, length {}: nodes {}",
            count(along.len(), "point", "points"),
            count(path.edges.len(), "edge", "edges"),
            short(path.length),
            nodes.join(" ")
        ));
    }
    if talk.json() && args.output.as_os_str() == "-" {
        return Ok(ExitCode::SUCCESS);
    }
    let labels = &results.places.labels;
    let mut header = vec!["id", "position", "distance"];
    header.extend(labels.iter().map(|labels| labels.name.as_str()));
    let rows = along.iter().map(|at| {
        let numbers = [at.position, results.places.projection.distance[at.point]];
        let mut row = vec![results.places.ids[at.point].clone()];
        row.extend(numbers.map(|x| x.to_string()));
        row.extend(labels.iter().map(|labels| labels.values[at.point].clone()));
        row
    });
    write_file(&args.output, args.force, |path| write_table(path, &header, rows))?;
    Ok(ExitCode::SUCCESS)
}
