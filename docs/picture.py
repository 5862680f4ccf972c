"""Draws docs/tree.svg from a data set and the result of `midrib fit`.

    midrib synth tree --branch-points 4 -n 2000 --noise 0.09 --seed 9
    midrib fit tree.csv
    python3 docs/picture.py tree.csv tree.midrib docs/tree.svg

Needs only the standard library.
"""

import csv
import sys
from pathlib import Path

WIDTH = 860
MARGIN = 34
# Okabe and Ito's palette, safe for color-blind readers.
TREE = "#0072B2"
BRANCH_POINT = "#D55E00"
# Mid-gray is visible on light and dark pages.
POINTS = "#8a8f98"


def columns(path, names):
    with Path(path).open(newline="") as file:
        return [tuple(float(row[name]) for name in names) for row in csv.DictReader(file)]


def draw(data, fit):
    with Path(data).open(newline="") as file:
        names = next(csv.reader(file))[:2]
    points = columns(data, names)
    nodes = columns(fit / "nodes.csv", names)
    edges = [(int(a), int(b)) for a, b in columns(fit / "edges.csv", ["a", "b"])]

    # Put the longer side along the page.
    lows = [min(p[d] for p in points) for d in range(2)]
    highs = [max(p[d] for p in points) for d in range(2)]
    turn = highs[1] - lows[1] > highs[0] - lows[0]
    x, y = (1, 0) if turn else (0, 1)
    scale = (WIDTH - 2 * MARGIN) / (highs[x] - lows[x])
    height = round(2 * MARGIN + scale * (highs[y] - lows[y]))

    def on_page(point):
        up = point[y] - lows[y] if turn else highs[y] - point[y]
        return MARGIN + scale * (point[x] - lows[x]), MARGIN + scale * up

    positions = [on_page(node) for node in nodes]
    neighbors = {node: [] for node in range(len(nodes))}
    for a, b in edges:
        neighbors[a].append(b)
        neighbors[b].append(a)
    tips = [positions[n] for n, others in neighbors.items() if len(others) == 1]
    forks = [positions[n] for n, others in neighbors.items() if len(others) > 2]
    lines = "".join(
        "M{:.1f} {:.1f}L{:.1f} {:.1f}".format(*positions[a], *positions[b]) for a, b in edges
    )

    size = f'viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}"'
    found = f"{len(tips)} tips, {len(forks)} branch points"
    title = f"{len(points)} points and the principal tree learned from them: {found}"
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img">', f"<title>{title}</title>"]
    dots = "".join("M{:.1f} {:.1f}h0".format(*on_page(point)) for point in points)
    out.append(
        f'<path d="{dots}" fill="none" stroke="{POINTS}" stroke-opacity=".5" '
        'stroke-width="4.2" stroke-linecap="round"/>'
    )
    for color, width, opacity in [("#fff", 8.5, 0.85), (TREE, 4, 1)]:
        out.append(
            f'<path d="{lines}" fill="none" stroke="{color}" stroke-opacity="{opacity}" '
            f'stroke-width="{width}" stroke-linecap="round" stroke-linejoin="round"/>'
        )
    for px, py in tips:
        out.append(
            f'<circle cx="{px:.1f}" cy="{py:.1f}" r="7" fill="#fff" stroke="{TREE}" '
            'stroke-width="3.6"/>'
        )
    for px, py in forks:
        out.append(
            f'<circle cx="{px:.1f}" cy="{py:.1f}" r="8" fill="{BRANCH_POINT}" stroke="#fff" '
            'stroke-width="2.4"/>'
        )
    return "\n".join([*out, "</svg>", ""])


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    data, fit, picture = map(Path, sys.argv[1:])
    picture.write_text(draw(data, fit))
