//! Colors that are distinguishable with every kind of color vision.

/// Six of Okabe and Ito's colors, then colors that are farthest from them and from each other with
/// normal vision, deuteranopia, protanopia and tritanopia. No two are closer than the closest pair
/// of Okabe and Ito.
pub const CLASSES: [&str; 20] = [
    "#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#780f00", "#5a2d3c",
    "#2d2d96", "#9687ff", "#b4a55a", "#5af0a5", "#f0d269", "#78783c", "#a5d2f0", "#4b2d78",
    "#695ad2", "#b42d78", "#a52d00", "#873c3c",
];

/// Classes beyond the palette.
pub const GRAY: &str = "#b0b0b0";
/// Missing values: fainter than everything else.
pub const NONE: &str = "#d4d4d4";
/// Lines of the graph.
pub const INK: &str = "#222222";

/// viridis at equal steps.
pub const VIRIDIS: [[u8; 3]; 9] = [
    [68, 1, 84],
    [71, 44, 122],
    [59, 81, 139],
    [44, 113, 142],
    [33, 144, 141],
    [39, 173, 129],
    [92, 200, 99],
    [170, 220, 50],
    [253, 231, 37],
];

/// The number of classes with their own color.
pub const MAX_CLASSES: usize = CLASSES.len();

/// The color of a class; gray for those beyond the palette.
pub fn of_class(class: usize) -> &'static str {
    CLASSES.get(class).copied().unwrap_or(GRAY)
}

/// The color of a number between 0 and 1; NaN is missing.
pub fn of_share(share: f64) -> String {
    if share.is_nan() {
        return NONE.into();
    }
    let at = share.clamp(0.0, 1.0) * (VIRIDIS.len() - 1) as f64;
    let low = (at as usize).min(VIRIDIS.len() - 2);
    let fraction = at - low as f64;
    let mix = |c: usize| {
        let (a, b) = (f64::from(VIRIDIS[low][c]), f64::from(VIRIDIS[low + 1][c]));
        (a + fraction * (b - a)).round() as u8
    };
    format!("#{:02x}{:02x}{:02x}", mix(0), mix(1), mix(2))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_run_from_dark_to_bright() {
        assert_eq!(of_share(0.0), "#440154");
        assert_eq!(of_share(1.0), "#fde725");
        assert_eq!(of_share(7.0), "#fde725");
        assert_eq!(of_share(f64::NAN), NONE);
    }

    /// Linear RGB for normal vision, deuteranopia, protanopia and tritanopia (Machado, Oliveira and
    /// Fernandes 2009).
    const VISIONS: [[[f64; 3]; 3]; 4] = [
        [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
        [
            [0.367322, 0.860646, -0.227968],
            [0.280085, 0.672501, 0.047413],
            [-0.011820, 0.042940, 0.968881],
        ],
        [
            [0.152286, 1.052583, -0.204868],
            [0.114503, 0.786281, 0.099216],
            [-0.003882, -0.048116, 1.051998],
        ],
        [
            [1.255528, -0.076749, -0.178779],
            [-0.078411, 0.930809, 0.147602],
            [0.004733, 0.691367, 0.303900],
        ],
    ];

    /// CIE L*a*b* of a color, lightened by a share, for a kind of vision.
    fn lab(color: &str, lift: f64, vision: &[[f64; 3]; 3]) -> [f64; 3] {
        let times = |m: &[[f64; 3]; 3], x: [f64; 3]| {
            [0, 1, 2].map(|i| (0..3).map(|j| m[i][j] * x[j]).sum::<f64>())
        };
        let linear = [1, 3, 5].map(|at| {
            let x = f64::from(u8::from_str_radix(&color[at..at + 2], 16).unwrap());
            let x = (x + lift * (255.0 - x)) / 255.0;
            if x <= 0.04045 { x / 12.92 } else { ((x + 0.055) / 1.055).powf(2.4) }
        });
        let seen = times(vision, linear).map(|x| x.clamp(0.0, 1.0));
        let to_xyz = [[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]];
        let xyz = times(&to_xyz, seen);
        let white = [0.95047, 1.0, 1.08883];
        let [x, y, z] = [0, 1, 2].map(|i| {
            let t = xyz[i] / white[i];
            if t > 0.008856 { t.cbrt() } else { 7.787 * t + 16.0 / 116.0 }
        });
        [116.0 * y - 16.0, 500.0 * (x - y), 200.0 * (y - z)]
    }

    /// The smallest difference between two colors (CIE 1976) with any vision.
    fn nearest(colors: &[&str], lift: f64) -> f64 {
        let mut least = f64::INFINITY;
        for vision in &VISIONS {
            for (i, a) in colors.iter().enumerate() {
                for b in &colors[..i] {
                    let (a, b) = (lab(a, lift, vision), lab(b, lift, vision));
                    let away = (0..3).map(|d| (a[d] - b[d]).powi(2)).sum::<f64>().sqrt();
                    least = least.min(away);
                }
            }
        }
        least
    }

    #[test]
    fn classes_are_distinguishable_with_every_vision() {
        // A difference of 2 or 3 is just noticeable between adjacent colors.
        let own = nearest(&CLASSES[..6], 0.0);
        assert_eq!(nearest(&CLASSES, 0.0), own);
        assert!(own > 16.0, "{own}");
        // The page lightens them on a dark background.
        assert!(nearest(&CLASSES, 0.15) > 11.0);
        let grays: Vec<&str> = CLASSES.iter().copied().chain([GRAY, NONE]).collect();
        assert!(nearest(&grays, 0.0) > 11.0);
    }

    #[test]
    fn classes_have_different_colors() {
        let mut colors = CLASSES.to_vec();
        colors.sort_unstable();
        colors.dedup();
        assert_eq!(colors.len(), MAX_CLASSES);
        assert_eq!(of_class(500), GRAY);
    }
}
