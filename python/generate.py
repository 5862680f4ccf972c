"""Writes what follows from the registry of methods: the estimators, and their table in the docs.

python python/generate.py            # after a method or one of its settings has changed
python python/generate.py --check    # only says whether that is needed
"""

import argparse
import json
import re
import subprocess
import sys
import textwrap
from pathlib import Path

from midrib import _core

ROOT = Path(__file__).parents[1]
ESTIMATORS = ROOT / "python" / "midrib" / "estimators.py"
DOCS = ROOT / "docs" / "python.md"
# Between these two lines the docs hold the table.
TABLE = ("<!-- methods -->", "<!-- end of methods -->")

GRAPH = """\
graph_, nodes_, edges_, edge_weights_ : the learned graph
labels_ : the branch of each point"""

# By base class: the attributes of a fit, and what `transform` returns.
BASES = {
    "ProjectionEstimator": (GRAPH, "projections onto the graph"),
    "EmbeddingEstimator": (
        f"{GRAPH}\nembedding_ : the coordinates of the training points in few dimensions",
        "latent coordinates",
    ),
    "EmbeddingOnlyEstimator": (
        "embedding_ : the coordinates of the training points in few dimensions",
        "nothing: only the training points have coordinates",
    ),
    "EmbeddingRuleEstimator": (
        "embedding_ : the coordinates of the training points in few dimensions",
        "coordinates in few dimensions",
    ),
    "CentersEstimator": (
        "cluster_centers_ : the centers, one per row\nlabels_ : the nearest center of each point",
        "distances to the centers",
    ),
    "FlatsEstimator": (
        "mean_, components_ : the mean and the principal axes\n"
        "explained_variance_, explained_variance_ratio_ : the variance along each axis",
        "scores",
    ),
}

HEADER = '''"""scikit-learn estimators, one per method.

Written by python/generate.py from the registry of methods: change settings and their docs there.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from numpy.random import RandomState

from midrib._base import {bases}

if TYPE_CHECKING:
    if sys.version_info >= (3, 11):
        from typing import Self
    else:
        from typing_extensions import Self
'''

METRIC = (
    'Literal["euclidean", "precomputed"]',
    "euclidean",
    "precomputed if X holds the distances of the points from each other, a symmetric matrix: then "
    "new points have no coordinates.",
)
COMMON = {
    "random_state": (
        "int | RandomState | None",
        0,
        "Seed of the random numbers. The same seed gives the same result.",
    ),
    "n_jobs": (
        "int | None",
        None,
        "Number of threads; None for all cores. The result is the same for any number.",
    ),
    "verbose": (
        "int | bool",
        0,
        "1 prints on stderr what was chosen and how the fit ended, 2 each iteration as well.",
    ),
}


def base(method: dict) -> str:
    """The base class of a method's estimator."""
    match method["kind"], method["has_nodes"]:
        case "centers", _:
            return "CentersEstimator"
        case "flats", _:
            return "FlatsEstimator"
        case "embedding", False:
            return "EmbeddingRuleEstimator" if method["embeds"] else "EmbeddingOnlyEstimator"
        case "graph" | "net" | "embedding", True:
            return "EmbeddingEstimator" if method["embeds"] else "ProjectionEstimator"
    raise ValueError(f"{method['name']}: there is no base class for a {method['kind']}")


def annotation(schema: dict, definitions: dict) -> str:
    """A JSON schema as a Python type."""
    if "$ref" in schema:
        return annotation(definitions[schema["$ref"].rsplit("/", 1)[-1]], definitions)
    if "anyOf" in schema:
        return " | ".join(annotation(part, definitions) for part in schema["anyOf"])
    choices = schema.get("enum") or [part.get("const") for part in schema.get("oneOf", [])]
    choices = choices or ([schema["const"]] if "const" in schema else [])
    if choices:
        return f"Literal[{', '.join(json.dumps(choice) for choice in choices)}]"
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
    if method["distances"]:
        found["metric"] = METRIC
    for name, common in COMMON.items():
        if name != "random_state" or "seed" in method["defaults"]:
            found[name] = common
    return found


def wrapped(text: str, indent: int) -> str:
    return textwrap.fill(text, 98, initial_indent=" " * indent, subsequent_indent=" " * indent)


