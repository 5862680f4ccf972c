//! Mapping data to pixels, and drawing axes.

use crate::svg::{Anchor, Svg};

/// The share of the area that the data occupies.
const FILL: f64 = 0.96;

/// A rectangle of the page: left, top, right, bottom.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Area {
    pub left: f64,
    pub top: f64,
    pub right: f64,
    pub bottom: f64,
}

/// Maps data to an area of the page, with y upward.
#[derive(Clone, Copy, Debug)]
pub struct PlotArea {
    pub area: Area,
    low: [f64; 2],
    high: [f64; 2],
    /// Pixels per unit.
    scale: [f64; 2],
    /// The pixel at the center of the data.
    middle: [f64; 2],
}

impl PlotArea {
    /// A plot area that contains all positions with a small margin; with `equal`, x and y have the
    /// same scale.
    pub fn around(area: Area, positions: impl Iterator<Item = [f64; 2]>, equal: bool) -> Self {
        let (mut low, mut high) = ([f64::INFINITY; 2], [f64::NEG_INFINITY; 2]);
        for position in positions.filter(|p| p.iter().all(|x| x.is_finite())) {
            for d in 0..2 {
                low[d] = low[d].min(position[d]);
                high[d] = high[d].max(position[d]);
            }
        }
        for d in 0..2 {
            if low[d] > high[d] {
                (low[d], high[d]) = (0.0, 1.0);
            }
        }
        let size = [area.right - area.left, area.bottom - area.top];
        let mut scale = [0, 1].map(|d| {
            let half = 0.5 * high[d] - 0.5 * low[d];
            if half > 0.0 { 0.5 * FILL * size[d] / half } else { f64::INFINITY }
        });
        let least = scale[0].min(scale[1]);
        for s in &mut scale {
            if equal || !s.is_finite() {
                *s = if least.is_finite() { least } else { 1.0 };
            }
        }
        let middle = [0.5 * (area.left + area.right), 0.5 * (area.top + area.bottom)];
        Self { area, low, high, scale, middle }
    }

    /// The pixel at a position.
    pub fn at(&self, position: &[f64]) -> [f64; 2] {
        let offset = |d: usize| {
            let center = 0.5 * self.low[d] + 0.5 * self.high[d];
            let pixels = (position[d] - center) * self.scale[d];
            if pixels.is_finite() { pixels } else { 0.0 }
        };
        [self.middle[0] + offset(0), self.middle[1] - offset(1)]
    }

    /// Draws both axes with ticks and names.
    pub fn axes(&self, svg: &mut Svg, names: [&str; 2]) {
        let Area { left, top, bottom, .. } = self.area;
        self.lines(svg);
        let below: Vec<_> = ticks(self.shown(0), 6).into_iter().map(|x| (x, shown(x))).collect();
        self.x_ticks(svg, &below);
        self.y_ticks(svg, &ticks(self.shown(1), 6));
        self.x_name(svg, names[0]);
        let (x, y) = (left - 50.0, 0.5 * (top + bottom));
        let turn = format!("transform=\"rotate(-90 {x:.1} {y:.1})\"");
        svg.text([x, y], Anchor::Middle, names[1], &turn);
    }

    /// Draws the lines of the axes.
    pub fn lines(&self, svg: &mut Svg) {
        let Area { left, top, right, bottom } = self.area;
        let positions = [[left, top], [left, bottom], [right, bottom]];
        svg.line(&positions, "stroke=\"#b8b8b8\" stroke-width=\"1\"");
    }

    /// Draws ticks with labels below the area.
    pub fn x_ticks(&self, svg: &mut Svg, ticks: &[(f64, String)]) {
        let bottom = self.area.bottom;
        svg.open("font-size=\"11\" fill=\"#555555\"");
        for (tick, text) in ticks {
            let x = self.at(&[*tick, 0.0])[0];
            svg.line(&[[x, bottom], [x, bottom + 4.0]], "stroke=\"#b8b8b8\"");
            svg.text([x, bottom + 17.0], Anchor::Middle, text, "");
        }
        svg.close();
    }

    /// Draws ticks with numbers left of the area.
    pub fn y_ticks(&self, svg: &mut Svg, ticks: &[f64]) {
        let left = self.area.left;
        svg.open("font-size=\"11\" fill=\"#555555\"");
        for &tick in ticks {
            let y = self.at(&[0.0, tick])[1];
            svg.line(&[[left - 4.0, y], [left, y]], "stroke=\"#b8b8b8\"");
            svg.text([left - 7.0, y + 4.0], Anchor::End, &shown(tick), "");
        }
        svg.close();
    }

    /// Writes the name of the horizontal axis.
    pub fn x_name(&self, svg: &mut Svg, name: &str) {
        let Area { left, right, bottom, .. } = self.area;
        svg.text([0.5 * (left + right), bottom + 36.0], Anchor::Middle, name, "");
    }

