"""A fit driven by hand over blocks of points, as a cluster would."""

import functools
import operator
import pickle

import midrib
import numpy as np
import pytest
from midrib import _core

SETTINGS = {"bandwidth": 0.01, "length_penalty": 500.0}


def survey(blocks, weights):
    survey = _core.Survey(blocks[0].shape[1])
    while not survey.done:
        parts = [survey.look(block, weight) for block, weight in zip(blocks, weights, strict=True)]
        total = functools.reduce(operator.add, pickle.loads(pickle.dumps(parts)))
        survey = pickle.loads(pickle.dumps(survey.take(total)))
    return survey


def by_hand(blocks, weights, start, sweeps):
    steps = _core.Steps(SETTINGS, survey(blocks, weights))
    steps = pickle.loads(pickle.dumps(steps))
    nodes, trace = steps.enter(start), []
    for sweep in range(sweeps + 1):
        parts = [
            pickle.loads(pickle.dumps(_core.estep(block, nodes, steps, weight)))
            for block, weight in zip(blocks, weights, strict=True)
        ]
        sums = functools.reduce(operator.add, parts)
        placed, objective, edges = _core.mstep(sums, nodes, steps)
        trace.append(objective)
        if sweep < sweeps:
            nodes = placed
    return steps.leave(nodes), edges, np.array(trace), sums.mass


@pytest.fixture(scope="module")
def points() -> np.ndarray:
    rng = np.random.default_rng(3)
    along = rng.uniform(-1, 1, 2 * _core.CHUNK_ROWS + 9000)
    curve = np.column_stack([along, along**2])
    return (curve + rng.normal(0, 0.05, curve.shape)).astype(np.float32)


@pytest.mark.parametrize("weighted", [False, True])
def test_three_blocks_give_the_same_bytes_as_one_fit(points, weighted):
    weight = np.arange(len(points)) % 3.0 if weighted else None
    cuts = [_core.CHUNK_ROWS, 2 * _core.CHUNK_ROWS]
    blocks = np.split(points, cuts)
    weights = [None] * 3 if weight is None else np.split(weight, cuts)
    start = points[:: len(points) // 20][:20].astype(np.float64)
    graph = midrib.fit(
        points,
        start=start,
        sample_weight=weight,
        max_iter=4,
        tol=0,
        acceleration="none",
        tips="keep",
        **SETTINGS,
    )
    nodes, edges, trace, mass = by_hand(blocks, weights, start, 4)
    assert nodes.tobytes() == graph.nodes.tobytes()
    assert edges.tobytes() == graph.edges.tobytes()
    assert trace.tobytes() == graph.objective_history.tobytes()
    assert mass.tobytes() == graph.mass.tobytes()


def test_other_blocks_differ_by_rounding_alone(points):
    start = points[:: len(points) // 20][:20].astype(np.float64)
    one = by_hand([points], [None], start, 3)
    other = by_hand(np.array_split(points, 5), [None] * 5, start, 3)
    assert np.allclose(one[0], other[0], rtol=0, atol=1e-9)
    assert np.array_equal(one[1], other[1])


def test_refused(points):
    with pytest.raises(ValueError, match="the survey is not done"):
        _core.Steps(SETTINGS, _core.Survey(2))
    done = survey([points[:100]], [None])
    with pytest.raises(midrib.SettingError, match="bandwidth = auto: steps need a number"):
        _core.Steps({}, done)
    steps = _core.Steps(SETTINGS, done)
    nodes = steps.enter(points[:3].astype(np.float64))
    sums = _core.estep(points[:100], nodes, steps)
    with pytest.raises(ValueError, match="sums over the nodes: expected 2 x 2, found 3 x 2"):
        _core.mstep(sums, nodes[:2], steps)
    with pytest.raises(ValueError, match="cannot be added"):
        sums + _core.estep(points[:100], nodes[:2], steps)
