"""What `split` keeps whole for each kind of task."""

from __future__ import annotations

import json

import numpy as np
import pytest

import assay
from assay.kinds import read

N = 120


def make_quiz(n_subjects: int = 12):
    rng = np.random.default_rng(0)
    return {
        "question": [f"what {' '.join(rng.choice(list('abcdefgh'), row % 5 + 1))} {row}?" for row in range(N)],
        "choices": [["x", "y", "z"]] * N,
        "answer": ["ABC"[row % 3] for row in range(N)],
        "subject": [f"s{row % n_subjects}" for row in range(N)],
    }


CONTEXTS = [f"a passage about number {row // 4} and nothing else at all" for row in range(N)]
SHARED = {
    "contexts of questions": (make_quiz() | {"context": CONTEXTS}, "context"),
    "subjects of questions": (make_quiz(), "subject"),
    "contexts of answers": (
        {
            "context": CONTEXTS,
            "question": [f"which {row}?" for row in range(N)],
            "answers": [["number"]] * N,
        },
        "context",
    ),
    "documents": (
        {
            "tokens": [["w", f"t{row}"] for row in range(N)],
            "tags": [["O", "B-x"]] * N,
            "document": [f"d{row // 4}" for row in range(N)],
        },
        "document",
    ),
    "prompts": (
        {
            "prompt": [f"prompt {row // 4}" for row in range(N)],
            "response_a": [f"a {row}" for row in range(N)],
            "response_b": [f"b {row}" for row in range(N)],
            "winner": ["a", "b"] * (N // 2),
        },
        "prompt",
    ),
}


def count_divided(rows, column, result) -> int:
    """Count the groups that are in several folds."""
    folds = result.draws[0].folds
    names = np.array(rows[column])
    return sum(len(set(folds[names == name].tolist())) > 1 for name in set(rows[column]))


METHODS = [(what, method) for what in SHARED for method in ("random", "stratified", "same-size-k-means")]


# Free texts have no strata.
@pytest.mark.parametrize(
    ("what", "method"), [pair for pair in METHODS if pair != ("contexts of answers", "stratified")]
)
def test_what_belongs_together_stays_whole(what, method):
    rows, column = SHARED[what]
    assert count_divided(rows, column, assay.split(rows, method, n_splits=5)) == 0


@pytest.mark.parametrize("what", SHARED)
def test_the_user_can_decline_groups(what):
    rows, column = SHARED[what]
    result = assay.split(read(rows, group="none"), "random", n_splits=5)
    assert count_divided(rows, column, result) > 5
    assert result.draws[0].sizes == dict.fromkeys(result.draws[0].sizes, N // 5)


def test_subjects_are_divided_where_a_method_cannot_keep_them_whole():
    result = assay.split(make_quiz(), "length", test_size=0.25)
    assert result.notes[0].startswith("Rows with the same subject are divided: The length split finds no threshold")
    whole = assay.split(make_quiz(), "random", n_splits=5)
    assert whole.notes[0].startswith("Rows with the same subject stay together; --group none")
    assert whole.notes[1] == "12 groups of 120 rows stay whole."


def test_few_subjects_are_not_groups():
    result = assay.split(make_quiz(n_subjects=4), "random", n_splits=5)
    assert count_divided(make_quiz(n_subjects=4), "subject", result) == 4
    assert result.notes == []


def test_groups_that_are_named_come_first():
    rows = make_quiz() | {"author": [f"p{row // 6}" for row in range(N)]}
    result = assay.split(read(rows, group="author"), "random", n_splits=5)
    assert count_divided(rows, "author", result) == 0
    assert count_divided(rows, "subject", result) > 0


def test_the_command_declines_groups_by_name(tmp_path, capsys):
    from assay.cli.main import status

    path = tmp_path / "quiz.jsonl"
    rows = make_quiz()
    lines = [json.dumps({name: cells[row] for name, cells in rows.items()}) for row in range(N)]
    path.write_text("\n".join(lines), encoding="utf-8")
    assert status(["split", str(path), "-m", "random", "--n-folds", "5"]) == 0
    assert "Rows with the same subject stay together" in capsys.readouterr().err
    assert status(["split", str(path), "-m", "random", "--n-folds", "5", "--group", "none"]) == 0
    assert "stay together" not in capsys.readouterr().err
