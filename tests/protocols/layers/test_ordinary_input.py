"""Rules, events and searches as people write them are understood as the layers mean them."""

from __future__ import annotations

import pytest

from tests.protocols.layers.conftest import LOG, block
from tests.tables import assert_each, each_row

# S1-06: rules under ordinary headings

ORDINARY_RULES = """\
# Shop backend

A Django service with a React front end. Ask Mara before touching billing.

## Project layout
- `src/` holds the service, `web/` the front end

## Forbidden
- Never commit to main directly
- No raw SQL in views

## Code conventions
- Four spaces, no tabs

## Lint rules
- No unused imports

## Testing instructions
Run `pytest -x` before you push.

## Security considerations
- Never log tokens
"""


def booted_rules(bare):
    """Boot from the rules above; return everything that the answer says."""
    bare.write("AGENTS.md", ORDINARY_RULES)
    bare.verbs.init()
    ready = bare.verbs.boot()
    return str(ready.as_dict()) + "\n".join(bare.notes)


@pytest.mark.requirement("S1-06")
@each_row(
    "rule",
    [
        "`src/` holds the service, `web/` the front end",
        "Never commit to main directly",
        "No raw SQL in views",
        "Four spaces, no tabs",
    ],
)
def test_layout_forbidden_and_conventions_are_read_from_ordinary_rules(bare, rule):
    assert rule in booted_rules(bare)


@pytest.mark.requirement("S1-06")
@pytest.mark.parametrize("rule", ["No unused imports", "Never log tokens"])
def test_rules_under_other_headings_are_read_too(bare, rule):
    assert rule in booted_rules(bare)


@pytest.mark.full_size(sample=1)
@pytest.mark.requirement("S1-06")
@pytest.mark.parametrize(
    "part", ["Testing instructions", "Security considerations", "Ask Mara before touching billing"]
)
def test_what_is_not_understood_of_the_rules_is_listed(bare, part):
    assert part in booted_rules(bare)


FORBIDDING = (
    *("Don't push to main", "Do not touch `dist/`", "Never store secrets", "DON\u2019T guess"),
    *("**Never** rewrite history", "No raw SQL in views", "Avoid global state", "❌ Push to main"),
    *("You must not delete migrations", "Secrets must never be logged", "Agents may not deploy"),
    *("Force pushes are forbidden", "When in doubt, don't guess", "Under no circumstances deploy"),
    *("Editing `dist/` is not allowed", "Please never skip a test", "If CI fails, do not merge"),
)
DEMANDING = (
    *("Do keep functions short", "Run the tests", "Don't forget to run the tests", "✅ Ask first"),
    *("Never hesitate to ask", "Code that must not fail needs a test", "Ask; don't guess"),
    *("Not only fix the bug, test it", "Note each decision", "Always say why", "Nothing is done"),
    *("Notify Mara before a release", "Stopwatch every benchmark", "No need to ask for typos"),
)


@pytest.mark.requirement("S1-06")
@each_row(
    "heading",
    [
        "## Rules",
        "## Agent rules",
        "## Rules for agents",
        "## Guidelines",
        "## Do and Don't",
        "**Ground rules**",
    ],
)
def test_one_list_of_rules_is_told_apart_by_the_wording_of_each(bare, heading):
    listed = "\n".join(f"- {rule}" for rule in (*FORBIDDING, *DEMANDING))
    bare.write("AGENTS.md", f"# Shop\n\n{heading}\n\n{listed}\n")
    ready = bare.verbs.boot()
    assert ready.constraints["dont"] == [*FORBIDDING]
    assert ready.constraints["do"] == [*DEMANDING]
    assert not any("Do rules" in one or "Don't rules" in one for one in ready.warnings)


