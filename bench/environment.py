"""What the benchmarks share: virtual environment, build, data sets, timed child processes."""

import os
import subprocess
import sys
import time
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / "target" / "bench-venv"
DATA = Path(os.environ.get("MIDRIB_DATA", ROOT.parent / "shared" / "data"))


def enter(script, packages):
    """Installs the packages, builds midrib, and reruns the script with `--prepared`."""
    python = VENV / "bin" / "python"
    if not python.exists():
        venv.create(VENV, with_pip=True)
    pip = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    subprocess.run([*pip, *packages], check=True)
    build()
    os.execv(python, [python, script, "--prepared", *sys.argv[1:]])


def build():
    """Builds the midrib command in release mode."""
    subprocess.run(["cargo", "build", "--release", "--workspace", "--locked"], cwd=ROOT, check=True)


def chosen(available):
    """The data sets named on the command line, or all; exits if one is unknown or missing."""
    names = [name for name in sys.argv[1:] if not name.startswith("--")] or list(available)
    unknown = [name for name in names if name not in available]
    if unknown:
        sys.exit(f"unknown data set: {', '.join(unknown)}; choose from {', '.join(available)}")
    missing = [name for name in names if not (DATA / name).is_dir()]
    if missing:
        sys.exit(f"skipped: {', '.join(missing)} not found in {DATA}; set MIDRIB_DATA")
    return names


def run(command, threads=1):
    """Standard output, CPU seconds, wall seconds and peak memory in MB of a child process.

    With `threads` 0 or None the child uses its default number of threads.
    """
    names = {f"{name}_NUM_THREADS" for name in ["OMP", "OPENBLAS", "MKL", "NUMBA"]}
    free = {name: value for name, value in os.environ.items() if name not in names}
    limits = {name: str(threads) for name in names} if threads else {}
    start = time.perf_counter()
    child = subprocess.Popen(
        [str(part) for part in command], stdout=subprocess.PIPE, env=free | limits, text=True
    )
    out = child.stdout.read()
    _, status, used = os.wait4(child.pid, 0)
    wall = time.perf_counter() - start
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}: exit code {child.returncode}")
    per_mb = 1024 * 1024 if sys.platform == "darwin" else 1024
    return out, used.ru_utime + used.ru_stime, wall, used.ru_maxrss / per_mb
