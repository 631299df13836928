"""Trials of agents: steps, calls, errors, costs, pass^k, and tasks that may be broken."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

import numpy as np

from assay.evaluation.repeats.pass_rates import estimate_pass_all
from assay.responses.grading import GradedResponse
from assay.responses.losses import get_graded, measure_score
from assay.responses.results import AgentRuns, CandidateTask, TrialRow
from assay.statistics import effective_wilson
from assay.views.values import Interval

MAX_K = 16
NEVER, SOMETIMES, IDLE = "never solved", "solved only sometimes", "solved without calling a tool"


def list_trials(rows: Iterable[GradedResponse]) -> tuple[TrialRow, ...]:
    """Return the trials with messages, one per response."""
    return tuple(
        TrialRow(
            *(row.system, row.id, row.repeat, _or_nan(row.right_as_graded)),
            *(trial.messages, trial.steps, trial.tool_calls, trial.tool_errors, trial.repeated_calls),
            *(trial.is_transfer, _or_nan(trial.tokens), _or_nan(trial.cost), row.stop),
        )
        for row in rows
        if (trial := row.trial) is not None
    )


def _or_nan(value: float | None) -> float:
    return math.nan if value is None else value


def describe_agents(systems: dict[str, list[GradedResponse]], confidence: float) -> tuple[AgentRuns, ...]:
    """Return the means and counts of each system that has trials."""
    return tuple(
        _describe_agent(name, rows, confidence) for name, rows in systems.items() if any(row.trial for row in rows)
    )


def _describe_agent(name: str, rows: Sequence[GradedResponse], confidence: float) -> AgentRuns:
    trials = [row.trial for row in rows if row.trial is not None]
    costs = [trial.cost for trial in trials if trial.cost is not None]
    tokens = [trial.tokens for trial in trials if trial.tokens is not None]
    n = len(trials)
    return AgentRuns(
        name,
        n,
        measure_score(rows, get_graded, confidence),
        sum(trial.messages for trial in trials) / n,
        sum(trial.steps for trial in trials) / n,
        sum(trial.tool_calls for trial in trials) / n,
        sum(trial.tool_errors for trial in trials),
        sum(trial.repeated_calls for trial in trials),
        sum(trial.is_transfer for trial in trials),
        sum(row.state == "limit" for row in rows),
        sum(row.state == "error" for row in rows),
        sum(tokens) / len(tokens) if tokens else math.nan,
        sum(costs) / len(costs) if costs else math.nan,
        measure_pass_all(rows, confidence),
    )


def measure_pass_all(rows: Sequence[GradedResponse], confidence: float = 0.95) -> tuple[Interval, ...]:
    """Return pass^1, pass^2, … up to the repeats that every task has; empty if scores are not only 0 and 1."""
    outcomes: dict[str, list[float]] = {}
    for row in rows:
        if row.right_as_graded is not None:
            outcomes.setdefault(row.id, []).append(row.right_as_graded)
    if not outcomes or any(score not in (0, 1) for scores in outcomes.values() for score in scores):
        return ()
    n, right = (np.array([size(scores) for scores in outcomes.values()]) for size in (len, sum))
    rates = []
    for k in range(1, min(int(n.min()), MAX_K) + 1):
        values = estimate_pass_all(n, right, k)
        error = float(values.std(ddof=1)) / math.sqrt(len(values)) if len(values) > 1 else math.nan
        rates.append(effective_wilson(float(values.mean()), error, len(values), confidence))
    return tuple(rates)


def find_candidates(rows: Iterable[GradedResponse]) -> tuple[CandidateTask, ...]:
    """Return the tasks that no trial of any system solves, that only some solve, or that a trial without calls solves.

    Only tasks of agents are looked at. One that is solved at times needs several trials of the same system.
    """
    tasks: dict[str, list[GradedResponse]] = {}
    for row in rows:
        if row.right_as_graded is not None:
            tasks.setdefault(row.id, []).append(row)
    candidates = []
    for name, own in tasks.items():
        if not any(row.trial for row in own):
            continue
        scores = [row.right_as_graded == 1 for row in own]
        reason = _find_reason(own, scores)
        if reason:
            candidates.append(CandidateTask(name, reason, sum(scores), len(scores)))
    order = {NEVER: 0, IDLE: 1, SOMETIMES: 2}
    candidates.sort(key=lambda task: (order[task.reason], task.successes / task.trials))
    return tuple(candidates)


def _find_reason(rows: Sequence[GradedResponse], is_solved: Sequence[bool]) -> str:
    if not any(is_solved):
        return NEVER
    solvers = [row.trial for row, solved in zip(rows, is_solved, strict=True) if solved]
    if any(trial is not None and not trial.tool_calls for trial in solvers):
        return IDLE
    by_system: dict[str, set[bool]] = {}
    for row, solved in zip(rows, is_solved, strict=True):
        by_system.setdefault(row.system, set()).add(solved)
    return SOMETIMES if any(len(outcomes) == 2 for outcomes in by_system.values()) else ""