@pytest.mark.requirement("S1-06")
@each_row("title", ["# Rules", "# Agent guidelines", "Rules for agents:"])
def test_the_title_of_a_file_may_name_the_rules_directly_below_it(bare, title):
    text = f"{title}\n\n- Indent with spaces\n- No merges on Fridays\n\n## Extras\n- Be kind\n"
    bare.write("AGENTS.md", text)
    ready = bare.verbs.boot()
    assert ready.constraints["do"] == ["Indent with spaces"]
    assert ready.constraints["dont"] == ["No merges on Fridays"]
    assert ready.other == {"Extras": ["Be kind"]} or title.endswith(":")
    assert not any("Don't rules" in one for one in ready.warnings)


@pytest.mark.requirement("S1-06")
def test_the_title_of_a_file_names_nothing_for_other_headings(bare):
    bare.write("AGENTS.md", "# Rules\n\n## Stack\n- Go\n\n## Hosts\n- fra1\n")
    ready = bare.verbs.boot()
    assert ready.other == {"Stack": ["Go"], "Hosts": ["fra1"]}
    assert ready.constraints["do"] == ready.constraints["dont"] == []


@pytest.mark.requirement("S1-06")
def test_each_sentence_of_a_paragraph_of_rules_is_a_rule(bare):
    text = (
        "# Shop\n\n## Rules\n\nNever edit the generated client. Always bump the version\n"
        "when the schema changes. Keep fixtures small.\n\n## Don't\n\nSkip hooks. Guess.\n"
    )
    bare.write("AGENTS.md", text)
    told = bare.verbs.boot().constraints
    assert told["do"] == [
        "Always bump the version when the schema changes.",
        "Keep fixtures small.",
    ]
    assert told["dont"] == ["Skip hooks.", "Guess.", "Never edit the generated client."]


@pytest.mark.requirement("S1-06")
def test_a_sentence_that_plainly_is_a_rule_is_one_below_any_heading(bare):
    text = (
        "# Shop\n\nA shop in Go.\n\n## Pitfalls\n\nThe worker must never write to the archive. It"
        " cannot\nsee secrets. Do not sort in SQL.\n\n## Releases\n\nAlways tag first. No tag is"
        " signed yet.\nTags must match the version. Why not?\n\n```\nNever shown\n```\n"
    )
    bare.write("AGENTS.md", text)
    ready = bare.verbs.boot()
    assert ready.constraints["dont"] == [
        "The worker must never write to the archive.",
        "Do not sort in SQL.",
    ]
    assert ready.constraints["do"] == ["Always tag first.", "Tags must match the version."]
    assert ready.unread == (
        "line 3, Shop: A shop in Go.",
        "line 7, Pitfalls: It cannot see secrets.",
        "line 12, Releases: No tag is signed yet. Why not?",
        "line 16, Releases: code: Never shown",
    )


@pytest.mark.requirement("S1-06")
def test_a_heading_that_says_do_or_dont_decides_for_its_rules(bare):
    text = "# Shop\n\n## Do\n- No surprises\n\n## Don't\n- Push to main\n\n## Rules\n- Never lie\n"
    bare.write("AGENTS.md", text)
    told = bare.verbs.boot().constraints
    assert (told["do"], told["dont"]) == (["No surprises"], ["Push to main", "Never lie"])


# S1-13: fields end at a blank line


def with_a_paragraph_below_the_fields(site):
    site.write(LOG, site.read(LOG) + "\n" + block("2026-01-05 09:00", "Login is cached"))
    site.edit(LOG, "**Scope:** project\n", "**Scope:** project\n\nMara asked for this twice.\n")


@pytest.mark.requirement("S1-13")
def test_a_paragraph_after_the_fields_is_found_as_part_of_its_event(site):
    with_a_paragraph_below_the_fields(site)
    [hit] = site.verbs.find("Mara asked").hits
    assert (hit.title, hit.line) == (
        "2026-01-05 09:00 Login is cached",
        "Mara asked for this twice.",
    )


@pytest.mark.requirement("S1-13")
def test_a_blank_line_ends_a_field_and_the_next_paragraph_is_body(site):
    with_a_paragraph_below_the_fields(site)
    assert site.found("S1-13") == []


