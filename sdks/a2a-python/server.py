"""The test bed's skills on the server of a2a-sdk, with its defaults; one JSON line says where, once it listens.

With --compat it speaks 0.3 beside 1.0, on each binding. With --reduced its card claims nothing that is optional; with
--echo it does so too, and repeats what no skill is named by.
"""

import asyncio
import json
import socket
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import grpc
import httpx
import uvicorn
from a2a.compat.v0_3 import a2a_v0_3_pb2_grpc
from a2a.compat.v0_3.grpc_handler import CompatGrpcHandler
from a2a.server.request_handlers import DefaultRequestHandler, GrpcHandler
from a2a.server.routes import create_agent_card_routes, create_jsonrpc_routes, create_rest_routes
from a2a.server.tasks import BasePushNotificationSender, InMemoryPushNotificationConfigStore, InMemoryTaskStore
from a2a.types import AgentCapabilities, AgentCard, AgentInterface, AgentSkill, a2a_pb2_grpc
from starlette.applications import Starlette

from skills import SKILLS, Skills, echo, message_only

COMPAT = "--compat" in sys.argv
ECHO = "--echo" in sys.argv
OPTIONAL = not ECHO and "--reduced" not in sys.argv
VERSIONS = ["1.0", "0.3"] if COMPAT else ["1.0"]


def card(url: str, grpc_address: str) -> AgentCard:
    return AgentCard(
        name="a2a-python",
        description="The skills of the test bed on the official Python SDK.",
        version="1.3.0",
        supported_interfaces=[
            AgentInterface(url=address, protocol_binding=binding, protocol_version=version)
            for version in VERSIONS
            for address, binding in ((f"{url}/", "JSONRPC"), (f"{url}/rest", "HTTP+JSON"), (grpc_address, "GRPC"))
        ],
        capabilities=AgentCapabilities(streaming=OPTIONAL, push_notifications=OPTIONAL),
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
            agent_executor=Skills(echo if ECHO else message_only),
            task_store=InMemoryTaskStore(),
            agent_card=agent_card,
            push_config_store=configs,
            push_sender=BasePushNotificationSender(http, configs),
        )
        a2a_pb2_grpc.add_A2AServiceServicer_to_server(GrpcHandler(request_handler), grpc_server)
        if COMPAT:
            a2a_v0_3_pb2_grpc.add_A2AServiceServicer_to_server(CompatGrpcHandler(request_handler), grpc_server)

        @asynccontextmanager
        async def lifespan(_app: Starlette) -> AsyncIterator[None]:
            await grpc_server.start()
            yield
            await grpc_server.stop(grace=None)
            await request_handler.aclose()

        app = Starlette(
            routes=[
                *create_agent_card_routes(agent_card),
                *create_jsonrpc_routes(request_handler, rpc_url="/", enable_v0_3_compat=COMPAT),
                *create_rest_routes(request_handler, path_prefix="/rest", enable_v0_3_compat=COMPAT),
            ],
            lifespan=lifespan,
        )
        # Its log of requests would go to stdout; on SIGTERM, what still runs is cut off.
        config = uvicorn.Config(app, log_level="warning", timeout_graceful_shutdown=0)
        await Server(config, url).serve(sockets=[listener])


if __name__ == "__main__":
    asyncio.run(serve())
