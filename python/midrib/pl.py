"""Plots with matplotlib. All functions return the axes and show nothing."""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib import colormaps
from matplotlib import pyplot as plt
from matplotlib.axes import Axes
from matplotlib.colors import to_hex
from matplotlib.patches import PathPatch
from matplotlib.path import Path

from midrib._graph import Graph
from midrib._records import Projection
from midrib._svg import COLORS, arc_control

if TYPE_CHECKING:
    from anndata import AnnData

__all__ = ["dendrogram", "fork", "graph", "heatmap", "metro", "trends"]

_POINT = "#b0b0b0"
_LINE = "#202020"
_CLOSING = "#909090"
_STEPS = 100  # columns of a heat map
_GROUPS = 20  # integers with at most this many different values are labels of groups


def graph(
    data: Graph | AnnData,
    X: Any = None,
    *,
    color: Any = None,
    dims: tuple[int, int] = (0, 1),
    basis: str | None = None,
    key: str = "midrib",
    size: float | None = None,
    numbers: bool = False,
    ax: Axes | None = None,
) -> Axes:
    """The points and the graph through them, in the columns that were prepared for the fit.

    Parameters
    ----------
    data
        A graph, with its points in ``X``; or AnnData with a graph.
    color
        One value per point, numbers or labels; or the name of an ``obs`` column or a gene.
    dims
        The two columns to draw.
    basis
        With AnnData, another ``obsm`` entry to draw in, such as "X_umap": nodes are drawn at the
        mean of the cells that are assigned to them.
    numbers
        Whether tips and branch points are numbered.
    """
    learned, points, positions, values, title = _scene(data, X, color, basis, key)
    axes = _axes(ax)
    i, j = dims
    if points is not None:
        _scatter(axes, points[:, [i, j]], values, title, size)
    for a, b in learned.edges:
        axes.plot(positions[[a, b], i], positions[[a, b], j], color=_LINE, lw=1.6, zorder=3)
    _marks(axes, learned, positions[:, [i, j]], numbers)
    name = basis.removeprefix("X_") if basis else None
    labels = [f"{name}{d + 1}" if name else learned.prepared_names[d] for d in dims]
    axes.set(xlabel=labels[0], ylabel=labels[1])
    return axes


def metro(
    data: Graph | AnnData,
    X: Any = None,
    *,
    color: Any = None,
    key: str = "midrib",
    size: float | None = None,
    numbers: bool = True,
    ax: Axes | None = None,
) -> Axes:
    """The metro map: the graph in the plane with true lengths, the points beside their edges."""
    learned, on, values, title = _on_graph(data, X, color, key)
    drawing = learned.layout("metro", on)
    axes = _axes(ax)
    closing = set(drawing.closing.tolist())
    for number, branch in enumerate(learned.branches()):
        shade = COLORS[number % len(COLORS)] if values is None else _LINE
        for edge in branch.edges.tolist():
            ends = drawing.nodes[learned.edges[edge]]
            if edge in closing:
                axes.add_patch(_arc(ends[0], ends[1], shade))
            else:
                axes.plot(*ends.T, color=shade, lw=2, zorder=1, solid_capstyle="round")
    if drawing.points is not None:
        _scatter(axes, drawing.points, values, title, size)
    _marks(axes, learned, drawing.nodes, numbers)
    axes.set_aspect("equal")
    axes.axis("off")
    return axes


def dendrogram(
    data: Graph | AnnData,
    X: Any = None,
    *,
    color: Any = None,
    key: str = "midrib",
    size: float | None = None,
    numbers: bool = True,
    ax: Axes | None = None,
) -> Axes:
    """The rooted graph, with pseudotime upward and the branches side by side."""
    learned, on, values, title = _on_graph(data, X, color, key)
    drawing = learned.layout("dendrogram", on)
    axes = _axes(ax)
    steps = {
        (int(a), int(b))
        for lineage in learned.lineages()
        for a, b in itertools.pairwise(lineage.nodes)
    }
    for a, b in sorted(steps):
        column, end = drawing.nodes[b]
        axes.plot([column, column], [drawing.nodes[a, 1], end], color=_LINE, lw=2)
    for a, b in learned.edges.tolist():
        if (a, b) not in steps and (b, a) not in steps:  # closes a loop
            axes.plot(*drawing.nodes[[a, b]].T, color=_CLOSING, lw=1.5, ls="--", zorder=1)
    for low, high, time in drawing.bars:
        axes.plot([low, high], [time, time], color=_LINE, lw=2)
    if drawing.points is not None:
        _scatter(axes, drawing.points, values, title, size)
    _marks(axes, learned, drawing.nodes, numbers)
    axes.set(ylabel="pseudotime", xticks=[])
    for side in ("top", "right", "bottom"):
        axes.spines[side].set_visible(False)
    return axes


