"""Numbered steps stay together, whether they are on lines of their own or follow each other."""

from __future__ import annotations

import pytest

from tests.tables import each_row

PROCEDURES = (
    (
        "Documented the import. 1. Stop the worker with systemctl. 2. Run make import. "
        "3. Start the worker again. The page is online.",
        "Documented the import.\n1. Stop the worker with systemctl.\n2. Run make import."
        "\n3. Start the worker again.",
    ),
    (
        "To restore a backup:\n1. Stop the app.\n2. Run pg_restore -d shop dump.sql.\n"
        "   It is slow.\n3. Start the app.\n\nThat was all.",
        "To restore a backup:\n1. Stop the app.\n2. Run pg_restore -d shop dump.sql. It is slow."
        "\n3. Start the app.",
    ),
    (
        "To rotate the keys: (1) create a key. (2) Put it into the vault. (3) Restart it.",
        "To rotate the keys:\n(1) create a key.\n(2) Put it into the vault.\n(3) Restart it.",
    ),
    (
        "Steps to release: 1. Bump the version. 2. Tag it. 3. Push the tag.",
        "Steps to release: 1. Bump the version. 2. Tag it. 3. Push the tag.",
    ),
    ("Procedure:\n1. Drain the node\n2. Reboot it", "1. Drain the node\n2. Reboot it"),
    (
        "1. Check the disk. 2. Check the queue. 3. Restart the worker if the queue grows.",
        "1. Check the disk.\n2. Check the queue.\n3. Restart the worker if the queue grows.",
    ),
)
OTHERS = (
    ("Next steps: 1. Write the tests. 2. Deploy to staging.", ("procedures",), []),
    ("Still to do:\n1. Write the tests\n2. Deploy it", ("procedures",), []),
    ("It needs version 2. It runs on 3. Nothing else changed.", ("procedures",), []),
    ("Three things broke: 1. The cache is cold. 2. Builds are slow.", ("procedures",), []),
    (
        "Decisions: 1. Use Redis for sessions. 2. Keep Postgres for orders.",
        ("decisions",),
        ["Use Redis for sessions.", "Keep Postgres for orders."],
    ),
    (
        "We decided on this order: 1. The schema first. 2. Then the API. 3. The page last.",
        ("decisions",),
        ["We decided on this order: 1. The schema first. 2. Then the API. 3. The page last."],
    ),
    (
        "Done. 1. We decided to keep tokens for 90 days. 2. We chose UTC for all dates.",
        ("decisions",),
        ["We decided to keep tokens for 90 days.", "We chose UTC for all dates."],
    ),
)
SOLUTIONS = (
    "Error: the import hangs. Fix: 1. Stop the worker. 2. Delete the lock. 3. Start it again.",
    "Fixed the hanging import by doing this: 1. Stop the worker. 2. Delete the lock. "
    "3. Start it again.",
    "Problem: the import hangs\nSolution:\n1. Stop the worker.\n2. Delete the lock.\n"
    "3. Start it again.",
)


def learned(hive, text, *kinds):
    done = hive.verbs.done(text, agent="DEV-001", project="shop")
    return [one.text for one in done.learned if one.kind in kinds]


@pytest.mark.requirement("S3-43")
@each_row(("text", "procedure"), PROCEDURES)
def test_numbered_steps_are_one_procedure(hive, text, procedure):
    done = hive.verbs.done(text, agent="DEV-001", project="shop")
    [one] = [one for one in done.learned if one.kind == "procedures"]
    assert hive.verbs.show(one.id)["content"]["text"] == procedure
    hive.ledger.undo(hive.ledger.history(one.id)[0].id)


@pytest.mark.requirement("S3-45")
@each_row(("text", "kinds", "wanted"), OTHERS)
def test_a_numbered_list_of_something_else_is_no_procedure(hive, text, kinds, wanted):
    assert learned(hive, text, *kinds) == wanted


@pytest.mark.requirement("S3-44")
@each_row(("text",), [(text,) for text in SOLUTIONS])
def test_a_solution_in_steps_is_kept_whole(hive, text):
    done = hive.verbs.done(text, agent="DEV-001", project="shop")
    [one] = [one for one in done.learned if one.kind == "errors"]
    solution = hive.verbs.show(one.id)["content"]["solution"]
    steps = "1. Stop the worker. 2. Delete the lock. 3. Start it again"
    assert " ".join(solution.split()).removeprefix("doing this: ") == steps


@pytest.mark.requirement("S3-59")
def test_numbered_steps_in_a_working_memory_outlive_the_session(hive):
    hive.verbs.session_start(project="shop")
    hive.verbs.write(
        "1. Check the disk. 2. Check the queue. 3. Restart the worker if the queue grows.",
        type="working",
        scope="session",
        agent="DEV-001",
    )
    [(_, name)] = hive.verbs.session_end().promoted
    kept = hive.verbs.show(name)
    assert (kept["type"], kept["scope"]) == ("procedural", "project")
    assert "3. Restart the worker" in kept["content"]["text"]


def test_steps_are_listed_with_what_they_are(hive, varves):
    text = "To restore a backup:\n1. Stop the app.\n2. Run pg_restore."
    hive.close()
    shown = "To restore a backup: 1. Stop the app. 2. Run pg_restore."
    assert shown in varves("hivemind", "done", text, "--agent", "DEV-001", cwd=hive.root).out
    for words in (("list", "--type", "procedural"), ("search", "restore a backup")):
        assert shown in varves("hivemind", *words, cwd=hive.root).out
