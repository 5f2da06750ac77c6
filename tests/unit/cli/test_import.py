"""Import and export at the command line: what comes in, what is refused, and what is never left."""

from __future__ import annotations

import json
import os
import subprocess
import time
from typing import TYPE_CHECKING, Any

import pytest

import varves as package
from tests.consenting import write_settings
from tests.git import conftest as memory
from tests.security.erasing import state_of
from varves.errors import Refused, UsageError
from varves.events.codec import decode, encode

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


tmp_path = memory.tmp_path
LONG = "A long text about almost nothing at all. " * 8000
SECRET = "ghp_" + "a1B2c3D4e5F6g7H8i9J0" + "k1L2m3N4o5P6q7R8"
ENOUGH = 20.0  # seconds of work that no refusal may take, on any machine


@pytest.fixture
def source(project: Path, monkeypatch: pytest.MonkeyPatch) -> package.Ledger:
    """Give a ledger with something of everything."""
    with package.open(project, actor="ada") as ledger:
        name = ledger.remember("Tea at four", tags=["menu"], confidence=0.9).id
        ledger.correct(name, "Tea at five")
        ledger.remember("Mine alone", private=True)
        ledger.remember("True everywhere", scope="global")
        ledger.remember(LONG, type="decision")
        ledger.forget(ledger.remember("Wrong").id, reason="not so")
        ledger.purge(ledger.remember("Not to be read").id, reason="asked for")
        yield ledger


@pytest.fixture
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> package.Ledger:
    """Give an empty ledger of somebody else."""
    root = tmp_path / "elsewhere"
    root.mkdir()
    with package.open(root, home=str(tmp_path / "their home"), actor="bob") as ledger:
        yield ledger


def written(path: Path, lines: Any) -> str:
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return str(path)


def files_of(*roots: Path) -> dict[str, bytes]:
    """Return every file below some folders, the index apart."""
    return {
        str(path): path.read_bytes()
        for root in roots
        for path in sorted(root.rglob("*"))
        if path.is_file() and "index.sqlite" not in path.name
    }


def test_everything_comes_over_with_trust(source, elsewhere, tmp_path):
    path = written(tmp_path / "all.jsonl", source.export(private=True))
    done = elsewhere.import_("jsonl", path, trust=True)
    assert (done.written, done.known, done.refused) == (len(source.log()), 0, ())
    assert state_of(elsewhere) == state_of(source)
    assert elsewhere.verify(deep=True).ok
    again = elsewhere.import_("jsonl", path, trust=True)
    assert (again.written, again.known) == (0, done.written)
    elsewhere.rebuild()
    assert state_of(elsewhere) == state_of(source)


def test_private_memories_leave_only_when_asked_for(source, elsewhere, tmp_path):
    path = written(tmp_path / "public.jsonl", source.export())
    assert "Mine alone" not in (tmp_path / "public.jsonl").read_text(encoding="utf-8")
    elsewhere.import_("jsonl", path, trust=True)
    assert state_of(elsewhere) == [row for row in state_of(source) if row["kept"] != "private"]


def test_one_scope_alone_is_exported_with_what_ties_it(source, elsewhere, tmp_path):
    path = written(tmp_path / "global.jsonl", source.export(scope="global"))
    elsewhere.import_("jsonl", path, trust=True)
    assert [memory.text for memory in elsewhere.list()] == ["True everywhere"]


def test_a_damaged_line_is_refused_by_its_number_and_the_rest_comes_in(source, cli, tmp_path):
    lines = list(source.export())
    place = next(n for n, line in enumerate(lines) if "Wrong" in line)
    lines[place] = lines[place].replace("Wrong", "Right")
    lines.insert(3, "{not json]")
    lines.insert(5, '{"varves-log": "../../etc"}')
    lines.insert(6, '{"varves-blob": "' + "0" * 64 + '", "text": "x"}')
    path = written(tmp_path / "damaged.jsonl", lines)
    root = tmp_path / "there"
    root.mkdir()
    answer = cli("--root", str(root), "import", "jsonl", path, "--trust", "--json")
    assert answer.code == 3
    broken = lines.index(next(line for line in lines if "Right" in line)) + 1
    assert [one["line"] for one in answer.json["refused"]] == sorted([4, 6, 7, broken])
    assert {one["code"] for one in answer.json["refused"]} == {"damaged"}
    events = sum(line.startswith('{"v":') for line in source.export())
    assert answer.json["written"] + answer.json["known"] == events - 1
    shown = cli("--root", str(root), "list").out
    assert "Tea at five" in shown


