//! Settings that are lists of numbers: `8x8`, `1000,100,10,1`.

use std::borrow::Cow;
use std::fmt;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{self, Deserializer};
use serde::{Deserialize, Serialize, Serializer};

/// The number of nodes along each axis of a net, or `"auto"`.
///
/// ```
/// use midrib::learn::Sides;
/// let sides: Sides = serde_json::from_str("\"12x8\"")?;
/// assert_eq!(sides, Sides::Exactly(vec![12, 8]));
/// assert_eq!(serde_json::to_string(&sides)?, "\"12x8\"");
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Sides {
    /// Proportional to the points' principal extents.
    #[default]
    Auto,
    /// These.
    Exactly(Vec<usize>),
}

impl fmt::Display for Sides {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Auto => f.write_str("auto"),
            Self::Exactly(sides) => f.write_str(&joined(sides, "x")),
        }
    }
}

/// Factors of the moduli as a net is softened, one per epoch.
///
/// ```
/// use midrib::learn::Epochs;
/// let epochs: Epochs = serde_json::from_str("\"100,10,1\"")?;
/// assert_eq!(epochs.0, [100.0, 10.0, 1.0]);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Epochs(pub Vec<f64>);

impl fmt::Display for Epochs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&joined(&self.0, ","))
    }
}

fn joined(numbers: &[impl ToString], by: &str) -> String {
    numbers.iter().map(ToString::to_string).collect::<Vec<_>>().join(by)
}

/// One number, several numbers, or a string of them.
#[derive(Deserialize)]
#[serde(untagged)]
enum Raw {
    One(f64),
    Many(Vec<f64>),
    Text(String),
}

impl Raw {
    /// The numbers, or the string if it has none.
    fn numbers(self, by: char) -> Result<Vec<f64>, String> {
        match self {
            Self::One(number) => Ok(vec![number]),
            Self::Many(numbers) => Ok(numbers),
            Self::Text(text) => {
                let numbers = text.split(by).map(|part| part.trim().parse().ok()).collect();
                let numbers: Option<Vec<f64>> = numbers;
                numbers.ok_or(text)
            }
        }
    }
}

impl Serialize for Sides {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Sides {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let refuse = |found: String| {
            de::Error::custom(format_args!(
                "{found} is not \"auto\" or whole numbers such as 12x8, one per axis of the net"
            ))
        };
        let numbers = match Raw::deserialize(deserializer)?.numbers('x') {
            Err(text) if text == "auto" => return Ok(Self::Auto),
            numbers => numbers.map_err(refuse)?,
        };
        let whole = |x: &f64| x.fract() == 0.0 && (0.0..1e9).contains(x);
        if numbers.is_empty() || !numbers.iter().all(whole) {
            return Err(refuse(joined(&numbers, "x")));
        }
        Ok(Self::Exactly(numbers.into_iter().map(|x| x as usize).collect()))
    }
}

impl Serialize for Epochs {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Epochs {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let numbers = Raw::deserialize(deserializer)?.numbers(',');
        numbers.map(Self).map_err(|text| {
            de::Error::custom(format_args!("{text} is not numbers such as 1000,100,10,1"))
        })
    }
}

impl JsonSchema for Sides {
    fn schema_name() -> Cow<'static, str> {
        "Sides".into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({"anyOf": [{"type": "string", "title": "NxN"}, {"const": "auto"}]})
    }
}

impl JsonSchema for Epochs {
    fn schema_name() -> Cow<'static, str> {
        "Epochs".into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({"type": "string", "title": "NUMBERS"})
    }
}
