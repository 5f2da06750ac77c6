"""`make bench-recall`: how much is found and how fast, by others' ways and ours.

The public sets are read from the folder that VARVES_BENCH_DATA names. Without it the committed
project set is run alone. Figures of questions that something was fitted to and of questions that
were kept apart are never mixed; they are printed side by side.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from time import perf_counter, process_time
from typing import TYPE_CHECKING

from benchmarks import pictures, project_set, published, recall_page, report, speed
from benchmarks.apart import fitted_set, halves
from benchmarks.crew import results, together
from benchmarks.published import SESSIONS
from benchmarks.row import Row
from benchmarks.scene import Scene, say
from benchmarks.scoring import FIGURES, Result, interval
from benchmarks.systems import Bm25, Dense, FullText, Grep, Varves, VarvesDense, dense_missing

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from benchmarks.published import Store

FOLDER = "VARVES_BENCH_DATA"
PARTS = ("sets", "project", "cpu", "growth")
SYSTEMS: dict[str, tuple[str, Callable[[], Any]]] = {
    "grep": ("grep", Grep),
    "fts5": ("FTS5", FullText),
    "bm25": ("BM25", Bm25),
    "dense": ("dense alone", Dense),
    "ours": ("ours", Varves),
    "ours-dense": ("ours + dense", VarvesDense),
}
NEED_DENSE = ("dense", "ours-dense")
# The figure each set is judged by, and what ours should reach without and with the dense extra.
TARGETS = {
    "locomo": ("LoCoMo turns", "R@10", 82.0, 84.0),
    "locomo-sessions": ("LoCoMo sessions", "hit@5", 93.0, 93.0),
    "lme_s500": ("LongMemEval-S cut", "hit@5", 95.0, 97.5),
    "lme_pool": ("LongMemEval pooled", "R@10", 70.0, 74.0),
    "realmem": ("RealMem sessions", "R@10", 72.0, 75.0),
    "qmsum": ("QMSum turns", "R@10", 19.5, 20.0),
}
OURS = ("ours", "ours-dense")

Results = dict[str, dict[str, Result]]  # by set, by system
NONE = "-"  # no such question is there


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure what is asked for; 1 if a target is missed."""
    given = _given(arguments)
    began = perf_counter()
    folder = os.environ.get(FOLDER, "")
    speed.quiet_environment()
    parts = list(given.parts or PARTS)
    if not folder and "sets" in parts:
        print(published.wanted())
        print("\nMeanwhile, the set that is part of this repository:")
        parts = list(given.parts) if len(given.parts) > 1 else ["project"]
        parts = [part for part in parts if part != "sets"]
    rows: list[Row] = []
    pages: dict[str, str] = {}
    if "sets" in parts:
        rows += _sets(folder, given, pages)
    if "project" in parts:
        rows += _project(given, pages)
    if "cpu" in parts:
        rows += _cpu(pages)
    if "growth" in parts:
        rows += _growth(given, pages)
    if rows:
        print("\n" + recall_page.plain(recall_page.judged(rows)))
    if given.write or (folder and not given.parts):
        _keep(pages)
    say(f"{', '.join(parts)} took {perf_counter() - began:.0f} s")
    failures = report.missed(rows)
    for failure in failures:
        print(f"MISSED {failure}", file=sys.stderr)
    return 1 if failures else 0


def _given(arguments: Sequence[str] | None) -> argparse.Namespace:
    ask = argparse.ArgumentParser(prog="python -m benchmarks.sets", description=__doc__)
    ask.add_argument("parts", nargs="*", metavar="PART", help=f"some of {', '.join(PARTS)}")
    ask.add_argument("--data", default="", help="sets, with commas between; else all there are")
    ask.add_argument("--system", default="", help=f"some of {','.join(SYSTEMS)}; else all")
    sizes = ",".join(map(str, speed.SIZES))
    ask.add_argument("--sizes", default=sizes, help="memories at which speed is measured")
    ask.add_argument("--jobs", type=int, default=1, help="processes that score the public sets")
    ask.add_argument("--kept", action="store_true", help="the project set's half for the end")
    ask.add_argument("--each", action="store_true", help="name the questions not answered first")
    ask.add_argument("--write", action="store_true", help="keep tables and pictures in docs/")
    given = ask.parse_args(arguments)
    given.data = [name for name in given.data.split(",") if name]
    given.system = [name for name in given.system.split(",") if name]
    if unknown := set(given.parts) - set(PARTS):
        ask.error(f"no such part: {', '.join(sorted(unknown))}; there are {', '.join(PARTS)}")
    if unknown := set(given.system) - set(SYSTEMS):
        ask.error(f"no such system: {', '.join(sorted(unknown))}; there are {', '.join(SYSTEMS)}")
    if not all(size.isdigit() and int(size) for size in given.sizes.split(",")):
        ask.error(f"not sizes: {given.sizes}")
    if given.jobs < 1:
        ask.error(f"not a number of processes: {given.jobs}")
    if given.kept and given.each:
        ask.error("the half for the end is not looked at question by question")
    if given.write and (given.data or given.system or given.kept):
        ask.error("only whole parts are kept in docs/")
    given.sizes = [int(size) for size in given.sizes.split(",")]
    if (given.data or given.system) and not given.parts:
        given.parts = ["sets"]
    return given


