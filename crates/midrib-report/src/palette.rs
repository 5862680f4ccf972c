//! Colours that are told apart with every kind of colour vision.

/// Okabe and Ito's colours without black and yellow, then darker and lighter ones between them.
pub const CLASSES: [&str; 20] = [
    "#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#6a3d9a", "#8c8c2a",
    "#7f4f24", "#1b3a5c", "#f4a6a0", "#4d9221", "#b2abd2", "#00a6a6", "#a50f3c", "#c7a76c",
    "#5c5c8a", "#9ecae1", "#e7298a", "#3f6b4f",
];

/// Where there is nothing to tell.
pub const GRAY: &str = "#9a9a9a";
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

/// How many classes have a colour of their own.
pub const MOST_CLASSES: usize = CLASSES.len();

/// The colour of a class; gray for those beyond the palette.
pub fn of_class(class: usize) -> &'static str {
    CLASSES.get(class).copied().unwrap_or(GRAY)
}

/// The colour of a number between 0 and 1; gray for one that is unknown.
pub fn of_share(share: f64) -> String {
    if share.is_nan() {
        return GRAY.into();
    }
    let at = share.clamp(0.0, 1.0) * (VIRIDIS.len() - 1) as f64;
    let low = (at as usize).min(VIRIDIS.len() - 2);
    let part = at - low as f64;
    let mix = |c: usize| {
        let (a, b) = (f64::from(VIRIDIS[low][c]), f64::from(VIRIDIS[low + 1][c]));
        (a + part * (b - a)).round() as u8
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
        assert_eq!(of_share(f64::NAN), GRAY);
    }

    #[test]
    fn classes_have_colors_of_their_own() {
        let mut colors = CLASSES.to_vec();
        colors.sort_unstable();
        colors.dedup();
        assert_eq!(colors.len(), MOST_CLASSES);
        assert_eq!(of_class(500), GRAY);
    }
}