    /// The range of the data that the area spans.
    pub fn shown(&self, d: usize) -> (f64, f64) {
        let Area { left, top, right, bottom } = self.area;
        let half = 0.5 * [right - left, bottom - top][d] / self.scale[d];
        let center = 0.5 * self.low[d] + 0.5 * self.high[d];
        (center - half, center + half)
    }
}

/// About `count` round numbers between two values.
pub fn ticks((low, high): (f64, f64), count: usize) -> Vec<f64> {
    let span = high - low;
    if !(span.is_finite() && span > 0.0) {
        return vec![];
    }
    let rough = span / count as f64;
    let power = 10_f64.powf(rough.log10().floor());
    let step = [1.0, 2.0, 5.0, 10.0].map(|f| f * power).into_iter().find(|s| *s >= rough);
    let step = step.unwrap_or(rough);
    let first = (low / step).ceil();
    let n = ((high / step).floor() - first).clamp(0.0, 3.0 * count as f64) as usize;
    (0..=n).map(|i| (first + i as f64) * step).filter(|t| t.is_finite()).collect()
}

/// Ticks at 1 and 3 times powers of ten, for a logarithmic axis; over many powers only at 1.
pub fn log_ticks((low, high): (f64, f64)) -> Vec<f64> {
    if !(low > 0.0 && low <= high && high.is_finite()) {
        return vec![];
    }
    let powers = low.log10().floor() as i32..=high.log10().ceil() as i32;
    let firsts: &[f64] = if high / low > 1e4 { &[1.0] } else { &[1.0, 3.0] };
    let all = powers.flat_map(|power| firsts.iter().map(move |first| first * 10_f64.powi(power)));
    all.filter(|tick| (low..=high).contains(tick)).collect()
}

/// A number in few characters.
pub fn shown(value: f64) -> String {
    let value = value + 0.0;
    let size = value.abs();
    if value == 0.0 {
        "0".into()
    } else if (1e-3..1e5).contains(&size) {
        let text = format!("{value:.6}");
        let short = format!("{:.*}", 4_usize.saturating_sub(size.log10().max(0.0) as usize), value);
        let text = if short.len() < text.len() { short } else { text };
        if text.contains('.') {
            text.trim_end_matches('0').trim_end_matches('.').into()
        } else {
            text
        }
    } else {
        format!("{value:.1e}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_and_inside() {
        assert_eq!(ticks((0.0, 1.0), 5), [0.0, 0.2, 0.4, 0.6000000000000001, 0.8, 1.0]);
        assert_eq!(ticks((-3.0, 12.0), 5), [0.0, 5.0, 10.0]);
        assert!(ticks((1.0, 1.0), 5).is_empty());
        assert!(ticks((f64::NAN, 1.0), 5).is_empty());
        assert!(ticks((-1e308, 1e308), 5).is_empty());
    }

    #[test]
    fn logarithmic_ticks_are_ones_and_threes() {
        assert_eq!(log_ticks((0.5, 40.0)), [1.0, 3.0, 10.0, 30.0]);
        assert_eq!(log_ticks((0.5, 1e5)), [1.0, 10.0, 100.0, 1000.0, 10000.0, 100000.0]);
        assert!(log_ticks((0.0, 1.0)).is_empty());
        assert!(log_ticks((f64::NAN, 1.0)).is_empty());
    }

    #[test]
    fn numbers_are_short() {
        for (value, text) in [
            (0.6000000000000001, "0.6"),
            (-0.0, "0"),
            (12.5, "12.5"),
            (1e6, "1.0e6"),
            (0.25, "0.25"),
        ] {
            assert_eq!(shown(value), text);
        }
    }

    #[test]
    fn every_position_is_inside_the_area() {
        let area = Area { left: 10.0, top: 20.0, right: 110.0, bottom: 220.0 };
        let positions = [[0.0, 0.0], [4.0, 2.0], [f64::NAN, 1.0]];
        let plot = PlotArea::around(area, positions.into_iter(), false);
        assert_eq!((plot.at(&[0.0, 0.0]), plot.at(&[4.0, 2.0])), ([12.0, 216.0], [108.0, 24.0]));
        let plot = PlotArea::around(area, positions.into_iter(), true);
        assert_eq!((plot.at(&[0.0, 0.0]), plot.at(&[4.0, 2.0])), ([12.0, 144.0], [108.0, 96.0]));
        assert_eq!(
            PlotArea::around(area, [[3.0, 3.0]].into_iter(), true).at(&[3.0, 3.0]),
            [60.0, 120.0]
        );
        let huge = PlotArea::around(area, [[-1e308, 0.0], [1e308, 1.0]].into_iter(), false);
        assert_eq!(huge.at(&[1e308, 1.0]), [108.0, 24.0]);
    }
}
