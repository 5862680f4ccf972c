//! How a picture looks.

use crate::error::Result;

/// What is drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum View {
    /// The graph over its points.
    #[default]
    Graph,
    /// A net as a map: the points at their inner coordinates inside its cells.
    Map,
    /// The metro map: flat, with true lengths and pies of the labels.
    Metro,
    /// The rooted graph, pseudotime upward.
    Dendrogram,
    /// The adjacency matrix in the order of the labels.
    Adjacency,
    /// The objective after each sweep.
    Convergence,
    /// How the graph changes with its length penalty, or as it grows.
    Tuning,
}

impl View {
    /// All views.
    pub const ALL: [Self; 7] = [
        Self::Graph,
        Self::Map,
        Self::Metro,
        Self::Dendrogram,
        Self::Adjacency,
        Self::Convergence,
        Self::Tuning,
    ];

    /// The name of the view.
    pub fn name(self) -> &'static str {
        match self {
            Self::Graph => "graph",
            Self::Map => "map",
            Self::Metro => "metro",
            Self::Dendrogram => "dendrogram",
            Self::Adjacency => "adjacency",
            Self::Convergence => "convergence",
            Self::Tuning => "tuning",
        }
    }

    /// The view of this name.
    ///
    /// ```
    /// use midrib_tasks::View;
    /// assert_eq!(View::named("metro")?, View::Metro);
    /// let refused = View::named("plan").unwrap_err().to_string();
    /// assert!(refused.starts_with("view = plan: choose graph, map,"));
    /// # Ok::<(), midrib_tasks::Error>(())
    /// ```
    pub fn named(name: &str) -> Result<Self> {
        Self::ALL.into_iter().find(|view| view.name() == name).ok_or_else(|| {
            let names: Vec<&str> = Self::ALL.iter().map(|view| view.name()).collect();
            let remedy = format!("choose {}", names.join(", "));
            midrib::Error::setting("view", name, remedy).into()
        })
    }

    /// Whether it shows how the object was found, and no points.
    pub(crate) fn is_trace(self) -> bool {
        matches!(self, Self::Convergence | Self::Tuning)
    }
}

/// What shades the cells of a map.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Background {
    /// How densely the points lie on the map.
    #[default]
    Density,
    /// How far the neighbors of each node are in the data space: ridges between groups of points.
    UMatrix,
    /// Nothing.
    None,
}

impl Background {
    /// All backgrounds.
    pub const ALL: [Self; 3] = [Self::Density, Self::UMatrix, Self::None];

    /// The name of the background.
    pub fn name(self) -> &'static str {
        match self {
            Self::Density => "density",
            Self::UMatrix => "umatrix",
            Self::None => "none",
        }
    }

    /// The background of this name.
    ///
    /// ```
    /// use midrib_tasks::Background;
    /// assert_eq!(Background::named("umatrix")?, Background::UMatrix);
    /// assert!(Background::named("blue").is_err());
    /// # Ok::<(), midrib_tasks::Error>(())
    /// ```
    pub fn named(name: &str) -> Result<Self> {
        Self::ALL.into_iter().find(|background| background.name() == name).ok_or_else(|| {
            let remedy = "choose density, umatrix or none";
            midrib::Error::setting("background", name, remedy).into()
        })
    }
}

/// How a picture looks.
#[derive(Clone, Debug, Default)]
pub struct PictureSettings {
    /// What is drawn.
    pub view: View,
    /// What colors the points: branch, component, distance, pseudotime, a label or a feature. By
    /// default the first label, else the branch.
    pub color: Option<String>,
    /// The two columns to draw over.
    pub axes: Option<[String; 2]>,
    /// What shades the cells of a map; density if it is left open.
    pub background: Option<Background>,
    /// Whether thin lines lead from the points to their projections.
    pub projections: bool,
}
