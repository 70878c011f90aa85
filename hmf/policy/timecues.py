"""Words around an expression of time: what governs it, what tells past from future, what is not understood.

All patterns meet folded text of which what was understood is already blanked out (`\\0`), and quotations
too (`\\1`); PAST alone meets words as written, since without accents "à" would be taken for "a".
"""

from __future__ import annotations

import re

from hmf.policy.timelexicon import MONTHS, NUMBER, UNITS, any_of

ARTICLES = re.compile(r"(?<![\w'-])(?:(?:le |la |les |the )|l')+$")
PARTIAL = re.compile(
    r"(?<![\w'-])(?:the |le |la |au |en |a la )?(?:"
    r"(?P<which>debut|mi|milieu|fin|early|mid|late)(?: d[eu] (?:la |le )?| d'| ?-| )"
    r"|(?P<noun>beginning|start|middle|end) of (?:the )?)$"
)
OPERATOR = re.compile(
    r"(?<![\w'-])(?:(?:the |la |le )?(?:(?P<beside>day|week|month|jour|semaine|mois) (?:before|avant|after|apres))"
    r"|(?P<since>depuis|ever since|since|starting|a partir d[eu]|a compter d[eu]|a partir d')"
    r"|(?P<before>(?:d')?avant|before|prior to|earlier than)|(?P<after>apres|after|later than)"
    r"|(?P<until>jusqu'(?:a|au|en)|until|till|up to)"
    r"|(?P<target>pour|for|d'ici(?: a| au)?|by|to|due(?: on| by)?)"
    r"|(?P<inside>en|in|during|throughout|pendant|durant|courant|within|over|au cours d[eu]|dans)"
    r"|(?P<between>entre|between)|(?P<on>on|at|a|au)|(?P<from>from)|(?P<of>d[eu]|des|(?:as )?of)|(?P<of2>d'))"
    r"(?<=[\w'])(?:(?<=') ?| )$"
)
BETWEEN = re.compile(r"(?<![\w'-])(?:entre|between|from|d[eu]) $")
AND = re.compile(r" (?:et|and|a|au|to|until|jusqu'a|jusqu'au|jusqu'en) $")
ALSO = re.compile(r"(?:,| et| ou| and| or|, et|, and) ")
HABITS = re.compile(r" (?:mornings|afternoons|evenings|nights|matins|apres-midis|soirs)(?!\w)")
HABIT = re.compile(r"(?<![\w'-])(?:chaque|tous|toutes|quel|quelle|un|une|every|each|any|which|what) $")

AHEAD = re.compile(
    r"(?<![\w'-])(?:doi[st]|devons|devez|doivent|faut|faudra|vais|allons|vont|will|shall|must|need to|am i to|"
    r"do i have to|have i got to)(?![\w'])"
)
"""The speaker looks forward: undated days are the next ones."""
PAST = re.compile(
    r"(?<![\w'-])(?:(?:j'|n'|m'|t'|l'|qu')?(?:ai|as|a|avons|avez|ont|avais|avait|avions|avaient|étais|était|étaient)"
    r"(?=-(?:je|tu|t-|il|elle|on|nous|vous|ils)| (?:\w+ )?\w+(?:é|ée|és|ées|i|is|u|ue|us|it|rt)\b)|c'était|"
    r"did|was|were|had|been|said|wrote|told|sent|made|met|got|came|went|saw|\w{2,}ed)(?![\w'])"
)
PRESENT = re.compile(
    r"^(?:combien|quel(?:le)?s?|qui|ou|comment|est-ce|"
    r"how|what(?:'s| is| are| does| do)|which|who|where|does|do|is|are)(?!\w)"
)
"""Begins a question on how things stand: "today" in it means now."""

