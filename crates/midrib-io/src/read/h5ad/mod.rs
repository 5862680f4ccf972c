//! AnnData's files: a matrix of cells, other representations of it, and the annotations of the cells.

mod data_frame;

use std::path::Path;

use hdf5_pure::{AttrValue, DType, Dataset, File, Group};
use midrib::nearest_word;

use self::data_frame::{Frame, damaged, encoding};
use super::features::{Features, Stored};
use super::numeric::{Values, weighted};
use super::selection::{listed, selected};
use super::source::Source;
use super::{Format, Labels, ReadOptions, Representation, Table, format};
use crate::error::{Error, Result};

/// Read where it exists and no other is named.
const PREFERRED: &str = "X_pca";

pub(super) fn read(source: Source, options: &ReadOptions) -> Result<Table> {
    let path = source.path().to_owned();
    drop(source.into_file()?);
    let file = Anndata::open(&path)?;
    let requested = options.use_rep.as_deref().or(options.default_rep.as_deref());
    let representation = file.representation(requested)?;
    let (mut values, mut features) = file.matrix(&representation.name)?;
    let kept = selected(&path, &features, options)?;
    values.drop_columns(&kept);
    features =
        features.into_iter().zip(kept).filter_map(|(name, kept)| kept.then_some(name)).collect();
    if features.is_empty() {
        return Err(Error::data(&path, "no column is left as a feature; select at least one"));
    }
    let obs = file.obs()?;

    let mut points = values.into_points(&path, &features, options.gaps)?;
    let ids = match &options.id {
        Some(column) => obs.texts(column)?,
        None => obs.index()?,
    };
    if ids.len() != points.len() {
        let reason = format!(
            "is damaged: {} has {} rows and obs {}",
            representation.name,
            points.len(),
            ids.len()
        );
        return Err(Error::data(&path, reason));
    }
    points = points.with_ids(ids)?;
    if let Some(column) = &options.weights {
        points = weighted(points, &path, column, obs.numbers(column)?)?;
    }
    let taken = |name: &String| options.id.as_ref() == Some(name) || options.labels.contains(name);
    let set_aside: Vec<String> =
        obs.categorical_columns()?.into_iter().filter(|name| !taken(name)).collect();
    let label = |name: &String| Ok(Labels { name: name.clone(), values: obs.texts(name)? });
    let labels = options.labels.iter().chain(&set_aside).map(label).collect::<Result<Vec<_>>>()?;
    if let Some(short) = labels.iter().find(|labels| labels.values.len() != points.len()) {
        let reason = format!("is damaged: obs/{} has {} rows", short.name, short.values.len());
        return Err(Error::data(&path, reason));
    }
    Ok(Table {
        points,
        features,
        named: true,
        labels,
        set_aside,
        left_out: Vec::new(),
        representation: Some(representation),
    })
}

/// The features of the cells; X if none are named.
pub(super) fn read_features(path: &Path, options: &ReadOptions) -> Result<Features> {
    let file = Anndata::open(path)?;
    let representation = file.representation(Some(options.use_rep.as_deref().unwrap_or("X")))?;
    let name = representation.name;
    let obs = file.obs()?;
    let ids = match &options.id {
        Some(column) => obs.texts(column)?,
        None => obs.index()?,
    };
    let in_genes = name == "X" || name.starts_with("layers/");
    let group = file.file.group(&name).ok().filter(|_| in_genes);
    let by_row = match group.as_ref().and_then(encoding).as_deref() {
        Some("csr_matrix") => Some(true),
        Some("csc_matrix") => Some(false),
        _ => None,
    };
    let (rows, names, stored) = match (group, by_row) {
        (Some(group), Some(by_row)) => {
            let Compressed { rows, columns, starts, indices, values, .. } =
                file.compressed(&group, &name, by_row)?;
            let names = file.gene_names(&name, columns)?;
            let narrow = |index: i64| u32::try_from(index).map_err(|_| file.contradiction(&name));
            let indices = indices.into_iter().map(narrow).collect::<Result<Vec<u32>>>()?;
            let wide = |start: i64| u64::try_from(start).map_err(|_| file.contradiction(&name));
            let starts = starts.into_iter().map(wide).collect::<Result<Vec<u64>>>()?;
            (rows, names, Stored::Sparse { by_row, starts, indices, values })
        }
        _ => {
            let (values, names) = file.matrix(&name)?;
            let points = values.into_points(path, &names, true)?;
            let mut all = vec![0.0; points.len() * points.dims()];
            for (i, row) in all.chunks_exact_mut(points.dims().max(1)).enumerate() {
                points.copy_row(i, row);
            }
            (points.len(), names, Stored::Dense(all))
        }
    };
    if ids.len() != rows {
        let reason = format!("is damaged: {name} has {rows} rows and obs {}", ids.len());
        return Err(Error::data(path, reason));
    }
    Ok(Features {
        path: path.into(),
        ids: Some(ids),
        names,
        representation: Some(name),
        rows,
        stored,
    })
}

