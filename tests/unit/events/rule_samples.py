"""One generator for each rule of redaction: a token, or a text that carries one.

Samples are drawn from the formats that providers publish, never from our patterns, and are put
together at run time, so that no token-shaped literal stands in this file.
"""

from __future__ import annotations

import base64
import json
import random
import string

LOWER, UPPER, DIGITS = string.ascii_lowercase, string.ascii_uppercase, string.digits
ALNUM = LOWER + UPPER + DIGITS
URLSAFE = ALNUM + "_-"
BASE58 = "".join(sorted(set(ALNUM) - set("0OIl")))
BECH32 = "qpzry9x8gf2tvdw0s3jn54khce6mua7l"
HEX = "0123456789abcdef"


class Draw(random.Random):
    """A seeded source of the alphabets that tokens are made of."""

    def of(self, alphabet: str, size: int) -> str:
        """Return a string over an alphabet; long ones always hold a digit and a letter."""
        body = "".join(self.choice(alphabet) for _ in range(size))
        if size > 9 and set(DIGITS) < set(alphabet) and set(HEX) <= set(alphabet):
            at = size // 2
            body = body[: at - 1] + self.choice("abcdef") + self.choice(DIGITS) + body[at + 1 :]
        return body

    def b62(self, size: int) -> str:
        return self.of(ALNUM, size)

    def url(self, size: int) -> str:
        # the first and last are kept to letters and digits, as a separator there is a rarity
        return self.b62(1) + self.of(URLSAFE, size - 2) + self.b62(1)

    def hex(self, size: int) -> str:
        return self.of(HEX, size)

    def caps(self, size: int) -> str:
        return self.of(UPPER + DIGITS, size)

    def low(self, size: int) -> str:
        return self.of(LOWER + DIGITS, size)

    def num(self, size: int) -> str:
        return self.choice("123456789") + self.of(DIGITS, size - 1)

    def uuid(self) -> str:
        return "-".join(self.hex(n) for n in (8, 4, 4, 4, 12))

    def b64(self, size: int) -> str:
        """Return base64 of that many random bytes."""
        return base64.b64encode(self.randbytes(size)).decode()

    def word(self) -> str:
        """Return a password as people make them: letters, a digit, a sign."""
        body = [*self.of(LOWER, 5), self.choice(UPPER), self.choice(DIGITS), self.choice("!*+~^")]
        self.shuffle(body)
        return self.choice(LOWER) + "".join(body) + self.choice(DIGITS)


def _b64json(**fields: str) -> str:
    raw = json.dumps(fields, separators=(",", ":")).encode()
    return base64.urlsafe_b64encode(raw).decode().rstrip("=")


def _jwt(r: Draw) -> str:
    head = _b64json(alg=r.choice(["HS256", "RS256", "ES256"]), typ="JWT")
    return f"{head}.{_b64json(sub=r.num(10), name=r.b62(8))}.{r.url(43)}"


def _pem(r: Draw, kind: str, *, newline: str = "\n", whole: bool = True) -> tuple[str, str]:
    """Return a PEM block and a piece of its body; a part of one if it is not whole."""
    rows = [base64.b64encode(r.randbytes(48)).decode() for _ in range(6)]
    mark = "PRIVATE" + " KEY" + (" BLOCK" if kind.startswith("PGP") else "")
    kind = f"{kind} " if kind else ""
    rows = ["-----BEGIN " + kind + mark + "-----", *rows]
    if whole:
        rows += [r.b64(12), "-----END " + kind + mark + "-----"]
    return newline.join(rows), rows[3]


def _tail(r: Draw) -> tuple[str, str]:
    block, piece = _pem(r, r.choice(["", "RSA", "EC"]))
    return "cut here\n" + block.split("\n", 1)[1], piece


def _wrapped(r: Draw) -> tuple[str, str]:
    whole = base64.b64encode(_pem(r, r.choice(["", "RSA", "EC"]))[0].encode()).decode()
    return whole, whole[80:]


