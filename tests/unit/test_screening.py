"""Secrets are redacted, false friends are left alone. The secrets are put together here, lest a scanner flag them."""

from __future__ import annotations

import base64
import json
import socket

import pytest
from hypothesis import given
from hypothesis import strategies as st
from stdnum import iban, luhn

from hmf.policy.screening import Finding, screen, screen_fields

RUN = "aB3dE6gH9jK2mN5pQ8sT1vW4yZ7"
HEX = "3f9a8c7e6b5d4a3f2e1d"


def _part(value: dict[str, str]) -> str:
    return base64.urlsafe_b64encode(json.dumps(value).encode()).decode().rstrip("=")


def _pem(kind: str, body: str, *, closed: bool = True) -> str:
    end = f"\n-----END {kind}PRIV" + "ATE KEY-----" if closed else ""
    return f"-----BEGIN {kind}PRIV" + f"ATE KEY-----\n{body}{end}"


def _iban(country: str, account: str) -> str:
    return country + iban.calc_check_digits(f"{country}00{account}") + account


JWT = ".".join([_part({"alg": "HS256"}), _part({"sub": "1"}), "c2lnbmF0dXJl-ABC_123"])
CARD = "453914880343646"
CARD += luhn.calc_check_digit(CARD)
FR = _iban("FR", "20041010050500013M02606")

