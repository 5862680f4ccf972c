//! `--config run.toml`.

use crate::folder::{Folder, wave, with_column};

fn folder(config: &str) -> Folder {
    let table = with_column(&wave(60), "stage", |row| (row / 20).to_string());
    let table = with_column(&table, "batch", |row| (row % 2).to_string());
    Folder::new().with("cells.csv", table).with("run.toml", config)
}

#[test]
fn its_keys_are_flags() {
    let folder = folder(
        "method = \"rpg\"\nn_nodes = 12\nmax-iter = 5\ntol = 0.0\ncenter = true\nforce = false\n\
         label = [\"stage\", \"batch\"]\noutput = \"out\"\nbandwidth = 0.01\ntips = \"keep\"\n",
    );
    folder.run("fit cells.csv -q --config run.toml").ok();
    let model = folder.json("out/model.json");
    assert_eq!(model["method"], "rpg");
    let settings = &model["settings"];
    assert_eq!((&settings["n_nodes"], &settings["max_iter"]), (&12.into(), &5.into()));
    assert_eq!(settings["bandwidth"], 0.01);
    assert_eq!(model["n_iter"], 5);
    assert_eq!(model["input"]["features"], serde_json::json!(["x", "y"]));
    assert!(model["input"]["prepare"]["offset"].is_array());
    assert!(
        folder
            .read("out/points.csv")
            .starts_with("id,node,edge,edge_pos,distance,branch,component,batch,stage\n")
    );
}

#[test]
fn flags_win_over_it() {
    let folder =
        folder("method = \"rpg\"\nn_nodes = 12\nmax_iter = 5\ntol = 0\nlabel = \"stage\"\n");
    folder.run("fit --config=run.toml cells.csv -q --max-iter 7 -mppt --label batch").ok();
    let model = folder.json("cells.midrib/model.json");
    assert_eq!(model["method"], "ppt");
    assert_eq!((&model["settings"]["n_nodes"], &model["n_iter"]), (&12.into(), &7.into()));
    assert_eq!(model["input"]["features"], serde_json::json!(["stage", "x", "y"]));
}

#[test]
fn what_is_wrong_with_it_is_named() {
    for (config, reason) in [
        ("bandwith = 1\n", "run.toml: unknown key bandwith, did you mean bandwidth?"),
        ("max_itre = 1\n", "run.toml: unknown key max_itre, did you mean max_iter?"),
        ("zzz = 1\n", "run.toml: unknown key zzz; the keys are the flags of"),
        ("config = \"b.toml\"\n", "run.toml: unknown key config"),
        ("data_weight = 1\n", "run.toml: data_weight is a setting of rpg; give method = \"rpg\""),
        ("[fit]\nseed = 1\n", "run.toml: fit: give a number, a word, true or a list"),
        ("seed = \n", "run.toml: TOML parse error at line 1"),
        ("n_nodes = 0\n", "--n-nodes 0: give a whole number of at least 1, all or auto"),
    ] {
        let folder = folder(config);
        folder.run("fit cells.csv --config run.toml").fails(2, &[reason]);
        assert_eq!(folder.names(), ["cells.csv", "run.toml"]);
    }
    let missing = ["other.toml: there is no such file; check the path"];
    folder("").run("fit cells.csv --config other.toml").fails(2, &missing);
}
