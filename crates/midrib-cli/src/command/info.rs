//! `midrib info`: what a learned graph looks like.

use std::process::ExitCode;

use midrib_io::Model;

use super::summary::Summary;
use crate::args::InfoArgs;
use crate::exit::Outcome;
use crate::talk::print;

pub fn run(args: &InfoArgs) -> Outcome<ExitCode> {
    let model = Model::read(&args.model)?;
    let summary = Summary::of(&model)?;
    let text = if args.json { format!("{:#}\n", summary.json()) } else { summary.text() };
    print(&text)?;
    Ok(ExitCode::SUCCESS)
}
