"""R19: places that cannot be written, or not as they should: what works works, the rest is said.

Each case ends the same way: reading works; writing works, or is refused in one line with its code
and leaves nothing half written; `status` and `doctor` name what does not work.
"""

from __future__ import annotations

import errno
import fcntl
import json
import os
import shutil
import sqlite3
import stat
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import varves
from tests.consenting import write_settings
from tests.durability.reader import events_of, read_log
from tests.durability.scene import REPOSITORY, assert_kept
from tests.figures import add_figure
from tests.places import local_of
from tests.rooms import indexed
from varves.errors import Damaged, NotDurable
from varves.index.sqlite import file as index_file
from varves.places import store as files
from varves.places.local import NO_LOCKS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

OTHER = 1000  # a user who is not root
LONG = "stone upon stone, " * 20_000
varves_open = varves.open  # where a fixture takes the package's name


@pytest.fixture(autouse=True)
def _counted() -> Iterator[None]:
    """Tell of each poor place that was tried."""
    yield
    add_figure("R19", poor_places=1)


# Making places poor


def mount(*args: str) -> None:
    """Mount something, or skip the test where that cannot be done."""
    program = shutil.which("mount")
    if os.geteuid() != 0 or program is None:
        pytest.skip("only root may mount")
    done = subprocess.run([program, *args], capture_output=True, encoding="utf-8", check=False)
    if done.returncode:
        pytest.skip(f"nothing can be mounted here: {done.stderr.strip()}")


@pytest.fixture
def seal() -> Iterator[Callable[[Path], None]]:
    """Make folders read-only: by a mount for root, whom permissions do not bind."""
    sealed: list[Path] = []

    def close(path: Path) -> None:
        if os.geteuid() == 0:
            mount("--bind", str(path), str(path))
            sealed.append(path)
            mount("-o", "remount,ro,bind", str(path))
        else:
            sealed.append(path)
            for folder, _, _ in os.walk(path):
                Path(folder).chmod(0o555)

    yield close
    for path in reversed(sealed):
        if os.geteuid() == 0:
            subprocess.run(["umount", "--lazy", str(path)], check=True)
        else:
            for folder, _, _ in os.walk(path):
                Path(folder).chmod(0o755)


@pytest.fixture
def as_other(home: Path, tmp_path: Path) -> Iterator[Callable[..., Any]]:
    """Run the command line as another user; the interpreter may have to be brought within reach."""
    if os.geteuid() != 0:
        pytest.skip("only root may act as another user")
    tmp_path.chmod(0o755)
    base, place = Path(sys.base_prefix), tmp_path / "python"
    hidden = any(not part.stat().st_mode & stat.S_IXOTH for part in (base, *base.parents))
    if hidden:
        place.mkdir()
        mount("--bind", str(base), str(place))
    interpreter = Path(sys.executable).resolve()
    if hidden:
        interpreter = place / interpreter.relative_to(base.resolve())
    own = tmp_path / "other-home"
    own.mkdir()
    os.chown(own, OTHER, OTHER)
    paths = [str(REPOSITORY / "src"), *(one for one in sys.path if one.endswith("site-packages"))]
    env = {**os.environ, "HOME": str(own), "VARVES_HOME": str(own / "varves")}
    env |= {"PYTHONPATH": os.pathsep.join(paths), "PYTHONDONTWRITEBYTECODE": "1"}
    env |= {"GIT_CONFIG_GLOBAL": str(own / "gitconfig")} | (
        {"PYTHONHOME": str(place)} if hidden else {}
    )

    def run(root: Path, *args: str) -> Any:
        return subprocess.run(
            [str(interpreter), "-m", "varves", *args],
            cwd=root,
            env=env,
            capture_output=True,
            encoding="utf-8",
            timeout=60,
            check=False,
            user=OTHER,
            group=OTHER,
            extra_groups=[],
        )

    try:
        reach = run(tmp_path, "--version")
        if reach.returncode:
            pytest.skip(f"no interpreter within that user's reach: {reach.stderr.strip()}")
        yield run
    finally:
        if hidden:
            subprocess.run(["umount", "--lazy", str(place)], check=True)


