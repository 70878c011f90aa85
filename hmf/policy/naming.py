"""The names a question mentions, told by capitals, by quotation marks and by the shape of codes; no list of names."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass

from hmf.policy.folding import fold
from hmf.policy.timelexicon import MONTHS, WEEKDAYS

_READ = 20_000  # characters: a name further down a pasted page is not what is asked about
_QUOTED = re.compile(
    r"«\s?([^«»]{1,80}?)\s?»|“([^“”]{1,80})”|„([^„“”]{1,80})[“”]|\"([^\"]{1,80})\"|(?<!\w)‘([^‘’]{1,80})’(?!\w)"
)
_CODE = re.compile(
    r"(?<![\w.,/-])(?:97[89](?:[ -]?[0-9]){10}"
    r"|(?=[^\s]{0,60}[0-9])[^\W_]{1,20}(?:[/-][^\W_]{1,20}){1,6}|[A-Z]{1,5}[0-9]{2,9})"
    r"(?![\w-])"
)
_NO_CODE = re.compile(
    r"[0-9]{4}-[0-9]{2}-[0-9]{2}|[0-9]{1,2}/[0-9]{1,2}(?:/[0-9]{2,4})?|(?:19|20)[0-9]{2}[-/](?:19|20)?[0-9]{2}"
    r"|[0-9]+[-/][^\W\d]{2,}(?:-[^\W\d]+)*|[^\d]+"
)
"""Dates, spans of years, "8-page", and words without a digit."""
_TOKEN = re.compile(r"[^\W\d_](?:[^\W_]|['’](?=[^\W\d_])|-(?=[^\W_]))*|\n|[^\s]")
_ELISION = re.compile(r"(?:[dnsmtcjlDNSMTCJ]|[Qq]u|[Jj]usqu|[Ll]orsqu|[Pp]uisqu)['’](?=.)")
_CALENDAR = frozenset((*MONTHS, *WEEKDAYS, *(f"{day}s" for day in WEEKDAYS)))
_FIRST_PERSON = frozenset(("i", "i'm", "i've", "i'd", "i'll"))
_PARTICLES = frozenset(
    ("de", "du", "des", "la", "le", "les", "von", "van", "der", "den", "di", "da", "del", "of", "the", "&")
)
_FUNCTION_WORDS = (
    "a ai-je ainsi alors am an and any apres are as at au aucun aussi aux avais-je avant avec because before "
    "besides both but by can ce ceci cela ces cet cette chez combien comme comment could d'apres dans de depuis "
    "des did do does dois-je donc donne donnez dont du during each either elle elles en encore enfin entre envers "
    "es-tu est est-ce et etait-ce every fais faites faut-il for from give had has have he her here his how "
    "however i i'd i'll i'm i've if il ils in is it its je jusqu'a list lors lorsque mais may me mes met might "
    "mon must my ni no nos not notre nous of on or ou oui our par parce parmi pas peut-on please pour pourquoi "
    "puis puis-je qu qu'est-ce quand que quel quelle quelles quels qui quoi remind sa sans selon ses shall she "
    "should show si since so son sous sur ta tell tes than that the their then there these they this those to toi "
    "ton tous tout toute toutes tu un une until va was we were what when where whether which while who whom whose "
    "why will with without would y yes you your"
)
_PLAIN = frozenset(_FUNCTION_WORDS.split())
"""Words that only build a sentence: with a capital at its beginning they are no part of a name."""


def names(question: str) -> tuple[str, ...]:
    """Quoted passages, codes and capitalised names, as written (NFC), each once, in the order they come.

    A word at the beginning of a sentence counts only with a capital after it ("Rhona Tait said": then the
    name is given with it and without), inside it ("O'Brien") or throughout ("SNCF"); a text all in
    capitals tells no names.
    """
    text = unicodedata.normalize("NFC", question[:_READ])
    found: list[tuple[int, str]] = []

    def take(match: re.Match[str]) -> str:
        value = next((group for group in match.groups() if group), match[0]).strip()
        if value:
            found.append((match.start(), value))
        return "," * len(match[0])

    def take_code(match: re.Match[str]) -> str:
        return match[0] if _NO_CODE.fullmatch(match[0]) or _span_of_numbers(match[0]) else take(match)

    text = _CODE.sub(take_code, _QUOTED.sub(take, text))
    if not text.isupper() or len(text.replace(",", " ").split()) < 3:
        found += _capitalised(text)
    return tuple(dict.fromkeys(value for _, value in sorted(found)))


def _span_of_numbers(code: str) -> bool:
    """Whether it is "700-900" rather than a number such as 2026-042."""
    low, _, high = code.partition("-")
    plain = low.isdecimal() and high.isdecimal() and len(low) <= len(high)
    return plain and not high.startswith("0") and int(low) < int(high)


@dataclass(frozen=True, slots=True)
class _Word:
    """A word without its elision ("d'Armel": `lead` d', `text` Armel); `opens` when it begins a sentence."""

    lead: str
    text: str
    start: int
    end: int
    opens: bool

    @property
    def telling(self) -> bool:
        """A name wherever it stands: capitals inside, or throughout."""
        inner = self.text.removesuffix("'s").removesuffix("’s")[1:]
        return any(char.isupper() for char in inner)

    @property
    def capital(self) -> bool:
        """Written with a capital that is not due to its place alone."""
        low = fold(self.text)
        plain = low in _FIRST_PERSON or (self.opens and low in _PLAIN and not self.telling)
        return self.text[0].isupper() and not plain


def _words(text: str) -> Iterator[_Word | None]:
    """The words in order, and None for what parts them: punctuation, a line's end, a figure."""
    opens = True
    for token in _TOKEN.finditer(text):
        word = token[0]
        if not word[0].isalpha() and word != "&":
            opens = word in ".!?:;…\n" or (opens and not word.isalnum())
            yield None
            continue
        elided = _ELISION.match(word)
        lead = elided[0] if elided and not (word[0] == "L" and word[2].isupper()) else ""
        core = word[len(lead) :]
        mark = 2 if core.endswith(("'s", "’s")) else 0
        yield _Word(lead, core, token.start() + len(lead), token.end() - mark, opens)
        if mark:
            yield None
        opens = False


def _capitalised(text: str) -> Iterator[tuple[int, str]]:
    """Runs of capitalised words, with the particles between them."""
    run: list[_Word] = []
    for word in _words(text):
        if word is not None and word.capital:
            if word.lead.lower() not in ("", "d'", "d’", "l'", "l’"):
                yield from _name(text, run)
                run = []
            run.append(word)
        elif word is None or word.text not in _PARTICLES:
            yield from _name(text, run)
            run = []
    yield from _name(text, run)


def _name(text: str, run: list[_Word]) -> Iterator[tuple[int, str]]:
    """The run as a name, unless its capital only begins a sentence, or it is a day, a month or a single letter.

    Whether "Rhona" in "Rhona Tait said" or "Rappeler" in "Rappeler Tanguy" belongs to it, no rule can
    tell: both readings are given. An article that opens the sentence does belong ("Le Cèdre paie").
    """
    doubtful = bool(run) and run[0].opens and not run[0].telling
    readings = [run, run[1:]] if doubtful and fold(run[0].text) not in _PARTICLES else [run]
    for words in readings[len(run) == 1 and doubtful :]:
        if words and len(words[-1].text) * len(words) > 1 and not all(fold(w.text) in _CALENDAR for w in words):
            yield words[0].start, " ".join(text[words[0].start : words[-1].end].split())
