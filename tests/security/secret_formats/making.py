"""What the makers of whole lines, files and blocks share: a register, and everyday words."""

from __future__ import annotations

import base64

from tests.security.secret_formats.drawing import draw

TYPE_CHECKING = False
if TYPE_CHECKING:
    import random
    from collections.abc import Callable

    Made = tuple[str, list[str]]
    Maker = Callable[[random.Random], Made]

MAKERS: dict[str, Maker] = {}


def made(
    name: str,
) -> Callable[[Maker], Maker]:
    def keep(maker: Maker) -> Maker:
        MAKERS[name] = maker
        return maker

    return keep


def password(rng: random.Random) -> str:
    return draw(rng, rng.choice(("{b62:12-24}", "{url:16-32}", "{print:12-20}", "{human}")))


def word(rng: random.Random) -> str:
    return rng.choice(
        ("app", "admin", "deploy", "svc_billing", "ci-bot", "postgres", "root", "jane")
    )


def host(rng: random.Random) -> str:
    return rng.choice(
        (
            "db.internal",
            "localhost",
            "10.0.4.12",
            "prod-1.example.com",
            "cluster0.ab1cd.mongodb.net",
        )
    )


def b64(value: bytes | str) -> str:
    return base64.b64encode(value if isinstance(value, bytes) else value.encode()).decode()


def url64(value: bytes | str) -> str:
    raw = value if isinstance(value, bytes) else value.encode()
    return base64.urlsafe_b64encode(raw).decode().rstrip("=")
