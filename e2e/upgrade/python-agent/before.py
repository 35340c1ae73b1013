"""A small agent on a2a-sdk 0.3. Prints its address as one JSON line, once it listens."""

import asyncio
import json
import socket

import uvicorn
from a2a.server.agent_execution import AgentExecutor, RequestContext
from a2a.server.apps import A2AStarletteApplication
from a2a.server.events import EventQueue
from a2a.server.request_handlers import DefaultRequestHandler
from a2a.server.tasks import InMemoryTaskStore, TaskUpdater
from a2a.types import AgentCapabilities, AgentCard, AgentSkill, Part, TextPart
from a2a.utils import new_task


class Weather(AgentExecutor):
    """Answers every message with a task that has one artifact."""

    async def execute(self, context: RequestContext, event_queue: EventQueue) -> None:
        task = context.current_task or new_task(context.message)
        await event_queue.enqueue_event(task)
        updater = TaskUpdater(event_queue, task.id, task.context_id)
        await updater.add_artifact([Part(root=TextPart(text="sunny"))], name="forecast")
        await updater.complete(updater.new_agent_message([Part(root=TextPart(text="done"))]))

    async def cancel(self, context: RequestContext, event_queue: EventQueue) -> None:
        updater = TaskUpdater(event_queue, context.task_id, context.context_id)
        await updater.cancel()


def card(url: str) -> AgentCard:
    return AgentCard(
        name="Weather",
        description="Says what the weather is like.",
        version="1.0.0",
        url=f"{url}/",
        capabilities=AgentCapabilities(streaming=True, push_notifications=False),
        default_input_modes=["text/plain"],
        default_output_modes=["text/plain"],
        skills=[AgentSkill(id="forecast", name="Forecast", description="Forecasts the weather.", tags=["weather"])],
    )


async def main() -> None:
    listening = socket.create_server(("127.0.0.1", 0))
    url = f"http://127.0.0.1:{listening.getsockname()[1]}"
    handler = DefaultRequestHandler(agent_executor=Weather(), task_store=InMemoryTaskStore())
    app = A2AStarletteApplication(agent_card=card(url), http_handler=handler).build()
    print(json.dumps({"url": url}), flush=True)
    await uvicorn.Server(uvicorn.Config(app, log_level="error")).serve(sockets=[listening])


asyncio.run(main())
