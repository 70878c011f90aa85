"""Categories as they are written, and the domain values made of them."""

from __future__ import annotations

from types import MappingProxyType
from typing import Annotated, Any

from pydantic import Field, field_serializer, model_validator

from hmf.config.block import Block
from hmf.config.fields import Flag, Regex, Text
from hmf.config.policies import FinishedBlock, PolicyBlock
from hmf.memory import Category, Kind, RouteRule


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