def trends(
    data: Graph | AnnData,
    features: str | int | Iterable[str | int],
    X: Any = None,
    *,
    key: str = "midrib",
    size: float | None = None,
    ax: Axes | None = None,
) -> Axes:
    """Features over pseudotime: the points, and the graph itself along each lineage.

    The lines are the coordinates of the nodes, so a feature must be one that the graph was learned
    from, given by its number or its name in ``prepared_names``: a column of ``X``, or a component
    if the graph was learned from principal components.
    """
    learned, points, _, _, _ = _scene(data, X, None, None, key)
    on = _on_graph(data, X, None, key)[1]
    if points is None or on is None:
        raise ValueError("trends: give the points as X")
    axes = _axes(ax)
    names = [features] if isinstance(features, str | int) else list(features)
    time, node_time = learned.pseudotime(on), learned.node_pseudotime
    for number, feature in enumerate(names):
        column = _column(learned, feature)
        shade = COLORS[number % len(COLORS)]
        axes.scatter(
            time, points[:, column], s=size or _size(len(points)), color=shade, alpha=0.25, lw=0
        )
        for turn, lineage in enumerate(learned.lineages()):
            label = learned.prepared_names[column] if turn == 0 else None
            path = lineage.nodes
            axes.plot(node_time[path], learned.nodes[path, column], color=shade, lw=2, label=label)
    axes.set(xlabel="pseudotime")
    axes.legend(frameon=False)
    return axes


def _arc(a: Any, b: Any, color: str) -> PathPatch:
    """A dashed parabola over an edge that closes a loop, on which the engine draws its points."""
    path = Path([a, arc_control(a, b), b], [Path.MOVETO, Path.CURVE3, Path.CURVE3])
    return PathPatch(path, fill=False, edgecolor=color, lw=1.5, ls="--", zorder=1)


def heatmap(
    data: AnnData,
    genes: Iterable[str],
    *,
    path: tuple[int, int] | None = None,
    layer: str | None = None,
    key: str = "midrib",
    ax: Axes | None = None,
) -> Axes:
    """The curves of genes along a path, one row per gene, standardized and in order of their peaks.

    Without ``path``, the longest path from the root, or of the graph.
    """
    from midrib._anndata import get_graph
    from midrib._anndata_trends import curves

    learned = get_graph(data, key)
    if path is None:
        path = _longest(learned)
    found = curves(data, list(genes), ("path", list(path)), layer, key)
    order = np.argsort(found.pseudotime, kind="stable")
    time = np.linspace(0, found.pseudotime.max(), _STEPS)
    values = np.array(
        [np.interp(time, found.pseudotime[order], row[order]) for row in found.values]
    )
    spread = values.std(axis=1, keepdims=True)
    values = (values - values.mean(axis=1, keepdims=True)) / np.where(spread > 0, spread, 1)
    rows = np.argsort(values.argmax(axis=1), kind="stable")
    axes = _axes(ax)
    edges = np.arange(len(rows) + 1) - 0.5
    half = time[1] / 2
    middles = np.append(time - half, time[-1] + half)
    most = np.abs(values).max()
    shown = axes.pcolormesh(middles, edges, values[rows], cmap="RdBu_r", vmin=-most, vmax=most)
    axes.set_yticks(range(len(rows)), [found.features[row] for row in rows])
    axes.invert_yaxis()
    axes.set(xlabel=f"distance along the path from node {path[0]} to node {path[1]}")
    axes.figure.colorbar(shown, ax=axes, label="standard deviations", shrink=0.7)
    return axes


def _longest(learned: Graph) -> tuple[int, int]:
    paths = learned.lineages() if learned.roots else [learned.longest_path()]
    nodes = max((path for path in paths if path), key=lambda path: path.length).nodes
    return int(nodes[0]), int(nodes[-1])


def fork(
    data: AnnData,
    gene: str,
    node: int,
    *,
    layer: str | None = None,
    key: str = "midrib",
    ax: Axes | None = None,
) -> Axes:
    """The curves of a gene beyond a branch point, with bands of two standard errors."""
    from midrib._anndata import get_graph
    from midrib._anndata_trends import curves

    found = curves(data, [gene], ("fork", [int(node)]), layer, key)
    learned = get_graph(data, key)
    axes = _axes(ax)
    branches = [branch for branch in learned.branches() if node in branch.nodes]
    number = 0
    for branch in branches:
        on = np.flatnonzero(np.isin(found.node, branch.nodes))
        if len(on) < 2:  # the branch before the fork
            continue
        on = on[np.argsort(found.pseudotime[on], kind="stable")]
        time, value, error = found.pseudotime[on], found.values[0, on], found.errors[0, on]
        shade = COLORS[number % len(COLORS)]
        axes.plot(time, value, color=shade, lw=2, label=branch.name)
        axes.fill_between(time, value - 2 * error, value + 2 * error, color=shade, alpha=0.2, lw=0)
        number += 1
    axes.set(xlabel="pseudotime", ylabel=gene)
    axes.legend(title="branch", frameon=False)
    return axes


