"""A graph as an inline picture for notebooks: SVG, without JavaScript."""

from __future__ import annotations

import html
from typing import TYPE_CHECKING

import numpy as np

from midrib._arrays import Floats

if TYPE_CHECKING:
    from midrib._graph import Graph

# Okabe and Ito's colors, which color-blind readers can tell apart.
COLORS = ("#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00", "#F0E442", "#000000")
WIDTH, HEIGHT, MARGIN = 480, 300, 16
LARGEST = 2000


def arc_control(a: Floats, b: Floats) -> Floats:
    """The control point of the parabola over an edge that closes a loop, on which the engine draws
    its points."""
    return np.array([(a[0] + b[0]) / 2 + a[1] - b[1], (a[1] + b[1]) / 2 + b[0] - a[0]])


def _top(a: Floats, b: Floats) -> Floats:
    """The highest position of that parabola."""
    return ((a + b) / 2 + arc_control(a, b)) / 2


def svg(graph: Graph) -> str:
    """The metro map of the graph, one color per branch, with a caption."""
    caption = html.escape(repr(graph))
    if graph.n_nodes > LARGEST:
        return f"<p>{caption}</p>"
    drawing = graph.layout("metro")
    positions, closing = drawing.nodes, set(drawing.closing.tolist())
    tops = [_top(*positions[graph.edges[edge]]) for edge in closing]
    drawn = np.vstack([positions, *tops])
    low, high = drawn.min(axis=0), drawn.max(axis=0)
    size = (high - low).clip(min=1e-300)
    scale = min((WIDTH - 2 * MARGIN) / size[0], (HEIGHT - 2 * MARGIN) / size[1])
    if max(size) <= 1e-300:
        scale = 0.0
    middle = (low + high) / 2

    def pixel(position: Floats) -> str:
        x, y = scale * (position - middle)
        return f"{WIDTH / 2 + x:.1f},{HEIGHT / 2 - y:.1f}"

    def at(node: int) -> str:
        return pixel(positions[node])

    lines = []
    for number, branch in enumerate(graph.branches()):
        color = COLORS[number % len(COLORS)]
        nodes = branch.nodes.tolist()
        path = f"M{at(nodes[0])}"
        for node, edge in zip(nodes[1:], branch.edges.tolist(), strict=True):
            control = f"Q{pixel(arc_control(*positions[graph.edges[edge]]))} "
            path += (control if edge in closing else "L") + at(node)
        lines.append(f'<path d="{path}" stroke="{color}"/>')
    marks = []
    for node in (*graph.branch_points.tolist(), *graph.tips.tolist()):
        x, y = at(node).split(",")
        fill = "#888" if node in graph.branch_points else "#fff"
        marks.append(
            f'<circle cx="{x}" cy="{y}" r="4" fill="{fill}"><title>{node}</title></circle>'
        )
    for root in graph.roots:
        x, y = at(root).split(",")
        marks.append(f'<circle cx="{x}" cy="{y}" r="7" fill="none" stroke-width="2"/>')
    return (
        f'<figure style="margin:0"><svg xmlns="http://www.w3.org/2000/svg" role="img" '
        f'aria-label="{caption}" viewBox="0 0 {WIDTH} {HEIGHT}" '
        f'style="max-width:{WIDTH}px;width:100%">'
        f'<g fill="none" stroke-width="3" stroke-linejoin="round">{"".join(lines)}</g>'
        f'<g stroke="#888">{"".join(marks)}</g></svg>'
        f"<figcaption>{caption}</figcaption></figure>"
    )
