"""The pages of the service: the form, the description of its interface, and refusals."""
