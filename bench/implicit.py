"""Embeddings against scikit-learn: time, and the largest difference of the coordinates.

    python3 bench/implicit.py [--quick] [--large]

Points on a curved sheet of two dimensions in 50, with noise. Both learn two coordinates with
the same settings in one process; times are those of one fit. Set OMP_NUM_THREADS,
OPENBLAS_NUM_THREADS and RAYON_NUM_THREADS to 1 for one thread each. scikit-learn's kernel PCA,
scaling and Isomap store the matrix of all pairs; beyond 5,000 points midrib uses 1,000 landmarks
there, so coordinates differ. `--large` fits eigenmaps and Isomap to 50,000 points, midrib alone.
"""

import os
import resource
import subprocess
import sys
import time
import venv

from environment import ROOT, VENV

PACKAGES = ["numpy", "scipy", "scikit-learn", "maturin"]
NEIGHBORS = 10
SWEEPS = 20
DIMS = 50
# scikit-learn takes too long beyond this many points: 20 sweeps over all pairs.
LARGEST = {"mds": 5000}


def prepare():
    """Installs the packages and midrib in release mode, and reruns the script."""
    python = VENV / "bin" / "python"
    if not python.exists():
        venv.create(VENV, with_pip=True)
    pip = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    subprocess.run([*pip, *PACKAGES], check=True)
    build = [VENV / "bin" / "maturin", "develop", "--release", "--quiet"]
    subprocess.run(build, cwd=ROOT, check=True, env=os.environ | {"VIRTUAL_ENV": str(VENV)})
    os.execv(python, [python, __file__, "--prepared", *sys.argv[1:]])


def sheet(n):
    """Points of a curved sheet, turned into 50 dimensions."""
    import numpy as np

    rng = np.random.default_rng(0)
    u, v = rng.uniform(size=(2, n))
    angle = 1.5 * np.pi * (1 + u)
    rows = np.stack([angle * np.cos(angle), 12 * v, angle * np.sin(angle)], axis=1)
    turn = np.linalg.qr(rng.normal(size=(DIMS, 3)))[0]
    return rows @ turn.T + 0.02 * rng.normal(size=(n, DIMS))


def peers(n):
    """scikit-learn's embeddings by method: midrib's settings, and a function of the points."""
    from sklearn import decomposition, manifold
    from sklearn.metrics import pairwise_distances

    near = {"n_neighbors": NEIGHBORS}

    def kernel_pca(X):
        return decomposition.KernelPCA(2, kernel="rbf", gamma=0.01).fit_transform(X)

    def mds(X):
        start = decomposition.PCA(2).fit_transform(X)
        distances = pairwise_distances(X)
        return manifold.smacof(
            distances, n_components=2, init=start, n_init=1, max_iter=SWEEPS, eps=0
        )[0]

    def isomap(X):
        return manifold.Isomap(n_components=2, **near).fit_transform(X)

    def lle(X):
        return manifold.LocallyLinearEmbedding(
            n_components=2, random_state=0, **near
        ).fit_transform(X)

    def eigenmap(X):
        # scikit-learn counts the point itself among its neighbors.
        return manifold.SpectralEmbedding(
            2, n_neighbors=NEIGHBORS + 1, eigen_solver="arpack", random_state=0
        ).fit_transform(X)

    found = {
        "kernel-pca": ({"gamma": 0.01}, kernel_pca),
        "mds": ({"max_iter": SWEEPS, "tol": 0.0}, mds),
        "isomap": (near, isomap),
        "lle": (near, lle),
        "eigenmap": (near, eigenmap),
    }
    return {
        name: (settings, peer if n <= LARGEST.get(name, n) else None)
        for name, (settings, peer) in found.items()
    }


def difference(found, expected):
    """The largest difference after the signs of the columns are aligned, as a share."""
    import numpy as np

    signs = np.sign((found * expected).sum(axis=0))
    return np.abs(found - signs * expected).max() / np.abs(expected).max()


def timed(work):
    """A result, and the CPU and wall seconds that it took."""
    cpu, wall = time.process_time(), time.perf_counter()
    result = work()
    return result, (time.process_time() - cpu, time.perf_counter() - wall)


def compare(n):
    import midrib

    X = sheet(n)
    for name, (settings, peer) in peers(n).items():
        result, own = timed(lambda name=name, settings=settings: midrib.fit(X, name, **settings))
        row = f"| {n:,} | {name} | {own[0]:.2f}, {own[1]:.2f} |"
        if peer is None:
            print(f"{row} – | – | – |", flush=True)
            continue
        expected, other = timed(lambda peer=peer: peer(X))
        off = difference(result.coordinates, expected)
        ratios = [theirs / ours for ours, theirs in zip(own, other, strict=True)]
        times = f"{other[0]:.2f}, {other[1]:.2f} | {ratios[0]:.1f}, {ratios[1]:.1f}"
        print(f"{row} {times} | {off:.0e} |", flush=True)


def large(n=50_000):
    import midrib

    X = sheet(n)
    for name in ["eigenmap", "isomap"]:
        _, (cpu, wall) = timed(lambda name=name: midrib.fit(X, name, n_neighbors=NEIGHBORS))
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        times = f"{cpu:.1f} CPU s, {wall:.1f} s"
        print(f"{name}: {n:,} x {DIMS}: {times}, peak so far {peak:,.0f} MB", flush=True)


def main():
    if "--prepared" not in sys.argv:
        prepare()
    if "--large" in sys.argv:
        return large()
    print("| N | method | midrib CPU, wall s | scikit-learn | ratios | largest difference |")
    print("|--:|---|--:|--:|--:|--:|")
    for n in [2000] if "--quick" in sys.argv else [5000, 20_000]:
        compare(n)


if __name__ == "__main__":
    main()
