"""Networks run if there is torch, transformers, numpy and scikit-learn, and nothing else."""

from __future__ import annotations

import subprocess
import sys

import pytest

BARE = """
import sys

from importlib.machinery import PathFinder

class Bare(PathFinder):
    missing = {"polars", "pyarrow", "altair", "lightgbm", "rich", "click", "pandas", "numba", "zstandard", "jinja2"}

    @classmethod
    def find_spec(cls, name, path=None, target=None):
        return None if name.partition(".")[0] in cls.missing else super().find_spec(name, path, target)

sys.meta_path[sys.meta_path.index(PathFinder)] = Bare
from assay.models import MODELS, LinearClassifier  # importing needs neither numba nor pyarrow, fitting it does
from assay.models.fitting import FitTask, run_fits
from assay.models.row_splits import RowSplit
import numpy as np
X = ["good film", "bad film", "good plot", "bad plot", "so good", "so bad"] * 4
y = ["pos", "neg"] * 12
rows = RowSplit(np.arange(24), np.arange(0), np.arange(24))
settings = {"vector_size": 16, "epochs": 30, "n_filters": 8, "learning_rate": 0.01, "verbose": True}
tasks = [FitTask("cnn", rows, settings)]
print([float((result.predicted == np.array(y)).mean()) for result in run_fits(tasks, X, y)][0])
transformer = MODELS["transformer"](encoder=sys.argv[1], epochs=1).fit(X, y)
print(transformer.predict_proba(X).shape)
"""


def test_it_fits_and_predicts_with_everything_else_missing(tiny_encoder):
    pytest.importorskip("torch")
    done = subprocess.run([sys.executable, "-c", BARE, tiny_encoder], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout.split("\n")[:2] == ["1.0", "(24, 2)"]
