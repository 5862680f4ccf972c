//! The criteria in a report: on the summary card and in the methods paragraph.

use midrib::measure::{Coordinates, Criteria};

use crate::text::{count, percent, short};

/// What the summary card shows of them.
pub fn criteria_facts(found: &Criteria) -> Vec<(&'static str, String)> {
    let mut facts = Vec::new();
    if let Some(squared) = found.mean_squared_distance {
        facts.push(("mean squared distance", short(squared)));
    }
    let distances = [
        ("distances", found.distance_correlation, found.distance_error),
        ("large distances", found.large_distance_correlation, found.large_distance_error),
    ];
    for (name, correlation, error) in distances {
        if let (Some(correlation), Some(error)) = (correlation, error) {
            facts.push((name, format!("r {correlation:.3}, error {}", percent(error))));
        }
    }
    if let Some(share) = found.neighbor_preservation {
        facts.push(("neighbors kept", percent(share)));
    }
    if let Some(share) = found.class_compactness {
        facts.push(("neighbors of one class", percent(share)));
    }
    facts
}

/// What they mean, for the methods paragraph.
pub fn criteria_sentence(found: &Criteria) -> String {
    let Some(kept) = found.neighbor_preservation else { return String::new() };
    let after = match found.coordinates {
        Coordinates::Inner => "in coordinates of the object",
        Coordinates::Projection => "at the positions of their projections",
    };
    let among = if found.compared < found.points {
        format!(" among {}", count(found.compared, "point", "points"))
    } else {
        String::new()
    };
    let distances = found.distance_correlation.map_or_else(String::new, |correlation| {
        format!(" the distances of two points correlate with {correlation:.3}, and")
    });
    format!(
        " Before and after projection ({after}{among}),{distances} {} of the {} nearest neighbors \
         are the same. Variance explained is 1 - mean squared distance / total variance; the error \
         of distances is their mean relative difference with the best common factor, large ones \
         are the largest quarter.",
        percent(kept),
        found.neighbors
    )
}
