"""What a graph returns: arrays with names."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any

import numpy as np

from midrib._arrays import Floats, Ints

if TYPE_CHECKING:
    import pandas

    from midrib._graph import Graph


class _Arrays:
    """Compared and pickled by their fields, which are arrays."""

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        pairs = ((getattr(self, f.name), getattr(other, f.name)) for f in fields(self))  # type: ignore[arg-type]
        return all(np.array_equal(a, b, equal_nan=_is_float(a)) for a, b in pairs)

    __hash__ = None  # type: ignore[assignment]


def _is_float(value: Any) -> bool:
    return isinstance(value, np.ndarray) and value.dtype.kind == "f"


@dataclass(frozen=True, eq=False)
class Projection(_Arrays):
    """The nearest position on a graph for each point."""

    node: Ints
    """The nearest node."""
    edge: Ints
    """The edge that holds the nearest position; -1 if that is an isolated node."""
    edge_pos: Floats
    """The position on the edge: 0 at its smaller node, 1 at its larger."""
    distance: Floats
    """The distance to the nearest position."""
    branch: Ints
    """The branch that holds the nearest position, an index into ``Graph.branches()``."""
    component: Ints
    """The component that holds it."""

    def to_pandas(self, index: Any = None) -> pandas.DataFrame:
        """A table with one row per point; ``index`` are the names of the points.

        >>> graph = midrib.Graph.from_edges([[0.0], [2.0]], [[0, 1]])
        >>> graph.project([[0.5]]).to_pandas()["edge_pos"].tolist()
        [0.25]
        """
        import pandas

        return pandas.DataFrame({f.name: getattr(self, f.name) for f in fields(self)}, index)

    def __len__(self) -> int:
        return len(self.node)

    def __repr__(self) -> str:
        return f"Projection({len(self)} points)"


@dataclass(frozen=True)
class Criteria:
    """How well an object represents points.

    Distances, neighborhoods and classes are those before and after the points are projected onto
    the object, among ``compared`` of them. A figure that cannot be measured is None; ``notes`` say
    why.
    """

    points: int
    """The number of points."""
    compared: int
    """The number of points among which distances and neighborhoods are compared: at most 1,000."""
    coordinates: str
    """Where points are after projection: ``"inner"`` (in coordinates of the object: an embedding, a
    map or axes) or ``"projection"`` (at the position of their projection)."""
    mean_squared_distance: float | None
    """The mean squared distance of the points from the object."""
    explained: float | None
    """1 − mean squared distance / total variance of the points."""
    distance_correlation: float | None
    """The correlation of the distances of two points before and after projection."""
    distance_error: float | None
    """The mean of abs(s · after − before) / before, with the best common factor s."""
    large_distance_correlation: float | None
    """The correlation over the largest quarter of the distances."""
    large_distance_error: float | None
    """The relative error over the largest quarter, with the same factor."""
    neighbors: int
    """The number of nearest neighbors, k."""
    neighbor_preservation: float | None
    """The mean share of the k nearest neighbors that are the same after projection."""
    class_compactness: float | None
    """The mean share of the k nearest neighbors after projection that have the same label."""
    notes: tuple[str, ...] = ()
    """Why a figure is missing."""


@dataclass(frozen=True, eq=False)
class Branch(_Arrays):
    """The nodes between two tips or branch points, in order.

    A closed branch, such as a ring, repeats its first node at the end.
    """

    nodes: Ints
    edges: Ints
    length: float
    closed: bool
    name: str
    """The numbers of its first and its last node."""


@dataclass(frozen=True, eq=False)
class Path(_Arrays):
    """A path through the graph: its nodes, the edges between them, and its length."""

    nodes: Ints
    edges: Ints
    length: float


@dataclass(frozen=True, eq=False)
class Lineage(Path):
    """A path from a root to a tip."""


@dataclass(frozen=True, eq=False)
class MetroMap(_Arrays):
    """A drawing in the plane whose edges have their true lengths."""

    nodes: Floats
    """The position of each node."""
    closing: Ints
    """The edges that close a loop: they do not have their true length and may cross others."""
    points: Floats | None
    """The position of each point, if points were given."""


@dataclass(frozen=True, eq=False)
class Dendrogram(_Arrays):
    """A drawing of a rooted graph: x separates the branches, y is pseudotime."""

    nodes: Floats
    """The position of each node; NaN in components without a root."""
    bars: Floats
    """Horizontal lines at the branch points, one per row: from x, to x, y."""
    points: Floats | None
    """The position of each point, if points were given."""


@dataclass(frozen=True, eq=False)
class Bootstrap(_Arrays):
    """Graphs that were learned again from resampled points."""

    graph: Graph
    """The same graph, with ``support``."""
    pseudotime_sd: Floats | None
    """The standard deviation of each point's pseudotime, if the graph has a root."""
    tips: Ints
    """The number of tips in each replica."""
    branch_points: Ints
    """The number of branch points in each replica."""
    loops: Ints
    """The number of loops in each replica."""
    components: Ints
    """The number of components in each replica."""

    def __repr__(self) -> str:
        return f"Bootstrap({len(self.tips)} replicas of {self.graph!r})"
