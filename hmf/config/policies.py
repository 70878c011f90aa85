"""Forgetting policies as they are written, and the domain values made of them."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Annotated, Any

from pydantic import AfterValidator, BeforeValidator, Field, WithJsonSchema, field_serializer, model_validator

from hmf.config.block import Block
from hmf.config.fields import Flag, Number, Span, SpanOrNever, Text, Whole
from hmf.durations import Duration
from hmf.memory import Clock, Confirm, FinishedRule, Keep, Kind, Policy, PolicyRule, Status, When

_FINISHED_KEEP = frozenset({Kind.DECISION, Kind.CONSTRAINT, Kind.LESSON, Kind.PREFERENCE})
_FINISHED_AFTER = Duration(days=30)


def _always(value: Any) -> Any:
    if value is not True:
        raise ValueError("pinned memories are always kept: write true, or unpin the ones that may go")
    return value


def _language(value: str) -> str:
    if not re.fullmatch("[A-Za-z]{2,3}", value):
        raise ValueError(f"{value!r} is not the code of a language: write fr, en, or another of two or three letters")
    return value.lower()


class FinishedBlock(Block):
    """What goes once the project of a memory is marked finished. Summaries always stay."""

    after: Span = _FINISHED_AFTER
    """How long after the project was finished."""
    keep: frozenset[Kind] = _FINISHED_KEEP
    """Kinds of memory that stay."""

    @field_serializer("keep")
    def _sorted(self, kinds: frozenset[Kind]) -> list[str]:
        return in_order(kinds)

    def rule(self) -> FinishedRule:
        """The domain value."""
        return FinishedRule(after=self.after, keep=self.keep)


class KeptBlock(Block):
    """What a rule keeps from going by age. A key left out is that of the policy around it."""

    kinds: frozenset[Kind] = Keep().kinds
    """Kinds of memory that never go by age. Decisions and constraints never do, whatever is written here."""
    tags: frozenset[Text] = frozenset()
    """Memories with one of these tags never go by age."""
    pinned: Annotated[bool, BeforeValidator(_always), WithJsonSchema({"const": True})] = True
    """Always true, and here to be read: no job touches what is pinned."""

    @field_serializer("kinds")
    def _sorted_kinds(self, kinds: frozenset[Kind]) -> list[str]:
        return in_order(kinds)

    @field_serializer("tags")
    def _sorted_tags(self, tags: frozenset[str]) -> list[str]:
        return sorted(tags)

    def over(self, kept: Keep) -> Keep:
        """What is written here, and the rest as it was."""
        return replace(kept, **{name: getattr(self, name) for name in self.model_fields_set - {"pinned"}})


class KeepBlock(KeptBlock):
    """What never goes by age. A key left out is inherited, like those of the policy around it."""

    last: Annotated[Whole, Field(ge=0, le=100_000)] = 0
    """So many of the youngest of the category never go by age, all projects together, archived and pinned ones too."""


class _Aging(Block):
    """What a policy and its rules share. It says nothing of its own."""

    stale_after: SpanOrNever = None
    """Untouched that long, a memory is stale and goes to the archive. `null` or `never`: it never does."""
    archive_to: Text | None = None
    """Category that stale memories move to. `null`: they are archived where they are."""
    expire_after: SpanOrNever = None
    """Older than that, a memory is let go. `null` or `never`: age alone never lets it go."""
    confirm: Confirm = Confirm.ASK
    """Who decides. `ask`: a person. `auto`: the policy acts by itself. `never`: it only reports."""
    touched_by: Annotated[tuple[Clock, ...], Field(min_length=1)] = (Clock.VALID, Clock.LEARNT, Clock.VERIFIED)
    """What counts as touching: since when it is true, when it was learnt, when it was last verified."""
    on_project_finished: FinishedBlock | None = None
    """What goes once a project is finished. Left out: `projects.on_finished`. `null`: nothing."""

    @model_validator(mode="before")
    @classmethod
    def _no_finished_rule(cls, value: Any) -> Any:
        """`on_project_finished: never` reads as null, like the other ways of switching a rule off."""
        if isinstance(value, dict) and value.get("on_project_finished") == "never":
            return {**value, "on_project_finished": None}
        return value

    @property
    def written(self) -> dict[str, Any]:
        """The keys of the domain's policy that are written here, as it has them."""
        found = {name: getattr(self, name) for name in self.model_fields_set & set(_Aging.model_fields)}
        if (rule := found.get("on_project_finished")) is not None:
            found["on_project_finished"] = rule.rule()
        return found


