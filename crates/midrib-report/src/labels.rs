//! Labels that do not overlap.

use crate::svg::{Anchor, Svg};

/// The approximate width of a letter in pixels, at a font size of 11 pixels.
const LETTER: f64 = 6.4;
const HEIGHT: f64 = 13.0;
/// The minimum space between labels side by side, so that they do not read as one.
const SPACE: f64 = 5.0;

/// Texts next to their positions; each is on the side where it hides least, or is left out.
#[derive(Default)]
pub struct Labels {
    /// Left, top, right, bottom of the occupied rectangles.
    taken: Vec<[f64; 4]>,
    /// The same for the labels.
    texts: Vec<[f64; 4]>,
    lines: Vec<[[f64; 2]; 2]>,
    dots: Vec<[f64; 2]>,
}

impl Labels {
    /// Keeps labels away from a disc.
    pub fn avoid(&mut self, [x, y]: [f64; 2], radius: f64) {
        self.taken.push([x - radius, y - radius, x + radius, y + radius]);
    }

    /// Keeps labels away from a line if possible.
    pub fn avoid_line(&mut self, from: [f64; 2], to: [f64; 2]) {
        self.lines.push([from, to]);
    }

    /// Keeps labels away from these dots if possible.
    pub fn avoid_dots(&mut self, dots: impl Iterator<Item = [f64; 2]>) {
        self.dots.extend(dots);
    }

    /// Writes a label next to a disc, with a white outline, if there is space.
    pub fn write(&mut self, svg: &mut Svg, [x, y]: [f64; 2], radius: f64, text: &str) {
        let text = shortened(text, 24);
        let width = LETTER * text.chars().count() as f64;
        let offset = radius + 3.0;
        let diagonal = 0.7 * offset;
        let sides = [
            ([x + offset, y + 4.0], Anchor::Start),
            ([x - offset, y + 4.0], Anchor::End),
            ([x, y - offset - 1.0], Anchor::Middle),
            ([x, y + offset + 10.0], Anchor::Middle),
            ([x + diagonal, y - diagonal - 1.0], Anchor::Start),
            ([x + diagonal, y + diagonal + 9.0], Anchor::Start),
            ([x - diagonal, y - diagonal - 1.0], Anchor::End),
            ([x - diagonal, y + diagonal + 9.0], Anchor::End),
            ([x + offset, y - offset - 1.0], Anchor::Start),
            ([x + offset, y + offset + 11.0], Anchor::Start),
            ([x - offset, y - offset - 1.0], Anchor::End),
            ([x - offset, y + offset + 11.0], Anchor::End),
        ];
        let free = sides.into_iter().filter_map(|(position, anchor)| {
            let left = match anchor {
                Anchor::Start => position[0],
                Anchor::Middle => position[0] - 0.5 * width,
                Anchor::End => position[0] - width,
            };
            let bottom = position[1] + 3.0;
            let space = [left, bottom - HEIGHT, left + width, bottom];
            let wider = [space[0] - SPACE, space[1], space[2] + SPACE, space[3]];
            let is_free = !self.taken.iter().any(|other| overlap(other, &space))
                && !self.texts.iter().any(|other| overlap(other, &wider));
            is_free.then(|| (self.hidden(&space), space, position, anchor))
        });
        if let Some((_, space, position, anchor)) = free.min_by_key(|(hidden, ..)| *hidden) {
            self.texts.push(space);
            let outline = "font-size=\"11\" stroke=\"#ffffff\" stroke-width=\"2.5\" \
                           stroke-opacity=\"0.8\" stroke-linejoin=\"round\" paint-order=\"stroke\"";
            svg.text(position, anchor, &text, outline);
        }
    }

    /// How much a label would hide; a line counts as many dots.
    fn hidden(&self, space: &[f64; 4]) -> usize {
        let dots = self.dots.iter().filter(|[x, y]| overlap(&[*x, *y, *x, *y], space)).count();
        let lines = self.lines.iter().filter(|line| crosses(line, space)).count();
        dots + 1000 * lines
    }
}

