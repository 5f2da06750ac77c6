"""Asking the past by a git revision: the project's log is what that commit holds of it."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from hashlib import sha1

import pytest

import varves
from tests.git.scene import (
    Checkout,
    WrongClock,
    assert_reading_changes_nothing,
    begin,
    clone,
)
from varves.cli.main import main
from varves.errors import NotFound
from varves.values.instants import iso

LONG = "a story of walruses " * 15_000  # kept in a blob beside its line
PURGED = re.compile(rb',"data":.*?,"salt":"[0-9a-f]{32}"')


class Dated(Checkout):
    """A checkout whose commits are made at the scene's own time."""

    def commit(self, message: str = "all") -> None:
        """Commit everything there is, now; and let a second pass."""
        seconds = self.time.ms // 1000
        self.time.ms = (seconds + 1) * 1000
        self.git("add", "-A")
        stamp = f"{seconds} +0000"
        dated = ("-c", "user.useConfigOnly=false", "commit", "--quiet", "--allow-empty")
        self.git(*dated, "-m", message, env={"GIT_COMMITTER_DATE": stamp, "GIT_AUTHOR_DATE": stamp})


@pytest.fixture
def here(tmp_path, home):
    """Give a repository with four commits; the ledger comes with the second."""
    checkout = begin(tmp_path / "project", kind=Dated)
    checkout.remember("Use Postgres for storage", id="mem_aaaaaaaaaaaa")
    checkout.commit("the ledger")
    checkout.git("tag", "-a", "v1", "-m", "the first")
    checkout.ledger.correct("mem_aaaaaaaaaaaa", "Use SQLite for storage")
    checkout.commit("corrected")
    checkout.remember("Use Redis for the queue")
    checkout.commit("queue")
    checkout.remember("Not committed yet")
    yield checkout
    checkout.close()


def texts(ledger: varves.Ledger, as_of: str, **filters: str) -> set[str]:
    """Return what was current at a moment."""
    return {memory.text for memory in ledger.list(as_of=as_of, **filters)}


FIRST = {"Use Postgres for storage"}
SECOND = {"Use SQLite for storage"}
THIRD = SECOND | {"Use Redis for the queue"}


def test_a_revision_shows_what_that_commit_holds(here):
    asked = {
        **dict.fromkeys(("HEAD", "@", "main", "HEAD~0"), THIRD),
        **dict.fromkeys(("HEAD~1", "main^", ":/corrected", "HEAD^@"), SECOND),
        **dict.fromkeys(("v1", "refs/tags/v1", "HEAD~2", "v1^{commit}"), FIRST),
        "HEAD~3": set(),  # before there was a ledger
    }
    assert {word: texts(here.ledger, word) for word in asked} == asked


def test_every_read_verb_takes_a_revision(here, capsys):
    asked = (
        ("recall", "storage"),
        ("show", "mem_aaaaaaaaaaaa"),
        ("history", "mem_aaaaaaaaaaaa"),
        ("list",),
        ("conflicts",),
        ("log",),
    )
    said = {}
    for name, *words in asked:
        assert main([name, *words, "--as-of", "v1", "--json", "--root", str(here.root)]) == 0
        said[name] = json.loads(capsys.readouterr().out)
    assert [hit["text"] for hit in said["recall"]["hits"]] == ["Use Postgres for storage"]
    moment = int(here.git("show", "-s", "--format=%ct", "v1^{commit}"))
    assert said["recall"]["as_of"] == iso(moment * 1000 + 999)
    assert said["show"]["status"] == "active"
    assert [event["kind"] for event in said["history"]["events"]] == ["memory.recorded"]
    assert len(said["log"]["events"]) == len(here.held_by("v1"))
    assert said["conflicts"] == {"conflicts": [], "more": 0, "uncompared": 0}


def test_the_events_of_a_revision_are_exactly_those_of_its_files(here):
    for word in ("HEAD", "HEAD~1", "HEAD~2", "HEAD~3"):
        shown = {event.id for event in here.ledger.log(as_of=word) if event.log == "project"}
        assert shown == here.held_by(word)


def test_what_was_merged_later_is_left_out_however_early_it_was_said(here):
    other = clone(here, "clone", off=-3_600_000)
    other.remember("Said an hour before")
    other.commit("early")
    here.commit("rest")
    here.git("pull", "--quiet", "--no-rebase", "--no-edit", str(other.root), "HEAD")
    assert "Said an hour before" in texts(here.ledger, "HEAD")
    assert "Said an hour before" not in texts(here.ledger, "HEAD^1")
    assert texts(here.ledger, "HEAD^2") == {*THIRD, "Said an hour before"}
    other.close()


def test_abbreviated_names_and_a_detached_head_are_revisions_too(here):
    here.git("checkout", "--quiet", "--detach", "HEAD~1")
    assert texts(here.ledger, "HEAD") == SECOND
    assert texts(here.ledger, here.git("rev-parse", "main")[:10]) == THIRD


