"""The page before an audit: what applies, roles at the columns, and what a stopped run found."""

from __future__ import annotations

import re


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