/// The names of the cells of a `.h5ad` file; none if the file is of another format.
///
/// ```
/// # let directory = tempfile::tempdir()?;
/// # let path = directory.path().join("cells.csv");
/// std::fs::write(&path, "x,y\n0,1\n")?;
/// assert_eq!(midrib_io::h5ad_ids(&path)?, None);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn h5ad_ids(path: &Path) -> Result<Option<Vec<String>>> {
    let source = Source::open(path)?;
    match format::detect(path, source.start())? {
        Format::H5ad => Anndata::open(path)?.obs()?.index().map(Some),
        _ => Ok(None),
    }
}

/// A sparse matrix as it is stored.
struct Compressed {
    rows: usize,
    columns: usize,
    /// Whether single precision holds every value exactly.
    single: bool,
    starts: Vec<i64>,
    indices: Vec<i64>,
    values: Vec<f64>,
}

/// An open file.
struct Anndata<'p> {
    path: &'p Path,
    file: File,
}

impl<'p> Anndata<'p> {
    fn open(path: &'p Path) -> Result<Self> {
        let file = File::open_streaming(path).map_err(|error| damaged(path, &error))?;
        let root = file.root();
        let has_obs = |names: Vec<String>| names.iter().any(|name| name == "obs");
        if !has_obs(root.groups().map_err(|error| damaged(path, &error))?) {
            let tables = root.datasets().map_err(|error| damaged(path, &error))?;
            let what = if has_obs(tables) {
                "was written by an anndata before 0.7; open it with anndata and write it again"
            } else {
                "is HDF5 but not AnnData: it has no obs; save it with anndata's write_h5ad"
            };
            return Err(Error::data(path, what));
        }
        Ok(Self { path, file })
    }

    fn damaged(&self, error: &hdf5_pure::Error) -> Error {
        damaged(self.path, error)
    }

    /// All that can be read as points.
    fn representations(&self) -> Result<Vec<String>> {
        let root = self.file.root();
        let mut names = Vec::new();
        if root.dataset("X").is_ok() || root.group("X").is_ok() {
            names.push("X".to_owned());
        }
        for (group, prefix) in [("obsm", ""), ("layers", "layers/")] {
            let Ok(group) = root.group(group) else { continue };
            let arrays = group.datasets().map_err(|error| self.damaged(&error))?;
            let others = group.groups().map_err(|error| self.damaged(&error))?;
            let mut found = [arrays, others].concat();
            found.sort();
            names.extend(found.into_iter().map(|name| format!("{prefix}{name}")));
        }
        Ok(names)
    }

    fn representation(&self, requested: Option<&str>) -> Result<Representation> {
        let mut others = self.representations()?;
        let wanted = match requested {
            Some(requested) => requested.strip_prefix("obsm/").unwrap_or(requested),
            None if others.iter().any(|name| name == PREFERRED) => PREFERRED,
            None => "X",
        };
        let Some(at) = others.iter().position(|name| name == wanted) else {
            let near = nearest_word(wanted, others.iter().map(String::as_str))
                .map_or_else(String::new, |name| format!(", did you mean {name}?"));
            let reason = match &others[..] {
                [] => "holds no matrix: neither X nor anything in layers or obsm".to_owned(),
                _ => format!(
                    "holds no representation {wanted}{near}; use_rep names one of {}",
                    listed(&others)
                ),
            };
            return Err(Error::data(self.path, reason));
        };
        let name = others.remove(at);
        Ok(Representation { name, others })
    }

