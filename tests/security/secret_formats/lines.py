"""Secrets in headers, commands, addresses and the files of tools, known by the line around them.

Every maker returns a text and the parts of it that are secret.
"""

from __future__ import annotations

import json
import re
from urllib.parse import quote

from tests.security.secret_formats.drawing import draw
from tests.security.secret_formats.making import MAKERS, b64, host, made, password, word

TYPE_CHECKING = False
if TYPE_CHECKING:
    import random

    from tests.security.secret_formats.making import Made, Maker

# ---------------------------------------------------------------------- headers and commands


@made("http-basic")
def _basic(rng: random.Random) -> Made:
    value = b64(f"{word(rng)}:{password(rng)}")
    frame = rng.choice(
        (
            "Authorization: Basic {}",
            "curl -H 'Authorization: Basic {}' https://x.example.com",
            '"Authorization": "Basic {}"',
            "authorization: basic {}",
            "Proxy-Authorization: Basic {}",
        )
    )
    return frame.format(value), [value]


@made("http-bearer")
def _bearer(rng: random.Random) -> Made:
    value = draw(rng, rng.choice(("{hex:40}", "{b62:32-64}", "{url:43}", "{uuid}")))
    frame = rng.choice(
        (
            "Authorization: Bearer {}",
            "-H 'Authorization: Bearer {}'",
            '"authorization": "Bearer {}"',
            'headers={"Authorization": "Bearer {}"}',
            "authorization=Bearer {}",
            "Authorization: token {}",
        )
    )
    return frame.replace("{}", value), [value]


@made("http-api-key-header")
def _api_key_header(rng: random.Random) -> Made:
    value = draw(rng, rng.choice(("{hex:32}", "{b62:32-48}", "{url:40}", "{uuid}")))
    name = rng.choice(
        ("X-API-Key", "x-api-key", "X-Auth-Token", "PRIVATE-TOKEN", "apikey", "X-Vault-Token")
    )
    frame = rng.choice(("{}: {}", "curl -H '{}: {}' https://x.example.com", '"{}": "{}"'))
    return frame.format(name, value), [value]


@made("cookie-session")
def _cookie(rng: random.Random) -> Made:
    value = draw(rng, rng.choice(("{hex:40}", "{b62:32}", "{url:64}")))
    name = rng.choice(("sessionid", "_gitlab_session", "connect.sid", "PHPSESSID", "JSESSIONID"))
    return rng.choice(("Cookie: {}={}; theme=dark", "Set-Cookie: {}={}; HttpOnly")).format(
        name, value
    ), [value]


@made("curl-user")
def _curl(rng: random.Random) -> Made:
    secret = draw(rng, rng.choice(("{b62:12-24}", "{url:20}", "{human}")))
    frame = rng.choice(
        ("curl -u {}:{} https://x.example.com", "curl --user '{}:{}' -sS https://x.example.com/a")
    )
    return frame.format(word(rng), secret), [secret]


@made("command-password")
def _command(rng: random.Random) -> Made:
    secret = draw(rng, rng.choice(("{b62:12-20}", "{human}")))
    frame = rng.choice(
        (
            "mysql -h db -u root -p{} shop",
            "PGPASSWORD={} psql -h db -U app",
            "sshpass -p '{}' ssh root@h",
            "docker login -u ci --password {} registry.example.com",
            "redis-cli -a {} ping",
            "mongo --username app --password {} db",
            "echo '{}' | docker login -u ci --password-stdin",
            'psql "host=db user=app password={} dbname=shop"',
            "openssl rsa -passin pass:{} -in k.pem",
        )
    )
    return frame.format(secret), [secret]


# -------------------------------------------------------------------------- addresses

_SCHEMES = """
postgresql postgres mysql mysql+pymysql mongodb mongodb+srv redis rediss amqp amqps ftp sftp https
http smtp smtps ldap ldaps mssql clickhouse cockroachdb nats mqtt imaps socks5 couchdb snowflake
"""


def _address(scheme: str) -> Maker:
    def make(rng: random.Random) -> Made:
        plain = password(rng)
        secret = quote(plain, safe="!$*.~-_")
        address = (
            f"{scheme}://{word(rng)}:{secret}@{host(rng)}:{rng.randrange(1000, 9999)}/main?x=1"
        )
        frame = rng.choice(
            (
                "DATABASE_URL={}",
                'url: "{}"',
                "we connect to {} from CI",
                "{}",
                "connect('{}')",
                "could not connect: {} timed out",
                '{"dsn": "{}"}',
            )
        )
        return frame.replace("{}", address), [secret]

    return make


