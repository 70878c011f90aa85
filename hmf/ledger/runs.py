"""Job runs: claimed before they start, recorded whatever happens."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import delete, insert, select, update
from sqlalchemy.exc import IntegrityError

from hmf.errors import Conflict
from hmf.ledger import tables as t
from hmf.ledger.ledger import Ledger

RUNNING, OK, FAILED, INTERRUPTED = "running", "ok", "failed", "interrupted"


class Runs:
    """The register of runs and the claim that keeps two from overlapping."""

    def __init__(self, ledger: Ledger) -> None:
        """Work on `ledger`."""
        self._ledger = ledger

    def claim(self, name: str, owner: str, now: datetime, until: datetime) -> None:
        """Take the claim `name` until `until`. Raises Conflict naming who holds it; an outlived claim gives way."""
        with self._ledger.transaction() as connection:
            c = t.claims.c
            connection.execute(delete(t.claims).where(c.name == name, c.until <= now))
            held = connection.execute(select(t.claims).where(c.name == name)).mappings().first()
            if held is not None:
                raise Conflict(
                    f"Curation is already running ({held['owner']}, since {held['since'].isoformat()}).",
                    fix="wait until it ends; `hmf jobs list` shows it.",
                )
            try:
                connection.execute(insert(t.claims).values(name=name, owner=owner, since=now, until=until))
            except IntegrityError as error:
                raise Conflict("Curation is already running elsewhere.", fix="hmf jobs list") from error

    def release(self, name: str, owner: str) -> None:
        """Give the claim back; harmless when it is not ours any more."""
        with self._ledger.transaction() as connection:
            connection.execute(delete(t.claims).where(t.claims.c.name == name, t.claims.c.owner == owner))

    def start(
        self,
        run_id: str,
        job: str,
        slot: str,
        *,
        now: datetime,
        owner: str,
        scheduled_for: datetime | None = None,
        expected: int | None = None,
    ) -> int:
        """Record a start and return the attempt's number in this slot (1 for the first).

        Raises Conflict when another process started the same attempt; `expected` is the number the caller counts on.
        """
        c = t.runs.c
        with self._ledger.transaction() as connection:
            past = connection.execute(select(c.attempt).where(c.job == job, c.slot == slot)).scalars().all()
            attempt = max(past, default=0) + 1
            if expected is not None and attempt != expected:
                raise Conflict(f"Run {slot} of {job} was started elsewhere.", fix="hmf jobs list")
            try:
                connection.execute(
                    insert(t.runs).values(
                        id=run_id,
                        job=job,
                        slot=slot,
                        attempt=attempt,
                        scheduled_for=scheduled_for,
                        started_at=now,
                        outcome=RUNNING,
                        detail={},
                        owner=owner,
                    )
                )
            except IntegrityError as error:
                raise Conflict(f"Run {slot} of {job} was started elsewhere.", fix="hmf jobs list") from error
            return attempt

    def end(
        self, run_id: str, *, now: datetime, outcome: str, detail: Mapping[str, Any], error: str | None = None
    ) -> None:
        """Record how a run ended."""
        with self._ledger.transaction() as connection:
            connection.execute(
                update(t.runs)
                .where(t.runs.c.id == run_id)
                .values(ended_at=now, outcome=outcome, detail=dict(detail), error=error)
            )

    def renew(self, name: str, owner: str, until: datetime) -> None:
        """Hold a claim longer: the work goes on."""
        with self._ledger.transaction() as connection:
            c = t.claims.c
            connection.execute(update(t.claims).where(c.name == name, c.owner == owner).values(until=until))

    def interrupted(self, now: datetime, lease: timedelta) -> int:
        """Mark runs still called running as interrupted: their process died.

        The owner of a SQLite ledger is the only process there, so every claim is a dead one's. On a server another
        daemon may be at work: there only what started longer ago than a claim lasts is given up.
        """
        c = t.runs.c
        alone = self._ledger.sqlite
        with self._ledger.transaction() as connection:
            connection.execute(delete(t.claims) if alone else delete(t.claims).where(t.claims.c.until <= now))
            done = connection.execute(
                update(t.runs)
                .where(c.outcome == RUNNING, *(() if alone else (c.started_at <= now - lease,)))
                .values(ended_at=now, outcome=INTERRUPTED, error="the process ended before the run did")
            )
            return done.rowcount

    def recent(self, *, job: str | None = None, limit: int = 50) -> list[Mapping[str, Any]]:
        """Runs, newest first."""
        query = select(t.runs)
        if job is not None:
            query = query.where(t.runs.c.job == job)
        return self._ledger.rows(query.order_by(t.runs.c.started_at.desc(), t.runs.c.id.desc()).limit(limit))

    def of_slot(self, job: str, slot: str) -> list[Mapping[str, Any]]:
        """The attempts of one slot, oldest first."""
        c = t.runs.c
        return self._ledger.rows(select(t.runs).where(c.job == job, c.slot == slot).order_by(c.attempt))

    def between(self, since: datetime, until: datetime) -> list[Mapping[str, Any]]:
        """The runs that began in this time, oldest first."""
        c = t.runs.c
        query = select(t.runs).where(c.started_at >= since, c.started_at < until)
        return self._ledger.rows(query.order_by(c.started_at, c.attempt, c.id))
