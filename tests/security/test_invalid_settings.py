"""A guarded setting that cannot be read stops nobody: it came with a clone, and has no effect."""

from __future__ import annotations

import json

import pytest

PATH = ".varves/settings.toml"
BRIDGE = '"deliberation.decision -> hivemind"'
BAD = {
    "capture = 5": ("capture", "unknown capture '5'"),
    "capture = ['shared']": ("capture", "unknown capture"),
    "bridges = 'x'": ("bridges", "bridges is not a list of lines"),
    "bridges = ['x']": ("bridges", "not a bridge: 'x'"),
    "bridges = [1]": ("bridges", "bridges is not a list of lines"),
    "hooks = 3": ("hooks", "hooks is not a table"),
    "[hooks]\ncapture = 'Shared'": ("hooks", "unknown capture 'Shared'"),
    "[hooks]\nprotocols = ['party']": ("hooks", "hooks cannot run the protocol 'party'"),
    "[hooks]\nprotocols = 'hivemind'": ("hooks", "hooks.protocols is not a list"),
    "[hooks]\nprotocols = [['x']]": ("hooks", "hooks cannot run the protocol"),
    "teams = 3": ("teams", "teams is not a table"),
    '[teams.core]\nroot = "a\\u0000b"': ("teams", "team 'core' has no folder: root is not a path"),
    "[teams.core]\nroot = 5": ("teams", "team 'core' has no folder: root is not text"),
    "[teams.core]\nroot = ['/tmp']": ("teams", "team 'core' has no folder: root is not text"),
    "[teams.core]": ("teams", "team 'core' has no folder: root is not set"),
    "[teams]\ncore = 3": ("teams", "team 'core' is not a table"),
}


@pytest.fixture
def cloned(project, varves):
    """Give a project in which somebody else wrote the settings."""
    assert varves("init").code == 0

    def write(text: str) -> None:
        (project / PATH).write_text(f"{text}\n", encoding="utf-8")

    return write


def started(varves, project) -> str:
    sent = {"session_id": "s", "hook_event_name": "SessionStart", "source": "startup"}
    payload = json.dumps(sent | {"cwd": str(project)})
    said = varves("hook", "SessionStart", "--client", "claude", stdin=payload)
    assert (said.code, said.err) == (0, "")
    return json.loads(said.out)["hookSpecificOutput"]["additionalContext"]


@pytest.mark.full_size(sample=2)
@pytest.mark.parametrize("text", BAD)
def test_verbs_go_on_and_say_it_in_a_line(cloned, varves, project, text):
    cloned(text)
    kind, reason = BAD[text]
    for verb in (("remember", "Deploys are on Friday"), ("recall", "deploys"), ("rebuild",)):
        done = varves(*verb)
        assert done.code == 0, done.err
        [line] = done.err.splitlines()
        assert line.startswith(f"varves: {PATH}: invalid and without effect: {reason}"), verb
    for verb, code in (("status", 0), ("doctor", 1)):
        told = varves(verb)
        assert told.code == code
        assert (told.out + told.err).count(reason) == 1, told
        assert reason in told.out
    assert "Friday" in started(varves, project)
    [line] = [one for one in started(varves, project).splitlines() if "invalid" in one]
    assert f"({kind})" in line
    assert reason not in line


@pytest.mark.parametrize("text", BAD)
def test_nobody_can_agree_to_it(cloned, varves, home, text):
    cloned(text)
    refused = varves("trust", "--settings", "--yes")
    assert (refused.code, refused.out) == (5, "")
    assert BAD[text][1] in refused.err
    assert refused.err.count("\n") == 1
    assert not (home / "varves/consents.toml").exists()


@pytest.mark.parametrize("text", BAD)
def test_in_ones_own_home_it_is_refused(home, varves, text):
    for place in (home, home / "varves"):
        (place / ".varves").mkdir(parents=True)
        (place / PATH).write_text(f"{text}\n", encoding="utf-8")
        refused = varves("list", "--root", str(place))
        assert (refused.code, refused.out) == (5, "")
        assert BAD[text][1] in refused.err


