"""Trees of 1,000 landmarks of handwritten digits, as in Mao2017, section 6.7.

    python3 bench/digits.py [pendigits] [mnist]

Reads the data from $MIDRIB_DATA, or from ../shared/data next to the repository, keeps 95 % of the
variance, divides each component by its largest value, and learns a tree with midrib. Prints the
share of edges between nodes with equal labels (the majority of their points), the time next to
that of the paper, and the time of scikit-learn's k-means with as many centers on the same machine.
"""

import collections
import csv
import gzip
import json
import subprocess
import sys
import time

from environment import DATA, ROOT, chosen, enter

WORK = ROOT / "target" / "bench-digits"
PACKAGES = ["numpy", "scikit-learn"]
NODES = 1_000
# Seconds in MATLAB, from the paper.
PAPER = {"pendigits": 53.51, "mnist": 222.75}
SETTINGS = "--method rpg --structure tree --bandwidth 0.1 --data-weight 10 --tips keep"


def read(name):
    import numpy as np

    if name == "mnist":
        points = np.load(DATA / name / "data.npz")["X"].astype(np.float32) / 255
    else:
        with gzip.open(DATA / name / "data.csv.gz", "rt") as table:
            points = np.loadtxt(table, delimiter=",", skiprows=1)
    with (DATA / name / "labels.csv").open() as table:
        labels = [row[0] for row in csv.reader(table)][1:]
    return points, labels


def components(points):
    """The principal components with 95 % of the variance, each scaled to -1 to 1."""
    import numpy as np

    centered = points - points.mean(axis=0)
    variances, axes = np.linalg.eigh(centered.T @ centered)
    variances, axes = variances[::-1], axes[:, ::-1]
    kept = int(np.searchsorted(np.cumsum(variances) / variances.sum(), 0.95)) + 1
    scores = centered @ axes[:, :kept]
    return scores / np.abs(scores).max(axis=0)


def equal_edges(out, labels):
    """Edges between nodes that have points, and the share of them with equal labels."""
    votes = collections.defaultdict(collections.Counter)
    with (out / "points.csv").open() as table:
        for row, label in zip(csv.DictReader(table), labels, strict=True):
            votes[int(row["node"])][label] += 1
    majority = {node: counts.most_common(1)[0][0] for node, counts in votes.items()}
    edges = [edge[:2] for edge in json.loads((out / "model.json").read_text())["edges"]]
    labeled = [(a, b) for a, b in edges if a in majority and b in majority]
    return len(labeled), sum(majority[a] == majority[b] for a, b in labeled) / len(labeled)


def compare(name):
    import numpy as np
    from sklearn.cluster import KMeans, MiniBatchKMeans

    points, labels = read(name)
    scores = components(points)
    WORK.mkdir(parents=True, exist_ok=True)
    table, out = WORK / f"{name}.npy", WORK / name
    np.save(table, scores)
    midrib = ROOT / "target" / "release" / "midrib"
    start = time.perf_counter()
    command = [midrib, "fit", table, *SETTINGS.split(), "--n-nodes", str(NODES)]
    subprocess.run([*command, "-o", out, "--force", "-q"], check=True)
    ours = time.perf_counter() - start
    labeled, share = equal_edges(out, labels)
    print(f"{name}: {scores.shape[0]:,} points in {scores.shape[1]} components, {SETTINGS}")
    print(f"  edges with equal labels       {share:.1%} of {labeled} between nodes with points")
    print(f"  midrib, whole command         {ours:.1f} s; the paper's MATLAB {PAPER[name]} s")
    for kind in (MiniBatchKMeans, KMeans):
        start = time.perf_counter()
        kind(n_clusters=NODES, n_init=1, random_state=0).fit(scores)
        print(f"  {kind.__name__:<29} {time.perf_counter() - start:.1f} s, centers only")


def main():
    names = chosen(PAPER)
    if "--prepared" not in sys.argv:
        enter(__file__, PACKAGES)
    for name in names:
        compare(name)


if __name__ == "__main__":
    main()
