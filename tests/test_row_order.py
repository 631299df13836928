"""Shuffled rows with the same ids give the same numbers, in every command."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import assay
from assay.data.row_order import invert_order, sort_ids, sort_rows
from assay.splits.registry import SPLITS

SHARED = Path(__file__).resolve().parents[2] / "shared" / "data"
FROM_FILE_ORDER = {"fingerprint", "seconds"}  # a hash of the file as it is, and the time a search took
Table = pl.DataFrame


def read_shared(name: str, n_rows: int) -> Table:
    """Return some rows of a real dataset, drawn from all of it, or skip if the file is missing."""
    path = SHARED / name
    if not path.exists():
        pytest.skip(f"needs the real data file ../shared/data/{name}")
    table = pl.read_csv(path, separator="\t", quote_char=None, infer_schema_length=0)
    return table.gather_every(max(table.height // n_rows, 1)).head(n_rows)


def read_texts() -> Table:
    return read_shared("trec/trec.tsv.gz", 240)


def read_pairs() -> Table:
    return read_shared("msrp/msrp.tsv.gz", 160)


def read_graded() -> Table:
    grades = np.random.default_rng(0).uniform(0, 5, 160).round(1)
    return read_pairs().with_columns(label=pl.Series(grades).cast(pl.String))


def read_questions() -> Table:
    return read_shared("mmlu_redux/items.tsv.gz", 120).drop("error_type", "correct_answer")


def read_answers() -> Table:
    return read_shared("mmlu_redux/pred_labels.tsv.gz", 3000)[:, :7].filter(pl.col("id").is_in(read_questions()["id"]))


def read_long_answers() -> Table:
    return read_answers().unpivot(index="id", variable_name="system", value_name="predicted")


def read_emotions() -> Table:
    return read_shared("goemotions/goemotions.tsv.gz", 160)


def read_tags() -> Table:
    words = read_texts()["text"].str.split(" ").list.head(8)
    tags = [["NNP" if word[:1].isupper() else "NN" for word in row] for row in words.to_list()]
    return pl.DataFrame({"id": read_texts()["id"], "tokens": words, "tags": tags}).head(120)


def audit(*tables: Table) -> Any:
    return assay.audit(*tables).to_dict()


def audit_without_ids(table: Table) -> Any:
    """Return the numbers alone: the ids are row numbers, which differ in shuffled rows."""
    return {path: value for path, value in walk(audit(table.drop("id"))) if not isinstance(value, str)}


def rate_items(table: Table) -> Any:
    result = assay.rate_difficulty(table)
    return [result.to_dict(), result.items().sort("id").to_dicts()]


def measure_items(table: Table) -> Any:
    result = assay.measure_information(table)
    items = result.items.with_columns(id=table["id"].gather(result.items["row"])).drop("row")
    return [result.to_dict(), items.sort("id").to_dicts()]


def train_model(table: Table) -> Any:
    run = assay.train(table)
    assert run.ids == table["id"].to_list()
    return [run.to_dict(), run.to_predictions().sort("system", "id").to_dicts()]


def search_corpus(table: Table) -> Any:
    texts = read_texts()["text"].gather_every(5)
    return assay.find_contamination(table, texts).to_dict()


def review(data: Table, answers: Table) -> Any:
    """Return a plan, and what it gives if every third item of the data is bad."""
    bad = read_questions()["id"].gather_every(3).to_list()
    plan = assay.plan_review(data, predictions=answers, budget=30)
    verdict = pl.when(pl.col("id").is_in(bad)).then(pl.lit("bad")).otherwise(pl.lit("ok"))
    result = assay.estimate_review(data, plan.items.with_columns(verdict=verdict), answers, budget=20)
    assert result.plan is not None
    return [plan.to_dict(), result.to_dict(), result.plan["id"].to_list()]


def decide_first_two(*tables: Table) -> Any:
    baseline, candidate = [name for name in tables[-1].columns if name not in ("id", "gold")][:2]
    return assay.decide(*tables, baseline=baseline, candidate=candidate, plan=True).to_dict()


def rate_systems(table: Table) -> Any:
    return assay.rate_votes(table).to_dict()


def compare_scores(table: Table) -> Any:
    """Return what is measured by name: datasets and systems are listed in the order of the table."""
    result = assay.discriminate(table).to_dict()
    names = {"datasets": "dataset", "systems": "system"}
    named = {
        kind: {row[name]: {key: value for key, value in row.items() if key != name} for row in result[kind]}
        for kind, name in names.items()
    }
    return {**result, **named, "keep": [{**row, "chosen": sorted(row["chosen"])} for row in result["keep"]]}


def read_scores() -> Table:
    generator = np.random.default_rng(0)
    rows = [
        (f"system {system}", f"dataset {dataset}", round(50 + 5 * system + 3 * generator.normal(), 2))
        for system in range(8)
        for dataset in range(5)
    ]
    return pl.DataFrame(rows, schema=["system", "dataset", "score"], orient="row")


def read_responses() -> Table:
    rows = read_answers().unpivot(index="id", variable_name="system", value_name="extracted")
    return rows.filter(pl.col("system") != "gold").with_columns(
        response="So the answer is (" + pl.col("extracted") + ")."
    )


def read_votes() -> Table:
    return read_shared("pandalm_votes/votes.tsv.gz", 900).rename({"majority": "winner"})


def read_verdicts() -> Table:
    return read_shared("llmbar/verdicts_order_12.tsv.gz", 300)[:, :7]


CASES: dict[str, tuple[Callable[..., Any], tuple[Callable[[], Table], ...]]] = {
    "audit of texts": (audit, (read_texts,)),
    "audit of texts without ids": (audit_without_ids, (read_texts,)),
    "audit of pairs": (audit, (read_pairs,)),
    "audit of graded pairs": (audit, (read_graded,)),
    "audit of multiple choice with answers": (audit, (read_questions, read_answers)),
    "audit of label sets": (audit, (read_emotions,)),
    "audit of tags": (audit, (read_tags,)),
    "profile": (lambda table: assay.profile(table).to_dict(), (read_texts,)),
    "difficulty of texts": (rate_items, (read_texts,)),
    "difficulty of pairs": (rate_items, (read_pairs,)),
    "information": (measure_items, (read_texts,)),
    "suspects": (lambda *tables: assay.find_suspects(*tables).to_dict(), (read_questions, read_answers)),
    "review": (review, (read_questions, read_answers)),
    "suspects of a long table": (
        lambda *tables: assay.find_suspects(*tables).to_dict(),
        (read_questions, read_long_answers),
    ),
    "suspects by texts": (lambda table: assay.find_suspects(table).to_dict(), (read_texts,)),
    "training": (train_model, (lambda: read_texts().drop("split"),)),
    "training on multiple choice": (train_model, (read_questions,)),
    "comparison of parts": (lambda table: assay.compare(table, n_permutations=20).to_dict(), (read_texts,)),
    "contamination": (search_corpus, (read_texts,)),
    "evaluation": (lambda *tables: assay.evaluate(*tables).to_dict(), (read_questions, read_answers)),
    "evaluation without data": (lambda table: assay.evaluate(None, table).to_dict(), (read_answers,)),
    "decision": (decide_first_two, (read_questions, read_answers)),
    "discrimination by answers": (
        lambda data, answers: assay.discriminate(predictions=answers, data=data, measures=True).to_dict(),
        (read_questions, read_answers),
    ),
    "discrimination by scores": (compare_scores, (read_scores,)),
    "judges": (lambda table: assay.audit_judges(table).to_dict(), (read_verdicts,)),
    "responses": (lambda *tables: assay.audit_responses(*tables).to_dict(), (read_questions, read_responses)),
    "votes": (rate_systems, (read_votes,)),
    "a sample of rows": (lambda table: sorted(assay.read(table, sample=50).ids), (read_texts,)),
}


@pytest.mark.parametrize("name", CASES)
def test_shuffled_rows_give_the_same_numbers(name):
    measure, readers = CASES[name]
    tables = [read() for read in readers]
    expected = dict(walk(measure(*tables)))
    computed = dict(walk(measure(*(shuffle(table, seed) for seed, table in enumerate(tables)))))
    differing = [
        f"{path}: {expected.get(path)} != {computed.get(path)}"
        for path in sorted(expected.keys() | computed.keys())
        if not is_same(expected.get(path), computed.get(path))
    ]
    assert not differing, "\n".join(differing[:20])


@pytest.mark.parametrize("method", list(SPLITS))
def test_shuffled_rows_are_split_in_the_same_way_copies_included(method):
    table = read_texts().drop("split").head(80)
    copies = table.head(30).with_columns(id="copy-" + pl.col("id"))
    table = pl.concat([table, copies]).with_columns(time=(1900 + pl.int_range(110)).cast(pl.String))

    def split(rows: Table) -> dict[str, Any]:
        frame = assay.split(assay.read(rows, time="time"), method, test_size=0.25, random_state=3).to_frame()
        return dict(frame.select("id", frame.columns[-1]).iter_rows())

    assert split(table) == split(shuffle(table, 1))


def test_the_result_of_each_item_stays_with_its_row():
    table = shuffle(read_texts(), 1)
    result = assay.audit(table, only=["profile"])
    assert result.items["id"].to_list() == table["id"].to_list()
    assert assay.rate_difficulty(table).items()["id"].to_list() == table["id"].to_list()


def test_ids_are_sorted_with_numbers_by_value():
    ids = ["q10", "q9", "b", "10", "9", "a-2-b", "a-1-b"]
    assert [ids[row] for row in sort_ids(ids)] == ["9", "10", "a-1-b", "a-2-b", "b", "q9", "q10"]


def test_rows_without_ids_are_sorted_by_content():
    data = assay.read({"text": ["b", "a", "a"], "label": ["x", "y", "x"]})
    assert sort_rows(data).tolist() == [2, 1, 0]
    assert data.sort_rows().ids.to_list() == ["2", "1", "0"]


def test_an_order_is_inverted():
    order = np.random.default_rng(0).permutation(20)
    assert order[invert_order(order)].tolist() == list(range(20))


def shuffle(table: Table, seed: int) -> Table:
    return table[np.random.default_rng(seed).permutation(table.height)]


def walk(value: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """Yield every value by its path, without what describes the file itself."""
    if isinstance(value, dict):
        for key, inner in value.items():
            if key not in FROM_FILE_ORDER:
                yield from walk(inner, f"{path}/{key}")
    elif isinstance(value, list | tuple):
        for place, inner in enumerate(value):
            yield from walk(inner, f"{path}/{place}")
    else:
        yield path, value


def is_same(a: Any, b: Any) -> bool:
    if isinstance(a, float) and isinstance(b, float):
        return math.isclose(a, b, rel_tol=1e-9, abs_tol=1e-12) or (math.isnan(a) and math.isnan(b))
    return bool(a == b)