SECRETS = [  # (text, the secret inside, kind)
    ("aws-access-key", "{}", "AK" + "IA" + "IOSFODNN7EXAMPLE"),
    ("github-token", "jeton {} à changer", "gh" + "p_" + RUN + RUN[:9]),
    ("token", "fine-grained: {}", "github" + "_pat_" + RUN * 3),
    ("gitlab-token", "{}.", "gl" + "pat-" + RUN[:20]),
    ("slack-token", "bot {}", "xo" + "xb-1234567890-1234567890-" + RUN[:24].lower()),
    ("stripe-access-key", "({})", "sk" + "_live_" + RUN[:24]),
    ("token", "clé de test {}", "sk" + "_test_" + RUN[:24]),
    ("token", "{}", "sk-" + "proj-" + RUN[:20] + "T3Blbk" + "FJ" + RUN[:20]),
    ("token", "{}", "sk-" + "ant-api03-" + RUN * 2),
    ("google-key", "maps: {}", "AI" + "za" + RUN + "AbCd1234"),
    ("token", "{}", "hf" + "_" + RUN + "AbCdEf1"),
    ("sendgrid-api-key", "{}", "SG" + "." + RUN[:22] + "." + RUN + RUN[:16]),
    ("telegram-bot-token", "{}", "123456789" + ":" + RUN + "AAAAaaaa"),
    ("json-web-token", "Session {} expirée", JWT),
    ("private-key", "Collé par erreur : {} fin", _pem("RSA ", RUN * 5 + "\n" + RUN * 3 + "==")),
    ("private-key", "Pasted: {} from the laptop", _pem("", "MIIfakefakefakefake0123").replace("\n", " ")),
    ("private-key", "{}", _pem("OPENSSH ", f"{RUN * 2}\n{RUN * 2}", closed=False)),
    ("url-password", "https://jean:{}@exemple.fr/depot", "S3cret"),
    ("url-password", "postgres://hmf:{}@db:5432/notes", "tournesol"),
    ("password", "password: {}", "hunter2"),
    ("password", "Mot de passe : {}.", "Azerty2026"),
    ("password", "mot de passe : « {} »", "Lune#1902"),
    ("password", "**Mot de passe** : {}", "soleil42"),
    ("password", "mdp = {}", "Tr0ub4dor&3"),
    ("password", "MDP:{}", "Tr0ub4dor&3"),
    ("password", "Le mot de passe du wifi est {}", "Tr0ub4dor&3"),
    ("password", "Mot de passe wifi : {}", "Blé2Noir!"),
    ("password", "The password is {}", "Xk7!pq9Z"),
    ("password", "Wi-Fi password for the studio: {}", "Sunny-Day-2026"),
    ("password", "Portal login for Redwood: user quill-22, password {}.", "Otter#Lamp-9931"),
    ("password", "DB_PASSWORD='{}'", "p4ssw0rd"),
    ("password", "password: {}", "123456"),
    ("password", "passphrase: {}", "correct2horse4battery"),
    ("password", "identifiants : admin / {}", "Pa$$w0rd9"),
    ("pin", "code PIN : {}", "4821"),
    ("pin", "My PIN is {}.", "4821"),
    ("pin", "digicode de la rue Haute : {}", "12B45"),
    ("pin", "CVV: {}", "123"),
    ("key", "API key: {}", HEX),
    ("key", "clé API : {}", HEX),
    ("key", "clé d’accès OpenAI = {}", "Zx81-kkPq-2027-aB"),
    ("key", "export OPENAI_API_KEY={}", "abc123def456ghi789"),
    ("key", "client_secret={}", "9f8e7d6c5b4a39281706"),
    ("key", "license key: {}", "AB12-CD34-EF56-GH78"),
    ("key", "Jeton : {}", RUN),
    ("key", "Transcription token: {}, rotate in March.", "tok_5f.Rt8-QQ0a9zLm77"),
    ("key", "API key: {}", "123e4567-e89b-12d3-a456-426614174000"),
    ("bearer-token", "Authorization: Bearer {}", RUN),
    ("url-token", "https://x.example/cb?sig={}&x=1", RUN),
    ("iban", "IBAN {} pour la facture", FR),
    ("iban", "virement sur {}.", " ".join(FR[i : i + 4] for i in range(0, len(FR), 4))),
    ("iban", "{}", _iban("GB", "WEST12345698765432")),
    ("iban", "iban : {}", _iban("DE", "370400440532013000").lower()),
    ("card", "Carte {}, expire en 12/27", " ".join(CARD[i : i + 4] for i in range(0, 16, 4))),
    ("card", "CB {}.", CARD),
    ("card", "{}", "5555" + "-5555-5555-" + "4444"),
    ("card", "Amex: {}", "37828" + "2246310005"),
]
FRIENDS = [
    "L'éditeur refuse toute clé API en annexe.",
    "Quote: API keys are like house keys, says the locksmith.",
    "ISBN 978-2-00-000000-2",
    "ISBN : 9782000000002",
    "UUID 123e4567-e89b-12d3-a456-426614174000",
    "Commit 4f9c2b7e1a of the data notebook holds the harbour tables.",
    "commit 9fceb02d0ae598e95dc970b74767f19372d61af8",
    "sha256 e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    "doi:10.1000/xyz123",
    "https://doi.org/10.1038/s41586-020-2649-2",
    "le mot de passe des sourciers est « eau vive »",
    "Le mot de passe était : « Sésame, ouvre-toi ».",
    "The passphrase in the novel is open sesame.",
    "pages 4012 4018 4022 4030",
    "pp. 1203-1245, 1302-1310",
    "SIRET 382 940 123 00015",
    "SIRET : 73282932000074",
    "+33 6 12 34 56 78",
    "06 12 34 56 78 / 01 42 34 56 78",
    "ISSN 0378-5955",
    "EAN 4006381333931",
    "ORCID 0000-0002-1825-0097",
    f"Commande n° {CARD}",
    f"Order {CARD} shipped",
    "API key rotation: 2026-12-01",
    "The API key is the subject of chapter 3.",
    "The API key is on page 12",
    "password reset: see the manual",
    "password: see the notebook",
    "mot de passe : voir le carnet rouge",
    "Mot de passe oublié ? Écrire à l'aide.",
    "mot de passe de 12 caractères minimum",
    "mot de passe : 8 caractères",
    "password policy: 12 characters minimum",
    "The password is never spoken aloud.",
    "password: 1984 is the novel",
    "password COVID-19-related",
    "Essay idea: why people reuse passwords.",
    "Le mot de passe est à la page 1234.",
    "token count: 4,096",
    "Tokens: 15000",
    "Session token limit: 8k",
    "token budget is 15k",
    "jeton : objet rituel",
    "secret: the lighthouse is red",
    "Secret : le gardien ment",
    "The secret is out since 2019.",
    "Mon secret : 12h de sommeil",
    "Le code secret : une énigme du chapitre 7",
    "code postal : 75011",
    "code PIN oublié",
    "pin the note: Monday",
    "Pin Mill: 1234 visitors",
    "épingle (pin) : 3 cm",
    "key: B-flat major",
    "Clé de sol, mesure 12",
    "private key: a novel idea",
    "bearer of bad news responsibilities",
    "Authorization: see annex 4",
    "2026-11-30T09:15:17+01:00",
    "20261130093000",
    "git@github.com:user/repo.git",
    "https://exemple.fr:8080/a@b",
    "jean@exemple.fr",
    "http://localhost:6333/dashboard",
    "https://x.fr/?page=12&key=accueil",
    "sk-learn is a library",
    "key-findings-2026-Report-v2.pdf",
    "login page: dark theme",
    "Identifiants : chapitre 3, page 12",
    "Redwood gave the purchase order number for invoice 2026-033: RW-7718.",
    "numéro de série : AB123456",
    "FR2024 ABCD",
    "Version 3.11.7-rc1",
    'A file that begins with "-----BEGIN PRIV' + 'ATE KEY-----" is a key.',
    "password: ${DB_PASSWORD}",
    "mot de passe : ********",
    "東京のパスワードは秘密です",
]


