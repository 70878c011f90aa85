"""The closed-class words by which one note says that another no longer holds. French and English, folded.

Only how a change is put is here (verbs of change, adverbs, negations, the usual names of an attribute), never what
notes are about. Both languages are tried on every text, for notes mix them.
"""

from __future__ import annotations

import re

from hmf.policy.timelexicon import MONTHS, SEASONS, WEEKDAYS, any_of


def _pattern(*parts: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![\w-])(?:{'|'.join(parts)})(?![\w-])")


_FR_CHANGED = (
    "reporte|repousse|decale|deplace|avance(?! paiement)|glisse|bouge|prolonge|renouvele|recule|retarde|ramene|"
    "change|modifie|remplace|augmente|"
    "baisse|releve|reduit|raccourci|allonge|rallonge|transfere|revise|rectifie|rebaptise|renomme|demenage|reprogramme"
)
_EN_CHANGED = (
    "moved|pushed|postponed|delayed|rescheduled|changed|switched|raised|lowered|cut|reduced|shortened|lengthened|"
    "extended|brought forward|replaced|renamed|retitled|updated|revised|amended|increased|dropped|trimmed|swapped|"
    "went (?:up|down)|gone (?:up|down)|goes (?:up|down)|going (?:up|down)|(?:is|are|re|m) (?:up|down) to|slipped|"
    "renewed|"
    "(?:moving|pushing|postponing|changing|switching|raising|lowering|cutting|reducing|shortening|extending|replacing|"
    "renaming|dropping|trimming|bringing|putting|handing|getting \\w+er)|brought (?:up|down)|halved|doubled|taken "
    "over|took over|takes over|handed over"
)
CHANGE = _pattern(
    "desormais|dorenavant|maintenant|a present|finalement|tout compte fait|apres tout|au final|a partir d[eu]\\b|"
    "des maintenant|depuis (?:peu|hier|lundi|ce matin)|depuis (?:le |la )?(?:\\w+) (?=j)|au lieu|en fin de compte",
    f"(?:est|sont|a|ont|ai|fut|ete|avons|avez) (?:\\w+ ){{0,2}}?(?:{_FR_CHANGED})e?s?",
    f"(?:{_FR_CHANGED})(?:e|s|es|nt|ons)? (?:a|au|aux|de|du|d'|le|la|les|l'|en|pour|mon|ma|notre)",
    f"(?<=\\w )(?:{_FR_CHANGED})e?s?(?= au? )",
    "repousse\\w*|reporte\\w*|decale\\w*|(?:on|je|ils|elles?|il) (?:reduit|raccourcit|allonge|change|bascule|"
    "passe)\\w*",
    "pass(?:e|ent|ons|era|eront) (?:a|au|aux|de|du|en|par|sur)\\b|passee?s? (?:a|au|de|en)|devien(?:t|nent)|deviendra",
    "(?:on |en )?revien\\w* (?:a|au|aux)|retour (?:a|au|aux)|plus (?:tot|tard|courte?s?|longue?s?|longs?|chers?|"
    "cheres?)(?! possible| que)|ne \\w+ plus que|n'\\w+ "
    "plus que|tranche\\w*|a ete (?:decide|choisi|retenu)e?s?|"
    "accord\\w+ (?:un delai|\\w+ (?:jours?|semaines?|mois|heures?) de plus)|(?:avons|ai|a|ont) (?:decide|choisi|"
    "retenu|opte)|revue?s? a la (?:hausse|baisse)|a bouge|bouge\\w* (?:au|a)|"
    "glisse\\w*",
    "nouve(?:au|l|lle)s?|finale?|definitive?|definitif|refaite?s?|refaire|mise? a jour|changement|bascule\\w*|prend "
    "(?:la suite|le relais)|remplacee?s?|remplacera",
    "(?:augmente|diminue|grimpe|descend|tombe|monte)(?:nt)?(?= a (?!l'eau)| de | d'| ?:)",
    "now|from now on|from then on|these days|after all|instead|any more|anymore|as of|with effect from|in the end",
    f"(?:{_EN_CHANGED})|(?:moves?|pushes|postpones?|shifts?|shifted|slips|slipped|slides|slid|becomes?|became) "
    "(?:\\w+ ){0,5}?(?:to|from|back|by|until|into)\\b",
    "(?:gives?|gave|given|granted) (?:me|us|them) (?:until|another|\\w+ more|\\w+ extra)|"
    "(?:go|goes|going|went|is|are|back) back to|reverts? to|reverted to|returns? to|earlier|sooner|shorter|longer|"
    "cheaper|dearer|later(?! today)|settled "
    "on|(?:have|has|'ve|'s) (?:decided|chosen|settled|started|retired)|slips?|slides?",
    "final|redone|reissued|becomes?|became|replaces|(?:takes|taking) over|changes? (?:his|her|its|their|my|our) "
    "(?:mind|\\w+)|rather than",
    "new(?= \\w)|brings? forward|earlier than|changed (?:my|our|her|his|their|its) mind|henceforth|going forward",
)
"""Says that something is so now and was not before."""

