"""Two branches append to one log, and no merge driver ran: `varves layers merge` settles it."""

from __future__ import annotations

import re

import pytest

from varves.errors import Refused

BODY = {"type": "change", "scope": "project", "what": "w", "why": "y", "impact": "i", "next": "n"}


@pytest.fixture
def tree(clone):
    """Give a repository whose log has two events, committed on main."""
    one = clone()
    (one.root / "AGENTS.md").write_text("# Rules\n", encoding="utf-8")
    append(one, "2026-11-10T10:00:00Z", "A")
    append(one, "2026-11-10T11:00:00Z", "B")
    one.commit("base")
    return one.without_driver()


def append(tree, moment, title, **changes):
    return tree.at(moment, actor="ada").layers.append(**BODY | {"title": title} | changes)


def branches(tree, *, ours=(), theirs=()):
    """Append on two branches, now here, now there, as time goes by."""
    tree.git("branch", "side")
    said = [(*one, "main", "ours") for one in ours] + [(*one, "side", "theirs") for one in theirs]
    for moment, title, branch, side in sorted(said):
        tree.git("switch", "--quiet", branch)
        append(tree, moment, title, what=f"{side} {title}", why="a common line")
        tree.commit(title)
    tree.git("switch", "--quiet", "main")


def log(tree) -> bytes:
    return (tree.root / "CHANGELOG.md").read_bytes()


def events(content: bytes) -> list[tuple[str, str]]:
    """Return what each event is called and what its first section says."""
    text = content.decode("utf-8")
    return re.findall(r"^## [-0-9]+ [0-9:]+ — (.*)\n(?:.*\n)*?### What\n(.*)\n", text, re.MULTILINE)


def unmerged(tree) -> str:
    return tree.git("diff", "--name-only", "--diff-filter=U").strip()


OURS = [("2026-11-12T10:00:00Z", "O1"), ("2026-11-14T10:00:00Z", "O2")]
THEIRS = [("2026-11-12T10:00:30Z", "T1"), ("2026-11-13T10:00:00Z", "T2")]
MERGED = [
    *(("A", "w"), ("B", "w"), ("O1", "ours O1"), ("T1", "theirs T1"), ("T2", "theirs T2")),
    ("O2", "ours O2"),
]


@pytest.mark.full_size(sample=1)
@pytest.mark.product
@pytest.mark.parametrize("style", ["merge", "diff3", "zdiff3"])
@pytest.mark.parametrize("end", ["lf", "crlf"])
def test_both_branches_events_stand_whole_in_the_order_of_the_ledgers_clock(tree, style, end):
    if end == "crlf":
        (tree.root / "CHANGELOG.md").write_bytes(log(tree).replace(b"\n", b"\r\n"))
        tree.commit("line ends")
    base = log(tree)
    branches(tree, ours=OURS, theirs=THEIRS)
    tree.git("-c", f"merge.conflictStyle={style}", "merge", "side", check=False)
    assert b"<<<<<<< " in log(tree)
    done = tree.at("2026-11-15T12:00:00Z").layers.merge()
    now = log(tree)
    assert now.startswith(base)
    assert events(now.replace(b"\r\n", b"\n")) == MERGED
    assert [one.title for one in done.taken] == ["O1", "T1", "T2", "O2"]
    assert unmerged(tree) == ""
    assert b"<<<<<<<" not in now
    assert (b"\n" in now.replace(b"\r\n", b"")) == (end == "lf")
    tree.commit("merged")
    assert_sound(tree, known=6)


def assert_sound(tree, *, known):
    ledger = tree.at("2026-11-15T13:00:00Z")
    born = {event.data["memory"] for event in ledger.log(kind=("log.entry",))}
    assert len(born) == known
    assert {ledger.show(name).status for name in born} == {"active"}
    rules = {one.rule for one in ledger.layers.validate() if one.level == "error"}
    assert rules & {"S1-07", "S1-10", "S1-80", "S1-81"} == set()


