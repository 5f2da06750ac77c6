"""A ledger that meets its other clones in PostgreSQL."""

from __future__ import annotations

from pathlib import Path

import psycopg
import pytest
from psycopg.sql import SQL, Composed, Identifier

from tests.remotes.test_copies import tree


@pytest.fixture
def team(varves, server, database, project, checkout):
    """Two checkouts of ada and ben, who may write the ledger `shop`; eve may do nothing."""
    admin = f"{server.url(database)}#shop"
    assert varves("team", "init", admin).code == 0
    names = {"ada": project, "ben": checkout("ben")}
    for name, root in names.items():
        member = f"{name}_{database}"
        assert varves("team", "add", admin, member, "--write").code == 0
        url = f"{server.url(database, member)}#shop"
        assert varves("remote", "add", "team", url, "--root", str(root)).code == 0
    return names


def texts(varves, root: Path) -> set[str]:
    return {one["text"] for one in varves("list", "--root", str(root), "--json").json["memories"]}


def test_two_people_meet(varves, team):
    ada, ben = team["ada"], team["ben"]
    varves("remember", "Invoices are rounded half to even", "--root", str(ada))
    varves("remember", "Refunds need two people", "--root", str(ben))
    assert varves("sync", "--root", str(ada)).out == "team: 1 sent, 0 received\n"
    assert varves("sync", "--root", str(ben)).out == "team: 1 sent, 1 received\n"
    assert varves("sync", "--root", str(ada)).out == "team: 0 sent, 1 received\n"
    assert varves("sync", "--root", str(ada)).out == "team: 0 sent, 0 received\n"
    both = {"Invoices are rounded half to even", "Refunds need two people"}
    assert texts(varves, ada) == texts(varves, ben) == both
    assert tree(ada / ".varves") == tree(ben / ".varves")
    assert varves("verify", "--root", str(ben)).code == 0


def test_long_texts_and_growing_segments_travel(varves, team):
    ada, ben = team["ada"], team["ben"]
    for number in range(4):
        varves("remember", f"{number} " + "x" * (300 << 10), "--root", str(ada))
        varves("push", "--root", str(ada))
        varves("remember", f"Step {number} is done", "--root", str(ada))
        varves("push", "--root", str(ada))
    varves("pull", "--root", str(ben))
    assert tree(ada / ".varves") == tree(ben / ".varves")


def test_a_purge_reaches_every_row_and_clone(varves, team, server, database):
    ada, ben = team["ada"], team["ben"]
    made = varves("remember", "The door code is 4711", "--root", str(ada), "--json").json
    for root in (ada, ben):
        varves("sync", "--root", str(root))
    varves("purge", made["id"], "--reason", "asked", "--yes", "--root", str(ada))
    sent = varves("push", "--root", str(ada))
    assert "1 erased there" in sent.out
    assert "backups" in sent.err
    varves("sync", "--root", str(ben))
    with psycopg.connect(server.url(database)) as connection:
        rows = connection.execute("select line from varves.line").fetchall()
    assert rows
    assert not [row for row in rows if "4711" in row[0]]
    assert b"4711" not in b"".join(tree(ben / ".varves").values())
    assert tree(ada / ".varves") == tree(ben / ".varves")


def test_a_private_log_is_shown_to_its_owner_alone(varves, team, server, database):
    ada = team["ada"]
    member = f"ada_{database}"
    url = f"{server.url(database, member)}#shop"
    varves("remember", "My token is in the drawer", "--private", "--root", str(ada))
    asked = ("remote", "add", "mine", url, "--log", "private", "--root", str(ada))
    assert varves(*asked).code == 0
    assert varves("push", "mine", "--root", str(ada)).out == "mine: 1 sent, 0 received\n"
    seen = {}
    for name in ("ada", "ben"):
        with psycopg.connect(server.url(database, f"{name}_{database}")) as connection:
            seen[name] = connection.execute("select count(*) from varves.line").fetchone()
    assert seen == {"ada": (1,), "ben": (0,)}


def of(text: str, table: str) -> Composed:
    return SQL(text).format(Identifier(table))


TABLES = ("ledger", "line", "segment", "pack", "blob")


