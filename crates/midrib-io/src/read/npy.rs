//! Numpy's array files.

use std::io::Read;
use std::path::Path;

use super::columns::{self, Role};
use super::numeric::{Values, number_labels, number_text, weighted};
use super::source::Source;
use super::table::generated_names;
use super::{ReadOptions, Table};
use crate::error::{Error, Result};

pub(super) fn read(source: Source, options: &ReadOptions) -> Result<Table> {
    let path = source.path().to_owned();
    let mut reader = source.into_reader();
    let array = ArrayHeader::read(&path, &mut reader)?;
    let values = array.matrix(&path, &mut reader)?;
    table(&path, array.shape[1], values, None, options)
}

/// The same without options; the values of a vector become one column.
pub(super) fn read_vector_or_matrix(source: Source) -> Result<Table> {
    let path = source.path().to_owned();
    let mut reader = source.into_reader();
    let mut array = ArrayHeader::read(&path, &mut reader)?;
    if array.shape.len() == 1 {
        array.shape.push(1);
    }
    let values = array.matrix(&path, &mut reader)?;
    table(&path, array.shape[1], values, None, &ReadOptions::default())
}

/// The table of a matrix whose columns may have names.
pub(super) fn table(
    path: &Path,
    columns: usize,
    mut values: Values,
    names: Option<Vec<String>>,
    options: &ReadOptions,
) -> Result<Table> {
    let generated = names.is_none();
    let names =
        names.unwrap_or_else(|| (1..=columns).map(|column| format!("column{column}")).collect());
    let roles = columns::roles(path, &names, None, options)?;

    let mut features = Vec::new();
    let mut labels = Vec::new();
    let mut ids = None;
    let mut weights = None;
    for (column, (name, role)) in names.iter().zip(&roles).enumerate() {
        match role {
            Role::Feature => features.push(name.clone()),
            Role::Label => labels.push(number_labels(name, &values.column(column, columns))),
            Role::Weight => weights = Some((name, values.column(column, columns))),
            Role::Unselected | Role::Excluded => {}
            Role::Id => {
                let numbers = values.column(column, columns);
                ids = Some(numbers.into_iter().map(number_text).collect());
            }
        }
    }
    if features.is_empty() {
        return Err(columns::no_features(path, &names));
    }
    let kept: Vec<bool> = roles.iter().map(|role| *role == Role::Feature).collect();
    values.drop_columns(&kept);

    let mut points = values.into_points(path, &features, options.gaps)?;
    if let Some((name, weights)) = weights {
        points = weighted(points, path, name, weights)?;
    }
    if let Some(ids) = ids {
        points = points.with_ids(ids)?;
    }
    if generated {
        features = generated_names(features.len());
    }
    Ok(Table {
        points,
        features,
        named: !generated,
        labels,
        set_aside: Vec::new(),
        left_out: Vec::new(),
        representation: None,
    })
}

/// What stands before the values of an array.
#[derive(Debug, PartialEq)]
pub(super) struct ArrayHeader {
    /// The values' type as numpy writes it, for example `<f8`.
    descr: String,
    pub(super) fortran_order: bool,
    pub(super) shape: Vec<usize>,
}

impl ArrayHeader {
    pub(super) fn read(path: &Path, reader: &mut impl Read) -> Result<Self> {
        let failed = |error| Error::reading(path, &error);
        let mut start = [0; 8];
        reader.read_exact(&mut start).map_err(failed)?;
        if !start.starts_with(b"\x93NUMPY") {
            return Err(Error::data(path, "does not start like a npy array"));
        }
        let length = if start[6] == 1 {
            let mut length = [0; 2];
            reader.read_exact(&mut length).map_err(failed)?;
            u32::from(u16::from_le_bytes(length))
        } else {
            let mut length = [0; 4];
            reader.read_exact(&mut length).map_err(failed)?;
            u32::from_le_bytes(length)
        };
        let mut header = Vec::new();
        reader.take(u64::from(length)).read_to_end(&mut header).map_err(failed)?;
        Self::parse(&String::from_utf8_lossy(&header)).ok_or_else(|| {
            Error::data(
                path,
                "its array header cannot be understood; save a plain array of numbers with numpy.save",
            )
        })
    }

    /// Parses `{'descr': '<f8', 'fortran_order': False, 'shape': (3, 2), }`.
    fn parse(header: &str) -> Option<Self> {
        let after = |key: &str| {
            let (_, rest) = header.split_once(&format!("'{key}':"))?;
            Some(rest.trim_start())
        };
        let descr = after("descr")?.strip_prefix('\'')?.split_once('\'')?.0;
        let shape = after("shape")?.strip_prefix('(')?.split_once(')')?.0;
        Some(Self {
            descr: descr.into(),
            fortran_order: after("fortran_order")?.starts_with("True"),
            shape: shape
                .split(',')
                .map(str::trim)
                .filter(|length| !length.is_empty())
                .map(|length| length.parse().ok())
                .collect::<Option<_>>()?,
        })
    }

