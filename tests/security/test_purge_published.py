"""A purge and the files of the five protocols, where git brings files from before it back.

Each kind of file once with a single record, which is the one that is purged: then nothing that is
left renders that file.
"""

from __future__ import annotations

import json
import os
import sqlite3
import zlib
from contextlib import closing

import pytest

from tests.figures import full_size
from tests.git import conftest as memory
from tests.security.erasing import WORD, commit, git, hits

tmp_path = memory.tmp_path  # git is started hundreds of times here

TEXT = f"The {WORD} sleeps behind the Crêperie"
ASKED = "What sleeps behind the Crêperie, and what is the code word?"  # answered by the text alone
LOG = "CHANGELOG.md"
SIDECARS = "_mdan/state/sidecars"
SCOPED = ("--type", "convention", "--content", TEXT)
FACT = ("hivemind", "write", "--type", "factual", "--content")
CHANGE = ("--type", "change", "--scope", "project", "--title", "The vault", "--why", "asked")


def scoped(cli, project):
    cli("scoped", "write", "project", *SCOPED)


def scoped_team(cli, project):
    cli("scoped", "write", "team", "core", *SCOPED)


def hivemind(cli, project):
    cli(*FACT, TEXT, "--tag", WORD)


def hivemind_agent(cli, project):
    cli(*FACT, TEXT, "--scope", "agent:DEV-001")


def hivemind_team(cli, project):
    cli(*FACT, TEXT, "--scope", "team:core")


def hivemind_long(cli, project):
    cli(*FACT, f"{TEXT}. {'and snores, ' * 400}", "--scope", "agent:DEV-001")


def party(cli, project, text=TEXT):
    cli("party", "start", "--agents", "ada,ben")
    cli("party", "remember", "ada", "--type", "context", "--content", text, "--confidence", "0.9")
    cli("party", "end")


def party_by_hand(cli, project):
    """A sidecar that somebody wrote: no session stands behind it."""
    party(cli, project, "Only the form of this is wanted")
    path = project / SIDECARS / "ada.sidecar.json"
    said = json.loads(path.read_text(encoding="utf-8"))
    for line in cli("list", "--status", "all", "--json").json["memories"]:
        cli("purge", line["id"], "--reason", "only its form is wanted", "--yes")
    said["memories"][0]["content"] = TEXT
    said |= {"agent_name": "zed", "display_name": "zed", "session_count": 0}
    (project / SIDECARS / "zed.sidecar.json").write_text(json.dumps(said), encoding="utf-8")
    cli("rebuild")


def deliberation(cli, project):
    cli("deliberation", "new", "talk", "--shared")
    cli("deliberation", "say", "ben", f"We decided on 'the code word': {WORD}.")


def layers(cli, project):
    cli("layers", "append", *CHANGE, "--what", TEXT)
    cli("layers", "boot")


KINDS = [scoped, scoped_team, hivemind, hivemind_agent, hivemind_team, hivemind_long]
KINDS += [party, party_by_hand, deliberation, layers]


def switched(project):
    git(project, "switch", "--quiet", "old")


def reset(project):
    git(project, "reset", "--quiet", "--hard", "HEAD~1")


def checked_out(project):
    git(project, "checkout", "--quiet", "HEAD~1", "--", ".")


def reverted(project):
    git(project, "revert", "--no-edit", "HEAD")


def files_only(project):
    """What was published comes back, and the log stays as it is."""
    kept = [one for one in ("memory", "_mdan", LOG, ".memory") if is_in(project, one)]
    git(project, "checkout", "--quiet", "HEAD~1", "--", *kept)


def is_in(project, name):
    return bool(git(project, "ls-tree", "--name-only", "HEAD~1", name))


WAYS = [switched, reset, checked_out, reverted, files_only]


def used(cli, kind):
    """Let the protocol write something else."""
    name = kind.__name__.partition("_")[0]
    said = {
        "scoped": (
            "scoped",
            "write",
            "global",
            "--type",
            "pattern",
            "--confidence",
            "0.9",
            "--content",
            "Use make",
        ),
        "hivemind": (*FACT, "Use make", "--scope", "agent:QA-001"),
        "party": ("party", "start", "--agents", "cyd,dan"),
        "deliberation": ("deliberation", "say", "ada", "Good evening.", "--conversation", "talk"),
        "layers": ("layers", "append", *CHANGE, "--what", "Something else"),
    }[name]
    assert cli(*said).code == 0


