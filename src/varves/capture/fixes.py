"""Finds errors with their fixes: a run that fails, a change, and a similar run that succeeds.

All three are required. The recorded text is from the agent, which wrote it between the failure and
the successful run (the proof) or directly after it. The tool's error message is not recorded.
Failures that cannot recur elsewhere are left out: the agent's own mistakes (it had edited before
the run), assertions, lint and type errors, merge conflicts, and errors in the project's own code.
"""

from __future__ import annotations

from varves.capture.clauses import clauses
from varves.capture.cue import Cue
from varves.capture.cues import SEEN_CURED
from varves.capture.learning import Learning
from varves.capture.own_words import own_words, said_by_agent
from varves.language.sentences import plain
from varves.values.text import words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from varves.values.signals import SessionMessage

LOOK = 20_000  # the most characters of a tool's answer that are read, half of them from each end
NEAR = 8  # the most messages from an explanation to its proof
FAR = 60  # the most messages from the failure to the proof
SHORTEST = 6  # the fewest words of an explanation
LONGEST = 600  # the most characters of the text that is kept
_SHORT = 100  # the most characters of a command that the text quotes

_RUNNING = Cue(
    r"(?i)bash|shell|exec|terminal|command|run_|process|powershell",
)
_WRITING = Cue(
    r"(?i)edit|write|patch|replace|create|insert|update_file|notebook|save",
)
_COMMAND = Cue(r"^\$ (?P<line>[^\n]+)")
_SETTING = Cue(
    r"\b(?:install|upgrade|downgrade|config|set|unset|export|chmod|chown|chgrp|usermod|ulimit|"
    r"sysctl|"
    r"restart|start|stop|enable|disable|prune|clean|clear|reset|login|trust|pin|rm|mv|ln|mkdir|"
    r"kill|"
    r"mount|update|use|add|sed|tee|echo|generate|migrate|apply)\b"
)
_ERROR = Cue(
    r"(?i)\b(?:error|fatal|failed|failure|exception|traceback|panic|aborted|terminated|killed|"
    r"denied|"
    r"not found|cannot|could not|unable to|refused|timed out|segmentation fault|exit (?:code|"
    r"status)"
    r":? ?[1-9])",
)
_OWN_CODE = Cue(
    r"(?i)\b(?:AssertionError|NameError|ReferenceError|AttributeError|SyntaxError|IndexError|"
    r"KeyError|"
    r"TypeError|ValueError|UnboundLocalError|ZeroDivisionError|NoMethodError|NullPointerException|"
    r"IndexOutOfBounds\w*|runtime error|is not defined|undefined (?:name|variable|method|local)|"
    r"cannot (?:find (?:symbol|name|type)|read propert\w+|assign|convert)|unresolved reference|"
    r"undeclared|not declared|unknown field|no (?:member|method|field) named|has no member|"
    r"not assignable|unexpected token|mismatched types|TS\d{4}|unused (?:variable|import)|"
    r"panicked at|no-unused|prettier|eslint|clippy::|rubocop|flake8|golangci|"
    r"\d+ (?:tests? )?failed|Merge conflict)\b|"
    r"error\[E\d{4}\]|CONFLICT \(|undefined: \w|\bassert\b.*[=!<>]=|expect\(|"
    r"\bExpected\b[^\n]*\n?[^\n]*\b(?:received|got|actual)\b|\bFAIL(?:ED)?\b[^\n]*test|"
    r"\u2715|\u2717|\u2718",
)
_SURROUNDINGS = Cue(
    r"(?i)\b(?:out of memory|heap limit|oom|no space|enospc|disk quota|eaddrinuse|address already "
    r"in "
    r"use|"
    r"(?:port|bind)\b[^\n]{0,60}(?:allocated|in use)|econn\w+|connection (?:refused|reset|timed)|"
    r"(?:translate|resolve) host ?name|dns|name resolution|certificate|self.signed|ssl|openssl|"
    r"permission denied|eacces|eperm|operation not permitted|unsupported|incompatib\w+|"
    r"inconsistent|"
    r"requires? \S+ ?[<>=^~]|version (?:mismatch|conflict|required|is not|too)|wrong version|"
    r"could not (?:find|resolve|connect|load|locate|open|determine)|command not found|"
    r"no such (?:module|host)|missing (?:dependency|header|library)|peer dep\w*|eresolve|"
    r"lock (?:timeout|wait)|database is locked|deadlock|glibc\w*|libstdc\w*|shared librar\w+|"
    r"undefined symbol|linker|dyld|time(?:d )?out|terminated|killed|sig(?:kill|term|segv|abrt|bus)|"
    r"exit(?:ed with)?(?: code| status)?:? 13[47]|nan|cuda\w*|cudnn|unicodedecode\w*|codec can't|"
    r"invalid byte|locale|time ?zone|clock skew|too many (?:open files|connections)|rate limit\w*|"
    r"quota exceeded|unauthori[sz]ed|modulenotfounderror|cannot find module|no module named|"
    r"gradle|jvm|jdk|toolchain|xcode|docker|daemon|container|kube\w*|helm|terraform|"
    r"not recogni[sz]ed as|unknown (?:option|flag)|invalid configuration|exec format|node-gyp|"
    r"failed to (?:build|run) (?:custom build|wheel|\w+ wheel)|cors|read-only file system|"
    r"submodule|"
    r"checksum|integrity|corrupt\w*|flaky|never locally|works? locally|only (?:in|on) (?:ci|prod)|"
    r"(?:in|on) ci\b|hangs?|native binary|optional dependenc\w+)\b",
)
_CONFIG = Cue(
    r"(?i)(?:^|/)(?:[\w.-]*\.(?:toml|ini|cfg|conf|lock|properties|gradle|kts|env|tf|nix|plist|"
    r"cmake)|"
    r"(?:docker-)?compose[\w.-]*\.ya?ml|\.github/workflows/[\w.-]+|\.gitlab-ci\.yml|"
    r"(?:package|tsconfig[\w.]*|composer|angular|babel)\.json|\w+\.config\.\w+|dockerfile[\w.-]*|"
    r"makefile|\.env[\w.]*|\.\w+rc|conftest\.py|requirements[\w.-]*\.txt|gemfile|podfile|procfile|"
    r"go\.mod|pom\.xml)$",
)
_SLIP = Cue(
    r"\b(?:i (?:forgot|missed|mistyped|misread|broke|introduced|overlooked|left out)|my "
    r"(?:mistake|bad|"
    r"slip|typo|error)|typo|oversight|oops|sorry|ich habe .{0,30}vergessen|mein fehler|j'ai oublié|"
    r"olvidé|se me pasó)\b"
)
_FAILED_TRY = Cue(
    r"\b(?:no (?:change|effect|luck|difference)|still (?:fails|failing|hangs|broken|there|the "
    r"same|red)|"
    r"did(?:n't| not) help|was not it|wasn't it|same (?:error|result|failure))\b"
)
_CAUSE = Cue(
    r"\b(?:because|caused?|came from|comes from|due to|since|so (?!i\b)|was|were|is|are|had|has|"
    r"without|"
    r"needs?|needed|expects?|requires?|missing|default|instead|weil|lag|kam|wegen|fehlte|"
    r"parce|venait|vient|causé|manquait|porque|venía|viene|faltaba|lee|por)\b"
)
_GUESS = Cue(
    r"\b(?:maybe|perhaps|might|could|probably|options?|i will|i would|let us|try|vielleicht|"
    r"peut-être|"
    r"quizás?)\b"
)
_BECAUSE = Cue(  # words that occur in explanations but not in reports
    r"\b(?:because|caused?|came from|comes from|due to|since|so (?!i\b|far\b|that\b|let\b)|hence|"
    r"explains?|"
    r"which (?:makes?|means?|breaks?|is why)|no longer|by default|stays? in|gets? stuck|"
    r"not your code|"
    r"dropped|weil|wegen|dadurch|deshalb|parce|où|donc|porque|por eso)\b"
)
_CHANGING = Cue(
    r"\b(?:i (?:am |have |will |just |now )*(?:add|set|put|remov|regenerat|pin|replac|install|bump|"
    r"downgrad|upgrad|switch|chang|mov|disabl|enabl|clear|export|mount|rebuil|rais|lower|grant|us|"
    r"point|configur|restart|delet|renam|exclud|cap|turn|pass|reset|revert|increas|decreas|"
    r"limit)\w*|"
    r"(?:setting|adding|pinning|raising|removing|switching|upgrading|downgrading|"
    r"with) \S+ .*\b(?:fixes|"
    r"brings|returns|works|helps|solves|stops|passes)|je (?:mets|passe|change|remplace|supprime)|"
    r"j'ajoute|ich (?:setze|füge|ersetze|nehme|stelle|ändere)|(?:lo )?(?:cambio|añado|pongo|"
    r"quito))\b"
)
_CHANGED = Cue(
    r"\bi (?:have |just |now |also )*(?:added|set|put|removed|regenerated|pinned|replaced|"
    r"installed|bumped|"
    r"changed|moved|disabled|enabled|cleared|exported|rebuilt|raised|lowered|granted|restarted|"
    r"deleted)\b",
    anchors="i ",
)
_REFUSED = Cue(r"^(?:no|nope|nah|wait|stop|do not|leave|not)\b")
_DOUBT = Cue(
    r"\b(?:maybe|perhaps|possibly|probably|might|could be|one possibility|vielleicht|peut-être|"
    r"quizás?)\b"
)
_ELSEWHERE = Cue(  # words that say that the cause is outside the project's own code
    r"\b[A-Z]{2,}_[A-Z][A-Z_]+\b|(?i:\bby default\b|\bupstream\b|\bdrivers?\b|\bkernel\b|"
    r"\bproxy\b|\bvpn\b|"
    r"\bcaches?\b|\block ?file\b|\bencoding\b|\btime ?zone\b|\bline endings\b|\bcrlf\b|"
    r"\bcase[- ]sensitive|"
    r"\bsince (?:version |v)?\d|\b(?:version|release) \d|\bas of \d|\bhomebrew\b|"
    r"\bapple silicon\b|\barm64\b)"
)
_EXPECTED = Cue(r"^(?:as )?expected\b|\bexpected (?:after|from|since|with)\b", anchors="expected")
_SEEN_GREEN = Cue(r"\b(?:is|are|all) green\b|\bis gone\b|\bpasses\b", anchors="green|gone|passes")
_NARRATION = Cue(
    r"^(?:let me|i will (?:run|check|look|see|try|print|start|have|reproduce|take)|checking|"
    r"looking|"
    r"running|let us (?:see|check)|now (?:let|i)|of course|sure|ok(?:ay)?|got it|i am (?:going|"
    r"running)|"
    r"(?:it|the (?:build|test|tests|suite|debug build))(?: \w+)? (?:builds?|passes|pass|works|"
    r"runs|succeeds)"
    r"(?: now| again)?$|all \w+ (?:tests )?pass|done$|fixed$|resolved$|that works|"
    r"ich (?:sehe|schaue|führe)|je (?:regarde|lance)|lo ejecuto|claro)\b"
)


