"""The parts that all server drivers share: listening, reporting the addresses, and exiting."""

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
    """One agent, with its own path on the HTTP server and its own gRPC port."""

    def routes(self) -> Sequence[BaseRoute]: ...

    def running(self) -> AbstractAsyncContextManager[None]: ...


# Creates an agent from its name, its description, all skills, its URL, and the client for notifications.
AgentMaker = Callable[[str, Json, dict[str, Json], str, httpx.AsyncClient], Agent]


def skills_of_card(agent: Json, skills: dict[str, Json]) -> list[Json]:
    return [{"id": id, **{key: skills[id][key] for key in ("name", "description", "tags")}} for id in agent["skills"]]


class Server(uvicorn.Server):
    """Prints the agents' addresses when they are ready. Exits when stdin ends, without waiting for running requests."""

    def __init__(self, app: Starlette, urls: dict[str, str]) -> None:
        # Its request log would go to stdout. On SIGTERM, running requests are cut off.
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
    """Serves the agents of skills.json on 127.0.0.1, on the port of --port (default: 0, any free port)."""
    port = int(sys.argv[sys.argv.index("--port") + 1]) if "--port" in sys.argv else 0
    listener = socket.create_server(("127.0.0.1", port))
    # asyncio sets this only on sockets whose protocol is given as TCP, which create_server does not do. Without it,
    # each body waits 40 ms until the client acknowledges the headers.
    listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
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
