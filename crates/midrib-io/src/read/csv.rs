//! Text tables: records, their names, and where they stand in the file.

use std::io::Read;
use std::path::{Path, PathBuf};

use csv::ByteRecord;

use super::csv_builder::Builder;
use super::source::Source;
use super::{Header, ReadOptions, Table, columns, header};
use crate::error::{Error, Result};

pub(super) fn read(source: Source, options: &ReadOptions) -> Result<Table> {
    let path = source.path().to_owned();
    let delimiter = header::delimiter(&extension(&path), source.start());
    let mut rows = Rows::new(source, delimiter);

    let mut first = ByteRecord::new();
    let mut record = ByteRecord::new();
    if !rows.next(&mut first)? {
        return Err(Error::data(&path, "is empty; there are only blank lines"));
    }
    let more = rows.next(&mut record)?;
    let has_header = match options.header {
        Header::Present => true,
        Header::Absent => false,
        Header::Auto => header::is_header(&first, &record, rows.decimal_comma),
    };
    if has_header && !more {
        return Err(Error::data(&path, "has a header but no rows below it"));
    }

    let heading = if has_header {
        named(&path, &first, &record)?
    } else {
        Heading { names: (0..first.len()).map(column_name).collect(), index: None }
    };
    let roles = columns::roles(&path, &heading.names, heading.index, options)?;
    let mut builder = Builder::new(&path, heading.names, &roles, options.gaps, rows.decimal_comma);
    if !has_header {
        builder.push(&first)?;
    }
    if more {
        builder.push(&record)?;
        while rows.next(&mut record)? {
            builder.push(&record)?;
        }
    }
    builder.finish(has_header)
}

/// The file's last extension, without a `.gz` behind it.
pub(super) fn extension(path: &Path) -> String {
    let name = path
        .file_name()
        .map(|name| name.to_string_lossy().to_ascii_lowercase())
        .unwrap_or_default();
    let name = name.strip_suffix(".gz").unwrap_or(&name);
    name.rsplit_once('.').map_or_else(String::new, |(_, extension)| extension.into())
}

/// The records of a text table, without its blank lines.
struct Rows<R> {
    path: PathBuf,
    reader: csv::Reader<R>,
    decimal_comma: bool,
    /// Lines end with `\r\n`, of which the reader counts the `\n` only with the next record.
    crlf: bool,
}

impl Rows<Box<dyn Read>> {
    fn new(source: Source, delimiter: u8) -> Self {
        let path = source.path().to_owned();
        let crlf = source.start().windows(2).any(|pair| pair == b"\r\n");
        let last_line_end: &[u8] = if crlf { b"\r\n" } else { b"\n" };
        let content = source.into_reader().chain(last_line_end);
        let reader = csv::ReaderBuilder::new()
            .has_headers(false)
            .flexible(true)
            .delimiter(delimiter)
            .buffer_capacity(1 << 18)
            .from_reader(Box::new(content) as Box<dyn Read>);
        Self { path, reader, decimal_comma: delimiter == b';', crlf }
    }

    /// Reads the next record; false at the end of the table. The record's position is set to the
    /// line on which it starts.
    fn next(&mut self, record: &mut ByteRecord) -> Result<bool> {
        loop {
            let more =
                self.reader.read_byte_record(record).map_err(|error| match error.into_kind() {
                    csv::ErrorKind::Io(error) => Error::reading(&self.path, &error),
                    other => Error::data(&self.path, format!("is not a table of text: {other:?}")),
                })?;
            let blank = record.len() == 1 && record[0].trim_ascii().is_empty();
            if more && blank {
                continue;
            }
            let breaks = record.as_slice().iter().filter(|&&b| b == b'\n').count() as u64;
            let mut position = self.reader.position().clone();
            let past_end = breaks + u64::from(!self.crlf);
            position.set_line(position.line().saturating_sub(past_end).max(1));
            record.set_position(Some(position));
            return Ok(more);
        }
    }
}

struct Heading {
    names: Vec<String>,
    /// The column whose name was left empty because it holds the row names.
    index: Option<usize>,
}

/// The names of the columns. As R and pandas write them, row names have no name of their own:
/// their field in the header is empty, or is left out altogether.
fn named(path: &Path, first: &ByteRecord, second: &ByteRecord) -> Result<Heading> {
    let mut names = Vec::with_capacity(second.len());
    let last_is_empty = second.iter().next_back().is_some_and(<[u8]>::is_empty);
    if second.len() == first.len() + 1 && !last_is_empty {
        names.push(String::new());
    }
    for field in first {
        let name = std::str::from_utf8(field).map_err(|_| {
            Error::data(path, "the header is not UTF-8 text; save the file as UTF-8")
        })?;
        names.push(name.trim().to_owned());
    }
    let index = (names.len() > 1 && matches!(names[0].as_str(), "" | "Unnamed: 0")).then_some(0);
    for (column, name) in names.iter_mut().enumerate() {
        if name.is_empty() {
            *name = column_name(column);
        }
    }
    Ok(Heading { names, index })
}

fn column_name(column: usize) -> String {
    format!("column{}", column + 1)
}
