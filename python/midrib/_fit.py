"""Fits of every method, with numpy alone, and results read from files."""

import difflib
import errno
import functools
import os
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import numpy as np

from midrib import _core
from midrib._arrays import feature_names, plain, rows, threads, weights
from midrib._graph import Graph
from midrib._records import Projection
from midrib._result import Centers, Embedding, Flats, Result

Progress = Callable[[str, int, int, "float | None"], Any]


_CLASSES: dict[str, type[Result]] = {
    "graph": Graph,
    "net": Graph,
    "centers": Centers,
    "flats": Flats,
}


def result_class(kind: str, has_nodes: bool) -> type[Result]:
    """The class of what was learned."""
    if kind == "embedding":
        return Graph if has_nodes else Embedding
    return _CLASSES[kind]


@functools.cache
def registry() -> dict[str, dict[str, Any]]:
    """Every method by name, with what the engine's registry says about it."""
    return {method["name"]: method for method in _core.methods()}


def graph_methods() -> list[str]:
    """The methods that learn a graph."""
    return [
        name
        for name, method in registry().items()
        if result_class(method["kind"], method["has_nodes"]) is Graph
    ]


def methods() -> dict[str, str]:
    """The methods by name, and when to use them.

    >>> midrib.methods()["elastic-curve"]
    'one smooth curve without branches, by elastic energy'
    """
    return {name: method["summary"] for name, method in registry().items()}


def fit(
    X: Any,
    method: str = "ppt",
    *,
    sample_weight: Any = None,
    start: Any = None,
    start_edges: Any = None,
    start_stretching: Any = None,
    start_bending: Any = None,
    start_pinned: Iterable[int] = (),
    links: Iterable[tuple[int, int, str]] = (),
    pairs: Any = None,
    embed: str | None = None,
    metric: str = "euclidean",
    random_state: int | None = None,
    n_jobs: int | None = None,
    verbose: int | bool = 0,
    progress: Progress | None = None,
    **settings: Any,
) -> Graph | Any:
    """Learns a principal graph, or another object that a method learns.

    Parameters
    ----------
    X : array of shape (n_points, n_features)
        The points. float32 stays float32; arrays in C order, memory-mapped ones too, are not
        copied.
    method : str
        One of ``midrib.methods()``: ``"ppt"`` for branching data without loops.
    sample_weight : array of shape (n_points,), optional
        A point of weight 2 counts like two equal rows.
    start : array of shape (n_nodes, n_features), optional
        Nodes to start from.
    start_edges : array of shape (n_edges, 2), optional
        The edges between them, by node numbers, such as ``graph.edges`` of an earlier fit. This and
        the following three are for elastic curves, rings, trees and graphs.
    start_stretching : array of shape (n_edges,), optional
        Stretching moduli of these edges; NaN takes the one of the settings.
    start_bending : array of shape (n_nodes,), optional
        Bending moduli of the starting nodes; NaN takes the one of the settings.
    start_pinned : sequence of int, optional
        Starting nodes that never move.
    links : iterable of (point, point, "must" or "cannot")
        Edges that must, or cannot, be in the graph.
    pairs : array of shape (n_pairs, 2), optional
        The only pairs of points that an edge may connect, by row numbers: instead of nearest
        neighbors in ``"spl"``, and in ``"rpg"`` with ``structure="l1"`` and ``n_nodes="all"``.
    embed : str, optional
        Learn from the coordinates of an embedding with the default settings of its method, such as
        ``"eigenmap:10"`` for ten coordinates: ``kernel-pca``, ``mds``, ``isomap``, ``lle`` or
        ``eigenmap``. New points are embedded by its rule.
    metric : str
        ``"precomputed"`` if X holds distances of points instead: a symmetric matrix, or its upper
        triangle as SciPy's ``pdist`` returns it. For the same methods; then new points have no
        coordinates.
    random_state : int, optional
        Seed, if the method draws random numbers.
    n_jobs : int, optional
        Threads; all cores by default. The result is the same for any number.
    verbose : int
        1 prints on stderr what was chosen and how the fit ended, 2 each iteration as well.
    progress : callable, optional
        Called as ``progress(stage, done, of, objective)`` after each iteration. If it returns
        False, the fit stops and returns its best so far, with ``graph.end == "interrupted"``.
    **settings
        Settings of the method, such as ``n_nodes=50``; ``midrib methods ppt`` on the command
        line, or the docs of ``midrib.SimplePPT``, list them.

    Returns
    -------
    Graph
        ``Centers``, ``Flats`` or ``Embedding`` from methods that learn centers, principal axes or
        an embedding without a graph.
    """
    if random_state is not None:
        if "seed" not in _defaults(method):
            raise TypeError(f"random_state: {method} draws no random numbers, leave it out")
        settings["seed"] = random_state
    if metric == "precomputed":
        if not (sample_weight is start is pairs is embed is None and not list(links)):
            raise TypeError('metric="precomputed" takes settings and distances alone')
        return learn_distances(X, method, settings, n_jobs, verbose, progress)
    if metric != "euclidean":
        raise ValueError(f'metric={metric!r}: must be "euclidean" or "precomputed"')
    start_graph = _start_graph(start_edges, start_stretching, start_bending, start_pinned)
    return learn(
        X,
        method,
        settings,
        sample_weight,
        start,
        links,
        pairs,
        n_jobs,
        verbose,
        progress,
        "fit()",
        start_graph=start_graph,
        embed=embed,
    )[0]


