from __future__ import annotations

import math

import numpy as np
import pytest

from assay.base.errors import AssayError
from assay.evaluation import evaluate, read_predictions
from assay.kinds import read

ROWS = [
    {"id": f"i{n}", "text": f"text {n}", "label": "ab"[n % 2], "split": "train" if n < 2 else "test"} for n in range(6)
]


@pytest.fixture
def file(tmp_path):
    def write(text, name="preds.tsv"):
        path = tmp_path / name
        path.write_text("\n".join(line.replace(" ", "\t") for line in text.strip("\n").splitlines()) + "\n")
        return path

    return write


def join_notes(predictions):
    return " ".join(predictions.notes)


def test_a_long_file_has_one_row_per_answer(file):
    predictions = read_predictions(
        file(
            "system id predicted score fold prob:a prob:b\n"
            "x i2 a 0.9 1 0.8 0.2\nx i3 a 0.1 2 0.6 0.4\ny i2 b 0 1 0 1\ny i3 b 1 2 0 1"
        ),
        read(ROWS),
    )
    assert predictions.names == ["x", "y"]
    assert predictions.systems["x"].predicted.tolist()[:2] == ["a", "a"]
    assert predictions.systems["x"].ranking_scores[:2].tolist() == [0.9, 0.1]
    assert predictions.systems["x"].probabilities["a"][:2].tolist() == [0.8, 0.6]
    assert predictions.runs["x"].folds.tolist()[:2] == ["1", "2"]
    assert predictions.gold.tolist() == ["a", "b", "a", "b"]


def test_without_a_system_column_the_file_names_the_system(file):
    predictions = read_predictions(file("id gold predicted\ni2 a a\ni3 b a", name="my.run.tsv"))
    assert predictions.names == ["my.run"]
    assert predictions.gold.tolist() == ["a", "b"]


def test_a_wide_file_has_one_column_per_system(file):
    predictions = read_predictions(file("id group gold lang text x y\n1 g a en t a b\n2 g b en t b b"))
    assert predictions.names == ["x", "y"]
    assert predictions.groups.tolist() == ["g", "g"]
    assert predictions.outcomes().tolist() == [[1.0, 1.0], [0.0, 1.0]]


def test_columns_of_the_data_and_free_texts_are_not_systems(file):
    rows = [{**ROWS[n % 6], "id": f"i{n}", "topic": "sport"} for n in range(30)]
    texts = "\n".join(f"i{n} sport option{n} a" for n in range(30))
    predictions = read_predictions(file("id topic option x\n" + texts), read(rows))
    assert predictions.names == ["x"]


def test_columns_of_texts_are_not_systems_and_are_mentioned(file):
    lines = "\n".join(f"{n} a{n % 7}b{n} {'ab'[n % 2]} {'ab'[n % 2]}" for n in range(30))
    predictions = read_predictions(file("id option gold x\n" + lines))
    assert predictions.names == ["x"]
    assert "Columns of texts, not of predictions: option." in join_notes(predictions)


def test_the_data_may_be_the_predictions_file_itself(file):
    path = file("id text gold x\n1 one a a\n2 two b a")
    predictions = read_predictions(path, read(path, label="gold"))
    assert predictions.names == ["x"]


def test_a_dash_is_not_a_gold_label(file):
    predictions = read_predictions(file("id gold x\n1 a a\n2 - b\n3 b b"))
    assert predictions.ids.tolist() == ["1", "3"]


def test_several_files_are_read_together(file):
    paths = [file("id x\ni2 a\ni3 b", "one.tsv"), file("id y\ni2 a\ni3 a", "two.tsv")]
    predictions = read_predictions(paths, read(ROWS))
    assert predictions.names == ["x", "y"]
    assert {name: run.source for name, run in predictions.runs.items()} == {"x": 0, "y": 1}


def test_a_system_of_two_files_is_named_after_each_file(file):
    paths = [file("id x\ni2 a\ni3 b", "one.tsv"), file("id x\ni2 a\ni3 a", "two.tsv")]
    assert read_predictions(paths, read(ROWS)).names == ["x (one)", "x (two)"]


def test_repeats_are_runs_of_their_own(file):
    predictions = read_predictions(file("id predicted repeat\ni2 a 0\ni2 b 1", "m.tsv"), read(ROWS))
    assert predictions.names == ["m (repeat 0)", "m (repeat 1)"]


def test_item_scores_come_in_a_second_file(file):
    ranks = file("id gold x\ni3 b 0.5\ni2 a 0.25", "scores.tsv")
    predictions = read_predictions(file("id gold x\ni2 a a\ni3 b a"), item_scores=ranks)
    assert predictions.systems["x"].ranking_scores.tolist() == [0.25, 0.5]


def test_without_gold_numbers_are_item_scores(file):
    predictions = read_predictions(file("id x y\n1 1 0.5\n2 0 0.25"))
    assert predictions.gold is None
    assert predictions.outcomes().tolist() == [[1.0, 0.0], [0.5, 0.25]]


