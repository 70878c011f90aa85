"""The configuration: one YAML file, read once, checked whole."""

from hmf.config.loader import load
from hmf.config.models import Settings
from hmf.config.names import resolve_category

__all__ = ["Settings", "load", "resolve_category"]
