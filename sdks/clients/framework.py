"""Shared by the programs around clients of Python frameworks.

They read situations from stdin (docs/clients.md) and answer each with one line. A program gives `serve` a function for
each action. The function gets the address, the text and the rest of the environment, and returns the result that the
framework returns to its caller. It raises the framework's errors. Actions without a function are declined.
"""

import asyncio
import contextlib
import inspect
import io
import json
import sys

DECLINED = 75


def texts_in(results: list[dict]) -> str:
    """Returns the state and all texts in A2A's JSON of any version, with the chunks of an artifact joined."""
    state, texts, artifacts = "", [], {}
    for result in results:
        given = next((result[key] for key in ("task", "message", "statusUpdate", "artifactUpdate") if key in result), result)
        for artifact in [*(given.get("artifacts") or []), *([given["artifact"]] if given.get("artifact") else [])]:
            name = artifact.get("artifactId") or artifact.get("artifact_id")
            before = artifacts.get(name, "") if given.get("append") else ""
            artifacts[name] = before + text_of(artifact)
        status = given.get("status") or {}
        state = status.get("state") or state
        texts += [text_of(status.get("message") or {}), text_of(given)]
    return "\n".join(text for text in [str(state), *artifacts.values(), *texts] if text)


def text_of(holder: dict) -> str:
    return "".join(part.get("text") or "" for part in holder.get("parts") or [])


async def answer(acts, told: dict) -> tuple[int, str, str]:
    act = acts.get(told["ASSAY_ACTION"])
    if act is None or "ASSAY_VERSION" in told:
        return DECLINED, "", ""
    if "ASSAY_BEARER" in told and "bearer" not in inspect.signature(act).parameters:
        return DECLINED, "", ""
    if "ASSAY_EXTENSIONS" in told and "extensions" not in inspect.signature(act).parameters:
        return DECLINED, "", ""
    given = {
        "url": told["ASSAY_AGENT_URL"],
        "text": told.get("ASSAY_MESSAGE", ""),
        "reply": told.get("ASSAY_REPLY"),
        "bearer": told.get("ASSAY_BEARER"),
        "extensions": told.get("ASSAY_EXTENSIONS"),
    }
    wanted = inspect.signature(act).parameters
    try:
        shown = act(**{name: value for name, value in given.items() if name in wanted})
        shown = await shown if inspect.isawaitable(shown) else shown
        return 0, str(shown), ""
    except Exception as error:  # noqa: BLE001: every error of the framework is reported
        return 1, "", f"{type(error).__name__}: {' '.join(str(error).split())}"


def serve(**acts) -> None:
    """Answers each line of stdin. `extended_card` is the action extended-card."""
    for line in sys.stdin:
        told = json.loads(line)
        noise = io.StringIO()
        with contextlib.redirect_stdout(noise), contextlib.redirect_stderr(noise):
            exit_code, output, errors = asyncio.run(answer(acts, told["environment"]))
        print(json.dumps({"id": told["id"], "exit": exit_code, "output": output, "errors": errors}), flush=True)
