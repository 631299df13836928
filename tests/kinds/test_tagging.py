"""Tags of tokens: CoNLL files, entities as seqeval counts them, unseen words, and published scores."""

from __future__ import annotations

import json

import numpy as np
import pytest

import assay
from assay.base.errors import AssayError
from assay.kinds import kind_of, read
from assay.kinds.tagging.entities import list_entities

CONLL = """# a comment\tof no kind
Ada\tB-person
Byron\tI-person
wrote\tO

He\tO
saw\tO
Rome\tB-place
"""
CONLLU = """# newdoc id = one
# sent_id = s1
# text = I'm here
1-2\tI'm\t_\t_\t_\t_\t_\t_\t_\t_
1\tI\tI\tPRON\tPRP\t_\t0\troot\t_\t_
2\t'm\tbe\tAUX\tVBP\t_\t1\tcop\t_\t_
2.1\tnow\tnow\tADV\tRB\t_\t_\t_\t_\t_
3\there\there\tADV\tRB\t_\t1\tadvmod\t_\t_

# newdoc id = two
# sent_id = s2
1\tGo\tgo\tVERB\tVB\t_\t0\troot\t_\t_
"""


def test_conll_and_lists_give_the_same_data(tmp_path):
    path = tmp_path / "news.conll"
    path.write_text(CONLL.partition("\n")[2], encoding="utf-8")
    data = read(path)
    assert data.notes[0] == "task: tagging (tokens, tags)"
    assert data.fields["tags"].to_list() == [["B-person", "I-person", "O"], ["O", "O", "B-place"]]
    assert data.texts.to_list() == ["Ada Byron wrote", "He saw Rome"]
    assert read(kind_of(data).layout.example).fingerprint == data.fingerprint
    other = tmp_path / "news.annotated"  # recognised by its lines, with Windows line ends and spaces
    other.write_bytes(CONLL.partition("\n")[2].replace("\t", " ").replace("\n", "\r\n").encode())
    assert read(other).fingerprint == data.fingerprint


def test_a_folder_of_conll_files_has_parts(tmp_path):
    for part in ("train", "test"):
        (tmp_path / f"{part}.conll").write_text(CONLL.partition("\n")[2], encoding="utf-8")
    data = read(tmp_path)
    assert data.part_names == ["train", "test"]
    assert assay.profile(data).duplicates.across_parts == 4


def test_universal_dependencies(tmp_path):
    path = tmp_path / "en.conllu"
    path.write_text(CONLLU, encoding="utf-8")
    data = read(path)
    assert data.fields["tokens"].to_list() == [["I", "'m", "here"], ["Go"]]
    assert data.fields["tags"].to_list() == [["PRON", "AUX", "ADV"], ["VERB"]]
    assert (data.ids.to_list(), data.groups.to_list()) == (["s1", "s2"], ["one", "two"])
    assert read(path, label="xpos_tags").fields["tags"].to_list() == [["PRP", "VBP", "RB"], ["VB"]]
    assert kind_of(data).scoring.choose_metrics(data) == ("token-accuracy",)


def test_comments_without_a_key_are_comments_in_conllu(tmp_path):
    path = tmp_path / "en.conllu"
    path.write_text(CONLLU, encoding="utf-8")
    plain = read(path)
    path.write_text(
        "# Checktree: all is well\n#x\n" + CONLLU.replace("\n\n", "\n\n# Checktree: no root\n"), encoding="utf-8"
    )
    data = read(path)
    assert data.fields["tokens"].to_list() == plain.fields["tokens"].to_list() == [["I", "'m", "here"], ["Go"]]
    assert (data.notes, data.ids.to_list()) == (plain.notes, ["s1", "s2"])
    path = tmp_path / "tweets.conll"
    path.write_text("#\tO\n# me\tB-x\n\n#hash\tO\n", encoding="utf-8")
    assert read(path).fields["tokens"].to_list() == [["#", "# me"], ["#hash"]]


def test_a_line_of_words_between_sentences_of_conllu_is_an_error(tmp_path):
    path = tmp_path / "en.conllu"
    row = "\t".join(["1", "Rain", "rain", "NOUN", "NN", *["_"] * 5])
    path.write_text(f"{row}\n{' '.join(['new'] * 10)}\n{row}\n\n{row}\n")
    with pytest.raises(AssayError, match=r"line 2: the line does not have ten columns"):
        read(path)