def _start_graph(edges: Any, stretching: Any, bending: Any, pinned: Any) -> dict[str, Any] | None:
    """The edges, moduli and pins of starting nodes as a record."""
    pinned = [int(node) for node in pinned]
    if edges is None and stretching is None and bending is None and not pinned:
        return None
    joined = None
    if edges is not None:
        pairs = np.asarray(edges)
        if pairs.ndim != 2 or pairs.shape[1] != 2 or not np.issubdtype(pairs.dtype, np.integer):
            raise ValueError("start_edges: give two node numbers for each edge")
        if (pairs < 0).any():
            raise ValueError("start_edges: nodes are counted from 0")
        joined = [(int(a), int(b)) for a, b in pairs]
    stiff = []
    if stretching is not None:
        if joined is None:
            raise ValueError("start_stretching: give start_edges too, one modulus for each")
        moduli = np.asarray(stretching, dtype=np.float64)
        if moduli.shape != (len(joined),):
            raise ValueError(
                f"start_stretching: give one modulus for each of the {len(joined)} edges, "
                "NaN for that of the settings"
            )
        stiff = [
            (edge, plain(modulus))
            for edge, modulus in zip(joined, moduli, strict=True)
            if not np.isnan(modulus)
        ]
    straight = []
    if bending is not None:
        moduli = np.asarray(bending, dtype=np.float64)
        straight = [(node, plain(m)) for node, m in enumerate(moduli) if not np.isnan(m)]
    return {"edges": joined, "stretching": stiff, "bending": straight, "pinned": pinned}


def _defaults(method: str) -> dict[str, Any]:
    if method not in registry():
        _core.min_columns(method, {})  # raises, with the nearest name
    defaults: dict[str, Any] = registry()[method]["defaults"]
    return defaults


