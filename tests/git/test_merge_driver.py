"""Git's merge driver in a clone: where it is written, what it does, and what it falls back to.

A test that lets git run the driver starts the real program.
"""

from __future__ import annotations

import json
import os
import subprocess

import pytest

from varves.merge_driver import settle

ENTRIES = "memory/projects/p/memory.json"
OWN = (
    b"\xff not UTF-8\n",
    b'[core]\n\tbare = false\n# a note\n\n[merge "mine"]\n\tdriver = true\n',
    b"# no end of line",
)


def git(root, *words, check=True, **more):
    """Run git and return what it says."""
    done = subprocess.run(
        ["git", *words], cwd=root, capture_output=True, encoding="utf-8", check=False, **more
    )
    assert not check or done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


def write(varves, text, *more):
    answer = varves("scoped", "write", "project:p", "--type", "pattern", "--content", text, *more)
    assert answer.code == 0, answer.err


def entries(root):
    return [one["content"] for one in json.loads((root / ENTRIES).read_bytes())["entries"]]


def parted(varves, project):
    """Let two branches each write one entry."""
    write(varves, "Known")
    git(project, "add", "--all")
    git(project, "commit", "--quiet", "--message", "begin")
    git(project, "switch", "--quiet", "--create", "theirs")
    write(varves, "Theirs")
    git(project, "add", "--all")
    git(project, "commit", "--quiet", "--message", "theirs")
    git(project, "switch", "--quiet", "main")
    write(varves, "Ours")
    git(project, "add", "--all")
    git(project, "commit", "--quiet", "--message", "ours")


def kept(project):
    return [(project / ".git" / name).read_bytes() for name in ("config", "info/attributes")]


def driver(root):
    return git(root, "config", "merge.varves.driver", check=False).strip()


def attribute(root, path):
    return git(root, "check-attr", "merge", "--", path).strip().rpartition(" ")[2]


# Where it is written


def test_init_writes_the_driver_once(varves, project):
    assert varves("init").code == 0
    assert " merge-file %O %A %B %P; git merge-file " in driver(project)
    assert attribute(project, ENTRIES) == "varves"
    assert attribute(project, "memory/projects/p/mem_4k2m9x7q1c5d.json") == "varves"
    assert attribute(project, "package.json") == "unspecified"
    before = kept(project)
    assert varves("init").code == 0
    assert kept(project) == before


def test_the_first_writing_verb_writes_the_driver_and_a_reading_one_does_not(varves, project):
    assert varves("scoped", "read", "project:p").code == 0
    assert driver(project) == ""
    write(varves, "One")
    assert attribute(project, ENTRIES) == "varves"
    assert driver(project) != ""


def test_a_hook_never_writes_the_driver(varves, project):
    assert varves("init").code == 0
    assert varves("uninstall").code == 0
    settings = project / ".varves" / "settings.toml"
    settings.write_text('[hooks]\nprotocols = ["scoped"]\n', encoding="utf-8")
    assert varves("trust", "--settings", "--yes").code == 0
    before = kept_or_none(project)
    asked = {"session_id": "s", "cwd": str(project), "hook_event_name": "SessionStart"}
    varves("hook", "SessionStart", "--client", "claude", stdin=json.dumps(asked))
    assert (project / "memory" / "sessions" / "s.json").exists(), "the hook wrote"
    assert kept_or_none(project) == before


def kept_or_none(project):
    return [
        path.read_bytes() if path.exists() else None
        for path in (project / ".git" / "config", project / ".git" / "info" / "attributes")
    ]


@pytest.mark.full_size(sample=1)
@pytest.mark.parametrize("own", OWN, ids=["not UTF-8", "a driver of one's own", "no line end"])
def test_uninstall_restores_every_byte(varves, project, own):
    for path in (project / ".git" / "config", project / ".git" / "info" / "attributes"):
        with open(path, "ab") as file:
            file.write(own if path.name == "attributes" or own[:1] == b"#" else b"")
    before = kept(project)
    write(varves, "One")
    assert kept(project) != before
    answer = varves("uninstall")
    assert (answer.code, "merge driver" in answer.out) == (0, True)
    assert kept(project) == before
    write(varves, "Two")
    assert kept(project) == before, "what a person removed stays removed"
    assert "merge-driver" in varves("doctor").out