@pytest.mark.requirement("S1-13")
def test_a_field_alone_on_its_line_is_read(site):
    site.write(LOG, site.read(LOG) + "\n" + block("2026-01-05 09:00", "Login is cached"))
    assert site.found("S1-13") == []


# S1-30, S1-84: what is a file, and dead links

NO_FILES = {
    "branches": ("feature/login", "release/2.1", "origin/main"),
    "media types": ("application/json", "text/html"),
    "packages": ("@types/node", "@babel/core", "github.com/pkg/errors"),
    "protocols": ("TCP/IP", "HTTP/2"),
    "fractions": ("3/4", "1/2"),
    "address ranges": ("10.0.0.0/8", "192.168.1.0/24"),
    "words": ("I/O", "and/or"),
}


@pytest.mark.full_size(sample=1)
@pytest.mark.requirement("S1-30", "S1-84")
@pytest.mark.parametrize("kind", NO_FILES)
def test_names_with_a_slash_between_backticks_are_no_files(site, kind):
    names = NO_FILES[kind]
    site.add("Names", what="We met " + " and ".join(f"`{name}`" for name in names) + " today.")
    assert site.verbs.graph_query(kind="file") == ()
    assert site.found("S1-84") == []


@pytest.mark.requirement("S1-30", "S1-84")
def test_a_path_between_backticks_is_a_file_and_a_missing_one_is_a_finding(site):
    site.write("src/login.py", "")
    site.add("Login", what="`src/login.py` holds the login, [the plan](docs/plan.md) says why.")
    assert {one.id for one in site.verbs.graph_query(kind="file")} == {
        "src/login.py",
        "docs/plan.md",
    }
    assert ["docs/plan.md" in one.message for one in site.found("S1-84")] == [True]


WORDS = (
    *("src/login.py", "login.py", ".gitignore", "docs/", "./setup", ".github/workflows/ci"),
    *("src/shop/cart", "docker/Dockerfile", "web/index.html", "a/b/c.toml", "a/b.custom"),
)
NO_PATHS = (
    *(
        "docs/login",
        "feature/cart/steps",
        "image/svg+xml",
        "@org/ui.js",
        "node.js",
        "vercel/next.js",
    ),
    *(
        "github.com/pkg/errors/errors.go",
        "self.lock",
        "read/write",
        "2/3",
        "v1/users",
        "--fix",
        "os.path",
        "release/2.x",
        "text/x.md",
    ),
)


@pytest.mark.requirement("S1-30")
def test_a_word_in_backticks_is_a_file_only_if_its_form_says_so(site):
    site.add("Words", what=" ".join(f"`{word}`" for word in (*WORDS, *NO_PATHS)))
    assert {one.id for one in site.verbs.graph_query(kind="file")} == {*WORDS}


@pytest.mark.requirement("S1-84")
def test_a_dead_link_is_put_right_by_a_later_event(site):
    site.write("src/login.py", "")
    site.add("Plan", what="See [the plan](docs/plan.md).")
    site.add("Plan moved", what="- ~~[[docs/plan.md]]~~\n\nThe plan is in `src/login.py` now.")
    assert site.found("S1-84") == []


@pytest.mark.requirement("S1-84")
def test_a_name_in_double_brackets_that_is_a_path_is_a_link(site):
    site.write("src/login.py", "")
    site.write("docs/plan", "")
    site.add(
        "Names",
        what="""\
See [[src/login.py]], [[src/ghost.py]] and [[docs/phantom.md]].

- [[web/gone.html]] — html — none
- [[docs/plan]] — text — none
- [[docs/odd]] — text — none
- [[login]] → [[lib/tokens.py]]""",
    )
    dead = [one.message.split(": ")[1].split(" ")[0] for one in site.found("S1-84")]
    assert dead == [
        *("src/ghost.py", "docs/phantom.md", "web/gone.html", "docs/odd", "lib/tokens.py"),
    ]


