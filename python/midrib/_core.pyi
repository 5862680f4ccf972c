"""The Rust engine. Arrays must be C-contiguous; the package around it sees to that.

``mypy.stubtest`` compares this file with the compiled module, see python/tests/test_package.py.
"""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Protocol, TypedDict, final

import numpy as np
from numpy.typing import NDArray

_Floats = NDArray[np.float64]
_Ints = NDArray[np.int64]
_Rows = NDArray[Any]
_Progress = Callable[[str, int, int, float | None], Any]
_Weighted = tuple[_Rows, _Floats | None]
_Execution = tuple[int | None, _Progress | None]
_Record = dict[str, Any]
_Labels = Sequence[tuple[str, Sequence[str]]]

__version__: str
__all__ = [
    "CHUNK_ROWS",
    "DataError",
    "FileError",
    "Model",
    "NumericalError",
    "SettingError",
    "Steps",
    "Sums",
    "Survey",
    "SurveyPart",
    "__version__",
    "cluster",
    "compare",
    "estep",
    "fit",
    "fit_distances",
    "location",
    "methods",
    "min_columns",
    "mstep",
    "synth",
    "write_picture",
]

class SettingError(ValueError): ...
class DataError(ValueError): ...
class NumericalError(ArithmeticError): ...
class FileError(OSError): ...

class _Projected(Protocol):
    @property
    def node(self) -> _Ints: ...
    @property
    def edge(self) -> _Ints: ...
    @property
    def edge_pos(self) -> _Floats: ...
    @property
    def distance(self) -> _Floats: ...

class _Projection(TypedDict):
    node: _Ints
    edge: _Ints
    edge_pos: _Floats
    distance: _Floats
    branch: _Ints
    component: _Ints

class _Look(TypedDict):
    view: str
    color: str | None
    axes: Sequence[str] | None
    background: str | None
    projections: bool

class _Description(TypedDict):
    kind: str
    has_nodes: bool
    method: str
    settings: _Record
    chosen: _Record
    notes: list[str]
    edits: list[_Record]
    features: list[str]
    prepared_names: list[str]
    prepares: bool
    embeds: bool
    explained: float | None
    complexity: _Record | None
    objective: float | None
    objective_history: _Floats
    end: str
    n_iter: int
    roots: list[int]

class _Shape(TypedDict):
    nodes: _Floats
    edges: _Ints
    edge_weights: _Floats
    edge_lengths: _Floats
    mass: _Floats
    support: _Floats | None
    tips: _Ints
    branch_points: _Ints
    n_loops: int
    component: _Ints

# Nodes, edges, length, whether it is closed, and name.
_Branch = tuple[_Ints, _Ints, float, bool, str]
# Nodes, edges and length.
_Path = tuple[_Ints, _Ints, float]

class _Network(TypedDict):
    start: _Ints
    end: _Ints
    length: _Floats
    directed: NDArray[np.bool_]
    of_point: _Ints
    share: _Floats
    nearest: _Ints

class _Replicas(TypedDict):
    model: Model
    pseudotime_sd: _Floats | None
    tips: _Ints
    branch_points: _Ints
    loops: _Ints
    components: _Ints

class _Sample(TypedDict):
    points: _Floats
    model: Model
    clean: _Floats
    branch: _Ints
    edge: _Ints
    edge_pos: _Floats

class _Clusters(TypedDict):
    labels: _Ints
    edges: _Ints
    edge_weights: _Floats
    eigenvalues: _Floats
    costs: _Floats | None
    n_clusters: int
    n_components: int
    settings: _Record
    notes: list[str]

def methods() -> list[_Record]: ...
def min_columns(name: str, settings: _Record) -> int: ...
def write_picture(svg: str, path: Path) -> None: ...
def location(text: str) -> tuple[str, str | None]: ...
def fit(
    name: str,
    settings: _Record,
    points: tuple[_Rows, _Floats | None, Sequence[str], str | None],
    given: tuple[_Floats | None, _Record],
    execution: _Execution,
) -> tuple[Model, _Projection | None, list[_Record]]: ...
def synth(request: _Record) -> _Sample: ...
def cluster(
    rows: _Rows,
    kernel_matrix: _Floats | None,
    graph: tuple[str, tuple[int | None, int | None, float | None, str | None]],
    cut: tuple[int | None, str, int, int],
    execution: _Execution,
) -> _Clusters: ...
def compare(
    points: tuple[_Rows, _Floats | None, Sequence[str], tuple[str, Sequence[str]] | None],
    methods: Sequence[tuple[str, _Record]],
    time_limit: float | None,
    page: Path | None,
    execution: _Execution,
) -> list[_Record]: ...
def fit_distances(
    name: str, settings: _Record, distances: _Floats, execution: _Execution
) -> tuple[Model, list[_Record]]: ...

