"""The verb that git's merge driver runs."""

from __future__ import annotations

from varves.cli.render import Answer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from varves.cli.arguments import Given


def merge_file(given: Given) -> Answer:
    """Merge the parts that Varves renders in the three versions of a published file."""
    from varves.merge_driver import settle

    own = given.own
    aloud = "json" not in given.shared
    code = settle(own["base"], own["ours"], own["theirs"], own["path"], aloud=aloud)
    return Answer(document={"settled": code == 0}, lines=[], exit=code)