def test_tokens_and_tags_must_be_as_many():
    with pytest.raises(AssayError, match="item 0: 2 tokens and 1 tags"):
        read({"tokens": [["a", "b"]], "ner_tags": [["O"]]})


def draw_tags(rng, prefixes, n=400):
    tags = [f"{prefix}-{kind}" for prefix in prefixes for kind in ("per", "loc")]
    return [rng.choice(["O", *tags], size=rng.integers(1, 12)).tolist() for _ in range(n)]


@pytest.mark.parametrize("prefixes", ["BI", "I", "BIES"])
def test_entities_are_those_of_seqeval(prefixes):
    seqeval = pytest.importorskip("seqeval.metrics.sequence_labeling", reason="needs the extra metrics (seqeval)")
    rng = np.random.default_rng(0)
    sequences = draw_tags(rng, prefixes)
    for tags, entities in zip(sequences, list_entities(sequences), strict=True):
        assert sorted((kind, start, end) for start, end, kind in entities) == sorted(seqeval.get_entities(tags))


def test_scores_are_those_of_seqeval():
    metrics = pytest.importorskip("seqeval.metrics", reason="needs the extra metrics (seqeval)")
    rng = np.random.default_rng(1)
    gold = draw_tags(rng, "BI")
    said = [[tag if rng.random() < 0.7 else "O" for tag in tags] for tags in gold]
    data = read({"tokens": [[f"w{n}" for n in range(len(tags))] for tags in gold], "tags": gold})
    (system,) = assay.evaluate(data, {"x": [json.dumps(tags) for tags in said]}, compare=False).systems
    assert system.metrics["entity-f1"].value == pytest.approx(metrics.f1_score(gold, said))
    assert system.metrics["token-accuracy"].value == pytest.approx(metrics.accuracy_score(gold, said))
    assert system.metric == "entity-f1"


def test_answers_of_another_length_are_filled_with_o():
    data = read({"tokens": [["Ada", "went", "home"]], "tags": [["B-per", "O", "O"]]})
    systems = {"short": ["B-per"], "long": ["B-per O O B-per"], "wrong": ["O O O"]}
    scores = {system.system: system.value for system in assay.evaluate(data, systems, compare=False).systems}
    assert scores == {"short": 1.0, "long": 1.0, "wrong": 0.0}


def test_unseen_entities_and_words_by_hand():
    """Rome is an entity of training, Paris is not; only Paris counts as unseen."""
    train = [(["Rome", "is", "old"], ["B-loc", "O", "O"])]
    test = [(["rome", "met", "Paris"], ["B-loc", "O", "B-loc"])]
    rows = train + test
    table = {"tokens": [row[0] for row in rows], "tags": [row[1] for row in rows], "split": ["train", "test"]}
    data = read(table)
    (system,) = assay.evaluate(data.take([1]), {"x": ["O O B-loc"]}, compare=False).systems
    values = {name: score.value for name, score in system.metrics.items()}
    expected = {"entity-f1": 2 / 3, "token-accuracy": 2 / 3, "unseen-entity-f1": 1.0, "unseen-word-accuracy": 1.0}
    assert values == pytest.approx(expected)
    assert kind_of(data).texts.describe_items(data).figures[-1].value == 0.5


def test_the_published_scores_of_wnut17(shared):
    data = read(
        train=shared("wnut17/wnut17train.conll.gz"),
        dev=shared("wnut17/emerging.dev.conll"),
        test=shared("wnut17/emerging.test.annotated"),
    )
    assert {part: len(data.part(part)) for part in data.part_names} == {"train": 3394, "dev": 1009, "test": 1287}
    published = {
        "uh_ritual": 41.86,
        "spinningbytes": 40.78,
        "sjtu_adapt": 40.42,
        "arcada": 39.98,
        "flytxt": 38.35,
        "mic-cis": 37.06,
        "drexel_cci": 26.30,
    }
    files = [shared("wnut17/test_predictions.tsv.gz"), shared("wnut17/submission_uh_ritual.conll")]
    result = assay.evaluate(data, files, compare=False)
    scores = {system.system: round(100 * system.value, 2) for system in result.systems}
    assert scores == published | {"submission_uh_ritual": 41.86}
    test = kind_of(data).texts.describe_items(data.part("test"))
    assert [(figure.name, figure.value) for figure in test.figures[:3:2]] == [("tokens", 23394), ("entities", 1079)]
    baseline = next(row for row in result.baselines if row.baseline == "most-frequent-tag")
    assert (baseline.based_on, baseline.value < 0.15) == ("train", True)