def test_the_other_logs_stand_as_of_the_commits_time(here):
    here.ledger.remember("Private and early", private=True)
    here.ledger.remember("Global and early", scope="global")
    here.commit("between")
    here.ledger.remember("Private and late", private=True)
    here.ledger.remember("Global and late", scope="global")
    here.commit("after")
    early = {"Private and early", "Global and early"}
    assert texts(here.ledger, "HEAD~1") & {*early, "Private and late", "Global and late"} == early
    assert "Global and late" in texts(here.ledger, "HEAD")
    assert not texts(here.ledger, "v1") & early


def test_other_worktrees_are_left_out(here):
    here.git("worktree", "add", "--quiet", "-b", "feature", "../aside")
    with varves.open(here.root.parent / "aside", clock=WrongClock(here.time)) as aside:
        aside.remember("Said aside")
    assert "Said aside" in {memory.text for memory in here.ledger.list()}
    assert texts(here.ledger, "HEAD") == THIRD
    assert all(memory.branch is None for memory in here.ledger.list(as_of="HEAD", status="all"))
    assert "Said aside" in texts(here.ledger, "2126-01-01"), "an instant asks all there is"
    labels = {memory.text: memory.branch for memory in here.ledger.list(as_of="2126-01-01")}
    assert (labels["Said aside"], labels["Use Redis for the queue"]) == ("feature", None)


def test_expiry_is_judged_at_that_moment(here):
    here.remember("For an hour", ttl="1h")
    here.commit("soon over")
    here.time.ms += 7_200_000
    assert "For an hour" not in {memory.text for memory in here.ledger.list()}
    assert "For an hour" in texts(here.ledger, "HEAD")
    here.commit("two hours later")
    assert "For an hour" not in texts(here.ledger, "HEAD")
    assert "For an hour" in texts(here.ledger, "HEAD", status="expired")


def test_the_work_tree_is_not_looked_at(here):
    here.git("clean", "-fdxq")
    shutil.rmtree(here.root / ".varves/log")
    assert texts(here.ledger, "HEAD") == THIRD
    assert here.ledger.recall("queue", as_of="HEAD").hits
    assert not here.ledger.recall("queue").hits


def test_long_texts_come_from_the_commit_too(here):
    memory = here.ledger.remember(LONG)
    here.commit("long")
    (blob,) = here.root.glob(".varves/log/blobs/*")
    blob.unlink()
    here.commit("without it")
    assert here.ledger.show(memory.id, as_of="HEAD~1").text == LONG
    assert here.ledger.show(memory.id, as_of="HEAD").text != LONG


def test_packs_are_read_from_the_commit(here):
    lines = b"".join(path.read_bytes() for path in sorted(here.root.glob(".varves/log/*/*.jsonl")))
    for path in here.root.glob(".varves/log/*/*.jsonl"):
        path.unlink()
    folder = next(here.root.glob(".varves/log/*-*"))
    (folder / "20261115-abcdef-0123456789.pack.jsonl").write_bytes(b'{"pack":1}\n' + lines)
    here.commit("packed")
    assert texts(here.ledger, "HEAD") == {*THIRD, "Not committed yet"}
    assert texts(here.ledger, "HEAD~1") == THIRD


def test_what_is_no_plain_segment_in_the_commit_is_no_part_of_its_log(here, tmp_path):
    stranger = begin(tmp_path / "stranger", seed="stranger")
    stranger.remember("Forged")
    (forged,) = stranger.root.glob(".varves/log/*/*.jsonl")
    blob = here.git("hash-object", "-w", str(forged))
    leaf, month = "20261115-abcdef-0123456789.jsonl", f".varves/log/{forged.parent.name}"
    for mode, path in (
        ("120000", f"{month}/{leaf}"),  # a link, whatever it says
        ("100644", f"{month}/deeper/{leaf}"),
        ("100644", f".varves/log/{leaf}"),
        ("100644", f".varves/log/blobs/{leaf}"),
        ("100644", f"{month}/{leaf}.bak"),
    ):
        here.git("update-index", "--add", "--cacheinfo", f"{mode},{blob},{path}")
    here.git("commit", "--quiet", "-m", "odd files")
    assert texts(here.ledger, "HEAD") == THIRD
    here.git("update-index", "--add", "--cacheinfo", f"100644,{blob},{month}/{forged.name}")
    here.git("commit", "--quiet", "-m", "a segment")
    assert texts(here.ledger, "HEAD") == {*THIRD, "Forged"}
    stranger.close()


def test_text_that_was_purged_stays_purged(here):
    """The line is purged here by hand; the commit still holds it whole."""
    for segment in here.root.glob(".varves/log/*/*.jsonl"):
        lines = segment.read_bytes().splitlines(keepends=True)
        purged = [PURGED.sub(b',"purged":true', one) if b"Redis" in one else one for one in lines]
        segment.unlink()
        segment.write_bytes(b"".join(purged))
    assert b"Redis" in here.git("show", "HEAD").encode()
    assert texts(here.ledger, "HEAD") == SECOND
    told = [event for event in here.ledger.log(as_of="HEAD") if event.purged]
    assert len(told) == 1
    assert "Redis" not in str([event.as_dict() for event in here.ledger.log(as_of="HEAD")])