CLEANING = {
    "write": lambda cli, _: cli("remember", "Said on the old branch"),
    "protocol": used,
    "fix": lambda cli, _: cli("doctor", "--fix"),
    "rebuild": lambda cli, _: (cli("rebuild"), cli("remember", "Said on the old branch")),
}
WHEN = ("used before", "made before", "made after")  # another worktree, and the purge
VISITS = [("used before", "fix"), ("used before", "write"), ("made before", "write")]
VISITS += [("made after", "protocol")]
FEW = [scoped, hivemind_agent, party_by_hand, deliberation, layers]
if full_size():
    VISITS = [(when, how) for when in WHEN for how in CLEANING]
    FEW = KINDS


def purged(cli, project, kind):
    """Record by one protocol alone, commit, branch off, purge, commit; return the memory's name."""
    kind(cli, project)
    commit(project)
    git(project, "branch", "old")
    told = cli("list", "--status", "all", "--json").json["memories"]
    [name] = [one["id"] for one in told if WORD in json.dumps(one)]
    assert cli("purge", name, "--reason", "it leaked", "--yes").code == 0
    left = {os.path.relpath(path, project) for path in hits(project)}
    left = {path for path in left if not path.startswith(".git/worktrees/")}
    assert left <= {LOG, ".memory/context.md"}
    commit(project, "purged")
    return name


def sources(project):
    """Return what people write and what is made from it: named, and left to them."""
    return {str(project / name) for name in (LOG, ".memory/context.md", ".memory/graph.md")}


@pytest.mark.full_size(sample=1)
@pytest.mark.product
@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.__name__)
@pytest.mark.parametrize("kind", FEW, ids=lambda kind: kind.__name__)
def test_a_file_whose_only_record_was_purged_goes_with_the_next_write(cli, project, kind, way):
    purged(cli, project, kind)
    way(project)
    for how in ("write", "rebuild") if way is files_only else ("write",):
        CLEANING[how](cli, kind)
    assert set(hits(project)) <= sources(project)
    damage = {one["rule"] for one in cli("verify", "--json").json["damage"]}
    assert damage <= {"eaten"}  # a reset throws the purge's own events away


@pytest.mark.full_size(sample=1)
@pytest.mark.parametrize("kind", KINDS[:6] if full_size() else KINDS[1:6:4])
def test_a_file_committed_beside_a_log_without_it_is_named_and_goes(cli, project, kind):
    """HEAD's own log does not tell any more what its file was made from."""
    purged(cli, project, kind)
    switched(project)
    CLEANING["write"](cli, kind)
    git(project, "checkout", "--quiet", "HEAD", "--", "memory")
    commit(project)
    there = set(hits(project / "memory"))
    assert there
    assert named_by_doctor(cli, project) == there
    cli("rebuild")
    assert hits(project) == []
    assert not named_by_doctor(cli, project)


@pytest.mark.full_size(sample=1)
@pytest.mark.product
@pytest.mark.parametrize("how", CLEANING)
@pytest.mark.parametrize("kind", FEW, ids=lambda kind: kind.__name__)
def test_whatever_runs_first_on_the_old_branch_takes_the_text_away(cli, project, kind, how):
    purged(cli, project, kind)
    switched(project)
    CLEANING[how](cli, kind)
    assert set(hits(project)) <= sources(project)
    assert named_by_doctor(cli, project) == ({str(project / LOG)} if kind is layers else set())


@pytest.mark.full_size(sample=1)
@pytest.mark.product
@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
@pytest.mark.parametrize("way", [switched, files_only], ids=lambda way: way.__name__)
def test_doctor_names_every_file_that_shows_it_and_cleans_it(cli, project, kind, way):
    purged(cli, project, kind)
    way(project)
    there = {path for path in hits(project) if f"{project}/.git/" not in path}
    made = {str(project / name) for name in (".memory/context.md", ".memory/graph.md")}
    if kind is deliberation:  # its files are hidden from git, so git brings none back
        there = {path for path in there if "/.varves/log/" in path}
    assert named_by_doctor(cli, project) == there - made
    assert cli("doctor", "--fix").code in (0, 1)
    assert set(hits(project)) <= sources(project)
    assert named_by_doctor(cli, project) == ({str(project / LOG)} if kind is layers else set())


