"""The words of time in French and English, folded (lower case, no accents, plain apostrophes)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Final

FEW: Final = 7
"""How many "a few" may be at most; it is two at least."""

_FR_MONTHS = "janvier fevrier mars avril mai juin juillet aout septembre octobre novembre decembre"
_EN_MONTHS = "january february march april may june july august september october november december"
_FR_DAYS = "lundi mardi mercredi jeudi vendredi samedi dimanche"
_EN_DAYS = "monday tuesday wednesday thursday friday saturday sunday"
_EN_COUNT = "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen"
_FR_COUNT = "un deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize dix-sept dix-huit"


def _numbered(*rows: str, start: int = 1) -> dict[str, int]:
    return {word: n for row in rows for n, word in enumerate(row.split(), start)}


MONTHS: Mapping[str, int] = _numbered(_FR_MONTHS, _EN_MONTHS)
SHORT_MONTHS: Mapping[str, int] = {
    "janv": 1, "jan": 1, "fevr": 2, "fev": 2, "feb": 2, "mar": 3, "avr": 4, "apr": 4, "jun": 6, "juil": 7, "jul": 7,
    "aug": 8, "sept": 9, "sep": 9, "oct": 10, "nov": 11, "dec": 12,
}  # fmt: skip
ENGLISH_MONTHS = frozenset(_numbered(_EN_MONTHS))
WEEKDAYS: Mapping[str, int] = _numbered(_FR_DAYS, _EN_DAYS, start=0)
FRENCH_WEEKDAYS = frozenset(_numbered(_FR_DAYS))
SEASONS: Mapping[str, int] = {
    "printemps": 3, "spring": 3, "ete": 6, "summer": 6, "automne": 9, "autumn": 9, "fall": 9, "hiver": 12, "winter": 12,
}  # fmt: skip
"""The month a season begins with."""
FIXED_FEASTS: Mapping[str, tuple[int, int]] = {
    "jour de l'an": (1, 1), "nouvel an": (1, 1), "new year": (1, 1), "new year's day": (1, 1),
    "epiphanie": (1, 6), "saint-valentin": (2, 14), "valentine's day": (2, 14), "saint-jean": (6, 24),
    "assomption": (8, 15), "halloween": (10, 31), "toussaint": (11, 1), "christmas eve": (12, 24),
    "noel": (12, 25), "christmas": (12, 25), "christmas day": (12, 25), "boxing day": (12, 26),
    "saint-sylvestre": (12, 31), "new year's eve": (12, 31),
}  # fmt: skip
MOVING_FEASTS: Mapping[str, int] = {"paques": 0, "easter": 0, "ascension": 39, "pentecote": 49, "pentecost": 49}
"""Days after Easter Sunday."""
NEAR_DAYS: Mapping[str, int] = {
    "avant-hier": -2, "avant hier": -2, "hier": -1, "aujourd'hui": 0, "aujourdhui": 0, "demain": 1,
    "apres-demain": 2, "apres demain": 2, "day before yesterday": -2, "yesterday": -1, "today": 0,
    "tomorrow": 1, "day after tomorrow": 2,
}  # fmt: skip
DAY_PARTS: Mapping[str, tuple[int, int]] = {
    **dict.fromkeys(("matin", "matinee", "morning"), (0, 12)),
    **dict.fromkeys(("apres-midi", "afternoon"), (12, 18)),
    **dict.fromkeys(("soir", "soiree", "evening"), (18, 24)),
    **dict.fromkeys(("nuit", "night"), (18, 30)),
}
"""Local hours, from and to; 30 is six the next morning. A morning begins at midnight, so that no note falls between."""
UNITS: Mapping[str, str] = {
    "minute": "minute", "heure": "hour", "hour": "hour", "jour": "day", "journee": "day", "day": "day",
    "semaine": "week", "week": "week", "fortnight": "fortnight", "mois": "month", "month": "month",
    "trimestre": "quarter", "quarter": "quarter", "an": "year", "annee": "year", "year": "year",
    "week-end": "weekend", "weekend": "weekend", "week end": "weekend",
}  # fmt: skip
RANKS: Mapping[str, int] = {
    **dict.fromkeys(("premier", "1er", "first", "1st"), 1),
    **dict.fromkeys(("deuxieme", "second", "2e", "2nd"), 2),
    **dict.fromkeys(("troisieme", "third", "3e", "3rd"), 3),
    **dict.fromkeys(("quatrieme", "fourth", "4e", "4th"), 4),
}
EDGES: Mapping[str, int] = {
    "debut": 0, "early": 0, "beginning": 0, "start": 0, "mi": 1, "mid": 1, "milieu": 1, "middle": 1, "fin": 2,
    "late": 2, "end": 2,
}  # fmt: skip
"""Which third of a period."""
LAST_YEAR = "l'an dernier|l'an passe|l'annee derniere|l'annee passee|last year"
PAST, NEXT = "derniere?s?|passee?s?|last|previous|past", "prochaine?s?|next|coming"


def any_of(words: Iterable[str]) -> str:
    """A regular expression for one of the words, the longest first."""
    return "|".join(re.escape(word).replace(r"\ ", " ") for word in sorted(words, key=len, reverse=True))


_TENS = (
    ("twenty", "vingt"),
    ("thirty", "trente"),
    ("forty", "quarante"),
    ("fifty", "cinquante"),
    ("sixty", "soixante"),
)
_EN, _FR = _numbered(_EN_COUNT + " eighteen nineteen"), _numbered(_FR_COUNT + " dix-neuf")
SOME = frozenset(("few", "a few", "several", "quelques", "plusieurs"))
_SIMPLE: Mapping[str, int] = {
    **_EN, **_FR, **dict.fromkeys(SOME, FEW), "une": 1, "a": 1, "an": 1, "ninety": 90, "quatre-vingt-dix": 90,
    "cent": 100, "a hundred": 100, "a couple of": 2, "couple of": 2, "a dozen": 12, "dozen": 12, "half a dozen": 6,
    **{f"{une}{stem}aine de": n for une in ("une ", "") for stem, n in (("diz", 10), ("douz", 12), ("quinz", 15),
                                                                        ("vingt", 20), ("trent", 30))},
    **{ten: 10 * n for n, pair in enumerate(_TENS, 2) for ten in pair},
}  # fmt: skip


def number(words: str) -> int:
    """The value of what NUMBER matched: figures, a word, or a compound ("twenty-one", "vingt et un")."""
    if words.isdecimal():
        return int(words)
    if words in _SIMPLE:
        return _SIMPLE[words]
    ten, *_, unit = re.split("[- ]", words)
    return _SIMPLE[ten] + _SIMPLE[unit]


_UNITS_ONLY = any_of([*list(_EN)[:9], *list(_FR)[:9], "une"])
NUMBER = (
    f"(?:[0-9]{{1,4}}|(?:{any_of(ten for pair in _TENS for ten in pair)})(?:-| et |-et-| )(?:{_UNITS_ONLY})"
    f"|{any_of(_SIMPLE)})"
)
"""A number in figures or words, in French or English."""
