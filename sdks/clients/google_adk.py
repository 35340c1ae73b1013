"""RemoteA2aAgent of Google's Agent Development Kit, as a separate agent in a runner."""

import json

from framework import serve
from google.adk.agents.remote_a2a_agent import RemoteA2aAgent
from google.adk.runners import InMemoryRunner
from google.genai.types import Content, Part

USER = "user"


async def told(runner, session, text: str) -> str:
    """Returns the texts and calls of all complete events in order, as a user of the runner sees them."""
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
    agent = RemoteA2aAgent(name="remote", agent_card=f"{url}/.well-known/agent-card.json", timeout=20)
    runner = InMemoryRunner(agent=agent, app_name="assay")
    return runner, await runner.session_service.create_session(app_name="assay", user_id=USER)


async def send(url: str, text: str) -> str:
    return await told(*await begun(url), text)


async def converse(url: str, text: str, reply: str) -> str:
    runner, session = await begun(url)
    await told(runner, session, text)
    return await told(runner, session, reply)


serve(send=send, stream=send, converse=converse)
