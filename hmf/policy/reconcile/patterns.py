"""How values are written in notes, French and English, folded: one expression for those that begin with a figure, one
for those that begin with a word, and the words worth trying it at.
"""

from __future__ import annotations

import re

from hmf.policy.language import word_set
from hmf.policy.reconcile.words import LABELS, ORDINALS
from hmf.policy.timelexicon import DAY_PARTS, MONTHS, SEASONS, SHORT_MONTHS, WEEKDAYS, any_of

_UNITS = {
    "length": {"w": "mots? words?", "s": "signes? characters? chars? caracteres?", "p": "pages? pp",
               "f": "feuillets?", "l": "lignes? lines?"},
    "span": {"min": "minutes? min mn", "h": "heures? hours? hrs?", "d": "jours? days?", "w": "semaines? weeks?",
             "m": "mois months?", "y": "ans? annees? years?"},
    "size": {"km": "km kilometres? kilometers?", "m": "m metres? meters?", "cm": "cm", "mm": "mm", "kg": "kg kilos?",
             "g": "g grammes? grams?", "px": "px pixels?", "mb": "mb mo"},
}  # fmt: skip
UNITS = {
    form: (sort, unit)
    for sort, units in _UNITS.items()
    for unit, patterns in units.items()
    for pattern in patterns.split()
    for form in ([pattern] if not pattern.endswith("?") else [pattern[:-2], pattern[:-1]])
}
"""What each unit measures, and its normal form."""

CURRENCIES = {
    "€": "€", "euro": "€", "euros": "€", "eur": "€", "$": "$", "dollar": "$", "dollars": "$", "usd": "$",
    "£": "£", "pound": "£", "pounds": "£", "gbp": "£", "chf": "chf", "francs": "chf", "centimes": "c", "cents": "c",
    "pence": "p", "livres sterling": "£",
}  # fmt: skip
FREQUENCIES = (
    (r"hebdomadaire|weekly|(?:toutes les|chaque) semaines?|(?:every|each|a|per|once a) week|par semaine", "1w"),
    (r"bimensuel(?:le)?|fortnightly|biweekly|bi-weekly|tous les quinze jours|tous les 15 jours|"
     r"toutes les deux semaines|toutes les 2 semaines|une semaine sur deux|every (?:two|2|other) weeks?|"
     r"every fortnight|twice a month", "2w"),
    (r"mensuel(?:le)?|monthly|tous les mois|chaque mois|(?:every|each|a|per|once a) month|par mois", "1m"),
    (r"bimestriel(?:le)?|tous les deux mois|every (?:two|other) months?", "2m"),
    (r"trimestriel(?:le)?|quarterly|tous les trois mois|chaque trimestre|each quarter|"
     r"every (?:three months|quarter)|par trimestre|a quarter", "3m"),
    (r"annuel(?:le)?|yearly|annual|tous les ans|chaque annee|(?:every|each|once a) year|par an\b|a year", "1y"),
    (r"quotidien(?:ne)?|daily|tous les jours|chaque jour|every day|par jour\b|a day", "1d"),
)  # fmt: skip
STYLES = (
    (r"tutoi\w*|tutoy\w*", "style you", "tu"),
    (r"vouvoi\w*|vouvoy\w*", "style you", "vous"),
    (r"au present|present tense|in the present", "style tense", "present"),
    (r"au passe|past tense|in the past tense", "style tense", "past"),
    (r"au futur|future tense", "style tense", "future"),
    (r"premiere personne|first person|first-person", "style person", "1"),
    (r"deuxieme personne|second person|second-person", "style person", "2"),
    (r"troisieme personne|third person|third-person", "style person", "3"),
    (r"british (?:spelling|english)|orthographe britannique|anglais britannique", "style spelling", "british"),
    (r"american (?:spelling|english)|us spelling|anglais americain", "style spelling", "american"),
)
"""Points of style of which a text has one: how the reader is addressed, the tense, the person, the spelling."""

