"""Written answers: exact match of numbers and text, and ROUGE-L, chrF and BLEU as their libraries compute them."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

import assay
from assay.kinds import KINDS, kind_of, read
from assay.kinds.tools.text_metrics import are_equal

KIND = KINDS["generation"]


@pytest.mark.parametrize(
    ("columns", "task"),
    [
        ({"document": ["a b c"], "summary": ["a b"]}, "generation"),
        ({"text": ["a b c"], "summary": ["a b"]}, "generation"),
        ({"text": ["a b c", "d"], "summary": ["a b", "c"], "label": ["1", "0"]}, "classification"),
        ({"question": ["1 + 1?"], "answer": ["2"]}, "generation"),
        ({"source": ["ein Haus"], "references": [["a house", "one house"]]}, "generation"),
        ({"input": ["a", "b"], "target": ["pos", "neg"]}, "classification"),
        ({"input": ["a", "b"], "target": ["this is a text", "this is another one"]}, "generation"),
        ({"prompt": ["a"], "completion": ["b c d"]}, "generation"),
    ],
)
def test_the_kind_is_recognised_by_its_columns(columns, task):
    assert read(columns).task == task


def test_equality_by_hand():
    assert are_equal("$1,000", "1000")
    assert are_equal("so 3 + 4 = 7 #### 7", "3 + 4 #### 7.0")
    assert are_equal("no  difference ", "no difference")
    assert not are_equal("7 apples", "7")


def test_references_decide_which_metrics_apply():
    short = read({"question": ["1 + 1?", "2 + 2?"], "answer": ["2", "4"]})
    assert KIND.scoring.choose_metrics(short) == ("exact-match",)
    long = read({"source": ["x"], "reference": ["this is a text of eight words or so"]})
    assert KIND.scoring.choose_metrics(long) == ("rouge-l", "chrf", "bleu")


@pytest.fixture
def summaries(shared):
    data = read(shared("summeval/documents.jsonl.gz"))
    frame = pl.read_csv(shared("summeval/summaries.tsv.gz"), separator="\t", quote_char=None, infer_schema_length=0)
    wide = frame.pivot("system", index="doc", values="summary").rename({"doc": "id"})
    return data, wide.select("id", "M0", "M17", "M22")


def test_rouge_is_that_of_rouge_score(summaries):
    scorer = pytest.importorskip("rouge_score.rouge_scorer", reason="needs the extra metrics (rouge-score)")
    data, answers = summaries
    data = data.take(range(20))
    rouge = scorer.RougeScorer(["rougeL"])
    table = answers.filter(pl.col("id").is_in(data.ids.to_list()))
    pairs = zip(KIND.gold.get_gold(data).to_list(), table["M17"].to_list(), strict=True)
    expected = np.mean([rouge.score(reference, answer)["rougeL"].fmeasure for reference, answer in pairs])
    (system,) = assay.evaluate(data, {"M17": table["M17"]}, metrics="rouge-l", compare=False).systems
    assert system.value == pytest.approx(expected)


def test_chrf_and_bleu_are_those_of_sacrebleu(summaries):
    sacrebleu = pytest.importorskip("sacrebleu", reason="needs the extra metrics (sacrebleu)")
    data, answers = summaries
    gold = KIND.gold.get_gold(data).to_list()
    systems = {name: answers[name].to_list() for name in ("M0", "M22")}
    systems["poor"] = ["no", *["word"] * 99]  # no pair of words is right
    result = assay.evaluate(data, systems, metrics=["chrf", "bleu"], compare=False)
    for system in result.systems:
        said = systems[system.system]
        assert system.metrics["chrf"].value == pytest.approx(sacrebleu.corpus_chrf(said, [gold]).score / 100)
        assert system.metrics["bleu"].value == pytest.approx(
            sacrebleu.corpus_bleu(said, [gold], force=True).score / 100
        )
        assert system.metrics["chrf"].low <= system.metrics["chrf"].value <= system.metrics["chrf"].high


def test_several_references_are_those_of_sacrebleu():
    sacrebleu = pytest.importorskip("sacrebleu", reason="needs the extra metrics (sacrebleu)")
    references = [["the cat sat on the mat", "a cat was on the mat"], ["he went home today by train"]]
    said = ["the cat was on a mat", "he went home by a train"]
    data = read({"source": ["x", "y"], "references": references})
    streams = [["the cat sat on the mat", "he went home today by train"], ["a cat was on the mat", None]]
    (system,) = assay.evaluate(data, {"x": said}, metrics=["bleu", "chrf"], compare=False).systems
    assert system.metrics["bleu"].value == pytest.approx(sacrebleu.corpus_bleu(said, streams, force=True).score / 100)
    assert system.metrics["chrf"].value == pytest.approx(sacrebleu.corpus_chrf(said, streams).score / 100)


def test_a_missing_package_is_the_reason(monkeypatch):
    from assay.base import errors

    def refuse(module, extra, purpose):
        raise errors.MissingExtraError(f"{purpose} needs {module}")

    monkeypatch.setattr("assay.metrics.metric.import_extra", refuse)
    data = read(KIND.layout.example)
    (system,) = assay.evaluate(data, {"x": KIND.gold.get_gold(data)}, compare=False).systems
    assert system.metrics["bleu"].reason == "the metric bleu needs sacrebleu"
    assert np.isnan(system.metrics["bleu"].value)
    assert system.metrics["rouge-l"].value == 1.0


def test_gsm8k(shared):
    data = read(shared("gsm8k/items.tsv.gz"))
    assert data.notes[0] == "task: generation (question, answer); not used: platinum_status, platinum_answer"
    published = {
        "claude-3-5-sonnet-20241022": 96.66,
        "gpt-4o-2024-08-06": 96.21,
        "gpt-3.5-turbo-0125": 80.36,
        "gemma-2-2b-it": 51.63,
        "command-r": 52.99,
    }
    names = [*published, "gemini-1.5-flash-exp-0827"]
    result = assay.evaluate(
        data, shared("gsm8k/pred_answers.tsv.gz"), systems=names, missing_predictions="wrong", compare=False
    )
    scores = {system.system: round(100 * system.value, 2) for system in result.systems}
    assert {name: scores[name] for name in published} == published
    assert {system.system: system.n_missing for system in result.systems}["gemini-1.5-flash-exp-0827"] == 1319 - 681
    raw = read(shared("gsm8k/test_first100.jsonl"))
    assert KIND.scoring.choose_metrics(raw) == ("exact-match",)
    answers = {"final": data.take(range(100)).fields["references"].list.first().to_list()}
    assert assay.evaluate(raw, answers, compare=False).systems[0].value == 1.0


def test_short_targets_are_references_if_the_task_is_named():
    columns = {"input": ["True and not False is", "not True is", "1 + 1 ="], "target": ["True", "False", "2"]}
    assert read(columns).task == "classification"
    assert read(columns, task="generation").fields["references"].to_list() == [["True"], ["False"], ["2"]]


def test_big_bench_hard(shared):
    """The accuracies that the benchmark's own files give, for every one of 27 tasks and both ways of prompting."""
    frame = pl.read_csv(shared("bbh/answers.tsv.gz"), separator="\t", quote_char=None, infer_schema_length=0)
    data = read({"id": frame["id"], "source": frame["id"], "reference": frame["target"]}, task="generation")
    scores = {
        name: KIND.scoring.find_metric("exact-match").collect_statistics(
            KIND.scoring.pair_answers(data, frame[f"code-davinci-002-{name}"].fill_null("").to_list())
        )[:, 0]
        for name in ("cot", "direct")
    }
    table = frame.select("task").with_columns(**{name: pl.Series(values) for name, values in scores.items()})
    means = {row[0]: (round(100 * row[1], 1), round(100 * row[2], 1)) for row in table.group_by("task").mean().rows()}
    assert len(data) == 6511
    assert len(means) == 27
    assert means["boolean_expressions"] == (92.8, 88.4)
    assert means["dyck_languages"] == (56.8, 46.8)
    assert means["multistep_arithmetic_two"] == (47.6, 1.2)
    assert means["word_sorting"] == (40.4, 50.4)
    assert means["web_of_lies"] == (95.2, 51.6)
    averages = [100 * np.mean(table.group_by("task").mean()[name].to_numpy()) for name in ("cot", "direct")]
    assert averages == pytest.approx([73.71, 52.76], abs=0.005)


