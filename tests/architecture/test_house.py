"""Each house rule bites: a small source that breaks it is reported, with its place."""

from __future__ import annotations

from tests.house import carriers, files, modules, pages, speech
from tests.house.__main__ import RULES
from tests.house.repository import Repository

LEDGER = "src/varves/ledger.py"
GLOSSARY = {"docs/glossary.md": "| word | meaning | not |\n|---|---|---|\n| log | x | vault |\n"}
MANIFEST = "tests/requirements/manifest.py"
CORE = {
    MANIFEST: 'ROWS: dict = {\n    "U-01": Requirement("It is so.", "It is seen."),\n}\n',
}
TEST = "tests/requirements/test_it.py"


def carrying(body: str, *, asks: str = "varves, text", before: str = "") -> dict[str, str]:
    """Make a repository with one row and a test that carries it."""
    lines = "".join(f"    {line}\n" for line in body.split("\n"))
    mark = '@pytest.mark.requirement("U-01")\n'
    return {**CORE, TEST: f"{before}{mark}def test_it({asks}):\n{lines}"}


BROKEN = [
    (files.root_entries, {"notes.txt": ""}, "notes.txt:1"),
    (files.workplaces, {"docs/a.md": "one\nsee py" + "pi.org"}, "docs/a.md:2"),
    (files.workplaces, {"benchmarks/a.py": "'/wo" + "rk/x'"}, "benchmarks/a.py:1"),
    (
        files.lock_addresses,
        {"requirements.lock": "--hash=sha256:00\na @ https://x", "requirements-dev.lock": ""},
        "requirements.lock:2",
    ),
    (
        files.lock_addresses,
        {"requirements.lock": "--hash=sha256:00", "requirements-dev.lock": "a==1"},
        "requirements-dev.lock:1",
    ),
    (
        files.lock_versions,
        {"requirements.lock": "a==1 \\\n", "requirements-dev.lock": "a==2 \\\n"},
        "requirements.lock:1",
    ),
    (modules.empty_names, {"src/varves/index/utils.py": ""}, "src/varves/index/utils.py:1"),
    (modules.empty_names, {LEDGER: "\nclass EventHandler: pass"}, f"{LEDGER}:2"),
    (modules.empty_names, {LEDGER: "def f(new): pass"}, f"{LEDGER}:1"),
    (modules.empty_names, {LEDGER: "log_data = 1"}, f"{LEDGER}:1"),
    (modules.public_names, {"src/varves/__init__.py": "__all__ = []"}, "src/varves/__init__.py:1"),
    (
        modules.public_names,
        {"src/varves/__init__.py": f"__all__ = {modules.PUBLISHED}\nx = 1"},
        "src/varves/__init__.py:2: binds x",
    ),
    (
        modules.refused_synonyms,
        {LEDGER: "class Ledger:\n    def open_vault(self): pass", **GLOSSARY},
        f"{LEDGER}:2",
    ),
    (
        modules.refused_synonyms,
        {LEDGER: "class Ledger: pass", "src/varves/vault/a.py": "", **GLOSSARY},
        "src/varves/vault:1",
    ),
    (
        modules.refused_synonyms,
        {LEDGER: "class Ledger: pass", "docs/glossary.md": "no table"},
        "docs/glossary.md:1",
    ),
    (
        modules.class_names,
        {"src/varves/a.py": "class Row: pass", "src/varves/b.py": "class Row: pass"},
        "src/varves/b.py:1",
    ),
    (modules.sql_in_adapters, {LEDGER: "\nq = 'select a\\n from b where c'"}, f"{LEDGER}:2"),
    (modules.sql_in_adapters, {LEDGER: "q = f'DELETE FROM {table}'"}, f"{LEDGER}:1"),
    (
        modules.sql_parameters,
        {"src/varves/state/notebook.py": "\nq = 'select a from b where c = ?1'"},
        "src/varves/state/notebook.py:2",
    ),
    (modules.event_kinds, {LEDGER: "kind = 'memory.recorded'"}, f"{LEDGER}:1"),
    (modules.barring_kinds, {LEDGER: "from varves.events.kinds import PURGED"}, f"{LEDGER}:1"),
    (speech.empty_phrases, {LEDGER: "raise Refused('sorry, no')"}, f"{LEDGER}:1: says 'sorry'"),
    (speech.empty_phrases, {LEDGER: "\nhint = 'feel free to stop'"}, f"{LEDGER}:2"),
    (speech.empty_phrases, {LEDGER: "self.notes.append('I will go')"}, f"{LEDGER}:1"),
    (speech.empty_phrases, {"src/varves/cli/a.py": "A = 'thanks'"}, "src/varves/cli/a.py:1"),
    (speech.emoji, {LEDGER: "\nA = '🙂'"}, f"{LEDGER}:2"),
    (pages.dead_links, {"README.md": "a\n[b](docs/b.md)"}, "README.md:2"),
    (pages.dead_links, {"docs/a.md": "# A\n[b](../gone/#a)"}, "docs/a.md:2"),
    (pages.dead_links, {"docs/a.md": "[b](b.md#two)", "docs/b.md": "# One"}, "docs/a.md:1"),
    (pages.dead_links, {"docs/a.md": "# A\n```\n# B\n```\n[b](#b)"}, "docs/a.md:5"),
    (pages.dead_links, {"docs/a.md": "[b][c]\n\n[c]: d.md"}, "docs/a.md:3"),
    (pages.unlisted_pages, {"docs/README.md": "`[a](a.md)`", "docs/a.md": ""}, "docs/a.md:1"),
    (pages.unlisted_pages, {"docs/a.md": "[b](b.md)", "docs/b.md": ""}, "docs/b.md:1"),
    (pages.stored_fields, {"docs/format.md": "`id`"}, "docs/format.md:1"),
    (carriers.rows_without_a_test, CORE, f"{MANIFEST}:2: no test carries U-01"),
    (
        carriers.rows_without_a_test,
        {
            "tests/protocols/party/requirements.py": 'R: dict = {"S0-01": Requirement("", "")}',
            TEST: "@pytest.mark.requirement('S0-01')\ndef test_it(): pass",
        },
        "tests/protocols/party/requirements.py:1: no test in",
    ),
    (
        carriers.rows_without_a_test,
        carrying("assert varves().out", before="@pytest.mark.full_size\n"),
        f"{MANIFEST}:2: no test carries U-01",
    ),
    (
        carriers.rows_out_of_sequence,
        {"tests/protocols/party/requirements.py": 'R: dict = {"S0-02": Requirement("", "")}'},
        "tests/protocols/party/requirements.py:1",
    ),
    (
        carriers.rows_without_a_sentence,
        {MANIFEST: 'R: dict = {"U-01": Requirement("It is so.", "")}'},
        f"{MANIFEST}:1",
    ),
    (
        carriers.unknown_rows,
        {TEST: "pytestmark = pytest.mark.requirement('U-99')\ndef test_it(): pass"},
        f"{TEST}:2",
    ),
    (carriers.tests_without_a_door, carrying("assert decide(text)", asks="text"), f"{TEST}:2"),
    (
        carriers.tests_that_patch,
        carrying("monkeypatch.setattr('varves.log.read', None)", asks="varves, monkeypatch"),
        f"{TEST}:2",
    ),
    (
        carriers.tests_that_patch,
        carrying("monkeypatch.setattr(log, 'read', 1)", before="from varves import log\n"),
        f"{TEST}:3",
    ),
    (carriers.tests_that_patch, carrying("ledger = Mock()\nassert ledger.call()"), f"{TEST}:2"),
    (carriers.tests_that_show_nothing, carrying("assert True"), f"{TEST}:2"),
]
SHOWS_NOTHING = [
    "varves('init')",
    "with pytest.raises(ValueError):\n    varves('init')",
    "varves('init')\nassert 1 + 1 == 2",
    "answer = varves('init')\nassert answer.code == answer.code",
    "answer = varves('init')\nassert answer.code == 0 or True",
    "answer = varves('init')\nassert not False and 'a' in 'abc'",
    "varves('init')\nassert text == 'given by a parameter'",
    "varves('init')\nexpected = sorted(text)\nassert expected == ['a']",
    "varves('init')\nanswer: int\nassert answer",
    "varves('init')\nassert len(text) == len(text)",
    "assert varves",
    "assert varves is not None",
    "varves('init')\nassert decide(text) == ()",
    "varves('init')\ncheck_it(text)\n\ndef check_it(text):\n    assert text",
    "look(varves)\n\ndef look(varves):\n    assert varves('init').code == 0",
]
SHOWS_SOMETHING = [
    "assert varves('init').code == 0",
    "answer = varves('list', '--json').json\nfor one in answer:\n    assert one['text'] == text",
    "[(one, *rest)] = varves('list').out\nassert one and rest == []",
    "with pytest.raises(ValueError) as no:\n    varves(text)\nassert 'x' in no.value.args",
    "try:\n    varves(text)\nexcept OSError as error:\n    assert error.errno == 2",
    "found = []\nfor n in range(3):\n    found.append(varves('init').code)\nassert found == [0]",
    "found = []\nvarves(found.append)\nassert found == [1]",
    "runner = Runner()\nvarves(runner)\nassert runner.asked == ['x']",
    "def look():\n    return varves('list').out\nassert look() == ''",
    "with package.open(text) as ledger:\n    ledger.remember('a')\n    assert ledger.list() == []",
    "assert state_of(text) == {}\n\ndef state_of(text):\n    return package.open(text).status()",
    "check_it('a', of=varves)\n\ndef check_it(words, of):\n    assert of(words).code == 0",
    "first = varves('list').out\nassert varves('list').out == first",
]