def test_without_trust_it_waits_in_quarantine_until_trusted(source, cli, tmp_path):
    path = written(tmp_path / "all.jsonl", source.export())
    root = tmp_path / "there"
    root.mkdir()
    at = ("--root", str(root))
    answer = cli(*at, "import", "jsonl", path, "--json")
    assert answer.code == 0
    assert answer.json["mappings"]
    assert "Tea" not in cli(*at, "list").out + cli(*at, "recall", "tea").out
    waiting = {
        m["id"]: m for m in cli(*at, "list", "--status", "quarantined", "--json").json["memories"]
    }
    assert {m["origin"] for m in waiting.values()} == {"import"}
    assert {m["text"] for m in waiting.values()} >= {"Tea at five"}
    assert "Tea at four" not in {m["text"] for m in waiting.values()}, "what it replaced came too"
    [tea] = [name for name, m in waiting.items() if m["text"] == "Tea at five"]
    assert source.show(tea).text == "Tea at five", "it has another id here"
    assert cli(*at, "trust", tea, "--yes").code == 0
    assert "Tea at five" in cli(*at, "recall", "tea").out
    assert cli(*at, "import", "jsonl", path, "--json").json["written"] == 0


def test_a_tracked_file_is_the_repositorys_word_by_its_git_author(source, cli, project, tmp_path):
    lines = source.export()
    root = tmp_path / "there"
    root.mkdir()
    subprocess.run(["git", "init", "--quiet"], cwd=root, check=True)
    path = written(root / "memories.jsonl", lines)
    at = ("--root", str(root))
    untracked = cli(*at, "import", "jsonl", path, "--dry-run", "--json")
    assert untracked.code == 0
    subprocess.run(["git", "add", "-A"], cwd=root, check=True)
    author = ["-c", "user.name=Grace H", "-c", "user.email=grace@example.org"]
    subprocess.run(["git", *author, "commit", "--quiet", "-m", "memories"], cwd=root, check=True)
    assert cli(*at, "import", "jsonl", path).code == 0
    found = cli(*at, "recall", "tea", "--json").json
    assert "Tea at five" in json.dumps(found)
    [memory] = [
        m for m in cli(*at, "list", "--json").json["memories"] if m["text"] == "Tea at five"
    ]
    assert (memory["origin"], memory["trust"], memory["created_by"]) == ("repo", 2, "Grace H")


@pytest.mark.full_size(sample=1)
@pytest.mark.parametrize("options", [(), ("--trust",)])
def test_a_dry_run_writes_nothing(source, cli, tmp_path, options):
    path = written(tmp_path / "all.jsonl", source.export(private=True))
    root = tmp_path / "there"
    root.mkdir()
    at = ("--root", str(root))
    answer = cli(*at, "import", "jsonl", path, *options, "--dry-run", "--json")
    assert answer.code == 0
    assert answer.json["written"] > 0
    assert files_of(root) == {}
    cli(*at, "remember", "Something")
    cli(*at, "list")
    before = files_of(root)
    assert cli(*at, "import", "jsonl", path, *options, "--dry-run").code == 0
    assert files_of(root) == before


def test_a_purged_memory_comes_in_neither_way(source, elsewhere, tmp_path):
    name = source.remember("Soon to be purged there").id
    path = written(tmp_path / "all.jsonl", source.export())
    elsewhere.import_("jsonl", path, trust=True)
    assert elsewhere.show(name)
    elsewhere.purge(name, reason="asked for")
    for trust in (True, False):
        done = elsewhere.import_("jsonl", path, trust=trust)
        assert name not in {memory.id for memory in elsewhere.list(status="all")}
        if not trust:
            assert any(name in one.message and "purged" in one.message for one in done.refused)
    left = b"".join(files_of(tmp_path / "elsewhere").values())
    assert b"Soon to be purged" not in left


def test_a_purge_that_comes_in_is_carried_out(source, elsewhere, tmp_path):
    """What another ledger has purged since is purged here, lines and all."""
    name = source.remember("Soon to be purged at home").id
    tied = source.correct(name, "What is true now").id
    elsewhere.import_("jsonl", written(tmp_path / "a.jsonl", source.export()), trust=True)
    source.purge(name, reason="asked for")
    elsewhere.import_("jsonl", written(tmp_path / "b.jsonl", source.export()), trust=True)
    assert elsewhere.show(tied).status == "active"
    assert elsewhere.verify(deep=True).ok
    left = b"".join(files_of(tmp_path / "elsewhere").values())
    assert b"Soon to be purged" not in left