def _putty(r: Draw) -> tuple[str, str]:
    rows = [base64.b64encode(r.randbytes(48)).decode() for _ in range(4)]
    head = "PuTTY-User-Key-File-3: ssh-ed25519\nEncryption: none\nPublic-Lines: 1\nAAAA\n"
    return f"{head}Private-Lines: 4\n" + "\n".join(rows) + f"\nPrivate-MAC: {r.hex(64)}\n", rows[1]


def _gcp(r: Draw) -> tuple[str, str]:
    block, piece = _pem(r, "", newline="\\n")
    return '{"type": "service_account", "private_key": "' + block + '\\n", "client_id": "1"}', piece


def _named(*names: str, sep: tuple[str, ...] = ("=", ": ", '="', "': '", '": "')):
    """Make a carrier that sets one of some names to a drawn value."""

    def around(r: Draw, value: str) -> tuple[str, str]:
        chosen = r.choice(sep)
        close = chosen[-1] if chosen[-1] in "\"'" else ""
        open_ = {"': '": "'", '": "': '"'}.get(chosen, "")
        return f"{open_}{r.choice(names)}{chosen}{value}{close}", value

    return around


def _url(*schemes: str):
    def make(r: Draw) -> tuple[str, str]:
        word = r.word()
        return f"{r.choice(schemes)}://app:{word}@db.internal:5432/main", word

    return make


def _around(text: str, draw):
    """Make a carrier from a template with one place for the drawn value."""

    def make(r: Draw) -> tuple[str, str]:
        value = draw(r)
        return text.replace("@@", value), value

    return make


def _set(draw, *names: str):
    return lambda r: _named(*names)(r, draw(r))


def _basic(r: Draw) -> str:
    return base64.b64encode(f"user{r.num(3)}:{r.word()}".encode()).decode()


