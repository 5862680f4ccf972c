"""AnnData in and out: keys, files, backed data, scFates' layout, plots."""

import warnings

import anndata
import midrib
import numpy as np
import pandas as pd
import pytest
from matplotlib import pyplot as plt
from scipy import sparse


@pytest.fixture
def adata(fork) -> anndata.AnnData:
    obs = pd.DataFrame(
        {
            "stage": np.where(fork[:, 0] > 2, "early", "late"),
            "hours": -fork[:, 0],
        },
        index=[f"cell{i}" for i in range(400)],
    )
    var = pd.DataFrame(index=["gata1", "pu1", "klf1"])
    adata = anndata.AnnData(fork.astype(np.float32), obs, var)
    adata.obsm["X_pca"] = fork
    adata.layers["counts"] = sparse.csr_matrix(np.abs(fork).astype(np.float32))
    return adata


@pytest.fixture
def learned(adata) -> anndata.AnnData:
    midrib.tl.learn_graph(adata)
    midrib.tl.root(adata, "hours:min")
    midrib.tl.pseudotime(adata)
    midrib.tl.layout(adata, "metro")
    midrib.tl.layout(adata, "dendrogram")
    return adata


def test_every_key_is_there(learned, fork):
    graph = midrib.fit(fork)
    on = graph.project(fork)
    obs = learned.obs
    assert np.array_equal(obs["midrib_node_id"], on.node)
    assert np.array_equal(obs["midrib_edge_id"], on.edge)
    assert np.array_equal(obs["midrib_edge_loc"], on.edge_pos)
    assert np.array_equal(obs["midrib_edge_dist"], on.distance)
    assert np.array_equal(obs["midrib_component"], on.component)
    assert list(obs["midrib_branch_id"]) == [graph.branches()[b].name for b in on.branch]
    assert obs["midrib_pseudotime"].between(0, 7).all()
    assert set(obs["midrib_milestone"]) == {
        f"M{node}" for node in (*graph.tips, *graph.branch_points)
    }
    obsm = learned.obsm
    assert np.allclose(obsm["X_midrib"], graph.places(fork))
    assert np.allclose(obsm["midrib_R"].sum(axis=1), 1)
    assert obsm["midrib_lineage_pseudotime"].shape == (400, 2)
    assert set(np.unique(obsm["midrib_lineage_weights"])) == {0, 1}
    assert obsm["X_midrib_metro"].shape == obsm["X_midrib_dendro"].shape == (400, 2)
    uns = learned.uns["midrib"]
    assert {
        "node_pos",
        "edge",
        "edge_len",
        "conn",
        "params",
        "milestone_network",
        "divergence_regions",
        "root_milestone_id",
        "objective_history",
        "schema_version",
        "provenance",
    } == set(uns)
    assert np.array_equal(uns["node_pos"], graph.nodes)
    assert uns["conn"].sum() == 2 * graph.n_edges
    network = uns["milestone_network"]
    assert list(network.columns) == ["from", "to", "length", "directed"]
    (root,) = uns["root_milestone_id"]
    assert (network["from"] == root).sum() == 1 and (network["to"] == root).sum() == 0
    assert network["length"].sum() == pytest.approx(graph.length)
    assert len(uns["divergence_regions"]) == 0
    kept = midrib.tl.get_graph(learned)
    assert kept.nodes.tobytes() == graph.nodes.tobytes() and len(kept.roots) == 1
    assert kept.feature_names == ["pca1", "pca2", "pca3"]


def test_resampled_cells_give_the_support(learned, fork, capsys):
    midrib.tl.bootstrap(learned, 4, verbose=1)
    assert capsys.readouterr().err.endswith("replica: 3 of 4\nreplica: 4 of 4\n")
    graph = midrib.tl.get_graph(learned)
    found = graph.bootstrap(fork, 4)
    assert np.array_equal(learned.uns["midrib"]["edge_support"], found.graph.support)
    assert np.array_equal(learned.uns["midrib"]["replicas"]["tips"], found.tips)
    with pytest.raises(midrib.DataError, match="they have 100 rows, those had 400"):
        graph.bootstrap(fork[:100], 2)
    with pytest.raises(midrib.DataError, match="give the same rows, with the same weights"):
        graph.bootstrap(fork + 0.5, 2)
    assert np.array_equal(graph.support, found.graph.support)
    assert np.array_equal(learned.obs["midrib_pseudotime_sd"], found.pseudotime_sd)
    midrib.tl.root(learned, "hours:max")
    assert "midrib_pseudotime_sd" not in learned.obs
    assert midrib.tl.get_graph(learned).support is not None
    bare = midrib.tl.learn_graph(learned, layer="counts", copy=True)
    assert "edge_support" not in bare.uns["midrib"]
    bare = midrib.tl.bootstrap(bare, 2, copy=True)
    assert "edge_support" in bare.uns["midrib"] and "midrib_pseudotime_sd" not in bare.obs