class WhenBlock(Block):
    """Which memories a rule is about: every condition given holds, by any of its values."""

    kinds: frozenset[Kind] = frozenset()
    """Kinds of memory."""
    statuses: frozenset[Status] = frozenset()
    """Statuses."""
    projects: frozenset[Text] = frozenset()
    """Projects, by name."""
    sources: frozenset[Text] = frozenset()
    """Types of source: user, email, web, call, document …"""
    languages: frozenset[Annotated[Text, AfterValidator(_language)]] = frozenset()
    """Languages, by code: fr, en …"""

    @field_serializer("kinds", "statuses", "projects", "sources", "languages")
    def _sorted(self, values: frozenset[str]) -> list[str]:
        return sorted(str(value) for value in values)

    def when(self) -> When:
        """The domain value."""
        return When(self.kinds, self.statuses, self.projects, self.sources, self.languages)


class PolicyRuleBlock(_Aging):
    """A rule for some of the memories. A key left out is that of the policy around it; `null` switches one off."""

    when: WhenBlock = WhenBlock()
    """Which memories it is about."""
    keep: KeptBlock = KeptBlock()
    """What never goes by age."""

    @property
    def changes(self) -> bool:
        """Whether it says anything otherwise than the policy around it could."""
        return bool(self.written or self.keep.model_fields_set - {"pinned"})

    def rule(self, policy: Policy) -> PolicyRule:
        """The domain value, laid over the policy around it."""
        own = replace(policy, rules=(), keep=self.keep.over(policy.keep), **self.written)
        return PolicyRule(self.when.when(), own)


_OF_CATEGORY = frozenset({"summarise", "grace", "max_share_per_run"})
"""Keys that hold for a category as a whole: no rule changes them."""


class PolicyBlock(_Aging):
    """Forgetting rules. In a category, a key left out is inherited from `defaults`; `null` switches one off."""

    summarise: Flag = False
    """Write a summary of what is archived, and of groups of related memories."""
    keep: KeepBlock = KeepBlock()
    """What never goes by age."""
    grace: Span = Duration(days=30)
    """How long what was let go can be brought back."""
    max_share_per_run: Annotated[Number, Field(gt=0, le=1)] = 0.3
    """A plan that would touch a larger share of the category (0 to 1) stops and asks."""
    rules: tuple[PolicyRuleBlock, ...] = ()
    """Rules for some of the memories, by kind, status, project, source or language: the first that fits decides."""

    def over(self, defaults: PolicyBlock, finished: FinishedBlock | None) -> Policy:
        """The policy that holds: what is written here, else in `defaults`, else the defaults of HMF."""
        chosen: dict[str, Any] = {"on_project_finished": finished and finished.rule()}
        for block in (defaults, self):
            chosen |= block.written
            chosen |= {name: getattr(block, name) for name in block.model_fields_set & _OF_CATEGORY}
        policy = Policy(**chosen, keep=self.keep.over(defaults.keep.over(Keep())))
        rules = self.rules if "rules" in self.model_fields_set else defaults.rules
        return replace(policy, rules=tuple(block.rule(policy) for block in rules))


def in_order(kinds: frozenset[Kind]) -> list[str]:
    """Kinds in the order of their enumeration: sets have none, and a generated file must not change by itself."""
    return [kind.value for kind in Kind if kind in kinds]
