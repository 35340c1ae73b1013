"""The client of a2a-sdk 0.3 behind stdin and stdout (docs/drivers.md)."""

import asyncio
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import grpc
import httpx
from a2a.client import A2ACardResolver, Client, ClientConfig, ClientFactory
from a2a.client.errors import A2AClientHTTPError, A2AClientJSONRPCError
from a2a.client.middleware import ClientCallContext
from a2a.types import (
    GetTaskPushNotificationConfigParams,
    Message,
    MessageSendParams,
    TaskIdParams,
    TaskPushNotificationConfig,
    TaskQueryParams,
)
from pydantic import BaseModel, ValidationError

sys.path.append(str(Path(__file__).parents[1] / "python"))

from assay_driver.lines import Call, Driver, Json, Malformed, Unsupported

clients: dict[tuple[str, str, bool], Client] = {}


def shown(value: BaseModel) -> Json:
    return value.model_dump(mode="json", exclude_none=True, by_alias=True)


async def find_card(target: Json, http: httpx.AsyncClient) -> Any:
    return await A2ACardResolver(http, target["card"]).get_agent_card(http_kwargs={"headers": target["headers"]})


async def client_for(target: Json, *, streaming: bool = True) -> Client:
    """The SDK has one method for both ways of sending, and chooses by the client's configuration."""
    if target["binding"] == "GRPC" and target["headers"]:
        raise Unsupported("The SDK sends no headers over gRPC but those of extensions.")
    key = (target["card"], target["binding"], streaming)
    if key not in clients:
        # The default timeout of httpx, 5 s, is too short for a busy machine, which is not the SDK's fault.
        http = httpx.AsyncClient(timeout=30)
        config = ClientConfig(
            streaming=streaming,
            httpx_client=http,
            supported_transports=[target["binding"]],
            grpc_channel_factory=grpc.aio.insecure_channel,
        )
        clients[key] = ClientFactory(config).create(await find_card(target, http))
    return clients[key]


def context_of(target: Json) -> ClientCallContext:
    return ClientCallContext(state={"http_kwargs": {"headers": target["headers"]}} if target["headers"] else {})


def read(kind: type[BaseModel], params: Json) -> Any:
    try:
        return kind.model_validate(params)
    except ValidationError as error:
        raise Malformed(str(error)) from error


def call(method: Any, kind: type[BaseModel]) -> Call:
    async def answer(target: Json, params: Json) -> Json:
        client, request = await client_for(target), read(kind, params)
        return shown(await getattr(client, method.__name__)(request, context=context_of(target)))

    return answer


def event_of(given: Any) -> Json:
    """With an update, the SDK also returns the task that it has assembled so far."""
    return shown(given if isinstance(given, Message) else given[1] or given[0])


async def sent(target: Json, params: Json, *, streaming: bool) -> AsyncIterator[Json]:
    client, request = await client_for(target, streaming=streaming), read(MessageSendParams, params)
    answers = client.send_message(
        request.message,
        configuration=request.configuration,
        request_metadata=request.metadata,
        context=context_of(target),
    )
    async for answer in answers:
        yield event_of(answer)


async def send(target: Json, params: Json) -> Json:
    [answer] = [answer async for answer in sent(target, params, streaming=False)]
    return answer


def stream(target: Json, params: Json) -> AsyncIterator[Json]:
    return sent(target, params, streaming=True)


async def subscribe(target: Json, params: Json) -> AsyncIterator[Json]:
    client, request = await client_for(target), read(TaskIdParams, params)
    async for event in client.resubscribe(request, context=context_of(target)):
        yield event_of(event)


async def card(target: Json, _params: Json) -> Json:
    async with httpx.AsyncClient() as http:
        return shown(await find_card(target, http))


async def extended_card(target: Json, _params: Json) -> Json:
    return shown(await (await client_for(target)).get_card(context=context_of(target)))


def surfaced(error: Exception) -> Json:
    """Returns the agent's error by its JSON-RPC code. Other bindings only have a status."""
    match error:
        case A2AClientJSONRPCError():
            return {"kind": "protocol", "type": type(error.error).__name__, "code": error.error.code}
        case A2AClientHTTPError():
            return {"kind": "transport", "type": "A2AClientHTTPError", "code": error.status_code}
        case grpc.aio.AioRpcError():
            return {"kind": "transport", "type": error.code().name, "code": error.code().value[0]}
    return {"kind": "transport", "type": type(error).__name__}


driver = Driver(
    model="0.3",
    calls={
        "card": card,
        "extendedCard": extended_card,
        "send": send,
        "get": call(Client.get_task, TaskQueryParams),
        "cancel": call(Client.cancel_task, TaskIdParams),
        "push.create": call(Client.set_task_callback, TaskPushNotificationConfig),
        "push.get": call(Client.get_task_callback, GetTaskPushNotificationConfigParams),
    },
    streams={"stream": stream, "subscribe": subscribe},
    surfaced=surfaced,
)

if __name__ == "__main__":
    asyncio.run(driver.serve())
