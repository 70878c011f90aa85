"""Categories and their policies as they are written, and the domain values made of them."""

from __future__ import annotations

from dataclasses import replace
from types import MappingProxyType
from typing import Annotated, Any

from pydantic import BeforeValidator, Field, WithJsonSchema, field_serializer, model_validator

from hmf.config.block import Block
from hmf.config.fields import Flag, Number, Regex, Span, SpanOrNever, Text
from hmf.durations import Duration
from hmf.memory import Category, Clock, Confirm, FinishedRule, Keep, Kind, Policy, RouteRule

_FINISHED_KEEP = frozenset({Kind.DECISION, Kind.CONSTRAINT, Kind.LESSON, Kind.PREFERENCE})
_FINISHED_AFTER = Duration(days=30)


def _always(value: Any) -> Any:
    if value is not True:
        raise ValueError("pinned memories are always kept: write true, or unpin the ones that may go")
    return value


class Bilingual(Block):
    """A text in French and in English. One given alone, or a plain text, serves for both."""

    fr: Text | None = None
    """The French text."""
    en: Text | None = None
    """The English text."""

    @model_validator(mode="before")
    @classmethod
    def _plain(cls, value: Any) -> Any:
        return {"fr": value, "en": value} if isinstance(value, str) else value

    def by_language(self, otherwise: str | None = None) -> MappingProxyType[str, str]:
        """Text by language code; a missing one is taken from the other, or from `otherwise`."""
        texts = {"fr": self.fr or self.en or otherwise, "en": self.en or self.fr or otherwise}
        return MappingProxyType({code: text for code, text in texts.items() if text})


def _or_text(schema: dict[str, Any]) -> None:
    schema["anyOf"] = [{"$ref": schema.pop("$ref")}, {"type": "string"}]


OneOrBoth = Annotated[Bilingual, Field(json_schema_extra=_or_text)]


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


class KeepBlock(Block):
    """What never goes by age. A key left out is inherited, like those of the policy around it."""

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
        written = self.model_fields_set & {"kinds", "tags"}
        return replace(kept, **{name: getattr(self, name) for name in written})


class PolicyBlock(Block):
    """Forgetting rules. In a category, a key left out is inherited from `defaults`; `null` switches one off."""

    stale_after: SpanOrNever = None
    """Untouched that long, a memory is stale and goes to the archive. `null` or `never`: it never does."""
    archive_to: Text | None = None
    """Category that stale memories move to. `null`: they are archived where they are."""
    summarise: Flag = False
    """Write a summary of what is archived, and of groups of related memories."""
    expire_after: SpanOrNever = None
    """Older than that, a memory is let go. `null` or `never`: age alone never lets it go."""
    confirm: Confirm = Confirm.ASK
    """Who decides. `ask`: a person. `auto`: the policy acts by itself. `never`: it only reports."""
    keep: KeepBlock = KeepBlock()
    """What never goes by age."""
    touched_by: Annotated[tuple[Clock, ...], Field(min_length=1)] = (Clock.VALID, Clock.LEARNT, Clock.VERIFIED)
    """What counts as touching: since when it is true, when it was learnt, when it was last verified."""
    grace: Span = Duration(days=30)
    """How long what was let go can be brought back."""
    max_share_per_run: Annotated[Number, Field(gt=0, le=1)] = 0.3
    """A plan that would touch a larger share of the category (0 to 1) stops and asks."""
    on_project_finished: FinishedBlock | None = None
    """What goes once a project is finished. Left out: `projects.on_finished`. `null`: nothing."""

    @model_validator(mode="before")
    @classmethod
    def _no_finished_rule(cls, value: Any) -> Any:
        """`on_project_finished: never` reads as null, like the other ways of switching a rule off."""
        if isinstance(value, dict) and value.get("on_project_finished") == "never":
            return {**value, "on_project_finished": None}
        return value

    def over(self, defaults: PolicyBlock, finished: FinishedBlock | None) -> Policy:
        """The policy that holds: what is written here, else in `defaults`, else the defaults of HMF."""
        chosen = {name: getattr(defaults, name) for name in defaults.model_fields_set}
        chosen |= {name: getattr(self, name) for name in self.model_fields_set}
        rule = chosen.pop("on_project_finished", finished)
        chosen["keep"] = self.keep.over(defaults.keep.over(Keep()))
        return Policy(**chosen, on_project_finished=rule.rule() if rule else None)


class RuleBlock(Block):
    """A routing rule: it holds when every condition given holds (any of its values)."""

    words: tuple[Text, ...] = ()
    """Words or phrases found in the text, whatever their case and accents."""
    pattern: Regex | None = None
    """Regular expression found in the text, whatever its case."""
    kinds: frozenset[Kind] = frozenset()
    """Kinds of memory."""
    sources: frozenset[Text] = frozenset()
    """Types of source: user, email, web, call, document …"""
    projects: frozenset[Text] = frozenset()
    """Projects, by name."""

    @field_serializer("kinds", "sources", "projects")
    def _sorted(self, values: frozenset[str]) -> list[str]:
        return sorted(str(value) for value in values)

    def rule(self) -> RouteRule:
        """The domain value."""
        return RouteRule(self.words, self.pattern, self.kinds, self.sources, self.projects)


class CategoryBlock(Block):
    """A drawer for memories."""

    label: OneOrBoth = Bilingual()
    """What screens call it: a text, or one by language. Left out: its name."""
    description: OneOrBoth = Bilingual()
    """What belongs in it, in a sentence: the router compares texts with it."""
    examples: tuple[Text, ...] = ()
    """Typical texts, some twenty in the languages you write: the router learns from them."""
    rules: tuple[RuleBlock, ...] = ()
    """Routing rules; the first that holds decides."""
    policy: PolicyBlock = PolicyBlock()
    """Forgetting rules; what is left out is inherited from `defaults`."""
    routable: Flag = True
    """Whether the router may file memories here by itself."""

    def category(self, name: str, defaults: PolicyBlock, finished: FinishedBlock | None) -> Category:
        """The domain value, its policy laid over the defaults."""
        return Category(
            name=name,
            label=self.label.by_language(name.replace("-", " ").capitalize()),
            description=self.description.by_language(),
            examples=self.examples,
            rules=tuple(block.rule() for block in self.rules),
            policy=self.policy.over(defaults, finished),
            routable=self.routable,
        )


def in_order(kinds: frozenset[Kind]) -> list[str]:
    """Kinds in the order of their enumeration: sets have none, and a generated file must not change by itself."""
    return [kind.value for kind in Kind if kind in kinds]
