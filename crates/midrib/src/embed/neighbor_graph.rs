//! The graph that joins each row to its nearest rows.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::source::{Near, Source};
use crate::error::{Error, Result};
use crate::math::Sets;

/// At most this many pieces and rows are listed.
const LISTED: usize = 5;

/// What to do with a neighbor graph in several pieces, which no embedding can place relative to
/// each other.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Pieces {
    /// Refuse it, with the sizes of the pieces.
    #[default]
    Refuse,
    /// Embed the largest piece; points of the others get their coordinates like new points.
    Largest,
}

/// Rows whose neighbor graph is in one piece.
pub(super) struct Connected<'s, 'a> {
    pub source: std::borrow::Cow<'s, Source<'a>>,
    pub near: Near,
    /// The rows of the piece, where there are others.
    pub kept: Option<Vec<usize>>,
    pub notes: Vec<String>,
}

/// Finds the `k` nearest rows of each row, and keeps one piece of the graph.
pub(super) fn connected<'s, 'a>(
    source: &'s Source<'a>,
    k: usize,
    pieces: Pieces,
) -> Result<Connected<'s, 'a>> {
    let near = source.nearest(k)?;
    let mut found = pieces_of(&near);
    if found.len() == 1 {
        let source = std::borrow::Cow::Borrowed(source);
        return Ok(Connected { source, near, kept: None, notes: Vec::new() });
    }
    found.sort_by_key(|piece| std::cmp::Reverse(piece.len()));
    let sizes = listed(found.iter().map(Vec::len));
    let what = format!("the neighbor graph is in {} pieces, of {sizes} points", found.len());
    let Some(part) = (pieces == Pieces::Largest).then(|| source.select(&found[0])).flatten() else {
        return Err(Error::data(format!(
            "{what}, with {k} neighbors each: pieces have no positions relative to each other; give \
             more n_neighbors, or leave points out{}",
            match source.rows() {
                Some(_) => "; pieces = largest embeds the largest piece",
                None => "",
            }
        )));
    };
    let rows = found.swap_remove(0);
    let mut number = vec![0_u32; near.items.len() / k];
    (0_u32..).zip(&rows).for_each(|(at, &row)| number[row] = at);
    let items = rows.iter().flat_map(|&row| near.items(row)).map(|&j| number[j as usize]).collect();
    let distances = rows.iter().flat_map(|&row| near.distances(row)).copied().collect();
    let mut others: Vec<usize> = found.into_iter().flatten().collect();
    others.sort_unstable();
    let note = format!(
        "{what}: the largest is embedded, the other {} points get coordinates like new points (rows \
         {})",
        others.len(),
        listed(others.iter().map(|row| row + 1))
    );
    Ok(Connected {
        source: std::borrow::Cow::Owned(part),
        near: Near { k, items, distances },
        kept: Some(rows),
        notes: vec![note],
    })
}

/// The first few of these numbers.
fn listed(numbers: impl ExactSizeIterator<Item = usize>) -> String {
    let more = if numbers.len() > LISTED { ", …" } else { "" };
    let first: Vec<String> = numbers.take(LISTED).map(|number| number.to_string()).collect();
    format!("{}{more}", first.join(", "))
}

/// The rows of each piece, ascending.
fn pieces_of(near: &Near) -> Vec<Vec<usize>> {
    let n = near.items.len() / near.k;
    let mut sets = Sets::new(n);
    for i in 0..n {
        near.items(i).iter().for_each(|&j| _ = sets.join(i, j as usize));
    }
    let mut pieces: Vec<Vec<usize>> = vec![Vec::new(); n];
    (0..n).for_each(|i| pieces[sets.find(i)].push(i));
    pieces.retain(|piece| !piece.is_empty());
    pieces
}

/// Pairs of neighbors: the row with each of its neighbors, from both sides.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct NeighborGraph {
    /// Where the neighbors of each row start, and where the last ones end.
    pub starts: Vec<usize>,
    pub others: Vec<u32>,
    pub lengths: Vec<f64>,
    /// Whether both rows have each other among their nearest.
    #[serde(skip)]
    pub mutual: Vec<bool>,
}

impl NeighborGraph {
    pub fn new(near: &Near) -> Self {
        let n = near.items.len() / near.k;
        let mut pairs: Vec<(u32, u32, f64)> = Vec::with_capacity(2 * near.items.len());
        for i in 0..n {
            for (&j, &length) in near.items(i).iter().zip(near.distances(i)) {
                pairs.extend([(i as u32, j, length), (j, i as u32, length)]);
            }
        }
        pairs.sort_unstable_by_key(|&(i, j, _)| (i, j));
        let mut graph = Self {
            starts: vec![0; n + 1],
            others: Vec::with_capacity(pairs.len()),
            lengths: Vec::with_capacity(pairs.len()),
            mutual: Vec::with_capacity(pairs.len()),
        };
        for same in pairs.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1)) {
            let (i, j, length) = same[0];
            graph.starts[i as usize + 1] += 1;
            graph.others.push(j);
            graph.lengths.push(length);
            graph.mutual.push(same.len() == 2);
        }
        (0..n).for_each(|i| graph.starts[i + 1] += graph.starts[i]);
        graph
    }

    /// Refuses a graph of other rows, or one that was read from a damaged file.
    pub fn check(&self, n: usize) -> Result<()> {
        let ends = self.starts.last().copied().unwrap_or_default();
        let starts = self.starts.len() == n + 1 && self.starts.is_sorted();
        let lists = [self.others.len(), self.lengths.len()] == [ends, ends];
        if starts && lists && self.others.iter().all(|&other| (other as usize) < n) {
            return Ok(());
        }
        Err(Error::data("the neighbor graph of the embedding is damaged"))
    }

    /// The number of rows.
    pub fn len(&self) -> usize {
        self.starts.len().saturating_sub(1)
    }

    /// The neighbors of a row, and how far they are.
    pub fn of(&self, row: usize) -> impl Iterator<Item = (usize, f64)> {
        let range = self.starts[row]..self.starts[row + 1];
        let others = self.others[range.clone()].iter().map(|&other| other as usize);
        others.zip(self.lengths[range].iter().copied())
    }
}
