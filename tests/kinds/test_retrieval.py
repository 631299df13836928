"""Retrieval: BEIR and TREC files, scores as trec_eval prints them, BM25, and published numbers."""

from __future__ import annotations

import gzip
import json

import numpy as np
import pytest

import assay
from assay.base.errors import AssayError
from assay.kinds import KINDS, kind_of, read
from assay.kinds.retrieval.files import read_judgements
from assay.kinds.retrieval.flat_scores import score_flat
from assay.kinds.retrieval.scores import (
    compute_average_precision,
    compute_ndcg,
    parse_judgements,
    parse_ranking,
    score_rankings,
)

DOCUMENTS = ["red apple pie", "green apple tree", "a tree in the garden", "red car"]


@pytest.fixture
def collection(tmp_path):
    """Make a small BEIR folder with two parts."""
    lines = [json.dumps({"_id": f"d{n}", "title": "", "text": text}) for n, text in enumerate(DOCUMENTS)]
    (tmp_path / "corpus.jsonl").write_text("\n".join(lines), encoding="utf-8")
    queries = {"q1": "red apple", "q2": "tree", "q3": "boat"}
    lines = [json.dumps({"_id": name, "text": text, "metadata": {}}) for name, text in queries.items()]
    (tmp_path / "queries.jsonl").write_text("\n".join(lines), encoding="utf-8")
    (tmp_path / "qrels").mkdir()
    header = "query-id\tcorpus-id\tscore\n"
    (tmp_path / "qrels" / "test.tsv").write_text(f"{header}q1\td0\t2\nq1\td3\t1\nq2\td9\t1\n", encoding="utf-8")
    (tmp_path / "qrels" / "train.tsv").write_text(f"{header}q3\td2\t1\n", encoding="utf-8")
    return tmp_path


def test_a_folder_of_beir(collection):
    data = read(collection)
    assert data.notes[0] == "task: retrieval (query, judgements)"
    assert (data.ids.to_list(), data.parts.to_list()) == (["q3", "q1", "q2"], ["train", "test", "test"])
    assert data.attachments["corpus"].rows()[1] == ("d1", "green apple tree")
    profile = assay.profile(data).kind
    figures = {figure.name: figure.value for figure in profile.figures}
    assert (figures["documents"], figures["relevant documents"], figures["queries with judgements"]) == (4, 4, 3)
    assert [(defect.name, defect.items.ids) for defect in profile.defects] == [
        ("judged documents that are missing", ("q2",))
    ]


def test_the_ways_to_write_a_ranking(collection, tmp_path):
    data = read(collection).part("test")
    run = tmp_path / "system.txt"
    run.write_text("q1 Q0 d3 1 1.5 mine\nq1 Q0 d0 2 0.5 mine\nq2 Q0 d1 1 1 mine\n", encoding="utf-8")
    from_run = assay.evaluate(data, run, compare=False)
    assert from_run.systems[0].system == "mine"
    scores = {"q1": json.dumps({"d0": 0.5, "d3": 1.5}), "q2": '["d1"]'}
    as_table = assay.evaluate(data, {"mine": [scores[name] for name in data.ids.to_list()]}, compare=False)
    assert as_table.systems[0].metrics == from_run.systems[0].metrics
    assert from_run.systems[0].metrics["mrr"].value == 0.5


def test_scores_by_hand():
    grades = {"a": 3, "b": 1, "c": 0}
    assert compute_average_precision(["c", "a", "x", "b"], grades) == pytest.approx((1 / 2 + 2 / 4) / 2)
    expected = (3 / np.log2(3) + 1 / np.log2(5)) / (3 + 1 / np.log2(3))
    assert compute_ndcg(["c", "a", "x", "b"], grades) == pytest.approx(expected)
    assert compute_ndcg(["c", "a"], grades, 1) == 0.0


