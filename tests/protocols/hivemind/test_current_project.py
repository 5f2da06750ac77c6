"""The current project is one and the same for every verb that is given none."""

from __future__ import annotations

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


VERBS = [
    scope_of_write,
    scope_of_error,
    scope_of_done,
    scope_of_task,
    scope_of_start,
    scope_of_init,
    scope_of_document,
    scope_of_list,
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
