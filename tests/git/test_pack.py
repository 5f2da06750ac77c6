"""`varves pack`: what waits, what is left alone, and that nothing but the files changes."""

from __future__ import annotations

import json
import random
import shutil
import subprocess

import pytest

import varves as package
from tests.git.packed import all_ids, dumped, files, loose, only_packs, segments
from tests.git.scene import (
    Checkout,
    assert_index_follows,
    assert_whole,
    begin,
    folded,
    rules,
)
from varves.log.files import pack as packs
from varves.log.files.changes import FileChanges
from varves.log.files.verify import verify
from varves.places.locks import PACKING
from varves.places.store import Files
from varves.testing.log import MarkReader
from varves.upkeep import pack as packing


@pytest.fixture
def here(tmp_path, home):
    there = begin(tmp_path / "main")
    yield there
    there.close()


def test_committed_segments_become_one_pack_and_say_the_same(here):
    segments(here, 6)
    before, dump, held = files(here), dumped(here), set(here.held())
    proof = here.ledger.verify(deep=True)
    done = here.ledger.pack()
    [made] = done.packs
    assert (made.log, made.segments, done.segments) == ("project", 5, 5)
    assert (here.root / str(made.path)).is_file()
    assert len(loose(here)) == 1  # the one a lane wrote last
    assert dumped(here) == dump
    assert set(here.held()) == held
    again = here.ledger.verify(deep=True)
    assert again == proof
    assert again.segments == len(before)


def test_a_pack_lists_its_segments_and_holds_them_byte_for_byte(here):
    segments(here, 5)
    originals = {
        f"log/{path.parent.name}/{path.name}": path.read_bytes()
        for path in (here.root / ".varves/log").glob("*/*.jsonl")
    }
    [made] = here.ledger.pack().packs
    head, _, rest = (here.root / str(made.path)).read_bytes().partition(b"\n")
    listed = json.loads(head)
    assert list(listed) == ["pack", "segments"]
    assert listed["pack"] == 1
    for name, lines, size, last in listed["segments"]:
        part, rest = rest[:size], rest[size:]
        assert part == originals[name]
        assert part.count(b"\n") == lines
        assert json.loads(part.splitlines()[-1])["h"] == last
    assert rest == b""


def test_git_sees_a_new_file_and_deleted_ones_and_one_commit_takes_both(here):
    segments(here, 4)
    here.ledger.pack()
    states = sorted(row[:2] for row in here.changes().splitlines())
    assert states == [" D", " D", " D", "??"]
    here.commit("packed")
    assert here.changes() == ""
    assert_whole(here.ledger)


def test_what_is_not_committed_or_staged_otherwise_does_not_wait(here):
    segments(here, 4)
    committed = files(here)
    here.remember("Not committed")
    here.git("add", "-A")
    here.remember("Not even staged")
    [unstaged] = {name for name in committed if name != max(committed)} and [min(committed)]
    here.git("rm", "--quiet", "--cached", f".varves/log/2026-11/{unstaged}")
    here.ledger.pack()
    assert unstaged in files(here)
    assert len(files(here) - committed - only_packs(here)) == 2


def test_what_differs_from_head_in_the_work_tree_does_not_wait(here):
    """Whole and chained, but not the bytes HEAD has: a purge that is not committed yet."""
    segments(here, 6)
    path = min((here.root / ".varves/log/2026-11").iterdir())
    purge_last_line(path)
    assert here.ledger.pack().segments == 4
    assert path.exists()


def test_nothing_is_packed_amid_a_merge(here):
    segments(here, 4)
    head = here.git("rev-parse", "HEAD")
    (here.root / ".git/MERGE_HEAD").write_text(f"{head}\n", encoding="utf-8")
    assert here.ledger.pack().segments == 0
    (here.root / ".git/MERGE_HEAD").unlink()
    assert here.ledger.pack().segments == 3


