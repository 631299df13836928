"""Metrics next to human scores: a case by hand, equality with scipy on SummEval and WMT, the command."""

from __future__ import annotations

import json

import numpy as np
import polars as pl
import pytest
from scipy import stats

import assay
from assay.base.errors import AssayError, UsageError
from assay.data import read_table
from assay.evaluation import read_predictions
from assay.kinds import kind_of

THEIRS = {"spearman": stats.spearmanr, "kendall": stats.kendalltau, "pearson": stats.pearsonr}
QUESTIONS = {"id": ["1", "2", "3", "4"], "question": ["a", "b", "c", "d"], "answer": ["w", "x", "y", "z"]}
# Right answers per system: 4, 2, 0; people: 3 for right and 1 for wrong answers, but for one.
ANSWERS = {"all": "wxyz", "half": "wxpp", "none": "pppp"}


def make_rows():
    return [
        {"id": number, "system": system, "predicted": answer, "quality": quality}
        for system, answers in ANSWERS.items()
        for number, gold, answer in zip("1234", "wxyz", answers, strict=True)
        for quality in ["2" if (system, number) == ("none", "4") else "3" if answer == gold else "1"]
    ]


def find(result, level, method, metric="exact-match"):
    (row,) = [row for row in result.human if (row.level, row.method, row.metric) == (level, method, metric)]
    return row


def test_by_hand():
    result = assay.evaluate(QUESTIONS, make_rows(), human="quality", metrics="exact-match", compare=False)
    right = np.array([1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0])
    human = np.array([3, 3, 3, 3, 3, 3, 1, 1, 1, 1, 1, 2])
    for method, function in THEIRS.items():
        row = find(result, "answers", method)
        assert row.value == pytest.approx(function(right, human)[0])
        assert (row.n, row.reason) == (12, None)
        assert find(result, "systems", method).value == pytest.approx(function([4, 2, 0], [12, 8, 5])[0])
    # Items 1 and 2: two right of three; 3: one; 4: one right, and the others' scores 1 and 2.
    within = [1, 1, 1, stats.kendalltau([1, 0, 0], [3, 1, 2])[0]]
    assert find(result, "within-items", "kendall").value == pytest.approx(np.mean(within))
    assert find(result, "within-items", "kendall").n == 4
    assert find(result, "answers", "spearman", "length").reason == "the metric is constant"
    assert result.resampled == "items"


def test_the_interval_resamples_items_with_all_their_answers():
    """Equal items leave nothing to chance, however many answers differ."""
    rows = [
        {"id": number, "system": system, "predicted": answer, "quality": quality}
        for number in "1234"
        for system, answer, quality in (("a", "p", "1"), ("b", "w", "3"), ("c", "q", "2"))
    ]
    data = {**QUESTIONS, "answer": ["w"] * 4}
    row = find(assay.evaluate(data, rows, human="quality", compare=False), "answers", "spearman")
    assert row.low == pytest.approx(row.value) == row.high


def test_the_interval_covers_the_truth():
    """Scores of items and answers with a known correlation: about 95 of 100 intervals have it."""
    from assay.evaluation import human_scores

    rng, truth, covered = np.random.default_rng(0), 0.5, 0
    for _ in range(100):
        items = rng.normal(size=(1, 40))
        both = [np.sqrt(0.5) * items + np.sqrt(0.5) * rng.normal(size=(5, 40)) for _ in range(2)]
        clusters = np.arange(40)
        people, scores = (
            human_scores._Scores(name, values, np.zeros((5, 40, 2))) for name, values in zip("xy", both, strict=True)
        )
        weights = assay.statistics.bootstrap_weights(40, 300, 0)
        value, resampled, _, _ = human_scores._correlate_answers(people, scores, clusters, weights)[2]
        interval = assay.statistics.percentile(resampled, 0.95, value)
        covered += interval.low <= truth <= interval.high
    assert covered >= 86


@pytest.fixture(scope="module")
def summaries(shared):
    table = read_table(shared("summeval/summaries.tsv.gz")).rename({"doc": "id", "summary": "predicted"})
    return assay.read(shared("summeval/documents.jsonl.gz")), table