@pytest.mark.requirement("S1-84")
def test_a_name_in_double_brackets_that_is_no_path_is_no_link(site):
    site.add("Names", what="[[feature/login]], [[node.js]], [[TCP/IP]] and [[application/json]].")
    site.add("Skill", what="- [[app/login.js]] — Login — done — none")
    site.add("Gone", what="[[src/old.py]] was the last one.")
    site.add("Removed", what="Removed [[src/old.py]].")
    assert site.found("S1-84") == []


def append_words(title, *files):
    return (
        *("layers", "append", "--type", "change", "--scope", "file", "--title", title),
        *("--what", "Done.", "--why", "Asked.", "--impact", "Little.", "--next", "- Go on"),
        *("--files", *files),
    )


@pytest.fixture
def rooted(project, varves):
    """Give a project with a log and one source file."""
    (project / "src").mkdir()
    (project / "src/login.py").write_text("", encoding="utf-8")
    (project / "AGENTS.md").write_text("# Rules\n\n## Do\n- Run the tests\n", encoding="utf-8")
    assert varves("layers", "init").code == 0
    return project


@pytest.mark.requirement("S1-84")
def test_the_files_of_an_event_that_exist_are_linked(rooted, varves):
    assert varves(*append_words("Login", "src/login.py")).code == 0
    assert "[src/login.py](src/login.py)" in (rooted / LOG).read_text(encoding="utf-8")


@pytest.mark.requirement("S1-84")
def test_the_files_of_an_event_are_those_seen_from_the_current_folder(rooted, varves):
    assert varves(*append_words("Login", "login.py"), cwd=rooted / "src").code == 0
    assert "[src/login.py](src/login.py)" in (rooted / LOG).read_text(encoding="utf-8")


@pytest.mark.requirement("S1-84")
def test_the_files_of_an_event_that_do_not_exist_are_refused(rooted, varves):
    said = varves(*append_words("Login", "src/lgoin.py"))
    assert said.code in (3, 4)
    assert "src/lgoin.py" in said.err
    assert "lgoin" not in (rooted / LOG).read_text(encoding="utf-8")


@pytest.mark.requirement("S1-84")
def test_a_file_that_does_not_exist_is_linked_if_that_is_said(rooted, varves):
    assert varves(*append_words("Login", "src/gone.py"), "--allow-missing").code == 0
    assert "[src/gone.py](src/gone.py)" in (rooted / LOG).read_text(encoding="utf-8")


@pytest.mark.requirement("S1-84")
def test_a_finding_is_waived_with_a_reason_and_counts_again_when_that_is_withdrawn(rooted, varves):
    assert varves(*append_words("Login", "src/gone.py"), "--allow-missing").code == 0
    assert varves("layers", "rebuild").code == 0
    [dead] = [
        one
        for one in varves("layers", "validate", "--json").json["findings"]
        if one["rule"] == "S1-84"
    ]
    waive = ("layers", "waive", dead["place"])
    assert varves(*waive).code == 2
    assert varves("layers", "waive", "CHANGELOG.md:99", "--reason", "x").code == 4
    assert varves(*waive, "--reason", "It is made by the build.").code == 0
    checked = varves("layers", "validate", "--json")
    assert (checked.code, checked.json["ok"]) == (0, True)
    [waived] = checked.json["waived"]
    assert (waived["message"], waived["reason"]) == (dead["message"], "It is made by the build.")
    assert "1 finding is waived" in varves("layers", "validate").err
    assert varves(*append_words("Other", "src/login.py")).code == 0
    assert varves("layers", "validate").out.count("S1-84") == 0
    assert varves(*waive, "--withdraw").code == 0
    assert varves("layers", "validate").code == 1


