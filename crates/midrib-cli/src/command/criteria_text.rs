//! The criteria for a terminal.

use midrib::measure::Criteria;
use midrib_tasks::{count, percent, short};

/// A few lines: their names and what was found.
pub fn criteria_rows(found: &Criteria) -> Vec<(&'static str, String)> {
    let mut rows = Vec::new();
    if let Some(squared) = found.mean_squared_distance {
        let explained = found.explained.map_or("", |_| "; explained is 1 - this / total variance");
        rows.push(("distance", format!("{} mean squared{explained}", short(squared))));
    }
    let distances = [
        ("distances", found.distance_correlation, found.distance_error),
        ("large ones", found.large_distance_correlation, found.large_distance_error),
    ];
    for (name, correlation, error) in distances {
        if let Some(error) = error {
            let correlation = correlation.map_or("-".into(), |r| format!("{r:.4}"));
            let text =
                format!("correlation {correlation}, error {} after projection", percent(error));
            rows.push((name, text));
        }
    }
    if let Some(share) = found.neighbor_preservation {
        let classes = found
            .class_compactness
            .map_or_else(String::new, |share| format!(", {} of one class", percent(share)));
        let text = format!("{} of the {} nearest kept{classes}", percent(share), found.neighbors);
        rows.push(("neighbors", text));
    }
    if found.compared < found.points {
        let points = count(found.compared, "point", "points");
        rows.push(("compared", format!("distances and neighbors among {points}")));
    }
    rows
}
