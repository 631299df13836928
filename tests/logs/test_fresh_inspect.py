"""Logs that inspect writes now: scores and standard errors equal to its own; epochs, scorers, failed samples."""

from __future__ import annotations

import math
import zipfile

import numpy as np
import pytest

import assay
from assay.discrimination import build_log_outcomes
from assay.logs import read_logs

inspect_ai = pytest.importorskip("inspect_ai", reason="needs inspect_ai to write fresh logs")
pytestmark = pytest.mark.filterwarnings("ignore")  # warnings of the harness are its own


def run_task(
    folder,
    answers,
    *,
    epochs=1,
    scorers=None,
    log_format="eval",
    fail=False,
    model="mockllm/model",
    reducer=None,
    **options,
):
    from inspect_ai import Task
    from inspect_ai.dataset import Sample
    from inspect_ai.model import ModelOutput, ModelUsage, get_model
    from inspect_ai.scorer import choice
    from inspect_ai.solver import multiple_choice, solver

    @solver
    def fail_on_second():
        async def solve(state, generate):
            if fail and state.sample_id == 2:
                raise RuntimeError("the sandbox broke")
            return state

        return solve

    letters = "ABCD"
    samples = [
        Sample(id=number + 1, input=f"Question {number}?", choices=["w", "x", "y", "z"], target=letters[number % 4])
        for number in range(len(answers) // epochs)
    ]
    outputs = [ModelOutput.from_content("mockllm/model", f"ANSWER: {answer}") for answer in answers]
    for output in outputs:
        output.usage = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)  # counting tokens needs a download
    task = Task(
        name="quiz",
        dataset=samples,
        solver=[fail_on_second(), multiple_choice()],
        scorer=scorers or choice(),
    )
    (log,) = inspect_ai.eval(
        task,
        model=get_model(model, custom_outputs=outputs),
        log_dir=str(folder),
        log_format=log_format,
        epochs=epochs if reducer is None else inspect_ai.Epochs(epochs, reducer),
        display="none",
        max_samples=1,
        fail_on_error=False,
        **options,
    )
    return log


def own_metrics(log):
    return {name: metric.value for name, metric in log.results.scores[0].metrics.items()}


@pytest.mark.parametrize("log_format", ["eval", "json"])
def test_accuracy_and_standard_error_are_those_of_inspect(tmp_path, log_format):
    log = run_task(tmp_path, list("ABCDABCCAA"), log_format=log_format)
    metrics = own_metrics(log)
    (outcomes,) = build_log_outcomes(read_logs(tmp_path))
    scores = outcomes.table[0]
    assert scores.mean() == pytest.approx(metrics["accuracy"], abs=1e-12)
    assert scores.std(ddof=1) / math.sqrt(len(scores)) == pytest.approx(metrics["stderr"], abs=1e-12)
    result = assay.evaluate(tmp_path)
    assert result.systems[0].metrics["accuracy"].value == pytest.approx(metrics["accuracy"], abs=1e-12)
    assert result.n_items == 10


def test_epochs_are_repeats_and_their_standard_error_that_of_inspect(tmp_path):
    log = run_task(tmp_path, list("AAABBBCCDDAACCDD"), epochs=2)
    metrics = own_metrics(log)
    result = assay.evaluate(tmp_path)
    assert result.repeats.n == 2
    assert result.n_items == 8
    assert result.systems[0].metrics["accuracy"].value == pytest.approx(metrics["accuracy"], abs=1e-12)
    assert result.repeats.standard_error == pytest.approx(metrics["stderr"], abs=1e-12)


def test_a_failed_sample_is_not_a_wrong_answer(tmp_path):
    log = run_task(tmp_path, list("ABCDAB"), fail=True)
    metrics = own_metrics(log)
    logs = read_logs(tmp_path)
    scores = [record.score for record in logs.records]
    assert scores.count(None) == 1
    assert np.mean([score for score in scores if score is not None]) == pytest.approx(metrics["accuracy"], abs=1e-12)
    assert any("1 answer without a score is not counted as wrong" in note for note in logs.notes)


def test_several_scorers_are_several_metrics(tmp_path):
    from inspect_ai.scorer import choice, includes

    run_task(tmp_path, list("ABCA"), scorers=[choice(), includes()])
    assert {record.metric for record in read_logs(tmp_path).records} == {"choice", "includes"}


