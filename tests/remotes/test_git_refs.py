"""A ledger that meets its other clones in the refs of a git repository."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.remotes.test_copies import tree


def git(place: Path, *words: str) -> str:
    return subprocess.run(
        ["git", *words], cwd=place, check=True, capture_output=True, encoding="utf-8"
    ).stdout


@pytest.fixture
def hub(tmp_path: Path) -> Path:
    place = tmp_path / "hub.git"
    git(tmp_path, "init", "-q", "--bare", str(place))
    return place


@pytest.fixture
def both(varves, hub, project, checkout) -> Path:
    """Two clones of one repository; the second is returned."""
    other = checkout("other")
    for root in (project, other):
        git(root, "remote", "add", "origin", str(hub))
        made = varves("remote", "add", "own", "git:origin#shop", "--root", str(root))
        assert made.code == 0, made.err
    return other


def texts(varves, root: Path) -> set[str]:
    return {one["text"] for one in varves("list", "--root", str(root), "--json").json["memories"]}


def test_two_clones_meet_and_the_project_gets_no_ref_or_object(varves, project, both, hub):
    varves("remember", "Invoices are rounded half to even", "--root", str(project))
    varves("remember", "Refunds need two people", "--root", str(both))
    before = git(project, "count-objects", "-v"), git(project, "for-each-ref")
    first = varves("sync", "--root", str(project))
    assert first.out == "own: 1 sent, 0 received\n", first.err
    assert varves("sync", "--root", str(both)).out == "own: 1 sent, 1 received\n"
    assert varves("sync", "--root", str(project)).out == "own: 0 sent, 1 received\n"
    assert varves("sync", "--root", str(project)).out == "own: 0 sent, 0 received\n"
    assert tree(project / ".varves") == tree(both / ".varves")
    assert (git(project, "count-objects", "-v"), git(project, "for-each-ref")) == before
    refs = git(hub, "for-each-ref", "--format=%(refname)").split()
    assert len(refs) == 2
    assert all(ref.startswith("refs/varves/project/") for ref in refs)
    for ref in refs:
        assert git(hub, "rev-list", "--count", ref).strip() == "1"


def test_a_push_without_news_replaces_nothing(varves, project, both, hub):
    varves("remember", "Invoices are rounded half to even", "--root", str(project))
    varves("sync", "--root", str(project))
    before = git(hub, "for-each-ref")
    varves("sync", "--root", str(project))
    assert git(hub, "for-each-ref") == before


def test_a_purge_reaches_every_ref_and_store(varves, project, both, hub):
    made = varves("remember", "The door code is 4711", "--root", str(project), "--json").json
    for root in (project, both, project):
        varves("sync", "--root", str(root))
    varves("purge", made["id"], "--reason", "asked", "--yes", "--root", str(project))
    sent = varves("sync", "--root", str(project))
    assert "erased there" in sent.out
    assert "unreachable objects" in sent.err
    varves("sync", "--root", str(both))
    varves("sync", "--root", str(project))
    for ref in git(hub, "for-each-ref", "--format=%(refname)").split():
        for name in git(hub, "ls-tree", "-r", "--name-only", ref).split():
            assert "4711" not in git(hub, "show", f"{ref}:{name}"), (ref, name)
    stores = Path(os.environ["VARVES_HOME"], "remotes")
    held = [path for path in stores.rglob("*.jsonl") if b"4711" in path.read_bytes()]
    assert held == []
    for store in stores.glob("*/objects.git"):
        words = ["git", "cat-file", "--batch-all-objects", "--batch"]
        listed = subprocess.run(words, cwd=store, check=True, capture_output=True).stdout
        assert b"4711" not in listed
    assert texts(varves, both) == set()


def test_a_private_log_is_taken_from_ones_own_clones_only(varves, project, both, checkout, hub):
    stranger = checkout("stranger")
    git(stranger, "config", "user.email", "mallory@example.com")
    git(stranger, "remote", "add", "origin", str(hub))
    for root in (project, both, stranger):
        git(root, "config", "user.email", f"{'mallory' if root == stranger else 'ada'}@example.com")
        words = ("remote", "add", "mine", "git:origin#shop", "--log", "private", "--yes")
        assert varves(*words, "--root", str(root)).code == 0
    varves("remember", "My token is in the drawer", "--private", "--root", str(project))
    for root in (project, both, stranger):
        varves("sync", "mine", "--root", str(root))
    assert texts(varves, both) == {"My token is in the drawer"}
    assert texts(varves, stranger) == set()


def test_a_remote_that_cannot_be_reached_is_one_line(varves, project, hub, both):
    varves("remember", "Invoices are rounded half to even", "--root", str(project))
    hub.rename(hub.with_name("gone"))
    answer = varves("sync", "--root", str(project))
    assert answer.code == 6
    assert answer.err.count("\n") == 1
    assert str(hub) not in answer.err
    assert texts(varves, project) == {"Invoices are rounded half to even"}
    varves("remote", "add", "typo", "git:orign", "--root", str(project))
    assert "no remote 'orign'" in varves("sync", "typo", "--root", str(project)).err


def test_a_hostile_ref_reaches_no_file_outside_the_mirror(varves, project, both, hub, tmp_path):
    work = tmp_path / "work"
    git(tmp_path, "init", "-q", str(work))
    (work / "shop").mkdir()
    (work / "shop" / "log").symlink_to(tmp_path)
    git(work, "add", "-A")
    git(work, "-c", "user.name=x", "-c", "user.email=x@x", "commit", "-qm", "x")
    git(work, "push", "-q", str(hub), "HEAD:refs/varves/project/0000000000")
    varves("remember", "Refunds need two people", "--root", str(both))
    varves("push", "--root", str(both))
    before = {*tmp_path.iterdir()}
    answer = varves("pull", "--root", str(project))
    assert answer.code == 1
    assert "refs/varves/project/0000000000" in answer.err
    assert {*tmp_path.iterdir()} == before
    assert texts(varves, project) == {"Refunds need two people"}


def stores() -> list[Path]:
    return sorted(Path(os.environ["VARVES_HOME"], "remotes").iterdir())


def test_locks_that_a_killed_process_left_are_no_obstacle(varves, project, both, hub):
    varves("remember", "Invoices are rounded half to even", "--root", str(project))
    assert varves("push", "--root", str(project)).code == 0
    ref = git(hub, "for-each-ref", "--format=%(refname)").strip()
    for place in stores():
        made = ["index", "passing.index", f"objects.git/{ref}", "objects.git/packed-refs"]
        made += ["objects.git/HEAD", "objects.git/config", "objects.git/shallow"]
        for name in made:
            path = place / f"{name}.lock"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.touch()
        (place / "objects.git" / "gc.pid").write_text(
            f"{os.getpid()} {os.uname().nodename}", encoding="utf-8"
        )
    made = varves("remember", "Refunds need two people", "--root", str(project), "--json").json
    sent = varves("sync", "--root", str(project))
    assert sent.code == 0, sent.err
    assert varves("sync", "--root", str(both)).code == 0
    assert tree(project / ".varves") == tree(both / ".varves")
    varves("purge", made["id"], "--reason", "asked", "--yes", "--root", str(project))
    assert varves("sync", "--root", str(project)).code == 0


def test_a_git_that_outlives_its_caller_keeps_the_store_locked(varves, project, both, hub):
    hook = hub / "hooks" / "pre-receive"
    hook.write_text(
        "#!/bin/sh\ntouch began; while [ ! -e goes-on ]; do sleep 0.05; done\n", encoding="utf-8"
    )
    hook.chmod(0o755)
    varves("remember", "Invoices are rounded half to even", "--root", str(project))
    words = [sys.executable, "-m", "varves", "push", "--root", str(project)]
    pushing = subprocess.Popen(words, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
    try:
        until = time.monotonic() + 60
        while not (hub / "began").exists() and time.monotonic() < until:
            time.sleep(0.05)
        pushing.kill()
        pushing.wait()
        meanwhile = varves("push", "--root", str(project))
        assert (meanwhile.code, "another process uses own" in meanwhile.err) == (6, True)
    finally:
        (hub / "goes-on").touch()
    hook.unlink()
    until = time.monotonic() + 60
    while (again := varves("push", "--root", str(project))).code and time.monotonic() < until:
        time.sleep(0.1)
    assert again.code == 0, again.err


def test_reading_needs_no_right_to_push(varves, project, both, hub, tmp_path):
    varves("remember", "Invoices are rounded half to even", "--root", str(project))
    assert varves("push", "--root", str(project)).code == 0
    hook = hub / "hooks" / "pre-receive"
    hook.write_text("#!/bin/sh\necho this is a mirror\nexit 1\n", encoding="utf-8")
    hook.chmod(0o755)
    before = git(hub, "for-each-ref")
    assert varves("pull", "--root", str(both)).code == 0
    made = varves("clone", f"git:{hub}#shop", str(tmp_path / "new"))
    assert made.code == 0, made.err
    assert texts(varves, tmp_path / "new") == texts(varves, both)
    assert git(hub, "for-each-ref") == before
    varves("remember", "Refunds need two people", "--root", str(both))
    refused = varves("push", "--root", str(both))
    assert refused.code == 3
    assert "this is a mirror" in refused.err
    assert "right to push" in refused.err
    hook.unlink()
    assert varves("push", "--root", str(both)).code == 0
    assert varves("sync", "--root", str(project)).out == "own: 0 sent, 1 received\n"


def test_a_removed_remote_leaves_no_text_in_the_users_folder(varves, project, both, hub):
    made = varves("remember", "The door code is 4711", "--root", str(project), "--json").json
    url = ("remote", "add", "twin", "git:origin#twin", "--root", str(project))
    assert varves(*url).code == 0
    assert varves("push", "--root", str(project)).code == 0

    def held() -> list[Path]:
        places = Path(os.environ["VARVES_HOME"], "remotes").rglob("*.jsonl")
        return [one for one in places if b"code is 4711" in one.read_bytes()]

    assert varves("remote", "remove", "twin", "--root", str(project)).code == 0
    assert held()  # the other remote at this address still uses it
    gone = varves("remote", "remove", "own", "--root", str(project))
    assert "no later purge reaches it" in gone.out
    varves("purge", made["id"], "--reason", "asked", "--yes", "--root", str(project))
    assert held() == []
