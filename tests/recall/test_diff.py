"""Two moments are compared: what was added, corrected, forgotten, and came back."""

from __future__ import annotations

import re
import subprocess

import pytest

import varves as package
from varves.errors import NotFound
from varves.values.instants import FixedClock, instant

CART = "A cart lives for 30 days in a signed cookie, not in the database"
SHORTER = "A cart lives for 14 days in a signed cookie, not in the database"
BASKET = "Basket abandonment is counted after 24 hours without an order"
LABELS = "Labels for the second carrier are printed at 203 dpi"
PAID = "Orders are paid in euros"
NOT_PAID = "Orders are not paid in euros"
LISTS = ("added", "corrected", "forgotten", "returned")


class Day(FixedClock):
    """A clock that a test moves on."""

    def __init__(self) -> None:
        super().__init__(instant("2026-11-12T08:00:00Z"))

    def goes_on(self, hours: float = 1) -> str:
        """Let time pass, and return the instant half way."""
        half = self.now() + int(hours * 1_800_000)
        super().__init__(half + int(hours * 1_800_000))
        from varves.values.instants import iso

        return iso(half)


@pytest.fixture
def day():
    return Day()


@pytest.fixture
def ledger(project, day):
    with package.open(project, clock=day, actor="mira") as opened:
        opened.init()
        yield opened


def texts(found) -> dict[str, list[object]]:
    """Return the texts of each list that is not empty; a correction is a pair."""
    shown = {name: getattr(found, name) for name in LISTS}
    return {
        name: [(one.was, one.text) if name == "corrected" else one.text for one in changes]
        for name, changes in shown.items()
        if changes
    }


def git(project, *args: str) -> None:
    subprocess.run(["git", *args], cwd=project, check=True, capture_output=True)


def commit(project, day) -> None:
    """Commit everything at the clock's time; the next second begins."""
    day.goes_on()
    stamp = f"{day.now() // 1000} +0000"
    git(project, "add", "-A")
    subprocess.run(
        ["git", "commit", "-qm", "x"],
        cwd=project,
        check=True,
        env={"PATH": "/usr/bin:/bin", "HOME": str(project), "GIT_CONFIG_NOSYSTEM": "1"}
        | dict.fromkeys(("GIT_AUTHOR_NAME", "GIT_COMMITTER_NAME"), "Ada")
        | dict.fromkeys(("GIT_AUTHOR_EMAIL", "GIT_COMMITTER_EMAIL"), "ada@example.org")
        | dict.fromkeys(("GIT_AUTHOR_DATE", "GIT_COMMITTER_DATE"), stamp),
    )
    day.goes_on()


def test_each_change_is_in_the_list_of_its_kind(ledger, day):
    cart, basket, back = (ledger.remember(text).id for text in (CART, BASKET, LABELS))
    ledger.forget(back, reason="we use one carrier")
    before = day.goes_on()
    new = ledger.correct(cart, SHORTER, reason="stock is reserved at checkout now").id
    ledger.forget(basket, reason="we stopped measuring it")
    ledger.restore(back)
    ledger.remember(PAID, tags=["shop"])
    found = ledger.diff(before)
    assert texts(found) == {
        "added": [PAID],
        "corrected": [(CART, SHORTER)],
        "forgotten": [BASKET],
        "returned": [LABELS],
    }
    [corrected] = found.corrected
    assert (corrected.was_id, corrected.id) == (cart, new)
    assert corrected.reason == "stock is reserved at checkout now"
    assert (found.forgotten[0].status, found.forgotten[0].reason) == (
        "forgotten",
        "we stopped measuring it",
    )
    assert found.added[0].tags == ("shop",)
    assert (found.earlier.memories, found.later.memories) == (2, 3)
    assert found.earlier.asked == before
    assert found.later.at == ledger.diff(before).later.at


def test_a_memory_that_came_and_went_in_between_is_no_change(ledger, day):
    before = day.goes_on()
    gone = ledger.remember(LABELS).id
    day.goes_on()
    ledger.forget(gone, reason="no")
    between = ledger.correct(ledger.remember(CART).id, SHORTER).id
    found = ledger.diff(before)
    assert texts(found) == {"added": [SHORTER]}
    assert found.added[0].id == between


def test_several_corrections_are_one_from_the_first_text_to_the_last(ledger, day):
    first = ledger.remember(CART).id
    before = day.goes_on()
    second = ledger.correct(first, "A cart lives for 21 days in a signed cookie").id
    ledger.correct(second, SHORTER)
    assert texts(ledger.diff(before)) == {"corrected": [(CART, SHORTER)]}


def test_a_value_that_was_rejected_came_back_even_as_another_memory(ledger, day):
    ledger.forget(ledger.remember(LABELS).id, reason="we use one carrier")
    before = day.goes_on()
    ledger.remember(LABELS, again=True)
    assert texts(ledger.diff(before)) == {"returned": [LABELS]}


