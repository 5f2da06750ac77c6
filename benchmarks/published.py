"""The public sets: read from a folder of the reader's own, never kept in the repository.

Two kinds of file are understood: one line-by-line format that sets share (`NAME.jsonl.gz`, of any
name if its first line has the kind `meta`), and what the authors of LoCoMo and LongMemEval publish
(`locomo10.json`, `longmemeval_*.json`). Each becomes stores: memories in order, and the questions
that may be asked of them.
"""

from __future__ import annotations

import glob
import gzip
import json
import os
import re
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any


class Statement(NamedTuple):
    """A memory as a system is given it."""

    id: str
    text: str
    at: str | None
    about: dict[str, str]


@dataclass(frozen=True)
class Question:
    """A query and the memories that the set's authors marked as its evidence."""

    text: str
    gold: frozenset[str]
    kind: str
    at: str | None = None
    before: int | None = None  # only so many of the store's first memories may be searched
    split: str = ""  # the part of the set that it belongs to, if the file says so


@dataclass
class Store:
    """What one set of questions may search."""

    statements: list[Statement] = field(default_factory=list)
    questions: list[Question] = field(default_factory=list)


class Source(NamedTuple):
    """Where a set is published."""

    name: str
    what: str
    where: str
    licence: str


WANTED = (
    Source(
        "locomo",
        "LoCoMo, two people talking, turns and sessions",
        "github.com/snap-research/locomo, data/locomo10.json (read as published, too)",
        "CC BY-NC 4.0",
    ),
    Source(
        "lme_pool",
        "LongMemEval oracle, every turn in one store",
        "github.com/xiaowu0162/LongMemEval, longmemeval_oracle.json (read as published, too)",
        "MIT",
    ),
    Source(
        "lme_s500",
        "LongMemEval-S, a store for each question, sessions cut at 500 characters",
        "github.com/xiaowu0162/LongMemEval, longmemeval_s*.json (read as published, uncut)",
        "MIT",
    ),
    Source(
        "realmem",
        "RealMem, sessions of project work, queries are ordinary messages",
        "github.com/zhiyuan5986/RealMemBench, dataset/*_dialogues_256k.json",
        "Apache-2.0",
    ),
    Source(
        "qmsum",
        "QMSum, meetings of several people",
        "github.com/Yale-LILY/QMSum, data/ALL/val",
        "MIT",
    ),
)
SESSIONS = "-sessions"  # after a set's name: its sessions are the memories, not its turns
LOCOMO_KINDS = {1: "multi-hop", 2: "temporal", 3: "open-domain", 4: "single-hop", 5: "adversarial"}
ABSTENTION = "abstention"
_CITED = re.compile(r"D:?(\d+):(\d+)")  # some citations are written D:11:26, some hold several


def wanted() -> str:
    """Say which sets are read, and where their authors publish them."""
    lines = ["The public sets are not part of this repository: their licences differ from ours."]
    lines.append("Set VARVES_BENCH_DATA to a folder that holds some of these:")
    for source in WANTED:
        lines.append(f"  {source.name + '.jsonl.gz':20} {source.what}")
        lines.append(f"  {'':20} {source.where}; {source.licence}")
    return "\n".join(lines)


def found(folder: str) -> dict[str, Callable[[], list[Store]]]:
    """Return the sets that lie in a folder, each with how to read it, in the order of WANTED.

    Other sets in the shared format follow, then those in the form in which their authors publish.
    """
    sets: dict[str, Callable[[], list[Store]]] = {}
    for source in WANTED:
        path = os.path.join(folder, f"{source.name}.jsonl.gz")
        if os.path.isfile(path):
            sets[source.name] = lambda path=path: lines(path)
        if source.name == "locomo" and os.path.isfile(path):
            sets[source.name + SESSIONS] = lambda path=path: lines(path, sessions=True)
    for path in sorted(glob.glob(os.path.join(glob.escape(folder), "*.jsonl.gz"))):
        name = os.path.basename(path).removesuffix(".jsonl.gz")
        if name not in sets and next(_rows(path), {}).get("k") == "meta":
            sets[name] = lambda path=path: lines(path)
    path = os.path.join(folder, "locomo10.json")
    if os.path.isfile(path):
        sets["locomo10"] = lambda path=path: locomo(path)
        sets["locomo10" + SESSIONS] = lambda path=path: locomo(path, sessions=True)
    for path in sorted(glob.glob(os.path.join(glob.escape(folder), "longmemeval_*.json"))):
        name = os.path.basename(path).removesuffix(".json")
        pooled = "oracle" in name
        sets[name] = lambda path=path, pooled=pooled: longmemeval(path, pooled=pooled)
        sets[name + SESSIONS] = lambda path=path, pooled=pooled: longmemeval(
            path, pooled=pooled, sessions=True
        )
    return sets


def lines(path: str, *, sessions: bool = False) -> list[Store]:
    """Read a set in the shared format."""
    stores: dict[str, Store] = {}
    pool: dict[str, list[Statement]] = {}
    haystacks: dict[str, tuple[list[str], list[str | None]]] = {}
    asked: list[dict[str, Any]] = []
    unit = "turn"
    for row in _rows(path):
        if row["k"] == "meta":
            unit = row["unit"]
        elif row["k"] == "s":
            haystacks[row["store"]] = (row["members"], row.get("ts") or [])
        elif row["k"] == "q":
            asked.append(row)
        elif row["store"] == "*":
            pool.setdefault(row["session"], []).append(_statement(row))
        else:
            stores.setdefault(row["store"], Store()).statements.append(_statement(row))
    if pool and not haystacks:
        stores["*"] = Store([one for session in pool.values() for one in session])
    for name, (members, days) in haystacks.items():
        stores[name] = Store()
        for place, member in enumerate(members):
            dated = {"at": days[place]} if days else {}
            stores[name].statements += [one._replace(**dated) for one in pool[member]]
    fold = sessions and unit == "turn"
    for row in asked:
        gold = frozenset(row["gold_s" if fold else "gold"])
        kind = ABSTENTION if row.get("abstain") else row["cat"]
        stores[row["store"]].questions.append(
            Question(
                row["text"],
                gold,
                kind,
                row.get("ts"),
                row.get("before"),
                row.get("split", ""),
            )
        )
    return _answerable(stores.values(), sessions=fold)


