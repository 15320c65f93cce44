"""Training of an entailment model on labelled pairs; needs the extra `training`."""
