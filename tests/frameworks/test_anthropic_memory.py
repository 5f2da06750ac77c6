"""The memory tool, held against the SDK's own implementation on a folder."""

from __future__ import annotations

import threading
from itertools import count
from typing import TYPE_CHECKING, Any

import anyio
import pytest
from anthropic.lib.tools import ToolError
from anthropic.tools.memory import BetaLocalFilesystemMemoryTool
from hypothesis import given, settings
from hypothesis import strategies as st

import varves as package
from tests.frameworks.page import run_example
from varves.frameworks.anthropic_memory import AsyncLedgerMemoryTool, LedgerMemoryTool

if TYPE_CHECKING:
    from pathlib import Path

ODD = "some other error"  # the folder's own, of the operating system
NUMBERS = count()


@pytest.fixture
def tool(ledger: Any) -> LedgerMemoryTool:
    return LedgerMemoryTool(ledger)


def called(tool: Any, command: dict[str, Any]) -> tuple[str, str]:
    try:
        return "says", tool.call(command)
    except ToolError as fault:
        return "refuses", str(fault)
    except OSError:
        return "refuses", ODD


def likened(answer: str) -> str:
    """Let every folder have one size: the file system's own says nothing of a memory."""
    if not answer.startswith("Here're"):
        return answer
    header, root, *lines = answer.split("\n")
    shown = [root.partition("\t")[2], *(line for line in lines if not line.endswith("/"))]
    return "\n".join((header, *shown, *(line.split("\t")[1] for line in lines if line[-1:] == "/")))


def prune(folder: Path) -> None:
    """Let a folder go with its last file, as it does in git."""
    for path in sorted(folder.rglob("*"), reverse=True):
        if path.is_dir() and not any(path.iterdir()):
            path.rmdir()


NAMES = ["a", "b.md", "notes", "ü €.txt", ".hidden", "c-1"]
PATHS = st.one_of(
    st.lists(st.sampled_from(NAMES), min_size=1, max_size=4).map(
        lambda parts: "/memories/" + "/".join(parts)
    ),
    st.sampled_from(["/memories/a", "/memories/b.md", "/memories/notes/a", "/memories/a/b.md"]),
    st.sampled_from(
        [
            *("/memories", "/memories/", "/memories//a", "/memories/a/", "/memories/./a"),
            *("/memories/a/../b.md", "/memories/..", "/memories/../etc/passwd", "/etc/passwd"),
            *("/memories/../memories/a", "/memories/../../memories/a", "/memoriesa", "memories/a"),
            *("/memories/a/b/../../../..", "/memories/notes/../../memories/b.md", ""),
        ]
    ),
)
LINES = st.sampled_from(["one", "two", "", "three\t3", "ünï cödé €", "  in", "one two", "cr\r"])
TEXTS = st.one_of(
    st.lists(LINES, max_size=6).map("\n".join),
    st.lists(LINES, max_size=4).map(lambda lines: "\n".join(lines) + "\n"),
    st.text(st.characters(exclude_categories=["Cs"]), max_size=12),
    st.just("x" * 1500),
)
PARTS = st.sampled_from(["one", "two", "e", "\n", "", "three\t3", "€", "one two", "nowhere"])
NUMBER = st.integers(-2, 8)
COMMANDS = st.one_of(
    st.fixed_dictionaries({"command": st.just("create"), "path": PATHS, "file_text": TEXTS}),
    st.fixed_dictionaries({"command": st.just("create"), "path": PATHS, "file_text": TEXTS}),
    st.fixed_dictionaries(
        {"command": st.just("view"), "path": PATHS},
        optional={"view_range": st.lists(NUMBER, min_size=0, max_size=3)},
    ),
    st.fixed_dictionaries(
        {"command": st.just("str_replace"), "path": PATHS, "old_str": PARTS, "new_str": TEXTS}
    ),
    st.fixed_dictionaries(
        {
            "command": st.just("insert"),
            "path": PATHS,
            "insert_line": NUMBER,
            "insert_text": TEXTS,
        }
    ),
    st.fixed_dictionaries({"command": st.just("delete"), "path": PATHS}),
    st.fixed_dictionaries({"command": st.just("rename"), "old_path": PATHS, "new_path": PATHS}),
)


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Any:
    root = tmp_path_factory.mktemp("kept")
    with package.open(root, home=tmp_path_factory.mktemp("home"), actor="ada") as ledger:
        yield ledger


