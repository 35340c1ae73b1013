"""The behaviours that ACTS expects of an agent, by keyword (docs/conventions.md), in the steps of skills.json.

They are not on the card. Their waits are never scaled.
"""

from typing import Any

from a2a.helpers import get_data_parts

from client_parse import read_by_client
from teller import Teller

BEGIN = {"do": "begin"}
WORKING = {"do": "status", "state": "working"}
COMPLETED = {"do": "status", "state": "completed"}
FILE = {"mediaType": "text/plain", "filename": "document.txt"}

Step = dict[str, Any]
Skill = dict[str, Any]


def result(part: dict[str, Any], **more: bool) -> Step:
    return {"do": "artifact", "name": "result", "parts": [part], **more}


def finished(part: dict[str, Any]) -> list[Step]:
    return [WORKING, result(part), COMPLETED]


def ends(state: str, text: str) -> Skill:
    return {"steps": [BEGIN, {"do": "status", "state": state, "text": text}]}


def works(seconds: int) -> Skill:
    wait = {"do": "wait", "seconds": seconds, "atLeast": seconds}
    return {"steps": [BEGIN, WORKING, wait, result({"text": "done"}), COMPLETED]}


def has(part: dict[str, Any]) -> Skill:
    return {"steps": [BEGIN, *finished(part)]}


def asks(state: str, text: str, then: list[Step]) -> Skill:
    return {**ends(state, text), "next": [{"steps": then}]}


# Ask without a text: an agent's texts become history, and CORE-HIST-005 counts the user's messages there.
WHAT_NEXT = {"do": "status", "state": "input-required"}
CHUNKS = [result({"text": f"Chunk {chunk}\n"}, append=chunk > 1, lastChunk=chunk == 3) for chunk in range(1, 4)]
THANKS = {**COMPLETED, "text": "[tck-input-required] Thank you."}

SKILLS: dict[str, Skill] = {
    "tck-complete-task": ends("completed", "[tck-complete-task] Done."),
    "tck-long-running": works(1),
    "tck-multi-turn": {
        "steps": [BEGIN, WHAT_NEXT],
        "next": [{"contains": "done", "steps": [COMPLETED]}, {"steps": [WHAT_NEXT]}],
    },
    "tck-stream-basic": has({"text": "[tck-stream-basic] One artifact."}),
    "tck-stream-chunked": {"steps": [BEGIN, WORKING, *CHUNKS, COMPLETED]},
    "tck-message-response": {"steps": [{"do": "message", "text": "[tck-message-response] A message, no task."}]},
    "tck-cancel": works(30),
    "tck-task-failure": ends("failed", "[tck-task-failure] This task fails on purpose."),
    "tck-auth-required": asks(
        "auth-required", "[tck-auth-required] Please log in.", finished({"text": "[tck-auth-required] Authorised."})
    ),
    "tck-artifact-text": has({"text": "[tck-artifact-text] Generated text."}),
    "tck-artifact-data": has({"data": {"key": "value", "count": 42}}),
    "tck-artifact-file": has({"raw": "QSBkb2N1bWVudC4K", **FILE}),
    "tck-artifact-file-url": has({"url": "https://example.com/document.txt", **FILE}),
    "tck-input-required": asks("input-required", "[tck-input-required] What next?", [THANKS]),
    "tck-reject-task": ends("rejected", "[tck-reject-task] This agent declines the task."),
    "tck-client-parse": {"steps": [BEGIN, {"do": "client-parse"}, COMPLETED]},
}


async def client_parse(tell: Teller) -> None:
    request = next(iter(get_data_parts(tell.asked.parts)), {})
    await tell.artifact("parsed", [{"data": await read_by_client(request)}], append=False, last_chunk=True)


STEPS = {"client-parse": client_parse}
