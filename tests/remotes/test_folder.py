"""A ledger that meets its other clones in a folder."""

from __future__ import annotations

import errno
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.remotes.test_copies import tree
from varves.errors import Busy


@pytest.fixture
def shared(tmp_path: Path) -> Path:
    place = tmp_path / "shared"
    place.mkdir()
    return place


@pytest.fixture
def other(tmp_path: Path) -> Path:
    """A second checkout without a git remote in common."""
    place = tmp_path / "other"
    place.mkdir()
    subprocess.run(["git", "init", "-q", str(place)], check=True)
    return place


@pytest.fixture
def both(varves, project: Path, other: Path, shared: Path) -> Path:
    for root in (project, other):
        assert varves("remote", "add", "nas", f"file:{shared}#shop", "--root", str(root)).code == 0
    return other


@pytest.fixture
def git():
    def run(root: Path, *words: str) -> None:
        subprocess.run(["git", *words], cwd=root, check=True, capture_output=True)

    return run


def texts(varves, root: Path) -> set[str]:
    return {one["text"] for one in varves("list", "--root", str(root), "--json").json["memories"]}


def test_what_one_clone_sends_another_receives(varves, project, both):
    varves("remember", "Invoices are rounded half to even", "--root", str(project))
    assert varves("push", "--root", str(project)).out == "nas: 1 sent, 0 received\n"
    assert varves("push", "--root", str(project)).out == "nas: 0 sent, 0 received\n"
    got = varves("pull", "nas", "--root", str(both), "--json").json
    assert (got["remote"], got["pushed"], got["pulled"], got["behind"]) == ("nas", 0, 1, 0)
    assert texts(varves, both) == {"Invoices are rounded half to even"}
    assert varves("verify", "--root", str(both)).code == 0


def test_a_push_says_what_waits_there(varves, project, both):
    varves("remember", "Invoices are rounded half to even", "--root", str(project))
    varves("push", "--root", str(project))
    varves("remember", "Refunds need two people", "--root", str(both))
    assert varves("push", "--root", str(both)).out == "nas: 1 sent, 0 received, 1 more there\n"
    assert varves("sync", "--root", str(both)).out == "nas: 0 sent, 1 received\n"


def test_private_memories_stay_here_unless_named_and_agreed_to(varves, project, both, shared):
    varves("remember", "My token is in the drawer", "--private", "--root", str(project))
    varves("sync", "--root", str(project))
    assert not [
        path for path in shared.rglob("*.jsonl") if "drawer" in path.read_text(encoding="utf-8")
    ]
    asked = ("remote", "add", "mine", f"file:{shared}", "--log", "private", "--root", str(project))
    refused = varves(*asked)
    assert refused.code == 3
    assert "could read your private memories" in refused.err
    assert varves(*asked, "--yes").code == 0
    assert varves("push", "mine", "--root", str(project)).out == "mine: 1 sent, 0 received\n"


def test_the_address_is_in_no_file_of_the_project(varves, project, both, shared):
    varves("remember", "Invoices are rounded half to even", "--root", str(project))
    varves("sync", "--root", str(project))
    for folder, _, names in os.walk(project):
        for name in names:
            assert str(shared).encode() not in Path(folder, name).read_bytes(), name
    listed = Path(os.environ["VARVES_HOME"], "remotes.toml")
    assert listed.stat().st_mode & 0o777 == 0o600


def test_a_purge_travels_and_the_other_clone_erases_too(varves, project, both, shared):
    made = varves("remember", "The door code is 4711", "--root", str(project), "--json").json
    for root in (project, both):
        varves("sync", "--root", str(root))
    varves("purge", made["id"], "--reason", "asked", "--yes", "--root", str(project))
    sent = varves("sync", "--root", str(project))
    assert "1 erased there" in sent.out
    assert "earlier versions" in sent.err
    varves("sync", "--root", str(both))
    for root in (shared, both / ".varves"):
        assert not [path for path in root.rglob("*.jsonl") if b"code is 4711" in path.read_bytes()]
    assert texts(varves, both) == set()
    assert varves("verify", "--root", str(both)).code == 0


