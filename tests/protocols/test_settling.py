"""Whatever state git left published files in, `varves rebuild` settles them and loses nothing."""

from __future__ import annotations

import json

import pytest

from tests.figures import full_size
from tests.protocols.settling import (
    ALL,
    FIVE,
    KNOWN,
    MARKS,
    OURS,
    STATES,
    THEIRS,
    WAYS,
    Hivemind,
    Layers,
    Party,
    Scoped,
    as_left,
    branched,
    committed,
    merge,
    read,
    rebase,
    removed,
    squash,
    took_ours,
    took_theirs_for_good,
    unmerged,
)


@pytest.fixture(params=FIVE, ids=lambda one: one.name)
def protocol(request):
    """Give each protocol in turn."""
    return request.param


PAIRS = [(way, state) for way in WAYS for state in STATES]
if not full_size():  # each way, and each state after one of them
    PAIRS = [(way, state) for way, state in PAIRS if state is as_left or way is merge]


@pytest.mark.full_size(sample=1)
@pytest.mark.product
@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: "-".join(one.__name__ for one in pair))
def test_rebuild_settles_every_published_file(clone, protocol, pair):
    way, state = pair
    here = clone()
    branched(here, protocol)
    done = way(here)
    if state is as_left and protocol.conflicts:
        assert protocol.conflicts in unmerged(here), "else there is nothing to settle"
    state(here)
    staged = here.git("diff", "--cached", "--name-only").splitlines()
    if way is not rebase:  # which does not go on where something is in work
        (here.root / "app.py").write_text("print('in work')\n", encoding="utf-8")

    ledger = here.at("2026-11-15T10:00:00Z")
    ledger.rebuild()

    if state is took_theirs_for_good and protocol.name == "layers":
        found = [one for one in ledger.layers.validate() if one.level == "error"]
        assert [one.rule for one in found] == ["S1-81"], "the file decides, and the log knows"
        ledger.layers.resolve(accept=False)
        ledger.rebuild()
        if way is rebase:  # git was told that all is resolved; the restored side is a new change
            here.git("add", "--update")
    assert protocol.texts(here.root) == ALL
    found = [one for one in getattr(ledger, protocol.name).validate() if one.rule != "S1-08"]
    assert not found
    assert unmerged(here) == []
    for path in here.git("ls-files").splitlines():
        content = (here.root / path).read_bytes()
        assert not any(mark in content for mark in MARKS), path
    now = here.git("diff", "--cached", "--name-only").splitlines()
    assert "app.py" not in now
    assert {*now} - {*staged} <= {*here.git("ls-files").splitlines()}
    if state is not committed and protocol.conflicts:
        here.git(*done.split())
    here.git("add", "--all")
    here.git("commit", "--quiet", "--allow-empty", "--message", "settled")
    here.at("2026-11-15T11:00:00Z").rebuild()
    assert here.git("status", "--porcelain") == ""
    assert protocol.texts(here.root) == ALL


# What no event says yet


@pytest.mark.full_size(sample=1)
@pytest.mark.parametrize("state", [as_left, took_ours, removed], ids=lambda one: one.__name__)
def test_an_edit_that_their_commit_brings_is_kept_too(clone, state):
    here, protocol = clone(), Scoped()
    branched(here, protocol)
    here.git("switch", "--quiet", "theirs")
    text = (here.root / protocol.conflicts).read_text(encoding="utf-8")
    edited = text.replace(KNOWN, "Edited by hand, and committed")
    (here.root / protocol.conflicts).write_text(edited, encoding="utf-8")
    here.git("commit", "--quiet", "--all", "--message", "by hand")
    here.git("switch", "--quiet", "main")
    merge(here)
    state(here)

    here.at("2026-11-15T10:00:00Z").rebuild()

    said = sorted(("Edited by hand, and committed", OURS, THEIRS))
    assert (protocol.texts(here.root), unmerged(here)) == (said, [])


@pytest.mark.full_size(sample=1)
@pytest.mark.product
@pytest.mark.parametrize("side", ["theirs", "main"])
@pytest.mark.parametrize("protocol", [Scoped(), Party(), Layers()], ids=lambda one: one.name)
def test_a_file_that_one_side_removed_is_there_again(clone, protocol, side):
    here = clone()
    branched(here, protocol)
    here.git("switch", "--quiet", side)
    here.git("rm", "--quiet", protocol.conflicts)
    here.git("commit", "--quiet", "--message", "remove it")
    here.git("switch", "--quiet", "main")
    merge(here)
    assert protocol.conflicts in unmerged(here)

    ledger = here.at("2026-11-15T10:00:00Z")
    ledger.rebuild()
    if protocol.name == "layers":  # the file decides, and the log knows what it had
        ledger.layers.resolve(accept=False)
        ledger.rebuild()

    assert (protocol.texts(here.root), unmerged(here)) == (ALL, [])


def test_a_record_that_one_side_forgot_and_the_other_changed_is_settled_by_the_log(clone):
    here, protocol = clone(), Hivemind()
    branched(here, protocol)
    [name] = [one.id for one in here.at("2026-11-15T09:30:00Z").list() if one.text == KNOWN]
    here.git("switch", "--quiet", "theirs")
    here.at("2026-11-15T09:31:00Z").forget(name, reason="outdated")
    here.commit("forget")
    here.git("switch", "--quiet", "main")
    here.at("2026-11-15T09:32:00Z").edit(name, tag=["make"])
    here.commit("tag")
    merge(here)

    ledger = here.at("2026-11-15T10:00:00Z")
    ledger.rebuild()

    assert unmerged(here) == []
    assert ledger.show(name).status == "forgotten"
    assert protocol.texts(here.root) == sorted((OURS, THEIRS))
    here.git("commit", "--quiet", "--no-edit")
    here.at("2026-11-15T11:00:00Z").rebuild()
    assert here.git("status", "--porcelain") == ""


