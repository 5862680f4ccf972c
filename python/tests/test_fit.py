"""midrib.fit, with numpy alone: arrays, errors, threads, progress and Ctrl-C."""

import _thread
import json
import multiprocessing
import pickle
import signal
import threading
import time
from pathlib import Path

import midrib
import numpy as np
import pytest


def test_the_first_fit(fork):
    graph = midrib.fit(fork)
    assert (len(graph.tips), len(graph.branch_points), graph.n_loops) == (3, 1, 0)
    assert graph.method == "ppt" and graph.end == "converged"
    assert graph.explained > 0.99
    assert np.all(np.diff(graph.objective_history) <= 1e-9)
    assert graph.objective == graph.objective_history[-1]
    assert len(graph.objective_history) == graph.n_iter + 1
    assert graph.chosen["n_nodes"] == 100
    assert graph.settings["max_iter"] == 500


def test_results_without_edges(fork, tmp_path):
    centers = midrib.fit(fork, "kmeans", n_clusters=4)
    assert isinstance(centers, midrib.Centers) and centers.kind == "centers"
    assert centers.centers.shape == (4, 3) and centers.mass.sum() == 400
    assert repr(centers) == "Centers(4 centers)"
    flats = midrib.fit(fork, "pca", n_components=1, verbose=1)
    assert isinstance(flats, midrib.Flats) and flats.axes.shape == (1, 3)
    assert repr(flats) == "Flats(1 principal axis in 3 columns)"
    assert flats.embed(fork).shape == (400, 1) and len(flats.objective_history) == 0
    for result in (centers, flats):
        result.save(tmp_path)
        assert midrib.read(tmp_path) == result and type(midrib.read(tmp_path)) is type(result)
        assert not hasattr(result, "root")
    with pytest.raises(ValueError, match="kmeans learns no embedding"):
        centers.embed(fork)


@pytest.mark.parametrize("has_rule", [True, False])
def test_an_embedding_without_a_graph(fork, tmp_path, has_rule):
    flats = midrib.fit(fork, "pca", n_components=2)
    model = json.loads(flats.to_json())
    del model["flats"], model["explained"]
    model |= {"object": "embedding", "embedding": flats.embed(fork).tolist()}
    model |= {"rule": "linear" if has_rule else "training_only"}
    if has_rule:
        model |= {"center": flats.center.tolist(), "basis": flats.axes.T.tolist()}
    (tmp_path / "model.json").write_text(json.dumps(model))
    embedding = midrib.read(tmp_path)
    assert type(embedding) is midrib.Embedding and embedding.kind == "embedding"
    assert repr(embedding) == "Embedding(400 points in 2 dimensions)"
    np.testing.assert_allclose(embedding.coordinates, flats.embed(fork))
    assert embedding.embeds == has_rule
    if has_rule:
        np.testing.assert_allclose(embedding.embed(fork[:9]), flats.embed(fork[:9]))
    else:
        with pytest.raises(ValueError, match="training points only"):
            embedding.embed(fork)
    for ask in (embedding.project, embedding.mean_squared_distance):
        with pytest.raises(ValueError, match="no projections onto an embedding"):
            ask(fork)
    labels = {"half": ["low"] * 200 + ["high"] * 200}
    assert "high" in embedding.draw(tmp_path / "p.svg", fork, labels=labels)
    embedding.report(tmp_path / "r.html", fork, labels=labels)
    assert "An embedding was learned" in (tmp_path / "r.html").read_text()
    embedding.save(tmp_path)
    assert midrib.read(tmp_path) == embedding == pickle.loads(pickle.dumps(embedding))


