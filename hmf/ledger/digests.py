"""The digests of the nights: one for each namespace and local date."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from sqlalchemy import delete, insert, select

from hmf.ledger import tables as t
from hmf.ledger.ledger import Ledger


class Digests:
    """What was told of each night."""

    def __init__(self, ledger: Ledger) -> None:
        """Work on `ledger`."""
        self._ledger = ledger

    def put(self, namespace: str, night: str, at: datetime, body: Mapping[str, Any]) -> None:
        """Keep the digest of a night, in place of an earlier one of the same night."""
        d = t.digests.c
        with self._ledger.transaction() as connection:
            connection.execute(delete(t.digests).where(d.namespace == namespace, d.night == night))
            connection.execute(insert(t.digests).values(namespace=namespace, night=night, made_at=at, body=dict(body)))

    def read(
        self, namespace: str, *, limit: int, night: str | None = None, before: str | None = None
    ) -> list[Mapping[str, Any]]:
        """The newest `limit` digests; only of a night, or of earlier ones, where that is given."""
        d = t.digests.c
        query = select(t.digests).where(d.namespace == namespace)
        if night is not None:
            query = query.where(d.night == night)
        if before is not None:
            query = query.where(d.night < before)
        return self._ledger.rows(query.order_by(d.night.desc()).limit(limit))
