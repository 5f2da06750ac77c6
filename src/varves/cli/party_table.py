"""The verbs of the party protocol, as plain data."""

from __future__ import annotations

from varves.cli.table import AGAIN, Verb

TYPE_CHECKING = False
if TYPE_CHECKING:
    from varves.cli.table import Option

TOPIC: Option = ("--topic", "value", "TEXT", "the topic of the party")
TYPES = (
    "TYPE is statement (the default), argument, proposal, rebuttal, concession, question,"
    " agreement, disagreement, complement, observation, inference, fact, preference or constraint."
)

VERBS: dict[str, Verb] = {
    "party init": Verb(
        summary="create the folder for the sidecars",
        run="varves.cli.party:init",
        example="varves party init",
        note="A second run changes nothing.",
    ),
    "party start": Verb(
        summary="start a party: print each agent's block to inject",
        run="varves.cli.party:start",
        example='varves party start --agents ada,ben,noa --topic "where sessions live"',
        options=(
            ("--agents", "value", "A,B,...", "who takes part"),
            TOPIC,
            ("--plain", "flag", "", "print the blocks without their two emoji"),
        ),
        one_of=(("--agents",),),
        note="First saves what was learned in earlier parties that were never ended.",
    ),
    "party say": Verb(
        summary="add one turn to the conversation",
        run="varves.cli.party:say",
        example='varves party say ada "I prefer Redis for sessions" --to ben',
        positionals=("AGENT", "TEXT"),
        options=(
            ("--to", "value", "AGENT", "the agent that the turn answers"),
            ("--type", "value", "TYPE", "the kind of turn"),
        ),
        note=f"If TEXT is -, it is read from stdin. {TYPES}",
    ),
    "party remember": Verb(
        summary="add a memory for an agent; it is saved when the party ends",
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
        summary="record a decision, and who was for and against it",
        run="varves.cli.party:decide",
        example='varves party decide "Sessions live in Redis" --pro ada --contra ben',
        positionals=("TEXT",),
        options=(
            ("--outcome", "choice", "accepted|rejected|compromise", "default accepted"),
            ("--pro", "repeat", "AGENT", "an agent that proposed or supported it"),
            ("--contra", "repeat", "AGENT", "an agent that opposed it"),
            ("--arbitrator", "value", "AGENT", "who decided"),
            ("--position", "repeat", "AGENT=TEXT", "the position of an agent"),
            ("--id", "value", "NAME", "its name; default: the next DR-NNN"),
        ),
        note="If TEXT is -, it is read from stdin.",
    ),
    "party reference": Verb(
        summary="record that an agent uses one of its memories, so that it is kept",
        run="varves.cli.party:reference",
        example="varves party reference ada mem_4k2m9x7q1c5d",
        positionals=("AGENT", "MEMORY"),
    ),
    "party prompt": Verb(
        summary="print a hint for the facilitator, if the agent has memories on the topic",
        run="varves.cli.party:prompt",
        example='varves party prompt ada --topic "the session store"',
        positionals=("AGENT",),
        options=(TOPIC,),
        one_of=(("--topic",),),
    ),
    "party end": Verb(
        summary="end the party and save each agent's memories",
        run="varves.cli.party:end",
        example="varves party end",
    ),
    "party list": Verb(
        summary="list the agents, their relationships, and how sure their memories are",
        run="varves.cli.party:listing",
        example="varves party list",
        reads=True,
        note="--json has the confidence of every memory after each session.",
    ),
    "party show": Verb(
        summary="show the memories of an agent",
        run="varves.cli.party:show",
        example="varves party show ada",
        positionals=("AGENT",),
    ),
    "party recover": Verb(
        summary="end the parties that were never ended",
        run="varves.cli.party:recover",
        example="varves party recover",
    ),
    "party validate": Verb(
        summary="check the sidecars against the published format and rules",
        run="varves.cli.party:validate",
        example="varves party validate",
        note="The exit code is 1 when there are findings.",
    ),
}
