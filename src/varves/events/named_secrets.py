"""Secrets without a recognisable form, identified by the name next to them.

`DATADOG_API_KEY=…`, `<password>…</password>`, `{"name": "X_TOKEN", "value": …}`, "the API key is
…", a password in a URL or after `-u`: the value could be anything, so the text before it decides.
The value must then pass a test (proofs.py): either a machine generated it, or a person made it up
as a password. The rows have the same form as in secrets.py.
"""

from __future__ import annotations

from varves.events.secrets import B64, BLOCKS, END, TOKENS, UUID, H, U
from varves.events.spoken import SPOKEN

SEP = r"""[\\"'`*\]]{0,4}\s{0,3}(?:=>|:=|={1,3}|:)[*`]{0,2}\s{0,3}[\\"'`]{0,4}"""
# Between a name and its value: an assignment, a `value` next to it, an element, an option.
JOINT = (
    r"(?:\s{0,3}(?:=>|:=|={1,3}|:)[*`]{0,2}\s{0,3}"
    r"|\s?[,;]?(?:\s|\\[nrt]){0,8}[\\\"']{0,2}[Vv]alue[\\\"']{0,2}\s{0,2}[:=]\s{0,2}"
    r"|>(?=[^<>\s]{6,}</)|\s--(?:body|value)[ =])"
)
SAYS = r"\s(?:is|was|set\sto|was\sset\sto)\s"


def near(vendor: str, value: str) -> str:
    """Return a pattern for a bare value that only its name (`vendor … key =`) identifies."""
    return (
        rf"[{vendor[0]}{vendor[0].upper()}](?i:{vendor[1:]})"
        rf"[A-Za-z0-9_. -]{{0,24}}(?i:key|token|secret|pass|auth|credential|pat\b)"
        rf"""[A-Za-z0-9_. -]{{0,16}}[\\"'`*\]]{{0,4}}(?:{JOINT}|{SAYS})"""
        rf"""[\\"'`]{{0,4}}({value}){END}"""
    )


HINTS = ("pass", "pw", "secret", "token", "key")
FAMILIES = (
    ("password", "pass"),
    ("password", "pw"),
    ("secret", "secret"),
    ("token", "token"),
    ("key", "key"),
)
# One cheap search of a lower-case text for names that are given a value. If words are captured, the
# value is given in prose.
HELD = (
    r"(?:pass(?:wo?r?[dt]|phrase|code|e?(?![a-z]))|pwd?(?![a-z])|secret|token|key)(?!s\b)[a-z0-9_.-]{0,24}+"
    r"[\\\"'`*\]]{0,4}+(?:\s{0,3}+(?:[:=][=>*`]{0,4}\s{0,3}"
    r"(?:[a-z][a-z0-9_.|\[\]]{0,24}\s{0,3}=\s{0,3})?"
    r"(?=[^\s(){}\[\]<>,;]{12}|[^\s0-9!@#$%^&*?~+]{0,80}[0-9!@#$%^&*?~+])"
    r"|(is|was|set|to|for|of|on|ist|war|lautet)\s(?=[^\n0-9]{0,60}[0-9])"
    r"|(?<=\s)([^\s0-9=:]{1,24}[0-9])|--(?:body|value))"
    r"|[,;]?+\s{0,8}+[\\\"']{0,2}+value[\\\"']{0,2}\s{0,2}[:=]\s{0,2}"
    r"(?=[^\s0-9!@#%^&*?~+]{0,80}[0-9!@#%^&*?~+])"
    r"|>(?=[^<>\s]{6,}</))"
)
HOLDERS = {
    "password": "[Pp](?i:assw(?:or)?[dt]|assphrase|asscode|asse(?![a-z])|wd|w(?![a-z]))",
    "pass": "[Pp](?i:ass)(?![A-Za-z])",
    "secret": "[Ss](?i:ecret)",
    "token": "[Tt](?i:oken)",
    "key": "[AaCcDdEeLlMmPpSsWw](?i:pi|pp(?:lication)?|ccess|ccount|dmin|uth|lient|eploy|ncryption"
    "|icense|aster|rivate|reshared|hared|ervice|ecret|igning|ubscription|rite)(?i:[_ -]?key)",
}
# A name that continues with one of these describes a secret and is not the name of one.
ABOUT = (
    r"(?![_-]?(?i:s\b|s[_.-]|smanager|hash|digest|ids?\b|name|path|file|dir|url|uri|type|len|min|max"
    r"|count|size|policy|field|label|hint|reset|ttl|expir|limit|usage|budget|used|version|ize|ed\b"
    r"|ref|scope|arn|prefix|suffix|column|index|pattern|regex|placeholder|required|changed"
    r"|update|created|manager|provider|endpoint|issuer|kind|format|alg))"
)


