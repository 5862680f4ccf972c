//! The order in which the rules of the grammar are applied.

use std::borrow::Cow;
use std::fmt;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{self, Deserializer};
use serde::{Deserialize, Serialize, Serializer};

use crate::connect::Rule;
use crate::error::{Error, Result};

/// Rules of the grammar that are repeated until there are enough nodes: `grow` (add a node to a node,
/// or bisect an edge), `bisect` (an edge) and `shrink` (remove a tip, or contract an edge).
///
/// ```
/// use midrib::connect::Rule;
/// use midrib::learn::Program;
/// let program: Program = serde_json::from_str("\"grow,grow,shrink\"")?;
/// assert_eq!(program.0, [Rule::Grow, Rule::Grow, Rule::Shrink]);
/// assert_eq!(serde_json::to_string(&program)?, "\"grow,grow,shrink\"");
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program(pub Vec<Rule>);

const NAMES: [(&str, Rule); 3] =
    [("grow", Rule::Grow), ("bisect", Rule::Lengthen), ("shrink", Rule::Shrink)];

impl Program {
    /// Refuses rules that never add nodes.
    pub(super) fn check(&self) -> Result<()> {
        let refuse = |reason: &str| Err(Error::setting("program", self, reason));
        if self.0.is_empty() {
            return refuse("give at least one rule");
        }
        if self.0.contains(&Rule::Rewire) {
            return refuse("branches are moved at the end: give grow, bisect and shrink");
        }
        let shrinks = self.0.iter().filter(|&&rule| rule == Rule::Shrink).count();
        if 2 * shrinks >= self.0.len() {
            return refuse("removes as many nodes as it adds, and would never end");
        }
        Ok(())
    }
}

impl fmt::Display for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, rule) in self.0.iter().enumerate() {
            let name = NAMES.iter().find(|(_, own)| own == rule).map_or("rewire", |(w, _)| w);
            write!(f, "{}{name}", if at > 0 { "," } else { "" })?;
        }
        Ok(())
    }
}

impl Serialize for Program {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// Words in one string, or one by one.
#[derive(Deserialize)]
#[serde(untagged)]
enum Raw {
    Text(String),
    Many(Vec<String>),
}

impl<'de> Deserialize<'de> for Program {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> std::result::Result<Self, D::Error> {
        let names: Vec<String> = match Raw::deserialize(deserializer)? {
            Raw::Text(text) => text.split(',').map(|name| name.trim().to_owned()).collect(),
            Raw::Many(names) => names,
        };
        let rule = |name: &String| {
            let found = NAMES.iter().find(|(own, _)| own == name).map(|&(_, rule)| rule);
            found.ok_or_else(|| {
                de::Error::custom(format_args!(
                    "\"{name}\" is not a rule: give grow, bisect and shrink, for example \
                     grow,grow,shrink"
                ))
            })
        };
        names.iter().map(rule).collect::<std::result::Result<_, _>>().map(Self)
    }
}

impl JsonSchema for Program {
    fn schema_name() -> Cow<'static, str> {
        "Program".into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({"type": "string", "title": "RULES"})
    }
}
