"""What the estimators share: scikit-learn's contract around ``midrib.fit``."""

from __future__ import annotations

import functools
import inspect
import sys
import warnings
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from sklearn.base import (
    BaseEstimator,
    ClassNamePrefixFeaturesOutMixin,
    ClusterMixin,
    OneToOneFeatureMixin,
    TransformerMixin,
)
from sklearn.exceptions import ConvergenceWarning
from sklearn.metrics.pairwise import euclidean_distances
from sklearn.utils import check_array, check_random_state
from sklearn.utils.validation import _check_sample_weight, check_is_fitted, validate_data

from midrib import _core
from midrib._arrays import Floats, Ints, feature_names, plain, with_nan
from midrib._fit import learn, learn_distances
from midrib._graph import Graph
from midrib._records import Projection

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

    if sys.version_info >= (3, 11):
        from typing import Self
    else:
        from typing_extensions import Self

_NOT_SETTINGS = ("metric", "random_state", "n_jobs", "verbose")


class Estimator(TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """Learns an object from points; the parameters are the settings of the method."""

    _method: ClassVar[str]
    _gaps: ClassVar[bool] = False

    result_: Any
    """What was learned: a ``Graph``, ``Centers``, ``Flats`` or ``Embedding``."""
    objective_: float
    """The objective at the end; NaN if the method has none."""
    objective_history_: Floats
    """The objective at the start and after each iteration."""
    n_iter_: int
    """The number of iterations."""
    converged_: bool
    """Whether the fit converged."""
    n_features_in_: int
    feature_names_in_: Any

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Learns from points.

        Parameters
        ----------
        X : array of shape (n_points, n_features)
            The points. float32 stays float32; arrays in C order are not copied.
        y : ignored
        sample_weight : array of shape (n_points,), optional
            A point of weight 2 counts like two equal rows.
        """
        return self._fit(X, sample_weight)

    def _fit(self, X: Any, sample_weight: Any) -> Self:
        settings = self._settings()
        fewest = _core.min_columns(self._method, plain(settings))
        X = self._validated(X, ensure_min_samples=2, ensure_min_features=fewest)
        if sample_weight is not None:
            sample_weight = _check_sample_weight(
                sample_weight, X, dtype=np.float64, ensure_non_negative=True
            )
        self.result_, projection = self._learn(X, settings, sample_weight)
        objective = self.result_.objective
        self.objective_ = float("nan") if objective is None else objective
        self.objective_history_ = self.result_.objective_history
        self.n_iter_ = self.result_.n_iter
        self.converged_ = self.result_.end == "converged"
        self._keep(X, projection)
        if self.result_.end == "max_iter" and getattr(self, "tol", 1) > 0:
            warnings.warn(
                f"{type(self).__name__} did not converge in max_iter={self.max_iter} iterations: "
                "increase max_iter or tol",
                ConvergenceWarning,
                stacklevel=3,
            )
        return self

    def _learn(self, X: Any, settings: dict[str, Any], sample_weight: Any) -> Any:
        """The result, and the projection of the points if there is one."""
        names = getattr(self, "feature_names_in_", None)
        return learn(
            X,
            self._method,
            settings,
            sample_weight=sample_weight,
            n_jobs=self.n_jobs,
            verbose=self.verbose,
            caller=f"{type(self).__name__}.fit()",
            names=feature_names(X, X.shape[1]) if names is None else [str(n) for n in names],
        )

    def _keep(self, X: Any, projection: Any) -> None:
        """Sets the attributes that depend on what was learned; ``projection`` is that of the
        points, None if there is nothing to project onto."""

    def _settings(self) -> dict[str, Any]:
        names = _setting_names(type(self))  # type: ignore[arg-type]
        settings = {name: getattr(self, name) for name in names}
        if hasattr(self, "random_state"):
            settings["seed"] = _seed(self.random_state)
        return settings

    def _points(self, X: Any) -> Any:
        check_is_fitted(self)
        return self._validated(X, reset=False)

    def _validated(self, X: Any, **options: Any) -> Any:
        finite = "allow-nan" if self._gaps else True
        types = [np.float64, np.float32]
        X = with_nan(X)
        return validate_data(self, X, dtype=types, order="C", ensure_all_finite=finite, **options)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = self._gaps
        return tags


class ScoredEstimator(Estimator):
    """Learns an object that points have distances from."""

    def score(self, X: Any, y: Any = None, sample_weight: Any = None) -> float:
        """Minus the mean squared distance of the points.

        It compares objects of one complexity. It cannot choose how smooth a graph should be: a
        crooked graph with many branches comes nearer to any points, new ones too, so a grid search
        over ``length_penalty`` or ``n_nodes`` ends at the most crooked one. Leave these settings at
        "auto", or look at ``graph_.bootstrap(X)``, which shows branches that are there by chance.
        """
        points = self._points(X)
        if sample_weight is not None:
            sample_weight = _check_sample_weight(sample_weight, points, dtype=np.float64)
        return -float(self.result_.mean_squared_distance(points, sample_weight))


class GraphEstimator(ScoredEstimator):
    """Learns nodes and edges."""

    graph_: Graph
    """The learned graph."""
    nodes_: Floats
    """The coordinates of the nodes, one per row."""
    edges_: Ints
    """The two nodes of each edge."""
    edge_weights_: Floats
    """The weight of each edge; 1 in trees."""
    labels_: Ints
    """The branch of each point."""

    def _keep(self, X: Any, projection: Any) -> None:
        self.graph_ = self.result_
        self.nodes_ = self.graph_.nodes
        self.edges_ = self.graph_.edges
        self.edge_weights_ = self.graph_.edge_weights
        self.labels_ = projection.branch

    def transform(self, X: Any) -> Any:
        """The coordinates of the nearest position on the graph, for each point."""
        points = self._points(X)
        return self.graph_.places(points)

    def fit_predict(self, X: Any, y: Any = None, sample_weight: Any = None) -> Ints:
        """Learns from points and returns the branch of each, ``labels_``."""
        weights = {} if sample_weight is None else {"sample_weight": sample_weight}
        return self.fit(X, y, **weights).labels_

    def predict(self, X: Any) -> Ints:
        """The branch of each point, an index into ``graph_.branches()``."""
        points = self._points(X)
        return self.graph_.project(points, self.n_jobs).branch

    def project(self, X: Any) -> Projection:
        """The nearest position on the graph for each point: node, edge, position on the edge,
        distance."""
        points = self._points(X)
        return self.graph_.project(points, self.n_jobs)

    def responsibilities(self, X: Any) -> csr_matrix:
        """The share of each point in each node, as a sparse matrix (n_points, n_nodes).

        Soft if the method has a bandwidth, otherwise 1 at the nearest node.
        """
        points = self._points(X)
        return self.graph_.responsibilities(points)


class ProjectionEstimator(OneToOneFeatureMixin, GraphEstimator):  # type: ignore[misc]
    """``transform`` returns projections onto the graph, in the columns of the points."""


class EmbeddingEstimator(ClassNamePrefixFeaturesOutMixin, GraphEstimator):  # type: ignore[misc]
    """``transform`` returns coordinates in few dimensions."""

    embedding_: Floats
    """The latent coordinates of the training points, or their positions on the map."""

    def _keep(self, X: Any, projection: Any) -> None:
        super()._keep(X, projection)
        learned = self.graph_.embedding
        self.embedding_ = self.graph_.embed(X) if learned is None else learned

    def transform(self, X: Any) -> Any:
        """The coordinates of points in the embedding, or on the map."""
        points = self._points(X)
        return self.graph_.embed(points)

    @property
    def _n_features_out(self) -> int:
        return int(self.embedding_.shape[1])


class CentersEstimator(ClassNamePrefixFeaturesOutMixin, ClusterMixin, ScoredEstimator):  # type: ignore[misc]
    """Learns centers without edges."""

    cluster_centers_: Floats
    """The coordinates of the centers, one per row."""
    labels_: Ints
    """The nearest center of each point."""

    def _keep(self, X: Any, projection: Any) -> None:
        self.cluster_centers_ = self.result_.centers
        self.labels_ = projection.node

    def transform(self, X: Any) -> Any:
        """The distance of each point from each center."""
        points = self._points(X)
        centers = self.cluster_centers_.astype(points.dtype, copy=False)
        return euclidean_distances(points, centers)

    def predict(self, X: Any) -> Ints:
        """The nearest center of each point."""
        points = self._points(X)
        nearest: Ints = self.result_.project(points, self.n_jobs).node
        return nearest

    @property
    def _n_features_out(self) -> int:
        return len(self.cluster_centers_)


class FlatsEstimator(ClassNamePrefixFeaturesOutMixin, ScoredEstimator):  # type: ignore[misc]
    """Learns principal axes, of all points or of several pieces."""

    flats_: list[tuple[Floats, Floats, Floats]]
    """The center, the axes and the variances along these of each piece."""
    labels_: Ints
    """The nearest piece of each point."""
    mean_: Floats
    """The mean of the points; only where there is one piece, like the attributes that follow."""
    components_: Floats
    """The principal axes: orthonormal rows."""
    explained_variance_: Floats
    """The variance of the points along each axis."""
    explained_variance_ratio_: Floats
    """The share of the variance along each axis."""

    def _keep(self, X: Any, projection: Any) -> None:
        self.flats_ = self.result_.flats
        self.labels_ = projection.node
        if len(self.flats_) == 1:
            self.mean_ = self.result_.center
            self.components_ = self.result_.axes
            self.explained_variance_ = self.result_.explained_variance
            self.explained_variance_ratio_ = self.result_.explained_variance_ratio

    def transform(self, X: Any) -> Any:
        """The scores of the points: their coordinates along the axes of the nearest piece."""
        points = self._points(X)
        return self.result_.embed(points)

    def inverse_transform(self, X: Any) -> Any:
        """The points with these scores; only where there is one piece."""
        check_is_fitted(self)
        if len(self.flats_) > 1:
            pieces = len(self.flats_)
            raise ValueError(f"scores do not say on which of the {pieces} pieces they are")
        return self.mean_ + check_array(X, dtype=np.float64) @ self.components_

    @property
    def _n_features_out(self) -> int:
        return len(self.flats_[0][1])


class EmbeddingOnlyEstimator(ClassNamePrefixFeaturesOutMixin, Estimator):  # type: ignore[misc]
    """Learns coordinates of its training points in few dimensions, and no graph."""

    embedding_: Floats
    """The coordinates of the training points."""

    def _keep(self, X: Any, projection: Any) -> None:
        self.embedding_ = self.result_.coordinates

    def fit_transform(self, X: Any, y: Any = None, **fit_params: Any) -> Any:
        """Learns from points and returns their coordinates."""
        return self.fit(X, y, **fit_params).embedding_

    @property
    def _n_features_out(self) -> int:
        return int(self.embedding_.shape[1])


class EmbeddingRuleEstimator(EmbeddingOnlyEstimator):
    """Learns an embedding with a rule for new points, from points or from their distances."""

    metric: str

    def _learn(self, X: Any, settings: dict[str, Any], sample_weight: Any) -> Any:
        if self.metric == "euclidean":
            return super()._learn(X, settings, sample_weight)
        if self.metric != "precomputed":
            raise ValueError(f'metric={self.metric!r}: must be "euclidean" or "precomputed"')
        if sample_weight is not None:
            raise ValueError('metric="precomputed" takes no sample_weight')
        if X.shape[0] != X.shape[1]:
            raise ValueError(f"X of shape {X.shape} must be a square matrix of distances")
        return learn_distances(X, self._method, settings, self.n_jobs, self.verbose, None), None

    def transform(self, X: Any) -> Any:
        """The coordinates of points in the embedding; not where it was learned from distances."""
        points = self._points(X)
        return self.result_.embed(points)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.pairwise = self.metric == "precomputed"
        return tags


@functools.cache
def _setting_names(kind: type) -> tuple[str, ...]:
    """The keywords that are settings; reading a signature takes half a millisecond."""
    return tuple(name for name in inspect.signature(kind).parameters if name not in _NOT_SETTINGS)


def _seed(random_state: Any) -> int:
    if isinstance(random_state, int | np.integer):
        return int(random_state)
    return int(check_random_state(random_state).randint(np.iinfo(np.int32).max))
