"""GSM8K, BIG-Bench Hard, SummEval and the translations of WMT: counts, accuracies and human scores."""

from __future__ import annotations

import polars as pl
import pytest

import assay
from assay.data import read_table

# Chain of thought and answer only, in percent.
BBH = {
    "boolean_expressions": (92.8, 88.4),
    "causal_judgement": (54.0, 63.6),
    "date_understanding": (87.2, 63.6),
    "disambiguation_qa": (76.0, 67.2),
    "dyck_languages": (56.8, 46.8),
    "formal_fallacies": (50.4, 52.4),
    "geometric_shapes": (54.4, 32.0),
    "hyperbaton": (66.4, 60.4),
    "logical_deduction_five_objects": (54.8, 32.4),
    "logical_deduction_seven_objects": (38.8, 26.0),
    "logical_deduction_three_objects": (87.6, 52.8),
    "movie_recommendation": (90.4, 84.8),
    "multistep_arithmetic_two": (47.6, 1.2),
    "navigate": (96.4, 50.4),
    "object_counting": (93.2, 45.2),
    "penguins_in_a_table": (79.5, 66.4),
    "reasoning_about_colored_objects": (91.6, 67.6),
    "ruin_names": (68.4, 75.2),
    "salient_translation_error_detection": (60.8, 62.0),
    "snarks": (59.6, 61.2),
    "sports_understanding": (97.6, 72.8),
    "temporal_sequences": (96.8, 77.6),
    "tracking_shuffled_objects_five_objects": (89.6, 20.4),
    "tracking_shuffled_objects_seven_objects": (85.6, 14.4),
    "tracking_shuffled_objects_three_objects": (78.4, 37.6),
    "web_of_lies": (95.2, 51.6),
    "word_sorting": (40.4, 50.4),
}
TED = {
    "Facebook-AI": -1.056,
    "Online-W": -1.122,
    "VolcTrans-AT": -1.241,
    "metricsystem3": -1.436,
    "VolcTrans-GLAT": -1.494,
    "HuaweiTSC": -1.498,
    "metricsystem1": -1.629,
    "metricsystem2": -1.694,
    "metricsystem5": -1.716,
    "UEdin": -1.772,
    "metricsystem4": -1.776,
    "eTranslation": -1.969,
    "Nemo": -2.141,
}
SUMMEVAL = {
    "M22": (4.180, 4.943, 4.897, 4.250),
    "M23": (4.163, 4.910, 4.880, 4.260),
    "M0": (4.157, 4.983, 4.937, 4.137),
    "M17": (3.997, 4.927, 4.933, 4.230),
    "M5": (3.710, 4.973, 4.807, 4.057),
}


def test_every_accuracy_of_big_bench_hard(shared):
    """27 tasks, two ways of prompting: the slices by task of one evaluation."""
    table = read_table(shared("bbh/answers.tsv.gz"))
    data = assay.read(table.select("id", "task", source="id", reference="target"), task="generation")
    answers = table.select("id", cot="code-davinci-002-cot", direct="code-davinci-002-direct")
    result = assay.evaluate(data, answers, metrics="exact-match", by="task", missing_predictions="wrong", compare=False)
    scores = {(row.slice, row.system): row.value for row in result.by.columns["task"]}
    assert len(scores) == 54
    assert {key: round(100 * value, 1) for key, value in scores.items()} == {
        (task, name): values[number] for task, values in BBH.items() for number, name in enumerate(("cot", "direct"))
    }
    means = [100 * sum(scores[task, name] for task in BBH) / 27 for name in ("cot", "direct")]
    assert means == pytest.approx([73.71, 52.76], abs=0.005)


def test_the_verdicts_of_gsm8k_platinum(shared):
    table = read_table(shared("gsm8k/items.tsv.gz"))
    assert dict(table["platinum_status"].value_counts().rows()) == {"kept": 1199, "removed": 110, "revised": 10}


def test_solutions_of_four_systems(shared):
    rows = pl.read_ndjson(shared("gsm8k/openai_solutions.jsonl.gz").read_bytes(), infer_schema_length=None)
    names = [name for name in rows.columns if name != "id"]
    scores = {name: rows[name].struct.field("is_correct").cast(float).to_list() for name in names}
    result = assay.evaluate(None, assay.evaluation.Predictions.from_arrays(None, scores), compare=False)
    assert {system.system: round(system.value, 4) for system in result.systems} == {
        "6b_finetuning": 0.2168,
        "6b_verification": 0.3904,
        "175b_finetuning": 0.3472,
        "175b_verification": 0.5625,
    }


def test_mean_scores_of_ted_talks(shared):
    table = read_table(shared("wmt_mqm_ted_ende/translations.tsv.gz"))
    assert table["segment"].n_unique() == 529
    assert table["system"].n_unique() == 14
    scored = table.filter(pl.col("mqm") != "").select("system", id="segment", score="mqm")
    result = assay.evaluate(None, scored, compare=False)
    assert {system.system: round(system.value, 3) for system in result.systems} == TED
    assert {system.n for system in result.systems} == {529}


@pytest.mark.parametrize("number", range(4))
def test_mean_ratings_of_summeval(shared, number):
    name = ("coherence", "consistency", "fluency", "relevance")[number]
    table = read_table(shared("summeval/summaries.tsv.gz"))
    assert (table.height, table["system"].n_unique(), table["doc"].n_unique()) == (1600, 16, 100)
    result = assay.evaluate(None, table.select("system", id="doc", score=name), compare=False)
    scores = {system.system: round(system.value, 3) for system in result.systems}
    assert {system: scores[system] for system in SUMMEVAL} == {system: row[number] for system, row in SUMMEVAL.items()}
