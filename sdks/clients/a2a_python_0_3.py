"""The client of the Python SDK a2a-sdk 0.3.26 as a command for `assay client`.

    python a2a_python_0_3.py [binding]     the one to use; else any that the SDK has
"""

import sys
from uuid import uuid4

import grpc
import httpx
from a2a.client import ClientConfig, ClientFactory
from a2a.client.transports.grpc import GrpcTransport
from a2a.types import (
    Message,
    MessageSendConfiguration,
    Part,
    PushNotificationConfig,
    Role,
    TaskIdParams,
    TaskPushNotificationConfig,
    TaskQueryParams,
    TextPart,
)
from perform import NotOffered, perform


def text_of(parts: list[Part]) -> str:
    return "".join(part.root.text for part in parts if isinstance(part.root, TextPart))


def shown_task(task) -> dict:
    said = task.status.message
    return {
        "task_id": task.id,
        "context_id": task.context_id,
        "state": task.status.state.value,
        "text": text_of(said.parts) if said else "",
        "pieces": [
            {"id": each.artifact_id, "text": text_of(each.parts), "append": False} for each in task.artifacts or []
        ],
    }


def shown(given) -> dict:
    """Returns a message, or the task that the SDK has assembled so far."""
    return {"text": text_of(given.parts)} if isinstance(given, Message) else shown_task(given[0])


class Sdk:
    """The calls that the actions of perform.py need, in terms of the SDK's public methods."""

    def __init__(self, url: str, bearer: str | None, extensions: str | None) -> None:
        self.bearer = bearer
        headers = {"Authorization": f"Bearer {bearer}"} if bearer else {}
        self.url = url
        self.extensions = extensions.split(",") if extensions else None
        self.http = httpx.AsyncClient(timeout=30, headers=headers)
        self.clients = {}

    async def client(self, streaming: bool = False):
        if streaming not in self.clients:
            config = ClientConfig(
                # The SDK has one method for both ways of sending, and chooses by this setting.
                streaming=streaming,
                httpx_client=self.http,
                grpc_channel_factory=grpc.aio.insecure_channel,
                supported_transports=sys.argv[1:] or ["JSONRPC", "HTTP+JSON", "GRPC"],
            )
            client = await ClientFactory.connect(self.url, config, extensions=self.extensions)
            # Over gRPC the SDK does not send credentials: it ignores interceptors and the context of a call.
            if self.bearer and isinstance(client._transport, GrpcTransport):
                raise NotOffered
            self.clients[streaming] = client
        return self.clients[streaming]

    @staticmethod
    def message(text, task_id=None, context_id=None, refers_to=None, metadata=None) -> Message:
        parts = [Part(root=TextPart(text=text, metadata=metadata))]
        ids = {"task_id": task_id, "context_id": context_id, "reference_task_ids": refers_to}
        return Message(message_id=str(uuid4()), role=Role.user, parts=parts, **ids)

    async def send(self, text: str, wait: bool = True, **more) -> dict:
        client = await self.client()
        how = None if wait else MessageSendConfiguration(blocking=False)
        events = client.send_message(self.message(text, **more), configuration=how)
        return shown([event async for event in events][-1])

    async def stream(self, text: str):
        client = await self.client(streaming=True)
        async for event in client.send_message(self.message(text)):
            yield shown(event)

    async def subscribe(self, task: str):
        async for event in (await self.client(streaming=True)).resubscribe(TaskIdParams(id=task)):
            yield shown(event)

    async def get(self, task: str) -> dict:
        return shown_task(await (await self.client()).get_task(TaskQueryParams(id=task)))

    async def cancel(self, task: str) -> dict:
        return shown_task(await (await self.client()).cancel_task(TaskIdParams(id=task)))

    async def push(self, task: str, config: dict) -> None:
        asked = TaskPushNotificationConfig(task_id=task, push_notification_config=PushNotificationConfig(**config))
        await (await self.client()).set_task_callback(asked)

    async def extended_card(self) -> dict:
        return {"text": (await (await self.client()).get_card()).name}


perform(Sdk)
