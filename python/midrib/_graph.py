"""The learned graph, and what can be computed from it."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Literal, overload

import numpy as np

from midrib import _core
from midrib._arrays import Floats, Ints, feature_names, frozen, threads, weights
from midrib._records import (
    Bootstrap,
    Branch,
    Dendrogram,
    Lineage,
    MetroMap,
    Path,
    Projection,
)
from midrib._result import Result
from midrib._svg import svg

if TYPE_CHECKING:
    import igraph
    import networkx
    import pandas
    import scipy.sparse
    from matplotlib.axes import Axes

    from midrib._core import _Shape


class Graph(Result):
    """Nodes in the space of the points, connected by straight edges. Immutable.

    ``midrib.fit`` and the estimators learn one, ``midrib.read`` reads one, and
    ``Graph.from_edges`` builds one from given nodes and edges.

    >>> graph = Graph.from_edges([[0, 0], [2, 0], [3, 1], [3, -1]], [[0, 1], [1, 2], [1, 3]])
    >>> graph
    Graph(4 nodes, 3 edges: 3 tips, 1 branch point, 0 loops, 1 component)
    >>> graph.root(0).pseudotime([[0.5, 0.3]])
    array([0.5])
    """

    @classmethod
    def from_edges(cls, nodes: Any, edges: Any, weights: Any = None, mass: Any = None) -> Graph:
        """A graph that was not learned here, from the coordinates of its nodes and pairs of
        nodes."""
        positions = np.ascontiguousarray(nodes, dtype=np.float64)
        if positions.ndim != 2:
            raise ValueError(f"nodes have shape {positions.shape}: they must be rows of an array")
        pairs = np.ascontiguousarray(edges, dtype=np.int64).reshape(-1, 2)
        ones = np.ones(len(pairs)) if weights is None else weights
        masses = np.ones(len(positions)) if mass is None else mass
        weight = np.ascontiguousarray(ones, dtype=np.float64)
        if weight.shape != (len(pairs),):
            raise ValueError(f"weights have shape {weight.shape}, and there are {len(pairs)} edges")
        core = _core.Model.from_edges(
            positions,
            pairs,
            weight,
            np.ascontiguousarray(masses, dtype=np.float64),
            feature_names(nodes, positions.shape[1]),
        )
        return cls(core)

    # Nodes and edges.

    @functools.cached_property
    def _shape(self) -> _Shape:
        shape = self._core.shape()
        for array in shape.values():
            if isinstance(array, np.ndarray):
                frozen(array)
        return shape

    @property
    def nodes(self) -> Floats:
        """The coordinates of the nodes, one per row."""
        return self._shape["nodes"]

    @property
    def edges(self) -> Ints:
        """The two nodes of each edge, the smaller first; sorted."""
        return self._shape["edges"]

    @property
    def edge_weights(self) -> Floats:
        """The weight of each edge; 1 in trees."""
        return self._shape["edge_weights"]

    @property
    def edge_lengths(self) -> Floats:
        """The length of each edge."""
        return self._shape["edge_lengths"]

    @property
    def support(self) -> Floats | None:
        """The share of replicas that contain each edge; None before ``bootstrap``."""
        return self._shape["support"]

    @property
    def mass(self) -> Floats:
        """The number of points of each node, or their weight."""
        return self._shape["mass"]

    @property
    def n_nodes(self) -> int:
        return len(self.nodes)

    @property
    def n_edges(self) -> int:
        return len(self.edges)

    @property
    def length(self) -> float:
        """The total length of all edges."""
        return float(self.edge_lengths.sum())

    @property
    def tips(self) -> Ints:
        """The nodes with one edge."""
        return self._shape["tips"]

    @property
    def branch_points(self) -> Ints:
        """The nodes with three or more edges."""
        return self._shape["branch_points"]

    @property
    def n_loops(self) -> int:
        """The number of independent loops: 0 for a tree, 1 for a ring."""
        return self._shape["n_loops"]

    @property
    def component(self) -> Ints:
        """The component of each node."""
        return self._shape["component"]

    @property
    def n_components(self) -> int:
        """The number of components, which no edge connects."""
        return int(self.component.max()) + 1

    def branches(self) -> list[Branch]:
        """The branches: nodes in order between tips and branch points, and rings."""
        return [Branch(*branch) for branch in self._core.branches()]

    def path(self, a: int, b: int) -> Path | None:
        """The shortest path between two nodes; None if there is none."""
        found = self._core.path(int(a), int(b))
        return None if found is None else Path(*found)

    def longest_path(self) -> Path | None:
        """The shortest path between the two nodes farthest from each other along the graph."""
        found = self._core.longest_path()
        return None if found is None else Path(*found)

    @property
    def complexity(self) -> dict[str, Any] | None:
        """Energies and complexity of an elastic graph."""
        return self._description["complexity"]

    @functools.cached_property
    def embedding(self) -> Floats | None:
        """The latent coordinates of the training points, if the method learns them."""
        embedding = self._core.embedding
        return None if embedding is None else frozen(embedding)

    @functools.cached_property
    def latent_nodes(self) -> Floats | None:
        """The latent coordinates of the nodes."""
        nodes = self._core.latent_nodes
        return None if nodes is None else frozen(nodes)

    # Points.

    def places(self, X: Any) -> Floats:  # word-lint: ok
        """The coordinates of the nearest position on the graph, for each point.

        ``X`` is an array of points, or their ``Projection``.
        """
        return self._core.coordinates(self._projection(X))

    def responsibilities(self, X: Any) -> scipy.sparse.csr_matrix:
        """The share of each point in each node, as a sparse matrix (n_points, n_nodes).

        Soft if the method has a bandwidth, otherwise 1 at the nearest node.
        """
        return self._shares(X)

    def _projection(self, X: Any) -> Projection:
        return X if isinstance(X, Projection) else self.project(X)

    # Roots and pseudotime.

    def root(
        self,
        node: int | Sequence[int] | None = None,
        *,
        near: Any = None,
        X: Any = None,
        values: Any = None,
        at: Literal["min", "max"] = "min",
    ) -> Graph:
        """The same graph with a root, from which pseudotime is measured.

        Give one or several nodes; or a point ``near`` the root; or points ``X`` (or their
        ``Projection``) with one of ``values`` each, such as a time: the root is then the tip whose
        points have the smallest values (``at="max"``: the largest). NaN is a missing value.
        """
        given = [node is not None, near is not None, values is not None]
        if sum(given) != 1:
            raise ValueError("root: give either node, or near, or X and values")
        if node is not None:
            nodes = np.atleast_1d(np.asarray(node))
            if nodes.size == 0 or nodes.dtype.kind not in "iu" or nodes.min() < 0:
                raise ValueError(f"root {node!r}: give one or several node numbers")
            roots = [int(root) for root in nodes]
        elif near is not None:
            roots = [int(i) for i in self.project(np.atleast_2d(near)).node]
        else:
            roots = [self._tip(X, values, at)]
        return Graph(self._core.root(sorted(set(roots))))

    def _tip(self, X: Any, values: Any, at: str) -> int:
        if at not in ("min", "max"):
            raise ValueError(f'at = {at!r}: must be "min" or "max"')
        if X is None:
            raise ValueError("root: values belong to points: give the points as X")
        numbers = np.ascontiguousarray(values, dtype=np.float64)
        return self._core.find(
            f"values:{at}", self._projection(X), columns=["values"], values=numbers
        )

    @property
    def roots(self) -> tuple[int, ...]:
        """The roots; empty before ``root`` was called."""
        return tuple(self._description["roots"])

    def _rooted(self) -> _core.Model:
        if not self.roots:
            raise ValueError("the graph has no root: graph.root(node) returns one with a root")
        return self._core

    @property
    def node_pseudotime(self) -> Floats:
        """The distance of each node from the nearest root; NaN in components without one."""
        return self._rooted().node_pseudotime()

    def pseudotime(self, X: Any) -> Floats:
        """The distance along the graph from the nearest root to the projection of each point.

        ``X`` is an array of points, or their ``Projection``. NaN in components without a root.
        """
        return self._rooted().pseudotime(self._projection(X))

    def lineages(self) -> list[Lineage]:
        """The paths from the roots to every tip."""
        return [Lineage(*path) for path in self._rooted().lineages()]

    def lineage_weights(self, X: Any) -> tuple[Floats, Floats]:
        """Pseudotime and weight of each point on each lineage, as Slingshot and tradeSeq use them.

        One row per point, one column per lineage. The weight is 1 on the lineage and 0 off it;
        points off a lineage have the pseudotime at which they left it.
        """
        lineages = self._rooted().on_lineages(self._projection(X))
        return (
            np.column_stack([pseudotime for pseudotime, _ in lineages]),
            np.column_stack([weight for _, weight in lineages]),
        )

    # Other graphs made from it.

    def bootstrap(
        self,
        X: Any,
        n_replicas: int = 100,
        *,
        sample_weight: Any = None,
        random_state: int = 0,
        n_jobs: int | None = None,
        progress: Callable[[str, int, int, float | None], Any] | None = None,
    ) -> Bootstrap:
        """Learns the graph again from resamples of the points ``X`` that it was learned from.

        The method, its settings and the values that were chosen for them stay the same. The result
        has the graph with the ``support`` of its edges, the standard deviation of pseudotime if
        there is a root, and the counts of each replica. ``progress("replica", done, n_replicas,
        None)`` is called after each replica; if it returns False, the finished ones are kept.
        """
        array = self._rows(X)
        found = self._core.bootstrap(
            (array, weights(sample_weight, len(array))),
            replicas=int(n_replicas),
            seed=int(random_state),
            execution=(threads(n_jobs), progress),
        )
        return Bootstrap(
            graph=Graph(found["model"]),
            pseudotime_sd=found["pseudotime_sd"],
            tips=found["tips"],
            branch_points=found["branch_points"],
            loops=found["loops"],
            components=found["components"],
        )

    def prune(
        self,
        X: Any,
        min_share: float = 0.01,
        min_length: float = 0.0,
        sample_weight: Any = None,
        *,
        min_support: float = 0.0,
    ) -> Graph:
        """The graph without terminal branches that carry less than ``min_share`` of the points,
        are shorter than ``min_length``, or have less than ``min_support`` after ``bootstrap``: the
        weakest first, one at a time. Branches without points are removed or contracted, so that
        each branch has one. Limits that no branch can reach are refused."""
        array = self._rows(X)
        if min_support > 0 and self.support is None:
            raise ValueError(
                f"min_support = {min_support}: the graph has no edge support, "
                "graph.bootstrap(X).graph has it"
            )
        pruned, kept = self._core.prune(
            (array, weights(sample_weight, len(array))),
            min_share=float(min_share),
            min_length=float(min_length),
            min_support=float(min_support),
        )
        lost = set(self.roots) - set(kept.tolist())
        if lost:
            raise ValueError(f"pruning would remove the root {min(lost)}: prune first, then root")
        return Graph(pruned)

    def simplify(
        self,
        drop_below: float = 1e-5,
        min_loop: float | None = None,
        min_tip: float | None = None,
        merge_chains: bool = False,
    ) -> Graph:
        """The skeleton of a graph that is full of short cycles, as l1 graphs are.

        Edges below the share ``drop_below`` of the heaviest are dropped, cycles up to the length
        ``min_loop`` broken, terminal branches shorter than ``min_tip`` removed; by default these
        lengths follow from the thickness of the graph. Roots that are removed are dropped.
        """
        return Graph(self._core.simplify(drop_below, min_loop, min_tip, merge_chains))

    # Drawings.

    @overload
    def layout(self, kind: Literal["metro"] = "metro", X: Any = None) -> MetroMap: ...
    @overload
    def layout(self, kind: Literal["dendrogram"], X: Any = None) -> Dendrogram: ...
    def layout(self, kind: str = "metro", X: Any = None) -> MetroMap | Dendrogram:
        """The graph in the plane: a "metro" map with true lengths, or a "dendrogram" with
        pseudotime upward. ``X`` is an array of points, or their ``Projection``, to be drawn on
        it."""
        projection = None if X is None else self._projection(X)
        if kind == "metro":
            return MetroMap(*self._core.metro_map(projection))
        if kind == "dendrogram":
            return Dendrogram(*self._rooted().dendrogram(projection))
        raise ValueError(f'layout {kind!r}: must be "metro" or "dendrogram"')

    def plot(self, X: Any = None, kind: str = "graph", **options: Any) -> Axes:
        """Draws the graph with matplotlib: ``midrib.pl.graph``, ``metro``, ``dendrogram`` or
        ``trends``, which explain the options."""
        from midrib import pl

        kinds = ("dendrogram", "graph", "metro", "trends")
        if kind not in kinds:
            raise ValueError(f"kind = {kind!r}: must be one of {', '.join(kinds)}")
        axes: Axes = getattr(pl, kind)(self, X=X, **options)
        return axes

    def _repr_html_(self) -> str:
        return svg(self)

    def __repr__(self) -> str:
        def count(n: int, what: str, plural: str) -> str:
            return f"{n} {what if n == 1 else plural}"

        parts = [
            count(len(self.tips), "tip", "tips"),
            count(len(self.branch_points), "branch point", "branch points"),
            count(self.n_loops, "loop", "loops"),
            count(self.n_components, "component", "components"),
        ]
        size = f"{count(self.n_nodes, 'node', 'nodes')}, {count(self.n_edges, 'edge', 'edges')}"
        return f"Graph({size}: {', '.join(parts)})"

    # Other packages.

    def to_networkx(self) -> networkx.Graph:
        """A networkx graph: nodes with ``pos`` and ``mass``, edges with ``weight``, ``length``."""
        import networkx

        graph = networkx.Graph()
        for node, (pos, mass) in enumerate(zip(self.nodes, self.mass, strict=True)):
            graph.add_node(node, pos=pos, mass=float(mass))
        for (a, b), weight, length in zip(
            self.edges.tolist(), self.edge_weights, self.edge_lengths, strict=True
        ):
            graph.add_edge(a, b, weight=float(weight), length=float(length))
        return graph

    def to_igraph(self) -> igraph.Graph:
        """An igraph graph: vertices have ``pos`` and ``mass``, edges ``weight`` and ``length``."""
        import igraph

        graph = igraph.Graph(n=self.n_nodes, edges=self.edges.tolist())
        graph.vs["pos"] = self.nodes.tolist()
        graph.vs["mass"] = self.mass.tolist()
        graph.es["weight"] = self.edge_weights.tolist()
        graph.es["length"] = self.edge_lengths.tolist()
        return graph

    def to_dynverse(
        self, X: Any, cell_ids: Sequence[str] | None = None
    ) -> dict[str, pandas.DataFrame]:
        """The tables of dynverse's trajectories, by name, for points or their ``Projection``.

        ``milestone_network``, ``progressions``, ``milestone_percentages`` and
        ``divergence_regions``, as ``midrib export`` writes them; directed away from the root where
        there is one.
        """
        from midrib._milestones import tables

        return tables(self, self._projection(X), cell_ids)

    def to_graphml(self) -> str:
        """The graph as GraphML, for Gephi or Cytoscape."""
        return self._core.graphml()
