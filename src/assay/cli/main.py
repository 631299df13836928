"""The `assay` command: find a subcommand, load it, and turn errors into one line and an exit status."""

from __future__ import annotations

import os
import sys
import traceback
from importlib import import_module

import click

from assay import __version__
from assay.base.errors import (
    EXIT_UNEXPECTED,
    MAX_MESSAGE,
    AssayError,
    UsageError,
    describe_bug,
    name_flag,
    shorten,
    unknown_name,
)
from assay.cli.interrupts import catch_termination, get_interrupt_status
from assay.cli.paths import Verb
from assay.system.processes import obey_parent, secure_environment
from assay.system.terminal import guard_streams

TRACEBACK = "ASSAY_TRACEBACK"  # environment variable
# Subcommands by topic, with one line of help. A module is loaded only when its subcommand is called.
TOPICS = {
    "Data": {
        "profile": "Describe a dataset: labels, lengths, words, duplicates, leaks, features.",
        "split": "Make folds, or train, dev and test parts, by any method.",
        "compare": "Compare the parts of one or several splits.",
        "contamination": "Find the items that are in a training corpus, verbatim or with a few words changed.",
        "convert": "Write the items and answers of harness logs as data and predictions.",
    },
    "Labels": {
        "suspects": "Find items whose gold label is probably wrong, with reasons and a suggested label.",
        "review plan": "Draw items for people to review, with known probabilities.",
        "review estimate": "Estimate the number of bad items and corrected scores from a review.",
        "repair": "Correct or drop bad items, and log every change.",
        "difficulty": "Find obvious and non-obvious items, and score systems on each.",
        "information": "Measure how much information about the labels is left beyond shortcuts, in nats.",
    },
    "Systems": {
        "evaluate": "Score predictions with intervals, by fold, difficulty, time or slice, and compare systems.",
        "responses": "Read all responses to find where points are lost, and score them as graded and as read.",
        "train": "Fit models under a split and write their predictions.",
        "discriminate": "Measure which datasets tell systems apart, and which ranks are certain.",
        "decide": "Decide whether a system is better or worse than another, or not worse; a gate for CI.",
        "judges": "Measure how well judges agree with gold verdicts and with each other, and their biases.",
    },
    "Benchmark": {
        "audit": "Run all checks that apply: findings, a report, and a proposal for every item.",
        "diff": "Show what changed between two audits.",
        "checklist": "Fill in a checklist for a paper from an audit: what is shown, and what is missing.",
        "watch": "Audit a folder of logs whenever a run of a harness has finished, and print a few lines.",
        "forecast": "Predict from the data alone how well a dataset will tell systems apart.",
    },
    "Tools": {
        "demo": "Audit bundled real data and write a report.",
        "serve": "Serve a local web page: drop files, read the findings, repair the items.",
        "methods": "List all methods, models, metrics and formats.",
        "skill": "Print or install the instructions for coding agents (SKILL.md).",
        "doctor": "Show what is installed and works: extras, GPU, cache, plugins.",
    },
}
# The module and the line of help of each subcommand.
VERBS = {
    name: (f"assay.cli.commands.{topic.lower()}.{name.split()[0]}", line)
    for topic, verbs in TOPICS.items()
    for name, line in verbs.items()
}


class Verbs(click.Group):
    """A group that imports a subcommand when it is called, so that `assay --help` is fast."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002, click's signature
        """Return the subcommands in the order of the help."""
        return list(VERBS)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Take two words for one subcommand, such as `review plan`."""
        words = " ".join(args[:2])
        if words in VERBS and len(args) > 1:
            return words, self.get_command(ctx, words), args[2:]
        return super().resolve_command(ctx, args)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command:  # noqa: ARG002, click's signature
        """Load a subcommand; it has the same name, or its last word, in its module."""
        longer = [name for name in VERBS if name.startswith(f"{cmd_name} ")]
        if longer:
            raise click.UsageError(f"Choose one of: {', '.join(f'assay {name}' for name in longer)}.")
        if cmd_name not in VERBS:
            raise click.UsageError(str(unknown_name("command", cmd_name, VERBS)))
        command = getattr(import_module(VERBS[cmd_name][0]), cmd_name.rpartition(" ")[2])
        assert isinstance(command, Verb)  # which never overwrites its inputs
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        """List the subcommands by topic without loading them."""
        width = max(map(len, VERBS))
        for topic, verbs in TOPICS.items():
            with formatter.section(topic):
                formatter.write_dl([(name.ljust(width), line) for name, line in verbs.items()])


@click.group(
    cls=Verbs,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(__version__, prog_name="assay")
@click.pass_context
def assay(context: click.Context) -> None:
    """Tell how far a text benchmark can be trusted.

    Start with `assay demo`, or `assay audit DATA -o report.html`. `assay COMMAND --help` lists the options of a command.
    """
    if context.invoked_subcommand is None:
        click.echo(context.get_help())


def main(arguments: list[str] | None = None) -> None:
    """Run the command line and exit.

    0 is success, 1 an error the user can fix, 2 usage, 70 a bug, 130 Ctrl-C and 143 SIGTERM.
    """
    secure_environment(os.environ)
    obey_parent()
    catch_termination()
    sys.exit(status(arguments))


def status(arguments: list[str] | None = None) -> int:
    """Run the command line and return its exit status."""
    with guard_streams():
        return _run(arguments)


def _run(arguments: list[str] | None) -> int:
    """Run the command line; every error becomes one line."""
    try:
        # With colours on, click passes control characters on to the guarded streams, which make them visible.
        code = assay.main(args=arguments, standalone_mode=False, color=True)
        sys.stdout.flush()
        return code if isinstance(code, int) else 0  # click returns the status of ctx.exit
    except click.exceptions.Exit as request:
        return request.exit_code
    except click.ClickException as error:
        message = error.format_message()
        _print_error(shorten(message)) if len(message) > MAX_MESSAGE else error.show()
        return error.exit_code
    except AssayError as error:
        _print_error(error.phrase(name_flag))
        return 2 if isinstance(error, UsageError) else 1
    except (KeyboardInterrupt, click.Abort) as error:
        if isinstance(error.__cause__, EOFError):  # click takes the end of a damaged file for the end of its input
            _print_error("a file ends too early: it is cut off or damaged.")
            return 1
        sys.stderr.write("Interrupted.\n")
        return get_interrupt_status()
    except OSError as error:  # a full disk, a deleted file: a traceback would not help
        _print_error(shorten(f"{error.filename or 'The system'}: {error.strerror or error}."))
        return 1
    except SystemExit:
        raise
    except BaseException as error:  # a panic of polars is not an Exception
        return _report_bug(error)


def _report_bug(error: BaseException) -> int:
    """Print one line on an unexpected error, or its traceback if that is asked for, and return the exit status."""
    is_asked = bool(os.environ.get(TRACEBACK))
    if is_asked:
        traceback.print_exception(error)
    _print_error(describe_bug(error) + ("" if is_asked else f" {TRACEBACK}=1 shows the traceback."))
    return EXIT_UNEXPECTED


def _print_error(message: str) -> None:
    sys.stderr.write(f"Error: {' '.join(message.splitlines())}\n")
