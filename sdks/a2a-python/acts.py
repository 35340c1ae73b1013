"""What ACTS asks of an agent under test, by the first word (docs/conventions.md). They are no skills of the card."""

import asyncio
import re

from a2a.helpers import get_data_parts, new_data_part, new_raw_part, new_url_part
from a2a.types import Part, TaskState

from client_parse import read_by_client
from teller import Skill, Teller

DOCUMENT = {"media_type": "text/plain", "filename": "document.txt"}


def finished(part: Part) -> Skill:
    async def behaviour(tell: Teller, _words: str) -> None:
        await tell.begin()
        await tell.status(TaskState.TASK_STATE_WORKING)
        await tell.artifact("result", part)
        await tell.status(TaskState.TASK_STATE_COMPLETED)

    return behaviour


def ends(state: TaskState, text: str) -> Skill:
    async def behaviour(tell: Teller, _words: str) -> None:
        await tell.begin()
        await tell.status(state, text)

    return behaviour


def works(seconds: int) -> Skill:
    async def behaviour(tell: Teller, _words: str) -> None:
        await tell.begin()
        await tell.status(TaskState.TASK_STATE_WORKING)
        await asyncio.sleep(seconds)  # A cancellation ends it here, and Skills.cancel says so.
        await tell.artifact("result", Part(text="done"))
        await tell.status(TaskState.TASK_STATE_COMPLETED)

    return behaviour


async def multi_turn(tell: Teller, words: str) -> None:
    await tell.begin()
    is_done = re.match(r"\s*done\b", words, re.IGNORECASE)
    # It asks without words: an agent's words become history, and CORE-HIST-005 counts the user's messages there.
    await tell.status(TaskState.TASK_STATE_COMPLETED if is_done else TaskState.TASK_STATE_INPUT_REQUIRED)


async def input_required(tell: Teller, _words: str) -> None:
    if await tell.begin():
        return await tell.status(TaskState.TASK_STATE_INPUT_REQUIRED, "[tck-input-required] What next?")
    await tell.status(TaskState.TASK_STATE_COMPLETED, "[tck-input-required] Thank you.")


async def auth_required(tell: Teller, words: str) -> None:
    if await tell.begin():
        return await tell.status(TaskState.TASK_STATE_AUTH_REQUIRED, "[tck-auth-required] Please log in.")
    await finished(Part(text="[tck-auth-required] Authorised."))(tell, words)


async def stream_chunked(tell: Teller, _words: str) -> None:
    await tell.begin()
    await tell.status(TaskState.TASK_STATE_WORKING)
    for chunk in range(1, 4):
        await tell.artifact("result", Part(text=f"Chunk {chunk}\n"), append=chunk > 1, last_chunk=chunk == 3)
    await tell.status(TaskState.TASK_STATE_COMPLETED)


async def message_response(tell: Teller, _words: str) -> None:
    await tell.message("[tck-message-response] A message, no task.")


async def client_parse(tell: Teller, _words: str) -> None:
    await tell.begin()
    request = next(iter(get_data_parts(tell.asked.parts)), {})
    await tell.artifact("parsed", new_data_part(await read_by_client(request)))
    await tell.status(TaskState.TASK_STATE_COMPLETED)


BEHAVIOURS: dict[str, Skill] = {
    "tck-complete-task": ends(TaskState.TASK_STATE_COMPLETED, "[tck-complete-task] Done."),
    "tck-long-running": works(1),
    "tck-multi-turn": multi_turn,
    "tck-stream-basic": finished(Part(text="[tck-stream-basic] One artifact.")),
    "tck-stream-chunked": stream_chunked,
    "tck-message-response": message_response,
    "tck-cancel": works(30),
    "tck-task-failure": ends(TaskState.TASK_STATE_FAILED, "[tck-task-failure] This task fails on purpose."),
    "tck-auth-required": auth_required,
    "tck-artifact-text": finished(Part(text="[tck-artifact-text] Generated text.")),
    "tck-artifact-data": finished(new_data_part({"key": "value", "count": 42})),
    "tck-artifact-file": finished(new_raw_part(b"A document.\n", **DOCUMENT)),
    "tck-artifact-file-url": finished(new_url_part("https://example.com/document.txt", **DOCUMENT)),
    "tck-input-required": input_required,
    "tck-reject-task": ends(TaskState.TASK_STATE_REJECTED, "[tck-reject-task] This agent declines the task."),
    "tck-client-parse": client_parse,
}

# Behaviours that a later message goes on with.
GO_ON = (multi_turn, input_required, auth_required)
