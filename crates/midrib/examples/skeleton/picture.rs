//! Black-and-white images: PNG, PGM and PBM.

use std::io::Cursor;

use png::{ColorType, Decoder, Transformations};

/// An image, row by row from the top.
#[derive(Debug, PartialEq, Eq)]
pub struct Picture {
    pub width: usize,
    pub height: usize,
    /// Whether each pixel is dark.
    pub ink: Vec<bool>,
}

impl Picture {
    /// Reads the bytes of a PNG, PGM or PBM file. Pixels darker than mid-gray are ink.
    pub fn decode(bytes: &[u8]) -> Result<Self, String> {
        match bytes {
            [0x89, b'P', b'N', b'G', ..] => decode_png(bytes),
            [b'P', kind @ (b'1' | b'2' | b'4' | b'5'), rest @ ..] => decode_pnm(*kind, rest),
            _ => Err("not a PNG, PGM or PBM image".into()),
        }
    }

    /// The column and row of each ink pixel.
    pub fn ink_pixels(&self) -> impl Iterator<Item = (usize, usize)> {
        let pixels = self.ink.iter().enumerate();
        pixels.filter(|(_, ink)| **ink).map(|(i, _)| (i % self.width, i / self.width))
    }
}

fn decode_png(bytes: &[u8]) -> Result<Picture, String> {
    let broken = |error: png::DecodingError| format!("not a readable PNG image: {error}");
    let mut decoder = Decoder::new(Cursor::new(bytes));
    decoder.set_transformations(Transformations::normalize_to_color8());
    let mut reader = decoder.read_info().map_err(broken)?;
    let size = reader.output_buffer_size().ok_or("the PNG image is too large")?;
    let mut buffer = vec![0; size];
    let frame = reader.next_frame(&mut buffer).map_err(broken)?;
    let luminance = |r: u8, g: u8, b: u8| {
        (299 * u32::from(r) + 587 * u32::from(g) + 114 * u32::from(b) + 500) / 1000
    };
    // Transparent pixels are drawn over white.
    let over_white = |gray: u32, alpha: u8| {
        let alpha = u32::from(alpha);
        (gray * alpha + 255 * (255 - alpha)) / 255
    };
    let is_ink = |pixel: &[u8]| {
        let gray = match *pixel {
            [gray] => u32::from(gray),
            [gray, alpha] => over_white(u32::from(gray), alpha),
            [r, g, b] => luminance(r, g, b),
            [r, g, b, alpha] => over_white(luminance(r, g, b), alpha),
            _ => 255,
        };
        gray < 128
    };
    let channels = match frame.color_type {
        ColorType::Grayscale | ColorType::Indexed => 1,
        ColorType::GrayscaleAlpha => 2,
        ColorType::Rgb => 3,
        ColorType::Rgba => 4,
    };
    Ok(Picture {
        width: frame.width as usize,
        height: frame.height as usize,
        ink: buffer[..frame.buffer_size()].chunks_exact(channels).map(is_ink).collect(),
    })
}

/// Decodes the rest of a PGM or PBM file after its `P` and kind.
fn decode_pnm(kind: u8, rest: &[u8]) -> Result<Picture, String> {
    let mut text = Text { rest };
    let width = text.number("width")?;
    let height = text.number("height")?;
    let is_bitmap = matches!(kind, b'1' | b'4');
    let white = if is_bitmap { 1 } else { text.number("largest gray value")? };
    if !(1..=65535).contains(&white) {
        return Err(format!("the largest gray value is {white}, but must be from 1 to 65535"));
    }
    let is_ink = |gray: usize| 2 * gray < white;
    let size = width.checked_mul(height).ok_or("the image is too large")?;
    // Each pixel takes at least a byte; in bitmaps of kind 4, a bit.
    let least = if kind == b'4' { width.div_ceil(8).saturating_mul(height) } else { size };
    if text.rest.len() < least {
        return Err(format!("the file is too short for {width} x {height} pixels"));
    }
    let ink = match kind {
        b'1' => (0..size).map(|_| Ok(text.bit()? == b'1')).collect::<Result<_, String>>()?,
        b'2' => {
            (0..size).map(|_| Ok(is_ink(text.number("pixel")?))).collect::<Result<_, String>>()?
        }
        b'4' => {
            let rows = text.after_space().chunks_exact(width.div_ceil(8).max(1)).take(height);
            rows.flat_map(|row| (0..width).map(|x| row[x / 8] >> (7 - x % 8) & 1 == 1)).collect()
        }
        _ => {
            let bytes = if white < 256 { 1 } else { 2 };
            let pixels = text.after_space().chunks_exact(bytes).take(size);
            let value =
                |bytes: &[u8]| bytes.iter().fold(0, |value, &byte| 256 * value + usize::from(byte));
            pixels.map(|pixel| is_ink(value(pixel))).collect::<Vec<_>>()
        }
    };
    if ink.len() < size {
        return Err(format!("expected {size} pixels, found {}", ink.len()));
    }
    Ok(Picture { width, height, ink })
}

/// Tokens between spaces and comments.
struct Text<'a> {
    rest: &'a [u8],
}

impl<'a> Text<'a> {
    fn skip_space(&mut self) {
        while let [first, rest @ ..] = self.rest {
            match first {
                b'#' => {
                    let end = self.rest.iter().position(|&byte| byte == b'\n');
                    self.rest = &self.rest[end.unwrap_or(self.rest.len())..];
                }
                byte if byte.is_ascii_whitespace() => self.rest = rest,
                _ => break,
            }
        }
    }

    fn number(&mut self, what: &str) -> Result<usize, String> {
        self.skip_space();
        let digits = self.rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
        let (number, rest) = self.rest.split_at(digits);
        self.rest = rest;
        let parsed = str::from_utf8(number).ok().and_then(|number| number.parse().ok());
        parsed.ok_or_else(|| format!("not a readable PGM or PBM image: the {what} is not a number"))
    }

    /// The next 0 or 1, which need no space between them.
    fn bit(&mut self) -> Result<u8, String> {
        self.skip_space();
        match self.rest {
            [bit @ (b'0' | b'1'), rest @ ..] => {
                self.rest = rest;
                Ok(*bit)
            }
            _ => Err("not a readable PBM image: a pixel is neither 0 nor 1".into()),
        }
    }

    /// The data after the single space that ends the header.
    fn after_space(&self) -> &'a [u8] {
        self.rest.get(1..).unwrap_or(&[])
    }
}