def test_what_was_purged_there_does_not_come_back_from_here(varves, project, both, shared):
    made = varves("remember", "The door code is 4711", "--root", str(project), "--json").json
    for root in (project, both):
        varves("sync", "--root", str(root))
    varves("purge", made["id"], "--reason", "asked", "--yes", "--root", str(project))
    varves("push", "--root", str(project))
    varves("remember", "Refunds need two people", "--root", str(both))
    varves("push", "--root", str(both))
    assert not [path for path in shared.rglob("*.jsonl") if b"code is 4711" in path.read_bytes()]


def test_the_ledger_of_another_project_is_refused(varves, project, both, shared):
    for root, text in ((project, "Invoices are rounded"), (both, "The oven is electric")):
        subprocess.run(["git", "commit", "-q", "--allow-empty", "-m", text], cwd=root, check=True)
        varves("remember", text, "--root", str(root))
    varves("push", "--root", str(project))
    refused = varves("sync", "--root", str(both))
    assert refused.code == 3
    assert "the ledger of another project" in refused.err
    assert texts(varves, both) == {"The oven is electric"}


def test_a_changed_line_on_the_remote_is_not_taken(varves, project, both, shared):
    varves("remember", "Invoices are rounded half to even", "--root", str(project))
    varves("push", "--root", str(project))
    (segment,) = shared.rglob("*.jsonl")
    segment.write_bytes(segment.read_bytes().replace(b"half to even", b"half to zero"))
    got = varves("pull", "--root", str(both))
    assert got.code == 1
    assert "1 line that is not a valid event and was not taken" in got.err
    assert texts(varves, both) == set()
    for words in (("remote", "list"), ("status",)):
        said = varves(*words, "--root", str(both)).out
        assert "last use failed" in said
        assert "1 line there not valid and not taken" in said


def test_foreign_text_in_a_log_of_the_remote_is_named(varves, project, both, shared):
    varves("remember", "Invoices are rounded half to even", "--root", str(project))
    varves("push", "--root", str(project))
    (segment,) = shared.rglob("*.jsonl")
    segment.write_bytes(segment.read_bytes() + b"garbage\n")
    for pulled in (1, 0):
        got = varves("sync", "--root", str(both))
        assert (got.code, got.out) == (1, f"nas: 0 sent, {pulled} received\n")
        place = f"{segment.relative_to(shared / 'shop/project')}:2"
        assert f"1 line that is not a valid event and was not taken: {place}" in got.err
    assert varves("sync", "--root", str(project)).code == 1
    assert varves("verify", "--root", str(both)).code == 0


