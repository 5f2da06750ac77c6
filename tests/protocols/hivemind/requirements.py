"""What the hivemind protocol was published to do, one row for each demand; tests carry the ids."""

from __future__ import annotations

from tests.requirements.manifest import Requirement

REQUIREMENTS: dict[str, Requirement] = {
    "S3-01": Requirement(
        "Loading, capturing, indexing and archiving need nobody's hand.",
        "A day driven by the automatic operations alone leaves a correct store.",
    ),
    "S3-02": Requirement(
        "Memory lies in files and outlives every process.",
        "Written, closed, the rendered files moved away, opened again: session and entry are "
        "there.",
    ),
    "S3-03": Requirement(
        "A task gets the memories that bear on it.",
        "Of three memories, the two that match are loaded.",
    ),
    "S3-04": Requirement(
        "The store looks after itself: it cleans up, consolidates and orders.",
        "A hundred and twenty days with a set clock.",
    ),
    "S3-05": Requirement(
        "An entry has the sixteen published fields, the two links where they are set, and "
        "keeps keys nobody knows.",
        "The file's keys in order; the published schema; a key a person added is still there "
        "when the entry is superseded.",
    ),
    "S3-06": Requirement(
        "An entry is factual, procedural, episodic, semantic or working.",
        "Five are written; any other word is refused and leaves no event.",
    ),
    "S3-07": Requirement(
        "A subtype names the kind more closely, in kebab form.",
        "It stands in the file and the index; other forms are refused.",
    ),
    "S3-08": Requirement(
        "Entries are made by agents such as DEV-001, by COORDINATOR, SYSTEM or USER.",
        "Each of these creates; another name only once a setting allows it.",
    ),
    "S3-09": Requirement(
        "Times are ISO 8601, and no change is older than the creation.",
        "An offset of eight hours becomes UTC, the instant kept; a creation in the future "
        "moves the change with it.",
    ),
    "S3-10": Requirement(
        "A scope is one of five levels, and names which, but for global.",
        "Five pairs in files; a missing, superfluous or unsafe id is refused and writes nothing.",
    ),
    "S3-11": Requirement(
        "Tags are words in lower case, each once.",
        "API and api become one; a string in place of a list is refused.",
    ),
    "S3-12": Requirement(
        "A priority is critical, high, medium or low; medium when nobody says.",
        "The four, the default, and another word refused.",
    ),
    "S3-13": Requirement(
        "A ttl is permanent or an ISO 8601 duration.",
        "The six published values; 30d and five others refused.",
    ),
    "S3-14": Requirement(
        "The content is an object.",
        "A nested one comes back equal, a text becomes one, anything else is refused.",
    ),
    "S3-15": Requirement(
        "References link to other things and come back as given.",
        "Two of different shape, in the file and through the verb.",
    ),
    "S3-16": Requirement(
        "Confidence lies between 0 and 1.",
        "Both bounds are taken; a hundredth beyond each is refused.",
    ),
    "S3-17": Requirement(
        "A fresh entry was read by nobody.",
        "Count 0, last time null.",
    ),
    "S3-18": Requirement(
        "A session goes on while its last activity is less than four hours ago.",
        "After 3 h 59 min the same id, counted from the last activity each time.",
    ),
    "S3-19": Requirement(
        "After four hours it is archived and another one begins.",
        "At exactly four hours: the archived file equals the last current one, and the id is "
        "another; the hours can be set.",
    ),
    "S3-20": Requirement(
        "Where no session runs, one is made.",
        "The file appears, its working memory empty.",
    ),
    "S3-21": Requirement(
        "A session start loads three global documents, and makes the missing ones.",
        "Three ids in the block; a removed file returns; a forgotten one is a note, not an error.",
    ),
    "S3-22": Requirement(
        "A project is detected by its id, the environment or the folder's name, in that "
        "order, and its context and index are loaded.",
        "Each of the three ways in turn; none of them: nothing is loaded.",
    ),
    "S3-23": Requirement(
        "A session start sets the last activity.",
        "Two starts with a set clock.",
    ),
    "S3-24": Requirement(
        "A session start notes that the profile was loaded.",
        "The flag and the list in current.json.",
    ),
    "S3-25": Requirement(
        "A task is read for its keywords, by fixed rules.",
        "A sentence and its keywords, twice the same.",
    ),
    "S3-26": Requirement(
        "A task is read for files, functions and interfaces.",
        "src/a.py, parse() and GET /users, each with its kind.",
    ),
    "S3-27": Requirement(
        "A task is read for its intent: create, fix, review or deploy.",
        "Four sentences, and one without.",
    ),
    "S3-28": Requirement(
        "Global memories are relevant to every task.",
        "They are found with and without team, agent and project.",
    ),
    "S3-29": Requirement(
        "A team's memories are relevant to its tasks.",
        "With the team, without, and with another.",
    ),
    "S3-30": Requirement(
        "An agent's memories are relevant where it is assigned.",
        "With the agent, without, and with another.",
    ),
    "S3-31": Requirement(
        "A project's memories are relevant in its context.",
        "With the project, without, and with another.",
    ),
    "S3-32": Requirement(
        "Scores are worked out from what an index shows; no memory's file is read.",
        "With every read watched and the files gone, the right memory is loaded whole.",
    ),
    "S3-33": Requirement(
        "Each matching tag counts 3.",
        "Two tags: 6.",
    ),
    "S3-34": Requirement(
        "Each keyword of the summary counts 2, once, as a whole word.",
        "Two keywords, one of them twice: 4; rest does not find restore.",
    ),
    "S3-35": Requirement(
        "Recency counts up to 1.",
        "Fresh: 1; thirty days old: a half.",
    ),
    "S3-36": Requirement(
        "Critical adds 5, high 3, the others nothing.",
        "The four priorities.",
    ),
    "S3-37": Requirement(
        "Access frequency counts up to a half.",
        "After ten reads: 0.25.",
    ),
    "S3-38": Requirement(
        "The ten best are loaded, equals in a steady order.",
        "Of 25 the five with a tag come first, then by id.",
    ),
    "S3-39": Requirement(
        "Their full contents are put into the agent's context.",
        "Nested content in the block, and nothing in it leaves the fence.",
    ),
    "S3-40": Requirement(
        "What was loaded is counted as read, with the moment.",
        "Two loads: 2 and the second moment; another entry stays at 0; tracked files wait for"
        " the session's end.",
    ),
    "S3-41": Requirement(
        "A task is noted in the history, as the current one, and with what it names.",
        "The fields of current.json after one and after two tasks.",
    ),
    "S3-42": Requirement(
        "A fact that was discovered becomes a factual memory.",
        "One report with a learning of each kind.",
    ),
    "S3-43": Requirement(
        "A procedure that worked becomes a procedural memory.",
        "The same report.",
    ),
    "S3-44": Requirement(
        "An error and its solution become a procedural memory.",
        "The same report.",
    ),
    "S3-45": Requirement(
        "A decision becomes a semantic memory.",
        "The same report.",
    ),
    "S3-46": Requirement(
        "The summary of a task becomes an episodic memory.",
        "The same report.",
    ),
    "S3-47": Requirement(
        "A learning gets an id, the most specific scope that fits, a file and a line in the index.",
        "Agent, project, team and global, each where it is the one.",
    ),
    "S3-48": Requirement(
        "Completion looks for contradictions among memories with the same tags.",
        "An opposite claim is found; another tag is not.",
    ),
    "S3-49": Requirement(
        "Newer information supersedes older where the rules allow; what is uncertain is left "
        "to a person.",
        "Each of both ways.",
    ),
    "S3-50": Requirement(
        "Of two, each names the other as superseding or superseded.",
        "Both files.",
    ),
    "S3-51": Requirement(
        "Completion adds to the history, clears the current task and notes what was made.",
        "The fields of current.json.",
    ),
    "S3-52": Requirement(
        "A handoff packs snapshot, loaded, created, summary, pending and recommended.",
        "The six keys; every id is there.",
    ),
    "S3-53": Requirement(
        "A handoff stands in current.json and in the history.",
        "The fields.",
    ),
    "S3-54": Requirement(
        "The receiver loads whatever was loaded.",
        "The ids in its context.",
    ),
    "S3-55": Requirement(
        "The receiver loads what was recommended.",
        "The ids in its context.",
    ),
    "S3-56": Requirement(
        "The receiver starts from the snapshot.",
        "Both are equal.",
    ),
    "S3-57": Requirement(
        "The receiver loads its own memories.",
        "They are in its context.",
    ),
    "S3-58": Requirement(
        "A session's end looks at every working memory made in it.",
        "Each is promoted or dropped, none is left.",
    ),
    "S3-59": Requirement(
        "Significant ones become permanent: high priority, firm, or read twice.",
        "One for each reason and one for none; the thresholds can be set.",
    ),
    "S3-60": Requirement(
        "The others leave the files and stay in the history.",
        "No file; the log still has them.",
    ),
    "S3-61": Requirement(
        "An ended session is archived under its id.",
        "The file equals the last current.json.",
    ),
    "S3-62": Requirement(
        "Indices and statistics are right after a session's end.",
        "They equal a count made anew.",
    ),
    "S3-63": Requirement(
        "The next session waits in a fresh current.json.",
        "Another id, an empty history.",
    ),
    "S3-64": Requirement(
        "Every failure becomes an episodic memory of subtype error.",
        "An error reported, and a task that failed.",
    ),
    "S3-65": Requirement(
        "It says type, message, context, resolution and prevention.",
        "The five keys.",
    ),
    "S3-66": Requirement(
        "It is tagged error, with its type and its context.",
        "The tags.",
    ),
    "S3-67": Requirement(
        "It is linked to similar errors of the past.",
        "The second refers to the first.",
    ),
    "S3-68": Requirement(
        "It is linked to procedures that fixed such errors.",
        "The link.",
    ),
    "S3-69": Requirement(
        "The same error three times is flagged as recurring.",
        "The third is, the second is not.",
    ),
    "S3-70": Requirement(
        "A recurring error makes one procedure that prevents it.",
        "The third makes it, the fourth does not.",
    ),
    "S3-71": Requirement(
        "An id is mem_ and twelve random letters and digits.",
        "Ten thousand of that form, none twice.",
    ),
    "S3-72": Requirement(
        "An id is never used twice, whatever became of its first bearer.",
        "A source that repeats itself: taken in another scope, and forgotten.",
    ),
    "S3-73": Requirement(
        "Every scope's folder has an index.",
        "After the first entry in each of five.",
    ),
    "S3-74": Requirement(
        "An index has version, last change, count, entries and both tables.",
        "The keys in order; the published schema.",
    ),
    "S3-75": Requirement(
        "An index entry has the eight published keys and points to a file.",
        "The keys; the file has that id.",
    ),
    "S3-76": Requirement(
        "The tables map each tag and type to exactly the ids that carry it.",
        "Generated entries; after forgetting and editing.",
    ),
    "S3-77": Requirement(
        "The count is that of the entries.",
        "Generated entries; after forgetting.",
    ),
    "S3-78": Requirement(
        "A summary is one line of at most 200 characters, made from the content if not given.",
        "A long text of two lines; a given one.",
    ),
    "S3-79": Requirement(
        "The forms of index found in the wild are read and made into this one.",
        "All nineteen of the samples.",
    ),
    "S3-80": Requirement(
        "What is critical is permanent by default and always loaded, first among the ten.",
        "With no match it is loaded; of twelve, ten are, and the note names two.",
    ),
    "S3-81": Requirement(
        "What is high lives a year by default and is loaded where tag or keyword match.",
        "With and without a match.",
    ),
    "S3-82": Requirement(
        "What is medium lives 90 days by default and needs a match and a place in the ten.",
        "With and without a match; the eleventh is left out.",
    ),
    "S3-83": Requirement(
        "What is low lives 30 days by default and is found only when asked for.",
        "No task loads it; a search finds it.",
    ),
    "S3-84": Requirement(
        "Permanent never expires.",
        "Fifty years later.",
    ),
    "S3-85": Requirement(
        "A duration ends so long after creation, a year by the calendar.",
        "A second before and at the end, in a leap year.",
    ),
    "S3-86": Requirement(
        "Working memory lives four hours.",
        "The default of its type, whatever the priority.",
    ),
    "S3-87": Requirement(
        "What expired is out of every answer at once, and archived by the next maintenance.",
        "Absent a second later; then the archive has it.",
    ),
    "S3-88": Requirement(
        "Memories contradict where type and a tag are the same and the claim differs, or somebody "
        "says so; another subtype, or a fact and a decision, leaves it to a person (ADR 120).",
        "Pairs that do and do not.",
    ),
    "S3-89": Requirement(
        "Every automatic decision names its rule.",
        "The conflict, the link or the archive says which.",
    ),
    "S3-90": Requirement(
        "The rules are tried in order: critical, user over system, scope, same creator, "
        "different creators.",
        "A matrix of pairs.",
    ),
    "S3-91": Requirement(
        "In one scope, by one creator, the later stands and the older is archived.",
        "The case.",
    ),
    "S3-92": Requirement(
        "In one scope, by different creators, both stay and a person decides.",
        "The case.",
    ),
    "S3-93": Requirement(
        "Of different scopes the more specific is told; nothing is overwritten.",
        "Five levels, one after the other.",
    ),
    "S3-94": Requirement(
        "The user stands against the system.",
        "Also where the user's is older.",
    ),
    "S3-95": Requirement(
        "What is critical is never overwritten by itself.",
        "A newer contradiction is left to a person.",
    ),
    "S3-96": Requirement(
        "A session's end consolidates.",
        "The event.",
    ),
    "S3-97": Requirement(
        "More than a hundred entries in an index consolidate.",
        "The 101st does, the 100th does not.",
    ),
    "S3-98": Requirement(
        "A week after the last time, the next start consolidates.",
        "Eight days later: once.",
    ),
    "S3-99": Requirement(
        "Memories more than 80 % alike that say the same are merged into the newest.",
        "0.80 not, 0.81; five equal ones become one with all counts; distinct facts stay.",
    ),
    "S3-100": Requirement(
        "Long episodic memories of more than thirty days are summarised.",
        "After 31 days: the summary, and the original in the archive.",
    ),
    "S3-101": Requirement(
        "An agent's memory that is read often is promoted to its team.",
        "Four reads no, five yes; the original stays and is linked.",
    ),
    "S3-102": Requirement(
        "What nobody read for 90 days is archived, but for the critical, the protected and "
        "the user's.",
        "After 91 days.",
    ),
    "S3-103": Requirement(
        "Files are all there is; no service runs.",
        "Without the local and private folders an entry is still there.",
    ),
    "S3-104": Requirement(
        "The tree suits git: the same bytes while nothing changes.",
        "Verbs and a rebuild two months later leave bytes and stamps; sessions and global are"
        " ignored.",
    ),
    "S3-105": Requirement(
        "The archive lists past sessions.",
        "Three sessions by date.",
    ),
    "S3-106": Requirement(
        "What was superseded can be made current again.",
        "Rollback: the old is current, the other retired.",
    ),
    "S3-107": Requirement(
        "An index file has fewer than a thousand entries, and a longer one is cut.",
        "1500 entries: 999 and 501, and every one is found.",
    ),
    "S3-108": Requirement(
        "A content above 10 KB is shortened in its file and kept whole.",
        "12 KB: a summary under 10 KB, and the reference to the whole; above 8 MiB it is refused.",
    ),
    "S3-109": Requirement(
        "At most ten memories are loaded for a task, the best first.",
        "25 candidates: ten, in falling order.",
    ),
    "S3-110": Requirement(
        "What was never read is archived after 90 days.",
        "90 days and a second.",
    ),
    "S3-111": Requirement(
        "The priority follows the published examples when nobody says one.",
        "Two of each.",
    ),
}
