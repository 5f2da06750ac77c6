"""What a value has to prove before it is masked for its name's sake.

Names such as `token` or `password` are given blanks, variables, paths and plain words far more
often than secrets. Each test here sees a value, the text it stands in, and where it stands there.
"""

from __future__ import annotations

import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

# Pairs of letters that hardly ever meet in a word: the first letter, then those it avoids. Four in
# ten pairs drawn at random are among them, and one or two in a hundred of the pairs in real words.
_AVOIDS = (
    "ahjoqz bfghkqvwxz cbgjnqvwxz dhjkqwxz ej fbghjkpqvwxz gbdfjkpqtvwxyz hbcfghjknpqvwxz ihijquwy "
    "jbcdfghijklmnpqrtvwxyz kbcdfhjkmpqrvxz lhjmqwxz mfghjknqrvwxz nqxz ohjqyz pbgjkmqvxz "
    "qabcdefghijkmnopqrtvwxyz rhjqxz sbjxz tjkqx uhjkquvwxyz vbcdfghjklmnpqrstuvwxyz "
    "wbcdfgjkmpqtuvwxyz xbghjklnqrsuvwyz ybdfghjkqruvwxyz zbcdfghjklmnopqrstuvwxyz"
)
_ODD = frozenset(word[0] + other for word in _AVOIDS.split() for other in word[1:])

_SHAPES = {
    "algorithm": r"(?is).*(?:sha-?\d|md5|argon|pbkdf|[bs]crypt|base-?(?:64|32)"
    r"|utf-?(?:8|16)|[hrep]s256|ed25519|x25519|oauth2|aes-?\d|rsa-?\d|varchar|int32|int64).*",
    "blank": r"(?is)[$%#@]?\{.*|\$[a-z_][a-z0-9_]*|\$\(.*|%[a-z_]+%?|%\(.*|<.*|\[.*|(.)\1*"
    r"|\*\S{0,3}|\.\..*|.*\.\.\."
    r"|.*x{4}.*|.*\*{3}.*|pass|passwd|password|pwd|secret|token|changeme"
    r"|user|username|none|null|true|false",
    "ours": r"(?s)[a-z]{3}_[0-9a-hjkmnp-tv-z]{12,}|sha\d+[-:].*",
    "code": r"[A-Za-z_][A-Za-z0-9_]*(?:\??\.[A-Za-z_][A-Za-z0-9_]*)+[!?]?",
    "name": r"[A-Za-z]+[0-9]{0,2}(?:[_-](?:[A-Za-z]+[0-9]{0,2}|[0-9]{1,4}))+",
    "path": r"(?s)(?:\.{0,2}|~|[A-Za-z]:)[/\\].*|(?:.*/)?[a-z_.-]{3,}/.*|.*://.*",
    "file": r"[A-Za-z0-9_./-]+\.[a-z]{2,5}",
    "base64": r"(?=[^A-Z]*[A-Z])(?=[^0-9]*[0-9])(?=[^a-z]*[a-z])"
    r"(?:base64:)?[A-Za-z0-9+/]{22,}={0,2}",
    "call": r"(?s)[A-Za-z_][A-Za-z_.]*\(.*",
}


# What names of machines, versions and places are made of.
_THINGS = (
    r"(?i)(?<![a-z])(?:srv|server|prod|test|staging|stage|dev|db|vm|host|node|box|web|app|api|win"
    r"|windows|ubuntu|debian|linux|release|version|rev|build|ticket|issue|step|section|page|table"
    r"|line|level|phase|team|tenant|user|group|port|zone|eu|us|west|east|north|south|central|iso|rfc"
    r"|v|vault|config|settings|env|self|secret|token|key|auth|oauth|file|form|field|class|policy)"
    r"(?![a-z])"
)
_CHANGES = (
    r"(?i)\b(?:re)?(?:set|put|chang|updat|rotat|switch|setz|gesetzt|zurück|änder|geändert|stell|mis\b"
    r"|mets\b|modifi|rempla|réinit|défini|defin|cambi|actuali|restable|qued|puse|pon\b|mud|alter|tro(?:c|qu)"
    r"|redefin|atuali|impost|aggiorn|wurde\b|habe\b)"
)


_USERS = (
    r"(?i)\b(?:user|log-?\s?in\b|sign\sin\b|benutzer|nutzer|utilisateur|identifiant|usuario|usuário"
    r"|utilizador|utente)"
)


def _like(shape: str, value: str) -> bool:
    return re.fullmatch(_SHAPES[shape], value, re.ASCII) is not None


def _random(value: str, _text: str = "", _start: int = 0, _end: int = 0) -> bool:
    """Say whether a value looks drawn by a machine, not made of words."""
    digits = sum(map(str.isdigit, value))
    if digits > 3:
        return True
    letters, chunks, odd = _spelled(value)
    if digits:
        return letters > 0 and (letters < chunks * 3.5 or odd * 6 >= letters)
    return letters >= 12 and _noisy(value)