@pytest.mark.parametrize(("kind", "frame", "secret"), SECRETS)
def test_a_secret_is_found_named_and_redacted_alone(kind: str, frame: str, secret: str) -> None:
    text = frame.format(secret)
    found = screen(text)
    assert [f.kind for f in found.findings] == [kind]
    assert text[found.findings[0].start : found.findings[0].end] == secret
    assert found.text == frame.format(f"[redacted:{kind}]")


@pytest.mark.parametrize(("kind", "frame", "secret"), SECRETS)
def test_a_secret_is_found_in_the_middle_of_prose_in_both_languages(kind: str, frame: str, secret: str) -> None:
    for before, after in (("Vu avec Odile à midi.\n", "\nÀ revoir mardi."), ("Seen with Sunita.\n", "\nAsk again.")):
        assert secret not in screen(before + frame.format(secret) + after).text


@pytest.mark.parametrize("text", FRIENDS)
def test_a_false_friend_is_left_as_it_is(text: str) -> None:
    assert screen(text) == screen(text, allow=())
    assert screen(text).text == text
    assert screen(f"Note du jour.\n{text}\nFin.").findings == ()


def test_there_are_enough_examples() -> None:
    assert len(SECRETS) >= 40
    assert len(FRIENDS) >= 60


@pytest.mark.parametrize(
    "allow", [["password"], ["hunter2"], ["hunter\\d"], ["mot de passe de test : .*"], ["other", "hunter2"]]
)
def test_what_is_allowed_passes_by_kind_text_or_pattern(allow: list[str]) -> None:
    text = "mot de passe de test : hunter2"
    assert screen(text, allow=allow).text == text
    assert screen(text, allow=["hunter", "pin"]).text != text


def test_allowing_one_secret_does_not_let_another_through() -> None:
    found = screen("password: hunter2, password: hunter3", allow=["hunter2"])
    assert found.text == "password: hunter2, password: [redacted:password]"


def test_positions_are_those_of_the_text_as_given() -> None:
    text = "🪶 é password: hunter2 et code PIN : 4821"
    assert screen(text).findings == (Finding("password", 14, 21), Finding("pin", 36, 40))


