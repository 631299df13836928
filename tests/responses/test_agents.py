"""Trials of agents: the facts of tau-bench's airline tasks, and trajectories in ATIF."""

from __future__ import annotations

import csv
import gzip
import json
from collections import Counter

import pytest

import assay
from assay.responses.agents import IDLE, NEVER, SOMETIMES
from assay.responses.view import show_systems


@pytest.fixture(scope="module")
def airline(shared):
    return assay.audit_responses(shared("tau_airline/trajectories.jsonl.gz"))


def read_fixes(shared):
    with gzip.open(shared("tau_airline/tasks.tsv.gz"), "rt", encoding="utf-8") as file:
        return {row["id"]: bool(row["fixed_later"]) for row in csv.DictReader(file, delimiter="\t")}


def test_the_facts_of_the_source_are_reproduced(airline, shared):
    (agent,) = airline.agents
    assert agent.trials == 200
    assert agent.score.value == pytest.approx(0.420)
    assert round(agent.messages, 1) == 26.5
    assert agent.transfers == 48
    successes = Counter()
    for row in airline.trials:
        successes[row.id] += int(row.score)
    assert Counter(successes[row.id] for row in airline.trials) == {0: 56, 1: 48, 2: 40, 3: 16, 4: 40}
    assert agent.pass_all[0].value == pytest.approx(0.420)
    assert agent.pass_all[3].value == pytest.approx(10 / 50)
    fixed = read_fixes(shared)
    rewards = {
        repaired: [row.score for row in airline.trials if fixed[row.id] is repaired] for repaired in (True, False)
    }
    assert [round(sum(scores) / len(scores), 3) for scores in rewards.values()] == [0.362, 0.5]


def test_tables_without_extracted_answers_have_no_columns_of_lost_answers(airline):
    (systems, *_) = show_systems(airline)
    assert systems.headings == ["system", "responses", "as graded", "as read", "complete only"]


def test_candidate_tasks_are_compared_with_later_fixes(airline, shared):
    fixed = read_fixes(shared)
    counts = Counter((task.reason, fixed[task.id]) for task in airline.candidates)
    assert counts[NEVER, True] == 10
    assert counts[NEVER, False] == 4
    assert {task.reason for task in airline.candidates} == {NEVER, IDLE, SOMETIMES}
    assert all(task.successes > 0 for task in airline.candidates if task.reason == IDLE)


def make_trajectory(folder, reward, *, calls=(), exception=None):
    steps = [{"step_id": 1, "source": "user", "message": "Create the file."}]
    for name, result in calls:
        call = {"tool_call_id": "c", "function_name": name, "arguments": {}}
        observation = {"results": [{"source_call_id": "c", "content": result}]}
        steps.append({"source": "agent", "message": "", "tool_calls": [call], "observation": observation})
    steps.append({"source": "agent", "message": "It is done.", "metrics": {"prompt_tokens": 9, "completion_tokens": 1}})
    agent = {"name": "agent", "version": "1", "model_name": "model"}
    content = {"schema_version": "ATIF-v1.4", "session_id": "s", "agent": agent, "steps": steps}
    (folder / "agent").mkdir(parents=True)
    (folder / "agent" / "trajectory.json").write_text(json.dumps(content))
    result = {"task_name": folder.name.split("__")[0], "verifier_result": {"rewards": {"reward": reward}}}
    (folder / "result.json").write_text(json.dumps(result | ({"exception_info": exception} if exception else {})))


def test_trajectories_in_atif_are_read(tmp_path):
    make_trajectory(tmp_path / "hello__1", 1.0, calls=[("ls", "a"), ("ls", "a")])
    make_trajectory(tmp_path / "hello__2", 0.0, calls=[("cat", "Error: none")])
    make_trajectory(tmp_path / "idle__1", 1.0)
    make_trajectory(tmp_path / "slow__1", 0.0, exception={"exception_type": "AgentTimeoutError"})
    result = assay.audit_responses(tmp_path)
    (agent,) = result.agents
    assert (agent.system, agent.trials, agent.tool_errors, agent.repeated_calls) == ("agent/model", 4, 1, 1)
    assert result.systems[0].states["limit"] == 1
    reasons = {task.id: task.reason for task in result.candidates}
    assert reasons == {"hello": SOMETIMES, "idle": IDLE, "slow": NEVER}
    assert agent.tokens == 10