    /// Whether the values are floating-point numbers in single or double precision.
    pub(super) fn is_float(&self) -> bool {
        matches!(self.kind(), Some(('f', 4 | 8)))
    }

    /// Whether the array could be a table of points.
    pub(super) fn is_matrix(&self) -> bool {
        self.shape.len() == 2 && self.number().is_some()
    }

    pub(super) fn big_endian(&self) -> bool {
        self.descr.starts_with('>')
    }

    /// The kind of the values and their size in bytes.
    fn kind(&self) -> Option<(char, usize)> {
        let mut descr = self.descr.trim_start_matches(['<', '>', '|', '=']).chars();
        Some((descr.next()?, descr.as_str().parse().ok()?))
    }

    /// How to read the array's numbers, if it has any.
    fn number(&self) -> Option<Number> {
        let (decode, single): (fn(&[u8]) -> f64, bool) = match self.kind()? {
            ('b', 1) => (|b| f64::from(u8::from(b[0] != 0)), true),
            ('u', 1) => (|b| f64::from(b[0]), true),
            ('i', 1) => (|b| f64::from(b[0] as i8), true),
            ('u', 2) => (|b| f64::from(u16::from_le_bytes(array(b))), true),
            ('i', 2) => (|b| f64::from(i16::from_le_bytes(array(b))), true),
            ('u', 4) => (|b| f64::from(u32::from_le_bytes(array(b))), false),
            ('i', 4) => (|b| f64::from(i32::from_le_bytes(array(b))), false),
            ('u', 8) => (|b| u64::from_le_bytes(array(b)) as f64, false),
            ('i', 8) => (|b| i64::from_le_bytes(array(b)) as f64, false),
            ('f', 2) => (|b| half(u16::from_le_bytes(array(b))), true),
            ('f', 4) => (|b| f64::from(f32::from_le_bytes(array(b))), true),
            ('f', 8) => (|b| f64::from_le_bytes(array(b)), false),
            _ => return None,
        };
        Some(Number { decode, single, size: self.kind()?.1 })
    }

    /// Reads the values, row after row whatever the order in the file.
    pub(super) fn matrix(&self, path: &Path, reader: &mut impl Read) -> Result<Values> {
        let (rows, columns) = self.shape(path)?;
        let number = self.require_number(path)?;
        let len = rows * columns;
        if !self.fortran_order {
            let mut values = Values::with_capacity(path, number.single, len)?;
            number.each(path, reader, len, self.big_endian(), |_, value| values.push(value))?;
            return Ok(values);
        }
        let mut values = Values::zeros(path, number.single, len)?;
        number.each(path, reader, len, self.big_endian(), |i, value| {
            values.set(i % rows * columns + i / rows, value);
        })?;
        Ok(values)
    }

    /// The numbers of rows and columns of a table of points.
    pub(super) fn shape(&self, path: &Path) -> Result<(usize, usize)> {
        let &[rows, columns] = self.shape.as_slice() else {
            let remedy = match self.shape.len() {
                0 | 1 => "save X.reshape(-1, 1) if each value is a point of its own",
                _ => "save X.reshape(len(X), -1) if the first axis counts the points",
            };
            return Err(Error::data(
                path,
                format!(
                    "the array has {} dimension{} where rows and columns are needed; {remedy}",
                    self.shape.len(),
                    if self.shape.len() == 1 { "" } else { "s" }
                ),
            ));
        };
        match rows.checked_mul(columns) {
            Some(0) | None => Err(Error::data(
                path,
                format!("the array has {rows} rows and {columns} columns; there are no points"),
            )),
            Some(_) => Ok((rows, columns)),
        }
    }

    /// How to read the array's numbers; an error if it has none.
    pub(super) fn require_number(&self, path: &Path) -> Result<Number> {
        self.number().ok_or_else(|| {
            Error::data(
                path,
                format!(
                    "the array's type is {}, which is not a real number; save X.astype(\"float64\")",
                    self.descr
                ),
            )
        })
    }

    /// Reads the array's strings, if it is a list of strings.
    pub(super) fn strings(
        &self,
        path: &Path,
        reader: &mut impl Read,
    ) -> Result<Option<Vec<String>>> {
        let &[count] = self.shape.as_slice() else {
            return Ok(None);
        };
        let (width, bytes_per_character) = match self.kind() {
            Some(('U', width)) => (width, 4),
            Some(('S', width)) => (width, 1),
            _ => return Ok(None),
        };
        let mut string = vec![0; width * bytes_per_character];
        let mut strings = Vec::new();
        for _ in 0..count {
            reader.read_exact(&mut string).map_err(|error| Error::reading(path, &error))?;
            strings.push(if bytes_per_character == 1 {
                String::from_utf8_lossy(&string).trim_end_matches('\0').to_owned()
            } else {
                string
                    .chunks_exact(4)
                    .map(|b| match self.big_endian() {
                        true => u32::from_be_bytes(array(b)),
                        false => u32::from_le_bytes(array(b)),
                    })
                    .take_while(|code| *code != 0)
                    .map(|code| char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER))
                    .collect()
            });
        }
        Ok(Some(strings))
    }
}