# name of the rule, prefix, alphabet and length of the body, where the format is no more than that
PLAIN = """
    google-api-key AIza url 35; google-oauth-token ya29. url 120;
    google-oauth-client-secret GOCSPX- url 28; google-refresh-token 1//0 url 60;
    digitalocean-pat dop_v1_ hex 64; digitalocean-oauth-token doo_v1_ hex 64;
    digitalocean-refresh-token dor_v1_ hex 64; alibaba-access-key-id LTAI b62 20;
    tencent-secret-id AKID b62 32; yandex-api-key AQVN url 36; render-key rnd_ b62 28;
    netlify-token nfp_ b62 36; heroku-key HRKU-AA url 58; pulumi-token pul- hex 40;
    vault-service-token hvs. url 90; vault-batch-token hvb. url 140;
    vault-recovery-token hvr. url 26; scalingo-token tk-us- url 48; openshift-token sha256~ url 43;
    octopus-deploy-key API- caps 26; deno-deploy-token ddp_ b62 36; github-pat ghp_ b62 36;
    github-oauth-token gho_ b62 36; github-user-token ghu_ b62 36; github-app-token ghs_ b62 36;
    github-refresh-token ghr_ b62 76; gitlab-deploy-token gldt- url 20;
    gitlab-runner-token glrt- url 20; gitlab-runner-registration GR1348941 url 20;
    gitlab-trigger-token glptt- hex 40; gitlab-feed-token glft- url 20;
    gitlab-mail-token glimt- low 25; gitlab-agent-token glagent- url 50;
    gitlab-oauth-secret gloas- hex 64; gitlab-scim-token glsoat- url 20;
    gitlab-feature-flag-token glffct- url 20; bitbucket-app-password ATBB b62 32;
    buildkite-token bkua_ hex 40; jfrog-api-key AKCp b62 69; npm-token npm_ b62 36;
    pypi-token pypi-AgEIcHlwaS5vcmc url 150; rubygems-key rubygems_ hex 48;
    crates-io-token cio b62 32; nuget-key oy2 low 43; clojars-token CLOJARS_ hex 60;
    docker-pat dckr_pat_ url 27; docker-org-token dckr_oat_ url 32; infracost-key ico- b62 32;
    twitch-chat-token oauth: low 30; twilio-api-key SK hex 32; mailgun-key key- hex 32;
    mandrill-key md- b62 22; klaviyo-key pk_ hex 34; stripe-test-key sk_test_ b62 24;
    stripe-webhook-secret whsec_ b62 32; square-oauth-secret sq0csp- url 43;
    instagram-token IGQV url 140; razorpay-key rzp_live_ b62 14; mollie-key live_ b62 30;
    shippo-token shippo_live_ hex 40; easypost-key EZAK b62 54; duffel-token duffel_live_ url 43;
    shopify-access-token shpat_ hex 32; shopify-custom-app-token shpca_ hex 32;
    shopify-private-app-password shppa_ hex 32; shopify-shared-secret shpss_ hex 32;
    openrouter-key sk-or-v1- hex 64; groq-key gsk_ b62 52; replicate-token r8_ b62 37;
    perplexity-key pplx- b62 48; xai-key xai- b62 80; together-key tgp_v1_ url 43;
    fireworks-key fw_ b62 24; anyscale-key esecret_ low 26; elevenlabs-key sk_ hex 48;
    nvidia-key nvapi- url 64; voyage-key pa- url 43; firecrawl-key fc- hex 32; e2b-key e2b_ hex 40;
    cerebras-key csk- low 48; weights-and-biases-key wandb_v1_ url 77;
    new-relic-user-key NRAK- caps 27; new-relic-insert-key NRII- url 32;
    sentry-user-token sntryu_ hex 64; posthog-personal-key phx_ b62 43; linear-key lin_api_ b62 40;
    linear-oauth-token lin_oauth_ hex 64; notion-legacy-token secret_ b62 43;
    figma-token figd_ url 40; contentful-pat CFPAT- url 43; readme-key rdme_ low 70;
    frameio-token fio-u- url 64; adobe-client-secret p8e- url 32;
    planetscale-password pscale_pw_ url 43; supabase-access-token sbp_ hex 40;
    neon-key napi_ low 64; xata-key xau_ b62 36; cloudflare-user-token cfut_ b62 48;
    clickhouse-cloud-key 4b1d b62 38; new-relic-browser-key NRJS- hex 19;
    scaleway-access-key SCW caps 17; intra42-secret s-s4t2ud- hex 64;
    marked-token sk_pr_ hex 40; unknown-token acme_ b62 36
"""


def _plain(row: str):
    name, prefix, alphabet, size = row.split()
    return name, lambda r: prefix + getattr(r, alphabet)(int(size))


