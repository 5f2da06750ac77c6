"""The four layers: rules, an append-only log of events, a graph of the log, and a narrative.

`CHANGELOG.md` is the source of truth. It is read unchanged and only appended to; the graph and the
context are computed from it.
"""