def test_a_score_alone_is_the_outcome_of_the_item(file):
    predictions = read_predictions(file("system id score\nx i2 0.5\nx i3 nan"), read(ROWS))
    assert predictions.systems["x"].outcomes[0] == 0.5
    assert predictions.count_missing() == {"x": 3}
    result = evaluate(None, predictions)
    assert (result.systems[0].metric, result.systems[0].n, result.systems[0].value) == ("mean-score", 1, 0.5)


def test_without_gold_words_are_an_error(file):
    with pytest.raises(
        AssayError, match=r"'x' has 'a' where a number is expected\. Without gold labels or the data, cells"
    ):
        read_predictions(file("id x\n1 a\n2 b"))


def test_a_ranking_score_that_is_a_word_is_an_error(file):
    with pytest.raises(AssayError, match=r"preds\.tsv: 'x' has 'high' where a number is expected"):
        read_predictions(file("system id predicted gold score\nx 1 a a high"))


def test_parts_that_no_system_predicts_are_left_out_and_mentioned(file):
    predictions = read_predictions(file("id x\ni2 a\ni3 b\ni4 a\ni5 b"), read(ROWS))
    assert predictions.ids.tolist() == ["i2", "i3", "i4", "i5"]
    assert "No system predicts train (2): left out." in join_notes(predictions)


def test_missing_predictions_are_counted_and_never_wrong_in_silence(file):
    path = file("id x y\ni2 a a\ni3 b a\ni4 NA a\ni5 b a")
    predictions = read_predictions(path, read(ROWS))
    assert "Missing predictions, of 4 items: x 1." in join_notes(predictions)
    skipped, wrong = (
        evaluate(None, predictions, metrics="accuracy"),
        evaluate(None, predictions, metrics="accuracy", missing_predictions="wrong"),
    )
    assert (skipped.systems[0].value, skipped.systems[0].n, skipped.systems[0].n_missing) == (1.0, 3, 1)
    assert (wrong.systems[0].value, wrong.systems[0].n) == (0.75, 4)
    assert skipped.comparisons[0].n == 3
    with pytest.raises(AssayError, match="Missing predictions, of 4 items: x 1"):
        evaluate(None, predictions, missing_predictions="error")


def test_a_missing_answer_counted_as_wrong_is_not_a_class(file):
    predictions = read_predictions(file("id x\ni2 a\ni3 b\ni4 a\ni5 "), read(ROWS))
    result = evaluate(None, predictions, metrics="macro-f1", missing_predictions="wrong")
    assert result.systems[0].value == pytest.approx((1 + 2 / 3) / 2)


def test_unknown_ids_are_counted_and_left_out(file):
    predictions = read_predictions(file("id x\ni2 a\nother a\nthing a"), read(ROWS))
    assert "2 predicted ids are not in the data and are left out (other, thing)." in join_notes(predictions)


def test_only_unknown_ids_are_an_error(file):
    with pytest.raises(AssayError, match=r"none of its 2 ids is in the data \(1, 2 against i0, i1\)\. Is id= right"):
        read_predictions(file("id x\n1 a\n2 a"), read(ROWS))


def test_duplicated_ids_are_an_error(file):
    with pytest.raises(AssayError, match=r"system 'x' predicts 2 ids more than once \(i2, i3\)"):
        read_predictions(file("id x\ni2 a\ni2 b\ni3 a\ni3 a\ni4 a"), read(ROWS))


def test_gold_that_disagrees_with_the_data_is_an_error_with_the_items(file):
    with pytest.raises(AssayError, match=r"disagrees with the data for 2 items \(i2: b against a, i4: b against a\)"):
        read_predictions(file("id gold x\ni2 b a\ni3 b a\ni4 b a"), read(ROWS))


def test_two_files_with_other_gold_are_an_error(file):
    paths = [file("id gold x\n1 a a", "one.tsv"), file("id gold y\n1 b a", "two.tsv")]
    with pytest.raises(AssayError, match=r"one.tsv, two.tsv: 1 items have two different gold labels \(1\)"):
        read_predictions(paths)


def test_labels_that_gold_never_has_are_mentioned_and_wrong(file):
    predictions = read_predictions(file("id gold x\n1 a a\n2 b z\n3 b b"))
    assert "System 'x' predicts labels that gold never has: z." in join_notes(predictions)
    result = evaluate(None, predictions, metrics=["accuracy", "macro-f1"])
    assert result.systems[0].value == pytest.approx(2 / 3)
    assert result.systems[0].metrics["macro-f1"].value == pytest.approx((1 + 2 / 3 + 0) / 3)


def test_items_without_gold_are_left_out_and_mentioned(file):
    predictions = read_predictions(file("id gold x\n1 a a\n2  b\n3 b b"))
    assert "1 of 3 items have no gold label and are left out." in join_notes(predictions)
    assert len(predictions) == 2


def test_undefined_ranking_scores_are_mentioned(file):
    predictions = read_predictions(file("system id gold predicted score group\nx 1 1 1 nan q\nx 2 0 1 0.5 q"))
    assert "Undefined ranking scores, ranked last: x 1." in join_notes(predictions)
    assert math.isnan(predictions.systems["x"].ranking_scores[0])