def findings(rule, texts: dict[str, str]) -> list[str]:
    return rule(Repository.of(texts))


def test_the_rules_read_this_repository():
    assert {LEDGER, "src/varves/index/sqlite/schema.py"} <= {*Repository.here().modules()}


def test_a_source_that_breaks_a_rule_is_reported_with_its_place():
    for rule, texts, place in BROKEN:
        found = findings(rule, texts)
        assert any(one.startswith(place) for one in found), (rule.__name__, place, found)
    assert {rule for rule, _, _ in BROKEN} == {*RULES}


def test_a_carrying_test_that_could_not_fail_through_our_code_is_refused():
    for body in SHOWS_NOTHING:
        assert findings(carriers.tests_that_show_nothing, split(body)), body


def test_a_carrying_test_that_asserts_what_came_through_a_door_is_accepted():
    for body in SHOWS_SOMETHING:
        assert findings(carriers.tests_that_show_nothing, split(body)) == [], body


def test_what_keeps_the_rules_is_not_reported():
    sound = {
        **GLOSSARY,
        **carrying("assert varves(text).code == 0"),
        LEDGER: "class Ledger:\n    '''Insert into nothing.'''\n    def open_log(self): pass",
        "src/varves/index/sqlite/rows.py": "q = 'SELECT a FROM b'",
        "README.md": "# A `b` (c)\n[a](docs/), [b](#a-b-c), [c](https://x.org/y.md)\n`[d](gone.md)`",
        "docs/README.md": "[a](a.md#one-1) [all](adr/) [c](glossary.md)",
        "docs/a.md": "# One\n## One\n",
        "docs/adr/0001-x.md": "",
    }
    silent = {*RULES} - {
        files.lock_addresses,
        files.lock_versions,
        modules.public_names,
        pages.stored_fields,
        carriers.rows_out_of_sequence,
    }
    assert [one for rule in silent for one in findings(rule, sound)] == []


def split(body: str) -> dict[str, str]:
    """Make a carrying test of a body; what follows an empty line is a function of its file."""
    body, _, helper = body.partition("\n\n")
    return carrying(body, before=f"import varves as package\n{helper}\n")
