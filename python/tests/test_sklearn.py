"""scikit-learn's whole contract, for every estimator."""

import pickle

import midrib
import numpy as np
import pandas as pd
import polars as pl
import pytest
from midrib import _core, estimators
from midrib._base import EmbeddingEstimator, GraphEstimator
from sklearn.base import clone
from sklearn.cluster import KMeans
from sklearn.datasets import load_iris
from sklearn.decomposition import PCA
from sklearn.exceptions import ConvergenceWarning, NotFittedError
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import parametrize_with_checks

REGISTRY = {method["class"]: method for method in _core.methods()}
ALL = [getattr(estimators, name)() for name in estimators.__all__]
WEIGHTED = [estimator for estimator in ALL if REGISTRY[type(estimator).__name__]["weights"]]
GRAPHS = [estimator for estimator in ALL if isinstance(estimator, GraphEstimator)]

# Why a check cannot pass.
ONE_NODE_PER_ROW = "every row is a node, so that two equal rows are two nodes"
BY_ROWS = "automatic settings depend on the number of rows; see the test with all settings given"
BY_NUMBER = "the branches are the same, but numbered differently"
EXPECTED = {
    "DRTree": {"check_sample_weight_equivalence_on_dense_data": ONE_NODE_PER_ROW},
    "DDRTree": {"check_sample_weight_equivalence_on_dense_data": BY_ROWS},
    "LocalPrincipalCurves": {"check_sample_weight_equivalence_on_dense_data": BY_NUMBER},
}


def expected(estimator):
    return EXPECTED.get(type(estimator).__name__, {})


@pytest.mark.filterwarnings("ignore")
@parametrize_with_checks(ALL, expected_failed_checks=expected)
def test_scikit_learn_checks(estimator, check):
    check(estimator)


@pytest.mark.parametrize("estimator", GRAPHS, ids=lambda e: type(e).__name__)
def test_the_attributes_of_a_fitted_graph(estimator, fork):
    fitted = clone(estimator).fit(fork[:120])
    graph = fitted.graph_
    assert fitted.nodes_.shape == (graph.n_nodes, 3)
    assert fitted.edges_.shape == (graph.n_edges, 2)
    assert len(fitted.edge_weights_) == graph.n_edges
    assert fitted.labels_.shape == (120,)
    assert np.array_equal(fitted.labels_, fitted.predict(fork[:120]))
    history = fitted.objective_history_
    assert np.isnan(fitted.objective_) if len(history) == 0 else fitted.objective_ == history[-1]
    assert isinstance(fitted.converged_, bool) and fitted.n_iter_ > 0
    on = fitted.project(fork[:120])
    assert fitted.score(fork[:120]) == pytest.approx(-np.mean(on.distance**2))
    shares = fitted.responsibilities(fork[:120])
    assert shares.shape == (120, graph.n_nodes)
    assert np.allclose(shares.sum(axis=1), 1)
    again = pickle.loads(pickle.dumps(fitted))
    assert again.graph_ == graph
    assert np.array_equal(again.transform(fork), fitted.transform(fork))
    if isinstance(fitted, EmbeddingEstimator):
        assert fitted.transform(fork).shape == (400, fitted.embedding_.shape[1])
        assert fitted.embedding_.shape[0] == 120
    else:
        gaps = np.linalg.norm(fitted.transform(fork[:120]) - fork[:120], axis=1)
        assert np.allclose(gaps, on.distance)


@pytest.mark.parametrize("estimator", WEIGHTED, ids=lambda e: type(e).__name__)
def test_a_weight_counts_like_equal_rows(estimator, fork):
    if isinstance(estimator, estimators.DRTree):
        pytest.skip(ONE_NODE_PER_ROW)
    if isinstance(estimator, (estimators.PrincipalCurve, estimators.PolygonalLine)):
        pytest.skip("no descent to one result: rounding may lead elsewhere")
    given = {"n_nodes": 20} if hasattr(estimator, "n_nodes") else {}
    if isinstance(estimator, estimators.KMeans):
        given = {"n_clusters": 3}
    if isinstance(estimator, estimators.DDRTree):
        given |= {"bandwidth": 0.05, "tree_weight": 20.0}
    estimator = clone(estimator).set_params(**given)
    weight = np.arange(150) % 3
    repeated = clone(estimator).fit(np.repeat(fork[:150], weight, axis=0))
    weighted = clone(estimator).fit(fork[:150], sample_weight=weight)
    for name, value in vars(repeated).items():
        if name in ("nodes_", "edges_", "cluster_centers_", "components_", "explained_variance_"):
            assert np.allclose(value, getattr(weighted, name), rtol=0, atol=1e-7), name


@pytest.mark.parametrize("estimator", ALL, ids=lambda e: type(e).__name__)
def test_any_number_of_threads_gives_the_same_bytes(estimator, fork):
    one, two = (clone(estimator).set_params(n_jobs=n).fit(fork[:150]) for n in (1, 2))
    assert one.result_ == two.result_


def test_centers(fork):
    fitted = midrib.KMeans(n_clusters=3).fit(fork)
    theirs = KMeans(3, n_init=10, random_state=0).fit(fork)
    assert -fitted.score(fork) * len(fork) <= theirs.inertia_ * 1.001
    assert np.array_equal(np.bincount(fitted.labels_), fitted.result_.mass)
    assert np.array_equal(fitted.labels_, fitted.predict(fork))
    assert np.array_equal(fitted.labels_, fitted.transform(fork).argmin(axis=1))
    assert np.array_equal(fitted.labels_, fitted.result_.labels(fork))
    shares = fitted.result_.responsibilities(fork).toarray()
    assert np.array_equal(shares.argmax(axis=1), fitted.labels_)
    assert not hasattr(fitted, "graph_")
    assert pickle.loads(pickle.dumps(fitted)).result_ == fitted.result_


