"""Spectral clustering of sparse graphs, with scikit-learn's contract."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from sklearn.base import BaseEstimator, ClusterMixin
from sklearn.utils.validation import validate_data

from midrib._arrays import Floats, Ints
from midrib._base import _seed
from midrib._groups import Clusters, PointGraph, RowScale, cluster

if TYPE_CHECKING:
    if sys.version_info >= (3, 11):
        from typing import Self
    else:
        from typing_extensions import Self


class GraphClustering(ClusterMixin, BaseEstimator):  # type: ignore[misc]
    """Clusters points by the spectrum of a sparse graph of them (Zhou2013).

    The same as ``midrib.cluster``, with the same keywords. New points have no cluster: there is no
    ``predict``.

    >>> X = midrib.synth("two-moons", 200, noise=0.03).X
    >>> labels = midrib.GraphClustering(n_clusters=2, k1=10).fit_predict(X)
    >>> sorted(set(labels.tolist()))
    [0, 1]
    """

    labels_: Ints
    """The cluster of each point; -1 for a point without an edge."""
    n_clusters_: int
    """The number of clusters."""
    eigenvalues_: Floats
    """The largest eigenvalues of the normalized weights, in descending order from 1."""
    affinity_matrix_: Any
    """The weights of the graph as a symmetric sparse matrix."""
    result_: Clusters
    """All that was found."""
    n_features_in_: int

    def __init__(
        self,
        n_clusters: int | Literal["auto"] = "auto",
        *,
        graph: PointGraph = "fused-lasso",
        k1: int | None = None,
        k2: int | None = None,
        fusion_weight: float | None = None,
        kernel: str | None = None,
        rows: RowScale = "plain",
        restarts: int = 10,
        random_state: Any = 0,
        n_jobs: int | None = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.graph = graph
        self.k1 = k1
        self.k2 = k2
        self.fusion_weight = fusion_weight
        self.kernel = kernel
        self.rows = rows
        self.restarts = restarts
        self.random_state = random_state
        self.n_jobs = n_jobs

    def fit(self, X: Any, y: Any = None) -> Self:
        """Clusters the points.

        Parameters
        ----------
        X : array of shape (n_points, n_features)
            The points.
        y : ignored
        """
        types = [np.float64, np.float32]
        points = validate_data(self, X, dtype=types, order="C", ensure_min_samples=2)
        self.result_ = cluster(
            points,
            self.n_clusters,
            graph=self.graph,
            k1=self.k1,
            k2=self.k2,
            fusion_weight=self.fusion_weight,
            kernel=self.kernel,
            rows=self.rows,
            restarts=self.restarts,
            random_state=_seed(self.random_state),
            n_jobs=self.n_jobs,
        )
        self.labels_ = self.result_.labels
        self.n_clusters_ = self.result_.n_clusters
        self.eigenvalues_ = self.result_.eigenvalues
        self.affinity_matrix_ = self.result_.affinity()
        return self
