"""The same agent on a2a-sdk 1.x, changed as the plan says: the task first, the new names, the card of the plan.

The first argument is a file with the card, the second the address in it that this agent replaces by its own. With
--compat it serves 0.3 as well.
"""

import asyncio
import json
import socket
import sys
from pathlib import Path

import uvicorn
from a2a.helpers import new_task_from_user_message
from a2a.server.agent_execution import AgentExecutor, RequestContext
from a2a.server.events import EventQueue
from a2a.server.request_handlers import DefaultRequestHandler
from a2a.server.routes import create_agent_card_routes, create_jsonrpc_routes
from a2a.server.tasks import InMemoryTaskStore, TaskUpdater
from a2a.types import AgentCard, Part
from google.protobuf.json_format import ParseDict
from starlette.applications import Starlette


class Weather(AgentExecutor):
    """Answers every message with a task that has one artifact."""

    async def execute(self, context: RequestContext, event_queue: EventQueue) -> None:
        task = context.current_task or new_task_from_user_message(context.message)
        await event_queue.enqueue_event(task)
        updater = TaskUpdater(event_queue, task.id, task.context_id)
        await updater.add_artifact([Part(text="sunny")], name="forecast")
        await updater.complete(updater.new_agent_message([Part(text="done")]))

    async def cancel(self, context: RequestContext, event_queue: EventQueue) -> None:
        updater = TaskUpdater(event_queue, context.task_id, context.context_id)
        await updater.cancel()


async def main() -> None:
    listening = socket.create_server(("127.0.0.1", 0))
    url = f"http://127.0.0.1:{listening.getsockname()[1]}"
    planned = Path(sys.argv[1]).read_text(encoding="utf-8").replace(sys.argv[2], url)
    card = ParseDict(json.loads(planned), AgentCard(), ignore_unknown_fields=True)
    handler = DefaultRequestHandler(agent_executor=Weather(), task_store=InMemoryTaskStore(), agent_card=card)
    routes = [
        *create_agent_card_routes(card),
        *create_jsonrpc_routes(handler, rpc_url="/", enable_v0_3_compat="--compat" in sys.argv),
    ]
    print(json.dumps({"url": url}), flush=True)
    await uvicorn.Server(uvicorn.Config(Starlette(routes=routes), log_level="error")).serve(sockets=[listening])


asyncio.run(main())
