"""A folder with modules named like those that assay imports: none of them runs, whatever starts a process in it."""

from __future__ import annotations

import importlib.metadata
import json
import os
import socket
import subprocess
import sys
import tempfile
from contextlib import contextmanager

import pytest

from assay.cli.main import VERBS, assay

ROWS = [(f"i{n}", f"word{n} and word{n % 7} are {('good', 'bad')[n % 2]} in the end", "ab"[n % 2]) for n in range(30)]
SYSTEMS = {"one.tsv": 3, "two.tsv": 4, "three.tsv": 5}
PREDICTIONS = [word for name in SYSTEMS for word in ("--predictions", name)]
CASES = {
    "profile": ["shards", "--out-of-core", "--cache", "kept"],
    "split": ["data.tsv", "--method", "random", "--repeats", "2", "-o", "folds.tsv"],
    "compare": ["data.tsv", "folds.tsv"],
    "train": ["data.tsv", "-o", "predictions.tsv", "--no-cache"],
    "evaluate": ["data.tsv", *PREDICTIONS],
    "information": ["data.tsv"],
    "suspects": ["data.tsv", *PREDICTIONS],
    "contamination": ["data.tsv", "--corpus", "data.tsv"],
    "discriminate": ["--data", "data.tsv", *PREDICTIONS],
    "forecast": ["data.tsv"],
    "audit": ["data.tsv", "--only", "information", "--no-cache"],
}
SAME_AS_AUDIT = {"demo"}
ON_CLUSTERS = ("split", "evaluate", "information")  # a cluster is slow to start tasks
# The commands run in one process for each back end: workers and their trackers start once.
DRIVER = """
import json, sys
from assay.cli.main import status

backend, cases = sys.argv[1], json.loads(sys.argv[2])
if backend == "ray=local":
    import ray
    from assay.tasks.ray_cluster import connect
    connect(ray, backend.removeprefix("ray="))
for command, arguments in cases.items():
    if status([command, *arguments, "--jobs", "2", "--backend", backend]):
        sys.exit(f"{command} failed")
"""
DASK = """
import distributed, sys
settings = {"protocol": "tcp", "host": "127.0.0.1", "dashboard_address": None}
with distributed.LocalCluster(n_workers=1, threads_per_worker=2, processes=False, **settings) as cluster:
    print(cluster.scheduler_address, flush=True)
    sys.stdin.read()
"""


@pytest.fixture
def planted(tmp_path):
    """Make a folder with a small table and modules of every name that can be imported, which write `ran` when run."""
    folder = tmp_path / "download"
    (folder / "shards").mkdir(parents=True)
    ran = folder / "ran"
    names = {"assay", *sys.stdlib_module_names, *importlib.metadata.packages_distributions()}
    for name in filter(str.isidentifier, names):
        (folder / f"{name}.py").write_text(f"with open({str(ran)!r}, 'a') as file:\n    file.write({name!r} + '\\n')\n")
    table = "id\ttext\tlabel\n" + "".join("\t".join(row) + "\n" for row in ROWS)
    for name in ("data.tsv", "shards/1.tsv"):
        (folder / name).write_text(table)
    (folder / "shards" / "2.tsv").write_text(table.replace("\ni", "\nj"))
    for name, step in SYSTEMS.items():
        answers = [("b" if n % step == 0 else label) for n, (_, _, label) in enumerate(ROWS)]
        rows = "".join(f"{row[0]}\t{answer}\n" for row, answer in zip(ROWS, answers, strict=True))
        (folder / name).write_text("id\tprediction\n" + rows)
    return folder


@contextmanager
def start_ray(folder):
    """Start a Ray cluster of other processes than those of the test; return its address."""
    port = find_free_port()
    with tempfile.TemporaryDirectory(prefix="r") as files:  # short, as sockets are below it
        command = [sys.executable, "-P", "-m", "ray.scripts.scripts", "start", "--head", "--block", "--num-cpus", "2"]
        command += ["--node-ip-address", "127.0.0.1", "--port", str(port), "--temp-dir", files]
        command += ["--include-dashboard", "false", "--disable-usage-stats"]
        settings = {**os.environ, "RAY_AUTH_MODE": "disabled"}
        with subprocess.Popen(command, cwd=folder, env=settings, stdout=subprocess.PIPE, text=True) as started:
            assert any("Ray runtime started" in line for line in started.stdout)
            yield f"127.0.0.1:{port}"
            started.terminate()


def find_free_port():
    with socket.socket() as each:
        each.bind(("127.0.0.1", 0))
        return each.getsockname()[1]


@pytest.fixture
def cluster(request, tmp_path, monkeypatch):
    """Start what a back end connects to, in a folder of its own, and return the name of the back end."""
    if request.param == "ray=cluster":
        pytest.importorskip("ray")
        monkeypatch.setenv("RAY_AUTH_MODE", "disabled")
        with start_ray(tmp_path) as address:
            yield f"ray={address}"
        return
    if request.param != "dask":
        pytest.importorskip(request.param.partition("=")[0] if "=" in request.param else "joblib")
        yield request.param
        return
    pytest.importorskip("distributed")
    command = [sys.executable, "-P", "-c", DASK]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=tmp_path) as started:
        yield f"dask={started.stdout.readline().strip()}"
        started.stdin.close()


