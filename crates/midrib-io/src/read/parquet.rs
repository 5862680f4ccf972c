//! Apache Parquet, column by column within each group of rows.

use std::path::Path;

use parquet::basic::{ConvertedType, LogicalType, Type};
use parquet::column::reader::{ColumnReader, ColumnReaderImpl};
use parquet::data_type::DataType;
use parquet::errors::ParquetError;
use parquet::file::metadata::FileMetaData;
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::Field;
use parquet::schema::types::{ColumnDescPtr, ColumnDescriptor};

use super::columns::{self, Role};
use super::npy::half;
use super::numeric::{Values, number_text, weighted};
use super::source::Source;
use super::{Labels, ReadOptions, Table};
use crate::error::{Error, Result};

/// Values that are read from a column at a time.
const BATCH: usize = 8192;

pub(super) fn read(source: Source, options: &ReadOptions) -> Result<Table> {
    let path = source.path().to_owned();
    let file = SerializedFileReader::new(source.into_file()?).map_err(|e| damaged(&path, &e))?;
    let metadata = file.metadata().file_metadata();
    let descriptors = metadata.schema_descr().columns();
    let names: Vec<String> = descriptors.iter().map(|column| column.path().string()).collect();
    let mut roles = columns::roles(&path, &names, index_column(metadata, &names), options)?;

    let mut set_aside = Vec::new();
    let mut features = Vec::new();
    let mut single = true;
    for ((descriptor, name), role) in descriptors.iter().zip(&names).zip(&mut roles) {
        match (kind(descriptor), &role) {
            (Kind::Other(found), _) => {
                return Err(Error::data(
                    &path,
                    format!(
                        "column {name} holds {found}, which cannot be read; convert it to \
                         numbers or text, or drop it"
                    ),
                ));
            }
            (Kind::Text, Role::Feature) => {
                *role = Role::Label;
                set_aside.push(name.clone());
            }
            (Kind::Text, Role::Weight) => {
                return Err(Error::data(
                    &path,
                    format!("column {name} holds text; weights are numbers of at least 0"),
                ));
            }
            (Kind::Number { single: exact }, Role::Feature) => {
                single &= exact;
                features.push(name.clone());
            }
            _ => {}
        }
    }
    if features.is_empty() {
        return Err(columns::no_features(&path, &names));
    }
    let rows = usize::try_from(metadata.num_rows()).unwrap_or(0);
    if rows == 0 {
        return Err(Error::data(&path, "has columns but no rows"));
    }

    let dims = features.len();
    let mut values = Values::zeros(&path, single, rows.saturating_mul(dims))?;
    let mut texts: Vec<Vec<String>> = vec![Vec::new(); names.len()];
    let mut weights = Vec::new();
    let mut first_row = 0;
    for group in 0..file.num_row_groups() {
        let group = file.get_row_group(group).map_err(|e| damaged(&path, &e))?;
        let group_rows = usize::try_from(group.metadata().num_rows()).unwrap_or(0);
        if first_row + group_rows > rows {
            return Err(Error::data(&path, "is damaged: it has more rows than it says"));
        }
        let mut slot = 0;
        for (column, descriptor) in descriptors.iter().enumerate() {
            let reader = group.get_column_reader(column).map_err(|e| damaged(&path, &e))?;
            let mut row = 0;
            let read = match roles[column] {
                Role::Feature => {
                    let start = first_row * dims + slot;
                    slot += 1;
                    numbers(reader, descriptor, |number| {
                        if row < group_rows {
                            values.set(start + row * dims, number);
                        }
                        row += 1;
                    })
                }
                Role::Weight => numbers(reader, descriptor, |number| {
                    weights.push(number);
                    row += 1;
                }),
                Role::Id | Role::Label => strings(reader, descriptor, |text| {
                    texts[column].push(text);
                    row += 1;
                }),
            };
            read.map_err(|e| damaged(&path, &e))?;
            if row != group_rows {
                return Err(Error::data(
                    &path,
                    format!(
                        "is damaged: column {} has {row} values in {group_rows} rows",
                        names[column]
                    ),
                ));
            }
        }
        first_row += group_rows;
    }

    let mut points = values.into_points(&path, &features, options.gaps)?;
    let mut labels = Vec::new();
    for ((name, role), values) in names.iter().zip(&roles).zip(texts) {
        match role {
            Role::Feature => {}
            Role::Weight => {
                points = weighted(points, &path, name, std::mem::take(&mut weights))?;
            }
            Role::Id => points = points.with_ids(values)?,
            Role::Label => labels.push(Labels { name: name.clone(), values }),
        }
    }
    Ok(Table {
        points,
        features,
        named: true,
        labels,
        set_aside,
        left_out: Vec::new(),
        representation: None,
    })
}