@final
class Model:
    @staticmethod
    def from_edges(
        nodes: _Floats, edges: _Ints, weights: _Floats, mass: _Floats, features: Sequence[str]
    ) -> Model: ...
    @staticmethod
    def read(path: Path) -> Model: ...
    def write(self, path: Path) -> None: ...
    @staticmethod
    def from_json(text: str) -> Model: ...
    def to_json(self) -> str: ...

    # What was learned.
    def describe(self) -> _Description: ...
    def shape(self) -> _Shape: ...
    @property
    def embedding(self) -> _Floats | None: ...
    @property
    def latent_nodes(self) -> _Floats | None: ...
    def flats(self) -> list[tuple[_Floats, _Floats, _Floats]]: ...
    def branches(self) -> list[_Branch]: ...
    def path(self, start: int, end: int) -> _Path | None: ...
    def longest_path(self) -> _Path | None: ...
    def root(self, nodes: Sequence[int]) -> Model: ...
    def node_pseudotime(self) -> _Floats: ...
    def lineages(self) -> list[_Path]: ...
    def simplify(
        self,
        drop_below: float,
        min_loop: float | None,
        min_tip: float | None,
        merge_chains: bool,
    ) -> Model: ...
    def graphml(self) -> str: ...

    # Projections onto it.
    def on_branches(self, projection: _Projected) -> _Projection: ...
    def coordinates(self, projection: _Projected) -> _Floats: ...
    def pseudotime(self, projection: _Projected) -> _Floats: ...
    def on_lineages(self, projection: _Projected) -> list[tuple[_Floats, _Floats]]: ...
    def milestone_network(self, projection: _Projected) -> _Network: ...
    def milestone_percentages(self, projection: _Projected) -> tuple[_Ints, _Ints, _Floats]: ...
    def metro_map(
        self, projection: _Projected | None = None
    ) -> tuple[_Floats, _Ints, _Floats | None]: ...
    def dendrogram(
        self, projection: _Projected | None = None
    ) -> tuple[_Floats, _Floats, _Floats | None]: ...
    def trends(
        self,
        projection: _Projected,
        features: tuple[_Rows, int, Sequence[str], tuple[_Rows, _Rows, bool] | None],
        wanted: tuple[
            tuple[str, Sequence[int]],
            tuple[
                bool,
                Sequence[tuple[Sequence[str] | None, Sequence[float] | None]],
                tuple[Sequence[str], Sequence[str]] | None,
                int,
                int,
            ],
        ],
        execution: _Execution,
    ) -> _Record: ...
    def fates(self, projection: _Projected) -> tuple[_Ints, _Floats, _Floats, _Floats]: ...
    def find(
        self,
        location: str,
        projection: _Projected,
        *,
        ids: Sequence[str] | None = None,
        columns: Sequence[str] = ...,
        labels: Sequence[str] | None = None,
        values: _Floats | None = None,
    ) -> int: ...

    # Points.
    def prepared(self, rows: _Rows) -> _Floats: ...
    def project(self, rows: _Rows, n_jobs: int | None = None) -> _Projection: ...
    def embed(self, rows: _Rows) -> _Floats | None: ...
    def map_errors(self, rows: _Rows, weights: _Floats | None = None) -> tuple[float, float]: ...
    def u_matrix(self) -> _Floats: ...
    def mean_squared_distance(self, rows: _Rows, weights: _Floats | None = None) -> float: ...
    def criteria(
        self,
        rows: _Rows,
        weights: _Floats | None = None,
        labels: Sequence[str] | None = None,
    ) -> _Record: ...
    def responsibilities(self, rows: _Rows) -> tuple[_Floats, _Ints, _Ints]: ...
    def prune(
        self,
        points: _Weighted,
        *,
        min_share: float,
        min_length: float,
        min_support: float,
    ) -> tuple[Model, _Ints]: ...
    def bootstrap(
        self, points: _Weighted, *, replicas: int, seed: int, execution: _Execution
    ) -> _Replicas: ...

    # Pictures.
    def draw(
        self,
        rows: _Rows,
        *,
        look: _Look,
        labels: _Labels = ...,
    ) -> str: ...
    def report(
        self,
        path: Path,
        rows: _Rows,
        *,
        ids: Sequence[str] | None = None,
        labels: _Labels = ...,
    ) -> None: ...

CHUNK_ROWS: int

@final
class Survey:
    def __new__(cls, dims: int) -> Survey: ...
    @property
    def done(self) -> bool: ...
    def look(self, rows: _Rows, weights: _Floats | None = None) -> SurveyPart: ...
    def take(self, all: SurveyPart) -> Survey: ...
    @staticmethod
    def from_json(text: str) -> Survey: ...
    def __reduce__(self) -> tuple[Any, tuple[str]]: ...

@final
class SurveyPart:
    def __add__(self, value: SurveyPart, /) -> SurveyPart: ...
    def __radd__(self, value: SurveyPart, /) -> SurveyPart: ...
    @staticmethod
    def from_json(text: str) -> SurveyPart: ...
    def __reduce__(self) -> tuple[Any, tuple[str]]: ...

@final
class Steps:
    def __new__(cls, settings: _Record, survey: Survey) -> Steps: ...
    def enter(self, nodes: _Floats) -> _Floats: ...
    def leave(self, nodes: _Floats) -> _Floats: ...
    @staticmethod
    def from_json(text: str) -> Steps: ...
    def __reduce__(self) -> tuple[Any, tuple[str]]: ...

@final
class Sums:
    @property
    def mass(self) -> _Floats: ...
    @property
    def weighted(self) -> _Floats: ...
    @property
    def cost(self) -> float: ...
    @property
    def weight(self) -> float: ...
    def __add__(self, value: Sums, /) -> Sums: ...
    def __radd__(self, value: Sums, /) -> Sums: ...
    @staticmethod
    def from_json(text: str) -> Sums: ...
    def __reduce__(self) -> tuple[Any, tuple[str]]: ...

def estep(rows: _Rows, nodes: _Floats, steps: Steps, weights: _Floats | None = None) -> Sums: ...
def mstep(sums: Sums, nodes: _Floats, steps: Steps) -> tuple[_Floats, float, _Ints]: ...
