"""Publishes the events of a skill's task through a2a-sdk 0.3."""

import asyncio
from typing import Any
from uuid import uuid4

import grpc
import httpx
from a2a.client import ClientConfig, ClientFactory
from a2a.server.agent_execution import RequestContext
from a2a.server.events import EventQueue
from a2a.server.tasks import TaskUpdater
from a2a.types import (
    DataPart,
    FilePart,
    FileWithBytes,
    Message,
    Part,
    Role,
    TaskQueryParams,
    TaskState,
    TextPart,
    TransportProtocol,
)
from a2a.utils import get_text_parts, new_agent_text_message, new_task

AT_WORK = (TaskState.submitted, TaskState.working)
# These states end the turn, and the agent has to mark them. The SDK knows that terminal states do.
INTERRUPTED = (TaskState.input_required, TaskState.auth_required)


def content(part: dict[str, Any]) -> Part:
    match part:
        case {"text": text}:
            return Part(root=TextPart(text=text))
        case {"data": data}:
            return Part(root=DataPart(data=data))
        case {"raw": raw, "filename": name, "mediaType": media_type}:
            return Part(root=FilePart(file=FileWithBytes(bytes=raw, mime_type=media_type, name=name)))
    raise ValueError(f"no such part: {part}")


class Teller:
    def __init__(self, context: RequestContext, event_queue: EventQueue) -> None:
        self._context = context
        self._queue = event_queue
        self._updater = TaskUpdater(event_queue, context.task_id or "", context.context_id or "")

    @property
    def task_id(self) -> str:
        return self._context.task_id

    @property
    def continues(self) -> bool:
        return self._context.current_task is not None

    @property
    def text(self) -> str:
        return next(iter(get_text_parts(self._context.message.parts)), "")

    async def message(self, text: str) -> None:
        await self._queue.enqueue_event(new_agent_text_message(text, context_id=self._context.context_id))

    async def begin(self) -> None:
        await self._queue.enqueue_event(new_task(self._context.message))

    async def status(self, state: str, text: str | None = None, metadata: dict[str, Any] | None = None) -> None:
        words = None if text is None else self._updater.new_agent_message([content({"text": text})])
        now = TaskState(state)
        await self._updater.update_status(now, words, final=now in INTERRUPTED, metadata=metadata)

    async def artifact(self, name: str, parts: list[dict[str, Any]], *, append: bool, last_chunk: bool) -> None:
        contents = [content(part) for part in parts]
        await self._updater.add_artifact(contents, artifact_id=name, name=name, append=append, last_chunk=last_chunk)

    async def ask(self, card_url: str, text: str) -> list[str]:
        async with httpx.AsyncClient(timeout=30) as http:
            config = ClientConfig(
                streaming=False,
                httpx_client=http,
                supported_transports=list(TransportProtocol),
                grpc_channel_factory=grpc.aio.insecure_channel,
            )
            client = await ClientFactory.connect(card_url, config)
            message = Message(message_id=str(uuid4()), role=Role.user, parts=[content({"text": text})])
            [answer] = [answer async for answer in client.send_message(message)]
            if isinstance(answer, Message):
                return get_text_parts(answer.parts)
            task, _ = answer
            while task.status.state in AT_WORK:
                await asyncio.sleep(0.1)
                task = await client.get_task(TaskQueryParams(id=task.id))
        parts = [part for artifact in task.artifacts or [] for part in artifact.parts]
        return get_text_parts([*parts, *(task.status.message.parts if task.status.message else [])])