def learn(
    X: Any,
    method: str,
    settings: dict[str, Any],
    sample_weight: Any = None,
    start: Any = None,
    links: Iterable[tuple[int, int, str]] = (),
    pairs: Any = None,
    n_jobs: int | None = None,
    verbose: int | bool = 0,
    progress: Progress | None = None,
    caller: str = "fit()",
    start_graph: Any = None,
    names: list[str] | None = None,
    embed: str | None = None,
) -> tuple[Any, Projection | None]:
    """The result of a fit, and the projection of its points if it has one."""
    _check_names(method, settings, caller)
    array = rows(X)
    given = {
        "start_graph": start_graph,
        "links": [_link(link) for link in links],
        "pairs": None if pairs is None else _pairs(pairs),
    }
    names = feature_names(X, array.shape[1]) if names is None else names
    nodes = None if start is None else np.ascontiguousarray(start, dtype=np.float64)
    core, projection, choices = _core.fit(
        method,
        plain(settings),
        (array, weights(sample_weight, len(array)), names, embed),
        (nodes, given),
        (threads(n_jobs), _reporter(progress, verbose, registry()[method]["step"])),
    )
    result = _result(core)
    if verbose:
        _report(result, choices)
    return result, None if projection is None else Projection(**projection)


def _check_names(method: str, settings: dict[str, Any], caller: str) -> None:
    """Refuses settings that the method does not have."""
    defaults = _defaults(method)
    for name in settings:
        if name not in defaults:
            near = difflib.get_close_matches(name, defaults, 1)
            hint = f", did you mean {near[0]!r}?" if near else f"; it has {', '.join(defaults)}"
            raise TypeError(
                f"{caller} got an unexpected keyword argument {name!r} for {method!r}{hint}"
            )


def learn_distances(
    X: Any,
    method: str,
    settings: dict[str, Any],
    n_jobs: int | None,
    verbose: int | bool,
    progress: Progress | None,
) -> Any:
    """The embedding of a square or condensed array of distances."""
    _check_names(method, settings, "fit()")
    array = rows(np.atleast_2d(np.asarray(X))).astype(np.float64)
    core, choices = _core.fit_distances(
        method,
        plain(settings),
        array,
        (threads(n_jobs), _reporter(progress, verbose, registry()[method]["step"])),
    )
    result = _result(core)
    if verbose:
        _report(result, choices)
    return result


def _result(core: _core.Model) -> Any:
    description = core.describe()
    return result_class(description["kind"], description["has_nodes"])(core)


def read(path: str | os.PathLike[str]) -> Graph | Any:
    """Reads what ``save``, or ``midrib fit`` on the command line, has written: a model.json or the
    directory that holds it."""
    source = Path(path)
    if not source.exists():
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), str(path))
    return _result(_core.Model.read(source))


def _link(link: tuple[int, int, str]) -> dict[str, Any]:
    a, b, kind = link
    if kind not in ("must", "cannot"):
        raise ValueError(f'link {a}-{b}: "{kind}" is neither "must" nor "cannot"')
    return {"a": int(a), "b": int(b), "kind": kind}


def _pairs(pairs: Any) -> list[list[int]]:
    array = np.asarray(pairs)
    if array.ndim != 2 or array.shape[1] != 2 or array.dtype.kind not in "iu":
        raise ValueError(f"pairs have shape {array.shape}: give two rows of X in each, by number")
    if (array < 0).any():
        raise ValueError(f"pairs: {array.min()} is not a row of X")
    listed: list[list[int]] = array.tolist()
    return listed


def _reporter(progress: Progress | None, verbose: int | bool, step: str) -> Progress | None:
    """``progress``, and before it a line on stderr if ``verbose`` is 2."""
    if int(verbose) < 2:
        return progress

    def report(stage: str, done: int, of: int, objective: float | None) -> Any:
        value = "" if objective is None else f", objective {objective:.6g}"
        print(f"{stage}: {step} {done} of at most {of}{value}", file=sys.stderr)
        return progress(stage, done, of, objective) if progress else None

    return report


def _report(result: Result, choices: list[dict[str, Any]]) -> None:
    for choice in choices:
        value = choice["value"]
        shown = f"{value:.4g}" if isinstance(value, float) else value
        print(f"{choice['setting']} = {shown}: {choice['reason']}", file=sys.stderr)
    step = registry()[result.method]["step"]
    done = f"{result.n_iter} {step if result.n_iter == 1 else step + 's'}"
    print(f"{result.method}: {result.end} after {done}, {result}", file=sys.stderr)
