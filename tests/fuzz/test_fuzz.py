"""Damaged files are read or refused with one short line; `make fuzz` tries many more."""

from __future__ import annotations

import gzip
import random
from functools import partial
from pathlib import Path, PurePosixPath

import pytest
from benchmarks.fuzz.cases import SHARED, Case, Outcome, read_path
from benchmarks.fuzz.command_cases import (
    LINES,
    NOT_TRIED,
    find_inputs,
    list_command_cases,
    list_parameters,
    list_uncovered,
)
from benchmarks.fuzz.data_cases import WRITERS, list_data_cases
from benchmarks.fuzz.log_cases import EXAMPLES, list_log_cases
from benchmarks.fuzz.mutant import Mutant
from benchmarks.fuzz.mutations import mutate
from benchmarks.fuzz.running import FAILED, READ, REFUSED, Failure, Report, run_fuzz, save_failures
from benchmarks.fuzz.saved_cases import list_table_cases

from assay.base.errors import AssayError
from assay.data.readers.formats import FORMATS
from assay.kinds import KINDS
from assay.logs import LOGS

N_MUTANTS = 60
QUICK = ("judges", "discriminate scores", "discriminate votes", "audit --plan", "compare")
CONTENT = {
    "d.json": b'[{"id": 1, "text": "a"}, {"id": 2, "text": "b"}]',
    "d.jsonl": b'{"id": 1, "text": "a"}\n{"id": 2, "text": "b"}\n',
    "d.tsv": b"id\ttext\n1\ta\n2\tb\n",
    "d.tsv.gz": gzip.compress(b"id\ttext\n1\ta\n2\tb\n", mtime=0),
    "d.toml": b'[audit]\ndata = "x"\n',
}
needs_data = pytest.mark.skipif(not SHARED.exists(), reason="needs the real data files in ../shared/data")


def list_quick_cases() -> list[Case]:
    """Return the cases that need no audit to be made first."""
    lines = [line for line in LINES if line.startswith(QUICK)]
    return [*list_data_cases(), *list_log_cases(), *list_table_cases(), *list_command_cases(lines, making=())]


def test_every_reader_and_every_option_that_takes_a_file_has_a_case():
    assert set(FORMATS) == set(WRITERS)
    assert [name for name, reader in LOGS.items() if name not in EXAMPLES and not reader.example] == []
    assert list_uncovered() == []
    assert set(NOT_TRIED) <= set(list_parameters())


@needs_data
def test_damaged_files_end_in_data_or_one_line(tmp_path, monkeypatch):
    monkeypatch.setenv("ASSAY_CACHE", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    cases = list_quick_cases()
    covered = {name for case in cases for name in case.covers}
    assert {f"kind {name}" for name in KINDS} <= covered
    report = run_fuzz(random.Random(3).sample(cases, N_MUTANTS), N_MUTANTS, seed=7)
    assert [(failure.case, failure.mutant.kind, failure.reason) for failure in report.failures] == []
    assert sum(report.counts.values()) == N_MUTANTS
    for result in (REFUSED, READ):
        assert sum(n for (_, kind), n in report.counts.items() if kind == result) > N_MUTANTS / 6


def test_the_inputs_of_a_command_line_are_found_by_their_parameters():
    inputs = find_inputs("repair data.tsv --audit audit.json --drop leak -o repaired.tsv")
    assert inputs == {"data.tsv": ["repair source"], "audit.json": ["repair audit"]}
    assert all(find_inputs(line) for line in LINES)


@pytest.mark.parametrize("name", CONTENT)
def test_a_mutant_is_the_same_for_the_same_seed_and_most_differ_from_the_file(name):
    path = PurePosixPath(name)
    mutants = [mutate(path, CONTENT[name], random.Random(seed)) for seed in range(60)]
    assert mutants == [mutate(path, CONTENT[name], random.Random(seed)) for seed in range(60)]
    assert sum(mutant.content != CONTENT[name] or bool(mutant.name) for mutant in mutants) > 40
    assert len({mutant.kind for mutant in mutants}) > 12


def test_a_loss_without_a_note_is_noticed():
    whole, rest = Outcome(10, 2), Outcome(5, 1)
    assert Outcome(9, 2).find_loss(whole, rest, Mutant("flip", b"", keeps_rows=True)) == "rows 9 of 10"
    noted = Outcome(9, 2, notes=("1 row left out",))
    assert noted.find_loss(whole, rest, Mutant("flip", b"", keeps_rows=True)) == ""
    assert Outcome(5, 1).find_loss(whole, rest, Mutant("truncate", b"")) == "all that the file holds"
    assert Outcome(6, 2).find_loss(whole, rest, Mutant("truncate", b"")) == ""


def behave(path: Path) -> Outcome:
    """Do what the content says."""
    content = path.read_bytes()
    if content == b"refuse":
        raise AssayError("this is refused")
    if content == b"unknown":
        raise KeyError("unknown")
    if content == b"memory":
        bytes(3 << 30)
    while content == b"hang":
        pass
    return Outcome()


def test_exceptions_hangs_and_memory_are_failures_and_kept(tmp_path, monkeypatch):
    values = tuple(word.encode() for word in ("fine", "refuse", "unknown", "memory", "hang"))
    cases = [
        Case(word.decode(), {"f": b"fine"}, "f", partial(read_path, function=behave), values=(word,)) for word in values
    ]
    monkeypatch.chdir(tmp_path)
    report = run_fuzz(cases, len(cases), seconds=2)
    results = dict(report.counts.keys())
    assert results == {"fine": READ, "refuse": REFUSED, "unknown": FAILED, "memory": FAILED, "hang": FAILED}
    reasons = {failure.case: failure.reason for failure in report.find_shortest()}
    assert reasons["unknown"].startswith("KeyError in test_fuzz.py")
    assert reasons["memory"].startswith("MemoryError")
    assert reasons["hang"].startswith("hangs for more than 2 s in test_fuzz.py")
    save_failures(report.find_shortest(), cases, tmp_path)
    assert sorted(path.read_bytes() for path in tmp_path.glob("*/files/f")) == [b"hang", b"memory", b"unknown"]


def test_the_shortest_mutant_of_a_failure_is_kept():
    failures = [Failure("a", Mutant("k", b"x" * n), n, "KeyError") for n in (5, 2, 9)]
    assert [failure.number for failure in Report(failures=failures).find_shortest()] == [2]
