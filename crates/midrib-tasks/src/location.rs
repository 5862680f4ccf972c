//! Locations on a graph as users name them: a node, a point, or what the points at a tip have in
//! common.

use std::fmt;
use std::str::FromStr;

use serde::Serialize;

use crate::error::{Error, Result};

/// A location as a user names it.
///
/// ```
/// use midrib_tasks::Location;
/// let location: Location = "stage==young".parse()?;
/// assert_eq!(location, Location::Equal { column: "stage".into(), value: "young".into() });
/// assert_eq!(location.to_string(), "stage==young");
/// assert_eq!(serde_json::json!(location)["equal"]["column"], "stage");
/// assert_eq!("stage==".parse::<Location>(), Err("name a value after stage==".into()));
/// # Ok::<(), String>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Location {
    /// `12` or `node:12`.
    Node(usize),
    /// `cell_7` or `point:7`: the node nearest to a point.
    Point(String),
    /// `stage==young`: the tip whose points have the value most often, or the node around which it
    /// is common if it is rare at the tips.
    Equal {
        /// The column.
        column: String,
        /// The value.
        value: String,
    },
    /// `age:min`: the tip whose points have the least or largest mean.
    Extreme {
        /// The column.
        column: String,
        /// Whether the largest mean is meant.
        largest: bool,
    },
}

impl FromStr for Location {
    type Err = String;

    fn from_str(text: &str) -> std::result::Result<Self, String> {
        if let Some(id) = text.strip_prefix("point:") {
            return Ok(Self::Point(id.into()));
        }
        if let Some((column, value)) = text.split_once("==") {
            let (column, value) = (column.trim(), value.trim());
            return match (column, value) {
                ("", _) => Err(format!("name a column before =={value}")),
                (_, "") => Err(format!("name a value after {column}==")),
                _ => Ok(Self::Equal { column: column.into(), value: value.into() }),
            };
        }
        if let Some((column, end)) = text.rsplit_once(':')
            && let "min" | "max" = end
        {
            if column.is_empty() {
                return Err(format!("name a column before :{end}"));
            }
            return Ok(Self::Extreme { column: column.into(), largest: end == "max" });
        }
        if let Some(node) = text.strip_prefix("node:") {
            let wrong = |_| format!("{node} is not the number of a node");
            return node.parse().map(Self::Node).map_err(wrong);
        }
        Ok(text.parse().map_or_else(|_| Self::Point(text.into()), Self::Node))
    }
}

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Node(node) => write!(f, "{node}"),
            Self::Point(id) => write!(f, "{id}"),
            Self::Equal { column, value } => write!(f, "{column}=={value}"),
            Self::Extreme { column, largest: false } => write!(f, "{column}:min"),
            Self::Extreme { column, largest: true } => write!(f, "{column}:max"),
        }
    }
}

impl Location {
    /// Reads a location; `setting` is the one that names it, for the error.
    pub fn read(text: &str, setting: &'static str) -> Result<Self> {
        let location = || text.to_owned();
        text.parse().map_err(|reason| Error::Location { setting, location: location(), reason })
    }

    /// The error that it cannot be found, before it is known which setting named it.
    pub(crate) fn refused(&self, reason: String) -> Error {
        Error::Location { setting: "", location: self.to_string(), reason }
    }

    /// The column that it names.
    pub fn column(&self) -> Option<&str> {
        match self {
            Self::Node(_) | Self::Point(_) => None,
            Self::Equal { column, .. } | Self::Extreme { column, .. } => Some(column),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_are_distinguished_by_their_form() {
        let point = |id: &str| Location::Point(id.into());
        for (text, location) in [
            ("12", Location::Node(12)),
            ("node:12", Location::Node(12)),
            ("cell_7", point("cell_7")),
            ("point:7", point("7")),
            ("a:b", point("a:b")),
            ("-3", point("-3")),
            ("age:min", Location::Extreme { column: "age".into(), largest: false }),
            ("a:b:max", Location::Extreme { column: "a:b".into(), largest: true }),
            ("day==0 h", Location::Equal { column: "day".into(), value: "0 h".into() }),
        ] {
            assert_eq!(text.parse(), Ok(location), "{text}");
        }
        for text in ["node:x", "stage==", "stage== ", "==x", ":min"] {
            assert!(text.parse::<Location>().is_err(), "{text}");
        }
    }
}
