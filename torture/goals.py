"""The goals: every row of the reliability table, with its target and the best figure of others.

`peer` is the best figure found for another agent memory or, if none is published, for a system
known for reliability. `LACKS` states what is not measured in a row, and `LATER` names the rows
about features that do not exist yet.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Goal:
    """One row: the promise, the test, the target and the best peer."""

    row: str
    promise: str
    test: str
    target: str
    peer: str


RELIABILITY = (
    Goal(
        "R1",
        "acknowledged events survive the death of a process",
        "kill -9 at random moments, 8 writers, texts up to 64 KB",
        "10,000 kills: 0 lost, 0 unreadable",
        "server-memory: 60 kills, 0 damaged",
    ),
    Goal(
        "R2",
        "acknowledged events survive a power cut",
        "images of ext4, xfs and btrfs cut by a reflink clone; LazyFS",
        "500 cuts: 0 lost in `durable` and `group`",
        "none (SQLite in FULL: 15 cuts, 0 lost)",
    ),
    Goal(
        "R3",
        "many writers at once",
        "64 processes x 1,000 durable events; 256 processes once",
        "0 lost, doubled or mixed; on 2 cores 1.8 x the rate of one process, on 4 cores 2.5 x",
        "basic-memory: 3 x 20, 0 lost, 30 % refused; beads: 50 writers, as it reports",
    ),
    Goal(
        "R4",
        "every system call may fail",
        "the n-th call fails, for all n; then 2 % of all calls",
        "all n: 0 acknowledged lost, a typed error, the ledger opens afterwards",
        "none (SQLite: all n)",
    ),
    Goal(
        "R5",
        "a full disk, a file limit",
        "small tmpfs, RLIMIT_FSIZE, quota errors; then space again",
        "0 torn, 0 lost; the next append works without repair",
        "none",
    ),
    Goal(
        "R6",
        "damage is detected and does not spread",
        "100,000 flips, zeros, cuts, drops, swaps and doubled lines",
        "100 % detected; only damaged lines skipped, the rest readable",
        "none (restic `check` as model)",
    ),
    Goal(
        "R7",
        "verify and repair are safe at any moment",
        "both in a loop during writes by 8 processes; repair killed 1,000 times",
        "0 events lost, idempotent, valid bytes never shrink",
        "none (Dolt had this bug)",
    ),
    Goal(
        "R8",
        "derived data can be deleted and rebuilt",
        "index deleted, damaged or of another version at random points; rebuilt",
        "the same answers byte for byte on 3 Python versions; 100,000 events < 30 s",
        "none (beads_rust: lost with its database)",
    ),
    Goal(
        "R9",
        "replay is deterministic",
        "sets of events permuted, doubled, split and merged",
        "100,000 examples: one state",
        "none",
    ),
    Goal(
        "R10",
        "git merges never conflict",
        "random histories with squash, cherry-pick, rebase, worktrees and stash",
        "10,000 operations: 0 conflicts, 0 lost; merged either way the same state",
        "beads: conflicts",
    ),
    Goal(
        "R11",
        "events survive git's own commands",
        "reset --hard, clean -fdx, stash -u, checkout -f, gc, rewritten history",
        "0 acknowledged lost after `doctor --restore`",
        "none",
    ),
    Goal(
        "R12",
        "clocks may be wrong",
        "skew of an hour either way, clocks set back, faketime",
        "0 effects before their causes; > 24 h ahead is held back",
        "none",
    ),
    Goal(
        "R13",
        "retries and expected versions",
        "storms of retries; 8 processes that race for one memory",
        "one event for one id; one winner for each version, the others a typed conflict",
        "KurrentDB's contract; Letta answers 409",
    ),
    Goal(
        "R14",
        "each memory is linearisable",
        "recorded histories of 8 clients through a checker",
        "1,000 histories: 0 violations, files and PostgreSQL",
        "none",
    ),
    Goal(
        "R15",
        "PostgreSQL as a remote of the log",
        "server killed, standby promoted, connections cut, 16 writers, disk full, followers",
        "0 lost, 0 missed; back to files byte for byte",
        "none",
    ),
    Goal(
        "R16",
        "simulation",
        "seeded worlds of clocks, disks, crashes and merges in one process",
        "100,000 seeds; each failure can be reproduced from its seed",
        "none (FoundationDB and TigerBeetle as models)",
    ),
    Goal(
        "R17",
        "hostile input",
        "fuzzing of command line, import, replay and servers",
        "1,000,000 inputs: 0 tracebacks, 0 hangs over 2 s, below 256 MiB",
        "none",
    ),
    Goal(
        "R18",
        "strings",
        "naughty strings, surrogates, bidi, control, NUL through every interface",
        "100 % are returned unchanged or refused with a reason",
        "none",
    ),
    Goal(
        "R19",
        "unusual places",
        "broken flock, read-only, case-insensitive, FUSE without mmap",
        "works as far as possible and reports the limits; 0 lost",
        "none",
    ),
    Goal(
        "R20",
        "the tests detect bugs",
        "mutation testing of log, fold, commands, redaction, index and the protocols' codecs",
        ">= 90 % killed, survivors explained; branch coverage >= 95 % of this code",
        "beads: about 48 % coverage",
    ),
    Goal(
        "R21",
        "events appended to the four layers survive the death of an agent",
        "kill -9 at random moments of boot, append and shutdown, up to 8 agents in one checkout",
        "10,000 kills: 0 lost, doubled or torn; each next boot succeeds without a finding",
        "none",
    ),
    Goal(
        "R22",
        "events appended to the four layers survive a power cut",
        "4 agents on images of ext4, xfs and btrfs cut by a reflink clone; then boot and append",
        "500 cuts: 0 lost or unrecorded in `durable` and `group`; no finding after a boot",
        "none",
    ),
)
SECURITY = (
    Goal(
        "S1",
        "untrusted origin stays labelled",
        "50,000 random derivation graphs",
        "0 with more trust than their least trusted source",
        "none measured",
    ),
    Goal(
        "S2",
        "quarantine",
        "hostile corpora through tool, import and foreign branches",
        "0 in default recall; 0 of 1,000 notes of a person held back",
        "OWASP guard: 4 % of jailbreaks flagged",
    ),
    Goal(
        "S3",
        "recalled text is data",
        "payloads with forged tags, roles and nonces",
        "0 of 10,000 escape their block",
        "none",
    ),
    Goal(
        "S4",
        "scopes do not leak",
        "10,000 queries over 100 scopes through every interface and store",
        "0 leaks",
        "none",
    ),
    Goal(
        "S5",
        "secrets are masked before the first byte",
        ">= 20 samples of >= 100 rules; 10,000 benign lines",
        "recall >= 98 %, false alarms <= 0.5 %; 0 secret bytes on disk",
        "OWASP guard: 83 % of 12, as it reports",
    ),
    Goal(
        "S6",
        "the local server answers only its user",
        "hosts x origins x tokens x methods; rebinding; forged forms; other users",
        "100 % refused, nothing changed",
        "mcp 2.3.0: 421 and 403, no token",
    ),
    Goal(
        "S7",
        "files",
        "modes under umask 000, links swapped in, traversal lists",
        "0600 and 0700 outside git's reach; 0 of 10,000 races read or write outside",
        "none",
    ),
    Goal(
        "S8",
        "bombs",
        "zip-slip, archive and JSON bombs, 1,000,000 tiny events",
        "a typed error within 1 s, below 64 MiB more",
        "none",
    ),
    Goal(
        "S9",
        "pages and terminals",
        "HTML, script and escape payloads in web pages and on the command line",
        "0 executions, 0 raw control bytes",
        "none",
    ),
    Goal(
        "S10",
        "erasure",
        "purge, then search every byte and git object; late merges",
        "0 hits; 0 resurrections in 1,000 merge histories",
        "none (a union merge restores the text)",
    ),
    Goal(
        "S11",
        "supply chain",
        "known vulnerabilities, pinned hashes, no network at import or run",
        "0 known at release; 0 connections",
        "none",
    ),
    Goal(
        "S12",
        "a hostile repository",
        "hooks, settings, links, forged events, clocks of the future",
        "0 executions, 0 escapes, every event labelled with its writer",
        "several published vulnerabilities",
    ),
)
GOALS = {goal.row: goal for goal in (*RELIABILITY, *SECURITY)}

# Rows about features that do not exist yet.
LATER = {
    "S8": "comes with the import of archives",
}
# What is not measured in a row, or is not promised by design.
LACKS = {
    "R2": "LazyFS, and drives that reorder writes across a sync",
    "R6": "lines cut off the end of an open segment are not detected: nothing proves that they "
    "existed",
    "R14": "PostgreSQL, which only keeps copies of logs: what counts is decided in a clone",
    "R16": "an eighth of the seeds in one run",
    "R17": "REST, which comes with the web window; an eighth of the inputs in one run",
    "R18": "REST, which comes with the web window",
    "R19": "real FUSE or case-insensitive mounts: their limits are simulated",
    "R20": "access of several people, which comes with PostgreSQL; only a sample of the mutants "
    "was tried, drawn anew after tests were added for what two samples before it left (65 of 69 "
    "and 60 of 74 were killed then). What survived, each with a test since: a log that shares "
    "syncs again after a write of its own, the depth of nesting that the format promises, a read "
    "that makes no folder, the size of a part that is read again and the rejections by an event "
    "on two memories (both in the index in memory), the number of memories from 16,384 on, the "
    "order of a decision's keys, and the words of a note on an ignored edit",
    "R21": "half of the kills in one run",
    "R22": "LazyFS, and drives that reorder writes across a sync; git's commits",
    "S4": "REST, which comes with a server",
    "S11": "a check for known vulnerabilities, which needs the network and is run at release",
}
