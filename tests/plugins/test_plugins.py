"""A package of a user, installed next to assay, adds findings, metrics, kinds of task and log readers."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import assay

EXAMPLE = Path(__file__).parent / "example" / "acme_checks.py"
RULE = "from assay.checks.findings import rule\n\n"
DATA = "text\tlabel\n" + "".join(f"a text number {n}\t{n % 2}\n" for n in range(20))


@pytest.fixture
def install(tmp_path):
    """Write a package as an installer does: a module and a .dist-info folder with its entry points."""

    def write(module: str, code: str, package: str = "acme-checks") -> Path:
        folder = tmp_path / "site"
        folder.mkdir(exist_ok=True)
        (folder / f"{module}.py").write_text(code, encoding="utf-8")
        info = folder / f"{package.replace('-', '_')}-1.2.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.2\n")
        (info / "entry_points.txt").write_text(f"[assay.plugins]\n{module} = {module}\n")
        return folder

    return write


def call(folder: Path, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run Python with the package on its path."""
    paths = os.pathsep.join([str(Path(assay.__file__).parents[1]), str(folder)])
    return subprocess.run(
        [sys.executable, *arguments],
        env={**os.environ, "PYTHONPATH": paths, **environment},
        cwd=folder,
        capture_output=True,
        text=True,
    )


USE = """
import json
import assay
from assay.evaluation import Predictions
from assay.logs import read_logs

data = {"text": ["one", "two", "three", "four"], "label": ["a", "b", "a", "b"]}
result = assay.audit(data, only=["profile"])
predictions = Predictions.from_arrays(["a", "b", "a", "b"], {"s": ["a", "b", "a", "a"]})
scores = assay.evaluate(None, predictions, metrics=["acme-error-rate"])
open("good.acme", "w").write("qa 0.9")
open("bad.acme", "w").write("qa 0.4")
print(json.dumps({
    "findings": [finding.code for finding in result.findings],
    "ignored": [finding.code for finding in assay.audit(data, only=["profile"], ignore="ACME1=ours").ignored],
    "metric": scores.systems[0].metrics["acme-error-rate"].value,
    "task": assay.read(data, task="acme-tickets").task,
    "usual": assay.read(data).task,
    "logs": sorted((record.system, record.score) for record in read_logs(".", "acme-scores").records),
}))
"""


def test_everything_of_the_example_works(install):
    done = call(install("acme_checks", EXAMPLE.read_text(encoding="utf-8")), "-c", USE)
    assert done.returncode == 0, done.stderr
    values = json.loads(done.stdout)
    assert "ACME1" in values.pop("findings")
    assert values == {
        "ignored": ["ACME1"],
        "metric": 0.25,
        "task": "acme-tickets",
        "usual": "classification",
        "logs": [["bad", 0.4], ["good", 0.9]],
    }


@pytest.mark.parametrize("first", ["assay.logs", "assay.audits", "assay.cli.options", "acme_checks"])
def test_it_does_not_matter_what_is_imported_first(install, first):
    folder = install("acme_checks", EXAMPLE.read_text(encoding="utf-8"))
    code = f"import {first}\nfrom assay.audits import FINDINGS\nfrom assay.kinds import KINDS\n"
    done = call(folder, "-c", f"{code}assert 'ACME1' in FINDINGS and 'acme-tickets' in KINDS")
    assert done.returncode == 0, done.stderr


def test_the_command_line_lists_and_uses_it(install):
    folder = install("acme_checks", EXAMPLE.read_text(encoding="utf-8"))
    (folder / "data.tsv").write_text(DATA)
    command = ("-m", "assay", "audit", "data.tsv", "--only", "profile", "--no-cache", "--fail-on", "ACME1")
    done = call(folder, *command)
    assert done.returncode == 1, done.stderr
    assert "The benchmark has only 20 items." in done.stdout
    without = call(folder, *command[:-2], ASSAY_PLUGINS="0")
    assert without.returncode == 0, without.stderr
    assert "ACME1" not in without.stdout


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        ("import no_such_module", "ModuleNotFoundError: No module named 'no_such_module'"),
        (
            f"{RULE}@rule('A101', 'Taken', section='profile')\ndef check(profile): ...",
            "RuntimeError: The finding 'A101' is registered twice",
        ),
        (
            f"{RULE}@rule('X1', 'Lost', section='texts')\ndef check(texts): ...",
            "ValueError: The rule X1 reads the section 'texts', which does not exist.",
        ),
    ],
)
def test_a_package_that_fails_is_named(install, code, reason):
    folder = install("broken_checks", code, "broken-checks")
    (folder / "data.tsv").write_text(DATA)
    done = call(folder, "-m", "assay", "audit", "data.tsv", "--only", "profile", "--no-cache")
    assert done.returncode == 1
    assert f"broken-checks 1.2: the plugin broken_checks cannot be loaded: {reason}" in done.stderr
    assert "ASSAY_PLUGINS=0" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_failure_is_raised_every_time(install):
    folder = install("broken_checks", "1 / 0", "broken-checks")
    loop = "for _ in range(2):\n try:\n  list(KINDS)\n except ValueError as error:\n  print(error)"
    done = call(folder, "-c", f"from assay.kinds import KINDS\n{loop}")
    assert done.stdout.count("broken-checks 1.2: the plugin broken_checks cannot be loaded: ZeroDivisionError") == 2