def assigned(holder: str) -> str:
    """Return a pattern for the value given to a name of the family, quoted or bare."""
    return (
        rf"{HOLDERS[holder]}{ABOUT}[A-Za-z0-9_.-]{{0,24}}[\\\"'`*\]]{{0,4}}"
        rf"(?:\s{{0,3}}:\s{{0,3}}[A-Za-z][A-Za-z0-9_.|\[\]]{{0,24}}(?=\s{{0,3}}=))?{JOINT}"
        r"""(?:(?<=>)([^<>\s"'`]{6,})(?=</)|"((?:[^"\\\s]|\\[^\r\n])*)"|'((?:[^'\\\s]|\\[^\r\n])*)'|`([^`\s]*)`"""
        r"""|\\+["']([^"'\\\s]*)\\+["']"""
        r"""|["'`\\]{0,4}((?!\[redacted:)"""
        r"""(?:[^\s"'`,;<>(){}\[\]&|\\]|&(?!&|[A-Za-z0-9_.-]{0,40}=)){6,}))"""
    )


def whole(holder: str, least: int) -> str:
    """Return a pattern for a bare value with a `(` or `&` in it, where `assigned` would end."""
    other = r"(?![A-Za-z0-9_.-]{0,40}=)"  # the text that follows is not another setting
    return (
        rf"{holder}(?:=|:\s)(?=\S{{0,200}}?[,;(){{}}|&]{other}[A-Za-z0-9!@#$%^*_+-])"
        rf"""((?!\[redacted:)(?:[^\s"'`<>\[\]\\,;&|]|[,;&|]{other}){{{least},512}})(?=[\s"'`\\]|\Z)"""
    )


def url(scheme: str) -> str:
    """Return a pattern for the password in `scheme://user:password@host`."""
    return rf"""{scheme}://[^\s:/@"'<>\[]*:(?!\[redacted:[a-z0-9-]+\]@)([^\s/"'`<>]+)@"""


