"""Passes messages to the skills. The SDK decides what callers see of their events."""

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
            # The SDK reads a task's events until one of its turns returns. So this turn has to wait for the other one.
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