/// The column in which pandas keeps its index, if the file has one.
fn index_column(metadata: &FileMetaData, names: &[String]) -> Option<usize> {
    let position = |wanted: &str| names.iter().position(|name| name == wanted);
    let noted = metadata
        .key_value_metadata()
        .into_iter()
        .flatten()
        .find(|entry| entry.key == "pandas")
        .and_then(|entry| entry.value.as_ref())
        .and_then(|json| serde_json::from_str::<serde_json::Value>(json).ok())
        .and_then(|pandas| position(pandas["index_columns"][0].as_str()?));
    noted.or_else(|| position("__index_level_0__"))
}

/// What a column holds, for our purposes.
enum Kind {
    /// `single`: whether single precision holds every value exactly.
    Number {
        single: bool,
    },
    Text,
    Other(String),
}

fn kind(column: &ColumnDescriptor) -> Kind {
    use ConvertedType as Converted;
    if column.max_rep_level() > 0 || column.path().parts().len() > 1 {
        return Kind::Other("nested values".into());
    }
    let is_time = matches!(
        column.logical_type_ref(),
        Some(LogicalType::Date | LogicalType::Time(_) | LogicalType::Timestamp(_))
    ) || matches!(
        column.converted_type(),
        Converted::DATE
            | Converted::TIME_MILLIS
            | Converted::TIME_MICROS
            | Converted::TIMESTAMP_MILLIS
            | Converted::TIMESTAMP_MICROS
    );
    match column.physical_type() {
        _ if is_time => Kind::Text,
        Type::BOOLEAN | Type::FLOAT => Kind::Number { single: true },
        Type::INT32 => Kind::Number {
            single: matches!(
                column.converted_type(),
                Converted::INT_8 | Converted::UINT_8 | Converted::INT_16 | Converted::UINT_16
            ),
        },
        Type::INT64 | Type::DOUBLE => Kind::Number { single: false },
        Type::FIXED_LEN_BYTE_ARRAY if is_half(column) => Kind::Number { single: true },
        Type::BYTE_ARRAY if column.converted_type() != Converted::DECIMAL => Kind::Text,
        Type::INT96 => Kind::Text,
        other => Kind::Other(format!("{other} values ({})", column.converted_type())),
    }
}

fn is_half(column: &ColumnDescriptor) -> bool {
    matches!(column.logical_type_ref(), Some(LogicalType::Float16))
}

/// Hands on every value of a column as a number, `NaN` where it is null.
fn numbers(
    reader: ColumnReader,
    column: &ColumnDescPtr,
    mut take: impl FnMut(f64),
) -> parquet::errors::Result<()> {
    use ConvertedType as Converted;
    let levels = column.max_def_level();
    let unsigned = matches!(
        column.converted_type(),
        Converted::UINT_8 | Converted::UINT_16 | Converted::UINT_32 | Converted::UINT_64
    );
    let unit = match column.converted_type() {
        Converted::DECIMAL => 10f64.powi(column.type_scale()),
        _ => 1.0,
    };
    let mut or_gap = |number: Option<f64>| take(number.unwrap_or(f64::NAN));
    match reader {
        ColumnReader::BoolColumnReader(reader) => each(reader, levels, |value| {
            or_gap(value.map(|value| f64::from(u8::from(*value))));
        }),
        ColumnReader::Int32ColumnReader(reader) => each(reader, levels, |value| {
            or_gap(value.map(|&value| match unsigned {
                true => f64::from(value as u32),
                false => f64::from(value) / unit,
            }));
        }),
        ColumnReader::Int64ColumnReader(reader) => each(reader, levels, |value| {
            or_gap(value.map(|&value| match unsigned {
                true => value as u64 as f64,
                false => value as f64 / unit,
            }));
        }),
        ColumnReader::FloatColumnReader(reader) => {
            each(reader, levels, |value| or_gap(value.map(|&v| f64::from(v))))
        }
        ColumnReader::DoubleColumnReader(reader) => {
            each(reader, levels, |value| or_gap(value.copied()))
        }
        ColumnReader::FixedLenByteArrayColumnReader(reader) => each(reader, levels, |value| {
            or_gap(value.and_then(|bytes| match bytes.data() {
                [low, high] => Some(half(u16::from_le_bytes([*low, *high]))),
                _ => None,
            }));
        }),
        ColumnReader::Int96ColumnReader(_) | ColumnReader::ByteArrayColumnReader(_) => {
            Err(ParquetError::General(format!("column {} holds no numbers", column.name())))
        }
    }
}

