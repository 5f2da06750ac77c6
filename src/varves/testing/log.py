"""The laws that every log must obey, as tests.

Derive a class from `LogLaws`, implement `open_log` and `open_again`, and run its tests.

This module needs no test framework: a broken law raises `AssertionError` with the law's text.
"""

from __future__ import annotations

from hashlib import sha256
from threading import Event as Signal
from threading import Thread
from typing import TYPE_CHECKING

from varves.errors import Refused
from varves.events.blobs import LINE_BYTES
from varves.events.codec import decode
from varves.events.event import Draft
from varves.events.kinds import RECORDED
from varves.values.ids import IdSource

if TYPE_CHECKING:
    from collections.abc import Iterable

    from varves.events.event import Event
    from varves.log.doomed import Doomed
    from varves.log.port import Log, Source
    from varves.log.sources import Part

LOOKS = 1_000_000


def require(law: object, words: str) -> None:
    """Raise an error with the given words, unless the law holds."""
    if not law:
        raise AssertionError(words)


class MarkReader:
    """A reader that stores what an index stores, that is, lines and marks, by part."""

    def __init__(self) -> None:
        self.kept = b""
        self.marks: dict[str, bytes] = {}
        self.closed: set[str] = set()
        self.lines: dict[str, list[tuple[Event, bytes]]] = {}

    def whole(self) -> bytes:
        """Return the mark of the log as a whole."""
        return self.kept

    def open(self) -> dict[str, bytes]:
        """Return the marks of the parts that may still grow."""
        return {name: mark for name, mark in self.marks.items() if name not in self.closed}

    def recent(self) -> dict[str, bytes]:
        """Return the marks of the closed parts."""
        return {name: mark for name, mark in self.marks.items() if name in self.closed}

    def below(self, prefix: str) -> dict[str, bytes]:
        """Return the marks of all parts whose names begin with `prefix`."""
        return {name: mark for name, mark in self.marks.items() if name.startswith(prefix)}

    def mark(self, name: str) -> bytes:
        """Return the mark of one part."""
        return self.marks.get(name, b"")

    def take(self, log: Source) -> list[Part]:
        """Read what was added to a log or removed from it, and return the changed parts."""
        changes = log.since(self)
        parts = []
        for part in changes:
            parts.append(part)
            if part.gone or part.fresh:
                self.lines.pop(part.name, None)
            if part.gone:
                self.marks.pop(part.name, None)
                continue
            self.lines.setdefault(part.name, []).extend(part.events)
            self.marks[part.name] = part.mark
            self.closed |= {part.name} if part.closed else set()
        self.closed |= changes.closed
        self.kept = changes.whole
        return parts

    def catch_up(self, log: Source) -> None:
        """Read a log until it reports no more changes."""
        for _ in range(LOOKS):
            self.take(log)
            if log.is_unchanged(self):
                return
        require(False, "a log without writers stops changing")

    def events(self) -> dict[str, Event]:
        """Return the reader's events by id."""
        return {event.id: event for lines in self.lines.values() for event, _ in lines}

    def same_as(self, other: MarkReader) -> bool:
        """Return whether another reader has exactly the same lines."""
        own, others = (sorted(map(_lines, one.lines.values())) for one in (self, other))
        return own == others


def _lines(part: Iterable[tuple[Event, bytes]]) -> list[bytes]:
    return [line for _, line in part]


def ids_of(parts: Iterable[Part]) -> list[str]:
    """Return the ids of the events in some parts."""
    return [event.id for part in parts for event, _ in part.events]


def draft(text: str, memory: str = "") -> Draft:
    """Return a draft that records a memory."""
    content = {"memory": memory or IdSource().memory(), "text": text, "scope": "project"}
    return Draft(kind=RECORDED, data=content, actor="ada")


