"""What every fit returns, whatever it learned."""

from __future__ import annotations

import functools
import os
from pathlib import Path as FilePath
from typing import TYPE_CHECKING, Any

from numpy.typing import NDArray

from midrib import _core
from midrib._arrays import (
    Floats,
    Ints,
    frozen,
    in_order,
    label_columns,
    rows,
    threads,
    weights,
)
from midrib._core import Model
from midrib._records import Criteria, Projection

if TYPE_CHECKING:
    import sys

    import scipy.sparse

    from midrib._core import _Description, _Look

    if sys.version_info >= (3, 11):
        from typing import Self
    else:
        from typing_extensions import Self


class Result:
    """What a fit learned, and how. Immutable."""

    _core: Model

    def __init__(self, core: Model) -> None:
        self.__dict__["_core"] = core

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError(f"{type(self).__name__} is immutable: {name} cannot be set")

    @functools.cached_property
    def _description(self) -> _Description:
        description = self._core.describe()
        frozen(description["objective_history"])
        return description

    # How it was learned.

    @property
    def kind(self) -> str:
        """What was learned: ``"graph"``, ``"net"``, ``"flats"``, ``"centers"``, ``"embedding"``."""
        return self._description["kind"]

    @property
    def method(self) -> str:
        """The name of the method; "given" for graphs that were not learned."""
        return self._description["method"]

    @property
    def settings(self) -> dict[str, Any]:
        """The settings of the fit, including defaults."""
        return dict(self._description["settings"])

    @property
    def chosen(self) -> dict[str, Any]:
        """The values that were chosen for automatic settings."""
        return dict(self._description["chosen"])

    @property
    def notes(self) -> list[str]:
        """Remarks about the fit, in sentences."""
        return list(self._description["notes"])

    @property
    def edits(self) -> list[dict[str, Any]]:
        """What changed the result since it was learned: prune, simplify, root."""
        return list(self._description["edits"])

    @property
    def feature_names(self) -> list[str]:
        """The names of the columns that it was learned from."""
        return list(self._description["features"])

    @property
    def prepared_names(self) -> list[str]:
        """The names of the columns of ``prepared(X)``: those of the points, or pc1, pc2, … if it
        was learned from principal components."""
        return list(self._description["prepared_names"])

    @property
    def end(self) -> str:
        """Why the fit stopped.

        ``"converged"``, ``"max_iter"``, ``"stalled"`` (by rounding), ``"ceiling"`` (the graph
        grew to its limits) or ``"interrupted"``; ``"given"`` for graphs of ``Graph.from_edges``,
        ``"truth"`` for those that ``midrib synth`` drew points from.
        """
        return self._description["end"]

    @property
    def n_iter(self) -> int:
        """The number of iterations."""
        return self._description["n_iter"]

    @property
    def objective(self) -> float | None:
        """The objective at the end; None if the method has no objective."""
        return self._description["objective"]

    @property
    def objective_history(self) -> Floats:
        """The objective at the start and after each iteration."""
        return self._description["objective_history"]

    @property
    def explained(self) -> float | None:
        """The share of the points' variance that is explained, if it is known."""
        return self._description["explained"]

    @property
    def embeds(self) -> bool:
        """Whether ``embed`` has coordinates for points, new ones too: in an embedding, on a map or
        along axes."""
        return self._description["embeds"]

    # Points.

    def _rows(self, X: Any) -> NDArray[Any]:
        """Points with the columns that the fit had; those of a table are matched by name."""
        return rows(in_order(X, self.feature_names))

    def prepared(self, X: Any) -> NDArray[Any]:
        """The points as the fit saw them: scaled, or turned into principal components, if
        ``midrib fit --scale`` or ``--pca`` did so."""
        points = self._rows(X)
        return self._core.prepared(points) if self._description["prepares"] else points

    def project(self, X: Any, n_jobs: int | None = None) -> Projection:
        """The exact nearest position for each point."""
        return Projection(**self._core.project(self._rows(X), threads(n_jobs)))

    def embed(self, X: Any) -> Floats:
        """The coordinates of points in the embedding, on the map or along the axes."""
        embedded = self._core.embed(self._rows(X))
        if embedded is None:
            raise ValueError(
                f"{self.method} learns no embedding: project(X) returns the nearest positions"
            )
        return embedded

    def mean_squared_distance(self, X: Any, sample_weight: Any = None) -> float:
        """The mean squared distance of points from what was learned."""
        array = self._rows(X)
        return self._core.mean_squared_distance(array, weights(sample_weight, len(array)))

    def map_errors(self, X: Any, sample_weight: Any = None) -> dict[str, float]:
        """How well a map keeps to its points; both errors are small where it is good.

        ``quantization`` is the mean distance of the points from their nearest nodes,
        ``topographic`` the share of the points whose two nearest nodes are not neighbors.
        """
        array = self._rows(X)
        found = self._core.map_errors(array, weights(sample_weight, len(array)))
        return {"quantization": found[0], "topographic": found[1]}

    @property
    def u_matrix(self) -> Floats:
        """The mean distance of each node's neighbors: high between groups of points."""
        return frozen(self._core.u_matrix())

    def criteria(self, X: Any, labels: Any = None, sample_weight: Any = None) -> Criteria:
        """How well it represents points, by the four criteria of Gorban and Zinovyev.

        Comparable between methods that learn different objects; ``midrib.compare`` fits several
        methods and lists these figures. ``labels``, one per point, are classes; None, NaN and
        empty text are no label.

        >>> sample = midrib.synth("s", 300)
        >>> found = midrib.fit(sample.X, "elastic-curve").criteria(sample.X)
        >>> found.explained > 0.97, found.coordinates
        (True, 'projection')
        """
        array = self._rows(X)
        columns = label_columns({} if labels is None else {"labels": labels}, len(array))
        values = columns[0][1] if columns else None
        found = self._core.criteria(array, weights(sample_weight, len(array)), values)
        return Criteria(**{**found, "notes": tuple(found.get("notes", ()))})

    def _shares(self, X: Any) -> scipy.sparse.csr_matrix:
        import scipy.sparse

        shares, nodes, starts = self._core.responsibilities(self._rows(X))
        shape = (len(starts) - 1, len(self._core.shape()["mass"]))
        return scipy.sparse.csr_matrix((shares, nodes, starts), shape=shape)

    # Pictures and files.

    def draw(
        self,
        path: str | os.PathLike[str] | None,
        X: Any,
        *,
        view: str = "graph",
        color: Any = None,
        axes: tuple[str, str] | None = None,
        labels: Any = None,
        background: str | None = None,
        projections: bool = False,
    ) -> str:
        """Draws a picture, the same as ``midrib draw``, and returns it as SVG.

        Parameters
        ----------
        path
            The file to write, .svg or .png; None writes none.
        X
            The points.
        view
            ``"graph"`` (over the points), ``"map"`` (the points on a net), ``"metro"``,
            ``"dendrogram"`` (needs a root), ``"adjacency"``, ``"convergence"`` or ``"tuning"``.
        color
            What colors the points: one value per point, numbers or labels; or ``"branch"``,
            ``"component"``, ``"distance"``, ``"pseudotime"``, or the name of a label or a column.
            By default the first label, else the branch.
        axes
            The names of two columns to draw over.
        labels
            Labels of the points: one value per point by name, such as a table or a dict.
        background
            What shades the cells of a map: ``"density"``, ``"umatrix"`` or ``"none"``.
        projections
            Whether thin lines lead from the points to their projections onto the graph.
        """
        array = self._rows(X)
        columns = label_columns(labels, len(array))
        if color is not None and not isinstance(color, str):
            name = str(getattr(color, "name", None) or "color")
            columns = label_columns({name: color}, len(array)) + columns
            color = name
        look: _Look = {
            "view": view,
            "color": color,
            "axes": None if axes is None else list(axes),
            "background": background,
            "projections": projections,
        }
        svg = self._core.draw(array, look=look, labels=columns)
        if path is not None:
            _core.write_picture(svg, FilePath(path))
        return svg

    def report(
        self, path: str | os.PathLike[str], X: Any, *, labels: Any = None, ids: Any = None
    ) -> None:
        """Writes the report, the same interactive HTML page as that of ``midrib report``.

        ``labels`` are values of the points by name, such as a table or a dict; ``ids`` are their
        names.
        """
        array = self._rows(X)
        names = None if ids is None else [str(name) for name in ids]
        if names is not None and len(names) != len(array):
            raise ValueError(f"ids: there are {len(array)} points and {len(names)} ids")
        columns = label_columns(labels, len(array))
        self._core.report(FilePath(path), array, ids=names, labels=columns)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes a model.json, which ``midrib.read`` and the command line read.

        If ``path`` is a directory, the file in it is ``model.json``.
        """
        target = FilePath(path)
        self._core.write(target / "model.json" if target.is_dir() else target)

    def to_json(self) -> str:
        """The text of the model.json."""
        return self._core.to_json()

    @classmethod
    def from_json(cls, text: str) -> Self:
        """The result in the text of a model.json."""
        return cls(Model.from_json(text))

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self).from_json, (self.to_json(),)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Result):
            return NotImplemented
        return self.to_json() == other.to_json()

    def __hash__(self) -> int:
        return hash((self.kind, self.method, self.objective))

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.method})"


class Centers(Result):
    """Centers without edges, as k-means learns them. Each point belongs to the nearest center."""

    @functools.cached_property
    def centers(self) -> Floats:
        """The coordinates of the centers, one per row."""
        return frozen(self._core.shape()["nodes"])

    @functools.cached_property
    def mass(self) -> Floats:
        """The number of points of each center, or their weight."""
        return frozen(self._core.shape()["mass"])

    def labels(self, X: Any) -> Ints:
        """The nearest center of each point."""
        return self.project(X).node

    def responsibilities(self, X: Any) -> scipy.sparse.csr_matrix:
        """The share of each point in each center, as a sparse matrix: 1 at the nearest."""
        return self._shares(X)

    def __repr__(self) -> str:
        return f"Centers({len(self.mass)} centers)"


class Flats(Result):
    """A line, plane or flat, as principal component analysis learns it, or several of them."""

    @functools.cached_property
    def flats(self) -> list[tuple[Floats, Floats, Floats]]:
        """The center, the axes and the variances along these of each piece."""
        return [(frozen(c), frozen(a), frozen(v)) for c, a, v in self._core.flats()]

    @functools.cached_property
    def center(self) -> Floats:
        """The mean of the points."""
        return frozen(self._core.flats()[0][0])

    @functools.cached_property
    def axes(self) -> Floats:
        """The principal axes: orthonormal rows."""
        return frozen(self._core.flats()[0][1])

    @functools.cached_property
    def explained_variance(self) -> Floats:
        """The variance of the points along each axis."""
        return frozen(self._core.flats()[0][2])

    @functools.cached_property
    def explained_variance_ratio(self) -> Floats:
        """The share of the points' variance along each axis."""
        variance = self.explained_variance
        return frozen(variance * ((self.explained or 0.0) / variance.sum()))

    def __repr__(self) -> str:
        dims, columns = self.axes.shape
        if len(self.flats) > 1:
            return f"Flats({len(self.flats)} pieces of dimension {dims} in {columns} columns)"
        return f"Flats({dims} principal {'axis' if dims == 1 else 'axes'} in {columns} columns)"


class Embedding(Result):
    """Points in few dimensions, without a graph."""

    @functools.cached_property
    def coordinates(self) -> Floats:
        """The coordinates of the training points, one point per row. ``embed`` has those of new
        points, if ``embeds``."""
        coordinates = self._core.embedding
        if coordinates is None:
            raise ValueError(f"{self.method}: the result has no coordinates")
        return frozen(coordinates)

    def __repr__(self) -> str:
        points, dims = self.coordinates.shape
        return f"Embedding({points} points in {dims} dimension{'' if dims == 1 else 's'})"
