"""The `assay` command: finds a verb, loads it, and turns errors into one line and an exit status."""

from __future__ import annotations

import os
import sys
from importlib import import_module

import click

from assay import __version__
from assay.base.errors import AssayError, UsageError, name_flag, unknown_name
from assay.cli.paths import Verb

# Verb: (module of its command, one line of help). Modules load only when their verb is called.
VERBS = {
    "profile": ("assay.cli.profile", "Key figures of a dataset: labels, lengths, words, duplicates, leaks, features."),
    "evaluate": (
        "assay.cli.evaluate",
        "Scores with intervals, by fold, difficulty, time or slice; paired tests.",
    ),
    "split": ("assay.cli.split", "Folds, or train, dev and test, by any method, as an id file or as files."),
    "compare": ("assay.cli.compare", "How the parts of one or several splits differ."),
    "train": ("assay.cli.train", "Fit models under a split and write their predictions."),
    "difficulty": ("assay.cli.difficulty", "Obvious and non-obvious items, and how systems do on each."),
    "information": ("assay.cli.information", "What a dataset asks for beyond its shortcuts, in nats."),
    "suspects": ("assay.cli.suspects", "Items whose gold label is probably wrong, with reasons and a suggested label."),
    "repair": ("assay.cli.repair", "Correct or drop bad items; writes the data and a log of every change."),
    "discriminate": ("assay.cli.discriminate", "Which datasets still tell systems apart, and which ranks are real."),
    "forecast": ("assay.cli.forecast", "How far apart a dataset will set systems, predicted from the data alone."),
    "audit": ("assay.cli.audit", "All that applies: findings, one page, what to do with every item."),
    "serve": ("assay.cli.serve", "The local web page: drop a file, check its columns, read the report."),
    "diff": ("assay.cli.diff", "What changed between two audits."),
    "methods": ("assay.cli.methods", "Everything there is, by room."),
    "demo": ("assay.cli.demo", "The tour: an audit of bundled real data, with a report."),
}


class Verbs(click.Group):
    """A group whose commands are imported when called, so that `assay --help` is instant."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002, click's signature
        """Name the verbs in the order people meet them."""
        return list(VERBS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command:  # noqa: ARG002, click's signature
        """Load a verb's command, which stands in its module under the verb's name."""
        if cmd_name not in VERBS:
            raise click.UsageError(str(unknown_name("command", cmd_name, VERBS)))
        command = getattr(import_module(VERBS[cmd_name][0]), cmd_name)
        assert isinstance(command, Verb)  # which never writes over its inputs
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        """List the verbs without loading them."""
        with formatter.section("Commands"):
            formatter.write_dl([(verb, line) for verb, (_, line) in VERBS.items()])


@click.group(cls=Verbs, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, prog_name="assay")
def assay() -> None:
    """Tell how far a text benchmark can be trusted."""


def main(arguments: list[str] | None = None) -> None:
    """Run the command line and exit: 0, 1 for an error the user can mend, 2 for usage, 130 for Ctrl-C."""
    sys.exit(status(arguments))


def status(arguments: list[str] | None = None) -> int:
    """Run the command line and return its exit status."""
    try:
        answer = assay.main(args=arguments, standalone_mode=False)
        return answer if isinstance(answer, int) else 0  # click hands back the status of ctx.exit
    except click.exceptions.Exit as request:
        return request.exit_code
    except click.ClickException as error:
        error.show()
        return error.exit_code
    except AssayError as error:
        click.echo(f"Error: {error.phrase(name_flag)}", err=True)
        return 2 if isinstance(error, UsageError) else 1
    except (KeyboardInterrupt, click.Abort):
        click.echo("Interrupted.", err=True)
        return 130
    except BrokenPipeError:  # the reader of our output went away, as in `assay … | head`
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except OSError as error:  # a full disk, a file that vanished: nothing a traceback would explain
        click.echo(f"Error: {error.filename or 'The system'}: {error.strerror or error}.", err=True)
        return 1
