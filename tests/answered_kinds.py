"""Small data of several kinds of task, with the right answers."""

from __future__ import annotations

N = 40
TEXTS = [f"text {n} about the words of item {n * 7}" for n in range(N)]
SUMMARIES = [f"a summary of item {n} that is long enough to be a text of {n * 3} words" for n in range(N)]
GRADES = [str(n * 7 % 13 / 3) for n in range(N)]
LETTERS = ["ABC"[n % 3] for n in range(N)]
CLASSES = ["ab"[n % 2] for n in range(N)]
TAGS = "B-PER O O B-LOC"
# Of each kind: the data, the right answers, and what half of them scores by each metric.
KINDS = {
    "classification": (
        {"text": TEXTS, "label": CLASSES},
        CLASSES,
        {"accuracy": 0.5, "recall": 0.5, "f1": 2 / 3, "macro-f1": 2 / 3},
    ),
    "multiple choice": (
        {"question": TEXTS, "choices": [["x", "y", f"z{n}"] for n in range(N)], "answer": LETTERS},
        LETTERS,
        {"accuracy": 0.5, "chance-corrected-accuracy": 0.25},
    ),
    "multilabel": (
        {"text": TEXTS, "labels": [["p", "q"], ["r"]] * (N // 2)},
        ["p|q", "r"] * (N // 2),
        {"micro-f1": 2 / 3, "subset-accuracy": 0.5},
    ),
    "tagging": (
        {"tokens": [["Ada", "lives", "in", "Rome"]] * N, "ner_tags": [TAGS.split()] * N},
        [TAGS] * N,
        {"entity-f1": 2 / 3, "token-accuracy": 0.5},
    ),
    "qa": (
        {
            "context": TEXTS,
            "question": [f"what {n}?" for n in range(N)],
            "answers": [[f"item {n * 7}"] for n in range(N)],
        },
        [f"item {n * 7}" for n in range(N)],
        {"exact-match": 0.5, "token-f1": 0.5},
    ),
    "generation": ({"source": TEXTS, "summary": SUMMARIES}, SUMMARIES, {"rouge-l": 0.5}),
    "preference": (
        {"prompt": TEXTS, "response_a": TEXTS, "response_b": SUMMARIES, "winner": CLASSES},
        CLASSES,
        {"accuracy": 0.5, "tie-aware-accuracy": 0.5},
    ),
}
