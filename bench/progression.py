"""The order of classes along trees of real data.

    python3 bench/progression.py [metabric_300g] [genome7_ecoli_mg1655 ...]

METABRIC as in section 6.5 of Mao2017: the molecular subtypes along the paths from normal-like
tumors to basal and Her2 tumors. The seven clusters of genomes as in Fig. 5 of Gorban2009: the
phases of genes at the tips of the tree. All data sets use the same settings. The metro maps are
written to target/bench-progression.
"""

import csv
import subprocess
from collections import Counter

from environment import DATA, ROOT, build, chosen

MIDRIB = ROOT / "target" / "release" / "midrib"
WORK = ROOT / "target" / "bench-progression"
CANCER = "metabric_300g"
GENOMES = ["ecoli_mg1655", "klebsiella_mgh78578", "vcholerae_o395", "hpylori_g27", "saureus_col"]
SETTINGS = ["--method", "elastic-tree", "--pca", 10]
SECTIONS = 6


def midrib(*arguments):
    command = [MIDRIB, *map(str, arguments)]
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout


def learn(name, label):
    """The directory of the results, with a metro map next to it."""
    out, folder = WORK / name, DATA / name
    labels = ["--labels", folder / "labels.csv"]
    midrib("fit", folder / "data.npz", *labels, *SETTINGS, "-o", out, "--force", "-q")
    drawing = ["--view", "metro", "--color", label, "-o", WORK / f"{name}.png", "--force"]
    midrib("draw", out, *drawing)
    return out


def shares(classes, most):
    """The most frequent classes with their percentages."""
    counts = Counter(classes).most_common(most)
    return ", ".join(f"{kind} {100 * count / len(classes):.0f} %" for kind, count in counts)


def along(model, label, start, end):
    flags = ["--from", f"{label}=={start}", "--to", f"{label}=={end}"]
    rows = list(csv.DictReader(midrib("path", model, *flags, "-q").splitlines()))
    classes = [row[label] for row in rows]
    cuts = [len(classes) * i // SECTIONS for i in range(SECTIONS + 1)]
    sections = [shares(classes[a:b], 2) for a, b in zip(cuts, cuts[1:], strict=False)]
    print(f"| {start} to {end} | {len(rows):,} | {' | '.join(sections)} |", flush=True)


def subtypes():
    label = "pam50_claudin"
    model = learn(CANCER, label)
    numbers = " | ".join(f"section {i + 1}" for i in range(SECTIONS))
    print(f"| path | points | {numbers} |\n|---|--:|{'---|' * SECTIONS}")
    along(model, label, "Normal", "Basal")
    along(model, label, "Normal", "Her2")


def phases(names):
    print("| genome | tips | classes at the tips |\n|---|--:|---|")
    for name in names:
        model = learn(name, "class")
        with (model / "edges.csv").open() as table:
            degrees = Counter(row[node] for row in csv.DictReader(table) for node in "ab")
        tips = [node for node, degree in degrees.items() if degree == 1]
        with (DATA / name / "labels.csv").open() as table:
            classes = [row["class"] for row in csv.DictReader(table)]
        near = {tip: [] for tip in tips}
        with (model / "points.csv").open() as table:
            for row, kind in zip(csv.DictReader(table), classes, strict=True):
                near.get(row["node"], []).append(kind)
        found = "; ".join(sorted(shares(kinds, 1) for kinds in near.values() if kinds))
        print(f"| {name.removeprefix('genome7_')} | {len(tips)} | {found} |", flush=True)


def main():
    names = chosen([CANCER, *(f"genome7_{genome}" for genome in GENOMES)])
    build()
    WORK.mkdir(parents=True, exist_ok=True)
    if CANCER in names:
        subtypes()
        print()
    if genomes := [name for name in names if name != CANCER]:
        phases(genomes)


if __name__ == "__main__":
    main()
