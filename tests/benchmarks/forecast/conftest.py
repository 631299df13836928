"""Synthetic evidence for tests: λ follows one feature, families differ in another."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from assay.forecast.evidence import Evidence
from assay.forecast.features import COLUMNS, HEAVY_COLUMNS


def make_evidence(n=240, n_families=8, noise=0.1, seed=0):
    rng = np.random.default_rng(seed)
    families = np.repeat([f"family {number}" for number in range(n_families)], n // n_families)
    table = {name: rng.normal(size=n) for name in COLUMNS}
    table["train.average_length"] = np.repeat(rng.normal(size=n_families), n // n_families)
    signal = table["probe.error"] + noise * rng.normal(size=n)
    table["probe.error"] = np.exp(3 + 0.4 * table["probe.error"])
    lambda_var = np.exp(1 + 0.5 * signal)
    for name in HEAVY_COLUMNS:
        table[name] = np.where(rng.random(n) < 0.3, np.nan, table[name])
    table |= {"lambda_var": lambda_var, "lambda_sva": 15 * lambda_var}
    for kind, value in (("var", lambda_var), ("sva", 15 * lambda_var)):
        for half in (1, 2):
            table[f"half_{kind}_{half}"] = value * np.exp(0.05 * rng.normal(size=n))
            table[f"apart_{kind}_{half}"] = value * np.exp(0.2 * rng.normal(size=n))
    return Evidence(pl.DataFrame({"family": families, "parent": families, **table}))


@pytest.fixture(scope="session")
def evidence():
    return make_evidence()
