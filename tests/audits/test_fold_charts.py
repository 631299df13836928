"""Charts of the splits that the audit draws itself."""

from __future__ import annotations

import numpy as np
import pytest
from assay.audits.fold_charts import CLUSTERS, fold_charts

from assay.audits import audit
from assay.audits.benchmark import Benchmark, Settings
from assay.kinds import read
from assay.models.cross_validation import OutOfFoldPredictions


@pytest.fixture(scope="module")
def found(made):
    data = read({name: column for name, column in made(400).items() if name != "split"})
    case = Benchmark(data, None, None, Settings())
    return audit(data, only=["splits"]), case.held_out


def test_every_split_is_set_beside_its_null_also_where_the_data_has_no_parts(found):
    rows = found[0].sections["splits"].result["charts"]["divergence"]
    assert {row["split"] for row in rows} >= {"random", "length", "rare-words", "wasserstein", "sds-k-means", CLUSTERS}
    apart = {row["split"]: row["value"] > row["null_high"] for row in rows if row["measure"] == "jsd"}
    assert apart[CLUSTERS]
    assert not apart["random"]


def test_clusters_have_a_plane_sizes_and_words_of_their_own(found):
    charts = found[0].sections["splits"].result["charts"]
    assert len({row["fold"] for row in charts["scatter"] if row["split"] == CLUSTERS}) == 5
    sizes = [row for row in charts["fold_sizes"] if row["split"] == CLUSTERS]
    assert sum(row["count"] for row in sizes) == 400
    words = {row["word"] for row in charts["fold_words"] if row["split"] == CLUSTERS}
    assert len(words & {"striker", "sprint", "racket", "butter", "noodle", "curry"}) >= 4
    assert len([row for row in charts["fold_words"] if row["split"] == "random"]) <= 2


def test_words_of_a_held_out_side_are_counted_against_the_rest():
    texts = ["sea wind sail"] * 30 + ["road dust wheel"] * 60
    folds = np.array([1] * 30 + [0] * 60)
    data = read({"text": texts, "label": ["a", "b"] * 45})
    made = OutOfFoldPredictions(data, ["a", "b"], np.array([0, 1] * 45), [], {"length": folds}, [])
    rows = fold_charts(made, Settings())["fold_words"]
    assert {row["word"] for row in rows if row["split"] == "length"} == {"sea", "wind", "sail"}
    # Of 30 texts with the word all are test, where test is a third: (1 - 1/3) / sqrt(1/3 · 2/3 / 30).
    assert {round(row["z"], 6) for row in rows if row["split"] == "length"} == {round(60**0.5, 6)}


def test_words_of_folds_are_withheld_where_texts_are(made):
    told = audit(made(200), only=["splits"], private=True).to_dict()
    assert told["sections"]["splits"]["result"]["charts"]["fold_words"] == []
