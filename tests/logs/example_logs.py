"""Sample files of lm-evaluation-harness for several models and tasks, made for tests."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np

DATE = "2026-01-01T00-00-00.000000"
SUBJECTS = ("history", "rivers", "metals", "verbs", "planets")


def write_quiz(
    folder: Path,
    task: str,
    abilities: dict[str, float],
    *,
    n_items: int = 60,
    seed: int = 0,
    group: str | None = None,
) -> None:
    """Write the samples of a multiple-choice task; a system is right more often the larger its ability is."""
    generator = np.random.default_rng([seed, *task.encode()])
    difficulty = generator.normal(size=n_items)
    for number, (system, ability) in enumerate(abilities.items()):
        draws = np.random.default_rng([seed, number, *task.encode()]).random(n_items)
        right = draws < 1 / (1 + np.exp(difficulty - ability))
        home = folder / system.replace("/", "__")
        home.mkdir(parents=True, exist_ok=True)
        rows = [make_row(task, item, is_right=bool(right[item])) for item in range(n_items)]
        text = "".join(json.dumps(row) + "\n" for row in rows)
        (home / f"samples_{task}_{DATE}.jsonl").write_text(text)
        path = home / f"results_{DATE}.json"
        results = json.loads(path.read_text()) if path.exists() else {"model_name": system, "n-shot": {}}
        results["n-shot"][task] = 0
        if group is not None:
            results.setdefault("group_subtasks", {}).setdefault(group, []).append(task)
            results.setdefault("groups", {})[group] = {"acc,none": 0.5}
        path.write_text(json.dumps(results))


def make_row(task: str, item: int, *, is_right: bool) -> dict:
    """Return the sample of one item."""
    gold = item % 4
    best = gold if is_right else (gold + 1) % 4
    subject = SUBJECTS[item % len(SUBJECTS)]
    choices = [f"{task} answer {item * 4 + number}" for number in range(4)]
    question = f"Question {item} of {task} on {subject}?"
    return {
        "doc_id": item,
        "doc": {"question": question, "choices": choices, "answer": gold},
        "arguments": {f"gen_args_{n}": {"arg_0": question, "arg_1": f" {choice}"} for n, choice in enumerate(choices)},
        "target": str(gold),
        "filtered_resps": [[str(-1.0 - (choice != best)), "False"] for choice in range(4)],
        "filter": "none",
        "metrics": ["acc"],
        "doc_hash": f"{task}-{item}",
        "acc": float(is_right),
    }
