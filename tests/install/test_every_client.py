"""Every agent, in both scopes: put in, put in again, taken out; what is not ours stays."""

from __future__ import annotations

import pytest

from tests.install.scene import (
    ALL,
    DAMAGED,
    EXISTING,
    commands,
    fill,
    parse,
    places,
    read,
    shared,
    without_us,
)
from varves.hosts.clients import CLIENTS

EACH = pytest.mark.parametrize("key", ALL, ids="-".join)


def asked(key: tuple[str, str], *more: str) -> list[str]:
    return ["--client", key[0], "--scope", key[1], *more]


@EACH
def test_a_fresh_install_leaves_nothing_behind_when_it_is_taken_out(cli, home, project, tree, key):
    before = tree()
    assert cli("install", *asked(key)).code == 0
    assert all(path.exists() for path in places(home, project, key))
    installed = tree()
    again = cli("install", *asked(key))
    assert (again.code, again.out.splitlines()[0]) == (0, f"{key[0]}  is installed already")
    assert tree() == installed
    assert cli("uninstall", *asked(key)).code == 0
    assert tree() == before


@EACH
def test_what_is_not_ours_stays_to_the_byte(cli, home, project, tree, key):
    fill(shared(home, project, key), EXISTING)
    before = tree()
    assert cli("install", *asked(key)).code == 0
    for path in shared(home, project, key):
        _check_kept(path)
        assert path.stat().st_mode & 0o777 == 0o640
    installed = tree()
    assert cli("install", *asked(key), "--json").json["clients"][0]["status"] == "current"
    assert tree() == installed
    assert cli("uninstall", *asked(key)).code == 0
    assert tree() == before


def _check_kept(path) -> None:
    was = EXISTING[path.suffix]
    held = read(path)
    assert held != parse(was, path.suffix)
    assert without_us(held) == without_us(parse(was, path.suffix))
    said = path.read_text(encoding="utf-8")
    assert [remark for remark in REMARKS if remark in was and remark not in said] == []


REMARKS = ["// how it was set up by hand", "/* for now */", "// mine", "// theirs", "// the end"]
REMARKS += ["# mine", "# for now", "# the last of mine", "[1, 2,   3]"]


@EACH
def test_others_changes_since_survive_the_uninstall(cli, home, project, key):
    paths = shared(home, project, key)
    fill(paths, EXISTING)
    cli("install", *asked(key))
    for path in paths:
        text = path.read_text(encoding="utf-8")
        path.write_text(text.replace('"gpt-6"', '"gpt-7"').replace("opus", "sonnet"), "utf-8")
    cli("uninstall", *asked(key))
    for path in paths:
        was = EXISTING[path.suffix]
        wanted = was.replace('"gpt-6"', '"gpt-7"').replace("opus", "sonnet")
        assert path.read_text(encoding="utf-8") == wanted


@pytest.mark.full_size(sample=2)
@EACH
def test_a_dry_run_shows_the_change_and_makes_none(cli, home, project, tree, key):
    fill(shared(home, project, key), EXISTING)
    before = tree()
    said = cli("install", *asked(key, "--dry-run"))
    assert said.code == 0
    assert "would be installed" in said.out
    assert "    +" in said.out
    assert tree() == before
    assert not (project / ".varves").exists()
    cli("install", *asked(key))
    installed = tree()
    said = cli("uninstall", *asked(key, "--dry-run"))
    assert "would be removed" in said.out
    assert tree() == installed


@pytest.mark.parametrize("key", [key for key in ALL if key != ("goose", "project")], ids="-".join)
def test_a_damaged_file_is_refused_and_left_alone(cli, home, project, tree, key):
    for one in shared(home, project, key):
        fill([one], DAMAGED)
        before = tree()
        said = cli("install", *asked(key))
        assert said.code in (3, 5), said
        assert str(one) in said.err
        assert tree() == before
        assert cli("install", *asked(key), "--json").json["error"]["code"] in ("damaged", "refused")
        one.unlink()


@EACH
def test_a_read_only_file_is_refused(cli, home, project, tree, key):
    for one in shared(home, project, key):
        fill([one], EXISTING)
        one.chmod(0o444)
        before = tree()
        said = cli("install", *asked(key))
        assert (said.code, "is read-only" in said.err) == (3, True)
        assert tree() == before
        one.unlink()


@EACH
def test_every_hook_is_one_line_with_the_absolute_program(cli, home, project, key):
    cli("install", *asked(key))
    lines = [
        line
        for path in places(home, project, key)
        if path.suffix == ".json"
        for line in commands(read(path))
    ]
    client = key[0].removesuffix("-code")
    if key[0] == "opencode":
        text = places(home, project, key)[1].read_text(encoding="utf-8")
        assert 'const PROGRAM = ["/' in text
        return
    assert len(lines) >= 6
    for line in lines:
        program, verb, event, option, name = line.split()
        assert program.startswith("/")
        assert program.endswith("/varves")
        assert (verb, option, name) == ("hook", "--client", client)
        assert CLIENTS[name].moments[event] != "other", "a hook for nothing"