def give_away(path: Path) -> None:
    """Let everything below a folder belong to another user."""
    for folder, _, names in os.walk(path):
        os.chown(folder, OTHER, OTHER)
        for name in names:
            os.lchown(os.path.join(folder, name), OTHER, OTHER)


# Looking


def rules(answer: Any) -> set[str]:
    """Return the rules of what doctor found."""
    found = json.loads(answer.stdout if hasattr(answer, "stdout") else answer.out)["findings"]
    assert all(one["message"] and one["fix"] and one["place"] for one in found)
    return {one["rule"] for one in found}


def texts(ledger: varves.Ledger) -> set[str]:
    return {memory.text for memory in ledger.list()}


def assert_refused(answer: Any, *words: str) -> None:
    """Check that a call was refused in one line, with the documented code."""
    assert answer.code == 5, answer
    assert answer.out == ""
    assert answer.err.count("\n") == 1
    assert all(word in answer.err for word in words), answer.err


def contents(folder: Path) -> dict[str, bytes]:
    """Return every file below a folder."""
    found = [path for path in folder.rglob("*") if path.is_file()]
    return {str(path.relative_to(folder)): path.read_bytes() for path in found}


# Read-only


def test_a_read_only_git_folder(project, varves, home, seal):
    assert varves("remember", "before", "--private").code == 0
    seal(project / ".git")
    assert "could not be set" in varves("init").out
    for args in (["of the project"], ["private now", "--private"], ["global", "--scope", "global"]):
        assert varves("remember", *args).code == 0
    assert varves("remember", "-", "--allow-secret", stdin=LONG).code == 0
    listed = {one["text"][:20] for one in varves("list", "--json").json["memories"]}
    assert listed == {"before", "private now", "of the project", "global", LONG[:20]}
    assert (project / ".varves" / "private" / "log").is_dir()
    assert list((home / "varves" / "spool").glob("*/*/*.jsonl")), "the spool went nowhere"
    assert ".varves/private" in varves("status").out
    assert rules(varves("doctor", "--json")) == {"private-elsewhere"}
    assert varves("verify").code == 0


def test_a_git_folder_and_a_home_that_are_read_only(project, varves, home, seal):
    assert varves("remember", "before", "--scope", "global").code == 0
    seal(project / ".git")
    seal(home)
    assert varves("remember", "of the project").code == 0
    assert varves("remember", "-", "--allow-secret", stdin=LONG).code == 0
    assert varves("remember", "private", "--private").code == 0
    held = contents(home)
    answer = varves("remember", "global", "--scope", "global")
    assert_refused(answer, "cannot write")
    assert contents(home) == held
    assert len(varves("list", "--json").json["memories"]) == 4
    limits = " ".join(varves("status", "--json").json["limits"])
    assert "no place for a spool" in limits
    assert "global memories cannot be recorded" in limits
    found = rules(varves("doctor", "--json"))
    assert {"private-elsewhere", "no-spool"} < found
    assert found & {"read-only", "unwritable"}
    assert varves("verify").code == 0


def test_a_home_that_is_not_there_and_cannot_be_made(project, varves, home, seal):
    seal(home)
    env = {"VARVES_HOME": str(home / "never" / "made")}
    assert varves("remember", "of the project", env=env).code == 0
    assert varves("recall", "project", env=env).code == 0
    assert_refused(varves("remember", "x", "--scope", "global", env=env), "cannot write")
    assert "global memories cannot be recorded" in varves("status", env=env).out


