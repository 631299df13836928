"""Shortcuts: words, numbers and baselines that predict the label, and what is left beyond them."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from assay.base.errors import join_names
from assay.checks.findings import (
    NO_ACTION,
    Finding,
    NotChecked,
    Outcome,
    Severity,
    is_barely_above,
    make_finding,
    name_limit,
    rule,
)
from assay.checks.information.results import CHEAP_BASELINES, SIDES, InformationEvidence
from assay.checks.measured import Measurements
from assay.checks.profile.results import ProfileEvidence
from assay.checks.signal import MIN_AGREEMENT, find_best_system
from assay.information import CueGroup, WordCue
from assay.information.cues.places import describe_place, describe_views
from assay.information.cues.selection import (
    INSERTED,
    MIN_CERTAIN_PRECISION,
    MIN_INSERTED_ITEMS,
    SIGNIFICANT,
    SUSPICIOUS_LIFT,
)
from assay.statistics import Interval, wilson
from assay.wording.numbers import format_interval, format_p_value, format_percent
from assay.wording.sentences import choose_verb, count_noun, quote

MAX_CUES = 5
MIN_GAIN = 0.01  # of a cheap model over the most frequent label
LARGE_GAIN_SHARE = 0.5  # of what the quick model gains
NEAR_SHARE = 0.1
FEWER_ITEMS = 0.8  # of the items, in which a word must still be found; if not, it is close to a threshold
ONE_POINT = f"{100 * MIN_GAIN:.0f} point for a warning"
HALF_OF_GAIN = "half of what the quick model gains for a warning"
NOTABLE_PLACE_SHARE = 0.05
MIN_ENTROPY_SHARE, LARGE_ENTROPY_SHARE, NEAR_ENTROPY = 0.02, 0.1, 0.03
LITTLE_INFORMATION = 0.05  # share of the label entropy
NO_AGREEMENT = 0.1  # kappa below which a model is of no use
WORSE_THAN_CHANCE = -0.05
SOLVED_SHARE = 0.3
NUMBER_MEANINGS = {
    "length": "{unit} of the text",
    "length of a": "{unit} of the first text",
    "length of b": "{unit} of the second text",
    "difference of length": "how much longer the first text is",
    "overlap of a": "share of the first text's words that are also in the second",
    "overlap of b": "share of the second text's words that are also in the first",
    "punctuation": "share of punctuation among words and punctuation",
}


@rule("A401", "Word predicts the label", section="information", decides=True)
def find_word_cues(information: InformationEvidence) -> Iterator[Outcome]:
    """Report words that predict a label well above its share, one finding per cause.

    Function words and numbers are one finding: a warning if a model that sees only them reaches half of what the
    quick model gains over the most frequent label. Words that nearly always go with one label and do not belong to
    their sentences are a warning each. All other words, which may be the task, make one note.
    """
    group = information.function_words
    if group is not None:
        yield report_function_words(information, group)
    grouped = set() if group is None else set(group.words)
    strange = [cue for cue in information.word_cues if cue.suspicious and cue.word_kind == INSERTED]
    for number, cue in enumerate(strange[:MAX_CUES]):
        rest = count_rest(len(strange) - MAX_CUES) if number == MAX_CUES - 1 else ""
        action = (
            f"Find out how {quote(cue.token)} came into these texts; remove it, or report scores on items without it."
        )
        claim = f"{describe_cue(cue)} The texts read on as if it were not there."
        yield report_cue("warning", cue, claim + rest, action)
    others = [
        cue
        for cue in information.word_cues
        if cue not in strange and cue.token not in grouped and not cue.word_kind.startswith("function")
    ]
    if others:
        yield report_topic_words(others[:MAX_CUES])


def report_topic_words(cues: list[WordCue]) -> Finding:
    """Report the words that may be what the task is about."""
    first, *rest = cues
    also = ", ".join(
        f"{quote(cue.token)}{cue.origin}{describe_place(cue.place)} ({count_noun(cue.cue.n_items, 'item')})"
        for cue in rest
    )
    claim = f"Words of the topic: {describe_cue(first, 'the')}"
    if also:
        claim += f" Also associated with a label: {also}."
    action = f"{NO_ACTION} if these words are what the task is about; if they are not, balance them over the labels."
    return report_cue("note", first, claim, action, cues)


def report_function_words(information: InformationEvidence, group: CueGroup) -> Finding:
    """Report function words and numbers together, with their effect on the score."""
    first = next(cue for cue in information.word_cues if cue.token == group.words[0])
    effect = group.effect
    sums_up = "predict labels" if effect.gain.low > 0 else "go with labels, but hardly predict them"
    claim = (
        f"Function words or numbers {sums_up}. A model that sees only {describe_views(group.words, group.places)} "
        f"scores {format_percent(effect.accuracy)}, {format_interval(effect.gain, 'points')} above the most frequent "
        f"label; the quick model scores {format_percent(effect.full)}."
    )
    evidence = {"the first of them": describe_cue(first)}
    if not math.isnan(effect.share.value):
        evidence["share of the quick model's gain"] = format_interval(effect.share, "percent")
    is_material = effect.gain.low > MIN_GAIN and not effect.share.value < LARGE_GAIN_SHARE
    action = (
        f"Report a model of {join_names(map(quote, group.words), 3)} next to every system. Balance the words over the "
        "labels unless they are the task."
        if is_material
        else f"{NO_ACTION} unless the task should not depend on these words."
    )
    severity: Severity = "warning" if is_material else "note"
    return make_finding(
        severity,
        claim,
        action,
        effect.gain,
        n=effect.n_items,
        subject=group.words[0],
        evidence=evidence,
        stake=max(effect.gain.value, 0.0) if is_material else math.nan,
        words=group.words,
        places=group.places,
        limit=name_gain_limit(effect.gain, effect.share.value) or name_word_limit(information, group),
    )


def name_gain_limit(gain: Interval, share: float) -> str:
    """Name the threshold of a warning about a shortcut that its gain, or its share of the quick model's, is close to.

    >>> name_gain_limit(Interval(0.05, 0.04, 0.06), 0.45), name_gain_limit(Interval(0.05, 0.04, 0.06), 0.9)
    ('half of what the quick model gains for a warning', '')
    """
    if is_barely_above(gain, MIN_GAIN):
        return ONE_POINT
    return HALF_OF_GAIN if abs(share - LARGE_GAIN_SHARE) < NEAR_SHARE else ""


def name_word_limit(information: InformationEvidence, group: CueGroup) -> str:
    """Name the threshold that all words of a group are close to, or nothing."""
    limits = [name_cue_limit(cue) for cue in information.word_cues if cue.token in group.words]
    return limits[0] if all(limits) else ""


def name_cue_limit(cue: WordCue) -> str:
    """Name the threshold that a word would miss with a fifth fewer items like these, or nothing."""
    n_items = round(FEWER_ITEMS * cue.cue.n_items)
    low = wilson(round(FEWER_ITEMS * cue.cue.precision * cue.cue.n_items), n_items).low
    if cue.word_kind == INSERTED:
        if n_items < MIN_INSERTED_ITEMS:
            return f"{MIN_INSERTED_ITEMS} items with a word for a warning"
        return f"{MIN_CERTAIN_PRECISION:.0%} precision of a word for a warning" if low < MIN_CERTAIN_PRECISION else ""
    if cue.cue.p**FEWER_ITEMS >= SIGNIFICANT:
        return f"{SIGNIFICANT} in the test of a word for a warning"
    lift = low - max(cue.label_share, cue.place_share)
    return f"{100 * SUSPICIOUS_LIFT:.0f} points of precision for a warning" if lift <= SUSPICIOUS_LIFT else ""


def report_cue(severity: Severity, cue: WordCue, claim: str, action: str, cues: Sequence[WordCue] = ()) -> Finding:
    """Return the finding about a word, or about several words that start with it."""
    evidence = {"coverage": format_percent(cue.cue.coverage), "test": format_p_value(cue.cue.p)}
    named = cues or (cue,)
    return make_finding(
        severity,
        claim,
        action,
        cue.precision,
        n=cue.cue.n_items,
        subject=cue.token,
        evidence=evidence,
        words=tuple(row.token for row in named),
        places=tuple(row.place for row in named),
        limit=name_cue_limit(cue) if severity == "warning" else "",
    )


def count_rest(n: int) -> str:
    """Say how many more words there are.

    >>> count_rest(1), count_rest(0)
    (' So does 1 more word.', '')
    """
    return f" So {choose_verb(n, 'does', 'do')} {count_noun(n, 'more word')}." if n > 0 else ""


def describe_cue(cue: WordCue, article: str = "The") -> str:
    """Say how well a word predicts its label."""
    any_word = f", and any word there goes with it in {format_percent(cue.place_share)}"
    several = cue.has_several_words
    have = (
        f"have {'them' if several else 'it'} there"
        if describe_place(cue.place)
        else (f"contain {'them' if several else 'it'}")
    )
    return (
        f"{article} {cue.word_kind} {quote(cue.token)}{cue.origin}{describe_place(cue.place)} alone "
        f"{'predict' if several else 'predicts'} the label {quote(cue.cue.label)}: right on "
        f"{format_interval(cue.precision, 'percent')} of the {cue.cue.n_items:,} items that {have}, while the label has "
        f"{format_percent(cue.label_share)} of all items"
        f"{any_word if cue.place_share > cue.label_share + NOTABLE_PLACE_SHARE else ''}."
    )


NO_BASELINES = NotChecked("No baselines could be measured.")


@rule("A402", "One side is enough", section="information", decides=True)
def find_one_side(information: InformationEvidence) -> Iterator[Outcome]:
    """Report a model that sees one side of a pair and beats the majority (two sides tested: 97.5% intervals)."""
    if not information.shortcuts.baselines:
        yield NO_BASELINES
        return
    for row in information.side_gains:
        if row.gain.low > 0:
            baseline, side = row.baseline, SIDES[row.baseline.name]
            claim = (
                f"The {side} text of the pair alone predicts the label: {format_percent(baseline.accuracy.value)} right, "
                f"{format_interval(row.gain, 'points')} above the most frequent label of training."
            )
            action = "Build pairs in which the same text occurs with different labels."
            near = "no gain for a warning" if is_barely_above(row.gain, 0) else ""
            n, stake = baseline.n_items, row.gain.value
            yield make_finding("warning", claim, action, row.gain, n=n, subject=side, stake=stake, limit=near)


@rule("A403", "Cheap baseline beats the majority", section="information", decides=True)
def find_cheap_baselines(information: InformationEvidence) -> Iterator[Outcome]:
    """Report the best cheap baseline that beats the majority (intervals corrected for those tested, Bonferroni).

    It is a warning if it reaches half of what the quick model gains.
    """
    if not information.cheap_gains:
        yield NO_BASELINES
        return
    beating = [row for row in information.cheap_gains if row.gain.low > 0]
    if not beating:
        return
    best, gain = beating[0].baseline, beating[0].gain
    claim = (
        f"A baseline that sees only {CHEAP_BASELINES[best.name]} is right on {format_percent(best.accuracy.value)} of the "
        f"{best.n_items:,} held-out items, {format_interval(gain, 'points')} above the most frequent label of training."
    )
    full, majority = information.quick_accuracy, best.accuracy.value - gain.value
    share = math.nan if full is None or full <= majority else gain.value / (full - majority)
    evidence = {CHEAP_BASELINES[row.baseline.name]: format_percent(row.baseline.accuracy.value) for row in beating[1:]}
    if not math.isnan(share):
        evidence["share of the quick model's gain"] = format_percent(share)
    sees = CHEAP_BASELINES[best.name]
    is_material = gain.low > MIN_GAIN and not share < LARGE_GAIN_SHARE
    yield make_finding(
        "warning" if is_material else "note",
        claim,
        f"Report the baseline that sees only {sees} next to every system; balance the labels over it unless it is the task.",
        gain,
        n=best.n_items,
        subject=best.name,
        evidence=evidence,
        stake=gain.value if is_material else math.nan,
        limit=name_gain_limit(gain, share),
    )


@rule("A404", "Little information beyond shortcuts", section="information")
def find_little_information(information: InformationEvidence) -> Iterator[Outcome]:
    """Report information beyond all shortcuts that is below 5% of the entropy, or cannot be distinguished from 0."""
    if not information.shortcuts.control:
        yield NotChecked("No control model could be trained.")
        return
    if information.agreement is None or not information.agreement.low > MIN_AGREEMENT:
        yield NotChecked("The quick model may have no signal at all (A405).")
        return
    control, entropy = information.shortcuts.control[-1], information.shortcuts.entropy
    estimate = control.tsi
    threshold = LITTLE_INFORMATION * entropy
    if estimate.high < threshold:
        claim = (
            "Beyond shortcuts the quick model learns almost nothing about the label: "
            f"{format_percent(max(estimate.value, 0.0) / entropy)} of its entropy."
        )
        action = (
            "Try a stronger model (a full audit, or predictions with probabilities) before concluding that nothing can "
            "be learned."
        )
        evidence = describe_information(estimate, entropy)
        is_near = is_barely_above(information.agreement, MIN_AGREEMENT)
        near = f"a kappa of {MIN_AGREEMENT} for a warning" if is_near else ""
        n = control.n_items
        yield make_finding("warning", claim, action, estimate, n=n, evidence=evidence, limit=near)
    elif estimate.low < 0 < estimate.high:
        needed = count_needed_items(control.n_items, estimate, threshold)
        claim = (
            "Cannot tell whether there is anything to learn beyond shortcuts. If the estimate stays the same, about "
            f"{needed:,} held-out items would be needed to tell."
        )
        action, evidence = "Hold out more items, or use a stronger model.", describe_information(estimate, entropy)
        yield make_finding("note", claim, action, estimate, n=control.n_items, evidence=evidence)


def count_needed_items(n: int, estimate: Interval, threshold: float) -> int:
    """Return how many items would move one end of an interval to the other side of 0 or of a threshold.

    The interval contains both, and its ends get closer to the value with the square root of the number of items.

    >>> count_needed_items(100, Interval(0.05, -0.05, 0.15), threshold=0.1)
    400
    """
    by_low = (estimate.value - estimate.low) / estimate.value if estimate.value > 0 else math.inf
    by_high = (
        (estimate.high - estimate.value) / (threshold - estimate.value) if estimate.value < threshold else math.inf
    )
    return max(round(n * min(by_low, by_high) ** 2), n + 1)


def describe_information(estimate: Interval, entropy: float) -> dict[str, str]:
    """Give the information beyond shortcuts in its own unit.

    >>> describe_information(Interval(0.1, 0.05, 0.15), 0.6931)["information beyond shortcuts"]
    '0.100 [0.050, 0.150] nats of 0.69, the entropy of the labels (1 nat = 1.44 bits)'
    """
    number = f"{format_interval(estimate, 'rounded:3')} nats of {entropy:.2f}"
    return {"information beyond shortcuts": f"{number}, the entropy of the labels (1 nat = 1.44 bits)"}


@rule("A405", "No signal", section="information", topic="labels")
def find_no_signal(information: InformationEvidence, measured: Measurements) -> Iterator[Outcome]:
    """Report labels whose cross-validated agreement with the quick model is below 0.1 beyond chance."""
    if information.agreement is None or math.isnan(information.agreement.high):
        yield NotChecked("No model could be trained on these labels.")
        return
    agreement, n = information.agreement, information.n_trained
    if agreement.low > 0:
        return
    better = find_best_system(measured)
    if better is not None:
        claim = (
            f"The quick model does not show that the labels can be predicted (kappa {format_interval(agreement)}), but "
            f"{quote(better.system)} does (kappa {format_interval(better.kappa)})."
        )
        yield make_finding("note", claim, "Judge the task by stronger systems.", agreement, n=n)
    elif agreement.high < WORSE_THAN_CHANCE:
        claim = (
            f"The quick model predicts held-out labels worse than chance (kappa {format_interval(agreement)}), as "
            "happens if an item and its near copy have different labels."
        )
        action = "Keep near copies together when splitting; if there are none, check that labels match their texts."
        yield make_finding("warning", claim, action, agreement, n=n)
    elif agreement.high < NO_AGREEMENT:
        kappa = format_interval(agreement)
        claim = f"No signal: the quick model predicts the labels no better than chance (kappa {kappa})."
        action = "Check that labels match their texts; if they do, only stronger models can tell."
        yield make_finding("warning", claim, action, agreement, n=n)
    else:
        needed = count_needed_items(n, agreement, NO_AGREEMENT)
        claim = (
            f"Cannot tell whether the labels can be predicted: kappa {format_interval(agreement)}. If the estimate stays "
            f"the same, about {needed:,} labelled items would be needed to tell."
        )
        yield make_finding("note", claim, f"Label about {needed:,} items.", agreement, n=n)


@rule("A406", "Solved by shortcuts", section="information", decides=True)
def find_solved_items(information: InformationEvidence) -> Iterator[Outcome]:
    """Report data with more than 30% of the held-out items answered correctly from shortcuts alone."""
    model, n = information.shortcuts.shortcut_model, information.shortcuts.n_items
    share = model.solved_share
    if math.isnan(share.value):
        yield NotChecked("No model of the shortcuts could be trained.")
    elif share.low > SOLVED_SHARE:
        accuracy = ""
        if not math.isnan(model.accuracy):
            right = format_percent(model.accuracy)
            accuracy = f" The model of all shortcuts together is right on {right} of these {n:,} items."
        claim = (
            "Shortcuts alone (lengths, punctuation, overlap, single words) solve "
            f"{format_interval(share, 'percent')} of {n:,} "
            "held-out items: at least one model that sees nothing else is right on them, and more confident than the "
            f"label shares would make it.{accuracy}"
        )
        action = "Rank systems on the other items (assay information DATA --predictions P)."
        yield make_finding("note", claim, action, share, n=n)


@rule("A407", "A number predicts the label", section="information")
def find_number_cues(information: InformationEvidence, measured: Measurements) -> Iterator[Outcome]:
    """Report the number that explains most of the label entropy, if above 2%, and the other such numbers."""
    entropy = information.shortcuts.entropy
    shares = {cue.token: cue.information / entropy for cue in information.number_cues}
    cues = sorted(
        (cue for cue in information.number_cues if shares[cue.token] >= MIN_ENTROPY_SHARE),
        key=lambda cue: -shares[cue.token],
    )
    if not cues:
        return
    first, *others = cues
    profile = measured.find(ProfileEvidence)
    unit = "words" if profile is None else profile.data.length_unit
    meaning = f" ({NUMBER_MEANINGS[first.token].format(unit=unit)})" if first.token in NUMBER_MEANINGS else ""
    also = ", ".join(f"{quote(cue.token)} {format_percent(shares[cue.token])}" for cue in others)
    claim = (
        f"Knowing the number {quote(first.token)}{meaning} reduces the uncertainty (entropy) of the label by "
        f"{format_percent(shares[first.token])}{f'; each on its own, {also}' if also else ''}."
    )
    evidence = {
        "information": f"{first.information:.3f} nats (1 nat = 1.44 bits)",
        "test": f"Kruskal–Wallis, {format_p_value(first.p)}",
    }
    action = f"Report scores by {quote(first.token)}, or balance it over the labels, unless it belongs to the task."
    severity: Severity = "warning" if shares[first.token] > LARGE_ENTROPY_SHARE else "note"
    estimate = Interval(first.information, math.nan, math.nan, method="plug-in")
    n, subject = first.n_items, first.token
    near = name_limit(shares[subject], LARGE_ENTROPY_SHARE, NEAR_ENTROPY, f"{100 * LARGE_ENTROPY_SHARE:.0f}%")
    yield make_finding(severity, claim, action, estimate, n=n, subject=subject, evidence=evidence, limit=near)
