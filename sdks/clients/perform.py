"""Shared by the programs around clients of the Python SDK; the same as perform.mjs."""

import asyncio
import contextlib
import io
import json
import os
import sys

DECLINED = 75
ENDED = ("completed", "failed", "canceled", "rejected")


class NotOffered(Exception):
    """The SDK cannot perform the action, so the program declines the situation."""


async def ended(sdk, answer: dict) -> dict:
    """Polls a task until it ends or needs input."""
    while answer.get("task_id") and answer.get("state") and answer["state"] not in (*ENDED, "input-required"):
        await asyncio.sleep(0.3)
        answer = await sdk.get(answer["task_id"])
    return answer


async def followed(sdk, stream, tries: int = 3) -> dict:
    """Reads a stream to its end, and subscribes again if it breaks. Events that the SDK lost stay lost."""
    seen, pieces = {}, {}
    while True:
        try:
            async for event in stream:
                for piece in event.pop("pieces", []):
                    before = pieces.get(piece["id"], "") if piece["append"] else ""
                    pieces[piece["id"]] = before + piece["text"]
                seen |= event
            return {**seen, "pieces": [{"id": id, "text": text} for id, text in pieces.items()]}
        except Exception:
            tries -= 1
            if not seen.get("task_id") or tries == 0:
                raise
            stream = sdk.subscribe(seen["task_id"])


async def send(sdk, text, task):
    return await ended(sdk, await sdk.send(text))


async def stream(sdk, text, task):
    return await followed(sdk, sdk.stream(text))


async def subscribe(sdk, text, task):
    return await followed(sdk, sdk.subscribe(task))


async def list_all(sdk, text, task):
    ids, token = await sdk.list("")
    while token:
        more, token = await sdk.list(token)
        ids += more
    return {"text": "\n".join(ids)}


async def repeat(sdk, text, task):
    await sdk.send(text)
    return await sdk.send(text)


async def follow(sdk, text, task):
    return await ended(sdk, await sdk.send(text, wait=False))


async def converse(sdk, text, task):
    asked = await sdk.send(text)
    return await sdk.send(os.environ["ASSAY_REPLY"], task_id=asked["task_id"], context_id=asked["context_id"])


async def refine(sdk, text, task):
    first = await sdk.send(text)
    meant = {"taskId": first["task_id"], "artifactId": first["pieces"][0]["id"]}
    more = {"context_id": first["context_id"], "refers_to": [first["task_id"]], "metadata": meant}
    return await sdk.send(os.environ["ASSAY_REPLY"], **more)


ACTS = {
    "send": send,
    "stream": stream,
    "subscribe": subscribe,
    "list": list_all,
    "repeat": repeat,
    "follow": follow,
    "converse": converse,
    "refine": refine,
    "get": lambda sdk, text, task: sdk.get(task),
    "cancel": lambda sdk, text, task: sdk.cancel(task),
    "extended-card": lambda sdk, text, task: sdk.extended_card(),
}


def perform(connect) -> None:
    """Performs ASSAY_ACTION and ends the process. With --stdin, performs the action of each line."""
    if "--stdin" not in sys.argv:
        perform_once(connect)
    sys.argv.remove("--stdin")
    for line in sys.stdin:
        told = json.loads(line)
        for name in [name for name in os.environ if name.startswith("ASSAY_")]:
            del os.environ[name]
        os.environ.update(told["environment"])
        output, code = io.StringIO(), 0
        with contextlib.redirect_stdout(output):
            try:
                perform_once(connect)
            except SystemExit as end:
                code = end.code
        exit, errors = (code, "") if isinstance(code, int) else (1, str(code))
        print(json.dumps({"id": told["id"], "exit": exit, "output": output.getvalue(), "errors": errors}), flush=True)


def perform_once(connect) -> None:
    """Performs ASSAY_ACTION with the SDK that `connect` wraps, and exits."""
    env = os.environ
    if "ASSAY_VERSION" in env:
        # The SDK uses any version on the card, and has no option for a single one.
        sys.exit(DECLINED)
    act = ACTS.get(env.get("ASSAY_ACTION", "send"))
    if act is None:
        sys.exit(DECLINED)

    async def run() -> dict:
        sdk = connect(env["ASSAY_AGENT_URL"], env.get("ASSAY_BEARER"), env.get("ASSAY_EXTENSIONS"))
        return await act(sdk, env.get("ASSAY_MESSAGE", "hello"), env.get("ASSAY_TASK"))

    try:
        shown = asyncio.run(run())
    except NotOffered:
        sys.exit(DECLINED)
    except Exception as error:  # noqa: BLE001: every error of the SDK is reported
        sys.exit(f"{type(error).__name__}: {' '.join(str(error).split())}")
    texts = [shown.get("state"), *(piece["text"] for piece in shown.get("pieces", [])), shown.get("text")]
    print("\n".join(text for text in texts if text))
    sys.exit(1 if shown.get("state") in ("failed", "rejected") else 0)
