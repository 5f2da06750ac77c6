"""Pairs of ordinary engineering sentences: about different things, and updates of one thing.

The rule was made in sight of every second pair, beginning with the first (`SEEN`); the others were
kept apart and run once (`KEPT`).
"""

from __future__ import annotations

DIFFERENT_THINGS = (
    ("The staging database runs Postgres 15", "The production database runs Postgres 16"),
    ("Job nightly-import takes 40 minutes", "Job nightly-export takes 25 minutes"),
    ("Tenant Initech is billed yearly", "Tenant Umbrella is billed monthly"),
    ("Tests in tests/unit run in parallel", "Tests in tests/git run in sequence"),
    ("The login form breaks on Firefox", "The login form breaks on Edge"),
    ("Release 1.4 dropped Python 3.8", "Release 1.5 dropped Python 3.9"),
    ("Worker 3 is out of memory", "Worker 7 is out of memory"),
    ("Priya knows the payment code", "Marek knows the payment code"),
    ("GET /users needs a token", "GET /orders needs a token"),
    ("The iOS app crashes on rotation", "The Android app crashes on rotation"),
    ("Branch release-2 is frozen", "Branch release-3 is frozen"),
    ("The variable LOG_LEVEL is read at start", "The variable LOG_FORMAT is read at start"),
    ("Ticket 1182 is blocked by design", "Ticket 1190 is blocked by design"),
    ("The exporter supports CSV", "The exporter supports JSON"),
    ("The search index is rebuilt on Sunday", "The report index is rebuilt on Saturday"),
    ("utils/dates.py has no tests", "utils/money.py has no tests"),
    ("The flag beta_search is off", "The flag beta_cart is off"),
    ("Customers in Norway pay in NOK", "Customers in Sweden pay in SEK"),
    ("The build fails on macOS", "The build fails on Windows"),
    ("Node 4 holds the leader lease", "Node 5 holds a follower lease"),
    ("Migration 0012 adds the email column", "Migration 0013 adds the phone column"),
    ("The gateway retries 3 times", "The mailer retries 5 times"),
    ("Queue payments is drained at night", "Queue refunds is drained at night"),
    ("Dana can approve refunds", "Yusuf can approve refunds"),
    ("The Berlin office uses VPN profile A", "The Lisbon office uses VPN profile B"),
    ("Port 5432 is used by Postgres", "Port 6379 is used by Redis"),
    ("Error E1001 means a bad token", "Error E1002 means an expired token"),
    ("The parser depends on lxml", "The parser depends on regex"),
    ("The admin role sees all invoices", "The auditor role sees all invoices"),
    ("Service auth.internal listens on 7001", "Service mail.internal listens on 7002"),
)
"""Both are true at a time; neither may be superseded."""

UPDATES = (
    ("The API timeout is 30 seconds", "The API timeout is 45 seconds"),
    ("CI runs on Jenkins", "CI runs on GitHub Actions"),
    ("The upload limit is 10 MB", "The upload limit is 25 MB"),
    ("We use yarn for the frontend", "We use pnpm for the frontend"),
    ("The flag dark_mode is off", "The flag dark_mode is on"),
    ("Standup starts at 9:30", "Standup starts at 10:00"),
    ("The cache is enabled in staging", "The cache is disabled in staging"),
    ("The database is hosted on AWS", "The database is hosted on Azure"),
    ("Releases go out on Tuesday", "Releases go out on Thursday"),
    ("The primary region is eu-west-1", "The primary region is eu-central-1"),
    ("The minimum Python version is 3.9", "The minimum Python version is 3.11"),
    ("Backups are kept for 14 days", "Backups are kept for 30 days"),
    ("Logs are stored in Elasticsearch", "Logs are stored in Loki"),
    ("Retries are allowed for payments", "Retries are not allowed for payments"),
    ("The default branch is master", "The default branch is main"),
    ("The pool size is 20", "The pool size is 40"),
    ("The on-call engineer is Hannah", "The on-call engineer is Omar"),
    ("We deploy with Ansible", "We deploy with Helm"),
    ("LOG_LEVEL=info in production", "LOG_LEVEL=warn in production"),
    ("The session cookie expires after 30 minutes", "The session cookie expires after 15 minutes"),
    ("The admin panel is public", "The admin panel is private"),
    ("The rate limit is 100 requests per minute", "The rate limit is 60 requests per minute"),
    ("The linter is flake8", "The linter is ruff"),
    ("The queue is RabbitMQ", "The queue is Kafka"),
    ("The service listens on port 8080", "The service listens on port 9090"),
    ("Code review requires one approval", "Code review requires two approvals"),
    ("The mobile app requires Android 9", "The mobile app requires Android 11"),
    ("The importer skips empty rows", "The importer does not skip empty rows"),
    ("Nightly jobs start at 02:00", "Nightly jobs start at 03:00"),
    ("The feature freeze begins on 1 May", "The feature freeze begins on 8 May"),
)
"""The later one holds and the earlier one no longer does."""

SEEN, KEPT = slice(0, None, 2), slice(1, None, 2)