NUMBER_WORDS = word_set(
    "deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize dix-sept dix-huit dix-neuf "
    "vingt trente quarante cinquante soixante two three four five seven eight nine ten eleven twelve thirteen fourteen "
    "fifteen sixteen seventeen eighteen nineteen twenty thirty forty fifty sixty"
)
SMALL = ("one", "two", "three", "four", "five", "six", "un", "deux", "trois", "quatre", "cinq")
"""Numbers in words that may follow a label: "draft two"."""

_FIGURE = r"\d{1,3}(?:[ .,']\d{3})+(?:[.,]\d{1,2})?(?!\d)|\d+(?:[.,]\d+)?"
_TENS = r"(?:twenty|thirty|forty|fifty|sixty|vingt|trente|quarante|cinquante|soixante)[ -](?:et[ -])?\w+"
_WORDED = rf"{_TENS}|{any_of(NUMBER_WORDS)}"
_MONTH = any_of([*MONTHS, *SHORT_MONTHS])
_ALSO_WORDS = ("may", "march", "mars", "mar", "jun", "dec", "sep")
_MONTH_FIRM = any_of(word for word in [*MONTHS, *SHORT_MONTHS] if word not in _ALSO_WORDS)
_EDGES = ("debut", "mi", "fin", "mid", "early", "late", "end of")
_BEFORE_MONTH = (
    "en", "in", "by", "for", "d'ici", "pour", "until", "till", "since", "depuis", "to", "from", "a", "de", "next", "of",
    "jusqu'en",
)  # fmt: skip
_NEAR = rf"(?:(?:{any_of(_EDGES)})[ -]|(?:{any_of(_BEFORE_MONTH)}) )"
_DAY = any_of(WEEKDAYS)
_YEAR = r"(?:1[0-9]|20)\d\d"
_CURRENCY = any_of(word for word in CURRENCIES if word not in "€$£")
_UNIT = any_of(UNITS)
_SEASON = any_of(SEASONS)
_CODE = r"[a-z]{0,5}-?\d+(?:[-/]\d+)+|[a-z]{1,5}-?\d{2,}"
_AFTER_DAY = (
    r"(?= ?$| ?[.,;:!)]| (?:now|from|every|starting|desormais|maintenant|a|au|de|du|of|at|pour|et|and|in|par|for|"
    r"chaque|"
    r"each|instead|plutot|comme|mais)\b)(?![.,]\d)"
)
_STREETS = "rue|avenue|av\\.|boulevard|bd|place|quai|chemin|impasse|allee|route|cours|passage|square"
_ENGLISH_STREETS = "street|road|lane|avenue|square|place|way|row|drive|hill|terrace|court|crescent|gardens"
_OFTEN = "|".join(pattern for pattern, _ in FREQUENCIES)