def test_a_map_has_one_distance(fork):
    """``project``, pictures and reports have the distance from the map, not from its edges."""
    graph = midrib.fit(fork, "elastic-map", sides="4x3")
    distance = graph.project(fork).distance
    squares = graph.mean_squared_distance(fork)
    assert np.mean(distance**2) == pytest.approx(squares)
    edges = midrib.Graph.from_edges(graph.nodes, graph.edges).project(fork).distance
    assert (distance <= edges + 1e-9).all() and (distance < edges - 1e-3).any()
    drawn = graph.draw(None, fork, color="distance")
    assert drawn == graph.draw(None, fork, color="distance", labels={"distance": distance})


def test_an_elastic_fit_reports_its_energies(fork):
    assert midrib.fit(fork).complexity is None
    assert midrib.fit(fork, "elastic-tree", n_nodes=12).complexity["ue"] > 0


def test_memory_layouts_give_the_same_bytes(fork):
    nodes = midrib.fit(fork).nodes.tobytes()
    view = np.zeros((400, 6))[:, ::2]
    view[:] = fork
    frozen = fork.copy()
    frozen.flags.writeable = False
    for same in (np.asfortranarray(fork), view, frozen, fork.tolist(), fork[::-1][::-1]):
        assert midrib.fit(same).nodes.tobytes() == nodes


def test_single_precision_stays_single(fork):
    single = fork.astype(np.float32)
    double = single.astype(np.float64)
    assert midrib.fit(single).nodes.tobytes() == midrib.fit(double).nodes.tobytes()


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_points_are_not_copied(dtype, tmp_path):
    """A copy would double the memory of the process, which the kernel counts."""
    path = tmp_path / "points.npy"
    n, dims = 150_000, 50
    on_disk = np.lib.format.open_memmap(path, "w+", dtype, (n, dims))
    rng = np.random.default_rng(0)
    for start in range(0, n, 50_000):
        on_disk[start : start + 50_000] = rng.normal(size=(50_000, dims))
    del on_disk
    points = np.load(path, mmap_mode="r")
    seen = []

    def watch(*_):
        seen.append(_anonymous())
        return False

    before = _anonymous()
    graph = midrib.fit(points, n_nodes=20, bandwidth=1.0, length_penalty=1.0, progress=watch)
    assert graph.end == "interrupted" and graph.nodes.shape == (20, dims)
    assert max(seen) - before < points.nbytes / 2


def _anonymous() -> int:
    lines = dict(line.split(":", 1) for line in Path("/proc/self/status").read_text().splitlines())
    return int(lines["RssAnon"].split()[0]) * 1024


def test_start_and_links(fork):
    start = fork[:12]
    graph = midrib.fit(fork, start=start, max_iter=0, tips="keep")
    assert np.allclose(graph.nodes, start)
    linked = midrib.fit(fork[:30], n_nodes="all", links=[(0, 9, "must")], bandwidth=0.01)
    assert [0, 9] in linked.edges.tolist()
    with pytest.raises(ValueError, match='"maybe" is neither "must" nor "cannot"'):
        midrib.fit(fork, links=[(0, 1, "maybe")])


def test_only_given_pairs_become_edges(fork):
    points, n = fork[:40], 40
    pairs = np.array([(i, j) for i in range(n) for j in range(i + 1, n) if (i + j) % 3])
    for method, settings in [("spl", {}), ("rpg", {"structure": "l1", "n_nodes": "all"})]:
        graph = midrib.fit(points, method, pairs=pairs, **settings)
        assert set(map(tuple, graph.edges.tolist())) <= set(map(tuple, pairs.tolist()))
    with pytest.raises(ValueError, match="ppt takes no pairs of points"):
        midrib.fit(points, pairs=pairs)
    for wrong in ([0, 1], [(0, 1, 2)], [(0.5, 1.0)], [(-1, 2)]):
        with pytest.raises(ValueError, match="pairs"):
            midrib.fit(points, "spl", pairs=wrong)
    with pytest.raises(ValueError, match="40"):
        midrib.fit(points, "spl", pairs=[(0, 40)])


