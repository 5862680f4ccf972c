//! The table of all figures.

use std::fmt::Write;

use super::panel::ComparisonPanel;
use crate::svg::escaped;

/// A column of the table of figures.
pub(super) struct Column {
    pub name: &'static str,
    pub meaning: &'static str,
    /// Whether the largest value is the best one; the least otherwise.
    large_is_good: bool,
    is_share: bool,
}

/// The columns, in the order of the values of a panel.
pub(super) const COLUMNS: [Column; 8] = [
    Column {
        name: "explained",
        meaning: "1 − mean squared distance / total variance of the points",
        large_is_good: true,
        is_share: true,
    },
    Column {
        name: "squared distance",
        meaning: "the mean squared distance of the points from the object",
        large_is_good: false,
        is_share: false,
    },
    Column {
        name: "distances, correlation",
        meaning: "of the distances between two points before and after they are projected onto the \
                  object, over all pairs",
        large_is_good: true,
        is_share: false,
    },
    Column {
        name: "distances, error",
        meaning: "the mean of |s·after − before| / before over all pairs, with the best common \
                  factor s",
        large_is_good: false,
        is_share: true,
    },
    Column {
        name: "large distances, correlation",
        meaning: "the same over the largest quarter of the distances",
        large_is_good: true,
        is_share: false,
    },
    Column {
        name: "large distances, error",
        meaning: "the same over the largest quarter, with the same factor",
        large_is_good: false,
        is_share: true,
    },
    Column {
        name: "neighbors kept",
        meaning: "the mean share of the 10 nearest neighbors that are the same after projection",
        large_is_good: true,
        is_share: true,
    },
    Column {
        name: "neighbors of one class",
        meaning: "the mean share of the 10 nearest neighbors after projection that have the same \
                  label",
        large_is_good: true,
        is_share: true,
    },
];

/// All figures, the best of each column in bold.
pub(super) fn table(panels: &[ComparisonPanel]) -> String {
    let is_used = |at: &usize| panels.iter().any(|panel| value(panel, *at).is_some());
    let used: Vec<usize> = (0..COLUMNS.len()).filter(is_used).collect();
    let has_memory = panels.iter().any(|panel| panel.memory.is_some());
    let mut html = String::from(
        "<section class=\"table\"><h2>All figures</h2><div class=\"scroll\"><table><thead><tr>\
         <th scope=\"col\">method</th><th scope=\"col\" class=\"text\">object</th>",
    );
    for &at in &used {
        let _ = write!(html, "<th scope=\"col\">{}</th>", COLUMNS[at].name);
    }
    html += "<th scope=\"col\">time</th>";
    html += if has_memory { "<th scope=\"col\">memory</th>" } else { "" };
    html += "</tr></thead><tbody>\n";
    let best: Vec<String> = used.iter().map(|&at| best(panels, at)).collect();
    for panel in panels {
        let _ = write!(
            html,
            "<tr><th scope=\"row\">{}</th><td class=\"text\">{}</td>",
            escaped(&panel.name),
            escaped(&panel.object)
        );
        for (&at, best) in used.iter().zip(&best) {
            let shown = number(value(panel, at), &COLUMNS[at]);
            let is_best = shown == *best && is_rated(panel, at);
            let class = if is_best { " class=\"best\"" } else { "" };
            let _ = write!(html, "<td{class}>{shown}</td>");
        }
        let _ = write!(html, "<td>{}</td>", escaped(&panel.time));
        if has_memory {
            let _ = write!(html, "<td>{}</td>", escaped(panel.memory.as_deref().unwrap_or("–")));
        }
        html += "</tr>\n";
    }
    html += "</tbody></table></div>\n";
    for panel in panels {
        if let Some(reason) = &panel.reason {
            let (name, reason) = (escaped(&panel.name), escaped(reason));
            let _ = writeln!(html, "<p class=\"reason\"><b>{name}</b>: {reason}</p>");
        }
    }
    html + "</section>\n"
}

pub(super) fn value(panel: &ComparisonPanel, at: usize) -> Option<f64> {
    panel.values.get(at).copied().flatten()
}

/// The columns that measure the distance of the points from the object.
const OF_DISTANCE: usize = 2;

/// Whether a figure takes part in the choice of the best: a distance of 0 to nodes that are the points
/// themselves does not.
fn is_rated(panel: &ComparisonPanel, at: usize) -> bool {
    value(panel, at).is_some() && !(panel.is_every_point && at < OF_DISTANCE)
}

/// The best figure of a column as it is shown; equal ones are equally good.
fn best(panels: &[ComparisonPanel], at: usize) -> String {
    let rated = panels.iter().filter(|panel| is_rated(panel, at));
    let values = rated.filter_map(|panel| value(panel, at));
    let best = match COLUMNS[at].large_is_good {
        true => values.max_by(f64::total_cmp),
        false => values.min_by(f64::total_cmp),
    };
    number(best, &COLUMNS[at])
}

pub(super) fn number(value: Option<f64>, column: &Column) -> String {
    match value {
        None => "–".into(),
        Some(value) if column.is_share => format!("{:.1} %", 100.0 * value),
        Some(value) if value != 0.0 && !(1e-3..1e5).contains(&value.abs()) => {
            format!("{value:.2e}")
        }
        Some(value) => format!("{value:.3}"),
    }
}
