"""The language of the project: plain modern English in names, messages and documentation."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
# What not to write, as a pattern without regard to case, and what to write instead.
PHRASES = {
    r"\bstands? in for\b": "replaces",
    r"\bstands? in (?:train|test|dev|the (?:data|file|table|text|key))\b": "is in",
    r"\bword for word\b(?! in\b|,)": "verbatim",
    r"\banew\b": "again",
    r"\bmend(?:s|ed|ing)?\b": "fix",
    r"\bgrave(?:r|st)?\b": "serious",
    r"\bsurely\b": "with 95% confidence",
    r"\bfore(?:told|tells?|telling)\b": "forecast, predicted",
    r"\bused up\b": "saturated",
    r"\bdead items?\b": "uninformative item",
    r"\bruns? backwards\b": "negative discrimination",
    r"\boutvoted by\b": "most systems disagree with the gold label",
    r"\bone (?:row|line|file|score|answer) an? \w+": "one … per …",
    r"\ba (?:score|line|subfolder|key) an? (?:system|item|audit|start|dataset)\b": "one … per …",
    r"\bpapers? 00\d\b": "the authors and the year",
    r"\bseed of what\b|\bwhat is drawn\b": "random seed",
    r"\bat work\b": "running",
    r"\b(?:whence|thereof|wherein|hitherto|whither|thither|whom)\b": "a plain word",
    r"\bin peace\b|\bfor good\b": "cleanly, permanently",
    r"\b(?:this|other|every|each|per|by|all|a|the) rooms?\b(?! (?:for|left|above|below))": "package",
    r"\bthose there are\b|\beverything there is\b": "all",
    r"\bis told so\b|\bas it is told\b": "as specified",
    r"\b(?:may|can) not be had\b|\bof its own accord\b": "a plain verb",
    r"\bwritten down\b|\bset apart\b": "documented, separated",
    # Patterns of grammar.
    r"(?<![\w.])(?:None|nan|[01]) where\b": "None if, nan if",
    r"\bwhere (?:there (?:is|are) no|none)\b": "if there is no",
    r"\bwhere (?:given|known|missing|undefined|private|not)\b": "if given",
    r"\b(?:nan\)|undefined|negative|zeros|averaged|exactly?|\w+Error) where\b": "if",
    r"\b(?:labels|texts|answers|scores|systems|words|groups|prompts|verdicts), where (?:a|the|some|most|many|all)\b": "if",
    r"\bsurest\b|\bequally sure\b": "most certain",
    r"\bwhat is (?:no|not an?|neither)\b|\b(?:0|None|nan) if it is none\b": "the thing itself",
    r"(?<!there )\b(?:is|are) no (?:mean|number|class(?:es)?|answer|file|object|list|table|leak|word)s?\b": "is not a …",
    r"\bwhat is none\b|\bis told by\b": "the thing itself",
    r"\bbeside\b": "next to, in addition to",
    r"\b(?:that|those) of an?\b": "the thing itself",
    r'^"""Tells? (?:whether|which)\b': "Return True if …",
    r'^r?"""What (?:people|is|to|an?|every|all|only|several)\b': "a noun: results of …, tables of …",
    r"\b(?<!enough )(?:by|for) itself\b": "automatically, on its own, separately",
    r"\bnext to nothing\b": "almost nothing",
    r"\bwhat of (?:it|an?|the)\b": "the part of … that",
    r"\bbrings? (?:its|their) own\b": "has its own",
    r"\d %(?! ?[\w({}])|\d % (?:of|confidence|intervals?)\b": "57%",
    r"\b(?:items?|questions?) (?:is|are) right for\b": "the systems answer the items correctly",
}
# The old names of classes, modules and constants.
CLASSES = {
    "Case",
    "Seen",
    "Crossing",
    "Chapter",
    "Demands",
    "Keep",
    "Cut",
    "Given",
    "Told",
    "Found",
}
MODULES = {"shelf", "lifeline", "looking", "doubts", "word_places", "charts_of", "deals"}
CONSTANTS = re.compile(r"_?(?:MOST|LEAST|GRAVE|SURE)(?:_.*)?|.*_(?:MOST|LEAST)")
NAMES = {"foretold", "charts_of", "deals", "word_places", "told_of", "said", "spoken"}
# Past participles that are no infinitive: as the whole name of a function they do not say what it does.
PARTICIPLES = frozenset(
    "added answered asked audited begun bought broken brought built called cast changed checked chosen copied counted "
    "cleaned compared described drawn ended filled found given gone grouped held joined judged kept known learned "
    "listed looked lost made marked matched measured merged moved named noted ordered parsed placed ranked renamed "
    "routed said sampled scored seen sent served shared shown sorted spoken started stored summed taken told trained "
    "turned used wanted weighed worked written".split()
)


@cache
def source_files() -> tuple[Path, ...]:
    return tuple(sorted((ROOT / "src").rglob("*.py")))


