"""What a memory points to: its place in words, its state, and the code then beside the code now."""

from __future__ import annotations

from difflib import SequenceMatcher
from itertools import zip_longest

from varves.values.value import Value
from varves.web.texts import plain, sides

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

    from markupsafe import Markup

    from varves import Memory
    from varves.evidence.versions import PointedFile
    from varves.web.visit import Visit

    Pair = tuple[int | None, int | None]  # a line then and a line now, counted from 0

_AROUND = 2  # lines before and after those that are pointed to
_NEAR = 3  # equal lines around a change
_MOST = 40  # rows that are shown
_COMPARED = 2_000  # lines; a longer stretch without an equal end counts as changed as a whole
_WIDE = 500  # characters of a line


class CodeLine(Value):
    """One line of code; a line without a number stands for lines that are left out."""

    number: int | None
    text: Markup | str
    sign: str = " "
    """What happened to the line: "+", "-" or a space."""
    pointed: bool = False


class CodeRow(Value):
    """A line as it was beside the same line now; None where there is no such line."""

    then: CodeLine | None
    now: CodeLine | None


def evidence_of(visit: Visit, memory: Memory) -> list[dict[str, Any]]:
    """Return where each piece of evidence is, its state, and its code: once, or then and now."""
    if not visit.links.live:  # an export may be made where the code is not
        return [{**_about({**one, "state": None}), "file": None} for one in memory.evidence]
    files = visit.ledger.offers.files(memory, now=visit.as_of is None)
    return [
        {**_about(one), "file": file, **(_code(file) if file else {})}
        for one, file in zip(memory.evidence, files, strict=True)
    ]


def _about(evidence: dict[str, Any]) -> dict[str, Any]:
    where = evidence.get("path")
    first, symbol = evidence.get("line"), evidence.get("symbol")
    last = evidence.get("end") or first
    if not isinstance(where, str):
        commit = evidence.get("commit")
        where = f"commit {commit}" if commit else ", ".join(map(str, evidence.values()))
    elif isinstance(symbol, str):
        where += f", {symbol}"
    elif isinstance(first, int):
        where += f", line {first}" if last == first else f", lines {first} to {last}"
    return {"where": where, "state": evidence.get("state"), "rows": (), "lines": ()}


def _code(file: PointedFile) -> dict[str, Any]:
    """Return the rows of both versions, or the lines of the one that is known."""
    then, now = file.then, file.now
    if then is not None and now is not None:
        pairs = list(_chosen(list(_paired(then, now)), file))
        return {"rows": [_row(pair, then, now, file.span) for pair in pairs]}
    known = now if then is None else then
    if known is None or (file.span is None and (then is None or not file.changed)):
        return {}
    first, last = file.span or (1, len(known))
    begin = max(0, first - 1 - _AROUND)
    lines = range(begin, max(begin, min(len(known), last + _AROUND, begin + _MOST)))
    return {
        "lines": [
            CodeLine(number=n + 1, text=plain(known[n][:_WIDE]), pointed=_in(file.span, n))
            for n in lines
        ]
    }


def _in(span: tuple[int, int] | None, place: int | None) -> bool:
    return span is not None and place is not None and span[0] <= place + 1 <= span[1]


def _paired(then: Sequence[str], now: Sequence[str]) -> Iterator[Pair]:
    """Yield the lines of both versions in order, equal ones and changed ones together."""
    start, most = 0, min(len(then), len(now))
    while start < most and then[start] == now[start]:
        start += 1
    end = 0
    while end < most - start and then[-1 - end] == now[-1 - end]:
        end += 1
    yield from ((n, n) for n in range(start))
    yield from _compared(then, now, (start, len(then) - end), (start, len(now) - end))
    yield from ((len(then) - n, len(now) - n) for n in range(end, 0, -1))


def _compared(
    then: Sequence[str], now: Sequence[str], earlier: tuple[int, int], later: tuple[int, int]
) -> Iterator[Pair]:
    one, other = then[slice(*earlier)], now[slice(*later)]
    if max(len(one), len(other)) > _COMPARED:
        yield from zip_longest(range(*earlier), range(*later))
        return
    for _, a, b, c, d in SequenceMatcher(None, one, other, autojunk=False).get_opcodes():
        yield from zip_longest(
            range(earlier[0] + a, earlier[0] + b), range(later[0] + c, later[0] + d)
        )


def _chosen(pairs: list[Pair], file: PointedFile) -> Iterator[Pair | None]:
    """Yield the pairs near the lines that are meant; None for lines that are left out."""
    then, now = file.then or (), file.now or ()
    if file.span is not None:
        first, last = file.span[0] - 1 - _AROUND, file.span[1] - 1 + _AROUND
        places = [
            n
            for n, (earlier, _) in enumerate(pairs)
            if earlier is not None and first <= earlier <= last
        ]
        pairs = pairs[places[0] : places[-1] + 1] if places else []
    edits = [n for n, (a, b) in enumerate(pairs) if a is None or b is None or then[a] != now[b]]
    shown = list(range(len(pairs)))
    if file.span is None or len(pairs) > _MOST:
        near = {at for n in edits for at in range(n - _NEAR, n + _NEAR + 1)}
        shown = [n for n in shown if n in near]
    before = shown[0] - 1 if shown and file.span is not None else -1
    for n in shown[:_MOST]:
        if n != before + 1:
            yield None
        yield pairs[n]
        before = n
    if len(shown) > _MOST:
        yield None


def _row(
    pair: Pair | None, then: Sequence[str], now: Sequence[str], span: tuple[int, int] | None
) -> CodeRow:
    if pair is None:
        gap = CodeLine(number=None, text="")
        return CodeRow(then=gap, now=gap)
    earlier, later = pair
    before = None if earlier is None else then[earlier][:_WIDE]
    after = None if later is None else now[later][:_WIDE]
    left, right, signs = plain(before or ""), plain(after or ""), "  "
    if before != after:
        signs = "-+"
        if before is not None and after is not None:
            left, right = sides(before, after)
    meant = _in(span, earlier)
    return CodeRow(
        then=_line(earlier, left, signs[0], pointed=meant),
        now=_line(later, right, signs[1], pointed=meant),
    )


def _line(place: int | None, text: Markup, sign: str, *, pointed: bool) -> CodeLine | None:
    if place is None:
        return None
    return CodeLine(number=place + 1, text=text, sign=sign, pointed=pointed)
