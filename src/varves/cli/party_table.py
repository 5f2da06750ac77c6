"""The verbs of a party: begin, talk, decide, end; and what an agent keeps of it."""

from __future__ import annotations

from varves.cli.table import AGAIN, Verb

TYPE_CHECKING = False
if TYPE_CHECKING:
    from varves.cli.table import Option

TOPIC: Option = ("--topic", "value", "TEXT", "what is talked about")
TYPES = (
    "TYPE is statement (the default), argument, proposal, rebuttal, concession, question,"
    " agreement, disagreement, complement, observation, inference, fact, preference or constraint."
)

VERBS: dict[str, Verb] = {
    "party init": Verb(
        summary="make the folder of the sidecars",
        run="varves.cli.party:init",
        example="varves party init",
        note="A second run changes nothing.",
    ),
    "party start": Verb(
        summary="begin a party: each agent's block to inject",
        run="varves.cli.party:start",
        example='varves party start --agents ada,ben,noa --topic "where sessions live"',
        options=(
            ("--agents", "value", "A,B,...", "who takes part"),
            TOPIC,
            ("--plain", "flag", "", "the blocks without their two emoji"),
        ),
        one_of=(("--agents",),),
        note="What a party that never ended had learned is kept first.",
    ),
    "party say": Verb(
        summary="one turn of the talk",
        run="varves.cli.party:say",
        example='varves party say ada "I prefer Redis for sessions" --to ben',
        positionals=("AGENT", "TEXT"),
        options=(
            ("--to", "value", "AGENT", "whom it answers"),
            ("--type", "value", "TYPE", "what kind of turn it is"),
        ),
        note=f"TEXT - is read from stdin. {TYPES}",
    ),
    "party remember": Verb(
        summary="one memory for an agent, kept when the party ends",
        run="varves.cli.party:remember",
        example=(
            'varves party remember ada --type context --content "Redis is run by ops"'
            " --confidence 1.0"
        ),
        positionals=("AGENT",),
        options=(
            ("--type", "value", "TYPE", "observation, preference, context or decision"),
            ("--content", "value", "TEXT", "at most 100 characters; - is stdin"),
            ("--confidence", "float", "C", "0.5 to 1.0"),
            AGAIN,
        ),
        one_of=(("--type",), ("--content",), ("--confidence",)),
    ),
    "party decide": Verb(
        summary="a decision, with who was for and against it",
        run="varves.cli.party:decide",
        example='varves party decide "Sessions live in Redis" --pro ada --contra ben',
        positionals=("TEXT",),
        options=(
            ("--outcome", "choice", "accepted|rejected|compromise", "default accepted"),
            ("--pro", "repeat", "AGENT", "who proposed or backed it"),
            ("--contra", "repeat", "AGENT", "who was against it"),
            ("--arbitrator", "value", "AGENT", "who decided"),
            ("--position", "repeat", "AGENT=TEXT", "what an agent held"),
            ("--id", "value", "DR-NNN", "its number; default: the next"),
        ),
        note="TEXT - is read from stdin.",
    ),
    "party reference": Verb(
        summary="an agent refers to one of its memories, which keeps it alive",
        run="varves.cli.party:reference",
        example="varves party reference ada mem_4k2m9x7q1c5d",
        positionals=("AGENT", "MEMORY"),
    ),
    "party prompt": Verb(
        summary="the facilitator's line, if the agent knows something of the topic",
        run="varves.cli.party:prompt",
        example='varves party prompt ada --topic "the session store"',
        positionals=("AGENT",),
        options=(TOPIC,),
        one_of=(("--topic",),),
    ),
    "party end": Verb(
        summary="end the party and save what each agent keeps",
        run="varves.cli.party:end",
        example="varves party end",
    ),
    "party show": Verb(
        summary="what an agent keeps",
        run="varves.cli.party:show",
        example="varves party show ada",
        positionals=("AGENT",),
    ),
    "party recover": Verb(
        summary="end the parties that never ended",
        run="varves.cli.party:recover",
        example="varves party recover",
    ),
    "party validate": Verb(
        summary="are the sidecars as published, and were the rules kept",
        run="varves.cli.party:validate",
        example="varves party validate",
        note="The exit code is 1 when something was found.",
    ),
}
