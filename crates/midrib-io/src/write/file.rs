//! A single file that appears whole or not at all.

use std::io::Write;
use std::path::Path;

use crate::error::{Error, Result};

/// Writes a file: `fill` writes it under another name, then it takes its place. A file that
/// exists is replaced only with `force`. The path `-` goes to `fill` as it is, for stdout, and so
/// does a device or a pipe, such as `/dev/stderr`.
///
/// ```
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("a.csv");
/// let fill = |path: &std::path::Path| midrib_io::write_table(path, &["a"], [["1"]]);
/// midrib_io::write_file(&path, false, fill)?;
/// let message = midrib_io::write_file(&path, false, fill).unwrap_err().to_string();
/// assert!(message.contains("pass force = true"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn write_file(path: &Path, force: bool, fill: impl FnOnce(&Path) -> Result<()>) -> Result<()> {
    let in_place = path.exists() && !path.is_file() && !path.is_dir();
    if path.as_os_str() == "-" || in_place {
        return fill(path);
    }
    if path.is_dir() || (path.exists() && !force) {
        let reason = if path.is_dir() {
            "is a directory; name a file"
        } else {
            "exists already; pass force = true to replace it, or name another file"
        };
        return Err(Error::Exists { path: path.into(), reason: reason.into() });
    }
    let failed = |error: &std::io::Error| Error::writing(path, error);
    let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty());
    let mut builder = tempfile::Builder::new();
    builder.prefix(".midrib-");
    // As any new file, not for its owner alone; the user's mask is applied.
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    let staged = builder
        .tempfile_in(parent.unwrap_or(Path::new(".")))
        .map_err(|error| failed(&error))?
        .into_temp_path();
    fill(&staged).map_err(|error| match error {
        Error::File { reason, .. } => Error::File { path: path.into(), reason },
        other => other,
    })?;
    staged.persist(path).map_err(|error| failed(&error.error))
}

/// Writes a text into a file; `-` is stdout.
///
/// ```
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("tree.nwk");
/// midrib_io::write_text(&path, "(M0:1)M1;\n")?;
/// assert_eq!(std::fs::read_to_string(&path)?, "(M0:1)M1;\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn write_text(path: &Path, text: &str) -> Result<()> {
    let written = if path.as_os_str() == "-" {
        let mut out = std::io::stdout().lock();
        out.write_all(text.as_bytes()).and_then(|()| out.flush())
    } else {
        std::fs::write(path, text)
    };
    written.map_err(|error| Error::writing(path, &error))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(unix)]
    fn others_may_read_it_as_any_new_file() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let (ours, plain) = (folder.path().join("a"), folder.path().join("b"));
        let mode = |path: &Path| path.metadata().unwrap().permissions().mode();
        write_file(&ours, false, |path| {
            std::fs::write(path, "").unwrap();
            Ok(())
        })
        .unwrap();
        std::fs::write(&plain, "").unwrap();
        assert_eq!(mode(&ours), mode(&plain));
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn a_device_is_written_to_and_never_replaced() {
        use std::os::unix::fs::FileTypeExt;
        let full = Path::new("/dev/full");
        let fill = |path: &Path| crate::write_table(path, &["a"], [["1"]]);
        let message = write_file(full, true, fill).unwrap_err().to_string();
        assert!(message.starts_with("/dev/full: cannot be written: No space left"), "{message}");
        assert!(full.metadata().unwrap().file_type().is_char_device());
        write_file(Path::new("/dev/null"), false, fill).unwrap();
    }
}