def test_a_fit_reports_its_own_steps(fork, capsys):
    midrib.fit(fork, "elastic-tree", n_nodes=8, verbose=2)
    printed = capsys.readouterr().err
    assert "steps, Graph(" in printed and "sweep" not in printed.splitlines()[-1]
    midrib.fit(fork, bandwidth=0.01, verbose=2)
    assert " sweeps, Graph(" in capsys.readouterr().err


def test_elastic_growth_goes_on_from_a_graph(fork):
    first = midrib.fit(fork, "elastic-tree", n_nodes=8, tips="keep")
    pinned = int(first.tips[0])
    graph = midrib.fit(
        fork,
        "elastic-tree",
        n_nodes=12,
        program="grow,grow,grow,shrink",
        trimming_radius="auto",
        start=first.nodes,
        start_edges=first.edges,
        start_stretching=[np.nan] * (len(first.edges) - 1) + [0.5],
        start_bending=[np.nan] * 7 + [0.0],
        start_pinned=[pinned],
    )
    assert graph.n_nodes == 12 and graph.chosen["tips"] == "keep"
    assert graph.chosen["trimming_radius"] > 0
    assert np.isclose(graph.nodes, first.nodes[pinned], atol=1e-12).all(axis=1).any()
    with pytest.raises(ValueError, match="one modulus for each of the 7 edges"):
        midrib.fit(
            fork,
            "elastic-tree",
            start=first.nodes,
            start_edges=first.edges,
            start_stretching=[1.0],
        )
    with pytest.raises(ValueError, match="takes only the positions of starting nodes"):
        midrib.fit(fork, start=first.nodes, start_edges=first.edges)


def test_elastic_graphs_take_points_with_gaps(fork):
    gappy = np.array(fork, dtype=float)
    gappy[::7, 0] = np.nan
    for method in ["elastic-curve", "elastic-ring", "elastic-tree", "elastic-graph"]:
        assert np.isfinite(midrib.fit(gappy, method, n_nodes=10).nodes).all()
    gappy[3] = np.nan
    with pytest.raises(ValueError, match="row 4 .* every value is missing"):
        midrib.fit(gappy, "elastic-tree")


def test_settings_by_numpy_numbers(fork):
    graph = midrib.fit(fork, n_nodes=np.int64(12), bandwidth=np.float32(0.5), tips="keep")
    assert graph.settings["n_nodes"] == 12 and graph.n_nodes == 12
    assert midrib.fit(fork, "elastic-tree", n_nodes=8, trimming_radius=np.inf).n_nodes >= 3


def test_progress_is_reported_and_may_stop(fork):
    reports = []
    whole = midrib.fit(fork, progress=lambda *seen: reports.append(seen))
    sweeps = [seen for seen in reports if seen[0] == "learning the graph"]
    assert all(done <= of for _, done, of, _ in reports)
    assert sweeps and all(isinstance(objective, float) for *_, objective in sweeps)

    given = {"bandwidth": 0.01, "length_penalty": 10.0, "tips": "keep", "tol": 0, "max_iter": 50}
    stopped = midrib.fit(fork, progress=lambda stage, done, of, objective: done < 3, **given)
    assert stopped.end == "interrupted" and stopped.n_iter == 3
    assert whole.end == "converged"

    def broken(*_):
        raise ZeroDivisionError("in the callback")

    with pytest.raises(ZeroDivisionError, match="in the callback"):
        midrib.fit(fork, progress=broken)


def test_a_sweep_that_takes_long_is_stopped_as_soon(fork):
    points = np.tile(fork, (500, 1))
    given = {"n_nodes": 300, "bandwidth": 1.0, "length_penalty": 1.0, "tips": "keep", "tol": 0}

    def slowly(stage: str, done: int, of: int, objective: float | None) -> bool:
        time.sleep(0.02)
        return stage != "learning the graph" or done < 2

    stopped = midrib.fit(points, progress=slowly, max_iter=30, **given)
    assert stopped.end == "interrupted" and stopped.n_iter == 2


