"""The agents of skills.json on the server of a2a-sdk 1.x, with its defaults (docs/drivers.md).

They speak 1.0 and 0.3 on each binding, and also have the behaviours of ACTS. With --reduced their cards declare nothing
optional.
"""

import asyncio
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import grpc
import httpx
from a2a.compat.v0_3 import a2a_v0_3_pb2_grpc
from a2a.compat.v0_3.grpc_handler import CompatGrpcHandler
from a2a.server.request_handlers import DefaultRequestHandler, GrpcHandler
from a2a.server.routes import create_agent_card_routes, create_jsonrpc_routes, create_rest_routes
from a2a.server.tasks import BasePushNotificationSender, InMemoryPushNotificationConfigStore, InMemoryTaskStore
from a2a.types import AgentCapabilities, AgentCard, AgentInterface, AgentSkill, a2a_pb2_grpc
from starlette.routing import Mount

sys.path.append(str(Path(__file__).parents[1] / "python"))

from assay_driver.lines import Json, sdk
from assay_driver.serving import serve, skills_of_card
from assay_driver.skills import Performer

import acts
from skills import Skills

CLAIMS = "--reduced" not in sys.argv


def card(agent: Json, skills: dict[str, Json], url: str, grpc_address: str) -> AgentCard:
    bindings = ((f"{url}/", "JSONRPC"), (f"{url}/rest", "HTTP+JSON"), (grpc_address, "GRPC"))
    return AgentCard(
        name=agent["name"],
        description=agent["description"],
        version=sdk()["version"],
        supported_interfaces=[
            AgentInterface(url=address, protocol_binding=binding, protocol_version=version)
            for version in ("1.0", "0.3")
            for address, binding in bindings
        ],
        capabilities=AgentCapabilities(
            streaming=CLAIMS and agent["streaming"], push_notifications=CLAIMS and agent["push"]
        ),
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
        answers = {**agent, "answers": [*agent["answers"], *acts.SKILLS]}
        self._handler = DefaultRequestHandler(
            agent_executor=Skills(Performer(answers, {**skills, **acts.SKILLS}, acts.STEPS)),
            task_store=InMemoryTaskStore(),
            agent_card=self._card,
            **(push if agent["push"] else {}),
        )
        a2a_pb2_grpc.add_A2AServiceServicer_to_server(GrpcHandler(self._handler), self._grpc)
        a2a_v0_3_pb2_grpc.add_A2AServiceServicer_to_server(CompatGrpcHandler(self._handler), self._grpc)

    def routes(self) -> list[Mount]:
        """Each agent has its own path, because the last REST route matches every path below a first segment."""
        routes = [
            *create_agent_card_routes(self._card),
            *create_jsonrpc_routes(self._handler, rpc_url="/", enable_v0_3_compat=True),
            *create_rest_routes(self._handler, path_prefix="/rest", enable_v0_3_compat=True),
        ]
        return [Mount(self._path, routes=routes)]

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        await self._grpc.start()
        yield
        await self._grpc.stop(grace=None)
        await self._handler.aclose()


if __name__ == "__main__":
    asyncio.run(serve(Agent))
