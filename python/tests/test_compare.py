"""The criteria, as scikit-learn and scipy compute them, and comparisons of methods."""

import json
import subprocess

import midrib
import numpy as np
import pandas as pd
import pytest
from scipy.spatial.distance import pdist
from sklearn.datasets import load_iris
from sklearn.neighbors import NearestNeighbors


@pytest.fixture(scope="module")
def iris():
    data = load_iris()
    rng = np.random.default_rng(0)  # no two flowers are equally far
    return data.data + rng.normal(0, 1e-6, data.data.shape), data.target_names[data.target]


def after(result, X):
    if result.embeds:
        return result.embed(X)
    return result.places(X)


@pytest.mark.parametrize("method", ["pca", "ddrtree", "elastic-map", "ppt", "elastic-curve"])
def test_criteria_are_those_of_scipy_and_scikit_learn(method, iris):
    X, kinds = iris
    result = midrib.fit(X, method)
    found = result.criteria(X, labels=kinds)
    Z = after(result, X)
    before, projected = pdist(X), pdist(Z)
    factor = before @ projected / (projected @ projected)
    error = np.abs(factor * projected - before) / before
    large = np.argsort(before)[-((len(before) + 3) // 4) :]
    assert found.coordinates == ("inner" if result.embeds else "projection")
    assert (found.points, found.compared, found.neighbors) == (150, 150, 10)
    close = pytest.approx
    assert found.distance_correlation == close(np.corrcoef(before, projected)[0, 1], abs=1e-9)
    assert found.distance_error == close(error.mean(), abs=1e-9)
    large_correlation = np.corrcoef(before[large], projected[large])[0, 1]
    assert found.large_distance_correlation == close(large_correlation, abs=1e-9)
    assert found.large_distance_error == close(error[large].mean(), abs=1e-9)
    squared = result.mean_squared_distance(X)
    assert found.mean_squared_distance == close(squared, rel=1e-12)
    assert found.explained == close(1 - squared / X.var(axis=0).sum(), abs=1e-12)
    # Where projections coincide, any of them may be the nearest; scikit-learn picks some.
    ties = len(np.unique(Z.round(12), axis=0)) < 150
    near = NearestNeighbors(n_neighbors=10)
    old, new = (near.fit(rows).kneighbors(return_distance=False) for rows in (X, Z))
    kept = np.mean([len(np.intersect1d(a, b)) for a, b in zip(old, new, strict=True)]) / 10
    alike = np.mean(kinds[new] == kinds[:, None])
    tolerance = 0.05 if ties else 1e-9
    assert found.neighbor_preservation == close(kept, abs=tolerance)
    assert found.class_compactness == close(alike, abs=tolerance)


def test_a_comparison_is_a_table(iris, tmp_path):
    X, kinds = iris
    methods = ["pca:n_components=2", ("kmeans", {"n_clusters": 8}), "ppt", "pptt", "kmeans:nodes=3"]
    page = tmp_path / "page.html"
    table = midrib.compare(X, methods, labels=pd.Series(kinds, name="kind"), html=page)
    assert isinstance(table, pd.DataFrame) and len(table) == 5
    assert list(table["status"]) == ["finished"] * 3 + ["failed"] * 2
    assert list(table["method"])[:2] == ["pca:n_components=2", "kmeans:n_clusters=8"]
    alone = midrib.fit(X, "pca", n_components=2)
    assert table["explained"][0] == pytest.approx(alone.explained, abs=1e-12)
    assert "ppt" in table["reason"][3] and "nodes" in table["reason"][4]
    text = page.read_text()
    assert (
        text.count("<figure>") == 5
        and "setosa" in text
        and "http:" not in text
        and "https:" not in text
    )


def test_a_comparison_ends_at_the_time_limit_and_on_request(iris):
    X, _ = iris
    slow = ("elastic-tree", {"n_nodes": 120})
    late = midrib.compare(np.repeat(X, 20, axis=0), [slow, "kmeans"], time_limit=1e-3)
    assert late["status"][0] in ("interrupted", "failed")
    assert "stopped at the time limit of" in late["reason"][0]
    stopped = midrib.compare(X, [slow, "ppt"], progress=lambda *_: False)
    assert "interrupted" in stopped["reason"][0]
    assert stopped["reason"][1] == "not fitted: the comparison was interrupted"
    with pytest.raises(midrib.SettingError, match="time_limit = -1"):
        midrib.compare(X, ["pca"], time_limit=-1)


def test_the_command_finds_the_same(command, iris, tmp_path):
    X, kinds = iris
    table = pd.DataFrame(X, columns=list("abcd"))
    table["kind"] = kinds
    table.to_csv(tmp_path / "iris.csv", index=False)
    line = "compare iris.csv --methods pca,ppt --label kind -o out -q"
    done = subprocess.run([command, *line.split()], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    theirs = json.loads((tmp_path / "out" / "comparison.json").read_text())["methods"]
    ours = midrib.compare(X, ["pca", "ppt"], labels=kinds)
    for name in ("explained", "distance_error", "neighbor_preservation", "class_compactness"):
        assert [row["criteria"][name] for row in theirs] == pytest.approx(list(ours[name]))
