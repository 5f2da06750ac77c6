"""docs/format.md is held against what the ledger writes, and the ledger against the page."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path

import pytest

import varves
from tests.docs.reader import read_line, read_log, segments, text_of
from varves.events.codec import HEAD_KEYS, encode
from varves.events.kinds import KINDS

PAGE = (Path(__file__).parents[2] / "docs/format.md").read_text(encoding="utf-8")
SECTIONS = re.split(r"^## ", PAGE, flags=re.MULTILINE)
EXAMPLE, PURGED = (
    line.encode() for line in re.findall(r"^```jsonl\n(.*)\n```", PAGE, re.MULTILINE)
)
FIELD = re.compile(r"`([a-z_]+)`")
VERSION, OPERATION = re.findall(r"`({\"(?:shelf|id)\".*?})`", PAGE)
(PLACE,) = re.findall(r"`instead`: `({.*?})`", PAGE)


def section(number: int) -> str:
    return next(part for part in SECTIONS if part.startswith(f"{number}. "))


def table(text: str) -> dict[str, str]:
    """Return the rows of all tables in a text, by the words in code of their first cell."""
    rows = [line.strip("|").split("|") for line in text.splitlines() if line.startswith("| `")]
    return {name: row[1] for row in rows for name in re.findall(r"`([a-z_.]+)`", row[0])}


OF_PROTOCOLS = {
    *("memory.proposed", "memory.rejected", "memory.merged", "memory.promoted", "memory.linked"),
    *("memory.archived", "memory.flagged", "memory.accessed", "conflict.detected", "file.adopted"),
    *("memory.decayed", "memory.pruned", "log.entry", "log.altered", "log.amended", "log.archived"),
    *("log.withheld", "finding.waived"),
    *("participant.joined", "participant.revised", "relation.observed"),
    *("summary.created", "proposal.raised", "proposal.reacted", "proposal.resolved"),
}
RARE = {
    *("memory.linked", "memory.promoted", "memory.archived", "memory.flagged", "memory.merged"),
    *("memory.decayed", "memory.pruned"),
}
PRIVATE = ("session", "task", "handoff", "consolidation", "message", "detection", "stance")


@pytest.fixture
def busy(ledger, project):
    """Give a ledger in which every kind of this version was written at least once."""
    commit = ["git", "-c", "user.name=a", "-c", "user.email=a", "commit", "-qm", "x"]
    (project / "menu.txt").write_text("menu\n", encoding="utf-8")
    full = {
        "type": "decision",
        "tags": ["menu", "price"],
        "priority": "high",
        "confidence": 0.9,
        "ttl": "30d",
        "evidence": ["menu.txt:1"],
        "source": "https://example.org",
        "speaker": "ada",
        "at": "2026-01-02",
        "turn": 3,
        "session": "s-1",
    }
    first = ledger.remember("Crêpe “A” costs 4 € \U0001f95e", **full)
    ledger.remember("Crêpe “A” costs 4 € \U0001f95e")
    ledger.remember("token ghp_" + "a1B2c3D4e5F6g7H8i9J0" + "k1L2m3N4o5P6q7R8", private=True)
    subprocess.run(["git", "add", "-A"], cwd=project, check=True)
    subprocess.run(commit, cwd=project, check=True)
    second = ledger.correct(first.id, "It costs 5 €", reason="inflation")
    ledger.edit(second.id, tag=["+new", "-menu"], priority="low", ttl="1d", scope="agent:ada")
    ledger.forget(second.id, reason="off the menu")
    ledger.restore(second.id)
    ledger.undo(ledger.history(second.id)[-2].id)
    ledger.correct(second.id, "Crêpe “A” costs 4 € \U0001f95e", again=True)
    note = ledger.remember("mine", private=True, scope="session:s-1")
    shared = ledger.share(note.id)
    ledger.undo(shared.events[0])
    ledger.remember("long " * 60_000, scope="project")
    _keep_a_document(ledger.shelf("notes"))
    document = ledger.shelf("notes").put("menu.md", "Crêpes").id
    ledger.forget(ledger.correct(document, "Galettes").id, reason="off the menu")
    _keep_a_talk(ledger.talk("app/1"))
    _settle_a_conflict(ledger, project, commit)
    heard = ledger.through("tool").remember("heard somewhere")
    ledger.show(heard.id)
    ledger.trust(heard.id)
    ledger.purge(first.id, reason="asked for")
    ledger.purge(ledger.remember("4 €", id="mem_abcdefghijkl").id, reason="asked for")
    return ledger


def _keep_a_document(shelf):
    shelf.put("plan.md", "first", operation="op-1")
    shelf.put("plan.md", {"value": "long " * 60_000}, operation=("op-2", "mark"))
    shelf.delete("plan.md", operation="op-3")
    shelf.put("plan.md", "token ghp_" + "a1B2c3D4e5F6g7H8i9J0" + "k1L2m3N4o5P6q7R8")


def _keep_a_talk(talk):
    talk.append(["hello", {"token": "ghp_" + "a1B2c3D4e5F6g7H8i9J0" + "k1L2m3N4o5P6q7R8"}])
    talk.append(["long " * 60_000], keys=["k"], note=lambda before, added: len(added))
    talk.pop()
    talk.clear()
    talk.delete()


def _settle_a_conflict(ledger, project, commit):
    git = ["git", "-C", str(project)]
    base = ledger.remember("fork")
    for step in (["add", "-A"], commit[1:], ["checkout", "-qb", "other"]):
        subprocess.run([*git, *step], check=True)
    ledger.correct(base.id, "left")
    for step in (["add", "-A"], commit[1:], ["checkout", "-q", "-"]):
        subprocess.run([*git, *step], check=True)
    ledger.correct(base.id, "right")
    for step in (["add", "-A"], commit[1:]):
        subprocess.run([*git, *step], check=True)
    identity = ["-c", "user.name=a", "-c", "user.email=a"]
    subprocess.run([*git, *identity, "merge", "-q", "other", "-m", "m"], check=True)
    (conflict,) = ledger.conflicts()
    ledger.resolve(conflict.id, merge="both")


def folders(project: Path) -> list[Path]:
    return [project / ".varves", project / ".git/varves/private"]


def test_a_reader_written_from_the_page_reads_what_the_ledger_wrote(busy, project):
    read = [event for folder in folders(project) for event in read_log(folder)]
    read.sort(key=lambda event: (event["hlc"], event["writer"], event["id"]))
    assert [event.as_dict() for event in busy.log()] == read
    long = next(event for event in read if "blob" in event.get("data", ()))
    assert text_of(project / ".varves", long["data"]) == "long " * 60_000
    assert busy.show(long["data"]["memory"]).text == "long " * 60_000


def test_the_reader_sees_a_changed_byte_wherever_it_is():
    for place in range(len(EXAMPLE)):
        broken = bytearray(EXAMPLE)
        broken[place] ^= 1
        with pytest.raises((AssertionError, ValueError)):
            read_line(bytes(broken))


def test_the_example_on_the_page_verifies_and_has_the_stated_ranges():
    event = read_line(EXAMPLE)
    assert event["data"]["text"] == "Crêpe “A” costs 4 €"
    size, head, start, stop = map(
        int,
        re.search(
            r"of (\d+) bytes,.*first (\d+) bytes, `body` the bytes (\d+) to (\d+)", PAGE
        ).groups(),
    )
    assert len(EXAMPLE) == size
    assert EXAMPLE[head:].startswith(b',"data":{')
    assert json.loads(EXAMPLE[start:stop]) == event["data"]
    assert EXAMPLE[stop:].startswith(b',"salt":"')
    assert int(event["hlc"][:12], 16) == 1_794_640_284_000


def test_the_ledger_writes_the_example_byte_for_byte():
    fields = json.loads(EXAMPLE)
    for digest in ("c", "h"):
        del fields[digest]
    fields["data"] = dict(reversed(fields["data"].items()))
    assert encode(fields) == EXAMPLE + b"\n"


def test_the_purged_example_is_the_example_without_its_content():
    event, whole = read_line(PURGED), read_line(EXAMPLE)
    assert event.pop("purged") is True
    assert event == {key: whole[key] for key in whole if key not in ("data", "salt")}


def test_the_constant_files_are_those_on_the_page(ledger, project):
    ledger.init()
    shown = dict(re.findall(r"^```text (\S+)\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL))
    assert set(shown) == {f".varves/{n}" for n in ("format.json", ".gitignore", ".gitattributes")}
    for name, content in shown.items():
        assert (project / name).read_bytes() == content.encode()


def test_the_envelope_table_lists_the_keys_in_their_order():
    keys = list(table(section(3)))
    assert keys[: len(HEAD_KEYS)] == list(HEAD_KEYS)
    assert keys[len(HEAD_KEYS) :] == ["data", "salt", "c", "h"]


def test_every_kind_and_every_field_of_its_content_is_on_the_page(busy):
    rows = table(section(4))
    record = {name for name in rows if "." not in name}
    known = set(KINDS)
    mentioned = set(re.findall(r"`([a-z]+\.[a-z*]+)`", section(4)))
    assert {kind for kind in known if f"{kind.partition('.')[0]}.*" not in mentioned} <= mentioned
    written = {event.kind for event in busy.log()}
    assert written == {kind for kind in rows if "." in kind} - OF_PROTOCOLS
    for event in busy.log():
        content, said = event.data, set(FIELD.findall(rows[event.kind]))
        allowed = said | record if "a record" in rows[event.kind] else said
        stood_in = {"instead", "brought"} if "instead" in content else set()
        assert set(content) <= allowed | stood_in, event.kind
        assert set(content.get("instead", {})) <= set(re.findall(r'"([a-z]+)"', PLACE))
        assert set(content.get("record", {})) <= record
        changes = set(content.get("set", {}))
        more = {"text", "blob", "document", "created_at", "created_by"}
        allowed = {"priority", "confidence", "scope", "ttl", "expires_at"}
        assert changes <= (allowed | more if "document" in changes else allowed)
        version = content.get("document", content.get("set", {}).get("document", {}))
        assert set(version) <= set(re.findall(r'"([a-z]+)"', VERSION))
        assert set(version.get("operation", {})) <= set(re.findall(r'"([a-z]+)"', OPERATION))


def test_every_kind_and_field_that_a_day_of_the_protocols_writes_is_on_the_page(ledger, project):
    protocol_day(ledger, project)
    rows, page = table(section(4)), section(4)
    record = {name for name in rows if "." not in name}
    added = set(FIELD.findall(page.partition("A protocol's memory is a record")[2]))
    changeable = set(
        re.findall(r"[a-z_]+", page.partition("`set` may contain")[2].partition("|")[0])
    )
    amendable = set(page.partition("`set` contains `")[2].partition("`")[0].split())
    written = set()
    for event in ledger.log():
        written.add(event.kind)
        if event.kind.partition(".")[0] in PRIVATE:
            counted = event.kind == "session.ended" and event.protocol == "party"
            assert event.log == "private" or counted, event.kind
            continue
        said = set(FIELD.findall(rows[event.kind]))
        allowed = said | record | added if "a record" in rows[event.kind] else said
        assert set(event.data) <= allowed, event.kind
        if event.kind != "participant.revised":
            some = amendable if event.kind == "log.amended" else changeable
            assert set(event.data.get("set", {})) <= some, event.kind
    assert written >= OF_PROTOCOLS - RARE, OF_PROTOCOLS - written


def protocol_day(ledger, project):
    """Do with the protocols what makes them write each of their kinds."""
    layers_day(ledger.layers, project)
    party_day(ledger.party, project)
    deliberation_day(ledger.deliberation)
    scoped, hive = ledger.scoped, ledger.hivemind
    scoped.session_start(project="p")
    scoped.write("project", "p", type="decision", content="Use Zod for all input validation")
    scoped.read("project", "p")
    _edit_by_hand(project / "memory/projects/p/memory.json")
    made = scoped.write("project", "p", type="decision", content="Ports begin at 8000")
    ledger.purge(made.memory, reason="asked for")
    first, second = scoped.done(text="Learned: the cache is cold.\nLearned: ports are scarce.")[:2]
    scoped.approve(first.id)
    scoped.reject(second.id)
    scoped.session_end()
    hive.session_start(project="p")
    said = {"facts": ["The API listens on port 8080"], "summary": "Looked at the API"}
    hive.done(report={**said, "decisions": ["Keep the port of the API"]}, project="p")
    made: list[str] = []
    for agent, port in (("DEV-001", "8081"), ("DEV-002", "8082")):
        claim = {"text": f"The worker listens on port {port}"}
        options = {"subtype": "port", "scope": "project:p", "tags": ["worker"], "agent": agent}
        made.append(hive.write(type="factual", content=claim, **options).id)
    hive.contradict(*made)
    for _ in range(4):
        hive.error("TimeoutError", "the database did not answer", context="tests", project="p")
    hive.session_end()
    hive.maintain(force=True)


def layers_day(layers, project):
    """Append, and have entries changed, taken out and archived, and a finding waived."""
    said = {"type": "change", "scope": "file", "why": "It was asked for"}
    for title in ("Changed", "Removed", "Archived"):
        layers.append(title=title, what=f"{title} later", **said)
    log = project / "CHANGELOG.md"
    head, changed, _, archived = re.split(
        r"^(?=## )", log.read_text(encoding="utf-8"), flags=re.MULTILINE
    )
    (project / "CHANGELOG-archive.md").write_text(archived, encoding="utf-8")
    log.write_text(head + changed.replace("asked for", "needed"), encoding="utf-8")
    layers.rebuild()
    layers.append(title="Another", what="Seen", **said)
    layers.resolve(accept=True)
    layers.waive(layers.validate()[-1].place, reason="It is known")
    with varves.open(project, actor="noa", session="of-noa") as other:
        other.layers.append(title="Theirs", what="Not ended yet", **said)
    layers.shutdown()


def party_day(party, project):
    """Hold a party, and have a sidecar edited."""
    party.start(agents=["ada", "ben"])
    party.say("ada", "I agree with ben", to="ben")
    kept = party.remember("ada", type="context", content="Ops run Redis", confidence=0.9)
    party.decide("Use Redis", pro=["ada"])
    party.end()
    party.start(agents=["ada"])
    party.reference("ada", kept.id)
    party.end()
    sidecar = project / "_mdan/state/sidecars/ben.sidecar.json"
    document = json.loads(sidecar.read_text(encoding="utf-8"))
    sidecar.write_text(json.dumps({**document, "displayName": "Ben", "mood": 3}), encoding="utf-8")
    party.start(agents=["ben"])
    party.end()


def deliberation_day(talk):
    """Discuss until there is a summary, with a proposal that is repeated, modified and decided."""
    talk.begin("sessions", agents=["ada", "ben"])
    talk.say("ada", "I propose that sessions live in Redis")
    talk.say("ben", "I agree", reply_to=0)
    talk.say("ben", "I propose that sessions live in Redis, with an expiry", reply_to=0)
    talk.say("ada", "We've decided on sessions: they live in Redis")
    talk.say("ben", "We've decided on sessions: they live in Redis")
    for number in range(7):
        talk.say("ada", f"Host number {number} is up, because ops like even numbers")
    first, second = (one.id for one in talk.state().proposals)
    talk.resolve(first, "modified", successor=second, reason="it was too short")
    talk.decide("expiry", "Sessions expire after a day", agent="ada", resolves=second)


def _edit_by_hand(path):
    document = json.loads(path.read_text(encoding="utf-8"))
    path.write_text(json.dumps({"$schema": "memory.json", **document}), encoding="utf-8")


def test_segments_are_named_closed_and_chained_as_the_page_says(busy, project):
    for folder in folders(project):
        sizes = {
            f"log/{file.parent.name}/{file.name}": file for file in folder.glob("log/*/*.jsonl")
        }
        for segment in segments(folder):
            first = segment[0]
            assert (first["kind"] == "segment.closed") == (first["seq"] > 1)
            if first["seq"] > 1:
                closed = sizes[first["data"]["segment"]]
                lines = closed.read_bytes().splitlines(keepends=True)
                assert first["data"]["lines"] == len(lines)
                if not any(b',"purged":true,' in line for line in lines):
                    assert first["data"]["bytes"] == closed.stat().st_size
                assert first["data"]["last"] == first["prev"] == read_line(lines[-1][:-1])["h"]
        assert all(
            re.fullmatch(r"log/(\d{4})-(\d\d)/\1\2\d\d-[0-9a-z]{6}-[0-9a-z]{10}\.jsonl", name)
            for name in sizes
        )


def test_a_pack_made_from_the_page_is_read_by_both(busy, project):
    folder = project / ".varves"
    before, dump = read_log(folder), [memory.as_dict() for memory in busy.list(status="all")]
    files = sorted(folder.glob("log/*/*.jsonl"))
    entries, whole = [], b""
    for file in files:
        content = file.read_bytes()
        last = read_line(content.splitlines()[-1])["h"]
        name = file.relative_to(folder).as_posix()
        entries.append([name, content.count(b"\n"), len(content), last])
        whole += content
        file.unlink()
    head = json.dumps({"pack": 1, "segments": entries}, separators=(",", ":")).encode()
    pack = files[0].with_name("20261115-aaaaaa-bbbbbbbbbb.pack.jsonl")
    pack.write_bytes(head + b"\n" + whole)
    assert read_log(folder) == before
    assert [memory.as_dict() for memory in busy.list(status="all")] == dump
    verified = busy.verify(deep=True)
    assert verified.ok, verified.damage
    assert not verified.gaps


def test_a_purged_line_is_whole_and_says_nothing(ledger, project):
    kept, gone = ledger.remember("kept"), ledger.remember("gone")
    (file,) = (project / ".varves").glob("log/*/*.jsonl")
    lines = file.read_bytes().splitlines(keepends=True)
    line = lines[1][:-1]
    lines[1] = line[: line.index(b',"data":')] + b',"purged":true' + line[-143:] + b"\n"
    file.write_bytes(b"".join(lines))
    assert [event.get("purged") for event in read_log(project / ".varves")] == [None, True]
    assert [memory.id for memory in ledger.list(status="all")] == [kept.id]
    assert ledger.verify(deep=True).ok
    with pytest.raises(varves.errors.NotFound):
        ledger.show(gone.id)


def test_the_reader_skips_a_torn_tail_as_the_ledger_does(ledger, project):
    ledger.remember("one")
    (file,) = (project / ".varves").glob("log/*/*.jsonl")
    with file.open("ab") as stream:
        stream.write(EXAMPLE[:100])
    assert len(read_log(project / ".varves")) == 1
    assert len(ledger.list()) == 1
    assert ledger.verify().ok


class Hands:
    """A clock whose hands are moved by the test."""

    fixed = False

    def __init__(self, ms: int) -> None:
        self.ms = ms

    def now(self) -> int:
        return self.ms


def test_an_event_waits_while_it_is_more_than_a_day_ahead(project, home):
    """The index must let it in at the very instant a rebuild would."""
    hour, start = 3_600_000, 1_800_000_000_000
    with varves.open(project, clock=Hands(start + 25 * hour)) as ahead:
        ahead.remember("from a clock that is wrong")
    clock = Hands(start)
    with varves.open(project, clock=clock) as ledger:
        for elapsed, seen in ((0, 0), (hour - 1, 0), (hour, 1)):
            clock.ms = start + elapsed
            assert len(ledger.list()) == seen
            ledger.rebuild()
            assert len(ledger.list()) == seen
