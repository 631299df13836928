"""How often findings about responses are raised by chance, and how often by systems that deserve them.

`python -m benchmarks.response_findings [N_AUDITS]`.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

import numpy as np

import assay
from assay.checks.findings import Finding
from assay.checks.responses import rules
from assay.responses import ResponseAudit, SystemLosses
from assay.responses.grading import GradedResponse
from assay.responses.losses import compare_ranks
from assay.views.values import Interval
from benchmarks._bars import is_rare, print_bar

N_AUDITS = 400
MAX_ALARMS = 0.05  # of audits whose systems are at the threshold
N_SYSTEMS = 10
SIZES = (100, 1000)
UNKNOWN = Interval(math.nan, math.nan, math.nan)
Find = Callable[[ResponseAudit], Iterator[object]]


@dataclass(frozen=True)
class Alarm:
    """A finding, what it counts, and the share from which on it is raised."""

    title: str
    find: Find
    state: str
    threshold: float


ALARMS = (
    Alarm("truncated, limits, refusals, loops (A901, A905, A906, A908)", rules.find_truncated, "truncated", 0.02),
    Alarm("errors (A907)", rules.find_errors, "error", rules.MAX_ERROR_SHARE),
    Alarm("extraction of one system (A902)", rules.find_extraction_losses, "recovered", 0.02),
    Alarm("guesses filled in (A903)", rules.find_invented, "invented", rules.MAX_INVENTED),
)


def make_system(name: str, n: int, counts: Mapping[str, int]) -> SystemLosses:
    """Return a system of which only counts are known."""
    states = {state: counts[state] for state in ("truncated", "error") if counts.get(state)}
    recovered, invented = counts.get("recovered", 0), counts.get("invented", 0)
    return SystemLosses(name, n, UNKNOWN, UNKNOWN, UNKNOWN, states, recovered, 0, invented, 0, 0, 0)


def make_audit(systems: tuple[SystemLosses, ...], **fields: object) -> ResponseAudit:
    """Return an audit of which only systems, or only pairs of systems, are known."""
    empty = {"ranks": (), "swaps": (), "subjects": (), "agents": (), "candidates": (), "uniform": ()}
    values = empty | {"n_items": 0, "n_responses": 0, "form": "options", "has_extraction": True} | fields
    return ResponseAudit(systems, **values)  # type: ignore[arg-type]


def measure_alarms(alarm: Alarm, n: int, shares: list[float], generator: np.random.Generator, n_audits: int) -> float:
    """Return the share of audits in which a finding is raised, if systems have these shares of responses."""
    raised = 0
    for _ in range(n_audits):
        counts = generator.binomial(n, shares)
        systems = tuple(make_system(f"s{i}", n, {alarm.state: int(count)}) for i, count in enumerate(counts))
        raised += any(isinstance(outcome, Finding) for outcome in alarm.find(make_audit(systems)))
    return raised / n_audits


def print_states(generator: np.random.Generator, n_audits: int) -> None:
    """Print the rates of findings about states and extraction."""
    for alarm in ALARMS:
        print(alarm.title)
        for n in SIZES:
            rates = []
            for factor in (1.0, 0.5):
                rates.append(measure_alarms(alarm, n, [factor * alarm.threshold] * N_SYSTEMS, generator, n_audits))
            for factor in (2.0, 4.0):
                shares = [factor * alarm.threshold, *[alarm.threshold / 2] * (N_SYSTEMS - 1)]
                rates.append(measure_alarms(alarm, n, shares, generator, n_audits))
            names = ("all at the threshold", "all at half of it", "one at twice", "one at four times")
            line = f"  n = {n}: {', '.join(f'{name} {rate:.1%}' for name, rate in zip(names, rates, strict=True))}"
            print_bar(line, is_held=is_rare(max(rates[:2]), MAX_ALARMS, n_audits))


def print_uniform(generator: np.random.Generator, n_audits: int) -> None:
    """Print how often a subject looks broken (A904) if all subjects are alike, and if one of them is broken."""
    for n_subjects, size in ((10, 10), (10, 20), (50, 40)):
        ids = [f"{s}-{i}" for s in range(n_subjects) for i in range(size)]
        subjects = [name.split("-")[0] for name in ids]
        items = {"id": ids, "question": ids, "choices": [["a", "b"]] * len(ids), "answer": ["A"] * len(ids)}
        rates = []
        for broken in (False, True):
            raised = 0
            for _ in range(n_audits // 4):
                scores = (generator.random(len(ids)) < 0.3).astype(float)
                if broken:
                    scores[:size] = 0.0
                table = {"system": ["s"] * len(ids), "id": ids, "response": ["A"] * len(ids), "score": scores.tolist()}
                found = assay.audit_responses(items | {"subject": subjects}, table).uniform
                raised += ("0" in found) if broken else bool(found)
            rates.append(raised / (n_audits // 4))
        print(
            f"A904, {n_subjects} subjects of {size} items: alike {rates[0]:.1%}, one without a right answer {rates[1]:.1%}"
        )


def print_swaps(generator: np.random.Generator, n_audits: int) -> None:
    """Print how often equal systems whose answers are lost at random have a warning that their order changes (A909)."""
    for n in (200, 1000):
        warnings = 0
        for _ in range(n_audits):
            difficulty = generator.random(n)
            systems = {
                f"s{i}": [
                    _grade(f"s{i}", str(number), right=right, lost=lost)
                    for number, (right, lost) in enumerate(
                        zip(generator.random(n) < difficulty, generator.random(n) < 0.03 * i, strict=True)
                    )
                ]
                for i in range(4)
            }
            _, swaps = compare_ranks(systems)
            audit = make_audit(tuple(make_system(name, n, {}) for name in systems), swaps=swaps)
            found = [outcome for outcome in rules.find_rank_changes(audit) if isinstance(outcome, Finding)]
            warnings += any(finding.severity == "warning" for finding in found)
        line = f"A909, four equal systems, {n} items, 0, 3, 6, 9% not extracted: {warnings / n_audits:.1%} warnings"
        print_bar(line, is_held=is_rare(warnings / n_audits, MAX_ALARMS, n_audits))


def _grade(system: str, name: str, *, right: bool, lost: bool) -> GradedResponse:
    read = "A" if right else "B"
    graded = float(right and not lost)
    extracted = None if lost else read
    return GradedResponse(system, name, 0, "complete", extracted, read, True, graded, float(right), "", "whole", 0, 1)


def main() -> None:
    """Print everything."""
    n_audits = int(sys.argv[1]) if len(sys.argv) > 1 else N_AUDITS
    generator = np.random.default_rng(0)
    print_states(generator, n_audits)
    print_uniform(generator, n_audits)
    print_swaps(generator, n_audits)


if __name__ == "__main__":
    main()
