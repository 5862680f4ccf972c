//! The shapes that can be generated, by name.

use std::fmt;
use std::str::FromStr;

use crate::error::{Error, Result};

/// The shape that points are sampled along.
///
/// ```
/// use midrib::synth::Shape;
/// assert_eq!("two-moons".parse::<Shape>()?, Shape::TwoMoons);
/// assert_eq!(Shape::TwoMoons.to_string(), "two-moons");
/// # Ok::<(), midrib::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// Straight edges of length 0.6 to 1.4 that meet in branch points of degree 3: b branch points,
    /// b + 2 tips, 2b + 1 edges. Planar without crossings in two dimensions; in more dimensions it
    /// grows in all directions.
    Tree {
        /// The number of branch points.
        branch_points: usize,
    },
    /// The letter S: two arcs of three quarters of a circle.
    S,
    /// An Archimedean spiral of two turns.
    Spiral,
    /// A circle of radius 1.
    Circle,
    /// Two interlocked half circles.
    TwoMoons,
    /// Three round clusters whose centers are 2 apart; the noise is their spread.
    ThreeClusters,
    /// Five straight strokes with sharp turns.
    Zigzag,
    /// A helix of three turns; needs three dimensions.
    Helix,
    /// A sheet rolled up in one and a half turns, 2.1 wide, with layers 0.63 apart; needs three
    /// dimensions. The skeleton is the center line of the sheet; points are on both sides of it.
    SwissRoll,
}

/// A shape's name and what it looks like.
#[derive(Clone, Copy, Debug)]
pub struct ShapeName {
    /// The name that [`Shape::from_str`] accepts.
    pub name: &'static str,
    /// A one-line description.
    pub description: &'static str,
    /// The shape itself; a tree has two branch points.
    pub shape: Shape,
}

impl Shape {
    /// All shapes with their names.
    pub const ALL: [ShapeName; 9] = [
        ShapeName {
            name: "tree",
            description: "a random tree of straight edges with branch points of degree 3",
            shape: Shape::Tree { branch_points: 2 },
        },
        ShapeName { name: "s", description: "the letter S", shape: Shape::S },
        ShapeName { name: "spiral", description: "a spiral of two turns", shape: Shape::Spiral },
        ShapeName { name: "circle", description: "a circle of radius 1", shape: Shape::Circle },
        ShapeName {
            name: "two-moons",
            description: "two interlocked half circles",
            shape: Shape::TwoMoons,
        },
        ShapeName {
            name: "three-clusters",
            description: "three round clusters without a curve",
            shape: Shape::ThreeClusters,
        },
        ShapeName {
            name: "zigzag",
            description: "five straight strokes with sharp turns",
            shape: Shape::Zigzag,
        },
        ShapeName {
            name: "helix",
            description: "a helix of three turns, in at least three dimensions",
            shape: Shape::Helix,
        },
        ShapeName {
            name: "swiss-roll",
            description: "a rolled-up sheet, in at least three dimensions",
            shape: Shape::SwissRoll,
        },
    ];

    /// The minimum number of dimensions of the shape.
    pub fn min_dims(&self) -> usize {
        match self {
            Shape::Helix | Shape::SwissRoll => 3,
            _ => 2,
        }
    }
}

impl FromStr for Shape {
    type Err = Error;

    fn from_str(name: &str) -> Result<Self> {
        let found = Self::ALL.iter().find(|entry| entry.name == name);
        found.map(|entry| entry.shape).ok_or_else(|| {
            let names: Vec<&str> = Self::ALL.iter().map(|entry| entry.name).collect();
            Error::setting(
                "shape",
                format!("\"{name}\""),
                format!("must be one of {}", names.join(", ")),
            )
        })
    }
}

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let same = |entry: &&ShapeName| {
            std::mem::discriminant(&entry.shape) == std::mem::discriminant(self)
        };
        f.write_str(Self::ALL.iter().find(same).map_or("", |entry| entry.name))
    }
}