def test_what_can_be_read_beside_it_waits_and_counts_as_ever(cloned, varves, project):
    cloned(f"bridges = [{BRIDGE}]\n[hooks]\nprotocols = ['hivemind']")
    assert varves("trust", "--settings", "--yes").code == 0
    cloned(f"bridges = [{BRIDGE}, 'x']\n[hooks]\nprotocols = ['party', 'hivemind', 'scoped']")
    standing = varves("status", "--json").json
    assert standing["waiting"] == ["hooks.protocols = scoped"]
    assert [line.partition(":")[0] for line in standing["invalid"]] == [
        "hooks.protocols",
        "bridges",
    ]
    refused = varves("trust", "--settings", "--yes")
    assert refused.code == 5
    assert varves("status", "--json").json["waiting"] == ["hooks.protocols = scoped"]
    assert varves("deliberation", "new", "talk", "--agents", "ada,ben").code == 0
    decided = varves("deliberation", "decide", "cache", "We use Valkey", "--agent", "ada")
    assert decided.code == 0
    assert "Valkey" in varves("hivemind", "search", "Valkey").out


def test_a_person_who_switched_capture_off_keeps_it_so(cloned, varves, project):
    """What is invalid in the table of hooks does not hide what stands for the project."""
    import varves as package
    from varves.values.signals import SessionMessage

    cloned("capture = 'off'\n[hooks]\ncapture = 5")
    with package.open(project) as ledger:
        said = [SessionMessage(role="user", text="We decided to use Valkey as the cache.")]
        assert ledger.capture(said, session="s", client="claude").ids == ()


@pytest.mark.parametrize("text", [text for text in BAD if BAD[text][0] == "teams"])
def test_a_team_whose_folder_is_unknown_is_not_kept_in_the_project(cloned, varves, project, text):
    cloned(text)
    for verb in (
        ("remember", "--scope", "team:core", "We deploy on Tuesdays"),
        ("scoped", "write", "team", "core", "--type", "convention", "--content", "Tuesdays"),
    ):
        refused = varves(*verb)
        assert (refused.code, refused.out) == (3, ""), verb
        assert "the team settings are invalid" in refused.err
    logged = b"".join(path.read_bytes() for path in (project / ".varves/log").rglob("*.jsonl"))
    assert b"Tuesdays" not in logged


def test_a_team_beside_an_invalid_one_goes_on(cloned, varves, project, tmp_path):
    cloned(f"[teams.web]\nroot = '{tmp_path}/web'")
    assert varves("trust", "--settings", "--yes").code == 0
    cloned(f"[teams.core]\nroot = 5\n[teams.web]\nroot = '{tmp_path}/web'")
    assert varves("remember", "--scope", "team:web", "We deploy on Tuesdays").code == 0
    assert varves("remember", "--scope", "team:core", "We deploy on Mondays").code == 3
    assert varves("remember", "--scope", "team:other", "We deploy on Sundays").code == 0
    logged = b"".join(path.read_bytes() for path in (project / ".varves/log").rglob("*.jsonl"))
    assert b"Sundays" in logged
    assert b"Mondays" not in logged
    assert b"Tuesdays" not in logged


def test_a_very_long_value_is_not_repeated_at_every_call(cloned, varves):
    cloned(f"capture = '{'x' * 100_000}'\nbridges = [{'1, ' * 5000}]")
    done = varves("list")
    assert done.code == 0
    assert len(done.err) < 500


def test_a_very_long_list_is_not_looked_at_line_by_line():
    """A refused line costs a hundred times what one that is read does."""
    from varves.values.guarded import sifted

    line = "deliberation.decision -> hivemind"
    assert sifted({"bridges": [line, "x"]})[0] == {"bridges": [line]}
    assert sifted({"bridges": [*[line] * 200, "x"]})[0] == {}


def test_other_settings_are_refused_as_before(cloned, varves):
    cloned("mode = 'quick'")
    refused = varves("list")
    assert (refused.code, refused.out) == (5, "")


def test_the_doctor_says_once_what_is_unknown(cloned, varves):
    cloned("captur = 'off'")
    for form in ((), ("--json",)):
        told = varves("doctor", *form)
        assert told.code == 0
        assert (told.out + told.err).count("is unknown and has no effect") == 1
        assert told.err == ""


def test_a_bare_call_names_a_settings_file_that_cannot_be_read(cloned, varves):
    cloned("= nonsense")
    greeted = varves()
    assert (greeted.code, greeted.err) == (0, "")
    first, situation, *steps = greeted.out.splitlines()
    assert "varves --help" in first
    assert f"{PATH} cannot be read: Invalid statement (at line 1, column 1)" in situation
    assert len(steps) == 3
