"""What is shown of the address of a remote, and which addresses are refused at once."""

from __future__ import annotations

import pytest

SECRETS = [
    ("git:https://user:tok3nSecret@127.0.0.1:1/x.git#x", "git:https://127.0.0.1:1/x.git"),
    ("git:https://tok3nSecret@example.com/x.git#x", "git:https://example.com/x.git"),
    ("git:https://example.com/x.git?private_token=tok3nSecret#x", "git:https://example.com/x.git"),
    ("git:ssh://git:tok3nSecret@example.com/x.git#x", "git:ssh://git@example.com/x.git"),
    ("git:git@example.com:me/x.git#x", "git:git@example.com:me/x.git"),
    ("postgresql://ada:tok3nSecret@db/d1#x", "postgresql://ada@db/d1"),
    ("postgresql://ada@db:5432/d1?password=tok3n@Secret&sslmode=require#x",
     "postgresql://ada@db:5432/d1?sslmode=require"),
    ("postgresql:///d1?sslpassword=tok3nSecret#x", "postgresql:///d1"),
    ("postgresql://ada@[::1]:5432,h2:5433/d1#x", "postgresql://ada@[::1]:5432,h2:5433/d1"),
]  # fmt: skip


@pytest.mark.parametrize(("url", "shown"), SECRETS)
def test_an_address_is_shown_without_its_secrets(varves, project, url, shown):
    root = ("--root", str(project))
    said = [varves("remote", "add", "r", url, *root), varves("remote", "list", *root)]
    said += [varves("--json", "remote", "list", *root), varves("remote", "remove", "r", *root)]
    for answer in said:
        assert answer.code == 0, answer.err
        assert "Secret" not in answer.out + answer.err
        assert "tok3n" not in answer.out + answer.err
    assert said[2].json["remotes"][0]["url"] == shown


@pytest.mark.parametrize("password", [f"{a}{sign}RET" for a in ("SEC", "12") for sign in "/#?@"])
@pytest.mark.parametrize("words", [("remote", "add", "r"), ("clone",), ("team", "status")])
def test_a_password_that_is_not_escaped_is_refused_at_once(varves, project, password, words):
    url = f"postgresql://ada:{password}@localhost/d1#shop"
    more = ("elsewhere",) if words == ("clone",) else ()
    answer = varves(*words, url, *more, "--root", str(project))
    assert answer.code == 2
    assert answer.err.count("\n") == 1
    assert "%2F" in answer.err
    for part in ("SEC", "RET"):
        assert part not in answer.err
    assert varves("remote", "list", "--root", str(project)).out == "no remotes\n"


@pytest.mark.parametrize(
    "url", ["postgresql:ada:SECRET@db/d", "host=db password=SECRET", "https://ada:SECRET@db/d"]
)
def test_what_is_no_address_is_refused_without_its_secrets(varves, project, url):
    answer = varves("remote", "add", "r", url, "--root", str(project))
    assert answer.code == 2
    assert "SECRET" not in answer.err