@pytest.mark.full_size(sample=1)
@pytest.mark.parametrize("indexed", [True, False], ids=["with an index", "without"])
def test_a_read_only_project(project, varves, home, seal, indexed):
    with varves_open(project) as ledger:
        ids = [ledger.remember(f"statement {n}").id for n in range(3)]
        ledger.remember("private", private=True)
        ledger.recall("statement")
    if not indexed:
        for path in local_of(project).glob("index.sqlite*"):
            path.unlink()
    before = contents(project)
    seal(project)
    assert_refused(varves("remember", "x"), "cannot")
    with varves_open(project) as ledger:
        assert len(texts(ledger)) == 4
        assert ledger.recall("statement").hits
        assert ledger.show(ids[0]).text == "statement 0"
        assert ledger.verify().ok
        for act in (
            lambda: ledger.remember("x", private=True),
            lambda: ledger.remember("x", id="mem_abcdefghijkl"),
            lambda: ledger.remember_many([{"text": "x"}]),
            lambda: ledger.correct(ids[0], "x"),
            lambda: ledger.forget(ids[0], reason="x"),
        ):
            with pytest.raises(Damaged, match="cannot") as refused:
                act()
            assert refused.value.exit == 5
        ledger.remember("global", scope="global")
        assert ledger.recall("global").hits
    status = varves("status", "--json").json
    assert status["index"].startswith(f"{home}/varves/local/")
    assert any("project memories cannot be recorded" in one for one in status["limits"])
    found = rules(varves("doctor", "--json"))
    assert "no-index" not in found
    assert found & {"read-only", "unwritable"}
    assert contents(project) == before


def test_a_read_only_folder_without_a_ledger(tmp_path, varves, home, seal):
    bare = tmp_path / "bare"
    bare.mkdir()
    seal(bare)
    assert varves("recall", "anything", cwd=bare).code == 0
    assert_refused(varves("remember", "x", cwd=bare), "cannot")
    assert_refused(varves("init", cwd=bare), "cannot")
    assert varves("remember", "global", "--scope", "global", cwd=bare).code == 0
    assert varves("recall", "global", "--json", cwd=bare).json["hits"]
    assert "project memories cannot be recorded" in varves("status", cwd=bare).out
    assert not list(bare.iterdir())


@pytest.mark.parametrize("number", [errno.EROFS, errno.EACCES, errno.EPERM])
def test_a_place_that_turns_read_only_under_an_open_ledger(project, ledger, faults, number):
    """As the kernel remounts a disk that fails: for everybody, and for root as well."""
    ledger.remember("before")
    held = events_of(project)

    def pick(name: str, args: tuple[Any, ...]) -> int | None:
        writing = name in ("write", "mkdir", "link", "replace", "unlink", "ftruncate", "pwrite")
        making = name == "open" and args[1] & (os.O_CREAT | os.O_WRONLY | os.O_RDWR)
        return number if writing or making else None

    faults.arm(pick)
    for _ in range(2):
        with pytest.raises(Damaged):
            ledger.remember("refused")
    assert texts(ledger) == {"before"}
    assert events_of(project) == held
    faults.heal()
    told = str(ledger.remember("afterwards").event)
    assert_kept(project, [told])


# Other owners, as in containers


def test_root_works_for_whoever_owns_the_project(project, varves, as_other):
    """What root writes in a container must not lock the owner out."""
    give_away(project)
    with varves_open(project) as ledger:
        ledger.remember("by root")
        ledger.remember("root, in private", private=True)
        ledger.remember("x", id="mem_abcdefghijkl")
        ledger.remember(LONG, allow_secret=True)
        ledger.list()
    foreign = [path for path in project.rglob("*") if path.stat().st_uid != OTHER]
    assert not foreign, "root keeps the owner out of these"
    assert as_other(project, "doctor").stdout == "ok\n"
    for args in (["by its owner"], ["in private", "--private"], ["y", "--id", "mem_bcdefghijklm"]):
        done = as_other(project, "remember", *args)
        assert done.returncode == 0, done.stderr
    assert varves("remember", "root again", "--private").code == 0
    assert len(json.loads(as_other(project, "list", "--json").stdout)["memories"]) == 8
    assert len(varves("list", "--json").json["memories"]) == 8
    assert varves("verify").code == 0


