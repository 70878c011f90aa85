"""What all texts have in common to an embedder: taken out before texts are compared with categories.

Cosines of any two texts start from a common part (0.8 with e5, 0.2 with USE), and from another one in each language.
Neutral sentences that belong to no drawer show it: their mean is what a vector has for being a text, and the way from
one language's mean to the other's is what it has for being French or English.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Rows = NDArray[np.float32]

NEUTRAL: Mapping[str, Sequence[str]] = {
    "fr": (
        "Il a plu toute la matinée, puis le ciel s'est dégagé vers midi.",
        "La réunion est repoussée à jeudi parce que deux personnes sont absentes.",
        "Je préfère travailler tôt, quand la maison est encore calme.",
        "Le prix du blé a augmenté depuis le début de l'année.",
        "Elle a grandi dans un village où tout le monde se connaissait.",
        "Il faut laisser reposer la pâte une heure avant de la cuire.",
        "La plupart des habitants se souviennent encore de la grande crue.",
        "Merci de m'envoyer le document signé avant la fin de la semaine.",
        "Selon les chercheurs, ce phénomène reste difficile à expliquer.",
        "L'entreprise emploie une centaine de personnes dans trois ateliers.",
        "On ne sait pas encore qui remplacera le directeur.",
        "Ce livre raconte l'histoire d'une famille sur trois générations.",
        "Le pont a été fermé pour travaux pendant six mois.",
        "Quelques spectateurs sont partis avant la fin.",
        "Elle parle quatre langues et apprend la cinquième.",
        "Nous avons décidé de garder la première version du texte.",
        "Le tribunal rendra sa décision au printemps.",
        "Dans cette région, les hivers sont longs et les étés secs.",
        "Il vaut mieux réserver à l'avance pendant les vacances.",
        "Les enfants apprennent à lire vers six ans.",
        "Le moteur chauffe trop quand la machine tourne longtemps.",
        "Son équipe a perdu deux fois de suite le mois dernier.",
        "Le médecin lui a conseillé de marcher tous les jours.",
        "Cette idée ne vaut peut-être rien, mais je la note quand même.",
    ),
    "en": (
        "It rained all morning, then the sky cleared around noon.",
        "The meeting is moved to Thursday because two people are away.",
        "I would rather work early, while the house is still quiet.",
        "The price of wheat has risen since the start of the year.",
        "She grew up in a village where everyone knew each other.",
        "The dough has to rest for an hour before it is baked.",
        "Most of the inhabitants still remember the great flood.",
        "Please send me the signed document before the end of the week.",
        "According to researchers, this phenomenon remains hard to explain.",
        "The company employs about a hundred people in three workshops.",
        "Nobody knows yet who will replace the director.",
        "This book tells the story of a family over three generations.",
        "The bridge was closed for repairs for six months.",
        "A few spectators left before the end.",
        "She speaks four languages and is learning a fifth.",
        "We decided to keep the first version of the text.",
        "The court will give its decision in the spring.",
        "In this region winters are long and summers are dry.",
        "It is better to book ahead during the holidays.",
        "Children learn to read at about six.",
        "The engine gets too hot when the machine runs for long.",
        "Her team lost twice in a row last month.",
        "The doctor advised him to walk every day.",
        "This idea may be worth nothing, but I note it all the same.",
    ),
}
"""The same sentences in each language, so that only the language tells their means apart."""


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """The common part of an embedder's vectors: the mean, and orthonormal axes along which languages differ."""

    mean: Rows
    axes: Rows

    @classmethod
    def plain(cls, dimension: int) -> Frame:
        """Nothing is taken out."""
        return cls(np.zeros(dimension, np.float32), np.zeros((0, dimension), np.float32))

    @classmethod
    def of(cls, languages: Sequence[Rows]) -> Frame:
        """Measured on the rows of neutral sentences, one array a language, each shape (n, d)."""
        means = np.array([rows.mean(axis=0) for rows in languages], dtype=np.float64)
        apart = means[:-1] - means[-1]
        # Languages that one embedder does not tell apart have no direction between them.
        _, strength, directions = np.linalg.svd(apart, full_matrices=False)
        return cls(means.mean(axis=0).astype(np.float32), directions[strength > 1e-6].astype(np.float32))

    def centred(self, rows: Rows) -> Rows:
        """Unit rows without the common part, shape (n, d); a row that is nothing but common becomes zero."""
        left = np.asarray(rows, np.float32) - self.mean
        for axis in self.axes:
            left = left - np.einsum("ij,j->i", left, axis)[:, None] * axis
        norms = np.linalg.norm(left, axis=1, keepdims=True)
        unit: Rows = np.where(norms > 1e-6, left / np.maximum(norms, 1e-6), 0.0).astype(np.float32)
        return unit
