"""Responses of real models that were read by hand: the texts are in the shared data, the labels in a table here."""

from __future__ import annotations

import csv
import gzip
import json
import re
import zipfile
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from assay.responses import AnswerForm, Reading, read_response
from assay.responses.reading.forms import are_same

LABELS = Path(__file__).with_name("responses_read.tsv")
_OPTION = re.compile(r"^\(([A-Z])\) (.+)$", re.MULTILINE)
Texts = dict[tuple[str, str], tuple[str, AnswerForm]]


@dataclass(frozen=True)
class ReadByHand:
    """A response, the form of its answer, and what a person took from it; `is_sure` if nobody would disagree."""

    source: str
    text: str
    form: AnswerForm
    answer: str | None
    state: str
    is_sure: bool

    def read(self) -> Reading:
        """Return what the reader takes from the response."""
        return read_response(self.text, self.form)

    def agrees(self, answer: str | None) -> bool:
        """Return whether an answer is the one of the person."""
        if answer is None or self.answer is None:
            return answer is self.answer
        return are_same(self.form, answer, self.answer)


def read_labels(data: Path) -> list[ReadByHand]:
    """Return all responses with their labels; `data` is the folder of the shared data."""
    with LABELS.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t"))
    texts = {source: SOURCES[source](data) for source in {row["source"] for row in rows}}
    labels = []
    for row in rows:
        text, form = texts[row["source"]][row["system"], row["id"]]
        labels.append(
            ReadByHand(row["source"], text, form, row["answer"] or None, row["state"], is_sure=row["sure"] == "1")
        )
    return labels


def print_agreement(data: Path) -> None:
    """Print how often the reader and a person agree, by source, and every response on which they do not."""
    answers: Counter[tuple[str, str]] = Counter()
    states: Counter[tuple[str, str]] = Counter()
    for label in read_labels(data):
        reading = label.read()
        states[label.state, reading.state] += 1
        answers[label.source, "read"] += 1
        if not label.is_sure:
            continue
        answers[label.source, "sure"] += 1
        answers[label.source, "right"] += label.agrees(reading.answer)
        answers[label.source, "wrong and sure"] += not label.agrees(reading.answer) and reading.is_sure
        if not label.agrees(reading.answer):
            print(f"  {label.source}: {label.answer} read as {reading.answer} ({reading.rule}): {label.text[-80:]!r}")
    for source in sorted({source for source, _ in answers}):
        names = ("read", "sure", "right", "wrong and sure")
        print(f"{source}: {', '.join(f'{name} {answers[source, name]}' for name in names)}")
    totals = [sum(n for (_, kind), n in answers.items() if kind == name) for name in ("sure", "right")]
    same = sum(n for (person, ours), n in states.items() if person == ours)
    print(f"answers {totals[1]}/{totals[0]}, states {same}/{states.total()}")
    for (person, ours), n in sorted(states.items()):
        print(f"  a person says {person:14} read as {ours:14} {n}")


def _read_lines(path: Path) -> Iterator[dict[str, Any]]:
    with gzip.open(path, "rt", encoding="utf-8") if path.suffix == ".gz" else path.open(encoding="utf-8") as file:
        yield from map(json.loads, file)


def _load_mmlu_pro(data: Path) -> Texts:
    folder = data / "mmlu_pro_responses"
    options = {str(row["id"]): tuple(row["options"]) for row in _read_lines(folder / "items.jsonl.gz")}
    rows = _read_lines(folder / "responses.jsonl.gz")
    return {
        (row["model"], str(row["id"])): (row["response"], AnswerForm("options", options[str(row["id"])]))
        for row in rows
    }


def _load_openai_solutions(data: Path) -> Texts:
    rows = list(_read_lines(data / "gsm8k/openai_solutions.jsonl.gz"))
    return {
        (system, row["id"]): (row[system]["solution"], AnswerForm("number"))
        for row in rows
        for system in row
        if system != "id"
    }