def test_a_memory_that_expired_is_forgotten_and_says_so(ledger, day):
    ledger.remember(LABELS, ttl="1h")
    before = day.goes_on(0.5)
    day.goes_on(3)
    [gone] = ledger.diff(before).forgotten
    assert (gone.text, gone.status) == (LABELS, "expired")
    assert gone.at == ledger.show(gone.id).expires_at


def test_what_nobody_trusts_is_added_when_a_person_trusts_it(ledger, day):
    start = day.goes_on()
    name = ledger.through("tool").remember(LABELS).id
    before = day.goes_on()
    assert texts(ledger.diff(start)) == {}
    day.goes_on()
    ledger.trust(name)
    assert texts(ledger.diff(before)) == {"added": [LABELS]}


def test_the_way_back_is_the_same_in_reverse(ledger, day):
    cart = ledger.remember(CART).id
    before = day.goes_on()
    ledger.correct(cart, SHORTER)
    ledger.remember(LABELS)
    after = day.goes_on()
    assert texts(ledger.diff(before, after)) == {
        "added": [LABELS],
        "corrected": [(CART, SHORTER)],
    }
    assert texts(ledger.diff(after, before)) == {
        "corrected": [(SHORTER, CART)],
        "forgotten": [LABELS],
    }
    assert texts(ledger.diff(after, after)) == {}


def test_events_and_instants_name_the_same_moment(ledger, day):
    ledger.remember(CART)
    event = ledger.remember(LABELS).event
    before = day.goes_on()
    ledger.remember(PAID)
    assert texts(ledger.diff(event)) == texts(ledger.diff(before)) == {"added": [PAID]}


def test_branches_are_compared_by_what_each_holds(ledger, project, day):
    cart = ledger.remember(CART).id
    commit(project, day)
    git(project, "checkout", "-qb", "feature")
    ledger.correct(cart, SHORTER, reason="stock is reserved")
    commit(project, day)
    git(project, "checkout", "-q", "-")
    ledger.remember(LABELS)
    commit(project, day)
    assert texts(ledger.diff("HEAD", "feature")) == {
        "corrected": [(CART, SHORTER)],
        "forgotten": [LABELS],
    }
    [gone] = ledger.diff("HEAD", "feature").forgotten
    assert (gone.status, gone.at) == ("gone", None)
    git(project, "merge", "-q", "feature", "-m", "merged")
    assert texts(ledger.diff("feature")) == {"added": [LABELS]}
    assert texts(ledger.diff("HEAD~1")) == {"corrected": [(CART, SHORTER)]}


def test_the_conflicts_are_those_of_the_later_moment_that_a_change_is_part_of(ledger, day):
    ledger.remember("The build runs on Linux")
    ledger.remember("The build does not run on Linux")
    ledger.remember(PAID)
    before = day.goes_on()
    newer = ledger.remember(NOT_PAID).id
    now = day.goes_on()
    for found in (ledger.diff(before), ledger.diff(before, now)):
        [conflict] = found.conflicts
        assert newer in {member.id for member in conflict.members}
        assert conflict.id in {one.id for one in ledger.conflicts()}
    assert ledger.diff(now).conflicts == ()


def test_what_was_purged_later_is_in_no_comparison(ledger, day):
    before = day.goes_on()
    name = ledger.remember(LABELS).id
    between = day.goes_on()
    ledger.purge(name, reason="asked to be forgotten")
    now = day.goes_on()
    for found in (ledger.diff(before, between), ledger.diff(between, now), ledger.diff(before)):
        assert texts(found) == {}


def test_a_decision_that_takes_the_place_of_another_corrects_it(ledger, day):
    start = day.goes_on()
    ledger.deliberation.begin("talk", agents=["ada"], shared=True)
    old = ledger.deliberation.decide("typos", "Names match above 0.3", agent="ada").id
    before = day.goes_on()
    ledger.deliberation.decide("typos", "Names match above 0.4", agent="ada", replaces=old)
    found = ledger.diff(before)
    assert not found.added
    [one] = found.corrected
    assert (one.was_id, one.was[-3:], one.text[-3:]) == (old, "0.3", "0.4")
    assert one.reason is None
    assert [one.text for one in ledger.diff(start).added] == [one.text]


def test_json_has_every_field_and_the_terminal_both_texts(ledger, day, varves):
    cart = ledger.remember(CART).id
    before = day.goes_on()
    ledger.correct(cart, SHORTER, reason="stock is reserved")
    ledger.close()
    said = varves("diff", before, "2026-11-12T20:00:00Z", "--json").json
    assert {*LISTS, "conflicts", "earlier", "later"} == set(said)
    [corrected] = said["corrected"]
    assert (corrected["was"], corrected["text"]) == (CART, SHORTER)
    shown = varves("diff", before, "2026-11-12T20:00:00Z").out
    assert f"- {CART}\n" in shown
    assert f"+ {SHORTER}\n" in shown
    assert "stock is reserved" in shown


