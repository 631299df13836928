"""Trajectories in the Agent Trajectory Interchange Format (ATIF) of Harbor and Terminal-Bench."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import ClassVar

from assay.logs.formats import LOGS, LogReader
from assay.logs.readers.files import list_files, read_companion, read_json, read_start
from assay.logs.records import LogItem, LogRecord, make_usage, parse_score
from assay.logs.response_store import LogResponse
from assay.logs.trials import Call, Trial, is_error_text, list_calls, make_trial
from assay.system.json import JsonObject

_RESULTS = ("result.json", "../result.json")  # of the trial, next to the trajectory or to the folder of the agent
_LIMITS = ("timeout", "limit")


@LOGS.add("atif")
class AtifLogs(LogReader):
    """Read `trajectory.json` files of trials, with the reward in the `result.json` of the trial."""

    example: ClassVar = {
        "trial/agent/trajectory.json": '{"schema_version": "ATIF-v1.4", "session_id": "s", "agent": {"name": "a",'
        ' "version": "1", "model_name": "m"}, "steps": [{"step_id": 1, "source": "user", "message": "Go."},'
        ' {"step_id": 2, "source": "agent", "message": "Done."}]}',
        "trial/result.json": '{"task_name": "hello", "verifier_result": {"rewards": {"reward": 1.0}}}',
    }

    def find_files(self, folder: Path) -> list[Path]:
        """Return the trajectories, by path."""
        return [path for path in list_files(folder, "trajectory.json") if self.accepts(path)]

    def accepts(self, path: Path) -> bool:
        """Return whether a file is a trajectory."""
        is_named = path.name == "trajectory.json" and path.is_file()
        return is_named and b"ATIF-v" in read_start(path, 4096)

    def read_records(self, path: Path) -> Iterator[LogRecord]:
        """Yield the record of one trial; without a result it has no score."""
        content = read_json(path, self.repeated)
        result = self._find_result(path)
        rewards = (result.get("verifier_result") or {}).get("rewards") or {}
        score = parse_score(rewards.get("reward", next(iter(rewards.values()), None)))
        agent = content.get("agent") or {}
        system = "/".join(str(agent[name]) for name in ("name", "model_name") if agent.get(name)) or "unknown"
        item = str(result.get("task_name") or path.parent.parent.name or path.parent.name)
        steps = [step for step in content.get("steps") or () if isinstance(step, dict)]
        trial = _describe_steps(steps, content.get("final_metrics") or {})
        row = self.keep_response(lambda: _describe_response(steps, result, trial))
        yield LogRecord(
            *(system, "atif", "reward" if score is not None else "", item, score),
            error=score is None,
            content=self.share(LogItem(_find_instruction(steps))),
            usage=make_usage(trial.cost, trial.tokens),
            response=row,
        )

    def _find_result(self, path: Path) -> JsonObject:
        for name in _RESULTS:
            content = read_companion((path.parent / name).resolve(), self.repeated, None)
            if isinstance(content, dict):
                return content
        return {}


def _describe_steps(steps: list[JsonObject], totals: JsonObject) -> Trial:
    own = [step for step in steps if step.get("source") == "agent"]
    calls: list[Call] = [call for step in own for call in list_calls(step)]
    results = [
        result
        for step in steps
        for result in (step.get("observation") or {}).get("results") or ()
        if isinstance(result, dict)
    ]
    n_errors = sum(is_error_text(result.get("content")) for result in results)
    return make_trial(
        *(len(steps), len(own), calls, n_errors),
        tokens=_sum_tokens(own, totals),
        cost=_sum_costs(own, totals),
    )


def _sum_tokens(steps: list[JsonObject], totals: JsonObject) -> float | None:
    whole = [parse_score(totals.get(name)) for name in ("total_prompt_tokens", "total_completion_tokens")]
    known = [number for number in whole if number is not None]
    if known:
        return sum(known)
    parts = [
        number
        for step in steps
        for name in ("prompt_tokens", "completion_tokens")
        if (number := parse_score((step.get("metrics") or {}).get(name))) is not None
    ]
    return sum(parts) if parts else None


def _sum_costs(steps: list[JsonObject], totals: JsonObject) -> float | None:
    whole = parse_score(totals.get("total_cost_usd"))
    if whole is not None:
        return whole
    parts = [parse_score((step.get("metrics") or {}).get("cost_usd")) for step in steps]
    known = [part for part in parts if part is not None]
    return sum(known) if known else None


def _describe_response(steps: list[JsonObject], result: JsonObject, trial: Trial) -> LogResponse:
    """Return the last message of the agent; an exception of the trial is an error, or a limit if it ran out of time."""
    texts = [step.get("message") for step in steps if step.get("source") == "agent"]
    last = next((text for text in reversed(texts) if isinstance(text, str)), None)
    exception = result.get("exception_info")
    stop = None
    if exception:
        kind = str(exception.get("exception_type") if isinstance(exception, dict) else exception).lower()
        stop = "time_limit" if any(word in kind for word in _LIMITS) else "error"
    return LogResponse(last, stop, trial)


def _find_instruction(steps: list[JsonObject]) -> str | None:
    texts = [step.get("message") for step in steps if step.get("source") == "user"]
    return next((text for text in texts if isinstance(text, str)), None)
