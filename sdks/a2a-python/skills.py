"""The skills of the test bed, written as the SDK's own samples are: what they show is the SDK's doing, not ours."""

import asyncio
import re
from collections.abc import Callable

from a2a.helpers import new_data_part, new_raw_part
from a2a.server.agent_execution import AgentExecutor, RequestContext
from a2a.server.events import EventQueue
from a2a.types import Part, TaskState

from acts import BEHAVIOURS, GO_ON
from teller import Skill, Teller


async def message_only(tell: Teller, words: str) -> None:
    await tell.message(f"[message-only] You said: {words}")


async def echo(tell: Teller, words: str) -> None:
    await tell.message(f"Echo: {words}")


async def task_lifecycle(tell: Teller, words: str) -> None:
    await tell.begin()
    await tell.status(TaskState.TASK_STATE_WORKING)
    await tell.artifact("result", Part(text=f"[task-lifecycle] Processed: {words}"))
    await tell.status(TaskState.TASK_STATE_COMPLETED)


async def task_failure(tell: Teller, _words: str) -> None:
    await tell.begin()
    await tell.status(TaskState.TASK_STATE_WORKING)
    await tell.status(TaskState.TASK_STATE_FAILED, "[task-failure] as asked")


def waits(seconds: Callable[[str], int]) -> Skill:
    async def skill(tell: Teller, words: str) -> None:
        await tell.begin()
        await tell.status(TaskState.TASK_STATE_WORKING, "working on it")
        await asyncio.sleep(seconds(words))  # A cancellation ends it here, and Skills.cancel says so.
        await tell.status(TaskState.TASK_STATE_COMPLETED)

    return skill


def asked_seconds(words: str) -> int:
    number = re.search(r"[0-9]+", words)
    return int(number[0]) if number else 2


async def long_running(tell: Teller, _words: str) -> None:
    await tell.begin()
    for step in range(1, 6):
        await tell.status(TaskState.TASK_STATE_WORKING, f"[long-running] Step {step}")
        await asyncio.sleep(2)
        await tell.artifact(f"step-{step}", Part(text=f"Step {step} of 5"))
    await tell.status(TaskState.TASK_STATE_COMPLETED)


async def multi_turn(tell: Teller, words: str) -> None:
    await tell.begin()
    if "done" not in words:
        return await tell.status(TaskState.TASK_STATE_INPUT_REQUIRED, "[multi-turn] And then?")
    await tell.artifact("final", Part(text="[multi-turn] finished"))
    await tell.status(TaskState.TASK_STATE_COMPLETED)


async def streaming(tell: Teller, _words: str) -> None:
    await tell.begin()
    await tell.status(TaskState.TASK_STATE_WORKING, "[streaming] Starting")
    for chunk in range(1, 5):
        await asyncio.sleep(0.1)
        await tell.artifact("stream-result", Part(text=f"Chunk {chunk}"), append=chunk > 1, last_chunk=chunk == 4)
    await tell.status(TaskState.TASK_STATE_COMPLETED)


async def data_types(tell: Teller, _words: str) -> None:
    await tell.begin()
    await tell.status(TaskState.TASK_STATE_WORKING)
    await tell.artifact("text", Part(text="text"))
    await tell.artifact("data", new_data_part({"nested": {"list": [1, 2.5, None]}}))
    svg = b"<svg xmlns='http://www.w3.org/2000/svg'/>"
    await tell.artifact("file", new_raw_part(svg, media_type="image/svg+xml", filename="test.svg"))
    await tell.artifact("mixed", Part(text="text"), new_data_part({"key": "value"}))
    await tell.status(TaskState.TASK_STATE_COMPLETED)


async def auth_required(tell: Teller, _words: str) -> None:
    if await tell.begin():
        return await tell.status(TaskState.TASK_STATE_AUTH_REQUIRED, "[auth-required] Please log in.")
    await tell.artifact("receipt", Part(text="[auth-required] Authorised and done."))
    await tell.status(TaskState.TASK_STATE_COMPLETED)


async def rejected(tell: Teller, _words: str) -> None:
    await tell.begin()
    await tell.status(TaskState.TASK_STATE_REJECTED, "[rejected] no")


SKILLS: dict[str, Skill] = {
    "message-only": message_only,
    "task-lifecycle": task_lifecycle,
    "task-failure": task_failure,
    "task-cancel": waits(lambda _words: 30),
    "slow": waits(asked_seconds),
    "long-running": long_running,
    "multi-turn": multi_turn,
    "streaming": streaming,
    "data-types": data_types,
    "auth-required": auth_required,
    "rejected": rejected,
}


class Skills(AgentExecutor):
    """Hands a message to its skill: that of the task it goes on with, or that of its first word."""

    def __init__(self, otherwise: Skill = message_only) -> None:
        """What is done with words that name no skill may be something else."""
        self._otherwise = otherwise
        self._open: dict[str, Skill] = {}

    async def execute(self, context: RequestContext, event_queue: EventQueue) -> None:
        words = context.get_user_input()
        keyword = next(iter(words.split()), "").lower()
        named = SKILLS.get(keyword) or BEHAVIOURS.get(keyword) or self._otherwise
        skill = self._open.get(context.task_id) or named
        if skill in (multi_turn, auth_required, *GO_ON):
            self._open[context.task_id] = skill
        await skill(Teller(context, event_queue), words)

    async def cancel(self, context: RequestContext, event_queue: EventQueue) -> None:
        await Teller(context, event_queue).status(TaskState.TASK_STATE_CANCELED)
