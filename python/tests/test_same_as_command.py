"""Python and the command line say the same of one graph: roots, milestones, AnnData files."""

import json
import subprocess

import anndata
import midrib
import numpy as np
import pandas as pd
import pytest
from matplotlib import pyplot as plt
from scipy import sparse

# The first seven are found in a tree.
ROOTS = ["3", "cell7", "point:cell7", "stage==middle", "stage==early", "hours:min", "x:max"]
ROOTS += ["stage==none", "stage==", "x==1", "nobody", "99", "stage:min", "hour:min"]


@pytest.fixture
def table(fork, tmp_path) -> pd.DataFrame:
    """Three arms and a heap of points far away; stages are not always known."""
    apart = np.random.default_rng(3).normal(20, 0.01, (30, 3))
    points = np.concatenate([fork, apart])
    near = np.linalg.norm(points, axis=1) < 0.5
    early = (points[:, 0] > 2) & (points[:, 0] < 9)
    stage = np.select([early, near, points[:, 1] > 2], ["early", "middle", ""], "late")
    table = pd.DataFrame(points, columns=["x", "y", "z"])
    table["stage"] = stage
    table["hours"] = np.where(points[:, 1] > 1, np.nan, points[:, 0])
    table.insert(0, "name", [f"cell{i}" for i in range(len(points))])
    table.to_csv(tmp_path / "cells.csv", index=False)
    return table


@pytest.fixture
def run(command, tmp_path):
    def run(line: str, *last: str) -> str:
        done = subprocess.run(
            [command, *line.split(), *last], cwd=tmp_path, capture_output=True, text=True
        )
        assert done.returncode in (0, 2), done.stderr
        return done.stdout if done.returncode == 0 else done.stderr

    return run


FIT = "fit cells.csv -q --id name --label stage --label hours"


def as_cells(graph: midrib.Graph, table: pd.DataFrame) -> anndata.AnnData:
    """The same cells in AnnData, on the same graph."""
    names = ["x", "y", "z"]
    obs = table[["stage", "hours"]].set_index(table["name"].rename(None))
    obs["stage"] = obs["stage"].replace("", None)
    cells = anndata.AnnData(table[names].to_numpy(), obs, pd.DataFrame(index=names))
    midrib.tl.project(cells, graph, "X")
    return cells


@pytest.mark.parametrize(
    ("flags", "least"), [("--n-nodes 40", 7), ("--method rpg --structure l1 --n-nodes 40", 4)]
)
def test_roots_are_the_same(run, table, tmp_path, flags, least):
    run(f"{FIT} {flags} -o out")
    cells = as_cells(midrib.read(tmp_path / "out"), table)
    found = 0
    for root in ROOTS:
        said = run("root out -q --root", root)
        if said.startswith("error: "):
            with pytest.raises(ValueError) as refused:
                midrib.tl.root(cells, root)
            reason = str(refused.value).split(": ", 1)[1]
            assert reason.split(";")[0] in said.replace("\n", " "), root
            continue
        found += 1
        theirs = json.loads((tmp_path / "out" / "model.json").read_text())["root"]
        midrib.tl.root(cells, root)
        assert list(midrib.tl.get_graph(cells).roots) == theirs, root
    assert found >= least


@pytest.mark.parametrize("root", [[], ["hours:min"], ["2", "hours:min"]])
@pytest.mark.parametrize("flags", ["--method rpg --structure l1 --n-nodes 40", "--n-nodes 40"])
def test_tables_of_dynverse_are_the_same(run, table, tmp_path, flags, root):
    run(f"{FIT} {flags} -o out")
    graph = midrib.read(tmp_path / "out")
    cells = as_cells(graph, table)
    if root:
        midrib.tl.root(cells, root)
    export = " ".join(f"--root {spot}" for spot in root)
    run(f"export out -q --format dynverse -o tables {export}")
    on = graph.project(table[["x", "y", "z"]])
    ours = midrib.tl.get_graph(cells).to_dynverse(on, list(table["name"]))
    for name, mine in ours.items():
        theirs = pd.read_csv(tmp_path / "tables" / f"{name}.csv", float_precision="round_trip")
        assert list(mine.columns) == list(theirs.columns) and len(mine) == len(theirs), name
        for column in mine:
            if mine[column].dtype == float:
                assert np.allclose(mine[column], theirs[column], rtol=1e-12, atol=1e-12)
            else:
                assert mine[column].tolist() == theirs[column].tolist(), (name, column)


