"""The scoring of the shipped verifier: plain texts in, a number out; no judge, no Pydantic."""
