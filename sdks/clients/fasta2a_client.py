"""A2AClient of FastA2A (Pydantic AI). It reads no card by default, so this sends, and polls the task until it ends."""

import asyncio
from uuid import uuid4

from fasta2a.client import A2AClient
from framework import serve, texts_in

WAITS = ("submitted", "working", "TASK_STATE_SUBMITTED", "TASK_STATE_WORKING")


def message_of(text: str) -> dict:
    return {"role": "user", "message_id": str(uuid4()), "parts": [{"text": text}]}


async def send(url: str, text: str) -> str:
    client = A2AClient(url)
    response = await client.send_message(message_of(text))
    for _ in range(60):
        if "error" in response:
            raise RuntimeError(response["error"])
        result = response["result"]
        task = result.get("task", result)
        if task.get("status", {}).get("state") not in WAITS:
            break
        await asyncio.sleep(0.3)
        response = await client.get_task(task["id"])
    return texts_in([result])


async def stream(url: str, text: str) -> str:
    events = A2AClient(url).stream_message(message_of(text))
    return texts_in([event.get("result", event) async for event in events])


serve(send=send, stream=stream)
