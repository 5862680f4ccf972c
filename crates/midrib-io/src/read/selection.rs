//! Which columns are features: names, numbers, ranges and patterns.

use std::path::Path;

use midrib::nearest_word;

use super::ReadOptions;
use crate::error::{Error, Result};

/// Whether each of the columns may be a feature, by `columns` and `exclude`.
pub(super) fn selected(path: &Path, names: &[String], options: &ReadOptions) -> Result<Vec<bool>> {
    let mut kept = vec![options.columns.is_empty(); names.len()];
    for pattern in &options.columns {
        matching(path, names, pattern)?.into_iter().for_each(|column| kept[column] = true);
    }
    for column in excluded(path, names, options)? {
        kept[column] = false;
    }
    Ok(kept)
}

/// The columns that `exclude` names.
pub(super) fn excluded(path: &Path, names: &[String], options: &ReadOptions) -> Result<Vec<usize>> {
    let columns = options.exclude.iter().map(|pattern| matching(path, names, pattern));
    Ok(columns.collect::<Result<Vec<_>>>()?.concat())
}

/// The columns that a pattern means: a name; a number (`#3`); a range, `depth..width` or `#3..#9`;
/// a name with `*` for any letters and `?` for one; or several of these with commas between them.
fn matching(path: &Path, names: &[String], pattern: &str) -> Result<Vec<usize>> {
    if let Some(column) = names.iter().position(|name| name == pattern) {
        return Ok(vec![column]);
    }
    if pattern.contains(',') {
        let parts = pattern.split(',').map(str::trim).filter(|part| !part.is_empty());
        let columns = parts.map(|part| matching(path, names, part));
        return Ok(columns.collect::<Result<Vec<_>>>()?.concat());
    }
    if let Some((first, last)) = pattern.split_once("..") {
        let (first, last) = (find(path, names, first)?, find(path, names, last)?);
        if first > last {
            let reason = format!(
                "the range {pattern} is backward: {} comes after {}",
                names[first], names[last]
            );
            return Err(Error::data(path, reason));
        }
        return Ok((first..=last).collect());
    }
    if !pattern.contains(['*', '?']) {
        return Ok(vec![find(path, names, pattern)?]);
    }
    let is_matched = |column: &usize| is_match(pattern, &names[*column]);
    let columns: Vec<usize> = (0..names.len()).filter(is_matched).collect();
    if columns.is_empty() {
        return Err(Error::data(path, format!("no column matches {pattern}")));
    }
    Ok(columns)
}

/// The column of that name, or of that number (`#3`).
pub(super) fn find(path: &Path, names: &[String], wanted: &str) -> Result<usize> {
    if let Some(column) = names.iter().position(|name| name == wanted) {
        return Ok(column);
    }
    let number = wanted.strip_prefix('#').and_then(|digits| digits.parse::<usize>().ok());
    if let Some(number @ 1..) = number
        && number <= names.len()
    {
        return Ok(number - 1);
    }
    let suggestion = nearest_word(wanted, names.iter().map(String::as_str))
        .map(|name| format!(", did you mean {name}?"))
        .unwrap_or_default();
    Err(Error::data(
        path,
        format!("there is no column {wanted}{suggestion}; the columns are {}", listed(names)),
    ))
}

/// Names in a sentence, cut short where there are very many.
pub(super) fn listed(names: &[String]) -> String {
    const SHOWN: usize = 30;
    let mut list = names[..names.len().min(SHOWN)].join(", ");
    if names.len() > SHOWN {
        list += &format!(", … ({} more)", names.len() - SHOWN);
    }
    list
}

/// Whether a name fits a pattern with `*` and `?`.
fn is_match(pattern: &str, name: &str) -> bool {
    let (mut rest, mut name) = (pattern.chars(), name.chars());
    match rest.next() {
        None => name.as_str().is_empty(),
        Some('*') => {
            let mut ends = name.clone();
            loop {
                if is_match(rest.as_str(), ends.as_str()) {
                    return true;
                }
                if ends.next().is_none() {
                    return false;
                }
            }
        }
        Some('?') => name.next().is_some() && is_match(rest.as_str(), name.as_str()),
        Some(letter) => name.next() == Some(letter) && is_match(rest.as_str(), name.as_str()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn columns(columns: &[&str], exclude: &[&str]) -> Result<Vec<usize>> {
        let names = ["id", "gene_a", "gene_b", "depth", "a,b", "width"].map(String::from);
        let listed = |patterns: &[&str]| patterns.iter().map(|text| text.to_string()).collect();
        let (columns, exclude) = (listed(columns), listed(exclude));
        let options = ReadOptions { columns, exclude, ..ReadOptions::default() };
        let kept = selected(Path::new("t.csv"), &names, &options)?;
        Ok((0..names.len()).filter(|&column| kept[column]).collect())
    }

    #[test]
    fn names_numbers_ranges_and_patterns_select_columns() {
        for (patterns, exclude, found) in [
            (&[][..], &[][..], &[0, 1, 2, 3, 4, 5][..]),
            (&["depth"], &[], &[3]),
            (&["#4", "id"], &[], &[0, 3]),
            (&["gene_*"], &[], &[1, 2]),
            (&["gene_?", "*th"], &["*_b"], &[1, 3, 5]),
            (&["gene_a..depth"], &["#3"], &[1, 3]),
            (&["#1..#2, width"], &[], &[0, 1, 5]),
            (&["a,b"], &[], &[4]),
            (&[], &["id", "a,b"], &[1, 2, 3, 5]),
        ] {
            assert_eq!(columns(patterns, exclude).unwrap(), found, "{patterns:?} {exclude:?}");
        }
    }

    #[test]
    fn patterns_without_a_column_are_named() {
        let message = |pattern: &str| columns(&[pattern], &[]).unwrap_err().to_string();
        assert!(message("cell_*").ends_with("t.csv: no column matches cell_*"));
        assert!(message("dept").contains("did you mean depth?"));
        assert!(message("depth..id").contains("is backward: depth comes after id"));
        assert!(message("#9").contains("there is no column #9"));
    }
}
