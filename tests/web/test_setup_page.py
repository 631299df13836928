"""The page before an audit: what applies, roles at the columns, and what a stopped run found."""

from __future__ import annotations

import re

import pytest
from tests.logs.example_logs import write_quiz

from assay.audits import Audit
from assay.web.pages.setup import chosen_sections


def list_offered(page):
    return re.findall(r'name="offered" value="(\w+)"', page)


def test_only_sections_that_apply_are_offered_and_start_comes_first(client, small):
    audit = client.create()
    client.upload(audit, "data", "reviews.tsv", small(12))
    page = client.get(audit)
    assert not {"judges", "votes", "responses", "contamination"} & {*list_offered(page)}
    assert "profile" in list_offered(page)
    assert page.index("Start the audit") < page.index("files-title")
    assert re.search(r"2 values</span>\s*<span class=\"share\"><bdi>food</bdi> <span class=\"quiet\">6", page)
    # All that are offered are no choice: a later version with other files runs what applies to these.
    offered = list_offered(client.get(audit))
    client.post(f"{audit}/roles", depth="quick", sections=offered, offered=offered)
    assert client.server.store.get(audit.rpartition("/")[2]).record()["options"]["sections"] == []


def test_a_stopped_run_shows_what_it_found(client, small):
    audit = client.create()
    client.upload(audit, "data", "reviews.tsv", small(12))
    client.get(audit)
    version = client.server.store.get(audit.rpartition("/")[2])
    version.write("outcome.json", {"status": "cancelled", "error": "Stopped inside a section."})
    rows = [{"severity": "error", "code": "A101", "claim": "4 test items are copies."}]
    version.write("partial.json", {"findings": rows, "sections": {"profile": "done"}})
    page = client.get(audit)
    assert "4 test items are copies." in page
    assert 'role="alert"' not in page
    assert "Continue the audit" in page


def test_one_row_and_one_label_are_singular(client):
    audit = client.create()
    client.upload(audit, "data", "single.tsv", "text\tlabel\nall of it is here\tyes\n")
    page = client.get(audit)
    assert "1 row: " in page
    assert "1 label<" in page or "1 label," in page or "1 label." in page
    assert not re.search(r"\b1 (rows|labels|parts)\b", page)


def test_sections_that_do_not_apply_are_not_announced_while_the_data_is_read(client, small):
    audit = client.create()
    client.upload(audit, "data", "reviews.tsv", small(12))
    client.get(audit)
    sections = chosen_sections(client.server.store.get(audit.rpartition("/")[2]))
    assert "profile" in sections
    assert not {"judges", "votes", "responses", "contamination"} & {*sections}


@pytest.mark.parametrize("header", ["id\tpredicted", "predicted"])
def test_predictions_alone_are_named_as_their_owner_named_them(client, header):
    audit = client.create()
    rows = "".join(f"i{n}\tsport\n" if "\t" in header else "sport\n" for n in range(30))
    client.upload(audit, "auto", "my model.tsv", f"{header}\n{rows}")
    page = client.get(audit)
    assert page.count("my model.tsv: &#39;my model&#39; has &#39;sport&#39; where a number is expected") == 1
    assert "Without gold labels or the data" in page
    assert "add it: “Add files”" in page
    assert "Start the audit" not in page
    stored = client.server.store.get(audit.rpartition("/")[2]).files()[0]["file"]
    shown = re.sub(r'value="[^"]*"', "", page)
    assert stored.partition(".")[0] not in shown


@pytest.fixture
def logs(client, tmp_path):
    """Return a version of logs with two tasks."""
    for task in ("sums", "rivers"):
        write_quiz(tmp_path, task, {"a": 0.5, "b": -0.5}, n_items=24)
    audit = client.create()
    for path in sorted(tmp_path.rglob("*")):
        if path.is_file():
            client.upload(audit, "auto", path.relative_to(tmp_path).as_posix(), path.read_bytes())
    return audit


def test_a_task_of_logs_that_have_several_is_chosen(client, logs):
    page = client.get(logs)
    assert "2 tasks in these logs" in page
    assert "Start the audit" not in page
    client.post(f"{logs}/log-task", log_task="no such task", status=400)
    client.post(f"{logs}/log-task", log_task="rivers")
    page = client.get(logs)
    assert 'This version audits <bdi class="token">rivers</bdi>' in page
    assert "24 rows" in page
    client.post(f"{logs}/start", depth="quick", sections=["profile"], seed="0")
    assert client.wait(logs)["status"] == "done"
    version = client.server.store.get(logs.rpartition("/")[2])
    assert version.name == "rivers"
    items = (version.folder / "items.tsv").read_text(encoding="utf-8")
    assert items.count("\nrivers-") == 24
    assert "sums-" not in items


def test_all_tasks_of_logs_are_audited(client, logs):
    assert client.post(f"{logs}/log-task", all="1") == "/"
    store = client.server.store
    versions = [store.versions_of(task)[0] for task in ("sums", "rivers")]
    for version in versions:
        assert client.wait(f"/versions/{version.id}")["status"] == "done"
        assert Audit.from_json(version.folder / "audit.json").data.rows == 24
    assert len({version.id for version in versions}) == 2
