//! Small images with a known skeleton.

use std::ffi::OsString;
use std::fs;
use std::path::PathBuf;

use midrib::graph::PrincipalGraph;
use png::{BitDepth, ColorType, Encoder};

use super::{Picture, Square, doubt, draw, report, run, skeleton};

const SIDE: usize = 60;

/// A square image with the given ink.
fn picture(is_ink: impl Fn(f64, f64) -> bool) -> Picture {
    let pixel = |i: usize| is_ink((i % SIDE) as f64 + 0.5, (i / SIDE) as f64 + 0.5);
    Picture { width: SIDE, height: SIDE, ink: (0..SIDE * SIDE).map(pixel).collect() }
}

/// The tips, branch points, loops and components of an image's skeleton.
fn counts(picture: &Picture) -> [usize; 4] {
    let skeleton = skeleton_of(picture);
    let components = skeleton.components().count;
    [skeleton.tips().len(), skeleton.branch_points().len(), skeleton.loops(), components]
}

fn skeleton_of(picture: &Picture) -> PrincipalGraph {
    skeleton(picture, &Square::around(picture).unwrap()).unwrap()
}

fn is_l(x: f64, y: f64) -> bool {
    (10.0..14.0).contains(&x) && (8.0..50.0).contains(&y)
        || (10.0..45.0).contains(&x) && (46.0..50.0).contains(&y)
}

fn is_o(x: f64, y: f64) -> bool {
    ((x - 30.0).hypot(y - 30.0) - 20.0).abs() < 2.0
}

fn is_x(x: f64, y: f64) -> bool {
    let (x, y) = (x - 30.0, y - 30.0);
    y.abs() < 24.0 && (x - 0.6 * y).abs().min((x + 0.6 * y).abs()) < 3.0
}

#[test]
fn an_l_has_two_tips() {
    assert_eq!(counts(&picture(is_l)), [2, 0, 0, 1]);
}

#[test]
fn tips_reach_the_ends_of_lines() {
    let picture = picture(is_l);
    let (square, skeleton) = (Square::around(&picture).unwrap(), skeleton_of(&picture));
    for [x, y] in [[12.0, 8.0], [45.0, 48.0]] {
        let off = |node: usize| {
            let [p, q] = square.to_picture(skeleton.nodes().row(node));
            (p - x).hypot(q - y)
        };
        let least = |nodes: Vec<usize>| nodes.into_iter().map(off).fold(f64::INFINITY, f64::min);
        let line = least((0..skeleton.nodes().n_rows()).collect());
        let tip = least(skeleton.tips());
        assert!(line < 4.0 && tip < line + 0.2, "({x}, {y}): line {line}, tip {tip}");
    }
}

#[test]
fn an_o_is_a_loop() {
    assert_eq!(counts(&picture(is_o)), [0, 0, 1, 1]);
}

#[test]
fn an_x_has_four_tips_and_a_crossing() {
    let picture = picture(is_x);
    assert_eq!(counts(&picture), [4, 1, 0, 1]);
    let skeleton = skeleton_of(&picture);
    assert_eq!(skeleton.degree(skeleton.branch_points()[0]), 4);
    let text = report("x.png".as_ref(), &picture, &skeleton, "x.svg".as_ref());
    assert!(text.contains("4 tips, 0 branch points, 1 crossing, 0 loops, 1 component"), "{text}");
}

#[test]
fn separate_strokes_stay_separate() {
    let picture = picture(|x, y| ((x - 15.0).abs() < 2.0 || (x - 45.0).abs() < 2.0) && y > 10.0);
    assert_eq!(counts(&picture), [4, 0, 0, 2]);
}

#[test]
fn the_skeleton_stays_on_the_ink() {
    for is_ink in [is_l, is_o, is_x] {
        let picture = picture(is_ink);
        let square = Square::around(&picture).unwrap();
        for node in skeleton_of(&picture).nodes().rows() {
            let [x, y] = square.to_picture(node);
            let near =
                |(i, j): (usize, usize)| (x - i as f64 - 0.5).hypot(y - j as f64 - 0.5) < 1.5;
            assert!(picture.ink_pixels().any(near), "({x}, {y}) is not on the ink");
        }
    }
}

#[test]
fn few_pixels_have_a_skeleton_too() {
    for n in 1..=6 {
        let picture = Picture { width: n, height: 1, ink: vec![true; n] };
        let skeleton = skeleton_of(&picture);
        assert_eq!(skeleton.components().count, 1, "{n} pixels");
        assert_eq!(skeleton.loops(), 0, "{n} pixels");
        let svg = draw(&picture, &Square::around(&picture).unwrap(), &skeleton);
        assert!(svg.starts_with("<svg") && !svg.contains("NaN"), "{svg}");
    }
}

/// Two rows: ink, paper, ink; paper, ink, paper.
fn checks() -> Picture {
    Picture { width: 3, height: 2, ink: vec![true, false, true, false, true, false] }
}

#[test]
fn every_kind_of_pnm_is_read() {
    for bytes in [
        &b"P1\n# a comment\n3 2\n101\n0 1 0\n"[..],
        b"P2 3 2 9\n0 9 4\n5 0 9",
        b"P4\n3 2\n\xa0\x40",
        b"P5\n3 2\n# a comment\n255\n\x00\xff\x7f\x80\x01\xfe",
        b"P5 3 2 65535\n\x00\x00\xff\xff\x00\xff\xff\x00\x01\x00\x80\x00",
    ] {
        assert_eq!(Picture::decode(bytes).unwrap(), checks(), "{}", bytes.escape_ascii());
    }
}

