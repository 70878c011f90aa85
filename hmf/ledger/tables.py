"""The tables of the truth. Moments are microseconds since the epoch, UTC: exact, sortable, the same on both engines."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Dialect,
    Float,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
    text,
)
from sqlalchemy.types import JSON, TypeDecorator

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)

metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "pk": "pk_%(table_name)s",
    }
)


class Moment(TypeDecorator[datetime]):
    """An aware datetime kept as whole microseconds since the epoch; a naive one is a bug and raises."""

    impl = BigInteger
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> int | None:
        """Aware datetime to microseconds."""
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError("a naive datetime reached the ledger")
        return (value - _EPOCH) // _MICROSECOND

    def process_result_value(self, value: int | None, dialect: Dialect) -> datetime | None:
        """Microseconds to aware UTC datetime."""
        return None if value is None else _EPOCH + timedelta(microseconds=value)


memories = Table(
    "memories",
    metadata,
    Column("id", String(36), primary_key=True),
    Column("namespace", String(64), nullable=False),
    Column("category", String(64), nullable=False),
    Column("tier", String(16), nullable=False),
    Column("kind", String(16), nullable=False),
    Column("text", Text, nullable=False),
    Column("language", String(8), nullable=False),
    Column("status", String(16), nullable=False),
    Column("authority", String(16), nullable=False),
    Column("source_type", String(64), nullable=False),
    Column("source_ref", Text),
    Column("source_author", Text),
    Column("valid_from", Moment, nullable=False),
    Column("learnt_at", Moment, nullable=False),
    Column("verified_at", Moment),
    Column("content_hash", String(64), nullable=False),
    Column("route_category", String(64), nullable=False),
    Column("route_confidence", Float, nullable=False),
    Column("route_by", String(16), nullable=False),
    Column("route_reason", Text, nullable=False),
    Column("state", String(16), nullable=False),
    Column("title", Text),
    Column("project", Text),
    Column("tags", JSON, nullable=False),
    Column("volatile", Boolean, nullable=False),
    Column("fresh_for", String(32)),
    Column("expires_at", Moment),
    Column("pinned", Boolean, nullable=False),
    Column("supersedes", JSON, nullable=False),
    Column("superseded_by", String(36)),
    Column("superseded_at", Moment),
    Column("summary_of", JSON, nullable=False),
    Column("summarised_in", String(36)),
    Column("session", Text),
    Column("position", Integer),
    Column("forgotten_at", Moment),
    Column("archived_at", Moment),
    Column("revision", BigInteger, nullable=False),
    Column("chunks", Integer, nullable=False),
    # How a summary was drawn from its originals; null for everything else.
    Column("drawn", JSON(none_as_null=True)),
    # The latest of the three retention clocks: lets a job ask for old rows without reading young ones.
    Column("touched_at", Moment, nullable=False),
    # Set while the memory is an active detail, else null: makes a second identical one impossible,
    # whoever writes at the same moment.
    Column("active_key", String(64), unique=True),
    Index("ix_memories_place", "namespace", "category", "tier", "state", "touched_at"),
    Index("ix_memories_hash", "namespace", "content_hash"),
    Index("ix_memories_project", "namespace", "project"),
    Index("ix_memories_learnt", "namespace", "learnt_at"),
    Index("ix_memories_expires", "expires_at"),
    # What stands beside a turn; most notes belong to no session.
    Index(
        "ix_memories_session",
        "session",
        "position",
        sqlite_where=text("session IS NOT NULL"),
        postgresql_where=text("session IS NOT NULL"),
    ),
)

batches = Table(
    "batches",
    metadata,
    Column("id", String(36), primary_key=True),
    Column("at", Moment, nullable=False),
    Column("namespace", String(64), nullable=False),
    Column("verb", String(32), nullable=False),
    Column("actor", String(64), nullable=False),
    Column("face", String(32)),
    Column("reason", Text),
    Column("plan_id", String(36)),
    Column("undoes", String(36)),
    Column("undone_by", String(36)),
    Index("ix_batches_at", "namespace", "at"),
)

journal = Table(
    "journal",
    metadata,
    Column("seq", BigInteger().with_variant(Integer, "sqlite"), primary_key=True, autoincrement=False),
    Column("batch_id", String(36), nullable=False, index=True),
    Column("at", Moment, nullable=False),
    Column("namespace", String(64), nullable=False),
    Column("memory_id", String(36), index=True),
    Column("project", Text),
    Column("verb", String(32), nullable=False),
    Column("reason", Text),
    Column("before", JSON),
    Column("revision_after", BigInteger),
)

counters = Table(
    "counters",
    metadata,
    Column("name", String(32), primary_key=True),
    Column("value", BigInteger, nullable=False),
)

outbox = Table(
    "outbox",
    metadata,
    Column("seq", BigInteger().with_variant(Integer, "sqlite"), primary_key=True, autoincrement=True),
    Column("memory_id", String(36), nullable=False),
    Column("collection", String(64), nullable=False),
    # Points of an earlier state may be more than today's: they go before the new ones are written.
    Column("rewrite", Boolean, nullable=False),
    # Numbers are never used twice, or a reader that remembers the last one it applied would skip new work.
    sqlite_autoincrement=True,
)

projects = Table(
    "projects",
    metadata,
    Column("namespace", String(64), primary_key=True),
    Column("name", Text, primary_key=True),
    Column("finished_at", Moment),
)

tombstones = Table(
    "tombstones",
    metadata,
    Column("memory_id", String(36), primary_key=True),
    Column("namespace", String(64), nullable=False),
    Column("content_hash", String(64), nullable=False),
    Column("at", Moment, nullable=False),
    Column("reason", Text),
    Column("erased", Boolean, nullable=False),
    Index("ix_tombstones_hash", "namespace", "content_hash"),
)

embeddings = Table(
    "embeddings",
    metadata,
    Column("content_key", String(64), primary_key=True),
    Column("embedder", String(96), primary_key=True),
    Column("vector", LargeBinary, nullable=False),
)

plans = Table(
    "plans",
    metadata,
    Column("id", String(36), primary_key=True),
    Column("job", String(64), nullable=False),
    Column("namespace", String(64), nullable=False),
    Column("made_at", Moment, nullable=False),
    Column("state", String(16), nullable=False),
    Column("stops", JSON, nullable=False),
    # What the job saw; kept on the newest plan of a job only.
    Column("notes", JSON, nullable=False, server_default="[]"),
    Index("ix_plans_open", "namespace", "state", "job"),
)

plan_actions = Table(
    "plan_actions",
    metadata,
    Column("plan_id", String(36), primary_key=True),
    Column("key", String(16), primary_key=True),
    Column("position", Integer, nullable=False),
    Column("body", JSON, nullable=False),
    Column("outcome", String(16), nullable=False),
    Column("note", Text),
    # Since when the proposal has been waiting, through all plans that made it.
    Column("since", Moment),
    # What a person said of it, when, until when (postponed), in which batch, and the state of each memory then.
    Column("answer", String(16)),
    Column("decided_at", Moment),
    Column("until", Moment),
    Column("batch_id", String(36), index=True),
    Column("states", JSON),
)

dismissed = Table(
    "dismissed",
    metadata,
    Column("namespace", String(64), primary_key=True),
    # Key of a note that a person does not want to see again.
    Column("key", String(16), primary_key=True),
    Column("at", Moment, nullable=False),
)

digests = Table(
    "digests",
    metadata,
    Column("namespace", String(64), primary_key=True),
    Column("night", String(10), primary_key=True),  # its local date, in ISO form
    Column("made_at", Moment, nullable=False),
    Column("body", JSON, nullable=False),
)

runs = Table(
    "runs",
    metadata,
    Column("id", String(36), primary_key=True),
    Column("job", String(64), nullable=False),
    Column("slot", String(64), nullable=False),
    Column("attempt", Integer, nullable=False),
    Column("scheduled_for", Moment),
    Column("started_at", Moment, nullable=False),
    Column("ended_at", Moment),
    Column("outcome", String(16), nullable=False),
    Column("detail", JSON, nullable=False),
    Column("error", Text),
    Column("owner", Text, nullable=False),
    UniqueConstraint("job", "slot", "attempt"),
    Index("ix_runs_started", "job", "started_at"),
)

claims = Table(
    "claims",
    metadata,
    Column("name", String(64), primary_key=True),
    Column("owner", Text, nullable=False),
    Column("since", Moment, nullable=False),
    Column("until", Moment, nullable=False),
)

manifest = Table(
    "manifest",
    metadata,
    Column("key", String(64), primary_key=True),
    Column("value", Text, nullable=False),
)

recalls = Table(
    "recalls",
    metadata,
    Column("memory_id", String(36), primary_key=True),
    Column("last_at", Moment, nullable=False),
    Column("times", Integer, nullable=False),
)

prints = Table(
    "prints",
    metadata,
    # The numbers by which a tombstone knows its text again, under the store's key: see `hmf.policy.twins`.
    Column("memory_id", String(36), primary_key=True),
    Column("number", BigInteger, primary_key=True, autoincrement=False),
    Column("part", Boolean, primary_key=True),
    Column("long", Boolean, nullable=False),
    Index("ix_prints_number", "number"),
)

remnants = Table(
    "remnants",
    metadata,
    # Where something erased may still lie: a collection of the index, or the ledger's own free pages.
    Column("place", String(96), primary_key=True),
    Column("due", Moment, nullable=False),
)

copies = Table(
    "copies",
    metadata,
    # Files that HMF wrote outside its folders.
    Column("path", Text, primary_key=True),
    Column("namespace", String(64), primary_key=True),
    Column("at", Moment, nullable=False),
)
