"""The score that `GroundingVerifier` gives a statement and its evidence, from plain texts."""
