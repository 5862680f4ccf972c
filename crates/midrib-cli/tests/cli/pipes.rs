//! Readers that have read enough.

use crate::folder::{Folder, wave};

/// A pipe whose other end is closed already.
fn closed() -> std::io::PipeWriter {
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    writer
}

#[test]
fn a_closed_stdout_is_success() {
    let folder = Folder::new().with("cells.csv", wave(2000));
    folder.run("fit cells.csv -q").ok();
    for line in [
        "--help",
        "fit --help",
        "methods",
        "methods ppt",
        "methods --json",
        "info cells.midrib",
        "info cells.midrib --json",
        "project cells.midrib cells.csv",
        "synth tree -n 20000 -o -",
        "completions bash",
        "fit cells.csv --force",
    ] {
        let output = folder.command(line).stdout(closed()).output().unwrap();
        let error = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(0), "midrib {line}\n{error}");
        assert!(!error.contains("panicked") && !error.contains("error"), "midrib {line}\n{error}");
    }
}

#[test]
fn a_closed_stderr_does_not_stop_the_work() {
    let folder = Folder::new().with("cells.csv", wave(60));
    for (line, code) in [("fit cells.csv -v", 0), ("synth s", 0), ("fit none.csv", 3), ("fit", 2)] {
        let output = folder.command(line).stderr(closed()).output().unwrap();
        assert_eq!(output.status.code(), Some(code), "midrib {line}");
    }
    assert!(folder.path("cells.midrib/model.json").exists());
    assert!(folder.path("s.truth/model.json").exists());
}
