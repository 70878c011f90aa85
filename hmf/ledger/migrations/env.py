"""Alembic's entry: HMF runs migrations in the connection it already holds, never from a command line."""

from alembic import context

from hmf.ledger.tables import metadata

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    render_as_batch=True,
    transactional_ddl=True,
)
context.run_migrations()
