//! `midrib draw`: a picture of a learned object.

use std::process::ExitCode;

use midrib_io::ReadOptions;
use midrib_tasks::{
    DrawResults, PictureSettings, TrainingRequest, draw_results, is_png, write_picture,
};

use crate::args::DrawArgs;
use crate::console::{Console, print};
use crate::exit::Outcome;

pub fn run(args: &DrawArgs) -> Outcome<ExitCode> {
    let console = Console::unless(args.quiet);
    let to_stdout = args.output.as_os_str() == "-";
    if !to_stdout {
        is_png(&args.output)?;
    }
    let request = DrawResults {
        training: TrainingRequest {
            results: &args.model,
            table: args.points.as_deref(),
            options: ReadOptions::default(),
            max_memory: args.memory.max_memory,
        },
        settings: PictureSettings {
            view: args.view.into(),
            color: args.color.clone(),
            axes: args.axes.as_ref().map(|axes| axes.0.clone()),
            background: args.background.map(Into::into),
            projections: args.projections,
        },
        root: &args.root,
    };
    let svg = draw_results(&request, &mut console.listener())?;
    if to_stdout {
        print(&svg)?;
        return Ok(ExitCode::SUCCESS);
    }
    write_picture(svg, &args.output, args.force)?;
    console.note(format!("drawn to {}", args.output.display()));
    Ok(ExitCode::SUCCESS)
}
