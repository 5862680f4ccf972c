"""Compares DDRTree implementations: midrib, R's DDRTree and PyPI's ddrtree-python on the same data.

    python3 bench/ddrtree.py [--quick]

Needs R with the package DDRTree (Debian: r-base-core and r-cran-ddrtree). Creates a virtual
environment in target/bench-venv, builds midrib in release mode, and prints how well the results
agree and how long each took. See bench/README.md for how to read the results.
"""

import argparse
import json
import shutil
import sys
import time

from environment import ROOT, enter, run

WORK = ROOT / "target" / "bench-ddrtree"
PACKAGES = ["ddrtree-python==0.1.6", "numpy", "scikit-learn"]
MIDRIB = ROOT / "target" / "release" / "midrib"
SIGMA, GAMMA, DIMS, SWEEPS = 1e-3, 10, 2, 20

R_PEER = """
suppressMessages(library(DDRTree))
arguments <- commandArgs(trailingOnly = TRUE)
X <- as.matrix(read.csv(arguments[1]))
X <- t(scale(X, center = TRUE, scale = FALSE))
centers <- if (arguments[2] == "all") NULL else as.integer(arguments[2])
clock <- proc.time()
found <- suppressWarnings(DDRTree(X, dimensions = 2, maxIter = as.integer(arguments[3]),
                                  sigma = 1e-3, ncenter = centers, param.gamma = 10, tol = -1))
spent <- proc.time() - clock
cat(sum(spent[1:2]), "\\n")
save <- function(table, name) {
  file <- paste0(arguments[4], "-", name, ".csv")
  write.table(table, file, sep = ",", row.names = FALSE, col.names = FALSE)
}
save(found$W, "W")
save(t(found$Z), "Z")
save(t(found$Y), "Y")
"""


def objective(X, W, Z, C, n):
    """The objective (31) with the best tree and assignments for these positions."""
    import numpy as np
    from scipy.sparse.csgraph import minimum_spanning_tree
    from scipy.spatial.distance import cdist

    squared = cdist(C, C, "sqeuclidean")
    # Keep edges between equal nodes: a zero would count as no edge.
    tree = minimum_spanning_tree(squared + 1e-300)
    to_nodes = cdist(Z, C, "sqeuclidean")
    least = to_nodes.min(axis=1)
    soft = least - SIGMA * np.log(np.exp((least[:, None] - to_nodes) / SIGMA).sum(axis=1))
    return ((X - Z @ W.T) ** 2).sum() + 5 * n * tree.sum() + GAMMA * soft.sum()


def run_r(data, nodes, sweeps=SWEEPS):
    import numpy as np

    script = WORK / "peer.R"
    script.write_text(R_PEER)
    out, cpu, _, memory = run(["Rscript", script, data, nodes, sweeps, WORK / "r"])
    W, Z, C = (np.loadtxt(WORK / f"r-{name}.csv", delimiter=",") for name in "WZY")
    return {"W": W, "Z": Z, "C": C, "fit": float(out.split()[-1]), "cpu": cpu, "memory": memory}


def python_peer(data, nodes, sweeps, out):
    """ddrtree-python, in a separate process."""
    sys.path.pop(0)  # this file has the same name and would be imported instead
    import ddrtree
    import numpy as np

    X = np.loadtxt(data, delimiter=",", skiprows=1)
    X -= X.mean(axis=0)
    start = time.process_time()
    count = None if nodes == "all" else int(nodes)
    found = ddrtree.DDRTree(
        X.T, dimensions=DIMS, max_iter=sweeps, sigma=SIGMA, ncenter=count, gamma=GAMMA, tol=-1
    )
    print(time.process_time() - start)
    np.savez(out, W=found.W, Z=np.asarray(found.Z).T, C=np.asarray(found.Y).T)


def run_python(data, nodes, sweeps=SWEEPS):
    import numpy as np

    command = [sys.executable, __file__, "--peer", data, nodes, sweeps, WORK / "python.npz"]
    out, cpu, _, memory = run(command)
    found = dict(np.load(WORK / "python.npz"))
    return found | {"fit": float(out.split()[-1]), "cpu": cpu, "memory": memory}


def run_midrib(data, nodes, sweeps=SWEEPS, n=None, flags=(), threads=1):
    import numpy as np

    out = WORK / "fit"
    fit = [MIDRIB, "fit", data, "-m", "ddrtree", "--n-nodes", nodes, "--n-components", DIMS]
    fixed = ["--bandwidth", SIGMA, "--cluster-weight", GAMMA, "--tree-weight", 5 * n] if n else []
    limits = ["--max-iter", sweeps, "--tol", 0] if sweeps else []
    command = [*fit, *fixed, *limits, *flags, "-j", threads, "-o", out, "--force", "-q"]
    _, cpu, wall, memory = run(command, threads)
    model = json.loads((out / "model.json").read_text())
    names = {"W": "basis", "Z": "embedding", "C": "latent_nodes"}
    positions = {key: np.array(model[name]) for key, name in names.items()}
    return positions | {"cpu": cpu, "wall": wall, "memory": memory}


