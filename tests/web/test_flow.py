"""From a file to a report: upload, preview, correct, run, read, download, compare, repeat."""

from __future__ import annotations

import io
import json
import re

import polars as pl

from assay.cli import main

ONE = {"depth": "quick", "sections": ["profile"], "seed": "0"}


def test_columns_are_shown_before_the_run(client, small):
    audit = client.create()
    client.upload(audit, "data", "reviews.tsv", small(12))
    assert client.chosen(audit) == {
        "text": "text",
        "text2": "",
        "label": "label",
        "id": "id",
        "split": "split",
        "time": "",
        "group": "",
    }
    page = client.get(audit)
    assert "12 rows; classification, 2 labels" in page
    assert "<bdi>match match w0 w0</bdi>" in page
    assert client.state(audit)["status"] == "new"


def test_roles_can_be_corrected_before_the_run(client, small):
    audit = client.create()
    client.upload(audit, "data", "odd.tsv", small(12, columns="nr first second third"))
    assert "Choose the columns below." in client.get(audit)
    columns = client.columns(audit)
    client.post(f"{audit}/roles", text=columns["first"], label=columns["second"], split=columns["third"], **ONE)
    page = client.get(audit)
    assert "12 rows; classification, 2 labels" in page
    assert client.chosen(audit)["split"] == "third"
    client.post(f"{audit}/roles", text=columns["first"], text2=columns["second"], **ONE)
    assert "12 rows; pairs, no labels" in client.get(audit)


def test_train_and_test_files_are_parts(client, small):
    audit = client.create()
    for name in ("my_train.tsv", "my_test.tsv"):
        client.upload(audit, "data", name, small(12, columns="nr text label other"))
    page = client.get(audit)
    assert "24 rows" in page
    assert re.search(r"Parts:.*train.* 12, .*test.* 12", page)
    client.upload(audit, "data", "more.tsv", small(12))
    assert "&#39;more.tsv&#39; names no part. Remove it, or change" in client.get(audit)


def test_predictions_and_scores_are_previewed(client, small):
    audit = client.create()
    client.upload(audit, "data", "d.tsv", small(12))
    client.upload(audit, "predictions", "great model.tsv", "id\tpredicted\ni0\tsport\n")
    client.upload(audit, "scores", "board.csv", "system,A,B\nx,80,90\ny,70,60\n")
    page = client.get(audit)
    assert re.search(r"Systems:</b> <bdi class=\"token\">great model</bdi>; with answers to 3 items", page)
    assert "<b>Scores:</b> 2 datasets" in page
    client.upload(audit, "predictions", "bad <i>.tsv", "id\tsaid\tmodel\ni0\ti1\n")
    assert re.search(r"role=\"alert\"><bdi>bad &lt;i&gt;\.tsv, line 2: 2 fields", client.get(audit))


def test_audit_shows_its_verdict_and_report(client, audit):
    page = client.get(audit)
    assert "Read the report" in page
    assert "80 items" in page
    files = client.get(f"{audit}/files")
    assert "my reviews.tsv" in files
    assert "great model.tsv" in files
    report = client.get(f"{audit}/output/report.html")
    assert report.startswith("<!doctype html>")
    assert "<h1><bdi>my reviews</bdi></h1>" in report


def test_json_equals_that_of_the_command_line(client, audit, small, tmp_path):
    data, runs = tmp_path / "my reviews.tsv", tmp_path / "great model.tsv"
    data.write_text(small())
    folder = client.server.store.folder / audit.rpartition("/")[2]
    runs.write_bytes(next(folder.glob("file-2-*")).read_bytes())
    out = tmp_path / "audit.json"
    call = ["audit", data, "--predictions", runs, "--only", "profile", "--seed", "3", "--no-cache", "--json", out]
    assert main.status([str(word) for word in call]) == 0
    ours, theirs = (json.loads(path.read_text()) for path in (folder / "audit.json", out))
    differing = {key for key in ours["result"] if ours["result"][key] != theirs["result"][key]}
    assert not differing, {key: (ours["result"][key], theirs["result"][key]) for key in differing}
    assert ours == theirs


def test_every_output_can_be_downloaded(client, audit):
    cookie = {"Cookie": f"{client.server.cookie}={client.server.token}"}
    contents = {}
    for name in ("report.html", "audit.json", "items.tsv", "items.parquet", "card.md", "folds.tsv"):
        answer, contents[name] = client.ask("GET", f"{audit}/output/{name}?download", headers=cookie)
        assert answer.status == 200
        assert answer.getheader("Content-Disposition") == f'attachment; filename="my-reviews-{name}"'
        assert f'href="{audit}/output/{name}?download"' in client.get(f"{audit}/files")
    assert json.loads(contents["audit.json"])["result"]["settings"]["systems"] == ["great model"]
    assert pl.read_parquet(io.BytesIO(contents["items.parquet"])).height == 80
    assert contents["items.tsv"].count(b"\n") == 81
    assert contents["folds.tsv"].startswith(b"id\tfold")


