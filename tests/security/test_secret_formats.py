"""Masking measured against formats that were written down without looking at its rules (S5).

The formats, their samples and the harmless lines are made in secret_formats/. A quick run takes
twenty samples of each format for the figures and one of each through the doors of a real ledger;
with VARVES_TORTURE=1 it takes 100 and twenty. Run with -s to see the figures.
"""

from __future__ import annotations

import itertools
import json
import os
import subprocess
import sys

import pytest

import varves
from tests.figures import full_size, note_figure
from tests.security.secret_formats.benign import found, made, picture
from tests.security.secret_formats.samples import FORMATS, FRESH, HELD, OPEN, Sample, samples
from varves.errors import VarvesError
from varves.events.named_secrets import RULES
from varves.events.redact import scrub
from varves.upkeep import second_opinion

EACH = 100 if full_size() else 20
STORED = 20 if full_size() else 1
WINDOW = 12
NUMBERS = itertools.count()


def recall_of(name: str) -> float:
    """Return the share of a format's samples of which nothing telling was left."""
    masked = [not one.leaks_into(scrub(one.text)[0]) for one in samples(name, EACH)]
    return sum(masked) / len(masked)


def say(line: str) -> None:
    """Print a figure for whoever runs this with -s."""
    sys.stdout.write(line + "\n")


def test_there_are_enough_formats_and_rules():
    assert len(FORMATS) >= 100
    assert len({name for name, _, _ in RULES}) >= 100
    assert {*OPEN, *HELD, *FRESH} == {*FORMATS}
    assert min(len(OPEN), len(HELD)) > 150


def test_samples_are_drawn_the_same_again_and_differ_from_each_other():
    for name in FORMATS[::9]:
        assert samples(name, 20) == samples(name, 20)
        assert len({one.text for one in samples(name, 20)}) == 20


def test_the_formats_that_publish_a_checksum_carry_it():
    """GitHub's and npm's tokens end with the CRC-32 of what is before it, in base 62."""
    import zlib

    digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
    for name in ("github-pat", "github-refresh", "npm"):
        for sample in samples(name, 20):
            (body,) = sample.secrets
            total = 0
            for sign in body[-6:]:
                total = total * 62 + digits.index(sign)
            assert total == zlib.crc32(body[:-6].encode())


def test_secrets_of_the_published_formats_are_masked():
    by_format = {name: recall_of(name) for name in FORMATS}
    shares = {}
    for part, names in (("open", OPEN), ("held", HELD), ("fresh", FRESH), ("all", FORMATS)):
        shares[part] = sum(by_format[name] for name in names) / len(names)
        say(f"{part}: {len(names)} formats, {len(names) * EACH} samples, {shares[part]:.2%}")
    worst = sorted((share, name) for name, share in by_format.items())[:10]
    for share, name in worst:
        say(f"  {share:.0%} {name}")
    note_figure("S5", formats=len(FORMATS), samples=len(FORMATS) * EACH, recall=shares["all"])
    assert min(shares.values()) >= 0.98
    assert worst[0][0] >= 0.7


def test_a_text_quoted_in_an_error_or_in_json_is_masked_as_well():
    for sample in masked_samples(STORED + 2):
        for quoted in (f"not an instant: {sample.text!r}", json.dumps({"text": sample.text})):
            assert not sample.leaks_into(scrub(quoted)[0]), (sample.format, quoted)


def test_harmless_lines_are_left_alone():
    lines = [*made(5000), *found(5000)]
    assert len(lines) >= 10_000
    alarms = [(line, hits) for line in lines if (hits := scrub(line)[1])]
    say(f"{len(alarms)} false alarms in {len(lines)} lines")
    for line, hits in alarms:
        say(f"  {hits} {line[:120]}")
    note_figure("S5", benign_lines=len(lines), false_alarms=len(alarms))
    assert len(alarms) <= 0.005 * len(lines)


def test_a_pasted_picture_is_left_alone():
    image = picture(60_000)
    assert scrub(image) == (image, ())


def test_a_maskless_build_would_be_noticed():
    """The measure bites: unmasked, every sample counts as a leak."""
    for name in FORMATS:
        assert all(one.leaks_into(one.text) for one in samples(name, 3)), name


# ------------------------------------------------------------------ through the doors


