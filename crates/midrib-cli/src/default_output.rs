//! The directory of results where none is named.

use std::path::{Path, PathBuf};

/// `cells.csv.gz` gives `cells` and this ending.
pub fn default_output(input: &Path, ending: &str) -> PathBuf {
    if input == Path::new("-") {
        return PathBuf::from(format!("stdin.{ending}"));
    }
    let name = input.file_name().map_or_else(String::new, |name| name.to_string_lossy().into());
    let unpacked = name.strip_suffix(".gz").unwrap_or(&name);
    let stem =
        Path::new(unpacked).file_stem().map_or_else(String::new, |s| s.to_string_lossy().into());
    PathBuf::from(format!("{stem}.{ending}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_named_after_the_table() {
        for (input, output) in [
            ("cells.csv", "cells.midrib"),
            ("a/b/cells.v2.csv.gz", "cells.v2.midrib"),
            ("cells", "cells.midrib"),
            (".cells.csv", ".cells.midrib"),
            ("-", "stdin.midrib"),
        ] {
            assert_eq!(default_output(Path::new(input), "midrib"), Path::new(output));
        }
    }
}
