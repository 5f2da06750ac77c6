"""A team's folder shared by two projects: both read it and both write it, under git or not."""

from __future__ import annotations

import subprocess

import pytest

import varves
from tests.consenting import agree, write_settings
from tests.git.scene import Checkout, WrongClock, assert_whole, begin
from varves.errors import Refused


def git(folder, *args: str) -> str:
    """Run git in a folder."""
    done = subprocess.run(
        ["git", *args], cwd=folder, capture_output=True, encoding="utf-8", check=True
    )
    return done.stdout


def join_team(here: Checkout, root: str) -> Checkout:
    """Name the team's folder in a project's settings, and open its ledger anew."""
    here.ledger.init()
    write_settings(here.root, f'[teams.core]\nroot = "{root}"\n')
    here.close()
    return Checkout(here.root, time=here.time, seed="team")


@pytest.fixture(params=["plain", "git"])
def scene(request, tmp_path, home):
    """Give two projects with a common team folder, and that folder."""
    team = tmp_path / "team"
    team.mkdir()
    if request.param == "git":
        git(team, "init", "--quiet")
        git(team, "commit", "--quiet", "--allow-empty", "-m", "start")
    one = join_team(begin(tmp_path / "one"), "../team")
    two = join_team(begin(tmp_path / "two", time=one.time), str(team))
    yield one, two, team
    one.close()
    two.close()


def segments(folder) -> set[str]:
    return {str(path.relative_to(folder)) for path in folder.glob("log/*/*.jsonl")}


@pytest.mark.full_size(sample=1)
def test_both_projects_read_and_write_what_the_team_knows(scene):
    one, two, team = scene
    first = one.ledger.remember("We deploy on Tuesdays", scope="team:core")
    assert two.ledger.show(first.id).kept == "team:core"
    second = two.ledger.correct(first.id, "We deploy on Thursdays")
    two.ledger.edit(second.id, tag=["+deploy"])
    one.ledger.remember("We review in pairs", scope="team:core")
    for there in (one, two):
        texts = {memory.text for memory in there.ledger.list(scope="team:core")}
        assert texts == {"We deploy on Thursdays", "We review in pairs"}
        assert there.ledger.show(second.id).tags == ("deploy",)
        assert there.ledger.recall("when do we deploy?").hits[0].memory.branch is None
        with pytest.raises(Refused):
            there.remember("We deploy on Tuesdays", scope="team:core")
        assert there.ledger.remember("We review in pairs", scope="team:core").status == "known"
        assert_whole(there.ledger)
        assert there.ledger.status()["logs"]["team:core"]["path"] == str(team)
        assert not there.held(), "nothing of it is in the project's log"
        assert not [name for name in there.changes().splitlines() if "log/" in name]
        assert not there.ledger.doctor()


@pytest.mark.full_size(sample=1)
def test_writers_of_both_projects_at_once_each_keep_a_chain(scene):
    one, two, _ = scene
    for number in range(20):
        one.ledger.remember(f"One says {number}", scope="team:core")
        two.ledger.remember(f"Two says {number}", scope="team:core")
    assert len(one.ledger.list(scope="team:core")) == len(two.ledger.list(scope="team:core")) == 40
    assert len({event.writer for event in one.ledger.log()}) == 2
    for there in (one, two):
        found = there.ledger.verify(deep=True)
        assert (found.ok, found.gaps) == (True, ())


def test_a_project_that_leaves_the_team_no_longer_sees_it(scene):
    one, two, _ = scene
    one.ledger.remember("We deploy on Tuesdays", scope="team:core")
    assert two.ledger.list(scope="team:core")
    two.close()
    (two.root / ".varves/settings.toml").unlink()
    with varves.open(two.root) as left:
        assert not left.list(scope="team:core", status="all")
    assert one.ledger.list(scope="team:core")


def test_other_people_write_under_their_own_name(scene, tmp_path):
    one, two, _ = scene
    one.ledger.remember("Said by one", scope="team:core")
    clock = WrongClock(two.time)
    agree(two.root, tmp_path / "stranger")
    with varves.open(two.root, home=tmp_path / "stranger", clock=clock) as stranger:
        stranger.remember("Said by a stranger", scope="team:core")
        clones = {event.writer.partition(".")[0] for event in stranger.log()}
        assert len(clones) == 2
        assert stranger.verify().ok
    assert len(one.ledger.list(scope="team:core")) == 2


@pytest.fixture
def clones(tmp_path, home):
    """Give two clones of a team folder that is a repository, each used by a project."""
    hub = tmp_path / "hub"
    hub.mkdir()
    git(hub, "init", "--quiet")
    git(hub, "commit", "--quiet", "--allow-empty", "-m", "start")
    places = []
    for name in ("one", "two"):
        git(tmp_path, "clone", "--quiet", "hub", f"team-{name}")
        time = places[0][0].time if places else None
        project = join_team(begin(tmp_path / name, time=time), f"../team-{name}")
        places.append((project, tmp_path / f"team-{name}"))
    yield places
    for project, _ in places:
        project.close()


def keep(team) -> None:
    git(team, "add", "-A")
    git(team, "commit", "--quiet", "-m", "what we know")


def test_a_team_folder_under_git_merges_without_a_question(clones):
    """No file that git knows ever grows, so that branches only ever add files."""
    (one, team_one), (two, team_two) = clones
    for project, team in clones:
        project.ledger.remember("Said before", scope="team:core")
        keep(team)
        before = segments(team)
        project.ledger.remember(f"Said in {team.name}", scope="team:core")
        assert len(segments(team)) == len(before) + 1, "the first one is git's"
        keep(team)
        git(team, "checkout", "--quiet", "-b", "other", "HEAD~1")
        project.ledger.remember(f"Said on a branch of {team.name}", scope="team:core")
        keep(team)
        git(team, "checkout", "--quiet", "-")
        git(team, "merge", "--quiet", "--no-edit", "other")
    git(team_one, "pull", "--quiet", "--no-rebase", "--no-edit", str(team_two), "HEAD")
    git(team_two, "pull", "--quiet", "--no-rebase", "--no-edit", str(team_one), "HEAD")
    said = [
        sorted((memory.text, memory.id) for memory in project.ledger.list(scope="team:core"))
        for project in (one, two)
    ]
    assert said[0] == said[1]
    assert len(said[0]) == 6
    for project in (one, two):
        assert_whole(project.ledger)


def test_git_sees_nothing_local_of_a_team_folder(clones):
    (one, team), _ = clones
    one.ledger.remember("Something long " * 30_000, scope="team:core")
    keep(team)
    tracked = git(team, "ls-files").split()
    assert tracked
    assert all(name.startswith("log/") for name in tracked)
    assert not git(team, "status", "--porcelain")


def test_a_team_folder_inside_the_project_is_tracked_and_merges_too(tmp_path, home):
    here = join_team(begin(tmp_path / "project"), "team")
    here.ledger.remember("We deploy on Tuesdays", scope="team:core")
    here.commit("the team")
    here.git("checkout", "--quiet", "-b", "other")
    here.ledger.remember("Said on a branch", scope="team:core")
    here.commit("other")
    here.git("checkout", "--quiet", "main")
    here.ledger.remember("Said on main", scope="team:core")
    here.commit("main")
    here.git("merge", "--quiet", "--no-edit", "other")
    assert len(here.ledger.list(scope="team:core")) == 3
    assert_whole(here.ledger)
    here.close()
