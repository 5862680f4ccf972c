"""Features along a learned graph: which change, and which differ beyond a fork."""

from __future__ import annotations

import importlib.util
import warnings
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from midrib._arrays import Floats, Ints, feature_names, rows, threads
from midrib._fit import Progress
from midrib._graph import Graph
from midrib._records import Projection

if TYPE_CHECKING:
    import pandas

NULL = (
    "null = given: the p-values hold if the graph does not depend on these features. It was "
    "learned from {}: the order of the points follows them, and p-values are too small"
)


class Curves:
    """The curves of some features, at knots along the graph.

    ``features`` are their names, ``values`` and ``errors`` have one row per feature and one column
    per knot; ``node``, ``branch`` and ``pseudotime`` describe the knots.
    """

    def __init__(
        self, features: list[str], values: Floats, errors: Floats, knots: tuple[Ints, Ints, Floats]
    ) -> None:
        self.features = features
        self.values = values
        self.errors = errors
        self.node, self.branch, self.pseudotime = knots


def trends(
    graph: Graph,
    X: Any,
    on: Any = None,
    *,
    features: Sequence[str] | None = None,
    path: tuple[int, int] | None = None,
    branch: int | None = None,
    fork: int | None = None,
    noise: str = "gaussian",
    condition: Any = None,
    sample: Any = None,
    covariates: Mapping[str, Any] | None = None,
    random_state: int = 0,
    n_jobs: int | None = None,
    progress: Progress | None = None,
) -> pandas.DataFrame | dict[str, Any]:
    """Tests which features change along a graph, the same as ``midrib trends``.

    Parameters
    ----------
    graph : Graph
        The graph, with a root if pseudotime is wanted.
    X : array or sparse matrix of shape (n_points, n_features)
        The features. Sparse matrices, by row or by column, stay sparse. Missing values are left
        out feature by feature.
    on : Projection or array, optional
        Where the points are on the graph: their projection, or the points themselves in the columns
        that the graph was learned from. ``X`` by default.
    features : list of str, optional
        The names of the features; the columns of ``X`` by default.
    path : tuple of two nodes, optional
        Test for change along the path between them.
    branch : int, optional
        Test for change along this branch.
    fork : int, optional
        Test for differences between the branches beyond this branch point, all together.
    noise : str, default "gaussian"
        "gaussian" for any numbers, "counts" for raw counts (quasi-Poisson, relative to the total of
        each row).
    condition, sample : array of shape (n_points,), optional
        Compare conditions by permuting samples. With fewer than 3 samples in a condition there are
        effects, and no p-values.
    covariates : dict, optional
        Columns to adjust for by name: groups such as batches, or numbers.
    random_state : int, default 0
        Seed of the permutations.
    n_jobs : int, optional
        Threads; all cores by default.
    progress : callable, optional
        Called as ``progress(stage, done, of, objective)``. If it returns False, the test stops.

    Returns
    -------
    pandas.DataFrame, or a dictionary of columns without pandas
        One row per feature, in the order of ``X``: the F statistic with its degrees of freedom, p,
        q (Benjamini-Hochberg), and the shape of the curve. ``null`` is "given": p-values hold where
        the graph does not depend on the features.

    >>> sample = midrib.synth("tree", 400, branch_points=1, random_state=1)
    >>> graph = midrib.fit(sample.X).root(0)
    >>> Y = np.column_stack([graph.pseudotime(sample.X), np.arange(400) % 7])
    >>> found = midrib.trends(graph, Y, on=sample.X, features=["time", "noise"])
    >>> list(found["feature"][found["q"] < 0.01])
    ['time']
    """
    columns, _ = test(
        graph,
        X,
        on,
        features=features,
        place=_place(path, branch, fork),
        noise=noise,
        condition=condition,
        sample=sample,
        covariates=covariates,
        random_state=random_state,
        n_jobs=n_jobs,
        progress=progress,
    )
    if importlib.util.find_spec("pandas") is None:
        return columns
    import pandas

    return pandas.DataFrame(columns)


