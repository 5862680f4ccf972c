//! How a result came to be: learned, and why the fit stopped; or not learned at all.

use midrib::learn::End;
use serde::{Deserialize, Serialize};

/// How a result came to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "&'static str")]
pub enum Origin {
    /// It was learned, and the fit ended like this.
    Learned(End),
    /// It is the true graph of generated points.
    Truth,
    /// It was given.
    Given,
}

impl Origin {
    /// Its name in model.json, where it is called `end`.
    ///
    /// ```
    /// use midrib::learn::End;
    /// use midrib_io::Origin;
    /// assert_eq!(Origin::Learned(End::Converged).as_str(), "converged");
    /// assert_eq!(Origin::Truth.as_str(), "truth");
    /// ```
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Learned(end) => end.as_str(),
            Self::Truth => "truth",
            Self::Given => "given",
        }
    }

    /// The origin of a graph that was not learned.
    pub(super) fn of_graph(name: &str) -> Self {
        if name == "truth" { Self::Truth } else { Self::Given }
    }
}

impl From<Origin> for &'static str {
    fn from(origin: Origin) -> Self {
        origin.as_str()
    }
}

impl TryFrom<String> for Origin {
    type Error = String;

    fn try_from(name: String) -> Result<Self, String> {
        match name.as_str() {
            "truth" => Ok(Self::Truth),
            "given" => Ok(Self::Given),
            other => End::named(other)
                .map(Self::Learned)
                .ok_or_else(|| format!("end = {other:?}: this midrib knows no such end")),
        }
    }
}