class LogLaws:
    """The rules that every log must obey; each is a test method, which gets an unused log."""

    def open_log(self) -> Log:
        """Return a new, empty log."""
        raise NotImplementedError

    def open_again(self, log: Log) -> Log:
        """Return the same log as another process would open it, with its own writer."""
        raise NotImplementedError

    # Appending and reading

    def test_a_log_that_was_never_written_is_read(self) -> None:
        """An empty log can be read."""
        log, reader = self.open_log(), MarkReader()
        require(log.is_unchanged(reader), "an empty log is unchanged")
        require(not reader.take(log), "an empty log has no parts")
        require(reader.kept == b"", "an empty log has no mark")
        require(log.heads() == [], "an empty log has no heads")
        require(log.written == "", "nothing was written yet")

    def test_what_is_appended_is_read_in_order_and_once(self) -> None:
        """Appended events are read in order, once, each with its line."""
        log, reader = self.open_log(), MarkReader()
        made = log.append([draft("one"), draft("two")]) + log.append([draft("three")])
        require(not log.is_unchanged(reader), "a log that has grown reports it")
        require(log.since(reader).behind > 0, "unread lines have a length")
        parts = reader.take(log)
        require(ids_of(parts) == [event.id for event in made], "events come in their order")
        for part in parts:
            for event, line in part.events:
                require(b"\n" not in line, "a line does not include its newline")
                require(
                    decode(line, event.log).fields == event.fields, "a line decodes to its event"
                )
        reader.catch_up(log)
        require(ids_of(reader.take(log)) == [], "nothing is read twice")
        require(log.since(reader).behind == 0, "nothing is left to read")
        require(log.written in reader.marks, "the written part is also read")

    def test_only_what_is_new_is_read(self) -> None:
        """A part that has grown is not read again completely."""
        log, reader = self.open_log(), MarkReader()
        log.append([draft("one")])
        reader.catch_up(log)
        (added,) = log.append([draft("two")])
        require(not log.is_unchanged(reader), "a log that has grown reports it")
        parts = reader.take(log)
        require(ids_of(parts) == [added.id], "only the new event is read")
        require(
            not any(part.fresh or part.gone for part in parts), "events that were read still count"
        )

    def test_marks_outlast_the_reader_and_the_process(self) -> None:
        """A process that opens the log later continues from stored marks."""
        log, reader = self.open_log(), MarkReader()
        log.append([draft("one")])
        reader.catch_up(log)
        later = self.open_again(log)
        require(later.is_unchanged(reader), "marks are valid in every process")
        (added,) = later.append([draft("two")])
        require(ids_of(reader.take(later)) == [added.id], "only the new event is read")
        require(log.is_unchanged(MarkReader()) is False, "a reader without marks is not up to date")

    def test_a_new_reader_sees_what_an_old_one_sees(self) -> None:
        """Reading in portions and reading at once give the same lines."""
        log, steady, late = self.open_log(), MarkReader(), MarkReader()
        other = self.open_again(log)
        for number in range(4):
            (other if number % 2 else log).append([draft(f"number {number}")])
            steady.take(log)
        late.take(other)
        require(steady.same_as(late), "both have the same lines")

    def test_a_part_can_be_read_again(self) -> None:
        """A part can be read again as a whole, with the same lines as at first."""
        log, reader = self.open_log(), MarkReader()
        log.append([draft("one"), draft("two")])
        reader.take(log)
        for name, lines in reader.lines.items():
            require(_lines(log.part(name)) == _lines(lines), "a part equals what was read of it")

    # Writers

    def test_each_writer_has_a_chain_of_its_own(self) -> None:
        """An event names the previous event of its writer; heads are the newest events."""
        log, reader = self.open_log(), MarkReader()
        other = self.open_again(log)
        for number in range(3):
            log.append([draft(f"mine {number}")])
            other.append([draft(f"theirs {number}")])
        reader.take(log)
        chains: dict[str, list[Event]] = {}
        for event in sorted(reader.events().values(), key=lambda event: event.seq):
            chains.setdefault(event.writer, []).append(event)
        require(len(chains) == 2, "there are two writers")
        for chain in chains.values():
            require([event.seq for event in chain] == [1, 2, 3], "a chain has no gap")
            before = [None, *(event.digest for event in chain[:-1])]
            require([event.prev for event in chain] == before, "each event names the previous one")
        ends = sorted((w, c[-1].seq, c[-1].hlc, c[-1].digest) for w, c in chains.items())
        require(sorted(log.heads()) == ends, "heads are the ends of the chains")

    def test_what_a_writer_has_read_is_named(self) -> None:
        """The first event of a call names the events that its writer has read.

        `heads` gets the stamp of the last event, and the name of the writer.
        """
        log = self.open_log()
        other = self.open_again(log)
        (theirs,) = other.append([draft("theirs")])
        asked: list[tuple[str, str]] = []

        def heads(stamp: str, writer: str) -> list[str]:
            asked.append((stamp, writer))
            return [theirs.digest]

        first, second = log.append([draft("one"), draft("two")], heads)
        require(first.seen == [theirs.digest], "the first event names the heads that were read")
        require(second.seen == [], "the second event does not name them again")
        log.append([draft("three")], heads)
        require(asked[0][1] == first.writer, "heads is called with the writer's name")
        require(
            asked[1] == (second.hlc, first.writer),
            "heads is called with the stamp of its last event",
        )

    def test_what_the_format_does_not_hold_is_refused_whole(self) -> None:
        """If one of several drafts cannot be recorded, none of them is recorded."""
        log, reader = self.open_log(), MarkReader()
        try:
            log.append([draft("fine"), Draft(kind=RECORDED, data={"x": float("nan")}, actor="ada")])
        except Refused:
            pass
        else:
            require(False, "a draft that is not JSON is refused")
        require(ids_of(reader.take(log)) == [], "none of the drafts was recorded")

    def test_a_look_and_an_append_are_one_step(self) -> None:
        """A `deciding` block runs only after the other `deciding` blocks have ended."""
        log = self.open_log()
        other = self.open_again(log)
        log.append([draft("there is a log")])
        order: list[str] = []
        coming = Signal()

        def decide() -> None:
            coming.set()
            with other.deciding(proven=True):
                order.append("the other")

        thread = Thread(target=decide)
        with log.deciding(proven=True):
            thread.start()
            coming.wait()
            log.append([draft("decided")])
            order.append("the first")
        thread.join()
        require(order == ["the first", "the other"], "two deciding blocks run one after the other")

    # Blobs

    def test_a_long_text_becomes_a_blob(self) -> None:
        """A long text is stored as a blob; the event's line names the blob by its digest."""
        log, reader = self.open_log(), MarkReader()
        text = "long " * LINE_BYTES
        (event,) = log.append([draft(text)])
        digest = sha256(text.encode()).hexdigest()
        require(
            event.data["blob"] == {"sha256": digest, "bytes": len(text)}, "the line names the blob"
        )
        require("text" not in event.data, "the line does not contain the text")
        require(log.blob(digest) == text.encode(), "the blob has the text's bytes")
        require(self.open_again(log).blob(digest) == text.encode(), "for everybody")
        require(log.blob("0" * 64) is None, "an unknown digest has no blob")
        require(log.blob("../format.json") is None, "a name that is not a digest has no blob")
        require(ids_of(reader.take(log)) == [event.id], "a blob is not an event")

    # Erasing

    def test_what_is_erased_keeps_its_place(self) -> None:
        """Erasing removes the content; the event and its chain stay, and readers see the change."""
        log, reader = self.open_log(), MarkReader()
        gone, kept = draft("a purged thing"), draft("another thing")
        made = log.append([gone, kept])
        reader.catch_up(log)
        follower = log.follow(reader)
        told: list[Doomed] = []
        name = str(gone.data["memory"])

        def first(found: Doomed) -> list[str]:
            told.append(found)
            return ["a copy"]

        where = log.erase({name}, first)
        require([found.barred for found in told] == [{name}], "the callback is called once")
        require("a copy" in where, "its places are in the answer")
        require(len(where) > 1, "the log's own places are in the answer")
        require(follower.poll() is None, "a follower must start again")
        require(not log.is_unchanged(reader), "the log reports the change")
        parts = reader.take(log)
        require(
            any(part.fresh or part.gone for part in parts),
            "the lines that were read no longer count",
        )
        left = reader.events()
        require([*left] == [event.id for event in made], "no event is lost")
        require(
            left[made[0].id].purged and not left[made[1].id].purged, "exactly one event is erased"
        )
        for before in made:
            require(left[before.id].digest == before.digest, "the chain is unchanged")
        lines = b"".join(line for part in reader.lines.values() for _, line in part)
        require(b"a purged thing" not in lines, "the content is gone")
        (after,) = log.append([draft("life goes on")])
        reader.take(log)
        digests = {event.digest for event in reader.events().values()}
        require(after.writer == made[1].writer, "the writer is the same")
        require(after.seq > made[1].seq and after.prev in digests, "the writer continues its chain")

    def test_erasing_what_is_not_there_changes_nothing(self) -> None:
        """Erasing content that does not exist, or erasing content twice, changes nothing."""
        log, reader = self.open_log(), MarkReader()
        one = draft("a purged thing")
        log.append([one])
        require(log.erase({"mem_000000000000"}) == [], "nothing was erased")
        log.erase({str(one.data["memory"])})
        reader.catch_up(log)
        require(log.erase({str(one.data["memory"])}) == [], "a second time nothing is erased")
        require(ids_of(reader.take(log)) == [], "nothing has changed")

    def test_a_blob_goes_with_the_last_that_names_it(self) -> None:
        """A blob stays as long as an event names it."""
        log = self.open_log()
        text = "long " * LINE_BYTES
        digest = sha256(text.encode()).hexdigest()
        one, two = draft(text), draft(text)
        log.append([one])
        log.append([two])
        log.erase({str(one.data["memory"])})
        require(log.blob(digest) is not None, "the blob is kept while an event names it")
        log.erase({str(two.data["memory"])})
        require(log.blob(digest) is None, "a blob that no event names is deleted")

    # Following

    def test_a_follower_gets_what_others_add(self) -> None:
        """A follower starts at the reader's marks, and returns each new line once."""
        log, reader = self.open_log(), MarkReader()
        other = self.open_again(log)
        log.append([draft("before")])
        other.append([draft("before, too")])
        reader.catch_up(log)
        follower = log.follow(reader)
        require(follower.waiting() == 0, "nothing waits")
        require(follower.poll() == [], "nothing was added")
        (mine,) = log.append([draft("mine")])
        follower.own(log.written)
        (theirs,) = other.append([draft("theirs")])
        require(follower.waiting() > 0, "something waits")
        lines = follower.poll() or []
        found = [decode(line, "").id for line in lines]
        require(found == [theirs.id], f"the follower returns others' events, not {mine.id}")
        require(follower.poll() == [], "each line is returned once")

    def test_a_follower_of_an_unread_log_says_how_much_waits(self) -> None:
        """A follower of an unread log reports how many bytes are unread.

        The reader then reads all of them.
        """
        log = self.open_log()
        log.append([draft("one")])
        require(log.follow(MarkReader()).waiting() > 0, "the whole log waits")


LAWS = tuple(name for name in vars(LogLaws) if name.startswith("test_"))
