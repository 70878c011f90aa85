from __future__ import annotations

import os

import pytest
from hypothesis import settings

# On a shared machine one slow example is no failure; the examples themselves are what counts.
settings.register_profile("hmf", deadline=None, max_examples=60)
settings.load_profile("hmf")


@pytest.fixture(autouse=True)
def _plain_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """A developer's own HMF settings must not leak into a test."""
    for name in list(os.environ):
        if name.startswith("HMF_") and not name.startswith("HMF_TEST_"):
            monkeypatch.delenv(name)
