//! A directory of its own for each test, and what a command said in it.

use std::path::PathBuf;
use std::process::Command;

use serde_json::Value;
use tempfile::TempDir;

/// The program under test.
pub const MIDRIB: &str = env!("CARGO_BIN_EXE_midrib");

/// A fresh directory in which commands run.
pub struct Folder {
    directory: TempDir,
}

impl Folder {
    pub fn new() -> Self {
        Self { directory: tempfile::tempdir().unwrap() }
    }

    /// The same folder with one more file.
    pub fn with(self, name: &str, text: impl AsRef<[u8]>) -> Self {
        std::fs::write(self.path(name), text).unwrap();
        self
    }

    /// The same folder with generated points, for example `tree -n 300`, in `points.csv`.
    pub fn with_points(self, what: &str) -> Self {
        self.run(&format!("synth {what} -o points.csv")).ok();
        self
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }

    /// The text of the `model.json` of results, without the run that wrote it.
    pub fn learned(&self, results: &str) -> String {
        let mut model = self.json(&format!("{results}/model.json"));
        assert!(model.as_object_mut().unwrap().remove("run").is_some());
        model.to_string()
    }

    pub fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).unwrap()
    }

    pub fn json(&self, name: &str) -> Value {
        serde_json::from_str(&self.read(name)).unwrap()
    }

    /// The names of all that lies here, hidden or not.
    pub fn names(&self) -> Vec<String> {
        let entries = std::fs::read_dir(self.directory.path()).unwrap();
        let mut names: Vec<String> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    /// The program with these arguments, to be started here.
    pub fn command(&self, line: &str) -> Command {
        let mut command = Command::new(MIDRIB);
        command.current_dir(self.directory.path()).args(line.split_whitespace());
        command
    }

    /// Runs `midrib` with arguments separated by spaces.
    pub fn run(&self, line: &str) -> Run {
        self.run_with_input(line, "")
    }

    pub fn run_with_input(&self, line: &str, input: &str) -> Run {
        let output =
            assert_cmd::Command::from_std(self.command(line)).write_stdin(input).output().unwrap();
        Run {
            line: line.into(),
            code: output.status.code(),
            out: String::from_utf8(output.stdout).unwrap(),
            err: String::from_utf8(output.stderr).unwrap(),
        }
    }
}

/// What a command left behind.
pub struct Run {
    line: String,
    pub code: Option<i32>,
    pub out: String,
    pub err: String,
}

impl Run {
    /// The run, which went well.
    pub fn ok(self) -> Self {
        self.ends_with(0)
    }

    /// The run, which ended with this code.
    pub fn ends_with(self, code: i32) -> Self {
        assert_eq!(self.code, Some(code), "midrib {}\n{}", self.line, self.err);
        self
    }

    /// Checks that the run ended with this code and without an answer, and that its error says
    /// all of `words`.
    pub fn fails(self, code: i32, words: &[&str]) {
        let run = self.ends_with(code);
        assert_eq!(run.out, "", "midrib {}", run.line);
        let (talk, error) = run.err.split_at(run.err.find("error: ").unwrap_or_default());
        assert!(error.starts_with("error: "), "midrib {}\n{}", run.line, run.err);
        for word in words {
            assert!(error.contains(word), "midrib {}\n{talk}{error}\nlacks: {word}", run.line);
        }
    }

    /// The answer as JSON.
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.out).unwrap()
    }
}

/// `n` points along a gentle wave, with the columns x and y.
pub fn wave(n: usize) -> String {
    let rows = (0..n).map(|i| {
        let x = i as f64 / n as f64;
        format!("{x},{}\n", (5.0 * x).sin() + 0.01 * (i % 7) as f64)
    });
    format!("x,y\n{}", rows.collect::<String>())
}

/// A table with one more column in front.
pub fn with_column(table: &str, name: &str, value: impl Fn(usize) -> String) -> String {
    let mut lines = table.lines();
    let mut text = format!("{name},{}\n", lines.next().unwrap());
    for (row, line) in lines.enumerate() {
        text += &format!("{},{line}\n", value(row));
    }
    text
}
