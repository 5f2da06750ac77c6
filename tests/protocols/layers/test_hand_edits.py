"""CHANGELOG.md is a source: what people do to it is recorded, reported, and theirs to decide."""

from __future__ import annotations

import pytest

from tests.places import local_of
from tests.protocols.layers.conftest import CONTEXT, GRAPH, LOG, block
from tests.tables import assert_each
from varves.errors import NotFound, Refused, UnsafeName

ARCHIVE = "CHANGELOG-archive.md"
SECRET = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"


def append_by_hand(site, time, title, **more):
    site.write(LOG, site.read(LOG) + "\n" + block(time, title, **more))


def titles(site):
    return [one.data["title"] for one in site.events("log.entry")]


# (a) at the end


def test_an_event_written_at_the_end_is_recorded_the_moment_it_is_seen(site):
    site.add("One")
    append_by_hand(site, "2026-01-05 09:30", "By hand")
    booted = site.verbs.boot()
    assert len(booted.adopted) == 1
    assert booted.findings == ()
    assert titles(site) == ["One", "By hand"]
    event = site.events("log.entry")[1]
    assert (event.actor, event.origin) == ("USER", "direct")
    memory = site.ledger.show(booted.adopted[0])
    assert memory.text + "\n" == block("2026-01-05 09:30", "By hand")
    assert (memory.type, memory.at, memory.status) == (
        "change",
        "2026-01-05T09:30:00.000Z",
        "active",
    )
    assert "By hand" in site.read(CONTEXT)
    assert site.verbs.boot().adopted == ()
    assert titles(site) == ["One", "By hand"]


def test_an_append_records_what_stands_before_it_first(site):
    append_by_hand(site, "2026-01-05 08:30", "By hand")
    site.add("Then")
    assert titles(site) == ["By hand", "Then"]


@pytest.mark.parametrize("known", [False, True], ids=["first-sight", "later"])
def test_what_a_commit_brought_has_the_repository_as_its_origin(site, known):
    if known:
        site.at("2026-01-05T08:00:00Z")
        site.add("Ours")
    append_by_hand(site, "2026-01-05 08:30", "Theirs")
    site.commit()
    site.verbs.boot()
    event = site.events("log.entry")[-1]
    assert event.data["title"] == "Theirs"
    assert (event.origin, event.trust) == ("repo", 2)


def test_the_same_text_twice_is_two_entries_and_both_clones_name_them_alike(site):
    append_by_hand(site, "2026-01-05 08:30", "Same")
    append_by_hand(site, "2026-01-05 08:30", "Same")
    names = site.verbs.boot().adopted
    assert len(set(names)) == 2
    assert [one.data["ordinal"] for one in site.events("log.entry")] == [0, 1]
    text = site.read(LOG)
    site.write(LOG, text.replace(block("2026-01-05 08:30", "Same"), "", 1))
    booted = site.verbs.boot()
    assert len(booted.findings) == 1
    assert names[1] in booted.findings[0]
    site.write(LOG, text)
    site.verbs.boot()
    assert [site.status(name) for name in names] == ["active", "active"]


# (b) elsewhere


def test_an_event_put_in_before_others_is_taken_over_and_reported(site):
    first = site.add("One")
    site.at("2026-01-05T10:00:00Z")
    site.add("Two")
    text = site.read(LOG)
    middle = block("2026-01-05 09:30", "Between")
    at = text.index("## 2026-01-05 10:00")
    site.write(LOG, text[:at] + middle + "\n" + text[at:])
    [found] = site.verbs.boot().findings
    assert "before known events" in found
    assert titles(site) == ["One", "Two", "Between"]
    assert site.events("log.entry")[2].data["after"] == first
    assert site.verbs.boot().findings == ()


def test_in_a_file_that_is_newest_first_the_top_is_the_end(site):
    site.write(LOG, "# Log\n\n<!-- varves: newest first -->\n")
    site.add("One")
    site.at("2026-01-05T10:00:00Z")
    site.add("Two")
    text = site.read(LOG)
    assert text.index("Two") < text.index("One")
    at = text.index("## 2026-01-05 10:00")
    site.write(LOG, text[:at] + block("2026-01-05 11:00", "Three") + "\n" + text[at:])
    assert site.verbs.boot().findings == ()
    assert titles(site) == ["One", "Two", "Three"]
    assert site.found("S1-80") == []


