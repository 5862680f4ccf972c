"""Graphs in AnnData objects, in types that h5ad and zarr files can store.

The figures come from the engine. `midrib export --format h5ad` stores the same keys in a file
without anndata, here they are stored in an object in memory; test_same_as_command.py holds the two
together.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import Any

import numpy as np
import pandas as pd
from anndata import AnnData
from scipy import sparse

from midrib import _core, _milestones
from midrib._arrays import Floats
from midrib._fit import graph_methods, learn, registry
from midrib._graph import Graph
from midrib._records import Projection
from midrib._svg import COLORS

SCHEMA = 2


def representation(adata: AnnData, use_rep: str = "X_pca", layer: str | None = None) -> Any:
    """The points: columns of ``obsm``, or with "X" the matrix itself or one of its layers."""
    if layer is not None:
        if use_rep not in ("X", "X_pca"):
            raise ValueError(f"give either use_rep={use_rep!r} or layer={layer!r}, not both")
        if layer not in adata.layers:
            raise KeyError(f"adata has no layer {layer!r}; it has {_listed(adata.layers)}")
        return _dense(adata.layers[layer])
    if use_rep == "X":
        if adata.X is None:
            raise KeyError(f"adata has no X; obsm has {_listed(adata.obsm)}")
        return _dense(adata.X)
    if use_rep not in adata.obsm:
        raise KeyError(
            f"adata.obsm has no {use_rep!r}; it has {_listed(adata.obsm)}. "
            "use_rep names one of them, or 'X' the matrix itself"
        )
    return _dense(adata.obsm[use_rep])


def _names(adata: AnnData, n: int, use_rep: str) -> list[str]:
    if use_rep == "X":
        return [str(name) for name in adata.var_names]
    return [f"{use_rep.removeprefix('X_')}{i + 1}" for i in range(n)]


def _listed(keys: Iterable[str]) -> str:
    return ", ".join(repr(key) for key in keys) or "nothing"


def _dense(values: Any) -> Any:
    if hasattr(values, "iloc"):
        return values.to_numpy()
    if not isinstance(values, np.ndarray) and not sparse.issparse(values):
        values = values[:]  # of a backed file
    return values.toarray() if sparse.issparse(values) else np.asarray(values)


def learn_graph(
    adata: AnnData,
    method: str = "ppt",
    use_rep: str = "X_pca",
    *,
    layer: str | None = None,
    key_added: str = "midrib",
    copy: bool = False,
    random_state: int = 0,
    sample_weight: Any = None,
    n_jobs: int | None = None,
    verbose: int | bool = 0,
    **settings: Any,
) -> AnnData | None:
    """Learns a principal graph of the cells.

    Parameters
    ----------
    adata
        The cells.
    method
        One of ``midrib.methods()``.
    use_rep
        The columns of ``adata.obsm`` to learn from, or "X".
    layer
        The layer to learn from.
    key_added
        The key of the results.
    copy
        Whether to return a copy instead of writing to ``adata``.
    random_state
        Seed, if the method draws random numbers.
    sample_weight, n_jobs, verbose, **settings
        As in ``midrib.fit``.

    Adds ``obs`` columns (node, edge and position on it, distance, branch, milestone, component),
    ``obsm["X_midrib"]`` (projections onto the graph, latent coordinates, or positions on the map),
    ``obsm["midrib_R"]`` (responsibilities) and ``uns["midrib"]`` (the graph).
    """
    adata = adata.copy() if copy else adata
    points = representation(adata, use_rep, layer)
    if "/" in key_added:
        raise ValueError(f'key_added = {key_added!r}: files cannot store a "/" in a key')
    if method in registry() and method not in graph_methods():
        raise ValueError(f"{method} learns no graph; {', '.join(graph_methods())} do")
    if "seed" in registry().get(method, {}).get("defaults", {}):
        settings = {"seed": random_state, **settings}
    graph, projection = learn(
        points,
        method,
        settings,
        sample_weight=sample_weight,
        n_jobs=n_jobs,
        verbose=verbose,
        caller="learn_graph()",
        names=_names(adata, points.shape[1], use_rep if layer is None else "X"),
    )
    source = {"use_rep": use_rep} if layer is None else {"layer": layer}
    assert projection is not None, "points have projections onto every graph"
    _store(adata, graph, projection, points, graph.embedding, source, key_added)
    return adata if copy else None


def _store(
    adata: AnnData,
    graph: Graph,
    on: Projection,
    points: Any,
    embedded: Floats | None,
    source: dict[str, str],
    key: str,
) -> None:
    """Stores the graph and the projection of the cells, and drops what belonged to another
    graph."""
    adata.obsm.pop(f"X_{key}_metro", None)
    settings = {name: value for name, value in graph.settings.items() if _can_store(value)}
    adata.uns[key] = {
        "node_pos": graph.nodes.copy(),
        "edge": graph.edges.copy(),
        "edge_len": graph.edge_lengths.copy(),
        "conn": _adjacency(graph),
        "params": {"method": graph.method, **source, **settings},
        "objective_history": graph.objective_history.copy(),
        "schema_version": SCHEMA,
    }
    adata.obs[f"{key}_node_id"] = on.node
    adata.obs[f"{key}_edge_id"] = on.edge
    adata.obs[f"{key}_edge_loc"] = on.edge_pos
    adata.obs[f"{key}_edge_dist"] = on.distance
    adata.obs[f"{key}_component"] = on.component
    names = [branch.name for branch in graph.branches()]
    adata.obs[f"{key}_branch_id"] = _categories([names[i] for i in on.branch], names)
    if embedded is None:
        embedded = graph.embed(points) if graph.embeds else graph.places(on)  # word-lint: ok
    adata.obsm[f"X_{key}"] = embedded.copy()
    adata.obsm[f"{key}_R"] = graph.responsibilities(points)
    _rooted(adata, graph, on, key)
    _supported(adata, graph, key)


def _supported(adata: AnnData, graph: Graph, key: str) -> None:
    """Stores the support of the edges, if it is known."""
    if graph.support is not None:
        adata.uns[key]["edge_support"] = graph.support.copy()


# Keys that depend on the root.
_OF_ROOT = (
    "{}_pseudotime",
    "{}_pseudotime_sd",
    "X_{}_dendro",
    "{}_lineage_pseudotime",
    "{}_lineage_weights",
)


def _drop(adata: AnnData, key: str) -> None:
    for name in (name.format(key) for name in _OF_ROOT):
        adata.obsm.pop(name, None)
        if name in adata.obs:
            del adata.obs[name]


def _can_store(value: Any) -> bool:
    """Whether files can store a setting; those that are None are left out."""
    return isinstance(value, str | int | float)


def _adjacency(graph: Graph) -> sparse.csr_matrix:
    a, b = graph.edges.T
    both = (np.concatenate([a, b]), np.concatenate([b, a]))
    weights = np.concatenate([graph.edge_weights] * 2)
    return sparse.csr_matrix((weights, both), shape=(graph.n_nodes, graph.n_nodes))


def _categories(values: list[str], names: list[str]) -> pd.Categorical:
    return pd.Categorical(values, categories=list(dict.fromkeys(names)))


def _rooted(adata: AnnData, graph: Graph, on: Projection, key: str) -> None:
    """Stores what depends on the root, except pseudotime and drawings."""
    _drop(adata, key)
    along = _milestones.network(graph, on)
    names = [*_milestones.names(along.start), *_milestones.names(along.end)]
    adata.obs[f"{key}_milestone"] = _categories(list(_milestones.names(along.nearest)), names)
    uns = adata.uns[key]
    uns["milestone_network"] = along.table()
    uns["divergence_regions"] = _milestones.divergence_regions()
    uns["root_milestone_id"] = _milestones.names(graph.roots)
    uns["provenance"] = graph.to_json()


def get_graph(adata: AnnData, key: str = "midrib") -> Graph:
    """The graph that ``learn_graph``, or ``midrib export`` on the command line, has stored in
    ``adata``, with its root if it has one."""
    return Graph.from_json(str(_uns(adata, key)["provenance"]))


def _uns(adata: AnnData, key: str) -> Any:
    if key not in adata.uns or "provenance" not in adata.uns[key]:
        have = [name for name, value in adata.uns.items() if _is_ours(value)]
        raise KeyError(
            f"adata.uns has no graph {key!r}; it has {_listed(have)}. "
            "midrib.tl.learn_graph(adata) learns one"
        )
    version = int(adata.uns[key]["schema_version"])
    if version > SCHEMA:
        raise ValueError(
            f"adata.uns[{key!r}] was written by a newer midrib, schema {version}; this version "
            f"reads up to {SCHEMA}: update midrib"
        )
    return adata.uns[key]


def _is_ours(value: Any) -> bool:
    return hasattr(value, "keys") and "provenance" in value and "node_pos" in value


def _projected(adata: AnnData, key: str) -> tuple[Graph, Projection]:
    """The graph and the projection of the cells onto it."""
    graph = get_graph(adata, key)
    kinds = {"node_id": np.int64, "edge_id": np.int64, "edge_loc": float, "edge_dist": float}
    columns = (adata.obs[f"{key}_{name}"].to_numpy(kind) for name, kind in kinds.items())
    node, edge, loc, dist = (np.ascontiguousarray(column) for column in columns)
    bare = Projection(node, edge, loc, dist, branch=node, component=node)
    return graph, Projection(**graph._core.on_branches(bare))


def root(
    adata: AnnData,
    root: int | str | Iterable[int | str],
    *,
    key: str = "midrib",
    copy: bool = False,
) -> AnnData | None:
    """Chooses the root of the graph.

    ``root`` is the number of a node; the name of a cell, after "point:" if the name is a number;
    ``"column==value"``, the tip around which most cells have that value of an ``obs`` column, or
    the node where it is common if it is rare at the tips; ``"column:min"`` or ``"column:max"``, the
    tip around which a number in ``obs``, or the expression of a gene, is smallest or largest; or
    several of these. ``midrib root`` on the command line takes the same.

    Pseudotime, lineages and the dendrogram of an earlier root are dropped.
    """
    adata = adata.copy() if copy else adata
    graph, on = _projected(adata, key)
    locations = [root] if isinstance(root, int | np.integer | str) else list(root)
    nodes = {_node_at(adata, graph, on, location) for location in locations}
    _rooted(adata, graph.root(sorted(nodes)), on, key)
    return adata if copy else None


def _node_at(adata: AnnData, graph: Graph, on: Projection, location: int | str) -> int:
    """The node at a location. The engine looks it up in the column that the location names."""
    text = location if isinstance(location, str) else f"node:{int(location)}"
    kind, column = _core.location(text)
    if kind == "node":
        return graph._core.find(text, on)
    if kind == "point" or column is None:
        return graph._core.find(text, on, ids=[str(name) for name in adata.obs_names])
    columns = [str(name) for name in (*adata.obs.columns, *adata.var_names)]
    labels = values = None
    if column in adata.obs and (kind == "equal" or not _numeric(adata.obs[column])):
        labels = _words(adata.obs[column])
    elif column in adata.obs:
        values = adata.obs[column].to_numpy(np.float64, na_value=np.nan)
    elif column in adata.var_names:
        values = np.asarray(_dense(adata[:, column].X), dtype=np.float64).ravel()
    if values is not None:
        values = np.ascontiguousarray(values)
    return graph._core.find(text, on, columns=columns, labels=labels, values=values)


def _numeric(column: pd.Series) -> bool:
    return bool(pd.api.types.is_numeric_dtype(column.dtype))


def _words(column: pd.Series) -> list[str]:
    """The values as text, empty if they are missing."""
    return list(column.astype(str).where(column.notna(), ""))


def pseudotime(adata: AnnData, *, key: str = "midrib", copy: bool = False) -> AnnData | None:
    """The distance of the cells from the root along the graph.

    Adds ``obs["midrib_pseudotime"]`` (NaN in components without a root) and per lineage a column of
    ``obsm["midrib_lineage_pseudotime"]`` and ``obsm["midrib_lineage_weights"]``.
    """
    adata = adata.copy() if copy else adata
    graph, on = _projected(adata, key)
    if not graph.roots:
        raise ValueError("the graph has no root: choose one with midrib.tl.root(adata, ...)")
    adata.obs[f"{key}_pseudotime"] = graph.pseudotime(on)
    time, weight = graph.lineage_weights(on)
    adata.obsm[f"{key}_lineage_pseudotime"] = time
    adata.obsm[f"{key}_lineage_weights"] = weight
    return adata if copy else None


def bootstrap(
    adata: AnnData,
    n_replicas: int = 100,
    *,
    key: str = "midrib",
    copy: bool = False,
    random_state: int = 0,
    sample_weight: Any = None,
    n_jobs: int | None = None,
    verbose: int | bool = 0,
) -> AnnData | None:
    """Learns the graph again from resampled cells, to show which parts of it are reliable.

    Each replica is learned with the settings of ``learn_graph``, from the same columns; pass the
    ``sample_weight`` of ``learn_graph``. ``verbose`` prints the progress on stderr.

    Adds ``uns["midrib"]["edge_support"]``, the share of replicas that contain each edge,
    ``uns["midrib"]["replicas"]``, the numbers of tips, branch points, loops and components of each
    replica (more of them than in the graph are parts that it lacks), and with a root
    ``obs["midrib_pseudotime_sd"]``, the standard deviation of pseudotime.
    """
    adata = adata.copy() if copy else adata
    graph = get_graph(adata, key)
    params = adata.uns[key]["params"]
    layer = params.get("layer")
    points = representation(adata, str(params.get("use_rep", "X")), layer and str(layer))
    found = graph.bootstrap(
        points,
        n_replicas,
        sample_weight=sample_weight,
        random_state=random_state,
        n_jobs=n_jobs,
        progress=_report if verbose else None,
    )
    _supported(adata, found.graph, key)
    adata.uns[key]["provenance"] = found.graph.to_json()
    adata.uns[key]["replicas"] = {
        "tips": found.tips,
        "branch_points": found.branch_points,
        "loops": found.loops,
        "components": found.components,
    }
    if found.pseudotime_sd is not None:
        adata.obs[f"{key}_pseudotime_sd"] = found.pseudotime_sd
    return adata if copy else None


def _report(stage: str, done: int, of: int, _: float | None) -> None:
    print(f"{stage}: {done} of {of}", file=sys.stderr)


def project(
    adata: AnnData,
    reference: AnnData | Graph,
    use_rep: str = "X_pca",
    *,
    layer: str | None = None,
    key: str = "midrib",
    copy: bool = False,
) -> AnnData | None:
    """Projects other cells onto a graph, or onto that of ``reference`` cells."""
    adata = adata.copy() if copy else adata
    graph = reference if isinstance(reference, Graph) else get_graph(reference, key)
    points = representation(adata, use_rep, layer)
    on = graph.project(points)
    source = {"use_rep": use_rep} if layer is None else {"layer": layer}
    embedded = graph.embed(points) if graph.embedding is not None else None
    _store(adata, graph, on, points, embedded, source, key)
    return adata if copy else None


def layout(
    adata: AnnData, kind: str = "metro", *, key: str = "midrib", copy: bool = False
) -> AnnData | None:
    """Computes the positions of the cells in a drawing of the graph: "metro" or "dendrogram".

    Adds ``obsm["X_midrib_metro"]`` or ``obsm["X_midrib_dendro"]``.
    """
    adata = adata.copy() if copy else adata
    graph, on = _projected(adata, key)
    if kind == "metro":
        adata.obsm[f"X_{key}_metro"] = graph.layout("metro", on).points
    elif kind == "dendrogram":
        adata.obsm[f"X_{key}_dendro"] = graph.layout("dendrogram", on).points
    else:
        raise ValueError(f'layout {kind!r}: must be "metro" or "dendrogram"')
    return adata if copy else None


def to_scfates(adata: AnnData, *, key: str = "midrib", copy: bool = False) -> AnnData | None:
    """Stores the graph under scFates' keys, as its ``tl.tree``, ``tl.root`` and
    ``tl.pseudotime`` would.

    Needs a tree with one root and its pseudotime. Adds ``uns["graph"]``, ``obsm["X_R"]`` and the
    ``obs`` columns t, seg, edge and milestones.
    """
    adata = adata.copy() if copy else adata
    graph, on = _projected(adata, key)
    if len(graph.roots) != 1 or graph.n_loops or graph.n_components > 1:
        raise ValueError(
            f"scFates needs a connected tree with one root; this is {graph!r} with "
            f"{len(graph.roots)} roots"
        )
    root = graph.roots[0]
    if root not in graph.tips and root not in graph.branch_points:
        raise ValueError(f"root {root}: scFates needs a tip or a branch point as the root")
    along = _milestones.network(graph, on)
    numbers = np.arange(1, len(along.start) + 1)
    segments = pd.DataFrame(
        {"n": numbers.astype(str), "from": along.start, "to": along.end, "d": along.length},
        index=numbers,
    )
    of_node = np.empty(graph.n_nodes, dtype=np.int64)
    for number, branch in zip(numbers, graph.branches(), strict=True):
        of_node[branch.nodes] = number
    nodes = pd.DataFrame(
        {
            "PP": np.arange(graph.n_nodes),
            "time": graph.node_pseudotime,
            "seg": of_node.astype(str),
        }
    )
    shares = adata.obsm[f"{key}_R"]
    adata.obsm["X_R"] = shares.toarray() if sparse.issparse(shares) else np.asarray(shares)
    adata.obs["t"] = graph.pseudotime(on)
    adata.obs["seg"] = pd.Categorical(numbers[on.branch].astype(str))
    first, second = graph.edges[on.edge].T
    adata.obs["edge"] = pd.Categorical([f"{a}|{b}" for a, b in zip(first, second, strict=True)])
    adata.obs["milestones"] = pd.Categorical(along.nearest.astype(str))
    milestones = {name: int(name) for name in adata.obs["milestones"].cat.categories}
    shades = {node: COLORS[i % len(COLORS)] for i, node in enumerate(milestones.values())}
    adata.uns["milestones_colors"] = list(shades.values())
    adata.uns["seg_colors"] = [shades.get(int(end), COLORS[0]) for end in segments["to"]]
    adata.uns["pseudotime_list"] = {"0": adata.obs[["t", "seg", "edge"]].copy()}
    params = _uns(adata, key)["params"]
    adata.uns["graph"] = {
        "B": (_adjacency(graph) > 0).toarray().astype(np.float64),
        "F": graph.nodes.T.copy(),
        "tips": graph.tips.copy(),
        "forks": graph.branch_points.copy(),
        "root": int(root),
        "pp_info": nodes,
        "pp_seg": segments,
        "metrics": "euclidean",
        "use_rep": str(params.get("use_rep", "X")),
        "ndims_rep": int(graph.nodes.shape[1]),
        "cells_fitted": adata.obs_names.to_numpy().astype(str),
        "milestones": milestones,
        "method": "ppt",
    }
    return adata if copy else None
