"""Assert that a benchmark passes its audit."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from assay.base.arrays import Values
from assay.wording.characters import escape_hidden

if TYPE_CHECKING:
    from assay.audits import Audit
    from assay.decisions import Decision


def assert_benchmark(data: Values, *, fail_on: str | Sequence[str] = "error", **options: Any) -> Audit:
    """Audit a benchmark, raise AssertionError if it has findings of `fail_on`, and return the audit.

    `fail_on` holds severities (error, warning, note) or codes; `options` are the options of `assay.audit`.

    >>> good = {"text": ["a good film", "a bad film"], "label": ["pos", "neg"]}
    >>> assert_benchmark(good, only=["profile"]).sections["profile"].status
    'done'
    """
    from assay.audits import audit
    from assay.audits.failing import validate_fail_on

    validate_fail_on(list_conditions(fail_on))
    result = audit(data, **options)
    assert_audit(result, fail_on)
    return result


def assert_audit(result: Audit, fail_on: str | Sequence[str] = "error") -> None:
    """Raise AssertionError if an audit has findings of `fail_on`, or a section that failed."""
    from assay.audits.failing import select_failing

    lines = [
        f"{finding.severity} {finding.code}: {finding.claim} {finding.action}"
        for finding in select_failing(result.findings, list_conditions(fail_on))
    ]
    failed = [section for section in result.sections.values() if section.status == "failed"]
    lines += [f"The section {section.name} failed: {section.reason}" for section in failed]
    if lines:
        message = "\n  ".join([f"The benchmark {result.data.name} fails its audit:", *lines])
        raise AssertionError(escape_hidden(message))


def list_conditions(fail_on: str | Sequence[str]) -> list[str]:
    """Return the conditions of `fail_on` as a list.

    >>> list_conditions("error"), list_conditions(["error", "A103"])
    (['error'], ['error', 'A103'])
    """
    return [fail_on] if isinstance(fail_on, str) else list(fail_on)


def assert_not_worse(
    data: Values | None = None, *values: Values, allow_undecided: bool = False, **options: Any
) -> Decision:
    """Raise AssertionError unless a candidate is shown to be not worse than a baseline, and return the decision.

    The arguments are the same as in `assay.decide`. With `allow_undecided`, only a refuted claim fails.

    >>> answers = {"old": [1, 0, 0, 1] * 50, "new": [1, 1, 0, 1] * 50}
    >>> assert_not_worse(predictions=answers, baseline="old", candidate="new").verdict
    'better'
    """
    return assert_decision("not-worse", allow_undecided, data, *values, **options)


def assert_better(
    data: Values | None = None, *values: Values, allow_undecided: bool = False, **options: Any
) -> Decision:
    """Raise AssertionError unless a candidate is shown to be better than a baseline, and return the decision."""
    return assert_decision("better", allow_undecided, data, *values, **options)


def assert_decision(
    require: str, allow_undecided: bool, data: Values | None, *values: Values, **options: Any
) -> Decision:
    """Decide, and raise AssertionError if the requirement is not met."""
    from assay.decisions import decide
    from assay.decisions.view import write_gate

    result = decide(data, *values, **options)
    requirement = result.check(require)
    accepted = ("established", "undecided") if allow_undecided else ("established",)
    if requirement.status not in accepted:
        raise AssertionError(escape_hidden(write_gate(result, requirement)))
    return result
