"""Every class of secret with a sample that must go and near misses that must stay.

No secret stands whole in this file: each is joined from parts.
"""

from __future__ import annotations

import re
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memory_mcp.capture.sanitizer import REPLACEMENT, Sanitizer
from memory_mcp.capture.secret_pattern import SecretPattern, lower_case
from memory_mcp.capture.secret_patterns import PATTERNS

RANDOM = "Zq3R7vXk9LmT2pWc8NbY4hJd6FsG1aQe5U"
"""34 characters like those of a token."""
LOWER_UUID = "0f6a2c9e-77aa-4b1f-8a30-1f1f6a2f0c11"
JWT = ".".join(["ey" + "JhbGciOiJIUzI1NiIsInR5cCI6", "eyJzdWIiOiIxMjM0NTY3ODkwIiw", RANDOM])
PEM_BODY = "\n".join([RANDOM + RANDOM[:30]] * 3)

SECRETS = [
    ("bearer-token", "curl -H 'X: ", "Bearer " + RANDOM, "'"),
    ("bearer-token", "", "bearer " + "abcdefghijklmnop", ""),
    ("sk-key", "key: ", "s" + "k-" + RANDOM, "."),
    ("sk-key", "(", "s" + "k-ant-api03-" + RANDOM, ")"),
    ("sk-key", "", "s" + "k-ant-" + "abcdefghijklmnop" + "qrst", ""),
    ("sk-key", '"', "s" + "k-proj-" + RANDOM + "_x-y", '"'),
    ("stripe-key", "", "s" + "k_live_" + RANDOM, ""),
    ("stripe-key", "x=", "r" + "k_live_" + RANDOM[:16], ""),
    ("github-token", "", "gh" + "p_" + RANDOM, ""),
    ("github-token", "https://", "gh" + "s_" + RANDOM[:20], "@github.com"),
    ("github-fine-grained-token", "", "github" + "_pat_" + RANDOM + "_" + RANDOM, ""),
    ("aws-key-id", "id ", "AK" + "IA" + "ABCDEFGHIJKLMNO7", ","),
    ("aws-key-id", "", "AS" + "IA" + "1234567890ABCDEF", ""),
    ("google-api-key", "?k=", "AI" + "za" + RANDOM, "&x"),
    ("google-refresh-token", "refresh ", "1/" + "/" + RANDOM, ""),
    ("meta-token", "", "EA" + "A" + RANDOM, ""),
    ("telegram-token", "bot ", "123456789" + ":AA" + RANDOM, ""),
    ("telegram-token", "", "1234567890" + ":" + RANDOM, ""),
    ("gohighlevel-token", "", "pi" + "t-" + LOWER_UUID, ""),
    ("slack-token", "", "xo" + "xb-" + "123456789012-" + RANDOM, ""),
    ("slack-token", "", "xa" + "pp-1-" + RANDOM, ""),
    ("jwt", "token ", JWT, ""),
    (
        "private-key",
        "",
        f"-----BEGIN RSA PRIVATE {'KEY'}-----\n{PEM_BODY}\n-----END RSA PRIVATE KEY-----",
        "\nend",
    ),
    ("private-key", "", f"-----BEGIN PRIVATE {'KEY'}-----\\n{RANDOM}\\n-----END PRIVATE KEY-----", ""),
    ("private-key", "", f"-----BEGIN OPENSSH PRIVATE {'KEY'}-----\n{PEM_BODY}", "\n\nWords after it."),
    ("url-credentials", "db at ", "postgres://ana:" + "hunter2@db.example:5432/x", " here"),
    ("url-credentials", "", "redis://:" + "hunter2@localhost", ""),
    ("url-credentials", "[repo](", "https://x:" + "p%40ss@git.example/a.git", ")"),
    ("auth-header", "", "Authorization: " + "Basic " + "YW5hOmh1bnRlcjI", ""),
    ("auth-header", '-H "', "X-Api-Key: " + RANDOM[:12], '"'),
    ("auth-header", '{"', 'x-auth-token": "' + RANDOM + '"', "}"),
    ("auth-header", "", "Proxy-Authorization: " + RANDOM, ""),
    ("auth-header", "", "password: " + "swordfish", ""),
    ("auth-header", "**", "Password:** " + "hunter2hunter2", ""),
    ("auth-header", '{"', 'password": "' + "correct horse 9" + '"', "}"),
    ("auth-header", "", "apikey: " + RANDOM[:10], ""),
    ("variable", "export ", "OPENAI_API_KEY=" + RANDOM, ""),
    ("variable", "", "HF_TOKEN: " + "x1", ""),
    ("variable", "", "AWS_SECRET_ACCESS_KEY=" + RANDOM, ""),
    ("variable", "", "AWS_ACCESS_KEY_ID = " + RANDOM, ""),
    ("variable", 'os.environ["', 'GITHUB_TOKEN"] = "' + RANDOM + '"', ""),
    ("variable", "", "DB_PASSWORD=" + "hunter2", ""),
    ("variable", "", "MY_SERVICE_TOKEN=" + "supersecretvalue", ""),
    ("variable", "", "POSTGRES_PASSWORD: " + "mysecretpassword", ""),
    ("variable", "`", "DEPLOY_PRIVATE_KEY=" + RANDOM, "`,"),
    ("variable", "", "db_password = '" + "correct horse 7 battery" + "'", ""),
    ("variable", '{"', 'client_secret":"' + "abcdefghijkl" + '"', ',"x":1}'),
    ("variable", "", 'STRIPE_SECRET = "' + 'a\\"b' + RANDOM + '"', ""),
    ("variable", "", 'API_KEY: str = "' + RANDOM + '"', ""),
    ("variable", "", "SOME_KEY: " + "QWxhZGRpbjpvcGVu==", ""),
    ("variable", "", 'DB_PASSWORD = SecretStr("' + "hunter2real", '")'),
    ("variable", '{\\"', 'db_password\\":\\"' + "hunter2abc", '\\"}'),
    ("variable", "", "AWS_ACCESS_KEY_ID=" + RANDOM[:20], ""),
    ("variable", "", "API_TOKEN ::= " + RANDOM, ""),
    ("named-value", "const ", 'dbToken = "' + RANDOM, '";'),
    ("named-value", "", "clientSecret: " + RANDOM, ""),
    ("named-value", "var ", 'apiKey string = "' + RANDOM, '"'),
    ("named-value", 'setProperty("', 'DB_TOKEN", "' + RANDOM, '")'),
    ("named-value", "- name: ", "deployToken\n  value: " + RANDOM, ""),
    ("named-value", "login ", "--token " + RANDOM, " --force"),
    ("password", "connect(", 'password="' + 'hunter2"', ")"),
    ("password", "Server=x;", "Password=" + "hunter2", ";Pooling=x"),
    ("password", '<add key="', 'DbPassword" value="' + 'hunter2"', " />"),
    ("xml-element", "<", "password>" + "correcthorse</", "password>"),
    ("xml-element", "<", "deployToken>" + RANDOM + "</", "deployToken>"),
    ("curl-user", "curl -s ", "-u ana:" + "P@ssw0rd$1", " https://db.example"),
    ("curl-user", "curl \\\n  -X POST \\\n  ", "--user 'ana:" + "hunter2'", " https://db.example"),
    ("curl-header", "curl ", "-H 'Token: " + "3fea6af1349166ea'", " https://db.example"),
    ("kubernetes-secret", "kind: Secret\n", "data:\n  blob: aHVudGVyMg==\n  other: |\n    aHVudGVyMg==", ""),
    ("kubernetes-secret", '{"', 'data": {"blob": "aHVudGVyMg=="', '}, "kind": "Secret"}'),
    ("jwt", "", "ey" + "JhbGciOiJub25lIn0.eyJzdWIiOiJ0ZXN0LXVzZXIifQ.", ""),
    ("gitlab-token", "", "gl" + "pat-" + RANDOM[:20], ""),
    ("gitlab-token", "%3D", "gl" + "pat-" + RANDOM[:20], "&x"),
    ("vault-token", "", "s" + "." + RANDOM[:24], ""),
    ("slack-webhook", "https://hooks.", "slack.com" + "/services/T0/B0/" + RANDOM + RANDOM[:8], ""),
    ("teams-webhook", "https://x.webhook.", "office.com" + "/webhookb2/" + RANDOM * 2, ""),
    ("google-oauth-token", "", "ya" + "29." + RANDOM + RANDOM, ""),
    ("azure-storage-key", "x;", "Account" + "Key=" + RANDOM * 2 + RANDOM[:18] + "==", ";y"),
    ("credential-path", "cat ", "~/" + ".ssh/id_rsa", "."),
    ("credential-path", "`", "/home/u/" + ".aws/credentials", "`"),
    ("credential-path", "IdentityFile=", "$HOME/" + ".ssh/keys/work", ""),
    ("credential-path", "", ".kube" + "/config", ""),
    ("credential-path", "", "~/.config" + "/gcloud/application_default_credentials.json", ""),
    ("credential-path", "", "C:\\Users\\ana\\" + ".gnupg\\secring.gpg", ""),
    ("private", "a ", "<private>the plan</private>", " b"),
    ("private", "a ", "<PRIVATE>x <private>y</private> z</Private>", " b"),
]