def test_settings_that_git_adds_later_stay(varves, project):
    write(varves, "One")
    git(project, "config", "branch.main.note", "mine")
    with open(project / ".git" / "info" / "attributes", "a", encoding="utf-8") as file:
        file.write("*.png -diff\n")
    assert varves("uninstall").code == 0
    assert git(project, "config", "branch.main.note").strip() == "mine"
    assert (project / ".git" / "info" / "attributes").read_text("utf-8") == "*.png -diff\n"
    assert driver(project) == ""


def test_a_section_that_git_removed_is_written_anew_and_nothing_else_changes(varves, project):
    write(varves, "One")
    git(project, "config", "branch.main.note", "mine")
    git(project, "config", "--remove-section", "merge.varves")
    git(project, "config", "branch.side.note", "theirs")
    assert varves("doctor", "--fix").code == 0
    assert driver(project) != ""
    for branch, note in (("main", "mine"), ("side", "theirs")):
        assert git(project, "config", f"branch.{branch}.note").strip() == note


def test_all_worktrees_have_the_driver_and_a_project_below_the_top_its_own_files(varves, project):
    (project / "sub[1]").mkdir()
    write(varves, "One")
    git(project, "add", "--all")
    git(project, "commit", "--quiet", "--message", "begin")
    git(project, "worktree", "add", "--quiet", "../aside")
    write(varves, "Two", "--root", str(project.parent / "aside"))
    assert attribute(project.parent / "aside", ENTRIES) == "varves"
    write(varves, "Three", "--root", str(project / "sub[1]"))
    assert attribute(project, f"sub[1]/{ENTRIES}") == "varves"
    assert attribute(project, ENTRIES) == "varves"


def test_doctor_names_a_driver_whose_program_is_gone_and_mends_it(varves, project):
    write(varves, "One")
    config = project / ".git" / "config"
    text = config.read_text("utf-8")
    program = text.partition('driver = "')[2].partition(" merge-file")[0]
    config.write_text(text.replace(program, "/gone/varves"), encoding="utf-8")
    answer = varves("doctor")
    assert "merge-driver" in answer.out
    assert "stale" in answer.out
    assert varves("doctor", "--fix").code == 0
    assert config.read_text("utf-8") == text
    assert "merge-driver" not in varves("doctor").out


@pytest.mark.parametrize("what", ["link", "lock"])
def test_git_settings_that_cannot_be_written_are_left_and_the_entry_is_recorded(
    varves, project, what
):
    config = project / ".git" / "config"
    before = config.read_bytes()
    if what == "lock":
        (project / ".git" / "config.lock").write_text("", encoding="utf-8")
    else:
        config.rename(project / "config")
        config.symlink_to(project / "config")
    write(varves, "One")
    assert config.read_bytes() == before
    assert entries(project) == ["One"]
    assert "merge-driver" in varves("doctor").out


# What it does


def test_git_merges_what_two_branches_wrote(varves, project):
    parted(varves, project)
    git(project, "merge", "--no-edit", "theirs")
    assert sorted(entries(project)) == ["Known", "Ours", "Theirs"]
    assert git(project, "status", "--porcelain") == ""


@pytest.mark.full_size(sample=1)
@pytest.mark.parametrize("broken", ["gone", "fails", "python"])
def test_a_program_that_cannot_run_leaves_the_merge_to_git_with_its_marks(varves, project, broken):
    parted(varves, project)
    config = project / ".git" / "config"
    text = config.read_text("utf-8")
    program = text.partition('driver = "')[2].partition(" merge-file")[0]
    instead = {"gone": "/gone/varves", "fails": "false", "python": "python3 -P -m varves_gone"}
    config.write_text(text.replace(program, instead[broken]), encoding="utf-8")
    said = git(project, "merge", "--no-edit", "theirs", check=False)
    assert "CONFLICT" in said
    assert b"<<<<<<< ours" in (project / ENTRIES).read_bytes()
    assert ENTRIES in git(project, "ls-files", "--unmerged")
    assert varves("rebuild").code == 0
    assert sorted(entries(project)) == ["Known", "Ours", "Theirs"]


def test_a_merge_with_an_empty_path_falls_back_to_git(varves, project):
    parted(varves, project)
    config = project / ".git" / "config"
    text = config.read_text("utf-8")
    program = text.partition('driver = "')[2].partition(" merge-file")[0]
    config.write_text(text.replace(program, "varves"), encoding="utf-8")
    exec_path = git(project, "--exec-path").strip()
    plain = {**os.environ, "PATH": "/usr/bin:/bin", "GIT_EXEC_PATH": exec_path}
    git(project, "merge", "--no-edit", "theirs", check=False, env=plain)
    assert b"<<<<<<< " in (project / ENTRIES).read_bytes()