def test_who_is_no_member_sees_and_changes_nothing(varves, team, server, database):
    ada = team["ada"]
    varves("remember", "Invoices are rounded half to even", "--root", str(ada))
    varves("push", "--root", str(ada))
    eve = f"eve_{database}"
    with psycopg.connect(server.url(database), autocommit=True) as connection:
        connection.execute(f"create role {eve} login".encode())
    with psycopg.connect(server.url(database, eve), autocommit=True) as connection:
        for table in TABLES:
            rows = connection.execute(of("select * from varves.{}", table)).fetchall()
            assert rows == [], table
        parts = connection.execute(
            "select relname from pg_class where relnamespace = 'varves'::regnamespace"
            " and relkind in ('r', 'p') and relname not in ('migration', 'installation')"
        ).fetchall()
        for (table,) in parts:
            for text in ("delete from varves.{}", "truncate varves.{}"):
                with pytest.raises(psycopg.errors.InsufficientPrivilege):
                    connection.execute(of(text, table))
            if table not in TABLES:
                with pytest.raises(psycopg.errors.InsufficientPrivilege):
                    connection.execute(of("select * from varves.{}", table))
        calls = (
            "push(1, 'project', array['a'], array[0], array['x'])",
            "push(2, 'project', array['a'], array[0], array['x'])",
            "push(99, 'project', array['a'], array[0], array['x'])",
            "put_packs(2, 'project', array['a'], array['x'])",
            "put_blob(2, 'project', 'x')",
            "purge(2, 'project', array['x'::bytea])",
            "drop_blobs(2, 'project', array['x'::bytea])",
            "announce(2)",
            "count_segments(2, 'project', '', array['a'])",
            "check_writer(2)",
        )
        said = set()
        for call in calls:
            with pytest.raises(psycopg.errors.InsufficientPrivilege) as refused:
                connection.execute(b"select varves." + call.encode())
            said.add(str(refused.value).splitlines()[0].partition(" for ")[0])
        assert "no right to write to this ledger" in said
        assert connection.execute("select varves.identify(2, 'mine')").fetchone() == ("",)
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            connection.execute(f"set role ada_{database}".encode())


def test_a_reader_reads_and_cannot_write(varves, team, server, database, checkout):
    ada, cleo = team["ada"], checkout("cleo")
    varves("remember", "Invoices are rounded half to even", "--root", str(ada))
    varves("push", "--root", str(ada))
    admin = f"{server.url(database)}#shop"
    varves("team", "add", admin, f"cleo_{database}")
    url = f"{server.url(database, f'cleo_{database}')}#shop"
    varves("remote", "add", "team", url, "--root", str(cleo))
    assert varves("pull", "--root", str(cleo)).out == "team: 0 sent, 1 received\n"
    varves("remember", "The oven is electric", "--root", str(cleo))
    refused = varves("push", "--root", str(cleo))
    assert refused.code == 3
    assert "no right to write" in refused.err
    varves("team", "remove", admin, f"cleo_{database}")
    assert varves("pull", "--root", str(cleo)).code == 4


def test_a_pushed_row_is_stamped_by_the_server(varves, team, server, database):
    varves("remember", "Invoices are rounded half to even", "--root", str(team["ada"]))
    varves("push", "--root", str(team["ada"]))
    with psycopg.connect(server.url(database)) as connection:
        rows = connection.execute("select pos, pushed_by from varves.line").fetchall()
    assert rows == [(1, f"ada_{database}")]


PUSH = (
    "select varves.push(2, 'project', array['log/2026-11/20261119-aaaaaa-bbbbbbbbbb.jsonl'],"
    " array[{0}], array[repeat(' ', 200) || lpad('{0}', 64, '0') || ' }}'])"
)


def test_who_sets_the_role_of_a_group_is_named_all_the_same(varves, team, server, database):
    ben, server_role, group = f"ben_{database}", f"srv_{database}", f"staff_{database}"
    with psycopg.connect(server.url(database), autocommit=True) as connection:
        (word,) = connection.execute("select tag from varves.installation").fetchone()
        for text in (
            f"create role {group} nologin",
            f"grant varves_{word}_2w to {group}",
            f"grant {group} to {ben}",
            f"create role {server_role} login noinherit",
            f"grant {ben} to {server_role}",
        ):
            connection.execute(text.encode())
    who = ((ben, f"varves_{word}_2w"), (ben, group), (ben, ben), (server_role, ben))
    for number, (user, role) in enumerate(who):
        with psycopg.connect(server.url(database, user), autocommit=True) as connection:
            connection.execute(f"set role {role}".encode())
            connection.execute(PUSH.format(number).encode())
    with psycopg.connect(server.url(database)) as connection:
        rows = connection.execute("select pushed_by from varves.line order by pos").fetchall()
    assert rows == [(ben,)] * len(who)


def test_a_function_of_the_callers_own_does_not_change_who_asks(varves, team, server, database):
    ada, mallory = team["ada"], f"ben_{database}"
    words = ("--log", "project", "--log", "private", "--root", str(ada))
    url = f"{server.url(database, f'ada_{database}')}#shop"
    assert varves("remote", "add", "all", url, *words).code == 0
    varves("remember", "My locker is number 7", "--private", "--root", str(ada))
    assert varves("push", "all", "--root", str(ada)).code == 0
    with psycopg.connect(server.url(database), autocommit=True) as connection:
        connection.execute(f"create schema authorization {mallory}".encode())
    with psycopg.connect(server.url(database, mallory), autocommit=True) as connection:
        for text in (
            f"create function {mallory}.current_setting(text) returns text language sql stable"
            f" return 'ada_{database}'",
            f"create function {mallory}.pg_has_role(name, regrole, text) returns boolean"
            " language sql stable return true",
            f"set search_path = {mallory}, pg_catalog",
        ):
            connection.execute(text.encode())
        assert connection.execute("select * from varves.line where owner <> ''").fetchall() == []


