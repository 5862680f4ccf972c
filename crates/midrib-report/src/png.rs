//! Rendering SVG as PNG.

use std::sync::Arc;

use resvg::{tiny_skia, usvg};

/// Latin, Greek and Cyrillic letters of DejaVu Sans; other scripts use system fonts.
const FONT: &[u8] = include_bytes!("../fonts/DejaVuSans-subset.ttf");

/// Why a drawing could not be rendered.
#[derive(Debug)]
pub struct PngError(String);

impl std::fmt::Display for PngError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for PngError {}

/// Renders an SVG as a PNG, with `scale` pixels per unit.
///
/// ```
/// use midrib_report::{Coloring, Scene, metro_view, png};
/// use midrib::graph::PrincipalGraph;
/// use midrib::math::Matrix;
/// let nodes = Matrix::from_rows(&[[0.0], [1.0]])?;
/// let graph = PrincipalGraph::new(nodes, &[(0, 1, 1.0)], vec![1.0; 2])?;
/// let scene = Scene { graph: &graph, projection: None, coloring: &Coloring::Plain, title: "" };
/// assert!(png(&metro_view(&scene)?, 2.0)?.starts_with(b"\x89PNG"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn png(svg: &str, scale: f32) -> Result<Vec<u8>, PngError> {
    let mut fonts = usvg::fontdb::Database::new();
    fonts.load_font_data(FONT.to_vec());
    fonts.load_system_fonts();
    fonts.set_sans_serif_family("DejaVu Sans");
    let options = usvg::Options { fontdb: Arc::new(fonts), ..usvg::Options::default() };
    let failed = |reason: String| PngError(format!("cannot render the drawing as PNG: {reason}"));
    let tree = usvg::Tree::from_str(svg, &options).map_err(|error| failed(error.to_string()))?;
    let size = tree.size().to_int_size();
    let side = |pixels: u32| (f64::from(pixels) * f64::from(scale)).ceil() as u32;
    let (width, height) = (side(size.width()), side(size.height()));
    let mut pixels = tiny_skia::Pixmap::new(width, height)
        .ok_or_else(|| failed(format!("invalid size of {width} x {height} pixels")))?;
    resvg::render(&tree, tiny_skia::Transform::from_scale(scale, scale), &mut pixels.as_mut());
    pixels.encode_png().map_err(|error| failed(error.to_string()))
}