def test_git_may_refuse_a_project_of_another_owner(project, varves, as_other):
    """Asked about what it lost while git keeps silent, we must not guess."""
    assert varves("remember", "on a branch").code == 0
    subprocess.run(["git", "add", "-A"], cwd=project, check=True)
    subprocess.run(["git", "commit", "-qm", "one"], cwd=project, check=True)
    subprocess.run(["git", "checkout", "-q", "--orphan", "other"], cwd=project, check=True)
    subprocess.run(["git", "rm", "-rqf", "."], cwd=project, check=True)
    assert varves("init").code == 0
    assert varves("doctor").out == "ok\n"
    give_away(project)
    answer = varves("doctor", "--json")
    assert "git" in rules(answer)
    assert "eaten" not in rules(answer)
    fix = next(one["fix"] for one in answer.json["findings"] if one["rule"] == "git")
    assert fix == f"git config --global --add safe.directory {project}"
    assert_refused(varves("doctor", "--restore"), "git does not answer")
    assert "git does not answer" in varves("status").out
    assert varves("remember", "all the same").code == 0
    subprocess.run(fix.split(), check=True)
    assert varves("doctor").out == "ok\n"


def test_another_users_project_can_be_read(project, varves, as_other):
    with varves_open(project) as ledger:
        ledger.remember("by its owner")
        ledger.remember("in private", private=True)
        ledger.recall("owner")
    before = contents(project)
    found = json.loads(as_other(project, "recall", "owner", "--json").stdout)
    assert [hit["text"] for hit in found["hits"]] == ["by its owner"]
    listed = json.loads(as_other(project, "list", "--json").stdout)["memories"]
    assert [one["text"] for one in listed] == ["by its owner"], "private is the owner's alone"
    for private in ([], ["--private"]):
        done = as_other(project, "remember", "x", *private)
        assert (done.returncode, done.stdout, done.stderr.count("\n")) == (5, "", 1)
    status = json.loads(as_other(project, "status", "--json").stdout)
    assert any("may not be written by this user" in one for one in status["limits"])
    assert "no-index" not in rules(as_other(project, "doctor", "--json")), "it lies in our own"
    assert contents(project) == before
    assert as_other(project, "remember", "my own", "--scope", "global").returncode == 0


def test_a_lane_of_another_user_is_left_alone(project, varves, as_other):
    """A project for a group: what one member locks, another cannot even open."""
    give_away(project)
    assert as_other(project, "remember", "first").returncode == 0
    lane = project / ".varves" / "local" / "lanes" / "0.lock"
    os.chown(lane, 0, 0)
    done = as_other(project, "remember", "second")
    assert done.returncode == 0, done.stderr
    assert len(read_log(project)) == 2


# A full disk


def test_a_full_disk_is_named(project, varves):
    mount("-t", "tmpfs", "-o", "size=1m", "tmpfs", str(project))
    try:
        subprocess.run(["git", "init", "--quiet", "--template="], cwd=project, check=True)
        assert varves("remember", "while there was room").code == 0
        assert varves("recall", "room").code == 0
        room = os.statvfs(project)
        (project / "ballast").write_bytes(b"x" * (room.f_bavail * room.f_frsize))
        assert_refused(varves("remember", "-", "--allow-secret", stdin=LONG[:900_000]), "space")
        assert varves("recall", "room", "--json").json["hits"]
        more = os.statvfs(project)  # the index has made room and is kept in memory
        (project / "more").write_bytes(b"x" * (more.f_bavail * more.f_frsize))
        assert "full-disk" in rules(varves("doctor", "--json"))
        assert "project memories cannot be recorded" in varves("status").out
        (project / "ballast").unlink()
        (project / "more").unlink()
        assert varves("remember", "afterwards").code == 0
        assert varves("doctor").out == "ok\n"
    finally:
        subprocess.run(["umount", "--lazy", str(project)], check=True)


# Locks


class Unlocked:
    """An `fcntl` whose locks do not work."""

    def __init__(self, number: int | None) -> None:
        self._number = number

    def __getattr__(self, name: str) -> Any:
        return getattr(fcntl, name)

    def flock(self, handle: int, how: int) -> None:
        """Grant every lock, or none."""
        del handle, how
        if self._number is not None:
            raise OSError(self._number, os.strerror(self._number))


