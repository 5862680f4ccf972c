"""Every method of the registry has its class and its row in the docs."""

import inspect
import sys
from pathlib import Path

import midrib
import pytest
from midrib import _base, _core, _fit, estimators

sys.path.insert(0, str(Path(__file__).parents[1]))
import generate

METHODS = {method["name"]: method for method in _core.methods()}


def test_classes_are_those_of_the_registry():
    missing = {method["class"] for method in METHODS.values()} - set(estimators.__all__)
    assert not missing, f"no class {', '.join(missing)}: run python python/generate.py"
    assert estimators.__all__ == sorted(method["class"] for method in METHODS.values())
    assert Path(estimators.__file__).read_text() == generate.estimators(_core.methods()), (
        "estimators.py is behind the registry: run python python/generate.py"
    )


@pytest.mark.parametrize("method", METHODS.values(), ids=METHODS)
def test_the_docs_have_a_row_for_every_method(method):
    page = generate.DOCS.read_text()
    table = page.split(generate.TABLE[0])[1].split(generate.TABLE[1])[0]
    assert generate.row(method) in table.splitlines(), (
        f"docs/python.md lacks the row of {method['name']}: run python python/generate.py"
    )
    assert generate.docs(list(METHODS.values())) == page


def test_every_class_can_be_imported_from_the_package():
    assert set(estimators.__all__) <= set(midrib.__all__) <= set(dir(midrib))
    assert set(midrib.__all__) == {name for name in midrib.__all__ if hasattr(midrib, name)}


@pytest.mark.parametrize("name", METHODS)
def test_names_defaults_and_docs_are_those_of_the_registry(name):
    method = METHODS[name]
    cls = getattr(midrib, method["class"])
    keywords = inspect.signature(cls).parameters
    defaults = {key: value.default for key, value in keywords.items()}
    for key in ("n_jobs", "verbose"):
        defaults.pop(key)
    assert (defaults.pop("metric", None) == "euclidean") == method["distances"]
    if "seed" in method["defaults"]:
        defaults["seed"] = defaults.pop("random_state")
    assert defaults == method["defaults"]
    text = " ".join(cls.__doc__.split())
    for key, property in method["schema"]["properties"].items():
        if key != "seed":
            assert " ".join(property.get("description", "").split()) in text, key


@pytest.mark.parametrize(
    ("kind", "has_nodes", "embeds", "base", "result"),
    [
        ("graph", True, False, "ProjectionEstimator", "Graph"),
        ("net", True, True, "EmbeddingEstimator", "Graph"),
        ("embedding", True, True, "EmbeddingEstimator", "Graph"),
        ("embedding", False, True, "EmbeddingRuleEstimator", "Embedding"),
        ("embedding", False, False, "EmbeddingOnlyEstimator", "Embedding"),
        ("centers", True, False, "CentersEstimator", "Centers"),
        ("flats", False, True, "FlatsEstimator", "Flats"),
    ],
)
def test_classes_follow_from_the_kind(kind, has_nodes, embeds, base, result):
    method = {"name": "new", "kind": kind, "has_nodes": has_nodes, "embeds": embeds}
    assert generate.base(method) == base and base in generate.BASES
    assert hasattr(_base, base)
    assert _fit.result_class(kind, has_nodes).__name__ == result


def test_an_unknown_kind_has_no_class():
    with pytest.raises(ValueError, match="no base class for a spline"):
        generate.base({"name": "new", "kind": "spline", "has_nodes": True, "embeds": True})
    with pytest.raises(KeyError):
        _fit.result_class("spline", True)


@pytest.mark.parametrize("name", METHODS)
def test_a_fit_is_what_the_registry_declares(name, fork):
    method = METHODS[name]
    result = midrib.fit(fork[:60], name)
    assert (result.kind, result.embeds) == (method["kind"], method["embeds"])
    fewest = _core.min_columns(name, {})
    midrib.fit(fork[:60, :fewest], name)
    if fewest > 1:
        with pytest.raises(ValueError, match="column"):
            midrib.fit(fork[:60, : fewest - 1], name)
