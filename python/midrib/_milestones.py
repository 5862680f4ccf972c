"""Milestones: tips, branch points, isolated nodes and roots, and how far points have come between
them. Names are those of dynverse."""

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
    """What lies between milestones, away from the root where there is one, and where points are."""

    start: Ints
    """The node where each stretch begins."""
    end: Ints
    """The node where it ends."""
    length: Floats
    of_point: Ints
    """The stretch of each point."""
    share: Floats
    """How far along it the point is: 0 at its start, 1 at its end."""


def stretches(graph: Graph, on: Projection) -> Stretches:
    """The stretches of a graph, and the places of points on them."""
    start, end, length, of_point, share = graph._core.stretches(graph._placed(on))
    if graph.roots:
        time = graph.node_pseudotime
        back = time[start] > time[end]
        start, end = np.where(back, end, start), np.where(back, start, end)
        share = np.where(back[of_point], 1.0 - share, share)
    return Stretches(start, end, length, of_point, share)


def tables(
    graph: Graph, on: Projection, cell_ids: Sequence[str] | None
) -> dict[str, pandas.DataFrame]:
    """The tables that dynwrap reads."""
    import pandas

    ids = [str(i) for i in range(len(on))] if cell_ids is None else [str(i) for i in cell_ids]
    if len(ids) != len(on):
        raise ValueError(f"cell_ids: there are {len(on)} points and {len(ids)} ids")
    along = stretches(graph, on)
    start = np.array([name(node) for node in along.start], dtype=object)
    end = np.array([name(node) for node in along.end], dtype=object)
    lasting = along.length > 0
    percentages = pandas.DataFrame(
        {
            "cell_id": np.concatenate([ids, ids]),
            "milestone_id": np.concatenate([start[along.of_point], end[along.of_point]]),
            "percentage": np.concatenate([1.0 - along.share, along.share]),
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
                "from": start[along.of_point],
                "to": end[along.of_point],
                "percentage": along.share,
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
