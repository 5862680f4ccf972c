//! The unit square around the ink.

use super::picture::Picture;

/// The square around the ink, in pixels.
pub struct Square {
    left: f64,
    top: f64,
    /// The width or height of the ink, whichever is larger.
    pub side: f64,
}

impl Square {
    /// The square around the ink; `None` if there is no ink.
    pub fn around(picture: &Picture) -> Option<Self> {
        let pixels = || picture.ink_pixels();
        let (left, right) = (pixels().map(|p| p.0).min()?, pixels().map(|p| p.0).max()?);
        let (top, bottom) = (pixels().map(|p| p.1).min()?, pixels().map(|p| p.1).max()?);
        let side = (right - left).max(bottom - top) + 1;
        Some(Self { left: left as f64, top: top as f64, side: side as f64 })
    }

    /// The center of a pixel in the unit square.
    pub fn to_unit(&self, (x, y): (usize, usize)) -> [f64; 2] {
        let unit = |pixel: usize, start: f64| (pixel as f64 + 0.5 - start) / self.side;
        [unit(x, self.left), unit(y, self.top)]
    }

    /// The pixel coordinates of a position in the unit square.
    pub fn to_picture(&self, position: &[f64]) -> [f64; 2] {
        [self.left + self.side * position[0], self.top + self.side * position[1]]
    }
}
