"""scikit-learn estimators, one for each method.

Written by python/generate.py from the registry of methods: change settings and their texts there.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from numpy.random import RandomState

from midrib._base import EmbeddingEstimator, PlacesEstimator

if TYPE_CHECKING:
    if sys.version_info >= (3, 11):
        from typing import Self
    else:
        from typing_extensions import Self


__all__ = [
    "CubicComplex",
    "DDRTree",
    "DRTree",
    "ElasticMap",
    "ElasticPrincipalCurve",
    "ElasticPrincipalGraph",
    "ElasticPrincipalRing",
    "ElasticPrincipalTree",
    "PrincipalGraph",
    "SPL",
    "SimplePPT",
]


class SimplePPT(PlacesEstimator):
    """Principal tree by soft assignment; begin here for branching data without loops.

    A principal tree: the method to begin with for branching data without loops.

    A sweep costs O(N·K·D) at most, and far less when the bandwidth is small; memory is that of
    the points and the nodes.

    Mao2015, Algorithm 1; ``midrib fit --method ppt``.

    Parameters
    ----------
    n_nodes : int | Literal["all", "auto"], default='auto'
        Number of nodes: a number, `all` for one per point, or `auto` for 100 (a third of the
        points if those are fewer). More nodes draw a finer line and cost more time.
    bandwidth : float | Literal["auto"], default='auto'
        Bandwidth σ of the soft assignment, a squared length: points share themselves among nodes
        within about its root. Larger values smooth more. `auto` takes half the mean squared
        distance of the points to the nearest starting node.
    length_penalty : float | Literal["auto"], default='auto'
        Weight λ of the squared edge lengths. Larger values give a smoother, shorter tree with
        fewer branches. `auto` evens out bends shorter than 2.2 times the scatter of the points
        around the tree, and keeps longer ones.
    smoothing : float | None, default=None
        Smoothing length as a share of the tree's length: sets the length penalty to smoothing² ·
        nodes · points, whatever their number. Give either this or length_penalty.
    tips : Literal["auto", "tidy", "keep"], default='auto'
        What becomes of the tips: `tidy` removes those that carry less than 1 % of the points or
        are shorter than 2.5 times the noise and extends the others to the end of the data, `keep`
        leaves them as learned, `auto` tidies when the length penalty is automatic.
    acceleration : Literal["anderson", "none"], default='anderson'
        How sweeps are sped up: `anderson`, or `none` for the plain sweeps of the paper.
    max_iter : int, default=500
        Largest number of sweeps.
    tol : float, default=1e-05
        Stop when a sweep lowers the objective by less than this part of the total squared
        distance of the points from their mean; 0 runs all sweeps.
    random_state : int | RandomState | None, default=0
        Seed of what is random. The same seed gives the same graph.
    n_jobs : int | None, default=None
        Threads; None for all cores. The graph is the same for any number.
    verbose : int | bool, default=0
        1 tells on stderr what was chosen and how the fit ended, 2 each sweep as well.

    Attributes
    ----------
    graph_, nodes_, edges_, edge_weights_ : the learned graph
    labels_ : the branch of each point
    objective_, objective_history_ : at the end; at the start and after each sweep
    n_iter_, converged_ : the number of sweeps; whether the objective rests
    """

    _method: ClassVar[str] = "ppt"

    def __init__(
        self,
        *,
        n_nodes: int | Literal["all", "auto"] = "auto",
        bandwidth: float | Literal["auto"] = "auto",
        length_penalty: float | Literal["auto"] = "auto",
        smoothing: float | None = None,
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
        self.tips = tips
        self.acceleration = acceleration
        self.max_iter = max_iter
        self.tol = tol
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose


class PrincipalGraph(PlacesEstimator):
    """Principal graph: a tree like ppt's, or with structure="l1" loops, crossings, components.

    The principal graph of Mao2017, in the paper's own scale.

    Mao2017, Algorithms 1 and 2; ``midrib fit --method rpg``.

    Parameters
    ----------
    structure : Literal["tree", "l1"], default='tree'
        What the nodes are joined by: `tree`, or `l1` for a graph that may have loops, crossings
        and several components.
    n_nodes : int | Literal["all", "auto"], default='auto'
        Number of nodes: a number, `all` for one per point (Algorithm 1), or `auto` for 100 (a
        third of the points if those are fewer). Fewer nodes than points are landmarks found by
        k-means (Algorithm 2).
    bandwidth : float | Literal["auto"], default='auto'
        Bandwidth σ of the soft assignment, a squared length: points share themselves among nodes
        within about its root. `auto` takes half the mean squared distance of the points to the
        nearest starting node.
    data_weight : float | Literal["auto"], default='auto'
        Weight γ of the data against the length of the graph. Smaller values give a smoother,
        shorter graph. `auto` evens out bends shorter than 2.2 times the scatter of the points
        around the graph, and keeps longer ones.
    n_neighbors : int | Literal["all", "auto"], default='auto'
        Nearest nodes that an edge of an l1 graph may join a node to: a number, `all`, or `auto`
        for 5, or 8 if each point has its own.
    neighbors : Literal["union", "mutual"], default='union'
        Which nearest nodes make a pair in an l1 graph: `union` if one node is among those of the
        other, `mutual` if each is.
    reconstruction_weight : float | Literal["auto"], default='auto'
        Weight λ of rebuilding nodes of an l1 graph from neighbors, a length. Larger values give
        more edges. `auto` takes the root mean square distance of the points from their mean.
    rebuild : Literal["auto", "linear", "affine"], default='auto'
        How nodes of an l1 graph are rebuilt: `linear` as in the paper, from the coordinates as
        they are, so that a shifted cloud gives another graph, in pieces where it lies around the
        origin; `affine` by weights that add up to about 1, wherever the cloud lies; `auto` is
        linear with a given reconstruction_weight, else affine.
    voids : Literal["avoid", "cross"], default='avoid'
        Whether edges of an l1 graph may cross voids between points: `avoid`, or `cross` as in the
        paper. With fewer nodes than points the graph is learned again without such edges, up to
        six times.
    tips : Literal["auto", "tidy", "keep"], default='auto'
        What becomes of the tips of a tree: `tidy` removes those that carry less than 1 % of the
        points or are shorter than 2.5 times the noise and extends the others to the end of the
        data, `keep` leaves them as learned, `auto` tidies when the data weight is automatic.
    acceleration : Literal["anderson", "none"], default='anderson'
        How sweeps are sped up: `anderson`, or `none` for the plain sweeps of the paper.
    max_iter : int, default=500
        Largest number of sweeps; of an l1 graph that is learned again, each time.
    tol : float, default=1e-05
        Stop when a sweep lowers the objective (divided by data_weight) by less than this part of
        the total squared distance of the points from their mean; 0 runs all sweeps.
    random_state : int | RandomState | None, default=0
        Seed of what is random. The same seed gives the same graph.
    n_jobs : int | None, default=None
        Threads; None for all cores. The graph is the same for any number.
    verbose : int | bool, default=0
        1 tells on stderr what was chosen and how the fit ended, 2 each sweep as well.

    Attributes
    ----------
    graph_, nodes_, edges_, edge_weights_ : the learned graph
    labels_ : the branch of each point
    objective_, objective_history_ : at the end; at the start and after each sweep
    n_iter_, converged_ : the number of sweeps; whether the objective rests
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
        self.tips = tips
        self.acceleration = acceleration
        self.max_iter = max_iter
        self.tol = tol
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose


class DRTree(EmbeddingEstimator):
    """Tree in fewer dimensions with a node at every point: dimensions and tree learned together.

    A tree with one node per point in fewer dimensions: for small sets where every point matters.

    A sweep costs O(N·D²), or O(N·D·d) with many columns; memory is that of the points.

    Wang2016, problem (29); ``midrib fit --method drtree``.

    Parameters
    ----------
    n_components : float | Literal["auto"], default='auto'
        Number of latent dimensions: a number, a share of the variance such as 0.95 that as many
        principal components hold, or `auto` for 2.
    tree_weight : float | Literal["auto"], default='auto'
        Weight λ of the squared edge lengths. Larger values give a smoother, shorter tree; 0 gives
        principal components. `auto` evens out bends about as short as the scatter of the
        principal components around a tree.
    max_iter : int, default=100
        Largest number of sweeps, at least 1.
    tol : float, default=1e-05
        Stop when a sweep lowers the objective by less than this part of the total squared
        distance of the points from their mean; 0 runs all sweeps.
    random_state : int | RandomState | None, default=0
        Seed of what is random. The same seed gives the same graph.
    n_jobs : int | None, default=None
        Threads; None for all cores. The graph is the same for any number.
    verbose : int | bool, default=0
        1 tells on stderr what was chosen and how the fit ended, 2 each sweep as well.

    Attributes
    ----------
    graph_, nodes_, edges_, edge_weights_ : the learned graph
    labels_ : the branch of each point
    embedding_ : the learned places of the points in fewer dimensions
    objective_, objective_history_ : at the end; at the start and after each sweep
    n_iter_, converged_ : the number of sweeps; whether the objective rests
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
    """Tree in fewer dimensions, learned together with them, as Monocle 2 does for single cells.

    A tree in fewer dimensions: for many columns, as in single-cell data.

    The R package DDRTree, and Monocle 2 with it, has these defaults: `n_components` 2, `max_iter`
    20, `bandwidth` 0.001, `tree_weight` 5·N, `cluster_weight` 10, `tol` 0.001.

    A sweep costs O(N·D²), or O(N·D·d) with many columns, and what the shares take, of which a
    point has few unless the bandwidth is large.

    Wang2016, Algorithm 2; ``midrib fit --method ddrtree``.

    Parameters
    ----------
    n_nodes : int | Literal["all", "auto"], default='auto'
        Number of nodes: a number, `all` for one per point, or `auto` for as many as Monocle 2
        takes, 200·ln N/(ln N + ln 100), all points if those are at most 100.
    n_components : float | Literal["auto"], default='auto'
        Number of latent dimensions: a number, a share of the variance such as 0.95 that as many
        principal components hold, or `auto` for 2.
    tree_weight : float | Literal["auto"], default='auto'
        Weight λ of the squared edge lengths. Larger values give a smoother, shorter tree. `auto`
        evens out bends about as short as the scatter of the principal components around a tree.
    cluster_weight : float, default=10.0
        Weight γ that draws the embedded points to their nodes. Larger values give tighter
        clusters along the tree.
    bandwidth : float | Literal["auto"], default='auto'
        Bandwidth σ of the soft assignment, a squared latent length: points share themselves among
        nodes within about its root. `auto` takes the mean squared distance of the principal
        components to well spread centers, divided by the number of latent dimensions, at least 2.
    assignment : Literal["soft", "hard"], default='soft'
        Whether points are shared among nodes (`soft`) or belong to the nearest one (`hard`).
    max_iter : int, default=100
        Largest number of sweeps, at least 1.
    tol : float, default=1e-05
        Stop when a sweep lowers the objective by less than this part of the total squared
        distance of the points from their mean; 0 runs all sweeps.
    random_state : int | RandomState | None, default=0
        Seed of what is random. The same seed gives the same graph.
    n_jobs : int | None, default=None
        Threads; None for all cores. The graph is the same for any number.
    verbose : int | bool, default=0
        1 tells on stderr what was chosen and how the fit ended, 2 each sweep as well.

    Attributes
    ----------
    graph_, nodes_, edges_, edge_weights_ : the learned graph
    labels_ : the branch of each point
    embedding_ : the learned places of the points in fewer dimensions
    objective_, objective_history_ : at the end; at the start and after each sweep
    n_iter_, converged_ : the number of sweeps; whether the objective rests
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
        Which two points may be similar: `union` if one is among the nearest of the other,
        `mutual` if each is.
    n_components : float | Literal["auto"], default='auto'
        Latent dimensions d: a number, the share of the variance that as many principal components
        hold, or `auto` for 2.
    noise_weight : float, default=1.0
        Weight γ of the points as noisy images of the embedding. 0 learns from the distances of
        neighbors alone: where their graph falls into pieces, so does the embedding.
    tolerance_weight : float | Literal["inf"], default=1000.0
        How strictly the distances of neighbors are kept, C: a number, or `inf` for strictly.
    scaling : Literal["auto", "none"], default='auto'
        `auto` brings the points to the scale of the model's unit prior by one factor, and undoes
        it in the embedding; `none` takes the points as they are.
    ascent : Literal["quasi-newton", "subgradient"], default='quasi-newton'
        How the similarities are found: `quasi-newton`, or `subgradient` for the paper's steps,
        which get about half way.
    max_iter : int, default=500
        Largest number of steps.
    tol : float, default=1e-06
        Stop when the conditions of the maximum are violated by no more than this share of the
        mean squared distance of neighbors; 0 runs all steps.
    n_jobs : int | None, default=None
        Threads; None for all cores. The graph is the same for any number.
    verbose : int | bool, default=0
        1 tells on stderr what was chosen and how the fit ended, 2 each sweep as well.

    Attributes
    ----------
    graph_, nodes_, edges_, edge_weights_ : the learned graph
    labels_ : the branch of each point
    embedding_ : the learned places of the points in fewer dimensions
    objective_, objective_history_ : at the end; at the start and after each sweep
    n_iter_, converged_ : the number of sweeps; whether the objective rests
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
        """Learns the graph. The method has no weights."""
        return self._fit(X, None)