def test_principal_axes(fork):
    fitted = midrib.PCA(n_components=2).fit(fork)
    theirs = PCA(2).fit(fork)
    ratio = fitted.explained_variance_ratio_
    assert np.allclose(ratio, theirs.explained_variance_ratio_)
    assert np.allclose(fitted.explained_variance_, theirs.explained_variance_ * 399 / 400)
    assert np.allclose(np.abs(fitted.components_ @ theirs.components_.T), np.eye(2))
    assert np.allclose(np.abs(fitted.transform(fork)), np.abs(theirs.transform(fork)))
    restored = fitted.inverse_transform(fitted.transform(fork))
    squares = ((restored - fork) ** 2).sum(axis=1)
    assert fitted.score(fork) == pytest.approx(-squares.mean())
    assert not hasattr(fitted, "graph_") and np.isnan(fitted.objective_)
    assert list(fitted.set_output(transform="pandas").transform(fork).columns) == ["pca0", "pca1"]
    assert pickle.loads(pickle.dumps(fitted)).result_ == fitted.result_


def test_tables_come_and_go():
    iris = load_iris(as_frame=True).data
    fitted = midrib.SimplePPT().fit(iris)
    assert fitted.graph_.feature_names == list(iris.columns)
    assert list(fitted.feature_names_in_) == list(iris.columns)
    out = fitted.set_output(transform="pandas").transform(iris)
    assert isinstance(out, pd.DataFrame) and list(out.columns) == list(iris.columns)
    polars = pl.from_pandas(iris)
    same = midrib.SimplePPT().fit(polars)
    assert same.nodes_.tobytes() == fitted.nodes_.tobytes()
    assert isinstance(same.set_output(transform="polars").transform(polars), pl.DataFrame)
    latent = midrib.DDRTree().fit(iris).set_output(transform="pandas").transform(iris)
    assert list(latent.columns) == ["ddrtree0", "ddrtree1"]


def test_a_search_over_the_bandwidth_and_a_pipeline(fork):
    search = GridSearchCV(
        midrib.SimplePPT(n_nodes=20, length_penalty=10.0), {"bandwidth": [0.005, 5.0]}, cv=3
    ).fit(fork)
    assert search.best_params_ == {"bandwidth": 0.005}
    assert search.best_score_ < 0
    pipeline = make_pipeline(StandardScaler(), PCA(2), midrib.SimplePPT())
    assert pipeline.fit_transform(fork).shape == (400, 2)
    assert set(pipeline.predict(fork)) == {0, 1, 2}


def test_seeds(fork):
    states = [0, 0, np.random.RandomState(3), np.random.RandomState(3)]
    nodes = [midrib.SimplePPT(random_state=state).fit(fork).nodes_.tobytes() for state in states]
    assert nodes[0] == nodes[1] and nodes[2] == nodes[3] and nodes[0] != nodes[2]
    assert midrib.SimplePPT(random_state=None).fit(fork).converged_
    assert not hasattr(midrib.ElasticPrincipalTree(), "random_state")


def test_a_map_takes_points_with_gaps():
    rng = np.random.default_rng(5)
    u, v = rng.uniform(-1, 1, (2, 600))
    whole = np.column_stack([u, v, u * u])
    points = np.where(rng.uniform(size=whole.shape) < 0.1, np.nan, whole)
    points[np.isnan(points).all(axis=1)] = 0.0
    fitted = midrib.ElasticMap(sides="8x8").fit(points)
    assert fitted.graph_.n_nodes == 64 and fitted.embedding_.shape == (600, 2)
    on_map = np.column_stack([fitted.transform(whole), np.ones(600)])
    _, left, _, _ = np.linalg.lstsq(on_map, np.column_stack([u, v]), rcond=None)
    # Half a step of the net is 1/7: a uniform error of that size is 2 % of the variance.
    assert (left / 600 < 2 * (1 / 7) ** 2 / 3).all()
    names = fitted.set_output(transform="pandas").transform(points[:3]).columns
    assert list(names) == ["elasticmap0", "elasticmap1"]


def test_what_did_not_converge_says_so(fork):
    with pytest.warns(ConvergenceWarning, match="max_iter=2 iterations"):
        fitted = midrib.SimplePPT(max_iter=2).fit(fork)
    assert not fitted.converged_ and fitted.n_iter_ == 2
    assert midrib.SimplePPT(max_iter=2, tol=0).fit(fork).n_iter_ == 2


def test_refused(fork):
    with pytest.raises(NotFittedError):
        midrib.SimplePPT().predict(fork)
    with pytest.raises(ValueError, match="Input X contains NaN"):
        midrib.SimplePPT().fit(np.where(fork > 2, np.nan, fork))
    with pytest.raises(ValueError, match=r"Found array with 1 sample\(s\)"):
        midrib.SimplePPT().fit(fork[:1])
    with pytest.raises(ValueError, match="Complex data not supported"):
        midrib.SimplePPT().fit(fork + 1j)
    with pytest.raises(ValueError, match="could not convert string to float"):
        midrib.SimplePPT().fit([["a", "b"], ["c", "d"]])
    with pytest.raises(ValueError, match="X has 2 features, but SimplePPT is expecting 3"):
        midrib.SimplePPT().fit(fork).predict(fork[:, :2])
    with pytest.raises(TypeError, match="unexpected keyword argument 'bandwith'"):
        midrib.SimplePPT(bandwith=1)
    with pytest.raises(midrib.SettingError, match="bandwidth = -1: must be positive"):
        midrib.SimplePPT(bandwidth=-1.0).fit(fork)
    with pytest.raises(ValueError, match="settings of ppt"):
        midrib.SimplePPT(tips="keeps").fit(fork)
