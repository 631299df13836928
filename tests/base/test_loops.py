"""Compiled loops: code that came with the installation is used if it fits, and only then."""

import hashlib
import json
import os
import subprocess
import sys

import numpy as np
import pytest

from assay.base import loops
from assay.base.loops import compile_loop, find_code, listen_to_compiling

HASH_RESULTS = """
import hashlib
import numpy as np
from assay.models.linear.logistic_kernels import dot, measure_loss_one
from assay.splits.comparison.wasserstein_kernels import measure_areas

rng = np.random.default_rng(0)
a, b = rng.normal(size=(2, 1013, 3))
image, direction = rng.normal(size=(2, 101, 1))
residuals = np.zeros((101, 1))
codes = rng.integers(0, 2, 100)
loss = measure_loss_one(image, direction, 0.5, codes, np.full(100, 0.01), residuals)
order = np.argsort(rng.normal(size=(5, 100)), axis=1)
areas = measure_areas(rng.normal(size=(4, 100)), order, rng.random((5, 99)))
print(hashlib.sha256(np.array([dot(a, b), *loss, *residuals.ravel(), *areas]).tobytes()).hexdigest())
"""


@pytest.fixture
def shipped(tmp_path, monkeypatch):
    """A folder with the code of one loop, as it comes with a wheel, and the function that was compiled."""

    def add(a, b):
        return a + b

    monkeypatch.setattr(loops, "_RECORDED", {})
    compile_loop(add)(1, 2)
    ((key, content),) = loops._RECORDED.items()
    monkeypatch.setattr(loops, "_RECORDED", None)
    index = {
        "platform": loops.describe_platform(),
        "instructions": [],
        "sources": {"base/loops.py": loops.hash_source(loops.PACKAGE / "base" / "loops.py")},
        "loops": {key: [3, len(content)]},
    }
    (tmp_path / loops.CODE).write_bytes(b"..." + content)
    (tmp_path / loops.INDEX).write_text(json.dumps(index))
    find_code.cache_clear()
    yield tmp_path, add
    find_code.cache_clear()


def change_index(folder, **values):
    path = folder / loops.INDEX
    path.write_text(json.dumps(json.loads(path.read_text()) | values))


def count_compiled(function, *arguments):
    names = []
    with listen_to_compiling(lambda n_loops, seconds: names.append(n_loops)):
        result = compile_loop(function)(*arguments)
    return len(names), result


def test_shipped_code_is_used_for_the_types_it_was_compiled_for(shipped, monkeypatch):
    folder, add = shipped
    monkeypatch.setattr(loops, "find_code", lambda: find_code(folder))
    assert count_compiled(add, 1, 2) == (0, 3)
    assert count_compiled(add, 1.5, 2.0) == (1, 3.5)


def test_compiling_is_announced(shipped):
    assert count_compiled(lambda a: a + 1, 1) == (1, 2)


@pytest.mark.parametrize(
    "values",
    [
        {"platform": "numba 0.1, cpython-311, x86_64"},
        {"instructions": ["no such instruction"]},
        {"sources": {"base/loops.py": hashlib.sha256(b"another version").hexdigest()}},
        {"sources": {"base/no_such_module.py": "0"}},
    ],
)
def test_code_that_does_not_fit_is_not_used(shipped, values):
    folder, _ = shipped
    assert find_code(folder) is not None
    find_code.cache_clear()
    change_index(folder, **values)
    assert find_code(folder) is None


def test_a_damaged_index_is_not_code(shipped):
    folder, _ = shipped
    (folder / loops.INDEX).write_text("{")
    assert find_code(folder) is None


def test_loops_compile_where_nothing_can_be_written(monkeypatch):
    from numba.core import caching

    monkeypatch.setattr(
        caching.CacheImpl if hasattr(caching, "CacheImpl") else caching._CacheImpl, "_locator_classes", []
    )
    assert compile_loop(lambda a: a * 2)(4) == 8


@pytest.mark.skipif(sys.platform != "linux" or os.uname().machine != "x86_64", reason="x86 instructions")
def test_code_for_other_processors_gives_the_same_bits(tmp_path):
    def run(**settings):
        environment = os.environ | {"NUMBA_CACHE_DIR": str(tmp_path)} | settings
        return subprocess.run(
            [sys.executable, "-c", HASH_RESULTS], env=environment, capture_output=True, text=True, check=True
        ).stdout

    features = ",".join(
        f"+{name}" for name in ("avx", "avx2", "bmi", "bmi2", "fma", "lzcnt", "movbe", "popcnt", "sse4.2")
    )
    assert run() == run(NUMBA_CPU_NAME="x86-64-v3", NUMBA_CPU_FEATURES=features)


def test_lanes_sum_products_as_numpy_does():
    from assay.models.linear.logistic_kernels import dot

    rng = np.random.default_rng(1)
    for size in (0, 1, 7, 8, 31, 32, 33, 1000):
        a, b = rng.normal(size=(2, size, 1))
        assert dot(a, b) == pytest.approx(float((a * b).sum()), abs=1e-11)
