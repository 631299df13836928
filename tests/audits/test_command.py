"""The commands: audit, its checks and files, and diff."""

from __future__ import annotations

import json
import re

import polars as pl
import pytest

from assay.cli import main


@pytest.fixture
def table(made, tmp_path):
    path = tmp_path / "data.tsv"
    data = made(160)
    for row in (3, 13, 23):
        data["text"][row] = data["text"][row + 2]
        data["label"][row] = data["label"][row + 2] = "food"
        data["split"][row], data["split"][row + 2] = "test", "train"
    pl.DataFrame(data).write_csv(path, separator="\t", quote_style="never")
    return path


def status(arguments):
    """Return the exit status, however the command ends."""
    try:
        return main.status(arguments)
    except SystemExit as end:
        return end.code


QUICKLY = ["--only", "profile,difficulty", "--no-cache"]


def test_it_writes_json_items_and_folds(table, tmp_path, capsys):
    out = {name: tmp_path / name for name in ("audit.json", "items.parquet", "items.tsv", "folds.tsv")}
    call = ["audit", table, *QUICKLY, "--json", out["audit.json"], "--items", out["items.parquet"]]
    assert status([*map(str, call), "--folds-out", str(out["folds.tsv"])]) == 0
    document = json.loads(out["audit.json"].read_text())
    assert document["command"] == "audit"
    assert {"code", "severity", "claim", "value", "low", "high", "evidence", "action"} <= set(
        document["result"]["findings"][0]
    )
    assert pl.read_parquet(out["items.parquet"]).height == 160
    assert pl.read_csv(out["folds.tsv"], separator="\t")["fold"].n_unique() == 5
    assert "A101" in capsys.readouterr().out


def test_json_alone_goes_to_standard_output(table, capsys):
    assert status(["audit", str(table), *QUICKLY, "--json", "-"]) == 0
    assert json.loads(capsys.readouterr().out)["result"]["sections"]["profile"]["status"] == "done"


@pytest.mark.parametrize(
    ("fail_on", "expected"), [(["error"], 1), (["A101"], 1), (["a101"], 1), (["A504"], 0), (["warning"], 1), ([], 1)]
)
def test_a_check_fails_on_what_was_asked_for(table, fail_on, expected):
    options = [word for one in fail_on for word in ("--fail-on", one)]
    assert status(["audit", str(table), *QUICKLY, "--check", *options]) == expected


def test_without_check_findings_are_not_a_failure(table):
    assert status(["audit", str(table), *QUICKLY]) == 0


def test_an_unknown_code_is_a_usage_error(table, capsys):
    assert status(["audit", str(table), *QUICKLY, "--fail-on", "A999"]) == 2
    assert "No severity or finding 'A999'" in capsys.readouterr().err


def test_items_of_an_unknown_kind_are_refused_before_any_work(table, capsys):
    assert status(["audit", str(table), *QUICKLY, "--items", "items.xlsx"]) == 2
    assert "items are written as .parquet or .tsv" in capsys.readouterr().err


