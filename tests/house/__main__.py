"""Check the rules of the house that can be judged from the files alone; `make check` runs this."""

from __future__ import annotations

import gc
import sys

from tests.house import carriers, files, modules, pages, speech
from tests.house.repository import Repository

RULES = (
    files.root_entries,
    files.workplaces,
    files.lock_addresses,
    files.lock_versions,
    modules.empty_names,
    modules.public_names,
    modules.refused_synonyms,
    modules.class_names,
    modules.sql_in_adapters,
    modules.sql_parameters,
    modules.event_kinds,
    modules.barring_kinds,
    speech.empty_phrases,
    speech.emoji,
    pages.dead_links,
    pages.unlisted_pages,
    pages.stored_fields,
    carriers.rows_without_a_test,
    carriers.rows_out_of_sequence,
    carriers.rows_without_a_sentence,
    carriers.unknown_rows,
    carriers.tests_without_a_door,
    carriers.tests_that_patch,
    carriers.tests_that_show_nothing,
)


def main() -> int:
    """Print what each rule finds; return 1 where there is anything."""
    gc.disable()  # every tree is kept to the end; collecting takes longer than the rules
    repository = Repository.here()
    found = [one for rule in RULES for one in rule(repository)]
    sys.stdout.write("".join(f"{one}\n" for one in found) or f"{len(RULES)} house rules hold\n")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
