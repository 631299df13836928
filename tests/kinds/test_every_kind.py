"""Laws that hold for every kind of task."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import polars as pl
import pytest

import assay
from assay.base.errors import AssayError
from assay.cli.commands.tools.methods import describe_entries
from assay.data.columns.lookup import Columns
from assay.data.columns.roles import RoleRequest
from assay.data.columns.table import RawTable
from assay.kinds import KINDS, Certainty, Match, TaskKind, check_text_labels, has_grades, kind_of, read, register_kind
from assay.kinds.kind import SharedValues
from assay.kinds.recognition import choose_kind
from assay.metrics import METRICS
from assay.models.quick.study import study_quick_models

DOCS = Path(__file__).resolve().parents[2] / "docs" / "kinds.md"


@pytest.fixture(params=list(KINDS))
def kind(request):
    return KINDS[request.param]


@pytest.fixture
def source(kind):
    return kind.layout.example


def test_it_is_registered_under_its_name(kind):
    assert KINDS[kind.name] is kind
    assert re.fullmatch(r"[a-z]+(-[a-z]+)*", kind.name)
    assert kind.title
    assert kind.layout.needs
    assert not kind.item_noun.endswith("s")


def test_its_metrics_exist(kind):
    own = {metric.name for metric in kind.scoring.own_metrics}
    assert kind.scoring.headline in kind.scoring.metrics
    assert [kind.scoring.find_metric(name).name for name in kind.scoring.metrics] == list(kind.scoring.metrics)
    assert kind.scoring.outcome in own | {""}


def test_its_metrics_are_described_like_any_other(kind):
    for metric in kind.scoring.own_metrics:
        assert describe_entries(METRICS)[metric.key] == metric.description
        assert metric.description.endswith(".")


def test_its_data_is_recognised_and_nothing_else_is(kind, source):
    columns = Columns(RawTable(read(source).frame), "dict")
    chosen, match = choose_kind(columns, RoleRequest())
    assert chosen is kind
    assert match.certainty in Certainty
    assert set(match.columns) <= set(source)
    for other in KINDS.values():
        found = other.layout.recognise(columns, RoleRequest())
        assert other is kind or found is None or found.certainty <= match.certainty


def test_its_data_is_built(kind, source):
    data = read(source)
    assert data.task == kind.name
    assert kind_of(data) is kind
    assert len(data) == len(next(iter(source.values())))
    assert data.notes[0].startswith(f"task: {kind.title} (")
    assert repr(data).startswith(f"Dataset 'data': {len(data)} items, {kind.name}")
    assert read(source, task=kind.name).fingerprint == data.fingerprint


def test_its_name_decides_where_columns_are_named(kind, source):
    """With `task` and the columns of a match named, the same data is read."""
    data = read(source)
    _, match = choose_kind(Columns(RawTable(data.frame), "dict"), RoleRequest())
    choices = [column for role, column in match.fields.items() if role.startswith("choice ")]
    again = read(source, task=kind.name, text=list(match.texts), label=match.label, choices=choices)
    assert again.fingerprint == data.fingerprint


def test_columns_without_meaning_are_refused_and_listed(kind):
    with pytest.raises(AssayError, match="foo"):
        read({"foo": ["1"], "bar": ["2"]}, task=kind.name)


def test_its_leak_texts_cover_every_item(kind, source):
    data = read(source)
    texts = kind.texts.leak_texts(data)
    whole = kind.texts.get_item_texts(data).to_list()
    assert next(iter(texts.values())).to_list() == whole
    assert all(text.startswith(part) for text, part in zip(whole, data.texts.to_list(), strict=True))
    assert all(len(values) == len(data) and not values.null_count() for values in texts.values())
    assert len(texts) == 3 or not kind.texts.is_paired(data)


def test_its_sides_are_named(kind, source):
    data = read(source)
    sides = kind.texts.name_sides(data)
    assert list(sides) == (["a", "b"] if kind.texts.is_paired(data) else ["text"])
    assert [side.to_list() for side in sides.values()] == [side.to_list() for side in data.sides]


def test_classes_and_grades_exclude_each_other(kind, source):
    assert not (kind.gold.has_classes and kind.gold.has_grades)
    data = read(source)
    assert has_grades(data.label_names, data) == kind.gold.has_grades == has_grades(data.label_names)
    assert kind.gold.has_labels == (kind.gold.has_classes or kind.gold.has_grades)


def test_it_is_documented(kind):
    """The documentation shows the docstring of a kind that `docs/kinds.md` does not describe."""
    assert type(kind).__doc__.partition("\n")[0].endswith(".")


def test_it_survives_taking_rows(kind, source):
    data = read(source).take([0])
    assert data.task == kind.name
    assert kind_of(data) is kind


def test_the_kind_decides_and_not_the_labels_that_are_left():
    data = read(KINDS["graded"].layout.example).take([0, 1])
    assert has_grades(data.label_names, data)
    assert not has_grades(data.label_names)


def test_a_kind_needs_a_name_a_layout_and_metrics():
    with pytest.raises(TypeError, match="'name', 'title', 'description', 'layout', and 'scoring'"):
        TaskKind()


def test_its_parts_know_it(kind):
    parts = (kind.layout, kind.gold, kind.answers, kind.scoring, kind.texts, kind.learning)
    assert [part.kind for part in parts] == [kind] * 6


def test_two_kinds_cannot_have_one_name():
    with pytest.raises(RuntimeError, match="registered twice"):
        register_kind(KINDS["pairs"])


def test_the_documented_example_is_a_kind(monkeypatch):
    """A kind with columns, texts and a metric of its own plugs in without a change elsewhere."""
    monkeypatch.setattr(KINDS, "_methods", dict(KINDS))
    monkeypatch.setattr(METRICS, "_methods", dict(METRICS))
    blocks = re.findall(r"^```python\n(.*?)^```", DOCS.read_text(encoding="utf-8"), re.M | re.S)
    (code,) = [block for block in blocks if "register_kind(" in block]
    exec(code, {"__name__": "example"})
    kind = KINDS["cloze"]
    data = read(kind.layout.example)
    assert kind_of(data) is kind
    assert data.notes[0] == "task: cloze (passage, gap)"
    assert read(kind.layout.example, task="cloze").fingerprint == data.fingerprint
    assert read(kind.layout.example, task="classification").texts.to_list() == data.texts.to_list()
    result = assay.evaluate(data, {"x": ["Paris.", "a river"]}, compare=False)
    assert (result.metric, result.systems[0].value, result.systems[0].metrics["accuracy"].value) == (
        "loose-match",
        0.5,
        0,
    )
    assert [(row.baseline, row.value) for row in result.baselines if row.n] == [("first-word", 0.0)]
    assert assay.profile(data).kind.figures[0].name == "letters per gap"


def score(kind, data, answers):
    items = kind.scoring.pair_answers(data, answers)
    return {metric.name: metric.score(items) for metric in kind.scoring.own_metrics if metric.find_lack(items) is None}


def test_gold_answers_score_best(kind, source):
    """The right answers score no worse than others by any metric, and by the headline as well as can be."""
    data = read(source)
    gold = kind.gold.get_gold(data).to_list()
    assert list(kind.answers.read_answers(data, gold)) == gold
    right, others = score(kind, data, gold), score(kind, data, [gold[-1], *gold[:-1]])
    lower = {metric.name: metric.lower_is_better for metric in kind.scoring.own_metrics}
    for name, value in right.items():
        assert np.isnan(value) or (value <= others[name] if lower[name] else value >= others[name]), name
    if kind.scoring.headline in right:
        assert right[kind.scoring.headline] == pytest.approx(0.0 if lower[kind.scoring.headline] else 1.0)
    outcomes = kind.scoring.score_answers(data, gold)
    assert outcomes is None or list(outcomes) == pytest.approx([1.0] * len(data))


def test_statistics_belong_to_items(kind, source):
    """The statistics of an item do not depend on the answers to other items."""
    data = read(source)
    gold = kind.gold.get_gold(data).to_list()
    answers = [gold[-1], *gold[:-1]]
    items, others = kind.scoring.pair_answers(data, answers), [answers[0], *[""] * (len(data) - 1)]
    for metric in kind.scoring.own_metrics:
        if metric.find_lack(items) is None:
            table = metric.collect_statistics(items)
            assert table.shape[0] == len(data)
            assert table[0].tolist() == metric.collect_statistics(kind.scoring.pair_answers(data, others))[0].tolist()


def test_its_baselines_answer_every_row(kind, source):
    data = read(source)
    rows = np.arange(len(data))
    for baseline in kind.learning.answer_baselines(data, rows):
        assert len(baseline.answers) == len(data), baseline.name
        read_back = kind.answers.read_answers(data, baseline.answers)
        assert [answer is None for answer in read_back] == [answer is None for answer in baseline.answers]


def test_it_is_profiled_evaluated_and_split(kind, source):
    """Every command runs on the example, and what it stores says which kind it was."""
    data = read(source)
    gold = kind.gold.get_gold(data).to_list()
    profile = assay.profile(data)
    assert profile.task == kind.name
    assert type(profile).from_dict(profile.to_dict()).kind == profile.kind
    result = assay.evaluate(data, {"right": gold, "same": [gold[0]] * len(gold)})
    right = result.systems[0]
    assert right.rank == 1
    assert not right.value < result.systems[1].value
    assert assay.split(data, "random", n_splits=2).draws[0].n_folds == 2


def test_a_kind_may_load_sources_that_are_not_tables(monkeypatch):
    class Quiz(list):
        """A source that no reader knows."""

    def load(source, **_):
        return {"train": RawTable(pl.DataFrame({"text": source}))} if isinstance(source, Quiz) else None

    monkeypatch.setattr(KINDS["classification"].layout, "load", load)
    assert read(Quiz(["a", "b"])).parts.to_list() == ["train", "train"]
    assert read(["a", "b"]).parts is None
    assert read(train=["b"], test=Quiz(["a"])).ids.to_list() == ["train-0", "test-0"]


def test_importing_the_kinds_loads_nothing_heavy():
    code = "import sys, assay.kinds\nprint({'numpy', 'polars', 'pyarrow', 'pandas'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"


def test_shared_values_need_only_ids():
    shared = SharedValues("x", "x.csv", pl.Series(["0"]))
    data = KINDS["classification"].layout.build(
        Columns(RawTable(pl.DataFrame({"text": ["a"]})), "x.csv"), Match(("text",), Certainty.CLEAR), shared
    )
    assert data.to_frame().rows() == [("0", "a")]


def test_every_command_takes_it(kind, tmp_path, capsys):
    """From a file, with the kind named and recognised: the first note says it, and the JSON result stores it."""
    from assay.cli.main import status

    data, result = tmp_path / "data.jsonl", tmp_path / "result.json"
    n_rows = len(next(iter(kind.layout.example.values())))
    rows = [{name: cells[row] for name, cells in kind.layout.example.items()} for row in range(n_rows)]
    data.write_text("\n".join(json.dumps(row) for row in rows), encoding="utf-8")
    gold = kind.gold.get_gold(read(data)).to_list()
    answers = tmp_path / "answers.jsonl"
    lines = [{"id": str(row), "system": name, "predicted": gold[row]} for name in ("x", "y") for row in range(n_rows)]
    answers.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    commands = [
        ["profile", data],
        ["split", data, "-m", "random", "--n-folds", 2, "--task", kind.name],
        ["evaluate", data, "--predictions", answers],
        [
            "audit",
            data,
            "--predictions",
            answers,
            "--task",
            kind.name,
            "--only",
            "profile",
            "-o",
            tmp_path / "page.html",
        ],
    ]
    for command in commands:
        assert status([*map(str, command), "--json", str(result)]) == 0, (command[0], capsys.readouterr().err)
        assert f"task: {kind.title} (" in capsys.readouterr().err
        content = json.loads(result.read_text(encoding="utf-8"))
        assert content["data"]["task"] == kind.name, command[0]
        if command[0] == "evaluate":
            for score in content["result"]["systems"][0]["metrics"].values():
                assert set(score) == {"value", "low", "high", "n", "method", "reason"}
    assert status(["discriminate", "--predictions", str(answers), "--data", str(data), "--task", kind.name]) == 0


def test_an_audit_of_it_never_fails(kind, source):
    """Sections that do not apply decline with a reason; none ends in an error."""
    data = read(source)
    audit = assay.audit(data, {"x": kind.gold.get_gold(data).to_list()}, skip=["forecast"])
    assert "failed" not in {section.status for section in audit.sections.values()}, audit.sections
    assert all(section.reason for section in audit.sections.values() if section.status == "skipped")
    assert ("task" in audit.sections) == kind.has_facts


def test_classifiers_of_texts_decline_what_has_no_classes_of_texts(kind, source):
    data = read(source)
    if kind.gold.has_text_labels:
        assert check_text_labels(data) is data
        return
    for measure in (assay.measure_information, assay.forecast_discrimination):
        with pytest.raises(AssayError, match=f"the task {kind.title} has no classes of texts to learn"):
            measure(data)


def test_named_columns_of_a_plain_file_are_classification():
    """Kinds with contents of their own leave columns that a user names alone, unless the contents fit."""
    rows = {"words": ["good film", "bad film"], "kind": ["p", "n"], "context": ["x", "y"], "response_a": ["u", "v"]}
    assert read(rows, text="words", label="kind").task == "classification"


def repeat_example(kind, n_rows=120):
    """Return the example again and again, each time with another word in its texts, so that items differ."""
    size = len(next(iter(kind.layout.example.values())))
    rows = {name: [cells[row % size] for row in range(n_rows)] for name, cells in kind.layout.example.items()}
    first = next(iter(rows))
    for row, cell in enumerate(rows[first]):
        words = json.loads(cell) if kind.gold.label_form == "tag sequence" else None
        rows[first][row] = f"{cell} n{row}" if words is None else json.dumps([f"n{row}", *words[1:]])
    return read(rows, task=kind.name)


def test_its_quick_models_learn_or_it_says_why_there_are_none(kind):
    """Every model answers the rows it is asked in the form of gold, whatever it learned from; the whole one comes first."""
    data = repeat_example(kind)
    models = kind.learning.build_models(data)
    if not kind.learning.has_models:
        assert not models
        assert kind.learning.no_model or kind.gold.has_text_labels
        with pytest.raises(AssayError, match=r"instead"):
            study_quick_models(data)
        return
    assert not kind.learning.no_model
    assert models[0].shortcut == "model"
    train, test = np.arange(0, 100), np.arange(100, 120)
    for model in models:
        answers = model.answer(train, test)
        assert len(answers) == len(test)
        assert list(answers) == list(model.answer(train, test)), model.name
        assert list(kind.answers.read_answers(data.take(test), answers)) == list(answers), model.name


def test_its_quick_model_is_trained_by_the_command(kind, tmp_path):
    data = repeat_example(kind)
    if not kind.learning.has_models:
        return
    run = assay.train(data)
    assert sum(fit.n_test for fit in run.fits) == len(data)
    assert run.to_predictions().columns == ["system", "id", "predicted", "fold"]
    score = assay.evaluate(data, run.to_predictions(), compare=False)
    assert score.systems[0].n == len(data)
    with pytest.raises(AssayError, match="settings"):
        assay.train(data, settings={"C": 2.0})
