"""Principal graphs: curves, trees and graphs through the middle of a point cloud.

>>> import numpy as np, midrib
>>> t = np.linspace(0, 3, 300)
>>> X = np.column_stack([t, np.sin(t)])
>>> graph = midrib.fit(X)
>>> graph.n_loops, len(graph.tips)
(0, 2)

``fit`` and ``Graph`` need numpy alone. The estimators, such as ``midrib.SimplePPT``, load
scikit-learn when they are first touched; ``midrib.tl`` and ``midrib.pl`` load anndata and
matplotlib.
"""

import importlib
from typing import TYPE_CHECKING, Any

from midrib._core import DataError, FileError, NumericalError, SettingError, __version__
from midrib._fit import fit, methods
from midrib._graph import (
    Bootstrap,
    Branch,
    Dendrogram,
    Graph,
    Lineage,
    MetroMap,
    Path,
    Projection,
    read,
)

if TYPE_CHECKING:
    from midrib import pl, tl
    from midrib._anndata import to_scfates
    from midrib.estimators import (
        SPL,
        CubicComplex,
        DDRTree,
        DRTree,
        ElasticMap,
        ElasticPrincipalCurve,
        ElasticPrincipalGraph,
        ElasticPrincipalRing,
        ElasticPrincipalTree,
        PrincipalGraph,
        SimplePPT,
    )

_ESTIMATORS = (
    "CubicComplex",
    "DDRTree",
    "DRTree",
    "ElasticMap",
    "ElasticPrincipalCurve",
    "ElasticPrincipalGraph",
    "ElasticPrincipalRing",
    "ElasticPrincipalTree",
    "PrincipalGraph",
    "SPL",
    "SimplePPT",
)
_MODULES = ("estimators", "pl", "tl")

__all__ = [
    "Bootstrap",
    "Branch",
    "CubicComplex",
    "DDRTree",
    "DRTree",
    "DataError",
    "Dendrogram",
    "ElasticMap",
    "ElasticPrincipalCurve",
    "ElasticPrincipalGraph",
    "ElasticPrincipalRing",
    "ElasticPrincipalTree",
    "FileError",
    "Graph",
    "Lineage",
    "MetroMap",
    "NumericalError",
    "Path",
    "PrincipalGraph",
    "Projection",
    "SPL",
    "SettingError",
    "SimplePPT",
    "__version__",
    "fit",
    "methods",
    "pl",
    "read",
    "tl",
    "to_scfates",
]


def __getattr__(name: str) -> Any:
    if name in _ESTIMATORS:
        value = getattr(_load("midrib.estimators", f"midrib.{name}", "scikit-learn"), name)
    elif name in _MODULES:
        needs = {"estimators": "scikit-learn", "tl": "anndata", "pl": "matplotlib"}[name]
        value = _load(f"midrib.{name}", f"midrib.{name}", needs)
    elif name == "to_scfates":
        value = _load("midrib._anndata", "midrib.to_scfates", "anndata").to_scfates
    else:
        raise AttributeError(f"module 'midrib' has no attribute {name!r}")
    globals()[name] = value
    return value


def _load(module: str, what: str, package: str) -> Any:
    try:
        return importlib.import_module(module)
    except ModuleNotFoundError as error:
        if error.name is not None and error.name.startswith("midrib"):
            raise
        raise ImportError(
            f"{what} needs {package}, and {error.name} is not installed: pip install {package}"
        ) from error


def __dir__() -> list[str]:
    return sorted({*__all__, "estimators", *globals()})
