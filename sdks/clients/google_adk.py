"""RemoteA2aAgent of Google's Agent Development Kit, as an agent of its own in a runner.

    python google_adk.py [--new]     with use_legacy=False, the newer way of reading answers
"""

import json
import sys

from framework import serve
from google.adk.agents.remote_a2a_agent import RemoteA2aAgent
from google.adk.runners import InMemoryRunner
from google.genai.types import Content, Part

USER = "user"


async def told(runner, session, text: str) -> str:
    """The texts and the calls of all whole events, one after the other: what a user of the runner sees."""
    shown = []
    message = Content(role="user", parts=[Part(text=text)])
    async for event in runner.run_async(user_id=USER, session_id=session.id, new_message=message):
        if event.error_message:
            raise RuntimeError(event.error_message)
        for part in (event.content and event.content.parts) or []:
            if part.text and not part.thought and not event.partial:
                shown.append(part.text)
            if part.function_call:
                shown.append(f"{part.function_call.name} {json.dumps(part.function_call.args)}")
    return "".join(shown)


async def begun(url: str):
    legacy = {"use_legacy": False} if "--new" in sys.argv else {}
    agent = RemoteA2aAgent(name="remote", agent_card=f"{url}/.well-known/agent-card.json", timeout=20, **legacy)
    runner = InMemoryRunner(agent=agent, app_name="assay")
    return runner, await runner.session_service.create_session(app_name="assay", user_id=USER)


async def send(url: str, text: str) -> str:
    return await told(*await begun(url), text)


async def converse(url: str, text: str, reply: str) -> str:
    runner, session = await begun(url)
    await told(runner, session, text)
    return await told(runner, session, reply)


serve(send=send, stream=send, converse=converse)
