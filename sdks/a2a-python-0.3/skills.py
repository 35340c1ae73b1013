"""The skills of the test bed, written as the SDK's own samples are: what they show is the SDK's doing, not ours."""

import asyncio
import base64
import re
from collections.abc import Awaitable, Callable

from a2a.server.agent_execution import AgentExecutor, RequestContext
from a2a.server.events import EventQueue
from a2a.server.tasks import TaskUpdater
from a2a.types import DataPart, FilePart, FileWithBytes, Message, Part, TaskState, TextPart
from a2a.utils import new_agent_text_message, new_task

# At these the turn is over, and the agent has to say so; of the terminal ones the SDK knows it.
INTERRUPTED = (TaskState.input_required, TaskState.auth_required)


class Teller:
    """What a skill uses to tell what happens to its task."""

    def __init__(self, context: RequestContext, event_queue: EventQueue) -> None:
        self._context = context
        self._queue = event_queue
        self._updater = TaskUpdater(event_queue, context.task_id or "", context.context_id or "")

    async def message(self, text: str) -> None:
        await self._queue.enqueue_event(new_agent_text_message(text, context_id=self._context.context_id))

    async def begin(self) -> bool:
        """False where the message goes on with a task that there is already."""
        if self._context.current_task or not self._context.message:
            return False
        await self._queue.enqueue_event(new_task(self._context.message))
        return True

    async def status(self, state: TaskState, text: str | None = None) -> None:
        await self._updater.update_status(state, self._words(text), final=state in INTERRUPTED)

    async def artifact(self, name: str, part: Part, *, append: bool = False, last_chunk: bool = True) -> None:
        await self._updater.add_artifact([part], artifact_id=name, name=name, append=append, last_chunk=last_chunk)

    def _words(self, text: str | None) -> Message | None:
        return None if text is None else self._updater.new_agent_message([text_part(text)])


def text_part(text: str) -> Part:
    return Part(root=TextPart(text=text))


Skill = Callable[[Teller, str], Awaitable[None]]


async def message_only(tell: Teller, words: str) -> None:
    await tell.message(f"[message-only] You said: {words}")


async def task_lifecycle(tell: Teller, words: str) -> None:
    await tell.begin()
    await tell.status(TaskState.working)
    await tell.artifact("result", text_part(f"[task-lifecycle] Processed: {words}"))
    await tell.status(TaskState.completed)


async def task_failure(tell: Teller, _words: str) -> None:
    await tell.begin()
    await tell.status(TaskState.working)
    await tell.status(TaskState.failed, "[task-failure] as asked")


def waits(seconds: Callable[[str], int]) -> Skill:
    async def skill(tell: Teller, words: str) -> None:
        await tell.begin()
        await tell.status(TaskState.working, "working on it")
        await asyncio.sleep(seconds(words))  # A cancellation ends it here, and Skills.cancel says so.
        await tell.artifact("result", text_part("done"))
        await tell.status(TaskState.completed)

    return skill


def asked_seconds(words: str) -> int:
    number = re.search(r"[0-9]+", words)
    return int(number[0]) if number else 2


async def multi_turn(tell: Teller, words: str) -> None:
    await tell.begin()
    if "done" not in words:
        return await tell.status(TaskState.input_required, "[multi-turn] And then?")
    await tell.artifact("final", text_part("[multi-turn] finished"))
    await tell.status(TaskState.completed)


async def streaming(tell: Teller, _words: str) -> None:
    await tell.begin()
    await tell.status(TaskState.working, "[streaming] Starting")
    for chunk in range(1, 5):
        await asyncio.sleep(0.1)
        await tell.artifact("stream-result", text_part(f"Chunk {chunk}"), append=chunk > 1, last_chunk=chunk == 4)
    await tell.status(TaskState.completed)


async def data_types(tell: Teller, _words: str) -> None:
    await tell.begin()
    await tell.status(TaskState.working)
    await tell.artifact("text", text_part("text"))
    await tell.artifact("data", Part(root=DataPart(data={"nested": {"list": [1, 2.5, None]}})))
    svg = base64.b64encode(b"<svg xmlns='http://www.w3.org/2000/svg'/>").decode()
    file = FileWithBytes(bytes=svg, mime_type="image/svg+xml", name="test.svg")
    await tell.artifact("file", Part(root=FilePart(file=file)))
    await tell.status(TaskState.completed)


async def auth_required(tell: Teller, _words: str) -> None:
    if await tell.begin():
        return await tell.status(TaskState.auth_required, "[auth-required] Please log in.")
    await tell.artifact("receipt", text_part("[auth-required] Authorised and done."))
    await tell.status(TaskState.completed)


async def rejected(tell: Teller, _words: str) -> None:
    await tell.begin()
    await tell.status(TaskState.rejected, "[rejected] no")


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
        self._running: dict[str, asyncio.Event] = {}

    async def execute(self, context: RequestContext, event_queue: EventQueue) -> None:
        tell = Teller(context, event_queue)
        if busy := self._running.get(context.task_id):
            await tell.status(TaskState.working, "[noted] still at it")
            # The SDK takes a task's events until one of its turns is over: one that returned first would end both.
            await busy.wait()
            return
        words = context.get_user_input()
        keyword = next(iter(words.split()), "").lower()
        skill = self._open.get(context.task_id) or SKILLS.get(keyword, message_only)
        if skill in (multi_turn, auth_required):
            self._open[context.task_id] = skill
        done = self._running[context.task_id] = asyncio.Event()
        try:
            await skill(tell, words)
        finally:
            del self._running[context.task_id]
            done.set()

    async def cancel(self, context: RequestContext, event_queue: EventQueue) -> None:
        await Teller(context, event_queue).status(TaskState.canceled)