def test_a_torn_tail_a_bad_line_and_a_break_are_evidence_and_stay(here):
    segments(here, 8)
    torn, bad, broken, *_ = sorted((here.root / ".varves/log/2026-11").iterdir())
    for name in (torn, bad, broken):
        content = name.read_bytes()
        if name is torn:
            name.write_bytes(content + b'{"v":1')
        elif name is bad:
            name.write_bytes(content.replace(b"Note", b"Nope", 1))
        else:
            other = sorted((here.root / ".varves/log/2026-11").iterdir())[5].read_bytes()
            name.write_bytes(content + other)
    here.commit("all of it committed, damage too")
    damage = rules(here.ledger.verify().damage)
    here.ledger.pack()
    assert {torn.name, bad.name, broken.name} <= files(here)
    assert only_packs(here)
    assert rules(here.ledger.verify().damage) == damage


def test_packs_have_at_most_a_thousand_lines_and_whole_segments(here, monkeypatch):
    monkeypatch.setattr(packs, "MAX_LINES", 7)
    segments(here, 14)
    made = here.ledger.pack().packs
    assert len(made) > 2
    assert all(one.segments >= 2 and one.lines <= 7 for one in made)
    assert_whole(here.ledger)


def test_packs_are_no_larger_than_a_purge_can_handle(here, monkeypatch):
    segments(here, 14)
    largest = max(path.stat().st_size for path in here.root.glob(".varves/log/*/*.jsonl"))
    monkeypatch.setattr(packs, "MAX_BYTES", 4 * largest)
    made = here.ledger.pack().packs
    assert len(made) > 2
    assert all(2 <= one.segments <= 4 for one in made)
    assert_whole(here.ledger)


def test_segments_that_somebody_renamed_are_left_as_they_are(here):
    """No later segment names them, as with a restored copy."""
    segments(here, 5)
    dump = dumped(here)
    for number, path in enumerate(sorted((here.root / ".varves/log/2026-11").iterdir())[:-1]):
        path.rename(path.with_name(f"{number}.jsonl"))
    here.commit("renamed")
    before = files(here)
    assert here.ledger.pack().packs == ()
    assert files(here) == before
    assert dumped(here) == dump


def test_a_second_run_finds_nothing_and_packs_are_not_packed_again(here):
    segments(here, 5)
    here.ledger.pack()
    here.commit("packed")
    before = files(here)
    assert here.ledger.pack().segments == 0
    assert files(here) == before


def test_originals_that_came_back_beside_their_pack_are_no_damage_and_go_again(here):
    segments(here, 5)
    dump = dumped(here)
    here.ledger.pack()
    packed = only_packs(here)
    here.git("checkout", "--", ".")
    assert len(files(here)) == 6
    assert_whole(here.ledger)
    assert assert_index_follows(here.ledger, here.time.ms) == dump
    done = here.ledger.pack()
    assert [(one.path, one.segments) for one in done.packs] == [(None, 4)]
    assert only_packs(here) == packed
    assert assert_index_follows(here.ledger, here.time.ms) == dump


def test_a_dry_run_says_the_same_and_touches_nothing(here):
    segments(here, 5)
    before = files(here)
    said = here.ledger.pack(dry_run=True)
    assert files(here) == before
    done = here.ledger.pack()
    assert [one.replace(path=None) for one in done.packs] == list(said.packs)


def test_writing_goes_on_after_a_pack_and_closes_the_packed_segment(here):
    segments(here, 5)
    with package.open(here.root, actor="ada") as other:
        here.ledger.pack()
        other.remember("From another process")
    here.remember("And from this one")
    here.commit("more")
    here.ledger.pack()
    here.commit("packed")
    assert_whole(here.ledger)
    assert not here.ledger.verify().gaps
    assert dumped(here)


def purge_last_line(path):
    """Purge the last line of a segment as the verb does: the file is replaced."""
    *lines, last = path.read_bytes().splitlines(keepends=True)
    cut, end = last.index(b',"data":'), last.rindex(b',"c":"')
    beside = path.with_name("beside")
    beside.write_bytes(b"".join([*lines, last[:cut] + b',"purged":true' + last[end:]]))
    beside.rename(path)


