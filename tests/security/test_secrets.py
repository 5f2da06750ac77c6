"""A secret handed in through any door leaves no byte behind, on disk or on screen.

Samples are put together at run time, so that no token-shaped literal stands in this file.
"""

from __future__ import annotations

import json
import os
import random
import string

import pytest

import varves as package
from tests.tables import each_row
from varves.errors import VarvesError

ALNUM = string.ascii_letters + string.digits
WINDOW = 12


def sample(kind: str, seed: int) -> tuple[str, str]:
    """Return a secret and the part of it that nobody may see."""
    draw = random.Random(f"{kind} {seed}")

    def body(size: int, letters: str = ALNUM) -> str:
        return "".join(draw.choice(letters) for _ in range(size - 2)) + "q7"

    core = {
        "github-pat": body(36),
        "slack-bot-token": body(24),
        "jwt": body(60),
        "postgres-url-password": body(18),
        "password-assignment": body(16),
        "private-key-block": body(64) + "\n" + body(64),
    }[kind]
    shape = {
        "github-pat": "gh" + "p_{}",
        "slack-bot-token": "xo" + "xb-123456789012-123456789012-{}",
        "jwt": "ey" + "JhbGciOiJIUzI1NiJ9.ey" + "J{}.c2lnbmF0dXJlLW9mLXRoZS10b2tlbi1ub3c",
        "postgres-url-password": "postgres://app:{}@db.example.org/main",
        "password-assignment": "password = '{}'",
        "private-key-block": "-----BEGIN PRIVATE" + " KEY-----\n{}\n-----END PRIVATE KEY-----",
    }[kind]
    return shape.format(core), core


KINDS = (
    *("github-pat", "slack-bot-token", "jwt", "postgres-url-password", "password-assignment"),
    "private-key-block",
)


def leaked(core: str, content: bytes) -> bool:
    """Say whether any dozen characters in a row of the secret stand in these bytes."""
    raw = core.replace("\n", "").encode()
    return any(raw[at : at + WINDOW] in content for at in range(len(raw) - WINDOW + 1))


def files_with(core, *folders):
    """Name every file, wherever it lies, that holds part of the secret."""
    found = []
    for folder in folders:
        for place, _, names in os.walk(folder):
            for name in names:
                path = os.path.join(place, name)
                with open(path, "rb") as file:
                    if leaked(core, file.read()) or leaked(core, os.fsencode(path)):
                        found.append(path)
    return found


def check_no_trace(core, project, home, answers):
    """Look for the secret in every file and in everything that was printed."""
    assert files_with(core, project, home) == []
    seen = [answer for answer in answers if leaked(core, (answer.out + answer.err).encode())]
    assert seen == []


def calls(secret: str, name: str) -> list[tuple[str, ...]]:
    """Give the secret in the place of every argument and option there is."""
    to = ("remember", f"statement about {name}")
    return [
        ("remember", f"the key is {secret} for now"),
        *((*to, option, secret) for option in ("--tag", "--type", "--source", "--speaker")),
        *((*to, option, secret) for option in ("--priority", "--ttl", "--confidence", "--at")),
        *((*to, option, secret) for option in ("--scope", "--id", "--session", "--actor")),
        *((*to, "--scope", f"{level}:{secret}") for level in ("agent", "team", "session")),
        *((*to, f"--evidence={path}") for path in (secret, f"src/{secret}.py:3", f"/{secret}")),
        (*to, "--scope", "agent", "--actor", secret),
        (*to, "--scope", "session", "--session", secret),
        ("correct", name, f"use {secret} instead"),
        ("correct", name, "something else", "--reason", secret),
        ("correct", name, "something else", "--expect", secret),
        *(("edit", name, option, secret) for option in ("--priority", "--ttl", "--scope")),
        *(("edit", name, option, secret) for option in ("--confidence", "--expect")),
        ("edit", name, "--tag", f"+{secret}"),
        ("edit", name, "--tag", f"-{secret}"),
        *((verb, secret) for verb in ("show", "history", "restore", "share", "undo", "recall")),
        ("forget", secret, "--reason", "r"),
        ("restore", name, "--expect", secret),
        *(("list", option, secret) for option in ("--scope", "--type", "--tag", "--status")),
        *(("list", option, secret) for option in ("--older-than", "--unused-for", "--as-of")),
        *(("recall", "x", option, secret) for option in ("-k", "--scope", "--type", "--include")),
        *(("recall", "x", option, secret) for option in ("--budget", "--tag", "--as-of")),
        *(("log", option, secret) for option in ("--since", "--until", "--kind", "--actor")),
        ("conflicts", "resolve", secret, "--keep", secret),
        ("conflicts", "resolve", secret, "--merge", secret),
        ("remember", "--batch", secret),
        ("init", "--protocol", secret),
        ("status", "--root", secret),
        ("status", "--color", secret),
        (secret,),
        ("status", f"--{secret}"),
        ("status", secret),
        ("verify", f"--deep={secret}"),
        ("forget", name, "--reason", f"it held {secret}"),
    ]


