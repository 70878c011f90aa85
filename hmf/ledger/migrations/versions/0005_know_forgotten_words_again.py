"""Know forgotten words again, and where erased ones may still lie"""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Apply the change."""
    op.create_table(
        "prints",
        sa.Column("memory_id", sa.String(36), nullable=False),
        sa.Column("number", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("part", sa.Boolean(), nullable=False),
        sa.Column("long", sa.Boolean(), nullable=False),
        sa.PrimaryKeyConstraint("memory_id", "number", "part", name=op.f("pk_prints")),
    )
    op.create_index("ix_prints_number", "prints", ["number"], unique=False)
    op.create_table(
        "remnants",
        sa.Column("place", sa.String(96), nullable=False),
        sa.Column("due", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("place", name=op.f("pk_remnants")),
    )
    op.create_table(
        "copies",
        sa.Column("path", sa.Text(), nullable=False),
        sa.Column("namespace", sa.String(64), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("path", "namespace", name=op.f("pk_copies")),
    )
