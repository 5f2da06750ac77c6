"""Files: closed to others whatever the umask, and no link or name leads outside."""

from __future__ import annotations

import os
import sqlite3
import stat
import subprocess
import threading
from contextlib import contextmanager

import pytest

import varves as package
from tests.figures import add_figure, full_size
from tests.places import local_of
from varves.errors import VarvesError

NOW = "2026-11-15T06:20:00Z"
MONTH = ".varves/log/2026-11"
RACES = 1_200 if full_size() else 12


@pytest.fixture
def outside(tmp_path):
    """A folder that is nobody's business, with a file in it that must stay as it is."""
    folder = tmp_path / "outside"
    folder.mkdir()
    (folder / "keep").write_text("as it was\n", encoding="utf-8")
    return folder


@pytest.fixture(autouse=True)
def fixed_now(home, monkeypatch):
    monkeypatch.setenv("VARVES_NOW", NOW)


def check_untouched(outside, *, also=()):
    """Nothing was added, changed or taken away there."""
    assert sorted(path.name for path in outside.iterdir()) == sorted(["keep", *also])
    assert (outside / "keep").read_text(encoding="utf-8") == "as it was\n"
    assert os.stat(outside / "keep").st_mode & 0o777 in (0o600, 0o644, 0o664)


def modes(folder):
    """Map each path below a folder, itself included, to its permission bits."""
    found = {}
    for place, _, names in os.walk(folder):
        for path in [place, *(os.path.join(place, name) for name in names)]:
            found[os.path.relpath(path, folder)] = stat.S_IMODE(os.lstat(path).st_mode)
    return found


# Permissions


@contextmanager
def umask(mask):
    before = os.umask(mask)
    try:
        yield
    finally:
        os.umask(before)


def use_everything(varves):
    """Leave behind every kind of file there is, the torn line set aside among them."""
    assert varves("init").code == 0
    for options in ((), ("--private",), ("--scope", "global"), ("--scope", "session:s-1")):
        assert varves("remember", f"x {options}", *options).code == 0
    assert varves("remember", "-", stdin="long " * 70_000).code == 0
    assert varves("recall", "x").code == 0


@pytest.mark.full_size(sample=1)
@pytest.mark.parametrize("mask", [0o000, 0o022, 0o077])
def test_what_is_ours_alone_is_closed_to_others_whatever_the_umask(varves, project, home, mask):
    with umask(mask):
        use_everything(varves)
    for folder in (project / ".varves/local", project / ".git/varves", home / "varves"):
        for path, mode in modes(folder).items():
            if path.startswith("spool/") and (path.endswith(".jsonl") or "blobs/" in path):
                continue  # a second name of a committed file, in a closed folder
            place = folder / path
            assert mode == (0o700 if place.is_dir() else 0o600), place
    assert {path.name for path in (project / ".git/varves").iterdir()} == {
        *("clone", "local", "private", "spool"),
    }


@pytest.mark.full_size(sample=1)
@pytest.mark.parametrize("mask", [0o000, 0o027])
def test_committed_files_follow_the_umask_as_gits_own_do(varves, project, mask):
    with umask(mask):
        use_everything(varves)
    seen = modes(project / ".varves")
    committed = {path: mode for path, mode in seen.items() if not path.startswith("local")}
    assert len(committed) >= 8
    for path, mode in committed.items():
        expected = 0o777 if (project / ".varves" / path).is_dir() else 0o666
        assert mode == expected & ~mask, path


def test_without_git_the_private_ledger_is_closed_too(tmp_path, home, varves):
    plain = tmp_path / "plain"
    plain.mkdir()
    with umask(0):
        assert varves("remember", "x", "--private", cwd=plain).code == 0
    seen = modes(plain / ".varves/private")
    assert len(seen) >= 5
    for path, mode in seen.items():
        assert mode == (0o700 if (plain / ".varves/private" / path).is_dir() else 0o600), path