def test_a_moment_that_is_none_is_refused(ledger, varves):
    ledger.remember(CART)
    with pytest.raises(NotFound):
        ledger.diff("no-such-branch")
    assert varves("diff", "no-such-branch").code == 4
    assert varves("diff").code == 2


def test_markdown_shows_only_what_git_publishes(ledger, day, varves):
    ledger.remember(PAID)
    before = day.goes_on()
    ledger.remember(LABELS)
    ledger.remember("My desk is upstairs", private=True)
    ledger.remember(NOT_PAID, private=True)
    ledger.remember("Ada is ill until March", tags=["sensitive"])
    ledger.remember("I like tea", scope="global")
    ledger.close()
    text = varves("diff", before, "2026-11-12T20:00:00Z", "--markdown").out
    assert LABELS in text
    assert "1 added" in text
    for hidden in ("desk", NOT_PAID, "Ada is ill", "tea"):
        assert hidden not in text
    said = varves("diff", before, "2026-11-12T20:00:00Z", "--markdown", "--json").json
    assert said["markdown"] == text
    assert [one["text"] for one in said["added"]] == [LABELS]


@pytest.mark.parametrize(
    "hostile",
    [
        "```\n# Heading\n@everyone <img src=x onerror=alert(1)>",
        "~~~ ``` ```` [a](javascript:alert(1))\r\n```\r## b",
        "a\u202egnitset\u202c b \x1b[31m \x00 c\u2028# d",
        "-- \n+++ not a sign of ours\n",
        "`" * 40,
        "word " * 3000,
    ],
)
def test_no_text_acts_as_markup_in_markdown(ledger, day, hostile):
    ledger.remember(CART)
    before = day.goes_on()
    ledger.remember(hostile)
    lines = ledger.diff(before).markdown.split("\n")
    fences = [n for n, line in enumerate(lines) if re.fullmatch(r"`{3,}(diff)?", line)]
    opening, closing = fences
    fence = lines[closing]
    assert lines[opening] == f"{fence}diff"
    inside = lines[opening + 1 : closing]
    assert all(line[0] in "+ " and fence not in line for line in inside)
    assert max(map(len, inside)) <= 100
    outside = "\n".join(lines[:opening] + lines[closing + 1 :])
    assert "@" not in outside
    assert all(letter.isprintable() for line in lines for letter in line)


def test_the_same_text_under_another_id_is_no_change(ledger, project, day):
    """Two branches made the same correction; after the merge, one memory stands for both."""
    cart = ledger.remember(CART).id
    commit(project, day)
    git(project, "checkout", "-qb", "feature")
    ledger.correct(cart, SHORTER)
    commit(project, day)
    git(project, "checkout", "-q", "-")
    ledger.correct(cart, SHORTER)
    commit(project, day)
    git(project, "merge", "-q", "feature", "-m", "merged")
    assert texts(ledger.diff("feature")) == texts(ledger.diff("HEAD~1")) == {}
    assert texts(ledger.diff("HEAD~2")) == {"corrected": [(CART, SHORTER)]}


def test_without_a_second_moment_it_is_that_of_as_of(ledger, day, varves):
    before = day.goes_on()
    ledger.remember(CART)
    between = day.goes_on()
    ledger.remember(LABELS)
    ledger.close()
    said = varves("--as-of", between, "diff", before, "--json").json
    assert said == varves("diff", before, between, "--json").json
    assert [one["text"] for one in said["added"]] == [CART]


def test_a_correction_has_the_author_the_time_and_the_reason_of_the_last_one(ledger, day):
    first = ledger.remember("Rehearsal is on Monday").id
    before = day.goes_on()
    second = ledger.correct(first, "Rehearsal is on Tuesday", reason="the hall is taken").id
    day.goes_on(24)
    third = ledger.correct(second, "Rehearsal is on Wednesday", reason="the conductor asked").id
    written = ledger.show(third).created_at
    day.goes_on(24)
    ledger.edit(third, tag=["+choir"])
    [one] = ledger.diff(before).corrected
    assert (one.was_id, one.id, one.reason) == (first, third, "the conductor asked")
    assert one.at == written


def test_what_was_added_was_added_when_it_was_written(ledger, day):
    start = day.goes_on()
    one = ledger.remember(PAID)
    between = day.goes_on(24)
    ledger.edit(one.id, tag=["+shop"])
    day.goes_on(24)
    [added] = ledger.diff(start).added
    assert (added.at, added.by) == (ledger.show(one.id).created_at, "mira")
    assert ledger.diff(between).added == ()
