"""Writes midrib/estimators.py: a class for every registered method, with its settings as keywords.

python python/generate.py            # after a method or one of its settings has changed
python python/generate.py --check    # says whether that is due
"""

import argparse
import json
import re
import subprocess
import sys
import textwrap
from pathlib import Path

from midrib import _core

TARGET = Path(__file__).parent / "midrib" / "estimators.py"

# The class of each method, whether it learns an embedding or a map, and whether it takes weights.
CLASSES = {
    "ppt": ("SimplePPT", False, True),
    "rpg": ("PrincipalGraph", False, True),
    "drtree": ("DRTree", True, True),
    "ddrtree": ("DDRTree", True, True),
    "spl": ("SPL", True, False),
    "elastic-curve": ("ElasticPrincipalCurve", False, True),
    "elastic-ring": ("ElasticPrincipalRing", False, True),
    "elastic-tree": ("ElasticPrincipalTree", False, True),
    "elastic-graph": ("ElasticPrincipalGraph", False, True),
    "elastic-map": ("ElasticMap", True, True),
    "cubic": ("CubicComplex", False, True),
}

# The fewest columns, where that is more than one.
COLUMNS = {"cubic": 2}

HEADER = '''"""scikit-learn estimators, one for each method.

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
'''

COMMON = {
    "random_state": (
        "int | RandomState | None",
        0,
        "Seed of what is random. The same seed gives the same graph.",
    ),
    "n_jobs": (
        "int | None",
        None,
        "Threads; None for all cores. The graph is the same for any number.",
    ),
    "verbose": (
        "int | bool",
        0,
        "1 tells on stderr what was chosen and how the fit ended, 2 each sweep as well.",
    ),
}


def missing(methods: list[dict]) -> list[str]:
    """Methods without a class."""
    return [method["name"] for method in methods if method["name"] not in CLASSES]


def annotation(schema: dict, definitions: dict) -> str:
    """A JSON schema as a Python type."""
    if "$ref" in schema:
        return annotation(definitions[schema["$ref"].rsplit("/", 1)[-1]], definitions)
    if "anyOf" in schema:
        return " | ".join(annotation(part, definitions) for part in schema["anyOf"])
    words = schema.get("enum") or [part.get("const") for part in schema.get("oneOf", [])]
    words = words or ([schema["const"]] if "const" in schema else [])
    if words:
        return f"Literal[{', '.join(json.dumps(word) for word in words)}]"
    kinds = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
    names = {
        "number": "float",
        "integer": "int",
        "null": "None",
        "boolean": "bool",
        "string": "str",
    }
    return " | ".join(names[kind] for kind in kinds)


def parameters(method: dict) -> dict[str, tuple[str, object, str]]:
    """Name, type, default and text of each keyword."""
    schema = method["schema"]
    found = {}
    for name, default in method["defaults"].items():
        if name != "seed":
            property = schema["properties"][name]
            kind = annotation(property, schema.get("$defs", {}))
            text = property.get("description") or schema["$defs"][
                property["$ref"].rsplit("/", 1)[-1]
            ].get("description", "")
            found[name] = (kind, default, " ".join(text.split()))
    for name, common in COMMON.items():
        if name != "random_state" or "seed" in method["defaults"]:
            found[name] = common
    return found


def wrapped(text: str, indent: int) -> str:
    return textwrap.fill(text, 98, initial_indent=" " * indent, subsequent_indent=" " * indent)


def estimator(method: dict) -> str:
    """The source of one class."""
    name, embeds, weighted = CLASSES[method["name"]]
    base = "EmbeddingEstimator" if embeds else "PlacesEstimator"
    summary = re.sub(r"--([a-z-]+) (\w+)", r'\1="\2"', method["summary"])
    summary = summary[0].upper() + summary[1:]
    keywords = parameters(method)
    lines = [f"class {name}({base}):"]
    lines += [wrapped(f'"""{summary}.', 4), ""]
    about = method["schema"].get("description", "").split("```")[0].strip()
    for paragraph in about.split("\n\n"):
        lines += [wrapped(" ".join(paragraph.split()), 4), ""]
    lines += [wrapped(f"{method['citation']}; ``midrib fit --method {method['name']}``.", 4), ""]
    lines += ["    Parameters", "    ----------"]
    for keyword, (kind, default, text) in keywords.items():
        line = f"    {keyword} : {kind}, default={default!r}"
        if len(line) > 100:  # the text names the words
            line = f"    {keyword} : str, default={default!r}"
        lines += [line, wrapped(text, 8)]
    lines += ["", "    Attributes", "    ----------"]
    lines += [wrapped("graph_, nodes_, edges_, edge_weights_ : the learned graph", 4)]
    lines += ["    labels_ : the branch of each point"]
    if embeds:
        lines += ["    embedding_ : the learned places of the points in fewer dimensions"]
    step = method["step"]
    history = f"at the end; at the start and after each {step}"
    lines += [f"    objective_, objective_history_ : {history}"]
    lines += [f"    n_iter_, converged_ : the number of {step}s; whether the objective rests"]
    lines += ['    """', "", f'    _method: ClassVar[str] = "{method["name"]}"']
    lines += ["    _gaps: ClassVar[bool] = True"] if method["gaps"] else []
    if method["name"] in COLUMNS:
        lines += [f"    _columns: ClassVar[int] = {COLUMNS[method['name']]}"]
    lines += [""]
    lines += ["    def __init__(", "        self,", "        *,"]
    for keyword, (kind, default, _) in keywords.items():
        lines += [f"        {keyword}: {kind} = {default!r},"]
    lines += ["    ) -> None:"]
    lines += [f"        self.{keyword} = {keyword}" for keyword in keywords]
    if not weighted:
        lines += [
            "",
            "    def fit(self, X: Any, y: Any = None) -> Self:  # type: ignore[override]",
            '        """Learns the graph. The method has no weights."""',
            "        return self._fit(X, None)",
        ]
    return "\n".join(lines) + "\n"


def source() -> str:
    """The whole module, formatted."""
    methods = json.loads(_core.methods())
    if missing(methods):
        sys.exit(f"no class in python/generate.py for: {', '.join(missing(methods))}")
    names = sorted(name for name, *_ in CLASSES.values())
    parts = [HEADER, f"__all__ = {names!r}\n"] + [estimator(method) for method in methods]
    text = "\n\n".join(parts)
    done = subprocess.run(
        [sys.executable, "-m", "ruff", "format", "--line-length=100", "-"],
        input=text,
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true")
    text = source()
    if not parser.parse_args().check:
        TARGET.write_text(text)
    elif TARGET.read_text() != text:
        sys.exit(f"{TARGET.name} is behind the registry: run python python/generate.py")


if __name__ == "__main__":
    main()