def test_links_that_no_root_reaches_have_no_direction():
    graph = midrib.Graph.from_edges([[0.0], [1.0], [5.0], [6.0], [9.0]], [[0, 1], [2, 3]]).root(1)
    found = graph.to_dynverse([[0.25], [9.0]])
    network = found["milestone_network"]
    assert network["directed"].tolist() == [True, False, False]
    assert network[["from", "to"]].values.tolist() == [["M1", "M0"], ["M2", "M3"], ["M4", "M4"]]
    assert found["progressions"].values.tolist() == [["0", "M1", "M0", 0.75], ["1", "M4", "M4", 1]]
    assert found["milestone_percentages"].values.tolist() == [
        ["0", "M1", 0.25],
        ["0", "M0", 0.75],
        ["1", "M4", 1],
    ]
    points = np.concatenate([np.linspace(0, 1, 30), np.linspace(5, 6, 30)])[:, None]
    assert graph.root(X=points, values=points[:, 0]).roots == (0,)
    assert graph.root(X=points, values=points[:, 0], at="max").roots == (3,)
    with pytest.raises(ValueError, match="the nodes 0, 1, 2, 3 are equally good; name one of them"):
        graph.root(X=points, values=np.ones(60))


def test_another_root_drops_what_was_counted_from_the_last(table):
    cells = as_cells(midrib.fit(table[["x", "y", "z"]], n_nodes=40), table)
    plain = (sorted(cells.obs.columns), sorted(cells.obsm))
    for again in (
        lambda: midrib.tl.root(cells, 2),
        lambda: midrib.tl.learn_graph(cells, use_rep="X", n_nodes=30),
    ):
        midrib.tl.root(cells, 0)
        midrib.tl.pseudotime(cells)
        midrib.tl.layout(cells, "dendrogram")
        assert "midrib_pseudotime" in cells.obs and "X_midrib_dendro" in cells.obsm
        again()
        assert (sorted(cells.obs.columns), sorted(cells.obsm)) == plain


def kinds(value: object) -> object:
    """What something is, and what its parts are."""
    if isinstance(value, pd.DataFrame):
        return {str(name): str(value[name].dtype) for name in value} | {"": str(value.index.dtype)}
    if hasattr(value, "items"):
        return {str(name): kinds(part) for name, part in value.items()}
    if sparse.issparse(value):
        return f"{value.format} of {value.dtype}, {value.shape}"
    if isinstance(value, np.ndarray):
        return f"array of {value.dtype}, {value.shape}"
    return type(value).__name__


