"""Logs that inspect writes now: the states that are counted are those that were planted."""

from __future__ import annotations

from collections import Counter

import pytest

import assay

inspect_ai = pytest.importorskip("inspect_ai", reason="needs inspect_ai to write fresh logs")
pytestmark = pytest.mark.filterwarnings("ignore")  # warnings of the harness are its own
MODEL = "mockllm/model"


def write_output(text, stop="stop"):
    from inspect_ai.model import ModelOutput, ModelUsage

    output = ModelOutput.from_content(MODEL, text, stop_reason=stop)
    output.usage = ModelUsage(input_tokens=10, output_tokens=50, total_tokens=60)  # counting tokens needs a download
    return output


def call_tool(name, number, **arguments):
    from inspect_ai.model import ModelOutput, ModelUsage

    output = ModelOutput.for_tool_call(MODEL, name, arguments, tool_call_id=f"call-{number}")
    output.usage = ModelUsage(input_tokens=10, output_tokens=5, total_tokens=15)
    return output


def run_task(folder, samples, outputs, **options):
    from inspect_ai import Task
    from inspect_ai.dataset import MemoryDataset
    from inspect_ai.model import get_model

    own = {name: options.pop(name) for name in ("solver", "scorer", "token_limit", "message_limit") if name in options}
    task = Task(name="planted", dataset=MemoryDataset(samples), **own)
    inspect_ai.eval(
        task,
        model=get_model(MODEL, custom_outputs=outputs),
        log_dir=str(folder),
        display="none",
        max_samples=1,
        fail_on_error=False,
        **options,
    )


def test_states_of_options_are_those_that_were_planted(tmp_path):
    from inspect_ai.dataset import Sample
    from inspect_ai.scorer import choice
    from inspect_ai.solver import multiple_choice

    outputs = [
        *[write_output("ANSWER: B")] * 3,
        *[write_output("Let me think. We add the numbers and get", "max_tokens")] * 2,
        write_output("I'm sorry, but I can't help with that request.", "content_filter"),
        write_output("The answer is (B)."),
        write_output("Adding gives it. The correct option is B."),
        write_output("It is so. " * 60, "max_tokens"),
        *[write_output("ANSWER: A")] * 2,
        write_output(""),
    ]
    samples = [
        Sample(id=n + 1, input=f"What is {n} + {n}?", choices=[str(2 * n + d) for d in (1, 0, 2)], target="B")
        for n in range(len(outputs))
    ]
    run_task(tmp_path, samples, outputs, solver=multiple_choice(), scorer=choice())
    result = assay.audit_responses(tmp_path)
    (row,) = result.systems
    assert row.states == {"complete": 7, "truncated": 2, "refusal": 1, "looping": 1, "empty": 1}
    assert (row.n, row.recovered, row.contradicted, row.invented) == (12, 2, 0, 0)
    assert row.graded.value == 3 / 12
    assert row.read.value == 5 / 12
    assert row.complete_only.value == 5 / 7


def test_limits_errors_and_retries_are_those_that_were_planted(tmp_path):
    from inspect_ai.dataset import Sample
    from inspect_ai.scorer import match
    from inspect_ai.solver import generate, solver

    failures = Counter()

    @solver
    def break_down():
        async def solve(state, generate):
            failures[state.sample_id] += 1
            if state.sample_id == "broken" or (state.sample_id == "retried" and failures["retried"] == 1):
                raise RuntimeError("the connection was reset")
            return await generate(state)

        return solve

    samples = [Sample(id=name, input=f"Say yes, {name}.", target="yes") for name in ("fine", "broken", "retried")]
    outputs = [write_output("Yes")] * 10
    run_task(tmp_path / "a", samples, outputs, solver=break_down(), scorer=match(), retry_on_error=1)
    (row,) = assay.audit_responses(tmp_path / "a").systems
    assert row.states == {"complete": 2, "error": 1}
    assert row.graded.value == 1
    samples = [Sample(id=n, input=f"Talk for long {n}.", target="yes") for n in range(3)]
    steps = [generate(), generate(), generate()]
    run_task(tmp_path / "b", samples, [write_output("word " * 9)] * 20, solver=steps, scorer=match(), token_limit=100)
    result = assay.audit_responses(tmp_path / "b")
    assert result.systems[0].states == {"limit": 3}
    assert result.uniform == ("",)


