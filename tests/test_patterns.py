"""No regular expression takes more than linear time on any text, so that no file can stop the program.

All patterns are constants of modules, which makes them easy to find. Each is run on texts of 100 KB that are made from
its own literals and classes, by the methods that the package calls, in a process of its own. A pattern that needs ten
seconds of a processor for one text fails; linear ones need milliseconds.
"""

from __future__ import annotations

import ast
import importlib
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import assay

SOURCE = Path(assay.__file__).parent
SIZE = 100_000
MAX_SECONDS = 10
METHODS = ("search", "match", "fullmatch", "sub", "split", "findall", "finditer")
# Built from numbers and words of our own; `word_pattern` is run below.
DYNAMIC = {"report/finding_groups.py", "text/characters.py"}
CATEGORIES = {"DIGIT": "1", "WORD": "a", "SPACE": " ", "NOT_DIGIT": "a", "NOT_WORD": "-", "NOT_SPACE": "a"}
USUAL = ("a", "1", " ", "\n", ".")
MAX_PREFIXES, MAX_RUNS = 12, 9


def list_modules() -> list[tuple[str, Path]]:
    paths = sorted(path for path in SOURCE.rglob("*.py") if "re.compile(" in path.read_text(encoding="utf-8"))
    return [(".".join(("assay", *path.relative_to(SOURCE).with_suffix("").parts)), path) for path in paths]


def find_patterns(module: str) -> dict[str, re.Pattern]:
    return {
        name: value for name, value in vars(importlib.import_module(module)).items() if isinstance(value, re.Pattern)
    }


def find_methods(name: str) -> list[str]:
    """Return the methods that are called on a constant anywhere; search if it is only passed on."""
    content = "\n".join(path.read_text(encoding="utf-8") for path in SOURCE.rglob("*.py") if name in path.read_text())
    return [method for method in METHODS if f"{name}.{method}(" in content] or ["search"]


def collect_pieces(tree, words: list[str], letters: list[str]) -> None:
    """Collect the literal words of a parsed pattern, and a letter of each of its classes."""
    word = ""
    for operation, value in tree:
        name = str(operation)
        if name == "LITERAL":
            word += chr(value)
            continue
        words += [word] if len(word) > 1 else []
        letters += [word] if len(word) == 1 else []
        word = ""
        if name == "IN":
            letters += [letter for each in value if (letter := sample_class(each))]
        elif name == "BRANCH":
            for branch in value[1]:
                collect_pieces(branch, words, letters)
        elif name in ("SUBPATTERN", "MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT", "ASSERT", "ASSERT_NOT"):
            collect_pieces(value[-1], words, letters)
        elif name == "ATOMIC_GROUP":
            collect_pieces(value, words, letters)
    words += [word] if len(word) > 1 else []
    letters += [word] if len(word) == 1 else []


def sample_text(tree, starts: list[str], text: str = "") -> str:
    """Return a text that begins like a match of a parsed pattern; add what is before each repetition to `starts`."""
    for operation, value in tree:
        name = str(operation)
        if name == "LITERAL":
            text += chr(value)
        elif name in ("ANY", "NOT_LITERAL"):
            text += "x"
        elif name == "IN":
            text += "x" if str(value[0][0]) == "NEGATE" else sample_class(value[0])
        elif name == "BRANCH":
            text = sample_text(value[1][-1], starts, text)
        elif name.endswith("_REPEAT"):
            starts.append(text)
            text = sample_text(value[2], starts, text) if value[0] else text
        elif name in ("SUBPATTERN", "ATOMIC_GROUP"):
            text = sample_text(value[-1] if name == "SUBPATTERN" else value, starts, text)
    starts.append(text)
    return text


def sample_class(member) -> str:
    operation, value = member
    if str(operation) in ("LITERAL", "RANGE"):
        return chr(value if isinstance(value, int) else value[0])
    return CATEGORIES.get(str(value).removeprefix("CATEGORY_"), "")


