"""What the README promises, one test for each sentence."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tomllib

import pytest

import varves as package
from tests.promises.conftest import ROOT, everything, objects, said

PAGE = "README.md"
PASSWORD = "tR4vL9qX2m"  # noqa: S105 - the one that the tour shows


def promises(sentence):
    return pytest.mark.promise(PAGE, sentence)


def remember(cli, text, *options):
    return said(cli("remember", text, *options, "--json"))["id"]


def recalled(cli, question, *options):
    hits = said(cli("recall", question, *options, "--json"))["hits"]
    return [one["text"] for one in hits]


# What it is


@promises("Agents record what they learn in plain files next to the code.")
def test_memories_are_plain_text_in_the_work_tree(cli, project):
    remember(cli, "Prices are kept in cents")
    lines = b"".join((project / ".varves/log").glob("*/*.jsonl").__next__().read_bytes().split())
    assert b'"text":"Pricesarekeptincents"' in lines


@promises("Git transfers and merges these files like the code.")
def test_a_clone_gets_the_memories_and_a_merge_brings_both_sides(cli, project, git, commit):
    remember(cli, "Prices are kept in cents")
    commit("one")
    git("switch", "-qc", "feature")
    remember(cli, "Dates are UTC everywhere")
    commit("two")
    git("switch", "-q", "-")
    remember(cli, "Retries back off from 200 ms")
    commit("three")
    git("merge", "--quiet", "feature", "-m", "merge")
    git("clone", "--quiet", str(project), "../clone")
    texts = [one["text"] for one in said(cli("--root", "../clone", "list", "--json"))["memories"]]
    assert sorted(texts) == [
        "Dates are UTC everywhere",
        "Prices are kept in cents",
        "Retries back off from 200 ms",
    ]


@promises("Every change is an event in an append-only log.")
def test_no_verb_changes_a_line_that_was_written(cli, project):
    def lines():
        files = sorted((project / ".varves/log").glob("*/*.jsonl"))
        return [line for file in files for line in file.read_bytes().splitlines()]

    name = remember(cli, "Prices are kept in cents")
    before, grown = lines(), []
    for words in (
        ("edit", name, "--tag", "+shop"),
        ("correct", name, "Prices are kept in euros"),
        ("undo",),
        ("forget", name, "--reason", "no longer so"),
        ("restore", name),
    ):
        assert cli(*words).code == 0
        now = lines()
        assert now[: len(before)] == before
        grown.append(len(now) - len(before))
        before = now
    assert min(grown) >= 1


@promises("Memories, conflicts and the search index are computed from this log.")
def test_everything_but_the_log_comes_back_equal(cli, project, git, monkeypatch):
    monkeypatch.setenv("VARVES_NOW", "2026-11-16T09:00:00Z")
    name = remember(cli, "Prices are kept in cents")
    said(cli("correct", name, "Prices are kept in euros", "--json"))
    before = [cli(*words).out for words in (("list", "--json"), ("recall", "prices", "--json"))]
    folder = git("rev-parse", "--absolute-git-dir").strip()
    for place in (project / ".varves/local", f"{folder}/varves/local"):
        shutil.rmtree(place, ignore_errors=True)
    after = [cli(*words).out for words in (("list", "--json"), ("recall", "prices", "--json"))]
    assert after == before


@promises(
    "Many agents can write at the same time, in any number of processes, clones and branches."
)
def test_eight_processes_write_at_once_and_nothing_is_lost(varves, project):
    script = (
        "import sys, varves\n"
        "with varves.open() as ledger:\n"
        "    for n in range(10):\n"
        "        print(ledger.remember(f'note {n} of {sys.argv[1]}').id)\n"
    )
    running = [
        subprocess.Popen(
            [sys.executable, "-c", script, str(number)], cwd=project, stdout=subprocess.PIPE
        )
        for number in range(8)
    ]
    told = [name for one in running for name in one.communicate()[0].decode().split()]
    assert [one.returncode for one in running] == [0] * 8
    assert len(set(told)) == 80
    assert {one["id"] for one in varves("list", "--json").json["memories"]} == set(told)


@promises("Python 3.11 or newer, two small dependencies.")
def test_two_packages_are_needed(cli):
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert len(project["dependencies"]) == 2
    assert project["requires-python"] == ">=3.11"


@promises("No server, no model, no network, no account.")
def test_a_day_of_work_starts_no_process_that_stays_and_opens_no_connection(cli, project):
    """Connections fail every test here; what is left to see is that no process stays behind."""
    remember(cli, "Prices are kept in cents")
    assert recalled(cli, "prices in cents")
    assert cli("doctor").code == 0
    children = f"/proc/self/task/{os.getpid()}/children"
    with open(children, encoding="ascii") as file:
        assert file.read().split() == []


@promises("if you delete the files in which they are stored, Varves rebuilds them identically.")
def test_the_index_that_was_deleted_comes_back_equal(project, git, monkeypatch):
    monkeypatch.setenv("VARVES_NOW", "2026-11-16T09:00:00Z")
    with package.open(str(project)) as ledger:
        ledger.remember("Prices are kept in cents")
        before = ledger.recall("prices").as_dict()
    folder = git("rev-parse", "--absolute-git-dir").strip()
    found = [
        os.path.join(at, name)
        for place in (str(project / ".varves"), f"{folder}/varves")
        for at, _, names in os.walk(place)
        for name in names
        if name.startswith("index.sqlite")
    ]
    assert found
    for path in found:
        os.remove(path)
    with package.open(str(project)) as again:
        assert again.recall("prices").as_dict() == before


# The tour


@promises("A write is on disk before the command returns.")
def test_a_write_that_the_disk_did_not_take_is_not_acknowledged(cli, monkeypatch):
    remember(cli, "Prices are kept in cents")

    def fails(handle):
        raise OSError(5, "Input/output error")

    with monkeypatch.context() as broken:
        broken.setattr(os, "fsync", fails)
        broken.setattr(os, "fdatasync", fails)
        answer = cli("remember", "Dates are UTC everywhere")
    assert answer.code != 0
    assert "recorded" not in answer.out


@promises("Text that looks like a secret is masked before the first byte is written.")
def test_a_password_reaches_no_file(cli, project, home):
    text = f"Staging is postgres://shop:{PASSWORD}@db.internal/shop"
    for options in ((), ("--private",), ("--scope", "global")):
        assert (
            "postgres-url-password" in said(cli("remember", text, *options, "--json"))["redacted"]
        )
    held = {**everything(project), **everything(home)}
    assert held
    assert not [name for name, content in held.items() if PASSWORD.encode() in content]


@promises("`--explain` shows every reason, and the best memories that were left out.")
def test_explain_tells_reasons_and_near_misses(cli):
    for number in range(12):
        remember(cli, f"The cache of host {number} is warmed on Tuesdays")
    answer = cli("recall", "when is the cache of host 3 warmed?", "-k", "3", "--explain")
    assert answer.code == 0
    assert "words" in answer.out
    assert "near" in answer.out or "left out" in answer.out


@promises(
    "`--evidence src/api.py:12` links a memory to code. If that code changes, recall marks the"
    " memory as stale; if the code is gone, the memory is no longer recalled."
)
def test_a_memory_follows_its_evidence(cli, project):
    code = project / "api.py"
    code.write_text("def pay():\n    return 1\n", encoding="utf-8")
    remember(cli, "Payments are rounded down", "--evidence", "api.py:2")
    [hit] = said(cli("recall", "payments rounded", "--json"))["hits"]
    assert not hit["stale"]
    code.write_text("def pay():\n    raise NotImplementedError\n", encoding="utf-8")
    [hit] = said(cli("recall", "payments rounded", "--json"))["hits"]
    assert hit["stale"]
    code.unlink()
    assert recalled(cli, "payments rounded") == []


@promises(
    "A new statement may repeat, update or contradict an older one. `remember` then names the"
    " older one with the reason, and `varves conflicts` lists both until you decide."
)
def test_an_update_is_named_when_it_is_made(cli):
    first = remember(cli, "We use Postgres 14 for the orders database")
    answer = said(cli("remember", "We use Postgres 16 for the orders database", "--json"))
    assert [one["id"] for one in answer["conflicts"]] == [first]
    assert answer["conflicts"][0]["reason"]
    (listed,) = said(cli("conflicts", "--json"))["conflicts"]
    assert {member["id"] for member in listed["members"]} == {first, answer["id"]}


@promises("The old value is rejected in its scope: it cannot be recorded there again by accident.")
def test_a_corrected_value_is_refused(cli):
    name = remember(cli, "All input is validated with Zod")
    said(cli("correct", name, "All input is validated with Valibot", "--json"))
    for words in ("All input is validated with Zod", "all input is validated with ZOD."):
        assert cli("remember", words).code == 3
    assert recalled(cli, "how is input validated?") == ["All input is validated with Valibot"]


@promises("In another scope or log, the same text is a separate statement and is not rejected.")
def test_a_corrected_value_may_be_said_in_another_scope(cli):
    name = remember(cli, "All input is validated with Zod")
    said(cli("correct", name, "All input is validated with Valibot", "--json"))
    assert cli("remember", "All input is validated with Zod", "--scope", "agent:bob").code == 0


@promises("`--again` records it on purpose.")
def test_again_says_it_on_purpose(cli):
    name = remember(cli, "All input is validated with Zod")
    said(cli("correct", name, "All input is validated with Valibot", "--json"))
    assert cli("remember", "All input is validated with Zod", "--again").code == 0


@promises("Git sees only new files and reports no conflict. Varves reports one.")
def test_two_branches_that_correct_one_memory_merge_and_become_a_conflict(cli, git, commit):
    name = remember(cli, "Input is validated with Valibot")
    commit("one")
    git("switch", "-qc", "feature")
    said(cli("correct", name, "Input is validated with ArkType", "--json"))
    commit("ada")
    git("switch", "-q", "-")
    said(cli("correct", name, "Input is validated by the gateway", "--json"))
    commit("ben")
    git("merge", "--quiet", "feature", "-m", "merge")
    [conflict] = said(cli("conflicts", "--json"))["conflicts"]
    assert len(conflict["members"]) == 2


@promises("The verbs that read accept `--as-of` with a time, an event id or a git revision.")
def test_the_past_is_seen_by_instant_event_and_revision(cli, commit):
    name = remember(cli, "Input is validated with Zod")
    shown = said(cli("history", name, "--json"))["events"][0]
    commit("one")
    said(cli("correct", name, "Input is validated with Valibot", "--json"))
    commit("two")
    for moment in (shown["id"], "HEAD~1", shown["time"]):
        assert recalled(cli, "input validated", "--as-of", moment) == [
            "Input is validated with Zod"
        ]
    assert recalled(cli, "input validated") == ["Input is validated with Valibot"]


@promises(
    "The worktrees of one repository see each other's memories immediately, labelled with their"
    " branch."
)
def test_a_worktree_sees_what_another_wrote(cli, git, commit, project):
    remember(cli, "Prices are kept in cents")
    commit("one")
    git("worktree", "add", "--quiet", "../aside", "-b", "aside")
    said(cli("--root", "../aside", "remember", "Dates are UTC everywhere", "--json"))
    found = {one["text"]: one["branch"] for one in said(cli("list", "--json"))["memories"]}
    assert found == {"Prices are kept in cents": None, "Dates are UTC everywhere": "aside"}


@promises('`share = "branch"` in `.varves/settings.toml` switches this off.')
def test_branches_can_be_kept_apart(cli, git, commit, project):
    remember(cli, "Prices are kept in cents")
    (project / ".varves/settings.toml").write_text('share = "branch"\n', encoding="utf-8")
    commit("one")
    git("worktree", "add", "--quiet", "../aside", "-b", "aside")
    said(cli("--root", "../aside", "remember", "Dates are UTC everywhere", "--json"))
    texts = [one["text"] for one in said(cli("list", "--json"))["memories"]]
    assert texts == ["Prices are kept in cents"]


@promises("`forget` can be undone; `purge` cannot.")
def test_forget_is_taken_back_and_purge_is_not(cli):
    name = remember(cli, "The walrus is called Otto")
    said(cli("forget", name, "--reason", "no longer so", "--json"))
    assert recalled(cli, "walrus") == []
    said(cli("restore", name, "--json"))
    assert recalled(cli, "walrus") == ["The walrus is called Otto"]
    event = said(cli("purge", name, "--reason", "named", "--yes", "--json"))
    assert event["id"] == name
    assert cli("restore", name).code != 0
    purges = said(cli("log", "--kind", "memory.purged", "--json"))["events"]
    assert cli("undo", purges[0]["id"]).code == 3
    assert recalled(cli, "walrus") == []


# In a coding agent


def hook(cli, project, event, **sent):
    payload = {"session_id": "s1", "cwd": str(project), "hook_event_name": event, **sent}
    answer = cli("hook", event, "--client", "claude", stdin=json.dumps(payload).encode())
    assert (answer.code, answer.err) == (0, "")
    return answer.out


@promises(
    "From then on, Varves shows the agent a brief when a session starts, and the relevant memories"
    " with each prompt."
)
def test_an_agent_is_told_at_the_start_and_with_a_prompt(cli, project):
    cli("init")
    remember(cli, "Deploys need two approvals", "--priority", "high")
    assert "Deploys need two approvals" in hook(cli, project, "SessionStart", source="startup")
    other = remember(cli, "The search page may take 300 ms")
    asked = hook(cli, project, "UserPromptSubmit", prompt="How slow may the search page be?")
    assert other in asked


@promises("It shows what it changes in their settings, and keeps a copy of each file.")
def test_installing_shows_the_change_and_keeps_a_copy(cli, home, project, monkeypatch):
    settings = home / ".gemini/settings.json"
    settings.parent.mkdir()
    settings.write_text('{"theme": "dark"}\n', encoding="utf-8")
    before = settings.read_bytes()
    shown = cli("install", "--client", "gemini", "--dry-run")
    assert (shown.code, settings.read_bytes()) == (0, before)
    assert "settings.json" in shown.out
    assert cli("install", "--client", "gemini").code == 0
    assert settings.read_bytes() != before
    assert before in everything(home).values()


@promises("`varves uninstall` restores everything")
def test_uninstalling_puts_every_byte_back(cli, home, project):
    settings = home / ".gemini/settings.json"
    settings.parent.mkdir()
    settings.write_text('{"theme":   "dark"}', encoding="utf-8")
    before = settings.read_bytes()
    assert cli("install", "--client", "gemini").code == 0
    assert cli("uninstall").code == 0
    assert settings.read_bytes() == before


# Protocols and verbs


@promises("If you edit one of these files by hand, the protocol's next write records the edit.")
def test_an_edit_of_a_published_file_becomes_an_event(cli, project):
    said(
        cli(
            *("scoped", "write", "project", "shop", "--type", "convention"),
            *("--content", "Use Zod", "--confidence", "0.95", "--json"),
        )
    )
    file = project / "memory/projects/shop/memory.json"
    text = file.read_text(encoding="utf-8").replace("Use Zod", "Use Valibot")
    file.write_text(text, encoding="utf-8")
    said(
        cli(
            *("scoped", "write", "project", "shop", "--type", "convention"),
            *("--content", "Dates are UTC", "--confidence", "0.95", "--json"),
        )
    )
    kinds = [one["kind"] for one in said(cli("log", "--json"))["events"]]
    assert "memory.revised" in kinds
    assert recalled(cli, "which validation library, Zod or Valibot?")[0] == "Use Valibot"


@promises("every change can be undone")
def test_every_change_can_be_undone(cli):
    name = remember(cli, "Prices are kept in cents")
    for words in (
        ("edit", name, "--tag", "+shop"),
        ("correct", name, "Prices are kept in euros"),
        ("forget", name, "--reason", "no longer so"),
    ):
        before = said(cli("show", name, "--json"))
        assert cli(*words).code == 0
        assert said(cli("show", name, "--json")) != before
        assert cli("undo").code == 0
        after = said(cli("show", name, "--json"))
        for key in ("text", "tags", "status"):
            assert after[key] == before[key], words


@promises("`--json` on any verb prints one JSON document.")
def test_every_reading_verb_prints_one_document(cli):
    name = remember(cli, "Prices are kept in cents")
    for words in (
        *(("status",), ("verify",), ("doctor",), ("list",), ("log",), ("conflicts",), ("brief",)),
        *(("recall", "x"), ("show", name), ("history", name), ("why", name), ("pack",)),
        *(("rebuild",), ("show", "mem_000000000000"), ("recall",), ("export",)),
    ):
        json.loads(cli(*words, "--json").out)


@promises(
    "Exit codes are fixed: 0 done, 1 findings, 2 usage, 3 refused, 4 not found, 5 damaged, 6 busy."
)
def test_exit_codes_are_as_documented(cli, project):
    name = remember(cli, "Prices are kept in cents")
    assert cli("list").code == 0
    assert cli("recall").code == 2
    assert cli("remember", "x", "--private", "--scope", "global").code == 3
    assert cli("show", "mem_000000000000").code == 4
    assert cli("show", name).code == 0
    [segment] = (project / ".varves/log").glob("*/*.jsonl")
    content = segment.read_bytes()
    segment.write_bytes(content.replace(b"cents", b"euros"))
    assert cli("verify").code == 1
    segment.write_bytes(content)
    (project / ".varves/format.json").write_bytes(b'{"format": "varves", "version": 99}\n')
    assert cli("list").code == 5


# Nothing is lost, and what is erased stays so


@promises("Varves keeps a hard link or a copy of each log file in `.git/varves/spool`.")
def test_what_git_cleaned_away_comes_back(cli, git):
    cli("init")
    remember(cli, "The cache is warmed on Tuesdays")
    git("clean", "-fdxq")
    assert recalled(cli, "when is the cache warmed?") == []
    assert cli("doctor", "--restore").code == 0
    assert recalled(cli, "when is the cache warmed?") == ["The cache is warmed on Tuesdays"]


@promises(
    "The text does not return in this clone: not by a merge, a switch of branches, a stash, the"
    " spool or an import. If git restores an old file, Varves hides the purged text in it, and the"
    " next write erases it."
)
def test_a_purged_text_does_not_return_with_a_branch(cli, project, git, commit):
    name = remember(cli, "The walrus is called Otto")
    commit("one")
    git("branch", "before")
    answer = cli("purge", name, "--reason", "named", "--yes")
    assert "git's history still contains it, in 1 commit" in answer.out
    kept = {path: text for path, text in everything(project).items() if path[:5] != ".git/"}
    assert not [path for path, text in kept.items() if b"Otto" in text]
    commit("two")
    for words in (("switch", "-q", "before"), ("merge", "-q", "-m", "both", "-")):
        git(*words)
        cli("rebuild")
        assert recalled(cli, "what is the walrus called?") == []
        assert "Otto" not in cli("brief").out
        assert cli("show", name).code == 4
    remember(cli, "Something else")
    assert not [path for path, text in everything(project / ".varves").items() if b"Otto" in text]


# What is kept of a session


def talk(cli, project, tmp_path, *said):
    """Let an agent's turn end, and be heard."""
    transcript = tmp_path / "s1.jsonl"
    rows = [
        {
            "type": "user",
            "message": {"role": "user", "content": text},
            "sessionId": "s1",
            "uuid": str(number),
            "cwd": str(project),
        }
        for number, text in enumerate(said)
    ]
    transcript.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    hook(cli, project, "Stop", transcript_path=str(transcript))