_FIRST_FIGURE = (
    rf"(?P<street>\d{{1,4}}(?: ?(?:bis|ter))?,? (?:(?:{_STREETS}) (?:[\w'-]+ ?){{1,4}}|"
    rf"(?:[\w'-]+ ){{1,3}}(?:{_ENGLISH_STREETS})\b))",
    r"(?P<phone>(?:\+\d{1,3} ?)?(?:\(0\) ?)?0?\d(?:[ .-]?\d{2,4}){3,5}(?![\w-]))",
    rf"(?P<money>[€$£] ?(?P<m1>{_FIGURE})(?:k\b)?|(?P<m2>{_FIGURE}) ?(?:k?[€$£]|(?:{_CURRENCY})(?!\w))|"
    rf"(?P<m3>\d+)p(?!\w))",
    rf"(?P<percent>(?P<pc>{_FIGURE}) ?(?:%|pour cent\b|per ?cent\b|percent\b))",
    r"(?P<iso>\d{4}-\d\d-\d\d(?!\w))",
    rf"(?P<ref>(?:{_CODE})(?![\w/-]))",
    rf"(?P<date>(?P<d1>\d{{1,2}})(?:er|st|nd|rd|th)?(?: of| de)? (?P<mo1>{_MONTH})\b\.?(?:,? (?P<y1>{_YEAR}))?"
    r"|(?P<d3>\d{1,2})/(?P<mo3>\d{1,2})(?:/\d{2,4})?(?![\w/]))",
    r"(?P<hour>(?P<h1>[01]?\d|2[0-4]) ?h(?: ?(?P<n1>[0-5]\d))?(?!\w)|(?P<h2>[01]?\d|2[0-4])[:.](?P<n2>[0-5]\d)"
    r"(?: ?(?P<ap2>[ap])\.?m\b)?(?!\d)|(?<=\bat )(?P<h4>1?\d|2[0-4])(?= and\b| to\b| ?[.,;]? ?$| ?[,;](?!\d))|"
    r"(?P<h3>1?\d) ?(?P<ap3>[ap])\.?m\b)",
    rf"(?P<times>(?P<tn>{_FIGURE}) (?:times|fois) (?:a|per|each|every|par|l') ?(?P<tu>year|month|week|an|mois|"
    r"semaine|jour|day)(?!\w))",
    rf"(?P<measure>(?P<q>{_FIGURE})[ -](?P<u>{_UNIT})(?!\w))",
    rf"(?P<year>(?P<y>{_YEAR})(?![\w/-]|[.,]\d))",
    rf"(?P<count>(?P<c>{_FIGURE}) (?P<noun>[a-z]{{3,}})(?!\w))",
    rf"(?P<bare>(?P<b>{_FIGURE})(?![\w/-]|[.,]\d))",
)
_FIRST_WORD = (
    rf"(?P<style>(?:{'|'.join(pattern for pattern, _, _ in STYLES)})(?!\w))",
    rf"(?P<nth>(?P<nrank>{any_of(ORDINALS)}) (?P<nday>{_DAY}) (?:d[eu] (?:chaque )?mois|of (?:the|each|every) "
    rf"month)(?!\w))",
    rf"(?P<id>(?P<label>{LABELS})\.? (?:n°|no\.? |#)? ?(?P<code>{_CODE}|\d+|[ivx]+|[a-h]|{any_of(SMALL)})(?![\w'-]|"
    rf"[.,]\d)"
    rf"|(?P<rank>{any_of(ORDINALS)}) (?P<ranked>[a-z]{{3,}})(?!\w))",
    r"(?P<link>[\w.+-]+@[\w-]+(?:\.[\w-]+)+|https?://\S+|www\.\S+)",
    rf"(?P<season>(?:numero|edition|dossier|collection|saison|catalogue|recueil) (?:d[eu] l'|de |d'|du "
    rf")(?P<s1>{_SEASON})"
    rf"|(?P<s2>{_SEASON}) (?:issue|number|edition|collection|season|catalogue|list))(?!\w)",
    rf"(?P<ref>(?:{_CODE})(?![\w/-]))",
    rf"(?P<date>(?:(?:{_DAY}),? )?(?:(?:on the|le|the|au|du|on) )?(?P<d1>\d{{1,2}})(?:er|st|nd|rd|th)?(?: of| de)? "
    rf"(?P<mo1>{_MONTH})\b\.?(?:,? (?P<y1>{_YEAR}))?"
    rf"|(?:(?:{_DAY}),? )?(?P<mo2>{_MONTH})\.? (?:the )?(?P<d2>\d{{1,2}})(?:st|nd|rd|th)?(?![\w.,]*\d)"
    rf"(?:,? (?P<y2>{_YEAR}))?)",
    r"(?P<hour>(?P<noon>midi|noon)(?!\w))",
    rf"(?P<weekday>(?P<w>{_DAY})s?(?: (?P<wd>\d{{1,2}})(?! ?[h:%€]| \w*s\b)(?!\w))?(?!\w))",
    rf"(?P<freq>(?:{_OFTEN})(?!\w)(?! (?:sooner|later|earlier|early|late|before|after|ago|of)\b))",
    rf"(?P<age>(?:a|aura|avait|agee? de|is|are|aged) (?:maintenant |desormais |now )?(?P<a1>{_FIGURE}|{_WORDED}) "
    r"(?:ans|years? old)(?!\w))",
    rf"(?P<times>(?P<tn>{_WORDED}|une|once|twice) (?:times|fois) (?:a|per|each|every|par|l') ?(?P<tu>year|month|week|"
    rf"an|mois|"
    r"semaine|jour|day)(?!\w))",
    rf"(?P<measure>(?P<q>{_WORDED}|one|une?)[ -](?P<u>{_UNIT})(?!\w))",
    rf"(?P<month>(?:(?:{_NEAR})?(?P<mo4>{_MONTH_FIRM})|{_NEAR}(?P<mo5>may|march|mars))(?!\w)(?:,? (?P<y4>{_YEAR}))?)",
    rf"(?P<part>(?:(?:le|ce|chaque|in the|the|every|each) )?(?P<which>{any_of(DAY_PARTS)})s?(?!\w))",
    rf"(?P<time>(?:in|for|to|from|by|until|a|au|en|pour|d'ici) (?:the |l'|la |le )?(?P<s3>{_SEASON})(?!\w))",
    rf"(?P<monthday>(?:le|the|au|du) (?P<d5>\d{{1,2}})(?:er|st|nd|rd|th)?{_AFTER_DAY})",
    r"(?P<first>(?:(?:on the |le )?(?:first|1st|premier|1er)(?: day| jour)?|"
    r"(?:on the |le )?(?P<final>last|dernier)(?: \w+)? (?:day|jour)(?: ouvre)?) "
    r"(?:of (?:the|each|every) month|d[eu] (?:chaque )?mois)(?!\w))",
    r"(?P<single>(?:une? seule?|a single|just one|only one|one single) (?P<sole>[a-z]{3,})(?!\w))",
    rf"(?P<count>(?P<c>{_WORDED}) (?P<noun>[a-z]{{3,}})(?!\w))",
    rf"(?P<bare>(?P<b>{any_of(NUMBER_WORDS)})(?= ?(?:[.,;:!)]|$)))",
)
FIGURED = re.compile(r"(?<![\w.,/-])(?:" + "|".join(_FIRST_FIGURE) + ")")
"""At a figure or a sign of money."""