@pytest.mark.full_size(sample=1)
@pytest.mark.parametrize("kind", KINDS)
def test_no_argument_leaves_a_byte_of_a_secret_anywhere(cli, project, home, kind):
    name = cli("remember", "the first statement", "--json").json["id"]
    secret, core = sample(kind, 1)
    answers = []
    for argv in calls(secret, name):
        for extra in ((), ("--json",)):
            if argv[0] == "recall" and extra:
                continue  # a question is answered with the question
            answers.append(cli(*extra, *argv))
            assert answers[-1].code in (0, 2, 3, 4), argv
    answers += [cli(verb, "--json") for verb in ("list", "log", "status", "verify", "doctor")]
    answers += [cli("list", "--status", "all"), cli("history", name), cli("show", name)]
    check_no_trace(core, project, home, answers)


@pytest.mark.full_size(sample=1)
@pytest.mark.parametrize("kind", KINDS)
def test_neither_stdin_nor_a_batch_leaves_one(cli, project, home, kind):
    secret, core = sample(kind, 2)
    keys = ("scope", "type", "priority", "ttl", "source", "speaker", "session", "at", "id")
    lines = [{"text": f"take {secret} along"}, {"text": secret, "private": True}]
    lines += [{"text": f"statement {key}", key: secret} for key in keys]
    lines += [{"text": "with tags", "tags": [secret]}, {"text": "e", "evidence": [secret]}]
    lines += [{"text": "number", "confidence": secret}, {secret: "x", "text": "key"}, {secret: 1}]
    raw = b"\n".join(json.dumps(line).encode() for line in lines) + b"\nnot json " + secret.encode()
    answers = [
        cli("remember", "-", stdin=f"take {secret} along\n".encode()),
        cli("remember", "--batch", "-", stdin=raw),
        cli("remember", "--batch", "-", "--json", stdin=raw),
        cli("list", "--json"),
    ]
    assert answers[1].code == 3
    check_no_trace(core, project, home, answers)


@pytest.mark.parametrize("variable", ["VARVES_ACTOR", "VARVES_SESSION", "VARVES_NOW"])
def test_nor_does_the_environment(varves, project, home, variable):
    secret, core = sample("github-pat", 3)
    answers = [varves("remember", "x", env={variable: secret}), varves("log", "--json")]
    answers.append(varves("list", env={variable: secret}))
    check_no_trace(core, project, home, answers)


@pytest.mark.parametrize("kind", KINDS)
def test_no_error_raised_to_python_quotes_one(project, home, kind):
    secret, core = sample(kind, 4)
    told = []
    with package.open(project) as ledger:
        name = ledger.remember("the first statement").id
        attempts = [
            lambda: package.open(project, actor=f"../{secret}"),
            lambda: package.open(project, session=f"../{secret}"),
            lambda: package.open(f"/nowhere/{secret}"),
            lambda: ledger.remember("x", scope=secret),
            lambda: ledger.remember("x", id=secret),
            lambda: ledger.remember("x", evidence=[f"../{secret}"]),
            lambda: ledger.remember("x", **{secret: 1}),
            lambda: ledger.edit(name, priority=secret),
            lambda: ledger.show(secret),
            lambda: ledger.undo(secret),
            lambda: ledger.recall("x", scope=secret),
            lambda: ledger.recall("x", include=[secret]),
            lambda: ledger.list(status=secret),
            lambda: ledger.list(older_than=secret),
            lambda: ledger.log(since=secret),
            lambda: ledger.show(name, as_of=secret),
            lambda: ledger.resolve(secret, keep=secret),
        ]
        for attempt in attempts:
            with pytest.raises(VarvesError) as caught:
                attempt()
            told.append(caught.value)
    for fault in told:
        assert not leaked(core, f"{fault} {fault.message} {fault.hint}".encode())
    assert files_with(core, project, home) == []


@pytest.mark.full_size(sample=1)
@pytest.mark.parametrize("kind", KINDS)
def test_what_was_redacted_is_said_by_rule_name(cli, ledger, kind):
    secret, _ = sample(kind, 5)
    answer = cli("remember", f"note {secret} here", "--json").json
    assert answer["redacted"] == [kind]
    assert f"[redacted:{kind}]" in ledger.show(answer["id"]).text
    name = answer["id"]
    assert f"(redacted: {kind})" in cli("remember", f"other {secret}").out
    corrected = cli("correct", name, f"now {secret}", "--json").json
    assert corrected["redacted"] == [kind]
    name = corrected["id"]
    forgotten = cli("forget", name, "--reason", f"was {secret}", "--json").json
    assert forgotten["redacted"] == [kind]
    assert f"[redacted:{kind}]" in ledger.show(name).reason
    recorded = [event.data["redacted"] for event in ledger.log() if "redacted" in event.data]
    assert recorded == [[kind]] * 4


