"""The client of the Python SDK a2a-sdk 1.3.0 as a command for `assay client`.

    python a2a_python.py [binding]     the one to use; else the SDK's default
"""

import sys
from uuid import uuid4

import grpc
import httpx
from a2a.client import ClientCallContext, ClientConfig, ClientFactory
from a2a.types import (
    CancelTaskRequest,
    GetExtendedAgentCardRequest,
    GetTaskRequest,
    ListTasksRequest,
    SendMessageRequest,
    SubscribeToTaskRequest,
    TaskPushNotificationConfig,
)
from google.protobuf.json_format import MessageToDict, ParseDict
from perform import perform


def word_of(state: str) -> str:
    """Returns the name of a state in the other programs: TASK_STATE_INPUT_REQUIRED is "input-required"."""
    return state.removeprefix("TASK_STATE_").lower().replace("_", "-")


def text_of(parts: list[dict]) -> str:
    return "".join(part.get("text", "") for part in parts)


def pieces_of(artifacts: list[dict], append: bool = False) -> list[dict]:
    return [{"id": each["artifactId"], "text": text_of(each.get("parts", [])), "append": append} for each in artifacts]


def shown_task(task) -> dict:
    given = MessageToDict(task)
    return {
        "task_id": given.get("id"),
        "context_id": given.get("contextId"),
        "state": word_of(given.get("status", {}).get("state", "")),
        "text": text_of(given.get("status", {}).get("message", {}).get("parts", [])),
        "pieces": pieces_of(given.get("artifacts", [])),
    }


def shown_event(event) -> dict:
    if event.HasField("task"):
        return shown_task(event.task)
    given = MessageToDict(event)
    if "message" in given:
        return {"text": text_of(given["message"].get("parts", []))}
    update = given.get("statusUpdate") or given["artifactUpdate"]
    ids = {"task_id": update.get("taskId"), "context_id": update.get("contextId")}
    if "artifact" in update:
        return {**ids, "pieces": pieces_of([update["artifact"]], update.get("append", False))}
    status = update["status"]
    return {**ids, "state": word_of(status["state"]), "text": text_of(status.get("message", {}).get("parts", []))}


class Sdk:
    """The calls that the actions of perform.py need, in terms of the SDK's public methods."""

    def __init__(self, url: str, bearer: str | None, extensions: str | None) -> None:
        headers = {"Authorization": f"Bearer {bearer}"} if bearer else {}
        headers |= {"A2A-Extensions": extensions} if extensions else {}
        self.url = url
        self.context = ClientCallContext(service_parameters=headers or None)
        self.clients = {}

    async def client(self, streaming: bool = False):
        if streaming not in self.clients:
            config = ClientConfig(
                # The SDK has one method for both ways of sending, and chooses by this setting.
                streaming=streaming,
                httpx_client=httpx.AsyncClient(timeout=30),
                grpc_channel_factory=grpc.aio.insecure_channel,
                supported_protocol_bindings=sys.argv[1:] or ["JSONRPC", "HTTP+JSON", "GRPC"],
            )
            self.clients[streaming] = await ClientFactory(config).create_from_url(self.url)
        return self.clients[streaming]

    @staticmethod
    def request(text, task_id=None, context_id=None, refers_to=(), metadata=None, wait=True) -> SendMessageRequest:
        ids = {"taskId": task_id, "contextId": context_id, "referenceTaskIds": list(refers_to)}
        part = {"metadata": metadata} if metadata else {}
        given = {name: value for name, value in ids.items() if value}
        message = {"messageId": str(uuid4()), "role": "ROLE_USER", "parts": [{"text": text, **part}], **given}
        configuration = {} if wait else {"configuration": {"returnImmediately": True}}
        return ParseDict({"message": message, **configuration}, SendMessageRequest())

    async def send(self, text: str, **more) -> dict:
        client = await self.client()
        events = [event async for event in client.send_message(self.request(text, **more), context=self.context)]
        return shown_event(events[-1])

    async def stream(self, text: str):
        client = await self.client(streaming=True)
        async for event in client.send_message(self.request(text), context=self.context):
            yield shown_event(event)

    async def subscribe(self, task: str):
        client = await self.client(streaming=True)
        async for event in client.subscribe(SubscribeToTaskRequest(id=task), context=self.context):
            yield shown_event(event)

    async def get(self, task: str) -> dict:
        return shown_task(await (await self.client()).get_task(GetTaskRequest(id=task), context=self.context))

    async def cancel(self, task: str) -> dict:
        return shown_task(await (await self.client()).cancel_task(CancelTaskRequest(id=task), context=self.context))

    async def list(self, token: str) -> tuple[list[str], str]:
        asked = ListTasksRequest(page_token=token, page_size=2)
        page = await (await self.client()).list_tasks(asked, context=self.context)
        return [task.id for task in page.tasks], page.next_page_token

    async def push(self, task: str, config: dict) -> None:
        asked = ParseDict({"taskId": task, **config}, TaskPushNotificationConfig())
        await (await self.client()).create_task_push_notification_config(asked, context=self.context)

    async def extended_card(self) -> dict:
        client = await self.client()
        card = await client.get_extended_agent_card(GetExtendedAgentCardRequest(), context=self.context)
        return {"text": card.name}


perform(Sdk)
