"""The cues (words of lasting statements) in German, French and Spanish: few and unambiguous."""

from __future__ import annotations

from varves.capture.cue import Cue

_DE = (
    r"merke? dir|denk(?:e)? daran,? dass|vergiss nicht,? dass|beachte,? dass|zur info|nur zur info|"
    r"zur kenntnis|wichtig"
)
_FR = (
    r"souviens-toi|rappelle-toi|retiens|n'oublie pas que|note(?:z)? (?:bien )?que|sache(?:z)? que|"
    r"pour info|pour information|à savoir|attention"
)
_ES = (
    r"recuerda que|acuérdate de que|ten en cuenta que|toma nota|apunta que|no olvides que|"
    r"para que sepas|para tu información|que sepas que|ojo|cuidado|importante"
)
KEEP = Cue(
    rf"^(?:bitte |s'il te plaît |por favor )?(?:{_DE}|{_FR}|{_ES})"
    r"(?:,? (?:bitte|dass|que|qu')\b|[:,;.\u2013-]| )+(?P<what>.+)",
    anchors=(
        "dir|daran|nicht|beachte|info|kenntnis|wichtig|souviens|rappelle|retiens|oublie|"
        "note|sache|savoir|attention|recuerda|acuérdate|cuenta|nota|apunta|olvides|sepas|"
        "ojo|cuidado|importante"
    ),
)
LASTING = Cue(
    r"\b(?:ab (?:jetzt|sofort)|künftig|zukünftig|in zukunft|von nun an|in diesem projekt|"
    r"désormais|dorénavant|à l'avenir|à partir de maintenant|dans ce projet|"
    r"a partir de ahora|de ahora en adelante|en adelante|en el futuro|en este proyecto)\b",
    anchors=(
        "ab |künftig|zukunft|von nun|diesem|désormais|dorénavant|avenir|partir|ce projet|"
        "adelante|futuro|este proyecto"
    ),
)
ORDER = Cue(
    r"\bbitte (?:immer|nie|niemals|stets)\b|\b(?:immer|nie|niemals|stets) bitte\b|"
    r"\bwir (?:\w+ ){1,4}?(?:immer|nie|niemals|grundsätzlich)\b|"
    r"\b(?:muss|müssen|darf|dürfen|soll|sollen) (?:\w+ ){0,6}?(?:immer|nie|niemals|stets|"
    r"grundsätzlich|"
    r"ausschließlich)\b|\bgrundsätzlich (?:nie|immer|nur|keine?)\b|"
    r"^(?:nie|niemals|immer) \w+ (?:\w+ ){0,6}?\w+en$|"
    r"\b(?:on|nous) (?:ne |n')?\w+ (?:jamais|toujours)\b|\bil (?:ne )?faut (?:jamais|toujours)\b|"
    r"\b(?:doit|doivent|dois) (?:jamais|toujours)\b|\bne (?:doit|doivent|faut) jamais\b|"
    r"^(?:toujours|ne jamais|jamais de) \w+|"
    r"\b(?:siempre|nunca) (?:hay que|se debe|se deben|usa|usamos|usar|pon|pongas|hagas|haz|ejecuta|"
    r"escribe|escribimos|subas|toques|cambies)\b|\b(?:hay que|debe|deben|tiene que|tienen que) "
    r"(?:\w+ ){0,2}?(?:siempre|nunca)\b",
    anchors="immer|nie|stets|grundsätzlich|ausschließlich|jamais|toujours|siempre|nunca",
)
HERE = Cue(
    r"\b(?:bei uns|in unserem (?:projekt|team|code|repo)|in unserer (?:codebasis|firma)|"
    r"chez nous|dans (?:notre|nos) \w+|en nuestro \w+|en nuestra \w+|aquí en el (?:equipo|"
    r"proyecto))\b",
    anchors="bei uns|unserem|unserer|chez nous|notre|nos |nuestr|aquí",
)
DECIDED = Cue(
    r"\bwir haben (?:uns |nun |jetzt )*(?:\w+ ){0,8}?(?:entschieden|beschlossen|geeinigt|"
    r"festgelegt)\b|"
    r"^(?:beschlossen|entschieden|entscheidung|décision|décidé|decisión|decidido) ?:|"
    r"\bwir (?:bleiben bei|setzen (?:jetzt |ab jetzt )?auf|steigen um auf|nehmen (?:jetzt|also|"
    r"dann)) |"
    r"\b(?:on a|nous avons) (?:donc |finalement )?(?:décidé|choisi|opté|convenu)\b|"
    r"\bon (?:part|reste|passe) (?:donc )?(?:sur|à|avec) (?!ça|cela|celui)|"
    r"\b(?:hemos decidido|decidimos|hemos acordado|acordamos|quedamos en)\b|"
    r"\bnos quedamos con (?!es[toae]|la primera|el primero)|\bpasamos a usar\b",
    anchors=(
        "entschieden|beschlossen|geeinigt|festgelegt|entscheidung|bleiben|setzen|steigen|"
        "nehmen|décid|décis|choisi|opté|convenu|part|reste|passe|decid|decisi|acorda|"
        "quedamos|pasamos"
    ),
)
PREFERS = Cue(
    r"\bich (?:bevorzuge|ziehe .{3,60} vor\b|mag .{3,40} lieber|mag keine)|\bmir (?:ist|sind) "
    r".{3,60} "
    r"lieber\b|\bich (?:hätte|habe|will|möchte) (?:\w+ ){0,3}?(?:immer|grundsätzlich|generell)\b|"
    r"\bje préfère (?!ça|cela|celui|celle|la (?:première|deuxième)|le (?:premier|deuxième)|"
    r"attendre|ne pas)|"
    r"\bj'aime mieux (?!ça|cela)|\bje n'aime pas (?:les|le|la|l') ?\w+|"
    r"\bprefiero (?!es[toae]|aquello|la (?:primera|segunda)|el (?:primero|segundo)|no\b|que lo|"
    r"esperar)|"
    r"\bme gustan? más (?!es[toae])|\bno me gustan? (?:los|las)\b",
    anchors="bevorzuge|ziehe|mag |lieber|immer|grundsätzlich|generell|préfère|aime |prefiero|gusta",
)
TASK = Cue(r"\b(?:mach(?:e|st)?|kannst|könntest|tu peux|peux-tu|puedes|haz)\b.*$")
