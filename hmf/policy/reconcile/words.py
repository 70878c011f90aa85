"""Words by which the comparison of two notes tells what a statement is about. French and English, folded.

Closed classes and the usual names of attributes; never what notes are about.
"""

from __future__ import annotations

from collections.abc import Mapping

from hmf.policy.folding import fold
from hmf.policy.language import FUNCTION_WORDS, word_set

COPULA = word_set("est sont sera seront is are appelle intitule called named will be")
"""Words before what a thing is or is called."""

LABELS = (
    "chapitres?|chap|factures?|devis|episodes?|numeros?|n°|num|version|ebauche|brouillon|tomes?|volumes?|parties?|"
    "partie|acte|scene|lot|etape|phase|niveau|option|variante|annexe|figure|tableau|saison|dossier|"
    "chapters?|invoices?|quotes?|issues?|draft|version|volume|part|act|step|level|appendix|table|season|"
    "episode|book|number|vol|ep|ch|lesson|lecon|module|atelier|group|groupe|team|equipe|salle|room|page|line|ligne"
)
_ORDINALS = {
    **dict.fromkeys(["premier", "premiere", "first", "1er", "1re", "1st"], "1"),
    **dict.fromkeys(["deuxieme", "second", "seconde", "2e", "2nd"], "2"),
    **dict.fromkeys(["troisieme", "third", "3e", "3rd"], "3"),
    **dict.fromkeys(["quatrieme", "fourth", "4e", "4th"], "4"),
    **dict.fromkeys(["cinquieme", "fifth", "5e", "5th"], "5"),
    **dict.fromkeys(["sixieme", "sixth", "6e", "6th"], "6"),
    **dict.fromkeys(["derniere", "dernier", "last"], "last"),
}
ORDINALS: Mapping[str, str] = _ORDINALS
"""Words that number a thing: "second edition" is not "first edition"."""

_ATTRIBUTES = {
    "deadline": "remise remettre rends rend rendre rendu rendue echeance delai limite bouclage boucle bouclee "
    "boucler deadline due livraison "
    "livrer livree delivery deliver delivered submission submit closing closes handover copydate parution paraitre",
    "money": "tarif tarifs prix paie paient paye payent payer payee regle reglent remuneration cachet forfait fee fees "
    "rate rates price pay pays paid cost costs priced coute coutent salaire honoraires montant remunere",
    "age": "age ages aged",
    "end": "expire expires expiry ends termine finit fini ended",
    "length": "longueur length wordcount calibrage",
    "contact": "contact contacts interlocuteur interlocutrice correspondant correspondante referent referente",
    "name": "titre intitule intitulee appelle nom title titled called named name entitled headline baptise renommer "
    "renomme "
    "renommee renamed rename renames retitled rebaptise rebaptisee",
    "address": "adresse address telephone phone portable mobile",
    "taste": "prefere preferes preferer preferons prefer prefers preferred aime aimer aimons like likes dislike "
    "hate deteste "
    "favourite favorite prefere prefereraient",
    "place": "lieu venue located situe installe",
}
ATTRIBUTES: Mapping[str, str] = {word: name for name, words in _ATTRIBUTES.items() for word in words.split()}
"""The usual words for what most notes state of a subject. Words of another attribute stay words of the subject."""

_LIGHT = word_set(
    "veut veulent veux voulons voulez vouloir voulait soit soient demande demandent souhaite souhaitent va vont "
    "aller doit doivent devoir peut peuvent "
    "faut falloir mettre met mis tient tiennent garde gardent passe passent passer dit disent annonce confirme precise "
    "rappelle ecrit voir avoir etre faire prend prendre donne donner lieu jour jours date heure heures fois debut fin "
    "cause partir suite encore deja toujours bien bon bonne donc ainsi environ seulement peu autre reste restent place "
    "want wants wanted need needs ask asks asked go goes get gets make makes take takes run runs say says said tell "
    "told "
    "confirm confirms confirmed keep keeps let use uses used set put come comes please still already around about time "
    "day days date week back well good got just even way thing things one ones lot number semaine mois annee month "
    "year "
    "fixe fixee fixed expects expect ok okay avis mind decision decide decided agreed convenu accord note rappel "
    "changement change changed correction mise jour update now nouveau nouvelle new finalement desormais maintenant "
    "instead anymore longer lieu sera seront ete etait was were been am pm hello m mme mr mrs ms dr "
    "prevoit prevoient prevu prevue plan plans planned tot tard lasts last dure durent using started start starting "
    "no not "
    "each chaque chacun chacune commence begin begins send sent envoyer envoie fait font consigne contrainte "
    "constraint rule decide regle something anything everything nothing much many quelque chose rien tout"
)

EMPTY: Mapping[str, frozenset[str]] = {
    language: frozenset(map(fold, words))
    | _LIGHT
    | frozenset(["don", "doesn", "didn", "isn", "aren", "won", "re", "ve", "ll"])
    for language, words in FUNCTION_WORDS.items()
}
"""By language: words that neither name a subject nor tell one attribute from another ("car" is one in French only)."""

ANY_EMPTY = frozenset[str]().union(*EMPTY.values())

_OPPOSITES = (
    (
        "open opens opened ouvert ouverte ouverts ouvertes ouvre ouvrent",
        "closed close shut ferme fermee fermes fermees ferment",
    ),
    ("with avec", "without sans"),
    ("free gratuit gratuite gratuits", "paying payant payante payants"),
    ("public publique", "private prive privee"),
    ("always toujours", "never jamais"),
    ("full-time", "part-time"),
)
OPPOSITES: Mapping[str, tuple[int, bool]] = {
    word: (number, side)
    for number, pair in enumerate(_OPPOSITES)
    for side in (True, False)
    for word in pair[side].split()
}
"""Words of which one denies the other, each with the number of its pair and its side."""
