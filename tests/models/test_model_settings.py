"""What `[model]` may say, whose word counts, and that the key goes nowhere but to its endpoint."""

from __future__ import annotations

import logging
import subprocess
import sys
import traceback

import pytest

from tests.loopback import chat, fails, says, sends
from tests.tables import each_row
from varves.errors import Damaged, Refused, UsageError
from varves.protocols.runner import Unanswered

KEY = "sk-live-CANARY-0123456789abcdef"
ELSEWHERE = '[model]\nprovider = "openai"\nbase_url = "https://models.example/v1"\nmodel = "m"\n'


def runner(desk, text):
    desk.write(text)
    return desk.open().model(purpose="testing")


def test_where_no_model_is_named_there_is_no_runner(desk):
    assert desk.open().model(purpose="testing") is None
    assert runner(desk, "dense = false\n") is None


@each_row(
    ("line", "says_so"),
    [
        ('provider = "acme"', "provider is not one of openai, anthropic"),
        ("provider = 7", "provider is not one of"),
        ('base_url = "localhost:8000"', "base_url is not an address"),
        ('base_url = "ftp://localhost/"', "base_url is not an address"),
        ('base_url = "http://u:p@localhost/"', "base_url is not an address"),
        ('base_url = "http://localhost/?a=b"', "base_url is not an address"),
        ('base_url = "http://localhost:99999/"', "base_url is not an address"),
        ('base_url = "http://[::1/"', "base_url is not an address"),
        ('base_url = "http://local host/"', "base_url is not an address"),
        ("base_url = 8000", "base_url is not an address"),
        ('model = ""', "model is not a name"),
        ('model = "two words"', "model is not a name"),
        ("model = 4", "model is not a name"),
        ('key_env = "sk_live_0123456789abcdef"', "key_env is not the name of a variable"),
        ('key_env = "A-B"', "key_env is not the name of a variable"),
        ('aliases = "haiku"', "aliases is not a table of names"),
        ("aliases = {haiku = 4}", "aliases is not a table of names"),
        ("timeout = 0", "timeout is not more than 0"),
        ('timeout = "1m"', "timeout is not a number"),
        ("timeout = nan", "timeout is not more than 0"),
        ("retries = -1", "retries is not 0 or more"),
        ("retries = 1.5", "retries is not a whole number"),
        ("backoff = 0", "backoff is not more than 0"),
        ("max_tokens = 0", "max_tokens is not more than 0"),
        ("max_bytes = true", "max_bytes is not a whole number"),
        ("cap = -1.0", "cap is not 0 or more"),
        ('cap = "$5"', "cap is not a number"),
        ("cap_tokens = -1", "cap_tokens is not 0 or more"),
        ("price_in = -1", "price_in is not 0 or more"),
        ("price_out = inf", "price_out is not below 1000000000"),
        ("cap = 5.0", "cap needs price_in and price_out"),
        ("cap = 5.0\nprice_in = 1.0", "cap needs price_in and price_out"),
        ('api_key = "x"', "has no option api_key"),
    ],
)
def test_a_wrong_value_is_refused_by_its_name(desk, line, says_so):
    table = {"provider": '"openai"', "base_url": f'"{desk.played.address("openai")}"'}
    table |= {"model": '"m"', line.partition(" ")[0]: None}
    lines = [f"{name} = {part}" for name, part in table.items() if part is not None]
    desk.write("\n".join(["[model]", line, *lines]))
    with pytest.raises(UsageError) as refused:
        desk.open().model(purpose="testing")
    assert says_so in refused.value.message.replace('"', "").replace("'", "")
    assert refused.value.hint == "see docs/model.md"
    assert "sk_live" not in refused.value.message
    assert desk.played.reached == []


@pytest.mark.parametrize("text", ["model = 5\n", 'model = "small"\n', "model = []\n"])
def test_a_model_that_is_no_table_is_damage(desk, text):
    with pytest.raises(Damaged, match="model is not a table"):
        runner(desk, text)


def test_a_table_without_a_model_says_so(desk):
    address = desk.played.address("openai")
    with pytest.raises(UsageError, match="does not name a model"):
        runner(desk, f'[model]\nbase_url = "{address}"\n')


