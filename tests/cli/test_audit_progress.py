"""The progress display of an audit."""

from __future__ import annotations

import signal

import pytest

from assay.cli import interrupts
from assay.cli.audit_progress import Clock, print_progress, show_progress


def test_time_left_follows_the_share_done_and_grows_while_nothing_happens(monkeypatch):
    now = [100.0]
    monkeypatch.setattr("time.monotonic", lambda: now[0])
    clock = Clock()
    clock.update(0.0)
    assert str(clock) == ""
    now[0] = 110.0
    clock.update(0.25)  # a quarter took ten seconds
    assert str(clock) == "about 0:00:30 left"
    now[0] = 120.0  # still a quarter after twenty seconds
    assert str(clock) == "about 0:01:00 left"


def test_outside_a_terminal_each_section_is_a_line(capsys, monkeypatch):
    now = [0.0]
    monkeypatch.setattr("time.monotonic", lambda: now[0])
    with show_progress() as progress:
        progress("profile", 0.0)
        progress("profile: counting words", 0.1)
        now[0] = 60.0
        progress("splits", 0.5)
        progress("", 1.0)
    assert capsys.readouterr().err == "profile …\nsplits … about 0:01:00 left\n"


def test_the_end_prints_no_line(capsys):
    print_progress(Clock(), "", 1.0)
    assert capsys.readouterr().err == ""


def test_an_interrupt_that_python_dropped_ends_the_next_step(monkeypatch):
    print_progress(Clock(), "profile", 0.0)
    monkeypatch.setattr(interrupts, "_received", [signal.SIGTERM])
    with pytest.raises(KeyboardInterrupt):
        print_progress(Clock(), "profile: words", 0.1)
    print_progress(Clock(), "", 1.0)  # the results are being written
