"""The profile of a dataset, in Python and on the command line."""

import json

import polars as pl
import pytest
from tests.marks import unmarked_fields

import assay
from assay.base.codec import to_json
from assay.features import Profile
from assay.text import Corpus, exact_duplicates, near_duplicates

KEYS = """n_items task labels label_entropy length length_by_label top_words top_words_by_label label_words
duplicates features"""


def make_table(n: int = 60) -> pl.DataFrame:
    rows = [
        {"text": f"the {'good' if row % 2 else 'bad'} film number {row} is what it is", "label": str(row % 2)}
        for row in range(n)
    ]
    return pl.DataFrame(rows).with_columns(
        id=pl.Series([f"item-{row}" for row in range(n)]), split=pl.Series(["train"] * (n - 20) + ["test"] * 20)
    )


def read_result(run, path, *options) -> dict:
    done = run("profile", path, "--json", "-", *options)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)["result"]


def drop_samples(result: dict) -> dict:
    """Leave out what may depend on the order of rows: examples and sampled features."""
    result = json.loads(json.dumps(result))
    result["duplicates"].pop("examples")
    result["odd_texts"].pop("examples")
    result["features"].pop("intervals")
    for part in ("train", "test", "interaction", "all"):
        result["features"].get(part, {}).pop("language_mix", None)
    return result


def test_the_result_has_the_documented_keys(run, tmp_path):
    make_table().write_csv(tmp_path / "data.csv")
    result = read_result(run, tmp_path / "data.csv")
    assert set(KEYS.split()) <= set(result)
    assert set(result["features"]) >= {"train", "test", "interaction"}
    assert len(result["features"]["train"]) == 12
    assert set(result["duplicates"]) >= {"exact", "near", "across_parts", "conflicting_labels"}
    assert result["labels"]["0"] == {"count": 30, "share": 0.5}


def test_the_format_of_the_file_and_a_second_run_change_nothing(run, tmp_path):
    frame = make_table()
    frame.write_csv(tmp_path / "one.csv")
    frame.write_csv(tmp_path / "two.tsv", separator="\t", quote_style="never")
    frame.write_ndjson(tmp_path / "three.jsonl")
    frame.write_parquet(tmp_path / "four.parquet")
    paths = [tmp_path / name for name in ("one.csv", "one.csv", "two.tsv", "three.jsonl", "four.parquet")]
    result = [read_result(run, path) for path in paths]
    assert all(other == result[0] for other in result[1:])


def test_the_order_of_rows_changes_nothing_but_examples_and_samples():
    one = assay.profile(make_table())
    other = assay.profile(make_table().sample(fraction=1, shuffle=True, seed=3))
    assert drop_samples(one.to_dict()) == drop_samples(other.to_dict())


def test_unlabelled_rows_are_profiled_and_left_out_of_label_measures():
    result = assay.profile({"text": ["one two", "three", "four"], "label": ["a", "b", None]})
    assert (result.n_items, result.n_unlabelled) == (3, 1)
    assert result.labels["a"].share == 0.5


def test_data_without_labels_has_a_profile():
    result = assay.profile({"text": ["one two", "three"]})
    assert result.labels == {}
    assert result.to_dict()["label_entropy"] is None
    assert result.features.to_dict()["reasons"]["pmi"]


def test_a_pair_is_profiled_as_both_its_sides():
    result = assay.profile({"premise": ["a b c", "d"], "hypothesis": ["e", "f g"], "label": ["0", "1"]})
    assert (result.task, result.length.mean) == ("pairs", 3.5)


def test_trec_has_its_known_counts(shared):
    result = assay.profile(assay.read(shared("trec/trec.tsv.gz")))
    assert (result.n_items, len(result.labels)) == (5952, 6)
    assert result.labels["ENTY"].count == 1344
    assert result.parts == {"test": 500, "train": 5452}


@pytest.mark.parametrize("name", ["light", "flesch,pmi"])
def test_features_can_be_chosen(run, tmp_path, name):
    make_table().write_csv(tmp_path / "data.csv")
    result = read_result(run, tmp_path / "data.csv", "--features", name)
    assert len(result["features"]["train"]) == (12 if name == "light" else 2)


def test_an_unknown_feature_is_a_usage_error(run, tmp_path):
    make_table().write_csv(tmp_path / "data.csv")
    done = run("profile", tmp_path / "data.csv", "--features", "flech")
    assert done.returncode == 2
    assert "Did you mean 'flesch'?" in done.stderr
    assert "Traceback" not in done.stderr


def test_the_representation_is_one_short_line():
    profile = assay.profile(make_table())
    assert repr(profile) == (
        "Profile(60 items; parts test 20, train 40; 2 labels; 9.0 words per text; 0 exact duplicates; "
        "0 near duplicates; 0 odd texts)"
    )


def test_the_frame_has_one_row_for_all_items_and_one_per_label():
    frame = assay.profile(make_table()).to_frame()
    assert frame["label"].to_list() == ["(all)", "0", "1"]
    assert frame["items"].to_list() == [60, 30, 30]
    assert frame["label_words"].to_list() == ["", "bad", "good"]
    assert frame["top_words"].to_list()[1].startswith("is, ")


@pytest.mark.parametrize("labelled", [True, False])
def test_a_profile_survives_json(labelled):
    table = make_table() if labelled else make_table().drop("label", "split")
    plain = json.loads(to_json(assay.profile(table)))
    assert to_json(Profile.from_dict(plain)) == to_json(plain)


def test_every_field_with_text_is_marked():
    assert list(unmarked_fields(Profile)) == []


def test_words_and_groups_computed_before_give_the_same_profile():
    sides = {"premise": ["a b c", "d e", "d e"], "hypothesis": ["e", "f g", "f g"], "label": ["0", "1", "0"]}
    data = assay.read(sides)
    ready = assay.profile(
        data,
        corpus=Corpus.from_texts(data.texts),
        side_corpora=Corpus.from_sides(*data.sides),
        exact_groups=exact_duplicates(data.texts),
        near_groups=near_duplicates(data.texts),
    )
    assert ready.to_dict() == assay.profile(data).to_dict()


def test_texts_are_not_tokenised_again(monkeypatch):
    data = assay.read(make_table())
    corpus = Corpus.from_texts(data.texts)
    monkeypatch.setattr(Corpus, "from_texts", None)
    assert assay.profile(data, corpus=corpus).n_items == 60