def test_baselines_copy_and_lead(summaries):
    data, answers = summaries
    result = assay.evaluate(data, answers.select("id", "M0"), metrics="rouge-l", compare=False)
    scores = {row.baseline: row.value for row in result.baselines}
    assert scores["lead-3"] == pytest.approx(result.systems[0].value, abs=0.01)  # M0 is LEAD-3
    assert scores["lead-3"] > scores["copy-of-source"] > scores["constant-answer"]


def test_copied_references_are_counted():
    data = read({"source": ["a b", "c d", "e"], "reference": ["a b", "x", ""]})
    assert {defect.name: defect.items.ids for defect in kind_of(data).texts.describe_items(data).defects} == {
        "items without a reference": ("2",),
        "copied references": ("0",),
    }


def test_rouge_is_left_out_where_most_references_have_no_latin_word():
    rows = {"source": ["一", "二", "三"], "reference": ["很快 好吃 味道 足", "量大 很好 真的 是", "送餐 OK 很 快"]}
    result = assay.evaluate(rows, [{"id": str(row), "x": text} for row, text in enumerate(rows["reference"])])
    assert "rouge-l" not in result.systems[0].metrics
    assert result.systems[0].metrics["chrf"].value == pytest.approx(1)


def test_one_answer_to_most_items_is_reported():
    rows = {"question": [f"What is {row} times {row}?" for row in range(60)], "answer": ["42"] * 57 + ["1", "2", "3"]}
    (finding,) = [row for row in assay.audit(rows, only=["profile"]).findings if row.code == "A105"]
    assert finding.severity == "warning"
    assert finding.claim.startswith('"42" is right for 95%')


def test_one_column_per_reference():
    data = read({"source": ["ein Haus", "ein Hund"], "ref_1": ["a house", "a dog"], "ref_2": ["one house", ""]})
    assert data.task == "generation"
    assert data.fields["references"].to_list() == [["a house", "one house"], ["a dog"]]


def test_a_source_of_links_is_where_an_item_is_from():
    links = ["https://example.org/1", "https://example.org/2"]
    data = read({"source": links, "question": ["1 + 1?", "2 + 2?"], "answer": ["two", "four"]})
    assert data.texts.to_list() == ["1 + 1?", "2 + 2?"]
