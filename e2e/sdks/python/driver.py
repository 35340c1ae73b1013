"""Drives the official Python SDK as a client, for tests that live elsewhere.

One JSON request per line on stdin:

    {"id", "op", "target", "binding", "params"?, "card"?, "serviceParameters"?, "take"?}

`target` is the agent's URL, whose card the SDK finds by itself unless `card` hands it one; `params` is the operation's
request in ProtoJSON; `take` leaves a stream after so many events. One JSON answer per line on stdout, in the order of
completion: {"id", "result"}, where `result` is what the SDK gave back in ProtoJSON (a list where it gave an iterator),
or {"id", "error"}, with the `result` so far where a stream broke.
"""

import asyncio
import json
import sys

import grpc
import httpx
from a2a.client import A2ACardResolver, Client, ClientCallContext, ClientConfig, ClientFactory
from a2a.types import (
    AgentCard,
    CancelTaskRequest,
    DeleteTaskPushNotificationConfigRequest,
    GetExtendedAgentCardRequest,
    GetTaskPushNotificationConfigRequest,
    GetTaskRequest,
    ListTaskPushNotificationConfigsRequest,
    ListTasksRequest,
    SendMessageRequest,
    SubscribeToTaskRequest,
    TaskPushNotificationConfig,
)
from a2a.utils.errors import A2A_ERROR_REASONS, JSON_RPC_ERROR_CODE_MAP
from google.protobuf.json_format import MessageToDict, ParseDict

OPERATIONS = {
    "extendedCard": (Client.get_extended_agent_card, GetExtendedAgentCardRequest),
    "send": (Client.send_message, SendMessageRequest),
    "stream": (Client.send_message, SendMessageRequest),
    "get": (Client.get_task, GetTaskRequest),
    "list": (Client.list_tasks, ListTasksRequest),
    "cancel": (Client.cancel_task, CancelTaskRequest),
    "subscribe": (Client.subscribe, SubscribeToTaskRequest),
    "push.create": (Client.create_task_push_notification_config, TaskPushNotificationConfig),
    "push.get": (Client.get_task_push_notification_config, GetTaskPushNotificationConfigRequest),
    "push.list": (Client.list_task_push_notification_configs, ListTaskPushNotificationConfigsRequest),
    "push.delete": (Client.delete_task_push_notification_config, DeleteTaskPushNotificationConfigRequest),
}

clients: dict[str, asyncio.Task[Client]] = {}


async def find_card(target: str) -> AgentCard:
    async with httpx.AsyncClient() as http:
        return await A2ACardResolver(http, target).get_agent_card()


async def create_client(request: dict) -> Client:
    config = ClientConfig(
        # The SDK has one method for both ways of sending, and chooses by this.
        streaming=request["op"] != "send",
        supported_protocol_bindings=[request["binding"]],
        grpc_channel_factory=grpc.aio.insecure_channel,
    )
    factory = ClientFactory(config)
    if "card" in request:
        return factory.create(ParseDict(request["card"], AgentCard()))
    return await factory.create_from_url(request["target"])


async def client_for(request: dict) -> Client:
    """One client for all requests that differ in nothing a client is made of."""
    key = json.dumps([request["target"], request["binding"], request.get("card"), request["op"] == "send"])
    if key not in clients:
        clients[key] = asyncio.create_task(create_client(request))
    return await clients[key]


def surfaced(error: Exception) -> dict:
    """The error as the SDK raised it; code and reason are what its own tables say of the class."""
    kind = type(error)
    facts = {
        "class": kind.__name__,
        "message": str(error),
        "code": JSON_RPC_ERROR_CODE_MAP.get(kind),
        "reason": A2A_ERROR_REASONS.get(kind),
        "data": getattr(error, "data", None),
    }
    return {name: fact for name, fact in facts.items() if fact is not None}


async def answer(request: dict) -> dict:
    reply = {"id": request["id"]}
    try:
        if request["op"] == "card":
            return {**reply, "result": MessageToDict(await find_card(request["target"]))}
        method, kind = OPERATIONS[request["op"]]
        client = await client_for(request)
        context = ClientCallContext(service_parameters=request.get("serviceParameters"))
        asked = getattr(client, method.__name__)(ParseDict(request.get("params", {}), kind()), context=context)
        if hasattr(asked, "__aiter__"):
            reply["result"] = []
            async for event in asked:
                reply["result"].append(MessageToDict(event))
                if len(reply["result"]) == request.get("take"):
                    await asked.aclose()
                    break
        else:
            given = await asked
            reply["result"] = None if given is None else MessageToDict(given)
    except Exception as error:
        reply["error"] = surfaced(error)
    return reply


async def serve(line: str) -> None:
    print(json.dumps(await answer(json.loads(line))), flush=True)


async def main() -> None:
    loop = asyncio.get_running_loop()
    serving = []
    # A thread reads, so that answers leave while no request comes.
    while line := await loop.run_in_executor(None, sys.stdin.readline):
        serving.append(asyncio.create_task(serve(line)))
    await asyncio.gather(*serving)
    for made in clients.values():
        if made.exception() is None:
            await made.result().close()


asyncio.run(main())
