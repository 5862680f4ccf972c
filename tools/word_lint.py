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
    "column|coordinate|edge|error|file|flag|graph|link|method|name|net|node|number|path|point|root|"
    "setting|table|text|tree|weight"
)
DETERMINERS = "all|the|of|their|its|these|no|learned|starting|own"
# Stems of verbs that are written with -ize.
STEMS = (
    "capital|categor|character|custom|discret|equal|factor|final|general|initial|linear|maxim|"
    "minim|normal|optim|organ|parallel|parametr|penal|prior|quant|random|real|recogn|regular|"
    "serial|special|stabil|standard|summar|symmetr|synchron|util|vector|visual"
)

# What to write instead of a word. Patterns match whole words in any case, also inside identifiers.
INSTEAD = {
    r"learnt": "learned",
    r"anew": "again, or rerun",
    r"tell of|tells|telling|told": "report, print, show, or list",
    r"parted": "separated",
    rf"(?<!there )(is no ({NOUNS})|are no ({NOUNS})s)": "is not a ..., are not ...",
    r"spots?": "position, projection, or location",
    rf"({DETERMINERS}) places": "positions, coordinates, or projections",
    r"(?<!on )the ways? (between|from)|along the way": "path",
    r"one \w+ a (branch|column|lineage|line|node|path|point|row|tree)": "one ... per ...",
    r"(up|down|to|out|in)wards": "-ward",
    r"by place": "in order",
    r"whence|hitherto|whereof|wherein|hereby|therein|thereof|whilst|amongst": "a plain word",
    rf"({STEMS})is(e|es|ed|er|ers|ing|ation|ations)": "-ize",
    r"analys(e|ed|er|ing)": "analyze",
    r"(cancell|labell|modell|travell)(ed|ing)": "one l: canceled, labeled",
    r"(behavi|col|fav|flav|hon|neighb)our\w*": "-or",
    r"artefacts?": "artifact",
    r"catalogues?": "catalog",
    r"centre[sd]?|centring": "center, centering",
    r"fibres?": "fiber",
    r"grey": "gray",
    r"judgement": "judgment",
    r"licence": "license",
}
SUFFIXES = {".rs", ".py", ".pyi", ".ts", ".mjs", ".css", ".md", ".toml", ".sh", ".html", ".yml"}
SKIPPED = ("Cargo.lock", "web/dist/", "web/node_modules/", "tests/record/", "tools/word_lint.py")
EXEMPT, OFF, ON = "word-lint: ok", "word-lint: off", "word-lint: on"

PATTERN = re.compile(
    "|".join(rf"(?P<p{i}>\b(?:{pattern})\b)" for i, pattern in enumerate(INSTEAD)), re.IGNORECASE
)
# Fine in a sentence, but not in a name of at most two words; longer names are sentences, of tests.
IN_NAMES = {
    "asked": "requested, or the name of what it is",
    "places": "positions, coordinates, or projections",
    "room": "capacity, scratch",
}
DECLARED = re.compile(
    r"\b(?:as|class|const|def|enum|fn|for|function|let|let mut|mod|static|struct|trait|type) (\w+)"
    r"|^\s*(?:pub(?:\(\w+\))? )?(\w+) ?[:=] |(\w+_\w+|[A-Z]?[a-z]+[A-Z]\w+)"
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
        for match in DECLARED.finditer(line):
            name = match.group(match.lastindex)
            words = spaced(name).lower().split()
            for word in words if len(words) <= 2 else []:
                if word in IN_NAMES:
                    yield number, name, IN_NAMES[word]


FOUND = {
    "fn learnt_graph() -> LearntGraph": ["learnt", "Learnt"],
    "the notes tell of it, and what is told": ["tell of", "told"],
    "let told = told(); struct HotSpot;": ["told", "told", "Spot"],
    "3,4 is no link; these are no flags of it": ["is no link", "are no flags"],
    "the places of the nodes, the way between two nodes": ["the places", "the way between"],
    "one line a node, outwards": ["one line a node", "outwards"],
    "let asked = start_places(); fn with_room()": ["asked", "start_places", "with_room"],
    "sorted_by_place, parted by spaces": ["by place", "parted"],
    '"x" is no weight': ["is no weight"],
    "colours of neighbouring centres": ["colours", "neighbouring", "centres"],
    "minimiseCost, vectorised; analysing labelled rows": [
        *("minimise", "vectorised", "analysing", "labelled"),
    ],
    f"learnt\n<!-- {OFF} -->\nlearnt\n<!-- {ON} -->\nanew": ["learnt", "anew"],
}
NOT_FOUND = [
    "tell two classes apart; there is no weight; it is no longer a tree; department",
    "what was asked for; it places the nodes; two decimal places; makes room; asked_to_stop()",
    "one root per tree; there are no links; on the way; the way it is written; toward",
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