MOVED_TO = _pattern(
    "reporte\\w*|repousse\\w*|decale\\w*|avance\\w*|pass\\w+|ramene\\w*|moved|pushed|postponed|rescheduled|"
    "brought forward|cut|raised|moves|pushes|switched|changed|extended"
)

LEAVES = re.compile(
    r"(?<![\w'-])(?P<who>[\w'-]+(?: [\w'-]+){0,2}?) (?:(?:nous |vient de |va |a |s'est |se |has |have |is |are |"
    r"will |'s )?"
    r"(?:quitte|quitter|quitte(?:ra)?|part(?:ira)?(?: en retraite| a la retraite)|partie? (?:en|a la) retraite|"
    r"retire(?:e|ra)?|demissionne|"
    r"left|leaves|leaving|leave|retired|retires|retiring|pulled out|pulls out|withdrew|withdrawn|stepped down|"
    r"stepping down|(?:handed|passed) (?:[\w'-]+ ){1,4}?(?:over|on)|renonce|se desiste|drops out|dropped out|backs "
    r"out|backed out|quits?|passe la main|cede (?:sa place|la main)|"
    r"resigned|moved on|closed down|shut down)|(?:ne|n') ?(?:peut|pourra|fera|sera|est|travaille) "
    r"(?:pas|plus)|"
    r"n'est plus|can't|cannot|can not|won't|is no longer|declined)(?![\w-])"
)
"""Says that somebody is out of a part they had: `who`."""

RESUMES = _pattern("de nouveau|a nouveau|recommence\\w*|repren\\w+|again|started|resumed?|back to \\w+ing|after all")
"""Says that what had ended is so again."""

CONFIRMS = _pattern(
    "confirm\\w*|averee?s?|verifiee?s?|prouvee?s?|attestee?s?|etablie?s?|proven?|proves?|proved|verified|established|"
    "turns? out|turned out|it is certain|c'est certain|c'est sur"
)
REFUTES = _pattern(
    "refut\\w*|dementi\\w*|infirm\\w*|faux|fausse|errone\\w*|n'a rien a voir|nothing to do with|disprove[nds]?|"
    "false|untrue|"
    "wrong|debunked|ruled out|rules out|ecartee?|not true|n'est pas vrai"
)
"""Says how a guess turned out."""

HEDGES = _pattern("sembl\\w+|seems?|seemed|appears? to|selon toute vraisemblance|likely")
"""And yet is not sure of it."""

ORDERS = _pattern(
    "(?:save|add|write|store|commit)\\w* (?:this |that |it )?(?:to|in|into) (?:your |the |my )?memor\\w+|note to "
    "(?:ai|assistants?|agents?)|"
    "(?:ignore|disregard|forget|override|overwrite|delete) (?:all |any |the |your |my )*(?:previous|earlier|prior|"
    "other|above|old)|"
    "(?:ai|llm) assistants?|system prompt|remember that|mark (?:all|the) other|"
    "(?:enregistre|memorise|retiens|ajoute|note)\\w* (?:que |ceci |cela |bien )?(?:dans|en|a) (?:ta |la |votre "
    ")?memoire|memorisez?|"
    "(?:ignore|oublie|efface)\\w* (?:tout|toutes|les|tes|vos) (?:\\w+ )?(?:instructions|consignes|notes)|a "
    "l'attention d(?:e l'|es )(?:ia|assistants?)"
)
"""Speaks to the machine: from anybody but its user, a text that gives orders is only a text."""

_WHICH = any_of([*MONTHS, *WEEKDAYS, *(f"{day}s" for day in WEEKDAYS), *SEASONS, "next", "now", "rentree", "prochain"])
EFFECTIVE = re.compile(
    rf"(?<![\w-])(?:from|as of|as from|starting|effective|des|a partir d[eu]|a compter d[eu]) (?:l[ea] |l'|the |"
    rf"early |mid |late |"
    rf"debut |mi[ -]|fin )?(?:(?:le )?\d{{1,2}}(?:er|st|nd|rd|th)? )?(?:{_WHICH}|(?:\w+ )?prochaine?|semaine "
    rf"prochaine)(?!\w)"
)
"""Says from when on something holds, which is to say that it did not before."""

