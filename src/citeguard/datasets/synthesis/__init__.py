"""Controlled wrong quotes and statements, made from true ones: `negatives`, `synthesize`.

Each is labelled with what is wrong, where, and what stood there. They are made by rules, without a
model, and the same for the same seed. `true_quotes` draws what to start from.
"""
