"""The bar of long work: only on a terminal, with a rate and the time left once these are known."""

from __future__ import annotations

import io
import sys

from varves.cli.progress import Progress, line


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_a_line_shows_count_share_rate_and_time_left():
    shown = line("events", 250_000, share=0.25, passed=20.0)
    assert shown == "events 250,000  [######..................]  25%  12,500/s  1:00 left"


def test_the_rate_is_left_out_until_it_means_something():
    assert line("events", 100, share=0.5, passed=0.2) == (
        "events 100  [############............]  50%"
    )
    assert "left" not in line("events", 0, share=0.0, passed=5.0)


def test_a_bar_is_drawn_on_a_terminal_and_cleared_at_the_end(monkeypatch):
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    with Progress("events") as progress:
        progress.share(0.5)
        progress(10)
    assert "events 10  [############............]  50%" in terminal.getvalue()
    assert terminal.getvalue().endswith("\r\x1b[K")


def test_a_count_without_a_share_is_shown_alone(monkeypatch):
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    with Progress("messages") as progress:
        progress(3)
    assert "messages 3" in terminal.getvalue()
    assert "[#" not in terminal.getvalue()


def test_nothing_is_drawn_in_a_pipe(monkeypatch):
    stream = io.StringIO()
    monkeypatch.setattr(sys, "stderr", stream)
    with Progress("events") as progress:
        progress.share(0.5)
        progress(10)
    assert stream.getvalue() == ""
