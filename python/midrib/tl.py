"""Tools for AnnData in the style of scanpy: results are stored in ``adata`` as "midrib".

>>> import midrib as mr
>>> mr.tl.learn_graph(adata, use_rep="X_pca")            # doctest: +SKIP
>>> mr.tl.root(adata, "stage:min")                       # doctest: +SKIP
>>> mr.tl.pseudotime(adata)                              # doctest: +SKIP
>>> mr.tl.bootstrap(adata)                               # doctest: +SKIP
>>> mr.tl.association(adata)                             # doctest: +SKIP
"""

from midrib._anndata import bootstrap, get_graph, layout, learn_graph, project, pseudotime, root
from midrib._anndata_trends import association, conditions, fates, fork

__all__ = [
    "association",
    "bootstrap",
    "conditions",
    "fates",
    "fork",
    "get_graph",
    "layout",
    "learn_graph",
    "project",
    "pseudotime",
    "root",
]
