"""What can be said of a text by itself: is it clean, the same, a question, which sentences."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Iterator
from itertools import zip_longest

from sentencex import segment

from hmf.errors import InvalidInput
from hmf.policy.folding import fold
from hmf.policy.language import word_set

_FORBIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff]")
_BREAKS = re.compile("\r\n?")

_QUOTES = str.maketrans(
    {
        **dict.fromkeys("’‘‚‛ʼ´`", "'"),
        **dict.fromkeys("“”„‟«»‹›", '"'),
        **dict.fromkeys("\u00ad\u200b\u2060\ufeff", None),  # soft hyphen, zero-width space, word joiner, BOM
        **dict.fromkeys("\u2010\u2011", "-"),
    }
)
# French typography sets a space inside guillemets and before high punctuation; English does not.
_INNER = re.compile(r"(?<=[«‹]) | (?=[»›;:!?])")

_CLOSERS = " \t\n\"'”’»)]}"
_ASKED = re.compile(r"[?？؟]")
_LABEL = re.compile(r"^[^?？؟:]{1,60}\s?:\s")
_ASKS = {
    "fr": re.compile(
        r"^(et |mais |alors )?("
        r"est-ce qu|qu'est-ce qu|c'est quoi|(a |de |pour |avec )?quel(le)?s? |"
        r"((a|de|pour|avec|chez) )?(qui|quoi|ou|quand|combien|comment|pourquoi) "
        r"(est|sont|etait|etaient|sera|en est|se)\b|"
        r"((a|de|pour|avec) )?(qui|quoi|que|qu'|ou|quand|combien|comment|pourquoi)\b.{0,60}?[a-z]-(t-)?"
        r"(je|tu|il|elle|on|nous|vous|ils|elles|ce)\b|"
        r"[a-z]{2,}-(t-)?(je|tu|il|elle|on|ils|elles)\b)"  # without nous and vous: "rendez-vous" is none
    ),
    "en": re.compile(
        r"^(and |but |so )?("
        r"(what|who|where|when|why|how|which|whose) (\w+ ){0,2}?"
        r"(is|are|was|were|do|does|did|can|could|will|would|should|has|have|had)\b|"
        r"(what|who|where|when|how)('s|'re)\b|how (much|many|long|often|far|old)\b|"
        r"(is|are|was|were|does|did|can|could|will|would|should|has) "
        r"(i|you|he|she|it|we|they|there|this|that|the|my|our)\b|"
        r"(do|have|had) (i|you|we|they)\b)"  # "do it" and "have the text ready" are orders
    ),
}
_LONGEST_BARE_QUESTION = 12  # words


def clean(text: str) -> str:
    """The text as it is stored: NFC, line feeds only, no blank around it.

    Raises InvalidInput for a text without a visible character, and for NUL, other control characters
    (but tab and line feed) and lone surrogates, with the position of the first.
    """
    body = _BREAKS.sub("\n", text)
    bad = _FORBIDDEN.search(body)
    if bad:
        code = ord(bad[0])
        what = "a lone surrogate (half a character)" if code >= 0xD800 else "a control character"
        raise InvalidInput(
            f"The text holds {what}, U+{code:04X}, at position {bad.start()}.",
            fix="remove it, or read the text again with its right encoding (usually UTF-8)",
        )
    body = unicodedata.normalize("NFC", body).strip().strip("\ufeff").strip()
    if all(unicodedata.category(c)[0] in "ZC" for c in body):
        raise InvalidInput("The text is empty.", fix="give at least one visible character")
    return body


def check_size(text: str, max_chars: int) -> None:
    """Raise InvalidInput when the text is longer than `max_chars` characters."""
    if len(text) > max_chars:
        raise InvalidInput(
            f"The text has {len(text)} characters, and the limit is {max_chars}.",
            fix="split it into several memories, or raise `screening.max_chars` in the configuration",
        )


def content_hash(text: str) -> str:
    """Sha256 (64 hex digits) that two writings of one text share.

    Case, line breaks, spaces, compatibility forms and typographic quotes, apostrophes and spaces do not count.
    Accents, digits, words and the other punctuation do: "vu ?" is not "vu.", "résumé" is not "resume".
    """
    spaced = _INNER.sub("", " ".join(unicodedata.normalize("NFC", text).split())).translate(_QUOTES)
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", spaced).casefold())
    return hashlib.sha256(" ".join(folded.split()).encode("utf-8", "replace")).hexdigest()


def is_question(text: str, language: str) -> bool:
    """Whether the text asks and states nothing: every sentence of it is a question.

    "Idea: why do lamps go out?" is a note with a label. Without a question mark, only a short text built like a
    question counts, in French and English.
    """
    body = text.strip()
    if not body or _LABEL.match(body):
        return False
    if _ASKED.search(body):
        return all(s.rstrip(_CLOSERS)[-1:] in "?？؟" for s in sentences(body, language))
    words = body.rstrip(".").split()
    pattern = _ASKS.get(language)
    bare = len(words) <= _LONGEST_BARE_QUESTION and not re.search(r"[.;,!…]", body)
    return bool(pattern and bare and pattern.match(fold(body)))


# Abbreviations after which a sentence goes on: titles with their capital and links whatever follows; references only
# before a figure or a small letter, for "500 p." and "Inc." also end sentences.
_TITLES = {
    "fr": word_set("M MM Mme Mmes Mlle Mlles Dr Drs Pr Prs Me Mes Mgr St Ste Sts Stes"),
    "en": word_set("Mr Mrs Ms Dr Prof Rev Hon Gen Col Capt Lt Sgt St Mt Messrs"),
}
_LINKS = {"fr": frozenset(("cf", "c.-à-d")), "en": frozenset(("cf", "vs", "e.g", "i.e", "viz"))}
_REFERENCES = {
    "fr": word_set(
        "p pp art chap fig vol t n no nos num éd ed coll env av apr ap janv févr fév mars avr juil sept oct "
        "nov déc j.-c tél réf ex al ann sect tabl hab boul bd max min approx"
    ),
    "en": word_set(
        "p pp art ch chap fig vol no nos ed eds sec par approx ca est jan feb mar apr jun jul aug sep sept "
        "oct nov dec tel ref al dept max min inc ltd co a.m p.m a.d b.c"
    ),
}
_LAST_WORD = re.compile(r"(?:^|(?<=[\s(\[«“\"'’]))([^\W\d]+(?:[.-]+[^\W\d]+)*)\.[ \t\u00a0\u202f]*$")
_MARKER = re.compile(r"^\s*\d{1,3}[.)]\s*$")
_PORTION = 10_000  # characters
_PARAGRAPHS = re.compile(r"\n\s*\n|\n(?=\s*(?:[-*•–]|\d+[.)])\s)")


def sentences(text: str, language: str) -> list[str]:
    """The sentences in order, each a stripped piece of the text; blank lines and list items always part them.

    sentencex cuts; what it cuts after an abbreviation ("M. Dupont", "art. 5") or a list number is joined again.
    """
    found: list[str] = []
    for paragraph in _PARAGRAPHS.split(text):
        pieces = [piece for portion in _portions(paragraph) for piece in segment(language, portion)]
        held = ""
        for piece, follower in zip_longest(pieces, pieces[1:], fillvalue=""):
            held += piece
            if not _goes_on(held, follower, language):
                found.append(held)
                held = ""
    return [s.strip() for s in found if s.strip()]


def _portions(paragraph: str) -> Iterator[str]:
    """The paragraph in parts short enough for sentencex, whose time grows with the square of unclosed quotes."""
    start = 0
    while len(paragraph) - start > _PORTION:
        stop, space = paragraph.rfind(". ", start, start + _PORTION), paragraph.rfind(" ", start, start + _PORTION)
        end = stop + 2 if stop >= start else space + 1 if space >= start else start + _PORTION
        yield paragraph[start:end]
        start = end
    yield paragraph[start:]


def _goes_on(head: str, follower: str, language: str) -> bool:
    """Whether what was cut between the two is one sentence all the same."""
    if not follower.strip():
        return False
    # Cut in the middle of a word, as in "c.-à-d.".
    if _MARKER.match(head) or (head.endswith(".") and not follower[0].isspace()):
        return True
    last = _LAST_WORD.search(head[-40:])
    if not last:
        return False
    word = last[1]
    if word in _TITLES.get(language, ()) or word.lower() in _LINKS.get(language, ()):
        return True
    begins = follower.lstrip()[0]
    return word.lower() in _REFERENCES.get(language, ()) and (begins.isdigit() or begins.islower())
