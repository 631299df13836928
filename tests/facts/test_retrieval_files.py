"""trec_eval's own output, CACM and SciFact: every number that the reference program prints and we have."""

from __future__ import annotations

import pytest

import assay
from assay.kinds import kind_of

FOLDER = "trec_eval_oracle"
NAMES = {
    "map": "map",
    "gm_map": "gm-map",
    "Rprec": "r-precision",
    "bpref": "bpref",
    "recip_rank": "mrr",
    "infAP": "infap",
    "ndcg": "ndcg",
    **{f"iprec_at_recall_{level / 10:.2f}": f"iprec@{level / 10}" for level in range(11)},
    **{
        f"{theirs}_{cutoff}": f"{ours}@{cutoff}"
        for theirs, ours in (("P", "p"), ("recall", "recall"), ("ndcg_cut", "ndcg"), ("map_cut", "map"))
        for cutoff in (5, 10, 15, 20, 30, 100, 200, 500, 1000)
    },
    **{f"success_{cutoff}": f"success@{cutoff}" for cutoff in (1, 5, 10)},
}


def read_printed(path):
    rows = [line.split() for line in path.read_text(encoding="utf-8").splitlines()]
    return {(name, query): value for name, query, value in rows}


@pytest.mark.parametrize("file", ["out.test", "out.test.a", "out.test.aq"])
def test_trec_eval_prints_the_same(shared, file):
    """The mean over the queries of the run, each of 57 measures that we have too, to the last digit printed."""
    printed = read_printed(shared(f"{FOLDER}/{file}"))
    names = [name for name in NAMES if (name, "all") in printed]
    assert len(names) == (25 if file == "out.test" else len(NAMES))
    data = assay.read(shared(f"{FOLDER}/qrels.test.gz"))
    run = shared(f"{FOLDER}/results.test")
    (system,) = assay.evaluate(data, run, metrics=[NAMES[name] for name in names], compare=False).systems
    assert system.n == int(printed["num_q", "all"])
    ours = {name: f"{system.metrics[NAMES[name]].value:.4f}" for name in names}
    assert ours == {name: printed[name, "all"] for name in names}


def test_trec_eval_prints_the_same_for_every_query(shared):
    printed = read_printed(shared(f"{FOLDER}/out.test.aq"))
    data = assay.read(shared(f"{FOLDER}/qrels.test.gz"))
    kind = kind_of(data)
    answers = dict(
        kind.answers.load_answers(shared(f"{FOLDER}/results.test"), data).select("id", "predicted").iter_rows()
    )
    rows = [row for row, name in enumerate(data.ids.to_list()) if name in answers]
    data = data.take(rows)
    said = kind.answers.read_answers(data, [answers[name] for name in data.ids.to_list()])
    items = kind.scoring.pair_answers(data, said)
    for theirs, ours in NAMES.items():
        if ours == "gm-map":  # a mean only
            continue
        values = kind.scoring.find_metric(ours).collect_statistics(items)[:, 0].tolist()
        for query, value in zip(data.ids.to_list(), values, strict=True):
            assert f"{value:.4f}" == printed[theirs, query], (theirs, query)


def test_counts_of_trec_eval(shared):
    """Documents retrieved, relevant, and both."""
    data = assay.read(shared(f"{FOLDER}/qrels.test.gz"))
    (system,) = assay.evaluate(
        data, shared(f"{FOLDER}/results.test"), metrics=["p@500", "recall@500"], compare=False
    ).systems
    assert round(system.metrics["p@500"].value * 1500) == 131
    queries = data.take(data.ids.is_in(["301", "302", "303"]))
    figures = {figure.name: figure.value for figure in kind_of(queries).texts.describe_items(queries).figures}
    assert figures["relevant documents"] == 561


def test_cacm_and_scifact_have_their_judgements(shared):
    cacm = assay.read(shared("cacm/qrels.cacm.txt"))
    assert (len(cacm), sum(row.count(":") for row in cacm.fields["judgements"])) == (52, 796)
    scifact = assay.read(shared("scifact/qrels.beir-v1.0.0-scifact.test.txt"))
    assert (len(scifact), sum(row.count(":") for row in scifact.fields["judgements"])) == (300, 339)