def _column(learned: Graph, feature: str | int) -> int:
    if isinstance(feature, str):
        if feature not in learned.prepared_names:
            names = ", ".join(learned.prepared_names[:20])
            raise KeyError(f"the graph was not learned from {feature!r}; it has {names}")
        return learned.prepared_names.index(feature)
    return int(feature)


def _axes(ax: Axes | None) -> Axes:
    return plt.subplots(figsize=(6, 5), layout="constrained")[1] if ax is None else ax


def _size(n: int) -> float:
    return float(np.clip(20000 / max(n, 1), 2, 20))


def _scene(
    data: Graph | AnnData, X: Any, color: Any, basis: str | None, key: str
) -> tuple[Graph, Any, Any, Any, str]:
    """Graph, points, positions of the nodes, values to color by and their title."""
    if isinstance(data, Graph):
        points = None if X is None else data.prepared(X)
        return data, points, data.nodes, color, ""
    from midrib._anndata import _dense, _uns, get_graph, representation

    learned = get_graph(data, key)
    params = _uns(data, key)["params"]
    layer = params.get("layer")
    points = representation(data, str(params.get("use_rep", "X")), layer)
    values, title = _named(data, color)
    if basis is None:
        return learned, learned.prepared(points), learned.nodes, values, title
    if basis not in data.obsm:
        names = ", ".join(repr(name) for name in data.obsm)
        raise KeyError(f"adata.obsm has no {basis!r}; it has {names}")
    drawn = _dense(data.obsm[basis])
    shares = data.obsm.get(f"{key}_R")
    if shares is None:  # exported without the points
        shares = learned.responsibilities(points)
    weight = np.asarray(shares.sum(axis=0)).ravel()
    with np.errstate(invalid="ignore"):
        positions = (shares.T @ drawn) / weight[:, None]
    return learned, drawn, np.asarray(positions), values, title


def _on_graph(
    data: Graph | AnnData, X: Any, color: Any, key: str
) -> tuple[Graph, Projection | None, Any, str]:
    if isinstance(data, Graph):
        if X is None or isinstance(X, Projection):
            return data, X, color, ""
        return data, data.project(X), color, ""
    from midrib._anndata import _projected

    values, title = _named(data, color)
    return (*_projected(data, key), values, title)


def _named(data: AnnData, color: Any) -> tuple[Any, str]:
    if not isinstance(color, str):
        return color, ""
    from midrib._anndata import _dense

    if color in data.obs:
        column = data.obs[color]
        return (column.to_numpy() if column.dtype.kind in "fiub" else column.astype(str)), color
    if color in data.var_names:
        return np.asarray(_dense(data[:, color].X)).ravel(), color
    raise KeyError(f"color {color!r} is neither in adata.obs nor a gene")


def _scatter(axes: Axes, positions: Any, values: Any, title: str, size: float | None) -> None:
    dots: dict[str, Any] = {"s": size or _size(len(positions)), "lw": 0, "zorder": 2}
    if values is None:
        axes.scatter(positions[:, 0], positions[:, 1], color=_POINT, alpha=0.7, **dots)
        return
    values = np.asarray(values)
    if values.dtype.kind == "f" or (values.dtype.kind in "iu" and len(np.unique(values)) > _GROUPS):
        shown = axes.scatter(positions[:, 0], positions[:, 1], c=values, cmap="viridis", **dots)
        axes.figure.colorbar(shown, ax=axes, label=title, shrink=0.7)
        return
    labels = _sorted(np.unique(values))
    shades = list(COLORS)
    if len(labels) > len(shades):
        shades = [to_hex(colormaps["turbo"](i / (len(labels) - 1))) for i in range(len(labels))]
    for label, shade in zip(labels, shades, strict=False):
        hit = values == label
        axes.scatter(positions[hit, 0], positions[hit, 1], color=shade, label=str(label), **dots)
    axes.legend(title=title or None, frameon=False, markerscale=2, loc="best")


def _sorted(labels: Any) -> Any:
    """Labels that are numbers in numerical order."""
    try:
        return sorted(labels, key=float)
    except ValueError:
        return labels


def _marks(axes: Axes, learned: Graph, positions: Any, numbers: bool) -> None:
    style: dict[str, Any] = {"zorder": 4, "edgecolors": _LINE, "linewidths": 1.2}
    tips, forks = learned.tips, learned.branch_points
    axes.scatter(positions[tips, 0], positions[tips, 1], s=28, color="white", **style)
    axes.scatter(positions[forks, 0], positions[forks, 1], s=28, color="#E69F00", **style)
    for root in learned.roots:
        x, y = positions[root]
        axes.scatter(x, y, s=110, facecolors="none", **style)
    if numbers:
        for node in (*tips, *forks):
            axes.annotate(
                str(node),
                positions[node],
                xytext=(5, 5),
                textcoords="offset points",
                fontsize=8,
                zorder=5,
            )
