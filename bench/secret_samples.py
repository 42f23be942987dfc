"""Made-up secrets of published shapes, and ordinary lines, to measure the sanitizer with.

The rule ids are those of gitleaks (its default configuration, commit b58d3f1, 222 rules). The values are made
here from the shapes that its rules describe, each variant of a rule, with a fixed seed, and belong to nobody.
Those rules are listed whose secret has a shape of its own or stands in one: a header, a command, a `Secret`
of Kubernetes; for `generic-api-key` the assignments in which its examples stand. The others find any random
text behind the name of a vendor (`adafruit`, `bittrex`), whatever it is called there, or a file by its name.
"""

from __future__ import annotations

import random
import re
import string
import sysconfig
from collections.abc import Iterator
from pathlib import Path

_ALPHABETS = {
    "A": string.ascii_letters,
    "a": string.ascii_letters + string.digits,
    "b": string.ascii_letters + string.digits + "_-",
    "u": string.ascii_uppercase + string.digits,
    "l": string.ascii_lowercase + string.digits,
    "h": "0123456789abcdef",
    "x": "0123456789abcdefABCDEF",
    "s": string.ascii_letters + string.digits + "+/",
    "d": string.digits,
    "r": "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567",
    "c": "QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L",
}

SHAPES = {
    "1password-secret-key": ("A3-{u6}-{u6}-{u5}-{u5}-{u5}-{u5}", "A3-{u6}-{u11}-{u5}-{u5}-{u5}"),
    "1password-service-account-token": ("ops_eyJ{a250-300}",),
    "adobe-client-secret": ("p8e-{a32}",),
    "age-secret-key": ("AGE-SECRET-KEY-1{c58}",),
    "airtable-personnal-access-token": ("pat{a14}.{h64}",),
    "alibaba-access-key-id": ("LTAI{a20}",),
    "anthropic-admin-api-key": ("sk-ant-admin01-{b93}AA",),
    "anthropic-api-key": ("sk-ant-api03-{b93}AA",),
    "artifactory-api-key": ("AKCp{a69}",),
    "artifactory-reference-token": ("cmVmd{a59}",),
    "atlassian-api-token": ("ATATT3{b186}",),
    "authress-service-client-access-key": (
        "sc_{l5-30}.{l4-6}.acc-{l10-32}.{s30-120}",
        "authress_{l5-30}.{l4-6}.acc_{l10-32}.{s30-120}",
        "ext_{l12}.{l5}.acc-{l20}.{s40}",
        "scauth_{l12}.{l5}.acc-{l20}.{s40}",
    ),
    "aws-access-token": ("AKIA{r16}", "ASIA{r16}", "ABIA{r16}", "ACCA{r16}", "A3T{u1}{r16}"),
    "aws-amazon-bedrock-api-key-long-lived": ("ABSK{s109-269}==",),
    "aws-amazon-bedrock-api-key-short-lived": ("bedrock-api-key-YmVkcm9jay5hbWF6b25hd3MuY29t{s80}",),
    "azure-ad-client-secret": ("{a3}8Q~{a31-34}",),
    "clickhouse-cloud-api-secret-key": ("4b1d{a38}",),
    "clojars-api-token": ("CLOJARS_{l60}",),
    "cloudflare-origin-ca-key": ("v1.0-{h24}-{h146}",),
    "curl-auth-header": (
        'curl -H "Authorization: Bearer {a32}" https://api.example.org',
        "curl -X POST --header 'Authorization: Basic {a24}==' https://api.example.org",
        "curl -H 'Authorization: Token {h40}' https://api.example.org",
        'curl -H "Authorization: Api-Token {h40}" https://api.example.org',
        'curl -H "Token: {h16}" https://api.example.org',
        'curl -H "X-Ana-ApiKey: {h8}-{h4}-{h4}-{h4}-{h12}" https://api.example.org',
    ),
    "curl-auth-user": (
        "curl -u ana:{a12-20} https://api.example.org",
        'curl -s --user "ana@example.org:{a8-20}" https://api.example.org',
        "curl -X POST \\\n  -H 'Accept: x/y' \\\n  --user 'ana:{a12}' \\\n  https://api.example.org",
        "curl --user ana:'{a12}' https://api.example.org",
    ),
    "databricks-api-token": ("dapi{h32}", "dapi{h32}-2"),
    "digitalocean-access-token": ("doo_v1_{h64}",),
    "digitalocean-pat": ("dop_v1_{h64}",),
    "digitalocean-refresh-token": ("dor_v1_{h64}",),
    "doppler-api-token": ("dp.pt.{a43}",),
    "duffel-api-token": ("duffel_live_{b43}", "duffel_test_{b43}"),
    "dynatrace-api-token": ("dt0c01.{u24}.{u64}",),
    "easypost-api-token": ("EZAK{a54}",),
    "easypost-test-api-token": ("EZTK{a54}",),
    "facebook-access-token": ("{d15-16}|{b27-40}", "{d15}%7C{b27}"),
    "facebook-page-access-token": ("EAAM{a100-160}", "EAAC{a100-160}"),
    "flutterwave-encryption-key": ("FLWSECK_TEST-{h12}",),
    "flutterwave-public-key": ("FLWPUBK_TEST-{h32}-X",),
    "flutterwave-secret-key": ("FLWSECK_TEST-{h32}-X",),
    "flyio-access-token": ("fo1_{b43}", "fm1a_{s100-140}", "fm1r_{s100-140}", "fm2_{s100-140}"),
    "frameio-api-token": ("fio-u-{b64}",),
    "freemius-secret-key": ("'secret_key' => 'sk_{a29}'",),
    "gcp-api-key": ("AIza{b35}",),
    "generic-api-key": (
        'ANA_API_KEY="{a32}"',
        'anaToken = "{a32}"',
        "anaToken={a32}",
        '{"ana_token": "{a32}"}',
        "<anaToken>\n    {a32}\n</anaToken>",
        "ana_secret: '{a32}'",
        'string anaSecret = "{a32}";',
        'var anaToken string = "{a32}"',
        "anaToken := `{a32}`",
        '$anaToken .= "{a32}"',
        'set("ANA_TOKEN", "{a32}")',
        '"anaToken" => "{a32}"',
        'ANA_TOKEN :::= "{a32}"',
        'ANA_TOKEN ?= "{a32}"',
        '"credentials" : "{h64}"',
        "private-key: {b100}",
        "passwd = {a30}",
        '"client_secret" : "{h64}"',
    ),
    "github-app-token": ("ghu_{a36}", "ghs_{a36}"),
    "github-fine-grained-pat": ("github_pat_{a82}",),
    "github-oauth": ("gho_{a36}",),
    "github-pat": ("ghp_{a36}",),
    "github-refresh-token": ("ghr_{a36}",),
    "gitlab-cicd-job-token": ("glcbt-{a1-5}_{b20}",),
    "gitlab-deploy-token": ("gldt-{a20}",),
    "gitlab-feature-flag-client-token": ("glffct-{b20}",),
    "gitlab-feed-token": ("glft-{a20}",),
    "gitlab-incoming-mail-token": ("glimt-{a25}",),
    "gitlab-kubernetes-agent-token": ("glagent-{b50}",),
    "gitlab-oauth-app-secret": ("gloas-{a64}",),
    "gitlab-pat": ("glpat-{b20}",),
    "gitlab-pat-routable": ("glpat-{b27-300}.{l2}{l7}",),
    "gitlab-ptt": ("glptt-{h40}",),
    "gitlab-rrt": ("GR1348941{b20}",),
    "gitlab-runner-authentication-token": ("glrt-{a20}",),
    "gitlab-runner-authentication-token-routable": ("glrt-t1_{b27-300}.{l2}{l7}",),
    "gitlab-scim-token": ("glsoat-{a20}",),
    "gitlab-session-cookie": ("_gitlab_session={l32}",),
    "grafana-api-key": ("eyJrIjoi{a70-400}==",),
    "grafana-cloud-api-token": ("glc_{s32-400}==",),
    "grafana-service-account-token": ("glsa_{a32}_{h8}",),
    "harness-api-key": ("pat.{b22}.{a24}.{a20}", "sat.{b22}.{a24}.{a20}"),
    "hashicorp-tf-api-token": ("{a14}.atlasv1.{b60-70}",),
    "heroku-api-key-v2": ("HRKU-AA{b58}",),
    "huggingface-access-token": ("hf_{A34}",),
    "huggingface-organization-api-token": ("api_org_{A34}",),
    "infracost-api-token": ("ico-{a32}",),
    "intra42-client-secret": ("s-s4t2ud-{h64}", "s-s4t2af-{h64}"),
    "jwt": ("eyJ{a17-40}.eyJ{b17-80}.{b43}", "eyJ{a17-40}.eyJ{b17-80}."),
    "jwt-base64": ("ZXlKaGJHY2lPaU{a60-200}",),
    "kubernetes-secret-yaml": (
        "apiVersion: v1\nkind: Secret\nmetadata:\n  name: x\ndata:\n  blob: {a40}\n  other: {a20}==",
        "apiVersion: v1\ndata:\n  blob: {a40}\nkind: Secret\nmetadata:\n  name: x",
        '{"data": {"blob": "{a40}"}, "kind": "Secret"}',
    ),
    "linear-api-key": ("lin_api_{a40}",),
    "mailgun-private-api-token": ("key-{h32}",),
    "mailgun-pub-key": ("pubkey-{h32}",),
    "maxmind-license-key": ("{a6}_{a29}_mmk",),
    "microsoft-teams-webhook": (
        "https://ana.webhook.office.com/webhookb2/{h8}-{h4}-{h4}-{h4}-{h12}@{h8}-{h4}-{h4}-{h4}-{h12}/IncomingWebhook/{h32}/{h8}-{h4}-{h4}-{h4}-{h12}",
    ),
    "new-relic-browser-api-token": ("NRJS-{h19}",),
    "new-relic-insert-key": ("NRII-{l32}",),
    "new-relic-user-api-key": ("NRAK-{u27}",),
    "notion-api-token": ("ntn_{d11}{a35}",),
    "npm-access-token": ("npm_{l36}",),
    "nuget-config-password": (
        '<add key="ClearTextPassword" value="{a8-30}" />',
        '<add key="Password" value="{a8-30}" />',
    ),
    "octopus-deploy-api-key": ("API-{u26}",),
    "openai-api-key": (
        "sk-proj-{b74}T3BlbkFJ{b74}",
        "sk-svcacct-{b58}T3BlbkFJ{b58}",
        "sk-{a20}T3BlbkFJ{a20}",
    ),
    "openshift-user-token": ("sha256~{a43}",),
    "perplexity-api-key": ("pplx-{a48}",),
    "plaid-api-token": (
        "access-production-{h8}-{h4}-{h4}-{h4}-{h12}",
        "access-sandbox-{h8}-{h4}-{h4}-{h4}-{h12}",
    ),
    "planetscale-api-token": ("pscale_tkn_{b32-64}",),
    "planetscale-oauth-token": ("pscale_oauth_{b32-64}",),
    "planetscale-password": ("pscale_pw_{b32-64}",),
    "postman-api-token": ("PMAK-{h24}-{h34}",),
    "prefect-api-token": ("pnu_{l36}",),
    "private-key": (
        "-----BEGIN RSA PRIVATE KEY-----\n{a64}\n{a64}\n-----END RSA PRIVATE KEY-----",
        "-----BEGIN PRIVATE KEY-----\\n{a64}\\n-----END PRIVATE KEY-----",
        "-----BEGIN PGP PRIVATE KEY BLOCK-----\n\n{a64}\n=abcd\n-----END PGP PRIVATE KEY BLOCK-----",
        "-----BEGIN OPENSSH PRIVATE KEY-----\n{a64}\n{a64}",
    ),
    "pulumi-api-token": ("pul-{h40}",),
    "pypi-upload-token": ("pypi-AgEIcHlwaS5vcmc{b50-200}",),
    "readme-api-token": ("rdme_{l70}",),
    "rubygems-api-token": ("rubygems_{h48}",),
    "scalingo-api-token": ("tk-us-{b48}",),
    "sendgrid-api-token": ("SG.{b22}.{b43}",),
    "sendinblue-api-token": ("xkeysib-{h64}-{l16}",),
    "sentry-org-token": ("sntrys_eyJpYXQiO{a20-100}LCJyZWdpb25fdXJs{a20-100}=_{a43}",),
    "sentry-user-token": ("sntryu_{h64}",),
    "settlemint-application-access-token": ("sm_aat_{a16}",),
    "settlemint-personal-access-token": ("sm_pat_{a16}",),
    "settlemint-service-access-token": ("sm_sat_{a16}",),
    "shippo-api-token": ("shippo_live_{x40}", "shippo_test_{x40}"),
    "shopify-access-token": ("shpat_{x32}",),
    "shopify-custom-access-token": ("shpca_{x32}",),
    "shopify-private-app-access-token": ("shppa_{x32}",),
    "shopify-shared-secret": ("shpss_{x32}",),
    "sidekiq-sensitive-url": ("https://{h8}:{h8}@gems.contribsys.com/",),
    "slack-app-token": ("xapp-1-A{u10}-{d13}-{h64}",),
    "slack-bot-token": ("xoxb-{d10-13}-{d10-13}-{a24}",),
    "slack-config-access-token": ("xoxe.xoxb-1-{u163-166}", "xoxe.xoxp-1-{u163-166}"),
    "slack-config-refresh-token": ("xoxe-1-{u146}",),
    "slack-legacy-bot-token": ("xoxb-{d8-14}-{a18-26}",),
    "slack-legacy-token": ("xoxs-{d10}-{d10}-{d10}-{h10}", "xoxo-{d6}-{d6}-{d6}-{h18}"),
    "slack-legacy-workspace-token": ("xoxa-2-{a8-48}", "xoxr-{a8-48}"),
    "slack-user-token": (
        "xoxp-{d10-13}-{d10-13}-{d10-13}-{a28-34}",
        "xoxe-{d10-13}-{d10-13}-{d10-13}-{a28-34}",
    ),
    "slack-webhook-url": (
        "https://hooks.slack.com/services/T{u8}/B{u8}/{a24}",
        "hooks.slack.com/workflows/{a43-56}",
    ),
    "sonar-api-token": ("squ_{h40}", "sqp_{h40}", "sqa_{h40}"),
    "sourcegraph-access-token": ("sgp_{h16}_{h40}", "sgp_local_{h40}", "sgp_{h40}"),
    "square-access-token": ("sq0atp-{b22-60}", "EAAA{b22-60}"),
    "stripe-access-token": ("sk_live_{a16-99}", "rk_live_{a16-99}", "sk_test_{a24}", "rk_prod_{a24}"),
    "telegram-bot-api-token": ("{d8-10}:A{b34}",),
    "twilio-api-key": ("SK{x32}",),
    "typeform-api-token": ("tfp_{b59}",),
    "vault-batch-token": ("hvb.{b138-300}",),
    "vault-service-token": ("hvs.{b90-120}", "s.{a24}"),
}
"""Rule id to its shapes: `{a32}` stands for 32 characters of the alphabet `a`, `{a8-20}` for 8 to 20."""

