"""S1, four layers: rules, an append-only log of events, a graph of it, and a narrative.

`CHANGELOG.md` is the truth here. It is read as it lies and only ever appended to; the graph and
the context are functions of its text.
"""
