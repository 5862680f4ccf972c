"""Graphs in AnnData objects, in types that h5ad and zarr files keep."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
import pandas as pd
from anndata import AnnData
from scipy import sparse

from midrib import _milestones
from midrib._arrays import Floats
from midrib._fit import _registry, learn
from midrib._graph import Graph, Projection, _from_json

SCHEMA = 1


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
        Where the results go.
    copy
        Whether to return a copy instead of writing to ``adata``.
    random_state
        Seed, where the method draws random numbers.
    sample_weight, n_jobs, verbose, **settings
        As in ``midrib.fit``.

    Adds ``obs`` columns (node, edge and place on it, distance, branch, milestone, component),
    ``obsm["X_midrib"]`` (places on the graph, or the learnt embedding), ``obsm["midrib_R"]``
    (responsibilities) and ``uns["midrib"]`` (the graph).
    """
    adata = adata.copy() if copy else adata
    points = representation(adata, use_rep, layer)
    if "/" in key_added:
        raise ValueError(f'key_added = {key_added!r}: files cannot keep a "/" in a key')
    if "seed" in _registry().get(method, {}).get("defaults", {}):
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
    where = {"use_rep": use_rep} if layer is None else {"layer": layer}
    adata.uns[key_added] = _described(graph, where)
    adata.obsm[f"{key_added}_R"] = graph.responsibilities(points)
    _place(adata, graph, projection, points, key_added)
    _rooted(adata, graph, projection, key_added)
    return adata if copy else None


def _described(graph: Graph, where: dict[str, str]) -> dict[str, Any]:
    settings = {name: value for name, value in graph.settings.items() if _keeps(value)}
    return {
        "node_pos": graph.nodes.copy(),
        "edge": graph.edges.copy(),
        "edge_len": graph.edge_lengths.copy(),
        "conn": _adjacency(graph),
        "params": {"method": graph.method, **where, **settings},
        "objective_history": graph.objective_history.copy(),
        "schema_version": SCHEMA,
        "provenance": graph._core.to_json(),
    }


def _keeps(value: Any) -> bool:
    """Whether files keep it: settings that are not set are left out."""
    return isinstance(value, str | int | float)


def _adjacency(graph: Graph) -> sparse.csr_matrix:
    a, b = graph.edges.T
    both = (np.concatenate([a, b]), np.concatenate([b, a]))
    weights = np.concatenate([graph.edge_weights] * 2)
    return sparse.csr_matrix((weights, both), shape=(graph.n_nodes, graph.n_nodes))


def _place(adata: AnnData, graph: Graph, on: Projection, points: Any, key: str) -> None:
    adata.obs[f"{key}_node_id"] = on.node
    adata.obs[f"{key}_edge_id"] = on.edge
    adata.obs[f"{key}_edge_loc"] = on.edge_pos
    adata.obs[f"{key}_edge_dist"] = on.distance
    adata.obs[f"{key}_component"] = on.component
    names = [branch.name for branch in graph.branches()]
    adata.obs[f"{key}_branch_id"] = _categories([names[i] for i in on.branch], names)
    adata.obsm[f"X_{key}"] = graph.embed(points) if graph.embeds else graph.places(points)


def _categories(values: list[str], names: list[str]) -> pd.Categorical:
    return pd.Categorical(values, categories=list(dict.fromkeys(names)))


def _rooted(adata: AnnData, graph: Graph, on: Projection, key: str) -> None:
    """What depends on the root: milestones, their network, pseudotime and lineages."""
    along = _milestones.stretches(graph, on)
    start = np.array([_milestones.name(node) for node in along.start])
    end = np.array([_milestones.name(node) for node in along.end])
    nearest = np.where(along.share < 0.5, start[along.of_point], end[along.of_point])
    adata.obs[f"{key}_milestone"] = _categories(list(nearest), [*start, *end])
    uns = adata.uns[key]
    uns["milestone_network"] = pd.DataFrame(
        {"from": start, "to": end, "length": along.length, "directed": bool(graph.roots)}
    )
    uns["divergence_regions"] = _milestones.divergence_regions(graph, start, end)
    uns["root_node"] = np.array(graph.roots, dtype=np.int64)
    uns["root_milestone_id"] = ",".join(_milestones.name(root) for root in graph.roots)


def get_graph(adata: AnnData, key: str = "midrib") -> Graph:
    """The graph that ``learn_graph`` has put into ``adata``, with its root if it has one."""
    uns = _uns(adata, key)
    graph = _from_json(str(uns["provenance"]))
    roots = [int(root) for root in uns["root_node"]]
    return graph.root(roots) if roots else graph


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


