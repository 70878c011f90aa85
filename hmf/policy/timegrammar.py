"""The rules that each read one expression of time, in French and English.

Patterns meet folded text (see `hmf.policy.timelexicon`) in which any run of white space is one space, so
none needs an unbounded repetition. A range found is `bare` when its words mean other things as well
("may", "mars", "2024"): `timewords` then asks for a preposition before them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from hmf.policy import timeresolve as to
from hmf.policy.timelexicon import (
    DAY_PARTS,
    ENGLISH_MONTHS,
    FIXED_FEASTS,
    LAST_YEAR,
    MONTHS,
    MOVING_FEASTS,
    NEAR_DAYS,
    NEXT,
    NUMBER,
    PAST,
    RANKS,
    SEASONS,
    SHORT_MONTHS,
    UNITS,
    WEEKDAYS,
    any_of,
)  # fmt: skip
from hmf.policy.timeresolve import Match, group
from hmf.policy.timespans import Local, Range

BEGIN, END = r"(?:(?<![\w-])|(?<=\bmi-)|(?<=\bmid-))", r"(?:'s)?(?!\w|-\w)"
_N = f"(?P<n>{NUMBER})"
UNIT = rf"(?P<u>{any_of(UNITS)})s?"
_ABOUT = "(?:environ |pres de |a peu pres |about |around )?"
_PART = rf"(?: (?:au |in the )?(?P<part>{any_of(DAY_PARTS)}))?"
_BEFORE = r"(?:(?P<before>last|previous|this|next|ce|cet|cette) )?"
_AFTER = r"(?: (?P<after>derniere?|passee?|prochaine?))?"
_YEAR = (
    rf"(?:,?(?: |(?<=,))(?:de |of |in )?(?P<y>(?:19|20)[0-9]{{2}}(?![\w/-]|\.\w)|{LAST_YEAR}|cette annee|this year))"
)
_ANY_MONTH = any_of([*MONTHS, *SHORT_MONTHS])
_ENGLISH_MONTH = any_of([*ENGLISH_MONTHS, *SHORT_MONTHS])
_FEAST = any_of([*FIXED_FEASTS, *MOVING_FEASTS])
_DAY = r"(?P<d>[0-9]{1,2}|premier)(?:er|st|nd|rd|th|e)?"
_DAY_2 = _DAY.replace("?P<d>", "?P<d2>")
_DATE_WEEKDAY = rf"(?:(?:{any_of(WEEKDAYS)}),? )?(?:le |the )?"
_ALONE = r"(?<![\w./:-])"


@dataclass(frozen=True, slots=True)
class Rule:
    """A pattern, and the range its words stand for.

    `point`: it names one day, or a week by its Monday, so it can date a note. `stored`: for notes only,
    since in a question it may be a duration ("in two weeks").
    """

    name: str
    pattern: re.Pattern[str]
    resolve: Callable[[Match, Local], Range]
    point: bool = False
    stored: bool = False


def _rule(name: str, pattern: str, resolve: Callable[[Match, Local], Range], begin: str = BEGIN, **flags: bool) -> Rule:
    return Rule(name, re.compile(begin + f"(?:{pattern})" + END), resolve, **flags)


_WHOLE = "(?! (?:de |du |d'|of ))"
"""After "last week" and the like: not "the last week of May"."""
_FR, _EN = r"(?P<u>semaine|mois|trimestre|annee|an|week[- ]?end)", r"(?P<u>week[- ]?end|week|month|quarter|year)"
_MONTH_WORD, _DAY_WORD = rf"(?P<m>{any_of(MONTHS)})", rf"(?P<w>{any_of(WEEKDAYS)})"
_NOT_COUNTED = r"(?! ?[€$£%]| (?!(?:dans|les|des|nos|vos|ses|mes|pas|plus|vers|sans|was|is|does|has|his)\b)[a-z]+s\b)"
"""After a year: "in 2024", but not "in 2000 words"."""
_OF_IT = (
    r"(?:de l'|d'|de la |du |de |of the )(?P<u>annee|mois|semaine|trimestre|year|month|week|quarter)"
    rf"(?! (?:{PAST}|{NEXT}))"
)
_TO = r"(?: (?:et|and|a|au|to|until) (?:le |the )?| ?- ?)"

RULES: tuple[Rule, ...] = (
    _rule("iso", r"(?P<y>[0-9]{4})[-/](?P<m>[0-9]{2})[-/](?P<d>[0-9]{2})", to.iso_date, _ALONE),
    _rule("numeric", r"(?P<a>[0-9]{1,2})([/.-])(?P<b>[0-9]{1,2})\2(?P<y>(?:19|20)[0-9]{2})", to.numeric_date, _ALONE),
    _rule("numeric", r"(?P<a>[0-9]{1,2})/(?P<b>[0-9]{1,2})/(?P<y>[0-9]{2})", to.numeric_date, _ALONE),
    _rule("fraction", r"(?P<a>[0-9]{1,2})/(?P<b>[0-9]{1,2})(?!/)", to.numeric_date, _ALONE),
    _rule(
        "date", rf"(?:le |the )?{_DAY}{_TO}{_DAY_2} (?:of )?(?P<m>{_ANY_MONTH})\.?{_YEAR}?", to.calendar_date, _ALONE
    ),
    _rule("date", rf"(?P<m>{_ENGLISH_MONTH})\.? {_DAY}{_TO}{_DAY_2}{_YEAR}?", to.calendar_date, _ALONE),
    _rule("date", rf"{_DATE_WEEKDAY}{_DAY} (?:of )?(?P<m>{_ANY_MONTH})\.?{_YEAR}?", to.calendar_date, _ALONE),
    _rule("date", rf"{_DATE_WEEKDAY}(?P<m>{_ENGLISH_MONTH})\.? (?:the )?{_DAY}{_YEAR}?", to.calendar_date, _ALONE),
    _rule("quarter", rf"(?:the |le )?(?P<q>{any_of(RANKS)}) (?:trimestre|quarter){_YEAR}?", to.quarter),
    _rule("half", rf"(?:the |le )?(?P<q>{any_of(RANKS)}) (?P<half>semestre|half){_YEAR}", to.quarter),
    _rule("quarter", rf"[qt](?P<q>[1-4])(?: ?-? ?(?P<y>20[0-9]{{2}})){_WHOLE}", to.quarter),
    _rule("quarter", r"(?P<y>20[0-9]{2})[ -]?[qt](?P<q>[1-4])", to.quarter),
    _rule("half", r"(?P<half>[sh])(?P<q>[12])[ -](?P<y>20[0-9]{2})", to.quarter),
    _rule("q", r"q(?P<q>[1-4])", to.quarter),
    _rule("t", r"t(?P<q>[1-4])", to.quarter),
    _rule("month", rf"(?:(?:le )?mois d(?:e |'))?{_BEFORE}{_MONTH_WORD}{_AFTER}{_YEAR}?", to.named_months),
    _rule("season", rf"{_BEFORE}(?P<s>{any_of(SEASONS)}){_AFTER}{_YEAR}?(?! of )", to.named_months),
    _rule("feast", rf"{_BEFORE}(?P<f>{_FEAST}){_AFTER}{_YEAR}?", to.feast),
    _rule("near", rf"(?:the )?(?P<near>{any_of(NEAR_DAYS)}){_PART}", to.near, point=True),
    _rule(
        "part",
        rf"(?P<night>cette nuit|last night|tonight)|(?:ce|cet|cette|this) (?P<part>{any_of(DAY_PARTS)})",
        to.this_part,
        point=True,
    ),
    _rule("edge", rf"(?:la |le |the )?(?P<edge>debut|milieu|beginning|start|middle) {_OF_IT}", to.edge),
    _rule("end", rf"(?:la |le |the )?(?P<edge>fin|end) {_OF_IT}", to.edge),
    _rule("unit", rf"(?:la |le |l')?{_FR} (?P<which>{PAST}|{NEXT}){_WHOLE}", to.calendar, point=True),
    _rule("unit", rf"(?:ce|cet|cette) {_FR}(?:-ci)?{_WHOLE}", to.calendar, point=True),
    _rule("unit", r"(?:le )?(?P<which>dernier|prochain) (?P<u>trimestre|week-?end)" + _WHOLE, to.calendar),
    _rule("unit", rf"(?:l')?avant-derniere? {_FR}{_WHOLE}", to.but_one),
    _rule("unit", rf"(?:the )?{_EN} (?:before last|after (?P<later>next))", to.but_one),
    _rule(
        "unit",
        rf"(?:the )?(?:this|current|(?P<which>last|previous|next|coming)) {_EN}{_WHOLE}",
        to.calendar,
        point=True,
    ),
    _rule("rolling", rf"(?:les|ces|des|aux) {_N} (?P<which>{PAST}|{NEXT}) {UNIT}{_WHOLE}", to.rolling),
    _rule("rolling", rf"(?:les|ces|des|aux) (?P<which>derniere?s|prochaine?s) (?:{_N} )?{UNIT}{_WHOLE}", to.rolling),
    _rule("rolling", rf"(?:les|ces|des|aux) {_N} {UNIT} (?P<which>{PAST}|{NEXT})", to.rolling),
    _rule("rolling", rf"au cours (?:du |de la |de l')(?P<which>derniere?) {UNIT}", to.rolling),
    _rule("rolling", rf"(?:the |these |my )?(?P<which>last|past|previous|next|coming) {_N} {UNIT}{_WHOLE}", to.rolling),
    _rule(
        "rolling",
        r"(?:the )?(?:past|last(?= hour| fortnight)) (?P<u>hour|day|week|fortnight|month|quarter|year)" + _WHOLE,
        to.rolling,
    ),
    _rule("rolling", rf"(?:depuis|since) {_ABOUT}{_N} {UNIT}(?! ago| et demi)", to.rolling),
    _rule(
        "ago",
        rf"(?:il y a|voici|voila) (?:(?P<bound>moins|plus) (?:de |d')|{_ABOUT}){_N} {UNIT}"
        r"(?! (?:et demi|de |du |d'|entre |pour ))",
        to.ago,
        point=True,
    ),
    _rule("ago", rf"(?:(?P<bound>less|more) than |{_ABOUT}){_N} {UNIT} ago", to.ago, point=True),
    _rule("weeks", rf"{_DAY_WORD} (?:en (?P<more>huit|quinze)|week)", to.weeks_on, point=True, stored=True),
    _rule(
        "in",
        rf"(?:dans|in) {_N} (?P<u>jour|semaine|day|week|fortnight)s?(?! and | et )",
        to.ahead,
        point=True,
        stored=True,
    ),
    _rule(
        "weekday",
        rf"{_BEFORE}{_DAY_WORD}{_AFTER}(?: (?:au )?(?P<part>{any_of(DAY_PARTS)}))?{_WHOLE}",
        to.weekday,
        point=True,
    ),
    _rule("year", rf"(?:l'annee |the year )?(?P<y>(?:19|20)[0-9]{{2}}){_NOT_COUNTED}(?![./]\w)", to.whole_year, _ALONE),
    _rule("lately", "recemment|dernierement|recently|lately", to.lately),
)


@dataclass(frozen=True, slots=True)
class Found:
    """A rule's match in the folded text. `range` is None for words of time that no calendar has (31 February)."""

    start: int
    end: int
    rule: Rule
    range: Range | None
    bare: bool


