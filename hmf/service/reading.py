"""What is read from a note before it is filed: its fields without secrets, how long it is fresh, whose word it is."""

from __future__ import annotations

from datetime import datetime, tzinfo

from hmf.config.models import ScreeningBlock
from hmf.durations import Duration
from hmf.memory import Authority, Kind, Status
from hmf.policy import screening, timewords, volatile
from hmf.policy import text as texts
from hmf.reason import Reason
from hmf.service.notes import Note, span

_AUTHORITY = {
    "user": Authority.USER,
    "document": Authority.CANONICAL,
    "contract": Authority.CANONICAL,
    "email": Authority.OBSERVED,
    "call": Authority.OBSERVED,
    "web": Authority.OBSERVED,
    "session": Authority.OBSERVED,
    "extraction": Authority.OBSERVED,
    "import": Authority.HISTORY,
    "job": Authority.OBSERVED,
}


def screened_fields(note: Note, body: str, settings: ScreeningBlock, warnings: list[Reason]) -> dict[str, str] | None:
    """Every text field without its secrets, or None when the configuration refuses notes that hold some."""
    fields = {
        "text": body,
        "title": note.title,
        "project": note.project,
        "source.ref": note.source.ref,
        "source.author": note.source.author,
        "session": note.session,
        **{f"tags.{n}": tag for n, tag in enumerate(note.tags)},
    }
    given = {name: texts.clean(value) for name, value in fields.items() if value and value.strip()}
    if settings.secrets == "allow":
        return given
    screened = screening.screen_fields(given, allow=settings.allow)
    found = sorted({(one.kind, name) for name, ones in screened.findings.items() for one in ones})
    secrets = tuple(Reason("secret_in", {"secret": kind, "field": name}) for kind, name in found)
    if found and settings.secrets == "refuse":
        warnings.append(Reason("secret_refused", {"secrets": secrets}))
        return None
    if found:
        warnings.append(Reason("secret_redacted", {"secrets": secrets}))
    return {name: str(value) for name, value in screened.fields.items()}


def freshness(note: Note, body: str, language: str, kind: Kind, usual: Duration) -> tuple[Duration | None, bool]:
    """How long it may be taken as current once learnt, and whether it wears out at all. `usual`: where nothing says."""
    found = volatile.volatility(body, language, kind) if note.volatile is None else None
    given = span(note.fresh_for)
    is_volatile = bool(note.volatile or found or (given and note.volatile is not False))
    if not is_volatile:
        return None, False
    return given or (found.fresh_for if found else usual), True


def ends(note: Note, body: str, language: str, kind: Kind, said_at: datetime, zone: tzinfo) -> datetime | None:
    """When a passing state is over, where its text says so: "away until 14 November". A figure is not a state: it may
    change and stay, or be looked up again."""
    found = volatile.volatility(body, language, kind)
    passing = note.volatile or (found is not None and found.reason in volatile.PASSING)
    return timewords.until(body, said_at=said_at, zone=zone, language=language) if passing else None


def authority_of(note: Note, kind: Kind) -> Authority:
    """Who stands behind a note, by where it comes from."""
    if kind is Kind.HYPOTHESIS or note.status is Status.HYPOTHESIS:
        return Authority.HYPOTHESIS
    return _AUTHORITY.get(note.source.type, Authority.OBSERVED)
