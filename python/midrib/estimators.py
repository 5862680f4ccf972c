"""scikit-learn estimators, one per method.

Written by python/generate.py from the registry of methods: change settings and their docs there.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from numpy.random import RandomState

from midrib._base import (
    CentersEstimator,
    EmbeddingEstimator,
    EmbeddingRuleEstimator,
    FlatsEstimator,
    ProjectionEstimator,
)

if TYPE_CHECKING:
    if sys.version_info >= (3, 11):
        from typing import Self
    else:
        from typing_extensions import Self


__all__ = [
    "AutoGraph",
    "CubicComplex",
    "DDRTree",
    "DRTree",
    "Eigenmap",
    "ElasticMap",
    "ElasticPrincipalCurve",
    "ElasticPrincipalGraph",
    "ElasticPrincipalRing",
    "ElasticPrincipalTree",
    "GenerativeTopographicMap",
    "Isomap",
    "KMeans",
    "KSegments",
    "KernelPCA",
    "LocalPCA",
    "LocalPrincipalCurves",
    "LocallyLinearEmbedding",
    "MDS",
    "PCA",
    "PolygonalLine",
    "PrincipalCurve",
    "PrincipalGraph",
    "SCMS",
    "SPL",
    "SelfOrganizingMap",
    "SimplePPT",
]


class AutoGraph(ProjectionEstimator):
    """Finds the structure itself: curve, ring, tree, loops, components, or no lines at all.

    A graph whose structure follows from the points: a curve, ring, tree or graph with loops, in
    one or several components.

    It is read from at most 3,000 points, in time that does not depend on the number of points,
    and takes all points in memory for their final positions.

    Mao2015, Algorithm 1; ``midrib fit --method auto``.

    Parameters
    ----------
    random_state : int | RandomState | None, default=0
        Seed of the random numbers. The same seed gives the same result.
    n_jobs : int | None, default=None
        Number of threads; None for all cores. The result is the same for any number.
    verbose : int | bool, default=0
        1 prints on stderr what was chosen and how the fit ended, 2 each iteration as well.

    Attributes
    ----------
    graph_, nodes_, edges_, edge_weights_ : the learned graph
    labels_ : the branch of each point
    n_iter_, converged_ : the number of groups; whether the fit converged
    """

    _method: ClassVar[str] = "auto"

    def __init__(
        self,
        *,
        random_state: int | RandomState | None = 0,
        n_jobs: int | None = None,
        verbose: int | bool = 0,
    ) -> None:
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose


class SimplePPT(ProjectionEstimator):
    """Principal tree by soft assignment; start here for branching data without loops.

    A principal tree: the method to start with for branching data without loops.

    A sweep costs at most O(N·K·D), and far less if the bandwidth is small; memory is that of the
    points and the nodes.

    Mao2015, Algorithm 1; ``midrib fit --method ppt``.

    Parameters
    ----------
    n_nodes : int | Literal["all", "auto"], default='auto'
        Number of nodes: a number, `all` for one per point, or `auto` for 100 (a third of the
        points if that is fewer). More nodes draw a finer line and take longer.
    bandwidth : float | Literal["auto"], default='auto'
        Bandwidth σ of the soft assignment, a squared length: each point is shared among the nodes
        within about its square root. Larger values smooth more. `auto` takes half the mean
        squared distance of the points to the nearest starting node.
    length_penalty : float | Literal["auto"], default='auto'
        Weight λ of the squared edge lengths. Larger values give a smoother, shorter tree with
        fewer branches. `auto` smooths bends shorter than 2.2 times the scatter of the points
        around the tree and keeps longer ones.
    smoothing : float | None, default=None
        Smoothing length as a share of the tree's length: sets the length penalty to smoothing² ·
        nodes · points. Give either this or length_penalty.
    start : Literal["auto", "ridge"], default='auto'
        Where the nodes start: `auto`, or `ridge` to move them to the ridge of the density of the
        points with the same bandwidth first, which takes fewer sweeps and all points in memory.
    tips : Literal["auto", "tidy", "keep"], default='auto'
        What to do with the tips: `tidy` removes those that carry less than 1 % of the points or
        are shorter than 2.5 times the noise and extends the others to the end of the data, `keep`
        leaves them as learned, `auto` tidies if the length penalty is automatic.
    acceleration : Literal["anderson", "none"], default='anderson'
        How to speed up the sweeps: `anderson`, or `none` for the plain sweeps of the paper.
    max_iter : int, default=500
        Largest number of sweeps.
    tol : float, default=1e-05
        Stop when a sweep lowers the objective by less than this share of the total squared
        distance of the points from their mean; 0 runs all sweeps.
    random_state : int | RandomState | None, default=0
        Seed of the random numbers. The same seed gives the same result.
    n_jobs : int | None, default=None
        Number of threads; None for all cores. The result is the same for any number.
    verbose : int | bool, default=0
        1 prints on stderr what was chosen and how the fit ended, 2 each iteration as well.

    Attributes
    ----------
    graph_, nodes_, edges_, edge_weights_ : the learned graph
    labels_ : the branch of each point
    objective_, objective_history_ : the objective at the end; at the start and after each sweep
    n_iter_, converged_ : the number of sweeps; whether the fit converged
    """

    _method: ClassVar[str] = "ppt"

    def __init__(
        self,
        *,
        n_nodes: int | Literal["all", "auto"] = "auto",
        bandwidth: float | Literal["auto"] = "auto",
        length_penalty: float | Literal["auto"] = "auto",
        smoothing: float | None = None,
        start: Literal["auto", "ridge"] = "auto",
        tips: Literal["auto", "tidy", "keep"] = "auto",
        acceleration: Literal["anderson", "none"] = "anderson",
        max_iter: int = 500,
        tol: float = 1e-05,
        random_state: int | RandomState | None = 0,
        n_jobs: int | None = None,
        verbose: int | bool = 0,
    ) -> None:
        self.n_nodes = n_nodes
        self.bandwidth = bandwidth
        self.length_penalty = length_penalty
        self.smoothing = smoothing
        self.start = start
        self.tips = tips
        self.acceleration = acceleration
        self.max_iter = max_iter
        self.tol = tol
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose


class PrincipalGraph(ProjectionEstimator):
    """Principal graph: a tree like ppt's, or with structure="l1" loops, crossings, components.

    The principal graph of Mao2017, in the paper's own scale.

    Mao2017, Algorithms 1 and 2; ``midrib fit --method rpg``.

    Parameters
    ----------
    structure : Literal["tree", "l1"], default='tree'
        What connects the nodes: `tree`, or `l1` for a graph that may have loops, crossings and
        several components.
    n_nodes : int | Literal["all", "auto"], default='auto'
        Number of nodes: a number, `all` for one per point (Algorithm 1), or `auto` for 100 (a
        third of the points if that is fewer). Fewer nodes than points are k-means landmarks
        (Algorithm 2).
    bandwidth : float | Literal["auto"], default='auto'
        Bandwidth σ of the soft assignment, a squared length: each point is shared among the nodes
        within about its square root. `auto` takes half the mean squared distance of the points to
        the nearest starting node.
    data_weight : float | Literal["auto"], default='auto'
        Weight γ of the data against the length of the graph. Smaller values give a smoother,
        shorter graph. `auto` smooths bends shorter than 2.2 times the scatter of the points
        around the graph and keeps longer ones.
    n_neighbors : int | Literal["all", "auto"], default='auto'
        Nearest nodes that an edge of an l1 graph may connect a node to: a number, `all`, or
        `auto` for 5, or 8 with one node per point.
    neighbors : Literal["union", "mutual"], default='union'
        Which nearest nodes form a pair in an l1 graph: `union` if either node is among those of
        the other, `mutual` if both are.
    reconstruction_weight : float | Literal["auto"], default='auto'
        Weight λ of the reconstruction error of an l1 graph, a length. Larger values give more
        edges. `auto` takes the root mean square distance of the points from their mean.
    rebuild : Literal["auto", "linear", "affine"], default='auto'
        How nodes of an l1 graph are reconstructed: `linear` as in the paper, from the coordinates
        as they are, so that shifting the points changes the graph and a cloud around the origin
        falls apart; `affine` by weights that add up to about 1, wherever the cloud lies; `auto`
        is linear if reconstruction_weight is given, affine otherwise.
    voids : Literal["avoid", "cross"], default='avoid'
        Whether edges of an l1 graph may cross voids between points: `avoid`, or `cross` as in the
        paper. With fewer nodes than points the graph is learned again without such edges, up to
        six times.
    start : Literal["auto", "ridge"], default='auto'
        Where the nodes start: `auto`, or `ridge` to move them to the ridge of the density of the
        points with the same bandwidth first, which takes fewer sweeps and all points in memory.
    tips : Literal["auto", "tidy", "keep"], default='auto'
        What to do with the tips of a tree: `tidy` removes those that carry less than 1 % of the
        points or are shorter than 2.5 times the noise and extends the others to the end of the
        data, `keep` leaves them as learned, `auto` tidies if the data weight is automatic.
    acceleration : Literal["anderson", "none"], default='anderson'
        How to speed up the sweeps: `anderson`, or `none` for the plain sweeps of the paper.
    max_iter : int, default=500
        Largest number of sweeps, counted from 0 each time an l1 graph is learned again.
    tol : float, default=1e-05
        Stop when a sweep lowers the objective (divided by data_weight) by less than this share of
        the total squared distance of the points from their mean; 0 runs all sweeps.
    random_state : int | RandomState | None, default=0
        Seed of the random numbers. The same seed gives the same result.
    n_jobs : int | None, default=None
        Number of threads; None for all cores. The result is the same for any number.
    verbose : int | bool, default=0
        1 prints on stderr what was chosen and how the fit ended, 2 each iteration as well.

    Attributes
    ----------
    graph_, nodes_, edges_, edge_weights_ : the learned graph
    labels_ : the branch of each point
    objective_, objective_history_ : the objective at the end; at the start and after each sweep
    n_iter_, converged_ : the number of sweeps; whether the fit converged
    """

    _method: ClassVar[str] = "rpg"

    def __init__(
        self,
        *,
        structure: Literal["tree", "l1"] = "tree",
        n_nodes: int | Literal["all", "auto"] = "auto",
        bandwidth: float | Literal["auto"] = "auto",
        data_weight: float | Literal["auto"] = "auto",
        n_neighbors: int | Literal["all", "auto"] = "auto",
        neighbors: Literal["union", "mutual"] = "union",
        reconstruction_weight: float | Literal["auto"] = "auto",
        rebuild: Literal["auto", "linear", "affine"] = "auto",
        voids: Literal["avoid", "cross"] = "avoid",
        start: Literal["auto", "ridge"] = "auto",
        tips: Literal["auto", "tidy", "keep"] = "auto",
        acceleration: Literal["anderson", "none"] = "anderson",
        max_iter: int = 500,
        tol: float = 1e-05,
        random_state: int | RandomState | None = 0,
        n_jobs: int | None = None,
        verbose: int | bool = 0,
    ) -> None:
        self.structure = structure
        self.n_nodes = n_nodes
        self.bandwidth = bandwidth
        self.data_weight = data_weight
        self.n_neighbors = n_neighbors
        self.neighbors = neighbors
        self.reconstruction_weight = reconstruction_weight
        self.rebuild = rebuild
        self.voids = voids
        self.start = start
        self.tips = tips
        self.acceleration = acceleration
        self.max_iter = max_iter
        self.tol = tol
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose


class DRTree(EmbeddingEstimator):
    """Tree in fewer dimensions with a node at every point: dimensions and tree learned together.

    A tree in fewer dimensions with one node per point: for small sets where every point matters.

    A sweep costs O(N·D²), or O(N·D·d) with many columns; memory is that of the points.

    Wang2016, problem (29); ``midrib fit --method drtree``.

    Parameters
    ----------
    n_components : float | Literal["auto"], default='auto'
        Number of latent dimensions: a number, a share of the variance such as 0.95 for as many
        principal components as hold it, or `auto` for 2.
    tree_weight : float | Literal["auto"], default='auto'
        Weight λ of the squared edge lengths. Larger values give a smoother, shorter tree; 0 gives
        principal components. `auto` smooths bends about as short as the scatter of the principal
        components around a tree.
    max_iter : int, default=100
        Largest number of sweeps, at least 1.
    tol : float, default=1e-05
        Stop when a sweep lowers the objective by less than this share of the total squared
        distance of the points from their mean; 0 runs all sweeps.
    random_state : int | RandomState | None, default=0
        Seed of the random numbers. The same seed gives the same result.
    n_jobs : int | None, default=None
        Number of threads; None for all cores. The result is the same for any number.
    verbose : int | bool, default=0
        1 prints on stderr what was chosen and how the fit ended, 2 each iteration as well.

    Attributes
    ----------
    graph_, nodes_, edges_, edge_weights_ : the learned graph
    labels_ : the branch of each point
    embedding_ : the coordinates of the training points in few dimensions
    objective_, objective_history_ : the objective at the end; at the start and after each sweep
    n_iter_, converged_ : the number of sweeps; whether the fit converged
    """

    _method: ClassVar[str] = "drtree"

    def __init__(
        self,
        *,
        n_components: float | Literal["auto"] = "auto",
        tree_weight: float | Literal["auto"] = "auto",
        max_iter: int = 100,
        tol: float = 1e-05,
        random_state: int | RandomState | None = 0,
        n_jobs: int | None = None,
        verbose: int | bool = 0,
    ) -> None:
        self.n_components = n_components
        self.tree_weight = tree_weight
        self.max_iter = max_iter
        self.tol = tol
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose


class DDRTree(EmbeddingEstimator):
    """Tree in fewer dimensions, learned together with them, as in Monocle 2 for single cells.

    A tree in fewer dimensions: for many columns, as in single-cell data.

    The R package DDRTree, and Monocle 2 with it, has these defaults: `n_components` 2, `max_iter`
    20, `bandwidth` 0.001, `tree_weight` 5·N, `cluster_weight` 10, `tol` 0.001.

    A sweep costs O(N·D²), or O(N·D·d) with many columns, plus the assignment, which is sparse
    unless the bandwidth is large.

    Wang2016, Algorithm 2; ``midrib fit --method ddrtree``.

    Parameters
    ----------
    n_nodes : int | Literal["all", "auto"], default='auto'
        Number of nodes: a number, `all` for one per point, or `auto` for as many as Monocle 2
        takes: 200·ln N/(ln N + ln 100), or all of up to 100 points.
    n_components : float | Literal["auto"], default='auto'
        Number of latent dimensions: a number, a share of the variance such as 0.95 for as many
        principal components as hold it, or `auto` for 2.
    tree_weight : float | Literal["auto"], default='auto'
        Weight λ of the squared edge lengths. Larger values give a smoother, shorter tree. `auto`
        smooths bends about as short as the scatter of the principal components around a tree.
    cluster_weight : float, default=10.0
        Weight γ that pulls the embedded points to their nodes. Larger values give tighter
        clusters along the tree.
    bandwidth : float | Literal["auto"], default='auto'
        Bandwidth σ of the soft assignment, a squared latent length: each point is shared among
        the nodes within about its square root. `auto` takes the mean squared distance of the
        principal components to well-spread centers, divided by the number of latent dimensions,
        at least 2.
    assignment : Literal["soft", "hard"], default='soft'
        Whether points are shared among nodes (`soft`) or belong to the nearest one (`hard`).
    max_iter : int, default=100
        Largest number of sweeps, at least 1.
    tol : float, default=1e-05
        Stop when a sweep lowers the objective by less than this share of the total squared
        distance of the points from their mean; 0 runs all sweeps.
    random_state : int | RandomState | None, default=0
        Seed of the random numbers. The same seed gives the same result.
    n_jobs : int | None, default=None
        Number of threads; None for all cores. The result is the same for any number.
    verbose : int | bool, default=0
        1 prints on stderr what was chosen and how the fit ended, 2 each iteration as well.

    Attributes
    ----------
    graph_, nodes_, edges_, edge_weights_ : the learned graph
    labels_ : the branch of each point
    embedding_ : the coordinates of the training points in few dimensions
    objective_, objective_history_ : the objective at the end; at the start and after each sweep
    n_iter_, converged_ : the number of sweeps; whether the fit converged
    """

    _method: ClassVar[str] = "ddrtree"

    def __init__(
        self,
        *,
        n_nodes: int | Literal["all", "auto"] = "auto",
        n_components: float | Literal["auto"] = "auto",
        tree_weight: float | Literal["auto"] = "auto",
        cluster_weight: float = 10.0,
        bandwidth: float | Literal["auto"] = "auto",
        assignment: Literal["soft", "hard"] = "soft",
        max_iter: int = 100,
        tol: float = 1e-05,
        random_state: int | RandomState | None = 0,
        n_jobs: int | None = None,
        verbose: int | bool = 0,
    ) -> None:
        self.n_nodes = n_nodes
        self.n_components = n_components
        self.tree_weight = tree_weight
        self.cluster_weight = cluster_weight
        self.bandwidth = bandwidth
        self.assignment = assignment
        self.max_iter = max_iter
        self.tol = tol
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose


class SPL(EmbeddingEstimator):
    """Similarity graph of neighboring points, and an embedding in few dimensions.

    The similarity graph and embedding of Wang2016.

    Wang2016, Algorithm 1; ``midrib fit --method spl``.

    Parameters
    ----------
    n_neighbors : int | Literal["all", "auto"], default='auto'
        Nearest points that a point may be similar to: a number, `all`, or `auto` for 10.
    neighbors : Literal["union", "mutual"], default='union'
        Which two points may be similar: `union` if either is among the nearest of the other,
        `mutual` if both are.
    n_components : float | Literal["auto"], default='auto'
        Number of latent dimensions d: a number, a share of the variance such as 0.95 for as many
        principal components as hold it, or `auto` for 2.
    noise_weight : float, default=1.0
        Weight γ of the points as noisy images of the embedding. 0 learns from the distances of
        neighbors alone: if their graph has several components, the embedding has too.
    tolerance_weight : float | Literal["inf"], default=1000.0
        How strictly the distances of neighbors are kept, C: a number, or `inf` to keep them
        exactly.
    scaling : Literal["auto", "none"], default='auto'
        `auto` scales the points to the model's unit prior by one factor and undoes it in the
        embedding; `none` uses the points as they are.
    ascent : Literal["quasi-newton", "subgradient"], default='quasi-newton'
        How the similarities are found: `quasi-newton`, or `subgradient` for the paper's steps,
        which get about half as far.
    max_iter : int, default=500
        Largest number of steps.
    tol : float, default=1e-06
        Stop when the conditions of the maximum are violated by at most this share of the mean
        squared distance of neighbors; 0 runs all steps.
    n_jobs : int | None, default=None
        Number of threads; None for all cores. The result is the same for any number.
    verbose : int | bool, default=0
        1 prints on stderr what was chosen and how the fit ended, 2 each iteration as well.

    Attributes
    ----------
    graph_, nodes_, edges_, edge_weights_ : the learned graph
    labels_ : the branch of each point
    embedding_ : the coordinates of the training points in few dimensions
    objective_, objective_history_ : the objective at the end; at the start and after each sweep
    n_iter_, converged_ : the number of sweeps; whether the fit converged
    """

    _method: ClassVar[str] = "spl"

    def __init__(
        self,
        *,
        n_neighbors: int | Literal["all", "auto"] = "auto",
        neighbors: Literal["union", "mutual"] = "union",
        n_components: float | Literal["auto"] = "auto",
        noise_weight: float = 1.0,
        tolerance_weight: float | Literal["inf"] = 1000.0,
        scaling: Literal["auto", "none"] = "auto",
        ascent: Literal["quasi-newton", "subgradient"] = "quasi-newton",
        max_iter: int = 500,
        tol: float = 1e-06,
        n_jobs: int | None = None,
        verbose: int | bool = 0,
    ) -> None:
        self.n_neighbors = n_neighbors
        self.neighbors = neighbors
        self.n_components = n_components
        self.noise_weight = noise_weight
        self.tolerance_weight = tolerance_weight
        self.scaling = scaling
        self.ascent = ascent
        self.max_iter = max_iter
        self.tol = tol
        self.n_jobs = n_jobs
        self.verbose = verbose

    def fit(self, X: Any, y: Any = None) -> Self:  # type: ignore[override]
        """Learns from points. The method takes no weights."""
        return self._fit(X, None)


class ElasticPrincipalCurve(ProjectionEstimator):
    """One smooth curve without branches, by elastic energy.

    A line that grows by bisecting the edge where that lowers its elastic energy most.

    Gorban2009, section 5; ``midrib fit --method elastic-curve``.

    Parameters
    ----------
    n_nodes : int | Literal["auto"], default='auto'
        Number of nodes to grow to: a number, or `auto` for 50 (a third of the points if that is
        fewer).
    stretching : float, default=0.01
        Stretching modulus λ: larger values give shorter edges and pull the tips in.
    bending : float, default=0.1
        Bending modulus μ: larger values give a straighter line.
    program : str, default='bisect'
        Rules of the grammar, repeated until there are `n_nodes`: `bisect` (an edge), `grow`
        (that, or add a node beyond a tip) and `shrink` (remove a tip, or contract an edge).
    trimming_radius : float | Literal["auto", "inf"], default='inf'
        Points farther than this from every node are ignored: a number, `auto` to estimate it from
        the points, or `inf` to use all points. Protects against outliers.
    search : Literal["fast", "exact"], default='fast'
        How the best change is found: `fast` on a sample of the points, or `exact` on all of them.
    max_iter : int, default=100
        Largest number of sweeps per placement.
    tol : float, default=1e-05
        A placement ends when a sweep lowers the energy by less than this share of the variance of
        the points, or of the squared trimming radius if that is smaller; while the graph grows,
        by less than ten times that. 0 runs until nothing changes.
    n_jobs : int | None, default=None
        Number of threads; None for all cores. The result is the same for any number.
    verbose : int | bool, default=0
        1 prints on stderr what was chosen and how the fit ended, 2 each iteration as well.

    Attributes
    ----------
    graph_, nodes_, edges_, edge_weights_ : the learned graph
    labels_ : the branch of each point
    objective_, objective_history_ : the objective at the end; at the start and after each step
    n_iter_, converged_ : the number of steps; whether the fit converged
    """

    _method: ClassVar[str] = "elastic-curve"
    _gaps: ClassVar[bool] = True

    def __init__(
        self,
        *,
        n_nodes: int | Literal["auto"] = "auto",
        stretching: float = 0.01,
        bending: float = 0.1,
        program: str = "bisect",
        trimming_radius: float | Literal["auto", "inf"] = "inf",
        search: Literal["fast", "exact"] = "fast",
        max_iter: int = 100,
        tol: float = 1e-05,
        n_jobs: int | None = None,
        verbose: int | bool = 0,
    ) -> None:
        self.n_nodes = n_nodes
        self.stretching = stretching
        self.bending = bending
        self.program = program
        self.trimming_radius = trimming_radius
        self.search = search
        self.max_iter = max_iter
        self.tol = tol
        self.n_jobs = n_jobs
        self.verbose = verbose


class ElasticPrincipalRing(ProjectionEstimator):
    """One smooth closed curve, by elastic energy: cycles, rotations.

    A line that grows by bisecting the edge where that lowers its elastic energy most.

    Gorban2009, section 5; ``midrib fit --method elastic-ring``.

    Parameters
    ----------
    n_nodes : int | Literal["auto"], default='auto'
        Number of nodes to grow to: a number, or `auto` for 50 (a third of the points if that is
        fewer).
    stretching : float, default=0.01
        Stretching modulus λ: larger values give shorter edges and pull the tips in.
    bending : float, default=0.1
        Bending modulus μ: larger values give a straighter line.
    program : str, default='bisect'
        Rules of the grammar, repeated until there are `n_nodes`: `bisect` (an edge), `grow`
        (that, or add a node beyond a tip) and `shrink` (remove a tip, or contract an edge).
    trimming_radius : float | Literal["auto", "inf"], default='inf'
        Points farther than this from every node are ignored: a number, `auto` to estimate it from
        the points, or `inf` to use all points. Protects against outliers.
    search : Literal["fast", "exact"], default='fast'
        How the best change is found: `fast` on a sample of the points, or `exact` on all of them.
    max_iter : int, default=100
        Largest number of sweeps per placement.
    tol : float, default=1e-05
        A placement ends when a sweep lowers the energy by less than this share of the variance of
        the points, or of the squared trimming radius if that is smaller; while the graph grows,
        by less than ten times that. 0 runs until nothing changes.
    n_jobs : int | None, default=None
        Number of threads; None for all cores. The result is the same for any number.
    verbose : int | bool, default=0
        1 prints on stderr what was chosen and how the fit ended, 2 each iteration as well.

    Attributes
    ----------
    graph_, nodes_, edges_, edge_weights_ : the learned graph
    labels_ : the branch of each point
    objective_, objective_history_ : the objective at the end; at the start and after each step
    n_iter_, converged_ : the number of steps; whether the fit converged
    """

    _method: ClassVar[str] = "elastic-ring"
    _gaps: ClassVar[bool] = True

    def __init__(
        self,
        *,
        n_nodes: int | Literal["auto"] = "auto",
        stretching: float = 0.01,
        bending: float = 0.1,
        program: str = "bisect",
        trimming_radius: float | Literal["auto", "inf"] = "inf",
        search: Literal["fast", "exact"] = "fast",
        max_iter: int = 100,
        tol: float = 1e-05,
        n_jobs: int | None = None,
        verbose: int | bool = 0,
    ) -> None:
        self.n_nodes = n_nodes
        self.stretching = stretching
        self.bending = bending
        self.program = program
        self.trimming_radius = trimming_radius
        self.search = search
        self.max_iter = max_iter
        self.tol = tol
        self.n_jobs = n_jobs
        self.verbose = verbose


class ElasticPrincipalTree(ProjectionEstimator):
    """Tree grown where it lowers its elastic energy; smooth branches, robust to outliers.

    A tree that grows where it lowers its elastic energy, as in ElPiGraph.

    Each step compares all changes of the tree on 50 points per node; the grown tree is then
    placed on all points, which may have missing values. Once the tree has all its nodes, branches
    are moved as long as that lowers the energy.

    Gorban2009, section 5; ``midrib fit --method elastic-tree``.

    Parameters
    ----------
    n_nodes : int | Literal["auto"], default='auto'
        Number of nodes to grow to: a number, or `auto` for 50 (a third of the points if that is
        fewer).
    stretching : float, default=0.01
        Stretching modulus λ: larger values give shorter edges and pull the tips in.
    bending : float, default=0.1
        Bending modulus μ: larger values give straighter branches.
    branching_penalty : float, default=0.0
        Branching penalty α: when trees are compared, an edge resists stretching by this much more
        for each neighbor of its nodes beyond the second. Larger values give fewer branches.
    star_exponent : float, default=0.0
        Star exponent β: when trees are compared, the bending modulus of a star is multiplied by
        its order to this power.
    program : str, default='grow,grow,shrink'
        Rules of the grammar, repeated until there are `n_nodes`: `grow` (add a node to a node, or
        bisect an edge), `bisect` (an edge) and `shrink` (remove a tip, or contract an edge). More
        `shrink` undoes more mistakes and takes longer.
    max_branch_points : float | Literal["inf"], default='inf'
        Largest number of branch points: a number, or `inf` for no limit.
    max_star_order : float | Literal["inf"], default='inf'
        Largest number of neighbors of a node: a number, or `inf` for no limit.
    max_steps : float | Literal["inf"], default='inf'
        Largest number of growth steps: each adds or removes a node; `inf` for no limit.
    trimming_radius : float | Literal["auto", "inf"], default='inf'
        Points farther than this from every node are ignored: a number, `auto` to estimate it from
        the points, or `inf` to use all points. Protects against outliers.
    tips : Literal["auto", "tidy", "keep"], default='auto'
        What to do with the tips: `tidy` removes those that carry less than 1 % of the points or
        are shorter than 2.5 times the noise and extends the others to the end of the data, `keep`
        leaves them as grown; `auto` tidies.
    search : Literal["fast", "exact"], default='fast'
        How the best change is found: `fast` on a sample of the points, or `exact` on all of them.
    max_iter : int, default=100
        Largest number of sweeps per placement.
    tol : float, default=1e-05
        A placement ends when a sweep lowers the energy by less than this share of the variance of
        the points, or of the squared trimming radius if that is smaller; while the graph grows,
        by less than ten times that. 0 runs until nothing changes.
    n_jobs : int | None, default=None
        Number of threads; None for all cores. The result is the same for any number.
    verbose : int | bool, default=0
        1 prints on stderr what was chosen and how the fit ended, 2 each iteration as well.

    Attributes
    ----------
    graph_, nodes_, edges_, edge_weights_ : the learned graph
    labels_ : the branch of each point
    objective_, objective_history_ : the objective at the end; at the start and after each step
    n_iter_, converged_ : the number of steps; whether the fit converged
    """

    _method: ClassVar[str] = "elastic-tree"
    _gaps: ClassVar[bool] = True

    def __init__(
        self,
        *,
        n_nodes: int | Literal["auto"] = "auto",
        stretching: float = 0.01,
        bending: float = 0.1,
        branching_penalty: float = 0.0,
        star_exponent: float = 0.0,
        program: str = "grow,grow,shrink",
        max_branch_points: float | Literal["inf"] = "inf",
        max_star_order: float | Literal["inf"] = "inf",
        max_steps: float | Literal["inf"] = "inf",
        trimming_radius: float | Literal["auto", "inf"] = "inf",
        tips: Literal["auto", "tidy", "keep"] = "auto",
        search: Literal["fast", "exact"] = "fast",
        max_iter: int = 100,
        tol: float = 1e-05,
        n_jobs: int | None = None,
        verbose: int | bool = 0,
    ) -> None:
        self.n_nodes = n_nodes
        self.stretching = stretching
        self.bending = bending
        self.branching_penalty = branching_penalty
        self.star_exponent = star_exponent
        self.program = program
        self.max_branch_points = max_branch_points
        self.max_star_order = max_star_order
        self.max_steps = max_steps
        self.trimming_radius = trimming_radius
        self.tips = tips
        self.search = search
        self.max_iter = max_iter
        self.tol = tol
        self.n_jobs = n_jobs
        self.verbose = verbose


class ElasticPrincipalGraph(ProjectionEstimator):
    """Graph of smooth branches that finds the loops and components of the data.

    A graph that grows as a tree, joins its tips where the data continue and breaks apart where
    they do not: it finds loops and components by itself.

    It costs what an [`ElasticTree`] costs, plus a few placements for each loop or component that
    it tries; relearning the components costs about as much again.

    Gorban2009, section 5; ``midrib fit --method elastic-graph``.

    Parameters
    ----------
    n_nodes : int | Literal["auto"], default='auto'
        Number of nodes to grow to: a number, or `auto` for 50 (a third of the points if that is
        fewer).
    stretching : float, default=0.01
        Stretching modulus λ: larger values give shorter edges and pull the tips in.
    bending : float, default=0.1
        Bending modulus μ: larger values give straighter branches.
    branching_penalty : float, default=0.0
        Branching penalty α: when graphs are compared, an edge resists stretching by this much
        more for each neighbor of its nodes beyond the second. Larger values give fewer branches.
    star_exponent : float, default=0.0
        Star exponent β: when graphs are compared, the bending modulus of a star is multiplied by
        its order to this power.
    program : str, default='grow,grow,shrink'
        Rules of the grammar, repeated until there are `n_nodes`: `grow` (add a node to a node, or
        bisect an edge), `bisect` (an edge) and `shrink` (remove a tip, or contract an edge). More
        `shrink` undoes more mistakes and takes longer.
    max_branch_points : float | Literal["inf"], default='inf'
        Largest number of branch points: a number, or `inf` for no limit.
    max_star_order : float | Literal["inf"], default='inf'
        Largest number of neighbors of a node: a number, or `inf` for no limit.
    max_steps : float | Literal["inf"], default='inf'
        Largest number of growth steps: each adds or removes a node; `inf` for no limit.
    end_penalty : float, default=0.01
        Price of two tips, or of an edge without points: a share of the variance of the points.
        Larger values close more loops and cut more edges.
    trimming_radius : float | Literal["auto", "inf"], default='inf'
        Points farther than this from every node are ignored: a number, `auto` to estimate it from
        the points, or `inf` to use all points. Protects against outliers.
    tips : Literal["auto", "tidy", "keep"], default='auto'
        What to do with the tips: `tidy` removes those that carry less than 1 % of the points or
        are shorter than 2.5 times the noise and extends the others to the end of the data, `keep`
        leaves them as grown; `auto` tidies.
    search : Literal["fast", "exact"], default='fast'
        How the best change is found: `fast` on a sample of the points, or `exact` on all of them.
    max_iter : int, default=100
        Largest number of sweeps per placement.
    tol : float, default=1e-05
        A placement ends when a sweep lowers the energy by less than this share of the variance of
        the points, or of the squared trimming radius if that is smaller; while the graph grows,
        by less than ten times that. 0 runs until nothing changes.
    n_jobs : int | None, default=None
        Number of threads; None for all cores. The result is the same for any number.
    verbose : int | bool, default=0
        1 prints on stderr what was chosen and how the fit ended, 2 each iteration as well.

    Attributes
    ----------
    graph_, nodes_, edges_, edge_weights_ : the learned graph
    labels_ : the branch of each point
    objective_, objective_history_ : the objective at the end; at the start and after each step
    n_iter_, converged_ : the number of steps; whether the fit converged
    """

    _method: ClassVar[str] = "elastic-graph"
    _gaps: ClassVar[bool] = True

    def __init__(
        self,
        *,
        n_nodes: int | Literal["auto"] = "auto",
        stretching: float = 0.01,
        bending: float = 0.1,
        branching_penalty: float = 0.0,
        star_exponent: float = 0.0,
        program: str = "grow,grow,shrink",
        max_branch_points: float | Literal["inf"] = "inf",
        max_star_order: float | Literal["inf"] = "inf",
        max_steps: float | Literal["inf"] = "inf",
        end_penalty: float = 0.01,
        trimming_radius: float | Literal["auto", "inf"] = "inf",
        tips: Literal["auto", "tidy", "keep"] = "auto",
        search: Literal["fast", "exact"] = "fast",
        max_iter: int = 100,
        tol: float = 1e-05,
        n_jobs: int | None = None,
        verbose: int | bool = 0,
    ) -> None:
        self.n_nodes = n_nodes
        self.stretching = stretching
        self.bending = bending
        self.branching_penalty = branching_penalty
        self.star_exponent = star_exponent
        self.program = program
        self.max_branch_points = max_branch_points
        self.max_star_order = max_star_order
        self.max_steps = max_steps
        self.end_penalty = end_penalty
        self.trimming_radius = trimming_radius
        self.tips = tips
        self.search = search
        self.max_iter = max_iter
        self.tol = tol
        self.n_jobs = n_jobs
        self.verbose = verbose


class ElasticMap(EmbeddingEstimator):
    """Sheet, tube, sphere or other net bent into the points: a map to view them on.

    A map of the points: a sheet, or another net of nodes, bent into the middle of the points.

    Use it to view points on a surface (or on a curve, or in a block) that follows them better
    than the plane of the first principal components. Points may have missing values. A sweep
    costs at most O(N·K·D).

    Gorban2009, Elastic maps approach; ``midrib fit --method elastic-map``.

    Parameters
    ----------
    net : str, default='rectangle'
        The shape of the net: `chain`, `ring`, `rectangle`, `triangular` or `hexagonal` (a sheet
        of triangles), `cylinder`, `torus`, `sphere` or `box`.
    sides : str | Literal["auto"], default='auto'
        Number of nodes along each axis, for example `12x8`; for a sphere, the number of rings and
        of nodes per ring; `auto` divides `n_nodes` in proportion to the extents of the points.
    n_nodes : int | Literal["auto"], default='auto'
        Approximate number of nodes if `sides` is `auto`: a number, or `auto` for 100 (a third of
        the points if that is fewer).
    stretching : float | Literal["auto"], default='auto'
        Stretching modulus λ: larger values give a smaller map and pull its border in. `auto`
        takes 0.001, or 0.0001 for a chain or ring.
    bending : float | Literal["auto"], default='auto'
        Bending modulus μ: larger values give a flatter map. `auto` takes 0.001 for a sheet or
        box, 0.00001 for a cylinder, torus or sphere, 0.000001 for a chain or ring.
    moduli : Literal["whole", "each"], default='whole'
        What the moduli apply to: the `whole` net, so that finer nets are equally stiff, or `each`
        edge and rib.
    epochs : str, default='1000,100,10,1'
        Factors of both moduli, one per epoch, from stiff to soft.
    trimming_radius : float | Literal["auto", "inf"], default='inf'
        Points farther than this from every node are ignored: a number, `auto` to estimate it from
        the points, or `inf` to use all points. Protects against outliers.
    margin : int, default=1
        How many steps the map continues straight beyond an open border when points are projected
        onto it; with 0, points beyond the border are projected onto the border.
    max_iter : int, default=100
        Largest number of sweeps per epoch.
    tol : float, default=1e-05
        An epoch ends when a sweep lowers the energy by less than this share of the variance of
        the points; 0 runs all sweeps.
    n_jobs : int | None, default=None
        Number of threads; None for all cores. The result is the same for any number.
    verbose : int | bool, default=0
        1 prints on stderr what was chosen and how the fit ended, 2 each iteration as well.

    Attributes
    ----------
    graph_, nodes_, edges_, edge_weights_ : the learned graph
    labels_ : the branch of each point
    embedding_ : the coordinates of the training points in few dimensions
    objective_, objective_history_ : the objective at the end; at the start and after each sweep
    n_iter_, converged_ : the number of sweeps; whether the fit converged
    """

    _method: ClassVar[str] = "elastic-map"
    _gaps: ClassVar[bool] = True

    def __init__(
        self,
        *,
        net: Literal[
            "chain",
            "ring",
            "rectangle",
            "triangular",
            "hexagonal",
            "cylinder",
            "torus",
            "sphere",
            "box",
        ] = "rectangle",
        sides: str | Literal["auto"] = "auto",
        n_nodes: int | Literal["auto"] = "auto",
        stretching: float | Literal["auto"] = "auto",
        bending: float | Literal["auto"] = "auto",
        moduli: Literal["whole", "each"] = "whole",
        epochs: str = "1000,100,10,1",
        trimming_radius: float | Literal["auto", "inf"] = "inf",
        margin: int = 1,
        max_iter: int = 100,
        tol: float = 1e-05,
        n_jobs: int | None = None,
        verbose: int | bool = 0,
    ) -> None:
        self.net = net
        self.sides = sides
        self.n_nodes = n_nodes
        self.stretching = stretching
        self.bending = bending
        self.moduli = moduli
        self.epochs = epochs
        self.trimming_radius = trimming_radius
        self.margin = margin
        self.max_iter = max_iter
        self.tol = tol
        self.n_jobs = n_jobs
        self.verbose = verbose


class CubicComplex(ProjectionEstimator):
    """Product of two trees grown by elastic energy: surfaces that branch.

    A surface with branches: the product of two trees that grow where that lowers the energy.

    Use it if points vary in two ways at once and one of them may branch, such as a lineage and
    the time of day. The notes describe the two trees.

    Gorban2009, Principal cubic complexes; ``midrib fit --method cubic``.

    Parameters
    ----------
    n_nodes : int | Literal["auto"], default='auto'
        Smallest number of nodes of the grown product: a number, or `auto` for 36 (a third of the
        points if that is fewer).
    stretching : float, default=0.001
        Stretching modulus λ: larger values give shorter edges and pull the border in.
    bending : float, default=0.01
        Bending modulus μ: larger values give straighter branches.
    max_branch_points : float | Literal["inf"], default='inf'
        Largest number of branch points of each tree: a number, or `inf` for no limit.
    max_star_order : float | Literal["inf"], default='inf'
        Largest number of neighbors of a node in its tree: a number, or `inf` for no limit.
    trimming_radius : float | Literal["auto", "inf"], default='inf'
        Points farther than this from every node are ignored: a number, `auto` to estimate it from
        the points, or `inf` to use all points. Protects against outliers.
    max_iter : int, default=100
        Largest number of sweeps per placement.
    tol : float, default=1e-05
        A placement ends when a sweep lowers the energy by less than this share of the variance of
        the points; 0 runs until it no longer falls.
    n_jobs : int | None, default=None
        Number of threads; None for all cores. The result is the same for any number.
    verbose : int | bool, default=0
        1 prints on stderr what was chosen and how the fit ended, 2 each iteration as well.

    Attributes
    ----------
    graph_, nodes_, edges_, edge_weights_ : the learned graph
    labels_ : the branch of each point
    objective_, objective_history_ : the objective at the end; at the start and after each sweep
    n_iter_, converged_ : the number of sweeps; whether the fit converged
    """

    _method: ClassVar[str] = "cubic"

    def __init__(
        self,
        *,
        n_nodes: int | Literal["auto"] = "auto",
        stretching: float = 0.001,
        bending: float = 0.01,
        max_branch_points: float | Literal["inf"] = "inf",
        max_star_order: float | Literal["inf"] = "inf",
        trimming_radius: float | Literal["auto", "inf"] = "inf",
        max_iter: int = 100,
        tol: float = 1e-05,
        n_jobs: int | None = None,
        verbose: int | bool = 0,
    ) -> None:
        self.n_nodes = n_nodes
        self.stretching = stretching
        self.bending = bending
        self.max_branch_points = max_branch_points
        self.max_star_order = max_star_order
        self.trimming_radius = trimming_radius
        self.max_iter = max_iter
        self.tol = tol
        self.n_jobs = n_jobs
        self.verbose = verbose


class KMeans(CentersEstimator):
    """Principal points: k centers, each the mean of the points nearest to it.

    Gorban2009, K-means; ``midrib fit --method kmeans``.

    Parameters
    ----------
    n_clusters : int, default=8
        Number of centers.
    n_init : int, default=10
        Number of starts; the best result is kept.
    max_iter : int, default=300
        Largest number of rounds per start.
    tol : float, default=1e-06
        Stop when the objective falls by less than this share of the total variance; 0 runs until
        no point changes its center.
    random_state : int | RandomState | None, default=0
        Seed of the random numbers. The same seed gives the same result.
    n_jobs : int | None, default=None
        Number of threads; None for all cores. The result is the same for any number.
    verbose : int | bool, default=0
        1 prints on stderr what was chosen and how the fit ended, 2 each iteration as well.

    Attributes
    ----------
    cluster_centers_ : the centers, one per row
    labels_ : the nearest center of each point
    objective_, objective_history_ : the objective at the end; at the start and after each sweep
    n_iter_, converged_ : the number of sweeps; whether the fit converged
    """

    _method: ClassVar[str] = "kmeans"

    def __init__(
        self,
        *,
        n_clusters: int = 8,
        n_init: int = 10,
        max_iter: int = 300,
        tol: float = 1e-06,
        random_state: int | RandomState | None = 0,
        n_jobs: int | None = None,
        verbose: int | bool = 0,
    ) -> None:
        self.n_clusters = n_clusters
        self.n_init = n_init
        self.max_iter = max_iter
        self.tol = tol
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose


class PCA(FlatsEstimator):
    """Principal components: the line, plane or flat nearest to the points.

    The linear picture to hold every other against, and the quickest way to fewer columns. Points
    may have missing values: the axes are then those that restore the known values best, and the
    missing ones can be read off them (`midrib project --impute`).

    Gorban2009, Principal component analysis; ``midrib fit --method pca``.

    Parameters
    ----------
    n_components : float | Literal["auto"], default='auto'
        Number of components: a number, the share of the variance that they hold, or `auto` for 2.
    max_iter : int, default=1000
        Largest number of rounds where values are missing; complete points need none.
    tol : float, default=1e-10
        Where values are missing, stop when the squared error of the known values falls by less
        than this share of their spread in a round; 0 runs all rounds.
    n_jobs : int | None, default=None
        Number of threads; None for all cores. The result is the same for any number.
    verbose : int | bool, default=0
        1 prints on stderr what was chosen and how the fit ended, 2 each iteration as well.

    Attributes
    ----------
    mean_, components_ : the mean and the principal axes
    explained_variance_, explained_variance_ratio_ : the variance along each axis
    objective_, objective_history_ : the objective at the end; at the start and after each sweep
    n_iter_, converged_ : the number of sweeps; whether the fit converged
    """

    _method: ClassVar[str] = "pca"
    _gaps: ClassVar[bool] = True

    def __init__(
        self,
        *,
        n_components: float | Literal["auto"] = "auto",
        max_iter: int = 1000,
        tol: float = 1e-10,
        n_jobs: int | None = None,
        verbose: int | bool = 0,
    ) -> None:
        self.n_components = n_components
        self.max_iter = max_iter
        self.tol = tol
        self.n_jobs = n_jobs
        self.verbose = verbose


class LocalPCA(FlatsEstimator):
    """Local principal components: several lines or flats, each fitted to its nearest points.

    Local principal components: several lines, planes or flats, each fitted to the points nearest
    to it.

    Use it where one flat is not enough and the pieces themselves are of interest: clusters that
    are long or flat rather than round, or the local dimension of a curved cloud. The pieces are
    not joined.

    Gorban2009, Local principal components; ``midrib fit --method local-pca``.

    Parameters
    ----------
    n_clusters : int | Literal["auto"], default='auto'
        Number of affine pieces: a number, or `auto` to split and merge pieces as long as that
        shortens the description of the points.
    n_components : int, default=1
        Dimension of each piece: 1 for lines, 2 for planes; less than the number of columns.
    n_init : int, default=10
        Number of starts; the best result counts.
    max_iter : int, default=300
        Largest number of rounds per start.
    tol : float, default=1e-06
        Stop when the objective falls by less than this share of the total variance; 0 runs until
        it does not fall.
    random_state : int | RandomState | None, default=0
        Seed of the random numbers. The same seed gives the same result.
    n_jobs : int | None, default=None
        Number of threads; None for all cores. The result is the same for any number.
    verbose : int | bool, default=0
        1 prints on stderr what was chosen and how the fit ended, 2 each iteration as well.

    Attributes
    ----------
    mean_, components_ : the mean and the principal axes
    explained_variance_, explained_variance_ratio_ : the variance along each axis
    objective_, objective_history_ : the objective at the end; at the start and after each sweep
    n_iter_, converged_ : the number of sweeps; whether the fit converged
    """

    _method: ClassVar[str] = "local-pca"

    def __init__(
        self,
        *,
        n_clusters: int | Literal["auto"] = "auto",
        n_components: int = 1,
        n_init: int = 10,
        max_iter: int = 300,
        tol: float = 1e-06,
        random_state: int | RandomState | None = 0,
        n_jobs: int | None = None,
        verbose: int | bool = 0,
    ) -> None:
        self.n_clusters = n_clusters
        self.n_components = n_components
        self.n_init = n_init
        self.max_iter = max_iter
        self.tol = tol
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose


class SelfOrganizingMap(EmbeddingEstimator):
    """Self-organizing map: a net of nodes, each the mean of the points around it on the net.

    A self-organizing map: a net of nodes, each of which moves to the mean of the points at and
    around it on the net, in an ever smaller neighborhood.

    Use it to see groups in a table at a glance: points of one node are alike, nodes that are far
    apart in the data are separated by ridges of the U-matrix. An elastic map is smoother, and its
    objective says how well it fits; a self-organizing map has none. Points may have missing
    values. An epoch is one pass over the points.

    Gorban2009, SOM approach; ``midrib fit --method som``.

    Parameters
    ----------
    net : str, default='rectangle'
        The shape of the net: `chain`, `ring`, `rectangle`, `hexagonal` (or `triangular`, the same
        sheet), `cylinder`, `torus`, `sphere` or `box`.
    sides : str | Literal["auto"], default='auto'
        Number of nodes along each axis, for example `12x8`; for a sphere, the number of rings and
        of nodes per ring; `auto` to divide `n_nodes` in proportion to the extents of the points.
    n_nodes : int | Literal["auto"], default='auto'
        Approximate number of nodes if `sides` is `auto`: a number, or `auto` for 100 (a third of
        the points if that is fewer).
    training : Literal["batch", "online"], default='batch'
        How the nodes move: `batch`, all at once after each pass over the points, or `online`,
        after each point.
    radius : float | Literal["auto"], default='auto'
        Neighborhood radius in the first epoch, in steps of the grid: larger values give a
        smoother start. `auto` for a quarter of the longest side.
    final_radius : float, default=0.5
        Neighborhood radius in the last epoch: smaller values let nodes follow the points more
        closely, larger ones keep the map smooth.
    learning_rate : float, default=0.5
        Share of its distance to a point that a node moves in the first epoch of online training;
        it falls to a hundredth of that.
    max_iter : int, default=40
        Number of epochs, each a pass over the points.
    random_state : int | RandomState | None, default=0
        Seed of the random numbers. The same seed gives the same result.
    n_jobs : int | None, default=None
        Number of threads; None for all cores. The result is the same for any number.
    verbose : int | bool, default=0
        1 prints on stderr what was chosen and how the fit ended, 2 each iteration as well.

    Attributes
    ----------
    graph_, nodes_, edges_, edge_weights_ : the learned graph
    labels_ : the branch of each point
    embedding_ : the coordinates of the training points in few dimensions
    objective_, objective_history_ : the objective at the end; at the start and after each epoch
    n_iter_, converged_ : the number of epochs; whether the fit converged
    """

    _method: ClassVar[str] = "som"
    _gaps: ClassVar[bool] = True

    def __init__(
        self,
        *,
        net: Literal[
            "chain",
            "ring",
            "rectangle",
            "triangular",
            "hexagonal",
            "cylinder",
            "torus",
            "sphere",
            "box",
        ] = "rectangle",
        sides: str | Literal["auto"] = "auto",
        n_nodes: int | Literal["auto"] = "auto",
        training: Literal["batch", "online"] = "batch",
        radius: float | Literal["auto"] = "auto",
        final_radius: float = 0.5,
        learning_rate: float = 0.5,
        max_iter: int = 40,
        random_state: int | RandomState | None = 0,
        n_jobs: int | None = None,
        verbose: int | bool = 0,
    ) -> None:
        self.net = net
        self.sides = sides
        self.n_nodes = n_nodes
        self.training = training
        self.radius = radius
        self.final_radius = final_radius
        self.learning_rate = learning_rate
        self.max_iter = max_iter
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose


class GenerativeTopographicMap(EmbeddingEstimator):
    """Generative topographic map: a smooth sheet or line as the centers of a Gaussian mixture.

    A smooth map of the points with a probability: the nodes of a sheet or line are the centers of
    a mixture of equal Gaussians.

    Use it to view points on a plane when you also want to know how likely a point is, or where
    else on the map it could lie: each point has a share of responsibility in every node. The
    mixture smooths over noise that an elastic map or a self-organizing map would follow. It needs
    complete points. An EM step is one pass over the points and costs about K·D operations per
    point.

    Bishop1998, GTM algorithm; ``midrib fit --method gtm``.

    Parameters
    ----------
    sides : str | Literal["auto"], default='auto'
        Number of nodes of the latent grid along each axis: `16x16` for a map, `20` for a line;
        `auto` for 16x16.
    functions : str | Literal["auto"], default='auto'
        Number of Gaussian functions along each axis, for example `4x4`: more let the map bend
        more. `auto` for a quarter of the sides.
    width : float, default=2.0
        Width of the Gaussian functions, in steps between their centers: larger values give a
        smoother map.
    ridge : float, default=0.001
        Ridge α on the weights of the functions: larger values keep the map flat. It has the units
        of the columns and pulls toward their zero, so scaled and centered columns are best.
    position : Literal["mean", "mode"], default='mean'
        Where on the map a point is: at the `mean` of the nodes, weighted by its responsibilities,
        or at their `mode`, the node of the largest.
    max_iter : int, default=200
        Largest number of EM steps.
    tol : float, default=1e-05
        Stop when the log-likelihood per point rises by less than this; 0 runs all steps.
    n_jobs : int | None, default=None
        Number of threads; None for all cores. The result is the same for any number.
    verbose : int | bool, default=0
        1 prints on stderr what was chosen and how the fit ended, 2 each iteration as well.

    Attributes
    ----------
    graph_, nodes_, edges_, edge_weights_ : the learned graph
    labels_ : the branch of each point
    embedding_ : the coordinates of the training points in few dimensions
    objective_, objective_history_ : the objective at the end; at the start and after each EM step
    n_iter_, converged_ : the number of EM steps; whether the fit converged
    """

    _method: ClassVar[str] = "gtm"

    def __init__(
        self,
        *,
        sides: str | Literal["auto"] = "auto",
        functions: str | Literal["auto"] = "auto",
        width: float = 2.0,
        ridge: float = 0.001,
        position: Literal["mean", "mode"] = "mean",
        max_iter: int = 200,
        tol: float = 1e-05,
        n_jobs: int | None = None,
        verbose: int | bool = 0,
    ) -> None:
        self.sides = sides
        self.functions = functions
        self.width = width
        self.ridge = ridge
        self.position = position
        self.max_iter = max_iter
        self.tol = tol
        self.n_jobs = n_jobs
        self.verbose = verbose


class KernelPCA(EmbeddingRuleEstimator):
    """Principal components of a kernel: curved directions of variance.

    Kernel principal components: curved directions of large variance.

    Use it when groups are rings or arcs that no straight direction separates, or as a smooth
    preparation in few dimensions. Memory N² up to 5,000 points.

    Schoelkopf1998, section 3; ``midrib fit --method kernel-pca``.

    Parameters
    ----------
    n_components : int, default=2
        Number of coordinates that each point gets.
    kernel_function : Literal["gaussian", "linear"], default='gaussian'
        How alike two points are.
    gamma : float | Literal["auto"], default='auto'
        The gamma of the Gaussian kernel, one over a squared length: a number, or `auto` for one
        over half the mean squared distance of two points. Large values look at close points only.
    metric : Literal["euclidean", "precomputed"], default='euclidean'
        precomputed if X holds the distances of the points from each other, a symmetric matrix:
        then new points have no coordinates.
    n_jobs : int | None, default=None
        Number of threads; None for all cores. The result is the same for any number.
    verbose : int | bool, default=0
        1 prints on stderr what was chosen and how the fit ended, 2 each iteration as well.

    Attributes
    ----------
    embedding_ : the coordinates of the training points in few dimensions
    n_iter_, converged_ : the number of sweeps; whether the fit converged
    """

    _method: ClassVar[str] = "kernel-pca"

    def __init__(
        self,
        *,
        n_components: int = 2,
        kernel_function: Literal["gaussian", "linear"] = "gaussian",
        gamma: float | Literal["auto"] = "auto",
        metric: Literal["euclidean", "precomputed"] = "euclidean",
        n_jobs: int | None = None,
        verbose: int | bool = 0,
    ) -> None:
        self.n_components = n_components
        self.kernel_function = kernel_function
        self.gamma = gamma
        self.metric = metric
        self.n_jobs = n_jobs
        self.verbose = verbose


class MDS(EmbeddingRuleEstimator):
    """Coordinates that keep the distances of all points.

    Multidimensional scaling: coordinates that keep the distances of all points.

    Use it for a map of distances, such as those between sequences or cities. Each sweep costs N²
    operations, memory is N².

    deLeeuw1977, Guttman transform; ``midrib fit --method mds``.

    Parameters
    ----------
    n_components : int, default=2
        Number of coordinates that each point gets.
    algorithm : Literal["smacof", "classical"], default='smacof'
        How the coordinates are found.
    max_iter : int, default=300
        Largest number of sweeps.
    tol : float, default=1e-06
        Stop when the root of the relative stress falls by less than this in a sweep; 0 runs all.
    metric : Literal["euclidean", "precomputed"], default='euclidean'
        precomputed if X holds the distances of the points from each other, a symmetric matrix:
        then new points have no coordinates.
    n_jobs : int | None, default=None
        Number of threads; None for all cores. The result is the same for any number.
    verbose : int | bool, default=0
        1 prints on stderr what was chosen and how the fit ended, 2 each iteration as well.

    Attributes
    ----------
    embedding_ : the coordinates of the training points in few dimensions
    objective_, objective_history_ : the objective at the end; at the start and after each sweep
    n_iter_, converged_ : the number of sweeps; whether the fit converged
    """

    _method: ClassVar[str] = "mds"

    def __init__(
        self,
        *,
        n_components: int = 2,
        algorithm: Literal["smacof", "classical"] = "smacof",
        max_iter: int = 300,
        tol: float = 1e-06,
        metric: Literal["euclidean", "precomputed"] = "euclidean",
        n_jobs: int | None = None,
        verbose: int | bool = 0,
    ) -> None:
        self.n_components = n_components
        self.algorithm = algorithm
        self.max_iter = max_iter
        self.tol = tol
        self.metric = metric
        self.n_jobs = n_jobs
        self.verbose = verbose

    def fit(self, X: Any, y: Any = None) -> Self:  # type: ignore[override]
        """Learns from points. The method takes no weights."""
        return self._fit(X, None)


class Isomap(EmbeddingRuleEstimator):
    """Coordinates that keep the distances along a curved sheet.

    Isomap: unrolls a curved sheet, keeping distances along it.

    Use it for points on one curved surface without holes. Noise that bridges two folds shortens
    paths: then use fewer neighbors.

    Tenenbaum2000, Table 1; ``midrib fit --method isomap``.

    Parameters
    ----------
    n_components : int, default=2
        Number of coordinates that each point gets.
    n_neighbors : int | Literal["all", "auto"], default='auto'
        Number of nearest neighbors of each point, itself not counted: a number, `all`, or `auto`
        for 10. Few follow fine detail but may leave the points in pieces; many cut corners.
    pieces : Literal["refuse", "largest"], default='largest'
        What to do if the neighbors leave the points in several pieces, which have no positions
        relative to each other.
    metric : Literal["euclidean", "precomputed"], default='euclidean'
        precomputed if X holds the distances of the points from each other, a symmetric matrix:
        then new points have no coordinates.
    n_jobs : int | None, default=None
        Number of threads; None for all cores. The result is the same for any number.
    verbose : int | bool, default=0
        1 prints on stderr what was chosen and how the fit ended, 2 each iteration as well.

    Attributes
    ----------
    embedding_ : the coordinates of the training points in few dimensions
    n_iter_, converged_ : the number of sweeps; whether the fit converged
    """

    _method: ClassVar[str] = "isomap"

    def __init__(
        self,
        *,
        n_components: int = 2,
        n_neighbors: int | Literal["all", "auto"] = "auto",
        pieces: Literal["refuse", "largest"] = "largest",
        metric: Literal["euclidean", "precomputed"] = "euclidean",
        n_jobs: int | None = None,
        verbose: int | bool = 0,
    ) -> None:
        self.n_components = n_components
        self.n_neighbors = n_neighbors
        self.pieces = pieces
        self.metric = metric
        self.n_jobs = n_jobs
        self.verbose = verbose

    def fit(self, X: Any, y: Any = None) -> Self:  # type: ignore[override]
        """Learns from points. The method takes no weights."""
        return self._fit(X, None)


class LocallyLinearEmbedding(EmbeddingRuleEstimator):
    """Coordinates in which each point is the same mean of its neighbors.

    Locally linear embedding: keeps how each point is made up of its neighbors.

    Use it for densely and evenly sampled sheets. Coordinates have length 1 whatever the size of
    the points.

    Roweis2000, Fig. 2; ``midrib fit --method lle``.

    Parameters
    ----------
    n_components : int, default=2
        Number of coordinates that each point gets.
    n_neighbors : int | Literal["all", "auto"], default='auto'
        Number of nearest neighbors of each point, itself not counted: a number, `all`, or `auto`
        for 10. Few follow fine detail but may leave the points in pieces; many cut corners.
    reg : float, default=0.001
        Regularization of the weights, as a share of the local variance: larger values make the
        weights more even. Needed where there are more neighbors than columns.
    pieces : Literal["refuse", "largest"], default='largest'
        What to do if the neighbors leave the points in several pieces, which have no positions
        relative to each other.
    metric : Literal["euclidean", "precomputed"], default='euclidean'
        precomputed if X holds the distances of the points from each other, a symmetric matrix:
        then new points have no coordinates.
    n_jobs : int | None, default=None
        Number of threads; None for all cores. The result is the same for any number.
    verbose : int | bool, default=0
        1 prints on stderr what was chosen and how the fit ended, 2 each iteration as well.

    Attributes
    ----------
    embedding_ : the coordinates of the training points in few dimensions
    n_iter_, converged_ : the number of sweeps; whether the fit converged
    """

    _method: ClassVar[str] = "lle"

    def __init__(
        self,
        *,
        n_components: int = 2,
        n_neighbors: int | Literal["all", "auto"] = "auto",
        reg: float = 0.001,
        pieces: Literal["refuse", "largest"] = "largest",
        metric: Literal["euclidean", "precomputed"] = "euclidean",
        n_jobs: int | None = None,
        verbose: int | bool = 0,
    ) -> None:
        self.n_components = n_components
        self.n_neighbors = n_neighbors
        self.reg = reg
        self.pieces = pieces
        self.metric = metric
        self.n_jobs = n_jobs
        self.verbose = verbose

    def fit(self, X: Any, y: Any = None) -> Self:  # type: ignore[override]
        """Learns from points. The method takes no weights."""
        return self._fit(X, None)


class Eigenmap(EmbeddingRuleEstimator):
    """The slowest modes of a random walk between neighbors; diffusion maps.

    Laplacian eigenmaps and diffusion maps: the slowest modes of a random walk between neighbors.

    Use it before a graph method where clusters and branches matter more than distances, as for
    single cells. Sparse: memory grows with N.

    Belkin2003, section 2; ``midrib fit --method eigenmap``.

    Parameters
    ----------
    n_components : int, default=2
        Number of coordinates that each point gets.
    n_neighbors : int | Literal["all", "auto"], default='auto'
        Number of nearest neighbors of each point, itself not counted: a number, `all`, or `auto`
        for 10. Few follow fine detail but may leave the points in pieces; many cut corners.
    affinity : Literal["neighbors", "gaussian"], default='neighbors'
        How similar neighbors are.
    gamma : float | Literal["auto"], default='auto'
        The gamma of Gaussian similarities, one over a squared length: a number, or `auto` for one
        over the mean squared distance of a point's farthest neighbor.
    alpha : float, default=0.0
        How far the density of the points is taken out of the walk, from 0 to 1: 0 for Laplacian
        eigenmaps, 1 for diffusion maps that follow the shape of the data only.
    time : float, default=0.0
        Steps of the walk: 0 for Laplacian eigenmaps; with more, fast modes count less.
    pieces : Literal["refuse", "largest"], default='largest'
        What to do if the neighbors leave the points in several pieces, which have no positions
        relative to each other.
    metric : Literal["euclidean", "precomputed"], default='euclidean'
        precomputed if X holds the distances of the points from each other, a symmetric matrix:
        then new points have no coordinates.
    n_jobs : int | None, default=None
        Number of threads; None for all cores. The result is the same for any number.
    verbose : int | bool, default=0
        1 prints on stderr what was chosen and how the fit ended, 2 each iteration as well.

    Attributes
    ----------
    embedding_ : the coordinates of the training points in few dimensions
    n_iter_, converged_ : the number of sweeps; whether the fit converged
    """

    _method: ClassVar[str] = "eigenmap"

    def __init__(
        self,
        *,
        n_components: int = 2,
        n_neighbors: int | Literal["all", "auto"] = "auto",
        affinity: Literal["neighbors", "gaussian"] = "neighbors",
        gamma: float | Literal["auto"] = "auto",
        alpha: float = 0.0,
        time: float = 0.0,
        pieces: Literal["refuse", "largest"] = "largest",
        metric: Literal["euclidean", "precomputed"] = "euclidean",
        n_jobs: int | None = None,
        verbose: int | bool = 0,
    ) -> None:
        self.n_components = n_components
        self.n_neighbors = n_neighbors
        self.affinity = affinity
        self.gamma = gamma
        self.alpha = alpha
        self.time = time
        self.pieces = pieces
        self.metric = metric
        self.n_jobs = n_jobs
        self.verbose = verbose

    def fit(self, X: Any, y: Any = None) -> Self:  # type: ignore[override]
        """Learns from points. The method takes no weights."""
        return self._fit(X, None)


class PrincipalCurve(ProjectionEstimator):
    """Principal curve, open or closed, or surface: every position is a local mean of the points.

    A principal curve: smooth, without branches, and locally the mean of the points.

    A round costs O(N·D·(log K + K·span)) for K nodes.

    Gorban2009, Principal manifolds by Hastie and Stuetzle; ``midrib fit --method curve``.

    Parameters
    ----------
    structure : Literal["open", "closed", "surface"], default='open'
        `open` or `closed` for a curve, or `surface` for a sheet with two inner coordinates.
    smoother : Literal["local-linear", "spline"], default='local-linear'
        `local-linear`: weighted linear regressions over a share of the points, or `spline`: a
        cubic smoothing spline.
    span : float, default=0.2
        Share of the points over which a position is averaged. Larger values give a smoother
        curve. For local-linear.
    degrees_of_freedom : float | Literal["auto"], default='auto'
        Degrees of freedom of the spline: fewer give a smoother curve. `auto` chooses them in
        every round by generalized cross-validation.
    n_nodes : int | Literal["all", "auto"], default='auto'
        Number of nodes: a number, `all` for one per distinct projection, or `auto` for 1000 (all
        if that is fewer). Of a surface at most this many, and 100 for `auto`.
    max_iter : int, default=30
        Largest number of rounds.
    tol : float, default=0.001
        Stop when a round changes the mean squared distance by less than this share of it; 0 runs
        all rounds.
    n_jobs : int | None, default=None
        Number of threads; None for all cores. The result is the same for any number.
    verbose : int | bool, default=0
        1 prints on stderr what was chosen and how the fit ended, 2 each iteration as well.

    Attributes
    ----------
    graph_, nodes_, edges_, edge_weights_ : the learned graph
    labels_ : the branch of each point
    objective_, objective_history_ : the objective at the end; at the start and after each round
    n_iter_, converged_ : the number of rounds; whether the fit converged
    """

    _method: ClassVar[str] = "curve"

    def __init__(
        self,
        *,
        structure: Literal["open", "closed", "surface"] = "open",
        smoother: Literal["local-linear", "spline"] = "local-linear",
        span: float = 0.2,
        degrees_of_freedom: float | Literal["auto"] = "auto",
        n_nodes: int | Literal["all", "auto"] = "auto",
        max_iter: int = 30,
        tol: float = 0.001,
        n_jobs: int | None = None,
        verbose: int | bool = 0,
    ) -> None:
        self.structure = structure
        self.smoother = smoother
        self.span = span
        self.degrees_of_freedom = degrees_of_freedom
        self.n_nodes = n_nodes
        self.max_iter = max_iter
        self.tol = tol
        self.n_jobs = n_jobs
        self.verbose = verbose


class PolygonalLine(ProjectionEstimator):
    """One open curve of few straight segments, with a penalty on its angles.

    An open polygonal line through the middle of the points.

    Use it for points along one curve. On branching points it turns in wide bends outside of them,
    which its penalty prefers to sharp ones.

    An evaluation costs O(N·D), and each of the O(N^(1/3)) segments takes some tens of them.

    Gorban2009, Kégl-Kryzhak improvement, eq. (2); ``midrib fit --method polyline``.

    Parameters
    ----------
    n_nodes : int | Literal["auto"], default='auto'
        Number of nodes: a number, or `auto` to stop by the rule of `stop_factor`.
    curvature_penalty : float, default=0.13
        Weight λ′ of the angles: larger values give a straighter line.
    stop_factor : float, default=0.3
        Factor β of the stopping rule: larger values give more segments.
    max_iter : int, default=300
        Largest number of descent steps per segment.
    tol : float, default=1e-08
        A descent stops when a round of steps lowers the objective by less than this share of it.
    n_jobs : int | None, default=None
        Number of threads; None for all cores. The result is the same for any number.
    verbose : int | bool, default=0
        1 prints on stderr what was chosen and how the fit ended, 2 each iteration as well.

    Attributes
    ----------
    graph_, nodes_, edges_, edge_weights_ : the learned graph
    labels_ : the branch of each point
    objective_, objective_history_ : the objective at the end; at the start and after each segment
    n_iter_, converged_ : the number of segments; whether the fit converged
    """

    _method: ClassVar[str] = "polyline"

    def __init__(
        self,
        *,
        n_nodes: int | Literal["auto"] = "auto",
        curvature_penalty: float = 0.13,
        stop_factor: float = 0.3,
        max_iter: int = 300,
        tol: float = 1e-08,
        n_jobs: int | None = None,
        verbose: int | bool = 0,
    ) -> None:
        self.n_nodes = n_nodes
        self.curvature_penalty = curvature_penalty
        self.stop_factor = stop_factor
        self.max_iter = max_iter
        self.tol = tol
        self.n_jobs = n_jobs
        self.verbose = verbose


class KSegments(ProjectionEstimator):
    """One open curve of line segments, each fitted to its nearest points, that are then joined.

    An open curve through line segments that are fitted one by one and then joined.

    Use it for curves that wind or cross themselves, where a method that bends the first principal
    line step by step gets stuck: segments first find the points, and their order comes last. A
    round costs O(N·K·D) for K segments.

    Verbeek2002, A k-segments algorithm; ``midrib fit --method k-segments``.

    Parameters
    ----------
    n_segments : int | Literal["auto"], default='auto'
        Number of segments, before they are joined: a number, or `auto` for the shortest
        description of the points.
    angle_penalty : float, default=1.0
        What a turn by 180 degrees costs when segments are joined, in mean lengths of a segment.
        Larger values give smoother curves, smaller ones shorter links.
    max_iter : int, default=100
        Largest number of rounds after each new segment.
    tol : float, default=0.0001
        Rounds stop when the mean squared distance changes by less than this share of it.
    n_jobs : int | None, default=None
        Number of threads; None for all cores. The result is the same for any number.
    verbose : int | bool, default=0
        1 prints on stderr what was chosen and how the fit ended, 2 each iteration as well.

    Attributes
    ----------
    graph_, nodes_, edges_, edge_weights_ : the learned graph
    labels_ : the branch of each point
    objective_, objective_history_ : the objective at the end; at the start and after each segment
    n_iter_, converged_ : the number of segments; whether the fit converged
    """

    _method: ClassVar[str] = "k-segments"

    def __init__(
        self,
        *,
        n_segments: int | Literal["auto"] = "auto",
        angle_penalty: float = 1.0,
        max_iter: int = 100,
        tol: float = 0.0001,
        n_jobs: int | None = None,
        verbose: int | bool = 0,
    ) -> None:
        self.n_segments = n_segments
        self.angle_penalty = angle_penalty
        self.max_iter = max_iter
        self.tol = tol
        self.n_jobs = n_jobs
        self.verbose = verbose


class LocalPrincipalCurves(ProjectionEstimator):
    """Local principal curves: follows the points from seeds, with branches and components.

    Curves that follow the points from seeds, with branches and several components.

    Starting nodes, if given, are the seeds. A step costs O(M·D²) for M points within nine
    bandwidths.

    Einbeck2005, Local principal curves; ``midrib fit --method lpc``.

    Parameters
    ----------
    bandwidth : float | Literal["auto"], default='auto'
        Bandwidth h of the Gaussian kernel, a length, and the length of a step. Larger values give
        smoother curves with fewer branches. `auto` takes a twentieth of the range along the first
        principal axis; or a tenth or a fortieth, whichever covers more, if less than 95 % of the
        points are within one bandwidth of the curve.
    branch_ratio : float, default=0.4
        Branches start where the second local variance is more than this share of the first; 1
        gives none.
    n_seeds : int | Literal["auto"], default='auto'
        Largest number of seeds: a number, or `auto` for 20, as long as points are left over.
    max_iter : int, default=100
        Largest number of steps from a seed in each direction.
    n_jobs : int | None, default=None
        Number of threads; None for all cores. The result is the same for any number.
    verbose : int | bool, default=0
        1 prints on stderr what was chosen and how the fit ended, 2 each iteration as well.

    Attributes
    ----------
    graph_, nodes_, edges_, edge_weights_ : the learned graph
    labels_ : the branch of each point
    objective_, objective_history_ : the objective at the end; at the start and after each seed
    n_iter_, converged_ : the number of seeds; whether the fit converged
    """

    _method: ClassVar[str] = "lpc"

    def __init__(
        self,
        *,
        bandwidth: float | Literal["auto"] = "auto",
        branch_ratio: float = 0.4,
        n_seeds: int | Literal["auto"] = "auto",
        max_iter: int = 100,
        n_jobs: int | None = None,
        verbose: int | bool = 0,
    ) -> None:
        self.bandwidth = bandwidth
        self.branch_ratio = branch_ratio
        self.n_seeds = n_seeds
        self.max_iter = max_iter
        self.n_jobs = n_jobs
        self.verbose = verbose


class SCMS(ProjectionEstimator):
    """Ridge of a density, joined by a spanning tree: what the points show before any smoothing.

    The ridge of a kernel density of the points, joined by a spanning tree.

    A step costs O(N·M·D²) for M neighbors within six times the root of the bandwidth.

    Ozertem2011, Subspace constrained mean shift; ``midrib fit --method scms``.

    Parameters
    ----------
    bandwidth : float | Literal["auto"], default='auto'
        Bandwidth σ of the kernel exp(−‖·‖²/σ), a squared length: larger values give a smoother
        ridge with fewer branches. `auto` takes the mean squared distance to the ⌈log₂ N⌉-th
        nearest point.
    n_nodes : int | Literal["all", "auto"], default='auto'
        Number of nodes: a number, `all` for every distinct ridge point, or `auto` for one per
        half root of the bandwidth, at most 1000.
    max_iter : int, default=500
        Largest number of steps.
    tol : float, default=1e-10
        A point stops when its next step is shorter than this share of the root of the bandwidth.
    n_jobs : int | None, default=None
        Number of threads; None for all cores. The result is the same for any number.
    verbose : int | bool, default=0
        1 prints on stderr what was chosen and how the fit ended, 2 each iteration as well.

    Attributes
    ----------
    graph_, nodes_, edges_, edge_weights_ : the learned graph
    labels_ : the branch of each point
    objective_, objective_history_ : the objective at the end; at the start and after each step
    n_iter_, converged_ : the number of steps; whether the fit converged
    """

    _method: ClassVar[str] = "scms"

    def __init__(
        self,
        *,
        bandwidth: float | Literal["auto"] = "auto",
        n_nodes: int | Literal["all", "auto"] = "auto",
        max_iter: int = 500,
        tol: float = 1e-10,
        n_jobs: int | None = None,
        verbose: int | bool = 0,
    ) -> None:
        self.bandwidth = bandwidth
        self.n_nodes = n_nodes
        self.max_iter = max_iter
        self.tol = tol
        self.n_jobs = n_jobs
        self.verbose = verbose