CONTEXTS: tuple[tuple[str, str, str], ...] = (
    ("aws-secret-access-key", "=secret secret_access_key",
     (rf"[Ss](?i:ecret[_ .-]?(?:access[_ .-]?)?key)[A-Za-z0-9_]{{0,16}}(?:{SEP}|\s)"
      rf"({B64}{{40}})(?![A-Za-z0-9+/=])")),
    ("aws-session-token", "session_token sessiontoken awssessiontoken",
     rf"[Ss](?i:ession_?token){SEP}([A-Za-z0-9+/=]{{80,}})"),
    ("aws-presigned-signature", "amz-signature=", rf"[Aa]mz-[Ss]ignature=({H}{{64}}){END}"),
    ("azure-storage-key", "accountkey", rf"[Aa](?i:ccountkey){SEP}({B64}{{80,}}={{0,2}})"),
    ("azure-shared-access-key", "sharedaccesskey",
     rf"[Ss](?i:haredaccesskey){SEP}({B64}{{40,}}={{0,2}})"),
    ("azure-sas-signature", "sig= sharedaccesssignature=",
     r"[?&;= ]sig=([A-Za-z0-9%/+]{40,}={0,2})"),
    ("npm-auth-token", "_auth&= _authtoken&= _password&=",
     r":_(?:auth(?:Token)?|password)\s?=\s?([A-Za-z0-9_.=+/-]{12,})"),
    ("docker-registry-auth", "auth\" auth' auth\\\"",
     rf"""["']auth\\?["']\s*:\s*\\?["']({B64}{{12,}}={{0,2}})\\?["']"""),
    ("jwk-private-key", "kty",
     rf"""["'](?:d|k|p|q|dp|dq|qi)\\?["']\s*:\s*\\?["']({U}{{20,}})"""),
    ("heroku-api-key", "heroku", near("heroku", UUID)),
    ("snyk-token", "snyk", near("snyk", UUID)),
    ("codecov-token", "codecov", near("codecov", UUID)),
    ("scaleway-secret-key", "scaleway scw_", near("s(?:caleway|cw)", UUID)),
    ("postmark-token", "postmark", near("postmark", UUID)),
    ("splunk-hec-token", "splunk",
     rf"[Ss](?i:plunk(?:[A-Z0-9_ ]{{0,16}}token)?)(?:\s|{SEP})({UUID})"),
    ("datadog-key", "datadog dd_api dd_app", near("d(?:atadog|d_)", rf"(?:{H}{{40}}|{H}{{32}})")),
    ("twilio-auth-token", "twilio", near("twilio", rf"{H}{{32}}")),
    ("fastly-token", "fastly", near("fastly", rf"{U}{{32}}")),
    ("cloudflare-token", "cloudflare cf_api",
     near("c(?:loudflare|f_)", rf"(?:{U}{{40}}|{H}{{37}})")),
    ("okta-token", "okta", near("okta", rf"00{U}{{40}}")),
    ("algolia-key", "algolia", near("algolia", rf"{H}{{32}}")),
    ("wandb-key", "wandb", near("wandb", rf"{H}{{40}}")),
    ("linode-token", "linode", near("linode", rf"{H}{{64}}")),
    ("rollbar-token", "rollbar", near("rollbar", rf"{H}{{32}}")),
    ("deepgram-key", "deepgram", near("deepgram", rf"{H}{{40}}")),
    ("azure-openai-key", "azure", near("azure[_ -]?openai", rf"{H}{{32}}")),
    ("rails-secret", "rails", near("rails", rf"(?:{H}{{128}}|{H}{{64}}|{H}{{32}})")),
    ("azure-devops-legacy-pat", "azure", near("azure[_ -]?devops", r"[a-z2-7]{52}")),
    ("azure-account-key", "azure", near("azure", rf"{B64}{{86}}==")),
    ("postgres-url-password", "postgres postgresql", url(r"postgres(?:ql)?(?:\+[a-z0-9]+)?")),
    ("mysql-url-password", "mysql mariadb", url(r"(?:mysql|mariadb)(?:\+[a-z0-9]+)?")),
    ("mongodb-url-password", "mongodb", url(r"mongodb(?:\+srv)?")),
    ("redis-url-password", "redis rediss", url("rediss?")),
    ("amqp-url-password", "amqp amqps", url("amqps?")),
    ("url-password", "*://&@", url("")),
    ("url-token", "*://&@", r"://([A-Za-z0-9_-]{20,})@"),
    ("basic-auth-header", "authorization&basic",
     rf"[Aa](?i:uthorization){SEP}[Bb](?i:asic)\s{{1,3}}({B64}{{8,}}={{0,2}})"),
    ("bearer-header", "bearer", r"[Bb](?i:earer)\s{1,3}([A-Za-z0-9._~+/-]{16,}={0,2})"),
    ("token-header", "authorization&token authorization&key",
     (rf"[Aa](?i:uthorization){SEP}(?i:token|apikey|api-key|key)\s{{1,3}}"
      r"([A-Za-z0-9._~+/=-]{16,})")),
    ("session-cookie", "cookie",
     (rf"[Cc](?i:ookie){SEP}[^\n]{{0,120}}?"
      r"(?i:sess(?:ion)?(?:_?id)?|\bsid)=([A-Za-z0-9%._~+/-]{16,}=*)")),
    ("curl-user-password", "curl wget",
     r"""(?:curl|wget)\s[^\n]{0,200}?(?:-u|--user)[ =]["']?[^\s:"']+:(?!\[redacted:)([^\s"']+)"""),
    ("sshpass-password", "sshpass", r"""sshpass\s+-p\s?["']?((?!\[redacted:)[^\s"']+)"""),
    ("client-password", "redis-cli mysql mysqldump mysqladmin mariadb",
     (r"""(?:redis-cli\s[^\n]{0,80}?-a\s?|(?:mysql|mysqldump|mysqladmin|mariadb)\s"""
      r"""(?:[^\n]{0,120}?\s)?-p)["']?((?!\[redacted:)[^\s"'|;&]{6,})""")),
    ("openssl-password", "pass:",
     r"""-pass(?:in|out)?\s+["']?pass:((?!\[redacted:)[^\s"']{4,})"""),
    ("piped-password", "password-stdin",
     (r"""echo\s+(?:-n\s+)?["']?((?!\[redacted:)[^\s"'|]{6,})["']?\s*\|"""
      r"[^\n|]{0,80}--password-stdin")),
    ("pgpass-password", ":5432: :5433: :6432:",
     r"""[A-Za-z0-9_.*-]+:\d{4}:[^\s:"]+:[^\s:"]+:((?!\[redacted:)[^\s"'`\\)]{6,})"""),
    ("netrc-password", "machine", r"machine\s+\S+\s+login\s+\S+\s+password\s+((?!\[redacted:)\S+)"),
    ("connection-string-password", "password&; pwd&;",
     r"""[;"'][ ]?(?i:password|pwd)[ ]?=[ ]?((?!\[redacted:)[^;"'\s]{3,})(?=[;"'])"""),
    ("command-line-secret", "*--",
     (r"--[A-Za-z-]{0,24}(?i:password|passwd|passphrase|token|secret|api-key|access-key)"
      r"""[ =]["']?((?!\[redacted:)[^\s"'`,;<>(){}\[\]|\\]{6,})""")),
    ("environment-command", "env&key env&token env&secret env&passw setenv setx",
     (r"(?:ENV|setenv|setx|SETX)\s+[A-Z0-9_]*(?:KEY|TOKEN|SECRET|PASSWORD|PASSWD|PWD)[A-Z0-9_]*\s+"
      r"""["']?((?!\[redacted:)[^\s"'`$<>]{8,})""")),
    ("whole-password", "=password", whole(HOLDERS["password"], 6)),
    ("whole-secret", "=secret =token =key",
     whole(f"(?:{HOLDERS['secret']}|{HOLDERS['token']}|{HOLDERS['key']})", 12)),
    ("secret-in-prose", "=said",
     (rf"(?:{HOLDERS['secret']}|{HOLDERS['token']}|{HOLDERS['key']}){ABOUT}[A-Za-z0-9_.-]{{0,24}}"
      r"""["'`*]{0,2}\s(?:(?:for|of|on)\s[^\n.;:!?]{1,40}?\s)?(?:is|was|set\sto|to)"""
      r"""(?:\s(?:now|still|set\sto))?\s["'`*]{0,2}((?!\[redacted:)[^\s"'`,;<>\[\]]{14,})""")),
    ("password-assignment", "=password", assigned("password")),
    ("pass-assignment", "=password", assigned("pass")),
    ("secret-assignment", "=secret", assigned("secret")),
    ("token-assignment", "=token", assigned("token")),
    ("api-key-assignment", "=key", assigned("key")),
    ("unknown-token", "#30+",
     (r"(?:(?<![A-Za-z0-9_.+/-])|(?<=\\[nrt]))(?<!sha256=)(?<!sha384=)(?<!sha512=)"
      r"[a-z][a-z0-9]{1,9}_(?:[a-z0-9]{1,10}_){0,2}[A-Za-z0-9]{30,}(?![A-Za-z0-9_-])")),
)  # fmt: skip

# Rules whose match alone is not enough, with the additional test for the value.
TESTS: dict[str, str] = {
    "random": "mandrill-key voyage-key fireworks-key openai-key alibaba-access-key-id fastly-token "
    "ngrok-token marked-token laravel-token clickhouse-cloud-key "
    "cloudflare-token npm-auth-token bearer-header token-header url-token session-cookie",
    "mixed": "unknown-token",
    "credentials": "docker-registry-auth basic-auth-header",
    "written": "postgres-url-password mysql-url-password mongodb-url-password redis-url-password "
    "amqp-url-password url-password curl-user-password sshpass-password netrc-password "
    "connection-string-password openssl-password piped-password",
    "password": "command-line-secret password-assignment client-password pgpass-password "
    "whole-password",
    "strong": "pass-assignment",
    "spoken": "password-in-prose credentials-in-prose",
    "changed": "password-changed",
    "given": "password-before-its-name",
    "beside": "password-beside-its-name",
    "nearby": "password-nearby",
    "value": "secret-assignment token-assignment api-key-assignment environment-command "
    "secret-in-prose whole-secret",
}

RULES = BLOCKS + TOKENS + CONTEXTS + SPOKEN
