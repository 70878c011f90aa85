"""Text that gives orders to an assistant: a clipped page or a letter may hold some, and they are not the user's.

Nothing is refused or rewritten for it (a note on such tricks is a note like others): what comes from elsewhere and
speaks this way is shown with a warning, and comes after what does not.
"""

from __future__ import annotations

import re
from functools import lru_cache

from hmf.memory import Memory
from hmf.policy.folding import fold

FLAG = "addresses_assistant"
"""The code of the warning that such a memory is shown with."""

_READ = 4000
"""Characters read: such orders are hidden anywhere, but not worth reading a book for at each search."""

_WHAT_EN = r"(?:notes?|instructions?|memor(?:y|ies)|rules?|messages?|context|prompts?|guidelines?)"
_WHAT_FR = r"(?:notes?|consignes?|instructions?|souvenirs?|memoires?|regles?|messages?|contexte)"
_AI_EN = r"(?:ai|a\.i\.|llms?|chatbots?|language models?|assistants?|agents?)"
_AI_FR = r"(?:ia|i\.a\.|assistants?|agents?|robots?|intelligences? artificielles?|modeles? de langage)"
_ORDERS = (
    rf"\b(?:disregard|ignore|forget|override|overwrite|discard|bypass) (?:\w+ ){{0,3}}?(?:earlier|previous|prior|above|"
    rf"other|preceding|existing|all|any|your) (?:\w+ ){{0,2}}?{_WHAT_EN}\b",
    rf"\b(?:ignor|oubli|annul|contourn|efface)\w* (?:\w+ ){{0,3}}?{_WHAT_FR} (?:qui precedent|precedent\w*|"
    rf"anterieur\w*|ci-dessus|existant\w*|d'avant)",
    rf"\b(?:ne )?(?:tiens|tenez|tenir) (?:pas|plus|aucun) compte (?:de|des|d') ?(?:\w+ ){{0,2}}?{_WHAT_FR}\b",
    rf"\b(?:note|notice|message|instructions?|attention|memo) (?:to|for) (?:\w+ ){{0,2}}?{_AI_EN}\b",
    rf"\b(?:note|avis|message|consignes?|instructions?|attention) (?:a|au|aux|pour) "
    rf"(?:(?:l'|le |la |les |toute )?\w* ?)?{_AI_FR}\b",
    r"\b(?:save|store|add|write|commit|record|put|keep) (?:\w+ ){0,4}?(?:to|in|into) (?:your |the )?"
    r"(?:long-term |own )?memory\b",
    r"\b(?:enregistr|sauvegard|ajout|inscri|not|gard|stock|met)\w* (?:\w+ ){0,4}?(?:en|dans (?:la|ta|votre)) memoire\b",
    r"\b(?:reveal|print|output|repeat|disclose) (?:\w+ ){0,3}?(?:system prompt|stored \w+|"
    r"passwords?|secrets?|memories)\b",
    r"\b(?:revele|affiche|repete|divulgue)[sz]? (?:\w+ ){0,3}?(?:mots? de passe|secrets?|souvenirs|consignes)\b",
    r"\b(?:treat|mark|consider) (?:\w+ ){0,3}?(?:memories|notes) (?:\w+ ){0,3}?(?:as )?"
    r"(?:obsolete|void|outdated|deleted)",
    r"\b(?:marque|considere|traite)[rsz]? (?:\w+ ){0,4}?(?:souvenirs|notes) (?:\w+ ){0,3}?"
    r"(?:obsoletes?|perimee?s?|nulles?)",
    r"</?(?:memory|memories|system|assistant|instructions?|prompt|tool)>",
)
_PATTERN = re.compile("|".join(_ORDERS))


def addresses_assistant(memory: Memory) -> bool:
    """Whether a memory from elsewhere than the user gives orders to whoever reads memories."""
    return memory.source.type != "user" and _orders(memory.text[:_READ])


@lru_cache(maxsize=8192)
def _orders(text: str) -> bool:
    return _PATTERN.search(fold(text)) is not None
