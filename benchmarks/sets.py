"""`make bench-recall`: how much is found and how fast, by others' ways and ours.

The public sets are read from the folder that VARVES_BENCH_DATA names. Without it the committed
project set is run alone.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from time import perf_counter, process_time
from typing import TYPE_CHECKING

from benchmarks import pictures, project_set, published, recall_page, report, speed
from benchmarks.row import Row
from benchmarks.scene import Scene, say
from benchmarks.scoring import FIGURES, Result, evaluate
from benchmarks.systems import Bm25, Dense, FullText, Grep, Varves, VarvesDense, dense_missing

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

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


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure what is asked for; 1 if a target is missed."""
    given = _given(arguments)
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
    results: Results = {}
    for name in given.data or there:
        results[name] = scored(name, there[name](), chosen)
    rows = judged(results)
    pages["targets"] = recall_page.markdown(recall_page.judged(rows))
    pages["sets"] = "\n\n".join(
        f"### {name}\n\n{recall_page.markdown(table(found))}" for name, found in results.items()
    )
    pages["recall.svg"] = picture(results)
    return rows


def scored(name: str, stores: list[published.Store], chosen: Sequence[str]) -> dict[str, Result]:
    """Run some systems over one set, and print what came out."""
    memories = sum(len(store.statements) for store in stores)
    asked = sum(len(store.questions) for store in stores)
    print(f"\n{name}: {len(stores)} stores, {memories:,} memories, {asked:,} questions", flush=True)
    found = {}
    for system in chosen:
        began = perf_counter()
        found[system] = evaluate(SYSTEMS[system][1], stores)
        say(f"{system} on {name} took {perf_counter() - began:.0f} s")
    print(recall_page.plain(table(found)), flush=True)
    return found


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
    half = "the half for the end" if given.kept else "the half for development"
    say(f"replaying the project set, {half}")
    with tempfile.TemporaryDirectory(prefix="varves-project-") as folder:
        answers = project_set.replay(folder, half=given.kept)
    found = project_set.table(answers)
    print(f"\nproject set, {half}\n{recall_page.plain(found)}", flush=True)
    for answer in answers if given.each else ():
        if answer.wrong or not answer.within(1):
            wrong = (
                f"; must not be there: {', '.join(sorted(answer.wrong))}" if answer.wrong else ""
            )
            print(f"  {answer.id} ({answer.kind}) not first{wrong}")
    if not given.kept:
        asked = recall_page.markdown(recall_page.judged(project_set.rows(answers)))
        pages["project"] = f"{asked}\n\n{recall_page.markdown(found)}"
    return project_set.rows(answers)


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