def test_markers_with_no_stages_left_are_settled_the_same_way(tree):
    base = log(tree)
    branches(tree, ours=OURS, theirs=THEIRS)
    tree.git("merge", "side", check=False)
    tree.commit("with the markers in it")
    assert unmerged(tree) == ""
    with pytest.raises(Refused, match="conflict marker"):
        append(tree, "2026-11-15T11:00:00Z", "Not yet")
    marked = log(tree)
    done = tree.at("2026-11-15T12:00:00Z").layers.merge()
    assert log(tree).startswith(base)
    assert events(log(tree)) == MERGED
    [kept] = done.aside
    assert (tree.root / kept).read_bytes() == marked
    tree.commit("merged")
    assert_sound(tree, known=6)


@pytest.mark.full_size(sample=1)
@pytest.mark.parametrize("stages", ["with-stages", "markers-alone"])
def test_before_the_merge_every_answer_is_as_it_will_be_and_no_event_is_mixed(tree, stages):
    branches(tree, ours=OURS, theirs=THEIRS)
    tree.git("merge", "side", check=False)
    if stages == "markers-alone":
        tree.commit("with the markers in it")
    before = log(tree)
    layers = tree.at("2026-11-15T12:00:00Z").layers
    booted = layers.boot()
    shown = layers.context(write=False).text
    [hit] = layers.find("theirs T2").hits
    [wrong] = [one for one in layers.validate() if one.level == "error"]
    assert log(tree) == before
    assert (wrong.rule, "varves rebuild" in wrong.fix) == ("S1-10", True)
    layers.merge()
    after = (tree.root / ".memory/context.md").read_text(encoding="utf-8")
    assert booted.context == shown == after
    assert "2026-11-13 10:00 T2" in hit.title
    assert hit in layers.find("theirs T2").hits


def test_what_git_alone_wrote_is_not_kept_and_what_a_person_added_to_it_is(tree):
    branches(tree, ours=OURS, theirs=THEIRS)
    for mine in (b"", b"\nA thought of mine.\n"):
        tree.git("merge", "side", check=False)
        (tree.root / "CHANGELOG.md").write_bytes(log(tree) + mine)
        done = tree.at("2026-11-15T12:00:00Z").layers.merge()
        assert len(done.aside) == (1 if mine else 0)
        assert events(log(tree)) == MERGED
        tree.git("merge", "--abort")


def test_an_old_event_that_one_side_altered_stays_as_it_was_and_that_is_told(tree):
    base = log(tree)
    branches(tree, ours=OURS, theirs=THEIRS)
    altered = log(tree).replace(b"### What\nw\n", b"### What\nrewritten\n", 1)
    (tree.root / "CHANGELOG.md").write_bytes(altered)
    tree.git("commit", "--quiet", "--all", "--message", "altered")
    tree.git("merge", "side", check=False)
    layers = tree.at("2026-11-15T12:00:00Z").layers
    done = layers.merge()
    assert log(tree).startswith(base)
    assert events(log(tree)) == MERGED
    [refused] = done.refused
    assert (refused.side, refused.why) == ("ours", "changed")
    assert "### What\nrewritten\n" in refused.text
    [kept] = done.aside
    assert "### What\nrewritten\n" in (tree.root / kept).read_text(encoding="utf-8")
    [told] = [note for note in layers.core.notes if kept in note]
    assert "not taken over" in told


@pytest.mark.full_size(sample=1)
@pytest.mark.product
@pytest.mark.parametrize("how", ["reworded", "retitled", "removed"])
@pytest.mark.parametrize("by", ["ours", "theirs"])
def test_a_change_of_an_old_event_that_was_accepted_holds(tree, how, by):
    branches(tree, ours=OURS, theirs=THEIRS)
    tree.git("switch", "--quiet", "main" if by == "ours" else "side")
    place, before = tree.root / "CHANGELOG.md", log(tree)
    first, second = (before.index(b"## 2026-11-10 " + hour) for hour in (b"10", b"11"))
    place.write_bytes(
        {
            "reworded": before.replace(b"### What\nw\n", b"### What\nrewritten\n", 1),
            "retitled": before.replace(b"10:00 \xe2\x80\x94 A\n", b"10:00 \xe2\x80\x94 Z\n"),
            "removed": before[:first] + before[second:],
        }[how]
    )
    tree.at("2026-11-15T11:00:00Z").layers.resolve(accept=True)
    tree.commit("accepted")
    tree.git("switch", "--quiet", "main")
    tree.git("merge", "side", check=False)
    done = tree.at("2026-11-15T12:00:00Z").layers.merge()
    wanted = {
        "reworded": [("A", "rewritten"), *MERGED[1:]],
        "retitled": [("Z", "w"), *MERGED[1:]],
        "removed": MERGED[1:],
    }
    assert events(log(tree)) == wanted[how]
    assert done.refused == ()
    tree.commit("merged")
    rules = {one.rule for one in tree.at("2026-11-15T13:00:00Z").layers.validate()}
    assert rules & {"S1-07", "S1-80", "S1-81"} == set()


