"""Passes messages to the skills. The SDK decides what callers see of their events."""

from a2a.server.agent_execution import AgentExecutor, RequestContext
from a2a.server.events import EventQueue
from assay_driver.skills import Performer

from teller import Teller


class Skills(AgentExecutor):
    def __init__(self, performer: Performer) -> None:
        self._performer = performer

    async def execute(self, context: RequestContext, event_queue: EventQueue) -> None:
        await self._performer.perform(Teller(context, event_queue))

    async def cancel(self, context: RequestContext, event_queue: EventQueue) -> None:
        await Teller(context, event_queue).status("canceled", metadata=context.metadata)
