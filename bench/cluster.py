"""Table 2 of Zhou2013: spectral clustering on k-NN, k-NN L1 and k-NN fused Lasso graphs.

    python3 bench/cluster.py [SET ...] [--doubled] [--speed] [--peers]

Reads the data from $MIDRIB_DATA, or from ../shared/data next to the repository, runs `midrib
cluster` with each graph and prints the best NMI (normalized by the larger entropy, as in the paper)
of four settings. The kernel is Gaussian, with the median squared distance as beta for every graph.
--doubled repeats each row of soybean_small, as in the paper's Figs. 1 and 2; --speed times large
graphs, and the linear programs against SciPy's HiGHS; --peers runs scikit-learn's
SpectralClustering on the same graph. With any of these three, the table is printed only for the
data sets that are named.
"""

import csv
import gzip
import json
import resource
import subprocess
import sys
import time

from environment import DATA, ROOT, chosen, enter

WORK = ROOT / "target" / "bench-cluster"
PACKAGES = ["numpy", "scipy", "scikit-learn"]
SETS = ["digits8x8", "usps", "coil20", "cmu_pie_c27", "pendigits", "isolet"]
GRID = {
    "knn": [("--k1", k) for k in (5, 10, 20, 40)],
    "knn-l1": [("--k1", k) for k in (10, 20, 40, 80)],
    "fused-lasso": [("--k1", a, "--k2", b) for a, b in ((10, 3), (20, 5), (40, 5), (40, 10))],
}
PAPER = {"knn": 0.458, "knn-l1": 0.470, "fused-lasso": 0.493}
OTHERS = ("--doubled", "--speed", "--peers")


def rows(name):
    with (DATA / name / "labels.csv").open() as table:
        return list(csv.DictReader(table))


def read(name):
    import numpy as np

    packed = DATA / name / "data.npz"
    if packed.exists():
        points = np.load(packed)["X"].astype(float)
    else:
        with gzip.open(DATA / name / "data.csv.gz", "rt") as table:
            points = np.loadtxt(table, delimiter=",", skiprows=1)
    labels = rows(name)
    first = next(iter(labels[0]))
    kept = np.ones(len(labels), bool)
    if name in ("usps", "pendigits"):
        kept = np.array([row["split"] == "test" for row in labels])
    if name == "isolet":
        kept = np.array([row["part"] in ("1", "5") for row in labels])
    return points[kept], np.array([row[first] for row in labels])[kept]


def save(name, points, classes=None):
    """A table of the points with their classes in the last column."""
    import numpy as np

    WORK.mkdir(parents=True, exist_ok=True)
    path = WORK / f"{name}.csv"
    with path.open("w", newline="") as table:
        out = csv.writer(table)
        out.writerow([f"x{i}" for i in range(points.shape[1])] + ["class"])
        classes = np.zeros(len(points), int) if classes is None else classes
        for row, kind in zip(points, classes, strict=True):
            out.writerow([*(repr(float(x)) for x in row), f"c{kind}"])
    return path


def cluster(table, *flags):
    """The summary, the CPU seconds and the wall seconds."""
    out = WORK / "out"
    command = [ROOT / "target" / "release" / "midrib", "cluster", table, "--label", "class"]
    command += [*map(str, flags), "-o", out, "--force", "--json", "-q"]
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    text = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return json.loads(text), cpu, time.perf_counter() - start


def nmi(summary):
    return summary["agreement"]["class"]["nmi"]


