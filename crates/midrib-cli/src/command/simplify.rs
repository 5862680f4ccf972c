//! `midrib simplify`: the skeleton of a learnt graph.

use std::path::Path;
use std::process::ExitCode;

use midrib::Points;
use midrib::graph::{Length, PrincipalGraph, Projection, Simplify};
use midrib_io::{Labels, Model, check_directory};
use serde_json::{Value, json};

use super::learn::{PlacedPoints, explained, node_columns, write_results};
use super::project::prepared;
use super::summary::{Summary, short};
use crate::args::SimplifyArgs;
use crate::exit::{Failure, Outcome};
use crate::talk::Talk;

pub fn run(args: &SimplifyArgs) -> Outcome<ExitCode> {
    let talk = Talk::new(&args.talk);
    let length = |given: Option<f64>| given.map_or(Length::Auto, Length::Fixed);
    let settings = Simplify {
        drop_below: args.drop_below,
        min_loop: length(args.min_loop),
        min_tip: length(args.min_tip),
        merge_chains: args.merge_chains,
    };
    settings.check()?;
    let mut model = Model::read(&args.model)?;
    check_directory(&args.output, args.force)?;
    let transform = model.transform(&args.model)?;
    let simplified = model.graph()?.simplify(&settings)?;
    let graph = &simplified.graph;
    if let Some(latent) = model.latent()? {
        let nodes = Points::from_f64(graph.nodes().as_slice(), graph.nodes().n_cols())?;
        model.latent.latent_nodes = Some(latent.project(&nodes)?);
    }
    model.nodes = graph.nodes().clone();
    model.edges = graph.edges().iter().map(|edge| (edge.a, edge.b, edge.weight)).collect();
    model.mass = graph.mass().to_vec();
    if let Value::Object(of_fit) = &mut model.settings {
        let done = json!({
            "drop_below": settings.drop_below,
            "min_loop": simplified.min_loop,
            "min_tip": simplified.min_tip,
            "merge_chains": settings.merge_chains,
        });
        of_fit.insert(Summary::SIMPLIFIED.into(), done);
    }
    let placed = match (place(args, &model, graph), &args.points) {
        (Ok(placed), _) => Some(placed),
        (Err(failure), Some(_)) => return Err(failure),
        (Err(failure), None) => {
            talk.note(format!(
                "points.csv is left out ({}); --points names the table",
                failure.message()
            ));
            None
        }
    };
    model.explained = match &placed {
        Some(placed) => explained(&placed.projection, &placed.points)?,
        None => None,
    };
    let columns = node_columns(graph, transform.as_ref(), &model.input.features)?;
    let rows = placed.as_ref().map(|placed| PlacedPoints {
        points: &placed.points,
        projection: &placed.projection,
        labels: &placed.labels,
    });
    write_results(&args.output, args.force, &model, graph, &columns, rows)?;
    let used = [("--min-loop", simplified.min_loop), ("--min-tip", simplified.min_tip)];
    for (flag, value) in used {
        talk.detail(format!("  {flag:<17} {}", short(value)));
    }
    Summary::of(&model)?.say(&[], &talk)?;
    talk.note(format!("written to {}", args.output.display()));
    Ok(ExitCode::SUCCESS)
}

/// The points that the model was learnt from, on the new graph.
struct Placed {
    points: Points<'static>,
    projection: Projection,
    labels: Vec<Labels>,
}

fn place(args: &SimplifyArgs, model: &Model, graph: &PrincipalGraph) -> Outcome<Placed> {
    let table = args.points.as_deref().unwrap_or(Path::new(&model.input.file));
    if args.points.is_none() && table == Path::new("-") {
        return Err(Failure::bad_data("they came from standard input"));
    }
    let (points, labels) =
        prepared(&args.model, model, table, &args.table, args.memory.max_memory)?;
    if args.points.is_none() && points.len() != model.input.rows {
        let reason =
            format!("has {} rows, the model was learnt from {}", points.len(), model.input.rows);
        return Err(Failure::bad_data(reason).within(table.display()));
    }
    let projection =
        graph.project(&points).map_err(|error| Failure::from(error).of_table(table))?;
    Ok(Placed { points, projection, labels })
}