_FRAMES = (
    "{}",
    "use {} for it",
    'token = "{}"',
    "- value: {}",
    "({})",
    '{{"secret": "{}"}}',
    "curl {} -o x",
    "`{}`",
)


def samples(each: int = 25, seed: int = 7) -> Iterator[tuple[str, str, str]]:
    """Rule id, the longest random part of a secret, and a line with it; `each` of every rule."""
    chance = random.Random(seed)
    for rule, shapes in SHAPES.items():
        for number in range(each):
            secret, core = make(shapes[number % len(shapes)], chance)
            yield rule, core, _FRAMES[number % len(_FRAMES)].format(secret)


def make(shape: str, chance: random.Random) -> tuple[str, str]:
    """A value of a shape, and the longest random part of it."""
    made, rest, core = "", shape, ""
    while hole := re.search(r"\{([A-Za-z])(\d+)(?:-(\d+))?\}", rest):
        size = chance.randint(int(hole[2]), int(hole[3] or hole[2]))
        part = "".join(chance.choices(_ALPHABETS[hole[1]], k=size))
        core = max(core, part, key=len)
        made += rest[: hole.start()] + part
        rest = rest[hole.end() :]
    return made + rest, core


def survives(core: str, text: str, size: int = 8) -> bool:
    """Whether any `size` characters in a row of the random part are still in the text."""
    return any(core[at : at + size] in text for at in range(len(core) - size + 1))


def ordinary_lines(count: int = 10_000, seed: int = 7) -> list[str]:
    """Lines of Python's standard library, and of our documentation, that hold no secret."""
    root = Path(__file__).resolve().parents[1]
    library = sorted(Path(sysconfig.get_path("stdlib")).glob("*.py"))
    files = [*library, root / "README.md", *sorted((root / "docs").glob("*.md"))]
    lines = [
        line for file in files for line in file.read_text("utf-8", "replace").splitlines() if line.strip()
    ]
    return random.Random(seed).sample(lines, count)