def _placed(adata: AnnData, key: str) -> Projection:
    column = {name: adata.obs[f"{key}_{name}"].to_numpy() for name in _OBS}
    graph = get_graph(adata, key)
    of_name: dict[str, int] = {}
    for number, branch in enumerate(graph.branches()):
        of_name.setdefault(branch.name, number)
    branch_of_edge = np.zeros(graph.n_edges + 1, dtype=np.int64)
    for number, branch in enumerate(graph.branches()):
        branch_of_edge[branch.edges] = number
    names = adata.obs[f"{key}_branch_id"].astype(str)
    edge = column["edge_id"].astype(np.int64)
    isolated = np.array([of_name[name] for name in names], dtype=np.int64)
    return Projection(
        column["node_id"].astype(np.int64),
        edge,
        column["edge_loc"].astype(np.float64),
        column["edge_dist"].astype(np.float64),
        np.where(edge >= 0, branch_of_edge[edge], isolated),
        column["component"].astype(np.int64),
    )


_OBS = ("node_id", "edge_id", "edge_loc", "edge_dist", "component")


def root(
    adata: AnnData,
    root: int | str | Iterable[int | str],
    *,
    key: str = "midrib",
    copy: bool = False,
) -> AnnData | None:
    """Says where the graph begins.

    ``root`` is a node's number; the name of a cell; ``"column==value"``, the end about which
    most cells have that value of an ``obs`` column; ``"column:min"`` or ``"column:max"``, the
    end about which a number in ``obs``, or the expression of a gene, is least or largest; or
    several of these.
    """
    adata = adata.copy() if copy else adata
    graph, on = get_graph(adata, key), _placed(adata, key)
    wanted = [root] if isinstance(root, int | np.integer | str) else list(root)
    nodes: set[int] = set()
    for one in wanted:
        nodes.update(_root_nodes(adata, graph, on, one, key))
    _rooted(adata, graph.root(sorted(nodes)), on, key)
    return adata if copy else None


def _root_nodes(
    adata: AnnData, graph: Graph, on: Projection, root: int | str, key: str
) -> Iterable[int]:
    if not isinstance(root, str):
        return graph.root(int(root)).roots
    if root in adata.obs_names:
        return [int(on.node[adata.obs_names.get_loc(root)])]
    if "==" in root:
        column, value = (part.strip() for part in root.split("==", 1))
        if column not in adata.obs:
            raise KeyError(f"root {root!r}: adata.obs has no column {column!r}")
        hits = (adata.obs[column].astype(str) == value).to_numpy()
        if not hits.any():
            found = sorted(adata.obs[column].astype(str).unique())[:10]
            raise ValueError(f"root {root!r}: no cell has it; {column} has {_listed(found)}")
        return _best(graph, on, hits.astype(np.float64), "max")[:1]
    column, _, at = root.rpartition(":")
    if at in ("min", "max"):
        return graph.root(X=on, values=_values(adata, column, root), at=at).roots  # type: ignore[arg-type]
    raise KeyError(
        f"root {root!r}: no cell has this name; give a node, a cell, 'column==value', "
        "'column:min' or 'column:max'"
    )


def _best(graph: Graph, on: Projection, values: Floats, at: str) -> list[int]:
    ends = graph._core.end_means(graph._placed(on), values)
    sign = 1.0 if at == "min" else -1.0
    return [node for node, mean, _ in sorted(ends, key=lambda end: (sign * end[1], end[0]))]


def _values(adata: AnnData, column: str, root: str) -> Floats:
    if column in adata.obs:
        numbers: Floats = pd.to_numeric(adata.obs[column], errors="coerce").to_numpy(np.float64)
        if np.isnan(numbers).all():
            raise ValueError(f"root {root!r}: adata.obs[{column!r}] holds no numbers")
        return numbers
    if column in adata.var_names:
        return np.asarray(_dense(adata[:, column].X), dtype=np.float64).ravel()
    raise KeyError(f"root {root!r}: {column!r} is neither in adata.obs nor a gene")


