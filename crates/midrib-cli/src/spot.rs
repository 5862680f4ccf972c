//! What is said of a place that was named in words.

use midrib_io::{Error, Found, Landscape, Spot};

use crate::exit::{Failure, Outcome};
use crate::talk::{Talk, count};

/// Below this share of a value among the points about a tip, the tip hardly stands for it.
const FEW: f64 = 0.5;

/// The node that is meant. `flag` is what asked for it.
pub fn find(landscape: &Landscape<'_>, spot: &Spot, flag: &str, talk: &Talk) -> Outcome<usize> {
    let Found { node, about, unknown } = landscape.find(spot).map_err(|error| match error {
        Error::Spot { spot, reason } => Failure::usage(format!("{flag} {spot}: {reason}")),
        other => other.into(),
    })?;
    let asked = format!("{flag} {spot}");
    if unknown > 0 {
        talk.note(format!(
            "{asked}: {} without a value left out",
            count(unknown, "point", "points")
        ));
    }
    if let Some(about) = about {
        let points = count(about.points, "point", "points");
        let said = match spot {
            Spot::Equal { .. } => format!("{:.0} % of the {points}", 100.0 * about.mean),
            _ => format!("mean {} of the {points}", crate::command::short(about.mean)),
        };
        let inner = matches!(spot, Spot::Equal { .. })
            && landscape.graph.degree(node) > 1
            && !landscape.graph.tips().is_empty();
        let tips = if inner { "; few of them are at the tips" } else { "" };
        talk.note(format!("{asked}: node {node}, {said} about it{tips}"));
        if matches!(spot, Spot::Equal { .. }) && about.mean < FEW {
            talk.note(format!(
                "{asked}: few of the points about it have this value; give the number of a node or the \
                 id of a point to begin there"
            ));
        }
    }
    Ok(node)
}
