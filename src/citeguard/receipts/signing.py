"""Signatures: HMAC with SHA-256 by a secret, or Ed25519 by a pair of keys in PEM.

Keys that cannot be used are a `CiteguardError`.
"""

from __future__ import annotations

import hmac
from typing import Any, Literal

from citeguard.errors import CiteguardError, foreign_code, optional_packages

Algorithm = Literal["hmac-sha256", "ed25519"]

_FEWEST_BYTES = 16  # of a secret; a shorter one can be guessed


def sign(content: bytes, key: str | bytes) -> tuple[Algorithm, bytes]:
    """Return the algorithm that a key is for, and its signature."""
    key, pair = _read(key)
    if pair is None:
        return "hmac-sha256", hmac.digest(key, content, "sha256")
    if pair[0] is None:
        raise CiteguardError("a private key signs a receipt; the public key only checks it")
    return "ed25519", pair[0].sign(content)


def is_signed(content: bytes, algorithm: Algorithm, signature: bytes, key: str | bytes) -> bool:
    """Return whether a signature was made with this secret, or the private key of this pair."""
    key, pair = _read(key)
    # The key decides on the algorithm, never the receipt: a forger could name HMAC, and sign with
    # the public key, which everybody has.
    if algorithm != ("ed25519" if pair else "hmac-sha256"):
        return False
    if pair is None:
        # In constant time: how long `==` takes says how many bytes are right.
        return hmac.compare_digest(signature, hmac.digest(key, content, "sha256"))
    from cryptography.exceptions import InvalidSignature

    try:
        pair[1].verify(signature, content)
    except InvalidSignature:
        return False
    return True


def _read(given: str | bytes) -> tuple[bytes, tuple[Any, Any] | None]:
    """Return a key, stripped; of one in PEM also the private key, if it is that, and the public."""
    key, private = (given.encode() if isinstance(given, str) else given).strip(), None
    if len(key) < _FEWEST_BYTES:
        raise CiteguardError(f"the key of a receipt needs at least {_FEWEST_BYTES} bytes")
    if b"-----BEGIN " not in key and not key.startswith(b"ssh-"):
        return key, None
    with optional_packages("signatures with Ed25519"):
        from cryptography.hazmat.primitives import serialization
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
    with foreign_code(lambda error: CiteguardError(f"the key cannot be read as PEM: {error}")):
        if b"PRIVATE KEY" in key:
            private = serialization.load_pem_private_key(key, password=None)
        public = private.public_key() if private else serialization.load_pem_public_key(key)
    if not isinstance(public, Ed25519PublicKey):
        raise CiteguardError("the key of a receipt is a secret, or one of Ed25519 in PEM")
    return key, (private, public)