ODD = (
    *("lately", "no-such-branch", "deadbeef", " ", "HEAD~99", "v1:README", "HEAD:.varves"),
    *(
        "--branches",
        "--tags",
        "--glob=main",
        "--all",
        "-h",
        "--help",
        "--output=stolen",
        "--git-dir=/",
        "-C",
        "--end-of-options",
        "--",
    ),
    *("^HEAD", "HEAD..main", "HEAD~1...main", "^main^", "HEAD^!", "\n", "HEAD\nmain"),
    *("evt_", "2026-13-45", "x" * 5000, "zw\u00f6lf", "$(touch stolen)", "a\\b", "refs/heads"),
)


def test_a_word_that_names_nothing_is_one_clear_line_and_exit_code_4(here, capsys):
    before = sorted(path.name for path in here.root.rglob("*") if ".git" not in path.parts)
    for word in ODD:
        assert main(["list", "--root", str(here.root), f"--as-of={word}"]) == 4, word
        out, err = capsys.readouterr()
        assert (out, err.count("\n")) == ("", 1), word
        assert err.startswith("varves: "), word
    assert sorted(p.name for p in here.root.rglob("*") if ".git" not in p.parts) == before


def test_an_empty_word_and_a_nul_name_nothing(here):
    for word in ("", "HEAD\0", "\0"):
        with pytest.raises(NotFound):
            here.ledger.list(as_of=word)


def test_an_ambiguous_abbreviation_names_nothing(here):
    author = b"Ada <ada@example.org> 1794722400 +0000"
    tree = here.git("rev-parse", "HEAD^{tree}").encode()
    seen: dict[str, bytes] = {}
    for number in range(65_537):
        commit = b"tree %b\nauthor %b\ncommitter %b\n\n%d\n" % (tree, author, author, number)
        framed = b"commit %d\0" % len(commit) + commit
        short = sha1(framed, usedforsecurity=False).hexdigest()[:4]
        if short in seen:
            break
        seen[short] = commit
    for one in (commit, seen[short]):
        made = ["git", "hash-object", "-t", "commit", "-w", "--stdin"]
        subprocess.run(made, cwd=here.root, input=one, capture_output=True, check=True)
    with pytest.raises(NotFound):
        here.ledger.list(as_of=short)


def test_without_commits_or_without_git_there_is_no_revision(tmp_path, home, project):
    plain = tmp_path / "plain"
    plain.mkdir()
    for root in (project, plain):
        with varves.open(root) as ledger:
            ledger.remember("Something")
            for word in ("HEAD", "main", "lately"):
                with pytest.raises(NotFound, match="git revision here"):
                    ledger.list(as_of=word)


def test_a_ledger_in_a_subfolder_finds_its_own_log_in_the_commit(here):
    inner = here.root / "tools/[bot]"
    inner.mkdir(parents=True)
    with varves.open(inner, clock=WrongClock(here.time)) as ledger:
        ledger.remember("Said in the subfolder")
        here.commit("two ledgers")
        assert texts(ledger, "HEAD") == {"Said in the subfolder"}
        assert texts(ledger, "HEAD~1") == set()
    assert texts(here.ledger, "HEAD") == {*THIRD, "Not committed yet"}


def test_a_worktree_of_a_bare_repository_can_ask_too(here, tmp_path):
    here.git("clone", "--quiet", "--bare", str(here.root), str(tmp_path / "hub.git"))
    here.git(f"--git-dir={tmp_path}/hub.git", "worktree", "add", "--quiet", "../one", "main")
    with varves.open(tmp_path / "one") as one:
        assert texts(one, "HEAD~1") == SECOND
        assert texts(one, "v1") == FIRST


def test_a_commit_git_cannot_read_whole_is_reported(here):
    blob = here.git("rev-parse", "HEAD:.varves/format.json")  # some object, to know the layout
    assert (here.root / f".git/objects/{blob[:2]}/{blob[2:]}").exists()
    listed = here.git("ls-tree", "-r", "HEAD", "--", ".varves/log").split()
    oid = listed[2]
    (here.root / f".git/objects/{oid[:2]}/{oid[2:]}").unlink()
    with pytest.raises(varves.errors.Damaged, match="cannot be read"):
        here.ledger.list(as_of="HEAD")


def test_asking_a_revision_changes_nothing_and_tells_how_far_it_is(here):
    told: list[int] = []
    here.ledger.remember_many({"text": f"Note {n}"} for n in range(2100))
    here.commit("many")
    here.ledger.progress = told.append
    before = here.changes()
    assert len(here.ledger.list(as_of="HEAD")) == 2103
    assert told == [2000], "while the index catches up; nothing is folded again for HEAD"
    assert here.changes() == before
    assert_reading_changes_nothing(here)