def test_a_segment_that_changes_while_it_is_packed_stays_and_leaves_the_pack(here, monkeypatch):
    segments(here, 5)
    chosen = sorted((here.root / ".varves/log/2026-11").iterdir())[1]
    real = Files.replace

    def purge_meanwhile(store, name, content):
        real(store, name, content)
        if name.endswith(".pack.jsonl") and b"purged" not in chosen.read_bytes():
            purge_last_line(chosen)

    monkeypatch.setattr(Files, "replace", purge_meanwhile)
    [made] = here.ledger.pack().packs
    assert chosen.exists()
    head, _, rest = (here.root / str(made.path)).read_bytes().partition(b"\n")
    assert len(json.loads(head)["segments"]) == made.segments == 3
    assert chosen.name not in head.decode()
    assert rest.count(b"\n") == made.lines
    assert_whole(here.ledger)
    assert_index_follows(here.ledger, here.time.ms)


def test_purged_lines_keep_their_place_in_a_pack(here):
    segments(here, 5)
    path = min((here.root / ".varves/log/2026-11").iterdir())
    purge_last_line(path)
    here.commit("purged")
    dump = assert_index_follows(here.ledger, here.time.ms)
    here.ledger.pack()
    assert path.name not in files(here)
    assert assert_index_follows(here.ledger, here.time.ms) == dump
    assert_whole(here.ledger)


# Git


def test_doctor_does_not_take_packed_segments_for_eaten(here):
    segments(here, 5)
    here.ledger.pack()
    assert rules(here.ledger.doctor()) == []
    assert here.ledger.restore_eaten().restored == 0
    here.commit("packed")
    assert here.ledger.restore_eaten().restored == 0


def test_events_of_a_lost_pack_come_back_from_the_spool(here):
    """The commits with the segments and with the pack are both gone from every branch."""
    start = here.git("rev-parse", "HEAD")
    segments(here, 5)
    held = set(here.held())
    here.ledger.pack()
    here.commit("packed")
    here.git("reset", "--quiet", "--hard", start)
    assert here.ledger.restore_eaten().restored == len(held)
    assert set(here.held()) == held
    assert_whole(here.ledger)


@pytest.mark.full_size(sample=1)
@pytest.mark.parametrize("then", ["nothing", "commit"])
def test_a_pack_that_was_cleaned_away_before_its_commit_is_eaten_and_comes_back(here, then):
    segments(here, 5)
    held, dump = set(here.held()), dumped(here)
    here.ledger.pack()
    here.git("clean", "-fdxq")
    assert set(here.held()) < held
    if then == "commit":  # the branch itself has lost the events now, but for its history
        here.commit("without looking")
    assert rules(here.ledger.doctor()) == ["eaten"]
    here.ledger.restore_eaten()
    assert set(here.held()) == held
    assert dumped(here) == dump
    assert_whole(here.ledger)
    assert rules(here.ledger.doctor()) == []


def test_a_pack_cleaned_away_comes_back_though_a_worktree_holds_its_segments(here):
    segments(here, 5)
    held = set(here.held())
    here.git("worktree", "add", "--quiet", "../beside", "-b", "beside")
    assert {event.branch for event in here.ledger.log()} == {None}
    here.ledger.pack()
    here.git("clean", "-fdxq")
    assert {event.branch for event in here.ledger.log()} >= {"beside"}
    here.ledger.restore_eaten()
    assert set(here.held()) == held
    assert here.git("status", "--porcelain") == ""


def test_the_spool_lets_go_of_what_heads_packs_hold(here):
    segments(here, 5)
    spool = here.root / ".git/varves/spool"
    assert len(list(spool.glob("2026-11/*"))) == 5
    here.ledger.pack()
    here.commit("packed")
    assert len(list(spool.glob("2026-11/*"))) == 5
    here.time.ms += 40 * 86_400_000
    here.ledger.rebuild()
    assert len(list(spool.glob("2026-11/*"))) == 5
    here.ledger.pack()
    assert list(spool.glob("2026-11/*")) == []


def pack_behind(monkeypatch, root, name):
    """Let another process pack right after the next call of a store's method."""
    real = getattr(Files, name)
    waiting = [root]

    def then_pack(store, *args):
        found = real(store, *args)
        if waiting and store.root.endswith(".varves") and args[0] == "log/2026-11":
            with package.open(waiting.pop(), actor="ada") as other:
                assert other.pack().segments
        return found

    monkeypatch.setattr(Files, name, then_pack)