class ElasticPrincipalCurve(PlacesEstimator):
    """One smooth curve without branches, by elastic energy.

    A line that grows by bisecting its edges where that lowers its elastic energy most.

    Gorban2009, section 5; ``midrib fit --method elastic-curve``.

    Parameters
    ----------
    n_nodes : int | Literal["auto"], default='auto'
        Number of nodes to grow to: `auto` for 50, or a third of the points if those are fewer.
    stretching : float, default=0.01
        Stretching modulus λ: larger values give shorter edges and pull the ends in.
    bending : float, default=0.1
        Bending modulus μ: larger values give a straighter line.
    program : str, default='bisect'
        Rules of the grammar that follow one another: again and again, until there are `n_nodes`,
        `bisect` (an edge), `grow` (that, or add a node beyond an end) and `shrink` (remove an
        end, or contract an edge).
    trimming_radius : float | Literal["auto", "inf"], default='inf'
        Distance from every node beyond which points do not pull: outliers then do no harm. `auto`
        to estimate it from the points, `inf` to let all points pull.
    search : Literal["fast", "exact"], default='fast'
        How the best change is found: `fast`, on a sample of the points, or `exact`, on all of
        them.
    max_iter : int, default=100
        Largest number of sweeps of one placement.
    tol : float, default=1e-05
        When nodes rest: if placing them again lowers the energy by less than this part of the
        variance of the points, or of the square of the trimming radius if that is less; while the
        graph grows, by less than ten times that. 0 goes on until nothing changes.
    n_jobs : int | None, default=None
        Threads; None for all cores. The graph is the same for any number.
    verbose : int | bool, default=0
        1 tells on stderr what was chosen and how the fit ended, 2 each sweep as well.

    Attributes
    ----------
    graph_, nodes_, edges_, edge_weights_ : the learned graph
    labels_ : the branch of each point
    objective_, objective_history_ : at the end; at the start and after each step
    n_iter_, converged_ : the number of steps; whether the objective rests
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


class ElasticPrincipalRing(PlacesEstimator):
    """One smooth closed curve, by elastic energy: cycles, rotations.

    A line that grows by bisecting its edges where that lowers its elastic energy most.

    Gorban2009, section 5; ``midrib fit --method elastic-ring``.

    Parameters
    ----------
    n_nodes : int | Literal["auto"], default='auto'
        Number of nodes to grow to: `auto` for 50, or a third of the points if those are fewer.
    stretching : float, default=0.01
        Stretching modulus λ: larger values give shorter edges and pull the ends in.
    bending : float, default=0.1
        Bending modulus μ: larger values give a straighter line.
    program : str, default='bisect'
        Rules of the grammar that follow one another: again and again, until there are `n_nodes`,
        `bisect` (an edge), `grow` (that, or add a node beyond an end) and `shrink` (remove an
        end, or contract an edge).
    trimming_radius : float | Literal["auto", "inf"], default='inf'
        Distance from every node beyond which points do not pull: outliers then do no harm. `auto`
        to estimate it from the points, `inf` to let all points pull.
    search : Literal["fast", "exact"], default='fast'
        How the best change is found: `fast`, on a sample of the points, or `exact`, on all of
        them.
    max_iter : int, default=100
        Largest number of sweeps of one placement.
    tol : float, default=1e-05
        When nodes rest: if placing them again lowers the energy by less than this part of the
        variance of the points, or of the square of the trimming radius if that is less; while the
        graph grows, by less than ten times that. 0 goes on until nothing changes.
    n_jobs : int | None, default=None
        Threads; None for all cores. The graph is the same for any number.
    verbose : int | bool, default=0
        1 tells on stderr what was chosen and how the fit ended, 2 each sweep as well.

    Attributes
    ----------
    graph_, nodes_, edges_, edge_weights_ : the learned graph
    labels_ : the branch of each point
    objective_, objective_history_ : at the end; at the start and after each step
    n_iter_, converged_ : the number of steps; whether the objective rests
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