/// Hands on every value of a column as text, empty where it is null.
fn strings(
    reader: ColumnReader,
    column: &ColumnDescPtr,
    mut take: impl FnMut(String),
) -> parquet::errors::Result<()> {
    let levels = column.max_def_level();
    let mut or_empty = |text: Option<String>| take(text.unwrap_or_default());
    match reader {
        ColumnReader::BoolColumnReader(reader) => {
            each(reader, levels, |value| or_empty(value.map(bool::to_string)))
        }
        ColumnReader::Int32ColumnReader(reader) => each(reader, levels, |value| {
            or_empty(value.map(|&value| Field::convert_int32(column, value).to_string()));
        }),
        ColumnReader::Int64ColumnReader(reader) => each(reader, levels, |value| {
            or_empty(value.map(|&value| Field::convert_int64(column, value).to_string()));
        }),
        ColumnReader::Int96ColumnReader(reader) => each(reader, levels, |value| {
            or_empty(value.map(|&value| Field::convert_int96(column, value).to_string()));
        }),
        ColumnReader::ByteArrayColumnReader(reader) => each(reader, levels, |value| {
            or_empty(value.map(|bytes| String::from_utf8_lossy(bytes.data()).into_owned()));
        }),
        reader @ (ColumnReader::FloatColumnReader(_)
        | ColumnReader::DoubleColumnReader(_)
        | ColumnReader::FixedLenByteArrayColumnReader(_)) => {
            numbers(reader, column, |number| or_empty(Some(number_text(number))))
        }
    }
}

/// Hands on every value of a flat column in order, none where it is null.
fn each<T: DataType>(
    mut reader: ColumnReaderImpl<T>,
    max_level: i16,
    mut take: impl FnMut(Option<&T::T>),
) -> parquet::errors::Result<()> {
    let mut levels = Vec::with_capacity(BATCH);
    let mut values = Vec::with_capacity(BATCH);
    loop {
        levels.clear();
        values.clear();
        let nullable = (max_level > 0).then_some(&mut levels);
        let (records, _, _) = reader.read_records(BATCH, nullable, None, &mut values)?;
        if records == 0 {
            return Ok(());
        }
        if max_level == 0 {
            values.iter().for_each(|value| take(Some(value)));
        } else {
            let mut present = values.iter();
            for &level in &levels {
                take(if level == max_level { present.next() } else { None });
            }
        }
    }
}

fn damaged(path: &Path, error: &ParquetError) -> Error {
    if error.to_string().contains("Disabled feature") {
        return Error::data(
            path,
            format!("its compression cannot be read ({error}); write it with snappy or zstd"),
        );
    }
    Error::data(path, format!("is damaged ({error}); is the file complete?"))
}

#[cfg(test)]
mod tests {
    use std::fs::File;
    use std::path::PathBuf;
    use std::sync::Arc;

    use parquet::basic::Compression;
    use parquet::data_type::{ByteArray, ByteArrayType, DoubleType, FloatType, Int64Type};
    use parquet::file::properties::WriterProperties;
    use parquet::file::writer::SerializedFileWriter;
    use parquet::schema::parser::parse_message_type;
    use tempfile::TempDir;

    use super::*;
    use crate::read::read;

    enum Column {
        Doubles(Vec<f64>, Option<Vec<i16>>),
        Floats(Vec<f32>),
        Integers(Vec<i64>),
        Texts(Vec<&'static str>, Option<Vec<i16>>),
    }

    /// Writes each group of columns as one group of rows.
    fn write(schema: &str, compression: Compression, groups: &[&[Column]]) -> (TempDir, PathBuf) {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("x.parquet");
        let properties = WriterProperties::builder().set_compression(compression);
        let mut file = SerializedFileWriter::new(
            File::create(&path).unwrap(),
            Arc::new(parse_message_type(schema).unwrap()),
            Arc::new(properties.build()),
        )
        .unwrap();
        for columns in groups {
            let mut group = file.next_row_group().unwrap();
            for column in *columns {
                let mut writer = group.next_column().unwrap().unwrap();
                match column {
                    Column::Doubles(values, levels) => {
                        writer.typed::<DoubleType>().write_batch(values, levels.as_deref(), None)
                    }
                    Column::Floats(values) => {
                        writer.typed::<FloatType>().write_batch(values, None, None)
                    }
                    Column::Integers(values) => {
                        writer.typed::<Int64Type>().write_batch(values, None, None)
                    }
                    Column::Texts(values, levels) => {
                        let values: Vec<_> = values.iter().map(|&v| ByteArray::from(v)).collect();
                        writer.typed::<ByteArrayType>().write_batch(
                            &values,
                            levels.as_deref(),
                            None,
                        )
                    }
                }
                .unwrap();
                writer.close().unwrap();
            }
            group.close().unwrap();
        }
        file.close().unwrap();
        (directory, path)
    }

