"""A correction keeps what the memory rests on, noted as it stands now, unless told otherwise."""

from __future__ import annotations

import pytest

import varves
from varves.errors import UsageError


def pointers(scene, name: str) -> list[str]:
    """Return what a memory points to, in words, with what became of it."""
    told = scene.ledger.show(name).evidence
    return [f"{one.get('state')} {one.get('now')}" for one in told]


def corrected(scene, name: str, **options) -> str:
    return scene.ledger.correct(name, "zebra statement, corrected", **options).id


def assert_recalled(scene, name: str) -> None:
    [hit] = [one for one in scene.ledger.recall("zebra statement").hits if one.memory.id == name]
    assert not hit.stale


def test_a_correction_keeps_the_evidence(scene):
    name = corrected(scene, scene.remember("README.md:3", "src/store.py::Store.load"))
    assert pointers(scene, name) == ["unchanged README.md:3", "unchanged src/store.py:12"]
    assert_recalled(scene, name)


def test_the_evidence_of_a_correction_is_what_stands_there_now(scene):
    """The old memory was right about another text; who corrects it speaks of this one."""
    old = scene.remember("README.md:3", "src/store.py")
    scene.replace("README.md", "at noon", "at dusk")
    scene.replace("src/store.py", "LIMIT = 10", "LIMIT = 20")
    assert [one[:7] for one in pointers(scene, old)] == ["changed", "changed"]
    name = corrected(scene, old)
    assert pointers(scene, name) == ["unchanged README.md:3", "unchanged src/store.py"]
    assert_recalled(scene, name)
    scene.replace("README.md", "at dusk", "at dawn")
    assert pointers(scene, name)[0] == "changed README.md:3", "and is compared from here on"


def test_what_moved_is_pointed_to_where_it_is(scene):
    old = scene.remember("README.md:3-3", "src/store.py")
    scene.write("README.md", "# Zoo\n\nOpen daily.\n\nFeed the zebras at noon.\n")
    scene.git("mv", "src/store.py", "src/shop.py")
    scene.commit("moved")
    name = corrected(scene, old)
    assert pointers(scene, name) == ["unchanged README.md:5", "unchanged src/shop.py"]


def test_a_commit_is_kept(scene):
    commit = scene.git("rev-parse", "HEAD")
    name = corrected(scene, scene.remember(f"commit:{commit}"))
    assert pointers(scene, name) == [f"unchanged commit:{commit}"]


def test_what_is_gone_is_left_out_so_that_the_correction_is_recalled(scene):
    old = scene.remember("README.md", "src/store.py")
    (scene.root / "README.md").unlink()
    name = corrected(scene, old)
    assert pointers(scene, name) == ["unchanged src/store.py"]


def test_what_was_never_there_is_kept_by_its_name(scene):
    name = corrected(scene, scene.remember("other.txt"))
    assert [one["path"] for one in scene.ledger.show(name).evidence] == ["other.txt"]


def test_other_evidence_takes_its_place_and_none_leaves_it_out(scene):
    name = corrected(scene, scene.remember("README.md"), evidence=["src/store.py:3"])
    assert pointers(scene, name) == ["unchanged src/store.py:3"]
    bare = scene.ledger.correct(name, "zebra statement, again", evidence=[]).id
    assert scene.ledger.show(bare).evidence == ()


def test_a_merge_of_two_rests_on_what_both_did(scene):
    one = scene.remember("README.md")
    with varves.open(str(scene.root)) as other:
        other.correct(one, "zebras eat hay", evidence=["README.md", "src/store.py:3"])
        scene.ledger.undo(other.log()[-1].id)
    first = scene.ledger.remember("All requests time out after 30 s", evidence=["README.md"]).id
    second = scene.ledger.remember(
        "All requests time out after 60 s", evidence=["src/store.py", "README.md"]
    ).id
    [conflict] = scene.ledger.conflicts()
    assert {member.id for member in conflict.members} == {first, second}
    merged = scene.ledger.resolve(conflict.id, merge="Requests time out after 60 s, jobs after 30")
    assert sorted(pointers(scene, merged.id)) == ["unchanged README.md", "unchanged src/store.py"]


def test_undoing_a_correction_brings_the_old_evidence_back(scene):
    old = scene.remember("README.md")
    done = scene.ledger.correct(old, "zebra statement, corrected", evidence=["src/store.py"])
    scene.ledger.undo(done.event)
    assert pointers(scene, old) == ["unchanged README.md"]


def test_a_hostile_pointer_is_kept_unread(scene):
    """What a branch brought may name anything; it is not looked at, here neither."""
    with pytest.raises(UsageError):
        scene.ledger.correct(scene.remember("README.md"), "x", evidence=5)
    with pytest.raises(varves.errors.UnsafeName):
        scene.ledger.correct(scene.remember("src/store.py"), "y", evidence=["../../etc/passwd"])


# At the command line


@pytest.fixture
def told(project, varves):
    (project / "a.py").write_text("A = 1\n", encoding="utf-8")
    (project / "b.py").write_text("B = 1\n", encoding="utf-8")
    return varves("remember", "A is one", "--evidence", "a.py:1", "--json").json["id"]


def paths(varves, name: str) -> list[str]:
    shown = varves("show", name, "--json").json
    return [one["path"] for one in shown.get("evidence", ())]


@pytest.mark.parametrize(
    ("options", "expected"),
    [([], ["a.py"]), (["--evidence", "b.py"], ["b.py"]), (["--no-evidence"], [])],
    ids=["kept", "other", "none"],
)
def test_correct_takes_evidence(varves, told, options, expected):
    done = varves("correct", told, "A is two", *options, "--json")
    assert done.code == 0
    assert paths(varves, done.json["id"]) == expected


def test_evidence_and_none_of_it_is_refused_and_nothing_is_written(varves, told):
    before = varves("log", "--json").out
    done = varves("correct", told, "A is two", "--evidence", "b.py", "--no-evidence")
    assert (done.code, done.out) == (2, "")
    assert len(done.err.splitlines()) <= 2
    assert varves("log", "--json").out == before