def run_both(kept: Any, folder: Path, commands: list[dict[str, Any]]) -> None:
    shelf = f"m{next(NUMBERS)}"
    tool = LedgerMemoryTool(kept, shelf=shelf)
    reference = BetaLocalFilesystemMemoryTool(str(folder))
    for command in commands:
        theirs, ours = called(reference, command), called(tool, command)
        prune(reference.memory_root)
        if theirs == ("refuses", ODD):
            assert ours[0] == "refuses", command
        else:
            assert (ours[0], likened(ours[1])) == (theirs[0], likened(theirs[1])), command
    files = {
        path.relative_to(reference.memory_root).as_posix(): path.read_bytes().decode("utf-8")
        for path in reference.memory_root.rglob("*")
        if path.is_file()
    }
    held = {one.key: one.content for one in kept.shelf(shelf).list()}
    assert held == files


@given(commands=st.lists(COMMANDS, min_size=1, max_size=16))
@settings(max_examples=50)
def test_it_answers_as_the_reference_does(
    commands: list[dict[str, Any]], kept: Any, tmp_path_factory: pytest.TempPathFactory
):
    run_both(kept, tmp_path_factory.mktemp("folder"), commands)


def test_it_answers_as_the_reference_does_in_a_long_session(kept: Any, tmp_path: Path):
    """Walk every answer and refusal once, on files that are there."""
    a, b, deep = "/memories/a.txt", "/memories/dir/b.txt", "/memories/dir/deep/er/c.txt"
    text = "".join(f"line {number}\n" for number in range(1, 13))
    made = [{"command": "create", "path": path, "file_text": text} for path in (a, b, deep)]
    run_both(
        kept,
        tmp_path,
        [
            *made,
            *(
                {"command": "create", "path": path, "file_text": ""}
                for path in (a, "/memories/dir")
            ),
            {"command": "create", "path": f"{a}/below", "file_text": ""},
            *({"command": "view", "path": path} for path in ("/memories", "/memories/dir", a, b)),
            *({"command": "view", "path": path} for path in ("/memories/no", f"{a}/no")),
            *(
                {"command": "view", "path": a, "view_range": given}
                for given in ([2, 4], [11, -1], [0, 3], [20, 30], [5, 2], [-4, 99])
            ),
            {"command": "str_replace", "path": a, "old_str": "line 7", "new_str": "seven\n7"},
            {"command": "str_replace", "path": a, "old_str": "line", "new_str": "x"},
            {"command": "str_replace", "path": a, "old_str": "absent", "new_str": "x"},
            {"command": "str_replace", "path": "/memories/dir", "old_str": "x", "new_str": ""},
            {"command": "str_replace", "path": "/memories/no", "old_str": "x", "new_str": ""},
            *(
                {"command": "insert", "path": b, "insert_line": line, "insert_text": "new\n\n"}
                for line in (0, 5, 14, 99, -1)
            ),
            {"command": "insert", "path": "/memories/dir", "insert_line": 0, "insert_text": "x"},
            {"command": "rename", "old_path": a, "new_path": b},
            {"command": "rename", "old_path": a, "new_path": "/memories/new/place.txt"},
            {"command": "rename", "old_path": "/memories/dir", "new_path": "/memories/dir/in"},
            {"command": "rename", "old_path": "/memories/dir", "new_path": "/memories/moved"},
            {"command": "rename", "old_path": "/memories", "new_path": "/memories/x"},
            {"command": "rename", "old_path": "/memories/no", "new_path": "/memories/x/y"},
            {"command": "view", "path": "/memories/"},
            {"command": "delete", "path": "/memories/moved"},
            {"command": "delete", "path": "/memories/moved"},
            {"command": "delete", "path": "/memories"},
            {"command": "view", "path": "/memories"},
        ],
    )


