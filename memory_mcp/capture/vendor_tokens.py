"""Tokens whose vendors gave them a prefix of their own: kind, what the text must hold, and the shape.

Most shapes are published by the vendors or in public rule sets for secret scanners. Each begins with the
prefix, where no letter or digit stands before it, and ends where its alphabet does.
"""

from __future__ import annotations

_Row = tuple[str, tuple[str, ...], str]

VENDOR_TOKENS: tuple[_Row, ...] = (
    (
        "gitlab-token",
        ("glpat-", "glptt-", "glrt-", "gldt-", "glcbt-", "glft-", "glimt-", "glagent-", "glsoat-", "gloas-"),
        r"gl(?:pat|ptt|rt|dt|cbt|ft|imt|agent|soat|oas)-[A-Za-z0-9_.=-]{20,}",
    ),
    ("npm-token", ("npm_",), r"npm_[A-Za-z0-9]{36}"),
    ("pypi-token", ("pypi-ag",), r"pypi-AgE[A-Za-z0-9_-]{50,}"),
    ("hugging-face-token", ("hf_", "api_org_"), r"(?:hf|api_org)_[A-Za-z0-9]{30,}"),
    ("sendgrid-key", ("sg.",), r"SG\.[A-Za-z0-9=_-]{16,32}\.[A-Za-z0-9=_-]{32,64}"),
    ("brevo-key", ("xkeysib-",), r"xkeysib-[0-9a-f]{64}-[A-Za-z0-9]{16}"),
    ("twilio-key", ("sk",), r"SK[0-9a-f]{32}"),
    ("digitalocean-token", ("_v1_",), r"do[opr]_v1_[0-9a-f]{64}"),
    ("age-key", ("age-secret-key-1",), r"AGE-SECRET-KEY-1[0-9A-Z]{58}"),
    (
        "1password-key",
        ("a3-", "ops_eyj"),
        r"(?:A3-[A-Z0-9]{6}-(?:[A-Z0-9]{11}|[A-Z0-9]{6}-[A-Z0-9]{5})(?:-[A-Z0-9]{5}){3}|ops_eyJ[A-Za-z0-9+/]{200,}={0,3})",
    ),
    ("databricks-token", ("dapi",), r"dapi[0-9a-f]{32}(?:-[0-9])?"),
    ("vault-token", ("hvs.", "hvb."), r"hv[sb]\.[A-Za-z0-9_-]{24,}"),
    ("linear-key", ("lin_api_",), r"lin_api_[A-Za-z0-9]{40}"),
    ("notion-token", ("ntn_", "secret_"), r"(?:ntn_[0-9]{11}[A-Za-z0-9]{35}|secret_[A-Za-z0-9]{43})"),
    ("postman-key", ("pmak-",), r"PMAK-[0-9a-f]{24}-[0-9a-f]{34}"),
    ("pulumi-token", ("pul-",), r"pul-[0-9a-f]{40}"),
    ("rubygems-key", ("rubygems_",), r"rubygems_[0-9a-f]{48}"),
    ("sentry-token", ("sntry",), r"sntry(?:s_eyJ[A-Za-z0-9+/=_-]{40,}|u_[0-9a-f]{64})"),
    ("shopify-token", ("shpat_", "shpca_", "shppa_", "shpss_"), r"shp(?:at|ca|pa|ss)_[0-9A-Fa-f]{32}"),
    ("square-token", ("sq0",), r"sq0(?:atp|csp)-[A-Za-z0-9_-]{22,43}"),
    ("sourcegraph-token", ("sgp_",), r"sgp_(?:[0-9A-Fa-f]{16}_|local_)?[0-9A-Fa-f]{40}"),
    ("doppler-token", ("dp.pt.",), r"dp\.pt\.[A-Za-z0-9]{43}"),
    ("dynatrace-token", ("dt0c01.",), r"dt0c01\.[A-Za-z0-9]{24}\.[A-Za-z0-9]{64}"),
    ("easypost-key", ("ezak", "eztk"), r"EZ[AT]K[A-Za-z0-9]{54}"),
    ("flutterwave-key", ("flwpubk", "flwseck"), r"FLW(?:PUB|SEC)K_TEST-[0-9a-h]{12,32}"),
    ("frameio-token", ("fio-u-",), r"fio-u-[A-Za-z0-9=_-]{64}"),
    (
        "grafana-token",
        ("glsa_", "glc_"),
        r"(?:glsa_[A-Za-z0-9]{32}_[0-9A-Fa-f]{8}|glc_[A-Za-z0-9+/]{32,}={0,3})",
    ),
    ("heroku-key", ("hrku-aa",), r"HRKU-AA[A-Za-z0-9_-]{58}"),
    ("infracost-key", ("ico-",), r"ico-[A-Za-z0-9]{32}"),
    ("mailgun-key", ("key-",), r"(?:pub)?key-[0-9a-f]{32}"),
    (
        "new-relic-key",
        ("nrak-", "nrii-", "nrjs-"),
        r"NR(?:AK-[A-Z0-9]{27}|II-[A-Za-z0-9-]{32}|JS-[0-9a-f]{19})",
    ),
    ("openshift-token", ("sha256~",), r"sha256~[A-Za-z0-9_-]{43}"),
    ("perplexity-key", ("pplx-",), r"pplx-[A-Za-z0-9]{48}"),
    ("planetscale-token", ("pscale_",), r"pscale_(?:tkn|oauth|pw)_[A-Za-z0-9=_.-]{32,64}"),
    ("prefect-key", ("pnu_",), r"pnu_[A-Za-z0-9]{36}"),
    ("readme-key", ("rdme_",), r"rdme_[0-9a-z]{70}"),
    ("scalingo-token", ("tk-us-",), r"tk-us-[A-Za-z0-9_-]{48}"),
    ("shippo-token", ("shippo_",), r"shippo_(?:live|test)_[0-9a-f]{40}"),
    ("typeform-token", ("tfp_",), r"tfp_[A-Za-z0-9=_.-]{59}"),
    ("adobe-secret", ("p8e-",), r"p8e-[0-9A-Za-z]{32}"),
    ("alibaba-key-id", ("ltai",), r"LTAI[A-Za-z0-9]{20}"),
    ("artifactory-key", ("akcp", "cmvmd"), r"(?:AKCp[A-Za-z0-9]{69}|cmVmd[A-Za-z0-9]{59})"),
    ("atlassian-token", ("atatt3",), r"ATATT3[A-Za-z0-9_=-]{100,}"),
    ("clickhouse-key", ("4b1d",), r"4b1d[A-Za-z0-9]{38}"),
    ("clojars-token", ("clojars_",), r"CLOJARS_[0-9a-z]{60}"),
    ("cloudflare-origin-key", ("v1.0-",), r"v1\.0-[0-9a-f]{24}-[0-9a-f]{146}"),
    ("duffel-token", ("duffel_",), r"duffel_(?:test|live)_[A-Za-z0-9=_-]{43}"),
    (
        "fly-token",
        ("fo1_", "fm1_", "fm2_", "fm1a_", "fm1r_"),
        r"(?:fo1_[A-Za-z0-9_-]{43}|fm[12][ar]?_[A-Za-z0-9+/]{100,}={0,3})",
    ),
    ("groq-key", ("gsk_",), r"gsk_[A-Za-z0-9]{40,}"),
    ("replicate-token", ("r8_",), r"r8_[A-Za-z0-9]{37,40}"),
    ("xai-key", ("xai-",), r"xai-[A-Za-z0-9]{60,}"),
)
