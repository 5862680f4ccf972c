"""Several methods on the same points, side by side."""

from __future__ import annotations

import importlib.util
import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from midrib import _core
from midrib._arrays import feature_names, label_columns, plain, rows, threads, weights
from midrib._fit import Progress, registry

if TYPE_CHECKING:
    import pandas

_CRITERIA = (
    "explained",
    "mean_squared_distance",
    "distance_correlation",
    "distance_error",
    "large_distance_correlation",
    "large_distance_error",
    "neighbor_preservation",
    "class_compactness",
)


def compare(
    X: Any,
    methods: Iterable[str | tuple[str, Mapping[str, Any]]] | None = None,
    *,
    labels: Any = None,
    sample_weight: Any = None,
    time_limit: float | None = None,
    html: str | os.PathLike[str] | None = None,
    n_jobs: int | None = None,
    progress: Progress | None = None,
) -> pandas.DataFrame | list[dict[str, Any]]:
    """Fits several methods to the same points and measures them by the same criteria, the same as
    ``midrib compare``.

    Parameters
    ----------
    X : array of shape (n_points, n_features)
        The points.
    methods : list, optional
        Names of methods, such as ``"ppt"``; with settings ``"kmeans:n_clusters=20"`` or
        ``("kmeans", {"n_clusters": 20})``. All methods by default.
    labels : array of shape (n_points,), optional
        The classes of the points.
    sample_weight : array of shape (n_points,), optional
        A point of weight 2 counts like two equal rows; methods without weights say so.
    time_limit : float, optional
        The most seconds that one method may take; its best result so far is then measured.
    html : path, optional
        Where to write a page with a small picture of every method.
    n_jobs : int, optional
        Threads; all cores by default.
    progress : callable, optional
        Called as ``progress(stage, done, of, objective)``. If it returns False, the comparison
        stops.

    Returns
    -------
    pandas.DataFrame, or a list of dictionaries without pandas
        One row per method: ``method``, ``status`` ("finished", "interrupted" or "failed"),
        ``object``, the criteria as in ``Criteria``, ``seconds``, ``peak_memory`` (of the whole
        program during the fit, in bytes) and ``reason``.

    >>> sample = midrib.synth("spiral", 200)
    >>> found = midrib.compare(sample.X, ["pca:n_components=1", ("ppt", {"n_nodes": 40}), "curv"])
    >>> list(found["method"]), list(found["status"])
    (['pca:n_components=1', 'ppt:n_nodes=40', 'curv'], ['finished', 'finished', 'failed'])
    >>> bool(found["explained"][1] > found["explained"][0])
    True
    """
    array = rows(X)
    names = list(registry()) if methods is None else methods
    named: list[tuple[str, dict[str, Any]]] = [
        (method, {}) if isinstance(method, str) else (method[0], plain(dict(method[1])))
        for method in names
    ]
    columns = [] if labels is None else label_columns({_name(labels): labels}, len(array))
    points = (
        array,
        weights(sample_weight, len(array)),
        feature_names(X, array.shape[1]),
        columns[0] if columns else None,
    )
    page = None if html is None else Path(html)
    found = _core.compare(points, named, time_limit, page, (threads(n_jobs), progress))
    table = [_row(row) for row in found]
    if importlib.util.find_spec("pandas") is None:
        return table
    import pandas

    return pandas.DataFrame(table)


def _name(labels: Any) -> str:
    return str(getattr(labels, "name", None) or "class")


def _row(found: dict[str, Any]) -> dict[str, Any]:
    criteria = found["criteria"] or {}
    return {
        "method": found["name"],
        "status": found["status"],
        "object": found["object"],
        **{name: criteria.get(name) for name in _CRITERIA},
        "seconds": found["seconds"],
        "peak_memory": found["peak_memory"],
        "reason": found["reason"],
    }