# What is somebody else's


STATE = "_mdan/state/MDAN-STATE.json"


def stated(here, branch, **keys):
    """Write keys of another program into the state file on a branch, and commit."""
    here.git("switch", "--quiet", branch)
    path = here.root / STATE
    path.write_text(json.dumps({**keys, **read(here.root, STATE)}, indent=2), encoding="utf-8")
    here.commit("another program's")


def test_the_rest_of_a_shared_file_is_kept_where_one_side_changed_it(clone):
    here, protocol = clone(), Party()
    branched(here, protocol)
    stated(here, "theirs", phase="build")
    here.git("switch", "--quiet", "main")
    merge(here)
    assert STATE in unmerged(here)

    here.at("2026-11-15T10:00:00Z").rebuild()

    assert (protocol.texts(here.root), unmerged(here)) == (ALL, [])
    assert read(here.root, STATE)["phase"] == "build"


def test_the_rest_of_a_shared_file_is_left_to_a_person_where_both_changed_it(clone):
    here, protocol = clone(), Party()
    branched(here, protocol)
    stated(here, "theirs", phase="build")
    stated(here, "main", phase="test")
    merge(here)
    before = (here.root / STATE).read_bytes()

    made = here.at("2026-11-15T10:00:00Z").rebuild()

    assert unmerged(here) == [STATE]
    assert (here.root / STATE).read_bytes() == before
    assert any(STATE in note and "by hand" in note for note in made["notes"])
    took_ours(here)
    here.at("2026-11-15T10:00:01Z").rebuild()
    assert unmerged(here) == [STATE], "whose phase it is, only a person can tell"
    assert protocol.texts(here.root) == ALL


def test_nothing_but_published_files_is_marked_as_resolved(clone):
    here, protocol = clone(), Scoped()
    branched(here, protocol)
    for branch, text in (("theirs", "print('theirs')\n"), ("main", "print('ours')\n")):
        here.git("switch", "--quiet", branch)
        (here.root / "app.py").write_text(text, encoding="utf-8")
        here.commit("code")
    merge(here)
    (here.root / "new.py").write_text("", encoding="utf-8")
    before = (here.root / "app.py").read_bytes()

    ledger = here.at("2026-11-15T10:00:00Z")
    made = ledger.rebuild()

    assert made["settled"] == [protocol.conflicts]
    assert unmerged(here) == ["app.py"]
    assert (here.root / "app.py").read_bytes() == before
    assert here.git("status", "--porcelain", "new.py") == "?? new.py\n"


def test_a_side_that_is_no_json_is_named_and_left_unmerged(clone):
    here, protocol = clone(), Scoped()
    branched(here, protocol)
    here.git("switch", "--quiet", "theirs")
    (here.root / protocol.conflicts).write_text("{ broken\n", encoding="utf-8")
    here.git("commit", "--quiet", "--all", "--message", "broken")
    here.git("switch", "--quiet", "main")
    merge(here)
    before = (here.root / protocol.conflicts).read_bytes()

    made = here.at("2026-11-15T10:00:00Z").rebuild()

    assert unmerged(here) == [protocol.conflicts]
    assert (here.root / protocol.conflicts).read_bytes() == before
    assert any(protocol.conflicts in note for note in made["notes"])


def test_where_git_cannot_write_its_index_that_is_said(clone):
    here, protocol = clone(), Scoped()
    branched(here, protocol)
    merge(here)
    lock = here.root / ".git/index.lock"
    lock.touch()

    made = here.at("2026-11-15T10:00:00Z").rebuild()
    lock.unlink()

    assert (protocol.texts(here.root), made["settled"]) == (ALL, [])
    assert any(f"git add {protocol.conflicts}" in note for note in made["notes"])
    here.at("2026-11-15T10:00:01Z").rebuild()
    assert unmerged(here) == []


def test_an_old_stash_is_not_taken_for_the_other_side(clone):
    here, protocol = clone(), Scoped()
    branched(here, protocol)
    protocol.work(here.at("2026-11-15T09:30:00Z"), "Only stashed")
    here.git("stash", "--quiet", "--include-untracked")
    squash(here)

    here.at("2026-11-15T10:00:00Z").rebuild()

    assert (protocol.texts(here.root), unmerged(here)) == (ALL, [])


# The ledger's own files


def test_settings_with_conflict_marks_say_what_to_do(project, varves):
    varves("init")
    text = "<<<<<<< HEAD\nusage = true\n=======\nusage = false\n>>>>>>> theirs\n"
    (project / ".varves/settings.toml").write_text(text, encoding="utf-8")

    done = varves("rebuild")

    assert done.code == 5
    assert "resolve its git conflict markers by hand" in done.err
    assert len(done.err.splitlines()) == 1


def test_a_conflict_in_the_ledgers_own_files_stops_nothing_and_is_named(clone):
    here, protocol = clone(), Scoped()
    branched(here, protocol)
    attributes = ".varves/.gitattributes"
    for branch, text in (("theirs", "* text\n"), ("main", "*  -text\n")):
        here.git("switch", "--quiet", branch)
        (here.root / attributes).write_text(text, encoding="utf-8")
        here.commit("attributes")
    merge(here)

    made = here.at("2026-11-15T10:00:00Z").rebuild()

    assert (protocol.texts(here.root), unmerged(here)) == (ALL, [attributes])
    [note] = [one for one in made["notes"] if attributes in one]
    assert "varves doctor --fix writes it again; then git add" in note
    (here.root / attributes).unlink()
    here.at("2026-11-15T10:00:01Z").mend()
    here.git("add", attributes)
    here.git("commit", "--quiet", "--no-edit")