def estimator(method: dict) -> str:
    """The source of one class."""
    summary = re.sub(r"--([a-z-]+) (\w+)", r'\1="\2"', method["summary"])
    summary = summary[0].upper() + summary[1:]
    keywords = parameters(method)
    lines = [f"class {method['class']}({base(method)}):"]
    lines += [wrapped(f'"""{summary}.', 4), ""]
    description = method["schema"].get("description", "").split("```")[0].strip()
    for paragraph in description.split("\n\n"):
        if paragraph.strip(".") == summary:
            continue
        lines += [wrapped(" ".join(paragraph.split()), 4), ""]
    lines += [wrapped(f"{method['citation']}; ``midrib fit --method {method['name']}``.", 4), ""]
    lines += ["    Parameters", "    ----------"]
    for keyword, (kind, default, text) in keywords.items():
        line = f"    {keyword} : {kind}, default={default!r}"
        if len(line) > 100:  # the text names the choices
            line = f"    {keyword} : str, default={default!r}"
        lines += [line, wrapped(text, 8)]
    lines += ["", "    Attributes", "    ----------"]
    lines += [f"    {line}" for line in BASES[base(method)][0].splitlines()]
    if "max_iter" in method["defaults"]:
        history = f"at the end; at the start and after each {method['step']}"
        lines += [f"    objective_, objective_history_ : the objective {history}"]
    lines += [
        f"    n_iter_, converged_ : the number of {method['step']}s; whether the fit converged"
    ]
    lines += ['    """', "", f'    _method: ClassVar[str] = "{method["name"]}"']
    lines += ["    _gaps: ClassVar[bool] = True"] if method["gaps"] else []
    lines += [""]
    lines += ["    def __init__(", "        self,", "        *,"]
    for keyword, (kind, default, _) in keywords.items():
        lines += [f"        {keyword}: {kind} = {default!r},"]
    lines += ["    ) -> None:"]
    lines += [f"        self.{keyword} = {keyword}" for keyword in keywords]
    if not method["weights"]:
        lines += [
            "",
            "    def fit(self, X: Any, y: Any = None) -> Self:  # type: ignore[override]",
            '        """Learns from points. The method takes no weights."""',
            "        return self._fit(X, None)",
        ]
    return "\n".join(lines) + "\n"


def estimators(methods: list[dict]) -> str:
    """The module of all classes, formatted."""
    names = sorted(method["class"] for method in methods)
    bases = ", ".join(sorted({base(method) for method in methods}))
    parts = [HEADER.replace("{bases}", bases), f"__all__ = {names!r}\n"] + [
        estimator(method) for method in methods
    ]
    done = subprocess.run(
        [sys.executable, "-m", "ruff", "format", "--line-length=100", "-"],
        input="\n\n".join(parts),
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout


def row(method: dict) -> str:
    """A method's row of the table in the docs."""
    remarks = [BASES[base(method)][1]]
    if base(method) == "EmbeddingEstimator" and method["kind"] == "net":
        remarks = ["positions on the map, in steps of its net"]
    remarks += ["missing values (NaN) allowed"] if method["gaps"] else []
    remarks += ["no `sample_weight`"] if not method["weights"] else []
    return f"| `{method['class']}` | `{method['name']}` | {'; '.join(remarks)} |"


def docs(methods: list[dict]) -> str:
    """The page about Python, with the table of methods."""
    page = DOCS.read_text(encoding="utf-8")
    before, rest = page.split(TABLE[0])
    after = rest.split(TABLE[1])[1]
    head = ["| class | method | `transform` returns |", "|---|---|---|"]
    lines = [TABLE[0], *head, *map(row, methods), TABLE[1]]
    return before + "\n".join(lines) + after


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true")
    check = parser.parse_args().check
    for path, write in ((ESTIMATORS, estimators), (DOCS, docs)):
        text = write(_core.methods())
        if not check:
            path.write_text(text, encoding="utf-8")
        elif path.read_text(encoding="utf-8") != text:
            sys.exit(f"{path.name} is behind the registry: run python python/generate.py")


if __name__ == "__main__":
    main()
