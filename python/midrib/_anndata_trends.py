"""Genes along the graph of an AnnData object, in types that h5ad and zarr files can store."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
from anndata import AnnData
from scipy import sparse

from midrib._anndata import _listed, _projected
from midrib._trends import Curves, _place, test


def association(
    adata: AnnData,
    *,
    path: tuple[int, int] | None = None,
    branch: int | None = None,
    layer: str | None = None,
    noise: str = "gaussian",
    covariates: Sequence[str] = (),
    key: str = "midrib",
    copy: bool = False,
    n_jobs: int | None = None,
) -> AnnData | None:
    """Tests which genes change along the graph, a path or a branch; see ``midrib.trends``.

    ``covariates`` are columns of ``obs``. Adds ``varm["midrib_association"]``, a table with one row
    per gene. The p-values hold where the graph does not depend on the genes (``null`` is "given").
    """
    adata = adata.copy() if copy else adata
    place = _place(path, branch, None)
    found, _ = _test(adata, layer, key, place, noise, covariates, n_jobs=n_jobs)
    adata.varm[f"{key}_association"] = _table(adata, found)
    return adata if copy else None


def fork(
    adata: AnnData,
    node: int,
    *,
    layer: str | None = None,
    covariates: Sequence[str] = (),
    key: str = "midrib",
    copy: bool = False,
    n_jobs: int | None = None,
) -> AnnData | None:
    """Tests which genes differ between the branches beyond a branch point, all together.

    Needs a root. Adds ``varm["midrib_fork"]``: the test, the branch where each gene is highest, and
    the pseudotime where the branches begin to differ.
    """
    adata = adata.copy() if copy else adata
    place = _place(None, None, node)
    found, _ = _test(adata, layer, key, place, "gaussian", covariates, n_jobs=n_jobs)
    adata.varm[f"{key}_fork"] = _table(adata, found)
    return adata if copy else None


def conditions(
    adata: AnnData,
    condition: str,
    sample: str,
    *,
    path: tuple[int, int] | None = None,
    branch: int | None = None,
    layer: str | None = None,
    covariates: Sequence[str] = (),
    key: str = "midrib",
    copy: bool = False,
    random_state: int = 0,
    n_jobs: int | None = None,
) -> AnnData | None:
    """Compares genes between conditions by permuting samples, which ``obs`` names.

    Adds ``varm["midrib_conditions"]``. With fewer than 3 samples in a condition there are effects,
    and no p-values.
    """
    adata = adata.copy() if copy else adata
    found, _ = _test(
        adata,
        layer,
        key,
        _place(path, branch, None),
        "gaussian",
        covariates,
        groups=(condition, sample),
        random_state=random_state,
        n_jobs=n_jobs,
    )
    adata.varm[f"{key}_conditions"] = _table(adata, found)
    return adata if copy else None


def fates(adata: AnnData, *, key: str = "midrib", copy: bool = False) -> AnnData | None:
    """The probability of every tip that is not a root, by a walk in the density of the cells.

    Adds ``obsm["midrib_fates"]``, one column per tip, and ``obs["midrib_fate_entropy"]`` in bits, 0
    where the fate is certain.
    """
    adata = adata.copy() if copy else adata
    graph, on = _projected(adata, key)
    tips, _, shares, entropy = graph._core.fates(on)
    columns = [str(tip) for tip in tips]
    adata.obsm[f"{key}_fates"] = pd.DataFrame(shares, index=adata.obs_names, columns=columns)
    adata.obs[f"{key}_fate_entropy"] = entropy
    return adata if copy else None


def curves(
    adata: AnnData, genes: Sequence[str], place: tuple[str, list[int]], layer: str | None, key: str
) -> Curves:
    """The curves of some genes, in their order."""
    missing = [gene for gene in genes if gene not in adata.var_names]
    if missing:
        raise KeyError(f"adata has no gene {', '.join(map(repr, missing[:5]))}")
    some = adata[:, list(genes)]
    _, found = _test(some, layer, key, place, "gaussian", (), n_curves=len(genes))
    if found is None:
        raise ValueError("none of these genes varies in enough cells for a curve")
    order = [found.features.index(gene) for gene in genes if gene in found.features]
    knots = (found.node, found.branch, found.pseudotime)
    names = [found.features[i] for i in order]
    return Curves(names, found.values[order], found.errors[order], knots)


def _test(
    adata: AnnData,
    layer: str | None,
    key: str,
    place: tuple[str, list[int]],
    noise: str,
    covariates: Sequence[str],
    *,
    groups: tuple[str, str] | None = None,
    random_state: int = 0,
    n_jobs: int | None = None,
    n_curves: int = 0,
) -> tuple[dict[str, Any], Curves | None]:
    if layer is not None and layer not in adata.layers:
        raise KeyError(f"adata has no layer {layer!r}; it has {_listed(adata.layers)}")
    values = adata.X if layer is None else adata.layers[layer]
    if not sparse.issparse(values):
        values = np.asarray(values)
    graph, on = _projected(adata, key)
    condition, sample = (None, None) if groups is None else map(lambda c: _column(adata, c), groups)
    return test(
        graph,
        values,
        on,
        features=[str(name) for name in adata.var_names],
        place=place,
        noise=noise,
        condition=condition,
        sample=sample,
        covariates={name: _column(adata, name) for name in covariates},
        random_state=random_state,
        n_jobs=n_jobs,
        progress=None,
        n_curves=n_curves,
    )


def _column(adata: AnnData, name: str) -> Any:
    if name not in adata.obs:
        raise KeyError(f"adata.obs has no column {name!r}; it has {_listed(adata.obs.columns)}")
    return adata.obs[name].to_numpy()


def _table(adata: AnnData, columns: dict[str, Any]) -> pd.DataFrame:
    named = {name: column for name, column in columns.items() if name != "feature"}
    return pd.DataFrame(named, index=adata.var_names)
