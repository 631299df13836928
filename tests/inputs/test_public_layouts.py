"""Layouts in which benchmarks are published: label files, folders of texts, token tables, documents of JSON."""

from __future__ import annotations

import json

import pandas as pd
import pytest

import assay
from assay.base.errors import AssayError
from assay.inputs import InputKind, recognize

ROWS = [{"text": f"text {number} here", "label": "ab"[number % 2]} for number in range(6)]


def write_files(folder, files):
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, encoding="utf-8")
    return folder


def write_piqa(start, n_rows):
    rows = [{"goal": f"{start} {number}?", "sol1": f"do {number}", "sol2": f"not {number}"} for number in range(n_rows)]
    return "".join(f"{json.dumps(row)}\n" for row in rows)


def test_label_files_next_to_the_data_are_joined(tmp_path):
    files = {"train.jsonl": write_piqa("How do I", 6), "train-labels.lst": "0\n1\n" * 3}
    files |= {"valid.jsonl": write_piqa("When do I", 3), "valid-labels.lst": "0\n1\n1\n"}
    files |= {"tests.jsonl": write_piqa("Why do I", 2)}
    folder = write_files(tmp_path / "piqa", files)
    data = assay.read(folder)
    assert (data.task, data.left_out) == ("multiple-choice", ())
    assert data.labels.to_list() == ["A", "B"] * 3 + ["A", "B", "B"] + [None, None]
    assert data.parts.to_list() == ["train"] * 6 + ["dev"] * 3 + ["test"] * 2
    assert "labels of valid.jsonl are from valid-labels.lst" in data.notes
    assert assay.read(folder / "valid.jsonl").labels.to_list() == ["A", "B", "B"]


def test_a_label_file_of_another_length_is_an_error(tmp_path):
    folder = write_files(tmp_path, {"valid.jsonl": write_piqa("How", 3), "valid-labels.lst": "0\n1\n"})
    with pytest.raises(AssayError, match=r"2 labels for the 3 rows of valid.jsonl"):
        assay.read(folder)


def test_label_files_that_are_not_used_are_left_out(tmp_path):
    folder = write_files(tmp_path / "one", {"valid.jsonl": write_piqa("How", 3), "labels.lst": "0\n1\n1\n"})
    data = assay.read(folder)
    assert [(entry.what, entry.n) for entry in data.left_out] == [("files", 1)]
    assert "labels.lst" in data.left_out[0].reason
    own = "".join(f"{json.dumps(row)}\n" for row in ROWS)
    folder = write_files(tmp_path / "two", {"valid.jsonl": own, "valid-labels.lst": "0\n" * 6})
    data = assay.read(folder)
    assert data.label_names == ["a", "b"]
    assert [entry.reason for entry in data.left_out] == ["labels are in the data too: valid-labels.lst"]


def test_columns_that_look_like_labels_are_left_out_next_to_a_label():
    grades = [str(number / 3) for number in range(12)]
    data = assay.read({"text": [f"text {n}" for n in range(12)], "label": ["a", "b"] * 6, "relatedness_score": grades})
    assert [(entry.what, entry.n) for entry in data.left_out] == [("columns", 1)]
    names = assay.read(
        {"text": [f"t {n}" for n in range(12)], "label": ["0", "1"] * 6, "label_text": ["no", "yes"] * 6}
    )
    assert names.left_out == ()


def test_sick(tmp_path):
    header = "pair_ID\tsentence_A\tsentence_B\tentailment_label\trelatedness_score\tSemEval_set\n"
    rows = [
        f"{n}\tA man {n} runs\tA man {n} walks\t{['NEUTRAL', 'ENTAILMENT'][n % 2]}\t{1 + n / 10}\t{part}\n"
        for n, part in enumerate(["TRAIN", "TRIAL", "TEST"] * 5)
    ]
    path = tmp_path / "SICK.txt"
    path.write_text(header + "".join(rows), encoding="utf-8")
    data = assay.read(path)
    assert (data.task, data.label_names, data.part_names) == (
        "pairs",
        ["ENTAILMENT", "NEUTRAL"],
        ["train", "dev", "test"],
    )
    graded = assay.read(path, label="relatedness_score")
    assert graded.task == "graded"