@pytest.mark.parametrize("purpose", ["", "two\nlines", "x" * 101])
def test_a_purpose_is_a_few_plain_words(desk, purpose):
    desk.write(desk.played.settings())
    with pytest.raises(UsageError, match="purpose"):
        desk.open().model(purpose=purpose)


# The key


def test_the_key_is_read_from_the_variable_that_is_named(desk, provider, monkeypatch):
    monkeypatch.setenv("MY_KEY", f" {KEY}\n")
    desk.runner(provider, key_env="MY_KEY").query(prompt="?")
    assert desk.played.asked[0]["headers"]["authorization"] == f"Bearer {KEY}"


def test_no_other_word_of_the_environment_is_sent(desk, provider, monkeypatch, sure):
    for vendor in ("OPENAI", "ANTHROPIC"):
        monkeypatch.setenv(f"{vendor}_API_KEY", KEY)
        monkeypatch.setenv(f"{vendor}_AUTH_TOKEN", KEY)
        monkeypatch.setenv(f"{vendor}_BASE_URL", "http://127.0.0.3:1/v1")
        monkeypatch.setenv(f"{vendor}_CUSTOM_HEADERS", f"X-Secret: {KEY}\nAuthorization: {KEY}")
        monkeypatch.setenv(f"{vendor}_ORG_ID", KEY)
        monkeypatch.setenv(f"{vendor}_PROJECT_ID", KEY)
    for proxy in ("http_proxy", "HTTP_PROXY", "https_proxy", "all_proxy"):
        monkeypatch.setenv(proxy, "http://127.0.0.4:1")
    desk.runner(provider).query(prompt="?")
    [asked] = desk.played.asked
    assert KEY not in str(asked)
    assert not {"authorization", "x-api-key", "cookie"} & asked["headers"].keys()
    assert not [name for name in asked["headers"] if name.startswith("x-")]
    sure()


@pytest.mark.parametrize(
    ("held", "why"),
    [(None, "which is not set"), ("  ", "which is not set"), (f"{KEY} x", "is not a key")],
    ids=["unset", "blank", "two-words"],
)
def test_a_key_that_cannot_be_one_is_refused_unseen(desk, monkeypatch, held, why):
    if held is not None:
        monkeypatch.setenv("MY_KEY", held)
    with pytest.raises(UsageError, match=why) as refused:
        desk.runner(key_env="MY_KEY")
    assert "MY_KEY" in refused.value.message
    assert "CANARY" not in refused.value.message + refused.value.hint


@pytest.mark.full_size(sample=1)
@pytest.mark.parametrize("status", [200, 401, 500])
def test_the_key_is_nowhere_to_be_found_even_if_it_is_thrown_back(
    desk, provider, monkeypatch, caplog, status
):
    caplog.set_level(logging.DEBUG)
    monkeypatch.setenv("MY_KEY", KEY)
    thrown = sends(f'{{"error": {{"message": "wrong: {KEY}"}}}}'.encode(), status=status)
    desk.played.plays(thrown)
    asking = desk.runner(provider, key_env="MY_KEY", retries=0)
    with pytest.raises(Unanswered) as failed:
        asking.query(prompt="?")
    desk.played.plays(says(f"Your key is {KEY}."))
    assert asking.query(prompt="?").response == "Your key is [redacted]."
    told = "".join(traceback.format_exception(failed.value)) + caplog.text
    assert "CANARY" not in told + repr(asking) + str(vars(asking).keys())
    assert b"CANARY" not in desk.files()


def test_a_model_named_like_the_key_is_not_recorded(desk, monkeypatch):
    import json

    monkeypatch.setenv("MY_KEY", KEY)
    desk.played.plays(sends(json.dumps(chat("Fine.") | {"model": KEY}).encode()))
    desk.runner(key_env="MY_KEY").query(prompt="?")
    assert b"CANARY" not in desk.files()


# Whose word counts


@pytest.mark.parametrize(
    "text",
    [
        ELSEWHERE,
        '[model]\nmodel = "m"\n',
        '[model]\nprovider = "anthropic"\nmodel = "m"\nkey_env = "HOME"\n',
        '[model]\nbase_url = "http://127.0.0.1.example/v1"\nmodel = "m"\n',
        '[model]\nbase_url = "http://localhost.example/v1"\nmodel = "m"\n',
    ],
    ids=["address", "maker", "key", "number-like", "name-like"],
)
def test_a_project_sends_nothing_to_another_machine(desk, text):
    with pytest.raises(Refused, match="on another machine") as refused:
        runner(desk, text)
    assert str(desk.home / "varves" / "settings.toml") in refused.value.hint
    desk.write_own(desk.played.settings())
    if "provider" in text or "base_url" in text:
        with pytest.raises(Refused, match="on another machine"):
            desk.open().model(purpose="testing")
    assert desk.played.reached == []


