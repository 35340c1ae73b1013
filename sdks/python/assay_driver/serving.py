"""What the server of every driver does besides: where it listens, how it says so, when it ends."""

import os
import socket
import sys
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from threading import Thread
from typing import Protocol

import httpx
import uvicorn
from starlette.applications import Starlette
from starlette.routing import BaseRoute

from assay_driver.lines import Json, sdk, write
from assay_driver.skills import described


class Agent(Protocol):
    """One agent, on a path of the HTTP server and a gRPC port of its own."""

    def routes(self) -> Sequence[BaseRoute]: ...

    def running(self) -> AbstractAsyncContextManager[None]: ...


# Makes one of its name, its description, all skills, its URL, and what it sends notifications with.
AgentMaker = Callable[[str, Json, dict[str, Json], str, httpx.AsyncClient], Agent]


def skills_of_card(agent: Json, skills: dict[str, Json]) -> list[Json]:
    return [{"id": id, **{key: skills[id][key] for key in ("name", "description", "tags")}} for id in agent["skills"]]


class Server(uvicorn.Server):
    """Says where the agents are once they can answer; ends with stdin, cutting off what still runs."""

    def __init__(self, app: Starlette, urls: dict[str, str]) -> None:
        # Its log of requests would go to stdout; on SIGTERM, what still runs is cut off.
        super().__init__(uvicorn.Config(app, log_level="warning", timeout_graceful_shutdown=0))
        self._urls = urls

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        write({"ready": True, "sdk": sdk(), "agents": self._urls})
        Thread(target=end_with_stdin, daemon=True).start()


def end_with_stdin() -> None:
    sys.stdin.buffer.read()
    os._exit(0)


async def serve(make: AgentMaker) -> None:
    """Serves the agents of skills.json on the port of --port, any other for port 0, of 127.0.0.1."""
    port = int(sys.argv[sys.argv.index("--port") + 1]) if "--port" in sys.argv else 0
    listener = socket.create_server(("127.0.0.1", port))
    all_of_it = described()
    urls = {name: f"http://127.0.0.1:{listener.getsockname()[1]}/{name}" for name in all_of_it["agents"]}
    async with httpx.AsyncClient() as http:
        agents = [make(name, all_of_it["agents"][name], all_of_it["skills"], url, http) for name, url in urls.items()]

        @asynccontextmanager
        async def lifespan(_app: Starlette) -> AsyncIterator[None]:
            async with AsyncExitStack() as stack:
                for agent in agents:
                    await stack.enter_async_context(agent.running())
                yield

        app = Starlette(routes=[route for agent in agents for route in agent.routes()], lifespan=lifespan)
        await Server(app, urls).serve(sockets=[listener])
