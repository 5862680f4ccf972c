"""Every method has a class, and the classes are those of the registry."""

import inspect
import json
import sys
from pathlib import Path

import midrib
import pytest
from midrib import _core, estimators

sys.path.insert(0, str(Path(__file__).parents[1]))
import generate

METHODS = {method["name"]: method for method in json.loads(_core.methods())}


def test_every_method_has_a_class():
    assert generate.missing(list(METHODS.values())) == [], "add them to python/generate.py"
    unknown = set(generate.CLASSES) - set(METHODS)
    assert not unknown, f"classes of methods that are not registered: {unknown}"


def test_classes_are_regenerated_after_a_change():
    assert Path(estimators.__file__).read_text() == generate.source(), (
        "estimators.py is behind the registry: run python python/generate.py"
    )


def test_every_class_can_be_had_from_the_package():
    assert set(midrib._ESTIMATORS) == set(estimators.__all__)
    assert set(estimators.__all__) <= set(midrib.__all__)
    assert set(midrib.__all__) <= set(dir(midrib))


@pytest.mark.parametrize("name", METHODS)
def test_names_defaults_and_docs_are_those_of_the_registry(name):
    cls = getattr(midrib, generate.CLASSES[name][0])
    method = METHODS[name]
    keywords = inspect.signature(cls).parameters
    defaults = {key: value.default for key, value in keywords.items()}
    for key in ("n_jobs", "verbose"):
        defaults.pop(key)
    if "seed" in method["defaults"]:
        defaults["seed"] = defaults.pop("random_state")
    assert defaults == method["defaults"]
    text = " ".join(cls.__doc__.split())
    for key, property in method["schema"]["properties"].items():
        if key != "seed":
            assert " ".join(property.get("description", "").split()) in text, key
