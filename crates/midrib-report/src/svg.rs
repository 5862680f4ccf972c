//! SVG, written element by element.

use std::fmt::{Display, Write};

/// The fonts of all text; the first available one is used.
const FONTS: &str = "Helvetica, Arial, 'DejaVu Sans', sans-serif";

/// The alignment of a text relative to its position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Anchor {
    Start,
    Middle,
    End,
}

/// A drawing that grows element by element; later ones are on top.
pub struct Svg {
    width: f64,
    height: f64,
    body: String,
}

impl Svg {
    /// An empty drawing with a title for screen readers.
    pub fn new(width: f64, height: f64, title: &str) -> Self {
        let mut svg = Self { width, height, body: String::new() };
        svg.raw(&format!("<title>{}</title>", escaped(title)));
        svg.raw(&format!(
            "<rect width=\"{}\" height=\"{}\" fill=\"#ffffff\"/>",
            Short(width),
            Short(height)
        ));
        svg
    }

    fn raw(&mut self, element: &str) {
        self.body.push_str(element);
        self.body.push('\n');
    }

    /// Opens a group that shares these attributes.
    pub fn open(&mut self, attributes: &str) {
        self.raw(&format!("<g {attributes}>"));
    }

    pub fn close(&mut self) {
        self.raw("</g>");
    }

    pub fn circle(&mut self, [x, y]: [f64; 2], radius: f64, attributes: &str) {
        let (x, y, r) = (Short(x), Short(y), Short(radius));
        self.raw(&format!("<circle cx=\"{x}\" cy=\"{y}\" r=\"{r}\" {attributes}/>"));
    }

    pub fn rect(&mut self, [x, y]: [f64; 2], [width, height]: [f64; 2], attributes: &str) {
        let (x, y, w, h) = (Short(x), Short(y), Short(width), Short(height));
        self.raw(&format!("<rect x=\"{x}\" y=\"{y}\" width=\"{w}\" height=\"{h}\" {attributes}/>"));
    }

    /// A polyline.
    pub fn line(&mut self, positions: &[[f64; 2]], attributes: &str) {
        let mut path = String::new();
        for (i, [x, y]) in positions.iter().enumerate() {
            let letter = if i == 0 { 'M' } else { 'L' };
            let _ = write!(path, "{letter}{} {}", Short(*x), Short(*y));
        }
        self.path(&path, &format!("fill=\"none\" {attributes}"));
    }

    pub fn path(&mut self, path: &str, attributes: &str) {
        self.raw(&format!("<path d=\"{path}\" {attributes}/>"));
    }

    /// The slice of a pie between two shares of a turn, clockwise from the top.
    pub fn slice(&mut self, [x, y]: [f64; 2], radius: f64, from: f64, to: f64, fill: &str) {
        let rim = |share: f64| {
            let (sin, cos) = (share * std::f64::consts::TAU).sin_cos();
            [x + radius * sin, y - radius * cos]
        };
        let ([x1, y1], [x2, y2]) = (rim(from), rim(to));
        let large = u8::from(to - from > 0.5);
        let r = Short(radius);
        let path = format!(
            "M{} {}L{} {}A{r} {r} 0 {large} 1 {} {}Z",
            Short(x),
            Short(y),
            Short(x1),
            Short(y1),
            Short(x2),
            Short(y2)
        );
        self.path(&path, &format!("fill=\"{fill}\""));
    }

    /// A text with any content.
    pub fn text(&mut self, [x, y]: [f64; 2], anchor: Anchor, text: &str, attributes: &str) {
        let anchor = match anchor {
            Anchor::Start => "start",
            Anchor::Middle => "middle",
            Anchor::End => "end",
        };
        let (x, y) = (Short(x), Short(y));
        self.raw(&format!(
            "<text x=\"{x}\" y=\"{y}\" text-anchor=\"{anchor}\" {attributes}>{}</text>",
            escaped(text)
        ));
    }

    /// The whole document.
    pub fn finish(self) -> String {
        let (w, h) = (Short(self.width), Short(self.height));
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{w}\" height=\"{h}\" \
             viewBox=\"0 0 {w} {h}\" role=\"img\" font-family=\"{FONTS}\" font-size=\"12\" \
             fill=\"#333333\">\n{}</svg>\n",
            self.body
        )
    }
}

/// Text with markup escaped; control characters, which XML does not allow, become spaces.
pub fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\'' => safe.push_str("&#39;"),
            c if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') => safe.push(' '),
            c => safe.push(c),
        }
    }
    safe
}

/// A coordinate rounded to a hundredth of a pixel.
struct Short(f64);

impl Display for Short {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let rounded = (self.0 * 100.0).round() / 100.0 + 0.0;
        write!(f, "{rounded}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn data_never_becomes_markup() {
        let mut svg = Svg::new(10.0, 10.0, "</title><script>alert(1)</script>");
        svg.text([1.0, 2.0], Anchor::Middle, "\"><script>'&\u{0}", "");
        let text = svg.finish();
        assert!(!text.contains("<script"), "{text}");
        assert!(text.contains("&quot;&gt;&lt;script&gt;&#39;&amp; </text>"), "{text}");
    }

    #[test]
    fn numbers_are_short() {
        assert_eq!(Short(1.0 / 3.0).to_string(), "0.33");
        assert_eq!(Short(-0.001).to_string(), "0");
        assert_eq!(Short(200.0).to_string(), "200");
    }
}