HARMLESS = """
task-management-system-x and risk-assessment-procedure-2024, desk-0123456789abcdef0123
from sk-learn-compatible-estimator import X; class="sk-folding-cube-animation"
the bearer of this letter; Bearer authentication-mechanism; use a bearer token
task_live_0123456789abcdef0123456789; a high_resolution_image_of_the_harbour_x
ASIAN MARKETS and AKIABARA; EUROPEASIA1234567890ABCDEF; the id MAKIA1234567890ABCDEF0
x = total1//some_other_variable_name; y = 1//some_long_variable_name
https://example.com/1//abcdefghijklmnopqrstuvwxyz
12345:AA is short; at 12:34:56 the log says 2026-11-30T12:00:00.000000Z
a spit-0f6a2c9e-77aa-4b1f-8a30-1f1f6a2f0c11 and the id 0f6a2c9e-77aa-4b1f-8a30-1f1f6a2f0c11
the xapp-onboarder-service of the RAN; commit 3f786850e387550fdab836ed7e6dc881de23001b
eyJ alone is the start of a JSON web token
-----BEGIN PUBLIC KEY----- and a line that says -----BEGIN PRIVATE KEY----- only
https://unpkg.com:443/pkg@1.0 and https://example.com/@user:x and ssh://git@github.com:22/x.git
postgres://${USER}:${PASSWORD}@db/x and postgres://me:***@db/x and https://user:<password>@host/
Authorization: Bearer <token> and Authorization: Basic authentication is off; Authorization: Bearer $TOKEN
Authentication: OAuth2-based, see below. Authentication: described below
Credentials: kept in the vault. Password: at least twelve characters; Password: required
password: ${DB_PASSWORD}
password: string;
api-key: ${API_KEY}, cache-key: not one of these, keyboard: qwertyuiop12345
OPENAI_API_KEY=${OPENAI_API_KEY} GITHUB_TOKEN: ${{ secrets.GITHUB_TOKEN }}
OPENAI_API_KEY=<your key> ANTHROPIC_API_KEY=... GROQ_API_KEY=your-key-here
OPENAI_API_KEY: the key of the account that pays
api_key = os.environ["OPENAI_API_KEY"]
API_KEY=$API_KEY DB_PASSWORD=$(pass show db) DB_PASSWORD=******** API_TOKEN=%API_TOKEN%
interface Env { API_KEY: string; AUTH_TOKEN: string }
client = OpenAI(api_key=api_key, auth_token=access_token, client_secret=clientSecret)
const access_token: string = process.env.ACCESS_TOKEN!
api_key: str | None = None
db_password: Optional[str] = Field(default=None)
auth_token = get_token(request)
max_tokens = 500000, eos_token = "<|endoftext|>", next_page_token: "abc123def456"
primary_key: customer_id2, FOREIGN_KEY: user_id_2, cache_key = "user:profile:v2", sort_key = "created_at"
"forgot_password": "Forgot your password?"
def rotate_key(self): ...
KEY: value
TOKEN=ring
METADATA_KEY = "current-span", SERVER_META_KEY = "io.example/serverInfo", CONFIG_KEY = "__config__"
def sign(private_key: rsa.RSAPrivateKey, other_private_key: Ed25519PrivateKey)
load_private_key = openssl.keys.load_pem_private_key, user_password = index_info
signing_key = ed25519.Ed25519PrivateKey.from_bytes(data)
%sudo ALL=(root) NOPASSWD: /bin/systemctl
password: SecretBytes
the format of a sk-ecdsa-sha2-nistp256@openssh.com key
the .ssh folder, ~/.ssh, ~/.aws/ and foo.ssh/bar; the .config/gcloud folder
a page that speaks of `<private>` tags, a private <b>thing</b>
the _key= of nothing
ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx, AKIAXXXXXXXXXXXXXXXX and sk-xxxxxxxxxxxxxxxxxxxxxxxx
nextPageToken: "CiAKGjBpNDd2Nmp2Zml2cXRw", publicKey = "9Cnzj4p4WGeKLs1Pt8QuKUpRKfFLfRYC9AIKjbJTWit"
signer = PrivateKey; private_key: ed25519.Ed25519PrivateKey, ServerToken = hpke.MLKEM768X25519PrivateKey
password="changeme1", password='%s', password="{password1}", ("password", "proxy.example.com:3128")
curl -u "$USER:$PASSWORD" x; docker run -u 1000:1000 x; curl --user user:pass x; git push -u origin main:x
the <password> that <token>you</token> choose, --token TOKEN, video_box.ico-7a388b69018576d24b59331fd60aab0c
kind: ConfigMap data: blob: aHVudGVyMg== metadata: name: x
- (id)hf_requiredCharacteristicTypesForDisplayMetadata; os.replaceAllOccurrencesOf24; sc_x.y.accept
"""