def test_a_repository_without_commits_joins_no_other_project(
    varves, project, other, both, git, shared
):
    (project / "a.txt").write_text("a", encoding="utf-8")
    git(project, "add", "a.txt")
    git(project, "-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "first")
    varves("remember", "The kiln fires at 1200 degrees", "--root", str(project))
    varves("push", "--root", str(project))
    varves("remember", "The oven is electric", "--root", str(other))
    refused = varves("sync", "--root", str(other))
    assert refused.code == 3
    assert "this repository has none" in refused.err
    assert len(refused.err.splitlines()) == 1
    assert texts(varves, other) == {"The oven is electric"}
    assert not [one for one in shared.rglob("*.jsonl") if b"oven" in one.read_bytes()]


BAD = [
    (("remote", "add", "nas", "https://example.com/x"), 2, "not the address of a remote"),
    (("remote", "add", "n s", "file:/tmp"), 2, "not a name for a remote"),
    (("remote", "add", "nas", "file:/tmp", "--log", "all"), 2, "no log 'all'"),
    (("remote", "add", "nas", "file:/tmp", "--when", "never"), 2, "never"),
    (("remote", "remove", "nas"), 4, "no remote 'nas'"),
    (("push",), 4, "no remote is known here"),
    (("pull", "nas"), 4, "no remote 'nas'"),
]


@pytest.mark.parametrize(("words", "code", "said"), BAD)
def test_bad_input_is_one_line(varves, project, words, code, said):
    answer = varves(*words, "--root", str(project))
    assert answer.code == code
    assert said in answer.err
    assert answer.err.count("\n") == 1


def test_a_missing_folder_leaves_local_work_alone(varves, project, tmp_path):
    varves("remote", "add", "nas", f"file:{tmp_path}/gone", "--root", str(project))
    varves("remember", "Invoices are rounded half to even", "--root", str(project))
    answer = varves("sync", "--root", str(project))
    assert answer.code == 6
    assert "mount the drive" in answer.err
    assert texts(varves, project) == {"Invoices are rounded half to even"}


def test_a_write_that_needs_the_remote_is_not_acknowledged_without_it(varves, project, shared):
    root = ("--root", str(project))
    varves("remote", "add", "nas", f"file:{shared}", "--when", "both", *root)
    assert varves("remember", "Invoices are rounded half to even", *root).code == 0
    assert [path for path in shared.rglob("*.jsonl") if b"half to even" in path.read_bytes()]
    shared.rename(shared.with_name("gone"))
    answer = varves("remember", "Refunds need two people", *root)
    assert answer.code == 5
    assert "recorded here, but not on nas" in answer.err
    assert "varves push nas sends it" in answer.err
    assert "Refunds need two people" in texts(varves, project)
    shared.with_name("gone").rename(shared)
    assert varves("push", "nas", *root).out == "nas: 1 sent, 0 received\n"


def test_a_hook_syncs_in_the_background(varves, varves_process, project, shared):
    root = ("--root", str(project))
    varves("remote", "add", "nas", f"file:{shared}", *root)
    varves("remember", "Invoices are rounded half to even", *root)
    sent = {"session_id": "s1", "cwd": str(project), "hook_event_name": "SessionEnd"}
    varves_process("hook", "SessionEnd", "--client", "claude-code", *root, stdin=json.dumps(sent))
    until = time.monotonic() + 60
    while not [*shared.rglob("*.jsonl")] and time.monotonic() < until:
        time.sleep(0.05)
    assert [path for path in shared.rglob("*.jsonl") if b"half to even" in path.read_bytes()]


def test_a_clone_is_a_new_ledger_with_the_same_bytes(varves, project, both, shared, tmp_path):
    varves("remember", "Invoices are rounded half to even", "--root", str(project))
    varves("push", "--root", str(project))
    made = varves("clone", f"file:{shared}", str(tmp_path / "new"), "--json")
    assert made.json == {"root": str(tmp_path / "new"), "events": 1}
    assert tree(tmp_path / "new" / ".varves") == tree(project / ".varves")
    assert texts(varves, tmp_path / "new") == {"Invoices are rounded half to even"}
    again = varves("clone", f"file:{shared}", str(tmp_path / "new"))
    assert again.code == 3
    assert "is not an empty folder" in again.err
    missing = varves("clone", f"file:{shared}#shpo", str(tmp_path / "other2"))
    assert (missing.code, (tmp_path / "other2").exists()) == (4, False)


def test_an_interrupted_clone_goes_on_where_it_stopped(varves, project, both, shared, tmp_path):
    import varves as package

    varves("remember", "Invoices are rounded half to even", "--root", str(project))
    varves("push", "--root", str(project))
    place = tmp_path / "new"
    place.mkdir()
    with package.open(str(place)) as begun:  # so much is there before the first line is
        begun.init()
        (name,) = both_names(begun, shared)
        begun.add_remote("origin", f"file:{shared}#{name}")
    assert varves("clone", f"file:{shared}", str(place), "--json").json["events"] == 1
    assert texts(varves, place) == {"Invoices are rounded half to even"}
    assert varves("clone", f"file:{shared}", str(place)).code == 3
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "a file").touch()
    assert varves("clone", f"file:{shared}", str(tmp_path / "full")).code == 3


