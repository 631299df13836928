"""Items that are in the training corpus."""

from __future__ import annotations

from collections.abc import Iterator

from assay.checks.findings import Finding, NotChecked, Outcome, judge_stake, make_finding, rule
from assay.contamination import ContaminatedPart, Contamination
from assay.statistics import wilson
from assay.views.values import ItemCount
from assay.wording.numbers import format_percent
from assay.wording.sentences import choose_verb, count_noun


@rule("A801", "Items in the training corpus", section="contamination", decides=True)
def find_contaminated_items(contamination: Contamination) -> Iterator[Outcome]:
    """Report every tested part with items in the corpus; a warning from 1% of the part, an error from 5%."""
    if not any(part.items.n for part in contamination.parts):
        yield NotChecked("The tested items are too short to be searched.")
    for part in contamination.parts:
        if part.items.count:
            verb = choose_verb(part.items.count, "is", "are")
            claim = f"{describe_part(part.items, part.part)} {verb} in the training corpus, nearly verbatim."
            action = (
                "Report scores without these items, or replace them. Systems trained on this corpus may know them by "
                "heart; paraphrases of further items are not found."
            )
            yield report_part(part, part.items, claim, action)


@rule("A802", "Answers in the training corpus", section="contamination")
def find_contaminated_answers(contamination: Contamination) -> Iterator[Outcome]:
    """Report every tested part with answers in the corpus; a warning from 1% of the part, an error from 5%."""
    if not any(part.items.n for part in contamination.parts):
        yield NotChecked("The tested items are too short to be searched.")
    for part in contamination.parts:
        if part.answers.count:
            verb = choose_verb(part.answers.count, "has its answer", "have their answers")
            items = describe_part(part.answers, part.part)
            claim = f"{items} {verb} in the training corpus, next to the question or in full."
            yield report_part(part, part.answers, claim, "Replace these items: their answers can be recited.")


def describe_part(items: ItemCount, part: str) -> str:
    """Begin a sentence about items of a part.

    >>> describe_part(ItemCount(2, 50, ("x", "y")), "test")
    '2 items of 50 in test (4.0%)'
    """
    place = f" in {part}" if part else ""
    return f"{count_noun(items.count, 'item')} of {items.n:,}{place} ({format_percent(items.share)})"


def report_part(part: ContaminatedPart, items: ItemCount, claim: str, action: str) -> Finding:
    """Report items of a part; the share has a Wilson interval, as the corpus is a sample of what systems read."""
    return make_finding(
        judge_stake(items.share),
        claim,
        action,
        wilson(items.count, items.n),
        n=items.n,
        subject=part.part,
        items=items.ids,
        stake=items.share,
    )