fn encode(color: ColorType, depth: BitDepth, data: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut encoder = Encoder::new(&mut bytes, 3, 2);
    encoder.set_color(color);
    encoder.set_depth(depth);
    if color == ColorType::Indexed {
        encoder.set_palette(&[255, 255, 0, 0, 0, 128][..]);
    }
    encoder.write_header().unwrap().write_image_data(data).unwrap();
    bytes
}

#[test]
fn every_kind_of_png_is_read() {
    let (blue, yellow, clear) = ([0, 0, 200], [250, 240, 0], [0, 0, 0, 0]);
    let in_turn = |dark: &[u8], light: &[u8]| [dark, light, dark, light, dark, light].concat();
    let opaque = [0, 0, 0, 255];
    for (color, depth, data) in [
        (ColorType::Grayscale, BitDepth::One, vec![0x40, 0xa0]),
        (ColorType::Grayscale, BitDepth::Eight, in_turn(&[127], &[128])),
        (ColorType::Grayscale, BitDepth::Sixteen, in_turn(&[0, 255], &[255, 0])),
        (ColorType::GrayscaleAlpha, BitDepth::Eight, in_turn(&[0, 200], &[0, 50])),
        (ColorType::Indexed, BitDepth::One, vec![0xa0, 0x40]),
        (ColorType::Rgb, BitDepth::Eight, in_turn(&blue, &yellow)),
        (ColorType::Rgba, BitDepth::Eight, in_turn(&opaque, &clear)),
    ] {
        let read = Picture::decode(&encode(color, depth, &data)).unwrap();
        assert_eq!(read, checks(), "{color:?} {depth:?}");
    }
}

#[test]
fn invalid_files_are_errors() {
    let whole = encode(ColorType::Grayscale, BitDepth::Eight, &[0; 6]);
    for (bytes, reason) in [
        (&b""[..], "not a PNG, PGM or PBM image"),
        (b"a,b\n1,2\n", "not a PNG, PGM or PBM image"),
        (b"P6 1 1 255\n\0\0\0", "not a PNG, PGM or PBM image"),
        (&whole[..whole.len() / 2], "not a readable PNG image"),
        (b"P2", "the width is not a number"),
        (b"P2 2 2 255\n1 2 3 x", "the pixel is not a number"),
        (b"P1 2 2\n0120", "neither 0 nor 1"),
        (b"P2 2 2 0\n0 0 0 0", "must be from 1 to 65535"),
        (b"P5 2 2 255\n\0\0", "the file is too short"),
        (b"P4 9 2\n\0\0", "the file is too short"),
        (b"P4 9 2\n\0\0\0", "expected 18 pixels, found 9"),
        (b"P5 2 2 65535\n\0\0\0\0\0", "expected 4 pixels, found 2"),
        (b"P5 99999999999 99999999999 255\n", "the image is too large"),
        (b"P4 9999999999 9999999999\n", "the image is too large"),
    ] {
        let error = Picture::decode(bytes).unwrap_err();
        assert!(error.contains(reason), "{}: {error}", bytes.escape_ascii());
    }
}

/// A temporary file that is removed when the test ends.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str, bytes: &[u8]) -> Self {
        let path = std::env::temp_dir().join(format!("skeleton-{}-{name}", std::process::id()));
        fs::write(&path, bytes).unwrap();
        Self(path)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}

#[test]
fn an_image_without_ink_is_an_error() {
    for (name, bytes) in [("white.pgm", &b"P2 2 1 9\n9 9"[..]), ("nothing.pbm", b"P1 0 0\n")] {
        let file = Scratch::new(name, bytes);
        let error = run([OsString::from(&file.0)].into_iter()).unwrap_err();
        assert!(error.contains(name) && error.contains("no ink"), "{error}");
    }
}

#[test]
fn arguments_are_checked() {
    let run = |arguments: &[&str]| run(arguments.iter().map(OsString::from)).unwrap_err();
    assert!(run(&[]).contains("usage"));
    assert!(run(&["a.png", "b.png"]).contains("b.png is an unexpected argument"));
    assert!(run(&["a.png", "-o"]).contains("-o needs a file name"));
    assert!(run(&["no-such-picture.png"]).contains("no-such-picture.png: "));
    for name in ["x.png", "x", "svg"] {
        assert!(run(&["a.png", "-o", name]).contains("must end in .svg"));
    }
}

#[test]
fn help_is_not_an_error() {
    for arguments in [&["--help"][..], &["a.png", "-h"]] {
        assert!(run(arguments.iter().map(OsString::from)).unwrap().starts_with("usage: skeleton"));
    }
}

#[test]
fn much_ink_gets_a_note() {
    assert_eq!(doubt(&picture(is_x)), None);
    let black = doubt(&picture(|x, _| x < 50.0)).unwrap();
    assert!(black.starts_with("83 % of the image is ink"), "{black}");
}

#[test]
fn the_drawing_is_written() {
    let file = Scratch::new("dots.pbm", b"P1 5 1\n11111");
    let svg = Scratch::new("dots.svg", b"");
    let arguments = [file.0.as_os_str(), "-o".as_ref(), svg.0.as_os_str()];
    let report = run(arguments.into_iter().map(OsString::from)).unwrap();
    assert!(report.contains("5 pixels of ink, 2 tips"), "{report}");
    assert!(fs::read_to_string(&svg.0).unwrap().contains("M0 0h5v1h-5z"));
}
