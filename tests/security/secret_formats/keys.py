"""Keys in armour and tokens with an inside: the whole block is the format.

Every maker returns a text and the parts of it that are secret.
"""

from __future__ import annotations

import json
import textwrap

from tests.security.secret_formats.drawing import draw
from tests.security.secret_formats.making import MAKERS, b64, made, url64

TYPE_CHECKING = False
if TYPE_CHECKING:
    import random

    from tests.security.secret_formats.making import Made, Maker

# ------------------------------------------------------------------------- keys in armour

_BLOCKS = {
    "pem-rsa": ("RSA PRIVATE KEY", 1190, 64),
    "pem-pkcs8": ("PRIVATE KEY", 1218, 64),
    "pem-encrypted": ("ENCRYPTED PRIVATE KEY", 1300, 64),
    "pem-ec": ("EC PRIVATE KEY", 121, 64),
    "pem-dsa": ("DSA PRIVATE KEY", 450, 64),
    "pem-ed25519": ("PRIVATE KEY", 48, 64),
    "ssh-openssh": ("OPENSSH PRIVATE KEY", 300, 70),
    "ssh-com": ("SSH2 ENCRYPTED PRIVATE KEY", 600, 70),
    "pgp-private": ("PGP PRIVATE KEY BLOCK", 800, 64),
}


def _block(label: str, size: int, width: int) -> Maker:
    def make(rng: random.Random) -> Made:
        body = b64(rng.randbytes(size))
        lines = textwrap.wrap(body, width)
        begin, end = f"-----BEGIN {label}-----", f"-----END {label}-----"
        if "PGP" in label:
            begin += "\n"
        form = rng.randrange(5)
        if form == 0:
            text = "\\n".join([begin, *lines, end])
            text = '{"type": "key", "private_key": "' + text + '\\n"}'
        elif form == 1:
            text = "tls:\n  key: |\n" + textwrap.indent("\n".join([begin, *lines, end]), "    ")
        elif form == 2:  # pasted and cut off: the end is missing
            text = "\n".join(["here is the key:", begin, *lines])
        elif form == 3:
            text = "\r\n".join([begin, *lines, end, ""])
        else:
            text = "\n".join(["cat id_rsa", begin, *lines, end, "and that was all"])
        return text, [line for line in lines if len(line) >= 12]

    return make


for _name, (_label, _size, _width) in _BLOCKS.items():
    MAKERS[_name] = _block(_label, _size, _width)


@made("putty-ppk")
def _ppk(rng: random.Random) -> Made:
    public, private = b64(rng.randbytes(270)), b64(rng.randbytes(580))
    lines = textwrap.wrap(private, 64)
    text = "\n".join(
        (
            "PuTTY-User-Key-File-3: ssh-rsa",
            "Encryption: none",
            "Comment: jane@host",
            f"Public-Lines: {len(textwrap.wrap(public, 64))}",
            *textwrap.wrap(public, 64),
            f"Private-Lines: {len(lines)}",
            *lines,
            f"Private-MAC: {draw(rng, '{hex:64}')}",
        )
    )
    return text, [line for line in lines if len(line) >= 12]


@made("jwk-private")
def _jwk(rng: random.Random) -> Made:
    secret = url64(rng.randbytes(32))
    key = {
        "kty": "EC",
        "crv": "P-256",
        "x": url64(rng.randbytes(32)),
        "y": url64(rng.randbytes(32)),
    }
    return json.dumps({**key, "d": secret, "kid": "2026-03"}), [secret]


@made("gcp-service-account")
def _service_account(rng: random.Random) -> Made:
    lines = textwrap.wrap(b64(rng.randbytes(1218)), 64)
    begin, end = "-----BEGIN PRIVATE KEY-----\n", "\n-----END PRIVATE KEY-----\n"
    content = {
        "type": "service_account",
        "project_id": "acme-prod",
        "private_key_id": draw(rng, "{hex:40}"),
        "private_key": begin + "\n".join(lines) + end,
        "client_email": "ci@acme-prod.iam.gserviceaccount.com",
        "token_uri": "https://oauth2.googleapis.com/token",
    }
    return json.dumps(content, indent=rng.choice((None, 2))), [
        line for line in lines if len(line) >= 12
    ]


# ------------------------------------------------------------------- tokens with an inside


@made("jwt")
def _jwt(rng: random.Random) -> Made:
    head = rng.choice(('{"alg":"HS256","typ":"JWT"}', '{"alg":"RS256","kid":"a1","typ":"JWT"}'))
    body = json.dumps({"sub": draw(rng, "{d:10}"), "iat": 1772000000, "scope": "admin"})
    signature = url64(rng.randbytes(rng.choice((32, 64, 256))))
    token = ".".join((url64(head), url64(body), signature))
    frame = rng.choice(
        (
            "Authorization: Bearer {}",
            "cookie: session={}; Path=/",
            '"id_token":"{}"',
            "it sent {} back",
            "https://app.example.com/cb#access_token={}&state=1",
            "{}",
        )
    )
    return frame.format(token), [signature]


@made("jwe")
def _jwe(rng: random.Random) -> Made:
    parts = [url64('{"alg":"RSA-OAEP","enc":"A256GCM"}')]
    parts += [url64(rng.randbytes(size)) for size in (256, 12, 120, 16)]
    return f"token: {'.'.join(parts)}", [parts[1], parts[3]]


@made("sentry-org")
def _sentry(rng: random.Random) -> Made:
    claims = {"iat": 1772000000.1, "url": "https://sentry.io", "region_url": "https://de.sentry.io"}
    token = f"sntrys_{b64(json.dumps({**claims, 'org': 'acme'}))}_{draw(rng, '{b64:43}')}"
    return rng.choice(("SENTRY_AUTH_TOKEN={}", "token={}", "we use {} there")).format(token), [
        token[-43:]
    ]


@made("grafana-cloud")
def _grafana_cloud(rng: random.Random) -> Made:
    inside = {"o": "1234", "n": "ci", "k": draw(rng, "{b62:24}"), "m": {"r": "eu"}}
    token = "glc_" + b64(json.dumps(inside))
    return rng.choice(("GRAFANA_TOKEN={}", "pushing with {} now")).format(token), [token[4:]]


@made("grafana-legacy")
def _grafana_legacy(rng: random.Random) -> Made:
    token = b64(json.dumps({"k": draw(rng, "{b62:32}"), "n": "ci", "id": 1}, separators=(",", ":")))
    return rng.choice(("GRAFANA_API_KEY={}", "Bearer {}", "pushing with {} now")).format(token), [
        token
    ]


@made("mapbox-secret")
def _mapbox(rng: random.Random) -> Made:
    inside = json.dumps({"u": "acme", "a": draw(rng, "ck{an:23}")}, separators=(",", ":"))
    token = f"sk.{url64(inside)}.{draw(rng, '{url:22}')}"
    return rng.choice(("MAPBOX_TOKEN={}", "tiles?access_token={}", "use {} there")).format(token), [
        token[3:]
    ]


@made("macaroon-pypi")
def _pypi(rng: random.Random) -> Made:
    inside = (
        b"\x02\x01\x08pypi" + b".org\x02\x24" + draw(rng, "{uuid}").encode() + rng.randbytes(60)
    )
    token = "pypi-" + url64(inside)
    text = f"[pypi]\nusername = __token__\npassword = {token}\n"
    return rng.choice((text, f"twine upload -u __token__ -p {token} dist/*")), [token[-60:]]
