"""Compares midrib's maps with minisom, xpysom and ugtm on the same data.

    python3 bench/maps.py [--quick]

Creates a virtual environment in target/bench-venv, builds midrib in release mode, runs all on one
thread and prints one table per kind of map. See bench/README.md for how to read it.
"""

import json
import sys
import time

from environment import ROOT, enter, run

WORK = ROOT / "target" / "bench-maps"
PACKAGES = ["minisom==2.3.6", "xpysom==1.0.7", "ugtm==2.3.0", "scikit-learn", "numpy"]
SIDES = (10, 10)
EPOCHS = 40
GTM_SIDES, GTM_FUNCTIONS, EM_STEPS = 16, 4, 200
# The defaults of ugtm, whose s is a squared width in squared steps.
SQUARED_WIDTH, RIDGE = 0.3, 0.1
REPEATS = 3
# Passes are short next to the rest of the command: so many times as many are measured.
MANY = 5


def tables(quick):
    """Standardized digits, and points around a tree in 20 dimensions."""
    import numpy as np
    from sklearn.datasets import load_digits

    digits = load_digits().data
    digits = digits[:, digits.std(axis=0) > 0]
    found = {"digits": (digits - digits.mean(axis=0)) / digits.std(axis=0)}
    midrib = ROOT / "target" / "release" / "midrib"
    for n in [2_000] if quick else [5_000, 20_000]:
        csv = WORK / f"tree{n}.csv"
        run([midrib, "synth", "tree", "-n", n, "-d", 20, "-o", csv, "--force", "-q"])
        header = csv.open().readline().strip().split(",")
        numbers = [i for i, name in enumerate(header) if name.startswith("x")]
        found[f"tree {n}x20"] = np.loadtxt(csv, delimiter=",", skiprows=1, usecols=numbers)
    return found


def distances(points, nodes):
    import numpy as np

    squared = (points**2).sum(axis=1)[:, None] + (nodes**2).sum(axis=1) - 2 * points @ nodes.T
    return np.maximum(squared, 0)


def quantization(points, nodes):
    """The mean distance to the nearest node."""
    import numpy as np

    return float(np.sqrt(distances(points, nodes).min(axis=1)).mean())


def log_likelihood(points, nodes, precision):
    """That of the mixture, without a penalty, per point."""
    import numpy as np

    logits = -0.5 * precision * distances(points, nodes)
    most = logits.max(axis=1)
    sums = np.log(np.exp(logits - most[:, None]).sum(axis=1)) + most
    dims = points.shape[1]
    return float(sums.mean() - np.log(len(nodes)) + 0.5 * dims * np.log(precision / 2 / np.pi))


def minisom(points):
    from minisom import MiniSom

    som = MiniSom(*SIDES, points.shape[1], sigma=2.5, learning_rate=0.5, random_seed=0)
    som.pca_weights_init(points)
    som.train_random(points, EPOCHS * len(points))
    return {"quality": quantization(points, som.get_weights().reshape(-1, points.shape[1]))}


def xpysom(points):
    import numpy as np
    from xpysom import XPySom

    # std_coeff = 1: the Gaussian of the paper, as wide as midrib's.
    radii = {"sigma": 2.5, "sigmaN": 0.5, "std_coeff": 1}
    som = XPySom(*SIDES, points.shape[1], **radii, random_seed=0, xp=np)
    som.pca_weights_init(points)
    som.train(points, EPOCHS)
    return {"quality": quantization(points, som.get_weights().reshape(-1, points.shape[1]))}


def ugtm(points):
    import ugtm

    grid = {"k": GTM_SIDES, "m": GTM_FUNCTIONS}
    model = ugtm.runGTM(points, **grid, s=SQUARED_WIDTH, regul=RIDGE, niter=EM_STEPS)
    nodes = model.matY.T if model.matY.shape[0] == points.shape[1] else model.matY
    return {"quality": log_likelihood(points, nodes, 1 / model.betaInv)}


PEERS = {"minisom": minisom, "xpysom": xpysom, "ugtm": ugtm}


def peer(name, table):
    """Fits by a peer in this process; prints its quality and CPU seconds."""
    import numpy as np

    points = np.load(table)
    fit = PEERS[name]
    fit(points[:200])  # imports and warm-up
    start = time.process_time()
    found = fit(points)
    print("\n" + json.dumps(found | {"seconds": time.process_time() - start}))


