"""What the four layers cost as they grow: questions to a large graph, and work over a long log.

Questions are held against a look for the same lines with one regular expression, in the same run.
The log is a published decision log of 106 entries, many times over; work on it may grow with its
length, but no faster.
"""

from __future__ import annotations

import os
import random
import re
from contextlib import ExitStack
from time import process_time
from typing import TYPE_CHECKING

import varves
from benchmarks.measure import interleave
from benchmarks.row import Row, between, compared, seconds, timed
from benchmarks.scene import say

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from benchmarks.measure import Samples
    from benchmarks.scene import Scene

LOG = "tests/protocols/layers/samples/zero-operators/DECISION_LOG.md"
ENTRIES = 106
TIMES = (1, 5, 50)  # the longest has more than 5,000 entries
SKILLS, PACKS, FILES = 9_000, 200, 800
DEPENDING, REFERRING = 33_000, 8_000
EVENTS = 250
LINEAR = 1.2  # of the growth in length: what more is beyond the noise of a run
MOST = 1.0  # seconds, for any question to the large graph
CEILINGS = {  # seconds of CPU, over the longest log
    "`layers boot`": 0.2,
    "`layers append`": 0.2,
    "`layers validate`": 1.0,
    "`layers rebuild`": 1.0,
    "`layers find`": 1.0,
}
LOOKS = 10  # times a look with one regular expression
STEPS = iter(range(1_000_000))
_LINE = re.compile(r"^- \[\[(.+?)\]\](?: → \[\[(.+?)\]\])?", re.MULTILINE)


def run(scene: Scene) -> list[Row]:
    """Ask the large graph, then work over logs of different lengths, in turn."""
    return [*_questions(scene), *_work(scene)]


def capped(what: str, subject: Samples, *, most: float) -> Row:
    """Return a row of seconds with a ceiling."""
    return Row(
        what,
        seconds(subject.median),
        between(subject, seconds),
        target=f"<= {most:g} s CPU",
        met=subject.median <= most,
    )


def _questions(scene: Scene) -> list[Row]:
    part = scene.size(1, 10)
    say("writing a graph of 10,000 entities and 50,000 relations")
    root = _graph(scene, part)
    with varves.open(root, home=f"{root}-home") as ledger:
        layers = ledger.layers
        size = layers.boot().graph
        last = f"src/m{FILES // part - 1:03}.py"
        asked: dict[str, Callable[[], object]] = {
            "by id": lambda: layers.graph_query(id="skill-00001"),
            "by status": lambda: layers.graph_query(status="done"),
            "neighbours within two steps": lambda: layers.graph_neighbours("skill-00001", depth=2),
            "all dependencies": lambda: layers.graph_depends("skill-00001"),
            "shortest path": lambda: layers.graph_path("skill-00001", last),
            "cycles": layers.graph_cycles,
        }
        subjects = {**asked, "look": lambda: _look(root)}
        # A ceiling in seconds is one of CPU time: what else runs here does not count.
        found = interleave(
            subjects, rounds=scene.size(10, 3), warmup=1, heavy=True, clock=process_time
        )
    where = f"{size['entities']:,} entities, {size['relations']:,} relations"
    rows = [
        capped(f"graph, {where}: {name}", found[name], most=MOST / (1 if part == 1 else 5))
        for name in asked
    ]
    what = "graph: a query by id against a search with one regular expression"
    return [*rows, compared(what, found["by id"], found["look"], at_most=LOOKS)]


def _look(root: str) -> int:
    with open(f"{root}/.memory/graph.md", encoding="utf-8") as file:
        return len(set(_LINE.findall(file.read())))


def _work(scene: Scene) -> list[Row]:
    times = TIMES[:-1] if scene.quick else TIMES
    rows: list[Row] = []
    with ExitStack() as stack:
        opened: dict[int, Any] = {}
        for count in times:
            say(f"writing a log of {ENTRIES * count:,} entries")
            root = _long(scene, count)
            opened[count] = stack.enter_context(varves.open(root, home=f"{root}-home")).layers
            opened[count].boot()
        for verb, act in WORK.items():
            subjects = {f"{count}": _of(act, opened[count]) for count in times}
            found = interleave(
                subjects, rounds=scene.size(12, 4), warmup=1, heavy=True, clock=process_time
            )
            lengths = dict(zip(times, found.values(), strict=True))
            rows += grown(verb, lengths)
            what = f"{verb} over {ENTRIES * times[-1]:,} events"
            rows.append(capped(what, lengths[times[-1]], most=CEILINGS[verb]))
    return rows


WORK: dict[str, Callable[[Any], object]] = {
    "`layers boot`": lambda layers: layers.boot(),
    "`layers append`": lambda layers: layers.append(
        type="change",
        scope="project",
        title=f"Step {next(STEPS)}",
        what="It was made.",
        why="To measure.",
    ),
    "`layers validate`": lambda layers: layers.validate(),
    "`layers rebuild`": lambda layers: layers.rebuild(),
    "`layers find`": lambda layers: layers.find("semantic index"),
}


def _of(act: Callable[[Any], object], layers: Any) -> Callable[[], object]:
    return lambda: act(layers)


def grown(verb: str, found: dict[int, Samples]) -> list[Row]:
    """Return a row for each length of the log; each is held against the one before it."""
    (before, shortest), *others = found.items()
    made = [timed(f"{verb} over {ENTRIES * before:,} events", shortest)]
    for count, samples in others:
        what = f"{verb} over {ENTRIES * count:,} events against {ENTRIES * before:,}"
        made.append(compared(what, samples, found[before], at_most=LINEAR * count / before))
        before = count
    return made


def _project(scene: Scene, name: str, log: str) -> str:
    root = scene.project(name)
    for path, text in (("AGENTS.md", "# Rules\n\n## Do\n- Measure\n"), ("CHANGELOG.md", log)):
        with open(f"{root}/{path}", "w", encoding="utf-8") as file:
            file.write(text)
    return root


def _long(scene: Scene, count: int) -> str:
    place = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    with open(f"{place}/{LOG}", encoding="utf-8") as file:
        head, mark, rest = file.read().partition("\n---\n\n## Decision")
    return _project(scene, f"layers-{count}", head + (mark + rest) * count)


def _graph(scene: Scene, part: int) -> str:
    """Make a project whose log speaks of so many entities and relations, or a part of them."""
    draw = random.Random(7)
    skills = [f"skill-{number:05}" for number in range(SKILLS // part)]
    files = [f"src/m{number:03}.py" for number in range(FILES // part)]
    packs = PACKS // part
    said = [
        f"- [[{name}]] — Name of {name} — {draw.choice(('done', 'active'))} — "
        f"pack-{draw.randrange(packs):03}"
        for name in skills
    ]
    said += ["- [[{}]] → [[{}]]".format(*draw.sample(skills, 2)) for _ in range(DEPENDING // part)]
    said += [f"- [[{name}]] → [[{draw.choice(skills)}]]" for name in files]
    said += [
        f"- [[{draw.choice(files)}]] → [[{draw.choice(skills)}]]"
        for _ in range(REFERRING // part - len(files))
    ]
    each = -(-len(said) // EVENTS)
    events = [
        f"## 2026-01-01 {number // 60:02}:{number % 60:02} — Part {number}\n\n**Type:** change\n"
        "**Scope:** project\n\n### What\n" + "\n".join(said[number * each : (number + 1) * each])
        for number in range(EVENTS)
    ]
    return _project(scene, "layers-graph", "# Log\n\n" + "\n\n".join(events) + "\n")