_CHANGE = (
    "changements?|modifications?|refonte|revision|mise a jour|correction|bascule|decalage|report|renommage|remaniement|"
    "reecriture|passage|change|changes|switch|update|rewrite|rename|redesign|overhaul|move|rebrand"
)
_THE = "l[ea] |l'|les |ce |cette |ces |mon |ma |notre |the |this |that |these |those |my |our "
_HISTORY = (
    rf"(?:avant|before) (?:{_THE})(?:\w+ )?(?:{_CHANGE})(?!\w)",
    r"avant (?:d'|de |qu'il |qu'elle |qu'on |que )(?:ne )?(?:l[ea] )?"
    r"(?:etre \w+|soi[st] \w+|change\w*|modifie\w*|deplace\w*|remplace\w*)",
    r"before (?:being \w+|(?:it|they|this|that|we|i|he|she) (?:was|were|got|had|chang\w+|switch\w+|mov\w+)(?: \w+ed)?)",
    r"a l'origine|originellement|initialement|au depart(?! d[eu'])|autrefois|jadis|naguere|auparavant|anciennement|"
    r"precedemment|dans le passe|a l'epoque|jusqu'alors|au debut(?! d[eu'])",
    r"originally|initially|previously|formerly|in the past|back then|at first(?! \w+ly)|in the beginning|"
    r"(?<!is )(?<!are )(?<!be )(?<!am )(?<!'m )used to",
    r"(?:avant|before)(?= ?[?!.]*$)",
)
HISTORY = re.compile(rf"(?<![\w'-])(?:{'|'.join(_HISTORY)})(?![\w'])")
"""The question is of how things were, though it names no date."""

_WORD = r"[^\s,.;:?!()\x00\x01]{1,40}"
_UNIT = rf"(?:{any_of(UNITS)})s?"
_AGES = "lurette|longtemps|temps|moment|lustres?|siecles?|decennies?|eternite|bail"
_UNKNOWN = (
    r"depuis (?!quand|combien|toujours|longtemps|lors|peu|le debut|l'origine|la \x00)"
    rf"(?:que |qu')?(?:l[ea] |les |l')?(?P<name>{_WORD})(?: {_WORD}){{0,3}}",
    rf"since (?!when|always|forever|the beginning|the start)(?:{_WORD} ){{0,4}}{_WORD}",
    rf"(?<!how )(?:(?:a|an|some|many|so|quite|very|long|short|little|good|donkey's) ){{0,3}}{_WORD} ago",
    rf"(?:il y a|voici|voila) (?:{_WORD} ){{0,3}}(?:{_UNIT}|{_AGES})(?: et demie?)?(?! pour| entre| d[eu] | d')(?!\w)",
    rf"(?:last|past|previous|next) {NUMBER} {_WORD} {_UNIT}",
    rf"(?:les|ces) {NUMBER} (?:derniers|dernieres|prochains|prochaines) {_WORD}",
    r"(?:the other|l'autre|un autre) (?:day|week|month|night|morning|jour|semaine|mois|soir|matin|fois)",
    r"(?:un de ces|one of these) \w+(?: \w+)?",
    r"(?:l[ea] |the )(?:semaine|jour|mois|week|day|month) (?:d'avant|d'apres|before|after)(?= ?[?!.,]| ?$)",
    rf"(?:first|last|second|third|premiere?|derniere?|deuxieme) (?:week|weekend|day|semaine|week-end|jour) "
    rf"(?:of |de |d'|du mois de )(?:{any_of(MONTHS)})",
    r"(?:a|avant|apres|jusqu'a|before|after|until|till) (?:la |le )(?P<name2>sainte?[ -]\w+(?:-\w+)*)",
)
UNKNOWN = re.compile(rf"(?<![\w'-])(?:{'|'.join(_UNKNOWN)})(?![\w-])")
"""Words that look like a time and were not understood. `name`, `name2`: a capital there makes it a place."""
PROPER_MONTHS = frozenset(("april", "may", "june", "august"))
"""English months that are first names too."""
VERB_MONTHS = re.compile(r"(?<!\w)(?:may|march)(?!\w)")