def test_scores_are_those_of_pytrec_eval():
    pytrec_eval = pytest.importorskip("pytrec_eval", reason="needs the extra metrics (pytrec_eval-terrier)")
    rng = np.random.default_rng(0)
    documents = [f"d{n}" for n in range(60)]
    judged = {
        f"q{n}": {d: int(rng.integers(0, 4)) for d in rng.choice(documents, 25, replace=False)} for n in range(30)
    }
    runs = {name: {d: float(rng.integers(0, 20)) for d in rng.choice(documents, 40, replace=False)} for name in judged}
    names = {
        "ndcg_cut_10": "ndcg@10",
        "ndcg": "ndcg",
        "map": "map",
        "recip_rank": "mrr",
        "P_10": "p@10",
        "recall_20": "recall@20",
        "Rprec": "r-precision",
    }
    oracle = pytrec_eval.RelevanceEvaluator(
        judged, {"ndcg_cut.10", "ndcg", "map", "recip_rank", "P.10", "recall.20", "Rprec"}
    )
    scores = oracle.evaluate(runs)
    data = read({"id": list(judged), "query": list(judged), "judgements": [json.dumps(row) for row in judged.values()]})
    kind = KINDS["retrieval"]
    answers = kind.answers.read_answers(data, [json.dumps(runs[name]) for name in judged])
    items = kind.scoring.pair_answers(data, answers)
    for theirs, ours in names.items():
        expected = [scores[name][theirs] for name in judged]
        assert kind.scoring.find_metric(ours).collect_statistics(items)[:, 0] == pytest.approx(expected), ours


def test_trec_eval_prints_the_same(shared):
    data = read(shared("trec_eval_oracle/qrels.test.gz"))
    assert data.task == "retrieval"
    names = ["map", "mrr", "r-precision", "p@5", "p@10", "p@30", "p@100", "ndcg", "ndcg@10", "recall@100"]
    (system,) = assay.evaluate(data, shared("trec_eval_oracle/results.test"), metrics=names, compare=False).systems
    lines = [line.split() for line in shared("trec_eval_oracle/out.test.a").read_text(encoding="utf-8").splitlines()]
    printed = {line[0]: line[2] for line in lines if len(line) == 3 and line[1] == "all"}
    theirs = ["map", "recip_rank", "Rprec", "P_5", "P_10", "P_30", "P_100", "ndcg", "ndcg_cut_10", "recall_100"]
    for name, other in zip(names, theirs, strict=True):
        assert f"{system.metrics[name].value:.4f}" == printed[other], name
    assert system.metrics["map"].value == pytest.approx(0.1785, abs=5e-5)
    assert len(data.drop_unlabelled() if data.labels is not None else data) >= 3


def test_a_run_that_lacks_queries(shared):
    data = read(shared("trec_eval_oracle/qrels.test.gz"))
    result = assay.evaluate(data, shared("trec_eval_oracle/results.trunc"), metrics=["map"], compare=False)
    whole = assay.evaluate(
        data, shared("trec_eval_oracle/results.trunc"), metrics=["map"], compare=False, missing_predictions="wrong"
    )
    assert whole.systems[0].value <= result.systems[0].value
    assert whole.systems[0].n >= result.systems[0].n


def test_cacm(shared):
    data = read(shared("cacm/qrels.cacm.txt").parent)
    figures = {figure.name: figure.value for figure in kind_of(data).texts.describe_items(data).figures}
    assert (len(data), figures["queries with judgements"], figures["relevant documents"]) == (64, 52, 796)
    assert figures["documents"] == 3204
    result = assay.evaluate(
        data, shared("cacm/run.bm25.txt.gz"), metrics=["ndcg@10", "map", "p@30", "p@10"], compare=False
    )
    values = {name: round(score.value, 4) for name, score in result.systems[0].metrics.items()}
    assert values == {"ndcg@10": 0.4543, "map": 0.2744, "p@30": 0.1942, "p@10": 0.3154}
    assert (result.systems[0].system, result.systems[0].n) == ("Anserini", 52)
    (baseline,) = result.baselines
    assert (baseline.baseline, baseline.value > 0.3) == ("bm25", True)


def test_scifact(shared):
    folder = shared("scifact/queries.jsonl.gz").parent
    data = read(folder)
    assert len(data) == 300
    assert "not used: qrels_test_as_found.tsv" in " ".join(data.notes)
    names = ["map", "p@10", "ndcg@10"]
    (system,) = assay.evaluate(data, folder / "run.bert_rerank_top100.txt.gz", metrics=names, compare=False).systems
    values = {name: round(score.value, 4) for name, score in system.metrics.items()}
    assert values["p@10"] == pytest.approx(0.0783, abs=1e-4)
    assert values["ndcg@10"] == pytest.approx(0.5701, abs=1e-4)
    assert values["map"] == pytest.approx(0.5241, abs=3e-3)  # the stored run stops at rank 100
    assert sum(map(len, read_judgements(folder / "qrels_test_as_found.tsv").values())) == 339


