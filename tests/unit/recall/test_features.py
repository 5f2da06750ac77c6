"""The features that come from the turns around a memory."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from varves.recall.features import FAR, K1, THRICE, TWICE, B, candidates_of, measure
from varves.recall.question import read
from varves.recall.terms import Terms
from varves.values.query import Term

NOW = "2026-01-02T00:00:00Z"
WORDS = ("zebra", "gateway", "invoice")
SAID = st.lists(st.sets(st.sampled_from(WORDS)), min_size=1, max_size=14)


def turn(n, words):
    text = f"{' '.join(sorted(words))} and so on"
    who = ("Ada", "Bo")[n % 2]
    return (n, text, None, None, "", who, "s1", NOW, None, None, 3, "project", f"m{n}", str(n), "")


@given(SAID, st.integers(0, 13))
def test_neighbours_count_as_they_are_defined(said, first):
    """A word that a second and a third of the turns also contain counts for a little more."""
    terms = Terms([Term(word=word, stem=word, count=1) for word in WORDS], 100)
    turns = [*candidates_of([turn(n, words) for n, words in enumerate(said)], {}, terms).values()]
    shown = turns[first % len(turns) :]  # the turns before are known, but no candidates
    measure(shown, read(" ".join(WORDS), NOW), terms, runs=[turns], now=NOW)
    average = sum(one.size for one in shown) / len(shown)

    def worth(wanted, reach):
        near = turns[max(0, wanted - reach) : wanted + reach + 1]
        counts = [sum(one.held >> place & 1 for one in near) for place in range(len(WORDS))]
        return near, counts

    def total(counts, *more):
        gains = (1.0, *more)
        return sum(
            weight * sum(gains[:count]) for weight, count in zip(terms.weights, counts, strict=True)
        )

    wanted = {"next": [], "near": [], "far": []}
    for place in range(len(turns) - len(shown), len(turns)):
        for name, reach, more in (("next", 1, (TWICE,)), ("near", 2, (TWICE, THRICE))):
            near, counts = worth(place, reach)
            size = sum(one.size for one in near) / average / (2 * reach + 1)
            length = (K1 + 1) / (1 + K1 * (1 - B + B * size))
            wanted[name].append(total(counts, *more) * length)
        wanted["far"].append(total(worth(place, FAR)[1]) / terms.mass)
    covered = max(terms.worth(one.held) for one in shown) / terms.whole
    for name in ("next", "near"):  # the largest is what the best one covers of the question
        most = max(wanted[name]) or 1.0
        wanted[name] = [covered * value / most for value in wanted[name]]
    for name, values in wanted.items():
        assert [round(one.features[name], 9) for one in shown] == [round(v, 9) for v in values]