    fn row(table: &Table, i: usize) -> Vec<f64> {
        let mut row = vec![0.0; table.points.dims()];
        table.points.copy_row(i, &mut row);
        row
    }

    #[test]
    fn numbers_texts_index_and_weights_find_their_columns_in_every_compression() {
        let schema = "message m { required double x; required int64 n; required double w;
            optional binary stage (UTF8); required binary __index_level_0__ (UTF8); }";
        for compression in [
            Compression::UNCOMPRESSED,
            Compression::SNAPPY,
            Compression::GZIP(Default::default()),
            Compression::ZSTD(Default::default()),
            Compression::LZ4_RAW,
        ] {
            let first = [
                Column::Doubles(vec![0.5, 1.5], None),
                Column::Integers(vec![1, 2]),
                Column::Doubles(vec![1.0, 2.0], None),
                Column::Texts(vec!["old"], Some(vec![0, 1])),
                Column::Texts(vec!["a", "b"], None),
            ];
            let second = [
                Column::Doubles(vec![2.5], None),
                Column::Integers(vec![3]),
                Column::Doubles(vec![3.0], None),
                Column::Texts(vec!["new"], Some(vec![1])),
                Column::Texts(vec!["c"], None),
            ];
            let (_directory, path) = write(schema, compression, &[&first, &second]);
            let options = ReadOptions { weights: Some("w".into()), ..ReadOptions::default() };
            let table = read(&path, &options).unwrap();
            assert_eq!(table.features, ["x", "n"]);
            assert_eq!(row(&table, 0), [0.5, 1.0]);
            assert_eq!(row(&table, 2), [2.5, 3.0]);
            assert_eq!(table.points.ids().unwrap(), ["a", "b", "c"]);
            assert_eq!(table.points.weights().unwrap(), [1.0, 2.0, 3.0]);
            assert_eq!(table.set_aside, ["stage"]);
            assert_eq!(table.labels[0].values, ["", "old", "new"]);
        }
    }

    #[test]
    fn nulls_are_gaps_or_an_error_that_names_the_cell() {
        let columns = [Column::Doubles(vec![1.0], Some(vec![1, 0]))];
        let schema = "message m { optional double CD34; }";
        let (_directory, path) = write(schema, Compression::SNAPPY, &[&columns]);
        let message = read(&path, &ReadOptions::default()).unwrap_err().to_string();
        assert!(
            message
                .contains("row 2, column CD34: the value is missing; fill it in, remove the row"),
            "{message}"
        );
        let options = ReadOptions { gaps: true, ..ReadOptions::default() };
        assert_eq!(read(&path, &options).unwrap().points.missing_values(), 1);
    }

    #[test]
    fn single_precision_stays_single() {
        let columns = [Column::Floats(vec![0.1, 0.2])];
        let schema = "message m { required float x; }";
        let (_directory, path) = write(schema, Compression::SNAPPY, &[&columns]);
        let table = read(&path, &ReadOptions::default()).unwrap();
        assert_eq!(row(&table, 0), [f64::from(0.1f32)]);
        assert!(format!("{:?}", table.points).contains("F32"));
    }

    #[test]
    fn files_without_features_or_rows_or_ends_say_so() {
        let message = |path: &Path| read(path, &ReadOptions::default()).unwrap_err().to_string();
        let columns = [Column::Texts(vec!["a"], None)];
        let schema = "message m { required binary name (UTF8); }";
        let (_directory, path) = write(schema, Compression::SNAPPY, &[&columns]);
        let text = message(&path);
        assert!(text.contains("no column is left as a feature"), "{text}");

        let (_directory, path) = write("message m { required float x; }", Compression::SNAPPY, &[]);
        let text = message(&path);
        assert!(text.contains("has columns but no rows"), "{text}");

        let bytes = std::fs::read(&path).unwrap();
        std::fs::write(&path, &bytes[..bytes.len() - 9]).unwrap();
        let text = message(&path);
        assert!(text.contains("is the file complete?"), "{text}");

        let schema = "message m { required group g { required double x; } }";
        let columns = [Column::Doubles(vec![1.0], None)];
        let (_directory, path) = write(schema, Compression::SNAPPY, &[&columns]);
        let text = message(&path);
        assert!(text.contains("column g.x holds nested values"), "{text}");
    }
}
