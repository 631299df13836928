"""English is recognised on real data."""

import polars as pl
import pytest

from assay.features import LabelledTexts

ENGLISH = "mr cr sst1 trec atis ade imdb dbpedia14 ag_news yelp_reviews uci_news".split()


@pytest.mark.parametrize("name", ENGLISH)
def test_english_datasets_read_as_english(shared, name):
    table = pl.read_csv(
        shared(f"{name}/{name}.tsv.gz"), separator="\t", quote_char=None, infer_schema=False, n_rows=2000
    )
    assert LabelledTexts.from_texts(table["text"]).language.is_english


def test_only_english_reads_as_english_among_fifteen_languages(shared):
    path = shared("explainaboard/xnli_preds.tsv.gz")
    table = pl.read_csv(path, separator="\t", quote_char=None, infer_schema=False)
    read_as = {
        str(language): LabelledTexts.from_texts(rows["text_a"]).language.is_english
        for (language,), rows in table.group_by("lang")
    }
    assert {language for language, english in read_as.items() if english} == {"en"}