def locomo(path: str, *, sessions: bool = False) -> list[Store]:
    """Read LoCoMo as its authors publish it: a list of conversations, each with its questions."""
    stores = []
    for sample in _json(path):
        name, talk = sample["sample_id"], sample["conversation"]
        store = Store()
        numbers = sorted(int(key[8:]) for key in talk if re.fullmatch(r"session_\d+", key))
        for number in numbers:
            at = _spoken_at(talk.get(f"session_{number}_date_time"))
            for turn in talk[f"session_{number}"]:
                session, place = _cited(turn["dia_id"])[0]
                row = {
                    "id": f"{name}/D{session}:{place}",
                    "text": turn["text"],
                    "caption": turn.get("blip_caption"),
                    "ts": at,
                    "speaker": turn["speaker"],
                    "session": f"{name}/S{number}",
                }
                store.statements.append(_statement(row))
        held = {one.id for one in store.statements}
        for asked in sample["qa"]:
            places = [place for cited in asked.get("evidence") or () for place in _cited(cited)]
            places = [(s, n) for s, n in places if f"{name}/D{s}:{n}" in held]
            gold = {f"{name}/S{s}" if sessions else f"{name}/D{s}:{n}" for s, n in places}
            kind = LOCOMO_KINDS.get(asked["category"], str(asked["category"]))
            store.questions.append(Question(asked["question"], frozenset(gold), kind))
        stores.append(store)
    return _answerable(stores, sessions=sessions)


def longmemeval(path: str, *, pooled: bool, sessions: bool = False) -> list[Store]:
    """Read LongMemEval as its authors publish it: a list of questions, each with its haystack.

    Args:
        path: the file.
        pooled: put every session in one store, as the oracle file's few sessions ask for.
        sessions: make each session one memory; else each turn is one.
    """
    stores: list[Store] = []
    known: set[str] = set()
    for asked in _json(path):
        if not stores or not pooled:
            stores.append(Store())
            known = set()
        store, gold = stores[-1], set()
        if sessions:
            gold.update(asked["answer_session_ids"])
        haystack = zip(
            asked["haystack_session_ids"],
            asked["haystack_dates"],
            asked["haystack_sessions"],
            strict=True,
        )
        for session, day, turns in haystack:
            for place, turn in enumerate(turns):
                name = f"{session}#{place}"
                if not sessions and turn.get("has_answer"):
                    gold.add(name)
                if session not in known and turn["content"].strip():
                    about = {"speaker": turn["role"], "session": session}
                    said = Statement(name, turn["content"], _day(day), about)
                    store.statements.append(said)
            known.add(session)
        kind = ABSTENTION if asked["question_id"].endswith("_abs") else asked["question_type"]
        at = _day(asked["question_date"])
        store.questions.append(Question(asked["question"], frozenset(gold), kind, at))
    return _answerable(stores, sessions=sessions)


def _answerable(stores: Any, *, sessions: bool) -> list[Store]:
    """Leave out questions without evidence and stores without questions; fold turns if asked."""
    kept = []
    for store in stores:
        questions = [one for one in store.questions if one.gold]
        if questions:
            said = by_session(store.statements) if sessions else store.statements
            kept.append(replace(store, statements=said, questions=questions))
    return kept


def by_session(statements: list[Statement]) -> list[Statement]:
    """Make one memory of each session: a line for each turn, its speaker before it."""
    said: dict[str, list[str]] = {}
    days: dict[str, str | None] = {}
    for one in statements:
        speaker, session = one.about["speaker"], one.about["session"]
        days.setdefault(session, one.at)
        said.setdefault(session, []).append(f"{speaker}: {one.text}" if speaker else one.text)
    return [
        Statement(session, "\n".join(told), days[session], {"speaker": "", "session": session})
        for session, told in said.items()
    ]


def _statement(row: dict[str, Any]) -> Statement:
    text = row["text"]
    if row.get("caption"):  # all that is known of a picture
        text += f" [image: {row['caption']}]"
    about = {"speaker": row.get("speaker") or "", "session": row["session"]}
    return Statement(row["id"], text, row.get("ts"), about)


def _cited(text: str) -> list[tuple[int, int]]:
    return [(int(session), int(place)) for session, place in _CITED.findall(text)]


def _spoken_at(text: str | None) -> str | None:
    """Read LoCoMo's `1:56 pm on 8 May, 2023`."""
    if not text:
        return None
    return f"{datetime.strptime(text, '%I:%M %p on %d %B, %Y'):%Y-%m-%dT%H:%M}"  # noqa: DTZ007


def _day(text: str) -> str:
    """Read LongMemEval's `2023/05/20 (Sat) 02:21`."""
    day, _, rest = text.partition(" ")
    return f"{day.replace('/', '-')}T{rest.rpartition(' ')[2] or '00:00'}"


def _rows(path: str) -> Iterator[dict[str, Any]]:
    with gzip.open(path, "rt", encoding="utf-8") as file:
        yield from map(json.loads, file)


def _json(path: str) -> Any:
    with open(path, encoding="utf-8") as file:
        return json.load(file)
