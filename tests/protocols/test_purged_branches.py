"""A purged record does not come back with the published files of another branch."""

from __future__ import annotations

import pytest

from tests.protocols.edits.scene import Hivemind, Scoped
from tests.protocols.layers.conftest import CONTEXT, LOG, RULES
from tests.protocols.test_purged_sources import EVENT, everywhere, holding

WORD = "tangerine"
MOMENT = "2026-11-15T{:02}:00:00Z"


def hivemind(clone):
    here = clone()
    Hivemind().write(here.at(MOMENT.format(8)), "Use make")
    Hivemind().write(here.at(MOMENT.format(8)), f"The vault code is {WORD}")
    return here


def scoped(clone):
    here = clone()
    Scoped().write(here.at(MOMENT.format(8)), "Use make")
    Scoped().write(here.at(MOMENT.format(8)), f"The vault code is {WORD}")
    return here


def party(clone):
    here = clone()
    ledger = here.at(MOMENT.format(8))
    ledger.party.start(agents=["ada", "ben"])
    ledger.party.say("ada", f"I prefer the {WORD} code.")
    ledger.party.remember("ada", type="context", content="Clementine is next", confidence=0.9)
    ledger.party.end()
    return here


def deliberation(clone):
    here = clone()
    verbs = here.at(MOMENT.format(8)).deliberation
    verbs.begin("talk", shared=True)
    verbs.say("ada", "Good morning to all of you.", conversation="talk")
    verbs.say("ben", f"We decided on 'the code word': {WORD}.", conversation="talk")
    return here


def layers(clone):
    here = clone()
    (here.root / "AGENTS.md").write_text(RULES, encoding="utf-8")
    verbs = here.at(MOMENT.format(8)).layers
    verbs.append(**EVENT | {"what": "It is a beginning."}, title="Begin")
    verbs.append(**EVENT, title="The code of the vault", next=f"- Change the {WORD}")
    verbs.boot()
    return here


PROTOCOLS = [hivemind, scoped, party, deliberation, layers]


def use(ledger, name):
    """Let the protocol read and write, as its users do."""
    if name == "hivemind":
        Hivemind().write(ledger, "More")
    elif name == "scoped":
        Scoped().write(ledger, "More")
    elif name == "party":
        ledger.party.start(agents=["ada", "ben"])
    elif name == "deliberation":
        ledger.deliberation.say("ada", "Good evening.", conversation="talk")
    else:
        ledger.layers.append(**EVENT | {"what": "More."}, title="More")


@pytest.mark.full_size(sample=1)
@pytest.mark.product
@pytest.mark.parametrize("make", PROTOCOLS, ids=lambda make: make.__name__)
@pytest.mark.parametrize("how", ["core write", "protocol", "fix", "rebuild"])
def test_a_branch_from_before_the_purge_brings_nothing_back(clone, make, how):
    here = make(clone)
    here.commit("begin")
    here.git("branch", "feature")
    ledger = here.at(MOMENT.format(9))
    [name] = [
        one.id for one in ledger.list(status="all") if WORD in one.text or "vault" in one.text
    ]
    ledger.purge(name, reason="it leaked")
    here.commit("purged")
    here.git("switch", "--quiet", "feature")
    assert everywhere(here.root, WORD)

    ledger = here.at(MOMENT.format(10))
    assert WORD not in "\n".join(one.text for one in ledger.list(status="all"))
    assert WORD not in ledger.brief(task=WORD).text
    if how == "core write":
        ledger.remember("Said by another verb")
    elif how == "protocol":
        use(ledger, make.__name__)
    elif how == "fix":
        assert ledger.mend().failed == ()
    else:
        ledger.rebuild()
        ledger.remember("Said by another verb")

    texts = [one.text for one in ledger.list(status="all")]
    assert WORD not in "\n".join(texts)
    here.close()
    left = set(holding(here.root, WORD))
    # A log that people write is a source: a purge names it, and what is made from it follows it.
    assert left - {LOG, CONTEXT} == set()
    assert (LOG in left) == (make is layers)
    assert set(everywhere(here.root, WORD)) == left
    ledger = here.at(MOMENT.format(11))
    use(ledger, make.__name__)
    assert WORD not in "\n".join(one.text for one in ledger.list(status="all"))
    assert ledger.verify().ok
