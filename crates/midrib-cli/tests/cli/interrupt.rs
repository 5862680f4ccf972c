//! Ctrl-C during a fit.
#![cfg(unix)]

use std::io::{BufRead, BufReader, Read};
use std::process::{Command, Stdio};

use crate::folder::Folder;

/// A fit that takes long.
const FIT: &str = "fit points.csv -v --n-nodes all --max-iter 100000 --tol 0";

/// Starts a long command, interrupts it once it says `moment`, and gives back what it said after.
pub fn interrupted_at(line: &str, moment: &str, folder: &Folder) -> String {
    let mut child =
        folder.command(line).stderr(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut stderr = BufReader::new(child.stderr.take().unwrap());
    let mut line = String::new();
    while !line.contains(moment) {
        line.clear();
        assert_ne!(stderr.read_line(&mut line).unwrap(), 0, "never said: {moment}");
    }
    let kill = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(kill.success());
    let mut rest = String::new();
    stderr.read_to_string(&mut rest).unwrap();
    let status = child.wait().unwrap();
    assert_eq!(status.code(), Some(130), "{rest}");
    rest
}

#[test]
fn the_best_so_far_is_written() {
    let folder = Folder::new().with_points("tree -n 2000 -d 3");
    let said = interrupted_at(FIT, ": 2 of 100000", &folder);
    assert!(said.contains("the best result so far is kept"), "{said}");
    assert!(said.contains("written to points.midrib"), "{said}");
    let model = folder.json("points.midrib/model.json");
    assert_eq!(model["end"], "interrupted");
    let trace: Vec<f64> = serde_json::from_value(model["trace"].clone()).unwrap();
    assert!(trace.len() > 2 && trace.windows(2).all(|pair| pair[1] <= pair[0] + 1e-9));
    assert_eq!(folder.read("points.midrib/points.csv").lines().count(), 2001);
    let info = folder.run("info points.midrib").ok();
    assert!(info.out.contains("ppt, interrupted after "), "{}", info.out);
}

#[test]
fn so_it_is_before_the_first_sweep() {
    let folder = Folder::new().with_points("tree -n 2000 -d 3");
    interrupted_at(FIT, ": 0 of 15", &folder);
    let model = folder.json("points.midrib/model.json");
    assert_eq!(model["end"], "interrupted");
}
