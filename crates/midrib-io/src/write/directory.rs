//! A directory of results that appears whole or not at all.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use crate::error::{Error, Result};

/// The files that mark a directory of ours.
const MARKS: [&str; 3] = ["model.json", "clusters.json", "comparison.json"];

/// Writes a directory: `fill` writes its files into a directory beside it, which takes its place
/// once they are all there.
///
/// A directory that is not empty is replaced only with `force`, and only if it holds a
/// `model.json`, `clusters.json` or `comparison.json`, so that a mistyped path never costs anything
/// else. Where anything fails the old state is kept.
///
/// ```
/// # let folder = tempfile::tempdir()?;
/// # let out = folder.path().join("out");
/// midrib_io::write_directory(&out, false, |staging| {
///     midrib_io::write_table(&staging.join("a.csv"), &["a"], [["1"]])
/// })?;
/// assert!(out.join("a.csv").exists());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn write_directory(
    path: &Path,
    force: bool,
    fill: impl FnOnce(&Path) -> Result<()>,
) -> Result<()> {
    write_directory_of(path, force, &MARKS, fill)
}

/// The same for a directory that one of these files marks as ours.
pub fn write_directory_of(
    path: &Path,
    force: bool,
    marks: &[&str],
    fill: impl FnOnce(&Path) -> Result<()>,
) -> Result<()> {
    let target = Target::new(path, force, marks)?;
    let failed = |error: io::Error| Error::writing(path, &error);
    fs::create_dir_all(&target.parent).map_err(failed)?;
    let workshop = workshop(&target.parent).map_err(failed)?;
    let staging = workshop.path().join("new");
    fs::create_dir(&staging).map_err(failed)?;
    fill(&staging).map_err(|error| relocated(error, &staging, path))?;
    if !target.exists {
        return fs::rename(&staging, &target.path).map_err(failed);
    }

    let old = workshop.path().join("old");
    fs::rename(&target.path, &old).map_err(failed)?;
    let Err(error) = fs::rename(&staging, &target.path) else {
        return Ok(());
    };
    if fs::rename(&old, &target.path).is_err() {
        let kept = workshop.keep().join("old");
        return Err(Error::File {
            path: path.into(),
            reason: format!("cannot be written: {error}; its old content is in {}", kept.display()),
        });
    }
    Err(failed(error))
}

/// Rewrites some files of a directory in one go: `fill` finds all that is there and replaces what
/// it has to.
///
/// ```
/// # let folder = tempfile::tempdir()?;
/// # let out = folder.path().join("out");
/// # midrib_io::write_directory(&out, false, |new| {
/// #     midrib_io::write_table(&new.join("model.json"), &["a"], [["1"]])
/// # })?;
/// std::fs::create_dir(out.join("figures"))?;
/// midrib_io::update_directory(&out, |staging| {
///     midrib_io::write_table(&staging.join("b.csv"), &["b"], [["2"]])
/// })?;
/// assert!(out.join("b.csv").exists() && out.join("figures").is_dir());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn update_directory(path: &Path, fill: impl FnOnce(&Path) -> Result<()>) -> Result<()> {
    rewrite_directory(path, path, true, fill)
}

/// Writes a directory as [`write_directory`] does, in which `fill` finds all that is in `from`.
///
/// ```
/// # let folder = tempfile::tempdir()?;
/// # let (old, new) = (folder.path().join("old"), folder.path().join("new"));
/// # midrib_io::write_directory(&old, false, |new| {
/// #     midrib_io::write_table(&new.join("a.csv"), &["a"], [["1"]])
/// # })?;
/// midrib_io::rewrite_directory(&old, &new, false, |staging| {
///     midrib_io::write_table(&staging.join("b.csv"), &["b"], [["2"]])
/// })?;
/// assert!(new.join("a.csv").exists() && new.join("b.csv").exists());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn rewrite_directory(
    from: &Path,
    path: &Path,
    force: bool,
    fill: impl FnOnce(&Path) -> Result<()>,
) -> Result<()> {
    write_directory(path, force, |staging| {
        copy_content(from, staging)?;
        fill(staging)
    })
}

