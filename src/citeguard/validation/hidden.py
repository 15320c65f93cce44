"""Fields that are computed, and that no language model sees or sets: `HiddenFromLLM`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from pydantic import GetCoreSchemaHandler, GetJsonSchemaHandler
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema, PydanticOmit, core_schema


@dataclass(frozen=True, slots=True, kw_only=True)
class HiddenFromLLM:
    """A field that a validator computes: no language model is asked for it, none can set it.

    The field is absent from the JSON schema for validation and present in the one for
    serialization. Whatever is sent for it is discarded, valid or not, so the field needs a default
    and an after-validator that sets it; until then it is `None` when something was sent.

    Attributes:
        keep_text: Keep a text that is sent, for the after-validator to verify.

    Examples:
        >>> from citeguard import Citation
        >>> list(Citation.model_json_schema()["properties"])
        ['quote', 'source_id']
    """

    keep_text: bool = False

    def __get_pydantic_core_schema__(
        self, source: Any, handler: GetCoreSchemaHandler
    ) -> CoreSchema:
        """Discard the input, and serialize as the field's type does."""
        return core_schema.no_info_wrap_validator_function(self._discard, handler(source))

    def __get_pydantic_json_schema__(
        self, schema: CoreSchema, handler: GetJsonSchemaHandler
    ) -> JsonSchemaValue:
        """Leave the field out of the schema that a language model sees."""
        if handler.mode == "validation":
            raise PydanticOmit
        return handler(schema)

    def _discard(self, value: Any, _: core_schema.ValidatorFunctionWrapHandler) -> str | None:
        return value if self.keep_text and isinstance(value, str) else None