def test_a_redacted_tag_is_said_too(cli):
    secret, _ = sample("github-pat", 6)
    name = cli("remember", "x", "--json").json["id"]
    assert cli("edit", name, "--tag", f"+{secret}", "--json").json["redacted"] == ["github-pat"]
    assert "(redacted: github-pat)" in cli("edit", name, "--tag", f"+a{secret[4:]} {secret}").out


def test_a_merge_of_a_conflict_is_redacted_and_says_so(project):
    """The conflict is made by two processes that correct the same version."""
    secret, core = sample("github-pat", 7)
    with package.open(project) as one, package.open(project) as other:
        name = one.remember("use a").id
        other.show(name)
        left, right = one.correct(name, "use b"), None
        one.undo(left.event)
        right = other.correct(name, "use c")
        one.undo(one.log(kind=["event.undone"])[-1].id)
        (conflict,) = one.conflicts()
        done = one.resolve(conflict.id, merge=f"use b or c with {secret}")
        assert done.redacted == ("github-pat",)
        assert "[redacted:github-pat]" in one.show(done.id).text
        assert right.id in {memory.id for memory in conflict.members}
    assert files_with(core, project) == []


@pytest.mark.full_size(sample=1)
@pytest.mark.parametrize("kind", KINDS)
def test_allow_secret_keeps_it_as_it_is(cli, ledger, kind):
    secret, _ = sample(kind, 8)
    kept = cli("remember", f"note {secret}", "--allow-secret", "--json").json
    assert kept["redacted"] == []
    assert ledger.show(kept["id"]).text == f"note {secret}"
    changed = cli("correct", kept["id"], f"now {secret}", "--allow-secret", "--json").json
    assert ledger.show(changed["id"]).text == f"now {secret}"
    line = json.dumps({"text": f"batch {secret}"}).encode()
    assert cli("remember", "--batch", "-", "--allow-secret", stdin=line).code == 0
    assert f"batch {secret}" in {memory.text for memory in ledger.list()}


def test_sharing_redacts_again_what_was_private(ledger, project):
    """A private note may hold what the project's log must not."""
    secret, core = sample("github-pat", 9)
    name = ledger.remember(f"note {secret}", private=True, allow_secret=True).id
    ledger.share(name)
    ledger.close()
    assert files_with(core, project / ".varves" / "log") == []


def test_the_spool_and_the_set_aside_hold_only_redacted_lines(ledger, project):
    secret, core = sample("slack-bot-token", 10)
    for number in range(20):
        ledger.remember(f"note {number} {secret}")
    assert sum(1 for _ in (project / ".git/varves/spool").rglob("*.jsonl")) == 1
    assert files_with(core, project) == []


def test_the_search_for_traces_finds_one(tmp_path):
    """The watchman is awake: a file with only the middle of a secret is found."""
    _, core = sample("jwt", 11)
    (tmp_path / "index").write_bytes(b"\0\1" + core[20:34].encode() + b"\xff")
    assert files_with(core, tmp_path) == [str(tmp_path / "index")]


def pair(seed: int) -> tuple[str, str]:
    """Return the id and the secret of an access key."""
    draw = random.Random(seed)
    name = "AK" + "IA" + "".join(draw.choice(string.ascii_uppercase + "234567") for _ in range(16))
    return name, "".join(draw.choice(ALNUM + "+/") for _ in range(37)) + "aQ7"


PAIRS = (
    "the token {id} with secret {key}",
    "{id} {key}",
    "use {key} with {id}.",
    '"{id}", "{key}"',
    "id {id}\nsecret: {key}",
    "{id}:{key}",
)


@each_row(("shape",), [(shape,) for shape in PAIRS])
def test_the_secret_beside_an_access_key_id_is_masked(ledger, shape):
    for seed in range(5):
        name, key = pair(seed)
        text = shape.format(id=name, key=key)
        kept = ledger.show(ledger.remember(text).id).text
        assert key not in kept
        assert name not in kept


NO_SECRETS = (
    "commit 3f786850e387550fdab836ed7e6dc881de23001b",
    "src/main/java/com/example/v2/service/Han",
    "sha256:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=",
    "ABCDEFGHIJKLMNOPQRSTUVWXYZABCDEFGHIJKLMN",
    "thequickbrownfoxjumpsoverthelazydogandon",
)


@each_row(("beside",), [(beside,) for beside in NO_SECRETS])
def test_what_only_looks_like_a_secret_beside_an_id_stays(ledger, beside):
    name, _ = pair(1)
    done = ledger.remember(f"{name} was in {beside} before")
    assert done.redacted == ("aws-access-key-id",)


def test_a_long_word_without_an_id_stays(ledger):
    _, key = pair(2)
    assert ledger.remember(f"The digest of the build is {key} today").redacted == ()
