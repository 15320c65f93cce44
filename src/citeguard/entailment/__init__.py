"""Entailment models: cross-encoders, and those that were exported to ONNX."""