def test_every_field_is_screened_however_deep_and_by_its_name() -> None:
    fields: dict[str, object] = {
        "title": "Accès : mdp : Azerty12",
        "tags": ["ok", "password: hunter2"],
        "source": {"ref": "https://a:b1@c.example", "author": "Odile"},
        "password": "hunter2",
        "state": {"api_key": HEX, "words": 700, "done": True, "none": None},
        "pair": ("a", "password: hunter2"),
    }
    found = screen_fields(fields)
    assert found.fields == {
        "title": "Accès : mdp : [redacted:password]",
        "tags": ["ok", "password: [redacted:password]"],
        "source": {"ref": "https://a:[redacted:url-password]@c.example", "author": "Odile"},
        "password": "[redacted:password]",
        "state": {"api_key": "[redacted:key]", "words": 700, "done": True, "none": None},
        "pair": ("a", "password: [redacted:password]"),
    }
    assert set(found.findings) == {"title", "tags.1", "source.ref", "password", "state.api_key", "pair.1"}
    assert found.findings["password"] == (Finding("password", 0, 7),)
    assert fields["password"] == "hunter2"


def test_clean_fields_come_back_equal() -> None:
    fields: dict[str, object] = {"title": "La Feuille lente", "tags": ["a", "b"], "n": 3}
    assert screen_fields(fields).fields == fields
    assert screen_fields(fields).findings == {}


@given(st.lists(st.sampled_from(SECRETS).map(lambda row: row[1].format(row[2])) | st.sampled_from(FRIENDS), max_size=5))
def test_screening_twice_finds_nothing_more(parts: list[str]) -> None:
    once = screen("\n".join(parts)).text
    assert screen(once).text == once


@given(st.text(max_size=300))
def test_any_text_is_screened_and_only_the_findings_change(text: str) -> None:
    found = screen(text)
    kept, position = [], 0
    for finding in found.findings:
        assert position <= finding.start < finding.end <= len(text)
        kept += [text[position : finding.start], f"[redacted:{finding.kind}]"]
        position = finding.end
    assert found.text == "".join([*kept, text[position:]])


@given(st.from_regex(r"[a-zéèàç ,.]{0,200}", fullmatch=True))
def test_prose_without_digits_or_capitals_is_never_touched(text: str) -> None:
    assert screen(text).text == text


@given(st.integers(0, 10**23 - 1))
def test_any_french_iban_is_caught_and_one_wrong_digit_is_not(account: int) -> None:
    number = _iban("FR", f"{account:023d}")
    assert screen(f"sur {number} svp").text == "sur [redacted:iban] svp"
    wrong = number[:2] + f"{(int(number[2:4]) + 1) % 100:02d}" + number[4:]
    assert [f for f in screen(f"sur {wrong} svp").findings if f.kind == "iban"] == []


@given(st.integers(0, 10**14 - 1))
def test_any_visa_number_is_caught_and_one_wrong_digit_is_not(body: int) -> None:
    number = f"4{body:014d}"
    number += luhn.calc_check_digit(number)
    assert screen(f"carte {number}").text == "carte [redacted:card]"
    wrong = number[:-1] + str((int(number[-1]) + 1) % 10)
    assert screen(f"carte {wrong}").findings == ()


def test_no_connection_is_opened(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("screening must not use the network")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    for _, frame, secret in SECRETS:
        assert screen(frame.format(secret)).findings


@pytest.mark.parametrize(
    "piece", ["password ", "mdp: ", "4", "FR76 ", "://a:", "eyJ", "sk-", "eyJa.", "A_", "A1", "-----BEGIN ", "é "]
)
def test_a_hostile_repetition_is_no_secret_and_ends(piece: str) -> None:
    text = piece * (20_000 // len(piece))  # a pattern that backtracks without bound would not come back from this
    assert screen(text).text == text
