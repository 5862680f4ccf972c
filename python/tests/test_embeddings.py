"""Embeddings against scikit-learn's, on its own data sets."""

import midrib
import numpy as np
import pytest
from sklearn import datasets, decomposition, manifold
from sklearn.metrics import pairwise_distances
from sklearn.neighbors import kneighbors_graph

TOLERANCE = 1e-6


def _points(name):
    """A data set whose neighbors are unique, and new points near it."""
    rng = np.random.default_rng(0)
    X = {
        "iris": lambda: datasets.load_iris().data,
        "swiss roll": lambda: datasets.make_swiss_roll(800, random_state=0)[0],
        "digits": lambda: datasets.load_digits().data[:900] / 16,
    }[name]()
    X = X + 1e-3 * rng.normal(size=X.shape)
    return X, X[::7] + 1e-2 * rng.normal(size=X[::7].shape)


@pytest.fixture(params=["iris", "swiss roll", "digits"])
def data(request):
    X, new = _points(request.param)
    n_neighbors = 30 if request.param == "iris" else 10
    return X, new, n_neighbors, 2


def _assert_same(found, expected):
    """The same up to the sign of each column."""
    signs = np.sign((found * expected).sum(axis=0))
    assert np.abs(found - signs * expected).max() <= TOLERANCE * np.abs(expected).max()


def _same_as(result, X, new, expected, of_new):
    _assert_same(result.coordinates, expected)
    _assert_same(result.embed(X), expected)
    # The sign of each column as in the training points.
    signs = np.sign((result.coordinates * expected).sum(axis=0))
    found = result.embed(new) * signs
    assert np.abs(found - of_new).max() <= TOLERANCE * np.abs(expected).max()
    largest = np.abs(result.coordinates).argmax(axis=0)
    assert (result.coordinates[largest, np.arange(len(largest))] > 0).all()


def test_kernel_pca(data):
    X, new, _, d = data
    gamma = 1 / X.shape[1]
    peer = decomposition.KernelPCA(d, kernel="rbf", gamma=gamma, eigen_solver="dense").fit(X)
    result = midrib.fit(X, "kernel-pca", n_components=d, gamma=gamma)
    _same_as(result, X, new, peer.transform(X), peer.transform(new))


def test_classical_scaling(data):
    X, new, _, d = data
    peer = decomposition.PCA(d).fit(X)
    result = midrib.fit(X, "mds", n_components=d, algorithm="classical")
    _same_as(result, X, new, peer.transform(X), peer.transform(new))
    given = midrib.fit(
        pairwise_distances(X), "mds", n_components=d, algorithm="classical", metric="precomputed"
    )
    _assert_same(given.coordinates, peer.transform(X))


def test_metric_scaling(data):
    X, _, _, d = data
    start = decomposition.PCA(d).fit_transform(X)
    distances = pairwise_distances(X)
    peer = manifold.smacof(
        distances, n_components=d, init=start, n_init=1, max_iter=20, eps=0, normalized_stress=False
    )
    result = midrib.fit(X, "mds", n_components=d, max_iter=20, tol=0)
    _assert_same(result.coordinates, peer[0])
    assert (np.diff(result.objective_history) <= 0).all()


def test_isomap(data):
    X, new, k, d = data
    peer = manifold.Isomap(n_neighbors=k, n_components=d, eigen_solver="dense").fit(X)
    result = midrib.fit(X, "isomap", n_components=d, n_neighbors=k)
    _same_as(result, X, new, peer.embedding_, peer.transform(new))


def test_locally_linear_embedding(data):
    X, new, k, d = data
    peer = manifold.LocallyLinearEmbedding(n_neighbors=k, n_components=d, eigen_solver="dense")
    peer.fit(X)
    result = midrib.fit(X, "lle", n_components=d, n_neighbors=k)
    _same_as(result, X, new, peer.embedding_, peer.transform(new))


def test_eigenmaps(data):
    X, _, k, d = data
    near = kneighbors_graph(X, k).toarray()
    peer = manifold.SpectralEmbedding(
        d, affinity="precomputed", eigen_solver="arpack", random_state=0, eigen_tol=1e-12
    )
    peer.fit((near + near.T) / 2)
    result = midrib.fit(X, "eigenmap", n_components=d, n_neighbors=k)
    _assert_same(result.coordinates, peer.embedding_)
    assert np.allclose(result.embed(X), result.coordinates)


def test_distances_square_or_condensed():
    X, _ = _points("iris")
    distances = pairwise_distances(X)
    condensed = distances[np.triu_indices(len(X), 1)]
    for method in ["kernel-pca", "mds", "isomap", "lle", "eigenmap"]:
        settings = {} if method in ("kernel-pca", "mds") else {"n_neighbors": 30}
        points = midrib.fit(X, method, **settings)
        for given in [distances, condensed]:
            result = midrib.fit(given, method, metric="precomputed", **settings)
            _assert_same(result.coordinates, points.coordinates)
            assert not result.embeds
    with pytest.raises(ValueError, match="row 2, column 1"):
        midrib.fit(distances + np.arange(len(X)), "mds", metric="precomputed")
    with pytest.raises(ValueError, match="needs points, not their distances"):
        midrib.fit(distances, "ppt", metric="precomputed")


def test_estimators_take_precomputed_distances():
    X, _ = _points("iris")
    distances = pairwise_distances(X)
    for name in ["KernelPCA", "MDS", "Isomap", "LocallyLinearEmbedding", "Eigenmap"]:
        kind = getattr(midrib, name)
        settings = {} if name in ("KernelPCA", "MDS") else {"n_neighbors": 30}
        given = kind(metric="precomputed", **settings)
        _assert_same(given.fit_transform(distances), kind(**settings).fit_transform(X))
        assert given.__sklearn_tags__().input_tags.pairwise
        with pytest.raises(ValueError, match="training points only"):
            given.transform(distances)
        with pytest.raises(ValueError, match="square matrix of distances"):
            given.fit(X)
        with pytest.raises(ValueError, match='must be "euclidean" or "precomputed"'):
            kind(metric="cosine").fit(X)


def test_an_embedding_before_a_graph(tmp_path):
    X, new = _points("swiss roll")
    graph = midrib.fit(X, "ppt", embed="isomap:2")
    assert graph.nodes.shape[1] == 2
    first = graph.project(new)
    graph.save(tmp_path / "out")
    again = midrib.read(tmp_path / "out").project(new)
    assert np.array_equal(first.node, again.node)
    with pytest.raises(ValueError, match="did you mean"):
        midrib.fit(X, "ppt", embed="isomapp")
