"""Records a person's consent to project settings, as tables in a file in the user's folder.

Each table names the checkout by its path and a token in its git folder. Tables and tokens are only
appended, so two processes can record consents at once. To withdraw a consent, a table that says
`withdrawn` is appended; a person may also remove the tables.
"""

from __future__ import annotations

from varves.errors import Damaged, Refused, VarvesError
from varves.settings import CONSENTS, agreements, checkout, waiting_now
from varves.values.consents import digest

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from varves.events.event import Draft
    from varves.settings import Settings
    from varves.values.consents import Asked


def agree_to_all(settings: Settings, shown: Collection[Asked] | None = None) -> tuple[Asked, ...]:
    """Record consent to all settings that wait for it in this checkout; return the new consents.

    Args:
        settings: the settings of the ledger.
        shown: the settings that the person has looked at.

    Raises:
        Damaged: a setting is invalid, so its effect is unknown.
        Refused: other settings wait than those that the person has looked at.
    """
    if settings.invalid:
        from varves.values.guarded import line

        raise Damaged(line(settings.invalid), "fix or remove it; no consent was recorded")
    asked = waiting_now(settings)
    if shown is not None and not set(asked) <= set(shown):
        raise Refused("the settings have changed since they were shown", "look at them again")
    return agree(settings, asked)


def agree(settings: Settings, asked: Iterable[Asked]) -> tuple[Asked, ...]:
    """Record consent to the given settings in this checkout; return the new consents.

    Raises:
        Damaged: the file of consents cannot be read.
        Refused: the file or the checkout's token cannot be written.
    """
    from varves.settings.checkout_token import NONE, add_checkout_token, checkout_tokens

    place, home = checkout(settings.root), settings.home
    known, there = agreements(home).get(place, frozenset()), checkout_tokens(settings.root)
    agreed = {mark for mark, token in known if token in there}
    fresh = tuple(one for one in asked if digest(one) not in agreed)
    if fresh:
        ours = there & {token for _, token in known}
        token = "" if there == NONE else min(ours, default="") or add_checkout_token(settings.root)
        _append(settings, fresh, f'token = "{token}"\n' if token else "")
    return fresh


def withdraw(settings: Settings, asked: Iterable[Asked]) -> None:
    """Take back the consent to the given settings in this checkout.

    Raises:
        Refused: the file cannot be written.
    """
    _append(settings, asked, "withdrawn = true\n")


def _append(settings: Settings, asked: Iterable[Asked], more: str) -> None:
    from varves.settings.checkout_token import append

    home, place = settings.home, _quoted(checkout(settings.root))
    text = "".join(
        f"[[agreed]]\ncheckout = {place}\nsetting = {_quoted(one[0])}\n"
        f'digest = "{digest(one)}"\n{more}\n'
        for one in asked
    )
    try:
        append(home, CONSENTS, text.encode())
    except OSError as fault:
        reason = f"{home}/{CONSENTS} cannot be written: {fault.strerror}"
        raise Refused(reason, "no consent was recorded") from None


def agree_to_hooks(settings: Settings, protocols: Iterable[str]) -> None:
    """Record consent to hooks for some protocols; if this fails, the person is asked later."""
    from varves.values.consents import PROTOCOLS
    from varves.values.written import HOOKED

    try:
        agree(settings, [(PROTOCOLS, one) for one in protocols if one in HOOKED])
    except VarvesError:
        pass


def _quoted(text: str) -> str:
    """Return a text as a quoted TOML string."""
    from json import dumps

    return dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def refuse_waiting(settings: Settings, team: str) -> None:
    """Raise an error if a write is for a team to whose folder this person has not consented."""
    if settings.is_lost(team):
        raise Refused(
            f"the folder of team {team} is unknown: the team settings are invalid",
            "varves status shows why",
        )
    if settings.is_waiting(team):
        raise Refused(
            f"the folder of team {team} waits for your consent",
            "varves status shows it, varves trust --settings accepts it",
        )


def refuse_drafts(settings: Settings, drafts: Iterable[Draft]) -> None:
    """Raise an error if a team's memories would be recorded in the project's log instead.

    This would happen as long as the person has not consented to the team's folder.
    """
    for draft in drafts:
        record = draft.data.get("record")
        for part in (draft.data, record if isinstance(record, dict) else {}):
            level, _, name = str(part.get("scope", "")).partition(":")
            if level == "team":
                refuse_waiting(settings, name)
