"""Features along graphs: calibration, power, speed, and known genes.

    python3 bench/trends.py [--speed]

Needs the Python package in the environment (maturin develop --release). Oracles are scipy (F tests,
false discovery rates) and, for the ratio of speeds, statsmodels' OLS on the same design.
"""

import sys
import time

import midrib
import numpy as np
from environment import DATA
from scipy import sparse, stats

NULLS = 2000
ERYTHROID = ["Gata1", "Klf1", "Hba-a2", "Car2"]
MYELOID = ["Elane", "Mpo", "Prtn3", "Ctsg"]


def graphs():
    """A path, a fork and a ring of short edges in the plane, rooted at node 0."""
    line = np.column_stack([np.linspace(0, 2, 41), np.zeros(41)])
    angle = np.linspace(0, 2 * np.pi, 40, endpoint=False)
    arm = np.linspace(0.05, 1, 20)
    stem = np.column_stack([np.linspace(0, 1, 21), np.zeros(21)])
    up, down = (np.column_stack([1 + arm, sign * arm]) for sign in (1, -1))
    chain = [[i, i + 1] for i in range(39)]
    forked = [[i, i + 1] for i in range(20)] + [[20, 21], [20, 41]]
    forked += [[i, i + 1] for i in [*range(21, 40), *range(41, 60)]]
    ring = np.column_stack([np.cos(angle), np.sin(angle)])
    return {
        "path": (line, [*chain, [39, 40]]),
        "tree": (np.vstack([stem, up, down]), forked),
        "ring": (ring, [*chain, [39, 0]]),
    }


def points(graph, n, skew, rng):
    """Points on the edges, less dense away from the origin by this factor per unit."""
    found = np.empty((0, 2))
    while len(found) < n:
        edge = graph.edges[rng.integers(len(graph.edges), size=4 * n)]
        share = rng.random((4 * n, 1))
        at = (1 - share) * graph.nodes[edge[:, 0]] + share * graph.nodes[edge[:, 1]]
        found = np.vstack([found, at[rng.random(4 * n) < skew ** -np.abs(at[:, 0])]])
    return found[:n]


def calibration():
    print("| graph | density | noise | points | share of p < .05 | .01 | .001 |")
    print("|---|---|---|--:|--:|--:|--:|")
    for name, (nodes, edges) in graphs().items():
        graph = midrib.Graph.from_edges(nodes, edges).root(0)
        for density, skew in [("even", 1.0), ("unequal, 8 : 1 per unit", 8.0)]:
            for noise in ["gaussian", "negative binomial"]:
                n = 500
                rng = np.random.default_rng(20)
                X = points(graph, n, skew, rng)
                if noise == "gaussian":
                    Y, model = rng.normal(size=(n, NULLS)), "gaussian"
                else:
                    size = rng.lognormal(0, 0.3, (n, 1))
                    rate = 2 * size * rng.gamma(2, 0.5, size=(n, NULLS))
                    Y, model = rng.poisson(rate).astype(float), "counts"
                found = midrib.trends(graph, Y, on=X, noise=model)
                shares = [(found["p"] < level).mean() for level in (0.05, 0.01, 0.001)]
                cells = " | ".join(f"{share:.4f}" for share in shares)
                print(f"| {name} | {density} | {noise} | {n} | {cells} |", flush=True)


def oracles():
    nodes, edges = graphs()["tree"]
    graph = midrib.Graph.from_edges(nodes, edges).root(0)
    rng = np.random.default_rng(3)
    worst = np.zeros(3)
    for _ in range(200):
        n = int(rng.integers(30, 400))
        X = points(graph, n, 1.0, rng)
        Y = rng.normal(size=(n, 20)) + np.outer(graph.pseudotime(X), rng.normal(size=20))
        found = midrib.trends(graph, Y, on=X)
        log = stats.f.logsf(found["F"], found["df1"], found["df2"])
        p = np.exp(log)
        q = stats.false_discovery_control(p)
        log10 = -log / np.log(10)
        pairs = [(found["p"], p), (found["neg_log10_p"], log10), (found["q"], q)]
        worst = np.maximum(worst, [np.max(np.abs(a / b - 1)) for a, b in pairs])
    print(
        "200 designs: largest relative error of p, log p, q: "
        + ", ".join(f"{error:.1e}" for error in worst)
    )