def fixes(messages: Sequence[SessionMessage]) -> list[Learning]:
    """Return the errors that were fixed in a session, with their fixes, in the agent's words."""
    found = _followed(messages)
    return [*found, *_explained(messages, found)]


def _followed(messages: Sequence[SessionMessage]) -> list[Learning]:
    """Return the fixes in which the same command first fails and then succeeds."""
    found: list[Learning] = []
    untouched, start = _untouched(messages), 0
    while start < len(messages):
        if not untouched[start] or not _opens(messages[start]):
            start += 1
            continue
        one, start = _episode(messages, start)
        if one is not None:
            found.append(one)
    return found


def _explained(messages: Sequence[SessionMessage], known: list[Learning]) -> list[Learning]:
    """Return the fixes whose cause and change the agent explains, and which are confirmed later."""
    found: list[Learning] = []
    start, begun = 0, 0
    for at, message in enumerate(messages):
        if message.role != "assistant" or at < start or not _explains_fix(message):
            continue
        error = _last_error(messages, begun, at)
        proof = None if error is None else _proof(messages, error, at)
        if error is None or proof is None or any(error <= one.settled <= proof for one in known):
            continue
        one = _told_at(messages, error, at, proof)
        if one is not None:
            found.append(one)
            start = begun = proof
    return found