def test_a_team_we_do_not_share_comes_into_the_projects_log(source, elsewhere, project, tmp_path):
    write_settings(project, f'[teams.core]\nroot = "{tmp_path}/core"\n')
    with package.open(project, actor="ada") as ledger:
        name = ledger.remember("The team agrees", scope="team:core").id
        first = written(tmp_path / "first.jsonl", ledger.export())
        by = ledger.correct(name, "The team has agreed").id
        second = written(tmp_path / "second.jsonl", ledger.export())
    assert elsewhere.import_("jsonl", first, trust=True).refused == ()
    assert elsewhere.show(name).kept == "project"
    elsewhere.purge(name, reason="asked for")
    assert elsewhere.import_("jsonl", second, trust=True).refused == ()
    assert elsewhere.show(by).status == "active"
    assert elsewhere.verify(deep=True).ok
    left = b"".join(files_of(tmp_path / "elsewhere").values())
    assert b"The team agrees" not in left


def forged(line: str, text: str) -> str:
    """Return an event's line with another text, its digests made right again."""
    fields = decode(line.encode(), "project").fields
    fields["data"] = {**fields["data"], "text": text}
    return encode({key: fields[key] for key in fields if key not in ("c", "h")}).decode().strip()


@pytest.mark.full_size(sample=1)
@pytest.mark.parametrize("where", ["line", "blob"])
def test_a_secret_in_a_trusted_file_is_refused_unless_allowed(source, cli, tmp_path, where):
    lines = list(source.export())
    if where == "line":
        place = next(n for n, line in enumerate(lines) if '"Wrong"' in line)
        lines[place] = forged(lines[place], f"The token is {SECRET}")
    else:
        with package.open(tmp_path, home=str(tmp_path / "h")) as ledger:
            ledger.remember(f"{LONG} {SECRET}", allow_secret=True)
            lines = list(ledger.export())
    path = written(tmp_path / "secret.jsonl", lines)
    root = tmp_path / "there"
    root.mkdir()
    at = ("--root", str(root))
    answer = cli(*at, "import", "jsonl", path, "--trust", "--json")
    assert [one["code"] for one in answer.json["refused"]] == ["refused"]
    assert SECRET not in answer.out + answer.err
    assert SECRET.encode() not in b"".join(files_of(root).values())
    answer = cli(*at, "import", "jsonl", path, "--trust", "--allow-secret", "--json")
    assert answer.json["refused"] == []
    assert SECRET.encode() in b"".join(files_of(root).values())


def hundred_megabytes(path: Path) -> None:
    with path.open("wb") as file:
        file.truncate((100 << 20) + 1)


def one_long_line(path: Path) -> None:
    with path.open("wb") as file:
        file.write(b"{" + b'"v":1,"id":"' + b"x" * (70 << 20) + b'"}\nand one more\n')


def deep_nesting(path: Path) -> None:
    path.write_bytes(b'{"varves-log":' + b"[" * 500_000 + b"\n" + b'{"a":' * 500_000 + b"\n")


def many_short_lines(path: Path) -> None:
    path.write_bytes(b"{}\n" * 30_000_000)


def a_folder(path: Path) -> None:
    path.mkdir()


def no_file(path: Path) -> None:
    return


def a_pipe(path: Path) -> None:
    os.mkfifo(path)


@pytest.mark.full_size(sample=1)
@pytest.mark.parametrize(
    "bomb",
    [hundred_megabytes, one_long_line, deep_nesting, many_short_lines, a_folder, no_file, a_pipe],
    ids=lambda bomb: bomb.__name__,
)
def test_a_bomb_is_refused_soon_and_leaves_nothing(tmp_path, home, bomb: Callable[[Path], None]):
    path = tmp_path / "bomb.jsonl"
    bomb(path)
    root = tmp_path / "there"
    root.mkdir()
    start = time.process_time()
    with package.open(root) as ledger:
        if bomb not in (one_long_line, deep_nesting):
            with pytest.raises((Refused, UsageError)) as caught:
                ledger.import_("jsonl", str(path), trust=True)
            assert caught.value.hint
        else:
            done = ledger.import_("jsonl", str(path), trust=True)
            assert done.written == 0
            assert done.refused
            if bomb is one_long_line:
                assert [one.line for one in done.refused] == [1, 2]
        assert ledger.list(status="all") == ()
    assert time.process_time() - start < ENOUGH


def test_another_format_is_refused(cli, tmp_path):
    assert cli("import", "csv", str(tmp_path / "x")).code == 2


def test_markdown_shows_current_memories_alone(source):
    page = "\n".join(source.export(format="markdown"))
    assert "Tea at five" in page
    assert "Tea at four" not in page
    assert "Mine alone" not in page
    assert "Not to be read" not in page
