//! The roles of the columns.

use std::path::Path;

use super::ReadOptions;
use super::selection::{excluded, find, listed, selected};
use crate::error::{Error, Result};

/// The role of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    Feature,
    Id,
    Label,
    Weight,
    /// Not selected as a feature: a label if it holds text, otherwise not read.
    Unselected,
    /// Not read.
    Excluded,
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
    let selected = selected(path, names, options)?;
    let role = |selected| if selected { Role::Feature } else { Role::Unselected };
    let mut roles: Vec<Role> = selected.into_iter().map(role).collect();
    for column in excluded(path, names, options)? {
        roles[column] = Role::Excluded;
    }
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
