//! The papers of the methods, as `papers.bib` has them.

/// A paper in the words of a reference list.
///
/// ```
/// let paper = midrib::learn::method("ppt")?.paper().unwrap();
/// assert!(paper.to_string().starts_with("Mao, Qi; Yang, Le; "));
/// # Ok::<(), midrib::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Paper {
    /// Its key in papers.bib.
    pub key: &'static str,
    /// Its authors, parted by semicolons.
    pub authors: &'static str,
    /// Its title.
    pub title: &'static str,
    /// The journal or the proceedings.
    pub published_in: &'static str,
    /// The year.
    pub year: u16,
}

impl std::fmt::Display for Paper {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { authors, title, published_in, year, .. } = self;
        write!(f, "{authors} ({year}). {title}. {published_in}.")
    }
}

/// Those that methods cite.
const PAPERS: &[Paper] = &[
    Paper {
        key: "Mao2015",
        authors: "Mao, Qi; Yang, Le; Wang, Li; Goodison, Steve; Sun, Yijun",
        title: "SimplePPT: A Simple Principal Tree Algorithm",
        published_in: "Proceedings of the 2015 SIAM International Conference on Data Mining",
        year: 2015,
    },
    Paper {
        key: "Mao2017",
        authors: "Mao, Qi; Wang, Li; Tsang, Ivor W.; Sun, Yijun",
        title: "Principal Graph and Structure Learning Based on Reversed Graph Embedding",
        published_in: "IEEE Transactions on Pattern Analysis and Machine Intelligence",
        year: 2017,
    },
    Paper {
        key: "Wang2016",
        authors: "Wang, Li",
        title: "Probabilistic Dimensionality Reduction via Structure Learning",
        published_in: "arXiv:1610.04929",
        year: 2016,
    },
    Paper {
        key: "Gorban2009",
        authors: "Gorban, Alexander N.; Zinovyev, Andrei Y.",
        title: "Principal Graphs and Manifolds",
        published_in: "Handbook of Research on Machine Learning Applications and Trends",
        year: 2009,
    },
];

/// The paper that a citation such as `Mao2015, Algorithm 1` begins with.
pub(super) fn cited(citation: &str) -> Option<&'static Paper> {
    let key = citation.split(',').next()?;
    PAPERS.iter().find(|paper| paper.key == key)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::learn::METHODS;

    #[test]
    fn every_method_cites_a_paper() {
        for entry in METHODS {
            assert!(entry.paper().is_some(), "{}: {}", entry.name, entry.citation);
        }
    }

    #[test]
    fn papers_stand_like_that_in_the_bibliography() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../papers.bib");
        let bibliography = std::fs::read_to_string(path).unwrap();
        for paper in PAPERS {
            let (_, entry) = bibliography.split_once(&format!("{{{},\n", paper.key)).unwrap();
            let entry = entry.split("\n}\n").next().unwrap();
            let words: Vec<&str> = entry.split_whitespace().collect();
            let entry = words.join(" ").replace("{SimplePPT}", "SimplePPT");
            let year = paper.year.to_string();
            let authors = paper.authors.replace("; ", " and ");
            for field in [&authors, paper.title, paper.published_in, &year] {
                assert!(entry.contains(&format!("= {{{field}}}")), "{field}\n{entry}");
            }
        }
    }
}
