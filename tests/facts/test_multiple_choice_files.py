"""MMLU-Redux, MMLU-Pro and CommonsenseQA: counts and accuracies of every model, as SOURCE.md of each folder has them."""

from __future__ import annotations

import re

import polars as pl
import pytest

import assay
from assay.data import read_table
from assay.kinds import kind_of

REDUX = {
    "anthropic_claude-3-5-sonnet-20240620": (0.8697, 0.8846),
    "anthropic_claude-3-opus-20240229": (0.8514, 0.8671),
    "meta_llama-3.1-405b-instruct-turbo": (0.8545, 0.8718),
    "openai_gpt-4o-2024-05-13": (0.8583, 0.8744),
    "qwen_qwen2.5-72b-instruct-turbo": (0.8428, 0.8568),
    "google_gemini-1.5-pro-001": (0.8555, 0.8722),
    "openai_gpt-4-0613": (0.8414, 0.8594),
    "qwen_qwen2-72b-instruct": (0.8372, 0.8539),
    "writer_palmyra-x-004": (0.8272, 0.8433),
    "openai_gpt-4-turbo-2024-04-09": (0.8303, 0.8470),
    "google_gemini-1.5-pro-preview-0409": (0.8307, 0.8470),
    "meta_llama-3.2-90b-vision-instruct-turbo": (0.8231, 0.8378),
    "meta_llama-3.1-70b-instruct-turbo": (0.8245, 0.8397),
    "mistralai_mistral-large-2407": (0.8203, 0.8364),
}
REDUX_ERRORS = {
    "ok": 2738,
    "bad_question_clarity": 61,
    "wrong_groundtruth": 47,
    "multiple_correct_answers": 28,
    "no_correct_answer": 12,
    "expert": 7,
    "bad_options_clarity": 7,
}
# Right / run (no answer found), as SOURCE.md writes them.
PRO = """gemini-1.5-pro-002 2174/2793 (4), gemini-1.5-flash-002 1949/2795 (21), Meta-Llama-3_1-70B-Instruct 1937/2796 (0),
DeepSeek-Coder-V2 1882/2787 (1), jamba-1.5-large 1731/2796 (34), Meta-Llama-3-70B 1653/2796 (120),
Meta-Llama-3_1-70B 1638/2796 (0), Qwen1.5-110B 1573/2796 (82), Qwen1.5-72B-Chat 1547/2796 (398),
Meta-Llama-3_1-8B-Instruct 1420/2796 (0), Yi-34B 1379/2796 (173), Mixtral-8x7B-Instruct-v0.1 1364/2796 (259),
Phi-3-mini-4k-instruct 1362/2796 (294), Mixtral-8x7B-v0.1 1326/2796 (183), mathstral-7B 1301/2796 (0),
Llama-2-70b-hf 1265/2796 (287), c4ai-command-r-v01 1213/2796 (287), Meta-Llama-3_1-8B 1174/2796 (0),
Meta-Llama-3-8B 1106/2796 (240), gemma-7b 1078/2796 (336), Mistral-7B-v0.1 1004/2796 (205),
Mistral-7B-v0.2-hf 948/2796 (218), Mistral-7B-Instruct-v0.2 934/2796 (431), Yi-6b-Chat 913/2796 (458),
Yi-6B 887/2796 (249), Qwen1.5-7B-Chat 874/2796 (555), Mistral-7B-Instruct-v0.1 853/2796 (255),
Llama-2-13b-hf 801/2796 (337), Llama-2-7b-hf 600/2796 (322)"""


@pytest.mark.parametrize("only_ok", [False, True])
def test_accuracies_of_mmlu_redux(shared, only_ok):
    """Answers that are not a letter are wrong, also the two that are the text of the right option."""
    table, items = (read_table(shared(f"mmlu_redux/{name}.tsv.gz")) for name in ("pred_labels", "items"))
    table = table.filter(items["error_type"] == "ok") if only_ok else table
    result = assay.evaluate(None, table, metrics="accuracy", missing_predictions="wrong", compare=False)
    scores = {system.system: round(system.value, 4) for system in result.systems}
    assert scores == {name: values[only_ok] for name, values in REDUX.items()}


def test_errors_of_mmlu_redux(shared):
    data = assay.read(shared("mmlu_redux/items.tsv.gz"))
    kinds, subjects = (data.column(name).value_counts() for name in ("error_type", "subject"))
    assert dict(kinds.rows()) == REDUX_ERRORS
    assert (subjects.height, set(subjects["count"])) == (29, {100})


# Facts of SOURCE.md: items whose most frequent answer is not the key; of equally frequent ones the first model's counts.
@pytest.mark.parametrize(
    ("name", "file", "n", "wrong", "n_ties"), [("mmlu_redux", "labels", 14, 362, 24), ("gsm8k", "answers", 43, 40, 2)]
)
def test_the_most_frequent_answer_differs_from_the_key(shared, name, file, n, wrong, n_ties):
    """The models as repeats of one system: where several answers are equally frequent, each counts its share."""
    table = read_table(shared(f"{name}/pred_{file}.tsv.gz"))
    table = table.drop("gemini-1.5-flash-exp-0827", strict=False)  # answered only half of the items
    if name == "gsm8k":  # numbers by value
        table = table.with_columns(pl.all().exclude("id").str.replace_all(",", "").str.replace(r"\.0*$", ""))
    long = table.unpivot(index=["id", "gold"], variable_name="model", value_name="predicted").with_columns(
        pl.col("predicted").replace("", "(none)").fill_null("(none)"), system=pl.lit("all"), repeat=pl.col("model")
    )
    (system,) = assay.evaluate(None, long.drop("model"), pass_at=(n,), metrics="accuracy", compare=False).systems
    score = system.metrics[f"majority@{n}"]
    assert score.n == table.height
    assert (1 - score.value) * score.n == pytest.approx(wrong, abs=n_ties / 2)


def test_accuracies_of_mmlu_pro(shared):
    published = re.findall(r"(\S+) (\d+)/(\d+) \((\d+)\)", PRO)
    assert len(published) == 29
    table = read_table(shared("mmlu_pro/pred_labels.tsv.gz"))
    result = assay.evaluate(None, shared("mmlu_pro/pred_labels.tsv.gz"), metrics="accuracy", compare=False)
    systems = {system.system: system for system in result.systems}
    assert len(systems) == 29
    for name, right, run, empty in published:
        system = systems[name]
        assert (round(system.value * system.n), system.n) == (int(right), int(run))
        assert (system.n_empty, system.n_missing) == (int(empty), table[name].eq("NA").sum())
    accuracies = {name: int(right) / int(run) for name, right, run, _ in published}
    ranks = {name: 1 + sum(other > value for other in accuracies.values()) for name, value in accuracies.items()}
    assert {name: system.rank for name, system in systems.items()} == ranks


def test_keys_and_questions_of_commonsenseqa(shared):
    data = assay.read(shared("commonsenseqa/dev_rand_split.jsonl.gz"))
    position = kind_of(data).texts.describe_items(data).distributions[1]
    assert (len(data), position.counts) == (1221, {"A": 239, "B": 255, "C": 241, "D": 251, "E": 235})
    assert data.texts.is_duplicated().sum() == 0
