"""Files are recognised: data, predictions, scores, votes, verdicts and logs."""

from __future__ import annotations

import json
import re

import polars as pl
import pytest

from assay.data.columns.table import RawTable
from assay.inputs import recognize_table
from assay.web.store import VersionStore
from assay.web.uploads import copy_local_file
from assay.web.work.jobs import load_preview
from assay.web.work.preview import recognise_files
from assay.web.work.sources import link_files
from assay.web.work.worker import write_preview

LOG = {"doc_id": 0, "doc": {"question": "2+2?"}, "target": "4", "filter": "none", "resps": [["4"]], "doc_hash": "h"}


@pytest.mark.parametrize(
    ("columns", "kind"),
    [
        ("text label", "data"),
        ("id sentence stars sentiment", "data"),  # an ambiguous label is still data
        ("question choices answer", "data"),
        ("premise hypothesis label", "data"),
        ("prompt chosen rejected", "data"),
        ("id predicted", "predictions"),
        ("system id predicted prob:a", "predictions"),
        ("id system-a system-b", "predictions"),
        ("model MMLU GSM8K", "scores"),
        ("dataset system score", "scores"),
        ("model_a model_b winner", "votes"),
        ("id judge verdict", "verdicts"),
        ("first second", "data"),
    ],
)
def test_table_is_recognised_by_its_columns(columns, kind):
    cells = {"choices": '["4", "5"]', "answer": "4", "MMLU": "71.2", "GSM8K": "50", "score": "0.7", "stars": "3"}
    frame = pl.DataFrame({name: [cells.get(name, f"some {name} text")] * 2 for name in columns.split()})
    assert recognize_table(RawTable(frame)) == kind


def test_logs_are_recognised_by_name_and_content(tmp_path):
    version = VersionStore(tmp_path / "state").create()
    for name, content in (
        ("samples_arith_2026-01-01T00-00-00.000001.jsonl", json.dumps(LOG)),
        ("results_2026-01-01T00-00-00.000001.json", "{}"),
        ("samples_of_mine.tsv", "text\tlabel\na\tb\n"),
    ):
        (tmp_path / "file").write_text(content + "\n")
        copy_local_file(version, "auto", tmp_path / "file", name)
    assert list(recognise_files(version).values()) == ["logs", "logs", "data"]


def test_one_drop_is_sorted_into_kinds_and_can_be_corrected(client, small):
    version = client.create()
    client.upload(version, "auto", "d.tsv", small(12))
    client.upload(version, "auto", "one.tsv", "id\tpredicted\ni0\tsport\n")
    client.upload(version, "auto", "board.csv", "model,MMLU,GSM8K\na,70,50\nb,60,55\n")
    page = client.get(version)
    chosen = re.findall(r'<select name="kind".*?value="(\w+)" selected', page, re.S)
    assert chosen == ["data", "predictions", "scores"]
    assert "<b>Scores:</b> 2 datasets" in page
    file = client.server.store.get(version.rpartition("/")[2]).files()[2]["file"]
    client.post(f"{version}/kind", file=file, kind="corpus")
    assert "<b>Scores:</b>" not in client.get(version)
    assert "No kind of file" in client.post(f"{version}/kind", file=file, kind="../x", status=400)


def test_votes_alone_are_audited(client):
    version = client.create()
    rows = "\n".join(
        f"a,{'b' if number % 3 else 'c'},{('model_a', 'model_b', 'tie')[number % 3]}" for number in range(60)
    )
    client.upload(version, "auto", "arena.csv", f"model_a,model_b,winner\n{rows}\n")
    page = client.get(version)
    assert "60 votes on 3 systems" in page
    client.post(f"{version}/start", depth="quick", sections=["votes"], seed="0")
    assert client.wait(version)["status"] == "done"
    assert "arena" in client.get(f"{version}/systems")
    overview = client.get(version)
    assert "60 votes · 3 systems</span>" in overview
    assert "All items" not in overview
    assert "retire 0" not in overview
    assert "This version has no items" in client.get(f"{version}/items")


def test_file_of_the_same_name_is_the_next_version(client, small):
    addresses = [client.create(), client.create()]
    for address, name in zip(addresses, ("Twice.tsv", "twice.csv"), strict=True):
        client.upload(address, "auto", name, small(12) if name.endswith("tsv") else small(12).replace("\t", ","))
        client.get(address)
    assert "version 2" in client.get(addresses[1])
    assert client.get("/").count('class="name"') >= 1
    assert "Earlier versions: 1" in client.get("/")
    client.post(f"{addresses[1]}/name", name=" Another\tname ")
    assert re.search(r"Another name</bdi> <span class=\"quiet\">version 1", client.get(addresses[1]))