def test_a_reader_that_listed_the_originals_finds_them_in_their_pack(here, monkeypatch):
    """It reads what it has listed, and the files are gone: once for all that is there."""
    segments(here, 6)
    expected = {memory.id for memory in here.ledger.list()}
    here.git("clean", "-fdxq", ".varves/local")
    pack_behind(monkeypatch, here.root, "entries")
    with package.open(here.root, actor="ada") as fresh:
        assert {memory.id for memory in fresh.list()} == expected
        assert fresh.status()["bad_lines"] == 0
    assert only_packs(here)


@pytest.mark.full_size(sample=1)
@pytest.mark.parametrize("reader", [lambda store: verify(store, "project"), all_ids])
def test_whoever_reads_the_files_beside_a_packing_process_sees_each_event(
    here, monkeypatch, reader
):
    segments(here, 6)
    store = Files(f"{here.root}/.varves", private=False)
    before = reader(store)
    pack_behind(monkeypatch, here.root, "entries")
    assert reader(store) == before
    assert only_packs(here)


def test_a_writer_goes_on_while_what_it_has_just_seen_is_packed(here, monkeypatch):
    here.remember("Before")
    with package.open(here.root, actor="bob") as other:  # another lane, and our watch knows it not
        for number in range(6):
            other.remember(f"Of another process {number}")
            here.commit(f"{number}")
    pack_behind(monkeypatch, here.root, "entries")
    here.remember("After")
    monkeypatch.undo()
    assert only_packs(here)
    assert {"Before", "After"} <= {memory.text for memory in here.ledger.list()}
    dumped(here)
    assert_whole(here.ledger)


# Logs outside a work tree


def test_other_logs_pack_what_a_later_segment_closed(here, monkeypatch):
    for day in range(6):
        here.ledger.remember(f"Private {day}", private=True)
        here.ledger.remember(f"Global {day}", scope="global")
        here.time.ms += 86_400_000
    before = [memory.id for memory in here.ledger.list(status="all")]
    done = here.ledger.pack()
    assert {(one.log, one.segments) for one in done.packs} == {("private", 5), ("global", 5)}
    assert [memory.id for memory in here.ledger.list(status="all")] == before
    assert here.changes().count("\n") == here.changes().count("?? .varves/") - 1
    here.ledger.remember("Private once more", private=True)
    found = here.ledger.verify(deep=True)
    assert found.ok
    assert not found.gaps


def test_a_ledger_kept_out_of_git_is_packed_as_if_there_were_none(tmp_path, home):
    here = begin(tmp_path / "main")
    here.ledger.init(local=True)
    segments(here, 5)
    held = here.held()
    assert here.ledger.pack().segments == 4
    assert sorted(here.held()) == sorted(held)
    here.git("clean", "-fdxq")
    assert here.ledger.restore_eaten().restored == len(set(held))
    here.close()


def test_packing_any_closed_subset_in_any_portions_never_changes_the_dump(tmp_path, home):
    """A property over seeds, straight on the log: no git decides what waits."""
    root = tmp_path / "plain"
    root.mkdir()
    there = Checkout(root)
    for day in range(9):
        memory = there.ledger.remember(f"Day {day}").id
        if day % 3 == 1:
            there.ledger.correct(memory, f"The day after {day - 1}")
        elif day % 3 == 2:
            there.ledger.forget(memory, reason="over")
        there.time.ms += 86_400_000
    dump, proof = dumped(there), there.ledger.verify(deep=True)
    there.close()
    for seed in range(12):
        chance = random.Random(seed)
        copy = tmp_path / f"copy{seed}"
        shutil.copytree(root, copy, ignore=shutil.ignore_patterns("local"))
        again = Checkout(copy, time=there.time)
        store = Files(f"{copy}/.varves", private=False)
        for _ in range(chance.randint(1, 3)):
            names = sorted(f"log/2026-11/{name}" for name in loose(again))[:-1]
            chosen = sorted(chance.sample(names, chance.randint(0, len(names))))
            word = again.ids.word
            list(packs.pack(store, dict.fromkeys(chosen, ""), word=word))
            assert dumped(again) == dump
        assert again.ledger.verify(deep=True) == proof
        again.close()


