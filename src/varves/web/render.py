"""Pages from templates: everything that is not ours is escaped, by the engine and nobody else."""

from __future__ import annotations

import os
import time
from functools import cache

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from varves.values.instants import is_instant, iso
from varves.web import words
from varves.web.revision import did
from varves.web.table import PAGES
from varves.web.texts import cut, differing, plain

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from varves.web.visit import Visit

_FOLDER = f"{os.path.dirname(__file__)}/templates"
_TIME = Markup('<time datetime="{}">{}</time>')


@cache
def _environment() -> Environment:
    made = Environment(
        loader=FileSystemLoader(_FOLDER),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
    made.globals |= {
        "plain": plain,
        "cut": cut,
        "differing": differing,
        "counted": words.counted,
        "kept": words.kept,
        "named": words.named,
        "discussion": words.discussion,
        "mark": words.mark,
        "did": did,
        "size": words.size,
        "STATUSES": words.STATUSES,
        "WAITS": words.WAITS,
        "CONFLICTS": words.CONFLICTS,
        "FATES": words.FATES,
        "ORIGINS": words.ORIGINS,
        "feature": words.feature,
        "reason": words.left_out,
        "setting": words.setting,
        "pages": PAGES,
    }
    return made


def page(visit: Visit, found: dict[str, Any], *, template: str | None = None) -> str:
    """Return the HTML of a page."""
    visit = visit.replace(untrusted=visit.window.untrusted())
    now = visit.now

    def at(instant: str | None) -> Markup:
        if not instant or not is_instant(instant):
            return plain(instant or "")
        return _TIME.format(instant, words.when(instant, now))

    given = {
        "visit": visit,
        "window": visit.window,
        "link": visit.link,
        "here": visit.here,
        "static": visit.links.static,
        "at": at,
        "hour": lambda instant: _TIME.format(instant, words.clock(instant)),
        "axis_time": iso,
        "now_words": words.when(iso(now), now).replace(
            "today", words.day(time.localtime(now / 1000)) + ","
        ),
        "moment": visit.moment(),
        "live": visit.links.live,
        "past": visit.as_of is not None,
        "may_act": visit.as_of is None and not visit.window.read_only and visit.links.live,
        "notice": visit.window.told(),
        "title": visit.row.title,
        "twins": (),
        "disputes": {},
        "menu": _menu(visit),
        **found,
    }
    if given["past"]:  # a verb without moments would answer about now
        answers = visit.window.verbs.reads_moments
        given["twins"] = [one for one in given["twins"] if answers(one[0])]
    name = template or visit.row.name
    text: str = _environment().get_template(f"{name}.html").render(given)
    return text


def _menu(visit: Visit) -> list[list[dict[str, Any]]]:
    groups: dict[int, list[dict[str, Any]]] = {}
    counts = visit.window.waiting_counts() if visit.as_of is None else {}
    for row in PAGES.values():
        if row.group is not None and visit.links.has(row):
            groups.setdefault(row.group, []).append(
                {
                    "row": row,
                    "here": row.name == visit.row.name,
                    "link": visit.link(row.name),
                    "count": counts.get(row.name, 0),
                }
            )
    return [groups[number] for number in sorted(groups)]
