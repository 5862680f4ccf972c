//! The papers of the methods, read from `papers.bib`.

use std::sync::LazyLock;

/// The bibliography, which the crate contains.
const BIBLIOGRAPHY: &str = include_str!("../../papers.bib");

/// A paper as an entry of a reference list.
///
/// ```
/// let paper = midrib::learn::method("ppt")?.paper().unwrap();
/// assert!(paper.to_string().starts_with("Mao, Qi; Yang, Le; "));
/// # Ok::<(), midrib::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Paper {
    /// Its key in papers.bib.
    pub key: String,
    /// Its authors, separated by semicolons.
    pub authors: String,
    /// Its title.
    pub title: String,
    /// The journal, the proceedings or the archive.
    pub published_in: String,
    /// The year.
    pub year: String,
}

impl std::fmt::Display for Paper {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { authors, title, published_in, year, .. } = self;
        write!(f, "{authors} ({year}). {title}. {published_in}.")
    }
}

static PAPERS: LazyLock<Vec<Paper>> = LazyLock::new(|| parse(BIBLIOGRAPHY));

/// The paper that a citation such as `Mao2015, Algorithm 1` starts with.
pub(super) fn cited(citation: &str) -> Option<&'static Paper> {
    let key = citation.split(',').next()?;
    PAPERS.iter().find(|paper| paper.key == key)
}

/// The entries of a bibliography; those without author, title, venue or year are skipped.
fn parse(bibliography: &str) -> Vec<Paper> {
    bibliography.split("\n@").skip(1).filter_map(entry).collect()
}

/// An entry: `article{Key, name = {value}, …}`.
fn entry(text: &str) -> Option<Paper> {
    let (_, rest) = text.split_once('{')?;
    let (key, fields) = rest.split_once(',')?;
    let field = |name: &str| field(fields, name);
    Some(Paper {
        key: key.trim().into(),
        authors: field("author")?.replace(" and ", "; "),
        title: field("title")?,
        published_in: field("journal")
            .or_else(|| field("booktitle"))
            .or_else(|| field("howpublished"))?,
        year: field("year")?,
    })
}

/// The value of a field on one line, without the braces that protect capitals.
fn field(fields: &str, name: &str) -> Option<String> {
    let line = |line: &&str| line.split_once('=').is_some_and(|(found, _)| found.trim() == name);
    let start = fields.lines().find(line)?;
    let at = start.as_ptr() as usize - fields.as_ptr() as usize;
    let (_, value) = fields[at..].split_once('{')?;
    let mut depth = 1;
    let end = value.find(|c| {
        depth += i32::from(c == '{') - i32::from(c == '}');
        depth == 0
    })?;
    let words: Vec<&str> = value[..end].split_whitespace().collect();
    Some(words.join(" ").replace(['{', '}'], ""))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::connect::POINT_GRAPHS;
    use crate::learn::METHODS;

    #[test]
    fn every_method_cites_a_paper() {
        for entry in METHODS {
            assert!(entry.paper().is_some(), "{}: {}", entry.name, entry.citation);
        }
        for entry in POINT_GRAPHS {
            assert!(cited(entry.citation).is_some(), "{}: {}", entry.name, entry.citation);
        }
    }

    #[test]
    fn every_entry_is_read() {
        let entries = BIBLIOGRAPHY.lines().filter(|line| line.starts_with('@')).count();
        assert_eq!(PAPERS.len(), entries);
        let found = cited("Mao2015, Algorithm 1").unwrap().to_string();
        assert_eq!(
            found,
            "Mao, Qi; Yang, Le; Wang, Li; Goodison, Steve; Sun, Yijun (2015). SimplePPT: A Simple \
             Principal Tree Algorithm. Proceedings of the 2015 SIAM International Conference on \
             Data Mining."
        );
        // Values on several lines.
        let paper = cited("Dauphin2014").unwrap();
        assert!(paper.authors.ends_with("Cho, Kyunghyun; Ganguli, Surya; Bengio, Yoshua"));
        assert!(paper.title.ends_with("in High-Dimensional Non-Convex Optimization"));
        assert_eq!(cited("Wang2016").unwrap().published_in, "arXiv:1610.04929");
    }
}
