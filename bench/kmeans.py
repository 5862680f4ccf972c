"""1,000 centers of 70,000 handwritten digits: midrib and scikit-learn.

    python3 bench/kmeans.py [--seeds 3]

Reads MNIST from $MIDRIB_DATA, or from ../shared/data next to the repository, keeps 95 % of the
variance (154 components), and learns centers from one start per seed on one thread. midrib's time
is that of the whole command, which also reads the points and writes the results; scikit-learn's is
that of `fit`, in double and in single precision. The same numpy routine computes the inertia of
both.
"""

import argparse
import json
import sys
import time

from digits import components, read
from environment import DATA, ROOT, enter, run

WORK = ROOT / "target" / "bench-kmeans"
PACKAGES = ["numpy", "scikit-learn"]
CENTERS = 1_000


def inertia(points, centers):
    """The sum of the squared distances to the nearest centers, block by block."""
    total = 0.0
    for start in range(0, len(points), 5_000):
        block = points[start : start + 5_000].astype(float)
        squared = (block**2).sum(axis=1)[:, None] + (centers**2).sum(axis=1)
        total += (squared - 2 * block @ centers.T).min(axis=1).sum()
    return total


def peer(table, seed, out):
    """Centers by scikit-learn in this process; prints its seconds."""
    import numpy as np
    from sklearn.cluster import KMeans

    points = np.load(table)
    wall, cpu = time.perf_counter(), time.process_time()
    fit = KMeans(n_clusters=CENTERS, n_init=1, random_state=int(seed)).fit(points)
    times = {"wall": time.perf_counter() - wall, "cpu": time.process_time() - cpu}
    np.save(out, fit.cluster_centers_.astype(float))
    print(json.dumps(times | {"rounds": int(fit.n_iter_)}))


def midrib(table, seed):
    out = WORK / "fit"
    command = [ROOT / "target" / "release" / "midrib", "fit", table, "-m", "kmeans", "-j", 1]
    command += ["--n-clusters", CENTERS, "--n-init", 1, "--seed", seed, "-o", out, "--force", "-q"]
    _, cpu, wall, _ = run(command)
    model = json.loads((out / "model.json").read_text())
    return model["nodes"], {"cpu": cpu, "wall": wall, "rounds": model["n_iter"]}


def compare(seed, tables):
    import numpy as np

    points = np.load(tables["double"])
    nodes, own = midrib(tables["double"], seed)
    found = [("midrib", np.array(nodes), own)]
    for name, table in tables.items():
        out = WORK / "centers.npy"
        printed, *_ = run([sys.executable, __file__, "--peer", table, seed, out])
        found.append((f"scikit-learn, {name}", np.load(out), json.loads(printed)))
    for name, centers, times in found:
        ratio = "" if name == "midrib" else f"{times['cpu'] / own['cpu']:.2f}"
        print(
            f"| {seed} | {name} | {inertia(points, centers):,.0f} | {times['rounds']} |"
            f" {times['cpu']:.1f} | {times['wall']:.1f} | {ratio} |",
            flush=True,
        )


def main():
    if "--peer" in sys.argv:
        return peer(*sys.argv[sys.argv.index("--peer") + 1 :])
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--prepared", action="store_true")
    args = parser.parse_args()
    if not args.prepared:
        if not (DATA / "mnist").is_dir():
            sys.exit(f"skipped: mnist not found in {DATA}; set MIDRIB_DATA")
        enter(__file__, PACKAGES)
    import numpy as np

    WORK.mkdir(parents=True, exist_ok=True)
    scores = components(read("mnist")[0])
    tables = {name: WORK / f"{name}.npy" for name in ["double", "single"]}
    for (name, table), kind in zip(tables.items(), [np.float64, np.float32], strict=True):
        np.save(table, scores.astype(kind))
        print(f"{name}: {scores.shape[0]:,} points, {scores.shape[1]} columns")
    print("| seed | program | inertia | rounds | CPU s | wall s | CPU / midrib's |")
    print("|--:|---|--:|--:|--:|--:|--:|")
    for seed in range(args.seeds):
        compare(seed, tables)


if __name__ == "__main__":
    main()
