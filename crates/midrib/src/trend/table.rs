//! Tables of features: dense, or sparse by rows or by columns; read a block of columns at a time.

use crate::error::{Error, Result};

/// Columns that are read at once.
const COLUMNS: usize = 256;
/// Values that are read at once at most, unless a single column has more.
const VALUES: usize = 1 << 24;

/// Numbers in double or single precision.
#[derive(Clone, Copy, Debug)]
pub enum Numbers<'a> {
    /// Double precision.
    Double(&'a [f64]),
    /// Single precision.
    Single(&'a [f32]),
}

impl Numbers<'_> {
    fn len(&self) -> usize {
        match self {
            Self::Double(values) => values.len(),
            Self::Single(values) => values.len(),
        }
    }

    fn get(&self, at: usize) -> f64 {
        match self {
            Self::Double(values) => values[at],
            Self::Single(values) => f64::from(values[at]),
        }
    }
}

/// How the values of a table are stored.
#[derive(Clone, Copy, Debug)]
pub enum Layout<'a> {
    /// All values, row after row.
    Dense,
    /// Row `i` has the values `starts[i]..starts[i + 1]`, in the columns of `indices`.
    Rows {
        /// Where rows start, and the end.
        starts: &'a [u64],
        /// The column of each value.
        indices: &'a [u32],
    },
    /// Column `j` has the values `starts[j]..starts[j + 1]`, in the rows of `indices`.
    Columns {
        /// Where columns start, and the end.
        starts: &'a [u64],
        /// The row of each value.
        indices: &'a [u32],
    },
}

/// Features, one per column, of points, one per row. Sparse tables are never made dense.
///
/// ```
/// use midrib::trend::{FeatureTable, Layout, Numbers};
/// let values = [1.0, 5.0, 2.0];
/// let layout = Layout::Rows { starts: &[0, 1, 3], indices: &[0, 0, 1] };
/// let table = FeatureTable::new(2, 2, layout, Numbers::Double(&values))?;
/// assert_eq!(table.row_sums(), [1.0, 7.0]);
/// # Ok::<(), midrib::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct FeatureTable<'a> {
    rows: usize,
    columns: usize,
    layout: Layout<'a>,
    values: Numbers<'a>,
}

impl<'a> FeatureTable<'a> {
    /// A table of this shape; starts and indices that do not fit it are errors.
    pub fn new(
        rows: usize,
        columns: usize,
        layout: Layout<'a>,
        values: Numbers<'a>,
    ) -> Result<Self> {
        let wrong = |what: &str, expected: String, found: usize| {
            Err(Error::shape(&format!("{what} of the features"), expected, found))
        };
        match layout {
            Layout::Dense if values.len() != rows * columns => {
                return wrong("values", format!("{rows} x {columns}"), values.len());
            }
            Layout::Dense => {}
            Layout::Rows { starts, indices } => {
                check_sparse(starts, indices, [rows, columns], values.len())?;
            }
            Layout::Columns { starts, indices } => {
                check_sparse(starts, indices, [columns, rows], values.len())?;
            }
        }
        if rows > u32::MAX as usize {
            return wrong("rows", format!("at most {}", u32::MAX), rows);
        }
        Ok(Self { rows, columns, layout, values })
    }

    /// The number of rows.
    pub fn n_rows(&self) -> usize {
        self.rows
    }

    /// The number of features.
    pub fn n_columns(&self) -> usize {
        self.columns
    }

    /// The sum of each row; missing values count as 0.
    pub fn row_sums(&self) -> Vec<f64> {
        let known = |at: usize| Some(self.values.get(at)).filter(|x| !x.is_nan()).unwrap_or(0.0);
        let mut sums = vec![0.0; self.rows];
        match self.layout {
            Layout::Dense => (0..self.values.len()).for_each(|at| {
                sums[at / self.columns] += known(at);
            }),
            Layout::Rows { starts, .. } => {
                for (sum, ends) in sums.iter_mut().zip(starts.windows(2)) {
                    *sum = (ends[0]..ends[1]).map(|at| known(at as usize)).sum();
                }
            }
            Layout::Columns { indices, .. } => {
                indices.iter().enumerate().for_each(|(at, &row)| sums[row as usize] += known(at));
            }
        }
        sums
    }

    /// Reads the columns from the first to the last, a block at a time.
    pub(super) fn each_block(&self, mut work: impl FnMut(Block) -> Result<()>) -> Result<()> {
        let mut reader = Reader::new(*self);
        let mut next = 0;
        while next < self.columns {
            let block = reader.block(next);
            next += block.len();
            work(block)?;
        }
        Ok(())
    }
}

