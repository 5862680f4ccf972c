//! The objective after each sweep.

use super::Scene;
use crate::labels::Labels;
use crate::palette;
use crate::plot_area::{PlotArea, shown};

/// Draws the trace of the objective, which starts after `untraced` steps; `axes` are the names of
/// the step and the objective.
///
/// ```
/// use midrib::graph::PrincipalGraph;
/// use midrib::math::Matrix;
/// use midrib_report::{Coloring, Scene, convergence_view};
/// let graph = PrincipalGraph::new(Matrix::zeros(1, 1), &[], vec![1.0])?;
/// let scene = Scene { graph: &graph, projection: None, coloring: &Coloring::Plain, title: "" };
/// assert!(convergence_view(&scene, &[2.0, 1.0, 0.75], 0, ["sweep", "J"]).contains("0.75"));
/// # Ok::<(), midrib::Error>(())
/// ```
pub fn convergence_view(
    scene: &Scene<'_>,
    trace: &[f64],
    untraced: usize,
    axes: [&str; 2],
) -> String {
    let caption = match untraced {
        0 => format!("{} values, the first at the start.", trace.len()),
        _ => format!("{} values, the first after {} {untraced}.", trace.len(), axes[0]),
    };
    let (mut svg, area) = scene.page(&caption, true);
    let positions: Vec<[f64; 2]> =
        trace.iter().enumerate().map(|(at, &value)| [(at + untraced) as f64, value]).collect();
    let plot = PlotArea::around(area, positions.iter().copied(), false);
    plot.axes(&mut svg, axes);
    let line: Vec<[f64; 2]> = positions.iter().map(|position| plot.at(position)).collect();
    let color = palette::of_class(0);
    svg.line(&line, &format!("stroke=\"{color}\" stroke-width=\"2\" stroke-linejoin=\"round\""));
    if line.len() <= 120 {
        line.iter().for_each(|position| svg.circle(*position, 2.4, &format!("fill=\"{color}\"")));
    }
    if let (Some(&position), Some(&last)) = (line.last(), trace.last()) {
        let mut labels = Labels::default();
        labels.avoid([position[0] + 40.0, position[1]], 30.0);
        labels.write(&mut svg, [position[0], position[1] - 6.0], 3.0, &shown(last));
    }
    svg.finish()
}