def test_every_scorer_has_the_mean_and_standard_error_of_inspect(tmp_path):
    """Three epochs, a failed sample, and samples that one scorer leaves unscored."""
    from inspect_ai.scorer import Score, accuracy, choice, mean, scorer, stderr

    @scorer(metrics=[mean(), stderr()], name="length")
    def length():
        async def score(state, target):
            number = len(state.output.completion) + state.epoch
            return Score(value=float("nan") if state.sample_id == 3 else number / 20)

        return score

    @scorer(metrics={"half": [accuracy(), stderr()], "full": [accuracy(), stderr()]}, name="parts")
    def parts():
        async def score(state, target):
            right = state.output.completion.endswith(target.text)
            return Score(value={"half": 0.5 * right, "full": float(right)})

        return score

    answers = list("AABABBCCDDDDAACBCBCCDDDA")
    log = run_task(tmp_path, answers, epochs=3, scorers=[choice(), length(), parts()], fail=True)
    outcomes = {entry.metric: entry.table[0] for entry in build_log_outcomes(read_logs(tmp_path))}
    names = {"choice": "choice", "length": "length", "half": "parts/half", "full": "parts/full"}
    assert {names[score.name] for score in log.results.scores} == set(outcomes)
    for score in log.results.scores:
        own = {name: metric.value for name, metric in score.metrics.items()}
        values = outcomes[names[score.name]]
        values = values[np.isfinite(values)]
        assert values.mean() == pytest.approx(own.get("accuracy", own.get("mean")), rel=1e-12)
        error = values.std(ddof=1) / math.sqrt(len(values))
        assert error == pytest.approx(own["stderr"], rel=1e-12)
        assert len(values) == (6 if score.name == "length" else 7)  # of 8 items, one failed and one unscored


def test_runs_with_other_generation_parameters_are_systems_of_their_own(tmp_path):
    run_task(tmp_path, list("ABCD"), temperature=0.0)
    run_task(tmp_path, list("ABCA"), temperature=1.0)
    assert len(read_logs(tmp_path).systems) == 2


RETRIED = """
from pathlib import Path
from inspect_ai import Task, task
from inspect_ai.dataset import Sample
from inspect_ai.model import ModelOutput
from inspect_ai.scorer import match
from inspect_ai.solver import solver

@solver
def answer():
    async def solve(state, generate):
        if state.sample_id == 2 and Path(__file__).with_name("broken").exists():
            raise RuntimeError("the sandbox broke")
        state.output = ModelOutput.from_content("m", "four")
        return state
    return solve

@task
def sums():
    samples = [Sample(id=n, input=f"Question {n}?", target="four" if n % 2 else "five") for n in range(1, 5)]
    return Task(dataset=samples, solver=answer(), scorer=match())
"""


def test_a_retried_log_counts_once(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "sums.py").write_text(RETRIED)
    (tmp_path / "broken").touch()
    options = {"log_dir": str(tmp_path / "logs"), "display": "none", "max_samples": 1}
    (log,) = inspect_ai.eval("sums.py", model="mockllm/model", **options)
    assert log.status == "error"
    (tmp_path / "broken").unlink()
    (again,) = inspect_ai.eval_retry(log, **options)
    logs = read_logs(tmp_path / "logs")
    assert len({record.item for record in logs.records}) == 4
    assert {record.repeat for record in logs.records} == {0}
    scores = [record.score for record in logs.records]
    assert np.mean(scores) == own_metrics(again)["accuracy"] == 0.5


def test_an_invalidated_sample_is_left_out(tmp_path):
    log = run_task(tmp_path, list("ABCD"))
    module = pytest.importorskip("inspect_ai.log")
    if not hasattr(module, "invalidate_samples"):
        pytest.skip("this version of inspect_ai has no invalidation of samples")
    from inspect_ai.log import ProvenanceData, invalidate_samples, read_eval_log, write_eval_log

    full = read_eval_log(log.location)
    changed = invalidate_samples(full, [full.samples[0].uuid], ProvenanceData(author="x", reason="leak"))
    write_eval_log(changed, log.location)
    logs = read_logs(tmp_path)
    assert len(logs.records) == 3
    assert "1 sample declared invalid is left out." in logs.notes


