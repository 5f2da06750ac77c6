"""What git sees of us: one line for one memory, and nothing at all of reading."""

from __future__ import annotations

import json

import pytest

from tests.git.scene import Checkout, assert_each_counts_once, assert_whole, begin
from varves.cli.main import main


@pytest.fixture
def here(tmp_path, home):
    """Give a repository whose ledger is begun and committed."""
    checkout = begin(tmp_path / "project")
    checkout.ledger.init()
    checkout.commit("the ledger")
    yield checkout
    checkout.close()


def diff(here: Checkout) -> list[tuple[int, int, str]]:
    """Return added lines, removed lines and name of each file a commit now would change."""
    here.git("add", "-A")
    printed = here.git("diff", "--cached", "--numstat")
    here.git("reset", "--quiet")
    rows = [line.split("\t") for line in printed.splitlines()]
    return [(int(added), int(removed), name) for added, removed, name in rows]


def added_lines(here: Checkout) -> list[dict]:
    """Return the events a commit now would add."""
    here.git("add", "-A")
    printed = here.git("diff", "--cached", "--unified=0")
    here.git("reset", "--quiet")
    return [json.loads(line[1:]) for line in printed.splitlines() if line.startswith("+{")]


def test_a_first_memory_adds_one_line_in_one_file(here):
    event = here.remember("Use Postgres for storage")
    ((added, removed, name),) = diff(here)
    assert (added, removed) == (1, 0)
    assert name.startswith(".varves/log/")
    assert [line["id"] for line in added_lines(here)] == [event]


def test_a_memory_in_a_segment_that_goes_on_adds_one_line(here):
    here.remember("Use Postgres for storage")
    before = diff(here)
    here.remember("Use Redis for the queue")
    ((added, removed, name),) = diff(here)
    assert (added, removed, name) == (before[0][0] + 1, 0, before[0][2])


def test_a_memory_after_a_commit_adds_its_line_and_one_that_closes_the_segment_before(here):
    here.remember("Use Postgres for storage")
    here.commit("first")
    event = here.remember("Use Redis for the queue")
    ((added, removed, _),) = diff(here)
    assert (added, removed) == (2, 0)
    closing, recorded = added_lines(here)
    assert closing["kind"] == "segment.closed"
    assert recorded["id"] == event


def test_the_work_tree_outside_the_ledger_is_never_touched(here):
    (here.root / "code.py").write_text("print()\n", encoding="utf-8")
    before = here.changes()
    here.remember("Use Postgres for storage")
    assert {row for row in here.changes().splitlines() if ".varves/log/" not in row} == {before}


READING = (
    ["recall", "what do we use for storage?"],
    ["recall", "storage", "--include", "superseded", "--json"],
    ["list", "--status", "all"],
    ["show", "mem_aaaaaaaaaaaa"],
    ["history", "mem_aaaaaaaaaaaa"],
    ["log", "--json"],
    ["conflicts"],
    ["status"],
    ["verify", "--deep"],
    ["doctor"],
    ["list", "--as-of", "2026-11-15T06:00:00Z"],
)


@pytest.mark.full_size(sample=1)
@pytest.mark.parametrize("state", ["committed", "untracked", "eaten", "elsewhere", "cloned"])
def test_no_read_verb_changes_what_git_sees(here, tmp_path, capsys, state):
    """Neither where all is well nor where something is missing that a verb could mend."""
    here.remember("Use Postgres for storage", id="mem_aaaaaaaaaaaa")
    here.commit("first")
    here.remember("Use Redis for the queue")
    if state == "committed":
        here.commit("second")
    elif state == "eaten":
        here.git("clean", "-fdxq")
    elif state == "elsewhere":
        here.commit("second")
        here.git("checkout", "--quiet", "HEAD~3")  # from before the ledger
    elif state == "cloned":
        here.git("clone", "--quiet", ".", str(tmp_path / "clone"))
        here = Checkout(tmp_path / "clone")
    before = (here.changes(), here.git("rev-parse", "HEAD"), here.held())
    for words in READING:
        code = main([*words, "--root", str(here.root)])
        printed = capsys.readouterr()
        assert "internal error" not in printed.err
        assert code in (0, 1, 4), printed.err
        assert (here.changes(), here.git("rev-parse", "HEAD"), here.held()) == before, words


def test_a_branch_from_before_the_ledger_shows_nothing_of_ours(tmp_path, home):
    """The ledger's own ignore file is not on that branch; the index holds private text."""
    here = begin(tmp_path / "project")
    here.git("branch", "before")
    here.remember("Use Postgres for storage")
    here.remember("For me alone", private=True)
    here.ledger.list()
    here.commit("the ledger")
    here.git("checkout", "--quiet", "before")
    assert not here.changes()
    here.ledger.list()
    assert not here.changes()
    here.remember("A ledger begun again, with the same ledger open")
    assert ".varves/.gitignore" in here.changes()
    here.commit("begun again")
    assert not [name for name in here.git("ls-files").split() if "local" in name]
    here.git("merge", "--quiet", "--no-edit", "main")
    assert_each_counts_once(here)
    here.close()


def test_beginning_twice_makes_the_same_bytes(here):
    before = here.git("ls-tree", "-r", "HEAD")
    assert here.ledger.init().created == ()
    assert not here.changes()
    with Checkout(here.root).ledger as again:
        assert again.init().created == ()
    assert here.git("ls-tree", "-r", "HEAD") == before


def test_a_ledger_begun_on_two_branches_merges(tmp_path, home):
    here = begin(tmp_path / "project")
    here.git("branch", "other")
    for branch in ("main", "other"):
        here.git("checkout", "--quiet", branch)
        here.ledger.init()
        here.remember(f"Said on {branch}")
        here.commit(branch)
    here.git("merge", "--quiet", "--no-edit", "main")
    assert {memory.text for memory in here.ledger.list()} == {"Said on main", "Said on other"}
    assert not here.changes()
    here.close()


def test_a_ledger_kept_local_is_not_seen_at_all(tmp_path, home):
    here = begin(tmp_path / "project")
    here.ledger.init(local=True)
    here.remember("Use Postgres for storage")
    here.remember("For me alone", private=True)
    assert not here.changes()
    here.git("checkout", "--quiet", "-b", "other")
    here.remember("Use Redis for the queue")
    assert len(here.ledger.list()) == 3
    assert not here.changes()
    assert_whole(here.ledger)
    here.close()


def test_line_endings_are_left_alone_whatever_git_is_told(tmp_path, home):
    """A carriage return more in a line would be damage."""
    here = begin(tmp_path / "project")
    here.git("config", "core.autocrlf", "true")
    here.remember("Use Postgres for storage")
    here.commit("first")
    here.git("checkout", "--quiet", "HEAD~1")
    here.git("checkout", "--quiet", "main")
    assert_each_counts_once(here)
    assert_whole(here.ledger)
    here.close()
