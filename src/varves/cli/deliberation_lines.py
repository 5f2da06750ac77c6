"""Formats the results of a deliberation, one line for each item."""

from __future__ import annotations

from varves.cli.render import Dim, Strong, counted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import Any

    from varves.cli.render import Line

_POSITION = "## Your Previous Position"


def found_lines(found: Iterable[Any]) -> Iterator[Line]:
    """Yield lines with the decisions, proposals and reactions found in a message.

    Stances are left out; only the context shows them.
    """
    for one in found:
        if one.kind != "stance":
            yield (f"  {_found(one)}  ", Dim(one.id or ""))


def _found(one: Any) -> str:
    if one.kind == "decision":
        return f"decision on {one.topic}: {one.text}" + (
            f" (replaces {one.replaces})" if one.replaces else ""
        )
    if one.kind == "proposal":
        before = said_before(one)
        again = f"; rejected again: {one.rejected}" if one.rejected else ""
        return f"proposal: {one.text}{f' ({before})' if before else ''}{again}"
    if one.kind == "support":
        return f"{one.agent} joins a decision: {one.text}"
    return f"proposal {one.text}" if one.kind == "resolution" else f"{one.kind}: {one.text}"


def said_before(one: Any) -> str:
    """Return what was said before of a proposal, or an empty string."""
    told = ["already decided"] if one.decided else []
    if one.proposed_by is not None:
        told.append(
            f"{'already' if one.same else 'like one'} proposed by {one.proposed_by}{_in(one)}"
        )
    if one.like_rejected:
        told.append(f"which was rejected: {one.like_rejected}")
    return ", ".join(told)


def _in(one: Any) -> str:
    return f" in message {one.proposed_in}" if one.proposed_in is not None else ""


def made_lines(summaries: Iterable[Any], indent: str = "  ") -> Iterator[Line]:
    """Yield the new summaries, each with its author."""
    for one in summaries:
        first, last = one.message_range
        by = f", by {one.by}" if one.by else ""
        yield (f"{indent}summary of messages {first} to {last}{by}  ", Dim(one.id))


def stats_lines(stats: Any) -> Iterator[Line]:
    """Yield the published statistics as one line of text."""
    yield ", ".join(
        (
            counted(stats.total_messages, "message"),
            counted(stats.agent_count, "agent"),
            "1 summary" if stats.summary_count == 1 else f"{stats.summary_count} summaries",
            counted(stats.decision_count, "decision"),
            counted(stats.proposal_count, "active proposal"),
        )
    )


def talk_lines(one: Any) -> Iterator[Line]:
    """Yield the lines for one conversation in a list."""
    where = "shared" if one.shared else "in this clone"
    here = ", the current one" if one.current else ""
    yield (Strong(one.conversation), f"  {one.topic}" if one.topic else "")
    about = [one.began, counted(one.messages, "message"), ", ".join(one.agents), where + here]
    yield (Dim("  " + " · ".join(part for part in about if part)),)


def conversation_lines(whole: Any) -> Iterator[Line]:
    """Yield a conversation: statistics, decisions, proposals, summaries and agents' positions."""
    yield (Strong(whole.conversation), f"  {whole.topic}" if whole.topic else "")
    yield from stats_lines(whole.stats)
    yield from _decisions(whole.decisions)
    yield from _proposals(whole.proposals)
    yield from made_lines(whole.summaries, indent="")
    for agent, state in whole.agent_states.items():
        stands = f": {state.last_position}" if state.last_position else ""
        yield f"{agent}, {counted(state.message_count, 'message')}{stands}"


def _decisions(decisions: Sequence[Any]) -> Iterator[Line]:
    later = {one.replaces: one.id for one in decisions if one.replaces}
    for one in decisions:
        yield (Strong(one.id), f"  decision on {one.topic}: {one.outcome}")
        about = [", ".join(one.supporting_agents) or "no supporters named"]
        about += [f"replaces {one.replaces}"] if one.replaces else []
        about += [f"replaced by {later[one.id]}"] if one.id in later else []
        yield (Dim("  " + " · ".join(about)),)


