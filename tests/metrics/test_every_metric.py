"""Laws that every metric obeys, and what a new metric needs."""

from __future__ import annotations

import math

import numpy as np
import pytest

from assay.evaluation import Predictions, ScoringSettings, evaluate, prepare_predictions
from assay.metrics import METRICS, combine_ratio, find_metric, register_metric

N_ITEMS = 60


def simulate(metric):
    """Return predictions of two systems, of which the second left out five items, with all that a metric may need."""
    generator = np.random.default_rng(3)
    groups = [f"q{row // 6}" for row in range(N_ITEMS)]
    if "item scores" in metric.needs:
        scores = generator.random((2, N_ITEMS))
        scores[1, :5] = np.nan
        return Predictions.from_arrays(None, {"x": scores[0], "y": scores[1]}, groups=groups)
    gold = generator.choice(["0", "1", "2"], size=N_ITEMS)
    if "numbers" in metric.needs:
        gold = np.round(generator.normal(size=N_ITEMS), 2).astype(str)
    systems = {name: np.where(generator.random(N_ITEMS) < 0.7, gold, gold[::-1]).astype(object) for name in "xy"}
    systems["y"][:5] = None
    shares = generator.dirichlet([1, 1, 1], size=(2, N_ITEMS))
    probabilities = {name: {label: shares[row, :, int(label)] for label in "012"} for row, name in enumerate("xy")}
    ranking_scores = {name: generator.random(N_ITEMS) for name in "xy"}
    return Predictions.from_arrays(
        gold, systems, groups=groups, ranking_scores=ranking_scores, probabilities=probabilities
    )


@pytest.fixture(params=[name for name, metric in METRICS.items() if not metric.kinds])
def metric(request):
    return METRICS[request.param]


@pytest.fixture
def prepared(metric):
    graded = "numbers" in metric.needs
    return prepare_predictions(simulate(metric), ScoringSettings(positive=None if graded else "1"))


def test_it_knows_its_name_and_describes_itself_in_one_sentence(metric):
    assert METRICS[metric.name] is metric
    assert metric.description.endswith(".")


def test_the_value_follows_from_sums_of_statistics(metric, prepared):
    table = prepared.collect_statistics(metric)["x"]
    assert table.shape[0] == N_ITEMS
    half = table[::2].sum(axis=0, dtype=float) + table[1::2].sum(axis=0, dtype=float)
    value = float(metric.compute_value(half))
    assert value == pytest.approx(prepared.compute_scores(metric)["x"].value)
    several = metric.compute_value(np.stack([half, 2 * half, np.zeros_like(half)]))
    assert several.tolist() == pytest.approx([value, value, math.nan], nan_ok=True)


def test_items_that_do_not_count_bring_nothing(metric, prepared):
    table = prepared.collect_statistics(metric)["y"]
    assert not table[~prepared.count_items(metric)["y"].present].any()
    present = np.flatnonzero(prepared.count_items(metric)["y"].present)
    alone = prepared.select(["y"]).take(present)
    assert prepared.compute_scores(metric)["y"].value == pytest.approx(alone.compute_scores(metric)["y"].value)


def test_the_order_of_items_does_not_matter(metric, prepared):
    order = np.random.default_rng(5).permutation(N_ITEMS)
    scores, shuffled = prepared.compute_scores(metric), prepared.take(order).compute_scores(metric)
    for name, score in scores.items():
        assert shuffled[name].value == pytest.approx(score.value)
        assert shuffled[name].n == score.n


@pytest.mark.parametrize("interval", ["auto", "percentile"])
def test_the_interval_contains_the_value(metric, interval):
    settings = ScoringSettings(positive=None if "numbers" in metric.needs else "1")
    prepared = prepare_predictions(simulate(metric), settings)
    score = prepared.compute_scores(metric)["x"]
    assert score.low <= score.value <= score.high


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("log-loss", "no probabilities (columns prob:<label>)"),
        ("map", "no ranking scores (a column score, or a second file of item scores)"),
        ("spearman", "labels or predictions are not numbers"),
        ("mean-score", "no item scores"),
    ],
)
def test_what_cannot_be_computed_is_nan_with_a_reason(score, name, reason):
    lacking = score(name, ["a", "b"], ["a", "a"], positive="a")
    assert math.isnan(lacking.value)
    assert lacking.reason == reason


