"""What counts as found: hand-counted overlaps, short texts, answers, boilerplate."""

from __future__ import annotations

import math

import polars as pl
import pytest

from assay import find_contamination
from assay.base.errors import AssayError, UsageError

QUESTION = "Which treaty ended the long war between the two northern kingdoms in sixteen sixty"
FILLER = "the committee met again on monday and talked about money roads bridges and the price of bread "


def search(texts, corpus, **options):
    return find_contamination({"text": texts} if isinstance(texts, list) else texts, pl.Series(corpus), **options)


def test_the_score_is_the_weighted_share_of_the_words():
    # One item: every word has the weight log 2, so the score is the share of words. Nine of ten are there.
    item = "alpha beta gamma delta epsilon zeta eta theta iota kappa"
    result = search([item], ["so alpha beta gamma delta epsilon eta theta iota kappa again"])
    assert [(hit.id, hit.row) for hit in result.hits] == [("0", 0)]
    assert result.hits[0].score == pytest.approx(0.9)


def test_rare_words_weigh_more():
    common = "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen"
    items = [f"{common} xylophone", *(f"{common} {word}" for word in "a b c d e f g h i".split())]
    result = search(items, [f"well {common} and so on"])
    # log(1 + 10 / 10) for each of sixteen words, log(1 + 10 / 1) for the last.
    expected = 16 * math.log(2) / (16 * math.log(2) + math.log(11))
    assert [hit.score for hit in result.hits] == pytest.approx([expected] * 10)


def test_a_question_of_twelve_words_is_found_in_a_long_document():
    question = " ".join(QUESTION.split()[:12])
    words = (FILLER * 300).split()[:5000]
    document = " ".join([*words[:2500], *question.split(), *words[2500:]])
    assert search([question], [FILLER, document]).hits[0].row == 1
    assert search([question], [FILLER, " ".join(words)]).contaminated == 0


def test_a_phrase_of_four_words_does_not_count():
    result = search([QUESTION, "one of the most"], ["it is one of the most beautiful towns"])
    assert (result.items, result.contaminated) == (1, 0)
    assert "too short" in " ".join(result.notes)


def test_a_common_phrase_inside_an_item_does_not_count():
    assert search(["she was one of the most famous painters of her time"], ["it is one of the most visited"]).hits == ()


def test_a_text_of_five_to_seven_words_must_be_verbatim():
    item = "who painted the blue horse"
    assert search([item], ["Quiz: Who painted the blue horse?"]).contaminated == 1
    assert search([item], ["Quiz: Who painted the horse?"]).contaminated == 0


def test_case_punctuation_and_line_breaks_do_not_matter():
    changed = QUESTION.upper().replace(" ", ",\n", 5)
    assert search([QUESTION], [changed]).hits[0].score == 1


def test_apostrophes_do_not_split_words():
    item = "why don't the farmer's horses drink the river's water"
    assert search([item], ["Why dont the farmers horses drink the river’s water"]).hits[0].score == 1


def test_paraphrases_are_out_of_reach():
    assert search([QUESTION], ["What agreement brought peace to both realms of the north in 1660"]).contaminated == 0


def test_unspaced_scripts_are_searched_character_by_character():
    item = "北京大学位于中国的首都北京市海淀区"
    assert search([item], [f"众所周知，{item}。"]).hits[0].score == 1


@pytest.mark.parametrize(("against", "found"), [("text", []), ("answer", ["0"]), ("both", ["0"])])
def test_a_long_answer_is_found_without_its_question(against, found):
    answer = "the treaty of oliva was signed in the spring of sixteen sixty near gdansk"
    data = pl.DataFrame({"text": [QUESTION, FILLER], "answer": [answer, "no"]})
    result = search(data, [f"We know that {answer}."], against=against)
    assert [hit.id for hit in result.hits] == found
    assert all((hit.question_overlap, hit.answer_overlap) == (0, 1) for hit in result.hits)


@pytest.mark.parametrize(("text", "overlap"), [("Answer: Oliva.", 1), ("We do not know.", 0)])
def test_a_short_answer_counts_only_near_its_question(text, overlap):
    data = pl.DataFrame({"text": [QUESTION], "answer": ["Oliva"]})
    far = "Oliva is a town. " + FILLER * 10
    hit = search(data, [f"{far} {QUESTION}? {text}"]).hits[0]
    assert (hit.score, hit.question_overlap, hit.answer_overlap) == (1, 1, overlap)