@pytest.mark.parametrize("kind", ["h5ad", "zarr"])
@pytest.mark.parametrize("method", ["ppt", "ddrtree", "elastic-ring"])
@pytest.mark.filterwarnings("ignore::FutureWarning", "ignore::UserWarning")
def test_files_store_it(adata, tmp_path, kind, method):
    midrib.tl.learn_graph(adata, method)
    midrib.tl.root(adata, 0)
    midrib.tl.pseudotime(adata)
    path = tmp_path / f"cells.{kind}"
    getattr(adata, f"write_{kind}")(path)
    again = getattr(anndata, f"read_{kind}")(path)
    assert midrib.tl.get_graph(again) == midrib.tl.get_graph(adata)
    pd.testing.assert_frame_equal(again.obs, adata.obs, check_categorical=False)
    for key in ("milestone_network", "divergence_regions"):
        theirs, ours = again.uns["midrib"][key], adata.uns["midrib"][key]
        assert theirs.astype(str).values.tolist() == ours.astype(str).values.tolist()
    assert dict(again.uns["midrib"]["params"]) == adata.uns["midrib"]["params"]
    midrib.tl.root(again, 1)
    midrib.tl.pseudotime(again)


def test_a_backed_file_and_layers(adata, tmp_path, fork):
    path = tmp_path / "cells.h5ad"
    adata.write_h5ad(path)
    backed = anndata.read_h5ad(path, backed="r")
    midrib.tl.learn_graph(backed, use_rep="X")
    single = midrib.fit(fork.astype(np.float32))
    assert np.array_equal(backed.uns["midrib"]["node_pos"], single.nodes)
    backed.file.close()
    midrib.tl.learn_graph(adata, layer="counts", key_added="counts")
    assert adata.uns["counts"]["params"]["layer"] == "counts"
    assert np.array_equal(
        adata.uns["counts"]["node_pos"], midrib.fit(adata.layers["counts"].toarray()).nodes
    )


def test_a_copy_leaves_the_original_alone(adata):
    copy = midrib.tl.learn_graph(adata, copy=True)
    assert "midrib" in copy.uns and "midrib" not in adata.uns
    assert list(adata.obs.columns) == ["stage", "hours"]
    rooted = midrib.tl.root(copy, 0, copy=True)
    assert rooted.uns["midrib"]["root_milestone_id"].tolist() == ["M0"]
    assert copy.uns["midrib"]["root_milestone_id"].tolist() == []


def test_roots_by_cell_column_and_gene(learned):
    first = learned.obs["hours"].idxmin()
    expected = midrib.tl.get_graph(learned).roots
    for root in ("stage==early", "gata1:max", int(expected[0])):
        midrib.tl.root(learned, root)
        assert midrib.tl.get_graph(learned).roots == expected, root
    midrib.tl.root(learned, first)
    assert midrib.tl.get_graph(learned).roots == (learned.obs["midrib_node_id"][first],)
    midrib.tl.root(learned, [first, 3])
    assert 3 in midrib.tl.get_graph(learned).roots


def test_another_root_drops_what_depended_on_the_last(adata):
    midrib.tl.learn_graph(adata, n_nodes=40)
    keys = (sorted(adata.obs.columns), sorted(adata.obsm))
    for again in (
        lambda: midrib.tl.root(adata, 2),
        lambda: midrib.tl.learn_graph(adata, n_nodes=30),
    ):
        midrib.tl.root(adata, 0)
        midrib.tl.pseudotime(adata)
        midrib.tl.layout(adata, "dendrogram")
        assert "midrib_pseudotime" in adata.obs and "X_midrib_dendro" in adata.obsm
        again()
        assert (sorted(adata.obs.columns), sorted(adata.obsm)) == keys


def test_other_cells_are_projected(learned, adata):
    others = adata[:50].copy()
    for reference in (learned, midrib.tl.get_graph(learned)):
        midrib.tl.project(others, reference)
        midrib.tl.pseudotime(others)
        assert np.array_equal(
            others.obs["midrib_pseudotime"], learned.obs["midrib_pseudotime"][:50]
        )