def run_python(folder, *arguments, **variables):
    """Run Python in a folder, from a script or a module; return how it ended."""
    environment = {name: value for name, value in os.environ.items() if name not in ("PYTHONSAFEPATH", "PYTHONPATH")}
    environment |= {"ASSAY_CACHE": str(folder.parent / "own"), **variables}
    command = [sys.executable, *map(str, arguments)]
    return subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, timeout=600, check=False
    )


def write_script(folder, code):
    """Write a script into a folder of its own next to this one."""
    (folder.parent / "scripts").mkdir()
    path = folder.parent / "scripts" / "script.py"
    path.write_text(code)
    return path


def check_nothing_ran(folder, done):
    assert not (folder / "ran").exists(), (folder / "ran").read_text()
    assert done.returncode == 0, done.stderr[-3000:]


def test_every_command_with_jobs_has_a_case():
    commands = {name for name in VERBS if any(each.name == "n_jobs" for each in assay.get_command(None, name).params)}
    assert commands == CASES.keys() | SAME_AS_AUDIT


@pytest.mark.slow
@pytest.mark.parametrize("cluster", ["processes", "threads", "dask", "ray=local", "ray=cluster"], indirect=True)
def test_no_command_runs_a_module_of_the_working_folder(planted, cluster):
    commands = ON_CLUSTERS if "=" in cluster else CASES
    commands = ("information",) if "=127" in cluster else commands
    cases = json.dumps({command: CASES[command] for command in commands})
    done = run_python(planted, write_script(planted, DRIVER), cluster, cases)
    check_nothing_ran(planted, done)


def test_python_m_runs_no_module_of_the_working_folder(planted):
    code = "import runpy, importlib.util, pkgutil, sys; print(*sys.modules)"
    for name in ("assay", *run_python(planted, "-P", "-c", code).stdout.split()):  # Python itself imports these first
        (planted / f"{name}.py").unlink(missing_ok=True)
    assert (planted / "click.py").exists()
    done = run_python(planted, "-m", "assay", "evaluate", *CASES["evaluate"], "--jobs", "2")
    check_nothing_ran(planted, done)


NOTEBOOK = """
import sys
import numpy, joblib, cloudpickle, assay.tasks
from assay.tasks import run_tasks

def describe(number):
    import sklearn, polars
    return number, sys.path

sys.path.insert(0, "")
own = list(sys.path)
for number, path in run_tasks(describe, [(1,), (2,)], n_jobs=2):
    assert "" not in path and sys.argv[1] not in path, path
assert sys.path == own
assert "PYTHONSAFEPATH" not in __import__("os").environ
"""


def test_workers_of_a_notebook_get_no_working_folder(planted):
    """A notebook has the working folder on its own import path; its workers have not."""
    done = run_python(planted, write_script(planted, NOTEBOOK), planted)
    check_nothing_ran(planted, done)


OWN_MODULE = """
import os, sys
sys.path.insert(0, os.getcwd())
import helper
from assay.tasks import run_tasks
print(run_tasks(helper.double, [(1,), (2,)], n_jobs=2))
"""


def test_functions_of_own_modules_are_sent_by_value(tmp_path):
    folder = tmp_path / "project"
    folder.mkdir()
    (folder / "helper.py").write_text("FACTOR = 2\n\ndef double(number):\n    return FACTOR * number\n")
    done = run_python(folder, write_script(folder, OWN_MODULE))
    assert done.stdout.strip() == "[2, 4]", done.stderr


OWN_SCRIPT = """
from assay.tasks import run_tasks

def double(number):
    return 2 * number

if __name__ == "__main__":
    print([run_tasks(double, [(1,), (2,)], n_jobs=2) for _ in range(2)])
"""


def test_a_script_in_the_working_folder_runs_tasks_again_and_again(tmp_path):
    """Its module is known under two names (`__main__`, `__mp_main__`), and its functions are sent by value once."""
    script = tmp_path / "script.py"
    script.write_text(OWN_SCRIPT)
    done = run_python(tmp_path, script)
    assert done.stdout.strip() == "[[2, 4], [2, 4]]", done.stderr


NUMBA = """
import sys
from assay.tasks import run_tasks
import assay.text.scanner.words

def read_settings():
    import assay.text.scanner.words
    from numba.core import config
    config.reload_config()
    return config.DISABLE_JIT, config.CACHE_DIR

print({read_settings(), *run_tasks(read_settings, [(), ()], n_jobs=2)})
"""


def test_settings_of_numba_in_the_working_folder_are_not_read(tmp_path):
    """They can name a folder of compiled functions, which are pickles."""
    folder = tmp_path / "download"
    folder.mkdir()
    (folder / ".numba_config.yaml").write_text("disable_jit: 1\ncache_dir: compiled\n")
    done = run_python(folder, write_script(folder, NUMBA))
    assert (done.stdout.strip(), done.stderr) == ("{(0, '')}", "")