def _proposals(proposals: Iterable[Any]) -> Iterator[Line]:
    for one in proposals:
        yield (Strong(one.id), f"  proposal of {one.proposer}: {one.content}")
        about = [one.status, *(f"{side.agent_id} {side.reaction}" for side in one.reactions)]
        about += [f"now {one.successor}"] if one.successor else []
        about += [f"similar to {one.repeats}"] if one.repeats else []
        yield (Dim("  " + " · ".join(about)),)


def part_lines(part: Any) -> Iterator[Line]:
    """Yield lines for one decision, proposal or summary, and for the messages it is based on."""
    from varves.cli.render import field_lines

    yield (Strong(part.id), f"  {part.kind} of {part.conversation}")
    yield from field_lines((name, value) for name, value in part.content.items() if name != "id")
    if part.status != "active":
        yield f"  {part.status}"
    for message in part.messages:
        yield from _message(message)


def _message(message: Any) -> Iterator[Line]:
    if message.type == "purged":
        yield (Dim(f"{message.index:>4}  this message was purged"),)
        return
    first, *more = message.content.split("\n")
    yield (Dim(f"{message.index:>4}  "), f"{message.agent_id}: {first}")
    for line in more:
        yield f"      {line}"


def replayed_lines(
    done: Any, skipped: Sequence[tuple[int, str]], kept: Sequence[tuple[int, str]]
) -> Iterator[Line]:
    """Yield what was found in a transcript, and its lines that are not messages of their own."""
    yield f"conversation {done.conversation}"
    yield from stats_lines(done.stats)
    sides: dict[str, dict[str, str]] = {}
    for one in done.found:
        if one.kind in ("reaction", "resolution"):
            who = one.agent if one.kind == "reaction" else ""
            sides.setdefault(one.id, {})[who] = f"{who} {one.text}".strip()
    for one in done.found:
        if one.kind in ("decision", "proposal"):
            took = ", ".join(text for _, text in sorted(sides.get(one.id, {}).items()))
            yield (
                f"  {one.agent}: {_found(one)}",
                f" ({took})" if took else "",
                Dim(f"  {one.id}"),
            )
    yield from made_lines(done.summaries)
    if skipped:
        yield f"{counted(len(skipped), 'line')} skipped"
        yield from _with_reasons(skipped)
    if kept:
        yield f"{counted(len(kept), 'line')} kept in the message above"
        yield from _with_reasons(kept)


def _with_reasons(given: Sequence[tuple[int, str]]) -> Iterator[Line]:
    why: dict[str, list[int]] = {}
    for number, reason in given:
        why.setdefault(reason, []).append(number)
    for reason, lines in why.items():
        more = f" and {len(lines) - 1} more" if len(lines) > 1 else ""
        yield (Dim(f"  line {lines[0]}{more}: {reason}"),)


def played_lines(played: Any, stats: Any, *, modelled: bool) -> Iterator[Line]:
    """Yield the contexts that agents received in the demonstration, and the final counts."""
    last = played.messages
    for look in played.looks:
        if look.messages < last:
            yield (Strong(f"after {counted(look.messages, 'message')} {look.agent} receives:"),)
            yield from (f"  {line}" for line in look.text.split("\n"))
            yield ""
    whole, *others = [look for look in played.looks if look.messages == last]
    yield (Strong(f"at the end, after {counted(last, 'message')}, {whole.agent} receives:"),)
    yield from (f"  {line}" for line in whole.text.split("\n"))
    for look in others:
        yield (Strong(f"{look.agent} receives the same, except:"),)
        own = look.text.partition(_POSITION)[2].strip()
        yield from (f"  {line}" for line in f"{_POSITION}\n\n{own}".split("\n"))
    yield ""
    yield from stats_lines(stats)
    who = "the model" if modelled else "a script"
    asked = f"{played.evaluations} times an agent was asked whether to speak; {who} answered"
    yield f"{asked}; {played.agreed} answers matched the script"
    if played.failures:
        yield f"{counted(played.failures, 'time')} the model returned no summary"
