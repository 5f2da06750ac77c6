"""Secrets in prose: "the password is …", "das Passwort lautet …", "la clé API est …".

The patterns cover English, German, French, Spanish, Portuguese and Italian. A pattern matches a
noun, perhaps an owner or a purpose, words that announce the value, and the value; the value may
also come first. The value must look like a secret (proofs.py). If the words announce it less
clearly, the test is stricter, because most such sentences only mention a password. The rows have
the same form as in secrets.py.
"""

from __future__ import annotations

A = "['\u2019]"
_ONE = (
    r"(?<=[Pp])(?i:assw(?:or)?[dt]|assphrase|asscode"
    rf"|(?:(?<![A-Za-z0-9_./-].)(?:wd?|ass)(?=\s|[:=]\s|{A}s\s)))"
)
_OTHER = (
    r"(?<=[Cc])(?i:ontrase(?:n\u0303?|ñ|Ñ)a|lave)(?: de acceso)?"
    rf"|(?<=[Cc])ode d{A}accès|(?<=[Ff])rase de paso|(?<=[Kk])(?i:ennwort)|(?<=[Ss])(?i:enha)"
    r"|(?<=[Mm])(?i:ot de passe|dp(?=\s|:))"
    rf"|(?<=[Pp])(?i:alavra-passe|arola d{A}ordine|hrase (?:de passe|secr[eè]te))"
)
NOUN = rf"[CcFfKkMmPpSs](?:{_ONE}|{_OTHER})"
PIECE = "[Tt](?i:oken)"
KEY = (
    r"[ACJSacjs](?:(?<=[Jj])eton|(?<=[Aa])(?i:pi-?\s?)[Ss]chlüssel|(?<=[Ss])chlüssel für die API"
    r"|(?<=[Cc])(?:l(?:é|ef|e|ave)|have|hiave)"
    rf"\s(?:de\s|di\s|da\s|d{A}|de l{A}|dell{A})?"
    r"(?:API|api|acc[eè]s|secr[eè]te|secreta|segreta))"
)
# The owner or purpose of the password: words after a preposition or a relative pronoun, or in
# brackets. They may follow a common word, or any word in languages where the adjective follows its
# noun: "mot de passe temporaire de Chloé".
_OF = (
    "for|of|on|to|from|that|which|they|we|you|für|fürs|von|vom|des|der|zu|zum|zur|im|auf|pour|du|de"
    "|del|do|da|dos|das|di|della|dello|al|alla|au|aux|ao|para|por|par|per|que|che|dafür|dort"
)
_OWNER = rf"(?:\s(?:{_OF}|d{A}[^\s.;:!?=]{{1,20}}))(?:\s[^\s.;:!?=]{{1,24}}){{0,6}}?"
_ABOUT = (
    r"(?!\s(?:manager|polic|hash|field|reset|file|length|strength|rotation|store|storage|vault|prompt"
    r"|generator|rule|check|validat|column|protect|type|hint|auth|encod|entry))"
)
WHOSE = (
    rf"{_ABOUT}(?:\s(?!(?:{_OF})\s)[A-Za-zà-öø-ÿ-]{{2,14}}){{0,2}}?"
    rf"(?:{_OWNER}|\s\([^()\n]{{1,30}}\))?,?"
)
_NOW = (
    r"(?:\s(?:now|still|currently|again|just|simply|actually|always|as\sfollows|jetzt|nun|derzeit"
    r"|aktuell|wieder|einfach|übrigens|immer|wie\sfolgt|ab\s(?:heute|jetzt|sofort|morgen)|maintenant"
    r"|désormais|actuellement|toujours|simplement|ahora|actualmente|siempre|simplemente|agora"
    r"|atualmente|sempre|simplesmente|adesso|ora|attualmente|semplicemente))?"
)
_IS = (
    r"is|was|are|stays|remains|(?:should|must|will)\sbe"
    r"|(?:(?:is|was|has\sbeen|got)\s)?(?:set|reset|changed|updated)\sto"
)
_IST = (
    rf"lautete?|ist|war|wird|bleibt|heißt|heisst|hieß|wurde\sauf|est|était|sera|devient|reste|c{A}est"
    rf"|c{A}était|ce\ssera|es|era|será|fue|pasa\sa\sser|sigue\ssiendo|é|foi|ficou|passou\sa\sser"
    r"|continua\ssendo|è|sarà|sarebbe|diventa|rimane"
)
_ARROW = r"\s?(?:→|[-=]>)\s"
SAYS = rf"(?:\s(?:{_IS}|{_IST}){_NOW}\s?:?\s|{A}s\s|{_ARROW})"
GAP = "[ \t\u00a0\u202f]"
COLON = rf"(?:{GAP}?[:=]{GAP}?)"
# Words that announce the value less clearly, or not at all: "with the password …", "changed the
# password to …".
BESIDE = r"\s(?:(?:to|auf|en|a|para|in)\s)?"
# A few words and a preposition, if a verb near them says that a password is changed.
TO = r"(?:\s[^\s.;:!?=,]{1,16}){0,5}?\s(?:to|auf|en|par|à|a|por|para|in|con|com|como)\s"
# A reference to a password mentioned before: "it stopped working. The new one is …".
_AGAIN = (
    rf"(?i:(?:new\sone|it|das\sneue|es|le\snouveau|la\snueva|a\snova|la\snuova)(?:{SAYS}|\sto\s)"
    rf"|it{A}s\snow\s)"
)
# Words between a value and the noun that follows it: "use … as the password", "… ist das Passwort".
_ARTICLE = (
    r"(?:(?:the|a|an|my|our|your|her|his|their|das|dein|mein|unser|le|la|mon|ton|o|il|el|tu|mi|su|sua"
    r"|minha|nossa|nuestra|nuova?|new|neues|nouveau|nueva|nova|temp[a-z]{1,9}|root|admin|wi-?fi)\s){0,3}"
)
AS = (
    r"\s(?:as|als|comme|en|como|come|is|ist|est|es|è|é|wird|was|war)\s"
    rf"{_ARTICLE}(?:[A-Za-z]{{1,12}}-)?"
)
_ENDS = (
    r"(?=\s*(?:\Z|[.,;:!?)\n])"
    rf"|\s(?:{_OF}|in|at|and|until|und|bei|bis|et|sur|y|en|e|no|na|nel|sul|al|dell?[aeo])\b)"
)
# A few plain words between the noun and the value; the value must be nothing but a secret.
NEAR = r"\s(?:[A-Za-zÀ-ɏ'\u2019-]{1,20}\s){1,7}?"
QUOTE = rf"(?:«{GAP}?|[\"'`*„“]{{0,2}})"
_USER = rf"{QUOTE}[A-Za-z0-9_.@-]{{1,40}}"


