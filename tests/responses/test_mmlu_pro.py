"""The 220 responses of MMLU-Pro that people read: rules were chosen on every second one of each model."""

from __future__ import annotations

import gzip
import json
import re
from collections import Counter

import pytest

import assay
from assay.responses import AnswerForm, read_response

NAIVE = re.compile(r"answer is \(?([A-J])\)?")


@pytest.fixture(scope="module")
def folder(shared):
    return shared("mmlu_pro_responses")


@pytest.fixture(scope="module")
def items(folder):
    with gzip.open(folder / "items.jsonl.gz", "rt", encoding="utf-8") as file:
        return {str(row["id"]): row for row in map(json.loads, file)}


@pytest.fixture(scope="module")
def responses(folder):
    with gzip.open(folder / "responses.jsonl.gz", "rt", encoding="utf-8") as file:
        return {(row["model"], str(row["id"])): row for row in map(json.loads, file)}


@pytest.fixture(scope="module")
def held_out(folder):
    """Return the half of the responses on which no rule was chosen."""
    lines = gzip.decompress((folder / "read.tsv.gz").read_bytes()).decode("utf-8").splitlines()
    names, counts, rows = lines[0].split("\t"), Counter(), []
    for line in lines[1:]:
        row = dict(zip(names, line.split("\t"), strict=True))
        if counts[row["model"]] % 2:
            rows.append(row)
        counts[row["model"]] += 1
    return rows


def test_what_people_read_is_read(held_out, items, responses):
    n = right = naive = states = 0
    for row in held_out:
        text = responses[row["model"], row["id"]]["response"]
        reading = read_response(text, AnswerForm("options", tuple(items[row["id"]]["options"])))
        states += reading.state == row["state"].replace("degenerate", "looping")
        if row["sure"] == "1":
            n += 1
            right += (reading.answer or "") == row["final"]
            match = NAIVE.search(text)
            naive += (match.group(1) if match else "") == row["final"]
    assert n == 91
    assert right / n >= 0.985
    assert naive / n < 0.97
    assert states / len(held_out) >= 0.94


def test_scores_as_graded_are_those_of_the_source_and_invented_answers_are_counted(folder, items, responses):
    models = ("Meta-Llama-3_1-8B", "c4ai-command-r-v01")
    rows = [row for (model, _), row in responses.items() if model in models]
    result = assay.audit_responses(folder / "items.jsonl.gz", rows)
    llama, command = result.systems
    assert (llama.graded.value, llama.invented, llama.recovered) == (0.361, 73, 0)
    assert command.graded.value == 0.377
    assert command.recovered >= 40
    assert command.read.value > command.graded.value
    assert result.form == "options"
    assert {row.subject for row in result.subjects} == {item["category"] for item in items.values()}
    # As often right as guesses among ten options.
    assert llama.invented_right / llama.invented < 0.25
