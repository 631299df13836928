"""Files that are dropped together, on a finished version, under a known name, or by mistake."""

from __future__ import annotations

import json


def get_version(client, address):
    return client.server.store.get(address.rpartition("/")[2])


def add_files(client, address, files):
    for name, content in files.items():
        client.upload(address, "auto", name, content)
    client.get(address)
    return {file["name"]: file["kind"] for file in get_version(client, address).files()}


def test_the_files_of_a_run_are_logs_together_in_their_folders(client):
    names = ("per_instance_stats.json", "scenario_state.json", "scenario.json", "run_spec.json", "stats.json")
    files = {f"runs/{run}/{name}": "[]" for run in ("a", "b") for name in names}
    address = client.create()
    kinds = add_files(client, address, {**files, "notes.csv": "id,text,label\n1,a word,x\n"})
    assert {kinds[name] for name in files} == {"logs"}
    assert kinds["notes.csv"] == "data"
    from assay.web.work.sources import link_files

    folder = link_files(get_version(client, address), "logs")
    assert sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*.json")) == sorted(files)


def test_predictions_for_a_finished_version_are_added_to_its_data(client, audit, small):
    body = client.ask("POST", f"/versions?of={audit.rpartition('/')[2]}", b"", client.headers())[1]
    address = json.loads(body)["address"]
    kinds = add_files(client, address, {"new model.tsv": "id\tpredicted\ni0\tsport\ni4\tsport\n"})
    assert kinds == {"my reviews.tsv": "data", "great model.tsv": "predictions", "new model.tsv": "predictions"}
    page = client.get(address)
    assert "The other files come from version 1." in page
    assert "answers of 2 systems" in page
    client.post(f"{address}/delete")


def test_other_data_of_a_known_name_is_another_dataset(client, small):
    names = []
    for content in (small(12), small(16), "question\tanswer\nWhy?\tBecause.\nHow?\tSo.\n"):
        address = client.create()
        add_files(client, address, {"same name.tsv": content})
        version = get_version(client, address)
        names.append((version.name, version.number))
    assert names == [("same name", 1), ("same name", 2), ("same name (2)", 1)]


def test_a_deleted_version_can_be_put_back(client, small):
    address = client.create()
    client.upload(address, "data", "doomed.tsv", small(12))
    client.get(address)
    assert client.post(f"{address}/delete") == "/"
    client.get(address, status=404)
    assert "Deleted: <bdi>doomed</bdi>, version 1." in client.get("/")
    assert client.post("/restore") == address
    assert "12 rows" in client.get(address)
    assert "Deleted:" not in client.get("/")
    client.post("/restore", status=404)
