"""Compares entries that no verb of this clone compared: git brought them, or a person edited them.

For each scope, a note of this clone lists the versions that are here and were compared. Others are
compared with the current entries when a session starts and when consolidation runs, and a few of
them after each write. The entry whose text was written last is the newer one. A pair is left alone
if something was decided about it since the texts last changed, or if both come from imported files,
because an import is not compared with itself.
"""

from __future__ import annotations

from hashlib import blake2b

from varves.events.codec import canonical
from varves.events.kinds import REVISED, birth
from varves.protocols.hivemind.contradictions import (
    CLAIMING,
    Action,
    Contradicting,
    contradicted,
    resolve_pair,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection

    from varves.commands.port import Act
    from varves.values.memory import Memory

MOST, FEW = 200, 8
"""How many entries are compared at most: at a start or in consolidation, and after a write."""


class Arriving(Contradicting):
    """The step that compares entries that arrived in another way than by a verb."""

    def arrived(self, act: Act, scopes: Collection[str] | None = None) -> list[Action]:
        """Compare the entries that arrived since the last look, and apply the rules.

        Args:
            act: who acts.
            scopes: the scopes to look at; by default all.
        """
        actions: list[Action] = []
        left = FEW if scopes else MOST
        for scope in scopes or self.core.sizes():
            claims = {
                _mark(one): one
                for one in self.core.memories(scope=scope, lean=True)
                if one.type in CLAIMING and "file" not in one.extra
            }
            note = f"compared {scope}"
            noted = {*self.core.noted(note).split()}
            waiting = [
                mark
                for mark, one in claims.items()
                if mark not in noted and one.version not in self.seen
            ]
            looked_at = waiting[-left:] if left else []
            left -= len(looked_at)
            for mark in looked_at:
                actions += self._settled(claims[mark].id, act)
            # what another branch has and this one lacks is compared again when it is merged
            known = claims.keys() - ({*waiting} - {*looked_at})
            if known != noted:
                self.core.note_down(note, " ".join(sorted(known)))
        return actions

    def _settled(self, name: str, act: Act) -> list[Action]:
        """Compare one entry with those of its scope and of global, and apply the rules."""
        memory = self.core.memory(name)
        if memory is None or memory.status != "active":
            return []
        others = self._comparable([memory], tuple(dict.fromkeys((memory.scope, "global"))))
        actions = []
        now = self.core.now
        for *pair, _ in contradicted(memory, others, self.contradiction, now=now, dated=True):
            older, newer = sorted((pair[0], pair[1]), key=self._written)
            found = contradicted(newer, [older], self.contradiction, now=now)
            imported = self._is_imported(older) and self._is_imported(newer)
            if not found or imported or self._is_decided(older, newer):
                continue
            difference = self._doubted(newer, found[0][2])
            if self._parted(older, newer, [*others, memory]):
                difference = difference.replace(certain=False)
            action = resolve_pair(self.core, (older, newer), difference, act=act)
            actions += [action] if action is not None else []
            if action is not None and action.action == "supersede" and action.gives_way == name:
                break
        return actions

    def _written(self, memory: Memory) -> tuple[str, str, str]:
        """Return the position of the event that gave a memory its present text."""
        past = self.core.rows().history(memory.id)
        texts = [
            event.order
            for event in past
            if (birth(event) or {}).get("memory") == memory.id
            or (
                event.kind == REVISED and not {"text", "body"}.isdisjoint(event.data.get("set", ()))
            )
        ]
        return max(texts, default=("", "", ""))

    def _is_imported(self, memory: Memory) -> bool:
        """Return whether a memory still has the text with which it was imported."""
        born = [one for one in self.core.rows().history(memory.id) if birth(one) is not None]
        return memory.source is not None and self._written(memory) in [one.order for one in born]

    def _is_decided(self, older: Memory, newer: Memory) -> bool:
        """Return whether an event about both memories is newer than both texts."""
        since = self._written(newer)
        return any(
            event.order > since and older.id.encode() in canonical(event.data)
            for event in self.core.rows().history(newer.id)
        )


def _mark(memory: Memory) -> str:
    """Return a short mark of one version of a memory."""
    said = f"{memory.id} {memory.version}".encode()
    return blake2b(said, digest_size=6).hexdigest()
