//! The tables of dynverse: a network of milestones and the cells along it.

use std::collections::HashMap;
use std::fs::File;
use std::path::Path;

use csv::StringRecord;
use midrib::measure::{Link, Share, Trajectory};

use crate::error::{CellPosition, Error, Result};

/// A known trajectory.
#[derive(Clone, Debug)]
pub struct Truth {
    /// The names of its points.
    pub ids: Vec<String>,
    /// The network and the points along it.
    pub trajectory: Trajectory,
    /// Whether the points stand in the order of the table that they come from.
    pub in_order: bool,
}

/// Reads `milestone_network.csv` and `progressions.csv` from a directory, and the order of the
/// cells from the column `cell` of `labels.csv` if there is one.
///
/// ```
/// # let directory = tempfile::tempdir()?;
/// # let path = directory.path();
/// std::fs::write(path.join("milestone_network.csv"), "from,to,length,directed\nA,B,2,TRUE\n")?;
/// std::fs::write(path.join("progressions.csv"), "cell_id,from,to,percentage\nc1,A,B,0.5\n")?;
/// let truth = midrib_io::read_dynverse(path)?;
/// assert_eq!(truth.ids, ["c1"]);
/// assert_eq!(truth.trajectory.links()[0].length, 2.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn read_dynverse(directory: &Path) -> Result<Truth> {
    let path = directory.join("milestone_network.csv");
    let mut network = Network::default();
    for row in Rows::open(&path, &["from", "to", "length"], &["directed"])? {
        let row = row?;
        let length = row.number("length")?;
        if !(length.is_finite() && length >= 0.0) {
            return Err(row.at_fault("length", "is not a length of at least 0"));
        }
        let directed = matches!(row.get("directed"), "TRUE" | "True" | "true" | "1" | "T");
        let ends = (network.milestone(row.get("from")), network.milestone(row.get("to")));
        if network.numbers.insert(ends, network.links.len()).is_some() {
            return Err(row.at_fault("to", "joins two milestones that are joined already"));
        }
        network.links.push(Link { from: ends.0, to: ends.1, length, directed });
    }

    let path = directory.join("progressions.csv");
    let mut ids: Vec<String> = Vec::new();
    let mut rows: HashMap<String, usize> = HashMap::new();
    let mut points: Vec<Vec<Share>> = Vec::new();
    for row in Rows::open(&path, &["cell_id", "from", "to", "percentage"], &[])? {
        let row = row?;
        let share = row.number("percentage")?;
        if !(0.0..=1.0).contains(&share) {
            return Err(row.at_fault("percentage", "is not between 0 and 1"));
        }
        let share = network.share(row.get("from"), row.get("to"), share).ok_or_else(|| {
            row.at_fault("to", "is not joined with `from` in milestone_network.csv")
        })?;
        let id = row.get("cell_id");
        let point = *rows.entry(id.to_owned()).or_insert_with(|| {
            ids.push(id.to_owned());
            points.push(Vec::new());
            points.len() - 1
        });
        points[point].push(share);
    }
    if points.is_empty() {
        return Err(Error::data(&path, "has no rows: there are no cells to compare"));
    }
    let at_fault = |error: midrib::Error| Error::data(&path, error.to_string());
    let trajectory =
        Trajectory::new(network.names.len(), network.links, &points).map_err(at_fault)?;

    let path = directory.join("labels.csv");
    if !path.is_file() {
        return Ok(Truth { ids, trajectory, in_order: false });
    }
    let mut order = Vec::new();
    for row in Rows::open(&path, &["cell"], &[])? {
        let row = row?;
        let found = rows.get(row.get("cell")).copied();
        order.push(found.ok_or_else(|| row.at_fault("cell", "is not in progressions.csv"))?);
    }
    let ids = order.iter().map(|&i| ids[i].clone()).collect();
    Ok(Truth { ids, trajectory: trajectory.select(&order)?, in_order: true })
}

#[derive(Default)]
struct Network {
    names: HashMap<String, usize>,
    links: Vec<Link>,
    /// The link between two milestones.
    numbers: HashMap<(usize, usize), usize>,
}

impl Network {
    fn milestone(&mut self, name: &str) -> usize {
        let count = self.names.len();
        *self.names.entry(name.to_owned()).or_insert(count)
    }

    /// The share of a link, which may be stored at its other end. A cell of a milestone that
    /// stands alone is on a link of no length.
    fn share(&mut self, from: &str, to: &str, share: f64) -> Option<Share> {
        if from == to {
            let alone = self.milestone(from);
            let link = *self.numbers.entry((alone, alone)).or_insert_with(|| {
                self.links.push(Link { from: alone, to: alone, length: 0.0, directed: false });
                self.links.len() - 1
            });
            return Some(Share { link, share });
        }
        let ends = (*self.names.get(from)?, *self.names.get(to)?);
        if let Some(&link) = self.numbers.get(&ends) {
            return Some(Share { link, share });
        }
        let link = *self.numbers.get(&(ends.1, ends.0))?;
        Some(Share { link, share: 1.0 - share })
    }
}

/// The rows of a table whose columns have these names.
struct Rows<'p> {
    path: &'p Path,
    records: csv::StringRecordsIntoIter<File>,
    columns: Vec<(String, usize)>,
    row: usize,
}