@cache
def read_lines() -> list[tuple[str, str]]:
    """Return the place and text of every line people read: code, templates, documentation and names of tests."""
    templates = [path for suffix in ("html", "js", "css") for path in (ROOT / "src").rglob(f"*.{suffix}")]
    pages = [*(ROOT / "docs").rglob("*.md"), ROOT / "README.md", *(ROOT / "notebooks").glob("*.ipynb")]
    tests = [(str(path.relative_to(ROOT)), path) for path in (ROOT / "tests").rglob("*.py")]
    names = [(place, path.stem) for place, path in tests]
    names += [(place, name) for place, path in tests for name in re.findall(r"def (test_\w+)", path.read_text("utf-8"))]
    return [(place, name.replace("_", " ")) for place, name in names] + [
        (f"{path.relative_to(ROOT)}:{number}", line.strip())
        for path in (*source_files(), *templates, *pages)
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
    ]


@pytest.mark.parametrize("pattern", PHRASES)
def test_no_phrase_needs_a_translation(pattern):
    compiled = re.compile(pattern, re.IGNORECASE)
    places = [f"{place}: {line[:100]}" for place, line in read_lines() if compiled.search(line)]
    assert not places, f"write '{PHRASES[pattern]}' instead:\n" + "\n".join(places)


@cache
def parse_sources() -> dict[str, ast.Module]:
    return {str(path.relative_to(ROOT)): ast.parse(path.read_text(encoding="utf-8")) for path in source_files()}


def find_definitions(*kinds: type[ast.AST]) -> list[tuple[str, str]]:
    """Return the place and the name of every definition of these kinds; properties are named by what they return."""
    return [
        (f"{path}:{node.lineno}", node.name)
        for path, tree in parse_sources().items()
        for node in ast.walk(tree)
        if isinstance(node, kinds) and not any("property" in ast.dump(item) for item in node.decorator_list)
    ]


def test_functions_are_not_named_by_a_bare_participle():
    functions = find_definitions(ast.FunctionDef, ast.AsyncFunctionDef)
    assert [place for place, name in functions if name.lstrip("_") in PARTICIPLES | NAMES] == []


def test_classes_are_named_by_what_they_hold():
    assert [place for place, name in find_definitions(ast.ClassDef) if name.lstrip("_") in CLASSES] == []


def test_modules_are_named_by_what_they_hold():
    assert [str(path) for path in source_files() if path.stem in MODULES or path.parent.name in MODULES] == []


def test_constants_name_the_quantity():
    names = {
        f"{path}:{node.lineno} {node.id}"
        for path, tree in parse_sources().items()
        for node in ast.walk(tree)
        if isinstance(node, ast.Name) and CONSTANTS.fullmatch(node.id)
    }
    assert names == set()


def list_error_facts() -> list[tuple[str, str, bool]]:
    """Return the place, the beginning and whether there is a place of every error that is made with a text."""
    facts = []
    for path, tree in parse_sources().items():
        for node in ast.walk(tree):
            is_error = isinstance(node, ast.Call) and getattr(node.func, "id", "").endswith("Error") and node.args
            if not is_error or {"option"} & {keyword.arg for keyword in node.keywords}:
                continue
            first = node.args[0].values[0] if isinstance(node.args[0], ast.JoinedStr) else node.args[0]
            if isinstance(first, ast.Constant) and isinstance(first.value, str):
                has_place = "place" in {keyword.arg for keyword in node.keywords}
                facts.append((f"{path}:{node.lineno}", first.value, has_place))
    return facts


def test_errors_have_one_grammar():
    """After a place an error goes on in lower case, names apart; `AssayError` begins others with a capital letter."""
    facts = list_error_facts()
    assert len(facts) > 300
    first_words = {place: fact.split(" ")[0] for place, fact, has_place in facts if has_place}
    assert {place: word for place, word in first_words.items() if re.fullmatch(r"[A-Z][a-z]+", word)} == {}


@pytest.mark.parametrize(
    ("pattern", "sentence"),
    [
        (r"\bword for word\b(?! in\b|,)", "[word for word in words]"),
        (r"\bgrave(?:r|st)?\b", "an engraved plate"),
        (r"\bmend(?:s|ed|ing)?\b", "we recommend it"),
        (r"\d %(?! ?[\w({}])|\d % (?:of|confidence|intervals?)\b", "{% if n > 1 %}{{ row % 2 }}"),
        (r"(?<![\w.])(?:None|nan|[01]) where\b", "np.where(known, 1, 0)"),
        (r"\bwhere (?:given|known|missing|undefined|private|not)\b", "the place where nothing is known"),
        (r"\bsurest\b|\bequally sure\b", "be sure of the measure"),
        (r"\b(?:this|other|every|each|per|by|all|a|the) rooms?\b(?! (?:for|left|above|below))", "the room left above"),
    ],
)
def test_patterns_leave_normal_english_alone(pattern, sentence):
    assert pattern in PHRASES
    assert re.search(pattern, sentence) is None
