"""Runs of HELM."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from assay.data.left_out import LeftOut
from assay.logs.directions import is_lower_better
from assay.logs.formats import LOGS, LogReader
from assay.logs.readers.files import list_files, read_companion, read_json
from assay.logs.records import (
    LogItem,
    LogRecord,
    Settings,
    hash_content,
    make_settings,
    number_copies,
    parse_score,
)
from assay.logs.response_store import LogResponse
from assay.logs.totals import HarnessTotal
from assay.system.json import JsonObject, RepeatedKeys
from assay.wording.letters import name_letter
from assay.wording.sentences import count_noun

# Stats that describe the run and not the answer.
_RUN_STATS = (
    "num_",
    "inference_",
    "training_",
    "max_prob",
    "logprob",
    "prompt_",
    "finish_reason",
    "batch_",
    "predicted_index",
    "estimated_",
    "bits_per_",
    "log_perplexity",
    "perplexity",
)


_MODEL_ARGUMENTS = ("model=", "model_deployment=", "tokenizer=")
MAIN_SPLIT = "test"
# The metric that HELM shows for a scenario, by the start of its name.
MAIN_METRICS = {
    "narrative_qa": "f1_score",
    "natural_qa": "f1_score",
    "quac": "f1_score",
    "msmarco": "RR@10",
    "summarization": "rouge_2",
    "wmt_14": "bleu_4",
    "gsm": "final_number_exact_match",
    "math": "math_equiv_chain_of_thought",
    "the_pile": "bits_per_byte",
    "ice": "bits_per_byte",
    "mmlu_pro": "chain_of_thought_correctness",
    "gpqa": "chain_of_thought_correctness",
    "mmlu": "exact_match",
    "hellaswag": "exact_match",
    "openbookqa": "exact_match",
    "truthful_qa": "exact_match",
    "commonsense": "exact_match",
    "blimp": "exact_match",
    "bbq": "quasi_exact_match",
    **dict.fromkeys(("boolq", "imdb", "raft", "civil_comments", "legalbench", "med_qa", "babi"), "quasi_exact_match"),
    **dict.fromkeys(("lsat", "legal_support", "entity_", "synthetic", "dyck", "bold"), "quasi_exact_match"),
}


@dataclass(frozen=True)
class _Instance:
    """The records of a run about one instance."""

    key: str
    content: LogItem
    answer: str | None
    response: LogResponse | None


@LOGS.add("helm")
class HelmLogs(LogReader):
    """Read run folders: `per_instance_stats.json`, `run_spec.json`, `scenario_state.json` or `instances.json`."""

    companions: ClassVar = ("run_spec.json", "scenario*.json", "stats.json", "instances.json", "display_*.json")

    def find_files(self, folder: Path) -> list[Path]:
        """Return the stats files of all runs."""
        return [path for path in list_files(folder, ".json") if self.recognises(path)]

    def read_records(self, path: Path) -> Iterator[LogRecord]:
        """Yield a record for every instance and stat; perturbed copies are dropped, train trials averaged."""
        spec = read_companion(path.parent / "run_spec.json", self.repeated, {})
        system, task = _name_run(spec, path.parent)
        settings, subject = _read_settings(spec), _get_subject(spec)
        instances = _read_instances(path.parent, subject, self.repeated)
        keys = {name: instance.key for name, instance in instances.items()}
        contents = {instance.key: self.share(instance.content) for instance in instances.values()}
        answers = {instance.key: instance.answer for instance in instances.values()}
        responses = {
            instance.key: self.keep_response(lambda instance=instance: instance.response)  # type: ignore[misc]
            for instance in instances.values()
        }
        values: dict[tuple[str, str], list[float]] = {}
        failed: set[tuple[str, str]] = set()
        rows = [row for row in read_json(path, self.repeated) if not row.get("perturbation")]
        split, rows = self._choose_split(rows, task)
        self.totals += _list_totals(path.parent, system, task, split, self.repeated)
        for row in rows:
            instance = str(row["instance_id"])
            for metric, value in _read_stats(row):
                key = (keys.get(instance, instance), metric)
                failed.add(key) if value is None else values.setdefault(key, []).append(value)
        scores: dict[tuple[str, str], float | None] = {
            key: math.fsum(numbers) / len(numbers) for key, numbers in values.items()
        }
        scores |= dict.fromkeys(sorted(failed - set(values)))
        main = _find_main_metric(spec, task, {metric for _, metric in scores})
        for (item, metric), score in scores.items():
            yield LogRecord(
                *(system, task, metric, item, score),
                error=score is None,
                settings=settings,
                content=contents.get(item),
                answer=answers.get(item),
                lower_is_better=is_lower_better(metric),
                group=None if subject is None else task.partition(":")[0],
                response=responses.get(item),
                is_main=metric == main,
            )

    def _choose_split(self, rows: list[JsonObject], task: str) -> tuple[str, list[JsonObject]]:
        """Return the rows of the test split, or of the first one; others are left out, as HELM reports splits apart."""
        splits: dict[str, list[JsonObject]] = {}
        for row in rows:
            splits.setdefault(_find_split(row), []).append(row)
        chosen = MAIN_SPLIT if MAIN_SPLIT in splits or not splits else next(iter(splits))
        for name, others in splits.items():
            if name != chosen:
                n = len({str(row["instance_id"]) for row in others})
                self.notes.append(f"{task}: {count_noun(n, 'item')} of the split {name} left out; scored is {chosen}.")
                self.left_out.append(LeftOut("items", n, f"{task}: split {name}, while {chosen} is scored"))
        return chosen, splits.get(chosen, [])

    def recognises(self, path: Path) -> bool:
        """Return whether a file is a stats file by its name."""
        return path.name == "per_instance_stats.json"


def _find_split(row: JsonObject) -> str:
    names = [stat.get("name") for stat in row.get("stats", [])]
    return next((str(name["split"]) for name in names if isinstance(name, dict) and name.get("split")), MAIN_SPLIT)


def _find_main_metric(spec: JsonObject, task: str, metrics: set[str]) -> str | None:
    """Return the metric that HELM shows for a scenario, if the run has it."""
    groups = spec.get("groups")
    names = [str(group) for group in groups] if isinstance(groups, list) else []
    names = [*names, task.partition(":")[0]]
    wanted = [metric for name in names for start, metric in MAIN_METRICS.items() if name.startswith(start)]
    return next((metric for metric in wanted if metric in metrics), None)


def _list_totals(folder: Path, system: str, task: str, split: str, repeated: RepeatedKeys) -> list[HarnessTotal]:
    """Return the scores of a split in `stats.json`, averaged over train trials."""
    stats = read_companion(folder / "stats.json", repeated, [])
    totals = []
    for stat in stats if isinstance(stats, list) else []:
        name = stat.get("name") or {}
        value = None if name.get("perturbation") or name.get("sub_split") else _average_stat(stat)
        if name.get("split") == split and value is not None:
            totals.append(HarnessTotal(system, task, str(name.get("name")), value))
    return totals


def _read_stats(row: JsonObject) -> Iterator[tuple[str, float | None]]:
    for stat in row.get("stats", []):
        name = stat.get("name", {})
        if not name.get("perturbation") and not str(name.get("name", "")).startswith(_RUN_STATS):
            yield str(name.get("name") or "unnamed"), _average_stat(stat)


def _average_stat(stat: JsonObject) -> float | None:
    if not stat.get("count"):
        return None
    return parse_score(stat["mean"]) if "mean" in stat else stat["sum"] / stat["count"] if "sum" in stat else None


def _name_run(spec: JsonObject, folder: Path) -> tuple[str, str]:
    """Return the model and the scenario of a run, from its spec or else from the name of its folder."""
    name = str(spec.get("name", folder.name))
    scenario, _, first = name.partition(":")
    arguments = [part for part in first.split(",") if part and not part.startswith(_MODEL_ARGUMENTS)]
    model = spec.get("adapter_spec", {}).get("model") or _parse_model(name)
    return str(model or "unknown"), ":".join([scenario, ",".join(arguments)]) if arguments else scenario


def _read_settings(spec: JsonObject) -> Settings:
    adapter = spec.get("adapter_spec") or {}
    names = {"max_train_instances": "n-shot", "temperature": "temperature", "max_tokens": "max tokens"}
    return make_settings({title: adapter.get(name) for name, title in names.items()})


def _get_subject(spec: JsonObject) -> str | None:
    arguments = (spec.get("scenario_spec") or {}).get("args") or {}
    subject = arguments.get("subject") or arguments.get("category")
    return subject if isinstance(subject, str) else None


def _parse_model(name: str) -> str | None:
    key = "model="
    return name.split(key, 1)[1].split(",")[0].replace("_", "/", 1) if key in name else None


def _read_instances(folder: Path, subject: str | None, repeated: RepeatedKeys) -> dict[str, _Instance]:
    """Return key, content and answer of every instance id, if the run has its instances."""
    states = folder / "scenario_state.json"
    if states.exists():
        rows = [(row["instance"], row) for row in read_companion(states, repeated, {})["request_states"]]
    else:
        rows = [(row, {}) for row in read_companion(folder / "instances.json", repeated, [])]
    copies: dict[str, dict[str, str]] = {}
    instances: dict[str, _Instance] = {}
    for instance, state in rows:
        name = str(instance["id"])
        if instance.get("perturbation") or name in instances:
            continue
        key = number_copies(hash_content(instance.get("input"), instance.get("references")), name, copies)
        answer, response = _find_answer(instance, state), _describe_response(state)
        instances[name] = _Instance(key, _describe_instance(instance, subject), answer, response)
    return instances


def _describe_instance(instance: JsonObject, subject: str | None) -> LogItem:
    references = instance.get("references") or []
    texts = [str((reference.get("output") or {}).get("text", "")) for reference in references]
    right = [number for number, reference in enumerate(references) if "correct" in (reference.get("tags") or [])]
    text = (instance.get("input") or {}).get("text")
    text = text if isinstance(text, str) else None
    if len(right) == len(texts):  # every reference is right: accepted answers and no choices
        return LogItem(text, tuple(texts), (), subject)
    return LogItem(text, tuple(name_letter(number) for number in right), tuple(texts), subject)


def _describe_response(state: JsonObject) -> LogResponse | None:
    """Return the first completion, and why it ended."""
    result = state.get("result") or {}
    completions = result.get("completions") or []
    first = completions[0] if completions and isinstance(completions[0], dict) else {}
    if result.get("success") is False:
        return LogResponse(None, "error")
    reason = first.get("finish_reason")
    stop = reason.get("reason") if isinstance(reason, dict) else reason
    return LogResponse(first["text"], str(stop) if stop else None) if isinstance(first.get("text"), str) else None


def _find_answer(instance: JsonObject, state: JsonObject) -> str | None:
    """Return the letter of the reference that was named, or the completion."""
    completions = (state.get("result") or {}).get("completions") or []
    text = completions[0].get("text") if completions and isinstance(completions[0], dict) else None
    if not isinstance(text, str):
        return None
    named = (state.get("output_mapping") or {}).get(text.strip())
    texts = [str((reference.get("output") or {}).get("text", "")) for reference in instance.get("references") or []]
    return name_letter(texts.index(named)) if named in texts else text.strip()
