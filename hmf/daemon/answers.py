"""What the daemon sends: JSON for answers, `application/problem+json` (RFC 9457) for errors."""

from __future__ import annotations

import json
from typing import Any

from starlette.responses import JSONResponse

from hmf.errors import ConfigError, HmfError


class Answer(JSONResponse):
    """A JSON answer that any Unicode survives: half a character, which UTF-8 cannot hold, becomes a question mark."""

    def render(self, content: Any) -> bytes:
        """The body, in UTF-8."""
        return json.dumps(content, ensure_ascii=False, allow_nan=False).encode("utf-8", "replace")


class Problem(Answer):
    """An error: `code` for programs, `what` and `fix` for people; `title`, `status`, `detail` are the RFC's."""

    media_type = "application/problem+json"

    def __init__(self, status: int, code: str, what: str, fix: str | None, problems: tuple[str, ...] = ()) -> None:
        """A problem with this HTTP status."""
        self.what = what
        content: dict[str, Any] = {
            "title": code,
            "status": status,
            "detail": what,
            "code": code,
            "what": what,
            "fix": fix,
        }
        if problems:
            content["problems"] = list(problems)
        super().__init__(content, status, {"WWW-Authenticate": "Bearer"} if status == 401 else None)


def problem_of(error: HmfError) -> Problem:
    """The problem that says an error of HMF."""
    problems = error.problems if isinstance(error, ConfigError) else ()
    return Problem(error.http_status, error.code, error.what, error.fix, problems)
