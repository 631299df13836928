"""Croissant metadata: what was measured is in it, and mlcroissant accepts it."""

from __future__ import annotations

import hashlib
import importlib.util
import json
import subprocess
import sys

import pytest
from tests.example_audit import make_audit

from assay.cli.main import status
from assay.report.publication.croissant import DataFile, find_data_files, write_croissant

ROWS = [f'text number {n} "of" them\t{n % 2}' for n in range(20)]
# Read a file with mlcroissant, and print what it understood.
READ = """
import json, sys, mlcroissant
data = mlcroissant.Dataset(sys.argv[1])
about = data.metadata
rows = {records.name: next(iter(data.records(records.id))) for records in about.record_sets}
print(json.dumps({
    "version": about.ctx.conforms_to.value,
    "errors": sorted(about.ctx.issues.errors),
    "biases": about.data_biases,
    "limitations": about.data_limitations,
    "annotation": about.data_annotation_analysis,
    "missing": about.data_collection_missing_data,
    "rows": {str(name): [value.decode() for value in row.values()] for name, row in rows.items()},
}))
"""


def test_every_finding_is_in_one_field():
    audit = make_audit()
    content = json.loads(write_croissant(audit))
    fields = {name: value for name, value in content.items() if name.startswith("rai:")}
    for finding in audit.findings:
        places = [name for name, value in fields.items() if any(finding.claim in text for text in to_list(value))]
        assert len(places) == 1, finding.claim
    assert any("A401" in text for text in fields["rai:dataBiases"])
    assert any("A101" in text for text in fields["rai:dataLimitations"])
    assert 'Shares of the labels: "yes" 60%, "no" 40%.' in fields["rai:dataBiases"]
    assert fields["rai:dataCollectionMissingData"] == "0 of 40 items have no label."
    assert any("1.5 [0.5, 4" in text for text in fields["rai:dataAnnotationAnalysis"])


def to_list(value):
    return [value] if isinstance(value, str) else value


def test_a_private_audit_shows_no_word():
    assert "secretive" in write_croissant(make_audit())
    assert "secretive" not in write_croissant(make_audit(private=True))


def test_files_have_paths_checksums_and_columns(tmp_path):
    path = tmp_path / "data" / "a b.tsv"
    path.parent.mkdir()
    path.write_text("text\tlabel\nx\ty\n")
    (tmp_path / "data" / "notes.md").write_text("no data")
    files = find_data_files([tmp_path / "data"])
    assert files == [DataFile(path, ("text", "label"))]
    assert find_data_files([tmp_path / "*" / "*.tsv", path]) == files
    content = json.loads(write_croissant(make_audit(), files, tmp_path))
    (file,) = content["distribution"]
    assert file["contentUrl"] == "data/a b.tsv"
    assert file["sha256"] == hashlib.sha256(path.read_bytes()).hexdigest()
    assert [field["name"] for field in content["recordSet"][0]["field"]] == ["text", "label"]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "data").mkdir()
    for part in ("train", "test"):
        (tmp_path / "data" / f"{part}.tsv").write_text("text\tlabel\n" + "\n".join(ROWS) + "\n")
    return tmp_path


def test_the_command_writes_it(folder):
    assert status(["audit", "data", "--only", "profile", "--no-cache", "--croissant", "croissant.json"]) == 0
    content = json.loads((folder / "croissant.json").read_text(encoding="utf-8"))
    assert [file["contentUrl"] for file in content["distribution"]] == ["data/test.tsv", "data/train.tsv"]
    assert "20 items of 20 in test" in " ".join(content["rai:dataLimitations"])
    if importlib.util.find_spec("mlcroissant") is None:
        pytest.skip("needs mlcroissant to validate: make test installs it")
    done = subprocess.run([sys.executable, "-c", READ, "croissant.json"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-2000:]
    assert "not standard" not in done.stderr
    values = json.loads(done.stdout.splitlines()[-1])
    assert values["version"] == "http://mlcommons.org/croissant/1.1"
    assert values["errors"] == []
    assert values["biases"] == content["rai:dataBiases"]
    assert values["limitations"] == content["rai:dataLimitations"]
    assert values["missing"] == content["rai:dataCollectionMissingData"]
    assert [row[1] for row in values["rows"].values()] == ["0", "0"]
