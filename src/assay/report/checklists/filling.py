"""Fill in a checklist: a point is ticked only if every check behind it ran and found nothing."""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from importlib.resources import files

from assay.audits import Audit
from assay.base.errors import join_names, unknown_name
from assay.base.marks import NAME, OWN
from assay.checks.findings import FINDINGS
from assay.views.blocks import Block, Sentence, make_table
from assay.views.results import Result
from assay.wording.sentences import count_noun

CHECKLISTS = ("construct-validity", "betterbench", "agents", "neurips")
SHOWN, PARTLY, PROBLEM, OPEN = "shown", "partly", "problem", "open"
STATUSES = (SHOWN, PARTLY, PROBLEM, OPEN)
MAX_CLAIMS, MAX_NAMES = 3, 4


@dataclass(frozen=True)
class Question:
    """A question of a checklist, the rules that answer it, and what only the authors can say."""

    text: str
    codes: tuple[str, ...] = ()
    authors: str = ""


@dataclass(frozen=True)
class ChecklistPoint(Result):
    """A question, what the audit shows about it, and what is missing.

    `status` is shown (all checks were made and found nothing, and nothing else is asked), partly (some were made and found
    nothing), problem (an error or a warning) or open (nothing was measured).
    """

    question: str = field(metadata=OWN)
    status: str = field(metadata=OWN)
    evidence: str = field(metadata=NAME)
    missing: str = field(metadata=NAME)


@dataclass(frozen=True)
class Checklist(Result):
    """The points of a checklist for an audited benchmark."""

    name: str = field(metadata=OWN)
    title: str = field(metadata=OWN)
    source: str = field(metadata=OWN)
    data: str = field(metadata=NAME)
    fingerprint: str = field(metadata=OWN)
    points: tuple[ChecklistPoint, ...]

    def blocks(self) -> Iterator[Block]:
        """Yield the points and how many are shown."""
        yield from make_table(
            f"{self.title}: {self.data}",
            self.points,
            {
                "status": lambda row: row.status,
                "question": lambda row: row.question,
                "evidence": lambda row: row.evidence,
                "missing": lambda row: row.missing,
            },
            self.source,
            is_main=True,
        )
        yield Sentence(self.source)
        counts = Counter(point.status for point in self.points)
        numbers = ", ".join(f"{counts[status]} {status}" for status in STATUSES)
        total = count_noun(len(self.points), "point")
        yield Sentence(
            f"{total}: {numbers}. An audit shows what was measured; the rest is for the authors.", is_verdict=True
        )


def fill_checklist(audit: Audit, name: str = CHECKLISTS[0]) -> Checklist:
    """Return a checklist with what an audit shows about each point."""
    if name not in CHECKLISTS:
        raise unknown_name("checklist", name, CHECKLISTS)
    content = tomllib.loads(files("assay.report.checklists").joinpath(f"{name}.toml").read_text(encoding="utf-8"))
    questions = [
        Question(row["question"], tuple(row.get("codes", ())), row.get("authors", "")) for row in content["points"]
    ]
    points = tuple(judge_question(audit, question) for question in questions)
    return Checklist(name, content["title"], content["source"], audit.data.name, audit.data.fingerprint[:16], points)


def judge_question(audit: Audit, question: Question) -> ChecklistPoint:
    """Return a point with its status, the evidence for it and what is missing."""
    codes, authors = question.codes, question.authors
    findings = [finding for finding in audit.findings if finding.code in codes]
    serious = [finding for finding in findings if finding.severity in ("error", "warning")]
    found = {finding.code for finding in findings} | {row.code for row in audit.ignored}
    passed = [row.code for row in audit.passed if row.code in codes]
    unmade = [code for code in codes if code not in found and code not in passed]
    claims = [f"{finding.claim} ({finding.code})" for finding in findings[:MAX_CLAIMS]]
    claims += [f"{len(findings) - MAX_CLAIMS} more findings."] if len(findings) > MAX_CLAIMS else []
    ignored = [f"{row.code} is ignored: {row.reason or 'no reason'}." for row in audit.ignored if row.code in codes]
    evidence = [*claims, *ignored]
    evidence += [f"Checked, and nothing found: {name_rules(passed)}."] if passed else []
    missing = [f"Not checked: {name_rules(unmade)}."] if unmade else []
    missing += [f"From the authors: {authors}"] if authors else []
    if serious:
        status = PROBLEM
    elif not (passed or findings or ignored):
        status = OPEN
    else:
        status = PARTLY if missing or findings or ignored else SHOWN
    return ChecklistPoint(question.text, status, " ".join(evidence), " ".join(missing))


def name_rules(codes: list[str]) -> str:
    """Name rules by title and code."""
    return join_names([f"{FINDINGS[code].title.lower()} ({code})" for code in codes], MAX_NAMES)