def named_by_doctor(cli, project):
    """Return the files that doctor says hold something purged."""
    found = cli("doctor", "--json").json["findings"]
    told = [one for one in found if one["rule"] == "unpurged" or "was purged" in one["message"]]
    return {str(project / one["place"].partition(":")[0]) for one in told}


DOORS = {
    "scoped": [
        ("scoped", "read", "project"),
        ("scoped", "read", "team", "core"),
        ("scoped", "rank"),
        ("scoped", "search", "--query", ASKED),
        ("scoped", "task", ASKED),
        ("scoped", "stale", "--older-than", "0d"),
        ("scoped", "session", "start"),
    ],
    "hivemind": [
        ("hivemind", "search", ASKED),
        ("hivemind", "show", "{name}"),
        ("hivemind", "task", ASKED),
        ("hivemind", "session", "start"),
    ],
    "party": [
        ("party", "show", "ada"),
        ("party", "show", "zed"),
        ("party", "start", "--agents", "ada,zed"),
        ("party", "prompt", "ada", "--topic", ASKED),
    ],
    "deliberation": [
        ("deliberation", "context", "--conversation", "talk"),
        ("deliberation", "brief", "--conversation", "talk"),
        ("deliberation", "show", "--conversation", "talk"),
        ("deliberation", "show", "{name}"),
    ],
    "layers": [("layers", "drafts"), ("layers", "graph"), ("layers", "graph", "show")],
    "core": [
        ("recall", ASKED),
        ("list", "--status", "all"),
        ("brief",),
        ("log", "--json"),
        ("why", "{name}"),
        ("history", "{name}"),
        ("show", "{name}"),
    ],
}


def told(cli, kind, name, *at):
    """Return what every reader of a protocol, and those of the core, say."""
    doors = [*DOORS[kind.__name__.partition("_")[0]], *DOORS["core"]]
    answers = ((words, cli(*(one.format(name=name) for one in words), *at)) for words in doors)
    return [words for words, said in answers if WORD in said.out + said.err]


@pytest.mark.full_size(sample=1)
@pytest.mark.product
@pytest.mark.parametrize("kind", FEW, ids=lambda kind: kind.__name__)
@pytest.mark.parametrize("edited", [True, False], ids=["edited", "as it is"])
def test_no_reader_tells_what_another_worktree_still_holds(cli, project, tmp_path, kind, edited):
    other = tmp_path / "other"
    kind(cli, project)
    commit(project)
    git(project, "worktree", "add", "--quiet", "-b", "side", str(other))
    name = purged(cli, project, lambda *_: None)
    switched(project)
    if edited:
        edit(project)
    assert told(cli, kind, name) == []
    cli("remember", "Said on the old branch")
    CLEANING["protocol"](cli, kind)
    assert set(hits(project)) <= sources(project) | set(hits(project / ".git/worktrees"))
    assert told(cli, kind, name) == []
    assert cli("recall", "By hand").out.count("By hand") == int(edited and kind in KINDS[:2])


def edit(project):
    """Add an entry to a file by hand, so that readers see what nobody recorded yet."""
    for path in project.glob("memory/*/*/memory.json"):
        held = json.loads(path.read_text(encoding="utf-8"))
        more = {**held["entries"][0], "id": "mem-002", "content": "By hand"}
        held["entries"].append(more)
        path.write_text(json.dumps(held), encoding="utf-8")


@pytest.mark.full_size(sample=1)
@pytest.mark.product
@pytest.mark.parametrize("visit", VISITS, ids="-".join)
@pytest.mark.parametrize("kind", FEW, ids=lambda kind: kind.__name__)
def test_another_worktree_is_clean_after_its_first_verb(cli, project, tmp_path, kind, visit):
    when, how = visit
    other = tmp_path / "other"
    at = ("--root", str(other))
    add = ("worktree", "add", "--quiet", "-b", "side", str(other), "main")
    kind(cli, project)
    commit(project)
    if when != "made after":
        git(project, *add)
    if when == "used before":
        cli("rebuild", *at)
        used(lambda *words: cli(*words, *at), kind)
    name = purged(cli, project, lambda *_: None)
    if when == "made after":
        git(project, *add[:-1], "old")
    if when != "used before":  # else its index has not met the purge
        assert told(cli, kind, name, *at) == []
    CLEANING[how](lambda *words: cli(*words, *at), kind)
    beside = project / ".git/worktrees"
    assert set(hits(other, beside)) <= sources(other)
    assert [one for one in kept_versions(beside) if WORD.encode() in one] == []
    assert told(cli, kind, name, *at) == []


