//! What one field of a text table says.

/// The meaning of a field.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Cell {
    /// A number, possibly infinite.
    Number(f64),
    /// Nothing, or a word for nothing.
    Missing,
    /// Anything else.
    Text,
}

/// Reads a field. `decimal_comma` also accepts `1,5`, as tables with semicolons have it.
pub(super) fn parse(field: &[u8], decimal_comma: bool) -> Cell {
    let Ok(text) = std::str::from_utf8(field.trim_ascii()) else {
        return Cell::Text;
    };
    match text.parse::<f64>() {
        Ok(number) if !number.is_nan() => return Cell::Number(number),
        _ if midrib::is_missing(text) => return Cell::Missing,
        _ => {}
    }
    if decimal_comma
        && !text.contains('.')
        && text.matches(',').count() == 1
        && let Ok(number) = text.replace(',', ".").parse::<f64>()
    {
        return Cell::Number(number);
    }
    Cell::Text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_missing_markers_and_text_are_distinguished() {
        for (field, number) in [("1", 1.0), (" -2.5e-3 ", -2.5e-3), ("+.5", 0.5), ("5.", 5.0)] {
            assert_eq!(parse(field.as_bytes(), false), Cell::Number(number));
        }
        for field in ["", " ", "NA", "N/A", "n/a", "NaN", "nan", "-nan", "null", "None", "?"] {
            assert_eq!(parse(field.as_bytes(), false), Cell::Missing, "{field}");
        }
        for field in ["a", "1,5", "1 2", "0x1f", "--1", "1_000"] {
            assert_eq!(parse(field.as_bytes(), false), Cell::Text, "{field}");
        }
        assert_eq!(parse(b"1e999", false), Cell::Number(f64::INFINITY));
    }

    #[test]
    fn decimal_commas_are_read_where_they_can_stand() {
        assert_eq!(parse(b"1,5", true), Cell::Number(1.5));
        assert_eq!(parse(b"1,5,2", true), Cell::Text);
        assert_eq!(parse(b"1.000,5", true), Cell::Text);
    }
}
