//! Direct labels that do not overlap.

use crate::svg::{Anchor, Svg};

/// About the width of a letter in pixels, at 11 pixels of height.
const LETTER: f64 = 6.4;
const HEIGHT: f64 = 13.0;

/// Texts beside their places; each takes the first free side, or is left out.
#[derive(Default)]
pub struct Labels {
    /// Left, top, right, bottom of what is taken.
    taken: Vec<[f64; 4]>,
}

impl Labels {
    /// Keeps labels away from a disc.
    pub fn avoid(&mut self, [x, y]: [f64; 2], radius: f64) {
        self.taken.push([x - radius, y - radius, x + radius, y + radius]);
    }

    /// Writes a label beside a disc, on a white outline, if there is room.
    pub fn write(&mut self, svg: &mut Svg, [x, y]: [f64; 2], radius: f64, text: &str) {
        let text = shortened(text, 24);
        let width = LETTER * text.chars().count() as f64;
        let gap = radius + 3.0;
        let sides = [
            ([x + gap, y + 4.0], Anchor::Start, x + gap),
            ([x - gap, y + 4.0], Anchor::End, x - gap - width),
            ([x, y - gap - 1.0], Anchor::Middle, x - 0.5 * width),
            ([x, y + gap + 10.0], Anchor::Middle, x - 0.5 * width),
        ];
        for (place, anchor, left) in sides {
            let bottom = place[1] + 3.0;
            let space = [left, bottom - HEIGHT, left + width, bottom];
            if self.taken.iter().any(|other| overlap(other, &space)) {
                continue;
            }
            self.taken.push(space);
            let outline = "font-size=\"11\" stroke=\"#ffffff\" stroke-width=\"3\" \
                           stroke-linejoin=\"round\" paint-order=\"stroke\"";
            svg.text(place, anchor, &text, outline);
            return;
        }
    }
}

fn overlap(a: &[f64; 4], b: &[f64; 4]) -> bool {
    a[0] < b[2] && b[0] < a[2] && a[1] < b[3] && b[1] < a[3]
}

/// At most so many letters.
pub fn shortened(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.into();
    }
    text.chars().take(most - 1).chain(['…']).collect()
}
