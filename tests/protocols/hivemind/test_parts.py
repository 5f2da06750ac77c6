"""After each verb, the parts of an index are those that rendering everything gives."""

from __future__ import annotations

from random import Random

import pytest

from varves.errors import VarvesError

SCOPES = ("project:shop", "agent:DEV-001", "team:qa")


def tree(hive):
    return {
        path: path.read_bytes()
        for path in (hive.root / "memory").rglob("_index*.json")
        if "sessions" not in path.parts
    }


def steps(random, hive, names):
    """Return what may be done next."""
    name = random.choice(names) if names else None
    text = f"The {random.choice(('queue', 'upload', 'retry'))} limit is {random.randrange(9)}"
    scope = random.choice(SCOPES)
    given = {"type": "factual", "tags": [random.choice(("a", "b", "c"))], "agent": "DEV-001"}
    always = [
        lambda: names.append(hive.verbs.write(text, scope=scope, again=True, **given).id),
        lambda: hive.verbs.done(f"Fact: {text}.", agent="DEV-001", project="shop"),
        lambda: hive.verbs.task("look at the queue limit", agent="DEV-001", project="shop"),
        lambda: hive.verbs.maintain(force=True),
        hive.verbs.session_end,
    ]
    if name is None:
        return always
    return [
        *always,
        lambda: hive.ledger.edit(name, scope=scope),
        lambda: hive.ledger.edit(name, tags=["+d"]),
        lambda: hive.ledger.edit(name, priority="critical"),
        lambda: hive.ledger.correct(name, f"{text} now", again=True),
        lambda: hive.verbs.forget(name, reason="no use"),
        lambda: hive.ledger.restore(name),
        lambda: hive.ledger.undo(hive.ledger.history(name)[-1].id),
        lambda: hive.verbs.rollback(name),
        lambda: hive.ledger.purge(name, reason="asked"),
    ]


@pytest.mark.parametrize("seed", range(6))
def test_the_index_is_the_same_after_each_verb_as_rendered_anew(hive, seed):
    random, names = Random(seed), []
    hive.settings("split_at = 4\nconsolidate_above = 1000")
    hive.verbs.session_start(project="shop")
    for minute in range(40):
        hive.at(f"2026-01-01T00:{minute:02}:00Z")
        try:
            found = steps(random, hive, names)
            (found[0] if minute < 12 else random.choice(found))()
        except VarvesError:
            continue
        if minute % 3 == 0:
            hive.verbs.write(f"Moment {minute}", type="episodic", scope="project:shop")
            shown = tree(hive)
            hive.ledger.rebuild()
            assert tree(hive) == shown
    assert len(shown) > 5