ALLOWS = _pattern(
    "accepte\\w*|autoris\\w*|permis\\w*|permet\\w*|d'accord (?:pour|avec)|tolere\\w*|admis\\w*|"
    "(?:will )?(?:allows?|accepts?|lets?|permits?)|allowed|accepted|permitted|fine with|ok with|okay with|open to|"
    "welcome"
)
"""Says that something is permitted."""

DEPENDS = _pattern(
    "quand|lorsqu\\w*|tant qu\\w*|a condition|pourvu|si|s'ils?|when|whenever|as long as|provided|if|unless|so long as"
)
"""Holds on a condition."""

CORRECTION = _pattern(
    "correction(?= ?[:,.])|erratum|rectificatif|rectification|erreur (?:dans|de) (?:ma|la|cette|notre) (?:note|fiche)|"
    "je (?:me suis|m'etais) trompee?|contrairement a ce que|en realite|i was wrong|i got (?:it|that) wrong|my mistake|"
    "correction to|actually|en fait|mistake in (?:my|the) note|scratch that|not as i (?:wrote|noted)"
)
"""Says that what was noted was never right."""

CANCEL = _pattern(
    "annule\\w*|annulation|(?<!a l')abandonne\\w*|abandonnons|abandon|tombe\\w* a l'eau|laiss\\w+ tomber|renonc\\w+|"
    "finalement non|n'aur\\w+ pas lieu|n'a plus lieu|n'aura plus lieu|ne se fera (?:pas|plus)|ne se fait (?:pas|plus)|"
    "mise?s? au placard|enterree?s?|on arrete|j'arrete|plus d'actualite|supprimee?s?",
    "cancell?ed|cancels|cancell?ing|called off|calls off|calling off|abandon(?:ed|ing|s)?|dropped|drop|dropping|"
    "scrapped|shelved|let(?:ting)? (?:it|this|that|the \\w+) go|given up|gave up|giving up|give up|ditched|axed|"
    "not going ahead|won't happen|will not happen|no longer happening|off the table|killed",
)
"""Says that a plan, an idea or an appointment will not be."""

_DENIED = r"(?:ne |n')(?:(?:l[ea]s?|me|m'|se|s'|y|en|lui|leur|nous|vous|te) ?)?\w+(?: \w+)??"
STOP = re.compile(
    rf"(?<![\w'-])(?:{_DENIED} (?:pas )?(?P<ne>plus)(?! (?:de \d|que|tard|tot|grand|petit|long|court|simple|ou moins))"
    r"|(?:no longer|not any longer|no more)(?! than)|(?:not|n't|never) (?:\S+ ){0,9}?(?:any more|anymore|any longer)"
    r"|(?:stopped|stops|quit)(?= \w+ing)|(?:arrete|cesse)\w* (?:de |d')|(?:is|are|am) out(?=[ .;,]|$)"
    r"|(?:don't|doesn't|do not|does not|didn't) (?:\w+ ){1,12}?(?:any more|anymore|any longer))(?![\w-])"
)
"""Says that what was so is not so any more."""

DENIES = _pattern(
    "ne|n'\\w+|pas|jamais|aucune?|sans|interdit\\w*|interdisent|refus\\w+|proscri\\w+|bannit?\\w*|exclut|excluent|"
    "not|no|never|cannot|without|forbids?|forbidden|bans?|banned|refuses?|rejects?|isn't|aren't|wasn't|don't|doesn't|"
    "didn't|won't|can't|mustn't|shouldn't|hasn't|haven't|none"
)
ONLY = re.compile(
    r"\b(?:ne |n')\w+(?: \w+)? (?:plus )?que?\b|\b(?:can't|cannot|can not) wait\b|\bwhy not\b|\bpourquoi pas\b|\bnot "
    r"only\b|"
    r"\bnon seulement\b|\bno (?:doubt|problem|worries)\b|\bpas mal\b|\bn'hesit\w+ pas\b|\bdon't (?:hesitate|worry)\b"
)
"""A denial in form alone: "il ne relit plus que le ton", "I can't wait"."""

PENDING = _pattern(
    "pas encore|en attente|en cours|a signer|a valider|a confirmer|a payer|a venir|reste a|attend|attendons|en "
    "relecture|"
    "provisoire|not yet|yet to|not \\w+ yet|isn't \\w+ yet|pending|under review|in progress|awaiting|waiting for|"
    "waiting on|to be (?:signed|confirmed|approved|paid|decided)|unpaid|unsigned|unconfirmed|tentative|still "
    "(?:open|due)|"
    "impayee?s?|not \\w+ (?:\\w+ )?yet"
)
"""A state that ends by itself, one way or the other."""

