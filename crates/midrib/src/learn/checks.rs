//! Checks of single settings that several methods share.

use schemars::{Schema, json_schema};

use super::choices::{AutoOr, ComponentCount, InfOr};
use crate::error::{Error, Result};

/// Refuses a fixed value that is not positive.
pub(super) fn positive(name: &str, value: AutoOr) -> Result<()> {
    match value {
        AutoOr::Fixed(value) if !(value > 0.0 && value.is_finite()) => {
            Err(Error::setting(name, value, "must be positive"))
        }
        _ => Ok(()),
    }
}

/// Refuses a fixed value that is negative or not finite.
pub(super) fn not_negative(name: &str, value: AutoOr) -> Result<()> {
    match value {
        AutoOr::Fixed(value) if !(value >= 0.0 && value.is_finite()) => {
            Err(Error::setting(name, value, "must be 0 or positive"))
        }
        _ => Ok(()),
    }
}

/// Refuses elastic moduli that no net can have.
pub(super) fn moduli(stretching: f64, bending: f64) -> Result<()> {
    positive("stretching", AutoOr::Fixed(stretching))?;
    not_negative("bending", AutoOr::Fixed(bending))
}

/// Refuses a limit that is not a whole number of at least `least`.
pub(super) fn whole_or_inf(name: &str, limit: InfOr, least: usize) -> Result<()> {
    match limit {
        InfOr::Finite(limit) if !(limit >= least as f64 && limit.fract() == 0.0) => {
            let of = if least > 0 { format!(" of at least {least}") } else { String::new() };
            Err(Error::setting(name, limit, format!("must be a whole number{of}, or inf")))
        }
        _ => Ok(()),
    }
}

/// A limit as a count; `inf` is the largest.
pub(super) fn at_most(limit: InfOr) -> usize {
    match limit {
        InfOr::Infinite => usize::MAX,
        InfOr::Finite(limit) => limit as usize,
    }
}

/// Refuses a share of the variance outside 0 to 1, and no components at all.
pub(super) fn components(wanted: ComponentCount) -> Result<()> {
    match wanted {
        ComponentCount::Exactly(0) => Err(Error::setting("n_components", 0, "must be at least 1")),
        ComponentCount::Share(share) if !(share > 0.0 && share < 1.0) => {
            let remedy = "must be a whole number, or a share of the variance between 0 and 1";
            Err(Error::setting("n_components", share, remedy))
        }
        _ => Ok(()),
    }
}

/// The schema of a number of nodes that cannot be `all`: at least `least`, or `auto`.
pub(super) fn count_or_auto(least: usize) -> Schema {
    json_schema!({"anyOf": [{"type": "integer", "minimum": least}, {"const": "auto"}]})
}
