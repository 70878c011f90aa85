"""Why a memory was replaced, or may be: the reason of a finding, and its words."""

from __future__ import annotations

from hmf.policy.reconcile.rule import Finding
from hmf.policy.sentences import say
from hmf.reason import Reason


def because(finding: Finding) -> Reason:
    """The reason, with the doubt where there is one."""
    said = Reason(f"said_{finding.code}", dict(finding.values))
    if not finding.doubt:
        return said
    return Reason("doubted", {"said": said, "doubt": Reason(f"doubt_{finding.doubt}")})


def explain(finding: Finding, language: str) -> str:
    """The reason as a clause in `fr`, else in English."""
    return say(because(finding), language)