for _scheme in _SCHEMES.split():
    MAKERS[f"url-{_scheme}"] = _address(_scheme)


@made("url-redis-no-user")
def _redis(rng: random.Random) -> Made:
    secret = draw(rng, "{b62:20-40}")
    return f"REDIS_URL=redis://:{secret}@{host(rng)}:6379/0", [secret]


@made("jdbc")
def _jdbc(rng: random.Random) -> Made:
    secret = draw(rng, rng.choice(("{b62:12-24}", "{human}")))
    kind = rng.choice(("postgresql", "mysql", "mariadb"))
    return f"jdbc:{kind}://db:5432/shop?user={word(rng)}&password={secret}&ssl=true", [secret]


@made("odbc")
def _odbc(rng: random.Random) -> Made:
    secret = draw(rng, rng.choice(("{b62:12-24}", "{human}")))
    name = rng.choice(("Pwd", "PWD", "Password"))
    return (
        f"Server=tcp:x.database.windows.net,1433;User Id={word(rng)};{name}={secret};Encrypt=yes",
        [secret],
    )


@made("azure-storage-connection")
def _azure_storage(rng: random.Random) -> Made:
    secret = b64(rng.randbytes(64))
    head = "DefaultEndpointsProtocol=https;AccountName=acme"
    return f"{head};AccountKey={secret};EndpointSuffix=core.windows.net", [secret]


@made("azure-service-bus")
def _azure_bus(rng: random.Random) -> Made:
    secret = b64(rng.randbytes(32))
    head = (
        "Endpoint=sb://acme.servicebus.windows.net/;SharedAccessKeyName=RootManageSharedAccessKey"
    )
    return f"{head};SharedAccessKey={secret}", [secret]


@made("azure-sas")
def _azure_sas(rng: random.Random) -> Made:
    secret = quote(b64(rng.randbytes(32)), safe="")
    query = f"sv=2024-11-04&ss=b&srt=sco&sp=rl&se=2026-12-31T00:00:00Z&spr=https&sig={secret}"
    return f"https://acme.blob.core.windows.net/backups?{query}", [secret]


@made("azure-app-config")
def _azure_config(rng: random.Random) -> Made:
    secret = b64(rng.randbytes(32))
    return (
        f"Endpoint=https://acme.azconfig.io;Id=ab12-l0-s0:{draw(rng, '{b62:20}')};Secret={secret}",
        [secret],
    )


@made("aws-presigned")
def _presigned(rng: random.Random) -> Made:
    secret = draw(rng, "{hex:64}")
    query = "X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Date=20260304T101112Z&X-Amz-Expires=3600"
    return f"https://acme.s3.amazonaws.com/dump.sql?{query}&X-Amz-Signature={secret}", [secret]


_HOOKS = {
    "slack-webhook": "https://hooks.slack.com/services/T{AN:8}/B{AN:10}/{b62:24}",
    "discord-webhook": "https://discord.com/api/webhooks/{d:18}/{url:68}",
    "teams-webhook": "https://acme.webhook.office.com/webhookb2/{uuid}@{uuid}/IncomingWebhook/{hex:32}/{uuid}",
    "zapier-webhook": "https://hooks.zapier.com/hooks/catch/{d:7}/{an:7}",
    "telegram-url": "https://api.telegram.org/bot{d:10}:AA{url:33}/sendMessage",
    "google-chat-webhook": "https://chat.googleapis.com/v1/spaces/AAAA{url:7}/messages?key=AIza{url:35}&token={url:43}",
    "sentry-dsn-legacy": "https://{hex:32}:{hex:32}@sentry.example.com/12",
}


def _hook(template: str) -> Maker:
    def make(rng: random.Random) -> Made:
        address = draw(rng, template)
        parts = re.split("[/:@=&]", address)
        secret = address[-15:] if "zapier" in address else max(reversed(parts), key=len)
        frame = rng.choice(
            ("curl -X POST {}", "url: {}", "the hook is {}", '"webhook": "{}"', "HOOK={}")
        )
        return frame.replace("{}", address), [secret]

    return make


for _name, _template in _HOOKS.items():
    MAKERS[_name] = _hook(_template)


# ---------------------------------------------------------------------- files of tools


@made("netrc")
def _netrc(rng: random.Random) -> Made:
    secret = draw(rng, rng.choice(("{b62:20-40}", "{human}")))
    gap = rng.choice((" ", "\n  "))
    return f"machine api.example.com{gap}login {word(rng)}{gap}password {secret}", [secret]


