"""What people and agents write: short statements about a software project, and real prompts.

Statements are drawn from sentence patterns whose words follow Zipf's law, over a vocabulary that
mixes a few hundred everyday words with thousands of names, as code bases do.
"""

from __future__ import annotations

import os
import random
from bisect import bisect
from itertools import accumulate
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

NAMES = 6000


def _split(text: str) -> list[str]:
    return text.split()


THINGS = _split("""
service test build request database user deploy queue worker cache token schema migration error
config release branch endpoint pipeline job client server session table index query timeout log
container cluster report payment invoice customer order account email webhook retry lock event
message topic consumer producer bucket file upload image parser template page form button layout
theme router middleware plugin module package dependency version tag commit review issue ticket
sprint backlog dashboard metric alert trace span budget quota limit region replica backup snapshot
restore certificate secret key permission role group tenant flag rollout canary feature experiment
benchmark profile memory thread process socket proxy gateway balancer domain record zone mirror
registry artifact runner fixture mock snapshot assertion coverage lint formatter compiler type
interface adapter repository store ledger model field column constraint trigger view cursor batch
""")
QUALITIES = _split("""
slow flaky stable internal public shared default nightly manual legacy idempotent read-only stale
nested optional required separate temporary signed encrypted cached lazy eager atomic partial
""")
ACTIONS = _split("""
fails restarts blocks retries expires overwrites ignores validates rejects caches renders compiles
migrates rotates batches truncates archives streams throttles reconnects recovers
""")
PEOPLE = _split("Ada Bao Carla Dmitri Elif Farid Greta Hiro Ines Jonas Kofi Lena Mirko Nadia Omar")
PATTERNS = """
The {name} {thing} {action} when the {thing} of {name} is {quality}; use the {quality} one.
We decided that {name} keeps its {thing} in {name}, as the {thing} was too {quality}.
{person} prefers a {quality} {thing} over a {thing} for every change to {name}.
Never run the {thing} of {name} on the {quality} {thing}: it {action} for {number} minutes.
To see the {name} {thing}, start it with {name}={number} and wait for the {quality} {thing}.
{name} needs version {number} of {name}; the one before {action} on a {quality} {thing}.
Convention: a {thing} in {name} is named after its {thing}, the {quality} one ends in _{name}.
{person} found that {name} {action} after {number} requests since the {thing} is {quality}.
The {thing} budget of {name} is {number} ms; above that the {thing} {action}.
Ask {person} before touching the {quality} {thing} of {name}.
{name} talks to {name} through a {quality} {thing} on port {number}, not through the {thing}.
After the {thing} moved to {name}, the {thing} {action} unless {name} is set to {number}.
""".strip().splitlines()
_BEGIN = _split(
    "ba be bi bo da de di fa fe ga go ha ka ke ko la le li lo ma me mi na ne no pa pe po"
)
_MORE = _split(
    "ra re ri ro sa se si so ta te ti to va ve vi za ze lin mar nor per sol tan ver xen dor"
)


class Writer:
    """Writes distinct statements; the same seed gives the same ones."""

    def __init__(self, seed: int, patterns: Sequence[str] = PATTERNS) -> None:
        self._random = random.Random(seed)
        self._patterns = patterns
        self._names = _names(random.Random(0))
        self._weights = {
            len(words): list(accumulate(1 / (rank + 2) for rank in range(len(words))))
            for words in (self._names, THINGS, QUALITIES, ACTIONS, PEOPLE)
        }

    def texts(self, count: int) -> Iterator[str]:
        """Yield so many distinct statements."""
        given: set[str] = set()
        while len(given) < count:
            text = self.text()
            if text not in given:
                given.add(text)
                yield text

    def text(self) -> str:
        """Return one statement."""
        words: list[str] = []
        for part in self._random.choice(self._patterns).split("{"):
            slot, brace, rest = part.partition("}")
            words.append(self._word(slot) + rest if brace else part)
        return "".join(words)

    def _word(self, slot: str) -> str:
        if slot == "number":
            return str(self._random.randrange(2, 9000))
        lists = {"thing": THINGS, "quality": QUALITIES, "action": ACTIONS, "person": PEOPLE}
        return self._drawn(lists.get(slot, self._names))

    def _drawn(self, words: list[str]) -> str:
        """Draw a word, the n-th most frequent about n times as seldom as the first."""
        weights = self._weights[len(words)]
        return words[bisect(weights, self._random.random() * weights[-1])]


def _names(chance: random.Random) -> list[str]:
    found: dict[str, None] = {}
    while len(found) < NAMES:
        parts = [
            chance.choice(_BEGIN),
            *(chance.choice(_MORE) for _ in range(chance.choice((1, 2)))),
        ]
        name = "".join(parts)
        found[f"{name}_{chance.choice(THINGS)}" if chance.random() < 0.3 else name] = None
    return list(found)


def prompts() -> list[str]:
    """Return prompts as people type them to an agent."""
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "prompts.txt")
    with open(path, encoding="utf-8") as file:
        return [" ".join(prompt.split()) for prompt in file.read().split("\n\n")]