def test_the_example_on_the_page_runs(project: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(project)
    run_example("anthropic")


def test_it_says_what_it_is(tool: LedgerMemoryTool, ledger: Any):
    assert tool.to_dict() == {"type": "memory_20250818", "name": "memory"}
    cached = LedgerMemoryTool(ledger, cache_control={"type": "ephemeral"})
    assert cached.to_dict()["cache_control"] == {"type": "ephemeral"}


def test_all_can_be_cleared(tool: LedgerMemoryTool, ledger: Any):
    for name in ("a", "dir/b"):
        tool.call({"command": "create", "path": f"/memories/{name}", "file_text": "x"})
    assert tool.clear_all_memory() == "All memory cleared"
    assert ledger.shelf("memories").keys() == ()
    assert tool.clear_all_memory() == "All memory cleared"


def test_what_the_model_wrote_is_a_memory_of_an_agent(tool: LedgerMemoryTool, ledger: Any):
    tool.call(
        {"command": "create", "path": "/memories/prefs.md", "file_text": "Ada likes espresso."}
    )
    [hit] = ledger.recall("espresso").hits
    assert (hit.memory.origin, hit.memory.source) == ("agent", "shelf:memories/prefs.md")
    ledger.undo(hit.memory.version)
    assert called(tool, {"command": "view", "path": "/memories/prefs.md"})[0] == "refuses"


def test_two_users_do_not_meet(ledger: Any):
    ada, bob = (LedgerMemoryTool(ledger, shelf=f"memories.{name}") for name in ("ada", "bob"))
    ada.call({"command": "create", "path": "/memories/a", "file_text": "ada's"})
    assert called(bob, {"command": "view", "path": "/memories/a"})[0] == "refuses"
    bob.call({"command": "create", "path": "/memories/a", "file_text": "bob's"})
    assert bob.clear_all_memory() == "All memory cleared"
    assert "ada's" in ada.call({"command": "view", "path": "/memories/a"})


def test_what_cannot_be_kept_is_refused_in_words(tool: LedgerMemoryTool, ledger: Any):
    made = {"command": "create", "path": "/memories/a", "file_text": "x" * ((8 << 20) + 1)}
    assert "8 MiB" in called(tool, made)[1]
    long = {"command": "create", "path": "/memories/" + "x" * 2000, "file_text": ""}
    assert called(tool, long)[0] == "refuses"
    tool.call({**made, "file_text": "The door code is on the board."})
    ledger.forget(ledger.shelf("memories").get("a").id, reason="wrong")
    assert "rejected" in called(tool, {**made, "file_text": "The door code is on the board."})[1]


def test_edits_at_the_same_time_are_all_there(ledger: Any, tool: LedgerMemoryTool):
    tool.call({"command": "create", "path": "/memories/a", "file_text": ""})

    def insert(name: str) -> None:
        for number in range(5):
            line = {"insert_line": 0, "insert_text": f"{name} {number}"}
            tool.call({"command": "insert", "path": "/memories/a", **line})

    crowd = [threading.Thread(target=insert, args=(name,)) for name in "abc"]
    for one in crowd:
        one.start()
    for one in crowd:
        one.join()
    lines = ledger.shelf("memories").get("a").content.split()
    assert len(lines) == 2 * 15


def test_the_async_tool_does_the_same(ledger: Any):
    tool = AsyncLedgerMemoryTool(ledger)
    path = {"path": "/memories/a"}

    async def session() -> list[Any]:
        said = [
            await tool.call({"command": "create", **path, "file_text": "one"}),
            await tool.call({"command": "insert", **path, "insert_line": 1, "insert_text": "two"}),
            await tool.call({"command": "str_replace", **path, "old_str": "one", "new_str": "1"}),
            await tool.call({"command": "view", **path}),
            await tool.call(
                {"command": "rename", "old_path": "/memories/a", "new_path": "/memories/b"}
            ),
            await tool.call({"command": "delete", "path": "/memories/b"}),
            await tool.clear_all_memory(),
        ]
        with pytest.raises(ToolError):
            await tool.call({"command": "view", **path})
        return said

    said = anyio.run(session)
    assert said[0] == "File created successfully at: /memories/a"
    assert said[3].endswith("     1\t1\n     2\ttwo\n     3\t")
    assert tool.to_dict()["type"] == "memory_20250818"
