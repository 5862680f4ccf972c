//! From rows of text fields to a table: numbers go straight into the points, text into labels.

use std::path::Path;

use csv::ByteRecord;
use midrib::Points;

use super::cell::{self, Cell};
use super::columns::{self, Role};
use super::numeric::{drop_columns, no_value, remedy_for_missing, weighted};
use super::table::generated_names;
use super::{Labels, Table};
use crate::error::{CellPosition, Error, Result};

/// The position of a row: its number among the data, from 1, and its line in the file.
#[derive(Clone, Copy)]
struct RowPosition {
    row: usize,
    line: u64,
}

/// A column that no option names: its first value decides what it is.
enum Content {
    /// Nothing but missing values so far, kept as they were written.
    Unknown {
        texts: Vec<String>,
        first: Option<RowPosition>,
    },
    Numbers,
    Text {
        texts: Vec<String>,
        first: RowPosition,
        value: String,
    },
}

enum Part {
    /// `stored`: whether the column has a place in each row of the values.
    Feature {
        content: Content,
        stored: bool,
    },
    Id(Vec<String>),
    Label(Vec<String>),
    Weight(Vec<f64>),
    /// No feature: its texts, until it holds a number.
    Unselected(Option<Vec<String>>),
    Excluded,
}

/// Grows a table row by row.
pub(super) struct Builder<'a> {
    path: &'a Path,
    names: Vec<String>,
    parts: Vec<Part>,
    gaps: bool,
    decimal_comma: bool,
    values: Vec<f64>,
    rows: usize,
}

impl<'a> Builder<'a> {
    pub(super) fn new(
        path: &'a Path,
        names: Vec<String>,
        roles: &[Role],
        gaps: bool,
        decimal_comma: bool,
    ) -> Self {
        let parts = roles
            .iter()
            .map(|role| match role {
                Role::Feature => Part::Feature {
                    content: Content::Unknown { texts: Vec::new(), first: None },
                    stored: true,
                },
                Role::Id => Part::Id(Vec::new()),
                Role::Label => Part::Label(Vec::new()),
                Role::Weight => Part::Weight(Vec::new()),
                Role::Unselected => Part::Unselected(Some(Vec::new())),
                Role::Excluded => Part::Excluded,
            })
            .collect();
        Self { path, names, parts, gaps, decimal_comma, values: Vec::new(), rows: 0 }
    }

    /// Takes the next row.
    pub(super) fn push(&mut self, record: &ByteRecord) -> Result<()> {
        self.rows += 1;
        let at =
            RowPosition { row: self.rows, line: record.position().map_or(0, csv::Position::line) };
        if record.len() != self.parts.len() {
            return Err(Error::data(
                self.path,
                format!(
                    "row {} (line {}): expected {} fields, found {}; \
                     look for a missing or an unquoted separator",
                    at.row,
                    at.line,
                    self.parts.len(),
                    record.len()
                ),
            ));
        }
        for ((field, part), name) in record.iter().zip(&mut self.parts).zip(&self.names) {
            let context = Context { path: self.path, at, column: name, gaps: self.gaps };
            match part {
                Part::Feature { content, stored } => {
                    let cell = cell::parse(field, self.decimal_comma);
                    let number = content.take(cell, field, &context)?;
                    *stored &= self.rows > 1 || number.is_some();
                    if *stored {
                        self.values.push(number.unwrap_or(f64::NAN));
                    }
                }
                Part::Id(texts) | Part::Label(texts) => texts.push(context.text(field)?),
                Part::Weight(weights) => weights.push(context.weight(field, self.decimal_comma)?),
                Part::Unselected(texts) => match cell::parse(field, self.decimal_comma) {
                    Cell::Number(_) => *texts = None,
                    Cell::Missing | Cell::Text => {
                        let text = texts.is_some().then(|| context.text(field)).transpose()?;
                        texts.iter_mut().zip(text).for_each(|(texts, text)| texts.push(text));
                    }
                },
                Part::Excluded => {}
            }
        }
        Ok(())
    }

