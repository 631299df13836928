"""The examples of CONTRIBUTING.md are complete: a copy of the repository with them passes all guards."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
BLOCK = re.compile(r"```python\n# (\S+)\n(.*?)```", re.DOTALL)
EXAMPLES = dict(BLOCK.findall((ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")))
MODULES = [path for path in EXAMPLES if path.startswith("src/")]
TESTS = [path for path in EXAMPLES if path.startswith("tests/")]
# What the guards read.
COPIED = ("src", "tests", "docs", "benchmarks", "notebooks")
# The guards, and the words that select the laws of what the examples add; none where a guard is quick as a whole.
GUARDS = {
    "tests/test_architecture.py": "",
    "tests/test_language.py": "",
    "tests/test_docs.py": "registered",
    "tests/base/test_marks.py": "",
    "tests/audits/test_every_finding.py": "",
    "tests/audits/test_findings.py": "not_measured",
    "tests/audits/test_findings_from_data.py": "test_every_case_has_a_rule",
    "tests/audits/test_overview.py": "rows or topic or deciding",
    "tests/report/test_every_chart.py": "part_sizes or clash",
    "tests/report/test_explanations.py": "",
    "tests/report/test_page.py": "view",
    "tests/splits/test_every_splitter.py": "even-length and not processes",
    "tests/splits/test_making.py": "even-length",
    "tests/metrics/test_every_metric.py": "error-rate",
    "tests/logs/test_every_log.py": "",
    "tests/kinds/test_every_kind.py": "spelling or documented",
    "tests/fuzz/test_fuzz.py": "has_a_case",
}


def test_there_is_an_example_and_a_test_of_each_kind():
    assert len(MODULES) == len(TESTS) == 7
    assert not [path for path in EXAMPLES if (ROOT / path).exists()]


@pytest.fixture(scope="module")
def copy(tmp_path_factory) -> Path:
    """Return a copy of the repository with all examples in it."""
    folder = tmp_path_factory.mktemp("copy") / "assay"
    ignored = shutil.ignore_patterns(
        "pictures", "snapshots", "results"
    )  # compiled functions are kept, which saves time
    for name in COPIED:
        shutil.copytree(ROOT / name, folder / name, ignore=ignored)
    for path in [*ROOT.glob("*.md"), ROOT / "pyproject.toml"]:
        shutil.copy(path, folder)
    for path, code in EXAMPLES.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(code, encoding="utf-8")
    return folder


def call(folder: Path, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
    """Run Python in the copy, with the package of the copy."""
    environment = {**os.environ, "PYTHONPATH": str(folder / "src"), "PYTHONDONTWRITEBYTECODE": "1"}
    return subprocess.run([sys.executable, *arguments], capture_output=True, text=True, cwd=folder, env=environment)


def test_the_tests_of_the_examples_and_all_guards_pass_in_a_copy(copy):
    script = copy / "select_guards.py"
    script.write_text(SELECTION.format(guards=GUARDS, tests=TESTS), encoding="utf-8")
    options = ("-q", "-p", "no:cacheprovider", "-p", "no:randomly", "-p", "select_guards", "--no-header")
    done = call(copy, "-m", "pytest", *options, *GUARDS, *TESTS)
    assert done.returncode == 0, done.stdout[-6000:] + done.stderr[-2000:]
    for name in ("even-length", "A190", "A191", "error-rate", "scorecards", "part_sizes", "spelling", "spacing"):
        assert name in (copy / "selected.txt").read_text(encoding="utf-8"), name


# A plugin of pytest that leaves out the laws of what was there before, and notes what is left.
SELECTION = """
from pathlib import Path

from _pytest.mark.expression import Expression

HOME = Path(__file__).parent
GUARDS, TESTS = {guards!r}, {tests!r}


def pytest_collection_modifyitems(items):
    import assay

    assert Path(assay.__file__).is_relative_to(HOME), assay.__file__
    selected = []
    for item in items:
        words = GUARDS.get(str(item.path.relative_to(HOME)), "")
        name = item.nodeid.partition("::")[2]
        expression = words.replace("-", "_")
        if not words or Expression.compile(expression).evaluate(lambda word, **_: word in name.replace("-", "_")):
            selected.append(item)
    items[:] = selected
    (HOME / "selected.txt").write_text("\\n".join(item.nodeid for item in items), encoding="utf-8")
"""


@pytest.mark.parametrize("path", MODULES)
def test_an_example_follows_the_style(path, copy):
    ruff = Path(sys.executable).with_name("ruff")
    for command in (["check"], ["format", "--check"]):
        done = subprocess.run([ruff, *command, "--no-cache", path], capture_output=True, text=True, cwd=copy)
        assert done.returncode == 0, done.stdout
