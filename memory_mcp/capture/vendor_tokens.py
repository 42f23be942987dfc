"""Tokens to which their vendors gave a prefix that nobody else uses, and after it an alphabet and a length.

Most shapes are published by the vendors or in public rule sets for secret scanners.
"""

from __future__ import annotations

from memory_mcp.capture.secret_pattern import UUID, WORD, WORD_END, SecretPattern

_PREFIXED: tuple[tuple[str, tuple[str, ...], str], ...] = (
    ("adobe-secret", ("p8e-",), "p8e-[0-9A-Za-z]{32}"),
    ("age-key", ("AGE-SECRET-KEY-1",), "AGE-SECRET-KEY-1[0-9A-Z]{58}"),
    ("airtable-token", ("pat",), r"pat[0-9A-Za-z]{14}\.[0-9a-f]{64}"),
    ("alibaba-key-id", ("LTAI",), "LTAI[0-9A-Za-z]{20}"),
    ("artifactory-key", ("AKCp", "cmVmd"), "(?:AKCp[0-9A-Za-z]{69}|cmVmd[0-9A-Za-z]{59})"),
    ("atlassian-token", ("ATATT3",), "ATATT3[0-9A-Za-z_=-]{100,}"),
    (
        "aws-bedrock-key",
        ("ABSK", "bedrock-api-key-"),
        "(?:ABSK[0-9A-Za-z+/]{109,}|bedrock-api-key-[0-9A-Za-z+/]{24,})={0,2}",
    ),
    ("azure-storage-key", ("AccountKey=", "AccessKey="), "Acc(?:ount|ess)Key=[0-9A-Za-z+/]{42,86}={1,2}"),
    ("brevo-key", ("xkeysib-",), "xkeysib-[0-9a-f]{64}-[0-9A-Za-z]{16}"),
    ("buildkite-token", ("bkua_",), "bkua_[0-9a-f]{40}"),
    ("circleci-token", ("CCIPAT_",), r"CCIPAT_\w{40,}"),
    ("clickhouse-key", ("4b1d",), "4b1d[0-9A-Za-z]{38}"),
    ("clojars-token", ("CLOJARS_",), "CLOJARS_[0-9A-Za-z]{60}"),
    ("cloudflare-origin-key", ("v1.0-",), r"v1\.0-[0-9a-f]{24}-[0-9a-f]{146}"),
    ("contentful-token", ("CFPAT-",), "CFPAT-[0-9A-Za-z_-]{43}"),
    ("databricks-token", ("dapi",), "dapi[0-9a-f]{32}(?:-[0-9])?"),
    ("defined-networking-key", ("dnkey-",), "dnkey-[0-9A-Za-z=_-]{26}-[0-9A-Za-z=_-]{52}"),
    ("digitalocean-token", ("doo_v1_", "dop_v1_", "dor_v1_"), "do[opr]_v1_[0-9A-Fa-f]{64}"),
    ("docker-token", ("dckr_pat_", "dckr_oat_"), "dckr_[op]at_[0-9A-Za-z_-]{27,}"),
    ("doppler-token", ("dp.",), r"dp\.(?:pt|st|ct|sa|scim|audit)\.(?:[\w-]{1,40}\.)?[0-9A-Za-z]{40,44}"),
    ("dropbox-token", ("sl.",), r"sl\.[0-9A-Za-z_=-]{130,}"),
    ("duffel-token", ("duffel_",), "duffel_(?:test|live)_[0-9A-Za-z=_-]{43}"),
    ("dynatrace-token", ("dt0c01.",), r"dt0c01\.[0-9A-Za-z]{24}\.[0-9A-Za-z]{64}"),
    ("easypost-key", ("EZAK", "EZTK"), "EZ[AT]K[0-9A-Za-z]{54}"),
    ("figma-token", ("figd_",), "figd_[0-9A-Za-z_-]{40,}"),
    ("flutterwave-key", ("FLW",), "FLW(?:PUB|SEC)K(?:_TEST)?-(?:[0-9A-Za-z]{32}-X|[0-9A-Ha-h]{12,32})"),
    (
        "fly-token",
        ("fo1_", "fm1", "fm2"),
        "(?:fo1_[0-9A-Za-z_-]{43}|fm[12][ar]?_[0-9A-Za-z+/]{100,}={0,3})",
    ),
    ("frameio-token", ("fio-u-",), "fio-u-[0-9A-Za-z=_-]{64}"),
    (
        "gitlab-token",
        ("gl", "GR1348941", "_gitlab_session="),
        "(?:gl(?:pat|ptt|rt|dt|cbt|ft|ffct|imt|agent|soat|oas)-[0-9A-Za-z_.=-]{20,}"
        "|GR1348941[0-9A-Za-z_-]{20,}|_gitlab_session=[0-9a-z]{32})",
    ),
    ("google-oauth-token", ("GOCSPX-", "ya29."), r"(?:GOCSPX-[0-9A-Za-z_-]{28}|ya29\.[0-9A-Za-z_.-]{40,})"),
    (
        "grafana-token",
        ("glsa_", "glc_", "eyJrIjoi"),
        "(?:glsa_[0-9A-Za-z]{32}_[0-9A-Fa-f]{8}|(?:glc_[0-9A-Za-z+/]{32,}|eyJrIjoi[0-9A-Za-z]{70,})={0,3})",
    ),
    ("groq-key", ("gsk_",), "gsk_[0-9A-Za-z]{40,}"),
    ("harness-key", ("pat.", "sat."), r"[ps]at\.[0-9A-Za-z_-]{22}\.[0-9A-Za-z]{24}\.[0-9A-Za-z]{20}"),
    ("heroku-key", ("HRKU-AA",), "HRKU-AA[0-9A-Za-z_-]{58}"),
    ("hugging-face-token", ("hf_", "api_org_"), "(?:hf|api_org)_[0-9A-Za-z]{34,40}"),
    ("infracost-key", ("ico-",), r"(?<!\.)ico-[0-9A-Za-z]{32}"),
    ("intra42-secret", ("s-s4t2",), "s-s4t2(?:ud|af)-[0-9A-Fa-f]{64}"),
    ("langsmith-key", ("lsv2_",), "lsv2_(?:pt|sk)_[0-9a-f]{32}_[0-9a-f]{10}"),
    ("linear-key", ("lin_api_",), "lin_api_[0-9A-Za-z]{40}"),
    ("lob-key", ("live_", "test_"), "(?:live|test)_(?:pub_[0-9a-f]{31}|[0-9a-f]{35})"),
    ("mailgun-key", ("key-", "pubkey-"), "(?:pub)?key-[0-9a-f]{32}"),
    (
        "mapbox-token",
        ("pk.", "sk."),
        r"[ps]k\.(?:eyJ1[0-9A-Za-z]{40,}\.[0-9A-Za-z_-]{20,}|[0-9a-z]{60}\.[0-9a-z]{22})",
    ),
    ("netlify-token", ("nfp_",), "nfp_[0-9A-Za-z]{36,}"),
    (
        "new-relic-key",
        ("NRAK-", "NRII-", "NRJS-"),
        "NR(?:AK-[0-9A-Za-z]{27}|II-[0-9A-Za-z-]{32}|JS-[0-9a-f]{19})",
    ),
    ("notion-token", ("ntn_", "secret_"), "(?:ntn_[0-9]{11}[0-9A-Za-z]{35}|secret_[0-9A-Za-z]{43})"),
    ("npm-token", ("npm_",), "npm_[0-9A-Za-z]{36}"),
    ("nvidia-key", ("nvapi-",), "nvapi-[0-9A-Za-z_-]{60,}"),
    ("octopus-key", ("API-",), "API-[0-9A-Z]{26}"),
    (
        "1password-key",
        ("A3-", "ops_eyJ"),
        "(?:A3-[0-9A-Z]{6}-(?:[0-9A-Z]{11}|[0-9A-Z]{6}-[0-9A-Z]{5})(?:-[0-9A-Z]{5}){3}"
        "|ops_eyJ[0-9A-Za-z+/]{200,}={0,3})",
    ),
    ("openshift-token", ("sha256~",), "sha256~[0-9A-Za-z_-]{43}"),
    ("perplexity-key", ("pplx-",), "pplx-[0-9A-Za-z]{48}"),
    ("pinecone-key", ("pcsk_",), r"pcsk_\w{50,}"),
    ("plaid-token", ("access-",), f"access-(?:sandbox|development|production)-{UUID}"),
    ("planetscale-token", ("pscale_",), r"pscale_(?:tkn|oauth|pw)_[0-9A-Za-z=_.-]{32,}"),
    ("postman-key", ("PMAK-",), "PMAK-[0-9A-Fa-f]{24}-[0-9A-Fa-f]{34}"),
    ("prefect-key", ("pnu_",), "pnu_[0-9A-Za-z]{36}"),
    ("pulumi-token", ("pul-",), "pul-[0-9a-f]{40}"),
    ("pypi-token", ("pypi-AgE",), "pypi-AgE[0-9A-Za-z_-]{50,}"),
    ("readme-key", ("rdme_",), "rdme_[0-9a-z]{70}"),
    ("replicate-token", ("r8_",), "r8_[0-9A-Za-z]{37,40}"),
    ("rubygems-key", ("rubygems_",), "rubygems_[0-9a-f]{48}"),
    ("scalingo-token", ("tk-us-",), "tk-us-[0-9A-Za-z_-]{48}"),
    ("sendgrid-key", ("SG.",), r"SG\.[0-9A-Za-z=_.-]{66}"),
    ("sentry-token", ("sntry",), "sntry(?:s_eyJ[0-9A-Za-z+/=_-]{40,}|u_[0-9a-f]{64})"),
    ("settlemint-token", ("sm_",), "sm_[aps]at_[0-9A-Za-z]{16}"),
    ("shippo-token", ("shippo_",), "shippo_(?:live|test)_[0-9A-Fa-f]{40}"),
    ("shopify-token", ("shpat_", "shpca_", "shppa_", "shpss_"), "shp(?:at|ca|pa|ss)_[0-9A-Fa-f]{32}"),
    ("sonar-token", ("squ_", "sqp_", "sqa_"), "sq[upa]_[0-9A-Za-z_=-]{40}"),
    ("sourcegraph-token", ("sgp_",), "sgp_(?:[0-9A-Fa-f]{16}_|local_)?[0-9A-Fa-f]{40}"),
    ("square-token", ("sq0",), "sq0(?:atp|csp)-[0-9A-Za-z_-]{22,60}"),
    ("stripe-webhook-secret", ("whsec_",), "whsec_[0-9A-Za-z+/]{32,}={0,2}"),
    ("supabase-key", ("sbp_",), "sbp_[0-9a-f]{40}"),
    ("tailscale-key", ("tskey-",), "tskey-[a-z]{2,12}-[0-9A-Za-z]{8,}-[0-9A-Za-z]{20,}"),
    ("tavily-key", ("tvly-",), "tvly-(?:dev-|prod-)?[0-9A-Za-z]{28,}"),
    ("twilio-key", ("SK",), "SK[0-9A-Fa-f]{32}"),
    ("twitter-token", ("A" * 22,), "A{22}[0-9A-Za-z%]{80,100}"),
    ("typeform-token", ("tfp_",), r"tfp_[0-9A-Za-z=_.-]{59}"),
    ("vault-token", ("hvs.", "hvb."), r"hv[sb]\.[0-9A-Za-z_-]{24,}"),
    ("xai-key", ("xai-",), "xai-[0-9A-Za-z]{60,}"),
    (
        "yandex-token",
        ("t1.", "AQVN"),
        r"(?:t1\.[0-9A-Za-z_-]+={0,2}\.[0-9A-Za-z_-]{86}={0,2}|AQVN[0-9A-Za-z_-]{35,38})",
    ),
    ("discord-webhook", ("api/webhooks/",), r"api/webhooks/[0-9]{15,}/[0-9A-Za-z_-]{40,}"),
    ("slack-webhook", ("slack.com/",), "slack.com/(?:services|workflows|triggers)/[0-9A-Za-z+/]{40,60}"),
    ("teams-webhook", ("office.com/webhook",), r"office\.com/webhook(?:b2)?/[^\s\"'<>]{60,}"),
    (
        "aws-url-signature",
        ("X-Amz-S",),
        "X-Amz-S(?:ignature=[0-9a-f]{64}|ecurity-Token=[0-9A-Za-z%+/=]{40,})",
    ),
    ("azure-url-signature", ("sig=",), "sig=[0-9A-Za-z%+/]{40,}(?:%3[Dd]|=)"),
)


VENDOR_TOKENS = tuple(
    SecretPattern(kind, needles, shape + WORD_END, not_after=WORD) for kind, needles, shape in _PREFIXED
)
