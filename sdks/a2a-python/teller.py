"""What a skill uses to tell what happens to its task."""

from collections.abc import Awaitable, Callable

from a2a.helpers import new_text_message
from a2a.server.agent_execution import RequestContext
from a2a.server.events import EventQueue
from a2a.server.tasks import TaskUpdater
from a2a.types import Message, Part, Task, TaskState, TaskStatus


class Teller:
    def __init__(self, context: RequestContext, event_queue: EventQueue) -> None:
        self._context = context
        self._queue = event_queue
        self._updater = TaskUpdater(event_queue, context.task_id or "", context.context_id or "")

    @property
    def asked(self) -> Message:
        """The message that asks for it."""
        return self._context.message

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

    async def artifact(self, name: str, *parts: Part, append: bool = False, last_chunk: bool = True) -> None:
        await self._updater.add_artifact(list(parts), artifact_id=name, name=name, append=append, last_chunk=last_chunk)

    def _words(self, text: str | None) -> Message | None:
        return None if text is None else self._updater.new_agent_message([Part(text=text)])


Skill = Callable[[Teller, str], Awaitable[None]]