@pytest.fixture
def heeded_ctrl_c():
    """Whoever began the tests may ignore Ctrl-C, as shells do for work in the background."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("heeded_ctrl_c")
def test_ctrl_c_interrupts(fork):
    points = np.tile(fork, (100, 1))
    threading.Timer(0.3, _thread.interrupt_main).start()
    began = time.perf_counter()
    with pytest.raises(KeyboardInterrupt):
        midrib.fit(points, n_nodes=1000, bandwidth=1.0, tol=0, max_iter=100_000)
    assert time.perf_counter() - began < 20


def test_other_threads_run_during_a_fit(fork):
    ticks = []
    done = threading.Event()

    def tick():
        while not done.is_set():
            ticks.append(time.perf_counter())
            time.sleep(0.001)

    thread = threading.Thread(target=tick)
    thread.start()
    midrib.fit(
        np.tile(fork, (20, 1)), n_nodes=300, bandwidth=0.5, length_penalty=9.0, tol=0, max_iter=10
    )
    done.set()
    thread.join()
    assert len(ticks) > 20


def test_fits_in_several_threads_at_once(fork):
    expected = midrib.fit(fork).nodes.tobytes()
    found = []

    def fit(n):
        found.append(midrib.fit(fork, n_jobs=n).nodes.tobytes())

    threads = [threading.Thread(target=fit, args=(n,)) for n in (1, 2, None, 2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [expected] * 4


@pytest.mark.filterwarnings("ignore:.*multi-threaded, use of fork")
def test_a_forked_process_has_threads_of_its_own(fork):
    expected = midrib.fit(fork).nodes.tobytes()
    with multiprocessing.get_context("fork").Pool(1) as pool:
        assert pool.apply_async(_nodes, (fork,)).get(60) == expected


def _nodes(points):
    return midrib.fit(points).nodes.tobytes()


def test_verbose_prints_what_was_chosen(fork, capsys):
    midrib.fit(fork, verbose=1)
    printed = capsys.readouterr().err
    assert (
        "bandwidth = " in printed and "converged after" in printed and "sweep 1 of" not in printed
    )
    midrib.fit(fork, verbose=2)
    assert "sweep 1 of at most" in capsys.readouterr().err


def test_refused(fork):
    refused = [
        (fork[0], "must be rows of a 2-dimensional array"),
        (fork[None], "must be rows of a 2-dimensional array"),
        (fork[:0], "is empty"),
        (fork[:, :0], "is empty"),
        (fork + 1j, "Complex data not supported"),
        (np.array([["a", "b"]]), "midrib needs numbers"),
        (np.array([[1, object()]]), "not all of its values are numbers"),
        (np.where(fork > 2, np.nan, fork), r"values are missing \(NaN\)"),
        (np.where(fork > 2, np.inf, fork), "infinite values cannot be used"),
        (np.ones((5, 2)), "all 5 points are equal"),
    ]
    for points, message in refused:
        with pytest.raises(ValueError, match=message):
            midrib.fit(points)
    with pytest.raises(TypeError, match="did you mean 'bandwidth'"):
        midrib.fit(fork, bandwith=1)
    with pytest.raises(midrib.SettingError, match='unknown method "ptp"'):
        midrib.fit(fork, "ptp")
    with pytest.raises(ValueError, match="sample_weight has shape"):
        midrib.fit(fork, sample_weight=[1, 2])
    with pytest.raises(midrib.DataError, match="weight of row 1"):
        midrib.fit(fork, sample_weight=-np.ones(400))
    with pytest.raises(TypeError, match="spl draws no random numbers"):
        midrib.fit(fork, "spl", random_state=1)
    with pytest.raises(ValueError, match="n_jobs = 0"):
        midrib.fit(fork, n_jobs=0)
    assert issubclass(midrib.NumericalError, ArithmeticError)
    assert issubclass(midrib.FileError, OSError)