def run_free(folder, samples, complete, *, model="mockllm/model", name="talk", **options):
    """Run a task whose answers follow from the text of the last message."""
    from inspect_ai import Task
    from inspect_ai.model import ModelOutput, ModelUsage, get_model
    from inspect_ai.solver import generate

    def write(messages, *_):
        output = ModelOutput.from_content("mockllm/model", complete(messages[-1].text))
        output.usage = ModelUsage(input_tokens=10, output_tokens=10, total_tokens=20)
        return output

    keys = ("solver", "scorer", "token_limit")
    task = Task(
        name=name, dataset=samples, **{"solver": generate()} | {k: options.pop(k) for k in keys if k in options}
    )
    model = get_model(model, custom_outputs=write, memoize=False)
    defaults = {"display": "none", "max_samples": 1, "fail_on_error": False}
    (log,) = inspect_ai.eval(task, model=model, log_dir=str(folder), **defaults | options)
    return log


def make_questions(n):
    from inspect_ai.dataset import Sample

    return [
        Sample(id=number, input=f"Question {number}?", choices=["w", "x", "y", "z"], target="ABCD"[number % 4])
        for number in range(n)
    ]


def test_an_empty_answer_counts_as_the_harness_counts_it(tmp_path):
    from inspect_ai.scorer import choice
    from inspect_ai.solver import multiple_choice

    def answer(text):
        return "I cannot say." if "Question 3" in text or "Question 5" in text else "ANSWER: B"

    log = run_free(tmp_path, make_questions(8), answer, solver=multiple_choice(), scorer=choice())
    result = assay.evaluate(tmp_path)
    assert result.systems[0].metrics["accuracy"].value == own_metrics(log)["accuracy"] == 1 / 8
    assert result.systems[0].n == 8


def test_choices_scored_by_another_scorer_have_its_accuracy(tmp_path):
    from inspect_ai.scorer import includes
    from inspect_ai.solver import multiple_choice

    log = run_free(
        tmp_path, make_questions(8), lambda _: "It is C, I think.", solver=multiple_choice(), scorer=includes()
    )
    result = assay.evaluate(tmp_path)
    assert result.systems[0].metrics["accuracy"].value == own_metrics(log)["accuracy"] > 0
    assert any("the score of the harness counts" in note for note in assay.read(tmp_path).notes)


def test_words_and_letters_count_as_inspect_counts_them(tmp_path):
    from inspect_ai.dataset import Sample
    from inspect_ai.scorer import Score, accuracy, scorer

    values = ["C", "P", "I", "N", "yes", "No", "TRUE", "false", "0.25", "1"]

    @scorer(metrics=[accuracy()], name="verdict")
    def verdict():
        async def score(state, target):
            return Score(value=values[state.sample_id])

        return score

    samples = [Sample(id=number, input=f"Case {number}", target="x") for number in range(len(values))]
    log = run_free(tmp_path, samples, lambda _: "x", scorer=verdict())
    result = assay.evaluate(tmp_path)
    assert result.systems[0].value == pytest.approx(own_metrics(log)["accuracy"]) == pytest.approx(0.475)


def test_runs_with_other_seeds_and_connections_are_repeats(tmp_path):
    from inspect_ai.scorer import choice
    from inspect_ai.solver import multiple_choice

    for seed in (1, 2):
        options = {"solver": multiple_choice(), "scorer": choice(), "temperature": 0.7, "max_connections": seed}
        run_free(tmp_path, make_questions(4), lambda _, seed=seed: f"ANSWER: {' AB'[seed]}", seed=seed, **options)
    result = assay.evaluate(tmp_path)
    assert [row.system for row in result.systems] == ["mockllm/model"]
    assert result.repeats.n == 2


def test_a_failed_sample_that_the_harness_scored_counts(tmp_path):
    from inspect_ai.scorer import choice
    from inspect_ai.solver import multiple_choice, solver

    @solver
    def fail_on_second():
        async def solve(state, generate):
            if state.sample_id == 1:
                raise RuntimeError("the sandbox broke")
            return state

        return solve

    options = {"solver": [fail_on_second(), multiple_choice()], "scorer": choice(), "score_on_error": True}
    log = run_free(tmp_path, make_questions(6), lambda _: "ANSWER: A", **options)
    result = assay.evaluate(tmp_path)
    assert result.systems[0].n == log.results.scores[0].scored_samples == 6
    assert result.systems[0].metrics["accuracy"].value == pytest.approx(own_metrics(log)["accuracy"])


