"""Support told from words: a verifier that comes with the package."""

from citeguard.checks.grounding.verifier import GroundingVerifier

__all__ = ["GroundingVerifier"]
