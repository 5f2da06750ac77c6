"""Another project's log comes in whole: each event a memory, every mapping told, nothing twice."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from tests.tables import each_row
from varves.errors import Refused, UsageError

SAMPLES = Path(__file__).parent / "samples"
SEED = SAMPLES / "templatesSB" / "CHANGELOG-seed-format.md"
EVT = SAMPLES / "templatesSB" / "CHANGELOG-evt-section-0a56d75.md"
DECISIONS = SAMPLES / "zero-operators" / "DECISION_LOG.md"
LOGS = {
    SEED: 3,
    EVT: 13,
    SAMPLES / "templatesSB" / "CHANGELOG-evt-test-e2e.md": 1,
    DECISIONS: 106,
}
OTHERS = sorted(
    path for path in SAMPLES.rglob("*.md") if path not in LOGS and path.name != "README.md"
)
each_log = pytest.mark.parametrize(
    ("path", "count"), LOGS.items(), ids=[path.stem for path in LOGS]
)


def taken(ledger):
    """Return what came in, oldest first."""
    born = ledger.log(kind=("memory.recorded",))
    return [ledger.show(event.data["memory"]) for event in born]


@pytest.mark.full_size(sample=1)
@pytest.mark.requirement("U-18")
@each_log
def test_every_event_of_a_sample_is_a_memory_with_its_text_whole(ledger, path, count):
    done = ledger.import_("changelog", str(path), trust=True)
    assert (done.written, done.known, done.refused) == (count, 0, ())
    found = taken(ledger)
    assert len(found) == count
    assert {one.protocol for one in found} == {"layers"}
    text = path.read_text(encoding="utf-8")
    left = text
    for one in found:
        assert one.text in text
        left = left.replace(one.text, "", 1)
    told = sum(int(line.split()[0]) for line in done.mappings if "left out" in line)
    assert told == sum(bool(line.strip(" -*_")) for line in left.split("\n"))


@pytest.mark.full_size(sample=1)
@pytest.mark.requirement("U-18")
@each_log
def test_a_second_time_the_same_file_is_known(ledger, path, count):
    ledger.import_("changelog", str(path), trust=True)
    before = len(ledger.log())
    done = ledger.import_("changelog", str(path), trust=True)
    assert (done.written, done.known) == (0, count)
    assert len(ledger.log()) == before


class Stopped(Exception):
    """A person interrupts an import."""


class Told:
    """What a progress bar was told; at one of its reports it interrupts the work."""

    def __init__(self, stop=0):
        self.stop = stop
        self.shares, self.counts = [], []

    def share(self, share):
        self.shares.append(share)

    def __call__(self, done):
        self.counts.append(done)
        if len(self.counts) == self.stop:
            raise Stopped


def test_an_import_reports_how_far_it_came_and_an_interrupted_one_is_done_again(ledger):
    told = Told()
    ledger.import_("changelog", str(DECISIONS), trust=True, dry_run=True, progress=told)
    assert told.counts == [*range(1, 107), 106]
    assert told.shares == sorted(told.shares)
    assert told.shares[-1] == 1

    for stop in (1, 60, 106):
        with pytest.raises(Stopped):
            ledger.import_("changelog", str(DECISIONS), trust=True, progress=Told(stop))
        assert ledger.log() == ()
    with pytest.raises(Stopped):  # all is recorded
        ledger.import_("changelog", str(DECISIONS), trust=True, progress=Told(107))
    again = ledger.import_("changelog", str(DECISIONS), trust=True)
    assert (again.written, again.known) == (0, 106)


@pytest.mark.requirement("U-18")
def test_types_times_and_order_stay_as_they_were_and_each_is_told(ledger):
    done = ledger.import_("changelog", str(DECISIONS), trust=True)
    text = DECISIONS.read_text(encoding="utf-8")
    found = taken(ledger)
    types = re.findall(r"^\*\*Type:\*\* (.*)$", text, re.MULTILINE)
    assert [one.type for one in found] == types
    assert len(set(types)) == 23
    for word in set(types):
        assert f"type {word!r} ({types.count(word)}) -> kept as it is" in done.mappings
    stamps = re.findall(r"^## Decision: (.*)$", text, re.MULTILINE)
    assert [one.at for one in found] == [stamp.replace("Z", ".000Z") for stamp in stamps]
    assert "3 steps back in time -> times and order are kept" in done.mappings
    assert len({one.id for one in found}) == 106


@pytest.mark.requirement("U-18")
def test_who_said_it_and_what_it_was_called_there_is_kept(ledger):
    ledger.import_("changelog", str(EVT), trust=True)
    first, *_, last = taken(ledger)
    assert (first.speaker, first.extra["native"], first.extra["stamp"]) == (
        *("human", "evt-001", "2026-02-26 12:00"),
    )
    assert (last.speaker, last.at) == ("agent", "2026-02-27T00:00:00.000Z")
    assert last.source == EVT.name


@pytest.mark.requirement("U-18")
@each_row("path", OTHERS)
def test_a_sample_that_holds_no_event_is_refused_in_one_line(varves, ledger, path):
    said = varves("import", "changelog", str(path))
    assert said.code == 3
    assert said.err.count("\n") == 1
    assert f"{path.name} contains no event" in said.err
    assert ledger.log() == ()


def test_what_comes_from_elsewhere_waits_until_it_is_trusted(ledger):
    ledger.import_("changelog", str(SEED))
    assert ledger.recall("unified memory").hits == ()
    [one] = ledger.recall("unified memory system", include=("quarantined",), k=1).hits
    assert (one.memory.origin, one.memory.trust) == ("import", 1)


def test_what_this_repository_tracks_speaks_for_its_author(ledger, project):
    path = project / "old-log.md"
    path.write_bytes(SEED.read_bytes())
    for words in (["add", "old-log.md"], ["commit", "--quiet", "--message", "x"]):
        subprocess.run(["git", *words], cwd=project, check=True)
    ledger.import_("changelog", str(path))
    assert {(one.origin, one.created_by) for one in taken(ledger)} == {("repo", "Ada Example")}


def test_a_dry_run_says_the_same_and_writes_nothing(varves, ledger, project):
    said = varves("import", "changelog", str(SEED), "--dry-run")
    assert said.code == 0
    assert "3 would be written, 0 known" in said.out
    assert sorted(path.name for path in project.iterdir()) == [".git"]


def test_neither_log_is_touched_and_the_own_one_knows_nothing_of_the_other(ledger, project):
    own = project / "CHANGELOG.md"
    own.write_bytes(SEED.read_bytes())
    ledger.import_("changelog", str(EVT), trust=True)
    assert own.read_bytes() == SEED.read_bytes()
    ledger.layers.append(type="change", scope="file", title="More", what="w", why="y")
    assert len(ledger.log(kind=("log.entry",))) == 4
    assert not [one for one in ledger.layers.validate() if one.rule == "S1-81"]


def test_the_projects_own_log_is_taken_in_as_at_boot_and_stays_known(ledger, project):
    own = project / "CHANGELOG.md"
    own.write_bytes(SEED.read_bytes())
    done = ledger.import_("changelog", str(own))
    assert done.written == 3
    assert own.read_bytes() == SEED.read_bytes()
    assert {event.origin for event in ledger.log(kind=("log.entry",))} == {"direct"}
    ledger.layers.append(type="change", scope="file", title="More", what="w", why="y")
    assert len(ledger.log(kind=("log.entry",))) == 4
    assert ledger.import_("changelog", str(own)).known == 4
    assert ledger.import_("changelog", str(SEED)).known == 3


def test_what_is_nearly_an_event_is_refused_by_line_and_stops_no_other(varves, project):
    path = project / "log.md"
    path.write_text(
        "## 2026-01-01 10:00 — One\nx\n\n## 2026-02-30 10:00 — Two\ny\n", encoding="utf-8"
    )
    said = varves("import", "changelog", str(path))
    assert said.code == 3
    assert "1 written, 0 known, 1 refused" in said.out
    assert said.err.startswith("varves: refused, line 4: ")


def test_a_purged_event_does_not_come_back(ledger):
    ledger.import_("changelog", str(SEED), trust=True)
    gone = taken(ledger)[0].id
    ledger.purge(gone, reason="by mistake")
    done = ledger.import_("changelog", str(SEED), trust=True)
    assert (done.written, done.known, len(done.refused)) == (0, 2, 1)


def test_a_secret_in_a_log_is_masked_unless_that_is_allowed(ledger, project):
    token = "ghp_" + "a1B2" * 9
    path = project / "log.md"
    path.write_text(f"## 2026-01-01 10:00 — One\nuse {token}\n", encoding="utf-8")
    done = ledger.import_("changelog", str(path))
    assert token not in taken(ledger)[0].text
    assert "1 event with secrets -> masked" in done.mappings


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"# Log\n\xff\n", "line 2 is not UTF-8"),
        (b"<<<<<<< HEAD\na\n=======\nb\n>>>>>>> x\n", "line 1 is a conflict marker"),
        (b"", "contains no event"),
    ],
    ids=["bytes", "markers", "empty"],
)
def test_a_file_that_cannot_be_read_is_refused(ledger, project, content, message):
    path = project / "log.md"
    path.write_bytes(content)
    with pytest.raises(Refused, match=message):
        ledger.import_("changelog", str(path))
    assert ledger.log() == ()


def test_no_file_is_an_error_of_use(ledger, project):
    with pytest.raises(UsageError, match="no file"):
        ledger.import_("changelog", str(project / "nowhere.md"))
