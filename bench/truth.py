"""Learned graphs against the truth: the dyntoy data sets.

    python3 bench/truth.py              # all data sets, or the named ones: dyntoy_tree

Prints dyneval's measures for ppt, ddrtree, elastic-tree and, as a baseline, the minimum spanning
tree of k-means centers. Everything is fitted with its defaults on the first principal components of
the same table; the data sets have 99 points each.
"""

import gzip
import json
import subprocess
import sys
import tempfile
from pathlib import Path

from environment import DATA, ROOT, chosen, enter

PACKAGES = ["numpy", "scikit-learn"]
MIDRIB = ROOT / "target" / "release" / "midrib"
SETS = ["dyntoy_linear", "dyntoy_bifurcating", "dyntoy_tree", "dyntoy_disconnected"]
METHODS = ["ppt", "ddrtree", "elastic-tree"]
COMPONENTS = 5
CENTERS = 10
MEASURES = ["correlation", "him", "f1_branches", "f1_milestones"]


def midrib(*arguments):
    command = [MIDRIB, *map(str, arguments)]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def plain_tree(table, out):
    """The spanning tree of k-means centers, in midrib's result format."""
    import numpy as np
    from scipy.sparse.csgraph import minimum_spanning_tree
    from sklearn.cluster import KMeans
    from sklearn.decomposition import PCA

    with gzip.open(table, "rt") as file:
        names = file.readline().strip().split(",")
        points = np.loadtxt(file, delimiter=",")
    points = PCA(COMPONENTS).fit_transform(points)
    centers = KMeans(CENTERS, n_init=10, random_state=0).fit(points).cluster_centers_
    distances = np.linalg.norm(centers[:, None] - centers[None], axis=2)
    tree = minimum_spanning_tree(distances).toarray()
    pairs = sorted(tuple(sorted(map(int, pair))) for pair in np.argwhere(tree))
    rows = []
    for i, point in enumerate(points):
        best = None
        for number, (a, b) in enumerate(pairs):
            step = centers[b] - centers[a]
            share = float(np.clip((point - centers[a]) @ step / (step @ step), 0, 1))
            distance = float(np.linalg.norm(centers[a] + share * step - point))
            if best is None or distance < best[2]:
                best = (number, share, distance)
        node = int(np.linalg.norm(centers - point, axis=1).argmin())
        rows.append(f"{i},{node},{best[0]},{best[1]!r},{best[2]!r},0,0")
    out.mkdir()
    header = "id,node,edge,edge_pos,distance,branch,component"
    (out / "points.csv").write_text("\n".join([header, *rows]) + "\n")
    model = {
        "schema": 1,
        "midrib": "0",
        "method": "kmeans-mst",
        "settings": {},
        "input": {
            "file": str(table),
            "rows": len(points),
            "columns": len(names),
            "features": [f"pc{i + 1}" for i in range(COMPONENTS)],
            "prepare": {},
        },
        "nodes": centers.tolist(),
        "edges": [[a, b, 1.0] for a, b in pairs],
        "mass": [1.0] * CENTERS,
        "objective": None,
        "trace": [],
        "end": "converged",
        "n_iter": 0,
        "seed": 0,
    }
    (out / "model.json").write_text(json.dumps(model))


def main():
    names = chosen(SETS)
    print(f"| set | method | {' | '.join(MEASURES)} | topology |")
    print(f"|---|---|{'--:|' * len(MEASURES)}---|")
    with tempfile.TemporaryDirectory() as directory:
        for name in names:
            table = DATA / name / "data.csv.gz"
            for method in [*METHODS, "kmeans-mst"]:
                out = Path(directory) / f"{name}-{method}"
                if method == "kmeans-mst":
                    plain_tree(table, out)
                else:
                    fit = ["fit", table, "-q", "-m", method, "--pca", COMPONENTS, "-o", out]
                    midrib(*fit)
                found = json.loads(midrib("measure", out, DATA / name, "--json"))
                numbers = " | ".join(f"{found[measure]:.3f}" for measure in MEASURES)
                topology = "same" if found["same_topology"] else "other"
                print(f"| {name} | {method} | {numbers} | {topology} |", flush=True)


if __name__ == "__main__":
    if "--prepared" in sys.argv:
        main()
    else:
        enter(__file__, PACKAGES)