def pseudotime(adata: AnnData, *, key: str = "midrib", copy: bool = False) -> AnnData | None:
    """The distance of the cells from the root along the graph.

    Adds ``obs["midrib_pseudotime"]`` (NaN where no root leads) and for each lineage a column of
    ``obsm["midrib_lineage_pseudotime"]`` and ``obsm["midrib_lineage_weights"]``.
    """
    adata = adata.copy() if copy else adata
    graph, on = get_graph(adata, key), _placed(adata, key)
    if not graph.roots:
        raise ValueError("the graph has no root: midrib.tl.root(adata, ...) gives it one")
    adata.obs[f"{key}_pseudotime"] = graph.pseudotime(on)
    time, weight = graph.lineage_weights(on)
    adata.obsm[f"{key}_lineage_pseudotime"] = time
    adata.obsm[f"{key}_lineage_weights"] = weight
    return adata if copy else None


def project(
    adata: AnnData,
    reference: AnnData | Graph,
    use_rep: str = "X_pca",
    *,
    layer: str | None = None,
    key: str = "midrib",
    copy: bool = False,
) -> AnnData | None:
    """Places other cells on a graph: that of ``reference``, cells for which one was learnt."""
    adata = adata.copy() if copy else adata
    graph = reference if isinstance(reference, Graph) else get_graph(reference, key)
    points = representation(adata, use_rep, layer)
    on = graph.project(points)
    where = {"use_rep": use_rep} if layer is None else {"layer": layer}
    adata.uns[key] = _described(graph, where)
    adata.obsm[f"{key}_R"] = graph.responsibilities(points)
    _place(adata, graph, on, points, key)
    _rooted(adata, graph, on, key)
    return adata if copy else None


def layout(
    adata: AnnData, kind: str = "metro", *, key: str = "midrib", copy: bool = False
) -> AnnData | None:
    """Places the cells in a drawing of the graph: "metro" or "dendrogram".

    Adds ``obsm["X_midrib_metro"]`` or ``obsm["X_midrib_dendro"]``.
    """
    adata = adata.copy() if copy else adata
    graph, on = get_graph(adata, key), _placed(adata, key)
    if kind == "metro":
        adata.obsm[f"X_{key}_metro"] = graph.layout("metro", on).points
    elif kind == "dendrogram":
        adata.obsm[f"X_{key}_dendro"] = graph.layout("dendrogram", on).points
    else:
        raise ValueError(f'layout {kind!r}: must be "metro" or "dendrogram"')
    return adata if copy else None


def to_scfates(adata: AnnData, *, key: str = "midrib", copy: bool = False) -> AnnData | None:
    """Writes the graph where scFates looks for it, as its ``tl.tree``, ``tl.root`` and
    ``tl.pseudotime`` would.

    Needs a tree with one root and its pseudotime. Adds ``uns["graph"]``, ``obsm["X_R"]`` and the
    ``obs`` columns t, seg, edge and milestones.
    """
    adata = adata.copy() if copy else adata
    graph, on = get_graph(adata, key), _placed(adata, key)
    if len(graph.roots) != 1 or graph.n_loops or graph.n_components > 1:
        raise ValueError(
            f"scFates knows trees in one piece with one root; this is {graph!r} with "
            f"{len(graph.roots)} roots"
        )
    root = graph.roots[0]
    if root not in graph.tips and root not in graph.branch_points:
        raise ValueError(f"root {root}: scFates needs a tip or a branch point as the root")
    along = _milestones.stretches(graph, on)
    numbers = np.arange(1, len(along.start) + 1)
    segments = pd.DataFrame(
        {"n": numbers.astype(str), "from": along.start, "to": along.end, "d": along.length},
        index=numbers.astype(str),
    )
    of_node = np.empty(graph.n_nodes, dtype=np.int64)
    for number, branch in zip(numbers, graph.branches(), strict=True):
        of_node[branch.nodes] = number
    nodes = pd.DataFrame(
        {
            "PP": np.arange(graph.n_nodes),
            "time": graph.node_pseudotime,
            "seg": of_node.astype(str),
        },
        index=np.arange(graph.n_nodes).astype(str),
    )
    shares = adata.obsm[f"{key}_R"]
    ends = np.where(along.share < 0.5, along.start[on.branch], along.end[on.branch])
    adata.obsm["X_R"] = shares.toarray() if sparse.issparse(shares) else np.asarray(shares)
    adata.obs["t"] = graph.pseudotime(on)
    adata.obs["seg"] = pd.Categorical(numbers[on.branch].astype(str))
    first, second = graph.edges[on.edge].T
    adata.obs["edge"] = pd.Categorical([f"{a}|{b}" for a, b in zip(first, second, strict=True)])
    adata.obs["milestones"] = pd.Categorical(ends.astype(str))
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
        "milestones": {name: int(name) for name in adata.obs["milestones"].cat.categories},
    }
    return adata if copy else None
