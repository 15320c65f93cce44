"""Every form is read by the library that it is for, and pairs really differ in passing."""

import json
from pathlib import Path
from typing import Any

import pytest
from openai.types.chat import ChatCompletionAssistantMessageParam, ChatCompletionMessageParam
from pydantic import ConfigDict, TypeAdapter, with_config
from typing_extensions import TypedDict

from citeguard import Answer, Policy, Sources
from citeguard.datasets import NothingExportedError, export_samples
from citeguard.datasets.formats import Form
from citeguard.testing import ScriptedJudge
from export_material import WRONG, Json, answer, exported, lines, sample, samples

STRICT = ConfigDict(extra="forbid", arbitrary_types_allowed=True)


@with_config(STRICT)
class Chat(TypedDict):
    messages: list[ChatCompletionMessageParam]


@with_config(STRICT)
class Input(TypedDict):
    messages: list[ChatCompletionMessageParam]


@with_config(STRICT)
class Preference(TypedDict):
    input: Input
    preferred_output: list[ChatCompletionAssistantMessageParam]
    non_preferred_output: list[ChatCompletionAssistantMessageParam]


FORMS: list[Form] = ["chat", "completion", "preference", "chosen-rejected"]
COLUMNS = {
    "chat": ["messages"],
    "completion": ["prompt", "completion"],
    "preference": ["input", "preferred_output", "non_preferred_output"],
    "chosen-rejected": ["prompt", "chosen", "rejected"],
}


def written(tmp_path: Path, form: Form, **options: Any) -> list[Json]:
    """Return what an export of twelve samples writes."""
    export_samples(samples(12, rejected=[WRONG]), tmp_path / "out", form=form, **options)
    return exported(tmp_path / "out")


class TestOpenAI:
    @pytest.mark.parametrize("prompt", ["simple", "instruction"])
    def test_types_read_chats_and_preferences(self, prompt: Any, tmp_path: Path) -> None:
        for line in written(tmp_path, "chat", prompt=prompt):
            chat = TypeAdapter(Chat).validate_python(line)
            roles = [message["role"] for message in chat["messages"]]
            assert roles == ["system", "user", "assistant"]
            assert all(message.get("content") for message in chat["messages"])
        for line in written(tmp_path, "preference", prompt=prompt, overwrite=True):
            pair = TypeAdapter(Preference).validate_python(line)
            assert [message["role"] for message in pair["input"]["messages"]] == ["system", "user"]
            assert len(pair["preferred_output"]) == len(pair["non_preferred_output"]) == 1


class TestDatasets:
    """The library `datasets` loads the folder, offline, by its card."""

    @pytest.mark.parametrize(
        ("form", "prompt"), [*zip(FORMS, ["simple", "instruction"] * 2, strict=True)]
    )
    def test_loads_what_was_written(self, form: Form, prompt: Any, tmp_path: Path) -> None:
        hard = 'a "b" \u2028 東京 👩‍🔬 \x00 \x1b \\ud800'
        given = samples(24, rejected=[WRONG])
        for each in given:
            each["question"] += hard
        out = tmp_path / "out"
        summary = export_samples(
            given, out, form=form, prompt=prompt, validation=0.3, test=0.2, license="a: 'b'\n---"
        )
        loaded = load(out, tmp_path)
        assert {name: split.num_rows for name, split in loaded.items()} == {
            name: facts.samples for name, facts in summary.splits.items()
        }
        assert set(loaded) == {"train", "validation", "test"}
        for name, split in loaded.items():
            assert split.column_names == COLUMNS[form]
            assert list(split) == lines(out / f"{name}.jsonl")

    def test_does_not_load_an_earlier_export(self, tmp_path: Path) -> None:
        out = tmp_path / "out"
        for seed in (1, 2, 3):
            export_samples(samples(20), out, validation=0.5, seed=seed, overwrite=True)
            loaded = [
                row for split in ("train", "validation") for row in load(out, tmp_path)[split]
            ]
            assert loaded == exported(out)


def load(folder: Path, tmp_path: Path) -> Any:
    from datasets import disable_progress_bars, load_dataset

    disable_progress_bars()
    return load_dataset(str(folder), cache_dir=str(tmp_path / "cache"))


