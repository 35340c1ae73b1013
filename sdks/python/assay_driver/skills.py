"""Performs the skills of sdks/skills.json through the Teller of any SDK."""

import asyncio
import json
import os
import re
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, Protocol
from urllib.parse import urlsplit

Json = dict[str, Any]

TIME_SCALE = float(os.environ.get("ASSAY_TIME_SCALE", "1"))


def described() -> Json:
    """Returns the content of skills.json."""
    beside = Path(__file__).parents[2] / "skills.json"
    return json.loads(Path(os.environ.get("ASSAY_SKILLS", beside)).read_text(encoding="utf-8"))


class Teller(Protocol):
    """Publishes the events of a task through an SDK."""

    @property
    def task_id(self) -> str: ...

    @property
    def continues(self) -> bool:
        """Returns true if the task already existed."""

    @property
    def text(self) -> str:
        """The text of the message's first text part."""

    async def message(self, text: str) -> None: ...
    async def begin(self) -> None: ...
    async def status(self, state: str, text: str | None = None) -> None: ...
    async def artifact(self, name: str, parts: list[Json], *, append: bool, last_chunk: bool) -> None: ...

    async def ask(self, card_url: str, text: str) -> list[str]:
        """Asks another agent with the SDK's own client, and returns the texts of its answer."""


class Stop(Exception):
    """Raised to skip the remaining steps."""


class Performer:
    """Performs the skills of one agent. A driver may add steps and skills that skills.json does not have."""

    def __init__(
        self,
        agent: Json,
        skills: dict[str, Json],
        further_steps: dict[str, Callable[[Any], Awaitable[None]]] | None = None,
    ) -> None:
        self._agent = agent
        self._skills = skills
        self._further_steps = further_steps or {}
        self._open: dict[str, Json] = {}

    async def perform(self, tell: Teller) -> None:
        """Performs the steps that the message asks for. A cancellation ends them where they wait."""
        try:
            for step in self._steps(tell):
                await self._do(step, tell)
        except Stop:
            pass

    def _steps(self, tell: Teller) -> list[Json]:
        if tell.continues and (skill := self._open.get(tell.task_id)):
            text = tell.text.lower()
            return next(row["steps"] for row in skill["next"] if row.get("contains", "").lower() in text)
        skill = self._named(tell.text)
        if "next" in skill:
            self._open[tell.task_id] = skill
        return skill["steps"]

    def _named(self, text: str) -> Json:
        keyword = next(iter(text.split()), "").lower()
        has = keyword in self._agent["skills"] or keyword in self._agent["answers"]
        return self._skills[keyword if has else self._agent["otherwise"]]

    async def _do(self, step: Json, tell: Teller) -> None:
        def said(text: str) -> str:
            return text.replace("{text}", tell.text)

        match step["do"]:
            case "message":
                await tell.message(said(step["text"]))
            case "begin":
                if not tell.continues:
                    await tell.begin()
            case "status":
                await tell.status(step["state"], said(step["text"]) if "text" in step else None)
            case "artifact":
                parts = [{**part, "text": said(part["text"])} if "text" in part else part for part in step["parts"]]
                append, last_chunk = step.get("append", False), step.get("lastChunk", True)
                await tell.artifact(step["name"], parts, append=append, last_chunk=last_chunk)
            case "wait":
                await asyncio.sleep(seconds(step, tell.text))
            case "relay":
                await relay(step["name"], tell)
            case further:
                await self._further_steps[further](tell)


def seconds(step: Json, text: str) -> float:
    """Returns the seconds that a step waits."""
    asked = re.search(r"[0-9]+(\.[0-9]+)?", text) if step.get("asked") else None
    wanted = float(asked[0]) if asked else step["seconds"]
    return max(wanted * TIME_SCALE, step.get("atLeast", 0))


async def relay(name: str, tell: Teller) -> None:
    """Asks the agent that the message names, and publishes its answer."""
    asked = re.match(r"\s*\S+\s+(\S+)\s+(.+)$", tell.text, re.DOTALL)
    if not asked:
        await tell.status("rejected", "[relay] Say: relay <cardUrl> <text>")
        raise Stop
    card_url, text = asked.groups()
    if urlsplit(card_url).hostname not in ("127.0.0.1", "::1"):
        await tell.status("rejected", "[relay] Only agents on 127.0.0.1 and [::1] are asked.")
        raise Stop
    try:
        answer = await tell.ask(card_url, text)
    except Exception as error:  # Report every reason why the other agent did not answer.
        await tell.status("failed", f"[relay] {error}")
        raise Stop from error
    await tell.artifact(name, [{"text": "\n".join(answer)}], append=False, last_chunk=True)
