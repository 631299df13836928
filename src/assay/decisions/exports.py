"""A decision for other tools: the plan as a table, JUnit XML, and Markdown for the summary of a build."""

from __future__ import annotations

from xml.sax.saxutils import escape, quoteattr

from assay.decisions.results import Decision
from assay.decisions.view import write_gate, write_verdict
from assay.views.rendering import escape_markdown, render_markdown
from assay.wording.characters import make_visible

PLAN_COLUMNS = ("id", "draw_probability", "run", "repeats")
ICONS = {"established": "✅", "refuted": "❌", "undecided": "❔"}


def write_plan(decision: Decision) -> str:
    """Write the plan as TSV: all items that were considered, and which of them to run."""
    lines = ["\t".join(PLAN_COLUMNS)]
    plan = decision.plan
    for item in () if plan is None else plan.items:
        cells = (
            item.id,
            f"{item.draw_probability:.17g}",
            "yes" if item.run else "no",
            str(plan.n_repeats if plan else 1),
        )
        lines.append("\t".join(" ".join(cell.split("\t")) for cell in cells))
    return "\n".join(lines) + "\n"


def write_junit(decision: Decision, require: str) -> str:
    """Write a gate as one test case of JUnit XML: refuted is a failure, undecided is skipped."""
    requirement = decision.check(require)
    name = quoteattr(make_visible(f"{decision.candidate} {require} than {decision.baseline} in {decision.metric}", 300))
    message = make_visible(write_gate(decision, requirement), 1_000)
    n_failed, n_skipped = int(requirement.status == "refuted"), int(requirement.status == "undecided")
    inner = ""
    if n_failed:
        inner = f"<failure message={quoteattr(message)}/>"
    elif n_skipped:
        inner = f"<skipped message={quoteattr(message)}/>"
    output = f"<system-out>{escape(make_visible(write_verdict(decision), 1_000))}</system-out>"
    return (
        '<?xml version="1.0" encoding="utf-8"?>\n'
        f'<testsuites><testsuite name="assay decide" tests="1" failures="{n_failed}" skipped="{n_skipped}" errors="0">'
        f'<testcase classname="assay.decide" name={name}>{inner}{output}</testcase></testsuite></testsuites>\n'
    )


def write_summary(decision: Decision, require: str | None = None) -> str:
    """Write a decision as Markdown for the summary of a build, with the answer of the gate first."""
    head = ""
    if require is not None:
        requirement = decision.check(require)
        head = f"**{ICONS[requirement.status]} {escape_markdown(write_gate(decision, requirement), 500)}**\n\n"
    notes = "".join(f"\n- {escape_markdown(note, 500)}" for note in decision.notes)
    return f"{head}{render_markdown(decision.blocks(), 'assay decide')}\n" + (f"{notes}\n\n" if notes else "")
