"""Know where each sentence of a summary stands"""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Apply the change. Summaries of before know nothing of it, until the next night writes them anew."""
    op.add_column("memories", sa.Column("drawn", sa.JSON(none_as_null=True)))