def test_the_user_may_name_any_machine(desk):
    desk.write_own(ELSEWHERE)
    assert desk.open().model(purpose="testing").options.base_url == "https://models.example/v1"


def test_a_key_is_not_sent_in_the_open(desk, monkeypatch):
    monkeypatch.setenv("MY_KEY", KEY)
    desk.write_own(ELSEWHERE.replace("https:", "http:") + 'key_env = "MY_KEY"\n')
    with pytest.raises(UsageError, match="unencrypted"):
        desk.open().model(purpose="testing")


def test_a_project_chooses_among_models_and_lowers_caps_but_raises_none(desk):
    own = {"cap": 2.0, "cap_tokens": 5000, "price_in": 3.0, "price_out": 15.0}
    desk.write_own(desk.played.settings(**own))
    theirs = {"cap": 9.0, "cap_tokens": 100, "price_in": 0.1, "price_out": 0.1, "model": '"big"'}
    lines = [f"{name} = {part}" for name, part in theirs.items()]
    options = runner(desk, "\n".join(["[model]", *lines])).options
    assert (options.model, options.cap, options.cap_tokens) == ("big", 2.0, 100)
    assert (options.price_in, options.price_out) == (3.0, 15.0)


def test_a_project_does_not_lift_the_users_caps(desk):
    desk.write_own(desk.played.settings())
    options = runner(desk, "[model]\ncap_tokens = 0\n").options
    assert options.cap_tokens == 2_000_000


def test_a_projects_own_endpoint_gets_no_key_of_the_users(desk, monkeypatch):
    monkeypatch.setenv("MY_KEY", KEY)
    desk.write_own(ELSEWHERE + 'key_env = "MY_KEY"\n')
    runner(desk, desk.played.settings()).query(prompt="?")
    assert KEY not in str(desk.played.asked)


def test_the_users_file_may_be_a_link_and_its_damage_is_named(desk):
    place = desk.home / "elsewhere.toml"
    place.write_text(desk.played.settings(), encoding="utf-8")
    (desk.home / "varves").mkdir()
    (desk.home / "varves" / "settings.toml").symlink_to(place)
    assert desk.open().model(purpose="testing") is not None
    place.write_text("]]", encoding="utf-8")
    with pytest.raises(Damaged, match=str(desk.home / "varves" / "settings.toml")):
        desk.open().model(purpose="testing")


# What is loaded


LOADED = """
import sys, varves
ledger = varves.open(sys.argv[1])
runner = ledger.model(purpose="testing")
assert runner is not None
print(sorted({"openai", "anthropic", "httpx2", "pydantic"} & sys.modules.keys()))
"""


def test_the_makers_packages_are_loaded_by_the_first_call_only(desk):
    desk.write(desk.played.settings())
    done = subprocess.run(
        [sys.executable, "-c", LOADED, str(desk.root)],
        capture_output=True,
        check=True,
        encoding="utf-8",
    )
    assert done.stdout == "[]\n"


WITHOUT = """
import sys, varves
class Nothing:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in ("openai", "anthropic"):
            raise ModuleNotFoundError(name)
sys.meta_path.insert(0, Nothing())
try:
    varves.open(sys.argv[1]).model(purpose="testing")
except varves.errors.Refused as fault:
    print(fault.exit, fault.hint)
"""


def test_without_the_makers_packages_it_says_how_to_have_them(desk):
    desk.write(desk.played.settings())
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT, str(desk.root)],
        capture_output=True,
        check=True,
        encoding="utf-8",
    )
    assert done.stdout == "3 pip install 'varves[model]'\n"


def test_a_failing_model_is_told_in_one_line(desk):
    desk.played.plays(fails(401))
    with pytest.raises(Unanswered) as failed:
        desk.runner().query(prompt="?")
    assert str(failed.value) == "the model gave no answer: http 401"
