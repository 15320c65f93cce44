"""Entailment models: cross-encoders, models in the ONNX format, and the one that ships."""