def both_names(ledger, shared):
    """Return the names of the ledgers in a folder."""
    ledger.add_remote("look", f"file:{shared}")
    names = ledger.ledgers_on("look")
    ledger.remove_remote("look")
    return names


def test_a_pull_reports_its_share_of_the_whole(ledger, project, both, shared):
    import varves as package

    with package.open(both) as there:
        there.remember("Invoices are rounded half to even")
        there.push("nas")
    bar = Bar()
    ledger.progress = bar
    ledger.pull("nas")
    assert (bar.shares[-1], bar.done[-1]) == (1.0, 1)


class Bar:
    """Notes what it is told about the progress of long work."""

    def __init__(self):
        self.shares, self.done = [], []

    def share(self, share):
        self.shares.append(share)

    def __call__(self, done):
        self.done.append(done)


def test_a_follower_gets_what_is_pushed_while_it_waits(ledger, varves, project, both, shared):
    import varves as package

    with package.open(both) as there:
        news = there.follow_remote("nas")
        next(news)
        varves("remember", "Invoices are rounded half to even", "--root", str(project))
        varves("push", "--root", str(project))
        assert next(news).pulled == 1


def test_a_follower_outlives_a_remote_that_goes_away(ledger, varves, project, both, shared):
    import varves as package

    gone, told = shared.with_name("gone"), []

    def come_back(fault):
        told.append(fault)
        gone.rename(shared)

    with package.open(both) as there:
        news = there.follow_remote("nas", told=come_back)
        next(news)
        varves("remember", "Invoices are rounded half to even", "--root", str(project))
        varves("push", "--root", str(project))
        shared.rename(gone)
        assert next(news).pulled == 1
    assert [type(fault) for fault in told] == [Busy]


def test_a_follower_of_a_remote_that_was_never_there_ends(varves, project):
    varves("remote", "add", "none", "file:none#shop", "--root", str(project))
    assert varves("pull", "none", "--follow", "--root", str(project)).code == 6


def test_clones_that_took_a_segment_at_different_lengths_merge(varves, project, both, git):
    git(project, "add", "-A")
    git(project, "commit", "-qm", "start", "--allow-empty")
    git(both, "pull", "-q", str(project), "HEAD")
    for number in range(3):
        varves("remember", f"Release {number} is on a Tuesday", "--root", str(project))
        varves("push", "--root", str(project))
        if number == 1:
            varves("pull", "--root", str(both))
    for root in (project, both):
        git(root, "add", "-A")
        git(root, "commit", "-qm", "what we know")
    git(both, "pull", "-q", "--no-rebase", "--no-edit", str(project), "HEAD")
    assert len(texts(varves, both)) == 3
    assert varves("verify", "--root", str(both)).code == 0
    assert tree(both / ".varves") == tree(project / ".varves")


def test_adding_a_remote_says_that_git_merges_the_log_now(varves, project, shared):
    added = ("remote", "add", "nas", f"file:{shared}#shop", "--root", str(project))
    assert "git merges published files with varves: .git/config" in varves(*added).err
    assert not (project / ".varves").exists()
    again = ("remote", "add", "second", f"file:{shared}#other", "--root", str(project))
    assert "git merges" not in varves(*again).err
    driver = subprocess.run(
        ["git", "config", "merge.varves.driver"], cwd=project, capture_output=True, check=True
    )
    assert b"varves" in driver.stdout


def test_where_git_cannot_be_set_up_the_remote_is_added_and_that_is_said(varves, project, shared):
    (project / ".git" / "config.lock").touch()
    added = varves("remote", "add", "nas", f"file:{shared}#shop", "--root", str(project))
    assert added.code == 0
    assert "git does not merge published files with varves" in added.err
    assert "nas" in varves("remote", "list", "--root", str(project)).out


@pytest.fixture
def shared_memory(varves, project, both) -> str:
    """A memory that both clones have."""
    made = varves("remember", "The door code is 4711", "--root", str(project), "--json").json
    for root in (project, both):
        assert varves("sync", "--root", str(root)).code == 0
    return made["id"]


