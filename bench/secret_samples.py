"""Made-up secrets of published shapes, and ordinary lines, to measure the sanitizer with.

The rule ids are those of gitleaks (its default configuration, commit 009e025); the values are generated
here from the shapes that its rules describe, with a fixed seed, and belong to nobody. Of its rules those
are listed whose secret has a shape of its own. The others find any random text behind the name of a vendor
(`adafruit`, `bittrex`): the sanitizer finds those behind names that end in key, token, secret or password,
whoever the vendor is."""

from __future__ import annotations

import random
import string
import sysconfig
from collections.abc import Iterator
from pathlib import Path

_ALPHABETS = {
    "a": string.ascii_letters + string.digits,
    "b": string.ascii_letters + string.digits + "_-",
    "u": string.ascii_uppercase + string.digits,
    "l": string.ascii_lowercase + string.digits,
    "h": "0123456789abcdef",
    "d": string.digits,
    "r": "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567",
    "c": "QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L",
}

SHAPES = {
    "1password-secret-key": "A3-{u6}-{u6}-{u5}-{u5}-{u5}-{u5}",
    "1password-service-account-token": "ops_eyJ{a260}",
    "adobe-client-secret": "p8e-{l32}",
    "age-secret-key": "AGE-SECRET-KEY-1{c58}",
    "alibaba-access-key-id": "LTAI{l20}",
    "anthropic-admin-api-key": "sk-ant-admin01-{b93}AA",
    "anthropic-api-key": "sk-ant-api03-{b93}AA",
    "artifactory-api-key": "AKCp{a69}",
    "artifactory-reference-token": "cmVmd{a59}",
    "atlassian-api-token": "ATATT3{b186}",
    "aws-access-token": "AKIA{r16}",
    "azure-ad-client-secret": "{a3}8Q~{a33}",
    "clickhouse-cloud-api-secret-key": "4b1d{a38}",
    "clojars-api-token": "CLOJARS_{l60}",
    "cloudflare-origin-ca-key": "v1.0-{h24}-{h146}",
    "curl-auth-header": 'curl -H "Authorization: Bearer {a32}" https://api.example.org',
    "curl-auth-user": "https://ana:{a20}@api.example.org/v1",
    "databricks-api-token": "dapi{h32}",
    "digitalocean-access-token": "doo_v1_{h64}",
    "digitalocean-pat": "dop_v1_{h64}",
    "digitalocean-refresh-token": "dor_v1_{h64}",
    "doppler-api-token": "dp.pt.{a43}",
    "duffel-api-token": "duffel_live_{b43}",
    "dynatrace-api-token": "dt0c01.{u24}.{u64}",
    "easypost-api-token": "EZAK{a54}",
    "easypost-test-api-token": "EZTK{a54}",
    "facebook-page-access-token": "EAAM{a120}",
    "flutterwave-secret-key": "FLWSECK_TEST-{h32}",
    "flyio-access-token": "fo1_{a43}",
    "frameio-api-token": "fio-u-{b64}",
    "gcp-api-key": "AIza{b35}",
    "github-app-token": "ghu_{a36}",
    "github-fine-grained-pat": "github_pat_{a82}",
    "github-oauth": "gho_{a36}",
    "github-pat": "ghp_{a36}",
    "github-refresh-token": "ghr_{a36}",
    "gitlab-cicd-job-token": "glcbt-1a_{b20}",
    "gitlab-deploy-token": "gldt-{a20}",
    "gitlab-feed-token": "glft-{a20}",
    "gitlab-incoming-mail-token": "glimt-{a25}",
    "gitlab-kubernetes-agent-token": "glagent-{b50}",
    "gitlab-oauth-app-secret": "gloas-{a64}",
    "gitlab-pat": "glpat-{a20}",
    "gitlab-ptt": "glptt-{h40}",
    "gitlab-runner-authentication-token": "glrt-{a20}",
    "gitlab-scim-token": "glsoat-{a20}",
    "grafana-cloud-api-token": "glc_{a60}",
    "grafana-service-account-token": "glsa_{a32}_{h8}",
    "hashicorp-tf-api-token": "{a14}.atlasv1.{a64}",
    "heroku-api-key-v2": "HRKU-AA{b58}",
    "huggingface-access-token": "hf_{a34}",
    "huggingface-organization-api-token": "api_org_{a34}",
    "infracost-api-token": "ico-{a32}",
    "jwt": "eyJ{a40}.eyJ{b80}.{b43}",
    "linear-api-key": "lin_api_{a40}",
    "mailgun-private-api-token": "key-{h32}",
    "mailgun-pub-key": "pubkey-{h32}",
    "new-relic-user-api-key": "NRAK-{u27}",
    "notion-api-token": "ntn_{d11}{a35}",
    "npm-access-token": "npm_{l36}",
    "openai-api-key": "sk-proj-{b74}T3BlbkFJ{b74}",
    "openshift-user-token": "sha256~{a43}",
    "perplexity-api-key": "pplx-{a48}",
    "planetscale-api-token": "pscale_tkn_{b43}",
    "planetscale-oauth-token": "pscale_oauth_{b43}",
    "planetscale-password": "pscale_pw_{b43}",
    "postman-api-token": "PMAK-{h24}-{h34}",
    "prefect-api-token": "pnu_{l36}",
    "private-key": "-----BEGIN RSA PRIVATE KEY-----\\n{a64}\\n{a64}\\n-----END RSA PRIVATE KEY-----",
    "pulumi-api-token": "pul-{h40}",
    "pypi-upload-token": "pypi-AgEIcHlwaS5vcmc{b80}",
    "readme-api-token": "rdme_{l70}",
    "rubygems-api-token": "rubygems_{h48}",
    "scalingo-api-token": "tk-us-{b48}",
    "sendgrid-api-token": "SG.{b22}.{b43}",
    "sendinblue-api-token": "xkeysib-{h64}-{l16}",
    "sentry-org-token": "sntrys_eyJ{a120}",
    "sentry-user-token": "sntryu_{h64}",
    "shippo-api-token": "shippo_live_{h40}",
    "shopify-access-token": "shpat_{h32}",
    "shopify-custom-access-token": "shpca_{h32}",
    "shopify-private-app-access-token": "shppa_{h32}",
    "shopify-shared-secret": "shpss_{h32}",
    "slack-app-token": "xapp-1-A{u10}-{d13}-{h64}",
    "slack-bot-token": "xoxb-{d12}-{d12}-{a24}",
    "slack-user-token": "xoxp-{d12}-{d12}-{d12}-{h32}",
    "slack-webhook-url": "https://hooks.slack.com/services/T{u8}/B{u8}/{a24}",
    "sourcegraph-access-token": "sgp_{h16}_{h40}",
    "square-access-token": "sq0atp-{b22}",
    "stripe-access-token": "sk_live_{a24}",
    "telegram-bot-api-token": "{d10}:AA{b33}",
    "twilio-api-key": "SK{h32}",
    "typeform-api-token": "tfp_{b59}",
    "vault-service-token": "hvs.{b95}",
    "vault-batch-token": "hvb.{b140}",
    "generic-api-key": 'SERVICE_API_KEY="{a32}"',
}
"""Rule id to shape: `{a32}` stands for 32 characters of the alphabet `a`."""

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
    for rule, shape in SHAPES.items():
        for number in range(each):
            secret, core = make(shape, chance)
            yield rule, core, _FRAMES[number % len(_FRAMES)].format(secret)


def make(shape: str, chance: random.Random) -> tuple[str, str]:
    """A value of a shape, and the longest random part of it."""
    made, rest, core = "", shape, ""
    while "{" in rest:
        before, _, rest = rest.partition("{")
        hole, _, rest = rest.partition("}")
        part = "".join(chance.choice(_ALPHABETS[hole[0]]) for _ in range(int(hole[1:])))
        core = max(core, part, key=len)
        made += before + part
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
