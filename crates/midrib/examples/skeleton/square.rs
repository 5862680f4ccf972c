//! The unit square of the points.

use super::picture::Picture;

/// The square around the ink, in pixels.
pub struct Square {
    left: f64,
    top: f64,
    /// The width or height of the ink, whichever is larger.
    pub side: f64,
}

impl Square {
    /// The square around the ink; none if there is no ink.
    pub fn around(picture: &Picture) -> Option<Self> {
        let pixels = || picture.ink_pixels();
        let (left, right) = (pixels().map(|p| p.0).min()?, pixels().map(|p| p.0).max()?);
        let (top, bottom) = (pixels().map(|p| p.1).min()?, pixels().map(|p| p.1).max()?);
        let side = (right - left).max(bottom - top) + 1;
        Some(Self { left: left as f64, top: top as f64, side: side as f64 })
    }

    /// The middle of a pixel, in the unit square.
    pub fn to_unit(&self, (x, y): (usize, usize)) -> [f64; 2] {
        let unit = |pixel: usize, start: f64| (pixel as f64 + 0.5 - start) / self.side;
        [unit(x, self.left), unit(y, self.top)]
    }

    /// A place in the unit square, in the pixels of the picture.
    pub fn to_picture(&self, place: &[f64]) -> [f64; 2] {
        [self.left + self.side * place[0], self.top + self.side * place[1]]
    }
}