/// How the numbers of an array are read.
pub(super) struct Number {
    /// The value of its bytes in little-endian order.
    decode: fn(&[u8]) -> f64,
    /// Whether single precision holds every value exactly.
    single: bool,
    /// In bytes.
    pub(super) size: usize,
}

impl Number {
    /// The values of some bytes.
    pub(super) fn decode_all(&self, bytes: &[u8], big_endian: bool, into: &mut [f64]) {
        let each = into.iter_mut().zip(bytes.chunks_exact(self.size));
        match (big_endian, self.size, self.single) {
            // Decoded in place, where the compiler can vectorize it.
            (false, 4, true) => {
                each.for_each(|(to, b)| *to = f64::from(f32::from_le_bytes(array(b))))
            }
            (false, ..) => each.for_each(|(to, b)| *to = (self.decode)(b)),
            (true, ..) => each.for_each(|(to, b)| {
                let mut little = [0; 8];
                little[..self.size].copy_from_slice(b);
                little[..self.size].reverse();
                *to = (self.decode)(&little[..self.size]);
            }),
        }
    }

    fn each(
        &self,
        path: &Path,
        reader: &mut impl Read,
        len: usize,
        big_endian: bool,
        mut take: impl FnMut(usize, f64),
    ) -> Result<()> {
        const CHUNK: usize = 1 << 14;
        let mut bytes = vec![0; CHUNK.min(len) * self.size];
        for start in (0..len).step_by(CHUNK) {
            let count = CHUNK.min(len - start);
            let chunk = &mut bytes[..count * self.size];
            reader.read_exact(chunk).map_err(|error| Error::reading(path, &error))?;
            for (i, value) in chunk.chunks_exact_mut(self.size).enumerate() {
                if big_endian {
                    value.reverse();
                }
                take(start + i, (self.decode)(value));
            }
        }
        Ok(())
    }
}

/// The first `N` bytes.
fn array<const N: usize>(bytes: &[u8]) -> [u8; N] {
    let mut array = [0; N];
    array.copy_from_slice(&bytes[..N]);
    array
}