def test_what_people_wrote_around_a_block_is_merged_by_git(varves, project):
    prompt = project / "AGENTS.md"
    prompt.write_text("Be nice.\n\nUse tabs.\n\nGo on.\n", encoding="utf-8")
    write(varves, "Known")
    assert varves("scoped", "inject", "AGENTS.md").code == 0
    parted_by(project, varves, prompt, ("Be kind.", "Be quick."))
    said = git(project, "merge", "--no-edit", "theirs", check=False)
    text = prompt.read_text("utf-8")
    assert "CONFLICT" in said
    assert "<<<<<<< ours\nBe kind.\n=======\nBe quick.\n>>>>>>> theirs\n" in text
    assert text.count("<<<<<<<") == 1, "the block has no conflict"


def parted_by(project, varves, prompt, lines):
    """Let two branches change the first line of a prompt and write its block again."""
    git(project, "add", "--all")
    git(project, "commit", "--quiet", "--message", "begin")
    git(project, "branch", "theirs")
    for branch, line in zip(("main", "theirs"), lines, strict=True):
        git(project, "switch", "--quiet", branch)
        text = prompt.read_text("utf-8")
        prompt.write_text(text.replace("Be nice.", line), encoding="utf-8")
        write(varves, f"From {branch}")
        assert varves("scoped", "inject", "AGENTS.md").code == 0
        git(project, "add", "--all")
        git(project, "commit", "--quiet", "--message", branch)
    git(project, "switch", "--quiet", "main")


# What it reads


@pytest.fixture
def three(tmp_path, monkeypatch):
    """Give three versions of a file, outside any repository."""
    monkeypatch.chdir(tmp_path)

    def made(base, ours, theirs):
        for name, content in (("base", base), ("ours", ours), ("theirs", theirs)):
            (tmp_path / name).write_bytes(content)
        return tmp_path

    return made


def contents(folder):
    return [path.read_bytes() for path in places(folder)]


def places(folder):
    return [folder / name for name in ("base", "ours", "theirs")]


def file(*texts):
    entries = [{"id": f"mem-{at:03}", "content": text} for at, text in enumerate(texts, 1)]
    return json.dumps({"version": "1.0", "entries": entries}).encode()


def test_the_verb_makes_the_three_versions_equal(varves, three):
    folder = three(file("One"), file("One", "Two"), file("One", "Three"))
    answer = varves("merge-file", *map(str, places(folder)), ENTRIES)
    assert (answer.code, answer.out, answer.err) == (0, "", "")
    [made] = {*contents(folder)}
    texts = [one["content"] for one in json.loads(made)["entries"]]
    assert sorted(texts) == ["One", "Three", "Two"]


def test_a_version_that_cannot_be_read_leaves_all_as_they_are(varves, three):
    folder = three(file("One"), b"{\x1b[31m", file("Two"))
    before = contents(folder)
    answer = varves("merge-file", *map(str, places(folder)), ENTRIES)
    assert answer.code == 1
    assert answer.err.count("\n") == 1
    assert "\x1b" not in answer.err
    assert contents(folder) == before


@pytest.mark.parametrize("what", ["link", "folder", "fifo", "missing"])
def test_it_reads_plain_files_only(three, tmp_path, what):
    three(file("One"), file("Two"), file("Three"))
    (tmp_path / "theirs").rename(tmp_path / "outside")
    if what == "link":
        (tmp_path / "theirs").symlink_to(tmp_path / "outside")
    elif what == "folder":
        (tmp_path / "theirs").mkdir()
    elif what == "fifo":
        os.mkfifo(tmp_path / "theirs")
    assert settle("base", "ours", "theirs", ENTRIES) == 1
    assert (tmp_path / "ours").read_bytes() == file("Two")
    assert (tmp_path / "outside").read_bytes() == file("Three")


def test_a_file_that_is_too_large_is_left(three, monkeypatch):
    folder = three(file("One"), file("Two"), file("Three"))
    os.truncate(folder / "theirs", (64 << 20) + 1)
    assert settle("base", "ours", "theirs", ENTRIES) == 1
    assert (folder / "ours").read_bytes() == file("Two")


def test_the_verb_is_in_the_help_and_not_in_the_greeting(varves):
    assert "merge-file" in varves("--help").out
    assert "merge-file" not in varves().out
    assert varves("merge-file", "base").code == 2