def test_what_a_merge_put_between_is_taken_over_silently(site):
    site.add("One")
    site.commit()
    site.git("checkout", "--quiet", "-b", "side")
    append_by_hand(site, "2026-01-05 09:30", "Side")
    site.commit("side")
    site.git("checkout", "--quiet", "main")
    site.at("2026-01-05T10:00:00Z")
    site.add("Two")
    site.commit("main")
    site.git("merge", "--quiet", "side", check=False)
    site.verbs.merge()
    assert [note for note in site.notes if LOG in note] == []
    site.commit("merged")
    booted = site.verbs.boot()
    assert booted.findings == ()
    text = site.read(LOG)
    assert text.index("One") < text.index("Side") < text.index("Two")
    assert sorted(titles(site)) == ["One", "Side", "Two"]
    assert [one for one in site.rules() if one[0] == "error"] == []


# (c) changed or gone


@pytest.mark.full_size(sample=1)
@pytest.mark.parametrize("verb", ["boot", "append", "validate"])
def test_a_changed_event_is_named_with_its_old_text(site, verb):
    name = site.add("One", why="The first reason.")
    site.add("Two")
    site.edit(LOG, "The first reason.", "Another reason.")
    if verb == "boot":
        [said] = site.verbs.boot().findings
    elif verb == "append":
        site.add("Three")
        [said] = site.notes
    else:
        [one] = site.found("S1-81")
        assert one.level == "error"
        said = one.line
    assert name in said
    assert "The first reason." in said
    assert f"varves layers resolve {name} --accept or --restore" in said
    recorded = [one.data["memory"] for one in site.events("log.altered")]
    assert recorded == ([] if verb == "validate" else [name])
    assert [one.place for one in site.found("S1-81")] == [f"{LOG}:7"]


def test_an_altered_event_is_flagged_once_and_the_views_follow_the_file(site):
    name = site.add("One", what="- [[skill-a]] — A — draft — none")
    site.add("Two")
    site.edit(LOG, "— A — draft —", "— A — done —")
    site.verbs.boot()
    site.verbs.boot()
    assert len(site.events("log.altered")) == 1
    assert site.status(name) == "flagged"
    assert "- [[skill-a]] — A — done — none" in site.read(GRAPH)
    assert len(site.events("log.entry")) == 2


@pytest.mark.full_size(sample=1)
@pytest.mark.parametrize("how", ["title", "body", "gone", "last"])
def test_an_altered_event_is_put_back_as_it_was(site, how):
    name = site.add("One")
    second = site.add("Two")
    site.add("Three") if how != "last" else None
    text = site.read(LOG)
    if how == "title":
        site.edit(LOG, "— Two", "— Two and a half")
    elif how == "body":
        site.edit(LOG, "Two happened.", "Two did not happen.")
    else:
        start = text.index("## 2026-01-05 09:00 — Two")
        end = text.find("## 2026-01-05 09:00 — Three")
        site.write(LOG, text[:start] + (text[end:] if end > 0 else ""))
    site.verbs.boot()
    assert site.status(second) == "flagged"
    assert site.status(name) == "active"
    done = site.verbs.resolve(second, accept=False)
    assert (done.ids, done.status) == ((second,), "restored")
    assert site.read(LOG).rstrip("\n") == text.rstrip("\n")
    assert site.status(second) == "active"
    assert site.found("S1-81") == []
    assert len(site.events("log.entry")) == (3 if how != "last" else 2)


REWRITTEN = block(
    "2026-01-09 23:59", "Quite unlike", why="Somebody came in by night and rewrote it. " * 9
).removeprefix("## ")
SHORT = "2026-01-05 — short\n\nnothing\n"


