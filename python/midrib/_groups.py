"""Generated points whose true graph is known, and clusters of points, with numpy alone."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from midrib import _arrays, _core
from midrib._arrays import Floats, Ints, frozen, plain, threads
from midrib._graph import Graph
from midrib._records import _Arrays

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

Shape = Literal[
    "tree",
    "s",
    "spiral",
    "circle",
    "two-moons",
    "three-clusters",
    "zigzag",
    "helix",
    "swiss-roll",
]
PointGraph = Literal["fused-lasso", "knn-l1", "l1", "knn"]
RowScale = Literal["plain", "unit", "degree"]


@dataclass(frozen=True, eq=False)
class Sample(_Arrays):
    """Generated points, and where they come from."""

    X: Floats
    """The points, one per row."""
    graph: Graph
    """The true graph; its ``method`` is "truth"."""
    branch: Ints
    """The branch that each point was drawn on, an index into ``graph.branches()``."""
    edge: Ints
    """The edge that each point was drawn on; -1 for clusters."""
    edge_pos: Floats
    """The position on that edge, from 0 to 1."""
    clean: Floats
    """The points without noise."""

    def __repr__(self) -> str:
        return f"Sample({len(self.X)} points in {self.X.shape[1]} dimensions, {self.graph!r})"


def synth(
    shape: Shape = "tree",
    n: int = 1000,
    *,
    dims: int | None = None,
    noise: float = 0.05,
    branch_points: int | None = None,
    random_state: int = 0,
) -> Sample:
    """Generates points whose true graph is known, the same as ``midrib synth``.

    Parameters
    ----------
    shape : str
        "tree", "s", "spiral", "circle", "two-moons", "three-clusters", "zigzag", "helix" or
        "swiss-roll".
    n : int
        The number of points.
    dims : int, optional
        The number of dimensions: by default 3 for the helix and the roll, otherwise 2.
    noise : float
        The standard deviation of the noise per coordinate; beyond three dimensions it is made
        smaller, so that there is as much noise in total as in three.
    branch_points : int, optional
        The branch points of a tree, 2 by default.
    random_state : int
        The same seed gives the same points.

    >>> sample = midrib.synth("tree", 300, branch_points=1, random_state=2)
    >>> sample.X.shape, len(sample.graph.tips)
    ((300, 2), 3)
    >>> len(midrib.fit(sample.X).tips)
    3
    """
    found = _core.synth(
        {
            "shape": shape,
            "branch_points": branch_points,
            "n": n,
            "dims": dims,
            "noise": float(noise),
            "seed": int(random_state),
        }
    )
    return Sample(
        X=found["points"],
        graph=Graph(found["model"]),
        branch=frozen(found["branch"]),
        edge=frozen(found["edge"]),
        edge_pos=frozen(found["edge_pos"]),
        clean=frozen(found["clean"]),
    )


@dataclass(frozen=True, eq=False)
class Clusters(_Arrays):
    """Clusters of points, and the graph of the points that was cut."""

    labels: Ints
    """The cluster of each point, numbered in order of their first points; -1 for a point without
    an edge."""
    n_clusters: int
    """The number of clusters."""
    edges: Ints
    """The two points of each edge of the graph."""
    edge_weights: Floats
    """The weight of each edge."""
    eigenvalues: Floats
    """The largest eigenvalues of the normalized weights, in descending order from 1."""
    n_components: int
    """The number of components of the graph, not counting points without an edge."""
    costs: Floats | None
    """How badly each point is rebuilt from its neighbors, if the graph does that."""
    settings: dict[str, Any]
    """The settings of the graph, with those that were left open as they were chosen."""
    notes: list[str]
    """Remarks about the result, in sentences."""

    def affinity(self) -> csr_matrix:
        """The weights of the graph as a symmetric sparse matrix."""
        from scipy.sparse import csr_matrix

        a, b = self.edges.T
        n = len(self.labels)
        both = np.concatenate([self.edge_weights] * 2)
        return csr_matrix((both, (np.concatenate([a, b]), np.concatenate([b, a]))), shape=(n, n))

    def __repr__(self) -> str:
        return f"Clusters({self.n_clusters} clusters of {len(self.labels)} points)"


def cluster(
    X: Any,
    n_clusters: int | Literal["auto"] = "auto",
    *,
    graph: PointGraph = "fused-lasso",
    k1: int | None = None,
    k2: int | None = None,
    fusion_weight: float | None = None,
    kernel: str | None = None,
    kernel_matrix: Any = None,
    rows: RowScale = "plain",
    restarts: int = 10,
    random_state: int = 0,
    n_jobs: int | None = None,
) -> Clusters:
    """Clusters points by the spectrum of a sparse graph of them, the same as ``midrib cluster``.

    Parameters
    ----------
    X : array of shape (n_points, n_features)
        The points.
    n_clusters : int or "auto"
        "auto" takes the number, from 2 to 20, before the widest gap between eigenvalues.
    graph : str
        "fused-lasso" (each point rebuilt from its ``k1`` neighbors, with similar weights for the
        ``k2`` nearest), "knn-l1" (from as few of them as it needs), "l1" (from as few of all other
        points as it needs; for small data) or "knn" (joined to the ``k1`` neighbors).
    k1 : int, optional
        Neighbors that a point may be joined to: by default 20, all others if those are fewer.
    k2 : int, optional
        Nearest neighbors whose weights "fused-lasso" fuses: by default 5, or ``k1``.
    fusion_weight : float, optional
        How strongly "fused-lasso" fuses weights: by default 1.
    kernel : str, optional
        The similarity of points: "gaussian", "gaussian:BETA" or "linear".
    kernel_matrix : array of shape (n_points, n_points), optional
        The similarities of the points, in place of a kernel.
    rows : str
        How k-means scales rows of the eigenvectors: "plain" (not at all), "unit" (to length 1) or
        "degree" (by the root of a point's summed weights, as scikit-learn does).
    restarts : int
        Starts of k-means; the tightest clusters win.
    random_state : int
        The seed of these starts.
    n_jobs : int, optional
        Threads; all cores by default. The result is the same for any number.

    >>> sample = midrib.synth("three-clusters", 150, noise=0.1)
    >>> found = midrib.cluster(sample.X, 3, graph="knn", k1=10)
    >>> found.n_clusters, sorted(set(found.labels.tolist()))
    (3, [0, 1, 2])
    """
    points = _arrays.rows(X)
    matrix = None
    if kernel_matrix is not None:
        matrix = np.ascontiguousarray(_arrays.rows(kernel_matrix, "kernel_matrix"), np.float64)
    found = _core.cluster(
        points,
        matrix,
        (graph, (k1, k2, plain(fusion_weight), kernel)),
        (None if n_clusters == "auto" else int(n_clusters), rows, restarts, random_state),
        (threads(n_jobs), None),
    )
    return Clusters(**found)
