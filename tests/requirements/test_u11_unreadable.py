from __future__ import annotations

import pytest

import varves as package
from tests.places import forget_local, local_of

DAMAGE = {
    "bad JSON": lambda _: b"{not json]",
    "half a file": lambda content: content[: len(content) // 2],
    "a wrong encoding": lambda content: content.decode("utf-8").encode("utf-16"),
    "nothing": lambda _: b"",
    "noise": lambda _: bytes(range(256)),
    "a deep nest": lambda _: b"[" * 100_000,
}
VERBS = (("status",), ("recall", "zod"), ("list",), ("verify",), ("rebuild",), ("doctor",))


@pytest.fixture
def used(project):
    """A ledger with something in it, and nobody who holds it open."""
    with package.open(project) as ledger:
        ledger.init()
        for text in ("use zod", "use yup for forms", "check input", "long text " * 30_000):
            ledger.remember(text)
        assert len(ledger.list()) == 4


def damaged(path, kind):
    """Damage a file and return what it holds now."""
    path.write_bytes(DAMAGE[kind](path.read_bytes()))
    return path.read_bytes()


@pytest.mark.full_size(sample=1)
@pytest.mark.requirement("U-11")
@pytest.mark.parametrize("kind", DAMAGE)
def test_an_unreadable_format_stops_every_verb_and_stays_as_it_is(cli, used, project, kind):
    path = project / ".varves/format.json"
    left = damaged(path, kind)
    for argv in (("remember", "more"), ("init",), *VERBS):
        answer = cli(*argv)
        assert (answer.code, "format.json" in answer.err) == (5, True), argv
        assert path.read_bytes() == left


@pytest.mark.full_size(sample=1)
@pytest.mark.requirement("U-11")
@pytest.mark.parametrize(
    "kind", [kind for kind in DAMAGE if kind not in ("nothing", "half a file")]
)
def test_unreadable_settings_stop_every_verb_and_stay_as_they_are(cli, used, project, kind):
    path = project / ".varves/settings.toml"
    path.write_text('[teams.core]\nroot = "../core"\n', encoding="utf-8")
    left = damaged(path, kind)
    for argv in (("remember", "more"), ("init",), *VERBS):
        answer = cli(*argv)
        assert (answer.code, "settings.toml" in answer.err) == (5, True), argv
        assert path.read_bytes() == left


@pytest.mark.full_size(sample=1)
@pytest.mark.requirement("U-11")
@pytest.mark.parametrize("kind", DAMAGE)
def test_an_unreadable_segment_is_reported_left_alone_and_stops_nobody(cli, used, project, kind):
    (segment,) = (project / ".varves/log").glob("*/*.jsonl")
    left = damaged(segment, kind)
    assert cli("remember", "written after the damage").code == 0
    assert "written after the damage" in cli("recall", "damage").out
    for argv in VERBS:
        assert cli(*argv).code in (0, 1), argv
    assert segment.read_bytes().startswith(left)
    if kind in ("nothing", "half a file"):
        return  # a cut leaves nothing that cannot be read; the closing line tells, next test
    found = cli("verify", "--json")
    assert found.code in (0, 1)
    if left.endswith(b"\n") or segment.read_bytes() != left:
        assert (found.code, segment.name in str(found.json["damage"])) == (1, True)


@pytest.mark.requirement("U-11")
def test_a_segment_cut_after_it_was_closed_is_reported(cli, used, project):
    (segment,) = (project / ".varves/log").glob("*/*.jsonl")
    whole = segment.read_bytes()
    left = whole[: whole.find(b"\n") + 10]
    segment.write_bytes(left)
    assert cli("remember", "the next segment closes the last").code == 0
    found = cli("verify", "--json")
    assert found.code == 1
    assert [one["rule"] for one in found.json["damage"]] == ["closed"]
    assert segment.name in found.json["damage"][0]["place"]
    assert segment.read_bytes() == left


@pytest.mark.requirement("U-11")
def test_one_bad_line_is_named_and_the_others_are_read(cli, used, project):
    (segment,) = (project / ".varves/log").glob("*/*.jsonl")
    left = segment.read_bytes().replace(b"use yup", b"use pup")
    segment.write_bytes(left)
    found = cli("verify", "--json")
    assert found.code == 1
    assert f"{segment.name}:2" in found.json["damage"][0]["place"]
    assert cli("doctor").code == 1
    assert "use zod" in cli("list").out
    assert "use pup" not in cli("list").out
    assert segment.read_bytes() == left


@pytest.mark.full_size(sample=1)
@pytest.mark.requirement("U-11")
@pytest.mark.parametrize("kind", ["bad JSON", "nothing", "noise"])
def test_an_unreadable_clone_name_stops_writing_and_stays_as_it_is(cli, used, project, kind):
    path = project / ".git/varves/clone"
    left = damaged(path, kind)
    answer = cli("remember", "more")
    assert (answer.code, "clone" in answer.err) == (5, True)
    assert cli("recall", "zod").code == 0
    assert path.read_bytes() == left


@pytest.mark.requirement("U-11")
def test_a_changed_blob_is_reported_and_stays_as_it_is(cli, used, project):
    (blob,) = (project / ".varves/log/blobs").iterdir()
    left = damaged(blob, "noise")
    found = cli("verify", "--json")
    assert (found.code, [one["rule"] for one in found.json["damage"]]) == (1, ["blob"])
    assert cli("remember", "more").code == 0
    assert blob.read_bytes() == left


@pytest.mark.full_size(sample=1)
@pytest.mark.requirement("U-11")
@pytest.mark.parametrize("kind", DAMAGE)
def test_a_lost_lane_note_costs_a_fresh_chain_and_no_event(cli, used, project, kind):
    """The note is our own scratch: it may be written again, the log may not."""
    before = {path: path.read_bytes() for path in (project / ".varves/log").glob("*/*.jsonl")}
    damaged(project / ".varves/local/lanes/0.lock", kind)
    assert cli("remember", "more").code == 0
    for path, content in before.items():
        assert path.read_bytes().startswith(content)
    assert cli("verify", "--deep").code == 0
    assert len(cli("list", "--json").json["memories"]) == 5


@pytest.mark.full_size(sample=1)
@pytest.mark.requirement("U-11")
@pytest.mark.parametrize("kind", ["bad JSON", "half a file", "nothing", "noise"])
def test_a_damaged_index_is_made_again_and_changes_no_answer(cli, used, project, kind):
    """It is derived: nothing in it is a source."""
    before = cli("list", "--json").out
    damaged(local_of(project) / "index.sqlite", kind)
    for beside in local_of(project).glob("index.sqlite-*"):
        beside.unlink()
    assert cli("list", "--json").out == before
    forget_local(project)
    assert cli("list", "--json").out == before


@pytest.mark.requirement("U-11")
def test_the_torn_end_of_our_own_segment_is_set_aside_not_lost(cli, used, project):
    (segment,) = (project / ".varves/log").glob("*/*.jsonl")
    whole = segment.read_bytes()
    segment.write_bytes(whole + b'{"v":1,"id":"evt_to')
    assert cli("remember", "more").code == 0
    (aside,) = (local_of(project) / "set-aside").iterdir()
    assert aside.read_bytes() == b'{"v":1,"id":"evt_to'
    assert segment.read_bytes().startswith(whole)
    assert cli("verify", "--deep").code == 0
