"""Give the cases of `next_to_others` to one tool, and write what it reports; run by the interpreter that has the tool.

    PYTHON next_to_others_tools.py TOOL CASES.json REPORTS.jsonl

Only the standard library, the tool and what the tool brings are imported. Every tool is used as its documentation
recommends, with default thresholds. A report says whether the defect was reported (`is_reported`), which items
(`items`, the most suspicious first), and the processor time. Cases that the file of reports has are not repeated.
"""

from __future__ import annotations

import importlib.metadata
import json
import sys
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

MARK = "vexmoor"  # the planted word
Case = dict[str, Any]
Report = dict[str, Any]
COPY_DEFECTS = ("leaks", "near copies", "paraphrases")
TOOLS: dict[str, tuple[str, Callable[[Case, str], Report]]] = {}


def tool(name: str, package: str) -> Callable[[Callable[[Case, str], Report]], Callable[[Case, str], Report]]:
    """Register a function that looks for one defect in a case."""

    def register(check: Callable[[Case, str], Report]) -> Callable[[Case, str], Report]:
        TOOLS[name] = package, check
        return check

    return register


def take_part(case: Case, part: str) -> list[dict[str, str]]:
    """Return the items of a part."""
    return [row for row in case["rows"] if row.get("split") == part]


def embed(texts: list[str]) -> Any:
    """Return sentence vectors; only the vectors of this package are at hand without a network."""
    return _load_vectors().embed(texts, norm=True)


_VECTORS: list[Any] = []


def _load_vectors() -> Any:
    if not _VECTORS:
        import wordllama

        folder = Path(wordllama.__file__).parent
        _VECTORS.append(wordllama.WordLlama.load(cache_dir=folder, disable_download=True))
    return _VECTORS[0]


_AUDITS: dict[str, Any] = {}


@tool("assay", "benchassay")
def check_with_assay(case: Case, defect: str) -> Report:
    """Run one audit for all defects of texts; the other inputs have functions of their own."""
    import assay

    if defect == "contamination":
        import polars as pl

        found = assay.find_contamination(case["rows"], pl.Series(case["corpus"]))
        return {"items": [hit.id for hit in found.hits], "is_reported": bool(found.hits)}
    if defect == "wrong gold":
        from assay.evaluation import Predictions

        gold, ids = [row["label"] for row in case["rows"]], [row["id"] for row in case["rows"]]
        found = assay.find_suspects(predictions=Predictions.from_arrays(gold, case["answers"], ids=ids))
        return {"items": found.items["id"].to_list(), "is_reported": found.suspected.count > 0}
    if defect in ("saturated board", "equal systems"):
        from assay.evaluation import Predictions

        ids = [row["id"] for row in case["rows"]]
        outcomes = {name: [float(cell) for cell in cells] for name, cells in case["answers"].items()}
        found = assay.discriminate(predictions=Predictions.from_arrays(None, outcomes, ids=ids))
        return {"items": None, "is_reported": found.datasets[0].verdict != "discriminates"}
    if case["name"] not in _AUDITS:
        _AUDITS.clear()
        _AUDITS[case["name"]] = assay.audit(case["rows"])
    return _read_audit(_AUDITS[case["name"]], defect, case["is_planted"])


def _read_audit(audit: Any, defect: str, is_planted: bool) -> Report:
    from assay.audits.flagged import mark_items

    codes = {
        "leaks": {"A101"},
        "near copies": {"A101", "A102"},
        "paraphrases": {"A101", "A102"},
        "wrong labels": {"A108"},
        "shortcut": {"A401", "A402", "A403", "A407"},
        "drift": {"A202", "A203"},
    }[defect]
    findings = [finding for finding in audit.findings if finding.code in codes]
    if is_planted and defect == "shortcut":
        findings = [finding for finding in findings if MARK in (*finding.words, finding.subject)]
    items: list[str] = []
    for finding in findings:
        items += audit.items.filter(mark_items(finding, audit.items))["id"].to_list()
    return {
        "items": None if defect in ("drift", "shortcut") else list(dict.fromkeys(items)),
        "is_reported": any(finding.severity != "note" for finding in findings),
        "is_noted": bool(findings),
    }


