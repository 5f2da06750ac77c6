"""Every page of the window, as plain data: its address, its place in the menu, and what makes it.

How to add a page:

1. A row in `PAGES`: name, address, title, the group of the menu it belongs to (None: not listed),
   and the keys that lead to it.
2. The function `NAME` in the module `varves.web.pages.NAME`: it takes a `Visit` and returns what
   the template needs, as a dict. It reads `visit.record`, the ledger at the moment of the visit, or
   `visit.ledger` with `as_of=visit.as_of`, and the filters with `visit.asked` and `visit.number`.
   It raises the ledger's own errors; they become a page that says so.
3. The template, `templates/NAME.html`: it extends `base.html`, fills the block `main` (and `aside`,
   for a column of facts), and uses the macros of `parts.html`: `row` for a memory, `event` for an
   event, `facts`, `empty`. In it, `link("page", id, filter=…)` is an address at the same moment,
   `plain(text)` a text of somebody else with its hidden characters shown, `at(instant)` a time.
   Drawings are SVG made by the drawing module, without `style`.
4. Its JSON: under the key `twins` the verbs it is made of, as (verb, filters); each must be listed
   in `varves.web.twins.READ`. They are linked in the footer.
5. Keys: an element with `data-key="g x"` is pressed by that key, one with `data-row` is a stop of
   `j` and `k`; print the key on it with `<kbd>`. No page needs a script of its own.
6. Its words: docs/web.md says how the window speaks. A test renders each row of the table, in both
   themes with axe-core, so a page without a test does not exist.
"""

from __future__ import annotations

from varves.values.value import Value


class Row(Value):
    """One page."""

    name: str
    path: str
    """The address; a part in braces is passed on by its name."""
    title: str
    group: int | None = None
    """The group of the menu in which it is listed."""
    key: str = ""
    private: bool = False
    """Whether it shows what only this computer knows; an export leaves it out unless asked."""
    lives: bool = False
    """Whether it makes no sense in an export."""


_ROWS = (
    Row(name="now", path="/", title="Now", group=0, key="g n"),
    Row(name="review", path="/review", title="Review", group=0, key="g r", lives=True),
    Row(name="conflicts", path="/conflicts", title="Conflicts", group=0, key="g c"),
    Row(name="timeline", path="/timeline", title="Timeline", group=1, key="g t"),
    Row(name="search", path="/search", title="Search", group=1, key="g f"),
    Row(name="shown", path="/shown", title="Shown", group=1, key="g s", private=True),
    Row(name="changes", path="/changes", title="Changes", group=1, key="g d"),
    Row(name="graph", path="/graph", title="Graph", group=1, key="g g", lives=True),
    Row(name="discussions", path="/discussions", title="Discussions", group=2, key="g i"),
    Row(name="parties", path="/parties", title="Parties", group=2, key="g p"),
    Row(name="discussion", path="/discussion/{id}", title="Discussion"),
    Row(name="health", path="/health", title="Health", group=9, key="g h", private=True),
    Row(name="memory", path="/memory/{id}", title="Memory"),
    Row(name="conflict", path="/conflict/{id}", title="Which one holds?"),
    Row(name="keys", path="/keys", title="Keys", lives=True),
)
PAGES = {row.name: row for row in _ROWS}