class Watch:
    """Looks for pieces of many secrets in many bytes at once, whatever their case."""

    def __init__(self) -> None:
        self.long: dict[bytes, str] = {}
        self.short: dict[bytes, str] = {}

    def expect_none_of(self, sample: Sample) -> None:
        for piece in sample.pieces():
            raw = piece.lower().encode()
            (self.long if len(raw) == WINDOW else self.short)[raw] = sample.format

    def seen_in(self, content: bytes) -> set[str]:
        low = content.lower()
        spots = range(len(low) - WINDOW + 1)
        hits = {low[at : at + WINDOW] for at in spots} & self.long.keys()
        return {self.long[hit] for hit in hits} | {
            name for raw, name in self.short.items() if raw in low
        }

    def seen_below(self, *folders) -> dict[str, set[str]]:
        found_in, read = {}, set()
        for folder in folders:
            for place, _, names in os.walk(folder):
                for path in (os.path.join(place, name) for name in names):
                    with open(path, "rb") as file:
                        node = os.fstat(file.fileno()).st_ino  # the spool is made of hard links
                        content = b"" if node in read else file.read()
                    read.add(node)
                    hits = self.seen_in(os.fsencode(path) + b"\n" + content)
                    if hits:
                        found_in[path] = hits
        return found_in


def masked_samples(number: int) -> list[Sample]:
    """Return samples of each format, without the few that masking is known to miss."""
    drawn = [one for name in FORMATS for one in samples(name, number)]
    return [one for one in drawn if not one.leaks_into(scrub(one.text)[0])]


def by_conflict(project, text):
    """Merge two corrections of one version into a text."""
    with varves.open(project) as one, varves.open(project) as other:
        name = one.remember(f"the old way {next(NUMBERS)}").id
        other.show(name)
        left = one.correct(name, f"one way {name}")
        one.undo(left.event)
        right = other.correct(name, f"other way {name}")
        one.undo(one.log(kind=["event.undone"])[-1].id)
        both = [each for each in one.conflicts() if right.id in {m.id for m in each.members}]
        one.resolve(both[0].id, merge=text)


def statement(ledger) -> str:
    return ledger.remember(f"plain statement {next(NUMBERS)}").id


DOORS = {
    "text": lambda ledger, text: ledger.remember(text),
    "private": lambda ledger, text: ledger.remember(text, private=True),
    "tag": lambda ledger, text: ledger.remember("a", tags=[text], again=True),
    "source": lambda ledger, text: ledger.remember("b", source=text, again=True),
    "speaker": lambda ledger, text: ledger.remember("c", speaker=text, again=True),
    "type": lambda ledger, text: ledger.remember("d", type=text, again=True),
    "evidence": lambda ledger, text: ledger.remember("e", evidence=[text], again=True),
    "session": lambda ledger, text: ledger.remember("f", session=text, again=True),
    "scope": lambda ledger, text: ledger.remember("g", scope=f"team:{text}", again=True),
    "at": lambda ledger, text: ledger.remember("h", at=text, again=True),
    "ttl": lambda ledger, text: ledger.remember("i", ttl=text, again=True),
    "batch": lambda ledger, text: ledger.remember_many([{"text": text, "tags": [text]}]),
    "correct": lambda ledger, text: ledger.correct(statement(ledger), text),
    "because": lambda ledger, text: ledger.correct(statement(ledger), "better", reason=text),
    "forget": lambda ledger, text: ledger.forget(statement(ledger), reason=text),
    "retag": lambda ledger, text: ledger.edit(statement(ledger), tag=[f"+{text}"]),
    "priority": lambda ledger, text: ledger.edit(statement(ledger), priority=text),
    "share": lambda ledger, text: ledger.share(ledger.remember(text, private=True).id),
    "show": lambda ledger, text: ledger.show(text),
    "undo": lambda ledger, text: ledger.undo(text),
    "log": lambda ledger, text: ledger.log(since=text),
    "recall": lambda ledger, text: ledger.recall(text),
}