def test_a_system_can_be_chosen(file):
    path = file("id gold x y\n1 a a b\n2 b b b")
    assert read_predictions(path, systems=["y"]).names == ["y"]
    with pytest.raises(AssayError, match=r"No system 'z'\. Known: x, y"):
        read_predictions(path, systems=["z"])


def test_a_header_alone_is_an_error(file):
    with pytest.raises(AssayError, match=r"(?i)preds.tsv.*(no|only) "):
        read_predictions(file("id gold x"))


def test_a_file_without_a_system_is_an_error(file):
    with pytest.raises(AssayError, match="no column of predictions next to id, gold"):
        read_predictions(file("id gold\n1 a"))


def test_rows_may_come_in_any_order(file):
    one = read_predictions(file("id x\ni2 a\ni3 b\ni4 a\ni5 a", "x.tsv"), read(ROWS))
    other = read_predictions(file("id x\ni5 a\ni3 b\ni2 a\ni4 a", "x.tsv"), read(ROWS))
    assert np.array_equal(one.outcomes(), other.outcomes())


def test_model_and_prediction_are_other_names_of_system_and_predicted(file):
    predictions = read_predictions(file("model id prediction\nx i2 a\nx i3 b\ny i2 b\ny i3 b"), read(ROWS))
    assert predictions.names == ["x", "y"]
    assert predictions.systems["y"].predicted.tolist()[:2] == ["b", "b"]
    scores = read_predictions(file("model id score\nx 1 0.5\ny 1 1"))
    assert scores.outcomes().tolist() == [[0.5], [1.0]]


def test_a_wide_file_may_have_a_system_called_prediction(file):
    assert read_predictions(file("id gold prediction other\n1 a a b\n2 b b b")).names == ["prediction", "other"]


def test_systems_are_renamed_with_their_runs(file):
    predictions = read_predictions(file("id predicted repeat\ni2 a 0\ni2 b 1", "m.tsv"), read(ROWS))
    renamed = predictions.rename_systems(lambda name: name.replace("m", "model"))
    assert renamed.names == ["model (repeat 0)", "model (repeat 1)"]
    assert [run.name for run in renamed.runs.values()] == ["model", "model"]
    with pytest.raises(AssayError, match="Two systems would have the same name"):
        predictions.rename_systems(lambda name: "x")


def test_a_frame_has_one_row_per_item(file):
    predictions = read_predictions(file("id group gold x\n1 g a a\n2 g b a"))
    assert predictions.to_frame().rows() == [("1", "a", "g", "a"), ("2", "b", "g", "a")]
    assert repr(predictions) == "Predictions: 1 system on 2 items with gold labels"


LABELLED = [{"id": f"i{n}", "text": f"text {n}", "label": ("yes", "no")[n % 2]} for n in range(12)]


def test_labels_in_another_case_are_those_of_gold():
    answers = [{"id": row["id"], "x": row["label"].upper() if row["id"] != "i0" else "NO"} for row in LABELLED]
    predictions = read_predictions(answers, read(LABELLED))
    assert "Labels that differ from gold only in case are read as gold: NO as no, YES as yes." in join_notes(
        predictions
    )
    assert evaluate(None, predictions, metrics="accuracy").systems[0].value == pytest.approx(11 / 12)


def test_answers_of_which_none_is_a_gold_label_are_an_error():
    with pytest.raises(AssayError, match=r"No answer of any system is a gold label \(0, 1 against no, yes\)\. Is it"):
        read_predictions([{"id": row["id"], "x": str(n % 2)} for n, row in enumerate(LABELLED)], read(LABELLED))
    two = [{"id": row["id"], "x": "0", "y": "yes"} for row in LABELLED]
    assert "System 'x' never predicts a gold label: 0 against no, yes." in join_notes(
        read_predictions(two, read(LABELLED))
    )


def test_probabilities_alone_predict_the_most_probable_label():
    rows = [{"id": row["id"], "prob:yes": "0.7", "prob:no": "0.3"} for row in LABELLED]
    result = evaluate(None, read_predictions(rows, read(LABELLED)), metrics=["accuracy", "log-loss"])
    assert result.systems[0].metrics["accuracy"].value == 0.5
    assert result.systems[0].metrics["log-loss"].value == pytest.approx(-(math.log(0.7) + math.log(0.3)) / 2)


def test_predicted_items_without_gold_are_in_the_data():
    rows = [{**row, "label": "" if n < 3 else row["label"]} for n, row in enumerate(LABELLED)]
    answers = [{"id": row["id"], "x": "yes"} for row in LABELLED]
    notes = join_notes(read_predictions(answers, read(rows)))
    assert "3 of 12 items of the data have no label and are left out." in notes
    assert "not in the data" not in notes
    with pytest.raises(AssayError, match="none of the predicted items has a gold label in the data"):
        read_predictions(answers[:3], read(rows))
