"""Rules on which files there are, and on what no file may say."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.house.repository import Repository

AT_THE_ROOT = {
    ".ci",
    ".gitignore",
    "AGENTS.md",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "LICENSE",
    "Makefile",
    "README.md",
    "SECURITY.md",
    "benchmarks",
    "docs",
    "examples",
    "pyproject.toml",
    "requirements-dev.lock",
    "requirements.lock",
    "src",
    "tests",
    "torture",
}
AS_WRITTEN = (  # other people's words, kept byte for byte
    "benchmarks/deliberation/minutes/",
    "benchmarks/capture/blind/one/",
    "benchmarks/capture/blind/two/",
    "benchmarks/judge/notes.jsonl",
)
# Each word is written in two parts, so that this file does not contain it.
REFUSED = re.compile(
    "|".join(
        re.escape(word)
        for word in (
            "/wo" + "rk/",
            "shared/" + "requirements",
            "py" + "pi.org",
            "python" + "hosted.org",
            "npm" + "js.org",
            "crates" + ".io",
        )
    )
)
RUNTIME_LOCK, TOOLS_LOCK = LOCKS = "requirements.lock", "requirements-dev.lock"
ADDRESS = re.compile(r"://|index-url|find-links|trusted-host")
PIN = re.compile(r"^[a-z0-9-]+==\S+", re.MULTILINE)


def root_entries(repository: Repository) -> list[str]:
    """The root of the repository holds the listed entries only."""
    found = {name.partition("/")[0] for name in repository.names}
    return [f"{name}:1: not listed for the root" for name in sorted(found - AT_THE_ROOT)]


def workplaces(repository: Repository) -> list[str]:
    """No file names a workplace or a package registry."""
    return [
        f"{name}:{number}: mentions {found[0]}"
        for name in repository.names
        if not name.startswith(AS_WRITTEN) or name.endswith("SOURCE.md")
        if REFUSED.search(repository.text(name))
        for number, line in enumerate(repository.text(name).split("\n"), 1)
        if (found := REFUSED.search(line))
    ]


def lock_addresses(repository: Repository) -> list[str]:
    """A lock file holds hashes and no addresses."""
    found = []
    for name in LOCKS:
        text = repository.text(name)
        if "--hash=sha256:" not in text:
            found.append(f"{name}:1: holds no hashes")
        found += [
            f"{name}:{number}: holds an address"
            for number, line in enumerate(text.split("\n"), 1)
            if ADDRESS.search(line)
        ]
    return found


def lock_versions(repository: Repository) -> list[str]:
    """The development lock pins the same runtime versions as the runtime lock."""
    pinned = PIN.findall(repository.text(TOOLS_LOCK))
    return [
        f"{RUNTIME_LOCK}:1: {pin} is not in {TOOLS_LOCK}"
        for pin in PIN.findall(repository.text(RUNTIME_LOCK))
        if pin not in pinned
    ]
