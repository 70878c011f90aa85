"""What is said of forgetting and of erasing."""

from __future__ import annotations

from collections.abc import Mapping

SENTENCES: Mapping[str, Mapping[str, str]] = {
    "en": {
        "stopped": "forgotten on {date}: the source {source} does not bring it back; to take it all the same, --again",
        "stopped_alike": "says the same as what was forgotten on {date}, in other words: the source {source} does not "
        "bring it back; to take it all the same, --again",
        "rewritten": "summary {id} was rewritten without it",
        "let_go": "summary {id} was let go: too few of its sources are left",
        "scrubbed": "destroyed in: {places}",
        "copy": "the file {path}, written on {date}, still says it: delete it, or export anew",
        "copy_unsure": "the file {path}, written on {date}, may still say it: it is not there any more, or "
        "cannot be read",
        "server_index": "the Qdrant server at {url} deletes it from its files as it optimises: its snapshots are yours "
        "to delete",
        "server_ledger": "the database server may keep it until it is vacuumed, and in its own logs and backups",
        "unfinished": "not finished: {why} It is hidden already, and what is left is destroyed at the next start",
        "outside": "copies outside HMF, if you made any, are yours to delete: exports by `hmf export -`, backups or "
        "snapshots of the disk, an assistant's own transcript",
        "in_ledger": "the ledger and its journal",
        "in_vectors": "the vectors",
        "in_index": "the index ({names})",
        "in_plans": "the proposals that quoted it",
    },
    "fr": {
        "stopped": "oublié le {date} : la source {source} ne le ramène pas ; pour le reprendre quand même, --again",
        "stopped_alike": "dit la même chose que ce qui a été oublié le {date}, en d’autres mots : la source {source} "
        "ne le ramène pas ; pour le reprendre quand même, --again",
        "rewritten": "le résumé {id} a été récrit sans lui",
        "let_go": "le résumé {id} a été retiré : il lui reste trop peu de sources",
        "scrubbed": "détruit dans : {places}",
        "copy": "le fichier {path}, écrit le {date}, le dit encore : supprimez-le, ou exportez à nouveau",
        "copy_unsure": "le fichier {path}, écrit le {date}, le dit peut-être encore : il n’est plus là, ou reste "
        "illisible",
        "server_index": "le serveur Qdrant {url} l’efface de ses fichiers au fil de ses optimisations : ses "
        "instantanés sont à supprimer par vous",
        "server_ledger": "le serveur de base de données peut le garder jusqu’à son prochain VACUUM, et dans ses "
        "journaux et sauvegardes",
        "unfinished": "inachevé : {why} Rien n’en est plus visible, et le reste sera détruit au prochain démarrage",
        "outside": "les copies hors de HMF, s’il y en a, sont à supprimer par vous : exports par `hmf export -`, "
        "sauvegardes ou instantanés du disque, transcription gardée par un assistant",
        "in_ledger": "le registre et son journal",
        "in_vectors": "les vecteurs",
        "in_index": "l’index ({names})",
        "in_plans": "les propositions qui le citaient",
    },
}
COUNTED: Mapping[str, Mapping[str, tuple[str, str]]] = {"en": {}, "fr": {}}
