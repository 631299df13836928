"""Defects planted in made-up benchmarks of every kind: how often they are found, and how often clean data is accused.

Run with: python -m benchmarks.planted_kinds [--seeds 10] [--first 0] [--jobs 1]
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import Any

import numpy as np
from joblib import Parallel, delayed

import assay
from assay.audits import FINDINGS
from benchmarks._bars import is_rare, print_bar

WORDS = [f"w{number}" for number in range(400)]
Rows = dict[str, list[Any]]
N = 240


MIN_FOUND = 0.95


def draw(rng: np.random.Generator, n_words: int) -> str:
    return " ".join(rng.choice(WORDS, n_words, replace=False))


def name_parts() -> list[str]:
    return ["test" if row % 4 == 3 else "train" for row in range(N)]


def copy_some(cells: list[Any], rng: np.random.Generator) -> None:
    """Copy the cells of random training rows into a tenth of the test rows."""
    for row in range(3, N, 40):
        cells[row] = cells[int(rng.integers(N // 4)) * 4]


def make_quiz(rng: np.random.Generator, defect: str = "") -> Rows:
    rows: Rows = {"context": [], "question": [], "choices": [], "answer": [], "split": name_parts()}
    for _ in range(N):
        options = [draw(rng, 4) for _ in range(4)]
        key = 2 if defect == "position" else int(rng.integers(4))
        if defect == "drift" and rows["split"][len(rows["question"])] == "test":
            key = min(key, *rng.integers(4, size=2).tolist())  # the first letters are right more often in test
        longest = key if defect == "length" and rng.random() < 0.6 else int(rng.integers(4))
        options[longest] += " and more"
        if defect == "wording" and rng.random() < 0.6:
            options[key] += " surely"
        if defect == "options" and len(rows["question"]) % 30 == 0:
            options[0] = options[1]
        rows["context"].append(draw(rng, 12))
        rows["question"].append(f"{draw(rng, 9)}?")
        rows["choices"].append(options)
        rows["answer"].append(key)
    if defect == "contexts":
        copy_some(rows["context"], rng)
    if defect == "leak":
        for name in ("context", "question", "choices", "answer"):
            copy_some(rows[name], np.random.default_rng(7))
    return rows


def make_grades(rng: np.random.Generator, defect: str = "") -> Rows:
    """Make 240 graded texts of twelve subjects; the grade is noise, goes by length, or by the words of the subject."""
    rows: Rows = {"text": [], "score": [], "subject": [], "split": name_parts()}
    for row in range(N):
        subject, n_words = row % 12, int(rng.integers(6, 24))
        grade = float(rng.normal(3, 1))
        if defect == "length":
            grade = n_words / 5 + 0.3 * grade
        if defect == "subjects":
            grade = 5 * subject % 12 / 3 + 0.3 * grade
        if defect == "drift" and rows["split"][row] == "test":
            grade += 1
        own = " ".join(f"s{subject}x{place}" for place in range(4)) if defect == "subjects" else ""
        rows["text"].append(f"{draw(rng, n_words)} {own}".strip())
        rows["score"].append(f"{grade:.3f}")
        rows["subject"].append(f"s{subject}")
    if defect == "leak":
        copy_some(rows["text"], rng)
    return rows


def make_pairs(rng: np.random.Generator, defect: str = "") -> Rows:
    rows: Rows = {"prompt": [], "response_a": [], "response_b": [], "winner": []}
    for _ in range(N):
        first = rng.random() < (0.8 if defect == "position" else 0.5)
        longer = rng.random() < (0.75 if defect == "length" else 0.5)
        texts = [draw(rng, 5), draw(rng, 9)]
        better, worse = (texts[1], texts[0]) if longer else (texts[0], texts[1])
        if defect == "style" and rng.random() < 0.6:
            better = "- " + better.replace(" ", "\n- ", 1)
        rows["prompt"].append(draw(rng, 8))
        rows["response_a"].append(better if first else worse)
        rows["response_b"].append(worse if first else better)
        rows["winner"].append("a" if first else "b")
    return rows


def make_questions(rng: np.random.Generator, defect: str = "") -> Rows:
    contexts = [draw(rng, 20) for _ in range(N)]
    if defect == "contexts":
        copy_some(contexts, rng)
    answers = [[context.split()[3]] for context in contexts]
    return {
        "context": contexts,
        "question": [f"{draw(rng, 5)}?" for _ in range(N)],
        "answers": answers,
        "split": name_parts(),
    }


def make_tags(rng: np.random.Generator, defect: str = "") -> Rows:
    tokens = [draw(rng, 9).split() for _ in range(N)]
    tags = [[str(rng.choice(["O", "B-x"], p=[0.8, 0.2])) for _ in row] for row in tokens]
    if defect == "flipped":  # copies whose tags differ
        for row in range(0, 40, 4):
            tokens[row + 1] = tokens[row]
            tags[row + 1] = ["B-x" if tag == "O" else "O" for tag in tags[row]]
    if defect == "leak":
        copy_some(tokens, np.random.default_rng(7))
        copy_some(tags, np.random.default_rng(7))
    return {"tokens": tokens, "tags": tags, "split": name_parts()}


def make_labels(rng: np.random.Generator, defect: str = "") -> Rows:
    texts = [draw(rng, 12) for _ in range(N)]
    if defect == "leak":
        copy_some(texts, rng)
    sets = [[name for name in "abcd" if rng.random() < 0.4] or ["a"] for _ in range(N)]
    if defect == "length":  # one label goes with long texts
        sets = [["a"] if rng.random() < 0.5 else ["b"] for _ in range(N)]
        texts = [draw(rng, 20 if labels == ["a"] else 8) for labels in sets]
    return {"text": texts, "labels": sets, "split": name_parts()}


def make_summaries(rng: np.random.Generator, defect: str = "") -> Rows:
    sources = [draw(rng, 30) for _ in range(N)]
    references = [draw(rng, 8) for _ in range(N)]
    if defect == "leak":
        copy_some(sources, np.random.default_rng(7))
        copy_some(references, np.random.default_rng(7))
    if defect == "references":
        for row in range(0, N, 20):
            references[row] = ""
    return {"source": sources, "reference": references, "split": name_parts()}


CASES: list[tuple[str, str, Callable[..., Rows], str]] = [
    ("multiple choice", "leak", make_quiz, "A101"),
    ("multiple choice", "position", make_quiz, "A411"),
    ("multiple choice", "length", make_quiz, "A412"),
    ("multiple choice", "wording", make_quiz, "A410"),
    ("multiple choice", "options", make_quiz, "A413"),
    ("multiple choice", "contexts", make_quiz, "A414"),
    ("multiple choice", "drift", make_quiz, "A204"),
    ("graded", "leak", make_grades, "A101"),
    ("graded", "drift", make_grades, "A204"),
    ("graded", "length", make_grades, "A415"),
    ("graded", "subjects", make_grades, "A207"),
    ("preference", "style", make_pairs, "A415"),
    ("preference", "position", make_pairs, "A411"),
    ("preference", "length", make_pairs, "A412"),
    ("question answering", "contexts", make_questions, "A414"),
    ("tagging", "flipped", make_tags, "A104"),
    ("tagging", "leak", make_tags, "A101"),
    ("multilabel", "leak", make_labels, "A101"),
    ("multilabel", "length", make_labels, "A415"),
    ("generation", "leak", make_summaries, "A101"),
    ("generation", "references", make_summaries, "A413"),
]


def main() -> None:
    """Audit every case and its control with several seeds."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--first", type=int, default=0, help="the first seed")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--kind", help="Only this kind, such as 'graded'.")
    options = parser.parse_args()
    seeds = range(options.first, options.first + options.seeds)
    cases = [case for case in CASES if options.kind in (None, case[0])]
    print(f"{'kind':20} {'defect':12} {'code':6} found  false alarms")
    n_found = n_alarms = 0
    with Parallel(n_jobs=options.jobs) as run:
        for kind, defect, make, code in cases:
            raised = run(delayed(raises)(make, planted, code, seed) for planted in (defect, "") for seed in seeds)
            counts = sum(raised[: len(seeds)]), sum(raised[len(seeds) :])
            print(f"{kind:20} {defect:12} {code:6} {counts[0]:2}/{len(seeds)}  {counts[1]:2}/{len(seeds)}", flush=True)
            n_found, n_alarms = n_found + counts[0], n_alarms + counts[1]
    n = len(cases) * len(seeds)
    print_bar(f"{n_found} of {n} found", is_held=n_found >= MIN_FOUND * n)
    print_bar(f"{n_alarms} of {n} clean audits with a false alarm", is_held=is_rare(n_alarms / n, 0.01, n))


def raises(make: Callable[..., Rows], defect: str, code: str, seed: int) -> bool:
    """Return whether an audit of made-up data has the finding as an error or warning."""
    return code in audit_codes(make(np.random.default_rng(seed), defect), code)


def audit_codes(rows: Rows, code: str) -> set[str]:
    """Return the codes of errors and warnings of the sections that can find the defect."""
    section = FINDINGS[code].section
    audit = assay.audit(rows, only=[section] if section in ("model", "splits") else ["profile", "task"])
    return {finding.code for finding in audit.findings if finding.severity != "note"}


if __name__ == "__main__":
    main()