def test_init_and_upgrade_may_be_repeated(varves, server, database):
    admin = f"{server.url(database)}#shop"
    assert "created" in varves("team", "init", admin).out
    assert "exists already" in varves("team", "init", admin).out
    assert varves("team", "upgrade", admin).code == 0
    found = varves("team", "status", admin, "--json").json
    assert found["version"] == found["newest"]
    assert [one["name"] for one in found["ledgers"]] == ["shop"]


def bad(server, database):
    return [
        (f"postgresql://nobody_here@/{database}?host={server.folder}#shop", 3, "refuses"),
        (f"postgresql://postgres:s3cret@/{database}?host=/nonexistent#shop", 6, "be reached"),
        (f"postgresql://postgres@/none?host={server.folder}#shop", 3, "does not exist"),
        (f"{server.url(database)}#shop", 5, "has no tables of varves"),
    ]


def test_a_bad_address_is_one_line_and_shows_no_password(varves, server, database, project):
    varves("remember", "Invoices are rounded half to even", "--root", str(project))
    for number, (url, code, said) in enumerate(bad(server, database)):
        name = f"r{number}"
        assert varves("remote", "add", name, url, "--root", str(project)).code == 0
        answer = varves("sync", name, "--root", str(project))
        assert (answer.code, said in answer.err) == (code, True), answer.err
        assert answer.err.count("\n") == 1
        assert "s3cret" not in answer.err
    assert "s3cret" not in varves("remote", "list", "--root", str(project)).out
    assert texts(varves, project) == {"Invoices are rounded half to even"}


def test_tables_of_a_newer_version_are_left_alone(varves, team, server, database):
    with psycopg.connect(server.url(database), autocommit=True) as connection:
        connection.execute("insert into varves.migration (n) values (9999)")
    admin = server.url(database)
    for words in (
        ("sync", "--root", str(team["ada"])),
        ("team", "upgrade", admin),
        ("team", "init", f"{admin}#third"),
        ("team", "add", f"{admin}#shop", "ann"),
    ):
        answer = varves(*words)
        assert answer.code == 5
        assert "newer version (9999)" in answer.err


def test_an_unknown_ledger_names_those_that_may_be_read(varves, team, server, database):
    ada = team["ada"]
    url = f"{server.url(database, f'ada_{database}')}#shpo"
    varves("remote", "add", "wrong", url, "--root", str(ada))
    answer = varves("pull", "wrong", "--root", str(ada))
    assert answer.code == 4
    assert "no ledger 'shpo'" in answer.err
    assert "yours: shop" in answer.err


def test_an_added_reader_who_may_write_already_is_said_to_write(varves, team, database, server):
    admin = f"{server.url(database)}#shop"
    added = varves("team", "add", admin, f"ada_{database}")
    assert "may read and write shop" in added.out
    assert "varves team remove" in added.out


def test_who_is_no_administrator_is_told_what_is_needed(varves, team, database, server):
    url = f"{server.url(database, f'ada_{database}')}#shop"
    for words in (("team", "add", url, "ann"), ("team", "init", f"{url}2")):
        answer = varves(*words)
        assert answer.code == 3
        assert "CREATEROLE" in answer.err
        assert "--write" not in answer.err


def test_a_reader_whose_writes_need_the_remote_is_told_to_ask(varves, database, server, checkout):
    admin, root = f"{server.url(database)}#shop", checkout("cleo")
    varves("team", "init", admin)
    varves("team", "add", admin, f"cleo_{database}")
    url = f"{server.url(database, f'cleo_{database}')}#shop"
    varves("remote", "add", "t", url, "--when", "both", "--root", str(root))
    answer = varves("remember", "The oven is electric", "--root", str(root))
    assert answer.code == 5
    assert "ask for the right" in answer.err


def test_a_long_list_of_ledgers_says_that_it_is_cut(varves, database, server, project):
    url = server.url(database)
    for number in range(22):
        assert varves("team", "init", f"{url}#l{number:02}").code == 0
    answer = varves("clone", f"{url}#none", str(project / "new"))
    assert answer.code == 4
    assert "l19 and 2 more" in answer.err


def test_the_log_of_the_server_has_no_password(varves, server, database):
    admin = f"{server.url(database)}#shop"
    varves("team", "init", admin)
    server.set("log_statement", "all")
    try:
        made = varves("team", "add", admin, f"fay_{database}", "--write", "--json").json
    finally:
        server.set("log_statement", "none")
    logged = (server.folder / "log").read_text(encoding="utf-8", errors="replace")
    assert f'create role "fay_{database}" login password \'SCRAM-SHA-256$' in logged
    assert made["password"] not in logged