WORDED = re.compile(r"(?<![\w-])(?:" + "|".join(_FIRST_WORD) + ")")
"""At one of `TRIGGERS`, or at a word that holds a figure."""


def _openings() -> frozenset[str]:
    """The first words of everything that `WORDED` reads."""
    listed = [
        *NUMBER_WORDS, *MONTHS, *SHORT_MONTHS, *WEEKDAYS, *(f"{day}s" for day in WEEKDAYS), *SEASONS, *ORDINALS,
        *DAY_PARTS, *(f"{part}s" for part in DAY_PARTS), "ce", "in", "chaque", "every", "each",
        *_EDGES, *_BEFORE_MONTH, "d", "jusqu", "midi", "noon", "le", "the", "au", "du", "on", "a", "aura", "avait",
        "age", "agee", "is", "are", "aged", "un", "une", "just", "only", "one", "last", "dernier", "first", "https",
        "http", "www", "numero", "edition", "dossier", "collection", "saison", "catalogue", "recueil", "n",
    ]  # fmt: skip
    labels = [form for label in LABELS.split("|") for form in (label.rstrip("?"), label.removesuffix("s?"))]
    styles = [word for pattern, _, _ in STYLES for word in re.findall(r"(?:^|\|)([a-z]+)", pattern)]
    often = [
        form for pattern, _ in FREQUENCIES for word in re.findall(r"[a-z]+", pattern) for form in (word, f"{word}le")
    ]
    return frozenset(word.split(" ")[0].split("-")[0] for word in (*listed, *labels, *styles, *often))


TRIGGERS = _openings()
"""Words at which a value may begin."""