SETTLED = _pattern(
    "est (?:bien )?(?:signee?|payee?|reglee?|validee?|confirmee?|acceptee?|refusee?|terminee?|finie?|envoyee?|livree?|"
    "publiee?|parue?|rendue?|bouclee?|encaissee?|faite?)s?|a (?:ete )?(?:signee?|payee?|validee?|acceptee?|refusee?|"
    "confirmee?|reglee?|rendue?|termine|fini|publiee?|livree?)s?|sont (?:signe|paye|valide|accepte|termine|livre)e?s",
    "(?:is|are|was|has been|have been|got|has) (?:now )?(?:signed|paid|approved|confirmed|accepted|rejected|declined|"
    "finished|done|complete|completed|delivered|published|sent|settled|over|through|turned down)",
)

ADDS = _pattern(
    "aussi|egalement|en plus|en outre|(?<!\\w )de plus|par ailleurs|supplementaires?|ajout\\w*|un autre|une autre|"
    "d'autres|"
    "(?:deux|trois)ieme (?:contact|adresse)|second(?:e)? (?:contact|adresse)|complementaires?|encore une?",
    "also|too|as well|in addition|additional(?:ly)?|another(?! (?:day|week|month|year|hour))|added|adds|adding|"
    "furthermore|moreover|besides|extra|"
    "one more|second (?:contact|address)|alongside",
)
"""Says more beside what is known, and takes nothing back."""

EXCEPTS = _pattern(
    "sauf|excepte|a l'exception|exceptionnel\\w*|(?:pour )?cette fois(?:-ci)?|temporaire\\w*|provisoirement|par "
    "exception|"
    "(?:seulement|uniquement) (?:pour|cette|ce|chez|dans)|pour (?:\\S+ ){1,5}(?:seulement|uniquement)|"
    "cette (?:semaine|annee)(?! encore)|ce mois-ci|cet ete|pour (?:ce|cet|cette) (?:numero|article|texte|semaine|"
    "mois|fois)",
    "except|exceptionally|just this (?:once|time)|this (?:once|time)|for once|one-off|temporar\\w+|only for|just for|"
    "for (?:\\S+ ){1,5}only|(?:\\S+ ){1,4}only(?= ?[.!;]?$)|this (?:week|month|year)|for this (?:issue|piece|one|"
    "article)",
)
"""Holds for once, or for one thing: the rule stays."""

SUPPOSES = _pattern(
    "et si|pourrai\\w+|peut-etre|eventuellement|il se peut|envisag\\w+|hypothese|je pense a|"
    "on parle de|probablement|sans doute|(?!(?:voud|aime|prefere|souhaite)rai)(?!\\w*(?:por|ex|re|at|dis|abs|sous|"
    "con)traits?\\b)\\w{2,}(?:e|i|d|t|u|r|"
    "v)rai(?:s|t|ent)|songe\\w* a|propose(?:nt)? de|"
    "suggere\\w*|rumeur|il parait|a verifier|a confirmer",
    "might|may(?! \\d)|could|would(?! rather| prefer| like)|maybe|perhaps|possibly|probably|considering|thinking of|"
    "thinking about|suggests?|"
    "suggested|proposes?|proposed|rumou?r|apparently|unless|suppose|were to|wonder\\w*|tempted",
)
"""States nothing: a thing that may come, or that somebody only thinks of."""

GUESSES = _pattern(
    "peut-etre|hypothese|il se peut|envisag\\w+|pourrai\\w+|a verifier|je pense a|maybe|perhaps|might|could be|"
    "wonder\\w*|rumou?r"
)
"""Was no more than a guess."""

OPENS_IF = re.compile(r"^\W*(?:(?:et|mais|and|but) )?(?:si|s'il|s'ils|if|suppose|unless)(?!\w)")
"""A supposition from its first word."""

PAST = _pattern(
    "etai(?:t|ent|s)|avai(?:t|ent|s)|fut|furent|autrefois|jadis|naguere|a l'epoque|auparavant|anciennement|jusqu'en|"
    "(?:regl|pay|compt|val|cout|dat|accept|demand|écriv|ecriv|publi|vend|ven|s'appel|appel)(?:l)?ai(?:t|ent)",
    "was|were|had|used to|formerly|previously|back then|originally|until (?:19|20)\\d\\d|in the past|once",
)
HAPPENED = _pattern(
    "(?:a|ont|ai|avons|avez) (?:\\w+ )?\\w{2,}(?:e|i|u|is|it|ert)e?s?|relu|recu|envoye\\w*|appel avec|vu",
    "met|sent|wrote|read|paid|got|went|saw|had|called|said|told|asked|ordered|sold|finished|received|spoke|talked|"
    "was|were|\\w{3,}(?<!ne)ed",
)
"""An event, which another event of the kind does not undo."""