@pytest.mark.requirement("S1-81")
def test_whatever_was_done_to_old_events_the_recorded_log_comes_back(site):
    for title in ("One", "Two", "Three"):
        site.add(title)
    site.verbs.rebuild()
    text = site.read(LOG)
    start, *parts = text.split("\n## ")
    events = dict(zip(("One", "Two", "Three"), (part.rstrip("\n") for part in parts), strict=True))
    events["Two, edited"] = events["Two"].replace("Two happened", "Two was fine")

    def check(row):
        new, committed, deleted = row
        site.commit()
        altered = [start.rstrip("\n"), *(events.get(one, one).rstrip("\n") for one in new)]
        site.write(LOG, "\n\n## ".join(altered) + "\n")
        if committed:
            site.commit("tampered")
        if deleted:
            (site.root / LOG).unlink()
        else:
            assert site.found("S1-81")
            site.verbs.boot()
        site.verbs.resolve(accept=False)
        assert site.read(LOG) == text
        assert not [one for one in site.verbs.validate() if one.level == "error"]

    rows = (
        (("One", REWRITTEN, "Three"), False, False),
        (("One", SHORT, "Three"), False, False),
        ((REWRITTEN, SHORT, "Three"), False, False),
        (("Two", "One", "Three"), False, False),
        (("One", "Three", "Two"), False, False),
        (("Three", "Two", "One"), False, False),
        (("Three", "One"), False, False),
        (("One", "Three", "Two, edited"), False, False),
        (("One", REWRITTEN, "Three"), True, False),
        (("One", REWRITTEN, "Three"), True, True),
        (("Three", "One"), True, True),
    )
    assert_each(rows, check)


@pytest.mark.requirement("S1-80", "S1-81")
def test_events_of_one_minute_that_changed_places_are_found_until_that_is_accepted(site):
    for title in ("One", "Two", "Three"):
        site.add(title)
    start, *parts = site.read(LOG).split("\n## ")
    site.write(LOG, "\n## ".join((start, parts[1], parts[0], parts[2])))
    [one] = site.found("S1-81")
    assert one.level == "error"
    assert "Two) was moved: it was after 2026-01-05 09:00 One" in one.message
    site.verbs.resolve(accept=True)
    assert site.found("S1-81") == []
    site.add("Four")
    assert site.found("S1-81") == []


@pytest.mark.full_size(sample=1)
@pytest.mark.parametrize("how", ["changed", "gone"])
def test_an_altered_event_is_accepted(site, how):
    name = site.add("One")
    site.add("Two")
    site.commit()
    text = site.read(LOG)
    if how == "changed":
        site.edit(LOG, "One happened.", "One did not happen.")
    else:
        start, end = (text.index(f"## 2026-01-05 09:00 — {word}") for word in ("One", "Two"))
        site.write(LOG, text[:start] + text[end:])
    after = site.read(LOG)
    done = site.verbs.resolve(name, accept=True)
    assert done.status == "accepted"
    assert site.read(LOG) == after
    assert [one.data["memory"] for one in site.events("log.amended")] == [name]
    memory = site.ledger.show(name)
    if how == "changed":
        assert memory.status == "active"
        assert "One did not happen." in memory.text
    else:
        assert memory.status == "archived"
    assert site.verbs.boot().findings == ()
    assert site.found("S1-81") == []
    site.commit()
    assert site.verbs.boot().findings == ()
    assert len(site.events("log.entry")) == 2


def test_an_event_that_comes_back_by_itself_is_active_again(site):
    name = site.add("One")
    text = site.read(LOG)
    site.edit(LOG, "One happened.", "One did not happen.")
    site.verbs.boot()
    site.write(LOG, text)
    [said] = site.verbs.boot().findings
    assert f"{name} is restored unchanged" in said
    assert site.status(name) == "active"
    assert site.verbs.boot().findings == ()


def test_all_that_was_altered_is_put_back_in_one_call(site):
    names = [site.add(f"Event {number}") for number in range(12)]
    text = site.read(LOG)
    cut = text.index("## 2026-01-05 09:00 — Event 2")
    site.write(LOG, text[:cut])
    site.verbs.boot()
    assert site.events("log.altered") == []
    assert len(site.found("S1-81")) == 10
    assert site.verbs.resolve(accept=False).ids == tuple(names[2:])
    assert site.read(LOG) == text
    assert site.found("S1-81") == []


def test_there_must_be_something_to_resolve(site):
    name = site.add("One")
    with pytest.raises(Refused):
        site.verbs.resolve(name, accept=True)
    with pytest.raises(NotFound):
        site.verbs.resolve("mem_aaaaaaaaaaaa", accept=True)
    with pytest.raises(NotFound):
        site.verbs.resolve(accept=False)