def _sets(folder: str, given: argparse.Namespace, pages: dict[str, str]) -> list[Row]:
    there = published.found(folder)
    if unknown := set(given.data) - set(there):
        names = ", ".join(there) or "none"
        sys.exit(f"not in {FOLDER}: {', '.join(sorted(unknown))}; there: {names}")
    if not there:
        sys.exit(f"no set in the folder that {FOLDER} names\n{published.wanted()}")
    chosen = given.system or list(SYSTEMS)
    lack = dense_missing()
    if lack and set(chosen) & set(NEED_DENSE):
        print(f"rows with dense are left out: {lack}")
        chosen = [name for name in chosen if name not in NEED_DENSE]
    stores = {name: halves(name, there[name](), there) for name in given.data or there}
    fitted, kept = _scored(stores, chosen, given.jobs)
    rows = judged(fitted)
    both = beside(fitted, kept)
    print("\n" + recall_page.plain(both), flush=True)
    pages["targets"] = recall_page.markdown(recall_page.judged(rows))
    pages["apart"] = recall_page.markdown(both)
    titled = [
        (f"{name}{what}", found[name])
        for name in stores
        for what, found in (("", fitted), (", kept apart", kept))
        if name in found
    ]
    pages["sets"] = "\n\n".join(
        f"### {title}\n\n{recall_page.markdown(table(found))}" for title, found in titled
    )
    pages["recall.svg"] = picture(fitted or kept)
    return rows


def _scored(
    stores: dict[str, tuple[list[Store], list[Store]]], chosen: Sequence[str], jobs: int
) -> tuple[Results, Results]:
    """Run some systems over the two halves of sets, and print what came out."""
    tasks = [
        (name, place, system, store)
        for name, both in stores.items()
        for place, half in enumerate(both)
        for system in chosen
        for store in half
    ]
    both: tuple[Results, Results] = ({}, {})
    with results([(SYSTEMS[system][1], store) for *_, system, store in tasks], jobs) as waiting:
        for name, sides in stores.items():
            for place, half in enumerate(sides):
                if not half:
                    continue
                said = f"{name}{', kept apart' if place else ''}"
                memories = sum(len(store.statements) for store in half)
                asked = sum(len(store.questions) for store in half)
                print(f"\n{said}: {len(half)} stores, {memories:,} memories, {asked:,} questions")
                found = both[place].setdefault(name, {})
                for system in chosen:
                    began = perf_counter()
                    mine = [
                        each
                        for each, task in zip(waiting, tasks, strict=True)
                        if task[:3] == (name, place, system)
                    ]
                    found[system] = together(mine)
                    say(f"{system} on {said} took {perf_counter() - began:.0f} s")
                print(recall_page.plain(table(found)), flush=True)
    return both


def beside(fitted: Results, kept: Results) -> list[tuple[str, ...]]:
    """Return the judged figure of each system on fitted questions and on those kept apart.

    After each figure comes the interval in which it lies with a certainty of 95 %.
    """
    head = ("set", "was fitted to", "figure", "system")
    rows: list[tuple[str, ...]] = [
        (*head, "questions", "fitted", "questions kept apart", "kept apart")
    ]
    for name in dict.fromkeys((*fitted, *kept)):
        usual = "hit@5" if name.endswith(SESSIONS) else "R@10"
        label, figure = TARGETS[name][:2] if name in TARGETS else (name, usual)
        for system in SYSTEMS:
            sides = [found.get(name, {}).get(system) for found in (fitted, kept)]
            if any(sides):
                about = (label, "yes" if fitted_set(name) else "no", figure, SYSTEMS[system][0])
                rows.append((*about, *(cell for one in sides for cell in _mean(one, figure))))
    return rows


def _mean(found: Result | None, figure: str) -> tuple[str, str]:
    """Return how many questions there are, and the mean of a figure with its interval."""
    if found is None or not found.questions:
        return NONE, NONE
    return str(found.questions), _between([100 * row[figure] for row in found.answerable])


def _between(values: Sequence[float]) -> str:
    low, high = interval(values)
    return f"{sum(values) / len(values):.1f} ({low:.1f} - {high:.1f})"


def table(found: dict[str, Result]) -> list[tuple[str, ...]]:
    """Return the figures of each system, by kind of question and overall."""
    rows = [("system", "kind", "questions", *FIGURES, "insert", "query")]
    for system, result in found.items():
        label = SYSTEMS[system][0]
        for kind, each in result.kinds.items():
            rows.append((label, kind, str(len(each)), *_percent(result.of(kind)), "", ""))
        times = (f"{result.insert_ms:.2f} ms", f"{result.query_ms:.2f} ms")
        if result.questions:
            overall = _percent(result.overall)
            rows.append((label, "overall", str(result.questions), *overall, *times))
    return rows