def test_a_torn_line_is_set_aside_closed_to_others(varves, project):
    with umask(0):
        assert varves("remember", "one").code == 0
        (segment,) = (project / MONTH).glob("*.jsonl")
        with open(segment, "ab") as file:
            file.write(b'{"v":1,"id":"evt_torn')
        assert varves("remember", "two").code == 0
    (aside,) = (local_of(project) / "set-aside").iterdir()
    assert stat.S_IMODE(aside.stat().st_mode) == 0o600
    assert aside.read_bytes() == b'{"v":1,"id":"evt_torn'


# Links, laid before anything runs


def symlink(outside, path):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.symlink_to(outside)


SWAPPED = {
    "the ledger": (".varves", "outside"),
    "the log": (".varves/log", "outside"),
    "a month": (MONTH, "outside"),
    "the local folder": (".varves/local", "outside"),
    "the lanes": (".varves/local/lanes", "outside"),
    "a lane's lock": (".varves/local/lanes/0.lock", "keep"),
    "the index of an earlier version": (".varves/local/index.sqlite", "keep"),
    "the local folder in git's": (".git/varves/local", "outside"),
    "the index": (".git/varves/local/index.sqlite", "keep"),
    "a fresh index": (".git/varves/local/index.sqlite", "absent"),
    "the index's journal": (".git/varves/local/index.sqlite-wal", "absent"),
    "the format": (".varves/format.json", "keep"),
    "the settings": (".varves/settings.toml", "keep"),
    "the ignore file": (".varves/.gitignore", "keep"),
    "our folder in git's": (".git/varves", "outside"),
    "the clone's name": (".git/varves/clone", "keep"),
    "the spool": (".git/varves/spool", "outside"),
    "a spooled month": (".git/varves/spool/2026-11", "outside"),
    "the private ledger": (".git/varves/private", "outside"),
    "the private log": (".git/varves/private/log", "outside"),
    "the blobs": (".varves/log/blobs", "outside"),
}


@pytest.mark.full_size(sample=2)
@pytest.mark.parametrize("name", SWAPPED)
def test_behind_a_symbolic_link_nothing_is_read_or_written(cli, project, outside, name):
    place, target = SWAPPED[name]
    at = {"outside": outside, "keep": outside / "keep", "absent": outside / "made"}[target]
    symlink(at, project / place)
    for argv in (
        ("init",),
        ("remember", "project statement"),
        ("remember", "private statement", "--private"),
        ("remember", "-"),
        ("recall", "statement"),
        ("list",),
        ("status",),
        ("verify",),
        ("rebuild",),
        ("doctor",),
        ("doctor", "--restore"),
    ):
        answer = cli(*argv, stdin=b"long text " * 30_000)
        assert answer.code in (0, 1, 3, 5), (argv, answer.err[-200:])
        assert "internal" not in answer.err
        assert "as it was" not in answer.out + answer.err
    check_untouched(outside)


@pytest.mark.parametrize(
    "place",
    [
        *(".varves", ".varves/local", ".varves/local/lanes/0.lock", ".varves/format.json"),
        *(".varves/settings.toml", ".varves/log", ".git/varves", ".git/varves/clone"),
    ],
)
def test_a_write_that_meets_such_a_link_is_refused_and_names_it(cli, project, outside, place):
    symlink(
        outside if "." not in place.rpartition("/")[2][1:] else outside / "keep", project / place
    )
    answer = cli("remember", "x")
    assert answer.code in (3, 5)
    assert answer.out == ""
    assert answer.err.startswith("varves: ")


def test_a_ledger_behind_a_link_is_refused_by_every_verb(cli, project, outside):
    """Reading it, too: the format file there would be read before anything else."""
    (outside / "format.json").write_text("{}", encoding="utf-8")
    (project / ".varves").symlink_to(outside)
    for argv in (("remember", "x"), ("recall", "x"), ("status",), ("verify",), ("init",)):
        answer = cli(*argv)
        assert (answer.code, "is a link" in answer.err) == (3, True), argv
    check_untouched(outside, also=["format.json"])


