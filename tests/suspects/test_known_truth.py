"""Suspects on benchmarks whose bad items are known: MMLU-Redux, GSM8K-Platinum and IMDB."""

import numpy as np
import polars as pl
import pytest
from sklearn.metrics import average_precision_score

import assay
from assay.data import read_table
from assay.suspects import find_suspects

# File with the answers, with the truth, its column and good value; average precision of the majority vote.
VOTES = {
    "mmlu_redux": ("pred_labels.tsv.gz", "error_type", "ok", 0.167),
    "gsm8k": ("pred_answers.tsv.gz", "platinum_status", "kept", 0.469),
}


@pytest.mark.parametrize("name", VOTES)
def test_bad_items_rank_higher_than_by_majority_vote(shared, name):
    file, column, good, by_majority = VOTES[name]
    truth = read_table(shared(f"{name}/items.tsv.gz"))
    suspects = find_suspects(predictions=str(shared(f"{name}/{file}")))
    items = suspects.items.join(truth, on="id", maintain_order="left")
    bad = (items[column] != good).to_numpy()
    assert average_precision_score(bad, items["suspicion"].to_numpy() - 1e-6 * np.arange(len(bad))) > by_majority
    suspicion = items["suspicion"].to_numpy()
    assert bad[:100].mean() - 0.4 <= suspicion[:100].mean() <= bad[:100].mean() + 0.1
    likely = suspicion >= 0.5
    if name == "gsm8k":
        assert likely.sum() >= 20
        assert suspicion[likely].mean() <= bad[likely].mean()  # it promises no more than it finds
    else:
        assert not likely.any()


def test_wrong_labels_rank_higher_than_by_the_given_probabilities_alone(shared):
    verdicts = read_table(shared("label_errors_imdb/verdicts.tsv.gz")).filter(pl.col("in_folder_imdb") == "1")
    positive = verdicts["prob_positive"].cast(pl.Float64)
    shares = verdicts.select("id").with_columns(negative=1 - positive, positive=positive)
    data = assay.read(shared("imdb/imdb.tsv.gz"))
    data = data.take(data.ids.is_in(verdicts["id"].to_list()))
    suspects = find_suspects(data, probabilities=shares, text_model=False)
    items = suspects.items.join(verdicts, on="id", maintain_order="left")
    bad = (items["verdict"] == "error").to_numpy()
    assert average_precision_score(bad, -np.arange(len(bad))) >= 0.622  # of the own probability
    assert items["suspicion"].head(100).mean() <= bad[:100].mean() + 0.1  # it promises no more than it finds
