"""The service: where effects meet rules."""

from hmf.service.api import Hmf

__all__ = ["Hmf"]
