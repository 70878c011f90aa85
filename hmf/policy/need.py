"""What kind of answer a question asks for, whether it asks of the past, and the names in it.

Read from the way the question is put (its question words, its verbs, its modal verbs), in French and
English, never from what it is about. When no cue is there the need is `other`, which favours nothing.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from enum import StrEnum

from hmf.memory import Kind
from hmf.policy.folding import fold
from hmf.policy.naming import names
from hmf.policy.timecues import HISTORY

__all__ = ["FAVOURED", "ON_HAND", "Need", "classify", "history_question", "names"]


class Need(StrEnum):
    """The type of answer that would serve."""

    RULE = "rule"
    PREFERENCE = "preference"
    DECISION = "decision"
    LESSON = "lesson"
    HYPOTHESIS = "hypothesis"
    TASK = "task"
    EVENT = "event"
    STATUS = "status"
    OVERVIEW = "overview"
    DETAIL = "detail"
    OTHER = "other"


_SOME, _MUCH = 1.06, 1.5
FAVOURED: Mapping[Need, Mapping[Kind, float]] = {
    Need.RULE: dict.fromkeys((Kind.CONSTRAINT, Kind.DECISION, Kind.PREFERENCE), _SOME),
    Need.PREFERENCE: {Kind.PREFERENCE: _SOME},
    Need.DECISION: dict.fromkeys((Kind.DECISION, Kind.CONSTRAINT), _SOME),
    Need.LESSON: {Kind.LESSON: _MUCH},
    Need.HYPOTHESIS: {Kind.HYPOTHESIS: _MUCH},
    Need.TASK: {Kind.TASK: _SOME},
    Need.EVENT: {Kind.EVENT: _SOME},
    Need.STATUS: dict.fromkeys((Kind.TASK, Kind.EVENT, Kind.FACT), _SOME),
}
"""How much better than others a kind of memory answers a need; a need left out favours none. A lesson seldom has the
words of the question, and all else on its subject does: there the kind counts for more."""
ON_HAND: Mapping[Kind, float] = dict.fromkeys((Kind.TASK, Kind.DECISION), _SOME)
"""What one goes on with."""

_HEAD = 1000  # a question is put in its first lines; a pasted page after it must cost nothing
_FRENCH: tuple[tuple[Need, str], ...] = (
    (
        Need.OVERVIEW,
        r"\b(fai(s|tes|re)( moi)? le point|vue d'ensemble|tour d'horizon|recapitul\w+|recap|en resume|bilan|synthese|"
        r"(que|qu'est-ce que l'on|qu'est-ce qu'on|qu'est-ce que je) (sait-on|sais-je|savons-nous|sait|sais) (de|"
        r"du|des|d'|sur)|"
        r"parle(z)?-moi d|dis-moi tout|"
        r"(qu'ai-je|qu'est-ce que j'ai|qu'a-t-on|qu'avons-nous) (note )?(sur|dans|au sujet d)|"
        r"tout ce que .{1,40}\b(sais|sait|savons|note))|"
        r"^resume(z)?(r)?(-moi)? (le|la|les|l'|mon|ma|mes|ce|cette|notre|nos|tout)\b",
    ),
    (
        Need.LESSON,
        r"\bquel(le)?s? (lecons?|enseignements?)\b|\b(lecons?|enseignements?) (ai-je|avons-nous|a-t-on|tiree?s?)\b|"
        r"\b(ai-je|avons-nous|a-t-on|avez-vous|j'ai|nous avons|on a) (bien |deja )?(appris|compris)\b|"
        r"\bque (faut-il |dois-je |doit-on )?(en )?retenir\b|\b(ferais|ferait|ferions|faire|refaire)(-(je|on|nous))? "
        r"(\w+ )?autrement\b|"
        r"\bqu'est-ce qui (a|avait|n'a pas) (bien |mal |moins bien )?(marche|fonctionne|coince|rate)",
    ),
    (
        Need.HYPOTHESIS,
        r"\b(hypotheses?|suppositions?|conjectures?|soupcons?)\b|\b(suppos|soupconn)(e|ons|ais|ions)-(je|t-on|nous)\b|"
        r"\bqu'est-ce que (je|nous|on) (suppos|soupconn)\w+",
    ),
    (
        Need.DECISION,
        r"\b(decisions?|decide(e|es|s|r)?|tranche(e|s)?|convenus?|arrete(e|s)? (que|de)|a-t-on (choisi|retenu|"
        r"valide|opte)|"
        r"(avons-nous|ai-je|avez-vous|a-t-il|a-t-elle|avait-on|avions-nous) (choisi|retenu|opte|valide)|"
        r"pourquoi .{0,60}(abandonne|choisi|renonce|retenu|ecarte|laisse tomber))",
    ),
    (
        Need.TASK,
        r"\b(quelles|mes|nos) taches\b|\btaches (restantes|en attente|a faire)\b|\b(liste de|choses a) faire\b|"
        r"\b(que|qui|qu'est-ce que|quelles? .{1,30}) (dois-je|doit-on|devons-nous|faut-il|je dois|nous devons|il faut) "
        r"(encore )?(envoyer|relancer|finir|rendre|livrer|preparer|appeler|rappeler|ecrire|payer|facturer)\b",
    ),
    (
        Need.EVENT,
        r"\b(quels?|quelles?|mes|nos|prochaine?s?|derniers?|derniere?s?) (rendez-vous|rdv|reunions?)\b|"
        r"\b(que s'est-il|qu'est-ce qui s'est|ce qui s'est) passe\b|"
        r"\bquand (ai-je|avons-nous|a-t-on) (vu|rencontre|appele)\b",
    ),
    (
        Need.STATUS,
        r"\bou en (est|sont|suis|sommes|etais|etait|etions|es)\b|\b(me |nous |lui |leur )?reste-t-il (a|pour)\b|"
        r"\bque (me |nous |lui |leur )?reste-t-il\b|\b(statut|avancement|etat d'avancement|en cours|en attente|"
        r"en retard)\b|"
        r"\b(est|sont)-(il|elle|ils|elles|ce) (deja |bien |enfin |toujours |encore )?"
        r"(pret|fini|termine|confirme|valide|envoye|paye|livre|recu|publie|regle|rendu|signe)(e|s|es)?\b|"
        r"^(ai-je|a-t-il|a-t-elle|a-t-on|ont-ils|ont-elles|avons-nous) (deja |bien |enfin )?"
        r"(recu|envoye|paye|livre|rendu|termine|fini|relance|signe|publie|facture)\b|"
        r"\bque dois-je (encore )?faire\b|\bqu'est-ce qui (bloque|reste|manque)\b",
    ),
    (
        Need.PREFERENCE,
        r"(?<!de )\bpreferences?\b|\bprefer(e|es|ez|ons|ent|ait|ais)\b|"
        r"\b(est-ce que j'|j'|ai-je )aime(rais)?\b|\baime-t-(il|elle|on)\b|\bdeteste\w*|\bmes (gouts|habitudes)\b|"
        r"\bd'habitude\b|\ba mon gout\b",
    ),
    (
        Need.RULE,
        r"^(est-ce que (je|on|nous) )?(puis-je|peut-on|pouvons-nous|dois-je|doit-on|devons-nous|faut-il|"
        r"peux|peut|dois|doit|ai-je le droit|a-t-on le droit|est-il (permis|interdit|possible|obligatoire))\b|"
        r"\b(interdite?s?|obligatoires?|autorisee?s?|permise?s?|consignes?|regles?|contraintes?|maximale?s?|"
        r"minimale?s?|"
        r"maximum|minimum|limites?|exige(nt)?|impose(nt)?)\b",
    ),
    (
        Need.DETAIL,
        r"^(et |mais |alors |donc )?((a|d'|de|pour|avec|chez|sur|par|en|dans|depuis|jusqu'a) ?)?"
        r"(combien|quand|quel(le)?s?|qui|ou|lequel|laquelle)\b|\b(combien|a quelle (heure|date)|quel jour|"
        r"ou se trouve)\b|"
        r"^comment s'appell",
    ),
)
_ENGLISH: tuple[tuple[Need, str], ...] = (
    (
        Need.OVERVIEW,
        r"\b(overview|sum up|recap|big picture|brief me|catch me up|bring me up to speed|tell me (all )?about|"
        r"in short|"
        r"what do (we|i|you) (know|have) (about|of|on|in)|what have (i|we) (got |noted |kept )?(on|about|in)|"
        r"everything (we|i|you) (know|have))\b|^(please )?summari[sz]e\b|"
        r"\ba summary of\b",
    ),
    (
        Need.LESSON,
        r"\b(what|which|any) lessons?\b|\blessons? (learn(ed|t)|from|(did|have|had) (i|we))\b|"
        r"\b(did|have|had) (i|we|he|she|they) (ever )?learn(ed|t)?\b|\btake-?aways?\b|"
        r"\b(do|done) (\w+ )?differently\b|\bwhat (went|worked|did not work|didn't work)\b",
    ),
    (
        Need.HYPOTHESIS,
        r"\b(hypothes[ei]s|assumptions?|suspicions?|hunch(es)?)\b|\b(do|did) (i|we) (suspect|assume|suppose)\b",
    ),
    (
        Need.DECISION,
        r"\b(decisions?|decided?|agreed|(did|have|had) (we|i|they|he|she) (agree|settle|choose|chosen|pick|picked|"
        r"opt)|"
        r"settled on|signed off on|(why|how come) (did|have|had) (we|i|they) (drop|dropped|choose|chosen|reject|"
        r"abandon|pick)\w*)\b",
    ),
    (
        Need.TASK,
        r"\b(what|which|my|our|any) (open |next |pending |remaining )?tasks\b|\bto-?dos?\b|"
        r"\b(what|who|which .{1,30}) (do|must|should|shall) (i|we) (still )?(have to |need to )?"
        r"(send|chase|finish|deliver|prepare|call|write|pay|invoice|return)\b",
    ),
    (
        Need.EVENT,
        r"\b(which|what|my|our|any|next|last|upcoming) (meetings?|appointments?)\b|\bwhat happened\b|"
        r"\bwhen did (i|we) (last )?(meet|see|call|speak|talk)\b",
    ),
    (
        Need.STATUS,
        r"\bwhere (am i|are we|was i|were we|do we stand|do i stand|did i (stop|leave off)|did we (stop|"
        r"leave off))\b|"
        r"\b(status|progress|in progress|overdue|outstanding|pending)\b|\bwhat('s| is) (left|blocking|missing|"
        r"next)\b|"
        r"^(is|are|has|have|was|were) .{1,80}\b(done|finished|ready|sent|paid|delivered|approved|confirmed|billed|"
        r"signed|"
        r"published|received|chased|due|over|closed|invoiced|submitted)\b|\bnot .{1,30} yet\b|\bwhat (do|"
        r"must) i (have to )?do\b|"
        r"^do (i|we) still\b",
    ),
    (
        Need.PREFERENCE,
        r"\b(do|did|would|how do|what do|which do) (i|we|you|he|she|they) (like|prefer|hate|dislike|want|favou?r|"
        r"enjoy)\b|"
        r"\b(does|did|would) .{1,40} (like|prefer|hate|dislike|favou?r)\b|\b(my|our|his|her|their) (preferences?|"
        r"favou?rite|taste)\b|"
        r"(?<!de )\bpreferences?\b|\bprefers?\b",
    ),
    (
        Need.RULE,
        r"^(can|may|must|should|shall) (i|we|you|they|he|she)\b|^(am i|are we|is it) (allowed|ok|okay|permitted|"
        r"supposed|required)\b|"
        r"^do (i|we) (have|need) to\b|\b(allowed|forbidden|permitted|mandatory|required?|requires|requirements?|"
        r"rules?|guidelines?|"
        r"constraints?|limits?|maximum|minimum)\b",
    ),
    (
        Need.DETAIL,
        r"^(and |but |so )?((by|from|to|at|on|in|for|until|since|with) )?"
        r"(how (much|many|long|far|often|old|big)|when|where|who|whom|whose|which|what)\b",
    ),
)
_CUES: Mapping[str, tuple[tuple[Need, re.Pattern[str]], ...]] = {
    language: tuple((need, re.compile(pattern)) for need, pattern in rows)
    for language, rows in (("fr", _FRENCH), ("en", _ENGLISH))
}

_PAST = re.compile(
    r"\b(historique|evolution|histoire de (ce|cette|la decision)|history of|"
    r"(a|ont|avait) (\w+ )?(change|evolue)|comment .{1,60}\b(a|ont)-t-(il|elle|ils|elles) (change|evolue)|"
    r"(has|have|had|did) .{1,60}\bchange[ds]?|evolved?|"
    r"laiss(e|ee|es|ees|er) tomber|abandonn(e|ee|es|ees|er|ait|ons)|renonce(r)? a|ecartee?s?|refutee?s?|"
    r"dropp(ed)|(did|have|had) .{1,30}\b(drop|give up|abandon|reject)|"
    r"abandoned|gave up|given up|ditched|discarded|rejected|ruled out|"
    r"scrapped|"
    r"chang(e|ed|er) (my|our|his|her|their|d') ?(mind|avis)|"
    r"avai(s|t|ent)-(je|tu|t-il|il|elle|on|ils|elles) deja|avions-nous deja|(have|had|did|has) (i|we|he|she|"
    r"they) ever|"
    r"(ancien(ne)?s?|precedente?s?|premiere? version d|old|previous|former|original|initiale?|earlier) "
    r"(nom|titre|tarif|prix|date|version|valeur|adresse|regle|plan|delai|echeance|rythme|montant|choix|"
    r"names?|titles?|rates?|prices?|fees?|dates?|versions?|values?|address|rules?|plans?|deadlines?|schedules?|"
    r"amounts?|choice)|"
    r"(nom|titre|tarif|prix|date|version|valeur|adresse|regle|plan|delai|echeance|rythme|montant) "
    r"(precedente?|d'origine|d'avant|initiale?|originale?)|"
    r"(was|were) .{1,60}\bcalled before|what did .{1,60}\buse to)\b"
)


def classify(question: str, language: str) -> Need:
    """The need a question shows; `other` when unsure. The cues of its language are tried before those of the other."""
    head = _head(question)
    first = "fr" if language.lower().startswith("fr") else "en"
    for code in (first, "en" if first == "fr" else "fr"):
        for need, pattern in _CUES[code]:
            if pattern.search(head):
                return need
    return Need.OTHER


def history_question(question: str) -> bool:
    """Whether it asks how things were, or why they are no more: then retired memories may answer."""
    head = _head(question)
    return _PAST.search(head) is not None or HISTORY.search(head) is not None


def _head(question: str) -> str:
    return " ".join(fold(question[:_HEAD]).split()).lstrip("-–—•«»\"'“”¿¡ ")
