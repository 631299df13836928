"""Trajectories of tau-bench and tau2-bench: conversations of an agent with a simulated user, and their rewards."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, ClassVar

from assay.base.errors import AssayError
from assay.logs.formats import LOGS, LogReader
from assay.logs.readers.files import list_files, read_json, read_json_lines, read_start
from assay.logs.records import LogItem, LogRecord, make_usage, parse_score
from assay.logs.response_store import LogResponse
from assay.logs.trials import describe_trial
from assay.system.json import JsonObject

_DOMAINS = ("airline", "retail", "telecom", "banking")
_FIRST = (b'"task_id"', b'"reward"', b'"traj"')  # keys of a trial of tau-bench
_SECOND = (b'"simulations"', b'"reward_info"')  # keys of the results of tau2-bench
_STOP_MARK = "###STOP###"  # by which the simulated user ends a conversation
_ENDINGS = (".json", ".jsonl", ".jsonl.gz")
# Reasons of tau2-bench for the end of a conversation, in the words for reasons to stop.
_STOPS = {"max_steps": "message_limit", "too_many_errors": "error", "infrastructure_error": "error"}


@LOGS.add("tau-bench")
class TauLogs(LogReader):
    """Read results of tau-bench (one JSON list, or one trial per line) and `simulations` of tau2-bench."""

    example: ClassVar = {
        "gpt-airline.json": '[{"task_id": 0, "reward": 1.0, "trial": 0, "info": {"task": {"instruction": "Book it."}},'
        ' "traj": [{"role": "user", "content": "Hi"}, {"role": "assistant", "content": "Done."}]}]'
    }

    def find_files(self, folder: Path) -> list[Path]:
        """Return the files that hold trials."""
        return [path for path in list_files(folder, _ENDINGS) if _holds_trials(path)]

    def accepts(self, path: Path) -> bool:
        """Return whether a file holds trials."""
        return path.name.endswith(_ENDINGS) and path.is_file() and _holds_trials(path)

    def read_records(self, path: Path) -> Iterator[LogRecord]:
        """Yield a record for every trial; trials of a task are repeats."""
        stem = path.name.split(".")[0]
        if path.name.endswith(".json"):
            content = read_json(path, self.repeated)
            if isinstance(content, dict):
                yield from self._read_simulations(content, stem)
                return
            trials = iter(content)
        else:
            trials = read_json_lines(path, self.repeated)
        task = _name_task(stem)
        for trial in trials:
            yield self._make_record(trial, trial.get("traj"), stem, task, _find_instruction(trial), trial.get("reward"))

    def _read_simulations(self, content: JsonObject, stem: str) -> Iterator[LogRecord]:
        info = content.get("info") or {}
        system = str((info.get("agent_info") or {}).get("llm") or stem)
        domain = (info.get("environment_info") or {}).get("domain_name")
        texts = {str(task.get("id")): _describe_task(task) for task in content.get("tasks") or ()}
        for trial in content.get("simulations") or ():
            text = texts.get(str(trial.get("task_id")))
            reward = (trial.get("reward_info") or {}).get("reward")
            task = f"tau-bench {domain}" if domain else _name_task(stem)
            yield self._make_record(trial, trial.get("messages"), system, task, text, reward)

    def _make_record(
        self, trial: JsonObject, messages: Any, system: str, task: str, text: str | None, reward: object
    ) -> LogRecord:
        if "task_id" not in trial:
            raise AssayError("a trial has no task_id", place=system)
        turns = [message for message in messages or () if isinstance(message, dict)]
        score = parse_score(reward)
        cost = trial.get("agent_cost")
        row = self.keep_response(lambda: _describe_response(trial, turns, cost))
        return LogRecord(
            *(system, task, "reward", str(trial["task_id"]), score),
            int(trial.get("trial") or 0),
            error=score is None,
            content=self.share(LogItem(text)),
            usage=make_usage(cost, None, trial.get("duration")),
            response=row,
        )


def _describe_response(trial: JsonObject, turns: list[JsonObject], cost: object) -> LogResponse:
    """Return the last message of the agent, and why the conversation ended."""
    texts = [turn.get("content") for turn in turns if turn.get("role") == "assistant"]
    last = next((text for text in reversed(texts) if isinstance(text, str)), None)
    reason = trial.get("termination_reason")
    stop = _STOPS.get(str(reason), str(reason)) if reason else None
    description = describe_trial(turns, cost=float(cost) if isinstance(cost, int | float) else None)
    if stop is None and turns:
        is_transfer = description is not None and description.is_transfer
        stop = "transfer" if is_transfer else "user_stop" if _STOP_MARK in str(turns[-1].get("content")) else None
    if trial.get("reward") is None and (trial.get("info") or {}).get("error"):
        stop = "error"
    return LogResponse(last, stop, description)


def _holds_trials(path: Path) -> bool:
    start = read_start(path)
    return all(key in start for key in _FIRST) or all(key in start for key in _SECOND)


def _name_task(stem: str) -> str:
    domain = next((domain for domain in _DOMAINS if domain in stem.lower()), None)
    return "tau-bench" if domain is None else f"tau-bench {domain}"


def _find_instruction(trial: JsonObject) -> str | None:
    text = ((trial.get("info") or {}).get("task") or {}).get("instruction")
    return text if isinstance(text, str) else None


def _describe_task(task: JsonObject) -> str | None:
    """Return the instructions of the simulated user of a task of tau2-bench."""
    instructions = (task.get("user_scenario") or {}).get("instructions")
    if isinstance(instructions, dict):
        return "\n".join(str(value) for value in instructions.values() if isinstance(value, str))
    return instructions if isinstance(instructions, str) else None