/// Whether a line crosses a rectangle: clips the line between each pair of sides.
fn crosses([from, to]: &[[f64; 2]; 2], space: &[f64; 4]) -> bool {
    let (mut first, mut last) = (0.0_f64, 1.0_f64);
    for d in 0..2 {
        let (step, low, high) = (to[d] - from[d], space[d] - from[d], space[d + 2] - from[d]);
        if step == 0.0 {
            if low > 0.0 || high < 0.0 {
                return false;
            }
            continue;
        }
        let (enter, leave) = (low / step, high / step);
        first = first.max(enter.min(leave));
        last = last.min(enter.max(leave));
    }
    first <= last
}

fn overlap(a: &[f64; 4], b: &[f64; 4]) -> bool {
    a[0] < b[2] && b[0] < a[2] && a[1] < b[3] && b[1] < a[3]
}

/// A text of at most `most` characters.
pub fn shortened(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.into();
    }
    text.chars().take(most - 1).chain(['…']).collect()
}

/// Lines of at most `most` characters, broken between words.
pub fn wrapped(text: &str, most: usize) -> Vec<String> {
    let mut lines: Vec<String> = vec![String::new()];
    for word in text.split(' ') {
        let full = |line: &String| line.chars().count() + 1 + word.chars().count() > most;
        match lines.last_mut() {
            Some(line) if line.is_empty() => line.push_str(word),
            Some(line) if !full(line) => *line += &format!(" {word}"),
            _ => lines.push(word.into()),
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_avoid_lines_and_dots() {
        let mut svg = Svg::new(100.0, 100.0, "");
        let mut labels = Labels::default();
        // There is a line to the right, and points to the left.
        labels.avoid_line([50.0, 50.0], [90.0, 50.0]);
        labels.avoid_dots([[40.0, 50.0], [42.0, 48.0]].into_iter());
        labels.write(&mut svg, [50.0, 50.0], 3.0, "7");
        assert!(svg.finish().contains("<text x=\"50\" y=\"43\" text-anchor=\"middle\""));
    }

    #[test]
    fn labels_keep_a_distance() {
        let mut svg = Svg::new(100.0, 100.0, "");
        let mut labels = Labels::default();
        labels.write(&mut svg, [20.0, 50.0], 3.0, "49");
        // The first ends at 38.8; to the right of 34 the second would start at 40.
        labels.write(&mut svg, [34.0, 50.0], 3.0, "28");
        let drawn = svg.finish();
        assert!(drawn.contains("<text x=\"26\" y=\"54\""), "{drawn}");
        assert!(!drawn.contains("<text x=\"40\" y=\"54\""), "{drawn}");
    }

    #[test]
    fn a_label_fits_where_four_chains_of_discs_meet() {
        let mut svg = Svg::new(100.0, 100.0, "");
        let mut labels = Labels::default();
        for step in [-24.0, -16.0, -8.0, 0.0, 8.0, 16.0, 24.0] {
            labels.avoid([50.0 + step, 50.0], 3.0);
            labels.avoid([50.0, 50.0 + step], 3.0);
        }
        labels.write(&mut svg, [50.0, 50.0], 3.0, "1");
        assert!(svg.finish().contains(">1</text>"));
    }

    #[test]
    fn lines_cross_or_miss_a_rectangle() {
        let space = [0.0, 0.0, 2.0, 1.0];
        assert!(crosses(&[[-1.0, 0.5], [3.0, 0.5]], &space));
        assert!(crosses(&[[1.0, 0.5], [9.0, 9.0]], &space));
        assert!(!crosses(&[[-1.0, 2.0], [3.0, 2.0]], &space));
        assert!(!crosses(&[[2.5, -1.0], [3.5, 1.0]], &space));
        assert!(!crosses(&[[-1.0, -9.0], [-1.0, 9.0]], &space));
    }

    #[test]
    fn long_texts_are_wrapped_between_words() {
        assert_eq!(wrapped("one two three", 8), ["one two", "three"]);
        assert_eq!(wrapped("", 8), [""]);
        assert_eq!(wrapped("incomprehensible", 8), ["incomprehensible"]);
    }
}
