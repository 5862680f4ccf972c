#!/usr/bin/env python3
"""Keeps the project in plain American English: names each line with a word that we do not use.

Usage: python3 tools/word_lint.py [FILE ...]     (default: every tracked text file)
"""

import re
import subprocess
import sys
from pathlib import Path

# What to write instead. Each pattern is matched as whole words, in any case.
INSTEAD = {
    r"learnt": "learned",
    r"anew": "again, or rerun",
    r"(tell|tells|told|telling) of": "report, show, or list",
    r"(is|are|was|were|be|been) told": "is reported, is printed",
    r"parted by": "separated by",
    r"(?<!there )is no (number|weight|tree|graph|setting|method|name|table|path|root|node|net|error|point)": "is not a ...",
    r"neighbou?rhoods? of (place|spot)s?": "neighborhood",
    r"neighbour\w*": "neighbor",
    r"colour\w*": "color",
    r"centre[sd]?": "center",
    r"centring": "centering",
    r"(minimis|maximis|regularis|normalis|initialis|optimis|penalis|symmetris|quantis|summaris)(e|es|ed|er|ing|ation)": "-ize",
    r"behaviours?": "behavior",
    r"honours?": "honor",
    r"labell(ed|ing)": "labeled",
    r"cancell(ed|ing)": "canceled, canceling",
    r"grey": "gray",
    r"licence": "license",
    r"whilst|amongst": "while, among",
    r"thereof|therein|hereby": "of it, in it",
}
SUFFIXES = {".rs", ".py", ".pyi", ".ts", ".css", ".md", ".toml", ".sh", ".html", ".yml"}
SKIPPED = ("Cargo.lock", "web/dist/", "web/node_modules/", "tests/record/", "tools/word_lint.py")
# A quotation, or the name of a thing outside: the line says so itself.
EXEMPT = "word-lint: ok"

PATTERN = re.compile(
    "|".join(rf"(?P<p{i}>\b(?:{pattern})\b)" for i, pattern in enumerate(INSTEAD)), re.IGNORECASE
)


def tracked():
    names = subprocess.run(["git", "ls-files"], capture_output=True, text=True, check=True).stdout
    return [
        name
        for name in names.splitlines()
        if Path(name).suffix in SUFFIXES
        and not any(part in name for part in SKIPPED)
        and Path(name).is_file()
    ]


def findings(text):
    """Line number, the word as it is written, and what to write instead."""
    hints = list(INSTEAD.values())
    for number, line in enumerate(text.splitlines(), 1):
        if EXEMPT in line:
            continue
        for match in PATTERN.finditer(line.replace("_", " ")):
            yield number, match.group(), hints[int(match.lastgroup[1:])]


def main(names):
    count = 0
    for name in names or tracked():
        for number, word, hint in findings(Path(name).read_text(encoding="utf-8")):
            print(f'{name}:{number}: "{word}": write {hint}')
            count += 1
    if count:
        print(f"{count} words to replace; see CONTRIBUTING.md, Plain English", file=sys.stderr)
    return int(count > 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
