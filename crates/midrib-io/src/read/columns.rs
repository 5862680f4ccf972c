//! The roles of the columns.

use std::path::Path;

use midrib::nearest_word;

use super::ReadOptions;
use crate::error::{Error, Result};

/// The role of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    Feature,
    Id,
    Label,
    Weight,
}

/// Gives each of the columns its role. `index` is the column that the file itself declares to hold
/// the row names; it becomes the id unless another column is named.
pub(super) fn roles(
    path: &Path,
    names: &[String],
    index: Option<usize>,
    options: &ReadOptions,
) -> Result<Vec<Role>> {
    refuse_duplicates(path, names)?;
    let mut roles = vec![Role::Feature; names.len()];
    if let Some(index) = index {
        roles[index] = if options.id.is_none() { Role::Id } else { Role::Label };
    }
    for label in &options.labels {
        roles[find(path, names, label)?] = Role::Label;
    }
    for (wanted, role) in [(&options.weights, Role::Weight), (&options.id, Role::Id)] {
        let Some(wanted) = wanted else { continue };
        let column = find(path, names, wanted)?;
        if roles[column] == Role::Weight {
            return Err(Error::data(
                path,
                format!("column {wanted} cannot hold both weights and ids"),
            ));
        }
        roles[column] = role;
    }
    Ok(roles)
}

/// The column of that name, or of that number (`#3`).
fn find(path: &Path, names: &[String], wanted: &str) -> Result<usize> {
    if let Some(column) = names.iter().position(|name| name == wanted) {
        return Ok(column);
    }
    let number = wanted.strip_prefix('#').and_then(|digits| digits.parse::<usize>().ok());
    if let Some(number @ 1..) = number
        && number <= names.len()
    {
        return Ok(number - 1);
    }
    let suggestion = nearest_word(wanted, names.iter().map(String::as_str))
        .map(|name| format!(", did you mean {name}?"))
        .unwrap_or_default();
    Err(Error::data(
        path,
        format!("there is no column {wanted}{suggestion}; the columns are {}", listed(names)),
    ))
}

fn refuse_duplicates(path: &Path, names: &[String]) -> Result<()> {
    let mut numbers = std::collections::HashMap::new();
    for (column, name) in names.iter().enumerate() {
        if let Some(first) = numbers.insert(name, column) {
            return Err(Error::data(
                path,
                format!(
                    "columns {} and {} are both called {name}; give each column its own name",
                    first + 1,
                    column + 1
                ),
            ));
        }
    }
    Ok(())
}

/// The error of a table in which nothing is left to be a feature.
pub(super) fn no_features(path: &Path, names: &[String]) -> Error {
    Error::data(
        path,
        format!(
            "no column is left as a feature, every one is text, a label, an id or a weight \
             ({}); the points need at least one column of numbers",
            listed(names)
        ),
    )
}

/// Names in a sentence, cut short where there are very many.
pub(super) fn listed(names: &[String]) -> String {
    const SHOWN: usize = 30;
    let mut list = names[..names.len().min(SHOWN)].join(", ");
    if names.len() > SHOWN {
        list += &format!(", … ({} more)", names.len() - SHOWN);
    }
    list
}