def _load_zeroeval(data: Path) -> Texts:
    rows = json.loads((data / "gsm8k/zeroeval_gpt-4o-mini-2024-07-18_first25.json").read_text(encoding="utf-8"))
    return {("gpt-4o-mini", row["id"]): (row["output"][0], AnswerForm("number")) for row in rows}


def _load_bbh(data: Path) -> Texts:
    rows = json.loads((data / "bbh/raw_snarks_direct_first10.json").read_text(encoding="utf-8"))["outputs"]
    texts = {}
    for number, row in enumerate(rows):
        options = tuple(text for _, text in _OPTION.findall(row["input"])[-2:])
        texts["code-davinci-002", str(number)] = (row["prediction"], AnswerForm("options", options))
    return texts


def _load_llmbar(data: Path) -> Texts:
    rows = json.loads((data / "llmbar/raw_Manual_GPT-4_CoT_first8.json").read_text(encoding="utf-8"))
    texts = {}
    for number, row in enumerate(rows):
        for (_, result), order in zip(row["results"][0].items(), ("asked", "swapped"), strict=True):
            options = (row["output_1"], row["output_2"])
            form = AnswerForm("options", options if order == "asked" else options[::-1])
            texts["GPT-4", f"{number}-{order}"] = (result["completion"][0], form)
    return texts


def _load_lm_eval(system: str, name: str) -> Callable[[Path], Texts]:
    def load(data: Path) -> Texts:
        (path,) = (data / "eval_logs/lm_eval").glob(f"*/{name}")
        rows = _read_lines(path)
        return {(system, str(row["doc_id"])): (row["resps"][0][0], AnswerForm("number")) for row in rows}

    return load


def _load_inspect(system: str, name: str, form: AnswerForm | None) -> Callable[[Path], Texts]:
    def load(data: Path) -> Texts:
        (path,) = (data / "eval_logs/inspect").glob(name)
        texts = {}
        for sample in _read_samples(path):
            content = sample["output"]["choices"][0]["message"]["content"]
            text = content if isinstance(content, str) else "".join(part.get("text", "") for part in content)
            own = form or AnswerForm("options", tuple(sample["choices"]))
            texts[system, str(sample["id"])] = (text, own)
        return texts

    return load


def _read_samples(path: Path) -> list[dict[str, Any]]:
    if path.suffix == ".json":
        samples: list[dict[str, Any]] = json.loads(path.read_text(encoding="utf-8"))["samples"]
        return samples
    with zipfile.ZipFile(path) as archive:
        return [json.loads(archive.read(name)) for name in archive.namelist() if name.startswith("samples/")]


_TRUTH = AnswerForm("yes-no")
SOURCES: dict[str, Callable[[Path], Texts]] = {
    "mmlu-pro": _load_mmlu_pro,
    "gsm8k-openai": _load_openai_solutions,
    "gsm8k-zeroeval": _load_zeroeval,
    "bbh": _load_bbh,
    "llmbar": _load_llmbar,
    "lm-eval-math": _load_lm_eval("", "samples_math_perturbed_full_*.jsonl"),
    "lm-eval-gsm8k": _load_lm_eval("pythia-14m", "samples_metabench_gsm8k_*.jsonl"),
    "inspect-15-17-00": _load_inspect("gpt-4o-mini", "2025-02-11T15-17-00*.eval", _TRUTH),
    "inspect-15-18-04": _load_inspect("gpt-4o-mini", "2025-02-11T15-18-04*.eval", _TRUTH),
    "inspect-arc-qwen": _load_inspect("qwen", "data_arc_qwen.json", None),
    "inspect-arc-sonnet": _load_inspect("sonnet", "data_arc_sonnet.json", None),
    "inspect-pubmedqa": _load_inspect("gpt-4o-mini", "data_pubmedqa_gpt4o_mini.json", None),
}
