"""Splits and tools: every command on the files of a version, and no path of the user's."""

from __future__ import annotations

import re
import shutil
import time
import zipfile
from io import BytesIO

import pytest

from assay.cli.web_tools import TOOLS, describe_tools
from assay.web.store import VersionStore
from assay.web.tools import ToolOption
from assay.web.work.sources import make_safe_names
from assay.web.work.tool_runs import ToolRuns, create_run, write_option


@pytest.fixture(scope="module")
def version(client, small):
    address = client.create()
    client.upload(address, "data", "my data.tsv", small(40))
    answers = "id\tpredicted\n" + "".join(f"i{n}\t{('sport', 'food')[n % 3 == 0]}\n" for n in range(0, 40, 4))
    client.upload(address, "predictions", "great <b>model.tsv", answers)
    client.get(address)
    return address


def wait(client, run: str) -> str:
    until = time.monotonic() + 120
    while '"running"' in client.get(f"{run}/state") and time.monotonic() < until:
        time.sleep(0.2)
    return client.get(run)


def test_every_tool_has_a_form(client, version):
    page = client.get(f"{version}/tools")
    for name in TOOLS:
        assert f'href="{version}/tools/{name}"' in page
        form = client.get(f"{version}/tools/{name}")
        assert re.search(rf"Run {name}</button>", form)
    assert "needs corpus, which this version does not have" in client.get(f"{version}/tools/contamination")
    client.get(f"{version}/tools/rm", status=404)


def test_no_tool_lets_the_user_name_a_file():
    for tool in describe_tools():
        flags = {option.flag for option in tool.options}
        assert not flags & {
            "--cache",
            "--backend",
            "--json",
            "--out",
            "-o",
            "--predictions",
            "--ngrams",
            "--stop-words",
        }
        assert all(re.fullmatch(r"[a-z]+(\.(tsv|json))?", output.name) for output in tool.outputs)


@pytest.mark.parametrize("value", ["/etc/passwd", "..", "~/.bashrc", "a/b", "a\\b", "x" * 301, "a\0b"])
def test_values_that_look_like_paths_are_refused(value):
    with pytest.raises(Exception, match=r"looks like a path|more than 300 characters"):
        write_option(ToolOption("encoder", "--encoder", "text", ""), [value])


def test_values_cannot_become_other_options():
    option = ToolOption("metric", "--metric", "text", "", is_repeatable=True)
    assert write_option(option, ["--json, f1"]) == ["--metric=--json", "--metric=f1"]
    assert write_option(ToolOption("settings", "-s", "text", ""), ["n_init=8"]) == ["-sn_init=8"]
    with pytest.raises(Exception, match="must be one of a, b"):
        write_option(ToolOption("x", "--x", "choice", "", ("a", "b")), ["c"])


def test_names_of_linked_files_are_safe():
    names = make_safe_names([{"name": name} for name in ("../../x.tsv", "a\0b/..", "-rf", "é ü.jsonl", "x.tsv")])
    assert list(names) == ["x.tsv", "file", "rf", "jsonl", "x-2.tsv"]


def test_profile_runs_on_the_files_of_the_version(client, version):
    run = client.post(f"{version}/tools/profile", threshold="0.7")
    page = wait(client, run)
    assert 'class="badge good">done' in page
    assert "my-data" in page
    assert "profile.json" in page
    result = page[page.index('aria-label="Result"') : page.index("As in a terminal")]
    assert "<table><caption>" in result
    assert not {*"│─┃━"} & {*result}
    assert client.get(f"{run}/output/profile.json").startswith("{")
    for name in ("run.json", "notes.txt", "in", "..%2fentry.json"):
        client.get(f"{run}/output/{name}", status=404)
    client.post(f"{run}/delete")
    client.get(run, status=404)


def test_failed_run_shows_the_message(client, version):
    assert "no-such-method" in client.post(f"{version}/tools/split", method="no-such-method", status=400)
    run = client.post(f"{version}/tools/split", method="random", parts="train,no-such-part")
    page = wait(client, run)
    assert 'class="badge error">failed' in page
    assert "no-such-part" in page
    assert "Traceback" not in page


def test_the_method_of_a_split_is_chosen_from_a_list(client, version):
    page = client.get(f"{version}/tools/split")
    assert re.search(r'<select id="option-method".*<option>sds-k-means</option>', page, re.S)


def test_no_two_outputs_of_a_tool_are_one_file():
    for tool in describe_tools():
        names = [output.name for output in tool.outputs]
        assert len(names) == len(set(names)), tool.name


def test_split_gives_folds_parts_drift_and_scores(client, version):
    form = {"method": "random", "size": "folds", "n_splits": "4", "seed": "1", "scoring": "systems"}
    run = client.post(f"{version}/splits", **form)
    page = wait(client, run)
    assert 'class="badge good">done' in page, page
    assert "Drift between the parts" in page
    assert "great-b-model" in page
    folds = client.get(f"{run}/output/split.tsv").splitlines()
    assert len(folds) == 41
    cookie = {"Cookie": f"{client.server.cookie}={client.server.token}"}
    _, content = client.ask("GET", f"{run}/output/parts.zip", headers=cookie)
    assert sorted(zipfile.ZipFile(BytesIO(content)).namelist()) == [f"fold-{number}.tsv" for number in (1, 2, 3, 4)]
    assert "random, 4 folds" in client.get(f"{version}/splits")
    run_id = run.rpartition("/")[2]
    assert run_id in client.get(f"{version}/tools/compare")


def test_deleting_a_dataset_ends_its_runs_quietly(client, version, capfd):
    copy = client.post(f"{version}/again")
    run = client.post(f"{copy}/tools/train")
    client.post(f"{copy}/delete")
    client.get(run, status=404)
    assert not client.server.tool_runs._processes
    assert "Traceback" not in capfd.readouterr().err


def test_a_run_whose_folder_is_gone_ends_quietly(tmp_path, capfd):
    runs, run = ToolRuns(), create_run(VersionStore(tmp_path).create())
    with runs._turn:  # the run waits
        runs.start(run, "train", [(describe_tools()[0], [])])
        shutil.rmtree(run.folder)
    until = time.monotonic() + 60
    while runs._processes and time.monotonic() < until:
        time.sleep(0.01)
    assert "Traceback" not in capfd.readouterr().err


def test_run_is_stopped_at_once(client, version):
    run = client.post(f"{version}/tools/train", repeats="50", splits="all")
    start = time.monotonic()
    client.post(f"{run}/stop")
    while '"running"' in client.get(f"{run}/state"):
        assert time.monotonic() - start < 60
        time.sleep(0.05)
    assert 'class="badge warning">stopped' in client.get(run)
