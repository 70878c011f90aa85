"""What kind of memory a text is, when nobody said: by the way it is put, in French and English.

Decisions and constraints never age out, so a cue is needed to call something one; without a cue it is a note.
"""

from __future__ import annotations

import re

from hmf.memory import Kind
from hmf.policy.folding import fold

_CUES: tuple[tuple[Kind, str], ...] = (
    (
        Kind.HYPOTHESIS,
        r"\b(peut-etre|hypothese|je suppose|je me demande si|il se pourrait|a verifier|sans doute que|"
        r"maybe|perhaps|hypothesis|i suspect|i guess|might be|could be that|to be checked)\b",
    ),
    (
        Kind.DECISION,
        r"\b(decision|decide[se]?|nous avons decide|on a decide|valide[es]?\b.{0,20}\bpar|tranche|c'est arrete|"
        r"on garde|on retient|decided|we agreed|agreed with|settled on|signed off|going with|approved)\b",
    ),
    (
        Kind.CONSTRAINT,
        r"\b(interdit|obligatoire|imperatif|imperativement|ne doi(t|vent) (pas|jamais)|doi(t|vent) (rester|etre|faire)|"
        r"maximum|au plus|pas plus de|must( not)?|never use|not allowed|no more than|at most|forbidden|required)\b",
    ),
    (
        Kind.LESSON,
        r"\b(lecon|j'ai appris que|la prochaine fois|a retenir|lesson|next time|learnt that|learned that)\b",
    ),
    (
        Kind.PREFERENCE,
        r"\b(je prefere|j'aime|je deteste|je n'aime pas|ma preference|toujours ecrire|i prefer|i like|i hate|i dislike|"
        r"i always|i never|my preference)\b",
    ),
    (
        Kind.TASK,
        r"(^|\b)(a faire|todo|to do|penser a|ne pas oublier|rappeler|relancer|envoyer|remember to|don't forget|need to|"
        r"follow up|send|chase|call back)\b",
    ),
    (Kind.EVENT, r"\b(rendez-vous|reunion|rdv|meeting|appointment|call with|appel avec)\b"),
)
_COMPILED = tuple((kind, re.compile(pattern)) for kind, pattern in _CUES)
_HEAD = 400  # the way a note is put shows in its first lines; a long quoted text must not decide


def infer(text: str) -> Kind:
    """The kind that the wording suggests, `note` when it suggests none."""
    head = fold(text[:_HEAD])
    for kind, pattern in _COMPILED:
        if pattern.search(head):
            return kind
    return Kind.NOTE
