"""The exceptions that mean "the set-up is wrong", never "the data is wrong".

None of them is a `ValueError`: Pydantic would swallow it, and the language model would be asked to
repair a mistake of the program's.
"""


class CiteguardError(RuntimeError):
    """The set-up is wrong; no answer can be checked until the program is changed."""


class MissingSourcesError(CiteguardError):
    """Validation found no sources: the context is missing, empty or keyed wrongly."""


class InvalidSourcesError(CiteguardError):
    """What was given cannot be read as sources: a wrong type, an id twice, or only blanks."""


class UndecidedError(CiteguardError):
    """A judge could not tell, and the policy says `undecided="raise"`."""


class UnknownSourceError(CiteguardError):
    """A call named a source id that is not among the sources."""