def test_a_segment_behind_a_link_is_not_read(cli, project, outside):
    """A forged link in a branch may point at any file of the reader's."""
    assert cli("remember", "here").code == 0
    (segment,) = (project / MONTH).glob("*.jsonl")
    os.rename(segment, outside / "there.jsonl")
    segment.symlink_to(outside / "there.jsonl")
    before = (outside / "there.jsonl").read_bytes()
    assert cli("list").out == ""
    assert cli("remember", "more").code == 0
    assert (outside / "there.jsonl").read_bytes() == before
    check_untouched(outside, also=["there.jsonl"])


def test_a_hard_link_in_a_locks_place_is_refused_and_its_file_kept(cli, project, outside):
    lanes = project / ".varves/local/lanes"
    lanes.mkdir(parents=True)
    os.link(outside / "keep", lanes / "0.lock")
    answer = cli("remember", "x")
    assert (answer.code, "plain file" in answer.err) == (5, True)
    check_untouched(outside)


def test_a_hard_link_in_the_decide_locks_place_is_refused_too(cli, project, outside):
    local = project / ".varves/local"
    local.mkdir(parents=True)
    os.link(outside / "keep", local / "decide.lock")
    answer = cli("remember", "x", "--id", "mem_aaaaaaaaaaaa")
    assert answer.code == 5
    check_untouched(outside)


def test_a_hard_link_in_the_indexs_place_is_not_written_through(cli, project, outside):
    """Another program's database would gain our tables."""
    with sqlite3.connect(outside / "theirs.db") as theirs:
        theirs.execute("create table theirs (a)")
    theirs.close()
    before = (outside / "theirs.db").read_bytes()
    local = local_of(project)
    local.mkdir(parents=True)
    os.link(outside / "theirs.db", local / "index.sqlite")
    assert cli("remember", "x").code == 0
    assert cli("recall", "x").out
    assert cli("rebuild").code == 0
    assert (outside / "theirs.db").read_bytes() == before
    assert any(one["rule"] == "no-index" for one in cli("doctor", "--json").json["findings"])


def test_a_segment_of_ours_with_a_third_name_is_not_continued(cli, project, outside):
    """Two names are ours: the log's and the spool's. A third is somebody else's."""
    assert cli("remember", "one").code == 0
    (segment,) = (project / MONTH).glob("*.jsonl")
    os.link(segment, outside / "third")
    before = segment.read_bytes()
    answer = cli("remember", "two")
    assert answer.code in (0, 5)
    assert (outside / "third").read_bytes() == before
    assert segment.read_bytes() == before


def test_a_private_segment_has_one_name_only(cli, project, outside):
    assert cli("remember", "one", "--private").code == 0
    (segment,) = (project / ".git/varves/private/log/2026-11").glob("*.jsonl")
    os.link(segment, outside / "second")
    before = segment.read_bytes()
    assert cli("remember", "two", "--private").code in (0, 5)
    assert (outside / "second").read_bytes() == before


@pytest.mark.parametrize("place", [".varves/local/lanes/0.lock", ".varves/local/decide.lock"])
def test_a_fifo_in_a_locks_place_neither_blocks_nor_is_used(cli, project, place):
    (project / place).parent.mkdir(parents=True)
    os.mkfifo(project / place)
    assert cli("remember", "x", "--id", "mem_aaaaaaaaaaaa").code == 5


def test_links_that_git_brings_are_not_followed(project, outside, cli):
    """A hostile branch can hold links; checked out, they lead nowhere for us."""
    (project / ".varves/log").mkdir(parents=True)
    (project / MONTH).symlink_to(outside)
    (project / ".varves/settings.toml").symlink_to(outside / "keep")
    subprocess.run(["git", "add", "-A"], cwd=project, check=True)
    subprocess.run(["git", "commit", "-qm", "links"], cwd=project, check=True)
    assert cli("remember", "x").code == 5
    (project / ".varves/settings.toml").unlink()
    assert cli("remember", "x").code == 5
    assert cli("recall", "x").out == ""
    check_untouched(outside)


