"""What lies where a protocol's file should be is named, left as it is, and stops no other protocol.

Each file of the five protocols is replaced by a folder, by a link that leads out of the project, by
a FIFO, by an empty file and by a large one; the Markdown files of layers are spoilt as text, too.
`validate` and `doctor` name the file, no verb waits or reads outside, and nothing is written there.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import threading
from contextlib import contextmanager

import pytest

from tests.figures import full_size
from tests.protocols.test_hostile_files import BEGIN, FILES

LARGE = 20 << 20
PROSE = 5 << 20 if full_size() else 1 << 20  # bytes of a Markdown file
PATIENCE = 3 if full_size() else 2  # seconds of processor time for a file of that size
SECRET = b"what lies outside of the project"
RULES = "# Rules\n\n## Do\n- Run the tests\n"
EVENT = ("--type", "change", "--scope", "file", "--title", "Begin", "--what", "Began.")
PARTS = ("--why", "Asked.", "--impact", "Little.", "--next", "- Rest")
MARKDOWN = ("AGENTS.md", "CHANGELOG.md", ".memory/graph.md", ".memory/context.md")
SCENES = {
    **BEGIN,
    "layers": (("layers", "init"), ("layers", "append", *EVENT, *PARTS), ("layers", "rebuild")),
}
PLACES = {
    **{name: (case.protocol, case.pattern) for name, case in FILES.items()},
    **{name: ("layers", name) for name in MARKDOWN},
}


# How a file is replaced; each is given the path and a file outside of the project.


def by_folder(path, _outside):
    path.unlink()
    path.mkdir()
    (path / "kept.txt").write_text("somebody's", encoding="utf-8")


def by_link(path, outside):
    outside.write_bytes(SECRET)
    path.unlink()
    path.symlink_to(outside)


def by_fifo(path, _outside):
    path.unlink()
    os.mkfifo(path)


def by_nothing(path, _outside):
    path.write_bytes(b"")


def by_latin(path, _outside):
    path.write_bytes(path.read_bytes() + b"caf\xe9\n")


def by_nul(path, _outside):
    path.write_bytes(path.read_bytes() + b"a\0b\n")


def by_marks(path, _outside):
    theirs = b"=======\n# Other\n>>>>>>> theirs\n"
    path.write_bytes(b"<<<<<<< ours\n" + path.read_bytes() + theirs)


PLACED = {"folder": by_folder, "link": by_link, "fifo": by_fifo, "empty": by_nothing}
TEXTS = {"latin-1": by_latin, "nul": by_nul, "marks": by_marks}
WARNED = {"AGENTS.md", ".memory/graph.md"}  # a person's, or made again: a warning, not an error
HANGS = {(name, "fifo") for name in (*MARKDOWN, "party state")}
EVERY = [
    (name, kind)
    for name, (protocol, _) in PLACES.items()
    for kind in (*PLACED, *(TEXTS if protocol == "layers" else ()))
]


class Scene:
    """A project in which one protocol holds a few records."""

    def __init__(self, cli, project, outside):
        self.cli, self.project, self.outside = cli, project, outside

    def begin(self, protocol):
        """Let the protocol make its files."""
        (self.project / "AGENTS.md").write_text(RULES, encoding="utf-8")
        for words in SCENES[protocol]:
            said = self.cli(*words)
            assert said.code == 0, said

    def path(self, name):
        """Return where one of the files is."""
        return min(self.project.glob(PLACES[name][1]))

    @contextmanager
    def placed(self, name, kind):
        """Put something in a file's place, and the file back afterwards."""
        path = self.path(name)
        good = path.read_bytes()
        (PLACED | TEXTS)[kind](path, self.outside)
        yield path
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path)
        else:
            path.unlink()
        path.write_bytes(good)


@pytest.fixture
def scene(cli, project, tmp_path):
    """Give a project, and a file outside of it."""
    return Scene(cli, project, tmp_path / "outside")


def shape(path):
    """Return what lies there, without opening it."""
    if path.is_symlink():
        return "link", os.readlink(path)
    if path.is_dir():
        return "folder", sorted(one.name for one in path.iterdir())
    return "fifo" if path.is_fifo() else "file", ""


@contextmanager
def freed(path):
    """Let whoever waits at a FIFO go on; give the list of those who did."""
    waited, done = [], threading.Event()

    def watch():
        pause = 0.5
        while not done.wait(pause):
            pause = 0.02
            try:
                os.close(os.open(path, os.O_WRONLY | os.O_NONBLOCK))
            except OSError:
                continue  # nobody waits
            waited.append(path)

    watcher = threading.Thread(target=watch)
    watcher.start()
    try:
        yield waited
    finally:
        done.set()
        watcher.join()


