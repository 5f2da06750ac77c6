"""The current project is one and the same for every verb that is given none."""

from __future__ import annotations

import json

from tests.protocols.hivemind.conftest import Hive
from tests.tables import assert_each

MONDAY, LATER, TUESDAY = "2026-01-05T09:00:00Z", "2026-01-05T10:00:00Z", "2026-01-06T09:00:00Z"


def scope_of_write(hive):
    return hive.write("The port is 8080", type="factual", scope="project").scope


def scope_of_error(hive):
    return hive.error("timeout", "GET /users took 31 s").scope


def scope_of_done(hive):
    return hive.done(report={"facts": ["Tokens expire after an hour"]}).learned[0].scope


def scope_of_task(hive):
    return next(scope for scope in hive.task("login").scopes if scope.startswith("project:"))


def scope_of_start(hive):
    return f"project:{hive.session_start().project}"


def scope_of_init(hive):
    return f"project:{hive.init().project}"


def scope_of_document(hive):
    folder = hive.document("context").path.split("/")[-2]
    return f"project:{folder}"


def scope_of_list(hive):
    hive.write("Listed", type="factual", scope="project:shop")
    [found] = {f"{one['scope']}:{one['scope_id']}" for one in hive.list(scope="project").entries}
    return found


def scope_of_search(hive):
    hive.write("Searched", type="factual", scope="project:shop")
    [found] = {one.entry["scope_id"] for one in hive.search("searched", scope="project").memories}
    return f"project:{found}"


def scope_of_handed_work(hive):
    hive.task("fix the login", agent="DEV-001")
    hive.handoff("QA-002", summary="half done", agent="DEV-001")
    hive.accept("QA-002")
    return hive.write("The port is 8080", type="factual", agent="QA-002").scope


VERBS = [
    scope_of_write,
    scope_of_error,
    scope_of_done,
    scope_of_task,
    scope_of_start,
    scope_of_init,
    scope_of_document,
    scope_of_list,
    scope_of_search,
    scope_of_handed_work,
]


def test_every_verb_uses_the_project_of_the_session_also_after_it_was_idle(project, tmp_path):
    """The folder is called `project`, and a project of that name has records too."""

    def check(verb):
        for moment in (LATER, TUESDAY):
            root = tmp_path / f"{verb.__name__}-{moment[8:10]}" / "project"
            root.mkdir(parents=True)
            hive = Hive(root)
            hive.at(MONDAY).write("Elsewhere", type="factual", scope="project:project")
            hive.verbs.session_start(project="shop")
            assert verb(hive.at(moment)) == "project:shop"
            hive.close()

    assert_each(VERBS, check)


def test_every_verb_uses_the_only_project_that_there_is(project, tmp_path):
    """A clone may lie in a folder of any name."""

    def check(verb):
        root = tmp_path / verb.__name__ / "clone"
        root.mkdir(parents=True)
        hive = Hive(root)
        hive.verbs.write("Known", type="factual", scope="project:shop")
        assert verb(hive.verbs) == "project:shop"
        hive.close()

    assert_each(VERBS, check)


def test_an_error_is_never_recorded_for_all_projects(hive):
    noted = hive.verbs.error("timeout", "GET /users took 31 s")
    assert noted.scope == scope_of_write(hive.verbs) == "project:project"
    [line] = [one for one in hive.verbs.task("users timeout").text.split("\n") if noted.id in one]
    assert "null" not in line


def test_a_task_of_another_project_keeps_its_project_until_it_is_done(hive):
    hive.verbs.session_start(project="shop")
    hive.verbs.task("fix the login", project="web")
    assert scope_of_write(hive.verbs) == "project:web"
    assert scope_of_error(hive.verbs) == "project:web"
    assert scope_of_done(hive.verbs) == "project:web"
    assert scope_of_write(hive.verbs) == "project:shop"


def test_the_project_named_last_counts_also_for_an_open_task(hive):
    hive.verbs.session_start(project="shop")
    hive.verbs.task("fix the login")
    hive.verbs.session_start(project="web")
    assert {scope_of_write(hive.verbs), scope_of_done(hive.verbs)} == {"project:web"}


def test_an_entry_can_be_written_and_listed_in_a_project_by_name(hive, varves):
    hive.verbs.session_start(project="shop")
    hive.close()
    given = ("hivemind", "write", "--type", "factual", "--project", "web", "--content")
    done = varves(*given, "The port is 8080", cwd=hive.root)
    assert done.out.endswith("recorded in project:web\n")
    for words, count in ((("--project", "web"), 1), (("--project", "blog"), 0)):
        listed = varves("hivemind", "list", *words, "--json", cwd=hive.root).json["entries"]
        assert [one["scope_id"] for one in listed] == ["web"] * count
    refused = varves(*given, "Mine", "--scope", "agent:DEV-001", cwd=hive.root)
    assert (refused.code, refused.out) == (2, "")
    assert "--project" not in refused.err or "leave the project out" in refused.err


def test_a_list_of_an_agents_entries_in_its_project_agrees_with_what_it_writes(hive):
    """Regression: the list took the project of the session, the write that of the agent's task."""
    hive.verbs.session_start(project="shop")
    hive.verbs.task("fix the feed", agent="DEV-001", project="web")
    hive.verbs.task("fix the cart", agent="DEV-002")
    made = hive.verbs.write("Feeds have 20 posts", type="factual", agent="DEV-001")
    assert made.scope == "project:web"
    listed = hive.verbs.list(scope="project", agent="DEV-001").entries
    assert [one["id"] for one in listed] == [made.id]


def test_the_project_of_an_open_task_ends_with_the_session(hive):
    """Regression: the next session took it over for every agent."""
    hive.verbs.session_start(project="shop")
    hive.verbs.task("fix the feed", agent="DEV-001", project="web")
    hive.verbs.task("fix the cart", agent="DEV-002")
    note = {"type": "working", "scope": "session", "priority": "high", "agent": "DEV-001"}
    hive.verbs.write("Feeds are slow", **note)
    [(_, kept)] = hive.verbs.session_end().promoted
    assert hive.verbs.show(kept)["scope_id"] == "web"
    assert scope_of_write(hive.verbs) == "project:shop"


def test_an_import_without_a_project_goes_to_the_current_one(hive, tmp_path):
    entry = {"id": "mem_abcdefghijkl", "type": "factual", "content": "Carts expire", "scope": None}
    for number, level in enumerate((None, "project")):
        given = entry | {"id": f"mem_abcdefghijk{number}", "scope": level, "content": f"C {number}"}
        (tmp_path / "memory").mkdir(exist_ok=True)
        (tmp_path / f"memory/{number}.json").write_text(json.dumps(given), encoding="utf-8")
    hive.verbs.session_start(project="shop")
    hive.ledger.import_("hivemind", str(tmp_path), trust=True)
    listed = hive.verbs.list(project="shop", type="factual").entries
    assert {"mem_abcdefghijk0", "mem_abcdefghijk1"} <= {one["id"] for one in listed}
