"""Find what stands beside a turn"""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Apply the change."""
    placed = sa.text("session IS NOT NULL")
    op.create_index(
        "ix_memories_session",
        "memories",
        ["session", "position"],
        unique=False,
        sqlite_where=placed,
        postgresql_where=placed,
    )
