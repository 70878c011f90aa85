"""HTTP over the operations: a few named faces for programs, and every operation for the faces of HMF itself."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import asdict
from datetime import datetime
from importlib.metadata import PackageNotFoundError, version
from typing import Annotated, Any

import structlog
from fastapi import Body, FastAPI
from fastapi.exceptions import RequestValidationError
from pydantic import BaseModel, ConfigDict, Field
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from hmf.daemon.answers import Answer, Problem, problem_of
from hmf.daemon.arguments import checked
from hmf.daemon.guard import Guard
from hmf.errors import HmfError, InvalidInput
from hmf.schedule import JobState, Scheduler, overview, trail
from hmf.service.api import Hmf
from hmf.service.notes import Note
from hmf.service.operations import Operations

log = structlog.get_logger(__name__)


class SearchIn(BaseModel):
    """A question. Dates are ISO strings, read in the user's zone where they name none."""

    model_config = ConfigDict(extra="forbid")
    query: str
    k: int | None = Field(None, description="most memories in the answer")
    categories: list[str] | None = None
    project: str | None = None
    kinds: list[str] | None = None
    since: str | None = None
    until: str | None = None
    archive: bool | None = Field(None, description="true: with it, false: without, null: when nothing else answers")
    history: bool = False
    explain: bool = False
    prompt_tokens: int | None = Field(None, ge=1, description="also give the packed text, of at most so many tokens")
    namespace: str = "default"


class ApplyIn(BaseModel):
    """What a person decided about a plan. What is neither approved nor refused stays undecided."""

    model_config = ConfigDict(extra="forbid")
    approve: str | list[str] = Field([], description="`all`, `auto`, or action keys or memory ids")
    refuse: list[str] = []
    force: bool = Field(False, description="also where a category would be left empty but for what is pinned")
    namespace: str = "default"


class Faces:
    """The endpoints. They add nothing to the operations but their place and their status."""

    def __init__(self, memory: Hmf, scheduler: Scheduler | None) -> None:
        """Answer for an open memory."""
        self._memory = memory
        self._scheduler = scheduler
        self._operations = Operations(memory)
        self.failures = 0
        """Requests that met an error nobody foresaw, since the start."""

    def healthz(self) -> Response:
        """`ok`, or `degraded` when the last run of a job failed, the schedule is stuck or a request met a bug.

        The status is 200 in both cases: a degraded daemon answers, and restarting it would mend nothing.
        """
        states = overview(self._memory, self._memory.store.now())
        troubles = dict(self._scheduler.troubles) if self._scheduler else {}
        well = all(state.well for state in states) and not troubles and not self.failures
        owner = self._memory.store.lock.owner()
        jobs = {s.job: {"outcome": s.outcome, "failures": s.failures, "next": _iso(s.next_at)} for s in states}
        return Answer(
            {
                "status": "ok" if well else "degraded",
                "version": installed_version(),
                "owner": asdict(owner) if owner else None,
                "jobs": jobs,
                "troubles": troubles,
                "unexpected_errors": self.failures,
            }
        )

    def add(self, note: Note) -> Response:
        """Add a memory: 201 when it is new, 200 when it was known, 409 when screening refused it."""
        added = self._run("add", note.model_dump(mode="json", exclude_unset=True))
        if isinstance(added, Response):
            return added
        if added["outcome"] == "refused":
            what = "; ".join(one["text"] for one in added["warnings"]) or "The memory was refused."
            return Problem(409, "refused", what, "nothing was stored: correct the text, and add it again.")
        return Answer(added, 201 if added["outcome"] == "created" else 200)

    def search(self, question: SearchIn) -> Response:
        """The few memories that answer, or `abstained`."""
        return self._answer("search", question.model_dump(exclude_none=True))

    def review(self, namespace: str = "default") -> Response:
        """The plans that wait for a decision."""
        return self._answer("review", {"namespace": namespace})

    def apply(self, id: str, decision: ApplyIn) -> Response:
        """Apply what was approved of a plan, and close what was refused."""
        return self._answer("apply", {"plan": id, **decision.model_dump()})

    def jobs(self) -> Response:
        """Each job: its line, its last result, how often it failed since the last success, and its next run."""
        return Answer({"jobs": [job_json(state) for state in overview(self._memory, self._memory.store.now())]})

    def operation(self, name: str, arguments: Annotated[dict[str, Any], Body()]) -> Response:
        """Call any operation of `hmf.service.operations` by name: what the command line does. The body holds its
        arguments. Names and arguments change only with the version of HMF."""
        return self._answer(name, arguments)

    def _answer(self, name: str, arguments: Mapping[str, Any]) -> Response:
        done = self._run(name, arguments)
        return done if isinstance(done, Response) else Answer(done)

    def _run(self, name: str, arguments: Mapping[str, Any]) -> dict[str, Any] | Response:
        """The one edge of a request: errors of HMF go on to their handler, others are counted and told apart."""
        try:
            return self._operations.call(name, checked(name, arguments))
        except HmfError:
            raise
        except UnicodeEncodeError as error:
            raise InvalidInput(
                f"An argument of {name} holds half a character (a lone surrogate).", fix="send the whole character."
            ) from error
        except Exception as error:  # noqa: BLE001
            self.failures += 1
            # The message may quote a memory; the class and the name of the operation cannot.
            log.error("request.failed", operation=name, error=type(error).__name__, trail=trail(error))
            return unexpected(error)


