"""Secrets leave a text before it is written, and nothing else does.

Samples are made in rule_samples.py.
"""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from tests.tables import each_row
from tests.unit.events.rule_samples import GENERATORS, Draw
from varves.events.named_secrets import RULES, TESTS
from varves.events.redact import scrub, scrub_tree

SAMPLES = 5
DRAWN = "4f9k2m8x7q1zr5w3t6y0Ab3xQ9zKvj1xq7Lm2Np8"

AROUND = (
    "@@", "we rotate @@ on Monday", "use '@@' for the staging host, please",
    'VALUE="@@"', "export VALUE=@@\nnext line", '{"note": "@@", "n": 1}',
    "see `@@`.", "# @@ # comment", "line one\\n@@\\nline three",
    "(@@)",
)  # fmt: skip


def _samples(name: str, count: int = SAMPLES):
    """Yield texts that carry a secret of the rule, with the bytes that have to go."""
    r = Draw(f"redact:{name}")
    for _ in range(count):
        made = GENERATORS[name](r)
        yield (made, made) if isinstance(made, str) else made


def test_every_rule_has_samples_and_every_sample_a_rule():
    assert [name for name, _, _ in RULES if name not in GENERATORS] == []
    assert set(GENERATORS) - {name for name, _, _ in RULES} == set()
    assert len({name for name, _, _ in RULES}) == len(GENERATORS) >= 100
    assert set(" ".join(TESTS.values()).split()) <= set(GENERATORS)
    assert all(re.fullmatch("[a-z0-9]+(-[a-z0-9]+)+|jwt", name) for name in GENERATORS)


@each_row("name", GENERATORS)
def test_a_secret_is_gone_and_its_rule_is_named(name):
    for carrier, secret in _samples(name):
        for around in AROUND:
            text = around.replace("@@", carrier)
            clean, hits = scrub(text)
            assert secret not in clean
            assert name in hits
            assert f"[redacted:{name}]" in clean
            assert scrub(clean) == (clean, ())


@each_row("name", GENERATORS)
def test_no_half_of_a_secret_stays(name):
    for carrier, secret in _samples(name):
        clean, _ = scrub(f"before {carrier} after")
        half = len(secret) // 2
        assert secret[:half] not in clean or half < 4
        assert secret[half:] not in clean or half < 4
        assert clean.startswith("before ")
        assert clean.endswith(" after")


