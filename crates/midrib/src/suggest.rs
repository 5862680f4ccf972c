//! The name that was probably meant, for errors about unknown ones.

/// The one of `words` that is most like `word`, if at most a third of the letters are wrong, missing,
/// superfluous or swapped, ignoring case; the first one in case of a tie.
///
/// ```
/// use midrib::nearest_word;
/// let flags = ["bandwidth", "max-iter", "tol"];
/// assert_eq!(nearest_word("bandwith", flags), Some("bandwidth"));
/// assert_eq!(nearest_word("max-itre", flags), Some("max-iter"));
/// assert_eq!(nearest_word("seed", flags), None);
/// ```
pub fn nearest_word<'w>(word: &str, words: impl IntoIterator<Item = &'w str>) -> Option<&'w str> {
    let word = word.to_lowercase();
    let near = words.into_iter().filter_map(|other| {
        let lower = other.to_lowercase();
        let wrong = strsim::damerau_levenshtein(&word, &lower);
        let letters = word.chars().count().max(lower.chars().count());
        (3 * wrong <= letters).then_some((wrong, other))
    });
    near.min_by_key(|(wrong, _)| *wrong).map(|(_, other)| other)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips_of_the_hand_are_understood() {
        let methods = ["ppt", "rpg", "elastic-tree", "elastic-ring"];
        for (word, meant) in [
            ("pptt", Some("ppt")),
            ("ptp", Some("ppt")),
            ("RPG", Some("rpg")),
            ("rpgg", Some("rpg")),
            ("elastic_rnig", Some("elastic-ring")),
            ("nope", None),
            ("x", None),
            ("", None),
        ] {
            assert_eq!(nearest_word(word, methods), meant, "{word}");
        }
        assert_eq!(nearest_word("b", ["a"]), None);
    }
}
