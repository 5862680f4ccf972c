"""A graph as an inline picture for notebooks: SVG, without JavaScript."""

from __future__ import annotations

import html
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from midrib._graph import Graph

# Okabe and Ito's colors, which color-blind readers can tell apart.
COLORS = ("#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00", "#F0E442", "#000000")
WIDTH, HEIGHT, MARGIN = 480, 300, 16
LARGEST = 2000


def svg(graph: Graph) -> str:
    """The metro map of the graph, one color per branch, with a caption."""
    caption = html.escape(repr(graph))
    if graph.n_nodes > LARGEST:
        return f"<p>{caption}</p>"
    positions = graph.layout("metro").nodes
    low, high = positions.min(axis=0), positions.max(axis=0)
    size = (high - low).clip(min=1e-300)
    scale = min((WIDTH - 2 * MARGIN) / size[0], (HEIGHT - 2 * MARGIN) / size[1])
    if max(size) <= 1e-300:
        scale = 0.0
    middle = (low + high) / 2

    def at(node: int) -> str:
        x, y = scale * (positions[node] - middle)
        return f"{WIDTH / 2 + x:.1f},{HEIGHT / 2 - y:.1f}"

    lines = []
    for number, branch in enumerate(graph.branches()):
        color = COLORS[number % len(COLORS)]
        path = " ".join(at(node) for node in branch.nodes.tolist())
        lines.append(f'<polyline points="{path}" stroke="{color}"/>')
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
