//! The choices that settings offer, as types. In JSON, on the command line and in Python they are a
//! number or text.

use std::borrow::Cow;
use std::fmt;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{self, Deserializer, Visitor};
use serde::{Deserialize, Serialize, Serializer};

/// A number, or `"auto"`: midrib chooses and reports its choice.
///
/// ```
/// use midrib::learn::AutoOr;
/// let bandwidth: AutoOr = serde_json::from_str("0.5")?;
/// assert_eq!(bandwidth, AutoOr::Fixed(0.5));
/// assert_eq!(serde_json::to_string(&AutoOr::Auto)?, "\"auto\"");
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum AutoOr {
    /// Chosen from the data.
    #[default]
    Auto,
    /// This value.
    Fixed(f64),
}

/// The bandwidth of a soft assignment.
pub type Bandwidth = AutoOr;

/// The number of nodes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum NodeCount {
    /// 100, or a third of the points if that is fewer.
    #[default]
    Auto,
    /// One node per point.
    All,
    /// This many.
    Exactly(usize),
}

/// The number of latent dimensions.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum ComponentCount {
    /// Two, or one if the points allow no more.
    #[default]
    Auto,
    /// This many.
    Exactly(usize),
    /// As many principal components as hold this share of the variance.
    Share(f64),
}

/// How points belong to nodes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Assignment {
    /// Each point is shared among nearby nodes.
    #[default]
    Soft,
    /// Each point belongs to its nearest node.
    Hard,
}

/// A number, or `"inf"` for no bound.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum InfOr {
    /// No bound.
    Infinite,
    /// This value.
    Finite(f64),
}

/// The distance from every node beyond which points are ignored: a number, `"inf"` or `"auto"`.
///
/// ```
/// use midrib::learn::TrimmingRadius;
/// let radius: TrimmingRadius = serde_json::from_str("\"auto\"")?;
/// assert_eq!(radius, TrimmingRadius::Auto);
/// assert_eq!(serde_json::to_string(&TrimmingRadius::Infinite)?, "\"inf\"");
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum TrimmingRadius {
    /// No point is ignored.
    #[default]
    Infinite,
    /// Estimated from the points, see [`trimming_radius`](crate::prepare::trimming_radius).
    Auto,
    /// This distance.
    Finite(f64),
}

/// How sweeps are sped up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Acceleration {
    /// Anderson acceleration; a step is taken only if the objective falls.
    #[default]
    Anderson,
    /// None: the plain sweeps of the paper, number by number.
    None,
}

/// Where the nodes start.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Start {
    /// At all points, or at centers of them.
    #[default]
    Auto,
    /// There, moved to the ridge of the density of the points.
    Ridge,
}

/// What to do with the tips of a learned tree.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Tips {
    /// Tidied if the smoothness is automatic, kept if it is given.
    #[default]
    Auto,
    /// Noise-only tips are removed, the others extended to the end of the data.
    Tidy,
    /// Kept as learned.
    Keep,
}

impl AutoOr {
    /// The given value, or else this one.
    pub(super) fn or(self, chosen: f64) -> f64 {
        match self {
            Self::Auto => chosen,
            Self::Fixed(value) => value,
        }
    }
}

impl Serialize for AutoOr {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Auto => serializer.serialize_str("auto"),
            Self::Fixed(value) => serializer.serialize_f64(*value),
        }
    }
}

impl<'de> Deserialize<'de> for AutoOr {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let expected = "a number or \"auto\"";
        match deserializer.deserialize_any(NumberOrWord { expected })? {
            Raw::Number(value) => Ok(Self::Fixed(value)),
            Raw::Text(text) if text == "auto" => Ok(Self::Auto),
            Raw::Text(text) => Err(unexpected(&text, expected)),
        }
    }
}

impl JsonSchema for AutoOr {
    fn schema_name() -> Cow<'static, str> {
        "AutoOr".into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({"anyOf": [{"type": "number"}, {"const": "auto"}]})
    }
}

impl Serialize for NodeCount {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Auto => serializer.serialize_str("auto"),
            Self::All => serializer.serialize_str("all"),
            Self::Exactly(count) => serializer.serialize_u64(*count as u64),
        }
    }
}

