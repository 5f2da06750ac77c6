"""Each error is met once, by its shortest way, and the page about them says what happened."""

from __future__ import annotations

import inspect
import os
import re
import subprocess
import sys

import pytest

from tests.errors.cases import CASES, Scene
from tests.errors.page import PAGE, rendered
from tests.requirements.sources import segments
from varves import errors

UPDATE = bool(os.environ.get("VARVES_UPDATE"))
LINE = re.compile(r"varves: [^;\n]+; [^\n]+\n")


@pytest.fixture
def scene(project, monkeypatch):
    made = Scene(project, monkeypatch)
    yield made
    made.let_go()


each_case = pytest.mark.parametrize("case", CASES, ids=lambda case: case.code)


@each_case
def test_it_is_one_line_on_stderr_and_its_exit_code(cli, scene, case):
    argv = case.arrange(scene)
    answer = cli(*argv)
    assert (answer.code, answer.out) == (case.exit, "")
    assert LINE.fullmatch(answer.err), answer.err


@each_case
def test_with_json_it_is_one_object_on_stdout(cli, scene, case):
    argv = case.arrange(scene)
    answer = cli(*argv, "--json")
    assert (answer.code, answer.err) == (case.exit, "")
    assert set(answer.json) == {"error"}
    assert set(answer.json["error"]) == {"code", "message", "hint"}
    assert answer.json["error"]["code"] == case.code
    assert all(answer.json["error"].values())


@each_case
def test_nothing_is_written(cli, scene, project, home, case):
    argv = case.arrange(scene)
    before = segments(project, home)
    cli(*argv)
    assert segments(project, home) == before


def test_every_class_of_error_has_a_case_of_its_own():
    classes = [one for _, one in inspect.getmembers(errors, inspect.isclass)]
    known = {(one.code, one.exit) for one in classes if one is not errors.VarvesError}
    assert known == {(case.code, case.exit) for case in CASES}


def test_the_page_says_what_happens(tmp_path, cli, monkeypatch):
    """Run with VARVES_UPDATE=1 to write it again."""
    told = []
    for number, case in enumerate(CASES):
        root = tmp_path / str(number) / "project"
        root.mkdir(parents=True)
        subprocess.run(["git", "init", "-q"], cwd=root, check=True)
        with monkeypatch.context() as patch:
            scene = Scene(root, patch)
            argv = case.arrange(scene)
            told.append((case, argv, cli(*argv, cwd=root).err))
            scene.let_go()
    page = rendered(told)
    if UPDATE:
        PAGE.write_text(page, encoding="utf-8")
    assert PAGE.read_text(encoding="utf-8") == page, "VARVES_UPDATE=1 pytest tests/errors"


# Findings: exit 1, and the answer is still an answer


def test_a_damaged_line_is_a_finding_of_verify(cli, scene):
    scene.remembered()
    path = scene.segment()
    path.write_bytes(path.read_bytes().replace(b"use zod", b"use yup"))
    answer = cli("verify")
    assert (answer.code, answer.err) == (1, "")
    assert answer.out.startswith("damage  .varves/log/")
    found = cli("verify", "--json")
    assert (found.code, found.json["ok"]) == (1, False)
    counts = {"segments", "events", "damage", "gaps", "uncompared"}
    assert set(found.json) == {"ok", "whole"} | counts
    assert set(found.json["damage"][0]) >= {"rule", "place", "message"}


def test_a_gap_is_listed_and_no_error(cli, scene, project):
    scene.remembered()
    subprocess.run(["git", "add", "-A"], cwd=project, check=True)
    subprocess.run(["git", "commit", "-qm", "one"], cwd=project, check=True)
    first = scene.segment()
    scene.remembered("use valibot")
    subprocess.run(["git", "rm", "--quiet", str(first)], cwd=project, check=True)
    answer = cli("verify", "--json")  # it is still in HEAD
    assert (answer.code, answer.json["ok"]) == (0, True)
    assert answer.json["gaps"]


def test_what_git_ate_is_a_finding_of_doctor(cli, scene):
    scene.remembered()
    scene.segment().unlink()
    answer = cli("doctor")
    assert (answer.code, answer.err) == (1, "")
    assert "varves doctor --restore" in answer.out
    assert cli("doctor", "--json").json["findings"][0]["rule"] == "eaten"
    assert cli("doctor", "--restore").code == 0
    assert cli("doctor").code == 0


def test_an_empty_answer_is_no_error(cli):
    for argv in (("list",), ("log",), ("undo",)):
        answer = cli(*argv)
        assert (answer.code, answer.out, answer.err) == (0, "", "")
    answer = cli("conflicts")
    assert (answer.code, answer.out, answer.err) == (0, "", "varves: no conflicts\n")
    answer = cli("recall", "zod")
    assert (answer.code, answer.out) == (0, "")
    assert "try other words" in answer.err


# The process edge


def run(project, *argv, **options):
    return subprocess.run(
        [sys.executable, "-m", "varves", *argv],
        cwd=project,
        stderr=subprocess.PIPE,
        encoding="utf-8",
        check=False,
        timeout=60,
        **options,
    )


def test_a_current_folder_that_was_deleted_is_a_usage_error(tmp_path):
    """Regression: it was an internal error."""
    command = f"mkdir gone && cd gone && rmdir ../gone && '{sys.executable}' -m varves status"
    done = subprocess.run(
        ["sh", "-c", command], cwd=tmp_path, capture_output=True, encoding="utf-8", check=False
    )
    assert done.returncode == 2
    assert LINE.fullmatch(done.stderr)
    assert "the current folder no longer exists" in done.stderr


def test_an_answer_nobody_can_take_is_told_on_stderr(project, scene):
    scene.remembered()
    with open("/dev/full", "w", encoding="utf-8") as full:
        done = run(project, "list", stdout=full)
    assert done.returncode == 5
    assert LINE.fullmatch(done.stderr)


def test_a_reader_who_leaves_is_no_error(project, scene):
    scene.remembered()
    read, write = os.pipe()
    os.close(read)
    try:
        done = run(project, "log", stdout=write)
    finally:
        os.close(write)
    assert (done.returncode, done.stderr) == (0, "")


def test_a_real_full_file_is_told_and_loses_nothing(project, scene, cli):
    """The same as the case above, with the system's own limit in the place of a patch."""
    import resource

    scene.remembered()
    size = scene.segment().stat().st_size

    def limit():
        resource.setrlimit(resource.RLIMIT_FSIZE, (size + 100, size + 100))

    done = run(project, "remember", "use valibot", stdout=subprocess.PIPE, preexec_fn=limit)
    assert (done.returncode, done.stdout) == (5, "")
    assert LINE.fullmatch(done.stderr)
    assert scene.segment().stat().st_size == size
    assert cli("remember", "use valibot").code == 0
    assert cli("verify", "--deep").code == 0


def test_what_should_not_happen_is_one_line_too(cli, monkeypatch):
    """Whatever breaks beneath us, nobody is shown a traceback unasked."""

    def broken(*_args, **_named):
        raise ZeroDivisionError("out of the blue")

    monkeypatch.setattr(os, "lstat", broken)
    answer = cli("status")
    assert answer.code == 5
    assert LINE.fullmatch(answer.err)
    assert "Traceback" not in answer.err
    assert cli("status", "--json").json["error"]["code"] == "internal"