@pytest.mark.requirement("S1-81")
def test_a_finding_that_a_verb_settles_is_not_waived(rooted, varves):
    assert varves(*append_words("Login", "src/login.py")).code == 0
    log = rooted / LOG
    log.write_text(log.read_text(encoding="utf-8").replace("Asked.", "Ordered."), encoding="utf-8")
    [changed] = [
        one
        for one in varves("layers", "validate", "--json").json["findings"]
        if one["rule"] == "S1-81"
    ]
    said = varves("layers", "waive", changed["place"], "--reason", "I did it")
    assert said.code == 3
    assert "resolve" in said.err


# S1-53: what an event must say


@pytest.mark.full_size(sample=1)
@pytest.mark.requirement("S1-53")
@pytest.mark.parametrize(
    "missing",
    [{"impact": ""}, {"next": ""}, {"impact": "   ", "next": "\n"}],
    ids=["impact", "next", "both"],
)
def test_an_event_without_impact_or_next_steps_is_a_finding(site, missing):
    site.add("Half", **missing)
    site.verbs.rebuild()
    assert any("Half" in one.message for one in site.verbs.validate())


@pytest.mark.requirement("S1-53")
def test_a_missing_impact_or_next_steps_is_said_at_append(site):
    def check(row):
        missing, draft, expected = row
        site.add("Half", draft=draft, **missing)
        said = [note for note in site.notes if "'Half' has no" in note]
        assert [note.partition(":")[0] for note in said] == expected

    rows = (
        ({"impact": ""}, False, ["'Half' has no impact"]),
        ({"next": " "}, True, ["'Half' has no next steps"]),
        ({"impact": "", "next": ""}, False, ["'Half' has no impact and no next steps"]),
        ({"impact": "None.", "next": "None."}, False, []),
        ({"impact": "", "files": ("src/a.py",)}, False, []),
    )
    assert_each(rows, check)


@pytest.mark.requirement("S1-53")
def test_an_event_with_all_its_parts_is_no_finding(site):
    site.add("Whole")
    site.verbs.rebuild()
    assert site.rules() == []


# S1-70: what a shutdown commits


@pytest.fixture
def shared(rooted, varves, site):
    """Let Ada and Ben work in one checkout; Ada shuts down first. Return what git says of it."""
    (rooted / "src/mail.py").write_text("", encoding="utf-8")
    site.commit("Begin")
    ada, ben = ({"VARVES_SESSION": one, "VARVES_ACTOR": one} for one in ("ada", "ben"))
    for env in (ada, ben):
        assert varves("layers", "boot", env=env).code == 0
    for name in ("login", "mail", "notes"):
        (rooted / f"src/{name}.py").write_text("changed = True\n", encoding="utf-8")
    site.git("add", "src/notes.py")
    assert varves(*append_words("Ada changes the login", "src/login.py"), env=ada).code == 0
    assert varves(*append_words("Ben changes the mail", "src/mail.py"), env=ben).code == 0
    assert varves("layers", "shutdown", "--message", "Ada is done", env=ada).code == 0
    return site


@pytest.mark.requirement("S1-70")
def test_a_shutdown_commits_its_sessions_files_and_leaves_those_of_others(shared):
    committed = shared.git("show", "--name-only", "--format=", "HEAD").split()
    assert "src/login.py" in committed
    assert not {"src/mail.py", "src/notes.py"} & {*committed}
    assert "Ada changes the login" in shared.git("show", "HEAD:CHANGELOG.md")
    assert shared.git("status", "--short", "src").split() == [
        "M",
        "src/mail.py",
        "A",
        "src/notes.py",
    ]


@pytest.mark.requirement("S1-70")
def test_a_shutdown_commits_no_event_of_another_session(shared):
    assert "Ben changes the mail" not in shared.git("show", "HEAD:CHANGELOG.md")


