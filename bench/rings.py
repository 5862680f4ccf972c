"""Rotating objects: does the l1 graph order images by their angle?

    python3 bench/rings.py [teapots100] [coil20]

Reads the data from $MIDRIB_DATA, or from ../shared/data next to the repository: the teapot and the
twenty objects of COIL-20, each photographed all around. For each object midrib learns the l1 graph
of the rows of the kernel matrix (Mao2017, section 6.3), with the same settings for all, and `midrib
simplify` extracts its skeleton. The width of the kernel is the mean squared distance between images
of an object. Prints the summary of the skeleton by `midrib info`, the share of neighbors along it
that are neighbors in angle, the number of steps of the rotation among them, and for reference the
same share for the steps of a short closed tour and for each image's two nearest neighbors, both by
pixels only.
"""

import collections
import csv
import sys

from environment import DATA, ROOT, chosen, enter, run
from tour import short_tour, steps

WORK = ROOT / "target" / "bench-rings"
PACKAGES = ["numpy"]
VIEWS = {"teapots100": 100, "coil20": 72}
SETTINGS = (
    "--method rpg --structure l1 --kernel gaussian:WIDTH --pca 0.999 --n-nodes all --n-neighbors 10"
    " --bandwidth 0.002 --data-weight 10 --reconstruction-weight 10"
)
# Along a curve, weights are close to the largest; edges to views that only look similar weigh less.
SIMPLIFY = "--drop-below 0.5"
ENOUGH = 0.95


def rows(path):
    with path.open() as table:
        return list(csv.DictReader(table))


def neighbors_along(out):
    """Pairs of consecutive points on a branch of the graph."""
    nodes_of = {row["edge"]: (row["a"], row["b"]) for row in rows(out / "edges.csv")}
    at = collections.defaultdict(list)
    for edge, (a, b) in nodes_of.items():
        at[a].append(edge)
        at[b].append(edge)
    on = collections.defaultdict(list)
    for point, row in enumerate(rows(out / "points.csv")):
        on[row["edge"]].append((float(row["edge_pos"]), point))
    passed = set()

    def walk(node, edge):
        """The points along an edge to the next branch point or tip, or around a ring."""
        points = []
        while edge not in passed:
            passed.add(edge)
            a, b = nodes_of[edge]
            points += [point for _, point in sorted(on[edge], reverse=node == b)]
            node = b if node == a else a
            if len(at[node]) != 2:
                break
            edge = next(other for other in at[node] if other != edge)
        return points

    pairs = []
    for node, edges in at.items():
        if len(edges) != 2:
            for points in (walk(node, edge) for edge in edges):
                pairs += zip(points, points[1:], strict=False)
    for edge, (node, _) in nodes_of.items():
        ring = walk(node, edge)
        pairs += zip(ring, ring[1:] + ring[:1], strict=True)
    return pairs


def adjacent(pairs, n):
    """The pairs that are neighbors in angle."""
    return {frozenset((a, b)) for a, b in pairs if (a - b) % n in (1, n - 1)}


def share_adjacent(pairs, n):
    return sum((a - b) % n in (1, n - 1) for a, b in pairs) / max(len(pairs), 1)


def squared_distances(pictures):
    import numpy as np

    squares = (pictures**2).sum(axis=1)
    return np.maximum(squares[:, None] + squares - 2 * pictures @ pictures.T, 0)


def width(squared):
    """The mean squared distance between two images: twice midrib's default."""
    n = len(squared)
    return squared.sum() / (n * (n - 1))


def two_nearest(squared):
    import numpy as np

    others = squared + np.diag(np.full(len(squared), np.inf))
    nearest = np.argsort(others, axis=1)[:, :2]
    return [(a, int(b)) for a, two in enumerate(nearest) for b in two]


def count(found):
    """Prints how many objects reach the share, and how many of those whose tour does."""
    ordered = [share for share, tour in found if tour >= ENOUGH]
    print(
        f"{sum(share >= ENOUGH for share, _ in found)} of {len(found)} objects reach {ENOUGH:.0%},"
        f" {sum(share >= ENOUGH for share in ordered)} of the {len(ordered)} whose tour does"
    )


def main():
    import numpy as np

    midrib = ROOT / "target" / "release" / "midrib"
    WORK.mkdir(parents=True, exist_ok=True)
    print(f"midrib fit {SETTINGS}\nmidrib simplify {SIMPLIFY}\n")
    print("| object | along the skeleton | steps | tour by pixels | two nearest | skeleton |")
    print("|---|--:|--:|--:|--:|---|")
    found = []
    for name in chosen(VIEWS):
        pictures = np.load(DATA / name / "data.npz")["X"].astype(float)
        views = VIEWS[name]
        for number in range(len(pictures) // views):
            turn = pictures[number * views : (number + 1) * views]
            table, learned, skeleton = WORK / "images.npy", WORK / "learned", WORK / "skeleton"
            np.save(table, turn)
            squared = squared_distances(turn)
            settings = SETTINGS.replace("WIDTH", f"{width(squared):.6g}").split()
            run([midrib, "fit", table, *settings, "-o", learned, "--force", "-q"])
            run([midrib, "simplify", learned, *SIMPLIFY.split(), "-o", skeleton, "--force", "-q"])
            summary = run([midrib, "info", skeleton])[0].splitlines()[0]
            pairs = neighbors_along(skeleton)
            share = share_adjacent(pairs, views)
            tour = share_adjacent(steps(short_tour(np.sqrt(squared).tolist())), views)
            print(
                f"| {name} {number + 1} | {share:.1%} of {len(pairs)}"
                f" | {len(adjacent(pairs, views))} of {views} | {tour:.1%}"
                f" | {share_adjacent(two_nearest(squared), views):.1%} | {summary} |",
                flush=True,
            )
            if name == "coil20":
                found.append((share, tour))
    if found:
        print()
        count(found)


if __name__ == "__main__":
    if "--prepared" in sys.argv:
        main()
    else:
        enter(__file__, PACKAGES)