def assert_named(cli, project, name, path, kind):
    """Check what the verbs say of what lies in a file's place, and that they leave it."""
    protocol, at = PLACES[name][0], path.relative_to(project).as_posix()
    lies = shape(path)
    found, doctor = cli(protocol, "validate"), cli("doctor")
    warned = name in WARNED and kind not in ("folder", "link", "fifo")
    assert found.code in ((0, 1) if warned else (1, 3)), found
    assert doctor.code in ((0, 1) if warned else (1,)), doctor
    for said in (found, doctor):
        assert at in said.out + said.err, said
    if found.code == 3:
        assert found.err.count("\n") == 1, found
    others = (("remember", f"Fridays are for {name} and {kind}"), ("list",), ("status",))
    answers = [found, doctor, *(cli(*words) for words in others)]
    assert [said.code for said in answers[2:]] == [0, 0, 0], answers
    for said in answers:
        assert SECRET.decode() not in said.out + said.err
        assert "internal error" not in said.err
    assert shape(path) == lies


@pytest.mark.full_size(sample=1)
@pytest.mark.requirement("U-14")
@pytest.mark.parametrize("protocol", SCENES)
def test_what_lies_in_a_files_place_is_named_and_stops_no_other_protocol(
    scene, cli, project, protocol
):
    scene.begin(protocol)
    for name, kind in EVERY:
        if PLACES[name][0] == protocol and (name, kind) not in HANGS:
            with scene.placed(name, kind) as path:
                assert_named(cli, project, name, path, kind)
    assert scene.outside.read_bytes() == SECRET


@pytest.mark.full_size(sample=1)
@pytest.mark.parametrize(("name", "kind"), sorted(HANGS))
def test_no_verb_waits_at_a_fifo(scene, cli, name, kind):
    protocol = PLACES[name][0]
    scene.begin(protocol)
    with scene.placed(name, kind) as path, freed(path) as waited:
        cli(protocol, "validate")
        assert waited == []


@pytest.mark.full_size(sample=1)
@pytest.mark.requirement("U-14")
@pytest.mark.parametrize("protocol", BEGIN)
def test_a_large_file_that_is_json_is_read(scene, cli, protocol):
    scene.begin(protocol)
    for name, (owner, _) in PLACES.items():
        if owner == protocol:
            path = scene.path(name)
            path.write_bytes(path.read_bytes() + b" " * LARGE)
            found = cli(protocol, "validate")
            assert (name, found.code) == (name, 0), found
            path.write_bytes(path.read_bytes().rstrip(b" "))


@pytest.mark.full_size(sample=1)
@pytest.mark.parametrize("name", MARKDOWN)
def test_a_large_markdown_file_is_read_in_time(scene, project, name):
    scene.begin("layers")
    with open(project / name, "ab") as file:
        file.write(b"and so the talk went on until noon\n" * (PROSE // 35))
    limited = f'ulimit -t {PATIENCE}; exec "$0" -m varves layers validate'
    done = subprocess.run(
        ["/bin/sh", "-c", limited, sys.executable], cwd=project, capture_output=True, check=False
    )
    assert done.returncode in (0, 1), done.returncode


@pytest.mark.full_size(sample=1)
@pytest.mark.parametrize("protocol", SCENES)
def test_a_file_that_may_not_be_read_is_named(scene, cli, project, protocol):
    scene.begin(protocol)
    for name, (owner, _) in PLACES.items():
        if owner == protocol:
            path = scene.path(name)
            path.chmod(0)
            if os.access(path, os.R_OK):
                pytest.skip("this user reads every file")
            found = cli(protocol, "validate")
            path.chmod(0o644)
            assert found.code in (1, 3, 5), (name, found)
            assert path.relative_to(project).as_posix() in found.out + found.err, (name, found)


@pytest.mark.full_size(sample=1)
@pytest.mark.requirement("U-14")
@pytest.mark.parametrize("verb", ["context", "boot"])
def test_a_nul_in_the_context_does_not_stop_layers(scene, cli, verb):
    scene.begin("layers")
    with scene.placed(".memory/context.md", "nul"):
        said = cli("layers", verb)
        assert said.code == 0 or ".memory/context.md" in said.err, said