def test_without_a_ledger_the_committed_version_is_what_an_edit_is_told_by(site):
    import shutil

    name = site.add("One")
    site.add("Two")
    site.verbs.boot()
    site.git("add", LOG)
    site.git("commit", "--quiet", "--message", "only the log")
    shutil.rmtree(site.root / ".varves")
    shutil.rmtree(site.root / ".git" / "varves", ignore_errors=True)
    site.edit(LOG, "One happened.", "One did not happen.")
    [found] = site.found("S1-81")
    assert name in found.message
    assert "One happened." in found.message
    site.verbs.boot()
    assert sorted(titles(site)) == ["One", "Two"]
    assert site.status(name) == "flagged"
    site.verbs.resolve(name, accept=False)
    assert "One happened." in site.read(LOG)


def test_an_event_that_only_git_knows_is_missed_too(site):
    site.at("2026-01-05T08:00:00Z")
    site.add("Recorded")
    before = site.read(LOG)
    append_by_hand(site, "2026-01-05 08:30", "Committed")
    site.commit()
    site.write(LOG, before)
    [found] = site.found("S1-81")
    assert "Committed) is missing from the log" in found.message
    site.verbs.boot()
    assert titles(site) == ["Recorded", "Committed"]
    site.verbs.resolve(accept=False)
    assert site.read(LOG) == before + "\n" + block("2026-01-05 08:30", "Committed")


def test_line_ends_and_trailing_blanks_are_no_change(site):
    site.add("One")
    site.add("Two")
    text = site.read(LOG)
    site.write(LOG, text.replace("\n", "  \r\n"))
    assert site.verbs.boot().findings == ()
    site.add("Three")
    added = site.read(LOG)[len(text.replace("\n", "  \r\n")) :]
    assert added.count("\n") == added.count("\r\n") > 5
    assert titles(site) == ["One", "Two", "Three"]
    assert site.found("S1-81") == []
    name = site.events("log.entry")[0].data["memory"]
    site.edit(LOG, "One happened.", "One did not happen.")
    site.verbs.resolve(name, accept=False)
    whole = site.read(LOG)
    assert whole.count("\n") == whole.count("\r\n")


# (d) the archive


def test_what_was_moved_to_the_archive_is_archived(site):
    name = site.add("One")
    kept = site.add("Two")
    text = site.read(LOG)
    start, end = (text.index(f"## 2026-01-05 09:00 — {word}") for word in ("One", "Two"))
    site.write(ARCHIVE, "# Archive\n\n" + text[start:end])
    site.write(LOG, text[:start] + text[end:])
    assert site.verbs.boot().findings == ()
    assert (site.status(name), site.status(kept)) == ("archived", "active")
    assert len(site.events("log.archived")) == 1
    assert site.found("S1-81") == []
    site.write(LOG, text)
    (site.root / ARCHIVE).unlink()
    site.verbs.boot()
    assert site.status(name) == "active"


# (e) conflict markers


def test_conflict_markers_stop_an_append_and_boot_offers_the_merge(site):
    site.add("One")
    text = site.read(LOG)
    site.write(
        LOG,
        f"{text}\n<<<<<<< HEAD\n{block('2026-01-05 09:30', 'Ours')}=======\n"
        f"{block('2026-01-05 09:40', 'Theirs')}>>>>>>> side\n",
    )
    before = site.hashes()
    with pytest.raises(Refused) as refused:
        site.add("Two")
    assert refused.value.exit == 3
    assert "conflict marker" in refused.value.message
    assert "varves rebuild" in refused.value.hint
    assert site.hashes() == before
    booted = site.verbs.boot()
    assert any("varves rebuild" in line for line in booted.warnings)
    assert titles(site) == ["One"]
    assert next(one[:2] for one in site.rules() if one[0] == "error") == ("error", "S1-10")
    done = site.verbs.merge()
    assert [one.title for one in done.taken] == ["Ours", "Theirs"]
    assert site.read(LOG).startswith(text)
    assert titles(site) == ["One", "Ours", "Theirs"]
    site.add("Two")


# What is never read back


