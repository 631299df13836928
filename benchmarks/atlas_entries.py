"""The benchmarks of the atlas: what is read of each, and what we would change.

The advice was written by hand after reading the findings. Only data of ../shared/data is read.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.atlas_checks import SHARED, read_lines, read_rows

CACHE = Path(tempfile.gettempdir()) / "assay-atlas"


@dataclass(frozen=True)
class Entry:
    """A benchmark of the atlas: its title, a function that returns the arguments of `assay.audit`, and our advice.

    The advice was written by hand after reading the findings.
    """

    title: str
    read: Callable[[], dict[str, Any]]
    change: str
    kind: str | None = None
    count_reviews: Callable[[], str] | None = None  # what people said of the items, if it is known


def _table(name: str) -> Any:
    import polars as pl

    return pl.read_csv(SHARED / name, separator="\t", quote_char=None, infer_schema_length=None)


def _data(name: str, predictions: str | None = None, **roles: Any) -> Callable[[], dict[str, Any]]:
    """Return a reader of a data file and the answers of systems to it."""

    def read() -> dict[str, Any]:
        answers = {} if predictions is None else {"predictions": [SHARED / predictions]}
        return {"data": SHARED / name, **answers, **roles}

    return read


def _wide(name: str, systems: tuple[str, ...], **roles: Any) -> Callable[[], dict[str, Any]]:
    """Return a reader of a file that has items and, in further columns, the answers of systems."""

    def read() -> dict[str, Any]:
        frame = _table(name)
        return {
            "data": frame.drop(systems),
            "predictions": {system: frame[system].to_list() for system in systems},
            **roles,
        }

    return read


def _read_alpaca_eval() -> dict[str, Any]:
    """Preferences from 1 (the reference wins) to 2 are item scores from 0 to 1, and verdicts of one judge."""
    import polars as pl

    frame = _table("alpaca_eval/preferences.tsv.gz").with_columns(pl.col("id").cast(pl.String))
    lengths = _table("alpaca_eval/output_chars.tsv.gz").with_columns(pl.col("id").cast(pl.String))
    items = _table("alpaca_eval/items.tsv.gz").with_columns(pl.col("id").cast(pl.String))
    systems = [name for name in frame.columns if name not in ("id", "gpt4_1106_preview")]
    scores = {name: frame[name].cast(pl.Float64, strict=False).to_numpy() - 1 for name in systems}
    sizes = dict(zip(items["id"], items["reference_chars"].to_list(), strict=True))
    rows = [
        {
            "id": key,
            "judge": "weighted GPT-4 turbo",
            "verdict": verdict,
            "model_a": "reference",
            "model_b": name,
            "length_a": sizes[key],
            "length_b": length,
        }
        for name in systems
        for key, verdict, length in zip(frame["id"], frame[name], lengths[name], strict=True)
    ]
    return {
        "data": SHARED / "alpaca_eval" / "items.tsv.gz",
        "text": "instruction",
        "predictions": _item_scores(frame["id"].to_list(), scores),
        "verdicts": pl.DataFrame(rows, infer_schema_length=None),
    }


def _item_scores(ids: list[str], scores: dict[str, Any]) -> Any:
    from assay.evaluation import Predictions

    return Predictions.from_arrays(None, scores, ids=ids)


def _read_swebench() -> dict[str, Any]:
    """Issues of one repository are a group. The record of one system contradicts its published score and is left out."""
    frame = _table("swebench_verified/resolved.tsv.gz").rename({"repo": "group"})
    broken = [name for name in frame.columns if name.startswith("Claude 3.7 Sonnet")]
    CACHE.mkdir(parents=True, exist_ok=True)
    path = CACHE / "swebench_verified_resolved.tsv"
    frame.drop(broken).write_csv(path, separator="\t")
    return {"predictions": [path]}


def _read_can_ai_code() -> dict[str, Any]:
    """The best run of every model; the items are 14 tasks in two languages."""
    import polars as pl

    frame = _table("can_ai_code/junior_v2.tsv.gz")
    items = frame.columns[3:]
    shares = frame.select("model", *(_divide(frame[name]).alias(name) for name in items))
    best = shares.with_columns(pl.mean_horizontal(items).alias("mean")).sort("mean", descending=True)
    best = best.unique("model", keep="first", maintain_order=True)
    return {
        "predictions": _item_scores(items, {row["model"]: [row[name] for name in items] for row in best.to_dicts()})
    }


def _divide(cells: Any) -> Any:
    import polars as pl

    parts = cells.cast(pl.String).str.split_exact("/", 1).struct.unnest()
    return parts["field_0"].cast(pl.Float64, strict=False) / parts["field_1"].cast(pl.Float64, strict=False)


def _read_mmlu_pro() -> dict[str, Any]:
    return {
        "data": SHARED / "mmlu_pro" / "items.jsonl.gz",
        "id": "question_id",
        "predictions": [SHARED / "mmlu_pro" / "pred_labels.tsv.gz"],
    }


def _read_board(benchmark: str) -> Callable[[], dict[str, Any]]:
    def read() -> dict[str, Any]:
        import polars as pl

        frame = _table("leaderboards/leaderboards.tsv.gz")
        return {"scores": frame.filter(pl.col("benchmark") == benchmark).drop("source")}

    return read


def _read_wnut() -> dict[str, Any]:
    folder = SHARED / "wnut17"
    parts = {"train": "wnut17train.conll.gz", "dev": "emerging.dev.conll", "test": "emerging.test.annotated"}
    return {name: folder / file for name, file in parts.items()}


def _read_mteb() -> dict[str, Any]:
    return {"scores": _table("mteb_results/scores.tsv.gz").drop("split", "revision", "subsets")}


def _read_massive() -> dict[str, Any]:
    import polars as pl

    frame = _table("mteb_results/massive_intent_by_language.tsv.gz")
    return {
        "scores": frame.rename({"model": "system"}).with_columns(pl.exclude("system").cast(pl.Float64, strict=False))
    }


def _read_solutions() -> dict[str, Any]:
    """Complete solutions of four systems to every problem; graded by their authors."""
    import polars as pl

    solutions = read_lines("gsm8k/openai_solutions.jsonl.gz")
    rows = [
        {"model": name, "id": row["id"], "response": answer["solution"], "score": float(answer["is_correct"])}
        for row in solutions
        for name, answer in row.items()
        if name != "id"
    ]
    items = _table("gsm8k/items.tsv.gz").select("id", "question", "answer")
    return {"data": items, "responses": pl.DataFrame(rows)}


def _read_tau() -> dict[str, Any]:
    """Trials of one agent, in the layout in which tau-bench writes them."""
    folder = CACHE / "tau_airline"
    folder.mkdir(parents=True, exist_ok=True)
    trials = read_lines("tau_airline/trajectories.jsonl.gz")
    (folder / "gpt-4o-airline.json").write_text(json.dumps(trials), encoding="utf-8")
    return {"data": folder / "gpt-4o-airline.json"}


def _read_humaneval() -> dict[str, Any]:
    """Shares of samples that pass, by setting of one model."""
    frame = _table("humaneval_samples/passed_by_run.tsv.gz")
    settings = frame.columns[1:]
    return {
        "predictions": _item_scores(
            frame["task_id"].to_list(), {name: _divide(frame[name]).to_numpy() for name in settings}
        )
    }


def _read_bbh() -> dict[str, Any]:
    """Right or wrong by exact match, of one model with and without a chain of thought."""
    frame = _table("bbh/answers.tsv.gz")
    systems = [name for name in frame.columns if name.startswith("code-davinci")]
    scores = {name: (frame[name] == frame["target"]).fill_null(value=False).cast(float).to_numpy() for name in systems}
    return {"predictions": _item_scores(frame["id"].to_list(), scores)}


def _read_llmbar() -> dict[str, Any]:
    """Pairs of answers with a gold preference, and the verdicts of 65 judges in both orders."""
    import polars as pl

    items = read_rows("llmbar/items.tsv.gz")
    data = pl.DataFrame(
        {
            "id": [row["id"] for row in items],
            "prompt": [row["input"] for row in items],
            "chosen": [row[f"output_{row['label']}"] for row in items],
            "rejected": [row[f"output_{3 - int(row['label'])}"] for row in items],
        }
    )
    rows = []
    for order in ("12", "21"):
        for row in read_rows(f"llmbar/verdicts_order_{order}.tsv.gz"):
            judges = [name for name in row if name not in ("id", "gold")]
            rows += [
                {"id": row["id"], "judge": name, "verdict": row[name], "order": order, "gold": row["gold"]}
                for name in judges
                if row[name] in ("1", "2")
            ]
    return {"data": data, "verdicts": pl.DataFrame(rows)}


def _read_pandalm() -> dict[str, Any]:
    """Majority votes of three annotators between two models."""
    import polars as pl

    winners = {"1": "model_a", "2": "model_b", "0": "tie"}
    rows = [
        {"model_a": row["model_a"], "model_b": row["model_b"], "winner": winners.get(row["majority"], "tie")}
        for row in read_rows("pandalm_votes/votes.tsv.gz")
    ]
    return {"votes": pl.DataFrame(rows)}


def _read_wildbench() -> dict[str, Any]:
    """Scores of one judge from 1 to 10, divided by 10."""
    import polars as pl

    frame = _table("wildbench_scores/scores.tsv.gz")
    judges = sorted({tuple(name.split("|")[:2]) for name in frame.columns[1:]})
    chosen = [name for name in frame.columns[1:] if tuple(name.split("|")[:2]) == judges[0]]
    scores = {name.split("|")[2]: frame[name].cast(pl.Float64, strict=False).to_numpy() / 10 for name in chosen}
    return {"predictions": _item_scores(frame["id"].to_list(), scores)}


def _read_summeval() -> dict[str, Any]:
    """Summaries of 16 systems of 100 articles, with one reference each."""
    documents = read_lines("summeval/documents.jsonl.gz")
    written = {(row["system"], row["doc"]): row["summary"] for row in read_rows("summeval/summaries.tsv.gz")}
    systems = sorted({system for system, _ in written})
    return {
        "data": {name: [row[name] for row in documents] for name in ("id", "source", "reference")},
        "predictions": {name: [written[name, row["id"]] for row in documents] for name in systems},
        "task": "generation",
    }


def _read_wmt() -> dict[str, Any]:
    """Mean penalties of the errors that people marked (MQM): 1 has no error, 25 points of penalty are 0."""
    frame = _table("wmt_mqm_ted_ende/newstest2020_ende_mqm.tsv.gz")
    systems = [name for name in frame.columns if name != "segment"]
    scores = {name: (1 + frame[name].cast(float, strict=False) / 25).to_numpy() for name in systems}
    return {"predictions": _item_scores(frame["segment"].cast(str).to_list(), scores)}


def _review_mmlu_redux() -> str:
    rows = read_rows("mmlu_redux/items.tsv.gz")
    return f"{sum(row['error_type'] != 'ok' for row in rows):,} of {len(rows):,} bad"


def _review_gsm8k() -> str:
    rows = read_rows("gsm8k/items.tsv.gz")
    return f"{sum(row['platinum_status'] != 'kept' for row in rows):,} of {len(rows):,} revised or removed"


def _review_tau() -> str:
    rows = read_rows("tau_airline/tasks.tsv.gz")
    return f"{sum(bool(row['fixed_later']) for row in rows)} of {len(rows)} tasks repaired later"


def _review_wmt() -> str:
    return "MQM of 10 systems by people"


FIGQA = ("bert", "gpt2", "gpt3", "gptneo", "roberta")
ENTRIES: dict[str, Entry] = {
    "mmlu_redux": Entry(
        "MMLU-Redux 2.0 (29 subjects)",
        _data("mmlu_redux/items.tsv.gz", "mmlu_redux/pred_labels.tsv.gz"),
        "Repair the keys that annotators or systems contradict; report five systems as tied at the top.",
        count_reviews=_review_mmlu_redux,
    ),
    "mmlu_pro": Entry(
        "MMLU-Pro (5 categories)",
        _read_mmlu_pro,
        "Make options equally long, above all in biology; publish the longest-option baseline.",
    ),
    "gsm8k": Entry(
        "GSM8K test",
        _data("gsm8k/items.tsv.gz", "gsm8k/pred_answers.tsv.gz"),
        "Use the Platinum revision; retire for systems above 95%.",
        count_reviews=_review_gsm8k,
    ),
    "swebench_verified": Entry(
        "SWE-bench Verified (one agent)",
        _read_swebench,
        "Check item records against published scores; publish cost and rank intervals.",
    ),
    "alpaca_eval": Entry(
        "AlpacaEval 2",
        _read_alpaca_eval,
        "Refuse constant answers, use length-controlled rates, and add gold verdicts of people.",
        "answers and a judge",
    ),
    "mteb": Entry(
        "MTEB (162 tasks)",
        _read_mteb,
        "Retire nine saturated tasks; report the three that rank systems differently apart.",
    ),
    "open_llm": Entry(
        "Open LLM Leaderboard v1",
        lambda: {"scores": SHARED / "open_llm_leaderboard" / "scores.tsv.gz"},
        "Publish tie groups; exclude models that were trained on the tests.",
    ),
    "glue": Entry("GLUE leaderboard", _read_board("GLUE"), "Retire for ranking: the top is tied."),
    "superglue": Entry(
        "SuperGLUE leaderboard",
        _read_board("SuperGLUE"),
        "Do not rank by gender parity (AX-g), which a constant answer wins.",
    ),
    "bbh": Entry(
        "BIG-Bench Hard leaderboard", _read_board("BIG-Bench Hard"), "Retire Web of Lies and Sports Understanding."
    ),
    "commonsenseqa": Entry(
        "CommonsenseQA dev",
        _data("commonsenseqa/dev_rand_split.jsonl.gz"),
        "Repair 24 questions with two equal options.",
    ),
    "figqa": Entry(
        "FigQA",
        _wide("explainaboard/figqa_preds.tsv.gz", FIGQA),
        "Score pairs of twin items together; keep twins in one part.",
    ),
    "can_ai_code": Entry("can-ai-code junior-v2", _read_can_ai_code, "Retire: 25 models are within a point of 100."),
    "arct": Entry(
        "ARCT",
        _data("arct/arct.tsv.gz", "arct/pred_labels_test.tsv.gz"),
        "Use the adversarial test set of Niven and Kao (2019), in which “not” predicts nothing.",
    ),
    "semeval2016_a": Entry(
        "SemEval-2016 task 3 A",
        _data("semeval2016_cqa/cqa_A.tsv.gz", "semeval2016_cqa/pred_labels_A.tsv.gz"),
        "Publish rank intervals: 11 systems may be first.",
    ),
    "snli": Entry(
        "SNLI test",
        _wide("explainaboard/snli_test_preds.tsv.gz", ("RoBERTa",)),
        "Report the score on items that the hypothesis alone does not give away.",
    ),
    "mnli": Entry("MultiNLI dev", _data("mnli/mnli_dev_matched.tsv.gz"), "As for SNLI: negation predicts a label."),
    "msrp": Entry("MSRP", _data("msrp/msrp.tsv.gz"), "Remove 88 test pairs that train has nearly verbatim."),
    "quora": Entry(
        "Quora pairs (sample)", _data("quora/quora.tsv.gz"), "Split by topic; remove clusters of one event."
    ),
    "sst2": Entry("SST-2", _data("sst2/sst2.tsv.gz"), "Review labels: about 120 may be wrong."),
    "trec": Entry("TREC questions", _data("trec/trec.tsv.gz"), "Remove 11 test questions that are in train."),
    "goemotions": Entry(
        "GoEmotions dev and test",
        _data("goemotions/goemotions.tsv.gz"),
        "Remove the test texts that dev has nearly verbatim.",
    ),
    "wnut17": Entry(
        "WNUT-17", _read_wnut, "Report drift: test comes from other sources, on purpose; decode escaped characters."
    ),
    "xquad": Entry("XQuAD English", _data("xquad_en/xquad.en.json.gz"), "Nothing serious in the texts."),
    "cacm": Entry("CACM", _data("cacm"), "Repair 55 judgements that name no document."),
    "open_llm_v2": Entry(
        "Open LLM Leaderboard v2",
        _read_board("Open LLM Leaderboard v2 (2024-08)"),
        "Six tasks cannot name the first of 340 systems: publish rank intervals.",
    ),
    "mmlu_board": Entry(
        "MMLU leaderboard (57 subjects)", _read_board("MMLU"), "Publish rank intervals: 12 systems may be first."
    ),
    "massive": Entry("MASSIVE intents (51 languages)", _read_massive, "Nothing serious."),
    "mmlu_pro_responses": Entry(
        "MMLU-Pro (1,000 questions with responses)",
        lambda: {
            "data": SHARED / "mmlu_pro_responses" / "items.jsonl.gz",
            "responses": SHARED / "mmlu_pro_responses" / "responses.jsonl.gz",
        },
        "Allow longer responses and grade what they state: 8% end without a conclusion.",
    ),
    "gsm8k_responses": Entry(
        "GSM8K (solutions of 2021)", _read_solutions, "Nothing serious in the solutions.", count_reviews=_review_gsm8k
    ),
    "tau_airline": Entry(
        "tau-bench airline (one agent)",
        _read_tau,
        "Use more tasks: 50 cannot separate systems that are less than 21 points apart.",
        "agent",
        count_reviews=_review_tau,
    ),
    "humaneval": Entry(
        "HumanEval (16 settings of one model)",
        _read_humaneval,
        "Do not compare settings by single runs: these 16 differ by chance only.",
    ),
    "bbh_answers": Entry(
        "BIG-Bench Hard answers (two prompts)", _read_bbh, "Publish the prompt with every score: it makes 21 points."
    ),
    "llmbar": Entry(
        "LLMBar (65 judges)",
        _read_llmbar,
        "Compare every judge with a constant verdict, and ask it in both orders.",
        "preference and judges",
    ),
    "pandalm": Entry("PandaLM test votes", _read_pandalm, "Nothing serious in the votes.", "votes"),
    "wildbench": Entry("WildBench scores (one judge)", _read_wildbench, "Add verdicts of people."),
    "summeval": Entry(
        "SummEval", _read_summeval, "Publish rank intervals, and the score of the first three sentences."
    ),
    "wmt_mqm": Entry(
        "WMT 2020 news en–de (MQM)",
        _read_wmt,
        "Nothing serious: people put the human translations first.",
        count_reviews=_review_wmt,
    ),
    "sst2_systems": Entry(
        "SST-2 test (CNN and LSTM)", _wide("explainaboard/sst2_test_preds.tsv.gz", ("CNN", "LSTM")), "Nothing serious."
    ),
    "xnli": Entry(
        "XNLI test (en, es, zh)",
        _wide("explainaboard/xnli_preds.tsv.gz", ("CL-mlpp15out1sum", "CL-mt5base")),
        "As for SNLI: negation and the second text alone predict labels, in translations, too.",
    ),
    "snli_counterfactual": Entry(
        "SNLI counterfactual",
        _data("snli_counterfactual/snli_counterfactual.tsv.gz"),
        "Nothing serious: that single words predict no label is its purpose.",
    ),
    "semeval2016_b": Entry(
        "SemEval-2016 task 3 B",
        _data("semeval2016_cqa/cqa_B.tsv.gz", "semeval2016_cqa/pred_labels_B.tsv.gz"),
        "Publish rank intervals: 18 of 28 may be first, and 8 score below a constant answer.",
    ),
    "ag_news": Entry(
        "AG News (sample)", _data("ag_news/ag_news.tsv.gz"), "Remove 0.8% near copies of training items from test."
    ),
}
