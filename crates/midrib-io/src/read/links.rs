//! Side information: which points' nodes must, or cannot, be joined.

use std::collections::HashMap;
use std::path::Path;

use csv::StringRecord;
use midrib::Points;
use midrib::learn::{LinkKind, PointLink};

use super::header;
use super::source::Source;
use crate::error::{Error, Result};

/// Why a file without links is refused.
const NO_LINKS: &str = "holds no links; give rows like 3,17,must";

/// Reads links: in each row two points and `must` or `cannot`. A header is passed over: a first row
/// of three other words, the first two of which do not name points.
///
/// Points go by their id; where they have none, by their row, counted from 0 as in `points.csv`.
/// Links that name an id of several points are refused.
///
/// ```
/// use midrib::Points;
/// use midrib::learn::{LinkKind, PointLink};
/// # let path = std::env::temp_dir().join(format!("midrib-links-{}.csv", std::process::id()));
/// std::fs::write(&path, "a,b,link\nmonday,friday,cannot\n")?;
/// let ids = ["monday", "friday"].map(String::from).to_vec();
/// let points = Points::from_f64(vec![1.0, 5.0], 1)?.with_ids(ids)?;
/// let links = midrib_io::read_links(&path, &points)?;
/// assert_eq!(links, [PointLink { a: 0, b: 1, kind: LinkKind::Cannot }]);
/// # std::fs::remove_file(&path)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn read_links(path: &Path, points: &Points<'_>) -> Result<Vec<PointLink>> {
    let source = Source::open_unless_empty(path, NO_LINKS)?;
    let delimiter = header::delimiter(&super::csv::extension(path), source.start());
    let mut reader = csv::ReaderBuilder::new()
        .delimiter(delimiter)
        .has_headers(false)
        .flexible(true)
        .trim(csv::Trim::All)
        .comment(Some(b'#'))
        .from_reader(source.into_reader());
    let mut rows: HashMap<String, usize> = HashMap::new();
    let mut repeated: HashMap<String, [usize; 2]> = HashMap::new();
    for row in 0..points.len() {
        if let Some(before) = rows.insert(points.id(row).into_owned(), row) {
            repeated.entry(points.id(row).into_owned()).or_insert([before, row]);
        }
    }
    let mut links: Vec<PointLink> = Vec::new();
    let mut lines: HashMap<(usize, usize), (LinkKind, u64)> = HashMap::new();
    for (number, record) in reader.records().enumerate() {
        let record = record.map_err(|error| {
            Error::data(path, format!("is not a table of text ({error}); give UTF-8"))
        })?;
        let line = record.position().map_or(number as u64 + 1, csv::Position::line);
        let Some(kind) = kind(&record) else {
            let names_a_point = record.iter().take(2).any(|name| rows.contains_key(name));
            if number == 0 && record.len() == 3 && !names_a_point {
                continue;
            }
            let reason = format!(
                "line {line}: {:?} is not a link; give two points and must or cannot, like 3,17,must",
                record.iter().collect::<Vec<_>>().join(",")
            );
            return Err(Error::data(path, reason));
        };
        let row = |name: &str| {
            if let Some([first, second]) = repeated.get(name) {
                let reason = format!(
                    "line {line}: {name:?} is the id of several points, rows {} and {} of their \
                     table; give each point an id of its own",
                    first + 1,
                    second + 1
                );
                return Err(Error::data(path, reason));
            }
            rows.get(name)
                .copied()
                .ok_or_else(|| Error::data(path, format!("line {line}: {}", unknown(name, points))))
        };
        let (a, b) = (row(&record[0])?, row(&record[1])?);
        if a == b {
            let reason = format!("line {line}: joins {:?} to itself; remove it", &record[0]);
            return Err(Error::data(path, reason));
        }
        let (before, first) = *lines.entry((a.min(b), a.max(b))).or_insert((kind, line));
        if before != kind {
            let reason = format!(
                "line {line}: {} and {} are {} here but {} in line {first}; remove one of them",
                &record[0],
                &record[1],
                kind.as_str(),
                before.as_str()
            );
            return Err(Error::data(path, reason));
        }
        links.push(PointLink { a, b, kind });
    }
    if links.is_empty() {
        return Err(Error::data(path, NO_LINKS));
    }
    Ok(links)
}

/// Says that no point has this name, and which names there are.
fn unknown(name: &str, points: &Points<'_>) -> String {
    if points.ids().is_some() {
        return format!(
            "no point has the id {name:?}; give ids of the table, such as {:?}, or remove the line",
            points.id(0)
        );
    }
    format!(
        "no point is in row {name:?}; give rows from 0 to {}, or name the column of ids (id = COLUMN)",
        points.len() - 1
    )
}

fn kind(record: &StringRecord) -> Option<LinkKind> {
    match record.iter().collect::<Vec<_>>()[..] {
        [_, _, "must"] => Some(LinkKind::Must),
        [_, _, "cannot"] => Some(LinkKind::Cannot),
        _ => None,
    }
}