def test_a_list_of_releases_in_conflict_is_left_to_its_people(clone, varves):
    tree = clone()
    (tree.root / "AGENTS.md").write_text("# Rules\n", encoding="utf-8")
    place = tree.root / "CHANGELOG.md"
    place.write_text("# Changelog\n\n## 1.0\n- One\n", encoding="utf-8")
    tree.commit("base")
    tree.git("switch", "--quiet", "--create", "side")
    place.write_text("# Changelog\n\n## 1.1\n- Theirs\n", encoding="utf-8")
    tree.commit("theirs")
    tree.git("switch", "--quiet", "main")
    place.write_text("# Changelog\n\n## 1.2\n- Ours\n", encoding="utf-8")
    tree.commit("ours")
    tree.git("merge", "side", check=False)
    before = log(tree)
    tree.close()
    said = varves("layers", "merge")
    assert (said.code, unmerged(tree)) == (0, "CHANGELOG.md")
    assert "nothing to merge" in said.err
    assert "not merged" not in varves("layers", "boot").err
    assert log(tree) == before


def test_the_same_event_on_both_branches_is_one(tree):
    tree.git("switch", "--quiet", "--create", "side")
    append(tree, "2026-11-12T10:00:00Z", "Both")
    append(tree, "2026-11-13T10:00:00Z", "T")
    tree.commit("theirs")
    tree.git("switch", "--quiet", "main")
    append(tree, "2026-11-12T10:00:00Z", "Both")
    append(tree, "2026-11-14T10:00:00Z", "O")
    tree.commit("ours")
    tree.git("merge", "side", check=False)
    tree.at("2026-11-15T12:00:00Z").layers.merge()
    assert [title for title, _ in events(log(tree))] == ["A", "B", "Both", "T", "O"]
    tree.commit("merged")
    assert_sound(tree, known=5)


def test_a_rebase_that_stops_is_settled_as_well(tree):
    branches(tree, ours=OURS, theirs=THEIRS[:1])
    wanted = sorted(one for one in MERGED if one[0] != "T2")
    tree.git("switch", "--quiet", "side")
    tree.git("rebase", "main", check=False)
    assert b"<<<<<<< " in log(tree)
    tree.at("2026-11-15T12:00:00Z").layers.merge()
    assert sorted(events(log(tree))) == wanted
    tree.git("-c", "core.editor=true", "rebase", "--continue")
    assert sorted(events(log(tree))) == wanted


def test_rebuild_lets_a_rebase_go_on_where_the_views_were_never_remade(tree):
    """Git refuses to go on over a changed file that nobody staged."""
    tree.at("2026-11-11T10:00:00Z").layers.rebuild()
    tree.commit("views")
    branches(tree, ours=OURS, theirs=THEIRS)
    tree.git("switch", "--quiet", "side")
    tree.git("rebase", "main", check=False)
    for _ in THEIRS:
        assert unmerged(tree).split() == [".memory/context.md", "CHANGELOG.md"]
        settled = tree.at("2026-11-15T12:00:00Z").rebuild()["settled"]
        assert sorted(settled) == [".memory/context.md", ".memory/graph.md", "CHANGELOG.md"]
        assert tree.git("diff", "--name-only").strip() == ""
        tree.git("-c", "core.editor=true", "rebase", "--continue", check=False)
    assert not (tree.root / ".git/rebase-merge").exists()
    tree.at("2026-11-15T12:00:00Z").rebuild()
    assert tree.git("status", "--porcelain").strip() == ""
    assert sorted(events(log(tree))) == sorted(MERGED)


