"""`python -m benchmarks.judgement`: how well the judge tells how two statements relate.

The pairs of `judge/` were written by authors who had not seen the judge, and are split in two by a
hash of their texts; the rules were made with one half in view (`--tuned`), the other is shown.
Pairs of public sets are split likewise. The committed project is lived through the real ledger:
every correction in it is a true update, and whatever else is raised there is looked at as a false
alarm.
"""

from __future__ import annotations

import gzip
import json
import os
import sys
import tempfile
from collections import Counter
from hashlib import sha256
from typing import TYPE_CHECKING

import varves
from benchmarks.extraction import wilson
from varves.conflicts.judging import judged, terms
from varves.index.where import Trusted
from varves.values.instants import FixedClock, instant
from varves.values.near import Near

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any

LATER = (
    "fifth",
    "sixth",
    "seventh",
    "eighth",
    "tenth",
)  # sets that were run whole, once, before anybody read them
PAIRS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "judge")
RAISED = ("update", "contradiction")
PROJECT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "project", "memories.jsonl")
WANTED = {
    "pairs": "SICK 2014 (train) and STS-B (dev), one pair for each line: set, a, b, sim, label",
    "supersede": "LongMemEval and BEAM, two statements of one user: set, kind, old, new",
    "lme_pool": "LongMemEval's turns, the store in which the older statement is looked for",
    "locomo": "LoCoMo's turns, as ordinary statements",
}
SAME = 4.0  # the similarity, of 5, from which on STS-B's pairs count as the same
SAMPLE = 300
_ABOUT = ("type", "tags", "speaker", "session", "turn", "scope", "ttl", "priority")


def main() -> int:
    """Print the figures of every set that is there."""
    folder = os.environ.get("VARVES_BENCH_DATA")
    half = 0 if "--tuned" in sys.argv else 1
    print("the half the rules were made with" if half == 0 else "the half kept apart")
    show(of_authors(half))
    show(compatible())
    if folder is None:
        print("VARVES_BENCH_DATA names no folder; these would be read there as NAME.jsonl.gz:")
        for name, what in WANTED.items():
            print(f"  {name}: {what}")
    else:
        rows = read(folder, "pairs")
        show(of_pairs([row for row in rows if half_of(row["a"], row["b"]) == half]))
        rows = read(folder, "supersede")
        show(superseded([row for row in rows if half_of(row["old"], row["new"]) == half]))
        show(nearest(rows, read(folder, "lme_pool")))
        show(ordinary(read(folder, "locomo")))
    show(project())
    return 0


def show(rows: Iterable[str]) -> None:
    """Print rows as they come."""
    for row in rows:
        print(row, flush=True)


