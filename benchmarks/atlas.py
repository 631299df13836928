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

from assay.wording.numbers import format_interval

SHARED = Path(__file__).parents[2] / "shared" / "data"
CACHE = Path(tempfile.gettempdir()) / "assay-atlas"
PAGE = Path(__file__).parents[1] / "docs" / "atlas.md"
START, END = "<!-- table: python -m benchmarks.atlas --write -->", "<!-- end of table -->"


@dataclass(frozen=True)
class Entry:
    """A benchmark of the atlas: its title, a function that returns the arguments of `assay.audit`, and our advice.

    The advice was written by hand after reading the findings.
    """

    title: str
    read: Callable[[], dict[str, Any]]
    change: str
    kind: str | None = None


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
    "mmlu_redux": Entry(
        "MMLU-Redux 2.0 (29 subjects)",
        _data("mmlu_redux/items.tsv.gz", "mmlu_redux/pred_labels.tsv.gz"),
        "Repair the keys that annotators or systems contradict; report four systems as tied at the top.",
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
        "Check contradicted labels; publish rank intervals.",
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
    "sst2": Entry("SST-2", _data("sst2/sst2.tsv.gz"), "Nothing serious."),
    "trec": Entry("TREC questions", _data("trec/trec.tsv.gz"), "Remove 11 test questions that are in train."),
    "goemotions": Entry(
        "GoEmotions dev and test",
        _data("goemotions/goemotions.tsv.gz"),
        "Remove 43 test texts that dev has nearly verbatim.",
    ),
    "wnut17": Entry(
        "WNUT-17", _read_wnut, "Report drift: test comes from other sources, on purpose; decode escaped characters."
    ),
    "xquad": Entry("XQuAD English", _data("xquad_en/xquad.en.json.gz"), "Nothing serious in the texts."),
    "cacm": Entry("CACM", _data("cacm"), "Repair 55 judgements that name no document."),
}


def audit_entry(name: str, cache: Path) -> Any:
    """Return the audit of a benchmark, from the cache if it is there."""
    import assay
    from assay.audits import Audit
    from assay.cli.output import write_json
    from assay.views.results import wrap_result

    path = cache / f"{name}.json"
    if path.exists():
        return Audit.from_json(path)
    start = time.perf_counter()
    result = assay.audit(**ENTRIES[name].read())
    write_json(str(path), wrap_result("audit", result, {"quick": True, "seed": 0}))
    print(f"{name}: {time.perf_counter() - start:.0f} s", flush=True)
    return result


def write_row(entry: Entry, audit: Any) -> str:
    """Return the row of a benchmark: only counts, shares and our own words."""
    evidence = audit.evidence
    n_systems = evidence.discrimination.n_systems if evidence.discrimination is not None else 0
    if evidence.discrimination is not None and evidence.discrimination.basis == "quick models":
        n_systems = 0
    n_items = audit.data.rows or (evidence.discrimination.n_test if evidence.discrimination is not None else None)
    if evidence.discrimination is not None and evidence.discrimination.basis == "scores":
        items = f"{len(evidence.discrimination.datasets)} datasets"
    else:
        items = f"{n_items:,}" if n_items else "–"
    kind = entry.kind or (audit.data.task.replace("-", " ") if audit.data.rows else "leaderboard")
    cells = [
        entry.title,
        kind,
        items,
        f"{n_systems:,}" if n_systems else "none",
        describe_leakage(evidence),
        describe_shortcuts(evidence),
        describe_suspects(evidence),
        describe_discrimination(evidence),
        describe_saturation(evidence),
        describe_forecast(evidence),
        entry.change,
    ]
    return f"| {' | '.join(cells)} |"


def describe_leakage(evidence: Any) -> str:
    """Return the share of test items that are in train, or of copies within the data."""
    profile = evidence.profile
    if profile is None or not profile.data.n_items:
        return "no texts"
    near = {(row.part, row.kind): row.items for row in profile.overlaps if row.part == "test"} or {
        (row.part, row.kind): row.items for row in profile.overlaps
    }
    if not near:
        return f"one part; {percent(profile.copies.share)} copies"
    part = next(iter(near))[0]
    counts = [f"{kind} {percent(near[part, kind].share)}" for kind in ("exact", "near") if (part, kind) in near]
    return f"{part}: {', '.join(counts)}"