# name of the rule -> a token, or (the text that carries it, the bytes that have to go)
GENERATORS = dict(map(_plain, PLAIN.split(";"))) | {
    "gcp-service-account-key": _gcp,
    "private-key-block": lambda r: _pem(
        r, r.choice(["", "RSA", "EC", "OPENSSH", "ENCRYPTED", "PGP"]), whole=r.random() < 0.6,
        newline=r.choice(["\n", "\r\n", "\\n"])),
    "private-key-tail": _tail,
    "putty-private-key": _putty,
    "age-secret-key": lambda r: "AGE-SECRET-" + "KEY-1" + r.of(BECH32, 58).upper(),
    "aws-access-key-id": lambda r: r.choice(["AKIA", "ASIA"]) + r.of(UPPER + "234567", 16),
    "aws-mws-token": lambda r: "amzn.mws." + r.uuid(),
    "aws-bedrock-key": lambda r: "ABSK" + base64.b64encode(
        ("BedrockAPIKey-" + r.low(4) + "-at-" + r.num(12) + ":" + r.b62(44)).encode()).decode(),
    "firebase-messaging-key": lambda r: "AAAA" + r.url(7) + ":APA91b" + r.url(134),
    "azure-client-secret": lambda r: r.b62(3) + r.num(1) + "Q~" + r.of(ALNUM + "_~.", 34),
    "azure-devops-pat": lambda r: r.b62(76) + "AZDO" + r.b62(4),
    "azure-search-key": lambda r: r.b62(42) + "AzSe" + r.choice("ABCD") + r.b62(5),
    "azure-function-key": lambda r: r.url(44) + "AzFu" + r.b62(5) + r.choice("AQgw") + "==",
    "azure-registry-key": lambda r: r.b62(42) + "+ACR" + r.choice("ABCD") + r.b62(5),
    "yandex-iam-token": lambda r: "t1." + r.url(60) + "." + r.url(86),
    "flyio-token": lambda r: r.choice(["fo1_" + r.url(43), "fm2_" + r.b64(90)]),
    "vercel-token": lambda r: r.choice(["vcp_", "vci_", "vca_", "vcr_", "vck_"]) + r.b62(56),
    "cloudflare-origin-ca-key": lambda r: "v1.0-" + r.hex(24) + "-" + r.hex(146),
    "terraform-cloud-token": lambda r: r.b62(14) + ".atlasv1." + r.url(67),
    "doppler-token": lambda r: r.choice(["dp.pt.", "dp.ct.", "dp.st.dev."]) + r.b62(43),
    "onepassword-service-token": lambda r: "ops_" + _b64json(
        signInAddress="my.example", userAuth=r.b62(80), secretKey=r.b62(120)),
    "onepassword-secret-key": lambda r: "-".join(
        ["A3", *(r.caps(n) for n in (6, 6, 5, 5, 5, 5))]),
    "rancher-token": lambda r: "token-" + r.low(5) + ":" + r.low(54),
    "tailscale-key": lambda r: "tskey-" + r.choice(["auth-", "api-"]) + r.b62(12) + "-" + r.b62(32),
    "defined-networking-key": lambda r: "dnkey-" + r.caps(26) + "-" + r.caps(52),
    "harness-token": lambda r: "pat." + r.url(22) + "." + r.hex(24) + "." + r.b62(20),
    "github-fine-grained-pat": lambda r: "github" + "_pat_" + r.b62(22) + "_" + r.b62(59),
    "gitlab-pat": lambda r: "gl" + "pat-" + r.choice([r.url(20), r.url(27) + ".01." + r.low(9)]),
    "gitlab-ci-job-token": lambda r: "glcbt-" + r.hex(2) + "_" + r.url(20),
    "atlassian-api-token": lambda r: "ATATT3" + r.url(180) + "=" + r.hex(8).upper(),
    "atlassian-access-token": lambda r: "ATCTT3" + r.url(170) + "=" + r.hex(8).upper(),
    "circleci-token": lambda r: r.choice(["CCIPAT_", "CCIPRJ_"]) + r.b62(22) + "_" + r.hex(40),
    "sonarqube-token": lambda r: r.choice(["sqp_", "squ_", "sqa_"]) + r.hex(40),
    "sourcegraph-token": lambda r: "sgp_" + r.choice(["", "local_", r.hex(16) + "_"]) + r.hex(40),
    "launchdarkly-key": lambda r: r.choice(["sdk-", "api-"]) + r.uuid(),
    "jfrog-reference-token": lambda r: base64.b64encode(
        ("reftkn:01:" + r.num(10) + ":" + r.b62(28)).encode()).decode().rstrip("="),
    "postman-key": lambda r: "PMAK-" + r.hex(24) + "-" + r.hex(34),
    "prefect-key": lambda r: r.choice(["pnu_", "pnb_"]) + r.b62(36),
    "dbt-token": lambda r: r.choice(["dbtu_", "dbtc_"]) + r.url(43),
    "slack-bot-token": lambda r: "xox" + "b-" + r.num(12) + "-" + r.num(13) + "-" + r.b62(24),
    "slack-user-token": lambda r: "xox" + "p-" + "-".join([r.num(12)] * 3) + "-" + r.hex(32),
    "slack-app-token": lambda r: "xapp-1-A" + r.caps(10) + "-" + r.num(13) + "-" + r.hex(64),
    "slack-legacy-token": lambda r: "xox" + r.choice("aro") + "-2-" + r.num(12) + "-" + r.b62(24),
    "slack-config-token": lambda r: r.choice(["xoxe.xox" + "p-1-", "xoxe-1-"]) + r.b62(146),
    "slack-session-token": lambda r: "xox" + r.choice("cds") + "-" + r.num(12) + "-" + r.hex(64),
    "slack-webhook": _around(
        "https://hooks.slack" + ".com/services/@@",
        lambda r: "T" + r.caps(8) + "/B" + r.caps(10) + "/" + r.b62(24)),
    "discord-bot-token": lambda r: base64.b64encode(
        r.num(18).encode()).decode() + "." + r.url(6) + "." + r.url(38),
    "discord-webhook": _around(
        "https://discord.com/api/webhooks/@@", lambda r: r.num(18) + "/" + r.url(68)),
    "telegram-bot-token": lambda r: r.num(10) + ":AA" + r.url(33),
    "teams-webhook": _around(
        "https://acme.webhook.office.com/webhookb2/@@",
        lambda r: f"{r.uuid()}@{r.uuid()}/IncomingWebhook/{r.hex(32)}/{r.uuid()}"),
    "google-chat-webhook": _around(
        "https://chat.googleapis.com/v1/spaces/AAAAx1/messages?@@",
        lambda r: "key=" + r.url(39) + "&token=" + r.url(43)),
    "sendgrid-key": lambda r: "S" + "G." + r.url(22) + "." + r.url(43),
    "mailchimp-key": lambda r: r.hex(32) + "-us" + str(r.randint(1, 21)),
    "brevo-key": lambda r: "xkeysib-" + r.hex(64) + "-" + r.b62(16),
    "brevo-smtp-key": lambda r: "xsmtpsib-" + r.hex(64) + "-" + r.b62(16),
    "resend-key": lambda r: "re_" + r.b62(8) + "_" + r.b62(24),
    "intercom-token": lambda r: base64.b64encode(
        ("tok:" + r.uuid().replace("-", "_") + ":1:0").encode()).decode(),
    "stripe-live-key": lambda r: "sk" + "_live_" + r.b62(r.choice([24, 99])),
    "stripe-restricted-key": lambda r: "rk" + r.choice(["_live_", "_test_"]) + r.b62(24),
    "square-access-token": lambda r: r.choice(["sq0atp-" + r.url(22), "EAAA" + r.url(60)]),
    "facebook-token": lambda r: "EAA" + r.choice("BCDGJ") + r.b62(180),
    "x-bearer-token": lambda r: "A" * 22 + r.b62(20) + "%2F" + r.b62(10) + "%3D" + r.b62(42),
    "braintree-access-token": lambda r: "access_token$production$" + r.low(16) + "$" + r.hex(32),
    "plaid-access-token": lambda r: "access-" + r.choice(["sandbox-", "production-"]) + r.uuid(),
    "paddle-key": lambda r: "pdl_live_apikey_01" + r.low(24) + "_" + r.b62(22) + "_" + r.b62(3),
    "flutterwave-key": lambda r: "FLWSECK" + r.choice(["_TEST-", "-"]) + r.hex(32) + "-X",
    "bitcoin-extended-private-key": lambda r: "xprv" + r.of(BASE58, 107),
    "nostr-secret-key": lambda r: "nsec1" + r.of(BECH32, 58),
    "anthropic-key": lambda r: "sk-" + "ant-" + r.choice(["api03-", "oat01-"]) + r.url(93) + "AA",
    "langfuse-key": lambda r: "sk-" + "lf-" + r.uuid(),
    "openai-key": lambda r: "sk-" + r.choice(
        ["proj-" + r.url(156), "svcacct-" + r.url(120), r.b62(20) + "T3BlbkFJ" + r.b62(20)]),
    "langsmith-key": lambda r: "lsv2_" + r.choice(["pt_", "sk_"]) + r.hex(32) + "_" + r.hex(10),
    "huggingface-token": lambda r: "h" + "f_" + r.of(LOWER + UPPER, 34),
    "huggingface-org-token": lambda r: "api_org_" + r.of(LOWER + UPPER, 34),
    "pinecone-key": lambda r: "pcsk_" + r.b62(5) + "_" + r.b62(63),
    "tavily-key": lambda r: "tvly-" + r.choice(["", "dev-"]) + r.b62(32),
    "jina-key": lambda r: "jina_" + r.hex(32) + r.url(28),
    "new-relic-license-key": lambda r: r.hex(36) + "NRAL",
    "sentry-org-token": lambda r: "sntrys_" + _b64json(iat=r.num(10), url="https://s.io", org="a")
    + "_" + r.url(43),
    "grafana-cloud-token": lambda r: "glc_" + base64.b64encode(
        json.dumps({"o": r.num(6), "n": "st", "k": r.b62(24), "m": {"r": "e"}}).encode()).decode(),
    "grafana-service-token": lambda r: "glsa_" + r.b62(32) + "_" + r.hex(8),
    "grafana-api-key": lambda r: base64.b64encode(
        json.dumps({"k": r.b62(32), "n": "ci", "id": 1}, separators=(",", ":")).encode()).decode(),
    "dynatrace-token": lambda r: "dt0c01." + r.caps(24) + "." + r.caps(64),
    "axiom-token": lambda r: r.choice(["xaat-", "xapt-"]) + r.uuid(),
    "notion-token": lambda r: "ntn_" + r.num(11) + r.b62(35),
    "airtable-pat": lambda r: "pat" + r.b62(14) + "." + r.hex(64),
    "clickup-token": lambda r: "pk_" + r.num(8) + "_" + r.caps(32),
    "trello-token": lambda r: "ATTA" + r.hex(64) + r.hex(8).upper(),
    "typeform-token": lambda r: "tfp_" + r.url(44) + "_" + r.b62(14),
    "hubspot-token": lambda r: "pat-" + r.choice(["na1-", "eu1-"]) + r.uuid(),
    "salesforce-session": lambda r: "00D" + r.b62(r.choice([12, 15])) + "!" + r.b62(96),
    "zapier-webhook": _around(
        "https://hooks.zapier.com/hooks/catch/@@", lambda r: r.num(7) + "/" + r.low(7)),
    "dropbox-token": lambda r: "sl." + r.choice(["", "u."]) + r.url(136),
    "mapbox-secret-token": lambda r: "sk." + _b64json(u="someone", a=r.low(25)) + "." + r.url(22),
    "maxmind-key": lambda r: r.b62(6) + "_" + r.b62(29) + "_mmk",
    "databricks-token": lambda r: "da" + "pi" + r.hex(32) + r.choice(["", "-2"]),
    "planetscale-token": lambda r: "pscale_" + r.choice(["tkn_", "oauth_"]) + r.url(43),
    "supabase-secret-key": lambda r: "sb_" + "secret_" + r.url(22) + "_" + r.url(8),
    "jwt": _jwt,
    "aws-secret-access-key": _set(
        lambda r: r.of(ALNUM + "+/", 39) + "a", "aws_secret_access_key", "AWS_SECRET_ACCESS_KEY",
        "SecretAccessKey", "secret_key"),
    "aws-session-token": _set(lambda r: r.b64(240), "aws_session_token", "SessionToken"),
    "aws-presigned-signature": _around(
        "https://b.s3.amazonaws.com/k?X-Amz-Expires=60&X-Amz-Signature=@@", lambda r: r.hex(64)),
    "azure-storage-key": _around(
        "DefaultEndpointsProtocol=https;AccountName=acme;AccountKey=@@;EndpointSuffix=core.x",
        lambda r: r.b64(64)),
    "azure-shared-access-key": _around(
        "Endpoint=sb://a.servicebus.windows.net/;SharedAccessKeyName=Root;SharedAccessKey=@@",
        lambda r: r.b64(32)),
    "azure-sas-signature": _around(
        "https://a.blob.core.windows.net/c/f?sv=2022-11-02&se=2030-01-01&sr=b&sp=r&sig=@@",
        lambda r: r.b62(43) + "%3D"),
    "npm-auth-token": _around("//npm.acme.internal/:_authToken=@@", lambda r: r.uuid()),
    "docker-registry-auth": _around('{"auths": {"r.acme.io": {"auth": "@@"}}}', _basic),
    "heroku-api-key": _set(lambda r: r.uuid(), "HEROKU_API_KEY", "heroku auth token"),
    "snyk-token": _set(lambda r: r.uuid(), "SNYK_TOKEN", "snyk_api_token"),
    "codecov-token": _set(lambda r: r.uuid(), "CODECOV_TOKEN"),
    "scaleway-secret-key": _set(lambda r: r.uuid(), "SCW_SECRET_KEY", "scaleway_secret_key"),
    "postmark-token": _set(lambda r: r.uuid(), "POSTMARK_SERVER_TOKEN", "postmark_api_key"),
    "splunk-hec-token": _around("Authorization: Splunk @@", lambda r: r.uuid()),
    "datadog-key": _set(lambda r: r.hex(r.choice([32, 40])), "DD_API_KEY", "datadog_app_key"),
    "twilio-auth-token": _set(lambda r: r.hex(32), "TWILIO_AUTH_TOKEN", "twilio auth token"),
    "fastly-token": _set(lambda r: r.url(32), "FASTLY_API_TOKEN", "fastly_key"),
    "cloudflare-token": _set(lambda r: r.url(40), "CLOUDFLARE_API_TOKEN", "CF_API_TOKEN"),
    "okta-token": _set(lambda r: "00" + r.url(40), "OKTA_API_TOKEN", "okta_token"),
    "algolia-key": _set(lambda r: r.hex(32), "ALGOLIA_ADMIN_KEY", "algolia api key"),
    "wandb-key": _set(lambda r: r.hex(40), "WANDB_API_KEY"),
    "linode-token": _set(lambda r: r.hex(64), "LINODE_TOKEN", "linode_api_token"),
    "rollbar-token": _set(lambda r: r.hex(32), "ROLLBAR_ACCESS_TOKEN"),
    "deepgram-key": _set(lambda r: r.hex(40), "DEEPGRAM_API_KEY"),
    "asana-token": lambda r: f"1/{r.num(16)}:{r.hex(32)}",
    "facebook-app-token": lambda r: f"{r.num(15)}|{r.url(27)}",
    "adyen-key": lambda r: f"AQE{r.b62(60)}-{r.b62(40)}=-{r.b62(16)}",
    "pagerduty-scoped-token": lambda r: f"pdus+_0{r.caps(6)}_{r.uuid()}",
    "ngrok-token": lambda r: f"2{r.b62(26)}_{r.num(1)}{r.b62(20)}",
    "mailgun-private-key": lambda r: f"{r.hex(32)}-{r.hex(8)}-{r.hex(8)}",
    "laravel-token": lambda r: f"{r.num(3)}|{r.b62(40)}",
    "webex-bot-token": lambda r: f"{r.b62(64)}_{r.b62(4)}_{r.uuid()}",
    "jwk-private-key": _around('{"kty": "EC", "d": "@@"}', lambda r: r.url(43)),
    "rails-secret": _set(lambda r: r.hex(128), "Rails secret key base", "RAILS_MASTER_KEY"),
    "azure-devops-legacy-pat": _set(
        lambda r: r.of(LOWER + "234567", 52), "AZURE_DEVOPS_EXT_PAT", "azure devops token"),
    "azure-account-key": _set(lambda r: r.b62(86) + "==", "AZURE_STORAGE_KEY"),
    "token-header": _around("Authorization: token @@", lambda r: r.hex(40)),
    "client-password": _around("mysql -h db -u root -p@@ shop", Draw.word),
    "openssl-password": _around("openssl rsa -passin pass:@@ -in k.pem", Draw.word),
    "piped-password": _around("echo '@@' | docker login -u ci --password-stdin", Draw.word),
    "pgpass-password": _around("db.acme.io:5432:shop:app:@@", lambda r: r.b62(16)),
    "environment-command": _around("ENV API_TOKEN @@", lambda r: r.b62(24)),
    "whole-password": _around("DB_PASSWORD=@@", lambda r: r.b62(5) + "&" + r.b62(8) + "%"),
    "whole-secret": _around(
        "SECRET_KEY=@@", lambda r: r.low(9) + "(" + r.low(20) + "#&" + r.low(9)),
    "secret-in-prose": _around("The Acme API key is @@, ask Ann.", lambda r: r.hex(40)),
    "pass-assignment": _around("SMTP_PASS=@@", Draw.word),
    "azure-openai-key": _set(lambda r: r.hex(32), "AZURE_OPENAI_API_KEY", "Azure OpenAI key"),
    "postgres-url-password": _url("postgres", "postgresql", "postgresql+psycopg"),
    "mysql-url-password": _url("mysql", "mysql+pymysql", "mariadb"),
    "mongodb-url-password": _url("mongodb", "mongodb+srv"),
    "redis-url-password": _url("redis", "rediss"),
    "amqp-url-password": _url("amqp", "amqps"),
    "url-password": _url("https", "ftp", "smtp", "clickhouse"),
    "url-token": _around("https://@@@git.acme.io/team/app.git", lambda r: r.b62(40)),
    "basic-auth-header": _around("Authorization: Basic @@", _basic),
    "bearer-header": _around("Authorization: Bearer @@", lambda r: r.url(40)),
    "session-cookie": _around("Cookie: theme=dark; sessionid=@@; lang=en", lambda r: r.low(32)),
    "curl-user-password": _around("curl -s -u admin:@@ https://acme.internal/x", Draw.word),
    "sshpass-password": _around("sshpass -p @@ ssh root@10.0.0.5", Draw.word),
    "netrc-password": _around("machine git.acme.io login bot password @@", Draw.word),
    "connection-string-password": _around(
        "Server=db;Database=app;User Id=sa;Password=@@;Encrypt=true", Draw.word),
    "command-line-secret": _around("deploy --host a --password @@ --force", Draw.word),
    "password-in-prose": _around("The staging password is @@, ask Ann.", Draw.word),
    "password-beside-its-name": _around("Log in with the password @@ there.", Draw.word),
    "password-nearby": _around(
        "The password had become @@ there.", lambda r: r.word() + "q!" + r.word()),
    "password-changed": _around("We changed the staging password to @@, ask Ann.", Draw.word),
    "password-before-its-name": _around("Use @@ as the password for staging.", Draw.word),
    "credentials-in-prose": _around("The credentials are admin / @@ there.", Draw.word),
    "wrapped-private-key": _wrapped,
    "password-hash": lambda r: f"$6${r.b62(16)}${r.b62(86)}",
    "password-assignment": _set(Draw.word, "password", "DB_PASSWORD", "passwd", "adminPassword"),
    "secret-assignment": _set(lambda r: r.b62(32), "client_secret", "APP_SECRET", "secret"),
    "token-assignment": _set(lambda r: r.low(32), "access_token", "AUTH_TOKEN", "refreshToken"),
    "api-key-assignment": _set(lambda r: r.b62(32), "api_key", "API_KEY_A", "x-api-key", "apiKey"),
}  # fmt: skip
