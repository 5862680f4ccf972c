"""Generated points and clusters: the same as those of the command line, and as a peer's."""

import subprocess
import warnings

import midrib
import numpy as np
import pytest
from sklearn.cluster import SpectralClustering
from sklearn.metrics import adjusted_rand_score
from sklearn.utils.estimator_checks import parametrize_with_checks


def run(command, tmp_path, line: str) -> None:
    done = subprocess.run([command, *line.split()], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    ("shape", "given", "flags"),
    [
        ("tree", {"branch_points": 3, "dims": 4}, "--branch-points 3 -d 4"),
        ("helix", {}, ""),
        ("three-clusters", {"noise": 0.2, "random_state": 5}, "--noise 0.2 --seed 5"),
    ],
)
def test_generated_points_are_those_of_the_command(command, tmp_path, shape, given, flags):
    run(command, tmp_path, f"synth {shape} -n 80 -o x.csv -q {flags}")
    sample = midrib.synth(shape, 80, **given)
    table = np.loadtxt(tmp_path / "x.csv", delimiter=",", skiprows=1)
    assert np.array_equal(sample.X, table)
    assert sample.graph == midrib.read(tmp_path / "x.truth")
    assert sample.graph.method == "truth" and len(sample.branch) == 80
    assert np.linalg.norm(sample.X - sample.clean) > 0


def test_points_lie_where_they_were_drawn():
    sample = midrib.synth("tree", 200, noise=0)
    a, b = sample.graph.nodes[sample.graph.edges[sample.edge]].swapaxes(0, 1)
    assert np.allclose(a + sample.edge_pos[:, None] * (b - a), sample.X)
    assert np.array_equal(sample.X, sample.clean)
    assert sample == midrib.synth("tree", 200, noise=0)


def test_refused_shapes_are_named():
    with pytest.raises(midrib.SettingError, match="shape = .*must be one of tree, s, spiral"):
        midrib.synth("trefoil")  # type: ignore[arg-type]
    with pytest.raises(midrib.SettingError, match="branch_points = 3: only a tree has"):
        midrib.synth("s", branch_points=3)


@pytest.fixture(scope="module")
def moons() -> midrib.Sample:
    return midrib.synth("two-moons", 160, noise=0.03)


@pytest.mark.parametrize("graph", ["fused-lasso", "knn-l1", "l1", "knn"])
def test_clusters_are_those_of_the_command(command, tmp_path, moons, graph):
    names = ",".join(f"x{i}" for i in range(2))
    np.savetxt(tmp_path / "x.csv", moons.X, delimiter=",", header=names, comments="", fmt="%.17g")
    run(command, tmp_path, f"cluster x.csv -q -o out --clusters 2 --graph {graph}")
    found = midrib.cluster(moons.X, 2, graph=graph)
    table = np.genfromtxt(tmp_path / "out" / "labels.csv", delimiter=",", names=True)
    assert np.array_equal(found.labels, np.nan_to_num(table["cluster"], nan=-1).astype(int))
    assert found.n_clusters == 2 and found.edges.shape == (len(found.edge_weights), 2)
    assert (found.costs is None) == (graph == "knn")


def test_the_same_graph_is_cut_like_scikit_learn_does(moons):
    found = midrib.cluster(moons.X, 2, graph="knn", k1=8, rows="degree")
    affinity = found.affinity()
    assert abs(affinity - affinity.T).max() == 0
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        peer = SpectralClustering(2, affinity="precomputed", random_state=0).fit(affinity)
    assert adjusted_rand_score(peer.labels_, found.labels) == 1
    assert adjusted_rand_score(moons.branch, found.labels) > 0.9


def test_similarities_may_be_given(moons):
    squared = ((moons.X[:, None] - moons.X) ** 2).sum(axis=2)
    given = midrib.cluster(moons.X, 2, graph="knn", kernel_matrix=np.exp(-squared / 0.7))
    by_kernel = midrib.cluster(moons.X, 2, graph="knn", kernel="gaussian:0.7")
    assert np.array_equal(given.labels, by_kernel.labels)
    assert by_kernel.settings == {"kernel": "gaussian:0.7", "k1": 20}


def test_refused_settings_are_named(moons):
    for given, message in [
        ({"graph": "knn", "k2": 3}, "k2 = 3: has no meaning for graph = knn"),
        ({"graph": "fused"}, "graph = fused: unknown"),
        ({"rows": "long"}, "rows = long: unknown; use plain, unit or degree"),
        ({"n_clusters": 0}, "clusters = 0: must be at least 1"),
        ({"kernel_matrix": np.eye(3)}, "kernel matrix: expected 160, found 3"),
    ]:
        with pytest.raises(ValueError, match=message):
            midrib.cluster(moons.X, **given)


@parametrize_with_checks([midrib.GraphClustering()])
def test_scikit_learn_checks(estimator, check):
    check(estimator)


def test_the_estimator_clusters_like_the_function(moons):
    fitted = midrib.GraphClustering(n_clusters=2, k1=12, random_state=3).fit(moons.X)
    found = midrib.cluster(moons.X, 2, k1=12, random_state=3)
    assert fitted.result_ == found and np.array_equal(fitted.labels_, found.labels)
    assert fitted.n_clusters_ == 2 and fitted.affinity_matrix_.shape == (160, 160)
