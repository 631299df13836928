from __future__ import annotations

import json

import polars as pl
import pytest

from assay.cli.main import status

ROWS = [
    ("p1", "a b c", "a b c", "1", "train"),
    ("p2", "a b c", "x y z", "1", "train"),
    ("p3", "d e f", "d e f", "0", "test"),
    ("p4", "d e f", "u v w", "0", "test"),
]


@pytest.fixture
def pairs(tmp_path):
    frame = pl.DataFrame(ROWS, schema=["id", "text_a", "text_b", "label", "split"], orient="row")
    frame.write_csv(tmp_path / "pairs.tsv", separator="\t")
    return tmp_path / "pairs.tsv"


@pytest.fixture
def texts(tmp_path):
    rows = [("good nice film", "pos"), ("good nice movie", "pos"), ("bad dull film", "neg"), ("bad dull movie", "neg")]
    frame = pl.DataFrame([(f"t{n}", *row) for n, row in enumerate(rows)], schema=["id", "text", "label"], orient="row")
    frame.write_csv(tmp_path / "texts.csv")
    return tmp_path / "texts.csv"


def written(tmp_path, rows):
    frame = pl.DataFrame(rows, schema=["system", "id", "predicted"], orient="row")
    frame.write_csv(tmp_path / "predictions.tsv", separator="\t")
    return tmp_path / "predictions.tsv"


def result(capsys, *arguments):
    """Run the command with --json - and return the result; anything but JSON on standard output fails."""
    assert status(["difficulty", *map(str, arguments), "--json", "-"]) == 0
    return json.loads(capsys.readouterr().out)["result"]


def test_pairs_come_out_as_json(pairs, capsys):
    found = result(capsys, pairs, "--threshold", "0.5")
    assert found["counts"] == {"Po": 1, "Pn": 1, "No": 1, "Nn": 1}
    assert {"measure", "threshold", "median", "counts", "obvious_share", "by_part", "systems"} <= found.keys()
    assert (found["measure"], found["threshold"], found["obvious_share"]["value"]) == ("jensen-shannon", 0.5, 0.5)
    assert found["systems"] == []
    assert found["by_part"]["test"]["counts"] == {"Po": 0, "Pn": 0, "No": 1, "Nn": 1}


def test_items_are_written_as_tsv(pairs, tmp_path, capsys):
    assert status(["difficulty", str(pairs), "-o", str(tmp_path / "items.tsv"), "--measure", "jaccard"]) == 0
    frame = pl.read_csv(tmp_path / "items.tsv", separator="\t")
    assert frame.columns == ["id", "similarity", "case"]
    assert frame["case"].to_list() == ["Po", "Pn", "Nn", "No"]
    shown = capsys.readouterr()
    assert "Cases (threshold: dataset, positive: 1)" in shown.out
    assert "Positive label: '1'" in shown.err


def test_systems_are_scored_on_each_case(pairs, tmp_path, capsys):
    predictions = written(
        tmp_path, [("x", "p1", "1"), ("x", "p2", "0"), ("x", "p3", "1"), ("x", "p4", "0"), ("y", "p1", "1")]
    )
    found = result(capsys, pairs, "--predictions", predictions)
    assert [row["system"] for row in found["systems"]] == ["x", "y", "(random guesser)"]
    assert (found["systems"][0]["F1_o"], found["systems"][0]["F1_n"]) == (1, 0)
    assert found["systems"][1]["n_missing"] == 3
    assert status(["difficulty", str(pairs), "--predictions", str(predictions)]) == 0
    assert "Systems on 4 items" in capsys.readouterr().out


def test_ranking_scores_give_map(tmp_path, capsys):
    frame = pl.DataFrame(
        [(*row, "q") for row in ROWS], schema=["id", "text_a", "text_b", "label", "split", "group"], orient="row"
    )
    frame.write_csv(tmp_path / "pairs.tsv", separator="\t")
    for name, cells in {"labels": ["1", "1", "0", "0"], "scores": ["0.9", "0.1", "0.8", "0.2"]}.items():
        pl.DataFrame({"id": frame["id"], "x": cells}).write_csv(tmp_path / f"{name}.tsv", separator="\t")
    options = ["--group", "group", "--predictions", tmp_path / "labels.tsv", "--item-scores", tmp_path / "scores.tsv"]
    found = result(capsys, tmp_path / "pairs.tsv", *options)
    assert found["systems"][0]["MAP"] == pytest.approx((1 + 2 / 4) / 2)
    assert 0 < found["systems"][1]["MAP"] < 1


def test_single_texts_are_ranked(texts, tmp_path, capsys):
    found = result(capsys, texts, "-o", tmp_path / "items.tsv")
    assert found["measure"] == "nearest-text (tfidf, cosine)"
    assert found["contrary_by_label"].keys() == {"neg", "pos"}
    frame = pl.read_csv(tmp_path / "items.tsv", separator="\t")
    assert frame.columns == ["id", "rank", "difficulty", "same", "other", "nearest_same", "nearest_other"]
    assert status(["difficulty", str(texts)]) == 0
    assert "Nearest training text has" in capsys.readouterr().out


def test_systems_on_single_texts_get_accuracies(texts, tmp_path, capsys):
    predictions = written(tmp_path, [("x", f"t{n}", label) for n, label in enumerate(["pos", "pos", "neg", "pos"])])
    systems = result(capsys, texts, "--predictions", predictions)["systems"]
    assert [row["accuracy"] for row in systems] == [0.75, 0.5]


def test_texts_without_labels_are_ranked_too(tmp_path, capsys):
    (tmp_path / "plain.csv").write_text("text\ngood film\ngood movie\nzebra stripes\n")
    found = result(capsys, tmp_path / "plain.csv")
    assert (found["n_items"], found["contrary_share"]["value"]) == (3, None)


def test_the_same_bytes_come_out_twice(pairs, capsys):
    assert result(capsys, pairs) == result(capsys, pairs)


@pytest.mark.parametrize(
    ("options", "code", "message"),
    [
        (["--measure", "jacard"], 2, "No measure 'jacard'. Did you mean 'jaccard'?"),
        (["--threshold", "half"], 2, "No threshold 'half'. Known: dataset, split, or a number."),
        (["--positive", "yes"], 1, "No item has the label 'yes'. Labels: 0, 1."),
        (["--positive", "1", "--positive-from", "1"], 2, "Give --positive or --positive-from, not both."),
        (["--tokenizer", "wrods"], 2, "No tokenizer 'wrods'. Did you mean 'words'?"),
    ],
)
def test_wrong_options_are_one_line(pairs, capsys, options, code, message):
    assert status(["difficulty", str(pairs), *options]) == code
    shown = capsys.readouterr()
    assert message in shown.err
    assert shown.out == ""


def test_scores_without_labels_cannot_be_counted_in_cases(pairs, tmp_path, capsys):
    pl.DataFrame({"id": ["p1", "p2"], "score": ["1", "0"]}).write_csv(tmp_path / "scores.tsv", separator="\t")
    assert status(["difficulty", str(pairs), "--predictions", str(tmp_path / "scores.tsv")]) == 1
    assert "has scores and no labels" in capsys.readouterr().err
