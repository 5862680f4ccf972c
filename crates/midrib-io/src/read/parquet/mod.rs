//! Apache Parquet, column by column within each group of rows.

mod values;

use std::fs::File;
use std::path::Path;

use parquet::errors::ParquetError;
use parquet::file::metadata::FileMetaData;
use parquet::file::reader::{FileReader, RowGroupReader, SerializedFileReader};
use parquet::schema::types::ColumnDescPtr;

use super::columns::{self, Role};
use super::numeric::{Values, weighted};
use super::source::Source;
use super::{Labels, ReadOptions, Table};
use crate::error::{Error, Result};
use values::{Kind, kind, numbers, strings};

pub(super) fn read(source: Source, options: &ReadOptions) -> Result<Table> {
    let path = source.path().to_owned();
    let file = SerializedFileReader::new(source.into_file()?).map_err(|e| damaged(&path, &e))?;
    let columns = FileColumns::plan(&path, file.metadata().file_metadata(), options)?;
    let content = columns.read_content(&path, &file)?;
    columns.into_table(&path, content, options)
}

/// The columns of a file and what each is used for.
struct FileColumns {
    descriptors: Vec<ColumnDescPtr>,
    names: Vec<String>,
    roles: Vec<Role>,
    /// The names of the features.
    features: Vec<String>,
    /// Columns of text that nobody named.
    set_aside: Vec<String>,
    /// Whether single precision holds every value of the features exactly.
    single: bool,
    n_rows: usize,
}

/// The values of a file.
struct Content {
    values: Values,
    /// The texts of each column; empty for numbers.
    texts: Vec<Vec<String>>,
    weights: Vec<f64>,
}

impl FileColumns {
    /// Finds out what each column is used for.
    fn plan(path: &Path, metadata: &FileMetaData, options: &ReadOptions) -> Result<Self> {
        let descriptors = metadata.schema_descr().columns().to_vec();
        let names: Vec<String> = descriptors.iter().map(|column| column.path().string()).collect();
        let mut roles = columns::roles(path, &names, index_column(metadata, &names), options)?;
        let (mut set_aside, mut features, mut single) = (Vec::new(), Vec::new(), true);
        for ((descriptor, name), role) in descriptors.iter().zip(&names).zip(&mut roles) {
            match (kind(descriptor), &role) {
                (_, Role::Excluded) => {}
                (Kind::Number { .. } | Kind::Other(_), Role::Unselected) => *role = Role::Excluded,
                (Kind::Other(found), _) => {
                    let reason = format!(
                        "column {name} holds {found}, which cannot be read; convert it to numbers \
                         or text, or drop it"
                    );
                    return Err(Error::data(path, reason));
                }
                (Kind::Text, Role::Feature | Role::Unselected) => {
                    *role = Role::Label;
                    set_aside.push(name.clone());
                }
                (Kind::Text, Role::Weight) => {
                    let reason =
                        format!("column {name} holds text; weights are numbers of at least 0");
                    return Err(Error::data(path, reason));
                }
                (Kind::Number { single: exact }, Role::Feature) => {
                    single &= exact;
                    features.push(name.clone());
                }
                _ => {}
            }
        }
        if features.is_empty() {
            return Err(columns::no_features(path, &names));
        }
        let n_rows = usize::try_from(metadata.num_rows()).unwrap_or(0);
        if n_rows == 0 {
            return Err(Error::data(path, "has columns but no rows"));
        }
        Ok(Self { descriptors, names, roles, features, set_aside, single, n_rows })
    }

    /// Reads all groups of rows.
    fn read_content(&self, path: &Path, file: &SerializedFileReader<File>) -> Result<Content> {
        let n_values = self.n_rows.saturating_mul(self.features.len());
        let mut content = Content {
            values: Values::zeros(path, self.single, n_values)?,
            texts: vec![Vec::new(); self.names.len()],
            weights: Vec::new(),
        };
        let mut first_row = 0;
        for group in 0..file.num_row_groups() {
            let group = file.get_row_group(group).map_err(|e| damaged(path, &e))?;
            first_row = self.read_group(path, &*group, first_row, &mut content)?;
        }
        Ok(content)
    }

    /// Reads a group of rows; returns the first row after it.
    fn read_group(
        &self,
        path: &Path,
        group: &dyn RowGroupReader,
        first_row: usize,
        content: &mut Content,
    ) -> Result<usize> {
        let group_rows = usize::try_from(group.metadata().num_rows()).unwrap_or(0);
        if first_row + group_rows > self.n_rows {
            return Err(Error::data(path, "is damaged: it has more rows than its metadata says"));
        }
        let dims = self.features.len();
        let mut slot = 0;
        for (column, descriptor) in self.descriptors.iter().enumerate() {
            let reader = group.get_column_reader(column).map_err(|e| damaged(path, &e))?;
            let mut row = 0;
            let read = match self.roles[column] {
                Role::Feature => {
                    let start = first_row * dims + slot;
                    slot += 1;
                    numbers(reader, descriptor, |number| {
                        if row < group_rows {
                            content.values.set(start + row * dims, number);
                        }
                        row += 1;
                    })
                }
                Role::Weight => numbers(reader, descriptor, |number| {
                    content.weights.push(number);
                    row += 1;
                }),
                Role::Unselected | Role::Excluded => continue,
                Role::Id | Role::Label => strings(reader, descriptor, |text| {
                    content.texts[column].push(text);
                    row += 1;
                }),
            };
            read.map_err(|e| damaged(path, &e))?;
            if row != group_rows {
                let name = &self.names[column];
                let reason =
                    format!("is damaged: column {name} has {row} values in {group_rows} rows");
                return Err(Error::data(path, reason));
            }
        }
        Ok(first_row + group_rows)
    }

    /// Puts the columns together.
    fn into_table(self, path: &Path, content: Content, options: &ReadOptions) -> Result<Table> {
        let Content { values, texts, mut weights } = content;
        let mut points = values.into_points(path, &self.features, options.gaps)?;
        let mut labels = Vec::new();
        for ((name, role), values) in self.names.iter().zip(&self.roles).zip(texts) {
            match role {
                Role::Feature | Role::Unselected | Role::Excluded => {}
                Role::Weight => {
                    points = weighted(points, path, name, std::mem::take(&mut weights))?;
                }
                Role::Id => points = points.with_ids(values)?,
                Role::Label => labels.push(Labels { name: name.clone(), values }),
            }
        }
        Ok(Table {
            points,
            features: self.features,
            named: true,
            labels,
            set_aside: self.set_aside,
            left_out: Vec::new(),
            representation: None,
        })
    }
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
    fn nulls_are_missing_or_an_error_that_names_the_cell() {
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