def test_universal_dependencies_of_english(shared):
    data = read(shared("ud_english_ewt/en_ewt-ud-test_part.conllu.gz"))
    assert (len(data), data.fields["tokens"].list.len().sum()) == (749, 9876)
    tags = kind_of(data).texts.describe_items(data).distributions[0].counts
    assert tags == {
        "NOUN": 1570,
        "PUNCT": 1169,
        "VERB": 973,
        "ADJ": 904,
        "ADP": 811,
        "DET": 791,
        "PROPN": 789,
        "PRON": 774,
        "AUX": 596,
        "ADV": 569,
        "CCONJ": 348,
        "PART": 242,
        "SCONJ": 147,
        "NUM": 143,
        "SYM": 24,
        "INTJ": 22,
        "X": 4,
    }
    assert len(read(shared("ud_english_ewt/en_ewt-ud-test_first40.conllu"))) == 40
    folds = assay.split(data, "random", n_splits=3).draws[0].folds
    documents = data.groups.to_numpy()
    assert all(len(set(folds[documents == name])) == 1 for name in set(documents.tolist()))


def test_the_baselines_know_words_and_their_neighbours(shared):
    data = read(shared("ud_english_ewt/en_ewt-ud-test_part.conllu.gz")).take(range(120))
    kind = kind_of(data)
    accuracy = {}
    for baseline in kind.learning.answer_baselines(data, np.arange(120)):
        accuracy[baseline.name] = kind.scoring.find_metric("token-accuracy").score(
            kind.scoring.pair_answers(data, baseline.answers)
        )
    assert accuracy["linear-window"] > accuracy["most-frequent-tag"] > 0.5


def test_the_stratified_split_keeps_types_of_entities_even():
    rng = np.random.default_rng(0)
    tags = [[str(rng.choice(["O", "B-per", "B-loc"], p=[0.6, 0.3, 0.1])) for _ in range(4)] for _ in range(200)]
    data = read({"tokens": [["a", "b", "c", "d"]] * 200, "tags": tags})
    shares = [size.labels["loc"] for size in assay.split(data, "stratified", n_splits=4).sizes]
    assert max(shares) - min(shares) <= 0.03


def test_broken_sequences_are_counted():
    data = read({"tokens": [["a", "b"]] * 3, "tags": [["O", "I-per"], ["B-per", "I-per"], ["B-loc", "I-per"]]})
    (defect,) = assay.profile(data).kind.defects
    assert (defect.name, sorted(defect.items.ids)) == ("broken tag sequences", ["0", "2"])


def test_answers_in_another_form_are_read_or_mentioned():
    rows = {"id": ["1", "2"], "tokens": [["Ada", "wrote"], ["in", "Rome"]], "tags": [["B-per", "O"], ["O", "B-loc"]]}
    lower = assay.evaluate(rows, [{"id": "1", "x": "b-PER o"}, {"id": "2", "x": "o b-loc"}])
    assert lower.systems[0].metrics["entity-f1"].value == 1
    short = assay.evaluate(rows, [{"id": "1", "x": "B-per"}, {"id": "2", "x": "O loc"}])
    assert "System 'x' has more or fewer tags than tokens in 1 sentence; missing tags count as O." in short.notes
    assert "System 'x' predicts labels that gold never has: loc." in short.notes


def test_tags_of_which_none_is_in_gold_are_an_error():
    rows = {"tokens": [["Ada", "wrote"]] * 12, "tags": [["B-per", "O"]] * 12}
    with pytest.raises(AssayError, match=r"No answer of any system is a gold label \(0, 1 against B-per, O\)"):
        assay.evaluate(rows, [{"id": str(row), "x": "1 0"} for row in range(12)])


def test_tags_that_are_numbers_are_mentioned():
    data = read({"tokens": [["a", "b"]], "ner_tags": [[0, 1]]})
    assert "tags are numbers without names; entities cannot be counted" in data.notes


def test_one_tag_only_is_reported():
    audit = assay.audit({"tokens": [["a", "b"]] * 30, "tags": [["O", "O"]] * 30}, only=["task"])
    assert [(row.code, row.subject, row.severity) for row in audit.findings] == [("A413", "one tag only", "error")]
