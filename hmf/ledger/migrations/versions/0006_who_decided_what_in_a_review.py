"""Who decided what in a review, when, until when, and from which face; and what is told of each night"""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None

_COLUMNS = (
    ("since", sa.BigInteger()),
    ("answer", sa.String(16)),
    ("decided_at", sa.BigInteger()),
    ("until", sa.BigInteger()),
    ("batch_id", sa.String(36)),
    ("states", sa.JSON()),
)


def upgrade() -> None:
    """Apply the change."""
    for name, kind in _COLUMNS:
        op.add_column("plan_actions", sa.Column(name, kind, nullable=True))
    op.create_index("ix_plan_actions_batch_id", "plan_actions", ["batch_id"])
    op.add_column("batches", sa.Column("face", sa.String(32), nullable=True))
    op.create_table(
        "dismissed",
        sa.Column("namespace", sa.String(64), primary_key=True),
        sa.Column("key", sa.String(16), primary_key=True),
        sa.Column("at", sa.BigInteger(), nullable=False),
    )
    op.create_table(
        "digests",
        sa.Column("namespace", sa.String(64), primary_key=True),
        sa.Column("night", sa.String(10), primary_key=True),
        sa.Column("made_at", sa.BigInteger(), nullable=False),
        sa.Column("body", sa.JSON(), nullable=False),
    )
    # What was refused before was refused by a person: jobs never refuse.
    op.execute("UPDATE plan_actions SET answer = 'refuse' WHERE outcome = 'refused'")
