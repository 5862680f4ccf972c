//! The skeleton over the image, as SVG.

use std::fmt::{self, Write};

use midrib::graph::PrincipalGraph;

use super::picture::Picture;
use super::square::Square;

/// Draws the ink in light gray, the skeleton in blue, its tips as open circles and its branch
/// points as orange dots.
pub fn draw(picture: &Picture, square: &Square, skeleton: &PrincipalGraph) -> String {
    let mut svg = String::new();
    // Writing to a string does not fail.
    let _ = write_svg(&mut svg, picture, square, skeleton);
    svg
}

fn write_svg(
    svg: &mut String,
    picture: &Picture,
    square: &Square,
    skeleton: &PrincipalGraph,
) -> fmt::Result {
    let Picture { width, height, ink } = picture;
    let line = square.side / 80.0;
    writeln!(
        svg,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{}\">",
        (*width).max(400)
    )?;
    writeln!(svg, "<rect width=\"{width}\" height=\"{height}\" fill=\"#fff\"/>")?;
    write!(svg, "<path fill=\"#ccc\" shape-rendering=\"crispEdges\" d=\"")?;
    for (y, row) in ink.chunks(*width).enumerate() {
        let mut x = 0;
        for run in row.chunk_by(|a, b| a == b) {
            if run[0] {
                write!(svg, "M{x} {y}h{n}v1h-{n}z", n = run.len())?;
            }
            x += run.len();
        }
    }
    writeln!(svg, "\"/>")?;

    let position = |node: usize| square.to_picture(skeleton.nodes().row(node));
    write!(svg, "<path fill=\"none\" stroke=\"#1f6fb4\" stroke-width=\"{line:.3}\"")?;
    write!(svg, " stroke-linecap=\"round\" stroke-linejoin=\"round\" d=\"")?;
    for branch in skeleton.branches() {
        for (i, &node) in branch.nodes.iter().enumerate() {
            let [x, y] = position(node);
            write!(svg, "{}{x:.2} {y:.2}", if i == 0 { 'M' } else { 'L' })?;
        }
        if let [isolated] = branch.nodes[..] {
            let [x, y] = position(isolated);
            write!(svg, "L{x:.2} {y:.2}")?;
        }
    }
    writeln!(svg, "\"/>")?;
    for tip in skeleton.tips() {
        let [x, y] = position(tip);
        write!(svg, "<circle cx=\"{x:.2}\" cy=\"{y:.2}\" r=\"{:.3}\" fill=\"#fff\"", 1.2 * line)?;
        writeln!(svg, " stroke=\"#1f6fb4\" stroke-width=\"{:.3}\"/>", 0.6 * line)?;
    }
    for point in skeleton.branch_points() {
        let [x, y] = position(point);
        let radius = 1.4 * line;
        writeln!(svg, "<circle cx=\"{x:.2}\" cy=\"{y:.2}\" r=\"{radius:.3}\" fill=\"#e07b00\"/>")?;
    }
    writeln!(svg, "</svg>")
}