def agreement(ours, theirs):
    """Distance between the spans, and between the embeddings after aligning signs."""
    import numpy as np

    span = np.abs(ours["W"] @ ours["W"].T - theirs["W"] @ theirs["W"].T).max()
    signs = np.sign((ours["Z"] * theirs["Z"]).sum(axis=0))
    return span, np.abs(ours["Z"] * signs - theirs["Z"]).max()


def centered(data):
    import numpy as np

    X = np.loadtxt(data, delimiter=",", skiprows=1)
    return X - X.mean(axis=0)


def synth(name, n, dims, seed=1):
    data = WORK / f"{name}.csv"
    shape = [MIDRIB, "synth", "tree", "--branch-points", 2, "-n", n, "--dims", dims]
    run([*shape, "--seed", seed, "-o", data, "--force", "-q"])
    return data


def iris():
    """Without the repeated row: equal rows leave the choice of edges open."""
    import numpy as np
    from sklearn.datasets import load_iris

    rows = load_iris().data
    _, first = np.unique(rows, axis=0, return_index=True)
    data = WORK / "iris.csv"
    np.savetxt(
        data, rows[np.sort(first)], delimiter=",", header="a,b,c,d", comments="", fmt="%.17g"
    )
    return data


def compare_results():
    print("agreement after 1, 5 and 20 sweeps from the same start, one node per point\n")
    print("| data | sweeps | peer | span(B) | Z | objective midrib | peer |")
    print("|---|--:|---|--:|--:|--:|--:|")
    for name, data in [("iris", iris()), ("tree", synth("tree", 300, 5))]:
        X = centered(data)
        for sweeps in (1, 5, 20):
            ours = run_midrib(data, "all", sweeps, len(X))
            for peer, fit in [("R", run_r), ("python", run_python)]:
                theirs = fit(data, "all", sweeps)
                span, difference = agreement(ours, theirs)
                values = [objective(X, f["W"], f["Z"], f["C"], len(X)) for f in (ours, theirs)]
                print(
                    f"| {name} | {sweeps} | {peer} | {span:.1e} | {difference:.1e}"
                    f" | {values[0]:.9f} | {values[1]:.9f} |",
                    flush=True,
                )


def compare_times(sizes):
    print(
        f"\nCPU seconds, {SWEEPS} sweeps, one thread; the fit alone for the peers,"
        " the whole command for midrib\n"
    )
    print(
        "| N | nodes | midrib | peer | its CPU s | ratio | objective midrib | peer | MB | its MB |"
    )
    print("|--:|--:|--:|---|--:|--:|--:|--:|--:|--:|")
    for n, nodes, peers in sizes:
        data = synth(f"tree-{n}", n, 10)
        X = centered(data)
        ours = run_midrib(data, nodes, SWEEPS, n)
        value = objective(X, ours["W"], ours["Z"], ours["C"], n)
        for peer, fit in peers:
            theirs = fit(data, nodes)
            other = objective(X, theirs["W"], theirs["Z"], theirs["C"], n)
            print(
                f"| {n:,} | {nodes} | {ours['cpu']:.2f} | {peer} | {theirs['fit']:.1f}"
                f" | {theirs['fit'] / ours['cpu']:.0f} | {value:.6f} | {other:.6f}"
                f" | {ours['memory']:.0f} | {theirs['memory']:.0f} |",
                flush=True,
            )


def show_limits():
    import numpy as np

    print("\nlarge data, midrib only, two threads\n")
    print(
        "| N | columns | nodes | settings | CPU s | wall s | peak MB |\n"
        "|--:|--:|--:|---|--:|--:|--:|"
    )

    def show(n, dims, nodes, settings, r):
        used = f"{r['cpu']:.1f} | {r['wall']:.1f} | {r['memory']:.0f}"
        print(f"| {n:,} | {dims:,} | {nodes} | {settings} | {used} |", flush=True)

    data = synth("tree-50000", 50_000, 10)
    show(50_000, 10, "all", "defaults", run_midrib(data, "all", None, threads=2))
    rows = np.random.default_rng(1).normal(size=(500, 20_000)).astype(np.float32)
    rows += np.linspace(0, 40, 500)[:, None] * np.linspace(-1, 1, 20_000)[None, :]
    wide = WORK / "wide.npy"
    np.save(wide, rows)
    show(500, 20_000, "auto", "defaults", run_midrib(wide, "auto", None, threads=2))


def main():
    if sys.argv[1:2] == ["--peer"]:
        data, nodes, sweeps, out = sys.argv[2:]
        return python_peer(data, nodes, int(sweeps), out)
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="skip the long runs")
    parser.add_argument("--prepared", action="store_true", help=argparse.SUPPRESS)
    args = parser.parse_args()
    if shutil.which("Rscript") is None:
        sys.exit("Rscript not found: apt-get install r-base-core r-cran-ddrtree")
    if not args.prepared:
        enter(__file__, PACKAGES)
    WORK.mkdir(parents=True, exist_ok=True)
    compare_results()
    both = [("R", run_r), ("python", run_python)]
    sizes = [(500, "all", both), (2_000, 150, both)]
    compare_times(sizes if args.quick else [*sizes, (10_000, 150, both[:1]), (2_000, "all", both)])
    return show_limits()


if __name__ == "__main__":
    main()
