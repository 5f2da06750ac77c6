"""Secrets as people tell them: "the password is …", "das Passwort lautet …", "la clé API est …".

English, German, French, Spanish, Portuguese and Italian. A noun, perhaps whose or what for, a word
that says what follows, and the value, which has to look like one (proofs.py): most sentences that
begin so tell about a password and do not tell it. The rows are written as in secrets.py.
"""

from __future__ import annotations

A = "['\u2019]"
ONE = r"[Pp](?i:assw(?:or)?[dt]|assphrase|asscode|(?:(?<![A-Za-z].)(?:wd?|ass)(?=\s)))"
OTHER = (
    r"[CcFfKkMmPpSs](?:(?<=[Cc])(?i:ontrase(?:n\u0303?|ñ|Ñ)a|lave)(?: de acceso)?"
    rf"|(?<=[Cc])ode d{A}accès|(?<=[Ff])rase de paso|(?<=[Kk])(?i:ennwort)|(?<=[Ss])(?i:enha)"
    r"|(?<=[Mm])(?i:ot de passe|dp(?=\s|:))"
    rf"|(?<=[Pp])(?i:alavra-passe|arola d{A}ordine|hrase (?:de passe|secr[eè]te)))"
)
PIECE = "[Tt](?i:oken)"
KEY = (
    r"[ACJSacjs](?:(?<=[Jj])eton|(?<=[Aa])(?i:pi-?\s?)[Ss]chlüssel|(?<=[Ss])chlüssel für die API"
    r"|(?<=[Cc])(?:l(?:é|ef|e|ave)|have|hiave)"
    rf"\s(?:de\s|di\s|da\s|d{A}|de l{A}|dell{A})?"
    r"(?:API|api|acc[eè]s|secr[eè]te|secreta|segreta))"
)
# Whose it is or what for: a few words, begun by a preposition, in brackets, or one that is usual.
_OF = (
    "for|of|on|to|from|für|von|vom|des|der|zu|zum|zur|im|auf|pour|du|de|del|do|da|dos|das|di|della"
    "|para|por|par|per"
)
WHOSE = (
    rf"(?:\s(?:(?:{_OF})\s|d{A})[^\n.;:!?=]{{1,40}}?|\s\([^()\n]{{1,30}}\)"
    r"|\s(?:(?i:root|admin[a-z]{0,10}|wi-?fi|wlan|default|padrão)|(?:you|we) (?:need|use)))"
)
_NOW = (
    r"(?:\s(?:now|still|currently|jetzt|nun|derzeit|aktuell|maintenant|désormais|actuellement|ahora"
    r"|actualmente|agora|atualmente|adesso|ora))?"
)
SAYS = (
    rf"(?:{_NOW}\s(?:is|was|are|(?:should|must|will)\sbe|(?:(?:is|was|has\sbeen|got)\s)?"
    r"(?:set|reset|changed|updated)\sto|lautete?|ist|war|heißt|heisst|hieß|wurde\sauf|est|était|sera"
    rf"|es|era|será|é|è|sarà){_NOW}\s?:?|{A}s|\s?(?:→|[-=]>))\s"
)
GAP = "[ \t\u00a0\u202f]"
COLON = rf"(?:{GAP}?:{GAP}?)"
# Words that say it less plainly, or none: "with the password …", "changed the password to …".
BESIDE = r"\s(?:(?:to|auf|en|a|para|in)\s)?"
# A few plain words in between, where only a value that can be nothing else counts.
NEAR = r"\s(?:[A-Za-zÀ-ɏ'\u2019-]{1,14}\s){1,5}?"
QUOTE = rf"(?:«{GAP}?|[\"'`*„“]{{0,2}})"


def _value(least: int) -> str:
    return rf"""{QUOTE}((?!\[redacted:)[^\s"'`,;<>()\[\]«»„“”]{{{least},}})"""


_ONE = "=said *asswor passphrase passcode"
_OTHER = (
    "kennwort mot&passe mdp phrase&passe phrase&secr code&acc contrase clave frase&paso senha "
    "palavra-passe parola"
)

SPOKEN: tuple[tuple[str, str, str], ...] = (
    ("secret-in-prose", "token zugriffstoken zugangstoken", rf"{PIECE}{WHOSE}?{SAYS}{_value(14)}"),
    ("secret-in-prose", "jeton schlüssel clé cle clef clave chave chiave",
     rf"{KEY}{WHOSE}?{SAYS}{_value(14)}"),
    ("password-in-prose", _ONE, rf"{ONE}(?:{WHOSE}?{SAYS}|{WHOSE}{COLON}){_value(6)}"),
    ("password-in-prose", _OTHER, rf"{OTHER}{WHOSE}?(?:{SAYS}|{COLON}){_value(6)}"),
    ("password-beside-its-name", _ONE, rf"{ONE}{BESIDE}{_value(6)}"),
    ("password-beside-its-name", _OTHER, rf"{OTHER}{BESIDE}{_value(6)}"),
    ("password-nearby", _ONE, rf"{ONE}{NEAR}{_value(10)}"),
    ("password-nearby", _OTHER, rf"{OTHER}{NEAR}{_value(10)}"),
    ("credentials-in-prose",
     ("credentials creds credenciales credenciais credenziali zugangsdaten anmeldedaten "
      "identifiants"),
     (r"[CcZzAaIi](?i:redentials|reds|reden[cz]ia(?:le?s|is|li)|ugangsdaten|nmeldedaten|dentifiants)"
      rf"(?:\s(?:are|sind|sont|son|são|sono)\s|{COLON}){QUOTE}[A-Za-z0-9_.@-]{{1,40}}\s?[/:|]\s?"
      rf"{_value(6)}")),
)  # fmt: skip