    /// The values of a representation, row after row, and the names of its columns.
    fn matrix(&self, name: &str) -> Result<(Values, Vec<String>)> {
        let in_genes = name == "X" || name.starts_with("layers/");
        let key = if in_genes { name.to_owned() } else { format!("obsm/{name}") };
        let (values, columns, own_names) = match self.file.dataset(&key) {
            Ok(dataset) => {
                let (values, columns) = self.dense(&dataset, &key)?;
                (values, columns, None)
            }
            Err(_) => {
                let group = self.file.group(&key).map_err(|error| self.damaged(&error))?;
                match encoding(&group).as_deref() {
                    Some("csr_matrix") => self.sparse(&group, &key, true)?,
                    Some("csc_matrix") => self.sparse(&group, &key, false)?,
                    Some("dataframe") => self.frame(&group, &key)?,
                    other => {
                        let other = other.unwrap_or("unknown");
                        let reason = format!("{key} is a {other}, not a matrix of numbers");
                        return Err(Error::data(self.path, reason));
                    }
                }
            }
        };
        let names = match own_names {
            Some(names) => names,
            None if in_genes => self.gene_names(name, columns)?,
            None => (1..=columns).map(|column| format!("{name}{column}")).collect(),
        };
        if names.len() != columns {
            let reason = format!("is damaged: {key} has {columns} columns and var {}", names.len());
            return Err(Error::data(self.path, reason));
        }
        Ok((values, names))
    }

    fn shape(&self, key: &str, shape: &[u64]) -> Result<(usize, usize)> {
        let sizes: Vec<usize> = shape.iter().map(|&n| usize::try_from(n).unwrap_or(0)).collect();
        match sizes[..] {
            [rows, columns] if rows.checked_mul(columns).is_some_and(|values| values > 0) => {
                Ok((rows, columns))
            }
            [rows, columns] => {
                let reason = format!(
                    "{key} has {rows} rows and {columns} columns; there are no points in it"
                );
                Err(Error::data(self.path, reason))
            }
            _ => {
                let reason = format!("{key} has {} dimensions where two are needed", sizes.len());
                Err(Error::data(self.path, reason))
            }
        }
    }

    fn dense(&self, dataset: &Dataset, key: &str) -> Result<(Values, usize)> {
        let failed = |error: hdf5_pure::Error| self.damaged(&error);
        let (rows, columns) = self.shape(key, &dataset.shape().map_err(failed)?)?;
        // Memory is reserved first: what does not fit is an error, not a crash.
        drop(Values::with_capacity(self.path, true, rows * columns)?);
        let values = if self.is_single(dataset, key)? {
            Values::Single(dataset.read_f32().map_err(failed)?.into())
        } else {
            Values::Double(dataset.read_f64().map_err(failed)?.into())
        };
        Ok((values, columns))
    }

    /// Whether single precision holds every value exactly; an error if they are not numbers.
    fn is_single(&self, dataset: &Dataset, key: &str) -> Result<bool> {
        match dataset.dtype().map_err(|error| self.damaged(&error))? {
            DType::F32 | DType::I8 | DType::I16 | DType::U8 | DType::U16 | DType::Enum(_) => {
                Ok(true)
            }
            DType::F64 | DType::I32 | DType::I64 | DType::U32 | DType::U64 => Ok(false),
            other => {
                Err(Error::data(self.path, format!("{key} holds {other}, which is not a number")))
            }
        }
    }