    /// The table of all rows; features are named by number where there is no header.
    pub(super) fn finish(mut self, has_header: bool) -> Result<Table> {
        let mut features = Vec::new();
        let mut labels = Vec::new();
        let mut set_aside = Vec::new();
        let mut ids = None;
        let mut weights = None;
        let mut kept = Vec::new();
        let mut spaces = false;
        for (name, part) in self.names.iter().zip(self.parts) {
            match part {
                Part::Feature { content, stored } => {
                    let keep = match content {
                        Content::Numbers => true,
                        Content::Text { texts, value, .. } => {
                            spaces = value.trim().contains(char::is_whitespace);
                            labels.push(Labels { name: name.clone(), values: texts });
                            set_aside.push(name.clone());
                            false
                        }
                        Content::Unknown { .. } => {
                            return Err(no_value(self.path, name));
                        }
                    };
                    if keep {
                        features.push(name.clone());
                    }
                    if stored {
                        kept.push(keep);
                    }
                }
                Part::Id(texts) => ids = Some(texts),
                Part::Label(values) => labels.push(Labels { name: name.clone(), values }),
                Part::Weight(values) => weights = Some((name, values)),
                Part::Unselected(Some(values)) if values.iter().any(|text| !text.is_empty()) => {
                    labels.push(Labels { name: name.clone(), values });
                    set_aside.push(name.clone());
                }
                Part::Unselected(_) | Part::Excluded => {}
            }
        }
        if features.is_empty() {
            return Err(if self.names.len() == 1 && spaces {
                Error::data(
                    self.path,
                    "its fields seem to be separated by spaces; use commas, tabs or \
                     semicolons",
                )
            } else {
                columns::no_features(self.path, &self.names)
            });
        }
        drop_columns(&mut self.values, &kept);
        self.values.shrink_to_fit();
        if !has_header {
            features = generated_names(features.len());
        }

        let mut points = Points::from_f64(self.values, features.len())?;
        if let Some((name, weights)) = weights {
            points = weighted(points, self.path, name, weights)?;
        }
        if let Some(ids) = ids {
            points = points.with_ids(ids)?;
        }
        Ok(Table {
            points,
            features,
            named: has_header,
            labels,
            set_aside,
            left_out: Vec::new(),
            representation: None,
        })
    }
}

impl Content {
    /// Takes the column's next cell and gives its number, or none where it is text.
    fn take(&mut self, cell: Cell, field: &[u8], context: &Context) -> Result<Option<f64>> {
        match (&mut *self, cell) {
            (_, Cell::Number(number)) if number.is_infinite() => Err(context.infinite(field)),
            (Self::Numbers, Cell::Number(number)) => Ok(Some(number)),
            (Self::Numbers, Cell::Missing) if context.gaps => Ok(Some(f64::NAN)),
            (Self::Numbers, Cell::Missing) => Err(context.missing(field)),
            (Self::Numbers, Cell::Text) => {
                Err(context.mixed(context.at, &String::from_utf8_lossy(field)))
            }
            (Self::Unknown { texts, first }, Cell::Number(number)) => {
                if let Some(at) = *first
                    && !context.gaps
                {
                    let context = Context { at, ..*context };
                    return Err(context.missing(texts.first().map_or(b"", String::as_bytes)));
                }
                *self = Self::Numbers;
                Ok(Some(number))
            }
            (Self::Unknown { texts, first }, Cell::Missing) => {
                texts.push(context.text(field)?);
                first.get_or_insert(context.at);
                Ok(Some(f64::NAN))
            }
            (Self::Unknown { texts, .. }, Cell::Text) => {
                let value = context.text(field)?;
                let mut texts = std::mem::take(texts);
                texts.push(value.clone());
                *self = Self::Text { texts, first: context.at, value };
                Ok(None)
            }
            (Self::Text { texts, .. }, Cell::Missing | Cell::Text) => {
                texts.push(context.text(field)?);
                Ok(None)
            }
            (Self::Text { first, value, .. }, Cell::Number(_)) => Err(context.mixed(*first, value)),
        }
    }
}

/// Where a cell stands and how it is to be taken: all that its errors need.
struct Context<'a> {
    path: &'a Path,
    at: RowPosition,
    column: &'a str,
    gaps: bool,
}

impl Context<'_> {
    fn text(&self, field: &[u8]) -> Result<String> {
        match std::str::from_utf8(field) {
            Ok(text) => Ok(text.into()),
            Err(_) => Err(self.error(
                self.at,
                format!("\"{}\" is not UTF-8 text", String::from_utf8_lossy(field)),
                "save the file as UTF-8",
            )),
        }
    }

    fn weight(&self, field: &[u8], decimal_comma: bool) -> Result<f64> {
        match cell::parse(field, decimal_comma) {
            Cell::Number(weight) if weight.is_finite() && weight >= 0.0 => Ok(weight),
            _ => Err(self.error(
                self.at,
                format!("\"{}\" is not a valid weight", String::from_utf8_lossy(field)),
                "weights are finite numbers of at least 0",
            )),
        }
    }

    fn missing(&self, field: &[u8]) -> Error {
        let reason = if field.trim_ascii().is_empty() {
            "the value is missing".into()
        } else {
            format!("\"{}\" stands for a missing value", String::from_utf8_lossy(field))
        };
        self.error(self.at, reason, remedy_for_missing(self.column))
    }

    fn infinite(&self, field: &[u8]) -> Error {
        self.error(
            self.at,
            format!("\"{}\" is infinite", String::from_utf8_lossy(field)),
            "every value must be a finite number",
        )
    }

    fn mixed(&self, at: RowPosition, value: &str) -> Error {
        self.error(
            at,
            format!("\"{value}\" is not a number"),
            format!(
                "pass label = {} if the column is not a feature; fill it in or remove the row if the \
                 value is missing",
                self.column
            ),
        )
    }

    fn error(&self, at: RowPosition, reason: String, remedy: impl Into<String>) -> Error {
        Error::Cell {
            path: self.path.into(),
            position: CellPosition { row: at.row, line: Some(at.line), column: self.column.into() },
            reason,
            remedy: remedy.into(),
        }
    }
}
