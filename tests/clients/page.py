"""The result of the rig: which client at which version, and what was proven of it."""

from __future__ import annotations

import datetime as dt
import platform
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tests.clients import install

if TYPE_CHECKING:
    from collections.abc import Iterable

FOLDER = "tests/clients/"
PACKAGES = {
    "claude-code": "@anthropic-ai/claude-code",
    "codex": "@openai/codex",
    "copilot": "@github/copilot",
    "gemini": "@google/gemini-cli",
    "goose": "@aaif/goose",
    "opencode": "opencode-ai",
    "inspector": "@modelcontextprotocol/inspector",
    "conformance 0.1": "conformance-1",
    "conformance 0.2": "conformance-2",
    "agentskills": "skills-ref",
}
HEAD = """\
# Clients

Written by `make test-clients`; do not edit. It installs the clients at these versions, gives each
a separate home, connects it by `varves install` and runs it against a simulated model on loopback:
no network, no language model. Each statement in the table was observed in the run.
"""


@dataclass
class Row:
    """What a run found out about one client."""

    name: str
    proven: list[str] = field(default_factory=list)
    failed: list[str] = field(default_factory=list)
    seconds: float = 0

    @property
    def version(self) -> str:
        """The version that is installed."""
        return install.version(PACKAGES[self.name])


def _told(reports: Iterable[Any]) -> list[tuple[str, Any]]:
    """Return the reports of the rig, each with its client."""
    ours = (report for report in reports if report.nodeid.startswith(FOLDER))
    return [(dict(report.user_properties)["client"], report) for report in ours]


def missing(stats: dict[str, list[Any]]) -> str:
    """Return the line that names what was skipped."""
    names = {name for name, _ in _told(stats.get("skipped", ()))}
    named = ", ".join(name for name in PACKAGES if name in names)
    return f"skipped, as they are not installed (make test-clients): {named}" if named else ""


def rows(stats: dict[str, list[Any]]) -> list[Row]:
    """Gather what the reports of a run say."""
    found = {name: Row(name) for name in PACKAGES}
    for name, report in _told(stats.get("passed", ())):
        row = found[name]
        row.seconds += report.duration
        noted = [what for key, what in report.user_properties if key == "proven"]
        row.proven += [what for what in noted if what not in row.proven]
    for name, report in _told((*stats.get("failed", ()), *stats.get("error", ()))):
        found[name].seconds += report.duration
        found[name].failed.append(report.nodeid.partition("::")[2])
    return [row for row in found.values() if row.proven or row.failed]


def table(found: list[Row]) -> str:
    """Return the result as a terminal shows it."""
    lines = []
    for row in found:
        verdict = "FAILED" if row.failed else "proven"
        lines.append(f"{row.name:<16} {row.version:<16} {verdict} {row.seconds:6.1f} s")
        lines += [f"    {what}" for what in row.proven]
        lines += [f"    failed: {test}" for test in row.failed]
    return "\n".join(lines)


def write(path: str, found: list[Row]) -> None:
    """Write the result as a page."""
    today = dt.datetime.now(tz=dt.UTC).date().isoformat()
    machine = f"{platform.system()} {platform.machine()}, Python {platform.python_version()}"
    lines = [HEAD, f"Last run: {today}, {machine}.\n"]
    lines += ["| client | version | observed |", "|---|---|---|"]
    for row in found:
        told = [*row.proven, *(f"**failed:** `{test}`" for test in row.failed)]
        lines.append(f"| {row.name} | {row.version} | {'; '.join(told)} |")
    Path(path).write_text("\n".join(lines) + "\n", encoding="utf-8")