@pytest.mark.requirement("S1-70")
def test_a_clone_of_that_commit_is_sound_and_gets_the_others_event_with_their_shutdown(
    shared, varves, tmp_path
):
    copy = tmp_path / "copy"
    shared.git("clone", "--quiet", str(shared.root), str(copy))
    assert "Ben changes" not in (copy / ".memory/context.md").read_text(encoding="utf-8")
    assert varves("layers", "validate", cwd=copy).code == 0
    assert varves("layers", "boot", cwd=copy).code == 0
    said = varves("layers", "validate", "--json", cwd=copy).json["findings"]
    assert [one["level"] for one in said if one["rule"] == "S1-81"] == ["note"]
    ben = {"VARVES_SESSION": "ben", "VARVES_ACTOR": "ben"}
    assert varves("layers", "shutdown", env=ben).code == 0
    assert "Ben changes the mail" in shared.git("show", "HEAD:CHANGELOG.md")
    assert "src/mail.py" in shared.git("show", "--name-only", "--format=", "HEAD")
    assert varves("layers", "validate").code == 0
    shared.git("-C", str(copy), "stash", "--quiet", check=False)
    shared.git("-C", str(copy), "pull", "--quiet")
    assert "Ben changes the mail" in (copy / LOG).read_text(encoding="utf-8")
    assert not [
        one
        for one in varves("layers", "validate", "--json", cwd=copy).json["findings"]
        if one["rule"] == "S1-81"
    ]


# S1-95: finding

CHECKOUT = """\
The checkout has three steps.
The payment step calls Adyen.
The last step prints the label."""


@pytest.mark.requirement("S1-95")
@each_row(
    ("query", "line"),
    [
        ("Adyen", "The payment step calls Adyen."),
        ("prints the label", "The last step prints the label."),
        ("payment step", "The payment step calls Adyen."),
        ("three steps", "The checkout has three steps."),
    ],
)
def test_the_line_that_matches_is_quoted(site, query, line):
    site.add("Checkout", what=CHECKOUT)
    hit = site.verbs.find(query).hits[0]
    assert hit.line == line
    number = int(hit.place.partition(":")[2])
    assert site.read(LOG).split("\n")[number - 1] == line


@pytest.mark.requirement("S1-95")
def test_text_outside_events_is_found(site):
    site.edit(LOG, "Append-only:", "A parcel is what a customer ordered at once.\n\nAppend-only:")
    site.add("Checkout", what=CHECKOUT)
    hits = site.verbs.find("what a customer ordered").hits
    assert [one.line for one in hits] == ["A parcel is what a customer ordered at once."]


ARCHIVED = block("2025-01-05 09:00", "Invoices move", why="Buckets in Dublin are cheap.")


@pytest.mark.requirement("S1-95")
@pytest.mark.parametrize("query", ["Buckets in Dublin", "Invoices move"])
def test_an_archived_entry_is_found(site, query):
    site.write("CHANGELOG-archive.md", f"# Changelog\n\n{ARCHIVED}")
    site.add("Checkout", what=CHECKOUT)
    hits = site.verbs.find(query).hits
    assert [one.place.partition(":")[0] for one in hits] == ["CHANGELOG-archive.md"]


@pytest.mark.requirement("S1-95")
def test_an_entry_that_was_moved_to_the_archive_is_found(site):
    site.write(LOG, site.read(LOG) + "\n" + ARCHIVED)
    site.add("Checkout", what=CHECKOUT)
    site.write(LOG, site.read(LOG).replace(ARCHIVED, ""))
    site.write("CHANGELOG-archive.md", f"# Changelog\n\n{ARCHIVED}")
    hits = site.verbs.find("Buckets in Dublin").hits
    assert [one.line for one in hits] == ["Buckets in Dublin are cheap."]


# S1-96: two branches


def merged(clone, name, origin, *, onto, other):
    """Merge one branch into another in a clone of its own; return its log and graph."""
    here = clone(name, of=origin)
    here.git("checkout", "--quiet", onto)
    here.git("merge", "--quiet", "--no-edit", f"origin/{other}", check=False)
    ledger = here.at("2026-01-05T13:00:00Z")
    ledger.rebuild()
    ledger.layers.rebuild()
    [entity] = ledger.layers.graph_query(id="login")
    here.close()
    return [
        (here.root / one).read_text("utf-8") for one in (LOG, ".memory/graph.md")
    ], entity.status


