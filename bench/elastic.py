"""Compares elastic trees of midrib and the Python package elpigraph-python on the same data.

    python3 bench/elastic.py [--quick] [--trees 100]

Creates a virtual environment in target/bench-venv, builds midrib in release mode, generates the
data, runs both and prints the results. See bench/README.md for how to read them.
"""

import argparse
import contextlib
import gzip
import io
import json
import sys
import time

from environment import DATA, ROOT, enter, run

WORK = ROOT / "target" / "bench-elastic"
MIDRIB = ROOT / "target" / "release" / "midrib"
PACKAGES = ["elpigraph-python==0.3.4", "numpy", "scikit-learn"]
NODES = 50
STRETCHING, BENDING = 0.01, 0.1
SIZES = [(2_000, 50), (10_000, 10), (100_000, 10)]
LARGE = (1_000_000, 10)
SMALL_SIZES = [(2_000, 10), (2_000, 50)]
# Method, nodes, stretching, bending, and the energy in the guide of ElPiGraph's R package.
GUIDE = {
    "elpigraph_curve_data": ("elastic-curve", 60, 0.01, 0.1, 0.07975),
    "elpigraph_circle_data": ("elastic-ring", 40, 0.01, 0.1, 0.04107),
    "elpigraph_tree_data": ("elastic-tree", 60, 0.03, 0.01, 0.01848),
}
PEERS = {
    "elastic-curve": "computeElasticPrincipalCurve",
    "elastic-ring": "computeElasticPrincipalCircle",
    "elastic-tree": "computeElasticPrincipalTree",
}
# Tips with a smaller share of the points are pruned before the topology is compared.
LIGHT_TIP = 0.02


def read(path):
    import numpy as np

    return np.loadtxt(path, delimiter=",", skiprows=1, ndmin=2)


def neighbors(count, edges):
    near = [[] for _ in range(count)]
    for a, b in edges:
        near[a].append(b)
        near[b].append(a)
    return near


def nearest(points, nodes):
    """The nearest node of each point, and its squared distance."""
    import numpy as np

    owner = np.empty(len(points), dtype=int)
    least = np.empty(len(points))
    for start in range(0, len(points), 50_000):
        block = points[start : start + 50_000]
        squared = ((block[:, None, :] - nodes[None]) ** 2).sum(axis=2)
        owner[start : start + len(block)] = squared.argmin(axis=1)
        least[start : start + len(block)] = squared.min(axis=1)
    return owner, least


def energy(points, nodes, edges, stretching, bending):
    """The same measure for both: Gorban2009, eq. (6) with the mean square."""
    total = nearest(points, nodes)[1].mean()
    total += stretching * sum(((nodes[a] - nodes[b]) ** 2).sum() for a, b in edges)
    for center, adjacent in enumerate(neighbors(len(nodes), edges)):
        if len(adjacent) > 1:
            total += bending * ((nodes[center] - nodes[adjacent].mean(axis=0)) ** 2).sum()
    return float(total)


def pruned(points, nodes, edges):
    """Tips and branch points after pruning the lightest terminal branches, one by one."""
    import numpy as np

    mass = np.bincount(nearest(points, nodes)[0], minlength=len(nodes)) / len(points)
    edges = [tuple(edge) for edge in edges]
    while True:
        near = neighbors(len(nodes), edges)
        branching = [node for node, adjacent in enumerate(near) if len(adjacent) > 2]
        if not branching:
            break
        terminal = []
        for tip in (node for node, adjacent in enumerate(near) if len(adjacent) == 1):
            branch, before, here = [tip], None, tip
            while True:
                onward = [node for node in near[here] if node != before]
                before, here = here, onward[0]
                if len(near[here]) != 2:
                    break
                branch.append(here)
            terminal.append((float(mass[branch].sum()), branch))
        share, branch = min(terminal)
        if share >= LIGHT_TIP:
            break
        edges = [edge for edge in edges if not set(edge) & set(branch)]
    near = neighbors(len(nodes), edges)
    return sum(len(adjacent) == 1 for adjacent in near), sum(len(adjacent) > 2 for adjacent in near)


def peer(method, count, stretching, bending, files):
    """Fits by elpigraph-python in a separate process, after a warm-up."""
    import elpigraph
    import numpy as np

    learn = getattr(elpigraph, PEERS[method])
    settings = {"Lambda": stretching, "Mu": bending}
    for at, data in enumerate(files):
        points = read(data)
        points = points - points.mean(axis=0)
        with contextlib.redirect_stdout(io.StringIO()):
            if at == 0:
                learn(points[:300], 8, **settings)
            start = time.process_time()
            found = learn(points, count, **settings)
            cpu = time.process_time() - start
        found = found[0] if isinstance(found, list) else found
        nodes, edges = np.asarray(found["NodePositions"]), np.asarray(found["Edges"][0]).tolist()
        shape = pruned(points, nodes, edges)
        value = energy(points, nodes, edges, stretching, bending)
        print(json.dumps({"cpu": cpu, "energy": value, "shape": shape}), flush=True)


def run_peers(files, method, count, stretching, bending, threads=1):
    command = [sys.executable, __file__, "--peer", method, count, stretching, bending, *files]
    out, _, _, memory = run(command, threads)
    found = [json.loads(line) for line in out.splitlines() if line.startswith("{")]
    return [one | {"memory": memory} for one in found]


