"""The files that HMF wrote outside its folders: they may still say what was erased here."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

from sqlalchemy import delete, insert, select

from hmf.ledger import tables as t
from hmf.ledger.ledger import Ledger


class Copies:
    """The register of exports."""

    def __init__(self, ledger: Ledger) -> None:
        """Work on `ledger`."""
        self._ledger = ledger

    def note(self, path: Path, namespace: str, at: datetime) -> None:
        """A file was written there, in the place of what an earlier one held."""
        c = t.copies.c
        with self._ledger.transaction() as connection:
            connection.execute(delete(t.copies).where(c.path == str(path)))
            connection.execute(insert(t.copies).values(path=str(path), namespace=namespace, at=at))

    def of(self, namespace: str) -> list[tuple[Path, datetime]]:
        """Where copies of a namespace were written, and when; oldest first."""
        query = select(t.copies).where(t.copies.c.namespace == namespace).order_by(t.copies.c.at, t.copies.c.path)
        return [(Path(row["path"]), row["at"]) for row in self._ledger.rows(query)]