@tool("cleanlab", "cleanlab")
def check_with_cleanlab(case: Case, defect: str) -> Report | None:
    """Datalab on sentence vectors, and probabilities of a cross-validated classifier; votes for leaderboards."""
    import numpy as np
    from cleanlab import Datalab
    from cleanlab.filter import find_label_issues

    if defect == "wrong gold":
        names = sorted({row["label"] for row in case["rows"]})
        votes = np.array(list(case["answers"].values()))
        shares = np.stack([(votes == name).mean(axis=0) for name in names], axis=1)
        labels = np.array([names.index(row["label"]) for row in case["rows"]])
        order = find_label_issues(labels, shares, return_indices_ranked_by="self_confidence")
        return {"items": [case["rows"][place]["id"] for place in order], "is_reported": len(order) > 0}
    if defect not in ("wrong labels", "drift", *COPY_DEFECTS):
        return None
    rows = case["rows"] if defect == "wrong labels" else [*take_part(case, "train"), *take_part(case, "test")]
    texts, labels = [row["text"] for row in rows], [row["label"] for row in rows]
    if defect == "wrong labels":
        lab = Datalab({"text": texts, "label": labels}, label_name="label", verbosity=0)
        lab.find_issues(pred_probs=_cross_validate(texts, labels), issue_types={"label": {}})
        issues = lab.get_issues("label").reset_index(drop=True)
        flagged = issues[issues["is_label_issue"]].sort_values("label_score").index
        return {"items": [rows[place]["id"] for place in flagged], "is_reported": len(flagged) > 0}
    lab = Datalab({"text": texts}, verbosity=0)
    kind = "non_iid" if defect == "drift" else "near_duplicate"
    lab.find_issues(features=np.asarray(embed(texts)), issue_types={kind: {}})
    issues = lab.get_issues(kind).reset_index(drop=True)
    if defect == "drift":
        return {"items": None, "is_reported": bool(issues["is_non_iid_issue"].any())}
    test = {place for place, row in enumerate(rows) if row["split"] == "test"}
    flagged = issues[issues["is_near_duplicate_issue"]].index
    sets = issues["near_duplicate_sets"]
    across = [place for place in flagged if place in test and any(int(other) not in test for other in sets[place])]
    return {"items": [rows[place]["id"] for place in across], "is_reported": len(across) > 0}


def _cross_validate(texts: list[str], labels: list[str]) -> Any:
    """Return out-of-sample probabilities of a linear model over words and word pairs."""
    from sklearn.feature_extraction.text import TfidfVectorizer
    from sklearn.linear_model import LogisticRegression
    from sklearn.model_selection import cross_val_predict
    from sklearn.pipeline import make_pipeline

    model = make_pipeline(
        TfidfVectorizer(ngram_range=(1, 2), sublinear_tf=True), LogisticRegression(C=10, max_iter=500)
    )
    return cross_val_predict(model, texts, labels, cv=5, method="predict_proba")


@tool("semhash", "semhash")
def check_with_semhash(case: Case, defect: str) -> Report | None:
    """Compare test with train, or items with documents, by sentence vectors; default threshold 0.9."""
    from semhash import SemHash

    class Encoder:
        def encode(self, inputs: Any, **_: Any) -> Any:
            return embed(list(inputs))

    if defect == "contamination":
        train, test = case["corpus"], case["rows"]
    elif defect in COPY_DEFECTS:
        train, test = [row["text"] for row in take_part(case, "train")], take_part(case, "test")
    else:
        return None
    index = SemHash.from_records(train, model=Encoder())
    result = index.deduplicate([row["text"] for row in test])
    removed = {entry.record for entry in result.filtered}
    items = [row["id"] for row in test if row["text"] in removed]
    return {"items": items, "is_reported": bool(items)}


@tool("datasketch", "datasketch")
def check_with_datasketch(case: Case, defect: str) -> Report | None:
    """MinHash LSH over sets of words (0.5, candidates checked), and its ensemble for texts inside a document (0.8)."""
    from datasketch import MinHash, MinHashLSH, MinHashLSHEnsemble

    def sketch(text: str) -> Any:
        minhash = MinHash(num_perm=128)
        minhash.update_batch([word.encode() for word in set(text.lower().split())])
        return minhash

    if defect == "contamination":
        ensemble = MinHashLSHEnsemble(threshold=0.8, num_perm=128, num_part=16)
        documents = [(str(n), sketch(t), len(set(t.lower().split()))) for n, t in enumerate(case["corpus"])]
        ensemble.index(documents)
        items = []
        for row in case["rows"]:
            if any(True for _ in ensemble.query(sketch(row["text"]), len(set(row["text"].lower().split())))):
                items.append(row["id"])
        return {"items": items, "is_reported": bool(items)}
    if defect not in COPY_DEFECTS:
        return None
    lsh = MinHashLSH(threshold=0.5, num_perm=128)
    sketches = {str(number): sketch(row["text"]) for number, row in enumerate(take_part(case, "train"))}
    for key, minhash in sketches.items():
        lsh.insert(key, minhash)
    items = []
    for row in take_part(case, "test"):
        minhash = sketch(row["text"])
        if any(minhash.jaccard(sketches[key]) >= 0.5 for key in lsh.query(minhash)):
            items.append(row["id"])
    return {"items": items, "is_reported": bool(items)}


