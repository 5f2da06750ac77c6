"""Recognises lasting corrections after the word "no": complete facts and conventions.

A "no" alone proves little, because it usually refers to the current edit. So each pattern requires
one of three things: something that a project has only once (the staging database, the default
branch), a statement about the whole repository, or a tool or style that is not chosen for a single
line.
"""

from __future__ import annotations

from varves.capture.cue import Cue

_CODE = (
    r"in (?:this|our|the whole|the entire) (?:repo|repository|codebase|code base|monorepo|crate)"
)
_PLACE = (
    r"in (?:this|our|the whole|the entire) (?:repo|repository|project|codebase|code base|monorepo|"
    r"workspace|crate|organi[sz]ation|org|company|team)"
)
_VAGUE = (  # words that are never the name of a convention
    r"(?:the|an?|this|that|these|those|it|its|them|my|your|one|ones|both|all|only|just|another|"
    r"other|more|less|fewer|bigger|smaller|larger|shorter|longer|lighter|darker|better|first|"
    r"second|third|last|same|option|version|red|green|blue|black|white|gr[ae]y|yellow|orange|"
    r"purple|pink|\d[\w.]*)\b"
)
_NAME = rf"(?!{_VAGUE})[\w@./:+#-]+"
_CHOICE = (  # tools and styles of which a project has only one
    r"(?:npm|pnpm|yarn|bun|deno|npx|pip|pipx|uv|poetry|pdm|pipenv|conda|hatch|tox|nox|pytest|"
    r"unittest|nose|jest|vitest|mocha|jasmine|ava|karma|cypress|playwright|selenium|puppeteer|"
    r"storybook|rspec|minitest|phpunit|pest|junit|testng|spock|kotest|maven|gradle|sbt|bazel|buck|"
    r"cmake|meson|ninja|make|just|taskfile|webpack|vite|rollup|esbuild|parcel|turbopack|eslint|"
    r"tslint|biome|prettier|standard|oxlint|black|ruff|flake8|pylint|isort|yapf|autopep8|mypy|"
    r"pyright|rustfmt|clippy|gofmt|gofumpt|golangci-lint|rubocop|spotless|ktlint|detekt|checkstyle|"
    r"docker|podman|docker compose|helm|kustomize|terraform|opentofu|pulumi|ansible|argo|flux|"
    r"github actions|gitlab ci|jenkins|circleci|buildkite|nix|direnv|asdf|mise|nvm|fnm|volta|pyenv|"
    r"tabs|spaces|(?:two|four|2|4) spaces|snake[ _-]?case|camel[ -]?case|kebab[ -]?case|"
    r"pascal[ -]?case|single quotes|double quotes|semicolons|trailing commas|conventional commits|"
    r"postgres(?:ql)?|mysql|mariadb|sqlite|mongo(?:db)?|redis|kafka|rabbitmq|nats|elasticsearch|"
    r"react|vue|svelte|angular|solid|tailwind|django|flask|fastapi|rails|laravel|spring|express|"
    r"typescript|kubernetes|nomad|grpc|graphql|kotlin|prisma|drizzle|sqlalchemy|alembic|flyway|"
    r"semver|calver|trunk[- ]based development|squash merges|merge commits|(?:british|american|us|"
    r"uk) (?:english|spelling))"
)
_INSTEAD = r"(?:,? (?:and )?not|,? instead of|,? rather than|,? over)"
_THIS = rf"{_NAME}(?: [\w-]+)?"
_FOR = rf"{_INSTEAD} {_THIS}"
_ENVIRONMENT = (
    r"(?:staging|stage|prod|production|dev|development|test|testing|qa|uat|preview|sandbox|demo|"
    r"ci|local|integration|internal|shared)"
)
_THING = (
    r"(?:database|db|port|host|hostname|server|cluster|region|bucket|registry|namespace|domain|"
    r"url|queue|topic|schema|environment|account|network|zone|instance|replica|broker|gateway)"
)
_MARKED = (  # a word that is neither common nor an amount
    r"(?:(?:on |at )(?:port )?\d{4,5}|(?:on |in |at )?(?:[a-z]{2}[a-z./:@-]*\d[\w./:@-]*|"
    r"\w[\w-]*\.\w[\w./:-]+|_))"
)
_WORKED = (  # things that a team makes by rules of its own
    r"(?:branches|commits|commit messages|tags|releases|prs|pull requests|merge requests|"
    r"migrations|tests|specs|fixtures|docs|docstrings|changelogs?|tickets|hot ?fixes|"
    r"versions|packages|dependencies|backups)"
)
_LAST = r"(?:,? (?:and )?not (?:called |named |on |in |at )?[\w@./:+#-]+)?$"
_TOP = r"(?:main|master|develop|development|dev|trunk|mainline|[\w.-]+/[\w./-]+)"