@pytest.mark.parametrize(("kind", "before", "secret", "after"), SECRETS)
def test_a_secret_is_replaced_whole_and_its_surroundings_stay(
    kind: str, before: str, secret: str, after: str
) -> None:
    text = f"First line.\n{before}{secret}{after}\nLast line: 12."
    found = [f for f in Sanitizer().find(text) if f.kind == kind]
    assert text[found[0].start : found[0].end] == secret
    assert Sanitizer().clean(text) == f"First line.\n{before}{REPLACEMENT}{after}\nLast line: 12."


@pytest.mark.parametrize("line", HARMLESS.strip().splitlines())
def test_an_ordinary_line_stays(line: str) -> None:
    assert Sanitizer().find(line) == []
    assert Sanitizer().clean(line) == line


@pytest.mark.parametrize("before", ["12345678901:", "x123456789:", "_123456789:", "12345:"])
def test_what_has_other_than_six_to_ten_digits_is_no_telegram_token(before: str) -> None:
    assert Sanitizer().find(before + RANDOM) == []


def test_a_private_span_without_an_end_goes_to_the_end_of_the_text() -> None:
    assert Sanitizer().clean("a <private>never closed\nand on") == "a [REDACTED]"


def test_a_match_with_an_allowed_text_is_kept_but_a_private_span_never() -> None:
    secret = "s" + "k-" + RANDOM
    sanitizer = Sanitizer(allowlist=[RANDOM[:6]])
    assert sanitizer.clean(secret) == secret
    assert sanitizer.clean("s" + "k-other" + RANDOM[6:]) == REPLACEMENT
    assert sanitizer.clean(f"<private>{RANDOM}</private>") == REPLACEMENT


