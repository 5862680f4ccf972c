//! Numbers that must come out: METHODS 5, the tree of the distorted S.

use crate::folder::Folder;

const DISTORTED_S: &str =
    concat!(env!("CARGO_MANIFEST_DIR"), "/../midrib/tests/data/distorted_s.csv");

#[test]
fn plain_sweeps_reproduce_the_objective_of_the_paper() {
    let folder = Folder::new();
    let line = format!(
        "fit {DISTORTED_S} -o out -q --method rpg --structure tree --n-nodes all --bandwidth 0.01 \
         --data-weight 0.5 --max-iter 60 --tol 0 --acceleration none --label label"
    );
    folder.run(&line).ok();
    let model = folder.json("out/model.json");
    let trace = model["trace"].as_array().unwrap();
    assert_eq!(trace.len(), 61);
    for (sweep, objective) in [(0, 0.640980035), (10, -0.263290818), (60, -0.268140967)] {
        let found = trace[sweep].as_f64().unwrap();
        assert!((found - objective).abs() < 1e-9, "J{sweep} = {found}");
    }
    assert_eq!(model["objective"], trace[60]);
    assert_eq!((&model["end"], &model["n_iter"]), (&"max_iter".into(), &60.into()));
    assert_eq!(model["nodes"].as_array().unwrap().len(), 100);
}
