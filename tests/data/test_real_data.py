"""The files in ../shared/data read as their README says."""

from __future__ import annotations

import re

import pytest

from assay.data import read_table
from assay.kinds import read

FILES = {
    "ade/ade.tsv.gz": 23516,
    "ag_news/ag_news.tsv.gz": 12761,
    "arct/arct.tsv.gz": 1970,
    "arct/pred_labels_test.tsv.gz": 444,
    "atis/atis.tsv.gz": 5871,
    "cr/cr.tsv.gz": 3771,
    "explainaboard/snli_test_preds.tsv.gz": 10000,
    "leaderboards/nlp_progress.tsv.gz": 2525,
    "mnli/mnli_dev_matched.tsv.gz": 9815,
    "mr/mr.tsv.gz": 10662,
    "msrp/msrp.tsv.gz": 5801,
    "quora/quora.tsv.gz": 20212,
    "semeval2016_cqa/cqa_B.tsv.gz": 1870,
    "sst2/sst2.tsv.gz": 9613,
    "trec/trec.tsv.gz": 5952,
    "uci_news/uci_news.tsv.gz": 6366,
}


@pytest.mark.parametrize("name", list(FILES))
def test_every_cell_is_as_pandas_reads_it(shared, name):
    import pandas as pd

    path = shared(name)
    frame = read_table(path)
    expected = pd.read_csv(path, sep="\t", quoting=3, keep_default_na=False, dtype=str)
    assert len(frame) == FILES[name]
    assert frame.columns == list(expected.columns)
    for column in frame.columns:
        assert frame[column].to_list() == expected[column].tolist()


def test_row_counts_are_those_of_the_readme(shared):
    readme = shared("README.md").read_text(encoding="utf-8")
    counts = {
        f"{folder}/{file}": int(n) for folder, file, n in re.findall(r"\| (\w+) \| (\S+\.tsv\.gz) \| (\d+) \|", readme)
    }
    assert len(counts) > 30
    assert {name: len(read_table(shared(name))) for name in counts} == counts


def test_trec_is_recognised(shared):
    data = read(shared("trec/trec.tsv.gz"))
    assert data.notes == (
        "task: classification (text, label); not used: label_fine",
        "id: id, split: split; 5,452 train, 500 test",
    )
    assert len(data.label_names) == 6
    assert data.name == "trec"


def test_pairs_times_and_hidden_labels_are_recognised(shared):
    data = read(shared("semeval2016_cqa/cqa_A.tsv.gz"))
    assert data.notes[0].startswith("task: pairs (text_a, text_b, label)")
    assert data.notes[1].startswith("id: id, split: split, time: timestamp")
    assert data.part_names == ["train", "dev", "test"]
    assert read(shared("explainaboard/snli_test_preds.tsv.gz")).labels.null_count() == 176


def test_a_file_of_clusterdatasplit_is_recognised(shared):
    data = read(shared("oracles/clusterdatasplit_toy/input_data.tsv"))
    assert data.notes[0].startswith("task: classification (text_input_data, labels)")
    assert data.notes[1].startswith("id: ids")


def test_an_empty_split_column_gives_no_parts(shared):
    assert read(shared("mr/mr.tsv.gz")).parts is None


def test_the_same_data_in_other_formats_has_the_same_fingerprint(shared, tmp_path):
    data = read(shared("trec/trec.tsv.gz"))
    data.frame.write_csv(tmp_path / "x.csv")
    data.frame.write_ndjson(tmp_path / "x.jsonl")
    data.frame.write_parquet(tmp_path / "x.parquet")
    assert {read(tmp_path / name).fingerprint for name in ("x.csv", "x.jsonl", "x.parquet")} == {data.fingerprint}
