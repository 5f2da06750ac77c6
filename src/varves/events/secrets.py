"""The rule table of redaction: secrets with a recognisable form, as plain text.

Secrets that are identified by a name or by their position are in named_secrets.py. Secrets in
sentences are in spoken.py. Each row is (name, anchors, pattern); several rows may share a name. The
rows follow the token formats that the providers publish. Order matters only because the first rule
that matches a piece of text gives it its name.

Anchors are lower-case literals, separated by spaces. Every text that the pattern can match contains
at least one of them. They are looked up by the first four letters or digits of the words of a text
(a word being a run of letters and digits), so a row costs nothing unless one of its anchors occurs:

    ghp_      a word of exactly `ghp`, then the literal anywhere in the text
    akia      a word that begins with `akia`
    a&b       both literals
    ^eyj      a word of 15 characters or more that begins with these three
    #32       a word of exactly so many characters (15 or more); #30+: or longer
    +azdo     anywhere, in a text that has a word of 15 characters or more
    =token    a name of that family (HOLDERS) is given a value; =said: a password is, in prose
    *://      anywhere; every text is searched for it, so keep these few

If a pattern has a group, the group is the secret; otherwise the whole match is. Every match must
end where no letter or digit follows, or one redaction could expose the start of another. A TOKENS
pattern may begin only where no letter or digit comes before.
"""

from __future__ import annotations

B = "[A-Za-z0-9]"
U = "[A-Za-z0-9_-]"
H = "[0-9a-f]"
END = "(?![A-Za-z0-9])"
UUID = "[0-9A-Fa-f]{8}-(?:[0-9A-Fa-f]{4}-){3}[0-9A-Fa-f]{12}" + END
B64 = "[A-Za-z0-9+/]"
GAP = r"(?:\s|\\[nrt])"
WRAP = r"(?:[\r\n]|\\[nr])++[ \t]*+"
W64 = "[A-Za-z0-9+/_-]"
CRYPT = "[A-Za-z0-9./]"
KEY_NAME = "(?:[A-Z0-9]+ ){0,4}PRIVATE KEY(?: BLOCK)?-----"

LINE = rf"{GAP}*+(?:{B64}{{20,}}={{0,2}}|(?:Proc-Type|DEK-Info|Version|Comment):[^\n\\]*)"
LAST = rf"(?:[\r\n]|\\[nr])++[ \t]*+{B64}{{1,19}}={{0,2}}(?=\s*(?:\Z|[\"'`\\]))"

BLOCKS: tuple[tuple[str, str, str], ...] = (
    ("gcp-service-account-key", "private_key",
     rf'"private_key\\*"\s*:\s*\\*"(-----BEGIN {KEY_NAME}[^"]*[^"\\])'),
    ("private-key-block", "-----begin",
     (rf"-----BEGIN {KEY_NAME}(?:[^-]*+(?:-(?!----)[^-]*+)*+-----END {KEY_NAME}"
      rf"|(?:{LINE})+(?:{LAST})?|{LAST})")),
    ("private-key-tail", "key----- block-----",
     (rf"(?<![A-Za-z0-9+/=])(?:{B64}{{16,}}+={{0,2}}+{GAP}++){{1,60}}+"
      rf"(?:{B64}{{1,15}}+={{0,2}}+{GAP}*+)?+(?:=[A-Za-z0-9+/]{{4}}\s)?-----END {KEY_NAME}")),
    ("putty-private-key", "private-lines:",
     (rf"Private-Lines: \d+{GAP}++({B64}{{16,}}+={{0,2}}+(?:{GAP}++{B64}{{16,}}+={{0,2}}+)*+"
      rf"(?:{GAP}++{B64}{{2,15}}+={{0,2}}+(?=\s*(?:Private-|\Z)))?+)")),
    ("wrapped-private-key", "+ufjjvkfursblrv +bssvzbveugs0vz +quklwqvrfietfw",
     (rf"(?<![A-Za-z0-9+/_-]){W64}*?(?:UFJJVkFURSBLRV|BSSVZBVEUgS0VZ|QUklWQVRFIEtFW)"
      rf"(?:{W64}{{64,}}+={{0,2}}|{W64}*+{WRAP}{W64}{{40,}}+={{0,2}})"
      rf"(?:{WRAP}{W64}{{40,}}+={{0,2}})*+(?:{WRAP}{W64}{{4,39}}+"
      rf"(?:={{1,2}}|(?=\s*(?:\Z|[\"'`\\]))))?{END}")),
    ("age-secret-key", "age-secret-key-", r"AGE-SECRET-KEY-(?:PQ-)?1[0-9A-Z]{40,}"),
)  # fmt: skip

