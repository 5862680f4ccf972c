//! AnnData's tables: annotations of the cells or genes, column by column.

use std::path::Path;

use hdf5_pure::{AttrValue, DType, Group};
use midrib::nearest_word;

use crate::error::{Error, Result};
use crate::read::numeric::number_text;
use crate::read::selection::listed;

/// A table with named rows and columns of different kinds.
pub(super) struct Frame<'p> {
    pub path: &'p Path,
    pub group: Group,
    /// What it is called in messages.
    pub name: &'p str,
}

impl Frame<'_> {
    fn damaged(&self, error: &hdf5_pure::Error) -> Error {
        damaged(self.path, error)
    }

    /// The names of the rows.
    pub(super) fn index(&self) -> Result<Vec<String>> {
        let attributes = self.group.attrs().map_err(|error| self.damaged(&error))?;
        let name = attributes.get("_index").and_then(text).unwrap_or_else(|| "_index".into());
        self.texts(&name)
    }

    pub(super) fn columns(&self) -> Result<Vec<String>> {
        let attributes = self.group.attrs().map_err(|error| self.damaged(&error))?;
        Ok(attributes.get("column-order").map_or_else(Vec::new, text_list))
    }

    pub(super) fn categorical_columns(&self) -> Result<Vec<String>> {
        let kind = |name: &String| self.group.group(name).ok().and_then(|column| encoding(&column));
        let is_categorical = |name: &String| kind(name).as_deref() == Some("categorical");
        Ok(self.columns()?.into_iter().filter(is_categorical).collect())
    }

    /// A column as numbers; NaN where a value is missing.
    pub(super) fn numbers(&self, column: &str) -> Result<Vec<f64>> {
        let refused = || {
            let reason = format!("{}/{column} holds no numbers", self.name);
            Error::data(self.path, reason)
        };
        match self.group.dataset(column) {
            Ok(dataset) => match dataset.dtype().map_err(|error| self.damaged(&error))? {
                DType::String | DType::VariableLengthString => Err(refused()),
                _ => dataset.read_f64().map_err(|error| self.damaged(&error)),
            },
            Err(_) => Err(if self.has(column)? { refused() } else { self.unknown(column)? }),
        }
    }

    /// A column as text; empty where a value is missing.
    pub(super) fn texts(&self, column: &str) -> Result<Vec<String>> {
        let failed = |error: hdf5_pure::Error| self.damaged(&error);
        if let Ok(dataset) = self.group.dataset(column) {
            return match dataset.dtype().map_err(failed)? {
                DType::String | DType::VariableLengthString => {
                    dataset.read_string().map_err(failed)
                }
                DType::Enum(_) => {
                    let word = |code: i64| if code == 0 { "False" } else { "True" };
                    let codes = dataset.read_i64().map_err(failed)?;
                    Ok(codes.into_iter().map(|code| word(code).to_owned()).collect())
                }
                _ => {
                    let numbers = dataset.read_f64().map_err(failed)?;
                    Ok(numbers.into_iter().map(number_text).collect())
                }
            };
        }
        let Ok(group) = self.group.group(column) else {
            return Err(self.unknown(column)?);
        };
        if encoding(&group).as_deref() != Some("categorical") {
            let reason =
                format!("{}/{column} is of a kind that cannot be read as labels", self.name);
            return Err(Error::data(self.path, reason));
        }
        let categories = Frame { path: self.path, group: group.clone(), name: column };
        let categories = categories.texts("categories")?;
        let codes = group.dataset("codes").and_then(|codes| codes.read_i64()).map_err(failed)?;
        let category = |code: i64| match usize::try_from(code) {
            Err(_) => Ok(String::new()),
            Ok(code) => categories.get(code).cloned().ok_or_else(|| {
                let reason = format!("is damaged: {}/{column} has no category {code}", self.name);
                Error::data(self.path, reason)
            }),
        };
        codes.into_iter().map(category).collect()
    }

    fn has(&self, column: &str) -> Result<bool> {
        Ok(self.columns()?.iter().any(|name| name == column))
    }

    fn unknown(&self, column: &str) -> Result<Error> {
        let names = self.columns()?;
        let near = nearest_word(column, names.iter().map(String::as_str))
            .map_or_else(String::new, |name| format!(", did you mean {name}?"));
        let columns = if names.is_empty() {
            "it has no columns".to_owned()
        } else {
            format!("the columns are {}", listed(&names))
        };
        let reason = format!("{} has no column {column}{near}; {columns}", self.name);
        Ok(Error::data(self.path, reason))
    }
}

/// What anndata says that a group is.
pub(super) fn encoding(group: &Group) -> Option<String> {
    text(group.attrs().ok()?.get("encoding-type")?)
}

fn text(value: &AttrValue) -> Option<String> {
    match value {
        AttrValue::VarLenString(text)
        | AttrValue::VarLenAsciiString(text)
        | AttrValue::String(text)
        | AttrValue::AsciiString(text) => Some(text.clone()),
        _ => None,
    }
}

fn text_list(value: &AttrValue) -> Vec<String> {
    match value {
        AttrValue::VarLenStringArray(texts)
        | AttrValue::VarLenAsciiStringArray(texts)
        | AttrValue::StringArray(texts)
        | AttrValue::AsciiStringArray(texts) => texts.clone(),
        _ => Vec::new(),
    }
}

pub(super) fn damaged(path: &Path, error: &hdf5_pure::Error) -> Error {
    match error {
        hdf5_pure::Error::Io(error) => Error::reading(path, error),
        _ => Error::data(path, format!("is damaged ({error}); is the file complete?")),
    }
}
