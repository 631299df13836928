"""`eval.yaml` gives the roles of columns."""

from __future__ import annotations

import polars as pl
import pytest

import assay
from assay.base.errors import AssayError

pytest.importorskip("yaml", reason="PyYAML is not installed")
TASK = """
name: sums
evaluation_framework: inspect-ai
tasks:
  - id: main
    config: default
    split: test
    field_spec: {spec}
    solvers: [{{name: generate}}]
    scorers: [{{name: {scorer}}}]
"""


@pytest.fixture
def repository(tmp_path):
    rows = [
        {"prompt_text": f"What is {i} plus {i}?", "opts": [str(i), str(2 * i), "0"], "gold_key": 1} for i in range(9)
    ]
    (tmp_path / "data").mkdir()
    pl.DataFrame(rows).write_parquet(tmp_path / "data" / "test.parquet")
    return tmp_path


def test_choices_make_it_multiple_choice(repository):
    spec = "{input: prompt_text, target: gold_key, choices: opts}"
    (repository / "eval.yaml").write_text(TASK.format(spec=spec, scorer="choice"))
    for source in (repository, repository / "eval.yaml"):
        data = assay.read(source)
        assert (data.task, len(data), data.part_names) == ("multiple-choice", 9, ["test"])
        assert data.notes[0] == "eval.yaml: text prompt_text; label gold_key; choices opts"


def test_without_choices_the_target_is_a_reference(repository):
    (repository / "eval.yaml").write_text(TASK.format(spec="{input: prompt_text, target: gold_key}", scorer="match"))
    assert assay.read(repository).task == "generation"


def test_what_the_user_names_comes_first(repository):
    (repository / "eval.yaml").write_text(TASK.format(spec="{input: wrong, target: gold_key}", scorer="match"))
    assert assay.read(repository, text="prompt_text").task == "generation"
    with pytest.raises(AssayError, match="wrong"):
        assay.read(repository)


def test_numbers_too_long_to_write_are_not_names(repository):
    (repository / "eval.yaml").write_text(TASK.format(spec="{input: 0x1" + "0" * 5000 + "}", scorer="match"))
    with pytest.raises(AssayError, match="'input' is not a name"):
        assay.read(repository)


def test_inspect_accepts_the_same_file(repository):
    hf = pytest.importorskip("inspect_ai._eval.task.hf", reason="inspect_ai is not installed")
    yaml = pytest.importorskip("yaml")
    content = TASK.format(spec="{input: prompt_text, target: gold_key, choices: opts}", scorer="choice")
    assert hf.HFTask.model_validate(yaml.safe_load(content)["tasks"][0]).field_spec.choices == "opts"


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("tasks: []", "lists no tasks"),
        ("- a", "lists no tasks"),
        ("tasks: [{id: a}]", "no field_spec"),
        ("tasks: [{id: a, field_spec: {input: x}}, {id: b, field_spec: {input: y}}]", r"several tasks .* \(a, b\)"),
        ("tasks: [", "cannot be read"),
        ("tasks: [{id: a, field_spec: {input: x}, date: 2024-99-99}]", "cannot be read: month must be in"),
        (f"tasks: [{{id: a, n: {'9' * 5_000}, field_spec: {{input: x}}}}]", "cannot be read: Exceeds the limit"),
        ("tasks: [{id: a, field_spec: {input: x, target: [[y]]}}]", "'target' is not a name"),
        ("tasks: [{id: a, field_spec: {input: x, choices: [{y: z}]}}]", "'choices' is not a name"),
        ("tasks: [{id: a, config: [b], field_spec: {input: x}}]", "'config' is not a name"),
    ],
)
def test_a_broken_file_is_named(repository, content, message):
    (repository / "eval.yaml").write_text(content)
    with pytest.raises(AssayError, match=message):
        assay.read(repository)
