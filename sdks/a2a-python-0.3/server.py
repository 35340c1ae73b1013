"""The agents of skills.json on the server of a2a-sdk 0.3, with its defaults (docs/drivers.md)."""

import asyncio
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import grpc
import httpx
from a2a.grpc import a2a_pb2_grpc
from a2a.server.apps import A2ARESTFastAPIApplication, A2AStarletteApplication
from a2a.server.request_handlers import DefaultRequestHandler, GrpcHandler
from a2a.server.tasks import BasePushNotificationSender, InMemoryPushNotificationConfigStore, InMemoryTaskStore
from a2a.types import AgentCapabilities, AgentCard, AgentInterface, AgentSkill, TransportProtocol
from starlette.routing import BaseRoute, Mount

sys.path.append(str(Path(__file__).parents[1] / "python"))

from assay_driver.lines import Json, sdk
from assay_driver.serving import serve, skills_of_card
from assay_driver.skills import Performer

from skills import Skills


def card(agent: Json, skills: dict[str, Json], url: str, grpc_address: str) -> AgentCard:
    return AgentCard(
        name=agent["name"],
        description=agent["description"],
        version=sdk()["version"],
        url=url,
        preferred_transport=TransportProtocol.jsonrpc,
        additional_interfaces=[
            AgentInterface(url=url, transport=TransportProtocol.jsonrpc),
            AgentInterface(url=f"{url}/rest", transport=TransportProtocol.http_json),
            AgentInterface(url=grpc_address, transport=TransportProtocol.grpc),
        ],
        capabilities=AgentCapabilities(streaming=agent["streaming"], push_notifications=agent["push"]),
        default_input_modes=agent["inputModes"],
        default_output_modes=agent["outputModes"],
        skills=[AgentSkill(**skill) for skill in skills_of_card(agent, skills)],
    )


class Agent:
    def __init__(self, name: str, agent: Json, skills: dict[str, Json], url: str, http: httpx.AsyncClient) -> None:
        self._path = f"/{name}"
        self._grpc = grpc.aio.server()
        port = self._grpc.add_insecure_port("127.0.0.1:0")
        self._card = card(agent, skills, url, f"127.0.0.1:{port}")
        configs = InMemoryPushNotificationConfigStore()
        push = {"push_config_store": configs, "push_sender": BasePushNotificationSender(http, configs)}
        self._handler = DefaultRequestHandler(
            agent_executor=Skills(Performer(agent, skills)),
            task_store=InMemoryTaskStore(),
            **(push if agent["push"] else {}),
        )
        a2a_pb2_grpc.add_A2AServiceServicer_to_server(GrpcHandler(self._card, self._handler), self._grpc)

    def routes(self) -> list[BaseRoute]:
        rpc = A2AStarletteApplication(self._card, self._handler)
        rest = A2ARESTFastAPIApplication(self._card, self._handler).build()
        well_known = f"{self._path}/.well-known/agent-card.json"
        return [*rpc.routes(agent_card_url=well_known, rpc_url=self._path), Mount(f"{self._path}/rest", app=rest)]

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        await self._grpc.start()
        yield
        await self._grpc.stop(grace=None)


if __name__ == "__main__":
    asyncio.run(serve(Agent))
