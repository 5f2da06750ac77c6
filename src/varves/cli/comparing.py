"""The verbs that show memories beside each other: of two moments, and around one thing."""

from __future__ import annotations

from varves.cli.progress import Progress
from varves.cli.render import Answer, Dim, Strong, beginning, counted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from varves import Ledger
    from varves.cli.arguments import Given
    from varves.cli.render import Line
    from varves.questions.around import Surroundings
    from varves.questions.comparison import Diff, MemoryChange, MemoryCorrection

_TOUCHED = 12  # the most things that are named in one line
_MOST = 50  # the most memories of each kind in a list for people
_BEGINNING = 160  # the most characters of a text in such a list


def diff(ledger: Ledger, given: Given) -> Answer:
    """Compare the memories of two moments."""
    own = given.own
    as_markdown = own.pop("markdown", False)
    with Progress("replaying") as progress:
        ledger.progress = progress
        later = own.get("b", own.get("as_of"))
        found = ledger.diff(own["a"], later, published=as_markdown)
    if not as_markdown:
        return Answer(document=found, lines=_lines(found))
    text = found.markdown
    return Answer(document=found.as_dict() | {"markdown": text}, lines=text.splitlines())


def _lines(found: Diff) -> Iterator[Line]:
    then, now = (f"{one.asked or 'now'} ({one.at})" for one in (found.earlier, found.later))
    yield (Dim(f"{then}: {counted(found.earlier.memories, 'memory')}"),)
    yield (Dim(f"{now}: {counted(found.later.memories, 'memory')}"),)
    lists: tuple[tuple[str, str, tuple[MemoryChange, ...]], ...] = (
        ("corrected", "+", found.corrected),
        ("forgotten", "-", found.forgotten),
        ("came back", "+", found.returned),
        ("added", "+", found.added),
    )
    for title, sign, changes in lists:
        if changes:
            yield (Strong(f"{title} {len(changes)}"),)
        for one in changes[:_MOST]:
            yield from _change(one, sign)
        if len(changes) > _MOST:
            yield f"  {len(changes) - _MOST} more: --json lists all"
    if found.conflicts:
        yield (Strong(f"in dispute {len(found.conflicts)}"), Dim("  varves conflicts"))
    for conflict in found.conflicts[:_MOST]:
        yield f"  {conflict.id}  {conflict.kind}  {conflict.reason}"


def _change(one: MemoryChange | MemoryCorrection, sign: str) -> Iterator[Line]:
    was = getattr(one, "was", None)
    if was is not None:
        yield f"  - {_gist(was)}"
    yield f"  {sign} {_gist(one.text)}"
    why = one.reason or (one.status if sign == "-" else "")
    about = [one.id, one.by, (one.at or "")[:16], why]
    yield (Dim("    " + "  ".join(filter(None, about))),)


def _gist(text: str) -> str:
    return beginning(" ".join(text.split()), _BEGINNING)


def around(ledger: Ledger, given: Given) -> Answer:
    """Show what is around a thing."""
    found = ledger.around(given.own.pop("thing"), **given.own)
    remarks = () if found.memories else ("no other memory is connected with it",)
    return Answer(document=found, lines=_near(found), remarks=remarks)


def _near(found: Surroundings) -> Iterator[Line]:
    for one in found.memories:
        yield (Strong(one.id), f"  {_gist(one.text)}")
        state = "" if one.status == "active" else one.status
        touches = [*(f"#{tag}" for tag in one.tags), *one.files]
        yield (Dim("  " + "  ".join(filter(None, [one.by, one.at[:10], state, *touches]))),)
    if found.more:
        yield f"{counted(found.more, 'older memory')} left out"
    if found.things:
        signs = {"tag": "#"}
        names = [
            f"{signs.get(one.kind, '')}{one.name} {len(one.memories)}"
            for one in found.things[:_TOUCHED]
        ]
        yield (Dim("they touch: "), ", ".join(names))
