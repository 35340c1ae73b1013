"""The delegation of CrewAI to a remote agent, without the model that would decide to delegate."""

from crewai.a2a.utils.delegation import aexecute_a2a_delegation
from framework import serve


async def delegated(url: str, text: str, **more):
    result = await aexecute_a2a_delegation(
        endpoint=f"{url}/.well-known/agent-card.json", auth=None, timeout=20, task_description=text, **more
    )
    return result


async def send(url: str, text: str) -> str:
    result = await delegated(url, text)
    if result.get("error"):
        raise RuntimeError(result["error"])
    return f"{result.get('status')}\n{result.get('result') or ''}"


serve(send=send, stream=send)
