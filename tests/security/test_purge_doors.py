"""S10: a purge seen from outside: the past, git's history, the command line, hostile lines."""

from __future__ import annotations

import json
import os
import pty
import shutil
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest

import varves as package
from tests.figures import full_size
from tests.git import conftest as memory
from tests.places import forget_local, local_of
from tests.security import purge_lives
from tests.security.erasing import TEXT, WORD, commit, git, hits, in_objects, state_of
from tests.security.purge_lives import (
    FREED,
    LIVES,
    LONG,
    WHY,
    Scene,
    corrected_from,
    one_of_the_merged,
    shared,
)
from varves.errors import NotFound, Refused

if TYPE_CHECKING:
    from pathlib import Path

tmp_path = memory.tmp_path  # git is started hundreds of times here
scene = purge_lives.scene

# Time travel


PAST = [(one_of_the_merged, "event"), (corrected_from, "revision"), (shared, "instant")]
if full_size():
    POINTS = ("instant", "event", "revision")
    PAST = [(life, POINTS[place % 3]) for place, life in enumerate(LIVES)]


@pytest.mark.full_size(sample=1)
@pytest.mark.parametrize(("life", "point"), PAST)
def test_the_past_shows_the_others_as_they_were_and_never_the_text(scene, life, point):
    name = life(scene)
    scene.commit()
    last = scene.ledger.log()[-1]
    as_of = {"instant": last.time, "event": last.id, "revision": "HEAD"}[point]
    if point == "revision":
        as_of = git(scene.project, "rev-parse", "HEAD")
    before = state_of(scene.ledger, but=[name], as_of=as_of)
    scene.ledger.purge(name, reason=WHY)
    after = state_of(scene.ledger, but=[name], as_of=as_of)
    if life in FREED:
        for row in (*before, *after):
            row.update(status="", reason="")
    assert after == before
    with pytest.raises(NotFound, match="was purged"):
        scene.ledger.show(name, as_of=as_of)
    said = scene.ledger.log(as_of=as_of)
    assert all(WORD not in json.dumps(event.as_dict()) for event in said)
    if point != "revision":  # a commit's moment is a whole second, and the purge was quick
        purges = [event for event in said if event.kind == "memory.purged"]
        assert name not in [event.data["memory"] for event in purges]
    assert not [h for h in scene.ledger.recall(WORD, as_of=as_of) if WORD in h.memory.text]


def test_a_revision_of_another_branch_does_not_show_it_either(scene):
    """This checkout never held the correction made there, so nothing of it could be erased here."""
    name = scene.say(TEXT)
    scene.commit()
    git(scene.project, "checkout", "--quiet", "-b", "other")
    later = scene.correct(name, "What is true now")
    last = scene.correct(later, "What is truer")
    scene.commit()
    git(scene.project, "checkout", "--quiet", "main")
    forget_local(scene.project)
    shutil.rmtree(scene.project / ".git/varves/spool")
    scene.reopen()
    scene.ledger.purge(name, reason=WHY)
    scene.commit()
    said = [*scene.ledger.log(as_of="other"), *scene.ledger.history(later, as_of="other")]
    assert len(said) > 5
    assert all(WORD not in json.dumps(event.as_dict()) for event in said)
    assert scene.ledger.show(later, as_of="other").status == "superseded"
    assert scene.ledger.show(last, as_of="other").status == "active"
    with pytest.raises(NotFound, match="was purged"):
        scene.ledger.show(name, as_of="other")


# What git holds


