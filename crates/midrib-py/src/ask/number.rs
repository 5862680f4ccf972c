//! Numbers that JSON has no sign for.

use serde::de::Error;
use serde::{Deserialize, Deserializer};

/// A number that may be without bound or undefined: `0.5`, `"inf"`, `"nan"`. Whoever uses it says
/// whether that can be meant.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AnyNumber(pub f64);

impl<'de> Deserialize<'de> for AnyNumber {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged, expecting = "expected a number, \"inf\" or \"nan\"")]
        enum Raw {
            Number(f64),
            Word(String),
        }
        match Raw::deserialize(deserializer)? {
            Raw::Number(number) => Ok(Self(number)),
            Raw::Word(word) => match word.parse::<f64>() {
                Ok(number) if !number.is_finite() => Ok(Self(number)),
                _ => Err(D::Error::custom(format!("\"{word}\" is not a number"))),
            },
        }
    }
}