def midrib(table, steps, flags):
    """The CPU seconds of the whole command and of its passes alone, and its model."""
    out = WORK / "fit"
    command = [ROOT / "target" / "release" / "midrib", "fit", table, "-j", 1, *flags]
    command += ["-o", out, "--force", "-q", "--max-iter"]

    def least(steps):
        return min(run([*command, steps])[1] for _ in range(REPEATS))

    none, many, whole = least(0), least(MANY * steps), least(steps)
    return whole, (many - none) / MANY, json.loads((out / "model.json").read_text())


def mixture_quality(points, model):
    import numpy as np

    precision = model["net"]["mixture"]["precision"]
    return log_likelihood(points, np.array(model["nodes"]), precision)


def steps_to(quality, trace, n):
    """The fewest EM steps, at least one, after which the log-likelihood per point is that high."""
    reached = (step for step, cost in enumerate(trace) if -cost / n >= quality)
    return max(next(reached, len(trace) - 1), 1)


def row(*cells):
    print("| " + " | ".join(str(cell) for cell in cells) + " |")


def compare(name, points):
    import numpy as np

    table = WORK / "points.npy"
    np.save(table, points)

    def of_peer(which):
        out, *_ = run([sys.executable, __file__, "--peer", which, table])
        return json.loads(out.strip().splitlines()[-1])

    sides = "x".join(map(str, SIDES))
    whole, seconds, model = midrib(table, EPOCHS, ["-m", "som", "--sides", sides])
    ours = quantization(points, np.array(model["nodes"]))
    row(name, "som", "midrib", f"{ours:.4f}", f"{seconds:.3f}", f"{whole:.2f}", "")
    for which in ["minisom", "xpysom"]:
        theirs = of_peer(which)
        times = f"{theirs['seconds'] / seconds:.1f}"
        row(name, "som", which, f"{theirs['quality']:.4f}", f"{theirs['seconds']:.3f}", "", times)
    functions = f"{GTM_FUNCTIONS}x{GTM_FUNCTIONS}"
    flags = ["-m", "gtm", "--sides", f"{GTM_SIDES}x{GTM_SIDES}", "--functions", functions]
    flags += ["--width", SQUARED_WIDTH**0.5, "--ridge", RIDGE, "--tol", 0]
    whole, seconds, model = midrib(table, EM_STEPS, flags)
    ours = mixture_quality(points, model)
    label = f"midrib, {EM_STEPS} steps"
    row(name, "gtm", label, f"{ours:.4f}", f"{seconds:.3f}", f"{whole:.2f}", "")
    theirs = of_peer("ugtm")
    steps = steps_to(theirs["quality"], model["trace"], len(points))
    soon = seconds * steps / EM_STEPS
    whole, _, model = midrib(table, steps, flags)
    ours = mixture_quality(points, model)
    row(name, "gtm", f"midrib, {steps} steps", f"{ours:.4f}", f"{soon:.3f}", f"{whole:.2f}", "")
    times = f"{theirs['seconds'] / seconds:.1f}, {theirs['seconds'] / soon:.1f}"
    row(name, "gtm", "ugtm", f"{theirs['quality']:.4f}", f"{theirs['seconds']:.3f}", "", times)


def main():
    if "--peer" in sys.argv:
        at = sys.argv.index("--peer")
        return peer(sys.argv[at + 1], sys.argv[at + 2])
    if "--prepared" not in sys.argv:
        enter(__file__, PACKAGES)
    WORK.mkdir(parents=True, exist_ok=True)
    print(
        "som: mean distance to the nearest node; gtm: log-likelihood per point; one thread;\n"
        f"fit: CPU seconds of the passes; of midrib a {MANY}th of the command with {MANY} times as"
        f" many minus\nthe same without (least of {REPEATS} each), of a peer its call after a"
        " warm-up\n"
    )
    row("table", "map", "program", "quality", "fit CPU s", "whole CPU s", "fit / midrib's")
    row(*["---"] * 7)
    for name, points in tables("--quick" in sys.argv).items():
        compare(name, points)


if __name__ == "__main__":
    main()
