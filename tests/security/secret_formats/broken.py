"""Hashes of passwords, private keys wrapped in base64, and tokens broken by a line or a joiner.

The tables go with said.py, and are parted like it.
"""

from __future__ import annotations

CRYPT = """
root:$6${c:16}${c:86}:19700:0:99999:7:::
$6$rounds=656000${c:16}${c:86}
usermod -p '$6${c:8}${c:86}' deploy
$5${c:16}${c:43}
$1${c:8}${c:22}
the hash is $1${c:8}${c:22}
admin:$apr1${c:8}${c:22}
.htpasswd holds maya:$apr1${c:8}${c:22}
$2b$12${c:53}
$2y$10${c:53}
hash = "$2a$10${c:53}"
ci:$2y$05${c:53}
$argon2id$v=19$m=65536,t=3,p=4${b64:22}${b64:43}
$argon2i$v=19$m=4096,t=3,p=1${b64:22}${b64:43}
password_hash: $argon2id$v=19$m=19456,t=2,p=1${b64:22}${b64:43}
$y$j9T${c:22}${c:43}
shadow: maya:$y$j9T${c:22}${c:43}:19822:0:99999:7:::
$7$CU..../....{c:22}${c:43}
$scrypt$ln=16,r=8,p=1${b64:22}${b64:43}
pbkdf2_sha256$600000${b62:22}${b64:43}=
$pbkdf2-sha256$29000${b64:22}${b64:43}
$P$B{c:30}
$H$9{c:30}
{SSHA}{b64:38}==
userPassword: {SSHA512}{b64:96}
SCRAM-SHA-256$4096:{b64:22}==${b64:43}=:{b64:43}=
$gy$j9T${c:22}${c:43}
the bcrypt hash of the admin is $2b$12${c:53}, please rotate
scrypt:32768:8:1${b62:16}${hex:128}
"""

FRESH_CRYPT = """
deploy:$6$rounds=5000${c:12}${c:86}
htpasswd: ops:$2y$12${c:53}
'$5$rounds=535000${c:16}${c:43}'
"hash": "$argon2d$v=19$m=102400,t=2,p=8${b64:22}${b64:43}"
{SSHA256}{b64:54}
"""

# A private key in base64: its kind, the columns of a line (0: all in one), the frame.
WRAPPED = """
RSA PRIVATE KEY|0|KEY_B64={w}
RSA PRIVATE KEY|76|key: |\\n  {w}
PRIVATE KEY|0|{w}
PRIVATE KEY|64|{w}
EC PRIVATE KEY|0|"privateKey": "{w}"
EC PRIVATE KEY|76|{w}
OPENSSH PRIVATE KEY|0|SSH_KEY: {w}
OPENSSH PRIVATE KEY|0|echo {w} | base64 -d > id_ed25519
ENCRYPTED PRIVATE KEY|0|tls.key: {w}
PGP PRIVATE KEY BLOCK|0|GPG_B64='{w}'
PRIVATE KEY|0|client-key-data: {w}
DSA PRIVATE KEY|76|{w}
RSA PRIVATE KEY|0|the key in base64 is {w}
OPENSSH PRIVATE KEY|70|data = '''{w}'''
"""

FRESH_WRAPPED = """
PRIVATE KEY|0|- name: TLS_KEY\\n  value: {w}
RSA PRIVATE KEY|72|{w}
"""

# A token that is broken: its format, after how many tenths of it, by what.
BROKEN = """
ghp_{b62:36}|3|nl
ghp_{b62:36}|5|zw
gho_{b62:36}|7|nl
github_pat_{b62:22}_{b62:59}|5|nl
github_pat_{b62:22}_{b62:59}|2|zw
glpat-{url:20}|5|nl
glpat-{url:20}|6|zw
xoxb-{d:12}-{d:13}-{b62:24}|5|nl
xoxb-{d:12}-{d:13}-{b62:24}|7|zw
sk-ant-api03-{url:93}AA|5|nl
sk-ant-api03-{url:93}AA|8|crlf
sk-ant-api03-{url:93}AA|4|zw
sk-proj-{b62:64}|5|nl
sk-proj-{b62:64}|5|zw
AKIA{AN:16}|5|nl
AKIA{AN:16}|5|zw
AIza{b62:35}|6|nl
AIza{b62:35}|4|zwj
npm_{b62:36}|5|nl
npm_{b62:36}|5|bom
hf_{b62:34}|5|nl
hf_{b62:34}|5|shy
sk_live_{b62:24}|6|nl
sk_live_{b62:24}|6|wj
eyJhbGciOiJIUzI1NiJ9.eyJ{b62:60}.{b62:43}|5|nl
eyJhbGciOiJIUzI1NiJ9.eyJ{b62:60}.{b62:43}|5|zw
SG.{b62:22}.{b62:43}|5|nl
SG.{b62:22}.{b62:43}|5|zw
dop_v1_{hex:64}|5|nl
dop_v1_{hex:64}|4|zwj
hvs.{b62:24}|6|nl
hvs.{b62:90}|5|crlf
pypi-AgEIcHlwaS5vcmc{b62:80}|6|nl
pypi-AgEIcHlwaS5vcmc{b62:80}|3|zw
shpat_{hex:32}|5|nl
shpat_{hex:32}|5|zw
dapi{hex:32}|5|zw
lin_api_{b62:40}|5|nl
postgres://app:{b62:18}@db.internal/main|4|zw
password = "{b62:20}"|7|zw
ya29.{b62:60}|5|nl
tskey-auth-{b62:12}-{b62:32}|7|nl
"""

FRESH_BROKEN = """
xoxp-{d:12}-{d:12}-{d:12}-{hex:32}|6|nl
gsk_{b62:52}|5|nl
r8_{b62:37}|4|zw
ghs_{b62:36}|8|nl
AKIA{AN:16}|7|crlf
sk-or-v1-{hex:64}|5|nl
glsa_{b62:32}_{hex:8}|5|zw
pat{b62:14}.{hex:64}|5|nl
whsec_{b62:32}|5|nl
SG.{b62:22}.{b62:43}|7|zwj
"""

FRAMES = (
    "{t}",
    "the token is {t} for CI",
    "I pasted\n{t}\ninto the chat",
    "TOKEN={t}\nREGION=eu-west-1",
)
