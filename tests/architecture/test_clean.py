"""The repository speaks of the product only, and names nobody's machine or registry."""

from __future__ import annotations

import re

from tests.architecture.source import ROOT, repository_files

MINUTES = "benchmarks/deliberation/minutes/"
# Put together here so that this file does not hold them.
REFUSED = [
    "/wo" + "rk/",
    "shared/" + "requirements",
    "py" + "pi.org",
    "python" + "hosted.org",
    "npm" + "js.org",
    "crates" + ".io",
]


def test_no_file_mentions_a_workplace_or_a_registry():
    found = []
    for name in repository_files():
        if name.startswith(MINUTES) and not name.endswith("SOURCE.md"):
            continue  # other people's words, kept byte for byte
        text = (ROOT / name).read_bytes().decode("utf-8", errors="replace")
        found += [(name, word) for word in REFUSED if word in text]
    assert not found


def test_lock_files_hold_hashes_and_no_addresses():
    for name in ("requirements.lock", "requirements-dev.lock"):
        text = (ROOT / name).read_text(encoding="utf-8")
        assert "--hash=sha256:" in text
        assert not re.search(r"://|index-url|find-links|trusted-host", text), name


def test_the_development_lock_holds_the_same_runtime_versions():
    def pins(name: str) -> set[str]:
        text = (ROOT / name).read_text(encoding="utf-8")
        return set(re.findall(r"^([a-z0-9-]+==\S+)", text, flags=re.MULTILINE))

    assert pins("requirements.lock") <= pins("requirements-dev.lock")