class TestAnswers:
    @pytest.mark.parametrize("form", FORMS)
    def test_validate_with_their_sources_again(self, form: Form, tmp_path: Path) -> None:
        given = samples(12, rejected=[WRONG])
        export_samples(given, tmp_path / "out", form=form, validation=0)
        for raw, line in zip(given, exported(tmp_path / "out"), strict=True):
            context = Sources(raw["sources"]).as_context()
            answer = Answer.model_validate_json(chosen(line), context=context)
            assert answer.statements[0].text == raw["statements"][0]["text"]


def chosen(line: Json) -> str:
    """Return the answer of a sample in any form."""
    if "completion" in line:
        return line["completion"]
    said = line.get("messages") or line.get("chosen") or line["preferred_output"]
    return said[-1]["content"]


TRUNCATED = '{"statements": [{"text": "They'
TWICE = json.dumps(WRONG)[:-1] + ', "statements": []}'


def pair(
    tmp_path: Path, rejected: Any, *, statements: Any = None, **options: Any
) -> tuple[str, str]:
    """Return the chosen and the rejected text of a sample."""
    given = sample(rejected=rejected)
    given["statements"] = statements or given["statements"]
    export_samples([given], tmp_path / "out", form="chosen-rejected", overwrite=True, **options)
    [line] = lines(tmp_path / "out" / "train.jsonl")
    return line["chosen"][0]["content"], line["rejected"][0]["content"]


def codes(tmp_path: Path, **more: Any) -> dict[str, int]:
    """Return the codes with which a sample is refused as a pair."""
    options = {"policy": more.pop("policy", None)}
    with pytest.raises(NothingExportedError) as caught:
        export_samples([sample(**more)], tmp_path / "out", form="preference", **options)
    return dict(caught.value.summary.codes)


class TestRejected:
    @pytest.mark.parametrize(
        "given",
        [WRONG, [WRONG], json.dumps(WRONG), [json.dumps(WRONG, indent=2)]],
        ids=["object", "list", "text", "indented"],
    )
    def test_is_written_like_the_chosen_one(self, given: Any, tmp_path: Path) -> None:
        chosen, rejected = pair(tmp_path, given)
        assert json.loads(chosen) == answer(7)
        assert rejected == json.dumps(WRONG)

    def test_loses_fence_order_and_nulls(self, tmp_path: Path) -> None:
        citation = {"source_id": "rules", "quote": "pay nothing"}
        attempt = {"question": None, "statements": [{"citations": [citation], "text": "Free."}]}
        _, rejected = pair(tmp_path, f"```json\n{json.dumps(attempt)}\n```")
        assert rejected == (
            '{"statements": [{"text": "Free.", "citations": [{"quote": "pay nothing", '
            '"source_id": "rules"}]}]}'
        )

    def test_the_last_that_fails_is_taken(self, tmp_path: Path) -> None:
        first, second = dict(WRONG), json.loads(json.dumps(WRONG).replace("free", "gratis"))
        _, rejected = pair(tmp_path, [first, second, answer(7), "", None])
        assert json.loads(rejected) == second

    @pytest.mark.parametrize("text", [TRUNCATED, TWICE, "{}}", "I cannot answer that."])
    def test_what_is_no_json_stays_as_it_is(self, text: str, tmp_path: Path) -> None:
        assert pair(tmp_path, text)[1] == text


class TestRefusal:
    @pytest.mark.parametrize("rejected", [None, [], "", [" ", None, {}]], ids=repr)
    def test_without_an_attempt(self, rejected: Any, tmp_path: Path) -> None:
        assert codes(tmp_path, rejected=rejected) == {"rejected_missing": 1}

    def test_if_no_attempt_fails(self, tmp_path: Path) -> None:
        assert codes(tmp_path, rejected=[answer(7)]) == {"rejected_passes": 1}

    def test_if_the_attempt_is_undecided(self, tmp_path: Path) -> None:
        attempt: Json = json.loads(json.dumps(answer(7)).replace("They pay", "All pay"))
        policy = Policy(support=[ScriptedJudge({"All pay 7 euros.": "undecided"})])
        assert codes(tmp_path, rejected=attempt, policy=policy) == {"undecided": 1}
