"""Where Pydantic meets the sources: models, quote and support rules, context, policy, messages."""