def test_patterns_of_the_user_count_as_well() -> None:
    sanitizer = Sanitizer(extra_patterns=[r"ACME-\d{4}", r"(?=lookahead)"])
    assert sanitizer.clean("id ACME-1234, ACME-12, lookahead") == "id [REDACTED], ACME-12, lookahead"
    assert [f.kind for f in sanitizer.find("ACME-1234")] == ["extra-pattern"]


@pytest.mark.parametrize(
    "pattern", ["RED", "E", r"\[", r"\w+", r".", r"\[REDACTED\]", r"\] ?x", "D\\]\\[R", r"(?s).+"]
)
def test_patterns_that_match_the_replacement_itself_come_to_an_end(pattern: str) -> None:
    sanitizer = Sanitizer(extra_patterns=[pattern])
    for text in ("a [REDACTED] x [REDACTED][REDACTED] REDx", "s" + "k-" + RANDOM + " x", "E", "[[REDACTED]]"):
        once = sanitizer.clean(text)
        assert sanitizer.clean(once) == once


def test_a_secret_behind_another_goes_as_well() -> None:
    begin, end = f"-----BEGIN PRIVATE {'KEY'}-----", "-----END PRIVATE KEY-----"
    assert Sanitizer().clean(f"{begin}\n{PEM_BODY}\n{end}s" + "k-" + RANDOM) == REPLACEMENT * 2