@pytest.mark.full_size(sample=1)
@pytest.mark.requirement("S1-96")
@pytest.mark.parametrize("gap", [0, 20])
def test_two_branches_with_events_in_one_minute_merge_to_the_same_state_either_way(clone, gap):
    origin = clone()
    (origin.root / "AGENTS.md").write_text("# Rules\n\n## Do\n- Run the tests\n", encoding="utf-8")
    origin.at("2026-01-05T11:00:00Z").layers.init()
    origin.commit("begin")
    for branch, second, status in (("one", 10, "done"), ("two", 10 + gap, "broken")):
        origin.git("checkout", "--quiet", "-b", branch, "main")
        layers = origin.at(f"2026-01-05T12:00:{second:02}Z", actor=branch).layers
        what = f"- [[login]] — Login — {status} — none"
        layers.append(type="change", scope="skill", title=f"By {branch}", what=what, why="Asked.")
        origin.commit(branch)
    first = merged(clone, "left", origin, onto="one", other="two")
    second = merged(clone, "right", origin, onto="two", other="one")
    assert first == second
    assert gap == 0 or first[1] == "broken"
    assert all(f"By {one}" in first[0][0] for one in ("one", "two"))


TITLES = ("Freeze prices", "Raise prices", "Audit", "Zebra", "Alpha", "Use the old host")


@pytest.mark.requirement("S1-96")
@pytest.mark.parametrize("how", ["merge", "rebase", "layers merge"])
@pytest.mark.parametrize("turn", [0, 1, 2])
def test_of_two_branches_events_in_one_minute_the_later_one_counts(clone, varves, turn, how):
    """The merge driver knows the headings, which tell the minute; the ledgers know the rest."""
    here = clone()
    here.at("2026-01-05T11:00:00Z").layers.init()
    here.commit("begin")
    titles = TITLES[2 * turn : 2 * turn + 2]
    for number, (branch, status) in enumerate((("one", "active"), ("two", "retired"))):
        here.git("checkout", "--quiet", "-b", branch, "main")
        layers = here.at(f"2026-01-05T12:00:{10 + 20 * number}Z", actor=branch).layers
        said = {"type": "decision", "scope": "skill", "why": "Asked.", "next": "None."}
        layers.append(title=titles[number], what=f"[[mail]] is {status}.", **said)
        here.commit(branch)
    if how == "layers merge":
        here.without_driver()
    here.git(how.split()[-1], "--quiet", "one", check=False)
    layers = here.at("2026-01-05T13:00:00Z").layers
    assert [one.status for one in layers.graph_query(id="mail")] == ["retired"]
    layers.merge() if how == "layers merge" else layers.rebuild()
    text = (here.root / LOG).read_text(encoding="utf-8")
    assert text.index(titles[0]) < text.index(titles[1])
    assert [one.status for one in layers.graph_query(id="mail")] == ["retired"]
    assert not [one for one in layers.validate() if one.rule in ("S1-80", "S1-81")]


@pytest.mark.requirement("S1-84")
def test_a_link_whose_target_stands_on_a_line_of_its_own_is_checked(site):
    site.write("here.py", "pass\n")
    what = (
        "See [a][1], [b][Two], [c] and [d][web].\n\n"
        '[1]: here.py\n[two]: src/gone.py "a title"\n[c]: <my notes.md>\n'
        "[web]: https://example.org\n[unused]: src/unused.py\n[^1]: src/footnote.py"
    )
    site.add("Links", what=what)

    found = [one.message for one in site.verbs.validate() if one.rule == "S1-84"]

    assert len(found) == 2, found
    assert any("src/gone.py" in one for one in found)
    assert any("my notes.md" in one for one in found)
