"""Principal graphs: curves, trees and graphs through the middle of a point cloud.

>>> import numpy as np, midrib
>>> t = np.linspace(0, 3, 300)
>>> X = np.column_stack([t, np.sin(t)])
>>> graph = midrib.fit(X)
>>> graph.n_loops, len(graph.tips)
(0, 2)

``fit`` and ``Graph`` need only numpy. The estimators, such as ``midrib.SimplePPT``, import
scikit-learn on first use; ``midrib.tl`` and ``midrib.pl`` import anndata and matplotlib.
"""

import importlib
from typing import TYPE_CHECKING, Any

from midrib._compare import compare
from midrib._core import DataError, FileError, NumericalError, SettingError, __version__
from midrib._fit import fit, methods, read, registry
from midrib._graph import Graph
from midrib._groups import Clusters, Sample, cluster, synth
from midrib._records import (
    Bootstrap,
    Branch,
    Criteria,
    Dendrogram,
    Lineage,
    MetroMap,
    Path,
    Projection,
)
from midrib._result import Centers, Embedding, Flats, Result
from midrib._trends import trends

if TYPE_CHECKING:
    from midrib import pl, tl
    from midrib._anndata import to_scfates
    from midrib._clustering import GraphClustering
    from midrib.estimators import *  # noqa: F403

_MODULES = {"estimators": "scikit-learn", "pl": "matplotlib", "tl": "anndata"}

__all__: list[str] = [
    "Bootstrap",
    "Branch",
    "Centers",
    "Clusters",
    "Criteria",
    "DataError",
    "Dendrogram",
    "Embedding",
    "FileError",
    "Flats",
    "Graph",
    "GraphClustering",
    "Lineage",
    "MetroMap",
    "NumericalError",
    "Path",
    "Projection",
    "Result",
    "Sample",
    "SettingError",
    "__version__",
    "cluster",
    "compare",
    "fit",
    "methods",
    "pl",
    "read",
    "synth",
    "tl",
    "to_scfates",
    "trends",
]
_ESTIMATORS = sorted(method["class"] for method in registry().values())
__all__ += _ESTIMATORS


def __getattr__(name: str) -> Any:
    if name in _ESTIMATORS:
        value = getattr(_load("midrib.estimators", f"midrib.{name}", "scikit-learn"), name)
    elif name in _MODULES:
        value = _load(f"midrib.{name}", f"midrib.{name}", _MODULES[name])
    elif name == "GraphClustering":
        module = _load("midrib._clustering", "midrib.GraphClustering", "scikit-learn")
        value = module.GraphClustering
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
    return sorted({*__all__, "estimators", "registry"})
