"""Damaged real files of every reader are read or refused with one short line; `make fuzz` tries many more."""

from __future__ import annotations

import pytest
from benchmarks.fuzz import SHARED, Outcome, list_cases, run_fuzz
from benchmarks.mutations import Mutant

N_MUTANTS = 144
pytestmark = pytest.mark.skipif(not SHARED.exists(), reason="needs the real data files in ../shared/data")


def test_damaged_files_end_in_data_or_one_line():
    cases = list_cases()
    assert len(cases) >= 20
    counts, failures = run_fuzz(N_MUTANTS, seed=7, cases=cases)
    assert failures == []
    assert sum(counts.values()) == N_MUTANTS
    for result in ("refused", "read"):
        assert sum(n for (_, kind), n in counts.items() if kind == result) > N_MUTANTS / 5


def test_a_loss_without_a_note_is_noticed():
    whole, rest = Outcome(10, 2), Outcome(5, 1)
    assert Outcome(9, 2).lost(whole, rest, Mutant("flip", b"", keeps_rows=True)) == "rows 9 of 10"
    assert Outcome(9, 2, notes=("1 row left out",)).lost(whole, rest, Mutant("flip", b"", keeps_rows=True)) == ""
    assert Outcome(5, 1).lost(whole, rest, Mutant("truncate", b"", keeps_rows=False)) == "all that the file holds"
    assert Outcome(6, 2).lost(whole, rest, Mutant("truncate", b"", keeps_rows=False)) == ""
