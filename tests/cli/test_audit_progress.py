"""How an audit shows how far it is."""

from __future__ import annotations

from assay.cli.audit_progress import Clock, lines, progress


def test_the_time_left_follows_the_share_done_and_runs_down(monkeypatch):
    now = [100.0]
    monkeypatch.setattr("time.monotonic", lambda: now[0])
    clock = Clock()
    clock.reach(0.0)
    assert str(clock) == ""
    now[0] = 110.0
    clock.reach(0.25)  # a quarter took ten seconds
    assert str(clock) == "about 0:00:30 left"
    now[0] = 120.0
    assert str(clock) == "about 0:00:20 left"
    now[0] = 150.0  # later than foretold: no promise is better than a false one
    assert str(clock) == ""


def test_away_from_a_terminal_each_section_is_a_line(capsys, monkeypatch):
    now = [0.0]
    monkeypatch.setattr("time.monotonic", lambda: now[0])
    with progress() as tell:
        tell("profile", 0.0)
        now[0] = 60.0
        tell("splits", 0.5)
        tell("", 1.0)
    assert capsys.readouterr().err == "profile …\nsplits … about 0:01:00 left\n"


def test_the_end_is_no_line(capsys):
    lines(Clock(), "", 1.0)
    assert capsys.readouterr().err == ""
