"""The skills of the test bed, written as the SDK's own samples are: what they show is the SDK's doing, not ours."""

import asyncio
import re
from collections.abc import Awaitable, Callable

from a2a.helpers import new_data_part, new_raw_part, new_text_message
from a2a.server.agent_execution import AgentExecutor, RequestContext
from a2a.server.events import EventQueue
from a2a.server.tasks import TaskUpdater
from a2a.types import Message, Part, Task, TaskState, TaskStatus


class Teller:
    """What a skill uses to tell what happens to its task."""

    def __init__(self, context: RequestContext, event_queue: EventQueue) -> None:
        self._context = context
        self._queue = event_queue
        self._updater = TaskUpdater(event_queue, context.task_id or "", context.context_id or "")

    async def message(self, text: str) -> None:
        await self._queue.enqueue_event(new_text_message(text, context_id=self._context.context_id))

    async def begin(self) -> bool:
        """False where the message goes on with a task that there is already."""
        if self._context.current_task:
            return False
        await self._queue.enqueue_event(
            Task(
                id=self._context.task_id,
                context_id=self._context.context_id,
                status=TaskStatus(state=TaskState.TASK_STATE_SUBMITTED),
                history=[self._context.message],
            )
        )
        return True

    async def status(self, state: TaskState, text: str | None = None) -> None:
        await self._updater.update_status(state, self._words(text))

    async def artifact(self, name: str, part: Part, *, append: bool = False, last_chunk: bool = True) -> None:
        await self._updater.add_artifact([part], artifact_id=name, name=name, append=append, last_chunk=last_chunk)

    def _words(self, text: str | None) -> Message | None:
        return None if text is None else self._updater.new_agent_message([Part(text=text)])


Skill = Callable[[Teller, str], Awaitable[None]]


async def message_only(tell: Teller, words: str) -> None:
    await tell.message(f"[message-only] You said: {words}")


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
    "long-running": waits(lambda _words: 10),
    "multi-turn": multi_turn,
    "streaming": streaming,
    "data-types": data_types,
    "auth-required": auth_required,
    "rejected": rejected,
}


class Skills(AgentExecutor):
    """Hands a message to its skill: that of the task it goes on with, or that of its first word."""

    def __init__(self) -> None:
        self._open: dict[str, Skill] = {}

    async def execute(self, context: RequestContext, event_queue: EventQueue) -> None:
        words = context.get_user_input()
        keyword = next(iter(words.split()), "").lower()
        skill = self._open.get(context.task_id) or SKILLS.get(keyword, message_only)
        if skill in (multi_turn, auth_required):
            self._open[context.task_id] = skill
        await skill(Teller(context, event_queue), words)

    async def cancel(self, context: RequestContext, event_queue: EventQueue) -> None:
        await Teller(context, event_queue).status(TaskState.TASK_STATE_CANCELED)
