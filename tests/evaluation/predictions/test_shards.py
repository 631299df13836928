"""Data and predictions in shards give the same evaluation as in memory, without the texts."""

from __future__ import annotations

import json

import numpy as np
import polars as pl
import pytest

import assay
from assay.base.errors import AssayError, UsageError
from assay.cli.main import status
from assay.evaluation.predictions.shards import read_roles
from assay.features.out_of_core.sources import find_shards

N = 400
LABELS = ["neg", "pos"]


def make_data(paired: bool = False) -> pl.DataFrame:
    rng = np.random.default_rng(0)
    columns = {"id": [f"i{row}" for row in range(N)]}
    names = ("premise", "hypothesis") if paired else ("text",)
    columns |= {name: [f"{name} {number}" for number in rng.integers(0, 99, N)] for name in names}
    columns["label"] = rng.choice(LABELS, N).tolist()
    columns["split"] = ["train" if row < N // 2 else "test" for row in range(N)]
    columns["genre"] = rng.choice(["film", "book"], N).tolist()
    return pl.DataFrame(columns)


def answer(data: pl.DataFrame, accuracy: float, seed: int) -> list[str | None]:
    rng = np.random.default_rng(seed)
    right = rng.random(len(data)) < accuracy
    other = {"pos": "neg", "neg": "pos"}
    answers = [gold if is_right else other[gold] for gold, is_right in zip(data["label"], right, strict=True)]
    return [None if rng.random() < 0.02 else each for each in answers]


def cut(frame: pl.DataFrame, folder, n_shards: int = 5):
    folder.mkdir()
    size = -(-len(frame) // n_shards)
    for number in range(n_shards):
        frame.slice(number * size, size).write_parquet(folder / f"{number}.parquet")
    return str(folder / "*.parquet")


@pytest.fixture(params=["wide", "long"])
def inputs(request, tmp_path):
    data = make_data()
    test = data.filter(pl.col("split") == "test")
    systems = {"a": answer(test, 0.9, 1), "b": answer(test, 0.8, 2), "c": answer(test, 0.79, 3)}
    wide = test.select("id", "text", "genre").with_columns(
        **{name: pl.Series(cells) for name, cells in systems.items()}
    )
    long = wide.unpivot(list(systems), index=["id", "text"], variable_name="system", value_name="predicted")
    return cut(data, tmp_path / "data"), cut(wide if request.param == "wide" else long, tmp_path / "answers")


def test_evaluate(inputs):
    data, answers = inputs
    options = {"by": ["part", "label", "genre"], "n_resamples": 50}
    expected = assay.evaluate(data, [answers], **options)
    assert expected.n_items == N // 2
    assert json.dumps(assay.evaluate(data, [answers], out_of_core=True, **options).to_dict()) == json.dumps(
        expected.to_dict()
    )


def test_discriminate(inputs):
    data, answers = inputs
    results = [
        assay.discriminate(predictions=[answers], data=data, out_of_core=each, n_resamples=50) for each in (False, True)
    ]
    assert results[0].to_dict() == results[1].to_dict()


def test_item_scores_without_data(tmp_path):
    rng = np.random.default_rng(5)
    scores = pl.DataFrame({"id": range(N), "a": rng.random(N), "b": rng.random(N), "c": rng.random(N)})
    folder = cut(scores, tmp_path / "scores")
    results = [assay.evaluate(None, [folder], out_of_core=each, n_resamples=50).to_dict() for each in (False, True)]
    assert results[0] == results[1]


def test_texts_are_not_kept(tmp_path):
    folder = cut(make_data(paired=True), tmp_path / "data")
    data = read_roles(find_shards(folder, tasks=("pairs",)))
    assert set(data.texts.unique()) == {"x\nx"}
    assert data.labels.to_list() == assay.read(folder).labels.to_list()
    assert data.ids.to_list() == assay.read(folder).ids.to_list()


def test_what_needs_texts_is_refused(inputs, tmp_path):
    data, answers = inputs
    with pytest.raises(UsageError, match="length needs the texts"):
        assay.evaluate(data, [answers], out_of_core=True, by="length")
    questions = pl.DataFrame({"question": ["a?"] * 3, "choices": [["x", "y"]] * 3, "answer": ["A", "B", "A"]})
    with pytest.raises(AssayError, match="task multiple-choice; a shard at a time only classification"):
        assay.evaluate(cut(questions, tmp_path / "questions", 1), [answers], out_of_core=True)
    with pytest.raises(UsageError, match="files, folders or globs"):
        assay.evaluate(data, [{"id": ["i1"], "a": ["pos"]}], out_of_core=True)


def test_the_commands(inputs, tmp_path):
    data, answers = inputs
    commands = {
        "evaluate": ["evaluate", data, "--predictions", answers, "--resamples", "20"],
        "discriminate": ["discriminate", "--data", data, "--predictions", answers],
    }
    for name, command in commands.items():
        results = []
        for option in ([], ["--out-of-core", "--cache", str(tmp_path / "cache")]):
            path = tmp_path / f"{name}.json"
            assert status([*command, *option, "--json", str(path)]) == 0
            results.append(json.loads(path.read_text())["result"])
        assert results[0] == results[1], name
