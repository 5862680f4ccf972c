//! `midrib info`: the summary of a learned object.

use std::process::ExitCode;

use midrib_io::Model;
use midrib_tasks::summarize;
use serde_json::json;

use super::summary_text::summary_text;
use crate::args::InfoArgs;
use crate::console::print;
use crate::exit::Outcome;

pub fn run(args: &InfoArgs) -> Outcome<ExitCode> {
    let model = Model::read(&args.model)?;
    let summary = summarize(&model)?;
    print(&match args.json {
        true => format!("{:#}\n", json!(summary)),
        false => summary_text(&model, &summary),
    })?;
    Ok(ExitCode::SUCCESS)
}
