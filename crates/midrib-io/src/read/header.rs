//! Does the first row name the columns? And which character parts them?

use csv::ByteRecord;

use super::cell::{self, Cell};

/// The character that parts the fields, judged by the file's name and its first line.
pub(super) fn delimiter(extension: &str, start: &[u8]) -> u8 {
    if matches!(extension, "tsv" | "tab") {
        return b'\t';
    }
    let mut counts = [(b',', 0), (b'\t', 0), (b';', 0)];
    let mut quoted = false;
    for &byte in start.trim_ascii_start() {
        match byte {
            b'"' => quoted = !quoted,
            b'\n' | b'\r' if !quoted => break,
            _ if !quoted => {
                for (delimiter, count) in &mut counts {
                    *count += usize::from(byte == *delimiter);
                }
            }
            _ => {}
        }
    }
    let most = counts.iter().map(|(_, count)| *count).max().unwrap_or(0);
    counts.iter().find(|(_, count)| *count == most).map_or(b',', |(delimiter, _)| *delimiter)
}

/// Whether `first` names the columns of the rows that start with `second`.
///
/// Text above a number is a header. Text only above text is one too, unless measured numbers
/// stand beside it: `5.1,setosa` is a point, `id,0,1,2` is not.
pub(super) fn is_header(first: &ByteRecord, second: &ByteRecord, decimal_comma: bool) -> bool {
    let first: Vec<Cell> = cells(first, decimal_comma);
    let second: Vec<Cell> = cells(second, decimal_comma);
    let text_above_number = first
        .iter()
        .zip(&second)
        .any(|(above, below)| *above == Cell::Text && matches!(below, Cell::Number(_)));
    let numbers: Vec<f64> = first
        .iter()
        .filter_map(|cell| match cell {
            Cell::Number(number) => Some(*number),
            _ => None,
        })
        .collect();
    let counting = numbers
        .iter()
        .enumerate()
        .all(|(i, number)| *number == i as f64 || *number == (i + 1) as f64);
    let unnamed_index = first.first() == Some(&Cell::Missing) && !numbers.is_empty();
    text_above_number || (counting && (unnamed_index || first.contains(&Cell::Text)))
}

fn cells(record: &ByteRecord, decimal_comma: bool) -> Vec<Cell> {
    record.iter().map(|field| cell::parse(field, decimal_comma)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn header(first: &[&str], second: &[&str]) -> bool {
        is_header(&ByteRecord::from(first.to_vec()), &ByteRecord::from(second.to_vec()), false)
    }

    #[test]
    fn text_above_numbers_is_a_header() {
        assert!(header(&["x", "y"], &["1", "2"]));
        assert!(header(&["x", "1"], &["1", "2"]));
        assert!(header(&["name", "kind"], &["a", "b"]));
        assert!(header(&["id", "0", "1"], &["a", "3.1", "4.1"]));
        assert!(header(&["", "0", "1"], &["0", "3.1", "4.1"]));
    }

    #[test]
    fn numbers_alone_or_beside_text_above_text_are_data() {
        assert!(!header(&["1", "2"], &["3", "4"]));
        assert!(!header(&["5.1", "setosa"], &["4.9", "setosa"]));
        assert!(!header(&["NA", "2.5"], &["3", "4"]));
    }

    #[test]
    fn the_delimiter_is_the_most_frequent_one_outside_quotes() {
        assert_eq!(delimiter("csv", b"a;b;c\n1,5;2;3\n"), b';');
        assert_eq!(delimiter("txt", b"a\tb\n1\t2\n"), b'\t');
        assert_eq!(delimiter("csv", b"\"a;b;c;d\",e\n"), b',');
        assert_eq!(delimiter("csv", b"single\n1\n"), b',');
        assert_eq!(delimiter("tsv", b"a,b\n"), b'\t');
    }
}
