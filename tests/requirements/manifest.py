"""What the core is asked for, one row each; tests carry the ids, and a test holds both together."""

from __future__ import annotations

from typing import NamedTuple


class Requirement(NamedTuple):
    """One demand on the core, and how we would notice that it is not met."""

    asks: str
    shown_by: str


REQUIREMENTS: dict[str, Requirement] = {
    "U-01": Requirement(
        "Every change, through whichever protocol, is an event in one append-only ledger that "
        "names its actor, time, protocol and cause.",
        "Each verb adds the events documented for it and rewrites no byte written before.",
    ),
    "U-02": Requirement(
        "All that is derived is a projection of the ledger: a full rebuild equals what was "
        "kept up to date step by step, files byte for byte, indices by their canonical dump.",
        "Random sequences of commands, a thousand of them in the deep profile, rebuilt and "
        "compared at the same instant.",
    ),
    "U-07": Requirement(
        "What people do to files by hand is honoured: edits of state files become events, edited "
        "derived files are set aside and made again, and nothing is lost without a word.",
        "A file of each class is edited, removed, damaged, committed, stashed and merged; log, "
        "files and notes say what came of it.",
    ),
    "U-03": Requirement(
        "Each protocol works alone: one that is not used makes no files.",
        "A whole session of one protocol leaves no file of any other.",
    ),
    "U-04": Requirement(
        "All five protocols work together in one project without touching each other's files.",
        "In a week of one project, and in random histories, whatever one protocol does leaves the "
        "files of the other four byte for byte; git sees no file but those of the layout.",
    ),
    "U-05": Requirement(
        "A record written through one protocol shows in that protocol's files only, unless a "
        "bridge is set; then the other's record says where it comes from.",
        "A decision, with a bridge and without: one view that cites it, or none.",
    ),
    "U-06": Requirement(
        "A bridged fact is one record with several views, not so many copies.",
        "A search finds it once, one undo takes back all of it, in every clone.",
    ),
    "U-08": Requirement(
        "Writes are whole or not there; the log is right without any lock, and locks are "
        "re-entrant in a process and recover from a holder that died.",
        "Eight writers at once, one of them killed: nothing acknowledged is lost, nothing is torn.",
    ),
    "U-09": Requirement(
        "A name or id that ends up in a path cannot lead out of its folder.",
        "Parent steps, absolute paths, NUL and reserved names are refused, and nothing is written.",
    ),
    "U-10": Requirement(
        "Time, randomness and models are passed in; everything runs offline and repeatably.",
        "The suite runs with the network barred; a fixed clock and id source give the same bytes.",
    ),
    "U-11": Requirement(
        "What cannot be read (bad JSON, half a file, a wrong encoding) is never overwritten: it "
        "is reported, and set aside only when asked.",
        "Each kind of file is damaged in turn; its bytes are the same afterwards and the report "
        "names it.",
    ),
    "U-12": Requirement(
        "Fields and sections we do not know survive every round trip.",
        "Generated unknown fields come back as they were, through log, index and output.",
    ),
    "U-13": Requirement(
        "Every automatic decision (prune, decay, merge, supersede, archive) can be explained and "
        "undone.",
        "For each outcome `why` names the rule, the event and the way back, and that way is gone.",
    ),
    "U-14": Requirement(
        "`validate` tells what is wrong with a protocol's files, each time with file, place "
        "and the rule, and ends with code 1; it mends nothing, repair being another verb.",
        "Each rule about entries and indices is broken by hand: the finding names it, the bytes of "
        "the file stay, and after `rebuild` a derived file has no finding left.",
    ),
    "U-15": Requirement(
        "What is tagged sensitive is left out of injection, recall, handoff and views unless asked "
        "for; what is private never stands in a committed file.",
        "The tag hides it until asked for; the bytes of every tracked file are searched for the "
        "private text.",
    ),
    "U-16": Requirement(
        "One search covers all protocols, scopes and the log, and every hit says where it comes "
        "from.",
        "One question finds a memory in each scope and log, in another worktree and, where asked "
        "for, of the past; each hit names protocol, scope, log, origin, source and speaker.",
    ),
    "U-17": Requirement(
        "Stored text is data: a block made for an agent fences it, and nothing executes or "
        "expands it.",
        "Template syntax, terminal codes and our own markers in a memory come out literally.",
    ),
    "U-18": Requirement(
        "Import takes foreign and older files as they are found: whatever they say is kept, and "
        "every value that had to be mapped is told.",
        "Every file of the samples is told of and none refused; each of their texts is in a memory "
        "afterwards; the same tree a second time adds nothing.",
    ),
    "U-19": Requirement(
        "Large stores stay usable: 10,000 records and 5,000 log events boot, search and rebuild.",
        "Calls are counted: a boot, an append and a question cost at 5,000 events what they cost "
        "at 500, a search and a rebuild ten times that; a question to 10,000 entities makes a few "
        "for each line. `make bench` holds the times against ceilings.",
    ),
    "U-20": Requirement(
        "Files are UTF-8 with LF, JSON files are indented by two spaces and end in a newline; "
        "foreign line endings in people's own files stay as they are.",
        "Every file a session writes is read back byte by byte; a CRLF source stays CRLF.",
    ),
    "X-37": Requirement(
        "A bridge shortens what is too long for the other protocol's file, and cites the record.",
        "A decision of more than 100 characters in a sidecar; its memory keeps it whole.",
    ),
    "X-26": Requirement(
        "What readers are told is collected beside the log and becomes one event of the private "
        "ledger with the session's next write; reading changes nothing git sees.",
        "The status git prints is the same before and after every read verb; each session that "
        "reads and writes has one event with the ids, how often and when last.",
    ),
}
