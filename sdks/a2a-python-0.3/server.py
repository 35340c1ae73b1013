"""The test bed's skills on the server of a2a-sdk 0.3, with its defaults; one JSON line says where, once it listens."""

import asyncio
import json
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import grpc
import httpx
import uvicorn
from a2a.grpc import a2a_pb2_grpc
from a2a.server.apps import A2ARESTFastAPIApplication, A2AStarletteApplication
from a2a.server.request_handlers import DefaultRequestHandler, GrpcHandler
from a2a.server.tasks import BasePushNotificationSender, InMemoryPushNotificationConfigStore, InMemoryTaskStore
from a2a.types import AgentCapabilities, AgentCard, AgentInterface, AgentSkill, TransportProtocol
from starlette.applications import Starlette
from starlette.routing import Mount

from skills import SKILLS, Skills


def card(url: str, grpc_address: str) -> AgentCard:
    return AgentCard(
        name="a2a-python-0.3",
        description="The skills of the test bed on the official Python SDK for 0.3.",
        version="0.3.26",
        url=f"{url}/",
        preferred_transport=TransportProtocol.jsonrpc,
        additional_interfaces=[
            AgentInterface(url=f"{url}/", transport=TransportProtocol.jsonrpc),
            AgentInterface(url=f"{url}/rest", transport=TransportProtocol.http_json),
            AgentInterface(url=grpc_address, transport=TransportProtocol.grpc),
        ],
        capabilities=AgentCapabilities(streaming=True, push_notifications=True),
        default_input_modes=["text/plain"],
        default_output_modes=["text/plain"],
        skills=[AgentSkill(id=id, name=id, description=f"Shows {id}.", tags=["test"]) for id in SKILLS],
    )


class Server(uvicorn.Server):
    def __init__(self, config: uvicorn.Config, url: str) -> None:
        super().__init__(config)
        self._url = url

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        print(json.dumps({"url": self._url}), flush=True)


async def serve() -> None:
    listener = socket.create_server(("127.0.0.1", 0))
    url = f"http://127.0.0.1:{listener.getsockname()[1]}"
    grpc_server = grpc.aio.server()
    grpc_port = grpc_server.add_insecure_port("127.0.0.1:0")
    agent_card = card(url, f"127.0.0.1:{grpc_port}")

    async with httpx.AsyncClient() as http:
        configs = InMemoryPushNotificationConfigStore()
        request_handler = DefaultRequestHandler(
            agent_executor=Skills(),
            task_store=InMemoryTaskStore(),
            push_config_store=configs,
            push_sender=BasePushNotificationSender(http, configs),
        )
        a2a_pb2_grpc.add_A2AServiceServicer_to_server(GrpcHandler(agent_card, request_handler), grpc_server)

        @asynccontextmanager
        async def lifespan(_app: Starlette) -> AsyncIterator[None]:
            await grpc_server.start()
            yield
            await grpc_server.stop(grace=None)

        app = Starlette(
            routes=[
                *A2AStarletteApplication(agent_card, request_handler).routes(),
                Mount("/rest", app=A2ARESTFastAPIApplication(agent_card, request_handler).build()),
            ],
            lifespan=lifespan,
        )
        # Its log of requests would go to stdout; on SIGTERM, what still runs is cut off.
        config = uvicorn.Config(app, log_level="warning", timeout_graceful_shutdown=0)
        await Server(config, url).serve(sockets=[listener])


if __name__ == "__main__":
    asyncio.run(serve())