@pytest.mark.requirement("S1-45")
def test_an_edited_view_changes_neither_rules_nor_log(site):
    site.add("One", what="- [[skill-a]] → [[skill-b]]")
    site.verbs.boot()
    before = site.hashes("AGENTS.md", LOG)
    good = site.hashes(GRAPH, CONTEXT)
    site.edit(GRAPH, "### Packs", "- [[skill-c]] — C — done — none\n\n### Packs")
    site.edit(CONTEXT, "## Blockers/Issues\nnone", "## Blockers/Issues\n- The licence")
    edited = site.read(GRAPH), site.read(CONTEXT)
    site.verbs.validate()
    site.verbs.graph_query()
    booted = site.verbs.boot()
    assert site.hashes("AGENTS.md", LOG) == before
    assert site.hashes(GRAPH, CONTEXT) == good
    assert len(booted.findings) == 2
    graph, context = booted.drafts
    kept = (local_of(site.root) / "aside").iterdir()
    texts = [path.read_text(encoding="utf-8") for path in kept]
    assert sorted(texts) == sorted((*edited, graph, context))
    assert "- [[skill-c]] — C — done — none" in graph
    assert "Blocker: The licence" in context
    site.verbs.append_text(graph)
    assert site.verbs.graph_query(id="skill-c")[0].status == "done"


def test_an_edit_that_takes_something_away_offers_nothing(site):
    site.add("One", what="- [[skill-a]] → [[skill-b]]")
    site.verbs.boot()
    site.edit(GRAPH, "- [[skill-a]] → [[skill-b]]\n", "")
    booted = site.verbs.boot()
    assert len(booted.findings) == 1
    assert booted.drafts == ()


# What must not get in or out


def test_a_secret_is_masked_before_it_reaches_the_file(site):
    done = site.verbs.append(
        type="change",
        scope="project",
        title=f"Token {SECRET}",
        what=f"Used {SECRET}",
        why=f"Since {SECRET}",
        impact=SECRET,
        next=f"- Rotate {SECRET}",
    )
    assert done.redacted
    everything = [path for path in site.root.rglob("*") if path.is_file()]
    assert LOG in {path.name for path in everything}
    assert not [path for path in everything if SECRET.encode() in path.read_bytes()]


def test_a_secret_a_person_wrote_is_masked_in_the_log_and_named(site):
    append_by_hand(site, "2026-01-05 08:30", "Leak", why=SECRET)
    booted = site.verbs.boot()
    assert any("secret" in line for line in booted.findings)
    assert SECRET not in site.ledger.show(booted.adopted[0]).text
    logs = (site.root / ".varves/log").rglob("*")
    assert not [path for path in logs if path.is_file() and SECRET.encode() in path.read_bytes()]
    assert site.found("S1-81") == []
    site.edit(LOG, SECRET, "nothing")
    with pytest.raises(Refused) as refused:
        site.verbs.resolve(booted.adopted[0], accept=False)
    assert "masked" in refused.value.message


def test_a_purged_event_is_not_recorded_again(site):
    name = site.add("One")
    site.ledger.purge(name, reason="private")
    booted = site.verbs.boot()
    assert any("purged" in line for line in booted.findings)
    assert booted.adopted == ()
    assert [one for one in site.events("log.entry") if not one.purged] == []


@pytest.mark.full_size(sample=1)
@pytest.mark.parametrize("path", [LOG, GRAPH, "AGENTS.md"])
def test_no_link_is_followed(site, path):
    site.verbs.boot()
    outside = site.root.parent / "outside.md"
    outside.write_text("# Elsewhere\n", encoding="utf-8")
    (site.root / path).unlink()
    (site.root / path).symlink_to(outside)
    with pytest.raises(UnsafeName) as refused:
        site.verbs.boot()
    assert refused.value.exit == 3
    assert outside.read_text(encoding="utf-8") == "# Elsewhere\n"


def test_a_read_only_log_is_refused_and_nothing_is_recorded(site):
    site.add("One")
    before = site.hashes()
    (site.root / LOG).chmod(0o444)
    with pytest.raises(Refused) as refused:
        site.add("Two")
    assert "read-only" in refused.value.message
    assert site.hashes() == before
    (site.root / LOG).chmod(0o644)
    site.verbs.boot()
    assert titles(site) == ["One"]


def test_an_empty_file_is_begun(site):
    site.write(LOG, "")
    site.add("One")
    assert "<!-- varves: event log -->" in site.read(LOG)
    assert titles(site) == ["One"]


def test_a_log_that_is_not_text_is_one_clear_line(site):
    (site.root / LOG).write_bytes(b"# Log\n\xff\xfe\n")
    for verb in (site.verbs.boot, site.verbs.validate, site.verbs.graph_query):
        with pytest.raises(Refused) as refused:
            verb()
        assert f"{LOG}: line 2 is not UTF-8" in refused.value.message
