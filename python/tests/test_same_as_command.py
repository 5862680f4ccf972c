"""What Python and the command line do by different code on top of the same tasks: the columns that
roots are found in, the tables of dynverse, AnnData files, plots."""

import json
import subprocess

import anndata
import midrib
import numpy as np
import pandas as pd
import pytest
from matplotlib import pyplot as plt
from scipy import sparse

FIT = "fit cells.csv -q --id name --label stage --label hours"


@pytest.fixture
def table(fork, tmp_path) -> pd.DataFrame:
    """Three arms and a cluster of points far away; some stages are missing."""
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


def as_cells(graph: midrib.Graph, table: pd.DataFrame) -> anndata.AnnData:
    """The same cells in AnnData, on the same graph."""
    names = ["x", "y", "z"]
    obs = table[["stage", "hours"]].set_index(table["name"].rename(None))
    obs["stage"] = obs["stage"].replace("", None)
    cells = anndata.AnnData(table[names].to_numpy(), obs, pd.DataFrame(index=names))
    midrib.tl.project(cells, graph, "X")
    return cells


@pytest.mark.parametrize("root", ["cell7", "stage==middle", "hours:min", "x:max", "stage:min"])
def test_roots_are_found_in_the_same_columns(run, table, tmp_path, root):
    run(f"{FIT} --n-nodes 40 -o out")
    cells = as_cells(midrib.read(tmp_path / "out"), table)
    said = run("root out -q --root", root)
    if root == "stage:min":
        with pytest.raises(ValueError, match='holds "') as refused:
            midrib.tl.root(cells, root)
        assert str(refused.value).split(": ", 1)[1].split(";")[0] in said.replace("\n", " ")
        return
    midrib.tl.root(cells, root)
    theirs = json.loads((tmp_path / "out" / "model.json").read_text())["root"]
    assert list(midrib.tl.get_graph(cells).roots) == theirs


def test_tables_of_dynverse_are_the_same(run, table, tmp_path):
    run(f"{FIT} --method rpg --structure l1 --n-nodes 40 -o out")
    graph = midrib.read(tmp_path / "out").root(2)
    run("export out -q --format dynverse -o tables --root 2")
    ours = graph.to_dynverse(table[["x", "y", "z"]], list(table["name"]))
    for name, mine in ours.items():
        theirs = pd.read_csv(tmp_path / "tables" / f"{name}.csv", float_precision="round_trip")
        assert list(mine.columns) == list(theirs.columns) and len(mine) == len(theirs), name
        for column in mine:
            if mine[column].dtype == float:
                assert np.allclose(mine[column], theirs[column], rtol=1e-12, atol=1e-12)
            else:
                assert mine[column].tolist() == theirs[column].tolist(), (name, column)


def kinds(value: object) -> object:
    """The type of a value and of its parts."""
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
    ("method", "settings", "use"),
    [
        ("ppt", {}, "X_pca"),
        ("ddrtree", {}, "X"),
        ("elastic-map", {}, "layers/counts"),
        ("elastic-map", {"net": "chain"}, "X"),
        ("elastic-ring", {}, "X_pca"),
    ],
)
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

    source = {"layer": use[7:]} if use.startswith("layers/") else {"use_rep": use}
    midrib.tl.learn_graph(cells, method, n_nodes=30, **settings, **source)
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


def test_cells_exported_from_a_table_continue_in_python(run, table, tmp_path):
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


def test_pages_and_pictures_are_the_same(run, table, tmp_path):
    run(f"{FIT} -o out")
    run("root out -q --root 2")
    run("draw out -q --view metro --color pseudotime -o theirs.svg")
    run("report out -q -o theirs.html")
    graph = midrib.read(tmp_path / "out")
    points, labels = table[["x", "y", "z"]], table[["stage", "hours"]]
    graph.draw(tmp_path / "ours.svg", points, view="metro", color="pseudotime", labels=labels)
    assert (tmp_path / "ours.svg").read_text() == (tmp_path / "theirs.svg").read_text()
    graph.report(tmp_path / "ours.html", points, labels=labels, ids=table["name"])
    ours, theirs = ((tmp_path / f"{name}.html").read_text() for name in ("ours", "theirs"))
    assert abs(len(ours) - len(theirs)) < 200