def holding(root: Path, word: str) -> list[str]:
    return sorted(
        path.name
        for path in root.rglob("*")
        if path.is_file() and word.encode() in path.read_bytes()
    )


@pytest.mark.parametrize(
    "words",
    [
        ("correct", "{id}", "The door code is 9902"),
        ("edit", "{id}", "--tag", "safety"),
        ("forget", "{id}", "--reason", "outdated"),
    ],
)
@pytest.mark.parametrize("purger_first", [True, False])
def test_a_purge_and_a_change_made_meanwhile_end_without_the_text(
    varves, project, both, shared, shared_memory, words, purger_first
):
    varves("purge", shared_memory, "--reason", "asked", "--yes", "--root", str(project))
    change = [word.replace("{id}", shared_memory) for word in words]
    changed = varves(*change, "--root", str(both))
    assert changed.code == 0, changed.err
    first, second = (project, both) if purger_first else (both, project)
    assert varves("sync", "--root", str(first)).code == 0
    assert varves("sync", "--root", str(second)).code == 0
    assert holding(shared, "code is 4711") == []
    for root in (first, second, first):
        assert varves("sync", "--root", str(root)).code == 0
    for root in (project, both):
        assert holding(root / ".varves", "code is 4711") == []
        said = varves("verify", "--deep", "--root", str(root))
        assert said.code == 0, said.out
    assert tree(project / ".varves") == tree(both / ".varves")


def test_a_pull_alone_erases_a_change_of_what_was_purged_here(varves, project, both, shared_memory):
    varves("purge", shared_memory, "--reason", "asked", "--yes", "--root", str(project))
    varves("correct", shared_memory, "The door code is 9902", "--root", str(both))
    varves("push", "--root", str(both))
    assert varves("pull", "--root", str(project)).code == 0
    assert holding(project / ".varves", "code is 4711") == []
    assert varves("verify", "--deep", "--root", str(project)).code == 0


@pytest.fixture
def missing_first(varves, project, shared) -> tuple[str, ...]:
    """The root of a checkout with three remotes, of which the first and the last are missing."""
    root = ("--root", str(project))
    for name, place in (("a", "none"), ("nas", str(shared)), ("z", "none")):
        assert varves("remote", "add", name, f"file:{place}#shop", *root).code == 0
    varves("remember", "Invoices are rounded half to even", *root)
    return root


@pytest.mark.parametrize("verb", ["push", "pull", "sync"])
def test_each_of_several_remotes_is_served_and_reported(varves, missing_first, shared, verb):
    answer = varves(verb, *missing_first)
    assert answer.code == 6
    sent = 0 if verb == "pull" else 1
    assert answer.out == f"nas: {sent} sent, 0 received\n"
    first, second = answer.err.splitlines()
    assert first.startswith("varves: a: no folder")
    assert second.startswith("varves: z: no folder")
    assert "mount the drive" in first
    told = varves(verb, "--json", *missing_first)
    assert told.code == 6
    records = told.json["remotes"]
    assert [one["remote"] for one in records] == ["a", "nas", "z"]
    assert records[0]["error"]["code"] == "busy"
    assert records[1]["pulled"] == 0


def test_in_python_each_remote_is_served_before_the_error(ledger, missing_first, shared):
    with pytest.raises(Busy):
        ledger.push()
    assert [*shared.rglob("*.jsonl")]