PIECES = st.sampled_from(
    [secret for _, _, secret, _ in SECRETS]
    + [line for line in HARMLESS.splitlines() if line]
    + [
        REPLACEMENT,
        "[RED",
        "ACTED]",
        " ",
        "\n",
        '"',
        "'",
        "=",
        ": ",
        "_KEY=",
        "s" + "k-",
        "<private>",
        "</private>",
        "\\",
    ]
)


@settings(max_examples=150, deadline=None)
@given(st.lists(PIECES | st.text(max_size=8), max_size=8))
def test_cleaning_twice_changes_nothing_more(pieces: list[str]) -> None:
    sanitizer = Sanitizer()
    once = sanitizer.clean("".join(pieces))
    assert sanitizer.clean(once) == once
    assert sanitizer.find(once) == []


@settings(max_examples=100, deadline=None)
@given(st.sampled_from(SECRETS), st.text(max_size=30), st.text(max_size=30))
def test_a_secret_on_its_own_line_goes_whatever_stands_around(
    sample: tuple[str, str, str, str], above: str, below: str
) -> None:
    assert sample[2] not in Sanitizer().clean(f"{above}\n{sample[1]}{sample[2]}{sample[3]}\n{below}")


LONG_LINES = [
    "a",
    "A_KEY=",
    "a_key:",
    "A_KEY=f(",
    'A_KEY="',
    "A_KEY=.",
    "A_KEY=$X",
    "x_token_",
    "password: ",
    "password:",
    "s" + "k-",
    "ey" + "J",
    "ey" + "Jabcdefghijklmnopq.",
    "://a:",
    "://a:b@",
    "a://",
    "1234567:",
    "12345678901",
    "1234567:AA" + "a" * 34 + " ",
    "password: x1y2z3w4 ",
    "~/" + ".ssh/x ",
    "bearer ",
    "x" + ".ssh/",
    "/.ssh/",
    "/.ssh/.",
    "<private>",
    "-----BEGIN PRIVATE KEY-----",
    "-----BEGIN PRIVATE KEY-----\naaaaaaaaaaaaaaaaaaaa\n",
    "xoxb-",
    "-xapp-aaaaaaaaaa",
    "a://x:$X@",
    "a_key=${x}",
    "1//",
    "EAA",
    '\\"',
]


@pytest.mark.parametrize("piece", LONG_LINES)
def test_a_long_line_takes_linear_time(piece: str, soak: bool) -> None:
    def seconds(size: int) -> float:
        text = piece * (size // len(piece))
        started = time.process_time()
        Sanitizer().clean(text)
        return time.process_time() - started

    seconds(1000)
    # Quadratic time would be minutes; the bound leaves room for a slow machine.
    assert seconds(1_000_000 if soak else 250_000) < 4


@pytest.mark.parametrize("escape", [r"\n", r"\r\n", r"\t"])
@pytest.mark.parametrize("secret", ["sk-" + "Ab3dE5gH" * 4, "ghp_" + "aB3" * 12, "Bearer " + "Ab3dE5gH" * 4])
def test_the_letter_of_an_escape_hides_no_secret(escape, secret):
    assert Sanitizer().clean(f'{{"log": "first{escape}{secret}"}}') == f'{{"log": "first{escape}[REDACTED]"}}'


FILLERS = ("", "x", "a1b2" * 8 + ".", '="x', ": x1 ", '":{', "=x1y2z3w4 ", '" value="x', "\n  a", "/")


@pytest.mark.parametrize("pattern", PATTERNS, ids=lambda pattern: pattern.kind)
def test_what_a_pattern_matches_and_then_refuses_is_short(pattern: SecretPattern, soak: bool) -> None:
    # Else the search, which goes on inside it, would take the square of the time.
    size = 50_000 if soak else 8_000
    for needle in pattern.needles:
        for filler in FILLERS:
            piece = needle + filler
            looked_at = 0

            def accept(head: str, match: re.Match[str]) -> bool:
                nonlocal looked_at
                looked_at += len(head) + len(match[0])
                return pattern.accept(head, match)

            watched = SecretPattern(
                pattern.kind,
                pattern.needles,
                pattern.regex,
                any_case=pattern.any_case,
                after=pattern.after,
                not_after=pattern.not_after,
                in_head=pattern.in_head,
                accept=accept,
            )
            text = piece * (size // len(piece))
            list(watched.find(text, lower_case(text)))
            assert looked_at < 1_000 * size, piece
