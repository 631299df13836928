"""Questions about a text: SQuAD files, exact match and token F1, contexts as groups."""

from __future__ import annotations

import json

import pytest

import assay
from assay.kinds import kind_of, read
from assay.kinds.tools.text_metrics import compute_token_f1, normalise_answer

CONTEXT = "Ada Byron wrote notes. They were about an engine."


def test_answers_are_lists_objects_or_text():
    questions = ["Who?", "What?"]
    layouts = [
        [["Ada", "Ada Byron"], ["notes"]],
        [{"text": ["Ada", "Ada Byron"], "answer_start": [0, 0]}, {"text": ["notes"], "answer_start": [16]}],
        [
            [{"text": "Ada", "answer_start": 0}, {"text": "Ada Byron", "answer_start": 0}],
            [{"text": "notes", "answer_start": 16}],
        ],
    ]
    for answers in layouts:
        data = read({"context": [CONTEXT] * 2, "question": questions, "answers": answers})
        assert data.notes[0] == "task: question answering (question, context, answers)"
        assert data.fields["references"].to_list() == [["Ada", "Ada Byron"], ["notes"]]
    plain = read({"passage": [CONTEXT] * 2, "question": questions, "answer": ["Ada", "notes"]})
    assert (plain.task, kind_of(plain).gold.get_gold(plain).to_list()) == ("qa", ["Ada", "notes"])


def test_what_has_a_label_or_no_context_is_another_kind():
    texts = {"question": ["Who?", "What?"], "answer": ["Ada wrote it", "Notes they were"]}
    assert read(texts).task == "generation"
    assert read({**texts, "label": ["1", "0"]}).task == "pairs"
    assert read({"question": ["Who?"], "sentence": ["Ada."], "label": ["1"]}).task == "pairs"
    with_options = {"context": [CONTEXT], "question": ["Who?"], "answers": [["Ada", "Bob"]], "label": ["0"]}
    assert read(with_options).task == "multiple-choice"


def test_normalisation_and_token_f1_by_hand():
    """As the SQuAD script: articles, punctuation and case do not count, words are counted with repetition."""
    assert normalise_answer("The U.S.A., a land") == "usa land"
    assert compute_token_f1("the cat sat sat", "cat sat") == pytest.approx(2 * 2 / (3 + 2))
    assert compute_token_f1("", "") == 1.0
    assert compute_token_f1("the", "cat") == 0.0


def test_the_best_reference_counts():
    data = read({"context": [CONTEXT] * 2, "question": ["a?", "b?"], "answers": [["Ada", "Ada Byron"], ["notes"]]})
    (system,) = assay.evaluate(data, {"x": ["ada byron!", "long notes"]}, compare=False).systems
    assert system.metrics["exact-match"].value == 0.5
    assert system.metrics["token-f1"].value == pytest.approx((1 + 2 / 3) / 2)


def test_questions_without_an_answer(tmp_path):
    squad = {
        "version": "v2.0",
        "data": [
            {
                "title": "Ada",
                "paragraphs": [
                    {
                        "context": CONTEXT,
                        "qas": [
                            {"id": "q1", "question": "Who?", "answers": [{"text": "Ada", "answer_start": 0}]},
                            {"id": "q2", "question": "When?", "answers": [], "is_impossible": True},
                            {"id": "q3", "question": "What?", "answers": [{"text": "notes", "answer_start": 3}]},
                        ],
                    }
                ],
            }
        ],
    }
    path, answers = tmp_path / "dev.json", tmp_path / "model.json"
    path.write_text(json.dumps(squad), encoding="utf-8")
    answers.write_text(json.dumps({"q1": "Ada", "q2": "", "q3": "engine"}), encoding="utf-8")
    data = read(path)
    result = assay.evaluate(data, answers, compare=False)
    assert (result.systems[0].system, result.systems[0].value) == ("model", pytest.approx(2 / 3))
    profile = assay.profile(data).kind
    assert {figure.name: figure.value for figure in profile.figures}["questions without an answer"] == pytest.approx(
        1 / 3
    )
    assert [(defect.name, defect.items.ids) for defect in profile.defects] == [("misplaced answers", ("q3",))]


def test_xquad(shared):
    data = read(shared("xquad_en/xquad.en.json.gz"))
    figures = {figure.name: figure.value for figure in kind_of(data).texts.describe_items(data).figures}
    assert (len(data), figures["contexts"], figures["answer is in the context"]) == (1190, 240, 1.0)
    (defect,) = kind_of(data).texts.describe_items(data).defects  # "… that Tesla Electric Light … installed?"
    assert (defect.name, defect.items.ids) == ("answers in the question", ("56e0d6cf231d4119001ac424",))
    assert data.groups.n_unique() == 240
    gold = kind_of(data).gold.get_gold(data).to_list()
    result = assay.evaluate(data, {"first word": [text.split()[0] for text in gold]})
    assert result.resampled == "groups"
    assert result.systems[0].metrics["token-f1"].value > result.systems[0].metrics["exact-match"].value
    assert [row.baseline for row in result.baselines] == ["first-sentence", "overlap-sentence"]
    folds = assay.split(data, "random", n_splits=4).draws[0].folds
    contexts = data.fields["context"].to_numpy()
    assert all(len(set(folds[contexts == text])) == 1 for text in set(contexts[:60].tolist()))


def test_overlap_finds_more_than_the_first_sentence(shared):
    data = read(shared("xquad_en/xquad.en_first_article.json"))
    gold = kind_of(data).gold.get_gold(data).to_list()
    scores = {row.baseline: row.value for row in assay.evaluate(data, {"x": gold}, metrics="token-f1").baselines}
    assert scores["overlap-sentence"] > scores["first-sentence"]


def test_answers_in_the_question_and_outside_the_context_are_counted():
    contexts = [f"Town number {row} is on the river Flow{row}." for row in range(10)]
    rows = {
        "context": contexts,
        "question": [
            "Is the river Flow0 near?",
            "Which river, Flow1 or Main?",
            *(f"Which river does town {row} have?" for row in range(2, 10)),
        ],
        "answers": [[f"flow{row}"] for row in range(9)] + [["Nowhere"]],
    }
    defects = {defect.name: defect.items.ids for defect in assay.profile(rows).kind.defects}
    assert defects == {"answers that are not in the context": ("9",), "answers in the question": ("0",)}
    rows["answers"] = [["somewhere else"]] * 10  # answers in the writer's own words
    assert assay.profile(rows).kind.defects == ()


@pytest.mark.parametrize("start", [[None], None, "x", True, -3, 1.5, "²"])
def test_places_of_answers_that_are_not_numbers_are_not_used(start):
    answer = json.dumps({"text": ["Ada"], "answer_start": [start]})
    table = {"context": ["Ada wrote it."] * 2, "question": ["Who?", "Which person?"], "answers": [answer] * 2}
    data = read(table, task="qa")
    assert data.fields["starts"].to_list() == [[], []]
    assert kind_of(data).texts.describe_items(data)
