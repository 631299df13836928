"""A finished audit is repeated while everything that it depends on is the same, and never otherwise."""

import os
from pathlib import Path

import pytest

from assay.cli.main import status

TEXTS = [f"this is the text number {n} of all\t{'ab'[n % 2]}" for n in range(40)]
ROWS = ["text\tlabel", *TEXTS, "the same text\ta", "the same text\tb"]


@pytest.fixture
def audit(tmp_path, monkeypatch, capfd):
    """Return a function that audits data.tsv and says whether the audit ran, and what was printed."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("ASSAY_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    Path("data.tsv").write_text("\n".join(ROWS) + "\n", encoding="utf-8")
    calls = []
    from assay.audits import run

    original = run.run_sections
    monkeypatch.setattr(run, "run_sections", lambda *values: calls.append(1) or original(*values))

    def call(*options, source="data.tsv"):
        calls.clear()
        try:
            code = status(["audit", source, "--only", "profile", *options])
        except SystemExit as end:
            code = end.code
        printed = capfd.readouterr()
        return bool(calls), code, printed.out, [line for line in printed.err.splitlines() if " …" not in line]

    return call


def find_entries(folder):
    return list((folder / "cache").rglob("*.run"))


def test_a_second_run_prints_and_writes_the_same_without_an_audit(audit, tmp_path):
    options = ["-o", "page.html", "--json", "a.json", "--csv", "findings.csv"]
    first = audit(*options)
    written = {name: Path(name).read_bytes() for name in ("page.html", "a.json", "findings.csv")}
    for name in written:
        Path(name).write_text("something else", encoding="utf-8")
    second = audit(*options)
    assert (first[0], second[0]) == (True, False)
    assert first[1:] == second[1:]
    assert first[2]
    assert {name: Path(name).read_bytes() for name in written} == written
    assert not (tmp_path / "state" / "assay" / "secret").stat().st_mode & 0o077


def test_a_failed_check_fails_again(audit):
    assert [audit("--fail-on", "note")[:2] for _ in range(2)] == [(True, 1), (False, 1)]


def test_a_changed_file_is_audited_again(audit):
    first, moment = audit(), Path("data.tsv").stat()
    Path("data.tsv").write_text("\n".join(ROWS).replace("text number 7", "text number 3") + "\n", encoding="utf-8")
    os.utime("data.tsv", ns=(moment.st_atime_ns, moment.st_mtime_ns))  # the same size and time
    second = audit()
    assert (first[0], second[0]) == (True, True)
    assert first[2] != second[2]


def test_a_file_next_to_the_data_counts(audit):
    """Names of labels, for example, are in a file next to the data."""
    assert audit()[0]
    Path("labels.txt").write_text("x\ny\n", encoding="utf-8")
    assert audit()[0]


@pytest.mark.parametrize("options", [["--seed", "1"], ["--sample", "20"], ["--ignore", "A110=known"], ["--json", "-"]])
def test_other_options_are_another_run(audit, options):
    assert audit()[0]
    assert audit(*options)[0]
    assert not audit()[0]


def test_quiet_runs_are_not_repeated_loudly(audit):
    assert audit("-q")[3] == []
    assert audit()[0]


@pytest.mark.parametrize("change", ["version", "packages", "variable"])
def test_other_code_or_another_environment_is_another_run(audit, tmp_path, monkeypatch, change):
    packages = tmp_path / "site-packages"
    packages.mkdir()
    monkeypatch.syspath_prepend(packages)
    assert audit()[0]
    assert not audit()[0]
    if change == "version":
        monkeypatch.setattr("assay.tasks.cache._hash_code", lambda: "another")
    elif change == "packages":
        (packages / "new-1.0.dist-info").mkdir()
    else:
        monkeypatch.setenv("COLUMNS", "60")
    assert audit()[0]


@pytest.mark.parametrize("damage", ["cut", "changed", "from elsewhere"])
def test_an_entry_that_this_user_did_not_write_counts_as_missing(audit, tmp_path, damage):
    first = audit()
    (entry,) = find_entries(tmp_path)
    content = entry.read_bytes()
    if damage == "from elsewhere":
        (tmp_path / "state" / "assay" / "secret").unlink()
    else:
        entry.write_bytes(content[:-5] if damage == "cut" else content[:40] + b"\0" + content[41:])
    again = audit()
    assert again[0]
    assert again[1:] == first[1:]


@pytest.mark.parametrize("option", ["--private", "--no-cache", "--budget=5", "--verbose"])
def test_some_runs_are_not_kept(audit, tmp_path, option):
    assert audit(option)[0]
    assert not find_entries(tmp_path)


def test_a_run_with_a_failed_section_is_not_kept(audit, tmp_path, monkeypatch):
    from assay.audits import run
    from assay.audits.result import Section

    measure = run.measure_section
    broken = Section("difficulty", "failed", "broken"), None
    monkeypatch.setattr(
        run, "measure_section", lambda data, kind: broken if kind.name == "difficulty" else measure(data, kind)
    )
    assert audit("--only", "profile,difficulty")[1] == 70
    assert not find_entries(tmp_path)