fn check_sparse(starts: &[u64], indices: &[u32], shape: [usize; 2], values: usize) -> Result<()> {
    let [major, minor] = shape;
    let rising = starts.windows(2).all(|ends| ends[0] <= ends[1]);
    let ends = (starts.first(), starts.last());
    if starts.len() != major + 1 || !rising || ends != (Some(&0), Some(&(values as u64))) {
        return Err(Error::data(format!(
            "the features are not a valid sparse matrix: its starts must be {} rising numbers from \
             0 to {values}",
            major + 1
        )));
    }
    if indices.len() != values || indices.iter().any(|&index| index as usize >= minor) {
        return Err(Error::data(format!(
            "the features are not a valid sparse matrix: it needs one index below {minor} per value"
        )));
    }
    Ok(())
}

/// Some columns.
pub(super) struct Block {
    /// The number of the first.
    pub first: usize,
    rows: usize,
    columns: Stored,
}

enum Stored {
    /// All values, column after column.
    Dense(Vec<f64>),
    /// Where columns start, the rows of values, and values.
    Sparse(Vec<usize>, Vec<u32>, Vec<f64>),
}

/// One feature.
#[derive(Clone, Copy, Debug)]
pub(super) enum Column<'b> {
    /// The value of every row.
    Dense(&'b [f64]),
    /// The rows with values, and these; the others are 0.
    Sparse(&'b [u32], &'b [f64]),
}

impl Block {
    pub fn len(&self) -> usize {
        match &self.columns {
            Stored::Dense(values) => values.len() / self.rows.max(1),
            Stored::Sparse(starts, ..) => starts.len() - 1,
        }
    }

    pub fn column(&self, at: usize) -> Column<'_> {
        match &self.columns {
            Stored::Dense(values) => Column::Dense(&values[at * self.rows..][..self.rows]),
            Stored::Sparse(starts, rows, values) => {
                let range = starts[at]..starts[at + 1];
                Column::Sparse(&rows[range.clone()], &values[range])
            }
        }
    }
}

impl Column<'_> {
    /// Calls for the row and value of all that are stored.
    #[inline]
    pub fn each(&self, mut call: impl FnMut(usize, f64)) {
        match self {
            Self::Dense(values) => {
                values.iter().enumerate().for_each(|(row, &value)| call(row, value));
            }
            Self::Sparse(rows, values) => {
                rows.iter().zip(*values).for_each(|(&row, &value)| call(row as usize, value));
            }
        }
    }

    /// Whether rows that are not stored are 0.
    pub fn is_sparse(&self) -> bool {
        matches!(self, Self::Sparse(..))
    }
}

/// Reads blocks of columns in order.
struct Reader<'a> {
    table: FeatureTable<'a>,
    /// For a table by rows: where the values of the next columns are, for each row.
    at: Vec<u64>,
    /// For a table by rows that are not sorted by column: the order of each row's values.
    order: Option<Vec<u32>>,
    /// For a table by rows: the number of values in each column.
    counts: Vec<u32>,
}

impl<'a> Reader<'a> {
    fn new(table: FeatureTable<'a>) -> Self {
        let mut reader = Self { table, at: Vec::new(), order: None, counts: Vec::new() };
        if let Layout::Rows { starts, indices } = table.layout {
            reader.at = starts[..table.rows].to_vec();
            reader.counts = vec![0; table.columns];
            indices.iter().for_each(|&column| reader.counts[column as usize] += 1);
            let of_row = |ends: &[u64]| &indices[ends[0] as usize..ends[1] as usize];
            if !starts.windows(2).all(|ends| of_row(ends).is_sorted()) {
                reader.order = Some(sorted_rows(starts, indices));
            }
        }
        reader
    }

    fn block(&mut self, first: usize) -> Block {
        let FeatureTable { rows, columns, layout, values } = self.table;
        let mut end = (first + COLUMNS).min(columns);
        let columns = match layout {
            Layout::Dense => {
                end = end.min(first + (VALUES / rows.max(1)).max(1));
                let count = end - first;
                let mut block = vec![0.0; rows * count];
                // A few columns of a few rows fit in the cache.
                for row in 0..rows {
                    for column in 0..count {
                        block[column * rows + row] = values.get(row * columns + first + column);
                    }
                }
                Stored::Dense(block)
            }
            Layout::Columns { starts, indices } => {
                let range = starts[first] as usize..starts[end] as usize;
                let of_block = starts[first..=end].iter().map(|&at| (at - starts[first]) as usize);
                Stored::Sparse(
                    of_block.collect(),
                    indices[range.clone()].to_vec(),
                    range.map(|at| values.get(at)).collect(),
                )
            }
            Layout::Rows { starts, indices } => self.gather(first..end, starts, indices),
        };
        Block { first, rows, columns }
    }