def test_scfates_finds_what_it_looks_for(learned, tmp_path):
    midrib.to_scfates(learned)
    graph = learned.uns["graph"]
    ours = midrib.tl.get_graph(learned)
    k = ours.n_nodes
    assert graph["B"].shape == (k, k) and graph["B"].sum() == 2 * (k - 1)
    assert np.array_equal(graph["F"].T, ours.nodes)
    assert learned.obsm["X_R"].shape == (400, k)
    segments = graph["pp_seg"]
    assert list(segments.columns) == ["n", "from", "to", "d"]
    assert (segments["from"] == graph["root"]).sum() == 1
    time = graph["pp_info"]["time"].to_numpy()
    assert np.allclose(time[segments["to"]] - time[segments["from"]], segments["d"])
    assert np.array_equal(learned.obs["t"], learned.obs["midrib_pseudotime"])
    assert set(learned.obs["seg"]) == set(segments["n"])
    assert list(segments.index) == [int(n) for n in segments["n"]]
    assert list(graph["pp_info"].index) == list(range(k)) and graph["method"] == "ppt"
    assert list(learned.uns["pseudotime_list"]["0"].columns) == ["t", "seg", "edge"]
    assert len(learned.uns["milestones_colors"]) == len(graph["milestones"])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        learned.write_h5ad(tmp_path / "scfates.h5ad")
    midrib.tl.root(learned, [0, 1])
    with pytest.raises(ValueError, match="a connected tree with one root"):
        midrib.to_scfates(learned)


def test_scfates_plots_and_tools_run(learned, fork):
    """Those that need no R; with scFates 1.2.5."""
    scfates = pytest.importorskip("scFates")
    learned.obsm["X_umap"] = fork[:, :2]
    midrib.to_scfates(learned)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for plot in (scfates.pl.graph, scfates.pl.trajectory, scfates.pl.milestones):
            plot(learned, basis="umap", show=False)
        scfates.tl.dendrogram(learned)
        scfates.pl.dendrogram(learned, color="seg", show=False)
        names = {old: f"m{old}" for old in learned.uns["graph"]["milestones"]}
        scfates.tl.rename_milestones(learned, list(names.values()))
        time = learned.obs["t"].copy()
        scfates.tl.pseudotime(learned)
        assert np.corrcoef(time, learned.obs["t"])[0, 1] > 0.98
        scfates.tl.root(learned, int(learned.uns["graph"]["tips"][1]))
    plt.close("all")


def test_plots(learned, fork):
    graph = midrib.tl.get_graph(learned)
    learned.obsm["X_umap"] = fork[:, :2]
    drawn = [
        midrib.pl.graph(graph, fork),
        midrib.pl.graph(graph, fork, color=fork[:, 2], numbers=True),
        midrib.pl.graph(learned, color="stage"),
        midrib.pl.graph(learned, color="klf1", basis="X_umap"),
        midrib.pl.metro(graph),
        midrib.pl.metro(graph, fork),
        midrib.pl.metro(learned, color="midrib_pseudotime"),
        midrib.pl.dendrogram(graph, fork),
        midrib.pl.dendrogram(learned, color="stage"),
        midrib.pl.trends(learned, ["pca1", 1]),
    ]
    for axes in drawn:
        axes.figure.canvas.draw()
        plt.close(axes.figure)


def test_refused(adata, learned):
    with pytest.raises(KeyError, match="adata.obsm has no 'X_umap'; it has 'X_pca'"):
        midrib.tl.learn_graph(adata, use_rep="X_umap")
    with pytest.raises(KeyError, match="no layer 'spliced'; it has 'counts'"):
        midrib.tl.learn_graph(adata, layer="spliced")
    with pytest.raises(ValueError, match='store a "/" in a key'):
        midrib.tl.learn_graph(adata, key_added="a/b")
    with pytest.raises(TypeError, match="unexpected keyword argument 'nodes'"):
        midrib.tl.learn_graph(adata, nodes=5)
    with pytest.raises(ValueError, match="kmeans learns no graph; auto, ppt, rpg, drtree"):
        midrib.tl.learn_graph(adata, "kmeans")
    with pytest.raises(KeyError, match="has no graph 'other'; it has 'midrib'"):
        midrib.tl.pseudotime(learned, key="other")
    with pytest.raises(ValueError, match="no point has this id"):
        midrib.tl.root(learned, "nobody")
    with pytest.raises(ValueError, match="no point has this value; stage is one of early, late"):
        midrib.tl.root(learned, "stage==later")
    learned.uns["midrib"]["schema_version"] = 99
    with pytest.raises(ValueError, match="written by a newer midrib, schema 99"):
        midrib.tl.get_graph(learned)
