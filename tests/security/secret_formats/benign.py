"""Lines that hold no secret: those of installed files, and some made up to look suspicious.

Half is read at test time from the standard library and the installed packages (their code, their
metadata, their lists of hashes), half is drawn from the makers below. The choice is seeded.
"""

from __future__ import annotations

import base64
import os
import random
import sysconfig

from tests.security.secret_formats.drawing import draw

_PROSE = """
the index is rebuilt from the log when it is missing so nothing depends on it we decided to keep
tokens out of the cache key because the password reset flow needs a fresh secret each time a
branch is merged tests run in random order and the primary key of a row never changes use the
settings module for environment access maya prefers short commit messages deploys happen on
tuesday after review the api returns pages of fifty items sorted by creation time
"""

_TEMPLATES = """
commit {hex:40}
{hex:7} Fix the token parser (#{d:3})
index {hex:7}..{hex:7} 100644
diff --git a/src/auth/token.py b/src/auth/token.py
Merge {hex:40} into {hex:40}
From {hex:40} Mon Sep 17 00:00:00 2001
    --hash=sha256:{hex:64} \\
  integrity: sha512-{b64:86}==
      "integrity": "sha512-{b64:86}==",
    "resolved": "https://registry.example.org/left-pad/-/left-pad-1.{d:1}.0.tgz",
checksum = "{hex:64}"
golang.org/x/crypto v0.{d:2}.0 h1:{b64:43}=
github.com/pkg/errors v0.{d:1}.1/go.mod h1:{b64:43}=
image: registry.example.org/app@sha256:{hex:64}
digest: sha256:{hex:64} size: {d:4}
ETag: "{hex:32}"
{uuid} user logged in from 10.0.{d:2}.{d:2}
2026-03-04T10:11:12Z INFO request_id={uuid} path=/v1/items status=200 took={d:3}ms
2026-03-04 10:11:12,{d:3} DEBUG [worker-{d:1}] trace={hex:32} span={hex:16} done
INFO token count {d:4} of {d:5} used
max_tokens={d:4}, temperature=0.{d:1}
The tokenizer splits {d:5} tokens into {d:3} chunks.
  "usage": {"prompt_tokens": {d:4}, "completion_tokens": {d:3}, "total_tokens": {d:4}},
cache_key = f"{user.id}:{hex:8}"
primary_key: {d:9}
sort_key={d:10}-{d:4}
partition key is {d:6}
"key": "{a:8}", "value": {d:5}
"key": "{a:5}-{d:4}", "value": "{a:9}"
- name: LOG_LEVEL\n  value: debug{d:2}
<item key="width" value="{d:4}px" />
<id>{d:8}</id><name>{a:9}</name>
password = os.environ["DB_PASSWORD_{d:1}"]
password: ${DB_PASSWORD_{d:1}}
password = getpass.getpass("Password {d:1}: ")
DB_PASSWORD=changeme
API_KEY=your-api-key-here
token = request.headers.get("X-Auth-Token-{d:1}")
self.token = token_{d:1} or self._default_token
secret = secrets.token_hex({d:2})
const token = await getToken({ audience: "api-{d:1}" });
if (password.length < {d:1}) { throw new Error("password too short"); }
access_token: ${{ secrets.DEPLOY_TOKEN_{d:1} }}
Authorization: Bearer $TOKEN_{d:1}
Authorization: Bearer <token>
curl -H "Authorization: Bearer ${API_TOKEN}" https://api.example.com/v{d:1}/items/{d:5}
DATABASE_URL=postgres://user:password@localhost:5432/db{d:1}
DATABASE_URL=postgres://localhost:{d:4}/main
git clone https://github.com/acme/app-{d:3}.git
git remote add origin git@github.com:acme/app-{d:3}.git
ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI{b64:43} jane@host
ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAABgQ{b64:200} jane@host
-----BEGIN CERTIFICATE-----
MIID{b64:60}
fingerprint SHA256:{b64:43}
PublicKey = {b64:43}=
<img src="data:image/png;base64,iVBORw0KGgo{b64:120}">
background: url(data:image/svg+xml;base64,PHN2ZyB4bWxucz0i{b64:100}=);
@font-face{font-family:"Inter";src:url(/fonts/inter.{hex:8}.woff2) format("woff2")}
.btn-{a:6}:hover{color:#{hex:6};box-shadow:0 1px 2px rgba(0,0,0,.{d:2})}
!function(e,t){"use strict";var n={};n.{a:2}=function(r){return e.{a:3}(t.{a:2},r)},n.key="{a:4}"}(this);
(self.webpackChunk=self.webpackChunk||[]).push([[{d:3}],{{d:4}:(e,t,n)=>{n.d(t,{Z:()=>o})}}]);
//# sourceMappingURL=main.{hex:8}.js.map
<script src="/assets/index-{url:8}.js" integrity="sha384-{b64:64}" crossorigin></script>
Content-Security-Policy: script-src 'nonce-{b64:22}=='
	at com.acme.billing.auth.TokenProvider${d:1}.refresh(TokenProvider.java:{d:3})
	at org.springframework.security.oauth2.client.OAuth2AuthorizedClientManager.authorize(X.java:{d:3})
Caused by: java.lang.IllegalStateException: key {d:5} not found
  File "/usr/lib/python3.11/site-packages/acme/tokens.py", line {d:3}, in refresh_token
TypeError: expected str, got bytes (token {d:3})
panic: runtime error: index out of range [{d:2}] with length {d:1}
goroutine {d:3} [running]:
0x{hex:16} in __libc_start_main ()
#{d:1}  0x{hex:12} in main () at main.c:{d:3}
pod/web-{hex:10}-{an:5} 1/1 Running 0 {d:2}h
arn:aws:iam::{d:12}:role/deploy-{d:2}
arn:aws:secretsmanager:eu-west-1:{d:12}:secret:db-{a:6}
s3://acme-backups/2026/03/dump-{hex:12}.sql.gz
https://example.com/articles/{d:6}?utm_source=mail&page={d:2}#section-{d:1}
https://www.youtube.com/watch?v={url:11}
SELECT token_id, created FROM tokens WHERE id = {d:6};
INSERT INTO items (id, sku) VALUES ('{uuid}', 'SKU-{d:6}');
ALTER TABLE users ADD COLUMN password_hash varchar({d:3});
version = "1.{d:2}.{d:1}"
Requires-Dist: cryptography>={d:2}; extra == "secrets"
sha1={hex:40} md5={hex:32}
The build {hex:40} broke on {d:2} March, see run {d:10}.
Revert to {hex:8}; the token refresh in {hex:8} is wrong.
mem_{crock:26} was corrected by evt_{crock:26}
{"id":"evt_{crock:26}","kind":"memory.recorded","hlc":"{hex:16}","data":{"memory":"mem_{crock:26}"},"hash":"{hex:64}"}
{"writer":"{hex:12}","seq":{d:4},"prev":"{hex:64}","hash":"{hex:64}"}
{"sub":"{d:10}","name":"Jane","exp":{d:10}}
ISBN 978-{d:1}-{d:5}-{d:3}-{d:1}, phone +49 30 {d:7}
IBAN DE{d:2} {d:4} {d:4} {d:4} {d:4} {d:2}
192.168.{d:2}.{d:2} - - [04/Mar/2026:10:11:12 +0000] "GET /token HTTP/1.1" 200 {d:4}
docker run -p {d:4}:80 --name web-{d:2} nginx:1.{d:2}
kubectl get secret db-{a:5} -o yaml
npm_config_cache=/tmp/npm-{d:4}
export PATH=$HOME/.local/bin:$PATH:/opt/tool-{d:2}/bin
The password must have at least {d:2} characters and one of !@#.
Passwords are hashed with argon2id (m={d:5}, t=3).
I set the keyboard layout to de-{d:4} yesterday.
Rotate the API key every {d:2} days; it is in the vault under apps/{a:6}/key-{d:1}.
public static final String TOKEN_HEADER_{d:1} = "X-Csrf-Token";
com.acme.security.authentication.ApiKeyAuthenticationFilter{d:1}
token_type: bearer, expires_in: {d:4}
monkey patch key handling in module{d:2}.key_event(KeyCode.F{d:1})
uses: actions/checkout@{hex:40} # v4.{d:1}
rev: {hex:40}
+Subproject commit {hex:40}
nonce: {hex:24}, block 0x{hex:64}
Ethereum address 0x{hex:40}
bitcoin address bc1q{an:38}
\\u{hex:4}\\u{hex:4} escaped \\x{hex:2}
{b64:76}
{hex:64}  dist/app-1.{d:1}.tar.gz
"""  # noqa: E501