def _noisy(value: str) -> bool:
    """Say whether the letters of a value make no words, whatever its digits."""
    letters, chunks, odd = _spelled(value)
    return letters > 0 and (letters < chunks * 3 or odd * 6 >= letters)


def _spelled(value: str) -> tuple[int, int, int]:
    """Count the letters of a value, the words they seem to make, and the pairs no word has."""
    chunks = re.findall("[A-Z]?[a-z]+|[A-Z]+", value)
    odd = sum(pair in _ODD for chunk in chunks for pair in _pairs(chunk.lower()))
    return sum(map(len, chunks)), len(chunks), odd


def _pairs(word: str) -> list[str]:
    return [word[at : at + 2] for at in range(len(word) - 1)]


def goes_on(rest: str, least: int) -> bool:
    """Say whether what begins a line is the rest of a token, and no word."""
    return (
        len(rest) >= least
        and re.fullmatch("[A-Z]?[a-z]*|[A-Z]+", rest) is None
        and (any(map(str.isdigit, rest)) or _noisy(rest))
    )


def _mixed(value: str, _text: str, _start: int, _end: int) -> bool:
    """Say whether the last part of a token has letters of both cases and digits, and no words."""
    last = re.split("[_-]", value)[-1]
    kinds = sum(any(map(kind, last)) for kind in (str.islower, str.isupper, str.isdigit))
    return kinds == 3 and _noisy(last)


def _written(value: str, _text: str, _start: int, _end: int) -> bool:
    """Say whether a value is written out, where a blank or a variable could stand."""
    return not _like("blank", value)


def _value(value: str, text: str, start: int, end: int) -> bool:
    """Say whether what is assigned to a token or key is the thing itself."""
    if len(value) < 10 or not _random(value) or (value.isdigit() and len(value) < 20):
        return False
    if not value.isdigit() and not any(map(str.isalpha, value)):
        return False
    if _like("name", value) and not (len(value) >= 20 and _noisy(value)):
        return False
    return _plain(value, text, start, end) and not _like("file", value)


def _password(value: str, text: str, start: int, end: int) -> bool:
    """Say whether what is assigned to a password is a password."""
    digits = sum(map(str.isdigit, value))
    signs = any(sign in "!@#$%^&*?~+" for sign in value[:-1])
    if len(value) < 6 or not _plain(value, text, start, end):
        return False
    if not (digits or signs):
        return _random(value)
    if "passw" in value.lower() and digits < 3:
        return False
    return signs or text[start - 1] in "\"'`" or not _like("name", value)


def _strong(value: str, text: str, start: int, end: int) -> bool:
    """Say whether a word in a sentence can only be a password."""
    value = value.rstrip(".:!?")
    if len(value) < 6 or not any(map(str.isdigit, value)):
        return False
    if _kinds(value) < 3:
        return False
    shapes = ("name", "algorithm")
    return _plain(value, text, start, end) and not any(_like(shape, value) for shape in shapes)


def _spoken(value: str, text: str, start: int, end: int) -> bool:
    """Say whether what "the password is" goes on with is the password."""
    bare = value.rstrip(".:!?")
    if not _told(bare, text, start, end):
        return False
    if _kinds(value) >= 3 and not _named(bare) and not re.fullmatch("[A-Za-z]+[0-9]", bare):
        return True
    if _made(bare) or re.fullmatch("[A-Za-z]?[a-z]{4,}[0-9]{3,6}", bare):
        return True
    few = re.fullmatch(
        r"[A-Za-z]{3,}(?:[0-9]{1,6}|(?:[._-][A-Za-z]{2,})*[._-]?[0-9]{2,6})|[0-9]{6,}", bare
    )
    phrase = re.fullmatch(r"[a-z]{3,}(?:-[a-z]{3,}){3,}", bare)
    dashed = _like("name", bare) and re.search("[0-9]{3}", bare) and _cased(bare)
    if few or phrase or dashed:
        return _closes(text, start, end)
    return _cased(bare) and len(bare) >= 12 and _noisy(bare)


def _changed(value: str, text: str, start: int, end: int) -> bool:
    """Say whether what a password was changed to, by a verb in its clause, is one."""
    if not _spoken(value, text, start, end):
        return False
    before = re.split(r"[.;:!?\n]\s", text[max(0, start - 100) : start])[-1]
    return re.search(_CHANGES, before + text[end : end + 16]) is not None


def _given(value: str, text: str, start: int, end: int) -> bool:
    """Say whether what stands before "as the password" is one."""
    if not _told(value, text, start, end):
        return False
    few = re.fullmatch(r"[A-Za-z]?[a-z]{3,}[._-]?[0-9]{2,6}", value)
    return _made(value) or few is not None or (_kinds(value) >= 3 and not _named(value))


