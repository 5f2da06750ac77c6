"""context.md and its horizon: where the work stands, and whether that still holds."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from tests.places import local_of
from tests.protocols.layers.conftest import CONTEXT, DAWN, GRAPH, LOG, RULES, block
from tests.tables import assert_each

SAMPLES = Path(__file__).parent / "samples/templatesSB"
GOLDEN = Path(__file__).parent / "golden"


def part(site, title):
    """Return the lines of one part of the context, as the verb tells it."""
    text = site.verbs.context().text
    _, _, rest = text.partition(f"\n## {title}\n")
    return rest.partition("\n\n")[0].split("\n")


def fill(site, count):
    """Append so many events, a minute apart."""
    for number in range(1, count + 1):
        site.at(f"2026-01-05T10:{number:02}:00Z")
        site.add(f"Event {number}")


@pytest.mark.requirement("S1-33")
def test_boot_draws_the_graph_before_work_is_planned(site):
    site.add("One", what="[[a]]")
    assert "[[a]]" not in site.read(GRAPH)
    site.verbs.boot()
    assert "[[a]]" in site.read(GRAPH)


@pytest.mark.requirement("S1-34")
def test_a_handoff_carries_a_fresh_graph(site):
    site.add("One", what="- [[a]] — A — done — none", next="- Rest")
    assert "[[a]]" not in site.read(GRAPH)
    site.commit()
    site.verbs.boot()
    site.add("Two", what="- [[b]] → [[a]]")
    closed = site.verbs.shutdown(to="ben")
    assert "- [[b]] → [[a]]" in site.read(GRAPH)
    assert closed.handoff["state"]["active_entities"] == ["b"]  # a is done


@pytest.mark.requirement("S1-34")
def test_a_handoff_of_committed_work_makes_a_stale_graph_fresh(site):
    site.verbs.boot()
    site.add("One", what="- [[b]] → [[a]]")
    site.commit()
    assert "[[b]]" not in site.read(GRAPH)
    handed = site.verbs.handoff(to="ben", reason="escalation")
    assert "- [[b]] → [[a]]" in site.read(GRAPH)
    assert handed.payload["state"]["active_entities"] == ["a", "b"]


@pytest.mark.requirement("S1-35")
def test_two_machines_on_two_days_make_the_same_bytes(clone):
    made = []
    for name, day in (("project", "2026-01-08"), ("other", "2027-06-30")):
        one = clone(name, of=made[0]) if made else clone()
        (one.root / "AGENTS.md").write_text(RULES, encoding="utf-8")
        shutil.copy(GOLDEN / LOG, one.root / LOG)
        one.at(f"{day}T09:00:00Z", actor=name).layers.rebuild()
        made.append(one)
        if name == "project":
            one.commit()
            (one.root / GRAPH).unlink()
            one.at(f"{day}T09:00:00Z").layers.rebuild()
    first, second = ([(one.root / path).read_bytes() for path in (GRAPH, CONTEXT)] for one in made)
    assert first == second


@pytest.mark.requirement("S1-36")
def test_each_line_of_the_context_repeats_an_event_or_a_node(site):
    shutil.copy(GOLDEN / LOG, site.root / LOG)
    site.verbs.rebuild()
    log, graph = site.read(LOG), site.read(GRAPH).split("\n")
    for line in part(site, "Recent Events"):
        stamp, _, title = line.removeprefix("- ").rpartition(" (")[0].partition(" — ")
        assert f"## {stamp} — {title}\n" in log
    assert set(part(site, "Active Entities")) <= set(graph)
    for line in part(site, "Next Actions"):
        assert line.removeprefix("- ") in log


@pytest.mark.requirement("S1-37")
def test_a_context_that_is_deleted_comes_back_the_same(site):
    site.add("One", what="[[a]]")
    site.verbs.boot()
    before = site.read(CONTEXT)
    (site.root / CONTEXT).unlink()
    site.again().boot()
    assert site.read(CONTEXT) == before


@pytest.mark.requirement("S1-38")
def test_every_boot_makes_the_context_and_writes_it_only_if_it_differs(site):
    site.add("One")
    booted = site.verbs.boot()
    assert booted.context == site.read(CONTEXT)
    site.commit()
    os.utime(site.root / CONTEXT, ns=(1, 1))
    assert site.again().boot().context == site.read(CONTEXT)
    assert os.stat(site.root / CONTEXT).st_mtime_ns == 1
    assert site.git("status", "--porcelain") == ""
    site.at("2026-01-05T11:00:00Z")
    site.add("Two")
    assert "Two" in site.verbs.boot().context
    assert os.stat(site.root / CONTEXT).st_mtime_ns != 1


@pytest.mark.requirement("S1-39")
def test_the_context_has_its_five_parts(site):
    lines = site.read(CONTEXT).split("\n")
    assert [line for line in lines if line.startswith("#")] == [
        "# Current Context",
        "## Session Summary",
        "## Recent Events",
        "## Active Entities",
        "## Blockers/Issues",
        "## Next Actions",
    ]


@pytest.mark.requirement("S1-40")
def test_the_summary_is_the_newest_event_and_its_open_step(site):
    site.at(DAWN)
    site.add("Use Redis", type="decision", what="Sessions move to Redis.\n\nMore on that.")
    assert part(site, "Session Summary") == [
        "2026-01-05 09:00 — Use Redis (decision, project). Sessions move to Redis. "
        "Next: Look at Use Redis."
    ]
    site.add("Old host gone", next="- Watch the new one")
    assert part(site, "Session Summary") == [
        "2026-01-05 09:00 — Old host gone (change, project). Old host gone happened. "
        "Next: Watch the new one."
    ]
    site.add("Live", type="milestone", what="All is live.", next="none")
    assert part(site, "Session Summary") == [
        "2026-01-05 09:00 — Live (milestone, project). All is live. Next: Watch the new one."
    ]


@pytest.mark.requirement("S1-40")
def test_the_summary_never_goes_back_behind_what_happened_since(site):
    for hour, kind, status in ((8, "decision", "planned"), (9, "milestone", "live")):
        site.at(f"2026-01-05T{hour:02}:00:00Z")
        site.add(f"Search is {status}", type=kind, what=f"[[search]] is {status}.", next="- Tell")
    site.at("2026-01-05T09:00:40Z")
    site.add("Index lost", type="result", what="[[search]] is broken.", next="- Restore it")
    assert part(site, "Session Summary") == [
        "2026-01-05 09:00 — Index lost (result, project). [[search]] is broken. Next: Restore it."
    ]


@pytest.mark.requirement("S1-41")
@pytest.mark.parametrize(("count", "shown"), [(3, 3), (7, 7), (30, 10)])
def test_recent_events_are_the_last_ten_newest_first(site, count, shown):
    log = "".join(f"{block(f'2026-01-06 10:{n:02}', f'Event {n}')}\n" for n in range(1, count + 1))
    site.write(LOG, f"# Log\n\n{log}")
    lines = part(site, "Recent Events")
    assert lines == [
        f"- 2026-01-06 10:{n:02} — Event {n} (change, project)"
        for n in range(count, count - shown, -1)
    ]


@pytest.mark.requirement("S1-42")
def test_active_entities_are_those_that_recent_events_touched(site):
    site.settings("recent = 2")
    site.add("Old", what="- [[old]] — Old — done — none")
    site.add("Gone", what="- [[gone]] — Gone — done — none\n- ~~[[old2]]~~")
    site.add("Here", what="- [[x]] — X — open — pack-x\n- ~~[[gone]]~~\nSee `docs/x.md`.")
    assert part(site, "Active Entities") == [
        "- [[x]] — X — open — pack-x",
        "- [[pack-x]] — pack-x — 0% — 1",
        "- [[docs/x.md]] — md — pack-x, x",
    ]
    assert "[[old]]" in site.verbs.graph_show().text


@pytest.mark.requirement("S1-43")
def test_a_blocker_stands_until_it_is_resolved(site):
    assert part(site, "Blockers/Issues") == ["none"]
    site.add("One", impact="Blocker: no certificate\n- **Blocker:** the disk is full")
    for number in range(12):
        site.add(f"Other {number}")
    assert part(site, "Blockers/Issues") == ["- the disk is full", "- no certificate"]
    site.add("Two", impact="Resolved: No  certificate.")
    assert part(site, "Blockers/Issues") == ["- the disk is full"]
    site.add("Three", impact="Resolved: the disk is full")
    assert part(site, "Blockers/Issues") == ["none"]
    site.add("Four", impact="Blocker: the disk is full")
    assert part(site, "Blockers/Issues") == ["- the disk is full"]


@pytest.mark.requirement("S1-44")
def test_next_actions_are_open_steps_of_recent_events_newest_first(site):
    site.add("One", next="- Write the page\n- Ask Ben\n- Ship it\n- Sleep")
    site.add("Two", what="Done: ask ben.", next="- Read it again\n- [x] Sleep\n- Ship it")
    assert part(site, "Next Actions") == ["- Read it again", "- Ship it", "- Write the page"]
    site.add("write the page", next="A paragraph\nof one step.")
    assert part(site, "Next Actions") == [
        "- A paragraph of one step.",
        "- Read it again",
        "- Ship it",
    ]
    site.add("Four", next="- Write the page")
    assert part(site, "Next Actions")[0] == "- Write the page"  # said again: open again


@pytest.mark.requirement("S1-44")
def test_a_step_stays_until_it_is_done_however_many_events_follow(site):
    site.add("One", next="- Measure the login\n- Write the docs\n- Rest")
    for number in range(12):
        site.add(f"Other {number}", next="None.")
    steps = ["- Measure the login", "- Write the docs", "- Rest"]
    assert part(site, "Next Actions") == steps
    for title in ("We plan to measure the login", "The login is not measured", "The login"):
        site.add(title, next="None.")
        assert part(site, "Next Actions") == steps, title
    site.add("The login is measured", next="None.", impact="Finished: write docs")
    assert part(site, "Next Actions") == ["- Rest"]
    site.verbs.rebuild()
    assert part(site, "Next Actions") == ["- Rest"]


@pytest.mark.requirement("S1-43")
def test_blockers_are_read_in_ordinary_words(site):
    def check(row):
        what, blocker = row
        assert part(site, "Blockers/Issues") == ["none"], what
        site.add("Said", what=what, next="None.")
        assert part(site, "Blockers/Issues") == ([f"- {blocker}"] if blocker else ["none"])
        if blocker:
            site.add("Better", what=f"Resolved: {blocker}", next="None.")

    rows = (
        ("We are blocked by the vendor.", "We are blocked by the vendor."),
        ("All done. Still waiting for the sign-off. More.", "Still waiting for the sign-off."),
        ("Blocked by: legal review", "Blocked by legal review"),
        ("**Blocked on:** a licence", "Blocked on a licence"),
        ("- Waiting on: the bank", "Waiting on the bank"),
        ("Known issue: tests are flaky", "tests are flaky"),
        ("Blockers:\n- no staging host", "no staging host"),
        ("#### Blockers\n\n- no budget\n- [x] no room", "no budget"),
        (
            "The team can't ship until the\ncertificate arrives.",
            "The team can't ship until the certificate arrives.",
        ),
        ("The missing key blocks the release.", "The missing key blocks the release."),
        ("We were blocked by the vendor last week.", ""),
        ("Nothing is blocked by that. Are we waiting for Ben?", ""),
        ("If the build is blocked by it, say so. It is not blocked by us.", ""),
        ("Blocker: none", ""),
        ("[[export]] is blocked by nothing now.", ""),
        ("The release is waiting for nobody. We are stuck on nothing.", ""),
        ("A waiting list was added, and the text blocked out.", ""),
        ("We might be blocked by the audit.", ""),
        ("Perhaps the release is waiting for Ben.", ""),
    )
    assert_each(rows, check)


@pytest.mark.requirement("S1-43")
def test_a_blocker_is_resolved_in_ordinary_words(site):
    def check(row):
        blocker, later, gone = row
        site.add("Stuck", what=blocker, next="None.")
        assert part(site, "Blockers/Issues") != ["none"]
        site.add("Later", what=later, next="None.")
        assert (part(site, "Blockers/Issues") == ["none"]) is gone
        site.add("Better", what=f"~~Blocker: {blocker}~~\n\nResolved: {blocker}", next="None.")

    rows = (
        ("Waiting for the API key from ops.", "The API key has arrived.", True),
        ("Waiting for the API key from ops.", "We are no longer waiting for the API key.", True),
        ("Waiting for the API key from ops.", "The API key has not arrived.", False),
        ("Waiting for the API key from ops.", "The docs are fixed.", False),
        ("Blocked by flaky tests of the vendor.", "The tests are fixed.", False),
        ("Blocker: no certificate", "Resolved: the certificate", True),
        ("Blocker: no certificate", "~~Blocker: no certificate~~", True),
        ("Cannot go on until the certificate arrives.", "The certificate is approved.", True),
        ("Cannot proceed until finance approves the plan.", "Finance approved the plan.", True),
        ("Cannot proceed until finance approves the plan.", "Finance rejected the plan.", False),
        (
            "Cannot proceed until finance approves the plan.",
            "Has finance approved the plan?",
            False,
        ),
        ("Waiting for Noa to pick a colour.", "Noa picked a colour: green.", True),
        ("Waiting for Noa to write the copy.", "Noa has written the copy.", True),
        ("Waiting for Noa to write the copy.", "We asked Noa to write the copy.", False),
        ("Waiting for Noa to write the copy.", "Noa will write the copy.", False),
        ("Waiting for the licence from legal.", "We got the licence.", True),
        ("Waiting for the licence from legal.", "We got an answer.", False),
        ("Waiting for the seat maps of the airlines.", "The airlines sent the seat maps.", True),
        ("Waiting for the seat maps of the airlines.", "They delivered the seat maps.", True),
        ("Waiting for the seat maps of the airlines.", "We sent the seat maps on.", False),
        ("Waiting for the seat maps of the airlines.", "Nobody sent the seat maps.", False),
        ("Waiting for the seat maps of the airlines.", "They sent the seat maps of June.", False),
        ("Waiting for the quote from Bo.", "Bo finally gave us the quote.", True),
        ("Waiting for the quote from Bo.", "Bo sent a letter.", False),
        ("Blocker: the queue is down", "The queue is up again since noon.", True),
        ("Blocker: the queue is down", "The queue is back.", True),
        ("Blocker: the queue is down", "The site is back.", False),
        ("Blocker: the queue is down", "The queue is not back.", False),
        ("Issue: the invoice numbers repeat", "The invoice numbers no longer repeat.", True),
        ("The kiln is broken, so we can't fire the bowls.", "The kiln is repaired.", True),
        ("The kiln is broken, so we can't fire the bowls.", "The bowls arrived.", False),
        ("We need the fire permit before we can open.", "We got the fire permit.", True),
        ("Without the key nobody can open the archive.", "The key has arrived.", True),
        ("The late paint holds everything up.", "The late paint arrived.", True),
        ("Issue: Ida is ill", "Ida is well again.", True),
        ("Issue: the invoice numbers repeat", "The order numbers no longer repeat.", False),
        (
            "Issue: the invoice numbers repeat",
            "If the invoice numbers no longer repeat, go.",
            False,
        ),
    )
    assert_each(rows, check)


@pytest.mark.requirement("S1-43")
def test_a_blocked_skill_is_a_blocker_until_its_status_changes(site):
    def check(row):
        what, later, gone = row
        site.add("Stuck", what=what, next="None.")
        [before] = part(site, "Blockers/Issues")
        assert "[[a]]" in before
        site.add("Later", what=later, next="None.")
        assert (part(site, "Blockers/Issues") == ["none"]) is gone, part(site, "Blockers/Issues")
        since = part(site, "Blockers/Issues")
        site.verbs.rebuild()
        assert part(site, "Blockers/Issues") == since
        site.add("Better", what="[[a]] is done. [[b]] is done.", next="None.")
        assert part(site, "Blockers/Issues") == ["none"]

    rows = (
        ("[[a]] is blocked.", "[[a]] is active.", True),
        ("[[a]] is blocked.", "[[b]] is active.", False),
        ("- [[a]] — A — blocked — none", "- [[a]] — A — in progress — none", True),
        ("[[a]] is stuck.", "Removed [[a]].", True),
        ("[[a]] is blocked by [[b]].", "[[b]] is done.", True),
        ("[[a]] is blocked by [[b]].", "[[b]] is in progress.", False),
        ("[[a]] is blocked by [[b]].", "[[a]] is active again.", True),
        ("Blocker: [[a]] is not done", "[[a]] is done.", True),
        ("Blocker: [[a]] has no certificate", "[[a]] is active.", False),
    )
    assert_each(rows, check)


@pytest.mark.requirement("S1-40")
def test_the_summary_is_about_one_piece_of_work(site):
    site.at("2026-01-05T09:00:00Z")
    site.add("Use Redis", type="decision", what="[[login]] uses Redis.", next="- Move [[login]]")
    site.at("2026-01-05T10:00:00Z")
    site.add("Footer fixed", what="[[footer]] is right.", next="None.")
    assert part(site, "Session Summary") == [
        "2026-01-05 10:00 — Footer fixed (change, project). [[footer]] is right. Next: none."
    ]
    site.at("2026-01-05T11:00:00Z")
    site.add("Login moved", what="[[login]] is there.", next="- Tell Ben")
    assert part(site, "Session Summary") == [
        "2026-01-05 11:00 — Login moved (change, project). [[login]] is there. Next: Tell Ben."
    ]
    site.at("2026-01-06T11:00:00Z")
    site.add("Login styled", what="[[login]] is blue.", next="None.")
    assert part(site, "Session Summary")[0].startswith("2026-01-06 11:00 — Login styled")


@pytest.mark.requirement("S1-42")
def test_what_is_finished_is_no_longer_active(site):
    site.add("A", what="- [[a]] — A — ✅ Done — pack-x\n- [[b]] — B — shipped (v2) — none")
    site.add("C", what="- [[c]] — C — in progress — none", files=("a.py", "c.py"))
    active = [line.partition(" — ")[0] for line in part(site, "Active Entities")]
    assert active == ["- [[c]]", "- [[a.py]]", "- [[c.py]]"]
    site.add("D", what="- [[c]] — C — finished — none")
    assert part(site, "Active Entities") == ["none"]
    site.add("E", what="- [[a]] — A — reopened — pack-x")
    assert [line[:10] for line in part(site, "Active Entities")] == ["- [[a]] — ", "- [[pack-x"]


@pytest.mark.requirement("S1-42")
def test_a_file_that_is_worked_on_again_is_active_again(site):
    for name in ("fee.py", "tax.py", "vat.py"):
        site.write(name, "pass\n")
    site.add("Fees", what="[[fees]] is done.", files=("fee.py", "tax.py"), next="None.")
    assert part(site, "Active Entities") == ["none"]
    site.add("Rounding", what="`fee.py` rounds half up.", next="None.")
    assert part(site, "Active Entities") == ["- [[fee.py]] — py — fees"]
    site.add("Rates", what="[[fees]] is done.", files=("vat.py",), next="- Compare `vat.py`")
    active = [line.partition(" — ")[0] for line in part(site, "Active Entities")]
    assert active == ["- [[vat.py]]"]
    site.add("Compared vat.py", what="[[fees]] is still done, with `vat.py`.", next="None.")
    assert part(site, "Active Entities") == ["none"]


@pytest.mark.requirement("S1-44")
def test_a_step_that_is_struck_out_is_not_listed(site):
    site.add("Plan", what="We plan.", next="- ~~Print the roster~~\n- Order a screen")
    assert part(site, "Next Actions") == ["- Order a screen"]


@pytest.mark.requirement("S1-44")
def test_a_step_is_done_when_a_later_event_plainly_reports_it(site):
    def check(row):
        step, title, what, gone = row
        site.add("Plan", next=f"- {step}", what="We plan.")
        site.add(title, what=what, next="None.")
        assert (part(site, "Next Actions") == ["none"]) is gone
        site.add("Cleared", what=f"Done: {step}", next="None.")
        assert part(site, "Next Actions") == ["none"]

    rows = (
        ("Send the offer", "Offer", "Ada sent the offer yesterday.", True),
        ("Build the importer", "Importer built", "It reads both forms.", True),
        ("Choose a queue", "Queue chosen", "RabbitMQ it is.", True),
        ("Draw migration plan 7", "Migration plan 7 is drawn", "See the wiki.", True),
        ("Compare Postmark and Mailgun", "Spike", "Compared Postmark and Mailgun.", True),
        ("Find the slow query", "Profiling", "We found the slow query: it has no index.", True),
        ("Rename the column", "Cleanup", "Dropped a table; the column is renamed now.", True),
        ("Ship the fix", "Release", "The fix was shipped, and the alert is quiet.", True),
        ("Apply for the grant", "Grant", "Bo applied for the grant in May.", True),
        ("Try it with ward 3", "Ward 3 tried the swaps", "Fourteen went through.", True),
        ("Print the roster for the hall", "Screen", "We no longer print the hall roster.", True),
        ("Print the roster", "Screen", "We decided against printing the roster.", True),
        ("Print the roster", "Screen", "We no longer wait for ink to print the roster.", False),
        ("Print the roster", "Screen", "We no longer print the menu.", False),
        ("Print the roster", "Screen", "Cancelled: Print the roster.", True),
        ("Print the roster", "Screen", "Won't do: print the roster", True),
        ("Print the roster", "Screen", "- ~~Print the roster~~", True),
        ("Print the hall roster", "Screen", "We will not print the hall roster.", True),
        (
            "Print the hall roster",
            "Screen",
            "We won't print the hall roster: a screen it is.",
            True,
        ),
        ("Print the hall roster", "Screen", "We dropped the hall roster.", True),
        ("Print the hall roster", "Screen", "The hall roster was cancelled by the board.", True),
        ("Print the hall roster", "Screen", "The hall roster is no longer needed.", True),
        ("Print the hall roster", "Screen", "We will not print the hall roster before May.", False),
        ("Print the hall roster", "Screen", "We will not print the menu of the hall.", False),
        ("Print the hall roster", "Screen", "We dropped the hall.", False),
        ("Print the hall roster", "Screen", "The printer dropped the hall roster twice.", False),
        ("Print the hall roster", "Screen", "Was the hall roster cancelled?", False),
        ("Print the hall roster", "Screen", "The hall roster was not cancelled.", False),
        ("Print the hall roster", "Screen", "~~Print the menu~~", False),
        ("Send the offer", "Offer", "Ada will have sent the offer by Monday.", False),
        ("Send the offer", "Offer", "We have not sent the offer.", False),
        ("Send the offer", "Offer", "Was the offer sent?", False),
        ("Send the offer", "Offer", "The offer is to be sent by Ada.", False),
        ("Build the importer", "Importer half built", "One form is missing.", False),
        ("Build the importer", "Talk", "We talked about how to build the importer.", False),
        ("Choose a queue", "Talk", "We asked Ben to choose a queue.", False),
        ("Add tests", "Parser", "Added a parser, and tests run on it.", False),
        ("Update the docs", "Deps", "Updated the lock file and the docs theme.", False),
        ("Find the slow query", "Logs", "Nobody found the slow query.", False),
        ("Dig bed 1", "Garden", "We dug bed 1.", True),
        ("Feed the hens", "Farm", "I fed the hens.", True),
        ("Weave the basket", "Shop", "Ola wove the basket.", True),
        ("Lay the carpet", "Hall", "Tom laid the carpet.", True),
        ("Grind the coffee", "Bar", "I ground the coffee.", True),
        ("Cut the plywood", "Set", "Bo cut the plywood.", True),
        ("Put the labels on the jars", "Jam", "We put the labels on the jars.", True),
        ("Set up the projector", "Hall", "Kim finally set up the projector.", True),
        ("Cut the hedge", "Garden", "Please cut the hedge.", False),
        ("Cut the cake", "Party", "Then cut the cake.", False),
        ("Let the dough rest", "Bread", "Let the dough rest.", False),
        ("Set the date", "Party", "The set date is unclear.", False),
        ("Read the manual", "Boat", "We read the manual every week.", False),
        ("Shut the windows", "Hall", "Bo forgot to shut the windows.", False),
        ("Cut the grass", "Garden", "Ida promised that we cut the grass tomorrow.", False),
    )
    assert_each(rows, check)


@pytest.mark.requirement("S1-44")
def test_the_details_below_a_step_are_no_steps_of_their_own(site):
    site.add(
        "Plan",
        next="- Move the users\n  - 500 at a time\n\n  - at night\n- Before that:\n"
        "  - Lock the table\n    in the console\n  - Tell ops\n"
        "- Publish\n  - [ ] Tag it\n  - [x] Count it\n- Rest",
    )
    assert part(site, "Next Actions") == [
        "- Move the users",
        "- Lock the table in the console",
        "- Tell ops",
        "- Publish",
        "- Tag it",
        "- Rest",
    ]


@pytest.mark.requirement("S1-44", "S1-76")
def test_the_newest_steps_are_listed_and_the_others_counted(site):
    site.settings("actions = 3\nrecent = 2")
    site.verbs.rebuild()
    for number in range(1, 7):
        site.at(f"2026-01-05T10:{number:02}:00Z")
        site.add(f"Event {number}", next=f"- Visit house {number}")
        kept = site.read(CONTEXT)
        site.verbs.rebuild()
        assert site.read(CONTEXT) == kept
    counted = ["- Visit house 6", "- Visit house 5", "- Visit house 4"]
    assert part(site, "Next Actions") == [*counted, "- … and 3 more, in older events"]
    site.add("House 1 visited", next="None.", what="Ada was there.")
    site.add("House 5 visited", next="None.", what="Ben was there.")
    listed = [counted[0], counted[2], "- Visit house 3", "- … and 1 more, in older events"]
    assert part(site, "Next Actions") == listed
    site.verbs.boot()
    closed = site.verbs.shutdown(to="ben")
    assert [f"- {one}" for one in closed.handoff["state"]["next_actions"]] == listed
    site.add("House 2 visited", next="None.", what="Noa was there.")
    assert part(site, "Next Actions") == [counted[0], counted[2], "- Visit house 3"]


@pytest.mark.requirement("S1-43")
def test_what_a_program_blocks_is_no_blocker(site):
    def check(what):
        site.add("Said", what=what, next="None.")
        assert part(site, "Blockers/Issues") == ["none"]

    rows = (
        "The Python code blocks are highlighted, and the building blocks documented.",
        "Prettier blocks commits with tabs.",
        "The proxy blocks an address after ten failures.",
        "The egress rule blocks port 6379 by design.",
        "Vacuuming blocks writes for a second, which is fine on Sundays.",
        "Requests from crawlers are blocked by the gateway.",
        "The worker is waiting for a job.",
        "Threads are waiting on the same lock.",
        "A reader cannot continue until the writer is done.",
        "Users cannot upload without a quota.",
        "The branch rule blocks the merge when a review is missing.",
        "Added a gate that blocks the release unless the scan is clean.",
        "The unique index prevents duplicates.",
        "The new rule prevents agents from writing to main.",
        "The children are waiting for the circus with joy.",
        "You can't buy tickets without an account.",
        "The new door cannot be opened without a key card.",
        "The fence holds up the roses.",
        "The van was broken, so we couldn't deliver.",
        "If the kiln breaks, we can't fire the bowls.",
        "The log is synced, so we cannot lose an event.",
        "The key is stored twice, so nobody can lose it.",
        "Without a token clients cannot call the API.",
        "We need to rest before we can climb.",
        "Without it nobody can log in.",
    )
    assert_each(rows, check)


@pytest.mark.requirement("S1-43")
def test_what_holds_up_people_or_their_work_is_a_blocker(site):
    def check(what):
        site.add("Said", what=what, next="None.")
        assert part(site, "Blockers/Issues") == [f"- {what}"]
        site.add("Better", what=f"Resolved: {what}", next="None.")
        assert part(site, "Blockers/Issues") == ["none"]

    rows = (
        "The import is stuck because the disk is full.",
        "Noa is waiting for the bank statement.",
        "[[export]] is blocked by the tax office.",
        "The expired contract prevents us from deploying.",
        "A dead runner blocks all further work.",
        "The holiday freeze prevents the next public release.",
        "The audit is blocking [[billing]].",
        "Deploys are on hold until Monday.",
        "I cannot test this without a staging account.",
        "The kiln is broken, so we can't fire the bowls.",
        "Without the key nobody can open the archive.",
        "The lost passport blocks the trip.",
        "The late delivery of flour holds up the baking.",
        "The strike holds everything up.",
        "Practice can't begin because the drums are missing.",
        "We need the landlord's signature before we can move in.",
        "The caterer has dropped out; without one the party cannot take place.",
        "The ferry is not running, therefore the team cannot reach the island.",
        "Our harpist is ill, which means the choir cannot rehearse.",
    )
    assert_each(rows, check)


@pytest.mark.requirement("S1-43")
def test_what_would_be_so_without_the_change_is_its_reason_and_no_blocker(site):
    site.add("Tests", why="Without our tests we cannot refactor.", next="None.")
    site.add("Plan", why="We need a map before we can walk.", next="None.")
    assert part(site, "Blockers/Issues") == ["none"]


@pytest.mark.requirement("S1-43")
def test_a_tag_within_a_line_counts_where_a_sentence_begins(site):
    site.add("Down", impact="We lost an hour. Blocker: the mail host is down", next="- Wait for it")
    assert part(site, "Blockers/Issues") == ["- the mail host is down"]
    site.add("Told", what="It says resolved: false. Nothing changed.", next="None.")
    assert part(site, "Blockers/Issues") == ["- the mail host is down"]
    what = "Ops swapped it. **Resolved:** the mail host is down. Done: wait for it"
    site.add("Up", what=what, next="None.")
    assert part(site, "Blockers/Issues") == ["none"]
    assert part(site, "Next Actions") == ["none"]


@pytest.mark.requirement("S1-43")
def test_a_heading_of_blockers_in_a_part_is_read_however_deep_it_was_given(site):
    site.add("Stuck", impact="Little.\n\n### Blockers\n\n- no room\n- no key", next="None.")
    assert part(site, "Blockers/Issues") == ["- no key", "- no room"]


@pytest.mark.requirement("S1-47")
def test_a_fresh_clone_tells_stale_from_fresh_without_file_times(clone):
    first = clone()
    (first.root / "AGENTS.md").write_text(RULES, encoding="utf-8")
    shutil.copy(GOLDEN / LOG, first.root / LOG)
    first.at("2026-01-08T09:00:00Z").layers.rebuild()
    first.commit()
    second = clone("second", of=first)
    for path in (LOG, GRAPH, CONTEXT):
        os.utime(second.root / path, ns=(1, 1))
    layers = second.at("2026-01-08T09:00:00Z").layers
    assert layers.graph_show().stale is None
    assert layers.context(write=False).stale is None
    last = (second.root / GRAPH).read_text(encoding="utf-8").rstrip("\n").rpartition("\n")[2]
    assert last.startswith("<!-- varves horizon: 3 events; last 2026-01-07 16:00; log ")

    with open(first.root / LOG, "a", encoding="utf-8") as file:
        file.write("\n" + block("2026-01-08 08:00", "Another"))
    first.commit()
    second.git("pull", "--quiet")
    for path in (LOG, GRAPH, CONTEXT):
        os.utime(second.root / path, ns=(1, 1))
    layers = second.at("2026-01-08T09:00:00Z").layers
    assert layers.graph_show().stale == "behind"
    assert layers.context(write=False).stale == "behind"


@pytest.mark.requirement("S1-49")
def test_a_view_that_is_ahead_of_the_log_is_stale(bare):
    bare.write("AGENTS.md", RULES)
    shutil.copy(SAMPLES / "CHANGELOG-evt-section-0a56d75.md", bare.root / LOG)
    bare.write(GRAPH, (SAMPLES / "graph-2e212cd.md").read_text(encoding="utf-8"))
    assert bare.verbs.graph_show().stale == "ahead"
    booted = bare.verbs.boot()
    assert f"{GRAPH}: ahead" in booted.stale
    assert GRAPH in booted.regenerated
    kept = [path for path in local_of(bare.root).rglob("*") if path.is_file()]
    theirs = (SAMPLES / "graph-2e212cd.md").read_bytes()
    assert any(path.read_bytes() == theirs for path in kept)  # somebody made it: set aside


@pytest.mark.requirement("S1-49")
def test_a_view_of_events_that_the_log_lost_is_stale(site):
    site.at(DAWN)
    site.add("One")
    site.at("2026-01-05T10:00:00Z")
    site.add("Two")
    site.verbs.rebuild()
    short = site.read(LOG).partition("## 2026-01-05 10:00")[0]
    site.write(LOG, short)
    assert site.verbs.graph_show().stale == "ahead"
    assert site.verbs.context(write=False).stale == "ahead"


def test_a_view_that_was_edited_is_stale(site):
    site.add("One")
    site.verbs.rebuild()
    site.write(GRAPH, site.read(GRAPH) + "\nA remark.\n")
    site.edit(CONTEXT, "# Current Context", "# My Context")
    assert site.verbs.graph_show().stale == "edited"
    assert site.verbs.context(write=False).stale == "edited"


EVENTS = (
    {"type": "decision", "what": "We keep sessions in Redis. [[a]] uses [[b]]."},
    {"what": "Waiting for the key of ops. pack-x is 40% complete.", "next": "- Measure the login"},
    {"what": "- [[pack-x]] — X — 40% — 9\n\nThe key of ops has arrived. B needs a."},
    {"what": "- [[pack-x]] — X — 10% — 1", "next": "- The login is measured"},
    {"what": "- [[a]] — A — done — pack-x", "impact": "Blocker: the host is slow"},
    {"what": "- [[b]] → [[a]]", "next": "- Measure Next: twice"},
    {"impact": "Blocker: no key", "next": "- One\n- Two"},
    {"what": "Resolved: the host is slow", "next": "Done: One"},
    {"type": "milestone", "what": "- [[a]] — A — broken — pack-x"},
)


@pytest.mark.full_size(sample=1)
@pytest.mark.requirement("S1-69", "S1-89")
@pytest.mark.parametrize(("recent", "first"), [(2, 0), (10, 1)])
def test_the_context_after_each_append_is_the_one_of_the_whole_log(site, recent, first):
    """The page is made of the page before and the end of the log; it must not show."""
    site.settings(f"recent = {recent}")
    site.verbs.rebuild()
    for number in range(20):
        site.add(f"Event {number}", **EVENTS[first:][number % (9 - first)] if number else {})
        kept = site.read(CONTEXT)
        assert [one for one in site.verbs.validate() if one.level == "error"] == []
        site.verbs.rebuild()
        assert site.read(CONTEXT) == kept
        if number % 3 == 0:
            site.verbs.boot()
