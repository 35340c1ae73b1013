"""The client of the official Python SDK for 0.3 on one agent, over one binding; prints what the SDK gave back as JSON.

    python client_0_3.py <url of the agent> <JSONRPC, HTTP+JSON or GRPC>
"""

import asyncio
import json
import sys
from uuid import uuid4

import grpc
import httpx
from a2a.client import A2ACardResolver, Client, ClientConfig, ClientFactory
from a2a.types import Message, Part, Role, Task, TaskIdParams, TaskQueryParams, TextPart


def say(text: str, task: Task | None = None) -> Message:
    return Message(
        message_id=str(uuid4()),
        role=Role.user,
        parts=[Part(root=TextPart(text=text))],
        task_id=task.id if task else None,
        context_id=task.context_id if task else None,
    )


def shown(value) -> object:
    return value.model_dump(mode="json", exclude_none=True)


async def stream(client: Client, text: str) -> list[object]:
    """Each event; with an update, the SDK hands out the task it has made of them so far as well."""
    return [
        shown(event if isinstance(event, Message) else event[1] or event[0])
        async for event in client.send_message(say(text))
    ]


async def send(client: Client, message: Message) -> Message | Task:
    [answer] = [answer async for answer in client.send_message(message)]
    return answer if isinstance(answer, Message) else answer[0]


async def refused(work) -> str:
    try:
        await work
    except grpc.aio.AioRpcError as error:
        return f"{error.code().name} {error.details()}"
    except Exception as error:  # noqa: BLE001: whatever the SDK raises is what is asked for
        return str(error)
    return "it was served"


async def tell(url: str, binding: str) -> dict[str, object]:
    async with httpx.AsyncClient(timeout=20) as http:
        card = await A2ACardResolver(http, url).get_agent_card()

        def connect(**more: bool) -> Client:
            config = ClientConfig(
                httpx_client=http,
                grpc_channel_factory=grpc.aio.insecure_channel,
                supported_transports=[binding],
                **more,
            )
            return ClientFactory(config).create(card)

        streaming, waiting, polling = connect(), connect(streaming=False), connect(streaming=False, polling=True)
        task = await send(waiting, say("task-lifecycle it"))
        asked = await send(waiting, say("multi-turn go"))
        started = await send(polling, say("task-cancel go"))
        told = {
            "card": shown(card),
            "message": shown(await send(waiting, say("message-only hi"))),
            "task": shown(task),
            "again": shown(await waiting.get_task(TaskQueryParams(id=task.id))),
            "stream": await stream(streaming, "streaming hi"),
            "asked": shown(asked),
            "answered": shown(await send(waiting, say("done", asked))),
            "started": shown(started),
            "canceled": shown(await waiting.cancel_task(TaskIdParams(id=started.id))),
            "unknown": await refused(waiting.get_task(TaskQueryParams(id=str(uuid4())))),
            "finished": await refused(waiting.cancel_task(TaskIdParams(id=task.id))),
        }
        for client in (streaming, waiting, polling):
            await client.close()
        return told


if __name__ == "__main__":
    print(json.dumps(asyncio.run(tell(*sys.argv[1:]))))
