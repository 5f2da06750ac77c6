"""Makes the text that an agent is shown when a hook runs: a fenced block of limited size.

After a prompt, weak matches are not shown, because an irrelevant memory is worse than none. An
instruction has many words that no memory contains, so a memory that contains enough of it is shown
too.
"""

from __future__ import annotations

from varves.index.words import stem
from varves.questions.lookup import asked
from varves.questions.nonces import nonces
from varves.recall.fence import NONCE_LENGTH, TAG, block, line_of, record_of
from varves.recall.question import terms_of
from varves.recall.stopwords import telling
from varves.values.instants import iso
from varves.values.text import count_tokens
from varves.values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any, Protocol, TypeVar

    from varves.context.context import Context
    from varves.context.guard import VerbGuard
    from varves.recall.recall import Hit
    from varves.values.memory import Memory

    class Fenced(Protocol):
        """A part of the text that is shown at one moment."""

        @property
        def text(self) -> str:
            """The fenced block; "" if there is nothing to show."""
            ...

    AnyFenced = TypeVar("AnyFenced", bound=Fenced)

# the limits in tokens and characters for everything shown at one moment, with the marks
TOKENS, LENGTH = 2500, 10_000
HITS = 10
BESIDE = 4  # times as many hits are looked at if another block shows some of them
POOR = 0.6  # an answer with less than this share of the best score must be no weak match
ENOUGH = 1.0  # so many words that tell a lot must be in a prompt, and in a memory of a weak match
A_LITTLE = 0.6  # the same for a prompt that is a question
ASKED = 2400  # the most characters of a prompt that are searched, half of them from each end
_INJECTED = ("<hook_context", "<system-reminder", "<untrusted_context", TAG)
_FRAME = block((), "a0" * (NONCE_LENGTH // 2))
_MARGIN = 20  # the tokens that a block may cost in addition to its lines


class InjectedBlock(Value):
    """A block of the text that a hook shows an agent, and the memories in it."""

    text: str = ""
    ids: tuple[str, ...] = ()


class BlockRoom(Value):
    """What the protocols' blocks leave for one more block."""

    tokens: int
    length: int
    elsewhere: Callable[[Memory], bool] | None = None
    """Returns whether only a protocol's own block may show a memory."""


def recall(
    guard: VerbGuard,
    text: str,
    room: BlockRoom,
    *,
    skip: Iterable[str],
    first: Memory | None = None,
) -> InjectedBlock:
    """Choose memories for a prompt that were not shown yet.

    Args:
        guard: the guard of the ledger that has the memories.
        text: the prompt.
        room: what the block may use.
        skip: the memories that were already shown.
        first: a memory that is included in any case.
    """
    return guard.run(lambda: _recall(guard.context, text, room, skip=skip, first=first))


def _recall(
    context: Context, text: str, within: BlockRoom, *, skip: Iterable[str], first: Memory | None
) -> InjectedBlock:
    if first is None and not _asks(text):
        return InjectedBlock()
    view, elsewhere = context.fresh(), within.elsewhere
    known = frozenset(skip)
    most = HITS if elsewhere is None else HITS * BESIDE
    found = asked(context, view, text, k=most + min(len(known), HITS), dense=False)
    best = max((hit.score for hit in found.hits), default=0.0)
    room = within.tokens - count_tokens(_FRAME) - _MARGIN
    length = within.length - len(_FRAME)
    clones = None
    lines, ids = ([lined(first)], [first.id]) if first is not None else ([], [])
    for line in lines:
        room, length = room - count_tokens(line + "\n"), length - len(line) - 1
    told: list[Hit] = []
    others = 0
    for hit in found.hits:
        memory = hit.memory
        if (
            memory.id in known
            or memory.id in ids
            or "replaced_by" in memory.links
            or (elsewhere is not None and elsewhere(memory))
        ):
            continue
        others += 1
        if hit.weak and (hit.told < ENOUGH or hit.score < POOR * best):
            continue
        if len(memory.text) > length or len(told) >= HITS:
            continue
        clones = context.places.own_clones() if clones is None else clones
        line = line_of(record_of(memory, _about(hit, clones)))
        cost = count_tokens(line + "\n")
        if cost <= room and len(line) < length:
            lines.append(line)
            told.append(hit)
            room, length = room - cost, length - len(line) - 1
    if not lines:
        return InjectedBlock()
    if omitted := others - len(told) + found.omitted:
        lines.append(line_of({"omitted": omitted}))
    text = blocked(context, lines, now=iso(view.now))
    ids += [hit.memory.id for hit in told]
    return InjectedBlock(text=text, ids=tuple(ids))


def brief(guard: VerbGuard, room: BlockRoom, *, checkpoint: Memory | None = None) -> InjectedBlock:
    """Choose memories for a session's start; the session's checkpoint comes first."""
    return guard.run(lambda: _brief(guard.context, room, checkpoint))


def _brief(context: Context, within: BlockRoom, checkpoint: Memory | None) -> InjectedBlock:
    from varves.questions import brief as briefing

    view, room, length = context.fresh(), within.tokens, within.length
    first: list[str] = []
    if checkpoint is not None:
        line = lined(checkpoint)
        if count_tokens(line) < room // 2 and len(line) < length // 2:
            first = [line]
            room, length = room - count_tokens(line + "\n"), length - len(line) - 1
    made = briefing.brief(context, view, budget=room, elsewhere=within.elsewhere)
    while len(made.text) > length and room > _MARGIN:
        room = room * length // (len(made.text) + 200)
        made = briefing.brief(context, view, budget=max(1, room), elsewhere=within.elsewhere)
    lines = made.text.split("\n")[2:-1] if made.text else []
    if not first:
        return InjectedBlock(text=made.text, ids=made.ids)
    assert checkpoint is not None  # noqa: S101 - it has a line
    lines = [line for line in lines if not line.startswith(f'{{"id":"{checkpoint.id}"')]
    ids = (checkpoint.id, *(name for name in made.ids if name != checkpoint.id))
    return InjectedBlock(text=blocked(context, first + lines, now=iso(view.now)), ids=ids)


def _asks(prompt: str) -> bool:
    """Return whether a prompt has enough words that tell something; "run it" has not.

    A question needs fewer: "When do we deploy?" is about one ordinary word.
    """
    told = sum(telling(stem(word)) for word in terms_of(prompt))
    return told >= (A_LITTLE if prompt.rstrip().endswith("?") else ENOUGH)


def _about(hit: Hit, clones: list[str]) -> dict[str, Any]:
    """Return the fields that a memory's record has in addition to the usual ones."""
    about = {}
    if hit.stale:
        about["stale"] = hit.stale
    if (clone := hit.memory.writer.partition(".")[0]) not in clones:
        about["clone"] = clone  # the id of another person's clone, as that clone recorded it
    if hit.memory.branch:
        about["branch"] = hit.memory.branch
    return about


def lined(memory: Memory) -> str:
    """Return a memory as a line of a block."""
    return line_of(record_of(memory, {}))


def blocked(context: Context, lines: list[str], *, now: str = "") -> str:
    """Return lines as a block between marks that contain this reader's nonce, a random word."""
    when = now or iso(context.clock.now())
    return block(lines, nonces(context, context.settings.actor, when)(lines))


def own_words(text: str) -> str:
    """Return a prompt without the text that hosts or memory added, shortened for the search."""
    if any(mark in text for mark in _INJECTED):
        from varves.capture.own_words import without_blocks

        text = without_blocks(text)
    if len(text) > ASKED:
        text = f"{text[: ASKED // 2]}\n{text[-ASKED // 2 :]}"
    return text


def left(blocks: Iterable[Fenced]) -> tuple[int, int]:
    """Return how many tokens and characters remain after some blocks."""
    used = [one.text for one in blocks if one.text]
    spent = sum(count_tokens(one + "\n") for one in used)
    return TOKENS - spent, LENGTH - sum(len(one) + 1 for one in used)


def fitting(blocks: Iterable[AnyFenced], room: int, length: int) -> list[AnyFenced]:
    """Return the first blocks that fit into the limits together; a block is never cut."""
    kept = []
    for one in blocks:
        cost = count_tokens(one.text + "\n")
        if cost <= room and len(one.text) < length:
            kept.append(one)
            room, length = room - cost, length - len(one.text) - 1
    return kept


def joined(blocks: Iterable[Fenced]) -> str:
    """Return the non-empty blocks as one text."""
    return "\n".join(one.text for one in blocks if one.text)
