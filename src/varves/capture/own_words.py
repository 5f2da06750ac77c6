"""Returns the speaker's own words in a message, without text of other people or programs.

Memory must not learn from its own output, nor from text that a person only pastes. First, the
blocks that hosts and this program inject are removed, in any order and even if they are not closed
correctly. Then summaries after a context compaction, code, quoted lines, logs and chats are
removed, and everything after a sentence that announces a paste. In doubt, text is removed: a
learning that is missed will be said again, but a false learning remains in memory.
"""

from __future__ import annotations

import re

from varves.capture.cue import Cue

MOST = 24_000  # the most characters of a message that are read; half of them are from its end
_OPENING_OF = 2000  # the first characters of a message, which show who wrote it
_BLOCKS = 200  # the most injected blocks that are searched for in one message

_OPENING = re.compile(r"<(?P<name>[A-Za-z][\w.:-]{0,80})(?:\s[^<>]{0,400})?>")
_INJECTED = frozenset(("context", "instructions", "memories", "memory", "reminder", "system"))
_FENCE = re.compile(
    r"^[ \t]*(?P<mark>`{3,}|~{3,})[^\n]*\n.*?(?:^[ \t]*(?P=mark)[^\n]*$|\Z)",
    re.MULTILINE | re.DOTALL,
)
_INLINE_FENCE = re.compile(r"```.*?(?:```|\Z)", re.DOTALL)
_SUMMARY = Cue(
    r"^\W{0,8}(?:this (?:session|conversation) is (?:being )?continued"
    r"|(?:here is |here's )?(?:a |the )?(?:compacted |compact |conversation |session |context )?"
    r"(?:summary|recap) (?:of|from) (?:the |our |this |what )?"
    r"(?:\w+ ){0,3}(?:conversation|session|context|chat|far|happened)"
    r"|(?:previous |earlier |prior )?(?:conversation|session|context|history)"
    r"(?: was| has been)? ?(?:summary|summari[sz]ed|compacted|compressed|truncated)"
    r"|compact(?:ed|ion)? (?:summary|context)"
    r"|the (?:conversation|session)(?: so far)? (?:was|has been) (?:compacted|summari[sz]ed))",
    anchors="summ|recap|continued|compact|compress|truncated",
)
_MACHINE = Cue(
    r"^\W{0,4}(?:caveat: the messages below were generated|\[request interrupted|"
    r"(?:stop|post\w+|pre\w+|session\w+) hook (?:feedback|blocking|context)|api error:|"
    r"base directory for this skill|<[\w-]+>\s*$)",
    anchors="caveat|interrupted|hook|error|directory|>",
)
_LINE = re.compile(  # lines of a form that people do not type into a prompt
    r"^\s*(?:"
    r">|\||[+-]{3} |@@ |\$ |%% |PS [A-Z]:|"
    r"\[?\d{4}-\d\d-\d\d[ T]\d\d:\d\d|\[?\d{1,2}:\d\d(?::\d\d)?(?: ?[ap]m)?\]?[ :,-]|"
    r"at \S+ ?\(|at \S+:\d|File \"|Traceback |Caused by|Exception in |npm (?:ERR|error|WARN)|"
    r"(?:error|warning|fatal|panic)(?:\[\w+\])?: |(?:ERROR|WARN|INFO|DEBUG|FAIL|PASS|E  )\b|"
    r"(?:from|to|subject|date|cc|sent|author): |<[@\w .-]{1,40}>|"
    r"@?[A-Z][\w.-]{0,30}(?: [A-Z][\w.-]{0,30})?(?: \(?\d{1,2}:\d\d[^)\n]{0,6}\)?)?: "
    r")"
)
_PLAIN_LEAD = Cue(  # words before a colon that are not a speaker's name
    r"(?i)^\s*(?:note|rule|decision|decided|fyi|ps|p\.s|btw|reminder|remember|preference|"
    r"convention|"
    r"correction|heads[- ]up|important|for the record|merke?|info|hinweis|achtung|regel|"
    r"règle|décision|rappel|attention|nota|regla|decisión|ojo|recuerda|also|no|nope|nah|wrong|"
    r"incorrect|ok|okay|yes|one more thing|last thing|next|todo)\b",
)
_PASTE = Cue(
    r"(?i)(?:\b(?:posted|wrote|writes|said|says|sent|replied|answered|commented|got|found|received|"
    r"reads?|pasted?|pasting|copied|quoting?|quote|forwarded|this|these|below|following|"
    r"e?-?mail|message|slack|chat|ticket|issue|review|comment|log|logs|output|answer|reply|"
    r"docs?|article|snippet|notes|minutes|transcript|schrieb|schreibt|sagt|diese[rs]?|"
    r"folgende[rs]?|dit|écrit|ceci|suivant|dijo|escribió|esto|siguiente)\b[^\n]{0,80})"
    r"(?::|\?|\.{3}|…)[ \t]*\n",
    anchors="\n",
)
_ANNOUNCED = Cue(
    r"(?i)^[^\n]{0,160}\b(?:posted|wrote|said|says|sent|replied|answered|told)\b"
    r"[^\n]{0,60}:[ \t]+\S",
    anchors=": |:\t",
)


