"""Milestones: tips, branch points, isolated nodes and one node of each ring, and how far points
have come between them. Names are those of dynverse."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from midrib._arrays import Floats, Ints

if TYPE_CHECKING:
    import pandas

    from midrib._graph import Graph, Projection


def name(node: int) -> str:
    """The name of a milestone."""
    return f"M{node}"


@dataclass(frozen=True)
class Stretches:
    """The branches from milestone to milestone, away from the root where there is one."""

    start: Ints
    end: Ints
    length: Floats


@dataclass(frozen=True)
class Progress:
    """How far each point has come on its branch: 0 at its start, 1 at its end."""

    branch: Ints
    share: Floats


def stretches(graph: Graph) -> Stretches:
    """One stretch for each branch."""
    branches = graph.branches()
    ends = np.array([[b.nodes[0], b.nodes[-1]] for b in branches], dtype=np.int64).reshape(-1, 2)
    flip = _flipped(graph, ends)
    ends[flip] = ends[flip][:, ::-1]
    return Stretches(ends[:, 0], ends[:, 1], np.array([b.length for b in branches]))


def progress(graph: Graph, projection: Projection) -> Progress:
    """How far the points have come on their branches."""
    branches = graph.branches()
    # Where on its branch the smaller node of each edge lies, and the larger.
    at = np.zeros((graph.n_edges, 2))
    for branch in branches:
        lengths = graph.edge_lengths[branch.edges]
        if len(lengths) == 0:
            continue
        reached = np.concatenate([[0.0], np.cumsum(lengths)])
        reached /= reached[-1] if reached[-1] > 0 else 1.0
        forwards = graph.edges[branch.edges, 0] == branch.nodes[:-1]
        at[branch.edges, 0] = np.where(forwards, reached[:-1], reached[1:])
        at[branch.edges, 1] = np.where(forwards, reached[1:], reached[:-1])
    on_edge = projection.edge >= 0
    share = np.zeros(len(projection))
    low, high = at[projection.edge[on_edge]].T
    share[on_edge] = low + projection.edge_pos[on_edge] * (high - low)
    ends = np.array([[b.nodes[0], b.nodes[-1]] for b in branches], dtype=np.int64).reshape(-1, 2)
    flip = _flipped(graph, ends)[projection.branch]
    share[flip] = 1.0 - share[flip]
    return Progress(projection.branch, share.clip(0.0, 1.0))


def _flipped(graph: Graph, ends: Ints) -> np.ndarray:
    if not graph.roots:
        return np.zeros(len(ends), dtype=bool)
    time = np.nan_to_num(graph.node_pseudotime)
    flipped: np.ndarray = time[ends[:, 0]] > time[ends[:, 1]]
    return flipped


def tables(
    graph: Graph, on: Projection, cell_ids: Sequence[str] | None
) -> dict[str, pandas.DataFrame]:
    """The tables that dynwrap reads."""
    import pandas

    ids = [str(i) for i in range(len(on))] if cell_ids is None else [str(i) for i in cell_ids]
    if len(ids) != len(on):
        raise ValueError(f"cell_ids: there are {len(on)} points and {len(ids)} ids")
    along, moved = stretches(graph), progress(graph, on)
    start = np.array([name(node) for node in along.start], dtype=object)
    end = np.array([name(node) for node in along.end], dtype=object)
    lasting = along.length > 0
    percentages = pandas.DataFrame(
        {
            "cell_id": np.concatenate([ids, ids]),
            "milestone_id": np.concatenate([start[moved.branch], end[moved.branch]]),
            "percentage": np.concatenate([1.0 - moved.share, moved.share]),
        }
    )
    return {
        "milestone_network": pandas.DataFrame(
            {
                "from": start[lasting],
                "to": end[lasting],
                "length": along.length[lasting],
                "directed": bool(graph.roots),
            }
        ),
        "progressions": pandas.DataFrame(
            {
                "cell_id": ids,
                "from": start[moved.branch],
                "to": end[moved.branch],
                "percentage": moved.share,
            }
        ),
        "milestone_percentages": percentages[percentages["percentage"] > 0]
        .groupby(["cell_id", "milestone_id"], sort=False, as_index=False)
        .sum(),
        "divergence_regions": divergence_regions(graph, start, end),
    }


def divergence_regions(graph: Graph, start: Any, end: Any) -> pandas.DataFrame:
    """Where branches part: each branch point, and the milestones that follow it."""
    import pandas

    rows: list[tuple[str, str, bool]] = []
    for node in graph.branch_points if graph.roots else ():
        here = name(node)
        rows.append((f"D{node}", here, True))
        rows += [(f"D{node}", to, False) for a, to in zip(start, end, strict=True) if a == here]
    columns = list(zip(*rows, strict=True)) if rows else [(), (), ()]
    return pandas.DataFrame(
        {
            "divergence_id": np.array(columns[0], dtype=object),
            "milestone_id": np.array(columns[1], dtype=object),
            "is_start": np.array(columns[2], dtype=bool),
        }
    )
