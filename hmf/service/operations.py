"""Every verb of HMF as a function of JSON-safe values: what the command line, HTTP and others share.

An operation takes keyword arguments of plain types and returns a mapping that JSON can hold. A face
adds nothing but its own dress; the command line calls them here or, when a daemon runs, through it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from hmf.errors import InvalidInput, NotFound
from hmf.memory import Memory
from hmf.policy import lineage
from hmf.policy.sentences import policy_sentences, told
from hmf.service.api import Hmf
from hmf.service.proposed import Proposed, decided_json
from hmf.service.shapes import (
    Json,
    added_json,
    batch_json,
    digest_json,
    done_json,
    forecast_json,
    hit_json,
    link_json,
    memory_json,
    told_all,
    told_text,
)


class Operations:
    """The verbs, over one open memory."""

    def __init__(self, memory: Hmf) -> None:
        """Act on `memory`."""
        self._m = memory
        self._proposed = Proposed(memory)

    @property
    def _language(self) -> str:
        return self._m.store.language

    def _shown(self, memory: Memory) -> Json:
        return memory_json(memory, self._language)

    def call(self, name: str, arguments: Mapping[str, Any]) -> Json:
        """Call an operation by name. Raises NotFound for an unknown one, InvalidInput for wrong arguments."""
        if name not in NAMES:
            raise NotFound(f"There is no operation {name!r}.", fix=f"one of: {', '.join(NAMES)}.")
        operation: Callable[..., Json] = getattr(self, name)
        try:
            return operation(**arguments)
        except TypeError as error:
            if name in str(error):
                raise InvalidInput(f"{name}: {error}.", fix=f"hmf {name.replace('_', ' ')} --help") from error
            raise

    def add(self, text: str, dry_run: bool = False, **values: Any) -> Json:
        """Add a memory; `dry_run` says where it would go and stores nothing."""
        if dry_run:
            return added_json(self._m.preview(text, **values), self._language)
        return added_json(self._m.add(text, **values), self._language)

    def add_many(self, notes: Sequence[Mapping[str, Any]]) -> Json:
        """Add several, in order."""
        return {"added": [added_json(one, self._language) for one in self._m.add_many(notes)]}

    def search(self, query: str, explain: bool = False, prompt_tokens: int | None = None, **values: Any) -> Json:
        """Search. `explain` adds the parts of each score and the trace; `prompt_tokens` adds the packed text."""
        pack = self._m.search(query, **values)
        out: Json = {
            "query": query,
            "abstained": pack.abstained,
            "widened": told_all(pack.widened, self._language),
            "warnings": told_all(pack.warnings, self._language),
            "hits": [hit_json(hit, explain, self._language) for hit in pack.hits],
        }
        if explain:
            out["trace"] = told_all(pack.trace, self._language)
        if prompt_tokens is not None:
            out["prompt"] = pack.as_prompt(max_tokens=prompt_tokens)
        return out

    def list(self, **values: Any) -> Json:
        """Memories that fit the conditions, newest first."""
        return {"memories": [self._shown(memory) for memory in self._m.memories(**values)]}

    def show(self, memory_id: str, namespace: str = "default") -> Json:
        """One memory with its history."""
        memory = self._m.get(memory_id, namespace)
        last = self._m.store.marks.last_recalled([memory.id]).get(memory.id)
        recalled = {"last_at": last[0].isoformat(), "times": last[1]} if last else None
        drawn = {"summary": self._lineage(memory)} if memory.summary_of else {}
        return {"memory": self._shown(memory), "recalled": recalled, **drawn, **self.history(memory.id, namespace)}

    def _lineage(self, summary: Memory) -> Json:
        """Each sentence of a summary with the ids it stands in, the span of its sources, and those that it does not
        speak for any more."""
        sources = self._m.store.ledger.get(summary.summary_of, summary.namespace)
        return {
            "level": str(summary.drawn.level) if summary.drawn else None,
            "since": summary.drawn.since.isoformat() if summary.drawn else None,
            "until": summary.valid_from.isoformat(),
            "sentences": [{"text": text, "sources": list(ids)} for text, ids in lineage.quoted(summary)],
            "changed": list(lineage.changed(summary, sources)),
        }

    def history(self, memory_id: str, namespace: str = "default") -> Json:
        """Every change of a memory, oldest first."""
        entries = self._m.history(memory_id, namespace)
        return {
            "history": [
                {
                    "at": e.at.isoformat(),
                    "verb": e.verb,
                    "reason": told_text(e.reason, self._language),
                    "batch": e.batch_id,
                    "before": self._shown(e.before) if e.before else None,
                }
                for e in entries
            ]
        }

    def revise(self, memory_id: str, text: str, namespace: str = "default") -> Json:
        """Give a memory another text."""
        return {"memory": self._shown(self._m.revise(memory_id, text, namespace))}

    def move(self, memory_id: str, category: str, namespace: str = "default") -> Json:
        """File a memory elsewhere."""
        return {"memory": self._shown(self._m.move(memory_id, category, namespace))}

    def pin(self, memory_id: str, on: bool = True, namespace: str = "default") -> Json:
        """Pin or unpin."""
        return {"memory": self._shown(self._m.pin(memory_id, on, namespace))}

    def forget(self, ids: Sequence[str], reason: str | None = None, namespace: str = "default") -> Json:
        """Forget memories."""
        return done_json(self._m.forget(list(ids), reason, namespace), self._language)

    def forget_fitting(
        self,
        project: str | None = None,
        category: str | None = None,
        only: Sequence[str] | None = None,
        reason: str | None = None,
        dry_run: bool = False,
        namespace: str = "default",
    ) -> Json:
        """Forget the memories of a project, a category or both; `only`: of these, which a person was shown."""
        found = self._m.fitting(project, category, namespace)
        if dry_run:
            by_category = Counter(memory.category for memory in found)
            return {"dry_run": True, "memories": [self._shown(m) for m in found], "categories": dict(by_category)}
        shown = None if only is None else set(only)
        ids = [memory.id for memory in found if shown is None or memory.id in shown]
        if not ids:
            raise NotFound("No memory fits: nothing to forget.", fix="hmf list")
        return done_json(self._m.forget(ids, reason, namespace), self._language)

    def erase(self, memory_id: str, namespace: str = "default") -> Json:
        """Destroy a memory."""
        return done_json(self._m.erase(memory_id, namespace), self._language)

    def undo(self, batch_id: str | None = None, namespace: str = "default") -> Json:
        """Take a batch back; the newest that was not undone where none is named."""
        chosen = batch_id or self._m.undoer.newest(namespace)
        return {"undid": chosen, **done_json(self._m.undo(chosen, namespace), self._language)}

    def undo_since(
        self, since: str, only: Sequence[str] | None = None, dry_run: bool = False, namespace: str = "default"
    ) -> Json:
        """Take back all that was done since a moment, the last first; `only`: of these batches."""
        if dry_run:
            rows = self._m.undoer.since(since, namespace)
            return {"dry_run": True, "batches": [batch_json(row, self._language) for row in rows]}
        found = self._m.undo_since(since, only, namespace)
        return {
            "undone": [{"undid": batch, **done_json(done, self._language)} for batch, done in found.done],
            "left": [{"batch": batch, "why": told(why, self._language)} for batch, why in found.left],
            "partial": found.partial,
        }

    def undo_memory(self, memory_id: str, dry_run: bool = False, namespace: str = "default") -> Json:
        """Take back the last change of one memory, and nothing else of its batch."""
        if dry_run:
            entry, going = self._m.undoer.last_of(memory_id, namespace)
            rows = self._m.store.ledger.get(going, namespace)
            return {
                "dry_run": True,
                "change": {"verb": entry.verb, "at": entry.at.isoformat(), "batch": entry.batch_id},
                "memories": [self._shown(rows[one]) for one in going if one in rows],
            }
        batch, done = self._m.undoer.undo_memory(memory_id, namespace)
        return {"undid": batch, **done_json(done, self._language)}

    def chain(self, memory_id: str, namespace: str = "default") -> Json:
        """What replaced what, with the journal of each."""
        links = self._m.chain(memory_id, namespace)
        return {"chain": [link_json(link, self._language) for link in links]}

    def log(
        self,
        limit: int | None = 50,
        since: str | None = None,
        until: str | None = None,
        told: bool = True,
        namespace: str = "default",
    ) -> Json:
        """Batches, the last made first; `told`: with what each did."""
        rows = self._m.log(limit=limit, since=since, until=until, told=told, namespace=namespace)
        return {"batches": [batch_json(row, self._language) for row in rows]}

    def plan(self, job: str, namespace: str = "default", file: bool = True) -> Json:
        """What a job proposes now; filed for review unless `file` is false."""
        return self._proposed.plan(self._m.plan(job, namespace, file=file))

    def review(self, namespace: str = "default", neighbours: int = 0) -> Json:
        """Everything that waits for a decision, and what the jobs have seen besides; `neighbours`: so many memories
        near each."""
        return self._proposed.waiting(namespace, neighbours)

    def neighbours(self, ids: Sequence[str], k: int = 3, namespace: str = "default") -> Json:
        """The live memories nearest in meaning to each of these."""
        return {"neighbours": self._proposed.neighbours(ids, namespace, k)}

    def decide(
        self,
        keys: Sequence[str],
        answer: str,
        plan: str | None = None,
        text: str | None = None,
        into: str | None = None,
        until: str | None = None,
        face: str = "http",
        namespace: str = "default",
        force: bool = False,
    ) -> Json:
        """Answer proposals, by their keys or by ids of memories: approve, refuse, keep, archive, edit (`text`), merge
        (`into`), forget, postpone (`until`), undecided. One batch for each plan."""
        done = self._m.decide(
            keys,
            answer,
            plan=plan,
            text=text,
            into=into,
            until=until,
            namespace=namespace,
            face=face,
            force=force,
        )
        return {"decided": [decided_json(one, self._language) for one in done]}

    def dismiss(self, keys: Sequence[str], on: bool = True, namespace: str = "default") -> Json:
        """Do not show these notes of the jobs again until they change (`on` false: show them again)."""
        return {"dismissed": self._m.dismiss(keys, on, namespace)}

    def apply(
        self,
        plan: str,
        approve: str | Sequence[str] = (),
        refuse: Sequence[str] = (),
        face: str = "http",
        namespace: str = "default",
        force: bool = False,
    ) -> Json:
        """Apply a filed plan: "all", "auto", or action keys or memory ids. `force`: it may empty a category."""
        done = self._m.apply(plan, approve, refuse, namespace, face=face, force=force)
        return {
            "batch": done.batch,
            "plan": done.plan,
            "applied": list(done.applied),
            "skipped": [{"action": key, "why": told(why, self._language)} for key, why in done.skipped],
            "refused": list(done.refused),
        }

    def digest(self, limit: int = 1, night: str | None = None, namespace: str = "default") -> Json:
        """The digests of the latest nights, newest first, or that of one night (its date): facts and sentences."""
        found = self._m.digests(limit=limit, night=night, namespace=namespace)
        return {"digests": [digest_json(one) for one in found]}

    def run_job(self, job: str) -> Json:
        """Run a job now: plan, apply what is automatic, file the rest."""
        ran = self._m.run(job)
        return {
            "run": ran.run,
            "job": ran.job,
            "plans": list(ran.plans),
            "applied": ran.applied,
            "waiting": ran.waiting,
            "skipped": ran.skipped,
        }

    def jobs(self, limit: int = 20) -> Json:
        """Installed jobs, their schedule, and the latest runs."""
        runs = self._m.store.runs.recent(limit=limit)
        moments = ("scheduled_for", "started_at", "ended_at")
        schedule = self._m.settings.schedule.jobs
        return {
            "jobs": [{"name": name, "cron": schedule.get(name)} for name in self._m.curator.jobs],
            "runs": [{**run, **{k: run[k].isoformat() if run[k] else None for k in moments}} for run in runs],
        }

    def forecast(
        self,
        weeks: int = 8,
        categories: Sequence[str] = (),
        answered: bool = False,
        namespace: str = "default",
    ) -> Json:
        """What each policy will do in the coming weeks if nothing else changes."""
        return forecast_json(self._m.forecast(weeks, categories, answered=answered, namespace=namespace))

    def finish(self, project: str, namespace: str = "default") -> Json:
        """Mark a project finished."""
        return done_json(self._m.project(project, namespace).finish(), self._language)

    def reopen(self, project: str, namespace: str = "default") -> Json:
        """Mark a project open again."""
        return done_json(self._m.project(project, namespace).reopen(), self._language)

    def stats(self, namespace: str = "default") -> Json:
        """Counts and places."""
        return self._m.stats(namespace)

    def doctor(self) -> Json:
        """Every check."""
        checks = [{"name": c.name, "well": c.well, "found": c.found, "fix": c.fix} for c in self._m.doctor()]
        return {"checks": checks, "well": all(c["well"] for c in checks)}

    def reindex(self) -> Json:
        """Build the index anew."""
        return {"points": self._m.reindex()}

    def export(self, namespace: str = "default") -> Json:
        """Every line of an export."""
        return {"lines": [*self._m.export(namespace)]}

    def exported(self, path: str, namespace: str = "default") -> Json:
        """Note that an export was written to this file: an erasure names it."""
        self._m.exported(path, namespace)
        return {"path": path}

    def restore(self, lines: Sequence[str], again: bool = False, namespace: str = "default") -> Json:
        """Take lines of an export in; `again`: also what was forgotten here since. `stopped` says what was not taken
        for that."""
        stopped: list[str] = []
        outcomes = [o for _, o in self._m.restore(lines, namespace, again=again, report=stopped)]
        counts = {what: outcomes.count(what) for what in ("created", "unchanged", "duplicate", "refused")}
        return {**counts, "stopped": stopped}

    def policies(self) -> Json:
        """Each category's rules, as sentences in the user's language."""
        store = self._m.store
        return {"policies": {n: policy_sentences(c, store.language) for n, c in store.categories.items()}}


NAMES = tuple(
    name for name, value in vars(Operations).items() if callable(value) and not name.startswith("_") and name != "call"
)