def test_the_printed_command_takes_it_out_of_all_history(scene, tmp_path):
    """In a clone with branches, tags, a pack and a blob; every branch verifies afterwards."""
    name = scene.say(TEXT)
    long = scene.say(LONG, allow_secret=True)
    scene.commit()
    git(scene.project, "tag", "-a", "v1", "-m", "a tag with words")
    git(scene.project, "tag", "light")
    git(scene.project, "branch", "old")
    now = scene.correct(name, "What is true now")
    for number in range(5):
        scene.commit()
        scene.say(f"Stays in segment {number}")
    scene.commit()
    assert scene.ledger.pack().segments
    scene.commit()
    git(scene.project, "checkout", "--quiet", "-b", "side", "HEAD~3")
    scene.say("Said on the side")
    scene.commit()
    git(scene.project, "checkout", "--quiet", "main")
    git(scene.project, "merge", "--quiet", "-m", "both", "side")
    scene.ledger.purge(long, reason=WHY)
    done = scene.ledger.purge(name, reason=WHY)
    assert done.git is not None
    assert len(done.git["commits"]) >= 3
    scene.commit()
    state = state_of(scene.ledger)
    assert in_objects(scene.project)
    for command in [scene.ledger.purge(one, reason=WHY).git for one in (name, long)]:
        assert command is not None
        ran = subprocess.run(
            ["sh", "-c", command["command"]],
            cwd=scene.project,
            capture_output=True,
            encoding="utf-8",
            check=False,
        )
        assert ran.returncode == 0, ran.stderr
    assert not in_objects(scene.project)
    assert hits(*scene.places()) == []
    assert scene.ledger.purge(name, reason=WHY).git is None
    assert state_of(scene.ledger) == state
    assert git(scene.project, "status", "--porcelain") == ""
    for branch in ("old", "side", "v1", "light", "main"):
        git(scene.project, "checkout", "--quiet", branch)
        check = scene.ledger.verify(deep=True)
        assert check.ok, (branch, check.damage)
        assert all(WORD not in m.text for m in scene.ledger.list(status="all"))
    assert scene.ledger.show(now).status == "active"


def test_a_stash_is_told_of_and_cleaned_too(scene, cli):
    """They are listed by a reflog, which the command empties."""
    name = scene.say(TEXT)
    git(scene.project, "commit", "--quiet", "--allow-empty", "-m", "first")
    for number in range(2):
        scene.say(f"Stays {number}, stashed")
        git(scene.project, "stash", "--include-untracked", "--quiet")
    scene.reopen()
    assert scene.ledger.restore_eaten().restored
    scene.commit()
    scene.ledger.close()
    said = cli("purge", name, "--reason", WHY, "--yes")
    assert "with them all stashes" in said.out
    scene.commit()
    [command] = [line.strip() for line in said.out.splitlines() if "filter-branch" in line]
    subprocess.run(["sh", "-c", command], cwd=scene.project, check=True, capture_output=True)
    assert not in_objects(scene.project)
    assert git(scene.project, "stash", "list") == ""
    assert scene.ledger.verify(deep=True).ok
    assert hits(*scene.places()) == []


def test_the_command_works_below_a_folder_with_a_difficult_name(tmp_path, home):
    top = tmp_path / "it's $HOME"
    root = top / 'a "quoted" folder'
    root.mkdir(parents=True)
    git(top, "init", "--quiet")
    with package.open(root) as ledger:
        name = ledger.remember(TEXT).id
        commit(top)
        found = ledger.purge(name, reason=WHY).git
        commit(top)
        assert found is not None
        subprocess.run(["sh", "-c", found["command"]], cwd=top, check=True, capture_output=True)
        assert not in_objects(top)
        assert ledger.verify(deep=True).ok
        assert hits(top, home) == []


# The command line


def test_without_a_terminal_it_needs_yes_and_is_the_agents_act(cli, project, home):
    name = cli("remember", TEXT, "--json").json["id"]
    refused = cli("purge", name, "--reason", WHY)
    assert (refused.code, refused.out) == (3, "")
    assert "--yes" in refused.err
    assert cli("show", name).code == 0
    done = cli("purge", name, "--reason", WHY, "--yes", "--json")
    assert done.code == 0
    assert set(done.json) >= {"id", "files", "git"}
    assert hits(project, home) == []
    [purge] = cli("history", name, "--json").json["events"]
    assert (purge["origin"], purge["trust"], purge["data"]["reason"]) == ("agent", 2, WHY)
    for verb in ("show", "history", "why"):
        said = cli(verb, name)
        told = said.out + said.err
        assert "purged" in told
        assert WORD not in told
    assert cli("show", name).err.count("\n") == 1
    assert (cli("show", name).code, cli("verify").code) == (4, 0)
    assert cli("remember", "anything", "--id", name).code == 3
    assert cli("undo", purge["id"]).code == 3
    assert cli("purge", name, "--reason", WHY, "--yes").code == 0
    assert cli("purge", "mem_000000000000", "--reason", WHY, "--yes").code == 4
    assert cli("remember", TEXT).code == 0


