//! How the graph changes with a setting.

use midrib::learn::{Scale, Tuning};

use super::Scene;
use crate::palette::{self, INK};
use crate::plot_area::{Area, PlotArea, log_ticks, shown, ticks};
use crate::svg::{Anchor, Svg};

/// The space above a curve for its name, in pixels.
const HEAD: f64 = 24.0;

/// Draws the measures along a tuning curve, one below the other; a dashed line marks the chosen
/// value.
///
/// ```
/// use midrib::graph::PrincipalGraph;
/// use midrib::learn::{Scale, Tuning, TuningPoint};
/// use midrib::math::Matrix;
/// use midrib_report::{Coloring, Scene, tuning_view};
/// let graph = PrincipalGraph::new(Matrix::zeros(1, 1), &[], vec![1.0])?;
/// let scene = Scene { graph: &graph, projection: None, coloring: &Coloring::Plain, title: "" };
/// let at = |value: f64, length| TuningPoint {
///     value, energy: None, mean_squared_distance: 0.1 * value, length, tips: 2,
/// };
/// let tuning = Tuning {
///     setting: "length_penalty".into(), chosen: 1.0, scale: Scale::Logarithmic, points: 600,
///     pilot: vec![], curve: vec![at(0.1, 5.0), at(1.0, 3.0), at(10.0, 2.0)],
/// };
/// assert!(tuning_view(&scene, &tuning).contains("length penalty"));
/// # Ok::<(), midrib::Error>(())
/// ```
pub fn tuning_view(scene: &Scene<'_>, tuning: &Tuning) -> String {
    let (mut svg, area) = scene.page(&tuning_caption(tuning), true);
    let measures = tuning.measures();
    let height = (area.bottom - area.top) / measures.len() as f64;
    for (row, (name, values)) in measures.iter().enumerate() {
        let top = area.top + row as f64 * height + HEAD;
        let panel = Area { top, bottom: area.top + (row + 1) as f64 * height, ..area };
        curve(&mut svg, panel, tuning, name, values, row + 1 == measures.len());
    }
    svg.finish()
}

/// Draws one measure; the last has the axis of the setting below it.
fn curve(svg: &mut Svg, area: Area, tuning: &Tuning, name: &str, values: &[f64], last: bool) {
    let across = |value: f64| match tuning.scale {
        Scale::Linear => value,
        Scale::Logarithmic => value.log10(),
    };
    let positions: Vec<[f64; 2]> =
        tuning.curve.iter().zip(values).map(|(graph, &y)| [across(graph.value), y]).collect();
    let plot = PlotArea::around(area, positions.iter().copied(), false);
    plot.lines(svg);
    let whole = values.iter().all(|value| value.fract() == 0.0);
    let left = match values {
        [first, rest @ ..] if rest.iter().all(|value| value == first) => vec![*first],
        _ => ticks(plot.shown(1), 5),
    };
    let left = left.into_iter().filter(|tick| !whole || tick.fract() == 0.0);
    plot.y_ticks(svg, &left.collect::<Vec<_>>());
    let title = "font-size=\"12\" font-weight=\"bold\"";
    svg.text([area.left, area.top - 7.0], Anchor::Start, name, title);
    let x = plot.at(&[across(tuning.chosen), 0.0])[0];
    let dashed = format!("stroke=\"{INK}\" stroke-dasharray=\"4 3\"");
    svg.line(&[[x, area.top], [x, area.bottom]], &dashed);
    let line: Vec<[f64; 2]> = positions.iter().map(|position| plot.at(position)).collect();
    let color = palette::of_class(0);
    svg.line(&line, &format!("stroke=\"{color}\" stroke-width=\"2\" stroke-linejoin=\"round\""));
    for (position, graph) in line.iter().zip(&tuning.curve) {
        let radius = if graph.value == tuning.chosen { 4.5 } else { 2.6 };
        svg.circle(*position, radius, &format!("fill=\"{color}\""));
    }
    if last {
        let (low, high) = plot.shown(0);
        let below = match tuning.scale {
            Scale::Linear => ticks((low, high), 6),
            Scale::Logarithmic => log_ticks((10_f64.powf(low), 10_f64.powf(high))),
        };
        let below: Vec<_> = below.into_iter().map(|x| (across(x), shown(x))).collect();
        plot.x_ticks(svg, &below);
        plot.x_name(svg, &setting_name(tuning));
    }
}

/// The name of the setting.
pub fn setting_name(tuning: &Tuning) -> String {
    match tuning.setting.as_str() {
        "n_nodes" => "number of nodes".into(),
        other => other.replace('_', " "),
    }
}

/// The caption of a tuning curve.
pub fn tuning_caption(tuning: &Tuning) -> String {
    let points = tuning.points;
    match (tuning.scale, tuning.pilot.last()) {
        (Scale::Linear, _) => {
            format!(
                "How the graph grew on at most {points} points, before tips were pruned or extended; \
                 the dashed line marks the chosen size."
            )
        }
        (Scale::Logarithmic, pilot) => {
            let mut caption = format!(
                "Trees on {points} points with other values of {}; the dashed line marks the chosen \
                 one.",
                setting_name(tuning)
            );
            if let Some(pilot) = pilot {
                caption += &format!(
                    " The choice was based on a noise level of {} around a tree of length {}.",
                    shown(pilot.noise),
                    shown(pilot.length)
                );
            }
            caption
        }
    }
}
