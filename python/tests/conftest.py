"""Data that several tests use."""

import os
from pathlib import Path

import matplotlib
import numpy as np
import pytest

matplotlib.use("Agg")


@pytest.fixture(scope="session")
def fork() -> np.ndarray:
    """400 points about three arms that meet at the origin."""
    rng = np.random.default_rng(7)
    arm = np.array([[1.0, 0.0, 0.0], [-0.5, 0.8, 0.1], [-0.5, -0.8, -0.1]])
    along = rng.uniform(0, 3, 400)
    return along[:, None] * arm[rng.integers(0, 3, 400)] + rng.normal(0, 0.05, (400, 3))


@pytest.fixture(scope="session")
def command() -> Path:
    """The command line, where it has been built."""
    root = Path(__file__).parents[2]
    command = Path(os.environ.get("MIDRIB_COMMAND", root / "target" / "debug" / "midrib"))
    if not command.exists():
        pytest.skip(f"{command} is not built: cargo build -p midrib-cli")
    return command
