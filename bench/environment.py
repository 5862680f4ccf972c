"""The virtual environment in which benches run."""

import os
import subprocess
import sys
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / "target" / "bench-venv"


def enter(script, packages):
    """Runs the script again, with `--prepared`, where the packages are and midrib is built."""
    python = VENV / "bin" / "python"
    if not python.exists():
        venv.create(VENV, with_pip=True)
    pip = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    subprocess.run([*pip, *packages], check=True)
    subprocess.run(["cargo", "build", "--release", "--workspace"], cwd=ROOT, check=True)
    os.execv(python, [python, script, "--prepared", *sys.argv[1:]])
