//! What anndata knows to read: arrays, tables and dictionaries, each with its encoding.

use hdf5_pure::{
    AttrValue, DatasetBuilder, Datatype, EnumTypeBuilder, Group, StagedGroup, make_i8_type,
};
use midrib::assign::Responsibilities;
use midrib::graph::PrincipalGraph;
use serde_json::Value;

/// Something with a name in the file.
pub(super) enum Element {
    Integer(i64),
    Number(f64),
    Boolean(bool),
    Text(String),
    Integers(Vec<i64>),
    /// Numbers of categories; −1 for none.
    Codes(Vec<i32>),
    Numbers(Vec<f64>),
    Booleans(Vec<bool>),
    Texts(Vec<String>),
    /// Rows one after the other, and how many columns they have.
    Matrix(Vec<f64>, usize),
    IntegerMatrix(Vec<i64>, usize),
    Categorical {
        codes: Vec<i32>,
        categories: Vec<String>,
    },
    /// A matrix of which only the values that are not 0 are kept, row by row.
    Sparse {
        values: Vec<f64>,
        columns: Vec<i64>,
        starts: Vec<i64>,
        n_columns: usize,
    },
    Dict(Vec<(String, Element)>),
    /// The names of the rows, and the columns.
    Frame(Vec<String>, Vec<(String, Element)>),
}

/// A table.
pub(super) fn frame(rows: &[String], columns: Vec<(String, Element)>) -> Element {
    Element::Frame(rows.to_vec(), columns)
}

/// The weights of the edges, as a matrix over the nodes.
pub(super) fn connections(graph: &PrincipalGraph) -> Element {
    let (mut values, mut columns, mut starts) = (Vec::new(), Vec::new(), vec![0]);
    for node in 0..graph.nodes().n_rows() {
        let mut around: Vec<_> =
            graph.neighbors(node).iter().map(|&(edge, next)| (next, edge)).collect();
        around.sort_unstable();
        for (next, edge) in around {
            values.push(graph.edges()[edge].weight);
            columns.push(i64::try_from(next).unwrap_or(i64::MAX));
        }
        starts.push(i64::try_from(values.len()).unwrap_or(i64::MAX));
    }
    Element::Sparse { values, columns, starts, n_columns: graph.nodes().n_rows() }
}

/// The shares of points in nodes, as a matrix.
pub(super) fn shares(found: Responsibilities, n_nodes: usize) -> Element {
    let whole = |number: usize| i64::try_from(number).unwrap_or(i64::MAX);
    Element::Sparse {
        values: found.shares,
        columns: found.nodes.into_iter().map(i64::from).collect(),
        starts: found.starts.into_iter().map(whole).collect(),
        n_columns: n_nodes,
    }
}

/// Settings as a dictionary; those that are not set, or no single value, are left out.
pub(super) fn settings<'a>(entries: impl Iterator<Item = (&'a str, &'a Value)>) -> Element {
    let element = |value: &Value| match value {
        Value::Bool(flag) => Some(Element::Boolean(*flag)),
        Value::String(text) => Some(Element::Text(text.clone())),
        Value::Number(number) => match number.as_i64() {
            Some(integer) => Some(Element::Integer(integer)),
            None => number.as_f64().map(Element::Number),
        },
        Value::Null | Value::Array(_) | Value::Object(_) => None,
    };
    Element::Dict(entries.filter_map(|(name, v)| Some((name.to_owned(), element(v)?))).collect())
}

fn word(text: &str) -> AttrValue {
    AttrValue::VarLenString(text.into())
}

