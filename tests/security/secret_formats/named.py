"""Secrets without a mark of their own: only the name beside them says what they are.

Each line: a format's name, the template of the value, then the variable names under which the
vendor's documentation puts it (and, after a `|`, how a person would call it in a sentence).
"""

from __future__ import annotations

NAMED = """
aws-secret-key        {b64:40}       AWS_SECRET_ACCESS_KEY aws_secret_access_key | AWS secret access key
aws-session-token     IQoJb3JpZ2lu{b64:300}==  AWS_SESSION_TOKEN aws_session_token | AWS session token
alibaba-secret        {b62:30}       ALIBABA_CLOUD_ACCESS_KEY_SECRET | Alibaba access key secret
tencent-secret-key    {b62:32}       TENCENTCLOUD_SECRET_KEY | Tencent secret key
azure-storage-key     {b64:86}==     AZURE_STORAGE_KEY AZURE_STORAGE_ACCOUNT_KEY | storage account key
azure-openai-key      {hex:32}       AZURE_OPENAI_API_KEY | Azure OpenAI API key
azure-devops-legacy   {b32low:52}    AZURE_DEVOPS_EXT_PAT SYSTEM_ACCESSTOKEN | Azure DevOps access token
cloudflare-token      {url:40}       CLOUDFLARE_API_TOKEN CF_API_TOKEN | Cloudflare API token
cloudflare-global     {hex:37}       CLOUDFLARE_API_KEY | Cloudflare API key
heroku-legacy         {uuid}         HEROKU_API_KEY | Heroku API key
hetzner-token         {b62:64}       HCLOUD_TOKEN | Hetzner API token
linode-token          {hex:64}       LINODE_TOKEN LINODE_CLI_TOKEN | Linode API token
vultr-key             {AN:36}        VULTR_API_KEY | Vultr API key
scaleway-secret       {uuid}         SCW_SECRET_KEY | Scaleway secret key
ibm-cloud-key         {url:44}       IBMCLOUD_API_KEY | IBM Cloud API key
railway-token         {uuid}         RAILWAY_TOKEN | Railway token
vercel-token          {b62:24}       VERCEL_TOKEN | Vercel token
datadog-api           {hex:32}       DD_API_KEY DATADOG_API_KEY | Datadog API key
datadog-app           {hex:40}       DD_APP_KEY DATADOG_APP_KEY | Datadog application key
honeycomb-key         {b62:22}       HONEYCOMB_API_KEY | Honeycomb API key
algolia-admin         {hex:32}       ALGOLIA_API_KEY ALGOLIA_ADMIN_API_KEY | Algolia admin API key
fastly-token          {url:32}       FASTLY_API_TOKEN | Fastly API token
mistral-key           {b62:32}       MISTRAL_API_KEY | Mistral API key
cohere-key            {b62:40}       COHERE_API_KEY CO_API_KEY | Cohere API key
together-key          {hex:64}       TOGETHER_API_KEY | Together API key
assemblyai-key        {hex:32}       ASSEMBLYAI_API_KEY | AssemblyAI API key
deepgram-key          {hex:40}       DEEPGRAM_API_KEY | Deepgram API key
wandb-key             {hex:40}       WANDB_API_KEY | W&B API key
stability-key         {b62:48}       STABILITY_API_KEY | Stability API key
twilio-auth-token     {hex:32}       TWILIO_AUTH_TOKEN | Twilio auth token
discord-client-secret {url:32}       DISCORD_CLIENT_SECRET | Discord client secret
spotify-secret        {hex:32}       SPOTIFY_CLIENT_SECRET | Spotify client secret
twitter-consumer      {b62:50}       TWITTER_API_SECRET TWITTER_CONSUMER_SECRET | Twitter API secret
twitch-secret         {an:30}        TWITCH_CLIENT_SECRET | Twitch client secret
facebook-app-secret   {hex:32}       FACEBOOK_APP_SECRET | Facebook app secret
linkedin-secret       {b62:16}       LINKEDIN_CLIENT_SECRET | LinkedIn client secret
okta-token            00{url:40}     OKTA_API_TOKEN | Okta API token
auth0-secret          {url:64}       AUTH0_CLIENT_SECRET | Auth0 client secret
postmark-token        {uuid}         POSTMARK_SERVER_TOKEN POSTMARK_API_TOKEN | Postmark server token
snyk-token            {uuid}         SNYK_TOKEN | Snyk token
codecov-token         {uuid}         CODECOV_TOKEN | Codecov token
circleci-legacy       {hex:40}       CIRCLE_TOKEN CIRCLECI_TOKEN | CircleCI token
travis-token          {b62:22}       TRAVIS_TOKEN | Travis token
sonar-legacy          {hex:40}       SONAR_TOKEN | Sonar token
sentry-legacy         {hex:64}       SENTRY_AUTH_TOKEN | Sentry auth token
pagerduty-key         u+{url:18}     PAGERDUTY_TOKEN PAGERDUTY_API_KEY | PagerDuty API key
opsgenie-key          {uuid}         OPSGENIE_API_KEY | Opsgenie API key
zendesk-token         {b62:40}       ZENDESK_API_TOKEN | Zendesk API token
jira-legacy           {b62:24}       JIRA_API_TOKEN ATLASSIAN_API_TOKEN | Jira API token
plaid-secret          {hex:30}       PLAID_SECRET PLAID_CLIENT_SECRET | Plaid secret
razorpay-secret       {b62:24}       RAZORPAY_KEY_SECRET | Razorpay key secret
binance-secret        {b62:64}       BINANCE_API_SECRET BINANCE_SECRET_KEY | Binance secret key
lob-key               live_{hex:35}  LOB_API_KEY | Lob API key
mattermost-token      {an:26}        MATTERMOST_TOKEN MM_ACCESS_TOKEN | Mattermost access token
segment-key           {b62:32}       SEGMENT_WRITE_KEY | Segment write key
mixpanel-secret       {hex:32}       MIXPANEL_API_SECRET | Mixpanel API secret
etherscan-key         {AN:34}        ETHERSCAN_API_KEY | Etherscan API key
alchemy-key           {url:32}       ALCHEMY_API_KEY | Alchemy API key
consul-token          {uuid}         CONSUL_HTTP_TOKEN | Consul token
nomad-token           {uuid}         NOMAD_TOKEN | Nomad token
vault-legacy          s.{b62:24}     VAULT_TOKEN | Vault token
django-secret         {django:50}    SECRET_KEY DJANGO_SECRET_KEY | Django secret key
rails-master-key      {hex:32}       RAILS_MASTER_KEY | Rails master key
rails-secret-base     {hex:128}      SECRET_KEY_BASE | Rails secret key base
laravel-app-key       base64:{b64:43}=  APP_KEY | Laravel app key
nextauth-secret       {b64:43}=      NEXTAUTH_SECRET AUTH_SECRET | NextAuth secret
jwt-signing-secret    {b64:43}=      JWT_SECRET JWT_SIGNING_KEY | JWT signing secret
encryption-key-hex    {hex:64}       ENCRYPTION_KEY MASTER_KEY | encryption key
ethereum-private      0x{hex:64}     PRIVATE_KEY ETH_PRIVATE_KEY | wallet private key
wireguard-key         {b64:42}A=     PrivateKey | WireGuard private key
password-generated    {print:16-24}  DB_PASSWORD POSTGRES_PASSWORD MYSQL_ROOT_PASSWORD | database password
password-alnum        {b62:12-20}    REDIS_PASSWORD SMTP_PASSWORD ADMIN_PASSWORD | admin password
password-human        {human}        PASSWORD DB_PASS FTP_PASSWORD | password
"""  # noqa: E501