def _made(bare: str) -> bool:
    """Say whether words and digits are put together as in a password, and no name of a thing."""
    digits, parts = sum(map(str.isdigit, bare)), re.findall("[A-Za-z]+", bare)
    if len(bare) < 8 or not digits or re.search(r"[^A-Za-z0-9._!@#$%^&*?~+-]", bare):
        return False
    if re.search(_THINGS, bare) or any(len(part) > 1 and part.isupper() for part in parts):
        return False
    if re.search("[A-Za-z][0-9][a-z]{2}|[a-z]{2}[0-9][a-z]", bare):
        return digits > 1 or _cased(bare)
    if re.search(r"\b[a-z][A-Z]|[a-z0-9][A-Z](?:\b|[0-9])|[0-9][A-Z][a-z]", bare):
        return True
    joined = re.search("[A-Za-z0-9][._-][A-Za-z]{2}", bare)
    inside = digits > 1 or len(parts) > 2 or re.search("[0-9][._-]?[A-Za-z]", bare)
    return bool(joined and inside and _cased(bare))


def _beside(value: str, text: str, start: int, end: int) -> bool:
    """Say whether a word right behind `password` is one, where nothing says so."""
    bare = value.rstrip(".:!?")
    if not _told(bare, text, start, end):
        return False
    before = text[max(0, start - 80) : start]
    user = re.search(_USERS, before) is not None
    if re.search(r"(?i)\bpass\W+$", before) and not user:
        return False  # the verb
    if _made(bare) and (user or _closes(text, start, end)):
        return True
    if re.fullmatch("[A-Za-z]{4,}[0-9]{2,6}", bare):
        return not bare.isupper() and (_kinds(value) >= 3 or _closes(text, start, end))
    if _named(bare):
        return _cased(bare) and re.search("[0-9]{4}", bare) is not None
    signs = any(sign in "!@#$^&?~" for sign in bare)
    return _kinds(value) >= 3 and (signs or _noisy(bare))


def _nearby(value: str, text: str, start: int, end: int) -> bool:
    """Say whether a word some words after `password` can only be one."""
    bare = value.rstrip(".:!?")
    if not _told(bare, text, start, end) or _like("name", bare) or any(map("/=@".count, bare)):
        return False
    letters, chunks, odd = _spelled(bare)
    signs = any(sign in "!#$^&*?~+" for sign in bare)
    return (
        "%" not in bare
        and _kinds(bare) >= 3
        and len(bare) >= 10
        and (signs or odd * 6 >= letters > chunks)
    )


def _told(bare: str, text: str, start: int, end: int) -> bool:
    """Say whether a word of a sentence is no blank, algorithm, product or part of a program."""
    if not 6 <= len(bare) <= 512 or _like("algorithm", bare) or _like("file", bare):
        return False
    if "passw" in bare.lower() and sum(map(str.isdigit, bare)) < 3:
        return False
    if _like("code", bare) and "_" not in bare and _made(bare):
        bare = bare.replace(".", "-")
    return _plain(bare, text, start, end)


def _named(bare: str) -> bool:
    """Say whether a word is put together of words, as names of things are."""
    return _like("name", bare) and (len(bare) < 12 or _kinds(bare) < 3 or not _noisy(bare))


def _kinds(value: str) -> int:
    kinds = (str.islower, str.isupper, str.isdigit, "!@#$%^&*?~+=".__contains__)
    return sum(any(map(kind, value)) for kind in kinds)


def _cased(value: str) -> bool:
    return any(map(str.islower, value)) and any(map(str.isupper, value))


def _closes(text: str, start: int, end: int) -> bool:
    """Say whether a value is quoted, or the last word of its sentence or clause."""
    if text[start - 1] in "\"'`":
        return True
    after = text[end : end + 2].lstrip(" \u00a0")[:1]
    return text[end - 1] in ".:!?" or text[end : end + 1] in ",;)\r\n" or after in "»”"


def _plain(value: str, text: str, start: int, end: int) -> bool:
    """Say whether a value is a literal: no blank, code, path, id of ours or name of a method."""
    after = text[end : end + 1]
    quoted = text[start - 1] in "\"'`"
    if (after in "([" and after) or (quoted and after.isspace()):
        return False
    if not quoted and _like("code", value) and not any(map(_long, value.split("."))):
        return False
    if _like("blank", value) or _like("ours", value):
        return False
    if _like("path", value) and not (_like("base64", value) and _noisy(value)):
        return False
    if _like("call", value) and not _noisy(value):
        return False
    return len(value) > 20 or not _like("algorithm", value)


def _long(part: str) -> bool:
    return len(part) >= 16 and _random(part)


def _credentials(value: str, _text: str, _start: int, _end: int) -> bool:
    """Say whether base64 text holds `user:password`."""
    import binascii

    try:
        return b":" in binascii.a2b_base64(value + "=" * (-len(value) % 4))
    except binascii.Error:
        return False


TESTS: dict[str, Callable[[str, str, int, int], bool]] = {
    "random": _random,
    "mixed": _mixed,
    "written": _written,
    "value": _value,
    "password": _password,
    "strong": _strong,
    "spoken": _spoken,
    "changed": _changed,
    "given": _given,
    "beside": _beside,
    "nearby": _nearby,
    "credentials": _credentials,
}