def test_trials_of_an_agent_are_counted(tmp_path):
    from inspect_ai.dataset import Sample
    from inspect_ai.scorer import includes
    from inspect_ai.solver import solver
    from inspect_ai.tool import ToolError, tool

    @tool
    def lookup():
        async def execute(key: str) -> str:
            """Look up a key.

            Args:
                key: The key.
            """
            if key == "bad":
                raise ToolError("there is no such key")
            return f"value of {key}"

        return execute

    @solver
    def act():
        from inspect_ai.model import execute_tools, get_model

        async def solve(state, generate):
            while True:
                state.output = await get_model().generate(state.messages, tools=[lookup()])
                state.messages.append(state.output.message)
                if not state.output.message.tool_calls:
                    return state
                state.messages += (await execute_tools(state.messages, [lookup()])).messages

        return solve

    samples = [Sample(id=f"t{n}", input=f"Find k{n}.", target=f"value of k{n}") for n in range(3)]
    outputs = [
        *(call_tool("lookup", 1, key="k0"), write_output("It is the value of k0.")),
        *(call_tool("lookup", 2, key="bad"), call_tool("lookup", 3, key="k1"), call_tool("lookup", 4, key="k1")),
        *(write_output("It is the value of k1."), write_output("I do not know it.")),
    ]
    run_task(tmp_path, samples, outputs, solver=act(), scorer=includes())
    result = assay.audit_responses(tmp_path)
    (agent,) = result.agents
    assert (agent.trials, agent.tool_errors, agent.repeated_calls) == (3, 1, 1)
    assert {row.tool_calls for row in result.trials} == {0, 1, 3}
    assert all(row.tokens > 0 for row in result.trials)
    assert agent.score.value == pytest.approx(2 / 3)


def test_limits_of_messages_and_time_are_those_that_were_planted(tmp_path):
    import anyio
    from inspect_ai.dataset import Sample
    from inspect_ai.scorer import includes
    from inspect_ai.solver import generate, solver

    @solver
    def wait():
        async def solve(state, generate):
            if state.sample_id == "slow":
                await anyio.sleep(30)
            return await generate(state)

        return solve

    samples = [Sample(id=f"s{n}", input=f"Talk {n}.", target="yes") for n in range(4)]
    steps = [generate(), generate(), generate()]
    run_task(tmp_path / "a", samples, [write_output("yes")] * 20, solver=steps, scorer=includes(), message_limit=3)
    result = assay.audit_responses(tmp_path / "a")
    assert result.systems[0].states == {"limit": 4}
    samples = [Sample(id=name, input=f"Say yes, {name}.", target="yes") for name in ("fast", "slow", "quick")]
    run_task(tmp_path / "b", samples, [write_output("yes")] * 9, solver=wait(), scorer=includes(), time_limit=1)
    assert assay.audit_responses(tmp_path / "b").systems[0].states == {"complete": 2, "limit": 1}


def test_converted_logs_give_the_same_states(tmp_path):
    from inspect_ai.dataset import Sample
    from inspect_ai.scorer import match
    from inspect_ai.solver import generate

    outputs = [
        *[write_output("The answer is 7.")] * 3,
        *[write_output("First we take the 7 and", "max_tokens")] * 2,
        write_output("", "content_filter"),
        write_output("It is so. " * 60, "max_tokens"),
    ]
    samples = [Sample(id=n, input=f"How many, {n}?", target="7") for n in range(len(outputs))]
    run_task(tmp_path / "logs", samples, outputs, solver=generate(), scorer=match(numeric=True))
    logs = assay.audit_responses(tmp_path / "logs")
    assert logs.systems[0].states == {"complete": 3, "truncated": 2, "refusal": 1, "looping": 1}
    assay.convert(tmp_path / "logs", tmp_path / "files")
    files = assay.audit_responses(tmp_path / "files" / "data.parquet", tmp_path / "files" / "responses.parquet")
    assert files.systems[0].states == logs.systems[0].states
    assert files.systems[0].graded == logs.systems[0].graded
