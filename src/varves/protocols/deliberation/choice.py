"""The choice of an extractor by the settings."""

from __future__ import annotations

from varves.protocols.deliberation.pattern_extractor import published

TYPE_CHECKING = False
if TYPE_CHECKING:
    from varves.protocols.deliberation.findings import Extractor
    from varves.protocols.deliberation.options import DeliberationOptions
    from varves.protocols.deliberation.repeats import Likeness


def reader(options: DeliberationOptions, likeness: Likeness | None = None) -> Extractor:
    """Return the extractor that the settings name.

    Raises:
        UsageError: a pattern of the settings is not a valid regular expression.
    """
    if options.extractor == "published":
        return published(options, likeness)
    from varves.protocols.deliberation.sentence_extractor import by_reader

    return by_reader(options, likeness)