def test_without_git_closed_segments_are_packed(tmp_path, home):
    root = tmp_path / "plain"
    root.mkdir()
    there = Checkout(root)
    for day in range(5):
        there.remember(f"Day {day}")
        there.time.ms += 86_400_000
    dump = folded(there.ledger, there.time.ms)
    assert there.ledger.pack().segments == 4
    assert folded(there.ledger, there.time.ms) == dump
    assert_whole(there.ledger)
    there.close()


# Triggers and the verb


def test_status_counts_what_waits(here):
    segments(here, 4)
    assert here.ledger.status()["logs"]["project"]["to_pack"] == 3
    here.ledger.pack()
    assert here.ledger.status()["logs"]["project"]["to_pack"] == 0


def test_init_packs_when_many_wait_and_says_so(here, monkeypatch):
    monkeypatch.setattr(packing, "MANY", 3)
    segments(here, 4)
    here.git("config", "core.fsync", "all")
    here.ledger.connect_git()
    assert here.ledger.init().notes == ()
    here.remember("One more")
    here.commit("more")
    [note] = here.ledger.init().notes
    assert note.startswith("packed 4 segments")
    assert here.ledger.init().notes == ()


def test_remembering_and_recalling_never_pack(here, monkeypatch):
    monkeypatch.setattr(packing, "MANY", 1)
    segments(here, 4)
    here.remember("Still loose")
    here.ledger.recall("loose")
    assert not only_packs(here)


def test_a_segment_that_may_not_be_removed_stays_beside_its_pack(here):
    class Stuck(Files):
        def remove(self, name):
            raise PermissionError(f"{name} may not be removed")

    segments(here, 4)
    dump, before = dumped(here), loose(here)
    store = Stuck(f"{here.root}/.varves", private=False)
    names = sorted(f"log/2026-11/{name}" for name in before)[:-1]
    list(packs.pack(store, dict.fromkeys(names, ""), word=here.ids.word))
    assert loose(here) == before
    assert dumped(here) == dump
    assert here.ledger.verify(deep=True).ok


def test_what_is_packed_while_it_is_read_is_found_in_its_pack_at_once(here):
    segments(here, 4)
    plain = Files(f"{here.root}/.varves", private=False)
    expected = all_ids(plain)
    names = sorted(f"log/2026-11/{name}" for name in loose(here))[:-1]

    class Meanwhile(Files):
        def read(self, name):
            list(packs.pack(plain, dict.fromkeys(names, ""), word=here.ids.word))
            return super().read(name)

    changes = FileChanges("project", Meanwhile(plain.root, private=False), MarkReader())
    gone, found = set(), set()
    for part in changes:
        gone |= {part.name} if part.gone else set()
        found |= {event.id for event, _ in part.events}
    assert gone
    assert found == expected


def test_only_one_process_packs_a_log(here):
    segments(here, 4)
    store = Files(f"{here.root}/.varves", private=False)
    held = store.lock(PACKING)
    with pytest.raises(package.errors.Busy):
        here.ledger.pack()
    store.close(held)
    assert here.ledger.pack().segments == 3


def test_the_verb_says_what_it_did(varves, project):
    assert varves("pack").out == "nothing to pack\n"
    for number in range(4):
        varves("remember", f"Note {number}")
        subprocess.run(["git", "add", "-A"], cwd=project, check=True)
        subprocess.run(["git", "commit", "-qm", f"{number}"], cwd=project, check=True)
    said = varves("pack", "--dry-run", "--json")
    assert said.code == 0
    assert said.json["segments"] == 3
    assert said.json["packs"][0] == {**said.json["packs"][0], "log": "project", "path": None}
    done = varves("pack")
    assert done.code == 0
    assert done.out.startswith("3 segments packed\n  .varves/log/")
    assert "commit both together" in done.out
    assert varves("pack", "--json").json == {"packs": [], "segments": 0}