def test_github_gets_annotations_and_sarif_a_valid_run(table, capsys):
    assert status(["audit", str(table), *QUICKLY, "--format", "github"]) == 0
    annotation = capsys.readouterr().out.splitlines()[0]
    match = re.match(r"::error file=(\S+),line=(\d+),title=A101 [^:]+::3 items of", annotation)
    assert match[1] == table.name
    assert int(match[2]) == 5  # the fourth item, after the header
    assert status(["audit", str(table), *QUICKLY, "--format", "sarif"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["version"] == "2.1.0"
    assert document["runs"][0]["results"][0]["ruleId"] == "A101"
    place = document["runs"][0]["results"][0]["locations"][0]["physicalLocation"]
    assert place["artifactLocation"]["uri"] == table.name
    assert place["region"]["startLine"] == int(match[2])
    assert {rule["id"] for rule in document["runs"][0]["tool"]["driver"]["rules"]} >= {"A101", "A401"}
    assert status(["audit", str(table), *QUICKLY, "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["findings"][0]["code"] == "A101"


def test_a_plan_fixes_the_options_and_the_command_line_overrides_it(table, tmp_path, capsys):
    plan = tmp_path / "plan.toml"
    plan.write_text(f'[audit]\ndata = "{table}"\nonly = "profile"\nfail-on = ["A101"]\nno-cache = true\nseed = 3\n')
    assert status(["audit", "--plan", str(plan), "--json", str(tmp_path / "a.json")]) == 1
    document = json.loads((tmp_path / "a.json").read_text())["result"]
    assert document["settings"]["sections"] == ["profile"]
    assert document["settings"]["seed"] == 3
    assert status(["audit", "--plan", str(plan), "--only", "difficulty", "--json", "-"]) == 0
    capsys.readouterr()


def test_a_plan_may_write_one_value_or_a_list_and_full_for_not_quick(table, tmp_path):
    plan, out = tmp_path / "plan.toml", tmp_path / "a.json"
    lines = [
        f'data = "{table}"',
        'text = "text"',
        'only = ["profile", "difficulty"]',
        'fail-on = "A999"',
        "full = true",
    ]
    plan.write_text("\n".join(["[audit]", "no-cache = true", *lines]))
    assert status(["audit", "--plan", str(plan)]) == 2  # the code is unknown, so the one value was read
    plan.write_text("\n".join(["[audit]", "no-cache = true", *lines[:3], *lines[4:]]))
    assert status(["audit", "--plan", str(plan), "--json", str(out)]) == 0
    document = json.loads(out.read_text())["result"]["settings"]
    assert document["sections"] == ["profile", "difficulty"]
    assert document["quick"] is False


@pytest.mark.parametrize(
    ("options", "code", "message"),
    [
        (["--jobs", "0"], 2, "--jobs is 0"),
        (["--backend", "treads"], 2, "No back end 'treads'. Did you mean 'threads'"),
        (["--backend", "dask=tcp://127.0.0.1:1"], 1, "127.0.0.1:1"),
        (["--skip", "profile,difficulty"], 2, "No section is left to run"),
    ],
)
def test_what_cannot_run_is_refused_and_not_left_out(table, capsys, options, code, message):
    if "dask" in options[-1]:
        pytest.importorskip("distributed")
    assert status(["audit", str(table), *QUICKLY, *options]) == code
    said = capsys.readouterr().err
    assert message in said
    assert "profile …" not in said


SYSTEMS = {
    "of another dataset": "id\tone\ttwo\n" + "".join(f"i{n}\tLOC\tNUM\n" for n in range(160)),
    "a table of scores": "id\tdataset\tsystem\tscore\n" + "".join(f"i{n}\tD{n}\tS{n}\t{n}\n" for n in range(6)),
}


@pytest.mark.parametrize("content", SYSTEMS.values(), ids=SYSTEMS)
def test_predictions_that_are_none_of_this_data_are_refused(table, tmp_path, capsys, content):
    (tmp_path / "p.tsv").write_text(content)
    assert status(["audit", str(table), *QUICKLY, "--predictions", str(tmp_path / "p.tsv")]) == 1
    assert "No answer of any system is a gold label" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("[audit]\nonyl = 'profile'\n", "No option in the plan 'onyl'. Did you mean 'only'"),
        ("[other]\n", r"a plan has a table [audit]; this file has other"),
        ("not toml", "not a plan in TOML"),
        ("[audit]\ndate = 'd.tsv'\n", "No option in the plan 'date'. Did you mean 'data'"),
        ("[audit]\nout = ['a.html', 'b.html']\n", "out takes one value, not 2"),
        ("[audit]\nskip = {a = 1}\n", "skip = {'a': 1} is not text, a number or a list of these"),
        ("[audit]\nout = 5\n", "5 is not the name of a file"),
    ],
)
def test_a_wrong_plan_is_one_line(table, tmp_path, capsys, content, message):
    (tmp_path / "plan.toml").write_text(content)
    assert status(["audit", str(table), "--plan", str(tmp_path / "plan.toml")]) in (1, 2)
    assert message in capsys.readouterr().err


def test_diff_tells_what_came_and_went(table, made, tmp_path, capsys):
    old, new = tmp_path / "old.json", tmp_path / "new.json"
    status(["audit", str(table), *QUICKLY, "--json", str(old)])
    pl.DataFrame(made(160)).write_csv(tmp_path / "mended.tsv", separator="\t", quote_style="never")
    status(["audit", str(tmp_path / "mended.tsv"), *QUICKLY, "--json", str(new)])
    capsys.readouterr()
    assert status(["diff", str(old), str(new), "--json", "-"]) == 0
    document = json.loads(capsys.readouterr().out)["result"]
    assert [one["code"] for one in document["gone"]] == ["A101"]
    assert document["new"] == []
    assert not document["same_data"]
    assert status(["diff", str(old), str(new), "--check"]) == 0
    assert status(["diff", str(new), str(old), "--check"]) == 1
    assert "1 new, 0 gone" in capsys.readouterr().out


def test_diff_refuses_files_without_an_audit(tmp_path, capsys):
    (tmp_path / "x.json").write_text('{"result": {"a": 1}}')
    assert status(["diff", str(tmp_path / "x.json"), str(tmp_path / "x.json")]) == 1
    assert "not an audit" in capsys.readouterr().err


def test_an_audit_goes_on_without_a_cache_and_says_so(table, tmp_path, monkeypatch, caplog):
    (tmp_path / "file").write_text("")
    assert status(["audit", str(table), "--only", "profile", "--cache", str(tmp_path / "file")]) == 0
    assert "cannot be kept" in caplog.text
    monkeypatch.setenv("ASSAY_CACHE", str(tmp_path / "file"))
    assert status(["audit", str(table), "--only", "profile"]) == 0


def test_a_full_disk_is_one_line(table, monkeypatch, capsys):
    def full(*_):
        raise OSError(28, "No space left on device", "a.json")

    monkeypatch.setattr("assay.cli.commands.benchmark.audit.write_json", full)
    assert status(["audit", str(table), *QUICKLY, "--json", "a.json"]) == 1
    assert capsys.readouterr().err.splitlines()[-1] == "Error: a.json: No space left on device."