    /// The values of some columns of a table by rows.
    fn gather(
        &mut self,
        wanted: std::ops::Range<usize>,
        starts: &[u64],
        indices: &[u32],
    ) -> Stored {
        let counts = &self.counts[wanted.clone()];
        let mut fill: Vec<usize> = Vec::with_capacity(counts.len() + 1);
        fill.push(0);
        for &count in counts {
            fill.push(fill[fill.len() - 1] + count as usize);
        }
        let of_block = fill.clone();
        let total = of_block[of_block.len() - 1];
        let (mut rows, mut values) = (vec![0; total], vec![0.0; total]);
        for (row, at) in self.at.iter_mut().enumerate() {
            while *at < starts[row + 1] {
                let stored = match &self.order {
                    Some(order) => starts[row] as usize + order[*at as usize] as usize,
                    None => *at as usize,
                };
                let column = indices[stored] as usize;
                if column >= wanted.end {
                    break;
                }
                let slot = &mut fill[column - wanted.start];
                rows[*slot] = row as u32;
                values[*slot] = self.table.values.get(stored);
                *slot += 1;
                *at += 1;
            }
        }
        Stored::Sparse(of_block, rows, values)
    }
}

/// For each row the order of its values by column.
fn sorted_rows(starts: &[u64], indices: &[u32]) -> Vec<u32> {
    let mut order = Vec::with_capacity(indices.len());
    for ends in starts.windows(2) {
        let of_row = &indices[ends[0] as usize..ends[1] as usize];
        let mut positions: Vec<u32> = (0..of_row.len() as u32).collect();
        positions.sort_by_key(|&at| of_row[at as usize]);
        order.extend(positions);
    }
    order
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The columns of a table as dense vectors.
    fn columns(table: &FeatureTable<'_>) -> Vec<Vec<f64>> {
        let mut found = Vec::new();
        let read = |block: Block| {
            assert_eq!(block.first, found.len());
            for at in 0..block.len() {
                let mut dense = vec![0.0; table.n_rows()];
                block.column(at).each(|row, value| dense[row] += value);
                found.push(dense);
            }
            Ok(())
        };
        table.each_block(read).unwrap();
        found
    }

    #[test]
    fn layouts_hold_the_same_columns() {
        let (n, d) = (37, 600);
        let value =
            |i: usize, j: usize| usize::from((i * 7 + j * 13).is_multiple_of(5)) * (i + 3 * j + 1);
        let dense: Vec<f64> = (0..n * d).map(|at| value(at / d, at % d) as f64).collect();
        let table = FeatureTable::new(n, d, Layout::Dense, Numbers::Double(&dense)).unwrap();
        let expected = columns(&table);
        assert_eq!(expected[2][5], value(5, 2) as f64);
        for (by_rows, reversed) in [(true, false), (true, true), (false, false)] {
            let (major, minor) = if by_rows { (n, d) } else { (d, n) };
            let (mut starts, mut indices, mut values) = (vec![0], Vec::new(), Vec::new());
            for a in 0..major {
                let mut of_major: Vec<usize> = (0..minor).collect();
                if reversed {
                    of_major.reverse();
                }
                for b in of_major {
                    let found = if by_rows { value(a, b) } else { value(b, a) };
                    if found > 0 {
                        indices.push(b as u32);
                        values.push(found as f32);
                    }
                }
                starts.push(values.len() as u64);
            }
            let layout = match by_rows {
                true => Layout::Rows { starts: &starts, indices: &indices },
                false => Layout::Columns { starts: &starts, indices: &indices },
            };
            let sparse = FeatureTable::new(n, d, layout, Numbers::Single(&values)).unwrap();
            assert_eq!(columns(&sparse), expected);
            assert_eq!(sparse.row_sums(), table.row_sums());
        }
    }

    #[test]
    fn damaged_tables_are_refused() {
        let refused = |layout, values: &[f64]| {
            FeatureTable::new(2, 3, layout, Numbers::Double(values)).unwrap_err().to_string()
        };
        assert!(refused(Layout::Dense, &[1.0]).contains("expected 2 x 3"));
        let starts = [0, 1, 1];
        let outside = Layout::Rows { starts: &starts, indices: &[3] };
        assert!(refused(outside, &[1.0]).contains("one index below 3"));
        let short = Layout::Rows { starts: &starts[..2], indices: &[0] };
        assert!(refused(short, &[1.0]).contains("3 rising numbers from 0 to 1"));
    }
}