def own_words(text: str) -> str:
    """Return the user's own words in a message; "" if no text is left."""
    if len(text) > MOST:
        half = MOST // 2
        text = f"{text[:half]}\n{text[-half:]}"
    # one client escapes the text that it injects
    text = text.replace("&lt;", "<").replace("&gt;", ">")
    if _is_made(text):
        return ""
    text = without_blocks(text)
    if _is_made(text):
        return ""
    text = _INLINE_FENCE.sub("\n", _FENCE.sub("\n", text))
    text = _before_paste(text)
    lines = [line for line in text.split("\n") if _is_typed(line)]
    return "\n".join(lines).strip()


def _is_made(text: str) -> bool:
    """Return whether a program wrote the message, such as a summary of a cut context."""
    opening = text[:_OPENING_OF].lower()
    return _SUMMARY.match(opening) is not None or _MACHINE.match(opening) is not None


def said_by_agent(text: str) -> str:
    """Return the agent's own words in a message, without code, quoted lines and injected blocks."""
    text = without_blocks(text[:MOST])
    text = _INLINE_FENCE.sub("\n", _FENCE.sub("\n", text))
    return "\n".join(line for line in text.split("\n") if not line.lstrip().startswith(">")).strip()


def without_blocks(text: str) -> str:
    """Return a text without the blocks between tags.

    A block that is not closed extends to the end of the text. If there are more closing than
    opening tags, the text of the block contains a closing tag. So the block extends to the last
    closing tag.
    """
    start = 0
    for _ in range(_BLOCKS):
        found = _OPENING.search(text, start)
        if found is None:
            return text
        name = found["name"].lower()
        lowered, closing = text.lower(), f"</{name}"
        closed = lowered.count(closing, found.start())
        if closed:
            opened = lowered.count(f"<{name}", found.start())
            at = (lowered.rfind if closed > opened else lowered.find)(closing, found.end())
            end = text.find(">", at)
            text = f"{text[: found.start()]}\n{text[end + 1 :] if end >= 0 else ''}"
        elif "-" in name or "_" in name or name in _INJECTED:
            return text[: found.start()]
        else:
            start = found.end()  # this is a type parameter, or a tag that is only mentioned
    return ""


def _before_paste(text: str) -> str:
    """Return a text up to a line that announces another person's words."""
    found = _PASTE.search(text)
    if found is not None:
        text = text[: found.end()]
    if _ANNOUNCED.match(text):
        text = text.partition(":")[0]
    return text


def _is_typed(line: str) -> bool:
    return _LINE.match(line) is None or _PLAIN_LEAD.match(line) is not None
