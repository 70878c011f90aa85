"""Keep what a job has seen"""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Apply the change."""
    op.add_column("plans", sa.Column("notes", sa.JSON(), nullable=False, server_default="[]"))
