#!/usr/bin/env python3
"""Keeps the project in plain American English: names each line with a word that we do not use.

python3 tools/word_lint.py [FILE ...]     # default: every tracked text file
python3 tools/word_lint.py --test         # checks the patterns themselves

The vocabulary is in CONTRIBUTING.md, section "Plain English". A line that quotes such a word says
`word-lint: ok`; between `word-lint: off` and `word-lint: on` nothing is checked.
"""

import re
import subprocess
import sys
from pathlib import Path

NOUNS = (
    "column|edge|error|file|graph|method|name|net|node|number|path|point|root|setting|table|"
    "tree|weight"
)
# Stems of verbs that are written with -ize.
STEMS = (
    "capital|categor|character|custom|discret|equal|factor|final|general|initial|linear|maxim|"
    "minim|normal|optim|organ|parallel|parametr|penal|prior|quant|random|real|recogn|regular|"
    "serial|special|stabil|standard|summar|symmetr|synchron|util|visual"
)

# What to write instead of a word. Patterns match whole words in any case, also inside identifiers.
INSTEAD = {
    r"learnt": "learned",
    r"anew": "again, or rerun",
    r"(tell|tells|told|telling) of": "report, show, or list",
    r"(is|are|was|were|be|been) told": "is reported, is printed",
    r"parted": "separated",
    rf"(?<!there )is no ({NOUNS})": "is not a ...",
    r"by place": "in order",
    r"whence|hitherto|whereof|wherein|hereby|therein|thereof|whilst|amongst": "a plain word",
    rf"({STEMS})is(e|es|ed|er|ers|ing|ation|ations)": "-ize",
    r"analys(e|ed|er|ing)": "analyze",
    r"(cancell|labell|modell|travell)(ed|ing)": "one l: canceled, labeled",
    r"(behavi|col|fav|flav|neighb)our\w*": "-or",
    r"artefacts?": "artifact",
    r"catalogues?": "catalog",
    r"centre[sd]?|centring": "center, centering",
    r"fibres?": "fiber",
    r"grey": "gray",
    r"honours?": "honor",
    r"judgement": "judgment",
    r"licence": "license",
}
SUFFIXES = {".rs", ".py", ".pyi", ".ts", ".mjs", ".css", ".md", ".toml", ".sh", ".html", ".yml"}
SKIPPED = ("Cargo.lock", "web/dist/", "web/node_modules/", "tests/record/", "tools/word_lint.py")
EXEMPT, OFF, ON = "word-lint: ok", "word-lint: off", "word-lint: on"

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


def spaced(line):
    """The line with the words of identifiers apart: snake_case and CamelCase."""
    return re.sub(r"([a-z0-9])([A-Z])", r"\1 \2", line).replace("_", " ")


def findings(text):
    """Line number, the word as it is written, and what to write instead."""
    hints = list(INSTEAD.values())
    is_on = True
    for number, line in enumerate(text.splitlines(), 1):
        is_on = (is_on or ON in line) and OFF not in line
        if not is_on or EXEMPT in line:
            continue
        for match in PATTERN.finditer(spaced(line)):
            yield number, match.group(), hints[int(match.lastgroup[1:])]


FOUND = {
    "fn learnt_graph() -> LearntGraph": ["learnt", "Learnt"],
    "the notes tell of it, and what is told": ["tell of", "is told"],
    "sorted_by_place, parted by spaces": ["by place", "parted"],
    '"x" is no weight': ["is no weight"],
    "colours of neighbouring centres": ["colours", "neighbouring", "centres"],
    "minimiseCost, optimised; analysing labelled rows": [
        *("minimise", "optimised", "analysing", "labelled"),
    ],
    f"learnt\n<!-- {OFF} -->\nlearnt\n<!-- {ON} -->\nanew": ["learnt", "anew"],
}
NOT_FOUND = [
    "tell two classes apart; there is no weight; it is no longer a tree; department",
    "the color of the center; precise, raised, otherwise, promised, exercise, supervised",
    "analysis, analyses of labels; organism; minimal prioritization; placement; center",
    f"learnt, {EXEMPT}",
]


def test():
    wrong = []
    for text, expected in [*FOUND.items(), *((text, []) for text in NOT_FOUND)]:
        found = [word for _, word, _ in findings(text)]
        if found != expected:
            wrong.append(f"{text!r}: expected {expected}, found {found}")
    print("\n".join(wrong) or "the word lint finds what it should")
    return int(bool(wrong))


def main(names):
    if names == ["--test"]:
        return test()
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
