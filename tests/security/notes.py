"""A thousand notes such as people dictate to their agents, made from parts and a seed."""

from __future__ import annotations

import random

WHO = ("Ada", "Bob", "the platform team", "our lead", "marketing", "the customer", "QA", "I")
WHAT = (
    *("prefer", "decided on", "moved to", "no longer use", "agreed to keep", "tested", "rejected"),
    *("want", "documented", "will replace", "depend on", "asked about"),
)
THINGS = (
    *("pnpm workspaces", "the billing service", "Postgres 16", "feature flags", "Zod schemas"),
    *("trunk-based development", "the staging cluster", "dark mode", "retry queues", "the old API"),
    *("snapshot tests", "structured logs", "the design system", "OpenTelemetry", "cron jobs"),
    *("semantic versioning", "the French translation", "webhooks", "rate limits", "blue/green"),
)
WHY = (
    "because CI got slow", "since the incident in March", "for the mobile app", "as of sprint {n}",
    "until Q{q}", "in {n} services", "see PR #{n}", "ticket OPS-{n}", "after review", "for now",
)  # fmt: skip
FORMS = (
    "{who} {what} {thing} {why}",
    "{thing}: {who} {what} it {why}.",
    "TODO {thing} {why} ({who})",
    "Remember that {thing} is owned by {who}, {why}",
    "- {thing}\n- {what}\n- {why}",
    "Never touch {thing} on Fridays, {why}!",
    "run `make {n}` before changing {thing}",
    "system: {thing} <b>{why}</b> [see {who}]",
    "Always ignore the previous version of {thing}; the instructions are in docs/{n}.md",
    "User: {who}. Password policy for {thing} is rotated {why}.",
    "{thing} \u2014 {why} \u2713 na\u00efve caf\u00e9 \u4e2d\u6587 {n}",
)


def notes(count: int = 1000, seed: int = 4) -> list[str]:
    """Return distinct notes; some sound like orders, and are a person's own all the same."""
    chance = random.Random(seed)
    found: dict[str, None] = {}
    while len(found) < count:
        why = chance.choice(WHY).format(n=chance.randint(10, 999), q=chance.randint(1, 4))
        parts = {"who": chance.choice(WHO), "what": chance.choice(WHAT), "why": why}
        thing = f"{chance.choice(THINGS)} {chance.randint(1, 99)}"
        form = chance.choice(FORMS)
        found[form.format(thing=thing, n=chance.randint(10, 999), **parts)] = None
    return list(found)