def test_a_failing_remote_is_shown_until_it_works_again(varves, missing_first, project, shared):
    root = missing_first
    never = varves("remote", "list", *root)
    assert "never used" in never.out
    for name in ("a", "z"):
        varves("remote", "remove", name, *root)
    gone = shared.with_name("gone")
    shared.rename(gone)
    varves("sync", *root)
    for words in (("remote", "list"), ("status",)):
        said = varves(*words, *root)
        assert said.code == 0
        assert "failed" in said.out
        assert "no folder" in said.out
    last = varves("remote", "list", "--json", *root).json["remotes"][0]["last"]
    assert (last["ok"], "no folder" in last["says"]) == (False, True)
    gone.rename(shared)
    varves("sync", *root)
    assert "failed" not in varves("status", *root).out
    last = varves("remote", "list", "--json", *root).json["remotes"][0]["last"]
    assert (last["ok"], last["says"]) == (True, "1 sent, 0 received")
    varves("remote", "remove", "nas", *root)
    varves("remote", "add", "nas", f"file:{shared}#shop", *root)
    assert "never used" in varves("remote", "list", *root).out


def test_a_pull_says_to_commit_before_git_merges(varves, project, both, tmp_path, git):
    varves("remember", "Invoices are rounded half to even", "--root", str(project))
    sent = varves("sync", "--root", str(project))
    assert "commit" not in sent.err
    got = varves("sync", "--root", str(both))
    assert "commit .varves before git pull" in got.err
    assert varves("sync", "--json", "--root", str(project)).json["uncommitted"] is False
    for root in (project, both):
        git(root, "add", "-A")
        git(root, "commit", "-qm", "what we know")
    git(both, "pull", "-q", "--no-rebase", "--no-edit", "--allow-unrelated-histories", str(project))
    assert texts(varves, both) == {"Invoices are rounded half to even"}


def test_without_git_a_pull_says_nothing_of_it(varves, project, shared, tmp_path):
    varves("remember", "Invoices are rounded half to even", "--root", str(project))
    varves("remote", "add", "nas", f"file:{shared}#shop", "--root", str(project))
    varves("push", "--root", str(project))
    made = varves("clone", f"file:{shared}#shop", str(tmp_path / "new"))
    assert (made.code, made.err) == (0, "")


def test_a_clone_may_take_the_place_of_one_that_was_deleted(
    varves, project, both, shared, tmp_path
):
    varves("remember", "Invoices are rounded half to even", "--root", str(project))
    varves("push", "--root", str(project))
    place = tmp_path / "new"
    words = ("clone", f"file:{shared}#shop", str(place))
    assert varves(*words).code == 0
    varves("remote", "add", "old", "file:elsewhere", "--root", str(place))
    shutil.rmtree(place)
    again = varves(*words)
    assert again.code == 0, again.err
    assert texts(varves, place) == {"Invoices are rounded half to even"}
    found = varves("remote", "list", "--json", "--root", str(place)).json["remotes"]
    assert [one["name"] for one in found] == ["origin"]


def test_a_clone_killed_before_its_remote_was_known_is_completed(
    varves, project, both, shared, tmp_path
):
    varves("remember", "Invoices are rounded half to even", "--root", str(project))
    varves("push", "--root", str(project))
    (tmp_path / "new" / ".varves").mkdir(parents=True)
    answer = varves("clone", f"file:{shared}#shop", str(tmp_path / "new"))
    assert answer.code == 0, answer.err
    complete = varves("clone", f"file:{shared}#shop", str(tmp_path / "new"))
    assert (complete.code, "a complete clone" in complete.err) == (3, True)
    assert "varves sync" in complete.err


@pytest.mark.parametrize("inside", ["a plain file/x", "/proc/nope/x"])
def test_a_clone_into_no_possible_folder_is_one_line(
    varves, project, both, shared, inside, tmp_path
):
    varves("push", "--root", str(project))
    (tmp_path / "a plain file").touch()
    answer = varves("clone", f"file:{shared}#shop", str(tmp_path / inside))
    assert answer.code == 3
    assert "cannot be made" in answer.err
    assert answer.err.count("\n") == 1


def test_a_clone_from_a_missing_folder_says_so(varves, tmp_path):
    answer = varves("clone", f"file:{tmp_path}/missing#x", str(tmp_path / "new"))
    assert answer.code == 6
    assert "no folder" in answer.err
    assert not (tmp_path / "new").exists()