@pytest.mark.parametrize("fill", ["Sentence: {}", ""])
def test_token_tables_are_sentences(tmp_path, fill):
    lines = ["Sentence #,Word,POS,Tag"]
    for number in range(1, 6):
        first = f"Sentence: {number}"
        lines += [f"{first},Ada,NNP,B-per", f"{fill.format(number)},wrote,VBD,O", f"{fill.format(number)},code,NN,O"]
    path = tmp_path / "ner.csv"
    path.write_text("\n".join(lines), encoding="utf-8")
    data = assay.read(path)
    assert (data.task, len(data), data.texts[0]) == ("tagging", 5, "Ada wrote code")
    assert data.fields["tags"][0].to_list() == ["B-per", "O", "O"]
    assert recognize(path) is InputKind.DATA


def test_token_tables_with_sentence_numbers_and_parts():
    columns = {"sentence": [1, 1, 2, 2, 1, 1], "token": ["I", "am", "We", "are", "He", "is"], "label": ["P", "V"] * 3}
    data = assay.read({"train": pd.DataFrame(columns).head(4), "test": pd.DataFrame(columns).tail(2)})
    assert (data.task, data.texts.to_list()) == ("tagging", ["I am", "We are", "He is"])
    assert data.parts.to_list() == ["train", "train", "test"]


def test_numbers_and_codes_are_not_texts():
    numbers = {"text": ["1", "2", "3"] * 10, "label": ["a", "b"] * 15}
    with pytest.raises(AssayError, match="column 'text' holds numbers or codes"):
        assay.read(numbers)
    codes = {"sentence": ["en", "de"] * 15, "note": [f"a long text {n}" for n in range(30)], "label": ["a", "b"] * 15}
    with pytest.raises(AssayError, match=r"column 'sentence' holds numbers or codes.*sentence, note, label"):
        assay.read(codes)
    assert assay.read(codes, text="note").texts[0] == "a long text 0"


def test_the_source_of_a_translation_is_not_its_document():
    columns = {
        "document": [f"news.{number // 4}" for number in range(12)],
        "source": [f"Der Satz mit der Nummer {number}." for number in range(12)],
        "ref": [f"The sentence with number {number}." for number in range(12)],
        "score": [str(70 + number * 1.3) for number in range(12)],
    }
    data = assay.read(columns)
    assert (data.task, data.texts[0]) == ("generation", "Der Satz mit der Nummer 0.")


def test_folders_of_texts(tmp_path):
    files = {
        f"{part}/{label}/{n}_7.txt": f"A {label} film {n}."
        for part in ("train", "test")
        for label in ("pos", "neg")
        for n in range(2)
    }
    files |= {
        "train/unsup/0_0.txt": "A film.",
        "train/urls_pos.txt": "http://a\n",
        "README": "x",
        "imdb.vocab": "the\n",
    }
    data = assay.read(write_files(tmp_path / "aclImdb", files))
    assert (data.task, data.label_names, data.part_names) == ("classification", ["neg", "pos"], ["train", "test"])
    assert (len(data), data.labels.null_count(), data.texts[0]) == (9, 1, "A neg film 0.")
    assert len(assay.read(tmp_path / "aclImdb" / "train")) == 5


@pytest.mark.parametrize("form", ["file", "memory"])
def test_lists_of_objects_inside_of_a_document(tmp_path, form):
    def read(document):
        path = tmp_path / "data.json"
        path.write_text(json.dumps(document), encoding="utf-8")
        return assay.read(path if form == "file" else document)

    assert read({"version": "1", "data": ROWS}).labels.to_list() == ["a", "b"] * 3
    data = read({"train": ROWS, "test": ROWS})
    assert (data.part_names, len(data)) == (["train", "test"], 12)


def test_an_unknown_document_lists_its_keys(tmp_path):
    path = tmp_path / "data.json"
    path.write_text(json.dumps({"one": ROWS, "two": ROWS[:2]}), encoding="utf-8")
    with pytest.raises(AssayError, match=r"an object instead of an array.*Its keys: one, two"):
        assay.read(path)


def test_arrays_as_numpy_prints_them(tmp_path):
    path = tmp_path / "data.csv"
    path.write_text("question,choices,answer\n" + "What?,\"['red' 'dark blue']\",1\n" * 4, encoding="utf-8")
    data = assay.read(path)
    assert data.fields["choices"][0].to_list() == ["red", "dark blue"]
    assert data.labels.to_list() == ["B"] * 4
    cell = "{'text': array(['red', 'blue'], dtype=object), 'label': array(['A', 'B'], dtype=object)}"
    path.write_text("question,choices,answer\n" + f'What?,"{cell}",B\n' * 4, encoding="utf-8")
    assert assay.read(path).fields["choices"][0].to_list() == ["red", "blue"]