_MAY_BE_BARE = frozenset(("fraction", "t", "month", "season", "feast", "weekday", "year"))


def _sign(words: str) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w)(?:{words})(?!\w)")


_FIGURE, _MONTH, _WEEKDAY = re.compile("[0-9]"), _sign(_ANY_MONTH), _sign(any_of(WEEKDAYS))
_PERIOD = _sign(f"(?:{any_of(UNITS)})s?")
SIGNS: Mapping[str, re.Pattern[str]] = {
    **dict.fromkeys(("iso", "numeric", "fraction", "q", "t", "year"), _FIGURE),
    **dict.fromkeys(("date", "month"), _MONTH),
    **dict.fromkeys(("quarter", "half"), re.compile("[0-9]|quarter|half|trimestre|semestre")),
    **dict.fromkeys(("edge", "end", "unit", "rolling", "ago", "in"), _PERIOD),
    **dict.fromkeys(("weeks", "weekday"), _WEEKDAY),
    "season": _sign(any_of(SEASONS)),
    "feast": _sign(_FEAST),
    "near": _sign(any_of(NEAR_DAYS)),
    "part": _sign(f"tonight|{any_of(DAY_PARTS)}"),
    "lately": _sign("recemment|dernierement|recently|lately"),
}
"""What a text must hold somewhere before the rules of a name are worth trying: most notes speak of no time at all, and
the rules that find nothing cost half a millisecond."""


def find(text: str, local: Local, *, stored: bool = False) -> list[Found]:
    """Every expression in a folded text, in order, none overlapping another. Time grows with its length only."""
    found: list[Found] = []
    shown = {sign for sign in set(SIGNS.values()) if sign.search(text)}

    def take(match: Match) -> str:
        try:
            value = rule.resolve(match, local)
        except (ValueError, OverflowError):
            value = None
        bare = rule.name in _MAY_BE_BARE and not any(group(match, name) for name in ("before", "after", "y"))
        found.append(Found(*match.span(), rule, value, bare or rule.name == "year"))
        return "\0" * len(match[0])

    for rule in RULES:
        if (stored or not rule.stored) and SIGNS[rule.name] in shown:
            text = rule.pattern.sub(take, text)
    return sorted(found, key=lambda one: one.start)
