from __future__ import annotations

import pickle

import pytest

from assay.base.errors import AssayError
from assay.cli.commands.benchmark.audit import audit
from assay.cli.main import status
from assay.cli.paths import AnyPath
from assay.cli.plan import read_plan, restrict_found_plan

DATA = "text\tlabel\n" + "".join(f"a text number {n}\t{n % 2}\n" for n in range(20))
KNOWN = {"source", "out", "json_", "cache", "backend", "seed", "quick", "only", "predictions"}


def write_plan(folder, text):
    path = folder / "assay.toml"
    path.write_text(f"[audit]\n{text}\n")
    return path


def restrict(folder, options):
    """Restrict options as those of a plan that was found in a folder."""
    plan = write_plan(folder, "")
    restrict_found_plan(plan, options, audit.params)


REFUSED = r"is refused in a plan that was found rather than named\. If you trust it"
PATHS = [
    parameter.name for parameter in audit.params if isinstance(parameter.type, AnyPath) and parameter.name != "plan"
]
# What a found plan may set besides paths. Add a new option only if it can neither start processes, connect, nor write.
HARMLESS = {
    *("task", "text", "label", "choices", "label_separator", "id_", "split", "time", "group", "sample", "encoding"),
    *("quoting", "missing", "log_task", "reviewed", "quick", "only", "skip", "budget", "private", "figure_width"),
    *("check", "fail_on", "ignore", "format_", "seed", "strict"),
}
RESERVED = {"cache", "no_cache", "n_jobs", "backend", "quiet", "verbose", "step_summary"}


def test_every_option_is_a_path_harmless_or_refused(tmp_path):
    names = {parameter.name for parameter in audit.params} - {"plan"}
    assert names == {*PATHS} | HARMLESS | RESERVED
    for name in names - {*PATHS} - HARMLESS:
        with pytest.raises(AssayError, match=REFUSED):
            restrict(tmp_path, {name: "x"})
    restrict(tmp_path, dict.fromkeys(HARMLESS, "x"))


@pytest.mark.parametrize("name", PATHS)
def test_a_found_plan_names_no_path_outside_its_folder(tmp_path, name):
    folder = tmp_path / "folder"
    (folder / "sub").mkdir(parents=True)
    (tmp_path / "folder-secret").mkdir()
    (tmp_path / "secret.tsv").write_text(DATA)
    (folder / "linked").mkdir()
    (folder / "linked" / "link.tsv").symlink_to(tmp_path / "secret.tsv")
    (folder / "data.tsv").write_text(DATA)
    outside = [
        *("/secret.tsv", "../secret.tsv", "../*.tsv", "sub/../../secret.tsv", "../folder-secret/x", "linked/link.tsv"),
        *(
            "linked",
            "linked/*.tsv",
            "*/link.*",
            "hf:owner/name",
            "s3://bucket/x.tsv",
            "https://198.51.100.1/x",
            "file:x",
        ),
        str(tmp_path / "secret.tsv"),
    ]
    for value in outside:
        for written in (value, ["data.tsv", value]):
            with pytest.raises(AssayError, match=REFUSED):
                restrict(folder, {name: written})
    for value in ("data.tsv", "sub", "sub/new.tsv", "./data.tsv", "*.tsv", "-", str(folder / "data.tsv")):
        restrict(folder, {name: value})


def test_a_found_plan_is_not_a_link_to_another_folder(tmp_path):
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / "assay.toml").symlink_to(write_plan(tmp_path, ""))
    with pytest.raises(AssayError, match="The plan is a link to another folder"):
        restrict_found_plan(folder / "assay.toml", {}, audit.params)


@pytest.mark.parametrize(
    "line", ['data = "../secret.tsv"', 'corpus = ["https://198.51.100.1/x"]', "jobs = 2", "n-jobs = 2"]
)
def test_a_plan_that_is_named_may_set_what_a_found_one_may_not(tmp_path, monkeypatch, capfd, line):
    folder = tmp_path / "folder"
    folder.mkdir()
    monkeypatch.chdir(folder)
    write_plan(folder, line)
    assert status(["audit", "--only", "profile"]) == 1
    assert "refused in a plan" in capfd.readouterr().err
    status(["audit", "--only", "profile", "--plan", "assay.toml", "missing.tsv"])
    assert "refused in a plan" not in capfd.readouterr().err


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
