"""Tasks on Ray: results as they are finished, and errors as they were raised; with a Ray that runs in this process."""

from __future__ import annotations

import sys
from types import SimpleNamespace

import pytest

from assay.base.errors import AssayError
from assay.tasks import Shared, reduce_tasks, run_tasks


class RayTaskError(Exception):
    def __init__(self, cause):
        super().__init__("the task failed")
        self.cause = cause


class Reference:
    def __init__(self, compute):
        self.compute = compute


def resolve(value):
    return value.compute() if isinstance(value, Reference) else value


def make_ray(*, answers: bool = True):
    """Return a module with the few functions of Ray that are used; the last task is finished first."""
    state = {"running": False}

    def init(*, job_config, **_options):
        if not answers:
            raise ConnectionError("no cluster")
        job_config._py_driver_sys_path.extend(["the working folder", "the folder of the script"])
        assert not job_config._py_driver_sys_path
        state["running"] = True

    def get(call):
        try:
            return resolve(call)
        except Exception as error:
            raise RayTaskError(error) from error

    return SimpleNamespace(
        is_initialized=lambda: state["running"],
        init=init,
        job_config=SimpleNamespace(JobConfig=SimpleNamespace),
        shutdown=lambda: state.update(running=False),
        put=lambda value: Reference(lambda: value),
        remote=lambda function: SimpleNamespace(remote=lambda *task: Reference(lambda: function(*map(resolve, task)))),
        wait=lambda pending, num_returns, fetch_local: (pending[-num_returns:], pending[:-num_returns]),
        get=get,
        exceptions=SimpleNamespace(RayTaskError=RayTaskError),
    )


def refuse(number):
    if number == 2:
        raise AssayError("two is refused")
    return number


def test_results_are_in_the_order_of_the_tasks_and_kept(monkeypatch, tmp_path):
    monkeypatch.setitem(sys.modules, "ray", make_ray())
    assert run_tasks(max, [(1, 2), (4, 3), (5, 6)], backend="ray=auto", cache=tmp_path) == [2, 4, 6]
    monkeypatch.setitem(sys.modules, "ray", make_ray(answers=False))
    assert run_tasks(max, [(1, 2), (4, 3), (5, 6)], backend="ray=auto", cache=tmp_path) == [2, 4, 6]


def test_an_error_is_raised_as_it_was_on_the_worker(monkeypatch):
    monkeypatch.setitem(sys.modules, "ray", make_ray())
    with pytest.raises(AssayError, match="two is refused"):
        run_tasks(refuse, [(1,), (2,)], backend="ray=auto")
    assert not sys.modules["ray"].is_initialized()


def test_a_cluster_that_does_not_answer_is_one_line(monkeypatch):
    monkeypatch.setitem(sys.modules, "ray", make_ray(answers=False))
    with pytest.raises(AssayError, match=r"No Ray cluster answers at 10\.0\.0\.1:6379"):
        run_tasks(max, [(1, 2)], backend="ray=10.0.0.1:6379")


def list_number(number, words):
    return [words[number]]


def concatenate(parts):
    return [value for part in parts for value in part]


def test_workers_merge_in_the_order_of_the_tasks_and_keep_what_is_finished(monkeypatch, tmp_path):
    words = Shared([f"word {number}" for number in range(40)])
    tasks = [(number, words) for number in range(40)]
    monkeypatch.setitem(sys.modules, "ray", make_ray())
    assert reduce_tasks(list_number, tasks, concatenate, backend="ray=auto", cache=tmp_path) == words.value
    assert len(list(tmp_path.rglob("*.entry"))) == 40
    assert reduce_tasks(list_number, tasks, concatenate, cache=tmp_path) == words.value
    with pytest.raises(AssayError, match="two is refused"):
        reduce_tasks(refuse, [(number,) for number in range(4)], concatenate, backend="ray=auto")
