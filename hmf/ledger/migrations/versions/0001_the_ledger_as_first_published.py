"""The ledger as first published"""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Apply the change."""

    op.create_table(
        "batches",
        sa.Column("id", sa.String(length=36), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("namespace", sa.String(length=64), nullable=False),
        sa.Column("verb", sa.String(length=32), nullable=False),
        sa.Column("actor", sa.String(length=64), nullable=False),
        sa.Column("reason", sa.Text(), nullable=True),
        sa.Column("plan_id", sa.String(length=36), nullable=True),
        sa.Column("undoes", sa.String(length=36), nullable=True),
        sa.Column("undone_by", sa.String(length=36), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_batches")),
    )
    with op.batch_alter_table("batches", schema=None) as batch_op:
        batch_op.create_index("ix_batches_at", ["namespace", "at"], unique=False)

    op.create_table(
        "claims",
        sa.Column("name", sa.String(length=64), nullable=False),
        sa.Column("owner", sa.Text(), nullable=False),
        sa.Column("since", sa.BigInteger(), nullable=False),
        sa.Column("until", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_claims")),
    )
    op.create_table(
        "counters",
        sa.Column("name", sa.String(length=32), nullable=False),
        sa.Column("value", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_counters")),
    )
    op.create_table(
        "embeddings",
        sa.Column("content_key", sa.String(length=64), nullable=False),
        sa.Column("embedder", sa.String(length=96), nullable=False),
        sa.Column("vector", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("content_key", "embedder", name=op.f("pk_embeddings")),
    )
    op.create_table(
        "journal",
        sa.Column("seq", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), autoincrement=False, nullable=False),
        sa.Column("batch_id", sa.String(length=36), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("namespace", sa.String(length=64), nullable=False),
        sa.Column("memory_id", sa.String(length=36), nullable=True),
        sa.Column("project", sa.Text(), nullable=True),
        sa.Column("verb", sa.String(length=32), nullable=False),
        sa.Column("reason", sa.Text(), nullable=True),
        sa.Column("before", sa.JSON(), nullable=True),
        sa.Column("revision_after", sa.BigInteger(), nullable=True),
        sa.PrimaryKeyConstraint("seq", name=op.f("pk_journal")),
    )
    with op.batch_alter_table("journal", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_journal_batch_id"), ["batch_id"], unique=False)
        batch_op.create_index(batch_op.f("ix_journal_memory_id"), ["memory_id"], unique=False)

    op.create_table(
        "manifest",
        sa.Column("key", sa.String(length=64), nullable=False),
        sa.Column("value", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("key", name=op.f("pk_manifest")),
    )
    op.create_table(
        "memories",
        sa.Column("id", sa.String(length=36), nullable=False),
        sa.Column("namespace", sa.String(length=64), nullable=False),
        sa.Column("category", sa.String(length=64), nullable=False),
        sa.Column("tier", sa.String(length=16), nullable=False),
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("language", sa.String(length=8), nullable=False),
        sa.Column("status", sa.String(length=16), nullable=False),
        sa.Column("authority", sa.String(length=16), nullable=False),
        sa.Column("source_type", sa.String(length=64), nullable=False),
        sa.Column("source_ref", sa.Text(), nullable=True),
        sa.Column("source_author", sa.Text(), nullable=True),
        sa.Column("valid_from", sa.BigInteger(), nullable=False),
        sa.Column("learnt_at", sa.BigInteger(), nullable=False),
        sa.Column("verified_at", sa.BigInteger(), nullable=True),
        sa.Column("content_hash", sa.String(length=64), nullable=False),
        sa.Column("route_category", sa.String(length=64), nullable=False),
        sa.Column("route_confidence", sa.Float(), nullable=False),
        sa.Column("route_by", sa.String(length=16), nullable=False),
        sa.Column("route_reason", sa.Text(), nullable=False),
        sa.Column("state", sa.String(length=16), nullable=False),
        sa.Column("title", sa.Text(), nullable=True),
        sa.Column("project", sa.Text(), nullable=True),
        sa.Column("tags", sa.JSON(), nullable=False),
        sa.Column("volatile", sa.Boolean(), nullable=False),
        sa.Column("fresh_for", sa.String(length=32), nullable=True),
        sa.Column("expires_at", sa.BigInteger(), nullable=True),
        sa.Column("pinned", sa.Boolean(), nullable=False),
        sa.Column("supersedes", sa.JSON(), nullable=False),
        sa.Column("superseded_by", sa.String(length=36), nullable=True),
        sa.Column("superseded_at", sa.BigInteger(), nullable=True),
        sa.Column("summary_of", sa.JSON(), nullable=False),
        sa.Column("summarised_in", sa.String(length=36), nullable=True),
        sa.Column("session", sa.Text(), nullable=True),
        sa.Column("position", sa.Integer(), nullable=True),
        sa.Column("forgotten_at", sa.BigInteger(), nullable=True),
        sa.Column("archived_at", sa.BigInteger(), nullable=True),
        sa.Column("revision", sa.BigInteger(), nullable=False),
        sa.Column("chunks", sa.Integer(), nullable=False),
        sa.Column("touched_at", sa.BigInteger(), nullable=False),
        sa.Column("active_key", sa.String(length=64), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_memories")),
        sa.UniqueConstraint("active_key", name=op.f("uq_memories_active_key")),
    )
    with op.batch_alter_table("memories", schema=None) as batch_op:
        batch_op.create_index("ix_memories_expires", ["expires_at"], unique=False)
        batch_op.create_index("ix_memories_hash", ["namespace", "content_hash"], unique=False)
        batch_op.create_index("ix_memories_learnt", ["namespace", "learnt_at"], unique=False)
        batch_op.create_index(
            "ix_memories_place", ["namespace", "category", "tier", "state", "touched_at"], unique=False
        )
        batch_op.create_index("ix_memories_project", ["namespace", "project"], unique=False)

    op.create_table(
        "outbox",
        sa.Column("seq", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), autoincrement=True, nullable=False),
        sa.Column("memory_id", sa.String(length=36), nullable=False),
        sa.Column("collection", sa.String(length=64), nullable=False),
        sa.Column("rewrite", sa.Boolean(), nullable=False),
        sa.PrimaryKeyConstraint("seq", name=op.f("pk_outbox")),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "plan_actions",
        sa.Column("plan_id", sa.String(length=36), nullable=False),
        sa.Column("key", sa.String(length=16), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("body", sa.JSON(), nullable=False),
        sa.Column("outcome", sa.String(length=16), nullable=False),
        sa.Column("note", sa.Text(), nullable=True),
        sa.PrimaryKeyConstraint("plan_id", "key", name=op.f("pk_plan_actions")),
    )
    op.create_table(
        "plans",
        sa.Column("id", sa.String(length=36), nullable=False),
        sa.Column("job", sa.String(length=64), nullable=False),
        sa.Column("namespace", sa.String(length=64), nullable=False),
        sa.Column("made_at", sa.BigInteger(), nullable=False),
        sa.Column("state", sa.String(length=16), nullable=False),
        sa.Column("stops", sa.JSON(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_plans")),
    )
    with op.batch_alter_table("plans", schema=None) as batch_op:
        batch_op.create_index("ix_plans_open", ["namespace", "state", "job"], unique=False)

    op.create_table(
        "projects",
        sa.Column("namespace", sa.String(length=64), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("finished_at", sa.BigInteger(), nullable=True),
        sa.PrimaryKeyConstraint("namespace", "name", name=op.f("pk_projects")),
    )
    op.create_table(
        "recalls",
        sa.Column("memory_id", sa.String(length=36), nullable=False),
        sa.Column("last_at", sa.BigInteger(), nullable=False),
        sa.Column("times", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("memory_id", name=op.f("pk_recalls")),
    )
    op.create_table(
        "runs",
        sa.Column("id", sa.String(length=36), nullable=False),
        sa.Column("job", sa.String(length=64), nullable=False),
        sa.Column("slot", sa.String(length=64), nullable=False),
        sa.Column("attempt", sa.Integer(), nullable=False),
        sa.Column("scheduled_for", sa.BigInteger(), nullable=True),
        sa.Column("started_at", sa.BigInteger(), nullable=False),
        sa.Column("ended_at", sa.BigInteger(), nullable=True),
        sa.Column("outcome", sa.String(length=16), nullable=False),
        sa.Column("detail", sa.JSON(), nullable=False),
        sa.Column("error", sa.Text(), nullable=True),
        sa.Column("owner", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_runs")),
        sa.UniqueConstraint("job", "slot", "attempt", name=op.f("uq_runs_job_slot_attempt")),
    )
    with op.batch_alter_table("runs", schema=None) as batch_op:
        batch_op.create_index("ix_runs_started", ["job", "started_at"], unique=False)

    op.create_table(
        "tombstones",
        sa.Column("memory_id", sa.String(length=36), nullable=False),
        sa.Column("namespace", sa.String(length=64), nullable=False),
        sa.Column("content_hash", sa.String(length=64), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=True),
        sa.Column("erased", sa.Boolean(), nullable=False),
        sa.PrimaryKeyConstraint("memory_id", name=op.f("pk_tombstones")),
    )
    with op.batch_alter_table("tombstones", schema=None) as batch_op:
        batch_op.create_index("ix_tombstones_hash", ["namespace", "content_hash"], unique=False)