@pytest.mark.full_size(sample=1)
@pytest.mark.parametrize("answer", ["y", "n", ""])
def test_on_a_terminal_it_asks_first(project, home, answer):
    with package.open(project) as ledger:
        name = ledger.remember(TEXT).id
    code, shown = on_a_terminal(project, ["purge", name, "--reason", WHY], answer)
    assert f"erase {name} for good" in shown
    with package.open(project) as ledger:
        if answer == "y":
            assert code == 0
            [event] = ledger.history(name)
            assert (event.kind, event.origin, event.trust) == ("memory.purged", "direct", 3)
            assert hits(project, home) == []
        else:
            assert code == 3
            assert ledger.show(name).text == TEXT


def on_a_terminal(root: Path, argv: list[str], answer: str) -> tuple[int, str]:
    """Run a verb on a terminal of its own, answer once, and return its exit code and output."""
    here, there = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "varves", *argv], cwd=root, stdin=there, stdout=there, stderr=there
    )
    os.close(there)
    shown = b""
    while b"?" not in shown:
        shown += os.read(here, 1000)
    os.write(here, f"{answer}\n".encode())
    while True:
        try:
            part = os.read(here, 1000)
        except OSError:  # the other end is closed
            break
        if not part:
            break
        shown += part
    os.close(here)
    return process.wait(timeout=60), shown.decode("utf-8", "replace")


def test_an_untrusted_door_purges_nothing_and_bars_nothing(scene):
    name = scene.say("Stays against all tools")
    with pytest.raises(Refused):
        scene.ledger.through("tool").purge(name, reason=WHY)
    assert scene.ledger.show(name).status == "active"


def forge(scene: Scene, kind: str, content: dict[str, Any], *, trust: int) -> str:
    """Let an event stand in the log as another program might write it."""
    from varves.events.codec import encode
    from varves.values.ids import IdSource

    ids = IdSource()
    last = scene.ledger.log()[-1]
    fields: dict[str, Any] = {
        **{key: last.fields[key] for key in last.fields if key not in ("c", "h", "purged")},
        "id": ids.event(int(last.hlc[:12], 16)),
        "hlc": f"{int(last.hlc, 16) + 1:016x}",
        "writer": "foreign000.main",
        "seq": 1,
        "prev": None,
        "seen": [],
        "cause": [],
        "kind": kind,
        "trust": trust,
        "data": content,
        "salt": ids.salt(),
    }
    order = [*("v", "id", "hlc", "time", "writer", "seq", "prev", "seen", "protocol", "session")]
    order += ["actor", "cause", "origin", "trust", "kind", "data", "salt"]
    line = encode({key: fields[key] for key in order})
    month = next((scene.project / ".varves/log").glob("20*"))
    (month / f"20261115-foreig-{ids.word(10)}.jsonl").write_bytes(line)
    return str(fields["id"])


def test_a_purge_of_untrusted_origin_counts_for_nothing(scene):
    """It bars nothing, and does not keep the real one from doing so."""
    name = scene.say(TEXT)
    forge(scene, "memory.purged", {"memory": name, "reason": "hostile"}, trust=1)
    assert scene.ledger.show(name).text == TEXT
    assert scene.ledger.mend().plan == ()
    scene.ledger.purge(name, reason=WHY)
    assert hits(*scene.places()) == []
    with pytest.raises(NotFound):
        scene.ledger.show(name)