@pytest.fixture
def registry():
    """Forget the metrics that a test registers."""
    metrics = dict(METRICS._methods)
    yield
    METRICS._methods = metrics


@pytest.mark.usefixtures("registry")
def test_a_metric_of_item_scores_is_one_function():
    @register_metric("absolute-error", needs=("numbers",), bounds=None, lower_is_better=True)
    def measure_errors(items):
        """The mean absolute error of grades."""
        return np.abs(items.gold_numbers - items.predicted_numbers)

    rows = {"text": ["u", "v", "w"], "label": [0.5, 1.5, 2.5]}
    systems = {"near": [0.5, 1.0, 2.5], "far": [2.5, 2.5, 2.5]}
    result = evaluate(rows, systems, metrics="absolute-error")
    assert [(system.system, system.value, system.rank) for system in result.systems] == [
        ("near", 0.5 / 3, 1),
        ("far", 1.0, 2),
    ]
    assert result.comparisons[0].difference.value == pytest.approx(0.5 / 3 - 1)


def read_texts(items):
    data, answers = items.written
    return answers, data.column("references").to_list()


@pytest.mark.usefixtures("registry")
def test_a_metric_can_read_answers_and_every_column_of_the_data():
    @register_metric("exact-match", needs=("answers",), is_share=True)
    def score_matches(items):
        """The share of answers that are one of the references."""
        return [answer in references.split("|") for answer, references in zip(*read_texts(items), strict=True)]

    @register_metric("length-ratio", needs=("answers", "labels"), bounds=None, combine=combine_ratio)
    def count_letters(items):
        """The length of all answers as a share of that of all references."""
        return np.array([[len(text) for text in texts] for texts in read_texts(items)]).T

    rows = {"text": ["u", "v", "w"], "label": ["x", "y", "z"], "references": ["one|two", "three", "four"]}
    names = ["exact-match", "length-ratio"]
    result = evaluate(rows, {"s": ["two", "three", "five"]}, metrics=names, by="references")
    metrics = result.systems[0].metrics
    assert (metrics["exact-match"].value, metrics["exact-match"].method) == (pytest.approx(2 / 3), "wilson")
    assert metrics["length-ratio"].value == pytest.approx(12 / 16)
    slices = {(row.slice, row.metric): row.value for row in result.by.columns["references"]}
    assert [slices[name, "exact-match"] for name in rows["references"]] == [1.0, 1.0, 0.0]
    assert [slices[name, "length-ratio"] for name in rows["references"]] == [3 / 7, 1.0, 1.0]
    lacking = Predictions.from_arrays(["x", "y"], {"s": ["x", "y"]})
    reason = evaluate(None, lacking, metrics="exact-match").systems[0].metrics["exact-match"].reason
    assert reason == "the items themselves are needed, which come with the data"


@pytest.mark.usefixtures("registry")
def test_a_metric_of_a_kind_is_registered_like_any_other_and_used_only_there():
    @register_metric("first-letter", kinds=("classification",), is_share=True)
    def compare_letters(items):
        """The share of answers with the right first letter."""
        data, answers = items.written
        return [answer[:1] == label[:1] for answer, label in zip(answers, data.labels, strict=True)]

    rows = {"text": ["a film", "a book"], "label": ["good", "great"]}
    result = evaluate(rows, {"s": ["great", "bad"]}, metrics="first-letter")
    assert result.systems[0].value == 0.5
    assert METRICS["first-letter (classification)"].description == "The share of answers with the right first letter."
    with pytest.raises(ValueError, match="No metric 'first-letter'"):
        find_metric("first-letter", {"pairs"})


@pytest.mark.usefixtures("registry")
def test_a_metric_without_needs_or_description_is_refused():
    with pytest.raises(TypeError, match="The metric 'nothing' must have a description, and `needs` from: labels, pos"):

        @register_metric("nothing", needs=("labels",))
        def score_nothing(items):
            return items.present

    with pytest.raises(TypeError, match="The metric 'nowhere' must have a description, and `needs`"):
        register_metric("nowhere", needs=("labls",), description="It needs what nobody has.")(len)
    with pytest.raises(TypeError, match="unexpected keyword"):
        register_metric("odd", needs=("labels",), description="Odd.", higher_is_better=True)(len)
    with pytest.raises(RuntimeError, match="The metric 'accuracy' is registered twice"):
        register_metric("accuracy", needs=("labels",), description="Again.")(len)
