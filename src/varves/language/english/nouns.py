"""English nouns of software work: synonyms, kinds of values, and mutually exclusive words.

In `SYNONYMS`, the first word of a row stands for the others. In `EXCLUSIVE`, at most one word of a
row can be true of a thing. `KINDS` has names by purpose; two names of one kind are two values of
one choice.
"""

from __future__ import annotations

from varves.language.english.words import listed

SYNONYMS = (
    "elasticsearch elastic",
    "database db dbs databases",
    "development dev",
    "environment env envs",
    "pullrequest pr prs mr mrs",
    "kubernetes k8s",
    "postgres postgresql pg",
    "javascript js",
    "typescript ts",
    "python py",
    "administrator admin admins",
    "directory folder dir",
    "certificate cert certs",
    "credential credentials",
    "navigation nav",
    "picture image img photo",
    "colour color",
    "function fn func",
    "argument arg args parameter param params",
    "message msg",
    "environment-variable envvar",
    "employee staff",
    "artifact artefact",
    "frontend front-end",
    "backend back-end",
    "e2e end-to-end",
    "email mail e-mail",
    "standup stand-up daily-meeting",
    "retro retrospective",
    "branch branches",
    "laptop notebook-pc",
    "deadline due",
    "vendor supplier provider",
    "secret secrets",
    "production prod live-system",
    "staging stage stg",
    "application app apps",
    "ci pipeline pipelines",
    "vacation holiday holidays pto",
    "customer customers client-account account accounts",
    "error errors exception exceptions",
    "budget pot money",
    "iphone ios-app",
    "gpu gpus",
    "emergency-stop estop e-stop",
    "mode theme",
    "attachment attachments attach",
    "oncall on-call pager-duty",
    "standup daily-meeting",
    "firmware fw",
    "typeface font fonts typefaces",
    "subject-line subject",
    "user users",
    "employee employees staff",
    "session sessions",
    "deadline due",
    "biggest largest",
    "plan tier subscription",
    "credential credentials password passwords passphrase",
    "library libraries lib libs",
    "bug bugs defect defects",
    "branch branches",
    "squad squads",
    "checkpoint checkpoints",
    "timestamp timestamps",
    "phone phones mobile handset",
    "laptop laptops notebook",
    "record records",
    "test tests testing tested suite suites",
    "legal counsel lawyer lawyers attorney",
    "website site websites sites",
    "bike bicycle bikes bicycles",
    "car cars vehicle vehicles",
    "child children kid kids",
    "flat apartment",
    "film movie films movies",
    "shop store-front shops",
    "server servers",
    "worker workers",
    "node nodes",
    "memory ram",
    "character characters char chars",
    "request requests req",
    "dataset datasets",
    "changelog changelog.md changelogs",
    "readme readme.md",
    "warehouse dwh",
    "dependency dependencies",
    "tutorial tutorials walkthrough",
    "repo repository repos repositories",
    "internship internships intern interns",
    "visitor visitors visit visits visiting guest guests",
    "person people persons",
    "cleaner cleaners cleaning clean",
    "coach coaches coached trainer",
    "teacher teach teaches taught teachers",
    "deadline due",
    "flight flights plane planes aircraft",
    "eur euro euros",
    "usd dollar dollars",
    "kilometre kilometer kilometres kilometers",
    "metre meter metres meters",
    "centimetre centimeter centimetres centimeters",
    "litre liter litres liters",
    "foot feet",
)
EXCLUSIVE = (
    "north south east west",
    "public internal",
    "respect ignore",
    "cookie cookies localstorage",
    "fail pass",
    "tabs spaces",
    "parallel sequential serial",
    "sensitive insensitive",
    "visible hidden",
    "absolute relative",
    "synchronously asynchronously",
    "cursor offset",
    "inline toast modal",
    "synchronous asynchronous",
    "sync async",
    "dark light",
    "single double",
    "stateless stateful",
    "mutable immutable",
    "lazy eager",
    "strict lenient loose",
    "nullable non-null",
    "ascending descending",
    "asc desc",
    (
        "snake_case camelcase kebab-case pascalcase screaming_snake_case titlecase lowercase"
        " uppercase sentencecase"
    ),
    "pasttense presenttense imperative",
    "semver calver",
    "monolith microservice",
    "monorepo polyrepo multirepo",
    "merge rebase squash",
    "metric imperial",
    "utc local localtime cet pst est",
    "rest graphql grpc soap",
    "server-side client-side",
    "server-rendered client-rendered static",
    "push pull",
    "polling webhook websocket",
    "websocket sse server-sent",
    "little-endian big-endian",
    "utf-8 utf-16 latin-1 ascii",
    "json xml yaml toml csv protobuf msgpack parquet avro orc",
    "jwt session-cookie",
    "free paid",
    "oldest newest",
    "inclusive exclusive",
    "british american",
    "mit apache gpl bsd agpl mpl proprietary",
    "soft hard",
    "shared separate dedicated",
    "trunk gitflow",
    "root non-root",
    "read-only writable",
    "bigint uuid uuidv4 uuidv7 ulid serial",
    "integer float decimal",
    "singular plural",
    "composition inheritance",
    "spot on-demand reserved",
    "http https",
    "tcp udp",
    "ipv4 ipv6",
    "opt-in opt-out",
    "deterministic random",
    "x86 arm arm64 amd64",
    "bash zsh fish",
    "remote onsite on-site hybrid",
    "strong eventual",
    "optimistic pessimistic",
    "parttime fulltime",
    "public private",
    "small medium large",
    "fast slow",
    "left-hand right-hand",
    "top bottom",
    "true false",
    "manual automatic",
    "nothing everything",
    "disk s3 cloud memory",
    "europe america",
    "user ip token seat request",
    "cents float decimal",
    "values exceptions",
    "online offline",
    "immutable mutable editable edit",
    "red green blue yellow purple teal orange pink grey gray black white",
    "english german french spanish italian dutch portuguese japanese chinese polish",
    "british american us-english",
    "morning afternoon evening",
    "read-only writable editable",
    "skip fail abort",
    "weekday weekend",
    "startup request",
    "free-form conventional",
    "ssd hdd",
    "normally-open normally-closed",
    "ltr rtl",
    "greedy lazy",
    "sorted unsorted",
    "unique duplicate",
    "table json",
    "credential magic-link passkey",
    "team enterprise pro starter",
    "monday-start sunday-start",
    "server browser device",
    "root user-account",
    "internal external",
    "local remote",
    "central distributed",
    "flat nested",
    "text binary",
    "batch streaming",
    "single multi",
    "merge-commit rebase squash",
    "exactly-once at-least-once at-most-once",
    "open closed",
    "temporary permanent",
    "horizontal vertical",
    "portrait landscape",
    "clockwise counterclockwise",
    "wired wireless",
    "analog digital",
    "electric gas diesel petrol",
    "gross net",
    "positive negative",
    "cheap expensive",
    "hot cold",
    "wet dry",
    "easy difficult",
    "present absent",
    "vacant occupied",
    "alive dead",
    "indoor outdoor",
    "raw cooked",
    "loud quiet",
    "spring summer autumn winter",
    "draft published",
    "breadth-first depth-first",
    "fifo lifo",
    "lru lfu",
    "html markdown asciidoc latex",
    "png jpeg webp svg",
    "celsius fahrenheit kelvin",
    "bf16 fp16 fp32 fp64 int8",
    "batched immediate",
    "beta alpha ga",
    "alphabetical chronological",
    "row-based columnar",
    "eur usd gbp chf jpy sek nok dkk pln",
    "mile kilometre",
    "foot metre",
    "inch centimetre",
    "pound kilogram",
    "gallon litre",
    "session-cookie localstorage",
    "tailwind bootstrap",
    "functional class",
    "functional object-oriented",
    "declarative imperative",
    "explicit implicit",
    "recursive iterative",
)
KINDS = {
    "database": (
        "postgres mysql mariadb sqlite oracle mssql sqlserver mongodb dynamodb cassandra"
        " cockroachdb firestore couchdb supabase planetscale neon duckdb clickhouse redshift"
        " bigquery snowflake"
    ),
    "cache": "redis memcached valkey varnish hazelcast dragonfly",
    "broker": "kafka rabbitmq nats sqs pulsar activemq zeromq kinesis pubsub",
    "cloud": (
        "aws gcp azure heroku fly.io render vercel netlify digitalocean hetzner linode"
        " railway cloudflare"
    ),
    "frontend framework": (
        "react vue svelte angular solid preact ember htmx jquery nextjs next.js nuxt remix"
        " astro sveltekit"
    ),
    "web framework": (
        "django flask fastapi rails express spring laravel nestjs koa gin echo fiber actix"
        " axum phoenix symfony"
    ),
    "package manager": "npm pnpm yarn bun",
    "python package manager": "pip poetry uv pipenv conda pdm pip-tools",
    "test runner": "pytest unittest jest vitest mocha jasmine karma junit rspec nose ava",
    "browser test": "cypress playwright selenium puppeteer testcafe webdriverio",
    "bundler": "webpack vite rollup esbuild parcel turbopack rspack swc tsup",
    "ci": (
        "jenkins circleci travis gitlab-ci github-actions buildkite teamcity drone actions"
        " azure-pipelines bamboo"
    ),
    "formatter": "black ruff yapf autopep8 prettier biome gofmt rustfmt",
    "type checker": "mypy pyright pyre",
    "language": (
        "python javascript typescript go golang rust java kotlin swift ruby php c++ c# scala"
        " elixir haskell perl dart lua zig"
    ),
    "ui kit": "bootstrap mui material chakra antd bulma",
    "state": "redux zustand mobx recoil jotai pinia vuex redux-toolkit xstate",
    "proxy": "nginx caddy haproxy traefik envoy apache",
    "docs": "sphinx mkdocs docusaurus jekyll hugo vitepress readthedocs",
    "infrastructure": "terraform pulumi cloudformation ansible chef puppet cdk opentofu",
    "orchestrator": "kubernetes nomad ecs swarm mesos systemd",
    "errors": "sentry bugsnag rollbar crashlytics raygun",
    "chat": "slack teams discord zulip mattermost",
    "tracker": "jira linear asana trello github-issues shortcut youtrack bugzilla",
    "payment": "stripe paypal adyen braintree square mollie",
    "object store": "s3 gcs minio glacier azure-blob r2 backblaze",
    "os": (
        "ubuntu debian alpine fedora centos rhel windows macos linux openbsd freebsd netbsd nixos"
        " opensuse"
    ),
    "orm": "sqlalchemy prisma typeorm sequelize hibernate drizzle knex",
    "http client": "requests httpx aiohttp axios fetch urllib3 got",
    "identity": "auth0 okta keycloak cognito clerk firebase-auth",
    "editor": "vim emacs vscode neovim intellij pycharm sublime",
    "analytics": "mixpanel amplitude segment posthog heap plausible matomo",
    "mobile framework": "flutter react-native ionic xamarin",
    "icons": "feather lucide heroicons fontawesome phosphor",
    "search": "elasticsearch opensearch solr meilisearch typesense algolia",
    "email": "sendgrid mailgun postmark ses mailchimp",
    "vcs": "git mercurial svn perforce",
    "vector": "faiss pinecone qdrant weaviate milvus chroma pgvector hnsw",
    "ml": "pytorch tensorflow jax keras",
    "date library": "moment date-fns dayjs luxon",
    "model server": "triton vllm torchserve tgi ollama",
    "model family": "xgboost lightgbm catboost",
    "hash": "sha-1 sha-256 sha1 sha256 md5 bcrypt argon2 scrypt blake3",
    "signature": "rsa ed25519 ecdsa gpg sigstore cosign",
    "compression": "gzip zstd brotli lz4 snappy bzip2",
    "service mesh": "istio linkerd consul",
    "job queue": "sidekiq resque celery bullmq rq delayed_job",
    "wiki": "confluence notion gitbook coda outline",
    "flags": "launchdarkly unleash flagsmith growthbook statsig",
    "translation": "lokalise crowdin phrase transifex weblate",
    "updates": "renovate dependabot",
    "internal tools": "retool streamlit appsmith budibase",
    "deployment tool": "helm kustomize argocd flux spinnaker",
    "payout": "wise modulr payoneer",
    "monitoring": "datadog newrelic honeycomb grafana prometheus dynatrace",
    "typeface": "inter roboto helvetica arial georgia lato futura",
    "video": "zoom meet webex jitsi",
    "vpn": "wireguard openvpn tailscale",
    "container runtime": "docker podman containerd",
    "logging": "loki splunk elk graylog papertrail",
    "carrier": "dhl ups fedex usps dpd gls",
    "game engine": "unity unreal godot gamemaker",
    "build tool": "maven gradle bazel ant sbt cmake meson",
    "scheduler": "airflow dagster prefect luigi",
    "workflow tool": "snakemake nextflow cromwell",
    "crm": "salesforce hubspot pipedrive zoho",
    "cms": "wordpress contentful strapi drupal typo3 sanity",
    "password manager": "1password bitwarden lastpass keepass dashlane",
    "design tool": "figma sketch penpot",
    "texting": "twilio vonage messagebird",
    "delivery network": "fastly akamai cloudfront",
    "accounting": "datev quickbooks xero",
    "personnel": "personio workday bamboohr",
    "styling": "tailwind styled-components css-modules emotion vanilla-extract",
    "linter": "eslint pylint flake8 rubocop",
}
# Names that are also ordinary words. They are tools only if they are written as a name.
ORDINARY = listed(
    "go get got meet teams actions outline phrase heap render square edge material requests"
    " fetch solid echo fiber segment flux wise linear inter notion spring express phoenix chef"
    " puppet black slack discord rails drone sublime fish shortcut neon swift rust java consul"
    " loki azure fly.io zoom moment spark parcel jest clerk ses swarm ember remix drizzle git"
    " ant sketch sanity unity unreal luigi prefect ups meson coda triton unleash bamboo mocha"
    " karma gin koa bun emotion make salt snowflake railway helm"
)
# Names that are written together with their version: "ES2017", "C++20", "GPLv3".
SERIES = listed(
    "es c++ ios gpl gplv agpl lgpl grch android node python java php tls http rsa aes net qt"
    " cuda gcc clang llvm react vue angular rails postgres pg mysql ubuntu debian ruby go kotlin"
    " hg ros macos cpp std=c++ jdk ipv"
)
# Environments. Statements about different environments are about different things.
ENVIRONMENTS = listed("production staging development qa preview sandbox local canary uat")
# Common first names. Such a person may own, lead or review something.
PEOPLE = listed(
    "aaron ada adam adele aiko aisha akira alan alba alex alexander alice alicia alina amara"
    " amelie amir amy amélie ana anders andrea andrew andy angela anita anja ann anna anne anton"
    " antonio arjun arthur astrid ayse barbara beatrice ben benjamin bernd bilal bill bjorn bob"
    " boris brian bruno camille carl carla carlos carmen carol caroline catherine cecilia celine"
    " charles charlotte chen chloe chris christian christina christine claire clara claudia"
    " conor craig cristina cyrus dan dana daniel daniela david deepak denise dennis diana diego"
    " dieter dimitri dina dmitri dominik dora doris dylan eduardo edward elena eli elias elif"
    " elin elisa elise elizabeth ella ellen emil emily emma eric erik erika esther ethan eva"
    " evan eve fabian fatima felix fiona florian frances francesca francis frank franz fred"
    " freya gabriel george gerd gianni gloria grace greg greta gunnar gustav hana hanna hannah"
    " hans harald harry hassan heidi helen helena henrik henry ian ibrahim ida igor ilse imran"
    " ines ingrid irene isaac isabel ivan jack jacob jakob james jamie jan jana jane janet"
    " jasmine jason javier jean jeff jen jenna jennifer jens jessica jim joan joana joe johan"
    " johanna john jon jonas jonathan jorge jose josef joseph josh joyce juan judith julia"
    " julian julie jun karen karim karin karl karla kate katharina kathy katja keiko keith ken"
    " kevin khalid kim klaus kofi kurt lara lars laura lauren lea leila lena leo leon leonie"
    " liam lila lily lina linda lisa liz lou louis louise luca lucas lucia lucy luis luisa lukas"
    " luke lydia magnus maja mara marc marco marcus margaret maria marie marina mario marion"
    " mark markus marta martha martin mary mateo matt matteo matthias maurice max maya megan mei"
    " melanie mia michael michel miguel mika mike mila milan mina mira miriam mohamed mona"
    " monika muhammad nadia naomi natalia natalie nate nathan nicholas nick nico nicole niklas"
    " nils nina noa noah noor nora norbert nuria oleg olga oliver olivia omar oscar otto owen"
    " pablo paolo pascal patricia patrick paul paula pavel pedro peter petra phil philip pierre"
    " piotr priya quentin rachel rafael rahul raj ralf ravi rebecca regina renata ricardo"
    " richard rita rob robert roberto robin roland rosa ruben rupert ruth ryan sabine sally sam"
    " samir samuel sandra sara sarah sasha sean sebastian selma sergei shreya silvia simon"
    " simone sofia sonja sophie stefan stella stephan stephen steve susan susanne sven sylvia"
    " takeshi tamara tanja tara tarek tariq ted teresa theo thomas tim timo tina tobias tom"
    " tomas tomasz tony tracy ulrich ursula uwe valentina vera veronica victor viktor vincent"
    " viola vivian walter wei wendy werner wolfgang xavier yara yasmin yuki yusuf yvonne zara"
    " zoe"
    " abdul adrian agata agathe agnes ahmed alain albert aleksandra alexei alfonso alfred ali"
    " alison amanda amandine amit anastasia anil anjali anouk antoine armando arnaud arun ashok"
    " aurelie bartosz bastian benno benoit bernard bethany bettina birgit bogdan brenda bridget"
    " brigitte carsten cathy cecile cedric cheryl chiara clemence clive colette colin connor"
    " corinne cornelia cynthia dagmar dario darren deborah debra deepa delphine denis derek"
    " detlef didier divya dolores dominic donald donna duncan edgar edith edwin eileen einar"
    " eirik elaine eleanor elke elodie elsa elsie elvira emilia emre enrico enrique ernest"
    " ernesto ernst erwin esteban estelle etienne eugen eugene ewa fabio fabrice fatma federica"
    " federico felicity felipe fernando filippo finn francois frida fritz gabi gary genevieve"
    " geoff georges gerald gerard giacomo gilles gillian giorgio giovanni gisela giulia giuseppe"
    " glenn gordon graham gregor gudrun guido guillaume gustavo gwen hamza hector hedwig heike"
    " heinz helene helga helmut henri hilary hilde hiroshi holger horst howard hubert hugh"
    " ignacio ilaria ingeborg ingo irina irma isla ismail ivana ivo jacqueline jacques jake"
    " jakub jamal jaroslav jelena jeremy jerome jerry jill joachim joaquin jochen joel jordi"
    " jorgen josephine julien juliet justin kai kamal karthik kasia katarzyna kathleen keira"
    " kelly kenji kenneth kerstin kiran kirsten kirsty knut kristian kristina kyle lakshmi larry"
    " layla leah lennart leonard lesley lewis leyla lois lorenzo lorraine lotte luc lucie ludwig"
    " luise magda mahmoud malcolm malte manfred manoj manon manuel marcel marcelo marcia marek"
    " margarita margaux margot marilyn marisol marlene mathieu mathilde matilda maureen mauricio"
    " maxim mehmet meike melissa michal milena millie milos mireille molly monique mustafa nadja"
    " naoko natasha nathaniel neha neil nele nicolas nigel nikhil nikola nikolai noelle norman"
    " oksana olaf olivier olof oskar ottilie pamela paola pauline pawel peggy phoebe philipp pia"
    " pilar polly prakash rainer rajesh ralph ramesh rasmus raul raymond reinhard remy renate"
    " renaud rene rhys rocio rodney rodrigo roger rohan rolf ronald ronja rory rosalie rosie"
    " rudolf russell sabrina sadie sakura samira sanjay santiago saskia satoshi scott sergio"
    " shannon sharon sheila shirley sidney signe sigrid silke simona solveig stanislav stanley"
    " stefanie stuart sunil suresh svenja svetlana sybille sylvie tatiana tatjana terence terry"
    " thea theresa thierry tilda toby tomek torsten trevor trond udo ute valentin valerie"
    " vanessa verena vicente vicky vijay vikram vincenzo virginie vladimir volker waltraud wanja"
    " wayne wilhelm wojtek yann yannick yves yvette zachary zainab zofia zuzana"
)
# Nouns that have one value for a thing at a time: "The X of Y is Z".
ATTRIBUTES = listed(
    "accent address algorithm approver architect author backend backup base baseline branch"
    " breakpoint broker budget bundler cache capital captain cause ceo chair channel codename"
    " colour contact convention cost cto culprit currency database date deadline default"
    " delimiter department directory driver duration editor encoding endpoint engine entrypoint"
    " extension fee folder font format formatter framework frequency frontend goal headquarters"
    " host hostname index interval key language launch layout lead leader length level liaison"
    " licence license limit linter locale location maintainer manager mascot maximum mesh"
    " minimum mode name office origin orm os owner path plan platform policy port precision"
    " prefix price primary protocol provider proxy queue quota rate region registry release"
    " representative resolution retention reviewer root runner scale schedule scheme separator"
    " shell size slogan sponsor sprint status strategy style successor suffix tagline target"
    " theme threshold tier timeout timezone tool ttl type typeface unit url vendor version"
    " window"
)
# More nouns of which a thing has one at a time: "the new door code is 12" replaces the old code.
ONE_AT_A_TIME = listed(
    "code password pin number passphrase hours combination email phone extension logo title motto"
    " wifi username salary rent captain trainer cook dentist doctor vet"
)
# Words for people of whom a person may have several: "Ann is my sister", "Eve is my sister".
RELATIVES = listed(
    "sister brother sibling friend colleague neighbour neighbor cousin aunt uncle nephew niece son"
    " daughter child twin grandchild client customer member user guest student pupil teammate"
    " roommate flatmate flatmate patient tenant author co-author contributor developer engineer"
    " designer one same person man woman boy girl guy kind sort type reason problem"
)
# Words for people of whom there is usually one: "Dr. Vogel is our dentist".
ROLES = listed(
    "dentist doctor gp vet accountant lawyer landlord landlady boss therapist hairdresser"
    " gardener plumber electrician midwife paediatrician pediatrician optician notary tutor"
    " babysitter tax-adviser architect mechanic treasurer chairperson chairman chairwoman"
    " secretary caretaker concierge line-manager husband wife mother father"
)
# Machines. Each runs one operating system at a time.
MACHINES = listed(
    "server machine host laptop workstation desktop computer pc vm router nas box firewall"
    " gateway container image runner phone tablet appliance mainframe raspberry"
)
# Nouns next to which a word is one of several exclusive values: "in state draft".
HEADS = listed("case tense state status mode style voice format notation gear order")
# A number after one of these nouns names a place where a thing can be: "in room 204".
PLACE_LABELS = listed(
    "room floor gate door building hall platform bay aisle rack shelf locker cabinet drawer desk"
    " dock booth terminal warehouse office level storey garage"
)
# Places of movable things. Two words of one row are two places. In `WITHIN`, the first place may be
# in the second, or be a part of it.
PLACES = (
    (
        "kitchen cellar basement attic loft garage shed garden hall hallway bathroom bedroom office"
        " lobby pantry balcony terrace porch laundry workshop nursery reception canteen library"
    ),
    (
        "fridge freezer oven cupboard cabinet wardrobe dresser desk table counter sofa couch"
        " armchair bed bench chest nightstand bookcase sideboard safe vault hook pot doormat mat"
        " windowsill mantelpiece fireplace piano door drawer shelf rack roof boot trunk stove sink"
        " printer floor"
    ),
    "box bag jar basket tin envelope folder pocket wallet case backpack suitcase bucket bowl",
)
WITHIN = {
    "drawer": "desk cupboard cabinet wardrobe dresser table counter bench chest nightstand bed"
    " sideboard",
    "shelf": "fridge freezer oven cupboard cabinet wardrobe bookcase desk sideboard door rack",
    "hook": "door wardrobe cupboard shelf",
    "safe": "desk cupboard cabinet wardrobe",
    "rack": "roof door shelf oven",
    "mat": "door",
    "pot": "stove windowsill table counter shelf rack oven sink",
    "door": "fridge oven",
    "bag": "box case suitcase basket",
    "envelope": "box bag folder case backpack suitcase basket",
    "wallet": "bag pocket backpack case basket",
    "folder": "box bag case backpack suitcase",
    "jar": "box bag basket",
    "tin": "box bag basket",
    "case": "box bag backpack suitcase",
    "pocket": "bag backpack suitcase case",
    "fridge": "counter",
    "printer": "desk table counter shelf cupboard cabinet",
}
# Where data is stored. Words of two rows are two stores.
STORES = {
    word: group
    for group, words in {
        "database": "database table sql",
        "file": "file repo git commit code directory disk",
        "object": "bucket",
        "sheet": "spreadsheet sheet excel airtable",
        "wiki": "wiki page",
        "memory": "memory ram",
        "vault": "vault",
        "cookie": "cookie localstorage browser",
    }.items()
    for word in words.split()
}
STORE_KINDS = {
    "database": "database",
    "cache": "memory",
    "object store": "object",
    "wiki": "wiki",
    "password manager": "vault",
    "vcs": "file",
}
# Relations to a thing that one person has at a time: "Anna owns billing".
AGENTS = listed(
    "own lead head manage contact oncall chair owner leader coordinate oversee "
    " captain manager sponsor liaison tookover coach teach supervise treasurer secretary president"
    " director principal mayor ceo cto cfo coo moderator organiser organizer landlord"
)
# Verbs and roles that have one value at a time; the value may be any phrase.
SINGLE = frozenset(
    (verb, role)
    for verbs, roles in (
        ("live store host reside sit locate stay keep house retain kept", "in with from"),
        ("deploy publish push upload ship release land report point default resolve move", "to in"),
        ("write implement code author", "in"),
        (
            (
                "build bundle format lint generate manage test style render package provision"
                " power make handle run sign hash encrypt compress process update"
            ),
            "with",
        ),
        ("terminate tag", "in"),
        ("read load come pull fetch take source deploy import install cut branch buy", "from"),
        ("read load", "in"),
        ("sort key partition group order index shard bucket paginate", "with in"),
        ("name title", "object is"),
        ("indent", "with"),
        ("encode serialize format store write represent return", "as in"),
        ("compute calculate advance decide", "in"),
        ("cause", "subject with"),
        ("use", "as"),
        ("license licence", "with in as"),
        ("route talk go", "through with over"),
        ("standard", "before after"),
        ("deliver send transmit", "over with through"),
        ("apply", "per"),
        ("target", "object"),
        ("base", "in"),
        ("login", "with"),
        ("print", "object"),
        ("configure", "with in"),
        ("align", "to"),
    )
    for verb in verbs.split()
    for role in roles.split()
)
