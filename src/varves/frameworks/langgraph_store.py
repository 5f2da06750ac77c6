"""The long-term store of LangGraph, in a ledger.

A value is a document of a shelf (a named collection of documents), under its namespace and key. A
search in plain words is a recall within a namespace. The puts of a batch are written all at once or
not at all. Times to live are not supported: each read would have to renew them, but a read writes
nothing.
"""

from __future__ import annotations

from asyncio import to_thread
from datetime import datetime
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, unquote

from langgraph.store.base import (
    BaseStore,
    GetOp,
    Item,
    ListNamespacesOp,
    PutOp,
    SearchItem,
    SearchOp,
    validate_op_namespace,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from langgraph.store.base import MatchCondition, Op, Result

    from varves import Ledger
    from varves.values.answers import Document

    Names = tuple[str, ...]

SHELF = "langgraph"
ANY = "*"


class LedgerStore(BaseStore):
    """A store for graphs: pass it to `compile` as `store`."""

    supports_ttl = False

    def __init__(
        self,
        ledger: Ledger,
        *,
        shelf: str = SHELF,
        scope: str = "project",
        private: bool = False,
    ) -> None:
        """Store values in a ledger.

        Args:
            ledger: an open ledger.
            shelf: the store's name in the ledger.
            scope: the scope of the values: who else can recall them.
            private: whether the values stay in this clone until they are shared.
        """
        self._shelf = ledger.through("agent").shelf(shelf, scope=scope, private=private)

    def batch(self, ops: Iterable[Op]) -> list[Result]:
        """Run operations; the reads return the state before the writes of this batch."""
        asked = list(ops)
        for op in asked:
            validate_op_namespace(op)
        answers = [self._answer(op) for op in asked]
        puts = [op for op in asked if isinstance(op, PutOp)]
        if any(op.ttl is not None for op in puts):
            raise NotImplementedError("TTL is not supported by LedgerStore")
        changes = {
            _key(op.namespace, op.key): None if op.value is None else dict(op.value) for op in puts
        }
        if changes:
            self._shelf.change(changes)
        return answers

    async def abatch(self, ops: Iterable[Op]) -> list[Result]:
        """Run operations in a thread; the results are the same as those of `batch`."""
        return await to_thread(self.batch, list(ops))

    def _answer(self, op: Op) -> Result:
        if isinstance(op, GetOp):
            found = self._shelf.get(_key(op.namespace, op.key))
            return None if found is None else Item(**_fields(found))
        if isinstance(op, SearchOp):
            return self._found(op)
        if isinstance(op, ListNamespacesOp):
            return self._namespaces(op)
        if isinstance(op, PutOp):
            return None
        raise ValueError(f"Unknown operation type: {type(op)}")

    def _found(self, op: SearchOp) -> list[SearchItem]:
        """Return the values of a namespace that match a filter.

        If there is a query, the best values are first, otherwise the newest.
        """
        prefix = _prefix(op.namespace_prefix)
        scores: dict[str, float] = {}
        if op.query:
            most = len(self._shelf.keys(prefix)) if op.filter else op.offset + op.limit
            hits = self._shelf.recall(op.query, prefix=prefix, k=max(1, most))
            documents = [hit.document for hit in hits]
            scores = {hit.document.key: hit.score for hit in hits}
        else:
            documents = list(self._shelf.list(prefix))
            documents.sort(key=lambda one: (one.updated_at, one.version), reverse=True)
        wanted = op.filter or {}
        met = [one for one in documents if _is_like(_value(one), wanted)]
        return [
            SearchItem(**_fields(one), score=scores.get(one.key))
            for one in met[op.offset : op.offset + op.limit]
        ]

    def _namespaces(self, op: ListNamespacesOp) -> list[Names]:
        """Return the matching namespaces that contain values, in order."""
        held = {_names(key)[0] for key in self._shelf.keys("")}
        conditions = op.match_conditions or ()
        met = {names for names in held if all(_matches(names, one) for one in conditions)}
        if op.max_depth is not None:
            met = {names[: op.max_depth] for names in met}
        return sorted(met)[op.offset : op.offset + op.limit]


def _key(namespace: Names, key: str) -> str:
    """Return the key of a document: readable, and different for each namespace and key."""
    return f"{_prefix(namespace)}{_plain(key)}"


def _prefix(namespace: Names) -> str:
    return "".join(f"{_plain(label)}/" for label in namespace)


def _plain(part: str) -> str:
    if not isinstance(part, str):
        raise TypeError(f"keys must be strings, but got {type(part).__name__}")
    return "".join(
        sign if sign.isprintable() and sign not in "%/" else quote(sign, safe="") for sign in part
    )


def _names(key: str) -> tuple[Names, str]:
    """Return the namespace and the key of a value from the key of its document."""
    *labels, name = map(unquote, key.split("/"))
    return tuple(labels), name


def _value(document: Document) -> dict[str, Any]:
    """Return the value stored in a document; if a person corrected it, an object with a text."""
    held = document.content
    return held if isinstance(held, dict) else {"text": held}


def _fields(document: Document) -> dict[str, Any]:
    namespace, key = _names(document.key)
    return {
        "namespace": namespace,
        "key": key,
        "value": _value(document),
        "created_at": datetime.fromisoformat(document.created_at),
        "updated_at": datetime.fromisoformat(document.updated_at),
    }


def _matches(names: Names, condition: MatchCondition) -> bool:
    """Return whether a namespace has the prefix or the suffix of a condition."""
    path = tuple(condition.path)
    if condition.match_type not in ("prefix", "suffix"):
        raise ValueError(f"Unsupported match type: {condition.match_type}")
    part = names[: len(path)] if condition.match_type == "prefix" else names[-len(path) :]
    if not path:
        return True
    same = (label in (ANY, name) for name, label in zip(part, path, strict=False))
    return len(part) == len(path) and all(same)


def _is_like(held: Any, wanted: Any) -> bool:
    """Return whether a value matches a filter."""
    if isinstance(wanted, dict):
        if any(str(key).startswith("$") for key in wanted):
            return all(_compared(held, sign, value) for sign, value in wanted.items())
        return isinstance(held, dict) and all(
            _is_like(held.get(key), value) for key, value in wanted.items()
        )
    if isinstance(wanted, (list, tuple)):
        return (
            isinstance(held, list) and len(held) == len(wanted) and all(map(_is_like, held, wanted))
        )
    return bool(held == wanted)


def _compared(held: Any, sign: str, value: Any) -> bool:
    if sign == "$eq":
        return bool(held == value)
    if sign == "$ne":
        return bool(held != value)
    if sign not in _ORDERS:
        raise ValueError(f"Unsupported operator: {sign}")
    try:
        return _ORDERS[sign](float(held), float(value))
    # a value that is not a number is not greater or less than a number
    except (TypeError, ValueError):
        return False


_ORDERS: dict[str, Callable[[float, float], bool]] = {
    "$gt": float.__gt__,
    "$gte": float.__ge__,
    "$lt": float.__lt__,
    "$lte": float.__le__,
}