def test_no_byte_of_a_secret_is_in_any_file(project, home, cli, capsys):
    """Every door takes texts with secrets; then all bytes below project, .git and home are read."""
    watch = Watch()
    chosen = masked_samples(STORED)
    assert len(chosen) >= 0.98 * len(FORMATS) * STORED
    chosen = chosen if full_size() else chosen[::6]
    told: list[str] = []
    doors = list(DOORS.items())
    with varves.open(project, mode="fast") as ledger:  # the same bytes, without waiting for them
        for at, sample in enumerate(chosen):
            watch.expect_none_of(sample)
            for _, door in (doors[at % len(doors)], doors[(at // len(doors)) % len(doors)]):
                try:
                    door(ledger, sample.text)
                except VarvesError as fault:
                    told.append(f"{fault} {fault.message} {fault.hint}")
        for sample in chosen[:: max(1, len(chosen) // 3)]:
            by_conflict(project, f"merged: {sample.text}")
            ledger.purge(statement(ledger), reason=sample.text)
            ledger.remember("long " * 53_000 + sample.text + " text" * 100)
    for sample in chosen[:: max(1, len(chosen) // 8)]:
        for options in ({"actor": sample.text}, {"session": sample.text}):
            try:
                with varves.open(project, **options) as ledger:
                    ledger.remember("said by somebody", again=True)
            except VarvesError as fault:
                told.append(f"{fault} {fault.message} {fault.hint}")
        said = [cli("remember", sample.text, "--json"), cli("remember", "x", "--at", sample.text)]
        said += [cli("forget", sample.text, "--reason", sample.text), cli(sample.text)]
        told += [one.out + one.err for one in said]
    assert list((project / ".varves").rglob("blobs")), "no text was long enough for a blob"
    subprocess.run(["git", "add", "-A"], cwd=project, check=True)
    objects = ["git", "cat-file", "--batch", "--batch-all-objects"]
    inside = subprocess.run(objects, cwd=project, check=True, capture_output=True).stdout
    assert watch.seen_in(inside) == set()
    assert watch.seen_in("\n".join(told).encode()) == set()
    assert watch.seen_below(project, home) == {}
    note_figure("S5", stored=len(chosen), bytes_found=0)
    with varves.open(project) as ledger:
        suspected = [one for one in ledger.doctor() if one.rule == "secret?"]
    assert [(one.place, one.message) for one in suspected] == []


def test_the_watch_sees_a_piece_in_any_case(tmp_path):
    watch = Watch()
    sample = samples("github-pat", 1)[0]
    watch.expect_none_of(sample)
    (secret,) = sample.secrets
    assert watch.seen_in(b"\0" + secret[5:18].upper().encode()) == {"github-pat"}
    (tmp_path / "a").write_bytes(secret.encode())
    assert list(watch.seen_below(tmp_path)) == [str(tmp_path / "a")]


# ---------------------------------------------------------------------- second opinion


def test_doctor_names_the_memory_and_the_kind_but_never_the_secret(ledger, cli):
    kept = {}
    for name in ("github-pat", "slack-bot", "stripe-secret"):
        sample = samples(name, 1)[0]
        kept[ledger.remember(sample.text, allow_secret=True).id] = sample
    ledger.remember("an honest note with a hash 3f786850e387550fdab836ed7e6dc881de23001b")
    found_ones = [one for one in ledger.doctor() if one.rule == "secret?"]
    assert {one.place for one in found_ones} == {*kept}
    assert {one.message.partition(": ")[2] for one in found_ones} >= {"GitHub Token", "Slack Token"}
    shown = cli("doctor")
    assert shown.code == 1
    assert not any(one.leaks_into(shown.out + shown.err) for one in kept.values())


def test_a_missing_detector_is_a_note_and_no_finding(ledger, cli, monkeypatch):
    ledger.remember(samples("github-pat", 1)[0].text, allow_secret=True)
    monkeypatch.setattr(second_opinion, "notes", lambda: (second_opinion.ABSENT,))
    assert [one for one in ledger.doctor() if one.rule == "secret?"] == []
    shown = cli("doctor")
    assert (shown.code, shown.out) == (0, f"ok\n{second_opinion.ABSENT}\n")
    assert cli("doctor", "--json").json["notes"] == [second_opinion.ABSENT]


def test_no_write_and_no_read_loads_the_detector(project, home):
    """Masking is ours alone: the detector would cost more than the write it looks at."""
    program = (
        "import sys, varves\n"
        "with varves.open('.') as ledger:\n"
        "    name = ledger.remember('a text').id\n"
        "    ledger.remember_many([{'text': 'b'}])\n"
        "    name = ledger.correct(name, 'c').id\n"
        "    ledger.edit(name, tag=['+d'])\n"
        "    ledger.recall('c'); ledger.list(); ledger.log(); ledger.status(); ledger.verify()\n"
        "    ledger.forget(name, reason='e')\n"
        "    before = [m for m in sys.modules if 'detect_secrets' in m or 'second_opinion' in m]\n"
        "    ledger.doctor()\n"
        "    after = [m for m in sys.modules if m == 'detect_secrets']\n"
        "print(before, after)\n"
    )
    ran = subprocess.run(
        [sys.executable, "-c", program], cwd=project, check=True, stdout=subprocess.PIPE
    )
    assert ran.stdout == b"[] ['detect_secrets']\n"


@pytest.mark.parametrize(
    ("loose", "line"),
    [
        ("Base64HighEntropyString", '"integrity": "GlVsaZ3EqKbDWRNvtQXnTuFHUxQ9h1mYlpq0Ce2sBk7"'),
        ("HexHighEntropyString", "fixed by '3f786850e387550fdab836ed7e6dc881de23001b'"),
        ("KeywordDetector", "password = 'ask-maya-on-monday'"),
        ("IPPublicDetector", "the resolver is 93.184.216.34"),
    ],
)
def test_the_plugins_left_out_see_secrets_where_there_are_none(loose, line):
    from detect_secrets.core.plugins.util import get_mapping_from_secret_type_to_class

    kinds = {kind.__name__: kind for kind in get_mapping_from_secret_type_to_class().values()}
    assert any(True for _ in kinds[loose]().analyze_string(line))
    assert second_opinion.suspected(line) == set()
