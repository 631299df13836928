from __future__ import annotations

import pickle

import pytest

from assay.base.errors import AssayError
from assay.cli.main import status
from assay.cli.plan import read_plan, restrict_found_plan

DATA = "text\tlabel\n" + "".join(f"a text number {n}\t{n % 2}\n" for n in range(20))
KNOWN = {"source", "out", "json_", "cache", "backend", "seed", "quick", "only", "predictions"}


def write_plan(folder, text):
    path = folder / "assay.toml"
    path.write_text(f"[audit]\n{text}\n")
    return path


@pytest.mark.parametrize(
    "line",
    [
        'cache = ".work"',
        'backend = "dask=tcp://198.51.100.1:8786"',
        'out = "../report.html"',
        'out = "~/../../report.html"',
        'json = "/report.json"',
    ],
)
def test_a_found_plan_decides_nothing_outside_its_folder(tmp_path, line):
    plan = write_plan(tmp_path, line)
    with pytest.raises(AssayError, match=r"is refused in a plan that was found rather than named\. If you trust it"):
        restrict_found_plan(plan, read_plan(plan, KNOWN))


@pytest.mark.parametrize("line", ['out = "report.html"', 'out = "sub/report.html"', "seed = 3", 'json = "-"'])
def test_a_found_plan_may_set_the_rest(tmp_path, line):
    plan = write_plan(tmp_path, line)
    restrict_found_plan(plan, read_plan(plan, KNOWN))


def test_a_number_that_is_not_finite_is_refused(tmp_path):
    with pytest.raises(AssayError, match="seed = inf is not a finite number"):
        read_plan(write_plan(tmp_path, "seed = inf"), KNOWN)


class Exploit:
    def __reduce__(self):
        return exec, ("open('exploited', 'w').write('x')",)


def test_a_plan_of_any_size_is_not_read(tmp_path):
    with pytest.raises(AssayError, match="the plan has more than 65,536 bytes"):
        read_plan(write_plan(tmp_path, "seed = 1\n" + "#" * 70_000), KNOWN)


def test_a_downloaded_folder_with_a_poisoned_cache_runs_nothing(tmp_path, monkeypatch, capfd):
    folder = tmp_path / "download"
    folder.mkdir()
    monkeypatch.chdir(folder)
    monkeypatch.setenv("ASSAY_CACHE", str(tmp_path / "own"))
    (folder / "data.tsv").write_text(DATA)
    for name in (".assay-cache", ".work"):
        for key in range(256):
            entry = folder / name / f"{key:02x}"
            entry.mkdir(parents=True)
            (entry / ("0" * 38 + ".joblib")).write_bytes(pickle.dumps(Exploit()))
    assert status(["train", "data.tsv", "-o", "predictions.tsv"]) == 0
    write_plan(folder, 'data = "data.tsv"\ncache = ".work"')
    assert status(["audit", "--only", "profile"]) == 1
    assert "refused in a plan" in capfd.readouterr().err
    assert not (folder / "exploited").exists()
