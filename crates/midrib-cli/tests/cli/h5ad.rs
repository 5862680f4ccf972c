//! AnnData's files: in, out, and what is wrong with some.

use std::process::Command;

use crate::folder::{Folder, wave, with_column};

/// An interpreter with anndata and scanpy, named by `MIDRIB_TEST_PYTHON`.
fn python() -> Option<String> {
    let python = std::env::var("MIDRIB_TEST_PYTHON").ok();
    if python.is_none() {
        eprintln!("skipped: MIDRIB_TEST_PYTHON names no interpreter with anndata and scanpy");
    }
    python
}

fn run_python(python: &str, folder: &Folder, script: &str) {
    let output = Command::new(python)
        .current_dir(folder.path(""))
        .env("MPLBACKEND", "Agg")
        .args(["-W", "ignore", "-c", script])
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

/// `cells.h5ad`, made of a table by midrib itself.
fn own() -> Folder {
    let table = with_column(&wave(90), "stage", |row| ["a", "b c"][row % 2].into());
    let folder =
        Folder::new().with("cells.csv", with_column(&table, "cell", |row| format!("c{row}")));
    folder.run("fit cells.csv -q --id cell -o wave").ok();
    folder.run("export wave --format h5ad -o cells.h5ad --root 0 -q").ok();
    folder
}

#[test]
fn a_table_comes_back_from_its_copy() {
    let folder = own();
    let run = folder.run("fit cells.h5ad -o again").ok();
    assert!(
        run.err.contains("cells.h5ad: 90 points in 2 columns\nread X (--use-rep"),
        "{}",
        run.err
    );
    assert!(run.err.contains("X_midrib, X_midrib_dendro, X_midrib_metro"), "{}", run.err);
    let points = folder.read("again/points.csv");
    assert_eq!(folder.read("wave/nodes.csv"), folder.read("again/nodes.csv"));
    let header = "id,node,edge,edge_pos,distance,branch,component,stage,midrib_branch_id,";
    assert!(points.starts_with(header), "{points}");
    assert!(points.contains("\nc1,") && points.contains(",b c,"), "{points}");

    // What was learned replaces what had been.
    folder.run("export again --format h5ad -o twice.h5ad -q").ok();
    let run = folder.run("fit twice.h5ad --use-rep X_midrib_metro --dry-run").ok();
    assert!(
        run.err.contains("read X_midrib_metro (--use-rep names another: X, X_midrib, midrib_R)"),
        "{}",
        run.err
    );
    // Later commands read what was learned from.
    folder.run("fit twice.h5ad -q --use-rep X_midrib -o places").ok();
    assert_eq!(folder.json("places/model.json")["reading"]["use_rep"], "X_midrib");
    let project = folder.run("project places twice.h5ad").ok().out;
    assert_eq!(project, folder.read("places/points.csv"));
    folder.run("fit cells.h5ad -q --label midrib_node_id --weights midrib_edge_loc -o w").ok();
    let expected = header.replace("stage", "midrib_node_id,stage");
    assert!(folder.read("w/points.csv").starts_with(&expected));
}

#[test]
fn bad_files_say_what_is_wrong() {
    let folder = own();
    let whole = std::fs::read(folder.path("cells.h5ad")).unwrap();
    folder.run("fit cells.h5ad --use-rep X_umap").fails(
        3,
        &[
            "cells.h5ad: holds no representation X_umap",
            "--use-rep names one of X, X_midrib, X_midrib_dendro, X_midrib_metro, midrib_",
        ],
    );
    folder.run("fit cells.h5ad --use-rep layers/x").fails(3, &["holds no representation layers/x"]);
    folder
        .run("fit cells.h5ad --id cel")
        .fails(3, &["obs has no column cel", "the columns are stage"]);
    folder.run("fit cells.h5ad --weights stage").fails(3, &["obs/stage holds no numbers"]);
    folder.run("fit cells.csv --use-rep X").fails(3, &["leave out --use-rep"]);
    let folder = folder.with("text.h5ad", "x,y\n1,2\n").with("wave2.csv", wave(90));
    folder.run("fit text.h5ad").fails(3, &["does not start like a h5ad file; is it complete?"]);
    let mut folder = folder;
    for part in [0.1, 0.5, 0.9, 0.99] {
        let end = (whole.len() as f64 * part) as usize;
        folder = folder.with("cut.h5ad", &whole[..end]);
        folder.run("fit cut.h5ad").fails(3, &["cut.h5ad: is damaged", "is the file complete?"]);
    }
    folder
        .run("export wave --format h5ad -o new.h5ad --points nowhere.h5ad")
        .fails(3, &["nowhere.h5ad: there is no such file"]);
    // Cells of other names.
    folder.run("fit wave2.csv -q -o other").ok();
    let renamed = with_column(&wave(80), "cell", |row| format!("d{row}"));
    let folder = folder.with("renamed.csv", renamed);
    folder.run("fit renamed.csv -q --id cell -o renamed").ok();
    folder.run("export renamed --format h5ad -o new.h5ad --points cells.h5ad").fails(
        3,
        &["cells.h5ad: 90 of its 90 cells are not among the 80 points", "c0, c1, c2, c3, c4, …"],
    );
    assert!(!folder.path("new.h5ad").exists());
    // Without names the order counts.
    folder.run("export other --format h5ad -o new.h5ad --points cells.h5ad -q").ok();
}

const MAKE: &str = r#"
import anndata, numpy, pandas, scipy.sparse
rng = numpy.random.default_rng(1)
n = 120
t = rng.random(n)
X = numpy.c_[t, numpy.sin(4 * t), 0.05 * rng.random((n, 2)) * (rng.random((n, 2)) > 0.5)]
obs = pandas.DataFrame(
    {
        "stage": pandas.Categorical(numpy.where(t < 0.5, "früh", "late"), ordered=True),
        "gap": pandas.Categorical(numpy.where(t < 0.1, None, "known")),
        "time": t,
        "flag": t > 0.3,
        "name": [f"n{i}" for i in range(n)],
    },
    index=[f"cell{i}" for i in range(n)],
)
var = pandas.DataFrame(index=["g1", "g2", "g3", "g4"])
data = anndata.AnnData(scipy.sparse.csr_matrix(X), obs=obs, var=var)
data.layers["counts"] = scipy.sparse.csc_matrix(X)
data.layers["dense"] = X.astype("float32")
data.obsm["X_two"] = X[:, :2].copy()
data.obsm["frame"] = pandas.DataFrame(X[:, :2], index=obs.index, columns=["u", "v"])
data.uns["colors"] = {"stage": numpy.array(["black", "white"])}
data.write_h5ad("plain.h5ad")
data.write_h5ad("packed.h5ad", compression="gzip")
pandas.DataFrame(X, columns=var.index).to_csv("x.csv", index=False)
"#;

const CHECK: &str = r#"
import anndata, json, numpy, pandas, scipy.sparse
before = anndata.read_h5ad("plain.h5ad")
after = anndata.read_h5ad("out.h5ad")
assert (before.X != after.X).nnz == 0
assert (before.layers["counts"] != after.layers["counts"]).nnz == 0
pandas.testing.assert_frame_equal(before.obs, after.obs[before.obs.columns])
pandas.testing.assert_frame_equal(before.var, after.var)
assert after.uns["colors"]["stage"][1] == "white"

points = pandas.read_csv("out/points.csv", index_col="id", float_precision="round_trip")
obs = after.obs
assert list(obs.index) == list(points.index)
for key, column in [("node_id", "node"), ("edge_id", "edge"), ("edge_loc", "edge_pos"),
                    ("edge_dist", "distance"), ("component", "component")]:
    assert numpy.array_equal(obs["midrib_" + key], points[column]), key
assert obs["midrib_branch_id"].dtype == "category" and obs["midrib_milestone"].dtype == "category"
assert obs["midrib_pseudotime"].min() >= 0 and obs["midrib_pseudotime"].notna().all()

uns = after.uns["midrib"]
nodes = pandas.read_csv("out/nodes.csv")
edges = pandas.read_csv("out/edges.csv", float_precision="round_trip")
assert numpy.allclose(uns["node_pos"], nodes[["g1", "g2", "g3", "g4"]])
assert numpy.array_equal(uns["edge"], edges[["a", "b"]])
assert numpy.array_equal(uns["edge_len"], edges["length"])
assert scipy.sparse.issparse(uns["conn"]) and uns["conn"].shape == (len(nodes),) * 2
assert uns["conn"].nnz == 2 * len(edges) and abs(uns["conn"] - uns["conn"].T).nnz == 0
assert uns["params"]["method"] == "ppt" and uns["params"]["use_rep"] == "X"
assert uns["params"]["max_iter"] == 500 and uns["params"]["tol"] < 1
whole = json.loads(uns["provenance"])
assert whole["root"] == [0] and len(whole["nodes"]) == len(nodes)
shares = after.obsm["midrib_R"]
assert scipy.sparse.issparse(shares) and shares.shape == (120, len(nodes))
assert numpy.allclose(shares.sum(axis=1), 1)
network = uns["milestone_network"]
assert list(network.columns) == ["from", "to", "length", "directed"]
assert network["directed"].dtype == bool and network["directed"].all()
assert set(obs["midrib_milestone"]) <= set(network["from"]) | set(network["to"])
regions = uns["divergence_regions"]
assert list(regions.columns) == ["divergence_id", "milestone_id", "is_start"] and len(regions) == 0
assert list(uns["root_milestone_id"]) == ["M0"] and uns["schema_version"] == 2
model = json.load(open("out/model.json"))
assert list(uns["objective_history"]) == model["trace"]

lengths = numpy.linalg.norm(after.obsm["X_midrib"] - before.X.toarray(), axis=1)
assert numpy.allclose(lengths, points["distance"], atol=1e-12)
assert after.obsm["X_midrib_metro"].shape == (120, 2) == after.obsm["X_midrib_dendro"].shape
weights = after.obsm["midrib_lineage_weights"]
assert weights.shape == after.obsm["midrib_lineage_pseudotime"].shape
assert numpy.isin(weights, [0, 1]).all() and (weights.sum(axis=1) >= 1).all()

after.write_h5ad("rewritten.h5ad")
import scanpy
axes = scanpy.pl.embedding(after, "X_midrib_metro", color="midrib_pseudotime", show=False)
assert axes.collections[0].get_offsets().shape == (120, 2)
fresh = anndata.read_h5ad("fresh.h5ad")
assert fresh.X.shape == (120, 4) and list(fresh.var_names) == ["g1", "g2", "g3", "g4"]
assert numpy.array_equal(fresh.X, before.X.toarray())
"#;

#[test]
fn columns_that_measure_something_are_those_that_pandas_reads() {
    let Some(python) = python() else { return };
    let age = |i: u32| if i.is_multiple_of(7) { String::new() } else { format!("{}.5", i % 13) };
    let stage = |i: u32| if i < 20 { "early" } else { "late" };
    let group = |i: u32| if i.is_multiple_of(9) { "NA".into() } else { (i % 3).to_string() };
    let rows =
        (0..40).map(|i| format!("c{i},{i},{},{},{},{}\n", i % 3, age(i), stage(i), group(i)));
    let table = format!("cell,x,y,age,stage,group\n{}", rows.collect::<String>());
    let folder = Folder::new().with("cells.csv", table);
    let labels = "--label age --label stage --label group";
    folder.run(&format!("fit cells.csv -q --id cell {labels} -o r")).ok();
    folder.run("export r --format h5ad -o r.h5ad -q").ok();
    let check = r#"
import anndata, numpy, pandas
obs, table = anndata.read_h5ad("r.h5ad").obs, pandas.read_csv("cells.csv")
assert obs["age"].dtype == table["age"].dtype == float
assert numpy.array_equal(obs["age"], table["age"], equal_nan=True)
assert obs["stage"].dtype == "category" and list(obs["stage"]) == list(table["stage"])
# A few different numbers number classes.
assert list(obs["group"].cat.categories) == ["0", "1", "2"]
assert obs["group"].isna().equals(table.set_index(obs.index)["group"].isna())
"#;
    run_python(&python, &folder, check);
}

#[test]
fn anndata_and_scanpy_read_what_is_written_and_are_read() {
    let Some(python) = python() else { return };
    let folder = Folder::new();
    run_python(&python, &folder, MAKE);
    folder.run("fit x.csv -q -o x").ok();
    let nodes = folder.read("x/nodes.csv");
    for (out, flags) in [
        ("plain", "plain.h5ad"),
        ("packed", "packed.h5ad --use-rep X"),
        ("counts", "packed.h5ad --use-rep layers/counts"),
    ] {
        folder.run(&format!("fit {flags} -q -o {out} --label time --label flag --label name")).ok();
        assert_eq!(nodes, folder.read(&format!("{out}/nodes.csv")), "{flags}");
        let points = folder.read(&format!("{out}/points.csv"));
        let header = points.lines().next().unwrap();
        assert!(header.ends_with(",component,time,flag,name,stage,gap"), "{header}");
        assert!(points.lines().nth(1).unwrap().starts_with("cell0,"));
        assert!(points.contains(",True,") && points.contains(",früh,known"));
        assert!(points.lines().any(|line| line.ends_with("früh,")));
    }
    folder.run("fit plain.h5ad -q -o dense --use-rep layers/dense").ok();
    folder.run("fit plain.h5ad -q -o two --use-rep X_two").ok();
    folder.run("fit plain.h5ad -q -o frame --use-rep obsm/frame").ok();
    let header = |name: &str| folder.read(name).lines().next().unwrap().to_owned();
    assert_eq!(header("two/nodes.csv"), "node,mass,degree,X_two1,X_two2");
    assert_eq!(header("frame/nodes.csv"), "node,mass,degree,u,v");

    folder.run("fit plain.h5ad -q -o out").ok();
    folder.run("export out --format h5ad -o out.h5ad --root 0 -q").ok();
    folder.run("export x --format h5ad -o fresh.h5ad -q").ok();
    run_python(&python, &folder, CHECK);
}