BENIGN = (
    # prose
    "The password is required and must be at least 12 characters long.",
    "Password: must contain a digit, e.g. 8 or 9.",
    "The token is a JWT signed with RS256; the secret is kept in Vault.",
    "We never log the api key: see docs/security.md for the reasons.",
    "Token budget: 4096 per turn, tokens used: 182736.",
    "The password is Argon2id-hashed and the token is base64-encoded.",
    "The key point is that secrets are rotated every 90 days -- no exceptions.",
    "Bearer authentication is handled by the gateway-authentication-service.",
    "Ask the bearer of the red-card-for-the-building-2024 to sign in.",
    "A risk-based task-force met on Monday; the desk-bound disk-usage check is done.",
    "Basic auth is off. Authorization: see the wiki.",
    "A file that opens with -----BEGIN PRIVATE KEY----- must not be committed.",
    "The secret of good tests: small inputs, sharp names.",
    "He set the password to something he could not remember.",
    "Maria: key-value stores beat md-based notes; re_use is not a word.",
    "The machine learning login flow asks for a password twice.",
    "Мы решили хранить пароль в сейфе. Пароль: спросите Анну.", "密码是必填项。令牌在两周后过期。",
    # code
    'password = os.environ["DB_PASSWORD"]',
    "def connect(host: str, password: str, token: str | None = None) -> Link: ...",
    "token: Optional[str] = None", "const token = await getToken(request.headers['x-auth-1']);",
    "api_key=settings.api_key2, secret=config.secrets[0]",
    'password = getpass.getpass("Password for user1: ")',
    "self.access_token = response.json()['access_token']", "if token == expected_token_v2: return",
    'client_secret = "${CLIENT_SECRET_2}"', "password: {{ vault_db_password_1 }}",
    "DB_PASSWORD=$POSTGRES_PASSWORD_1", "password: <your-password-1>",
    'api_key = "your_api_key_here"', "secretKeyRef: { name: db-credentials-2, key: password }",
    "password_hash VARCHAR(255) NOT NULL, token_count INT DEFAULT 0",
    'token_type = "access_token_v2"', "max_tokens: 4096, token_limit=200000",
    'parser.add_argument("--password", help="8 or more characters")',
    "docker login --username bot --password-stdin < token1.txt",
    "mycli --token $TOKEN1 --api-key <key1>",
    "tokenizer = AutoTokenizer.from_pretrained('bert-base-uncased-v2')",
    "secret_name: payments-db-2", "private_key_path = /etc/ssl/private/server1.pem",
    'key = f"cache-{version}-{digest}"',
    "for key, value in sorted(table.items()): print(key, value)",
    "assert scrub(text) == (text, ())", "import sk_learn_extras as sk; sk.live_view()",
    # hashes, ids, lock files
    "commit 3f786850e387550fdab836ed7e6dc881de23001b",
    "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08  dist/app.tar.gz",
    "request 123e4567-e89b-12d3-a456-426614174000 took 12 ms",
    '"integrity": "sha512-z4PhNX7vuL3xVChQ1m2AB9Yg5AULVxXcg/SpIdNs6c5H0NE8XYXysP+DGNKHfuwvY7kxvUd'
    'BeoGlODJ6+SfaPg=="',
    "    --hash=sha256:2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae \\",
    "sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=",
    "github.com/pkg/errors v0.9.1 h1:FEBLx1zS214owpjy7qsBeixbURkuhQAwrK5UwLGTwt4=",
    'checksum = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"',
    "mem_0123456789ab supersedes mem_ba9876543210, see evt_01hq3k9v8x2mabcd",
    '{"id": "evt_01hq3k9v8x2mabcd", "token": "mem_0123456789ab"}',
    "image: registry.acme.io/app@sha256:" + "0a" * 32,
    'etag: W/"5e15153d-120f" cache-key-' + "ab" * 16, "md5 d41d8cd98f00b204e9800998ecf8427e key",
    "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhg",
    # paths, addresses, logs
    "src/varves/events/redact.py:120: error: Missing return statement",
    "C:\\Users\\ann\\AppData\\Local\\Temp\\token-cache\\new2.json",
    "/home/ann/.cache/pip/http/a/b/c/d/e/abcde0123456789abcdef0123456789abcdef0123456789abcdef01",
    "http://localhost:8080/docs and https://example.com/a?b=c#d",
    "git clone git@github.com:acme/app.git && ssh deploy@10.0.0.5",
    "postgres://localhost:5432/app?sslmode=disable",
    "postgresql://${DB_USER}:${DB_PASSWORD}@db:5432/app",
    "mail ann@example.com, see http://wiki:8090/x",
    "2025-01-02T03:04:05.678Z INFO worker-7 pid=4242 took=12ms rows=100000 status=200",
    "ERROR token expired at 2025-01-02T03:04:05Z for user 12345678",
    "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIGx0bnVtYmVyc2FuZGxldHRlcnNoZXJlMTIzNDU2 ann@laptop",
    "-----BEGIN CERTIFICATE-----\nMIIBszCCARwCCQD\n-----END CERTIFICATE-----",
    "-----BEGIN PUBLIC KEY-----\nMFkwEwYHKoZIzj0CAQYI\n-----END PUBLIC KEY-----",
    "npm_config_registry=https://npm.acme.internal/ npm_package_version=1.2.3",
    "AKIA is the prefix of access key ids; sk- and ghp_ are others.",
    "PWD=/home/ann/work2/app OLDPWD=/tmp/x1", "Set-Cookie: theme=dark; Path=/; HttpOnly", "",
)  # fmt: skip


@each_row("line", BENIGN)
def test_an_honest_text_comes_back_as_the_same_object(line):
    clean, hits = scrub(line)
    assert hits == ()
    assert clean is line


PIECES = st.one_of(
    st.sampled_from([carrier for name in GENERATORS for carrier, _ in _samples(name, 1)]),
    st.sampled_from(BENIGN),
    st.sampled_from(
        ["password=", "token: ", "://", "@", '"', "'", "\\n", "%3D", "=", ":", "]", "["]
    ),
    st.text(max_size=12),
)


@given(st.lists(PIECES, max_size=6), st.sampled_from(["", " ", "\n", "-", "_", "/"]))
def test_a_scrubbed_text_is_left_alone(pieces, glue):
    once, hits = scrub(glue.join(pieces))
    assert scrub(once) == (once, ())
    assert hits == tuple(sorted(set(hits)))


@given(st.text())
def test_any_text_can_be_scrubbed(text):
    clean, hits = scrub(text)
    assert hits or clean is text


def test_two_secrets_in_one_text_are_both_named_in_order():
    (first, _), (second, _) = *_samples("npm-token", 1), *_samples("github-pat", 1)
    clean, hits = scrub(f"{first} then {second} then {first}")
    assert hits == ("github-pat", "npm-token")
    assert clean == "[redacted:npm-token] then [redacted:github-pat] then [redacted:npm-token]"


