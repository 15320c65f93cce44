"""Speed of the entailment check, against one call of the model for each statement."""
