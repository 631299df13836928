"""Several labels per item: lists, separators and columns; metrics as scikit-learn has them; published counts."""

from __future__ import annotations

import numpy as np
import pytest

import assay
from assay.base.errors import AssayError
from assay.kinds import kind_of, read
from assay.kinds.tools.label_sets import choose_threshold

TEXTS = ["thanks, great", "so sad", "great but sad", "what"]
SETS = [["gratitude", "joy"], ["sadness"], ["joy", "sadness"], []]


@pytest.mark.parametrize(
    ("column", "options"),
    [
        ({"labels": SETS}, {}),
        ({"labels": [str(labels) for labels in SETS]}, {}),
        ({"emotions": ["gratitude|joy", "sadness", "sadness|joy", "[]"]}, {}),
        ({"labels": ["joy;gratitude", "sadness", "joy; sadness", "[]"]}, {}),
        ({"label": ["joy+gratitude", "sadness", "joy+sadness", "[]"]}, {"label_separator": "+"}),
        (
            {"joy": [1, 0, 1, 0], "sadness": ["0", "yes", "1", ""], "gratitude": [1, 0, 0, 0]},
            {"label": ["joy", "sadness", "gratitude"]},
        ),
    ],
)
def test_every_layout_gives_the_same_labels(column, options):
    if "label_separator" in options:
        column = {"label": [*column["label"][:3], ""]}
    data = read({"text": TEXTS, **column}, **options)
    assert data.task == "multilabel"
    assert data.fields["labels"].to_list()[:3] == SETS[:3]
    assert kind_of(data).gold.get_gold(data).to_list()[:3] == ["gratitude|joy", "sadness", "joy|sadness"]


def test_one_label_with_a_comma_in_its_name_is_classification():
    labels = ["Shoes, Bags", "Food, Drink", "Shoes, Bags", "Food, Drink"]
    assert read({"text": TEXTS, "labels": labels}).task == "classification"
    assert read({"text": TEXTS, "labels": labels}, task="multilabel").task == "multilabel"
    assert read({"text": TEXTS, "labels": ["a|b", "a", "b", "a|b"]}, task="classification").label_names == [
        "a",
        "a|b",
        "b",
    ]


def test_a_bar_in_a_name_is_refused():
    with pytest.raises(AssayError, match="has a bar"):
        read({"text": TEXTS, "labels": [["a|b"], ["a"], ["b"], ["a"]]})


def test_metrics_equal_those_of_scikit_learn():
    from sklearn.metrics import accuracy_score, f1_score, hamming_loss
    from sklearn.preprocessing import MultiLabelBinarizer

    rng = np.random.default_rng(0)
    names = list("abcdef")
    gold = [[name for name in names if rng.random() < 0.3] for _ in range(200)]
    said = [[name for name in names if rng.random() < 0.5] if rng.random() < 0.5 else labels for labels in gold]
    data = read({"text": [f"t {n}" for n in range(200)], "labels": gold})
    (system,) = assay.evaluate(data, {"x": [str(labels) for labels in said]}).systems
    binary = MultiLabelBinarizer(classes=names).fit(gold)
    y, p = binary.transform(gold), binary.transform(said)
    expected = {
        "micro-f1": f1_score(y, p, average="micro"),
        "macro-f1": f1_score(y, p, average="macro"),
        "subset-accuracy": accuracy_score(y, p),
        "hamming-loss": hamming_loss(y, p),
    }
    assert {name: score.value for name, score in system.metrics.items()} == pytest.approx(expected)
    assert all(score.low < score.value < score.high for score in system.metrics.values())


def test_goemotions(shared):
    data = read(shared("goemotions/goemotions.tsv.gz"))
    assert data.notes[0] == "task: multilabel (text, labels)"
    profile = kind_of(data).texts.describe_items(data)
    assert profile.distributions[0].counts == {"1": 9138, "2": 1583, "3": 123, "4": 9}
    counts = profile.distributions[1].counts
    first = {"neutral": 3553, "admiration": 992, "approval": 748, "gratitude": 710, "annoyance": 623}
    assert dict(list(counts.items())[:5]) == first
    assert dict(list(counts.items())[-3:]) == {"pride": 31, "relief": 29, "grief": 19}
    assert (len(counts), data.part("dev").__len__(), len(data.part("test"))) == (28, 5426, 5427)


def test_the_stratified_split_keeps_every_label_even(shared):
    data = read(shared("goemotions/goemotions.tsv.gz")).part("test")
    result = assay.split(data, "stratified", n_splits=5)
    sizes = [size.n for size in result.sizes]
    assert max(sizes) - min(sizes) <= 1
    counts = {}
    for labels in data.fields["labels"].to_list():
        for label in labels:
            counts[label] = counts.get(label, 0) + 1
    for size in result.sizes:
        for label, share in size.labels.items():
            assert abs(share * size.n - counts[label] / 5) <= max(2, 0.02 * counts[label] / 5), label
    again = assay.split(data, "stratified", n_splits=5)
    assert again.draws[0].folds.tolist() == result.draws[0].folds.tolist()


