"""Setting up and looking after: init, config, reindex, doctor, stats, serve, demo."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Annotated

import typer
from rich.text import Text

from hmf.cli import files, output, render
from hmf.cli.options import EXIT_CODES, SETTING_UP, AsJson, DryRun
from hmf.cli.output import Json
from hmf.cli.session import Session, opened
from hmf.errors import ConfigError
from hmf.paths import shipped_config

app = typer.Typer()
config = typer.Typer(no_args_is_help=True, epilog=EXIT_CODES)


@app.command(rich_help_panel=SETTING_UP)
def init(
    ctx: typer.Context,
    force: Annotated[
        bool, typer.Option("--force", help="Write the default configuration again; yours is kept beside it.")
    ] = False,
    dry_run: DryRun = False,
    as_json: AsJson = False,
) -> None:
    """Write the configuration where there is none, open the memory once, and say where everything lies."""
    with opened(ctx) as session:
        file = session.config_file
        fresh = not file.exists()
        backup = _backup_name(file) if force and not fresh else None
        if not dry_run:
            _write_config(file, backup, fresh)
            session.call("stats")
        data: Json = {
            "config": str(file),
            "written": fresh or force,
            "backup": str(backup) if backup else None,
            "schema": str(_schema_beside(file)),
            "data": str(session.places.data_dir),
            "state": str(session.places.state_dir),
            "cache": str(session.places.cache_dir),
            "dry_run": dry_run,
        }
    output.emit(data, as_json, lambda: _places(data))
    if not as_json:
        output.note('Next: hmf add "…"    hmf search "…"    hmf serve', "bold")


def _write_config(file: Path, backup: Path | None, fresh: bool) -> None:
    from hmf.config.schema import render as schema

    try:
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        if backup is not None:
            file.rename(backup)
        if fresh or backup is not None:
            files.write(file, shipped_config().read_text(encoding="utf-8").splitlines())
            files.write(_schema_beside(file), schema().splitlines())
    except OSError as error:
        raise ConfigError(
            f"{file} cannot be written: {error.strerror or error}.",
            fix="check the rights on its folder, or give --config.",
        ) from error


def _schema_beside(file: Path) -> Path:
    return file.with_name("hmf.schema.json")


def _backup_name(file: Path) -> Path:
    """The first free of `hmf.yaml.bak`, `hmf.yaml.bak2` …: no backup replaces another."""
    number = 1
    while (name := file.with_name(f"{file.name}.bak{number if number > 1 else ''}")).exists():
        number += 1
    return name


def _places(data: Json) -> Text:
    lines = [f"{'configuration':14}{data['config']}{'' if data['written'] else ' (yours, left as it is)'}"]
    if data["backup"]:
        lines.append(f"{'your old one':14}{data['backup']}")
    lines += [f"{name:14}{data[name]}" for name in ("data", "state", "cache")]
    return Text(output.safe("\n".join(lines)))


@config.command()
def check(ctx: typer.Context, as_json: AsJson = False) -> None:
    """Read the configuration and tell every mistake at once, with its place."""
    with opened(ctx) as session:
        try:
            count = len(session.settings.categories)
        except ConfigError as error:
            if as_json:
                output.print_json({"valid": False, "file": _read_from(session), "problems": list(error.problems)})
            raise
        data = {"valid": True, "file": _read_from(session), "problems": [], "categories": count}
        output.emit(data, as_json, lambda: Text(output.safe(f"{data['file']}: well, {count} categories")))


@config.command("show")
def show_config(ctx: typer.Context, as_json: AsJson = False) -> None:
    """The configuration in force, defaults included, as YAML."""
    from ruamel.yaml import YAML

    with opened(ctx) as session:
        data = session.settings.model_dump(mode="json")
        if as_json:
            output.print_json(data)
            return
        yaml, text = YAML(typ="rt", pure=True), io.StringIO()  # "rt" keeps the order of the keys
        yaml.dump(data, text)
        output.raw(f"# {_read_from(session)}\n{text.getvalue()}".rstrip("\n"))


@config.command()
def schema() -> None:
    """The JSON Schema of the configuration file, for editors."""
    from hmf.config.schema import render as text

    output.raw(text().rstrip("\n"))


@config.command()
def policies(ctx: typer.Context, as_json: AsJson = False) -> None:
    """What each category's rules do, in sentences, in your language."""
    from hmf.policy.sentences import policy_sentences

    with opened(ctx) as session:
        language = session.screen.language
        found = {n: policy_sentences(c, language) for n, c in session.settings.categories_by_name().items()}
        output.emit({"policies": found}, as_json, lambda: render.policies({"policies": found}))


def _read_from(session: Session) -> str:
    return str(session.source or shipped_config())


@app.command(rich_help_panel=SETTING_UP)
def reindex(ctx: typer.Context, dry_run: DryRun = False, as_json: AsJson = False) -> None:
    """Build the search index anew from the ledger, beside the old one, then switch."""
    with opened(ctx, reindexing=True) as session:
        if dry_run:
            counts = session.call("stats")["categories"]
            data = {
                "dry_run": True,
                "memories": sum(n for c in counts.values() for t, n in c.items() if t != "forgotten"),
            }
            output.emit(data, as_json, lambda: Text(f"would index {data['memories']} memories of this namespace"))
            return
        if session.client is not None:
            data = session.call("reindex")
        else:
            with output.progress("indexing") as advance:
                data = {"points": session.memory.reindex(advance)}
        output.emit(data, as_json, lambda: Text(f"{data['points']} points written"))


@app.command(rich_help_panel=SETTING_UP)
def doctor(ctx: typer.Context, as_json: AsJson = False) -> None:
    """Check everything; what is not well comes with its remedy (exit code 1)."""
    with opened(ctx) as session:
        found = session.call("doctor")
    output.emit(found, as_json, lambda: render.checks(found))
    if not found["well"]:
        raise typer.Exit(1)


@app.command(rich_help_panel=SETTING_UP)
def stats(ctx: typer.Context, as_json: AsJson = False) -> None:
    """Counts by category and tier, and where everything lies."""
    with opened(ctx) as session:
        found = session.call("stats")
        output.emit(found, as_json, lambda: render.stats(session.screen, found))


@app.command(rich_help_panel=SETTING_UP)
def serve(
    ctx: typer.Context,
    host: Annotated[str | None, typer.Option(help="Address to listen on; left out: as configured.")] = None,
    port: Annotated[int | None, typer.Option(min=0, max=65535, help="Port; left out: as configured.")] = None,
    allow_remote: Annotated[
        bool, typer.Option("--allow-remote", help="An address that other machines can reach is meant.")
    ] = False,
    allow_host: Annotated[
        list[str] | None, typer.Option(metavar="NAME", help="A further name that requests may be addressed to.")
    ] = None,
) -> None:
    """Run the daemon: it answers the other commands, assistants and your browser, and runs the jobs at night."""
    from hmf.daemon.serve import serve as run

    with opened(ctx) as session:
        home, source = session.home, session.source
    run(home, source, host, port, allow_remote=allow_remote, allowed_hosts=allow_host or ())


@app.command(rich_help_panel=SETTING_UP)
def demo(
    home: Annotated[
        Path | None, typer.Option(help="Keep the demonstration in this folder; left out: a throw-away one.")
    ] = None,
) -> None:
    """Live an example year of a writer in a few minutes, then ask it eight questions."""
    from hmf.cli.demo import demo as play

    if not play(home.expanduser().absolute() if home else None, output.stdout(), output.stderr()):
        raise typer.Exit(1)
