"""What an audit is about, in the line below its title."""

from __future__ import annotations

from assay.audits import Audit
from assay.base.wording import count_noun
from assay.data.left_out import count_left_out
from assay.report.content import count_items


def describe_subject(audit: Audit) -> str:
    """Count the items, and what was not used.

    Without data the votes, verdicts, systems and datasets of the tables that were audited are counted.
    """
    counts = [count_items(audit.data)] if audit.data.rows else _count_tables(audit)
    left_out = count_left_out(audit.data.left_out)
    return " · ".join([*counts, *([f"not used: {left_out}"] if left_out else [])])


def _count_tables(audit: Audit) -> list[str]:
    evidence = audit.evidence
    counts: list[str] = []
    if evidence.votes is not None:
        counts += [count_noun(evidence.votes.n_votes, "vote"), count_noun(evidence.votes.n_systems, "system")]
    if evidence.discrimination is not None:
        n_datasets = len(evidence.discrimination.datasets)
        counts += [count_noun(evidence.discrimination.n_systems, "system"), count_noun(n_datasets, "dataset")]
    if evidence.judges is not None:
        judges = evidence.judges
        counts += [count_noun(judges.n_verdicts, "verdict"), count_noun(len(judges.judges), "judge")]
    return list(dict.fromkeys(counts)) or ["no items"]
