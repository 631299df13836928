"""Where points are lost in MMLU-Pro: scores as graded and as read of 18 models, agreement with people, time, memory."""

from __future__ import annotations

import gzip
import json
import re
import resource
import time
from collections import Counter
from pathlib import Path

from tests.responses import misleading

import assay
from assay.responses import AnswerForm, read_response
from assay.responses.reading.forms import are_same
from benchmarks._bars import print_bar
from benchmarks.responses_read import print_agreement

SHARED = Path(__file__).resolve().parents[2] / "shared" / "data"
MIN_STATES = 0.95  # share of the states that agree with people
NAIVE = re.compile(r"answer is \(?([A-J])\)?")


def read_people(folder: Path) -> list[dict[str, str]]:
    """Return the responses that people read; `half` says on which half rules were chosen."""
    lines = gzip.decompress((folder / "read.tsv.gz").read_bytes()).decode("utf-8").splitlines()
    names, counts, rows = lines[0].split("\t"), Counter(), []
    for line in lines[1:]:
        row = dict(zip(names, line.split("\t"), strict=True))
        row["half"] = "held out" if counts[row["model"]] % 2 else "chosen on"
        counts[row["model"]] += 1
        rows.append(row)
    return rows


def compare_with_people(folder: Path) -> None:
    """Print the agreement with people on both halves, and the states on the one that was held out."""
    with gzip.open(folder / "items.jsonl.gz", "rt", encoding="utf-8") as file:
        options = {str(row["id"]): tuple(row["options"]) for row in map(json.loads, file)}
    with gzip.open(folder / "responses.jsonl.gz", "rt", encoding="utf-8") as file:
        texts = {(row["model"], str(row["id"])): row["response"] for row in map(json.loads, file)}
    for half in ("chosen on", "held out"):
        rows = [row for row in read_people(folder) if row["half"] == half]
        table: Counter[tuple[str, str]] = Counter()
        n = right = naive = 0
        for row in rows:
            text = texts[row["model"], row["id"]]
            reading = read_response(text, AnswerForm("options", options[row["id"]]))
            table[row["state"].replace("degenerate", "looping"), reading.state] += 1
            if row["sure"] == "1":
                match = NAIVE.search(text)
                n += 1
                right += (reading.answer or "") == row["final"]
                naive += (match.group(1) if match else "") == row["final"]
        same = sum(count for (people, ours), count in table.items() if people == ours)
        print_bar(f"{half}: answer {right}/{n} = {right / n:.3f}, one pattern {naive / n:.3f}", is_held=right > naive)
        share = same / len(rows)
        print_bar(f"{half}: state {same}/{len(rows)} = {share:.3f}", is_held=share >= MIN_STATES)
        for (people, ours), count in sorted(table.items()):
            print(f"  people {people:14} read as {ours:14} {count}")


def read_misleading_texts() -> None:
    """Print how many answers and states of each batch of misleading texts agree, and what is wrong and sure."""
    for number, batch in enumerate(misleading.BATCHES, 1):
        answers = states = sure = 0
        for form, text, answer, state in batch:
            reading = read_response(text, misleading.FORMS[form])
            known = reading.answer is not None and answer is not None
            same = are_same(misleading.FORMS[form], reading.answer, answer) if known else reading.answer is answer
            answers += same
            states += reading.state == state
            sure += reading.answer is not None and reading.is_sure and not same
        print(
            f"misleading texts, batch {number}: {len(batch)}, answers {answers}, states {states}, wrong and sure {sure}"
        )


def main() -> None:
    """Print everything."""
    read_misleading_texts()
    folder = SHARED / "mmlu_pro_responses"
    if not folder.exists():
        print("needs ../shared/data/mmlu_pro_responses")
        return
    compare_with_people(folder)
    print_agreement(SHARED)
    start = time.perf_counter()
    result = assay.audit_responses(folder / "items.jsonl.gz", folder / "responses.jsonl.gz")
    seconds = time.perf_counter() - start
    print(result.to_markdown())
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"{result.n_responses:,} responses in {seconds:.1f} s, at most {memory:.0f} MB of memory")


if __name__ == "__main__":
    main()