TOKENS: tuple[tuple[str, str, str], ...] = (
    ("aws-access-key-id", "akia asia abia acca", rf"A(?:KI|SI|BI|CC)A[A-Z0-9]{{16}}{END}"),
    ("aws-mws-token", "amzn.mws.", rf"amzn\.mws\.{UUID}"),
    ("aws-bedrock-key", "absk bedrock-api-key-", rf"(?:ABSK|bedrock-api-key-){B64}{{60,}}={{0,2}}"),
    ("google-api-key", "aiza", rf"AIza{U}{{35,}}"),
    ("google-oauth-token", "ya29.", rf"ya29\.{U}{{20,}}(?:\.{U}+)*"),
    ("google-oauth-client-secret", "gocspx-", rf"GOCSPX-{U}{{20,}}"),
    ("google-refresh-token", "1//0", rf"1//0{U}{{30,}}"),
    ("firebase-messaging-key", "apa91b", rf"AAAA{U}{{7}}:APA91b{U}{{100,}}"),
    ("azure-client-secret", "*q~", rf"[A-Za-z0-9_~.]{{3}}[0-9]Q~[A-Za-z0-9_~.-]{{31,34}}{END}"),
    ("azure-devops-pat", "+azdo", rf"{B}{{76}}AZDO{B}{{4}}{END}"),
    ("azure-search-key", "+azse", rf"{B}{{42}}AzSe[A-D]{B}{{5}}{END}"),
    ("azure-function-key", "+azfu", rf"{U}{{44}}AzFu{U}{{6}}(?:==)?{END}"),
    ("azure-registry-key", "++acr", rf"{B64}{{42}}(?:\+|%2B)ACR{B}{{6}}{END}"),
    ("digitalocean-pat", "dop_v1_", rf"dop_v1_{H}{{64}}{END}"),
    ("digitalocean-oauth-token", "doo_v1_", rf"doo_v1_{H}{{64}}{END}"),
    ("digitalocean-refresh-token", "dor_v1_", rf"dor_v1_{H}{{64}}{END}"),
    ("alibaba-access-key-id", "ltai", rf"LTAI{B}{{12,}}"),
    ("tencent-secret-id", "akid", rf"AKID{B}{{32}}{END}"),
    ("yandex-api-key", "aqvn", rf"AQVN{U}{{35,}}"),
    ("yandex-iam-token", "t1.", rf"t1\.{U}{{20,}}={{0,2}}\.{U}{{80,}}={{0,2}}"),
    ("flyio-token", "fo1_ fm1r_ fm2_", r"f(?:o1|m1r|m2)_[A-Za-z0-9+/_=-]{40,}"),
    ("render-key", "rnd_", rf"rnd_{B}{{28,}}"),
    ("netlify-token", "nfp_", rf"nfp_{B}{{36,}}"),
    ("vercel-token", "vcp_ vci_ vca_ vcr_ vck_", rf"vc[piark]_{B}{{24,}}"),
    ("heroku-key", "hrku-", rf"HRKU-{U}{{30,}}"),
    ("cloudflare-user-token", "cfut_ cfat_ cfk_", rf"cf(?:ut|at|k)_{B}{{40,}}"),
    ("cloudflare-origin-ca-key", "v1.0-", rf"v1\.0-{H}{{24}}-{H}{{140,}}{END}"),
    ("terraform-cloud-token", "atlasv1.", rf"{B}{{14}}\.atlasv1\.{U}{{60,}}"),
    ("pulumi-token", "pul-", rf"pul-{H}{{40}}{END}"),
    ("vault-service-token", "hvs.", rf"hvs\.{U}{{24,}}"),
    ("vault-batch-token", "hvb.", rf"hvb\.{U}{{24,}}"),
    ("vault-recovery-token", "hvr.", rf"hvr\.{U}{{24,}}"),
    ("doppler-token", "dp.",
     rf"dp\.(?:pt|st|ct|sa|scim|audit)\.(?:[a-z0-9_-]{{2,35}}\.)?{B}{{40,}}"),
    ("onepassword-service-token", "ops_eyj", r"ops_eyJ[A-Za-z0-9+/_-]{200,}={0,2}"),
    ("onepassword-secret-key", "a3-",
     rf"A3-[A-Z0-9]{{6}}-[A-Z0-9]{{6}}(?:-[A-Z0-9]{{5}}){{4}}{END}"),
    ("scalingo-token", "tk-us-", rf"tk-us-{U}{{48,}}"),
    ("openshift-token", "sha256~", rf"sha256~{U}{{43,}}"),
    ("rancher-token", "token-", rf"token-[a-z0-9]{{5}}:[a-z0-9]{{54}}{END}"),
    ("octopus-deploy-key", "api-", rf"API-[A-Z0-9]{{26,}}{END}"),
    ("tailscale-key", "tskey-", rf"tskey-(?:[a-z]+-)?{B}{{8,}}-{B}{{16,}}"),
    ("ngrok-token", "#27", rf"[1-3]{B}{{26}}_{B}{{20,22}}{END}"),
    ("scaleway-access-key", "^scw", rf"SCW[A-Z0-9]{{17}}{END}"),
    ("defined-networking-key", "dnkey-", r"dnkey-[A-Za-z0-9=_]{26}-[A-Za-z0-9=_-]{52,}"),
    ("deno-deploy-token", "ddp_", rf"ddp_{B}{{36,}}"),
    ("harness-token", "pat. sat.", rf"[ps]at\.{U}{{22}}\.{H}{{24}}\.{B}{{20,}}"),
    ("github-fine-grained-pat", "github_pat_", r"github_pat_[A-Za-z0-9_]{60,}"),
    ("github-pat", "ghp_", rf"ghp_{B}{{36,}}"),
    ("github-oauth-token", "gho_", rf"gho_{B}{{36,}}"),
    ("github-user-token", "ghu_", rf"ghu_{B}{{36,}}"),
    ("github-app-token", "ghs_", rf"ghs_{B}{{36,}}"),
    ("github-refresh-token", "ghr_", rf"ghr_{B}{{36,}}"),
    ("gitlab-pat", "glpat-", rf"glpat-{U}{{20,}}(?:\.{U}+)*"),
    ("gitlab-deploy-token", "gldt-", rf"gldt-{U}{{20,}}"),
    ("gitlab-runner-token", "glrt-", rf"glrt-{U}{{20,}}(?:\.{U}+)*"),
    ("gitlab-runner-registration", "gr1348941", rf"GR1348941{U}{{20,}}"),
    ("gitlab-ci-job-token", "glcbt-", rf"glcbt-{U}{{20,}}"),
    ("gitlab-trigger-token", "glptt-", rf"glptt-{U}{{20,}}"),
    ("gitlab-feed-token", "glft-", rf"glft-{U}{{20,}}"),
    ("gitlab-mail-token", "glimt-", rf"glimt-{U}{{20,}}"),
    ("gitlab-agent-token", "glagent-", rf"glagent-{U}{{20,}}"),
    ("gitlab-oauth-secret", "gloas-", rf"gloas-{U}{{20,}}"),
    ("gitlab-scim-token", "glsoat-", rf"glsoat-{U}{{20,}}"),
    ("gitlab-feature-flag-token", "glffct-", rf"glffct-{U}{{20,}}"),
    ("bitbucket-app-password", "atbb", rf"ATBB{B}{{32,}}"),
    ("atlassian-api-token", "atatt3", rf"ATATT3{U}{{60,}}(?:=[0-9A-F]{{8}})?{END}"),
    ("atlassian-access-token", "atctt3", rf"ATCTT3{U}{{60,}}(?:=[0-9A-F]{{8}})?{END}"),
    ("circleci-token", "ccipat_ cciprj_", rf"CCIP(?:AT|RJ)_{B}{{22}}_{H}{{40}}{END}"),
    ("buildkite-token", "bkua_", rf"bkua_{H}{{40}}{END}"),
    ("sonarqube-token", "sqp_ squ_ sqa_", rf"sq[pua]_{H}{{40}}{END}"),
    ("sourcegraph-token", "sgp_", rf"sgp_(?:(?:{H}{{16}}|local)_)?{H}{{40}}{END}"),
    ("launchdarkly-key", "sdk- api-", rf"(?:sdk|api)-{UUID}"),
    ("jfrog-api-key", "akcp", rf"AKCp{B}{{60,}}"),
    ("jfrog-reference-token", "cmvmdgtu", rf"cmVmdGtu{B}{{50,}}"),
    ("npm-token", "npm_", rf"npm_{B}{{36,}}"),
    ("pypi-token", "pypi-age", rf"pypi-AgE{U}{{50,}}"),
    ("rubygems-key", "rubygems_", rf"rubygems_{H}{{48}}{END}"),
    ("crates-io-token", "^cio", rf"cio{B}{{32}}{END}"),
    ("nuget-key", "^oy2", rf"oy2[a-z0-9]{{43}}{END}"),
    ("clojars-token", "clojars_", rf"CLOJARS_{H}{{60}}{END}"),
    ("docker-pat", "dckr_pat_", rf"dckr_pat_{U}{{27,}}"),
    ("docker-org-token", "dckr_oat_", rf"dckr_oat_{U}{{27,}}"),
    ("postman-key", "pmak-", rf"PMAK-{H}{{24}}-{H}{{34}}{END}"),
    ("infracost-key", "ico-", rf"ico-{B}{{32}}{END}"),
    ("prefect-key", "pnu_ pnb_", rf"pn[ub]_{B}{{36,}}"),
    ("dbt-token", "dbtu_ dbtc_", rf"dbt[uc]_{U}{{30,}}"),
    ("slack-config-token", "xoxe- xoxe.", r"xoxe(?:\.xox[bp])?-[0-9A-Za-z-]{20,}"),
    ("slack-bot-token", "xoxb-", r"xoxb-[0-9A-Za-z-]{20,}"),
    ("slack-user-token", "xoxp-", r"xoxp-[0-9A-Za-z-]{20,}"),
    ("slack-app-token", "xapp-", r"xapp-[0-9A-Za-z-]{20,}"),
    ("slack-legacy-token", "xoxa- xoxr- xoxo-", r"xox[aro]-[0-9A-Za-z-]{20,}"),
    ("slack-session-token", "xoxc- xoxd- xoxs-", r"xox[cds]-[0-9A-Za-z%/+=-]{20,}"),
    ("slack-webhook", "hooks.slack.com",
     r"hooks\.slack\.com/(?:services|workflows|triggers)/([A-Z0-9]{5,}/[A-Za-z0-9/]{20,})"),
    ("discord-bot-token",
     " ".join(f"^{a}{b}{c}" for a in "mno" for b in "dtjz" for c in "aeimquycgk"),
     rf"[MNO][DTjz]{B}{{22,26}}\.{U}{{6}}\.{U}{{27,}}"),
    ("discord-webhook", "api/webhooks/",
     rf"discord(?:app)?\.com/api/(?:v\d+/)?webhooks/(\d{{15,}}/{U}{{60,}})"),
    ("telegram-bot-token", "*:aa +%3aaa", rf"(?:bot)?[0-9]{{8,10}}(?::|%3A)AA{U}{{33,}}"),
    ("teams-webhook", "webhookb2/",
     (rf"webhook\.office\.com/webhookb2/([A-Za-z0-9@-]{{36,}}/Incoming"
      rf"Webhook/{B}{{32,}}[A-Za-z0-9/_-]*)")),
    ("google-chat-webhook", "chat.googleapis.com",
     rf"chat\.googleapis\.com/v1/spaces/{U}+/messages\?(key=[A-Za-z0-9_&=%.-]{{20,}})"),
    ("twitch-chat-token", "oauth:", rf"oauth:[a-z0-9]{{30}}{END}"),
    ("twilio-api-key", " ".join(f"^sk{c}" for c in "0123456789abcdef"), rf"SK{H}{{32}}{END}"),
    ("sendgrid-key", "sg.", rf"SG\.{U}{{16,}}\.{U}{{32,}}"),
    ("mailgun-key", "key-", rf"(?<![_-])key-{H}{{32}}{END}"),
    ("mailgun-private-key", "#32", rf"{H}{{32}}-{H}{{8}}-{H}{{8}}{END}"),
    ("mailchimp-key", " ".join(f"us{n}" for n in range(1, 30)), rf"{H}{{32}}-us[0-9]{{1,2}}{END}"),
    ("mandrill-key", "md-", rf"md-{U}{{22}}(?![A-Za-z0-9_-])"),
    ("brevo-key", "xkeysib-", rf"xkeysib-{H}{{64}}-{B}{{16,}}"),
    ("brevo-smtp-key", "xsmtpsib-", rf"xsmtpsib-{H}{{64}}-{B}{{16,}}"),
    ("resend-key", "re_", rf"re_{B}{{8}}_{B}{{20,}}"),
    ("klaviyo-key", "pk_", rf"pk_{H}{{34}}{END}"),
    ("intercom-token", "dg9r", rf"dG9rO{B64}{{40,}}={{0,2}}"),
    ("stripe-live-key", "sk_live_", rf"sk_live_{B}{{16,}}"),
    ("stripe-test-key", "sk_test_", rf"sk_test_{B}{{16,}}"),
    ("stripe-restricted-key", "rk_live_ rk_test_", rf"rk_(?:live|test)_{B}{{16,}}"),
    ("stripe-webhook-secret", "whsec_", r"whsec_[A-Za-z0-9+/]{24,}={0,2}"),
    ("square-access-token", "sq0atp- eaaa",
     rf"(?:sq0atp-{U}{{22,}}|EAAA{U}{{60}}(?![A-Za-z0-9_-]))"),
    ("square-oauth-secret", "sq0csp-", rf"sq0csp-{U}{{40,}}"),
    ("facebook-token", "^eaa", rf"EAA{B}{{80,}}"),
    ("facebook-app-token", "+| +%7c", rf"[0-9]{{13,17}}(?:\||%7C){U}{{27,}}"),
    ("instagram-token", "igqv igaa", rf"IG(?:QV|AA){U}{{80,}}"),
    ("x-bearer-token", "aaaaaaaaaaaaaaaaaaaa", r"A{20,22}[A-Za-z0-9]{10,}%[A-Za-z0-9%]{30,}"),
    ("braintree-access-token", "access_token$ access_token%24",
     (rf"access_token(?:\$|%24)(?:production|sandbox)(?:\$|%24)[0-9a-z]{{16}}"
      rf"(?:\$|%24){H}{{32}}{END}")),
    ("plaid-access-token", "access-sandbox- access-development- access-production-",
     rf"access-(?:sandbox|development|production)-{UUID}"),
    ("razorpay-key", "rzp_live_ rzp_test_", rf"rzp_(?:live|test)_{B}{{14,}}"),
    ("paddle-key", "pdl_live_ pdl_sdbx_",
     rf"pdl_(?:live|sdbx)_apikey_[a-z0-9]{{26}}_{B}{{22}}_{B}{{3}}{END}"),
    ("adyen-key", "+=- +%3d-",
     rf"AQE[A-Za-z0-9+/%]{{40,}}={{0,2}}-[A-Za-z0-9+/%]{{30,}}={{0,2}}-{B}{{8,}}"),
    ("flutterwave-key", "flwseck_test- flwseck-", rf"FLWSECK(?:_TEST)?-[0-9a-z]{{32}}-X{END}"),
    ("mollie-key", "live_", rf"(?<!_)live_{B}{{30,}}"),
    ("shippo-token", "shippo_live_ shippo_test_", rf"shippo_(?:live|test)_{H}{{40}}{END}"),
    ("easypost-key", "ezak eztk", rf"EZ[AT]K{B}{{54,}}"),
    ("duffel-token", "duffel_live_ duffel_test_", rf"duffel_(?:live|test)_{U}{{43,}}"),
    ("shopify-access-token", "shpat_", rf"shpat_{H}{{32}}{END}"),
    ("shopify-custom-app-token", "shpca_", rf"shpca_{H}{{32}}{END}"),
    ("shopify-private-app-password", "shppa_", rf"shppa_{H}{{32}}{END}"),
    ("shopify-shared-secret", "shpss_", rf"shpss_{H}{{32}}{END}"),
    ("bitcoin-extended-private-key", "xprv", r"xprv[1-9A-HJ-NP-Za-km-z]{100,}"),
    ("nostr-secret-key", "nsec1", rf"nsec1[02-9ac-hj-np-z]{{58}}{END}"),
    ("anthropic-key", "sk-ant-", rf"sk-ant-[a-z]{{2,8}}[0-9]{{2}}-{U}{{40,}}"),
    ("openrouter-key", "sk-or-v1-", rf"sk-or-v1-{H}{{64}}{END}"),
    ("langfuse-key", "sk-lf-", rf"sk-lf-{UUID}"),
    ("openai-key", "sk-",
     rf"sk-(?:(?:proj|svcacct|admin|service|None)-{U}{{32,}}|{B}{{32,}}(?![A-Za-z0-9]))"),
    ("langsmith-key", "lsv2_", rf"lsv2_(?:pt|sk)_{H}{{32}}_{H}{{10}}{END}"),
    ("groq-key", "gsk_", rf"gsk_{B}{{40,}}"),
    ("huggingface-token", "hf_", rf"hf_{B}{{34,}}"),
    ("huggingface-org-token", "api_org_", rf"api_org_{B}{{34,}}"),
    ("replicate-token", "r8_", rf"r8_{B}{{37,}}"),
    ("perplexity-key", "pplx-", rf"pplx-{B}{{40,}}"),
    ("xai-key", "xai-", rf"xai-{B}{{60,}}"),
    ("together-key", "tgp_v1_", rf"tgp_v1_{U}{{40,}}"),
    ("fireworks-key", "fw_", rf"fw_{B}{{22,}}"),
    ("anyscale-key", "esecret_", rf"esecret_{B}{{24,}}"),
    ("elevenlabs-key", "sk_", rf"sk_{H}{{48}}{END}"),
    ("nvidia-key", "nvapi-", rf"nvapi-{U}{{60,}}"),
    ("voyage-key", "pa-", rf"pa-{U}{{43}}(?![A-Za-z0-9_-])"),
    ("pinecone-key", "pcsk_", rf"pcsk_{B}{{4,8}}_{B}{{50,}}"),
    ("tavily-key", "tvly-", rf"tvly-(?:dev-|prod-)?{B}{{28,}}"),
    ("firecrawl-key", "fc-", rf"fc-{H}{{32}}{END}"),
    ("jina-key", "jina_", rf"jina_{H}{{32}}{U}{{28,}}"),
    ("e2b-key", "e2b_", rf"e2b_{H}{{40}}{END}"),
    ("cerebras-key", "csk-", rf"csk-[a-z0-9]{{48}}{END}"),
    ("weights-and-biases-key", "wandb_v1_", rf"wandb_v1_{U}{{40,}}"),
    ("new-relic-user-key", "nrak-", rf"NRAK-[A-Z0-9]{{27}}{END}"),
    ("new-relic-insert-key", "nrii-", rf"NRII-{U}{{32,}}"),
    ("new-relic-browser-key", "nrjs-", rf"NRJS-{H}{{19}}{END}"),
    ("new-relic-license-key", "+nral", rf"{H}{{36}}NRAL{END}"),
    ("sentry-org-token", "sntrys_", r"sntrys_[A-Za-z0-9+/=_-]{60,}"),
    ("sentry-user-token", "sntryu_", rf"sntryu_{H}{{64}}{END}"),
    ("grafana-cloud-token", "glc_", r"glc_[A-Za-z0-9+/]{32,}={0,2}"),
    ("grafana-service-token", "glsa_", rf"glsa_{B}{{32}}_[0-9A-Fa-f]{{8}}{END}"),
    ("grafana-api-key", "eyjrijoi", rf"eyJrIjoi{B64}{{50,}}={{0,2}}(?![.A-Za-z0-9])"),
    ("dynatrace-token", "dt0c01. dt0s01. dt0s02. dt0s16.",
     rf"dt0[cs][0-9]{{2}}\.[A-Z0-9]{{8,24}}\.[A-Z0-9]{{64}}{END}"),
    ("posthog-personal-key", "phx_", rf"phx_{B}{{32,}}"),
    ("pagerduty-scoped-token", "pdus+ pdeu+ pdus% pdeu%",
     rf"pd(?:us|eu)(?:\+|%2B)_{B}{{4,}}_{UUID}"),
    ("axiom-token", "xaat- xapt-", rf"xa(?:at|pt)-{UUID}"),
    ("linear-key", "lin_api_", rf"lin_api_{B}{{32,}}"),
    ("linear-oauth-token", "lin_oauth_", rf"lin_oauth_{B}{{32,}}"),
    ("notion-token", "ntn_", rf"ntn_{B}{{40,}}"),
    ("notion-legacy-token", "secret_", rf"secret_{B}{{43}}{END}"),
    ("figma-token", "figd_", rf"figd_{U}{{38,}}"),
    ("airtable-pat", "^pat", rf"pat{B}{{14}}\.{H}{{64}}{END}"),
    ("clickup-token", "pk_", rf"pk_[0-9]{{5,}}_[A-Z0-9]{{32}}{END}"),
    ("trello-token", "atta", rf"ATTA{H}{{64}}[0-9A-Fa-f]{{8}}{END}"),
    ("asana-token", "1/ 2/",
     rf"[12](?:/|%2F)[0-9]{{13,}}(?:(?:/|%2F)[0-9]{{13,}})?(?::|%3A){H}{{32}}{END}"),
    ("typeform-token", "tfp_", rf"tfp_{U}{{40,}}(?:\.{U}+)*"),
    ("hubspot-token", "pat-", rf"pat-(?:na|eu|ap)[0-9]-{UUID}"),
    ("salesforce-session", "^00d", r"00D[A-Za-z0-9]{12,15}![A-Za-z0-9_.]{60,}"),
    ("zapier-webhook", "hooks.zapier.com", r"hooks\.zapier\.com/hooks/catch/([0-9]+/[A-Za-z0-9]+)"),
    ("dropbox-token", "sl.", rf"sl\.(?:u\.)?{U}{{100,}}"),
    ("contentful-pat", "cfpat-", rf"CFPAT-{U}{{43,}}"),
    ("readme-key", "rdme_", rf"rdme_[a-z0-9]{{60,}}{END}"),
    ("intra42-secret", "s-s4t2ud- s-s4t2af-", rf"s-s4t2(?:ud|af)-{H}{{64}}{END}"),
    ("frameio-token", "fio-u-", r"fio-u-[A-Za-z0-9_=-]{60,}"),
    ("adobe-client-secret", "p8e-", rf"p8e-{U}{{30,}}"),
    ("mapbox-secret-token", "sk.eyj tk.eyj", rf"[st]k\.eyJ{U}{{20,}}\.{U}{{20,}}"),
    ("maxmind-key", "mmk", rf"{B}{{6}}_{B}{{29}}_mmk{END}"),
    ("databricks-token", "dapi", rf"dapi{H}{{32}}(?:-[0-9]+)?{END}"),
    ("planetscale-token", "pscale_tkn_ pscale_oauth_",
     rf"pscale_(?:tkn|oauth)_{U}{{32,}}(?:\.{U}+)*"),
    ("planetscale-password", "pscale_pw_", rf"pscale_pw_{U}{{32,}}(?:\.{U}+)*"),
    ("supabase-access-token", "sbp_", rf"sbp_(?:v0_)?{H}{{40}}{END}"),
    ("supabase-secret-key", "sb_secret_", rf"sb_secret_{U}{{20,}}"),
    ("neon-key", "napi_", rf"napi_[a-z0-9]{{60,}}{END}"),
    ("xata-key", "xau_", rf"xau_{B}{{30,}}"),
    ("laravel-token", "+| +%7c", rf"[0-9]{{1,8}}(?:\||%7C){B}{{40,48}}{END}"),
    ("webex-bot-token", "#64", rf"{B}{{64}}_[A-Za-z0-9]{{4}}_{UUID}"),
    ("clickhouse-cloud-key", "4b1d", rf"4b1d{B}{{38}}{END}"),
    ("marked-token", "sk_ rk_ pk_ pat_ tkn. tkn_",
     rf"(?:[srp]k|pat|tkn)[_.](?:{B}{{1,12}}[_.-]){{0,3}}{B}{{32,}}={{0,2}}{END}"),
    ("password-hash",
     ("$1$ $5$ $6$ $7$ $y$ $gy$ $apr1$ $2a$ $2b$ $2x$ $2y$ $argon2 $scrypt$ $pbkdf2 $p$ $h$ "
      "pbkdf2_sha scram-sha-256$ scrypt: {ssha {sha"),
     (rf"(?:\${{1,2}}(?:(?:[156]|apr1)\${{1,2}}(?:rounds=[0-9]{{1,9}}\${{1,2}})?[^\s$:]{{1,16}}\${{1,2}}"
      rf"{CRYPT}{{22,86}}|2[abxy]\${{1,2}}[0-9]{{2}}\${{1,2}}{CRYPT}{{53}}"
      rf"|g?y\${{1,2}}{CRYPT}{{1,16}}\${{1,2}}{CRYPT}{{1,86}}\${{1,2}}{CRYPT}{{43}}"
      rf"|7\${{1,2}}{CRYPT}{{11,97}}\${{1,2}}{CRYPT}{{43}}|[PH]\${CRYPT}{{31}}"
      rf"|(?:argon2(?:id|i|d)|scrypt|pbkdf2(?:-sha[0-9]{{1,3}})?)(?:\${{1,2}}[a-z0-9=,]{{1,40}}){{1,2}}"
      rf"\${{1,2}}[A-Za-z0-9+/.]{{8,}}\${{1,2}}[A-Za-z0-9+/.]{{20,}}={{0,2}})"
      rf"|pbkdf2_sha[0-9]{{1,3}}\$[0-9]{{1,9}}\${B}{{1,64}}\${B64}{{20,}}={{0,2}}"
      rf"|scrypt:[0-9:]{{3,20}}\${B}{{1,64}}\${H}{{64,}}"
      rf"|SCRAM-SHA-256\$[0-9]{{1,9}}:{B64}{{8,}}={{0,2}}\${B64}{{40,}}={{0,2}}:{B64}{{40,}}={{0,2}}"
      rf"|\{{S?SHA(?:256|384|512)?\}}{B64}{{27,}}={{0,2}}){END}")),
    ("jwt", "^eyj", rf"eyJ{U}{{8,}}\.{U}{{4,}}(?:\.{U}*){{1,3}}{END}"),
)  # fmt: skip
