"""Hands messages to the skills; what they show is the SDK's doing, not ours."""

import asyncio

from a2a.server.agent_execution import AgentExecutor, RequestContext
from a2a.server.events import EventQueue
from assay_driver.skills import Performer

from teller import Teller


class Skills(AgentExecutor):
    def __init__(self, performer: Performer) -> None:
        self._performer = performer
        self._running: dict[str, asyncio.Event] = {}

    async def execute(self, context: RequestContext, event_queue: EventQueue) -> None:
        if busy := self._running.get(context.task_id):
            # The SDK takes a task's events until one of its turns is over: one that returned first would end both.
            await busy.wait()
            return
        done = self._running[context.task_id] = asyncio.Event()
        try:
            await self._performer.perform(Teller(context, event_queue))
        finally:
            del self._running[context.task_id]
            done.set()

    async def cancel(self, context: RequestContext, event_queue: EventQueue) -> None:
        await Teller(context, event_queue).status("canceled", metadata=context.metadata)