/// The two attributes by which anndata knows what it reads.
fn encoding(element: &Element) -> [(&'static str, AttrValue); 2] {
    let (kind, version) = match element {
        Element::Integer(_) | Element::Number(_) | Element::Boolean(_) => {
            ("numeric-scalar", "0.2.0")
        }
        Element::Text(_) => ("string", "0.2.0"),
        Element::Integers(_)
        | Element::Codes(_)
        | Element::Numbers(_)
        | Element::Booleans(_)
        | Element::Matrix(..)
        | Element::IntegerMatrix(..) => ("array", "0.2.0"),
        Element::Texts(_) => ("string-array", "0.2.0"),
        Element::Categorical { .. } => ("categorical", "0.2.0"),
        Element::Sparse { .. } => ("csr_matrix", "0.1.0"),
        Element::Dict(_) => ("dict", "0.1.0"),
        Element::Frame(..) => ("dataframe", "0.2.0"),
    };
    [("encoding-type", word(kind)), ("encoding-version", word(version))]
}

/// Puts elements into a file.
pub(super) struct Stage {
    /// What h5py makes of `bool`.
    boolean: Datatype,
}

impl Stage {
    pub(super) fn new() -> Result<Self, hdf5_pure::Error> {
        let boolean = EnumTypeBuilder::with_base(make_i8_type()).value("FALSE", 0).value("TRUE", 1);
        Ok(Self { boolean: boolean.build()? })
    }

    /// Puts an element into a group, to be written with the next commit.
    pub(super) fn put(
        &self,
        group: &Group,
        name: &str,
        element: &Element,
    ) -> Result<(), hdf5_pure::Error> {
        if is_group(element) {
            group.create_group_with(name, |inner| self.fill_group(inner, element))?;
        } else {
            group.create_dataset(name, |dataset| self.fill(dataset, element))?;
        }
        Ok(())
    }

    fn put_inside(&self, group: &mut StagedGroup<'_>, name: &str, element: &Element) {
        if is_group(element) {
            group.create_group_with(name, |inner| self.fill_group(inner, element));
        } else {
            group.create_dataset(name, |dataset| self.fill(dataset, element));
        }
    }

    fn fill_group(&self, group: &mut StagedGroup<'_>, element: &Element) {
        for (name, value) in encoding(element) {
            group.set_attr(name, value);
        }
        match element {
            Element::Categorical { codes, categories } => {
                group.set_attr("ordered", AttrValue::I8(0));
                self.put_inside(group, "codes", &Element::Codes(codes.clone()));
                self.put_inside(group, "categories", &Element::Texts(categories.clone()));
            }
            Element::Sparse { values, columns, starts, n_columns } => {
                let shape = [starts.len() - 1, *n_columns];
                let shape = shape.map(|size| i64::try_from(size).unwrap_or(i64::MAX));
                group.set_attr("shape", AttrValue::I64Array(shape.to_vec()));
                group.create_dataset("data", |dataset| {
                    dataset.with_f64_data(values);
                });
                for (name, integers) in [("indices", columns), ("indptr", starts)] {
                    group.create_dataset(name, |dataset| {
                        dataset.with_i64_data(integers);
                    });
                }
            }
            Element::Frame(rows, columns) => {
                let names = columns.iter().map(|(name, _)| name.clone()).collect();
                group.set_attr("_index", word("_index"));
                group.set_attr("column-order", AttrValue::VarLenStringArray(names));
                self.put_inside(group, "_index", &Element::Texts(rows.clone()));
                for (name, column) in columns {
                    self.put_inside(group, name, column);
                }
            }
            Element::Dict(entries) => {
                for (name, entry) in entries {
                    self.put_inside(group, name, entry);
                }
            }
            _ => {}
        }
    }

    fn fill(&self, dataset: &mut DatasetBuilder, element: &Element) {
        let rows = |len: usize, columns: usize| [(len / columns.max(1)) as u64, columns as u64];
        match element {
            Element::Integer(number) => dataset.with_i64_data(&[*number]).with_shape(&[]),
            Element::Number(number) => dataset.with_f64_data(&[*number]).with_shape(&[]),
            Element::Boolean(flag) => {
                let code = [u8::from(*flag)];
                dataset.with_enum_u8_data(self.boolean.clone(), &code).with_shape(&[])
            }
            Element::Text(text) => dataset.with_vlen_strings(&[text]).with_shape(&[]),
            Element::Integers(numbers) => dataset.with_i64_data(numbers),
            Element::Codes(codes) => dataset.with_i32_data(codes),
            Element::Numbers(numbers) => dataset.with_f64_data(numbers),
            Element::Booleans(flags) => {
                let codes: Vec<u8> = flags.iter().map(|&flag| u8::from(flag)).collect();
                dataset.with_enum_u8_data(self.boolean.clone(), &codes)
            }
            Element::Texts(texts) => {
                let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
                dataset.with_vlen_strings(&texts)
            }
            Element::Matrix(values, columns) => {
                dataset.with_f64_data(values).with_shape(&rows(values.len(), *columns))
            }
            Element::IntegerMatrix(values, columns) => {
                dataset.with_i64_data(values).with_shape(&rows(values.len(), *columns))
            }
            _ => dataset,
        };
        for (name, value) in encoding(element) {
            dataset.set_attr(name, value);
        }
    }
}

fn is_group(element: &Element) -> bool {
    use Element::{Categorical, Dict, Frame, Sparse};
    matches!(element, Categorical { .. } | Sparse { .. } | Dict(_) | Frame(..))
}
