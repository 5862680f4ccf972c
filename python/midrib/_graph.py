"""The learned graph, and everything that one asks of it later."""

from __future__ import annotations

import errno
import functools
import json
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from pathlib import Path as FilePath
from typing import TYPE_CHECKING, Any, Literal, overload

import numpy as np
from numpy.typing import NDArray

from midrib import _core
from midrib._arrays import Floats, Ints, feature_names, frozen, plain, rows, threads, weights
from midrib._svg import svg

if TYPE_CHECKING:
    import igraph
    import networkx
    import pandas
    import scipy.sparse


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
    """The nearest place on a graph for each point."""

    node: Ints
    """The nearest node."""
    edge: Ints
    """The edge that holds the nearest place; -1 where that is an isolated node."""
    edge_pos: Floats
    """Where on the edge: 0 at its smaller node, 1 at its larger."""
    distance: Floats
    """The distance to the nearest place."""
    branch: Ints
    """The branch that holds the nearest place, a number in ``Graph.branches()``."""
    component: Ints
    """The component that holds it."""

    def __len__(self) -> int:
        return len(self.node)

    def __repr__(self) -> str:
        return f"Projection({len(self)} points)"


@dataclass(frozen=True, eq=False)
class Branch(_Arrays):
    """Nodes in a row between two tips or branch points.

    A closed one, such as a ring, names its first node again at the end.
    """

    nodes: Ints
    edges: Ints
    length: float
    closed: bool
    name: str
    """The numbers of its first and its last node."""


@dataclass(frozen=True, eq=False)
class Path(_Arrays):
    """A way through the graph: its nodes, the edges between them, and its length."""

    nodes: Ints
    edges: Ints
    length: float


@dataclass(frozen=True, eq=False)
class Lineage(Path):
    """A way from a root to an end of the graph."""


@dataclass(frozen=True, eq=False)
class MetroMap(_Arrays):
    """A drawing in the plane whose edges have their true lengths."""

    nodes: Floats
    """The place of each node."""
    closing: Ints
    """The edges that close a loop: they have no true length and may cross others."""
    points: Floats | None
    """The place of each point, where points were given."""


@dataclass(frozen=True, eq=False)
class Dendrogram(_Arrays):
    """A drawing of a rooted graph: x tells the branch, y the pseudotime."""

    nodes: Floats
    """The place of each node; NaN where no root leads."""
    bars: Floats
    """Horizontal lines at the branch points, one a row: from x, to x, y."""
    points: Floats | None
    """The place of each point, where points were given."""


@dataclass(frozen=True, eq=False)
class Bootstrap(_Arrays):
    """What is learned again from resampled points."""

    graph: Graph
    """The same graph, with ``support``."""
    pseudotime_sd: Floats | None
    """The standard deviation of each point's pseudotime, where the graph has a root."""
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


