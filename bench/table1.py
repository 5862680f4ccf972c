"""Table 1 of Wang2016: how often the nearest neighbor in an SPL embedding has the same class.

    python3 bench/table1.py [SET ...] [--full]

Reads the data from $MIDRIB_DATA, or from ../shared/data next to the repository, learns embeddings
with `midrib fit --method spl` in the same number of dimensions as the paper, and prints the best
leave-one-out accuracy of the nearest neighbor next to the paper's figures for SPL and t-SNE, and
next to that of the original points. Tries a few settings of the paper's grid (5 to 50 neighbors, C
10 and 1000, γ 0 and 0.001), or all with --full; each with union and with mutual neighbors.
"""

import csv
import gzip
import itertools
import json
import subprocess
import sys
import time

from environment import DATA, ROOT, chosen, enter

WORK = ROOT / "target" / "bench-table1"
PACKAGES = ["numpy", "scikit-learn"]
# Dimensions, accuracy of SPL, accuracy of t-SNE, from the paper.
PAPER = {
    "iris": (2, 0.9600, 0.9600),
    "vehicle": (6, 0.6915, 0.6738),
    "segment": (7, 0.9680, 0.9671),
    "pendigits": (9, 0.9943, 0.9909),
    "satimage": (6, 0.8938, 0.9037),
    "letter": (12, 0.9054, 0.9134),
    "coil20": (84, 1.0000, 1.0000),
    "isolet": (165, 0.9497, 0.9468),
}
RULES = ["union", "mutual"]
FEW = {"neighbors": [5, 10], "rule": RULES, "tolerance": [1000], "noise": [0, 0.001]}
FULL = {
    "neighbors": [5, 10, 15, 20, 30, 50],
    "rule": RULES,
    "tolerance": [10, 1000],
    "noise": [0, 0.001],
}


def column(name, which):
    with (DATA / name / "labels.csv").open() as table:
        return [row[which] for row in csv.DictReader(table)]


def read(name):
    """The points and classes that the paper used, as far as its figures show."""
    import numpy as np

    packed = DATA / name / "data.npz"
    if packed.exists():
        points = np.load(packed)["X"].astype(float)
    else:
        with gzip.open(DATA / name / "data.csv.gz", "rt") as table:
            points = np.loadtxt(table, delimiter=",", skiprows=1)
    with (DATA / name / "labels.csv").open() as table:
        classes = np.array([row[0] for row in csv.reader(table)][1:])
    if name == "pendigits":
        points, classes = points[7494:], classes[7494:]
    if name == "satimage":
        points, classes = points[:4435], classes[:4435]
    if name == "letter":
        points, classes = points[-5000:], classes[-5000:]
    if name == "isolet":
        kept = np.isin(column(name, "part"), ["1", "5"])
        points, classes = points[kept], np.array(column(name, "two_class"))[kept]
    if name in ("vehicle", "segment"):
        least, most = points.min(axis=0), points.max(axis=0)
        points = (points - least) / np.where(most > least, most - least, 1)
    return points, classes


def accuracy(points, classes):
    """The accuracy of the nearest neighbor's class; ties go to the first point."""
    from sklearn.neighbors import NearestNeighbors

    near = NearestNeighbors(n_neighbors=2).fit(points).kneighbors(points, return_distance=False)
    others = [b if a == i else a for i, (a, b) in enumerate(near)]
    return (classes[others] == classes).mean()


def embedding(table, d, neighbors, rule, tolerance, noise):
    import numpy as np

    out = WORK / "fit"
    settings = f"--n-components {d} --n-neighbors {neighbors} --neighbors {rule}"
    settings += f" --tolerance-weight {tolerance} --noise-weight {noise}"
    command = [ROOT / "target" / "release" / "midrib", "fit", table, "--method", "spl"]
    command += [*settings.split(), "-o", out, "--force", "-q"]
    subprocess.run(command, check=True)
    return np.array(json.loads((out / "model.json").read_text())["embedding"])


def compare(name, grid):
    import numpy as np

    d, spl, tsne = PAPER[name]
    points, classes = read(name)
    WORK.mkdir(parents=True, exist_ok=True)
    table = WORK / f"{name}.npy"
    np.save(table, points)
    start = time.perf_counter()
    found = {}
    for settings in itertools.product(*grid.values()):
        found[settings] = accuracy(embedding(table, d, *settings), classes)
        print(f"  {name} {settings}: {found[settings]:.4f}", file=sys.stderr, flush=True)
    best = max(found, key=found.get)
    each = (time.perf_counter() - start) / len(found)
    raw = accuracy(points, classes)
    print(
        f"| {name} | {len(points):,} | {d} | {spl:.4f} | {tsne:.4f} | {found[best]:.4f} "
        f"| {best[0]} {best[1]}, {best[2]}, {best[3]} | {raw:.4f} | {each:.1f} |",
        flush=True,
    )


def main():
    names = chosen(PAPER)
    if "--prepared" not in sys.argv:
        enter(__file__, PACKAGES)
    print(
        "| set | points | d | SPL, paper | t-SNE, paper | midrib | k, C, γ | original points | s |"
    )
    print("|---|--:|--:|--:|--:|--:|---|--:|--:|")
    for name in names:
        compare(name, FULL if "--full" in sys.argv else FEW)


if __name__ == "__main__":
    main()