@made("npmrc")
def _npmrc(rng: random.Random) -> Made:
    secret = draw(rng, rng.choice(("{uuid}", "{b64:40}", "{hex:40}")))
    name = rng.choice(("_authToken", "_auth", "password"))
    return f"//registry.example.com/:{name}={secret}", [secret]


@made("kubeconfig")
def _kube(rng: random.Random) -> Made:
    secret = b64(rng.randbytes(300))
    token = draw(rng, "{b62:40}")
    text = f"users:\n- name: admin\n  user:\n    client-key-data: {secret}\n    token: {token}\n"
    return text, [secret, token]


@made("kubernetes-secret")
def _kube_secret(rng: random.Random) -> Made:
    secret = b64(draw(rng, "{b62:24}"))
    head = "apiVersion: v1\nkind: Secret\nmetadata:\n  name: db\ntype: Opaque\n"
    return f"{head}data:\n  password: {secret}\n", [secret]


@made("docker-config")
def _docker(rng: random.Random) -> Made:
    secret = b64(f"{word(rng)}:{password(rng)}")
    return json.dumps({"auths": {"registry.example.com": {"auth": secret}}}), [secret]


@made("aws-credentials-file")
def _aws_file(rng: random.Random) -> Made:
    secret = draw(rng, "{b64:40}")
    head = f"[default]\naws_access_key_id = {draw(rng, 'AKIA{b32:16}')}\n"
    return f"{head}aws_secret_access_key = {secret}\nregion = eu-west-1\n", [secret]


@made("terraform-password")
def _terraform(rng: random.Random) -> Made:
    secret = draw(rng, rng.choice(("{b62:16-24}", "{human}")))
    return (
        f'resource "aws_db_instance" "main" {{\n  username = "app"\n  password = "{secret}"\n}}',
        [secret],
    )


@made("pgpass")
def _pgpass(rng: random.Random) -> Made:
    secret = draw(rng, "{b62:16-24}")
    return f"# ~/.pgpass\ndb.internal:5432:shop:app:{secret}", [secret]


@made("wireguard-config")
def _wireguard(rng: random.Random) -> Made:
    secret, shared = b64(rng.randbytes(32)), b64(rng.randbytes(32))
    own = f"[Interface]\nPrivateKey = {secret}\nAddress = 10.0.0.2/32\n"
    return f"{own}[Peer]\nPresharedKey = {shared}\n", [secret, shared]


@made("nuget-config")
def _nuget(rng: random.Random) -> Made:
    secret = password(rng).replace("&", "x")
    return f'<add key="Username" value="ci" />\n<add key="ClearTextPassword" value="{secret}" />', [
        secret
    ]


@made("maven-settings")
def _maven(rng: random.Random) -> Made:
    secret = draw(rng, rng.choice(("{b62:16-24}", "{human}")))
    return (
        f"<server><id>central</id><username>ci</username><password>{secret}</password></server>",
        [secret],
    )


@made("rails-credentials-yaml")
def _yaml_nested(rng: random.Random) -> Made:
    secret = draw(rng, rng.choice(("{b62:16-24}", "{human}")))
    return f"production:\n  adapter: postgresql\n  username: app\n  password: {secret}\n", [secret]


@made("prose-password")
def _prose(rng: random.Random) -> Made:
    secret = draw(rng, rng.choice(("{print:14-20}", "{b62:12-20}", "{human}")))
    frame = rng.choice(
        (
            "The password for the staging database is {}",
            "login with jane / password: {}",
            "my password is {}, keep it safe",
            "Root password: {}",
            "user: admin password: {}",
            "the wifi password is '{}'",
            "pw: {}",
            "Passwort: {}",
        )
    )
    return frame.format(secret), [secret]


@made("git-credential-store")
def _git_store(rng: random.Random) -> Made:
    secret = draw(rng, "{b62:20-40}")
    return f"https://jane:{secret}@git.example.com", [secret]


@made("bitcoin-wif")
def _wif(rng: random.Random) -> Made:
    alphabet = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
    secret = rng.choice("KL") + "".join(rng.choices(alphabet, k=51))
    return f"wallet private key: {secret}", [secret]


@made("totp-seed")
def _totp(rng: random.Random) -> Made:
    secret = draw(rng, "{b32:32}")
    return f"otpauth://totp/Acme:jane?secret={secret}&issuer=Acme", [secret]
