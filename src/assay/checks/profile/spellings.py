"""Labels that are probably the same."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from assay.checks.findings import NotChecked, Outcome, Severity, exact_number, make_finding, rule
from assay.checks.profile.results import ProfileEvidence
from assay.kinds import KINDS
from assay.wording.sentences import choose_verb, count_noun, quote

# Words that are often written for a missing label, and ways to write yes and no.
MISSING_WORDS = {"nan", "null", "none", "na", "n/a", "n.a.", "nil", "undefined", "missing", "?"}
YES_AND_NO = {"true": "yes", "1": "yes", "yes": "yes", "y": "yes", "false": "no", "0": "no", "no": "no", "n": "no"}
WARN_FROM = 0.01  # of the items
MAX_GROUPS = 10
_SEPARATORS = re.compile(r"[\s_-]+")


@rule("A111", "Labels that are probably the same", section="profile")
def find_same_labels(profile: ProfileEvidence) -> Iterator[Outcome]:
    """Report labels that differ only in case, spaces or the way to write yes and no, and words for a missing label.

    What: Labels such as `positive`, `Positive` and `positive `, `true` next to `1`, and `nan` next to other labels.
    They count as different classes in every score.

    When: A note; a warning if the rarer ones have 1% of the items or more.

    Do: Write them alike, or leave the cells of missing labels empty.

    Limits: Labels that differ in spelling, such as `colour` and `color`, are not found.
    """
    counts = count_labels(profile)
    if len(counts) < 2 or KINDS[profile.data.task].gold.has_grades:
        yield NotChecked("The data has fewer than two labels, or they are not classes.")
        return
    groups = group_labels(counts)
    missing = [name for name in counts if name.strip().lower() in MISSING_WORDS and len(counts) > 2]
    n_items = sum(counts.values())
    if groups:
        yield _report_groups(groups, counts, n_items)
    if missing:
        yield _report_missing(missing, counts, n_items)


def count_labels(profile: ProfileEvidence) -> dict[str, int]:
    """Return how many items each label has in all parts."""
    counts: dict[str, int] = {}
    for row in profile.label_set_counts or profile.label_counts:
        counts[row.label] = counts.get(row.label, 0) + row.count
    return counts


def group_labels(counts: Mapping[str, int]) -> list[list[str]]:
    """Return groups of labels that are probably the same, the most frequent label of each first.

    >>> group_labels({"pos": 5, "Pos ": 1, "neg": 4}), group_labels({"true": 2, "1": 3, "0": 4}), group_labels({"a": 1})
    ([['pos', 'Pos ']], [['1', 'true']], [])
    """
    plain: dict[str, list[str]] = {}
    for name in counts:
        plain.setdefault(_SEPARATORS.sub(" ", name.strip().casefold()), []).append(name)
    words = {key: YES_AND_NO[key] for key in plain if key in YES_AND_NO}
    has_several = len(words) > len(set(words.values()))
    groups: dict[str, list[str]] = {}
    for key, names in plain.items():
        groups.setdefault(f"\0{words[key]}" if has_several and key in words else key, []).extend(names)
    several = [sorted(names, key=lambda name: (-counts[name], name)) for names in groups.values() if len(names) > 1]
    return sorted(several, key=lambda names: -counts[names[0]])


def _report_groups(groups: list[list[str]], counts: Mapping[str, int], n_items: int) -> Outcome:
    n_rare = sum(counts[name] for names in groups for name in names[1:])
    first, second = groups[0][:2]
    n_labels = count_noun(sum(map(len, groups)), "label")
    same = "one label" if len(groups) == 1 else f"{len(groups)} labels"
    claim = f"{n_labels} are probably {same} written in several ways, such as {quote(first)} and {quote(second)}."
    verb = choose_verb(n_rare, "has", "have")
    action = f"Write them alike: {count_noun(n_rare, 'item')} {verb} a rarer way to write a label."
    shown = [" = ".join(f"{quote(name)} ({counts[name]})" for name in names) for names in groups[:MAX_GROUPS]]
    severity: Severity = "warning" if n_rare >= WARN_FROM * n_items else "note"
    evidence = {"labels": "; ".join(shown)}
    return make_finding(severity, claim, action, exact_number(n_rare), n=n_items, subject=first, evidence=evidence)


def _report_missing(names: list[str], counts: Mapping[str, int], n_items: int) -> Outcome:
    n_missing = sum(counts[name] for name in names)
    claim = f"The label {quote(names[0])} of {count_noun(n_missing, 'item')} is probably a missing label."
    severity: Severity = "warning" if n_missing >= WARN_FROM * n_items else "note"
    action = "Leave the cells of items without a label empty, so that they are not counted as a class."
    return make_finding(severity, claim, action, exact_number(n_missing), n=n_items, subject=names[0])
