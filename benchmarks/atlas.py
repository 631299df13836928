"""Audit public benchmarks and write one row for each into `docs/atlas.md`.

    python -m benchmarks.atlas [NAME…] [--write] [--cache DIR]

Finished audits are kept as JSON in the cache folder and reused; delete the folder to measure everything again. Only
aggregate figures are written, no texts of items. Without `--write` the table is printed.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

SHARED = Path(__file__).parents[2] / "shared" / "data"
CACHE = Path(tempfile.gettempdir()) / "assay-atlas"


@dataclass(frozen=True)
class Entry:
    """A benchmark of the atlas: its title, and a function that returns the arguments of `assay.audit`."""

    title: str
    read: Callable[[], dict[str, Any]]


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


FIGQA = ("bert", "gpt2", "gpt3", "gptneo", "roberta")
ENTRIES: dict[str, Entry] = {
    "mmlu_redux": Entry("MMLU-Redux 2.0", _data("mmlu_redux/items.tsv.gz", "mmlu_redux/pred_labels.tsv.gz")),
    "mmlu_pro": Entry("MMLU-Pro, five categories", _read_mmlu_pro),
    "gsm8k": Entry("GSM8K test", _data("gsm8k/items.tsv.gz", "gsm8k/pred_answers.tsv.gz")),
    "swebench_verified": Entry("SWE-bench Verified", _read_swebench),
    "alpaca_eval": Entry("AlpacaEval 2", _read_alpaca_eval),
    "mteb": Entry("MTEB, 162 tasks", _read_mteb),
    "open_llm": Entry("Open LLM Leaderboard v1", lambda: {"scores": SHARED / "open_llm_leaderboard" / "scores.tsv.gz"}),
    "glue": Entry("GLUE leaderboard", _read_board("GLUE")),
    "superglue": Entry("SuperGLUE leaderboard", _read_board("SuperGLUE")),
    "bbh": Entry("BIG-Bench Hard leaderboard", _read_board("BIG-Bench Hard")),
    "commonsenseqa": Entry("CommonsenseQA dev", _data("commonsenseqa/dev_rand_split.jsonl.gz")),
    "figqa": Entry("FigQA", _wide("explainaboard/figqa_preds.tsv.gz", FIGQA)),
    "can_ai_code": Entry("can-ai-code junior-v2", _read_can_ai_code),
    "arct": Entry("ARCT", _data("arct/arct.tsv.gz", "arct/pred_labels_test.tsv.gz")),
    "semeval2016_a": Entry(
        "SemEval-2016 task 3 A", _data("semeval2016_cqa/cqa_A.tsv.gz", "semeval2016_cqa/pred_labels_A.tsv.gz")
    ),
    "snli": Entry("SNLI test", _wide("explainaboard/snli_test_preds.tsv.gz", ("RoBERTa",))),
    "mnli": Entry("MultiNLI dev", _data("mnli/mnli_dev_matched.tsv.gz")),
    "msrp": Entry("MSRP", _data("msrp/msrp.tsv.gz")),
    "quora": Entry("Quora pairs (sample)", _data("quora/quora.tsv.gz")),
    "sst2": Entry("SST-2", _data("sst2/sst2.tsv.gz")),
    "trec": Entry("TREC questions", _data("trec/trec.tsv.gz")),
    "ag_news": Entry("AG News (sample)", _data("ag_news/ag_news.tsv.gz")),
    "imdb": Entry("IMDB (sample)", _data("imdb/imdb.tsv.gz")),
    "atis": Entry("ATIS intents", _data("atis/atis.tsv.gz")),
    "goemotions": Entry("GoEmotions", _data("goemotions/goemotions.tsv.gz")),
    "wnut17": Entry("WNUT-17", _read_wnut),
    "xquad": Entry("XQuAD English", _data("xquad_en/xquad.en.json.gz")),
    "cacm": Entry("CACM", _data("cacm")),
}


def audit_entry(name: str, cache: Path) -> Any:
    """Return the audit of a benchmark, from the cache where it is there."""
    import assay
    from assay.audits import Audit
    from assay.base.results import wrap_result
    from assay.cli.output import write_json

    path = cache / f"{name}.json"
    if path.exists():
        return Audit.from_json(path)
    start = time.perf_counter()
    result = assay.audit(**ENTRIES[name].read())
    write_json(str(path), wrap_result("audit", result, {"quick": True, "seed": 0}))
    print(f"{name}: {time.perf_counter() - start:.0f} s", flush=True)
    return result


def main() -> None:
    """Audit what is named, or everything, and print or write the table."""
    parser = argparse.ArgumentParser()
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--cache", type=Path, default=CACHE)
    options = parser.parse_args()
    options.cache.mkdir(parents=True, exist_ok=True)
    for name in options.names or ENTRIES:
        audit_entry(name, options.cache)


if __name__ == "__main__":
    main()