def _percent(means: dict[str, float]) -> list[str]:
    return [f"{100 * means[name]:.1f}" for name in FIGURES]


def judged(results: Results) -> list[Row]:
    """Hold ours against the targets of the sets that have one."""
    rows = []
    for name, found in results.items():
        if name not in TARGETS:
            continue
        label, figure, *wanted = TARGETS[name]
        for system, least in zip(OURS, wanted, strict=True):
            if system in found:
                value = 100 * found[system].overall[figure]
                what = f"{label} {figure}, {SYSTEMS[system][0]}"
                reached = round(value, 1) >= least
                rows.append(Row(what, f"{value:.1f}", target=f">= {least:g}", met=reached))
    return rows


def picture(results: Results) -> str:
    """Draw the judged figure of every system on every set that has a target."""
    names = [name for name in TARGETS if name in results] or list(results)
    figures = {name: TARGETS[name][1] if name in TARGETS else "R@10" for name in names}
    groups = [f"{TARGETS[name][0] if name in TARGETS else name}\n{figures[name]}" for name in names]
    used = [one for one in SYSTEMS if any(one in results[name] for name in names)]
    series = {
        SYSTEMS[one][0]: [
            100 * results[name][one].overall[figures[name]] if one in results[name] else None
            for name in names
        ]
        for one in used
    }
    marks = {
        SYSTEMS[one][0]: [TARGETS[name][2 + at] if name in TARGETS else None for name in names]
        for at, one in enumerate(OURS)
    }
    title = "Evidence found on the public sets, development questions"
    return pictures.bars(title, groups, series, marks=marks)


def _project(given: argparse.Namespace, pages: dict[str, str]) -> list[Row]:
    answers = _replayed(kept=given.kept, each=given.each)
    if given.kept:
        return project_set.rows(answers)
    rows = project_set.rows(answers)
    sides = {"development": answers}
    if not given.parts or given.write:  # a whole run includes what was kept apart
        sides["kept apart"] = _replayed(kept=True)
    both: list[tuple[str, ...]] = [
        ("half", "questions", *(f"in first {depth}" for depth in project_set.DEPTHS))
    ]
    for half, found in sides.items():
        if found:
            shares = ([100.0 * one.within(d) for one in found] for d in project_set.DEPTHS)
            both.append((half, str(len(found)), *map(_between, shares)))
    print("\n" + recall_page.plain(both), flush=True)
    tables = (recall_page.judged(rows), both, project_set.table(answers))
    pages["project"] = "\n\n".join(map(recall_page.markdown, tables))
    return rows


def _replayed(*, kept: bool, each: bool = False) -> list[project_set.Answer]:
    half = "the half for the end" if kept else "the half for development"
    say(f"replaying the project set, {half}")
    with tempfile.TemporaryDirectory(prefix="varves-project-") as folder:
        answers = project_set.replay(folder, half=kept)
    print(f"\nproject set, {half}\n{recall_page.plain(project_set.table(answers))}", flush=True)
    for answer in answers if each else ():
        if answer.wrong or not answer.within(1):
            wrong = (
                f"; must not be there: {', '.join(sorted(answer.wrong))}" if answer.wrong else ""
            )
            print(f"  {answer.id} ({answer.kind}) not first{wrong}")
    return answers


def _cpu(pages: dict[str, str]) -> list[Row]:
    rows = speed.cpu_rows(speed.cpu(process_time))
    print("\n" + recall_page.plain(recall_page.judged(rows)), flush=True)
    pages["cpu"] = recall_page.markdown(recall_page.judged(rows))
    return rows


def _growth(given: argparse.Namespace, pages: dict[str, str]) -> list[Row]:
    rows: list[Row] = []
    with Scene(quick=False) as scene:
        points = []
        for size in given.sizes:
            points.append(speed.measure(scene, size))
            rows += speed.targets(points[-1])
    found = speed.table(points)
    print("\n" + recall_page.plain(found), flush=True)
    pages["growth"] = recall_page.markdown(found)
    if rows:
        pages["growth"] += "\n\n" + recall_page.markdown(recall_page.judged(rows))
    title = "Time of one recall, prompts of 60 to 120 words"
    pages["growth.svg"] = pictures.curves(
        title, speed.series(points), across="memories", upward="milliseconds"
    )
    return rows


def _keep(pages: dict[str, str]) -> None:
    """Write what was measured whole into docs/."""
    facts = report.machine(tempfile.gettempdir())
    sections = {name: page for name, page in pages.items() if not name.endswith(".svg")}
    sections["machine"] = recall_page.markdown([("fact", "here"), *facts.items()])
    recall_page.write(sections)
    for name in pages.keys() - sections.keys():
        recall_page.draw(name, pages[name])


if __name__ == "__main__":
    sys.exit(main())