NOT_THAT = Cue(  # as in "not jest, we use …"
    r"^not (?!sure|now|yet|bad|only|just|really|quite|again|today|always|every|all|the|an?|this|"
    r"that|these|those|it|so|my|your|for|in|on|at|if|when|to|with|here|there|necessarily|much)"
    r"[\w@./:+#-]+(?: [\w-]+)?[,;:.] ?(?=(?:we|our|the|in this|here we) )",
    anchors="not ",
)
NARROW = Cue(  # statements about the current code, or about how the product looks
    rf"^{_PLACE},? (?:please )?(?:use|take|make|put|set) {_VAGUE}|"
    r"\b(?:header|footer|button|form|modal|logo|card|sidebar|menu|navbar|icon|banner|dialog|popup|"
    r"tooltip|layout|font|screen|spinner|shadow|corner|padding|margin|dropdown|checkbox|slider|"
    r"emoji|colou?r|list|loop|array|variable|argument|prop)s?\b|\bis (?:empty|in progress)\b|"
    r"\beverywhere,? not\b|\ball our \w+ (?:pass|fail|work|run)\b|"
    r"\b(?:first|afterwards|next)\W*$|\b(?:older|newer|on top of|before you continue)\b|"
    r"(?<!is )(?<!so )\b(?:that|there|those)\b|\bwe deploy only the\b|"
    r"\bour (?:parser|regex|function|method|class|tests?|endpoint|query|mocks?|component|page|"
    r"columns?|rows?|diff|cache|branch|commit|selector|case|callback|hook|route|type|struct|table|"
    r"input|output|string|fix|patch|change|code|script|model|field|file|view|import|"
    r"buffer|handler|worker|client|wrapper)\b|"
    r"\bbelongs? (?:in|to|into|under) (?!the [\w-]+ (?:layer|module|package|repo|folder|crate)\b)"
    rf"{_VAGUE}"
)
PRACTICE = Cue(  # verbs that describe habits of people, not code
    r"\bwe (?:only ever |only |always |never |all |mostly |do not )?(?:"
    r"(?:deploy|vendor|squash|rebase)(?:,| (?!the\b|an?\b|with the\b))|report \w+ (?:in|as|per) |"
    r"(?:publish (?:to|from|with)|host (?:on|with|at)|indent with|bill (?:per|in)) "
    r"|(?:release|ship|branch) (?:from|to|off|into|on|with|every|only) "
    r"(?!the way|top)"
    r"|support (?:the last|only|python|node|java|\w+ \d)"
    rf"|use {_CHOICE}(?:{_INSTEAD} |[,;]|$| (?:for (?:all|every)|in (?:this|all|our)) )"
    r"|(?:name|prefix|sign|tag|title|label|number|write|keep|store|put|version|generate) "
    rf"(?:all |our |new )?{_WORKED} (?!for (?:the|this|that)|later)"
    r")",
    anchors="we ",
)
RUN_SO = Cue(
    r"\b(?:is|are) (?:always |only |all |never )?(?:(?:hosted|deployed|owned|maintained|vendored|"
    r"mirrored|billed|released|published|versioned|deprecated|frozen|encrypted|rotated) "
    r"(?:\w+ ){0,2}?(?:in|by|on|from|as|with|at|to|under|per|via|through|every|daily|only)\b|"
    rf"(?<=are )(?:stored|kept|saved|measured|counted|numbered|named) (?:in|as|by|per|after|under) "
    rf"(?!{_VAGUE}|state\b|memory\b|context\b|props\b|local|session))",
    anchors="is |are ",
)
OUR_OWN = Cue(
    r"^our (?!version|build|release)(?:(?!is\b|are\b|should|would|could)[\w/.+-]+ ){1,4}(?:"
    r"(?:is|are) (?:always|only|all|never|called|named) \w|is (?:on|at) \w|"
    r"(?:is|are) (?:in )?[a-z./:@-]*[\d/_]\S*$|runs? (?:on|in|at|every|with) |lives? |"
    r"uses? (?!an? )|comes? from |requires? |expects? |speaks? |must |can not |never |always |"
    r"only (?:has|have|supports?|runs?|accepts?|speaks?) )",
    anchors="our ",
)
BRIEF = Cue(  # facts that are complete with only four words
    rf"^our (?:[\w-]+ ){{1,3}}?(?:is|are|runs on|uses) {_CHOICE}[.!]?$|"
    r"^(?:this|our) (?:repo|repository|project|codebase|monorepo|crate|team) uses "
    rf"{_CHOICE}(?: for (?:all |our |every |the )?[\w-]+(?: [\w-]+)?)?[.!]?$|"
    r"^(?:prod|production|staging) (?:has|runs|uses) (?:(?:\d+|one|two|three|four|five|six) "
    rf"[\w-]+s|(?:on )?{_CHOICE}(?: \d[\d.]*)?)[.!]?$",
    anchors="our |uses|prod|staging",
)
_SAID_RIGHT = (
    Cue(
        rf"^(?:please )?use {_THIS}{_FOR} {_PLACE}$|^(?:please )?use {_THIS} {_PLACE}{_FOR}$|"
        rf"^(?:please )?use (?:{_THIS} {_CODE}|{_CHOICE} {_PLACE})$|"
        rf"^{_PLACE},? (?:please |we )?use (?:{_THIS}{_FOR}|{_CHOICE})$|"
        rf"^{_CODE},? (?:please |we )?use {_THIS}$|"
        r"^(?:this|our) (?:repo|repository|project|codebase|monorepo|crate|team) uses "
        rf"(?:{_THIS}{_FOR}|{_CHOICE}(?: for (?:all |our |every |the )?[\w-]+(?: [\w-]+)?)?)$",
        anchors="use",
    ),
    Cue(
        rf"^(?:please )?use {_CHOICE}{_INSTEAD} {_CHOICE} (?:around here|here|everywhere)$|"
        rf"^(?:please )?use {_CHOICE} (?:around here|here|everywhere){_INSTEAD} {_CHOICE}$|"
        rf"^we (?:only |all |always )?use {_CHOICE}(?:{_INSTEAD} {_CHOICE})? (?:around here|here|"
        rf"everywhere)(?:{_INSTEAD} {_CHOICE})?$|"
        rf"^(?:around )?here,? we (?:only |all |always )?use {_CHOICE}(?:{_INSTEAD} {_CHOICE})?$",
        anchors="here",
    ),
    Cue(
        rf"^(?:the|our) {_ENVIRONMENT} {_THING} is (?:called |named )(?!in |on |by |after |like "
        rf"|as |async|once|when |if |before |for |\w+ly\b){_NAME}{_LAST}|"
        rf"^(?:the|our) {_ENVIRONMENT} {_THING} is {_MARKED}{_LAST}|"
        rf"^(?:the|our) {_ENVIRONMENT} port is \d{{2,5}}{_LAST}|"
        rf"^(?:the|our) (?:default|main|primary|trunk|release) branch is (?:called |named )?"
        rf"{_TOP}{_LAST}|"
        rf"^our (?:package manager|test runner|formatter|linter|build tool|bundler) is {_CHOICE}"
        rf"{_LAST}",
        anchors=" is ",
    ),
    Cue(
        r"^(?:prod|production|staging) (?:is|runs) on (?:postgres(?:ql)?|mysql|mariadb|node|python|"
        r"ruby|java|openjdk|php|go|redis|mongo(?:db)?|elasticsearch|kafka|kubernetes|k8s|ubuntu|"
        r"debian|alpine|rails|django|dotnet|nginx) \d[\d.]*(?:,? not (?:on )?[\w .-]+)?$",
        anchors=" on ",
    ),
    Cue(
        r"^(?:all |our |the )*(?:[a-z-]+ )?(?:amounts|prices|fees|balances|timestamps|dates|"
        r"times|durations|timeouts)(?: in the (?:database|db|api))? are (?:always |all )?(?:in )?"
        r"(?:utc|cents|minor units|seconds|milliseconds|ms|net|gross|iso[ -]?8601|unix time)"
        r"(?:,? (?:and )?not (?:in )?[\w ]+)?$",
        anchors=" are ",
    ),
    Cue(
        r"^(?:all |our |the )*(?:[a-z-]+ )?(?:tests|specs|migrations|fixtures|translations|"
        rf"snapshots|docs|adrs|schemas|mocks|stories) (?:live (?:in|under|next to) {_NAME}"
        rf"(?: [\w-]+)?{_LAST}|"
        rf"are (?:in|under) (?=[\w-]+/){_NAME},? (?:and )?not (?:in |under )?{_NAME}$)",
        anchors=" live | are ",
    ),
)


def is_right(said: str) -> bool:
    """Return whether the text after a "no" is a fact or a convention, as a complete sentence."""
    ended = said.rstrip(" .!")
    return any(one.search(ended) for one in _SAID_RIGHT) and not is_narrow(said)


def is_narrow(said: str) -> bool:
    """Return whether a correction is about the current code, or about how the product looks."""
    return NARROW.search(said) is not None
