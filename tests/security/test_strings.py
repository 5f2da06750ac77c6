"""Every string comes back as it went in, or is refused with a reason; none steers a terminal."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
import unicodedata

import pytest

from tests.figures import full_size, note_figure
from tests.security.fuzz_messages import GREETING
from tests.security.strings import NAUGHTY, is_unicode
from varves.errors import Refused, UsageError, VarvesError
from varves.mcp import stdio
from varves.mcp.catalogue import MemoryCatalogue
from varves.mcp.desk import Opening
from varves.mcp.server import Server

REFUSED = {"usage", "refused"}
SAYS_SOMETHING = [text for text in NAUGHTY if text.strip() and is_unicode(text)]
SOME = slice(None, None, 1 if full_size() else 8)  # at doors that cost a call for each string
SAYS_NOTHING = [text for text in NAUGHTY if not text.strip() or not is_unicode(text)]


def place(number: int) -> str:
    """Give each string a scope of its own: many are one value once folded."""
    return f"agent:n{number}"


def test_there_are_hundreds_of_them():
    assert len(NAUGHTY) > 400
    assert len(SAYS_NOTHING) > 10


def check_kept(ledger, texts, scope_of=place):
    """Hold every text against what the ledger shows, and say which differ."""
    held = {memory.scope: memory.text for memory in ledger.list(status="all")}
    wrong = [ascii(text)[:60] for n, text in enumerate(texts) if held.get(scope_of(n)) != text]
    assert not wrong


def test_through_python_they_come_back_as_they_went_in(ledger):
    for number, text in enumerate(SAYS_SOMETHING):
        done = ledger.remember(text, scope=place(number))
        assert (done.status, done.redacted) == ("recorded", ())
        assert ledger.show(done.id).text == text
    check_kept(ledger, SAYS_SOMETHING)
    ledger.rebuild()
    check_kept(ledger, SAYS_SOMETHING)


def test_through_remember_many_they_come_back_or_are_refused_with_a_reason(ledger):
    done = ledger.remember_many(
        {"text": text, "scope": place(n)} for n, text in enumerate(SAYS_SOMETHING)
    )
    assert (done.written, done.known, done.refused) == (len(SAYS_SOMETHING), 0, ())
    check_kept(ledger, SAYS_SOMETHING)
    done = ledger.remember_many({"text": text} for text in SAYS_NOTHING)
    assert (done.written, len(done.refused)) == (0, len(SAYS_NOTHING))
    assert all(line.code in REFUSED and line.message for line in done.refused)


@pytest.mark.parametrize("text", SAYS_NOTHING, ids=ascii)
def test_what_says_nothing_or_is_no_unicode_is_refused_at_every_door(cli, ledger, text):
    with pytest.raises(VarvesError) as told:
        ledger.remember(text)
    assert told.value.exit in (2, 3)
    assert told.value.hint
    raw = text.encode("utf-8", "surrogatepass")
    answers = [
        cli("remember", "--", text),
        cli("remember", "-", stdin=raw),
        cli("remember", "--batch", "-", stdin=json.dumps({"text": text}).encode()),
    ]
    assert [answer.code in (2, 3) for answer in answers] == [True] * 3
    assert ledger.list() == ()


def test_through_the_argument_list_they_come_back_as_they_went_in(cli, ledger):
    given = [text for text in SAYS_SOMETHING if "\0" not in text and text != "-"][SOME]
    for number, text in enumerate(given):
        answer = cli("remember", "--json", "--scope", place(number), "--", text)
        assert answer.code == 0, (text, answer)
        assert cli("show", answer.json["id"], "--json").json["text"] == text
    check_kept(ledger, given)


def test_through_a_real_process_they_survive_the_operating_system_too(varves_process, ledger):
    """Some of each kind: a process for every string would take minutes."""
    given = [text for text in SAYS_SOMETHING if "\0" not in text and text != "-"][
        :: 20 if full_size() else 60
    ]
    for number, text in enumerate(given):
        assert varves_process("remember", "--scope", place(number), "--", text).code == 0
    check_kept(ledger, given)


def test_bytes_that_are_no_utf8_are_refused_by_a_real_process(project, varves):
    for args in ([b"remember", b"\xff\xfe"], [b"recall", b"\x80"], [b"\xc3\x28"]):
        done = subprocess.run(
            [os.fsencode(sys.executable), b"-m", b"varves", *args],
            cwd=project,
            capture_output=True,
            check=False,
            timeout=60,
        )
        assert done.returncode == 2
        assert done.stderr.startswith(b"varves: argument ")
    assert varves("remember", "-", stdin="x").code == 0
    assert not list(project.glob("pwned"))


def test_through_stdin_they_come_back_with_one_final_line_end_less(cli, ledger):
    """A text on stdin is a text file: its last line end is not part of what is said."""
    for number, text in enumerate(SAYS_SOMETHING[SOME]):
        raw = text.encode() + b"\n"
        answer = cli("remember", "--json", "--scope", place(number), "-", stdin=raw)
        assert answer.code == 0, (text, answer)
        if number % 8 == 0:
            cli("status")  # a reader catches the index up, which keeps writes short
    check_kept(ledger, [text.removesuffix("\r") for text in SAYS_SOMETHING[SOME]])


def test_through_a_batch_they_come_back_or_their_line_is_refused(cli, ledger):
    lines = [json.dumps({"text": text, "scope": place(n)}) for n, text in enumerate(NAUGHTY)]
    answer = cli("remember", "--batch", "-", "--json", stdin="\n".join(lines).encode())
    assert answer.code == 3
    refused = {one["line"] - 1 for one in answer.json["refused"]}
    assert refused == {n for n, text in enumerate(NAUGHTY) if text in SAYS_NOTHING}
    held = {memory.scope: memory.text for memory in ledger.list()}
    assert held == {place(n): text for n, text in enumerate(NAUGHTY) if n not in refused}
    note_figure("R18", strings=len(NAUGHTY), refused=len(refused), changed=0, doors=4)


def test_through_mcp_they_come_back_or_are_refused(project, ledger):
    """The tool `remember`, over the lines of a client."""
    heard = bytearray()

    def write(line: bytes) -> int:
        heard.extend(line)
        return len(line)

    asked = [
        {"name": "remember", "arguments": {"text": text, "scope": place(n)}}
        for n, text in enumerate(NAUGHTY)
    ]
    calls = [
        {"jsonrpc": "2.0", "id": n, "method": "tools/call", "params": params}
        for n, params in enumerate(asked)
    ]
    lines = b"\n".join((*GREETING, *(json.dumps(call).encode() for call in calls)))
    catalogue, send = MemoryCatalogue(Opening(root=str(project))), stdio.Outlet(write)
    stdio.serve(Server(catalogue, send), io.BytesIO(lines), send)
    catalogue.close()
    answers = {one["id"]: one for one in map(json.loads, bytes(heard).splitlines())}
    taken = {
        number for number in range(len(NAUGHTY)) if not answers[number]["result"].get("isError")
    }
    assert taken == {n for n, text in enumerate(NAUGHTY) if text not in SAYS_NOTHING}
    held = {memory.scope: memory.text for memory in ledger.list(status="all")}
    assert held == {place(n): NAUGHTY[n] for n in taken}
    note_figure("R18", strings_through_mcp=len(NAUGHTY), changed_through_mcp=0)


@pytest.mark.full_size(sample=1)
@pytest.mark.parametrize("raw", [True, False], ids=["raw UTF-8", "escaped"])
def test_a_batch_may_be_written_with_or_without_escapes(cli, ledger, raw):
    lines = [
        json.dumps({"text": text, "scope": place(n)}, ensure_ascii=not raw)
        for n, text in enumerate(SAYS_SOMETHING)
    ]
    answer = cli("remember", "--batch", "-", "--json", stdin="\n".join(lines).encode())
    assert answer.json["refused"] == []
    check_kept(ledger, SAYS_SOMETHING)


@pytest.mark.full_size(sample=1)
@pytest.mark.parametrize("field", ["tags", "source", "speaker", "type", "session", "evidence"])
def test_in_any_other_field_they_come_back_or_their_line_is_refused(ledger, field):
    values = [[text] if field in ("tags", "evidence") else text for text in NAUGHTY]
    done = ledger.remember_many(
        {"text": f"statement {n}", field: value} for n, value in enumerate(values)
    )
    refused = {line.line - 1 for line in done.refused}
    assert all(line.code in {*REFUSED, "unsafe-name"} for line in done.refused)
    held = {memory.text: getattr(memory, field) for memory in ledger.list(status="all")}
    for number, text in enumerate(NAUGHTY):
        if number in refused:
            assert f"statement {number}" not in held
            continue
        kept = held[f"statement {number}"]
        if field == "evidence":
            path, _, line = text.rpartition(":")
            named = path if path and line.isdigit() else text
            assert kept[0]["path"] == named.replace("\\", "/").removeprefix("./")
        elif field == "tags":
            assert kept == (text,)
        else:
            assert kept == (text or None)
    assert 20 < len(refused) < len(NAUGHTY) - 20


def test_as_reasons_they_come_back_or_are_refused(ledger):
    for number, text in enumerate(NAUGHTY[::3]):
        name = ledger.remember(f"statement {number}").id
        if text in SAYS_NOTHING:
            with pytest.raises(VarvesError) as told:
                ledger.forget(name, reason=text)
            assert told.value.exit in (2, 3)
        else:
            ledger.forget(name, reason=text)
            assert ledger.show(name).reason == text


def test_as_a_question_none_of_them_is_more_than_words(cli, ledger):
    ledger.remember_many(
        [{"text": text, "scope": place(n)} for n, text in enumerate(SAYS_SOMETHING)]
    )
    for text in NAUGHTY[SOME]:
        found = ledger.recall(text, k=3)
        assert found.query == text
        assert len(found.hits) <= 3
        if is_unicode(text) and text.strip():
            answer = cli("recall", "--json", "-k", "2", "--", text)
            assert answer.code == 0, (text, answer.err)
            assert answer.json["query"] == text
        else:
            assert cli("recall", "--", text).code == 2


def test_a_question_finds_what_holds_its_words_whatever_stands_between_them(ledger):
    wanted = ledger.remember("the zebra crossing lies near the harbour").id
    for text in NAUGHTY:
        if not any(c.isalnum() for c in text):
            found = ledger.recall(f"zebra {text} harbour")
            assert wanted in [hit.memory.id for hit in found], ascii(text)


@pytest.mark.full_size(sample=1)
@pytest.mark.parametrize("option", ["scope", "type", "tag", "protocol", "include"])
def test_as_a_filter_none_of_them_is_more_than_a_word(ledger, option):
    ledger.remember("anything at all", type="note", tags=["web"])
    for text in NAUGHTY:
        value = [text] if option == "include" else text
        try:
            found = ledger.recall("anything", **{option: value})
        except (UsageError, Refused):
            continue
        assert not found.hits


def test_as_an_id_none_of_them_is_more_than_unknown(cli, ledger):
    ledger.remember("anything")
    for text in NAUGHTY[SOME]:
        for verb in (ledger.show, ledger.history, ledger.restore, ledger.share):
            with pytest.raises(VarvesError) as told:
                verb(text)
            assert told.value.exit in (2, 3, 4)
        with pytest.raises(VarvesError):
            ledger.show("mem_aaaaaaaaaaaa", as_of=text or "x")
        if is_unicode(text):
            answer = cli("show", "--json", "--", text)
            assert answer.code == 4
            assert answer.json["error"]["code"] == "not-found"


def steering(text: str) -> list[str]:
    """Find the characters that move a cursor, hide, or turn round what is shown."""
    kinds = ("Cc", "Cf", "Cs", "Zl", "Zp", "Zs")
    return [c for c in text if c not in " \n" and unicodedata.category(c) in kinds]


def test_no_verb_prints_a_byte_that_steers_a_terminal(cli, varves, ledger):
    ledger.remember_many(
        [{"text": text, "scope": place(n)} for n, text in enumerate(SAYS_SOMETHING)]
    )
    ledger.close()
    answers = [varves("list"), varves("log"), varves("status"), varves("recall", "before after")]
    first = ledger.list(scope="agent:n27")[0].id
    answers += [varves("show", first), varves("history", first)]
    for text in NAUGHTY[::4]:
        if is_unicode(text):
            answers += [cli("show", "--", text), cli("log", "--since", text), cli(text, "x")]
    assert all(answer.out or answer.err for answer in answers)
    for answer in answers:
        assert steering(answer.out) == []
        assert steering(answer.err) == []
    note_figure("S9", payloads=len(NAUGHTY), raw_control_bytes_on_the_command_line=0)


def test_an_error_is_one_line_whatever_it_quotes(cli):
    for text in NAUGHTY[::3]:
        if is_unicode(text) and text:
            answer = cli("show", "--", text)
            assert answer.err.count("\n") == 1
            assert answer.err.startswith("varves: no memory ")
            assert answer.err.endswith("; varves list shows all memories\n")


def test_on_a_terminal_colours_are_ours_alone(cli, ledger):
    name = ledger.remember("\x1b[31mred\x1b[0m \x9b1m", tags=["web"]).id
    plain = cli("list", "--color", "always").out
    inks = {"\x1b[0m", "\x1b[1m", "\x1b[2m", "\x1b[31m"}
    for ink in inks:
        plain = plain.replace(ink, "")
    assert "\\x1b[31mred\\x1b[0m \\x9b1m" in plain
    assert steering(plain) == []
    assert name in plain


def test_nothing_in_a_string_is_ever_run(project, ledger):
    """No shell, no template, no SQL: the folder and the tables are as they were."""
    ledger.remember_many([{"text": text} for text in SAYS_SOMETHING])
    for text in SAYS_SOMETHING[SOME]:
        ledger.recall(text)
    assert sorted(path.name for path in project.iterdir()) == [".git", ".varves"]
    assert ledger.status()["memories"]["active"] > 300
    assert ledger.verify(deep=True).ok


def test_json_output_is_ascii_and_one_document(cli, ledger):
    ledger.remember_many(
        [{"text": text, "scope": place(n)} for n, text in enumerate(SAYS_SOMETHING)]
    )
    answer = cli("list", "--json")
    assert answer.out.isascii()
    assert answer.out.count("\n") == 1
    assert len(answer.json["memories"]) == len(SAYS_SOMETHING)
