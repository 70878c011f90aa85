"""What looks like a secret, as findings that may overlap.

Three sources: the patterns of detect-secrets that have a shape of their own (never entropy alone: it takes
hashes and names for keys), checked numbers (python-stdnum), and rules for what people write ("mot de passe : …").
No network, no state: the verification of detect-secrets is not called.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from itertools import pairwise

from stdnum import ean, iban, luhn


@dataclass(frozen=True, slots=True)
class Finding:
    """A secret of the given kind at `text[start:end]` of the text as it was given."""

    kind: str
    start: int
    end: int


def candidates(text: str) -> Iterator[Finding]:
    """Every span that a rule takes for a secret, in no order."""
    for kind, pattern in _shapes():
        for match in pattern.finditer(text):
            start, end = _whole_token(text, *match.span())
            if start == match.start():
                yield Finding(kind, start, end)
    for kind, pattern in _OWN_SHAPES:
        for match in pattern.finditer(text):
            group = match.lastindex or 0
            if _CHECKS.get(kind, bool)(match[group]):
                yield Finding(kind, *match.span(group))
    yield from _assignments(text)
    yield from _ibans(text)
    yield from _cards(text)


# --- shapes ---------------------------------------------------------------------------------------------------------

_PLUGINS = (
    "artifactory.ArtifactoryDetector aws.AWSKeyDetector azure_storage_key.AzureStorageKeyDetector "
    "cloudant.CloudantDetector discord.DiscordBotTokenDetector github_token.GitHubTokenDetector "
    "gitlab_token.GitLabTokenDetector mailchimp.MailchimpDetector "
    "pypi_token.PypiTokenDetector sendgrid.SendGridDetector slack.SlackDetector "
    "square_oauth.SquareOAuthDetector stripe.StripeDetector telegram_token.TelegramBotTokenDetector "
    "twilio.TwilioKeyDetector"
)


@cache
def _shapes() -> tuple[tuple[str, re.Pattern[str]], ...]:
    """(kind, pattern) of the detect-secrets plugins; imported at first use, for they bring `requests` along."""
    shapes = []
    for name in _PLUGINS.split():
        module, plugin = name.split(".")
        detector = getattr(import_module(f"detect_secrets.plugins.{module}"), plugin)
        kind = re.sub(r"\W+", "-", detector.secret_type.lower()).strip("-")
        shapes += [(kind, pattern) for pattern in detector.denylist]
    return tuple(shapes)


_TOKEN_CHARS = re.compile(r"[\w+/=-]*(?:\.[\w+/=-]+)*", re.ASCII)


def _whole_token(text: str, start: int, end: int) -> tuple[int, int]:
    """The span grown to the end of its token, or moved if it begins in the middle of one.

    A pattern that stops early (a JWT without its signature) would leave half of the secret in the text.
    """
    if start and re.match(r"\w", text[start]) and re.match(r"[A-Za-z0-9]", text[start - 1]):
        return start - 1, end
    grown = _TOKEN_CHARS.match(text, end, end + 4000)
    return start, grown.end() if grown else end


def _is_jwt(token: str) -> bool:
    from detect_secrets.plugins.jwt import JwtTokenDetector

    return bool(JwtTokenDetector.is_formally_valid(token))


_KEY_BODY = r"(?:[\s\\nr]*[\w.-]+: [^\n]{0,200}\n)*[\s\\nr]*[A-Za-z0-9+/=]{16,}"
_B = r"(?<![A-Za-z0-9_.-])"
_OWN_SHAPES = (
    (
        "private-key",
        re.compile(
            rf"-----BEGIN [A-Z0-9 ]{{0,30}}PRIVATE KEY(?: BLOCK)?-----{_KEY_BODY}"
            r"(?:[\s\S]{0,8000}?-----END [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----"
            r"|(?:[\s\\nr]*[A-Za-z0-9+/]{16,}={0,2})*)"
        ),
    ),
    ("private-key", re.compile(r"PuTTY-User-Key-File-\d:[\s\S]{0,8000}?Private-MAC: ?[0-9a-f]+")),
    ("private-key", re.compile(r"AGE-SECRET-KEY-1[0-9A-Z]{20,}")),
    ("url-password", re.compile(r"[A-Za-z][A-Za-z0-9+.-]{1,20}://[^\s/:@]{0,100}:([^\s/\[\]<>{}]{1,200})@(?=[\w\[])")),
    ("bearer-token", re.compile(r"(?i)\b(?:bearer|authorization: ?(?:basic|token))[ :=]+([A-Za-z0-9._~+/=-]{16,})")),
    # In place of those of detect-secrets, whose time grows with the square of a hostile text.
    ("json-web-token", re.compile(_B + r"eyJ[\w=-]{5,4000}\.[\w=-]{2,8000}(?:\.[\w=-]{1,2000})?", re.ASCII)),
    ("npm-token", re.compile(r":_authToken=\s?([\w-]{8,200})")),
    ("google-key", re.compile(_B + r"(?:AIza[\w-]{35}|ya29\.[\w-]{20,}|GOCSPX-[\w-]{20,})")),
    (
        "token",
        re.compile(
            _B + r"(?:github_pat_|hf_|npm_|gsk_|shp(?:at|ca|pa|ss)_|dop_v1_|whsec_|lin_api_|ntn_|PMAK-|dapi|"
            r"xapp-|xoxe[.-]|(?:sk|rk|pk|tok|key|api|token|secret)_(?:live|test|prod)_|sk-|figd_|glsa_|sq0[a-z]{3}-|EAAA|r8_)"
            r"[\w.-]{11,}[A-Za-z0-9]"
        ),
    ),
    (
        "url-token",
        re.compile(
            r"(?i)[?&](?:[\w-]{0,30}[_-])?(?:api_?key|key|token|sig|signature|secret|password|pwd|auth|code)="
            r"([^&\s#\[\]<>\"']{12,})"
        ),
    ),
)


def _random(value: str) -> bool:
    """Whether a run of letters and digits inside looks drawn at random: no file or page name is built so."""
    return any(
        len(run) >= 8 and (_changes(run) >= 3 or (len(run) >= 20 and re.search(r"\d", run)))
        for run in re.findall(r"[A-Za-z0-9]+", value)
    )


_CHECKS = {"json-web-token": _is_jwt, "bearer-token": _random, "token": _random, "url-token": _random}


def _changes(run: str) -> int:
    """How often a run goes from letters to digits, or from small to capital letters, or back."""
    classes = ["d" if c.isdigit() else "u" if c.isupper() else "l" for c in run]
    return sum(a != b for a, b in pairwise(classes))


# --- what people write ----------------------------------------------------------------------------------------------

_WORD = r"pass ?word|passwd|pass ?phrase|passcode|pwd|mots? de passe|mdp|motdepasse|phrase secrète"
_PIN = (
    r"(?:code )?pin|codes? (?:secret|pin|d'accès|d’accès|d'entrée|d’entrée|de la porte|wi-?fi)|digicode|"
    r"(?:access|door|entry|security|one-time|verification|secret) code|cvv|cvc|cryptogramme|code de vérification|otp"
)
_KEY = (
    r"(?:api|secret|access|private|auth|encryption|licen[cs]e|signing|service|account|wpa|wi-?fi)[ _-]?"
    r"(?:access[ _-])?key|"
    r"clés? (?:d['’])?(?:api|accès)|clés? (?:secrète|privée|de chiffrement|de licence|wpa|wi-?fi)|"
    r"(?:\w{1,30}[_-])?(?:secret|token|apikey)|client secret|jeton|"
    r"[A-Z0-9]{1,30}(?:_[A-Z0-9]{1,30}){0,5}_(?:KEY|PASS|PW|CREDENTIALS)"
)
_LOGIN = r"credentials|logins?|identifiants?|connexion"
_MORE = r"(?:[ _(-](?!(?:is|est|are|sont)\b)(?:[^\W_]|['’).#]){1,20}){0,5}?"
_ASSIGNED = re.compile(
    rf"(?i)(?<![^\W_])(?:(?P<password>{_WORD})|(?P<pin>{_PIN})|(?P<key>{_KEY}))(?![^\W_])"
    r"[\"'»”\])*`]{0,3}"
    rf"(?:(?P<more>{_MORE})\s{{0,3}}(?P<sign>[:=]|:=|=>|->|→)|{_MORE}\s(?:is|est|was|était)(?: now| désormais)?)?"
    r"[\s*]{0,3}[\"'`«“‘(\[]{0,2}\s?(?P<value>[^\s\"`»”«“<>\])}][^\s\"`»”«“<>]{2,200})"
)
_OF = re.compile(r"(?i) (?:for|of|to|du|de|des|pour)\b")
_PAIR = re.compile(
    rf"(?i)\b(?:{_LOGIN})\b[^\n.;:=]{{0,40}}?[:=]?\s{{0,2}}[\w.@+-]{{2,60}}\s?[/:|,;]\s?(?P<value>[^\s\"<>]{{6,200}})"
)
_HARMLESS = re.compile(
    r"(?i)(?:\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}|\d{1,2}[h:]\d{0,2}|\d+(?:st|nd|rd|th|er|ère|e|ème)|"
    r"[\d.,]+(?:k|m|€|\$|£|%|px|pt|kb|mb|gb|ko|mo|go|h|j|d|s|ms|min|mots|words|signes)|"
    r"https?://.*|www\..*|[\w.+-]+@[\w-]+\.[\w.]+|[*•x.…_-]+|\$\{?[A-Z_]+\}?|%[A-Z_]+%|\{.*\}|\[.*|[A-Za-z_][\w.]*[\[(].*)"
)
_CLOSING = ".,;:)]}…"


def _assignments(text: str) -> Iterator[Finding]:
    for match in _ASSIGNED.finditer(text):
        value = match["value"].rstrip(_CLOSING).removesuffix("'").removesuffix("’")
        end = match.start("value") + len(value)
        kind = "password" if match["password"] else "pin" if match["pin"] else "key"
        # "code PIN du coffre : 4821" is one, "Pin Mill: 1234 visitors" is not.
        stray = kind == "pin" and match["more"] and not _OF.match(match["more"])
        if not stray and _secret_value(kind, value, bool(match["sign"]), text[end : end + 2]):
            yield Finding(kind, match.start("value"), end)
    for match in _PAIR.finditer(text):
        value = match["value"].rstrip(_CLOSING)
        if _strong(value) and not _HARMLESS.fullmatch(value):
            yield Finding("password", match.start("value"), match.start("value") + len(value))


def _secret_value(kind: str, value: str, signed: bool, after: str) -> bool:
    """Whether what stands after a label is a secret and not the next word of a sentence.

    After ":" or "=" a mix of letters and digits is enough; after "is", or nothing, it must be a strong mix.
    """
    if value.isdigit():
        # A number is a password only where the phrase ends with it: not in "mot de passe : 1984 en anglais".
        alone = not after.strip() or after[0] in _CLOSING or after[0] in "\"'»”\n"
        if kind == "pin":
            return 3 <= len(value) <= 8 and (signed or alone)
        return kind == "password" and signed and alone and len(value) >= 4
    if _HARMLESS.fullmatch(value) or not re.search(r"[^\W\d_]", value):
        return False
    if not signed:
        return _strong(value)
    mixed = bool(re.search(r"\d", value)) or bool(re.search(r"\w[#$%&*+=?!@^~|\\]\w", value))
    if kind == "pin":
        return 4 <= len(value) <= 8 and value.isalnum() and mixed
    if kind == "key":
        return len(value) >= 8 and (_strong(value) or _random(value) or (len(value) >= 16 and mixed))
    return len(value) >= 6 and (mixed or _changes(value) >= 4)


def _strong(value: str) -> bool:
    """Eight characters or more with letters and digits, mixed as no word, date or reference is."""
    if len(value) < 8 or not (re.search(r"[^\W\d_]", value) and re.search(r"\d", value)):
        return False
    symbols = re.search(r"[#$%&*+=?!@^~|\\]", value)
    runs = re.findall(r"[^\W_]+", value)
    return bool(symbols) or any(_changes(run) >= 3 for run in runs) or (len(runs) == 1 and _changes(value) >= 2)


# --- checked numbers ------------------------------------------------------------------------------------------------

_GAP = "[ \u00a0\u202f.-]?"
_IBAN = re.compile(rf"(?<![^\W_])[A-Za-z]{{2}}\d{{2}}(?:{_GAP}[A-Za-z0-9]){{11,30}}")
_CARD = re.compile(rf"(?<![\w+.,/-])\d(?:{_GAP}\d){{12,18}}(?![\w/-]|[.,]\d)")
_SHORTEST_IBAN, _LONGEST_IBAN = 15, 34
_ISSUERS = re.compile(  # by issuer identification number and length (ISO/IEC 7812)
    r"4(?:\d{12}|\d{15}|\d{18})|(?:5[1-5]\d{2}|222[1-9]|22[3-9]\d|2[3-6]\d{2}|27[01]\d|2720)\d{12}|3[47]\d{13}|"
    r"(?:30[0-5]|36\d|38\d)\d{11}|35(?:2[89]|[3-8]\d)\d{12}|6(?:011|4[4-9]\d|5\d{2})\d{12}|62\d{14,17}|"
    r"(?:50|5[6-9]|6[0-9])\d{14}"
)
_OTHER_NUMBER = re.compile(
    r"(?i)(siret|siren|isbn|issn|ean|gtin|imei|isni|orcid|doi|commande|order|facture|invoice|dossier|suivi|tracking|"
    r"colis|parcel|barres|barcode|pages?|pp?\.|tél|tel|phone|n° de série|serial)[^\d\n]{0,15}$"
)
_CARD_WORD = re.compile(r"(?i)\b(cartes?|cards?|cb|visa|mastercard|amex|diners)\b[^\d\n]{0,30}$")


def _ibans(text: str) -> Iterator[Finding]:
    for match in _IBAN.finditer(text):
        ends = [i + 1 for i in range(match.start(), match.end()) if text[i].isalnum()]
        # Words may follow in the same run, so the longest part that checks is taken.
        for end in reversed(ends[_SHORTEST_IBAN - 1 : _LONGEST_IBAN]):
            complete = not text[end : end + 1].isalnum()
            bare = re.sub(r"\W", "", text[match.start() : end])
            if complete and iban.is_valid(bare, check_country=False):
                yield Finding("iban", match.start(), end)
                break


def _cards(text: str) -> Iterator[Finding]:
    for match in _CARD.finditer(text):
        digits = re.sub(r"\D", "", match[0])
        if not _ISSUERS.fullmatch(digits) or not luhn.is_valid(digits):
            continue
        before = text[max(0, match.start() - 40) : match.start()]
        named = _CARD_WORD.search(before)
        # Every SIRET passes Luhn (14 digits), and every tenth EAN (13).
        ambiguous = len(digits) == 14 or (len(digits) == 13 and ean.is_valid(digits))
        if named or not (ambiguous or _OTHER_NUMBER.search(before) or _rising(match[0])):
            yield Finding("card", match.start(), match.end())


def _rising(run: str) -> bool:
    """Whether the groups are neighbouring numbers in rising order, as page or year lists are."""
    groups = [int(g) for g in re.findall(r"\d+", run)]
    return len(groups) > 2 and all(a < b for a, b in pairwise(groups)) and groups[-1] - groups[0] < 1000