def test_what_a_redaction_uncovers_is_redacted_too():
    """The second is no secret until the first is gone: then it stands behind a telling name."""
    [(first, _), *_], [(second, secret), *_] = (
        _samples("google-api-key"),
        _samples("twitch-chat-token"),
    )
    clean, names = scrub(first + second)
    assert "google-api-key" in names
    assert secret.removeprefix("oauth:") not in clean
    assert len(names) == 2


def test_a_value_with_a_sign_in_it_is_taken_whole_from_twelve_letters_on():
    for value, rule in (("aB3xQ&9zK1m", "secret-assignment"), ("aB3xQ&9zK1mP", "whole-secret")):
        assert scrub(f"CLIENT_SECRET={value}") == (f"CLIENT_SECRET=[redacted:{rule}]", (rule,))


def test_what_is_no_token_in_one_line_is_none_over_two_lines():
    for token, masked in (
        (f"sk-{DRAWN}", True),
        ("sk-documentationOfModelsAndReleases26Notes", False),
    ):
        for text in (token, f"{token[:12]}\n{token[12:]}"):
            assert ("[redacted:openai-key]" in scrub(f"use {text} here")[0]) is masked, text


def test_the_words_around_a_contextual_secret_stay():
    r = Draw(1)
    clean, hits = scrub(f'db:\n  password: "{r.word()}"  # rotate\n')
    assert clean == 'db:\n  password: "[redacted:password-assignment]"  # rotate\n'
    assert hits == ("password-assignment",)


def test_a_tree_is_walked_through_keys_values_and_lists():
    ((token, _),) = _samples("github-pat", 1)
    tree = {"a": [1, None, True, f"x {token}"], token: {"b": "fine"}, "c": 2.5}
    clean, hits = scrub_tree(tree)
    mark = "[redacted:github-pat]"
    assert clean == {"a": [1, None, True, f"x {mark}"], mark: {"b": "fine"}, "c": 2.5}
    assert hits == ("github-pat",)
    assert token in tree


def test_a_value_in_a_tree_is_judged_with_its_key():
    r = Draw(2)
    clean, hits = scrub_tree({"password": r.word(), "user": "ann", "tokens": 3})
    assert clean == {"password": "[redacted:password-assignment]", "user": "ann", "tokens": 3}
    assert hits == ("password-assignment",)
    assert scrub_tree({"HEROKU_API_KEY": [r.uuid()]})[1] == ("heroku-api-key",)
    quoted = r.word() + '"' + r.word()
    assert quoted not in str(scrub_tree({"password": quoted})[0])


def test_a_clean_tree_is_the_same_object():
    tree = {"a": ["b", {"c": "d"}], "e": ("f", 1), 3: "g", "password": "required"}
    clean, hits = scrub_tree(tree)
    assert clean is tree
    assert hits == ()


def test_secret_keys_of_one_rule_stay_entries_of_their_own():
    keys = [key for key, _ in _samples("github-pat", 4)]
    clean, _ = scrub_tree(dict(zip(keys, range(4), strict=True)))
    name = "[redacted:github-pat]"
    assert clean == {name: 0, f"{name}#2": 1, f"{name}#3": 2, f"{name}#4": 3}


def test_a_masked_key_takes_no_place_that_is_taken():
    ((key, _),) = _samples("github-pat", 1)
    name = "[redacted:github-pat]"
    clean, _ = scrub_tree({key: 0, name: 1})
    assert clean == {f"{name}#2": 0, name: 1}


@given(st.lists(PIECES, max_size=3), st.sampled_from(["note", "password", "api_key"]))
def test_a_scrubbed_tree_is_left_alone(pieces, key):
    once, _ = scrub_tree({key: " ".join(pieces), "parts": pieces})
    assert scrub_tree(once) == (once, ())


@each_row(
    "unit",
    ["a", "A", "password=", "password='", "-----BEGIN ", "-----BEGIN PRIVATE " + "KEY-----\n", "://a:",
     "eyJ", "token: ", 'secret=\\"', "key-", "dd_key ", "--token-", "Cookie: ", "curl -u ", "\\n",
     "%3D", "=" * 9, "sk-", "PASSWORD=a&", "key value=", "<token>a</", "ENV KEY ", "the token is ",
     "mysql -p", "a_", "1|", "1/1", "token: (", "secret&", "echo a |", "a:5432:b:", "pw:", "-us",
     "AAAA" * 16 + "\n", "postgres://:", "machine a login b "],
)  # fmt: skip
def test_a_hostile_text_is_finished(unit):
    text = (unit * (65536 // len(unit))) + " -----END PRIVATE " + "KEY-----"
    clean, _ = scrub(text)
    assert scrub(clean) == (clean, ())