@promises(
    'Varves also keeps the statements that it recognises as lasting ("remember that …", "we decided'
    ' …", "never …"), in this clone only.'
)
def test_what_a_person_states_is_kept_in_this_clone(cli, project, tmp_path, commit):
    cli("init")
    talk(
        cli,
        project,
        tmp_path,
        "Remember that the staging host is called petrel.",
        "We decided to use Valibot for input validation.",
        "Never push to main on a Friday.",
    )
    kept = said(cli("list", "--private", "--json"))["memories"]
    assert len(kept) == 3
    assert {one["kept"] for one in kept} == {"private"}
    commit("all")
    assert b"petrel" not in objects(project)


@promises(
    "`varves list --private` shows what was kept, and `varves why ID` shows where it was said."
    " `varves share ID` adds a memory to the project's log, and `varves forget ID` takes it out of"
    " use."
)
def test_what_was_kept_is_seen_shared_and_taken_out(cli, project, tmp_path):
    cli("init")
    talk(
        cli,
        project,
        tmp_path,
        "Remember that the staging host is called petrel.",
        "Never push to main on a Friday.",
    )
    one, other = said(cli("list", "--private", "--json"))["memories"]
    assert "s1" in cli("why", one["id"]).out
    said(cli("share", one["id"], "--json"))
    assert said(cli("show", one["id"], "--json"))["kept"] == "project"
    said(cli("forget", other["id"], "--reason", "no", "--json"))
    assert said(cli("list", "--private", "--json"))["memories"] == []