@pytest.mark.full_size(sample=1)
@pytest.mark.parametrize("number", [None, errno.ENOLCK, errno.ENOTSUP], ids=str)
def test_locks_that_do_not_hold(project, monkeypatch, number):
    with varves.open(project) as ledger:
        told = [str(ledger.remember("while locks held").event)]
    (held,) = read_log(project)
    monkeypatch.setattr(files, "fcntl", Unlocked(number))
    crowd = [varves.open(project) for _ in range(4)]
    for turn in range(5):
        for n, one in enumerate(crowd):
            told.append(str(one.remember(f"statement {turn} of process {n}").event))
    assert len(read_log(project)) == 5, "a segment for each process, and the one of before"
    assert (project / ".varves" / held.path).read_bytes() == held.path.read_bytes()
    assert crowd[0].remember("with an id", id="mem_abcdefghijkl").status == "recorded"
    assert crowd[1].remember("with an id", id="mem_abcdefghijkl").status == "known"
    with pytest.raises(Damaged, match="locks do not work"):
        crowd[0].correct("mem_abcdefghijkl", "x", expect=told[0])
    assert crowd[0].correct("mem_abcdefghijkl", "corrected").event
    for one in crowd:
        one.close()
    with varves.open(project) as ledger:
        assert len(texts(ledger)) == 22
        assert {"no-locks", "no-index"} <= {one.rule for one in ledger.doctor()}
        assert any("locks do not work" in one for one in ledger.status()["limits"])
        assert ledger.status()["index"] is None
    monkeypatch.setattr(files, "fcntl", fcntl)
    with varves.open(project) as ledger:
        ledger.doctor()  # looks again, and finds that they hold
    with varves.open(project) as ledger:
        assert ledger.doctor() == ()
        assert ledger.status()["index"] is not None
    assert not (project / ".varves" / NO_LOCKS).exists()
    lanes = (project / ".varves/local/lanes").iterdir()
    assert not [path for path in lanes if "alone" in path.name]
    assert_kept(project, told)


def test_reading_never_tests_a_lock(project, ledger, faults):
    ledger.remember("something")
    ledger.recall("something")
    faults.count()
    ledger.recall("something")
    ledger.list()
    assert "flock" not in faults.calls


# Mounts with manners of their own


def test_a_place_without_second_names(project, monkeypatch, faults):
    """As on FAT: no hard links, so the spool is a copy and first files are claimed otherwise."""
    pick = lambda name, args: errno.EPERM if name == "link" else None  # noqa: E731
    faults.arm(pick)
    with varves.open(project) as ledger:
        ledger.init()
        told = [str(ledger.remember(f"statement {n}").event) for n in range(3)]
        told.append(str(ledger.remember(LONG, allow_secret=True).event))
        ledger.remember("private", private=True)
        assert ledger.init().created == ()
        assert len(texts(ledger)) == 5
    assert "link" in faults.failed
    spooled = {
        path.name: path.read_bytes() for path in (project / ".git/varves/spool").rglob("*.jsonl")
    }
    assert spooled == {
        segment.path.name: segment.path.read_bytes() for segment in read_log(project)
    }
    with varves.open(project) as ledger:
        told.append(str(ledger.remember("another process").event))
        assert ledger.doctor() == ()
        assert len(read_log(project)) == 1
        ids = {e["id"] for e in events_of(project)}
        assert set(told) <= ids


class NoMap(sqlite3.Connection):
    """SQLite where files cannot be mapped, as on some FUSE mounts: no write-ahead log."""

    mode = ""

    def executescript(self, script: str) -> Any:
        if self.execute("pragma journal_mode").fetchone()[0] == "wal":
            raise sqlite3.OperationalError("disk I/O error")
        return super().executescript(script)


