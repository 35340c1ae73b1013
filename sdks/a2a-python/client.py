"""The client of a2a-sdk 1.x behind stdin and stdout (docs/drivers.md)."""

import asyncio
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import grpc
import httpx
from a2a.client import A2ACardResolver, A2AClientError, Client, ClientCallContext, ClientConfig, ClientFactory
from a2a.types import (
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
from a2a.utils.errors import A2AError
from google.protobuf.json_format import MessageToDict, ParseDict, ParseError

sys.path.append(str(Path(__file__).parents[1] / "python"))

from assay_driver.lines import Call, Driver, Json, Malformed, Stream

clients: dict[tuple[str, str, str, bool], Client] = {}


async def client_for(target: Json, streaming: bool) -> Client:
    """The SDK has one method for both ways of sending, and chooses by the client's configuration."""
    key = (target["card"], target["binding"], target["version"], streaming)
    if key not in clients:
        config = ClientConfig(
            streaming=streaming,
            # The default timeout of httpx, 5 s, is too short for a busy machine, which is not the SDK's fault.
            httpx_client=httpx.AsyncClient(timeout=30),
            supported_protocol_bindings=[target["binding"]],
            grpc_channel_factory=grpc.aio.insecure_channel,
        )
        headers = {"headers": target["headers"]}
        clients[key] = await ClientFactory(config).create_from_url(target["card"], resolver_http_kwargs=headers)
    return clients[key]


async def asked(target: Json, params: Json, request: Any, *, streaming: bool) -> tuple[Client, Any, ClientCallContext]:
    try:
        message = ParseDict(params, request())
    except ParseError as error:
        raise Malformed(str(error)) from error
    context = ClientCallContext(service_parameters=target["headers"] or None)
    return await client_for(target, streaming), message, context


def call(method: Any, request: Any) -> Call:
    async def answer(target: Json, params: Json) -> Json:
        client, message, context = await asked(target, params, request, streaming=False)
        given = await getattr(client, method.__name__)(message, context=context)
        return {} if given is None else MessageToDict(given)

    return answer


def stream(method: Any, request: Any, *, streaming: bool = True) -> Stream:
    async def events(target: Json, params: Json) -> AsyncIterator[Json]:
        client, message, context = await asked(target, params, request, streaming=streaming)
        async for event in getattr(client, method.__name__)(message, context=context):
            yield MessageToDict(event)

    return events


async def send(target: Json, params: Json) -> Json:
    [given] = [event async for event in stream(Client.send_message, SendMessageRequest, streaming=False)(target, params)]
    return given


async def card(target: Json, _params: Json) -> Json:
    async with httpx.AsyncClient() as http:
        resolver = A2ACardResolver(http, target["card"])
        return MessageToDict(await resolver.get_agent_card(http_kwargs={"headers": target["headers"]}))


def surfaced(error: Exception) -> Json:
    """The SDK has a class for each A2A error. Failures on the way are an A2AClientError, or not an A2AError at all."""
    is_of_agent = isinstance(error, A2AError) and not isinstance(error, A2AClientError)
    return {"kind": "protocol" if is_of_agent else "transport", "type": type(error).__name__}


driver = Driver(
    model="1.0",
    calls={
        "card": card,
        "extendedCard": call(Client.get_extended_agent_card, GetExtendedAgentCardRequest),
        "send": send,
        "get": call(Client.get_task, GetTaskRequest),
        "list": call(Client.list_tasks, ListTasksRequest),
        "cancel": call(Client.cancel_task, CancelTaskRequest),
        "push.create": call(Client.create_task_push_notification_config, TaskPushNotificationConfig),
        "push.get": call(Client.get_task_push_notification_config, GetTaskPushNotificationConfigRequest),
        "push.list": call(Client.list_task_push_notification_configs, ListTaskPushNotificationConfigsRequest),
        "push.delete": call(Client.delete_task_push_notification_config, DeleteTaskPushNotificationConfigRequest),
    },
    streams={
        "stream": stream(Client.send_message, SendMessageRequest),
        "subscribe": stream(Client.subscribe, SubscribeToTaskRequest),
    },
    surfaced=surfaced,
)

if __name__ == "__main__":
    asyncio.run(driver.serve())