def make_texts(pattern: re.Pattern) -> list[str]:
    """Return repeated prefixes, long runs of each class after each prefix with a mismatch at the end, nested openers."""
    source = pattern.pattern if isinstance(pattern.pattern, str) else pattern.pattern.decode("latin-1")
    words: list[str] = []
    letters: list[str] = []
    tree = re._parser.parse(source, pattern.flags & ~re.UNICODE)
    collect_pieces(tree, words, letters)
    starts: list[str] = []
    sample_text(tree, starts)
    runs = list(dict.fromkeys([*letters, *USUAL]))
    runs = [*runs[: MAX_RUNS - len(USUAL)], *(each for each in USUAL if each not in runs[: MAX_RUNS - len(USUAL)])]
    prefixes = list(dict.fromkeys(["", *starts[-6:], *words, *runs]))[:MAX_PREFIXES]
    texts = [prefix + run * (SIZE // len(run)) + "\x00" for prefix in prefixes for run in runs]
    texts += [piece * (SIZE // len(piece)) for piece in prefixes if piece]
    texts += [(prefix + run) * (SIZE // len(prefix + run)) for prefix in prefixes[:6] for run in runs[:6]]
    return texts


def run_method(pattern: re.Pattern, method: str, text: str) -> None:
    subject = text if isinstance(pattern.pattern, str) else text.encode("utf-8", "replace")
    if method == "sub":
        pattern.sub("" if isinstance(subject, str) else b"", subject)
    elif method == "finditer":
        list(pattern.finditer(subject))
    else:
        getattr(pattern, method)(subject)


def stop(number, frame):
    raise TimeoutError


def run_limited(name: str, function, *arguments) -> None:
    """Call a function; name it if it takes too long."""
    signal.setitimer(signal.ITIMER_VIRTUAL, MAX_SECONDS)
    try:
        function(*arguments)
    except TimeoutError:
        print(name)
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)


def run_patterns() -> None:
    """Print the patterns that are too slow."""
    for module, _ in list_modules():
        for name, pattern in find_patterns(module).items():
            for method in find_methods(name):
                for text in make_texts(pattern):
                    run_limited(
                        f"{module}.{name}.{method}: {text[:40]!r}…{text[-5:]!r}", run_method, pattern, method, text
                    )


def run_functions() -> None:
    """Print the functions that are too slow; each repeats a search, or uses a pattern that is built as it runs."""
    from assay.kinds.qa import _is_given_away
    from assay.kinds.retrieval.markup import read_fields, split_records
    from assay.kinds.tools.sentences import split_sentences
    from assay.kinds.tools.text_metrics import normalise_answer
    from assay.text.characters import plain_word_pattern, word_pattern
    from assay.web.work.preview import phrase_for_page

    words, plain = word_pattern(), re.compile(plain_word_pattern())
    tags = ["<top>", "</top>", "<num>", "<num> ", "<title>", "<TOP><", "<DOCNO>", "<text", "<text>", "</text>"]
    texts = [*tags, " A", " A --b", ".", " ", "a", "a ", "\u0301", "a\u0301"]
    texts = [piece * (SIZE // len(piece)) for piece in texts]
    texts += [
        "<num>" + " " * SIZE + "x",
        "<title>" + " " * SIZE + "x",
        "<num>" + "\n" * SIZE,
        "<num>" + "Number:" * 10_000,
    ]
    functions = [
        split_records,
        read_fields,
        split_sentences,
        normalise_answer,
        phrase_for_page,
        words.findall,
        plain.findall,
    ]
    for text in texts:
        for function in functions:
            run_limited(f"{function}: {text[:40]!r}", function, text)
        for answer in ("a" * 150, "a" * 50_000, "a " * 80 + "b"):
            run_limited(f"_is_given_away: {text[:40]!r}", _is_given_away, answer, f"x {text}")


@pytest.mark.parametrize("task", ["patterns", "functions"])
def test_no_pattern_takes_more_than_linear_time(task):
    pytest.importorskip("nltk")
    run = subprocess.run(
        [sys.executable, "-W", "ignore", __file__, task], capture_output=True, text=True, timeout=900, check=False
    )
    assert run.returncode == 0, run.stderr
    assert not run.stdout, f"these are too slow:\n{run.stdout}"


def test_all_patterns_are_constants_of_modules():
    inline = []
    for path in sorted(SOURCE.rglob("*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        functions = [node for node in ast.walk(tree) if isinstance(node, (ast.FunctionDef, ast.Lambda))]
        calls = {node for function in functions for node in ast.walk(function) if isinstance(node, ast.Call)}
        name = path.relative_to(SOURCE).as_posix()
        inline += [f"{name}:{call.lineno}" for call in calls if is_inline(call) and name not in DYNAMIC]
        imports = [node for node in ast.walk(tree) if isinstance(node, (ast.Import, ast.ImportFrom))]
        inline += [f"{name}:{node.lineno}" for node in imports if hides_patterns(node)]
    assert not inline, f"make these patterns constants of their modules: {sorted(inline)}"


def is_inline(call: ast.Call) -> bool:
    function = call.func
    is_re = isinstance(function, ast.Attribute) and isinstance(function.value, ast.Name) and function.value.id == "re"
    if not is_re or function.attr == "escape" or not call.args:
        return False
    return isinstance(call.args[0], (ast.Constant, ast.JoinedStr, ast.BinOp))


def hides_patterns(node: ast.Import | ast.ImportFrom) -> bool:
    if isinstance(node, ast.ImportFrom):
        return node.module == "re"
    return any(alias.name in ("re", "regex") and alias.asname for alias in node.names)


if __name__ == "__main__":
    signal.signal(signal.SIGVTALRM, stop)
    run_patterns() if sys.argv[1] == "patterns" else run_functions()
