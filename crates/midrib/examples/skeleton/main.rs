//! The skeleton of a black-and-white image, for example of a handwritten character. Mao2017,
//! section 6.6.
//!
//! ```text
//! cargo run --release --example skeleton -- picture.png [-o out.svg]
//! ```
//!
//! Dark pixels of a PNG, PGM or PBM image become points in the unit square. Their l1 graph has
//! loops, crossings and several components if the strokes do; the simplified graph is the skeleton,
//! which is drawn over the image.
//!
//! Crossing strokes overlap: branch points closer than one and a half stroke widths become one
//! crossing. Crossings of thin straight lines, whose pixels repeat exactly, may be split, especially
//! at 45 degrees.

mod drawing;
mod picture;
mod square;
#[cfg(test)]
mod tests;

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use midrib::graph::{Length, PrincipalGraph, Simplify};
use midrib::learn::rpg::Structure;
use midrib::learn::{AutoOr, Given, Method, NodeCount, Rpg};
use midrib::math::Matrix;
use midrib::{Points, Silent};

use drawing::draw;
use picture::Picture;
use square::Square;

const USAGE: &str = "usage: skeleton PICTURE [-o OUT.svg]   (a PNG, PGM or PBM image)";

/// The maximum number of nodes; with more pixels, several share a node.
const MAX_NODES: usize = 1000;

/// The minimum reach of a tip, in stroke widths; branch points are at least twice as far apart.
const MIN_TIP: f64 = 0.75;

/// The largest plausible share of an image that strokes cover.
const MAX_INK: f64 = 0.6;

fn main() -> ExitCode {
    match run(std::env::args_os().skip(1)) {
        Ok(report) => {
            println!("{report}");
            ExitCode::SUCCESS
        }
        Err(message) => {
            eprintln!("error: {message}");
            ExitCode::FAILURE
        }
    }
}

/// Runs the command; returns the report.
fn run(arguments: impl Iterator<Item = OsString>) -> Result<String, String> {
    let arguments: Vec<OsString> = arguments.collect();
    if arguments.iter().any(|argument| argument == "--help" || argument == "-h") {
        return Ok(USAGE.into());
    }
    let (input, output) = paths(arguments.into_iter())?;
    let of_input = |error: String| format!("{}: {error}", input.display());
    let bytes = fs::read(&input).map_err(|error| of_input(error.to_string()))?;
    let picture = Picture::decode(&bytes).map_err(of_input)?;
    let square = Square::around(&picture).ok_or_else(|| of_input(no_ink(&picture)))?;
    if let Some(doubt) = doubt(&picture) {
        eprintln!("note: {}: {doubt}", input.display());
    }
    let skeleton = skeleton(&picture, &square).map_err(|error| of_input(error.to_string()))?;
    fs::write(&output, draw(&picture, &square, &skeleton))
        .map_err(|error| format!("{}: {error}", output.display()))?;
    Ok(report(&input, &picture, &skeleton, &output))
}

fn paths(arguments: impl Iterator<Item = OsString>) -> Result<(PathBuf, PathBuf), String> {
    let mut arguments = arguments;
    let (mut input, mut output) = (None, None);
    while let Some(argument) = arguments.next() {
        if argument == "-o" {
            let path = arguments.next().ok_or_else(|| format!("-o needs a file name\n{USAGE}"))?;
            output = Some(PathBuf::from(path));
        } else if input.is_none() && !argument.to_string_lossy().starts_with('-') {
            input = Some(PathBuf::from(argument));
        } else {
            return Err(format!("{} is an unexpected argument\n{USAGE}", argument.display()));
        }
    }
    let input = input.ok_or(USAGE)?;
    let output = output.unwrap_or_else(|| input.with_extension("skeleton.svg"));
    if !output.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("svg")) {
        return Err(format!(
            "-o {}: the output is SVG, so the file name must end in .svg",
            output.display()
        ));
    }
    Ok((input, output))
}

fn no_ink(picture: &Picture) -> String {
    let Picture { width, height, .. } = picture;
    format!("no ink: none of the {width} x {height} pixels is darker than mid-gray")
}

/// A note if the ink hardly consists of strokes.
fn doubt(picture: &Picture) -> Option<String> {
    let share = picture.ink_pixels().count() as f64 / picture.ink.len() as f64;
    let percent = (100.0 * share).round();
    (share > MAX_INK).then(|| {
        format!("{percent} % of the image is ink, more than strokes usually cover: is it white on black?")
    })
}

/// Learns the l1 graph of the ink and simplifies it, then again by the width of the strokes; a single
/// pixel is its own skeleton.
fn skeleton(picture: &Picture, square: &Square) -> midrib::Result<PrincipalGraph> {
    let values: Vec<f64> = picture.ink_pixels().flat_map(|pixel| square.to_unit(pixel)).collect();
    if values.len() == 2 {
        return PrincipalGraph::new(Matrix::from_rows(&[values])?, &[], vec![1.0]);
    }
    let points = Points::from_f64(values, 2)?;
    let fitted = settings(points.len()).fit(&points, Given::default(), &mut Silent)?;
    let lines = fitted.graph()?.simplify(&Simplify::default())?.graph;
    let ink = points.len() as f64 / square.side.powi(2);
    let min_tip = MIN_TIP * ink / lines.length();
    if !min_tip.is_finite() {
        return Ok(lines);
    }
    let by_width = Simplify { min_tip: Length::Fixed(min_tip), ..Simplify::default() };
    Ok(lines.simplify(&by_width)?.graph)
}

/// The same settings for all images: one node per pixel up to a maximum. Beyond it the data weight
/// decreases, so that the ink of each node has the same weight. Mao2017 uses σ = 0.008 and γ = 100
/// for other characters; smaller values keep short strokes and close loops.
fn settings(n_pixels: usize) -> Rpg {
    let n_nodes = n_pixels.min(MAX_NODES);
    Rpg {
        structure: Structure::L1,
        n_nodes: if n_nodes < n_pixels { NodeCount::Exactly(n_nodes) } else { NodeCount::All },
        bandwidth: AutoOr::Fixed(0.003),
        data_weight: AutoOr::Fixed(30.0 * n_nodes as f64 / n_pixels as f64),
        n_neighbors: NodeCount::Exactly(4.min(n_nodes - 1)),
        reconstruction_weight: AutoOr::Fixed(0.4),
        ..Rpg::default()
    }
}

fn report(input: &Path, picture: &Picture, skeleton: &PrincipalGraph, output: &Path) -> String {
    let count =
        |number: usize, one: &str| format!("{number} {one}{}", if number == 1 { "" } else { "s" });
    let branch_points = skeleton.branch_points();
    let crossings = branch_points.iter().filter(|&&node| skeleton.degree(node) >= 4).count();
    format!(
        "{}: {}, {}, {}, {}, {}, {}; wrote {}",
        input.display(),
        count(picture.ink_pixels().count(), "pixel") + " of ink",
        count(skeleton.tips().len(), "tip"),
        count(branch_points.len() - crossings, "branch point"),
        count(crossings, "crossing"),
        count(skeleton.loops(), "loop"),
        count(skeleton.components().count, "component"),
        output.display()
    )
}
