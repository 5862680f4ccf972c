"""Features along a graph, against scipy and statsmodels-free least squares, and AnnData."""

import warnings

import anndata
import midrib
import numpy as np
import pandas as pd
import pytest
from scipy import sparse, stats


@pytest.fixture(scope="module")
def tree():
    sample = midrib.synth("tree", 600, branch_points=1, noise=0.03, random_state=2)
    graph = midrib.fit(sample.X)
    return graph.root(int(graph.tips[0])), sample.X


def test_p_values_are_those_of_scipy(tree):
    graph, X = tree
    rng = np.random.default_rng(1)
    time = graph.pseudotime(X)
    Y = np.outer(time, np.linspace(0, 3, 40)) + rng.normal(size=(len(X), 40))
    found = midrib.trends(graph, Y, on=X)
    p = stats.f.sf(found["F"], found["df1"], found["df2"])
    log = stats.f.logsf(found["F"], found["df1"], found["df2"])
    assert np.allclose(found["p"], p, rtol=1e-8, atol=0)
    assert np.allclose(found["neg_log10_p"], -log / np.log(10), rtol=1e-8)
    assert np.allclose(found["q"], stats.false_discovery_control(p), rtol=1e-8, atol=0)
    assert (found["null"] == "given").all()
    assert found["direction"].iloc[-1] == "up"


@pytest.mark.parametrize("layout", ["csr", "csc"])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_sparse_matrices_give_the_same(tree, layout, dtype):
    graph, X = tree
    Y = np.random.default_rng(3).poisson(0.4, size=(len(X), 300)).astype(dtype)
    dense = midrib.trends(graph, Y, on=X)
    other = midrib.trends(graph, sparse.csr_matrix(Y).asformat(layout), on=X)
    for name in ("F", "p", "q", "mean"):
        assert np.allclose(dense[name], other[name], rtol=1e-6, atol=1e-12)
    # The penalty is the minimum of a flat function, known to half of the digits.
    assert np.allclose(dense["edf"], other["edf"], rtol=1e-3)
    assert (dense["n_nonzero"] == (Y != 0).sum(axis=0)).all()


def test_threads_change_nothing(tree):
    graph, X = tree
    Y = np.random.default_rng(4).normal(size=(len(X), 100))
    one = midrib.trends(graph, Y, on=X, n_jobs=1)
    pd.testing.assert_frame_equal(one, midrib.trends(graph, Y, on=X, n_jobs=2), check_exact=True)


def test_forks_paths_counts_and_conditions(tree):
    graph, X = tree
    rng = np.random.default_rng(5)
    on = graph.project(X)
    fork = int(graph.branch_points[0])
    branches = [b for b in np.unique(on.branch) if graph.roots[0] not in graph.branches()[b].nodes]
    Y = rng.normal(size=(len(X), 5))
    Y[:, 0] += 3 * (on.branch == branches[0])
    found = midrib.trends(graph, Y, on=on, fork=fork, features=list("abcde"))
    assert found["feature"][found["q"].argmin()] == "a"
    assert found["highest_branch"][0] == branches[0]
    along = midrib.trends(graph, Y, on=on, path=(int(graph.tips[0]), int(graph.tips[1])))
    assert (along["df1"] == 4).all()
    counts = midrib.trends(graph, rng.poisson(3, size=(len(X), 4)), on=on, noise="counts")
    assert (counts["p"] > 1e-4).all()
    sample = np.arange(len(X)) % 6
    both = midrib.trends(graph, Y, on=on, condition=sample < 3, sample=sample)
    assert both["p"].between(0.05, 1).all()
    with pytest.raises(ValueError, match="belong together"):
        midrib.trends(graph, Y, on=on, condition=sample)
    with pytest.raises(midrib.DataError, match="is a tip; branch points are"):
        midrib.trends(graph, Y, on=on, fork=int(graph.tips[0]))
    with pytest.raises(midrib.DataError, match="not a count"):
        midrib.trends(graph, Y, on=on, noise="counts")


def test_features_of_the_fit_are_warned_about():
    rng = np.random.default_rng(6)
    table = pd.DataFrame({"depth": np.linspace(0, 1, 200), "age": rng.normal(0, 0.02, 200)})
    graph = midrib.fit(table).root(0)
    with pytest.warns(UserWarning, match="p-values are too small"):
        midrib.trends(graph, table)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        midrib.trends(graph, table.to_numpy(), features=["gene1", "gene2"])


def test_anndata_keeps_the_tables(tree, tmp_path):
    _, X = tree
    rng = np.random.default_rng(7)
    counts = sparse.csr_matrix(rng.poisson(1.0, size=(len(X), 30)).astype(np.float32))
    adata = anndata.AnnData(counts, obsm={"X_pca": X})
    adata.obs["donor"] = [f"d{i % 6}" for i in range(len(X))]
    adata.obs["drug"] = ["yes" if i % 6 < 3 else "no" for i in range(len(X))]
    adata.obs["batch"] = [f"b{i % 2}" for i in range(len(X))]
    midrib.tl.learn_graph(adata)
    graph = midrib.tl.get_graph(adata)
    midrib.tl.root(adata, int(graph.tips[0]))
    midrib.tl.association(adata, covariates=["batch"])
    midrib.tl.fork(adata, int(graph.branch_points[0]))
    midrib.tl.conditions(adata, "drug", "donor")
    midrib.tl.fates(adata)
    assert np.allclose(adata.obsm["midrib_fates"].sum(axis=1), 1)
    adata.write_h5ad(tmp_path / "cells.h5ad")
    back = anndata.read_h5ad(tmp_path / "cells.h5ad")
    for name in ("midrib_association", "midrib_fork", "midrib_conditions"):
        pd.testing.assert_frame_equal(back.varm[name], adata.varm[name], check_dtype=False)
    assert list(back.varm["midrib_association"].index) == list(adata.var_names)
    with pytest.raises(KeyError, match="no column 'sex'"):
        midrib.tl.association(adata, covariates=["sex"])
