"""The examples run without a warning, and print what the docs show."""

import runpy
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
EXAMPLES = sorted((ROOT / "examples").glob("*.py"))


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_an_example(path, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    runpy.run_path(str(path), run_name="__main__")
    assert capsys.readouterr().out
    assert all(picture.stat().st_size > 5000 for picture in tmp_path.glob("*.png"))


def test_docstrings(monkeypatch):
    import doctest

    import midrib
    from midrib import _clustering, _compare, _fit, _graph, _groups, _result

    for module in (midrib, _clustering, _compare, _fit, _graph, _groups, _result):
        found = doctest.testmod(module, extraglobs={"midrib": midrib})
        assert found.failed == 0 and (found.attempted > 0), module.__name__


def test_the_transcript_in_the_docs_is_what_the_example_prints(tmp_path, monkeypatch, capsys):
    """The last digit of a number may differ from machine to machine; words may not."""
    monkeypatch.chdir(tmp_path)
    runpy.run_path(str(ROOT / "examples" / "quickstart.py"))
    printed = capsys.readouterr().out.split()
    page = (ROOT / "docs" / "python.md").read_text()
    shown = page.split("<!-- quickstart -->")[1].split("```")[1].removeprefix("text").split()
    assert [w for w in printed if w.isalpha()] == [w for w in shown if w.isalpha()]