class Graph:
    """Nodes in the space of the points, joined by straight edges. Immutable.

    ``midrib.fit`` and the estimators make one, ``midrib.read`` reads one, and
    ``Graph.from_edges`` builds one of given nodes and edges.

    >>> graph = Graph.from_edges([[0, 0], [2, 0], [3, 1], [3, -1]], [[0, 1], [1, 2], [1, 3]])
    >>> graph
    Graph(4 nodes, 3 edges: 3 tips, 1 branch point, 0 loops, 1 component)
    >>> graph.root(0).pseudotime([[0.5, 0.3]])
    array([0.5])
    """

    def __init__(self, core: _core.Graph) -> None:
        self._core = core

    @classmethod
    def from_edges(cls, nodes: Any, edges: Any, weights: Any = None, mass: Any = None) -> Graph:
        """A graph that was not learned here: places of the nodes, and pairs of nodes."""
        places = np.ascontiguousarray(nodes, dtype=np.float64)
        if places.ndim != 2:
            raise ValueError(f"nodes have shape {places.shape}: they must be rows of an array")
        pairs = np.ascontiguousarray(edges, dtype=np.int64).reshape(-1, 2)
        ones = np.ones(len(pairs)) if weights is None else weights
        masses = np.ones(len(places)) if mass is None else mass
        weight = np.ascontiguousarray(ones, dtype=np.float64)
        if weight.shape != (len(pairs),):
            raise ValueError(f"weights have shape {weight.shape}, and there are {len(pairs)} edges")
        core = _core.Graph.from_parts(
            places,
            pairs,
            weight,
            np.ascontiguousarray(masses, dtype=np.float64),
            feature_names(nodes, places.shape[1]),
        )
        return cls(core)

    def _ask(self, question: Any, about: Any = None, values: Any = None, **how: Any) -> Any:
        """Asks the engine, of the graph itself or ``about`` points or places on it."""
        return self._core.ask(json.dumps(plain(question)), about, values, **how)

    # What it is made of.

    @functools.cached_property
    def _parts(self) -> dict[str, Any]:
        return frozen(self._ask("parts"))

    @functools.cached_property
    def _shape(self) -> dict[str, Any]:
        return frozen(self._ask("shape"))

    @property
    def nodes(self) -> Floats:
        """The places of the nodes, one a row."""
        nodes: Floats = self._parts["nodes"]
        return nodes

    @property
    def edges(self) -> Ints:
        """The two nodes of each edge, the smaller first; sorted."""
        edges: Ints = self._parts["edges"]
        return edges

    @property
    def edge_weights(self) -> Floats:
        """The weight of each edge; 1 in trees."""
        weights: Floats = self._parts["edge_weights"]
        return weights

    @property
    def edge_lengths(self) -> Floats:
        """The length of each edge."""
        lengths: Floats = self._parts["edge_lengths"]
        return lengths

    @property
    def support(self) -> Floats | None:
        """The share of replicas that hold each edge, once ``bootstrap`` has learned some."""
        support: Floats | None = self._parts["support"]
        return support

    @property
    def mass(self) -> Floats:
        """The mass of points that each node carries."""
        mass: Floats = self._parts["mass"]
        return mass

    @property
    def n_nodes(self) -> int:
        return len(self.nodes)

    @property
    def n_edges(self) -> int:
        return len(self.edges)

    @property
    def length(self) -> float:
        """The summed length of all edges."""
        return float(self.edge_lengths.sum())

    @property
    def tips(self) -> Ints:
        """The nodes with one edge."""
        tips: Ints = self._shape["tips"]
        return tips

    @property
    def branch_points(self) -> Ints:
        """The nodes with three or more edges."""
        nodes: Ints = self._shape["branch_points"]
        return nodes

    @property
    def n_loops(self) -> int:
        """The number of independent loops: 0 for a tree, 1 for a ring."""
        return int(self._shape["n_loops"])

    @property
    def component(self) -> Ints:
        """The component of each node."""
        component: Ints = self._shape["component"]
        return component

    @property
    def n_components(self) -> int:
        """How many parts are not joined to each other."""
        return int(self.component.max()) + 1

    def branches(self) -> list[Branch]:
        """The branches: nodes in a row between tips and branch points, and rings."""
        return [Branch(**branch) for branch in self._ask("branches")]

    def path(self, a: int, b: int) -> Path | None:
        """The shortest way between two nodes; None if there is none."""
        way = self._ask({"path": {"from": int(a), "to": int(b)}})
        return None if way is None else Path(**way)

    def longest_path(self) -> Path | None:
        """The shortest way between the two nodes farthest from each other along the graph."""
        way = self._ask("longest_path")
        return None if way is None else Path(**way)

    # How it was learned.

    @functools.cached_property
    def _about(self) -> dict[str, Any]:
        about: dict[str, Any] = json.loads(self._ask("about"))
        return about

    @property
    def method(self) -> str:
        """The method's name; "given" for graphs that were not learned."""
        return str(self._about["method"])

    @property
    def settings(self) -> dict[str, Any]:
        """The settings of the fit, defaults filled in."""
        return dict(self._about["settings"])

    @property
    def chosen(self) -> dict[str, Any]:
        """The settings that were left open, as they were chosen."""
        return dict(self._about["chosen"])

    @property
    def notes(self) -> list[str]:
        """What else there is to know, in sentences."""
        return list(self._about["notes"])

    @property
    def edits(self) -> list[dict[str, Any]]:
        """What was done to the graph since it was learned: prune, simplify, root."""
        return list(self._about["edits"])

    @property
    def feature_names(self) -> list[str]:
        """The names of the columns that it was learned from."""
        return list(self._about["features"])

    @property
    def prepared_names(self) -> list[str]:
        """The names of the columns of ``nodes`` and of ``prepared(X)``: those of the points, or
        pc1, pc2, … where the graph was learned from their components."""
        return list(self._about["prepared_names"])

    @property
    def end(self) -> str:
        """Why the fit stopped.

        "converged", "max_iter", "stalled" (by rounding), "ceiling" (the growth came to its bounds)
        or "interrupted"; "given" for graphs of ``Graph.from_edges``, "truth" for those that
        ``midrib synth`` has drawn points about.
        """
        return str(self._about["end"])

    @property
    def n_iter(self) -> int:
        """The number of sweeps, or of steps where the graph grows."""
        return int(self._about["n_iter"])

    @property
    def objective(self) -> float | None:
        """The objective at the end, where the method has one."""
        value: float | None = self._about["objective"]
        return value

    @property
    def objective_history(self) -> Floats:
        """The objective at the start and after each sweep."""
        history: Floats = self._parts["objective_history"]
        return history

    @property
    def explained(self) -> float | None:
        """The share of the points' variance that the graph explains, where it is known."""
        value: float | None = self._about["explained"]
        return value

    @property
    def complexity(self) -> dict[str, Any] | None:
        """Energies and complexity, where the graph is elastic."""
        value: dict[str, Any] | None = self._about["complexity"]
        return value

    @functools.cached_property
    def _latent(self) -> dict[str, Floats] | None:
        latent: dict[str, Floats] | None = self._ask("latent")
        return latent

    @property
    def embedding(self) -> Floats | None:
        """The learned places of the points in fewer dimensions, where the method learns such."""
        return None if self._latent is None else self._latent["embedding"]

    @property
    def latent_nodes(self) -> Floats | None:
        """The places of the nodes in the embedding."""
        return None if self._latent is None else self._latent["nodes"]

    @property
    def embeds(self) -> bool:
        """Whether ``embed`` can place points: in an embedding, or on a map."""
        return bool(self._about["embeds"])

    # Points on it.

    def prepared(self, X: Any) -> NDArray[Any]:
        """Points as the graph knows them: scaled, or their components, as ``midrib fit --scale``
        and ``--pca`` have prepared those that it was learned from."""
        points = rows(X)
        prepared: Floats | None = self._ask("prepared", points)
        return points if prepared is None else prepared

    def project(self, X: Any, n_jobs: int | None = None) -> Projection:
        """The exact nearest place on the graph for each point."""
        return Projection(**self._ask("project", rows(X), n_jobs=threads(n_jobs)))

    def places(self, X: Any) -> Floats:
        """The coordinates of the nearest place on the graph, for each point.

        ``X`` are points, or their ``Projection``.
        """
        places: Floats = self._ask("coordinates", self._placed(X))
        return places

    def embed(self, X: Any) -> Floats:
        """The places of points in the learned embedding, or on the map that was learned."""
        embedded: Floats | None = self._ask("embed", rows(X))
        if embedded is None:
            raise ValueError(f"{self.method} learns no embedding: places(X) gives coordinates")
        return embedded

    def mean_squared_distance(self, X: Any, sample_weight: Any = None) -> float:
        """The mean squared distance of points from the graph, or from the map that was learned."""
        array = rows(X)
        weight = weights(sample_weight, len(array))
        return float(self._ask("mean_squared_distance", array, weight))

    def responsibilities(self, X: Any) -> scipy.sparse.csr_matrix:
        """The share of each point in each node, as a sparse matrix (n_points, n_nodes).

        Soft where the method has a bandwidth, otherwise 1 at the nearest node.
        """
        import scipy.sparse

        found = self._ask("responsibilities", rows(X))
        shape = (len(found["starts"]) - 1, self.n_nodes)
        parts = (found["shares"], found["nodes"], found["starts"])
        return scipy.sparse.csr_matrix(parts, shape=shape)

    def _placed(self, X: Any) -> tuple[Ints, Ints, Floats, Floats]:
        on = X if isinstance(X, Projection) else self.project(X)
        return (
            np.ascontiguousarray(on.node, dtype=np.int64),
            np.ascontiguousarray(on.edge, dtype=np.int64),
            np.ascontiguousarray(on.edge_pos, dtype=np.float64),
            np.ascontiguousarray(on.distance, dtype=np.float64),
        )

    # Roots and time.

    def root(
        self,
        node: int | Sequence[int] | None = None,
        *,
        near: Any = None,
        X: Any = None,
        values: Any = None,
        at: Literal["min", "max"] = "min",
    ) -> Graph:
        """The same graph with a root: where something begins.

        Name one or several nodes; or the point ``near`` which the root lies; or give points ``X``
        (or their ``Projection``) and one of their ``values``, such as a time: the root is then the
        end about which the values are least (``at="max"``: largest). NaN stands for what is not
        known.
        """
        given = [node is not None, near is not None, values is not None]
        if sum(given) != 1:
            raise ValueError("root: give either node, or near, or X and values")
        if node is not None:
            named = np.atleast_1d(np.asarray(node))
            if named.size == 0 or named.dtype.kind not in "iu" or named.min() < 0:
                raise ValueError(f"root {node!r}: give one or several numbers of nodes")
            roots = [int(root) for root in named]
        elif near is not None:
            roots = [int(i) for i in self.project(np.atleast_2d(near)).node]
        else:
            roots = [self._end(X, values, at)]
        return Graph(self._ask({"root": sorted(set(roots))}))

    def _end(self, X: Any, values: Any, at: str) -> int:
        if at not in ("min", "max"):
            raise ValueError(f'at = {at!r}: must be "min" or "max"')
        if X is None:
            raise ValueError("root: values belong to points, give them as X")
        numbers = np.ascontiguousarray(values, dtype=np.float64)
        wanted = {"spot": f"values:{at}", "names": ["values"]}
        return int(self._ask({"find": wanted}, self._placed(X), numbers))

    @functools.cached_property
    def _roots(self) -> tuple[int, ...]:
        return tuple(self._ask("roots").tolist())

    @property
    def roots(self) -> tuple[int, ...]:
        """The roots; empty before ``root`` was called."""
        return self._roots

    def _rooted(self) -> Graph:
        if not self.roots:
            raise ValueError("the graph has no root: graph.root(node) gives one that has")
        return self

    @property
    def node_pseudotime(self) -> Floats:
        """The distance of each node from the nearest root; NaN in components without one."""
        time: Floats = self._rooted()._ask("node_pseudotime")
        return time

    def pseudotime(self, X: Any) -> Floats:
        """The distance along the graph from the nearest root to the place of each point.

        ``X`` are points, or their ``Projection``. NaN in components without a root.
        """
        time: Floats = self._rooted()._ask("pseudotime", self._placed(X))
        return time

    def lineages(self) -> list[Lineage]:
        """The ways from the roots to every end."""
        return [Lineage(**way) for way in self._rooted()._ask("lineages")]

    def lineage_weights(self, X: Any) -> tuple[Floats, Floats]:
        """Pseudotime and weight of each point on each lineage, as Slingshot and tradeSeq have it.

        One row a point, one column a lineage. The weight is 1 on the lineage and 0 beside it;
        points beside it have the pseudotime at which they left it.
        """
        seen = self._rooted()._ask("on_lineages", self._placed(X))
        return (
            np.column_stack([lineage["pseudotime"] for lineage in seen]),
            np.column_stack([lineage["weight"] for lineage in seen]),
        )

    # Other graphs made of it.

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

        The method and what was chosen for it stay the same. The result has the graph with the
        ``support`` of its edges, the standard deviation of pseudotime if there is a root, and what
        there is to count in each replica. ``progress("replica", done, n_replicas, None)`` is called
        after each; if it returns False, those that are finished are kept.
        """
        array = rows(X)
        found = self._ask(
            {"bootstrap": {"replicas": int(n_replicas), "seed": int(random_state)}},
            array,
            weights(sample_weight, len(array)),
            n_jobs=threads(n_jobs),
            progress=progress,
        )
        return Bootstrap(**(found | {"graph": Graph(found["graph"])}))

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
        weakest first, one at a time. Branches to which no point belongs go or are contracted, so
        that each has one. Limits that nothing reaches are refused."""
        array = rows(X)
        if min_support > 0 and self.support is None:
            raise ValueError(
                f"min_support = {min_support}: the graph has no edge support, "
                "graph.bootstrap(X).graph has it"
            )
        limits = {
            "min_share": float(min_share),
            "min_length": float(min_length),
            "min_support": float(min_support),
        }
        pruned = self._ask({"prune": limits}, array, weights(sample_weight, len(array)))
        lost = set(self.roots) - set(pruned["kept"].tolist())
        if lost:
            raise ValueError(f"pruning would remove the root {min(lost)}: prune first, then root")
        return Graph(pruned["graph"])

    def simplify(
        self,
        drop_below: float = 1e-5,
        min_loop: float | None = None,
        min_tip: float | None = None,
        merge_chains: bool = False,
    ) -> Graph:
        """The skeleton of a graph that is full of short cycles, as l1 graphs are.

        Edges below the share ``drop_below`` of the heaviest are dropped, cycles up to the length
        ``min_loop`` broken, terminal branches shorter than ``min_tip`` removed; lengths follow
        from the thickness of the graph where they are not given. Roots that are gone are forgotten.
        """
        limits = {
            "drop_below": drop_below,
            "min_loop": min_loop,
            "min_tip": min_tip,
            "merge_chains": merge_chains,
        }
        return Graph(self._ask({"simplify": limits}))

    # Drawings.

    @overload
    def layout(self, kind: Literal["metro"] = "metro", X: Any = None) -> MetroMap: ...
    @overload
    def layout(self, kind: Literal["dendrogram"], X: Any = None) -> Dendrogram: ...
    def layout(self, kind: str = "metro", X: Any = None) -> MetroMap | Dendrogram:
        """The graph in the plane: a "metro" map with true lengths, or a "dendrogram" with the
        pseudotime upwards. ``X`` are points, or their ``Projection``, to be placed in it."""
        placed = None if X is None else self._placed(X)
        if kind == "metro":
            return MetroMap(**self._ask("metro_map", placed))
        if kind == "dendrogram":
            return Dendrogram(**self._rooted()._ask("dendrogram", placed))
        raise ValueError(f'layout {kind!r}: must be "metro" or "dendrogram"')

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

        on = X if isinstance(X, Projection) else self.project(X)
        return tables(self, on, cell_ids)

    def to_graphml(self) -> str:
        """The graph as GraphML, for Gephi or Cytoscape."""
        return str(self._ask("graphml"))

    # Files.

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the graph as a model.json, which ``midrib.read`` and the command line read.

        Into a directory it is written as ``model.json``.
        """
        target = FilePath(path)
        self._core.write(target / "model.json" if target.is_dir() else target)

    def __reduce__(self) -> tuple[Any, ...]:
        return _from_json, (self._json(),)

    def _json(self) -> str:
        return str(self._ask("model"))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Graph):
            return NotImplemented
        return self._json() == other._json()

    def __hash__(self) -> int:
        return hash((self.roots, self.nodes.tobytes(), self.edges.tobytes()))


def _from_json(text: str) -> Graph:
    return Graph(_core.Graph.from_json(text))


def read(path: str | os.PathLike[str]) -> Graph:
    """Reads a graph that ``Graph.save`` or ``midrib fit`` on the command line has written: a
    model.json or the directory that holds it."""
    source = FilePath(path)
    if not source.exists():
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), str(path))
    return Graph(_core.Graph.read(source))
