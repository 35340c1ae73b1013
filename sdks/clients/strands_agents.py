"""A2AAgent of Strands Agents."""

from framework import serve
from strands.agent.a2a_agent import A2AAgent


async def send(url: str, text: str) -> str:
    result = await A2AAgent(endpoint=url, timeout=20).invoke_async(text)
    return f"{result}\n{result.stop_reason}"


async def converse(url: str, text: str, reply: str) -> str:
    agent = A2AAgent(endpoint=url, timeout=20)
    await agent.invoke_async(text)
    return str(await agent.invoke_async(reply))


serve(send=send, stream=send, converse=converse)
