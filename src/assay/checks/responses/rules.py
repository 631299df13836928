"""Rules on responses: cut off, not extracted, guessed, all zero, limits, refusals, errors, loops, ranks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal

from assay.base.errors import join_names
from assay.checks.findings import NotChecked, Outcome, exact_number, make_finding, rule
from assay.responses import ResponseAudit, SystemLosses
from assay.responses.agents import IDLE, NEVER
from assay.statistics import newcombe_difference, wilson
from assay.views.values import Interval
from assay.wording.numbers import format_interval, format_percent
from assay.wording.sentences import count_noun, quote

MAX_SHARE = 0.02  # of responses in a state, with 95% confidence
SERIOUS_SHARE = 0.1
MAX_ERROR_SHARE = 0.01  # of responses that the infrastructure lost
MAX_INVENTED = 0.005
MIN_EXTRA_LOSS = 0.005  # share of answers lost in extraction, above other systems
MAX_FINDINGS = 5
ALPHA = 0.05
NO_EXTRACTION = NotChecked("The responses come without extracted answers.")
StateName = Literal["truncated", "limit", "refusal", "error", "looping"]


def _find_frequent(
    responses: ResponseAudit, state: StateName, threshold: float = MAX_SHARE
) -> list[tuple[SystemLosses, Interval]]:
    """Return the systems with more responses in a state than a threshold allows, the worst first."""
    counts = [(row, row.states.get(state, 0)) for row in responses.systems]
    return _keep_frequent(counts, threshold)


def _keep_frequent(counts: Sequence[tuple[SystemLosses, int]], threshold: float) -> list[tuple[SystemLosses, Interval]]:
    """Return the systems whose share is above a threshold by the exact binomial test, the worst first.

    The level holds for all systems together, so that many systems at the threshold raise no more alarms than one.
    """
    from scipy.stats import binom

    level = ALPHA / max(1, len(counts))
    frequent = [(row, wilson(k, row.n)) for row, k in counts if k and binom.sf(k - 1, row.n, threshold) < level]
    return sorted(frequent, key=lambda pair: -pair[1].value)


def _report_state(
    responses: ResponseAudit, state: StateName, what: str, action: str, threshold: float = MAX_SHARE
) -> Iterator[Outcome]:
    """Yield one finding per system, of the five worst ones."""
    frequent = _find_frequent(responses, state, threshold)
    for place, (row, share) in enumerate(frequent[:MAX_FINDINGS]):
        more = len(frequent) > 1 and not place
        others = f" So do responses of {len(frequent) - 1} other systems." if more else ""
        yield make_finding(
            "error" if share.low > SERIOUS_SHARE else "warning",
            f"{format_interval(share, 'percent')} of {row.n:,} responses of {quote(row.system)} {what}.{others}",
            action.replace("this system", quote(row.system)),
            share,
            n=row.n,
            subject=row.system,
            stake=share.value,
        )


@rule("A901", "Many truncated responses", section="responses")
def find_truncated(responses: ResponseAudit) -> Iterator[Outcome]:
    """Report systems whose responses stop before a conclusion.

    What: The share of responses that end before they commit to an answer.

    When: A warning above 2% with 95% confidence for all systems together, an error above 10%.

    Why: A cut-off response counts as wrong, so the score measures the limit of tokens.

    Do: Raise the limit of tokens and run these items again.

    Limits: Without a reason for the stop in the log, a response counts as cut off if its last sentence does not end.
    """
    action = "Raise the limit of tokens, and run the items with truncated responses again."
    yield from _report_state(responses, "truncated", "stop before a conclusion", action)


@rule("A902", "Extraction loses answers of one system", section="responses")
def find_extraction_losses(responses: ResponseAudit) -> Iterator[Outcome]:
    """Report systems whose stated answers were not extracted, more often than those of other systems.

    What: Responses that state an answer although none was extracted, compared with the other systems.

    When: A warning if the share is higher than for all other systems together, by half a point with 95%
    confidence for all systems together; for a single system, if the share is above half a point with 95% confidence.

    Do: Repair the extraction, or report the score as read.
    """
    if not responses.has_extraction:
        yield NO_EXTRACTION
        return
    n_all, lost_all = sum(row.n for row in responses.systems), sum(row.recovered for row in responses.systems)
    found = []
    confidence = 1 - ALPHA / len(responses.systems)  # for all systems together
    for row in responses.systems:
        share = wilson(row.recovered, row.n)
        n_others, lost_others = n_all - row.n, lost_all - row.recovered
        alone = wilson(row.recovered, row.n, confidence)
        extra = newcombe_difference(row.recovered, row.n, lost_others, n_others, confidence) if n_others else alone
        if extra.low > MIN_EXTRA_LOSS:
            found.append((row, share))
    for row, share in sorted(found, key=lambda pair: -pair[1].value)[:MAX_FINDINGS]:
        yield make_finding(
            "warning",
            f"{count_noun(row.recovered, 'response')} of {quote(row.system)} state an answer that was not extracted "
            f"({format_interval(share, 'percent')}); {row.recovered_right} of these are right.",
            "Repair the extraction of answers, or compare the scores as read.",
            share,
            n=row.n,
            subject=row.system,
            stake=row.recovered_right / row.n,
        )


@rule("A903", "Guesses filled in", section="responses")
def find_invented(responses: ResponseAudit) -> Iterator[Outcome]:
    """Report systems with extracted answers that their responses do not state.

    What: Answers in the column of extracted answers, of responses that commit to none.

    When: A warning if the share is above half a percent with 95% confidence for all systems together.

    Why: Some scripts fill in a random option if they find none, which adds points by chance.

    Do: Count these responses as wrong.
    """
    if not responses.has_extraction:
        yield NO_EXTRACTION
        return
    found = _keep_frequent([(row, row.invented) for row in responses.systems], MAX_INVENTED)
    for row, share in found[:MAX_FINDINGS]:
        right = format_percent(row.invented_right / row.invented)
        yield make_finding(
            "warning",
            f"{count_noun(row.invented, 'response')} of {quote(row.system)} state no answer, and yet have an extracted one; "
            f"{right} of these are right.",
            "Count responses without an answer as wrong instead of guessing.",
            share,
            n=row.n,
            subject=row.system,
            stake=row.invented_right / row.n,
        )


@rule("A904", "All responses score zero", section="responses")
def find_all_zero(responses: ResponseAudit) -> Iterator[Outcome]:
    """Report tasks and subjects on which every response of every system scores 0.

    What: Tasks, or subjects of a task, whose responses all have the score 0.

    When: An error, for a subject if chance would give this in less than 1% of cases, by the scores on other subjects.

    Why: Such a task says nothing about systems; a limit, the format or the grader is the usual cause.

    Limits: A task may be too hard for all systems.
    """
    for name in responses.uniform[:MAX_FINDINGS]:
        where = f" on {quote(name)}" if name else ""
        stopped = sum(
            row.states.get(state, 0) for row in responses.systems for state in ("limit", "truncated", "error")
        )
        reason = f" {count_noun(stopped, 'response')} did not come to an end." if stopped and not name else ""
        yield make_finding(
            "error",
            f"Every response of every system scores zero{where}.{reason}",
            "Look at limits, the format of answers and the grader before using this score.",
            exact_number(0.0),
            subject=name,
            stake=1.0,
        )


@rule("A905", "Responses stopped by a limit", section="responses")
def find_limits(responses: ResponseAudit) -> Iterator[Outcome]:
    """Report systems that were stopped by a limit of time, tokens or messages.

    What: Responses that the harness stopped.

    When: A warning above 2% with 95% confidence for all systems together, an error above 10%.
    """
    yield from _report_state(
        responses, "limit", "were stopped by a limit", "Raise the limit, or report how often it was reached."
    )


@rule("A906", "Refusals", section="responses")
def find_refusals(responses: ResponseAudit) -> Iterator[Outcome]:
    """Report systems that refuse to answer.

    What: Responses that refuse, or that a filter of content stopped.

    When: A warning above 2% with 95% confidence for all systems together, an error above 10%.

    Limits: Refusals are recognised by usual phrases in English, German, French, Spanish and Chinese.
    """
    yield from _report_state(responses, "refusal", "refuse to answer", "Report refusals next to the score.")


@rule("A907", "Responses lost by errors", section="responses")
def find_errors(responses: ResponseAudit) -> Iterator[Outcome]:
    """Report systems with responses that the infrastructure lost.

    What: Samples that ended with an error.

    When: A warning above 1% with 95% confidence for all systems together, an error above 10%.
    """
    action = "Run the samples that failed again before comparing scores."
    yield from _report_state(responses, "error", "ended with an error", action, MAX_ERROR_SHARE)


@rule("A908", "Responses that loop", section="responses")
def find_loops(responses: ResponseAudit) -> Iterator[Outcome]:
    """Report systems whose responses repeat themselves.

    What: Responses that end in copies of the same text.

    When: A warning above 2% with 95% confidence for all systems together, an error above 10%.
    """
    action = "Check the sampling parameters and the stop sequences of this system."
    yield from _report_state(responses, "looping", "repeat themselves", action)


@rule("A909", "Ranks change if responses are read", section="responses")
def find_rank_changes(responses: ResponseAudit) -> Iterator[Outcome]:
    """Report pairs of systems whose order as read is the opposite of their order as graded.

    What: Pairs whose order changes, tested on the items that both answered.

    When: A warning if the difference as read is beyond chance (McNemar's test, p < 0.05 for all
    pairs together), otherwise a note.
    """
    if len(responses.systems) < 2:
        yield NotChecked("Only one system was given. This needs at least two.")
        return
    certain = [swap for swap in responses.swaps if swap.read_p < ALPHA / len(responses.swaps)]
    if responses.swaps:
        pairs = [f"{swap.first} and {swap.second}" for swap in certain or responses.swaps]
        n = count_noun(len(responses.swaps), "pair")
        beyond = f"{len(certain)} of these differ beyond chance" if certain else "none of these differs beyond chance"
        yield make_finding(
            "warning" if certain else "note",
            f"The order of {n} of systems changes if every response is read; {beyond}: {join_names(map(quote, pairs), 3)}.",
            "Report the scores as read next to the scores as graded.",
            exact_number(len(responses.swaps)),
        )


@rule("A910", "Tasks of agents to look at", section="responses")
def find_broken_tasks(responses: ResponseAudit) -> Iterator[Outcome]:
    """Report tasks that no trial solves, or that a trial solves without calling a tool.

    What: Tasks of agents by their trials, of all systems.

    When: A note.

    Do: Look at these tasks; they are candidates, since a hard task looks the same as a broken one.
    """
    if not responses.agents:
        yield NotChecked("No trial has calls of tools.")
        return
    for reason, what in ((NEVER, "are never solved"), (IDLE, "are solved by a trial that calls no tool")):
        tasks = tuple(task.id for task in responses.candidates if task.reason == reason)
        if tasks:
            yield make_finding(
                "note",
                f"{count_noun(len(tasks), 'task')} of {responses.n_items:,} {what}: candidates for a look.",
                "Look at the goal and the grader of these tasks.",
                exact_number(len(tasks) / responses.n_items),
                n=responses.n_items,
                subject=reason,
                items=tasks,
            )