def test_audits_survive_a_restart(client, audit, serving):
    with serving(client.server.store.folder) as other:
        assert "my reviews" in other.get("/")
        assert "Read the report" in other.get(audit)
        assert other.state(audit)["status"] == "done"


def test_list_starts_with_the_dataset_that_changed_last(client, audit, small):
    newest = client.create()
    client.upload(newest, "data", "newest.tsv", small(12))
    client.get(newest)
    names = re.findall(r'class="name" href="/versions/([\w-]+)"', client.get("/"))
    assert names[0] == newest.rpartition("/")[2]
    assert names == sorted(names, reverse=True)


def test_two_versions_can_be_compared(client, audit, small):
    again = client.post(f"{audit}/again")
    assert client.chosen(again)["text"] == "text"
    copied = small().splitlines()
    data = client.server.store.get(again.rpartition("/")[2])
    data.path(data.files("data")[0]).unlink()
    data.path(data.files("data")[0]).write_text("\n".join([*copied, "\t".join(["new", *copied[1].split("\t")[1:]])]))
    client.post(f"{again}/start", **{**ONE, "seed": "3"}, private="yes")
    client.wait(again)
    assert json.loads(client.get(f"{again}/output/audit.json"))["result"]["settings"]["private"] is True
    ids = [address.rpartition("/")[2] for address in (audit, again)]
    page = client.get(f"{again}/compare?old={ids[0]}")
    assert page.count('<th scope="col">version ') == 2
    assert re.search(r'Leakage</th><td><span class="badge \w+">[\w ]+</span>', page)
    assert "The data is not the same." in page
    assert "New findings" in page
    assert "A103" in page
    assert "0 new, 0 gone, 0 changed" in client.get(f"{audit}/compare?old={ids[0]}")
    assert "There is no version" in client.get(f"{audit}/compare?old=x", status=404)


def test_findings_are_ignored_with_the_reason(client, small):
    audit = client.create()
    rows = small(40).splitlines()
    copied = [*rows, "\t".join(["new", *rows[1].split("\t")[1:]])]
    client.upload(audit, "data", "d.tsv", "\n".join(copied))
    client.post(f"{audit}/start", **ONE, ignore="A999", status=400)
    client.post(f"{audit}/start", **ONE, ignore="A103=<b>meant</b>\n\n")
    client.wait(audit)
    result = json.loads(client.get(f"{audit}/output/audit.json"))["result"]
    assert [(row["code"], row["reason"]) for row in result["ignored"]] == [("A103", "<b>meant</b>")]
    assert "A103" not in [row["code"] for row in result["findings"]]
    assert "A103=&lt;b&gt;meant&lt;/b&gt;" in client.get(client.post(f"{audit}/again"))


def test_audit_is_deleted_with_its_files(client, small):
    audit = client.create()
    client.upload(audit, "data", "d.tsv", small(12))
    folder = client.server.store.folder / audit.rpartition("/")[2]
    assert folder.is_dir()
    assert client.post(f"{audit}/delete") == "/"
    assert not folder.exists()
    client.get(audit, status=404)


def test_file_can_be_replaced(client, small):
    audit = client.create()
    client.upload(audit, "data", "wrong.tsv", "a,b\n1,2\n")
    assert "wrong.tsv" in client.get(audit)
    file = client.server.store.get(audit.rpartition("/")[2]).files()[0]["file"]
    client.post(f"{audit}/remove", file=file)
    client.upload(audit, "data", "right.tsv", small(12))
    assert client.chosen(audit)["label"] == "label"


def test_input_of_a_result_cannot_be_changed(client, audit, small):
    assert "has a result. Make a new version" in client.upload(audit, "data", "d.tsv", small(12), status=409)["error"]
    file = client.server.store.get(audit.rpartition("/")[2]).files()[0]["file"]
    client.post(f"{audit}/remove", status=409, file=file)
    other = client.post(f"{audit}/start", **ONE)
    assert other != audit
    client.post(f"{other}/cancel")
    client.post(f"{other}/cancel")
    client.wait(other)
    assert "Read the report" in client.get(audit)


def test_damaged_audit_does_not_hide_the_others(client, audit):
    entry = client.server.store.create(name="damaged.tsv")
    for content in (
        {"severities": {"error": "many"}, "verdict": 7},
        {"severities": {"error": []}, "sections": {"a": 1}},
    ):
        entry.write("outcome.json", {"status": "cancelled", "verdict": "Trust it.", **content})
        page = client.get("/")
        assert "damaged.tsv" in page
        assert "my reviews" in page
    entry.write("outcome.json", {"verdict": 7})
    assert "<code>outcome.json</code> is damaged" in client.get("/")
    entry.delete()


def test_options_of_a_run_are_kept(client, audit):
    again = client.post(f"{audit}/again")
    page = client.get(again)
    assert re.findall(r'name="sections" value="(\w+)" checked', page) == ["profile"]
    assert 'value="3"' in page
