"""What a question is about, once the words that only put it are taken away, and whether anything is left.

"How long does the dough sit?" is about dough that sits: an answer need not say "long". "Where was I?" is about nothing
in particular: it asks for what was going on. Closed-class words are left to the tokenizer; here are the phrases.
"""

from __future__ import annotations

import re

from hmf.policy.folding import fold
from hmf.policy.language import FUNCTION_WORDS, word_set

_READ = 1000  # a question is put in its first lines

_UNIT = (
    "jours?|heures?|dates?|moments?|mois|annees?|endroits?|lieux?|days?|times?|months?|years?|hours?|moments?|places?"
)
_PHRASES = (
    # The kind of answer that is wanted.
    rf"(?:quel(?:le)?s?|which|what) (?:{_UNIT})(?: of day)?",
    r"combien(?: de temps| de fois)?|how (?:much|many|long|far|often|old|soon|late|big|large|high)(?: time)?",
    r"noms?(?= d[eu]s? | d')|(?:the )?names? of|"
    r"(?:comment |se |s'|m'|t')+appell?e(?:nt|r|s)?(?:-t-(?:il|elle|on))?|called|named",
    r"(?:d'ou|ou) (?:se trouve(?:nt)?|vien(?:t|nent)|provien(?:t|nent)|est|sont)|where (?:is|are)|"
    r"come(?:s)? from(?= ?[?]?$)",
    r"(?:ou|comment|que|quoi) (?:mettre|placer|faire|trouver|ranger|dire)|"
    r"(?:where|how|what) (?:do|should|can|must|shall) (?:i|we) (?:put|place|find|do|say|handle)(?: with)?",
    # To remember, to say, to show: what one does with a memory.
    r"(?:dis|donne|rappelle|montre|trouve|cherche|liste|indique)[sz]?(?:-(?:moi|nous|le|la|les))+|"
    r"(?:tell|give|show|remind|find|list|fetch)(?: (?:me|us))|look up|i (?:am|'m) looking for|je cherche",
    r"(?:ai|as|a|avons|avez|ont|avais|avait|avions|avaient)-?(?:t-)?(?:je|tu|il|elle|on|nous|vous|ils|elles)"
    r" (?:deja |bien |encore |enfin )*(?:note|pense|ecrit|dit|prevu|retenu|releve|mentionne|parle)(?:e|s|es)?|"
    r"(?:did|have|had|has) (?:i|we|you) (?:ever |already |once )*(?:note|noted|think|thought|write|written|say|said|"
    r"mention|mentioned|save|saved|record|recorded)(?: down| about| of)*",
    r"(?:que |qu'est-ce que )?sa(?:is|it|vons|it-on)-?(?:je|on|nous)?(?= (?:de|du|des|sur|d'))|"
    r"what do (?:i|we|you) (?:know|have) (?:about|of|on|in)|what have (?:i|we) (?:got |noted |kept )?(?:on|about|in)|"
    r"(?:qu'ai-je|qu'est-ce que j'ai|qu'a-t-on|qu'avons-nous) (?:note )?(?:sur|dans|au sujet de)",
    # What was learnt: it need not be told as such.
    r"quel(?:le)?s? (?:lecons?|enseignements?)(?: (?:ai-je|avons-nous|a-t-on|j'ai|nous avons|on a))?"
    r"(?: (?:pu )?(?:tirer|tiree?s?|retenir|retenue?s?|apprise?s?))?|"
    r"que (?:faut-il |dois-je |doit-on )?(?:en )?retenir|"
    r"(?:ai-je|avons-nous|a-t-on|avez-vous|j'ai|nous avons|on a) (?:bien |deja )?appris|"
    r"(?:ferais|ferions)(?:-je|-nous)? (?:\w+ )?autrement",
    r"(?:what|which|any) lessons?(?: (?:did|have|had) (?:i|we) (?:learn(?:ed|t)?|draw|drawn|take|taken))?|"
    r"lessons? learn(?:ed|t)|(?:did|have|had) (?:i|we|they) (?:ever |already )?learn(?:ed|t)?|"
    r"(?:would|should) (?:i|we) (?:do|have done) (?:it )?differently",
    # How far it is, what is left.
    r"ou en (?:est|suis|sommes|sont|etais|etait|etions|es)(?:-(?:je|il|elle|on|nous|ils|elles|ce))?|"
    r"(?:que |qu'est-ce qu'il )?(?:me |nous |lui |leur )?rest(?:e|ent|ait)(?:-t-il|-il)?(?: a faire)?|"
    r"fai(?:s|tes|re)(?:-(?:moi|nous))? le point|(?:en|pour) resume(?:r)?|vue d'ensemble|tour d'horizon|en cours|"
    r"qu'est-ce qui (?:bloque|reste|manque)",
    r"where (?:am i|are we|was i|were we|do (?:i|we) stand)|what(?:'s| is) (?:left|next|blocking|missing)|"
    r"(?:catch me up|bring me up to (?:speed|date)|brief me|sum(?: me)? up|overview|recap)(?: on| of)?|so far|"
    r"in progress|under way",
    # Given up, changed: what makes a question one about the past.
    r"(?:ai|as|a|avons|ont|avait|est-ce|ete)?-?(?:je|on|nous|il|elle|ce)? ?(?:laisse(?:r|e|es)? tomber|"
    r"abandonn(?:e|ee|es|ees|er|ait)|renonce(?:r)? a)",
    r"(?:did|have|had|has|was|were) (?:i |we |it |they )?(?:ever )?(?:drop|dropped|abandon|abandoned|give up|given up|"
    r"scrap|scrapped|ditch|ditched)(?: on)?",
    r"(?:ancien(?:ne)?s?|precedent(?:e|s|es)?)(?= \w)|(?:former|previous)(?= \w)",
    # Whether one may, must or should.
    r"(?:que )?(?:puis|peux|peut|pouvons|dois|doit|devons|devrais|pourrais|faut)-(?:je|on|nous|il|tu)(?: encore)?"
    r"(?: faire)?|est-il (?:permis|interdit|possible|obligatoire) (?:de |d')|ai-je le droit (?:de |d')|"
    r"(?:is it|am i|are we) (?:allowed|permitted|forbidden|possible|ok|okay|required|supposed)(?: to)?|"
    r"do (?:i|we) (?:have|need|still have|still need) to",
    r"y a-t-il|existe-t-il|(?:do|did) (?:i|we|you) (?:still )?have|have (?:i|we|you) got|is there|are there",
)
_PUT = re.compile(rf"(?<![\w-])(?:{'|'.join(_PHRASES)})(?![\w-])")