def test(
    graph: Graph,
    X: Any,
    on: Any,
    *,
    features: Sequence[str] | None,
    place: tuple[str, list[int]],
    noise: str,
    condition: Any,
    sample: Any,
    covariates: Mapping[str, Any] | None,
    random_state: int,
    n_jobs: int | None,
    progress: Progress | None,
    n_curves: int = 0,
) -> tuple[dict[str, Any], Curves | None]:
    """The columns of ``trends`` by name, and the curves of the first features by p-value."""
    if noise not in ("gaussian", "counts"):
        raise ValueError(f'noise = {noise!r}: must be "gaussian" or "counts"')
    if (condition is None) != (sample is None):
        raise ValueError("condition and sample belong together: give both, or neither")
    values, n, names, sparse = _values(X)
    if features is not None:
        d, names = len(names), [str(name) for name in features]
        if len(names) != d:
            raise ValueError(f"features has {len(names)} names, and X has {d} columns")
    where = on if isinstance(on, Projection) else graph.project(X if on is None else on)
    if len(where.node) != n:
        raise ValueError(f"X has {n} rows, and {len(where.node)} points are on the graph")
    used = set(graph.feature_names) & set(names)
    if used and not all(name.startswith("x") and name[1:].isdigit() for name in used):
        shared = "them" if len(used) == len(names) else f"{len(used)} of the {len(names)}"
        warnings.warn(NULL.format(shared), UserWarning, stacklevel=3)
    adjusted = [_covariate(name, column, n) for name, column in (covariates or {}).items()]
    groups = None
    if condition is not None:
        groups = (_words("condition", condition, n), _words("sample", sample, n))
    found = graph._core.trends(
        where,
        (values, n, names, sparse),
        (place, (noise == "counts", adjusted, groups, n_curves, int(random_state))),
        (threads(n_jobs), progress),
    )
    columns = {name: _column(column) for name, column in found["columns"]}
    curves = found["curves"]
    if not curves:
        return columns, None
    return columns, Curves(
        [names[feature] for feature, _, _ in curves],
        np.array([value for _, value, _ in curves]),
        np.array([error for _, _, error in curves]),
        found["knots"],
    )


def _place(
    path: tuple[int, int] | None, branch: int | None, fork: int | None
) -> tuple[str, list[int]]:
    given = [
        name for name, x in (("path", path), ("branch", branch), ("fork", fork)) if x is not None
    ]
    if len(given) > 1:
        raise ValueError(f"give only one of {', '.join(given)}")
    if path is not None:
        start, end = path
        return "path", [int(start), int(end)]
    if branch is not None:
        return "branch", [int(branch)]
    return ("whole", []) if fork is None else ("fork", [int(fork)])


def _values(X: Any) -> tuple[Any, int, list[str], tuple[Any, Any, bool] | None]:
    """The values of features, the number of points, their names, and where they are in a sparse
    matrix."""
    if not hasattr(X, "tocsr"):
        array = rows(X)
        return array.ravel(), len(array), feature_names(X, array.shape[1]), None
    matrix = X if X.format in ("csr", "csc") else X.tocsr()
    if not matrix.has_canonical_format:
        matrix = matrix.copy()
        matrix.sum_duplicates()
    single = matrix.dtype in (np.float16, np.float32)
    values = np.ascontiguousarray(matrix.data, dtype=np.float32 if single else np.float64)
    starts = np.ascontiguousarray(matrix.indptr, dtype=np.uint64)
    indices = np.ascontiguousarray(matrix.indices, dtype=np.int32).view(np.uint32)
    names = [f"x{i}" for i in range(matrix.shape[1])]
    return values, matrix.shape[0], names, (starts, indices, matrix.format == "csr")


def _words(name: str, values: Any, n: int) -> list[str]:
    array = np.asarray(values)
    if array.shape != (n,):
        raise ValueError(f"{name} has shape {array.shape}, and there are {n} points")
    return [str(value) for value in array.tolist()]


def _covariate(name: str, values: Any, n: int) -> tuple[list[str] | None, list[float] | None]:
    array = np.asarray(values)
    if array.shape != (n,):
        raise ValueError(f"covariate {name} has shape {array.shape}, and there are {n} points")
    if array.dtype.kind == "f":
        return None, array.astype(np.float64).tolist()
    return _words(name, array, n), None


def _column(column: Any) -> Any:
    return np.array(column, dtype=object) if isinstance(column, list) else column
