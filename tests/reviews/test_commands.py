"""`assay review plan` and `assay review estimate` on the command line."""

from __future__ import annotations

import json

import polars as pl
import pytest

from assay.cli.main import status


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    labels = ["yes" if n % 3 else "no" for n in range(80)]
    rows = pl.DataFrame({"id": range(80), "text": [f"question number {n}" for n in range(80)], "label": labels})
    rows.write_csv("data.tsv", separator="\t")
    rows.select("id", suspicion=1 - pl.col("id") / 80).write_csv("suspects.tsv", separator="\t")
    rows.select("id", one="label", two=pl.lit("yes")).write_csv("answers.tsv", separator="\t")
    return tmp_path


def fill_in(name: str) -> None:
    table = pl.read_csv(name, separator="\t", infer_schema_length=0)
    table.with_columns(
        verdict=pl.when(pl.col("id").cast(int) < 5).then(pl.lit("bad")).otherwise(pl.lit("ok"))
    ).write_csv(name, separator="\t")


def test_a_review_from_plan_to_estimate(folder, capsys):
    assert (
        status("review plan data.tsv --suspects suspects.tsv --budget 20 -o review.tsv --json plan.json".split()) == 0
    )
    assert "Items to review: review.tsv" in capsys.readouterr().err
    assert len(json.loads((folder / "plan.json").read_text())["result"]["drawn"]) == 20
    fill_in("review.tsv")
    line = "review estimate data.tsv --reviewed review.tsv --suspects suspects.tsv --predictions answers.tsv"
    options = "-o next.tsv --budget 10 --json result.json --csv systems.csv --markdown systems.md --latex systems.tex"
    assert status(f"{line} {options}".split()) == 0
    result = json.loads((folder / "result.json").read_text())["result"]
    assert result["bad"]["low"] <= 5 <= result["bad"]["high"]
    assert {"system", "score", "corrected", "rank", "rank_low", "rank_high"} <= result["systems"][0].keys()
    assert result["suspects"][0].keys() == {"id", "label", "suggested", "suspicion", "reasons"}
    assert len(pl.read_csv("next.tsv", separator="\t")) == 30
    assert (folder / "systems.csv").read_text().startswith("system,")
    assert "bad, estimated from 20 reviewed items" in " ".join(capsys.readouterr().out.split())


def test_review_alone_names_its_commands(capsys):
    assert status(["review"]) == 2
    assert "assay review plan, assay review estimate" in capsys.readouterr().err


def test_a_budget_needs_a_file(folder, capsys):
    (folder / "review.tsv").write_text("id\tdraw_probability\tverdict\n")
    assert status("review estimate data.tsv --reviewed review.tsv --budget 5".split()) == 2
    assert "--budget has no effect" in capsys.readouterr().err


def test_a_plan_is_not_written_under_the_name_of_a_workbook(folder, capsys):
    assert status(["review", "plan", "data.tsv", "--suspects", "suspects.tsv", "--budget", "5", "-o", "plan.xlsx"]) == 1
    assert "Write .csv" in capsys.readouterr().err
    assert not (folder / "plan.xlsx").exists()


def change_item(name: str, id_: str, **cells: str) -> None:
    table = pl.read_csv(name, separator="\t", infer_schema_length=0)
    is_changed = pl.col("id") == id_
    table.with_columns(
        pl.when(is_changed).then(pl.lit(cell)).otherwise(pl.col(column)).alias(column) for column, cell in cells.items()
    ).write_csv(name, separator="\t")


def test_a_verdict_on_a_text_that_changed_is_named_and_not_used(folder, capsys):
    assert status("review plan data.tsv --suspects suspects.tsv --budget 20 -o review.tsv".split()) == 0
    fill_in("review.tsv")
    changed = pl.read_csv("review.tsv", separator="\t", infer_schema_length=0)["id"][3]
    change_item("data.tsv", changed, text="another question")
    line = "review estimate data.tsv --reviewed review.tsv --suspects suspects.tsv"
    assert status([*line.split(), "--json", "result.json"]) == 0
    result = json.loads((folder / "result.json").read_text())["result"]
    assert (result["n_reviewed"], result["n_skipped"]) == (19, 1)
    assert f"1 item changed after the plan was made ('{changed}')" in result["notes"][0]
    assert f"1 item changed after the plan was made ('{changed}')" in " ".join(capsys.readouterr().err.split())
    assert status([*line.split(), "-o", "next.tsv"]) == 1
    assert "1 item changed" in " ".join(capsys.readouterr().err.split())
    change_item("review.tsv", changed, digest="")  # reviewed again
    assert status([*line.split(), "-o", "next.tsv", "--json", "result.json"]) == 0
    assert json.loads((folder / "result.json").read_text())["result"]["n_reviewed"] == 20
    assert (
        status("review estimate data.tsv --reviewed next.tsv --suspects suspects.tsv --json result.json".split()) == 0
    )
    assert "changed after" not in " ".join(capsys.readouterr().err.split())


def test_a_label_that_changed_is_named_if_the_plan_has_lost_its_column(folder, capsys):
    assert status("review plan data.tsv --suspects suspects.tsv --budget 20 -o review.tsv".split()) == 0
    fill_in("review.tsv")
    changed = pl.read_csv("review.tsv", separator="\t", infer_schema_length=0)["id"][3]
    change_item("data.tsv", changed, label="maybe")
    line = "review estimate data.tsv --reviewed review.tsv --suspects suspects.tsv"
    assert status(line.split()) == 1
    assert f"the label of item '{changed}' is not the one of the data" in " ".join(capsys.readouterr().err.split())
    table = pl.read_csv("review.tsv", separator="\t", infer_schema_length=0)
    table.drop("label").write_csv("review.tsv", separator="\t")
    assert status(line.split()) == 0
    assert f"1 item changed after the plan was made ('{changed}')" in " ".join(capsys.readouterr().err.split())


def test_a_plan_whose_items_all_changed_is_refused(folder, capsys):
    assert status("review plan data.tsv --suspects suspects.tsv --budget 5 -o review.tsv".split()) == 0
    fill_in("review.tsv")
    table = pl.read_csv("data.tsv", separator="\t", infer_schema_length=0)
    table.with_columns(text=pl.col("text") + "?").write_csv("data.tsv", separator="\t")
    assert status("review estimate data.tsv --reviewed review.tsv --suspects suspects.tsv".split()) == 1
    assert "no item is reviewed that has not changed" in " ".join(capsys.readouterr().err.split())
