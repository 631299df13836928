"""The examples of CONTRIBUTING.md are complete: each file works if it is put, without a change elsewhere."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
BLOCK = re.compile(r"```python\n# (\S+)\n(.*?)```", re.DOTALL)
EXAMPLES = dict(BLOCK.findall((ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")))
MODULES = [path for path in EXAMPLES if path.startswith("src/")]
TESTS = [path for path in EXAMPLES if path.startswith("tests/")]


def test_there_is_an_example_and_a_test_of_each_kind():
    assert len(MODULES) == len(TESTS) == 6
    assert not [path for path in EXAMPLES if (ROOT / path).exists()]


CONFTEST = """
import importlib.util, sys
for path in {modules!r}:
    name = path.removeprefix("src/").removesuffix(".py").replace("/", ".")
    importlib.import_module(name.rpartition(".")[0])
    spec = importlib.util.spec_from_file_location(name, path)
    sys.modules[name] = module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
"""


def test_the_examples_work(tmp_path):
    """Load each module under the name it would have, as its package does, and run the tests."""
    for path, code in EXAMPLES.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(code, encoding="utf-8")
    (tmp_path / "conftest.py").write_text(CONFTEST.format(modules=MODULES), encoding="utf-8")
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:randomly", "tests"]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    assert f"{len(TESTS)} passed" in done.stdout


@pytest.mark.parametrize("path", MODULES)
def test_an_example_is_formatted(path, tmp_path):
    file = tmp_path / "example.py"
    file.write_text(EXAMPLES[path], encoding="utf-8")
    ruff = Path(sys.executable).with_name("ruff")
    done = subprocess.run([ruff, "format", "--check", "--line-length", "120", file], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout
