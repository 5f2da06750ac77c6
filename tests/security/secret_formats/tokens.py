"""Tokens that carry their maker's mark, as their makers publish them.

Each line is a name and a template; `{alphabet:length}` or `{alphabet:from-to}` is drawn at random
(see drawing.py). Taken from the vendors' pages on their token formats and, where a vendor is
silent, from what the public rule lists of gitleaks and trufflehog agree on. Never taken from the
rules under test: a format that nobody here thought of must be able to fail.
"""

from __future__ import annotations

TOKENS = """
github-pat                    ghp_{crc:36}
github-oauth                  gho_{crc:36}
github-user-to-server         ghu_{crc:36}
github-server-to-server       ghs_{crc:36}
github-refresh                ghr_{crc:76}
github-fine-grained           github_pat_{b62:22}_{b62:59}

gitlab-pat                    glpat-{url:20}
gitlab-pat-routable           glpat-{url:27-60}.{an:2}{an:7}
gitlab-deploy                 gldt-{url:20}
gitlab-runner                 glrt-{url:20}
gitlab-runner-routable        glrt-t{d:1}_{url:27-60}.{an:2}{an:7}
gitlab-runner-registration    GR1348941{url:20}
gitlab-ci-job                 glcbt-{hex:2}_{url:20}
gitlab-trigger                glptt-{hex:40}
gitlab-feed                   glft-{url:20}
gitlab-incoming-mail          glimt-{an:25}
gitlab-agent                  glagent-{url:50}
gitlab-scim                   glsoat-{url:20}
gitlab-feature-flags          glffct-{url:20}
gitlab-oauth-secret           gloas-{hex:64}

aws-access-key-id             AKIA{b32:16}
aws-temporary-key-id          ASIA{b32:16}
aws-bedrock-long              ABSK{b64:128}=
alibaba-access-key-id         LTAI{b62:20}
tencent-secret-id             AKID{b62:32}
google-api-key                AIza{url:35}
google-oauth-client-secret    GOCSPX-{url:28}
google-oauth-access           ya29.{url:120-200}
google-oauth-refresh          1//0{d:1}{url:60-90}
azure-ad-client-secret        {b62:3}{d:1}Q~{azure:34}
azure-devops-pat              {b62:76}AZDO{b62:4}
azure-container-registry      {b62:42}+ACR{b62:6}
digitalocean-pat              dop_v1_{hex:64}
digitalocean-oauth            doo_v1_{hex:64}
digitalocean-refresh          dor_v1_{hex:64}
cloudflare-user-token         cfut_{b62:40}{hex:8}
cloudflare-origin-ca          v1.0-{hex:24}-{hex:146}
heroku-key                    HRKU-AA{url:58}
fly-macaroon                  fm2_{b64:150-300}
fly-access                    fo1_{url:43}
scaleway-access-key           SCW{AN:17}
yandex-api-key                AQVN{url:36}
netlify-pat                   nfp_{b62:36}
render-key                    rnd_{b62:28-32}
supabase-pat                  sbp_{hex:40}
supabase-secret               sb_secret_{url:22}_{url:8}
planetscale-token             pscale_tkn_{url:43}
planetscale-password          pscale_pw_{url:43}
planetscale-oauth             pscale_oauth_{url:43}
neon-api-key                  napi_{an:64}
tailscale-auth                tskey-auth-{b62:11}CNTRL-{b62:32}
tailscale-api                 tskey-api-{b62:11}CNTRL-{b62:32}
ngrok-key                     2{b62:26}_{d:1}{b62:20}
databricks-pat                dapi{hex:32}
databricks-pat-numbered       dapi{hex:32}-{d:1}
clickhouse-cloud              4b1d{b62:38}
vault-service                 hvs.{url:90-110}
vault-batch                   hvb.{url:140-220}
terraform-cloud               {b62:14}.atlasv1.{url:67}
pulumi                        pul-{hex:40}
doppler-personal              dp.pt.{b62:43}
doppler-service               dp.st.{a:3}.{b62:43}
doppler-cli                   dp.ct.{b62:43}
infracost                     ico-{b62:32}
onepassword-secret-key        A3-{AN:6}-{AN:6}-{AN:5}-{AN:5}-{AN:5}-{AN:5}
onepassword-service-account   ops_eyJ{b64:300-500}
age-key                       AGE-SECRET-KEY-1{bech:58}
openshift-token               sha256~{url:43}

openai-legacy                 sk-{b62:20}T3BlbkFJ{b62:20}
openai-project                sk-proj-{url:74}T3BlbkFJ{url:74}
openai-service-account        sk-svcacct-{url:58}T3BlbkFJ{url:58}
openai-admin                  sk-admin-{url:58}T3BlbkFJ{url:58}
anthropic-api                 sk-ant-api03-{url:93}AA
anthropic-admin               sk-ant-admin01-{url:93}AA
anthropic-oauth               sk-ant-oat01-{url:86}-{b62:6}AA
huggingface-user              hf_{l:34}
huggingface-org               api_org_{l:34}
groq                          gsk_{b62:20}WGdyb3FY{b62:24}
openrouter                    sk-or-v1-{hex:64}
xai                           xai-{b62:80}
deepseek                      sk-{hex:32}
perplexity                    pplx-{b62:48}
replicate                     r8_{b62:37}
nvidia                        nvapi-{url:64}
elevenlabs                    sk_{hex:48}
langsmith-personal            lsv2_pt_{hex:32}_{hex:10}
langsmith-service             lsv2_sk_{hex:32}_{hex:10}
langfuse-secret               sk-lf-{uuid}
pinecone                      pcsk_{b62:6}_{b62:63}
tavily                        tvly-dev-{b62:32}
fireworks                     fw_{b62:24}
cerebras                      csk-{an:48}
jina                          jina_{hex:32}{url:28}
voyage                        pa-{url:43}
firecrawl                     fc-{hex:32}
wandb-v1                      wandb_v1_{url:77}

slack-bot                     xoxb-{d:10-13}-{d:10-13}-{b62:24}
slack-user                    xoxp-{d:10-13}-{d:10-13}-{d:10-13}-{hex:32}
slack-app                     xapp-1-A{AN:10}-{d:13}-{hex:64}
slack-legacy                  xoxs-{d:10}-{d:10}-{d:10}-{hex:10}
slack-config-access           xoxe.xoxp-1-{b62:166}
slack-config-refresh          xoxe-1-{b62:147}
slack-legacy-workspace        xoxa-2-{b62:40}
discord-bot                   {discord}.{url:6}.{url:38}
telegram-bot                  {d:9-10}:AA{url:33}
twilio-api-key-id             SK{hex:32}
sendgrid                      SG.{url:22}.{url:43}
mailgun-key                   key-{hex:32}
mailgun-sending               {hex:32}-{hex:8}-{hex:8}
mailchimp                     {hex:32}-us2{d:1}
brevo                         xkeysib-{hex:64}-{b62:16}
brevo-smtp                    xsmtpsib-{hex:64}-{b62:16}
resend                        re_{b62:8}_{b62:24}
hubspot-private-app           pat-na1-{uuid}
intra42                       s-s4t2ud-{hex:64}
frameio                       fio-u-{url:64}
duffel                        duffel_live_{url:43}
easypost-live                 EZAK{hex:32}{b62:22}
easypost-test                 EZTK{hex:32}{b62:22}
shippo                        shippo_live_{hex:40}

stripe-secret                 sk_live_{b62:24}
stripe-secret-long            sk_live_51{b62:97}
stripe-test                   sk_test_{b62:24}
stripe-restricted             rk_live_{b62:24}
stripe-webhook                whsec_{b62:32}
square-access                 EAAA{url:60}
square-legacy-access          sq0atp-{url:22}
square-oauth-secret           sq0csp-{url:43}
paypal-braintree              access_token$production${an:16}${hex:32}
razorpay-key-id               rzp_live_{b62:14}
paystack                      sk_live_{hex:40}
flutterwave                   FLWSECK-{hex:32}-X
plaid-access                  access-production-{uuid}
shopify-access                shpat_{hex:32}
shopify-custom                shpca_{hex:32}
shopify-private               shppa_{hex:32}
shopify-shared                shpss_{hex:32}
adyen                         AQE{b64:60-90}-{b64:40}=-{b62:16}

npm                           npm_{crc:36}
pypi                          pypi-AgEIcHlwaS5vcmc{url:130-180}
testpypi                      pypi-AgENdGVzdC5weXBpLm9yZw{url:130-180}
rubygems                      rubygems_{hex:48}
crates-io                     cio{b62:32}
nuget                         oy2{an:43}
dockerhub-pat                 dckr_pat_{url:27}
dockerhub-org                 dckr_oat_{url:32}
clojars                       CLOJARS_{hex:60}
artifactory-key               AKCp{b62:69}
artifactory-reference         cmVmdGtu{b62:56}
buildkite-user                bkua_{hex:40}
circleci-personal             CCIPAT_{b62:22}_{hex:40}
octopus-deploy                API-{AN:26}
sonar-user                    squ_{hex:40}
sonar-project                 sqp_{hex:40}
harness-pat                   pat.{url:22}.{hex:24}.{b62:20}
prefect                       pnu_{b62:36}
postman                       PMAK-{hex:24}-{hex:34}
readme-io                     rdme_{an:70}
sourcegraph                   sgp_{hex:16}_{hex:40}
bitbucket-app-password        ATBB{b62:24}{HEX:8}

atlassian-api                 ATATT3xFfGF0{url:171}={HEX:8}
atlassian-org                 ATCTT3xFfGN0{url:171}={HEX:8}
linear-key                    lin_api_{b62:40}
linear-oauth                  lin_oauth_{hex:64}
notion-internal               ntn_{d:11}{b62:35}
notion-legacy                 secret_{b62:43}
airtable-pat                  pat{b62:14}.{hex:64}
figma-pat                     figd_{url:40}
asana-pat                     1/{d:16}:{hex:32}
asana-pat-scoped              2/{d:16}/{d:16}:{hex:32}
clickup                       pk_{d:8}_{AN:32}
contentful-pat                CFPAT-{url:43}
typeform                      tfp_{url:44}_{url:14}
dropbox-short                 sl.{url:135}
adobe-secret                  p8e-{url:32}
launchdarkly-api              api-{uuid4}
launchdarkly-sdk              sdk-{uuid4}
maxmind                       {b62:6}_{b62:29}_mmk

sentry-user                   sntryu_{hex:64}
grafana-service-account       glsa_{b62:32}_{hex:8}
newrelic-user                 NRAK-{AN:27}
newrelic-insert               NRII-{url:32}
newrelic-browser              NRJS-{hex:19}
newrelic-license              {hex:36}NRAL
dynatrace                     dt0c01.{b32:24}.{b32:64}
posthog-personal              phx_{b62:43}
facebook-access               EAA{b62:120-180}
facebook-app-token            {d:15}|{url:27}
instagram-graph               IGQVJ{url:150}
twitter-bearer                AAAAAAAAAAAAAAAAAAAAA{b62:25}%2B{b62:20}%3D{b62:50}
pagerduty-scoped              pdus+_0{AN:6}_{uuid}
firebase-server-key           AAAA{url:7}:APA91b{url:134}
"""

# Drawn afterwards, as in named.py.
FRESH = """
webex-bot                     {b62:64}_{b62:4}_{uuid}
photoroom                     sk_pr_{a:8}_{hex:40}
teamwork-desk                 tkn.v1_{b62:71}=
klaviyo-scoped                pk_{b62:6}_{hex:34}
"""