/// One row.
struct Row<'p> {
    path: &'p Path,
    record: StringRecord,
    columns: Vec<(String, usize)>,
    row: usize,
}

impl<'p> Rows<'p> {
    fn open(path: &'p Path, needed: &[&str], welcome: &[&str]) -> Result<Self> {
        let file = File::open(path).map_err(|error| Error::reading(path, &error))?;
        let mut reader = csv::ReaderBuilder::new().trim(csv::Trim::All).from_reader(file);
        let header = reader.headers().map_err(|error| unreadable(path, &error))?;
        let position = |name: &&str| header.iter().position(|other| other == *name);
        let mut columns = Vec::new();
        for name in needed {
            let column = position(name).ok_or_else(|| {
                let found = header.iter().collect::<Vec<_>>().join(", ");
                Error::data(path, format!("has no column {name}; its columns are {found}"))
            })?;
            columns.push(((*name).to_owned(), column));
        }
        for name in welcome {
            columns.extend(position(name).map(|column| ((*name).to_owned(), column)));
        }
        Ok(Self { path, records: reader.into_records(), columns, row: 0 })
    }
}

impl<'p> Iterator for Rows<'p> {
    type Item = Result<Row<'p>>;

    fn next(&mut self) -> Option<Self::Item> {
        self.row += 1;
        let record = self.records.next()?;
        Some(record.map_err(|error| unreadable(self.path, &error)).map(|record| Row {
            path: self.path,
            record,
            columns: self.columns.clone(),
            row: self.row,
        }))
    }
}

impl Row<'_> {
    fn get(&self, column: &str) -> &str {
        let column = self.columns.iter().find(|(name, _)| name == column);
        column.and_then(|(_, position)| self.record.get(*position)).unwrap_or_default()
    }

    fn number(&self, column: &str) -> Result<f64> {
        self.get(column).parse().map_err(|_| self.at_fault(column, "is not a number"))
    }

    fn at_fault(&self, column: &str, reason: &str) -> Error {
        Error::Cell {
            path: self.path.into(),
            position: CellPosition { row: self.row, line: None, column: column.into() },
            reason: format!("{:?} {reason}", self.get(column)),
            remedy: "give the tables of a dynverse trajectory".into(),
        }
    }
}

fn unreadable(path: &Path, error: &csv::Error) -> Error {
    Error::data(path, format!("is not a table of text ({error}); is the file complete?"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn truth(network: &str, progressions: &str, labels: Option<&str>) -> Result<Truth> {
        let directory = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| {
            std::fs::write(directory.path().join(name), text).unwrap();
        };
        write("milestone_network.csv", &format!("from,to,length,directed\n{network}"));
        write("progressions.csv", &format!("cell_id,from,to,percentage\n{progressions}"));
        if let Some(labels) = labels {
            write("labels.csv", labels);
        }
        read_dynverse(directory.path())
    }

    #[test]
    fn links_are_found_from_both_ends_and_cells_in_the_order_of_the_table() {
        let found = truth(
            "A,B,2,True\nB,C,1,True\nB,D,1,True\n",
            "c1,B,A,0.25\nc2,B,C,0.5\nc2,B,D,0.25\nc3,E,E,1\n",
            Some("edge,cell\nx,c3\nx,c1\nx,c2\n"),
        );
        let found = found.unwrap();
        assert!(found.in_order);
        assert_eq!(found.ids, ["c3", "c1", "c2"]);
        assert_eq!(found.trajectory.n_milestones(), 5);
        assert_eq!(found.trajectory.point(0), [Share { link: 3, share: 1.0 }]);
        assert_eq!(found.trajectory.point(1), [Share { link: 0, share: 0.75 }]);
        assert_eq!(found.trajectory.point(2).len(), 2);
    }

    #[test]
    fn damage_is_named() {
        let message = |network: &str, progressions: &str, labels: Option<&str>| {
            truth(network, progressions, labels).unwrap_err().to_string()
        };
        for (found, expected) in [
            (message("A,B,x,T\n", "", None), "row 1, column length: \"x\" is not a number"),
            (message("A,B,-1,T\n", "", None), "\"-1\" is not a length of at least 0"),
            (message("A,B,1,T\nA,B,2,T\n", "", None), "row 2, column to: \"B\" joins two"),
            (message("A,B,1,T\n", "", None), "progressions.csv: has no rows"),
            (message("A,B,1,T\n", "c,A,Z,0.5\n", None), "\"Z\" is not joined with `from`"),
            (message("A,B,1,T\n", "c,A,B,1.5\n", None), "\"1.5\" is not between 0 and 1"),
            (
                message("A,B,1,T\nC,B,1,T\n", "c,A,B,0.5\nc,C,B,0.5\n", None),
                "do not start at the same",
            ),
            (message("A,B,1,T\n", "c,A,B,1\n", Some("cell\nd\n")), "\"d\" is not in progressions"),
            (message("A,B,1,T\n", "c,A,B,1\n", Some("id\nc\n")), "has no column cell"),
        ] {
            assert!(found.contains(expected), "{found}");
        }
    }
}
