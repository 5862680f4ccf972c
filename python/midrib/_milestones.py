"""Milestones as tables: tips, branch points, isolated nodes and roots, and the positions of points
between them. The names are those of dynverse.

The figures come from the engine. `midrib export --format dynverse` writes the same tables as files
without pandas, here they stay in memory; test_same_as_command.py holds the two together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from midrib._arrays import Floats, Ints

if TYPE_CHECKING:
    import pandas

    from midrib._graph import Graph
    from midrib._records import Projection


def names(nodes: Any) -> NDArray[np.object_]:
    """The names of milestones."""
    return np.array([f"M{node}" for node in nodes], dtype=object)


@dataclass(frozen=True)
class Network:
    """The links between milestones, directed away from the root, and the positions of points."""

    start: Ints
    """The node at which each link starts."""
    end: Ints
    """The node at which it ends."""
    length: Floats
    directed: NDArray[np.bool_]
    """Whether a root determines its direction."""
    of_point: Ints
    """The link of each point."""
    share: Floats
    """The position of the point on it: 0 at its start, 1 at its end."""
    nearest: Ints
    """The milestone nearest to each point along its link."""

    def table(self) -> pandas.DataFrame:
        """The table ``milestone_network``."""
        import pandas

        return pandas.DataFrame(
            {
                "from": names(self.start),
                "to": names(self.end),
                "length": self.length,
                "directed": self.directed,
            },
            index=[str(i) for i in range(len(self.start))],
        )


def network(graph: Graph, on: Projection) -> Network:
    """The milestones of a graph, and the positions of points between them."""
    return Network(**graph._core.milestone_network(on))


def divergence_regions() -> pandas.DataFrame:
    """The table ``divergence_regions``, which is empty: no point lies between more than two
    milestones."""
    import pandas

    empty = np.array([], dtype=object)
    columns = {"divergence_id": empty, "milestone_id": empty, "is_start": empty.astype(bool)}
    return pandas.DataFrame(columns, index=empty)


def tables(
    graph: Graph, on: Projection, cell_ids: Sequence[str] | None
) -> dict[str, pandas.DataFrame]:
    """The tables that dynwrap reads."""
    import pandas

    ids = np.array([str(i) for i in (range(len(on)) if cell_ids is None else cell_ids)], object)
    if len(ids) != len(on):
        raise ValueError(f"cell_ids: there are {len(on)} points and {len(ids)} ids")
    along = network(graph, on)
    point, milestone, share = graph._core.milestone_percentages(on)
    return {
        "milestone_network": along.table().reset_index(drop=True),
        "progressions": pandas.DataFrame(
            {
                "cell_id": ids,
                "from": names(along.start[along.of_point]),
                "to": names(along.end[along.of_point]),
                "percentage": along.share,
            }
        ),
        "milestone_percentages": pandas.DataFrame(
            {
                "cell_id": ids[point],
                "milestone_id": names(milestone),
                "percentage": share,
            }
        ),
        "divergence_regions": divergence_regions().reset_index(drop=True),
    }