def of_scoped(project, change):
    """Change every entry of the scoped files by hand."""
    for path in project.glob("memory/*/*/memory.json"):
        held = json.loads(path.read_text(encoding="utf-8"))
        held["entries"] = [change(one) for one in held["entries"]]
        path.write_text(json.dumps(held), encoding="utf-8")


def of_hivemind(project, change):
    for path in project.glob("memory/*/*/mem_*.json"):
        held = json.loads(path.read_text(encoding="utf-8"))
        path.write_text(json.dumps(change(held)), encoding="utf-8")


def of_party(project, change):
    for path in project.glob(f"{SIDECARS}/*.json"):
        held = json.loads(path.read_text(encoding="utf-8"))
        held["memories"] = [change(one) for one in held["memories"]]
        path.write_text(json.dumps(held), encoding="utf-8")


EDITS = [(scoped, of_scoped), (scoped_team, of_scoped), (hivemind_agent, of_hivemind)]
EDITS += [(party, of_party), (party_by_hand, of_party)]


@pytest.mark.full_size(sample=1)
@pytest.mark.product
@pytest.mark.parametrize("edited", EDITS, ids=lambda one: one[0].__name__)
@pytest.mark.parametrize("committed", [False, True], ids=["edited", "committed"])
def test_an_edit_of_a_purged_record_does_not_bring_it_back(cli, project, edited, committed):
    kind, edit = edited
    purged(cli, project, kind)
    switched(project)
    edit(project, lambda one: one | {"confidence": 0.6})
    if committed:
        commit(project)
    CLEANING["protocol"](cli, kind)
    assert WORD not in cli("list", "--status", "all").out
    assert hits(project) == []


@pytest.mark.full_size(sample=1)
@pytest.mark.parametrize("kind", [scoped, hivemind_agent, party], ids=lambda kind: kind.__name__)
def test_files_of_a_branch_that_went_on_do_not_bring_it_back(cli, project, kind):
    """No commit before HEAD has them, so all in them that is new here counts as somebody's edit."""
    folder = "_mdan" if kind is party else "memory"
    kind(cli, project)
    commit(project)
    git(project, "switch", "--quiet", "-c", "on")
    if kind is scoped:
        cli("scoped", "write", "project", "--type", "pattern", "--content", "Use make")
    elif kind is hivemind_agent:
        cli(*FACT, "Use make", "--scope", "agent:DEV-001")
    else:
        cli("party", "start", "--agents", "ada,ben")
        words = ("--type", "context", "--content", "Use make", "--confidence", "0.9")
        cli("party", "remember", "ada", *words)
        cli("party", "end")
    commit(project)
    git(project, "switch", "--quiet", "main")
    purged(cli, project, lambda *_: None)
    git(project, "checkout", "--quiet", "on", "--", folder)
    used(cli, kind)
    assert WORD not in cli("list", "--status", "all").out
    assert hits(project) == []
    assert "Use make" in cli("list").out


@pytest.mark.full_size(sample=1)
@pytest.mark.product
@pytest.mark.parametrize("kind", [hivemind_agent, layers], ids=lambda kind: kind.__name__)
@pytest.mark.parametrize("how", ["write", "fix"])
def test_a_copy_that_another_worktree_set_aside_goes_too(cli, project, tmp_path, kind, how):
    """A file that is made from others and that somebody edited is kept beside the new one."""
    other = tmp_path / "other"
    kind(cli, project)
    commit(project)
    git(project, "worktree", "add", "--quiet", "-b", "side", str(other))
    cli("rebuild", "--root", str(other))
    path = {layers: ".memory/context.md", hivemind_agent: "memory/agents/DEV-001/_index.json"}[kind]
    with open(other / path, "a", encoding="utf-8") as file:
        file.write("\n")
    cli("rebuild", "--root", str(other))
    beside = project / ".git/worktrees/other/varves/local/aside"
    assert hits(beside)
    purged(cli, project, lambda *_: None)
    CLEANING[how](lambda *words: cli(*words, "--root", str(other)), kind)
    assert hits(beside) == []


def kept_versions(folder):
    """Return the versions of files that are kept below a folder to tell edits by."""
    found = []
    for path in folder.rglob("state.sqlite"):
        with closing(sqlite3.connect(path)) as db:
            rows = db.execute("select content from version").fetchall()
        found += [zlib.decompress(row[0]) for row in rows]
    return found