@pytest.mark.parametrize("before", [True, False], ids=["with an index of before", "at first"])
def test_a_place_where_files_cannot_be_mapped(project, monkeypatch, before):
    if before:
        with varves.open(project) as ledger:
            ledger.remember("before")
            ledger.list()
        for path in local_of(project).glob("index.sqlite"):
            path.write_bytes(b"")  # an index that must be made anew
    real = sqlite3.connect
    monkeypatch.setattr(
        index_file.sqlite3, "connect", lambda *args, **named: real(*args, factory=NoMap, **named)
    )
    with varves.open(project) as ledger:
        ledger.remember("something")
        assert texts(ledger) >= {"something"}
        assert ledger.status()["index"] is not None
        assert ledger.status()["limits"] == []
        assert indexed(project, "pragma journal_mode") == [("delete",)]
    with varves.open(project) as ledger:
        ledger.remember("something else")
        assert ledger.recall("something").hits
        assert ledger.doctor() == ()


def test_no_two_names_differ_only_in_case(project, home, varves):
    """On a case-insensitive mount they would be one file."""
    settings = f'[teams.Core]\nroot = "{project.parent}/team"\n'
    assert varves("init").code == 0
    write_settings(project, settings)
    with varves_open(project) as ledger:
        for n in range(40):
            ledger.remember(f"Statement {n}", tags=["Tag", "tag"])
        ledger.remember(LONG, allow_secret=True)
        ledger.remember("In private", private=True)
        ledger.remember("Global", scope="global")
        ledger.remember("Team", scope="team:Core")
        ledger.remember("Session", scope="session:S1")
        ledger.remember("Named", id="mem_abcdefghijkl")
        ledger.list()
    ours = [
        project / ".varves",
        project / ".git" / "varves",
        home / "varves",
        project.parent / "team",
    ]
    names = [str(path.relative_to(top)) for top in ours for path in top.rglob("*")]
    assert len(names) > 30
    assert [name for name in names if name != name.lower()] == []


def test_a_project_under_another_spelling_is_the_same_project(project, varves, tmp_path):
    """A link stands for what a case-insensitive mount does: two names, one folder."""
    subprocess.run(["git", "commit", "-qm", "one", "--allow-empty"], cwd=project, check=True)
    subprocess.run(
        ["git", "worktree", "add", "-q", str(tmp_path / "tree")], cwd=project, check=True
    )
    other = tmp_path / "PROJECT"
    other.symlink_to(project)
    assert varves("remember", "one").code == 0
    assert varves("remember", "two", cwd=other, env={"PWD": str(other)}).code == 0
    for root in (project, other):
        listed = varves("list", "--json", "--root", str(root)).json["memories"]
        assert [one["text"] for one in listed] == ["two", "one"]
        assert not [one for one in listed if one.get("branch")]
    assert len(read_log(project)) == 1


# Git


def test_no_git_at_all(tmp_path, varves, home):
    plain = tmp_path / "plain"
    plain.mkdir()
    env = {"PATH": str(tmp_path / "nothing")}
    for args in (["init"], ["remember", "one"], ["remember", "two", "--private"], ["doctor"]):
        assert varves(*args, cwd=plain, env=env).code == 0
    assert len(varves("list", "--json", cwd=plain, env=env).json["memories"]) == 2
    status = varves("status", "--json", cwd=plain, env=env).json
    assert (status["git"], status["spool"], status["limits"]) == (None, None, [])
    assert varves("verify", cwd=plain, env=env).code == 0


def test_a_repository_but_no_git_to_ask(project, varves, tmp_path):
    assert varves("remember", "before").code == 0
    env = {"PATH": str(tmp_path / "nothing")}
    assert "could not be set" in varves("init", env=env).out
    for args in (["one"], ["two", "--private"], ["three", "--scope", "global"]):
        assert varves("remember", *args, env=env).code == 0
    for args in (["recall", "one"], ["verify"], ["rebuild"]):
        assert varves(*args, env=env).code == 0
    assert "git cannot be started" in varves("status", env=env).out
    assert rules(varves("doctor", "--json", env=env)) == {"git"}
    assert_refused(varves("doctor", "--restore", env=env), "git does not answer")
    assert varves("doctor").out == "ok\n"


def test_a_write_that_is_refused_is_not_durable(project, ledger, faults):
    """The class of error stays what the error page says, whichever call was refused."""
    ledger.remember("before")
    faults.fail("write", errno.EROFS)
    with pytest.raises(NotDurable):
        ledger.remember("refused")
