"""Options that mean the same in every command."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import wraps
from typing import TYPE_CHECKING, Any, TypeVar

import click
from click.core import ParameterSource

from assay.base.errors import UsageError
from assay.base.parameters import Options
from assay.cli.paths import INPUT, OUTPUT
from assay.cli.results import table_options
from assay.kinds import KINDS
from assay.kinds.recognition import NoTextError

if TYPE_CHECKING:
    from assay.data import Dataset
    from assay.features.out_of_core.sources import ShardedData
    from assay.kinds import TaskData

TABLES = ("scores", "votes", "verdicts")  # what an audit also takes as DATA
MAX_SEED = 2**32 - 1  # of numpy and scikit-learn
Command = TypeVar("Command", bound=Callable[..., Any])


def choice_option(flag: str, choices: Sequence[str], help_text: str) -> Callable[[Command], Command]:
    """Return an option that takes one of some words, the first by default."""
    return click.option(flag, type=click.Choice(choices), default=choices[0], show_default=True, help=help_text)


def number_option(
    flag: str,
    default: float,
    help_text: str,
    *,
    at_least: float | None = None,
    at_most: float | None = None,
    metavar: str | None = None,
) -> Callable[[Command], Command]:
    """Return an option that takes a number, an integer if the default is one."""
    kind = click.IntRange if isinstance(default, int) else click.FloatRange
    is_free = at_least is None and at_most is None
    number = type(default) if is_free else kind(at_least, at_most)  # type: ignore[arg-type]  # integers for IntRange
    return click.option(flag, type=number, default=default, show_default=True, metavar=metavar, help=help_text)


_TASK = choice_option("--task", ["auto", *KINDS], "Kind of task; auto recognises it by the columns.")
_ROLES = [
    _TASK,
    click.option("--text", multiple=True, metavar="COLUMN", help="Text column; give it twice for pairs."),
    click.option(
        "--label", multiple=True, metavar="COLUMN", help="Label column; several columns of 0 and 1 for multilabel."
    ),
    click.option(
        "--choices", multiple=True, metavar="COLUMN", help="Options of multiple choice: a list, or one column each."
    ),
    click.option("--label-separator", metavar="TEXT", help="Separator of the labels within a cell."),
    click.option("--id", "id_", metavar="COLUMN", help="Id column; without one, ids are row numbers from 0."),
    click.option("--split", metavar="COLUMN", help="Column that names each row's part (train, dev, test)."),
    click.option("--time", metavar="COLUMN", help="Column with dates."),
    click.option("--group", metavar="COLUMN", help="Column with groups that belong together."),
]
strict_option = click.option(
    "--strict", is_flag=True, help="Stop at a log that cannot be read, instead of skipping it."
)
_READING = [
    click.option("--train", type=INPUT, metavar="FILE", help="File with the training part."),
    click.option("--dev", type=INPUT, metavar="FILE", help="File with the development part."),
    click.option("--test", type=INPUT, metavar="FILE", help="File with the test part."),
    click.option("--sample", type=click.IntRange(min=1), metavar="N", help="Use a random sample of N rows."),
    click.option("--encoding", default="utf-8", show_default=True, help="Encoding of text files."),
    click.option(
        "--quoting", type=click.Choice(["auto", "none", "double"]), default="auto", help="How TSV cells are quoted."
    ),
    choice_option("--missing", ["keep", "drop", "error"], "What to do with rows whose text or label is missing."),
    click.option("--log-task", metavar="NAME", help="Task of logs that have several, or a pattern such as 'mmlu_*'."),
    strict_option,
]


def task_option(command: Command) -> Command:
    """Add --task."""
    return _TASK(command)


def data_options(
    command: Command,
    *,
    optional: bool = False,
    take_tables: bool = False,
    take_shards: Sequence[str] = (),
    take_tasks: bool = False,
    pass_on: Sequence[str] = (),
    replaces_texts: Sequence[str] = (),
) -> Command:
    """Add DATA and its roles; the command receives a `Dataset` as `data`, or None if DATA is optional.

    With `take_tables` DATA may be a table of scores, votes or verdicts, which the command receives as the option of that
    name. Of the tasks in `take_shards`, the option `out_of_core` leaves the data in its files: the command receives a
    `ShardedData`. With `take_tasks` DATA may be logs of several tasks, which the command receives as the option `tasks`
    (else None). DATA of a kind in `pass_on` (such as scores) is received as it was given. With one of the options in
    `replaces_texts`, data needs no texts.
    """

    @wraps(command)
    def with_data(**options: Any) -> None:
        source = options.pop("source")
        roles = {name: options.pop(name) for name in ("task", "split", "time", "group", "label_separator")}
        roles |= {name: list(options.pop(name)) or None for name in ("label", "choices")}
        reading = {name: options.pop(name) for name in ("train", "dev", "test", "sample", "encoding", "quoting")}
        reading |= {name: options.pop(name) for name in ("log_task", "strict")}
        others = {
            "text": list(options.pop("text")) or None,
            "id": options.pop("id_"),
            "missing": options.pop("missing"),
        }
        options |= {"tasks": None} if take_tasks else {}
        has_parts = any(reading[name] for name in ("train", "dev", "test"))
        if optional and source is None and not has_parts:
            return command(data=None, **options)
        kind = _recognize(source, reading["encoding"]) if take_tables or take_tasks or pass_on else None
        if kind in pass_on and not others["text"] and not has_parts:
            return command(data=source, **options)
        if take_tables and kind in TABLES and not others["text"] and not has_parts and options[kind] is None:
            return command(data=None, **options | {kind: source})
        if take_shards and options["out_of_core"]:
            return command(data=_find_shards(source, take_shards, reading, **others, **roles), **options)
        arguments = {"random_state": options.get("seed", 0), **others, **roles, **reading}
        if take_tasks and kind == "logs" and reading["log_task"] is None and not has_parts:
            tasks = _read_tasks(source, arguments)
            if len(tasks.tasks) + len(tasks.left_out) > 1:
                return command(data=None, **options | {"tasks": tasks})
            return command(data=tasks.tasks[0], **options)
        try:
            return command(data=_read(source, **arguments), **options)
        except NoTextError:
            if others["text"] or not any(options[name] for name in replaces_texts):
                raise
            return command(data=_read(source, **arguments | {"text": ["none"]}), **options)

    for option in reversed(_ROLES + _READING):
        with_data = option(with_data)
    return click.argument("source", type=INPUT, metavar="DATA", required=False)(with_data)  # type: ignore[return-value]


def shard_options(command: Command) -> Command:
    """Add --out-of-core and --cache."""
    options = [
        click.option("--out-of-core", is_flag=True, help="Read the shards of a folder or glob one at a time."),
        click.option(
            "--cache",
            metavar="DIR",
            help="With --out-of-core: folder for finished shards, on a disk that all workers share.",
        ),
    ]
    for option in reversed(options):
        command = option(command)
    return command


def json_option(command: Command) -> Command:
    """Add --json."""
    help_text = "Write the whole result as JSON; '-' for standard output."
    return click.option("--json", "json_", type=OUTPUT, metavar="FILE", help=help_text)(command)


def result_options(command: Command) -> Command:
    """Add --json, --csv, --markdown, --latex and --seed."""
    seed = click.IntRange(0, MAX_SEED)
    command = click.option("--seed", type=seed, default=0, show_default=True, help="Random seed.")(command)
    return json_option(table_options(command))


def output_options(command: Command, *, jobs: int = 1) -> Command:
    """Add --json, --seed, --jobs (with another default for slow commands) and --backend."""
    options = [
        click.option(
            "--jobs",
            "n_jobs",
            type=int,
            default=jobs,
            show_default=True,
            metavar="N",
            callback=_check_jobs,
            help="Number of processes; -1 means all cores.",
        ),
        click.option(
            "--backend",
            metavar="NAME",
            callback=_check_backend,
            help="Where tasks run: a joblib backend, dask=tcp://host:port, or ray=auto.",
        ),
    ]
    for option in reversed(options):
        command = option(command)
    return result_options(command)


def _check_jobs(_context: click.Context, _option: click.Parameter, jobs: int) -> int:
    if jobs == 0:
        raise UsageError("--jobs is 0; it must be a number of processes, or -1 for all cores.")
    return jobs


def _check_backend(_context: click.Context, _option: click.Parameter, backend: str | None) -> str | None:
    if backend is not None:
        from assay.tasks.running import check_backend

        check_backend(backend)
    return backend


def refuse_unused(names: Iterable[str], hint: str) -> None:
    """Refuse options of the running command that were given on the command line but would have no effect."""
    context = click.get_current_context(silent=True)
    if context is None:
        return
    for name in names:
        if context.get_parameter_source(name) in (ParameterSource.COMMANDLINE, ParameterSource.DEFAULT_MAP):
            option = next(option for option in context.command.params if option.name == name)
            raise UsageError(f"{max(option.opts, key=len)} has no effect here.", hint=hint)


def tokenizer_option(command: Command) -> Command:
    """Add --tokenizer."""
    return click.option("--tokenizer", default="words", show_default=True, help="How texts become words.")(command)


def settings_option(command: Command) -> Command:
    """Add -s NAME=VALUE, read into a dict of Python values called `settings`."""

    def parse(_context: click.Context, _option: click.Parameter, pairs: tuple[str, ...]) -> Options:
        return dict(parse_setting(pair) for pair in pairs)

    option = click.option(
        "-s", "settings", multiple=True, metavar="NAME=VALUE", callback=parse, help="A parameter of the method."
    )
    return option(command)


def parse_setting(pair: str) -> tuple[str, Any]:
    """Read NAME=VALUE; numbers, true, false and other JSON values are converted, the rest is text.

    >>> parse_setting("n_init=8"), parse_setting("metric=cosine"), parse_setting("label_control=true")
    (('n_init', 8), ('metric', 'cosine'), ('label_control', True))
    """
    import json

    name, equals, value = pair.partition("=")
    if not equals or not name:
        raise click.BadParameter(f"'{pair}' is not NAME=VALUE.")
    try:
        return name.replace("-", "_"), json.loads(value)
    except (ValueError, RecursionError):  # a ValueError also for a number of thousands of digits
        return name.replace("-", "_"), value


def _recognize(source: str | None, encoding: str) -> str | None:
    from assay.inputs import recognize

    return None if source is None else recognize(source, encoding=encoding).value


def _read_tasks(source: str, arguments: Options) -> TaskData:
    """Read every task of logs and print what was recognised, each note once."""
    from assay.cli.output import say
    from assay.kinds import read_tasks

    tasks = read_tasks(source, **arguments)
    for note in dict.fromkeys(note for data in tasks.tasks for note in data.notes):
        say(note)
    return tasks


def _read(source: str | None, **options: Any) -> Dataset:
    from assay.cli.output import say
    from assay.kinds import read

    data = read(source, **options)
    for note in data.notes:
        say(note)
    return data


def _find_shards(
    source: str | None, tasks: Sequence[str], reading: Options, *, missing: str, **columns: Any
) -> ShardedData:
    from assay.features.out_of_core.sources import find_shards

    named = [name for name in ("train", "dev", "test", "sample", "log_task") if reading[name] is not None]
    if source is None or named or missing != "keep":
        raise UsageError("takes a folder or a glob of shards as DATA, all rows of it", option="out_of_core")
    task = columns.pop("task")
    settings = {name: reading[name] for name in ("encoding", "quoting")}
    return find_shards(source, tasks=tasks, **columns, **settings, **({} if task == "auto" else {"task": task}))


def sign_options(options: Options, names: Iterable[str]) -> Options:
    """Return the options that decide the numbers of a result, several values as one text."""
    values = {name: options[name] for name in names}
    return {name: ",".join(value) or None if isinstance(value, tuple) else value for name, value in values.items()}
