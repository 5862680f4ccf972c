"""The package's own shape: what is loaded when, how fast, how large."""

import subprocess
import sys
import time
from pathlib import Path

import midrib
import pytest


def run(code: str) -> str:
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_numpy_alone_is_loaded():
    code = (
        "import sys, midrib; midrib.fit([[0, 0], [1, 1], [2, 3], [4, 4]]); dir(midrib);"
        "print([m for m in ('sklearn', 'scipy', 'pandas', 'matplotlib', 'anndata')"
        " if m in sys.modules])"
    )
    assert run(code) == "[]"


def test_what_is_missing_is_named():
    code = """
import sys
class Hide:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in ("sklearn", "anndata", "matplotlib"):
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
sys.meta_path.insert(0, Hide())
import midrib
for name in ("SimplePPT", "tl", "pl"):
    try:
        getattr(midrib, name)
    except ImportError as error:
        print(error)
"""
    printed = run(code)
    assert (
        "midrib.SimplePPT needs scikit-learn" in printed and "pip install scikit-learn" in printed
    )
    assert "midrib.tl needs anndata" in printed and "midrib.pl needs matplotlib" in printed


def test_import_takes_less_than_three_tenths_of_a_second_beside_numpy():
    """The best of several, since the machine may be busy."""
    code = (
        "import time, numpy; began = time.process_time(); import midrib;"
        "print(time.process_time() - began)"
    )
    assert min(float(run(code)) for _ in range(3)) < 0.3


def test_a_call_costs_little_more_than_the_engine(fork, monkeypatch):
    """Below a millisecond and 5 % for a thousand points: what a call spends outside the engine."""
    import numpy as np
    from midrib import _core

    points = np.tile(fork, (3, 1))[:1000] + np.random.default_rng(0).normal(0, 0.05, (1000, 3))
    inside, engine = [], _core.fit

    def timed(*given, **named):
        began = time.process_time()
        fitted = engine(*given, **named)
        inside.append(time.process_time() - began)
        return fitted

    def spent(call) -> float:
        began = time.process_time()
        call()
        whole = time.process_time() - began
        return whole - 1.05 * inside.pop()

    monkeypatch.setattr(_core, "fit", timed)
    estimator = midrib.SimplePPT(n_nodes=50, n_jobs=1)
    for call in (lambda: midrib.fit(points, n_jobs=1, n_nodes=50), lambda: estimator.fit(points)):
        assert min(spent(call) for _ in range(15)) < 1e-3


def test_unknown_names():
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        midrib.nothing  # noqa: B018


def test_types_are_published():
    folder = Path(midrib.__file__).parent
    assert (folder / "py.typed").exists() and (folder / "_core.pyi").exists()
    assert midrib.__version__.count(".") == 2


def test_the_stub_is_that_of_the_engine(tmp_path):
    stubtest = [sys.executable, "-m", "mypy.stubtest", "midrib._core"]
    done = subprocess.run(stubtest, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