    /// A matrix of which only the values that are not 0 are in the file.
    fn sparse(
        &self,
        group: &Group,
        key: &str,
        by_row: bool,
    ) -> Result<(Values, usize, Option<Vec<String>>)> {
        let found = self.compressed(group, key, by_row)?;
        let Compressed { rows, columns, single, starts, indices, values: data } = found;
        let (lines, width) = if by_row { (rows, columns) } else { (columns, rows) };
        let broken = || self.contradiction(key);
        let mut values = Values::zeros(self.path, single, rows * columns)?;
        for line in 0..lines {
            let start = usize::try_from(starts[line]).map_err(|_| broken())?;
            let end = usize::try_from(starts[line + 1]).map_err(|_| broken())?;
            let entries = indices.get(start..end).ok_or_else(broken)?;
            for (&index, &value) in entries.iter().zip(&data[start..end]) {
                let at = usize::try_from(index).ok().filter(|&at| at < width);
                let at = at.ok_or_else(broken)?;
                let (row, column) = if by_row { (line, at) } else { (at, line) };
                values.set(row * columns + column, value);
            }
        }
        Ok((values, columns, None))
    }

    /// A sparse matrix as it is stored.
    fn compressed(&self, group: &Group, key: &str, by_row: bool) -> Result<Compressed> {
        let failed = |error: hdf5_pure::Error| self.damaged(&error);
        let shape = group.attrs().map_err(failed)?.remove("shape");
        let shape: Vec<u64> = match shape {
            Some(AttrValue::I64Array(sizes)) => {
                sizes.iter().map(|&n| u64::try_from(n).unwrap_or(0)).collect()
            }
            Some(AttrValue::I32Array(sizes)) => {
                sizes.iter().map(|&n| u64::try_from(n).unwrap_or(0)).collect()
            }
            Some(AttrValue::U64Array(sizes)) => sizes,
            _ => return Err(Error::data(self.path, format!("is damaged: {key} has no shape"))),
        };
        let (rows, columns) = self.shape(key, &shape)?;
        let data = group.dataset("data").map_err(failed)?;
        let single = self.is_single(&data, key)?;
        let values = data.read_f64().map_err(failed)?;
        let whole = |name: &str| group.dataset(name).and_then(|dataset| dataset.read_i64());
        let indices = whole("indices").map_err(failed)?;
        let starts = whole("indptr").map_err(failed)?;
        let lines = if by_row { rows } else { columns };
        if starts.len() != lines + 1 || indices.len() != values.len() {
            return Err(self.contradiction(key));
        }
        Ok(Compressed { rows, columns, single, starts, indices, values })
    }

    fn contradiction(&self, key: &str) -> Error {
        Error::data(self.path, format!("is damaged: {key} contradicts itself"))
    }

    /// The names of the columns of X and of layers.
    fn gene_names(&self, key: &str, columns: usize) -> Result<Vec<String>> {
        let var = self.file.group("var").map_err(|error| self.damaged(&error))?;
        let names = Frame { path: self.path, group: var, name: "var" }.index()?;
        if names.len() != columns {
            let reason = format!("is damaged: {key} has {columns} columns and var {}", names.len());
            return Err(Error::data(self.path, reason));
        }
        Ok(names)
    }

    /// A table of numbers with names of its own.
    fn frame(&self, group: &Group, key: &str) -> Result<(Values, usize, Option<Vec<String>>)> {
        let frame = Frame { path: self.path, group: group.clone(), name: key };
        let names = frame.columns()?;
        let columns = names.iter().map(|name| frame.numbers(name)).collect::<Result<Vec<_>>>()?;
        let rows = columns.first().map_or(0, Vec::len);
        self.shape(key, &[rows as u64, columns.len() as u64])?;
        let mut values = Values::zeros(self.path, false, rows * columns.len())?;
        for (at, column) in columns.iter().enumerate() {
            if column.len() != rows {
                return Err(Error::data(self.path, format!("is damaged: {key} is ragged")));
            }
            for (row, &value) in column.iter().enumerate() {
                values.set(row * columns.len() + at, value);
            }
        }
        Ok((values, columns.len(), Some(names)))
    }

    fn obs(&self) -> Result<Frame<'_>> {
        let group = self.file.group("obs").map_err(|error| self.damaged(&error))?;
        Ok(Frame { path: self.path, group, name: "obs" })
    }
}