@pytest.mark.parametrize(
    ("method", "settings"),
    [
        ("ppt", {}),
        ("ddrtree", {}),
        ("elastic-map", {}),
        ("elastic-map", {"net": "chain"}),
        ("elastic-ring", {}),
    ],
)
@pytest.mark.parametrize("use", ["X", "X_pca", "layers/counts"])
def test_files_of_cells_are_the_same(run, fork, tmp_path, method, settings, use):
    obs = pd.DataFrame({"hours": fork[:, 0]}, index=[f"cell{i}" for i in range(len(fork))])
    cells = anndata.AnnData(fork, obs, pd.DataFrame(index=["a", "b", "c"]))
    cells.obsm["X_pca"] = fork
    cells.layers["counts"] = sparse.csr_matrix(fork)
    cells.write_h5ad(tmp_path / "cells.h5ad")
    flags = " ".join(f"--{name} {value}" for name, value in settings.items())
    run(f"fit cells.h5ad -q --use-rep {use} --method {method} -o out --n-nodes 30 {flags}")
    is_sheet = method == "elastic-map" and not settings
    run("export out -q --format h5ad -o theirs.h5ad" + ("" if is_sheet else " --root 2"))
    theirs = anndata.read_h5ad(tmp_path / "theirs.h5ad")

    where = {"layer": use[7:]} if use.startswith("layers/") else {"use_rep": use}
    midrib.tl.learn_graph(cells, method, n_nodes=30, **settings, **where)
    midrib.tl.layout(cells, "metro")
    if not is_sheet:
        midrib.tl.root(cells, 2)
        midrib.tl.pseudotime(cells)
        midrib.tl.layout(cells, "dendrogram")
    cells.write_h5ad(tmp_path / "ours.h5ad")
    ours = anndata.read_h5ad(tmp_path / "ours.h5ad")
    for part in ("obs", "obsm", "uns"):
        assert kinds(getattr(theirs, part)) == kinds(getattr(ours, part)), part
    for name in ours.obs:
        assert ours.obs[name].astype(str).tolist() == theirs.obs[name].astype(str).tolist(), name
    for name in ours.obsm:
        mine, other = (sparse.csr_matrix(found.obsm[name]) for found in (ours, theirs))
        assert abs(mine - other).max() < 1e-9, name
    assert dict(ours.uns["midrib"]["params"]) == dict(theirs.uns["midrib"]["params"])

    graph = midrib.tl.get_graph(theirs)
    assert graph.roots == (() if is_sheet else (2,))
    assert np.array_equal(graph.nodes, midrib.tl.get_graph(ours).nodes)
    if not is_sheet:
        midrib.tl.root(theirs, "cell7")
        midrib.tl.pseudotime(theirs)
    theirs.obsm["X_flat"] = fork[:, :2]
    for axes in (midrib.pl.graph(theirs), midrib.pl.graph(theirs, basis="X_flat")):
        axes.figure.canvas.draw()
        plt.close(axes.figure)


@pytest.mark.parametrize(
    ("flags", "names"), [("--scale unit", ["x", "y", "z"]), ("--pca 2", ["pc1", "pc2"])]
)
def test_points_are_drawn_where_the_nodes_are(run, table, tmp_path, flags, names):
    run(f"{FIT} {flags} -o out")
    run("export out -q --format h5ad -o cells.h5ad")
    run("export out -q --format graphml -o out.graphml")
    graph = midrib.read(tmp_path / "out")
    assert graph.to_graphml() == (tmp_path / "out.graphml").read_text()
    assert graph.prepared_names == names
    points = table[["x", "y", "z"]].to_numpy()
    rooted = graph.root(0)
    cells = anndata.read_h5ad(tmp_path / "cells.h5ad")
    midrib.tl.root(cells, 0)
    for axes in (midrib.pl.graph(rooted, points), midrib.pl.graph(cells)):
        drawn = axes.collections[0].get_offsets()
        assert np.allclose(drawn, graph.prepared(points)[:, :2])
        away = np.linalg.norm(drawn[:, None] - graph.nodes[None, :, :2], axis=2).min(axis=1)
        assert away.max() < 0.3 * np.ptp(drawn, axis=0).max()
        assert [axes.get_xlabel(), axes.get_ylabel()] == names[:2]
        plt.close(axes.figure)
    for axes in (midrib.pl.trends(rooted, names[0], points), midrib.pl.trends(cells, 0)):
        times, values = axes.collections[0].get_offsets().T
        assert np.allclose(values, graph.prepared(points)[:, 0])
        assert np.allclose(times, rooted.pseudotime(points), equal_nan=True)
        plt.close(axes.figure)


def test_a_table_becomes_cells_that_go_on_in_python(run, table, tmp_path):
    run(f"{FIT} --scale unit --pca 2 -o out")
    run("export out -q --format h5ad -o cells.h5ad")
    cells = anndata.read_h5ad(tmp_path / "cells.h5ad")
    graph = midrib.tl.get_graph(cells)
    assert graph == midrib.read(tmp_path / "out") and not graph.roots
    assert np.allclose(graph.responsibilities(cells.X).toarray(), cells.obsm["midrib_R"].toarray())
    midrib.tl.root(cells, "stage==early")
    midrib.tl.pseudotime(cells)
    others = cells[:20].copy()
    midrib.tl.project(others, cells, "X")
    assert np.array_equal(others.obs["midrib_node_id"], cells.obs["midrib_node_id"][:20])
