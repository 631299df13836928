"""Short texts that differ in one or two words."""

from __future__ import annotations

import numpy as np
import pytest

import assay
from assay.text import near_duplicates, near_matches

SENTENCE = "the old lighthouse keeper watched grey storm clouds gather over the silent harbour"


def are_grouped(first: str, second: str) -> bool:
    others = [f"other text number {word} about something else entirely here" for word in ("one", "two", "three")]
    groups = near_duplicates([first, *others, second], close=True)
    return bool(groups[0] == groups[-1])


def test_two_changed_words_make_a_near_copy():
    assert are_grouped(SENTENCE, SENTENCE.replace("grey", "dark").replace("silent", "quiet"))
    assert are_grouped(SENTENCE, SENTENCE.replace("old ", ""))
    assert not are_grouped(SENTENCE, SENTENCE.replace("grey", "x").replace("silent", "y").replace("old", "z"))


def test_another_number_or_another_order_is_not_a_copy():
    text = "the train from the coast reached the mountain village after 17 hours of travel"
    assert not are_grouped(text, text.replace("17", "23"))
    text = "which bus goes from springfield to shelbyville early in the morning"
    swapped = "which bus goes from shelbyville to springfield early in the morning"
    assert not are_grouped(text, swapped)


def test_questions_of_a_template_are_not_copies():
    cities = "oslo bern rome paris lima quito delhi tokyo".split()
    texts = [f"please list the evening flights that leave from {city} on a friday" for city in cities]
    assert len(set(near_duplicates(texts, close=True).tolist())) == len(texts)


def test_a_close_text_in_training_is_a_match():
    changed = SENTENCE.replace("grey", "dark").replace("silent", "quiet")
    assert near_matches(
        [SENTENCE, changed, "something else"], rows=[1, 2], reference_rows=[0], close=True
    ).tolist() == [
        True,
        False,
    ]


@pytest.mark.parametrize(("name", "most"), [("mr/mr.tsv.gz", 2), ("sst2/sst2.tsv.gz", 2), ("ade/ade.tsv.gz", 4)])
def test_changed_texts_of_real_data_are_found_and_clean_texts_are_apart(shared, name, most):
    rng = np.random.default_rng(11)
    texts = list(dict.fromkeys(assay.read(shared(name)).fill_texts().texts.to_list()))
    texts = [texts[row] for row in rng.permutation(len(texts))[:1_500]]
    assert len(texts) - len(set(near_duplicates(texts, close=True).tolist())) <= most
    words = sorted({word for text in texts for word in text.split()})
    short = [text for text in texts if 12 <= len(text.split()) <= 24][:36]
    changed = [text.split() for text in short]
    for row in changed:
        for place in rng.choice(len(row), 2, replace=False):
            row[place] = str(rng.choice(words))
    groups = near_duplicates([*texts, *(" ".join(row) for row in changed)], close=True)
    n_found = sum(groups[texts.index(text)] == groups[len(texts) + row] for row, text in enumerate(short))
    assert n_found >= 24
