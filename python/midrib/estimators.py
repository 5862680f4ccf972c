"""scikit-learn estimators, one per method.

Written by python/generate.py from the registry of methods: change settings and their docs there.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from numpy.random import RandomState

from midrib._base import CentersEstimator, EmbeddingEstimator, FlatsEstimator, ProjectionEstimator

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
    "KMeans",
    "PCA",
    "PrincipalGraph",
    "SPL",
    "SimplePPT",
]


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
    tips : Literal["auto", "tidy", "keep"], default='auto'
        What to do with the tips of a tree: `tidy` removes those that carry less than 1 % of the
        points or are shorter than 2.5 times the noise and extends the others to the end of the
        data, `keep` leaves them as learned, `auto` tidies if the data weight is automatic.
    acceleration : Literal["anderson", "none"], default='anderson'
        How to speed up the sweeps: `anderson`, or `none` for the plain sweeps of the paper.
    max_iter : int, default=500
        Largest number of sweeps; of an l1 graph that is learned again, each time.
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
        neighbors alone: if their graph has several components, so has the embedding.
    tolerance_weight : float | Literal["inf"], default=1000.0
        How strictly the distances of neighbors are kept, C: a number, or `inf` for strictly.
    scaling : Literal["auto", "none"], default='auto'
        `auto` scales the points to the model's unit prior by one factor and undoes it in the
        embedding; `none` uses the points as they are.
    ascent : Literal["quasi-newton", "subgradient"], default='quasi-newton'
        How the similarities are found: `quasi-newton`, or `subgradient` for the paper's steps,
        which get about halfway.
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
        Distance from every node beyond which points are ignored: a number, `auto` to estimate it
        from the points, or `inf` to use all points. Protects against outliers.
    search : Literal["fast", "exact"], default='fast'
        How the best change is found: `fast`, on a sample of the points, or `exact`, on all of
        them.
    max_iter : int, default=100
        Largest number of sweeps per placement.
    tol : float, default=1e-05
        When a placement ends: a sweep lowers the energy by less than this share of the variance
        of the points, or of the squared trimming radius if that is smaller; while the graph
        grows, by less than ten times that. 0 runs until nothing changes.
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
        Distance from every node beyond which points are ignored: a number, `auto` to estimate it
        from the points, or `inf` to use all points. Protects against outliers.
    search : Literal["fast", "exact"], default='fast'
        How the best change is found: `fast`, on a sample of the points, or `exact`, on all of
        them.
    max_iter : int, default=100
        Largest number of sweeps per placement.
    tol : float, default=1e-05
        When a placement ends: a sweep lowers the energy by less than this share of the variance
        of the points, or of the squared trimming radius if that is smaller; while the graph
        grows, by less than ten times that. 0 runs until nothing changes.
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
        Distance from every node beyond which points are ignored: a number, `auto` to estimate it
        from the points, or `inf` to use all points. Protects against outliers.
    tips : Literal["auto", "tidy", "keep"], default='auto'
        What to do with the tips: `tidy` removes those that carry less than 1 % of the points or
        are shorter than 2.5 times the noise and extends the others to the end of the data, `keep`
        leaves them as grown; `auto` tidies.
    search : Literal["fast", "exact"], default='fast'
        How the best change is found: `fast`, on a sample of the points, or `exact`, on all of
        them.
    max_iter : int, default=100
        Largest number of sweeps per placement.
    tol : float, default=1e-05
        When a placement ends: a sweep lowers the energy by less than this share of the variance
        of the points, or of the squared trimming radius if that is smaller; while the graph
        grows, by less than ten times that. 0 runs until nothing changes.
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
        Distance from every node beyond which points are ignored: a number, `auto` to estimate it
        from the points, or `inf` to use all points. Protects against outliers.
    tips : Literal["auto", "tidy", "keep"], default='auto'
        What to do with the tips: `tidy` removes those that carry less than 1 % of the points or
        are shorter than 2.5 times the noise and extends the others to the end of the data, `keep`
        leaves them as grown; `auto` tidies.
    search : Literal["fast", "exact"], default='fast'
        How the best change is found: `fast`, on a sample of the points, or `exact`, on all of
        them.
    max_iter : int, default=100
        Largest number of sweeps per placement.
    tol : float, default=1e-05
        When a placement ends: a sweep lowers the energy by less than this share of the variance
        of the points, or of the squared trimming radius if that is smaller; while the graph
        grows, by less than ten times that. 0 runs until nothing changes.
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
        The shape of the net: `chain`, `ring`, `rectangle`, `triangular` (a sheet of triangles),
        `cylinder`, `torus`, `sphere` or `box`.
    sides : str | Literal["auto"], default='auto'
        Number of nodes along each axis, for example `12x8`; for a sphere, the number of rings and
        of nodes per ring; `auto` to divide `n_nodes` in proportion to the extents of the points.
    n_nodes : int | Literal["auto"], default='auto'
        Approximate number of nodes if `sides` is `auto`: a number, or `auto` for 100 (a third of
        the points if that is fewer).
    stretching : float | Literal["auto"], default='auto'
        Stretching modulus λ: larger values give a smaller map and pull its border in. `auto` for
        0.001, or 0.0001 for a chain or ring.
    bending : float | Literal["auto"], default='auto'
        Bending modulus μ: larger values give a flatter map. `auto` for 0.001 for a sheet or box,
        0.00001 for a cylinder, torus or sphere, 0.000001 for a chain or ring.
    moduli : Literal["whole", "each"], default='whole'
        What the moduli apply to: the `whole` net, so that finer nets are equally stiff, or `each`
        edge and rib.
    epochs : str, default='1000,100,10,1'
        Factors of both moduli, one per epoch, from stiff to soft.
    trimming_radius : float | Literal["auto", "inf"], default='inf'
        Distance from every node beyond which points are ignored: a number, `auto` to estimate it
        from the points, or `inf` to use all points. Protects against outliers.
    margin : int, default=1
        Steps by which the map continues straight on beyond an open border when points are
        projected onto it; 0 leaves such points on the border.
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
        Distance from every node beyond which points are ignored: a number, `auto` to estimate it
        from the points, or `inf` to use all points. Protects against outliers.
    max_iter : int, default=100
        Largest number of sweeps per placement.
    tol : float, default=1e-05
        When a placement ends: a sweep lowers the energy by less than this share of the variance
        of the points; 0 runs until it does not fall any more.
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
        Number of starts; the best result counts.
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

    Gorban2009, Principal component analysis; ``midrib fit --method pca``.

    Parameters
    ----------
    n_components : float | Literal["auto"], default='auto'
        Number of components: a number, the share of the variance that they hold, or `auto` for 2.
    n_jobs : int | None, default=None
        Number of threads; None for all cores. The result is the same for any number.
    verbose : int | bool, default=0
        1 prints on stderr what was chosen and how the fit ended, 2 each iteration as well.

    Attributes
    ----------
    mean_, components_ : the mean and the principal axes
    explained_variance_, explained_variance_ratio_ : the variance along each axis
    n_iter_, converged_ : the number of sweeps; whether the fit converged
    """

    _method: ClassVar[str] = "pca"

    def __init__(
        self,
        *,
        n_components: float | Literal["auto"] = "auto",
        n_jobs: int | None = None,
        verbose: int | bool = 0,
    ) -> None:
        self.n_components = n_components
        self.n_jobs = n_jobs
        self.verbose = verbose