def made(count: int) -> list[str]:
    """Return so many made-up lines."""
    rng = random.Random("varves benign")
    templates = [line for line in _TEMPLATES.splitlines() if line]
    lines = []
    for number in range(count):
        if number % 5 == 0:
            lines.append(
                " ".join(rng.choices(_PROSE.split(), k=rng.randint(6, 24))).capitalize() + "."
            )
            continue
        template = templates[number % len(templates)].replace("\\n", "\n").replace("\\\\", "\\")
        lines.append(draw(rng, template))
    return lines


def found(count: int) -> list[str]:
    """Return so many lines of files that are installed here."""
    rng = random.Random("varves found")
    paths = sysconfig.get_paths()
    files = [*_files(paths["stdlib"]), *_files(paths["purelib"])]
    lines: list[str] = []
    for path in rng.sample(files, min(len(files), 400)):
        with open(path, encoding="utf-8", errors="replace") as file:
            content = [
                line.rstrip("\n") for line in file.read(400_000).splitlines() if line.strip()
            ]
        lines += rng.sample(content, min(len(content), 25))
    rng.shuffle(lines)
    return lines[:count]


def _files(root: str) -> list[str]:
    ends = (
        ".py",
        ".pyi",
        "RECORD",
        "METADATA",
        ".txt",
        ".toml",
        ".json",
        ".js",
        ".css",
        ".html",
        ".md",
    )
    found_here = []
    for place, folders, names in os.walk(root):
        folders[:] = sorted(
            {*folders} - {"test", "tests", "__pycache__", "site-packages", "testing"}
        )
        found_here += [os.path.join(place, name) for name in sorted(names) if name.endswith(ends)]
    return found_here


def picture(size: int) -> str:
    """Return a base64 image in one line, as pasted into Markdown."""
    rng = random.Random("varves picture")
    return "![x](data:image/png;base64," + base64.b64encode(rng.randbytes(size)).decode() + ")"