def _value(least: int, gate: str = "") -> str:
    return rf"""{QUOTE}{gate}((?!\[redacted:)[^\s"'`,;<>()\[\]«»„“”]{{{least},}})"""


_DIGIT = r"(?=[^\s0-9]{0,40}[0-9])"
# a cheap test: without a digit or sign ahead, no value can follow
_SIGN = r"(?=[^\n0-9!@#$%^&*?~+]{0,120}[0-9!@#$%^&*?~+])"
_NAMES = (
    "=said *asswor passphrase passcode passwd pw pwd kennwort mot&passe mdp phrase&passe "
    "phrase&secr code&acc contrase clave frase&paso senha palavra-passe parola"
)

SPOKEN: tuple[tuple[str, str, str], ...] = (
    ("secret-in-prose", "token zugriffstoken zugangstoken", rf"{PIECE}{WHOSE}{SAYS}{_value(14)}"),
    ("secret-in-prose", "jeton schlüssel clé cle clef clave chave chiave",
     rf"{KEY}{WHOSE}{SAYS}{_value(14)}"),
    ("password-in-prose", _NAMES,
     rf"{NOUN}{WHOSE}(?:{SAYS}|{COLON}){_value(6)}"),
    ("password-in-prose", _NAMES,
     rf"{NOUN}{_SIGN}\S{{0,2}}(?:\s\S{{1,20}}){{0,14}}?\s{_AGAIN}{_value(6, _DIGIT)}"),
    ("password-changed", _NAMES, rf"{NOUN}{_SIGN}{TO}{_value(6, _DIGIT)}"),
    ("password-before-its-name", _NAMES,
     (rf"""(?<![^\s«("'`*„“]){_DIGIT}(?!\[redacted:)([^\s"'`,;<>()\[\]«»„“”]{{6,64}}+)[»"'`*“”]{{0,2}}"""
      rf"{AS}{NOUN}{_ENDS}")),
    ("password-beside-its-name", _NAMES, rf"{NOUN}{_SIGN}{BESIDE}{_value(6)}"),
    ("password-nearby", _NAMES, rf"{NOUN}{_SIGN}{NEAR}{_value(10)}"),
    ("credentials-in-prose",
     ("credentials creds credenciales credenciais credenziali zugangsdaten anmeldedaten "
      "identifiants login zugang accès acceso accesso acesso"),
     (r"[AaCcIiLlZz](?i:redentials|reds|reden[cz]ia(?:le?s|is|li)|ugangsdaten|nmeldedaten|dentifiants"
      r"|ogin|ugang|cc[eè]s|ccesso|cceso|cesso)"
      rf"(?:{_OWNER})?(?:\s(?:is|are|ist|sind|est|sont|es|son|é|são|è|sono|with|as)\s|{COLON})"
      rf"{_USER}(?:\s?[/|]\s?|:){_value(6)}")),
)  # fmt: skip