@pytest.mark.parametrize("name", ["coherence", "relevance"])
def test_summeval_equals_scipy(summaries, name):
    data, table = summaries
    result = assay.evaluate(data, table, human=name, metrics=["rouge-1", "chrf"], n_resamples=50, compare=False)
    kind = kind_of(data)
    wide = {column: table.pivot("system", index="id", values=column) for column in ("predicted", name)}
    systems = wide[name].columns[1:]
    human = wide[name].select(systems).cast(pl.Float64).to_numpy().T
    answered = [kind.scoring.pair_answers(data, wide["predicted"][system].to_list()) for system in systems]
    for metric in map(kind.scoring.find_metric, ("rouge-1", "chrf")):
        tables = [metric.collect_statistics(items) for items in answered]
        scores = np.stack([metric.compute_value(rows) for rows in tables])
        means = np.array([metric.score_table(rows) for rows in tables])
        for method, function in THEIRS.items():
            expected = {
                "answers": function(scores.ravel(), human.ravel())[0],
                "within-items": np.nanmean([function(*pair)[0] for pair in zip(scores.T, human.T, strict=True)]),
                "systems": function(means, human.mean(axis=1))[0],
            }
            for level, value in expected.items():
                row = find(result, level, method, metric.name)
                assert row.value == pytest.approx(value)
                assert row.low < row.high
    assert {row.n for row in result.human} == {1600, 100, 16}


def test_translations_of_ted_talks(shared):
    """BLEU and chrF follow the error annotation of experts, clustered by talk."""
    table = read_table(shared("wmt_mqm_ted_ende/translations.tsv.gz"))
    references = table.filter(pl.col("system") == "ref").select("segment", "document", reference="translation")
    sources = read_table(shared("wmt_mqm_ted_ende/sources.tsv.gz")).select("segment", "source")
    data = assay.read(sources.join(references, on="segment").rename({"segment": "id"}), group="document")
    answers = table.filter(pl.col("system") != "ref").select("system", "mqm", id="segment", predicted="translation")
    result = assay.evaluate(data, answers, human="mqm", metrics=["chrf", "token-f1"], n_resamples=50, compare=False)
    assert result.resampled == "groups"
    row = find(result, "answers", "kendall", "chrf")
    assert (row.n, find(result, "systems", "kendall", "chrf").n) == (529 * 13, 13)
    assert 0 < row.low < row.value < row.high < 0.4
    assert "resample only 5 groups" in " ".join(result.notes)
    assert "chrf hardly follows mqm" in " ".join(result.notes)


def test_columns_must_be_there():
    with pytest.raises(AssayError, match=r"no column 'grace' of human scores; columns next to the answers are quality"):
        assay.evaluate(QUESTIONS, make_rows(), human="grace")
    with pytest.raises(AssayError, match="columns next to the answers are none"):
        assay.evaluate(QUESTIONS, {"id": list("1234"), "x": list("wxyz")}, human="quality")
    data = {"id": ["1", "2"], "text": ["a", "b"], "label": ["x", "y"]}
    rows = [{"id": number, "system": "s", "predicted": "x", "quality": "1"} for number in "12"]
    with pytest.raises(UsageError, match="this task has none"):
        assay.evaluate(data, rows, human="quality")


def test_missing_human_scores_are_left_out():
    rows = [row if row["id"] != "3" else {**row, "quality": ""} for row in make_rows()]
    result = assay.evaluate(QUESTIONS, rows, human="quality", metrics="exact-match", compare=False)
    assert find(result, "answers", "pearson").n == 9
    assert find(result, "within-items", "pearson").n == 3
    assert find(result, "systems", "pearson").value == pytest.approx(
        stats.pearsonr([1, 2 / 3, 0], [3, 7 / 3, 4 / 3])[0]
    )


def test_predictions_keep_their_human_scores():
    predictions = read_predictions(make_rows(), assay.read(QUESTIONS), human=["quality"])
    again = assay.evaluate(predictions.whole, predictions, compare=False)
    assert again.human == assay.evaluate(QUESTIONS, make_rows(), human="quality", compare=False).human
    assert type(again).from_dict(again.to_dict()).human == again.human


def test_the_command(run, tmp_path):
    pl.DataFrame(QUESTIONS).write_csv(tmp_path / "data.csv")
    pl.DataFrame(make_rows()).write_csv(tmp_path / "answers.csv")
    done = run(
        "evaluate", tmp_path / "data.csv", "--predictions", tmp_path / "answers.csv", "--human", "quality",
        "--json", tmp_path / "out.json",
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "Correlation of metrics with quality" in done.stdout + done.stderr
    rows = json.loads((tmp_path / "out.json").read_text(encoding="utf-8"))["result"]["human"]
    row = next(
        row for row in rows if (row["metric"], row["level"], row["method"]) == ("exact-match", "answers", "kendall")
    )
    assert set(row) == {"human", "metric", "level", "method", "value", "low", "high", "n", "reason"}
    assert (row["human"], row["n"]) == ("quality", 12)