def power():
    nodes, edges = graphs()["tree"]
    graph = midrib.Graph.from_edges(nodes, edges).root(0)
    rng = np.random.default_rng(4)
    X = points(graph, 2000, 1.0, rng)
    on = graph.project(X)
    branch = np.unique(on.branch)[-1]
    pseudotime = graph.pseudotime(on)
    bump = np.exp(-(((pseudotime - 1.7) / 0.25) ** 2)) * (on.branch == branch)
    Y = bump[:, None] + rng.normal(size=(2000, 500))
    found = midrib.trends(graph, Y, on=on)
    fork = midrib.trends(graph, Y, on=on, fork=int(graph.branch_points[0]))
    print(
        f"bump of 1 sd on one branch, 2,000 points: found {np.mean(found['q'] < 0.05):.3f}, "
        f"by the fork test {np.mean(fork['q'] < 0.05):.3f}"
    )


def known_genes():
    folder = DATA / "paul15_240g"
    if not folder.is_dir():
        print(f"skipped: {folder} not found; set MIDRIB_DATA")
        return
    with np.load(folder / "data.npz", allow_pickle=False) as data:
        counts, names = data["X"].astype(float), [str(name) for name in data["cols"]]
    kinds = np.array((folder / "labels.csv").read_text().split("\n")[1 : len(counts) + 1])
    total = counts.sum(axis=1, keepdims=True)
    logs = np.log1p(counts / total * np.median(total))
    left, size, _ = np.linalg.svd(logs - logs.mean(axis=0), full_matrices=False)
    X = left[:, :5] * size[:5]
    graph = midrib.fit(X)
    on = graph.project(X)
    root = max(
        graph.tips, key=lambda tip: np.mean(kinds[on.node == tip] == "Multipotent progenitors")
    )
    graph = graph.root(int(root))
    print(f"{graph!r}, root {root}")
    for fork in graph.branch_points:
        found = midrib.trends(graph, logs, on=on, features=names, fork=int(fork))
        order = found.sort_values("neg_log10_p", ascending=False)["feature"].tolist()
        for genes in (ERYTHROID, MYELOID):
            for gene in (gene for gene in genes if gene in names):
                row = found[found["feature"] == gene].iloc[0]
                print(
                    f"fork {fork}: {gene} is number {order.index(gene) + 1} of {len(names)}, "
                    f"highest on branch {row['highest_branch']} "
                    f"({_most(kinds[on.branch == row['highest_branch']])})"
                )


def _most(kinds):
    values, counts = np.unique(kinds, return_counts=True)
    return values[counts.argmax()]


def timed(call):
    start = time.perf_counter()
    result = call()
    return result, time.perf_counter() - start


def speed():
    from statsmodels.regression.linear_model import OLS

    nodes, edges = graphs()["tree"]
    graph = midrib.Graph.from_edges(nodes, edges).root(0)
    rng = np.random.default_rng(5)
    X = points(graph, 2000, 1.0, rng)
    Y = rng.normal(size=(2000, 10_000))
    on = graph.project(X)
    _, wall = timed(lambda: midrib.trends(graph, Y, on=on))
    time_of_point = graph.pseudotime(on)
    design = np.column_stack([time_of_point**power for power in range(8)])
    _, peer = timed(lambda: [OLS(Y[:, j], design).fit().f_pvalue for j in range(200)])
    print(
        f"2,000 x 10,000 dense: {wall:.1f} s; "
        f"OLS of statsmodels takes {peer / 200 * 1e4:.0f} s for as many"
    )
    X = points(graph, 100_000, 1.0, rng)
    on = graph.project(X)
    Y = sparse.random(100_000, 20_000, density=0.05, format="csr", dtype=np.float32, rng=rng)
    _, wall = timed(lambda: midrib.trends(graph, Y, on=on))
    print(f"100,000 x 20,000 csr at 5 %: {wall:.0f} s")


if __name__ == "__main__":
    if "--speed" in sys.argv:
        speed()
    else:
        oracles()
        calibration()
        power()
        known_genes()