/// Copies all files and directories.
fn copy_content(from: &Path, to: &Path) -> Result<()> {
    let failed = |error: io::Error| Error::reading(from, &error);
    for entry in fs::read_dir(from).map_err(failed)? {
        let entry = entry.map_err(failed)?;
        let copy = to.join(entry.file_name());
        if entry.path().is_dir() {
            fs::create_dir(&copy).map_err(|error| Error::writing(&copy, &error))?;
            copy_content(&entry.path(), &copy)?;
        } else {
            fs::copy(entry.path(), &copy).map_err(|error| Error::writing(&copy, &error))?;
        }
    }
    Ok(())
}

/// Says before any work whether [`write_directory`] would refuse to write there.
///
/// ```
/// let error = midrib_io::check_directory("/".as_ref(), true).unwrap_err();
/// assert!(error.to_string().contains("not written by midrib"));
/// ```
pub fn check_directory(path: &Path, force: bool) -> Result<()> {
    let target = Target::new(path, force, &MARKS)?;
    let existing =
        target.parent.ancestors().find(|ancestor| ancestor.exists()).unwrap_or(&target.parent);
    workshop(existing).map(drop).map_err(|error| Error::writing(path, &error))
}

/// The error as if the files had been written to the directory itself.
fn relocated(error: Error, staging: &Path, target: &Path) -> Error {
    match error {
        Error::File { path, reason } => Error::File {
            path: path
                .strip_prefix(staging)
                .map_or_else(|_| path.clone(), |file| target.join(file)),
            reason,
        },
        other => other,
    }
}

/// A hidden directory in which the new content is made and the old one is thrown away.
fn workshop(parent: &Path) -> io::Result<TempDir> {
    tempfile::Builder::new().prefix(".midrib-").tempdir_in(parent)
}

/// Where a new directory goes.
struct Target {
    path: PathBuf,
    parent: PathBuf,
    exists: bool,
}

impl Target {
    /// Resolves the path, refusing to put anything at risk.
    fn new(path: &Path, force: bool, marks: &[&str]) -> Result<Self> {
        let refused = |reason: &str| Error::Exists { path: path.into(), reason: reason.into() };
        let failed = |error: io::Error| Error::writing(path, &error);
        if path == Path::new("-") {
            let reason = "is not a directory, which results need; name one".into();
            return Err(Error::Exists { path: "standard output".into(), reason });
        }
        let exists = path.try_exists().map_err(failed)?;
        let resolved = if exists {
            path.canonicalize().map_err(failed)?
        } else {
            std::path::absolute(path).map_err(failed)?
        };
        if exists {
            if !resolved.is_dir() {
                return Err(refused("is a file; name a directory to write into"));
            }
            if fs::read_dir(&resolved).map_err(failed)?.next().is_some() {
                if !marks.iter().any(|mark| resolved.join(mark).is_file()) {
                    return Err(refused(&format!(
                        "is not empty and was not written by midrib (it holds no {}); name \
                         another directory",
                        marks.join(" or ")
                    )));
                }
                if !force {
                    return Err(refused(
                        "exists already; pass force = true to replace it, or name another directory",
                    ));
                }
            }
        }
        let Some(parent) = resolved.parent() else {
            return Err(refused("cannot be replaced; name another directory"));
        };
        Ok(Self { parent: parent.into(), path: resolved, exists })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MARK: &str = MARKS[0];

    fn write(path: &Path, force: bool, content: &str) -> Result<()> {
        write_directory(path, force, |staging| {
            fs::write(staging.join(MARK), content).unwrap();
            Ok(())
        })
    }

    fn names(path: &Path) -> Vec<String> {
        let mut names: Vec<String> = fs::read_dir(path)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    #[test]
    fn a_new_directory_appears_with_its_parents() {
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path().join("a/b/out");
        check_directory(&out, false).unwrap();
        write(&out, false, "1").unwrap();
        assert_eq!(names(out.parent().unwrap()), ["out"]);
        assert_eq!(names(&out), [MARK]);
    }

    #[test]
    fn an_empty_directory_is_used() {
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path().join("out");
        fs::create_dir(&out).unwrap();
        write(&out, false, "1").unwrap();
        assert_eq!(names(&out), [MARK]);
        assert_eq!(names(folder.path()), ["out"]);
    }

    #[test]
    fn an_existing_result_needs_force() {
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path().join("out");
        write(&out, false, "1").unwrap();
        fs::write(out.join("stale.csv"), "").unwrap();
        let message = write(&out, false, "2").unwrap_err().to_string();
        assert!(message.contains("exists already; pass force = true"), "{message}");
        assert_eq!(fs::read_to_string(out.join(MARK)).unwrap(), "1");
        write(&out, true, "2").unwrap();
        assert_eq!(fs::read_to_string(out.join(MARK)).unwrap(), "2");
        assert_eq!(names(&out), [MARK]);
        assert_eq!(names(folder.path()), ["out"]);
    }

    #[test]
    fn force_never_replaces_what_is_not_ours() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("thesis.tex"), "").unwrap();
        let message = write(folder.path(), true, "1").unwrap_err().to_string();
        assert!(message.contains("not written by midrib"), "{message}");
        assert_eq!(names(folder.path()), ["thesis.tex"]);
        let file = folder.path().join("thesis.tex");
        let message = write(&file, true, "1").unwrap_err().to_string();
        assert!(message.contains("is a file"), "{message}");
    }