def test_topics_in_sgml(shared, tmp_path):
    folder = tmp_path / "cacm"
    folder.mkdir()
    (folder / "topics.txt").write_bytes(shared("cacm/topics.cacm.txt").read_bytes())
    (folder / "qrels.txt").write_bytes(shared("cacm/qrels.cacm.txt").read_bytes())
    data = read(folder)
    with gzip.open(shared("cacm/queries.jsonl.gz"), "rt", encoding="utf-8") as file:
        first = json.loads(file.readline())
    assert (len(data), data.ids[0]) == (64, first["_id"])
    assert data.texts[0].split() == first["text"].split()


def test_a_line_that_is_not_a_judgement_is_named(tmp_path):
    path = tmp_path / "qrels.txt"
    path.write_text("1 0 d1 1\n1 0 d2\n2 zero\n", encoding="utf-8")
    with pytest.raises(AssayError, match=r"qrels.txt, line 2: not a judgement"):
        read(path)


@pytest.mark.parametrize("measure", ["ndcg", "p", "recall", "success", "map", "mrr"])
def test_rankings_are_scored_alike_at_once_and_one_by_one(measure):
    rng = np.random.default_rng(0)
    documents = [f"d{n}" for n in range(40)]
    judged = [{d: int(rng.integers(-1, 4)) for d in rng.choice(documents, 12, replace=False)} for _ in range(30)]
    data = read({"query": ["q"] * 30, "judgements": [json.dumps(row) for row in judged]}, task="retrieval")
    answers = [json.dumps(rng.choice(documents, rng.integers(0, 30), replace=False).tolist()) for _ in range(29)]
    for cutoff in (1, 5, 20):
        expected = score_rankings(data, [*answers, None], measure, cutoff)
        assert score_flat(data, [*answers, None], measure, cutoff) == pytest.approx(expected)
    assert score_flat(data, [*answers, "d1"], measure, 5) is None  # no list: scored one by one


def test_copies_of_relevant_documents_that_are_not_judged_are_counted(tmp_path):
    documents = {"d1": "red apples", "d2": "Red  apples", "d3": "green trees", "d4": "green trees", "d5": "sea"}
    write = [json.dumps({"_id": name, "text": text}) for name, text in documents.items()]
    (tmp_path / "corpus.jsonl").write_text("\n".join(write))
    (tmp_path / "queries.jsonl").write_text("\n".join(json.dumps({"_id": n, "text": f"q {n}"}) for n in "123"))
    (tmp_path / "qrels.tsv").write_text("q d s\n1 d1 1\n2 d3 1\n2 d4 2\n3 d5 1\n")
    defects = {defect.name: defect.items.ids for defect in assay.profile(tmp_path).kind.defects}
    assert defects == {"unjudged copies of relevant documents": ("1",)}


def test_queries_without_the_right_columns_or_ids_are_named(tmp_path):
    (tmp_path / "queries.jsonl").write_text('{"number": "1", "words": "red apples"}')
    (tmp_path / "qrels.tsv").write_text("q d s\n7 d1 1\n")
    with pytest.raises(
        AssayError, match=r"queries.jsonl: the queries need the columns _id and text; columns are number"
    ):
        read(tmp_path)
    (tmp_path / "queries.jsonl").write_text('{"_id": "1", "text": "red apples"}')
    with pytest.raises(AssayError, match=r"qrels.tsv: no query has judgements: their ids differ \(7 against 1\)"):
        read(tmp_path)


def test_a_huge_grade_is_an_error():
    with pytest.raises(AssayError, match="The grade of document 'd1' is 1e"):
        parse_judgements('{"d1": 100000000000000000000}')


@pytest.mark.parametrize("grade", [[1], None, "high", float("inf"), 10**400])
def test_a_grade_or_score_that_is_not_a_finite_number_is_named(grade):
    cell = json.dumps({"d1": grade})
    with pytest.raises(AssayError, match=r"The grade of document 'd1' is .*not a finite number"):
        parse_judgements(cell)
    with pytest.raises(AssayError, match=r"The score of document 'd1' is .*not a finite number"):
        parse_ranking(cell)