@promises(
    "`varves status` lists the installed agents, and the memories that were most recently shown to"
    " any of them."
)
def test_status_names_what_an_agent_was_told(cli, project):
    cli("init")
    remember(cli, "Deploys need two approvals", "--priority", "high")
    hook(cli, project, "SessionStart", source="startup")
    status = said(cli("status", "--json"))
    assert "agents" in status
    assert status["told"]


# Protocols


def scoped(cli, text):
    words = ("scoped", "write", "project", "shop", "--type", "convention", "--content", text)
    return said(cli(*words, "--confidence", "0.95", "--json"))


@promises(
    "`varves rebuild` resolves the conflict, whatever state git left the file in: the result"
    " contains the records of both sides and is marked as resolved in git."
)
def test_rebuild_settles_a_published_file_that_git_could_not_merge(cli, project, git, commit):
    scoped(cli, "Use Zod")
    commit("one")
    git("switch", "-qc", "feature")
    scoped(cli, "Dates are UTC")
    commit("two")
    git("switch", "-q", "-")
    scoped(cli, "Prices are in cents")
    commit("three")
    cli("uninstall")  # the merge driver
    subprocess.run(["git", "merge", "feature"], cwd=project, capture_output=True, check=False)
    assert git("ls-files", "--unmerged")
    assert cli("rebuild").code == 0
    assert not git("ls-files", "--unmerged")
    git("commit", "--quiet", "--no-edit")
    file = json.loads((project / "memory/projects/shop/memory.json").read_text(encoding="utf-8"))
    for text in ("Use Zod", "Dates are UTC", "Prices are in cents"):
        assert text in json.dumps(file)