# Links, swapped while we work


class Swapping(threading.Thread):
    """Puts a link in a path's place and takes it away again, as fast as it can."""

    def __init__(self, path, target):
        super().__init__(daemon=True)
        self.path, self.target = path, target
        self.aside = path.with_name(path.name + ".aside")
        self.swaps = 0
        self.ending = False

    def run(self):
        while not self.ending:
            try:
                os.rename(self.path, self.aside)
                os.symlink(self.target, self.path)
                self.swaps += 1
                os.unlink(self.path)
                os.rename(self.aside, self.path)
            except OSError:
                self.mend()

    def mend(self):
        """Put things back where our own work got in between."""
        try:
            if self.path.is_symlink():
                self.path.unlink()
            if self.aside.exists():
                if self.path.exists():
                    os.rename(self.path, self.path.with_name(f"{self.path.name}.{self.swaps}"))
                os.rename(self.aside, self.path)
        except OSError:
            pass

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, *_):
        self.ending = True
        self.join()
        self.mend()


RACED = {
    "the ledger": ".varves",
    "the ledger's local folder": ".varves/local",
    "the local folder": ".git/varves/local",
    "the log": ".varves/log",
    "a month": MONTH,
    "the lanes": ".varves/local/lanes",
    "the spool": ".git/varves/spool",
    "a spooled month": ".git/varves/spool/2026-11",
    "our folder in git's": ".git/varves",
    "a lane's lock": ".varves/local/lanes/0.lock",
}


@pytest.mark.full_size(sample=1)
@pytest.mark.parametrize("name", RACED)
def test_a_link_swapped_in_at_any_moment_leads_nowhere(project, outside, name):
    with package.open(project) as ledger:
        ledger.remember("before the race")
    planted = outside / "planted"
    planted.mkdir()
    is_file = RACED[name].endswith(".lock")
    target = outside / "keep" if is_file else planted
    with Swapping(project / RACED[name], target) as swapping:
        refused = 0
        for number in range(200 * RACES):
            if number >= RACES and swapping.swaps > RACES // 4:
                break  # a busy machine lets the other thread run late
            with package.open(project) as ledger:
                try:
                    ledger.remember(f"statement {number}")
                    ledger.recall("statement")
                except VarvesError:
                    refused += 1
    assert swapping.swaps > RACES // 4
    for path in planted.iterdir():
        # SQLite opens these by their path, a moment after we looked; no memory's text is in them.
        assert name == "the local folder"
        assert path.name in ("index.sqlite-shm", "state.sqlite-shm", "state.sqlite-wal")
        assert b"statement" not in path.read_bytes()
    check_untouched(outside, also=["planted"])
    escapes = len(list(planted.iterdir()))
    add_figure("S7", races=number, links_swapped_in=swapping.swaps, escapes=escapes)
    with package.open(project) as ledger:
        assert ledger.remember("after the race").id


# Names


TRAVERSAL = [
    *("../evil", "..", "a/../b", "/etc/evil", "/", "a\\..\\b", "..\\evil", "\\\\host\\evil"),
    *("C:\\evil", "C:evil", "~/evil", "CON", "nul.txt", "LPT1", "a\0b", "evil.", "evil ", ""),
    *("x" * 300, "a\nb", "\u202eevil", "%2e%2e/evil", "a//b", ".hidden"),
]
AS_NAMES = {
    "agent scope": ("remember", "x", "--scope", "agent:{}"),
    "team scope": ("remember", "x", "--scope", "team:{}"),
    "session scope": ("remember", "x", "--scope", "session:{}"),
    "project scope": ("remember", "x", "--scope", "project:{}"),
    "session": ("remember", "x", "--session={}"),
    "actor": ("remember", "x", "--actor={}"),
    "own scope": ("remember", "x", "--scope", "agent", "--actor={}"),
    "own session": ("remember", "x", "--scope", "session", "--session={}"),
    "id": ("remember", "x", "--id={}"),
}
# No id at all means the project itself, or the caller's own.
HARMLESS = {("project scope", ""), ("agent scope", "")}