def run_midrib(data, method, count, stretching, bending, threads=1, repeats=3):
    import numpy as np

    out = WORK / "fit"
    command = [MIDRIB, "fit", data, "--method", method, "--n-nodes", count, "-j", threads]
    command += ["--stretching", stretching, "--bending", bending, "-o", out, "--force", "-q"]
    if method == "elastic-tree":
        command += ["--tips", "keep"]
    runs = [run(command, threads) for _ in range(repeats)]
    _, cpu, wall, memory = min(runs, key=lambda r: r[1])
    model = json.loads((out / "model.json").read_text())
    nodes, edges = np.array(model["nodes"]), [edge[:2] for edge in model["edges"]]
    points = read(data)
    return {
        "cpu": cpu,
        "wall": wall,
        "memory": memory,
        "energy": energy(points, nodes, edges, stretching, bending),
        "shape": pruned(points, nodes, edges),
    }


def synth(n, dims, branch_points, seed):
    data = WORK / f"tree-{n}-{dims}-{branch_points}-{seed}.csv"
    if not data.exists():
        command = [MIDRIB, "synth", "tree", "--branch-points", branch_points, "--dims", dims]
        run([*command, "-n", n, "--seed", seed, "-o", data, "--force", "-q"])
    return data


def speed(sizes, large):
    print(f"\nTrees of {NODES} nodes, two branch points; midrib on one thread,")
    print("elpigraph with its default threads and on one thread\n")
    names = "N | D | midrib CPU s | elpigraph CPU s | ratio | on one thread | ratio"
    print(f"| {names} | energy midrib | elpigraph | MB | its |")
    print("|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|", flush=True)
    for n, dims in sizes:
        data = synth(n, dims, 2, 1)
        ours = run_midrib(data, "elastic-tree", NODES, STRETCHING, BENDING)
        settings = ([data], "elastic-tree", NODES, STRETCHING, BENDING)
        [theirs], [single] = run_peers(*settings, threads=None), run_peers(*settings)
        row = [f"{n:,}", dims, f"{ours['cpu']:.2f}"]
        for other in (theirs, single):
            row += [f"{other['cpu']:.1f}", f"{other['cpu'] / ours['cpu']:.0f}"]
        row += [f"{ours['energy']:.6f}", f"{theirs['energy']:.6f}"]
        row += [f"{ours['memory']:.0f}", f"{theirs['memory']:.0f}"]
        print("| " + " | ".join(map(str, row)) + " |", flush=True)
    if large:
        n, dims = LARGE
        data = synth(n, dims, 2, 1)
        ours = run_midrib(data, "elastic-tree", NODES, STRETCHING, BENDING, threads=2, repeats=1)
        print(
            f"\n{n:,} x {dims}, two threads: {ours['wall']:.1f} s wall time,"
            f" {ours['cpu']:.1f} s CPU, energy {ours['energy']:.6f}, {ours['memory']:.0f} MB"
        )


def guide():
    print("\nThe data of ElPiGraph's guide\n")
    print(
        "| set | nodes | midrib | elpigraph here | its guide |\n|---|--:|--:|--:|--:|", flush=True
    )
    for name, (method, count, stretching, bending, printed) in GUIDE.items():
        packed = DATA / name / "data.csv.gz"
        if not packed.exists():
            print(f"skipped: {packed} not found; set MIDRIB_DATA")
            continue
        data = WORK / f"{name}.csv"
        data.write_bytes(gzip.decompress(packed.read_bytes()))
        settings = (method, count, stretching, bending)
        ours = run_midrib(data, *settings, repeats=1)
        [theirs] = run_peers([data], *settings)
        row = [f"{ours['energy']:.5f}", f"{theirs['energy']:.5f}", f"{printed:.5f}"]
        print(f"| {name} | {count} | " + " | ".join(row) + " |", flush=True)


def topologies(count):
    right = {"midrib": 0, "elpigraph": 0}
    lower = 0
    files = [synth(600, 10, seed % 5, seed) for seed in range(count)]
    settings = ("elastic-tree", NODES, STRETCHING, BENDING)
    for seed, theirs in enumerate(run_peers(files, *settings)):
        ours = run_midrib(files[seed], *settings, repeats=1)
        truth = (seed % 5 + 2, seed % 5)
        right["midrib"] += tuple(ours["shape"]) == truth
        right["elpigraph"] += tuple(theirs["shape"]) == truth
        lower += ours["energy"] <= theirs["energy"]
    print(
        f"\n{count} trees of 2 to 6 tips, 600 x 10: tips and branch points correct for midrib in"
        f" {right['midrib']}, for elpigraph in {right['elpigraph']};"
        f" midrib's energy is lower in {lower}"
    )


def main():
    if sys.argv[1:2] == ["--peer"]:
        method, count, stretching, bending, *files = sys.argv[2:]
        return peer(method, int(count), float(stretching), float(bending), files)
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="smallest sizes, 5 trees")
    parser.add_argument(
        "--trees", type=int, default=100, help="number of trees in the topology comparison"
    )
    parser.add_argument("--prepared", action="store_true", help=argparse.SUPPRESS)
    args = parser.parse_args()
    if not args.prepared:
        enter(__file__, PACKAGES)
    WORK.mkdir(parents=True, exist_ok=True)
    speed(SMALL_SIZES if args.quick else SIZES, large=not args.quick)
    guide()
    return topologies(5 if args.quick else args.trees)


if __name__ == "__main__":
    main()
