"""The profile of a dataset, in Python and on the command line."""

import json

import polars as pl
import pytest

import assay

KEYS = """n_items task labels label_entropy length length_by_label top_words top_words_by_label label_words
duplicates features"""


def table(n: int = 60) -> pl.DataFrame:
    rows = [
        {"text": f"the {'good' if row % 2 else 'bad'} film number {row} is what it is", "label": str(row % 2)}
        for row in range(n)
    ]
    return pl.DataFrame(rows).with_columns(
        id=pl.Series([f"item-{row}" for row in range(n)]), split=pl.Series(["train"] * (n - 20) + ["test"] * 20)
    )


def result(run, path, *options) -> dict:
    done = run("profile", path, "--json", "-", *options)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)["result"]


def without_draws(found: dict) -> dict:
    """Leave out what may depend on the order of rows: examples and sampled features."""
    found = json.loads(json.dumps(found))
    found["duplicates"].pop("examples")
    found["odd_texts"].pop("examples")
    found["features"].pop("intervals")
    for part in ("train", "test", "interaction", "all"):
        found["features"].get(part, {}).pop("language_mix", None)
    return found


def test_the_result_has_the_promised_keys(run, tmp_path):
    table().write_csv(tmp_path / "data.csv")
    found = result(run, tmp_path / "data.csv")
    assert set(KEYS.split()) <= set(found)
    assert set(found["features"]) >= {"train", "test", "interaction"}
    assert len(found["features"]["train"]) == 12
    assert set(found["duplicates"]) >= {"exact", "near", "across_parts", "conflicting_labels"}
    assert found["labels"]["0"] == {"count": 30, "share": 0.5}


def test_the_format_of_the_file_and_a_second_run_change_nothing(run, tmp_path):
    frame = table()
    frame.write_csv(tmp_path / "one.csv")
    frame.write_csv(tmp_path / "two.tsv", separator="\t", quote_style="never")
    frame.write_ndjson(tmp_path / "three.jsonl")
    frame.write_parquet(tmp_path / "four.parquet")
    paths = [tmp_path / name for name in ("one.csv", "one.csv", "two.tsv", "three.jsonl", "four.parquet")]
    found = [result(run, path) for path in paths]
    assert all(other == found[0] for other in found[1:])


def test_the_order_of_rows_changes_nothing_but_examples_and_samples():
    one = assay.profile(table())
    other = assay.profile(table().sample(fraction=1, shuffle=True, seed=3))
    assert without_draws(one.to_dict()) == without_draws(other.to_dict())


def test_unlabelled_rows_are_profiled_and_left_out_of_label_measures():
    found = assay.profile({"text": ["one two", "three", "four"], "label": ["a", "b", None]})
    assert (found.n_items, found.n_unlabelled) == (3, 1)
    assert found.labels["a"]["share"] == 0.5


def test_data_without_labels_has_a_profile():
    found = assay.profile({"text": ["one two", "three"]})
    assert found.labels == {}
    assert found.to_dict()["label_entropy"] is None
    assert found.features.to_dict()["reasons"]["pmi"]


def test_a_pair_is_profiled_as_both_its_sides():
    found = assay.profile({"premise": ["a b c", "d"], "hypothesis": ["e", "f g"], "label": ["0", "1"]})
    assert (found.task, found.length.mean) == ("pairs", 3.5)


def test_trec_has_its_known_counts(shared):
    found = assay.profile(assay.read(shared("trec/trec.tsv.gz")))
    assert (found.n_items, len(found.labels)) == (5952, 6)
    assert found.labels["ENTY"]["count"] == 1344
    assert found.parts == {"test": 500, "train": 5452}


@pytest.mark.parametrize("name", ["light", "flesch,pmi"])
def test_features_can_be_chosen(run, tmp_path, name):
    table().write_csv(tmp_path / "data.csv")
    found = result(run, tmp_path / "data.csv", "--features", name)
    assert len(found["features"]["train"]) == (12 if name == "light" else 2)


def test_an_unknown_feature_is_a_usage_error(run, tmp_path):
    table().write_csv(tmp_path / "data.csv")
    done = run("profile", tmp_path / "data.csv", "--features", "flech")
    assert done.returncode == 2
    assert "Did you mean 'flesch'?" in done.stderr
    assert "Traceback" not in done.stderr
