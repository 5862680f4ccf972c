"""Points in pandas tables, masked arrays and AnnData objects."""

import midrib
import numpy as np
import pandas
import pytest


def test_columns_of_a_table_are_matched_by_name():
    points = midrib.synth("tree", 200, dims=3, random_state=1).X
    table = pandas.DataFrame(points, columns=["a", "b", "c"])
    graph = midrib.fit(table, n_nodes=20)
    other = table[["c", "a", "b"]].assign(extra="text")
    on = graph.project(points)
    assert graph.project(other) == on
    assert np.array_equal(graph.root(0).pseudotime(other), graph.root(0).pseudotime(on))
    assert graph.draw(None, other) == graph.draw(None, points)
    with pytest.raises(ValueError, match="lacks columns that the result was learned from: b; it"):
        graph.project(table[["a", "c"]])
    unnamed = midrib.fit(points, n_nodes=20)
    assert np.array_equal(unnamed.project(table).node, on.node)


def test_annotated_data_is_refused_at_once():
    anndata = pytest.importorskip("anndata")
    points = midrib.synth("s", 60).X
    adata = anndata.AnnData(points)
    with pytest.raises(TypeError, match=r"pass its points, such as X.obsm\['X_pca'\]"):
        midrib.fit(adata)
    with pytest.raises(TypeError, match="midrib.tl"):
        midrib.fit(points, n_nodes=10).root(0).pseudotime(adata)


def test_masked_values_and_na_are_missing():
    points = midrib.synth("s", 80).X
    gaps = points.copy()
    gaps[[3, 9], [0, 1]] = np.nan
    expected = midrib.fit(gaps, "elastic-curve", n_nodes=8).nodes
    masked = np.ma.masked_array(points, np.isnan(gaps))
    table = pandas.DataFrame(gaps, columns=["x", "y"])
    with_na = [table.convert_dtypes(), table.astype(object).where(table.notna(), pandas.NA)]
    for found in [masked, *with_na]:
        assert np.array_equal(midrib.fit(found, "elastic-curve", n_nodes=8).nodes, expected)
        estimator = midrib.ElasticPrincipalCurve(n_nodes=8).fit(found)
        assert np.array_equal(estimator.nodes_, expected)
    with pytest.raises(midrib.DataError, match="missing"):
        midrib.fit(masked)


def test_projections_become_tables():
    sample = midrib.synth("tree", 100)
    on = midrib.fit(sample.X, n_nodes=20).project(sample.X)
    names = [f"cell{i}" for i in range(100)]
    table = on.to_pandas(names)
    assert list(table.columns) == ["node", "edge", "edge_pos", "distance", "branch", "component"]
    assert list(table.index) == names and np.array_equal(table["node"], on.node)
    branches = midrib.SimplePPT(n_nodes=20, n_jobs=10_000).fit_predict(sample.X)
    assert np.array_equal(branches, on.branch)