def test_collections_in_xml(tmp_path):
    files = {
        "cran.qry.xml": "<xml><top>\n<num> 1</num><title>\nold cars\n</title></top>"
        "<top><num>2</num><title>new</title></top></xml>",
        "cran.all.1400.xml": "<xml><doc><docno>1</docno><title>Cars</title><author>B</author>"
        "<text>old &amp; red</text></doc></xml>",
        "cranqrel.trec.txt": "1 0 1 2\n2 0 1 3\n",
    }
    data = assay.read(write_files(tmp_path / "cranfield", files))
    assert (data.ids.to_list(), data.texts.to_list()) == (["1", "2"], ["old cars", "new"])
    assert data.attachments["corpus"].rows() == [("1", "Cars old & red")]
    topics = (
        '<topics><topic number="7"><title>red</title></topic><topic number="8"><query>blue</query></topic></topics>'
    )
    folder = write_files(tmp_path / "trec", {"topics.xml": topics, "qrels.txt": "7 0 d 1\n8 0 d 1\n"})
    assert assay.read(folder).head().select("id", "text").rows() == [("7", "red"), ("8", "blue")]


def test_a_folder_of_squad_files(tmp_path):
    def write(name):
        answers = [{"text": "red", "answer_start": 2}]
        qas = [{"id": f"{name} {n}", "question": f"Which {n}?", "answers": answers} for n in "ab"]
        articles = [{"title": "T", "paragraphs": [{"context": "a red car", "qas": qas}]}]
        return json.dumps({"version": "1.1", "data": articles})

    folder = write_files(tmp_path, {"train-v1.1.json": write("train"), "dev-v1.1.json": write("dev")})
    data = assay.read(folder)
    assert (data.task, data.part_names, len(data)) == ("qa", ["train", "dev"], 4)


def test_lists_that_are_not_used_are_left_out(tmp_path):
    articles = [{"title": f"Title {n}", "paragraphs": [{"context": "a red car"}]} for n in range(4)]
    path = tmp_path / "articles.json"
    path.write_text(json.dumps({"data": articles}), encoding="utf-8")
    data = assay.read(path)
    assert [(entry.what, entry.n, "paragraphs" in entry.reason) for entry in data.left_out] == [("columns", 1, True)]


def test_suspects_need_no_texts_next_to_probabilities(tmp_path):
    labels = ["a", "b"] * 30
    labels[0] = "b"
    data, probabilities = tmp_path / "labels.csv", tmp_path / "probabilities.csv"
    data.write_text("id,label\n" + "".join(f"{n},{label}\n" for n, label in enumerate(labels)), encoding="utf-8")
    rows = [f"{n},{0.9 - 0.8 * (n % 2)},{0.1 + 0.8 * (n % 2)}\n" for n in range(60)]
    probabilities.write_text("id,a,b\n" + "".join(rows), encoding="utf-8")
    suspects = assay.find_suspects(data, probabilities=probabilities)
    assert suspects.items.row(0, named=True)["id"] == "0"
    done = run_command("suspects", str(data), "--probabilities", str(probabilities), "-o", str(tmp_path / "out.tsv"))
    assert done == 0
    assert (tmp_path / "out.tsv").read_text(encoding="utf-8").splitlines()[1].startswith("0\t")
    with pytest.raises(AssayError, match="no text column is recognised"):
        assay.profile(data)


def run_command(*arguments):
    from assay.cli.main import status

    return status(list(arguments))


@pytest.mark.parametrize("sides", [("left", "right"), ("model_x", "model_y")])
def test_votes_with_other_names_of_the_sides(sides):
    first, second = sides
    votes = {first: ["a", "b", "c"] * 10, second: ["b", "c", "a"] * 10, "winner": [first, second, "tie"] * 10}
    assert recognize(votes) is InputKind.VOTES
    assert {row.system for row in assay.discriminate(votes).ratings} == {"a", "b", "c"}
    texts = {
        **votes,
        first: ["a long answer of seven words here"] * 30,
        second: ["another answer of as many words"] * 30,
    }
    assert recognize(texts) is InputKind.DATA or first != "left"
