"""Reading the final answer of a response, in the ways that models write."""

from __future__ import annotations

import pytest

from assay.responses import AnswerForm, read_response
from assay.responses.reading.loops import find_loop

OPTIONS = AnswerForm("options", ("Paris", "a good idea", "144", "Iron and zinc", "Rome", "90 degrees"))


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("B", "B"),
        ("(C)", "C"),
        ("**D**", "D"),
        ("D. Iron and zinc", "D"),
        ("The answer is (B).", "B"),
        ("The answer is: **E**", "E"),
        ("the correct answer should be (D).", "D"),
        (r"So we get \boxed{C}.", "C"),
        (r"The answer is $\frac{288}{2} = \boxed{144}$.", "C"),
        ("Final Answer: (A)", "A"),
        ("Final answer: The answer is (A).", "A"),
        ("#### D", "D"),
        ("ANSWER: E", "E"),
        ("Therefore the capital is Rome.\n\nRome", "E"),
        ("The metals in it are\n\nD. Iron and zinc", "D"),
        ("Therefore, the primary mechanism is (D).", "D"),
        ("This gives 305 K, or (C).", "C"),
        ("(E) is the correct answer.", "E"),
        ("The author would agree with B. a good idea, as the text says.", "B"),
        ("I would choose option A because it is large.", "A"),
        ("The answer is A good idea? No. The answer is (E).", "E"),
        ("At first: the answer is (A). Wait, let me check this again. No, the answer is (E).", "E"),
        ("<think>The answer is (A).</think>The answer is (E).", "E"),
        ("Die richtige Antwort ist (D).", "D"),
        ("Antwort: B", "B"),
        ("La réponse correcte est (C).", "C"),
        ("Réponse : E", "E"),
        ("La respuesta correcta es la (A).", "A"),
        ("Respuesta: D", "D"),
        ("综上所述，正确答案是B。", "B"),
        ("故选C。", "C"),
        ("The answer is ... B. a good idea", "B"),
    ],
)
def test_the_option_that_a_response_commits_to_is_read(text, answer):
    reading = read_response(text, OPTIONS)
    assert (reading.answer, reading.state) == (answer, "complete")
    assert 0 <= reading.start < reading.end <= len(text)


@pytest.mark.parametrize(
    ("text", "state"),
    [
        ("The answer is (A) and (B).", "complete"),
        ("The answer is (A), (B), or (D).", "complete"),
        ("The answer is not listed in the options.", "complete"),
        ("The answer is (ABD).", "complete"),
        ("First, we compute the sum of all the", "truncated"),
        ("So the final answer is (1.2 x", "truncated"),
        ("The answer is (", "truncated"),
        ("We refer to articles on geography. Many cities are large.", "no-commitment"),
        ("I'm sorry, but I can't help with that request.", "refusal"),
        ("Es tut mir leid, aber dabei kann ich nicht helfen.", "refusal"),
        ("Lo siento, pero no puedo ayudar con eso.", "refusal"),
        ("抱歉，我无法回答这个问题。", "refusal"),
        ("It is so because it is so. " * 20, "looping"),
        ("= 0." + "0" * 300, "looping"),
        ("", "empty"),
        ("  \n ", "empty"),
        ("<think>We have to find the", "truncated"),
    ],
)
def test_a_response_that_commits_to_nothing_has_a_state_and_no_answer(text, state):
    reading = read_response(text, OPTIONS)
    assert (reading.answer, reading.state) == (None, state)


def test_text_after_the_answer_is_a_run_on_and_does_not_count():
    text = "Rome it is. The answer is (E).\n\nQuestion:\nWhat is red?\nOptions:\nA. x\nAnswer: The answer is (A)."
    reading = read_response(text, OPTIONS)
    assert (reading.answer, reading.state, text[reading.start : reading.end]) == ("E", "run-on", "answer is (E")


def test_an_answer_that_is_contradicted_without_reasoning_is_not_sure():
    reading = read_response("Rome is in Italy. The answer is (E).\n\nFinal Answer: The answer is (B).", OPTIONS)
    assert (reading.answer, reading.is_sure) == ("E", False)


def test_answers_of_other_questions_after_the_own_one_are_a_run_on():
    text = "Rome is in Italy. The answer is (E).\n\nNow, let's combine all the answers:\nThe answer is (B)."
    reading = read_response(text, OPTIONS)
    assert (reading.answer, reading.state) == ("E", "run-on")


@pytest.mark.parametrize(
    ("stop", "state"),
    [
        ("content_filter", "refusal"),
        ("message_limit", "limit"),
        ("time_limit", "limit"),
        ("token_limit", "limit"),
        ("error", "error"),
    ],
)
def test_the_reason_of_the_stop_decides(stop, state):
    if stop == "token_limit":
        assert read_response(None, OPTIONS, stop).state == state
    assert read_response("We now look at", OPTIONS, stop).state == state


def test_a_response_that_was_cut_off_after_its_answer_is_complete():
    assert read_response("The answer is (E). This is because", OPTIONS, "max_tokens").state == "complete"
    assert read_response("This is because of the sum.", OPTIONS, "max_tokens").state == "truncated"


@pytest.mark.parametrize(
    ("form", "text", "answer"),
    [
        ("number", "She has 3 + 4 = 7 apples. The answer is 7.", "7"),
        ("number", "Adding up.\n#### 1,200", "1,200"),
        ("number", r"\boxed{42}", "42"),
        ("number", "Die Antwort lautet 12.", "12"),
        ("yes-no", "Yes, because it is green.", "yes"),
        ("yes-no", "We looked at it. So the answer is no.", "no"),
        ("yes-no", "Die Antwort ist nein.", "nein"),
        ("text", "The answer is the Seine.", "Seine"),
        ("text", "Seine", "Seine"),
    ],
)
def test_other_forms_of_answers_are_read(form, text, answer):
    assert read_response(text, AnswerForm(form)).answer == answer


def test_places_are_those_of_the_whole_response_if_its_middle_is_left_out():
    text = "We begin. " + "".join(f"Step {n} of it is done. " for n in range(4000)) + "The answer is (E)."
    reading = read_response(text, OPTIONS)
    assert text[reading.start : reading.end] == "answer is (E"


def test_a_loop_begins_where_the_copies_begin():
    text = "We know that it is so! " + "It is so because of it? " * 5
    assert text[find_loop(text) :].startswith(("It is", " It is"))
    assert find_loop("One. Two. Three. Four. Five. Six. Seven. Eight, which ends it.") is None


def test_calculations_whose_numbers_change_loop_only_if_they_go_on():
    steps = [f"We can write 1/{2**n} as 1/{2**n} = 1/{2**n} * {2**n}. " for n in range(10)]
    assert find_loop("".join(steps)) is not None
    assert find_loop("".join(steps[:3])) is None