_TELLS = (
    "m'ecrit|ecrit|m'a ecrit|m'appelle|appelle|a appele|(?:vient|venait) de (?:m'|nous )?(?:appeler|ecrire|dire)|"
    "m'a appelee?|"
    "a rappele|rappelle|confirme|annonce|previent|signale|me dit|m'a dit|dit|precise|rang|called|calls|wrote|writes|"
    "e-?mailed|says|said|tells me|told me|told us|confirms|confirmed|announced|phoned|texted|reports"
)
_NEWS = (
    "(?:bonne |mauvaise |petite )?nouvelle|good news|bad news|change of plans?|changement de programme|update|mise "
    "a jour|"
    "info|attention|note|rappel|reminder|"
    "(?:\\w+ )?(?:appel|coup de fil|message|mail|courriel|mot|point|reunion|call|chat|word|talk|lunch|meeting|e-?mail) "
    "(?:avec|de|with|from) [\\w'-]+(?: [\\w'-]+)?|(?:decision prise|decide|vu|convenu|agreed|decided|settled) "
    "(?:avec|with) "
    "[\\w'-]+(?: [\\w'-]+)?"
)
REPORTS = re.compile(
    rf"^\W*(?:(?:[\w'-]+ ){{1,4}}?(?:{_TELLS})(?: ?:| (?:that |que |qu'))|(?:[\w'-]+ ){{1,3}}?says |(?:{_NEWS}) ?[:,])"
)
"""Says at the beginning who brings the news, or that there is some: not what the note is about."""

REPORTED = re.compile(rf", (?:[\w'-]+ ){{1,3}}?(?:{_TELLS})\W*$")
"""The same at the end."""

OTHERS = _pattern(
    "(?:mon|ma|mes) (?:voisine?|soeur|frere|mere|pere|amie?|ami|collegue|confrere|consoeur|cousine?)|selon|d'apres|"
    "(?:m'a|nous a|lui a) (?:dit|ecrit|raconte)",
    "my (?:neighbou?r|sister|brother|mother|father|friend|colleague|cousin|partner|flatmate)|according to|"
    "(?:told|tells) (?:me|us)|in (?:her|his|their) (?:review|book|column|letter)",
)
SELF = _pattern("je|j'\\w+|mon|ma|mes|me|m'\\w+|moi|i|i'\\w+|my|me|mine|nous|notre|nos|on|we|our|us")

CUE_WORD = re.compile(
    rf"(?:{_FR_CHANGED})(?:e?s?|nt|ons|ra|ront|r)|(?:{_EN_CHANGED})|pass\w*|repouss\w*|reporte\w*|decal\w*|"
    "annul\\w*|abandon\\w*|cancel\\w*|bascul\\w*|devien\\w*|becom\\w*|became|move[sd]?|push\\w*|postpon\\w*|"
    "shift\\w*|switch\\w*|"
    "chang\\w*|modifie\\w*|remplac\\w*|replac\\w*|longer|earlier|later|rather|brought|bring|forward|off|called|"
    "dropp?\\w*|"
    "correction|corrected|erreur|wrong|mistake|trompe\\w*|rename\\w*|renomm\\w*|augment\\w*|raise[sd]?|reduc\\w*|"
    "redui\\w*|short\\w*|"
    "ramen\\w*|avanc\\w*|update\\w*|revis\\w*|stopp?\\w*|arret\\w*|cess\\w*|laiss\\w*|tombe\\w*|renonc\\w*|"
    "scrapp\\w*|shelv\\w*|"
    "grow\\w*|grew|shrunk|gliss\\w*|slip\\w*|going|getting|cutting|moving|bouge\\w*|renew\\w*|renouvel\\w*|"
    "prolong\\w*|retired?|retires|"
    "retraite|"
    "pulled|pulls|out|withdrew|tranche\\w*|opte\\w*|choisi\\w*|retenu\\w*|again|letting|quitt\\w*|left|over|taken|"
    "takes|took|succed\\w*|plutot|accept\\w*|autoris\\w*|permet\\w*|allow\\w*|interdi\\w*|forbid\\w*|"
    "refus\\w*|non|signee?s?|payee?s?"
)
"""Words that put a change, and name nothing themselves."""