def describe_shortcuts(evidence: Any) -> str:
    """Return what the best trivial baseline scores compared with chance, or what shortcuts alone score."""
    information, task = evidence.information, evidence.task
    if information is not None:
        majority = next((row.accuracy.value for row in information.shortcuts.baselines if row.name == "majority"), None)
        beside = "" if majority is None else f" (majority {percent(majority)})"
        return f"shortcut model {percent(information.shortcuts.shortcut_model.accuracy)}{beside}"
    if task is not None and task.baselines:
        usable = [row for row in task.baselines if row.shortcut != "model"] or task.baselines
        best = max(usable, key=lambda row: row.value)
        chance = f" (chance {percent(task.chance)})" if task.chance == task.chance else ""
        return f"{best.baseline.replace('-', ' ')} {percent(best.value)}{chance}"
    return "–"


def describe_suspects(evidence: Any) -> str:
    """Return the expected number of bad items."""
    discrimination, information = evidence.discrimination, evidence.information
    found = discrimination.suspects if discrimination is not None and discrimination.n_systems > 1 else None
    if found is None and information is not None:
        found = getattr(information, "suspects", None)
    if found is None:
        return "–"
    return format_interval(found.expected_bad, "rounded:0")


def describe_discrimination(evidence: Any) -> str:
    """Return λ_hit or the number of datasets, and how many systems may be first."""
    found = evidence.discrimination
    if found is None:
        return "–"
    if found.basis == "quick models" or found.n_systems < 2:
        return "no systems to rank"
    parts = []
    row = found.datasets[0]
    if len(found.datasets) == 1 and row.lambda_hit.value == row.lambda_hit.value:
        parts.append(f"λ_hit {row.lambda_hit.value:.3f} ({row.lambda_hit_null:.2f} if equal)")
    ranked = [system for system in found.systems if system.rank_low is not None]
    if ranked:
        n_first = sum(system.rank_low == 1 for system in ranked)
        parts.append(f"{n_first} may be first")
    return "; ".join(parts) or "too few systems"


def describe_saturation(evidence: Any) -> str:
    """Return the headroom, and the share of items that all systems get right."""
    found = evidence.discrimination
    if found is None or found.basis == "quick models" or found.n_systems < 2:
        return "–"
    if len(found.datasets) > 1:
        n_full = sum(row.headroom < 2 for row in found.datasets)
        return f"{n_full} of {len(found.datasets)} with headroom < 2"
    text = f"headroom {found.datasets[0].headroom:.1f}"
    for items in (found.items or ())[:1]:
        text += f"; all right on {percent(items.n_all_right / items.n_items)}"
    return text


def describe_forecast(evidence: Any) -> str:
    """Return λ_var as forecast from the data alone."""
    found = evidence.forecast
    if found is None:
        return "–"
    text = f"λ_var {found.lambda_var.value:.1f} [{found.lambda_var.low:.1f}, {found.lambda_var.high:.1f}]"
    return f"{text}, out of range" if found.out_of_range else text


def percent(share: float) -> str:
    """Write a share.

    >>> percent(0.0512), percent(0.41)
    ('5.1%', '41%')
    """
    return f"{100 * share:.1f}%" if 0 < share < 0.1 else f"{100 * share:.0f}%"


COLUMNS = (
    *("benchmark", "kind", "items", "systems", "leakage", "shortcuts", "suspects", "discrimination", "saturation"),
    *("forecast", "what we would change"),
)


def write_table(rows: list[str]) -> str:
    """Return the table in Markdown."""
    return "\n".join([f"| {' | '.join(COLUMNS)} |", "|" + "---|" * len(COLUMNS), *rows])


def main() -> None:
    """Audit what is named, or everything, and print or write the table."""
    parser = argparse.ArgumentParser()
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--write", action="store_true", help="write the table into docs/atlas.md")
    parser.add_argument("--cache", type=Path, default=CACHE, help="folder of finished audits")
    options = parser.parse_args()
    options.cache.mkdir(parents=True, exist_ok=True)
    names = options.names or list(ENTRIES)
    table = write_table([write_row(ENTRIES[name], audit_entry(name, options.cache)) for name in names])
    if not options.write:
        print(table)
        return
    before, _, rest = PAGE.read_text(encoding="utf-8").partition(START)
    _, _, after = rest.partition(END)
    PAGE.write_text(f"{before}{START}\n{table}\n{END}{after}", encoding="utf-8")


if __name__ == "__main__":
    main()
