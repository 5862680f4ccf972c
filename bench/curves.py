"""Compares principal curves: midrib and R's princurve on princurve's own test sets.

    python3 bench/curves.py

Needs R with the package princurve (Debian: r-base-core and r-cran-princurve); without it nothing is
compared. Builds midrib in release mode, and prints the mean squared distance of both curves and the
correlation of the arc lengths of the projections. See bench/README.md.
"""

import cmath
import csv
import json
import math
import shutil
import subprocess
import sys
import time

from environment import ROOT, build, run

WORK = ROOT / "target" / "bench-curves"
MIDRIB = ROOT / "target" / "release" / "midrib"

# The sets of princurve's tests: a curve (z, z^2, z^3, z^4) with little noise, and a circle.
R_PEER = """
suppressMessages(library(princurve))
folder <- commandArgs(trailingOnly = TRUE)[1]
set.seed(1)
z <- sample(seq(-1, 1, length.out = 100))
powers <- cbind(z, z^2, z^3, z^4)
powers <- powers + rnorm(length(powers), sd = 0.005)
angle <- runif(200, 0, 2 * pi)
circle <- cbind(cos(angle), sin(angle)) + rnorm(400, sd = 0.05)
sets <- list(powers = powers, circle = circle)
smoothers <- list(powers = c("smooth_spline", "lowess"), circle = "periodic_lowess")
for (name in names(sets)) {
  write.csv(sets[[name]], file.path(folder, paste0(name, ".csv")), row.names = FALSE)
  for (smoother in smoothers[[name]]) {
    clock <- proc.time()
    fit <- principal_curve(sets[[name]], thresh = 0.001, maxit = 10, stretch = 2,
                           smoother = smoother)
    spent <- (proc.time() - clock)[3]
    cat(name, smoother, fit$dist / nrow(sets[[name]]), spent, "\\n")
    write(fit$lambda, file.path(folder, paste0(name, "-", smoother, ".txt")), ncolumns = 1)
  }
}
"""

FLAGS = {
    "smooth_spline": ["--smoother", "spline"],
    "lowess": ["--span", "0.1"],
    "periodic_lowess": ["--structure", "closed", "--span", "0.1"],
}


def learn(name, smoother):
    """Mean squared distance and arc lengths of midrib's curve, and the seconds that it took."""
    out = WORK / f"{name}-{smoother}"
    command = [MIDRIB, "fit", WORK / f"{name}.csv", "--method", "curve", *FLAGS[smoother]]
    began = time.perf_counter()
    run([*command, "-o", out, "-q", "--force"])
    spent = time.perf_counter() - began
    model = json.loads((out / "model.json").read_text())
    nodes, edges = model["nodes"], model["edges"]
    lengths = [math.dist(nodes[a], nodes[b]) for a, b, *_ in edges]
    total = sum(lengths)
    starts, length = [], 0.0
    for (a, b, *_), own in zip(edges, lengths, strict=False):
        closes = a == 0 and b == len(nodes) - 1 and len(edges) == len(nodes)
        starts.append(total if closes else length)
        length += 0.0 if closes else own
    arcs, squares = [], []
    with (out / "points.csv").open() as file:
        for row in csv.DictReader(file):
            edge, pos = int(row["edge"]), float(row["edge_pos"])
            sign = -1.0 if starts[edge] == total else 1.0
            arcs.append(starts[edge] + sign * pos * lengths[edge])
            squares.append(float(row["distance"]) ** 2)
    return sum(squares) / len(squares), arcs, total, spent


def correlation(a, b):
    """The absolute correlation of two lists."""
    mean_a, mean_b = sum(a) / len(a), sum(b) / len(b)
    product = sum((x - mean_a) * (y - mean_b) for x, y in zip(a, b, strict=False))
    squares = [sum((x - mean) ** 2 for x in xs) for xs, mean in ((a, mean_a), (b, mean_b))]
    return abs(product) / math.sqrt(squares[0] * squares[1])


def around(a, b):
    """The same for positions around a closed curve, as complex numbers of length 1."""
    turned = [
        sum(x * y for x, y in zip(a, other, strict=False))
        for other in (b, [y.conjugate() for y in b])
    ]
    return max(abs(turn) for turn in turned) / len(a)


def main():
    r = shutil.which("Rscript")
    has = r and subprocess.run([r, "-e", "library(princurve)"], capture_output=True).returncode == 0
    if not has:
        sys.exit("skipped: install R and its package princurve (Debian: r-cran-princurve)")
    WORK.mkdir(parents=True, exist_ok=True)
    build()
    script = WORK / "peer.R"
    script.write_text(R_PEER)
    found = subprocess.run([r, script, WORK], capture_output=True, text=True, check=True).stdout
    print("set      smoother         princurve   midrib      correlation   seconds (R, midrib)")
    for line in found.splitlines():
        name, smoother, distance, spent = line.split()
        own, arcs, total, seconds = learn(name, smoother)
        peer = [float(x) for x in (WORK / f"{name}-{smoother}.txt").read_text().split()]
        if name == "circle":
            circle = [
                [cmath.exp(2j * math.pi * x / of) for x in xs]
                for xs, of in ((arcs, total), (peer, max(peer)))
            ]
            same = around(*circle)
        else:
            same = correlation(arcs, peer)
        print(
            f"{name:8} {smoother:16} {float(distance):.4e}  {own:.4e}  {same:.5f}       "
            f"{float(spent):.2f}, {seconds:.2f}"
        )


if __name__ == "__main__":
    main()
