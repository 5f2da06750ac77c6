"""What is folded is the same in every process, down to the order of its keys."""

from __future__ import annotations


def test_further_fields_of_a_record_have_one_order(varves, varves_process):
    """The order of a set of texts differs between processes."""
    varves("deliberation", "new", "talk", "--shared")
    varves("deliberation", "say", "ada", "We decided on 'typos': names match above 0.4.")
    asked = ("list", "--status", "all", "--as-of", "2100-01-01", "--json")
    told = {varves_process(*asked, env={"PYTHONHASHSEED": str(seed)}).out for seed in range(1, 7)}
    assert '"supporters"' in told.pop()
    assert told == set()
