"""The verdict on several tasks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from assay.audits.overview.building import FEW_ITEMS
from assay.audits.suite.results import TaskSummary
from assay.base.errors import join_names
from assay.discrimination.lambdas.verdicts import DISCRIMINATES, DOES_NOT_DISCRIMINATE
from assay.discrimination.suites import TaskComparison, TaskPair
from assay.wording.numbers import format_interval
from assay.wording.sentences import choose_verb, count_noun

ALIKE_FROM = 0.8  # lower end of the interval of a rank correlation: the tasks order systems alike
MIN_SAME_ORDER = 8  # systems; a correlation of 1 has no interval


def write_suite_verdict(
    tasks: Sequence[TaskSummary], comparison: TaskComparison | None, left_out: Mapping[str, str]
) -> str:
    """Say which tasks have problems, which tell systems apart, which are redundant, and which were left out."""
    sentences = [describe_problems(tasks)]
    judged = [row for row in tasks if row.discriminates is not None]
    if judged:
        names = [row.task for row in judged if row.discriminates == DISCRIMINATES]
        verb = choose_verb(len(names), "tells", "tell")
        sentences.append(f"{len(names)} of {len(judged)} tasks {verb} the systems apart.")
        equal = [row.task for row in judged if row.discriminates == DOES_NOT_DISCRIMINATE]
        sentences += [f"No difference between systems on {join_names(equal, 3)}."] if equal else []
    alike = [] if comparison is None else find_alike(comparison.pairs)
    if alike:
        number = format_interval(alike[0])
        more = f" (and {count_noun(len(alike) - 1, 'more pair')})" if len(alike) > 1 else ""
        sentences.append(f"{alike[0].first} and {alike[0].second} rank systems alike: ρ {number}{more}.")
    if left_out:
        sentences.append(f"Left out: {join_names(left_out, 3)}.")
    return " ".join(sentences)


def describe_problems(tasks: Sequence[TaskSummary]) -> str:
    """Say in one sentence how many tasks can be trusted."""
    errors = [row.task for row in tasks if row.n_errors]
    warnings = [row.task for row in tasks if row.n_warnings and not row.n_errors]
    total = count_noun(len(tasks), "task")
    if errors:
        more = f" and warnings in {len(warnings)} more" if warnings else ""
        pronoun = choose_verb(len(errors), "it is", "they are")
        names = join_names(errors, 3)
        return f"Errors in {len(errors)} of {total}{more}: do not trust scores on {names} before {pronoun} fixed."
    if warnings:
        return f"Warnings in {len(warnings)} of {total}, no error: trust scores on {join_names(warnings, 3)} with care."
    n_small = sum(row.n_items < FEW_ITEMS for row in tasks)
    few = f", but {n_small} of them {choose_verb(n_small, 'has', 'have')} too few items to show most problems"
    return f"No serious problem was found in {total}{few if n_small else ''}."


def find_alike(pairs: Sequence[TaskPair]) -> list[TaskPair]:
    """Return the pairs of tasks that rank the systems alike with 95% confidence, or many systems in the same order."""
    return [pair for pair in pairs if pair.low >= ALIKE_FROM or (pair.value > 1 - 1e-9 and pair.n >= MIN_SAME_ORDER)]