def test_every_accepted_answer_is_a_reference(tmp_path):
    from inspect_ai.dataset import Sample
    from inspect_ai.scorer import includes

    samples = [
        Sample(id=number, input=f"Capital {number}?", target=[f"T{number}", f"Old T{number}"]) for number in (1, 2)
    ]
    run_free(tmp_path, samples, lambda _: "T1", scorer=includes())
    data = assay.read(tmp_path)
    assert data.fields["references"].to_list() == [["T1", "Old T1"], ["T2", "Old T2"]]


def test_a_run_that_ended_with_an_error_is_named(tmp_path):
    run_task(tmp_path, list("ABCD"), fail=True)  # which goes on after the failure
    assert not any("ended with an error" in note for note in read_logs(tmp_path).notes)
    (log,) = tmp_path.glob("*.eval")
    from inspect_ai.log import read_eval_log, write_eval_log

    full = read_eval_log(str(log))
    full.status = "error"
    write_eval_log(full, str(log))
    assert "quiz: a run of mockllm/model ended with an error; its log has 4 samples." in read_logs(tmp_path).notes


def test_ids_with_slashes_are_read_from_archives(tmp_path):
    from inspect_ai.dataset import Sample
    from inspect_ai.scorer import includes

    samples = [Sample(id=f"HumanEval/{number}", input=f"Write f{number}", target="def") for number in range(4)]
    log = run_free(tmp_path, samples, lambda text: "def f" if text.endswith(("1", "2")) else "no", scorer=includes())
    result = assay.evaluate(tmp_path)
    assert result.n_items == 4
    assert result.systems[0].value == own_metrics(log)["accuracy"] == 0.5


def test_runs_with_other_solvers_are_systems_of_their_own(tmp_path):
    from inspect_ai.scorer import choice
    from inspect_ai.solver import multiple_choice, system_message

    for solver in (multiple_choice(), multiple_choice(cot=True), [system_message("Be brief."), multiple_choice()]):
        run_free(tmp_path, make_questions(4), lambda _: "ANSWER: A", solver=solver, scorer=choice())
    systems = read_logs(tmp_path).systems
    assert len(set(systems)) == 3
    assert any("cot true" in system for system in systems)
    assert any("solver system_message, multiple_choice" in system for system in systems)


def test_epochs_that_failed_leave_the_accuracy_of_inspect(tmp_path):
    from inspect_ai.scorer import choice
    from inspect_ai.solver import multiple_choice, solver

    @solver
    def fail_once():
        async def solve(state, generate):
            if state.sample_id < 2 and state.epoch == 2:
                raise RuntimeError("the sandbox broke")
            return state

        return solve

    options = {"solver": [fail_once(), multiple_choice()], "scorer": choice(), "epochs": 3}
    log = run_free(tmp_path, make_questions(6), lambda _: "ANSWER: A", **options)
    result = assay.evaluate(tmp_path)
    assert result.systems[0].metrics["accuracy"].value == pytest.approx(own_metrics(log)["accuracy"], abs=1e-12)
    assert own_metrics(log)["accuracy"] == pytest.approx(1 / 3)


def test_messages_that_are_kept_once_and_totals(tmp_path, monkeypatch):
    monkeypatch.setenv("INSPECT_LOG_CONDENSE", "1")
    log = run_task(tmp_path, list("ABCDABCCAA"))
    with zipfile.ZipFile(next(tmp_path.glob("*.eval"))) as archive:
        assert b'"events_data"' in archive.read("samples/1_epoch_1.json")
    logs = read_logs(tmp_path)
    assert sum(record.score for record in logs.records) == 10 * own_metrics(log)["accuracy"]
    assert logs.differences == ()


@pytest.mark.parametrize("reducer", ["mode", "at_least_2", "at_least_3", "max", "pass_at_2", "median"])
def test_reducers_give_the_totals_of_inspect(tmp_path, reducer):
    run_task(tmp_path, list("AABBACBDB"), epochs=3, reducer=reducer)
    assert read_logs(tmp_path).differences == ()