def read(folder: str, name: str) -> list[dict[str, Any]]:
    """Read a set; one that is not there is empty, and said to be so."""
    path = os.path.join(folder, f"{name}.jsonl.gz")
    if not os.path.exists(path):
        print(f"{name}: not there")
        return []
    with gzip.open(path, "rt", encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def half_of(*texts: str) -> int:
    """Return which half a pair is in."""
    return sha256("".join(texts).encode()).digest()[0] & 1


def kind_of(older: str, newer: str) -> str:
    """Return the kind of a pair as a conflict would have it, or a dash."""
    found = judged(_near(older, "a"), _near(newer, "b"))
    return found.kind if found else "-"


def _near(text: str, name: str) -> Near:
    return Near((name, text, None, name, "project", "project", 0, "", None, "", "core", "note"))


def of_authors(half: int) -> Iterator[str]:
    """Yield what is raised of the pairs by authors who had not seen the judge, each by itself."""
    raised: Counter[str] = Counter()
    there: Counter[str] = Counter()
    for name in ("plain", "free", "lookalikes", *LATER):
        with open(os.path.join(PAIRS, f"{name}.jsonl"), encoding="utf-8") as file:
            rows = [json.loads(line) for line in file]
        for row in rows:
            kept = sha256(f"{row['a']}\n{row['b']}".encode()).hexdigest()[0] in "89abcdef"
            if kept != bool(half):
                continue
            author = f"author {row['author']}, " if name in LATER else ""
            of = f"{author}{row.get('form', name)}: {row['label']}"
            kind = kind_of(row["a"], row["b"])
            there[of] += 1
            if row["label"] != "same":
                raised[of] += kind in RAISED
                continue
            raised[of] += kind == "duplicate"
            there[of + ", denied"] += 1
            raised[of + ", denied"] += kind in RAISED
    for of in sorted(there):
        low, high = wilson(raised[of], there[of])
        word = "false alarms" if of.endswith(("different", "denied")) else "found"
        share_of = share(raised[of], there[of])
        yield f"{of:<34} {word:<13} {share_of}, 95 %: {100 * low:.0f} to {100 * high:.0f} %"


def compatible() -> Iterator[str]:
    """Yield how many of the compatible notes of each of two projects raise anything."""
    for name in ("statements", "notes"):
        with open(os.path.join(PAIRS, f"{name}.jsonl"), encoding="utf-8") as file:
            notes = [json.loads(line)["text"] for line in file]
        raising = [
            text
            for at, text in enumerate(notes)
            if any(kind_of(older, text) in RAISED for older in notes[:at])
        ]
        of = f"notes of one project ({name})"
        yield f"{of:<34} false alarms  {share(len(raising), len(notes))}"


def share(part: int, whole: int) -> str:
    """Write a share in per cent, beside what it is of."""
    return f"{100 * part / whole:5.1f} % ({part} of {whole})" if whole else "    - (none)"


def of_pairs(rows: list[dict[str, Any]]) -> Iterator[str]:
    """Yield precision and recall on pairs whose kind people have judged."""
    found = Counter((row["set"], _truth(row), kind_of(row["a"], row["b"])) for row in rows)
    for name in sorted({name for name, _, _ in found}):
        for kind in ("duplicate", "contradiction", "update"):
            truths = {truth for of, truth, _ in found if of == name}
            called = sum(found[name, truth, kind] for truth in truths)
            right = found[name, kind, kind]
            there = sum(n for (of, truth, _), n in found.items() if (of, truth) == (name, kind))
            yield f"{name:<12} {kind:<13} precision {share(right, called)}"
            if there:
                yield f"{name:<12} {kind:<13} recall    {share(right, there)}"


def _truth(row: dict[str, Any]) -> str:
    if row["set"] == "sick":
        return {"entailment": "duplicate"}.get(row["label"], row["label"].lower())
    return "duplicate" if row["sim"] >= SAME else "other"


def superseded(rows: list[dict[str, Any]]) -> Iterator[str]:
    """Yield how many statements that replace an older one are seen as that."""
    found = Counter((row["kind"], kind_of(row["old"], row["new"])) for row in rows)
    for kind in ("update", "contradiction"):
        there = sum(n for (truth, _), n in found.items() if truth == kind)
        raised = there - found[kind, "-"]
        yield f"supersede    {kind:<13} raised    {share(raised, there)}"
        yield f"supersede    {kind:<13} so called {share(found[kind, kind], there)}"


def nearest(rows: list[dict[str, Any]], pool: list[dict[str, Any]]) -> Iterator[str]:
    """Yield how often the older statement is among the nearest of a whole store."""
    if not rows:
        return
    with _scene() as root, varves.open(root, home=f"{root}/home") as ledger:
        held = [row["text"] for row in pool if row["k"] == "m"]
        ledger.remember_many({"text": text} for text in [*held, *(row["old"] for row in rows)])
        ids = {memory.text: memory.id for memory in ledger.list()}
        index = ledger._context.index.get()  # noqa: SLF001 - nobody else is told the nearest
        look = index.nearby("2020-01-01T00:00:00.000Z", Trusted())
        for sets in ("longmemeval", "beam"):
            these = [row for row in rows if row["set"].startswith(sets)]
            hits = 0
            for row in these:
                words = terms(row["new"])
                near = look.nearest(words, scope="project", kept="project", other_than="")
                hits += ids.get(row["old"]) in {one.id for one in near}
            found = share(hits, len(these))
            yield f"{sets:<12} older one among the nearest 20 of {len(ids)}: {found}"


def ordinary(rows: list[dict[str, Any]]) -> Iterator[str]:
    """Yield how often an ordinary turn of a conversation raises anything."""
    turns = [row for row in rows if row["k"] == "m"]
    if not turns:
        return
    chosen = sorted(turns, key=lambda row: sha256(row["id"].encode()).digest())
    sample = {row["id"] for row in chosen[:SAMPLE]}
    with _scene() as root, varves.open(root, home=f"{root}/home") as ledger:
        ledger.remember_many(_turn(row) for row in turns if row["id"] not in sample)
        ledger.recall("anything")
        raised = [ledger.remember(**_turn(row)) for row in turns if row["id"] in sample]
        hits = [done for done in raised if done.conflicts]
        yield f"locomo       ordinary turns that raise anything: {share(len(hits), len(raised))}"
        for done in hits:
            for one in done.conflicts:
                yield f"    {one.kind}: {done.text[:90]!r} / {one.text[:90]!r}"


def _turn(row: dict[str, Any]) -> dict[str, Any]:
    kept = {"text": row["text"]}
    if row.get("speaker"):
        kept["speaker"] = row["speaker"]
    return kept


def project() -> Iterator[str]:
    """Live the committed project; yield what was found of its corrections, and what else was."""
    with open(PROJECT, encoding="utf-8") as file:
        operations = [json.loads(line) for line in file]
    corrections: Counter[str] = Counter()
    raised: list[str] = []
    count = 0
    with _scene() as root:
        clock = FixedClock(0)
        for name in ("main", "cragpass"):
            os.mkdir(f"{root}/{name}")
        ledgers = {
            name: varves.open(f"{root}/{name}", home=f"{root}/home-{name}", clock=clock)
            for name in ("main", "cragpass")
        }
        ids: dict[str, tuple[str, dict[str, Any]]] = {}
        for one in operations:
            clock.ms = instant(one["at"])
            ledger = ledgers[one["project"]]
            if one["op"] == "forget":
                ledger.forget(ids[one["of"]][0], reason=one["reason"] or "forgotten")
                continue
            old, about = ids[one["of"]] if one["op"] == "correct" else ("", _about(one))
            ledger.recall("catch up")
            done = ledger.remember(one["text"], at=one["at"], again=True, **about)
            ids[one["key"]] = done.id, about
            others = [found for found in done.conflicts if found.id != old]
            raised += [f"    {it.kind}: {done.text!r} / {it.text!r}" for it in others[:1]]
            count += 1
            if old:
                hit = [found for found in done.conflicts if found.id == old]
                corrections[hit[0].kind if hit else "-"] += 1
                ledger.forget(old, reason="corrected")
        for ledger in ledgers.values():
            ledger.close()
    there = sum(corrections.values())
    yield f"project      corrections raised: {share(there - corrections['-'], there)}"
    yield f"project      statements that raise anything else: {share(len(raised), count)}"
    yield from raised


def _about(one: dict[str, Any]) -> dict[str, Any]:
    about = {name: one[name] for name in _ABOUT if one.get(name) is not None}
    if about.get("session") is None:
        about.pop("turn", None)
    return about


def _scene() -> tempfile.TemporaryDirectory[str]:
    return tempfile.TemporaryDirectory(prefix="varves-likeness-")


if __name__ == "__main__":
    sys.exit(main())
