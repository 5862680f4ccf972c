//! The legend of a drawing.

use crate::coloring::{Coloring, range, share};
use crate::labels::shortened;
use crate::palette;
use crate::plot_area::{shown, ticks};
use crate::svg::{Anchor, Svg};

/// The height of a row in pixels.
const ROW: f64 = 18.0;

/// Draws the legend downward from its top left corner.
pub fn legend(svg: &mut Svg, [x, y]: [f64; 2], coloring: &Coloring) {
    match coloring {
        Coloring::Plain => {}
        Coloring::Classes { title, names, of_point } => {
            heading(svg, [x, y], title);
            for (class, name) in names.iter().enumerate() {
                entry(svg, [x, y], class, palette::of_class(class), name);
            }
            if of_point.contains(&None) {
                entry(svg, [x, y], names.len(), palette::NONE, "no label");
            }
        }
        Coloring::Values { title, values } => {
            heading(svg, [x, y], title);
            let (low, high) = range(values);
            const STEPS: usize = 60;
            let height = 120.0;
            let top = y + 12.0;
            for step in 0..STEPS {
                let share = 1.0 - (step as f64 + 0.5) / STEPS as f64;
                let size = [14.0, height / STEPS as f64 + 0.5];
                let fill = format!("fill=\"{}\"", palette::of_share(share));
                svg.rect([x, top + step as f64 * height / STEPS as f64], size, &fill);
            }
            let round = ticks((low, high), 5);
            for value in if round.len() < 2 { vec![low, high] } else { round } {
                let y = top + (1.0 - share(value, low, high)) * height;
                svg.line(&[[x + 14.0, y], [x + 18.0, y]], "stroke=\"#777777\"");
                svg.text([x + 22.0, y + 4.0], Anchor::Start, &shown(value), "font-size=\"11\"");
            }
            if values.iter().any(|value| !value.is_finite()) {
                let position = [x, y + height + 10.0];
                entry(svg, position, 0, palette::NONE, "no value");
            }
        }
    }
}

fn heading(svg: &mut Svg, position: [f64; 2], title: &str) {
    svg.text(position, Anchor::Start, &shortened(title, 22), "font-weight=\"bold\"");
}

fn entry(svg: &mut Svg, [x, y]: [f64; 2], row: usize, color: &str, name: &str) {
    let y = y + ROW * (row + 1) as f64;
    svg.circle([x + 6.0, y - 4.0], 5.0, &format!("fill=\"{color}\""));
    svg.text([x + 17.0, y], Anchor::Start, &shortened(name, 24), "");
}