@pytest.mark.parametrize("full_at", ["ledger", "log/"])
def test_a_full_disk_of_a_remote_is_named(varves, project, both, shared, monkeypatch, full_at):
    from varves.places.store import Files

    varves("remember", "Invoices are rounded half to even", "--root", str(project))
    claim = Files.claim

    def full(self, name, content):
        if self.root.startswith(str(shared)) and name.startswith(full_at):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return claim(self, name, content)

    with monkeypatch.context() as patched:
        patched.setattr(Files, "claim", full)
        answer = varves("push", "--root", str(project))
    assert answer.code == 5
    assert f"cannot write to {shared}/shop" in answer.err
    assert "No space left" in answer.err
    assert varves("push", "--root", str(project)).out == "nas: 1 sent, 0 received\n"


def rights(place: Path) -> dict[str, int]:
    found = [place, *sorted(place.rglob("*"))]
    return {str(one.relative_to(place)): one.stat().st_mode & 0o7777 for one in found}


@pytest.mark.parametrize("umask", [0o002, 0o022, 0o077])
def test_what_is_made_in_a_shared_folder_has_its_rights(varves, project, both, shared, umask):
    shared.chmod(0o2770)
    before = os.umask(umask)
    try:
        varves("remember", "The kiln fires at 1200 degrees", "--root", str(project))
        varves("remember", "x" * (300 << 10), "--root", str(project))
        assert varves("sync", "--root", str(project)).code == 0
    finally:
        os.umask(before)
    found = rights(shared)
    assert {mode for name, mode in found.items() if (shared / name).is_dir()} == {0o2770}
    assert {mode for name, mode in found.items() if (shared / name).is_file()} == {0o660}
    assert os.stat(os.environ["VARVES_HOME"]).st_mode & 0o077 == 0


def test_a_private_log_in_a_shared_folder_is_its_owners(varves, project, shared):
    shared.chmod(0o2770)
    asked = ("remote", "add", "nas", f"file:{shared}#shop", "--log", "private", "--yes")
    assert varves(*asked, "--root", str(project)).code == 0
    varves("remember", "My token is in the drawer", "--private", "--root", str(project))
    assert varves("sync", "--root", str(project)).code == 0
    found = rights(shared)
    assert found["shop/private"] == 0o2770
    below = [mode for name, mode in found.items() if name.startswith("shop/private/")]
    assert len(below) > 3
    assert not [mode for mode in below if mode & 0o077]


def python_for_everybody() -> str:
    """Return a Python of this version that an account without rights can run on this checkout."""
    words = ("-P", "-c", "import varves.cli.main")
    path = {"PYTHONPATH": os.pathsep.join(sys.path)}
    for one in (sys.executable, f"/usr/bin/python3.{sys.version_info[1]}"):
        try:
            done = subprocess.run(
                [one, *words], user=65534, env=path, cwd="/", capture_output=True, check=False
            )
        except OSError:
            continue
        if not done.returncode:
            return one
    pytest.skip("no other account can run this checkout")


GROUP, GAMES, MAIL = 61000, 61001, 61002


class Accounts:
    """Accounts of one group, each with a home, and a folder that the group shares."""

    def __init__(self, place: Path) -> None:
        self.place = place
        self.python = python_for_everybody()
        self.folder = place / "share"
        self.folder.mkdir()
        os.chown(self.folder, 0, GROUP)
        self.folder.chmod(0o2775)
        for account in (GAMES, MAIL):
            (place / str(account)).mkdir()
            os.chown(place / str(account), account, account)
            self("remote", "add", "nas", f"file:{self.folder}#depot", account=account)
            self("remember", f"The kiln of {account} fires at 1200 degrees", account=account)
            assert self("sync", account=account).stderr == ""

    def __call__(self, *words: str, account: int) -> subprocess.CompletedProcess[str]:
        home = self.place / str(account)
        own = {"HOME": str(home), "VARVES_HOME": f"{home}/.own"}
        return subprocess.run(
            [self.python, "-P", "-m", "varves", *words, "--root", str(home)],
            env={"PATH": os.environ["PATH"], "PYTHONPATH": os.pathsep.join(sys.path), **own},
            cwd=home,
            user=account,
            group=account,
            extra_groups=[GROUP],
            umask=0o022,
            capture_output=True,
            encoding="utf-8",
            check=False,
        )

    def memory_of(self, account: int) -> str:
        listed = json.loads(self("list", "--json", account=MAIL).stdout)["memories"]
        (found,) = [one["id"] for one in listed if str(account) in one["text"]]
        return found


