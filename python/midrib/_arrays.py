"""Converts what users pass in to what the engine takes: C-contiguous float32 or float64 rows."""

import os
import sys
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
T = TypeVar("T", bound=np.generic)


def rows(X: Any, name: str = "X") -> NDArray[Any]:
    """Points, one per row. Copied only if the type or the memory order requires it."""
    if hasattr(X, "tocsr"):
        raise TypeError(f"{name} is sparse, and midrib needs dense points: pass {name}.toarray()")
    if hasattr(X, "obsm"):
        raise TypeError(
            f"{name} is an AnnData object: pass its points, such as {name}.obsm['X_pca'], or use "
            "the functions of midrib.tl, which take AnnData"
        )
    array = np.asarray(with_nan(X))
    if array.ndim != 2:
        raise ValueError(
            f"{name} has {array.ndim} dimension(s) and shape {array.shape}: "
            "points must be rows of a 2-dimensional array"
        )
    if array.dtype.kind == "c":
        raise ValueError(f"Complex data not supported: {name} has dtype {array.dtype}")
    if array.dtype.kind == "O":
        array = _numbers(with_nan(array), name)
    elif array.dtype.kind not in "biuf":
        raise ValueError(f"{name} has dtype {array.dtype}: midrib needs numbers")
    if 0 in array.shape:
        raise ValueError(f"{name} is empty: it has shape {array.shape}")
    dtype = np.float32 if array.dtype in (np.float16, np.float32) else np.float64
    return np.ascontiguousarray(array, dtype=dtype)


def with_nan(X: Any) -> Any:
    """The same points with NaN where values are masked, None or pandas' NA."""
    if isinstance(X, np.ma.MaskedArray):
        single = X.dtype in (np.float16, np.float32)
        return np.ma.filled(X.astype(np.float32 if single else np.float64), np.nan)
    pandas = sys.modules.get("pandas")
    if pandas is None:
        return X
    if isinstance(X, np.ndarray):
        return np.where(pandas.isna(X), np.nan, X) if X.dtype.kind == "O" else X
    if isinstance(X, pandas.DataFrame) and any(dtype.kind == "O" for dtype in X.dtypes):
        return X.astype(object).where(X.notna(), np.nan)
    return X


def in_order(X: Any, names: list[str]) -> Any:
    """The columns of a table in the order of these names. Arrays, and tables without names, are
    taken as they are, and so is anything where the names merely count: x0, x1, …"""
    columns = getattr(X, "columns", None)
    if columns is None or names == [f"x{i}" for i in range(len(names))]:
        return X
    found = list(columns)
    if found == names or not all(isinstance(column, str) for column in found):
        return X
    missing = [name for name in names if name not in found]
    if missing:
        raise ValueError(
            f"X lacks columns that the result was learned from: {_listed(missing)}; it has "
            f"{_listed(found)}"
        )
    return X[names]


def _listed(names: list[str]) -> str:
    more = f", … ({len(names) - 20} more)" if len(names) > 20 else ""
    return ", ".join(names[:20]) + more


def _numbers(array: NDArray[Any], name: str) -> NDArray[Any]:
    try:
        return array.astype(np.float64)
    except (TypeError, ValueError) as error:
        raise ValueError(
            f"{name} has dtype object and not all of its values are numbers: {error}"
        ) from error


def weights(sample_weight: Any, n: int) -> Floats | None:
    """One weight per point, or None."""
    if sample_weight is None:
        return None
    array = np.ascontiguousarray(sample_weight, dtype=np.float64)
    if array.shape != (n,):
        raise ValueError(f"sample_weight has shape {array.shape}, and there are {n} points")
    return array


def feature_names(X: Any, n: int) -> list[str]:
    """The names of the columns, or x0, x1, …"""
    columns = getattr(X, "columns", None)
    if columns is not None and len(columns) == n and all(isinstance(c, str) for c in columns):
        return list(columns)
    return [f"x{i}" for i in range(n)]


def label_columns(labels: Any, n: int) -> list[tuple[str, list[str]]]:
    """The labels of n points by name, as text; missing values are empty."""
    columns = []
    for name, values in {} if labels is None else labels.items():
        array = np.asarray(values)
        if array.shape != (n,):
            raise ValueError(f"{name} has shape {array.shape}, and there are {n} points")
        columns.append((str(name), [_text(value) for value in array.tolist()]))
    return columns


def _text(value: Any) -> str:
    """A label as text; None and NaN are missing."""
    return "" if value is None or value != value else str(value)


def frozen(array: NDArray[T]) -> NDArray[T]:
    """The same array, made read-only."""
    array.flags.writeable = False
    return array


def plain(value: Any) -> Any:
    """A value that JSON can hold: numpy numbers become Python's, infinity becomes "inf"."""
    if isinstance(value, dict):
        return {name: plain(item) for name, item in value.items()}
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, float) and not np.isfinite(value):
        return "inf" if value > 0 else str(value)
    return value


def threads(n_jobs: int | None) -> int | None:
    """The number of threads; None for all. Negative numbers count from all cores, as in joblib;
    more threads than cores would only slow the work down."""
    if n_jobs is None or n_jobs == -1:
        return None
    if n_jobs == 0:
        raise ValueError("n_jobs = 0: give at least 1, or -1 for all cores")
    if n_jobs < 0:
        return max(1, (os.cpu_count() or 1) + 1 + n_jobs)
    return min(int(n_jobs), os.cpu_count() or 1)