def _explains_fix(message: SessionMessage) -> bool:
    """Return whether a text explains a cause and a change, without guessing or apologising."""
    said = plain(said_by_agent(message.text))
    if not (_BECAUSE.search(said) and _CHANGING.search(said)):
        return False
    return not any(one.search(said) for one in (_SLIP, _FAILED_TRY, _EXPECTED, _DOUBT))


def _last_error(messages: Sequence[SessionMessage], begun: int, at: int) -> int | None:
    """Return the index of the message that shows or reports the error that is explained."""
    for place in range(at - 1, max(begun, at - FAR) - 1, -1):
        message = messages[place]
        if failed(message) or (
            message.role in ("user", "tool") and _ERROR.search(_ends(message.text)) is not None
        ):
            return place
    return None


def _proof(messages: Sequence[SessionMessage], error: int, at: int) -> int | None:
    """Return the index of the message that confirms a fix: a successful run or an answer."""
    if _is_proven(messages, error, at):
        return at
    changed = _CHANGED.search(plain(said_by_agent(messages[at].text))) is not None
    asks = messages[at].text.rstrip().endswith("?")
    for place in range(at + 1, min(len(messages), at + NEAR)):
        message = messages[place]
        if wrote(message):
            changed = True
        elif message.role == "user":
            said = plain(own_words(message.text))
            if _confirms(message) or _SEEN_GREEN.search(said):
                return place if changed else None
            if not asks or _REFUSED.match(said):
                return None
            asks = False  # the user was asked, and says how to continue
        elif message.role == "assistant" and _FAILED_TRY.search(plain(message.text)):
            return None
        elif _runs(message):
            return place if changed or "&&" in _command(message) else None
    return None