# Drawn afterwards from trufflehog's list, in the order of a hash, to see what had been learnt.
FRESH = """
aylien                {an:32}              AYLIEN_API_KEY | Aylien API key
azure-direct-management {b64:84}1==          AZURE_DIRECT_MANAGEMENT_API_KEY | Azure API key
uptimerobot           {b62:9}-{b62:24}     UPTIMEROBOT_API_KEY | Uptimerobot API key
getresponse           {an:32}              GETRESPONSE_API_KEY | Getresponse API key
geckoboard            {b62:44}             GECKOBOARD_API_KEY | Geckoboard API key
aviationstack         {hex:32}             AVIATIONSTACK_API_KEY | Aviationstack API key
enigma                {b62:40}             ENIGMA_API_KEY | Enigma API key
currentsapi           {url:48}             CURRENTSAPI_API_KEY | Currentsapi API key
apimetrics            {b62:32}             APIMETRICS_API_KEY | Apimetrics API key
easyinsight           {b62:20}             EASYINSIGHT_API_KEY | Easyinsight API key
vatlayer              {hex:32}             VATLAYER_API_KEY | Vatlayer API key
html2pdf              {b62:64}             HTML2PDF_API_KEY | Html2pdf API key
apitemplate           {b62:39}             APITEMPLATE_API_KEY | Apitemplate API key
partnerstack          {b62:64}             PARTNERSTACK_CLIENT_SECRET | Partnerstack client secret
scrapingbee           {AN:80}              SCRAPINGBEE_API_KEY | Scrapingbee API key
jotform               {an:32}              JOTFORM_API_KEY | Jotform API key
onesignal             {uuid}               ONESIGNAL_API_KEY | Onesignal API key
ipinfo                {hex:14}             IPINFO_API_TOKEN | Ipinfo API token
kickbox               live_{b62:64}        KICKBOX_API_KEY | Kickbox API key
zulip                 {b62:32}             ZULIP_API_KEY | Zulip API key
imagekit              {b62:36}             IMAGEKIT_PRIVATE_KEY | Imagekit private key
keenio                {HEX:64}             KEENIO_API_KEY | Keenio API key
currencyscoop         {an:32}              CURRENCYSCOOP_API_KEY | Currencyscoop API key
tly                   {b62:60}             TLY_API_TOKEN | Tly API token
appsynergy            {an:64}              APPSYNERGY_API_KEY | Appsynergy API key
convier               {d:2}|{b62:40}       CONVIER_API_TOKEN | Convier API token
whoxy                 {an:33}              WHOXY_API_KEY | Whoxy API key
formcraft             {an:16}              FORMCRAFT_API_KEY | Formcraft API key
billomat              {hex:32}             BILLOMAT_API_KEY | Billomat API key
instamojo             {b62:40}             INSTAMOJO_API_TOKEN | Instamojo API token
impala                {w:46}               IMPALA_API_KEY | Impala API key
statuspage            {uuid}               STATUSPAGE_API_KEY | Statuspage API key
versioneye            {b62:40}             VERSIONEYE_API_KEY | Versioneye API key
artsy                 {b62:32}             ARTSY_CLIENT_SECRET | Artsy client secret
dwolla                {b62:50}             DWOLLA_CLIENT_SECRET | Dwolla client secret
maxmind-legacy        {b62:16}             MAXMIND_LEGACY_LICENSE_KEY | Maxmind license key
mailsac               k_{b62:36}           MAILSAC_API_KEY | Mailsac API key
optimizely            2:{url:52}           OPTIMIZELY_API_TOKEN | Optimizely API token
juro                  {b62:40}             JURO_API_KEY | Juro API key
duo                   {b62:40}             DUO_CLIENT_SECRET | Duo client secret
commercejs            sk_{an:45}           COMMERCEJS_API_KEY | Commercejs API key
travelpayouts         {hex:32}             TRAVELPAYOUTS_API_TOKEN | Travelpayouts API token
vbout                 {d:25}               VBOUT_API_KEY | Vbout API key
"""