/// The value of a half-precision number.
pub(super) fn half(bits: u16) -> f64 {
    let sign = if bits >> 15 == 1 { -1.0 } else { 1.0 };
    let exponent = i32::from(bits >> 10 & 0x1f);
    let fraction = f64::from(bits & 0x3ff) / 1024.0;
    sign * match exponent {
        0 => fraction * 2f64.powi(-14),
        0x1f if fraction == 0.0 => f64::INFINITY,
        0x1f => f64::NAN,
        _ => (1.0 + fraction) * 2f64.powi(exponent - 15),
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::read::read;

    /// The bytes of an array file.
    pub(crate) fn npy(descr: &str, fortran: bool, shape: &str, data: &[u8]) -> Vec<u8> {
        let fortran = if fortran { "True" } else { "False" };
        let mut header =
            format!("{{'descr': '{descr}', 'fortran_order': {fortran}, 'shape': {shape}, }}");
        while (10 + header.len() + 1) % 64 != 0 {
            header.push(' ');
        }
        header.push('\n');
        let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
        bytes.extend((header.len() as u16).to_le_bytes());
        bytes.extend(header.as_bytes());
        bytes.extend(data);
        bytes
    }

    fn doubles(values: &[f64]) -> Vec<u8> {
        values.iter().flat_map(|value| value.to_le_bytes()).collect()
    }

    fn read_bytes(bytes: &[u8], options: &ReadOptions) -> Result<Table> {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("x.npy");
        std::fs::write(&path, bytes).unwrap();
        read(&path, options)
    }

    fn message(bytes: &[u8]) -> String {
        read_bytes(bytes, &ReadOptions::default()).unwrap_err().to_string()
    }

    fn rows(table: &Table) -> Vec<Vec<f64>> {
        (0..table.points.len())
            .map(|i| {
                let mut row = vec![0.0; table.points.dims()];
                table.points.copy_row(i, &mut row);
                row
            })
            .collect()
    }

    #[test]
    fn both_orders_give_the_same_rows() {
        let c = npy("<f8", false, "(2, 3)", &doubles(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]));
        let fortran = npy("<f8", true, "(2, 3)", &doubles(&[1.0, 4.0, 2.0, 5.0, 3.0, 6.0]));
        for bytes in [c, fortran] {
            let table = read_bytes(&bytes, &ReadOptions::default()).unwrap();
            assert_eq!(rows(&table), [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]);
            assert_eq!(table.features, ["x0", "x1", "x2"]);
        }
    }

    #[test]
    fn every_number_type_is_read() {
        for (descr, data) in [
            ("|b1", vec![1, 0]),
            ("|u1", vec![1, 0]),
            ("|i1", vec![1, 0]),
            ("<u2", vec![1, 0, 0, 0]),
            (">i2", vec![0, 1, 0, 0]),
            ("<u4", vec![1, 0, 0, 0, 0, 0, 0, 0]),
            ("<i8", [1i64.to_le_bytes(), 0i64.to_le_bytes()].concat()),
            (">i8", [1i64.to_be_bytes(), 0i64.to_be_bytes()].concat()),
            ("<f2", vec![0x00, 0x3c, 0, 0]),
            ("<f4", [1f32.to_le_bytes(), 0f32.to_le_bytes()].concat()),
            (">f8", [1f64.to_be_bytes(), 0f64.to_be_bytes()].concat()),
        ] {
            let table = read_bytes(&npy(descr, false, "(2, 1)", &data), &ReadOptions::default());
            assert_eq!(rows(&table.unwrap()), [[1.0], [0.0]], "{descr}");
        }
    }

    #[test]
    fn half_precision_is_exact() {
        for (bits, value) in
            [(0x3c00, 1.0), (0xc000, -2.0), (0x3555, 0.333251953125), (1, 2f64.powi(-24))]
        {
            assert_eq!(half(bits), value);
        }
        assert!(half(0x7c00).is_infinite() && half(0x7e00).is_nan());
    }

    #[test]
    fn columns_can_be_taken_out_by_number() {
        let bytes = npy("<f8", false, "(2, 3)", &doubles(&[1.0, 2.0, 7.0, 4.0, 5.0, 8.0]));
        let options = ReadOptions {
            labels: vec!["#3".into()],
            weights: Some("column1".into()),
            ..ReadOptions::default()
        };
        let table = read_bytes(&bytes, &options).unwrap();
        assert_eq!(rows(&table), [[2.0], [5.0]]);
        assert_eq!(table.labels[0].values, ["7", "8"]);
        assert_eq!(table.points.weights(), Some([1.0, 4.0].as_slice()));
    }

    #[test]
    fn unfit_arrays_say_what_to_do() {
        let one = message(&npy("<f8", false, "(2,)", &doubles(&[1.0, 2.0])));
        assert!(one.contains("1 dimension where") && one.contains("X.reshape(-1, 1)"), "{one}");
        let three = message(&npy("<f8", false, "(1, 1, 1)", &doubles(&[1.0])));
        assert!(three.contains("3 dimensions") && three.contains("reshape(len(X), -1)"), "{three}");
        let object = message(&npy("|O", false, "(1, 1)", b""));
        assert!(object.contains("type is |O") && object.contains("astype"), "{object}");
        let empty = message(&npy("<f8", false, "(0, 3)", b""));
        assert!(empty.contains("no points"), "{empty}");
        let short = message(&npy("<f8", false, "(2, 2)", &doubles(&[1.0])));
        assert!(short.contains("is the file complete?"), "{short}");
        let huge = message(&npy("<f8", false, "(1152921504606846975, 8)", b""));
        assert!(huge.contains("do not fit") || huge.contains("no points"), "{huge}");
        let text = message(b"x,y\n1,2\n");
        assert!(text.contains("does not start like a npy file"), "{text}");
    }

    #[test]
    fn missing_and_infinite_values_are_named() {
        let gap = npy("<f8", false, "(2, 2)", &doubles(&[1.0, 2.0, 3.0, f64::NAN]));
        let text = message(&gap);
        assert!(
            text.contains(
                "row 2, column column2: the value is missing; fill it in, remove the row"
            ),
            "{text}"
        );
        let options = ReadOptions { gaps: true, ..ReadOptions::default() };
        assert_eq!(read_bytes(&gap, &options).unwrap().points.missing_values(), 1);
        let empty = npy("<f8", false, "(2, 2)", &doubles(&[1.0, f64::NAN, 3.0, f64::NAN]));
        let text = read_bytes(&empty, &options).unwrap_err().to_string();
        assert!(text.contains("column column2 has no value in any row"), "{text}");
        let infinite = npy("<f8", false, "(1, 2)", &doubles(&[1.0, f64::INFINITY]));
        let text = read_bytes(&infinite, &options).unwrap_err().to_string();
        assert!(text.contains("row 1, column column2: the value is infinite"), "{text}");
    }
}
