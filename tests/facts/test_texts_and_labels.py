"""Texts with labels: GNAD10, Waimai, Hindi in Latin letters, and the label errors of IMDB."""

from __future__ import annotations

import polars as pl

import assay
from assay.data import read_table


def test_german_news(shared):
    data = assay.read(shared("gnad10/gnad10.tsv.gz"))
    assert len(data) == 1028
    assert dict(data.labels.value_counts().rows()) == {
        "Web": 168,
        "Panorama": 168,
        "International": 151,
        "Wirtschaft": 141,
        "Sport": 120,
        "Inland": 102,
        "Etat": 67,
        "Wissenschaft": 57,
        "Kultur": 54,
    }


def test_copies_of_chinese_reviews(shared):
    """Seven texts occur twice, in a language without spaces."""
    data = assay.read(shared("waimai_zh/waimai.tsv.gz"))
    assert dict(data.labels.value_counts().rows()) == {"positive": 4000, "negative": 7987}
    assert assay.profile(data).duplicates.exact == 14


def test_posts_in_hindi_and_english(shared):
    data = assay.read(shared("sentiment_hi_latn/sentiment_hi_latn.tsv.gz"))
    assert {part: len(data.part(part)) for part in data.part_names} == {"train": 1839, "dev": 324, "test": 870}
    assert dict(data.labels.value_counts().rows()) == dict.fromkeys(("negative", "neutral", "positive"), 1011)
    assert not set(data.part("test").texts) & set(data.part("train").texts)


def test_verdicts_on_imdb(shared):
    """Five workers voted; fewer than three for the given label make an error."""
    table = read_table(shared("label_errors_imdb/verdicts.tsv.gz"))
    voted = table.filter(pl.col("votes_given").str.len_chars() > 0)
    errors = voted.filter(pl.col("votes_given").cast(int) < 3)
    assert (voted.height, errors.height) == (1310, 725)
    assert (voted["verdict"] == "error").sum() == 725
    here = table.filter(pl.col("in_folder_imdb") == "1")
    assert (here.height, voted["in_folder_imdb"].eq("1").sum(), errors["in_folder_imdb"].eq("1").sum()) == (
        4956,
        251,
        132,
    )


def test_reviews_of_imdb_that_the_index_lacks_have_copies(shared):
    """44 test reviews are not in the index of verdicts; ten of them are exact copies within this folder."""
    data = assay.read(shared("imdb/imdb.tsv.gz")).part("test")
    known = set(read_table(shared("label_errors_imdb/verdicts.tsv.gz"))["id"])
    missing = data.take(~data.ids.is_in(list(known)))
    assert len(missing) == 44
    copies = set(data.texts.filter(data.texts.is_duplicated()))
    assert sum(text in copies for text in missing.texts) == 10