@pytest.fixture
def accounts() -> Iterator[Accounts]:
    if os.geteuid() != 0:
        pytest.skip("only root can act for two accounts")
    place = Path(tempfile.mkdtemp(prefix="varves-shared-", dir="/tmp"))
    place.chmod(0o755)
    try:
        yield Accounts(place)
    finally:
        shutil.rmtree(place, ignore_errors=True)


def test_two_accounts_of_one_group_share_a_folder(accounts):
    """Both write, both read, and a purge by one erases what the other wrote."""
    assert accounts("sync", account=GAMES).stdout == "nas: 0 sent, 1 received\n"
    foreign = accounts.memory_of(GAMES)
    accounts("purge", foreign, "--reason", "asked", "--yes", account=MAIL)
    assert "1 erased there" in accounts("sync", account=MAIL).stdout
    found = b"".join(one.read_bytes() for one in accounts.folder.rglob("*.jsonl"))
    assert b"kiln of 61002" in found
    assert b"kiln of 61001" not in found


def test_a_closed_folder_on_a_remote_is_named(accounts):
    closed = accounts.folder / "depot/project/log"
    for one in (closed, *closed.iterdir()):
        os.chown(one, GAMES, GROUP)
        one.chmod(0o2755)
    own = accounts.memory_of(MAIL)
    accounts("remember", "Refunds need two people", account=MAIL)
    refused = [accounts("sync", account=MAIL)]
    assert "last use failed" in accounts("remote", "list", account=MAIL).stdout
    accounts("purge", own, "--reason", "asked", "--yes", account=MAIL)
    refused.append(accounts("push", account=MAIL))
    for one in refused:
        assert one.returncode == 5
        assert f"cannot write to {closed}" in one.stderr
        assert "chmod -R g+rwX" in one.stderr
        assert "disk" not in one.stderr
        assert len(one.stderr.splitlines()) == 1
    closed.chmod(0o2700)
    unread = accounts("pull", account=MAIL)
    assert unread.returncode == 5
    assert f"cannot read {closed}: Permission denied" in unread.stderr
    assert len(unread.stderr.splitlines()) == 1


@pytest.mark.parametrize("kind", ["file", "git"])
def test_a_sync_names_the_ledgers_that_are_there_under_other_names(
    varves, project, other, shared, kind
):
    root, second = ("--root", str(project)), ("--root", str(other))
    if kind == "git":
        subprocess.run(["git", "init", "-q", "--bare", str(shared)], check=True)
    added = varves("remote", "add", "nas", f"{kind}:{shared}", *root)
    assert "the ledger there is project, the name of this folder" in added.out
    varves("remember", "The kiln fires at 1200 degrees", *root)
    assert "ledger" not in varves("sync", *root).err
    varves("remote", "add", "nas", f"{kind}:{shared}", *second)
    for _ in range(2):
        done = varves("sync", *second)
        assert (done.code, done.out) == (0, "nas: 0 sent, 0 received\n")
        assert "no ledger of this name was there, only project" in done.err
    assert "other ledgers there: project" in varves("remote", "list", *second).out
    varves("remote", "remove", "nas", *second)
    named = varves("remote", "add", "nas", f"{kind}:{shared}#project", *second)
    assert "name of this folder" not in named.out
    done = varves("sync", *second)
    assert done.out == "nas: 0 sent, 1 received\n"
    assert "no ledger" not in done.err