def test_a_number_far_from_its_question_is_not_an_answer():
    data = pl.DataFrame({"text": [QUESTION], "answer": ["3"]})
    overlaps = [
        search(data, [f"{QUESTION}? {' '.join(['word'] * n_words)} 3"]).hits[0].answer_overlap for n_words in (10, 30)
    ]
    assert overlaps == [1, 0]


def test_the_answer_to_a_choice_is_the_text_of_the_option():
    data = pl.DataFrame({"question": [QUESTION, FILLER], "choices": ['["Oliva", "Kiel"]'] * 2, "answer": ["A", "B"]})
    assert search(data, [f"{QUESTION}? Oliva."]).hits[0].answer_overlap == 1
    assert search(data, [f"{QUESTION}? Kiel."]).hits[0].answer_overlap == 0


def test_without_answers_their_overlap_is_unknown():
    assert math.isnan(search([QUESTION], [QUESTION]).hits[0].answer_overlap)


def test_the_document_with_most_of_the_item_is_named():
    part = " ".join(QUESTION.split()[:12])
    result = search([QUESTION], [FILLER, part, QUESTION, QUESTION])
    assert [(hit.row, hit.score) for hit in result.hits] == [(2, 1)]


def test_what_is_frequent_in_the_corpus_is_boilerplate():
    licence = "permission is hereby granted free of charge to any person obtaining a copy of this software"
    documents = [f"{licence} number {n}" for n in range(51)]
    assert search([licence], documents[:50]).contaminated == 1
    result = search([licence], documents)
    assert result.contaminated == 0
    assert "frequent in the corpus" in " ".join(result.notes)


def test_boilerplate_does_not_hide_what_is_next_to_it():
    licence = "permission is hereby granted free of charge to any person obtaining a copy of this software"
    documents = [f"{licence} number {n}" for n in range(60)]
    result = search([f"{licence} {QUESTION}"], [*documents, f"{licence} {QUESTION}"])
    assert [(hit.row, hit.score) for hit in result.hits] == [(60, 1)]


def test_copies_of_an_item_are_all_found():
    assert search([QUESTION] * 200, [QUESTION]).contaminated == 200


def test_the_share_has_an_interval():
    result = search([QUESTION, FILLER], [QUESTION])
    assert (result.items, result.contaminated, result.share, result.documents) == (2, 1, 0.5, 1)
    assert 0 < result.low < 0.5 < result.high < 1
    assert result.from_dict(result.to_dict()) == result


def test_errors_say_what_to_do():
    with pytest.raises(AssayError, match="no answers as text"):
        search([QUESTION], [QUESTION], against="answer")
    with pytest.raises(AssayError, match="5 words"):
        search(["too short"], [QUESTION])
    with pytest.raises(UsageError, match="No part of an item 'all'"):
        search([QUESTION], [QUESTION], against="all")
    with pytest.raises(UsageError, match="threshold"):
        search([QUESTION], [QUESTION], threshold=0)
    with pytest.raises(UsageError, match="seed_words"):
        search([QUESTION], [QUESTION], seed_words=3)


def test_a_repeated_phrase_counts_as_often_as_the_document_has_it():
    # Twenty distinct words, of which ten are there twice: half of the weight, a quarter where the document has them once.
    link = "see www example org pages of the old northern archive"
    other = "alpha beta gamma delta epsilon zeta eta theta iota kappa"
    result = search([f"{link} {other} {link}"], [f"for more {link} today"], threshold=0.3)
    assert result.hits == ()
    result = search([f"{link} {other} {link}"], [f"{link} more {link}"], threshold=0.3)
    assert result.hits[0].score == pytest.approx(0.5)
    assert search(["sad sad sad sad sad sad sad sad"], ["Sad, sad, sad, sad."]).contaminated == 0


def test_text_that_is_frequent_in_its_source_does_not_count(tmp_path):
    licence = "Permission is granted to any person who obtains a copy of this wonderful program to use it"
    for folder, texts in {"code": [licence] * 60, "web": [f"page {number}" for number in range(20_000)]}.items():
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "0.txt").write_text("\n\n".join(texts))
    assert find_contamination({"text": [licence]}, [tmp_path / "code", tmp_path / "web"]).contaminated == 0
    (tmp_path / "code" / "0.txt").write_text("\n\n".join([licence] * 40))
    assert find_contamination({"text": [licence]}, [tmp_path / "code", tmp_path / "web"]).contaminated == 1
