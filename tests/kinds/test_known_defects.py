"""Defects that are named for what they are."""

from __future__ import annotations

import pytest

import assay
from assay.kinds import kind_of
from assay.kinds.multiple_choice.figures import _CATCH_ALL


@pytest.mark.parametrize(
    ("option", "is_catch_all"),
    [
        ("All of the above", True),
        ("none of these", True),
        ("Neither of them is right.", True),
        ("Both A and B", True),
        ("I, II and none of the above", True),
        ("add all of them to each processor load", False),
        ("It divides any of these numbers by the sum of the others", False),
    ],
)
def test_a_catch_all_option_is_the_whole_option(option, is_catch_all):
    assert bool(_CATCH_ALL.search(option)) == is_catch_all


def make_questions(n: int = 40) -> dict[str, list[str]]:
    return {
        "context": [f"In the year {1500 + row} the town number {row} was founded by settlers." for row in range(n)],
        "question": [f"When was town {row} founded?" for row in range(n)],
        "answer": [str(1500 + row) for row in range(n)],
    }


def list_defects(data) -> dict[str, str]:
    dataset = assay.read(data, task="qa")
    return {defect.name: defect.description for defect in kind_of(dataset).texts.describe_items(dataset).defects}


def test_swapped_questions_and_contexts_are_called_swapped():
    data = make_questions()
    assert list_defects(data) == {}
    swapped = {"context": data["question"], "question": data["context"], "answer": data["answer"]}
    assert list(list_defects(swapped)) == ["swapped texts"]
    assert "swapped" in list_defects(swapped)["swapped texts"]


def test_two_copies_of_a_question_with_different_answers_are_in_conflict():
    data = make_questions()
    for column in data:
        data[column].append(data[column][0])
    assert "A104" not in [row.code for row in assay.audit(data, task="qa", only=["profile"]).findings]
    data["answer"][-1] = "the"
    assert "A104" in [row.code for row in assay.audit(data, task="qa", only=["profile"]).findings]


def test_many_broken_tag_sequences_are_more_than_a_note():
    tokens = [["Ada", "met", "Mary", "Shelley"]] * 50
    tags = [["B-per", "O", "B-per", "I-per"]] * 40 + [["B-per", "O", "I-per", "I-per"]] * 10
    data = {"tokens": [[*row, str(number)] for number, row in enumerate(tokens)], "tags": [[*row, "O"] for row in tags]}
    result = assay.audit(data, task="tagging", only=["task"])
    assert [row.severity for row in result.findings if row.subject == "broken tag sequences"] == ["error"]