@promises("You can use one protocol or several at once.")
def test_every_protocol_works_alone_and_beside_the_others(cli, project):
    for name in ("party", "layers", "scoped", "hivemind", "deliberation"):
        assert cli("init", "--protocol", name).code == 0
        assert cli(name, "validate").code in (0, 1), name
    assert cli("init", "--protocol", "all").code == 0


@promises('A bridge in the settings, such as `bridges = ["deliberation.decision -> layers"]`,')
def test_a_bridge_shows_a_decision_in_the_other_protocols_file(cli, project):
    for name in ("deliberation", "layers"):
        assert cli("init", "--protocol", name).code == 0
    path = project / ".varves/settings.toml"
    had = path.read_text(encoding="utf-8") if path.exists() else ""
    bridge = 'bridges = ["deliberation.decision -> layers"]\n'
    path.write_text(bridge + had, encoding="utf-8")
    assert cli("trust", "--settings", "--yes").code == 0
    assert cli("deliberation", "new", "talk", "--shared").code == 0
    assert cli("deliberation", "say", "ada", "We decided to use Postgres for orders.").code == 0
    assert cli("layers", "shutdown", "--no-commit").code == 0
    assert "Postgres" in (project / "CHANGELOG.md").read_text(encoding="utf-8")


@promises("`remember --batch` takes JSON Lines, `recall --budget N` limits the answer to N tokens")
def test_a_batch_is_json_lines_and_a_budget_counts_tokens(cli):
    rows = "".join(json.dumps({"text": f"Host {n} serves images"}) + "\n" for n in range(20))
    answer = said(cli("remember", "--batch", "-", "--json", stdin=rows.encode()))
    assert answer["written"] == 20
    small, large = (
        said(cli("recall", "which host serves images?", "-k", "20", "--budget", budget, "--json"))
        for budget in ("20", "2000")
    )
    assert small["tokens"] <= 20
    assert 0 < len(small["hits"]) < len(large["hits"])
