"""Drawings of roots inside branches and of loops."""

import matplotlib

matplotlib.use("Agg")

import midrib
import numpy as np
import pytest
from matplotlib import pyplot as plt
from midrib import Graph


def ring(n: int, *more: tuple[float, float]) -> Graph:
    """A ring of n nodes, and nodes that hang on the first."""
    angle = np.linspace(0, 2 * np.pi, n, endpoint=False)
    nodes = [*np.column_stack([np.cos(angle), np.sin(angle)]), *more]
    edges = [(i, (i + 1) % n) for i in range(n)] + [(0, n + i) for i in range(len(more))]
    return Graph.from_edges(nodes, edges)


def on_lines(axes, positions) -> list[bool]:
    """Whether each position is beside a vertical line that reaches to it."""
    ends = [line.get_xydata() for line in axes.get_lines() if len(line.get_xydata()) == 2]
    upright = [(*sorted(end[:, 1]), end[0, 0]) for end in ends if end[0, 0] == end[1, 0]]
    return [
        any(low - 1e-9 <= y <= high + 1e-9 and abs(x - at) <= 0.31 for low, high, at in upright)
        for x, y in positions
    ]


@pytest.mark.parametrize(
    ("graph", "root"),
    [
        (Graph.from_edges([[i, 0.0] for i in range(7)], [(i, i + 1) for i in range(6)]), 2),
        (ring(13), 0),
        (ring(13, (2.0, 0.0), (3.0, 0.5)), 4),
    ],
)
def test_lines_of_a_dendrogram_are_where_the_points_are(graph, root):
    rooted = graph.root(root)
    points = np.random.default_rng(0).normal(graph.nodes.repeat(20, axis=0), 0.05)
    axes = midrib.pl.dendrogram(rooted, points)
    drawn = rooted.layout("dendrogram", points).points
    # Points beyond the middle of an edge that closes a loop are reached from its other end.
    on = rooted.project(points)
    closing = np.abs(np.diff(rooted.node_pseudotime[rooted.edges[on.edge]])[:, 0])
    regular = np.isclose(closing, rooted.edge_lengths[on.edge])
    assert regular.mean() > 0.9
    assert all(on_lines(axes, drawn[regular]))
    plt.close(axes.figure)


def test_a_ring_is_drawn_as_a_ring():
    drawing = ring(24).layout("metro")
    away = np.hypot(*(drawing.nodes - drawing.nodes.mean(axis=0)).T)
    assert drawing.closing.size == 0 and np.allclose(away, away[0])
    tailed = ring(24, (2.0, 0.0))
    assert tailed.layout("metro").closing.size == 1
    axes = midrib.pl.metro(tailed)
    assert len(axes.patches) == 1
    plt.close(axes.figure)
    assert tailed._repr_html_().count("Q") == 1


def test_graphs_plot_themselves(fork):
    graph = midrib.fit(fork, n_nodes=20).root(0)
    for kind, options in [
        ("graph", {"color": fork[:, 0]}),
        ("metro", {}),
        ("dendrogram", {"numbers": False}),
        ("trends", {"features": "x0"}),
    ]:
        axes = graph.plot(fork, kind, **options)
        assert axes.has_data(), kind
        plt.close(axes.figure)
    with pytest.raises(ValueError, match="must be one of dendrogram, graph, metro, trends"):
        graph.plot(fork, "map")
