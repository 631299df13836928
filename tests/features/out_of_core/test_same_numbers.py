"""The profile of shards equals that of the same data in memory."""

from __future__ import annotations

import json
from itertools import pairwise

import numpy as np
import polars as pl
import pytest

import assay
from assay.base.errors import AssayError, UsageError
from assay.cli.main import status
from assay.features.out_of_core.profiling import profile_shards
from assay.features.out_of_core.sources import find_shards

N_SHARDS = 7
WORDS = [f"word{number}" for number in range(400)]
GRADES = ["good", "great", "fine"], ["bad", "poor", "awful"]


def make_rows(n: int, seed: int) -> pl.DataFrame:
    """Make texts with exact and near copies, within and across shards, with other labels, and odd ones."""
    rng = np.random.default_rng(seed)
    labels = rng.choice(["pos", "neg", None], n, p=[0.5, 0.4, 0.1]).tolist()
    texts = []
    for label in labels:
        size = int(rng.integers(1, 40))
        extra = [str(rng.choice(GRADES[label == "neg"]))] if label else []
        texts.append(" ".join(["the", "is", "of", *rng.choice(WORDS, size), *extra]) + ".")
    for target, source in rng.integers(0, n, (n // 8, 2)):
        words = texts[source].split()
        kind = rng.integers(4)
        texts[target] = (
            texts[source].upper()
            if kind == 0
            else texts[source].replace(".", "!")
            if kind == 1
            else " ".join(words[:-1])
            if kind == 2
            else " ".join([*words, "more"])
        )
    texts[3], texts[17], texts[18] = "", "...", "<b>bold</b> &amp; more"
    texts[n // 2] = " ".join(WORDS[:380])
    return pl.DataFrame({"text": texts, "label": labels}, schema={"text": pl.String, "label": pl.String})


def cut(frame: pl.DataFrame, folder, name: str = "rows", n_shards: int = N_SHARDS, kind: str = "parquet") -> None:
    """Write a frame as shards of unequal sizes."""
    cuts = [0, *sorted(np.random.default_rng(1).choice(range(1, len(frame)), n_shards - 1, replace=False)), len(frame)]
    for number, (start, stop) in enumerate(pairwise(cuts)):
        piece = frame.slice(start, stop - start)
        path = folder / f"{name}-{number:03d}.{kind}"
        piece.write_parquet(path) if kind == "parquet" else piece.write_ndjson(path)


def to_json(profile) -> dict:
    """Return a profile with sorted examples of odd texts: without ids they follow the content in memory, else rows."""
    values = profile.to_dict()
    examples = values["odd_texts"]["examples"]
    values["odd_texts"]["examples"] = {name: sorted(ids) for name, ids in examples.items()}
    return values


def assert_same(source, **options) -> None:
    expected, result = assay.profile(assay.read(source, **options)), profile_shards(find_shards(source, **options))
    assert expected.duplicates.near > 0
    assert expected.duplicates.exact > 0
    for name, value in to_json(expected).items():
        assert json.dumps(to_json(result)[name]) == json.dumps(value), name


@pytest.mark.parametrize("kind", ["parquet", "jsonl"])
def test_shards_without_parts(tmp_path, kind):
    cut(make_rows(900, 0), tmp_path, kind=kind)
    assert_same(tmp_path)


def test_texts_with_single_words_changed(tmp_path):
    frame = make_rows(600, 4)
    frame = frame.filter(frame["text"].str.count_matches(" ") > 8)
    changed = [text.split() for text in frame["text"].to_list()[:120]]
    for words in changed:
        words[len(words) // 2] = "changed"
        words[-1] = "also"
    texts = pl.Series("text", [" ".join(words) for words in changed])
    cut(pl.concat([frame, frame[:120].with_columns(texts)]), tmp_path)
    assert_same(tmp_path)


def test_very_many_files_are_read_together(tmp_path, monkeypatch):
    monkeypatch.setattr("assay.features.out_of_core.sources.MAX_SINGLE_FILES", 20)
    monkeypatch.setattr("assay.features.out_of_core.sources.MIN_SHARD_BYTES", 12_000)
    cut(make_rows(900, 0), tmp_path, n_shards=60)
    sizes = [len(shard.paths) for shard in find_shards(tmp_path).shards]
    assert sum(sizes) == 60
    assert 3 < len(sizes) < 30
    assert_same(tmp_path)


def test_parts_by_file_names(tmp_path):
    for number, part in enumerate(("train", "test")):
        cut(make_rows(500, number // 2), tmp_path, part, 3)
    assert_same(tmp_path)


def test_parts_and_ids_by_columns(tmp_path):
    frame = make_rows(800, 2)
    parts = pl.Series("split", np.random.default_rng(0).choice(["train", "dev", "test"], 800))
    cut(frame.with_columns(parts, id=pl.int_range(800).cast(pl.String) + "x"), tmp_path)
    assert_same(tmp_path)


def test_texts_without_labels(tmp_path):
    cut(make_rows(600, 3).select("text"), tmp_path)
    assert_same(tmp_path)


def test_pairs(tmp_path):
    frame = make_rows(500, 8)
    other = make_rows(500, 9)["text"].alias("text_b")
    cut(frame.rename({"text": "text_a"}).with_columns(other).with_columns(frame["label"]), tmp_path)
    copies = pl.read_parquet(tmp_path / "rows-000.parquet")
    copies.with_columns(pl.col("text_b") + "!").write_parquet(tmp_path / "rows-999.parquet")
    copies.write_parquet(tmp_path / "rows-998.parquet")
    assert assay.read(tmp_path).task == "pairs"
    assert_same(tmp_path)


def test_words_of_a_language_without_spaces(tmp_path):
    rng = np.random.default_rng(3)
    phrases = ["这部电影很好看", "演员的表演非常出色", "故事没有意思", "我不喜欢这个结局", "音乐让人难忘", "画面很美"]
    texts = ["，".join(rng.choice(phrases, rng.integers(2, 6))) + "。" for _ in range(300)]
    frame = pl.DataFrame({"text": texts, "label": rng.choice(["pos", "neg"], 300)})
    cut(pl.concat([frame, frame.head(5).with_columns(pl.col("text") + "真的")]), tmp_path)
    profile = profile_shards(find_shards(tmp_path))
    expected = assay.profile(assay.read(tmp_path))
    assert not expected.language.has_spaces
    assert profile.top_words == expected.top_words
    assert profile.top_words_by_label == expected.top_words_by_label
    assert profile.label_words == expected.label_words


def test_duplicate_ids_are_refused(tmp_path):
    frame = make_rows(300, 4).with_columns(id=pl.int_range(300).cast(pl.String))
    frame.write_parquet(tmp_path / "a.parquet")
    frame.write_parquet(tmp_path / "b.parquet")
    with pytest.raises(AssayError, match="Duplicate ids"):
        profile_shards(find_shards(tmp_path))


def test_a_run_continues_and_a_lost_signature_is_written_again(tmp_path):
    data, cache = tmp_path / "data", tmp_path / "cache"
    data.mkdir()
    cut(make_rows(300, 5), data)
    first = profile_shards(find_shards(data), cache=cache)
    next(cache.rglob("hashes.npy")).unlink()
    assert to_json(profile_shards(find_shards(data), cache=cache)) == to_json(first)


def test_other_kinds_and_settings_are_refused(tmp_path):
    pl.DataFrame({"question": ["a?"], "choices": [["x", "y"]], "answer": ["A"]}).write_parquet(tmp_path / "a.parquet")
    with pytest.raises(AssayError, match="task multiple-choice; a shard at a time only classification and pairs"):
        find_shards(tmp_path)
    (tmp_path / "rows").mkdir()
    cut(make_rows(200, 6), tmp_path / "rows")
    with pytest.raises(UsageError, match=r"from 0\.8"):
        profile_shards(find_shards(tmp_path / "rows"), threshold=0.5)
    with pytest.raises(UsageError, match="perplexity"):
        profile_shards(find_shards(tmp_path / "rows"), features="all")


def test_the_command_profiles_shards(tmp_path):
    (tmp_path / "rows").mkdir()
    cut(make_rows(200, 7), tmp_path / "rows")
    results = []
    for option in ([], ["--out-of-core", "--cache", str(tmp_path / "cache")]):
        assert status(["profile", str(tmp_path / "rows"), *option, "--json", str(tmp_path / "out.json")]) == 0
        results.append(json.loads((tmp_path / "out.json").read_text())["result"])
    assert results[0] == results[1]
    assert to_json(assay.profile(tmp_path / "rows", out_of_core=True)) == to_json(assay.profile(tmp_path / "rows"))


def test_drawn_texts_do_not_depend_on_the_order_of_rows_or_shards(tmp_path, monkeypatch):
    for module in ("measures.language", "out_of_core.partials", "out_of_core.revisits"):
        monkeypatch.setattr(f"assay.features.{module}.MAX_TEXTS", 50)
    german = pl.format("Das ist der {}. deutsche Satz, und er steht nicht allein.", pl.col("id"))
    frame = make_rows(400, 5).with_row_index("id", offset=1000)
    frame = frame.with_columns(text=pl.when(pl.col("id") % 3 == 0).then(german).otherwise("text"))
    shuffled = frame.sample(fraction=1.0, shuffle=True, seed=3)
    values = []
    for name, rows, n_shards in (("a", frame, 5), ("b", shuffled, 3)):
        (tmp_path / name).mkdir()
        cut(rows, tmp_path / name, n_shards=n_shards)
        profile = profile_shards(find_shards(tmp_path / name), features=["language_mix"])
        values.append(to_json(profile)["features"])
    memory = assay.profile(shuffled, features=["language_mix"])
    assert values[0] == values[1] == to_json(memory)["features"]
    assert values[0]["intervals"]["all.language_mix"]["n"] == 50
    assert 0.1 < values[0]["all"]["language_mix"] < 0.6


def test_with_ids_nothing_depends_on_the_order_of_rows_or_shards(tmp_path):
    rng = np.random.default_rng(4)
    odd = ["", "...", "<b>bold</b>", " ".join(WORDS * 2)] * 10
    alike = [" ".join([*WORDS[:40], f"other{number}"]) for number in range(100)]  # more than are compared with each
    texts = pl.DataFrame({"text": [*odd, *alike], "label": ["pos"] * (len(odd) + len(alike))})
    frame = pl.concat([make_rows(300, 6), texts])
    parts = pl.Series("split", rng.choice(["train", "test"], len(frame)))
    frame = frame.with_columns(parts, id=pl.format("q{}", pl.int_range(len(frame))))
    profiles = [assay.profile(frame).to_dict()]
    for seed, n_shards in enumerate((3, 5)):
        folder = tmp_path / str(seed)
        folder.mkdir()
        cut(frame.sample(fraction=1.0, shuffle=True, seed=seed), folder, n_shards=n_shards)
        profiles.append(profile_shards(find_shards(folder)).to_dict())
    assert len(profiles[0]["odd_texts"]["examples"]["very_long"]) == 5
    first, *others = (json.dumps(profile, sort_keys=True) for profile in profiles)
    assert others == [first, first]