def _is_proven(messages: Sequence[SessionMessage], error: int, at: int) -> bool:
    """Return whether something changed after an error and the last run before `at` succeeded."""
    since = messages[error + 1 : at]
    changed = next((n for n, one in enumerate(since) if wrote(one) or _sets(one, "")), None)
    if changed is None:
        return False
    runs = [one for one in since[changed + 1 :] if _RUNNING.search(one.tool or "")]
    return bool(runs) and _runs(runs[-1])


def _told_at(
    messages: Sequence[SessionMessage], error: int, at: int, proof: int
) -> Learning | None:
    """Return a fix in the agent's own words; None if the error cannot occur in another project."""
    seen = _ends(messages[error].text)
    text = _explains(messages[at].text)
    if not (_can_be_met_again(messages, error, proof) or _ELSEWHERE.search(text)):
        return None
    complaint = next(
        (own_words(messages[n].text) for n in range(at, -1, -1) if messages[n].role == "user"), ""
    )
    if failed(messages[error]) and _OWN_CODE.search(seen) and not _SURROUNDINGS.search(complaint):
        return None
    files = tuple(dict.fromkeys(name for one in messages[at : proof + 1] for name in one.files))
    named = set(words(f"{seen} {complaint}"))
    shared = [word for word in set(words(text)) if len(word) > 2 and word in named]
    if len(text.split()) < 2 * SHORTEST or len(shared) < 2:
        return None
    return _learning(messages, text, at, settled=proof, files=files)


def failed(message: SessionMessage) -> bool:
    """Return whether a tool's answer reports that a run failed."""
    if message.role != "tool" or not _RUNNING.search(message.tool or ""):
        return False
    if message.ok is not None:
        return not message.ok
    return _ERROR.search(_ends(message.text)) is not None


def wrote(message: SessionMessage) -> bool:
    """Return whether a tool's answer reports a change to files."""
    if message.role != "tool" or message.ok is False:
        return False
    return bool(message.files) or bool(_WRITING.search(message.tool or ""))


def _untouched(messages: Sequence[SessionMessage]) -> list[bool]:
    """Return, for each message, whether the agent changed no file since the user's last message."""
    found, untouched = [], True
    for message in messages:
        found.append(untouched)
        untouched = message.role == "user" or (untouched and not wrote(message))
    return found


def _opens(message: SessionMessage) -> bool:
    """Return whether a message shows a failure that the agent's own code did not cause."""
    return failed(message) and not _OWN_CODE.search(_ends(message.text))


def _episode(messages: Sequence[SessionMessage], start: int) -> tuple[Learning | None, int]:
    """Follow a failure to the successful run that proves its fix.

    Return the fix, or None, and the index at which to continue.
    """
    changed = last = start
    command = _program(messages[start])
    for at in range(start + 1, min(len(messages), start + FAR)):
        message = messages[at]
        if failed(message):
            last = at
        elif wrote(message) or _sets(message, command):
            changed = at
        elif message.role == "user":
            if changed > last and _confirms(message):
                return _told(messages, start, last, changed=changed, proof=at), at + 1
        elif _runs(message) and changed > last and _same(command, _program(message)):
            return _told(messages, start, last, changed=changed, proof=at), at + 1
    return None, start + 1


def _runs(message: SessionMessage) -> bool:
    return (
        message.role == "tool" and bool(_RUNNING.search(message.tool or "")) and not failed(message)
    )


def _sets(message: SessionMessage, failing: str) -> bool:
    """Return whether a command succeeded and changed the environment of the failing command."""
    line = _command(message) if _runs(message) else ""
    return bool(_SETTING.search(line)) and _program(message) != failing


def _command(message: SessionMessage) -> str:
    """Return the first line of the command that was run.

    It is taken from the call or, if there is none, from the text.
    """
    if message.call is not None:
        return message.call.partition("\n")[0].strip()
    found = _COMMAND.match(message.text)
    return found["line"].strip() if found else ""


def _program(message: SessionMessage) -> str:
    """Return a tool's command without the parts that vary between attempts; "" if unknown."""
    line = _command(message)
    parts = [one for one in line.split() if not one.startswith("-") and "=" not in one]
    while parts and parts[0] in ("sudo", "timeout", "time", "env", "npx", "cd", "&&"):
        parts = parts[1:]
        if parts and parts[0].isdigit():
            parts = parts[1:]
    return " ".join(parts[:2])


