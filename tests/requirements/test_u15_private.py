from __future__ import annotations

import subprocess

import pytest

QUIET = "the harbour master drinks tea at four"


def git(project, *args):
    done = subprocess.run(["git", *args], cwd=project, check=True, capture_output=True)
    return done.stdout


def tracked(project) -> bytes:
    """Commit all there is and return the bytes of every file git tracks, names included."""
    git(project, "add", "-A")
    git(project, "commit", "-qm", "all", "--allow-empty")
    names = git(project, "ls-files", "-z").decode().split("\0")
    contents = [(project / name).read_bytes() for name in names if name]
    return b"\n".join(contents) + "\n".join(names).encode()


def in_any_object(project, text: str) -> bool:
    """Search every object of the repository, reachable or not."""
    listed = git(project, "cat-file", "--batch-check", "--batch-all-objects").decode().split("\n")
    hashes = [line.split()[0] for line in listed if line.split()[1:2] == ["blob"]]
    return any(text.encode() in git(project, "cat-file", "blob", name) for name in hashes)


@pytest.mark.requirement("U-15")
def test_what_is_tagged_sensitive_is_left_out_until_asked_for(ledger, varves):
    name = ledger.remember(QUIET, tags=["sensitive", "people"]).id
    other = ledger.remember("the harbour opens at six", tags=["people"]).id

    def recalled(**options):
        return {hit.memory.id for hit in ledger.recall("harbour", **options)}

    def listed(**options):
        return {memory.id for memory in ledger.list(**options)}

    assert recalled() == recalled(tag="people") == {other}
    assert recalled(include=["sensitive"]) == {name, other}
    assert recalled(tag="sensitive") == {name}
    assert listed() == {other}
    assert listed(tag="sensitive") == {name}
    assert ledger.show(name).text == QUIET
    assert "tea" not in varves("recall", "harbour tea").out
    assert "tea" not in varves("list").out
    assert "tea" in varves("recall", "harbour tea", "--include", "sensitive").out
    assert "tea" in varves("list", "--tag", "sensitive").out


@pytest.mark.requirement("U-15")
def test_a_filter_by_another_tag_does_not_ask_for_the_sensitive(ledger):
    ledger.remember(QUIET, tags=["sensitive", "people"])
    assert ledger.list(tag="people") == ()


@pytest.mark.requirement("U-15")
def test_the_tag_works_from_the_moment_it_is_set_to_the_moment_it_is_taken_away(ledger):
    name = ledger.remember(QUIET).id
    assert len(ledger.recall("harbour").hits) == 1
    ledger.edit(name, tag=["+sensitive"])
    assert len(ledger.recall("harbour").hits) == 0
    changed = ledger.correct(name, QUIET.replace("tea", "coffee")).id
    assert len(ledger.recall("harbour").hits) == 0, "a correction inherits the tag"
    ledger.edit(changed, tag=["-sensitive"])
    assert len(ledger.recall("harbour").hits) == 1


@pytest.mark.requirement("U-15")
def test_private_items_are_in_no_committed_file(ledger, project):
    private = {
        "marked": {"private": True},
        "of a session": {"scope": "session:s-1"},
        "of an agent, marked": {"scope": "agent:ada", "private": True},
        "global": {"scope": "global"},
        "long": {"private": True},
    }
    ledger.remember("a public statement")
    names = []
    for word, options in private.items():
        text = f"{word}: {QUIET}" + (" and more" * 40_000 if word == "long" else "")
        names.append(ledger.remember(text, **options).id)
    better = ledger.correct(names[0], f"better: {QUIET}").id
    ledger.edit(better, tag=["+quiet"])
    ledger.forget(names[1], reason=f"because {QUIET}")
    ledger.undo()
    ledger.rebuild()
    ledger.close()
    content = tracked(project)
    assert b"a public statement" in content
    assert b"harbour" not in content
    for name in (*names, better):
        assert name.encode() not in content
    assert not in_any_object(project, "harbour")


@pytest.mark.requirement("U-15")
def test_without_git_private_items_lie_in_an_ignored_folder(tmp_path, home, varves, project):
    plain = tmp_path / "plain"
    plain.mkdir()
    assert varves("remember", QUIET, "--private", cwd=plain).code == 0
    assert varves("remember", "a public statement", cwd=plain).code == 0
    git(plain, "init", "-q")
    content = tracked(plain)
    assert b"a public statement" in content
    assert b"harbour" not in content


@pytest.mark.requirement("U-15")
def test_only_share_brings_one_into_a_committed_file(ledger, project):
    one = ledger.remember(QUIET, private=True).id
    two = ledger.remember("another private thing", private=True).id
    ledger.share(one)
    content = tracked(project)
    assert QUIET.encode() in content
    assert b"another private thing" not in content
    assert two.encode() not in content