_RESUME = re.compile(
    r"(?<![\w'-])(?:ou en (?:etais-je|etait-on|etions-nous|suis-je|sommes-nous|est-on)|"
    r"ou (?:me suis-je|nous sommes-nous) arrete\w*|"
    r"(?:que|qu'est-ce que|par quoi|par ou) (?:je )?(?:dois|doit|devons|faut|vais|puis)-?(?:je|on|nous|il)?"
    r"(?: (?:faire|commencer|reprendre))|"
    r"qu'(?:ai-je|avons-nous|a-t-on) (?:fait|note|dit|ecrit|decide)|par (?:ou|quoi) (?:commencer|reprendre)|"
    r"(?:qu'y a-t-il|qu'ai-je) (?:a faire|de prevu|au programme)|"
    r"where (?:was i|were we|did (?:i|we) (?:stop|leave off|get to)|am i|are we)|"
    r"what (?:should|must|do|shall|can) (?:i|we) (?:have to )?(?:do|start|resume|begin|work on|tackle)|"
    r"what (?:did (?:i|we) (?:do|note|say|write|decide)|have (?:i|we) (?:done|noted|written|decided))|"
    r"what(?:'s| is) (?:next|on my plate|on the agenda|to be done)|"
    r"where (?:do|should) (?:i|we) (?:start|begin|resume))(?!\w)"
)
_NOW = re.compile(
    r"(?<![\w'-])(?:maintenant|actuellement|aujourd'hui|desormais|dorenavant|en ce moment|a present|a l'heure actuelle|"
    r"now|currently|today|these days|nowadays|at present|at the moment|as of now)(?!\w)"
)
_SEVERAL = re.compile(
    r"(?:^|[,;:.?!] |\b(?:et|and) )(?:quels|quelles|lesquels|lesquelles|liste[rz]?|list|enumere\w*|"
    r"(?:which|what) (?:(?!(?:do|did|are|were)\b)\w+ )?(?!(?:does|is|was|has|this|its|his|as)\b)\w*[^s\W]s(?= )"
    r"(?! (?:is|was|does|did)\b)|"
    r"(?:which|what|who) are|"
    r"toutes? les|tous les|all)(?!\w)"
)
"""The question wants more than one: "which invoices", "quelles idées"."""
_IDLE = word_set(
    "et and or ou puis then premier premiere first abord next ensuite now maintenant today aujourd hui again encore en "
    "faire do done commencer start begin reprendre resume work travail travailler"
)
"""Words that a question on what to do next may have, and that name no subject."""


_GRAMMAR = frozenset(fold(word) for words in FUNCTION_WORDS.values() for word in words)
_WORD = re.compile(r"[^\W_]+")


def focus(question: str) -> str:
    """The question, folded, without the phrases that only put it; blanks where they stood. May be blank."""
    return _blanked(_PUT, fold(question[:_READ])) + question[_READ:]


def resumes(question: str) -> bool:
    """Whether it asks what was going on, or what comes first, and names no subject. Give it without its time words."""
    head = fold(question[:_READ])
    if not _RESUME.search(head):
        return False
    left = _blanked(_PUT, _blanked(_RESUME, head))
    return all(word in _GRAMMAR or word in _IDLE for word in _WORD.findall(left))


def of_now(question: str) -> bool:
    """Whether it asks, in so many words, how things stand now."""
    return _NOW.search(fold(question[:_READ])) is not None


def of_several(question: str) -> bool:
    """Whether it asks for more than one: "which invoices", "quelles idées", "list …"."""
    return _SEVERAL.search(fold(question[:_READ])) is not None


def _blanked(phrases: re.Pattern[str], text: str) -> str:
    return phrases.sub(lambda match: " " * len(match[0]), text)
