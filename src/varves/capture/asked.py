"""Requests to remember, such as "remember that Anna owns billing".

Such a statement is recorded without any other sign that it is lasting. These are left out: tasks
("remember to push"), the speaker's own recollections ("I remember that", "remember when"), requests
that only point at something ("remember this"), and requests that concern only the current task.
"""

from __future__ import annotations

from varves.capture.cue import Cue
from varves.capture.nearmisses import is_moment

_POLITE = (
    r"(?:please |just |also |always |and |so |do |(?:can|could|would|will) you (?:please |also )?|"
    r"you (?:should|must|need to|have to) |i (?:want|need|would like) you to |make sure (?:to |"
    r"you )|"
    r"let us |let's )*"
)
_BEFORE = Cue(
    rf"(?i)^{_POLITE}(?:"
    r"(?:remember|memori[sz]e)(?: this| these)?(?: for (?:later|next time|the future))?|"
    r"(?:keep|bear|have)(?: this| that| it)? in mind(?: for (?:later|next time))?|"
    r"(?:do not|don'?t|never) forget|take note|(?:make|take|leave) a note|"
    r"note(?: down)?(?: (?:for (?:later|next time|(?:the )?future)|to (?:self|myself)))?|"
    r"(?:an? |one |another )(?:quick |small |short |side )?note(?: for later)?(?=[:,;\u2013-])|"
    r"let the record (?:show|state)|"
    r"for (?:your |the )?(?:future|later) (?:reference|sessions?|use)|"
    r"(?:for (?:the )?)?(?:next time|future me)|"
    r"(?:save|store|keep|write) (?:this|that|it)?(?: down)? ?(?:for later|in (?:your |"
    r"the )?memory|to memory)|"
    r"(?:add|put|save|commit)(?: this| it)? (?:to|in|into) (?:your |the )?memory|"
    r"(?:one |another )?(?:thing|something|point)s? to (?:remember|keep in mind|know|note)(?: is)?|"
    r"you (?:should|need to|must|ought to) know"
    r")(?P<sep>(?:[:,;.\u2013-]|\bthat\b| )+)(?P<what>\S.+)$",
    anchors="emember|emori|mind|orget|ote|ecord|eference|essions|ater|ext time|uture|emory|now",
)
_BEHIND = Cue(
    r"(?i)^(?P<what>.{8,}?),? ?[\u2013-]? ?(?:so |please |and )*(?:(?:remember|note|"
    r"memori[sz]e) (?:that|this|it)|"
    r"keep (?:that|this|it) in mind|(?:do not|don'?t) forget (?:that|it|this)|"
    r"for future reference|for next time)[\s.!]*$",
    anchors="emember|ote|emori|mind|orget|eference|ext time",
)
# this is no request in "that when it …"
_ASKS = Cue(r"(?i)^(?:when|how|what|where|why|who|which|if)\b")
_NOT_KEPT = Cue(  # a task, the speaker's own recollection, or a mere reference to something
    r"(?i)^(?:to|me|us|back|about|the (?:time|days?|good|"
    r"last|old|error|"
    r"above|first|following)|(?:that |this |those )?(?:thing|bug|one|time|day|issue|part|bit)s?\b|"
    r"it|this|that|these|those|them)\b(?! (?:repo|repository|project|codebase|team|company|app|"
    r"client|"
    r"customer|monorepo|package|crate|service)\b)"
)
_NOTED = Cue(  # these words may also begin a report about the current moment
    r"(?i)^(?:please |also |just |an? |one |another |quick |small |short |side )*note\b"
    r"(?! (?:that|for|to)\b)"
)
_FUTURE = Cue(r"(?i)\b(?:future|next time|later|memory)\b")


def asked_to_keep(text: str) -> tuple[str, bool] | None:
    """Return the text that a sentence asks to remember, and whether it mentions later sessions.

    None if the sentence is not such a request.
    """
    found = _BEFORE.match(text)
    if found is None:
        found = _BEHIND.match(text)
        if found is None:
            return None
    what = found["what"].strip().removesuffix("?")
    mark = text.replace(found["what"], "")
    firm = "sep" not in found.groupdict() or "that" in found["sep"].lower()
    if _NOT_KEPT.match(what) or (not firm and _ASKS.match(what)) or len(what.split()) < 2:
        return None
    if _NOTED.match(text) and is_moment(what.lower()):
        return None
    return what, firm or _FUTURE.search(mark) is not None