def _write_numbered(folder, queries, judged):
    folder.mkdir()
    lines = [json.dumps({"_id": name, "text": f"about {name}"}) for name in queries]
    (folder / "queries.jsonl").write_text("\n".join(lines), encoding="utf-8")
    (folder / "qrels.txt").write_text("".join(f"{name} 0 d{name} 1\n" for name in judged), encoding="utf-8")
    return folder


def test_judgements_of_unknown_queries_are_counted_or_refused(tmp_path):
    names = [str(number) for number in range(1, 41)]
    data = read(_write_numbered(tmp_path / "few", names, [*names, "900"]))
    assert [(entry.what, entry.n) for entry in data.left_out] == [("judgements", 1)]
    assert any("1 judgements of qrels.txt are left out" in note for note in data.notes)
    gaps = [str(number * number) for number in range(1, 41)]
    with pytest.raises(AssayError, match=r"34 of 40 judgements name queries .* numbered in order"):
        read(_write_numbered(tmp_path / "gaps", gaps, names))
    with pytest.raises(AssayError, match=r"21 of 61 judgements name queries .* Check the ids"):
        read(_write_numbered(tmp_path / "others", names, [*names, *(f"x{number}" for number in range(21))]))


def test_judged_documents_that_are_missing_are_noted(collection):
    assert any("1 judged documents are not in the corpus (d9)" in note for note in read(collection).notes)


def test_judgements_of_documents_with_other_zeros_propose_the_ids(tmp_path):
    folder = tmp_path / "collection"
    names = [str(number) for number in range(1, 41)]
    _write_numbered(folder, names, names)
    (folder / "corpus.jsonl").write_text(
        "".join(json.dumps({"_id": f"D-{n:03d}", "text": f"text {n}"}) + "\n" for n in range(50)), encoding="utf-8"
    )
    (folder / "qrels.txt").write_text("".join(f"{n} 0 d-{n} 1\n" for n in names), encoding="utf-8")
    data = read(folder)
    advice = (
        "Correct the ids of the judgements: 40 of these are in the corpus with other zeros or capitals (d-1 is D-001)."
    )
    assert any(note.endswith(advice) for note in data.notes)
    (finding,) = [row for row in assay.audit(data, only="task").findings if "not among the documents" in row.claim]
    assert finding.action == f"{advice} No system can find them."


def test_a_run_of_other_queries_is_named(collection, tmp_path):
    run = tmp_path / "system.txt"
    run.write_text("7 Q0 d3 1 1.5 mine\n8 Q0 d0 2 0.5 mine\n", encoding="utf-8")
    with pytest.raises(AssayError, match="none of its 2 ids is in the data"):
        assay.evaluate(read(collection), run)


def test_a_document_without_an_id_does_not_stop_the_rest(tmp_path):
    queries = [{"_id": "1", "text": "cars"}]
    documents = [{"_id": "d1", "text": "old cars"}, {"_id": None, "text": "no id"}]
    for name, rows in (("queries", queries), ("corpus", documents)):
        (tmp_path / f"{name}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    (tmp_path / "qrels.txt").write_text("1 0 d1 1\n1 0 D-2 1\n")
    assert read(tmp_path).ids.to_list() == ["1"]


def test_rankings_are_graded_once_for_measures_of_the_same_depth(monkeypatch):
    from assay.kinds.retrieval import flat_scores

    graded = []
    grade = flat_scores._grade_documents
    monkeypatch.setattr(
        flat_scores,
        "_grade_documents",
        lambda known, lists, cutoff: graded.append(cutoff) or grade(known, lists, cutoff),
    )
    data = read({"query": ["a b", "c"], "judgements": ['{"x": 2, "y": 1}', '{"z": 1}']})
    answers = ['["y", "x", "v"]', '["v", "z"]']
    assert score_flat(data, answers, "map", None) == pytest.approx([1, 0.5])
    assert score_flat(data, answers, "recall", 1) == pytest.approx([0.5, 0])
    assert score_flat(data, answers, "mrr", None) == pytest.approx([1, 0.5])
    assert graded == [None]
    assert score_flat(data.take([1, 0]), answers, "recall", 2) == pytest.approx([0, 0])
    assert graded == [None, 2]  # of other queries