def test_in_a_merge_rebuild_stages_no_view_that_had_changes_of_its_own(tree):
    tree.at("2026-11-11T10:00:00Z").layers.rebuild()
    tree.commit("views")
    branches(tree, ours=OURS, theirs=THEIRS)
    (tree.root / ".memory/graph.md").write_text("somebody is at it\n", encoding="utf-8")
    tree.git("merge", "side", check=False)
    settled = tree.at("2026-11-15T12:00:00Z").rebuild()["settled"]
    assert sorted(settled) == [".memory/context.md", "CHANGELOG.md"]
    assert tree.git("diff", "--name-only").split() == [".memory/graph.md"]


@pytest.mark.full_size(sample=1)
@pytest.mark.parametrize("verb", ["validate", "doctor", "status", "rebuild"])
def test_what_a_merge_threw_away_is_named_with_the_command(tree, varves, verb):
    """`git merge -X ours` keeps one side of the log; the ledger still has the other's events."""
    branches(tree, ours=OURS, theirs=THEIRS[:1])
    tree.git("merge", "--quiet", "--no-edit", "-X", "ours", "side")
    assert "T1" not in [title for title, _ in events(log(tree))]
    tree.close()
    words = ("layers", "validate") if verb == "validate" else (verb,)
    done = varves(*words, cwd=tree.root)
    said = done.out + done.err
    assert "T1) is missing from the log" in said
    [name] = re.findall(r"varves layers resolve (mem_\w+) --accept or --restore", said)
    assert varves("layers", "resolve", name, "--restore", cwd=tree.root).code == 0
    assert "T1" in [title for title, _ in events(log(tree))]


def test_a_log_begun_on_both_branches_is_one_afterwards(clone):
    tree = clone()
    (tree.root / "AGENTS.md").write_text("# Rules\n", encoding="utf-8")
    tree.commit("empty")
    branches(tree, ours=OURS, theirs=THEIRS)
    tree.git("merge", "side", check=False)
    tree.at("2026-11-15T12:00:00Z").layers.merge()
    assert events(log(tree)) == MERGED[2:]
    assert log(tree).count(b"# Changelog") == 1


def test_markers_that_do_not_match_are_refused_and_the_file_stays(tree, varves):
    broken = log(tree) + b"\n<<<<<<< HEAD\n## 2026-11-12 10:00 \xe2\x80\x94 X\n"
    (tree.root / "CHANGELOG.md").write_bytes(broken)
    tree.close()
    said = varves("layers", "merge")
    assert said.code == 3
    assert said.err.count("\n") == 1
    assert log(tree) == broken


def test_with_nothing_to_merge_nothing_changes(tree, varves):
    before = log(tree)
    tree.close()
    said = varves("layers", "merge")
    assert said.code == 0
    assert "nothing to merge" in said.err
    assert log(tree) == before


@pytest.mark.requirement("S1-67", "S1-96")
def test_where_the_driver_is_not_there_nothing_is_added_to_the_log_of_one_branch(tree):
    branches(tree, ours=OURS, theirs=THEIRS)
    append(tree, "2026-11-14T12:00:00Z", "O3")
    tree.commit("O3")
    (tree.root / ".git/info").mkdir(exist_ok=True)
    (tree.root / ".git/info/attributes").write_text("CHANGELOG.md merge=gone\n", encoding="utf-8")
    tree.git("config", "merge.gone.driver", "no-such-program %O %A %B")
    tree.git("merge", "side", check=False)
    before = log(tree)
    assert (unmerged(tree).split()[-1], b"<<<<<<< " in before) == ("CHANGELOG.md", False)
    with pytest.raises(Refused, match="not merged: it has the events of one branch only"):
        append(tree, "2026-11-15T10:00:00Z", "Late")
    with pytest.raises(Refused, match="not merged"):
        tree.at("2026-11-15T10:00:00Z", actor="ada").layers.shutdown()
    assert log(tree) == before
    tree.at("2026-11-15T12:00:00Z").layers.merge()
    append(tree, "2026-11-15T13:00:00Z", "Late")
    assert [title for title, _ in events(log(tree))][2:] == ["O1", "T1", "T2", "O2", "O3", "Late"]