def _same(one: str, other: str) -> bool:
    return (
        not one
        or not other
        or one == other
        or one.split(maxsplit=1)[0] == other.split(maxsplit=1)[0]
    )


def _confirms(message: SessionMessage) -> bool:
    said = plain(own_words(message.text))
    return bool(SEEN_CURED.search(said)) and "?" not in said and not _FAILED_TRY.search(said)


def _told(
    messages: Sequence[SessionMessage], start: int, last: int, *, changed: int, proof: int
) -> Learning | None:
    """Return a fix from what the agent said about a failure.

    Return None if that does not explain enough.
    """
    files = tuple(dict.fromkeys(name for one in messages[last : changed + 1] for name in one.files))
    if not _can_be_met_again(messages, start, changed):
        return None
    after = _next_word(messages, proof)
    tellings = [at for at in range(last, changed) if messages[at].role == "assistant"]
    whole = [*tellings, *([after] if after is not None else [])]
    if any(_SLIP.search(plain(messages[at].text)) for at in whole):
        return None
    error = set(words(_ends(messages[start].text)))
    late = _explains(messages[after].text) if after is not None else ""
    named = [word for word in set(words(late)) if word in error and len(word) > 2]
    if (
        _CAUSE.search(plain(late))
        and len(named) >= 2
        and len(late.split()) >= 2 * SHORTEST
        and after is not None
    ):
        return _learning(messages, late, after, settled=after, files=files)
    if not tellings:
        return None
    main = _explains(messages[tellings[-1]].text)
    first = next((at for at in range(start + 1, changed) if messages[at].role == "assistant"), None)
    if first is not None and first < tellings[-1]:
        main = f"{_explains(messages[first].text, only_seen=True)} {main}".strip()
    told = plain(main)
    if len(main.split()) < SHORTEST or _FAILED_TRY.search(told) or not _CAUSE.search(told):
        return None
    command = _command(messages[start])
    if command and len(command) <= _SHORT:  # the command is also a text of the agent
        main = f"`{command}` failed: {main}"
    return _learning(messages, main, tellings[-1], settled=proof, files=files)


def _learning(
    messages: Sequence[SessionMessage], text: str, at: int, *, settled: int, files: tuple[str, ...]
) -> Learning | None:
    if len(text) > LONGEST:
        return None
    return Learning(
        kind="error_fix",
        text=text,
        by="agent",
        message_index=at,
        settled=settled,
        key=messages[at].key,
        files=files,
    )


def _next_word(messages: Sequence[SessionMessage], proof: int) -> int | None:
    """Return the index of the agent's next message; None if the user writes first."""
    for at in range(proof + 1, len(messages)):
        if messages[at].role == "user":
            return None
        if messages[at].role == "assistant":
            return at
    return None


def _explains(text: str, *, only_seen: bool = False) -> str:
    """Return the sentences of a text that explain the error or the change; reports are left out.

    If `only_seen` is set, guesses and plans are left out too, because their outcome is reported
    later.
    """
    kept = [
        one.text
        for one in clauses(said_by_agent(text))
        if not one.asks
        and len(one.plain.split()) >= SHORTEST - 2
        and not _NARRATION.search(one.plain)
        and not (only_seen and _GUESS.search(one.plain))
    ]
    return " ".join(one if one[-1:] in ".!?" else f"{one}." for one in kept)


def _can_be_met_again(messages: Sequence[SessionMessage], start: int, changed: int) -> bool:
    """Return whether an error can occur in other projects.

    It can if the environment, a tool or a setting caused it, and not the project's own code.
    """
    seen = _ends(messages[start].text)
    complaint = next(
        (
            own_words(messages[at].text)
            for at in range(start - 1, -1, -1)
            if messages[at].role == "user"
        ),
        "",
    )
    if _SURROUNDINGS.search(seen) or _SURROUNDINGS.search(complaint):
        return True
    touched = [name for one in messages[start : changed + 1] for name in _written(one)]
    return any(_CONFIG.search(name) for name in touched)


def _written(message: SessionMessage) -> tuple[str, ...]:
    """Return the files that a change names."""
    if message.files or not wrote(message):
        return message.files
    return tuple(part.strip("`'\".,:") for part in message.text[:400].split() if "." in part)


def _ends(text: str) -> str:
    """Return the beginning and the end of a tool's answer, without the middle."""
    half = LOOK // 2
    return text if len(text) <= LOOK else f"{text[:half]}\n{text[-half:]}"
