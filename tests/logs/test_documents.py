"""Documents of lm-evaluation-harness: what the model was shown is the text, and what it was not is no part of it."""

from __future__ import annotations

import pytest

from assay.logs.readers.documents import describe_document, find_answer


def make_row(document, prompt, continuations=(), target="0"):
    parts = [{"arg_0": prompt, "arg_1": text} for text in continuations] or [{"arg_0": prompt, "arg_1": {"until": []}}]
    arguments = {f"gen_args_{number}": part for number, part in enumerate(parts)}
    return {"doc": document, "arguments": arguments, "target": target}


def test_the_question_of_copa_is_its_premise():
    document = {
        "premise": "The man turned on the faucet.",
        "choice1": "Water.",
        "choice2": "Fire.",
        "question": "cause",
    }
    row = make_row(document, "The man turned on the faucet because", [" water.", " fire."])
    content = describe_document(row)
    assert content.text == "The man turned on the faucet."
    assert (content.choices, content.gold) == (("Water.", "Fire."), ("A",))


def test_the_passage_belongs_to_the_question():
    document = {"question": "is it long", "passage": "The Nile flows north.", "label": 1}
    row = make_row(document, "The Nile flows north.\nQuestion: is it long?\nAnswer:", [" no", " yes"], "1")
    content = describe_document(row)
    assert (content.text, content.gold) == ("The Nile flows north.\nis it long", ("B",))


def test_the_context_is_taken_from_the_last_place_in_a_few_shot_prompt():
    document = {"context": "Ann left.", "question": "Why?", "answerA": "x", "answerB": "y"}
    prompt = "Question: Bob left. Why?\nAnswer: z\n\nQuestion: Ann left. Why?\nAnswer:"
    assert describe_document(make_row(document, prompt, [" x", " y"])).text == "Ann left.\nWhy?"


def test_a_prompt_of_a_conversation_is_json():
    document = {"context": 'She said "no".\nHe left.', "question": "Who left?"}
    prompt = '[{"role": "user", "content": "She said \\"no\\".\\nHe left. Who left?"}]'
    assert describe_document(make_row(document, prompt, target="he")).text == 'She said "no".\nHe left.\nWho left?'


def test_the_word_to_guess_is_not_part_of_the_text():
    row = make_row({"text": "He sat down on the chair"}, "He sat down on the", [" chair"], " chair")
    content = describe_document(row)
    assert (content.text, content.gold) == ("He sat down on the", ("chair",))


def test_a_text_whose_likelihood_is_measured_has_no_gold():
    content = describe_document(make_row({"page": "A page. "}, "A page. ", target="A page. "))
    assert (content.text, content.gold) == ("A page. ", ())


def test_fields_without_a_known_name_are_taken_where_the_prompt_shows_them():
    document = {"sentence_eng_Latn": "The cat sat down", "sentence_spa_Latn": "El gato se sentó", "id": "7"}
    row = make_row(document, "English: The cat sat down\nSpanish:", target="El gato se sentó")
    assert describe_document(row).text == "The cat sat down"


@pytest.mark.parametrize(
    ("target", "gold"),
    [("['Rome', 'Roma']", ("Rome", "Roma")), (["a", "b"], ("a", "b")), ("[1, 2]", ("[1, 2]",)), ("[x", ("[x",))],
)
def test_a_list_of_accepted_answers_is_read(target, gold):
    assert describe_document(make_row({"question": "Capital?"}, "Capital?", target=target)).gold == gold


def test_choices_are_in_the_order_of_the_requests():
    document = {"question": "Which?", "choices": ["red", "blue"]}
    content = describe_document(make_row(document, "Which?", [" blue", " red"], "0"))
    assert (content.choices, content.gold) == (("blue", "red"), ("A",))


def test_choices_that_are_also_scored_without_the_prompt_count_once():
    row = make_row({"question": "Which?"}, "Which?", [" red", " blue"], "1")
    row["arguments"] |= {f"gen_args_{n + 2}": {"arg_0": "", "arg_1": text} for n, text in enumerate(("red", "blue"))}
    content = describe_document(row)
    assert (content.choices, content.gold) == (("red", "blue"), ("B",))
    likelihoods = [["-2.0", "False"], ["-1.0", "False"], ["-0.1", "False"], ["-9.0", "False"]]
    assert find_answer({"filtered_resps": likelihoods}, content.choices) == "B"
