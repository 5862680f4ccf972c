//! Numpy's array files as block sources: mapped into memory, never loaded as a whole.

use std::borrow::Cow;
use std::fs::File;
use std::io::{Read, Seek};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use memmap2::Mmap;
use midrib::{Blocks, Storage};

use super::npy::{self, ArrayHeader, Number};
use super::numeric::Values;
use super::source::Source;
use super::{ReadOptions, Table};
use crate::error::{Error, Result};

/// Files of at least so many bytes are mapped into memory instead of being copied there.
const MAPPED: u64 = 1 << 20;

/// The table in a `.npy` file. The values of a large one stay in the file, where this machine can
/// use them as they are.
pub(super) fn read_table(source: Source, options: &ReadOptions) -> Result<Table> {
    let path = source.path();
    if source.len() >= MAPPED
        && let Ok(mapped) = MappedNpy::open(path)
    {
        let columns = mapped.columns;
        if let Some(values) = mapped.into_values() {
            return npy::table(path, columns, values, None, options);
        }
    }
    npy::read(source, options)
}

/// A `.npy` file whose rows are read when they are needed. The operating system keeps as much of it
/// in memory as it can spare.
///
/// The array must be in C order, as `numpy.save` writes it by default, and must not change while it
/// is in use.
///
/// ```no_run
/// use midrib::Silent;
/// use midrib::learn::{Given, Method, SimplePpt};
/// use midrib_io::MappedNpy;
/// let points = MappedNpy::open("large.npy".as_ref())?;
/// println!("{} points", midrib::Blocks::len(&points));
/// # Ok::<(), midrib_io::Error>(())
/// ```
pub struct MappedNpy {
    path: PathBuf,
    map: Mmap,
    /// Where the values begin.
    start: usize,
    rows: usize,
    columns: usize,
    number: Number,
    big_endian: bool,
    /// Whether the values are floating-point numbers of 4 or 8 bytes.
    is_float: bool,
    weights: Option<Vec<f64>>,
    max_memory: Option<u64>,
}

impl MappedNpy {
    /// Opens a file without reading its values.
    pub fn open(path: &Path) -> Result<Self> {
        let failed = |error| Error::reading(path, &error);
        let mut file = File::open(path).map_err(failed)?;
        let header = ArrayHeader::read(path, &mut Read::by_ref(&mut file))?;
        let start = file.stream_position().map_err(failed)? as usize;
        let (rows, columns) = header.shape(path)?;
        let number = header.require_number(path)?;
        if header.fortran_order && rows > 1 && columns > 1 {
            return Err(Error::data(
                path,
                "the array is in Fortran order, which cannot be read row by row; save \
                 numpy.ascontiguousarray(X)",
            ));
        }
        // SAFETY: the map is only read. As with every mapped file, another process that truncates
        // the file while it is in use would end this one.
        let map = unsafe { Mmap::map(&file) }.map_err(failed)?;
        let bytes = rows.checked_mul(columns).and_then(|len| len.checked_mul(number.size));
        if bytes.and_then(|bytes| bytes.checked_add(start)).is_none_or(|end| end > map.len()) {
            let reason = format!("the file is too short for {rows} rows of {columns} columns");
            return Err(Error::data(path, reason));
        }
        Ok(Self {
            path: path.into(),
            map,
            start,
            rows,
            columns,
            big_endian: header.big_endian(),
            is_float: header.is_float(),
            number,
            weights: None,
            max_memory: None,
        })
    }

    /// The values where they are in the file, if they are numbers as this machine stores them. The
    /// file stays mapped as long as they are used.
    fn into_values(self) -> Option<Values> {
        if !self.is_float || self.big_endian != cfg!(target_endian = "big") {
            return None;
        }
        let bytes = self.start..self.start + self.rows * self.columns * self.number.size;
        let in_place = InPlace { map: self.map, bytes };
        match self.number.size {
            4 if in_place.is_aligned::<f32>() => {
                Some(Values::Single(Storage::Shared(Arc::new(in_place))))
            }
            8 if in_place.is_aligned::<f64>() => {
                Some(Values::Double(Storage::Shared(Arc::new(in_place))))
            }
            _ => None,
        }
    }

    /// Gives each point a weight; see [`midrib::Points::with_weights`].
    pub fn with_weights(mut self, weights: Vec<f64>) -> Self {
        self.weights = Some(weights);
        self
    }

    /// Limits the memory that a method may use to hold all rows at once.
    pub fn with_max_memory(mut self, bytes: u64) -> Self {
        self.max_memory = Some(bytes);
        self
    }
}

/// The numbers of a mapped file, used where they are.
struct InPlace {
    map: Mmap,
    bytes: Range<usize>,
}

impl InPlace {
    /// Whether the first number is where one of type `T` may be.
    fn is_aligned<T>(&self) -> bool {
        self.map[self.bytes.clone()].as_ptr().cast::<T>().is_aligned()
    }
}

impl AsRef<[f32]> for InPlace {
    fn as_ref(&self) -> &[f32] {
        // SAFETY: every pattern of bits is a floating-point number.
        unsafe { self.map[self.bytes.clone()].align_to().1 }
    }
}

impl AsRef<[f64]> for InPlace {
    fn as_ref(&self) -> &[f64] {
        // SAFETY: every pattern of bits is a floating-point number.
        unsafe { self.map[self.bytes.clone()].align_to().1 }
    }
}

impl Blocks for MappedNpy {
    fn len(&self) -> usize {
        self.rows
    }

    fn dims(&self) -> usize {
        self.columns
    }

    fn read(&self, rows: Range<usize>, into: &mut [f64]) -> midrib::Result<()> {
        let row_bytes = self.columns * self.number.size;
        let bytes = &self.map[self.start + rows.start * row_bytes..][..rows.len() * row_bytes];
        self.number.decode_all(bytes, self.big_endian, into);
        Ok(())
    }

