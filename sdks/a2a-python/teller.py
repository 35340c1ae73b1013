"""Publishes the events of a skill's task through a2a-sdk 1.x."""

import asyncio
import base64
from typing import Any

import grpc
import httpx
from a2a.client import ClientConfig, ClientFactory
from a2a.helpers import get_text_parts, new_data_part, new_raw_part, new_text_message, new_url_part
from a2a.server.agent_execution import RequestContext
from a2a.server.events import EventQueue
from a2a.server.tasks import TaskUpdater
from a2a.types import GetTaskRequest, Message, Part, Role, SendMessageRequest, Task, TaskState, TaskStatus

AT_WORK = (TaskState.TASK_STATE_SUBMITTED, TaskState.TASK_STATE_WORKING)


def state_named(name: str) -> TaskState:
    return TaskState.Value(f"TASK_STATE_{name.upper().replace('-', '_')}")


def content(part: dict[str, Any]) -> Part:
    match part:
        case {"text": text}:
            return Part(text=text)
        case {"data": data}:
            return new_data_part(data)
        case {"raw": raw, "filename": filename, "mediaType": media_type}:
            return new_raw_part(base64.b64decode(raw), media_type=media_type, filename=filename)
        case {"url": url, "filename": filename, "mediaType": media_type}:
            return new_url_part(url, media_type=media_type, filename=filename)
    raise ValueError(f"no such part: {part}")


class Teller:
    def __init__(self, context: RequestContext, event_queue: EventQueue) -> None:
        self._context = context
        self._queue = event_queue
        self._updater = TaskUpdater(event_queue, context.task_id or "", context.context_id or "")

    @property
    def asked(self) -> Message:
        """The message that the skill answers."""
        return self._context.message

    @property
    def task_id(self) -> str:
        return self._context.task_id

    @property
    def continues(self) -> bool:
        return self._context.current_task is not None

    @property
    def text(self) -> str:
        return next(iter(get_text_parts(self.asked.parts)), "")

    async def message(self, text: str) -> None:
        await self._queue.enqueue_event(new_text_message(text, context_id=self._context.context_id))

    async def begin(self) -> None:
        status = TaskStatus(state=TaskState.TASK_STATE_SUBMITTED)
        ids = {"id": self._context.task_id, "context_id": self._context.context_id}
        await self._queue.enqueue_event(Task(**ids, status=status, history=[self.asked]))

    async def status(self, state: str, text: str | None = None, metadata: dict[str, Any] | None = None) -> None:
        words = None if text is None else self._updater.new_agent_message([Part(text=text)])
        await self._updater.update_status(state_named(state), words, metadata=metadata)

    async def artifact(self, name: str, parts: list[dict[str, Any]], *, append: bool, last_chunk: bool) -> None:
        contents = [content(part) for part in parts]
        await self._updater.add_artifact(contents, artifact_id=name, name=name, append=append, last_chunk=last_chunk)

    async def ask(self, card_url: str, text: str) -> list[str]:
        async with httpx.AsyncClient(timeout=30) as http:
            config = ClientConfig(
                streaming=False,
                httpx_client=http,
                supported_protocol_bindings=["JSONRPC", "HTTP+JSON", "GRPC"],
                grpc_channel_factory=grpc.aio.insecure_channel,
            )
            client = await ClientFactory(config).create_from_url(card_url)
            request = SendMessageRequest(message=new_text_message(text, role=Role.ROLE_USER))
            [answer] = [answer async for answer in client.send_message(request)]
            if answer.HasField("message"):
                return get_text_parts(answer.message.parts)
            task = answer.task
            while task.status.state in AT_WORK:
                await asyncio.sleep(0.1)
                task = await client.get_task(GetTaskRequest(id=task.id))
        parts = [part for artifact in task.artifacts for part in artifact.parts]
        return get_text_parts([*parts, *task.status.message.parts])