@tool("evidently", "evidently")
def check_with_evidently(case: Case, defect: str) -> Report | None:
    """Preset for data drift on texts and labels, with test as the current data and train as the reference."""
    if defect != "drift":
        return None
    import pandas as pd
    from evidently import DataDefinition, Dataset, Report
    from evidently.presets import DataDriftPreset

    definition = DataDefinition(text_columns=["text"], categorical_columns=["label"])
    parts = [
        Dataset.from_pandas(pd.DataFrame(take_part(case, part))[["text", "label"]], data_definition=definition)
        for part in ("test", "train")
    ]
    result = Report([DataDriftPreset()], include_tests=True).run(*parts).dict()
    failed = [test["name"] for test in result["tests"] if "FAIL" in str(test["status"]) and "column" in test["name"]]
    return {"items": None, "is_reported": bool(failed)}


@tool("fg-data-profiling", "fg-data-profiling")
def check_with_profiling(case: Case, defect: str) -> Report | None:
    """Alerts of the profile of texts and labels of both parts; what needs numbers or pictures is left out."""
    if defect not in ("leaks", "near copies"):
        return None
    import pandas as pd
    from data_profiling import ProfileReport

    frame = pd.DataFrame(case["rows"])[["text", "label"]]
    left_out = {"correlations": None, "interactions": None, "missing_diagrams": None, "samples": None}
    description = ProfileReport(frame, progress_bar=False, **left_out).get_description()
    alerts = [alert.alert_type.name for alert in description.alerts]
    return {"items": None, "is_reported": any("DUPLICATES" in name for name in alerts)}


@tool("evalstats", "evalstats")
def check_with_evalstats(case: Case, defect: str) -> Report | None:
    """Compare all systems in pairs; a board says nothing if no difference is significant."""
    if defect not in ("saturated board", "equal systems"):
        return None
    import evalstats
    import pandas as pd

    rows = [
        {"model": name, "item": row["id"], "score": float(cell)}
        for name, cells in case["answers"].items()
        for row, cell in zip(case["rows"], cells, strict=True)
    ]
    result = evalstats.compare(evalstats.load_from(pd.DataFrame(rows)), factors="model").to_dict()
    return {"items": None, "is_reported": not any(pair["significant"] for pair in result["pairwise"])}


@tool("girth", "girth")
def check_with_girth(case: Case, defect: str) -> Report | None:
    """Order items by their discrimination in the two-parameter model, the lowest first; it names no suspects.

    Items that all or no judges get right have none, and are last.
    """
    if defect != "wrong gold" or not case["is_planted"]:
        return None
    import girth
    import numpy as np

    gold = np.array([row["label"] for row in case["rows"]])
    right = (np.array(list(case["answers"].values())) == gold).astype(int).T
    varies = (right.min(axis=1) < right.max(axis=1)).nonzero()[0]
    order = varies[np.argsort(girth.twopl_mml(right[varies])["Discrimination"], kind="stable")]
    return {"items": [case["rows"][place]["id"] for place in order], "is_reported": None}


CLEAN = {
    "clean texts": ("leaks", "near copies", "wrong labels", "shortcut", "drift"),
    "clean questions": ("paraphrases",),
    "clean corpus": ("contamination",),
    "clean gold": ("wrong gold",),
    "clean board": ("saturated board", "equal systems"),
}


def run_cases() -> None:
    """Run a tool on all cases and append what it reports."""
    warnings.simplefilter("ignore")
    name, cases, reports = sys.argv[1], json.loads(Path(sys.argv[2]).read_text(encoding="utf-8")), Path(sys.argv[3])
    package, check = TOOLS[name]
    version = importlib.metadata.version(package)
    known = [json.loads(line) for line in reports.read_text(encoding="utf-8").splitlines()] if reports.exists() else []
    done = {(row["case"], row["defect"]) for row in known}
    for case in cases:
        for defect in CLEAN.get(case["defect"], (case["defect"],)):
            if (case["name"], defect) in done:
                continue
            started = time.process_time()
            report = check(case, defect)
            if report is None:
                continue
            seconds = time.process_time() - started
            row = {"case": case["name"], "defect": defect, "version": version, "seconds": seconds, **report}
            with reports.open("a", encoding="utf-8") as lines:
                lines.write(json.dumps(row) + "\n")


if __name__ == "__main__":
    run_cases()
