"""Wrong quotes and statements made on purpose from true ones: `negatives`, `synthesize`.

Each is labelled with what is wrong, where, and what it replaces. They are made by rules, without a
model, and are the same for the same seed. `true_quotes` draws the quotes to start from.
"""