    #[test]
    fn a_failure_keeps_the_old_state_and_leaves_nothing_behind() {
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path().join("out");
        write(&out, false, "1").unwrap();
        let failed = write_directory(&out, true, |staging| {
            fs::write(staging.join("half.csv"), "1,2").unwrap();
            let file = staging.join("half.csv");
            Err(Error::writing(&file, &io::ErrorKind::StorageFull.into()))
        });
        let message = failed.unwrap_err().to_string();
        let file = out.join("half.csv").display().to_string();
        assert!(message.starts_with(&file), "{message}");
        assert!(message.contains("free some space"), "{message}");
        assert_eq!(fs::read_to_string(out.join(MARK)).unwrap(), "1");
        assert_eq!(names(folder.path()), ["out"]);
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn a_target_that_cannot_be_written_is_named_before_and_during_the_work() {
        let out = Path::new("/proc/out");
        for error in [check_directory(out, false).unwrap_err(), write(out, false, "1").unwrap_err()]
        {
            let message = error.to_string();
            assert!(message.starts_with("/proc/out: cannot be written"), "{message}");
            assert!(message.contains("choose a directory that you may write to"), "{message}");
            assert!(!message.contains(".midrib-"), "{message}");
            assert!(!error.is_bad_data());
        }
    }

    #[test]
    #[cfg(unix)]
    fn a_name_that_is_too_long_is_refused_before_the_work() {
        let folder = tempfile::tempdir().unwrap();
        let message = check_directory(&folder.path().join("a".repeat(300)), false).unwrap_err();
        assert!(message.to_string().contains("choose a shorter name"), "{message}");
    }

    #[test]
    #[cfg(unix)]
    fn a_link_to_a_directory_stays_a_link() {
        let folder = tempfile::tempdir().unwrap();
        let real = folder.path().join("real");
        let link = folder.path().join("link");
        write(&real, false, "1").unwrap();
        std::os::unix::fs::symlink(&real, &link).unwrap();
        write(&link, true, "2").unwrap();
        assert!(link.is_symlink());
        assert_eq!(fs::read_to_string(real.join(MARK)).unwrap(), "2");
    }
}