def test_the_stratified_split_holds_out_exactly_and_keeps_groups_whole():
    rng = np.random.default_rng(0)
    sets = ["|".join(sorted(rng.choice(list("abcd"), rng.integers(1, 4), replace=False))) for _ in range(103)]
    data = read({"text": [f"t {n}" for n in range(103)], "labels": sets, "group": [str(n // 3) for n in range(103)]})
    held_out = assay.split(data, "stratified", test_size=0.2)
    assert {size.part: size.n for size in held_out.sizes}["test"] == round(0.2 * 103)
    groups = np.array([n // 3 for n in range(103)])
    folds = assay.split(data, "stratified", n_splits=4, groups=groups).draws[0].folds
    assert all(len(set(folds[groups == group])) == 1 for group in range(35))
    assert set(folds) == {1, 2, 3, 4}


def test_a_quick_model_beats_the_most_frequent_label():
    rng = np.random.default_rng(0)
    sets = [[name for name in ("joy", "anger", "fear") if rng.random() < 0.4] or ["joy"] for _ in range(200)]
    data = read(
        {"text": [" ".join(f"{name}ful word{rng.integers(30)}" for name in labels) for labels in sets], "labels": sets}
    )
    gold = kind_of(data).gold.get_gold(data).to_list()
    scores = {row.baseline: row.value for row in assay.evaluate(data, {"s": gold}).baselines}
    assert scores["linear-words"] > 0.8 > 0.6 > scores["most-frequent-label"]


@pytest.mark.parametrize("rates", [[0.3] * 6, [0.6, 0.6, 0.05]])
def test_labels_drawn_at_random_have_no_shortcut(rates):
    """The constant answer is the best one, so that a model which sees words cannot win by choosing more labels."""
    generator = np.random.default_rng(5)
    texts = [" ".join(f"w{number}" for number in generator.integers(20, size=10)) for _ in range(300)]
    labels = [[f"l{k}" for k, rate in enumerate(rates) if generator.random() < rate] for _ in texts]
    audit = assay.audit({"text": texts, "labels": labels}, only=["profile", "task", "model"])
    assert [finding.code for finding in audit.findings if finding.severity != "note"] == []


def test_threshold_is_the_best_of_all():
    generator = np.random.default_rng(0)
    scores, marks = generator.random((40, 5)), (generator.random((40, 5)) < 0.3).astype(float)
    likeliest = scores == scores.max(axis=1, keepdims=True)

    def score(threshold):
        chosen = (scores > threshold) | likeliest
        return 2 * (chosen & (marks > 0)).sum() / (chosen.sum() + marks.sum())

    assert score(choose_threshold(scores, marks)) == max(score(value) for value in [-1.0, *scores.ravel()])


def test_answers_may_differ_in_case_and_unknown_labels_are_mentioned():
    rows = {"text": ["a", "b", "c"], "labels": [["joy"], ["joy", "fear"], ["fear"]]}
    answers = [{"id": "0", "x": "JOY"}, {"id": "1", "x": "Joy|Fear"}, {"id": "2", "x": "fear|anger"}]
    result = assay.evaluate(rows, answers)
    assert result.systems[0].metrics["micro-f1"].value == pytest.approx(2 * 4 / (4 + 5))
    assert any("predicts labels that gold never has: anger" in note for note in result.notes)


def test_labels_that_are_missing_in_a_fold_are_not_a_problem_for_quick_models():
    generator = np.random.default_rng(0)
    names = ["often", *(f"rare {number}" for number in range(20))]
    sets = [["often"] + ([names[1 + row // 4]] if row < 80 else []) for row in range(160)]
    texts = [" ".join(generator.choice(list("abcdefgh"), 6)) + f" {' '.join(row)}" for row in sets]
    audit = assay.audit({"text": texts, "labels": sets}, only=["model"])
    assert audit.sections["model"].status == "done"


def test_labels_that_never_occur_apart_and_a_label_on_all_items_are_reported():
    sets = [["all", "a", "b"] if row % 2 else ["all", "c"] for row in range(60)]
    audit = assay.audit({"text": [f"text {row}" for row in range(60)], "labels": sets}, only=["profile", "task"])
    (twins,) = [finding for finding in audit.findings if finding.code == "A413"]
    assert (twins.subject, twins.severity, twins.n) == ("labels that never occur apart", "note", 60)
    assert "30 items of 60" in twins.claim
    (constant,) = [finding for finding in audit.findings if finding.code == "A105"]
    assert constant.severity == "warning"
    assert constant.claim.startswith('"all" is right for 100%')
    one = assay.audit({"text": [f"text {row}" for row in range(60)], "labels": [["a"]] * 60}, only=["profile"])
    assert [finding.severity for finding in one.findings if finding.code == "A105"] == ["error"]


def _read_emotions(rows, tmp_path):
    path = tmp_path / "emotions.csv"
    path.write_text("text,labels,split\n" + "".join(f"{row}\n" for row in rows))
    return assay.read(path)


def test_empty_cells_are_empty_sets_as_in_lists(tmp_path):
    rows = ["one,joy|anger,train", "two,,train", "three,joy,train", "four,,test", "five,,test"]
    data = _read_emotions(rows, tmp_path)
    assert data.fields["labels"].to_list() == [["anger", "joy"], [], ["joy"], None, None]
    assert any("1 row has an empty cell for labels, which is read as no label" in note for note in data.notes)
    frame = data.frame.to_pandas().replace("", None)
    assert assay.read(frame).fields["labels"].to_list() == data.fields["labels"].to_list()


def test_empty_cells_are_missing_if_other_cells_say_that_no_label_applies(tmp_path):
    data = _read_emotions(["one,joy|anger,train", "two,,train", "three,(none),train", "four,joy,train"], tmp_path)
    assert data.fields["labels"].to_list() == [["anger", "joy"], None, [], ["joy"]]
    assert any("1 rows without labels" in note for note in data.notes)