impl<'de> Deserialize<'de> for NodeCount {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let expected = "a whole number of at least 1, \"all\" or \"auto\"";
        match deserializer.deserialize_any(NumberOrWord { expected })? {
            Raw::Number(value) if value.fract() == 0.0 && (1.0..1e15).contains(&value) => {
                Ok(Self::Exactly(value as usize))
            }
            Raw::Number(value) => Err(unexpected(&value.to_string(), expected)),
            Raw::Text(text) if text == "all" => Ok(Self::All),
            Raw::Text(text) if text == "auto" => Ok(Self::Auto),
            Raw::Text(text) => Err(unexpected(&text, expected)),
        }
    }
}

impl JsonSchema for NodeCount {
    fn schema_name() -> Cow<'static, str> {
        "NodeCount".into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "anyOf": [{"type": "integer", "minimum": 1}, {"enum": ["all", "auto"]}]
        })
    }
}

impl Serialize for ComponentCount {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Auto => serializer.serialize_str("auto"),
            Self::Exactly(count) => serializer.serialize_u64(*count as u64),
            Self::Share(share) => serializer.serialize_f64(*share),
        }
    }
}

impl<'de> Deserialize<'de> for ComponentCount {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let expected =
            "a whole number of at least 1, a share of the variance between 0 and 1, or \"auto\"";
        match deserializer.deserialize_any(NumberOrWord { expected })? {
            // Other numbers are refused by the method's check, which names the setting.
            Raw::Number(value) if value.fract() == 0.0 && (0.0..1e15).contains(&value) => {
                Ok(Self::Exactly(value as usize))
            }
            Raw::Number(value) => Ok(Self::Share(value)),
            Raw::Text(text) if text == "auto" => Ok(Self::Auto),
            Raw::Text(text) => Err(unexpected(&text, expected)),
        }
    }
}

impl JsonSchema for ComponentCount {
    fn schema_name() -> Cow<'static, str> {
        "ComponentCount".into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({"anyOf": [{"type": "number"}, {"const": "auto"}]})
    }
}

impl Serialize for InfOr {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Infinite => serializer.serialize_str("inf"),
            Self::Finite(value) => serializer.serialize_f64(*value),
        }
    }
}

impl<'de> Deserialize<'de> for InfOr {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let expected = "a number or \"inf\"";
        match deserializer.deserialize_any(NumberOrWord { expected })? {
            Raw::Number(value) => Ok(Self::Finite(value)),
            Raw::Text(text) if text == "inf" => Ok(Self::Infinite),
            Raw::Text(text) => Err(unexpected(&text, expected)),
        }
    }
}

impl JsonSchema for InfOr {
    fn schema_name() -> Cow<'static, str> {
        "InfOr".into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({"anyOf": [{"type": "number"}, {"const": "inf"}]})
    }
}

impl Serialize for TrimmingRadius {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Infinite => serializer.serialize_str("inf"),
            Self::Auto => serializer.serialize_str("auto"),
            Self::Finite(value) => serializer.serialize_f64(*value),
        }
    }
}

impl<'de> Deserialize<'de> for TrimmingRadius {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let expected = "a number, \"auto\" or \"inf\"";
        match deserializer.deserialize_any(NumberOrWord { expected })? {
            Raw::Number(value) => Ok(Self::Finite(value)),
            Raw::Text(text) if text == "auto" => Ok(Self::Auto),
            Raw::Text(text) if text == "inf" => Ok(Self::Infinite),
            Raw::Text(text) => Err(unexpected(&text, expected)),
        }
    }
}

impl JsonSchema for TrimmingRadius {
    fn schema_name() -> Cow<'static, str> {
        "TrimmingRadius".into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({"anyOf": [{"type": "number"}, {"enum": ["auto", "inf"]}]})
    }
}

fn unexpected<E: de::Error>(found: &str, expected: &str) -> E {
    E::custom(format_args!("{found} is not {expected}"))
}

enum Raw {
    Number(f64),
    Text(String),
}

struct NumberOrWord {
    expected: &'static str,
}

impl Visitor<'_> for NumberOrWord {
    type Value = Raw;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.expected)
    }

    fn visit_f64<E: de::Error>(self, value: f64) -> Result<Raw, E> {
        Ok(Raw::Number(value))
    }

    fn visit_u64<E: de::Error>(self, value: u64) -> Result<Raw, E> {
        Ok(Raw::Number(value as f64))
    }

    fn visit_i64<E: de::Error>(self, value: i64) -> Result<Raw, E> {
        Ok(Raw::Number(value as f64))
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<Raw, E> {
        Ok(Raw::Text(text.to_owned()))
    }
}
