"""Whether two texts are one memory told twice, or two that are worded alike.

Two notes that differ in one number, name, date or negation are two memories, however near their vectors are:
`near_twin` knows such a pair. What differs in its form only, or by one ordinary word in many, says the same again:
`alike`. It compares prints, which are numbers: under a secret key they recognise a text whose words are kept nowhere
any more.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2b

from hmf.policy.folding import fold
from hmf.policy.language import FUNCTION_WORDS, word_set
from hmf.policy.reconcile.words import OPPOSITES
from hmf.policy.stems import stem

# Signs of scripts without word spaces are a token each.
_TOKENS = re.compile(
    r"[\u3040-\u30fa\u30fc-\u30ff\u3400-\u9fff\uac00-\ud7af]|(?:(?<![\w-])[-−])?\d+(?:[.,\u202f\u00a0]\d+)*|[^\W\d_]+(?:-\d+|\d+)*|[?%€$£]"
)
_TELLING: Mapping[str, frozenset[str]] = {
    "negation": word_set(
        "ne n pas plus jamais rien aucun aucune sans non ni guere sauf not no never nor none without cannot "
        "nothing neither except t"
    ),
    "number": word_set(
        "zero deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize "
        "vingt trente quarante cinquante soixante cent mille million premier premiere second seconde deuxieme "
        "troisieme dernier derniere one two three four five six seven eight nine ten eleven twelve thirteen "
        "fourteen fifteen sixteen twenty thirty forty fifty sixty hundred thousand first third fourth last"
    ),
    "date": word_set(
        "janvier fevrier mars avril mai juin juillet aout septembre octobre novembre decembre lundi mardi "
        "mercredi jeudi vendredi samedi dimanche hier demain matin midi soir printemps ete automne hiver "
        "january february march april may june july august september october november december monday tuesday "
        "wednesday thursday friday saturday sunday yesterday tomorrow morning noon evening spring summer "
        "autumn winter"
    ),
    "opposite": word_set("avant apres moins avec before after less more with until from depuis jusqu"),
}
_ALL_TELLING = frozenset().union(*_TELLING.values())
_ALL_FUNCTION_WORDS = frozenset(fold(w) for words in FUNCTION_WORDS.values() for w in words) - _ALL_TELLING
_SHARED = 0.5  # of the words of the shorter text


def near_twin(a: str, b: str) -> bool:
    """Whether two texts are worded alike and yet differ in a number, a name, a date or a negation.

    Such a pair is two memories, however near their vectors are. False for texts that share less than half of
    their words, and for those that differ in wording only (which may be the same memory told twice).
    """
    a, b = _bare(a), _bare(b)
    first, second = Counter(_tokens(a)), Counter(_tokens(b))
    common = (first & second).total()
    if common < _SHARED * max(1, min(first.total(), second.total())):
        return False
    names = _names(a) | _names(b)
    different = (first - second) + (second - first)
    if not different:  # the same words: who did it to whom?
        return any(
            [t for t in _tokens(a) if told(t)] != [t for t in _tokens(b) if told(t)]
            for told in (names.__contains__, _counts)
        )
    return any(token in names or token in _ALL_TELLING or _counts(token) or _caseless(token) for token in different)


def _tokens(text: str) -> list[str]:
    return [fold(token) for token in _TOKENS.findall(text)]


def _names(text: str) -> set[str]:
    """Words with a capital letter anywhere but function words: a sentence may begin with a name."""
    return {fold(token) for token in _TOKENS.findall(text) if token[:1].isupper()} - _ALL_FUNCTION_WORDS


def _counts(token: str) -> bool:
    return not token.isalpha()


def _caseless(token: str) -> bool:
    # Scripts without capitals do not show which words are names, so any may be.
    return token.lower() == token.upper()


_LABELS = (
    "notes?|nb|n\\.b\\.|ps|p\\.s\\.|m[eé]mo|rappel|reminder|remember|info|fyi|pour info(?:rmation)?|to ?do|[aà] noter|"
    "[aà] retenir|important|attention|remarque|pr[eé]cision"
)
_OPENS = re.compile(rf"^(?:[\s>#*•–—·・▪◦-]+|\[[ x]?\]|(?:{_LABELS})[*_]*\s*[:–—-][*_]*\s+)+", re.M | re.I)
_ENDS = re.compile(rf"(?:[\s([–—-]+(?:{_LABELS})\s*[)\]:]+)+\s*$", re.I)
"""What is set before or after a note without being part of it: a bullet, a box to tick, a word like "Note:"."""

_WORDS = re.compile(r"(?:(?<!\w)-)?\d+(?:[.,/:-]\d+)*|[^\W_]+|[?%€$£+]")
_SENTENCE = re.compile(r"(?:^|[.!?…:;\n]\s*|[-*•–—]\s)[\"'«“(\s]*$")
_SHORT, _LONG = 5, 8
"""Words that tell something, from which one more or one less, and from which one in the place of another, is taken for
the same memory told again."""


@dataclass(frozen=True, slots=True)
class Prints:
    """What is compared of a text. Without the key that was used nothing can be tried against it."""

    whole: frozenset[int]
    """The text: its wording, and its words and figures whatever the small words, the forms and the order."""
    parts: frozenset[int]
    """The same without one ordinary word. Empty for short texts, of which each word may be what matters."""
    long: bool
    """Whether another word may stand for one of its words."""


def wording(text: str) -> str:
    """The words, figures and question marks of a text in order: without case, accents, other punctuation, and without
    what only introduces a note (a bullet, "Note:")."""
    return " ".join(_WORDS.findall(fold(_bare(text))))


def prints(text: str, language: str, key: bytes = b"") -> Prints:
    """The prints of a text. `key`: at most 64 bytes, a secret of the store; prints of two keys have nothing in
    common."""
    whole, parts = {_number(key, ("wording", wording(text)))}, set[int]()
    size = 0
    for form in _forms(text, language):
        size = max(size, len(form.words) + sum(map(len, form.told)))
        whole.add(form.number(key, form.words))
        if size >= _SHORT:
            for n, word in enumerate(form.words):
                if n == 0 or form.words[n - 1] != word:  # they are sorted
                    parts.add(form.number(key, [*form.words[:n], *form.words[n + 1 :]]))
    return Prints(frozenset(whole), frozenset(parts), size >= _LONG)


def alike(one: Prints, other: Prints) -> bool:
    """Whether two texts say the same: the same words in another form, or one ordinary word more, less or, in long
    texts, in the place of another. Never with another number, name, date or negation."""
    if one.whole & (other.whole | other.parts) or one.parts & other.whole:
        return True
    return one.long and other.long and bool(one.parts & other.parts)


@dataclass(frozen=True, slots=True)
class _Form:
    """One reading of a text: what must be equal, kind by kind, and the ordinary words, sorted."""

    told: tuple[tuple[str, ...], ...]
    words: tuple[str, ...]

    def number(self, key: bytes, words: Sequence[str]) -> int:
        return _number(key, (*("\1".join(kind) for kind in self.told), "\1".join(words)))


def _forms(text: str, language: str) -> Iterable[_Form]:
    """Two readings, since a capital at the beginning of a sentence may be a name's or not."""
    body = _bare(text)
    shouted = not any(c.islower() for c in body)
    names: tuple[list[str], list[str]] = ([], [])
    words: tuple[list[str], list[str]] = ([], [])
    figures: list[str] = []
    telling: list[str] = []
    for match in _TOKENS.finditer(body):
        token = match[0]
        folded = fold(token)
        if folded in _ALL_FUNCTION_WORDS:
            continue
        if folded in _ALL_TELLING or folded in OPPOSITES:
            telling.append(folded)
        elif _counts(token):
            figures.append(folded)
        elif _caseless(token):
            names[0].append(folded)
            names[1].append(folded)
        elif token[0].isupper() and not shouted:
            initial = _SENTENCE.search(body[max(0, match.start() - 6) : match.start()]) is not None
            names[0].append(folded)
            (words if initial else names)[1].append(stem(folded, language) if initial else folded)
        else:
            for own in words:
                own.append(stem(folded, language))
    fixed = (tuple(figures), tuple(sorted(telling)))
    return dict.fromkeys(_Form((tuple(names[n]), *fixed), tuple(sorted(words[n]))) for n in (0, 1))


def _bare(text: str) -> str:
    bare = _ENDS.sub("", _OPENS.sub("", unicodedata.normalize("NFKC", text)))
    return bare if _WORDS.search(bare) else text


@lru_cache(maxsize=4)
def _keyed(key: bytes) -> blake2b:
    return blake2b(digest_size=8, key=key)


def _number(key: bytes, parts: Sequence[str]) -> int:
    """63 bits, which both databases hold in an integer."""
    digest = _keyed(key).copy()
    digest.update("\0".join(parts).encode("utf-8", "surrogatepass"))
    return int.from_bytes(digest.digest(), "big") >> 1