@pytest.mark.parametrize("door", AS_NAMES)
def test_a_name_that_could_leave_its_folder_is_refused_at_every_door(cli, project, door):
    before = sorted(project.rglob("*"))
    for evil in TRAVERSAL:
        if (door, evil) in HARMLESS:
            continue
        argv = [part.format(evil) if "{}" in part else part for part in AS_NAMES[door]]
        answer = cli(*argv)
        assert answer.code in (2, 3), (evil, answer)
        assert answer.out == ""
    assert sorted(project.rglob("*")) == before, "nothing was written"


@pytest.mark.parametrize("evil", [path for path in TRAVERSAL if path not in ("evil.", "evil ")])
def test_evidence_cannot_point_outside(cli, project, evil):
    if evil in (".hidden", "x" * 300, "%2e%2e/evil"):
        assert cli("remember", "x", f"--evidence={evil}").code == 0, "a path, if not one there is"
        return
    assert cli("remember", "x", f"--evidence={evil}").code in (2, 3)
    assert not (project / ".varves").exists()


def test_evidence_behind_a_link_is_not_read(ledger, project, outside):
    (project / "link").symlink_to(outside / "keep")
    (project / "folder").symlink_to(outside)
    (project / "plain").write_text("inside", encoding="utf-8")
    name = ledger.remember("x", evidence=["link", "folder/keep", "plain", "absent"]).id
    digests = [one.get("digest") for one in ledger.show(name).evidence]
    assert [bool(digest) for digest in digests] == [False, False, True, False]


def test_through_python_and_a_batch_names_are_held_to_the_same(ledger, project):
    fields = {"session": "{}", "scope": "agent:{}", "id": "{}"}
    lines = [
        {"text": f"statement {field}", field: shape.format(evil)}
        for field, shape in fields.items()
        for evil in filter(None, TRAVERSAL)
    ]
    done = ledger.remember_many(lines)
    assert (done.written, done.known) == (0, 0)
    assert {line.code for line in done.refused} == {"usage", "unsafe-name"}
    for evil in filter(None, TRAVERSAL):
        for name in ("actor", "session"):
            with pytest.raises(VarvesError) as told:
                package.open(project, **{name: evil})
            assert told.value.exit == 3
    assert not (project / ".varves").exists()


@pytest.mark.parametrize("variable", ["VARVES_ACTOR", "VARVES_SESSION"])
def test_the_environment_is_held_to_the_same(varves, project, variable):
    for evil in ("../evil", "/etc/evil", "a\\b", "CON"):
        assert varves("remember", "x", env={variable: evil}).code == 3
    assert not (project / ".varves").exists()


def test_a_root_that_is_no_folder_is_refused(cli, project, outside):
    for evil in ("/nowhere/at/all", str(outside / "keep"), "a\0b"):
        assert cli("remember", "x", "--root", evil).code == 2
    check_untouched(outside)


def test_a_lanes_note_cannot_lead_outside(cli, project, outside):
    """The note names the segment to go on with; a forged one must not choose another file."""
    assert cli("remember", "one").code == 0
    lock = project / ".varves/local/lanes/0.lock"
    note = lock.read_text(encoding="utf-8")
    (segment,) = (project / MONTH).glob("*.jsonl")
    name = segment.relative_to(project / ".varves").as_posix()
    assert name in note
    for evil in ("../../outside/keep", "log/../../../outside/keep", str(outside / "keep")):
        lock.write_text(note.replace(name, evil), encoding="utf-8")
        assert cli("remember", f"more {evil}").code in (0, 5)
    check_untouched(outside)