def test_a_stand_in_of_untrusted_origin_takes_nothing_away(scene):
    """It may not speak for a trusted event that a purge has touched."""
    name = scene.say(TEXT)
    tied = scene.correct(name, "What is true now")
    event = scene.ledger.history(tied)[0]
    place = {"event": event.id, "hlc": event.hlc, "writer": event.writer}
    place |= {"time": event.time, "actor": event.actor}
    content = {"memory": name, "by": "mem_hhhhhhhhhhhh", "instead": place}
    forge(scene, "memory.superseded", content, trust=0)
    scene.ledger.purge(name, reason=WHY)
    assert scene.ledger.show(tied).text == "What is true now"
    assert scene.ledger.show(tied).version == event.id
    assert hits(*scene.places()) == []


def test_content_in_a_form_nobody_knows_is_erased_as_well(scene):
    """A line of another program, ill formed or of an unknown kind, may hold the text too."""
    name = scene.say(TEXT)
    forge(scene, "memory.recorded", {"memory": name, "text": f"{TEXT} without a scope"}, trust=3)
    forge(scene, "memory.dreamt", {"memory": name, "dream": {"of": [TEXT]}}, trust=3)
    forge(scene, "memory.reinforced", {"memory": name, "text": TEXT, "scope": "project"}, trust=3)
    settled = {"memories": [], "drop": [{"memory": name, "text": TEXT, "scope": "project"}]}
    forge(scene, "conflict.resolved", settled, trust=3)
    scene.ledger.purge(name, reason=WHY)
    assert hits(*scene.places()) == []
    assert scene.ledger.verify(deep=True).ok


def test_a_hostile_id_does_not_stop_a_purge(scene):
    """What stands where an id should be may be anything at all."""
    name = scene.say(TEXT)
    for content in ({"memory": [1], "text": "a"}, {"memory": {}, "record": {"memory": ["x"]}}):
        forge(scene, "memory.superseded", content, trust=3)
    scene.ledger.purge(name, reason=WHY)
    assert hits(*scene.places()) == []


def test_short_texts_do_not_take_other_pieces_along(scene):
    """A text of one letter is met everywhere; pieces are known by their memory's id."""
    name = scene.say("e")
    aside = local_of(scene.project) / "set-aside"
    aside.mkdir(parents=True)
    (aside / "piece.jsonl.0").write_bytes(b'{"v":1,"id":"evt_of another memory')
    scene.ledger.purge(name, reason=WHY)
    assert (aside / "piece.jsonl.0").exists()


def test_lines_that_came_by_a_merge_are_named_and_finished(scene):
    """A late branch brings the text back into the files; nothing that reads shows it."""
    name = scene.say(TEXT)
    scene.commit()
    git(scene.project, "checkout", "--quiet", "-b", "late")
    tied = scene.correct(name, "What is true now")
    scene.commit()
    git(scene.project, "checkout", "--quiet", "main")
    scene.ledger.purge(name, reason=WHY)
    scene.commit()
    git(scene.project, "merge", "--quiet", "-m", "late", "late")
    state = state_of(scene.ledger)
    assert hits(scene.project / ".varves/log")
    found = scene.ledger.verify()
    assert {one.rule for one in found.damage} == {"unpurged"}
    assert {one.fix for one in found.damage} == {"varves doctor --fix"}
    shown = [*scene.ledger.log(), *scene.ledger.history(tied), *scene.ledger.history(name)]
    assert all(WORD not in json.dumps(event.as_dict()) for event in shown)
    assert WORD not in "".join(scene.ledger.export())
    assert scene.ledger.mend(dry_run=True).plan
    assert hits(scene.project / ".varves/log")
    assert scene.ledger.mend().failed == ()
    assert hits(*scene.places()) == []
    assert scene.ledger.verify(deep=True).ok
    assert (state_of(scene.ledger), scene.ledger.show(tied).status) == (state, "active")
