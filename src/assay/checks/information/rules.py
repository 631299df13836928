"""Shortcuts: words, numbers and baselines that predict the label, and what is left beyond them."""

from __future__ import annotations

import math
from collections.abc import Iterator

from assay.base.wording import (
    choose_verb,
    count_noun,
    format_estimate,
    format_p_value,
    format_percent,
    format_points,
    format_share,
    quote,
)
from assay.checks.discrimination.results import DiscriminationEvidence
from assay.checks.findings import NO_ACTION, Finding, NotChecked, Outcome, Severity, make_finding, rule
from assay.checks.information.results import CHEAP_BASELINES, SIDES, InformationEvidence
from assay.checks.measured import Measurements
from assay.checks.profile.results import ProfileEvidence
from assay.discrimination.items import SystemAgreement
from assay.information import CueGroup, WordCue
from assay.statistics import Interval

MAX_CUES = 5
MIN_GAIN = 0.01  # of a cheap model over the most frequent label
LARGE_GAIN_SHARE = 0.5  # of what the quick model gains
NOTABLE_PLACE_SHARE = 0.05
MIN_ENTROPY_SHARE, LARGE_ENTROPY_SHARE = 0.02, 0.1
LITTLE_INFORMATION = 0.05  # share of the label entropy
NO_AGREEMENT = 0.1  # kappa below which a model is of no use
WORSE_THAN_CHANCE = -0.05
MIN_AGREEMENT = 0.03  # kappa, of a model whose lack of information says something
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
    quick model gains over the most frequent label. Words that nearly always go with one label although nothing else in
    the text calls for them are a warning each. All other words, which may be the task, make one note.
    """
    group = information.function_words
    if group is not None:
        yield report_function_words(information, group)
    grouped = set() if group is None else set(group.words)
    strange = [cue for cue in information.word_cues if cue.suspicious and cue.token not in grouped]
    for number, cue in enumerate(strange[:MAX_CUES]):
        rest = count_rest(len(strange) - MAX_CUES) if number == MAX_CUES - 1 else ""
        action = "Balance the word over the labels, or report scores on items without it; if it is the task, say so."
        yield report_cue("warning", cue, describe_cue(cue) + rest, action)
    others = [cue for cue in information.word_cues if not cue.suspicious and not cue.word_kind.startswith("function")]
    if others:
        names = ", ".join(quote(cue.token) + cue.origin for cue in others[:MAX_CUES])
        claim = f"{describe_cue(others[0])} Words associated with a label: {names}; they may be what the task is about."
        action = "Decide whether these words are the task; if not, balance them."
        words = tuple(cue.token for cue in others[:MAX_CUES])
        yield report_cue("note", others[0], claim, action, words)


def report_function_words(information: InformationEvidence, group: CueGroup) -> Finding:
    """Report function words and numbers together, with their effect on the score."""
    first = next(cue for cue in information.word_cues if cue.token == group.words[0])
    names = ", ".join(quote(word) for word in group.words[:MAX_CUES])
    effect = group.effect
    claim = (
        f"Function words or numbers predict labels: {names}. A model that sees only whether an item contains "
        f"{choose_verb(len(group.words), 'it', 'them')} scores {format_percent(effect.accuracy)}, "
        f"{format_points(effect.gain)} above the most frequent label; the quick model scores "
        f"{format_percent(effect.full)}."
    )
    evidence = {"the first of them": describe_cue(first)}
    if not math.isnan(effect.share.value):
        evidence["share of the quick model's gain"] = format_share(effect.share)
    is_material = effect.gain.low > MIN_GAIN and not effect.share.value < LARGE_GAIN_SHARE
    action = (
        "Report this baseline next to every system. Balance the words over the labels unless they are the task."
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
        stake=max(effect.gain.value, 0.0),
        words=group.words[:MAX_CUES],
    )


def report_cue(severity: Severity, cue: WordCue, claim: str, action: str, words: tuple[str, ...] = ()) -> Finding:
    """Return the finding about a word, or about several of which it is the first."""
    evidence = {"coverage": format_percent(cue.cue.coverage), "test": format_p_value(cue.cue.p)}
    return make_finding(
        severity,
        claim,
        action,
        cue.precision,
        n=cue.cue.n_items,
        subject=cue.token,
        evidence=evidence,
        words=words or (cue.token,),
    )


def count_rest(n: int) -> str:
    """Say how many more words there are.

    >>> count_rest(1), count_rest(0)
    (' So does 1 more word.', '')
    """
    return f" So {choose_verb(n, 'does', 'do')} {count_noun(n, 'more word')}." if n > 0 else ""


def describe_cue(cue: WordCue) -> str:
    """Say how well a word predicts its label."""
    any_word = f", and any word there goes with it in {format_percent(cue.place_share)}"
    return (
        f"The {cue.word_kind} {quote(cue.token)}{cue.origin}{cue.place} alone "
        f"{'predict' if cue.has_several_words else 'predicts'} the label {quote(cue.cue.label)}: right on "
        f"{format_share(cue.precision)} of the {cue.cue.n_items:,} items that contain "
        f"{'them' if cue.has_several_words else 'it'}, while the label has {format_percent(cue.label_share)} of all items"
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
                f"{format_points(row.gain)} above the most frequent label of training."
            )
            action = "Build pairs in which the same text occurs with different labels."
            stake = row.gain.value
            yield make_finding("warning", claim, action, row.gain, n=baseline.n_items, subject=side, stake=stake)


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
        f"items, {format_points(gain)} above the most frequent label of training."
    )
    full, majority = information.quick_accuracy, best.accuracy.value - gain.value
    share = math.nan if full is None or full <= majority else gain.value / (full - majority)
    evidence = {CHEAP_BASELINES[row.baseline.name]: format_percent(row.baseline.accuracy.value) for row in beating[1:]}
    if not math.isnan(share):
        evidence["share of the quick model's gain"] = format_percent(share)
    yield make_finding(
        "warning" if gain.low > MIN_GAIN and not share < LARGE_GAIN_SHARE else "note",
        claim,
        "Report this baseline next to every system; balance what it uses if the task is not about it.",
        gain,
        n=best.n_items,
        subject=best.name,
        evidence=evidence,
        stake=gain.value,
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
            "The quick model learns next to nothing beyond shortcuts: "
            f"{format_percent(max(estimate.value, 0.0) / entropy)} of what decides the label."
        )
        action = (
            "Try a stronger model (a full audit, or predictions with probabilities) before concluding that nothing can "
            "be learned."
        )
        evidence = describe_information(estimate, entropy)
        yield make_finding("warning", claim, action, estimate, n=control.n_items, evidence=evidence)
    elif estimate.low < 0 < estimate.high:
        width = (estimate.high - estimate.low) / 2
        needed = round(control.n_items * (width / max(abs(estimate.value), threshold)) ** 2)
        claim = (
            "Cannot tell whether there is anything to learn beyond shortcuts. About "
            f"{max(needed, control.n_items + 1):,} held-out items would be needed to tell."
        )
        action, evidence = "Hold out more items, or use a stronger model.", describe_information(estimate, entropy)
        yield make_finding("note", claim, action, estimate, n=control.n_items, evidence=evidence)


def describe_information(estimate: Interval, entropy: float) -> dict[str, str]:
    """Give the information beyond shortcuts in its own unit.

    >>> describe_information(Interval(0.1, 0.05, 0.15), 0.6931)["information beyond shortcuts"]
    '0.100 [0.050, 0.150] nats of 0.69, the entropy of the labels (1 nat = 1.44 bits)'
    """
    number = f"{format_estimate(estimate, 3)} nats of {entropy:.2f}"
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
    better = best_system(measured)
    if better is not None:
        claim = (
            f"The quick model finds no signal in the labels (kappa {format_estimate(agreement)}), but "
            f"{quote(better.system)} does (kappa {format_estimate(better.kappa)})."
        )
        yield make_finding("note", claim, "Judge the task by stronger systems.", agreement, n=n)
    elif agreement.high < WORSE_THAN_CHANCE:
        claim = (
            f"The quick model predicts held-out labels worse than chance (kappa {format_estimate(agreement)}), as "
            "happens if an item and its near copy have different labels."
        )
        action = "Keep near copies together when splitting; if there are none, check that labels match their texts."
        yield make_finding("warning", claim, action, agreement, n=n)
    elif agreement.high < NO_AGREEMENT:
        kappa = format_estimate(agreement)
        claim = f"No signal: the quick model predicts the labels no better than chance (kappa {kappa})."
        action = "Check that labels match their texts; if they do, only stronger models can tell."
        yield make_finding("warning", claim, action, agreement, n=n)
    else:
        needed = round(n * ((agreement.high - agreement.low) / 2 / NO_AGREEMENT) ** 2)
        claim = (
            f"Cannot tell whether the labels can be predicted: kappa {format_estimate(agreement)}. About {needed:,} "
            "labelled items would be needed to tell."
        )
        yield make_finding("note", claim, f"Label about {needed:,} items.", agreement, n=n)


def best_system(measured: Measurements) -> SystemAgreement | None:
    """Return the given system that agrees best with the gold labels, if it does so beyond chance."""
    discrimination = measured.find(DiscriminationEvidence)
    if discrimination is None or discrimination.basis != "predictions":
        return None
    beyond = [row for row in discrimination.agreement if row.kappa.low > 0]
    return max(beyond, key=lambda row: row.kappa.value) if beyond else None


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
            accuracy = (
                f"; the model of all shortcuts together is right on {format_percent(model.accuracy)} of all items"
            )
        claim = (
            f"Shortcuts alone (lengths, punctuation, overlap, single words) solve {format_share(share)} of {n:,} "
            "held-out items: a model that sees nothing else is right on them, and more confident than the label shares "
            f"would make it{accuracy}."
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
        f"The number {quote(first.token)}{meaning} alone explains {format_percent(shares[first.token])} of what "
        f"decides the label{f'; each by itself, {also}' if also else ''}."
    )
    evidence = {
        "information": f"{first.information:.3f} nats (1 nat = 1.44 bits)",
        "test": f"Kruskal–Wallis, {format_p_value(first.p)}",
    }
    action = "Report scores by this number, or balance it over the labels, unless it belongs to the task."
    severity: Severity = "warning" if shares[first.token] > LARGE_ENTROPY_SHARE else "note"
    estimate = Interval(first.information, math.nan, math.nan, method="plug-in")
    yield make_finding(severity, claim, action, estimate, n=first.n_items, subject=first.token, evidence=evidence)
