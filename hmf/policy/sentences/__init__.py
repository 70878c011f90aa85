"""Reasons and policies in words, in French and in English: a module a subject, and one for how sentences are set."""

from __future__ import annotations

from hmf.policy.sentences.policies import policy_sentences
from hmf.policy.sentences.saying import say, told

__all__ = ["policy_sentences", "say", "told"]