def table_2(names):
    print("| set | points | classes | k-NN | k-NN L1 | fused | best k; k; k1, k2 | best |")
    print("|---|--:|--:|--:|--:|--:|---|---|")
    sums = dict.fromkeys(GRID, 0.0)
    for name in names:
        points, classes = read(name)
        table = save(name, points, classes)
        count = len(set(classes))
        best = {}
        for graph, grid in GRID.items():
            for flags in grid:
                summary, cpu, _ = cluster(table, "--graph", graph, "--clusters", count, *flags)
                found = (nmi(summary), flags[1::2])
                print(f"  {name} {graph} {flags}: {found[0]:.4f}, {cpu:.1f} s", file=sys.stderr)
                best[graph] = max(best.get(graph, found), found)
            sums[graph] += best[graph][0]
        settings = "; ".join(", ".join(map(str, best[graph][1])) for graph in GRID)
        figures = " | ".join(f"{best[graph][0]:.3f}" for graph in GRID)
        winner = max(best, key=lambda graph: best[graph][0])
        print(
            f"| {name} | {len(points):,} | {count} | {figures} | {settings} | {winner} |",
            flush=True,
        )
    means = " | ".join(f"{sums[graph] / len(names):.3f}" for graph in GRID)
    print(f"| mean | | | {means} | | |")
    paper = " | ".join(f"{PAPER[graph]:.3f}" for graph in GRID)
    print(f"| mean of the paper's four sets | | | {paper} | | |")


def doubled():
    """The L1-graphs connect only copies; the fused graph keeps its NMI."""
    import numpy as np

    points, classes = read("soybean_small")
    copies = np.arange(len(points)).tolist()
    settings = {
        "l1": [],
        "knn": ["--k1", 10],
        "knn-l1": ["--k1", 20],
        "fused-lasso": ["--k1", 20, "--k2", 5],
    }
    print("| graph | NMI | NMI, doubled | edges, doubled | of them between copies |")
    print("|---|--:|--:|--:|--:|")
    single = save("soybean", points, classes)
    double = save("soybean2", np.vstack([points] * 2), np.concatenate([classes] * 2))
    for graph, flags in settings.items():
        once, _, _ = cluster(single, "--graph", graph, "--clusters", 4, *flags)
        twice, _, _ = cluster(double, "--graph", graph, "--clusters", 4, *flags)
        with (WORK / "out" / "edges.csv").open() as table:
            ends = [(int(row["a"]), int(row["b"])) for row in csv.DictReader(table)]
        same = sum(a % len(copies) == b % len(copies) for a, b in ends)
        print(f"| {graph} | {nmi(once):.3f} | {nmi(twice):.3f} | {len(ends)} | {same} |")


def program(kernel, i, near, k2):
    """min |x|_1 + |B x - b|_1 + |C x|_1 as a linear program for SciPy: costs, matrix, sides."""
    import numpy as np
    import scipy.sparse as sp

    b = kernel(near, near)
    pairs = [(j, m) for j in range(k2) for m in range(j + 1, k2)]
    c = np.zeros((len(pairs), len(near)))
    for row, (j, m) in enumerate(pairs):
        c[row, j], c[row, m] = b[j, m], -b[j, m]
    whole = np.vstack([b, c])
    size = len(whole)
    matrix = sp.csr_array(np.hstack([whole, -whole, np.eye(size), -np.eye(size)]))
    sides = np.concatenate([kernel([i], near)[0], np.zeros(len(pairs))])
    return np.ones(matrix.shape[1]), matrix, sides


def highs(points, beta, k1, k2, count):
    """CPU seconds per point of SciPy's HiGHS, and the optimal costs."""
    import numpy as np
    from scipy.optimize import linprog
    from sklearn.metrics import pairwise_distances
    from sklearn.neighbors import NearestNeighbors

    def kernel(a, b):
        return np.exp(-pairwise_distances(points[a], points[b], metric="sqeuclidean") / beta)

    search = NearestNeighbors(n_neighbors=k1 + 1).fit(points)
    near = search.kneighbors(points[:count], return_distance=False)
    problems = [program(kernel, i, [j for j in near[i] if j != i][:k1], k2) for i in range(count)]
    start = time.process_time()
    costs = [linprog(c, A_eq=a, b_eq=b, method="highs").fun for c, a, b in problems]
    return (time.process_time() - start) / count, costs