    fn name(&self) -> Cow<'_, str> {
        self.path.to_string_lossy()
    }

    fn weights(&self) -> Option<&[f64]> {
        self.weights.as_deref()
    }

    fn max_memory(&self) -> Option<u64> {
        self.max_memory
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read::npy::tests::npy;
    use crate::read::read;
    use midrib::learn::{Given, Method, SimplePpt};
    use midrib::{Cloud, Silent};

    fn mapped(bytes: &[u8]) -> (tempfile::TempDir, Result<MappedNpy>) {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("x.npy");
        std::fs::write(&path, bytes).unwrap();
        let mapped = MappedNpy::open(&path);
        (directory, mapped)
    }

    fn all_rows(source: &MappedNpy) -> Vec<f64> {
        let mut values = vec![0.0; source.len() * source.dims()];
        source.read(0..source.len(), &mut values).unwrap();
        values
    }

    #[test]
    fn single_and_double_precision_are_read_in_both_byte_orders() {
        let expected = [1.5, -2.0, 3.25, 4.0, 5.0, 6.0];
        let single = expected.map(|x| x as f32);
        for (descr, data) in [
            ("<f4", single.map(f32::to_le_bytes).concat()),
            (">f4", single.map(f32::to_be_bytes).concat()),
            ("<f8", expected.map(f64::to_le_bytes).concat()),
            (">f8", expected.map(f64::to_be_bytes).concat()),
        ] {
            let (_directory, source) = mapped(&npy(descr, false, "(3, 2)", &data));
            let source = source.unwrap();
            assert_eq!(all_rows(&source), expected, "{descr}");
            let mut row = [0.0; 2];
            source.read(1..2, &mut row).unwrap();
            assert_eq!(row, [3.25, 4.0]);
        }
    }

    #[test]
    fn a_fit_is_that_of_the_table() {
        let curve = |i: u16| [f32::from(i) / 100.0, (f32::from(i) / 37.0).sin()];
        let data: Vec<u8> = (0..300).flat_map(curve).flat_map(f32::to_le_bytes).collect();
        let (directory, source) = mapped(&npy("<f4", false, "(300, 2)", &data));
        let table = read(&directory.path().join("x.npy"), &ReadOptions::default()).unwrap();
        let weights: Vec<f64> = (0..300).map(|i| f64::from(i % 3)).collect();
        let held = table.points.with_weights(weights.clone()).unwrap();
        let settings = SimplePpt::default();
        let held = settings.fit(&held, Given::default(), &mut Silent).unwrap();
        let source = source.unwrap().with_weights(weights);
        let found = settings.fit(&source, Given::default(), &mut Silent).unwrap();
        assert_eq!(found.trace, held.trace);
        assert_eq!(found.choices, held.choices);
    }

    #[test]
    fn a_table_of_a_large_file_is_read_where_it_is() {
        let values: Vec<f64> = (0..160_000).map(|i| f64::from(i % 977) / 100.0).collect();
        let doubles: Vec<u8> = values.iter().flat_map(|x| x.to_le_bytes()).collect();
        let singles: Vec<u8> = values.iter().flat_map(|&x| (x as f32).to_le_bytes()).collect();
        let swapped: Vec<u8> = values.iter().flat_map(|x| x.to_be_bytes()).collect();
        for (descr, data, is_mapped) in [
            ("<f8", doubles, true),
            ("<f4", [&singles[..]; 2].concat(), true),
            (">f8", swapped, false),
        ] {
            let rows = data.len() / 8 / if descr == "<f4" { 4 } else { 8 };
            let bytes = npy(descr, false, &format!("({rows}, 8)"), &data);
            let (directory, source) = mapped(&bytes);
            assert_eq!(source.unwrap().into_values().is_some(), is_mapped, "{descr}");
            let path = directory.path().join("x.npy");
            let table = read(&path, &ReadOptions::default()).unwrap();
            let mut row = [0.0; 8];
            table.points.copy_row(123, &mut row);
            let expected = &values[123 * 8..124 * 8];
            assert!(row.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-6), "{descr}");
            let label = ReadOptions { labels: vec!["column2".into()], ..ReadOptions::default() };
            assert_eq!(read(&path, &label).unwrap().points.dims(), 7);
        }
    }

    #[test]
    fn unusable_files_and_values_are_named() {
        let message = |bytes: &[u8]| match mapped(bytes).1 {
            Err(error) => error.to_string(),
            Ok(source) => Cloud::new(&source).unwrap_err().to_string(),
        };
        let doubles = |values: [f64; 4]| values.map(f64::to_le_bytes).concat();
        let data = doubles([1.0, 2.0, 3.0, 4.0]);
        let fortran = message(&npy("<f8", true, "(2, 2)", &data));
        assert!(fortran.contains("ascontiguousarray"), "{fortran}");
        let short = message(&npy("<f8", false, "(3, 2)", &data));
        assert!(short.ends_with("too short for 3 rows of 2 columns"), "{short}");
        let text = message(&npy("<U3", false, "(2, 2)", &data));
        assert!(text.contains("not a real number"), "{text}");
        let infinite =
            message(&npy("<f8", false, "(2, 2)", &doubles([1.0, 2.0, f64::INFINITY, 4.0])));
        assert!(infinite.contains("x.npy, row 2, column 1: infinite values"), "{infinite}");
        let missing = message(&npy("<f8", false, "(2, 2)", &doubles([1.0, f64::NAN, 3.0, 4.0])));
        assert!(missing.contains("missing (NaN): row 1, column 2"), "{missing}");
    }
}