def create_app(
    memory: Hmf, *, token: str, allowed_hosts: Collection[str], scheduler: Scheduler | None = None
) -> FastAPI:
    """The application over an open memory. Endpoints are synchronous: each runs on a thread of the pool.

    `allowed_hosts`: names, without port, that a request may be addressed to. `scheduler`: told of in /healthz.
    """
    app = FastAPI(title="HMF", version=installed_version(), docs_url=None, redoc_url=None)
    faces = Faces(memory, scheduler)
    app.add_middleware(Guard, token=token, hosts=allowed_hosts)
    app.exception_handler(HmfError)(_hmf)
    app.exception_handler(RequestValidationError)(_invalid)
    app.exception_handler(HTTPException)(_http)
    app.get("/healthz", response_class=Answer)(faces.healthz)
    app.post("/v1/memories", status_code=201, response_class=Answer)(faces.add)
    app.post("/v1/search", response_class=Answer)(faces.search)
    app.get("/v1/review", response_class=Answer)(faces.review)
    app.post("/v1/plans/{id}/apply", response_class=Answer)(faces.apply)
    app.get("/v1/jobs", response_class=Answer)(faces.jobs)
    app.post("/v1/op/{name}", response_class=Answer)(faces.operation)
    return app


def installed_version() -> str:
    """The version of the distribution; `unknown` in a checkout that was not installed."""
    try:
        return version("hmf-memory")
    except PackageNotFoundError:
        return "unknown"


def job_json(state: JobState) -> dict[str, Any]:
    """One job, for JSON."""
    return {**asdict(state), "next_at": _iso(state.next_at), "ended_at": _iso(state.ended_at), "well": state.well}


def unexpected(error: Exception) -> Problem:
    """An error that is nobody's but HMF's: no traceback goes out."""
    what = f"HMF met an error of its own ({type(error).__name__})."
    return Problem(500, "error", what, "look at the daemon's log, and report it.")


def _hmf(_request: Request, error: HmfError) -> Response:
    return problem_of(error)


def _invalid(_request: Request, error: RequestValidationError) -> Response:
    wrong = "; ".join(f"{'.'.join(map(str, one['loc'][1:])) or 'body'}: {one['msg']}" for one in error.errors())
    return Problem(422, "invalid-input", f"The request cannot be taken as it is: {wrong}.", "GET /openapi.json")


def _http(_request: Request, error: HTTPException) -> Response:
    code = {404: "not-found", 413: "invalid-input", 400: "invalid-input"}.get(error.status_code, "error")
    return Problem(error.status_code, code, str(error.detail), None)


def _iso(moment: datetime | None) -> str | None:
    return moment.isoformat() if moment else None
