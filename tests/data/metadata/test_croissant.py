"""Croissant files as input; those of the tests are valid for mlcroissant."""

from __future__ import annotations

import hashlib
import json
import logging

import polars as pl
import pytest

import assay
from assay.base.errors import AssayError
from assay.report import write_croissant
from assay.report.publication.croissant import find_data_files

COLUMNS = {
    "key": [str(i) for i in range(20)],
    "utterance": [f"say {i} now" for i in range(20)],
    "intent": ["a", "b"] * 10,
    "fold": ["train"] * 15 + ["test"] * 5,
}
TYPES = {"key": "sc:Text", "utterance": "sc:Text", "intent": ["sc:Text", "cr:Label"], "fold": ["sc:Text", "cr:Split"]}


def make_field(name, file_id):
    source = {"fileObject": {"@id": file_id}, "extract": {"column": name}}
    return {"@type": "cr:Field", "@id": f"rows/{name}", "name": name, "dataType": TYPES[name], "source": source}


@pytest.fixture
def described(tmp_path):
    """Return the path of a Croissant file and its content, with the context that our writer uses."""
    pl.DataFrame(COLUMNS).write_csv(tmp_path / "calls.csv")
    own = json.loads(write_croissant(assay.audit({"text": ["a b", "c d"], "label": ["x", "y"]}, only=["profile"])))
    content = {
        "@context": own["@context"],
        "@type": "sc:Dataset",
        "name": "calls",
        "description": "Calls and their intents.",
        "conformsTo": "http://mlcommons.org/croissant/1.1",
        "url": "https://example.org",
        "license": "https://creativecommons.org/licenses/by/4.0/",
        "distribution": [
            {
                "@type": "cr:FileObject",
                "@id": "calls.csv",
                "name": "calls.csv",
                "contentUrl": "calls.csv",
                "encodingFormat": "text/csv",
                "sha256": hashlib.sha256((tmp_path / "calls.csv").read_bytes()).hexdigest(),
            }
        ],
        "recordSet": [
            {
                "@type": "cr:RecordSet",
                "@id": "rows",
                "name": "rows",
                "key": {"@id": "rows/key"},
                "field": [make_field(name, "calls.csv") for name in COLUMNS],
            }
        ],
    }
    return tmp_path / "croissant.json", content


def test_types_and_the_key_give_the_roles(described):
    path, content = described
    path.write_text(json.dumps(content))
    data = assay.read(path)
    assert data.notes[0] == "croissant.json: text utterance; label intent; id key; split fold"
    assert (len(data), data.part_names, data.label_names) == (20, ["train", "test"], ["a", "b"])
    assert data.ids[19] == "19"


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_mlcroissant_reads_the_same_rows(described):
    mlcroissant = pytest.importorskip("mlcroissant", reason="mlcroissant is not installed")
    path, content = described
    path.write_text(json.dumps(content))
    logging.getLogger("absl").setLevel(logging.ERROR)
    rows = list(mlcroissant.Dataset(jsonld=str(path)).records("rows"))
    assert [row["rows/utterance"].decode() for row in rows] == assay.read(path).texts.to_list()


def test_what_the_audit_writes_can_be_read_again(tmp_path):
    table = pl.DataFrame({"text": [f"a text {i}" for i in range(12)], "label": ["x", "y"] * 6})
    table.write_csv(tmp_path / "data.csv")
    result = assay.audit(tmp_path / "data.csv", only=["profile"])
    files = find_data_files([tmp_path / "data.csv"], table.columns)
    (tmp_path / "croissant.json").write_text(write_croissant(result, files, tmp_path))
    assert assay.read(tmp_path / "croissant.json").fingerprint == assay.read(tmp_path / "data.csv").fingerprint


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            lambda content: content["distribution"][0].update(contentUrl="missing.csv"),
            r"missing\.csv is not next to it",
        ),
        (lambda content: content["distribution"][0].update(contentUrl="https://x.org/m.csv?a=1"), "nothing is fetched"),
        (lambda content: content["distribution"][0].update(contentUrl="../../etc/passwd"), "outside its folder"),
        (lambda content: content["distribution"][0].update(contentUrl="/etc/passwd"), "outside its folder"),
        (lambda content: content.update(distribution=[]), "not among its files"),
        (lambda content: content.update(recordSet=[]), "no record set"),
        (lambda content: content["recordSet"].append({**content["recordSet"][0], "name": "b"}), "several record sets"),
    ],
)
def test_what_cannot_be_followed_is_named(described, change, message):
    path, content = described
    change(content)
    path.write_text(json.dumps(content))
    with pytest.raises(AssayError, match=message):
        assay.read(path)