class ElasticPrincipalTree(PlacesEstimator):
    """Tree grown where it lowers its elastic energy; smooth branches, robust to outliers.

    A tree that grows where it lowers its elastic energy: the way of ElPiGraph.

    Each step of the growth compares all changes of the tree, on 50 points for each node; what
    grew is then placed on all points, which may have gaps. When the tree has all its nodes, its
    parts are joined elsewhere as long as that lowers the energy.

    Gorban2009, section 5; ``midrib fit --method elastic-tree``.

    Parameters
    ----------
    n_nodes : int | Literal["auto"], default='auto'
        Number of nodes to grow to: `auto` for 50, or a third of the points if those are fewer.
    stretching : float, default=0.01
        Stretching modulus λ: larger values give shorter edges and pull the tips in.
    bending : float, default=0.1
        Bending modulus μ: larger values give straighter branches.
    branching_penalty : float, default=0.0
        Branching penalty α: how much more an edge resists stretching, where trees are compared,
        for each neighbor of its ends beyond the second. Larger values give fewer branches.
    star_exponent : float, default=0.0
        Star exponent β: the power of a star's order that multiplies its bending modulus where
        trees are compared.
    program : str, default='grow,grow,shrink'
        Rules of the grammar that follow one another: again and again, until there are `n_nodes`,
        `grow` (add a node to a node, or bisect an edge), `bisect` and `shrink` (remove a leaf, or
        contract an edge). More `shrink` undoes more of what went wrong, and takes longer.
    max_branch_points : float | Literal["inf"], default='inf'
        Largest number of branch points, or `inf` for any.
    max_star_order : float | Literal["inf"], default='inf'
        Largest number of neighbors of a node, or `inf` for any.
    max_steps : float | Literal["inf"], default='inf'
        Largest number of steps of the growth: each adds or takes away a node; `inf` for any.
    trimming_radius : float | Literal["auto", "inf"], default='inf'
        Distance from every node beyond which points do not pull: outliers then do no harm. `auto`
        to estimate it from the points, `inf` to let all points pull.
    tips : Literal["auto", "tidy", "keep"], default='auto'
        What becomes of the tips: `tidy` removes those that carry less than 1 % of the points or
        are shorter than 2.5 times the noise and extends the others to the end of the data, `keep`
        leaves them as grown; `auto` tidies.
    search : Literal["fast", "exact"], default='fast'
        How the best change is found: `fast`, on a sample of the points, or `exact`, on all of
        them.
    max_iter : int, default=100
        Largest number of sweeps of one placement.
    tol : float, default=1e-05
        When nodes rest: if placing them again lowers the energy by less than this part of the
        variance of the points, or of the square of the trimming radius if that is less; while the
        graph grows, by less than ten times that. 0 goes on until nothing changes.
    n_jobs : int | None, default=None
        Threads; None for all cores. The graph is the same for any number.
    verbose : int | bool, default=0
        1 tells on stderr what was chosen and how the fit ended, 2 each sweep as well.

    Attributes
    ----------
    graph_, nodes_, edges_, edge_weights_ : the learned graph
    labels_ : the branch of each point
    objective_, objective_history_ : at the end; at the start and after each step
    n_iter_, converged_ : the number of steps; whether the objective rests
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


class ElasticPrincipalGraph(PlacesEstimator):
    """Graph of smooth branches that closes loops and falls into components as the data do.

    A graph that grows as a tree, joins its open ends where the data go on, and falls apart where
    they do not: loops and components are found, not given.

    Beside what an [`ElasticTree`] costs, each loop or component that is looked for costs a few
    placements; components are learned again, which costs about as much again.

    Gorban2009, section 5; ``midrib fit --method elastic-graph``.

    Parameters
    ----------
    n_nodes : int | Literal["auto"], default='auto'
        Number of nodes to grow to: `auto` for 50, or a third of the points if those are fewer.
    stretching : float, default=0.01
        Stretching modulus λ: larger values give shorter edges and pull the tips in.
    bending : float, default=0.1
        Bending modulus μ: larger values give straighter branches.
    branching_penalty : float, default=0.0
        α: how much more an edge resists stretching, where graphs are compared, for each neighbor
        of its ends beyond the second. Larger values give fewer branches.
    star_exponent : float, default=0.0
        β: the power of a star's order that multiplies its bending modulus where graphs are
        compared.
    program : str, default='grow,grow,shrink'
        Rules of the grammar that follow one another: again and again, until there are `n_nodes`,
        `grow` (add a node to a node, or bisect an edge), `bisect` and `shrink` (remove a leaf, or
        contract an edge). More `shrink` undoes more of what went wrong, and takes longer.
    max_branch_points : float | Literal["inf"], default='inf'
        Largest number of branch points, or `inf` for any.
    max_star_order : float | Literal["inf"], default='inf'
        Largest number of neighbors of a node, or `inf` for any.
    max_steps : float | Literal["inf"], default='inf'
        Largest number of steps of the growth: each adds or takes away a node; `inf` for any.
    end_penalty : float, default=0.01
        Price of open ends and of edges without points: what two open ends, or an edge with hardly
        any points, cost where graphs are compared, in parts of the variance of the points. Larger
        values close more loops and cut more edges.
    trimming_radius : float | Literal["auto", "inf"], default='inf'
        Distance from every node beyond which points do not pull: outliers then do no harm. `auto`
        to estimate it from the points, `inf` to let all points pull.
    tips : Literal["auto", "tidy", "keep"], default='auto'
        What becomes of the tips: `tidy` removes those that carry less than 1 % of the points or
        are shorter than 2.5 times the noise and extends the others to the end of the data, `keep`
        leaves them as grown; `auto` tidies.
    search : Literal["fast", "exact"], default='fast'
        How the best change is found: `fast`, on a sample of the points, or `exact`, on all of
        them.
    max_iter : int, default=100
        Largest number of sweeps of one placement.
    tol : float, default=1e-05
        When nodes rest: if placing them again lowers the energy by less than this part of the
        variance of the points, or of the square of the trimming radius if that is less; while the
        graph grows, by less than ten times that. 0 goes on until nothing changes.
    n_jobs : int | None, default=None
        Threads; None for all cores. The graph is the same for any number.
    verbose : int | bool, default=0
        1 tells on stderr what was chosen and how the fit ended, 2 each sweep as well.

    Attributes
    ----------
    graph_, nodes_, edges_, edge_weights_ : the learned graph
    labels_ : the branch of each point
    objective_, objective_history_ : at the end; at the start and after each step
    n_iter_, converged_ : the number of steps; whether the objective rests
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
    """Sheet, tube, sphere or other net bent into the points: a map to look at them on.

    A map of the points: a sheet, or another net of nodes, that is bent into their midst.

    Use it to look at points on a surface (or on a curve, or in a block) that follows them better
    than the plane of the first principal components does. Points may have gaps. A sweep costs
    O(N·K·D) at most.

    Gorban2009, Elastic maps approach; ``midrib fit --method elastic-map``.

    Parameters
    ----------
    net : str, default='rectangle'
        The shape of the net: `chain`, `ring`, `rectangle`, `triangular` (a sheet of triangles),
        `cylinder`, `torus`, `sphere` or `box`.
    sides : str | Literal["auto"], default='auto'
        Number of nodes along each axis, for example `12x8`, of a sphere that of its rings and of
        the nodes of each; or `auto` to divide `n_nodes` in the ratio of the points' extents.
    n_nodes : int | Literal["auto"], default='auto'
        About how many nodes the net has if `sides` is `auto`; `auto` for 100 (a third of the
        points if those are fewer).
    stretching : float | Literal["auto"], default='auto'
        Stretching modulus λ: larger values give a smaller map that draws its border in. `auto`
        for 0.001, of a chain or ring 0.0001.
    bending : float | Literal["auto"], default='auto'
        Bending modulus μ: larger values give a flatter map. `auto` for 0.001 of a sheet or a box,
        0.00001 of a cylinder, torus or sphere, 0.000001 of a chain or ring.
    moduli : Literal["whole", "each"], default='whole'
        What the moduli belong to: the `whole` net, so that finer ones resist alike, or `each`
        edge and rib.
    epochs : str, default='1000,100,10,1'
        Factors of both moduli, one epoch each, from stiff to soft.
    trimming_radius : float | Literal["auto", "inf"], default='inf'
        Distance from every node beyond which points do not pull: outliers then do no harm. `auto`
        to estimate it from the points, `inf` to let all points pull.
    margin : int, default=1
        Steps by which the map goes straight on beyond an open border, where points are placed on
        it; 0 leaves points from beyond on the border.
    max_iter : int, default=100
        Largest number of sweeps of one epoch.
    tol : float, default=1e-05
        An epoch ends when a sweep lowers the energy by less than this part of the variance of the
        points; 0 runs all sweeps.
    n_jobs : int | None, default=None
        Threads; None for all cores. The graph is the same for any number.
    verbose : int | bool, default=0
        1 tells on stderr what was chosen and how the fit ended, 2 each sweep as well.

    Attributes
    ----------
    graph_, nodes_, edges_, edge_weights_ : the learned graph
    labels_ : the branch of each point
    embedding_ : the learned places of the points in fewer dimensions
    objective_, objective_history_ : at the end; at the start and after each sweep
    n_iter_, converged_ : the number of sweeps; whether the objective rests
    """

    _method: ClassVar[str] = "elastic-map"
    _gaps: ClassVar[bool] = True

    def __init__(
        self,
        *,
        net: Literal[
            "chain", "ring", "rectangle", "triangular", "cylinder", "torus", "sphere", "box"
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


class CubicComplex(PlacesEstimator):
    """Product of two trees grown by elastic energy: surfaces that branch.

    A surface with branches: the product of two trees that grow where that lowers the energy.

    Use it where points vary along two ways at once and one of them may branch, such as a lineage
    and a cycle of days. The notes say what the two trees are.

    Gorban2009, Principal cubic complexes; ``midrib fit --method cubic``.

    Parameters
    ----------
    n_nodes : int | Literal["auto"], default='auto'
        Number of nodes that the product grows to at least, or `auto` for 36 (a third of the
        points if those are fewer).
    stretching : float, default=0.001
        Stretching modulus λ: larger values give shorter edges and pull the border in.
    bending : float, default=0.01
        Bending modulus μ: larger values give straighter branches.
    max_branch_points : float | Literal["inf"], default='inf'
        Largest number of branch points of each tree, or `inf` for any.
    max_star_order : float | Literal["inf"], default='inf'
        Largest number of neighbors of a node in its tree, or `inf` for any.
    trimming_radius : float | Literal["auto", "inf"], default='inf'
        Distance from every node beyond which points do not pull: outliers then do no harm. `auto`
        to estimate it from the points, `inf` to let all points pull.
    max_iter : int, default=100
        Largest number of sweeps of one placement.
    tol : float, default=1e-05
        When a placement ends: if a sweep lowers the energy by less than this part of the variance
        of the points. 0 goes on until it rests.
    n_jobs : int | None, default=None
        Threads; None for all cores. The graph is the same for any number.
    verbose : int | bool, default=0
        1 tells on stderr what was chosen and how the fit ended, 2 each sweep as well.

    Attributes
    ----------
    graph_, nodes_, edges_, edge_weights_ : the learned graph
    labels_ : the branch of each point
    objective_, objective_history_ : at the end; at the start and after each sweep
    n_iter_, converged_ : the number of sweeps; whether the objective rests
    """

    _method: ClassVar[str] = "cubic"
    _columns: ClassVar[int] = 2

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
