"""What all estimators share: scikit-learn's contract around ``midrib.fit``."""

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
    OneToOneFeatureMixin,
    TransformerMixin,
)
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import check_random_state
from sklearn.utils.validation import _check_sample_weight, check_is_fitted, validate_data

from midrib._arrays import Floats, Ints, feature_names
from midrib._fit import learn
from midrib._graph import Graph, Projection

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

    if sys.version_info >= (3, 11):
        from typing import Self
    else:
        from typing_extensions import Self

# The dimensions of the space that a net lies in, where that is more than one.
_COLUMNS = {"ring": 2, "rectangle": 2, "triangular": 2} | dict.fromkeys(
    ("cylinder", "torus", "sphere", "box"), 3
)
_NOT_SETTINGS = ("random_state", "n_jobs", "verbose")


class GraphEstimator(TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """Learns a principal graph; the settings are those of the method."""

    _method: ClassVar[str]
    _gaps: ClassVar[bool] = False
    _columns: ClassVar[int] = 1

    graph_: Graph
    """The learned graph."""
    nodes_: Floats
    """The places of the nodes, one a row."""
    edges_: Ints
    """The two nodes of each edge."""
    edge_weights_: Floats
    """The weight of each edge; 1 in trees."""
    labels_: Ints
    """The branch of each point."""
    objective_: float
    """The objective at the end."""
    objective_history_: Floats
    """The objective at the start and after each sweep."""
    n_iter_: int
    """The number of sweeps."""
    converged_: bool
    """Whether the objective came to rest."""
    n_features_in_: int
    feature_names_in_: Any

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Learns the graph.

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
        fewest = _COLUMNS.get(getattr(self, "net", ""), self._columns)
        X = self._validated(X, ensure_min_samples=2, ensure_min_features=fewest)
        if sample_weight is not None:
            sample_weight = _check_sample_weight(
                sample_weight, X, dtype=np.float64, ensure_non_negative=True
            )
        names = getattr(self, "feature_names_in_", None)
        graph, projection = learn(
            X,
            self._method,
            self._settings(),
            sample_weight=sample_weight,
            n_jobs=self.n_jobs,
            verbose=self.verbose,
            caller=f"{type(self).__name__}.fit()",
            names=feature_names(X, X.shape[1]) if names is None else [str(n) for n in names],
        )
        self.graph_ = graph
        self.nodes_ = graph.nodes
        self.edges_ = graph.edges
        self.edge_weights_ = graph.edge_weights
        self.labels_ = projection.branch
        self.objective_ = float("nan") if graph.objective is None else graph.objective
        self.objective_history_ = graph.objective_history
        self.n_iter_ = graph.n_iter
        self.converged_ = graph.end == "converged"
        if graph.end == "max_iter" and self.tol > 0:
            warnings.warn(
                f"{type(self).__name__} did not converge in max_iter={self.max_iter} sweeps: "
                "raise max_iter, or tol",
                ConvergenceWarning,
                stacklevel=3,
            )
        return self

    def _settings(self) -> dict[str, Any]:
        names = _setting_names(type(self))  # type: ignore[arg-type]
        settings = {name: getattr(self, name) for name in names}
        if hasattr(self, "random_state"):
            settings["seed"] = _seed(self.random_state)
        return settings

    def _points(self, X: Any) -> Any:
        check_is_fitted(self)
        return self._validated(X, reset=False)

    def _validated(self, X: Any, **how: Any) -> Any:
        finite = "allow-nan" if self._gaps else True
        types = [np.float64, np.float32]
        return validate_data(self, X, dtype=types, order="C", ensure_all_finite=finite, **how)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = self._gaps
        return tags

    def transform(self, X: Any) -> Any:
        """The coordinates of the nearest place on the graph, for each point."""
        points = self._points(X)
        return self.graph_.places(points)

    def predict(self, X: Any) -> Ints:
        """The branch of each point, a number in ``graph_.branches()``."""
        points = self._points(X)
        return self.graph_.project(points, self.n_jobs).branch

    def project(self, X: Any) -> Projection:
        """The nearest place on the graph for each point: node, edge, place on it, distance."""
        points = self._points(X)
        return self.graph_.project(points, self.n_jobs)

    def score(self, X: Any, y: Any = None, sample_weight: Any = None) -> float:
        """Minus the mean squared distance of the points from the graph: larger is better."""
        points = self._points(X)
        if sample_weight is not None:
            sample_weight = _check_sample_weight(sample_weight, points, dtype=np.float64)
        return -self.graph_.mean_squared_distance(points, sample_weight)

    def responsibilities(self, X: Any) -> csr_matrix:
        """The share of each point in each node, as a sparse matrix (n_points, n_nodes).

        Soft where the method has a bandwidth, otherwise 1 at the nearest node.
        """
        points = self._points(X)
        return self.graph_.responsibilities(points)


class PlacesEstimator(OneToOneFeatureMixin, GraphEstimator):  # type: ignore[misc]
    """``transform`` keeps the columns."""


class EmbeddingEstimator(ClassNamePrefixFeaturesOutMixin, GraphEstimator):  # type: ignore[misc]
    """``transform`` gives coordinates in fewer dimensions."""

    embedding_: Floats
    """The learned places of the points, which the graph has drawn to itself; on a map theirs."""

    def _fit(self, X: Any, sample_weight: Any) -> Self:
        fitted = super()._fit(X, sample_weight)
        learned = self.graph_.embedding
        self.embedding_ = self.transform(X) if learned is None else learned
        return fitted

    def transform(self, X: Any) -> Any:
        """The places of points in the learned embedding, or on the map."""
        points = self._points(X)
        return self.graph_.embed(points)

    @property
    def _n_features_out(self) -> int:
        return int(self.embedding_.shape[1])


@functools.cache
def _setting_names(kind: type) -> tuple[str, ...]:
    """The keywords that are settings; to read a signature takes half a millisecond."""
    return tuple(name for name in inspect.signature(kind).parameters if name not in _NOT_SETTINGS)


def _seed(random_state: Any) -> int:
    if isinstance(random_state, int | np.integer):
        return int(random_state)
    return int(check_random_state(random_state).randint(np.iinfo(np.int32).max))
