"""Citations that other services return, in and out.

`from_anthropic` and its kin read a provider's reply, prove its citations, and return an
`ImportedAnswer` with findings; `to_anthropic` and its kin write an answer in a provider's form. All
are methods of `Answer`, too. No SDK is imported.
"""

from typing import TYPE_CHECKING

from citeguard.lazy import lazily

if TYPE_CHECKING:
    from citeguard.providers.annotations import (
        from_cohere,
        from_mistral,
        from_openai,
        from_perplexity,
    )
    from citeguard.providers.chunks import from_bedrock, from_gemini, from_vertex
    from citeguard.providers.export import (
        to_anthropic,
        to_gemini,
        to_langchain,
        to_openai,
        to_web_annotations,
    )
    from citeguard.providers.imported import FindingKind, ImportedAnswer, ImportFinding, Segment
    from citeguard.providers.locations import from_anthropic, from_langextract

__all__ = [
    "FindingKind",
    "ImportFinding",
    "ImportedAnswer",
    "Segment",
    "from_anthropic",
    "from_bedrock",
    "from_cohere",
    "from_gemini",
    "from_langextract",
    "from_mistral",
    "from_openai",
    "from_perplexity",
    "from_vertex",
    "to_anthropic",
    "to_gemini",
    "to_langchain",
    "to_openai",
    "to_web_annotations",
]

_HOMES = {
    "annotations": "from_cohere from_mistral from_openai from_perplexity",
    "chunks": "from_bedrock from_gemini from_vertex",
    "export": "to_anthropic to_gemini to_langchain to_openai to_web_annotations",
    "imported": "FindingKind ImportFinding ImportedAnswer Segment",
    "locations": "from_anthropic from_langextract",
}
__getattr__, __dir__ = lazily(__name__, _HOMES)