def speed():
    """Large graphs, and the same linear programs with HiGHS."""
    import numpy as np

    print("| graph | points, columns | k1, k2 | CPU s | s | ms per point | HiGHS | ratio | costs |")
    print("|---|--:|--:|--:|--:|--:|--:|--:|--:|")
    random = np.random.default_rng(1)
    for graph, n, dims, k1, k2 in (("knn-l1", 11554, 13, 50, 0), ("fused-lasso", 2688, 13, 100, 5)):
        centers = random.normal(size=(68, dims)) * 2
        points = centers[random.integers(68, size=n)] + random.normal(size=(n, dims))
        table = save(f"speed-{graph}", points)
        flags = ["--k1", k1] + (["--k2", k2] if k2 else [])
        # The same without the linear programs: reading, eigenvectors of a similarly sparse graph,
        # writing.
        _, rest, _ = cluster(table, "--graph", "knn", "--clusters", 8, "--k1", 5)
        summary, cpu, wall = cluster(table, "--graph", graph, "--clusters", 8, *flags)
        with (WORK / "out" / "labels.csv").open() as labels:
            ours = [float(row["cost"]) for row in csv.DictReader(labels)]
        beta = float(summary["settings"]["kernel"].split(":")[1])
        count = 20
        each, theirs = highs(points, beta, k1, k2, count)
        worst = max(abs(a - b) for a, b in zip(ours, theirs, strict=False))
        ms = (cpu - rest) / n * 1e3
        print(
            f"| {graph} | {n:,}, {dims} | {k1}, {k2} | {cpu:.1f} | {wall:.1f} | {ms:.2f} "
            f"| {each * 1e3:.0f} ms | {each * 1e3 / ms:.0f} | equal to {worst:.0e} |",
            flush=True,
        )


def peers():
    """scikit-learn on the same graph; both scale rows by degree and run k-means ten times."""
    import numpy as np
    import scipy.sparse as sp
    from sklearn.cluster import SpectralClustering
    from sklearn.metrics import normalized_mutual_info_score as score

    print("| set | points | NMI midrib | NMI scikit-learn | CPU s | its CPU s | ratio |")
    print("|---|--:|--:|--:|--:|--:|--:|")
    random = np.random.default_rng(2)
    centers = random.normal(size=(10, 10)) * 1.5
    kinds = random.integers(10, size=10000)
    blobs = centers[kinds] + random.normal(size=(10000, 10))
    for name, points, classes in (
        ("digits8x8", *read("digits8x8")),
        ("blobs", blobs, kinds.astype(str)),
    ):
        table = save(name, points, classes)
        count = len(set(classes))
        flags = ["--graph", "knn", "--k1", 10, "--clusters", count, "--rows", "degree"]
        summary, cpu, _ = cluster(table, *flags)
        with (WORK / "out" / "edges.csv").open() as edges:
            a, b, w = zip(
                *((int(r["a"]), int(r["b"]), float(r["weight"])) for r in csv.DictReader(edges)),
                strict=True,
            )
        ends = (np.array(a, np.int32), np.array(b, np.int32))
        weights = sp.csr_matrix((w, ends), shape=(len(points), len(points)))
        start = time.process_time()
        model = SpectralClustering(count, affinity="precomputed", n_init=10, random_state=0)
        found = model.fit_predict(weights + weights.T)
        theirs = time.process_time() - start
        agreed = score(found, classes, average_method="max")
        print(
            f"| {name} | {len(points):,} | {nmi(summary):.4f} | {agreed:.4f} | {cpu:.1f} "
            f"| {theirs:.1f} | {theirs / cpu:.1f} |",
            flush=True,
        )


def main():
    given = [flag for flag in OTHERS if flag in sys.argv]
    named = any(not name.startswith("--") for name in sys.argv[1:])
    names = chosen(SETS) if named or not given else []
    if "--prepared" not in sys.argv:
        enter(__file__, PACKAGES)
    if names:
        table_2(names)
    if "--doubled" in given:
        doubled()
    if "--speed" in given:
        speed()
    if "--peers" in given:
        peers()


if __name__ == "__main__":
    main()
