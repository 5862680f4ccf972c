"""How time and memory of the chapter's methods grow with the number of points.

    python3 bench/growth.py [METHOD ...]

Builds midrib in release mode and runs whole commands with default settings and threads: pca,
kmeans, som and gtm on trees of up to 1,000,000 points in 20 columns, and eigenmap and isomap on a
curved sheet of up to 50,000 points in 50 columns.
"""

import sys

from environment import ROOT, enter, run

WORK = ROOT / "target" / "bench-growth"
PACKAGES = ["numpy", "scikit-learn"]
TREES, SHEETS = [10_000, 100_000, 1_000_000], [12_500, 25_000, 50_000]
SIZES = {
    "pca": TREES,
    "kmeans": TREES,
    "som": TREES,
    "gtm": TREES,
    "eigenmap": SHEETS,
    "isomap": SHEETS,
}
MIDRIB = ROOT / "target" / "release" / "midrib"


def tree(n):
    """Points around a tree in 20 columns."""
    import numpy as np

    table = WORK / f"tree{n}.npy"
    if not table.exists():
        text = table.with_suffix(".csv")
        run([MIDRIB, "synth", "tree", "-n", n, "-d", 20, "-o", text, "--force", "-q"])
        header = text.open().readline().strip().split(",")
        numbers = [i for i, name in enumerate(header) if name.startswith("x")]
        np.save(table, np.loadtxt(text, delimiter=",", skiprows=1, usecols=numbers))
        text.unlink()
    return table


def sheet(n):
    """Points of a curved sheet in 50 columns."""
    import numpy as np
    from implicit import sheet

    table = WORK / f"sheet{n}.npy"
    np.save(table, sheet(n))
    return table


def main():
    if "--prepared" not in sys.argv:
        enter(__file__, PACKAGES)
    WORK.mkdir(parents=True, exist_ok=True)
    named = [name for name in sys.argv[1:] if not name.startswith("--")]
    print("| method | N | CPU s | wall s | peak MB |\n|---|--:|--:|--:|--:|")
    for method in named or SIZES:
        for n in SIZES[method]:
            table = tree(n) if SIZES[method] is TREES else sheet(n)
            out = WORK / "fit"
            command = [MIDRIB, "fit", table, "-m", method, "-o", out, "--force", "-q"]
            _, cpu, wall, memory = run(command, threads=None)
            print(f"| {method} | {n:,} | {cpu:.1f} | {wall:.1f} | {memory:,.0f} |", flush=True)


if __name__ == "__main__":
    main()