def test_suppressed_finding_is_kept_for_later_versions(client, small):
    rows = small(40).splitlines()
    content = "\n".join([*rows, "\t".join(["new", *rows[1].split("\t")[1:]])])
    one = {"depth": "quick", "sections": ["profile"], "seed": "0"}
    first, second = client.create(), client.create()
    for version in (first, second):
        client.upload(version, "auto", "suppressed.tsv", content)
        client.get(version)
        client.post(f"{version}/start", **one)
        client.wait(version)
        if version == first:
            assert "No reason is given" in client.post(f"{first}/suppress", finding="A103", status=400)
            client.post(f"{first}/suppress", finding="A103", reason="<b>meant</b>")
            page = client.get(f"{first}/findings")
            assert "Suppressed: 1" in page
            assert "&lt;b&gt;meant&lt;/b&gt;" in page
            assert 'id="A103"' not in page
            assert (
                "<b>meant</b>" in json.loads(client.get(f"{first}/output/audit.json"))["result"]["ignored"][0]["reason"]
            )
    result = json.loads(client.get(f"{second}/output/audit.json"))["result"]
    assert [(row["code"], row["reason"]) for row in result["ignored"]] == [("A103", "<b>meant</b>")]
    client.post(f"{second}/restore", code="A103", subject="")
    assert 'id="A103"' in client.get(f"{second}/findings")
    client.post(f"{second}/suppress", finding="A999", reason="x", status=404)


def test_collection_and_its_run_are_recognised(client):
    version = client.create()
    queries = "".join(json.dumps({"_id": f"q{n}", "text": f"what is thing {n}"}) + "\n" for n in range(6))
    documents = "".join(json.dumps({"_id": f"d{n}", "title": "", "text": f"about thing {n}"}) + "\n" for n in range(6))
    client.upload(version, "auto", "queries.jsonl", queries)
    client.upload(version, "auto", "corpus.jsonl", documents)
    client.upload(version, "auto", "qrels.txt", "".join(f"q{n} 0 d{n} 1\n" for n in range(6)))
    client.upload(version, "auto", "run.bm25.txt", "".join(f"q{n} Q0 d{n % 4} 1 2.5 bm25\n" for n in range(6)))
    page = client.get(version)
    chosen = re.findall(r'<select name="kind".*?value="(\w+)" selected', page, re.S)
    assert chosen == ["data", "data", "data", "predictions"]
    assert "6 rows; retrieval" in page.replace("Retrieval", "retrieval")
    assert "bm25" in page[page.index("<b>Systems:</b>") :]


def test_answers_alone_are_audited(client):
    version = client.create()
    rows = "\n".join(f"{n}\t{n % 2}\t{int(n % 3 > 0)}\t1" for n in range(30))
    client.upload(version, "auto", "resolved.tsv", f"id\tone\ttwo\tthree\n{rows}\n")
    assert "answers of 3 systems to 30 items" in client.get(version)
    client.post(f"{version}/start", depth="quick", sections=["discrimination"], seed="0")
    assert client.wait(version)["status"] == "done"
    assert "three" in client.get(f"{version}/systems")


def test_removed_log_is_no_longer_read(tmp_path):
    version = VersionStore(tmp_path / "state").create()
    for task in ("arith", "algebra"):
        (tmp_path / "file").write_text(json.dumps(LOG) + "\n")
        copy_local_file(version, "logs", tmp_path / "file", f"samples_{task}_2026-01-01T00-00-00.000001.jsonl")
    assert len(list(link_files(version, "logs").iterdir())) == 2
    version.remove_file(version.files()[0]["file"])
    assert [path.name for path in link_files(version, "logs").iterdir()] == [
        "samples_algebra_2026-01-01T00-00-00.000001.jsonl"
    ]


def test_a_file_that_names_no_part_says_what_to_do(client, small):
    version = client.create()
    client.upload(version, "auto", "one.tsv", small(12))
    client.upload(version, "auto", "two.tsv", small(12))
    page = client.get(version)
    assert "Remove it, or change what it was recognised as." in page
    assert "add another" not in page


def test_only_the_server_writes_the_record(tmp_path, small):
    (tmp_path / "upload.tsv").write_text(small(12))
    version = VersionStore(tmp_path / "store").create()
    copy_local_file(version, "auto", tmp_path / "upload.tsv")
    before = (version.folder / "entry.json").read_bytes()
    write_preview(version)  # in a process of its own
    assert (version.folder / "entry.json").read_bytes() == before
    assert version.read("preview.json")["labels"] == [["food", 6], ["sport", 6]]
    load_preview(version)
    assert [file["kind"] for file in version.files()] == ["data"]


def test_two_tables_of_the_same_judges_are_both_orders(client):
    def write(swapped: bool) -> str:
        cells = [("a", "b", "tie")[number % 3] for number in range(30)]
        rows = [f"{number},{cell},{cell if number % 4 or not swapped else 'a'}" for number, cell in enumerate(cells)]
        return "\n".join(["id,gpt,claude", *rows]) + "\n"

    version = client.create()
    client.upload(version, "auto", "order_12.csv", write(False))
    assert "only 60 verdicts of 2 judges" in client.get(version)
    client.upload(version, "auto", "order_21.csv", write(True))
    assert "only 120 verdicts of 2 judges" in client.get(version)
    client.upload(version, "verdicts", "third.csv", "id,gpt,other\n1,a,b\n2,tie,a\n")
    assert "are not verdicts of the same judges" in client.get(version)
