"""The hook of inspect, loaded by its entry point: after a run or an eval set, a short audit is printed.

It does nothing unless `ASSAY_INSPECT` is set, and imports none of assay's own packages: the audit is a process of its
own, so that nothing in it can stop or change the evaluation.
"""

from __future__ import annotations

import atexit
import os
import sys
from collections.abc import Sequence
from logging import getLogger
from urllib.parse import unquote, urlparse

import anyio
from inspect_ai.hooks import EvalSetEnd, Hooks, RunEnd, hooks

SWITCH = "ASSAY_INSPECT"  # 1: the logs of the run; folder: all logs in its folder
OFF, FOLDER = ("", "0", "no", "off", "false"), "folder"
BUDGET_MINUTES, MAX_SECONDS = "5", 900.0
logger = getLogger(__name__)


def is_on() -> bool:
    """Return whether the user has switched the hook on."""
    return os.environ.get(SWITCH, "").lower() not in OFF


class AuditAfterRun(Hooks):
    """Audit the logs of a run, or of the whole eval set, when it has ended."""

    def enabled(self) -> bool:
        """Return whether the user has switched the hook on."""
        return is_on()

    async def on_run_end(self, data: RunEnd) -> None:
        """Audit the logs of a run that belongs to no eval set."""
        if data.eval_set_id is None and data.logs:
            files = [find_local_path(log.location) for log in data.logs]
            is_folder = os.environ[SWITCH].lower() == FOLDER
            await print_audit([os.path.dirname(files[0])] if is_folder else files)  # noqa: PTH120, may be remote

    async def on_eval_set_end(self, data: EvalSetEnd) -> None:
        """Audit all logs of an eval set."""
        await print_audit([find_local_path(data.log_dir)])


def find_local_path(location: str) -> str:
    """Return the path of a log that inspect names by path or by URL; a remote one stays as it is.

    >>> find_local_path("file:///runs/my%20logs/quiz.eval"), find_local_path("logs/quiz.eval")
    ('/runs/my logs/quiz.eval', 'logs/quiz.eval')
    """
    url = urlparse(location)
    return unquote(url.path) if url.scheme == "file" else location


async def print_audit(logs: Sequence[str]) -> None:
    """Audit logs in a process of its own and print its lines; whatever goes wrong is one warning."""
    try:
        if any("://" in log for log in logs):
            raise ValueError("logs on remote storage are not audited; copy them and run assay watch --once FOLDER")
        command = [sys.executable, "-P", "-m", "assay", "watch", "--once", "--budget", BUDGET_MINUTES, *logs]
        with anyio.fail_after(MAX_SECONDS):
            done = await anyio.run_process(command, check=False)
        text = done.stdout.decode("utf-8", "replace")
        if done.returncode:
            lines = done.stderr.decode("utf-8", "replace").strip().splitlines()
            raise RuntimeError(lines[-1].removeprefix("Error: ") if lines else f"exit status {done.returncode}")
    except Exception as error:  # the evaluation goes on whatever happens here
        logger.warning("assay: the run was not audited: %s", str(error) or type(error).__name__)
        return
    show(text)


def show(text: str) -> None:
    """Print the lines, or keep them until the end of the process if inspect covers the whole screen."""
    from inspect_ai.util import display_type

    if display_type() == "full":
        atexit.register(print, text)
    elif display_type() != "none":
        print(text, flush=True)


if is_on():  # inspect announces hooks even if they are not enabled
    hooks(name="audit", description=f"short audit of the logs ({SWITCH}=1)")(AuditAfterRun)
